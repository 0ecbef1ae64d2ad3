/* What unknown code can have changed (reach.c). */
#ifndef DESKCHECK_REACH_H
#define DESKCHECK_REACH_H

enum { REACH_GIVEN = 1, REACH_NAMES = 2, REACH_HIDDEN = 4, REACH_WILD = 8,
       REACH_ALL = REACH_GIVEN | REACH_NAMES | REACH_HIDDEN };

int reach_give_object(Tracer *t, Frame *frame, PyObject *value);

static inline int
reach_give(Tracer *t, Frame *frame, PyObject *value)
{
    return value == NULL || is_scalar(t, value) ? 0 : reach_give_object(t, frame, value);
}

int reach_wild(Tracer *t, PyObject *iterator);
int reach_give_known(Tracer *t, Frame *frame, PyObject *address);
int reach_look(Tracer *t, Frame *frame, int wanted);
int reach_give_names(Tracer *t, Frame *frame, PyCodeObject *co, _PyInterpreterFrame *iframe);
int reach_foreign(Tracer *t, Frame *frame, PyFrameObject *f);
int reach_find(Tracer *t, Frame *frame, int wanted);
int reach_settle(Tracer *t);

#endif
