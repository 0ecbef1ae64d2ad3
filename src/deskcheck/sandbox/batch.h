/* What batch.c and state.c of deskcheck.sandbox._batch share. */
#ifndef DESKCHECK_BATCH_H
#define DESKCHECK_BATCH_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>

/* What a program left changed; wire.py has the same numbers with their names. */
enum {
    TRIP_MODULES = 1,      /* the set of loaded modules, or a table that every import goes through */
    TRIP_NAMES = 2,        /* a name in a module */
    TRIP_CLASSES = 4,      /* an attribute of a class */
    TRIP_FUNCTIONS = 8,    /* the code or defaults of a function of ours */
    TRIP_INTERPRETER = 16, /* recursion limit, trace function, collector, signal handlers, streams, threads, .. */
    TRIP_FOLDER = 32,      /* working folder, what lies in it, umask */
    TRIP_LOCALE = 64,
    TRIP_DESCRIPTORS = 128,
    TRIP_PROCESSES = 256,  /* a child process, a timer */
    TRIP_MEMORY = 512,     /* address space that did not come back */
    TRIP_REFUSED = 1024,   /* a system call that the sandbox refused */
    TRIP_OURS = 2048,      /* a module, class or function of ours, even where it is again as it was */
    TRIP_THREADS = 4096,   /* it started a thread, whether or not that has ended */
    TRIP_OBJECTS = 8192,   /* the inside of an object that can be reached from a module */
};

/* A child's descriptors beside 0, 1, 2; wire.py has the same numbers. */
enum { FD_RESULT = 3, FD_BATCH = 4, FD_STATM = 5, N_FDS = 6 };

/* In the zygote, once: what is to be watched; `own`: dictionaries that are ours. 0, or -1 with an exception. */
int watch_objects(PyObject *tables, PyObject *functions, PyObject *own);
/* Likewise, then: caches to put back, callables that empty others, and what is not entered on the way through
   all objects: what is ours, and types whose inside changes with every use. */
int watch_caches(PyObject *dicts, PyObject *calls);
/* In the zygote, once: `barrier` lists objects whose inside is not entered, `opaque` types whose inside changes
   with every use. Holds references to both. 0, or -1 with an exception. */
int watch_inside(PyObject *barrier, PyObject *opaque);
/* In the child, after a program: its caches are as they were before it. */
void watch_restore(void);
/* contents.c: the walk, and what it finds beside dictionaries and classes, which it gives to these two. */
/* Watch a dictionary that the walk has met; a borrowed reference. 0, or -1 with an exception. */
int watch_dict(PyObject *object);
/* Watch the attributes of a class that the walk has met; a borrowed reference. 0, or -1 with an exception. */
int watch_class(PyObject *object);
/* Walk through all objects from `roots` and note their contents; `barrier` and `opaque` as in `watch_inside`. Three
   borrowed lists; what is noted is held. 0, or -1 with an exception. */
int reach_all(PyObject *roots, PyObject *barrier, PyObject *opaque);
/* Note anew the contents that have changed since they were noted; cannot fail. */
void contents_renew(void);
/* 1 if the content of a noted object has changed since, else 0; sets no exception. */
int contents_changed(void);
/* setters.c */
/* In the zygote, once: from now on the setters of functions, classes and dictionaries note their use. 0, or -1 with an
   exception. */
int setters_note(void);
/* 1 if one was used since `setters_forget`, else 0; sets no exception. */
int setters_used(void);
/* Count the uses from here; cannot fail. */
void setters_forget(void);
/* Likewise: callables whose answers stay the same; those of `handlers` can change only once a handler was set. */
int watch_probes(PyObject *probes, PyObject *handlers);
/* In the zygote, after work of its own: how the objects are now, so that no child has to note it. As above. */
int watch_renew(void);
/* In the child: how the objects are now; for a single program only those that are ours. 0, or -1 with an exception. */
int watch_begin(int is_single);
/* Which of them have changed since; the inside of objects only if the program may have reached it. */
int watch_changed(int reaches_inside);
/* Whether a program may reach the inside of the library's objects; `prepared` is a borrowed reference. 1, 0, or -1
   with an exception. */
int watch_reaches_inside(PyObject *prepared);
/* Whether a dictionary or class of ours has been touched since the last `watch_changed`, changed or not. */
int watch_own_touched(void);
/* Whether a function of ours is another one now; unlike a touch, this can be undone. */
int watch_function_changed(void);
/* In the child, before any foreign code: how it is now; after a single program nothing but what is ours is compared. 0,
   or -1 with an exception. */
int state_begin(int is_single);
/* What has changed since, objects included. */
int state_changed(int reaches_inside);
/* Whether a thread has been started since `state_begin`, ended or not. */
int state_had_threads(void);
/* Whether the descriptor is still the one that it was at the beginning. */
int state_same_file(int fd);
/* guard.c */
/* In the child, before a program: note the handlers, and hold a reference to `flush`, which writes its output. 0,
   or -1 with an exception. */
int guard_begin(PyObject *flush);
/* The bits TRIP_* that the guard has seen since the job began; sets no exception. */
int guard_trip(void);
/* Compare our functions and dictionaries once more at the end of a job, and add what differs to `guard_trip`;
   cannot fail. */
void guard_look(void);
/* What dies with the next `guard_release`. */
void guard_hold(PyObject *object);
/* Drop the references of `guard_hold`, when the job's frame is made, so that no frame of ours lies under the
   finalizers; cannot fail. */
void guard_release(void);
/* Forget what the last job did; the next one begins. Cannot fail. */
void guard_renew(void);
/* Whether a program has asked for a signal's handler in this child. */
int guard_has_handlers(void);
/* Method `call(function, *arguments)`: run code of ours inside the program. A new reference, or NULL with the
   callable's exception. */
PyObject *guard_call(PyObject *self, PyObject *const *arguments, Py_ssize_t n);
/* Method as `guard_call`, for the last of a job's calls: its threads end with it. A new reference, or NULL with the
   callable's exception. */
PyObject *guard_call_last(PyObject *self, PyObject *const *arguments, Py_ssize_t n);
/* Method `keep(object)`: hold the object until the job is over, if one runs. A new reference to None. */
PyObject *guard_keep(PyObject *self, PyObject *object);
/* Method: whether a thread of the program ended after its call. A new reference to a bool. */
PyObject *guard_outlived(PyObject *self, PyObject *unused);
/* Method: a budget ends the program; what it has printed is counted before the interpreter's own messages come. A
   new reference to None. */
PyObject *guard_stopped(PyObject *self, PyObject *unused);
/* How much of the output is the program's; -1: all of it. */
long long guard_printed(void);
/* In the zygote, before it forks: what is allocated from here on comes in one piece (memory.c). */
void fill_holes(void);

#endif
