/* The write set: which objects a line, or unknown code, can have changed; and a look at them. */
#ifndef DESKCHECK_WRITES_H
#define DESKCHECK_WRITES_H

#include "../differences/differences.h"
#include "../frames/frames.h"

/* look.c */
int heap_look(Tracer *t);
int heap_look_new(Tracer *t);
int heap_look_touched(Tracer *t);
int heap_look_always(Tracer *t);
int heap_names(Tracer *t, PyObject *dict);
int heap_check(Tracer *t, int32_t number);
int heap_look_at(Tracer *t, PyObject *address);
int heap_look_place(Tracer *t, PyObject *address, Py_ssize_t place);
int compare_pairs(const void *a, const void *b); /* touch.c */

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
int reach_give_names(Tracer *t, Frame *frame, PyCodeObject *co, _PyInterpreterFrame *iframe, int is_own);
int reach_foreign(Tracer *t, Frame *frame, PyFrameObject *f);
int reach_find(Tracer *t, Frame *frame, int wanted);
int reach_settle(Tracer *t);

/* touch.c, callees.c */
int line_touches(Tracer *t, Frame *ran);
void line_foresee(Tracer *t, Frame *frame);
int callees_ready(void);
int callee_is_pure(PyObject *callee);
int callee_is_print(PyObject *callee);
int callee_is_len(PyObject *callee);
int callee_is_deque(PyObject *object);
int callee_is_defaults(PyObject *callee);

enum { F_FAIL, F_NOTHING, F_OBJECT };
enum { C_PURE, C_SELF, C_FIRST, C_ANY, C_HEAP, C_HARMLESS }; /* the last: with these arguments */

typedef struct {
    Tracer *t;
    Frame *ran;
    Lines *lines;
    int before;
    int wanted; /* of reach.c: REACH_* */
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

/* follow.c */
Found local_value(Search *s, int slot);
Found attribute_value(Search *s, PyObject *base, PyObject *name);
Found value_of(Search *s, int node);
int int_value(Search *s, int node, int64_t *number);
PyObject *key_of(Search *s, int node);

/* callees.c */
int call_of_function(Search *s, const Touch *touch, PyObject *callee);
int call_of_method(Search *s, const Touch *touch, PyObject *base, PyObject *name);

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
