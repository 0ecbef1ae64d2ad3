/* Handles of immutable scalars: equal values of one type share a row. The rules are those of values.py.
 *
 * Tables are by content: ints by number, floats by bits, strings by their text (a long one by a hash that an
 * extension can go on with, so that `s += x` costs its new part), the rest by a key of bytes. Every hit on a
 * hash is compared in full. Short strings are also found by their address, and held for that.
 */
#include "core.h"

enum { LONG_TEXT = 256, CONCAT_FROM = 32 };
#define PENDING SIZE_MAX
#define HASH_BASE 0x9E3779B97F4A7C15ull

static PyTypeObject *by_repr[8]; /* exact types whose repr is C code and holds no address */

/* ------------------------------------------------------------------ tables */

static inline uint64_t
mixed(uint64_t h)
{
    h ^= h >> 32; /* floats of few digits have their bits at the top */
    h *= 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 32);
}

static int
table_grow(Tracer *t, HandleTable *table, uint64_t (*hash_of)(Tracer *, int32_t))
{
    Py_ssize_t size = table->slots == NULL ? 256 : (table->mask + 1) * 2;
    int32_t *slots = PyMem_RawMalloc((size_t)size * sizeof(int32_t));
    if (slots == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    memset(slots, 0xFF, (size_t)size * sizeof(int32_t));
    for (Py_ssize_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        int32_t handle = table->slots[i];
        if (handle >= 0) {
            size_t at = mixed(hash_of(t, handle)) & (size_t)(size - 1);
            while (slots[at] >= 0) {
                at = (at + 1) & (size_t)(size - 1);
            }
            slots[at] = handle;
        }
    }
    PyMem_RawFree(table->slots);
    table->slots = slots;
    table->mask = size - 1;
    return 0;
}

static uint64_t
hash_of_int(Tracer *t, int32_t handle)
{
    return (uint64_t)t->columns.values.number[handle];
}

static uint64_t
hash_of_float(Tracer *t, int32_t handle)
{
    uint64_t bits;
    memcpy(&bits, &t->columns.values.real[handle], 8);
    return bits;
}

static uint64_t
hash_of_string(Tracer *t, int32_t handle)
{
    return t->columns.values.hash[handle];
}

/* Where the table has room for one more. */
static inline int
table_room(Tracer *t, HandleTable *table, uint64_t (*hash_of)(Tracer *, int32_t))
{
    if (LIKELY(table->slots != NULL && table->n * 3 < table->mask * 2)) {
        return 0;
    }
    return table_grow(t, table, hash_of);
}

static int32_t
type_name(Tracer *t, int32_t *index, const char *name)
{
    if (*index < 0) {
        PyObject *text = PyUnicode_InternFromString(name);
        if (text == NULL) {
            return FAILED;
        }
        *index = columns_name(t, text);
        Py_DECREF(text);
    }
    return *index;
}

/* ------------------------------------------------------------------ rows of any kind */

static int32_t
row(Tracer *t, int kind, PyObject *type, const char *key, Py_ssize_t n_key, int64_t number, double real,
    const char *data, Py_ssize_t n_data)
{
    PyObject *head = PyUnicode_FromFormat("%d %U ", kind, type);
    PyObject *place = head == NULL ? NULL : PyUnicode_AsEncodedString(head, "utf-8", "surrogatepass");
    Py_XDECREF(head);
    PyObject *tail = PyBytes_FromStringAndSize(key, n_key);
    if (place == NULL || tail == NULL) {
        Py_XDECREF(place);
        Py_XDECREF(tail);
        return FAILED;
    }
    PyBytes_ConcatAndDel(&place, tail);
    if (place == NULL) {
        return FAILED;
    }
    int32_t handle = FAILED;
    PyObject *known = PyDict_GetItemWithError(t->values.others, place);
    if (known != NULL) {
        handle = (int32_t)PyLong_AsLong(known);
    }
    else if (!PyErr_Occurred()) {
        int32_t index = columns_name(t, type);
        handle = index < 0 ? FAILED : columns_value(t, kind, index, number, real, data, n_data);
        PyObject *made = handle < 0 ? NULL : PyLong_FromLong(handle);
        if (made == NULL || PyDict_SetItem(t->values.others, place, made) < 0) {
            handle = FAILED;
        }
        Py_XDECREF(made);
    }
    Py_DECREF(place);
    return handle;
}

static int32_t
row_of(Tracer *t, int kind, const char *type, const char *key, Py_ssize_t n_key, int64_t number, double real,
       const char *data, Py_ssize_t n_data)
{
    PyObject *name = PyUnicode_FromString(type);
    if (name == NULL) {
        return FAILED;
    }
    int32_t handle = row(t, kind, name, key, n_key, number, real, data, n_data);
    Py_DECREF(name);
    return handle;
}

/* The mark for a value that was not looked into. */
int32_t
values_truncated(Tracer *t, const char *what, int64_t size, PyObject *type)
{
    char key[64];
    int n = PyOS_snprintf(key, sizeof(key), "%s %lld", what, (long long)size);
    t->values.cut = 1;
    return row(t, V_TRUNCATED, type, key, n, size, 0.0, what, (Py_ssize_t)strlen(what));
}

static int32_t
truncated_scalar(Tracer *t, const char *what, int64_t size)
{
    PyObject *name = PyUnicode_FromString(what);
    int32_t handle = name == NULL ? FAILED : values_truncated(t, what, size, name);
    Py_XDECREF(name);
    return handle;
}

/* ------------------------------------------------------------------ numbers */

int32_t
values_int(Tracer *t, int64_t number)
{
    Values *v = &t->values;
    int is_small = number >= SMALL_LOW && number < SMALL_HIGH;
    if (is_small && v->small[number - SMALL_LOW] >= 0) {
        return v->small[number - SMALL_LOW];
    }
    if (table_room(t, &v->ints, hash_of_int) < 0) {
        return FAILED;
    }
    size_t at = mixed((uint64_t)number) & (size_t)v->ints.mask;
    while (v->ints.slots[at] >= 0) {
        if (t->columns.values.number[v->ints.slots[at]] == number) {
            return v->ints.slots[at];
        }
        at = (at + 1) & (size_t)v->ints.mask;
    }
    int32_t type = type_name(t, &v->t_int, "int");
    int32_t handle = type < 0 ? FAILED : columns_value(t, V_INT, type, number, 0.0, NULL, 0);
    if (handle >= 0) {
        v->ints.slots[at] = handle;
        v->ints.n++;
        if (is_small) {
            v->small[number - SMALL_LOW] = handle;
        }
    }
    return handle;
}

static int32_t
big_int(Tracer *t, PyObject *value)
{
    size_t bits = _PyLong_NumBits(value);
    if ((int64_t)bits > 8 * t->value_bytes) {
        return truncated_scalar(t, "int", (int64_t)((bits + 7) / 8));
    }
    PyObject *text = PyNumber_ToBase(value, 16);
    if (text == NULL) {
        return FAILED;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    const char *data = (const char *)PyUnicode_1BYTE_DATA(text);
    int32_t handle = row_of(t, V_INT, "int", data, n, 0, 0.0, data, n);
    Py_DECREF(text);
    return handle;
}

static inline int32_t
int_handle(Tracer *t, PyObject *value)
{
    PyLongObject *l = (PyLongObject *)value;
    Py_ssize_t size = LONG_SIZE(l);
    if (LIKELY(size >= -1 && size <= 1)) {
        return values_int(t, size == 0 ? 0 : size * (int64_t)LONG_DIGITS(l)[0]);
    }
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow ? big_int(t, value) : values_int(t, number);
}

static int32_t
float_handle(Tracer *t, PyObject *value)
{
    Values *v = &t->values;
    double real = PyFloat_AS_DOUBLE(value);
    uint64_t bits, other;
    memcpy(&bits, &real, 8);
    if (table_room(t, &v->floats, hash_of_float) < 0) {
        return FAILED;
    }
    size_t at = mixed(bits) & (size_t)v->floats.mask;
    while (v->floats.slots[at] >= 0) {
        memcpy(&other, &t->columns.values.real[v->floats.slots[at]], 8);
        if (other == bits) {
            return v->floats.slots[at];
        }
        at = (at + 1) & (size_t)v->floats.mask;
    }
    int32_t type = type_name(t, &v->t_float, "float");
    int32_t handle = type < 0 ? FAILED : columns_value(t, V_FLOAT, type, 0, real, NULL, 0);
    if (handle >= 0) {
        v->floats.slots[at] = handle;
        v->floats.n++;
    }
    return handle;
}

static int32_t
complex_handle(Tracer *t, PyObject *value)
{
    Py_complex number = ((PyComplexObject *)value)->cval;
    char key[16];
    memcpy(key, &number.real, 8);
    memcpy(key + 8, &number.imag, 8);
    return row_of(t, V_COMPLEX, "complex", key, 16, 0, number.real, key + 8, 8);
}

/* ------------------------------------------------------------------ strings */

/* A polynomial, so that it can go on where a text goes on. Eight terms at a time: they do not wait for each other. */
static uint64_t
hash_on(uint64_t hash, const char *data, Py_ssize_t n)
{
    const uint64_t b1 = HASH_BASE, b2 = b1 * b1, b3 = b2 * b1, b4 = b2 * b2, b5 = b4 * b1, b6 = b4 * b2, b7 = b4 * b3;
    const unsigned char *d = (const unsigned char *)data, *end = d + n;
    for (; end - d >= 8; d += 8) {
        uint64_t high = (d[0] + 1u) * b7 + (d[1] + 1u) * b6 + (d[2] + 1u) * b5 + (d[3] + 1u) * b4;
        uint64_t low = (d[4] + 1u) * b3 + (d[5] + 1u) * b2 + (d[6] + 1u) * b1 + (d[7] + 1u);
        hash = hash * (b4 * b4) + (high + low);
    }
    for (; d < end; d++) {
        hash = hash * HASH_BASE + *d + 1;
    }
    return hash;
}

static Py_ssize_t
row_length(ValueColumns *c, int32_t handle)
{
    return c->data_end[handle] - (handle ? c->data_end[handle - 1] : 0);
}

static const char *
row_data(ValueColumns *c, int32_t handle)
{
    return c->data + (handle ? c->data_end[handle - 1] : 0);
}

/* Whether a row's text ends with / is these bytes: a chain of extensions is compared from its end. */
static int
is_text(Tracer *t, int32_t handle, const char *data, Py_ssize_t n)
{
    ValueColumns *c = &t->columns.values;
    if (c->length[handle] != n) {
        return 0;
    }
    while (c->kind[handle] == V_CONCAT) {
        Py_ssize_t part = row_length(c, handle);
        n -= part;
        if (memcmp(row_data(c, handle), data + n, (size_t)part) != 0) {
            return 0;
        }
        handle = (int32_t)c->number[handle];
    }
    return memcmp(row_data(c, handle), data, (size_t)n) == 0;
}

/* UTF-8 of a string; `*held` keeps the bytes alive where they are not the string's own. */
static const char *
utf8_of(PyObject *text, Py_ssize_t start, Py_ssize_t *n, PyObject **held)
{
    if (PyUnicode_IS_COMPACT_ASCII(text)) {
        *held = NULL;
        *n = PyUnicode_GET_LENGTH(text) - start;
        return (const char *)PyUnicode_1BYTE_DATA(text) + start;
    }
    PyObject *part = start ? PyUnicode_Substring(text, start, PyUnicode_GET_LENGTH(text)) : Py_NewRef(text);
    *held = part == NULL ? NULL : PyUnicode_AsEncodedString(part, "utf-8", "surrogatepass");
    Py_XDECREF(part);
    if (*held == NULL) {
        return NULL;
    }
    *n = PyBytes_GET_SIZE(*held);
    return PyBytes_AS_STRING(*held);
}

/* Extensions longer than every text before them are new without a look at the table: they go in when it is next asked. */
static int
insert_pending(Tracer *t)
{
    ValueColumns *c = &t->columns.values;
    HandleTable *table = &t->values.strings;
    Py_ssize_t row = t->values.pending_from;
    t->values.pending_from = -1;
    for (; row >= 0 && row < c->n; row++) {
        if (c->kind[row] != V_CONCAT) {
            continue;
        }
        if (table_room(t, table, hash_of_string) < 0) {
            return -1;
        }
        size_t at = mixed(c->hash[row]) & (size_t)table->mask;
        while (table->slots[at] >= 0) {
            at = (at + 1) & (size_t)table->mask;
        }
        table->slots[at] = (int32_t)row;
        table->n++;
    }
    return 0;
}

static inline int
strings_room(Tracer *t)
{
    if (UNLIKELY(t->values.pending_from >= 0) && insert_pending(t) < 0) {
        return -1;
    }
    return table_room(t, &t->values.strings, hash_of_string);
}

/* The row of a text, or the slot where it belongs (then ABSENT). */
static int32_t
find_text(Tracer *t, uint64_t hash, const char *data, Py_ssize_t n, size_t *slot)
{
    HandleTable *table = &t->values.strings;
    if (strings_room(t) < 0) {
        return FAILED;
    }
    size_t at = mixed(hash) & (size_t)table->mask;
    while (table->slots[at] >= 0) {
        int32_t handle = table->slots[at];
        if (t->columns.values.hash[handle] == hash && is_text(t, handle, data, n)) {
            return handle;
        }
        at = (at + 1) & (size_t)table->mask;
    }
    *slot = at;
    return ABSENT;
}

/* `slot`: of the table; PENDING: it gets one later. */
static int32_t
new_text(Tracer *t, size_t slot, int kind, int64_t number, const char *data, Py_ssize_t n, uint64_t hash,
         Py_ssize_t length)
{
    Values *v = &t->values;
    int32_t type = type_name(t, &v->t_str, "str");
    int32_t handle = type < 0 ? FAILED : columns_value(t, kind, type, number, 0.0, data, n);
    if (handle < 0) {
        return handle;
    }
    t->columns.values.hash[handle] = hash;
    t->columns.values.length[handle] = (int32_t)length;
    v->longest = length > v->longest ? length : v->longest;
    if (slot != PENDING) {
        v->strings.slots[slot] = handle;
        v->strings.n++;
    }
    else if (v->pending_from < 0) {
        v->pending_from = handle;
    }
    return handle;
}

/* Held, so that its address says what it is; never more than a few of the lengths that are written whole. */
static void
hold_long(Tracer *t, PyObject *text, int32_t handle)
{
    if (PyUnicode_GET_LENGTH(text) <= t->value_bytes) {
        size_t at = address_hash(text) & (N_LONG - 1);
        Py_XSETREF(t->values.lengthy[at].text, Py_NewRef(text));
        t->values.lengthy[at].handle = handle;
    }
}

static int32_t
text_handle(Tracer *t, PyObject *text)
{
    PyObject *held;
    Py_ssize_t n;
    const char *data = utf8_of(text, 0, &n, &held);
    if (data == NULL) {
        return FAILED;
    }
    int32_t handle;
    if (n > t->value_bytes) {
        handle = truncated_scalar(t, "str", n);
    }
    else {
        uint64_t hash = hash_on(0, data, n);
        size_t slot = 0;
        handle = find_text(t, hash, data, n, &slot);
        if (handle == ABSENT) {
            handle = new_text(t, slot, V_STR, 0, data, n, hash, n);
        }
    }
    Py_XDECREF(held);
    return handle;
}

static int
begins_with(PyObject *text, PyObject *before)
{
    if (PyUnicode_KIND(text) == PyUnicode_KIND(before)) {
        size_t n = (size_t)(PyUnicode_GET_LENGTH(before) * PyUnicode_KIND(before));
        return memcmp(PyUnicode_DATA(text), PyUnicode_DATA(before), n) == 0;
    }
    return PyUnicode_Tailmatch(text, before, 0, PyUnicode_GET_LENGTH(text), -1) == 1;
}

static int32_t extension(Tracer *t, int32_t before_handle, PyObject *before, PyObject *text);

/* The longest of the long texts seen of late that this one begins with; -1: none. */
static int
longest_prefix(Tracer *t, PyObject *text)
{
    int best = -1;
    Py_ssize_t n_best = 0;
    for (int i = 0; i < N_LONG; i++) {
        PyObject *before = t->values.lengthy[i].text;
        int kind = before == NULL ? V_NONE : t->columns.values.kind[t->values.lengthy[i].handle];
        Py_ssize_t n = before == NULL ? 0 : PyUnicode_GET_LENGTH(before);
        if ((kind == V_STR || kind == V_CONCAT) && n > n_best && n < PyUnicode_GET_LENGTH(text) && begins_with(text, before)) {
            best = i;
            n_best = n;
        }
    }
    return best;
}

/* A long text: known by its address, while that is held; at the finer granularities, where one lies on the stack
 * before it has a name, also as an extension of one that was seen of late. */
static int32_t
long_handle(Tracer *t, PyObject *text)
{
    Values *v = &t->values;
    size_t at = address_hash(text) & (N_LONG - 1);
    if (v->lengthy[at].text == text) {
        return v->lengthy[at].handle;
    }
    int from = t->granularity == FINE_LINE ? -1 : longest_prefix(t, text);
    int32_t handle = from < 0 ? text_handle(t, text) : extension(t, v->lengthy[from].handle, v->lengthy[from].text, text);
    if (handle >= 0) {
        hold_long(t, text, handle);
    }
    return handle;
}

int32_t
values_string(Tracer *t, PyObject *text)
{
    if (PyUnicode_GET_LENGTH(text) > LONG_TEXT) {
        return long_handle(t, text);
    }
    size_t at = address_hash(text) & (N_RECENT - 1);
    if (LIKELY(t->values.recent[at].text == text)) {
        return t->values.recent[at].handle;
    }
    int32_t handle = text_handle(t, text);
    if (handle >= 0) {
        Py_XSETREF(t->values.recent[at].text, Py_NewRef(text));
        t->values.recent[at].handle = handle;
    }
    return handle;
}

/* The same where only a text that begins so can have been made: its ends are looked at. */
static int
begins_alike(PyObject *text, PyObject *before)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(before), ends = 16;
    int kind = PyUnicode_KIND(before);
    if (n < ends || kind != PyUnicode_KIND(text)) {
        return begins_with(text, before);
    }
    const char *a = PyUnicode_DATA(text), *b = PyUnicode_DATA(before);
    return memcmp(a, b, (size_t)(ends * kind)) == 0 &&
           memcmp(a + (n - ends) * kind, b + (n - ends) * kind, (size_t)(ends * kind)) == 0;
}

/* Whether a row is the text whose first part has this handle. */
static int
is_extension(Tracer *t, int32_t row, int32_t before_handle, PyObject *text, const char *data, Py_ssize_t n)
{
    ValueColumns *c = &t->columns.values;
    if (c->kind[row] == V_CONCAT && c->number[row] == before_handle) {
        return row_length(c, row) == n && memcmp(row_data(c, row), data, (size_t)n) == 0;
    }
    PyObject *held;
    Py_ssize_t n_all;
    const char *all = utf8_of(text, 0, &n_all, &held);
    int result = all == NULL ? -1 : is_text(t, row, all, n_all);
    Py_XDECREF(held);
    return result;
}

/* Handle of a text that begins with another one, which has a row. */
static int32_t
extension(Tracer *t, int32_t before_handle, PyObject *before, PyObject *text)
{
    ValueColumns *c = &t->columns.values;
    HandleTable *table = &t->values.strings;
    PyObject *held;
    Py_ssize_t n;
    const char *data = utf8_of(text, PyUnicode_GET_LENGTH(before), &n, &held);
    if (data == NULL) {
        return FAILED;
    }
    Py_ssize_t length = c->length[before_handle] + n;
    int32_t handle = ABSENT;
    if (length > t->value_bytes) {
        handle = truncated_scalar(t, "str", length);
    }
    else if (length > t->values.longest) {
        handle = new_text(t, PENDING, V_CONCAT, before_handle, data, n, hash_on(c->hash[before_handle], data, n), length);
    }
    else if (strings_room(t) < 0) {
        handle = FAILED;
    }
    if (handle == ABSENT) {
        uint64_t hash = hash_on(c->hash[before_handle], data, n);
        size_t at = mixed(hash) & (size_t)table->mask;
        for (; handle == ABSENT && table->slots[at] >= 0; at = (at + 1) & (size_t)table->mask) {
            int32_t other = table->slots[at];
            if (c->hash[other] == hash && c->length[other] == length) {
                int is_same = is_extension(t, other, before_handle, text, data, n);
                handle = is_same < 0 ? FAILED : is_same ? other : ABSENT;
            }
        }
        if (handle == ABSENT) {
            handle = new_text(t, at, V_CONCAT, before_handle, data, n, hash, length);
        }
    }
    Py_XDECREF(held);
    return handle;
}

/* Handle of `text`, as an extension of the one before where it is one and that is long enough. */
int32_t
values_concat(Tracer *t, int32_t before_handle, PyObject *before, PyObject *text, int is_sure)
{
    ValueColumns *c = &t->columns.values;
    Py_ssize_t n_before = PyUnicode_GET_LENGTH(before);
    int is_long = PyUnicode_GET_LENGTH(text) > LONG_TEXT;
    size_t at = address_hash(text) & (N_LONG - 1);
    if (is_long && t->values.lengthy[at].text == text) {
        return t->values.lengthy[at].handle;
    }
    if (n_before < CONCAT_FROM || PyUnicode_GET_LENGTH(text) <= n_before ||
        (c->kind[before_handle] != V_STR && c->kind[before_handle] != V_CONCAT) ||
        !(is_sure ? begins_alike(text, before) : begins_with(text, before))) {
        return values_string(t, text);
    }
    int32_t handle = extension(t, before_handle, before, text);
    if (is_long && handle >= 0 && t->granularity != FINE_LINE) {
        hold_long(t, text, handle);
    }
    return handle;
}

/* ------------------------------------------------------------------ all of them */

static int32_t
bytes_handle(Tracer *t, PyObject *value)
{
    Py_ssize_t n = PyBytes_GET_SIZE(value);
    if (n > t->value_bytes) {
        return truncated_scalar(t, "bytes", n);
    }
    return row_of(t, V_BYTES, "bytes", PyBytes_AS_STRING(value), n, 0, 0.0, PyBytes_AS_STRING(value), n);
}

static int32_t
repr_handle(Tracer *t, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    PyObject *text = type->tp_repr(value);
    PyObject *data = text == NULL ? NULL : PyUnicode_AsUTF8String(text);
    int32_t handle = data == NULL ? FAILED
                                  : row_of(t, V_OPAQUE, type->tp_name, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data),
                                           0, 0.0, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data));
    Py_XDECREF(text);
    Py_XDECREF(data);
    return handle;
}

int
is_scalar(Tracer *Py_UNUSED(t), PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyLong_Type || type == &PyUnicode_Type || type == &PyFloat_Type || value == Py_None ||
        type == &PyBool_Type) {
        return 1;
    }
    if (type == &PyList_Type || type == &PyDict_Type || type == &PyTuple_Type || type == &PyFunction_Type) {
        return 0;
    }
    if (type == &PyBytes_Type || type == &PyComplex_Type || type == &PyEllipsis_Type || type == &_PyNotImplemented_Type) {
        return 1;
    }
    for (int i = 0; by_repr[i] != NULL; i++) {
        if (by_repr[i] == type) {
            return 1;
        }
    }
    return 0;
}

/* Handle of a value for which is_scalar() holds. */
int32_t
values_scalar(Tracer *t, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    Values *v = &t->values;
    if (LIKELY(type == &PyLong_Type)) {
        return int_handle(t, value);
    }
    if (type == &PyUnicode_Type) {
        return values_string(t, value);
    }
    if (type == &PyFloat_Type) {
        return float_handle(t, value);
    }
    if (type == &PyBool_Type) {
        int truth = value == Py_True;
        if (v->truth[truth] < 0) {
            int32_t index = type_name(t, &v->t_bool, "bool");
            v->truth[truth] = index < 0 ? FAILED : columns_value(t, V_BOOL, index, truth, 0.0, NULL, 0);
        }
        return v->truth[truth];
    }
    if (value == Py_None) {
        if (v->none < 0) {
            int32_t index = type_name(t, &v->t_none, "NoneType");
            v->none = index < 0 ? FAILED : columns_value(t, V_NONE, index, 0, 0.0, NULL, 0);
        }
        return v->none;
    }
    if (type == &PyBytes_Type) {
        return bytes_handle(t, value);
    }
    if (type == &PyComplex_Type) {
        return complex_handle(t, value);
    }
    if (value == Py_Ellipsis) {
        return row_of(t, V_SINGLETON, "ellipsis", "Ellipsis", 8, 0, 0.0, "Ellipsis", 8);
    }
    if (value == Py_NotImplemented) {
        return row_of(t, V_SINGLETON, "NotImplementedType", "NotImplemented", 14, 0, 0.0, "NotImplemented", 14);
    }
    return repr_handle(t, value);
}

static int
find_repr_types(void)
{
    static const char *const names[][2] = {
        {"decimal", "Decimal"},  {"datetime", "date"}, {"datetime", "datetime"},
        {"datetime", "time"}, {"datetime", "timedelta"},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names) && by_repr[4] == NULL; i++) {
        PyObject *module = PyImport_ImportModule(names[i][0]);
        PyObject *type = module == NULL ? NULL : PyObject_GetAttrString(module, names[i][1]);
        Py_XDECREF(module);
        if (type == NULL || !PyType_Check(type)) {
            return -1;
        }
        by_repr[i] = (PyTypeObject *)type;
    }
    return 0;
}

int
values_init(Tracer *t)
{
    Values *v = &t->values;
    memset(v->small, 0xFF, sizeof(v->small));
    v->t_int = v->t_str = v->t_float = v->t_bool = v->t_none = ABSENT;
    v->none = v->truth[0] = v->truth[1] = ABSENT;
    v->pending_from = ABSENT;
    v->others = PyDict_New();
    return v->others == NULL ? -1 : find_repr_types();
}

void
values_clear(Tracer *t)
{
    Values *v = &t->values;
    for (int i = 0; i < N_RECENT; i++) {
        Py_CLEAR(v->recent[i].text);
    }
    for (int i = 0; i < N_LONG; i++) {
        Py_CLEAR(v->lengthy[i].text);
    }
    PyMem_RawFree(v->ints.slots);
    PyMem_RawFree(v->floats.slots);
    PyMem_RawFree(v->strings.slots);
    Py_CLEAR(v->others);
    memset(v, 0, sizeof(*v));
}
