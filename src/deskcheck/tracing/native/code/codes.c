/* What can be known of a code object before it runs: its slots, opcodes and lines.
 *
 *   code_of(t, code) -> Code       once per code object
 *
 * What lies on its value stack: labels.c. Opcodes are looked up by their names, once a process.
 */
#include "code.h"

Opcodes OP;

static void
note_name(int op, const char *name, void (*finer)(int op, const char *name))
{
    labels_note(op, name);
    stack_kept_note(op, name);
    finer(op, name);
    line_flow_note(op, name);
    names_note(op, name);
    spans_note(op, name);
    struct {
        const char *name;
        int *op;
    } wanted[] = {
        {"JUMP_BACKWARD", &OP.jump_backward}, {"RESUME", &OP.resume}, {"YIELD_VALUE", &OP.yield_value}, {"RETURN_VALUE", &OP.return_value},
        {"RETURN_CONST", &OP.return_const}, {"RETURN_GENERATOR", &OP.return_generator},
        {"EXTENDED_ARG", &OP.extended_arg}, {"FOR_ITER", &OP.for_iter}, {"SEND", &OP.send},
        {"JUMP_BACKWARD_NO_INTERRUPT", &OP.jump_backward_no_interrupt}, {"END_SEND", &OP.end_send},
        {"END_FOR", &OP.end_for}, {"FOR_ITER_GEN", &OP.for_iter_gen}, {"END_ASYNC_FOR", &OP.end_async_for},
        {"CALL_FUNCTION_EX", &OP.call_function_ex},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(wanted); i++) {
        if (strcmp(name, wanted[i].name) == 0) {
            *wanted[i].op = op;
        }
    }
}

int
codes_ready(void (*finer)(int op, const char *name))
{
    memset(&OP, 0xFF, sizeof(OP));
    PyObject *module = PyImport_ImportModule("opcode");
    PyObject *map = module == NULL ? NULL : PyObject_GetAttrString(module, "opmap");
    PyObject *jumps = module == NULL ? NULL : PyObject_GetAttrString(module, "hasjrel");
    PyObject *key, *value;
    Py_ssize_t at = 0;
    int result = map == NULL || jumps == NULL || !PyDict_Check(map) || !PyList_Check(jumps) ? -1 : 0;
    while (result == 0 && PyDict_Next(map, &at, &key, &value)) {
        long op = PyLong_AsLong(value);
        const char *name = PyUnicode_AsUTF8(key);
        if (op >= 0 && op < 256 && name != NULL) {
            note_name((int)op, name, finer);
        }
    }
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(jumps); i++) {
        long op = PyLong_AsLong(PyList_GET_ITEM(jumps, i));
        if (op >= 0 && op < 256 && op != OP.end_async_for) { /* 3.14: it names the SEND that it ends */
            labels_note_jump((int)op);
            line_flow_note_jump((int)op);
        }
    }
    Py_XDECREF(module);
    Py_XDECREF(map);
    Py_XDECREF(jumps);
    return result;
}

/* A constant by its number; below 0 the small number of LOAD_SMALL_INT, which lives as long as the interpreter. */
PyObject *
code_constant(Code *code, int i)
{
    if (i >= 0) {
        return PyTuple_GET_ITEM(code->code->co_consts, i);
    }
    PyObject *number = PyLong_FromLong(-1 - i);
    Py_DECREF(number);
    return number;
}

/* ------------------------------------------------------------------ lines */

static void
fill_lines(Code *code)
{
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(code->code->co_linetable);
    const unsigned char *end = at + PyBytes_GET_SIZE(code->code->co_linetable);
    int line = code->code->co_firstlineno, unit = 0, here;
    while (at < end) {
        for (int n = next_lines(&at, &line, &here); n > 0 && unit < code->n_units; n--) {
            code->lines[unit++] = here;
        }
    }
}

/* ------------------------------------------------------------------ making one */

static const char *
kind_of(PyCodeObject *code)
{
    if (PyUnicode_CompareWithASCIIString(code->co_name, "<listcomp>") == 0 ||
        PyUnicode_CompareWithASCIIString(code->co_name, "<setcomp>") == 0 ||
        PyUnicode_CompareWithASCIIString(code->co_name, "<dictcomp>") == 0) {
        return "comprehension";
    }
    if (code->co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR)) {
        return "coroutine";
    }
    if (code->co_flags & CO_GENERATOR) {
        return "generator";
    }
    if (code->co_flags & CO_OPTIMIZED) {
        return "function";
    }
    return PyUnicode_CompareWithASCIIString(code->co_name, "<module>") == 0 ? "module" : "class";
}

static int
fill_slots(Tracer *t, Code *code)
{
    PyCodeObject *co = code->code;
    const char *kinds = PyBytes_AS_STRING(co->co_localspluskinds);
    code->is_plain = 1;
    for (int i = 0; i < code->n_slots; i++) {
        int place = kinds[i] & CO_FAST_FREE ? P_FREE : kinds[i] & CO_FAST_CELL ? P_CELL : P_LOCAL;
        code->places[i] = (int8_t)place;
        code->is_plain &= place == P_LOCAL;
        code->names[i] = PyTuple_GET_ITEM(co->co_localsplusnames, i);
        code->keys[i] = values_string(t, code->names[i]);
        if (code->keys[i] < 0) {
            return -1;
        }
    }
    return 0;
}

static int
fill_ops(Code *code)
{
    PyObject *raw = PyCode_GetCode(code->code);
    if (raw == NULL) {
        return -1;
    }
    const unsigned char *bytes = (const unsigned char *)PyBytes_AS_STRING(raw);
    int owner = 0;
    for (int i = 0; i < code->n_units; i++) {
        owner = bytes[2 * i] || i == 0 ? i : owner; /* CACHE is opcode 0 */
        code->ops[i] = bytes[2 * owner];
        code->args[i] = bytes[2 * owner + 1];
#if PY_VERSION_HEX < 0x030C0000
        code->has_self_jump |= code->ops[i] == OP.jump_backward && code->args[i] == 1;
#endif
    }
    Py_DECREF(raw);
    return 0;
}

static void
code_free(Code *code)
{
    if (code != NULL) {
        Py_XDECREF(code->code);
        Py_XDECREF(code->file_name);
        PyMem_RawFree(code->names);
        PyMem_RawFree(code->labels);
        PyMem_RawFree(code->rows);
        lines_free(code->facts);
        PyMem_RawFree(code->step_at);
        PyMem_RawFree(code->steps);
        PyMem_RawFree(code);
    }
}

/* Whose code it is; -1 with an exception where that cannot be found out. */
static int
ask_owner(Tracer *t, Code *code)
{
    if (PyUnicode_Check(t->own)) {
        PyObject *name = code->code->co_filename;
        code->file = name == t->own || PyUnicode_Compare(name, t->own) == 0 ? 0 : -1;
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *name = lent_call(t->own, (PyObject *)code->code, NULL);
    if (name == NULL) {
        return -1;
    }
    code->file = name == Py_None ? -1 : 0;
    if (name != Py_None && PyUnicode_Check(name) && PyUnicode_GET_LENGTH(name)) {
        code->file_name = Py_NewRef(name);
    }
    Py_DECREF(name);
    return 0;
}

/* Its lines would be taken for those of the source: it counts as code that is not the program's. */
static void
refuse_unknown(Tracer *t, Code *code)
{
    if (code->file >= 0 && t->compiled != NULL && !is_compiled(t->compiled, code->code)) {
        code->is_unknown = 1;
        code->file = -1;
        Py_CLEAR(code->file_name);
    }
}

static Code *
code_new(Tracer *t, PyCodeObject *co)
{
    Code *code = PyMem_RawCalloc(1, sizeof(Code));
    if (code == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    code->code = (PyCodeObject *)Py_NewRef(co);
    code->number = -1;
    code->is_generator = (co->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)) != 0;
    if (ask_owner(t, code) < 0) {
        code_free(code);
        return NULL;
    }
    refuse_unknown(t, code);
    return code;
}

/* What is needed once it runs; its names get their rows here. */
int
code_fill(Tracer *t, Code *code)
{
    static const char frames[] = " _getframe _current_frames currentframe f_locals f_back tb_frame gi_frame cr_frame ag_frame ";
    if (LIKELY(code->is_filled)) {
        return 0;
    }
    PyCodeObject *co = code->code;
    int n = co->co_nlocalsplus, units = (int)Py_SIZE(co);
    /* One block: names, keys, lines, places, ops, args. */
    size_t size = (size_t)n * (sizeof(PyObject *) + 4 + 1) + (size_t)units * (4 + 1 + 1) + 16;
    char *block = PyMem_RawCalloc(1, size);
    if (block == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyMem_RawFree(code->names);
    code->n_slots = n;
    code->n_units = units;
    code->names = (PyObject **)block;
    code->keys = (int32_t *)(code->names + n);
    code->lines = code->keys + n;
    code->places = (int8_t *)(code->lines + units);
    code->ops = (uint8_t *)code->places + n;
    code->args = code->ops + units;
    code->kind = kind_of(co);
    code->is_coroutine = strcmp(code->kind, "coroutine") == 0;
    code->has_names = !(co->co_flags & CO_OPTIMIZED) && strcmp(code->kind, "module") != 0;
    fill_lines(code);
    if (fill_ops(code) < 0 || fill_slots(t, code) < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(co->co_names); i++) {
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(co->co_names, i));
        t->has_frames |= name == NULL || listed(name, frames);
    }
    PyErr_Clear(); /* a name that is no UTF-8 */
    code->is_filled = 1;
    return 0;
}

static int
room_for_code(Tracer *t)
{
    if (t->code_slots != NULL && t->n_codes * 2 <= t->code_mask) {
        return 0;
    }
    Py_ssize_t size = t->code_slots == NULL ? 32 : (t->code_mask + 1) * 2;
    Code **slots = PyMem_RawCalloc((size_t)size, sizeof(Code *));
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; t->code_slots != NULL && i <= t->code_mask; i++) {
        if (t->code_slots[i] != NULL) {
            size_t at = address_hash(t->code_slots[i]->code) & (size_t)(size - 1);
            while (slots[at] != NULL) {
                at = (at + 1) & (size_t)(size - 1);
            }
            slots[at] = t->code_slots[i];
        }
    }
    PyMem_RawFree(t->code_slots);
    t->code_slots = slots;
    t->code_mask = size - 1;
    return 0;
}

Code *
code_of(Tracer *t, PyCodeObject *co)
{
    if (t->last_code != NULL && t->last_code->code == co) {
        return t->last_code;
    }
    if (room_for_code(t) < 0) {
        return NULL;
    }
    size_t at = address_hash(co) & (size_t)t->code_mask;
    while (t->code_slots[at] != NULL) {
        if (t->code_slots[at]->code == co) {
            return t->last_code = t->code_slots[at];
        }
        at = (at + 1) & (size_t)t->code_mask;
    }
    Code *code = code_new(t, co);
    if (code != NULL) {
        t->code_slots[at] = t->last_code = code;
        t->n_codes++;
    }
    return code;
}

/* Its row in the table of codes, when it runs for the first time. */
int
code_number(Tracer *t, Code *code)
{
    if (code->file_name != NULL) {
        if (PyList_GET_SIZE(t->columns.names) == 0) { /* 0 is the program's source: no file's name may stand there */
            PyObject *empty = PyUnicode_FromStringAndSize(NULL, 0);
            int32_t index = empty == NULL ? FAILED : columns_name(t, empty);
            Py_XDECREF(empty);
            if (index < 0) {
                return -1;
            }
        }
        if ((code->file = columns_name(t, code->file_name)) < 0) {
            return -1;
        }
    }
    PyObject *row = Py_BuildValue("(Oiis)", code->code->co_qualname, code->file, code->code->co_firstlineno, code->kind);
    int result = row == NULL ? -1 : PyList_Append(t->codes, row);
    Py_XDECREF(row);
    code->number = (int)PyList_GET_SIZE(t->codes) - 1;
    return result;
}

void
codes_clear(Tracer *t)
{
    for (Py_ssize_t i = 0; t->code_slots != NULL && i <= t->code_mask; i++) {
        code_free(t->code_slots[i]);
    }
    PyMem_RawFree(t->code_slots);
    t->code_slots = NULL;
    t->last_code = NULL;
    t->n_codes = t->code_mask = 0;
}
