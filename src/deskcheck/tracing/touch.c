/* Which objects the line that has just run can have changed: its touches, with the objects behind their symbols.
 *
 *   line_touches(t, ran) -> 1: any of them, 0: those in t->touched (ascending), -1: an exception
 *
 * Symbols are followed through what is remembered of each object, so nothing of the program runs. An object on
 * the way that has itself been changed since the line began makes the answer "any"; so does whatever runs
 * code in C that is not known here to leave the program's objects alone. Names that the line also binds count with
 * the value before and the value after. `T_ITEM` names one place of a big list, so that a step costs the same
 * whatever its size.
 */
#include "touch.h"

static int
hit(Search *s, Entry *entry, Py_ssize_t place)
{
    int first = -1;
    for (int i = 0; i < s->n_hits; i++) {
        if (s->hits[i] == entry) {
            first = first < 0 ? i : first;
            if (s->places[i] == place && place >= PLACE_END) {
                s->counts[first]++;
                return 0;
            }
        }
    }
    if (first >= 0) {
        s->counts[first]++;
        if (place < 0 || s->places[first] < 0 || entry->shape->content != C_LIST) {
            s->places[first] = PLACE_ALL;
            return 0;
        }
    }
    if (s->n_hits == (int)Py_ARRAY_LENGTH(s->hits)) {
        return 1;
    }
    s->hits[s->n_hits] = entry;
    s->places[s->n_hits] = place;
    s->counts[s->n_hits++] = first < 0; /* those of its other places are counted with the first */
    return 0;
}

/* 1: what is changed cannot be known to be this object and no other. */
static int
hit_object(Search *s, PyObject *object, int what, Py_ssize_t place)
{
    Entry *entry = heap_find(s->t, object);
    PyTypeObject *type = Py_TYPE(object);
    int is_known_type = PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) || PyList_CheckExact(object) ||
                        PyDict_CheckExact(object) || PyFunction_Check(object) || PyModule_Check(object) ||
                        PyType_Check(object) || PyAnySet_Check(object) || type == &PyByteArray_Type ||
                        (entry != NULL && entry->shape->content != C_NONE) ||
                        PyType_FastSubclass(type, Py_TPFLAGS_BASE_EXC_SUBCLASS);
    if (!is_known_type && !(what == T_INPLACE && is_scalar(s->t, object)) && !PyTuple_CheckExact(object)) {
        return 1;
    }
    return entry == NULL ? 0 : hit(s, entry, place);
}

/* A global name still is what it was as long as nothing was written to its dictionary. */
static int
is_remembered(Search *s, const Touch *touch)
{
    uint64_t state[2];
    if (touch->seen[0] == 0) {
        return 0;
    }
    names_state(s->ran, state);
    return touch->seen[0] == state[0] && touch->seen[1] == state[1];
}

static int
do_call(Search *s, const Touch *touch)
{
    const Node *n = &s->lines->nodes[touch->node];
    int what;
    PyObject *self = NULL;
    if (n->kind == N_FUNCTION || is_remembered(s, touch)) {
        return 0;
    }
    if (n->kind == N_SUPER) {
        Found found = local_value(s, 0);
        return found.kind == F_OBJECT ? hit_object(s, found.object, T_WHOLE, -1) : found.kind == F_FAIL;
    }
    if (n->kind == N_METHOD) {
        Found base = value_of(s, n->a);
        if (base.kind != F_OBJECT) {
            return base.kind == F_FAIL;
        }
        self = base.object;
        what = call_of_method(s, touch, self, PyTuple_GET_ITEM(s->ran->code->code->co_names, n->b));
    }
    else {
        Found callee = value_of(s, touch->node);
        if (callee.kind != F_OBJECT) {
            return callee.kind == F_FAIL;
        }
        what = call_of_function(s, touch, callee.object);
        if (n->kind == N_GLOBAL && what == C_PURE && touch->key != -1) {
            names_state(s->ran, ((Touch *)touch)->seen);
        }
    }
    if (what == C_SELF) {
        Py_ssize_t place = touch->method == METHOD_APPENDS ? PLACE_END : PLACE_ALL;
        if (touch->method == METHOD_ADDS && Py_IS_TYPE(self, &PySet_Type) && touch->key > 0 && touch->n_arguments == 1) {
            Found member = value_of(s, touch->key);
            Heap *heap = &s->t->heap;
            if (member.kind == F_OBJECT && heap->n_members < (int)Py_ARRAY_LENGTH(heap->members)) {
                heap->members[heap->n_members] = member.object;
                place = PLACE_MEMBER - heap->n_members++;
            }
        }
        return hit_object(s, self, T_WHOLE, place);
    }
    if (what == C_FIRST) {
        Found first = touch->key > 0 ? value_of(s, touch->key) : (Found){F_FAIL, NULL};
        return first.kind == F_OBJECT ? hit_object(s, first.object, T_WHOLE, -1) : 1;
    }
    return what == C_ANY;
}

/* The place of a key among the entries of a dictionary whose keys are all scalars; -1: not there. */
static Py_ssize_t
entry_place(PyDictObject *dict, PyObject *key)
{
    PyDictKeysObject *table = dict->ma_keys;
    Py_hash_t hash = PyObject_Hash(key);
    size_t mask = ((size_t)1 << table->dk_log2_size) - 1, perturb = (size_t)hash, i = (size_t)hash & mask;
    int is_unicode = table->dk_kind != DICT_KEYS_GENERAL;
    for (;;) {
        Py_ssize_t at = table->dk_log2_size < 8    ? ((int8_t *)table->dk_indices)[i]
                        : table->dk_log2_size < 16 ? ((int16_t *)table->dk_indices)[i]
                        : table->dk_log2_size < 32 ? ((int32_t *)table->dk_indices)[i]
                                                   : (Py_ssize_t)((int64_t *)table->dk_indices)[i];
        if (at == -1) {
            return -1;
        }
        if (at >= 0) {
            PyObject *other = is_unicode ? DK_UNICODE_ENTRIES(table)[at].me_key : DK_ENTRIES(table)[at].me_key;
            if (other == key || (other != NULL && Py_IS_TYPE(other, Py_TYPE(key)) &&
                                 PyObject_RichCompareBool(other, key, Py_EQ) == 1)) {
                return at;
            }
        }
        perturb >>= 5;
        i = (i * 5 + perturb + 1) & mask;
    }
}

/* Which place of a list or dictionary a store has changed. */
static Py_ssize_t
item_place(Search *s, PyObject *container, int key)
{
    int64_t index;
    if (PyList_CheckExact(container) && key > 0 && int_value(s, key, &index)) {
        index += index < 0 ? PyList_GET_SIZE(container) : 0;
        return index < 0 ? PLACE_ALL : (Py_ssize_t)index;
    }
    Entry *entry = PyDict_Check(container) ? heap_find(s->t, container) : NULL;
    if (entry == NULL || entry->shape->content != C_DICT || PyType_HasFeature(Py_TYPE(container), Py_TPFLAGS_HEAPTYPE)) {
        return PLACE_ALL;
    }
    Found found = key > 0 ? value_of(s, key) : (Found){F_FAIL, NULL};
    if (found.kind != F_OBJECT || !entry->has_plain_keys || !is_scalar(s->t, found.object) ||
        ((PyDictObject *)container)->ma_values != NULL) {
        return PLACE_ONE;
    }
    Py_ssize_t place = entry_place((PyDictObject *)container, found.object);
    return place < 0 ? PLACE_ONE : place;
}

static int
do_touch(Search *s, const Touch *touch)
{
    if (touch->what == T_CALL) {
        return do_call(s, touch);
    }
    int way_before = s->n_way;
    Found found = value_of(s, touch->node);
    if (touch->what == T_INPLACE) {
        s->n_way = way_before; /* see conflicts() */
        if (found.kind == F_FAIL) {
            return 1;
        }
        return found.kind == F_OBJECT && !is_scalar(s->t, found.object) ? hit_object(s, found.object, T_INPLACE, -1) : 0;
    }
    if (found.kind != F_OBJECT) {
        return found.kind == F_FAIL;
    }
    return hit_object(s, found.object, touch->what, touch->what == T_ITEM ? item_place(s, found.object, touch->key) : PLACE_ALL);
}

/* An object on the way to another that the line itself may have changed. */
static int
conflicts(Search *s)
{
    for (int i = 0; i < s->n_way; i++) {
        for (int j = 0; j < s->n_hits; j++) {
            if (s->way[i] == s->hits[j]) {
                return 1;
            }
        }
    }
    return 0;
}

/* `a.b += c`: the value before is what can have been changed; its store must be the line's only one there. */
static int
inplace_conflicts(Search *s, const Line *line)
{
    for (int i = 0; i < line->n; i++) {
        const Touch *touch = &s->lines->touches[line->start + i];
        const Node *n = &s->lines->nodes[touch->node];
        if (touch->what != T_INPLACE || (n->kind != N_ATTR && n->kind != N_ITEM)) {
            continue;
        }
        s->n_way = 0;
        value_of(s, touch->node);
        for (int k = 0; k < s->n_way; k++) {
            for (int j = 0; j < s->n_hits; j++) {
                if (s->way[k] == s->hits[j] && s->counts[j] > 1) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

static int
add_touched(Tracer *t, int32_t number, Py_ssize_t place)
{
    Numbers *touched = &t->heap.touched;
    if (touched->n + 2 > touched->cap) {
        Py_ssize_t cap = touched->cap * 2 + 64;
        int32_t *items = grown(touched->items, cap, sizeof(int32_t));
        if (items == NULL) {
            t->out_of_memory = 1;
            PyErr_NoMemory();
            return -1;
        }
        touched->items = items;
        touched->cap = cap;
    }
    touched->items[touched->n++] = number;
    touched->items[touched->n++] = place >= INT32_MAX ? -1 : (int32_t)place;
    return 0;
}

/* By number and place, as a list is read. */
static int
compare_pairs(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    int i = x[0] == y[0];
    return (x[i] > y[i]) - (x[i] < y[i]);
}

static int
finish(Search *s, const Line *line, int flags)
{
    Tracer *t = s->t;
    if (flags & LINE_STACK) {
        for (int i = 0; i < s->ran->n_stack; i++) {
            Entry *entry = s->ran->stack[i] == NULL ? NULL : heap_find(t, s->ran->stack[i]);
            if (entry != NULL && hit(s, entry, -1)) {
                return 1;
            }
        }
    }
    if (conflicts(s) || inplace_conflicts(s, line)) {
        return 1;
    }
    t->heap.touched.n = 0;
    for (int i = 0; i < s->n_hits; i++) {
        if (s->hits[i]->is_mutable && add_touched(t, s->hits[i]->number, s->places[i]) < 0) {
            return -1;
        }
    }
    if (flags & LINE_CELLS) {
        t->heap.cells_changed = 1;
        for (Py_ssize_t i = 0; i < t->heap.closures.n; i++) {
            if (t->heap.by_number[t->heap.closures.items[i]] != NULL && add_touched(t, t->heap.closures.items[i], -1) < 0) {
                return -1;
            }
        }
    }
    if (t->heap.touched.n > 2) {
        qsort(t->heap.touched.items, (size_t)t->heap.touched.n / 2, 2 * sizeof(int32_t), compare_pairs);
    }
    return 0;
}

/* All calls of the line were found to be harmless in the same state of the names: it need not be searched again. */
static void
remember_line(Search *s, Line *line)
{
    uint64_t state[2];
    names_state(s->ran, state);
    for (int i = 0; i < line->n; i++) {
        const Touch *touch = &s->lines->touches[line->start + i];
        if (touch->what == T_CALL && (touch->seen[0] != state[0] || touch->seen[1] != state[1])) {
            return;
        }
    }
    line->seen[0] = state[0];
    line->seen[1] = state[1];
}

int
line_touches(Tracer *t, Frame *ran)
{
    t->heap.touched.n = 0;
    t->heap.cells_changed = t->heap.n_members = 0;
    PyThreadState *state = t->stacks[t->current].state;
    if (t->is_brute || t->heap.n_wild || t->foreign_ran || ran == NULL || t->granularity == FINE_INSTRUCTION ||
        state->next != NULL || state->prev != NULL) {
        return 1;
    }
    Line *line = ran->ran;
    if (line == NULL) {
        return 1;
    }
    Lines *lines = ran->code->facts;
    int flags = line->flags;
    if (flags & LINE_ANY) {
        return 1;
    }
    if (line->n == 0 && !flags) {
        return 0;
    }
    Search s;
    s.t = t;
    s.ran = ran;
    s.lines = lines;
    s.n_way = s.n_hits = 0;
    int any = 0;
    for (int k = 0; !any && k < line->n; k++) {
        const Touch *touch = &lines->touches[line->start + k];
        int is_shared = touch->is_shared && t->n_shared != ran->last_shared;
        s.before = 0;
        any = is_shared || ((flags & LINE_NAMES) && touch->is_shared) || do_touch(&s, touch);
        if (!any && touch->both) {
            s.before = 1;
            any = do_touch(&s, touch);
        }
    }
    s.before = 0;
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return 1;
    }
    if (!any && line->kind == LINE_SIMPLE && line->n_calls) {
        remember_line(&s, line);
    }
    return any ? 1 : finish(&s, line, flags);
}
