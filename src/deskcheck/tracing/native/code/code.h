/* What a code object says before it runs: slots, labels of its value stack, what a line can change. */
#ifndef DESKCHECK_CODE_H
#define DESKCHECK_CODE_H

#include "../flow/flow.h"
#include "../values/values.h"

/* codes.c */
Code *code_of(Tracer *t, PyCodeObject *code);
int code_fill(Tracer *t, Code *code);
int code_number(Tracer *t, Code *code);
void codes_clear(Tracer *t);
int codes_ready(void (*finer)(int op, const char *name));
PyObject *code_constant(Code *code, int i);

/* labels.c */
const char *code_labels(Code *code, int unit);
int labels_kept(Code *code, int unit);
void labels_note(int op, const char *name);
void labels_note_jump(int op);

/* lines.c */
void lines_note(int op, const char *name);
void lines_note_jump(int op);
Lines *lines_new(Tracer *t, Code *code);
void lines_free(Lines *lines);

/* spans.c */
int stack_kept(int op, int arg, int depth);
void stack_kept_note(int op, const char *name);
int stack_is_known(int op);
typedef struct Step {
    int32_t unit, line, end_line, column, end_column;
} Step;
void spans_note(int op, const char *name);
int spans_fill(Code *code);

enum { K_OTHER, K_LOAD_FAST, K_LOAD_TWO, K_STORE_FAST, K_STORE_TWO, K_STORE_LOAD, K_DELETE_FAST, K_STORE_DEREF,
       K_LOAD_GLOBAL, K_LOAD_NAME, K_STORE_NAME, K_LOAD_CONST, K_LOAD_ATTR, K_LOAD_METHOD, K_STORE_ATTR, K_DELETE_ATTR,
       K_BINARY_SUBSCR, K_STORE_SUBSCR, K_DELETE_SUBSCR, K_STORE_SLICE, K_BINARY_OP, K_CALL, K_CALL_KW, K_CALL_EX,
       K_KW_NAMES, K_COPY, K_SWAP, K_PUSH_NULL, K_APPEND, K_MADE, K_ANY, K_SUPER, K_NOTHING, K_SMALL_INT, K_TUPLE };

extern uint8_t line_kinds[256];

typedef struct {
    int node, unit;
} Symbol;

typedef struct {
    Tracer *t;
    Code *code;
    Lines *lines;
    int *args, *sources, *targets; /* by unit: argument, -1 for caches; the first jump that comes here; where it jumps, -1: nowhere */
    int *stores, n_stores; /* units of instructions that bind local names, ascending */
    Symbol *stack;
    int depth, room, unit, line, has_keywords, keywords, failed;
} Walk;

int symbols_node(Walk *w, int kind, int a, int b);
Line *symbols_line(Walk *w, int number);
void symbols_any(Walk *w, int line);
void symbols_step(Walk *w, int op, int arg, int next);

#endif
