/* deskcheck.sandbox._batch: the native part of a child that runs several programs one after another.

   watch(tables, functions, probes, handlers, own)
                                       in the zygote: what is to stay as it is (watch.c)
   watch_inside(caches, emptying, barrier, opaque)
                                       then: the inside of all objects that programs can reach (contents.c)
   renew()                             in the zygote, after work of its own: as it is now is how it is to stay
   fill_holes()                        in the zygote, last: free memory that is scattered is used up (memory.c)
   fork(folder, batch_fd, output_fd, result_fd) -> int
                                       in the zygote: a child in the folder, in a session of its own, that dies
                                       with the zygote; its descriptors are 0 to 5 (wire.py)
   open(prepare)                       in the child, after its limits are set, before any foreign code: with a
                                       `prepare`, prepare(payload) -> (object, body) for every payload, and a
                                       frame with each body
   run(job, flush, refused)            every job of the batch: job(payload, object) -> (kind, body), and its
                                       frame, until something has changed
   call(function, ..), call_last(..), keep(object), outlived()      for the job: guard.c
   part(stream, data)                  bytes of the job that runs, before its end (parts.py)

   The keys of the frames, the payloads not yet run and what was prepared of them lie in memory of this file
   only: no Python object, no descriptor and no file leads to them, and a key is wiped once its frame is sent. No Python function writes a
   frame. Frames that are sent lie in the receive queue of a socket whose other end the program hasn't. So
   Python code can forge no frame and change none. Native code can do both for programs that come after it in its batch (it is the process);
   that is why doubtful programs run alone, and why some are run again.
   Layout of the batch file and of a frame: wire.py. */
#include "batch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define KEY_BYTES 16
#define FILE_HEADER 32  /* magic 8, count u32, zero u32, output limit u64, zero u64 */
#define ENTRY_BYTES 24  /* key 16, length u64 */
#define FRAME_HEADER 64 /* magic 8, index u32, kind u8, zero 3, trip u32, refusals u32, output u64, body u64, key 16, zero 8 */
#define KIND_STARTED 0
#define KIND_DONE 1
#define KIND_OUT_OF_MEMORY 2
#define KIND_RAISED 4
#define KIND_PART 5
#define KIND_TAMPERED 6
#define KIND_PREPARED 7
#define PART_BYTES (1 << 20)
#define EXIT_BROKEN 70

static const char FILE_MAGIC[] = "deskjobs", FRAME_MAGIC[] = "deskchk2";

static struct {
    unsigned char *data; /* of the file; owned */
    size_t size, offset; /* offset of the next payload */
    uint32_t n_jobs, index;
    uint64_t output_bytes;
    struct {
        PyObject *object; /* owned; NULL: nothing was */
        char *output;     /* owned; what its preparation has printed */
        size_t n_output;
        int reaches_inside; /* as watch_reaches_inside says, before anything of it runs */
    } *prepared; /* of each job; NULL where nothing is prepared */
} batch;

/* ------------------------------------------------------------------ bytes */

static uint64_t
get(const unsigned char *at, int n)
{
    uint64_t value = 0;
    for (int i = 0; i < n; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static void
put(unsigned char *at, int n, uint64_t value)
{
    for (int i = n - 1; i >= 0; i--) {
        at[i] = (unsigned char)value;
        value >>= 8;
    }
}

/* A plain memset before the memory is given up may be left out by the compiler. */
static void
wipe(volatile unsigned char *at, size_t n)
{
    while (n--) {
        *at++ = 0;
    }
}

static unsigned char *
entry(uint32_t index)
{
    return batch.data + FILE_HEADER + (size_t)index * ENTRY_BYTES;
}

/* All of it, or the process ends: a half frame must not be followed by another. */
static void
send_all(struct iovec *parts, int n)
{
    while (n > 0) {
        ssize_t sent = writev(FD_RESULT, parts, n);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            _exit(EXIT_BROKEN);
        }
        while (n > 0 && (size_t)sent >= parts->iov_len) {
            sent -= (ssize_t)parts->iov_len;
            parts++;
            n--;
        }
        if (n > 0) {
            parts->iov_base = (char *)parts->iov_base + sent;
            parts->iov_len -= (size_t)sent;
        }
    }
}

static void
send_frame(uint32_t index, int kind, int trip, Py_buffer *refusals, Py_buffer *body, char *output, size_t n_output)
{
    unsigned char head[FRAME_HEADER] = {0};
    /* The first frame says that the clock may run: it carries the first job's key, as that job's own will. */
    unsigned char *key = entry(index);
    memcpy(head, FRAME_MAGIC, 8);
    put(head + 8, 4, index);
    head[12] = (unsigned char)kind;
    put(head + 16, 4, (uint64_t)trip);
    put(head + 20, 4, refusals ? (uint64_t)refusals->len : 0);
    put(head + 24, 8, n_output);
    put(head + 32, 8, body ? (uint64_t)body->len : 0);
    memcpy(head + 40, key, KEY_BYTES);
    struct iovec parts[4] = {
        {head, sizeof head},
        {refusals ? refusals->buf : NULL, refusals ? (size_t)refusals->len : 0},
        {output, n_output},
        {body ? body->buf : NULL, body ? (size_t)body->len : 0},
    };
    send_all(parts, 4);
    wipe(head, sizeof head);
}

/* ------------------------------------------------------------------ the batch file */

static int
check_file(void)
{
    if (batch.size < FILE_HEADER || memcmp(batch.data, FILE_MAGIC, 8) != 0) {
        return -1;
    }
    batch.n_jobs = (uint32_t)get(batch.data + 8, 4);
    batch.output_bytes = get(batch.data + 16, 8);
    if (batch.n_jobs == 0 || batch.n_jobs > (batch.size - FILE_HEADER) / ENTRY_BYTES) {
        return -1;
    }
    size_t room = batch.size - FILE_HEADER - (size_t)batch.n_jobs * ENTRY_BYTES;
    for (uint32_t i = 0; i < batch.n_jobs; i++) {
        uint64_t length = get(entry(i) + KEY_BYTES, 8);
        if (length > room) {
            return -1;
        }
        room -= length;
    }
    batch.offset = FILE_HEADER + (size_t)batch.n_jobs * ENTRY_BYTES;
    return room == 0 ? 0 : -1;
}

static PyObject *
payload_at(uint32_t index, size_t *offset)
{
    size_t length = (size_t)get(entry(index) + KEY_BYTES, 8);
    PyObject *payload = PyBytes_FromStringAndSize((char *)batch.data + *offset, (Py_ssize_t)length);
    *offset += length;
    return payload;
}

/* What the program has printed, up to one byte over the limit; the file is empty again afterwards. */
static char *
take_output(size_t *size)
{
    struct stat found;
    *size = 0;
    if (fstat(1, &found) < 0 || found.st_size <= 0) {
        lseek(1, 0, SEEK_SET); /* a program can have moved it without printing */
        return NULL;
    }
    size_t n = (size_t)found.st_size;
    n = n > batch.output_bytes + 1 ? (size_t)batch.output_bytes + 1 : n;
    char *data = malloc(n);
    ssize_t got = data ? pread(1, data, n, 0) : -1;
    if (got < 0 || ftruncate(1, 0) < 0 || lseek(1, 0, SEEK_SET) < 0) {
        _exit(EXIT_BROKEN);
    }
    *size = (size_t)got;
    return data;
}

/* The collector does what this does when it first comes by. Before that, the list of its objects would lead
   a program to what was prepared for those after it. */
static void
hide(PyObject *object)
{
    if (PyTuple_CheckExact(object)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); i++) {
            hide(PyTuple_GET_ITEM(object, i));
        }
        if (PyObject_GC_IsTracked(object)) {
            PyObject_GC_UnTrack(object);
        }
    }
    else if (PyCode_Check(object)) {
        PyCodeObject *code = (PyCodeObject *)object;
        hide(code->co_consts);
        hide(code->co_names);
        hide(code->co_localsplusnames);
    }
}

static int
prepare_job(PyObject *prepare, uint32_t index, size_t *offset)
{
    PyObject *payload = payload_at(index, offset), *answer = payload ? PyObject_CallOneArg(prepare, payload) : NULL;
    PyObject *body, *object;
    Py_buffer data;
    Py_XDECREF(payload);
    if (answer == NULL) {
        return -1;
    }
    if (!PyArg_ParseTuple(answer, "OS", &object, &body) || PyObject_GetBuffer(body, &data, PyBUF_SIMPLE) < 0) {
        Py_DECREF(answer);
        return -1;
    }
    batch.prepared[index].reaches_inside = watch_reaches_inside(object);
    hide(object);
    batch.prepared[index].object = Py_NewRef(object);
    if (batch.n_jobs > 1) {
        batch.prepared[index].output = take_output(&batch.prepared[index].n_output);
    }
    send_frame(index, KIND_PREPARED, 0, NULL, &data, NULL, 0);
    PyBuffer_Release(&data);
    Py_DECREF(answer);
    return 0;
}

/* All payloads, before anything of a program runs: what is said of them here nobody can have changed. */
static int
prepare_all(PyObject *prepare)
{
    size_t offset = batch.offset;
    batch.prepared = calloc(batch.n_jobs, sizeof *batch.prepared);
    if (batch.prepared == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (uint32_t index = 0; index < batch.n_jobs; index++) {
        if (prepare_job(prepare, index, &offset) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
batch_open(PyObject *self, PyObject *prepare)
{
    struct stat found;
    (void)self;
    if (batch.data != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a batch is opened once");
        return NULL;
    }
    if (fstat(FD_BATCH, &found) < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    batch.size = (size_t)found.st_size;
    /* Private and writable: keys are wiped in this process's own copy. */
    void *data = batch.size ? mmap(NULL, batch.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, FD_BATCH, 0) : MAP_FAILED;
    if (data == MAP_FAILED) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    batch.data = data;
    batch.index = 0;
    if (check_file() < 0) {
        PyErr_SetString(PyExc_ValueError, "not a batch file");
        return NULL;
    }
    close(FD_BATCH);
    int is_preparing = prepare != Py_None;
    if (!is_preparing && state_begin(batch.n_jobs == 1) < 0) {
        return NULL;
    }
    send_frame(0, KIND_STARTED, is_preparing, NULL, NULL, NULL, 0);
    if (is_preparing && (prepare_all(prepare) < 0 || state_begin(batch.n_jobs == 1) < 0)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
batch_part(PyObject *self, PyObject *args)
{
    Py_buffer data;
    int stream;
    (void)self;
    if (!PyArg_ParseTuple(args, "iy*", &stream, &data)) {
        return NULL;
    }
    if (batch.data == NULL || batch.index >= batch.n_jobs || !state_same_file(FD_RESULT)) {
        _exit(EXIT_BROKEN);
    }
    int fits = stream >= 0 && data.len > 0 && data.len <= PART_BYTES;
    if (fits) {
        send_frame(batch.index, KIND_PART, stream, NULL, &data, NULL, 0);
    }
    PyBuffer_Release(&data);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "a part has 1 to 1,048,576 bytes and a stream's number");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* The frame of the job that has run. What has changed, 0 = go on. */
static int
finish(int kind, PyObject *body, PyObject *refused)
{
    Py_buffer data = {0}, refusals = {0};
    guard_release();
    if (!state_same_file(FD_RESULT)) {
        _exit(EXIT_BROKEN);
    }
    PyObject *notes = PyObject_CallNoArgs(refused);
    if (notes == NULL || PyObject_GetBuffer(notes, &refusals, PyBUF_SIMPLE) < 0) {
        _exit(EXIT_BROKEN);
    }
    guard_look();
    if (guard_printed() >= 0 && state_same_file(1)
        && (ftruncate(1, guard_printed()) < 0 || lseek(1, guard_printed(), SEEK_SET) < 0)) {
        _exit(EXIT_BROKEN);
    }
    /* Without neighbours nobody is harmed by what is left behind, and the parent reads the output itself. */
    int trip = guard_trip() | (state_had_threads() ? TRIP_THREADS : 0);
    size_t n_output = 0;
    char *output = NULL;
    if (batch.n_jobs > 1) {
        if (!state_same_file(1)) {
            _exit(EXIT_BROKEN);
        }
        output = take_output(&n_output); /* and no program's code runs from here on */
        trip |= state_changed(batch.prepared == NULL || batch.prepared[batch.index].reaches_inside) | (refusals.len ? TRIP_REFUSED : 0);
    }
    if (trip & TRIP_OURS) {
        kind = KIND_TAMPERED;
        body = NULL;
    }
    if (body != NULL && PyObject_GetBuffer(body, &data, PyBUF_SIMPLE) < 0) {
        _exit(EXIT_BROKEN);
    }
    if (batch.n_jobs == 1) {
        trip &= TRIP_OURS | TRIP_THREADS;
    }
    send_frame(batch.index, kind, trip, &refusals, body ? &data : NULL, output, n_output);
    wipe(entry(batch.index), KEY_BYTES);
    batch.index++;
    free(output);
    PyBuffer_Release(&data);
    PyBuffer_Release(&refusals);
    Py_DECREF(notes);
    return trip;
}

/* What was prepared of the next job; what that has printed stands in the file again. */
static PyObject *
next_prepared(void)
{
    if (batch.prepared == NULL) {
        return Py_NewRef(Py_None);
    }
    char *output = batch.prepared[batch.index].output;
    size_t n = batch.prepared[batch.index].n_output;
    if (output != NULL && write(1, output, n) != (ssize_t)n) {
        _exit(EXIT_BROKEN);
    }
    free(output);
    PyObject *object = batch.prepared[batch.index].object;
    batch.prepared[batch.index].object = NULL;
    return object;
}

/* One job: how it ended, and what it gave; NULL where it gave nothing. */
static int
run_job(PyObject *job, PyObject **body)
{
    PyObject *given[2] = {payload_at(batch.index, &batch.offset), next_prepared()};
    PyObject *answer = given[0] ? PyObject_Vectorcall(job, given, 2, NULL) : NULL;
    int kind = KIND_DONE;
    *body = NULL;
    Py_XDECREF(given[0]);
    guard_hold(given[1]); /* its code can have finalizers of the program's */
    Py_DECREF(given[1]);
    if (answer == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_MemoryError)) { /* everything else `job` has caught */
            _exit(EXIT_BROKEN);
        }
        PyErr_Clear();
        return KIND_OUT_OF_MEMORY;
    }
    if (!PyArg_ParseTuple(answer, "iS", &kind, body) || kind < KIND_DONE || kind > KIND_RAISED) {
        _exit(EXIT_BROKEN);
    }
    Py_INCREF(*body);
    Py_DECREF(answer);
    return kind;
}

static PyObject *
batch_run(PyObject *self, PyObject *const *arguments, Py_ssize_t n)
{
    static int is_running;
    PyObject *body;
    (void)self;
    if (is_running || batch.data == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a batch runs once");
        return NULL;
    }
    if (n != 3) {
        PyErr_SetString(PyExc_TypeError, "run(job, flush, refused)");
        return NULL;
    }
    PyObject *job = arguments[0], *flush = arguments[1], *refused = arguments[2];
    if (guard_begin(flush) < 0) {
        return NULL;
    }
    is_running = 1;
    while (batch.index < batch.n_jobs) {
        guard_renew();
        int kind = run_job(job, &body), trip = finish(kind, body, refused);
        Py_XDECREF(body);
        if (trip || kind != KIND_DONE) {
            break;
        }
    }
    Py_RETURN_NONE;
}

/* The child's own business right after the fork, without a Python object. */
static void
settle_in(const char *folder, int batch_fd, int output_fd, int result_fd)
{
    int from[] = {open("/dev/null", O_RDONLY), output_fd, output_fd, result_fd, batch_fd, -1};
    from[FD_STATM] = open("/proc/self/statm", O_RDONLY);
    for (int to = 0; to < N_FDS; to++) {
        /* Out of the way first: a number may be both. */
        if (from[to] >= 0 && (from[to] = fcntl(from[to], F_DUPFD, N_FDS)) < 0) {
            _exit(EXIT_BROKEN);
        }
    }
    for (int to = 0; to < N_FDS; to++) {
        if (from[to] >= 0 ? dup2(from[to], to) < 0 : to != FD_STATM) {
            _exit(EXIT_BROKEN);
        }
    }
    if (from[FD_STATM] < 0) {
        close(FD_STATM);
    }
    if (setsid() < 0 || chdir(folder) < 0) {
        _exit(EXIT_BROKEN);
    }
}

/* os.fork() lets Python's modules repair themselves in the child (threads' locks, the state of `random`), which
   dirties two hundred pages and takes longer than the fork. A process with one thread has nothing to repair;
   `random` is seeded before every program. */
static PyObject *
batch_fork(PyObject *self, PyObject *args)
{
    const char *folder;
    int batch_fd, output_fd, result_fd;
    (void)self;
    if (!PyArg_ParseTuple(args, "siii", &folder, &batch_fd, &output_fd, &result_fd)) {
        return NULL;
    }
    PyThreadState *first = PyInterpreterState_ThreadHead(PyInterpreterState_Get());
    if (PyThreadState_Next(first) != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a process with several threads must not fork so");
        return NULL;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    if (pid == 0) {
#ifdef __linux__
        if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != parent) {
            _exit(EXIT_BROKEN);
        }
#endif
        settle_in(folder, batch_fd, output_fd, result_fd);
    }
    return PyLong_FromLong(pid);
}

/* What has to stay as it is, is said before any program runs. */
static int
is_zygote(void)
{
    if (batch.data != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a child that runs programs has nothing to say here");
        return 0;
    }
    return 1;
}

static PyObject *
batch_watch(PyObject *self, PyObject *args)
{
    PyObject *tables, *functions, *probes, *handlers, *own;
    (void)self;
    if (!is_zygote()
        || !PyArg_ParseTuple(args, "O!O!O!O!O!", &PyList_Type, &tables, &PyList_Type, &functions, &PyList_Type, &probes,
                             &PyList_Type, &handlers, &PyList_Type, &own)
        || watch_objects(tables, functions, own) < 0 || watch_probes(probes, handlers) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
batch_watch_inside(PyObject *self, PyObject *args)
{
    PyObject *caches, *emptying, *barrier, *opaque;
    (void)self;
    if (!is_zygote()
        || !PyArg_ParseTuple(args, "O!O!O!O!", &PyList_Type, &caches, &PyList_Type, &emptying, &PyList_Type, &barrier,
                             &PyTuple_Type, &opaque)
        || watch_caches(caches, emptying) < 0 || watch_inside(barrier, opaque) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
batch_renew(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    if (!is_zygote() || watch_renew() < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
batch_fill_holes(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    fill_holes();
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"watch", batch_watch, METH_VARARGS, "watch(tables, functions, probes, handlers, own): in the zygote, what must stay as it is"},
    {"watch_inside", batch_watch_inside, METH_VARARGS, "watch_inside(caches, emptying, barrier, opaque): then, what of all other objects"},
    {"renew", batch_renew, METH_NOARGS, "renew(): in the zygote, after work of its own: as it is now is how it must stay"},
    {"fill_holes", batch_fill_holes, METH_NOARGS, "fill_holes(): in the zygote, so that children write to few pages"},
    {"fork", batch_fork, METH_VARARGS, "fork(folder, batch_fd, output_fd, result_fd) -> int: a child"},
    {"open", batch_open, METH_O, "open(prepare or None): take the batch, prepare its payloads, note how things stand"},
    {"run", (PyCFunction)(void (*)(void))batch_run, METH_FASTCALL, "run(job, flush, refused): every job, and its frame"},
    {"call", (PyCFunction)(void (*)(void))guard_call, METH_FASTCALL, "call(function, ..): our frames are out of its sight"},
    {"call_last", (PyCFunction)(void (*)(void))guard_call_last, METH_FASTCALL, "call_last(function, ..): and its threads end"},
    {"keep", guard_keep, METH_O, "keep(object): it lives until the job's frame is made"},
    {"stopped", guard_stopped, METH_NOARGS, "stopped(): what is printed from here on is not the program's"},
    {"outlived", guard_outlived, METH_NOARGS, "outlived() -> whether threads went on after the last call"},
    {"part", batch_part, METH_VARARGS, "part(stream, data): send a part of what the job has made so far"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_batch", "Runs several programs one after another in one child.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__batch(void)
{
    return PyModule_Create(&module);
}
