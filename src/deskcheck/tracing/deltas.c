/* Write the difference between a container as it was and as it is; the rules are those of deltas.py.
 *
 *   content_update(t, entry, value)       ELEMENT, KEY or MEMBER changes; the shadow is then what it is now
 *
 * An unchanged container costs a comparison of its addresses. A changed one is copied first, its items held,
 * because giving a new object its number may run Python code of ours.
 */
#include "core.h"

/* ------------------------------------------------------------------ sequences */

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

/* A list that has only grown: what is new at its end. */
static int
append_items(Tracer *t, Entry *entry, PyObject **items, Py_ssize_t n)
{
    Shadow *s = &entry->content;
    Py_ssize_t start = s->n;
    int result = scratch_room(t, n - start) < 0 || shadow_resize(t, s, n, 0) < 0 ? -1 : 0;
    entry->changed = t->columns.events.n;
    for (Py_ssize_t i = start; result == 0 && i < n; i++) {
        t->heap.scratch[i - start] = Py_NewRef(items[i]);
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

static int
update_sequence(Tracer *t, Entry *entry, PyObject **items, Py_ssize_t n)
{
    Shadow *s = &entry->content;
    Py_ssize_t start = 0, shorter = n < s->n ? n : s->n;
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
} Deque;

static int
update_deque(Tracer *t, Entry *entry, PyObject *value)
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
    int result = update_sequence(t, entry, items, n);
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
    int result = update_sequence(t, entry, items, n);
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
        result = update_sequence(t, entry, ((PyListObject *)list)->ob_item, PyList_GET_SIZE(list));
    }
    Py_XDECREF(list);
    return result;
}

/* Compared as bytes; their numbers are made only where those differ. */
static int
update_raw(Tracer *t, Entry *entry, PyObject *value)
{
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    int is_same = view.len == entry->n_bytes && entry->was_seen &&
                  (view.len == 0 || memcmp(view.buf, entry->bytes, (size_t)view.len) == 0);
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

/* ------------------------------------------------------------------ dictionaries */

static int
same_dict(Shadow *s, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t at = 0, i = 0;
    if (PyDict_GET_SIZE(dict) != s->n) {
        return 0;
    }
    for (; PyDict_Next(dict, &at, &key, &value); i++) {
        if (i >= s->n || s->key[i] != key || s->value[i] != value) {
            return 0;
        }
    }
    return i == s->n;
}

/* The items into the scratch arrays, key and value in turn, with their handles. */
static int
dict_handles(Tracer *t, Shadow *s, Py_ssize_t n)
{
    PyObject **items = t->heap.scratch;
    int32_t *h = t->heap.handles;
    for (Py_ssize_t i = 0; i < n; i++) {
        int known = i < s->n && s->key[i] == items[2 * i];
        h[2 * i] = known ? s->key_handle[i] : heap_handle(t, items[2 * i]);
        h[2 * i + 1] = h[2 * i] < 0                                     ? FAILED
                       : known && s->value[i] == items[2 * i + 1] ? s->value_handle[i]
                                                                  : heap_handle(t, items[2 * i + 1]);
        if (h[2 * i + 1] < 0) {
            return -1;
        }
    }
    return 0;
}

/* Two keys can share a row (two NaNs, two texts that were cut): the later value stands, at the first place. */
static Py_ssize_t
merge_keys(Tracer *t, Py_ssize_t n)
{
    int32_t serial = new_serial(t), *h = t->heap.handles;
    PyObject **items = t->heap.scratch;
    Py_ssize_t n_kept = 0;
    for (Py_ssize_t i = 0; serial > 0 && i < n; i++) {
        Py_ssize_t to = n_kept;
        if (t->heap.stamps[h[2 * i]] == serial) {
            for (to = 0; h[2 * to] != h[2 * i]; to++) {
            }
        }
        else {
            t->heap.stamps[h[2 * i]] = serial;
            n_kept++;
        }
        if (to != i) { /* swapped, so that every held item is still there to be let go */
            PyObject *key = items[2 * to], *value = items[2 * to + 1];
            items[2 * to] = items[2 * i], items[2 * to + 1] = items[2 * i + 1];
            items[2 * i] = key, items[2 * i + 1] = value;
            h[2 * to] = h[2 * i], h[2 * to + 1] = h[2 * i + 1];
        }
    }
    return serial > 0 ? n_kept : -1;
}

static int
write_dict(Tracer *t, Entry *entry, Py_ssize_t n)
{
    Shadow *s = &entry->content, now;
    int32_t *h = t->heap.handles;
    Py_ssize_t kept = 0;
    memset(&now, 0, sizeof(now));
    if (dict_handles(t, s, n) < 0 || (n = merge_keys(t, n)) < 0 || shadow_resize(t, &now, n ? n : 1, 1) < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < s->n; i++) {
        if (kept < n && h[2 * kept] == s->key_handle[i]) {
            now.value_handle[kept++] = s->value_handle[i]; /* what it was */
        }
        else {
            change(t, P_KEY, entry->number, s->key_handle[i], -1, OP_DELETE, ABSENT);
        }
    }
    entry->has_plain_keys = 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        entry->has_plain_keys &= t->columns.values.kind[h[2 * i]] != V_REF;
        if (i >= kept || now.value_handle[i] != h[2 * i + 1]) {
            change(t, P_KEY, entry->number, h[2 * i], -1, OP_SET, h[2 * i + 1]);
        }
        now.key_handle[i] = h[2 * i];
        now.value_handle[i] = h[2 * i + 1];
        now.key[i] = shadow_hold(t, entry, &now, i, t->heap.scratch[2 * i], h[2 * i]);
        now.value[i] = shadow_hold(t, entry, &now, i, t->heap.scratch[2 * i + 1], h[2 * i + 1]);
        now.n = i + 1;
    }
    Shadow old = *s;
    *s = now;
    shadow_clear(t, &old);
    return 0;
}

static int write_entry(Tracer *t, Entry *entry, Py_ssize_t i, PyObject *key, PyObject *value);

/* 1: the keys are those of before, a few values are not, and they are written; 0: nothing done. */
static int
update_values(Tracer *t, Entry *entry, PyObject *dict)
{
    enum { FEW = 8 };
    Shadow *s = &entry->content;
    PyObject *key, *value, *found[FEW][2];
    Py_ssize_t at = 0, i = 0, places[FEW];
    int n_found = 0;
    if (PyDict_GET_SIZE(dict) != s->n || s->n_cut) {
        return 0;
    }
    for (; PyDict_Next(dict, &at, &key, &value); i++) {
        if (i >= s->n || s->key[i] != key || (s->value[i] != value && n_found == FEW)) {
            return 0;
        }
        if (s->value[i] != value) {
            found[n_found][0] = key;
            found[n_found][1] = value;
            places[n_found++] = i;
        }
    }
    for (int k = 0; k < n_found; k++) {
        Py_INCREF(found[k][0]);
        Py_INCREF(found[k][1]);
    }
    int result = 1;
    for (int k = 0; k < n_found; k++) {
        if (result > 0 && write_entry(t, entry, places[k], found[k][0], found[k][1]) < 0) {
            result = -1;
        }
    }
    for (int k = 0; k < n_found; k++) {
        Py_DECREF(found[k][0]);
        Py_DECREF(found[k][1]);
    }
    return result;
}

static int
update_dict(Tracer *t, Entry *entry, PyObject *dict)
{
    if (same_dict(&entry->content, dict)) {
        return 0;
    }
    int done = update_values(t, entry, dict);
    if (done) {
        return done < 0 ? -1 : 0;
    }
    entry->changed = t->columns.events.n;
    Py_ssize_t n = PyDict_GET_SIZE(dict), at = 0, i = 0;
    if (scratch_room(t, 2 * n) < 0) {
        return -1;
    }
    PyObject *key, *value;
    while (i < n && PyDict_Next(dict, &at, &key, &value)) {
        t->heap.scratch[2 * i] = Py_NewRef(key);
        t->heap.scratch[2 * i + 1] = Py_NewRef(value);
        i++;
    }
    int result = write_dict(t, entry, i);
    for (Py_ssize_t j = 0; j < 2 * i; j++) {
        Py_DECREF(t->heap.scratch[j]);
    }
    return result;
}

/* ------------------------------------------------------------------ sets */

static int
same_set(Shadow *s, PyObject *set)
{
    PyObject *member;
    Py_hash_t hash;
    Py_ssize_t at = 0, i = 0;
    if (PySet_GET_SIZE(set) != s->n) {
        return 0;
    }
    for (; _PySet_NextEntry(set, &at, &member, &hash); i++) {
        if (i >= s->n || s->value[i] != member) {
            return 0;
        }
    }
    return i == s->n;
}

/* Where a member's address stands in the shadow: a table of places + 1, made for this change. */
static int32_t *
places_of(Shadow *s, size_t *mask)
{
    size_t size = 16;
    while (size < (size_t)s->n * 2 + 2) {
        size *= 2;
    }
    int32_t *places = PyMem_RawCalloc(size, sizeof(int32_t));
    *mask = size - 1;
    for (Py_ssize_t i = 0; places != NULL && i < s->n; i++) {
        size_t at = address_hash(s->value[i]) & *mask;
        while (places[at]) {
            at = (at + 1) & *mask;
        }
        places[at] = (int32_t)i + 1;
    }
    return places;
}

static int
compare_handles(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Handles of the members: known ones by address, the others in canonical order. `added` gets those others. */
static PyObject *
set_handles(Tracer *t, Shadow *s, Py_ssize_t n)
{
    size_t mask;
    int32_t *places = places_of(s, &mask), *h = t->heap.handles;
    PyObject *others = places == NULL ? PyErr_NoMemory() : PyList_New(0);
    for (Py_ssize_t i = 0; others != NULL && i < n; i++) {
        PyObject *member = t->heap.scratch[i];
        size_t at = address_hash(member) & mask;
        while (places[at] && s->value[places[at] - 1] != member) {
            at = (at + 1) & mask;
        }
        h[i] = places[at] ? s->value_handle[places[at] - 1] : ABSENT;
        if (!places[at] && PyList_Append(others, member) < 0) {
            Py_CLEAR(others);
        }
    }
    PyMem_RawFree(places);
    if (others != NULL && PyList_GET_SIZE(others) > 1) {
        PyObject *order = PyObject_GetAttrString(t->helpers, "in_order");
        PyObject *sorted = order == NULL ? NULL : lent_call(order, others, NULL);
        Py_XDECREF(order);
        Py_SETREF(others, sorted);
    }
    return others;
}

static int
write_members(Tracer *t, Entry *entry, PyObject *others, Py_ssize_t n)
{
    Shadow *s = &entry->content, now;
    int32_t *h = t->heap.handles, serial;
    Py_ssize_t n_others = PyList_GET_SIZE(others);
    int32_t *added = PyMem_RawMalloc((size_t)(n_others + s->n + 1) * sizeof(int32_t)), *gone = added + n_others;
    Py_ssize_t n_gone = 0;
    memset(&now, 0, sizeof(now));
    if (added == NULL || shadow_resize(t, &now, n ? n : 1, 0) < 0) {
        PyMem_RawFree(added);
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n_others; i++) {
        if ((added[i] = heap_handle(t, PyList_GET_ITEM(others, i))) < 0) {
            goto failed;
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) { /* now every member has one */
        if (h[i] < 0 && (h[i] = heap_handle(t, t->heap.scratch[i])) < 0) {
            goto failed;
        }
    }
    if ((serial = new_serial(t)) < 0) {
        goto failed;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        t->heap.stamps[h[i]] = serial;
    }
    for (Py_ssize_t i = 0; i < s->n; i++) {
        if (t->heap.stamps[s->value_handle[i]] != serial) {
            t->heap.stamps[s->value_handle[i]] = serial;
            gone[n_gone++] = s->value_handle[i];
        }
    }
    qsort(gone, (size_t)n_gone, sizeof(int32_t), compare_handles);
    for (Py_ssize_t i = 0; i < n_gone; i++) {
        change(t, P_MEMBER, entry->number, gone[i], -1, OP_DELETE, ABSENT);
    }
    serial = new_serial(t);
    for (Py_ssize_t i = 0; serial > 0 && i < s->n; i++) {
        t->heap.stamps[s->value_handle[i]] = serial;
    }
    for (Py_ssize_t i = 0; serial > 0 && i < n_others; i++) {
        if (t->heap.stamps[added[i]] != serial) {
            t->heap.stamps[added[i]] = serial;
            change(t, P_MEMBER, entry->number, added[i], -1, OP_SET, added[i]);
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        now.value_handle[i] = h[i];
        now.value[i] = shadow_hold(t, entry, &now, i, t->heap.scratch[i], h[i]);
        now.n = i + 1;
    }
    Shadow old = *s;
    *s = now;
    shadow_clear(t, &old);
    PyMem_RawFree(added);
    return serial > 0 ? 0 : -1;

failed:
    PyMem_RawFree(added);
    shadow_clear(t, &now);
    return -1;
}

/* 1: one member more, at its place among the others, and it is written; 0: nothing done. */
static int
insert_member(Tracer *t, Entry *entry, PyObject *set)
{
    Shadow *s = &entry->content;
    PyObject *member, *found = NULL;
    Py_hash_t hash;
    Py_ssize_t at = 0, i = 0, place = 0;
    if (PySet_GET_SIZE(set) != s->n + 1 || s->n == 0 || s->n_cut) {
        return 0;
    }
    while (_PySet_NextEntry(set, &at, &member, &hash)) {
        if (i < s->n && s->value[i] == member) {
            i++;
        }
        else if (found == NULL) {
            found = member;
            place = i;
        }
        else {
            return 0;
        }
    }
    if (found == NULL || i != s->n) {
        return 0;
    }
    Py_INCREF(found);
    int32_t handle = heap_handle(t, found), kind = handle < 0 ? 0 : t->columns.values.kind[handle];
    int result = handle < 0 || shadow_resize(t, s, s->n + 1, 0) < 0 ? -1 : kind == V_REF || kind == V_INT || kind == V_STR;
    if (result > 0) {
        size_t rest = (size_t)(s->n - place);
        memmove(s->value + place + 1, s->value + place, rest * sizeof(PyObject *));
        memmove(s->value_handle + place + 1, s->value_handle + place, rest * sizeof(int32_t));
        change(t, P_MEMBER, entry->number, handle, -1, OP_SET, handle);
        s->n++;
        s->value[place] = shadow_hold(t, entry, s, place, found, handle);
        s->value_handle[place] = handle;
        entry->changed = t->columns.events.n;
    }
    Py_DECREF(found);
    return result;
}

static int
update_set(Tracer *t, Entry *entry, PyObject *set)
{
    if (same_set(&entry->content, set)) {
        return 0;
    }
    int done = insert_member(t, entry, set);
    if (done) {
        return done < 0 ? -1 : 0;
    }
    PyObject *member;
    Py_hash_t hash;
    Py_ssize_t n = PySet_GET_SIZE(set), at = 0, i = 0;
    entry->changed = t->columns.events.n;
    if (scratch_room(t, n) < 0) {
        return -1;
    }
    while (i < n && _PySet_NextEntry(set, &at, &member, &hash)) {
        t->heap.scratch[i++] = Py_NewRef(member);
    }
    PyObject *others = set_handles(t, &entry->content, i);
    int result = others == NULL ? -1 : write_members(t, entry, others, i);
    Py_XDECREF(others);
    for (Py_ssize_t j = 0; j < i; j++) {
        Py_DECREF(t->heap.scratch[j]);
    }
    return result;
}

/* ------------------------------------------------------------------ one place */

/* The value at one place of a dictionary, or the entry at its end. */
static int
write_entry(Tracer *t, Entry *entry, Py_ssize_t i, PyObject *key, PyObject *value)
{
    Shadow *s = &entry->content;
    int is_new = i == s->n;
    Py_INCREF(key);
    Py_INCREF(value);
    int32_t key_handle = is_new ? heap_handle(t, key) : s->key_handle[i];
    int32_t handle = key_handle < 0 ? FAILED : heap_handle(t, value);
    int result = handle < 0 || (is_new && shadow_resize(t, s, i + 1, 1) < 0) ? -1 : 0;
    if (result == 0 && (is_new || handle != s->value_handle[i])) {
        change(t, P_KEY, entry->number, key_handle, -1, OP_SET, handle);
    }
    if (result == 0 && is_new) {
        entry->has_plain_keys &= t->columns.values.kind[key_handle] != V_REF;
        s->key[i] = shadow_hold(t, entry, s, i, key, key_handle);
        s->key_handle[i] = key_handle;
    }
    if (result == 0) {
        PyObject *old = is_new ? DEAD_ADDRESS : s->value[i];
        int32_t before = is_new ? handle : s->value_handle[i];
        s->value[i] = shadow_hold(t, entry, s, i, value, handle);
        s->value_handle[i] = handle;
        s->n = is_new ? i + 1 : s->n;
        shadow_release(t, s, old, before);
    }
    entry->changed = t->columns.events.n;
    Py_DECREF(key);
    Py_DECREF(value);
    return result;
}

/* One store: a new entry at the end, or the value at `place`. Without gaps in its table the entries are those
 * of the shadow, in order. */
static int
update_dict_at(Tracer *t, Entry *entry, PyObject *object, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    PyDictObject *dict = (PyDictObject *)object;
    PyDictKeysObject *table = dict->ma_keys;
    Py_ssize_t n = dict->ma_used;
    int is_known = dict->ma_values == NULL && table->dk_nentries == n && s->n > 0 && (place >= 0 || place == PLACE_ONE);
    if (!is_known || (n != s->n && n != s->n + 1) || (n == s->n && (place < 0 || place >= n))) {
        return content_update(t, entry, object);
    }
    Py_ssize_t at = n == s->n ? place : n - 1;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    PyObject *key = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_key : DK_ENTRIES(table)[at].me_key;
    PyObject *value = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_value : DK_ENTRIES(table)[at].me_value;
    if (n == s->n && s->key[at] != key) {
        return content_update(t, entry, object);
    }
    return n == s->n && s->value[at] == value ? 0 : write_entry(t, entry, at, key, value);
}

/* set.add(): nothing, or one more. */
static int
add_member(Tracer *t, Entry *entry, PyObject *set, PyObject *member)
{
    Shadow *s = &entry->content;
    Py_ssize_t n = PySet_GET_SIZE(set);
    if (n == s->n) {
        return 0;
    }
    if (n != s->n + 1 || s->n == 0) {
        return content_update(t, entry, set);
    }
    Py_INCREF(member);
    int32_t handle = heap_handle(t, member);
    int result = handle < 0 || shadow_resize(t, s, n, 0) < 0 ? -1 : 0;
    if (result == 0 && t->columns.values.kind[handle] != V_REF && t->columns.values.kind[handle] != V_INT &&
        t->columns.values.kind[handle] != V_STR) { /* NaNs and cut texts share a row: the slow way knows */
        Py_DECREF(member);
        return content_update(t, entry, set);
    }
    if (result == 0) {
        change(t, P_MEMBER, entry->number, handle, -1, OP_SET, handle);
        s->value[s->n] = shadow_hold(t, entry, s, s->n, member, handle);
        s->value_handle[s->n++] = handle;
        entry->changed = t->columns.events.n;
    }
    Py_DECREF(member);
    return result;
}

/* Only one place of a list can have changed, or (place -2) its end. */
int
content_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    if (entry->shape->content == C_DICT && !s->n_cut) {
        return update_dict_at(t, entry, value, place);
    }
    if (entry->shape->content == C_SET && place <= PLACE_MEMBER && !s->n_cut) {
        return add_member(t, entry, value, t->heap.members[PLACE_MEMBER - place]);
    }
    if (entry->shape->content != C_LIST || s->n_cut || place == PLACE_ONE) {
        return content_update(t, entry, value);
    }
    PyObject **items = ((PyListObject *)value)->ob_item;
    Py_ssize_t n = Py_SIZE(value);
    if (place == -2) {
        return n < s->n ? content_update(t, entry, value) : n == s->n ? 0 : append_items(t, entry, items, n);
    }
    if (n != s->n || place >= n) {
        return content_update(t, entry, value);
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

/* ------------------------------------------------------------------ any */

int
content_update(Tracer *t, Entry *entry, PyObject *value)
{
    switch (entry->shape->content) {
    case C_LIST: return update_sequence(t, entry, ((PyListObject *)value)->ob_item, Py_SIZE(value));
    case C_TUPLE: return update_sequence(t, entry, ((PyTupleObject *)value)->ob_item, Py_SIZE(value));
    case C_DICT: return update_dict(t, entry, value);
    case C_SET: return update_set(t, entry, value);
    case C_DEQUE: return update_deque(t, entry, value);
    default: return update_raw(t, entry, value);
    }
}
