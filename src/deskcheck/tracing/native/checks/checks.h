/* The layer of the checks: a packed trace as they see it, and what they give to the module. */
#ifndef DESKCHECK_CHECKS_H
#define DESKCHECK_CHECKS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include "../core/columns.h"

#define IS_OPTIONAL(column) ((column) >= THREAD && (column) <= OPCODE)

/* Members of the enumerations of deskcheck.records. */
enum { CALL, LINE_EVENT, EXPRESSION, INSTRUCTION, RETURN, RAISE, UNWIND, YIELD, RESUME, N_EVENT_KINDS = 11 };
enum { BOOL = 1, INT = 2, COMPLEX = 4, STR = 5, SINGLETON = 7, REF = 8, TRUNCATED, OPAQUE, CONCAT,
       POINTER = 17, N_VALUE_KINDS };
enum { LOCAL, CELL, FREE, GLOBAL, ITERATOR, STACK, ELEMENT, AT_KEY, MEMBER, ATTRIBUTE, CONTENT, N_PLACES };
enum { SET, DELETE, INSERT, N_OPS };
enum { N_OBJECT_KINDS = 14 };
#define IS_CONTAINER(kind) ((kind) <= 4 || (kind) == 11)
/* How a run ended, as the caller tells it. */
enum { OTHER, RETURNED, RAISED };
#define MADE_ELSEWHERE 1
#define PUT_OUT 2 /* the program put a tracer of its own in: the record stops there */

#define CHANGED_CODE 4 /* and what it changed of its own tracing lets lines be missing */

enum { TO_RETURN = -1, TO_YIELD = -2 };
/* By line + 1, where its pairs begin in `to`; NULL = not known. */
typedef struct {
    int32_t *first, *to;
} LineFlow;

enum { NOT_ENTERED, LIVE, SUSPENDED, GONE };

typedef struct {
    const char *data[N_COLUMNS];
    Py_ssize_t size[N_COLUMNS];
    Py_buffer buffers[N_COLUMNS + 1];
    int n_buffers;
    const char *offsets;
    int64_t n[N_GROUPS];
    int64_t n_names, n_lines;
    /* Of each code: number of its file, and the lines that it has, one byte a line; NULL = not known. */
    int64_t n_codes;
    int32_t *file;
    char *is_module; /* of each name: whether it is the name of a file */
    const char **lines;
    Py_ssize_t *n_bytes;
    LineFlow *flow;
    const char *wrong;
} Trace;

/* Row `i` of a column of 32-bit numbers; the caller has checked the bounds. */
static inline int32_t
at32(const Trace *t, int column, int64_t i)
{
    int32_t value;
    memcpy(&value, t->data[column] + 4 * i, 4);
    return value;
}

/* Row `i` of a column of 64-bit numbers; the caller has checked the bounds. */
static inline int64_t
at64(const Trace *t, int column, int64_t i)
{
    int64_t value;
    memcpy(&value, t->data[column] + 8 * i, 8);
    return value;
}

/* Row `i` of a column of 8-bit numbers; the caller has checked the bounds. */
static inline int
at8(const Trace *t, int column, int64_t i)
{
    return ((const signed char *)t->data[column])[i];
}

#define NEED(holds, what) \
    do { \
        if (!(holds)) { \
            t->wrong = what; \
            return 0; \
        } \
    } while (0)

/* Memory for n of a size, and one more, each byte set. */
static inline void *
filled(int64_t n, size_t size, int byte)
{
    void *memory = PyMem_Malloc((n + 1) * size);
    if (memory != NULL) {
        memset(memory, byte, (n + 1) * size);
    }
    return memory;
}

/* flow.c */
/* Read which lines of a code object can follow which, from pairs of 32-bit numbers; pairs that name other lines
   allow nothing. 1, or 0 with an exception (no memory). */
int flow_take(Trace *t, int64_t code, const char *pairs, Py_ssize_t size);
/* 1 if line `to` can follow line `from` in this code object, or if its flow is not known, else 0; sets no
   exception. */
int flow_allows(const Trace *t, int32_t code, int32_t from, int32_t to);
/* Free what `flow_take` has read; cannot fail. */
void flow_free(Trace *t);

/* replay.c: whether events, frames and changes follow each other, and lead to the outcome. */
/* Whether events, frames and changes follow each other and lead to the outcome. 1, or 0 with the fault noted in the
   trace. */
int check_replay(Trace *t, int outcome, int32_t value, int flags);

extern PyMethodDef deskcheck_check_methods[];   /* check.c */
extern PyMethodDef deskcheck_packing_methods[]; /* packing.c */

#endif
