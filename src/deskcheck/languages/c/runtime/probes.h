/* What an instrumented program sees of the recorder: its probes, its table of types, and the library calls that it
replaces. `instrument.py` puts this text before the program and writes the calls; `record.c` has the recorder.

    long f(long n) {
      int dk_frame CLEANUP(dk_leave) = dk_enter(0, 1);
      dk_var(&n, sizeof n, 1, 0, 0); dk_called();
      dk_line(2); long s = 0; dk_var(&s, sizeof s, 1, 1, DK_SET);
      ..
      { long dk_r = s; dk_return(&dk_r, 1); return dk_r; }
    }

Covered: each variable from its declaration to the end of its block, however the block is left; memory of malloc. */
#ifndef DESKCHECK_PROBES
#define DESKCHECK_PROBES

#define DK_HIDDEN __attribute__((__visibility__("hidden")))
#define DK_CLEANUP(function) __attribute__((__cleanup__(function), __unused__))

/* Kinds of types; `instrument.py` has the same numbers. */
enum dk_kind { DK_VOID, DK_INT, DK_UNSIGNED, DK_CHAR, DK_BOOL, DK_FLOAT, DK_DOUBLE, DK_LONG_DOUBLE, DK_POINTER, DK_ARRAY, DK_STRUCT, DK_FUNCTION };

/* One type of the program. */
struct dk_type {
    int kind;
    unsigned long size; /* 0: an array whose length is known only at run time */
    int to;             /* type that a pointer points to, or of an array's elements */
    int first, n;       /* its fields in the table of fields */
    int name;           /* number of its name in the trace */
};
/* One field of a structure. */
struct dk_field { int name; unsigned long offset; int type; };
/* One function, so that a pointer to it has a name. */
struct dk_function { const void *address; const char *name; };
/* All tables of a program; `dk_tables` is written after it. */
struct dk_tables {
    const struct dk_type *types;
    const struct dk_field *fields;
    const struct dk_function *functions;
    int n_functions;
    const char *const *names; /* of variables and fields */
    int n_names;
    const char *low, *high;   /* the program's own image: unregistered memory in it is a string literal */
};

/* How a variable is registered. */
enum dk_flag {
    DK_SET = 1,     /* it has an initializer, or is an argument */
    DK_EXPOSED = 2, /* code elsewhere may change it: its address is taken, or it is an array or a structure */
    DK_GLOBAL = 4,
    DK_STATIC = 8,  /* it keeps its identity between calls */
};

/* A number of variables, to which the end of a block goes back. */
struct dk_mark { int n, n_exposed; };

int dk_enter(int code, int line);                 /* a function begins; its arguments are registered next; returns 0 */
void dk_called(void);                             /* the CALL event of that function, with its arguments */
void dk_leave(int *frame);                        /* the function is left, by whatever way */
struct dk_mark dk_open(void);                     /* a block that declares variables begins; returns what its end needs */
void dk_close(struct dk_mark *mark);              /* a block ends, and its variables with it */
/* A variable is declared: its address, size, type, the number of its name, and dk_flags. */
void dk_var(void *address, unsigned long size, int type, int name, int flags);
void dk_line(int line);                           /* a statement or a test is about to run */
void dk_return(void *value, int type);            /* the value that the function returns; type -1 is none */
void dk_fill(void *address, unsigned long size);   /* the function ends without a value, or the memory has none yet */
void dk_failed(const char *text, int line);       /* an assertion does not hold: the run ends */

/* Library calls that the recorder makes itself, so that memory and output are seen. */
#define malloc dk_malloc
#define calloc dk_calloc
#define realloc dk_realloc
#define free dk_free
#define printf dk_printf
#define putchar dk_putchar
#define puts dk_puts
#define strdup dk_strdup
#define qsort dk_qsort
#define bsearch dk_bsearch
#define exit dk_exit
#define abort dk_abort
#endif
