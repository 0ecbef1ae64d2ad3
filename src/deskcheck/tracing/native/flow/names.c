/* Names that the code of a file uses: those of its module, and whether it names any of a set.
 *
 *   global_names(code) -> [name, ..]          as source_facts.py: in order of appearance, each once
 *   uses_any(code, frozenset) -> bool         among globals, attributes and imports of it and of what it holds
 */
#include "flow.h"

enum { GLOBAL = 1, NAME = 2, SHIFTED = 4, EXTENDED = 8 };
static uint8_t kinds[256];

static int
add_names(PyObject *found, PyCodeObject *code, int wanted)
{
    PyObject *raw = PyCode_GetCode(code);
    if (raw == NULL) {
        return -1;
    }
    const unsigned char *units = (const unsigned char *)PyBytes_AS_STRING(raw);
    Py_ssize_t high = 0, n = PyBytes_GET_SIZE(raw);
    int ok = 0;
    for (Py_ssize_t at = 0; ok == 0 && at + 1 < n; at += 2) {
        int kind = kinds[units[at]];
        if (kind & EXTENDED) {
            high = (high | units[at + 1]) << 8;
            continue;
        }
        if (kind & wanted) {
            Py_ssize_t index = (high | units[at + 1]) >> (kind & SHIFTED ? 1 : 0);
            if (index < PyTuple_GET_SIZE(code->co_names)) {
                ok = PyDict_SetItem(found, PyTuple_GET_ITEM(code->co_names, index), Py_None);
            }
        }
        high = 0;
    }
    Py_DECREF(raw);
    return ok;
}

static int
add_all(PyObject *found, PyCodeObject *code, int is_outer)
{
    int in_class = !(code->co_flags & CO_OPTIMIZED) && !is_outer;
    if (PyTuple_GET_SIZE(code->co_names) && add_names(found, code, in_class ? GLOBAL | NAME : GLOBAL) < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(constant) && add_all(found, (PyCodeObject *)constant, 0) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
global_names(PyObject *Py_UNUSED(module), PyObject *code)
{
    if (!PyCode_Check(code)) {
        return PyErr_Format(PyExc_TypeError, "global_names needs a code object, not %.100s", Py_TYPE(code)->tp_name);
    }
    PyObject *found = PyDict_New();
    PyObject *result = found != NULL && add_all(found, (PyCodeObject *)code, 1) == 0 ? PyDict_Keys(found) : NULL;
    Py_XDECREF(found);
    return result;
}

/* -1 with an exception. */
static int
names_any(PyCodeObject *code, PyObject *wanted)
{
    int found = 0;
    for (Py_ssize_t i = 0; found == 0 && i < PyTuple_GET_SIZE(code->co_names); i++) {
        found = PySet_Contains(wanted, PyTuple_GET_ITEM(code->co_names, i));
    }
    for (Py_ssize_t i = 0; found == 0 && i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(constant)) {
            found = names_any((PyCodeObject *)constant, wanted);
        }
    }
    return found;
}

static PyObject *
uses_any(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *code, *wanted;
    if (!PyArg_ParseTuple(arguments, "O!O!:uses_any", &PyCode_Type, &code, &PyFrozenSet_Type, &wanted)) {
        return NULL;
    }
    int found = names_any((PyCodeObject *)code, wanted);
    return found < 0 ? NULL : PyBool_FromLong(found);
}

void
names_note(int op, const char *name)
{
    kinds[op] |= listed(name, "LOAD_GLOBAL STORE_GLOBAL DELETE_GLOBAL") ? GLOBAL : 0;
    kinds[op] |= listed(name, "LOAD_NAME STORE_NAME DELETE_NAME") ? NAME : 0;
    kinds[op] |= strcmp(name, "LOAD_GLOBAL") == 0 ? SHIFTED : 0; /* its lowest bit is not part of the name's number */
    kinds[op] |= strcmp(name, "EXTENDED_ARG") == 0 ? EXTENDED : 0;
}

static PyMethodDef methods[] = {
    {"global_names", global_names, METH_O, "global_names(code) -> names of the module that its functions and classes use"},
    {"uses_any", uses_any, METH_VARARGS, "uses_any(code, names) -> whether it uses one of them as a global, attribute or import"},
    {NULL, NULL, 0, NULL},
};

int
names_ready(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
