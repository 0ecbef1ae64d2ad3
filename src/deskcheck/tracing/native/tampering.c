/* What a program can change of its own tracing, and whether it has: switches of a frame, the code of a function.
 *
 *   forget_changes()       a program begins
 *   changes() -> int       how often it has switched the lines or instructions of a frame off, or given a function
 *                          code of another text, file or table of lines
 *
 * What it sets holds as it would without us. `sys.settrace`: tracer.c. Not seen: a function that is made of such
 * code, which is no other thing than one made by exec().
 */
#include "frames/frames.h"
#include <structmember.h>

static long n_changes;
static setter set_code_before, set_opcodes_before;

/* ------------------------------------------------------------------ frames */

static PyObject *
get_switch(PyObject *frame, void *is_lines)
{
    return PyBool_FromLong(is_lines ? ((PyFrameObject *)frame)->f_trace_lines : ((PyFrameObject *)frame)->f_trace_opcodes);
}

static int
set_switch(PyObject *frame, PyObject *value, void *is_lines)
{
    PyFrameObject *f = (PyFrameObject *)frame;
    char *place = is_lines ? &f->f_trace_lines : &f->f_trace_opcodes;
    if (value == NULL || !PyBool_Check(value)) {
        PyErr_SetString(PyExc_TypeError, value == NULL ? "can't delete numeric/char attribute" : "attribute value type must be bool");
        return -1;
    }
    n_changes += *place && value == Py_False;
    *place = value == Py_True;
    return 0;
}

static PyGetSetDef switches[] = {
    {"f_trace_lines", get_switch, set_switch, NULL, (void *)1},
    {"f_trace_opcodes", get_switch, set_switch, NULL, NULL},
};

/* From 3.12 on it is an attribute with a setter of its own, which does more than to write it. */
static int
set_opcodes(PyObject *frame, PyObject *value, void *closure)
{
    n_changes += ((PyFrameObject *)frame)->f_trace_opcodes && value == Py_False;
    return set_opcodes_before(frame, value, closure);
}

/* ------------------------------------------------------------------ functions */

static int
is_same_bytes(PyObject *a, PyObject *b)
{
    return a != NULL && b != NULL && PyBytes_GET_SIZE(a) == PyBytes_GET_SIZE(b) &&
           memcmp(PyBytes_AS_STRING(a), PyBytes_AS_STRING(b), (size_t)PyBytes_GET_SIZE(a)) == 0;
}

/* Without a comparison that could run code of the program. */
static int
is_same_text(PyCodeObject *a, PyCodeObject *b)
{
    PyObject *first = PyCode_GetCode(a), *second = PyCode_GetCode(b);
    int is_same = a->co_firstlineno == b->co_firstlineno && a->co_consts == b->co_consts && is_same_bytes(first, second) &&
                  is_same_bytes(a->co_linetable, b->co_linetable) && PyUnicode_Compare(a->co_filename, b->co_filename) == 0 &&
                  PyUnicode_Compare(a->co_qualname, b->co_qualname) == 0;
    Py_XDECREF(first);
    Py_XDECREF(second);
    PyErr_Clear();
    return is_same;
}

static int
set_code(PyObject *function, PyObject *value, void *closure)
{
    PyObject *before = Py_NewRef(PyFunction_GET_CODE(function));
    int result = set_code_before(function, value, closure);
    if (result == 0 && value != NULL && PyCode_Check(value) && !is_same_text((PyCodeObject *)before, (PyCodeObject *)value)) {
        n_changes++;
    }
    Py_DECREF(before);
    return result;
}

/* ------------------------------------------------------------------ module */

/* The attribute's own description, or NULL: it is none that has a setter. */
static PyGetSetDef *
described(PyObject *names, const char *name)
{
    PyObject *descriptor = PyDict_GetItemString(names, name);
    return descriptor != NULL && Py_IS_TYPE(descriptor, &PyGetSetDescr_Type) ? ((PyGetSetDescrObject *)descriptor)->d_getset : NULL;
}

static int
replace_member(PyObject *names, PyGetSetDef *def)
{
    PyObject *descriptor = PyDict_GetItemString(names, def->name);
    if (descriptor == NULL || !Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
        return 0;
    }
    PyObject *fresh = PyDescr_NewGetSet(&PyFrame_Type, def);
    int result = fresh == NULL ? -1 : PyDict_SetItemString(names, def->name, fresh);
    Py_XDECREF(fresh);
    return result;
}

static int
guard(void)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyObject *frames = PyType_GetDict(&PyFrame_Type), *functions = PyType_GetDict(&PyFunction_Type);
#else
    PyObject *frames = Py_NewRef(PyFrame_Type.tp_dict), *functions = Py_NewRef(PyFunction_Type.tp_dict);
#endif
    PyGetSetDef *code = described(functions, "__code__"), *opcodes = described(frames, "f_trace_opcodes");
    if (code != NULL && code->set != set_code) {
        set_code_before = code->set;
        code->set = set_code;
    }
    if (opcodes != NULL && opcodes->set != set_opcodes && opcodes->set != set_switch) {
        set_opcodes_before = opcodes->set;
        opcodes->set = set_opcodes;
    }
    int result = replace_member(frames, &switches[0]) < 0 || replace_member(frames, &switches[1]) < 0 ? -1 : 0;
    PyType_Modified(&PyFrame_Type);
    Py_DECREF(frames);
    Py_DECREF(functions);
    return result;
}

static PyObject *
forget_changes(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    n_changes = 0;
    Py_RETURN_NONE;
}

static PyObject *
changes(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(n_changes);
}

static PyMethodDef methods[] = {
    {"forget_changes", forget_changes, METH_NOARGS, "forget_changes(): a program begins"},
    {"changes", changes, METH_NOARGS, "changes() -> how often it has changed its own tracing"},
    {NULL, NULL, 0, NULL},
};

int
tampering_ready(PyObject *module)
{
    return guard() < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
