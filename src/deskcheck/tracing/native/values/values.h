/* Columns and values: rows of a trace as they grow, and the handles of scalars and texts. */
#ifndef DESKCHECK_VALUES_H
#define DESKCHECK_VALUES_H

#include "../core/core.h"

/* columns.c */
/* Make empty columns. 0, or -1 with an exception. */
int columns_init(Columns *columns);
/* Free all columns; cannot fail. */
void columns_clear(Columns *columns);
/* Make room for events, or give rows to the sink. 0, or -1 with an exception. */
int columns_grow_events(Tracer *t);
/* Number the steps of the rows before `n`; each line is one. 0, or -1 with an exception (no memory). */
int columns_steps(Tracer *t, Py_ssize_t n);
/* Write the thread of the last row; the column begins with the first other thread. 0, or -1 with an exception. */
int columns_thread(Tracer *t, int32_t thread);
/* Make room for changes, or give rows to the sink. 0, or -1 with an exception, which the next event reports. */
int columns_grow_changes(Tracer *t);
/* Index of a text (borrowed, then held) in the string table. FAILED with an exception. */
int32_t columns_name(Tracer *t, PyObject *text);
/* Handle of a new row of the value table; the bytes are copied. FAILED with an exception. */
int32_t columns_value(Tracer *t, int kind, int32_t type, int64_t number, double real, const char *data, Py_ssize_t n);
/* Number of a new object; `type` and `text` are borrowed. FAILED with an exception. */
int32_t columns_object(Tracer *t, int kind, PyObject *type, PyObject *text);
/* Number of a new frame. FAILED with an exception. */
int32_t columns_frame(Tracer *t, int32_t code, int32_t parent);
/* Bytes of the trace so far, as the budget counts them. */
int64_t columns_size(Tracer *t);
/* {"events.kind": bytes, ..}: raw little-endian columns, values.data as offsets (n + 1) and bytes. A new reference,
   None for a trace that has gone to a sink, or NULL with an exception. */
PyObject *columns_finish(Tracer *t);
/* Memory for `n` items of `width` bytes with the old content; the caller owns it. NULL without an exception if
   there is none, and then `old` stays. */
void *grown(void *old, Py_ssize_t n, size_t width);

/* stream.c */
#define STREAM_ROWS 65536 /* a group that has so many in memory gives them away, where there is a sink */
int stream_events(Tracer *t);
/* Give the rows of changes to the sink and forget them. 0, or -1 with an exception. */
int stream_changes(Tracer *t);
/* Give away the rest. A new reference to an empty dict, since no column is left to be handed over, or NULL with an
   exception. */
PyObject *stream_finish(Tracer *t);
/* ((frames, events, changes, values, objects), bits of the recorded columns) of what went to the sink, or None. A
   new reference, or NULL with an exception. */
PyObject *stream_counts(Tracer *t);
/* The memory of a column whose first rows are gone. */
#define MEMORY_OF(column, base) ((column) == NULL ? NULL : (void *)((uintptr_t)(column) + (uintptr_t)(base) * sizeof(*(column))))

/* Write one change. Without memory the exception is set and the next event reports it. */
static inline void
change(Tracer *t, int place, int32_t owner, int32_t key, int32_t index, int op, int32_t value)
{
    ChangeColumns *c = &t->columns.changes;
    if (UNLIKELY(c->n == c->cap) && columns_grow_changes(t) < 0) {
        return;
    }
    c->place[c->n] = (int8_t)place;
    c->owner[c->n] = owner;
    c->key[c->n] = key;
    c->index[c->n] = index;
    c->op[c->n] = (int8_t)op;
    c->value[c->n] = value;
    c->n++;
}

/* values.c */
/* Make the tables of values. 0, or -1 with an exception. */
int values_init(Tracer *t);
/* Free them and drop the references to strings; cannot fail. */
void values_clear(Tracer *t);
/* 1 if instances of the type are scalars, else 0; the answer is noted for `is_scalar`. Sets no exception. */
int is_scalar_type(PyTypeObject *type);
/* Handle of a value for which `is_scalar` holds, a borrowed reference. FAILED with an exception. */
int32_t values_scalar(Tracer *t, PyObject *value);
/* Handle of an int of 64 bits. FAILED with an exception. */
int32_t values_int(Tracer *t, int64_t number);
/* Handle of a str, a borrowed reference; the last ones are held. FAILED with an exception. */
int32_t values_string(Tracer *t, PyObject *text);
/* Handle of the str with this UTF-8, of which the first `n_start` bytes have the hash `start`. FAILED with an exception. */
int32_t values_utf8(Tracer *t, const char *data, Py_ssize_t n, uint64_t start, Py_ssize_t n_start);
enum { CONCAT_FROM = 32 }; /* letters of the shortest text whose extensions are rows of their own kind */
/* The same as an extension of its first bytes, whose row is `*start`, or ABSENT until it is made here. */
int32_t values_parted(Tracer *t, const char *data, Py_ssize_t n, int32_t *start, uint64_t start_hash, Py_ssize_t n_start);
/* Handle of a summary, a borrowed reference: an extension of what stands before the fingerprint. FAILED with an
   exception. */
int32_t values_summary(Tracer *t, PyObject *text);
/* Hash of the first bytes of a text, with which `values_utf8` goes on. */
uint64_t values_hash(const char *data, Py_ssize_t n);
/* Handle of `text` as an extension of `before`, if it is one and long enough, else its own. Borrowed references.
   FAILED with an exception. */
int32_t values_concat(Tracer *t, int32_t before_handle, PyObject *before, PyObject *text, int is_sure);
/* Handle of a mark for a value that was not looked into; `type_name` is borrowed. FAILED with an exception. */
int32_t values_truncated(Tracer *t, const char *what, int64_t size, PyObject *type_name);

/* Types by address whose answer is known. A class may die and another have its address: neither is a scalar's. */
enum { N_TYPES = 64 };
extern struct ScalarType {
    PyTypeObject *type;
    int is_scalar;
} scalar_types[N_TYPES];

/* 1 if the value, a borrowed reference, is stored by its text and not by reference, else 0. */
static inline int
is_scalar(Tracer *Py_UNUSED(t), PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    const struct ScalarType *known = &scalar_types[((uintptr_t)type >> 4) % N_TYPES];
    return type == &PyLong_Type || (LIKELY(known->type == type) ? known->is_scalar : is_scalar_type(type));
}

/* Double a table of handles. 0, or -1 with an exception and `t->out_of_memory` set. */
int values_table_grow(Tracer *t, HandleTable *table, uint64_t (*hash_of)(Tracer *, int32_t));
/* Index of a type's name in the string table, noted in `*index`. FAILED with an exception. */
int32_t values_type_name(Tracer *t, int32_t *index, const char *name);
/* The same mark for a scalar whose type is called `what`. FAILED with an exception. */
int32_t values_truncated_scalar(Tracer *t, const char *what, int64_t size);

/* A hash of the number whose low bits depend on all of it. */
static inline uint64_t
mixed(uint64_t h)
{
    h ^= h >> 32; /* floats of few digits have their bits at the top */
    h *= 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 32);
}

/* Where the table has room for one more. */
static inline int
table_room(Tracer *t, HandleTable *table, uint64_t (*hash_of)(Tracer *, int32_t))
{
    if (LIKELY(table->slots != NULL && table->n * 3 < table->mask * 2)) {
        return 0;
    }
    return values_table_grow(t, table, hash_of);
}

/* A row of an event; the fine columns are filled by steps.c. */
static inline int
put_row(Tracer *t, int kind, Frame *frame, int32_t handle)
{
    EventColumns *c = &t->columns.events;
    Py_ssize_t n = c->n;
    if (UNLIKELY(n == c->cap) && columns_grow_events(t) < 0) {
        return -1;
    }
    c->kind[n] = (int8_t)kind;
    c->frame[n] = frame->number;
    c->line[n] = frame->line;
    c->value[n] = handle;
    c->changes_end[n] = (int32_t)t->columns.changes.n;
    c->n = n + 1;
    return UNLIKELY(frame->thread | c->has_threads) ? columns_thread(t, frame->thread) : 0;
}

/* Handle of an int of 64 bits, by the table of small ones. FAILED with an exception. */
static inline int32_t
int_row(Tracer *t, int64_t number)
{
    uint64_t place = (uint64_t)(number - SMALL_LOW);
    int32_t handle = place < SMALL_HIGH - SMALL_LOW ? t->values.small[place] : ABSENT;
    return LIKELY(handle >= 0) ? handle : values_int(t, number);
}

/* The row of an int or a str, by the short way; ABSENT: none. */
static inline int32_t
quick_row(Tracer *t, PyObject *value)
{
    if (PyLong_CheckExact(value)) {
        Py_ssize_t size = LONG_SIZE((PyLongObject *)value);
        return LIKELY(size >= -1 && size <= 1) ? int_row(t, size == 0 ? 0 : size * (int64_t)LONG_DIGITS((PyLongObject *)value)[0])
                                               : values_scalar(t, value);
    }
    return PyUnicode_CheckExact(value) ? values_string(t, value) : ABSENT;
}

/* arrays.c */
/* Compare an array that was kept with its copy: `*handle` is that of its new summary, and stays if nothing has
   changed. 1; 0 if it must be read; -1 with an exception. */
int array_look(Tracer *t, Entry *entry, PyObject *value, int32_t *handle);
/* Bring the summary of an array that was kept up to date: `text`, borrowed until the next call. 1; 0 if Python must read
   it; -1 with an exception. */
int array_read(Tracer *t, Entry *entry, PyObject *value, PyObject **text);
/* Keep a copy of an array of which Python has just written this text and the layout. 0, or -1 with an exception. */
int array_keep(Tracer *t, Entry *entry, PyObject *value, PyObject *text);
/* Free the copy of an array, or the bytes of another entry; cannot fail. */
void array_drop(Tracer *t, Entry *entry);
/* Once per process: names and tables. 0, or -1 with an exception. */
int arrays_ready(void);

#endif
