/* What lies on the value stack before each instruction: a loop's iterator, a temporary, a callable, a handler's
 * exception..
 *
 *   code_labels(code, unit)        one letter per stack slot, "" where unknown
 *
 * The same rules as codes.py, which stays the second opinion and says what the letters mean.
 */
#include "code.h"

enum { RULE_DEFAULT, RULE_NO_OUTPUT, RULE_STORE_LOAD, RULE_UNPACK, RULE_LOAD_TWO, RULE_JUMP_ALWAYS, RULE_TEST,
       RULE_ITER, RULE_COPY, RULE_SWAP, RULE_PUSH_NULL, RULE_LOAD_GLOBAL, RULE_LOAD_METHOD, RULE_LOAD_ATTR,
       RULE_SUPER, RULE_PUSH_EXC, RULE_WITH, RULE_CALL, RULE_NOTHING, RULE_SPECIAL };

static uint8_t rules[256], is_jump[256], is_back[256], is_end[256], is_fast_load[256];

static int
starts(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static int
special_rule(const char *name)
{
    if (listed(name, "GET_ITER GET_YIELD_FROM_ITER GET_AITER GET_AWAITABLE")) return RULE_ITER;
    if (strcmp(name, "COPY") == 0) return RULE_COPY;
    if (strcmp(name, "SWAP") == 0) return RULE_SWAP;
    if (strcmp(name, "PUSH_NULL") == 0) return RULE_PUSH_NULL;
    if (strcmp(name, "LOAD_GLOBAL") == 0) return RULE_LOAD_GLOBAL;
    if (strcmp(name, "LOAD_METHOD") == 0) return RULE_LOAD_METHOD;
    if (strcmp(name, "LOAD_ATTR") == 0 && PY_VERSION_HEX >= 0x030C0000) return RULE_LOAD_ATTR;
    if (strcmp(name, "LOAD_SUPER_ATTR") == 0) return RULE_SUPER;
    if (strcmp(name, "PUSH_EXC_INFO") == 0) return RULE_PUSH_EXC;
    if (listed(name, "BEFORE_WITH BEFORE_ASYNC_WITH")) return RULE_WITH;
    if (strcmp(name, "LOAD_SPECIAL") == 0) return RULE_SPECIAL;
    if (strcmp(name, "CALL") == 0 && PY_VERSION_HEX < 0x030C0000) return RULE_CALL;
    if (strcmp(name, "PRECALL") == 0) return RULE_NOTHING;
    return -1;
}

static int
rule_of(const char *name)
{
    int special = special_rule(name);
    if (special >= 0) {
        return special;
    }
    if (listed(name, "NOP RESUME CACHE EXTENDED_ARG LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE "
                     "DICT_MERGE COPY_FREE_VARS MAKE_CELL RERAISE RAISE_VARARGS RETURN_VALUE RETURN_CONST END_FOR "
                     "END_ASYNC_FOR PRECALL KW_NAMES CLEANUP_THROW IMPORT_STAR SETUP_ANNOTATIONS PRINT_EXPR "
                     "POP_EXCEPT RETURN_GENERATOR NOT_TAKEN") ||
        starts(name, "STORE_") || starts(name, "DELETE_") || starts(name, "POP_")) {
        return listed(name, "STORE_FAST_LOAD_FAST STORE_FAST_MAYBE_NULL_LOAD_FAST") ? RULE_STORE_LOAD : RULE_NO_OUTPUT;
    }
    if (starts(name, "UNPACK_")) return RULE_UNPACK;
    if (starts(name, "LOAD_FAST_LOAD_FAST") || starts(name, "LOAD_FAST_BORROW_LOAD")) return RULE_LOAD_TWO;
    if (listed(name, "JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP JUMP_NO_INTERRUPT")) {
        return RULE_JUMP_ALWAYS;
    }
    return starts(name, "FOR_ITER") || starts(name, "JUMP_IF_") ? RULE_TEST : RULE_DEFAULT;
}

void
labels_note(int op, const char *name)
{
    rules[op] = (uint8_t)rule_of(name);
    is_back[op] = strstr(name, "BACKWARD") != NULL;
    is_end[op] = listed(name, "RETURN_VALUE RETURN_CONST RAISE_VARARGS RERAISE");
    lines_note(op, name);
    is_fast_load[op] = starts(name, "LOAD_FAST") && rules[op] != RULE_LOAD_TWO;
}

void
labels_note_jump(int op)
{
    is_jump[op] = 1;
    lines_note_jump(op);
}

/* ------------------------------------------------------------------ the value stack */

typedef struct {
    int unit, depth;
    char *stack;
} Path;

typedef struct {
    Code *code;
    int *args; /* by unit, with their extensions */
    Path *work;
    int n_work, cap_work, failed;
} Following;

static void
push_path(Following *f, int unit, const char *stack, int depth)
{
    int room = f->code->stride - 1;
    if (unit < 0 || unit >= f->code->n_units || f->code->labels[unit * f->code->stride + room]) {
        return;
    }
    if (f->n_work == f->cap_work) {
        Path *work = grown(f->work, f->cap_work * 2 + 8, sizeof(Path));
        if (work == NULL) {
            f->failed = 1;
            return;
        }
        f->work = work;
        f->cap_work = f->cap_work * 2 + 8;
    }
    char *copy = PyMem_RawMalloc((size_t)f->code->stride + 8);
    if (copy == NULL) {
        f->failed = 1;
        return;
    }
    memcpy(copy, stack, (size_t)depth);
    f->work[f->n_work++] = (Path){unit, depth, copy};
}

/* Handlers that guard a unit. */
static void
push_handlers(Following *f, int unit, const char *stack, int depth)
{
    PyObject *table = f->code->code->co_exceptiontable;
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(table), *end = at + PyBytes_GET_SIZE(table);
    Handler one;
    while (next_handler(&at, end, &one)) {
        if ((unsigned)unit >= one.start && (unsigned)unit - one.start < one.n) {
            char with[512];
            int n = (int)(one.depth_and_lasti >> 1), n_more = one.depth_and_lasti & 1 ? 2 : 1;
            if (n < 0 || n > depth || n + 2 > f->code->stride - 1 || n + 2 > 512) {
                continue;
            }
            memcpy(with, stack, (size_t)n);
            memset(with + n, 'E', (size_t)n_more);
            push_path(f, (int)one.target, with, n + n_more);
        }
    }
}

static int
put_labels(char *stack, int depth, const char *more)
{
    while (*more) {
        stack[depth++] = *more++;
    }
    return depth;
}

/* How many values an instruction leaves on top, given its effect on the depth. */
static int
made_by(int op, int net)
{
    switch (rules[op]) {
    case RULE_NO_OUTPUT: return net > 0 ? net : 0;
    case RULE_STORE_LOAD: return 1;
    case RULE_UNPACK: return net + 1;
    case RULE_LOAD_TWO: return net;
    case RULE_JUMP_ALWAYS: return 0;
    case RULE_TEST: return net < 0 ? 0 : net > 1 ? net : 1;
    default: return net > 1 ? net : 1;
    }
}

/* Depth after one instruction whose labels the rules below do not name; -1 where it cannot be. */
static int
after_plain(char *stack, int depth, int op, int arg, int jump)
{
    int net = PyCompile_OpcodeStackEffectWithJump(op, arg, jump), n_out;
    if (net == PY_INVALID_STACK_EFFECT) {
        return -1;
    }
    n_out = made_by(op, net);
    int n_in = n_out - net;
    depth = n_in > 0 ? (depth > n_in ? depth - n_in : 0) : depth;
    memset(stack + depth, 'V', (size_t)n_out);
    depth += n_out;
    if (n_out == 1 && PY_VERSION_HEX < 0x030D0000 && depth > 1 && stack[depth - 2] == 'N') {
        stack[depth - 1] = 'C';
    }
    return depth;
}

static int
after(Following *f, char *stack, int depth, int op, int arg, int jump)
{
    const int new_order = PY_VERSION_HEX >= 0x030D0000;
    int top = depth - 1;
    switch (rules[op]) {
    case RULE_ITER: return put_labels(stack, top < 0 ? 0 : top, "I");
    case RULE_COPY: stack[depth] = arg <= depth ? stack[depth - arg] : 'V'; return depth + 1;
    case RULE_SWAP:
        if (arg <= depth && arg > 0) {
            char low = stack[depth - arg];
            stack[depth - arg] = stack[top];
            stack[top] = low;
        }
        return depth;
    case RULE_PUSH_NULL: return new_order ? put_labels(stack, top < 0 ? 0 : top, "CN") : put_labels(stack, depth, "N");
    case RULE_LOAD_GLOBAL:
        if (arg & 1) return put_labels(stack, depth, new_order ? "CN" : "NC");
        break;
    case RULE_LOAD_METHOD: return put_labels(stack, top < 0 ? 0 : top, "MS");
    case RULE_LOAD_ATTR:
        if (arg & 1) return put_labels(stack, top < 0 ? 0 : top, "MS");
        break;
    case RULE_SUPER: return put_labels(stack, depth < 3 ? 0 : depth - 3, arg & 1 ? "MS" : "V");
    case RULE_PUSH_EXC: return put_labels(stack, top < 0 ? 0 : top, "EE");
    case RULE_WITH: return put_labels(stack, top < 0 ? 0 : top, "WV");
    case RULE_SPECIAL: return put_labels(stack, top < 0 ? 0 : top, "WW"); /* __enter__, __exit__, each with its self */
    case RULE_CALL: return put_labels(stack, depth - arg - 2 < 0 ? 0 : depth - arg - 2, "V");
    case RULE_NOTHING: return depth;
    default: break;
    }
    if (is_fast_load[op] && arg < f->code->n_slots &&
        PyUnicode_CompareWithASCIIString(f->code->names[arg], ".0") == 0) {
        return put_labels(stack, depth, "I"); /* what a comprehension was handed */
    }
    return after_plain(stack, depth, op, arg, jump);
}

static void
follow_path(Following *f, Path path)
{
    Code *code = f->code;
    int room = code->stride - 1, limit = code->stride - 8;
    char *stack = path.stack;
    for (int unit = path.unit, depth = path.depth; unit < code->n_units;) {
        char *label = code->labels + (size_t)unit * (size_t)code->stride;
        if (label[room] || depth < 0 || depth > limit) {
            return;
        }
        memcpy(label, stack, (size_t)depth);
        label[room] = 1;
        push_handlers(f, unit, stack, depth);
        int op = code->ops[unit], arg = f->args[unit], next = unit + 1;
        for (; next < code->n_units && f->args[next] < 0; next++) { /* caches */
            memcpy(code->labels + (size_t)next * (size_t)code->stride, label, (size_t)code->stride);
        }
        if (is_jump[op]) {
            char there[512];
            if (code->stride + 8 > 512) {
                return;
            }
            memcpy(there, stack, (size_t)depth);
            int at = after(f, there, depth, op, arg, 1);
            int base = PY_VERSION_HEX >= 0x030C0000 ? next : unit + 1;
            if (at >= 0) {
                push_path(f, base + (is_back[op] ? -arg : arg), there, at);
            }
        }
        if (is_end[op] || rules[op] == RULE_JUMP_ALWAYS) {
            return;
        }
        if (rules[op] == RULE_PUSH_NULL && next < code->n_units && code->ops[next] == OP.call_function_ex) {
            stack[depth++] = 'N'; /* 3.14: no keywords; what is called lies below */
        }
        else {
            depth = after(f, stack, depth, op, arg, 0);
        }
        unit = next;
    }
}

/* Units with the same number have the same labels; most of those with the same labels have the same number. */
static void
number_rows(Code *code)
{
    int newest[64];
    memset(newest, 0xFF, sizeof(newest));
    code->rows = PyMem_RawMalloc((size_t)code->n_units * sizeof(int32_t) + 1);
    for (int unit = 0; code->rows != NULL && unit < code->n_units; unit++) {
        const char *label = code->labels + (size_t)unit * (size_t)code->stride;
        unsigned hash = 0;
        for (const char *at = label; *at; at++) {
            hash = (hash + (unsigned char)*at) * 0x9E3779B1u;
        }
        unsigned at = hash >> 26;
        for (int i = 0; i < 8 && newest[at] >= 0 &&
                        strcmp(code->labels + (size_t)newest[at] * (size_t)code->stride, label) != 0; i++) {
            at = (at + 1) % 64;
        }
        if (newest[at] < 0 || strcmp(code->labels + (size_t)newest[at] * (size_t)code->stride, label) != 0) {
            newest[at] = unit;
        }
        code->rows[unit] = newest[at];
    }
}

static int
make_labels(Code *code)
{
    code->stride = code->code->co_stacksize + 16;
    code->labels = PyMem_RawCalloc((size_t)code->n_units, (size_t)code->stride);
    Following f = {code, PyMem_RawMalloc((size_t)code->n_units * sizeof(int) + 1), NULL, 0, 0, 0};
    PyObject *raw = PyCode_GetCode(code->code);
    if (code->labels == NULL || f.args == NULL || raw == NULL) {
        PyMem_RawFree(f.args);
        Py_XDECREF(raw);
        return -1;
    }
    const unsigned char *bytes = (const unsigned char *)PyBytes_AS_STRING(raw);
    for (int i = 0, extended = 0; i < code->n_units; i++) {
        if (bytes[2 * i] == 0 && i) {
            f.args[i] = -1;
            continue;
        }
        f.args[i] = bytes[2 * i + 1] | extended << 8;
        extended = bytes[2 * i] == OP.extended_arg ? f.args[i] : 0;
    }
    Py_DECREF(raw);
    push_path(&f, 0, "", 0);
    while (f.n_work) {
        Path path = f.work[--f.n_work];
        follow_path(&f, path);
        PyMem_RawFree(path.stack);
    }
    PyMem_RawFree(f.work);
    PyMem_RawFree(f.args);
    number_rows(code);
    return f.failed ? -1 : 0;
}

/* How many slots of the stack the instruction at this unit leaves alone; -1 where that is not known. */
int
labels_kept(Code *code, int unit)
{
    int op = code->ops[unit], arg = code->args[unit], depth = (int)strlen(code_labels(code, unit));
    int net = PyCompile_OpcodeStackEffectWithJump(op, arg, 0), n_in;
    if ((unit && code->ops[unit - 1] == OP.extended_arg) || net == PY_INVALID_STACK_EFFECT) {
        return -1;
    }
    switch (rules[op]) {
    case RULE_LOAD_ATTR:
    case RULE_SPECIAL: n_in = 1; break;
    case RULE_SUPER: n_in = 3; break;
    default: n_in = made_by(op, net) - net;
    }
    return n_in < depth ? depth - n_in : 0;
}

const char *
code_labels(Code *code, int unit)
{
    if (code->labels == NULL && make_labels(code) < 0) {
        return "";
    }
    return unit < 0 || unit >= code->n_units ? "" : code->labels + (size_t)unit * (size_t)code->stride;
}
