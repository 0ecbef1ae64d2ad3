/* Code in C that the program has put where the interpreter calls it: no event tells that it runs. */
#ifndef DESKCHECK_GUARD_H
#define DESKCHECK_GUARD_H

#include "../values/values.h"

/* hidden.c */
int guard_ready(void);
void guard_begin(Tracer *t);
void guard_end(Tracer *t);
int guard_type(Tracer *t, PyTypeObject *type);
int guard_suspects(PyTypeObject *type);
void guard_meet_object(Tracer *t, PyObject *object);
int guard_cache(PyObject *wrapper);
int guard_factory(PyObject *factory);
void guard_streams(Tracer *t);
void guard_hooks(Tracer *t, PyThreadState *state);

/* From now on every object is compared at every event, finer ones included. */
static inline void
guard_found(Tracer *t)
{
    if (t->has_guard) {
        t->is_hidden = t->is_brute = 1;
    }
}

/* Whether the program has replaced one of the streams or hooks of sys since the last event. */
static inline void
guard_look(Tracer *t)
{
    PyThreadState *state = t->stacks[t->current].state;
    if (UNLIKELY(t->sys != NULL && DICT_VERSION(t->sys) != t->sys_version)) {
        guard_streams(t);
    }
    if (UNLIKELY(state->async_gen_finalizer != NULL || state->async_gen_firstiter != NULL || state->interp->audit_hooks != NULL)) {
        guard_hooks(t, state);
    }
}

#endif
