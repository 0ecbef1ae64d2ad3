/* What code that is not known here can have changed: the objects that it was handed, and what those lead to.
 *
 *   reach_give(t, frame, value)       `value` is handed to such code, or comes back, while `frame` runs its line
 *   reach_foreign(t, frame, f)        a function in Python that is not the program's begins
 *   reach_find(t, frame, wanted)      their objects into t->touched; 1: that must be every object
 *   reach_settle(t)                   after the look: which of them something unseen holds from now on
 *
 * Code in C changes what it can get at from its callee, its receiver and its arguments. Code in Python can also get at
 * what libraries have kept of earlier calls: objects that are `exposed`. One is exposed while it has more references than
 * the tracer can account for: those of containers and instances that it knows, of names, of loops. References are counted
 * too low rather than too high, so that an object is exposed rather than not. What has been seen for the first time since
 * the last such step is taken for exposed, and so is everything after a store that the counts cannot follow (`must_recheck`).
 *
 * Edges are those of the garbage collector (tp_traverse) and those of the last look. Left out: globals of functions, and
 * modules; code that reaches for those by name (`globals`, `sys.modules`, `f_locals` ..) makes every object compared.
 */
#include "writes.h"

enum { MOST_UNKNOWN = 1 << 17 };

typedef struct {
    Tracer *t;
    Frame *giver; /* known objects are noted as handed over while it runs; NULL: they are gone through as well */
    int is_wild; /* the same, for as long as there are iterators that run code in C */
    int is_everything, failed;
} Reach;

/* ------------------------------------------------------------------ names that reach further */

static const char far[] =
    " globals locals vars eval exec __import__ import_module modules _getframe _current_frames f_locals f_globals f_back "
    "f_builtins tb_frame gi_frame cr_frame ag_frame __globals__ __builtins__ currentframe getouterframes get_objects "
    "get_referrers get_referents ctypes ";

/* Whether a function of a library may get at names of the program. */
static int
is_far_code(Tracer *t, PyCodeObject *co)
{
    Code *last = t->last_code, *code = code_of(t, co);
    t->last_code = last;
    if (code == NULL) {
        PyErr_Clear();
        return 1;
    }
    if (code->reaches == 0) {
        code->reaches = 1;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(co->co_names); i++) {
            const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(co->co_names, i));
            if (name == NULL || listed(name, far)) {
                PyErr_Clear();
                code->reaches = 2;
            }
        }
    }
    return code->reaches == 2;
}

static int
is_own_module(Tracer *t, PyObject *module)
{
    PyObject *dict = PyModule_GetDict(module);
    for (Py_ssize_t i = 0; i < t->n_modules; i++) {
        if (t->modules[i].namespace == dict) {
            return 1;
        }
    }
    return 0;
}

static int
is_far_module(Tracer *t, PyObject *module)
{
    const char *name = PyModule_GetName(module);
    if (name == NULL) {
        PyErr_Clear();
        return 1;
    }
    return is_own_module(t, module) || listed(name, " sys gc inspect ctypes _ctypes importlib builtins __main__ ");
}

static int
is_far_function(PyObject *function)
{
    PyObject *self = PyCFunction_GET_SELF(function);
    const char *module = self != NULL && PyModule_Check(self) ? PyModule_GetName(self) : NULL;
    if (module == NULL) {
        PyErr_Clear();
        return 0;
    }
    return listed(module, " sys gc _ctypes ") || (strcmp(module, "builtins") == 0 && listed(((PyCFunctionObject *)function)->m_ml->ml_name, far));
}

/* ------------------------------------------------------------------ walking */

static int
add_number(Tracer *t, int32_t **items, int *n, int *cap, int32_t number)
{
    if (*n == *cap) {
        int32_t *more = grown(*items, *cap * 2 + 16, sizeof(int32_t));
        if (more == NULL) {
            t->out_of_memory = 1;
            PyErr_NoMemory();
            return -1;
        }
        *items = more;
        *cap = *cap * 2 + 16;
    }
    (*items)[(*n)++] = number;
    return 0;
}

static int
give_number(Tracer *t, Frame *frame, int32_t number)
{
    if (frame->handed.n_given && frame->given[frame->handed.n_given - 1] == number) {
        return 0;
    }
    if (frame->handed.n_given >= MOST_GIVEN) {
        frame->handed.is_given_all = 1;
        return 0;
    }
    return add_number(t, &frame->given, &frame->handed.n_given, &frame->cap_given, number);
}

static void
meet_entry(Reach *r, Entry *entry)
{
    Heap *heap = &r->t->heap;
    if (r->is_wild) {
        r->failed |= !entry->is_wild_given && heap_add(r->t, &heap->wild_given, entry->number) < 0;
        entry->is_wild_given = 1;
    }
    else if (r->giver != NULL) {
        r->failed |= give_number(r->t, r->giver, entry->number) < 0;
    }
    else if (entry->reached != heap->reach_serial) {
        entry->reached = heap->reach_serial;
        r->failed |= heap_add(r->t, &heap->reached, entry->number) < 0;
    }
}

/* Whether an object that is not known is met for the first time. */
static int
is_first(Reach *r, PyObject *object)
{
    Heap *heap = &r->t->heap;
    if (heap->n_seen * 2 >= heap->cap_seen) {
        Py_ssize_t cap = heap->cap_seen ? heap->cap_seen * 2 : 256;
        PyObject **seen = heap->n_seen < MOST_UNKNOWN ? PyMem_RawCalloc((size_t)cap, sizeof(PyObject *)) : NULL;
        if (seen == NULL) {
            r->is_everything = 1;
            return 0;
        }
        for (Py_ssize_t i = 0; i < heap->cap_seen; i++) {
            if (heap->seen[i] != NULL) {
                size_t at = address_hash(heap->seen[i]) & (size_t)(cap - 1);
                while (seen[at] != NULL) {
                    at = (at + 1) & (size_t)(cap - 1);
                }
                seen[at] = heap->seen[i];
            }
        }
        PyMem_RawFree(heap->seen);
        heap->seen = seen;
        heap->cap_seen = cap;
    }
    size_t mask = (size_t)heap->cap_seen - 1, at = address_hash(object) & mask;
    while (heap->seen[at] != NULL) {
        if (heap->seen[at] == object) {
            return 0;
        }
        at = (at + 1) & mask;
    }
    heap->seen[at] = object;
    heap->n_seen++;
    return 1;
}

static int unfold(PyObject *object, void *reach);

static void
meet(Reach *r, PyObject *object)
{
    Heap *heap = &r->t->heap;
    r->t->n_compared++;
    if (is_scalar(r->t, object)) {
        return;
    }
    Entry *entry = heap_find(r->t, object);
    if (entry != NULL) {
        meet_entry(r, entry);
    }
    if (PyType_Check(object)) { /* what its classes hold is known by them, or exposed */
        PyObject *mro = is_first(r, object) ? ((PyTypeObject *)object)->tp_mro : NULL;
        for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
            Entry *base = heap_find(r->t, PyTuple_GET_ITEM(mro, i));
            if (base != NULL) {
                meet_entry(r, base);
            }
        }
        return;
    }
    /* What only its receiver holds may be gone when it is looked for. */
    if ((entry != NULL && ((r->giver == NULL && !r->is_wild) || Py_REFCNT(object) > 1)) || PyFunction_Check(object) || PyCode_Check(object) || PyFrame_Check(object) ||
        !is_first(r, object)) {
        return;
    }
    if (heap->n_pending == heap->cap_pending) {
        PyObject **pending = grown(heap->pending, heap->cap_pending * 2 + 64, sizeof(PyObject *));
        if (pending == NULL) {
            r->is_everything = 1;
            return;
        }
        heap->pending = pending;
        heap->cap_pending = heap->cap_pending * 2 + 64;
    }
    heap->pending[heap->n_pending++] = object;
}

/* Called for each reference that an object holds. */
static int
unfold(PyObject *object, void *reach)
{
    Reach *r = reach;
    meet(r, object);
    return r->is_everything | r->failed;
}

/* What an object leads to. */
static void
go_through(Reach *r, PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (PyType_Check(object) || PyFunction_Check(object) || PyCode_Check(object) || PyFrame_Check(object) ||
        PyTraceBack_Check(object)) {
        return;
    }
    if (PyModule_Check(object)) {
        r->is_everything |= is_far_module(r->t, object);
        return;
    }
    if (PyCFunction_Check(object)) {
        PyObject *self = PyCFunction_GET_SELF(object);
        r->is_everything |= is_far_function(object);
        if (self != NULL && !PyModule_Check(self)) {
            meet(r, self);
        }
        else if (self != NULL) { /* what its module keeps, beside the names */
            PyModuleDef *definition = PyModule_GetDef(self);
            if (definition != NULL && definition->m_traverse != NULL && !r->is_everything) {
                definition->m_traverse(self, unfold, r);
            }
            PyErr_Clear();
        }
        return;
    }
    if (PyWeakref_Check(object)) {
        PyObject *target = ((PyWeakReference *)object)->wr_object;
        if (target != NULL && Py_REFCNT(target) > 0) {
            meet(r, target);
        }
    }
    if (PyDict_Check(object)) {
        for (Py_ssize_t i = 0; i < r->t->n_modules; i++) {
            r->is_everything |= r->t->modules[i].namespace == object;
        }
    }
    if (type->tp_traverse != NULL && PyObject_IS_GC(object) && !r->is_everything) {
        type->tp_traverse(object, unfold, r);
    }
}

static void
meet_handle(Reach *r, int32_t handle)
{
    Tracer *t = r->t;
    if (t->columns.values.kind[handle] == V_REF) {
        Entry *entry = t->heap.by_number[t->columns.values.number[handle]];
        if (entry != NULL) {
            meet_entry(r, entry);
        }
    }
}

/* What was in it at the last look, and what is in it now. */
static void
go_through_entry(Reach *r, Entry *entry)
{
    Shadow *content = &entry->content, *attributes = &entry->attributes;
    PyObject *object = entry->object;
    r->t->n_compared += content->n + attributes->n;
    for (Py_ssize_t i = 0; i < content->n; i++) {
        if (content->value[i] == HOLE_ADDRESS) {
            continue;
        }
        meet_handle(r, content->value_handle[i]);
        if (content->key != NULL) {
            meet_handle(r, content->key_handle[i]);
        }
    }
    for (Py_ssize_t i = 0; i < attributes->n; i++) {
        meet_handle(r, attributes->value_handle[i]);
    }
    if (Py_REFCNT(object) <= 0) {
        return;
    }
    if (PyList_CheckExact(object) || PyTuple_CheckExact(object)) {
        PyObject **items = PySequence_Fast_ITEMS(object);
        for (Py_ssize_t i = 0, n = Py_SIZE(object); i < n; i++) {
            if (items[i] != NULL && (i >= content->n || items[i] != content->value[i])) {
                meet(r, items[i]);
            }
        }
        return;
    }
    go_through(r, object);
}

static void
start(Tracer *t)
{
    Heap *heap = &t->heap;
    if (heap->n_seen) {
        if (heap->cap_seen > 1024) {
            PyMem_RawFree(heap->seen);
            heap->seen = NULL;
            heap->cap_seen = 0;
        }
        else {
            memset(heap->seen, 0, (size_t)heap->cap_seen * sizeof(PyObject *));
        }
    }
    heap->n_seen = heap->n_pending = 0;
}

static void
walk(Reach *r)
{
    Heap *heap = &r->t->heap;
    Py_ssize_t done = 0;
    while (!(r->is_everything | r->failed)) {
        if (heap->n_pending) {
            go_through(r, heap->pending[--heap->n_pending]);
        }
        else if (r->giver == NULL && !r->is_wild && done < heap->reached.n) {
            Entry *entry = heap->by_number[heap->reached.items[done++]];
            if (entry != NULL) {
                go_through_entry(r, entry);
            }
        }
        else {
            return;
        }
    }
}

/* ------------------------------------------------------------------ what is handed over */

int
reach_give_object(Tracer *t, Frame *frame, PyObject *value)
{
    if (frame->handed.is_given_all) {
        return 0;
    }
    Entry *entry = heap_find(t, value);
    if (entry != NULL && Py_REFCNT(value) > 1) {
        return give_number(t, frame, entry->number);
    }
    Reach r = {t, frame, 0, 0, 0};
    start(t);
    meet(&r, value);
    walk(&r);
    frame->handed.is_given_all |= r.is_everything;
    return r.failed ? -1 : 0;
}

/* An iterator that may run code in C is seen for the first time. */
int
reach_wild(Tracer *t, PyObject *iterator)
{
    Reach r = {t, NULL, 1, 0, 0};
    start(t);
    go_through(&r, iterator);
    walk(&r);
    t->heap.must_recheck |= r.is_everything;
    return r.failed ? -1 : 0;
}

/* The same of an address that may be dead. */
int
reach_give_known(Tracer *t, Frame *frame, PyObject *address)
{
    Entry *entry = address == NULL ? NULL : heap_find(t, address);
    return entry == NULL ? 0 : give_number(t, frame, entry->number);
}

/* Arguments and variables of a frame: of a new one its arguments, of a generator's all that it has. `is_own`: what its
 * variables hold cannot go without an event. */
int
reach_give_names(Tracer *t, Frame *frame, PyCodeObject *co, _PyInterpreterFrame *iframe, int is_own)
{
    for (int i = 0; i < co->co_nlocalsplus; i++) {
        PyObject *variable = REF(iframe->localsplus[i]), *value = slot_content(variable, 1);
        Entry *entry = is_own && value != variable && value != NULL && !is_scalar(t, value) ? heap_find(t, value) : NULL;
        if ((entry != NULL ? give_number(t, frame, entry->number) : reach_give(t, frame, value)) < 0) {
            return -1;
        }
    }
    return 0;
}

int
reach_foreign(Tracer *t, Frame *frame, PyFrameObject *f)
{
    _PyInterpreterFrame *iframe = f->f_frame, *caller = iframe->previous;
    while (caller != NULL && IS_SHIM(caller)) {
        caller = caller->previous;
    }
    PyCodeObject *co = FRAME_CODE(iframe);
    frame->handed.is_given_all |= is_far_code(t, co);
    /* What it calls itself gets at no more than it does. */
    return frame->handed.is_given_all || caller != frame->frame ? 0 : reach_give_names(t, frame, co, iframe, 0);
}

/* ------------------------------------------------------------------ what can have changed */

/* What the names of the program's module lead to. Modules among them are left out: a library can import them itself. */
static void
meet_module(Reach *r, PyObject *module)
{
    PyObject *names = PyModule_GetDict(module), *name, *value;
    Py_ssize_t at = 0;
    while (!(r->is_everything | r->failed) && PyDict_Next(names, &at, &name, &value)) {
        const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
        PyErr_Clear();
        /* Its loader has the namespaces of all modules. */
        if ((text == NULL || !listed(text, " __builtins__ __loader__ __spec__ ")) && !PyModule_Check(value)) {
            meet(r, value);
        }
    }
}

/* Numbers of the list that are alive and still have their mark. */
static void
meet_listed(Reach *r, Numbers *numbers, int is_exposed)
{
    Heap *heap = &r->t->heap;
    Py_ssize_t n_live = 0;
    for (Py_ssize_t i = 0; i < numbers->n; i++) {
        Entry *entry = heap->by_number[numbers->items[i]];
        if (entry != NULL && (is_exposed ? entry->is_exposed : entry->is_wild)) {
            numbers->items[n_live++] = numbers->items[i];
            if (entry->shape->kind == O_MODULE && Py_REFCNT(entry->object) > 0) {
                meet_module(r, entry->object);
            }
            else {
                meet_entry(r, entry);
            }
        }
        else if (entry != NULL) {
            entry->is_listed = 0;
        }
    }
    numbers->n = n_live;
}

/* The names of the line that ran: what they are and what they were. */
static void
meet_names(Reach *r, Frame *frame)
{
    Tracer *t = r->t;
    Heap *heap = &t->heap;
    const Lines *lines = frame->code->facts;
    const Line *line = frame->ran;
    PyObject *globals = frame->frame->f_globals, *builtins = frame->frame->f_builtins;
    if (line == NULL || lines == NULL || frame->code->has_names || line->flags & LINE_NAMES ||
        t->n_shared != frame->first_shared || !PyDict_CheckExact(globals) || !PyDict_CheckExact(builtins)) {
        r->is_everything = 1;
        return;
    }
    for (int i = -1; i < line->n_uses && !r->is_everything; i++) {
        Use use = i < 0 ? (Use){0, N_LOCAL, 0} : lines->uses[line->first_use + i];
        if (use.kind == N_LOCAL) {
            if (use.name >= frame->code->n_slots) {
                continue;
            }
            PyObject *value = slot_content(REF(frame->frame->localsplus[use.name]), 1);
            if (value != NULL) {
                meet(r, value);
            }
            const Slot *before = &frame->slots[use.name];
            Entry *entry = before->state == S_OBJECT ? heap->by_number[t->columns.values.number[before->handle]] : NULL;
            if (entry != NULL) {
                meet_entry(r, entry);
            }
            r->is_everything |= before->state == S_CUT || (before->state == S_OBJECT && entry == NULL);
            continue;
        }
        PyObject *name = PyTuple_GET_ITEM(frame->code->code->co_names, use.name);
        PyObject *value = PyDict_GetItemWithError(globals, name);
        value = value == NULL ? PyDict_GetItemWithError(builtins, name) : value;
        if (value != NULL) {
            meet(r, value);
        }
    }
    for (int i = 0; i < frame->n_stack; i++) { /* operands of a call that goes over several lines; no loops */
        Entry *entry = frame->stack[i] == NULL || frame->stack_labels[i] == 'I' ? NULL : heap_find(t, frame->stack[i]);
        if (entry != NULL) {
            meet_entry(r, entry);
        }
    }
}

/* What has left a name or a container since the statement began: the line can have been about to change it. */
static void
meet_displaced(Reach *r, const Frame *frame)
{
    Tracer *t = r->t;
    r->is_everything |= t->n_displaced - frame->first_displaced > N_DISPLACED || (t->displaced == NULL && t->n_displaced);
    for (int64_t i = frame->first_displaced; i < t->n_displaced && !r->is_everything; i++) {
        int32_t number = t->displaced[i % N_DISPLACED];
        Entry *entry = t->heap.by_number[number < 0 ? -1 - number : number];
        if (entry != NULL) {
            meet_entry(r, entry);
        }
        r->is_everything |= entry == NULL && number < 0;
    }
}

/* Everything that unknown code can have changed while this frame ran its line, beside what t->touched has already. */
int
reach_find(Tracer *t, Frame *frame, int wanted)
{
    Heap *heap = &t->heap;
    Reach r = {t, NULL, 0, 0, 0};
    start(t);
    heap->reached.n = 0;
    heap->reach_serial++;
    r.is_everything = (frame->handed.is_given_all && wanted & (REACH_HIDDEN | REACH_GIVEN)) || (heap->must_recheck && wanted & REACH_HIDDEN);
    if (wanted & REACH_NAMES && !r.is_everything) {
        meet_names(&r, frame);
    }
    if (wanted & REACH_LOST && !r.is_everything) {
        meet_displaced(&r, frame);
    }
    for (int i = 0; wanted & REACH_GIVEN && i < frame->handed.n_given; i++) {
        Entry *entry = heap->by_number[frame->given[i]];
        if (entry != NULL) {
            meet_entry(&r, entry);
        }
    }
    if (wanted & REACH_WILD) {
        meet_listed(&r, &heap->wild, 0);
        for (Py_ssize_t i = 0; i < heap->wild_given.n; i++) {
            Entry *entry = heap->by_number[heap->wild_given.items[i]];
            if (entry != NULL) {
                entry->is_wild_given = heap->n_wild > 0;
                meet_entry(&r, entry);
            }
        }
        heap->wild_given.n = heap->n_wild ? heap->wild_given.n : 0;
    }
    if (wanted & REACH_HIDDEN && !r.is_everything) {
        meet_listed(&r, &heap->exposed, 1);
        for (Py_ssize_t i = heap->first_unchecked; i < t->columns.objects.n; i++) {
            if (heap->by_number[i] != NULL) {
                meet_entry(&r, heap->by_number[i]);
            }
        }
        heap->first_unchecked = t->columns.objects.n;
    }
    walk(&r);
    if (r.failed) {
        return -1;
    }
    if (r.is_everything) {
        for (Py_ssize_t i = 0; i < t->columns.objects.n; i++) {
            if (heap->by_number[i] != NULL && heap->by_number[i]->reached != heap->reach_serial) {
                heap->by_number[i]->reached = heap->reach_serial;
                if (heap_add(t, &heap->reached, (int32_t)i) < 0) {
                    return -1;
                }
            }
        }
        heap->must_recheck = 0;
        heap->first_unchecked = t->columns.objects.n;
        return 1;
    }
    Numbers *touched = &heap->touched;
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; i < touched->n; i += 2) { /* those are looked at whole now */
        Entry *entry = heap->by_number[touched->items[i]];
        if (entry != NULL && entry->reached != heap->reach_serial) {
            touched->items[n++] = touched->items[i];
            touched->items[n++] = touched->items[i + 1];
        }
    }
    touched->n = n;
    for (Py_ssize_t i = 0; i < heap->reached.n; i++) {
        Entry *entry = heap->by_number[heap->reached.items[i]];
        if (entry != NULL && entry->is_mutable &&
            (heap_add(t, touched, entry->number) < 0 || heap_add(t, touched, PLACE_ALL) < 0)) {
            return -1;
        }
    }
    if (touched->n > 2) {
        qsort(touched->items, (size_t)touched->n / 2, 2 * sizeof(int32_t), compare_pairs);
    }
    return 0;
}

/* ------------------------------------------------------------------ what is held by something unseen */

static void
account(Tracer *t, PyObject *value, Py_ssize_t *n_open)
{
    Entry *entry = value == NULL || is_scalar(t, value) ? NULL : heap_find(t, value);
    if (entry != NULL && entry->reached == t->heap.reach_serial && entry->surplus > 0) {
        *n_open -= --entry->surplus == 0;
    }
}

static void
account_names(Tracer *t, Py_ssize_t *n_open)
{
    for (Py_ssize_t i = 0; i < t->n_stacks; i++) {
        for (Py_ssize_t j = t->stacks[i].n - 1; j >= 0 && *n_open > 0; j--) {
            Frame *frame = t->stacks[i].live[j];
            Ref *values = frame->frame->localsplus;
            int n = frame->code->n_slots, top = STACK_TOP(frame->frame);
            t->n_compared++;
            for (int k = 0; k < n && *n_open > 0; k++) {
                if (frame->code->places[k] != P_FREE) { /* a cell is the frame's that made it */
                    account(t, slot_content(OWNED_REF(values[k]), frame->code->places[k] != P_LOCAL), n_open);
                }
            }
            for (int k = n; k < top && top <= n + frame->code->code->co_stacksize && *n_open > 0; k++) {
                account(t, OWNED_REF(values[k]), n_open);
            }
        }
    }
    for (Py_ssize_t i = 0; i < t->n_modules && *n_open > 0; i++) {
        Module *module = &t->modules[i];
        for (Py_ssize_t k = 0; heap_find(t, module->namespace) == NULL && k < module->n; k++) {
            account(t, module->slots[k].state == S_OBJECT ? module->slots[k].value : NULL, n_open);
        }
    }
}

int
reach_settle(Tracer *t)
{
    Heap *heap = &t->heap;
    Py_ssize_t n_open = 0, n = heap->reached.n;
    for (Py_ssize_t i = 0; i < n; i++) {
        Entry *entry = heap->by_number[heap->reached.items[i]];
        if (entry == NULL || entry->reached != heap->reach_serial) {
            continue;
        }
        int kind = entry->shape->kind;
        Py_ssize_t surplus = Py_REFCNT(entry->object) - entry->n_sure;
        entry->surplus = kind == O_FUNCTION || kind == O_CLASS ? -1 : surplus > 0 ? surplus : 0;
        if (kind == O_MODULE) { /* libraries have modules such as sys of themselves, whether the program imports them or not */
            entry->surplus = is_own_module(t, entry->object) ? -1 : 0;
        }
        n_open += entry->surplus > 0;
    }
    if (n_open) {
        account_names(t, &n_open);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        Entry *entry = heap->by_number[heap->reached.items[i]];
        if (entry == NULL || entry->reached != heap->reach_serial) {
            continue;
        }
        entry->is_exposed = entry->surplus != 0;
        if (entry->is_exposed && !entry->is_listed) {
            entry->is_listed = 1;
            if (heap_add(t, &heap->exposed, entry->number) < 0) {
                return -1;
            }
        }
    }
    heap->reached.n = 0;
    return 0;
}

/* Look at what this found. */
int
reach_look(Tracer *t, Frame *frame, int wanted)
{
    t->heap.touched.n = 0;
    int found = reach_find(t, frame, wanted);
    if (found < 0 || (found ? heap_look(t) : heap_look_touched(t)) < 0) {
        return -1;
    }
    return reach_settle(t);
}
