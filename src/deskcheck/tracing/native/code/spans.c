/* Which instructions of a code object finish an evaluated expression, and where that stands in the source.
 *
 *   spans_fill(code)      step_at[unit] = index into steps, -1 for all other instructions
 *
 * A step is a call, a binary operator, unary - + ~, a subscript, an attribute, a comparison. Not steps: `not`, `and`,
 * `or`, conditional expressions (control flow), what the compiler folds or rewrites (2 * 3, "%s-%s" % (x, y)), the
 * lookup of what is called at once (part of the call), the super() of super().x, calls that the source does not
 * write (__exit__, decorators, comprehensions, class statements). Spans are the code positions of PEP 657, as
 * tracebacks show them: a method on a line of its own begins at its name.
 *
 * What is called is told by the labels of the stack below its arguments, and by which instruction put it there.
 */
#include "code.h"

enum { KIND_NONE, KIND_VALUE, KIND_ATTRIBUTE, KIND_CALL, KIND_CALL_KW, KIND_CALL_EX, KIND_INTRINSIC, KIND_SUPER };
enum { UNARY_POSITIVE_INTRINSIC = 5 };

static uint8_t kinds[256];
static int op_build_class = -1, op_load_global = -1, op_load_name = -1, op_load_method = -1, op_load_attr = -1, op_is = -1,
           op_common_constant = -1;

enum { POPS_UNKNOWN, POPS_BY_EFFECT, POPS_ONE, POPS_TWO, POPS_THREE, POPS_NONE, POPS_ARG, POPS_CALL, POPS_CALL_KW, POPS_STORE };

static uint8_t pops[256];  /* how much of the stack it takes */

/* Instructions that give back one value, and ones that give back none, by PyCompile_OpcodeStackEffect. */
static const char by_effect[] =
    " LOAD_CONST LOAD_SMALL_INT LOAD_COMMON_CONSTANT LOAD_FAST LOAD_FAST_BORROW LOAD_FAST_CHECK LOAD_FAST_LOAD_FAST "
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF "
    "LOAD_CLOSURE LOAD_BUILD_CLASS BINARY_OP BINARY_SUBSCR BINARY_SLICE COMPARE_OP IS_OP CONTAINS_OP UNARY_NOT "
    "UNARY_NEGATIVE UNARY_POSITIVE UNARY_INVERT BUILD_LIST BUILD_TUPLE BUILD_MAP BUILD_SET BUILD_STRING BUILD_SLICE "
    "BUILD_CONST_KEY_MAP FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE TO_BOOL MAKE_FUNCTION GET_ITER "
    "YIELD_VALUE CALL_FUNCTION_EX CALL_INTRINSIC_1 LIST_TO_TUPLE LOAD_FAST_AND_CLEAR END_SEND ";
static const char by_storing[] =
    " STORE_FAST STORE_NAME STORE_GLOBAL STORE_DEREF STORE_SUBSCR STORE_SLICE STORE_ATTR DELETE_SUBSCR DELETE_ATTR "
    "DELETE_FAST DELETE_NAME LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE POP_TOP "
    "RETURN_VALUE NOP NOT_TAKEN RESUME END_FOR POP_ITER "
    "POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_TRUE POP_JUMP_BACKWARD_IF_FALSE POP_JUMP_BACKWARD_IF_TRUE "
    "POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE "
    "POP_JUMP_IF_FALSE POP_JUMP_IF_TRUE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE ";

static int
pops_of(const char *name)
{
    if (listed(name, by_effect)) return POPS_BY_EFFECT;
    if (listed(name, by_storing)) return POPS_STORE;
    if (listed(name, " LOAD_METHOD LOAD_ATTR UNPACK_SEQUENCE UNPACK_EX JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP "
                     "GET_AWAITABLE GET_YIELD_FROM_ITER BEFORE_WITH ")) return POPS_ONE;
    if (listed(name, " SEND ")) return POPS_TWO;
    if (listed(name, " LOAD_SUPER_ATTR ")) return POPS_THREE;
    if (listed(name, " COPY FOR_ITER PUSH_NULL JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT KW_NAMES ")) return POPS_NONE;
    if (listed(name, " SWAP ")) return POPS_ARG;
    if (listed(name, " CALL PRECALL ")) return POPS_CALL;
    if (listed(name, " CALL_KW ")) return POPS_CALL_KW;
    return POPS_UNKNOWN;
}

void
stack_kept_note(int op, const char *name)
{
    pops[op] = (uint8_t)pops_of(name);
}

/* Whether it is known how much of the stack an instruction takes. */
int
stack_is_known(int op)
{
    return pops[op] != POPS_UNKNOWN;
}

/* How many slots an instruction leaves alone, from the bottom; too few where that is not known. */
int
stack_kept(int op, int arg, int depth)
{
    int n = depth, effect = 0;
    if (pops[op] == POPS_BY_EFFECT || pops[op] == POPS_STORE) {
        effect = PyCompile_OpcodeStackEffectWithJump(op, arg, -1);
        effect = effect == PY_INVALID_STACK_EFFECT ? -depth : effect;
    }
    switch (pops[op]) {
    case POPS_BY_EFFECT: n = effect < 1 ? 1 - effect : 0; break;
    case POPS_STORE: n = effect < 0 ? -effect : 0; break;
    case POPS_ONE: n = 1; break;
    case POPS_TWO: n = 2; break;
    case POPS_THREE: n = 3; break;
    case POPS_NONE: n = 0; break;
    case POPS_ARG: n = arg; break;
    case POPS_CALL: n = arg + 2; break;
    case POPS_CALL_KW: n = arg + 3; break;
    default: break;
    }
    return n < depth ? depth - n : 0;
}

void
spans_note(int op, const char *name)
{
    static const struct {
        const char *name;
        int kind;
    } known[] = {
        {"BINARY_OP", KIND_VALUE}, {"BINARY_SUBSCR", KIND_VALUE}, {"BINARY_SLICE", KIND_VALUE},
        {"COMPARE_OP", KIND_VALUE}, {"IS_OP", KIND_VALUE}, {"CONTAINS_OP", KIND_VALUE}, {"UNARY_NEGATIVE", KIND_VALUE},
        {"UNARY_POSITIVE", KIND_VALUE}, {"UNARY_INVERT", KIND_VALUE}, {"CALL_INTRINSIC_1", KIND_INTRINSIC},
        {"LOAD_ATTR", KIND_ATTRIBUTE}, {"LOAD_SUPER_ATTR", KIND_SUPER}, {"CALL", KIND_CALL}, {"CALL_KW", KIND_CALL_KW},
        {"CALL_FUNCTION_EX", KIND_CALL_EX},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        if (strcmp(name, known[i].name) == 0) {
            kinds[op] = (uint8_t)known[i].kind;
        }
    }
    if (strcmp(name, "LOAD_BUILD_CLASS") == 0) op_build_class = op;
    if (strcmp(name, "LOAD_GLOBAL") == 0) op_load_global = op;
    if (strcmp(name, "LOAD_NAME") == 0) op_load_name = op;
    if (strcmp(name, "LOAD_METHOD") == 0) op_load_method = op;
    if (strcmp(name, "LOAD_ATTR") == 0) op_load_attr = op;
    if (strcmp(name, "IS_OP") == 0) op_is = op;
    if (strcmp(name, "LOAD_COMMON_CONSTANT") == 0) op_common_constant = op;
}

/* ------------------------------------------------------------------ positions */

/* One entry of the location table (Objects/locations.md): units it stands for; the span, with column -1 where unknown. */
static int
next_span(const unsigned char **at, int *line, Step *span)
{
    int first = *(*at)++, form = (first >> 3) & 15;
    *span = (Step){-1, *line, *line, -1, -1};
    if (form < 10) {
        int second = *(*at)++;
        span->column = (form << 3) | ((second >> 4) & 7);
        span->end_column = span->column + (second & 15);
    }
    else if (form < 13) {
        *line += form - 10;
        span->line = span->end_line = *line;
        span->column = *(*at)++;
        span->end_column = *(*at)++;
    }
    else if (form == 13) {
        *line += signed_varint(at);
    }
    else if (form == 14) {
        *line += signed_varint(at);
        span->line = *line;
        span->end_line = *line + (int)varint(at);
        span->column = (int)varint(at) - 1;
        span->end_column = (int)varint(at) - 1;
    }
    return (first & 7) + 1;
}

static Step *
positions(Code *code)
{
    Step *spans = PyMem_RawCalloc((size_t)code->n_units + 1, sizeof(Step));
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(code->code->co_linetable);
    const unsigned char *end = at + PyBytes_GET_SIZE(code->code->co_linetable);
    int line = code->code->co_firstlineno, unit = 0;
    while (spans != NULL && at < end) {
        Step span;
        for (int n = next_span(&at, &line, &span); n > 0 && unit < code->n_units; n--) {
            span.unit = unit;
            spans[unit++] = span;
        }
    }
    return spans;
}

/* ------------------------------------------------------------------ which of them */

typedef struct {
    Code *code;
    const unsigned char *raw;
    int *producers; /* by stack slot: the unit that put its value there, in the order of the code */
    int n_slots;
} SpanWalk;

static int
produced(SpanWalk *w, int slot)
{
    return slot >= 0 && slot < w->n_slots ? w->producers[slot] : -1;
}

static int
next_op(SpanWalk *w, int unit)
{
    for (unit++; unit < w->code->n_units; unit++) {
        if (w->raw[2 * unit]) {
            return w->code->ops[unit];
        }
    }
    return -1;
}

static int
is_super(SpanWalk *w, int producer, int arg)
{
    int op = w->code->ops[producer];
    PyObject *names = w->code->code->co_names;
    int at = op == op_load_global ? arg >> 1 : arg;
    return (op == op_load_global || op == op_load_name) && at < PyTuple_GET_SIZE(names) &&
           PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, at), "super") == 0;
}

/* Whether a call is written in the source; what it calls is no step of its own. */
static int
is_written_call(SpanWalk *w, int unit, int kind, int arg, const char *labels, int depth)
{
    Code *code = w->code;
    int callable, below, is_new = PY_VERSION_HEX >= 0x030D0000;
    if (kind == KIND_CALL_EX) {
        callable = PY_VERSION_HEX >= 0x030E0000 ? depth - 4 : depth - 2 - (arg & 1) - is_new;
    }
    else {
        below = depth - arg - 2 - (kind == KIND_CALL_KW);
        if (below < 0) {
            return 0;
        }
        int is_method = labels[below] == 'M', is_plain = labels[below + is_new] == 'N';
        if (!is_method && !is_plain) {
            return 0;
        }
        callable = is_method || is_new ? below : below + 1;
    }
    int producer = produced(w, callable);
    if (producer < 0) {
        return 1;
    }
    if (kinds[code->ops[producer]] == KIND_ATTRIBUTE) {
        code->step_at[producer] = -1;
    }
    int follows = next_op(w, unit);
    return code->ops[producer] != op_build_class &&
           !(is_super(w, producer, w->raw[2 * producer + 1]) && (follows == op_load_attr || follows == op_load_method));
}

/* 3.14 asks whether `all`, `any` and `tuple` are the built-in ones before it runs a generator expression in line. */
static int
is_made_comparison(SpanWalk *w, int unit, int depth)
{
    int producer = w->code->ops[unit] == op_is ? produced(w, depth - 1) : -1;
    return producer >= 0 && w->code->ops[producer] == op_common_constant;
}

static int
is_step(SpanWalk *w, int unit, int arg, const char *labels, int depth)
{
    int kind = kinds[w->code->ops[unit]];
    switch (kind) {
    case KIND_VALUE: return !is_made_comparison(w, unit, depth);
    case KIND_ATTRIBUTE: return PY_VERSION_HEX < 0x030C0000 || !(arg & 1);
    case KIND_SUPER: return !(arg & 1);
    case KIND_INTRINSIC: return arg == UNARY_POSITIVE_INTRINSIC;
    case KIND_CALL:
    case KIND_CALL_KW:
    case KIND_CALL_EX: return is_written_call(w, unit, kind, arg, labels, depth);
    default: return 0;
    }
}

static void
walk(SpanWalk *w)
{
    Code *code = w->code;
    for (int unit = 0, extended = 0; unit < code->n_units; unit++) {
        int op = w->raw[2 * unit], arg = w->raw[2 * unit + 1] | extended << 8;
        if (op == 0) {
            continue; /* a cache */
        }
        extended = op == OP.extended_arg ? arg : 0;
        if (extended) {
            continue;
        }
        const char *labels = code_labels(code, unit);
        int depth = (int)strlen(labels), next = unit + 1;
        if (code->steps[unit].column >= 0 && code->steps[unit].end_column >= 0 && is_step(w, unit, arg, labels, depth)) {
            code->step_at[unit] = unit;
        }
        while (next < code->n_units && w->raw[2 * next] == 0) {
            next++;
        }
        int depth_next = next < code->n_units ? (int)strlen(code_labels(code, next)) : 0;
        for (int i = stack_kept(op, arg, depth); i < depth_next && i < w->n_slots; i++) {
            w->producers[i] = unit;
        }
    }
}

int
spans_fill(Code *code)
{
    PyObject *raw = PyCode_GetCode(code->code);
    SpanWalk w = {code, NULL, NULL, code->code->co_stacksize + 1};
    w.producers = PyMem_RawMalloc((size_t)w.n_slots * sizeof(int));
    code->steps = positions(code);
    if (raw == NULL || w.producers == NULL || code->steps == NULL) {
        PyMem_RawFree(w.producers);
        Py_XDECREF(raw);
        PyErr_NoMemory();
        return -1;
    }
    memset(w.producers, 0xFF, (size_t)w.n_slots * sizeof(int));
    w.raw = (const unsigned char *)PyBytes_AS_STRING(raw);
    walk(&w);
    PyMem_RawFree(w.producers);
    Py_DECREF(raw);
    return 0;
}
