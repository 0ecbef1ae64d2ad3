/* Every object that the program has shown: one number while it lives.
 *
 *   heap_handle(t, value)     a scalar's row; anything else: its reference, and it is looked into from now on (look.c)
 *   heap_died()               told by watch.c
 *
 * Nothing is held. `depth` is that of the first sight, 0 once it has had a name, `nodes` counts the objects alive and known.
 */
#include "objects.h"
#include <stddef.h>

/* ------------------------------------------------------------------ by address */

static int
table_grow(Tracer *t)
{
    AddressTable *table = &t->heap.by_address;
    Py_ssize_t size = table->slots == NULL ? 64 : (table->mask + 1) * 2;
    Entry **slots = PyMem_RawCalloc((size_t)size, sizeof(Entry *));
    if (slots == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        if (table->slots[i] != NULL) {
            size_t at = address_hash(table->slots[i]->object) & (size_t)(size - 1);
            while (slots[at] != NULL) {
                at = (at + 1) & (size_t)(size - 1);
            }
            slots[at] = table->slots[i];
        }
    }
    PyMem_RawFree(table->slots);
    table->slots = slots;
    table->mask = size - 1;
    return 0;
}

static inline size_t
table_find(AddressTable *table, PyObject *object)
{
    size_t at = address_hash(object) & (size_t)table->mask;
    while (table->slots[at] != NULL && table->slots[at]->object != object) {
        at = (at + 1) & (size_t)table->mask;
    }
    return at;
}

/* Take one out; those behind it move up, so that no gap breaks a search. */
static void
table_remove(AddressTable *table, size_t at)
{
    size_t mask = (size_t)table->mask, next = at;
    for (;;) {
        next = (next + 1) & mask;
        if (table->slots[next] == NULL) {
            break;
        }
        size_t home = address_hash(table->slots[next]->object) & mask;
        if (((next - home) & mask) >= ((next - at) & mask)) {
            table->slots[at] = table->slots[next];
            at = next;
        }
    }
    table->slots[at] = NULL;
    table->n--;
}

Entry *
heap_find(Tracer *t, PyObject *value)
{
    AddressTable *table = &t->heap.by_address;
    return table->slots == NULL ? NULL : table->slots[table_find(table, value)];
}

/* ------------------------------------------------------------------ coming and going */

int
heap_add(Tracer *t, Numbers *numbers, int32_t number)
{
    if (numbers->n == numbers->cap) {
        Py_ssize_t cap = numbers->cap * 2 + 32;
        int32_t *items = grown(numbers->items, cap, sizeof(int32_t));
        if (items == NULL) {
            t->out_of_memory = 1;
            PyErr_NoMemory();
            return -1;
        }
        numbers->items = items;
        numbers->cap = cap;
    }
    numbers->items[numbers->n++] = number;
    return 0;
}

static Entry *
entry_alloc(Tracer *t)
{
    Entry *entry = t->heap.free;
    if (entry != NULL) {
        t->heap.free = entry->next;
        memset(entry, 0, sizeof(*entry));
        return entry;
    }
    entry = PyMem_RawCalloc(1, sizeof(Entry));
    if (entry == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
    }
    return entry;
}

static int
room_for_number(Tracer *t, Py_ssize_t number)
{
    Heap *heap = &t->heap;
    if (number < heap->cap) {
        return 0;
    }
    Py_ssize_t cap = number + number / 2 + 64;
    Entry **by_number = grown(heap->by_number, cap, sizeof(Entry *));
    if (by_number == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    memset(by_number + heap->cap, 0, (size_t)(cap - heap->cap) * sizeof(Entry *));
    heap->by_number = by_number;
    heap->cap = cap;
    return 0;
}

/* An iterator that may run code in C which changes other objects. */
static int
is_wild(Shape *shape, PyTypeObject *type)
{
    if (shape->kind == O_ITERATOR) {
        return shape->reader == R_MAP || (shape->reader == R_PYTHON && strstr(type->tp_name, "deque") == NULL &&
                                          strcmp(type->tp_name, "longrange_iterator") != 0);
    }
    if (type->tp_iternext == NULL || shape->is_tame || shape->kind == O_GENERATOR) {
        return 0;
    }
    static PyObject *name;
    if (name == NULL && (name = PyUnicode_InternFromString("__next__")) == NULL) {
        PyErr_Clear();
        return 1;
    }
    PyObject *next = _PyType_Lookup(type, name); /* each class statement sets the slot; in Python it has events of its own */
    return next != NULL && !PyFunction_Check(next);
}

static Entry *
entry_new(Tracer *t, PyObject *value, Shape *shape)
{
    Heap *heap = &t->heap;
    AddressTable *table = &heap->by_address;
    PyObject *text = shape_text(t, shape, value);
    int32_t number = text == NULL ? FAILED : columns_object(t, shape->kind, shape->name, text);
    Py_XDECREF(text);
    if (number < 0 || room_for_number(t, number) < 0 || heap_add(t, &heap->fresh, number) < 0 ||
        ((table->slots == NULL || table->n * 2 > table->mask) && table_grow(t) < 0)) {
        return NULL;
    }
    int32_t type = columns_name(t, shape->name);
    int32_t handle = type < 0 ? FAILED : columns_value(t, V_REF, type, number, 0.0, NULL, 0);
    Entry *entry = handle < 0 ? NULL : entry_alloc(t);
    if (entry == NULL) {
        return NULL;
    }
    entry->object = value;
    entry->shape = shape;
    entry->number = number;
    entry->handle = handle;
    entry->depth = heap->depth;
    entry->parent = ABSENT;
    entry->in_loop = heap->in_loop && shape->kind == O_ITERATOR;
    entry->is_wild = is_wild(shape, Py_TYPE(value));
    heap->n_wild += entry->is_wild;
    if (entry->is_wild && heap_add(t, &heap->wild, number) < 0) {
        return NULL;
    }
    if (UNLIKELY(shape->is_suspect)) {
        guard_meet_object(t, value);
    }
    if (PyDict_CheckExact(value) && !t->is_brute) {
        t->is_brute = read_is_of_another(t, value);
    }
    t->is_brute |= t->granularity == FINE_INSTRUCTION && PyMemoryView_Check(value); /* its bytes are another's */
    int reader = shape->reader;
    entry->content.is_sure = entry->attributes.is_sure =
        reader != R_FUNCTION && reader != R_CLASS && reader != R_GENERATOR && reader != R_PYTHON && reader != R_ZIP && reader != R_MAP;
    heap->by_number[number] = entry;
    table->slots[table_find(table, value)] = entry;
    table->n++;
    return entry;
}

static void
forget(Tracer *t, Entry *entry)
{
    Heap *heap = &t->heap;
    table_remove(&heap->by_address, table_find(&heap->by_address, entry->object));
    heap->by_number[entry->number] = NULL;
    heap->n_named_deaths += entry->is_named;
    heap->n_wild -= entry->is_wild;
    shadow_poison(t, entry);
    entry->object = NULL;
    Shadow content = entry->content, attributes = entry->attributes;
    PyObject *memo = entry->memo;
    array_drop(t, entry);
    PyMem_RawFree(entry->places);
    entry->next = heap->free;
    heap->free = entry;
    shadow_clear(t, &content);
    shadow_clear(t, &attributes);
    Py_XDECREF(memo);
}

/* Whether a container that is about to be taken apart is what is known of it. */
static int
is_as_known(const Entry *entry, PyObject *object)
{
    const Shadow *known = &entry->content;
    if (!entry->was_seen || known->n_cut) {
        return 1;
    }
    if (PyDict_CheckExact(object)) {
        return ((PyDictObject *)object)->ma_used == known->n - known->n_holes;
    }
    if (Py_IS_TYPE(object, &PySet_Type)) {
        return PySet_GET_SIZE(object) == known->n;
    }
    if (!PyList_CheckExact(object)) {
        return 1;
    }
    int is_same = Py_SIZE(object) == known->n;
    for (Py_ssize_t i = 0; is_same && i < known->n; i++) {
        PyObject *item = ((PyListObject *)object)->ob_item[i];
        is_same = known->value[i] == item || known->value[i] == NULL || known->value[i] == DEAD_ADDRESS;
    }
    return is_same;
}

/* Whether nothing that has run since the last event can have changed an object. */
static int
is_calm(Tracer *t)
{
    EventColumns *events = &t->columns.events;
    Stack *stack = &t->stacks[t->current];
    if (!t->has_net || t->is_brute || t->is_busy || t->foreign_ran || t->n_stacks > 1 || SWITCHES(t->stacks[t->current].state) != t->n_switches || t->failure != FAILURE_NONE ||
        active_tracer != t || events->n == 0 || events->kind[events->n - 1] != EV_LINE || stack->n == 0) {
        return 0;
    }
    const Frame *frame = stack->live[stack->n - 1];
    return frame->ran != NULL && frame->ran->kind == LINE_QUIET;
}

static void
hand_on_value(Tracer *t, Frame *frame, int32_t handle)
{
    int32_t number = handle >= 0 && t->columns.values.kind[handle] == V_REF ? t->columns.values.number[handle] : ABSENT;
    if (number < 0 || t->heap.by_number[number] == NULL || frame->handed.is_given_all) {
        return;
    }
    if (frame->handed.n_given >= frame->cap_given) {
        int32_t *more = frame->cap_given < MOST_GIVEN ? grown(frame->given, frame->cap_given * 2 + 16, sizeof(int32_t)) : NULL;
        if (more == NULL) {
            frame->handed.is_given_all = 1;
            return;
        }
        frame->given = more;
        frame->cap_given = frame->cap_given * 2 + 16;
    }
    frame->given[frame->handed.n_given++] = number;
}

/* What a dying object held is handed to the code that runs: what leads to it is gone when it is looked for (reach.c). */
static void
hand_on(Tracer *t, Frame *frame, const Shadow *known)
{
    for (Py_ssize_t i = 0; i < known->n; i++) {
        if (known->value[i] != HOLE_ADDRESS) {
            hand_on_value(t, frame, known->value_handle[i]);
            hand_on_value(t, frame, known->key == NULL ? ABSENT : known->key_handle[i]);
        }
    }
}

/* Whether code is running that may still get at what an object held that dies now. */
static Frame *
heir(Tracer *t)
{
    Stack *stack = t->n_stacks ? &t->stacks[t->current] : NULL;
    Frame *frame = stack != NULL && stack->n ? stack->live[stack->n - 1] : NULL;
    int is_unknown = frame != NULL && (t->foreign_ran || frame->handed.is_foreign || (frame->ran != NULL && frame->ran->kind == LINE_OTHER));
    return is_unknown && !t->is_busy && active_tracer == t ? frame : NULL;
}

/* In the middle of a deallocation: nothing here may touch the object, but for a look at what it holds. Once it is gone,
 * the memory at its address is free. */
void
heap_died(Watcher *watcher, PyObject *object, int is_gone)
{
    Tracer *t = (Tracer *)((char *)watcher - offsetof(Tracer, watcher));
    AddressTable *table = &t->heap.by_address;
    if (table->slots != NULL) {
        Entry *entry = table->slots[table_find(table, object)];
        if (entry != NULL) {
            if (!is_gone && UNLIKELY(!is_as_known(entry, object)) && is_calm(t)) {
                t->failure = FAILURE_UNEXPLAINED; /* the line changes nothing: something unseen did before (net.c) */
                t->unexplained = entry->shape;
            }
            Frame *frame = heir(t);
            if (frame != NULL) {
                hand_on(t, frame, &entry->content);
                hand_on(t, frame, &entry->attributes);
            }
            forget(t, entry);
        }
    }
    if (!is_gone && UNLIKELY(PyType_Check(object))) {
        shapes_forget(t, object);
    }
}

/* A tuple that was filled anew is another one: zip and others use theirs again when nobody else has it. */
static int
is_other_tuple(Entry *entry, PyObject *value)
{
    Shadow *known = &entry->content;
    if (known->n_cut) {
        return 0;
    }
    if (known->n != PyTuple_GET_SIZE(value)) {
        return 1;
    }
    for (Py_ssize_t i = 0; i < known->n; i++) {
        if (known->value[i] != PyTuple_GET_ITEM(value, i)) {
            return 1;
        }
    }
    return 0;
}

int32_t
heap_handle(Tracer *t, PyObject *value)
{
    if (is_scalar(t, value)) {
        return values_scalar(t, value);
    }
    Entry *entry = heap_find(t, value);
    if (entry != NULL) {
        if (LIKELY(!PyTuple_CheckExact(value) || !entry->was_seen || !is_other_tuple(entry, value))) {
            entry->depth = t->heap.depth == 0 ? 0 : entry->depth; /* a name of its own */
            return entry->handle;
        }
        forget(t, entry);
    }
    Heap *heap = &t->heap;
    Shape *shape = shape_of(t, value);
    if (shape == NULL) {
        return FAILED;
    }
    if (UNLIKELY(heap->depth > t->max_depth)) {
        return values_truncated(t, "depth", t->max_depth, shape->name);
    }
    if (UNLIKELY(heap->by_address.n >= t->max_nodes)) {
        return values_truncated(t, "nodes", t->max_nodes, shape->name);
    }
    entry = entry_new(t, value, shape);
    return entry == NULL ? FAILED : entry->handle;
}

int
heap_init(Tracer *t)
{
    t->watcher.died = heap_died;
    return 0;
}

void
heap_clear(Tracer *t)
{
    Heap *heap = &t->heap;
    for (Py_ssize_t i = 0; i < heap->cap; i++) {
        Entry *entry = heap->by_number[i];
        if (entry != NULL) {
            heap->by_number[i] = NULL;
            shadow_clear(t, &entry->content);
            shadow_clear(t, &entry->attributes);
            PyMem_RawFree(entry->bytes);
            PyMem_RawFree(entry->places);
            Py_XDECREF(entry->memo);
            PyMem_RawFree(entry);
        }
    }
    while (heap->free != NULL) {
        Entry *next = heap->free->next;
        PyMem_RawFree(heap->free);
        heap->free = next;
    }
    shapes_clear(t);
    PyMem_RawFree(heap->by_address.slots);
    PyMem_RawFree(heap->by_number);
    PyMem_RawFree(heap->mutables.items);
    PyMem_RawFree(heap->fresh.items);
    PyMem_RawFree(heap->always.items);
    PyMem_RawFree(heap->cut.items);
    PyMem_RawFree(heap->closures.items);
    PyMem_RawFree(heap->touched.items);
    PyMem_RawFree(heap->wild.items);
    PyMem_RawFree(heap->wild_given.items);
    PyMem_RawFree(heap->exposed.items);
    PyMem_RawFree(heap->reached.items);
    PyMem_RawFree(heap->seen);
    PyMem_RawFree(heap->pending);
    PyMem_RawFree(heap->names);
    PyMem_RawFree(heap->items);
    PyMem_RawFree(heap->scratch);
    PyMem_RawFree(heap->handles);
    PyMem_RawFree(heap->stamps);
    Py_CLEAR(heap->kept);
    Py_CLEAR(heap->dotted);
    memset(heap, 0, sizeof(*heap));
}

/* Of int32, for qsort(). */
int
compare_int32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}
