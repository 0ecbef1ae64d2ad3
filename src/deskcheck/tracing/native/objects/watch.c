/* Say when an object dies, without holding it: the end of every object goes through the tp_dealloc of a type.
 *
 *   watch_type(type)        from now on the deaths of its instances are reported
 *   watch_start(watcher)    watcher->died(watcher, object, is_gone), in the middle of a deallocation: C only
 *   Watch()                 the same for Python code: add(object) -> number, get(number) or None
 *
 * Instances of classes end in the tp_dealloc of their built-in base (`object`, `list`, ..), so a few dozen
 * types are enough; those of C modules beyond 160 share a hook. The hooks are put in when a type is first seen and
 * taken out with the last watcher. An object is reported after its __del__ and its weak references; whoever is told
 * must not touch it, and is told again, by its address, where a finalizer in C may have shown it to the program. Other interpreters of the process share the static types: what ends there is not reported.
 */
#include "objects.h"
#include <stddef.h>

#define N_HOOKS 160

typedef struct {
    PyTypeObject *type; /* held: a heap type of a C module may go */
    destructor original;
    int is_on, uses_trashcan, finalizer;
} Hook;

/* What the end of an object shows to the program of it, while it ends. */
enum {
    SHOWS_NOTHING,
    FIRST, /* its finalizer runs before all else: tasks and futures */
    AFTER_WEAK, /* .. after its weak references were cleared: generators, coroutines */
    SOMEWHERE, /* .. somewhere within */
};

static Hook hooks[N_HOOKS];
static int n_hooks;
static Watcher *watchers;
static PyInterpreterState *watching; /* the interpreter whose objects they ask about */
static destructor subtype_dealloc; /* that of every class made by a class statement */

static inline void
report_death(PyObject *object, int is_gone)
{
    if (watchers == NULL || PyInterpreterState_Get() != watching) {
        return;
    }
    for (Watcher *watcher = watchers; watcher != NULL; watcher = watcher->next) {
        watcher->died(watcher, object, is_gone);
    }
}

static inline void
report(PyObject *object)
{
    report_death(object, 0);
}

/* A finalizer may hand the object to the program: a coroutine that nobody awaited to `warnings`, an async generator to
 * its hook, a task to the handler of its loop. What was noted of it meanwhile is forgotten, unless somebody kept it: then
 * this is no end (0). */
static int
is_ended(Hook *hook, PyObject *object)
{
    if (hook->finalizer == AFTER_WEAK && ((PyGenObject *)object)->gi_weakreflist != NULL) {
        PyObject_GC_UnTrack(object);
        PyObject_ClearWeakRefs(object);
        PyObject_GC_Track(object);
    }
    if (PyObject_CallFinalizerFromDealloc(object) < 0) {
        return 0;
    }
    report(object);
    return 1;
}

static void
end_with(Hook *hook, PyObject *object)
{
    if ((hook->finalizer == FIRST || hook->finalizer == AFTER_WEAK) && Py_TYPE(object) == hook->type &&
        !is_ended(hook, object)) {
        return;
    }
    hook->original(object);
    if (hook->finalizer == SOMEWHERE) {
        report_death(object, 1); /* by its address: it may be gone */
    }
}

static void end_of(int number, destructor self, PyObject *object);

/* One C function a hook: the original deallocators call each other, so the type alone does not say who is meant. */
#define HOOK(n) static void hook_##n(PyObject *object) { end_of(0x##n, hook_##n, object); }
#define ROW(r) HOOK(r##0) HOOK(r##1) HOOK(r##2) HOOK(r##3) HOOK(r##4) HOOK(r##5) HOOK(r##6) HOOK(r##7) \
               HOOK(r##8) HOOK(r##9) HOOK(r##A) HOOK(r##B) HOOK(r##C) HOOK(r##D) HOOK(r##E) HOOK(r##F)
#define NAMES(r) hook_##r##0, hook_##r##1, hook_##r##2, hook_##r##3, hook_##r##4, hook_##r##5, hook_##r##6, hook_##r##7, \
                 hook_##r##8, hook_##r##9, hook_##r##A, hook_##r##B, hook_##r##C, hook_##r##D, hook_##r##E, hook_##r##F
ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9)
static const destructor functions[N_HOOKS] = {NAMES(0), NAMES(1), NAMES(2), NAMES(3), NAMES(4),
                                              NAMES(5), NAMES(6), NAMES(7), NAMES(8), NAMES(9)};

/* The deallocators of containers use the trashcan only where tp_dealloc is themselves, so it is done here for
 * them: else a list nested 100,000 deep would overflow the C stack when it goes. */
static void
end_of(int number, destructor self, PyObject *object)
{
    report(object);
    Hook *hook = &hooks[number];
    if (!hook->uses_trashcan || Py_TYPE(object)->tp_dealloc != self) {
        end_with(hook, object);
        return;
    }
    PyObject_GC_UnTrack(object);
    Py_TRASHCAN_BEGIN(object, self)
    hook->original(object);
    Py_TRASHCAN_END
}

/* ------------------------------------------------------------------ the hook that the types beyond them share */

/* An object that is being ended: the original deallocator of `type` runs, and may call that of a base, which is hooked
 * as well. In the order in which they began, of one thread. */
typedef struct Ending {
    PyObject *object;
    PyTypeObject *type;
    struct Ending *before;
} Ending;

static Hook *more_hooks; /* by the type's address */
static int n_more_hooks, more_mask;
static _Thread_local Ending *endings;

static Hook *
more_slot(Hook *table, int mask, PyTypeObject *type)
{
    size_t i = address_hash(type) & (size_t)mask;
    while (table[i].type != NULL && table[i].type != type) {
        i = (i + 1) & (size_t)mask;
    }
    return &table[i];
}

/* The nearest hooked type from this one on to its bases. */
static Hook *
nearest_hook(PyTypeObject *type)
{
    for (; type != NULL; type = type->tp_base) {
        Hook *hook = more_slot(more_hooks, more_mask, type);
        if (hook->type != NULL) {
            return hook;
        }
    }
    return NULL;
}

static void
shared_hook(PyObject *object)
{
    report(object);
    Ending *outer = endings;
    while (outer != NULL && outer->object != object) {
        outer = outer->before;
    }
    Hook *hook = outer == NULL ? NULL : nearest_hook(outer->type->tp_base);
    hook = hook == NULL ? nearest_hook(Py_TYPE(object)) : hook;
    Ending here = {object, hook->type, endings};
    endings = &here;
    end_with(hook, object);
    Ending **link = &endings; /* a switch between C stacks can have changed the order */
    while (*link != &here) {
        link = &(*link)->before;
    }
    *link = here.before;
}

static int
finalizer_of(PyTypeObject *type)
{
    if (type->tp_finalize == NULL) {
        return SHOWS_NOTHING;
    }
    if (type == &PyGen_Type || type == &PyCoro_Type || type == &PyAsyncGen_Type) {
        return AFTER_WEAK;
    }
    return PyType_IS_GC(type) && strncmp(type->tp_name, "_asyncio.", 9) == 0 ? FIRST : SOMEWHERE;
}

static int
more_room(void)
{
    if (more_hooks != NULL && n_more_hooks * 2 <= more_mask) {
        return 0;
    }
    int mask = more_hooks == NULL ? 63 : more_mask * 2 + 1;
    Hook *table = PyMem_RawCalloc((size_t)mask + 1, sizeof(Hook));
    if (table == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; more_hooks != NULL && i <= more_mask; i++) {
        if (more_hooks[i].type != NULL) {
            *more_slot(table, mask, more_hooks[i].type) = more_hooks[i];
        }
    }
    PyMem_RawFree(more_hooks);
    more_hooks = table;
    more_mask = mask;
    return 0;
}

static int
watch_one_more(PyTypeObject *type)
{
    if (more_room() < 0) {
        return -1;
    }
    Hook *hook = more_slot(more_hooks, more_mask, type);
    if (type->tp_dealloc == shared_hook) {
        return 0; /* its own, or that of its base */
    }
    if (hook->type == NULL) {
        *hook = (Hook){(PyTypeObject *)Py_NewRef(type), type->tp_dealloc, 0, 0, finalizer_of(type)};
        n_more_hooks++;
    }
    hook->is_on = 1;
    type->tp_dealloc = shared_hook;
    return 0;
}

/* ------------------------------------------------------------------ types */

/* The type whose tp_dealloc ends the instances of this one. */
PyTypeObject *
watch_owner(PyTypeObject *type)
{
    while (type->tp_dealloc == subtype_dealloc && type->tp_base != NULL) {
        type = type->tp_base;
    }
    return type;
}

static int
has_trashcan(PyTypeObject *type)
{
    return type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type || type == &PySet_Type ||
           type == &PyFrozenSet_Type || (PyObject *)type == PyExc_BaseException || (PyObject *)type == PyExc_Exception;
}

/* 0, or -1 with an exception: no memory. */
int
watch_type(PyTypeObject *type)
{
    type = watch_owner(type);
    for (int i = 0; i < n_hooks; i++) {
        if (hooks[i].type == type) {
            if (!hooks[i].is_on) {
                type->tp_dealloc = functions[i];
                hooks[i].is_on = 1;
            }
            return 0;
        }
    }
    for (int i = 0; i < N_HOOKS; i++) {
        if (type->tp_dealloc == functions[i]) {
            return 0; /* a static type that has inherited a hook: its base is watched */
        }
    }
    if (n_hooks == N_HOOKS) {
        return watch_one_more(type);
    }
    Hook *hook = &hooks[n_hooks];
    hook->type = (PyTypeObject *)Py_NewRef(type);
    hook->original = type->tp_dealloc;
    hook->uses_trashcan = has_trashcan(type);
    hook->finalizer = finalizer_of(type);
    hook->is_on = 1;
    type->tp_dealloc = functions[n_hooks++];
    return 0;
}

void
watch_start(Watcher *watcher)
{
    if (!watcher->is_on) {
        watcher->is_on = 1;
        watching = PyInterpreterState_Get();
        watcher->next = watchers;
        watchers = watcher;
    }
}

void
watch_stop(Watcher *watcher)
{
    for (Watcher **link = &watchers; watcher->is_on && *link != NULL; link = &(*link)->next) {
        if (*link == watcher) {
            *link = watcher->next;
            break;
        }
    }
    watcher->is_on = 0;
    if (watchers != NULL) {
        return;
    }
    for (int i = 0; i < n_hooks; i++) {
        if (hooks[i].is_on && hooks[i].type->tp_dealloc == functions[i]) {
            hooks[i].type->tp_dealloc = hooks[i].original;
            hooks[i].is_on = 0;
        }
    }
    for (int i = 0; more_hooks != NULL && i <= more_mask; i++) {
        Hook *hook = &more_hooks[i];
        if (hook->is_on && hook->type->tp_dealloc == shared_hook) {
            hook->type->tp_dealloc = hook->original;
            hook->is_on = 0;
        }
    }
}

/* ------------------------------------------------------------------ for the reference tracer */

typedef struct {
    PyObject_HEAD
    Watcher watcher;
    PyObject **objects; /* by number; NULL once dead */
    Py_ssize_t n, cap;
    Py_ssize_t *slots; /* number + 1 by address, 0 = free, -1 = was there */
    Py_ssize_t mask, used;
    Py_ssize_t *died; /* since it was asked last */
    Py_ssize_t n_died, cap_died;
    int out_of_memory;
} Watch;

static Py_ssize_t *
watch_slot(Watch *self, PyObject *object)
{
    size_t i = address_hash(object) & (size_t)self->mask;
    while (self->slots[i] != 0 && (self->slots[i] < 0 || self->objects[self->slots[i] - 1] != object)) {
        i = (i + 1) & (size_t)self->mask;
    }
    return &self->slots[i];
}

static void
watch_died(Watcher *watcher, PyObject *object, int Py_UNUSED(is_gone))
{
    Watch *self = (Watch *)((char *)watcher - offsetof(Watch, watcher));
    Py_ssize_t *slot = watch_slot(self, object);
    if (*slot > 0) {
        Py_ssize_t number = *slot - 1;
        self->objects[number] = NULL;
        *slot = -1;
        if (self->n_died == self->cap_died) {
            Py_ssize_t *died = grown(self->died, self->cap_died * 2 + 64, sizeof(Py_ssize_t));
            if (died == NULL) {
                self->out_of_memory = 1;
                return;
            }
            self->died = died;
            self->cap_died = self->cap_died * 2 + 64;
        }
        self->died[self->n_died++] = number;
    }
}

static int
watch_room(Watch *self)
{
    if (self->n == self->cap) {
        Py_ssize_t cap = self->cap ? self->cap * 2 : 64;
        PyObject **objects = PyMem_RawRealloc(self->objects, (size_t)cap * sizeof(PyObject *));
        if (objects == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->objects = objects;
        self->cap = cap;
    }
    if (self->slots != NULL && self->used * 3 < self->mask * 2) {
        return 0;
    }
    Py_ssize_t n_live = 0;
    for (Py_ssize_t i = 0; i < self->n; i++) {
        n_live += self->objects[i] != NULL;
    }
    Py_ssize_t size = 64;
    while (size < n_live * 4) {
        size *= 2;
    }
    Py_ssize_t *slots = PyMem_RawCalloc((size_t)size, sizeof(Py_ssize_t));
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyMem_RawFree(self->slots);
    self->slots = slots;
    self->mask = size - 1;
    self->used = n_live;
    for (Py_ssize_t i = 0; i < self->n; i++) {
        if (self->objects[i] != NULL) {
            *watch_slot(self, self->objects[i]) = i + 1;
        }
    }
    return 0;
}

static PyObject *
watch_add(Watch *self, PyObject *object)
{
    if (watch_room(self) < 0) {
        return NULL;
    }
    Py_ssize_t *slot = watch_slot(self, object);
    if (*slot > 0) {
        return PyErr_Format(PyExc_ValueError, "already watched as number %zd", *slot - 1);
    }
    if (watch_type(Py_TYPE(object)) < 0) {
        return NULL;
    }
    self->used++;
    self->objects[self->n++] = object;
    *slot = self->n;
    return PyLong_FromSsize_t(self->n - 1);
}

static PyObject *
watch_number(Watch *self, PyObject *object)
{
    Py_ssize_t *slot = self->slots == NULL ? NULL : watch_slot(self, object);
    return PyLong_FromSsize_t(slot == NULL || *slot <= 0 ? -1 : *slot - 1);
}

static PyObject *
watch_object(Watch *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (number == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (number < 0 || number >= self->n) {
        return PyErr_Format(PyExc_IndexError, "nothing has the number %zd", number);
    }
    PyObject *object = self->objects[number];
    if (object == NULL || Py_REFCNT(object) <= 0) { /* being taken apart */
        Py_RETURN_NONE;
    }
    return Py_NewRef(object);
}

static PyObject *
watch_forget(Watch *self, PyObject *object)
{
    watch_died(&self->watcher, object, 1);
    Py_RETURN_NONE;
}

static PyObject *
watch_take_died(Watch *self, PyObject *Py_UNUSED(ignored))
{
    if (self->out_of_memory) {
        return PyErr_NoMemory();
    }
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && i < self->n_died; i++) {
        PyObject *number = PyLong_FromSsize_t(self->died[i]);
        if (number == NULL || PyList_Append(list, number) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(number);
    }
    self->n_died = 0;
    return list;
}

static PyObject *
watch_close(Watch *self, PyObject *Py_UNUSED(ignored))
{
    watch_stop(&self->watcher);
    Py_RETURN_NONE;
}

static PyObject *
watch_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs))
{
    Watch *self = (Watch *)type->tp_alloc(type, 0);
    if (self != NULL) {
        if (watch_room(self) < 0) {
            Py_DECREF(self);
            return NULL;
        }
        self->watcher.died = watch_died;
        watch_start(&self->watcher);
    }
    return (PyObject *)self;
}

static void
watch_dealloc(Watch *self)
{
    watch_stop(&self->watcher);
    PyMem_RawFree(self->objects);
    PyMem_RawFree(self->slots);
    PyMem_RawFree(self->died);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef watch_methods[] = {
    {"add", (PyCFunction)watch_add, METH_O, "add(object) -> its new number, counted from 0"},
    {"number", (PyCFunction)watch_number, METH_O, "number(object) -> its number, -1 if it is not watched"},
    {"get", (PyCFunction)watch_object, METH_O, "get(number) -> the object, None once it is dead"},
    {"forget", (PyCFunction)watch_forget, METH_O, "forget(object): as if it had died"},
    {"died", (PyCFunction)watch_take_died, METH_NOARGS, "died() -> numbers of those that have died since the last call"},
    {"close", (PyCFunction)watch_close, METH_NOARGS, "close(): report no more deaths"},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject WatchType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "deskcheck.tracing._native.Watch",
    .tp_doc = "Objects by number, without holding them.",
    .tp_basicsize = sizeof(Watch),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = watch_new,
    .tp_dealloc = (destructor)watch_dealloc,
    .tp_methods = watch_methods,
};

int
watch_ready(PyObject *module)
{
    PyObject *made = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "class_statement");
    if (made == NULL) {
        return -1;
    }
    subtype_dealloc = ((PyTypeObject *)made)->tp_dealloc;
    Py_DECREF(made);
    if (PyType_Ready(&WatchType) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "Watch", (PyObject *)&WatchType);
}
