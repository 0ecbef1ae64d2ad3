/* Which lines of a code object can follow which, from its instructions: what a trace's line events are held against.
 *
 *   line_flow(code, &pairs) -> how many, or -1      pairs of lines, ascending, to be freed with PyMem_RawFree
 *
 * (a, b): a line event of b can come next after one of a in the same frame. a = -1: the frame begins. b = -1: it can
 * return there, b = -2: it can be suspended there. The instructions of a line are followed, and those without a line
 * and those that never make an event, until another line begins; each of them can raise. So no run makes a pair that
 * is not there; not every pair that is there can be made. In Python: `lines.flow_made_here`.
 */
#include "flow.h"

/* Whether a name is one of these words. */
int
listed(const char *name, const char *words)
{
    size_t n = strlen(name);
    for (const char *at = strstr(words, name); at != NULL; at = strstr(at + 1, name)) {
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0)) {
            return 1;
        }
    }
    return 0;
}

enum { JUMPS = 1, BACKWARD = 2, ENDS = 4, RETURNS = 8, YIELDS = 16, SILENT = 32, RESUMES = 64, EXTENDS = 128 };
enum { AT_BEGIN = -1, TO_RETURN = -1, TO_YIELD = -2 };

static uint8_t kinds[256];

typedef struct {
    int n;
    const unsigned char *raw;
    int *lines, *next, *targets, *handlers; /* by unit; -1: none */
    int *same, *seen, *work;                /* the next unit of the same line; the walk that met it last; to be followed */
    uint8_t *quiet; /* by unit: the interpreter may make no event there, though another line begins */
    int32_t *pairs;
    int n_pairs, cap_pairs, first_of_walk, failed;
} Flow;

static void
add_pair_of(Flow *f, int from, int to)
{
    for (int i = f->first_of_walk; i < f->n_pairs; i++) {
        if (f->pairs[2 * i + 1] == to) {
            return;
        }
    }
    if (f->n_pairs == f->cap_pairs) {
        int cap = f->cap_pairs * 2 + 32;
        int32_t *pairs = PyMem_RawRealloc(f->pairs, (size_t)cap * 2 * sizeof(int32_t));
        if (pairs == NULL) {
            f->failed = 1;
            return;
        }
        f->pairs = pairs;
        f->cap_pairs = cap;
    }
    f->pairs[2 * f->n_pairs] = from;
    f->pairs[2 * f->n_pairs++ + 1] = to;
}

/* ------------------------------------------------------------------ what the instructions say */

static void
fill_unit_lines(Flow *f, PyCodeObject *code)
{
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(code->co_linetable);
    const unsigned char *end = at + PyBytes_GET_SIZE(code->co_linetable);
    int line = code->co_firstlineno, unit = 0, here;
    while (at < end) {
        for (int n = next_lines(&at, &line, &here); n > 0 && unit < f->n; n--) {
            f->lines[unit++] = here;
        }
    }
}

static void
fill_handlers(Flow *f, PyObject *table)
{
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(table), *end = at + PyBytes_GET_SIZE(table);
    Handler one;
    while (next_handler(&at, end, &one)) {
        for (unsigned unit = one.start; unit - one.start < one.n && unit < (unsigned)f->n; unit++) {
            f->handlers[unit] = one.target < (unsigned)f->n ? (int)one.target : -1;
        }
    }
}

static void
fill_steps_of_units(Flow *f)
{
    unsigned argument = 0;
    for (int unit = 0; unit < f->n;) {
        int op = f->raw[2 * unit], next = unit + 1;
        argument = argument << 8 | f->raw[2 * unit + 1];
        while (next < f->n && f->raw[2 * next] == 0) { /* caches */
            next++;
        }
        f->next[unit] = kinds[op] & ENDS || next == f->n ? -1 : next;
        if (kinds[op] & JUMPS) {
            int base = PY_VERSION_HEX >= 0x030C0000 ? next : unit + 1;
            int to = kinds[op] & BACKWARD ? base - (int)argument : base + (int)argument;
            f->targets[unit] = to >= 0 && to < f->n ? to : -1;
        }
        argument = kinds[op] & EXTENDS ? argument : 0;
        unit = next;
    }
}

/* From 3.12 on the interpreter looks once, in the order of the code, where a line begins, and leaves the end of a loop
 * out: what follows that has no beginning where it is of the line that stands before. */
static void
fill_quiet(Flow *f)
{
    int line = -1, is_quiet = 0, is_behind = 0;
    for (int unit = 0; unit < f->n; unit++) {
        if (unit && f->raw[2 * unit] == 0) {
            continue;
        }
        if (kinds[f->raw[2 * unit]] & SILENT) {
            is_behind = 1;
            is_quiet = 0;
            continue;
        }
        is_quiet = f->lines[unit] == line && (is_behind || is_quiet);
        f->quiet[unit] = (uint8_t)is_quiet;
        line = f->lines[unit];
        is_behind = 0;
    }
}

/* ------------------------------------------------------------------ from one line to the next */

static void
reach(Flow *f, int unit, int walk, int *n_work)
{
    if (unit >= 0 && unit < f->n && f->seen[unit] != walk) {
        f->seen[unit] = walk;
        f->work[(*n_work)++] = unit;
    }
}

/* From the instructions that are to be followed until another line begins. */
static void
walk_line(Flow *f, int line, int walk, int n_work)
{
    int can_repeat = 0;
    f->first_of_walk = f->n_pairs;
    while (n_work && !f->failed) {
        int unit = f->work[--n_work], kind = kinds[f->raw[2 * unit]], here = f->lines[unit];
        if (here >= 0 && here != line) {
            add_pair_of(f, line, here);
            if (!(kind & SILENT) && !f->quiet[unit]) {
                continue;
            }
        }
        can_repeat |= kind & JUMPS || here != line || (f->handlers[unit] >= 0 && f->lines[f->handlers[unit]] == line);
        if (kind & RETURNS) {
            add_pair_of(f, line, TO_RETURN);
        }
        if (kind & YIELDS) {
            add_pair_of(f, line, TO_YIELD);
        }
        reach(f, f->next[unit], walk, &n_work);
        reach(f, f->targets[unit], walk, &n_work);
        reach(f, f->handlers[unit], walk, &n_work);
    }
    if (line >= 0 && can_repeat) {
        add_pair_of(f, line, line);
    }
}

static int
compare_flow(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    int i = x[0] == y[0];
    return (x[i] > y[i]) - (x[i] < y[i]);
}

static int
follow(Flow *f, int low, int high)
{
    int *newest = PyMem_RawMalloc((size_t)(high - low + 1) * sizeof(int));
    if (newest == NULL) {
        return -1;
    }
    memset(newest, 0xFF, (size_t)(high - low + 1) * sizeof(int));
    for (int unit = 0; unit < f->n; unit++) {
        int is_cache = unit && f->raw[2 * unit] == 0;
        if (f->lines[unit] >= 0 && !is_cache) {
            f->same[unit] = newest[f->lines[unit] - low];
            newest[f->lines[unit] - low] = unit;
        }
    }
    int begin = 0, walk = 0, n_work = 0;
    while (begin < f->n && !(kinds[f->raw[2 * begin]] & RESUMES)) {
        begin++;
    }
    reach(f, begin < f->n ? begin : 0, walk, &n_work);
    walk_line(f, AT_BEGIN, walk++, n_work);
    for (int line = low; line <= high && !f->failed; line++) {
        n_work = 0;
        for (int unit = newest[line - low]; unit >= 0; unit = f->same[unit]) {
            reach(f, unit, walk, &n_work);
        }
        if (n_work) {
            walk_line(f, line, walk++, n_work);
        }
    }
    PyMem_RawFree(newest);
    return f->failed ? -1 : 0;
}

int
line_flow(PyCodeObject *code, int32_t **pairs)
{
    PyObject *raw = PyCode_GetCode(code);
    if (raw == NULL) {
        return -1;
    }
    int n = (int)(PyBytes_GET_SIZE(raw) / 2), low = INT_MAX, high = -1;
    int *block = PyMem_RawMalloc(((size_t)n * 7 + 1) * sizeof(int));
    Flow f = {.n = n, .raw = (const unsigned char *)PyBytes_AS_STRING(raw)};
    int result = -1;
    f.quiet = PyMem_RawCalloc((size_t)n + 1, 1);
    if (block != NULL && f.quiet != NULL) {
        memset(block, 0xFF, (size_t)n * 7 * sizeof(int));
        f.lines = block;
        f.next = block + n;
        f.targets = block + 2 * n;
        f.handlers = block + 3 * n;
        f.same = block + 4 * n;
        f.seen = block + 5 * n;
        f.work = block + 6 * n;
        fill_unit_lines(&f, code);
        fill_handlers(&f, code->co_exceptiontable);
        fill_steps_of_units(&f);
        fill_quiet(&f);
        for (int unit = 0; unit < n; unit++) {
            low = f.lines[unit] >= 0 && f.lines[unit] < low ? f.lines[unit] : low;
            high = f.lines[unit] > high ? f.lines[unit] : high;
        }
        result = high < 0 ? 0 : follow(&f, low, high);
    }
    PyMem_RawFree(block);
    PyMem_RawFree(f.quiet);
    Py_DECREF(raw);
    if (result < 0) {
        PyMem_RawFree(f.pairs);
        PyErr_NoMemory();
        return -1;
    }
    if (f.n_pairs) {
        qsort(f.pairs, (size_t)f.n_pairs, 2 * sizeof(int32_t), compare_flow);
    }
    *pairs = f.pairs;
    return f.n_pairs;
}

/* ------------------------------------------------------------------ opcodes by name */

void
line_flow_note(int op, const char *name)
{
    kinds[op] |= strstr(name, "BACKWARD") != NULL ? BACKWARD : 0;
    kinds[op] |= listed(name, "RETURN_VALUE RETURN_CONST RAISE_VARARGS RERAISE JUMP_FORWARD JUMP_BACKWARD "
                              "JUMP_BACKWARD_NO_INTERRUPT") ? ENDS : 0;
    kinds[op] |= listed(name, "RETURN_VALUE RETURN_CONST") ? RETURNS : 0;
    kinds[op] |= strcmp(name, "YIELD_VALUE") == 0 ? YIELDS : 0;
    kinds[op] |= listed(name, "RESUME END_FOR POP_ITER END_SEND END_ASYNC_FOR COPY_FREE_VARS MAKE_CELL RETURN_GENERATOR") ? SILENT : 0;
    kinds[op] |= strcmp(name, "RESUME") == 0 ? RESUMES : 0;
    kinds[op] |= strcmp(name, "EXTENDED_ARG") == 0 ? EXTENDS : 0;
}

void
line_flow_note_jump(int op)
{
    kinds[op] |= JUMPS;
}
