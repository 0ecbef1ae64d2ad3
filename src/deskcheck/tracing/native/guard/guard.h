/* Code in C that the program has put where the interpreter calls it: no event tells that it runs. */
#ifndef DESKCHECK_GUARD_H
#define DESKCHECK_GUARD_H

#include "../values/values.h"

/* dict_versions.c: DICT_VERSION(dict) is another number after every write to the dictionary */
#if PY_VERSION_HEX >= 0x030E0000
extern uint64_t dict_writes, dict_watcher_bit;
/* Have writes to the dictionary counted; one that cannot be watched has another version each time. Borrowed
   reference; no exception stays set. */
void dict_watch(PyObject *dict);
/* Stop counting writes to all dictionaries; cannot fail. */
void dict_unwatch_all(void);
/* A number that is another one after every write to the dictionary, which is watched from its first question on; a
   borrowed reference. */
static inline uint64_t
dict_version(PyObject *dict)
{
    if (!(((PyDictObject *)dict)->_ma_watcher_tag & dict_watcher_bit)) {
        dict_watch(dict);
    }
    return dict_writes;
}
#define DICT_VERSION(dict) dict_version((PyObject *)(dict))
#else
#define DICT_VERSION(dict) (((PyDictObject *)(dict))->ma_version_tag)
#define dict_unwatch_all() ((void)0)
#endif

/* hidden.c */
/* Once per process: hold the types of C that run hidden code. 0, or -1 with an exception. */
int guard_ready(void);
/* A trace begins: hold references to `sys` and its streams, by which a change is noticed; cannot fail. */
void guard_begin(Tracer *t);
/* Drop the references to streams and hooks; cannot fail. */
void guard_end(Tracer *t);
/* 1 if a special method of the type, of a base or of its metaclass is code in C that nobody sees, else 0. Borrowed
   reference; sets no exception. */
int guard_type(Tracer *t, PyTypeObject *type);
/* 1 if objects of this type are asked about when they come into sight, else 0. */
int guard_suspects(PyTypeObject *type);
/* 1 if objects of this type in C may hold what its operators call: asked about once, at first sight; else 0. */
int guard_holds(PyTypeObject *type);
/* Ask about a type, module, weak reference, defaultdict, cache or holder of callables that comes into sight, a
   borrowed reference; cannot fail. */
void guard_meet_object(Tracer *t, PyObject *object);
/* Ask about a callable, neither a function nor a type, that an attribute of an object of this type gets. Borrowed
   references; a type of NULL: a module. Cannot fail. */
void guard_callable(Tracer *t, PyTypeObject *type, PyObject *name, PyObject *value);
/* 1 if the function of a cache is visible to events, else 0; it is called where the cache lacks an entry. Borrowed
   reference. */
int guard_cache(PyObject *wrapper);
/* 1 if a look-up in a dictionary of this type puts in by code in C what it lacks, else 0; borrowed, sets no exception. */
int guard_fills(PyTypeObject *type);
/* 1 if a classmethod's function is Python code or makes an object, else 0; a borrowed reference, sets no exception. */
int guard_classmethod(PyObject *method);
/* 1 if a factory without arguments changes nothing of the program's, else 0. Borrowed reference. */
int guard_factory(PyObject *factory);
/* Look at what was replaced in `sys`: the streams that `print` writes to, and hooks. Cannot fail. */
void guard_streams(Tracer *t);
/* Look at hooks of asynchronous generators and audit hooks; cannot fail. */
void guard_hooks(Tracer *t, PyThreadState *state);
/* Look at what the program has registered: codecs, handlers of their errors, callbacks of the collector. Cannot fail. */
void guard_registries(Tracer *t, PyInterpreterState *interp);
/* A function of the program, called by code in C, has given this back: code in C may call it. Borrowed reference;
   cannot fail. */
void guard_returned(Tracer *t, PyObject *value);
/* A module gets an attribute, a borrowed reference: code of libraries, or the interpreter, may call it. Cannot fail. */
void guard_module(Tracer *t, PyObject *value);

/* From now on every object is compared at every event, finer ones included. */
static inline void
guard_found(Tracer *t)
{
    if (t->has_guard) {
        t->is_hidden = t->is_brute = 1;
    }
}

/* An attribute of an object gets a value: the interpreter may call it by its name. */
static inline void
guard_attribute(Tracer *t, PyTypeObject *type, PyObject *name, PyObject *value)
{
    if (UNLIKELY(Py_TYPE(value)->tp_call != NULL) && !PyFunction_Check(value) && !PyType_Check(value) && !t->is_hidden) {
        guard_callable(t, type, name, value);
    }
}

/* Another number after each registration of a codec, of a handler of its errors, of a callback of the collector. */
static inline uint64_t
guard_registered(PyInterpreterState *interp)
{
    PyObject *searches = CODEC_SEARCHES(interp), *handlers = ERROR_HANDLERS(interp), *callbacks = interp->gc.callbacks;
    uint64_t n_searches = searches == NULL ? 0 : (uint64_t)Py_SIZE(searches);
    uint64_t n_callbacks = callbacks == NULL ? 0 : (uint64_t)Py_SIZE(callbacks);
    return (handlers == NULL ? 0 : DICT_VERSION(handlers)) ^ n_searches << 48 ^ n_callbacks << 56;
}

/* Whether the program has replaced one of the streams or hooks of sys, or registered something, since the last event. */
static inline void
guard_look(Tracer *t)
{
    PyThreadState *state = t->stacks[t->current].state;
    if (UNLIKELY(t->sys != NULL && DICT_VERSION(t->sys) != t->sys_version)) {
        guard_streams(t);
    }
    if (UNLIKELY(guard_registered(state->interp) != t->registered)) {
        guard_registries(t, state->interp);
    }
    if (UNLIKELY(state->async_gen_finalizer != NULL || state->async_gen_firstiter != NULL || state->interp->audit_hooks != NULL)) {
        guard_hooks(t, state);
    }
}

#endif
