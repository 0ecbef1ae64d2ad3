/* From interpreter event to columns.
 *
 *   on_event(NULL, frame, what, argument)      the trace function of every thread that is recorded
 *
 * One event: find whose frame it is, write its names and stack, those of frames that share variables with it,
 * the modules' names, the event's value, then what changed among the objects; then the event's own row.
 *
 * Finer events: steps.c.
 */
#include "events.h"

enum { SIZE_EVERY = 16 }; /* steps between two looks at the trace's size */

Tracer *active_tracer;

/* ------------------------------------------------------------------ one event */

static int
look_into_others(Tracer *t, Frame *running, int with_cells)
{
    for (Py_ssize_t i = 0; i < t->n_stacks; i++) {
        Stack *stack = &t->stacks[i];
        if (stack->n == 0) {
            continue;
        }
        int all = (stack->n_with_cells > 0 && with_cells) || t->others_ran || t->has_frames;
        if (i != t->current && !all) {
            continue; /* it has not run since it was looked at */
        }
        for (Py_ssize_t j = stack->n - 1; j >= 0; j--) {
            Frame *frame = stack->live[j];
            t->n_compared++;
            if (frame == running) {
                continue;
            }
            if (frame->is_dirty) {
                frame->is_dirty = 0;
                if (frame_update(t, frame, FRAME_WAITS, NULL) < 0) {
                    return -1;
                }
            }
            else if ((!frame->code->is_plain && with_cells) || t->has_frames) {
                if (frame_update_names(t, frame, -1) < 0) {
                    return -1;
                }
            }
            else if (!all && j < stack->n - 1) {
                break; /* only the caller can have run since */
            }
        }
    }
    return 0;
}

/* Names of the frame that runs and of those that wait, where another one may have written to them. */
int
names_of_frames(Tracer *t, Frame *running)
{
    return look_at_names(t, running, -1) < 0 ? -1 : look_into_others(t, running, 1);
}

/* Whether other frames can have to be looked into: after their callee returned, or because they share variables. */
static inline int
has_others(Tracer *t, int with_cells)
{
    Stack *stack = &t->stacks[t->current];
    return t->others_ran || t->has_frames || (with_cells && t->n_stacks > 1) || (stack->n > 1 && ((with_cells && stack->n_with_cells) || stack->live[stack->n - 2]->is_dirty));
}

/* The frame whose line has run since the last event of this thread: for a new one its caller's. */
static Frame *
running(Tracer *t, int kind)
{
    Stack *stack = &t->stacks[t->current];
    int i = (int)stack->n - 1 - (kind == EV_CALL || kind == EV_RESUME);
    return i < 0 ? NULL : stack->live[i];
}

static inline int
look_at_heap(Tracer *t, int is_short, int any)
{
    t->heap.is_calm = is_short ? CALM_ALL : t->heap.is_calm;
    int result = is_short ? heap_look_always(t) : any ? heap_look(t) : heap_look_touched(t);
    t->heap.is_calm = CALM_NOT;
    if (UNLIKELY(t->is_hidden | t->is_brute) && !any && result == 0) { /* seen in this event only */
        t->heap.reached.n = 0;
        return heap_look(t);
    }
    return LIKELY(t->heap.reached.n == 0) || result < 0 ? result : reach_settle(t);
}

/* The columns of finer events. */
static inline void
leave_blank(Tracer *t)
{
    EventColumns *c = &t->columns.events;
    if (UNLIKELY(t->granularity == FINE_EXPRESSION)) {
        c->end_line[c->n - 1] = c->column[c->n - 1] = c->end_column[c->n - 1] = -1;
    }
    else if (UNLIKELY(t->granularity == FINE_INSTRUCTION)) {
        c->offset[c->n - 1] = c->opcode[c->n - 1] = -1;
    }
}

/* Everything that changed, then the event's row; the handle of its value, ABSENT without one. */
static int32_t
write_event(Tracer *t, int kind, Frame *frame, PyObject *value)
{
    t->heap.depth = 0;
    guard_look(t);
    Frame *ran = running(t, kind);
    t->is_entering = kind == EV_CALL;
    int any = 0, is_short = ran != NULL && is_harmless(t, ran), is_fine = t->granularity == FINE_INSTRUCTION;
    if (!is_short && (any = is_fine ? steps_any(t, ran, kind) : line_touches(t, ran)) < 0) {
        return FAILED;
    }
    t->foreign_ran = t->is_entering = 0;
    PyObject *sent = NULL;
    int what = kind == EV_RETURN || kind == EV_UNWIND ? FRAME_LEAVES : kind == EV_RAISE ? FRAME_RAISES : frame->is_delegating ? FRAME_WAITS : FRAME_RUNS;
    if (frame_update(t, frame, what, kind == EV_RESUME && !frame->is_delegating ? &sent : NULL) < 0) {
        return FAILED;
    }
    if (kind == EV_RESUME && sent != NULL && frame->code->ops[unit_of(frame->frame)] == OP.resume) {
        value = sent;
    }
    frame->is_dirty = 1;
    int with_cells = any || is_fine || (!is_short && t->heap.cells_changed);
    if ((has_others(t, with_cells) && look_into_others(t, frame, with_cells) < 0) || look_at_modules(t) < 0) {
        return FAILED;
    }
    int32_t handle = value == NULL ? ABSENT : heap_handle(t, value);
    if (handle == FAILED || (is_fine && !any ? steps_look(t, ran, kind) : look_at_heap(t, is_short, any)) < 0 ||
        (what == FRAME_LEAVES && net_leave(t, frame) < 0) || put_row(t, kind, frame, handle) < 0) {
        return FAILED;
    }
    leave_blank(t);
    begin_line(t, frame);
    if (UNLIKELY(frame->ran != NULL && (frame->ran->taken | (frame->ran->flags & LINE_WITH)))) {
        line_foresee(t, frame);
    }
    return handle;
}

/* The same for the most frequent one: a frame goes on to its next line. */
static inline int
write_line(Tracer *t, Frame *frame)
{
    int any = 0, is_short = is_harmless(t, frame), is_fine = t->granularity == FINE_INSTRUCTION;
    t->heap.depth = 0;
    if (!is_short && (any = is_fine ? steps_any(t, frame, EV_LINE) : line_touches(t, frame)) < 0) {
        return -1;
    }
    t->foreign_ran = 0;
    /* A class of the program could give any string for `s + x`, but then a frame was entered. */
    int is_alone = frame->ran != NULL && frame->last_entered == t->n_entered, extended = is_alone ? frame->ran->extended - 1 : -1;
    if (look_at_bound(t, frame, is_short && is_alone ? frame->binds : ALL_SLOTS, extended) < 0 || (is_fine ? steps_stack(t, frame) : look_at_stack(t, frame)) < 0) {
        return -1;
    }
    frame->is_dirty = 1;
    int with_cells = any || is_fine || (!is_short && t->heap.cells_changed);
    if (has_others(t, with_cells) && look_into_others(t, frame, with_cells) < 0) {
        return -1;
    }
    if (look_at_modules(t) < 0 ||
        (is_fine && !any ? steps_look(t, frame, EV_LINE) : look_at_heap(t, is_short, any)) < 0 ||
        (UNLIKELY(t->step >= t->net_next) && net_step(t) < 0) || put_row(t, EV_LINE, frame, ABSENT) < 0) {
        return -1;
    }
    leave_blank(t);
    begin_line(t, frame);
    if (UNLIKELY(frame->ran != NULL && (frame->ran->taken | (frame->ran->flags & LINE_WITH)))) {
        line_foresee(t, frame);
    }
    frame->binds = frame->ran == NULL ? ALL_SLOTS : frame->ran->binds;
    return 0;
}

/* ------------------------------------------------------------------ kinds of events */

/* 1: the program is to be stopped. */
static int
count_step(Tracer *t)
{
    if (t->step >= t->max_steps) {
        t->failure = FAILURE_STEPS;
    }
    else if (t->step % SIZE_EVERY == 0 && columns_size(t) > t->trace_bytes) {
        t->failure = FAILURE_BYTES;
    }
    if (t->failure != FAILURE_NONE) {
        return 1;
    }
    t->step++;
    return 0;
}

static int
resume(Tracer *t, Frame *known)
{
    Frame **link = &t->suspended;
    while (*link != known) {
        link = &(*link)->next;
    }
    *link = known->next;
    known->is_live = 1;
    if (thread_number(t, known->code, &known->thread) < 0 || thread_push(t, known) < 0) {
        return -1;
    }
    return write_event(t, EV_RESUME, known, NULL) == FAILED ? -1 : 0;
}

static Frame *
running_frame(Tracer *t, _PyInterpreterFrame *iframe)
{
    Stack *stack = &t->stacks[t->current];
    if (LIKELY(stack->n && stack->live[stack->n - 1]->frame == iframe)) {
        return stack->live[stack->n - 1];
    }
    Py_ssize_t i = stack->n - 1;
    while (i >= 0 && stack->live[i]->frame != iframe) {
        i--;
    }
    if (i < 0) {
        return NULL; /* entered before the trace began */
    }
    while (stack->n - 1 > i) {
        thread_pop(t, 0);
    }
    return stack->live[i];
}

/* A throw into a generator that has delegated to another one reaches that one at once. Those in between run again, as
 * their frames say, but the interpreter reports nothing of it. */
static int
resume_delegating(Tracer *t, _PyInterpreterFrame *iframe)
{
    Stack *stack = &t->stacks[t->current];
    _PyInterpreterFrame *top = stack->n ? stack->live[stack->n - 1]->frame : NULL, *back = iframe->previous;
    for (; back != NULL && back != top; back = back->previous) {
        Frame *waiting = back->owner == FRAME_OWNED_BY_GENERATOR ? frame_suspended(t, back) : NULL;
        if (waiting != NULL && waiting->code->code == FRAME_CODE(back)) {
            if (resume_delegating(t, back) < 0) {
                return -1;
            }
            waiting->is_delegating = 1;
            t->n_delegating++;
            return resume(t, waiting);
        }
    }
    return 0;
}

/* The generator that they delegated to has given a value back: so have they. */
static int
yield_delegating(Tracer *t, PyObject *value)
{
    Stack *stack = &t->stacks[t->current];
    while (stack->n && UNLIKELY(stack->live[stack->n - 1]->is_delegating)) {
        Frame *frame = stack->live[stack->n - 1];
        if (write_event(t, EV_YIELD, frame, value) == FAILED ||
            (stack->n > 1 && reach_give(t, stack->live[stack->n - 2], value) < 0)) {
            return -1;
        }
        frame->is_delegating = 0;
        t->n_delegating--;
        thread_pop(t, 1);
    }
    return 0;
}

static int
enter(Tracer *t, Code *code, PyFrameObject *f, int line)
{
    _PyInterpreterFrame *iframe = f->f_frame;
    if (code_fill(t, code) < 0) {
        return -1;
    }
    Frame *known = code->is_generator ? frame_suspended(t, iframe) : NULL;
    if (UNLIKELY(t->n_delegating) && known == NULL && code->is_generator) {
        Frame *running = running_frame(t, iframe);
        if (running != NULL && running->is_delegating) { /* what it delegated to has ended */
            running->is_delegating = 0;
            t->n_delegating--;
            f->f_trace_opcodes |= code->has_self_jump;
            return t->granularity == FINE_LINE ? 0 : steps_enter(t, running, f);
        }
    }
    if (known != NULL) {
        int unit = unit_of(iframe);
        int is_new = unit >= 0 && code->ops[unit] == OP.resume && !(code->args[unit] & 3);
        if (known->code == code && !is_new) {
            known->line = line < 0 ? known->line : line;
            f->f_trace_opcodes |= code->has_self_jump;
            if (t->granularity != FINE_LINE && steps_enter(t, known, f) < 0) {
                return -1;
            }
            return resume_delegating(t, iframe) < 0 ? -1 : resume(t, known);
        }
        known->frame = NULL; /* it ended without an event, and another one has its place */
    }
    if ((code->number < 0 && (code_number(t, code) < 0 || module_meet(t, code, iframe->f_globals) < 0)) ||
        (code->facts == NULL && t->granularity != FINE_INSTRUCTION && (code->facts = lines_new(t, code)) == NULL)) {
        return -1;
    }
    Stack *stack = &t->stacks[t->current];
    int32_t parent = stack->n ? stack->live[stack->n - 1]->number : ABSENT;
    int32_t number = columns_frame(t, code->number, parent);
    Frame *frame = number < 0 ? NULL : frame_new(t, code, iframe);
    if (frame == NULL) {
        return -1;
    }
    frame->number = number;
    frame->line = line < 0 ? frame->line : line;
    frame->at_self_jump = 0;
    if ((iframe->f_globals != t->modules[0].namespace && heap_names(t, iframe->f_globals) < 0) ||
        (UNLIKELY(code->has_names) && iframe->f_locals != NULL && heap_names(t, iframe->f_locals) < 0)) {
        return -1;
    }
    f->f_trace_opcodes |= code->has_self_jump;
    if (thread_number(t, code, &frame->thread) < 0 || thread_push(t, frame) < 0 ||
        (t->granularity != FINE_LINE && steps_enter(t, frame, f) < 0)) {
        return -1;
    }
    if (stack->n > 1 && reach_give_names(t, stack->live[stack->n - 2], code->code, iframe, 1) < 0) {
        return -1; /* whoever called it may go on with what it gave it */
    }
    if (write_event(t, EV_CALL, frame, NULL) == FAILED) {
        return -1;
    }
    if (stack->n > 1 && UNLIKELY(t->heap.always.n > MOST_ALWAYS)) {
        frame_park(t, stack->live[stack->n - 2]);
    }
    return 0;
}

static int
is_drain(int op)
{
    return op >= 0 && (op == OP.for_iter || op == OP.send || op == OP.jump_backward_no_interrupt ||
                       op == OP.end_send || op == OP.end_for || op == OP.for_iter_gen);
}

static int
op_at(Frame *frame)
{
    int unit = unit_of(frame->frame);
    return unit < 0 || unit >= frame->code->n_units ? -1 : frame->code->ops[unit];
}

static int
raise_event(Tracer *t, Frame *frame, PyObject *argument)
{
    if (argument == NULL || !PyTuple_Check(argument) || PyTuple_GET_SIZE(argument) < 2) {
        return 0;
    }
    if (PyTuple_GET_ITEM(argument, 0) == PyExc_StopIteration && is_drain(op_at(frame))) {
        frame->is_raising = 0; /* how a for loop learns that a generator has ended; nothing was raised */
        return 0;
    }
    frame->is_raising = 1;
    frame->pending = ABSENT; /* an exception instead of a value */
    int32_t handle = write_event(t, EV_RAISE, frame, PyTuple_GET_ITEM(argument, 1));
    t->last_raise = handle == FAILED ? t->last_raise : handle;
    if (t->on_end != NULL && frame->number == 0) {
        Py_XSETREF(t->error, Py_NewRef(PyTuple_GET_ITEM(argument, 1)));
    }
    return handle == FAILED ? -1 : 0;
}

/* How a frame ends: 3.12 reports unwinding as "return None", told apart by the instruction. */
static int
ending(Frame *frame, PyObject *argument)
{
    int op = op_at(frame);
    if (argument == NULL) {
        return EV_UNWIND;
    }
    if (frame->code->is_generator && op >= 0 && (op == OP.yield_value || op == OP.resume)) {
        return argument == Py_None && frame->is_raising ? EV_UNWIND : EV_YIELD;
    }
    /* A generator into which something is thrown before it has begun still stands at the instruction that made it. */
    int returns = op >= 0 && (op == OP.return_value || op == OP.return_const || (op == OP.return_generator && !frame->is_raising));
    return argument != Py_None || returns ? EV_RETURN : EV_UNWIND;
}

/* Whether code in C of the caller's line has called this frame, and gets what it gives back. */
static int
returns_to_c(Tracer *t, Frame *frame)
{
    Stack *stack = &t->stacks[t->current];
    _PyInterpreterFrame *caller = frame->frame->previous;
    if (stack->n < 2 || frame->code->is_generator || !IS_CALLED_FROM_C(frame->frame)) {
        return 0;
    }
    while (caller != NULL && IS_SHIM(caller)) {
        caller = caller->previous;
    }
    Frame *waiting = stack->live[stack->n - 2];
    return caller == waiting->frame && !effects_gives(op_at(waiting));
}

static int
leave(Tracer *t, Frame *frame, PyObject *argument)
{
    int kind = ending(frame, argument);
    int32_t handle = write_event(t, kind, frame, kind == EV_UNWIND ? NULL : argument);
    if (handle == FAILED) {
        return -1;
    }
    /* A generator that dies with the outermost frame runs after it: only frames without a parent count. */
    if (kind != EV_YIELD && t->columns.frames.parent[frame->number] < 0 && !frame->thread) {
        t->last_line = frame->line;
        t->last_return = kind == EV_RETURN ? handle : ABSENT;
        if (frame->number == 0) { /* finalizers of its variables may come behind it */
            t->first_return = t->last_return;
        }
    }
    int is_call = t->on_end != NULL && frame->number == 0;
    Stack *stack = &t->stacks[t->current];
    t->heap.must_recheck |= frame->code->has_names; /* what a class holds is not counted */
    if (stack->n > 1 && kind != EV_UNWIND && reach_give(t, stack->live[stack->n - 2], argument) < 0) {
        return -1;
    }
    if (kind == EV_RETURN && UNLIKELY(Py_TYPE(argument)->tp_call != NULL) && !t->is_hidden && returns_to_c(t, frame)) {
        guard_returned(t, argument);
    }
    if (stack->n > 1 && kind == EV_RETURN && !frame->code->is_generator) {
        note_returned(stack->live[stack->n - 2], frame->frame, argument);
    }
    thread_pop(t, kind == EV_YIELD);
    if (kind == EV_YIELD && yield_delegating(t, argument) < 0) {
        return -1;
    }
    return is_call ? call_ended(t, kind) : 0;
}

/* `while True: pass` on one line is an instruction that jumps to itself. 3.11 gives no line event for its rounds:
   whether this event of an instruction is one of them, but the first, for which there was one. */
static int
is_next_round(Frame *frame)
{
    int unit = unit_of(frame->frame), was_there = frame->at_self_jump;
    frame->at_self_jump = unit >= 0 && unit < frame->code->n_units && frame->code->ops[unit] == OP.jump_backward &&
                          frame->code->args[unit] == 1;
    return was_there && frame->at_self_jump;
}

/* 1: stop the program. */
static int
line_event(Tracer *t, Frame *frame)
{
    frame->is_raising = 0;
    int result = t->granularity == FINE_EXPRESSION ? steps_flush(t, frame) : 0;
    return result ? result : count_step(t) ? 1 : write_line(t, frame);
}

/* 1: stop the program. */
static int
handle_event(Tracer *t, Code *code, PyFrameObject *f, int what, PyObject *argument)
{
    _PyInterpreterFrame *iframe = f->f_frame;
    int unit = unit_of(iframe), line = f->f_lineno;
    if (line <= 0) {
        line = code->is_filled && unit >= 0 && unit < code->n_units ? code->lines[unit] : -1;
    }
    if (what == PyTrace_CALL) {
        if (line < 0 && code_fill(t, code) == 0 && unit >= 0 && unit < code->n_units) {
            line = code->lines[unit];
        }
        return enter(t, code, f, line);
    }
    Frame *frame = running_frame(t, iframe);
    if (frame == NULL) {
        return 0;
    }
    frame->line = line < 0 ? frame->line : line;
    if (what == PyTrace_OPCODE) {
        int result = code->has_self_jump && is_next_round(frame) ? line_event(t, frame) : 0;
        return result || t->granularity == FINE_LINE ? result : steps_opcode(t, frame);
    }
    frame->at_self_jump = 0;
    if (what == PyTrace_LINE) {
        Py_CLEAR(t->error);
        return line_event(t, frame);
    }
    return what == PyTrace_EXCEPTION ? raise_event(t, frame, argument) : leave(t, frame, argument);
}

/* ------------------------------------------------------------------ the trace function */

/* Once, at the first stop: what is printed from here on tells of our stop, not of the program. */
static void
say_stopped(Tracer *t)
{
    PyObject *stopped = PyObject_GetAttrString(t->helpers, "stopped");
    PyObject *done = stopped == NULL ? NULL : lent_call(stopped, Py_None, NULL);
    Py_XDECREF(stopped);
    Py_XDECREF(done);
    PyErr_Clear();
}

/* Its thread ends by the stop: the frames go without a further event. */
static int
stop_program(Tracer *t)
{
    if (t->on_end != NULL) { /* not ours to stop */
        PyErr_Clear();
        return call_ended(t, -1);
    }
    forget_frames(t, PyThreadState_Get());
    if (!t->was_stopped) {
        t->was_stopped = 1;
        say_stopped(t);
    }
    if (t->out_of_memory) {
        PyErr_NoMemory();
    }
    else {
        PyErr_SetNone(t->stop_class);
    }
    return -1;
}

/* What went wrong in here is never the program's outcome; a lack of memory is its own budget. */
static int
note_failure(Tracer *t)
{
    if (t->out_of_memory || PyErr_ExceptionMatches(PyExc_MemoryError)) {
        t->out_of_memory = 1;
        PyErr_Clear();
        return stop_program(t);
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value != NULL && traceback != NULL) {
        PyException_SetTraceback(value, traceback);
    }
    Py_XSETREF(t->broken, value);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return stop_program(t);
}

static inline Code *
own_or_none(Tracer *t, Code *code)
{
    if (LIKELY(code->file >= 0)) {
        return code;
    }
    t->ran_unknown |= code->is_unknown;
    return NULL;
}

/* Whether the code is the program's; NULL without an exception: it is not. */
static inline Code *
own_code(Tracer *t, PyCodeObject *co)
{
    if (LIKELY(t->last_code != NULL && t->last_code->code == co)) {
        return own_or_none(t, t->last_code);
    }
    if (PyUnicode_CheckExact(t->own) && co->co_filename != t->own) {
        if (co->co_filename == t->last_foreign) {
            return NULL;
        }
        if (PyUnicode_Compare(co->co_filename, t->own) != 0) {
            Py_XSETREF(t->last_foreign, Py_NewRef(co->co_filename));
            return NULL;
        }
    }
    Code *code = code_of(t, co);
    return code == NULL ? NULL : own_or_none(t, code);
}

/* One thread, nothing went wrong yet, and the frame that ran last goes on. */
static inline int
next_step(Tracer *t, Frame *frame, int what, int line)
{
    int result = 0;
    if (what == PyTrace_OPCODE) {
        if (t->granularity == FINE_LINE || (t->granularity == FINE_EXPRESSION && steps_is_plain(frame))) {
            return 0;
        }
        int unit = unit_of(frame->frame);
        if (line <= 0 && unit >= 0 && unit < frame->code->n_units) { /* 3.12 and later do not say it */
            line = frame->code->lines[unit];
        }
        frame->line = line <= 0 ? frame->line : line;
        result = steps_opcode(t, frame);
    }
    else {
        frame->line = line;
        frame->is_raising = 0;
        if (t->granularity == FINE_EXPRESSION) {
            result = steps_flush(t, frame);
        }
        result = result ? result : count_step(t) ? 1 : write_line(t, frame);
    }
    if (UNLIKELY(result != 0 || t->out_of_memory)) {
        t->is_quiet = 0;
        return result > 0 && !t->out_of_memory ? stop_program(t) : note_failure(t);
    }
    return 0;
}

/* Code that is not the program's runs, for the line of the frame on top. */
static int
foreign_event(Tracer *t, PyFrameObject *f, int what, PyObject *argument)
{
    Stack *stack = &t->stacks[t->current];
    Frame *top = stack->n ? stack->live[stack->n - 1] : NULL;
    t->foreign_ran = 1;
    t->n_foreign++;
    if (PyErr_Occurred()) {
        return note_failure(t);
    }
    if (top != NULL) {
        top->handed.is_foreign = 1;
        if (what == PyTrace_RETURN && argument != NULL) {
            note_returned(top, f->f_frame, argument);
        }
        return what == PyTrace_CALL && reach_foreign(t, top, f) < 0 ? note_failure(t) : 0;
    }
    return 0;
}

/* An event whose thread is known and whose turn it is. */
static int
any_event(Tracer *t, PyFrameObject *f, int what, PyObject *argument)
{
    Code *code = own_code(t, FRAME_CODE(f->f_frame));
    t->n_entered += what == PyTrace_CALL;
    if (code == NULL) {
        return foreign_event(t, f, what, argument);
    }
    if (UNLIKELY(t->failure != FAILURE_NONE || t->broken != NULL || t->out_of_memory)) {
        return stop_program(t);
    }
    int result = handle_event(t, code, f, what, argument);
    return result < 0 || t->out_of_memory ? note_failure(t) : result > 0 ? stop_program(t) : 0;
}

int
on_event(PyObject *Py_UNUSED(self), PyFrameObject *f, int what, PyObject *argument)
{
    Tracer *t = active_tracer;
    int result = 0;
    if (LIKELY(t != NULL && t->is_quiet && (what == PyTrace_LINE || what == PyTrace_OPCODE))) {
        Stack *stack = &t->stacks[0];
        Frame *top = stack->n ? stack->live[stack->n - 1] : NULL;
        if (what == PyTrace_LINE && FRAME_CODE(f->f_frame)->co_filename == t->last_foreign && top != NULL) {
            /* A line of a library, of which there are many: what `foreign_event` does for it. */
            threads_note(t, stack->state);
            t->foreign_ran = 1;
            t->n_foreign++;
            top->handed.is_foreign = 1;
            return 0;
        }
        if (LIKELY(top != NULL && top->frame == f->f_frame && top->code->code == FRAME_CODE(f->f_frame) &&
                   (f->f_lineno > 0 || what == PyTrace_OPCODE) && !top->code->has_self_jump)) {
            t->is_busy = 1;
            threads_note(t, stack->state);
            result = next_step(t, top, what, f->f_lineno);
            t->is_busy = 0;
            return result;
        }
    }
    if (UNLIKELY(t == NULL || t->is_over || thread_index(t) < 0)) {
        thread_let_go();
        return 0;
    }
    if (what > PyTrace_RETURN && (what != PyTrace_OPCODE || (PY_VERSION_HEX >= 0x030C0000 && t->granularity == FINE_LINE))) {
        return 0;
    }
    Py_INCREF(t); /* on_end may let go of it, and so may whoever has the turn before this thread */
    int is_locked = take_turn(t);
    if (!t->is_over && active_tracer == t) { /* what held before the wait need not hold now */
        t->current = thread_index(t);
        threads_note(t, t->stacks[t->current].state);
        result = any_event(t, f, what, argument);
    }
    end_turn(t, is_locked);
    t->is_quiet = result == 0 && t->n_stacks == 1 && t->on_end == NULL && !t->is_over;
    Py_DECREF(t);
    return result;
}

/* Handle of what the call gave back; changes after the last event belong to the outcome. */
int32_t
final_value(Tracer *t, PyObject *value)
{
    t->heap.depth = 0;
    int32_t handle = heap_handle(t, value);
    if (handle >= 0 && heap_look(t) < 0) {
        return FAILED;
    }
    return handle;
}
