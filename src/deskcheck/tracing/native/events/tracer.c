/* The native tracer as Python sees it: NativeTracer, and what it does to `sys.settrace` while it runs.
 *
 *   NativeTracer(own, own_module, modules, shapes, helpers, stop_class, numbers, limits, granularity, opnames)
 *   start(); run the program; stop() -> whether it was never put out; final_value(result) -> handle
 *   finish() -> {"events.kind": bytes, ..}; a long trace has gone to `sink`, and `streamed` says what it is
 *   codes, names, failure, broken, last_raise, last_line, first_return, last_return
 */
#include "events.h"
#include <stddef.h>
#include <structmember.h>

/* ------------------------------------------------------------------ sys.settrace in the program */

static PyMethodDef *settrace_def;
static PyCFunction settrace_original;

/* The program puts tracers out: ours stays, unseen. One of its own is let in, and the trace says so. */
static PyObject *
settrace(PyObject *module, PyObject *argument)
{
    Tracer *t = active_tracer;
    if (t == NULL || t->is_over || PyThreadState_Get()->c_tracefunc != on_event) {
        return settrace_original(module, argument);
    }
    if (argument == Py_None) {
        Py_RETURN_NONE;
    }
    t->was_tampered = 1;
    thread_forget(t);
    steps_want(-1);
    return settrace_original(module, argument);
}

static void
guard_settrace(int on)
{
    if (settrace_def == NULL) {
        PyObject *function = PySys_GetObject("settrace");
        if (function == NULL || !PyCFunction_CheckExact(function)) {
            return;
        }
        settrace_def = ((PyCFunctionObject *)function)->m_ml;
    }
    if (on && settrace_def->ml_meth != settrace) {
        settrace_original = settrace_def->ml_meth;
        settrace_def->ml_meth = settrace;
    }
    else if (!on && settrace_def->ml_meth == settrace) {
        settrace_def->ml_meth = settrace_original;
    }
}

/* ------------------------------------------------------------------ methods */

void
trace_on(Tracer *t)
{
    active_tracer = (Tracer *)Py_NewRef(t);
    watch_start(&t->watcher);
    guard_begin(t);
    threads_note(t, PyThreadState_Get());
    guard_settrace(1);
    steps_want(t->granularity != FINE_LINE);
    PyEval_SetTrace(on_event, NULL);
}

/* Of this thread and of `sys.settrace`; what the trace knows is kept. */
void
trace_off(Tracer *t)
{
    PyEval_SetTrace(NULL, NULL);
    if (active_tracer == t) {
        active_tracer = NULL;
        guard_end(t);
        t->is_quiet = 0;
        guard_settrace(0);
        steps_want(-1);
        dict_unwatch_all();
        Py_DECREF(t);
    }
}

static PyObject *
tracer_start(Tracer *t, PyObject *Py_UNUSED(ignored))
{
    if (active_tracer != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a trace is running in this process already: stop it first");
        return NULL;
    }
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        PyErr_SetString(PyExc_RuntimeError, "a trace can be made in the main interpreter only, not in a subinterpreter");
        return NULL;
    }
    if (add_stack(t, PyThreadState_Get()) < 0) {
        return NULL;
    }
    t->first_thread = PyInterpreterState_Get()->threads.next_unique_id;
    trace_on(t);
    Py_RETURN_NONE;
}

static PyObject *
tracer_stop(Tracer *t, PyObject *Py_UNUSED(ignored))
{
    int was_active = PyThreadState_Get()->c_tracefunc == on_event;
    if (active_tracer != t) {
        PyEval_SetTrace(NULL, NULL);
    }
    else {
        take_lock(t); /* another thread can be in the middle of an event */
        t->is_over = 1;
        t->had_untraced_threads = PyInterpreterState_Get()->threads.next_unique_id - t->first_thread > t->n_threads_entered;
        PyThread_release_lock(t->lock);
        for (Py_ssize_t i = 0; i < t->n_stacks; i++) {
            t->was_outlived |= t->stacks[i].n > 0 && t->stacks[i].state != PyThreadState_Get();
        }
        trace_off(t);
    }
    return PyBool_FromLong(was_active && !t->was_tampered);
}

/* A hook for threading.settrace: the first event of a new thread. */
static PyObject *
tracer_enter_thread(Tracer *t, PyObject *const *arguments, Py_ssize_t n)
{
    if (n < 1 || !PyFrame_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "enter_thread(frame, event, argument)");
        return NULL;
    }
    if (t->is_over || active_tracer != t) {
        PyEval_SetTrace(NULL, NULL);
        Py_RETURN_NONE;
    }
    take_lock(t);
    int is_over = t->is_over || active_tracer != t, result = is_over ? 0 : add_stack(t, PyThreadState_Get());
    PyThread_release_lock(t->lock);
    if (is_over) {
        PyEval_SetTrace(NULL, NULL);
        Py_RETURN_NONE;
    }
    PyObject *known = result < 0 ? NULL : PyObject_CallMethod(t->numbers, "new_thread", NULL);
    if (known == NULL) {
        return NULL;
    }
    Py_DECREF(known);
    t->n_threads_entered++;
    PyEval_SetTrace(on_event, NULL);
    if (on_event(NULL, (PyFrameObject *)arguments[0], PyTrace_CALL, Py_None) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
tracer_final_value(Tracer *t, PyObject *value)
{
    int32_t handle = final_value(t, value);
    if (handle < 0 || t->out_of_memory) {
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return PyLong_FromLong(handle);
}

static PyObject *
tracer_finish(Tracer *t, PyObject *Py_UNUSED(ignored))
{
    watch_stop(&t->watcher);
    return columns_finish(t);
}

/* ------------------------------------------------------------------ its life */

static int
add_modules(Tracer *t, PyObject *modules)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(modules); i++) {
        int file;
        PyObject *namespace, *names;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(modules, i), "iO!O!", &file, &PyDict_Type, &namespace, &PyList_Type, &names) ||
            module_add(t, file, namespace, names) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
tracer_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(kwargs))
{
    PyObject *own, *own_module, *modules, *shapes, *helpers, *stop_class, *numbers, *texts = NULL;
    long long steps, bytes, value, depth, nodes;
    int granularity = FINE_LINE;
    if (!PyArg_ParseTuple(arguments, "OUO!OOOO(LLLLL)|iO!:NativeTracer", &own, &own_module, &PyList_Type, &modules, &shapes,
                          &helpers, &stop_class, &numbers, &steps, &bytes, &value, &depth, &nodes, &granularity, &PyList_Type,
                          &texts)) {
        return NULL;
    }
    Tracer *t = (Tracer *)type->tp_alloc(type, 0);
    if (t == NULL) {
        return NULL;
    }
    if (granularity < FINE_LINE || granularity > FINE_INSTRUCTION || (granularity == FINE_INSTRUCTION && texts == NULL)) {
        Py_DECREF(t);
        PyErr_SetString(PyExc_ValueError, "granularity is 0, 1, or 2 with the names of the opcodes");
        return NULL;
    }
    t->own = Py_NewRef(own);
    t->own_module = Py_NewRef(own_module);
    t->shapes = Py_NewRef(shapes);
    t->helpers = Py_NewRef(helpers);
    t->stop_class = Py_NewRef(stop_class);
    t->op_texts = Py_XNewRef(texts);
    t->granularity = granularity;
    memset(t->op_names, 0xFF, sizeof(t->op_names));
    t->numbers = Py_NewRef(numbers);
    t->max_steps = steps;
    t->trace_bytes = bytes;
    t->value_bytes = value;
    t->max_depth = depth;
    t->max_nodes = nodes;
    t->has_guard = t->has_net = 1;
    t->net_budget = t->granularity == FINE_LINE ? NET_FIRST : 8 * NET_FIRST; /* there is more to compare: values of expressions, stacks */
    t->net_next = 1;
    t->last_raise = t->first_return = t->last_return = t->last_line = ABSENT;
    t->codes = PyList_New(0);
    t->lock = PyThread_allocate_lock();
    if (t->codes == NULL || t->lock == NULL || columns_init(&t->columns) < 0 || values_init(t) < 0 ||
        heap_init(t) < 0 || add_modules(t, modules) < 0) {
        if (!PyErr_Occurred()) {
            PyErr_NoMemory();
        }
        Py_DECREF(t);
        return NULL;
    }
    return (PyObject *)t;
}

static void
tracer_dealloc(Tracer *t)
{
    watch_stop(&t->watcher);
    guard_end(t);
    frames_clear(t);
    modules_clear(t);
    codes_clear(t);
    heap_clear(t);
    values_clear(t);
    columns_clear(&t->columns);
    Py_XDECREF(t->own);
    Py_XDECREF(t->own_module);
    Py_XDECREF(t->shapes);
    Py_XDECREF(t->helpers);
    Py_XDECREF(t->stop_class);
    Py_XDECREF(t->op_texts);
    Py_XDECREF(t->numbers);
    Py_XDECREF(t->codes);
    Py_XDECREF(t->last_foreign);
    Py_XDECREF(t->broken);
    Py_XDECREF(t->on_end);
    Py_XDECREF(t->error);
    Py_XDECREF(t->sink);
    Py_XDECREF(t->compiled);
    PyMem_RawFree(t->finds);
    PyMem_RawFree(t->displaced);
    if (t->lock != NULL) {
        PyThread_free_lock(t->lock);
    }
    Py_TYPE(t)->tp_free((PyObject *)t);
}

static PyObject *
get_unexplained(Tracer *t, void *Py_UNUSED(closure))
{
    return Py_NewRef(t->unexplained == NULL ? Py_None : t->unexplained->name);
}

static PyObject *
get_names(Tracer *t, void *Py_UNUSED(closure))
{
    return Py_NewRef(t->columns.names);
}

static PyObject *
get_has_events(Tracer *t, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(t->columns.events.n > 0);
}

static PyObject *
get_n_events(Tracer *t, void *Py_UNUSED(closure))
{
    return PyLong_FromSsize_t((Py_ssize_t)t->columns.events.n);
}

static PyObject *
get_was_cut(Tracer *t, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(t->values.cut);
}

static PyObject *
get_outlived(Tracer *t, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(t->was_outlived);
}

static PyObject *
get_streamed(Tracer *t, void *Py_UNUSED(closure))
{
    return stream_counts(t);
}

static PyMethodDef tracer_methods[] = {
    {"start", (PyCFunction)tracer_start, METH_NOARGS, "start(): trace this thread from here on"},
    {"begin", (PyCFunction)(void (*)(void))tracer_begin, METH_FASTCALL, "begin(frame, on_end): trace a frame that has begun"},
    {"stop", (PyCFunction)tracer_stop, METH_NOARGS, "stop() -> False where the program had put in another tracer"},
    {"enter_thread", (PyCFunction)(void (*)(void))tracer_enter_thread, METH_FASTCALL, "hook for threading.settrace"},
    {"final_value", (PyCFunction)tracer_final_value, METH_O, "final_value(value) -> its handle"},
    {"finish", (PyCFunction)tracer_finish, METH_NOARGS, "finish() -> raw columns by name"},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef tracer_members[] = {
    {"codes", T_OBJECT, offsetof(Tracer, codes), READONLY, "(name, file, first line, kind) of each code"},
    {"broken", T_OBJECT, offsetof(Tracer, broken), READONLY, "what went wrong in the tracer itself"},
    {"sink", T_OBJECT, offsetof(Tracer, sink), 0, "sink(column, bytes): where a long trace goes while it is made"},
    {"guard", T_INT, offsetof(Tracer, has_guard), 0, "0 for tests: without the guard against code in C that nobody sees"},
    {"n_compared", T_LONGLONG, offsetof(Tracer, n_compared), 0, "objects, items and frames compared or followed so far"},
    {"net", T_INT, offsetof(Tracer, has_net), 0, "0 for tests: without the net under it"},
    {"hidden", T_INT, offsetof(Tracer, is_hidden), READONLY, "whether the guard has seen such code"},
    {"had_untraced_threads", T_INT, offsetof(Tracer, had_untraced_threads), READONLY, "whether threads were started that it did not record"},
    {"ran_unknown", T_INT, offsetof(Tracer, ran_unknown), READONLY, "whether such other code ran"},
    {"brute", T_INT, offsetof(Tracer, is_brute), 0, "compare every object at every event"},
    {"out_of_memory", T_INT, offsetof(Tracer, out_of_memory), READONLY, "whether the tracer lacked memory"},
    {"failure", T_INT, offsetof(Tracer, failure), READONLY, "0, 1: step limit, 2: trace too big, 3: an object changed and no step says why"},
    {"last_raise", T_INT, offsetof(Tracer, last_raise), READONLY, "handle of the exception raised last"},
    {"last_line", T_INT, offsetof(Tracer, last_line), READONLY, "where the outermost frame was left"},
    {"first_return", T_INT, offsetof(Tracer, first_return), READONLY, "handle that the first frame returned"},
    {"last_return", T_INT, offsetof(Tracer, last_return), READONLY, "handle that the outermost frame returned"},
    {NULL, 0, 0, 0, NULL},
};

static PyObject *
get_compiled(Tracer *t, void *Py_UNUSED(closure))
{
    return Py_NewRef(t->compiled == NULL ? Py_None : t->compiled);
}

static int
set_compiled(Tracer *t, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL || !PyTuple_CheckExact(value) || t->n_codes) {
        PyErr_SetString(PyExc_TypeError, "compiled is a tuple of code objects, and is set before the run");
        return -1;
    }
    Py_XSETREF(t->compiled, Py_NewRef(value));
    return 0;
}

static PyGetSetDef tracer_getset[] = {
    {"unexplained", (getter)get_unexplained, NULL, "type of an object that changed and no step says why, or None", NULL},
    {"compiled", (getter)get_compiled, (setter)set_compiled, "code of the program's files; other code under their names is not stepped into", NULL},
    {"names", (getter)get_names, NULL, "the string table", NULL},
    {"has_events", (getter)get_has_events, NULL, "whether anything of the program ran", NULL},
    {"n_events", (getter)get_n_events, NULL, "events recorded by now; of those in memory where a sink takes them", NULL},
    {"was_cut", (getter)get_was_cut, NULL, "whether a value was truncated", NULL},
    {"streamed", (getter)get_streamed, NULL, "counts and recorded columns of what went to the sink, or None", NULL},
    {"outlived", (getter)get_outlived, NULL, "whether a thread still ran when the call was over", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject TracerType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "deskcheck.tracing._native.NativeTracer",
    .tp_doc = "One traced run.",
    .tp_basicsize = sizeof(Tracer),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = tracer_new,
    .tp_dealloc = (destructor)tracer_dealloc,
    .tp_methods = tracer_methods,
    .tp_members = tracer_members,
    .tp_getset = tracer_getset,
};

int
tracer_ready(PyObject *module)
{
    if (PyType_Ready(&TracerType) < 0 || codes_ready(steps_note) < 0 || guard_ready() < 0 || readers_ready() < 0 || arrays_ready() < 0 || callees_ready() < 0 || watch_ready(module) < 0 ||
        calls_ready(module) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "NativeTracer", (PyObject *)&TracerType);
}
