/* How each type is looked into: a Shape of shapes.py, turned into C once per type and trace.
 *
 * What the common types need is read here and in readers.c; the rest goes through the Python reader of the
 * same Shape (R_PYTHON), so that both tracers see one set of rules.
 */
#include "objects.h"
#include <structmember.h>

static long
number_of(PyObject *python, const char *name)
{
    PyObject *value = PyObject_GetAttrString(python, name);
    long number = value == NULL ? -1 : PyLong_AsLong(value);
    Py_XDECREF(value);
    return number;
}

static int
content_of(PyObject *base)
{
    PyTypeObject *type = (PyTypeObject *)base;
    if (base == Py_None) return C_NONE;
    if (type == &PyList_Type) return C_LIST;
    if (type == &PyTuple_Type) return C_TUPLE;
    if (type == &PyDict_Type) return C_DICT;
    if (type == &PySet_Type || type == &PyFrozenSet_Type) return C_SET;
    if (type == &PyByteArray_Type) return C_BYTEARRAY;
    return strcmp(type->tp_name, "collections.deque") == 0 ? C_DEQUE : C_ARRAY;
}

static int
reader_of_iterator(PyTypeObject *type)
{
    static PyTypeObject *const sequences[] = {
        &PyListIter_Type, &PyListRevIter_Type, &PyTupleIter_Type, &PyUnicodeIter_Type, &PyBytesIter_Type,
        &PyByteArrayIter_Type, &PySeqIter_Type, &PyReversed_Type,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(sequences); i++) {
        if (type == sequences[i]) {
            return R_SEQUENCE;
        }
    }
    if (strcmp(type->tp_name, "str_ascii_iterator") == 0) return R_SEQUENCE;
    if (type == &PyRangeIter_Type) return R_RANGE;
    if (type == &PyEnum_Type) return R_ENUMERATE;
    if (type == &PyZip_Type) return R_ZIP;
    if (type == &PyMap_Type) return R_MAP;
    if (type == &PySetIter_Type) return R_SET_ITEMS;
    if (type == &PyDictIterKey_Type || type == &PyDictIterValue_Type || type == &PyDictIterItem_Type ||
        type == &PyDictRevIterKey_Type || type == &PyDictRevIterValue_Type || type == &PyDictRevIterItem_Type) {
        return R_DICT_ITEMS;
    }
    return R_PYTHON;
}

/* Slots of the classes that a class statement made, base first. 0: all can be read by their offset. */
static int
find_members(Shape *shape, PyTypeObject *type)
{
    PyObject *mro = type->tp_mro, *name, *member;
    for (Py_ssize_t i = PyTuple_GET_SIZE(mro) - 1; i >= 0; i--) {
        PyTypeObject *ancestor = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        Py_ssize_t at = 0;
        if (!PyType_HasFeature(ancestor, Py_TPFLAGS_HEAPTYPE) || ancestor->tp_dict == NULL) {
            continue;
        }
        while (PyDict_Next(ancestor->tp_dict, &at, &name, &member)) {
            if (!Py_IS_TYPE(member, &PyMemberDescr_Type)) {
                continue;
            }
            PyMemberDef *d = ((PyMemberDescrObject *)member)->d_member;
            if (d->type != T_OBJECT_EX || !PyUnicode_CheckExact(name)) {
                return 1;
            }
            int known = 0;
            while (known < shape->n_members && PyUnicode_Compare(shape->members[known].name, name) != 0) {
                known++;
            }
            if (known < shape->n_members) {
                shape->members[known].offset = d->offset; /* a base's slot of this name can be got at by its descriptor only */
                continue;
            }
            SlotMember *members = grown(shape->members, shape->n_members + 1, sizeof(SlotMember));
            if (members == NULL) {
                PyErr_NoMemory();
                return -1;
            }
            shape->members = members;
            members[shape->n_members].name = Py_NewRef(name);
            members[shape->n_members++].offset = d->offset;
        }
    }
    return 0;
}

static int
reader_of(Shape *shape, PyTypeObject *type, PyObject *pairs, int is_exact, int by_offset)
{
    if (shape->kind == O_GENERATOR) return R_GENERATOR;
    if (pairs == Py_None) return R_NONE;
    if (shape->kind == O_CLASS) return R_CLASS;
    if (type == &PyFunction_Type) return R_FUNCTION;
    if (type == &PyMethod_Type) return R_METHOD;
    if (shape->kind == O_ITERATOR) return reader_of_iterator(type);
    if (strcmp(type->tp_name, "collections.defaultdict") == 0 && is_exact) return R_DEFAULTDICT;
    if (type == &PyRange_Type) return R_RANGE_OBJECT;
    if (!by_offset) return R_PYTHON;
    int result = find_members(shape, type);
    if (result != 0) {
        return result < 0 ? FAILED : R_PYTHON;
    }
    return PyType_FastSubclass(type, Py_TPFLAGS_BASE_EXC_SUBCLASS) ? R_EXCEPTION : R_INSTANCE;
}

/* Shapes of static types, by address: such a type never dies, and its name is the same in every trace. That of
   `type` is no such shape, and none with a summary, which can name classes of objects in an array: which classes are
   the program's own is known to the Shapes of one trace alone. */
enum { N_SHARED = 512, MAX_SHARED = 300 };
static Shape *shared[N_SHARED];
static int n_shared;

static Shape **
shared_slot(PyTypeObject *type)
{
    size_t at = address_hash(type) & (N_SHARED - 1);
    while (shared[at] != NULL && shared[at]->type != type) {
        at = (at + 1) & (N_SHARED - 1);
    }
    return &shared[at];
}

static void
share(Shape *shape)
{
    int names_classes = shape->kind == O_CLASS || shape->is_summary; /* and so those of the program of one trace */
    if (!PyType_HasFeature(shape->type, Py_TPFLAGS_HEAPTYPE) && !names_classes && n_shared < MAX_SHARED) {
        *shared_slot(shape->type) = shape;
        shape->is_shared = 1;
        n_shared++;
    }
}

static void
shape_free(Shape *shape)
{
    if (shape != NULL && !shape->is_shared) {
        for (int i = 0; i < shape->n_members; i++) {
            Py_XDECREF(shape->members[i].name);
        }
        PyMem_RawFree(shape->members);
        Py_XDECREF(shape->python);
        Py_XDECREF(shape->name);
        Py_XDECREF(shape->hidden);
        PyMem_RawFree(shape);
    }
}

static Shape *
shape_new(Tracer *t, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    Shape *shape = PyMem_RawCalloc(1, sizeof(Shape));
    if (shape == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    shape->type = type;
    shape->python = lent_call(t->shapes, value, NULL);
    PyObject *base = NULL, *pairs = NULL, *scalar = NULL;
    if (shape->python != NULL) {
        shape->name = PyObject_GetAttrString(shape->python, "name");
        shape->hidden = PyObject_GetAttrString(shape->python, "hidden");
        base = PyObject_GetAttrString(shape->python, "base");
        pairs = PyObject_GetAttrString(shape->python, "pairs");
        scalar = PyObject_GetAttrString(shape->python, "scalar");
    }
    if (shape->name == NULL || shape->hidden == NULL || base == NULL || pairs == NULL || scalar == NULL) {
        goto failed;
    }
    shape->kind = (int8_t)number_of(shape->python, "kind");
    shape->is_frozen = (int8_t)number_of(shape->python, "frozen");
    shape->content = (int8_t)content_of(base);
    shape->is_scalar = scalar != Py_None;
    shape->has_text = number_of(shape->python, "has_text") > 0;
    shape->is_stored = number_of(shape->python, "is_stored") > 0;
    shape->is_summary = number_of(shape->python, "is_summary") > 0;
    shape->is_tame = number_of(shape->python, "is_tame") > 0;
    long is_exact = number_of(shape->python, "exact");
    long by_offset = number_of(shape->python, "by_offset");
    int reader = PyErr_Occurred() ? FAILED : reader_of(shape, type, pairs, (int)is_exact, (int)by_offset);
    if (reader < 0 || PyErr_Occurred()) {
        goto failed;
    }
    shape->reader = (int8_t)reader;
    int is_other = shape->content == C_NONE && (shape->kind == O_OPAQUE || shape->kind == O_RECORD) && !is_exact;
    shape->is_suspect = guard_suspects(type) ? SUSPECT_ALWAYS : is_other && guard_holds(type) ? SUSPECT_ONCE : 0;
    shape->is_frozen &= !PyType_IsSubtype(type, &PyModule_Type); /* it is looked at again: it may have got a `__getattr__` */
    if (watch_type(type) < 0 || watch_type(Py_TYPE(type)) < 0) {
        goto failed;
    }
    Py_DECREF(base);
    Py_DECREF(pairs);
    Py_DECREF(scalar);
    return shape;

failed:
    Py_XDECREF(base);
    Py_XDECREF(pairs);
    Py_XDECREF(scalar);
    shape_free(shape);
    return NULL;
}

static Shape **
shape_slot(Heap *heap, PyTypeObject *type)
{
    size_t at = address_hash(type) & (size_t)heap->shape_mask;
    while (heap->shapes[at] != NULL && heap->shapes[at]->type != type) {
        at = (at + 1) & (size_t)heap->shape_mask;
    }
    return &heap->shapes[at];
}

static int
shape_room(Tracer *t)
{
    Heap *heap = &t->heap;
    if (heap->shapes != NULL && heap->n_shapes * 2 <= heap->shape_mask) {
        return 0;
    }
    Py_ssize_t size = heap->shapes == NULL ? 64 : (heap->shape_mask + 1) * 2;
    Shape **old = heap->shapes, **slots = PyMem_RawCalloc((size_t)size, sizeof(Shape *));
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t n_old = old == NULL ? 0 : heap->shape_mask + 1;
    heap->shapes = slots;
    heap->shape_mask = size - 1;
    for (Py_ssize_t i = 0; i < n_old; i++) {
        if (old[i] != NULL) { /* those of dead types stay: entries may still point to them */
            size_t at = address_hash(old[i]->type) & (size_t)heap->shape_mask;
            while (slots[at] != NULL) {
                at = (at + 1) & (size_t)heap->shape_mask;
            }
            slots[at] = old[i];
        }
    }
    PyMem_RawFree(old);
    return 0;
}

Shape *
shape_of(Tracer *t, PyObject *value)
{
    if (shape_room(t) < 0) {
        return NULL;
    }
    Shape *known = *shape_slot(&t->heap, Py_TYPE(value));
    if (LIKELY(known != NULL)) {
        return known;
    }
    Shape *shape = *shared_slot(Py_TYPE(value));
    if (shape != NULL) {
        if (watch_type(Py_TYPE(value)) < 0) {
            return NULL;
        }
    }
    else if ((shape = shape_new(t, value)) != NULL) {
        share(shape);
    }
#if PY_VERSION_HEX >= 0x030D0000
    t->has_frames |= Py_IS_TYPE(value, &PyFrameLocalsProxy_Type);
#endif
    t->has_frames |= PyFrame_Check(value);
    if (shape != NULL && guard_type(t, Py_TYPE(value))) {
        guard_found(t);
    }
    if (shape != NULL) {
        *shape_slot(&t->heap, Py_TYPE(value)) = shape;
        t->heap.n_shapes++;
    }
    return shape;
}

/* A type has died: its address may become another type's. */
void
shapes_forget(Tracer *t, PyObject *type)
{
    if (t->heap.shapes != NULL) {
        Shape *shape = *shape_slot(&t->heap, (PyTypeObject *)type);
        if (shape != NULL) {
            shape->type = NULL;
        }
    }
}

void
shapes_clear(Tracer *t)
{
    for (Py_ssize_t i = 0; t->heap.shapes != NULL && i <= t->heap.shape_mask; i++) {
        shape_free(t->heap.shapes[i]);
    }
    PyMem_RawFree(t->heap.shapes);
    t->heap.shapes = NULL;
    t->heap.n_shapes = t->heap.shape_mask = 0;
}

/* What is shown of an object that is known by name; a new reference. */
PyObject *
shape_text(Tracer *Py_UNUSED(t), Shape *shape, PyObject *value)
{
    switch (shape->kind) {
    case O_OPAQUE:
        if (!shape->has_text) {
            return Py_NewRef(shape->name);
        }
        break;
    case O_FUNCTION:
        if (shape->reader == R_FUNCTION) {
            return Py_NewRef(((PyCodeObject *)((PyFunctionObject *)value)->func_code)->co_qualname);
        }
        break;
    case O_GENERATOR:
        return Py_NewRef(((PyGenObject *)value)->gi_qualname);
    case O_CLASS:
    case O_MODULE:
        break;
    default:
        if (!shape->has_text) {
            return PyUnicode_FromStringAndSize(NULL, 0);
        }
    }
    PyObject *text = PyObject_GetAttrString(shape->python, "text");
    PyObject *result = text == NULL ? NULL : lent_call(text, value, NULL);
    Py_XDECREF(text);
    if (result != NULL && !PyUnicode_CheckExact(result)) {
        Py_SETREF(result, NULL);
        PyErr_SetString(PyExc_TypeError, "the text of an object is not a string");
    }
    return result;
}
