/* The collector is off while a program is traced, and the program sees the setting that is its own.
 *
 *   pause_collection(shown) -> was it paused already     nothing is collected by itself from here on
 *   resume_collection()                                  as it was, or as the program has set it meanwhile
 *
 * `shown`: what the program sees at first. The sandbox has the collector off for its own reasons.
 *
 * The tracer's own objects would otherwise decide when the program's are collected. gc.isenabled(), gc.enable() and
 * gc.disable() speak of the program's setting meanwhile, gc.get_count() of collections that would have been made, by
 * whatever name they are called; gc.collect() collects.
 */
#include "frames/frames.h"

enum { ENABLE, DISABLE, IS_ENABLED, GET_COUNT, N_GUARDED };
static const char *const names[N_GUARDED] = {"enable", "disable", "isenabled", "get_count"};
static PyMethodDef *defs[N_GUARDED];
static PyCFunction originals[N_GUARDED];
static PyObject *get_threshold;
static int is_paused, is_enabled, was_shown, was_enabled;

static PyObject *
enable(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    is_enabled = 1;
    Py_RETURN_NONE;
}

static PyObject *
disable(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    is_enabled = 0;
    Py_RETURN_NONE;
}

static PyObject *
isenabled(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(is_enabled);
}

/* What is over a generation's threshold would have been collected, and counted in the next one. */
static PyObject *
get_count(PyObject *module, PyObject *ignored)
{
    PyObject *counts = originals[GET_COUNT](module, ignored);
    PyObject *limits = counts == NULL || !is_enabled ? NULL : PyObject_CallNoArgs(get_threshold);
    long count[3], limit[3];
    if (limits == NULL) {
        return counts;
    }
    int is_known = PyArg_ParseTuple(counts, "lll", &count[0], &count[1], &count[2]) &&
                   PyArg_ParseTuple(limits, "lll", &limit[0], &limit[1], &limit[2]);
    Py_DECREF(counts);
    Py_DECREF(limits);
    if (!is_known) {
        return NULL;
    }
    for (int i = 0; i < 2 && limit[0] > 0; i++) {
        long full = limit[i] > 0 ? count[i] / (limit[i] + 1) : 0;
        count[i] -= full * (limit[i] + 1);
        count[i + 1] += full;
    }
    return Py_BuildValue("lll", count[0], count[1], count[2]);
}

static const PyCFunction guarded[N_GUARDED] = {enable, disable, isenabled, get_count};

static int
find_functions(void)
{
    PyObject *module = PyImport_ImportModule("gc");
    get_threshold = module == NULL ? NULL : PyObject_GetAttrString(module, "get_threshold");
    for (int i = 0; get_threshold != NULL && i < N_GUARDED; i++) {
        PyObject *function = PyObject_GetAttrString(module, names[i]);
        if (function != NULL && PyCFunction_CheckExact(function)) {
            defs[i] = ((PyCFunctionObject *)function)->m_ml;
            originals[i] = defs[i]->ml_meth;
        }
        Py_XDECREF(function);
    }
    Py_XDECREF(module);
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *
pause_collection(PyObject *Py_UNUSED(module), PyObject *shown)
{
    if (is_paused) {
        Py_RETURN_TRUE;
    }
    is_paused = 1;
    is_enabled = was_shown = shown == Py_True;
    was_enabled = PyGC_Disable();
    for (int i = 0; i < N_GUARDED; i++) {
        if (defs[i] != NULL) {
            defs[i]->ml_meth = guarded[i];
        }
    }
    Py_RETURN_FALSE;
}

static PyObject *
resume_collection(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    for (int i = 0; i < N_GUARDED; i++) {
        if (defs[i] != NULL && defs[i]->ml_meth == guarded[i]) {
            defs[i]->ml_meth = originals[i];
        }
    }
    if (is_paused && (is_enabled == was_shown ? was_enabled : is_enabled)) {
        PyGC_Enable();
    }
    is_paused = 0;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"pause_collection", pause_collection, METH_O, "pause_collection(shown) -> whether it was paused before"},
    {"resume_collection", resume_collection, METH_NOARGS, "resume_collection(): as it was, or as the program has set it"},
    {NULL, NULL, 0, NULL},
};

int
collector_ready(PyObject *module)
{
    return find_functions() < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
