/* Sets: the members that came and those that went; the rules of order are those of deltas.py.
 *
 *   set_update(t, entry, set)             MEMBER changes
 *   set_add(t, entry, set, member)        after set.add(): nothing, or one more
 *   set_foresee(entry, set, key)          before discard() or remove(): PLACE_GONE less 1 + the member's place
 *   set_take(t, entry, set, place)        after it: nothing, or one less
 */
#include "differences.h"

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
    now.is_sure = s->is_sure;
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
    qsort(gone, (size_t)n_gone, sizeof(int32_t), compare_int32);
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

static size_t
place_slot(const Entry *entry, PyObject *member)
{
    size_t at = address_hash(member) & entry->place_mask;
    while (entry->places[at] && (entry->places[at] > entry->content.n || entry->content.value[entry->places[at] - 1] != member)) {
        at = (at + 1) & entry->place_mask;
    }
    return at;
}

/* The table of places, where there is one, learns of a new member. */
static void
put_place(Entry *entry, Py_ssize_t place)
{
    if (entry->places == NULL) {
        return;
    }
    if ((size_t)++entry->n_places * 4 > entry->place_mask * 3) { /* made anew when it is asked for */
        PyMem_RawFree(entry->places);
        entry->places = NULL;
        return;
    }
    entry->places[place_slot(entry, entry->content.value[place])] = (int32_t)place + 1;
}

/* The last member stands at another place now. Slots of members that are gone lead nowhere. */
static void
set_moved(Tracer *t, Entry *entry, Py_ssize_t from, Py_ssize_t to)
{
    PyObject *member = entry->content.value[to];
    size_t at = address_hash(member) & entry->place_mask;
    while (entry->places[at] && entry->places[at] != (int32_t)from + 1) {
        at = (at + 1) & entry->place_mask;
    }
    entry->places[at] = entry->places[at] ? (int32_t)to + 1 : 0;
    Entry *known = member == DEAD_ADDRESS ? NULL : heap_find(t, member);
    if (known != NULL && known->parent == entry->number && known->place == from) {
        known->place = (int32_t)to;
    }
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

int
set_update(Tracer *t, Entry *entry, PyObject *set)
{
    if (same_set(&entry->content, set)) {
        return 0;
    }
    PyMem_RawFree(entry->places);
    entry->places = NULL;
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

/* set.add(): nothing, or one more. */
int
set_add(Tracer *t, Entry *entry, PyObject *set, PyObject *member)
{
    Shadow *s = &entry->content;
    Py_ssize_t n = PySet_GET_SIZE(set);
    if (n == s->n) {
        return 0;
    }
    if (n != s->n + 1 || s->n == 0) {
        return set_update(t, entry, set);
    }
    Py_INCREF(member);
    int32_t handle = heap_handle(t, member);
    int result = handle < 0 || shadow_resize(t, s, n, 0) < 0 ? -1 : 0;
    if (result == 0 && t->columns.values.kind[handle] != V_REF && t->columns.values.kind[handle] != V_INT &&
        t->columns.values.kind[handle] != V_STR) { /* NaNs and cut texts share a row: the slow way knows */
        Py_DECREF(member);
        return set_update(t, entry, set);
    }
    if (result == 0) {
        change(t, P_MEMBER, entry->number, handle, -1, OP_SET, handle);
        s->value[s->n] = shadow_hold(t, entry, s, s->n, member, handle);
        s->value_handle[s->n++] = handle;
        entry->changed = t->columns.events.n;
        put_place(entry, s->n - 1);
    }
    Py_DECREF(member);
    return result;
}

/* Where its member that is the same as this key stands in the shadow. */
Py_ssize_t
set_foresee(Entry *entry, PyObject *set, PyObject *key)
{
    Shadow *s = &entry->content;
    PyObject *member = set_member((PySetObject *)set, key);
    if (member == NULL) {
        return PLACE_GONE;
    }
    if (entry->places == NULL) {
        if ((entry->places = places_of(s, &entry->place_mask)) == NULL) {
            return PLACE_ALL;
        }
        entry->n_places = s->n;
    }
    size_t at = place_slot(entry, member);
    return entry->places[at] ? PLACE_GONE - entry->places[at] : PLACE_ALL;
}

/* set.discard(), set.remove(): nothing, or the member at this place. */
int
set_take(Tracer *t, Entry *entry, PyObject *set, Py_ssize_t place)
{
    Shadow *s = &entry->content;
    Py_ssize_t n = PySet_GET_SIZE(set), last = s->n - 1;
    if (n == s->n) {
        return 0;
    }
    PyObject *member = n == last && place >= 0 && place < s->n ? s->value[place] : NULL;
    if (member == NULL || entry->places == NULL || (member != DEAD_ADDRESS && (!is_plain_key(member) || set_member((PySetObject *)set, member) != NULL))) {
        return content_update(t, entry, set);
    }
    int32_t handle = s->value_handle[place];
    change(t, P_MEMBER, entry->number, handle, -1, OP_DELETE, ABSENT);
    entry->changed = t->columns.events.n;
    if (place != last) { /* the order of a shadow's members says nothing */
        s->value[place] = s->value[last];
        s->value_handle[place] = s->value_handle[last];
        set_moved(t, entry, last, place);
    }
    s->n = last;
    shadow_release(t, s, member, handle);
    return 0;
}
