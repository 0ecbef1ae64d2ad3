/* What a code object says before it runs: slots, labels of its value stack, what a line can change. */
#ifndef DESKCHECK_CODE_H
#define DESKCHECK_CODE_H

#include "../flow/flow.h"
#include "../values/values.h"

/* codes.c */
/* What is known of a code object, made when it is first met; a borrowed pointer that lives as long as the tracer,
   which holds the code object. NULL with an exception. */
Code *code_of(Tracer *t, PyCodeObject *code);
/* Add what is needed once the code runs: its slots, its names and their rows. 0, or -1 with an exception. */
int code_fill(Tracer *t, Code *code);
/* Row of a code object in the table of codes, made when it first runs. The number, or -1 with an exception. */
int code_number(Tracer *t, Code *code);
/* Free all that is known of code objects and drop the references to them; cannot fail. */
void codes_clear(Tracer *t);
/* Once per process: read the opcodes of this Python, and tell every one to `finer` and to the tables below. 0, or
   -1 with an exception. */
int codes_ready(void (*finer)(int op, const char *name));
/* A constant by its number; below 0 the small number of LOAD_SMALL_INT, which lives as long as the interpreter. A
   borrowed reference. */
PyObject *code_constant(Code *code, int i);

/* labels.c */
/* The labels of the value stack before the instruction at this unit, one character a slot; "" where they are not
   known. Borrowed from the code object; sets no exception. */
const char *code_labels(Code *code, int unit);
/* Number of stack slots, from the bottom, that lie there between statements: iterators of loops, ends of `with`, and the
   exceptions of handlers. */
static inline size_t
labels_depth(const char *labels)
{
    return strspn(labels, "IWE");
}
/* Number of stack slots, from the bottom, that the instruction at this unit leaves alone; -1 where that is not
   known. Sets no exception. */
int labels_kept(Code *code, int unit);
/* Once per process and opcode: what the instruction of this name does to the labels; cannot fail. */
void labels_note(int op, const char *name);
/* Once per process: the opcode is a jump; cannot fail. */
void labels_note_jump(int op);

/* lines.c */
/* Once per process and opcode: what the instruction of this name does to the symbols of a line; cannot fail. */
void lines_note(int op, const char *name);
/* Once per process: the opcode is a jump; cannot fail. */
void lines_note_jump(int op);
/* What each line of the code object can change. The caller owns the result (`lines_free`); NULL with an exception
   (no memory). */
Lines *lines_new(Tracer *t, Code *code);
/* Free the result of `lines_new`; NULL is allowed. */
void lines_free(Lines *lines);

/* spans.c */
/* Number of stack slots, from the bottom, that an instruction leaves alone at this depth; too few where that is not
   known. Sets no exception. */
int stack_kept(int op, int arg, int depth);
/* Once per process and opcode: how many slots the instruction of this name takes; cannot fail. */
void stack_kept_note(int op, const char *name);
/* 1 if it is known how many slots an instruction takes, else 0. */
int stack_is_known(int op);
typedef struct Step {
    int32_t unit, line, end_line, column, end_column;
} Step;
/* Once per process and opcode: which kind of expression the instruction of this name finishes; cannot fail. */
void spans_note(int op, const char *name);
/* Fill `code->steps` with the place of each expression in the source; the code object owns them. 0, or -1 with an
   exception. */
int spans_fill(Code *code);

enum { K_OTHER, K_LOAD_FAST, K_LOAD_TWO, K_STORE_FAST, K_STORE_TWO, K_STORE_LOAD, K_DELETE_FAST, K_STORE_DEREF,
       K_LOAD_GLOBAL, K_LOAD_NAME, K_STORE_NAME, K_LOAD_CONST, K_LOAD_ATTR, K_LOAD_METHOD, K_STORE_ATTR, K_DELETE_ATTR,
       K_BINARY_SUBSCR, K_STORE_SUBSCR, K_DELETE_SUBSCR, K_STORE_SLICE, K_BINARY_OP, K_CALL, K_CALL_KW, K_CALL_EX,
       K_KW_NAMES, K_COPY, K_SWAP, K_PUSH_NULL, K_APPEND, K_MADE, K_ANY, K_WITH, K_FAILS, K_POP, K_SUPER, K_NOTHING, K_SMALL_INT, K_TUPLE,
       K_NEGATIVE, K_INVERT, K_SLICE, K_SLICED, K_FORMAT, K_TEXT, K_YIELD };

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
    int next;   /* the unit after the instruction, -1 at the end */
    int is_key; /* a symbol is wanted for its value, as a key, and not for what it leads to */
} Walk;

/* Index of a new symbol made of `a` and `b`; 0, the unknown one, with `w->failed` set if there is no memory. */
int symbols_node(Walk *w, int kind, int a, int b);
/* Facts of a line by its number, borrowed from `w->lines`; NULL if the code object has no such line. */
Line *symbols_line(Walk *w, int number);
/* Note that a line, or every line if the number is negative, can change anything; cannot fail. */
void symbols_any(Walk *w, int line);
/* Note that a line puts an `__exit__` into this slot of the stack, or calls what lies there; cannot fail. */
void symbols_with(Walk *w, int slot);
/* Follow one instruction: what it does to the symbols on the stack. `next` is the unit after it, -1 at the end.
   Sets `w->failed` if there is no memory. */
void symbols_step(Walk *w, int op, int arg, int next);

#endif
