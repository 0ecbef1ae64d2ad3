/* Which objects the line that has just run can have changed: its touches, with the objects behind their symbols.
 *
 *   line_touches(t, ran) -> 1: any of them, 0: those in t->touched (ascending), -1: an exception
 *
 * Symbols are followed through what is remembered of each object, so nothing of the program runs. Where they do not
 * say it (an object on the way has itself been changed since the line began, or code ran that is not known here to
 * leave the program's objects alone), reach.c adds what can have been got at. Names that the line also binds count with
 * the value before and the value after. `T_ITEM` names one place of a big list, so that a step costs the same
 * whatever its size.
 */
#include "writes.h"

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

/* 1: the written object cannot be identified: compare all. */
static int
hit_object(Search *s, PyObject *object, int what, Py_ssize_t place)
{
    Entry *entry = heap_find(s->t, object);
    PyTypeObject *type = Py_TYPE(object);
    if (UNLIKELY(PyModule_Check(object))) {
        guard_meet_object(s->t, object); /* it may have got a `__getattr__` */
    }
    int is_known_type = keeps_its_own(type, entry) || callee_is_lock(object) || PyList_CheckExact(object) ||
                        PyDict_CheckExact(object) || PyFunction_Check(object) || PyModule_Check(object) ||
                        PyType_Check(object) || PyAnySet_Check(object) || type == &PyByteArray_Type ||
                        (entry != NULL && (entry->shape->content != C_NONE || is_namespace_object(type, entry))) ||
                        PyType_FastSubclass(type, Py_TPFLAGS_BASE_EXC_SUBCLASS);
    if (!is_known_type && !(what == T_INPLACE && is_scalar(s->t, object)) && !PyTuple_CheckExact(object)) {
        return 1;
    }
    /* What is put into a container that nothing recorded leads to is held where references are not counted (reach.c). */
    s->t->heap.must_recheck |= entry == NULL && (PyList_Check(object) || PyDict_Check(object) || PyAnySet_Check(object));
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

/* An attribute of a class, a module or a function may have been stored. `name` lives as long as the code; NULL: it may be any. */
static void
note_stored(Tracer *t, PyObject *name)
{
    t->stored[t->n_stored++ % N_STORED] = name;
}

/* The line is not followed: what it stores may be stored in a class. */
static void
note_attributes(Search *s, const Line *line)
{
    for (int i = 0; i < line->n; i++) {
        const Touch *touch = &s->lines->touches[line->start + i];
        if (touch->what == T_ATTR) {
            note_stored(s->t, PyTuple_GET_ITEM(s->ran->code->code->co_names, touch->n_arguments));
        }
    }
}

/* A call of which it is known what is called with what, but not what that does; 1: not even that. */
static int
unknown_call(Search *s, const Touch *touch, PyObject *callee)
{
    if (touch->arguments < 0) {
        return 1;
    }
    s->wanted |= REACH_GIVEN | REACH_HIDDEN;
    if (reach_give(s->t, s->ran, callee) < 0) {
        return 1;
    }
    int has_module = 0;
    for (int i = 0; i < touch->n_arguments; i++) {
        int node = s->lines->arguments[touch->arguments + i];
        Found found = value_of(s, node);
        if (found.kind == F_OBJECT && has_module) { /* `setattr(module, name, value)` */
            guard_module(s->t, found.object);
        }
        has_module |= found.kind == F_OBJECT && PyModule_Check(found.object);
        if (found.kind == F_OBJECT && is_common(found.object)) {
            note_stored(s->t, NULL); /* the same of a class */
        }
        if (s->lines->nodes[node].kind != N_FUNCTION && s->lines->nodes[node].kind != N_SUM &&
            (found.kind == F_FAIL || (found.kind == F_OBJECT && reach_give(s->t, s->ran, found.object) < 0))) {
            return 1;
        }
    }
    return 0;
}

/* Dictionaries whose stores and methods are those of dict. */
static int
is_plain_dict(PyObject *object)
{
    return PyDict_CheckExact(object) || callee_is_defaults((PyObject *)Py_TYPE(object));
}

/* Whether this is what the line takes out of a dictionary, and the frame knows where. */
static int
line_takes(Search *s, const Touch *touch)
{
    return s->ran->ran->taken && &s->lines->touches[s->ran->ran->taken - 1] == touch && s->ran->taken <= PLACE_GONE;
}

/* What lies now where the line's `__exit__` is put. */
static int32_t
with_now(Tracer *t, Frame *frame)
{
    int slot = frame->ran->with_slot, top = STACK_TOP(frame->frame), at = frame->code->n_slots + slot;
    const char *labels = code_labels(frame->code, unit_of(frame->frame));
    if ((int)strlen(labels) <= slot || labels[slot] != 'W' || at >= top || top > frame->code->n_slots + frame->code->code->co_stacksize) {
        return WITH_NONE;
    }
    PyObject *exit = OWNED_REF(frame->frame->localsplus[at]), *lock = exit == NULL ? NULL : callee_exits(exit);
    Entry *entry = lock == NULL ? NULL : heap_find(t, lock);
    return entry == NULL ? WITH_OTHER : entry->number;
}

/* A line that enters or leaves a `with`: whether that is one of a lock, which changes nothing but the lock. */
static int
hit_lock(Search *s)
{
    int32_t before = s->ran->with_before, now = with_now(s->t, s->ran);
    if (before <= WITH_OTHER || now <= WITH_OTHER || (before < 0 && now < 0)) {
        return 1;
    }
    for (int i = 0; i < 2; i++) {
        int32_t number = i ? now : before;
        Entry *entry = number < 0 ? NULL : s->t->heap.by_number[number];
        if (entry != NULL && hit(s, entry, PLACE_ALL)) {
            return 1;
        }
    }
    return 0;
}

/* A line that takes an entry out of a dictionary is about to run: where that lies cannot be found afterwards. */
void
line_foresee(Tracer *t, Frame *frame)
{
    frame->with_before = frame->ran->flags & LINE_WITH ? with_now(t, frame) : WITH_UNKNOWN;
    if (!frame->ran->taken) {
        return;
    }
    Search s;
    s.t = t;
    s.ran = frame;
    s.lines = frame->code->facts;
    s.n_way = s.n_hits = s.before = s.wanted = s.has_found = s.is_lost = 0;
    frame->taken = PLACE_ALL;
    const Touch *touch = &s.lines->touches[frame->ran->taken - 1];
    const Node *n = &s.lines->nodes[touch->node];
    int node = n->kind == N_METHOD ? n->a : touch->node;
    Found found = s.lines->nodes[node].kind == N_STACK ? (Found){F_FAIL, NULL} : value_of(&s, node);
    int is_set = found.kind == F_OBJECT && Py_IS_TYPE(found.object, &PySet_Type) && touch->method == METHOD_TAKES;
    Entry *entry = is_set || (found.kind == F_OBJECT && is_plain_dict(found.object)) ? heap_find(t, found.object) : NULL;
    PyObject *key = entry == NULL ? NULL : key_of(&s, touch->key);
    if (key != NULL && is_set) {
        frame->taken = set_foresee(entry, found.object, key);
    }
    else if (key != NULL) {
        frame->taken = PLACE_GONE - 1 - dict_place((PyDictObject *)found.object, key);
    }
    Py_XDECREF(key);
    PyErr_Clear();
}

/* What the line has put into a set; a tuple or number that it has made, as it lies there. */
static Found
member_of(Search *s, PyObject *set, int node)
{
    Found known = value_of(s, node);
    if (known.kind != F_FAIL) {
        return known;
    }
    PyObject *key = key_of(s, node), *found = key == NULL ? NULL : set_member((PySetObject *)set, key);
    Py_XDECREF(key);
    return found == NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, found};
}

/* Which place a method changes, where it can only change one. */
static Py_ssize_t
method_place(Search *s, const Touch *touch, PyObject *self)
{
    switch (touch->method) {
    case METHOD_APPENDS: return PLACE_END;
    case METHOD_POPS:
        return (PyList_CheckExact(self) || callee_is_deque(self)) && touch->n_arguments == 0 ? PLACE_LAST
               : is_plain_dict(self) && line_takes(s, touch) ? s->ran->taken
                                                                           : PLACE_ALL;
    case METHOD_POPS_FIRST: return callee_is_deque(self) ? PLACE_FIRST : PLACE_ALL;
    case METHOD_TAKES: return Py_IS_TYPE(self, &PySet_Type) && line_takes(s, touch) ? s->ran->taken : PLACE_ALL;
    case METHOD_DEFAULTS: return is_plain_dict(self) ? PLACE_NEW : PLACE_ALL;
    default: return PLACE_ALL;
    }
}

static int
do_call(Search *s, const Touch *touch)
{
    const Node *n = &s->lines->nodes[touch->node];
    int what;
    PyObject *self = NULL, *called = NULL;
    if (n->kind == N_FUNCTION || is_remembered(s, touch)) {
        return 0;
    }
    if (n->kind == N_SUPER) {
        Found found = value_of(s, n->a);
        if (found.kind != F_OBJECT) {
            return found.kind != F_NOTHING;
        }
        what = call_of_super(s, touch, found.object, PyTuple_GET_ITEM(s->ran->code->code->co_names, n->b));
        return what == C_SELF ? hit_object(s, found.object, T_WHOLE, -1) : what != C_PURE;
    }
    if (n->kind == N_METHOD) {
        Found base = value_of(s, n->a);
        if (base.kind != F_OBJECT) {
            PyObject *text = base.kind == F_FAIL && touch->receiver ? key_of(s, touch->receiver) : NULL;
            Py_XDECREF(text);
            return base.kind == F_FAIL && text == NULL; /* methods of scalars change nothing */
        }
        self = called = base.object;
        if (s->lines->nodes[n->a].kind == N_STACK && Py_TYPE(self)->tp_call != NULL) {
            return 1; /* it may be the attribute itself, that was called */
        }
        what = call_of_method(s, touch, self, PyTuple_GET_ITEM(s->ran->code->code->co_names, n->b));
    }
    else {
        Found callee = value_of(s, touch->node);
        if (callee.kind != F_OBJECT) {
            return callee.kind == F_FAIL || s->before; /* it has died: what it led to is not known */
        }
        called = callee.object;
        what = call_of_function(s, touch, called);
        if (n->kind == N_GLOBAL && what == C_PURE && touch->key != -1) {
            names_state(s->ran, ((Touch *)touch)->seen);
        }
    }
    if (what == C_SELF) {
        Py_ssize_t place = method_place(s, touch, self);
        if (touch->method == METHOD_ADDS && Py_IS_TYPE(self, &PySet_Type) && touch->key > 0 && touch->n_arguments == 1) {
            Found member = member_of(s, self, touch->key);
            Heap *heap = &s->t->heap;
            if (member.kind == F_OBJECT && heap->n_members < (int)Py_ARRAY_LENGTH(heap->members)) {
                heap->members[heap->n_members] = member.object;
                place = PLACE_MEMBER - heap->n_members++;
            }
        }
        return hit_object(s, self, T_WHOLE, place);
    }
    if (what == C_FIRST || what == C_HEAP) {
        Found first = touch->key > 0 ? value_of(s, touch->key) : (Found){F_FAIL, NULL};
        /* Code in Python that compares items has events in the middle of it. */
        int is_alone = s->t->n_entered == s->ran->last_entered;
        Py_ssize_t place = what == C_FIRST ? PLACE_ALL : is_alone ? PLACE_HEAP : PLACE_HEAP_ASKED;
        return first.kind == F_OBJECT ? hit_object(s, first.object, T_WHOLE, place) : 1;
    }
    s->is_lost |= what == C_LOST;
    return what == C_LOST || (what == C_ANY && unknown_call(s, touch, called));
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
    if (entry == NULL || entry->shape->content != C_DICT || !acts_as_dict(Py_TYPE(container), "__setitem__")) {
        return PLACE_ALL;
    }
    PyObject *found = key > 0 && ((PyDictObject *)container)->ma_values == NULL ? key_of(s, key) : NULL;
    Py_ssize_t place = found == NULL ? -1 : dict_place((PyDictObject *)container, found);
    Py_XDECREF(found);
    return place < 0 ? PLACE_ONE : place;
}

/* A store that lookups of the callers' lines must know of; `object` is NULL where it is not known. `__class__` and `__bases__`
 * change what every name means. */
static void
note_name(Search *s, const Touch *touch, PyObject *object)
{
    PyObject *name = PyTuple_GET_ITEM(s->ran->code->code->co_names, touch->n_arguments);
    int is_kind = PyUnicode_CompareWithASCIIString(name, "__class__") == 0 || PyUnicode_CompareWithASCIIString(name, "__bases__") == 0;
    if (is_kind || object == NULL || is_common(object)) {
        note_stored(s->t, is_kind ? NULL : name);
    }
}

/* What is stored in an attribute of anything but an instance is held where references are not counted (reach.c). */
static void
note_store(Search *s, const Touch *touch, PyObject *object)
{
    Entry *entry = heap_find(s->t, object);
    if (entry != NULL && (entry->shape->reader == R_INSTANCE || entry->shape->reader == R_EXCEPTION)) {
        return;
    }
    PyObject *name = PyTuple_GET_ITEM(s->ran->code->code->co_names, touch->n_arguments);
    PyObject *value = PyType_Check(object) ? _PyType_Lookup((PyTypeObject *)object, name) : NULL;
    PyObject *names = PyModule_Check(object) ? PyModule_GetDict(object) : NULL, *given = names == NULL ? NULL : PyDict_GetItemWithError(names, name);
    if (given != NULL) {
        guard_module(s->t, given);
    }
    s->t->heap.must_recheck |= value == NULL || !is_scalar(s->t, value);
}

static int
do_touch(Search *s, const Touch *touch)
{
    if (touch->what == T_CALL) {
        return do_call(s, touch);
    }
    int way_before = s->n_way, has_found = s->has_found;
    Found found = value_of(s, touch->node);
    if (touch->what == T_INPLACE) {
        s->n_way = way_before; /* see conflicts() */
        s->has_found = has_found;
        if (found.kind == F_FAIL) {
            return 1;
        }
        return found.kind == F_OBJECT && !is_scalar(s->t, found.object) ? hit_object(s, found.object, T_INPLACE, -1) : 0;
    }
    if (touch->what == T_ATTR) {
        note_name(s, touch, found.object);
    }
    if (found.kind != F_OBJECT) {
        return found.kind == F_FAIL;
    }
    if (touch->what == T_ATTR) {
        note_store(s, touch, found.object);
    }
    Py_ssize_t place = touch->what == T_ITEM ? item_place(s, found.object, touch->key)
                       : touch->what == T_WHOLE && is_plain_dict(found.object) && line_takes(s, touch) ? s->ran->taken
                                                                                                        : PLACE_ALL;
    return hit_object(s, found.object, touch->what, place);
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
everything(Tracer *t)
{
    t->heap.must_recheck = 1;
    return 1;
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
int
compare_pairs(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    int i = x[0] == y[0];
    return (x[i] > y[i]) - (x[i] < y[i]);
}

static int
hits_summary(Search *s)
{
    for (int i = 0; i < s->n_hits; i++) {
        const Shape *shape = s->hits[i]->shape;
        if (shape->is_summary || shape->content == C_BYTEARRAY || shape->content == C_ARRAY) {
            return 1; /* the memory of a bytearray or an array may be that of others too */
        }
    }
    return 0;
}

static int
finish(Search *s, const Line *line, int flags)
{
    Tracer *t = s->t;
    if (flags & LINE_STACK) {
        for (int i = 0; i < s->ran->n_stack; i++) {
            Entry *entry = s->ran->stack[i] == NULL ? NULL : heap_find(t, s->ran->stack[i]);
            if (entry != NULL && hit(s, entry, -1)) {
                return everything(t);
            }
        }
    }
    int n_way = s->n_way;
    if (conflicts(s) || inplace_conflicts(s, line)) {
        s->wanted |= REACH_ALL;
    }
    t->heap.touched.n = 0;
    for (int i = 0; i < s->n_hits; i++) {
        if (s->hits[i]->is_mutable && add_touched(t, s->hits[i]->number, s->places[i]) < 0) {
            return -1;
        }
    }
    if (flags & LINE_CELLS) {
        t->heap.cells_changed = 1;
        t->n_compared += t->heap.closures.n;
        for (Py_ssize_t i = 0; i < t->heap.closures.n; i++) {
            if (t->heap.by_number[t->heap.closures.items[i]] != NULL && add_touched(t, t->heap.closures.items[i], -1) < 0) {
                return -1;
            }
        }
    }
    if (t->heap.touched.n > 2) {
        qsort(t->heap.touched.items, (size_t)t->heap.touched.n / 2, 2 * sizeof(int32_t), compare_pairs);
    }
    if (LIKELY(!s->wanted)) {
        t->heap.is_calm = hits_summary(s) ? CALM_STORED : CALM_ALL;
        return 0;
    }
    t->heap.cells_changed = 1;
    int result = reach_find(t, s->ran, s->wanted);
    for (int i = 0; i < n_way && result == 0 && !(s->wanted & REACH_NAMES); i++) {
        if (s->way[i]->reached == t->heap.reach_serial) { /* what was found behind it is no answer */
            s->wanted |= REACH_ALL;
            result = reach_find(t, s->ran, s->wanted);
        }
    }
    t->heap.is_calm = result == 0 ? CALM_STORED : CALM_NOT;
    return result;
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

/* Whether the caller in the middle of its line has not come to an instruction yet that no jump of the line leads back to. */
static int
is_to_come(Search *s, const Touch *touch)
{
    return touch->is_once && unit_of(s->ran->frame) < touch->unit;
}

int
line_touches(Tracer *t, Frame *ran)
{
    t->heap.touched.n = 0;
    t->heap.cells_changed = t->heap.n_members = 0;
    t->heap.is_calm = CALM_NOT;
    guard_look(t);
    if (t->is_brute || ran == NULL || ran->ran == NULL || t->granularity == FINE_INSTRUCTION || t->others_ran) {
        return everything(t);
    }
    Line *line = ran->ran;
    Search s;
    s.t = t;
    s.ran = ran;
    s.lines = ran->code->facts;
    s.n_way = s.n_hits = s.before = s.has_found = s.is_lost = 0;
    int64_t n_stored = t->n_stored;
    if (line->flags & LINE_ATTRIBUTES) {
        note_stored(t, NULL);
    }
    s.wanted = (ran->handed.is_foreign ? REACH_GIVEN | REACH_HIDDEN : 0) | (has_wild(t) ? REACH_WILD : 0) |
               (line->flags & LINE_ANY ? REACH_ALL : 0);
    if (line->n == 0 && !line->flags && !s.wanted) {
        t->heap.is_calm = CALM_ALL;
        return 0;
    }
    for (int k = 0; k < line->n; k++) {
        const Touch *touch = &s.lines->touches[line->start + k];
        if (t->has_frames || (touch->is_shared && (t->n_shared != ran->first_shared || line->flags & LINE_NAMES))) {
            note_attributes(&s, line);
            return everything(t);
        }
        if (UNLIKELY(t->is_entering) && is_to_come(&s, touch)) {
            continue;
        }
        s.before = 0;
        int is_unknown = do_touch(&s, touch);
        if (!is_unknown && touch->both) {
            s.before = 1;
            is_unknown = do_touch(&s, touch);
            if (t->n_entered != ran->last_entered) { /* its events know the new value, and what it was before is gone */
                is_unknown = s.is_lost = 1;
            }
        }
        s.wanted |= is_unknown ? REACH_ALL : 0;
    }
    s.wanted |= line->flags & LINE_WITH && !(s.wanted & REACH_NAMES) && hit_lock(&s) ? REACH_ALL : 0;
    s.before = 0;
    s.wanted |= s.has_found && t->n_stored != n_stored ? REACH_ALL : 0; /* which of them came first? */
    s.wanted |= s.is_lost && s.wanted & REACH_NAMES ? REACH_LOST : 0;
    if (PyErr_Occurred() || UNLIKELY(t->is_hidden)) {
        PyErr_Clear();
        return everything(t);
    }
    if (!s.wanted && line->kind == LINE_SIMPLE && line->n_calls) {
        remember_line(&s, line);
    }
    return finish(&s, line, line->flags);
}
