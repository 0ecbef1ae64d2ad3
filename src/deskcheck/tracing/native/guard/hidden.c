/* Whether the interpreter can call code in C that the program chose: as a special method, a factory, a callback.
 *
 *   guard_type(t, type)             1: a special method of the type, of a base or of its metaclass is such code
 *   guard_meet_object(t, object)    a type, module, weak reference, defaultdict, cache or holder of callables comes into sight
 *   guard_streams(t)                something in sys was replaced: streams that `print` writes to, hooks
 *   guard_hooks(t, state)           there are hooks of asynchronous generators, or audit hooks
 *   guard_registries(t, interp)     codecs, handlers of their errors, callbacks of the collector
 *   guard_returned(t, value)        Python code gives a callable to code in C, as `__getattr__` can
 *   guard_module(t, value)          an attribute of a module: hooks of libraries
 *
 * An operator, a protocol or a death can run it, and nothing says what it changes: guard_found() makes every object
 * compared from then on. What counts is what stands in a type's dictionary. A function in Python has events of its own. A
 * slot of a built-in type under its own name does what that type does. Anything else is code that is not known here.
 */
#include "guard.h"
#include <stddef.h>

/* ------------------------------------------------------------------ callables */

static int
is_named(PyTypeObject *type, const char *name)
{
    return strcmp(type->tp_name, name) == 0;
}

/* An attribute that a C member or getter of an exact built-in type gives: nothing of the program runs. Borrowed. */
static PyObject *
member(PyObject *object, const char *name)
{
    PyObject *value = PyObject_GetAttrString(object, name);
    if (value == NULL) {
        PyErr_Clear();
        return NULL;
    }
    Py_DECREF(value); /* the object has it */
    return value;
}

/* Made by a class statement or type(): a type in C is static, or keeps its name itself. */
static int
is_class_statement(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && ((PyHeapTypeObject *)type)->_ht_tpname == NULL;
}

static PyObject *
of_type(PyTypeObject *type, const char *name)
{
    PyObject *text = PyUnicode_InternFromString(name);
    PyObject *value = text == NULL ? NULL : _PyType_Lookup(type, text);
    Py_XDECREF(text);
    PyErr_Clear();
    return value;
}

/* Whether the objects of a type in C run nothing by themselves, as iterators and callables do. */
static int
is_passive(PyTypeObject *type)
{
    return (type->tp_iternext == NULL && type->tp_call == NULL) || PyType_FastSubclass(type, Py_TPFLAGS_TYPE_SUBCLASS);
}

/* Whether calling it runs Python code, which has events, or makes an object of a type. */
static int
is_visible(PyObject *callable)
{
    PyTypeObject *kind = Py_TYPE(callable);
    if (PyFunction_Check(callable) || PyType_Check(callable)) {
        return 1;
    }
    if (PyMethod_Check(callable)) {
        return is_visible(PyMethod_GET_FUNCTION(callable));
    }
    if (is_named(kind, "functools.partial")) {
        PyObject *function = member(callable, "func");
        return function != NULL && (PyFunction_Check(function) || (PyType_Check(function) && is_passive((PyTypeObject *)function)));
    }
    if (is_named(kind, "functools._lru_cache_wrapper")) {
        return guard_cache(callable);
    }
    if (!PyType_HasFeature(kind, Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    PyObject *call = of_type(kind, "__call__"), *get = of_type(kind, "__get__");
    return call != NULL && PyFunction_Check(call) && (get == NULL || PyFunction_Check(get));
}

/* Whether a method of a class runs Python code. */
int
guard_classmethod(PyObject *method)
{
    PyObject *function = member(method, "__func__");
    return function != NULL && is_visible(function);
}

/* Whether a cache's function is visible; it is called where the cache lacks an entry. */
int
guard_cache(PyObject *wrapper)
{
    PyObject **place = _PyObject_GetDictPtr(wrapper), *dict = place == NULL ? NULL : *place;
    PyObject *wrapped = dict == NULL ? NULL : PyDict_GetItemString(dict, "__wrapped__");
    return wrapped != NULL && is_visible(wrapped);
}

/* Whether a factory without arguments changes nothing of the program's: functions of C modules get at nothing either. */
int
guard_factory(PyObject *factory)
{
    if (factory == NULL || factory == Py_None || is_visible(factory)) {
        return 1;
    }
    PyObject *self = PyCFunction_CheckExact(factory) ? PyCFunction_GET_SELF(factory) : factory;
    return self == NULL || PyModule_Check(self) || PyUnicode_CheckExact(self) || PyLong_CheckExact(self) ||
           PyFloat_CheckExact(self) || PyBytes_CheckExact(self);
}

/* ------------------------------------------------------------------ special methods */

static int
is_special(PyObject *name)
{
    if (!PyUnicode_CheckExact(name) || !PyUnicode_IS_ASCII(name)) {
        return 0;
    }
    const char *text = (const char *)PyUnicode_1BYTE_DATA(name);
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    return n > 4 && text[0] == '_' && text[1] == '_' && text[n - 1] == '_' && text[n - 2] == '_';
}

/* What the interpreter calls by name: special names, and in its protocols these others. */
static int
is_called_by_name(PyObject *name)
{
    static const char *const called[] = {
        "keys",                   /* `**o`, dict(o) */
        "get",                    /* a pattern of a mapping */
        "send", "throw", "close", /* `yield from` and `await` */
        "split", "derive",        /* `except*` */
    };
    if (is_special(name)) {
        return PyUnicode_CompareWithASCIIString(name, "__wrapped__") != 0; /* a note of functools */
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(called); i++) {
        if (PyUnicode_CompareWithASCIIString(name, called[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether methods in C that the class inherits may call others by their names: an instance's own attribute counts then. */
static int
has_base_in_c(PyTypeObject *type)
{
    int is_statement = is_class_statement(type);
    while (is_class_statement(type) && type->tp_base != NULL) {
        type = type->tp_base;
    }
    return is_statement && type != &PyBaseObject_Type;
}

void
guard_callable(Tracer *t, PyTypeObject *type, PyObject *name, PyObject *value)
{
    int is_called = (PyUnicode_CheckExact(name) && is_called_by_name(name)) || (type != NULL && has_base_in_c(type));
    if (is_called && !is_visible(value)) {
        guard_found(t);
    }
}

/* Slots that change their object: under another name an operator would change it where none is expected to. */
static int
is_changing_slot(PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    if (text == NULL) {
        PyErr_Clear();
        return 1;
    }
    static const char *const changing[] = {"__setitem__", "__delitem__", "__setattr__", "__delattr__", "__set__", "__delete__",
                                           "__init__", "__next__", "__call__", "__del__", "__getattribute__"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(changing); i++) {
        if (strcmp(text, changing[i]) == 0) {
            return 1;
        }
    }
    return strncmp(text, "__i", 3) == 0 && strcmp(text, "__iter__") != 0 && strcmp(text, "__int__") != 0 &&
           strcmp(text, "__index__") != 0 && strcmp(text, "__invert__") != 0;
}

static int
is_own_class(Tracer *t, PyTypeObject *type)
{
    PyObject *module = PyDict_GetItemString(type->tp_dict, "__module__");
    return module != NULL && PyUnicode_CheckExact(module) && PyUnicode_Compare(module, t->own_module) == 0;
}

/* Functions of a property. Under a special name what it gives is called in turn; libraries have plain data there. */
static int
is_known_property(Tracer *t, PyTypeObject *owner, PyObject *property, int is_special_name, int *is_lasting)
{
    static const char *const functions[] = {"fget", "fset", "fdel"};
    if (is_special_name) {
        *is_lasting = 0;
        if (is_own_class(t, owner)) {
            return 0;
        }
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(functions); i++) {
        PyObject *function = member(property, functions[i]);
        if (function == NULL || (function != Py_None && !is_visible(function) && !is_named(Py_TYPE(function), "operator.attrgetter") &&
                                 !is_named(Py_TYPE(function), "operator.itemgetter"))) {
            return 0;
        }
    }
    return 1;
}

static int
is_known_special(Tracer *t, PyTypeObject *owner, PyObject *name, PyObject *value, int *is_lasting)
{
    PyTypeObject *kind = Py_TYPE(value);
    if (PyFunction_Check(value) || value == Py_None || kind == &PyGetSetDescr_Type || kind == &PyMemberDescr_Type) {
        return 1;
    }
    if (kind == &PyStaticMethod_Type || kind == &PyClassMethod_Type) {
        PyObject *function = member(value, "__func__");
        return function != NULL && is_visible(function);
    }
    if (kind == &PyWrapperDescr_Type) {
        PyObject *slot = PyDescr_NAME(value);
        return PyUnicode_Compare(slot, name) == 0 || !is_changing_slot(slot);
    }
    if (kind == &PyMethodDescr_Type || kind == &PyClassMethodDescr_Type) {
        return PyUnicode_Compare(PyDescr_NAME(value), name) == 0;
    }
    if (PyCFunction_Check(value)) { /* `__new__` of a type in C */
        PyObject *self = PyCFunction_GET_SELF(value);
        return self != NULL && PyType_Check(self) &&
               PyUnicode_CompareWithASCIIString(name, ((PyCFunctionObject *)value)->m_ml->ml_name) == 0;
    }
    if (kind == &PyProperty_Type) {
        return is_known_property(t, owner, value, 1, is_lasting);
    }
    return (kind->tp_call == NULL && kind->tp_descr_get == NULL) || is_visible(value);
}

/* Whether a class has put a callable in the place of a method of a base in C, which may call it by its name. Fields of
 * named tuples stand there too, which are no callables. */
static int
stands_over_c(PyTypeObject *type, PyObject *name, PyObject *value)
{
    PyTypeObject *kind = Py_TYPE(value);
    if (kind->tp_call == NULL && kind != &PyStaticMethod_Type && kind != &PyClassMethod_Type) {
        return 0;
    }
    PyObject *bases = type->tp_bases;
    for (Py_ssize_t i = 0; bases != NULL && i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        PyObject *method = PyType_Check(base) ? _PyType_Lookup((PyTypeObject *)base, name) : NULL;
        if (method != NULL && (Py_IS_TYPE(method, &PyMethodDescr_Type) || Py_IS_TYPE(method, &PyClassMethodDescr_Type))) {
            return 1;
        }
    }
    return 0;
}

/* Whether all special methods and properties in a type's own dictionary are known; *is_lasting: in every trace. */
static int
is_known_type(Tracer *t, PyTypeObject *type, int *is_lasting)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) || type->tp_dict == NULL) {
        return 1;
    }
    while (PyDict_Next(type->tp_dict, &at, &name, &value)) {
        int is_called = is_special(name) || (PyUnicode_CheckExact(name) && !PyFunction_Check(value) && is_own_class(t, type) &&
                                             (is_called_by_name(name) || stands_over_c(type, name, value)));
        if (is_called ? !is_known_special(t, type, name, value, is_lasting)
                      : Py_IS_TYPE(value, &PyProperty_Type) && !is_known_property(t, type, value, 0, is_lasting)) {
            return 0;
        }
    }
    return 1;
}

static int
is_known_line(Tracer *t, PyTypeObject *type, int *is_lasting)
{
    PyObject *mro = type->tp_mro;
    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        if (PyType_Check(PyTuple_GET_ITEM(mro, i)) && !is_known_type(t, (PyTypeObject *)PyTuple_GET_ITEM(mro, i), is_lasting)) {
            return 0;
        }
    }
    return 1;
}

/* Answers by type and version: a version number is never used twice, so a type that changes is looked at again. */
enum { N_ANSWERS = 256 };
static struct {
    PyTypeObject *type;
    unsigned int version;
    int is_hidden;
} answers[N_ANSWERS];

int
guard_type(Tracer *t, PyTypeObject *type)
{
    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    size_t at = address_hash(type) & (N_ANSWERS - 1);
    if (LIKELY(answers[at].type == type && answers[at].version == type->tp_version_tag && type->tp_version_tag)) {
        return answers[at].is_hidden;
    }
    PyTypeObject *meta = Py_TYPE(type);
    int is_lasting = 1, is_hidden = !is_known_line(t, type, &is_lasting) || (meta != type && guard_type(t, meta));
    of_type(type, "__module__"); /* gives it a version, where it has none */
    answers[at].type = is_lasting ? type : NULL;
    answers[at].version = type->tp_version_tag;
    answers[at].is_hidden = is_hidden;
    return is_hidden;
}

/* ------------------------------------------------------------------ objects */

static PyTypeObject *defaults; /* collections.defaultdict */

int
guard_ready(void)
{
    PyObject *module = PyImport_ImportModule("_collections");
    defaults = module == NULL ? NULL : (PyTypeObject *)PyObject_GetAttrString(module, "defaultdict"); /* held for good */
    Py_XDECREF(module);
    return defaults == NULL ? -1 : 0;
}

/* Whether a look-up in a dictionary of this type runs code in C that puts in what it lacks. */
int
guard_fills(PyTypeObject *type)
{
    PyObject *missing = PyType_FastSubclass(type, Py_TPFLAGS_DICT_SUBCLASS) ? of_type(type, "__missing__") : NULL;
    return PyType_IsSubtype(type, defaults) || (missing != NULL && !PyFunction_Check(missing));
}

/* Whether a module answers for names that it lacks with Python code, if it does. */
static int
is_known_module(PyObject *module)
{
    PyObject *dict = PyModule_GetDict(module);
    PyObject *attribute = dict == NULL ? NULL : PyDict_GetItemString(dict, "__getattr__");
    PyObject *listing = dict == NULL ? NULL : PyDict_GetItemString(dict, "__dir__");
    return (attribute == NULL || is_visible(attribute)) && (listing == NULL || is_visible(listing));
}

/* Whether objects of this type are asked about when they come into sight. */
int
guard_suspects(PyTypeObject *type)
{
    return PyType_FastSubclass(type, Py_TPFLAGS_TYPE_SUBCLASS) || PyType_IsSubtype(type, &_PyWeakref_RefType) ||
           PyType_IsSubtype(type, &PyModule_Type) || type == &_PyWeakref_ProxyType || type == &_PyWeakref_CallableProxyType ||
           PyType_IsSubtype(type, defaults) || is_named(type, "functools._lru_cache_wrapper");
}

/* Whether operators and protocols of a type in C can call what its objects hold: 'functools.cmp_to_key', a proxy. */
int
guard_holds(PyTypeObject *type)
{
    int has_slots = (type->tp_richcompare != NULL && type->tp_richcompare != PyBaseObject_Type.tp_richcompare) ||
                    type->tp_as_number != NULL || type->tp_as_sequence != NULL || type->tp_as_mapping != NULL;
    return !is_class_statement(type) && type->tp_traverse != NULL && has_slots;
}

typedef struct {
    Tracer *t;
    int is_known, is_inside; /* the latter: in a container that the object holds */
} Held;

static int
visit_held(PyObject *object, void *closure)
{
    Held *held = closure;
    PyTypeObject *type = Py_TYPE(object);
    if (PyType_Check(object)) {
        return 0;
    }
    int is_getter = is_named(type, "operator.attrgetter") || is_named(type, "operator.itemgetter");
    held->is_known &= held->is_inside || type->tp_call == NULL || is_getter || is_visible(object);
    held->is_known &= !guard_type(held->t, type);
    if (!held->is_inside && (PyDict_CheckExact(object) || PyList_CheckExact(object) || PyTuple_CheckExact(object))) {
        held->is_inside = 1;
        type->tp_traverse(object, visit_held, held);
        held->is_inside = 0;
    }
    return !held->is_known;
}

static int
holds_known(Tracer *t, PyObject *object)
{
    Held held = {t, 1, 0};
    Py_TYPE(object)->tp_traverse(object, visit_held, &held);
    return held.is_known;
}

void
guard_meet_object(Tracer *t, PyObject *object)
{
    int is_known = 1;
    if (PyType_Check(object)) {
        is_known = !guard_type(t, (PyTypeObject *)object);
    }
    else if (PyWeakref_Check(object)) {
        PyObject *callback = ((PyWeakReference *)object)->wr_callback;
        is_known = callback == NULL || is_visible(callback);
    }
    else if (PyModule_Check(object)) {
        is_known = is_known_module(object);
    }
    else if (PyObject_TypeCheck(object, defaults)) {
        is_known = guard_factory(*(PyObject **)((char *)object + sizeof(PyDictObject)));
    }
    else if (is_named(Py_TYPE(object), "functools._lru_cache_wrapper")) {
        is_known = guard_cache(object);
    }
    else {
        is_known = holds_known(t, object);
    }
    if (!is_known) {
        guard_found(t);
    }
}

void
guard_returned(Tracer *t, PyObject *value)
{
    if (!is_visible(value)) {
        guard_found(t);
    }
}

void
guard_module(Tracer *t, PyObject *value)
{
    if (Py_TYPE(value)->tp_call != NULL && !is_visible(value)) {
        guard_found(t);
    }
}

/* ------------------------------------------------------------------ sys */

static const char *const streams[N_STREAMS] = {"stdout", "stderr", "stdin", "displayhook", "excepthook", "unraisablehook"};

static PyObject *
stream(Tracer *t, int i)
{
    return PyDict_GetItemString(t->sys, streams[i]);
}

static int
is_known_stream(Tracer *t, PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    static const char *const methods[] = {"write", "flush", "readline"};
    if (object == Py_None || is_named(type, "_io.StringIO")) {
        return 1;
    }
    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) || guard_type(t, type) || type->tp_getattro != PyObject_GenericGetAttr) {
        return 0;
    }
    PyObject *own = PyObject_GenericGetDict(object, NULL);
    PyErr_Clear();
    int is_known = 1;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(methods); i++) {
        PyObject *method = of_type(type, methods[i]);
        is_known &= method == NULL || PyFunction_Check(method) || Py_IS_TYPE(method, &PyMethodDescr_Type);
        is_known &= own == NULL || PyDict_GetItemString(own, methods[i]) == NULL;
    }
    Py_XDECREF(own);
    return is_known;
}

void
guard_streams(Tracer *t)
{
    t->sys_version = DICT_VERSION(t->sys);
    for (int i = 0; i < N_STREAMS; i++) {
        PyObject *now = stream(t, i);
        if (now != NULL && now != t->streams[i] && !(i < 3 ? is_known_stream(t, now) : is_visible(now))) {
            guard_found(t);
        }
    }
}

/* A handler of errors that the interpreter has by itself: a function of C that is bound to nothing. */
static int
is_of_codecs(PyObject *handler)
{
    return PyCFunction_CheckExact(handler) && PyCFunction_GET_SELF(handler) == NULL;
}

/* Those of asynchronous generators, and audit hooks. */
void
guard_hooks(Tracer *t, PyThreadState *state)
{
    PyObject *hooks = state->interp->audit_hooks;
    int is_known = (state->async_gen_finalizer == NULL || is_visible(state->async_gen_finalizer)) &&
                   (state->async_gen_firstiter == NULL || is_visible(state->async_gen_firstiter));
    for (Py_ssize_t i = 0; hooks != NULL && i < PyList_GET_SIZE(hooks); i++) {
        is_known &= is_visible(PyList_GET_ITEM(hooks, i));
    }
    if (!is_known && !t->is_hidden) {
        guard_found(t);
    }
}

/* What a search for a codec gives has its functions inside, so any search of the program's counts as unknown code. */
void
guard_registries(Tracer *t, PyInterpreterState *interp)
{
    PyObject *callbacks = interp->gc.callbacks, *handlers = ERROR_HANDLERS(interp), *name, *handler;
    int is_known = CODEC_SEARCHES(interp) == NULL || Py_SIZE(CODEC_SEARCHES(interp)) == t->n_searches;
    Py_ssize_t at = 0;
    for (Py_ssize_t i = 0; callbacks != NULL && i < PyList_GET_SIZE(callbacks); i++) {
        is_known &= is_visible(PyList_GET_ITEM(callbacks, i));
    }
    while (is_known && handlers != NULL && PyDict_Next(handlers, &at, &name, &handler)) {
        is_known = is_visible(handler) || is_of_codecs(handler);
    }
    t->registered = guard_registered(interp);
    t->n_searches = CODEC_SEARCHES(interp) == NULL ? 0 : Py_SIZE(CODEC_SEARCHES(interp));
    if (!is_known) {
        guard_found(t);
    }
}

void
guard_begin(Tracer *t)
{
    PyInterpreterState *interp = PyInterpreterState_Get();
    t->registered = guard_registered(interp);
    t->n_searches = CODEC_SEARCHES(interp) == NULL ? 0 : Py_SIZE(CODEC_SEARCHES(interp));
    t->sys = Py_XNewRef(interp->sysdict);
    for (int i = 0; t->sys != NULL && i < N_STREAMS; i++) {
        t->streams[i] = Py_XNewRef(stream(t, i));
    }
    t->sys_version = t->sys == NULL ? 0 : DICT_VERSION(t->sys);
}

void
guard_end(Tracer *t)
{
    Py_CLEAR(t->sys);
    for (int i = 0; i < N_STREAMS; i++) {
        Py_CLEAR(t->streams[i]);
    }
}
