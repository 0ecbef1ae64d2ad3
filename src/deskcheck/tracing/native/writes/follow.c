/* What the symbols of a line stand for: local names, globals, attributes and items, through what is remembered.
 *
 *   value_of(s, node) -> {F_OBJECT, object}, {F_NOTHING}: unbound or of no interest, {F_FAIL}: cannot be known
 *
 * Nothing of the program runs. Every object on the way is noted in s->way: when the line itself has changed
 * one, what was found behind it is no answer (touch.c).
 */
#include "writes.h"

static PyObject *computed(Search *s, int node);

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
    if (is_local && iframe->f_locals != NULL) {
        if (!PyDict_CheckExact(iframe->f_locals)) { /* the body of an enumeration: its metaclass says what a name means */
            return (Found){F_FAIL, NULL};
        }
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
        s->is_lost |= entry->changed > s->ran->last_event;
        return 0;
    }
    s->way[s->n_way++] = entry;
    return 1;
}

/* Whether it is not known that this value was found under the name when the statement began. Stores in attributes are noted; what
 * else can bind one (`setattr`, a dictionary, code that is not followed) shows in another value than at the last look. */
int
is_rebound(Search *s, PyObject *holder, PyObject *name, PyObject *value)
{
    Tracer *t = s->t;
    s->has_found = 1;
    Entry *entry = value == NULL ? NULL : heap_find(t, value);
    uint64_t found = entry == NULL ? (uint64_t)(uintptr_t)value : (uint64_t)entry->number << 1 | 1;
    if (UNLIKELY(t->finds == NULL) && (t->finds = PyMem_RawCalloc(N_FINDS, sizeof(Find))) == NULL) {
        s->is_lost = 1;
        return 1;
    }
    Find *known = &t->finds[(((uintptr_t)holder >> 4) ^ ((uintptr_t)name >> 3)) % N_FINDS];
    if (known->holder != holder || known->name != name || known->value != found) {
        *known = (Find){holder, name, found, t->columns.events.n};
    }
    if (known->since > s->ran->first_event || t->n_stored - s->ran->first_stored > N_STORED) {
        s->is_lost = 1;
        return 1;
    }
    for (int64_t i = s->ran->first_stored; i < t->n_stored; i++) {
        PyObject *stored = t->stored[i % N_STORED];
        if (stored == NULL || stored == name || PyUnicode_Compare(stored, name) == 0) {
            s->is_lost = 1;
            return 1;
        }
    }
    return 0;
}

Found
attribute_value(Search *s, PyObject *base, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(base);
    if (PyFunction_Check(base)) { /* the names of its cells are remembered with its attributes */
        PyObject *dict = ((PyFunctionObject *)base)->func_dict;
        PyObject *value = dict == NULL ? NULL : PyDict_GetItemWithError(dict, name);
        return is_rebound(s, base, name, value) || value == NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
    }
    if (PyModule_CheckExact(base)) {
        PyObject *dict = PyModule_GetDict(base);
        PyObject *value = dict == NULL ? NULL : PyDict_GetItemWithError(dict, name);
        return is_rebound(s, base, name, value) || value == NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
    }
    if (PyType_Check(base)) {
        PyObject *value = Py_TYPE(base) == &PyType_Type ? _PyType_Lookup((PyTypeObject *)base, name) : NULL;
        return is_rebound(s, base, name, value) || value == NULL || Py_TYPE(value)->tp_descr_get != NULL ? (Found){F_FAIL, NULL}
                                                                                                         : (Found){F_OBJECT, value};
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
    Py_ssize_t at = attribute_place(entry, name);
    if (at >= 0) {
        PyObject *value = entry->attributes.value[at];
        if (value == NULL || value == DEAD_ADDRESS) {
            return (Found){F_FAIL, NULL};
        }
        return IS_TAGGED(value) ? (Found){F_NOTHING, NULL} : (Found){F_OBJECT, value};
    }
    return is_rebound(s, (PyObject *)type, name, of_class) || of_class == NULL || Py_TYPE(of_class)->tp_descr_get != NULL
               ? (Found){F_FAIL, NULL}
                                                                      : (Found){F_OBJECT, of_class};
}

/* `len` of a container that the line leaves alone. */
static int
length_value(Search *s, const Node *n, int64_t *number)
{
    Found callee = name_value(s, n->b, 0), found = value_of(s, n->a);
    if (callee.kind != F_OBJECT || !callee_is_len(callee.object) || found.kind != F_OBJECT) {
        return 0;
    }
    if (PyUnicode_CheckExact(found.object)) {
        *number = PyUnicode_GET_LENGTH(found.object);
        return 1;
    }
    Entry *entry = heap_find(s->t, found.object);
    if (entry == NULL || !on_way(s, entry)) {
        return 0;
    }
    if (PyList_CheckExact(found.object) || PyTuple_CheckExact(found.object)) {
        *number = Py_SIZE(found.object);
        return 1;
    }
    if (PyDict_CheckExact(found.object)) {
        *number = PyDict_GET_SIZE(found.object);
        return 1;
    }
    return 0;
}

/* As Python rounds: towards negative infinity. */
static int
divided(int64_t a, int64_t b, int64_t *quotient, int64_t *rest)
{
    if (b == 0 || (a == INT64_MIN && b == -1)) {
        return 0;
    }
    int is_off = a % b != 0 && (a % b < 0) != (b < 0);
    *quotient = a / b - is_off;
    *rest = a % b + (is_off ? b : 0);
    return 1;
}

static int
arithmetic_value(Search *s, const Node *n, int64_t *number)
{
    int64_t a, b, other;
    if (!int_value(s, n->a, &a) || !int_value(s, n->b, &b)) {
        return 0;
    }
    switch (n->op) { /* NB_ADD and the others of opcode.h */
    case 0: return !__builtin_add_overflow(a, b, number);
    case 1: *number = a & b; return 1;
    case 2: return divided(a, b, number, &other);
    case 3: *number = b < 0 || b > 62 || a < 0 || a > (INT64_MAX >> b) ? 0 : a << b; return b >= 0 && b <= 62 && a >= 0 && a <= (INT64_MAX >> b);
    case 5: return !__builtin_mul_overflow(a, b, number);
    case 6: return divided(a, b, &other, number);
    case 7: *number = a | b; return 1;
    case 9: *number = b >= 0 && b <= 62 ? a >> b : 0; return b >= 0 && b <= 62;
    case 10: return !__builtin_sub_overflow(a, b, number);
    case 12: *number = a ^ b; return 1;
    default: return 0;
    }
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
    if (n->kind == N_ARITHMETIC) {
        return arithmetic_value(s, n, number);
    }
    if (n->kind == N_LENGTH) {
        return length_value(s, n, number);
    }
    if (n->kind == N_CONST) {
        value = code_constant(s->ran->code, n->a);
    }
    else if (n->kind == N_LOCAL) {
        Found found = local_value(s, n->a);
        value = found.object;
    }
    else {
        Found found = n->kind >= N_STACK ? (Found){F_FAIL, NULL} : value_of(s, node);
        value = found.kind == F_OBJECT ? found.object : NULL;
    }
    PyObject *made = value == NULL && (n->kind == N_ITEM || n->kind > N_STACK) ? computed(s, node) : NULL;
    value = made == NULL ? value : made;
    int overflow = value == NULL || !PyLong_CheckExact(value);
    if (!overflow) {
        *number = PyLong_AsLongLongAndOverflow(value, &overflow);
        overflow |= __builtin_add_overflow(*number, more, number);
    }
    Py_XDECREF(made);
    return !overflow;
}

/* ------------------------------------------------------------------ values that the line has computed, once more */

enum { MOST_TEXT = 256 }; /* what is longer is not computed again */

/* What nothing can change, and costs little: a scalar, or some of them in a tuple, or in a list that was made here. */
static int
is_short(PyObject *value)
{
    if (PyUnicode_CheckExact(value) || PyBytes_CheckExact(value)) {
        return PyObject_Size(value) <= MOST_TEXT;
    }
    if (PyLong_CheckExact(value)) {
        return LONG_SIZE((PyLongObject *)value) <= 4 && LONG_SIZE((PyLongObject *)value) >= -4;
    }
    if (!PyTuple_CheckExact(value) && !PyList_CheckExact(value)) {
        return PyFloat_CheckExact(value) || PyBool_Check(value) || value == Py_None;
    }
    int result = Py_SIZE(value) <= MOST_TEXT;
    for (Py_ssize_t i = 0; result && i < Py_SIZE(value); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(value, i);
        result = !PyTuple_CheckExact(item) && !PyList_CheckExact(item) && is_short(item);
    }
    return result;
}

/* A number that `rjust` and its like may get. */
static int
is_width(PyObject *value)
{
    Py_ssize_t size = LONG_SIZE((PyLongObject *)value);
    return size >= -1 && size <= 1 && (size == 0 || LONG_DIGITS((PyLongObject *)value)[0] <= MOST_TEXT);
}

/* What the arguments of such a symbol are, in a new tuple. */
static PyObject *
parts_of(Search *s, int first, int n)
{
    PyObject *parts = PyTuple_New(n);
    for (int i = 0; parts != NULL && i < n; i++) {
        PyObject *part = computed(s, s->lines->arguments[first + i]);
        if (part == NULL) {
            Py_CLEAR(parts);
            break;
        }
        PyTuple_SET_ITEM(parts, i, part);
    }
    return parts;
}

/* A call gave it back as the line ran; or nothing else ran, and it is one of a built-in function of scalars. */
static PyObject *
call_value(Search *s, const Node *n)
{
    const int *arguments = s->lines->arguments + n->a;
    Frame *ran = s->ran;
    if (ran->returned != NULL && ran->returned_unit >= arguments[-3] && ran->returned_unit < arguments[-2]) {
        return Py_NewRef(ran->returned);
    }
    if (n->b < 0 || s->t->n_entered != ran->last_entered) {
        return NULL;
    }
    const Node *called = &s->lines->nodes[arguments[-1]];
    PyObject *callee = NULL, *self = NULL, *result = NULL;
    if (called->kind == N_METHOD) {
        self = computed(s, called->a);
        PyObject *name = PyTuple_GET_ITEM(ran->code->code->co_names, called->b);
        if (self != NULL && is_short(self) && (PyUnicode_CheckExact(self) || PyBytes_CheckExact(self)) && callee_is_quick(NULL, name)) {
            callee = PyObject_GetAttr(self, name);
        }
    }
    else {
        Found found = name_value(s, called->a, 0);
        callee = found.kind == F_OBJECT && callee_is_quick(found.object, NULL) ? Py_NewRef(found.object) : NULL;
    }
    PyObject *given = callee == NULL ? NULL : parts_of(s, n->a, n->b);
    int is_known = given != NULL;
    for (Py_ssize_t i = 0; is_known && i < n->b; i++) {
        PyObject *value = PyTuple_GET_ITEM(given, i);
        is_known = is_short(value) && (self == NULL || !PyLong_CheckExact(value) || is_width(value));
    }
    result = is_known ? PyObject_CallObject(callee, given) : NULL;
    Py_XDECREF(given);
    Py_XDECREF(callee);
    Py_XDECREF(self);
    return result;
}

static PyObject *
unary_value(Search *s, const Node *n)
{
    PyObject *a = computed(s, n->a), *result = NULL;
    if (a != NULL && is_short(a)) {
        result = n->op == UNARY_NEGATIVE  ? PyNumber_Negative(a)
                 : n->op == UNARY_INVERT  ? PyBool_Check(a) ? NULL : PyNumber_Invert(a)
                 : PyTuple_CheckExact(a) || PyList_CheckExact(a) ? NULL : PyObject_Format(a, NULL);
    }
    Py_XDECREF(a);
    return result;
}

/* Of two numbers that are no small ints, or two texts. */
static PyObject *
binary_value(Search *s, const Node *n)
{
    PyObject *a = computed(s, n->a), *b = a == NULL ? NULL : computed(s, n->b), *result = NULL;
    int is_float = a != NULL && b != NULL && (PyFloat_CheckExact(a) || PyFloat_CheckExact(b));
    if (b != NULL && is_short(a) && is_short(b)) {
        if (n->op == 0 && (is_float || (Py_TYPE(a) == Py_TYPE(b) && !PyList_CheckExact(a)))) {
            result = PyNumber_Add(a, b);
        }
        else if (is_float || (PyLong_CheckExact(a) && PyLong_CheckExact(b))) {
            result = n->op == 2    ? PyNumber_FloorDivide(a, b)
                     : n->op == 5  ? PyNumber_Multiply(a, b)
                     : n->op == 6  ? PyNumber_Remainder(a, b)
                     : n->op == 10 ? PyNumber_Subtract(a, b)
                     : n->op == 11 ? PyNumber_TrueDivide(a, b)
                                   : NULL;
        }
    }
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

/* An item or a part of a text. */
static PyObject *
text_item(Search *s, const Node *n)
{
    const Node *key = &s->lines->nodes[n->b];
    PyObject *base = computed(s, n->a), *result = NULL;
    int64_t index;
    if (base != NULL && (PyUnicode_CheckExact(base) || PyBytes_CheckExact(base))) {
        if (key->kind != N_SLICE) {
            result = int_value(s, n->b, &index) ? PySequence_GetItem(base, index + (index < 0 ? PyObject_Size(base) : 0)) : NULL;
        }
        else {
            PyObject *parts = parts_of(s, key->a, key->b);
            PyObject *slice = parts == NULL ? NULL : PySlice_New(PyTuple_GET_ITEM(parts, 0), PyTuple_GET_ITEM(parts, 1), key->b > 2 ? PyTuple_GET_ITEM(parts, 2) : NULL);
            result = slice == NULL ? NULL : PyObject_GetItem(base, slice);
            Py_XDECREF(slice);
            Py_XDECREF(parts);
        }
    }
    Py_XDECREF(base);
    return result;
}

static PyObject *
computed_once(Search *s, int node)
{
    const Node *n = &s->lines->nodes[node];
    PyObject *result = NULL, *parts = NULL;
    int64_t number;
    s->t->n_compared++;
    switch (n->kind) {
    case N_TUPLE: return parts_of(s, n->a, n->b);
    case N_SUM:
    case N_LENGTH: return int_value(s, node, &number) ? PyLong_FromLongLong(number) : NULL;
    case N_ARITHMETIC: return int_value(s, node, &number) ? PyLong_FromLongLong(number) : binary_value(s, n);
    case N_UNARY: return unary_value(s, n);
    case N_CALL: return call_value(s, n);
    case N_TEXT:
        parts = parts_of(s, n->a, n->b);
        if (parts != NULL && is_short(parts)) {
            PyObject *empty = PyUnicode_New(0, 0);
            result = empty == NULL ? NULL : PyUnicode_Join(empty, parts);
            Py_XDECREF(empty);
        }
        Py_XDECREF(parts);
        return result;
    case N_STACK:
    case N_SLICE: return NULL;
    default: break;
    }
    Found found = value_of(s, node);
    if (found.kind == F_OBJECT) {
        return is_basic(found.object) ? Py_NewRef(found.object) : NULL;
    }
    return n->kind == N_ITEM ? text_item(s, n) : NULL;
}

/* A new reference; NULL without an exception: it cannot be known. A list is one that was made here. */
static PyObject *
computed(Search *s, int node)
{
    PyObject *result = computed_once(s, node);
    if (result == NULL) {
        PyErr_Clear();
    }
    return result;
}

/* A new reference to a scalar or a tuple of them, as the line uses it for a key; NULL: it cannot be known. */
PyObject *
key_of(Search *s, int node)
{
    PyObject *key = computed(s, node);
    if (key != NULL && !is_plain_key(key)) {
        Py_CLEAR(key);
    }
    return key;
}

int
acts_as_dict(PyTypeObject *type, const char *method)
{
    if (type == &PyDict_Type) {
        return 1;
    }
    PyObject *name = PyUnicode_InternFromString(method);
    if (name == NULL) {
        PyErr_Clear();
        return 0;
    }
    int is_own = _PyType_Lookup(type, name) == _PyType_Lookup(&PyDict_Type, name);
    Py_DECREF(name);
    return is_own;
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
    int is_dict = PyDict_Check(base) && entry->shape->content == C_DICT && acts_as_dict(Py_TYPE(base), "__getitem__");
    PyObject *found = is_dict ? key_of(s, key) : NULL, *value = NULL;
    value = found == NULL ? NULL : dict_value((PyDictObject *)base, found);
    Py_XDECREF(found);
    return value == NULL ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, value};
}

/* What an instruction of the line took off the stack: its address still lies there in memory. Whether that lives is known
 * of objects only that were known when the line began, for no other object can have come to be at their address. */
static Found
left_value(Search *s, int depth)
{
    Entry *entry = heap_find(s->t, OWNED_REF(s->ran->frame->localsplus[s->ran->code->n_slots + depth]));
    return entry == NULL || entry->number >= s->ran->n_known ? (Found){F_FAIL, NULL} : (Found){F_OBJECT, entry->object};
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
    case N_STACK: return left_value(s, n->a);
    case N_ITEM:
        base = value_of(s, n->a);
        return base.kind == F_OBJECT ? item_value(s, base.object, n->b) : (Found){F_FAIL, NULL};
    default: return (Found){F_FAIL, NULL};
    }
}
