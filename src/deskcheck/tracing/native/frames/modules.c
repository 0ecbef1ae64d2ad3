/* The names of modules: those that the program's functions read or write, as one more set of bindings.
 *
 * A module's dictionary is not searched at every event: the places of the values in its table are kept as long
 * as it has that table, and its version says that nothing at all was written.
 */
#include "frames.h"

static int
room_for_name(Tracer *t, Module *module)
{
    if (module->n < module->cap) {
        return 0;
    }
    Py_ssize_t cap = module->cap * 2 + 8;
    PyObject **names = grown(module->names, cap, sizeof(*names));
    module->names = names != NULL ? names : module->names;
    PyObject ***places = names == NULL ? NULL : grown(module->places, cap, sizeof(*places));
    module->places = places != NULL ? places : module->places;
    int32_t *keys = places == NULL ? NULL : grown(module->keys, cap, sizeof(*keys));
    module->keys = keys != NULL ? keys : module->keys;
    Slot *slots = keys == NULL ? NULL : grown(module->slots, cap, sizeof(*slots));
    module->slots = slots != NULL ? slots : module->slots;
    if (slots == NULL) {
        t->out_of_memory = 1;
        PyErr_NoMemory();
        return -1;
    }
    module->cap = cap;
    return 0;
}

static int
add_names(Tracer *t, Module *module, PyObject *names)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names); i++) {
        PyObject *name = PyList_GET_ITEM(names, i);
        int32_t key = values_string(t, name);
        if (key < 0) {
            return -1;
        }
        Py_ssize_t j = 0;
        while (j < module->n && (module->keys[j] != key || PyUnicode_Compare(module->names[j], name) != 0)) {
            j++;
        }
        if (j < module->n) {
            continue;
        }
        if (room_for_name(t, module) < 0) {
            return -1;
        }
        module->names[module->n] = Py_NewRef(name);
        module->places[module->n] = NULL;
        module->keys[module->n] = key;
        module->slots[module->n++] = (Slot){NULL, ABSENT, S_EMPTY};
    }
    module->table = NULL;
    module->version = 0;
    return 0;
}

/* A module whose names are watched from now on; names: list of str. */
int
module_add(Tracer *t, int32_t file, PyObject *namespace, PyObject *names)
{
    Module *modules = grown(t->modules, t->n_modules + 1, sizeof(Module));
    if (modules == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    t->modules = modules;
    Module *module = &modules[t->n_modules++];
    memset(module, 0, sizeof(*module));
    module->file = file;
    module->namespace = Py_NewRef(namespace);
    return add_names(t, module, names);
}

/* A code object runs for the first time: where it is of another file, the names that it uses. */
int
module_meet(Tracer *t, Code *code, PyObject *namespace)
{
    if (code->file_name == NULL || !PyDict_Check(namespace)) {
        return 0;
    }
    Py_ssize_t i = 0;
    while (i < t->n_modules && t->modules[i].file != code->file) {
        i++;
    }
    PyObject *ask = PyObject_GetAttrString(t->helpers, i < t->n_modules ? "module_names" : "all_module_names");
    PyObject *names = ask == NULL ? NULL : lent_call(ask, (PyObject *)code->code, namespace);
    Py_XDECREF(ask);
    int result = -1;
    if (names != NULL && PyList_CheckExact(names)) {
        result = i < t->n_modules ? add_names(t, &t->modules[i], names) : module_add(t, code->file, namespace, names);
    }
    Py_XDECREF(names);
    return result;
}

/* The place of a value in the table of a dictionary whose keys are all strings. */
static PyObject **
place_of(PyDictObject *dict, PyObject *name)
{
    PyDictKeysObject *table = dict->ma_keys;
    if (dict->ma_values != NULL || table->dk_kind == DICT_KEYS_GENERAL) {
        return NULL;
    }
    Py_ssize_t at = dict_place(dict, name);
    return at < 0 ? NULL : &DK_UNICODE_ENTRIES(table)[at].me_value;
}

static PyObject *
value_of(Module *module, Py_ssize_t i)
{
    if (module->places[i] != NULL && *module->places[i] != NULL) {
        return *module->places[i];
    }
    PyObject *value = PyDict_GetItemWithError(module->namespace, module->names[i]);
    module->places[i] = value == NULL ? NULL : place_of((PyDictObject *)module->namespace, module->names[i]);
    return value;
}

static int
update(Tracer *t, Module *module)
{
    PyDictObject *dict = (PyDictObject *)module->namespace;
    if (LIKELY(DICT_VERSION(dict) == module->version && !module->has_cut)) {
        return 0;
    }
    module->version = DICT_VERSION(dict);
    if (dict->ma_keys != module->table) {
        module->table = dict->ma_keys;
        memset(module->places, 0, (size_t)module->n * sizeof(*module->places));
    }
    int verify = module->n_deaths != t->heap.n_named_deaths;
    module->n_deaths = t->heap.n_named_deaths;
    module->has_cut = 0;
    for (Py_ssize_t i = 0; i < module->n; i++) {
        PyObject *value = value_of(module, i);
        int32_t before = module->slots[i].handle;
        if (slot_update(t, &module->slots[i], value, verify, P_GLOBAL, module->file, module->keys[i]) < 0) {
            return -1;
        }
        if (value != NULL && module->slots[i].handle != before && PyUnicode_READ_CHAR(module->names[i], 0) == '_') {
            guard_attribute(t, NULL, module->names[i], value); /* `__getattr__` of a module is called by the interpreter */
        }
        module->has_cut |= module->slots[i].state == S_CUT;
    }
    return 0;
}

int
modules_update(Tracer *t)
{
    for (Py_ssize_t i = 0; i < t->n_modules; i++) {
        if (t->modules[i].n && update(t, &t->modules[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

void
modules_clear(Tracer *t)
{
    for (Py_ssize_t i = 0; i < t->n_modules; i++) {
        Module *module = &t->modules[i];
        for (Py_ssize_t j = 0; j < module->n; j++) {
            Py_DECREF(module->names[j]);
            slot_clear(&module->slots[j]);
        }
        PyMem_RawFree(module->names);
        PyMem_RawFree(module->places);
        PyMem_RawFree(module->keys);
        PyMem_RawFree(module->slots);
        Py_XDECREF(module->namespace);
    }
    PyMem_RawFree(t->modules);
    t->modules = NULL;
    t->n_modules = 0;
}
