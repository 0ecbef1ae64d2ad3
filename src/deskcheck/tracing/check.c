/* Check the columns of a packed trace that came from a child process: one pass, no Python object per event.
 *
 *   check(columns, offsets, counts, codes, n_names, n_lines, outcome, value, flags) -> None | reason
 *   ascending(array of int32) -> bool
 *
 * The same checks as tracing/validate.py makes with Python objects, the second opinion; a test compares their
 * verdicts on mutated traces. Nothing here trusts a number before it has been compared with what there is;
 * memory is bounded by a few times the size of the trace; the interpreter's internals are not touched.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include "check.h"

/* Order of deskcheck.buffers.COLUMNS. */
enum {
    FRAME_CODE, FRAME_PARENT,
    KIND, STEP, FRAME, LINE, VALUE, CHANGES_END, THREAD, END_LINE, COLUMN, END_COLUMN, OFFSET, OPCODE,
    PLACE, OWNER, KEY, INDEX, OP, CHANGED,
    VALUE_KIND, NUMBER, REAL, DATA, VALUE_TYPE,
    OBJECT_KIND, OBJECT_TYPE, OBJECT_TEXT,
    N_COLUMNS
};
static const unsigned char width_of[N_COLUMNS] = {
    4, 4, 1, 8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 4, 4, 4, 1, 4, 1, 8, 8, 1, 4, 1, 4, 4,
};
enum { FRAMES, EVENTS, CHANGES, VALUES, OBJECTS, N_GROUPS };
static const unsigned char group_of[N_COLUMNS] = {
    0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4,
};
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
    const char *wrong;
} Trace;

static inline int32_t
at32(const Trace *t, int column, int64_t i)
{
    int32_t value;
    memcpy(&value, t->data[column] + 4 * i, 4);
    return value;
}

static inline int64_t
at64(const Trace *t, int column, int64_t i)
{
    int64_t value;
    memcpy(&value, t->data[column] + 8 * i, 8);
    return value;
}

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

/* ------------------------------------------------------------------ lengths and ranges */

static int
lengths(Trace *t)
{
    for (int column = 0; column < N_COLUMNS; column++) {
        int64_t n = t->n[group_of[column]];
        if (column == DATA) {
            NEED(t->offsets != NULL || n == 0, "columns of values differ in length");
            continue;
        }
        int whole = t->size[column] == n * width_of[column];
        NEED(whole || (IS_OPTIONAL(column) && t->size[column] == 0), "columns differ in length");
    }
    return 1;
}

static int
within32(Trace *t, int column, int64_t low, int64_t high, const char *what)
{
    int64_t n = t->size[column] / 4;
    for (int64_t i = 0; i < n; i++) {
        int32_t value = at32(t, column, i);
        NEED(value >= low && value < high, what);
    }
    return 1;
}

static int
within8(Trace *t, int column, int high, const char *what)
{
    for (int64_t i = 0; i < t->size[column]; i++) {
        int value = at8(t, column, i);
        NEED(value >= 0 && value < high, what);
    }
    return 1;
}

static int
ranges(Trace *t)
{
    const int64_t *n = t->n;
    for (int64_t i = 0; i < t->n_codes; i++) {
        NEED(t->file[i] == 0 || (t->file[i] > 0 && t->file[i] < t->n_names), "file of a code out of range");
        t->is_module[t->file[i]] = 1;
    }
    const int64_t most = n[EVENTS] > 0 ? n[EVENTS] : 1;
    return within8(t, KIND, N_EVENT_KINDS, "event kind out of range")
        && within32(t, FRAME, 0, n[FRAMES], "event frame out of range")
        && within32(t, VALUE, -1, n[VALUES], "event value out of range")
        && within32(t, THREAD, 0, most, "thread out of range")
        && within32(t, END_LINE, -1, INT64_MAX, "end line out of range")
        && within32(t, COLUMN, -1, INT64_MAX, "column out of range")
        && within32(t, END_COLUMN, -1, INT64_MAX, "end column out of range")
        && within32(t, OFFSET, -1, INT64_MAX, "offset out of range")
        && within32(t, OPCODE, -1, t->n_names, "opcode out of range")
        && within8(t, PLACE, N_PLACES, "place out of range")
        && within8(t, OP, N_OPS, "op out of range")
        && within32(t, CHANGED, -1, n[VALUES], "changed value out of range")
        && within32(t, KEY, -1, n[VALUES], "key out of range")
        && within8(t, VALUE_KIND, N_VALUE_KINDS, "value kind out of range")
        && within32(t, VALUE_TYPE, 0, t->n_names, "type name out of range")
        && within8(t, OBJECT_KIND, N_OBJECT_KINDS, "object kind out of range")
        && within32(t, OBJECT_TYPE, 0, t->n_names, "object type out of range")
        && within32(t, OBJECT_TEXT, 0, t->n_names, "object text out of range")
        && within32(t, FRAME_CODE, 0, t->n_codes, "frame code out of range");
}

/* ------------------------------------------------------------------ values */

/* UTF-8 in which lone surrogates may stand, as Python's "surrogatepass" reads it. */
static int
is_text(const unsigned char *p, int64_t n)
{
    const unsigned char *end = p + n;
    while (p < end) {
        unsigned c = *p++;
        if (c < 0x80) {
            continue;
        }
        int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
        if (c < 0xC2 || c > 0xF4 || end - p < more) {
            return 0;
        }
        unsigned low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
        unsigned high = c == 0xF4 ? 0x8F : 0xBF;
        if (*p < low || *p > high) {
            return 0;
        }
        for (p++, more--; more > 0; p++, more--) {
            if (*p < 0x80 || *p > 0xBF) {
                return 0;
            }
        }
    }
    return 1;
}

/* Nothing, or -0x1f: what hex() writes. */
static int
is_int(const char *p, int64_t n)
{
    if (n == 0) {
        return 1;
    }
    const char *end = p + n;
    p += *p == '-';
    if (end - p < 3 || p[0] != '0' || p[1] != 'x') {
        return 0;
    }
    for (p += 2; p < end; p++) {
        if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'))) {
            return 0;
        }
    }
    return 1;
}

static int
values(Trace *t)
{
    for (int64_t i = 0; i < t->n[VALUES]; i++) {
        int32_t ends[2];
        memcpy(ends, t->offsets + 4 * i, 8);
        const char *data = t->data[DATA] + ends[0];
        int64_t n = (int64_t)ends[1] - ends[0], number = at64(t, NUMBER, i);
        switch (at8(t, VALUE_KIND, i)) {
        case BOOL:
            NEED(number == 0 || number == 1, "a bool that is neither");
            break;
        case INT:
            NEED(is_int(data, n), "an integer's digits are none");
            break;
        case COMPLEX:
            NEED(n == 8, "a complex number without its imaginary part");
            break;
        case CONCAT:
            NEED(number >= 0 && number < i, "concatenation out of range");
            int before = at8(t, VALUE_KIND, number);
            NEED(before == STR || before == CONCAT, "a concatenation with something that is no string");
            /* fall through */
        case STR:
        case SINGLETON:
        case TRUNCATED:
        case OPAQUE:
            NEED(is_text((const unsigned char *)data, n), "a text that is not UTF-8");
            break;
        case REF:
        case POINTER:
            NEED(number >= 0 && number < t->n[OBJECTS], "reference out of range");
            break;
        default:
            break;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ changes by themselves */

static int
changes(Trace *t)
{
    for (int64_t i = 0; i < t->n[CHANGES]; i++) {
        int place = at8(t, PLACE, i), op = at8(t, OP, i);
        int32_t owner = at32(t, OWNER, i), key = at32(t, KEY, i), index = at32(t, INDEX, i);
        int of_frame = place <= FREE || place == ITERATOR || place == STACK;
        if (place == GLOBAL) {
            int known = owner == 0 || (owner > 0 && owner < t->n_names && t->is_module[owner]);
            NEED(known, "owner of a change out of range");
        } else {
            NEED(owner >= 0 && owner < t->n[of_frame ? FRAMES : OBJECTS], "owner of a change out of range");
        }
        NEED((op == DELETE) == (at32(t, CHANGED, i) == -1), "a deletion with a value, or a value missing");
        if (place == ITERATOR || place == STACK || place == ELEMENT) {
            NEED(key == -1 && index >= 0, "a position with a key, or none");
            continue;
        }
        NEED(op != INSERT, "an insertion where there is no order");
        if (place == CONTENT) {
            NEED(key == -1 && op == SET, "a content with a key, or none");
            continue;
        }
        NEED(key >= 0 && index == -1, "a key with a position, or none");
        if (place <= GLOBAL) {
            int kind = at8(t, VALUE_KIND, key);
            NEED(kind == STR || kind == CONCAT, "a variable whose name is no string");
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ replay */

typedef struct {
    uint64_t owner; /* table << 32 | owner, plus 1: never 0 */
    int32_t key;
    int32_t bound;
} Slot;

typedef struct {
    Slot *slots;
    uint64_t mask;
    int32_t *name;       /* of each value: its number among distinct texts; -1 not looked up */
    PyObject *texts;     /* bytes -> number */
    int64_t n_pieces;    /* strings put together so far */
    unsigned char *life; /* of each frame */
    int64_t *iterators, *stack;
    int64_t *items; /* of each object */
    int32_t *below; /* of each frame: the one under it in its thread; -1 none */
    int32_t *top;   /* of each thread or task: its running frame; -1 none */
    int64_t n_threads, entered;
    int32_t leaving;
} Replay;

static Slot *
find(Replay *r, uint64_t table, int32_t owner, int32_t key)
{
    uint64_t wanted = (table << 32 | (uint32_t)owner) + 1;
    uint64_t hash = (wanted * 0x9E3779B97F4A7C15u) ^ ((uint64_t)(uint32_t)key * 0xC2B2AE3D27D4EB4Fu);
    hash ^= hash >> 29;
    for (uint64_t at = hash & r->mask;; at = (at + 1) & r->mask) {
        Slot *slot = &r->slots[at];
        if (slot->owner == 0) {
            slot->owner = wanted;
            slot->key = key;
            return slot;
        }
        if (slot->owner == wanted && slot->key == key) {
            return slot;
        }
    }
}

/* Number of the text that a string value stands for; -1 with t->wrong or an exception set. */
static int32_t
name_of(Trace *t, Replay *r, int32_t handle)
{
    if (r->name[handle] >= 0) {
        return r->name[handle];
    }
    int64_t total = 0;
    int32_t at = handle;
    for (;; at = (int32_t)at64(t, NUMBER, at)) {
        int32_t ends[2];
        memcpy(ends, t->offsets + 4 * (int64_t)at, 8);
        total += ends[1] - ends[0];
        if (++r->n_pieces > 8 * t->n[VALUES] + 1000 || total > 1 << 20) {
            t->wrong = "names put together from too many pieces";
            return -1;
        }
        if (at8(t, VALUE_KIND, at) == STR) {
            break;
        }
    }
    PyObject *text = PyBytes_FromStringAndSize(NULL, total);
    if (text == NULL) {
        return -1;
    }
    char *end = PyBytes_AS_STRING(text) + total;
    for (at = handle;; at = (int32_t)at64(t, NUMBER, at)) {
        int32_t ends[2];
        memcpy(ends, t->offsets + 4 * (int64_t)at, 8);
        end -= ends[1] - ends[0];
        memcpy(end, t->data[DATA] + ends[0], ends[1] - ends[0]);
        if (at8(t, VALUE_KIND, at) == STR) {
            break;
        }
    }
    PyObject *fresh = PyLong_FromSsize_t(PyDict_GET_SIZE(r->texts));
    PyObject *known = fresh == NULL ? NULL : PyDict_SetDefault(r->texts, text, fresh);
    long number = known == NULL ? -1 : PyLong_AsLong(known);
    Py_XDECREF(fresh);
    Py_DECREF(text);
    return r->name[handle] = (int32_t)number;
}

static int
edit(Trace *t, int64_t *length, int op, int32_t index)
{
    NEED(index < *length + (op == INSERT), "replay: a change at a position that is not there");
    *length += op == INSERT ? 1 : op == DELETE ? -1 : 0;
    return 1;
}

static int
bind(Trace *t, Slot *slot, int op)
{
    NEED(op != DELETE || slot->bound, "replay: what is removed was not there");
    slot->bound = op != DELETE;
    return 1;
}

static int
apply(Trace *t, Replay *r, int64_t i)
{
    int place = at8(t, PLACE, i), op = at8(t, OP, i);
    int32_t owner = at32(t, OWNER, i), key = at32(t, KEY, i), index = at32(t, INDEX, i);
    if (place <= FREE || place == ITERATOR || place == STACK) {
        NEED(r->life[owner] == LIVE || r->life[owner] == SUSPENDED, "replay: a change of a frame that is gone");
    }
    if (place <= GLOBAL) {
        int32_t name = name_of(t, r, key);
        return name >= 0 && bind(t, find(r, place == GLOBAL, owner, name), op);
    }
    switch (place) {
    case ITERATOR:
        return edit(t, &r->iterators[owner], op, index);
    case STACK:
        return edit(t, &r->stack[owner], op, index);
    case ELEMENT:
        return edit(t, &r->items[owner], op, index);
    case CONTENT:
        r->items[owner] = 1;
        return 1;
    default: {
        int apart = place == ATTRIBUTE && IS_CONTAINER(at8(t, OBJECT_KIND, owner));
        return bind(t, find(r, apart ? 3 : 2, owner, key), op);
    }
    }
}

static int
enter(Trace *t, Replay *r, int kind, int32_t frame, int32_t thread)
{
    if (r->leaving >= 0) { /* it was still there while its last event was looked at */
        if (r->life[r->leaving] == LIVE) {
            r->life[r->leaving] = GONE;
        }
        r->leaving = -1;
    }
    if (thread >= r->n_threads) {
        NEED(thread == r->n_threads, "threads are not numbered in the order of their first events");
        r->n_threads++;
    }
    int32_t *top = &r->top[thread];
    if (kind == CALL) {
        NEED(frame == r->entered, "frames are not numbered in the order of their calls");
        int32_t parent = at32(t, FRAME_PARENT, frame);
        /* The first frame of another thread or task may have been called by any frame before it. */
        int fits = *top >= 0 ? parent == *top : parent >= -1 && parent < (thread ? frame : 0);
        NEED(fits, "a frame with a wrong parent");
        r->entered++;
    } else if (kind == RESUME) {
        NEED(r->life[frame] == SUSPENDED, "a frame goes on that was not suspended");
    }
    if (kind == CALL || kind == RESUME) {
        r->below[frame] = *top;
        *top = frame;
        r->life[frame] = LIVE;
    }
    NEED(*top == frame, "an event of a frame that is not running");
    return 1;
}

static void
leave(Replay *r, int kind, int32_t frame, int32_t thread)
{
    if (kind == RETURN || kind == UNWIND || kind == YIELD) {
        r->top[thread] = r->below[frame];
        r->leaving = frame;
        if (kind == YIELD) {
            r->life[frame] = SUSPENDED;
        }
    }
}

static int
line_of(Trace *t, int32_t frame, int32_t line)
{
    int32_t code = at32(t, FRAME_CODE, frame);
    NEED(line >= 0, "a line below 0");
    NEED(line <= t->n_lines || t->file[code] != 0, "a line after the end of the source");
    if (t->lines[code] != NULL) {
        NEED(line < t->n_bytes[code] && t->lines[code][line], "a line that its function does not have");
    }
    return 1;
}

static int
events(Trace *t, Replay *r)
{
    int64_t step = 0, done = 0;
    int threads = t->size[THREAD] != 0;
    for (int64_t i = 0; i < t->n[EVENTS]; i++) {
        int kind = at8(t, KIND, i);
        int32_t frame = at32(t, FRAME, i), end = at32(t, CHANGES_END, i);
        step += kind == LINE_EVENT;
        NEED(at64(t, STEP, i) == step, "steps do not count the line events");
        NEED(end >= done && end <= t->n[CHANGES], "changes do not follow each other");
        int32_t thread = threads ? at32(t, THREAD, i) : 0;
        if (!line_of(t, frame, at32(t, LINE, i)) || !enter(t, r, kind, frame, thread)) {
            return 0;
        }
        for (; done < end; done++) {
            if (!apply(t, r, done)) {
                return 0;
            }
        }
        leave(r, kind, frame, thread);
    }
    NEED(r->entered == t->n[FRAMES], "frames without a call");
    for (; done < t->n[CHANGES]; done++) {
        if (!apply(t, r, done)) {
            return 0;
        }
    }
    return 1;
}

/* Handle that the outermost frame returned; -1 if it did not. Dying generators may come after it. */
static int32_t
last_return(const Trace *t)
{
    int threads = t->size[THREAD] != 0;
    for (int64_t i = t->n[EVENTS] - 1; i >= 0; i--) {
        int kind = at8(t, KIND, i);
        if ((kind == RETURN || kind == UNWIND) && at32(t, FRAME_PARENT, at32(t, FRAME, i)) < 0
            && (!threads || at32(t, THREAD, i) == 0)) {
            return kind == RETURN ? at32(t, VALUE, i) : -1;
        }
    }
    return -1;
}

static int
ending(Trace *t, const Replay *r, int outcome, int32_t value, int flags)
{
    int64_t n = t->n[EVENTS];
    if (outcome == OTHER) {
        return 1;
    }
    if (flags & PUT_OUT) {
        NEED(value >= -(outcome == RAISED) && value < t->n[VALUES], "value of the outcome out of range");
        return 1;
    }
    NEED(r->top[0] < 0, "frames still live at the end"); /* another thread may still run */
    if (outcome == RAISED) {
        NEED(value >= -1 && value < t->n[VALUES], "exception out of range");
        NEED(n == 0 || at8(t, KIND, n - 1) != LINE_EVENT, "raised in the middle of a line");
        return 1;
    }
    NEED(value >= 0 && value < t->n[VALUES], "returned value out of range");
    if (n > 0 && !(flags & MADE_ELSEWHERE)) {
        NEED(last_return(t) == value, "the last return is not the outcome");
    }
    return 1;
}

static void *
filled(int64_t n, size_t size, int byte)
{
    void *memory = PyMem_Malloc((n + 1) * size);
    if (memory != NULL) {
        memset(memory, byte, (n + 1) * size);
    }
    return memory;
}

static int
replay(Trace *t, int outcome, int32_t value, int flags)
{
    Replay r = {.leaving = -1, .n_threads = 1};
    int64_t n_threads = 1;
    for (int64_t i = 0; i < t->size[THREAD] / 4; i++) {
        int64_t thread = at32(t, THREAD, i);
        n_threads = thread >= n_threads ? thread + 1 : n_threads;
    }
    uint64_t n_slots = 16;
    while (n_slots < 2 * (uint64_t)t->n[CHANGES]) {
        n_slots *= 2;
    }
    r.mask = n_slots - 1;
    int ok = (r.slots = filled((int64_t)n_slots, sizeof(Slot), 0)) != NULL
        && (r.name = filled(t->n[VALUES], 4, 0xFF)) != NULL && (r.texts = PyDict_New()) != NULL
        && (r.life = filled(t->n[FRAMES], 1, NOT_ENTERED)) != NULL
        && (r.iterators = filled(t->n[FRAMES], 8, 0)) != NULL && (r.stack = filled(t->n[FRAMES], 8, 0)) != NULL
        && (r.items = filled(t->n[OBJECTS], 8, 0)) != NULL && (r.below = filled(t->n[FRAMES], 4, 0xFF)) != NULL
        && (r.top = filled(n_threads, 4, 0xFF)) != NULL;
    if (!ok) {
        PyErr_NoMemory();
    } else {
        ok = events(t, &r) && ending(t, &r, outcome, value, flags);
    }
    PyMem_Free(r.slots);
    PyMem_Free(r.name);
    Py_XDECREF(r.texts);
    PyMem_Free(r.life);
    PyMem_Free(r.iterators);
    PyMem_Free(r.stack);
    PyMem_Free(r.items);
    PyMem_Free(r.below);
    PyMem_Free(r.top);
    return ok;
}

/* ------------------------------------------------------------------ from Python */

static int
take_columns(Trace *t, PyObject *columns, PyObject *offsets)
{
    if (PyList_GET_SIZE(columns) != N_COLUMNS) {
        PyErr_SetString(PyExc_ValueError, "check: another number of columns");
        return 0;
    }
    for (int i = 0; i <= N_COLUMNS; i++) {
        Py_buffer *buffer = &t->buffers[i];
        if (PyObject_GetBuffer(i < N_COLUMNS ? PyList_GET_ITEM(columns, i) : offsets, buffer, PyBUF_SIMPLE) < 0) {
            return 0;
        }
        t->n_buffers++;
        if (i < N_COLUMNS) {
            t->data[i] = buffer->buf;
            t->size[i] = buffer->len;
        }
    }
    Py_buffer *last = &t->buffers[N_COLUMNS];
    if (last->len == 4 * (t->n[VALUES] + 1)) {
        t->offsets = last->buf;
        int32_t before = 0, end;
        for (int64_t i = 0; i <= t->n[VALUES]; i++) {
            memcpy(&end, t->offsets + 4 * i, 4);
            if (end < before || end > t->size[DATA]) {
                PyErr_SetString(PyExc_ValueError, "check: offsets that unpack refuses");
                return 0;
            }
            before = end;
        }
    }
    return 1;
}

/* codes: a list of (file, bytes with a 1 at each of its lines, or None). */
static int
take_codes(Trace *t, PyObject *codes)
{
    t->n_codes = PyList_GET_SIZE(codes);
    t->file = filled(t->n_codes, sizeof(int32_t), 0);
    t->lines = filled(t->n_codes, sizeof(char *), 0);
    t->n_bytes = filled(t->n_codes, sizeof(Py_ssize_t), 0);
    t->is_module = filled(t->n_names, 1, 0);
    if (t->is_module == NULL || t->file == NULL || t->lines == NULL || t->n_bytes == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (int64_t i = 0; i < t->n_codes; i++) {
        PyObject *lines;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(codes, i), "iO", &t->file[i], &lines)) {
            return 0;
        }
        if (PyBytes_Check(lines)) {
            t->lines[i] = PyBytes_AS_STRING(lines);
            t->n_bytes[i] = PyBytes_GET_SIZE(lines);
        }
    }
    return 1;
}

static PyObject *
check(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *columns, *offsets, *codes;
    Trace trace = {0}, *t = &trace;
    long long n[N_GROUPS], n_names, n_lines;
    int outcome, value, flags;
    if (!PyArg_ParseTuple(arguments, "O!O(LLLLL)O!LLiii:check", &PyList_Type, &columns, &offsets, &n[0], &n[1],
                          &n[2], &n[3], &n[4], &PyList_Type, &codes, &n_names, &n_lines, &outcome, &value,
                          &flags)) {
        return NULL;
    }
    for (int i = 0; i < N_GROUPS; i++) {
        t->n[i] = n[i];
    }
    t->n_names = n_names;
    t->n_lines = n_lines;
    PyObject *result = NULL;
    if (take_columns(t, columns, offsets) && take_codes(t, codes)) {
        int holds = lengths(t) && ranges(t) && values(t) && changes(t) && replay(t, outcome, value, flags);
        if (holds) {
            result = Py_NewRef(Py_None);
        } else if (t->wrong != NULL) {
            result = PyUnicode_FromString(t->wrong);
        }
    }
    for (int i = 0; i < t->n_buffers; i++) {
        PyBuffer_Release(&t->buffers[i]);
    }
    PyMem_Free(t->file);
    PyMem_Free(t->is_module);
    PyMem_Free((void *)t->lines);
    PyMem_Free(t->n_bytes);
    return result;
}

static PyObject *
ascending(PyObject *Py_UNUSED(module), PyObject *numbers)
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(numbers, &buffer, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    int holds = 1;
    const char *data = buffer.buf;
    for (Py_ssize_t i = 1; i < buffer.len / 4 && holds; i++) {
        int32_t pair[2];
        memcpy(pair, data + 4 * (i - 1), 8);
        holds = pair[0] <= pair[1];
    }
    PyBuffer_Release(&buffer);
    return PyBool_FromLong(holds);
}

PyMethodDef deskcheck_check_methods[] = {
    {"check", check, METH_VARARGS, "Reason why these columns are no trace, or None."},
    {"ascending", ascending, METH_O, "Whether no int32 of a buffer is smaller than the one before."},
    {NULL, NULL, 0, NULL},
};
