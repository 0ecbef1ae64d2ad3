/* How a child's process stands between two programs: as it did before the first, or what has changed.

   Here: working folder and what lies in it, umask, locale, environment, descriptors, child processes, the
   real-time timer, address space. The interpreter's objects: watch.c. */
#include "batch.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_FDS 65 /* as MAX_FILES of confine.py */
#define MAX_LOCALE 256
#define GROWTH_BYTES (16LL << 20)

typedef struct {
    dev_t dev;
    ino_t ino;
    int flags; /* -1: not open */
} File;

static struct {
    File files[N_FDS]; /* FD_BATCH is closed by then */
    short open[MAX_FDS];
    struct stat folder;
    mode_t umask;
    char locale[MAX_LOCALE];
    long long memory_bytes;
    uint64_t next_thread, environment;
} before;

/* ------------------------------------------------------------------ how it is */

static long long
address_space(void)
{
    char text[64];
    ssize_t n = pread(FD_STATM, text, sizeof text - 1, 0);
    if (n <= 0) {
        return -1;
    }
    text[n] = 0;
    return atoll(text) * (long long)sysconf(_SC_PAGESIZE);
}

/* glibc's fstat goes by way of an empty path, which the kernel looks up. */
static int
stat_of(int fd, struct stat *found)
{
#if defined(__x86_64__) && defined(SYS_fstat)
    return (int)syscall(SYS_fstat, fd, found);
#else
    return fstat(fd, found);
#endif
}

static int
note_file(File *file, int fd)
{
    struct stat found;
    *file = (File){0, 0, -1};
    if (stat_of(fd, &found) < 0 || (file->flags = fcntl(fd, F_GETFL)) < 0) {
        return -1;
    }
    file->dev = found.st_dev;
    file->ino = found.st_ino;
    return 0;
}

static int
is_same(int fd)
{
    File now, *then = &before.files[fd];
    note_file(&now, fd);
    return now.dev == then->dev && now.ino == then->ino && now.flags == then->flags;
}

int
state_same_file(int fd)
{
    return is_same(fd);
}

/* Which of the first descriptors are open, by one system call. */
static int
open_descriptors(short *open)
{
    struct pollfd all[MAX_FDS];
    for (int i = 0; i < MAX_FDS; i++) {
        all[i] = (struct pollfd){.fd = i, .events = 0};
    }
    if (poll(all, MAX_FDS, 0) < 0) {
        return -1;
    }
    for (int i = 0; i < MAX_FDS; i++) {
        open[i] = !(all[i].revents & POLLNVAL);
    }
    return 0;
}

static mode_t
current_umask(void)
{
    mode_t mask = umask(077);
    umask(mask);
    return mask;
}

/* The number that the next thread gets: they are counted up, and none comes again. 0 = unknown. */
static uint64_t
next_thread(void)
{
    PyThreadState *state = PyThreadState_New(PyInterpreterState_Get());
    if (state == NULL) {
        return 0;
    }
    uint64_t number = PyThreadState_GetID(state);
    PyThreadState_Clear(state);
    PyThreadState_Delete(state);
    return number + 1;
}

/* A number that changes when a variable is set, as `putenv` does, or goes: each has its own address. */
static uint64_t
environment(void)
{
    extern char **environ;
    uint64_t number = 0;
    for (char **one = environ; one != NULL && *one != NULL; one++) {
        number = (number ^ (uint64_t)(uintptr_t)*one) * 0x9E3779B97F4A7C15u;
    }
    return number;
}

int
state_begin(int is_single)
{
    const char *locale = setlocale(LC_ALL, NULL);
    for (int fd = 0; fd < N_FDS; fd++) {
        if (note_file(&before.files[fd], fd) < 0 && fd <= FD_RESULT) {
            PyErr_SetFromErrno(PyExc_OSError);
            return -1;
        }
    }
    if (open_descriptors(before.open) < 0 || stat(".", &before.folder) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    before.umask = current_umask();
    snprintf(before.locale, MAX_LOCALE, "%s", locale ? locale : "");
    before.environment = environment();
    before.memory_bytes = address_space();
    before.next_thread = next_thread();
    return watch_begin(is_single);
}

/* ------------------------------------------------------------------ what has changed */

static int
changed_folder(void)
{
    struct stat now;
    return stat(".", &now) < 0 || now.st_dev != before.folder.st_dev || now.st_ino != before.folder.st_ino
           || now.st_mtime != before.folder.st_mtime || now.st_nlink != before.folder.st_nlink
#ifdef __linux__
           || now.st_mtim.tv_nsec != before.folder.st_mtim.tv_nsec
#endif
           || current_umask() != before.umask;
}

static int
changed_descriptors(void)
{
    short open[MAX_FDS];
    if (open_descriptors(open) < 0 || memcmp(open, before.open, sizeof open) != 0) {
        return 1;
    }
    const int others[] = {0, 2, FD_STATM}; /* batch.c has looked at the output and the results; FD_BATCH is closed */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!is_same(others[i])) {
            return 1;
        }
    }
    return 0;
}

static int
changed_processes(void)
{
    struct itimerval timer;
    int status;
    return waitpid(-1, &status, WNOHANG) >= 0
           || (getitimer(ITIMER_REAL, &timer) == 0 && (timer.it_value.tv_sec || timer.it_value.tv_usec));
}

int
state_had_threads(void)
{
    uint64_t next = next_thread(), expected = before.next_thread + 1;
    before.next_thread = next;
    return next != expected;
}

int
state_changed(int reaches_inside)
{
    const char *locale = setlocale(LC_ALL, NULL);
    int trip = watch_changed(reaches_inside);
    if (before.environment != environment()) {
        trip |= TRIP_INTERPRETER;
    }
    if (changed_folder()) {
        trip |= TRIP_FOLDER;
    }
    if (strncmp(before.locale, locale ? locale : "", MAX_LOCALE - 1) != 0) {
        trip |= TRIP_LOCALE;
    }
    if (changed_descriptors()) {
        trip |= TRIP_DESCRIPTORS;
    }
    if (changed_processes()) {
        trip |= TRIP_PROCESSES;
    }
    if (before.memory_bytes >= 0) {
        long long now = address_space();
        if (now < 0 || now - before.memory_bytes > GROWTH_BYTES) {
            trip |= TRIP_MEMORY;
        }
    }
    return trip;
}
