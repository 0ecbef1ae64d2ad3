/* Check that a packed trace can be replayed: frames nest, lines are the function's, each change meets what was there,
 * an outermost call returned the outcome. Lengths, ranges and values have been checked before (check.c).
 */
#include "checks.h"

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
    int32_t *at;    /* of each frame: line of its last line event; -1 none */
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
    int place = at8(t, PLACE, i), op = at8(t, OPERATION, i);
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

/* Whether its code lets the event come after the frame's last line. */
static int
follows(Trace *t, Replay *r, int kind, int32_t frame, int32_t line)
{
    int32_t code = at32(t, FRAME_CODE, frame), from = r->at[frame];
    if (kind == LINE_EVENT) {
        NEED(flow_allows(t, code, from, line), "a line that cannot follow the one before it");
        r->at[frame] = line;
    }
    NEED(kind != RETURN || flow_allows(t, code, from, TO_RETURN), "a return from a line that has none");
    NEED(kind != YIELD || flow_allows(t, code, from, TO_YIELD), "a yield on a line that has none");
    return 1;
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
events(Trace *t, Replay *r, int flags)
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
        if (!(flags & (PUT_OUT | CHANGED_CODE)) && !follows(t, r, kind, frame, at32(t, LINE, i))) {
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

/* Whether an outermost call returned the value. Callbacks of timers and finalizers may run after it. */
static int
is_returned(const Trace *t, int32_t value)
{
    int threads = t->size[THREAD] != 0;
    for (int64_t i = t->n[EVENTS] - 1; i >= 0; i--) {
        if (at8(t, KIND, i) == RETURN && at32(t, VALUE, i) == value
            && at32(t, FRAME_PARENT, at32(t, FRAME, i)) < 0 && (!threads || at32(t, THREAD, i) == 0)) {
            return 1;
        }
    }
    return 0;
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
        NEED(is_returned(t, value), "no outermost call returned the outcome");
    }
    return 1;
}

int
check_replay(Trace *t, int outcome, int32_t value, int flags)
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
        && (r.at = filled(t->n[FRAMES], 4, 0xFF)) != NULL && (r.top = filled(n_threads, 4, 0xFF)) != NULL;
    if (!ok) {
        PyErr_NoMemory();
    } else {
        ok = events(t, &r, flags) && ending(t, &r, outcome, value, flags);
    }
    PyMem_Free(r.slots);
    PyMem_Free(r.name);
    Py_XDECREF(r.texts);
    PyMem_Free(r.life);
    PyMem_Free(r.iterators);
    PyMem_Free(r.stack);
    PyMem_Free(r.items);
    PyMem_Free(r.below);
    PyMem_Free(r.at);
    PyMem_Free(r.top);
    return ok;
}
