/* What is known of one activation's names, iterators and temporaries, and the changes to them.
 *
 *   frame_update(t, frame, what, sent)           names and stack of a frame that has run
 *   frame_update_names(t, frame)                 of one that waits, but shares variables with others
 *   generator_look(t, entry, generator)          a suspended frame that is reached through its generator
 *
 * The frame is read as it lies in memory: no f_locals, nothing written to it.
 */
#include "frames.h"

/* ------------------------------------------------------------------ one name */

void
slot_clear(Slot *slot)
{
    if (slot->state == S_SCALAR) {
        Py_DECREF(slot->value);
    }
    slot->value = NULL;
    slot->handle = ABSENT;
    slot->state = S_EMPTY;
}

static inline int
is_alive(Tracer *t, PyObject *value, int32_t handle)
{
    Entry *entry = t->heap.by_number[t->columns.values.number[handle]];
    return entry != NULL && entry->object == value;
}

/* Write a name if its value is another than before. */
int
slot_update(Tracer *t, Slot *slot, PyObject *value, int flags, int place, int32_t owner, int32_t key)
{
    if (value == slot->value && (!(flags & SLOT_VERIFY) || slot->state != S_OBJECT || is_alive(t, value, slot->handle))) {
        return 0;
    }
    t->n_shared += place != P_LOCAL && !(flags & SLOT_FIRST);
    if (slot->state == S_OBJECT) {
        Entry *entry = t->heap.by_number[t->columns.values.number[slot->handle]];
        if (entry != NULL) {
            shadow_displace(t, entry);
        }
    }
    if (value == NULL) {
        int was_bound = slot->state != S_EMPTY;
        slot_clear(slot);
        if (was_bound) {
            change(t, place, owner, key, -1, OP_DELETE, ABSENT);
        }
        return 0;
    }
    int state = S_SCALAR, is_text = slot->state == S_SCALAR && PyUnicode_CheckExact(value) && PyUnicode_CheckExact(slot->value);
    int32_t handle = is_text ? values_concat(t, slot->handle, slot->value, value, flags & SLOT_EXTENDED) : quick_row(t, value);
    if (handle == ABSENT) {
        if (is_scalar(t, value)) {
            handle = values_scalar(t, value);
        }
        else {
            handle = heap_handle(t, value);
            state = handle >= 0 && t->columns.values.kind[handle] == V_REF ? S_OBJECT : S_CUT;
            name_object(t, handle);
        }
    }
    if (handle < 0) {
        return -1;
    }
    if (handle != slot->handle) {
        change(t, place, owner, key, -1, OP_SET, handle);
    }
    PyObject *old = slot->state == S_SCALAR ? slot->value : NULL;
    slot->value = state == S_SCALAR ? Py_NewRef(value) : state == S_OBJECT ? value : CUT_ADDRESS;
    slot->handle = handle;
    slot->state = (int8_t)state;
    Py_XDECREF(old);
    return 0;
}

/* ------------------------------------------------------------------ frames */

static int
room_for_slots(Tracer *t, Frame *frame, int n)
{
    if (n > frame->cap_slots) {
        int cap = n + n / 2 + 8;
        Slot *slots = grown(frame->slots, cap, sizeof(Slot));
        if (slots == NULL) {
            t->out_of_memory = 1;
            PyErr_NoMemory();
            return -1;
        }
        frame->slots = slots;
        frame->cap_slots = cap;
    }
    for (int i = frame->n_slots; i < n; i++) {
        frame->slots[i] = (Slot){NULL, ABSENT, S_EMPTY};
    }
    frame->n_slots = n;
    return 0;
}

Frame *
frame_new(Tracer *t, Code *code, _PyInterpreterFrame *iframe)
{
    Frame *frame = t->free_frames;
    if (frame != NULL) {
        t->free_frames = frame->next;
    }
    else if ((frame = PyMem_RawCalloc(1, sizeof(Frame))) == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    frame->code = code;
    frame->frame = iframe;
    frame->next = NULL;
    frame->line = code->code->co_firstlineno;
    frame->last_event = frame->stack_row = -1;
    frame->first_shared = frame->first_stored = frame->first_displaced = frame->first_event = 0;
    frame->ran = NULL;
    frame->first_object = t->columns.objects.n;
    frame->n_deaths = t->heap.n_named_deaths;
    frame->n_handles[0] = frame->n_handles[1] = frame->n_stack = frame->n_names = frame->n_slots = 0;
    frame->is_live = frame->is_dirty = 1;
    frame->returned_unit = ABSENT;
    frame->is_raising = frame->is_stack_unsure = frame->has_parked = frame->is_delegating = 0;
    memset(&frame->handed, 0, sizeof(frame->handed));
    if (room_for_slots(t, frame, code->n_slots) < 0) {
        frame_free(t, frame);
        return NULL;
    }
    return frame;
}

void
frame_free(Tracer *t, Frame *frame)
{
    for (int i = 0; i < frame->n_slots; i++) {
        slot_clear(&frame->slots[i]);
    }
    for (int i = 0; i < frame->n_names; i++) {
        Py_DECREF(frame->names[i]);
    }
    frame->n_slots = frame->n_names = 0;
    Py_CLEAR(frame->returned);
    frame->is_live = 0;
    frame->frame = NULL;
    frame->next = t->free_frames;
    t->free_frames = frame;
}

static void
frame_destroy(Frame *frame)
{
    PyMem_RawFree(frame->slots);
    PyMem_RawFree(frame->names);
    PyMem_RawFree(frame->keys);
    PyMem_RawFree(frame->handles[0]);
    PyMem_RawFree(frame->handles[1]);
    PyMem_RawFree(frame->stack);
    PyMem_RawFree(frame->stack_labels);
    PyMem_RawFree(frame->given);
    PyMem_RawFree(frame);
}

void
frames_clear(Tracer *t)
{
    for (Py_ssize_t i = 0; i < t->n_stacks; i++) {
        while (t->stacks[i].n) {
            frame_free(t, t->stacks[i].live[--t->stacks[i].n]);
        }
        PyMem_RawFree(t->stacks[i].live);
    }
    while (t->suspended != NULL) {
        Frame *next = t->suspended->next;
        frame_free(t, t->suspended);
        t->suspended = next;
    }
    while (t->free_frames != NULL) {
        Frame *next = t->free_frames->next;
        frame_destroy(t->free_frames);
        t->free_frames = next;
    }
    PyMem_RawFree(t->stacks);
    t->stacks = NULL;
    t->n_stacks = 0;
}

Frame *
frame_suspended(Tracer *t, _PyInterpreterFrame *iframe)
{
    Frame *frame = t->suspended;
    while (frame != NULL && frame->frame != iframe) {
        frame = frame->next;
    }
    return frame;
}

/* ------------------------------------------------------------------ names */

static int
add_name(Tracer *t, Frame *frame, PyObject *name)
{
    if (frame->n_names == frame->cap_names) {
        int cap = frame->cap_names * 2 + 8;
        PyObject **names = grown(frame->names, cap, sizeof(PyObject *));
        if (names != NULL) {
            frame->names = names;
        }
        int32_t *keys = names == NULL ? NULL : grown(frame->keys, cap, sizeof(int32_t));
        if (keys == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        frame->keys = keys;
        frame->cap_names = cap;
    }
    int32_t key = values_string(t, name);
    if (key < 0 || room_for_slots(t, frame, frame->n_slots + 1) < 0) {
        return -1;
    }
    frame->names[frame->n_names] = Py_NewRef(name);
    frame->keys[frame->n_names++] = key;
    return 0;
}

static int
is_private(PyObject *name)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    return n >= 2 && PyUnicode_READ_CHAR(name, 0) == '_' && PyUnicode_READ_CHAR(name, 1) == '_' &&
           PyUnicode_READ_CHAR(name, n - 1) == '_' && PyUnicode_READ_CHAR(name, n - 2) == '_';
}

/* Names of a class body: they are in a dictionary, or in one of a class that extends it (an enumeration's), and become known as
   they appear. */
static int
update_namespace(Tracer *t, Frame *frame, PyObject *namespace, int verify)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    t->is_brute |= heap_find(t, namespace) != NULL; /* others have it, as a metaclass's `__prepare__` can give it */
    while (PyDict_Next(namespace, &at, &name, &value)) {
        if (!PyUnicode_CheckExact(name) || is_private(name)) {
            continue;
        }
        int i = 0;
        while (i < frame->n_names && frame->names[i] != name && PyUnicode_Compare(frame->names[i], name) != 0) {
            i++;
        }
        if (i == frame->n_names && add_name(t, frame, name) < 0) {
            return -1;
        }
    }
    for (int i = 0; i < frame->n_names; i++) {
        value = PyDict_GetItemWithError(namespace, frame->names[i]);
        if (slot_update(t, &frame->slots[frame->code->n_slots + i], value, verify, P_LOCAL, frame->number,
                        frame->keys[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

int
frame_update_names(Tracer *t, Frame *frame, int extended)
{
    Code *code = frame->code;
    Ref *values = frame->frame->localsplus;
    Slot *slots = frame->slots;
    int verify = frame->n_deaths != t->heap.n_named_deaths, n = code->n_slots;
    frame->n_deaths = t->heap.n_named_deaths;
    for (int i = 0; i < n; i++) {
        if (code->has_names && is_private(code->names[i])) {
            continue; /* __classdict__ and its like: the compiler's own */
        }
        PyObject *value = code->is_plain ? REF(values[i]) : slot_content(REF(values[i]), code->places[i] != P_LOCAL);
        if (LIKELY(value == slots[i].value && (!verify || slots[i].state != S_OBJECT))) {
            continue;
        }
        int flags = (verify ? SLOT_VERIFY : 0) | slot_flags(frame, i, extended);
        if (slot_update(t, &frame->slots[i], value, flags, code->places[i], frame->number, code->keys[i]) < 0) {
            return -1;
        }
        slots = frame->slots;
    }
    PyObject *namespace = code->has_names ? frame->frame->f_locals : NULL;
    return namespace != NULL && PyDict_Check(namespace) ? update_namespace(t, frame, namespace, verify) : 0;
}

/* ------------------------------------------------------------------ both */

#if PY_VERSION_HEX >= 0x030E0000
/* Where the stack ends that a frame shows. 3.14 says it inside C calls too, and what is called then still lies there; a
 * call that is run in line has taken it. So of a frame that waits only the slots count that its instruction leaves alone. */
static int
shown_top(Frame *frame, int what, int base, int top)
{
    int unit = unit_of(frame->frame);
    if (what == FRAME_RUNS || top < base || unit < 0 || unit >= frame->code->n_units) {
        return top;
    }
    int kept = what == FRAME_RAISES ? -1 : labels_kept(frame->code, unit);
    return kept < 0 ? -1 : base + kept < top ? base + kept : top;
}
#else
#define shown_top(frame, what, base, top) (top)
#endif

/* A frame that has run; `sent`: take what was sent in from its stack, it is the event's value. */
int
frame_update(Tracer *t, Frame *frame, int what, PyObject **sent)
{
    _PyInterpreterFrame *iframe = frame->frame;
    int base = frame->code->n_slots, top = STACK_TOP(iframe);
    if (sent != NULL) {
        *sent = NULL;
        if (top > base && top <= base + frame->code->code->co_stacksize) {
            top--;
            *sent = REF(iframe->localsplus[top]);
        }
    }
    if (look_at_names(t, frame, -1) < 0) {
        return -1;
    }
    if (what == FRAME_LEAVES) {
        return frame_update_stack(t, frame, NULL, 0, 0);
    }
    top = shown_top(frame, what, base, top);
    if (top < base || top > base + frame->code->code->co_stacksize) {
        return 0; /* inside a C call the interpreter keeps the stack pointer to itself */
    }
    return frame_update_stack(t, frame, iframe->localsplus + base, top - base, 0);
}

/* ------------------------------------------------------------------ generators */

static int
has_started(PyGenObject *generator, Frame *known)
{
    if (known != NULL) {
        return 1;
    }
#if PY_VERSION_HEX < 0x030C0000
    if (PyAsyncGen_CheckExact(generator)) {
        return generator->gi_running_async != 0;
    }
#endif
    return generator->gi_frame_state > FRAME_CREATED && generator->gi_frame_state < FRAME_COMPLETED;
}

static int
is_finished(PyGenObject *generator)
{
#if PY_VERSION_HEX >= 0x030C0000
    return generator->gi_frame_state >= FRAME_COMPLETED;
#else
    return generator->gi_frame_state == FRAME_CLEARED;
#endif
}

static Frame *
frame_live(Tracer *t, _PyInterpreterFrame *iframe)
{
    for (Py_ssize_t i = 0; i < t->n_stacks; i++) {
        for (Py_ssize_t j = t->stacks[i].n - 1; j >= 0; j--) {
            if (t->stacks[i].live[j]->frame == iframe) {
                return t->stacks[i].live[j];
            }
        }
    }
    return NULL;
}

int
generator_look(Tracer *t, Entry *entry, PyObject *value)
{
    static PyObject *name;
    PyGenObject *generator = (PyGenObject *)value;
    t->heap.n_pairs = 0;
    if (name == NULL && (name = PyUnicode_InternFromString("frame")) == NULL) {
        return -1;
    }
    if (is_finished(generator)) {
        return attributes_update(t, entry);
    }
    _PyInterpreterFrame *iframe = (_PyInterpreterFrame *)&generator->gi_iframe;
    int is_created = generator->gi_frame_state == FRAME_CREATED;
    Frame *frame = is_created ? NULL : frame_suspended(t, iframe);
    Frame *known = frame != NULL || is_created ? frame : frame_live(t, iframe);
    if (known != NULL) {
        if (add_pair(t, name, TAGGED(known->number)) < 0 || attributes_update(t, entry) < 0) {
            return -1;
        }
        if (frame == NULL || (!frame->is_dirty && frame->code->is_plain && !t->has_frames)) {
            return 0;
        }
        int is_dirty = frame->is_dirty;
        frame->is_dirty = 0;
        return is_dirty ? frame_update(t, frame, FRAME_WAITS, NULL) : frame_update_names(t, frame, -1);
    }
    if (has_started(generator, NULL)) {
        return 0;
    }
    Code *code = code_of(t, FRAME_CODE(iframe));
    if (code == NULL || code_fill(t, code) < 0) {
        return -1;
    }
    for (int i = 0; i < code->n_slots; i++) {
        PyObject *item = slot_content(REF(iframe->localsplus[i]), code->places[i] != P_LOCAL);
        if (item != NULL && add_pair(t, code->names[i], item) < 0) {
            return -1;
        }
    }
    return attributes_update(t, entry);
}
