# way: code that is not in the source | tries: a code object is put together from the parts of another one | want: refused
import types


def g(x):
    x += 6  # step
    return x  # step


c = g.__code__
parts = [c.co_argcount, c.co_posonlyargcount, c.co_kwonlyargcount, c.co_nlocals, c.co_stacksize, c.co_flags]
parts += [c.co_code, c.co_consts, c.co_names, c.co_varnames, "elsewhere.py", c.co_name, c.co_qualname]
parts += [c.co_firstlineno, c.co_linetable, c.co_exceptiontable, c.co_freevars, c.co_cellvars]
g = types.FunctionType(types.CodeType(*parts), globals())


def f(x):
    return g(x)  # step
