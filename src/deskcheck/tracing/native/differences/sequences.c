/* Lists, tuples, deques, bytearrays and arrays: the difference between what was there and what is there now.
 *
 *   sequence_update(t, entry, items, n)       ELEMENT changes: the two ends that did not change are left alone
 *   sequence_update_at(t, entry, list, place) one place of a list, or its end
 *   deque_update, raw_update                  the same after reading the items of those
 */
#include "differences.h"

static inline int32_t
item_handle(Tracer *t, PyObject *item)
{
    return IS_TAGGED(item) ? values_int(t, UNTAGGED(item)) : heap_handle(t, item);
}

static void
set_item(Tracer *t, Entry *entry, Py_ssize_t i, PyObject *item, int32_t handle)
{
    Shadow *s = &entry->content;
    s->value[i] = shadow_hold(t, entry, s, i, item, handle);
    s->value_handle[i] = handle;
}

static void
renew_item(Tracer *t, Entry *entry, Py_ssize_t i, PyObject *item, int32_t handle)
{
    Shadow *s = &entry->content;
    PyObject *old = s->value[i];
    if (old != item) {
        int32_t before = s->value_handle[i];
        set_item(t, entry, i, item, handle);
        shadow_release(t, s, old, before);
    }
}

/* Handles of the items from `start`: those at both ends that did not change are known. */
static int
sequence_handles(Tracer *t, Shadow *s, PyObject **items, Py_ssize_t n, Py_ssize_t start, Py_ssize_t *n_same,
                 Py_ssize_t *n_end)
{
    int32_t *h = t->heap.handles;
    Py_ssize_t shorter = n < s->n ? n : s->n, i = start, done;
    for (; i < shorter; i++) {
        if (s->value[i] == items[i]) {
            h[i] = s->value_handle[i];
        }
        else if ((h[i] = item_handle(t, items[i])) < 0) {
            return -1;
        }
        if (h[i] != s->value_handle[i]) {
            break;
        }
    }
    done = i < shorter ? i + 1 : i;
    Py_ssize_t room = shorter - i, end = 0;
    while (end < room && s->value[s->n - 1 - end] == items[n - 1 - end]) {
        end++;
    }
    for (Py_ssize_t j = done; j < n - end; j++) {
        if ((h[j] = item_handle(t, items[j])) < 0) {
            return -1;
        }
    }
    while (end < room && s->value_handle[s->n - 1 - end] == h[n - 1 - end]) {
        end++;
    }
    *n_same = i;
    *n_end = end;
    return 0;
}

static int
write_sequence(Tracer *t, Entry *entry, PyObject **items, Py_ssize_t n, Py_ssize_t start)
{
    Shadow *s = &entry->content;
    int32_t *h = t->heap.handles, number = entry->number;
    Py_ssize_t same, end, old_n = s->n;
    if (sequence_handles(t, s, items, n, start, &same, &end) < 0) {
        return -1;
    }
    Py_ssize_t old_middle = old_n - end - same, middle = n - end - same;
    Py_ssize_t shared = same + (old_middle < middle ? old_middle : middle);
    for (Py_ssize_t i = same; i < shared; i++) {
        if (s->value_handle[i] != h[i]) {
            change(t, P_ELEMENT, number, -1, (int32_t)i, OP_SET, h[i]);
        }
    }
    for (Py_ssize_t i = old_n - end - 1; i >= shared; i--) {
        change(t, P_ELEMENT, number, -1, (int32_t)i, OP_DELETE, ABSENT);
    }
    for (Py_ssize_t i = shared; i < n - end; i++) {
        change(t, P_ELEMENT, number, -1, (int32_t)i, OP_INSERT, h[i]);
    }
    /* The shadow: what is gone is let go, the end moves, the rest is renewed in place. */
    if (shadow_resize(t, s, n, 0) < 0) {
        return -1;
    }
    for (Py_ssize_t i = start; i < shared; i++) {
        renew_item(t, entry, i, items[i], h[i]);
    }
    for (Py_ssize_t i = shared; i < old_n - end; i++) {
        shadow_release(t, s, s->value[i], s->value_handle[i]);
    }
    if (end && n != old_n) {
        memmove(s->value + n - end, s->value + old_n - end, (size_t)end * sizeof(PyObject *));
        memmove(s->value_handle + n - end, s->value_handle + old_n - end, (size_t)end * sizeof(int32_t));
    }
    s->n = n;
    for (Py_ssize_t i = shared; i < n - end; i++) {
        set_item(t, entry, i, items[i], h[i]);
    }
    for (Py_ssize_t i = n - end; i < n; i++) { /* equal values may stand at other addresses now */
        if (s->value[i] != items[i]) {
            renew_item(t, entry, i, items[i], s->value_handle[i]);
        }
    }
    return 0;
}

/* One that has only grown to n: what is new at its end. */
static int
append_items(Tracer *t, Entry *entry, PyObject **added, Py_ssize_t n)
{
    Shadow *s = &entry->content;
    Py_ssize_t start = s->n;
    int result = scratch_room(t, n - start) < 0 || shadow_resize(t, s, n, 0) < 0 ? -1 : 0;
    entry->changed = t->columns.events.n;
    for (Py_ssize_t i = start; result == 0 && i < n; i++) {
        t->heap.scratch[i - start] = Py_NewRef(added[i - start]);
    }
    for (Py_ssize_t i = start; result == 0 && i < n; i++) {
        PyObject *item = t->heap.scratch[i - start];
        int32_t handle = heap_handle(t, item);
        if (handle < 0) {
            result = -1;
            break;
        }
        change(t, P_ELEMENT, entry->number, -1, (int32_t)i, OP_INSERT, handle);
        set_item(t, entry, i, item, handle);
        s->n = i + 1;
        Py_DECREF(item);
    }
    return result;
}

int
sequence_update(Tracer *t, Entry *entry, PyObject **items, Py_ssize_t n)
{
    enum { AT_ONCE = 64 };
    Shadow *s = &entry->content;
    Py_ssize_t start = 0, shorter = n < s->n ? n : s->n;
    while (start + AT_ONCE <= shorter && memcmp(s->value + start, items + start, AT_ONCE * sizeof(PyObject *)) == 0) {
        start += AT_ONCE;
    }
    while (start < shorter && s->value[start] == items[start]) {
        start++;
    }
    if (start == n && n == s->n) {
        return 0;
    }
    entry->changed = t->columns.events.n;
    if (scratch_room(t, n) < 0) {
        return -1;
    }
    PyObject **held = t->heap.scratch;
    for (Py_ssize_t i = start; i < n; i++) {
        held[i] = items[i];
        if (!IS_TAGGED(items[i])) {
            Py_INCREF(items[i]);
        }
    }
    int result = write_sequence(t, entry, held, n, start);
    held = t->heap.scratch;
    for (Py_ssize_t i = start; i < n; i++) {
        if (!IS_TAGGED(held[i])) {
            Py_DECREF(held[i]);
        }
    }
    return result;
}

/* `list.pop()`: the last one, or nothing. */
static int
last_gone(Tracer *t, Entry *entry, Py_ssize_t n)
{
    Shadow *s = &entry->content;
    if (n == s->n - 1) {
        entry->changed = t->columns.events.n;
        change(t, P_ELEMENT, entry->number, -1, (int32_t)n, OP_DELETE, ABSENT);
        s->n = n;
        shadow_release(t, s, s->value[n], s->value_handle[n]);
    }
    return 0;
}

/* One place of a list, or (PLACE_END) what was put at its end. */
int
sequence_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    if (place == PLACE_LAST) {
        Py_ssize_t size = Py_SIZE(value);
        return size == s->n || size == s->n - 1 ? last_gone(t, entry, size) : content_update(t, entry, value);
    }
    PyObject **items = ((PyListObject *)value)->ob_item;
    Py_ssize_t n = Py_SIZE(value);
    if (place == PLACE_END) {
        return n < s->n ? sequence_update(t, entry, items, n) : n == s->n ? 0 : append_items(t, entry, items + s->n, n);
    }
    if (n != s->n || place >= n) {
        return sequence_update(t, entry, items, n);
    }
    if (s->value[place] == items[place]) {
        return 0;
    }
    PyObject *item = Py_NewRef(items[place]);
    int32_t handle = heap_handle(t, item);
    if (handle >= 0) {
        if (handle != s->value_handle[place]) {
            change(t, P_ELEMENT, entry->number, -1, (int32_t)place, OP_SET, handle);
            entry->changed = t->columns.events.n;
        }
        renew_item(t, entry, place, item, handle);
    }
    Py_DECREF(item);
    return handle < 0 ? -1 : 0;
}

/* ------------------------------------------------------------------ deque, bytearray, array */

enum { BLOCK_ITEMS = 64 };

typedef struct Block { /* Modules/_collectionsmodule.c; a test reads long deques */
    struct Block *left;
    PyObject *items[BLOCK_ITEMS];
    struct Block *right;
} Block;

typedef struct {
    PyObject_VAR_HEAD
    Block *left, *right;
    Py_ssize_t left_index, right_index;
    size_t state;
    Py_ssize_t longest; /* `maxlen`, -1: none */
} Deque;

/* `popleft`: the first one, or nothing; the rest stays where it is in memory. */
static int
first_gone(Tracer *t, Entry *entry, Py_ssize_t n)
{
    Shadow *s = &entry->content;
    if (n != s->n - 1) {
        return 0;
    }
    PyObject *old = s->value[0];
    int32_t handle = s->value_handle[0];
    Py_ssize_t same = 0; /* those that are equal to the next one are left alone, as sequence_update does */
    while (same < n && s->value_handle[same] == s->value_handle[same + 1]) {
        same++;
        t->n_compared++;
    }
    entry->changed = t->columns.events.n;
    change(t, P_ELEMENT, entry->number, -1, (int32_t)same, OP_DELETE, ABSENT);
    s->value++;
    s->value_handle++;
    s->n_lead++;
    s->cap--;
    s->n = n;
    shadow_release(t, s, old, handle);
    return 0;
}

/* After one `append`, `pop` or `popleft`. */
int
deque_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    Deque *deque = (Deque *)value;
    Py_ssize_t n = Py_SIZE(value);
    if (deque->longest >= 0) { /* an item at one end can push out one at the other */
        return content_update(t, entry, value);
    }
    if (place == PLACE_END && n == s->n + 1 && n > 1) {
        PyObject *last = deque->right->items[deque->right_index];
        return append_items(t, entry, &last, n);
    }
    if ((place == PLACE_FIRST || place == PLACE_LAST) && (n == s->n || n == s->n - 1)) {
        return place == PLACE_FIRST ? first_gone(t, entry, n) : last_gone(t, entry, n);
    }
    return content_update(t, entry, value);
}

int
deque_update(Tracer *t, Entry *entry, PyObject *value)
{
    Deque *deque = (Deque *)value;
    Py_ssize_t n = Py_SIZE(value), at = deque->left_index;
    PyObject **items = PyMem_RawMalloc((size_t)(n + 1) * sizeof(PyObject *));
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Block *block = deque->left;
    for (Py_ssize_t i = 0; i < n; i++) {
        items[i] = block->items[at++];
        if (at == BLOCK_ITEMS) {
            block = block->right;
            at = 0;
        }
    }
    int result = sequence_update(t, entry, items, n);
    PyMem_RawFree(items);
    return result;
}

static int
update_bytearray(Tracer *t, Entry *entry, const char *data, Py_ssize_t n)
{
    PyObject **items = PyMem_RawMalloc((size_t)(n + 1) * sizeof(PyObject *));
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        items[i] = TAGGED((unsigned char)data[i]);
    }
    int result = sequence_update(t, entry, items, n);
    PyMem_RawFree(items);
    return result;
}

static int
update_array(Tracer *t, Entry *entry, PyObject *value)
{
    PyObject *base = PyObject_GetAttrString(entry->shape->python, "base");
    PyObject *method = base == NULL ? NULL : PyObject_GetAttrString(base, "tolist");
    PyObject *list = method == NULL ? NULL : lent_call(method, value, NULL);
    Py_XDECREF(base);
    Py_XDECREF(method);
    int result = -1;
    if (list != NULL && PyList_CheckExact(list)) {
        result = sequence_update(t, entry, ((PyListObject *)list)->ob_item, PyList_GET_SIZE(list));
    }
    Py_XDECREF(list);
    return result;
}

/* The first place from `start` on where two texts of n bytes differ, and n if none does. */
static Py_ssize_t
first_other(const char *a, const char *b, Py_ssize_t start, Py_ssize_t n)
{
    enum { AT_ONCE = 256 };
    while (start + AT_ONCE <= n && memcmp(a + start, b + start, AT_ONCE) == 0) {
        start += AT_ONCE;
    }
    while (start < n && a[start] == b[start]) {
        start++;
    }
    return start;
}

/* A bytearray as long as it was: each byte that is another one. */
static int
renew_bytes(Tracer *t, Entry *entry, const char *now, Py_ssize_t n)
{
    entry->changed = t->columns.events.n;
    for (Py_ssize_t i = first_other(entry->bytes, now, 0, n); i < n; i = first_other(entry->bytes, now, i + 1, n)) {
        int32_t handle = values_int(t, (unsigned char)now[i]);
        if (handle < 0) {
            return -1;
        }
        change(t, P_ELEMENT, entry->number, -1, (int32_t)i, OP_SET, handle);
        renew_item(t, entry, i, TAGGED((unsigned char)now[i]), handle);
    }
    memcpy(entry->bytes, now, (size_t)n);
    return 0;
}

/* Compared as bytes; their numbers are made only where those differ. */
int
raw_update(Tracer *t, Entry *entry, PyObject *value)
{
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    int is_same = view.len == entry->n_bytes && entry->was_seen &&
                  (view.len == 0 || memcmp(view.buf, entry->bytes, (size_t)view.len) == 0);
    if (!is_same && entry->shape->content == C_BYTEARRAY && entry->was_seen && view.len == entry->n_bytes &&
        entry->content.n == view.len && !entry->content.n_cut) {
        int done = renew_bytes(t, entry, view.buf, view.len);
        PyBuffer_Release(&view);
        return done;
    }
    char *bytes = is_same || view.len == entry->n_bytes ? entry->bytes : grown(entry->bytes, view.len + 1, 1);
    if (!is_same && view.len) {
        if (bytes == NULL && (bytes = grown(NULL, view.len + 1, 1)) == NULL) {
            PyBuffer_Release(&view);
            PyErr_NoMemory();
            return -1;
        }
        memcpy(bytes, view.buf, (size_t)view.len);
    }
    entry->bytes = bytes;
    entry->n_bytes = view.len;
    PyBuffer_Release(&view);
    if (is_same) {
        return 0;
    }
    return entry->shape->content == C_BYTEARRAY ? update_bytearray(t, entry, entry->bytes, entry->n_bytes)
                                                : update_array(t, entry, value);
}
