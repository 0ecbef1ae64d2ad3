/* Objects by number: how a type is looked into, what an object held last, when it dies. */
#ifndef DESKCHECK_OBJECTS_H
#define DESKCHECK_OBJECTS_H

#include "../guard/guard.h"

/* watch.c */
/* Have the deaths of a type's instances reported. Borrowed reference. 0, or -1 with an exception (no memory). */
int watch_type(PyTypeObject *type);
/* The type whose tp_dealloc ends the instances of this one; borrowed. */
PyTypeObject *watch_owner(PyTypeObject *type);
/* Report deaths to this watcher, which must live until `watch_stop`; cannot fail. */
void watch_start(Watcher *watcher);
/* Report no more deaths to this watcher; cannot fail. */
void watch_stop(Watcher *watcher);
/* Once per process: prepare the table of types. 0, or -1 with an exception. */
int watch_ready(PyObject *module);

/* shapes.c */
/* How objects of the value's type are read; borrowed, lives as long as the tracer. NULL with an exception. */
Shape *shape_of(Tracer *t, PyObject *value);
/* A type has died: its address may become another type's. Cannot fail. */
void shapes_forget(Tracer *t, PyObject *type);
/* Free all shapes and drop their references; cannot fail. */
void shapes_clear(Tracer *t);
/* The text that is shown of an object that is known by name. A new reference, or NULL with an exception. */
PyObject *shape_text(Tracer *t, Shape *shape, PyObject *value);

/* readers.c; the structs of iterators are in no header of CPython's */
typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *source;
} SequenceIterator;

typedef struct {
    PyObject_HEAD
#if PY_VERSION_HEX < 0x030C0000
    long index;
#endif
    long start, step, n;
} RangeIterator;

/* Number of items that a range's iterator has given. */
static inline long long
range_position(Entry *entry)
{
#if PY_VERSION_HEX >= 0x030C0000
    return entry->n_all - ((RangeIterator *)entry->object)->n;
#else
    return ((RangeIterator *)entry->object)->index;
#endif
}

/* List names and values of an object in `t->heap.names` and `items`, borrowed until the next reading. 0, or -1 with
   an exception. */
int read_attributes(Tracer *t, Entry *entry, PyObject *value);
/* Note that an object has left a name or a container: a line that waits may have been about to change it. */
void shadow_displace(Tracer *t, const Entry *entry);
/* Whether a dictionary that comes into sight holds the attributes or names of something else that is known. */
int read_is_of_another(Tracer *t, PyObject *dict);
/* Add a name and a value, both borrowed, to that list. 0, or -1 with an exception. */
int add_pair(Tracer *t, PyObject *name, PyObject *item);
/* Once per process: intern the names that readers use. 0, or -1 with an exception. */
int readers_ready(void);
/* Place of a key among the entries of a dictionary whose keys are all scalars; -1 without an exception if it is not
   there. Borrowed references. */
Py_ssize_t dict_place(PyDictObject *dict, PyObject *key);
/* Place of this very object, whose hash is known, among the keys; -1 if it is not one of them. No exception. */
Py_ssize_t dict_place_of(PyDictObject *dict, PyObject *key, Py_hash_t hash);
/* The value that a dictionary has under a key made of scalars, borrowed; NULL without an exception where there is
   none, or where it cannot be told. */
PyObject *dict_value(PyDictObject *dict, PyObject *key);
/* A set's own member that equals a key made of scalars, borrowed; NULL without an exception where there is none, or
   where it cannot be told. */
PyObject *set_member(PySetObject *set, PyObject *key);
#define TAGGED(number) ((PyObject *)(((uintptr_t)(int64_t)(number) << 1) | 1))
#define DEAD_ADDRESS ((PyObject *)4) /* what stood there has died: equal to nothing */
#define HOLE_ADDRESS ((PyObject *)12) /* no entry any more */
#define IS_TAGGED(item) ((uintptr_t)(item) & 1)
#define UNTAGGED(item) ((int64_t)(intptr_t)(item) >> 1)

/* heap.c */
/* Make the tables of objects. 0, or -1 with an exception. */
int heap_init(Tracer *t);
/* Free them and drop the references to scalars; cannot fail. */
void heap_clear(Tracer *t);
/* What is known of an object, borrowed; NULL if it has not been met. Sets no exception. */
Entry *heap_find(Tracer *t, PyObject *value);
/* Handle of any value, a borrowed reference; an object that is new gets a number and is looked into. FAILED with an
   exception. */
int32_t heap_handle(Tracer *t, PyObject *value);
/* Append a number to a list of numbers. 0, or -1 with an exception and `t->out_of_memory` set. */
int heap_add(Tracer *t, Numbers *numbers, int32_t number);
/* A watcher's `died`: in the middle of a deallocation, so that nothing may touch the object but a look at what it
   holds. `is_gone`: its memory is free, and the address alone counts. Cannot fail. */
void heap_died(Watcher *watcher, PyObject *object, int is_gone);

/* shadows.c */
/* Make room for `n` slots in a shadow, with keys or without. 0, or -1 with an exception. */
int shadow_resize(Tracer *t, Shadow *shadow, Py_ssize_t n, int has_keys);
/* Forget all that a shadow holds, and drop the references to scalars; cannot fail. */
void shadow_clear(Tracer *t, Shadow *shadow);
/* The address to write for a value with this handle; a reference to a scalar is taken, to be given back by
   `shadow_release`. NULL where the address would say nothing. */
PyObject *shadow_hold(Tracer *t, Entry *holder, Shadow *shadow, Py_ssize_t place, PyObject *value, int32_t handle);
/* Give back what `shadow_hold` returned; cannot fail. */
void shadow_release(Tracer *t, Shadow *shadow, PyObject *value, int32_t handle);
/* An object dies: strike its address out wherever a shadow has it. Cannot fail. */
void shadow_poison(Tracer *t, Entry *dead);
/* Strike out the addresses of dead objects in one shadow; cannot fail. */
void shadow_verify(Tracer *t, Shadow *shadow);
/* The place of a name among the attributes that are remembered of an object, -1: it has none of this name. */
Py_ssize_t attribute_place(const Entry *entry, PyObject *name);
/* Make room for `n` items in `scratch` and `handles`. 0, or -1 with an exception. */
int scratch_room(Tracer *t, Py_ssize_t n);
/* A number that stands nowhere in `stamps`, which has room for every handle; < 0 with an exception (no memory). */
int32_t new_serial(Tracer *t);
/* Write what has changed among the names and values that a reader has listed. 0, or -1 with an exception. */
int attributes_update(Tracer *t, Entry *entry);

/* For qsort(): order of two numbers of 32 bits. */
int compare_int32(const void *a, const void *b);

/* Values whose comparison and hash are C code alone; those of a datetime ask its time zone. */
static inline int
is_basic(PyObject *value)
{
    return PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || PyFloat_CheckExact(value) || PyBool_Check(value) ||
           value == Py_None || PyBytes_CheckExact(value) || PyComplex_CheckExact(value);
}

/* Such a value, or a tuple of them. */
static inline int
is_plain_key(PyObject *value)
{
    if (!PyTuple_CheckExact(value)) {
        return is_basic(value);
    }
    int is_plain = 1;
    for (Py_ssize_t i = 0; is_plain && i < PyTuple_GET_SIZE(value); i++) {
        is_plain = is_basic(PyTuple_GET_ITEM(value, i));
    }
    return is_plain;
}

/* Whether iterators that may run code in C are alive, or have gone since they were looked for. */
static inline int
has_wild(Tracer *t)
{
    return t->heap.n_wild > 0 || t->heap.wild_given.n > 0;
}

/* An object that a slot or a stack remembers by its address: its death makes them look again. */
static inline void
name_object(Tracer *t, int32_t handle)
{
    if (handle >= 0 && t->columns.values.kind[handle] == V_REF) {
        t->heap.by_number[t->columns.values.number[handle]]->is_named = 1;
    }
}

/* Whether an iterator over a range, a list, a tuple or a string has not moved. */
static inline int
is_at_rest(const Entry *entry)
{
    const Shadow *known = &entry->attributes;
    if (UNLIKELY(known->n != 2)) {
        return 0;
    }
    if (entry->shape->reader == R_RANGE) {
        return known->value[1] == TAGGED(range_position((Entry *)entry));
    }
    const SequenceIterator *it = (const SequenceIterator *)entry->object;
    return entry->shape->reader == R_SEQUENCE && it->source != NULL && it->index >= 0 && known->value[0] == it->source &&
           known->value[1] == TAGGED(it->index);
}

#endif
