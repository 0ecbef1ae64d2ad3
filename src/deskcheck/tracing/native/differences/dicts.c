/* Dictionaries: the difference between the entries that were there and those that are there now, in order.
 *
 *   dict_update(t, entry, dict)               KEY changes
 *   dict_update_at(t, entry, dict, place)     after one store: a new entry at the end, or the value at a place
 */
#include "differences.h"

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
    now.is_sure = s->is_sure;
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

int
dict_update(Tracer *t, Entry *entry, PyObject *dict)
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

/* One store: a new entry at the end, or the value at `place`. Without gaps in its table the entries are those
 * of the shadow, in order. */
int
dict_update_at(Tracer *t, Entry *entry, PyObject *object, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    PyDictObject *dict = (PyDictObject *)object;
    PyDictKeysObject *table = dict->ma_keys;
    Py_ssize_t n = dict->ma_used;
    int is_known = dict->ma_values == NULL && table->dk_nentries == n && s->n > 0 && (place >= 0 || place == PLACE_ONE);
    if (!is_known || (n != s->n && n != s->n + 1) || (n == s->n && (place < 0 || place >= n))) {
        return dict_update(t, entry, object);
    }
    Py_ssize_t at = n == s->n ? place : n - 1;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    PyObject *key = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_key : DK_ENTRIES(table)[at].me_key;
    PyObject *value = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_value : DK_ENTRIES(table)[at].me_value;
    if (n == s->n && s->key[at] != key) {
        return dict_update(t, entry, object);
    }
    return n == s->n && s->value[at] == value ? 0 : write_entry(t, entry, at, key, value);
}
