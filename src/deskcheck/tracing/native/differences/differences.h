/* What has changed inside an object since it was looked at last. */
#ifndef DESKCHECK_DIFFERENCES_H
#define DESKCHECK_DIFFERENCES_H

#include "../objects/objects.h"

/* deltas.c */
/* Write what has changed in a container since its last look; `value` is borrowed. 0, or -1 with an exception. */
int content_update(Tracer *t, Entry *entry, PyObject *value);
/* The same where only one place can have changed. 0, or -1 with an exception. */
int content_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);
/* Write how far an iterator has moved. 1 if it is at rest or its move has been written, 0 if it must be looked at
   the long way, -1 with an exception. */
int iterator_look(Tracer *t, Entry *entry);

/* sequences.c, dicts.c, sets.c: for deltas.c */
/* Compare `n` borrowed items with what the list or tuple held, and write the differences. 0, or -1 with an
   exception. */
int sequence_update(Tracer *t, Entry *entry, PyObject **items, Py_ssize_t n);
/* The same for one place of a list, or (PLACE_END) for what was put at its end. 0, or -1 with an exception. */
int sequence_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);
/* The same after one `append`, `pop` or `popleft`. 0, or -1 with an exception. */
int deque_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);
/* The same for a deque, a borrowed reference. 0, or -1 with an exception. */
int deque_update(Tracer *t, Entry *entry, PyObject *value);
/* The same for a bytearray or an array, compared as bytes. 0, or -1 with an exception. */
int raw_update(Tracer *t, Entry *entry, PyObject *value);
/* The same for a dictionary, a borrowed reference. 0, or -1 with an exception. */
int dict_update(Tracer *t, Entry *entry, PyObject *dict);
/* The same for one store into a dictionary: a new entry at the end, or the value at `place`. 0, or -1 with an
   exception. */
int dict_update_at(Tracer *t, Entry *entry, PyObject *object, Py_ssize_t place);
/* The same for a set or frozenset, a borrowed reference. 0, or -1 with an exception. */
int set_update(Tracer *t, Entry *entry, PyObject *set);
/* The same after `set.discard` or `set.remove`: nothing, or the member at this place of the shadow is gone. 0, or
   -1 with an exception. */
int set_take(Tracer *t, Entry *entry, PyObject *set, Py_ssize_t place);
/* Where the member that equals `key` stands in the shadow: PLACE_GONE or below it, PLACE_ALL where that is not
   known. Borrowed references; no exception. */
Py_ssize_t set_foresee(Entry *entry, PyObject *set, PyObject *key);
/* The same after `set.add(member)`: nothing, or one member more. 0, or -1 with an exception. */
int set_add(Tracer *t, Entry *entry, PyObject *set, PyObject *member);

/* heaps.c */
/* The same after a function of the module heapq, whose moves lie on one path; `is_alone`: no code in Python has run
   meanwhile. 0, or -1 with an exception. */
int heap_path_update(Tracer *t, Entry *entry, PyObject *list, int is_alone);

#endif
