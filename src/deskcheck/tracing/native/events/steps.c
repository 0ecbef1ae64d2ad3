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
#include "events.h"

enum { SIZE_EVERY = 256 }; /* events between two looks at the trace's size */
void
steps_note(int op, const char *name)
{
    effects_note(op, name, stack_is_known(op));
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

/* 3.12 looks at its flag when a trace function is set: `wanted` while a trace runs, and -1 once the program's own tracer
   or none follows: as it was. A program that asks for events of instructions sets it for good, and no trace undoes that. */
void
steps_want(int wanted)
{
#if PY_VERSION_HEX >= 0x030C0000 && PY_VERSION_HEX < 0x030D0000
    static int was_set, was_wanted;
    PyInterpreterState *state = PyInterpreterState_Get();
    if (wanted >= 0) {
        was_set = state->f_opcode_trace_set;
        was_wanted = wanted;
        state->f_opcode_trace_set = wanted;
    }
    else if (was_set || was_wanted) {
        state->f_opcode_trace_set = was_set;
        was_wanted = 0;
    }
#else
    (void)wanted;
#endif
}

static void
fill_kept(Code *code)
{
    for (int unit = 0; unit < code->n_units; unit++) {
        int is_long = unit && code->ops[unit - 1] == OP.extended_arg, depth = (int)strlen(code_labels(code, unit));
        code->step_at[unit] = is_long ? 0 : stack_kept(code->ops[unit], code->args[unit], depth);
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
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->code->co_names); i++) {
        code->reads_dict |= PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(code->code->co_names, i), "__dict__") == 0;
    }
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
    frame->effect = EFFECT_NONE;
    if (code->step_at == NULL && (fill_steps(t, code) < 0 || ask(f) < 0)) {
        return -1;
    }
    f->f_trace_opcodes = 1;
    return 0;
}

/* ------------------------------------------------------------------ one event */

/* The value stack: where it begins, and how deep it is before the instruction at this unit. */
static int
stack_of(Frame *frame, int unit, Ref **stack)
{
    _PyInterpreterFrame *iframe = frame->frame;
    int base = frame->code->n_slots, top = STACK_TOP(iframe);
    *stack = iframe->localsplus + base;
    if (top >= base && top <= base + frame->code->code->co_stacksize) {
        return top - base;
    }
    return (int)strlen(code_labels(frame->code, unit));
}

/* 1: stop the program, the trace is too big. */
static inline int
check_size(Tracer *t)
{
    if (UNLIKELY(t->columns.events.n % SIZE_EVERY == 0) && columns_size(t) > t->trace_bytes) {
        t->failure = FAILURE_BYTES;
        return 1;
    }
    return 0;
}

static int
write_expression(Tracer *t, Frame *frame, int32_t handle, const Step *step)
{
    EventColumns *c = &t->columns.events;
    if (put_row(t, EV_EXPRESSION, frame, handle) < 0) {
        return -1;
    }
    c->line[c->n - 1] = step->line;
    c->end_line[c->n - 1] = step->end_line;
    c->column[c->n - 1] = step->column;
    c->end_column[c->n - 1] = step->end_column;
    return check_size(t);
}

static int
name_op(Tracer *t, int op)
{
    PyObject *name = PyList_GetItem(t->op_texts, op);
    t->op_names[op] = name == NULL ? FAILED : columns_name(t, name);
    return t->op_names[op] < 0 ? -1 : 0;
}

static inline int
write_instruction(Tracer *t, Frame *frame, int unit)
{
    EventColumns *c = &t->columns.events;
    int op = frame->code->ops[unit];
    if ((UNLIKELY(t->op_names[op] < 0) && name_op(t, op) < 0) || put_row(t, EV_INSTRUCTION, frame, ABSENT) < 0) {
        return -1;
    }
    c->offset[c->n - 1] = 2 * unit;
    c->opcode[c->n - 1] = t->op_names[op];
    return check_size(t);
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
    Ref *stack;
    int n = stack_of(frame, unit_of(frame->frame), &stack);
    PyObject *value = n > 0 ? REF(stack[n - 1]) : NULL;
    if (value == NULL) {
        return 0;
    }
    t->heap.depth = 0;
    if (UNLIKELY(t->has_frames) && names_of_frames(t, frame) < 0) {
        return -1;
    }
    int32_t handle = heap_handle(t, value);
    /* A call may have changed things; after the events of a callee in Python everything has been looked at. */
    int is_old = effects_is_call(frame->code->ops[step->unit]) &&
                 (frame->effect != EFFECT_NONE || t->columns.events.n == frame->pending_from);
    if (handle < 0 || (is_old && effects_look_call(t, frame) < 0) || ((t->is_hidden | t->others_ran) && heap_look(t) < 0)) {
        return -1;
    }
    if ((t->columns.values.kind[handle] == V_REF ? heap_look_at(t, value) : heap_look_new(t)) < 0) {
        return -1;
    }
    return write_expression(t, frame, handle, step);
}

static int
instruction(Tracer *t, Frame *frame, int unit)
{
    int last = frame->last_unit, changed = effects_of(frame);
    t->heap.depth = 0;
    if (UNLIKELY(t->has_frames) ? names_of_frames(t, frame) < 0 : changed & AFTER_NAMES && look_at_names(t, frame, -1) < 0) {
        return -1;
    }
    Ref *stack;
    int n = stack_of(frame, unit, &stack);
    if (frame_update_top(t, frame, stack, n, last < 0 ? 0 : frame->code->step_at[last]) < 0 ||
        ((changed & AFTER_MODULES || t->is_hidden) && modules_update(t) < 0) || effects_look(t, frame, stack, n) < 0 ||
        ((t->is_hidden | t->others_ran) && heap_look(t) < 0)) {
        return -1;
    }
    frame->last_unit = unit;
    if (effects_before(t, frame, unit, stack, n) < 0) {
        return -1;
    }
    frame->line = frame->code->lines[unit] < 0 ? frame->line : frame->code->lines[unit];
    return write_instruction(t, frame, unit);
}

/* A line begins: its iterators are those that its frame had, in most cases, and nothing else is on the stack. */
int
steps_stack(Tracer *t, Frame *frame)
{
    Ref *stack;
    int unit = unit_of(frame->frame), n = stack_of(frame, unit, &stack);
    const char *labels = code_labels(frame->code, unit);
    if (frame->last_unit < 0 || !frame->is_stack_full || n > frame->n_stack || (int)strspn(labels, "I") < n) {
        return look_at_stack(t, frame);
    }
    return frame_update_top(t, frame, stack, n, frame->code->step_at[frame->last_unit]);
}

/* Before an event that is none: 1: every object is to be compared, 0: what steps_look() says, or what is in t->touched. */
int
steps_any(Tracer *t, Frame *ran, int kind)
{
    guard_look(t);
    int op = ran == NULL || ran->last_unit < 0 ? -1 : ran->code->ops[ran->last_unit];
    int any = t->is_brute | t->is_unsure | t->others_ran;
    int wanted = (t->foreign_ran ? REACH_GIVEN | REACH_HIDDEN : 0) | (has_wild(t) ? REACH_WILD : 0);
    t->is_unsure = 0;
    any |= op < 0 || ran->code->reads_dict;
    if (kind == EV_CALL && op >= 0) {
        wanted |= effects_is_call(op) && ran->effect == EFFECT_NONE ? 0 : REACH_GIVEN | REACH_HIDDEN;
        any |= !effects_is_call(op);
    }
    else if (kind == EV_RAISE) {
        wanted |= REACH_GIVEN | REACH_HIDDEN;
    }
    else if (kind == EV_RETURN) {
        any |= op != OP.return_value && op != OP.return_const;
    }
    else if (kind != EV_LINE) {
        any |= kind != EV_YIELD || op != OP.yield_value;
    }
    if (any || (wanted && kind == EV_LINE && !effects_is_known(op))) {
        t->heap.must_recheck = 1;
        return 1;
    }
    if (wanted) {
        t->heap.touched.n = 0;
        if (kind == EV_LINE || kind == EV_RAISE || kind == EV_CALL) {
            if (reach_give_known(t, ran, effects_touched(ran)) < 0) {
                return -1;
            }
            wanted |= REACH_GIVEN;
        }
        any = reach_find(t, ran, wanted);
        t->heap.is_reached = any == 0;
        return any;
    }
    return 0;
}

/* What the instruction before an event that is none changed among the objects. */
int
steps_look(Tracer *t, Frame *ran, int kind)
{
    Ref *stack;
    if (t->heap.is_reached) {
        t->heap.is_reached = 0;
        return heap_look_touched(t) < 0 ? -1 : reach_settle(t);
    }
    if (kind == EV_LINE && ran != NULL) {
        int n = stack_of(ran, unit_of(ran->frame), &stack);
        return effects_look(t, ran, stack, n) < 0 ? -1 : t->is_hidden ? heap_look(t) : heap_look_always(t);
    }
    return t->is_hidden ? heap_look(t) : heap_look_new(t);
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
    if (frame->pending >= 0 && effects_is_call(code->ops[unit])) {
        Ref *stack;
        int n = stack_of(frame, first, &stack);
        result = effects_before(t, frame, unit, stack, n) < 0 ? -1 : result;
    }
    return result;
}
