/* What touch.c, follow.c and callees.c share: one search for the objects that a line can have changed. */
#ifndef DESKCHECK_TOUCH_H
#define DESKCHECK_TOUCH_H

#include "hot.h"
#include "reach.h"

enum { F_FAIL, F_NOTHING, F_OBJECT };
enum { C_PURE, C_SELF, C_FIRST, C_ANY, C_HARMLESS }; /* the last: with these arguments */

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

/* callees.c */
int call_of_function(Search *s, const Touch *touch, PyObject *callee);
int call_of_method(Search *s, const Touch *touch, PyObject *base, PyObject *name);

#endif
