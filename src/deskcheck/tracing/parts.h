/* What the files of the native core offer to each other; the end of core.h. */
#ifndef DESKCHECK_PARTS_H
#define DESKCHECK_PARTS_H

extern Tracer *active_tracer;

/* calls.c */
PyObject *tracer_begin(Tracer *t, PyObject *const *arguments, Py_ssize_t n);
int call_ended(Tracer *t, int kind);
int calls_ready(PyObject *module);

/* collector.c */
int collector_ready(PyObject *module);

/* tampering.c */
int tampering_ready(PyObject *module);

/* tracer.c */
void trace_on(Tracer *t);
void trace_off(Tracer *t);

/* columns.c */
int columns_init(Columns *columns);
void columns_clear(Columns *columns);
int columns_grow_events(Tracer *t);
int columns_grow_changes(Tracer *t);
int32_t columns_name(Tracer *t, PyObject *text);
int32_t columns_value(Tracer *t, int kind, int32_t type, int64_t number, double real, const char *data, Py_ssize_t n);
int32_t columns_object(Tracer *t, int kind, PyObject *type, PyObject *text);
int32_t columns_frame(Tracer *t, int32_t code, int32_t parent);
int64_t columns_size(Tracer *t);
PyObject *columns_finish(Tracer *t);
void *grown(void *old, Py_ssize_t n, size_t width);

/* stream.c */
#define STREAM_ROWS 65536 /* a group that has so many in memory gives them away, where there is a sink */
int stream_events(Tracer *t);
int stream_changes(Tracer *t);
PyObject *stream_finish(Tracer *t);
PyObject *stream_counts(Tracer *t);
/* The memory of a column whose first rows are gone. */
#define MEMORY_OF(column, base) ((column) == NULL ? NULL : (void *)((uintptr_t)(column) + (uintptr_t)(base) * sizeof(*(column))))

static inline void
change(Tracer *t, int place, int32_t owner, int32_t key, int32_t index, int op, int32_t value)
{
    ChangeColumns *c = &t->columns.changes;
    if (UNLIKELY(c->n == c->cap) && columns_grow_changes(t) < 0) {
        return;
    }
    c->place[c->n] = (int8_t)place;
    c->owner[c->n] = owner;
    c->key[c->n] = key;
    c->index[c->n] = index;
    c->op[c->n] = (int8_t)op;
    c->value[c->n] = value;
    c->n++;
}

/* values.c */
int values_init(Tracer *t);
void values_clear(Tracer *t);
int is_scalar_type(PyTypeObject *type);
int32_t values_scalar(Tracer *t, PyObject *value);
int32_t values_int(Tracer *t, int64_t number);
int32_t values_string(Tracer *t, PyObject *text);
int32_t values_concat(Tracer *t, int32_t before_handle, PyObject *before, PyObject *text, int is_sure);
int32_t values_truncated(Tracer *t, const char *what, int64_t size, PyObject *type_name);

/* watch.c */
int watch_type(PyTypeObject *type);
void watch_start(Watcher *watcher);
void watch_stop(Watcher *watcher);
int watch_ready(PyObject *module);

/* shapes.c */
Shape *shape_of(Tracer *t, PyObject *value);
void shapes_forget(Tracer *t, PyObject *type);
void shapes_clear(Tracer *t);
PyObject *shape_text(Tracer *t, Shape *shape, PyObject *value);
PyObject *lent_call(PyObject *callable, PyObject *one, PyObject *two);

/* readers.c; the structs of iterators are in no header of CPython's */
typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *source;
} SequenceIterator;

typedef struct {
    PyObject_HEAD
#if PY_VERSION_HEX < 0x030C0000
    long index;
#endif
    long start, step, n;
} RangeIterator;

static inline long long
range_position(Entry *entry)
{
#if PY_VERSION_HEX >= 0x030C0000
    return entry->n_all - ((RangeIterator *)entry->object)->n;
#else
    return ((RangeIterator *)entry->object)->index;
#endif
}

int read_attributes(Tracer *t, Entry *entry, PyObject *value);
int add_pair(Tracer *t, PyObject *name, PyObject *item);
int readers_ready(void);
#define TAGGED(number) ((PyObject *)(((uintptr_t)(int64_t)(number) << 1) | 1))
#define DEAD_ADDRESS ((PyObject *)4) /* what stood there has died: equal to nothing */
#define IS_TAGGED(item) ((uintptr_t)(item) & 1)
#define UNTAGGED(item) ((int64_t)(intptr_t)(item) >> 1)

/* heap.c */
int heap_init(Tracer *t);
void heap_clear(Tracer *t);
Entry *heap_find(Tracer *t, PyObject *value);
int32_t heap_handle(Tracer *t, PyObject *value);
int heap_add(Tracer *t, Numbers *numbers, int32_t number);
void heap_died(Watcher *watcher, PyObject *object);

/* look.c */
int heap_look(Tracer *t);
int heap_look_new(Tracer *t);
int heap_look_touched(Tracer *t);
int heap_look_always(Tracer *t);
int heap_look_at(Tracer *t, PyObject *address);
int heap_look_place(Tracer *t, PyObject *address, Py_ssize_t place);
int compare_int32(const void *a, const void *b);
int compare_pairs(const void *a, const void *b); /* touch.c */

/* iterators.c */
int iterator_look(Tracer *t, Entry *entry);

/* shadows.c */
int shadow_resize(Tracer *t, Shadow *shadow, Py_ssize_t n, int has_keys);
void shadow_clear(Tracer *t, Shadow *shadow);
PyObject *shadow_hold(Tracer *t, Entry *holder, Shadow *shadow, Py_ssize_t place, PyObject *value, int32_t handle);
void shadow_release(Tracer *t, Shadow *shadow, PyObject *value, int32_t handle);
void shadow_poison(Tracer *t, Entry *dead);
void shadow_verify(Tracer *t, Shadow *shadow);
int scratch_room(Tracer *t, Py_ssize_t n);
int32_t new_serial(Tracer *t);
int attributes_update(Tracer *t, Entry *entry);

/* deltas.c */
int content_update(Tracer *t, Entry *entry, PyObject *value);
int content_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);

/* sequences.c, dicts.c, sets.c: for deltas.c */
int sequence_update(Tracer *t, Entry *entry, PyObject **items, Py_ssize_t n);
int sequence_update_at(Tracer *t, Entry *entry, PyObject *value, Py_ssize_t place);
int deque_update(Tracer *t, Entry *entry, PyObject *value);
int raw_update(Tracer *t, Entry *entry, PyObject *value);
int dict_update(Tracer *t, Entry *entry, PyObject *dict);
int dict_update_at(Tracer *t, Entry *entry, PyObject *object, Py_ssize_t place);
int set_update(Tracer *t, Entry *entry, PyObject *set);
int set_add(Tracer *t, Entry *entry, PyObject *set, PyObject *member);

/* codes.c */
Code *code_of(Tracer *t, PyCodeObject *code);
int code_fill(Tracer *t, Code *code);
int code_number(Tracer *t, Code *code, _PyInterpreterFrame *iframe);
void codes_clear(Tracer *t);
int codes_ready(void);
PyObject *code_constant(Code *code, int i);
int listed(const char *name, const char *words);

/* labels.c */
const char *code_labels(Code *code, int unit);
int labels_kept(Code *code, int unit);
void labels_note(int op, const char *name);
void labels_note_jump(int op);

/* lines.c, touch.c, callees.c */
void lines_note(int op, const char *name);
void lines_note_jump(int op);
Lines *lines_new(Tracer *t, Code *code);
void lines_free(Lines *lines);
int line_touches(Tracer *t, Frame *ran);
int callees_ready(void);
int callee_is_pure(PyObject *callee);

/* line_flow.c */
int line_flow(PyCodeObject *code, int32_t **pairs);
void line_flow_note(int op, const char *name);
void line_flow_note_jump(int op);

/* frames.c */
Frame *frame_new(Tracer *t, Code *code, _PyInterpreterFrame *frame);
void frame_free(Tracer *t, Frame *frame);
void frames_clear(Tracer *t);
enum { FRAME_RUNS, FRAME_WAITS, FRAME_RAISES, FRAME_LEAVES };
int frame_update(Tracer *t, Frame *frame, int what, PyObject **sent);
int frame_update_names(Tracer *t, Frame *frame, int extended);
int frame_update_stack(Tracer *t, Frame *frame, Ref *stack, int n, int is_full);
int frame_update_top(Tracer *t, Frame *frame, Ref *stack, int n, int n_kept);
Frame *frame_suspended(Tracer *t, _PyInterpreterFrame *frame);
int generator_look(Tracer *t, Entry *entry, PyObject *generator);
int slot_update(Tracer *t, Slot *slot, PyObject *value, int flags, int place, int32_t owner, int32_t key);
enum { SLOT_VERIFY = 1, SLOT_EXTENDED = 2 }; /* an object has died since; a string can only have grown */
void slot_clear(Slot *slot);
static inline int
unit_of(_PyInterpreterFrame *frame)
{
    return _PyInterpreterFrame_LASTI(frame);
}

/* Most instructions neither finish an expression nor come after one that did: 1, and nothing is to be done. */
static inline int
steps_is_plain(Frame *frame)
{
    int unit = unit_of(frame->frame);
    return frame->pending < 0 && frame->reported < 0 && unit >= 0 && unit < frame->code->n_units &&
           frame->code->step_at[unit] < 0 && frame->code->ops[unit] != OP.extended_arg;
}

/* modules.c */
int module_add(Tracer *t, int32_t file, PyObject *namespace, PyObject *names);
int module_meet(Tracer *t, Code *code, PyObject *namespace);
int modules_update(Tracer *t);
void modules_clear(Tracer *t);

/* events.c */
int on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *argument);
int32_t final_value(Tracer *t, PyObject *value);

/* threads.c */
int add_stack(Tracer *t, PyThreadState *state);
Py_ssize_t thread_index(Tracer *t);
void thread_let_go(void);
int thread_push(Tracer *t, Frame *frame);
void thread_pop(Tracer *t, int is_suspended);
void thread_forget(Tracer *t);
int thread_number(Tracer *t, Code *code, int32_t *number);
void forget_frames(Tracer *t, PyThreadState *state);
void take_lock(Tracer *t);
int take_turn(Tracer *t);
void end_turn(Tracer *t, int is_locked);

/* collector.c */
int collector_ready(PyObject *module);

/* tampering.c */
int tampering_ready(PyObject *module);

/* tracer.c */
extern PyTypeObject TracerType;
int tracer_ready(PyObject *module);

/* spans.c */
typedef struct Step {
    int32_t unit, line, end_line, column, end_column;
} Step;
void spans_note(int op, const char *name);
int spans_fill(Code *code);

/* steps.c */
int steps_kept(int op, int arg, int depth);
void steps_note(int op, const char *name);
void steps_want(int on);
int steps_enter(Tracer *t, Frame *frame, PyFrameObject *f);
int steps_opcode(Tracer *t, Frame *frame);
int steps_flush(Tracer *t, Frame *frame);
int steps_stack(Tracer *t, Frame *frame);
int steps_look(Tracer *t, Frame *ran, int kind);
int steps_any(Tracer *t, Frame *ran, int kind);

/* Whether iterators that may run code in C are alive, or have gone since they were looked for. */
static inline int
has_wild(Tracer *t)
{
    return t->heap.n_wild > 0 || t->heap.wild_given.n > 0;
}

static inline PyObject *
slot_content(PyObject *value, int is_cell)
{
    return value != NULL && is_cell && PyCell_Check(value) ? PyCell_GET(value) : value;
}

/* Types by address whose answer is known. A class may die and another have its address: neither is a scalar's. */
enum { N_TYPES = 64 };
extern struct ScalarType {
    PyTypeObject *type;
    int is_scalar;
} scalar_types[N_TYPES];

static inline int
is_scalar(Tracer *Py_UNUSED(t), PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    const struct ScalarType *known = &scalar_types[((uintptr_t)type >> 4) % N_TYPES];
    return type == &PyLong_Type || (LIKELY(known->type == type) ? known->is_scalar : is_scalar_type(type));
}

/* Address -> slot: objects are 16-byte aligned. */
static inline size_t
address_hash(const void *address)
{
    uint64_t h = (uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15ull;
    return (size_t)(h >> 29);
}

#endif
