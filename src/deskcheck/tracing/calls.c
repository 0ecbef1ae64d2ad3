/* Record one frame that has begun already, in a program that is not ours to stop.
 *
 *   begin(frame, on_end)      the frame is at its beginning, or a generator's that goes on: trace from here
 *   on_end(kind, error)       no longer traced: kind of the event that the frame left with (YIELD: begin again when
 *                             it goes on), -1 at a budget or after a failure of ours; the program runs on
 */
#include "core.h"

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
    LEND_DEPTH(state, HEADROOM);
    PyObject *result = PyObject_CallFunction(t->on_end, "iN", kind, error);
    LEND_DEPTH(state, -HEADROOM);
    if (result == NULL) {
        PyErr_WriteUnraisable(t->on_end);
    }
    Py_XDECREF(result);
    return 0;
}
