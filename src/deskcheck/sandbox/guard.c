/* Foreign code is called with our frames out of its sight, and nothing of it runs while ours works on what it did.

   guard_stopped()                          what is printed from here on is not the program's
   guard_call(function, arguments..)        the frames under the call are nobody's while it runs
   guard_call_last(function, arguments..)   the same for the last of a job's calls: its threads end with it
   guard_look()                             at its end: what is ours has been touched
   guard_release()                          what the calls gave or raised dies, and its finalizers run

   A trace is put together by Python code of ours, in the process of the program that it is about. Between two
   calls, and from the last one until the frame is made, all signals wait; profile function, collector, audit
   hooks and monitoring are off; what a call gave or raised is held. What the program did to our
   modules, classes, functions and builtins is seen at the next look.
   Not covered: native code, which can write to any memory; between two calls, threads that go on. */
#define Py_BUILD_CORE_MODULE 1
#include "batch.h"
#include "internal/pycore_interp.h"
#include "internal/pycore_runtime.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#if PY_VERSION_HEX >= 0x030D0000
#define CURRENT_FRAME(state) ((state)->current_frame)
#else
#define CURRENT_FRAME(state) ((state)->cframe->current_frame)
#endif
/* Our own call takes nothing from the depth of recursion that the program has. */
#if PY_VERSION_HEX >= 0x030C0000
#define LEND(state, n) ((void)0)
#else
#define LEND(state, n) ((state)->recursion_remaining += (n))
#endif
#if PY_VERSION_HEX >= 0x030C0000
#define N_TOOLS 6 /* those that Python code can have */
#define N_MONITORED (sizeof((PyInterpreterState *)0)->monitoring_callables[0] / sizeof(PyObject *))
#endif

static struct {
    PyObject *flush; /* owned; writes what the program has printed; NULL: no job runs */
    PyObject *kept;  /* owned list; no other object leads to it, and the collector does not know it */
    PyObject *hooks; /* the interpreter's, while they are off */
    PyObject *profile_object; /* owned, while it is off */
    Py_tracefunc profile;
#if PY_VERSION_HEX >= 0x030C0000
    PyObject *monitored[N_TOOLS][N_MONITORED]; /* owned, while they are off */
#endif
    sigset_t signals;
    int has_handlers; /* since a program asked for one; only then is a signal more than its end */
    long long printed; /* bytes of output when a budget ended the program; -1: none has */
    int is_inside, is_held, are_signals_held, was_collecting, has_ended_threads, trip;
} guard;

/* Whoever asks for a signal's handler is noted: to hold signals costs a system call that the sandbox answers itself. */
static PyCFunction signal_original;

static PyObject *
signal_noted(PyObject *module, PyObject *const *arguments, Py_ssize_t n)
{
    guard.has_handlers = 1;
    return ((_PyCFunctionFast)(void (*)(void))signal_original)(module, arguments, n);
}

static int
note_handlers(void)
{
    PyObject *module = PyImport_ImportModule("_signal");
    PyObject *function = module ? PyObject_GetAttrString(module, "signal") : NULL;
    Py_XDECREF(module);
    if (function == NULL) {
        return -1;
    }
    PyMethodDef *def = PyCFunction_CheckExact(function) ? ((PyCFunctionObject *)function)->m_ml : NULL;
    Py_DECREF(function); /* the module keeps it */
    if (def == NULL || !(def->ml_flags & METH_FASTCALL)) {
        guard.has_handlers = 1; /* then they are held every time */
        return 0;
    }
    signal_original = def->ml_meth;
    def->ml_meth = (PyCFunction)(void (*)(void))signal_noted;
    return 0;
}

int
guard_has_handlers(void)
{
    return guard.has_handlers;
}

int
guard_begin(PyObject *flush)
{
    if (note_handlers() < 0) {
        return -1;
    }
    if (guard.kept == NULL) {
        guard.kept = PyList_New(0);
        if (guard.kept == NULL) {
            return -1;
        }
        PyObject_GC_UnTrack(guard.kept);
    }
    guard.flush = Py_NewRef(flush);
    return 0;
}

int
guard_trip(void)
{
    return guard.trip;
}

/* Functions, after every call: who exchanges one's code can put it back. */
static void
look_at_functions(void)
{
    if (watch_function_changed()) {
        guard.trip |= TRIP_OURS | TRIP_FUNCTIONS;
    }
}

/* And once, at the end, what keeps the mark of a touch. */
void
guard_look(void)
{
    look_at_functions();
    if (watch_own_touched()) {
        guard.trip |= TRIP_OURS;
    }
}

/* ------------------------------------------------------------------ between the calls */

static void
hold_signals(void)
{
    const int let[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGXFSZ};
    sigset_t all;
    if (!guard.has_handlers) {
        return;
    }
    guard.are_signals_held = 1;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof let / sizeof *let; i++) {
        sigdelset(&all, let[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, &guard.signals);
}

static void
hold_monitoring(PyInterpreterState *interpreter)
{
#if PY_VERSION_HEX >= 0x030C0000
    for (size_t tool = 0; tool < N_TOOLS; tool++) {
        memcpy(guard.monitored[tool], interpreter->monitoring_callables[tool], sizeof guard.monitored[tool]);
        memset(interpreter->monitoring_callables[tool], 0, sizeof guard.monitored[tool]);
    }
#else
    (void)interpreter;
#endif
}

static void
let_monitoring(PyInterpreterState *interpreter)
{
#if PY_VERSION_HEX >= 0x030C0000
    for (size_t tool = 0; tool < N_TOOLS; tool++) {
        memcpy(interpreter->monitoring_callables[tool], guard.monitored[tool], sizeof guard.monitored[tool]);
    }
#else
    (void)interpreter;
#endif
}

/* From here on nothing of the program's runs in this thread. */
static void
hold(PyThreadState *state)
{
    if (guard.is_held) {
        return;
    }
    guard.is_held = 1;
    hold_signals();
    guard.was_collecting = PyGC_Disable();
    guard.profile = state->c_profilefunc;
    guard.profile_object = Py_XNewRef(state->c_profileobj);
    if (guard.profile != NULL) {
        PyEval_SetProfile(NULL, NULL);
    }
    guard.hooks = state->interp->audit_hooks;
    state->interp->audit_hooks = NULL;
    hold_monitoring(state->interp);
}

/* And from here on it may again. */
static void
let(PyThreadState *state)
{
    if (!guard.is_held) {
        return;
    }
    guard.is_held = 0;
    let_monitoring(state->interp);
    state->interp->audit_hooks = guard.hooks;
    if (guard.profile != NULL) {
        PyEval_SetProfile(guard.profile, guard.profile_object);
    }
    Py_CLEAR(guard.profile_object);
    if (guard.was_collecting) {
        PyGC_Enable();
    }
    if (guard.are_signals_held) {
        pthread_sigmask(SIG_SETMASK, &guard.signals, NULL);
        guard.are_signals_held = 0;
    }
}

/* Other threads end where they next want the interpreter, as daemon threads do when it is finalized. */
static void
end_threads(PyThreadState *own)
{
    PyThreadState *first = PyInterpreterState_ThreadHead(own->interp);
    if (first == own && PyThreadState_Next(first) == NULL) {
        return;
    }
    guard.has_ended_threads = 1;
    guard.trip |= TRIP_INTERPRETER; /* no thread can run in this process any more */
#if PY_VERSION_HEX >= 0x030C0000
    _PyInterpreterState_SetFinalizing(own->interp, own);
#endif
    _PyRuntimeState_SetFinalizing(&_PyRuntime, own);
}

/* ------------------------------------------------------------------ the calls */

void
guard_hold(PyObject *object)
{
    if (object != NULL && PyList_Append(guard.kept, object) < 0) {
        PyErr_Clear();
        Py_INCREF(object); /* then for good */
    }
}

/* What a program has printed is written while it may still run: the streams may be its own. */
static void
flush(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *done = guard.has_ended_threads ? NULL : PyObject_CallNoArgs(guard.flush);
    Py_XDECREF(done);
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
}

static void
keep_raised(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    guard_hold(value);
    guard_hold(trace);
    PyErr_Restore(type, value, trace);
}

static PyObject *
call(PyObject *const *arguments, Py_ssize_t n, int is_last)
{
    if (n < 1) {
        PyErr_SetString(PyExc_TypeError, "call(function, ..)");
        return NULL;
    }
    if (guard.is_inside) { /* the program's own call of this function */
        return PyObject_Vectorcall(arguments[0], arguments + 1, (size_t)n - 1, NULL);
    }
    PyThreadState *state = PyThreadState_Get();
    void *frame = CURRENT_FRAME(state);
    int is_job = guard.flush != NULL;
    guard.is_inside = 1;
    let(state);
    CURRENT_FRAME(state) = NULL;
    LEND(state, 1);
    PyObject *result = PyObject_Vectorcall(arguments[0], arguments + 1, (size_t)n - 1, NULL);
    LEND(state, -1);
    if (is_job && result != NULL && PyErr_CheckSignals() < 0) { /* those that came at its very end */
        Py_CLEAR(result);
    }
    if (is_job && is_last) {
        flush();
    }
    CURRENT_FRAME(state) = frame;
    guard.is_inside = 0;
    if (is_job) {
        hold(state);
        if (is_last) {
            end_threads(state);
        }
        if (result == NULL) {
            keep_raised();
        }
        else {
            guard_hold(result);
        }
        look_at_functions();
    }
    return result;
}

PyObject *
guard_call(PyObject *self, PyObject *const *arguments, Py_ssize_t n)
{
    (void)self;
    return call(arguments, n, 0);
}

PyObject *
guard_call_last(PyObject *self, PyObject *const *arguments, Py_ssize_t n)
{
    (void)self;
    return call(arguments, n, 1);
}

PyObject *
guard_outlived(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyBool_FromLong(guard.has_ended_threads);
}

PyObject *
guard_keep(PyObject *self, PyObject *object)
{
    (void)self;
    if (guard.flush != NULL && !guard.is_inside) {
        guard_hold(object);
    }
    Py_RETURN_NONE;
}

/* A budget ends the program, by an exception that its threads, generators and finalizers meet too. The interpreter
   and libraries print that they did, with addresses; what the program itself has printed comes before that. */
PyObject *
guard_stopped(PyObject *self, PyObject *unused)
{
    struct stat found;
    (void)self;
    (void)unused;
    if (guard.flush != NULL && guard.is_inside && guard.printed < 0) {
        flush();
        guard.printed = fstat(1, &found) < 0 ? -1 : (long long)found.st_size;
    }
    Py_RETURN_NONE;
}

long long
guard_printed(void)
{
    return guard.printed;
}

/* At the end of a job, when its frame is made: no frame of ours lies under the finalizers. */
void
guard_release(void)
{
    PyThreadState *state = PyThreadState_Get();
    if (state->c_profilefunc != NULL) {
        PyEval_SetProfile(NULL, NULL);
    }
    if (guard.is_held) { /* for the comparison of the process, which sees what the program left on */
        let(state);
    }
    void *frame = CURRENT_FRAME(state);
    CURRENT_FRAME(state) = NULL;
    guard.is_inside = 1;
    if (PyList_SetSlice(guard.kept, 0, PyList_GET_SIZE(guard.kept), NULL) < 0) {
        PyErr_Clear();
    }
    watch_restore();
    flush();
    guard.is_inside = 0;
    CURRENT_FRAME(state) = frame;
}

/* The next job begins. */
void
guard_renew(void)
{
    guard.trip = 0;
    guard.printed = -1;
}
