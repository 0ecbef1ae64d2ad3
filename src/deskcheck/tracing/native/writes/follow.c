/* What the symbols of a line stand for: local names, globals, attributes and items, through what is remembered.
 *
 *   value_of(s, node) -> {F_OBJECT, object}, {F_NOTHING}: unbound or of no interest, {F_FAIL}: cannot be known
 *
 * Nothing of the program runs. Every object on the way is noted in s->way: when the line itself has changed
 * one, what was found behind it is no answer (touch.c).
 */
#include "writes.h"

Found
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
        value = slot_content(REF(frame->frame->localsplus[slot]), frame->code->places[slot] != P_LOCAL);
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

Found
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
int
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
        value = code_constant(s->ran->code, n->a);
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

Found
value_of(Search *s, int node)
{
    const Node *n = &s->lines->nodes[node];
    Found base;
    switch (n->kind) {
    case N_LOCAL: return local_value(s, n->a);
    case N_CONST: return (Found){F_OBJECT, code_constant(s->ran->code, n->a)};
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
