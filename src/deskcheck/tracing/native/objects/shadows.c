/* What is remembered of an object's contents, and the differences of its attributes.
 *
 * A shadow holds addresses, to see quickly that nothing has changed, and handles, to say what it was. Scalars
 * are held, so an unchanged address is an unchanged value; an object whose address stands in a shadow is
 * struck out there when it dies, because its address may become another object's.
 */
#include "objects.h"

int
shadow_resize(Tracer *t, Shadow *shadow, Py_ssize_t n, int has_keys)
{
    if (n <= shadow->cap) {
        return 0;
    }
    Py_ssize_t cap = n <= 4 ? n : n + n / 4 + 4;
    size_t one = sizeof(PyObject *) + sizeof(int32_t);
    char *block = PyMem_RawMalloc((size_t)cap * one * (has_keys ? 2 : 1));
    if (block == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    PyObject **value = (PyObject **)block, **key = has_keys ? value + cap : NULL;
    int32_t *value_handle = (int32_t *)(value + cap * (has_keys ? 2 : 1)), *key_handle = value_handle + cap;
    size_t m = (size_t)shadow->n;
    if (m) {
        memcpy(value, shadow->value, m * sizeof(PyObject *));
        memcpy(value_handle, shadow->value_handle, m * sizeof(int32_t));
    }
    if (m && has_keys) {
        memcpy(key, shadow->key, m * sizeof(PyObject *));
        memcpy(key_handle, shadow->key_handle, m * sizeof(int32_t));
    }
    PyMem_RawFree(shadow->value == NULL ? NULL : shadow->value - shadow->n_lead);
    shadow->n_lead = 0;
    shadow->cap = cap;
    shadow->value = value;
    shadow->key = key;
    shadow->value_handle = value_handle;
    shadow->key_handle = has_keys ? key_handle : NULL;
    return 0;
}

static inline Entry *
entry_of(Tracer *t, int32_t handle)
{
    return t->columns.values.kind[handle] == V_REF ? t->heap.by_number[t->columns.values.number[handle]] : NULL;
}

/* What to write for a value with this handle; scalars are held by it. */
PyObject *
shadow_hold(Tracer *t, Entry *holder, Shadow *shadow, Py_ssize_t place, PyObject *value, int32_t handle)
{
    if (IS_TAGGED(value)) {
        return value;
    }
    if (t->columns.values.kind[handle] != V_REF) {
        if (t->columns.values.kind[handle] == V_TRUNCATED && !is_scalar(t, value)) {
            shadow->n_cut++;
            return NULL;
        }
        return Py_NewRef(value);
    }
    Entry *entry = t->heap.by_number[t->columns.values.number[handle]];
    if (entry == NULL || entry->object != value) { /* died since: a thread's doing */
        return DEAD_ADDRESS;
    }
    entry->n_holders++;
    entry->n_sure += shadow->is_sure;
    entry->parent = holder->number;
    entry->place = (int32_t)place;
    return value;
}

/* It has left a name or a container. If it dies, what a callable in C held is not known any more. The object itself is not
 * asked: at the end of a trace it may be gone. */
void
shadow_displace(Tracer *t, const Entry *entry)
{
    int holds_unseen = entry->shape->kind == O_FUNCTION || entry->shape->kind == O_OPAQUE;
    if (UNLIKELY(t->displaced == NULL)) {
        t->displaced = PyMem_RawMalloc(N_DISPLACED * sizeof(int32_t));
    }
    int64_t place = t->n_displaced++ % N_DISPLACED;
    if (LIKELY(t->displaced != NULL)) {
        t->displaced[place] = holds_unseen ? -1 - entry->number : entry->number;
    }
}

void
shadow_release(Tracer *t, Shadow *shadow, PyObject *value, int32_t handle)
{
    if (value == NULL) {
        shadow->n_cut--;
        return;
    }
    if (IS_TAGGED(value) || value == DEAD_ADDRESS || value == HOLE_ADDRESS) {
        return;
    }
    if (t->columns.values.kind[handle] != V_REF) {
        Py_DECREF(value);
        return;
    }
    Entry *entry = entry_of(t, handle);
    if (entry != NULL) {
        entry->n_holders--;
        entry->n_sure -= shadow->is_sure;
        shadow_displace(t, entry);
    }
}

void
shadow_clear(Tracer *t, Shadow *shadow)
{
    Py_ssize_t n = shadow->n;
    shadow->n = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        shadow_release(t, shadow, shadow->value[i], shadow->value_handle[i]);
        if (shadow->key != NULL) {
            shadow_release(t, shadow, shadow->key[i], shadow->key_handle[i]);
        }
    }
    PyMem_RawFree(shadow->value == NULL ? NULL : shadow->value - shadow->n_lead);
    int is_sure = shadow->is_sure;
    memset(shadow, 0, sizeof(*shadow));
    shadow->is_sure = is_sure;
}

/* ------------------------------------------------------------------ the dead */

static int
strike(Shadow *shadow, Py_ssize_t i, PyObject *dead)
{
    int n = 0;
    if (i >= 0 && i < shadow->n) {
        if (shadow->value[i] == dead) {
            shadow->value[i] = DEAD_ADDRESS;
            n++;
        }
        if (shadow->key != NULL && shadow->key[i] == dead) {
            shadow->key[i] = DEAD_ADDRESS;
            n++;
        }
    }
    return n;
}

/* An object dies: its address is struck out where it stands. */
void
shadow_poison(Tracer *t, Entry *dead)
{
    Entry *parent = dead->parent < 0 ? NULL : t->heap.by_number[dead->parent];
    if (dead->n_holders > 0 && parent != NULL) {
        dead->n_holders -= strike(&parent->content, dead->place, dead->object);
        dead->n_holders -= dead->n_holders > 0 ? strike(&parent->attributes, dead->place, dead->object) : 0;
        for (Py_ssize_t i = 0; dead->n_holders > 0 && i < parent->content.n; i++) {
            dead->n_holders -= strike(&parent->content, i, dead->object);
        }
    }
    if (dead->n_holders > 0) {
        t->heap.must_verify = 1; /* it stands elsewhere too: every shadow is gone through before the next look */
    }
}

void
shadow_verify(Tracer *t, Shadow *shadow)
{
    for (Py_ssize_t i = 0; i < shadow->n; i++) {
        int32_t handle = shadow->value_handle[i];
        if (shadow->value[i] == HOLE_ADDRESS) {
            continue;
        }
        if (t->columns.values.kind[handle] == V_REF && entry_of(t, handle) == NULL && shadow->value[i] != NULL) {
            shadow->value[i] = DEAD_ADDRESS;
        }
        if (shadow->key == NULL) {
            continue;
        }
        handle = shadow->key_handle[i];
        if (t->columns.values.kind[handle] == V_REF && entry_of(t, handle) == NULL && shadow->key[i] != NULL) {
            shadow->key[i] = DEAD_ADDRESS;
        }
    }
}

/* ------------------------------------------------------------------ scratch */

int
scratch_room(Tracer *t, Py_ssize_t n)
{
    Heap *heap = &t->heap;
    if (n <= heap->cap_scratch) {
        return 0;
    }
    Py_ssize_t cap = n + n / 2 + 16;
    PyObject **scratch = grown(heap->scratch, cap, sizeof(PyObject *));
    if (scratch != NULL) {
        heap->scratch = scratch;
    }
    int32_t *handles = scratch == NULL ? NULL : grown(heap->handles, cap, sizeof(int32_t));
    if (handles == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    heap->handles = handles;
    heap->cap_scratch = cap;
    return 0;
}

/* A number that stands in `stamps` nowhere yet; there is room for every handle. < 0: no memory. */
int32_t
new_serial(Tracer *t)
{
    Heap *heap = &t->heap;
    Py_ssize_t n = t->columns.values.n;
    if (n > heap->cap_stamps) {
        Py_ssize_t cap = n + n / 2 + 64;
        int32_t *stamps = grown(heap->stamps, cap, sizeof(int32_t));
        if (stamps == NULL) {
            t->out_of_memory = 1;
            PyErr_NoMemory();
            return FAILED;
        }
        memset(stamps + heap->cap_stamps, 0, (size_t)(cap - heap->cap_stamps) * sizeof(int32_t));
        heap->stamps = stamps;
        heap->cap_stamps = cap;
    }
    return ++heap->serial;
}

/* ------------------------------------------------------------------ attributes */

static int32_t
handle_of(Tracer *t, Entry *entry, PyObject *value, PyObject *before, int32_t before_handle)
{
    if (IS_TAGGED(value)) {
        return values_int(t, UNTAGGED(value));
    }
    if (entry->shape->is_summary && PyUnicode_CheckExact(value)) {
        return values_summary(t, value);
    }
    if (before != NULL && !IS_TAGGED(before) && before != DEAD_ADDRESS && PyUnicode_CheckExact(value) &&
        t->columns.values.kind[before_handle] != V_REF && PyUnicode_CheckExact(before)) {
        return values_concat(t, before_handle, before, value, 0);
    }
    return heap_handle(t, value);
}

static inline void
guard_new_value(Tracer *t, Entry *entry, PyObject *name, PyObject *value)
{
    if (!IS_TAGGED(value)) {
        guard_attribute(t, entry->shape->reader == R_INSTANCE || entry->shape->reader == R_PYTHON ? entry->shape->type : NULL, name, value);
    }
}

/* The shadow slot of a name: at the same place as before, or found by the handle of the name. */
static Py_ssize_t
known_place(Shadow *known, Py_ssize_t i, PyObject *name, int32_t key)
{
    if (i < known->n && known->key[i] == name) {
        return i;
    }
    for (Py_ssize_t j = 0; j < known->n; j++) {
        if (known->key_handle[j] == key) {
            return j;
        }
    }
    return -1;
}

static void
hold_pairs(Heap *heap, Py_ssize_t n, int hold)
{
    PyObject **items = heap->items, **names = heap->names;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = IS_TAGGED(items[i]) ? NULL : items[i];
        if (hold) {
            Py_XINCREF(item);
            Py_INCREF(names[i]);
        }
        else {
            Py_XDECREF(item);
            Py_DECREF(names[i]);
        }
    }
}

/* The names are those of before: the values that are new are written in place. */
static int
update_in_place(Tracer *t, Entry *entry)
{
    Shadow *known = &entry->attributes;
    for (Py_ssize_t i = 0; i < known->n; i++) {
        PyObject *value = t->heap.items[i];
        if (known->value[i] == value) {
            continue;
        }
        int32_t before = known->value_handle[i];
        int32_t handle = handle_of(t, entry, value, known->value[i], before);
        if (handle < 0) {
            return -1;
        }
        guard_new_value(t, entry, known->key[i], value);
        if (handle != before) {
            change(t, P_ATTRIBUTE, entry->number, known->key_handle[i], -1, OP_SET, handle);
        }
        PyObject *old = known->value[i];
        known->value[i] = shadow_hold(t, entry, known, i, value, handle);
        known->value_handle[i] = handle;
        shadow_release(t, known, old, before);
    }
    return 0;
}

static int
delete_gone(Tracer *t, Entry *entry, Shadow *now)
{
    Shadow *known = &entry->attributes;
    int32_t serial = new_serial(t);
    if (serial < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < now->n; i++) {
        t->heap.stamps[now->key_handle[i]] = serial;
    }
    for (Py_ssize_t i = 0; i < known->n; i++) {
        if (t->heap.stamps[known->key_handle[i]] != serial) {
            change(t, P_ATTRIBUTE, entry->number, known->key_handle[i], -1, OP_DELETE, ABSENT);
        }
    }
    return 0;
}

static int
update_anew(Tracer *t, Entry *entry)
{
    Shadow *known = &entry->attributes, now;
    Py_ssize_t n = t->heap.n_pairs;
    memset(&now, 0, sizeof(now));
    now.is_sure = known->is_sure;
    if (shadow_resize(t, &now, n ? n : 1, 1) < 0) {
        return -1;
    }
    int result = 0;
    Py_ssize_t last = -1; /* of the names that stay where they are */
    for (Py_ssize_t i = 0; i < n && result == 0; i++) {
        PyObject *name = t->heap.names[i], *value = t->heap.items[i];
        int32_t key = values_string(t, name);
        Py_ssize_t at = key < 0 ? -1 : known_place(known, i, name, key);
        int32_t handle = key < 0 ? FAILED
                         : at < 0 ? handle_of(t, entry, value, NULL, 0)
                         : known->value[at] == value
                             ? known->value_handle[at]
                             : handle_of(t, entry, value, known->value[at], known->value_handle[at]);
        if (handle < 0) {
            result = -1;
            break;
        }
        guard_new_value(t, entry, name, value);
        if (at < 0 && PyType_HasFeature(Py_TYPE(entry->object), Py_TPFLAGS_HEAPTYPE) && !PyType_Check(entry->object)) {
            PyObject *of_class = _PyType_Lookup(Py_TYPE(entry->object), name);
            t->hides_methods |= of_class != NULL && (PyFunction_Check(of_class) || Py_IS_TYPE(of_class, &PyMethodDescr_Type));
        }
        if (at >= 0 && at < last) { /* deleted and set anew: it comes later now */
            change(t, P_ATTRIBUTE, entry->number, key, -1, OP_DELETE, ABSENT);
        }
        if (at < 0 || at < last || known->value_handle[at] != handle) {
            change(t, P_ATTRIBUTE, entry->number, key, -1, OP_SET, handle);
        }
        last = at > last ? at : last;
        now.key[i] = Py_NewRef(name);
        now.key_handle[i] = key;
        now.value[i] = shadow_hold(t, entry, &now, i, value, handle);
        now.value_handle[i] = handle;
        now.n = i + 1;
    }
    if (result == 0 && known->n) {
        result = delete_gone(t, entry, &now);
    }
    Shadow old = *known;
    *known = now;
    shadow_clear(t, &old);
    return result;
}

/* Write what changed among the names and values that a reader has listed. */
int
attributes_update(Tracer *t, Entry *entry)
{
    Heap *heap = &t->heap;
    Shadow *known = &entry->attributes;
    Py_ssize_t n = heap->n_pairs;
    int has_same_names = n == known->n, is_same = has_same_names;
    for (Py_ssize_t i = 0; has_same_names && i < n; i++) {
        has_same_names = heap->names[i] == known->key[i];
        is_same &= heap->items[i] == known->value[i];
    }
    if (has_same_names && is_same) {
        return 0;
    }
    entry->changed = t->columns.events.n;
    hold_pairs(heap, n, 1); /* nothing of the program may go while it is looked at */
    int result = has_same_names ? update_in_place(t, entry) : update_anew(t, entry);
    hold_pairs(heap, n, 0);
    return result;
}

/* The place of a name among the attributes that are remembered of an object, -1: it has none of this name. */
Py_ssize_t
attribute_place(const Entry *entry, PyObject *name)
{
    const Shadow *known = &entry->attributes;
    for (Py_ssize_t i = 0; i < known->n; i++) { /* names that a program reads from a file are not interned */
        if (known->key[i] == name || (known->key[i] != DEAD_ADDRESS && PyUnicode_Compare(known->key[i], name) == 0)) {
            return i;
        }
    }
    return -1;
}
