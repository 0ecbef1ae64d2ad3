/* Growing columns, the string table, and what a finished trace hands over.
 *
 * One capacity a group; a group that cannot grow sets `out_of_memory`, and the event that wanted it fails.
 */
#include "values.h"

enum { EVENT_BYTES = 12, CHANGE_BYTES = 14, VALUE_BYTES = 12, OBJECT_BYTES = 8 }; /* as in columns.py */

void *
grown(void *old, Py_ssize_t n, size_t width)
{
    return PyMem_RawRealloc(old, (size_t)n * width);
}

#define GROW(t, pointer, n) \
    do { \
        void *new_ = grown((pointer), (n), sizeof(*(pointer))); \
        if (new_ == NULL) { \
            (t)->out_of_memory = 1; \
            return -1; \
        } \
        (pointer) = new_; \
    } while (0)

#define MOST_LEAP (1 << 22)
#define FIRST_ROWS 256 /* of events and changes: thirteen columns of a tiny program lie in a few pages */

static Py_ssize_t
bigger(Py_ssize_t cap, Py_ssize_t first)
{
    return cap == 0 ? first : cap < 65536 ? cap * 4 : cap * 2;
}

int
columns_grow_events(Tracer *t)
{
    EventColumns *c = &t->columns.events;
    if (t->out_of_memory) {
        return -1;
    }
    if (t->sink != NULL && c->n - c->base >= STREAM_ROWS) {
        return stream_events(t);
    }
    Py_ssize_t cap = bigger(c->cap, FIRST_ROWS);
    GROW(t, c->kind, cap);
    GROW(t, c->frame, cap);
    GROW(t, c->line, cap);
    GROW(t, c->value, cap);
    GROW(t, c->changes_end, cap);
    if (c->thread != NULL) {
        GROW(t, c->thread, cap);
    }
    if (t->granularity == FINE_EXPRESSION) {
        GROW(t, c->end_line, cap);
        GROW(t, c->column, cap);
        GROW(t, c->end_column, cap);
    }
    else if (t->granularity == FINE_INSTRUCTION) {
        GROW(t, c->offset, cap);
        GROW(t, c->opcode, cap);
    }
    c->cap = cap;
    return 0;
}

/* The thread of the last row. The column begins with the first other thread: all rows before it are of the first. */
int
columns_thread(Tracer *t, int32_t thread)
{
    EventColumns *c = &t->columns.events;
    if (c->thread == NULL) {
        int32_t *rows = PyMem_RawCalloc((size_t)(c->cap - c->base), sizeof(*rows));
        if (rows == NULL) {
            t->out_of_memory = 1;
            return -1;
        }
        c->thread = (int32_t *)((uintptr_t)rows - (uintptr_t)c->base * sizeof(*rows));
        c->has_threads = 1;
    }
    c->thread[c->n - 1] = thread;
    return 0;
}

/* Number the steps of the rows before `n`: each line is one. Only a lack of memory fails. */
int
columns_steps(Tracer *t, Py_ssize_t n)
{
    EventColumns *c = &t->columns.events;
    if (c->step == NULL && n > c->base) {
        int64_t *rows = PyMem_RawMalloc((size_t)(c->cap - c->base) * sizeof(*rows));
        if (rows == NULL) {
            t->out_of_memory = 1;
            return -1;
        }
        c->step = (int64_t *)((uintptr_t)rows - (uintptr_t)c->base * sizeof(*rows));
    }
    for (; c->n_stepped < n; c->n_stepped++) {
        c->last_step += c->kind[c->n_stepped] == EV_LINE;
        c->step[c->n_stepped] = c->last_step;
    }
    return 0;
}

static int
grow_changes(Tracer *t)
{
    ChangeColumns *c = &t->columns.changes;
    if (t->sink != NULL && c->n - c->base >= STREAM_ROWS) {
        return stream_changes(t);
    }
    Py_ssize_t cap = bigger(c->cap, FIRST_ROWS);
    GROW(t, c->place, cap);
    GROW(t, c->op, cap);
    GROW(t, c->owner, cap);
    GROW(t, c->key, cap);
    GROW(t, c->index, cap);
    GROW(t, c->value, cap);
    c->cap = cap;
    return 0;
}

int
columns_grow_changes(Tracer *t)
{
    if (t->out_of_memory || grow_changes(t) < 0) {
        t->columns.events.cap = t->columns.events.n; /* so that no event follows that lacks a change */
        return -1;
    }
    return 0;
}

static int
grow_values(Tracer *t)
{
    ValueColumns *c = &t->columns.values;
    Py_ssize_t cap = bigger(c->cap, 512);
    GROW(t, c->kind, cap);
    GROW(t, c->number, cap);
    GROW(t, c->real, cap);
    GROW(t, c->type, cap);
    GROW(t, c->data_end, cap);
    GROW(t, c->hash, cap);
    GROW(t, c->length, cap);
    c->cap = cap;
    return 0;
}

static int
grow_objects(Tracer *t)
{
    ObjectColumns *c = &t->columns.objects;
    Py_ssize_t cap = bigger(c->cap, 32);
    GROW(t, c->kind, cap);
    GROW(t, c->type, cap);
    GROW(t, c->text, cap);
    c->cap = cap;
    return 0;
}

static int
grow_frames(Tracer *t)
{
    FrameColumns *c = &t->columns.frames;
    Py_ssize_t cap = bigger(c->cap, 16);
    GROW(t, c->code, cap);
    GROW(t, c->parent, cap);
    c->cap = cap;
    return 0;
}

static int
grow_data(Tracer *t, Py_ssize_t more)
{
    ValueColumns *c = &t->columns.values;
    Py_ssize_t cap = c->data_cap;
    while (cap - c->data_n < more) { /* in few steps: each may move all texts to pages that were never touched */
        cap = cap == 0 ? 4096 : cap < MOST_LEAP ? cap * 4 : cap * 2;
    }
    if (c->data_n + more > INT32_MAX) {
        t->out_of_memory = 1;
        return -1;
    }
    GROW(t, c->data, cap);
    c->data_cap = cap;
    return 0;
}

int
columns_init(Columns *columns)
{
    columns->names = PyList_New(0);
    columns->name_index = PyDict_New();
    return columns->names == NULL || columns->name_index == NULL ? -1 : 0;
}

void
columns_clear(Columns *columns)
{
    EventColumns *e = &columns->events;
    ChangeColumns *c = &columns->changes;
    ValueColumns *v = &columns->values;
#define EVENT(field) MEMORY_OF(e->field, e->base)
#define CHANGE(field) MEMORY_OF(c->field, c->base)
    void *held[] = {
        EVENT(kind), EVENT(step), EVENT(frame), EVENT(line), EVENT(value), EVENT(changes_end), EVENT(thread),
        EVENT(end_line), EVENT(column), EVENT(end_column), EVENT(offset), EVENT(opcode),
        CHANGE(place), CHANGE(op), CHANGE(owner), CHANGE(key), CHANGE(index), CHANGE(value),
        v->kind, v->number, v->real, v->type, v->data_end, v->hash, v->length, v->data,
        columns->objects.kind, columns->objects.type, columns->objects.text, columns->frames.code, columns->frames.parent,
    };
#undef EVENT
#undef CHANGE
    for (size_t i = 0; i < Py_ARRAY_LENGTH(held); i++) {
        PyMem_RawFree(held[i]);
    }
    Py_XDECREF(columns->names);
    Py_XDECREF(columns->name_index);
    memset(columns, 0, sizeof(*columns));
}

/* Index of a text in the string table. */
int32_t
columns_name(Tracer *t, PyObject *text)
{
    Columns *c = &t->columns;
    PyObject *known = PyDict_GetItemWithError(c->name_index, text);
    if (known != NULL) {
        return (int32_t)PyLong_AsLong(known);
    }
    if (PyErr_Occurred()) {
        return FAILED;
    }
    Py_ssize_t n = PyList_GET_SIZE(c->names);
    PyObject *index = PyLong_FromSsize_t(n);
    if (index == NULL || PyDict_SetItem(c->name_index, text, index) < 0 || PyList_Append(c->names, text) < 0) {
        Py_XDECREF(index);
        return FAILED;
    }
    Py_DECREF(index);
    c->data_bytes += PyUnicode_GET_LENGTH(text);
    return (int32_t)n;
}

/* A new row of the value table. */
int32_t
columns_value(Tracer *t, int kind, int32_t type, int64_t number, double real, const char *data, Py_ssize_t n)
{
    ValueColumns *c = &t->columns.values;
    if ((c->n == c->cap && grow_values(t) < 0) || (n > c->data_cap - c->data_n && grow_data(t, n) < 0)) {
        PyErr_NoMemory();
        return FAILED;
    }
    if (n) {
        memcpy(c->data + c->data_n, data, (size_t)n);
    }
    c->data_n += n;
    c->kind[c->n] = (int8_t)kind;
    c->type[c->n] = type;
    c->number[c->n] = number;
    c->real[c->n] = real;
    c->data_end[c->n] = (int32_t)c->data_n;
    c->hash[c->n] = 0;
    c->length[c->n] = (int32_t)n;
    t->columns.data_bytes += n;
    return (int32_t)c->n++;
}

/* Number of a new object. */
int32_t
columns_object(Tracer *t, int kind, PyObject *type, PyObject *text)
{
    ObjectColumns *c = &t->columns.objects;
    int32_t type_index = columns_name(t, type);
    int32_t text_index = type_index < 0 ? FAILED : columns_name(t, text);
    if (text_index < 0) {
        return FAILED;
    }
    if (c->n == c->cap && grow_objects(t) < 0) {
        PyErr_NoMemory();
        return FAILED;
    }
    c->kind[c->n] = (int8_t)kind;
    c->type[c->n] = type_index;
    c->text[c->n] = text_index;
    return (int32_t)c->n++;
}

int32_t
columns_frame(Tracer *t, int32_t code, int32_t parent)
{
    FrameColumns *c = &t->columns.frames;
    if (c->n == c->cap && grow_frames(t) < 0) {
        PyErr_NoMemory();
        return FAILED;
    }
    c->code[c->n] = code;
    c->parent[c->n] = parent;
    return (int32_t)c->n++;
}

int64_t
columns_size(Tracer *t)
{
    Columns *c = &t->columns;
    return c->events.n * EVENT_BYTES + c->changes.n * CHANGE_BYTES + c->values.n * VALUE_BYTES +
           c->objects.n * OBJECT_BYTES + c->data_bytes;
}

/* The text of a name that stands in this file, made once. Borrowed; NULL with an exception. */
static PyObject *
text_of(const char *name)
{
    static struct {
        const char *name;
        PyObject *text;
    } made[64];
    int i = 0;
    while (i < 63 && made[i].text != NULL && made[i].name != name) {
        i++;
    }
    if (made[i].text == NULL || made[i].name != name) {
        PyObject *text = PyUnicode_InternFromString(name);
        if (text == NULL) {
            return NULL;
        }
        made[i].name = name;
        Py_XSETREF(made[i].text, text);
    }
    return made[i].text;
}

static int
put(PyObject *out, const char *name, const void *data, Py_ssize_t n, size_t width)
{
    PyObject *text = text_of(name), *bytes = PyBytes_FromStringAndSize(n ? data : NULL, n * (Py_ssize_t)width);
    if (text == NULL || bytes == NULL) {
        Py_XDECREF(bytes);
        return -1;
    }
    int result = PyDict_SetItem(out, text, bytes);
    Py_DECREF(bytes);
    return result;
}

static int
put_columns(Columns *c, PyObject *out)
{
#define PUT(group, field, column) put(out, group "." field, column, n, sizeof(*column)) < 0
    Py_ssize_t n = c->events.n;
    if (PUT("events", "kind", c->events.kind) || PUT("events", "step", c->events.step) ||
        PUT("events", "frame", c->events.frame) || PUT("events", "line", c->events.line) ||
        PUT("events", "value", c->events.value) || PUT("events", "changes_end", c->events.changes_end)) {
        return -1;
    }
    n = c->events.has_threads ? n : 0;
    if (PUT("events", "thread", c->events.thread)) {
        return -1;
    }
    n = c->events.end_line != NULL ? c->events.n : 0;
    if (PUT("events", "end_line", c->events.end_line) || PUT("events", "column", c->events.column) ||
        PUT("events", "end_column", c->events.end_column)) {
        return -1;
    }
    n = c->events.offset != NULL ? c->events.n : 0;
    if (PUT("events", "offset", c->events.offset) || PUT("events", "opcode", c->events.opcode)) {
        return -1;
    }
    n = c->changes.n;
    if (PUT("changes", "place", c->changes.place) || PUT("changes", "owner", c->changes.owner) ||
        PUT("changes", "key", c->changes.key) || PUT("changes", "index", c->changes.index) ||
        PUT("changes", "op", c->changes.op) || PUT("changes", "value", c->changes.value)) {
        return -1;
    }
    n = c->values.n;
    if (PUT("values", "kind", c->values.kind) || PUT("values", "number", c->values.number) ||
        PUT("values", "real", c->values.real) || PUT("values", "type", c->values.type)) {
        return -1;
    }
    n = c->objects.n;
    if (PUT("objects", "kind", c->objects.kind) || PUT("objects", "type", c->objects.type) ||
        PUT("objects", "text", c->objects.text)) {
        return -1;
    }
    n = c->frames.n;
    return PUT("frames", "code", c->frames.code) || PUT("frames", "parent", c->frames.parent) ? -1 : 0;
#undef PUT
}

/* {"events.kind": bytes, ..}: raw little-endian columns; values.data as offsets (n + 1) and bytes. None
 * of a trace that has gone to a sink. */
PyObject *
columns_finish(Tracer *t)
{
    if (t->is_streaming) {
        return stream_finish(t);
    }
    Columns *c = &t->columns;
    if (columns_steps(t, c->events.n) < 0) {
        return PyErr_NoMemory();
    }
    PyObject *out = PyDict_New();
    if (out == NULL || put_columns(c, out) < 0) {
        Py_XDECREF(out);
        return NULL;
    }
    Py_ssize_t n = c->values.n;
    PyObject *offsets = PyBytes_FromStringAndSize(NULL, (n + 1) * 4);
    if (offsets != NULL) {
        char *at = PyBytes_AS_STRING(offsets);
        memset(at, 0, 4);
        if (n) {
            memcpy(at + 4, c->values.data_end, (size_t)n * 4);
        }
    }
    PyObject *name = text_of("values.data.offsets");
    if (offsets == NULL || name == NULL || PyDict_SetItem(out, name, offsets) < 0 ||
        put(out, "values.data.bytes", c->values.data, c->values.data_n, 1) < 0) {
        Py_XDECREF(offsets);
        Py_DECREF(out);
        return NULL;
    }
    Py_DECREF(offsets);
    return out;
}
