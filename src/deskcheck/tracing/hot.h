/* The short ways of what runs at every event: inline, and each with its long way behind it. */
#ifndef DESKCHECK_HOT_H
#define DESKCHECK_HOT_H

#include "core.h"

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
    c->step[n] = t->step;
    c->frame[n] = frame->number;
    c->line[n] = frame->line;
    c->value[n] = handle;
    c->changes_end[n] = (int32_t)t->columns.changes.n;
    c->thread[n] = frame->thread;
    c->has_threads |= frame->thread;
    c->n = n + 1;
    return 0;
}

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

/* An object that a slot or a stack remembers by its address: its death makes them look again. */
static inline void
name_object(Tracer *t, int32_t handle)
{
    if (handle >= 0 && t->columns.values.kind[handle] == V_REF) {
        t->heap.by_number[t->columns.values.number[handle]]->is_named = 1;
    }
}

/* Names of a frame that has run: most are what they were. `extended`: the one that can only have grown, -1: none. */
static inline int
look_at_names(Tracer *t, Frame *frame, int extended)
{
    Code *code = frame->code;
    if (UNLIKELY(code->has_names || frame->n_deaths != t->heap.n_named_deaths)) {
        return frame_update_names(t, frame, extended);
    }
    Ref *values = frame->frame->localsplus;
    Slot *slots = frame->slots;
    if (LIKELY(code->is_plain)) {
        for (int i = 0, n = code->n_slots; i < n; i++) {
            PyObject *value = REF(values[i]);
            if (value != slots[i].value && slot_update(t, &slots[i], value, i == extended ? SLOT_EXTENDED : 0, P_LOCAL,
                                                           frame->number, code->keys[i]) < 0) {
                return -1;
            }
        }
        return 0;
    }
    for (int i = 0, n = code->n_slots; i < n; i++) {
        PyObject *value = slot_content(REF(values[i]), code->places[i] != P_LOCAL);
        if (value != slots[i].value && slot_update(t, &slots[i], value, i == extended ? SLOT_EXTENDED : 0, code->places[i],
                                                   frame->number, code->keys[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Its value stack: in a loop's body the loop's iterator. */
static inline int
look_at_stack(Tracer *t, Frame *frame)
{
    _PyInterpreterFrame *iframe = frame->frame;
    Code *code = frame->code;
    int base = code->n_slots, n = STACK_TOP(iframe) - base;
    if (n == 0 && frame->n_stack == 0) {
        return 0;
    }
    if (UNLIKELY(n < 0 || n > code->code->co_stacksize)) {
        return 0; /* inside a C call the interpreter keeps the stack pointer to itself */
    }
    Ref *stack = iframe->localsplus + base;
    int unit = unit_of(iframe);
    int is_same = n == frame->n_stack && !(frame->is_stack_unsure | frame->is_stack_full) && code->rows != NULL &&
                  unit >= 0 && code->rows[unit] == frame->stack_row && frame->stack_deaths == t->heap.n_named_deaths;
    for (int i = 0; is_same && i < n; i++) {
        is_same = REF(stack[i]) == frame->stack[i];
    }
    return LIKELY(is_same) ? 0 : frame_update_stack(t, frame, stack, n, 0);
}

/* What has begun to run in a frame whose event was written. */
static inline void
begin_line(Tracer *t, Frame *frame)
{
    const Lines *lines = frame->code->facts;
    if (LIKELY(lines != NULL)) {
        unsigned i = (unsigned)(frame->line - lines->first);
        frame->ran = &lines->lines[i < (unsigned)lines->n ? i : (unsigned)lines->n];
    }
    frame->last_event = t->columns.events.n - 1;
    frame->last_shared = t->n_shared;
    frame->last_entered = t->n_entered;
    memset(&frame->handed, 0, sizeof(frame->handed));
}

/* Module-level names: a dictionary says that nothing was written to it. */
static inline int
look_at_modules(Tracer *t)
{
    for (Py_ssize_t i = 0; i < t->n_modules; i++) {
        Module *module = &t->modules[i];
        if (UNLIKELY(DICT_VERSION(module->namespace) != module->version || module->has_cut)) {
            return modules_update(t);
        }
    }
    return 0;
}

/* A state of the global and the built-in names of a frame; 0: none can be told. */
static inline void
names_state(Frame *frame, uint64_t state[2])
{
    PyObject *globals = frame->frame->f_globals, *builtins = frame->frame->f_builtins;
    int is_known = PyDict_CheckExact(globals) && PyDict_CheckExact(builtins);
    state[0] = is_known ? DICT_VERSION(globals) : 0;
    state[1] = is_known ? DICT_VERSION(builtins) : 0;
}

/* Whether the line that ran can have changed nothing but names and what changes by itself. */
static inline int
is_harmless(Tracer *t, Frame *ran)
{
    PyThreadState *state = t->stacks[t->current].state;
    const Line *line = ran->ran;
    if (line == NULL || line->kind == LINE_OTHER || (t->is_brute | ran->handed.is_foreign | has_wild(t)) ||
        state->next != NULL || state->prev != NULL) {
        return 0;
    }
    if (line->kind == LINE_QUIET) {
        return 1;
    }
    if (line->inplace && ran->slots[line->inplace - 1].state != S_SCALAR) {
        return 0; /* of a scalar an operator makes another one */
    }
    if (line->n_calls) {
        uint64_t now[2];
        names_state(ran, now);
        return line->seen[0] != 0 && line->seen[0] == now[0] && line->seen[1] == now[1];
    }
    return 1;
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
