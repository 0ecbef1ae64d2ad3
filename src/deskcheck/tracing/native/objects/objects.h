/* Objects by number: how a type is looked into, what an object held last, when it dies. */
#ifndef DESKCHECK_OBJECTS_H
#define DESKCHECK_OBJECTS_H

#include "../guard/guard.h"

/* watch.c */
int watch_type(PyTypeObject *type);
PyTypeObject *watch_owner(PyTypeObject *type);
void watch_start(Watcher *watcher);
void watch_stop(Watcher *watcher);
int watch_ready(PyObject *module);

/* shapes.c */
Shape *shape_of(Tracer *t, PyObject *value);
void shapes_forget(Tracer *t, PyObject *type);
void shapes_clear(Tracer *t);
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

static inline long long
range_position(Entry *entry)
{
#if PY_VERSION_HEX >= 0x030C0000
    return entry->n_all - ((RangeIterator *)entry->object)->n;
#else
    return ((RangeIterator *)entry->object)->index;
#endif
}

int read_attributes(Tracer *t, Entry *entry, PyObject *value);
int add_pair(Tracer *t, PyObject *name, PyObject *item);
int readers_ready(void);
Py_ssize_t dict_place(PyDictObject *dict, PyObject *key);
PyObject *dict_value(PyDictObject *dict, PyObject *key);
PyObject *set_member(PySetObject *set, PyObject *key);
#define TAGGED(number) ((PyObject *)(((uintptr_t)(int64_t)(number) << 1) | 1))
#define DEAD_ADDRESS ((PyObject *)4) /* what stood there has died: equal to nothing */
#define HOLE_ADDRESS ((PyObject *)12) /* no entry any more */
#define IS_TAGGED(item) ((uintptr_t)(item) & 1)
#define UNTAGGED(item) ((int64_t)(intptr_t)(item) >> 1)

/* heap.c */
int heap_init(Tracer *t);
void heap_clear(Tracer *t);
Entry *heap_find(Tracer *t, PyObject *value);
int32_t heap_handle(Tracer *t, PyObject *value);
int heap_add(Tracer *t, Numbers *numbers, int32_t number);
void heap_died(Watcher *watcher, PyObject *object);

/* shadows.c */
int shadow_resize(Tracer *t, Shadow *shadow, Py_ssize_t n, int has_keys);
void shadow_clear(Tracer *t, Shadow *shadow);
PyObject *shadow_hold(Tracer *t, Entry *holder, Shadow *shadow, Py_ssize_t place, PyObject *value, int32_t handle);
void shadow_release(Tracer *t, Shadow *shadow, PyObject *value, int32_t handle);
void shadow_poison(Tracer *t, Entry *dead);
void shadow_verify(Tracer *t, Shadow *shadow);
int scratch_room(Tracer *t, Py_ssize_t n);
int32_t new_serial(Tracer *t);
int attributes_update(Tracer *t, Entry *entry);

int compare_int32(const void *a, const void *b); /* for qsort() */

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
