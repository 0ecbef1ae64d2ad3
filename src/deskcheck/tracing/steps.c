/* Finer than lines: what each instruction finds on the value stack, what each expression came to.
 *
 *   steps_enter(t, frame, f)     a frame begins or goes on: the interpreter is to report its instructions
 *   steps_opcode(t, frame)       an instruction is about to run; 1: stop the program
 *   steps_flush(t, frame)        a line is about to run: the expression before it is finished
 *
 * An instruction event holds the whole value stack (what is called included), and what the instruction before it
 * stored or changed. An expression's value lies on top of the stack once its instruction has run, which is at the
 * next event of the frame; an exception comes instead of a value.
 *
 * Code.step_at: at granularity expression the unit whose span (Code.steps) the instruction finishes, -1 for none; at
 * granularity instruction the number of stack slots, from the bottom, that the instruction leaves alone.
 *
 * From 3.12 on the interpreter does not store the stack pointer for these events: the depth is what labels.c says.
 */
#include "core.h"

enum { SIZE_EVERY = 256 }; /* events between two looks at the trace's size */
enum { AFTER_NAMES = 1, AFTER_OBJECTS = 2, AFTER_MODULES = 4, AFTER_ONE = 8 };
enum { EFFECT_NONE, EFFECT_SELF, EFFECT_ANY };
enum { POPS_UNKNOWN, POPS_BY_EFFECT, POPS_ONE, POPS_TWO, POPS_THREE, POPS_NONE, POPS_ARG, POPS_CALL, POPS_CALL_KW, POPS_STORE };
enum { ONE_NONE, ONE_TOP, ONE_SECOND, ONE_BY_ARG, ONE_RESULT, ONE_THIRD };

static uint8_t after[256]; /* what an instruction may have changed */
static uint8_t one[256];   /* AFTER_ONE: where on the stack the one object lies that it may have changed */
static uint8_t pops[256];  /* how much of the stack it takes */
static uint8_t is_call[256];
static int op_call = -1;

static const struct {
    const char *name;
    int after, one;
} changing[] = {
    {"STORE_FAST", AFTER_NAMES, 0}, {"DELETE_FAST", AFTER_NAMES, 0}, {"STORE_DEREF", AFTER_NAMES, 0},
    {"DELETE_DEREF", AFTER_NAMES, 0}, {"STORE_FAST_LOAD_FAST", AFTER_NAMES, 0},
    {"STORE_FAST_STORE_FAST", AFTER_NAMES, 0}, {"LOAD_FAST_AND_CLEAR", AFTER_NAMES, 0},
    {"STORE_NAME", AFTER_NAMES | AFTER_MODULES, 0}, {"DELETE_NAME", AFTER_NAMES | AFTER_MODULES, 0},
    {"STORE_GLOBAL", AFTER_MODULES, 0}, {"DELETE_GLOBAL", AFTER_MODULES, 0},
    {"STORE_SUBSCR", AFTER_ONE, ONE_SECOND}, {"STORE_SLICE", AFTER_ONE, ONE_THIRD}, {"STORE_ATTR", AFTER_ONE, ONE_TOP},
    {"DELETE_SUBSCR", AFTER_ONE, ONE_SECOND}, {"DELETE_ATTR", AFTER_ONE, ONE_TOP}, {"LIST_APPEND", AFTER_ONE, ONE_BY_ARG},
    {"SET_ADD", AFTER_ONE, ONE_BY_ARG}, {"FOR_ITER", AFTER_ONE, ONE_TOP}, {"BINARY_OP", AFTER_ONE, ONE_RESULT},
    {"MAP_ADD", AFTER_OBJECTS, 0}, {"LIST_EXTEND", AFTER_OBJECTS, 0}, {"SET_UPDATE", AFTER_OBJECTS, 0},
    {"DICT_UPDATE", AFTER_OBJECTS, 0}, {"DICT_MERGE", AFTER_OBJECTS, 0}, {"SEND", AFTER_OBJECTS, 0},
    {"UNPACK_SEQUENCE", AFTER_OBJECTS, 0}, {"UNPACK_EX", AFTER_OBJECTS, 0}, {"CALL", AFTER_OBJECTS, 0},
    {"CALL_KW", AFTER_OBJECTS, 0}, {"CALL_FUNCTION_EX", AFTER_OBJECTS, 0}, {"CONTAINS_OP", AFTER_OBJECTS, 0},
};

/* Instructions that give back one value, and ones that give back none, by PyCompile_OpcodeStackEffect. */
static const char by_effect[] =
    " LOAD_CONST LOAD_FAST LOAD_FAST_CHECK LOAD_FAST_LOAD_FAST LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF "
    "LOAD_CLOSURE LOAD_BUILD_CLASS BINARY_OP BINARY_SUBSCR BINARY_SLICE COMPARE_OP IS_OP CONTAINS_OP UNARY_NOT "
    "UNARY_NEGATIVE UNARY_POSITIVE UNARY_INVERT BUILD_LIST BUILD_TUPLE BUILD_MAP BUILD_SET BUILD_STRING BUILD_SLICE "
    "BUILD_CONST_KEY_MAP FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE TO_BOOL MAKE_FUNCTION GET_ITER "
    "YIELD_VALUE CALL_FUNCTION_EX CALL_INTRINSIC_1 LIST_TO_TUPLE LOAD_FAST_AND_CLEAR END_SEND ";
static const char by_storing[] =
    " STORE_FAST STORE_NAME STORE_GLOBAL STORE_DEREF STORE_SUBSCR STORE_SLICE STORE_ATTR DELETE_SUBSCR DELETE_ATTR "
    "DELETE_FAST DELETE_NAME LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE POP_TOP "
    "RETURN_VALUE NOP RESUME END_FOR "
    "POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_TRUE POP_JUMP_BACKWARD_IF_FALSE POP_JUMP_BACKWARD_IF_TRUE "
    "POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE "
    "POP_JUMP_IF_FALSE POP_JUMP_IF_TRUE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE ";

static int
listed(const char *name, const char *words)
{
    char word[64];
    PyOS_snprintf(word, sizeof(word), " %s ", name);
    return strstr(words, word) != NULL;
}

static int
pops_of(const char *name)
{
    if (listed(name, by_effect)) return POPS_BY_EFFECT;
    if (listed(name, by_storing)) return POPS_STORE;
    if (listed(name, " LOAD_METHOD LOAD_ATTR UNPACK_SEQUENCE UNPACK_EX JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP "
                     "GET_AWAITABLE GET_YIELD_FROM_ITER ")) return POPS_ONE;
    if (listed(name, " SEND ")) return POPS_TWO;
    if (listed(name, " LOAD_SUPER_ATTR ")) return POPS_THREE;
    if (listed(name, " COPY FOR_ITER PUSH_NULL JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT KW_NAMES ")) return POPS_NONE;
    if (listed(name, " SWAP ")) return POPS_ARG;
    if (listed(name, " CALL PRECALL ")) return POPS_CALL;
    if (listed(name, " CALL_KW ")) return POPS_CALL_KW;
    return POPS_UNKNOWN;
}

void
steps_note(int op, const char *name)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(changing); i++) {
        if (strcmp(name, changing[i].name) == 0) {
            after[op] = (uint8_t)changing[i].after;
            one[op] = (uint8_t)changing[i].one;
        }
    }
    pops[op] = (uint8_t)pops_of(name);
    op_call = strcmp(name, "CALL") == 0 ? op : op_call;
    is_call[op] = strncmp(name, "CALL", 4) == 0 && strncmp(name, "CALL_INTRINSIC", 14) != 0;
}

/* ------------------------------------------------------------------ asking for the events */

/* Ask for the events of a code object's instructions; from then on f_trace_opcodes says for which frames. */
static int
ask(PyFrameObject *f)
{
#if PY_VERSION_HEX >= 0x030D0000
    /* The setter does it where the frame has a trace function of its own. */
    PyObject *before = f->f_trace;
    f->f_trace = Py_NewRef(Py_None);
    int result = PyObject_SetAttrString((PyObject *)f, "f_trace_opcodes", Py_True);
    Py_XSETREF(f->f_trace, before);
    return result;
#else
    f->f_trace_opcodes = 1;
    return 0;
#endif
}

/* 3.12 looks at this when a trace function is set. */
void
steps_want(int on)
{
#if PY_VERSION_HEX >= 0x030C0000 && PY_VERSION_HEX < 0x030D0000
    PyInterpreterState_Get()->f_opcode_trace_set = on != 0;
#else
    (void)on;
#endif
}

/* How many slots an instruction leaves alone, from the bottom; too few where that is not known. */
int
steps_kept(int op, int arg, int depth)
{
    int n = depth, effect = 0;
    if (pops[op] == POPS_BY_EFFECT || pops[op] == POPS_STORE) {
        effect = PyCompile_OpcodeStackEffectWithJump(op, arg, -1);
        effect = effect == PY_INVALID_STACK_EFFECT ? -depth : effect;
    }
    switch (pops[op]) {
    case POPS_BY_EFFECT: n = effect < 1 ? 1 - effect : 0; break;
    case POPS_STORE: n = effect < 0 ? -effect : 0; break;
    case POPS_ONE: n = 1; break;
    case POPS_TWO: n = 2; break;
    case POPS_THREE: n = 3; break;
    case POPS_NONE: n = 0; break;
    case POPS_ARG: n = arg; break;
    case POPS_CALL: n = arg + 2; break;
    case POPS_CALL_KW: n = arg + 3; break;
    default: break;
    }
    return n < depth ? depth - n : 0;
}

static void
fill_kept(Code *code)
{
    for (int unit = 0; unit < code->n_units; unit++) {
        int is_long = unit && code->ops[unit - 1] == OP.extended_arg, depth = (int)strlen(code_labels(code, unit));
        code->step_at[unit] = is_long ? 0 : steps_kept(code->ops[unit], code->args[unit], depth);
    }
}

static int
fill_steps(Tracer *t, Code *code)
{
    code->step_at = PyMem_RawMalloc((size_t)code->n_units * sizeof(int32_t) + 4);
    if (code->step_at == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memset(code->step_at, 0xFF, (size_t)code->n_units * sizeof(int32_t));
    if (t->granularity == FINE_EXPRESSION) {
        return spans_fill(code);
    }
    fill_kept(code);
    return 0;
}

int
steps_enter(Tracer *t, Frame *frame, PyFrameObject *f)
{
    Code *code = frame->code;
    frame->pending = frame->last_unit = frame->reported = ABSENT;
    frame->touched = NULL;
    if (code->step_at == NULL && (fill_steps(t, code) < 0 || ask(f) < 0)) {
        return -1;
    }
    f->f_trace_opcodes = 1;
    return 0;
}

/* ------------------------------------------------------------------ one event */

/* The value stack: where it begins, and how deep it is before the instruction at this unit. */
static int
stack_of(Frame *frame, int unit, PyObject ***stack)
{
    _PyInterpreterFrame *iframe = frame->frame;
    int base = frame->code->n_slots, top = iframe->stacktop;
    *stack = iframe->localsplus + base;
    if (top >= base && top <= base + frame->code->code->co_stacksize) {
        return top - base;
    }
    return (int)strlen(code_labels(frame->code, unit));
}

static int
write_fine(Tracer *t, int kind, Frame *frame, int32_t handle, const Step *step, int unit)
{
    EventColumns *c = &t->columns.events;
    int line = frame->line;
    if (step != NULL) {
        frame->line = step->line;
    }
    int result = write_row(t, kind, frame, handle);
    frame->line = line;
    if (result < 0) {
        return -1;
    }
    if (step != NULL) {
        c->end_line[c->n - 1] = step->end_line;
        c->column[c->n - 1] = step->column;
        c->end_column[c->n - 1] = step->end_column;
    }
    else {
        int op = frame->code->ops[unit];
        if (t->op_names[op] < 0) {
            PyObject *name = PyList_GetItem(t->op_texts, op);
            t->op_names[op] = name == NULL ? FAILED : columns_name(t, name);
            if (t->op_names[op] < 0) {
                return -1;
            }
        }
        c->offset[c->n - 1] = 2 * unit;
        c->opcode[c->n - 1] = t->op_names[op];
    }
    if (UNLIKELY(c->n % SIZE_EVERY == 0) && columns_size(t) > t->trace_bytes) {
        t->failure = FAILURE_BYTES;
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ what may have changed */

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

/* What a call may change that no event of its own will tell: an object's own contents, or anything. */
static int
call_effect(Tracer *t, PyObject **stack, int n, int n_arguments, PyObject **self)
{
    int low = n - n_arguments - 2, is_new = PY_VERSION_HEX >= 0x030D0000;
    *self = NULL;
    if (low < 0 || t->n_stacks > 1 || t->heap.n_wild) {
        return EFFECT_ANY;
    }
    PyObject *callee = stack[low] == NULL ? stack[low + 1] : stack[low];
    PyObject *receiver = stack[low] == NULL || (is_new && stack[low + 1] == NULL) ? NULL : stack[low + 1];
    if (PyFunction_Check(callee) || (PyMethod_Check(callee) && PyFunction_Check(PyMethod_GET_FUNCTION(callee)))) {
        return EFFECT_NONE; /* its events, or the counter of foreign code */
    }
    for (int i = low + 2; i < n; i++) {
        if (!is_plain_data(t, stack[i]) && !PyType_Check(stack[i]) && !PyFunction_Check(stack[i])) {
            return EFFECT_ANY;
        }
    }
    if (Py_IS_TYPE(callee, &PyMethodDescr_Type) && receiver != NULL) {
        *self = receiver;
    }
    else if (PyCFunction_CheckExact(callee) && receiver == NULL) {
        PyObject *bound = PyCFunction_GET_SELF(callee);
        if (bound == NULL || PyModule_Check(bound)) {
            return touch_is_pure(callee) ? EFFECT_NONE : EFFECT_ANY;
        }
        *self = bound;
    }
    else {
        return receiver == NULL && touch_is_pure(callee) ? EFFECT_NONE : EFFECT_ANY;
    }
    if (is_scalar(t, *self) || PyTuple_CheckExact(*self)) {
        return EFFECT_NONE;
    }
    return is_plain_data(t, *self) ? EFFECT_SELF : EFFECT_ANY;
}

/* Before a call: what will have to be looked at when it is over. */
static void
note_call(Tracer *t, Frame *frame, int unit, PyObject **stack, int n)
{
    frame->touched = NULL;
    frame->effect = frame->code->ops[unit] == op_call ? call_effect(t, stack, n, frame->code->args[unit], &frame->touched)
                                                    : EFFECT_ANY;
    frame->n_foreign_before = t->n_foreign;
}

/* After it, where it had no event of its own. */
static int
look_after_call(Tracer *t, Frame *frame)
{
    PyObject *touched = frame->touched;
    frame->touched = NULL;
    if (frame->effect == EFFECT_ANY || t->n_foreign != frame->n_foreign_before) {
        return heap_look(t);
    }
    return touched != NULL && frame->effect == EFFECT_SELF ? heap_look_at(t, touched) : heap_look_new(t);
}

/* ------------------------------------------------------------------ the two kinds of events */

/* The expression that the frame's last instruction finished: its value lies on top. */
int
steps_flush(Tracer *t, Frame *frame)
{
    if (frame->pending < 0) {
        return 0;
    }
    const Step *step = &frame->code->steps[frame->pending];
    frame->pending = ABSENT;
    PyObject **stack;
    int n = stack_of(frame, unit_of(frame->frame), &stack);
    PyObject *value = n > 0 ? stack[n - 1] : NULL;
    if (value == NULL) {
        return 0;
    }
    t->heap.depth = 0;
    int32_t handle = heap_handle(t, value);
    /* A call may have changed things; after the events of a callee in Python everything has been looked at. */
    int is_old = is_call[frame->code->ops[step->unit]] &&
                 (frame->effect != EFFECT_NONE || t->columns.events.n == frame->pending_from);
    if (handle < 0 || (is_old && look_after_call(t, frame) < 0)) {
        return -1;
    }
    if ((t->columns.values.kind[handle] == V_REF ? heap_look_at(t, value) : heap_look_new(t)) < 0) {
        return -1;
    }
    return write_fine(t, EV_EXPRESSION, frame, handle, step, 0);
}

/* The one object that the instruction may change: an address, compared with what is known when it has run. */
static PyObject *
touched_by(Frame *frame, int unit, PyObject **stack, int n)
{
    int op = frame->code->ops[unit], below = 0;
    switch (one[op]) {
    case ONE_TOP: below = 1; break;
    case ONE_SECOND: below = 2; break;
    case ONE_THIRD: below = 3; break;
    case ONE_BY_ARG: below = 1 + frame->code->args[unit]; break;
    default: return NULL;
    }
    return below <= n ? stack[n - below] : NULL;
}

/* What the instruction before may have changed among the objects. */
static int
look_after(Tracer *t, Frame *frame, PyObject **stack, int n)
{
    int op = frame->last_unit < 0 ? -1 : frame->code->ops[frame->last_unit];
    if (op >= 0 && after[op] & AFTER_ONE) {
        PyObject *touched = one[op] != ONE_RESULT ? frame->touched : n > 0 ? stack[n - 1] : NULL;
        frame->touched = NULL;
        if (touched == NULL) {
            return heap_look_new(t);
        }
        if (op == OP.for_iter && !frame->is_plain_loop) {
            return heap_look(t);
        }
        return heap_look_at(t, touched);
    }
    if (op >= 0 && is_call[op] && frame->effect != EFFECT_NONE) {
        return look_after_call(t, frame);
    }
    /* After the events of a callee everything has been looked at. */
    if (op < 0 || !(after[op] & AFTER_OBJECTS) || t->columns.events.kind[t->columns.events.n - 1] != EV_INSTRUCTION) {
        return heap_look_new(t);
    }
    return is_call[op] ? look_after_call(t, frame) : heap_look(t);
}

static int
instruction(Tracer *t, Frame *frame, int unit)
{
    int last = frame->last_unit, changed = last < 0 ? 0 : after[frame->code->ops[last]];
    t->heap.depth = 0;
    if (changed & AFTER_NAMES && frame_update_names(t, frame) < 0) {
        return -1;
    }
    PyObject **stack;
    int n = stack_of(frame, unit, &stack);
    if (frame_update_top(t, frame, stack, n, last < 0 ? 0 : frame->code->step_at[last]) < 0 ||
        (changed & AFTER_MODULES && modules_update(t) < 0) || look_after(t, frame, stack, n) < 0) {
        return -1;
    }
    frame->last_unit = unit;
    if (is_call[frame->code->ops[unit]]) {
        note_call(t, frame, unit, stack, n);
    }
    else if (one[frame->code->ops[unit]]) {
        frame->touched = touched_by(frame, unit, stack, n);
        frame->is_plain_loop = frame->touched != NULL && is_plain_iterator(Py_TYPE(frame->touched));
    }
    frame->line = frame->code->lines[unit] < 0 ? frame->line : frame->code->lines[unit];
    return write_fine(t, EV_INSTRUCTION, frame, ABSENT, NULL, unit);
}

int
steps_opcode(Tracer *t, Frame *frame)
{
    Code *code = frame->code;
    int first = unit_of(frame->frame), unit = first;
    if (first < 0 || first >= code->n_units) {
        return 0;
    }
    if (first == frame->reported) {
        frame->reported = ABSENT;
        return 0;
    }
    while (code->ops[unit] == OP.extended_arg && unit < code->n_units - 1) {
        unit++; /* the instruction itself; where it is reported too, it has been told already */
    }
    frame->reported = unit != first ? unit : ABSENT;
    if (t->granularity == FINE_INSTRUCTION) {
        return instruction(t, frame, unit);
    }
    int result = steps_flush(t, frame);
    frame->pending = code->step_at[unit];
    frame->pending_from = t->columns.events.n;
    if (frame->pending >= 0 && is_call[code->ops[unit]]) {
        PyObject **stack;
        int n = stack_of(frame, first, &stack);
        note_call(t, frame, unit, stack, n);
    }
    return result;
}
