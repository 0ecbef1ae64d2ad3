/* What differs between CPython 3.11, 3.12, 3.13 and 3.14: frames, dictionaries, the depth of recursion.
 *
 *   Ref, REF(ref)        one slot of a frame; its object or NULL. 3.14 marks borrowed references in the address, and
 *                        keeps the offset that a handler goes back to as a number that is no object
 *   OWNED_REF(ref)       the same where the slot is a reference that counts
 *   IS_SHIM(frame)       a frame that stands for C code that has called the interpreter
 *   STACK_TOP(frame)     index in localsplus of the first slot above the value stack, negative where that is not known
 *   SUBSCRIPT            argument of BINARY_OP that means `a[b]`, -1 where that has its own instruction
 */
#ifndef DESKCHECK_INTERPRETER_H
#define DESKCHECK_INTERPRETER_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_BUILD_CORE_MODULE
#define Py_BUILD_CORE_MODULE 1
#endif
#include <Python.h>
#include <frameobject.h>
#include <stdint.h>
#include <string.h>
#include "internal/pycore_code.h"
#include "internal/pycore_dict.h"
#include "internal/pycore_frame.h"
#include "internal/pycore_interp.h"
#include "internal/pycore_object.h"
#include "internal/pycore_runtime.h"
#if PY_VERSION_HEX >= 0x030D0000
#include "internal/pycore_ceval.h"
#include "internal/pycore_setobject.h"
#endif
#if PY_VERSION_HEX >= 0x030E0000
#include "internal/pycore_genobject.h"
#include "internal/pycore_interpframe.h"
#include "internal/pycore_stackref.h"
#endif

#if PY_VERSION_HEX < 0x030B0000 || PY_VERSION_HEX >= 0x030F0000 || defined(Py_GIL_DISABLED)
#error "deskcheck's tracer knows the frames of CPython 3.11, 3.12, 3.13 and 3.14, with the global lock"
#endif

#if PY_VERSION_HEX >= 0x030E0000
#define SUBSCRIPT 26 /* NB_SUBSCR */
typedef _PyStackRef Ref;
/* The object of a slot, borrowed; NULL for an empty one. */
static inline PyObject *
REF(Ref ref)
{
    return (ref.bits & 3) == 3 ? NULL : (PyObject *)(ref.bits & ~(uintptr_t)1);
}
#define OWNED_REF(ref) ((ref).bits & 1 ? NULL : REF(ref))
#define IS_SHIM(frame) ((frame)->owner == FRAME_OWNED_BY_INTERPRETER)
#define FRAME_CODE(frame) ((PyCodeObject *)REF((frame)->f_executable))
#define STACK_TOP(frame) ((frame)->stackpointer == NULL ? -1 : (int)((frame)->stackpointer - (frame)->localsplus))
#else
#define SUBSCRIPT (-1)
typedef PyObject *Ref;
#define REF(ref) (ref)
#define OWNED_REF(ref) (ref)
#if PY_VERSION_HEX >= 0x030C0000
#define IS_SHIM(frame) ((frame)->owner == FRAME_OWNED_BY_CSTACK)
#else
#define IS_SHIM(frame) 0
#endif
#define STACK_TOP(frame) ((frame)->stacktop)
#if PY_VERSION_HEX >= 0x030D0000
#define FRAME_CODE(frame) ((PyCodeObject *)(frame)->f_executable)
#else
#define FRAME_CODE(frame) ((frame)->f_code)
#endif
#endif

#if PY_VERSION_HEX >= 0x030E0000
#define LEND_DEPTH(ts, n) ((ts)->py_recursion_remaining += (n)) /* that of C is measured on its stack */
#elif PY_VERSION_HEX >= 0x030C0000
#define LEND_DEPTH(ts, n) ((ts)->py_recursion_remaining += (n), (ts)->c_recursion_remaining += (n))
#else
#define LEND_DEPTH(ts, n) ((ts)->recursion_remaining += (n))
#endif
#if PY_VERSION_HEX >= 0x030C0000
#define DEPTH_LIMIT(ts) ((ts)->py_recursion_limit)
#define DEPTH_LEFT(ts) ((ts)->py_recursion_remaining)
#else
#define DEPTH_LIMIT(ts) ((ts)->recursion_limit)
#define DEPTH_LEFT(ts) ((ts)->recursion_remaining)
#endif
/* Callbacks run on recursion depth of their own, so that the program meets its limit where it would alone. */
#define HEADROOM 5000

#if PY_VERSION_HEX >= 0x030D0000
#define SIGNALS_AGAIN(ts) _Py_set_eval_breaker_bit(ts, _PY_SIGNALS_PENDING_BIT)
#else
#define SIGNALS_AGAIN(ts) \
    (_Py_atomic_load_relaxed(&_PyRuntime.ceval.signals_pending) \
     ? _Py_atomic_store_relaxed(&(ts)->interp->ceval.eval_breaker, 1) : (void)0)
#endif

/* The dictionary of a class; a new reference. */
static inline PyObject *
dict_of(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyType_GetDict(type);
#else
    return Py_XNewRef(type->tp_dict);
#endif
}

#if PY_VERSION_HEX >= 0x030D0000
#define CURRENT_FRAME(ts) ((ts)->current_frame)
#else
#define CURRENT_FRAME(ts) ((ts)->cframe->current_frame)
#endif

/* Whether code in C has called the frame's function. */
#if PY_VERSION_HEX >= 0x030C0000
#define IS_CALLED_FROM_C(frame) ((frame)->previous != NULL && IS_SHIM((frame)->previous))
#else
#define IS_CALLED_FROM_C(frame) ((frame)->is_entry)
#endif

/* What `codecs.register` and `codecs.register_error` add to. */
#if PY_VERSION_HEX >= 0x030D0000
#define CODEC_SEARCHES(interp) ((interp)->codecs.search_path)
#define ERROR_HANDLERS(interp) ((interp)->codecs.error_registry)
#else
#define CODEC_SEARCHES(interp) ((interp)->codec_search_path)
#define ERROR_HANDLERS(interp) ((interp)->codec_error_registry)
#endif

/* How often the global lock has gone to another thread. */
#if PY_VERSION_HEX >= 0x030C0000
#define SWITCHES(ts) ((ts)->interp->ceval.gil->switch_number)
#else
#define SWITCHES(ts) ((void)(ts), _PyRuntime.ceval.gil.switch_number)
#endif

/* What the program's own run has, while Python code of ours runs. */
typedef struct {
    unsigned long main_thread; /* 0: the interpreter runs no signal handlers in this thread */
    int n_young;
} Lent;

/* Python code of ours runs from here on: on depth of its own, and without signal handlers, which are the program's.
   The interpreter runs them in its main thread only; those that come in between run when the program goes on. */
static inline Lent
lend(PyThreadState *state)
{
    Lent lent = {_PyRuntime.main_thread, state->interp->gc.generations[0].count};
    LEND_DEPTH(state, HEADROOM);
    if (lent.main_thread != PyThread_get_thread_ident()) {
        lent.main_thread = 0;
        return lent;
    }
    _PyRuntime.main_thread = 0;
    return lent;
}

/* And ends here. What it has made is not counted among the program's young objects (gc.get_count). */
static inline void
take_back(PyThreadState *state, Lent lent)
{
    LEND_DEPTH(state, -HEADROOM);
    state->interp->gc.generations[0].count = lent.n_young;
    if (lent.main_thread) {
        _PyRuntime.main_thread = lent.main_thread;
        SIGNALS_AGAIN(state);
    }
}

/* Call Python code of ours. */
static inline PyObject *
lent_call(PyObject *callable, PyObject *one, PyObject *two)
{
    PyThreadState *state = PyThreadState_Get();
    PyObject *arguments[2] = {one, two};
    Lent lent = lend(state);
    PyObject *result = PyObject_Vectorcall(callable, arguments, two == NULL ? 1 : 2, NULL);
    take_back(state, lent);
    return result;
}

#endif
