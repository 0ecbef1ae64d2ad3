"""Rewrite a C program with probes, the calls that record its run.

    instrument(program) -> Instrumented(text, codes, names)      text for gcc, and what its numbers stand for

Probes stand before each statement and test, and at calls, returns and declarations. A step is a statement
that is about to run, or a test: `for` and `while` have a step before each test, which makes n + 1 steps in a
loop of n rounds, as in Python. Expressions stay as they are. The text is written from the syntax tree, so the
program's line numbers stand only in the probes and in the #line marks.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct
from pycparser import c_ast, c_generator

from deskcheck.languages.c.declared import defines, rename, renamed
from deskcheck.languages.c.source import FILE, HERE, Refusal, Uncompiled, parse
from deskcheck.languages.c.types import Types
from deskcheck.records import Code, Program
from deskcheck.tracing.program import SCRIPT

# Flags of the probe `dk_var`: the variable has a value, can be changed through an address, is global, is
# static in a function.
_SET, _EXPOSED, _GLOBAL, _STATIC = 1, 2, 4, 8
_SITE = "dk_call_site"
_CALL = '#line 1 "call"'
PROBES = (HERE / "runtime" / "probes.h").read_text(encoding="utf-8")


class Instrumented(Struct, frozen=True):
    """The text of a program with probes, and what the numbers in its probes stand for."""

    text: str
    codes: list[Code]
    """Functions, by number."""
    names: list[str]
    """Names of types, by number."""


def instrument(program: Program) -> Instrumented:
    """Return a program with probes and with its call.

    Uncompiled for a text that is no C program or lacks the called function, Refusal for C that is not traced.
    """
    call = call_of(program)
    tree = parse(program.source, f"static void {_SITE}(void) {{ {call}; }}")
    functions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef) and node.decl.name != _SITE]
    entry = next((node for node in functions if call.startswith(f"{node.decl.name}(")), None)
    if entry is None:
        names = ", ".join(node.decl.name for node in functions) or "none"
        raise Uncompiled(f"no function '{call.partition('(')[0]}' in the file; it has: {names}")
    return _Writer(tree, functions).whole(entry)


def call_of(program: Program) -> str:
    """Return the call that begins the run; for a script, a call of `main` with the arguments as `argv`."""
    if program.entry != SCRIPT:
        return program.call
    words = ["program", *(str(word) for word in json.loads(f"[{program.arguments}]"))]
    takes_words = any(
        isinstance(node, c_ast.FuncDef) and node.decl.name == "main" and len(_parameters(node)) == 2
        for node in parse(program.source).ext
    )
    listed = ", ".join(json.dumps(word) for word in words)
    return f"main({len(words)}, (char *[]){{{listed}}})" if takes_words else "main()"


def _parameters(node: Any) -> list[Any]:
    """Return the named parameters of a function."""
    listed = node.decl.type.args.params if node.decl.type.args is not None else []
    return [one for one in listed if isinstance(one, c_ast.Decl) and one.name is not None]


def _line(node: Any) -> int:
    return int(node.coord.line) if node.coord is not None else 0


def _place(node: Any) -> str:
    """Return the mark that numbers the next line, for the messages of the compiler and the sanitizers."""
    return f'#line {max(_line(node), 1)} "{FILE}"'


class _Exposed(c_ast.NodeVisitor):  # type: ignore[misc]  # pycparser has no types
    """Names whose address a function takes."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_UnaryOp(self, node: Any) -> None:
        if node.op == "&" and isinstance(node.expr, c_ast.ID):
            self.names.add(node.expr.name)
        self.generic_visit(node)


class _Writer:
    """One program that is being written."""

    def __init__(self, tree: Any, functions: list[Any]) -> None:
        self._tree = tree
        self._functions = functions
        self._types = Types(tree)
        self._text = c_generator.CGenerator().visit
        self._codes = [Code(node.decl.name, 0, _line(node.decl), "function") for node in functions]
        self._exposed: set[str] = set()
        self._returns = ""
        self._return_type = -1
        self._n_scopes = 0

    def whole(self, entry: Any) -> Instrumented:
        parts = [PROBES, *(f"#define {name} dk_own_{name}" for name in self._names())]
        globals_ = []
        for node in self._tree.ext:
            if isinstance(node, c_ast.FuncDef):
                if node.decl.name != _SITE:
                    parts.append(self._function(node, self._functions.index(node)))
                else:
                    call = node.body.block_items[0]
                continue
            parts.append(f"{_place(node)}\n{self._text(node)};")
            is_own = node.coord is not None and node.coord.file == FILE
            is_variable = (
                isinstance(node, c_ast.Decl) and node.name and not isinstance(node.type, c_ast.FuncDecl)
            )
            if is_own and is_variable and "extern" not in node.storage:
                globals_.append(f"  {self._variable(node, _GLOBAL | _SET | _EXPOSED)}")
        parts.append(self._main(call, entry, globals_))
        parts.append(self._types.text([node.decl.name for node in self._functions]))
        return Instrumented("\n".join(parts), self._codes, self._types.names)

    def _names(self) -> list[str]:
        """List the file's functions and variables, which are renamed so that they replace no library's."""
        variables = (
            node.name
            for node in self._tree.ext
            if isinstance(node, c_ast.Decl) and node.name and not isinstance(node.type, c_ast.FuncDecl)
        )
        return sorted({*variables, *(node.decl.name for node in self._functions)})

    def _main(self, call: Any, entry: Any, globals_: list[str]) -> str:
        """Write the call of the entry; arrays among its arguments become places with an address."""
        if not isinstance(call, c_ast.FuncCall):
            raise Uncompiled("the call is none: write f(3)")
        arguments, places = [], []
        given = call.args.exprs if call.args is not None else []
        for number, (node, parameter) in enumerate(
            zip(given, [*_parameters(entry), *[None] * len(given)], strict=False)
        ):
            kind, start = self._argument(node, parameter)
            if kind is None:
                arguments.append(self._text(node))
                continue
            name = f"dk_given{number}"
            declared = c_ast.Decl(name, [], [], ["static"], [], kind, start, None)
            rename(kind, name)
            places.append(
                (self._text(declared), f"  {self._registered(name, kind, -1, _GLOBAL | _SET | _EXPOSED)}")
            )
            arguments.append(name)
        declared_places = "\n".join(f"{text};" for text, _ in places)
        registered = "\n".join([*globals_, *(row for _, row in places)])
        run = f"{entry.decl.name}({', '.join(arguments)});"
        return f"{_CALL}\n{declared_places}\nvoid dk_main(void) {{\n{registered}\n  {run}\n}}"

    def _argument(self, node: Any, parameter: Any) -> tuple[Any, Any]:
        """Return type and initializer of an argument that is an array or a changeable text, or two Nones."""
        if isinstance(node, c_ast.CompoundLiteral) and isinstance(node.type.type, c_ast.ArrayDecl):
            return node.type.type, node.init
        is_text = isinstance(node, c_ast.Constant) and node.type == "string"
        if is_text and parameter is not None and isinstance(parameter.type, c_ast.PtrDecl | c_ast.ArrayDecl):
            target = parameter.type.type
            if isinstance(target, c_ast.TypeDecl) and "const" not in target.quals:
                return c_ast.ArrayDecl(c_ast.TypeDecl(None, [], None, target.type), None, []), node
        return None, None

    # ------------------------------------------------------------ functions and variables

    def _function(self, node: Any, code: int) -> str:
        if node.param_decls:
            raise Refusal(f"line {_line(node.decl)}: a function in the style before 1989")
        finder = _Exposed()
        finder.visit(node.body)
        self._exposed = finder.names
        result = node.decl.type.type
        is_void = (
            isinstance(self._types.resolved(result), c_ast.IdentifierType) and self._text(result) == "void"
        )
        self._return_type = -1 if is_void else self._types.number(result)
        declared = c_ast.Decl("dk_r", [], [], [], [], renamed(result, "dk_r"), None, None)
        self._returns = "" if is_void else self._text(declared)
        line = _line(node.decl)
        head = [f"int dk_frame DK_CLEANUP(dk_leave) = dk_enter({code}, {line});"]
        for parameter in _parameters(node):
            kind = parameter.type
            if isinstance(kind, c_ast.ArrayDecl):
                kind = c_ast.PtrDecl([], kind.type)
            head.append(self._registered(parameter.name, kind, self._types.word(parameter.name), _SET))
        head.append("dk_called();")
        body = self._items(node.body.block_items or [])
        if node.decl.name == "main" and not is_void:
            body.append(f"{{ int dk_r = 0; dk_return(&dk_r, {self._return_type}); return dk_r; }}")
        elif not is_void:  # a function that ends here has no value, and its caller may not use it
            body.append(f"{{ {self._returns}; dk_fill((void *)&dk_r, sizeof dk_r); return dk_r; }}")
        inner = "\n".join(["{", *head, *body, "}"])
        return f"{_place(node.decl)}\n{self._text(node.decl)}\n{inner}"

    def _variable(self, node: Any, flags: int = 0) -> str:
        """Write the probe of a declared variable."""
        if isinstance(node.type, c_ast.FuncDecl):
            return ""
        if node.init is not None or "static" in node.storage:
            flags |= _SET
        if "static" in node.storage and not flags & _GLOBAL:
            flags |= _STATIC | _EXPOSED
        return self._registered(node.name, node.type, self._types.word(node.name), flags)

    def _registered(self, name: str, kind: Any, word: int, flags: int) -> str:
        if name in self._exposed or self._types.is_container(kind):
            flags |= _EXPOSED
        return f"dk_var((void *)&{name}, sizeof {name}, {self._types.number(kind)}, {word}, {flags});"

    # ------------------------------------------------------------ statements

    def _items(self, items: list[Any]) -> list[str]:
        """Write the statements of a block; declarations that share a line are one step."""
        lines: list[str] = []
        before = 0
        for node in items:
            if not isinstance(node, c_ast.Decl):
                before = 0
                lines += [_place(node), *self._statement(node)]
                continue
            if defines(node.type) or node.name is None:
                raise Refusal(f"line {_line(node)}: a type that is defined in a function; define it before")
            is_step = not isinstance(node.type, c_ast.FuncDecl) and not {"static", "extern"} & set(
                node.storage
            )
            if is_step and _line(node) != before:
                lines.append(f"dk_line({_line(node)});")
                before = _line(node)
            probe = self._variable(node) if "extern" not in node.storage else ""
            lines += [_place(node), f"{self._text(node)};", probe]
        return lines

    def _block(self, node: Any) -> list[str]:
        """Write a statement as a block of its own."""
        items = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
        return ["{", *self._scope(items), *self._items(items), "}"]

    def _scope(self, items: list[Any]) -> list[str]:
        if not any(isinstance(item, c_ast.Decl) for item in items):
            return []
        self._n_scopes += 1
        return [f"struct dk_mark dk_scope{self._n_scopes} DK_CLEANUP(dk_close) = dk_open();"]

    def _statement(self, node: Any) -> list[str]:
        step = f"dk_line({_line(node)});"
        match node:
            case None | c_ast.EmptyStatement():
                return [";"]
            case c_ast.Compound():
                return self._block(node)
            case c_ast.If():
                rest = ["else", *self._block(node.iffalse)] if node.iffalse is not None else []
                return [f"{step} if ({self._text(node.cond)})", *self._block(node.iftrue), *rest]
            case c_ast.While():
                return [f"while (({step[:-1]}, ({self._text(node.cond)})))", *self._block(node.stmt)]
            case c_ast.DoWhile():
                test = f"dk_line({_line(node.cond)}), ({self._text(node.cond)})"
                return ["do", *self._block(node.stmt), _place(node.cond), f"while (({test}));"]
            case c_ast.For():
                return self._for(node, step)
            case c_ast.Switch():
                return [f"{step} switch ({self._text(node.cond)})", *self._switch(node)]
            case c_ast.Return():
                return [f"{step} {self._return(node)}"]
            case c_ast.Break() | c_ast.Continue():
                return [f"{step} {'break' if isinstance(node, c_ast.Break) else 'continue'};"]
            case c_ast.Pragma() | c_ast.Label() | c_ast.Goto() | c_ast.Typedef() | c_ast.StaticAssert():
                raise Refusal(f"line {_line(node)}: {type(node).__name__.lower()} in a function")
        return [f"{step} {self._text(node)};"]

    def _for(self, node: Any, step: str) -> list[str]:
        test = self._text(node.cond) if node.cond is not None else ""
        update = f", ({self._text(node.next)})" if node.next is not None else ""
        declared = list(node.init.decls) if isinstance(node.init, c_ast.DeclList) else []
        begin = [part for one in declared for part in (f"{self._text(one)};", self._variable(one))]
        if node.init is not None and not declared:
            begin = [f"{self._text(node.init)};"]
        head = f"for (; {test}; ({step[:-1]}{update}))"
        return [f"{{ {' '.join([*self._scope(declared), step, *begin, head])}", *self._block(node.stmt), "}"]

    def _switch(self, node: Any) -> list[str]:
        lines = ["{"]
        for case in node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]:
            if not isinstance(case, c_ast.Case | c_ast.Default):
                raise Refusal(f"line {_line(node)}: a switch with statements before its first case")
            while True:
                lines.append(f"case {self._text(case.expr)}:" if isinstance(case, c_ast.Case) else "default:")
                if len(case.stmts or []) != 1 or not isinstance(case.stmts[0], c_ast.Case | c_ast.Default):
                    break
                case = case.stmts[0]
            if any(isinstance(item, c_ast.Decl) for item in case.stmts or []):
                raise Refusal(f"line {_line(case)}: a declaration in a case; put it into braces")
            lines += [";", *self._items(case.stmts or [])]
        return [*lines, "}"]

    def _return(self, node: Any) -> str:
        if node.expr is None or not self._returns:
            value = f"{self._text(node.expr)}; " if node.expr is not None else ""
            return f"{{ {value}dk_return((void *)0, -1); return; }}"
        assigned = f"{self._returns} = {self._text(node.expr)};"
        return f"{{ {assigned} dk_return((void *)&dk_r, {self._return_type}); return dk_r; }}"
