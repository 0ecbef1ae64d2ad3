/* Finer than lines: what each instruction finds on the value stack, what each expression came to.
 *
 *   steps_enter(t, frame, f)     a frame begins or goes on: the interpreter is to report its instructions
 *   steps_opcode(t, frame)       an instruction is about to run; 1: stop the program
 *   steps_flush(t, frame)        a line is about to run: the expression before it is finished
 *
 * An instruction event holds the whole value stack (what is called included), and what the instruction before it
 * stored or changed. An expression's value lies on top of the stack once its instruction has run, which is at the
 * next event of the frame; an exception comes instead of a value. Which instruction finishes which expression
 * is asked of spans.py, once a code object.
 *
 * From 3.12 on the interpreter does not store the stack pointer for these events: the depth is what labels.c says.
 */
#include "core.h"

enum { SIZE_EVERY = 256 }; /* events between two looks at the trace's size */
enum { AFTER_NAMES = 1, AFTER_OBJECTS = 2, AFTER_MODULES = 4 };

static uint8_t after[256]; /* what an instruction may have changed */
static uint8_t is_call[256];

void
steps_note(int op, const char *name)
{
    static const struct {
        const char *name;
        int what;
    } known[] = {
        {"STORE_FAST", AFTER_NAMES}, {"DELETE_FAST", AFTER_NAMES}, {"STORE_DEREF", AFTER_NAMES},
        {"DELETE_DEREF", AFTER_NAMES}, {"STORE_FAST_LOAD_FAST", AFTER_NAMES}, {"STORE_FAST_STORE_FAST", AFTER_NAMES},
        {"LOAD_FAST_AND_CLEAR", AFTER_NAMES}, {"STORE_NAME", AFTER_NAMES | AFTER_MODULES},
        {"DELETE_NAME", AFTER_NAMES | AFTER_MODULES}, {"STORE_GLOBAL", AFTER_MODULES},
        {"DELETE_GLOBAL", AFTER_MODULES}, {"STORE_SUBSCR", AFTER_OBJECTS}, {"STORE_SLICE", AFTER_OBJECTS},
        {"STORE_ATTR", AFTER_OBJECTS}, {"DELETE_SUBSCR", AFTER_OBJECTS}, {"DELETE_ATTR", AFTER_OBJECTS},
        {"LIST_APPEND", AFTER_OBJECTS}, {"SET_ADD", AFTER_OBJECTS}, {"MAP_ADD", AFTER_OBJECTS},
        {"LIST_EXTEND", AFTER_OBJECTS}, {"SET_UPDATE", AFTER_OBJECTS}, {"DICT_UPDATE", AFTER_OBJECTS},
        {"DICT_MERGE", AFTER_OBJECTS}, {"FOR_ITER", AFTER_OBJECTS}, {"SEND", AFTER_OBJECTS},
        {"UNPACK_SEQUENCE", AFTER_OBJECTS}, {"UNPACK_EX", AFTER_OBJECTS}, {"BINARY_OP", AFTER_OBJECTS},
        {"CALL", AFTER_OBJECTS}, {"CALL_KW", AFTER_OBJECTS}, {"CALL_FUNCTION_EX", AFTER_OBJECTS},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        if (strcmp(name, known[i].name) == 0) {
            after[op] = (uint8_t)known[i].what;
        }
    }
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

static int
fill_steps(Tracer *t, Code *code)
{
    code->step_at = PyMem_RawMalloc((size_t)code->n_units * sizeof(int32_t) + 4);
    if (code->step_at == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memset(code->step_at, 0xFF, (size_t)code->n_units * sizeof(int32_t));
    PyObject *rows = t->granularity == FINE_EXPRESSION ? lent_call(t->spans, (PyObject *)code->code, NULL) : NULL;
    if (rows == NULL) {
        return t->granularity == FINE_EXPRESSION ? -1 : 0;
    }
    if (!PyBytes_CheckExact(rows) || PyBytes_GET_SIZE(rows) % (Py_ssize_t)sizeof(Step)) {
        PyErr_SetString(PyExc_TypeError, "spans(code) must give bytes: five int32 a step");
        Py_DECREF(rows);
        return -1;
    }
    code->step_rows = rows;
    const Step *steps = (const Step *)PyBytes_AS_STRING(rows);
    for (Py_ssize_t i = 0; i < PyBytes_GET_SIZE(rows) / (Py_ssize_t)sizeof(Step); i++) {
        if (steps[i].unit >= 0 && steps[i].unit < code->n_units) {
            code->step_at[steps[i].unit] = (int32_t)i;
        }
    }
    return 0;
}

int
steps_enter(Tracer *t, Frame *frame, PyFrameObject *f)
{
    Code *code = frame->code;
    frame->pending = frame->last_unit = frame->reported = ABSENT;
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

/* The expression that the frame's last instruction finished: its value lies on top. */
int
steps_flush(Tracer *t, Frame *frame)
{
    if (frame->pending < 0) {
        return 0;
    }
    const Step *step = (const Step *)PyBytes_AS_STRING(frame->code->step_rows) + frame->pending;
    frame->pending = ABSENT;
    PyObject **stack;
    int n = stack_of(frame, unit_of(frame->frame), &stack);
    PyObject *value = n > 0 ? stack[n - 1] : NULL;
    if (value == NULL) {
        return 0;
    }
    t->heap.depth = 0;
    int32_t handle = heap_handle(t, value);
    if (handle < 0 || (is_call[frame->code->ops[step->unit]] ? heap_look(t) : heap_look_at(t, value)) < 0) {
        return -1;
    }
    return write_fine(t, EV_EXPRESSION, frame, handle, step, 0);
}

static int
instruction(Tracer *t, Frame *frame, int unit)
{
    int changed = frame->last_unit < 0 ? 0 : after[frame->code->ops[frame->last_unit]];
    frame->last_unit = unit;
    t->heap.depth = 0;
    if (changed & AFTER_NAMES && frame_update_names(t, frame) < 0) {
        return -1;
    }
    PyObject **stack;
    int n = stack_of(frame, unit, &stack);
    if (frame_update_stack(t, frame, stack, n, 1) < 0 || (changed & AFTER_MODULES && modules_update(t) < 0)) {
        return -1;
    }
    if ((changed & AFTER_OBJECTS ? heap_look(t) : heap_look_new(t)) < 0) {
        return -1;
    }
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
    return result;
}
