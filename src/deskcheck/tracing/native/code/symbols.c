/* The symbols on a value stack while a code object is read (lines.c), and what each instruction can change of what
 * they stand for.
 */
#include "code.h"

enum { INPLACE_FROM = 13 }; /* of BINARY_OP's argument: NB_INPLACE_ADD and after */

/* ------------------------------------------------------------------ symbols */

int
symbols_node(Walk *w, int kind, int a, int b)
{
    Lines *lines = w->lines;
    if (lines->n_nodes == lines->cap_nodes) {
        Node *nodes = grown(lines->nodes, lines->cap_nodes * 2 + 32, sizeof(Node));
        if (nodes == NULL) {
            w->failed = 1;
            return 0;
        }
        lines->nodes = nodes;
        lines->cap_nodes = lines->cap_nodes * 2 + 32;
    }
    Node *node = &lines->nodes[lines->n_nodes];
    *node = (Node){(uint8_t)kind, 0, 0, a, b};
    node->n_hops = kind == N_ATTR || kind == N_ITEM ? (uint8_t)(lines->nodes[a].n_hops + 1) : 0;
    if (kind == N_METHOD) {
        node->n_hops = lines->nodes[a].n_hops;
    }
    return lines->n_nodes++;
}

static void
push(Walk *w, int node)
{
    if (w->depth < w->room) {
        w->stack[w->depth++] = (Symbol){node, w->unit};
    }
    else {
        w->failed = 1;
    }
}

static Symbol
pop(Walk *w)
{
    return w->depth > 0 ? w->stack[--w->depth] : (Symbol){0, 0};
}

static Symbol
peek(Walk *w, int from_top)
{
    return from_top >= 1 && from_top <= w->depth ? w->stack[w->depth - from_top] : (Symbol){0, 0};
}

/* Whether nothing but the line runs between this instruction and the one that is looked at. A statement of several lines
 * may come back to one, and a `yield` lets others run in the middle of it. CPython 3.12 gives another event of the line
 * where paths meet after a call. */
static int
is_in_line(Walk *w, int from)
{
    const Code *code = w->code;
    for (int unit = from; unit <= w->unit; unit++) {
        if ((code->lines[unit] >= 0 && code->lines[unit] != w->line) ||
            (PY_VERSION_HEX >> 16 == 0x030C && unit > from && w->sources[unit] != INT_MAX) ||
            (unit < w->unit && w->args[unit] >= 0 && line_kinds[code->ops[unit]] == K_YIELD)) {
            return 0;
        }
    }
    return 1;
}

/* What a symbol is as part of another: it is taken as its line ends, so it must have been pushed in that line. */
static int
part(Walk *w, Symbol of)
{
    int kind = w->lines->nodes[of.node].kind;
    return kind == N_CONST || kind == N_GLOBAL || is_in_line(w, of.unit) ? of.node : 0;
}

/* ------------------------------------------------------------------ lines */

Line *
symbols_line(Walk *w, int number)
{
    Lines *lines = w->lines;
    int i = number - lines->first;
    return i < 0 || i >= lines->n ? NULL : &lines->lines[i];
}

void
symbols_any(Walk *w, int line)
{
    Line *found = symbols_line(w, line);
    if (found != NULL) {
        found->flags |= LINE_ANY;
    }
    else if (line < 0) {
        w->lines->everywhere |= LINE_ANY;
    }
}

void
symbols_with(Walk *w, int slot)
{
    Line *line = symbols_line(w, w->line);
    if (line == NULL || slot < 0 || (line->flags & LINE_WITH && line->with_slot != slot)) {
        symbols_any(w, w->line);
        return;
    }
    line->flags |= LINE_WITH;
    line->with_slot = slot;
}

static int
is_stored(Walk *w, int slot, int from, int to, int line)
{
    int n = 0;
    for (int i = 0; i < w->n_stores && w->stores[i] < to; i++) {
        int u = w->stores[i], op = w->code->ops[u], arg = w->args[u];
        if (u < from || (line >= 0 && w->code->lines[u] != line)) {
            continue;
        }
        switch (line_kinds[op]) {
        case K_STORE_FAST:
        case K_DELETE_FAST:
        case K_STORE_DEREF: n += arg == slot; break;
        case K_STORE_TWO: n += (arg >> 4) == slot; n += (arg & 15) == slot; break;
        case K_STORE_LOAD: n += (arg >> 4) == slot; break;
        default: break;
        }
    }
    return n;
}

static int holds(Walk *w, int node, int pushed, int *both);

/* Whether several symbols hold, none of them with a name that the line binds too. */
static int
hold_all(Walk *w, int first, int n, int pushed)
{
    int result = is_in_line(w, pushed);
    for (int i = 0; result && i < n; i++) { /* not what a name meant before, where another means what it does after */
        int both = 0;
        result = holds(w, w->lines->arguments[first + i], pushed, &both) && !both;
    }
    return result;
}

/* Of two symbols: a name that the line binds may stand in one of them, since all names are taken before it or after it. */
static int
holds_both(Walk *w, const Node *n, int pushed, int *both)
{
    int a = n->a, b = n->b, left = 0, right = 0;
    int result = is_in_line(w, pushed) && holds(w, a, pushed, &left) && holds(w, b, pushed, &right);
    *both |= left | right;
    return result && !(left && right);
}

/* Whether what the instruction finds at this depth of the stack still lies there in memory when its line is over: nothing
 * that follows in the line pushes so far. CPython does not clear what it takes off, up to 3.13. */
static int
is_left(Walk *w, int depth)
{
    const Code *code = w->code;
    int end = w->unit + 1, n = code->n_units;
    while (end < n && (w->args[end] < 0 || code->lines[end] == w->line || code->lines[end] < 0)) {
        end++;
    }
    if (PY_VERSION_HEX >= 0x030E0000 || depth < 0 || (end < n && (int)strlen(code_labels(w->code, end)) > depth)) {
        return 0;
    }
    for (int unit = w->unit; unit < end; unit++) {
        if (w->args[unit] < 0) {
            continue;
        }
        int to = w->targets[unit];
        if (unit > w->unit && (int)strlen(code_labels(w->code, unit)) > depth) {
            return 0;
        }
        if (to >= 0 && ((int)strlen(code_labels(w->code, to)) > depth ||
                        ((code->lines[to] == w->line || code->lines[to] < 0) && (to <= w->unit || to >= end)))) {
            return 0;
        }
    }
    return 1;
}

/* Whether a symbol means at the end of its line what it meant when it was pushed; *both: or what it meant before. */
static int
holds(Walk *w, int node, int pushed, int *both)
{
    if (node < 0) {
        return 0;
    }
    Node *n = &w->lines->nodes[node];
    switch (n->kind) {
    case N_LOCAL: {
        if (!is_in_line(w, pushed) && is_stored(w, n->a, pushed, w->unit, -1)) {
            return 0;
        }
        int stores = is_stored(w, n->a, 0, w->code->n_units, w->line);
        *both |= stores > 0;
        return stores <= 1;
    }
    case N_ATTR:
    case N_METHOD: return (n->n_hops == 0 || is_in_line(w, pushed)) && holds(w, n->a, pushed, both);
    case N_SUPER: return holds(w, n->a, pushed, both);
    case N_ITEM:
    case N_ARITHMETIC: return holds_both(w, n, pushed, both);
    case N_TUPLE: return hold_all(w, n->a, n->b, pushed);
    case N_SLICE:
    case N_TEXT: return w->is_key && hold_all(w, n->a, n->b, pushed);
    case N_UNARY: return w->is_key && is_in_line(w, pushed) && holds(w, n->a, pushed, both);
    case N_CALL: /* where its arguments do not hold, what it gave back may be known */
        if (w->is_key && n->b >= 0 && !hold_all(w, n->a - 1, n->b + 1, pushed)) {
            w->lines->nodes[node].b = -1;
        }
        return w->is_key && is_in_line(w, pushed);
    case N_LENGTH:
    case N_SUM: return holds(w, n->a, pushed, both);
    case N_STACK: return is_left(w, n->a);
    case N_UNKNOWN: return 0;
    default: return 1;
    }
}

/* The same of one that is wanted for its value. */
static int
holds_key(Walk *w, int node, int pushed, int *both)
{
    w->is_key = 1;
    int result = holds(w, node, pushed, both);
    w->is_key = 0;
    return result;
}

/* Whether it stands for what other functions can change too. */
static int
is_shared(Walk *w, int node)
{
    const Node *n = &w->lines->nodes[node];
    const int *arguments = w->lines->arguments;
    int result = 0;
    switch (n->kind) {
    case N_GLOBAL:
    case N_NAME: return 1;
    case N_LOCAL: return n->a < w->code->n_slots && w->code->places[n->a] != P_LOCAL;
    case N_ITEM:
    case N_ARITHMETIC: return is_shared(w, n->a) || is_shared(w, n->b);
    case N_ATTR:
    case N_METHOD:
    case N_SUPER:
    case N_LENGTH:
    case N_UNARY:
    case N_SUM: return is_shared(w, n->a);
    case N_CALL: /* not the name of what is called: nothing else has run where that is asked */
        result = n->b >= 0 && w->lines->nodes[arguments[n->a - 1]].kind == N_METHOD && is_shared(w, arguments[n->a - 1]);
        /* fall through */
    case N_TUPLE:
    case N_SLICE:
    case N_TEXT:
        for (int i = 0; i < n->b; i++) {
            result |= is_shared(w, arguments[n->a + i]);
        }
        return result;
    default: return 0;
    }
}

/* `depth`: where on the stack the written object lies, -1: it is not looked for there. */
static void
touch(Walk *w, int what, Symbol of, int depth, int key, int extra)
{
    Lines *lines = w->lines;
    int both = 0, key_both = 0, receiver = 0;
    w->is_key = what == T_INPLACE; /* nothing says where it lies but the symbol */
    int is_held = holds(w, of.node, of.unit, &both);
    if (what == T_CALL && !is_held && lines->nodes[of.node].kind == N_METHOD) {
        int self = lines->nodes[of.node].a, of_two = 0;
        receiver = self && holds_key(w, self, of.unit, &of_two) && !of_two ? self : 0;
    }
    if (w->line >= 0 && !is_held && (is_left(w, depth) || receiver)) {
        int name = what == T_CALL ? lines->nodes[of.node].b : 0, left = is_left(w, depth) ? symbols_node(w, N_STACK, depth, 0) : 0;
        of.node = what == T_CALL ? symbols_node(w, N_METHOD, left, name) : left;
        both = 0;
        is_held = 1;
    }
    w->is_key = 0;
    if (w->line < 0 || symbols_line(w, w->line) == NULL || !is_held) {
        symbols_any(w, w->line);
        if (what == T_ATTR) {
            Line *line = symbols_line(w, w->line);
            *(line != NULL ? &line->flags : &lines->everywhere) |= LINE_ATTRIBUTES;
        }
        return;
    }
    if (key > 0 && (!holds_key(w, key, w->unit, &key_both) || key_both)) {
        key = 0; /* any place */
    }
    if (lines->n_touches == lines->cap_touches) {
        Touch *touches = grown(lines->touches, lines->cap_touches * 2 + 16, sizeof(Touch));
        if (touches == NULL) {
            w->failed = 1;
            return;
        }
        lines->touches = touches;
        lines->cap_touches = lines->cap_touches * 2 + 16;
    }
    int shared = is_shared(w, of.node) || (key > 0 && is_shared(w, key)) || (receiver && is_shared(w, receiver));
    lines->touches[lines->n_touches++] =
        (Touch){(uint8_t)what, (uint8_t)both, (uint8_t)shared, (uint8_t)is_left(w, INT_MAX), (uint16_t)extra, of.node, key, w->line, 0, 0, w->unit, receiver, 0, 0, -1, 0, {0, 0}};
}

/* ------------------------------------------------------------------ one instruction */

static int
method_of(Walk *w, int callee)
{
    const Node *n = &w->lines->nodes[callee];
    if (n->kind != N_METHOD) {
        return METHOD_WRITES;
    }
    const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(w->code->code->co_names, n->b));
    if (name == NULL) {
        PyErr_Clear();
        return METHOD_WRITES;
    }
    return strcmp(name, "append") == 0 ? METHOD_APPENDS
           : strcmp(name, "add") == 0 ? METHOD_ADDS
           : strcmp(name, "pop") == 0 ? METHOD_POPS
           : strcmp(name, "popleft") == 0 ? METHOD_POPS_FIRST
           : strcmp(name, "discard") == 0 || strcmp(name, "remove") == 0 ? METHOD_TAKES
           : strcmp(name, "setdefault") == 0 ? METHOD_DEFAULTS
           : listed(name, "get keys values items copy count index union intersection difference symmetric_difference "
                          "issubset issuperset isdisjoint most_common elements")
               ? METHOD_READS
               : METHOD_WRITES;
}

static int
room_for_arguments(Walk *w, int n)
{
    Lines *lines = w->lines;
    if (lines->n_arguments + n > lines->cap_arguments) {
        int cap = (lines->n_arguments + n) * 2 + 16, *arguments = grown(lines->arguments, cap, sizeof(int));
        if (arguments == NULL) {
            w->failed = 1;
            return 0;
        }
        lines->arguments = arguments;
        lines->cap_arguments = cap;
    }
    return 1;
}

/* The symbols of a call's arguments; -1 where one of them is not known. */
static int
arguments_of(Walk *w, int n_arguments, int top)
{
    Lines *lines = w->lines;
    int first = lines->n_arguments;
    if (!room_for_arguments(w, n_arguments)) {
        return -1;
    }
    for (int i = 0; i < n_arguments; i++) {
        Symbol argument = peek(w, top + i);
        int both = 0;
        if (lines->nodes[argument.node].kind != N_FUNCTION && (!holds(w, argument.node, argument.unit, &both) || both)) {
            return -1;
        }
        lines->arguments[first + i] = argument.node;
    }
    lines->n_arguments += n_arguments;
    return first;
}

/* A symbol that means at the end of the line what it meant when it was pushed; 0: it may mean something else. */
static int
held_node(Walk *w, Symbol of)
{
    int both = 0;
    return w->lines->nodes[of.node].kind == N_FUNCTION || (holds(w, of.node, of.unit, &both) && !both) ? of.node : 0;
}

static void
call(Walk *w, int n_arguments, int has_keywords)
{
    Symbol first = peek(w, n_arguments), below = peek(w, n_arguments + 1), callee = peek(w, n_arguments + 2);
    if (has_keywords == 2) { /* 3.13: the names lie on top */
        first = peek(w, n_arguments + 1);
        below = peek(w, n_arguments + 2);
        callee = peek(w, n_arguments + 3);
    }
    const Node *nodes = w->lines->nodes;
    if (nodes[callee.node].kind == N_NULL) { /* NULL, callable, arguments */
        callee = below;
    }
    else if (nodes[below.node].kind != N_NULL && nodes[callee.node].kind != N_METHOD) { /* callable, self, arguments */
        first = nodes[callee.node].kind == N_FUNCTION ? first : below;
    }
    int top = has_keywords == 2 ? 2 : 1, before = w->lines->n_touches, both = 0;
    int self = nodes[callee.node].kind == N_METHOD ? w->depth - top - n_arguments : -1;
    touch(w, T_CALL, callee, self, 0, n_arguments);
    if (w->lines->n_touches > before) {
        Touch *made = &w->lines->touches[before];
        made->method = method_of(w, callee.node);
        const Node *names = &w->lines->nodes[peek(w, 1).node];
        made->keywords = has_keywords == 1 ? w->keywords : has_keywords && names->kind == N_CONST ? 1 + names->a : 0;
        made->key = has_keywords ? -1 : first.node && holds_key(w, first.node, first.unit, &both) && !both ? first.node : 0;
        made->is_shared |= made->key > 0 && is_shared(w, made->key);
        both = 0;
        made->only = n_arguments == 1 && !has_keywords && holds(w, first.node, first.unit, &both) ? first.node : 0;
        both = 0;
        made->arguments = arguments_of(w, n_arguments, top);
        made->last = n_arguments ? held_node(w, peek(w, top)) : 0;
        made->next_to_last = n_arguments > 1 ? held_node(w, peek(w, top + 1)) : made->last;
        made->is_shared |= is_shared(w, made->last) || is_shared(w, made->next_to_last);
    }
}

static int
sum_node(Walk *w, Symbol left, Symbol right, int op)
{
    const Node *nodes = w->lines->nodes;
    if ((op == 0 || op == 10) && nodes[right.node].kind == N_CONST && nodes[left.node].kind == N_LOCAL) {
        PyObject *constant = code_constant(w->code, nodes[right.node].a);
        if (PyLong_CheckExact(constant)) {
            int overflow;
            long number = PyLong_AsLongAndOverflow(constant, &overflow);
            if (!overflow && number > -100000 && number < 100000) {
                return symbols_node(w, N_SUM, left.node, (int)(op == 0 ? number : -number));
            }
        }
    }
    if (op >= INPLACE_FROM || !part(w, left) || !part(w, right)) {
        return 0;
    }
    int node = symbols_node(w, N_ARITHMETIC, left.node, right.node);
    w->lines->nodes[node].op = (uint8_t)(node ? op : 0);
    return node;
}

/* The uppermost symbols, as one that is made of all of them. */
static int
joined_node(Walk *w, int kind, int n)
{
    Lines *lines = w->lines;
    int first = lines->n_arguments;
    if (n == 0 || n > 8 || !room_for_arguments(w, n)) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        lines->arguments[first + i] = part(w, peek(w, n - i));
        if (lines->arguments[first + i] == 0) {
            return 0;
        }
    }
    lines->n_arguments += n;
    return symbols_node(w, kind, first, n);
}

static int
unary_node(Walk *w, int op)
{
    int a = part(w, pop(w)), node = a ? symbols_node(w, N_UNARY, a, 0) : 0;
    w->lines->nodes[node].op = (uint8_t)(node ? op : 0);
    return node;
}

/* What a call gives back. */
static int
call_node(Walk *w, int n)
{
    Lines *lines = w->lines;
    int first = lines->n_arguments, is_known = n <= 4;
    if (n > 8 || !room_for_arguments(w, n + 3)) {
        return 0;
    }
    lines->arguments[first] = w->unit;
    lines->arguments[first + 1] = w->next;
    lines->arguments[first + 2] = 0;
    for (int i = 1; i <= 2; i++) { /* it lies above a NULL, or below one, or is a method below its receiver */
        int node = part(w, peek(w, n + i)), kind = lines->nodes[node].kind;
        lines->arguments[first + 2] = kind == N_GLOBAL || kind == N_METHOD ? node : lines->arguments[first + 2];
    }
    for (int i = 0; i < n; i++) {
        lines->arguments[first + 3 + i] = part(w, peek(w, n - i));
        is_known &= lines->arguments[first + 3 + i] != 0;
    }
    is_known &= lines->arguments[first + 2] != 0;
    lines->n_arguments += n + 3;
    return symbols_node(w, N_CALL, first + 3, is_known ? n : -1);
}

static int
do_stores(Walk *w, int kind, int arg)
{
    Symbol container, key;
    int depth;
    switch (kind) {
    case K_STORE_ATTR: touch(w, T_ATTR, peek(w, 1), w->depth - 1, 0, arg); w->depth -= 2; return 1;
    case K_DELETE_ATTR: touch(w, T_ATTR, peek(w, 1), w->depth - 1, 0, arg); w->depth -= 1; return 1;
    case K_STORE_SUBSCR:
        key = pop(w);
        container = pop(w);
        depth = w->depth;
        pop(w);
        touch(w, T_ITEM, container, depth, part(w, key), 0);
        return 1;
    case K_DELETE_SUBSCR:
        key = pop(w);
        container = pop(w);
        touch(w, T_WHOLE, container, w->depth, part(w, key), 0);
        return 1;
    case K_STORE_SLICE:
        container = peek(w, 3);
        touch(w, T_WHOLE, container, w->depth - 3, 0, 0);
        w->depth -= 4;
        return 1;
    case K_APPEND: {
        Line *line = symbols_line(w, w->line);
        if (line != NULL) {
            line->flags |= LINE_STACK;
        }
        else {
            w->lines->everywhere |= LINE_STACK;
        }
        return 0;
    }
    case K_STORE_DEREF: {
        Line *line = symbols_line(w, w->line);
        if (line != NULL) {
            line->flags |= LINE_CELLS;
        }
        else {
            w->lines->everywhere |= LINE_CELLS;
        }
        return 0;
    }
    default: (void)arg; return 0;
    }
}

/* `s = s + x`, `s += x`, and s is bound nowhere else in the line. */
static void
extend(Walk *w, Symbol left, int op)
{
    const Node *n = &w->lines->nodes[left.node];
    Line *line = symbols_line(w, w->line);
    int next = w->unit + 1;
    while (next < w->code->n_units && w->args[next] < 0) {
        next++;
    }
    if (line != NULL && n->kind == N_LOCAL && (op == 0 || op == INPLACE_FROM) && next < w->code->n_units &&
        line_kinds[w->code->ops[next]] == K_STORE_FAST && w->args[next] == n->a &&
        w->code->lines[left.unit] == w->line && is_stored(w, n->a, 0, w->code->n_units, w->line) == 1) {
        line->extended = n->a + 1;
    }
}

/* 1: the instruction's effect on the stack of symbols is done. */
static int
do_loads(Walk *w, int kind, int arg)
{
    Symbol a, b;
    int name = arg, is_method = 0;
    kind = kind == K_BINARY_OP && arg == SUBSCRIPT ? K_BINARY_SUBSCR : kind;
    switch (kind) {
    case K_LOAD_FAST: push(w, symbols_node(w, N_LOCAL, arg, 0)); return 1;
    case K_LOAD_TWO:
        push(w, symbols_node(w, N_LOCAL, arg >> 4, 0));
        push(w, symbols_node(w, N_LOCAL, arg & 15, 0));
        return 1;
    case K_LOAD_CONST: push(w, symbols_node(w, N_CONST, arg, 0)); return 1;
    case K_SMALL_INT: push(w, symbols_node(w, N_CONST, -1 - arg, 0)); return 1;
    case K_LOAD_NAME: push(w, symbols_node(w, N_NAME, arg, 0)); return 1;
    case K_LOAD_GLOBAL:
        if (arg & 1 && PY_VERSION_HEX < 0x030D0000) push(w, symbols_node(w, N_NULL, 0, 0));
        push(w, symbols_node(w, N_GLOBAL, arg >> 1, 0));
        if (arg & 1 && PY_VERSION_HEX >= 0x030D0000) push(w, symbols_node(w, N_NULL, 0, 0));
        return 1;
    case K_LOAD_ATTR:
        name = PY_VERSION_HEX >= 0x030C0000 ? arg >> 1 : arg;
        is_method = PY_VERSION_HEX >= 0x030C0000 && arg & 1;
        /* fall through */
    case K_LOAD_METHOD:
        is_method |= kind == K_LOAD_METHOD;
        a = pop(w);
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(w->code->code->co_names, name), "__dict__") == 0 ||
            PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(w->code->code->co_names, name), "__kwdefaults__") == 0) {
            symbols_any(w, w->line); /* from now on its instance can change through it: readers.c sees that */
        }
        if (!is_method) {
            push(w, a.node ? symbols_node(w, N_ATTR, a.node, name) : 0);
            if (w->depth) w->stack[w->depth - 1].unit = a.node ? a.unit : w->unit;
            return 1;
        }
        push(w, symbols_node(w, N_METHOD, a.node, name));
        if (w->depth) w->stack[w->depth - 1].unit = a.node ? a.unit : w->unit;
        push(w, a.node);
        return 1;
    case K_SUPER: /* super, class, self */
        a = peek(w, 1);
        w->depth = w->depth < 3 ? 0 : w->depth - 3;
        if (arg & 1) {
            push(w, a.node ? symbols_node(w, N_SUPER, a.node, arg >> 2) : 0);
            if (w->depth) w->stack[w->depth - 1].unit = a.node ? a.unit : w->unit;
        }
        push(w, 0);
        return 1;
    case K_BINARY_SUBSCR:
        b = pop(w);
        a = pop(w);
        push(w, part(w, a) && part(w, b) ? symbols_node(w, N_ITEM, a.node, b.node) : 0);
        return 1;
    case K_BINARY_OP:
        b = pop(w);
        a = pop(w);
        if (arg >= INPLACE_FROM) {
            touch(w, T_INPLACE, a, -1, 0, 0);
        }
        extend(w, a, arg);
        push(w, arg >= INPLACE_FROM ? 0 : sum_node(w, a, b, arg));
        return 1;
    case K_COPY: a = peek(w, arg); push(w, a.node); if (w->depth) w->stack[w->depth - 1].unit = a.unit; return 1;
    case K_SWAP:
        if (arg >= 1 && arg <= w->depth) {
            a = w->stack[w->depth - arg];
            w->stack[w->depth - arg] = w->stack[w->depth - 1];
            w->stack[w->depth - 1] = a;
        }
        return 1;
    case K_PUSH_NULL: push(w, symbols_node(w, N_NULL, 0, 0)); return 1;
    case K_NEGATIVE: push(w, unary_node(w, UNARY_NEGATIVE)); return 1;
    case K_INVERT: push(w, unary_node(w, UNARY_INVERT)); return 1;
    case K_FORMAT:
        if (PY_VERSION_HEX < 0x030D0000 && arg) {
            return 0;
        }
        push(w, unary_node(w, UNARY_FORMAT));
        return 1;
    case K_SLICED: {
        int slice = joined_node(w, N_SLICE, 2);
        w->depth = w->depth < 2 ? 0 : w->depth - 2;
        a = pop(w);
        push(w, part(w, a) && slice ? symbols_node(w, N_ITEM, a.node, slice) : 0);
        return 1;
    }
    default: return 0;
    }
}

/* `len(a)`, for an index. */
static int
length_node(Walk *w)
{
    for (int i = 2; i <= 3; i++) { /* its callee lies above a NULL, or below one */
        const Node *n = &w->lines->nodes[peek(w, i).node];
        if (n->kind == N_GLOBAL && peek(w, 1).node &&
            PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(w->code->code->co_names, n->a), "len") == 0) {
            return symbols_node(w, N_LENGTH, peek(w, 1).node, n->a);
        }
    }
    return 0;
}

static int
do_calls(Walk *w, int kind, int arg)
{
    int length = 0; /* the symbol of the result */
    switch (kind) {
    case K_NOTHING: return 1;
    case K_KW_NAMES: w->has_keywords = 1; w->keywords = 1 + arg; return 1;
    case K_CALL:
        length = arg == 1 && !w->has_keywords ? length_node(w) : 0;
        length = length || w->has_keywords ? length : call_node(w, arg);
        if (arg == 2 && w->depth > 3 && code_labels(w->code, w->unit)[w->depth - 4] == 'W') {
            symbols_with(w, w->depth - 4); /* `__exit__(None, None, None)` */
        }
        else {
            call(w, arg, w->has_keywords);
        }
        w->has_keywords = w->keywords = 0;
        w->depth = w->depth < arg + 2 ? 0 : w->depth - arg - 2;
        break;
    case K_CALL_KW:
        call(w, arg, 2);
        w->depth = w->depth < arg + 3 ? 0 : w->depth - arg - 3;
        break;
    case K_CALL_EX: {
        int extra = PY_VERSION_HEX >= 0x030E0000 || arg & 1, below = 0;
        Symbol callee = peek(w, 2 + extra); /* callable, (NULL from 3.13 on,) arguments; 3.14: keywords or NULL */
        if (w->lines->nodes[callee.node].kind == N_NULL || PY_VERSION_HEX >= 0x030D0000) {
            callee = peek(w, 3 + extra);
        }
        below = 3 + extra;
        touch(w, T_CALL, callee, -1, -1, 0);
        w->depth = w->depth < below ? 0 : w->depth - below;
        break;
    }
    case K_TUPLE:
    case K_SLICE:
    case K_TEXT:
        length = joined_node(w, kind == K_TUPLE ? N_TUPLE : kind == K_SLICE ? N_SLICE : N_TEXT, arg);
        w->depth = w->depth < arg ? 0 : w->depth - arg;
        break;
    default: return 0;
    }
    push(w, length);
    return 1;
}

/* Any other: as many off and on as the interpreter says, all unknown. */
static void
do_other(Walk *w, int op, int arg, int want)
{
    const char *after = want >= 0 ? code_labels(w->code, want) : "";
    int depth = (int)strlen(after), net = PyCompile_OpcodeStackEffectWithJump(op, arg, 0);
    int n_made = line_kinds[op] == K_MADE ? 1 : 0;
    if (net == PY_INVALID_STACK_EFFECT) {
        net = depth - w->depth;
    }
    /* Everything that it may have taken off or changed is unknown: from the lowest depth on. */
    int now = w->depth + net, low = now < w->depth ? now : w->depth;
    low = low > 0 ? low - 1 : 0;
    for (int i = low; i < now && i < w->room; i++) {
        w->stack[i] = (Symbol){0, w->unit};
    }
    w->depth = now < 0 ? 0 : now < w->room ? now : w->room;
    if (n_made && w->depth) {
        w->stack[w->depth - 1] = (Symbol){symbols_node(w, N_FUNCTION, 0, 0), w->unit};
    }
}

/* What an instruction does to the symbols on the stack; `next`: the unit after it, -1 at the end. */
void
symbols_step(Walk *w, int op, int arg, int next)
{
    int kind = line_kinds[op];
    w->next = next < 0 ? w->code->n_units : next;
    if (!do_stores(w, kind, arg) && !do_loads(w, kind, arg) && !do_calls(w, kind, arg)) {
        do_other(w, op, arg, next);
    }
}
