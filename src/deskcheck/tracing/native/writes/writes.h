/* The write set: which objects a line, or unknown code, can have changed; and a look at them. */
#ifndef DESKCHECK_WRITES_H
#define DESKCHECK_WRITES_H

#include "../differences/differences.h"
#include "../frames/frames.h"

/* look.c */
/* Compare every object that can change. 0, or -1 with an exception. */
int heap_look(Tracer *t);
/* Look into what was met since the last look, and what that leads to. 0, or -1 with an exception. */
int heap_look_new(Tracer *t);
/* Compare the objects that the last line can have changed, and those that any line can. 0, or -1 with an exception. */
int heap_look_touched(Tracer *t);
/* Compare those that any line can have changed. 0, or -1 with an exception. */
int heap_look_always(Tracer *t);
/* Compare a dictionary that was known before it became the names of a frame (`exec`), a borrowed reference. 0, or
   -1 with an exception. */
int heap_names(Tracer *t, PyObject *dict);
/* 1 if the object is not what is known of it, and the difference is written; 0 if it is; -1 with an exception. */
int heap_check(Tracer *t, int32_t number);
/* Compare the object at an address that may be dead, and what was met since the last look. 0, or -1 with an
   exception. */
int heap_look_at(Tracer *t, PyObject *address);
/* The same where one place of it can have changed. 0, or -1 with an exception. */
int heap_look_place(Tracer *t, PyObject *address, Py_ssize_t place);
/* For qsort(): order of two pairs of numbers, by the first and then by the second (touch.c). */
int compare_pairs(const void *a, const void *b);

enum { REACH_GIVEN = 1, REACH_NAMES = 2, REACH_HIDDEN = 4, REACH_WILD = 8, REACH_LOST = 16,
       REACH_ALL = REACH_GIVEN | REACH_NAMES | REACH_HIDDEN };

/* Unknown code gets this object, a borrowed reference: note what it can change through it. 0, or -1 with an
   exception. */
int reach_give_object(Tracer *t, Frame *frame, PyObject *value);

/* The same of any value; NULL and scalars lead nowhere. 0, or -1 with an exception. */
static inline int
reach_give(Tracer *t, Frame *frame, PyObject *value)
{
    return value == NULL || is_scalar(t, value) ? 0 : reach_give_object(t, frame, value);
}

/* Note an iterator that may run code in C, a borrowed reference. 0, or -1 with an exception. */
int reach_wild(Tracer *t, PyObject *iterator);
/* As `reach_give_object`, of an address that may be dead. 0, or -1 with an exception. */
int reach_give_known(Tracer *t, Frame *frame, PyObject *address);
/* Find what unknown code can have changed (REACH_*) and compare it. 0, or -1 with an exception. */
int reach_look(Tracer *t, Frame *frame, int wanted);
/* Unknown code gets the arguments of a new frame, or all names of a generator's; `is_own`: what its variables hold
   cannot go without an event. Borrowed references. 0, or -1 with an exception. */
int reach_give_names(Tracer *t, Frame *frame, PyCodeObject *co, _PyInterpreterFrame *iframe, int is_own);
/* A function of another file is called in this frame: it gets its arguments. Borrowed reference. 0, or -1 with an
   exception. */
int reach_foreign(Tracer *t, Frame *frame, PyFrameObject *f);
/* Put into `t->touched` all that unknown code can have changed while the frame ran its line. 0, 1 if every object
   is to be compared instead, -1 with an exception. */
int reach_find(Tracer *t, Frame *frame, int wanted);
/* Account for the references of all that the last search met. 0, or -1 with an exception. */
int reach_settle(Tracer *t);

/* touch.c, callees.c */
/* Put into `t->touched`, in ascending order, what the line that ran can have changed. 0, 1 if every object is to be
   compared instead, -1 with an exception. */
int line_touches(Tracer *t, Frame *ran);
/* A line that takes an entry out of a dictionary or set is about to run: note where that lies, which cannot be
   found afterwards; of one that leaves a `with`, whose. Cannot fail. */
void line_foresee(Tracer *t, Frame *frame);
/* Once per process: hold the built-in functions that change nothing. 0, or -1 with an exception. */
int callees_ready(void);
/* 1 if a built-in function or type changes nothing that it is given but iterators, else 0. Borrowed reference. */
int callee_is_pure(PyObject *callee);
/* 1 if it is `print`, which may be given a file whose `write` is anything, else 0. Borrowed reference. */
int callee_is_print(PyObject *callee);
/* 1 if a built-in function of scalars, or (`callee` is NULL) a text's method of this name, gives the same each time and
   soon, else 0. Borrowed references. */
int callee_is_quick(PyObject *callee, PyObject *method);
/* 1 if it is `len`, else 0. Borrowed reference. */
int callee_is_len(PyObject *callee);
/* 1 if the object is a lock of `threading`, else 0. Borrowed reference. */
int callee_is_lock(PyObject *object);
/* The lock whose `__exit__` this is, borrowed; NULL without an exception if it is no such method. */
PyObject *callee_exits(PyObject *method);
/* 1 if the object is a `collections.deque`, else 0. Borrowed reference. */
int callee_is_deque(PyObject *object);
/* 1 if it is `collections.defaultdict`, whose stores and methods are those of dict, else 0. Borrowed reference. */
int callee_is_defaults(PyObject *callee);

enum { F_FAIL, F_NOTHING, F_OBJECT };
enum { C_PURE, C_SELF, C_FIRST, C_ANY, C_HEAP, C_HARMLESS, C_LOST }; /* C_HARMLESS: with these arguments; C_LOST: something else may have been called */

typedef struct {
    Tracer *t;
    Frame *ran;
    Lines *lines;
    int before;
    int wanted; /* of reach.c: REACH_* */
    int is_lost;   /* something on the way to an object is not what it was when the line began */
    int has_found; /* something was looked for in a class, module or function */
    int n_way, n_hits;
    Entry *way[24];
    Entry *hits[24];
    Py_ssize_t places[24]; /* of a list: one that can have changed, each a hit; PLACE_ALL, PLACE_END */
    int counts[24];
} Search;

typedef struct {
    int kind;
    PyObject *object;
} Found;

/* A class, a module or a function: what is stored in an attribute of it is not always recorded where that happens. */
static inline int
is_common(PyObject *object)
{
    return PyType_Check(object) || PyModule_Check(object) || PyFunction_Check(object);
}

/* follow.c */
/* 1 if a class, module or function may have had another value under this name as the statement began, else 0. Borrowed references;
   `value` is what it has now, NULL: nothing. */
int is_rebound(Search *s, PyObject *holder, PyObject *name, PyObject *value);
/* Whether a class that extends dict has the dictionary's own method of this name. */
int acts_as_dict(PyTypeObject *type, const char *method);
/* The value of a slot of the frame that ran, borrowed. F_FAIL where it cannot be told, F_NOTHING where there is
   none. */
Found local_value(Search *s, int slot);
/* The value of an attribute without running code, borrowed. F_FAIL where that cannot be told. */
Found attribute_value(Search *s, PyObject *base, PyObject *name);
/* The value that a symbol had, borrowed. F_FAIL where that cannot be told. */
Found value_of(Search *s, int node);
/* 1 and the number in `*number` where a symbol is a small int, else 0. */
int int_value(Search *s, int node, int64_t *number);
/* A tuple of scalars, or a number that the line has computed, as the line uses it for a key. A new reference, or
   NULL where it cannot be known. */
PyObject *key_of(Search *s, int node);

/* callees.c */
/* What a call of this function can change: one of C_*. Borrowed reference; sets no exception. */
int call_of_function(Search *s, const Touch *touch, PyObject *callee);
/* What a call of this method can change: one of C_*; a built-in container's changes that container at most.
   Borrowed references; sets no exception. */
int call_of_method(Search *s, const Touch *touch, PyObject *base, PyObject *name);

/* The same of the method that `super()` finds by this name for `base`. */
int call_of_super(Search *s, const Touch *touch, PyObject *base, PyObject *name);

/* 1 if a call has no keywords, or those that it may have, `key` for example, run no code in C that could change things, else 0. */
int has_harmless_key(Search *s, const Touch *touch);

/* A types.SimpleNamespace: the one type in C whose instances are read by their dictionary. */
static inline int
is_namespace_object(PyTypeObject *type, const Entry *entry)
{
    return entry->shape->reader == R_INSTANCE && !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE);
}

/* Whether a store into an instance of this class changes nothing else: one into an array of ctypes changes its buffer. */
static inline int
keeps_its_own(PyTypeObject *type, const Entry *entry)
{
    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    PyTypeObject *base = watch_owner(type);
    return base == &PyBaseObject_Type || (entry != NULL && (entry->shape->content != C_NONE || entry->shape->is_scalar)) ||
           PyType_FastSubclass(base, Py_TPFLAGS_BASE_EXC_SUBCLASS | Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_TYPE_SUBCLASS);
}

/* Whether the line that ran can have changed nothing but names and what changes by itself. */
static inline int
is_harmless(Tracer *t, Frame *ran)
{
    const Line *line = ran->ran;
    if (line == NULL || line->kind == LINE_OTHER || (t->is_brute | ran->handed.is_foreign | has_wild(t) | t->others_ran)) {
        return 0;
    }
    if (line->kind == LINE_QUIET) {
        return 1;
    }
    if (line->inplace && ran->slots[line->inplace - 1].state != S_SCALAR) {
        return 0; /* of a scalar an operator makes another one */
    }
    if (line->n_calls) {
        uint64_t now[2];
        guard_look(t);
        names_state(ran, now);
        return !t->is_hidden && line->seen[0] != 0 && line->seen[0] == now[0] && line->seen[1] == now[1];
    }
    return 1;
}

#endif
