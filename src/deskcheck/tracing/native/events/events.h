/* From the interpreter's events to rows of a trace, by line, expression and instruction. */
#ifndef DESKCHECK_EVENTS_H
#define DESKCHECK_EVENTS_H

#include "../net/net.h"

/* calls.c */
PyObject *tracer_begin(Tracer *t, PyObject *const *arguments, Py_ssize_t n);
int call_ended(Tracer *t, int kind);
int calls_ready(PyObject *module);

/* tracer.c */
void trace_on(Tracer *t);
void trace_off(Tracer *t);

/* events.c */
int on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *argument);
int32_t final_value(Tracer *t, PyObject *value);

/* tracer.c */
extern PyTypeObject TracerType;
int tracer_ready(PyObject *module);

/* steps.c */
int steps_kept(int op, int arg, int depth);
void steps_note(int op, const char *name);
void steps_want(int wanted);
int steps_enter(Tracer *t, Frame *frame, PyFrameObject *f);
int steps_opcode(Tracer *t, Frame *frame);
int steps_flush(Tracer *t, Frame *frame);
int steps_stack(Tracer *t, Frame *frame);
int steps_look(Tracer *t, Frame *ran, int kind);
int steps_any(Tracer *t, Frame *ran, int kind);

enum { AFTER_NAMES = 1, AFTER_OBJECTS = 2, AFTER_MODULES = 4, AFTER_ONE = 8, AFTER_CELLS = 16, AFTER_UNKNOWN = 32 };
enum { EFFECT_NONE, EFFECT_SELF, EFFECT_ANY };

void effects_note(int op, const char *name, int is_known);
int effects_is_call(int op);
int effects_of(Frame *frame);
int effects_is_known(int op);
PyObject *effects_touched(Frame *frame);
int effects_before(Tracer *t, Frame *frame, int unit, Ref *stack, int n);
int effects_look(Tracer *t, Frame *frame, Ref *stack, int n);
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
