/* What lies on a frame's value stack, as two lists: iterators and temporaries.
 *
 *   frame_update_stack(..)      the whole of it, of a frame that has run
 *   frame_update_top(..)        of one of which an instruction has run: from the slots on that it did not leave alone
 *   frame_park, frame_unpark    the iterators of its loops, while it waits: nobody else can move them
 */
#include "frames.h"

enum { STACK_ITERATORS, STACK_TEMPORARIES };

static int
room_for_stack(Tracer *t, Frame *frame, int n)
{
    if (n <= frame->cap_stack) {
        return 0;
    }
    int cap = n + 8;
    PyObject **stack = grown(frame->stack, cap, sizeof(PyObject *));
    frame->stack = stack != NULL ? stack : frame->stack;
    char *labels = stack == NULL ? NULL : grown(frame->stack_labels, cap, 1);
    frame->stack_labels = labels != NULL ? labels : frame->stack_labels;
    int32_t *first = labels == NULL ? NULL : grown(frame->handles[0], cap, sizeof(int32_t));
    frame->handles[0] = first != NULL ? first : frame->handles[0];
    int32_t *second = first == NULL ? NULL : grown(frame->handles[1], cap, sizeof(int32_t));
    frame->handles[1] = second != NULL ? second : frame->handles[1];
    if (second == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    frame->cap_stack = cap;
    return 0;
}

static void
write_handles(Tracer *t, Frame *frame, int which, int place, const int32_t *now, int n_now)
{
    int32_t *old = frame->handles[which], owner = frame->number;
    int n_old = frame->n_handles[which], start = 0, end_old = n_old, end_now = n_now;
    while (start < end_old && start < end_now && old[start] == now[start]) {
        start++;
    }
    while (end_old > start && end_now > start && old[end_old - 1] == now[end_now - 1]) {
        end_old--;
        end_now--;
    }
    int shared = start + (end_old < end_now ? end_old - start : end_now - start);
    for (int i = start; i < shared; i++) {
        if (old[i] != now[i]) {
            change(t, place, owner, -1, i, OP_SET, now[i]);
        }
    }
    for (int i = end_old - 1; i >= shared; i--) {
        change(t, place, owner, -1, i, OP_DELETE, ABSENT);
    }
    for (int i = shared; i < end_now; i++) {
        change(t, place, owner, -1, i, OP_INSERT, now[i]);
    }
    memcpy(old, now, (size_t)n_now * sizeof(int32_t));
    frame->n_handles[which] = n_now;
}

/* Whether the slot is a value of the program: a temporary, or the receiver of a method. */
static int
is_temporary(char label, PyObject *below, int is_bottom)
{
    return label == 'V' || (label == 'S' && (below != NULL || is_bottom));
}

/* `is_full`: what is called and what a handler keeps there as well. */
int
frame_update_stack(Tracer *t, Frame *frame, Ref *stack, int n, int is_full)
{
    if (n == 0 && frame->n_stack == 0) {
        return 0;
    }
    const char *labels = n ? code_labels(frame->code, unit_of(frame->frame)) : "";
    int is_same = n == frame->n_stack && !frame->is_stack_unsure && is_full == frame->is_stack_full &&
                  frame->stack_deaths == t->heap.n_named_deaths;
    for (int i = 0; is_same && i < n; i++) {
        is_same = REF(stack[i]) == frame->stack[i] && frame->stack_labels[i] == labels[i] && labels[i];
    }
    if (is_same) {
        frame->stack_row = n && frame->code->rows != NULL ? frame->code->rows[unit_of(frame->frame)] : -1;
        return 0;
    }
    int n_labels = (int)strlen(labels);
    if (room_for_stack(t, frame, n) < 0 || scratch_room(t, 2 * n) < 0) {
        return -1;
    }
    int32_t *iterators = t->heap.handles, *temporaries = iterators + n;
    int n_iterators = 0, n_temporaries = 0;
    frame->is_stack_unsure = 0;
    frame->is_stack_full = (int8_t)is_full;
    for (int i = 0; i < n; i++) {
        char label = i < n_labels ? labels[i] : 'V';
        PyObject *value = REF(stack[i]);
        frame->stack[i] = value;
        frame->stack_labels[i] = label;
        int32_t handle = ABSENT;
        if (value != NULL && label == 'I') {
            t->heap.in_loop = 1;
            handle = iterators[n_iterators++] = heap_handle(t, value);
            t->heap.in_loop = 0;
        }
        else if (value != NULL && (is_full || is_temporary(label, i ? REF(stack[i - 1]) : NULL, i == 0))) {
            handle = temporaries[n_temporaries++] = heap_handle(t, value);
        }
        if (handle == FAILED) {
            return -1;
        }
        /* A scalar's address may be another one's next time. */
        frame->is_stack_unsure |= handle >= 0 && t->columns.values.kind[handle] != V_REF;
        name_object(t, handle);
    }
    frame->n_stack = n;
    frame->stack_deaths = t->heap.n_named_deaths;
    frame->stack_row = n && n_labels >= n && frame->code->rows != NULL ? frame->code->rows[unit_of(frame->frame)] : -1;
    write_handles(t, frame, STACK_ITERATORS, P_ITERATOR, iterators, n_iterators);
    write_handles(t, frame, STACK_TEMPORARIES, P_STACK, temporaries, n_temporaries);
    return 0;
}

/* The whole stack of a frame of which the lowest `n_kept` slots are as they were at the last look of this kind. */
int
frame_update_top(Tracer *t, Frame *frame, Ref *stack, int n, int n_kept)
{
    if (!frame->is_stack_full || n_kept > frame->n_stack) {
        n_kept = 0;
    }
    n_kept = n_kept > n ? n : n_kept;
    if (UNLIKELY(n > frame->cap_stack) && room_for_stack(t, frame, n) < 0) {
        return -1;
    }
    int counts[2] = {0, 0};
    if (n_kept) { /* every slot has a handle in one of the two lists */
        counts[0] = frame->n_handles[0];
        counts[1] = frame->n_handles[1];
        for (int i = n_kept; i < frame->n_stack; i++) {
            counts[frame->stack_labels[i] != 'I'] -= frame->stack[i] != NULL;
        }
    }
    frame->is_stack_full = frame->is_stack_unsure = 1;
    const char *labels = n > n_kept ? code_labels(frame->code, unit_of(frame->frame)) : "";
    for (int i = n_kept; i < n; i++) {
        PyObject *value = REF(stack[i]);
        frame->stack[i] = value;
        frame->stack_labels[i] = labels[i];
        if (value == NULL) {
            continue;
        }
        int which = labels[i] == 'I' ? STACK_ITERATORS : STACK_TEMPORARIES, at = counts[which]++;
        int32_t handle = quick_row(t, value);
        if (handle == ABSENT) {
            t->heap.in_loop = which == STACK_ITERATORS;
            handle = heap_handle(t, value);
            t->heap.in_loop = 0;
        }
        if (handle < 0) {
            return -1;
        }
        int place = which == STACK_ITERATORS ? P_ITERATOR : P_STACK;
        if (at >= frame->n_handles[which]) {
            change(t, place, frame->number, -1, at, OP_INSERT, handle);
            frame->n_handles[which] = at + 1;
        }
        else if (frame->handles[which][at] != handle) {
            change(t, place, frame->number, -1, at, OP_SET, handle);
        }
        frame->handles[which][at] = handle;
    }
    frame->n_stack = n;
    for (int which = 0; which < 2; which++) {
        int place = which == STACK_ITERATORS ? P_ITERATOR : P_STACK;
        for (; frame->n_handles[which] > counts[which]; frame->n_handles[which]--) {
            change(t, place, frame->number, -1, frame->n_handles[which] - 1, OP_DELETE, ABSENT);
        }
    }
    return 0;
}

/* ------------------------------------------------------------------ the loops of a frame that waits */

/* Whether an iterator moves only when whoever holds it asks for the next item: a loop, or another such iterator. */
static int
is_parkable(const Entry *entry)
{
    int reader = entry->shape->reader;
    return entry->is_always && entry->was_seen && !entry->is_wild && Py_REFCNT(entry->object) == 1 &&
           (reader == R_RANGE || reader == R_SEQUENCE || reader == R_DICT_ITEMS || reader == R_SET_ITEMS ||
            reader == R_ENUMERATE || reader == R_ZIP);
}

static int
park(Tracer *t, Entry *entry)
{
    Numbers *always = &t->heap.always;
    Py_ssize_t at = always->n - 1;
    while (at >= 0 && always->items[at] > entry->number) {
        at--;
    }
    t->n_compared += always->n - at;
    if (at < 0 || always->items[at] != entry->number) {
        return 0;
    }
    memmove(always->items + at, always->items + at + 1, (size_t)(always->n - at - 1) * sizeof(int32_t));
    always->n--;
    entry->is_always = 0;
    entry->is_parked = 1;
    for (Py_ssize_t i = 0; i < entry->attributes.n; i++) { /* what enumerate and zip go through */
        PyObject *value = entry->attributes.value[i];
        Entry *inner = value == NULL || IS_TAGGED(value) || value == DEAD_ADDRESS ? NULL : heap_find(t, value);
        if (inner != NULL && inner->shape->kind == O_ITERATOR && is_parkable(inner)) {
            park(t, inner);
        }
    }
    return 1;
}

static int
unpark(Tracer *t, Entry *entry)
{
    Numbers *always = &t->heap.always;
    if (!entry->is_parked || heap_add(t, always, entry->number) < 0) {
        return entry->is_parked ? -1 : 0;
    }
    entry->is_parked = 0;
    entry->is_always = 1;
    Py_ssize_t at = always->n - 1;
    for (; at > 0 && always->items[at - 1] > entry->number; at--) {
        always->items[at] = always->items[at - 1];
        t->n_compared++;
    }
    always->items[at] = entry->number;
    for (Py_ssize_t i = 0; i < entry->attributes.n; i++) {
        PyObject *value = entry->attributes.value[i];
        Entry *inner = value == NULL || IS_TAGGED(value) || value == DEAD_ADDRESS ? NULL : heap_find(t, value);
        if (inner != NULL && unpark(t, inner) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The frame waits for one that it has called. */
void
frame_park(Tracer *t, Frame *frame)
{
    for (int i = 0; i < frame->n_stack; i++) {
        Entry *entry = frame->stack_labels[i] != 'I' || frame->stack[i] == NULL ? NULL : heap_find(t, frame->stack[i]);
        if (entry != NULL && is_parkable(entry)) {
            frame->has_parked |= (int8_t)park(t, entry);
        }
    }
}

/* It goes on, or ends. */
int
frame_unpark(Tracer *t, Frame *frame)
{
    frame->has_parked = 0;
    for (int i = 0; i < frame->n_stack; i++) {
        Entry *entry = frame->stack_labels[i] != 'I' || frame->stack[i] == NULL ? NULL : heap_find(t, frame->stack[i]);
        if (entry != NULL && unpark(t, entry) < 0) {
            return -1;
        }
    }
    return 0;
}
