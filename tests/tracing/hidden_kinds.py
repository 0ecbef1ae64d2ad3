"""Statements in which a library or a protocol calls code in C that the program chose: further kinds.

    KINDS: name -> statements over xs, d, s, q, res and y, as in hidden_programs.py

Each was tried against the plain recorder; those of the first lines were once refused.
"""

from __future__ import annotations

from tests.tracing.hidden_programs import IMPORTS, HiddenProgram
from tests.tracing.hidden_siblings import MORE

TEXT = """\
# meta iter
class M(type): __iter__ = functools.partial(map, xs.append, [1,2])
class C(metaclass=M): pass
for v in C: y+=1

# str join
class N: __iter__ = functools.partial(map, functools.partial(d.setdefault, 'j'), ['a','b'])
'-'.join(N())

# unpack iter
class N: __iter__ = functools.partial(map, xs.append, [1,2])
a, b = N()
[*N()]
(lambda *z: 0)(*N())

# csv reader
r=csv.reader(iter(functools.partial(d.setdefault,'c','1,2'), None))
next(r)
y=1
next(r)

# classmethod get
class C: m = classmethod(xs.append)
C.m()
xs.pop()

# starmap
it=itertools.starmap(xs.insert, [(0, 1), (0, 2)])
next(it)
y=2
next(it)

# tee map
a,b=itertools.tee(map(xs.append,[1,2,3]))
next(a)
y=2
next(b); next(b)

# cycle
it=itertools.cycle(map(xs.append,[1]))
next(it); next(it); next(it)

# islice step
it=itertools.islice(map(xs.append, range(9)), 0, 5, 2)
next(it)
y=1
next(it)

# chain from
it=itertools.chain.from_iterable(map(xs.append, []) for i in 'ab')
list(it)

# pairwise
for p in itertools.pairwise(map(xs.append,[1,2,3])): y+=1

# compress
list(itertools.compress([1,2], map(xs.append,[1,2])))

# accumulate
list(itertools.accumulate([1,2,3], d.setdefault))

# groupby c
for k,g in itertools.groupby([1,1,2], xs.append): y+=len(list(g))

# attrgetter prop
class C: a = property(lambda self: 1)
C.b = property(xs.append)
C.__setattr__ = object.__setattr__
o=C()
operator.attrgetter('b')(o)

# set name c
class T: __set_name__ = functools.partial(d.setdefault)
t=T()
class D:
    x = t

# init subclass kw
class B: __init_subclass__ = functools.partial(d.update)
class D(B, z=3): pass

# copyreg reducer
class C: pass
c=C()
copyreg.pickle(C, functools.partial(lambda o, x: (o.append(1) or (list, ())), xs))
copy.copy(c)

# setstate c
class C:
    __setstate__ = xs.append
    def __reduce__(self): return (C, (), {'a': 1})
copy.copy(C())
pickle.loads(pickle.dumps([1]))

# json default
json.dumps([set()], default=xs.append)
json.dumps(object(), default=functools.partial(q.append))

# resub c
try: re.sub('a', functools.partial(d.setdefault, 'k'), 'aa')
except TypeError: pass

# ctypes cb
cmp = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(xs.append)
cmp(7)
y=4
cmp(8)

# array index
class I: __index__ = functools.partial(xs.pop)
a=array.array('i',[1,2])
a[0] = I()
a.append(I())

# sqlite fn
c=sqlite3.connect(':memory:')
c.create_function('g', 1, xs.append)
y=2
c.execute('select g(4), g(5)').fetchall()

# sqlite collation
c=sqlite3.connect(':memory:')
c.create_collation('k', functools.partial(max, key=xs.append))
y=2
try: c.execute("select x from (select 'a' x union select 'b') order by x collate k").fetchall()
except Exception: pass

# sqlite trace
c=sqlite3.connect(':memory:')
c.set_trace_callback(xs.append)
y=1
c.execute('select 1')
c.set_trace_callback(None)

# sqlite aggregate
class A:
    step = staticmethod(xs.append)
    finalize = staticmethod(functools.partial(len, 'ab'))
c=sqlite3.connect(':memory:')
c.create_aggregate('g', 1, A)
y=1
c.execute('select g(3)').fetchall()

# fileno attr
class F: fileno = staticmethod(xs.pop)
try: select.poll().register(F())
except Exception: pass

# atexit run
atexit.register(xs.append, 3)
y=2
atexit._run_exitfuncs()

# excepthook thread
old=threading.excepthook
threading.excepthook = q.append
t=threading.Thread(target=int, args=('a',))
t.start(); t.join()
q.clear()
threading.excepthook=old

# unraisable
old=sys.unraisablehook
sys.unraisablehook=functools.partial(max, 1, 2, key=xs.append)
class C:
    def __del__(self): raise ValueError
c=C()
c=None
y=2
sys.unraisablehook=old

# finalize args
class C: pass
c=C()
f=weakref.finalize(c, d.update, a=4, z=5)
del c
y=2

# weakmethod
class C:
    def m(self): pass
c=C()
w=weakref.WeakMethod(c.m, xs.append)
c=None
y=2
xs.pop()

# cached property
class C: p = functools.cached_property(xs.append)
c=C()
c.p
y=1
c.p

# singledispatch
g=functools.singledispatch(xs.append)
g(1)
g.register(str, d.setdefault)
g('k')

# mro c
class M(type): mro = functools.partial(max, 1, 2, key=xs.append)
try:
    class D(metaclass=M): pass
except Exception: pass

# build ns c
class NS(dict): __setitem__ = functools.partial(d.__setitem__)
class M(type):
    @classmethod
    def __prepare__(m, *a): return NS()
try:
    class C(metaclass=M): a = 3
except Exception: pass

# displayhook
old=sys.displayhook
sys.displayhook=xs.append
exec(compile('3','','single'))
sys.displayhook=old

# exec globals
class G(dict): __getitem__ = dict.__getitem__; __missing__ = staticmethod(xs.append)
eval('zz', {}, G())

# with lock
class P:
    __enter__ = staticmethod(xs.pop)
    __exit__ = functools.partial(max, key=q.append)
try:
    with P() as z: y += z
except TypeError: pass

# memoryview del
b=bytearray(b'abc')
m=memoryview(b)
m[0]=66
y=b[0]
m.release()
b.extend(b'z')

# a subclass of map
class M(map): pass
it = M(xs.append, [1, 2])
next(it)
y = 1
for v in it: y += 1

# a subclass of an iterator in C
class A(itertools.accumulate): pass
it = A([1, 2, 3], d.setdefault)
next(it)
y = 1
next(it)

# a partial that makes an iterator
class C: pass
C.__iter__ = functools.partial(filter, xs.append, [1, 2])
list(C())
y = 1
sum(C())

# a class method given later
class C: pass
C.m = classmethod(xs.append)
C.m()
xs.pop()
y = 1
C.m()
xs.pop()

# keys made of a function in C
K = functools.cmp_to_key(d.setdefault)
a, b = K(1), K(2)
a < b
y = 1
q.extend([a, b]); max(q); q.clear()

# a key of a class that is not named
k = functools.cmp_to_key(functools.partial(max, 1, 2, key=xs.append))(1)
k == k
y = 1
k >= k

# a proxy of what is not named
m = types.MappingProxyType({1: type('N', (), {'__eq__': functools.partial(xs.append)})()})
m == {1: 2}
y = 1
m != {1: 3}

# an alias of what is not named
m = types.GenericAlias(type('N', (), {'__eq__': functools.partial(xs.append)})(), int)
m == types.GenericAlias(3, int)
y = 1

# subclass of defaultdict
class D(defaultdict): pass
res.append(D(int))
res[0]['v']
y = 1
'%(a)s' % res[0]
y = 2
'{b}'.format_map(res[0])

# a second subclass of defaultdict
class D(defaultdict): __missing__ = defaultdict.__missing__
class E(D): pass
res.append(E(list))
k = res[0][y]
y = 1
res[0][y].append(3)

# offset of a zone's own
class Z(datetime.tzinfo): pass
z = Z()
z.utcoffset = xs.append
t = datetime.datetime(2020, 1, 1, tzinfo=z)
str(t)
y = 1
hash(t)

# offset given to what is not named
class Z(datetime.tzinfo): pass
t = datetime.datetime(2020, 1, 1, tzinfo=Z())
t.tzinfo.utcoffset = xs.append
str(t)
y = 1
hash(t)

# a zone that is not named
t = datetime.datetime(
    2020, 1, 1,
    tzinfo=type('Z', (datetime.tzinfo,), {'utcoffset': functools.partial(d.setdefault, 'z')})(),
)
str(t)
y = 1
hash(t.timetz())

# a stream's own write
class R(io.RawIOBase): writable = lambda self: True
r = R()
r.write = xs.append
w = io.BufferedWriter(r)
try: w.write(b'a' * 9000)
except TypeError: y = 1
try: w.flush()
except Exception: y = 2

# a stream's own readinto
class R(io.RawIOBase): readable = lambda self: True
r = R()
r.readinto = functools.partial(max, 1, 2, key=xs.append)
try: r.read(3)
except Exception: y = 1
y = 2
for v in io.BufferedReader(r): break

# an own close of a stream
class R(io.IOBase): pass
r = R()
r.flush = xs.pop
r.close()
y = 2

# an own method of a pickler
p = type('P', (pickle.Pickler,), {})(io.BytesIO())
p.persistent_id = xs.append
p.dump([1])
y = 2

# an own method of a generator of numbers
class R(random.Random): pass
r = R()
r.random = xs.pop
r.uniform(1, 2)
y = 2
r.shuffle([1, 2])
"""
KINDS = {
    name: body.strip("\n") for name, _, body in (part.partition("\n") for part in TEXT[2:].split("\n\n# "))
}


def kind_program(name: str) -> HiddenProgram:
    """Return the program of this kind: its statements, and what plain code finds after them."""
    body = "".join(f"    {line}\n" for line in KINDS[name].split("\n"))
    end = "    n = (len(xs), len(d), len(s), len(q))\n    res.append(n)\n    y = len(xs)\n    return res\n"
    more = "import atexit, ctypes, select, sqlite3\n"
    return HiddenProgram("kind", f"{IMPORTS}{MORE}{more}\ndef f(xs, d, s, q, res):\n    y = 0\n{body}{end}")
