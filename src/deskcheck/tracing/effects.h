/* What an instruction may have changed, for the finer granularities (effects.c). */
#ifndef DESKCHECK_EFFECTS_H
#define DESKCHECK_EFFECTS_H

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

#endif
