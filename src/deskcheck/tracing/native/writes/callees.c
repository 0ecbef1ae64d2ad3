/* What a call can change: nothing, its receiver, its first argument, or anything.
 *
 *   call_of_function(s, touch, callee), call_of_method(s, touch, base, name) -> C_PURE, C_SELF, C_FIRST, C_HEAP, C_ANY
 *
 * Functions in Python change nothing by themselves: they have events of their own. Of C functions only those
 * that are known here leave the program's objects alone.
 */
#include "writes.h"

enum { N_PURE = 256 };
static PyObject *pure[N_PURE]; /* by address: built-in functions and types that change nothing that they are given */
static PyObject *with_key[4];
static PyObject *quick[20];
static int n_with_key, n_quick;
static PyObject *print, *length, *defaults, *deque, *locks[2];
static PyMethodDef *exits[2]; /* `__exit__` of each kind of lock */

static int
is_pure(PyObject *object)
{
    size_t at = address_hash(object) & (N_PURE - 1);
    while (pure[at] != NULL && pure[at] != object) {
        at = (at + 1) & (N_PURE - 1);
    }
    return pure[at] != NULL;
}

static void
add_pure(PyObject *object)
{
    size_t at = address_hash(object) & (N_PURE - 1);
    while (pure[at] != NULL) {
        at = (at + 1) & (N_PURE - 1);
    }
    pure[at] = Py_NewRef(object); /* for good */
}

static int
is_listed(PyObject *const *list, int n, PyObject *object)
{
    for (int i = 0; i < n; i++) {
        if (list[i] == object) {
            return 1;
        }
    }
    return 0;
}

/* Functions of these modules read what they are given; of those the first argument is changed. */
static int
call_of_module(PyObject *function)
{
    PyObject *module = ((PyCFunctionObject *)function)->m_module;
    if (module == NULL || !PyUnicode_CheckExact(module)) {
        return C_ANY;
    }
    static const char *const reading[] = {"math", "cmath", "time", "_string", "binascii"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(reading); i++) {
        if (PyUnicode_CompareWithASCIIString(module, reading[i]) == 0) {
            return C_PURE;
        }
    }
    if (PyUnicode_CompareWithASCIIString(module, "_heapq") == 0) {
        const char *name = ((PyCFunctionObject *)function)->m_ml->ml_name;
        return strcmp(name, "heapify") == 0 ? C_FIRST : strncmp(name, "heap", 4) == 0 ? C_HEAP : C_ANY;
    }
    return C_ANY;
}

/* Made by a class statement or type(): a type in C is static, or keeps its name itself. */
static int
is_class_statement(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && ((PyHeapTypeObject *)type)->_ht_tpname == NULL;
}

static int
call_of_type(Tracer *t, PyTypeObject *type, int n_arguments)
{
    if (guard_type(t, type) && t->has_guard) {
        return C_ANY;
    }
    if (is_pure((PyObject *)type)) {
        return type == &PyType_Type && n_arguments != 1 ? C_ANY : C_PURE;
    }
    if (is_class_statement(type)) { /* its __new__, __init__ are events; or those of a base in C */
        PyTypeObject *base = type;
        while (base != NULL && is_class_statement(base)) {
            base = base->tp_base;
        }
        return base == &PyBaseObject_Type || is_pure((PyObject *)base) ||
                       PyType_FastSubclass(type, Py_TPFLAGS_BASE_EXC_SUBCLASS)
                   ? C_PURE
                   : C_ANY;
    }
    return PyType_FastSubclass(type, Py_TPFLAGS_BASE_EXC_SUBCLASS) ? C_PURE : C_ANY;
}

/* Something that a C function calls for each item: it must not be C code that could change things. */
static int
is_harmless_key(Search *s, int node)
{
    if (s->lines->nodes[node].kind == N_FUNCTION) {
        return 1;
    }
    Found found = node ? value_of(s, node) : (Found){F_FAIL, NULL};
    return found.kind == F_OBJECT && (PyFunction_Check(found.object) || is_scalar(s->t, found.object) ||
                                      is_pure(found.object));
}

int
has_harmless_key(Search *s, const Touch *touch)
{
    return touch->key != -1 || (is_harmless_key(s, touch->last) && is_harmless_key(s, touch->next_to_last));
}

/* A module or a class: `vars` of an instance may make its dictionary. */
static int
is_namespace(Search *s, int node, int before)
{
    int is_before = s->before;
    s->before = before;
    Found found = value_of(s, node);
    s->before = is_before;
    return found.kind == F_NOTHING || (found.kind == F_OBJECT && (PyModule_Check(found.object) || PyType_Check(found.object)));
}

/* Whether `print` may get another file than sys.stdout, whose `write` may be anything. */
static int
may_have_file(Search *s, const Touch *touch)
{
    PyObject *names = touch->keywords ? code_constant(s->ran->code, touch->keywords - 1) : NULL;
    if (names == NULL || !PyTuple_CheckExact(names)) {
        return 1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), "file") == 0) {
            return 1;
        }
    }
    return 0;
}

int
call_of_function(Search *s, const Touch *touch, PyObject *callee)
{
    if (PyFunction_Check(callee)) {
        return C_PURE; /* it has events of its own */
    }
    if (PyMethod_Check(callee)) {
        return PyFunction_Check(PyMethod_GET_FUNCTION(callee)) ? C_PURE : C_ANY;
    }
    if (callee == defaults && touch->n_arguments && s->t->has_guard) {
        Found factory = touch->key > 0 ? value_of(s, touch->key) : (Found){F_FAIL, NULL};
        return factory.kind == F_OBJECT && guard_factory(factory.object) ? C_PURE : C_ANY;
    }
    if (PyType_Check(callee)) {
        return Py_TYPE(callee) == &PyType_Type || PyType_HasFeature(Py_TYPE(callee), Py_TPFLAGS_HEAPTYPE)
                   ? call_of_type(s->t, (PyTypeObject *)callee, touch->n_arguments)
                   : C_ANY;
    }
    if (is_listed(with_key, n_with_key, callee)) {
        return has_harmless_key(s, touch) ? C_PURE : C_ANY;
    }
    if (callee == print && touch->key == -1 && s->t->has_guard) {
        return may_have_file(s, touch) ? C_ANY : C_PURE;
    }
    if (is_pure(callee)) {
        return C_PURE;
    }
    if (PyCFunction_CheckExact(callee)) {
        const char *name = ((PyCFunctionObject *)callee)->m_ml->ml_name;
        PyObject *self = ((PyCFunctionObject *)callee)->m_self;
        if (self != NULL && PyModule_Check(self) && strcmp(name, "vars") == 0 && touch->only) {
            return is_namespace(s, touch->only, 0) && is_namespace(s, touch->only, 1) ? C_HARMLESS : C_ANY;
        }
        if (self != NULL && PyModule_Check(self) && strcmp(name, "iter") == 0) {
            return touch->n_arguments == 1 ? C_PURE : C_ANY;
        }
        return call_of_module(callee);
    }
    return strcmp(Py_TYPE(callee)->tp_name, "functools._lru_cache_wrapper") == 0 && (guard_cache(callee) || !s->t->has_guard)
               ? C_PURE
               : C_ANY;
}

/* Whether its instances have attributes of their own. */
static int
has_dict(PyTypeObject *type)
{
    return type->tp_dictoffset != 0 || PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT);
}

/* A method of a built-in container changes that container at most. */
int
call_of_method(Search *s, const Touch *touch, PyObject *base, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(base);
    if (PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && is_rebound(s, (PyObject *)type, name, _PyType_Lookup(type, name))) {
        return C_LOST;
    }
    if (PyType_Check(base) && is_rebound(s, base, name, _PyType_Lookup((PyTypeObject *)base, name))) {
        return C_LOST;
    }
    if (s->t->hides_methods && has_dict(type) && !PyType_Check(base)) {
        Entry *entry = heap_find(s->t, base);
        if (entry == NULL || entry->changed > s->ran->first_event) {
            return C_LOST; /* it may have had a callable of this name */
        }
        if (attribute_place(entry, name) >= 0) {
            return C_ANY;
        }
    }
    if (is_scalar(s->t, base) || PyTuple_CheckExact(base) || type == &PyFrozenSet_Type || type == &PyRange_Type) {
        return C_PURE;
    }
    Entry *entry = heap_find(s->t, base);
    if (entry == NULL ? PyList_CheckExact(base) || PyDict_CheckExact(base) || PySet_Check(base)
                      : entry->shape->content != C_NONE && !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) {
        if (!has_harmless_key(s, touch)) {
            return C_ANY;
        }
        return touch->method == METHOD_READS ? C_PURE : C_SELF;
    }
    if (PyGen_CheckExact(base)) {
        return C_PURE;
    }
    if (PyModule_CheckExact(base)) {
        Found found = attribute_value(s, base, name);
        return found.kind == F_OBJECT ? call_of_function(s, touch, found.object) : C_LOST;
    }
    if (PyType_Check(base)) {
        PyObject *found = Py_TYPE(base) == &PyType_Type ? _PyType_Lookup((PyTypeObject *)base, name) : NULL;
        if (found == NULL) {
            return C_ANY;
        }
        if (PyFunction_Check(found) || Py_IS_TYPE(found, &PyStaticMethod_Type)) {
            return PyFunction_Check(found) ? C_PURE : C_ANY;
        }
        if (Py_IS_TYPE(found, &PyClassMethod_Type) || Py_IS_TYPE(found, &PyClassMethodDescr_Type)) {
            return Py_IS_TYPE(found, &PyClassMethod_Type) ? (guard_classmethod(found) || !s->t->has_guard ? C_PURE : C_ANY)
                   : is_pure(base)                        ? C_PURE
                                                          : C_ANY;
        }
        return C_ANY;
    }
    if (callee_is_lock(base)) {
        return C_SELF;
    }
    if (type->tp_getattro != PyObject_GenericGetAttr) {
        return C_ANY;
    }
    PyObject *found = _PyType_Lookup(type, name);
    if (found != NULL && PyFunction_Check(found)) {
        return C_PURE;
    }
    if (has_dict(type) && (entry == NULL || entry->changed > s->ran->first_event)) {
        return C_LOST; /* a callable among its attributes may have gone */
    }
    if (found == NULL) {
        return C_ANY;
    }
    return Py_IS_TYPE(found, &PyMethodDescr_Type) && entry != NULL && entry->shape->content != C_NONE && has_harmless_key(s, touch)
               ? C_SELF
               : C_ANY;
}

/* What a method does that `super()` finds: which of the classes gives it is not known, so each has its say. */
static int
call_of_class(Search *s, const Touch *touch, PyTypeObject *type, PyObject *name)
{
    int result = C_ANY;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyTypeObject *class = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);
        PyObject *dict = dict_of(class);
        PyObject *found = dict == NULL ? NULL : PyDict_GetItemWithError(dict, name); /* the class holds it */
        Py_XDECREF(dict);
        if (found == NULL) {
            PyErr_Clear();
            continue;
        }
        if (PyType_HasFeature(class, Py_TPFLAGS_HEAPTYPE) && is_rebound(s, (PyObject *)class, name, found)) {
            return C_LOST;
        }
        if (PyFunction_Check(found) || (Py_IS_TYPE(found, &PyClassMethod_Type) && guard_classmethod(found))) {
            result = result == C_ANY ? C_PURE : result;
        }
        else if (!PyType_HasFeature(class, Py_TPFLAGS_HEAPTYPE) && has_harmless_key(s, touch)) {
            result = C_SELF; /* a built-in class's own */
        }
        else {
            return C_ANY;
        }
    }
    return result;
}

int
call_of_super(Search *s, const Touch *touch, PyObject *base, PyObject *name)
{
    int result = call_of_class(s, touch, Py_TYPE(base), name);
    if (PyType_Check(base) && result != C_LOST) { /* it may be a method of the class, or one of its metaclass */
        int own = call_of_class(s, touch, (PyTypeObject *)base, name);
        result = result == C_ANY || own == C_LOST || own == C_SELF ? own : result;
    }
    return result;
}

/* Whether a built-in function or type changes nothing that it is given, but for iterators. */
int
callee_is_pure(PyObject *callee)
{
    return is_pure(callee);
}

/* What it is given can be a file whose `write` is anything. */
int
callee_is_print(PyObject *callee)
{
    return callee == print;
}

/* A built-in function whose result for scalars is the same each time, and soon there; or a method of a text. */
int
callee_is_quick(PyObject *callee, PyObject *method)
{
    if (method != NULL) {
        const char *name = PyUnicode_AsUTF8(method);
        return name != NULL && listed(name, "lower upper strip lstrip rstrip title capitalize casefold swapcase replace join find "
                                            "index rfind count removeprefix removesuffix startswith endswith isdigit isalpha rjust ljust zfill center");
    }
    return is_listed(quick, n_quick, callee);
}

int
callee_is_len(PyObject *callee)
{
    return callee == length;
}

/* collections.defaultdict, whose stores and methods are those of dict. */
int
callee_is_defaults(PyObject *callee)
{
    return callee == defaults;
}

int
callee_is_deque(PyObject *object)
{
    return (PyObject *)Py_TYPE(object) == deque;
}

int
callee_is_lock(PyObject *object)
{
    return (PyObject *)Py_TYPE(object) == locks[0] || (PyObject *)Py_TYPE(object) == locks[1];
}

PyObject *
callee_exits(PyObject *method)
{
    if (!PyCFunction_CheckExact(method)) {
        return NULL;
    }
    PyCFunctionObject *function = (PyCFunctionObject *)method;
    PyObject *self = function->m_self;
    for (int i = 0; i < 2; i++) {
        if (self != NULL && exits[i] == function->m_ml && (PyObject *)Py_TYPE(self) == locks[i]) {
            return self;
        }
    }
    return NULL;
}

static void
locks_ready(void)
{
    static const char *const kinds[] = {"LockType", "RLock"};
    PyObject *module = PyImport_ImportModule("_thread");
    for (int i = 0; module != NULL && i < 2; i++) {
        PyObject *type = PyObject_GetAttrString(module, kinds[i]);
        PyObject *exit = type == NULL ? NULL : PyObject_GetAttrString(type, "__exit__");
        if (exit != NULL && PyType_Check(type) && Py_IS_TYPE(exit, &PyMethodDescr_Type)) {
            locks[i] = Py_NewRef(type); /* for good */
            exits[i] = ((PyMethodDescrObject *)exit)->d_method;
        }
        Py_XDECREF(exit);
        Py_XDECREF(type);
    }
    Py_XDECREF(module);
    PyErr_Clear();
}

int
callees_ready(void)
{
    locks_ready();
    static const char *const names[] = {
        "abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "complex", "dict",
        "divmod", "enumerate", "float", "format", "frozenset", "hasattr", "hash", "hex", "id", "int", "isinstance",
        "issubclass", "len", "list", "max", "min", "next", "object", "oct", "ord", "pow", "print", "range", "repr",
        "reversed", "round", "set", "slice", "sorted", "str", "sum", "super", "tuple", "type", "zip", "staticmethod",
        "classmethod", "property", "input", NULL};
    static const char *const keyed[] = {"max", "min", "sorted", NULL};
    PyObject *builtins = PyEval_GetBuiltins();
    for (int i = 0; names[i] != NULL; i++) {
        PyObject *found = builtins == NULL ? NULL : PyDict_GetItemString(builtins, names[i]);
        if (found != NULL) {
            add_pure(found);
        }
    }
    for (int i = 0; keyed[i] != NULL; i++) {
        PyObject *found = builtins == NULL ? NULL : PyDict_GetItemString(builtins, keyed[i]);
        if (found != NULL) {
            with_key[n_with_key++] = Py_NewRef(found);
        }
    }
    static const char *const repeated[] = {"abs", "bin", "bool", "chr", "divmod", "float", "hex", "int", "len", "max", "min", "oct", "ord",
                                           "repr", "round", "sorted", "str", "sum", "tuple", NULL}; /* not hash: that of a NaN is its address */
    for (int i = 0; repeated[i] != NULL; i++) {
        PyObject *found = builtins == NULL ? NULL : PyDict_GetItemString(builtins, repeated[i]);
        if (found != NULL) {
            quick[n_quick++] = Py_NewRef(found);
        }
    }
    print = builtins == NULL ? NULL : Py_XNewRef(PyDict_GetItemString(builtins, "print"));
    length = builtins == NULL ? NULL : Py_XNewRef(PyDict_GetItemString(builtins, "len"));
    PyObject *implementation = PySys_GetObject("implementation"); /* a types.SimpleNamespace */
    if (implementation != NULL) {
        add_pure((PyObject *)Py_TYPE(implementation));
    }
    PyObject *module = PyImport_ImportModule("collections");
    static const char *const collected[] = {"deque", "defaultdict", "OrderedDict", "Counter", NULL};
    for (int i = 0; module != NULL && collected[i] != NULL; i++) {
        PyObject *found = PyObject_GetAttrString(module, collected[i]);
        if (found != NULL) {
            add_pure(found);
            deque = i == 0 ? found : deque; /* add_pure holds it */
            defaults = i == 1 ? found : defaults;
            Py_DECREF(found);
        }
    }
    Py_XDECREF(module);
    module = PyImport_ImportModule("functools");
    PyObject *partial = module == NULL ? NULL : PyObject_GetAttrString(module, "partial");
    if (partial != NULL) {
        add_pure(partial);
        Py_DECREF(partial);
    }
    Py_XDECREF(module);
    return PyErr_Occurred() ? -1 : 0;
}
