/* What a line can change, found once per code object from its bytecode.
 *
 *   lines_of(t, code, line) -> Line: its touches, and whether it must be taken to change anything
 *
 * The instructions of a line are followed with a stack of symbols: names, their attributes and items. Each
 * instruction that can change an object (STORE_SUBSCR, STORE_ATTR, LIST_APPEND, in-place operators, calls)
 * becomes a touch with the symbol of what it changes; touch.c finds the objects behind the symbols when the
 * line has run. What the symbols cannot say is LINE_ANY: then every object is compared.
 */
#include "code.h"

uint8_t line_kinds[256];
static uint8_t jumps[256], backs[256], binds[256];

void
lines_note(int op, const char *name)
{
    static const struct {
        const char *names;
        uint8_t kind;
    } table[] = {
        {"LOAD_FAST LOAD_FAST_BORROW LOAD_FAST_CHECK LOAD_FAST_AND_CLEAR LOAD_DEREF LOAD_CLASSDEREF", K_LOAD_FAST},
        {"LOAD_FAST_LOAD_FAST LOAD_FAST_BORROW_LOAD_FAST_BORROW", K_LOAD_TWO},
        {"STORE_FAST STORE_FAST_MAYBE_NULL", K_STORE_FAST},
        {"STORE_FAST_STORE_FAST", K_STORE_TWO},
        {"STORE_FAST_LOAD_FAST", K_STORE_LOAD},
        {"DELETE_FAST", K_DELETE_FAST},
        {"STORE_DEREF DELETE_DEREF", K_STORE_DEREF},
        {"LOAD_GLOBAL", K_LOAD_GLOBAL},
        {"LOAD_NAME", K_LOAD_NAME},
        {"STORE_NAME DELETE_NAME STORE_GLOBAL DELETE_GLOBAL IMPORT_STAR", K_STORE_NAME},
        {"LOAD_CONST", K_LOAD_CONST},
        {"LOAD_SMALL_INT", K_SMALL_INT},
        {"LOAD_ATTR", K_LOAD_ATTR},
        {"LOAD_METHOD", K_LOAD_METHOD},
        {"STORE_ATTR", K_STORE_ATTR},
        {"DELETE_ATTR", K_DELETE_ATTR},
        {"BINARY_SUBSCR", K_BINARY_SUBSCR},
        {"STORE_SUBSCR", K_STORE_SUBSCR},
        {"DELETE_SUBSCR", K_DELETE_SUBSCR},
        {"STORE_SLICE", K_STORE_SLICE},
        {"BINARY_OP", K_BINARY_OP},
        {"CALL", K_CALL},
        {"CALL_KW", K_CALL_KW},
        {"CALL_FUNCTION_EX", K_CALL_EX},
        {"KW_NAMES", K_KW_NAMES},
        {"BUILD_TUPLE", K_TUPLE},
        {"UNARY_NEGATIVE", K_NEGATIVE},
        {"UNARY_INVERT", K_INVERT},
        {"BUILD_SLICE", K_SLICE},
        {"BINARY_SLICE", K_SLICED},
        {"FORMAT_VALUE FORMAT_SIMPLE", K_FORMAT},
        {"BUILD_STRING", K_TEXT},
        {"COPY", K_COPY},
        {"SWAP", K_SWAP},
        {"PUSH_NULL", K_PUSH_NULL},
        {"LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE", K_APPEND},
        {"MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE", K_MADE},
        {"BEFORE_ASYNC_WITH LOAD_SPECIAL", K_ANY},
        {"BEFORE_WITH", K_WITH},
        {"POP_TOP", K_POP},
        {"WITH_EXCEPT_START", PY_VERSION_HEX < 0x030E0000 ? K_FAILS : K_ANY},
        {"LOAD_SUPER_ATTR", K_SUPER},
        {"YIELD_VALUE SEND", K_YIELD},
        {"PRECALL NOP NOT_TAKEN RESUME CACHE EXTENDED_ARG", K_NOTHING},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(table); i++) {
        if (listed(name, table[i].names)) {
            line_kinds[op] = table[i].kind;
        }
    }
    backs[op] = strstr(name, "BACKWARD") != NULL;
    binds[op] = strstr(name, "STORE_") != NULL || strstr(name, "DELETE_") != NULL || strstr(name, "CLEAR") != NULL;
    binds[op] &= strstr(name, "FAST") != NULL || strstr(name, "DEREF") != NULL;
}

void
lines_note_jump(int op)
{
    jumps[op] = 1;
}

/* ------------------------------------------------------------------ a code object */

static int
read_arguments(Walk *w)
{
    Code *code = w->code;
    PyObject *raw = PyCode_GetCode(code->code);
    if (raw == NULL) {
        return -1;
    }
    const unsigned char *bytes = (const unsigned char *)PyBytes_AS_STRING(raw);
    for (int i = 0, extended = 0; i < code->n_units; i++) {
        w->sources[i] = INT_MAX;
        w->targets[i] = -1;
        w->args[i] = bytes[2 * i] == 0 && i ? -1 : bytes[2 * i + 1] | extended << 8;
        extended = bytes[2 * i] == OP.extended_arg ? w->args[i] : 0;
    }
    Py_DECREF(raw);
    for (int i = 0; i < code->n_units; i++) {
        int kind = w->args[i] < 0 ? K_OTHER : line_kinds[code->ops[i]];
        if (kind == K_STORE_FAST || kind == K_DELETE_FAST || kind == K_STORE_DEREF || kind == K_STORE_TWO || kind == K_STORE_LOAD) {
            w->stores[w->n_stores++] = i;
        }
        if (w->args[i] < 0 || !jumps[code->ops[i]]) {
            continue;
        }
        int base = i + 1;
        while (PY_VERSION_HEX >= 0x030C0000 && base < code->n_units && w->args[base] < 0) {
            base++;
        }
        int to = base + (backs[code->ops[i]] ? -w->args[i] : w->args[i]);
        if (to < 0 || to >= code->n_units) {
            continue;
        }
        w->targets[i] = to;
        w->sources[to] = i < w->sources[to] ? i : w->sources[to];
    }
    return 0;
}

/* Where paths meet, only what was pushed before they parted is known. */
static void
meet(Walk *w)
{
    const char *labels = code_labels(w->code, w->unit);
    int depth = (int)strlen(labels), source = w->sources[w->unit];
    while (w->depth < depth && w->depth < w->room) {
        w->stack[w->depth++] = (Symbol){0, w->unit};
    }
    w->depth = depth < w->room ? depth : w->room;
    for (int i = 0; i < w->depth; i++) {
        if (w->stack[i].unit >= source || labels[i] == 'E') {
            w->stack[i].node = 0;
        }
    }
}

static void
use(Walk *w, int kind, int name)
{
    Lines *lines = w->lines;
    if (symbols_line(w, w->line) == NULL) {
        return;
    }
    if (lines->n_uses == lines->cap_uses) {
        Use *uses = grown(lines->uses, lines->cap_uses * 2 + 32, sizeof(Use));
        if (uses == NULL) {
            w->failed = 1;
            return;
        }
        lines->uses = uses;
        lines->cap_uses = lines->cap_uses * 2 + 32;
    }
    lines->uses[lines->n_uses++] = (Use){w->line, kind, name};
}

static void
note_uses(Walk *w, int kind, int arg)
{
    switch (kind) {
    case K_LOAD_FAST:
    case K_STORE_FAST:
    case K_DELETE_FAST:
    case K_STORE_DEREF: use(w, N_LOCAL, arg); break;
    case K_LOAD_TWO:
    case K_STORE_TWO:
    case K_STORE_LOAD:
        use(w, N_LOCAL, arg >> 4);
        use(w, N_LOCAL, arg & 15);
        break;
    case K_LOAD_GLOBAL: use(w, N_GLOBAL, arg >> 1); break;
    case K_LOAD_NAME:
    case K_STORE_NAME: use(w, N_NAME, arg); break;
    default: break;
    }
}

/* The slots that an instruction binds or clears. */
static void
note_binds(Walk *w, int op, int arg)
{
    int kind = line_kinds[op], first = kind == K_STORE_TWO || kind == K_STORE_LOAD ? arg >> 4 : arg;
    uint64_t slots = first < 64 ? UINT64_C(1) << first : ALL_SLOTS;
    slots |= kind == K_STORE_TWO ? UINT64_C(1) << (arg & 15) : 0;
    Line *line = symbols_line(w, w->line);
    *(line != NULL ? &line->binds : &w->lines->binds) |= slots;
}

/* The slot for `__exit__`, where the line ends behind that of a `with`; -1: more of the line comes behind it. */
static int
with_slot(Walk *w, int next)
{
    int after = next + 1;
    while (after < w->code->n_units && w->args[after] < 0) {
        after++;
    }
    int is_last = after < w->code->n_units && w->code->lines[after] >= 0 && w->code->lines[after] != w->line;
    int is_put = next >= 0 && (binds[w->code->ops[next]] || line_kinds[w->code->ops[next]] == K_POP);
    return is_last && is_put ? w->depth - 1 : -1;
}

static int
compare_uses(const void *a, const void *b)
{
    int x = ((const Use *)a)->line, y = ((const Use *)b)->line;
    return (x > y) - (x < y);
}

static void
walk(Walk *w)
{
    Code *code = w->code;
    for (int unit = 0; unit < code->n_units && !w->failed; unit++) {
        int op = code->ops[unit], arg = w->args[unit], kind = line_kinds[op], next = unit + 1;
        if (arg < 0) {
            continue;
        }
        while (next < code->n_units && w->args[next] < 0) {
            next++;
        }
        const char *labels = code_labels(code, unit);
        int may_begin = code->lines[unit] != w->line || w->sources[unit] != INT_MAX;
        w->lines->is_folded |= kind == K_YIELD || (may_begin && labels_depth(labels) < strlen(labels));
        w->unit = unit;
        w->line = code->lines[unit];
        meet(w);
        if (kind == K_ANY) {
            symbols_any(w, w->line);
        }
        if (kind == K_WITH || kind == K_FAILS) {
            symbols_with(w, kind == K_FAILS ? w->depth - 4 : with_slot(w, next));
        }
        if (kind == K_STORE_NAME) {
            Line *line = symbols_line(w, w->line);
            if (line != NULL) {
                line->flags |= LINE_NAMES;
            }
            else {
                w->lines->everywhere |= LINE_NAMES;
            }
        }
        note_uses(w, kind, arg);
        if (binds[op]) {
            note_binds(w, op, arg);
        }
        symbols_step(w, op, arg, next < code->n_units ? next : -1);
        w->depth = w->depth < 0 ? 0 : w->depth;
    }
}

static int
compare_touches(const void *a, const void *b)
{
    const Touch *one = a, *other = b;
    int x = one->line, y = other->line;
    return x == y ? (one->unit > other->unit) - (one->unit < other->unit) : (x > y) - (x < y);
}

void
lines_free(Lines *lines)
{
    if (lines != NULL) {
        PyMem_RawFree(lines->nodes);
        PyMem_RawFree(lines->touches);
        PyMem_RawFree(lines->uses);
        PyMem_RawFree(lines->arguments);
        PyMem_RawFree(lines->lines);
        PyMem_RawFree(lines);
    }
}

/* Whether a line needs no search: in-place operators on one name, which may hold a scalar, and calls of global functions. */
static void
sort_line(Code *code, Lines *lines, Line *line)
{
    line->taken = 0;
    line->kind = line->flags ? LINE_OTHER : line->n ? LINE_SIMPLE : LINE_QUIET;
    for (int i = 0; i < line->n; i++) {
        const Touch *touch = &lines->touches[line->start + i];
        const Node *node = &lines->nodes[touch->node];
        if (touch->key > 0 && (touch->what == T_WHOLE || (touch->what == T_CALL && (touch->method == METHOD_POPS || touch->method == METHOD_TAKES)))) {
            line->taken = 1 + line->start + i;
        }
        if (touch->what == T_INPLACE && node->kind == N_LOCAL && code->places[node->a] == P_LOCAL && !line->inplace) {
            line->inplace = 1 + node->a;
        }
        else if (touch->what == T_CALL && node->kind == N_GLOBAL) {
            line->n_calls++;
        }
        else {
            line->kind = LINE_OTHER;
        }
    }
}

/* NULL with an exception: no memory. */
Lines *
lines_new(Tracer *t, Code *code)
{
    Lines *lines = PyMem_RawCalloc(1, sizeof(Lines));
    int low = INT_MAX, high = 0, n = code->n_units;
    for (int i = 0; i < n; i++) {
        if (code->lines[i] >= 0) {
            low = code->lines[i] < low ? code->lines[i] : low;
            high = code->lines[i] > high ? code->lines[i] : high;
        }
    }
    code_labels(code, 0);
    Walk w = {t, code, lines, PyMem_RawMalloc((size_t)n * sizeof(int)), PyMem_RawMalloc((size_t)n * sizeof(int)),
              PyMem_RawMalloc((size_t)n * sizeof(int)), PyMem_RawMalloc((size_t)n * sizeof(int)), 0,
              PyMem_RawMalloc(sizeof(Symbol) * (size_t)(code->code->co_stacksize + 32)), 0,
              code->code->co_stacksize + 24, 0, 0, 0, 0, 0, 0, 0};
    if (lines != NULL) {
        lines->first = low == INT_MAX ? 0 : low;
        lines->n = low == INT_MAX ? 0 : high - low + 1;
        lines->lines = PyMem_RawCalloc((size_t)lines->n + 1, sizeof(Line));
    }
    if (lines == NULL || lines->lines == NULL || w.args == NULL || w.sources == NULL || w.targets == NULL || w.stores == NULL || w.stack == NULL ||
        read_arguments(&w) < 0 || symbols_node(&w, N_UNKNOWN, 0, 0) != 0 || w.failed) {
        lines_free(lines);
        lines = NULL;
    }
    else {
        walk(&w);
        if (w.failed) {
            lines->everywhere |= LINE_ANY;
        }
        if (lines->n_touches) {
            qsort(lines->touches, (size_t)lines->n_touches, sizeof(Touch), compare_touches);
        }
        for (int i = 0; i < lines->n_touches; i++) {
            Line *line = &lines->lines[lines->touches[i].line - lines->first];
            line->start = line->n ? line->start : i;
            line->n++;
        }
        if (lines->n_uses) {
            qsort(lines->uses, (size_t)lines->n_uses, sizeof(Use), compare_uses);
        }
        for (int i = 0; i < lines->n_uses; i++) {
            Line *line = &lines->lines[lines->uses[i].line - lines->first];
            line->first_use = line->n_uses ? line->first_use : i;
            line->n_uses++;
        }
        for (int i = 0; i <= lines->n; i++) {
            lines->lines[i].flags |= lines->everywhere;
            lines->lines[i].binds |= w.failed || i == lines->n ? ALL_SLOTS : lines->binds;
            sort_line(code, lines, &lines->lines[i]);
        }
    }
    PyMem_RawFree(w.args);
    PyMem_RawFree(w.sources);
    PyMem_RawFree(w.targets);
    PyMem_RawFree(w.stores);
    PyMem_RawFree(w.stack);
    if (lines == NULL && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return lines;
}
