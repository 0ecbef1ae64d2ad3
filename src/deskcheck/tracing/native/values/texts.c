/* Handles of strings: by their text, a long one by a hash that an extension can go on with, so that `s += x` costs
 * its new part. Every hit on a hash is compared in full. Short strings are also found by their address, and held
 * for that.
 */
#include "values.h"

enum { LONG_TEXT = 256 };
#define PENDING SIZE_MAX
#define HASH_BASE 0x9E3779B97F4A7C15ull

static uint64_t
hash_of_string(Tracer *t, int32_t handle)
{
    return t->columns.values.hash[handle];
}

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
    HandleTable *table = &t->values.strings;
    if (LIKELY(table->slots != NULL && table->n * 2 < table->mask)) { /* each further slot that is looked at is a miss */
        return 0;
    }
    return values_table_grow(t, table, hash_of_string);
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
    int32_t type = values_type_name(t, &v->t_str, "str");
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

uint64_t
values_hash(const char *data, Py_ssize_t n)
{
    return hash_on(0, data, n);
}

int32_t
values_utf8(Tracer *t, const char *data, Py_ssize_t n, uint64_t start, Py_ssize_t n_start)
{
    if (n > t->value_bytes) {
        return values_truncated_scalar(t, "str", n);
    }
    uint64_t hash = hash_on(start, data + n_start, n - n_start);
    size_t slot = 0;
    int32_t handle = find_text(t, hash, data, n, &slot);
    return handle == ABSENT ? new_text(t, slot, V_STR, 0, data, n, hash, n) : handle;
}

int32_t
values_parted(Tracer *t, const char *data, Py_ssize_t n, int32_t *start, uint64_t start_hash, Py_ssize_t n_start)
{
    if (n > t->value_bytes) {
        return values_truncated_scalar(t, "str", n);
    }
    if (*start < 0 && (*start = values_utf8(t, data, n_start, start_hash, n_start)) < 0) {
        return FAILED;
    }
    uint64_t hash = hash_on(start_hash, data + n_start, n - n_start);
    size_t slot = 0;
    int32_t handle = find_text(t, hash, data, n, &slot);
    return handle == ABSENT ? new_text(t, slot, V_CONCAT, *start, data + n_start, n - n_start, hash, n) : handle;
}

static int32_t
text_handle(Tracer *t, PyObject *text)
{
    PyObject *held;
    Py_ssize_t n;
    const char *data = utf8_of(text, 0, &n, &held);
    int32_t handle = data == NULL ? FAILED : values_utf8(t, data, n, 0, 0);
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
        handle = values_truncated_scalar(t, "str", length);
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

int32_t
values_summary(Tracer *t, PyObject *text)
{
    static PyObject *mark;
    if (mark == NULL && (mark = PyUnicode_InternFromString("; content ")) == NULL) {
        return FAILED;
    }
    Py_ssize_t at = PyUnicode_Find(text, mark, 0, PyUnicode_GET_LENGTH(text), -1), n, n_start;
    if (at < CONCAT_FROM) {
        return at < -1 ? FAILED : values_string(t, text);
    }
    PyObject *held = NULL, *held_end = NULL;
    const char *data = utf8_of(text, 0, &n, &held);
    int32_t handle = FAILED, start = ABSENT;
    if (data != NULL && utf8_of(text, at, &n_start, &held_end) != NULL) {
        n_start = n - n_start;
        handle = values_parted(t, data, n, &start, values_hash(data, n_start), n_start);
    }
    Py_XDECREF(held);
    Py_XDECREF(held_end);
    return handle;
}
