/* A long trace leaves memory while it is made: full blocks of events and changes go to `t->sink`. Nothing of them is
 * read again but the last event. Values go too, as they come, and stay besides: they are looked up.
 *
 *   sink(column, bytes)    column: its number in deskcheck.buffers.COLUMNS, or OFFSETS: those of values.data;
 *                          bytes: at most MOST_BYTES, to be copied, in the order of the rows
 *
 * A column whose first `base` rows are gone begins so many rows before its memory: row n is where it always was, and only
 * this file and columns.c know. Where a sink fails, nothing is lost: what has not been sent is sent at the next call.
 */
#include "values.h"
#include "../core/columns.h"

enum { OFFSETS = N_COLUMNS, MOST_BYTES = 1 << 20 };
static const char zeros[1 << 12];

/* A lack of memory is the program's; whatever else a sink says ends the run, as an error of ours. */
static int
failed(Tracer *t)
{
    t->out_of_memory = 1;
    if (PyErr_ExceptionMatches(PyExc_MemoryError) || t->broken != NULL) {
        PyErr_Clear();
        return -1;
    }
    PyObject *type, *traceback;
    PyErr_Fetch(&type, &t->broken, &traceback);
    PyErr_NormalizeException(&type, &t->broken, &traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return -1;
}

static int
send(Tracer *t, int column, const void *data, int64_t n)
{
    PyObject *number = PyLong_FromLong(column), *view = PyMemoryView_FromMemory((char *)data, (Py_ssize_t)n, PyBUF_READ);
    PyObject *answer = number == NULL || view == NULL ? NULL : lent_call(t->sink, number, view);
    PyObject *released = answer == NULL ? NULL : PyObject_CallMethod(view, "release", NULL); /* nobody may keep it */
    Py_XDECREF(number);
    Py_XDECREF(view);
    Py_XDECREF(answer);
    if (released == NULL) {
        return failed(t);
    }
    Py_DECREF(released);
    t->sent[column] += n;
    return 0;
}

/* What has not been sent of a column before the byte `end`; its row 0 is, or was, at `rows`. */
static int
send_until(Tracer *t, int column, const void *rows, int64_t end)
{
    while (t->sent[column] < end) {
        int64_t n = end - t->sent[column];
        if (send(t, column, (const void *)((uintptr_t)rows + (uintptr_t)t->sent[column]), n < MOST_BYTES ? n : MOST_BYTES) < 0) {
            return -1;
        }
    }
    return 0;
}

#define SEND(column, rows, n) (send_until(t, column, rows, (int64_t)(n) * width_of[column]) < 0)

static int
send_threads(Tracer *t, EventColumns *c, Py_ssize_t n)
{
    int64_t gone = (int64_t)c->base * 4; /* when there was only one */
    while (c->has_threads && t->sent[THREAD] < gone) {
        int64_t rest = gone - t->sent[THREAD];
        if (send(t, THREAD, zeros, rest < (int64_t)sizeof(zeros) ? rest : (int64_t)sizeof(zeros)) < 0) {
            return -1;
        }
    }
    return c->has_threads && SEND(THREAD, c->thread, n) ? -1 : 0;
}

static int
send_events(Tracer *t, Py_ssize_t n)
{
    EventColumns *c = &t->columns.events;
    if (columns_steps(t, n) < 0 || SEND(KIND, c->kind, n) || SEND(STEP, c->step, n) || SEND(FRAME, c->frame, n) ||
        SEND(LINE, c->line, n) || SEND(VALUE, c->value, n) || SEND(CHANGES_END, c->changes_end, n) || send_threads(t, c, n) < 0) {
        return -1;
    }
    if (t->granularity == FINE_EXPRESSION) {
        return SEND(END_LINE, c->end_line, n) || SEND(COLUMN, c->column, n) || SEND(END_COLUMN, c->end_column, n) ? -1 : 0;
    }
    return t->granularity == FINE_INSTRUCTION && (SEND(OFFSET, c->offset, n) || SEND(OPCODE, c->opcode, n)) ? -1 : 0;
}

static int
send_changes(Tracer *t)
{
    ChangeColumns *c = &t->columns.changes;
    Py_ssize_t n = c->n;
    return SEND(PLACE, c->place, n) || SEND(OWNER, c->owner, n) || SEND(KEY, c->key, n) || SEND(INDEX, c->index, n) ||
           SEND(OPERATION, c->op, n) || SEND(CHANGED, c->value, n) ? -1 : 0;
}

static int
send_values(Tracer *t)
{
    ValueColumns *c = &t->columns.values;
    Py_ssize_t n = c->n;
    if (n == 0 || (t->sent[OFFSETS] == 0 && send(t, OFFSETS, zeros, 4) < 0) ||
        send_until(t, OFFSETS, (const void *)((uintptr_t)c->data_end - 4), 4 * ((int64_t)n + 1)) < 0) {
        return n == 0 ? 0 : -1;
    }
    return SEND(VALUE_KIND, c->kind, n) || SEND(NUMBER, c->number, n) || SEND(REAL, c->real, n) ||
           SEND(DATA, c->data, c->data_n) || SEND(VALUE_TYPE, c->type, n) ? -1 : 0;
}

/* Rows before `gone` leave the memory of a column, which begins with row `base`; those up to n move to its front. */
#define LEAVE(column) \
    do { \
        if ((column) != NULL) { \
            char *memory = MEMORY_OF(column, base); \
            memmove(memory, memory + (gone - base) * sizeof(*(column)), (n - gone) * sizeof(*(column))); \
            (column) = (void *)((uintptr_t)(column) - (uintptr_t)(gone - base) * sizeof(*(column))); \
        } \
    } while (0)

int
stream_events(Tracer *t)
{
    EventColumns *c = &t->columns.events;
    size_t base = (size_t)c->base, n = (size_t)c->n, gone = n - 1; /* the last one is read by effects.c */
    t->is_streaming = 1;
    if (send_events(t, (Py_ssize_t)gone) < 0 || send_values(t) < 0) {
        return -1;
    }
    LEAVE(c->kind);
    LEAVE(c->step);
    LEAVE(c->frame);
    LEAVE(c->line);
    LEAVE(c->value);
    LEAVE(c->changes_end);
    LEAVE(c->thread);
    LEAVE(c->end_line);
    LEAVE(c->column);
    LEAVE(c->end_column);
    LEAVE(c->offset);
    LEAVE(c->opcode);
    c->cap += (Py_ssize_t)(gone - base);
    c->base = (Py_ssize_t)gone;
    return 0;
}

int
stream_changes(Tracer *t)
{
    ChangeColumns *c = &t->columns.changes;
    size_t base = (size_t)c->base, n = (size_t)c->n, gone = n;
    t->is_streaming = 1;
    if (send_changes(t) < 0 || send_values(t) < 0) {
        return -1;
    }
    LEAVE(c->place);
    LEAVE(c->op);
    LEAVE(c->owner);
    LEAVE(c->key);
    LEAVE(c->index);
    LEAVE(c->value);
    c->cap += (Py_ssize_t)(gone - base);
    c->base = (Py_ssize_t)gone;
    return 0;
}

/* The rest; no column is left to be handed over. */
PyObject *
stream_finish(Tracer *t)
{
    Columns *c = &t->columns;
    Py_ssize_t n_frames = c->frames.n, n_objects = c->objects.n;
    if (send_events(t, c->events.n) == 0 && send_changes(t) == 0 && send_values(t) == 0 &&
        !SEND(OBJECT_KIND, c->objects.kind, n_objects) && !SEND(OBJECT_TYPE, c->objects.type, n_objects) &&
        !SEND(OBJECT_TEXT, c->objects.text, n_objects) && !SEND(FRAME_CODE, c->frames.code, n_frames) &&
        !SEND(FRAME_PARENT, c->frames.parent, n_frames)) {
        return PyDict_New();
    }
    if (t->broken == NULL) {
        return PyErr_NoMemory();
    }
    PyErr_SetObject((PyObject *)Py_TYPE(t->broken), t->broken);
    return NULL;
}

/* ((frames, events, changes, values, objects), bits of the columns that were recorded) of what went to the sink, or None. */
PyObject *
stream_counts(Tracer *t)
{
    if (!t->is_streaming) {
        Py_RETURN_NONE;
    }
    Columns *c = &t->columns;
    const Py_ssize_t n[] = {c->frames.n, c->events.n, c->changes.n, c->values.n, c->objects.n};
    unsigned long long present = 0;
    for (int column = 0; column < N_COLUMNS; column++) {
        int is_recorded = column == THREAD                             ? c->events.has_threads != 0
                          : column >= END_LINE && column <= END_COLUMN ? t->granularity == FINE_EXPRESSION
                          : column == OFFSET || column == OPCODE       ? t->granularity == FINE_INSTRUCTION
                                                                       : 1;
        present |= (unsigned long long)(is_recorded && n[group_of[column]] > 0) << column;
    }
    return Py_BuildValue("((nnnnn)K)", n[0], n[1], n[2], n[3], n[4], present);
}

_Static_assert(N_SENT == N_COLUMNS + 1, "core.h counts the columns");
