/* What an instruction may have changed: known before it runs from what lies on its stack, looked at when it has run.
 *
 *   effects_before(t, frame, unit, stack, n)     the instruction at `unit` is about to run
 *   effects_look(t, frame, stack, n)             it has run: the objects that it may have changed
 *   effects_of(frame)                            whether names and modules may have changed, AFTER_*
 *
 * An instruction that is not listed here makes the next event that is none compare everything (t->is_unsure). What
 * runs in Python has events of its own; what a callee in C changes is said by what it is and by what it is given.
 */
#include "events.h"

enum { ONE_NONE, ONE_TOP, ONE_SECOND, ONE_BY_ARG, ONE_RESULT, ONE_THIRD, ONE_MAP, ONE_UPDATED };

static uint8_t after[256];
static uint8_t one[256]; /* AFTER_ONE: where on the stack the one object lies that it may have changed */
static uint8_t is_call[256], is_attribute[256], gives[256];
static int op_call = -1, op_store = -1, op_attribute = -1, op_append = -1, op_binary = -1;

static const struct {
    const char *name;
    int after, one;
} changing[] = {
    {"STORE_FAST", AFTER_NAMES, 0}, {"DELETE_FAST", AFTER_NAMES, 0}, {"STORE_DEREF", AFTER_NAMES | AFTER_CELLS, 0},
    {"DELETE_DEREF", AFTER_NAMES | AFTER_CELLS, 0}, {"STORE_FAST_LOAD_FAST", AFTER_NAMES, 0},
    {"STORE_FAST_STORE_FAST", AFTER_NAMES, 0}, {"LOAD_FAST_AND_CLEAR", AFTER_NAMES, 0},
    {"STORE_NAME", AFTER_NAMES | AFTER_MODULES, 0}, {"DELETE_NAME", AFTER_NAMES | AFTER_MODULES, 0},
    {"STORE_GLOBAL", AFTER_MODULES, 0}, {"DELETE_GLOBAL", AFTER_MODULES, 0},
    {"STORE_SUBSCR", AFTER_ONE, ONE_SECOND}, {"STORE_SLICE", AFTER_ONE, ONE_THIRD}, {"STORE_ATTR", AFTER_ONE, ONE_TOP},
    {"DELETE_SUBSCR", AFTER_ONE, ONE_SECOND}, {"DELETE_ATTR", AFTER_ONE, ONE_TOP}, {"LIST_APPEND", AFTER_ONE, ONE_BY_ARG},
    {"SET_ADD", AFTER_ONE, ONE_BY_ARG}, {"MAP_ADD", AFTER_ONE, ONE_MAP}, {"FOR_ITER", AFTER_ONE, ONE_TOP},
    {"BINARY_OP", AFTER_ONE, ONE_RESULT}, {"SET_FUNCTION_ATTRIBUTE", AFTER_ONE, ONE_RESULT},
    {"LIST_EXTEND", AFTER_OBJECTS, ONE_UPDATED}, {"SET_UPDATE", AFTER_OBJECTS, ONE_UPDATED},
    {"DICT_UPDATE", AFTER_OBJECTS, ONE_UPDATED}, {"DICT_MERGE", AFTER_OBJECTS, ONE_UPDATED}, {"SEND", AFTER_OBJECTS, 0},
    {"UNPACK_SEQUENCE", AFTER_OBJECTS, ONE_TOP}, {"UNPACK_EX", AFTER_OBJECTS, ONE_TOP}, {"CALL", AFTER_OBJECTS, 0},
    {"CALL_KW", AFTER_OBJECTS, 0}, {"CALL_FUNCTION_EX", AFTER_OBJECTS, 0}, {"CONTAINS_OP", AFTER_OBJECTS, ONE_TOP}, {"BEFORE_WITH", AFTER_OBJECTS, 0},
};

/* Those that change nothing, beside the ones that steps.c knows the stack effect of. */
static const char harmless[] =
    " MAKE_CELL COPY_FREE_VARS PUSH_EXC_INFO POP_EXCEPT RERAISE RAISE_VARARGS LOAD_ASSERTION_ERROR CHECK_EXC_MATCH "
    "RETURN_CONST RETURN_GENERATOR CACHE EXTENDED_ARG GET_LEN MATCH_SEQUENCE MATCH_MAPPING MATCH_KEYS ";

/* What Python code that one of these has called gives back lies on the stack then, and nothing in C has called it. (The
 * item of a class can be one that `__class_getitem__` gives, which Python code may have given.) */
static const char giving[] = " LOAD_ATTR LOAD_METHOD LOAD_SUPER_ATTR IMPORT_FROM ";

/* `is_known`: steps.c lists it. */
void
effects_note(int op, const char *name, int is_known)
{
    after[op] = is_known || listed(name, harmless) ? 0 : AFTER_UNKNOWN;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(changing); i++) {
        if (strcmp(name, changing[i].name) == 0) {
            after[op] = (uint8_t)changing[i].after;
            one[op] = (uint8_t)changing[i].one;
        }
    }
    op_call = strcmp(name, "CALL") == 0 ? op : op_call;
    op_store = strcmp(name, "STORE_SUBSCR") == 0 ? op : op_store;
    op_attribute = strcmp(name, "STORE_ATTR") == 0 ? op : op_attribute;
    op_append = strcmp(name, "LIST_APPEND") == 0 ? op : op_append;
    op_binary = strcmp(name, "BINARY_OP") == 0 ? op : op_binary;
    gives[op] = (uint8_t)listed(name, giving);
    is_attribute[op] = strcmp(name, "LOAD_ATTR") == 0 || strcmp(name, "LOAD_METHOD") == 0;
    is_call[op] = strncmp(name, "CALL", 4) == 0 && strncmp(name, "CALL_INTRINSIC", 14) != 0;
}

int
effects_is_call(int op)
{
    return is_call[op];
}

int
effects_gives(int op)
{
    return op >= 0 && gives[op];
}

static inline int
after_of(const Frame *frame, int unit)
{
    int op = frame->code->ops[unit];
    return one[op] == ONE_RESULT && SUBSCRIPT >= 0 && op == op_binary && frame->code->args[unit] == SUBSCRIPT ? 0 : after[op];
}

int
effects_of(Frame *frame)
{
    return frame->last_unit < 0 ? 0 : after_of(frame, frame->last_unit);
}

/* ------------------------------------------------------------------ before it runs */

/* Iterators that keep their place themselves: nothing else changes when they go on. */
static int
is_plain_iterator(PyTypeObject *type)
{
    return type == &PyListIter_Type || type == &PyTupleIter_Type || type == &PyRangeIter_Type ||
           type == &PyUnicodeIter_Type || type == &PyDictIterKey_Type || type == &PyDictIterItem_Type ||
           type == &PyDictIterValue_Type || type == &PySetIter_Type || type == &PyBytesIter_Type;
}

static int
is_plain_data(Tracer *t, PyObject *value)
{
    return value == NULL || is_scalar(t, value) || PyList_CheckExact(value) || PyTuple_CheckExact(value) ||
           PyDict_CheckExact(value) || PyAnySet_CheckExact(value) || Py_IS_TYPE(value, &PyRange_Type);
}

static const char *
method_name(PyObject *callee)
{
    return PyCFunction_CheckExact(callee) ? ((PyCFunctionObject *)callee)->m_ml->ml_name
                                          : ((PyMethodDescrObject *)callee)->d_method->ml_name;
}

/* What a call may change that no event of its own will tell: an object's own contents, or anything. */
static int
call_effect(Tracer *t, Ref *stack, int n, int n_arguments, PyObject **self, Py_ssize_t *place)
{
    int low = n - n_arguments - 2, is_new = PY_VERSION_HEX >= 0x030D0000;
    *self = NULL;
    if (low < 0 || t->n_stacks > 1) {
        return EFFECT_ANY;
    }
    PyObject *first = REF(stack[low]), *second = REF(stack[low + 1]);
    PyObject *callee = first == NULL ? second : first;
    PyObject *receiver = first == NULL || (is_new && second == NULL) ? NULL : second;
    if (PyFunction_Check(callee) || (PyMethod_Check(callee) && PyFunction_Check(PyMethod_GET_FUNCTION(callee)))) {
        return EFFECT_NONE; /* its events, or the counter of foreign code */
    }
    for (int i = low + 2; i < n; i++) {
        PyObject *argument = REF(stack[i]);
        int is_code = PyType_Check(argument) || PyFunction_Check(argument);
        if (!is_plain_data(t, argument) && (!is_code || callee_is_print(callee))) {
            return EFFECT_ANY;
        }
    }
    if (Py_IS_TYPE(callee, &PyMethodDescr_Type) && receiver != NULL) {
        *self = receiver;
    }
    else if (PyCFunction_CheckExact(callee) && receiver == NULL) {
        PyObject *bound = PyCFunction_GET_SELF(callee);
        if (bound == NULL || PyModule_Check(bound)) {
            return callee_is_pure(callee) ? EFFECT_NONE : EFFECT_ANY;
        }
        *self = bound;
    }
    else {
        return receiver == NULL && callee_is_pure(callee) ? EFFECT_NONE : EFFECT_ANY;
    }
    if (is_scalar(t, *self) || PyTuple_CheckExact(*self)) {
        return EFFECT_NONE;
    }
    if (PyList_CheckExact(*self) && n_arguments == 1 && strcmp(method_name(callee), "append") == 0) {
        *place = PLACE_END;
    }
    return is_plain_data(t, *self) ? EFFECT_SELF : EFFECT_ANY;
}

/* The place of a list that a store changes. */
static Py_ssize_t
place_of(PyObject *list, PyObject *key)
{
    if (!PyList_CheckExact(list) || !PyLong_CheckExact(key)) {
        return PLACE_ALL;
    }
    Py_ssize_t size = LONG_SIZE((PyLongObject *)key);
    if (size < -1 || size > 1) {
        return PLACE_ALL;
    }
    Py_ssize_t place = size == 0 ? 0 : size * (Py_ssize_t)LONG_DIGITS((PyLongObject *)key)[0];
    place += place < 0 ? PyList_GET_SIZE(list) : 0;
    return place < 0 ? PLACE_ALL : place;
}

/* The one object that the instruction may change: an address, compared with what is known when it has run. */
static PyObject *
touched_by(Frame *frame, int unit, Ref *stack, int n)
{
    int op = frame->code->ops[unit], arg = frame->code->args[unit], below = 0;
    int is_long = unit && frame->code->ops[unit - 1] == OP.extended_arg;
    switch (one[op]) {
    case ONE_TOP: below = 1; break;
    case ONE_SECOND: below = 2; break;
    case ONE_THIRD: below = 3; break;
    case ONE_BY_ARG:
    case ONE_UPDATED: below = is_long ? n + 1 : 1 + arg; break;
    case ONE_MAP: below = is_long ? n + 1 : 2 + arg; break;
    default: return NULL;
    }
    return below <= n ? REF(stack[n - below]) : NULL;
}

/* Whether a store into it changes nothing else: one into a memoryview does. */
static int
stays_inside(Tracer *t, PyObject *object)
{
    Entry *entry = heap_find(t, object);
    if (PyList_CheckExact(object) || PyDict_CheckExact(object) || keeps_its_own(Py_TYPE(object), entry) ||
        PyModule_CheckExact(object) || PyType_Check(object)) {
        return 1;
    }
    return entry != NULL && (entry->shape->content != C_NONE || entry->shape->reader == R_EXCEPTION ||
                             is_namespace_object(Py_TYPE(object), entry));
}

/* Whether the references that its attributes hold are counted (reach.c). */
static int
is_counted(Tracer *t, PyObject *object)
{
    Entry *entry = heap_find(t, object);
    return entry != NULL && (entry->shape->reader == R_INSTANCE || entry->shape->reader == R_EXCEPTION);
}

/* What an instruction takes off the stack: what it does to that is not known. */
static int
give_operands(Tracer *t, Frame *frame, int unit, Ref *stack, int n)
{
    int is_long = unit && frame->code->ops[unit - 1] == OP.extended_arg, has_module = 0;
    for (int i = is_long ? 0 : stack_kept(frame->code->ops[unit], frame->code->args[unit], n); i < n; i++) {
        PyObject *value = REF(stack[i]);
        if (reach_give(t, frame, value) < 0) {
            return -1;
        }
        if (value != NULL && has_module) { /* `setattr(module, name, value)` */
            guard_module(t, value);
        }
        has_module |= value != NULL && PyModule_Check(value);
    }
    return 0;
}

/* What will have to be looked at when it is over. */
int
effects_before(Tracer *t, Frame *frame, int unit, Ref *stack, int n)
{
    int op = frame->code->ops[unit], changes = after_of(frame, unit);
    PyObject *top = n > 0 ? REF(stack[n - 1]) : NULL;
    frame->n_foreign_before = t->n_foreign;
    if (LIKELY(!(changes & (AFTER_ONE | AFTER_OBJECTS)))) {
        t->is_unsure |= changes & (AFTER_CELLS | AFTER_UNKNOWN);
        /* f_locals of a frame writes to the dictionary that locals() gave, before 3.13. */
        t->is_unsure |= is_attribute[op] && top != NULL && PyFrame_Check(top);
        return 0;
    }
    frame->touched_place = PLACE_ALL;
    frame->effect = EFFECT_ANY;
    if (is_call[op]) {
        frame->touched = NULL;
        if (op == op_call) {
            frame->effect = (int8_t)call_effect(t, stack, n, frame->code->args[unit], &frame->touched, &frame->touched_place);
        }
        return frame->effect == EFFECT_ANY ? give_operands(t, frame, unit, stack, n) : 0;
    }
    frame->touched = touched_by(frame, unit, stack, n);
    if (one[op] != ONE_RESULT && op != OP.for_iter && changes & AFTER_ONE) {
        t->is_unsure |= frame->touched == NULL || !stays_inside(t, frame->touched);
        if (op == op_attribute && n > 1 && REF(stack[n - 2]) != NULL) { /* a module's attributes are not recorded */
            guard_attribute(t, frame->touched == NULL ? NULL : Py_TYPE(frame->touched), PyTuple_GET_ITEM(frame->code->code->co_names, frame->code->args[unit]), REF(stack[n - 2]));
            if (frame->touched != NULL && PyModule_Check(frame->touched)) {
                guard_module(t, REF(stack[n - 2]));
            }
        }
        t->heap.must_recheck |= one[op] == ONE_TOP && frame->touched != NULL && n > 1 && REF(stack[n - 2]) != NULL &&
                                 !is_scalar(t, REF(stack[n - 2])) && !is_counted(t, frame->touched);
    }
    if (op == op_store && n >= 2) {
        frame->touched_place = place_of(REF(stack[n - 2]), top);
    }
    else if (op == op_append) {
        frame->touched_place = PLACE_END;
    }
    else if (op == OP.for_iter) {
        frame->is_plain_loop = frame->touched != NULL && is_plain_iterator(Py_TYPE(frame->touched));
        return frame->is_plain_loop ? 0 : reach_give(t, frame, frame->touched);
    }
    else if (changes & AFTER_OBJECTS && n > 0 && is_plain_data(t, top)) {
        frame->effect = one[op] == ONE_UPDATED ? EFFECT_SELF : one[op] == ONE_TOP ? EFFECT_NONE : EFFECT_ANY;
    }
    return after[op] & AFTER_OBJECTS && frame->effect == EFFECT_ANY ? give_operands(t, frame, unit, stack, n) : 0;
}

/* ------------------------------------------------------------------ when it has run */

/* The one object that an instruction may have changed: an address that may be dead. */
PyObject *
effects_touched(Frame *frame)
{
    int op = frame->last_unit < 0 ? -1 : frame->code->ops[frame->last_unit];
    return op >= 0 && after[op] & (AFTER_ONE | AFTER_OBJECTS) ? frame->touched : NULL;
}

/* Whether that is all that it may have changed. */
int
effects_is_known(int op)
{
    return op >= 0 && !(after[op] & AFTER_ONE && one[op] == ONE_RESULT);
}

/* Whether an operator gave an array back that is known: its memory may be that of others too. */
static int
shares_memory(Tracer *t, PyObject *result)
{
    Entry *entry = heap_find(t, result);
    return entry != NULL && (entry->shape->is_summary || entry->shape->content == C_BYTEARRAY || entry->shape->content == C_ARRAY);
}

/* After something that is not known: what it was handed, and what libraries may have kept. */
static int
look_far(Tracer *t, Frame *frame, PyObject *touched)
{
    if (t->n_stacks > 1 || t->is_brute) {
        t->heap.must_recheck = 1;
        return heap_look(t);
    }
    if (reach_give_known(t, frame, touched) < 0) {
        return -1;
    }
    return reach_look(t, frame, REACH_GIVEN | REACH_HIDDEN | (has_wild(t) ? REACH_WILD : 0));
}

/* After a call, where that had no event of its own. */
int
effects_look_call(Tracer *t, Frame *frame)
{
    PyObject *touched = frame->touched;
    int is_any = frame->effect == EFFECT_ANY || t->n_foreign != frame->n_foreign_before;
    int is_self = frame->effect == EFFECT_SELF;
    frame->touched = NULL;
    frame->effect = EFFECT_NONE;
    frame->n_foreign_before = t->n_foreign;
    if (is_any) {
        return look_far(t, frame, touched);
    }
    return touched != NULL && is_self ? heap_look_place(t, touched, frame->touched_place) : heap_look_new(t);
}

/* A store to a name changes the dictionary that holds it too: what globals() gave, or locals() in a class body. */
static int
look_at_namespaces(Tracer *t, Frame *frame)
{
    PyObject *globals = frame->frame->f_globals, *locals = frame->frame->f_locals;
    if (heap_look_place(t, globals, PLACE_ALL) < 0) {
        return -1;
    }
    return locals == NULL || locals == globals ? 0 : heap_look_place(t, locals, PLACE_ALL);
}

int
effects_look(Tracer *t, Frame *frame, Ref *stack, int n)
{
    int op = frame->last_unit < 0 ? -1 : frame->code->ops[frame->last_unit], changes = effects_of(frame);
    if (LIKELY(op >= 0 && !(changes & (AFTER_ONE | AFTER_OBJECTS)))) {
        if (UNLIKELY(changes & AFTER_MODULES) && look_at_namespaces(t, frame) < 0) {
            return -1;
        }
        return t->heap.fresh.n | t->heap.cut.n ? heap_look_new(t) : 0;
    }
    if (op >= 0 && changes & AFTER_ONE) {
        PyObject *touched = one[op] != ONE_RESULT ? frame->touched : n > 0 ? REF(stack[n - 1]) : NULL;
        Py_ssize_t place = frame->touched_place;
        frame->touched = NULL;
        if (touched == NULL) {
            return heap_look_new(t);
        }
        return (op == OP.for_iter && !frame->is_plain_loop) || (one[op] == ONE_RESULT && shares_memory(t, touched))
                   ? look_far(t, frame, touched)
                   : heap_look_place(t, touched, place);
    }
    /* After the events of a callee everything has been looked at. */
    if (op < 0 || (frame->effect == EFFECT_NONE && t->columns.events.kind[t->columns.events.n - 1] != EV_INSTRUCTION)) {
        return heap_look_new(t);
    }
    return effects_look_call(t, frame);
}
