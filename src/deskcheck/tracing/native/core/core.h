/* The native core: the structs of all its layers. Each folder is a layer, with one header; lowest first:
 *
 *   core         this file, interpreter.h (what differs between the versions of CPython), columns.h (their numbers)
 *   values       columns.c as they grow, stream.c out of memory, values.c and texts.c: handles of scalars
 *   guard        hidden.c: code in C that the interpreter calls and nobody sees; dict_versions.c: writes to dictionaries
 *   objects      heap.c by number, shapes.c and readers.c into each type, shadows.c what was held, watch.c deaths
 *   differences  deltas.c between then and now: sequences.c, dicts.c, sets.c, heaps.c
 *   flow         line_table.c where lines stand, line_flow.c which can follow which, names.c of the module
 *   code         codes.c, labels.c on a value stack, lines.c and symbols.c what a line can change, spans.c expressions
 *   frames       frames.c names, stack.c value stacks, modules.c global names, threads.c live frames of each thread
 *   writes       the write set: touch.c, follow.c, callees.c of a line, reach.c of unknown code, look.c at it
 *   net          net.c: whether what is alive is what the trace says
 *   events       events.c from interpreter event to rows, steps.c and effects.c finer than lines, calls.c, tracer.c
 *   checks       what the parent proves of a trace: it knows the columns' numbers and nothing of the tracer
 *
 * Above them: native.c the module, collector.c gc.isenabled() and its like, tampering.c what a program changes of its
 * own tracing. tests/tracing/test_c_layers.py holds the order.
 *
 * Errors: a function that can fail returns int < 0 (FAILED as a handle) with an exception set.
 * References: scalars are held; every other object of the program is known by its address only, from its
 * first sight until `watch.c` says that it dies. Nothing here runs code of the program.
 */
#ifndef DESKCHECK_CORE_H
#define DESKCHECK_CORE_H

#include "interpreter.h"

#if PY_VERSION_HEX >= 0x030C0000
#define LONG_SIZE(l) ((Py_ssize_t)(1 - (Py_ssize_t)((l)->long_value.lv_tag & 3)) * (Py_ssize_t)((l)->long_value.lv_tag >> 3))
#define LONG_DIGITS(l) ((l)->long_value.ob_digit)
#else
#define LONG_SIZE(l) Py_SIZE(l)
#define LONG_DIGITS(l) ((l)->ob_digit)
#endif

#define FAILED (-2) /* a handle that could not be made */
#define ABSENT (-1)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* The numbers of records.py. */
enum { EV_CALL, EV_LINE, EV_EXPRESSION, EV_INSTRUCTION, EV_RETURN, EV_RAISE, EV_UNWIND, EV_YIELD, EV_RESUME };
enum { V_NONE, V_BOOL, V_INT, V_FLOAT, V_COMPLEX, V_STR, V_BYTES, V_SINGLETON, V_REF, V_TRUNCATED, V_OPAQUE, V_CONCAT };
enum { O_LIST, O_TUPLE, O_DICT, O_SET, O_FROZENSET, O_RECORD, O_ITERATOR, O_FUNCTION, O_CLASS, O_MODULE, O_GENERATOR,
       O_ARRAY, O_CELL, O_OPAQUE };
enum { P_LOCAL, P_CELL, P_FREE, P_GLOBAL, P_ITERATOR, P_STACK, P_ELEMENT, P_KEY, P_MEMBER, P_ATTRIBUTE, P_CONTENT };
enum { OP_SET, OP_DELETE, OP_INSERT };

/* Who wants to know when an object dies. */
typedef struct Watcher {
    void (*died)(struct Watcher *self, PyObject *object, int is_gone);
    struct Watcher *next;
    int is_on;
} Watcher;

/* ------------------------------------------------------------------ columns */

#define N_SENT 29 /* columns of a trace, and the offsets of its texts */

typedef struct {
    Py_ssize_t n, cap, base; /* base: rows that have left memory (stream.c) */
    int8_t *kind;
    int64_t *step, last_step; /* the lines so far: made where rows are handed over (columns_steps) */
    Py_ssize_t n_stepped;
    int32_t *frame, *line, *value, *changes_end, *thread;
    int has_threads;
    int32_t *end_line, *column, *end_column, *offset, *opcode; /* NULL at granularity line */
} EventColumns;

typedef struct {
    Py_ssize_t n, cap, base;
    int8_t *place, *op;
    int32_t *owner, *key, *index, *value;
} ChangeColumns;

typedef struct {
    Py_ssize_t n, cap;
    int8_t *kind;
    int64_t *number;
    double *real;
    int32_t *type, *data_end;
    uint64_t *hash;   /* strings: over the whole text */
    int32_t *length;  /* strings: bytes of the whole text */
    char *data;
    Py_ssize_t data_n, data_cap;
} ValueColumns;

typedef struct {
    Py_ssize_t n, cap;
    int8_t *kind;
    int32_t *type, *text;
} ObjectColumns;

typedef struct {
    Py_ssize_t n, cap;
    int32_t *code, *parent;
} FrameColumns;

typedef struct {
    EventColumns events;
    ChangeColumns changes;
    ValueColumns values;
    ObjectColumns objects;
    FrameColumns frames;
    PyObject *names;      /* list of str */
    PyObject *name_index; /* str -> int */
    int64_t data_bytes;   /* text and data, for the size that the budget counts */
} Columns;

/* ------------------------------------------------------------------ values */

#define SMALL_LOW (-128)
#define SMALL_HIGH 1024
#define N_RECENT 256
#define N_LONG 4

typedef struct {
    int32_t *slots;
    Py_ssize_t n, mask;
} HandleTable;

typedef struct {
    HandleTable ints, floats, strings;
    Py_ssize_t longest, pending_from; /* of the texts: bytes of the longest; the first row that the table lacks, or -1 */
    PyObject *others; /* bytes -> handle */
    int32_t small[SMALL_HIGH - SMALL_LOW];
    struct {
        PyObject *text;
        int32_t handle;
    } recent[N_RECENT], lengthy[N_LONG]; /* short and long strings by address, held */
    int32_t t_int, t_str, t_float, t_bool, t_none; /* type names, -1 until used */
    int32_t none, truth[2];
    int cut;
} Values;

/* ------------------------------------------------------------------ objects */

enum { C_NONE, C_LIST, C_TUPLE, C_DICT, C_SET, C_DEQUE, C_BYTEARRAY, C_ARRAY };
enum { SUSPECT_ALWAYS = 1, SUSPECT_ONCE }; /* a Shape's is_suspect */
enum { R_NONE, R_INSTANCE, R_EXCEPTION, R_FUNCTION, R_METHOD, R_CLASS, R_GENERATOR, R_SEQUENCE, R_RANGE, R_ENUMERATE,
       R_ZIP, R_MAP, R_DICT_ITEMS, R_SET_ITEMS, R_DEFAULTDICT, R_RANGE_OBJECT,
       R_PYTHON };

typedef struct {
    PyObject *name;
    Py_ssize_t offset;
} SlotMember;

typedef struct Shape {
    PyTypeObject *type; /* NULL once the type is dead */
    PyObject *python;   /* the Shape of shapes.py */
    PyObject *name, *hidden; /* hidden: names of attributes that are left out */
    int8_t kind, content, reader, is_scalar, is_frozen, is_shared, is_suspect; /* the last: the guard asks about its objects, each time or at first sight */
    int8_t has_text, is_summary, is_stored, is_tame; /* its text is a summary; its one attribute is; Python reads what only stores change; to go through it changes nothing */
    int n_members;
    SlotMember *members;
} Shape;

/* Addresses and handles of what an object held at the last event: a list has items in `value`, a dictionary
 * and attributes have `key` and `value`. An address is NULL where it says nothing: cut, dead, a number. */
typedef struct {
    Py_ssize_t n, cap;
    PyObject **key, **value; /* in one block, with the handles */
    int32_t *key_handle, *value_handle;
    Py_ssize_t n_lead; /* of a deque: slots of the block before `value`, whose items have left */
    Py_ssize_t n_holes; /* of a dictionary: entries that are gone, HOLE_ADDRESS, where its own table has none either */
    Py_ssize_t n_cut; /* objects that were too deep or too many: looked for again at every event */
    int is_sure; /* each object in it is one reference that its holder has */
} Shadow;

typedef struct Entry {
    PyObject *object; /* borrowed */
    Shape *shape;
    PyObject *memo; /* held: the range or the order of an iterator, the dict of a Python reader */
    int32_t number, handle, depth;
    int32_t n_holders;      /* shadow slots that hold its address.. */
    int32_t n_sure;         /* ..those that stand for one reference each.. */
    int32_t parent, place;  /* ..and where one of them is: a hint */
    int8_t in_loop;        /* an iterator that a `for` loop holds */
    int8_t was_seen;       /* its content has been recorded once */
    int8_t is_mutable;     /* ..and can change: it stands in heap.mutables */
    int8_t is_wild;        /* an iterator that may run code in C which changes other objects */
    int8_t is_always;      /* compared at every event, whatever the line can write */
    int8_t is_parked; /* an iterator of a loop whose frame waits for a call: it was `always` and will be again (parked.c) */
    int8_t is_own; /* a class: of the program's module when it was first seen, -1: of another */
    int8_t is_named; /* stands in a slot or on a stack that is remembered */
    int8_t is_exposed, is_listed, is_wild_given; /* something unseen holds it; it stands in heap.exposed (reach.c) */
    int32_t reached;    /* the last search of reach.c that met it.. */
    Py_ssize_t surplus; /* ..and its references that are not accounted for */
    Py_ssize_t changed; /* the event at which it was changed last */
    long long n_all; /* of a range iterator: length of its range */
    Shadow content, attributes;
    int32_t *places; /* of a set: where each member stands in `content`, + 1, by its address (sets.c); NULL: not made */
    size_t place_mask;
    Py_ssize_t n_places; /* slots of it that are in use */
    char *bytes; /* contents of a bytearray or array */
    Py_ssize_t n_bytes;
    struct Entry *next; /* free */
} Entry;

typedef struct {
    Entry **slots;
    Py_ssize_t n, mask;
} AddressTable;

typedef struct {
    int32_t *items;
    Py_ssize_t n, cap;
} Numbers;

typedef struct {
    AddressTable by_address;
    Entry **by_number; /* NULL once dead */
    Py_ssize_t cap;
    Numbers mutables; /* what can change, ascending */
    Numbers always;   /* those of them that may change in any line: iterators, generators.. */
    Numbers cut;      /* found at this event to hold something too deep or too much */
    Numbers closures; /* functions with variables of others */
    Numbers touched;  /* number and place, in turn: what the line that ran can have changed */
    PyObject *members[24]; /* what was added to a set: touched as PLACE_MEMBER - i */
    int n_members, cells_changed, n_wild;
    Numbers wild;    /* iterators that may run code in C.. */
    Numbers wild_given; /* ..and what they led to when they were first seen: they end without a word */
    Numbers exposed; /* something unseen may hold them */
    Numbers reached; /* by the last search of reach.c, not settled yet */
    Py_ssize_t array_bytes; /* in copies of arrays (arrays.c) */
    int32_t reach_serial;
    int is_reached;  /* what the line can have changed was found by reach.c */
    /* What the line that ran can have changed of what Python reads: anything, what is touched, what is touched but no summary. */
    enum { CALM_NOT, CALM_STORED, CALM_ALL } is_calm;
    int must_recheck; /* a reference went where it is not counted */
    Py_ssize_t first_unchecked;  /* from this number on no object has been settled */
    PyObject **seen, **pending;  /* objects that are not known: met by a search, still to be gone through */
    Py_ssize_t n_seen, cap_seen, n_pending, cap_pending;
    Numbers fresh;    /* found at this event, not looked into yet */
    Entry *free;
    Shape **shapes;
    Py_ssize_t n_shapes, shape_mask;
    uint64_t n_named_deaths;
    int depth, in_loop, must_verify;
    /* what a reader lists: names and values of one object */
    PyObject **names, **items;
    Py_ssize_t n_pairs, cap_pairs;
    PyObject *kept; /* keeps a Python reader's list alive */
    PyObject *dotted; /* name of a function's attribute -> ".name" */
    /* what a container held when it was read: its items, held; their handles */
    PyObject **scratch;
    int32_t *handles;
    Py_ssize_t cap_scratch;
    int32_t *stamps; /* by handle: the last serial that met it */
    Py_ssize_t cap_stamps;
    int32_t serial;
} Heap;

/* ------------------------------------------------------------------ frames */

/* What a line can change (lines.c). */
enum { N_UNKNOWN, N_LOCAL, N_CONST, N_GLOBAL, N_NAME, N_ATTR, N_ITEM, N_SUM, N_METHOD, N_FUNCTION, N_NULL, N_SUPER,
       N_ARITHMETIC, N_LENGTH, N_TUPLE, N_STACK, N_CALL, N_UNARY, N_SLICE, N_TEXT };
enum { UNARY_NEGATIVE, UNARY_INVERT, UNARY_FORMAT };
enum { N_STORED = 64, N_FINDS = 1024, N_DISPLACED = 4096 };

/* What was found under a name in a class, a module or a function, when it was looked for last. */
typedef struct {
    PyObject *holder, *name; /* addresses */
    uint64_t value;          /* number of its object, or its address */
    Py_ssize_t since;        /* event at which that was found first */
} Find;
enum { T_ITEM, T_WHOLE, T_ATTR, T_INPLACE, T_CALL };
enum { LINE_ANY = 1, LINE_STACK = 2, LINE_CELLS = 4, LINE_NAMES = 8, LINE_WITH = 16, LINE_ATTRIBUTES = 32 }; /* the last: of objects that it does not say */
enum { WITH_NONE = -1, WITH_OTHER = -2, WITH_UNKNOWN = -3 }; /* what a slot for `__exit__` has, beside 0, 1, ..: the number of a lock */
enum { PLACE_ALL = -1, PLACE_END = -2, PLACE_ONE = -3, PLACE_HEAP = -4, PLACE_HEAP_ASKED = -5, PLACE_NEW = -6, PLACE_LAST = -7,
       PLACE_FIRST = -8, PLACE_MEMBER = -10, PLACE_GONE = -1000 }; /* beside 0, 1, ..: at most a new one at the end, the last or first one less; members: and below; PLACE_GONE: nothing, below: that entry of a dictionary */

typedef struct {
    uint8_t kind, n_hops;
    uint8_t op; /* of N_ARITHMETIC: BINARY_OP's argument; of N_UNARY: UNARY_* */
    int a, b;   /* slot, name, or the symbols that it is made of; N_TUPLE and after N_STACK: where they begin in Lines.arguments, how
                   many. N_CALL: before them its first and last unit and the callee; -1: its arguments are not known */
} Node;

typedef struct {
    uint8_t what, both, is_shared, is_once; /* both: the name is bound in the line; shared: a name of others stands in it; once: no jump of the line leads back to it */
    uint16_t n_arguments;
    int node, key; /* key of T_ITEM; of T_CALL the first argument, -1: there are keywords */
    int line, last, next_to_last, unit;
    int receiver;     /* of T_CALL: that of a method, where the line has computed it; 0: none */
    int method;       /* what a method of that name does to a container, METHOD_* */
    int only;         /* of T_CALL with one argument: that, where it means in the line what it meant before it or what it does after */
    int arguments;    /* of T_CALL: where its arguments' nodes begin in Lines.arguments; -1: not known */
    int keywords;     /* of T_CALL with keywords: 1 + the constant with their names; 0: not known */
    uint64_t seen[2]; /* versions of globals and builtins at which the call was found to be harmless */
} Touch;
enum { METHOD_WRITES, METHOD_READS, METHOD_APPENDS, METHOD_ADDS, METHOD_POPS, METHOD_POPS_FIRST, METHOD_TAKES, METHOD_DEFAULTS };

/* A name that a line reads or binds: a slot (N_LOCAL) or an index into co_names. */
typedef struct {
    int line, kind, name;
} Use;

typedef struct {
    int start, n, flags, first_use, n_uses;
    int extended; /* 1 + the slot of a name that it binds once, to itself + something; 0: none */
    enum { LINE_QUIET, LINE_SIMPLE, LINE_OTHER } kind; /* touches nothing; only what the next two say; more */
    int inplace;      /* 1 + the slot of a name on which an in-place operator works; 0: none */
    int n_calls;      /* of global functions; all of them were harmless.. */
    uint64_t seen[2]; /* ..in these versions of globals and builtins; 0: not known */
    int taken;        /* 1 + the touch that takes an entry out of a dictionary, so that its place is looked up beforehand; 0: none */
    int with_slot;    /* of LINE_WITH: where on the stack the `__exit__` lies that it puts there or calls */
    uint64_t binds;   /* slots that its instructions bind or clear, a bit each; ALL_SLOTS: any */
} Line;
#define ALL_SLOTS UINT64_MAX

typedef struct {
    Node *nodes;
    int n_nodes, cap_nodes;
    Touch *touches; /* by line */
    int n_touches, cap_touches;
    Use *uses; /* by line */
    int n_uses, cap_uses;
    int *arguments;
    int n_arguments, cap_arguments;
    Line *lines;
    int is_folded;            /* a statement has several lines, or is left by a `yield`: its parts may be older than its last line */
    int first, n, everywhere; /* flags of instructions without a line, at the end in every line; lines[n]: any other */
    uint64_t binds;           /* likewise */
} Lines;

typedef struct Code {
    PyCodeObject *code; /* held */
    const char *kind;   /* as the code table says it */
    int number;         /* in the code table; -1: no frame yet */
    int file;           /* -1: not the program's */
    PyObject *file_name; /* held; NULL: the program's source */
    int8_t reaches; /* 2: it may get at names of others, 1: not, 0: not asked yet (reach.c) */
    int8_t reads_dict; /* it names `__dict__`: instances may change through that */
    int8_t is_unknown;    /* it has the name of a file of the program, whose source does not contain it */
    int8_t has_self_jump; /* of which 3.11 gives no line events (events.c) */
    int8_t is_filled, is_generator, is_coroutine, is_plain, has_names; /* has_names: of a class body */
    int n_slots, n_units;
    PyObject **names; /* borrowed from the code */
    int32_t *keys;
    int8_t *places;
    uint8_t *ops;   /* by code unit: opcode of the instruction that it belongs to */
    uint8_t *args;  /* and the last byte of its argument */
    int32_t *lines; /* -1: none */
    int32_t *step_at;   /* by code unit, NULL until needed: what steps.c says */
    struct Step *steps; /* by code unit: where it stands in the source (spans.c) */
    Lines *facts;   /* NULL until needed */
    char *labels;   /* by code unit, `stride` bytes each, NULL until needed; codes.py says what they mean */
    int32_t *rows;  /* by code unit: equal numbers, equal labels; NULL until needed */
    int stride;
} Code;

/* Opcodes by name; -1 where this Python has none. */
typedef struct {
    int jump_backward, resume, yield_value, return_value, return_const, return_generator, extended_arg;
    int for_iter, send, jump_backward_no_interrupt, end_send, end_for, for_iter_gen, end_async_for, call_function_ex;
} Opcodes;
extern Opcodes OP;

typedef struct {
    PyObject *value; /* scalars held, others by address, CUT_ADDRESS */
    int32_t handle;
    int8_t state;
} Slot;
enum { S_EMPTY, S_SCALAR, S_OBJECT, S_CUT };
enum { LOOPS = INT_MAX };
#define CUT_ADDRESS ((PyObject *)8) /* too deep or too much: equal to nothing */

enum { MOST_GIVEN = 4096 }; /* objects that unknown code was handed in one line; of more, it counts as any */

typedef struct Frame {
    int32_t number, thread, line;
    Code *code;
    _PyInterpreterFrame *frame; /* of a generator also while it is suspended */
    struct Frame *next;         /* among the free or the suspended */
    uint64_t n_deaths;
    Slot *slots; /* the code's, then those of the names of a class body */
    int n_slots, cap_slots;
    PyObject **names; /* of a class body, held */
    int32_t *keys;
    int n_names, cap_names;
    int32_t *handles[2]; /* iterators, temporaries */
    int n_handles[2];
    PyObject **stack; /* addresses seen last, and what they were */
    char *stack_labels;
    int n_stack, cap_stack, is_stack_unsure;
    int32_t stack_row; /* of its labels, -1: none */
    uint64_t stack_deaths;
    int8_t is_live, is_dirty, is_raising, is_stack_full;
    int8_t at_self_jump; /* its last event was of an instruction that jumps to itself */
    int8_t is_delegating; /* a throw reached another generator through it: it runs, and has had no event of the interpreter's */
    Line *ran;       /* of its last event: what has run since; NULL at granularity instruction */
    uint64_t binds;  /* slots that this can have bound, if no other code has run; ALL_SLOTS where that event was of no line */
    Py_ssize_t last_event; /* its own last one */
    int64_t first_shared, first_stored, first_displaced; /* t->n_shared and the others as its statement began, perhaps on another line.. */
    Py_ssize_t first_event;             /* ..and its last event then */
    Py_ssize_t taken; /* place of the entry that its line can take out of a dictionary: PLACE_GONE and below, PLACE_ALL */
    int32_t with_before; /* what that slot of a LINE_WITH had as the line began: WITH_NONE, .. */
    Py_ssize_t n_known; /* objects with lower numbers were known when what runs now began */
    uint64_t last_entered; /* t->n_entered then */
    int32_t pending, last_unit, reported; /* steps.c */
    Py_ssize_t pending_from;
    Py_ssize_t first_object; /* those with lower numbers were known when it began */
    PyObject *touched; /* address */
    Py_ssize_t touched_place;
    uint64_t n_foreign_before;
    int8_t effect;
    int8_t is_plain_loop;
    int8_t has_parked; /* iterators on its stack */
    PyObject *returned; /* held: what a call in its line gave back last, if that is a plain key.. */
    int returned_unit;  /* ..and where the call is, ABSENT; LOOPS: it has run more than once */
    struct {
        int32_t n_given;
        int8_t is_foreign;   /* code that is not the program's has run in its line */
        int8_t is_given_all; /* that may have got at any object */
    } handed;
    int32_t *given; /* numbers of objects that such code was handed, or that came back, in its line */
    int cap_given;
} Frame;

typedef struct {
    PyThreadState *state;
    Frame **live;
    Py_ssize_t n, cap;
    int n_with_cells; /* of the live ones */
    int has_begun;
} Stack;

typedef struct {
    int32_t file;
    PyObject *namespace; /* held */
    PyDictKeysObject *table; /* that the places below are in */
    uint64_t version;
    int has_cut;
    PyObject **names; /* held */
    PyObject ***places;
    int32_t *keys;
    Slot *slots;
    Py_ssize_t n, cap;
    uint64_t n_deaths;
} Module;

#define N_STREAMS 6

typedef struct Tracer {
    PyObject_HEAD
    Watcher watcher;
    PyObject *own; /* a file's name, or a function of a code object that gives one or None */
    PyObject *own_module, *shapes, *helpers, *stop_class, *numbers;
    int64_t max_steps, trace_bytes, value_bytes, max_depth, max_nodes;
    enum { FINE_LINE, FINE_EXPRESSION, FINE_INSTRUCTION } granularity; /* as in records.py */
    PyObject *op_texts;   /* names of the instructions by opcode */
    int32_t op_names[256]; /* the same in the string table, ABSENT until used */
    Columns columns;
    PyObject *sink;    /* where a long trace goes while it is made, or NULL (stream.c) */
    int is_streaming;  /* it has got something.. */
    int64_t sent[N_SENT]; /* ..so many bytes of each column */
    Values values;
    Heap heap;
    PyObject *codes;    /* list of (name, file, first line, kind) */
    Code **code_slots;  /* by the code's address */
    Py_ssize_t n_codes, code_mask;
    Code *last_code;        /* of the last look-up */
    PyObject *last_foreign; /* name of a file that is not the program's; held */
    Stack *stacks;
    Py_ssize_t n_stacks, current;
    Py_ssize_t n_delegating; /* frames with is_delegating, or more */
    Frame *free_frames, *suspended;
    Module *modules;
    Py_ssize_t n_modules;
    int64_t step;
    enum { FAILURE_NONE, FAILURE_STEPS, FAILURE_BYTES, FAILURE_UNEXPLAINED } failure;
    PyObject *broken; /* what went wrong in the tracer itself */
    PyObject *on_end; /* of a call in a program that is not ours to stop; else NULL */
    PyObject *error;  /* that its frame raised last, until the next line or the end */
    int32_t last_raise, first_return, last_return, last_line;
    int is_quiet; /* one thread, nothing wrong: the short way */
    int is_busy;  /* an event is being written without the lock */
    int is_over, was_stopped, was_outlived, was_tampered, out_of_memory;
    int is_unsure;   /* at granularity instruction: something ran of which effects.c does not know what it changes */
    PyObject *compiled; /* tuple: code of the program's files as it was compiled; NULL: not known */
    uint64_t first_thread;    /* the interpreter numbers threads: the next one's number when the trace began.. */
    uint64_t n_threads_entered; /* ..and how many have called the hook since */
    int had_untraced_threads; /* others were started */
    int ran_unknown; /* code ran that has the name of such a file, and is none of these */
    int has_frames;  /* the program can write to names of frames that wait: `f_locals` from CPython 3.13 on, and of class bodies */
    int is_brute;    /* compare every object at every event */
    int has_plain_dicts; /* attributes of an object that is known lie in a dictionary that looks like any other */
    int has_guard, is_hidden; /* is_hidden: code in C may run unseen (guard/hidden.c) */
    PyObject *sys, *streams[N_STREAMS]; /* names of sys; what stood there when the trace began */
    uint64_t sys_version, registered; /* what `guard_registered` said last.. */
    Py_ssize_t n_searches; /* ..and how many functions looked for codecs then */
    unsigned long n_switches; /* of the global lock to another thread, by the last event.. */
    int others_ran;           /* ..and whether there was one since the event before */
    int is_entering;          /* this event is a callee's: its caller is in the middle of its line */
    int64_t n_compared; /* objects and items that were compared or followed: what an event costs, counted for tests */
    int has_net;
    int64_t net_budget, net_from, net_next; /* of net/net.c: a budget in about a nanosecond, from step to step */
    Shape *unexplained; /* of the object that changed and no step says why */
    int foreign_ran; /* code that is not the program's, since the last event */
    uint64_t n_foreign; /* how often, ever */
    uint64_t n_entered; /* frames in Python, the program's and others */
    int64_t n_shared; /* changes of names that several functions share */
    int64_t n_stored; /* stores into attributes of classes, modules and functions.. */
    Find *finds; /* N_FINDS of them, from the first look on */
    int64_t n_displaced;             /* objects that have left a name or a container.. */
    int32_t *displaced;         /* ..and the numbers of the last of them; those of what can hold others unseen as -1 - number */
    PyObject *stored[N_STORED]; /* ..and the names of the last of them, borrowed from code objects; NULL: any name */
    int hides_methods; /* an instance has had an attribute with the name of a method of its class */
    PyThread_type_lock lock;
} Tracer;

extern Tracer *active_tracer;

/* Address -> slot: objects are 16-byte aligned. */
static inline size_t
address_hash(const void *address)
{
    uint64_t h = (uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15ull;
    return (size_t)(h >> 29);
}

#endif
