/* From the interpreter's events to rows of a trace, by line, expression and instruction. */
#ifndef DESKCHECK_EVENTS_H
#define DESKCHECK_EVENTS_H

#include "../net/net.h"

/* calls.c */
/* Method `begin(frame, on_end)`: trace one call in its own thread. A new reference to None, or NULL with an
   exception. */
PyObject *tracer_begin(Tracer *t, PyObject *const *arguments, Py_ssize_t n);
/* The traced call is over: call `on_end`. Always 0 and no exception, whatever that does: the program must not
   notice. */
int call_ended(Tracer *t, int kind);
/* Add the type CallGate to the module, a borrowed reference. 0, or -1 with an exception. */
int calls_ready(PyObject *module);

/* tracer.c */
/* Make this the active tracer and hold a reference to it; cannot fail. */
void trace_on(Tracer *t);
/* End the tracing of this thread and of `sys.settrace`, and drop that reference; what the trace knows stays. Cannot
   fail. */
void trace_off(Tracer *t);

/* events.c */
/* The interpreter's trace function; all references are borrowed. 0, or -1 with an exception, which ends the
   program's frame. */
int on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *argument);
/* Handle of the value that the call gave back, a borrowed reference; changes after the last event belong to the
   outcome. FAILED with an exception. */
int32_t final_value(Tracer *t, PyObject *value);

/* tracer.c */
extern PyTypeObject TracerType;
/* Prepare all layers below and add the type NativeTracer to the module. 0, or -1 with an exception. */
int tracer_ready(PyObject *module);

/* steps.c */
/* Once per process and opcode: pass the instruction of this name on to effects.c; cannot fail. */
void steps_note(int op, const char *name);
/* Set the flag by which 3.12 gives events of instructions: 1 and 0 while a trace runs, -1 puts back what the
   program had. Cannot fail. */
void steps_want(int wanted);
/* A frame begins at a granularity finer than lines: fill its steps, ask for its events. 0, or -1 with an exception. */
int steps_enter(Tracer *t, Frame *frame, PyFrameObject *f);
/* An event of one instruction: write the expression or instruction that ended before it. 0, or -1 with an
   exception. */
int steps_opcode(Tracer *t, Frame *frame);
/* Write the expression that the frame's last instruction finished; its value lies on top of the stack. 0, or -1
   with an exception. */
int steps_flush(Tracer *t, Frame *frame);
/* Compare the names of the frame that runs and of those that wait, to which the program may have written through
   `f_locals`. 0, or -1 with an exception. */
int names_of_frames(Tracer *t, Frame *running);
/* A line begins: compare the value stack, on which in most cases only the loops' iterators lie. 0, or -1 with an
   exception. */
int steps_stack(Tracer *t, Frame *frame);
/* Write what the instruction before an event changed among the objects. 0, or -1 with an exception. */
int steps_look(Tracer *t, Frame *ran, int kind);
/* Before such a look: 1 if every object is to be compared, 0 if `steps_look` or `t->touched` tells which, -1 with
   an exception. */
int steps_any(Tracer *t, Frame *ran, int kind);

enum { AFTER_NAMES = 1, AFTER_OBJECTS = 2, AFTER_MODULES = 4, AFTER_ONE = 8, AFTER_CELLS = 16, AFTER_UNKNOWN = 32 };
enum { EFFECT_NONE, EFFECT_SELF, EFFECT_ANY };

/* Once per process and opcode: what the instruction of this name can change; `is_known`: steps.c lists it. Cannot
   fail. */
void effects_note(int op, const char *name, int is_known);
/* 1 if the instruction is a call, else 0. */
int effects_is_call(int op);
/* 1 if what Python code that the instruction calls gives back lies on the stack then, and code in C has not called it,
   else 0. */
int effects_gives(int op);
/* The bits AFTER_* of the frame's last instruction: whether names, modules or objects may have changed. Sets no
   exception. */
int effects_of(Frame *frame);
/* 1 if those bits are all that the instruction can have changed, else 0. */
int effects_is_known(int op);
/* The one object that an instruction can have changed: a borrowed address that may be dead, or NULL. */
PyObject *effects_touched(Frame *frame);
/* Before an instruction: note what will have to be looked at when it is over. `stack` has `n` borrowed slots. 0, or
   -1 with an exception. */
int effects_before(Tracer *t, Frame *frame, int unit, Ref *stack, int n);
/* After an instruction: look at that. 0, or -1 with an exception. */
int effects_look(Tracer *t, Frame *frame, Ref *stack, int n);
/* After a call that had no event of its own: look at what it can have changed. 0, or -1 with an exception. */
int effects_look_call(Tracer *t, Frame *frame);

/* Most instructions neither finish an expression nor come after one that did: 1, and nothing is to be done. */
static inline int
steps_is_plain(Frame *frame)
{
    int unit = unit_of(frame->frame);
    return frame->pending < 0 && frame->reported < 0 && unit >= 0 && unit < frame->code->n_units &&
           frame->code->step_at[unit] < 0 && frame->code->ops[unit] != OP.extended_arg;
}

#endif
