/* Setters that note their use: what only they can change is not read after a program that used none.

   setters_note()    in the zygote, once
   setters_used()    whether one was used since the last `setters_forget`

   Each entry of the interpreter's tables is replaced by one that counts and goes on to the one before:
   - name, code, defaults, bases, class and dictionary: the setters in the tables of `function`, `type`, `object`
     and of classes in Python;
   - text and module of functions and of functions in C: the setter of all members;
   - any other attribute of a function: the slot of its type, and the wrapper by which `object.__setattr__` and
     `object.__delattr__` call it. The wrapper refuses a type with a slot of its own, so functions go past it. */
#include "batch.h"

typedef struct {
    PyTypeObject *type; /* NULL: a class made in Python */
    const char *name;
    int is_read; /* to look at it is enough: that makes a dictionary, which can be changed then */
    getter get;
    setter set;
} Noted;

static Noted noted[] = {
    {&PyFunction_Type, "__code__", 0, NULL, NULL},         {&PyFunction_Type, "__defaults__", 0, NULL, NULL},
    {&PyFunction_Type, "__kwdefaults__", 0, NULL, NULL},   {&PyFunction_Type, "__annotations__", 1, NULL, NULL},
    {&PyFunction_Type, "__annotate__", 1, NULL, NULL},     {&PyFunction_Type, "__type_params__", 0, NULL, NULL},
    {&PyFunction_Type, "__name__", 0, NULL, NULL},         {&PyFunction_Type, "__qualname__", 0, NULL, NULL},
    {&PyFunction_Type, "__dict__", 1, NULL, NULL},         {&PyType_Type, "__name__", 0, NULL, NULL},
    {&PyType_Type, "__qualname__", 0, NULL, NULL},         {&PyType_Type, "__bases__", 0, NULL, NULL},
    {&PyBaseObject_Type, "__class__", 0, NULL, NULL},
};
/* Classes in Python take the setter of `__dict__` from two tables: with and without a place for weak references. */
static Noted noted_dicts[] = {{NULL, "__dict__", 0, NULL, NULL}, {NULL, "__dict__", 0, NULL, NULL}};
static uint64_t n_used, n_before;

static PyObject *
note_and_get(PyObject *object, void *closure)
{
    n_used++;
    return ((Noted *)closure)->get(object, NULL);
}

static int
note_and_set(PyObject *object, PyObject *value, void *closure)
{
    n_used++;
    return ((Noted *)closure)->set(object, value, NULL);
}

static void
note_in_table(Noted *one, PyTypeObject *type)
{
    PyObject *name = PyUnicode_InternFromString(one->name);
    PyObject *descriptor = name == NULL ? NULL : _PyType_Lookup(type, name);
    PyGetSetDef *def = NULL;
    Py_XDECREF(name);
    if (descriptor != NULL && Py_IS_TYPE(descriptor, &PyGetSetDescr_Type)) {
        def = ((PyGetSetDescrObject *)descriptor)->d_getset;
    }
    if (def == NULL || def->set == NULL || def->set == note_and_set) {
        return; /* this interpreter has no such setter */
    }
    one->get = def->get;
    one->set = def->set;
    def->closure = one;
    def->get = one->is_read ? note_and_get : def->get;
    def->set = note_and_set;
}

/* ------------------------------------------------------------------ members */

static descrsetfunc set_member;

static int
note_and_set_member(PyObject *descriptor, PyObject *object, PyObject *value)
{
    PyTypeObject *type = ((PyDescrObject *)descriptor)->d_type;
    n_used += type == &PyFunction_Type || type == &PyCFunction_Type;
    return set_member(descriptor, object, value);
}

/* The wrapper `name` of a type's slot, as its dictionary has it; borrowed, NULL if there is none. */
static PyWrapperDescrObject *
wrapper_of(PyTypeObject *type, const char *name)
{
    PyObject *text = PyUnicode_InternFromString(name);
    PyObject *descriptor = text == NULL ? NULL : _PyType_Lookup(type, text);
    Py_XDECREF(text);
    return descriptor != NULL && Py_IS_TYPE(descriptor, &PyWrapperDescr_Type) ? (PyWrapperDescrObject *)descriptor : NULL;
}

static void
note_members(void)
{
    const char *const names[] = {"__set__", "__delete__"};
    set_member = PyMemberDescr_Type.tp_descr_set;
    PyMemberDescr_Type.tp_descr_set = note_and_set_member;
    for (int i = 0; i < 2; i++) {
        PyWrapperDescrObject *wrapper = wrapper_of(&PyMemberDescr_Type, names[i]);
        if (wrapper != NULL && wrapper->d_wrapped == (void *)set_member) {
            wrapper->d_wrapped = (void *)note_and_set_member;
        }
    }
}

/* ------------------------------------------------------------------ attributes of functions */

static wrapperfunc wrap_set, wrap_delete;

static int
note_and_set_attribute(PyObject *object, PyObject *name, PyObject *value)
{
    n_used++;
    return PyObject_GenericSetAttr(object, name, value);
}

static PyObject *
set_by_wrapper(PyObject *object, PyObject *arguments, void *wrapped)
{
    if (!PyFunction_Check(object) || PyTuple_GET_SIZE(arguments) != 2) {
        return wrap_set(object, arguments, wrapped);
    }
    return note_and_set_attribute(object, PyTuple_GET_ITEM(arguments, 0), PyTuple_GET_ITEM(arguments, 1)) < 0
               ? NULL
               : Py_NewRef(Py_None);
}

static PyObject *
delete_by_wrapper(PyObject *object, PyObject *arguments, void *wrapped)
{
    if (!PyFunction_Check(object) || PyTuple_GET_SIZE(arguments) != 1) {
        return wrap_delete(object, arguments, wrapped);
    }
    return note_and_set_attribute(object, PyTuple_GET_ITEM(arguments, 0), NULL) < 0 ? NULL : Py_NewRef(Py_None);
}

/* The entry of a wrapper is shared by all types that have the slot, which is how a new class knows it again. */
static int
note_attributes(void)
{
    PyWrapperDescrObject *set = wrapper_of(&PyBaseObject_Type, "__setattr__");
    PyWrapperDescrObject *delete = wrapper_of(&PyBaseObject_Type, "__delattr__");
    if (set == NULL || delete == NULL || PyFunction_Type.tp_setattro != PyObject_GenericSetAttr) {
        PyErr_SetString(PyExc_SystemError, "this interpreter sets the attributes of functions in another way");
        return -1;
    }
    wrap_set = set->d_base->wrapper;
    wrap_delete = delete->d_base->wrapper;
    set->d_base->wrapper = set_by_wrapper;
    delete->d_base->wrapper = delete_by_wrapper;
    PyFunction_Type.tp_setattro = note_and_set_attribute;
    return 0;
}

/* ------------------------------------------------------------------ all of them */

int
setters_note(void)
{
    const char *const classes[] = {"s(){}", "s(){ss}"};
    if (set_member != NULL) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        PyObject *class = PyObject_CallFunction((PyObject *)&PyType_Type, classes[i], "Made", "__slots__", "__dict__");
        if (class == NULL) {
            return -1;
        }
        note_in_table(&noted_dicts[i], (PyTypeObject *)class);
        Py_DECREF(class);
    }
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        note_in_table(&noted[i], noted[i].type);
    }
    PyErr_Clear();
    note_members();
    return note_attributes();
}

int
setters_used(void)
{
    return n_used != n_before;
}

void
setters_forget(void)
{
    n_before = n_used;
}
