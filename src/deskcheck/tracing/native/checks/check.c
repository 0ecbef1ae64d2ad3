/* Check the columns of a packed trace that came from a child process: one pass, no Python object per event.
 *
 *   check(columns, offsets, counts, codes, n_names, n_lines, outcome, value, flags) -> None | reason
 *   ascending(array of int32) -> bool
 *
 * The same checks as tracing/packed.py makes with Python objects, the second opinion; a test compares their
 * verdicts on mutated traces. Nothing here trusts a number before it has been compared with what there is;
 * memory is bounded by a few times the size of the trace; the interpreter's internals are not touched.
 */
#include "checks.h"

/* ------------------------------------------------------------------ lengths and ranges */

static int
lengths(Trace *t)
{
    for (int column = 0; column < N_COLUMNS; column++) {
        int64_t n = t->n[group_of[column]];
        if (column == DATA) {
            NEED(t->offsets != NULL || n == 0, "columns of values differ in length");
            continue;
        }
        int whole = t->size[column] == n * width_of[column];
        NEED(whole || (IS_OPTIONAL(column) && t->size[column] == 0), "columns differ in length");
    }
    return 1;
}

static int
within32(Trace *t, int column, int64_t low, int64_t high, const char *what)
{
    int64_t n = t->size[column] / 4;
    for (int64_t i = 0; i < n; i++) {
        int32_t value = at32(t, column, i);
        NEED(value >= low && value < high, what);
    }
    return 1;
}

static int
within8(Trace *t, int column, int high, const char *what)
{
    for (int64_t i = 0; i < t->size[column]; i++) {
        int value = at8(t, column, i);
        NEED(value >= 0 && value < high, what);
    }
    return 1;
}

static int
ranges(Trace *t)
{
    const int64_t *n = t->n;
    for (int64_t i = 0; i < t->n_codes; i++) {
        NEED(t->file[i] == 0 || (t->file[i] > 0 && t->file[i] < t->n_names), "file of a code out of range");
        t->is_module[t->file[i]] = 1;
    }
    const int64_t most = n[EVENTS] > 0 ? n[EVENTS] : 1;
    return within8(t, KIND, N_EVENT_KINDS, "event kind out of range")
        && within32(t, FRAME, 0, n[FRAMES], "event frame out of range")
        && within32(t, VALUE, -1, n[VALUES], "event value out of range")
        && within32(t, THREAD, 0, most, "thread out of range")
        && within32(t, END_LINE, -1, INT64_MAX, "end line out of range")
        && within32(t, COLUMN, -1, INT64_MAX, "column out of range")
        && within32(t, END_COLUMN, -1, INT64_MAX, "end column out of range")
        && within32(t, OFFSET, -1, INT64_MAX, "offset out of range")
        && within32(t, OPCODE, -1, t->n_names, "opcode out of range")
        && within8(t, PLACE, N_PLACES, "place out of range")
        && within8(t, OPERATION, N_OPS, "op out of range")
        && within32(t, CHANGED, -1, n[VALUES], "changed value out of range")
        && within32(t, KEY, -1, n[VALUES], "key out of range")
        && within8(t, VALUE_KIND, N_VALUE_KINDS, "value kind out of range")
        && within32(t, VALUE_TYPE, 0, t->n_names, "type name out of range")
        && within8(t, OBJECT_KIND, N_OBJECT_KINDS, "object kind out of range")
        && within32(t, OBJECT_TYPE, 0, t->n_names, "object type out of range")
        && within32(t, OBJECT_TEXT, 0, t->n_names, "object text out of range")
        && within32(t, FRAME_CODE, 0, t->n_codes, "frame code out of range");
}

/* ------------------------------------------------------------------ values */

/* UTF-8 in which lone surrogates may stand, as Python's "surrogatepass" reads it. */
static int
is_text(const unsigned char *p, int64_t n)
{
    const unsigned char *end = p + n;
    while (p < end) {
        unsigned c = *p++;
        if (c < 0x80) {
            continue;
        }
        int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
        if (c < 0xC2 || c > 0xF4 || end - p < more) {
            return 0;
        }
        unsigned low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
        unsigned high = c == 0xF4 ? 0x8F : 0xBF;
        if (*p < low || *p > high) {
            return 0;
        }
        for (p++, more--; more > 0; p++, more--) {
            if (*p < 0x80 || *p > 0xBF) {
                return 0;
            }
        }
    }
    return 1;
}

/* Nothing, or -0x1f: what hex() writes. */
static int
is_int(const char *p, int64_t n)
{
    if (n == 0) {
        return 1;
    }
    const char *end = p + n;
    p += *p == '-';
    if (end - p < 3 || p[0] != '0' || p[1] != 'x') {
        return 0;
    }
    for (p += 2; p < end; p++) {
        if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'))) {
            return 0;
        }
    }
    return 1;
}

static int
values(Trace *t)
{
    for (int64_t i = 0; i < t->n[VALUES]; i++) {
        int32_t ends[2];
        memcpy(ends, t->offsets + 4 * i, 8);
        const char *data = t->data[DATA] + ends[0];
        int64_t n = (int64_t)ends[1] - ends[0], number = at64(t, NUMBER, i);
        switch (at8(t, VALUE_KIND, i)) {
        case BOOL:
            NEED(number == 0 || number == 1, "a bool that is neither");
            break;
        case INT:
            NEED(is_int(data, n), "an integer's digits are none");
            break;
        case COMPLEX:
            NEED(n == 8, "a complex number without its imaginary part");
            break;
        case CONCAT:
            NEED(number >= 0 && number < i, "concatenation out of range");
            int before = at8(t, VALUE_KIND, number);
            NEED(before == STR || before == CONCAT, "a concatenation with something that is no string");
            /* fall through */
        case STR:
        case SINGLETON:
        case TRUNCATED:
        case OPAQUE:
            NEED(is_text((const unsigned char *)data, n), "a text that is not UTF-8");
            break;
        case REF:
        case POINTER:
            NEED(number >= 0 && number < t->n[OBJECTS], "reference out of range");
            break;
        default:
            break;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ changes by themselves */

static int
changes(Trace *t)
{
    for (int64_t i = 0; i < t->n[CHANGES]; i++) {
        int place = at8(t, PLACE, i), op = at8(t, OPERATION, i);
        int32_t owner = at32(t, OWNER, i), key = at32(t, KEY, i), index = at32(t, INDEX, i);
        int of_frame = place <= FREE || place == ITERATOR || place == STACK;
        if (place == GLOBAL) {
            int known = owner == 0 || (owner > 0 && owner < t->n_names && t->is_module[owner]);
            NEED(known, "owner of a change out of range");
        } else {
            NEED(owner >= 0 && owner < t->n[of_frame ? FRAMES : OBJECTS], "owner of a change out of range");
        }
        NEED((op == DELETE) == (at32(t, CHANGED, i) == -1), "a deletion with a value, or a value missing");
        if (place == ITERATOR || place == STACK || place == ELEMENT) {
            NEED(key == -1 && index >= 0, "a position with a key, or none");
            continue;
        }
        NEED(op != INSERT, "an insertion where there is no order");
        if (place == CONTENT) {
            NEED(key == -1 && op == SET, "a content with a key, or none");
            continue;
        }
        NEED(key >= 0 && index == -1, "a key with a position, or none");
        if (place <= GLOBAL) {
            int kind = at8(t, VALUE_KIND, key);
            NEED(kind == STR || kind == CONCAT, "a variable whose name is no string");
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ from Python */

static int
take_columns(Trace *t, PyObject *columns, PyObject *offsets)
{
    if (PyList_GET_SIZE(columns) != N_COLUMNS) {
        PyErr_SetString(PyExc_ValueError, "check: another number of columns");
        return 0;
    }
    for (int i = 0; i <= N_COLUMNS; i++) {
        Py_buffer *buffer = &t->buffers[i];
        if (PyObject_GetBuffer(i < N_COLUMNS ? PyList_GET_ITEM(columns, i) : offsets, buffer, PyBUF_SIMPLE) < 0) {
            return 0;
        }
        t->n_buffers++;
        if (i < N_COLUMNS) {
            t->data[i] = buffer->buf;
            t->size[i] = buffer->len;
        }
    }
    Py_buffer *last = &t->buffers[N_COLUMNS];
    if (last->len == 4 * (t->n[VALUES] + 1)) {
        t->offsets = last->buf;
        int32_t before = 0, end;
        for (int64_t i = 0; i <= t->n[VALUES]; i++) {
            memcpy(&end, t->offsets + 4 * i, 4);
            if (end < before || end > t->size[DATA]) {
                PyErr_SetString(PyExc_ValueError, "check: offsets that unpack refuses");
                return 0;
            }
            before = end;
        }
    }
    return 1;
}

/* codes: a list of (file, bytes with a 1 at each of its lines, or None, pairs of lines that can follow each other). */
static int
take_codes(Trace *t, PyObject *codes)
{
    t->n_codes = PyList_GET_SIZE(codes);
    t->file = filled(t->n_codes, sizeof(int32_t), 0);
    t->lines = filled(t->n_codes, sizeof(char *), 0);
    t->n_bytes = filled(t->n_codes, sizeof(Py_ssize_t), 0);
    t->is_module = filled(t->n_names, 1, 0);
    t->flow = filled(t->n_codes, sizeof(LineFlow), 0);
    if (t->is_module == NULL || t->flow == NULL || t->file == NULL || t->lines == NULL || t->n_bytes == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (int64_t i = 0; i < t->n_codes; i++) {
        PyObject *lines, *pairs;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(codes, i), "iOS", &t->file[i], &lines, &pairs)) {
            return 0;
        }
        if (PyBytes_Check(lines)) {
            t->lines[i] = PyBytes_AS_STRING(lines);
            t->n_bytes[i] = PyBytes_GET_SIZE(lines);
            if (!flow_take(t, i, PyBytes_AS_STRING(pairs), PyBytes_GET_SIZE(pairs))) {
                return 0;
            }
        }
    }
    return 1;
}

static PyObject *
check(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offsets, *codes;
    Trace trace = {0}, *t = &trace;
    long long n[N_GROUPS], n_names, n_lines;
    int outcome, value, flags;
    if (!PyArg_ParseTuple(arguments, "O!O(LLLLL)O!LLiii:check", &PyList_Type, &columns, &offsets, &n[0], &n[1],
                          &n[2], &n[3], &n[4], &PyList_Type, &codes, &n_names, &n_lines, &outcome, &value,
                          &flags)) {
        return NULL;
    }
    for (int i = 0; i < N_GROUPS; i++) {
        t->n[i] = n[i];
    }
    t->n_names = n_names;
    t->n_lines = n_lines;
    PyObject *result = NULL;
    if (take_columns(t, columns, offsets) && take_codes(t, codes)) {
        int holds = lengths(t) && ranges(t) && values(t) && changes(t) && check_replay(t, outcome, value, flags);
        if (holds) {
            result = Py_NewRef(Py_None);
        } else if (t->wrong != NULL) {
            result = PyUnicode_FromString(t->wrong);
        }
    }
    for (int i = 0; i < t->n_buffers; i++) {
        PyBuffer_Release(&t->buffers[i]);
    }
    flow_free(t);
    PyMem_Free(t->file);
    PyMem_Free(t->is_module);
    PyMem_Free((void *)t->lines);
    PyMem_Free(t->n_bytes);
    return result;
}

static PyObject *
ascending(PyObject *Py_UNUSED(module), PyObject *numbers)
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(numbers, &buffer, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    int holds = 1;
    const char *data = buffer.buf;
    for (Py_ssize_t i = 1; i < buffer.len / 4 && holds; i++) {
        int32_t pair[2];
        memcpy(pair, data + 4 * (i - 1), 8);
        holds = pair[0] <= pair[1];
    }
    PyBuffer_Release(&buffer);
    return PyBool_FromLong(holds);
}

PyMethodDef deskcheck_check_methods[] = {
    {"check", check, METH_VARARGS, "Reason why these columns are no trace, or None."},
    {"ascending", ascending, METH_O, "Whether no int32 of a buffer is smaller than the one before."},
    {NULL, NULL, 0, NULL},
};
