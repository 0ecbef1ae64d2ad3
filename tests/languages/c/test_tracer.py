"""The tracer of C: values of all kinds, identity, memory, output at its step, limits, undefined behavior."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.languages.c.conftest import LIMITS, record, told

from deskcheck.errors import UserError
from deskcheck.languages.c.tracer import run_one, trace_packed
from deskcheck.records import (
    CompileFailure,
    Crashed,
    EventKind,
    Granularity,
    MemoryLimit,
    Op,
    OutputLimit,
    Raised,
    Refused,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
)
from deskcheck.sandbox import containment
from deskcheck.tracing.literal import literal_text, outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.replay import states

Traced = Callable[..., Any]

ALL_TYPES = """
#include <stdbool.h>
#include <stdint.h>
struct all {
  int8_t a; uint8_t b; short c; unsigned short d; int e; unsigned f; long g; unsigned long h;
  float i; double j; bool k; char l; const char *m; int *n; char o[6]; long p[2][2];
};
struct all f(void) {
  struct all x = {-128, 255, -32768, 65535, -7, 4000000000u, -9000000000000000000, 18446744073709551615u,
                  0.5f, -0.0, true, '\\n', "it's", 0, "ab", {{1, 2}, {3, 4}}};
  return x;
}
"""


def test_every_width_and_kind_of_value_is_exact(run: Traced):
    assert outcome_text(record(run(ALL_TYPES, "f()"))) == (
        "{.a = -128, .b = 255, .c = -32768, .d = 65535, .e = -7, .f = 4000000000, .g = -9000000000000000000, "
        ".h = 18446744073709551615, .i = 0.5, .j = -0.0, .k = true, .l = '\\n', .m = \"it's\", .n = NULL, "
        '.o = "ab", .p = {{1, 2}, {3, 4}}}'
    )


POINTERS = """
#include <string.h>
static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}
static void fill(long *to, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = i * i;
  }
}
long f(void) {
  long xs[3] = {7, 8, 9};
  long *same = xs;
  long *end = xs + 2;
  int one = 1, two = 2;
  swap(&one, &two);
  fill(same, 3);
  char name[8] = "ab";
  strcat(name, "c");
  return *end + one;
}
"""


def test_pointers_show_what_they_point_to_and_changes_through_them_are_seen(run: Traced):
    lines = told(run(POINTERS, "f()"), POINTERS, "f()")
    assert "same = #0long[3][7, 8, 9]" in lines
    assert "end = #1pointer(to=#0long[3][7, 8, 9], at=2)" in lines
    assert "3 call swap(a=address of one in frame 0, b=address of two in frame 0)" in lines
    assert "one = 2 (frame 0)" in lines
    assert "two = 1 (frame 0)" in lines
    assert "to = xs = same = #0long[3][0, 1, 4] ([2] = 4)" in lines
    assert 'name = #2char[8]("abc") (content = "abc")' in lines
    assert lines[-1] == "returned 6 after 19 steps"


LISTS = """
#include <stdio.h>
#include <stdlib.h>
typedef struct node { long value; struct node *next; } node;
node *push(node *list, long value) {
  node *made = malloc(sizeof *made);
  made->value = value;
  made->next = list;
  return made;
}
long f(int n) {
  node *list = NULL;
  for (int i = 0; i < n; i++) {
    list = push(list, i);
  }
  printf("%ld\\n", list->value);
  long total = 0;
  while (list != NULL) {
    node *next = list->next;
    total += list->value;
    free(list);
    list = next;
  }
  putchar('.');
  puts("done");
  return total;
}
"""


def test_memory_of_malloc_has_identity_and_its_end_is_an_event(run: Traced):
    traced = run(LISTS, "f(3)")
    trace = record(traced)
    assert outcome_text(trace) == "3"
    assert trace.language == "c" and trace.runtime.startswith("gcc ")
    freed = [at for at, kind in enumerate(trace.events.kind) if kind == EventKind.FREE]
    assert [trace.events.line[at] for at in freed] == [21, 21, 21]
    assert len({trace.events.value[at] for at in freed}) == 3
    lines = told(traced, LISTS, "f(3)")
    assert "made = #0node(value=<uninitialized>, next=<uninitialized>)" in lines
    assert "list = #1node(value=1, next=#0node(value=0, next=NULL))" in lines
    assert "list = freed" in lines
    assert traced.output == b"2\n.done\n"
    assert [trace.events.line[event] for event, _ in traced.places] == [16, 24, 25, 25]


SHADOWS = """
int g = 5;
int f(int n) {
  int u;
  int x = 1;
  {
    int x = 2;
    g += x;
  }
  do {
    static int calls;
    calls++;
    n--;
  } while (n > 0);
  switch (x) {
    case 1:
    case 2:
      u = 3;
      break;
    default:
      u = 4;
  }
  return u + g;
}
"""


def test_names_live_as_long_as_their_blocks(run: Traced):
    trace = record(run(SHADOWS, "f(2)"))
    seen = [
        (
            event.line,
            {name: literal_text(trace, state, handle) for name, handle in bound.items() if name != "u"},
        )
        for event, state in states(trace)
        if event.kind == EventKind.LINE
        for bound in [{**state.globals, **state.top.bindings}]
    ]
    assert (7, {"g": "5", "n": "2", "x": "1"}) in seen
    assert (8, {"g": "5", "n": "2", "x": "2"}) in seen
    assert (12, {"g": "7", "n": "2", "x": "1", "calls": "0"}) in seen
    assert (12, {"g": "7", "n": "1", "x": "1", "calls": "1"}) in seen
    assert seen[-1] == (23, {"g": "7", "n": "0", "x": "1"})
    assert outcome_text(trace) == "10"


SPEAKS = """
#include <stdio.h>
long f(int n) {
  long a[6] = {5, 2, 9, 1, 7, 3};
  for (int i = 0; i < n; i++) {
    for (int j = 0; j + 1 < n - i; j++) {
      if (a[j] > a[j + 1]) {
        long t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
      printf("%d %d {%ld, %ld, %ld, %ld, %ld, %ld}\\n", i, j, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
  }
  return a[0];
}
"""


def test_states_are_what_the_program_itself_prints(run: Traced):
    traced = run(SPEAKS, "f(6)")
    trace = record(traced)
    rows = []
    for event, state in states(trace):
        if event.kind == EventKind.LINE and event.line == 12:
            shown = (literal_text(trace, state, state.top.bindings[name]) for name in ("i", "j", "a"))
            rows.append(" ".join(shown))
    assert len(rows) == 15
    assert "\n".join(rows) + "\n" == traced.output.decode()


MOVES = """
#include <stdio.h>
#include <string.h>
long f(int n) {
  int a[12] = {5, 2, 9, 1, 7, 3, 5, 5, 8, 0, 4, 6};
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0) memmove(a, a + 1, 11 * sizeof *a);
    if (i % 3 == 1) memmove(a + 1, a, 11 * sizeof *a);
    if (i % 3 == 2) memmove(a, a + 2, 10 * sizeof *a);
    printf("%d {", i);
    for (int k = 0; k < 12; k++) printf(k ? ", %d" : "%d", a[k]);
    puts("}");
    a[i % 12] = i;
  }
  return a[0];
}
"""


def test_an_array_that_moves_by_one_has_two_changes_and_the_printed_states(run: Traced):
    traced = run(MOVES, "f(9)")
    trace = record(traced)
    rows = [
        " ".join(literal_text(trace, state, state.top.bindings[name]) for name in ("i", "a"))
        for event, state in states(trace)
        if event.kind == EventKind.LINE and event.line == 12
    ]
    assert "\n".join(rows) + "\n" == traced.output.decode()
    inserted = sum(op == Op.INSERT for op in trace.changes.op)
    assert (
        inserted == 12 + 3 + 3
    )  # those of the declaration, of three moves to the left and three to the right


UNDEFINED = {
    "int f(int n) {\n  return n + 2147483647;\n}": ("f(1)", 2, "signed integer overflow"),
    "int f(int n) {\n  int a[3] = {1};\n  return a[n];\n}": ("f(3)", 3, "index 3 out of bounds"),
    "int f(int n) {\n  return 7 / n;\n}": ("f(0)", 2, "division by zero"),
    "int f(int n) {\n  return 1 << n;\n}": ("f(40)", 2, "shift exponent"),
    "int f(int *p) {\n  return *p;\n}": ("f(0)", 2, "null pointer"),
    "#include <stdlib.h>\nint f(void) {\n  int *p = malloc(8);\n  free(p);\n  return *p;\n}": (
        "f()",
        5,
        "heap use after free",
    ),
    "#include <stdlib.h>\nint f(void) {\n  int *p = malloc(8);\n  p[2] = 1;\n  return 0;\n}": (
        "f()",
        4,
        "heap buffer overflow",
    ),
    '#include <string.h>\nint f(void) {\n  char s[4] = "abc";\n  strcat(s, "d");\n  return 0;\n}': (
        "f()",
        4,
        "stack buffer overflow",
    ),
}


@pytest.mark.parametrize("source", UNDEFINED)
def test_undefined_behavior_is_refused_with_its_line(run: Traced, source: str):
    call, line, what = UNDEFINED[source]
    outcome = run(source, call).packed.outcome
    assert isinstance(outcome, Refused)
    assert outcome.rule.startswith(f"undefined behavior in line {line}: ")
    assert what in outcome.rule
    assert "0x" not in outcome.rule


UNASSIGNED = {
    "int f(int n) {\n  int x;\n  int y = x > n;\n  return n;\n}": " in line 3",
    "int f(int n) {\n  int x;\n  if (x == 0) n += 1;\n  return n;\n}": "",
    "#include <stdlib.h>\nint f(int n) {\n  int *p = malloc(12);\n  n += p[1];\n  return n;\n}": (
        " in line 4"
    ),
    "#include <string.h>\nint f(int n) {\n  char s[8];\n  s[7] = 0;\n  return strlen(s);\n}": "",
    '#include <stdio.h>\nint f(int n) {\n  int x;\n  printf("%d\\n", x);\n  return n;\n}': " in line 5",
    "int g(int n) {\n  if (n > 3) return 1;\n}\nint f(int n) {\n  n = g(n);\n  return n;\n}": " in line 2",
}


@pytest.mark.parametrize("source", UNASSIGNED)
def test_what_depends_on_memory_without_a_value_is_refused(run: Traced, source: str):
    outcome = run(source, "f(2)").packed.outcome
    assert isinstance(outcome, Refused)
    assert outcome.rule.startswith(f"undefined behavior{UNASSIGNED[source]}: a value depends on memory that")


COPIES = """
#include <stdlib.h>
#include <string.h>
struct pair { int a; char b; int c[3]; };
static int nothing(int n) {
  if (n > 3) return 1;
}
unsigned f(int n) {
  struct pair x, y;
  x.a = n;
  y = x;
  int *p = malloc(40), q[10], room[n];
  p[0] = y.a;
  memcpy(q, p, 40);
  p = realloc(p, 80);
  char text[8];
  text[0] = 'a';
  text[2] = 'c';
  text[1] = 'b';
  text[3] = 0;
  nothing(p[0]);
  free(p);
  unsigned z;
  z = %s;
  unsigned char bytes[2];
  bytes[0] = z;
  return z + (unsigned)strlen(text) + bytes[0] - bytes[0];
}
"""


@pytest.mark.parametrize("value", [0xFEFEFEFE, 0x1D1D1D1D, 7])
def test_memory_without_a_value_may_be_copied_and_any_value_assigned(run: Traced, value: int):
    """Whole structures and blocks are copied, a text is written out of order, and patterns are values too."""
    source = COPIES % hex(value)
    trace = record(run(source, "f(2)"))
    assert outcome_text(trace) == str(value + 3)
    assert f"z = {value}" in told(run(source, "f(2)"), source, "f(2)")


TREE = """
#include <stdlib.h>
typedef struct { int n; struct inner { int key; } in; } named;
typedef union { int whole; unsigned char parts[4]; } both;
typedef struct tree { struct tree *left, *right; named held; } tree;
static tree *insert(tree *t, int key) {
  if (t == NULL) {
    t = calloc(1, sizeof *t);
    t->held.in.key = key;
    return t;
  }
  if (key < t->held.in.key)
    t->left = insert(t->left, key);
  else
    t->right = insert(t->right, key);
  return t;
}
static int depth(const tree *t) {
  return t ? 1 + (depth(t->left) > depth(t->right) ? depth(t->left) : depth(t->right)) : 0;
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int f(int n) {
  int keys[] = {5, 2, 8, 1, 9}, wanted = 8;
  tree *root = NULL;
  for (int i = 0; i < n; i++)
    root = insert(root, keys[i]);
  qsort(keys, 5, sizeof keys[0], compare);
  int *at = bsearch(&wanted, keys, 5, sizeof keys[0], compare);
  both b;
  b.whole = 258;
  return 100 * depth(root) + 10 * (int)(at - keys) + b.parts[1];
}
"""


def test_operands_and_calls_by_the_library_come_in_any_order(run: Traced):
    """The sanitizers evaluate other operands first and sort with more calls: neither is undefined."""
    assert outcome_text(record(run(TREE, "f(5)"))) == "331"


def test_each_limit_has_its_outcome(run: Traced):
    endless = "int f(void) {\n  int n = 0;\n  while (1) {\n    n ^= 1;\n  }\n}"
    assert run(endless, "f()", limits=replace(LIMITS, max_steps=100)).packed.outcome == StepLimit(100)
    grows = "#include <stdlib.h>\nint f(void) {\n  while (1) {\n    malloc(1 << 20);\n  }\n}"
    assert run(grows, "f()").packed.outcome == MemoryLimit(LIMITS.memory_bytes)
    prints = '#include <stdio.h>\nint f(void) {\n  while (1) {\n    puts("aaaaaaaa");\n  }\n}'
    assert run(prints, "f()", limits=replace(LIMITS, output_bytes=500)).packed.outcome == OutputLimit(500)
    small = replace(LIMITS, trace_bytes=5000)
    assert run(endless, "f()", limits=small).packed.outcome == OutputLimit(5000, what="trace")
    slow = (
        "#include <string.h>\nchar room[1 << 24];\nint f(void) {\n  for (int i = 0;; i++) {\n"
        "    memset(room, i, sizeof room);\n  }\n}"
    )
    assert run(slow, "f()", limits=replace(LIMITS, time_s=0.3)).packed.outcome == TimeLimit(0.3)
    deep = "int f(int n) {\n  return n == 0 ? 0 : 1 + f(n - 1);\n}"
    many = replace(LIMITS, max_steps=10_000_000, trace_bytes=1 << 30)
    assert run(deep, "f(100000000)", limits=many).packed.outcome == Crashed("SIGSEGV")


def test_a_run_can_end_by_exit_abort_and_assert(run: Traced):
    source = (
        "#include <assert.h>\n#include <stdlib.h>\nstatic int g(int n) {\n  if (n == 1) exit(3);\n"
        "  if (n == 2) abort();\n  assert(n > 3);\n  return n;\n}\nint f(int n) {\n  return g(n) + 1;\n}\n"
    )
    ends = [run(source, f"f({n})").packed.outcome for n in (1, 2, 3, 4)]
    assert isinstance(ends[3], Returned)
    told_ends = [(one.type, one.message, one.line) for one in ends[:3] if isinstance(one, Raised)]
    assert told_ends == [
        ("SystemExit", "3", 10),
        ("abort", "abort", 10),
        ("abort", "assertion failed: n > 3", 10),
    ]


REFUSED = {
    "int f(void) {\n  goto end;\nend:\n  return 1;\n}": "line 2: goto",
    "int x __attribute__((constructor)) = 1;\nint f(void) {\n  return 1;\n}": "line 1: attributes",
    '#include "/etc/hostname"\nint f(void) {\n  return 1;\n}': "several files: it includes hostname",
    "struct s { int a : 3; };\nint f(struct s *x) {\n  return 1;\n}": "a field of struct s",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_traced_is_refused_by_name(run: Traced, source: str):
    outcome = run(source, "f(0)" if "struct" in source else "f()").packed.outcome
    assert isinstance(outcome, Refused)
    assert REFUSED[source] in outcome.rule


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("int f(void) {\n  return 1\n}", 3, "syntax error"),
        ("int f(void) {\n  return x;\n}", 2, "undeclared"),
        ("#include <pthread.h>\nint f(void) { return 1; }", 1, "pthread.h"),
        ("int g(void) { return 1; }", 0, "no function 'f' in the file; it has: g"),
        ("int f(int n) { return n; }", 0, "its call: too few arguments to function 'f'"),
        (
            "int g(int n) { return n; }\nint f(void) {\n  return g(1, 2);\n}",
            3,
            "too many arguments to function 'g'",
        ),
        ('int f(void) {\n  int n = "a";\n  return n;\n}', 2, "makes integer from pointer without a cast"),
        ("int f(void) {\n  return g(1);\n}", 2, "implicit declaration of function 'g'"),
    ],
)
def test_a_text_that_is_no_program_does_not_compile(run: Traced, source: str, line: int, message: str):
    outcome = run(source, "f()").packed.outcome
    assert isinstance(outcome, CompileFailure)
    assert message in outcome.message
    assert outcome.line == line


def test_a_program_is_contained(run: Traced):
    if containment.find().level == "limits":
        pytest.skip("this machine has no stronger containment")
    source = (
        "int system(const char *line);\nint fork(void);\nint open(const char *path, int flags);\n"
        "int socket(int a, int b, int c);\nint kill(int number, int signal);\nint getppid(void);\n"
        'int f(void) {\n  int n = fork();\n  int file = open("/etc/passwd", 0);\n'
        '  int net = socket(2, 1, 0);\n  int sent = kill(getppid(), 9);\n  int status = system("true");\n'
        "  return status == 0 || n != -1 || file != -1 || net != -1 || sent != -1;\n}\n"
    )
    assert outcome_text(record(run(source, "f()"))) == "0"
    assert isinstance(run("int f(void) {\n  return 1;\n}", "f()").packed.outcome, Returned)


def test_a_program_that_writes_where_the_recorder_does_is_rejected(run: Traced):
    source = (
        "long write(int file, const void *from, unsigned long n);\nint f(int n) {\n"
        '  for (int file = 3; file < 64; file++) {\n    write(file, "%s", 40);\n  }\n  return n;\n}\n'
    )
    for bytes_ in ("x" * 40, r"\x28\000\000\000\000\000\000\000" + "z" * 32):
        outcome = run(source % bytes_, "f(1)").packed.outcome
        assert isinstance(outcome, Rejected), outcome


def test_names_of_a_program_replace_none_of_a_library(run: Traced):
    source = (
        "#include <stdio.h>\nlong write(long n) {\n  return n + 1;\n}\nint step;\nint f(int cleanup) {\n"
        '  step = cleanup;\n  printf("%d\\n", step);\n  return (int)write(step);\n}\n'
    )
    traced = run(source, "f(4)")
    assert outcome_text(record(traced)) == "5"
    assert traced.output == b"4\n"


def test_a_script_is_its_main_with_its_words(run: Traced):
    source = '#include <stdio.h>\nint main(void) {\n  puts("hello");\n}\n'
    traced = run(source)
    assert (outcome_text(record(traced)), traced.output) == ("0", b"hello\n")


def test_a_second_run_elsewhere_gives_the_same_bytes():
    program = make_program(LISTS, "f", "2", origin="test", language="c")
    assert run_one(program, LIMITS, confirm=True).packed.head.determinism.confirmed
    addresses = '#include <stdio.h>\nint f(int n) {\n  return printf("%p", (void *)&n) > 0;\n}'
    shown = make_program(addresses, "f", "2", origin="test", language="c")
    assert run_one(shown, LIMITS).packed.head.determinism.reads == ["identity"]


def test_c_has_no_finer_steps_than_lines():
    program = make_program(SHADOWS, "f", "2", origin="test", language="c")
    with pytest.raises(UserError, match="by line alone"):
        list(trace_packed([program], LIMITS, granularity=Granularity.EXPRESSION))
