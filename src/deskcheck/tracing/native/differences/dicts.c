/* Dictionaries: the difference between the entries that were there and those that are there now, in order.
 *
 *   dict_update(t, entry, dict)               KEY changes
 *   dict_update_at(t, entry, dict, place)     after one store: a new entry at the end, the value at a place, or one entry less
 */
#include "differences.h"

/* ------------------------------------------------------------------ OrderedDict */

/* Its order lies in a list of its own: move_to_end() changes that and leaves the dictionary below as it is. No key is
 * hashed or compared, since that can run code of the program: a key is known by its address.
 */

/* As in Objects/odictobject.c, the same from CPython 3.11 to 3.13; `layout_is_known` compares the size of all. */
typedef struct Link {
    PyObject *key;
    Py_hash_t hash;
    struct Link *next, *previous;
} Link;

typedef struct {
    PyDictObject dict;
    Link *first, *last;
    void *unread[6];
} OrderedDict;

static int
layout_is_known(PyObject *dict)
{
    return PyODict_Check(dict) && PyODict_Type.tp_basicsize == (Py_ssize_t)sizeof(OrderedDict);
}

/* Whether the order is another than that of the table: 0 for all but an OrderedDict. */
static int
ordered_is_moved(PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!layout_is_known(dict)) {
        return 0;
    }
    const Link *link = ((OrderedDict *)dict)->first;
    for (; PyDict_Next(dict, &at, &key, &value); link = link->next) {
        if (link == NULL || link->key != key) {
            return 1;
        }
    }
    return 0;
}

/* The `n` keys and values in the order of such a dictionary, borrowed. 1; 0 if it cannot be told. */
static int
ordered_items(PyObject *object, PyObject **items, Py_ssize_t n)
{
    PyDictObject *dict = (PyDictObject *)object;
    PyDictKeysObject *table = dict->ma_keys;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    Py_ssize_t n_items = 0;
    for (const Link *link = ((OrderedDict *)object)->first; link != NULL && n_items < n; link = link->next) {
        Py_ssize_t place = dict_place_of(dict, link->key, link->hash);
        PyObject *value = place < 0    ? NULL
                          : is_unicode ? DK_UNICODE_ENTRIES(table)[place].me_value
                                       : DK_ENTRIES(table)[place].me_value;
        if (value == NULL) {
            return 0;
        }
        items[2 * n_items] = link->key;
        items[2 * n_items++ + 1] = value;
    }
    return n_items == n;
}

/* ------------------------------------------------------------------ all dictionaries */

static Py_ssize_t
after_holes(const Shadow *s, Py_ssize_t i)
{
    while (s->n_holes && i < s->n && s->value[i] == HOLE_ADDRESS) {
        i++;
    }
    return i;
}

static int
same_dict(Shadow *s, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t at = 0, i = 0;
    if (PyDict_GET_SIZE(dict) != s->n - s->n_holes) {
        return 0;
    }
    for (; PyDict_Next(dict, &at, &key, &value); i++) {
        i = after_holes(s, i);
        if (i >= s->n || s->key[i] != key || s->value[i] != value) {
            return 0;
        }
    }
    return after_holes(s, i) == s->n;
}

/* Where an object stands in a shadow is remembered with it. */
static void
note_place(Tracer *t, Entry *holder, int32_t handle, Py_ssize_t from, Py_ssize_t to)
{
    Entry *entry = t->columns.values.kind[handle] == V_REF ? t->heap.by_number[t->columns.values.number[handle]] : NULL;
    if (entry != NULL && entry->parent == holder->number && entry->place == from) {
        entry->place = (int32_t)to;
    }
}

static void
move_entry(Tracer *t, Entry *holder, Py_ssize_t from, Py_ssize_t to)
{
    Shadow *s = &holder->content;
    s->key[to] = s->key[from];
    s->value[to] = s->value[from];
    s->key_handle[to] = s->key_handle[from];
    s->value_handle[to] = s->value_handle[from];
    if (from != to) {
        note_place(t, holder, s->key_handle[to], from, to);
        note_place(t, holder, s->value_handle[to], from, to);
    }
}

/* Leave the holes out. */
static void
close_holes(Tracer *t, Entry *entry)
{
    Shadow *s = &entry->content;
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; s->n_holes && i < s->n; i++) {
        if (s->value[i] != HOLE_ADDRESS) {
            move_entry(t, entry, i, n++);
        }
    }
    s->n = s->n_holes ? n : s->n;
    s->n_holes = 0;
}

/* Put holes where the dictionary's own table has them, so that an entry has the same place in both. */
static int
open_holes(Tracer *t, Entry *entry, PyDictObject *dict)
{
    Shadow *s = &entry->content;
    PyDictKeysObject *table = dict->ma_keys;
    Py_ssize_t n = table->dk_nentries, from = s->n;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    if (dict->ma_values != NULL || s->n_holes || s->n_cut || n <= s->n || dict->ma_used != s->n) {
        return 0;
    }
    if (shadow_resize(t, s, n, 1) < 0) {
        return -1;
    }
    s->n_holes = n - s->n;
    s->n = n;
    for (Py_ssize_t at = n - 1; at >= 0; at--) {
        PyObject *value = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_value : DK_ENTRIES(table)[at].me_value;
        int is_hole = value == NULL || from == 0;
        if (!is_hole) {
            move_entry(t, entry, --from, at);
            continue;
        }
        s->key[at] = s->value[at] = HOLE_ADDRESS;
        s->key_handle[at] = s->value_handle[at] = 0;
    }
    return 0;
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
    for (Py_ssize_t i = 0; i < n; i++) {
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
    if (PyDict_GET_SIZE(dict) != s->n - s->n_holes || s->n_cut) {
        return 0;
    }
    for (; PyDict_Next(dict, &at, &key, &value); i++) {
        i = after_holes(s, i);
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
write_items(Tracer *t, Entry *entry, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < 2 * n; i++) {
        Py_INCREF(t->heap.scratch[i]);
    }
    int result = write_dict(t, entry, n);
    for (Py_ssize_t i = 0; i < 2 * n; i++) {
        Py_DECREF(t->heap.scratch[i]);
    }
    return result;
}

/* 1: the entries are in another order than in the dictionary's table, and what changed is written; 0: nothing done. */
static int
update_moved(Tracer *t, Entry *entry, PyObject *dict)
{
    Shadow *s = &entry->content;
    Py_ssize_t n = PyDict_GET_SIZE(dict);
    close_holes(t, entry);
    int result = scratch_room(t, 2 * n) < 0 ? -1 : ordered_items(dict, t->heap.scratch, n);
    t->n_compared += n;
    if (result <= 0) {
        return result;
    }
    int is_same = n == s->n;
    for (Py_ssize_t i = 0; is_same && i < n; i++) {
        is_same = s->key[i] == t->heap.scratch[2 * i] && s->value[i] == t->heap.scratch[2 * i + 1];
    }
    if (is_same) {
        return 1;
    }
    entry->changed = t->columns.events.n;
    return write_items(t, entry, n) < 0 ? -1 : 1;
}

int
dict_update(Tracer *t, Entry *entry, PyObject *dict)
{
    int is_done = !PyDict_CheckExact(dict) && ordered_is_moved(dict) ? update_moved(t, entry, dict) : 0;
    if (is_done) {
        return is_done < 0 ? -1 : 0;
    }
    if (same_dict(&entry->content, dict)) {
        return 0;
    }
    int done = update_values(t, entry, dict);
    if (done) {
        return done < 0 ? -1 : 0;
    }
    entry->changed = t->columns.events.n;
    close_holes(t, entry);
    Py_ssize_t n = PyDict_GET_SIZE(dict), at = 0, i = 0;
    if (scratch_room(t, 2 * n) < 0) {
        return -1;
    }
    PyObject *key, *value;
    while (i < n && PyDict_Next(dict, &at, &key, &value)) {
        t->heap.scratch[2 * i] = key;
        t->heap.scratch[2 * i + 1] = value;
        i++;
    }
    return write_items(t, entry, i) < 0 ? -1 : open_holes(t, entry, (PyDictObject *)dict);
}

/* The entry at this place has been taken out. */
static void
write_taken(Tracer *t, Entry *entry, Py_ssize_t at)
{
    Shadow *s = &entry->content;
    PyObject *key = s->key[at], *value = s->value[at];
    int32_t key_handle = s->key_handle[at], handle = s->value_handle[at];
    change(t, P_KEY, entry->number, key_handle, -1, OP_DELETE, ABSENT);
    entry->changed = t->columns.events.n;
    s->key[at] = s->value[at] = HOLE_ADDRESS;
    s->key_handle[at] = s->value_handle[at] = 0;
    s->n_holes++;
    shadow_release(t, s, key, key_handle);
    shadow_release(t, s, value, handle);
}

/* One store: a new entry at the end, or the value at `place`; or one entry less. While the shadow has its holes where the
 * dictionary's table has them, an entry has the same place in both. */
int
dict_update_at(Tracer *t, Entry *entry, PyObject *object, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    PyDictObject *dict = (PyDictObject *)object;
    PyDictKeysObject *table = dict->ma_keys;
    Py_ssize_t n = table->dk_nentries, used = dict->ma_used;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    if (s->n_holes && n == used) { /* it has made itself a new table, without holes */
        t->n_compared += s->n / 8;
        close_holes(t, entry);
    }
    Py_ssize_t known = s->n - s->n_holes, at = n == s->n ? place : n - 1;
    int is_known = dict->ma_values == NULL && s->n > 0 && (n == s->n || n == s->n + 1);
    if (is_known && place <= PLACE_GONE) {
        at = PLACE_GONE - place - 1;
        if (n == s->n && used == known) {
            return 0;
        }
        if (PyDict_CheckExact(object) && n == s->n && used == known - 1 && at >= 0 && at < n && s->value[at] != HOLE_ADDRESS &&
            (is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_value : DK_ENTRIES(table)[at].me_value) == NULL) {
            write_taken(t, entry, at);
            return 0;
        }
        return content_update(t, entry, object);
    }
    if (is_known && place == PLACE_NEW && n == s->n && used == known) {
        return 0;
    }
    is_known &= place >= 0 || place == PLACE_ONE || place == PLACE_NEW;
    if (!is_known || used != known + (n - s->n) || (n == s->n && (place < 0 || place >= n))) {
        return content_update(t, entry, object);
    }
    PyObject *key = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_key : DK_ENTRIES(table)[at].me_key;
    PyObject *value = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_value : DK_ENTRIES(table)[at].me_value;
    if (value == NULL || (n == s->n && s->key[at] != key)) {
        return content_update(t, entry, object);
    }
    return n == s->n && s->value[at] == value ? 0 : write_entry(t, entry, at, key, value);
}
