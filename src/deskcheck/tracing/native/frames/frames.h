/* Live frames: their names, value stacks, modules, threads. Inline: the short ways of every event. */
#ifndef DESKCHECK_FRAMES_H
#define DESKCHECK_FRAMES_H

#include "../code/code.h"
#include "../objects/objects.h"

/* frames.c */
/* A frame that begins to run, with slots for its names; the tracer owns it (`frame_free`). NULL with an exception. */
Frame *frame_new(Tracer *t, Code *code, _PyInterpreterFrame *frame);
/* Take a frame back: drop what its slots and names hold. Cannot fail. */
void frame_free(Tracer *t, Frame *frame);
/* Free all frames of the tracer, also those that wait; cannot fail. */
void frames_clear(Tracer *t);
enum { FRAME_RUNS, FRAME_WAITS, FRAME_RAISES, FRAME_LEAVES };
/* Compare the names and the stack of a frame that has run; with `sent`, give the value that was sent in, a borrowed
   reference. 0, or -1 with an exception. */
int frame_update(Tracer *t, Frame *frame, int what, PyObject **sent);
/* Compare the names of a frame; `extended` is the slot of a string that can only have grown, -1 for none. 0, or -1
   with an exception. */
int frame_update_names(Tracer *t, Frame *frame, int extended);
/* Compare the `n` borrowed slots of the value stack; `is_full`: also what is called and what a handler keeps there.
   0, or -1 with an exception. */
int frame_update_stack(Tracer *t, Frame *frame, Ref *stack, int n, int is_full);
/* Compare the whole stack, of which the lowest `n_kept` slots are as they were at the last look of this kind. 0, or
   -1 with an exception. */
int frame_update_top(Tracer *t, Frame *frame, Ref *stack, int n, int n_kept);
/* The frame of a generator or coroutine that waits, borrowed; NULL if the tracer knows none. */
Frame *frame_suspended(Tracer *t, _PyInterpreterFrame *frame);
/* Compare what a waiting generator holds, a borrowed reference. 0, or -1 with an exception. */
int generator_look(Tracer *t, Entry *entry, PyObject *generator);
/* Write a name if its value, a borrowed reference, is another than before; `flags` are SLOT_*. 0, or -1 with an
   exception. */
int slot_update(Tracer *t, Slot *slot, PyObject *value, int flags, int place, int32_t owner, int32_t key);
enum { SLOT_VERIFY = 1, SLOT_EXTENDED = 2, SLOT_FIRST = 4 }; /* an object has died since; a string can only have grown; first sight */
void slot_clear(Slot *slot);
/* Number of the code unit that the frame runs. */
static inline int
unit_of(_PyInterpreterFrame *frame)
{
    return _PyInterpreterFrame_LASTI(frame);
}

/* modules.c */
/* Watch the names (a list of str) of a module from now on; holds references to both. 0, or -1 with an exception. */
int module_add(Tracer *t, int32_t file, PyObject *namespace, PyObject *names);
/* A code object runs for the first time: watch the names that it uses if it is of another file. Borrowed reference.
   0, or -1 with an exception. */
int module_meet(Tracer *t, Code *code, PyObject *namespace);
/* Compare all watched names of modules. 0, or -1 with an exception. */
int modules_update(Tracer *t);
/* Drop the references to all modules and names; cannot fail. */
void modules_clear(Tracer *t);

/* stack.c */
/* The frame waits for one that it has called: its loops' iterators are not compared until `frame_unpark`; cannot
   fail. */
void frame_park(Tracer *t, Frame *frame);
/* The frame goes on, or ends: compare the iterators that were parked. 0, or -1 with an exception. */
int frame_unpark(Tracer *t, Frame *frame);
enum { MOST_ALWAYS = 16 }; /* iterators that are looked at whatever waits */

/* threads.c */
/* Begin a stack of frames for a thread, and make it the current one. 0, or -1 with an exception. */
int add_stack(Tracer *t, PyThreadState *state);
/* Index of the running thread's stack; -1 without an exception if the thread has outlived the trace in which it was
   traced. */
Py_ssize_t thread_index(Tracer *t);
/* The running thread has outlived its trace: leave a trace function that does nothing, which 3.12 needs. Cannot
   fail. */
void thread_let_go(void);
/* Put a frame on the current thread's stack, which borrows it. 0, or -1 with an exception. */
int thread_push(Tracer *t, Frame *frame);
/* Take the top frame off; that of a generator waits among the suspended, any other is freed. Cannot fail. */
void thread_pop(Tracer *t, int is_suspended);
/* This thread says nothing more; cannot fail. */
void thread_forget(Tracer *t);
/* The number of the thread or task in which a frame of this code runs, in `*number`. 0, or -1 with an exception. */
int thread_number(Tracer *t, Code *code, int32_t *number);
/* The frames of a thread end without a further event; they are not looked at any more. Cannot fail. */
void forget_frames(Tracer *t, PyThreadState *state);
/* Wait until the tables belong to this thread. Whoever waits must ask again afterwards what it knew. Cannot fail. */
void take_lock(Tracer *t);
/* Begin an event. 1 if the lock was taken, 0 if the thread is alone; the answer goes to `end_turn`. */
int take_turn(Tracer *t);
/* End an event; give the lock back if `take_turn` took it. Cannot fail. */
void end_turn(Tracer *t, int is_locked);

/* At the beginning of an event: whether another thread can have run since the last one. */
static inline void
threads_note(Tracer *t, PyThreadState *state)
{
    unsigned long now = SWITCHES(state);
    t->others_ran = now != t->n_switches;
    t->n_switches = now;
}

/* The value of a slot, or what its cell holds, borrowed; NULL if empty. */
static inline PyObject *
slot_content(PyObject *value, int is_cell)
{
    return value != NULL && is_cell && PyCell_Check(value) ? PyCell_GET(value) : value;
}

/* `extended`: the name that can only have grown. What a new frame finds in variables of others is no change of theirs. */
static inline int
slot_flags(const Frame *frame, int i, int extended)
{
    return (i == extended ? SLOT_EXTENDED : 0) | (frame->last_event < 0 ? SLOT_FIRST : 0);
}

/* Names of a frame that has run: most are what they were. `extended`: the one that can only have grown, -1: none. */
static inline int
look_at_names(Tracer *t, Frame *frame, int extended)
{
    Code *code = frame->code;
    if (UNLIKELY(code->has_names || frame->n_deaths != t->heap.n_named_deaths)) {
        return frame_update_names(t, frame, extended);
    }
    Ref *values = frame->frame->localsplus;
    Slot *slots = frame->slots;
    if (LIKELY(code->is_plain)) {
        for (int i = 0, n = code->n_slots; i < n; i++) {
            PyObject *value = REF(values[i]);
            if (value != slots[i].value && slot_update(t, &slots[i], value, i == extended ? SLOT_EXTENDED : 0, P_LOCAL,
                                                           frame->number, code->keys[i]) < 0) {
                return -1;
            }
        }
        return 0;
    }
    for (int i = 0, n = code->n_slots; i < n; i++) {
        PyObject *value = slot_content(REF(values[i]), code->places[i] != P_LOCAL);
        if (value != slots[i].value && slot_update(t, &slots[i], value, slot_flags(frame, i, extended), code->places[i],
                                                   frame->number, code->keys[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The same where only these slots can have been bound. */
static inline int
look_at_bound(Tracer *t, Frame *frame, uint64_t slots, int extended)
{
    Code *code = frame->code;
    if (UNLIKELY(slots == ALL_SLOTS || code->has_names || frame->n_deaths != t->heap.n_named_deaths)) {
        return look_at_names(t, frame, extended);
    }
    for (; slots; slots &= slots - 1) {
        int i = __builtin_ctzll(slots), place = code->places[i];
        PyObject *value = slot_content(REF(frame->frame->localsplus[i]), place != P_LOCAL);
        if (value != frame->slots[i].value && slot_update(t, &frame->slots[i], value, i == extended ? SLOT_EXTENDED : 0, place,
                                                          frame->number, code->keys[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Its value stack: in a loop's body the loop's iterator. */
static inline int
look_at_stack(Tracer *t, Frame *frame)
{
    _PyInterpreterFrame *iframe = frame->frame;
    Code *code = frame->code;
    int base = code->n_slots, n = STACK_TOP(iframe) - base;
    if (n == 0 && frame->n_stack == 0) {
        return 0;
    }
    if (UNLIKELY(n < 0 || n > code->code->co_stacksize)) {
        return 0; /* inside a C call the interpreter keeps the stack pointer to itself */
    }
    Ref *stack = iframe->localsplus + base;
    int unit = unit_of(iframe);
    int is_same = n == frame->n_stack && !(frame->is_stack_unsure | frame->is_stack_full) && code->rows != NULL &&
                  unit >= 0 && code->rows[unit] == frame->stack_row && frame->stack_deaths == t->heap.n_named_deaths;
    for (int i = 0; is_same && i < n; i++) {
        is_same = REF(stack[i]) == frame->stack[i];
    }
    return LIKELY(is_same) ? 0 : frame_update_stack(t, frame, stack, n, 0);
}

/* Whether it is in the middle of a statement. */
static inline int
is_inside(Frame *frame)
{
    const char *labels = code_labels(frame->code, unit_of(frame->frame));
    return labels[labels_depth(labels)] != 0;
}

/* What has begun to run in a frame whose event was written. */
static inline void
begin_line(Tracer *t, Frame *frame)
{
    const Lines *lines = frame->code->facts;
    if (LIKELY(lines != NULL)) {
        unsigned i = (unsigned)(frame->line - lines->first);
        frame->ran = &lines->lines[i < (unsigned)lines->n ? i : (unsigned)lines->n];
    }
    frame->binds = ALL_SLOTS;
    frame->last_event = t->columns.events.n - 1;
    if (LIKELY(lines == NULL || !lines->is_folded) || !is_inside(frame)) {
        frame->first_shared = t->n_shared;
        frame->first_stored = t->n_stored;
        frame->first_displaced = t->n_displaced;
        frame->first_event = frame->last_event;
    }
    frame->n_known = t->columns.objects.n;
    frame->last_entered = t->n_entered;
    memset(&frame->handed, 0, sizeof(frame->handed));
    if (UNLIKELY(frame->returned_unit >= 0)) {
        frame->returned_unit = ABSENT;
        Py_CLEAR(frame->returned);
    }
}

/* A call in the line of a frame that waits has given back this value, borrowed, without code in C between them. */
static inline void
note_returned(Frame *waiting, _PyInterpreterFrame *from, PyObject *value)
{
    int unit = unit_of(waiting->frame);
    if (from->previous != waiting->frame || IS_CALLED_FROM_C(from)) {
        return;
    }
    unit = unit <= waiting->returned_unit ? LOOPS : unit;
    Py_CLEAR(waiting->returned);
    waiting->returned = unit != LOOPS && is_plain_key(value) ? Py_NewRef(value) : NULL;
    waiting->returned_unit = unit;
}

/* Module-level names: a dictionary says that nothing was written to it. */
static inline int
look_at_modules(Tracer *t)
{
    for (Py_ssize_t i = 0; i < t->n_modules; i++) {
        Module *module = &t->modules[i];
        if (UNLIKELY(DICT_VERSION(module->namespace) != module->version || module->has_cut)) {
            return modules_update(t);
        }
    }
    return 0;
}

/* A state of the global and the built-in names of a frame; 0: none can be told. */
static inline void
names_state(Frame *frame, uint64_t state[2])
{
    PyObject *globals = frame->frame->f_globals, *builtins = frame->frame->f_builtins;
    int is_known = PyDict_CheckExact(globals) && PyDict_CheckExact(builtins);
    state[0] = is_known ? DICT_VERSION(globals) : 0;
    state[1] = is_known ? DICT_VERSION(builtins) : 0;
}

#endif
