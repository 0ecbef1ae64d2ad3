/* The recorder of C programs: it compares registered memory at each event and writes the columns of a trace.

    dk_run(3, limits, is_check) -> 0          runs the program's `dk_main` and writes the columns to descriptor 3

Checking (`is_check`): only steps are counted, for a build with sanitizers; a report of one ends with the line that ran.
Covered: variables, globals, blocks of malloc, output of printf, puts and putchar.
Not covered: padding, bytes after the end of a string, memory that a library allocates for itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include "probes.h"
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef printf
#undef putchar
#undef puts
#undef strdup
#undef qsort
#undef bsearch
#undef exit
#undef abort
static int pattern; /* byte that memory without a value is filled with */
#include "columns.h"
#include "objects.h"

/* Limits of a run, in the order in which worker.py passes them. */
struct limits { long steps, trace_bytes, value_bytes, output_bytes, memory_bytes, nodes, pattern; };
extern void dk_main(void); /* written after the program */
extern struct dk_tables dk_tables(void);

struct frame { int number, code, line, first, first_exposed, is_over; };
static struct frame *frames;
static int n_frames, frames_room, frames_made;
static struct limits most;
static long memory_used;
static int is_checking, current_line, stopped;
static int outcome = -1, exit_code = -1;
static const char *failure;
static uint64_t course; /* hash of the lines that ran, what functions returned and printed; in any order, as operands are evaluated */
static jmp_buf back;

static int calls_back; /* qsort and bsearch run: with sanitizers they call the program more often */
static inline void passed(uint64_t kind, uint64_t what) { if (!calls_back) course += mixed((what << 2 | kind) + 1); }
static void stop(int why) { stopped = why; longjmp(back, 1); }
static struct frame *top(void) { return n_frames ? &frames[n_frames - 1] : NULL; }
static void *more_room(void *at, int n, int *room, size_t width) {
    if (n < *room) return at;
    *room = *room ? 2 * *room : 256;
    at = realloc(at, (size_t)*room * width);
    if (at == NULL) stop(BY_MEMORY);
    return at;
}

/* ------------------------------------------------------------ comparing */

static int is_hidden(const struct place *v) { /* by a later variable of the same name in its function */
    for (const struct place *w = v + 1; w < vars + n_vars; w++) if (w->name == v->name && w->frame == v->frame) return 1;
    return 0;
}
static void bind(const struct place *v) {
    if (v->name < 0) return;
    push_change(v->frame < 0 ? GLOBAL : LOCAL, v->frame < 0 ? 0 : v->frame, name_handle(v->name), -1, SET, v->handle);
}
static void changed(struct place *v) {
    if (v->type >= 0 && v->object >= 0) differ(v->type, v->address, copy_of(v), v->size, v->object, v->below);
    else if (v->type >= 0) {
        v->is_fresh = 0;
        v->handle = scalar_value(v->type, v->address);
        if (!is_hidden(v)) bind(v);
    }
    memcpy(copy_of(v), v->address, v->size);
}
static inline void look(struct place *v) {
    if (v->size == 8 ? *(uint64_t *)v->address != *(uint64_t *)v->inside
        : v->size == 4 ? *(uint32_t *)v->address != *(uint32_t *)v->inside
        : memcmp(v->address, copy_of(v), v->size) != 0) changed(v);
}
static void compare(void) {
    struct frame *f = top();
    for (int i = f != NULL ? f->first : n_vars; i < n_vars; i++) if (!(vars[i].flags & DK_EXPOSED)) look(&vars[i]);
    for (int i = 0; i < n_exposed; i++) look(&vars[exposed[i]]);
    for (int i = 0; i < n_heap; i++) look(&heap[i]);
}
static void give_type(struct place *block, int type) {
    size_t width = type_of(type)->size;
    if (width == 0 || width > block->size) return;
    int whole = block->size / width == 1 && type_of(type)->kind == DK_STRUCT ? type : -1;
    for (int t = 0; whole < 0; t++) /* the table has an array of each type that a pointer points to */
        if (type_of(t)->kind == DK_ARRAY && type_of(t)->to == type && type_of(t)->size == 0) whole = t;
    block->type = whole;
    block->below = make_objects(whole, block->size, block->object);
    memcpy(copy_of(block), block->address, block->size);
    fill(whole, block->address, block->size, block->object, block->below);
}

/* ------------------------------------------------------------ places */

static struct place *insert_block(char *address, size_t size) {
    if (n_heap == heap_room) heap = more_room(heap, n_heap, &heap_room, sizeof *heap);
    int at = by_address(address) + 1;
    memmove(heap + at + 1, heap + at, (size_t)(n_heap - at) * sizeof *heap);
    n_heap++;
    heap[at] = (struct place){.address = address, .size = size, .type = -1, .object = -1, .below = -1, .name = -1, .frame = -1};
    if (size > SMALL && (heap[at].shadow = malloc(size)) == NULL) stop(BY_MEMORY);
    memcpy(copy_of(&heap[at]), address, size);
    return &heap[at];
}
static struct place *push_var(struct place v) {
    vars = more_room(vars, n_vars, &vars_room, sizeof *vars);
    vars[n_vars] = v;
    return &vars[n_vars++];
}
/* An array or a structure that outlives its function: the place stays, and a name for it comes and goes. */
static void static_place(char *address, size_t size, int type, int name) {
    int at = by_address(address);
    struct place *block = at >= 0 && heap[at].address == address ? &heap[at] : NULL;
    if (block == NULL) {
        block = insert_block(address, size);
        block->type = type, block->object = make_objects(type, size, -1), block->below = block->object + 1;
        fill(type, address, size, block->object, block->below);
    }
    bind(push_var((struct place){.type = type, .object = block->object, .below = -1, .name = name, .frame = top()->number,
                                 .handle = reference(block->object)}));
}
void dk_var(void *address, unsigned long size, int type, int name, int flags) {
    if (is_checking) return;
    if (!(flags & DK_SET)) memset(address, pattern, size);
    if (flags & DK_STATIC && is_container(type)) { static_place(address, size, type, name); return; }
    struct place *v = push_var((struct place){.address = address, .size = size, .type = type, .object = -1, .below = -1, .name = name,
                                              .frame = flags & DK_GLOBAL ? -1 : top()->number, .flags = flags, .is_fresh = !(flags & DK_SET)});
    if (size > SMALL && (v->shadow = malloc(size)) == NULL) stop(BY_MEMORY);
    memcpy(copy_of(v), address, size);
    if (flags & DK_EXPOSED) {
        exposed = more_room(exposed, n_exposed, &exposed_room, sizeof *exposed);
        exposed[n_exposed++] = n_vars - 1;
    }
    if (is_container(type)) {
        v->object = make_objects(type, size, -1), v->below = v->object + 1;
        v->handle = reference(v->object);
        bind(v);
        fill(type, address, size, v->object, v->below);
        return;
    }
    int is_unset = v->is_fresh && is_pattern(address, size);
    v->handle = is_unset ? plain_value(UNASSIGNED, 0, type_of(type)->name) : scalar_value(type, address);
    bind(v);
}
static void forget(int n, int n_of_exposed, int is_told) {
    for (; n_exposed > n_of_exposed; n_exposed--) continue;
    while (n_vars > n) {
        struct place v = vars[--n_vars];
        if (v.size > SMALL) free(v.shadow);
        if (!is_told || v.name < 0) continue;
        const struct place *outer = NULL;
        for (int i = n_vars - 1; i >= 0 && outer == NULL; i--) if (vars[i].name == v.name && vars[i].frame == v.frame) outer = &vars[i];
        if (outer != NULL) bind(outer);
        else push_change(LOCAL, v.frame, name_handle(v.name), -1, DELETE, -1);
    }
}

/* ------------------------------------------------------------ events */

int dk_enter(int code, int line) {
    if (is_checking) { current_line = line; return 0; }
    compare();
    frames = more_room(frames, n_frames, &frames_room, sizeof *frames);
    put32(F_CODE, code), put32(F_PARENT, n_frames ? top()->number : -1);
    frames[n_frames++] = (struct frame){frames_made++, code, line, n_vars, n_exposed, 0};
    return 0;
}
void dk_called(void) { if (!is_checking) push_event(CALL, top()->number, top()->line, -1); }
void dk_line(int line) {
    current_line = line;
    if (n_steps >= most.steps) stop(BY_STEPS);
    passed(0, (uint64_t)line);
    if (is_checking) { n_steps++; return; }
    compare();
    struct frame *f = top();
    f->line = line;
    push_event(LINE, f->number, line, -1);
}
void dk_return(void *value, int type) {
    if (type >= 0 && type_of(type)->kind < DK_LONG_DOUBLE)
        for (size_t i = 0; i < type_of(type)->size; i++) passed(1, i << 8 | ((unsigned char *)value)[i]);
    if (is_checking) return;
    struct frame *f = top();
    compare();
    int handle;
    if (type < 0) handle = plain_value(NONE, 0, 4);
    else if (is_container(type)) { /* a structure by value: a new object */
        int object = make_objects(type, type_of(type)->size, -1);
        handle = reference(object);
        fill(type, value, type_of(type)->size, object, object + 1);
    } else handle = scalar_value(type, value);
    push_event(RETURN, f->number, f->line, handle);
    f->is_over = 1;
    if (n_frames == 1) outcome = handle;
}
void dk_leave(int *frame) {
    (void)frame;
    if (is_checking) return;
    if (!top()->is_over) dk_return(NULL, -1);
    struct frame f = frames[n_frames - 1];
    forget(f.first, f.first_exposed, 0);
    n_frames--;
}
void dk_fill(void *address, unsigned long size) { memset(address, pattern, size); }
struct dk_mark dk_open(void) { return (struct dk_mark){n_vars, n_exposed}; }
void dk_close(struct dk_mark *mark) {
    if (is_checking) return;
    struct frame *f = top();
    if (!f->is_over) compare();
    forget(mark->n, mark->n_exposed, !f->is_over);
}
/* End the run by an exception: it appears in the innermost frame and leaves every frame. */
static void unwind(const char *text) {
    if (!is_checking) {
        compare();
        int handle = outcome = opaque_value(text, 0);
        push_event(RAISE, top()->number, top()->line, handle);
        for (; n_frames; n_frames--) push_event(UNWIND, top()->number, top()->line, -1);
    }
    longjmp(back, 1);
}
void dk_exit(int code) {
    static char text[32];
    exit_code = code & 255;
    snprintf(text, sizeof text, "exit %d", exit_code);
    failure = "exit";
    unwind(text);
}
void dk_abort(void) { failure = "abort"; unwind("abort"); }
void dk_failed(const char *text, int line) {
    static char message[512];
    current_line = line;
    snprintf(message, sizeof message, "assertion failed: %s", text);
    failure = message;
    unwind(message);
}

#include "library.h"

/* ------------------------------------------------------------ the run */

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
static void last_line(void) { dprintf(2, "\ndeskcheck: line %d\n", current_line); }

static void send(int fd, const void *data, size_t n) {
    for (const char *p = data; n > 0;) {
        ssize_t written = write(fd, p, n);
        if (written <= 0) _exit(70);
        p += written, n -= (size_t)written;
    }
}
static void report(int fd) {
    char text[1024];
    int line = columns[E_LINE].n ? ((int32_t *)columns[E_LINE].at)[columns[E_LINE].n / 4 - 1] : -1;
    int n = snprintf(text, sizeof text, "%d\n%d\n%d\n%d\n%.600s\n%llx\n", stopped, outcome, exit_code, line, failure ? failure : "",
                     (unsigned long long)course);
    uint64_t size = (uint64_t)n;
    send(fd, &size, 8), send(fd, text, size);
    for (int i = 0; i < N_COLUMNS; i++) {
        size = columns[i].n;
        send(fd, &size, 8), send(fd, columns[i].at, size);
    }
}
__attribute__((visibility("default"))) int dk_run(int fd, const struct limits *limits, int is_check) {
    most = *limits, is_checking = is_check, pattern = (int)most.pattern;
    trace_bytes_left = most.trace_bytes, value_bytes = most.value_bytes, max_objects = (int)most.nodes;
    program = dk_tables();
    name_handles = malloc((size_t)program.n_names * sizeof *name_handles);
    for (int i = 0; i < program.n_names; i++) name_handles[i] = -1;
    if (is_check && __sanitizer_set_death_callback) __sanitizer_set_death_callback(last_line);
    if (!setjmp(back)) dk_main();
    if (!is_check) report(fd);
    else if (!stopped) dprintf(2, "\ndeskcheck: course %llx\n", (unsigned long long)course);
    return 0;
}
