/* The frames that are live in each thread, and the numbers of threads and tasks. */
#include "frames.h"

#if PY_VERSION_HEX >= 0x030D0000
#define IS_FINALIZING() Py_IsFinalizing()
#else
#define IS_FINALIZING() _Py_IsFinalizing()
#endif

int
add_stack(Tracer *t, PyThreadState *state)
{
    t->is_quiet = 0;
    for (Py_ssize_t i = 0; i < t->n_stacks; i++) {
        if (t->stacks[i].state == state && t->stacks[i].n == 0) { /* of a thread that is over */
            t->current = i;
            return 0;
        }
    }
    Stack *stacks = grown(t->stacks, t->n_stacks + 1, sizeof(Stack));
    if (stacks == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    t->stacks = stacks;
    memset(&stacks[t->n_stacks], 0, sizeof(Stack));
    stacks[t->n_stacks].state = state;
    t->current = t->n_stacks++;
    return 0;
}

/* Index of the running thread's stack; -1: it was traced before, and has outlived that trace. */
Py_ssize_t
thread_index(Tracer *t)
{
    PyThreadState *state = PyThreadState_Get();
    if (LIKELY(t->stacks[t->current].state == state)) {
        return t->current;
    }
    Py_ssize_t i = t->n_stacks - 1;
    while (i >= 0 && t->stacks[i].state != state) {
        i--;
    }
    return i;
}

/* The running thread has outlived its trace. 3.12 would call its trace function, even where there is none any more, for the
 * instructions of generators that have asked for them, while another thread is traced: there ours stays, and does nothing. */
void
thread_let_go(void)
{
#if PY_VERSION_HEX < 0x030C0000
    PyEval_SetTrace(NULL, NULL);
#endif
}

int
thread_push(Tracer *t, Frame *frame)
{
    Stack *stack = &t->stacks[t->current];
    if (stack->n == stack->cap) {
        Py_ssize_t cap = stack->cap * 2 + 16;
        Frame **live = grown(stack->live, cap, sizeof(Frame *));
        if (live == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        stack->live = live;
        stack->cap = cap;
    }
    stack->live[stack->n++] = frame;
    stack->n_with_cells += !frame->code->is_plain;
    return 0;
}

/* The frame leaves the stack; a generator's waits among the suspended. */
void
thread_pop(Tracer *t, int is_suspended)
{
    Stack *stack = &t->stacks[t->current];
    Frame *frame = stack->live[--stack->n];
    stack->n_with_cells -= !frame->code->is_plain;
    if (stack->n) {
        Frame *caller = stack->live[stack->n - 1];
        caller->is_dirty = 1; /* what it was handed lies on its stack now */
        if (UNLIKELY(caller->has_parked) && frame_unpark(t, caller) < 0) {
            t->out_of_memory = 1;
            PyErr_Clear();
        }
    }
    if (is_suspended) {
        frame->is_live = 0;
        frame->next = t->suspended;
        t->suspended = frame;
    }
    else {
        frame_free(t, frame);
    }
}

/* The thread's frames end without a further event, and must not be looked at once they are gone. */
void
forget_frames(Tracer *t, PyThreadState *state)
{
    for (Py_ssize_t i = 0; i < t->n_stacks; i++) {
        Stack *stack = &t->stacks[i];
        while (stack->state == state && stack->n) {
            stack->n_with_cells = 0;
            frame_free(t, stack->live[--stack->n]);
        }
    }
}

/* This thread says nothing more. */
void
thread_forget(Tracer *t)
{
    Py_INCREF(t); /* another thread can end the trace meanwhile */
    int is_locked = take_turn(t);
    t->is_quiet = 0;
    forget_frames(t, PyThreadState_Get());
    end_turn(t, is_locked);
    Py_DECREF(t);
}

/* The method's name is made once: the interpreter remembers where it found an attribute by the name's address. */
static int
number_from(Tracer *t, PyObject **name, const char *method, int32_t *number)
{
    if (*name == NULL && (*name = PyUnicode_InternFromString(method)) == NULL) {
        return -1;
    }
    PyObject *ask = PyObject_GetAttr(t->numbers, *name);
    PyThreadState *state = PyThreadState_Get();
    Lent lent = lend(state);
    PyObject *found = ask == NULL ? NULL : PyObject_CallNoArgs(ask);
    take_back(state, lent);
    *number = found == NULL ? -1 : (int32_t)PyLong_AsLong(found);
    Py_XDECREF(ask);
    Py_XDECREF(found);
    return PyErr_Occurred() ? -1 : 0;
}

/* A coroutine's frame runs in its task, any other where its caller does. */
int
thread_number(Tracer *t, Code *code, int32_t *number)
{
    static PyObject *task, *thread;
    Stack *stack = &t->stacks[t->current];
    if (code->is_coroutine) {
        return number_from(t, &task, "task", number);
    }
    if (stack->n) {
        *number = stack->live[stack->n - 1]->thread;
        return 0;
    }
    return number_from(t, &thread, "thread", number);
}

/* The tables are one thread's at a time. An event of the only thread takes no lock, it says that it is busy: helpers in
 * Python can let another thread run in the middle of it. Whoever waits must ask again afterwards what it knew. */
void
take_lock(Tracer *t)
{
    if (!PyThread_acquire_lock(t->lock, NOWAIT_LOCK)) {
        if (IS_FINALIZING()) {
            return; /* the sandbox has ended the other threads (guard.c), one of them with the lock: it is this thread's now */
        }
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(t->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
    while (t->is_busy) {
        Py_BEGIN_ALLOW_THREADS
        Py_END_ALLOW_THREADS
    }
}

/* Whether the lock was taken: `end_turn` wants to know. */
int
take_turn(Tracer *t)
{
    if (t->n_stacks > 1) {
        take_lock(t);
        return 1;
    }
    t->is_busy = 1;
    return 0;
}

void
end_turn(Tracer *t, int is_locked)
{
    if (is_locked) {
        PyThread_release_lock(t->lock);
    }
    else {
        t->is_busy = 0;
    }
}
