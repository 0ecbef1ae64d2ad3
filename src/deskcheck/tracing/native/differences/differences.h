/* What has changed inside an object since it was looked at last. */
#ifndef DESKCHECK_DIFFERENCES_H
#define DESKCHECK_DIFFERENCES_H

#include "../objects/objects.h"

/* deltas.c */
int content_update(Tracer *t, Entry *entry, PyObject *value);
int content_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);
int iterator_look(Tracer *t, Entry *entry);

/* sequences.c, dicts.c, sets.c: for deltas.c */
int sequence_update(Tracer *t, Entry *entry, PyObject **items, Py_ssize_t n);
int sequence_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);
int deque_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);
int deque_update(Tracer *t, Entry *entry, PyObject *value);
int raw_update(Tracer *t, Entry *entry, PyObject *value);
int dict_update(Tracer *t, Entry *entry, PyObject *dict);
int dict_update_at(Tracer *t, Entry *entry, PyObject *object, Py_ssize_t place);
int set_update(Tracer *t, Entry *entry, PyObject *set);
int set_take(Tracer *t, Entry *entry, PyObject *set, Py_ssize_t place);
Py_ssize_t set_foresee(Entry *entry, PyObject *set, PyObject *key);
int set_add(Tracer *t, Entry *entry, PyObject *set, PyObject *member);

/* heaps.c */
int heap_path_update(Tracer *t, Entry *entry, PyObject *list, int is_alone);

#endif
