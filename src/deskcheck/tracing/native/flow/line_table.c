/* What a source says of its functions before any of it runs, from its code object: source_facts.py reads it.
 *
 *   line_table(code, entry | None) -> msgpack: [definition | nil, [[name, first line, first, bits, flow], ..]]
 *
 * One row for each code object, in the order of their constants. `bits` has a byte for each line from `first`
 * on, 1 where the code has it; `flow` has pairs of int32 (line_flow.c). The definition is that of the function that the module gives the name `entry`
 * once, and nobody else: [name, first line, positional, keyword-only, rest, keywords, is late]. Nothing runs,
 * and nothing is parsed. In Python: `lines.made_here`.
 */
#include "flow.h"

static struct {
    int store_name, store_global, delete_name, delete_global, extended_arg, cache, set_attribute, make_function, load_const;
} op;

static int
number_of(PyObject *map, const char *name)
{
    PyObject *number = PyDict_GetItemString(map, name);
    return number == NULL ? -1 : (int)PyLong_AsLong(number);
}

/* ------------------------------------------------------------------ msgpack */

typedef struct {
    unsigned char *data; /* owned */
    size_t n, room;
    int failed;
} Bytes;

static unsigned char *
grow(Bytes *out, size_t more)
{
    if (out->n + more > out->room) {
        size_t room = 2 * (out->n + more) + 256;
        unsigned char *data = PyMem_RawRealloc(out->data, room);
        if (data == NULL) {
            out->failed = 1;
            return NULL;
        }
        out->data = data;
        out->room = room;
    }
    out->n += more;
    return out->data + out->n - more;
}

/* A head of one, two, three or five bytes: `small` with the number in it, or a mark before a number. */
static void
put_head(Bytes *out, int small, uint32_t below, int mark8, int mark16, uint32_t number)
{
    int n = number < below ? 0 : mark8 && number < 256 ? 1 : number < 65536 ? 2 : 4;
    unsigned char *at = grow(out, 1 + (size_t)n);
    if (at != NULL) {
        *at = (unsigned char)(n == 0 ? small | (int)number : n == 1 ? mark8 : n == 2 ? mark16 : mark16 + 1);
        for (int i = 0; i < n; i++) {
            at[n - i] = (unsigned char)(number >> 8 * i);
        }
    }
}

static void
put_array(Bytes *out, uint32_t n)
{
    put_head(out, 0x90, 16, 0, 0xdc, n);
}

static void
put_number(Bytes *out, uint32_t number)
{
    put_head(out, 0, 128, 0xcc, 0xcd, number);
}

static void
put_byte(Bytes *out, int byte)
{
    unsigned char *at = grow(out, 1);
    if (at != NULL) {
        *at = (unsigned char)byte;
    }
}

static void
put_text(Bytes *out, PyObject *text)
{
    Py_ssize_t n = 0;
    const char *utf8 = text == NULL ? "" : PyUnicode_AsUTF8AndSize(text, &n);
    if (utf8 == NULL) {
        out->failed = 1;
        return;
    }
    put_head(out, 0xa0, 32, 0xd9, 0xda, (uint32_t)n);
    unsigned char *at = grow(out, (size_t)n);
    if (at != NULL) {
        memcpy(at, utf8, (size_t)n);
    }
}

static void
put_texts(Bytes *out, PyObject *names, int from, int to)
{
    put_array(out, (uint32_t)(to - from));
    for (int i = from; i < to; i++) {
        put_text(out, PyTuple_GET_ITEM(names, i));
    }
}

/* ------------------------------------------------------------------ lines */

/* Each line that the location table names goes to `visit`. */
static void
each_line(PyCodeObject *code, void (*visit)(int line, void *to), void *to)
{
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(code->co_linetable);
    const unsigned char *end = at + PyBytes_GET_SIZE(code->co_linetable);
    int line = code->co_firstlineno, here;
    while (at < end) {
        next_lines(&at, &line, &here);
        if (here >= 0) {
            visit(here, to);
        }
    }
}

typedef struct {
    int low, high;
} Range;

static void
widen(int line, void *to)
{
    Range *range = to;
    range->low = range->low < 0 || line < range->low ? line : range->low;
    range->high = line > range->high ? line : range->high;
}

typedef struct {
    unsigned char *bits;
    int low;
} Bits;

static void
mark(int line, void *to)
{
    Bits *bits = to;
    bits->bits[line - bits->low] = 1;
}

static void
put_code(Bytes *out, PyCodeObject *code)
{
    Range range = {-1, -1};
    put_array(out, 5);
    put_text(out, code->co_qualname);
    put_number(out, (uint32_t)code->co_firstlineno);
    each_line(code, widen, &range);
    int n = range.low < 0 ? 0 : range.high - range.low + 1;
    put_number(out, range.low < 0 ? 0 : (uint32_t)range.low);
    put_head(out, 0, 0, 0xc4, 0xc5, (uint32_t)n);
    unsigned char *at = grow(out, (size_t)n);
    if (at != NULL && n > 0) {
        Bits bits = {at, range.low};
        memset(at, 0, (size_t)n);
        each_line(code, mark, &bits);
    }
    int32_t *pairs = NULL;
    int n_pairs = line_flow(code, &pairs);
    size_t n_flow = n_pairs < 0 ? 0 : (size_t)n_pairs * 8;
    out->failed |= n_pairs < 0;
    put_head(out, 0, 0, 0xc4, 0xc5, (uint32_t)n_flow);
    if ((at = grow(out, n_flow)) != NULL && n_flow) {
        memcpy(at, pairs, n_flow);
    }
    PyMem_RawFree(pairs);
}

/* How many there are; written where `out` is given. */
static uint32_t
put_codes(Bytes *out, PyCodeObject *code)
{
    uint32_t n = 1;
    if (out != NULL) {
        put_code(out, code);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(constant)) {
            n += put_codes(out, (PyCodeObject *)constant);
        }
    }
    return n;
}

/* ------------------------------------------------------------------ the definition */

static int
index_of(PyObject *names, PyObject *name)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        PyObject *one = PyTuple_GET_ITEM(names, i);
        if (one == name || PyUnicode_Compare(one, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* How often instructions give the name another meaning, and where the last of them stands; -1 with an exception. */
static int
stores_of(PyCodeObject *code, PyObject *name, int is_module, Py_ssize_t *last)
{
    int index = index_of(code->co_names, name), n = 0;
    if (index < 0) {
        return 0;
    }
    PyObject *raw = PyCode_GetCode(code);
    if (raw == NULL) {
        return -1;
    }
    const unsigned char *units = (const unsigned char *)PyBytes_AS_STRING(raw);
    int high = 0;
    for (Py_ssize_t at = 0; at < PyBytes_GET_SIZE(raw); at += 2) {
        int what = units[at];
        if (what == op.extended_arg) {
            high = (high | units[at + 1]) << 8;
            continue;
        }
        int is_store = what == op.store_global || what == op.delete_global
                       || (is_module && (what == op.store_name || what == op.delete_name));
        if (is_store && (high | units[at + 1]) == index) {
            n++;
            *last = at;
        }
        high = 0;
    }
    Py_DECREF(raw);
    return n;
}

static int
stored_elsewhere(PyCodeObject *code, PyObject *name)
{
    Py_ssize_t last;
    int found = 0;
    for (Py_ssize_t i = 0; found == 0 && i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyCodeObject *inner = (PyCodeObject *)PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(inner)) {
            found = stores_of(inner, name, 0, &last);
            found = found ? found : stored_elsewhere(inner, name);
        }
    }
    return found;
}

/* Code of the function that the instruction before `at` makes; NULL where it makes none (or with an exception). */
static PyCodeObject *
made_before(PyCodeObject *module, Py_ssize_t at)
{
    PyObject *raw = PyCode_GetCode(module);
    if (raw == NULL) {
        return NULL;
    }
    const unsigned char *units = (const unsigned char *)PyBytes_AS_STRING(raw);
    PyCodeObject *made = NULL;
    at -= 2;
    while (at >= 0 && (units[at] == op.cache || units[at] == op.set_attribute || units[at] == op.extended_arg)) {
        at -= 2;
    }
    if (at >= 2 && units[at] == op.make_function && units[at - 2] == op.load_const) {
        int64_t number = units[at - 1], shift = 8;
        for (at -= 4; at >= 0 && shift < 32 && units[at] == op.extended_arg; at -= 2, shift += 8) {
            number |= (int64_t)units[at + 1] << shift;
        }
        PyObject *found = number < PyTuple_GET_SIZE(module->co_consts) ? PyTuple_GET_ITEM(module->co_consts, number) : NULL;
        made = found != NULL && PyCode_Check(found) ? (PyCodeObject *)found : NULL;
    }
    Py_DECREF(raw);
    return made;
}

static PyCodeObject *
definition_of(PyCodeObject *module, PyObject *entry)
{
    Py_ssize_t at = 0;
    if (stores_of(module, entry, 1, &at) != 1 || stored_elsewhere(module, entry) != 0) {
        return NULL;
    }
    return made_before(module, at);
}

static void
put_definition(Bytes *out, PyCodeObject *code)
{
    PyObject *names = code->co_localsplusnames; /* parameters come first */
    int n_plain = code->co_argcount, n_named = n_plain + code->co_kwonlyargcount;
    int rest = (code->co_flags & CO_VARARGS) != 0, keywords = (code->co_flags & CO_VARKEYWORDS) != 0;
    put_array(out, 7);
    put_text(out, code->co_qualname);
    put_number(out, (uint32_t)code->co_firstlineno);
    put_texts(out, names, 0, n_plain);
    put_texts(out, names, n_plain, n_named);
    put_text(out, rest ? PyTuple_GET_ITEM(names, n_named) : NULL);
    put_text(out, keywords ? PyTuple_GET_ITEM(names, n_named + rest) : NULL);
    put_byte(out, code->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR) ? 0xc3 : 0xc2);
}

/* ------------------------------------------------------------------ from Python */

static PyObject *
line_table(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyCodeObject *code;
    PyObject *entry;
    Bytes out = {NULL, 0, 0, 0};
    if (!PyArg_ParseTuple(arguments, "O!O:line_table", &PyCode_Type, &code, &entry)) {
        return NULL;
    }
    PyCodeObject *known = PyUnicode_Check(entry) ? definition_of(code, entry) : NULL;
    PyObject *result = NULL;
    if (!PyErr_Occurred()) {
        put_array(&out, 2);
        if (known != NULL) {
            put_definition(&out, known);
        }
        else {
            put_byte(&out, 0xc0);
        }
        put_array(&out, put_codes(NULL, code));
        put_codes(&out, code);
        if (out.failed && !PyErr_Occurred()) {
            PyErr_NoMemory();
        }
        if (!out.failed) {
            result = PyBytes_FromStringAndSize((char *)out.data, (Py_ssize_t)out.n);
        }
    }
    PyMem_RawFree(out.data);
    return result;
}

static PyMethodDef methods[] = {
    {"line_table", line_table, METH_VARARGS, "line_table(code, entry or None) -> what source_facts.py reads"},
    {NULL, NULL, 0, NULL},
};

int
line_table_ready(PyObject *module)
{
    PyObject *opcodes = PyImport_ImportModule("opcode");
    PyObject *map = opcodes == NULL ? NULL : PyObject_GetAttrString(opcodes, "opmap");
    Py_XDECREF(opcodes);
    if (map == NULL) {
        return -1;
    }
    struct {
        const char *name;
        int *number;
    } wanted[] = {
        {"STORE_NAME", &op.store_name}, {"STORE_GLOBAL", &op.store_global}, {"DELETE_NAME", &op.delete_name},
        {"DELETE_GLOBAL", &op.delete_global}, {"EXTENDED_ARG", &op.extended_arg}, {"CACHE", &op.cache},
        {"SET_FUNCTION_ATTRIBUTE", &op.set_attribute}, {"MAKE_FUNCTION", &op.make_function}, {"LOAD_CONST", &op.load_const},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(wanted); i++) {
        *wanted[i].number = number_of(map, wanted[i].name);
    }
    Py_DECREF(map);
    return PyModule_AddFunctions(module, methods);
}
