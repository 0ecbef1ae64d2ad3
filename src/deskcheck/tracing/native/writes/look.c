/* At each event, compare known objects with their snapshots, write the differences, visit what is newly reached.
 *
 *   heap_look(t)              all of them in the order of their numbers, then the new ones as they are found
 *   heap_look_touched(t)      those that the line that ran can have changed (touch.c), and those that any line can
 *   heap_look_always(t)       only the latter
 *   heap_look_new(t)          only what was found since the last look
 */
#include "writes.h"

/* The plain value of an instance of a class that extends int, str..: written once. */
static int
write_plain(Tracer *t, Entry *entry, PyObject *value)
{
    PyObject *scalar = PyObject_GetAttrString(entry->shape->python, "scalar");
    PyObject *method = scalar == NULL ? NULL : PyObject_GetAttrString(scalar, "__getnewargs__");
    PyObject *plain = method == NULL ? NULL : lent_call(method, value, NULL);
    int32_t handle = FAILED;
    if (plain != NULL && PyTuple_CheckExact(plain) && PyTuple_GET_SIZE(plain) > 0) {
        handle = heap_handle(t, PyTuple_GET_ITEM(plain, 0));
        change(t, P_CONTENT, entry->number, -1, 0, OP_SET, handle);
    }
    Py_XDECREF(scalar);
    Py_XDECREF(method);
    Py_XDECREF(plain);
    return handle < 0 ? -1 : 0;
}

/* The summary of an array without a text as an object: that of before goes out of the shadow, and DEAD_ADDRESS is equal
 * to nothing that is read later. 1; 0 if it must be read; -1 with an exception. */
static int
look_at_array(Tracer *t, Entry *entry, PyObject *value)
{
    Shadow *known = &entry->attributes;
    int32_t before = known->n ? known->value_handle[0] : ABSENT, handle = before;
    int result = array_look(t, entry, value, &handle);
    if (result > 0 && handle != before) {
        PyObject *old = known->value[0];
        entry->changed = t->columns.events.n;
        change(t, P_ATTRIBUTE, entry->number, known->key_handle[0], -1, OP_SET, handle);
        known->value[0] = DEAD_ADDRESS;
        known->value_handle[0] = handle;
        shadow_release(t, known, old, before);
    }
    return result;
}

/* As in Modules/_threadmodule.c, up to CPython 3.13. */
typedef struct {
    PyObject_HEAD
    void *lock;
    PyObject *weak;
    char is_locked;
} Lock;

/* A lock is what it was at the last look; its state is kept where arrays have the number of their bytes. */
static int
is_same_lock(Entry *entry, PyObject *value)
{
    if (PY_VERSION_HEX >= 0x030E0000 || Py_TYPE(value)->tp_basicsize != (Py_ssize_t)sizeof(Lock) ||
        strcmp(Py_TYPE(value)->tp_name, "_thread.lock") != 0) {
        return 0;
    }
    Py_ssize_t before = entry->n_bytes;
    entry->n_bytes = 1 + (((Lock *)value)->is_locked != 0);
    return entry->was_seen && entry->n_bytes == before;
}

static int
look_into(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place)
{
    Shape *shape = entry->shape;
    t->heap.depth = entry->depth + 1;
    if (UNLIKELY(shape->is_suspect == SUSPECT_ALWAYS) && !t->is_hidden && Py_REFCNT(value) > 0) {
        guard_meet_object(t, value); /* it may have got another factory or method */
    }
    if (shape->reader == R_GENERATOR) {
        return generator_look(t, entry, value);
    }
    if (shape->content != C_NONE &&
        (place == -1 ? content_update(t, entry, value) : content_update_at(t, entry, value, place)) < 0) {
        return -1;
    }
    if (shape->is_scalar && !entry->was_seen && write_plain(t, entry, value) < 0) {
        return -1;
    }
    if (shape->reader == R_NONE) {
        return 0;
    }
    int done = shape->is_summary && is_same_lock(entry, value) ? 1 : shape->is_summary ? look_at_array(t, entry, value) : 0;
    if (done) {
        return done < 0 ? -1 : 0;
    }
    if (read_attributes(t, entry, value) < 0) {
        return -1;
    }
    t->heap.in_loop = entry->in_loop;
    int result = attributes_update(t, entry);
    t->heap.in_loop = 0;
    Py_CLEAR(t->heap.kept);
    return result;
}

/* What globals() gives, or locals() in a class body: a store to a name changes it, whatever else the line touches. */
static int
is_namespace(Tracer *t, PyObject *value)
{
    if (!PyDict_Check(value)) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < t->n_modules; i++) {
        if (t->modules[i].namespace == value) {
            return 1;
        }
    }
    Stack *stack = &t->stacks[t->current];
    for (Py_ssize_t i = 0; i < stack->n; i++) {
        if (stack->live[i]->frame->f_locals == value) {
            return 1;
        }
    }
    return 0;
}

static int
look_at(Tracer *t, int32_t number, Py_ssize_t place)
{
    Entry *entry = t->heap.by_number[number];
    PyObject *value = entry->object;
    t->n_compared++;
    if (UNLIKELY(Py_REFCNT(value) <= 0)) { /* being taken apart */
        return 0;
    }
    Py_INCREF(value);
    int result = look_into(t, entry, value, place);
    if (UNLIKELY(entry->is_wild && !entry->was_seen) && result == 0 && t->heap.by_number[number] == entry) {
        result = reach_wild(t, value);
    }
    if (result == 0 && t->heap.by_number[number] == entry && !entry->is_mutable) {
        entry->was_seen = 1;
        if (!entry->shape->is_frozen || entry->content.n_cut || entry->attributes.n_cut) {
            entry->is_mutable = 1;
            result = heap_add(t, &t->heap.mutables, number);
            int reader = entry->shape->reader;
            if (result == 0 && (entry->shape->kind == O_ITERATOR || reader == R_GENERATOR || reader == R_EXCEPTION ||
                                reader == R_PYTHON || reader == R_DEFAULTDICT || guard_fills(Py_TYPE(value)) ||
                                is_namespace(t, value))) {
                entry->is_always = 1;
                result = heap_add(t, &t->heap.always, number);
            }
            if (result == 0 && reader == R_FUNCTION) {
                result = heap_add(t, &t->heap.closures, number);
            }
        }
    }
    if (result == 0 && t->heap.by_number[number] == entry && !entry->is_always &&
        UNLIKELY(entry->content.n_cut || entry->attributes.n_cut)) {
        entry->is_always = 1; /* what was too deep or too much is looked for again */
        result = heap_add(t, &t->heap.cut, number);
    }
    Py_DECREF(value);
    return result;
}

/* A summary is read by Python, and so is a thread: not after a line that can have changed nothing that is known by one. */
static inline int
is_quiet(Tracer *t, Entry *entry)
{
    const Shape *shape = entry->shape;
    return entry->was_seen && (t->heap.is_calm == CALM_ALL ? shape->is_summary | shape->is_stored
                               : t->heap.is_calm == CALM_STORED && shape->is_stored);
}

/* Those that were cut at this event join those that are always looked at. */
static int
merge_cut(Tracer *t)
{
    Heap *heap = &t->heap;
    for (Py_ssize_t i = 0; i < heap->cut.n; i++) {
        if (heap_add(t, &heap->always, heap->cut.items[i]) < 0) {
            return -1;
        }
    }
    heap->cut.n = 0;
    qsort(heap->always.items, (size_t)heap->always.n, sizeof(int32_t), compare_int32);
    return 0;
}

/* A dictionary that was known before it holds the names of a frame: `exec` with names of the program's. */
int
heap_names(Tracer *t, PyObject *dict)
{
    Entry *entry = heap_find(t, dict);
    if (entry == NULL || entry->is_always || !entry->is_mutable) {
        return 0;
    }
    entry->is_always = 1;
    return heap_add(t, &t->heap.cut, entry->number);
}

/* Whether it is not what is known of it; that is written. */
int
heap_check(Tracer *t, int32_t number)
{
    ChangeColumns *changes = &t->columns.changes;
    Py_ssize_t before = changes->base + changes->n;
    return look_at(t, number, -1) < 0 ? -1 : changes->base + changes->n != before;
}

static int
look(Tracer *t, int32_t number)
{
    return look_at(t, number, -1);
}

static void
verify_all(Tracer *t)
{
    t->heap.must_verify = 0;
    t->n_compared += t->columns.objects.n;
    for (Py_ssize_t i = 0; i < t->columns.objects.n; i++) {
        Entry *entry = t->heap.by_number[i];
        if (entry != NULL) {
            shadow_verify(t, &entry->content);
            shadow_verify(t, &entry->attributes);
        }
    }
}

int
heap_look(Tracer *t)
{
    Heap *heap = &t->heap;
    Numbers *mutables = &heap->mutables;
    if (UNLIKELY(heap->must_verify)) {
        verify_all(t);
    }
    Py_ssize_t n = mutables->n, n_live = 0;
    t->n_compared += n;
    for (Py_ssize_t i = 0; i < n; i++) {
        int32_t number = mutables->items[i];
        if (heap->by_number[number] == NULL) {
            continue;
        }
        mutables->items[n_live++] = number;
        if (look(t, number) < 0) {
            return -1;
        }
    }
    mutables->n = n_live;
    return heap_look_new(t);
}

/* The objects that the line that ran can have changed, and those that any line can. */
int
heap_look_touched(Tracer *t)
{
    Heap *heap = &t->heap;
    Numbers *always = &heap->always, *touched = &heap->touched;
    if (UNLIKELY(heap->must_verify)) {
        verify_all(t);
    }
    Py_ssize_t n_live = 0, i = 0, j = 0, n = always->n;
    t->n_compared += n + touched->n / 2;
    while (i < n || j < touched->n) {
        int32_t number, place = -1;
        int is_always = i < n && (j >= touched->n || always->items[i] <= touched->items[j]), is_touched = !is_always;
        if (is_always) {
            number = always->items[i++];
            while (j < touched->n && touched->items[j] == number) {
                is_touched = 1;
                j += 2;
            }
        }
        else {
            number = touched->items[j];
            place = touched->items[j + 1];
            j += 2;
        }
        Entry *entry = heap->by_number[number];
        if (entry == NULL) {
            continue;
        }
        if (is_always) {
            always->items[n_live++] = number;
            int done = is_touched ? 0 : is_quiet(t, entry) ? 1 : iterator_look(t, entry);
            if (done) {
                if (done < 0) {
                    return -1;
                }
                continue;
            }
        }
        if (look_at(t, number, place) < 0) {
            return -1;
        }
    }
    always->n = n_live;
    return heap_look_new(t);
}

/* Those that any line can have changed. */
int
heap_look_always(Tracer *t)
{
    Heap *heap = &t->heap;
    if (UNLIKELY(heap->must_verify)) {
        verify_all(t);
    }
    t->n_compared += heap->always.n;
    for (Py_ssize_t i = 0, n = heap->always.n; i < n; i++) {
        Entry *entry = heap->by_number[heap->always.items[i]];
        if (LIKELY(entry != NULL && (is_at_rest(entry) || is_quiet(t, entry)))) {
            continue;
        }
        int done = entry == NULL ? 0 : iterator_look(t, entry);
        if (done == 0 && (heap->touched.n = 0, heap_look_touched(t)) < 0) {
            return -1;
        }
        if (done <= 0) {
            return done;
        }
    }
    return heap->fresh.n | heap->cut.n ? heap_look_new(t) : 0;
}

/* What was found since the last look, and what that leads to. */
int
heap_look_new(Tracer *t)
{
    Heap *heap = &t->heap;
    for (Py_ssize_t i = 0; i < heap->fresh.n; i++) {
        if (heap->by_number[heap->fresh.items[i]] != NULL && look(t, heap->fresh.items[i]) < 0) {
            return -1;
        }
    }
    heap->fresh.n = 0;
    return UNLIKELY(heap->cut.n) ? merge_cut(t) : 0;
}

/* What is known at an address as it is now, if it lives; and what was found since the last look. */
int
heap_look_place(Tracer *t, PyObject *address, Py_ssize_t place)
{
    Entry *entry = heap_find(t, address);
    if (entry != NULL && entry->is_mutable) {
        if (UNLIKELY(t->heap.must_verify)) {
            verify_all(t);
        }
        if (look_at(t, entry->number, place) < 0) {
            return -1;
        }
    }
    return heap_look_new(t);
}

int
heap_look_at(Tracer *t, PyObject *address)
{
    return heap_look_place(t, address, PLACE_ALL);
}
