/* Record calls in a program that is not ours to stop: where they begin, and one frame from there to its end.
 *
 *   CallGate(callback, own, paused)     start(), stop(), over(code), n_over
 *   begin(frame, on_end)      the frame is at its beginning, or a generator's that goes on: trace from here
 *   on_end(kind, error)       no longer traced: kind of the event that the frame left with (YIELD: begin again when
 *                             it goes on), -1 at a budget or after a failure of ours; the program runs on
 */
#include "events.h"
#include <stddef.h>
#include <structmember.h>

PyObject *
tracer_begin(Tracer *t, PyObject *const *arguments, Py_ssize_t n)
{
    if (n != 2 || !PyFrame_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "begin(frame, on_end)");
        return NULL;
    }
    if (active_tracer != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a trace is running in this process already");
        return NULL;
    }
    if (add_stack(t, PyThreadState_Get()) < 0) {
        return NULL;
    }
    Py_XSETREF(t->on_end, Py_NewRef(arguments[1]));
    trace_on(t);
    if (on_event(NULL, (PyFrameObject *)arguments[0], PyTrace_CALL, Py_None) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* 0, and no exception whatever on_end does: the program must not notice. */
int
call_ended(Tracer *t, int kind)
{
    PyObject *error = t->error == NULL ? Py_NewRef(Py_None) : t->error;
    t->error = NULL;
    trace_off(t);
    PyThreadState *state = PyThreadState_Get();
    Lent lent = lend(state);
    PyObject *result = PyObject_CallFunction(t->on_end, "iN", kind, error);
    take_back(state, lent);
    if (result == NULL) {
        PyErr_WriteUnraisable(t->on_end);
    }
    Py_XDECREF(result);
    return 0;
}

/* ------------------------------------------------------------------ where calls begin */

enum { MAX_WORK = 5000000, OWN_WORK = 20 }; /* events of the profiler; one of the scope's own code costs more */

typedef struct {
    PyObject *code; /* held */
    int is_own, is_over, is_generator;
} Known;

/* A profiler that asks Python only about calls that may be recorded; the others cost a look-up. */
typedef struct {
    PyObject_HEAD
    PyObject *callback; /* callback(frame) where own code begins, or a paused generator goes on */
    PyObject *own;      /* own(code) -> None for code whose calls are nobody's business; asked once */
    PyObject *paused;   /* dictionary by the address of a generator's frame */
    Known *known;       /* by the code's address */
    Py_ssize_t n, mask;
    long long n_over;   /* calls of functions that are over their budget */
    long long work;     /* since start(): a test of millions of calls is given up, not slowed down */
    int n_given_up;
} Gate;

static PyObject *
lend_and_call(PyObject *callback, PyObject *argument)
{
    PyThreadState *state = PyThreadState_Get();
    Lent lent = lend(state);
    PyObject *result = PyObject_CallOneArg(callback, argument);
    take_back(state, lent);
    return result;
}

static Known *
slot_of(Known *known, Py_ssize_t mask, PyObject *code)
{
    size_t i = ((size_t)code >> 4) & (size_t)mask;
    while (known[i].code != NULL && known[i].code != code) {
        i = (i + 1) & (size_t)mask;
    }
    return &known[i];
}

static int
gate_grow(Gate *gate)
{
    Py_ssize_t mask = gate->mask * 2 + 1;
    Known *known = PyMem_Calloc((size_t)mask + 1, sizeof(Known));
    if (known == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; gate->known != NULL && i <= gate->mask; i++) {
        if (gate->known[i].code != NULL) {
            *slot_of(known, mask, gate->known[i].code) = gate->known[i];
        }
    }
    PyMem_Free(gate->known);
    gate->known = known;
    gate->mask = mask;
    return 0;
}

static Known *
gate_find(Gate *gate, PyObject *code)
{
    Known *found = slot_of(gate->known, gate->mask, code);
    if (LIKELY(found->code != NULL)) {
        return found;
    }
    PyObject *answer = lend_and_call(gate->own, code);
    if (answer == NULL || (gate->n * 2 > gate->mask && gate_grow(gate) < 0)) {
        Py_XDECREF(answer);
        return NULL;
    }
    found = slot_of(gate->known, gate->mask, code);
    if (found->code == NULL) {
        found->code = Py_NewRef(code);
        found->is_own = answer != Py_None;
        found->is_generator = (((PyCodeObject *)code)->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)) != 0;
        gate->n++;
    }
    Py_DECREF(answer);
    return found;
}

/* A generator's frame is at its beginning; any other frame that begins is. */
static int
is_fresh(PyCodeObject *code, PyFrameObject *frame)
{
    PyObject *bytes = PyCode_GetCode(code);
    int at = PyFrame_GetLasti(frame), resume = -1;
    if (bytes != NULL && at >= 0 && at + 1 < PyBytes_GET_SIZE(bytes)) {
        const unsigned char *ops = (const unsigned char *)PyBytes_AS_STRING(bytes);
        resume = ops[at] == OP.resume ? ops[at + 1] & 3 : 1;
    }
    Py_XDECREF(bytes);
    return resume <= 0;
}

static int
is_paused(Gate *gate, PyFrameObject *frame)
{
    if (PyDict_GET_SIZE(gate->paused) == 0) {
        return 0;
    }
    PyObject *address = PyLong_FromVoidPtr(frame);
    int found = address == NULL ? -1 : PyDict_Contains(gate->paused, address);
    Py_XDECREF(address);
    return found;
}

static int
on_call(PyObject *self, PyFrameObject *frame, int what, PyObject *Py_UNUSED(argument))
{
    Gate *gate = (Gate *)self;
    if (++gate->work > MAX_WORK && active_tracer == NULL && PyDict_GET_SIZE(gate->paused) == 0) {
        gate->n_given_up++;
        PyEval_SetProfile(NULL, NULL);
        return 0;
    }
    if (what != PyTrace_CALL) {
        return 0;
    }
    PyCodeObject *code = FRAME_CODE(frame->f_frame);
    Known *known = gate_find(gate, (PyObject *)code);
    if (known == NULL) {
        return -1;
    }
    if (!known->is_own) {
        return 0;
    }
    gate->work += OWN_WORK;
    int paused = known->is_generator ? is_paused(gate, frame) : 0;
    if (paused == 0) {
        if (active_tracer != NULL || (known->is_generator && !is_fresh(code, frame))) {
            return 0; /* part of a call that is recorded, or of one that is not */
        }
        if (known->is_over) {
            gate->n_over++;
            return 0;
        }
    }
    PyObject *result = paused < 0 ? NULL : lend_and_call(gate->callback, (PyObject *)frame);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static PyObject *
gate_start(PyObject *gate, PyObject *Py_UNUSED(ignored))
{
    ((Gate *)gate)->work = 0;
    PyEval_SetProfile(on_call, gate);
    Py_RETURN_NONE;
}

static PyObject *
gate_stop(PyObject *Py_UNUSED(gate), PyObject *Py_UNUSED(ignored))
{
    PyEval_SetProfile(NULL, NULL);
    Py_RETURN_NONE;
}

static PyObject *
gate_over(Gate *gate, PyObject *code)
{
    Known *known = PyCode_Check(code) ? slot_of(gate->known, gate->mask, code) : NULL;
    if (known == NULL || known->code == NULL) {
        PyErr_SetString(PyExc_ValueError, "over(code) of a function that has been called");
        return NULL;
    }
    known->is_over = 1;
    Py_RETURN_NONE;
}

static PyObject *
gate_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(kwargs))
{
    PyObject *callback, *own, *paused;
    if (!PyArg_ParseTuple(arguments, "OOO!:CallGate", &callback, &own, &PyDict_Type, &paused)) {
        return NULL;
    }
    Gate *gate = (Gate *)type->tp_alloc(type, 0);
    if (gate != NULL) {
        gate->callback = Py_NewRef(callback);
        gate->own = Py_NewRef(own);
        gate->paused = Py_NewRef(paused);
        gate->mask = 127;
        if (gate_grow(gate) < 0) {
            Py_CLEAR(gate);
        }
    }
    return (PyObject *)gate;
}

static void
gate_dealloc(Gate *gate)
{
    for (Py_ssize_t i = 0; gate->known != NULL && i <= gate->mask; i++) {
        Py_XDECREF(gate->known[i].code);
    }
    PyMem_Free(gate->known);
    Py_XDECREF(gate->callback);
    Py_XDECREF(gate->own);
    Py_XDECREF(gate->paused);
    Py_TYPE(gate)->tp_free((PyObject *)gate);
}

static PyMethodDef gate_methods[] = {
    {"start", gate_start, METH_NOARGS, "start(): watch this thread"},
    {"stop", gate_stop, METH_NOARGS, "stop(): no profiler in this thread"},
    {"over", (PyCFunction)gate_over, METH_O, "over(code): its calls are only counted from now on"},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef gate_members[] = {
    {"n_over", T_LONGLONG, offsetof(Gate, n_over), READONLY, "outermost calls of functions that are over their budget"},
    {"n_given_up", T_INT, offsetof(Gate, n_given_up), READONLY, "times that it stopped by itself, having seen too many"},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject GateType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "deskcheck.tracing._native.CallGate",
    .tp_doc = "CallGate(callback, own, paused)",
    .tp_basicsize = sizeof(Gate),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = gate_new,
    .tp_dealloc = (destructor)gate_dealloc,
    .tp_methods = gate_methods,
    .tp_members = gate_members,
};

int
calls_ready(PyObject *module)
{
    return PyType_Ready(&GateType) < 0 ? -1 : PyModule_AddObjectRef(module, "CallGate", (PyObject *)&GateType);
}
