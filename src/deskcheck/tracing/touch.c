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
#include "hot.h"

enum { F_FAIL, F_NOTHING, F_OBJECT };
enum { C_PURE, C_SELF, C_FIRST, C_ANY };

typedef struct {
    Tracer *t;
    Frame *ran;
    Lines *lines;
    int before;
    int n_way, n_hits;
    Entry *way[24];
    Entry *hits[24];
    Py_ssize_t places[24]; /* of a list: one that can have changed, each a hit; PLACE_ALL, PLACE_END */
    int counts[24];
} Search;

typedef struct {
    int kind;
    PyObject *object;
} Found;

enum { N_PURE = 256 };
static PyObject *pure[N_PURE]; /* by address: built-in functions and types that change nothing that they are given */
static PyObject *with_key[4];
static int n_with_key;

/* ------------------------------------------------------------------ what symbols stand for */

static Found
local_value(Search *s, int slot)
{
    Frame *frame = s->ran;
    if (slot >= frame->code->n_slots) {
        return (Found){F_FAIL, NULL};
    }
    PyObject *value;
    if (s->before) {
        Slot *known = &frame->slots[slot];
        value = known->state == S_EMPTY ? NULL : known->value;
        if (known->state == S_CUT) {
            return (Found){F_FAIL, NULL};
        }
        if (known->state == S_OBJECT) {
            Entry *entry = s->t->heap.by_number[s->t->columns.values.number[known->handle]];
            if (entry == NULL || entry->object != value) {
                return (Found){F_NOTHING, NULL}; /* it has died */
            }
        }
    }
    else {
        value = slot_content(frame->frame->localsplus[slot], frame->code->places[slot] != P_LOCAL);
    }
    return value == NULL ? (Found){F_NOTHING, NULL} : (Found){F_OBJECT, value};
}

static Found
name_value(Search *s, int name, int is_local)
{
    _PyInterpreterFrame *iframe = s->ran->frame;
    PyObject *text = PyTuple_GET_ITEM(s->ran->code->code->co_names, name), *value = NULL;
    if (is_local && iframe->f_locals != NULL && PyDict_CheckExact(iframe->f_locals)) {
        value = PyDict_GetItemWithError(iframe->f_locals, text);
    }
    if (value == NULL && iframe->f_globals != NULL && PyDict_CheckExact(iframe->f_globals)) {
        value = PyDict_GetItemWithError(iframe->f_globals, text);
    }
    if (value == NULL && iframe->f_builtins != NULL && PyDict_CheckExact(iframe->f_builtins)) {
        value = PyDict_GetItemWithError(iframe->f_builtins, text);
    }
    return value == NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
}

static int
on_way(Search *s, Entry *entry)
{
    if (s->n_way == (int)Py_ARRAY_LENGTH(s->way) || entry->changed > s->ran->last_event || !entry->was_seen) {
        return 0;
    }
    s->way[s->n_way++] = entry;
    return 1;
}

static Found value_of(Search *s, int node);

static Found
attribute_value(Search *s, PyObject *base, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(base);
    if (PyModule_CheckExact(base)) {
        PyObject *dict = PyModule_GetDict(base);
        PyObject *value = dict == NULL ? NULL : PyDict_GetItemWithError(dict, name);
        return value == NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
    }
    if (PyType_Check(base)) {
        PyObject *value = Py_TYPE(base) == &PyType_Type ? _PyType_Lookup((PyTypeObject *)base, name) : NULL;
        return value == NULL || Py_TYPE(value)->tp_descr_get != NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
    }
    if (type->tp_getattro != PyObject_GenericGetAttr) {
        return (Found){F_FAIL, NULL};
    }
    PyObject *of_class = _PyType_Lookup(type, name);
    if (of_class != NULL && Py_TYPE(of_class)->tp_descr_set != NULL && !Py_IS_TYPE(of_class, &PyMemberDescr_Type)) {
        return (Found){F_FAIL, NULL};
    }
    Entry *entry = heap_find(s->t, base);
    if (entry == NULL || !on_way(s, entry)) {
        return (Found){F_FAIL, NULL};
    }
    Shadow *known = &entry->attributes;
    for (Py_ssize_t i = 0; i < known->n; i++) {
        if (known->key[i] == name) {
            PyObject *value = known->value[i];
            if (value == NULL || value == DEAD_ADDRESS) {
                return (Found){F_FAIL, NULL};
            }
            return IS_TAGGED(value) ? (Found){F_NOTHING, NULL} : (Found){F_OBJECT, value};
        }
    }
    return of_class == NULL || Py_TYPE(of_class)->tp_descr_get != NULL ? (Found){F_FAIL, NULL}
                                                                      : (Found){F_OBJECT, of_class};
}

/* 1 and the number where a symbol is a small int. */
static int
int_value(Search *s, int node, int64_t *number)
{
    const Node *n = &s->lines->nodes[node];
    PyObject *value = NULL;
    int64_t more = 0;
    if (n->kind == N_SUM) {
        more = n->b;
        n = &s->lines->nodes[n->a];
    }
    if (n->kind == N_CONST) {
        value = PyTuple_GET_ITEM(s->ran->code->code->co_consts, n->a);
    }
    else if (n->kind == N_LOCAL) {
        Found found = local_value(s, n->a);
        value = found.object;
    }
    if (value == NULL || !PyLong_CheckExact(value)) {
        return 0;
    }
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow) + more;
    return !overflow;
}

static Found
item_value(Search *s, PyObject *base, int key)
{
    Entry *entry = heap_find(s->t, base);
    int64_t index;
    if (entry == NULL || !on_way(s, entry)) {
        return (Found){F_FAIL, NULL};
    }
    Shadow *known = &entry->content;
    if (PyList_CheckExact(base) || PyTuple_CheckExact(base)) {
        if (!int_value(s, key, &index)) {
            return (Found){F_FAIL, NULL};
        }
        index += index < 0 ? known->n : 0;
        if (index < 0 || index >= known->n) {
            return (Found){F_FAIL, NULL};
        }
        PyObject *value = known->value[index];
        return value == NULL || value == DEAD_ADDRESS ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
    }
    if (!PyDict_Check(base) || entry->shape->content != C_DICT || !entry->has_plain_keys) {
        return (Found){F_FAIL, NULL};
    }
    Found found = value_of(s, key);
    if (found.kind != F_OBJECT || !is_scalar(s->t, found.object)) {
        return (Found){F_FAIL, NULL};
    }
    PyObject *value = PyDict_GetItemWithError(base, found.object);
    return value == NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
}

static Found
value_of(Search *s, int node)
{
    const Node *n = &s->lines->nodes[node];
    Found base;
    switch (n->kind) {
    case N_LOCAL: return local_value(s, n->a);
    case N_CONST: return (Found){F_OBJECT, PyTuple_GET_ITEM(s->ran->code->code->co_consts, n->a)};
    case N_GLOBAL: return name_value(s, n->a, 0);
    case N_NAME: return name_value(s, n->a, 1);
    case N_ATTR:
        base = value_of(s, n->a);
        return base.kind == F_OBJECT ? attribute_value(s, base.object, PyTuple_GET_ITEM(s->ran->code->code->co_names, n->b))
                                     : (Found){F_FAIL, NULL};
    case N_ITEM:
        base = value_of(s, n->a);
        return base.kind == F_OBJECT ? item_value(s, base.object, n->b) : (Found){F_FAIL, NULL};
    default: return (Found){F_FAIL, NULL};
    }
}

/* ------------------------------------------------------------------ what calls do */

static int
is_pure(PyObject *object)
{
    size_t at = address_hash(object) & (N_PURE - 1);
    while (pure[at] != NULL && pure[at] != object) {
        at = (at + 1) & (N_PURE - 1);
    }
    return pure[at] != NULL;
}

static void
add_pure(PyObject *object)
{
    size_t at = address_hash(object) & (N_PURE - 1);
    while (pure[at] != NULL) {
        at = (at + 1) & (N_PURE - 1);
    }
    pure[at] = Py_NewRef(object); /* for good */
}

static int
is_listed(PyObject *const *list, int n, PyObject *object)
{
    for (int i = 0; i < n; i++) {
        if (list[i] == object) {
            return 1;
        }
    }
    return 0;
}

/* Functions of these modules read what they are given; of those the first argument is changed. */
static int
call_of_module(PyObject *function)
{
    PyObject *module = ((PyCFunctionObject *)function)->m_module;
    if (module == NULL || !PyUnicode_CheckExact(module)) {
        return C_ANY;
    }
    static const char *const reading[] = {"math", "cmath", "time", "_string", "binascii"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(reading); i++) {
        if (PyUnicode_CompareWithASCIIString(module, reading[i]) == 0) {
            return C_PURE;
        }
    }
    if (PyUnicode_CompareWithASCIIString(module, "_heapq") == 0) {
        const char *name = ((PyCFunctionObject *)function)->m_ml->ml_name;
        return strncmp(name, "heap", 4) == 0 ? C_FIRST : C_ANY;
    }
    return C_ANY;
}

static int
call_of_type(PyTypeObject *type, int n_arguments)
{
    if (is_pure((PyObject *)type)) {
        return type == &PyType_Type && n_arguments != 1 ? C_ANY : C_PURE;
    }
    if (PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) { /* its __new__, __init__ are events; or those of a base in C */
        PyTypeObject *base = type;
        while (base != NULL && PyType_HasFeature(base, Py_TPFLAGS_HEAPTYPE)) {
            base = base->tp_base;
        }
        return base == &PyBaseObject_Type || is_pure((PyObject *)base) ||
                       PyType_FastSubclass(type, Py_TPFLAGS_BASE_EXC_SUBCLASS)
                   ? C_PURE
                   : C_ANY;
    }
    return PyType_FastSubclass(type, Py_TPFLAGS_BASE_EXC_SUBCLASS) ? C_PURE : C_ANY;
}

/* Something that a C function calls for each item: it must not be C code that could change things. */
static int
is_harmless_key(Search *s, int node)
{
    if (s->lines->nodes[node].kind == N_FUNCTION) {
        return 1;
    }
    Found found = node ? value_of(s, node) : (Found){F_FAIL, NULL};
    return found.kind == F_OBJECT && (PyFunction_Check(found.object) || is_scalar(s->t, found.object) ||
                                      is_pure(found.object));
}

static int
call_of_function(Search *s, const Touch *touch, PyObject *callee)
{
    if (PyFunction_Check(callee)) {
        return C_PURE; /* it has events of its own */
    }
    if (PyMethod_Check(callee)) {
        return PyFunction_Check(PyMethod_GET_FUNCTION(callee)) ? C_PURE : C_ANY;
    }
    if (PyType_Check(callee)) {
        return Py_TYPE(callee) == &PyType_Type || PyType_HasFeature(Py_TYPE(callee), Py_TPFLAGS_HEAPTYPE)
                   ? call_of_type((PyTypeObject *)callee, touch->n_arguments)
                   : C_ANY;
    }
    if (is_listed(with_key, n_with_key, callee)) {
        return touch->key != -1 || (is_harmless_key(s, touch->last) && is_harmless_key(s, touch->next_to_last)) ? C_PURE
                                                                                                          : C_ANY;
    }
    if (is_pure(callee)) {
        return C_PURE;
    }
    if (PyCFunction_CheckExact(callee)) {
        const char *name = ((PyCFunctionObject *)callee)->m_ml->ml_name;
        PyObject *self = ((PyCFunctionObject *)callee)->m_self;
        if (self != NULL && PyModule_Check(self) && strcmp(name, "iter") == 0) {
            return touch->n_arguments == 1 ? C_PURE : C_ANY;
        }
        return call_of_module(callee);
    }
    return strcmp(Py_TYPE(callee)->tp_name, "functools._lru_cache_wrapper") == 0 ? C_PURE : C_ANY;
}

/* A method of a built-in container changes that container at most. */
static int
call_of_method(Search *s, const Touch *touch, PyObject *base, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(base);
    if (is_scalar(s->t, base) || PyTuple_CheckExact(base) || type == &PyFrozenSet_Type || type == &PyRange_Type) {
        return C_PURE;
    }
    Entry *entry = heap_find(s->t, base);
    if (entry == NULL ? PyList_CheckExact(base) || PyDict_CheckExact(base) || PySet_Check(base)
                      : entry->shape->content != C_NONE && !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) {
        if (touch->key == -1 && !(is_harmless_key(s, touch->last) && is_harmless_key(s, touch->next_to_last))) {
            return C_ANY;
        }
        return touch->method == METHOD_READS ? C_PURE : C_SELF;
    }
    if (PyGen_CheckExact(base)) {
        return C_PURE;
    }
    if (PyModule_CheckExact(base)) {
        Found found = attribute_value(s, base, name);
        return found.kind == F_OBJECT ? call_of_function(s, touch, found.object) : C_ANY;
    }
    if (PyType_Check(base)) {
        PyObject *found = Py_TYPE(base) == &PyType_Type ? _PyType_Lookup((PyTypeObject *)base, name) : NULL;
        if (found == NULL) {
            return C_ANY;
        }
        if (PyFunction_Check(found) || Py_IS_TYPE(found, &PyStaticMethod_Type)) {
            return PyFunction_Check(found) ? C_PURE : C_ANY;
        }
        if (Py_IS_TYPE(found, &PyClassMethod_Type) || Py_IS_TYPE(found, &PyClassMethodDescr_Type)) {
            return is_pure(base) || Py_IS_TYPE(found, &PyClassMethod_Type) ? C_PURE : C_ANY;
        }
        return C_ANY;
    }
    if (type->tp_getattro != PyObject_GenericGetAttr) {
        return C_ANY;
    }
    PyObject *found = _PyType_Lookup(type, name);
    if (found == NULL) {
        return C_ANY; /* a callable among its attributes */
    }
    if (PyFunction_Check(found)) {
        if (entry == NULL) {
            return C_PURE;
        }
        for (Py_ssize_t i = 0; i < entry->attributes.n; i++) {
            if (entry->attributes.key[i] == name) {
                return C_ANY;
            }
        }
        return C_PURE;
    }
    return Py_IS_TYPE(found, &PyMethodDescr_Type) && entry != NULL && entry->shape->content != C_NONE ? C_SELF : C_ANY;
}

/* ------------------------------------------------------------------ touches */

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

/* Whether a built-in function or type changes nothing that it is given, but for iterators. */
int
touch_is_pure(PyObject *callee)
{
    return is_pure(callee);
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

/* ------------------------------------------------------------------ start */

int
touch_ready(void)
{
    static const char *const names[] = {
        "abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "complex", "dict",
        "divmod", "enumerate", "float", "format", "frozenset", "hasattr", "hash", "hex", "id", "int", "isinstance",
        "issubclass", "len", "list", "max", "min", "next", "object", "oct", "ord", "pow", "print", "range", "repr",
        "reversed", "round", "set", "slice", "sorted", "str", "sum", "super", "tuple", "type", "zip", "staticmethod",
        "classmethod", "property", "input", NULL};
    static const char *const keyed[] = {"max", "min", "sorted", NULL};
    PyObject *builtins = PyEval_GetBuiltins();
    for (int i = 0; names[i] != NULL; i++) {
        PyObject *found = builtins == NULL ? NULL : PyDict_GetItemString(builtins, names[i]);
        if (found != NULL) {
            add_pure(found);
        }
    }
    for (int i = 0; keyed[i] != NULL; i++) {
        PyObject *found = builtins == NULL ? NULL : PyDict_GetItemString(builtins, keyed[i]);
        if (found != NULL) {
            with_key[n_with_key++] = Py_NewRef(found);
        }
    }
    PyObject *module = PyImport_ImportModule("collections");
    static const char *const collected[] = {"deque", "defaultdict", "OrderedDict", "Counter", NULL};
    for (int i = 0; module != NULL && collected[i] != NULL; i++) {
        PyObject *found = PyObject_GetAttrString(module, collected[i]);
        if (found != NULL) {
            add_pure(found);
            Py_DECREF(found);
        }
    }
    Py_XDECREF(module);
    return PyErr_Occurred() ? -1 : 0;
}
