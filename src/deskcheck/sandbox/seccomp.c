/* seccomp: an allow-list of system calls, built as a BPF program for this very process.

A call that breaks a rule raises SIGSYS; our handler notes the rule and the call and lets it return EPERM, so the
program sees a plain PermissionError and the result can name both. Calls that libraries try and do without get an
errno and no note. Another architecture's call numbers (i386, x32) kill the process. What a pointer points to
cannot be seen from here, so openat2 and clone3 do not exist (ENOSYS: libc falls back) and sendmsg is refused.

Where there is a folder that may be written to, the handler looks at the path of a refused call: below that folder it
makes the call itself, with a random word in the sixth argument, by which the filter lets it through. What keeps such a
call in the folder is Landlock, which knows the way and not the word: so the word is no secret that must hold. */
#include "confine.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#define RESULT(context) (context)->uc_mcontext.gregs[REG_RAX]
static const int ARGUMENTS[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
#define ARGUMENT(context, n) (context)->uc_mcontext.gregs[ARGUMENTS[n]]
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#define RESULT(context) (context)->uc_mcontext.regs[0]
#define ARGUMENT(context, n) (context)->uc_mcontext.regs[n]
#endif

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

/* Numbers that every architecture shares and that older headers lack. */
enum { NR_pidfd_open = 434, NR_clone3 = 435, NR_close_range = 436, NR_openat2 = 437, NR_faccessat2 = 439, NR_last_known = 461 };
enum { X32_BIT = 0x40000000 };

/* Of a process's own memory, clocks, open descriptors and identity; files only by what openat lets through. */
static const int ALLOWED[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close, SYS_fstat,
    SYS_ftruncate, SYS_dup, SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_ppoll, SYS_pselect6, SYS_epoll_create1,
    SYS_epoll_ctl, SYS_epoll_pwait, SYS_fadvise64, NR_close_range,
    SYS_newfstatat, SYS_statx, SYS_faccessat, NR_faccessat2, SYS_getdents64, SYS_readlinkat, SYS_getcwd,
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk,
    SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_membarrier, SYS_getcpu, SYS_restart_syscall, SYS_exit, SYS_exit_group,
    SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack,
    SYS_setitimer, SYS_getitimer, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres,
    SYS_gettimeofday, SYS_times, SYS_getrusage, SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_umask,
    SYS_gettid, SYS_getpid, SYS_getppid, SYS_getpgid, SYS_getsid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_getgroups, SYS_getresuid, SYS_getresgid, SYS_getpriority, SYS_getrlimit,
    SYS_wait4, SYS_waitid, /* it can have no child */
    SYS_recvfrom, SYS_recvmsg, SYS_shutdown, SYS_getsockname, SYS_getpeername, SYS_getsockopt,
#ifdef __x86_64__
    SYS_poll, SYS_select, SYS_epoll_wait, SYS_pipe, SYS_dup2, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_alarm,
    SYS_pause, SYS_time, SYS_getpgrp,
#endif
};

/* Refused and not noted: a library that tries them goes on without. */
static const int QUIET[] = {
    SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_mbind, SYS_set_mempolicy, SYS_get_mempolicy, SYS_mlock,
    SYS_mincore, SYS_statfs, SYS_fstatfs, SYS_fsync, SYS_fdatasync, SYS_flock, SYS_sched_getscheduler, SYS_sched_getparam,
#ifdef __x86_64__
    SYS_arch_prctl,
#endif
};

struct refused {
    int number;
    enum rule rule;
    const char *name;
};
#define NO(call, rule) {SYS_##call, RULE_##rule, #call}
static const struct refused REFUSED[] = {
    NO(unlinkat, WRITE), NO(renameat, WRITE), NO(renameat2, WRITE), NO(mkdirat, WRITE), NO(mknodat, WRITE),
    NO(linkat, WRITE), NO(symlinkat, WRITE), NO(truncate, WRITE), NO(fallocate, WRITE),
    NO(fchmod, WRITE), NO(fchmodat, WRITE), NO(fchown, WRITE), NO(fchownat, WRITE),
    NO(utimensat, WRITE), NO(setxattr, WRITE), NO(lsetxattr, WRITE), NO(fsetxattr, WRITE),
    NO(removexattr, WRITE), NO(lremovexattr, WRITE), NO(fremovexattr, WRITE),
    NO(memfd_create, WRITE),
    NO(socket, NETWORK), NO(connect, NETWORK), NO(bind, NETWORK), NO(listen, NETWORK),
    NO(accept, NETWORK), NO(accept4, NETWORK), NO(sendmsg, NETWORK), NO(sendmmsg, NETWORK),
    NO(setsockopt, NETWORK),
    NO(execve, PROCESS), NO(execveat, PROCESS), NO(setsid, PROCESS), NO(setpgid, PROCESS),
    NO(tkill, SIGNAL), NO(rt_sigqueueinfo, SIGNAL), NO(rt_tgsigqueueinfo, SIGNAL),
    {424, RULE_SIGNAL, "pidfd_send_signal"},
    NO(ptrace, INSPECT), NO(process_vm_readv, INSPECT), NO(process_vm_writev, INSPECT),
    {NR_pidfd_open, RULE_INSPECT, "pidfd_open"}, {438, RULE_INSPECT, "pidfd_getfd"}, NO(kcmp, INSPECT),
    NO(setrlimit, LIMITS), NO(setpriority, LIMITS),
    NO(chdir, FOLDER), NO(fchdir, FOLDER),
#ifdef __x86_64__
    NO(unlink, WRITE), NO(rename, WRITE), NO(mkdir, WRITE),
    NO(rmdir, WRITE), NO(mknod, WRITE), NO(link, WRITE), NO(symlink, WRITE),
    NO(creat, WRITE), NO(chmod, WRITE), NO(chown, WRITE), NO(lchown, WRITE),
    NO(utime, WRITE), NO(utimes, WRITE), NO(futimesat, WRITE),
    NO(fork, PROCESS), NO(vfork, PROCESS),
#endif
};
/* Refused for what their arguments say. */
static const struct { int number; const char *name; } BY_ARGUMENTS[] = {
    {SYS_openat, "openat"}, {SYS_kill, "kill"}, {SYS_tgkill, "tgkill"}, {SYS_clone, "clone"},
    {SYS_prlimit64, "prlimit64"}, {SYS_socketpair, "socketpair"}, {SYS_sendto, "sendto"},
#ifdef __x86_64__
    {SYS_open, "open"},
#endif
};

static const int IOCTLS[] = {FIOCLEX, FIONCLEX, FIONREAD, FIONBIO};
static const int FCNTLS[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC};
static const int PRCTLS[] = {15 /* SET_NAME */, 16 /* GET_NAME */, 0x53564d41 /* SET_VMA: a mapping's name */};
/* What libraries try and do without, and questions. */
static const int QUIET_PRCTLS[] = {1 /* SET_PDEATHSIG */, 3 /* GET_DUMPABLE */, 23 /* CAPBSET_READ */,
                                   29 /* SET_TIMERSLACK */, 39 /* GET_NO_NEW_PRIVS */, 41 /* SET_THP_DISABLE */};

#define MAX_CODE 1024
struct program {
    struct sock_filter code[MAX_CODE];
    unsigned n;
};

enum { ALLOW = SECCOMP_RET_ALLOW };
#define DENY(number) (SECCOMP_RET_ERRNO | (number))
#define NOTE(rule) (SECCOMP_RET_TRAP | (uint32_t)(rule))

static void emit(struct program *p, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf) {
    if (p->n < MAX_CODE) p->code[p->n] = (struct sock_filter){code, jt, jf, k};
    p->n++; /* seccomp_install refuses a program that did not fit */
}

static void load(struct program *p, size_t offset) { emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }
/* Both architectures are little-endian: the low half comes first. */
static void load_low(struct program *p, int arg) { load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)arg); }
static void load_high(struct program *p, int arg) { load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)arg + 4); }
static void give(struct program *p, uint32_t verdict) { emit(p, BPF_RET | BPF_K, verdict, 0, 0); }
static void give_if(struct program *p, uint16_t test, uint32_t k, uint32_t verdict) {
    emit(p, BPF_JMP | BPF_K | test, k, 0, 1);
    give(p, verdict);
}
static void give_unless(struct program *p, uint16_t test, uint32_t k, uint32_t verdict) {
    emit(p, BPF_JMP | BPF_K | test, k, 1, 0);
    give(p, verdict);
}

/* Calls whose arguments decide; each block always gives a verdict. */
static void one_of(struct program *p, int arg, const int *values, size_t n, uint32_t otherwise) {
    load_low(p, arg);
    for (size_t i = 0; i < n; i++) give_if(p, BPF_JEQ, (uint32_t)values[i], ALLOW);
    give(p, otherwise);
}
static void to_itself(struct program *p) {
    const int own = (int)getpid(); /* as this process sees itself, which is what it would pass */
    one_of(p, 0, &own, 1, NOTE(RULE_SIGNAL));
}
/* asyncio asks from 3.14 on whether a process can be watched so, by its own, and does without. */
static void pidfd_open_block(struct program *p) {
    load_low(p, 0);
    give_if(p, BPF_JEQ, (uint32_t)getpid(), DENY(ENOSYS));
    give(p, NOTE(RULE_INSPECT));
}
static void opening(struct program *p, int flags_arg) {
    load_low(p, flags_arg);
    give_if(p, BPF_JSET, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND, NOTE(RULE_WRITE));
    give(p, ALLOW);
}
static void openat_block(struct program *p) { opening(p, 2); }
static void ioctl_block(struct program *p) { one_of(p, 1, IOCTLS, sizeof IOCTLS / sizeof *IOCTLS, DENY(ENOTTY)); }
/* F_SETOWN would send signals. */
static void fcntl_block(struct program *p) { one_of(p, 1, FCNTLS, sizeof FCNTLS / sizeof *FCNTLS, DENY(EPERM)); }
static void prctl_block(struct program *p) {
    load_low(p, 0);
    for (size_t i = 0; i < sizeof QUIET_PRCTLS / sizeof *QUIET_PRCTLS; i++)
        give_if(p, BPF_JEQ, (uint32_t)QUIET_PRCTLS[i], DENY(EPERM));
    one_of(p, 0, PRCTLS, sizeof PRCTLS / sizeof *PRCTLS, NOTE(RULE_KERNEL));
}
static void sigaction_block(struct program *p) { /* SIGSYS is ours */
    load_low(p, 0);
    give_if(p, BPF_JEQ, SIGSYS, DENY(EPERM));
    give(p, ALLOW);
}
static void clone_block(struct program *p) { /* threads, in no namespace of their own */
    load_low(p, 0);
    give_if(p, BPF_JSET, 0x7e020080 /* CLONE_NEW* */, NOTE(RULE_PROCESS));
    give_if(p, BPF_JSET, 0x00010000 /* CLONE_THREAD */, ALLOW);
    give(p, NOTE(RULE_PROCESS));
}
static void prlimit_block(struct program *p) { /* reading its own */
    load_low(p, 2);
    give_unless(p, BPF_JEQ, 0, NOTE(RULE_LIMITS));
    load_high(p, 2);
    give_unless(p, BPF_JEQ, 0, NOTE(RULE_LIMITS));
    load_low(p, 0);
    give_if(p, BPF_JEQ, 0, ALLOW);
    give_if(p, BPF_JEQ, (uint32_t)getpid(), ALLOW);
    give(p, NOTE(RULE_INSPECT));
}
static void socketpair_block(struct program *p) { /* what an event loop wakes itself with */
    load_low(p, 0);
    give_unless(p, BPF_JEQ, AF_UNIX, NOTE(RULE_NETWORK));
    load_low(p, 1);
    emit(p, BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0);
    give_unless(p, BPF_JEQ, SOCK_STREAM, NOTE(RULE_NETWORK));
    give(p, ALLOW);
}
static void sendto_block(struct program *p) { /* to the other end of the pair: no address, no MSG_OOB signal */
    load_low(p, 4);
    give_unless(p, BPF_JEQ, 0, NOTE(RULE_NETWORK));
    load_high(p, 4);
    give_unless(p, BPF_JEQ, 0, NOTE(RULE_NETWORK));
    load_low(p, 3);
    give_if(p, BPF_JSET, MSG_OOB, NOTE(RULE_NETWORK));
    give(p, ALLOW);
}
#ifdef __x86_64__
static void open_block(struct program *p) { opening(p, 1); }
#endif

/* What the handler does in the program's folder. Landlock governs all of them. */
static const int IN_FOLDER[] = {SYS_openat, SYS_unlinkat, SYS_mkdirat, SYS_renameat2};
enum { N_IN_FOLDER = sizeof IN_FOLDER / sizeof *IN_FOLDER };
static struct {
    char path[64]; /* as the program writes it; "": none */
    uint64_t word;
    unsigned n_made;
} folder;

typedef void (*block)(struct program *);
struct decision {
    uint32_t verdict;
    block by_arguments; /* NULL: the verdict holds */
};

static void decide(struct decision table[]) {
    struct { int number; block by_arguments; } blocks[] = {
        {SYS_openat, openat_block}, {SYS_ioctl, ioctl_block}, {SYS_fcntl, fcntl_block}, {SYS_prctl, prctl_block},
        {SYS_kill, to_itself}, {SYS_tgkill, to_itself}, {SYS_rt_sigaction, sigaction_block}, {SYS_clone, clone_block},
        {SYS_prlimit64, prlimit_block}, {SYS_socketpair, socketpair_block}, {SYS_sendto, sendto_block},
        {NR_pidfd_open, pidfd_open_block},
#ifdef __x86_64__
        {SYS_open, open_block},
#endif
    };
#define EACH(list) for (size_t i = 0; i < sizeof(list) / sizeof(*(list)); i++)
    for (int number = 0; number <= NR_last_known; number++) table[number] = (struct decision){NOTE(RULE_KERNEL), NULL};
    EACH(ALLOWED) table[ALLOWED[i]].verdict = ALLOW;
    EACH(QUIET) table[QUIET[i]].verdict = DENY(EPERM);
    EACH(REFUSED) table[REFUSED[i].number].verdict = NOTE(REFUSED[i].rule);
    EACH(blocks) table[blocks[i].number].by_arguments = blocks[i].by_arguments;
    table[SYS_rt_sigprocmask].verdict = NOTE(0); /* done by the handler */
    if (*folder.path) table[SYS_getcwd].verdict = NOTE(0);
    table[NR_clone3].verdict = table[NR_openat2].verdict = DENY(ENOSYS);
#undef EACH
}

static int same(const struct decision *a, const struct decision *b) {
    return a->verdict == b->verdict && a->by_arguments == b->by_arguments && a->by_arguments == NULL;
}

/* A search tree over the numbers at which the decision changes: the kernel walks it for every call it knows
when the filter is put on, so a plain list would cost a millisecond a process. */
static void search(struct program *p, const struct decision table[], const int starts[], int low, int high) {
    if (high - low == 1) {
        const struct decision *found = &table[starts[low]];
        if (found->by_arguments != NULL) found->by_arguments(p);
        else give(p, found->verdict);
        return;
    }
    int middle = (low + high) / 2;
    emit(p, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)starts[middle], 0, 1);
    emit(p, BPF_JMP | BPF_JA, 0, 0, 0); /* a conditional jump reaches only 255 instructions */
    unsigned jump = p->n - 1;
    search(p, table, starts, low, middle);
    if (jump < MAX_CODE) p->code[jump].k = p->n - jump - 1;
    search(p, table, starts, middle, high);
}

static void let_in_folder(struct program *p) {
    load_low(p, 5);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)folder.word, 0, 3 + 2 * N_IN_FOLDER);
    load_high(p, 5);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(folder.word >> 32), 0, 1 + 2 * N_IN_FOLDER);
    load(p, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < N_IN_FOLDER; i++) give_if(p, BPF_JEQ, (uint32_t)IN_FOLDER[i], ALLOW);
}

static void build(struct program *p) {
    struct decision table[NR_last_known + 2];
    int starts[NR_last_known + 2], n = 0;
    decide(table);
    table[NR_last_known + 1] = (struct decision){DENY(ENOSYS), NULL}; /* newer than this list */
    for (int number = 0; number <= NR_last_known + 1; number++)
        if (number == 0 || !same(&table[number], &table[number - 1])) starts[n++] = number;
    p->n = 0;
    load(p, offsetof(struct seccomp_data, arch));
    give_unless(p, BPF_JEQ, OUR_ARCH, SECCOMP_RET_KILL_PROCESS);
    if (*folder.path) let_in_folder(p);
    load(p, offsetof(struct seccomp_data, nr));
    give_if(p, BPF_JGE, X32_BIT, SECCOMP_RET_KILL_PROCESS);
    search(p, table, starts, 0, n);
}

static volatile unsigned refusals;
static volatile int first_call[RULE_KERNEL + 1]; /* of each rule, since the last time that they were taken */

/* Signals may be blocked as a program likes, but for SIGSYS: a refused call would kill the process then, and
nobody could say which. subprocess and os.system block all signals. Returns what rt_sigprocmask would. */
static long change_mask(ucontext_t *context, int how, const uint64_t *set, uint64_t *old) {
    uint64_t *mask = (uint64_t *)&context->uc_sigmask; /* what holds again when the handler returns */
    uint64_t before = *mask, wanted = set != NULL ? *set : 0;
    if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return -EINVAL;
    if (set != NULL) *mask = how == SIG_BLOCK ? before | wanted : how == SIG_UNBLOCK ? before & ~wanted : wanted;
    *mask &= ~(1ULL << (SIGSYS - 1));
    if (old != NULL) *old = before;
    return 0;
}

/* ------------------------------------------------------------------ the folder that may be written to */

enum { MOST_MADE = 1000 }; /* files and folders that one program may make; each as large as its output may be */

static int has_step_up(const char *path) {
    for (const char *at = strstr(path, ".."); at != NULL; at = strstr(at + 2, ".."))
        if ((at == path || at[-1] == '/') && (at[2] == 0 || at[2] == '/')) return 1;
    return 0;
}

/* By its text; the working folder is the folder itself, and Landlock looks at where the path really leads. */
static int is_in_folder(const char *path) {
    size_t n = strlen(folder.path);
    if (path == NULL || has_step_up(path)) return 0;
    return path[0] != '/' || (strncmp(path, folder.path, n) == 0 && (path[n] == '/' || path[n] == 0));
}

static long done_in_folder(int call, long a, long b, long c, long d, long e) {
    int before = errno;
    long result = syscall(call, a, b, c, d, e, folder.word);
    result = result < 0 ? -errno : result;
    errno = before;
    return result;
}

static long made_in_folder(int call, long a, long b, long c, long d) {
    if (__atomic_add_fetch(&folder.n_made, 1, __ATOMIC_RELAXED) > MOST_MADE) return -ENOSPC;
    return done_in_folder(call, a, b, c, d, 0);
}

static long opened(int at, const char *path, int flags, int mode) {
    if (!is_in_folder(path)) return -EPERM;
    if (flags & O_CREAT) return made_in_folder(SYS_openat, at, (long)path, flags, mode | 0600);
    return done_in_folder(SYS_openat, at, (long)path, flags, mode, 0);
}

/* The null device is what programs silence their output with. Landlock lets nobody open it for writing, so a
descriptor that was opened before is duplicated; a program may have put another file in its place. */
static long null_opened(const char *path, int flags) {
    struct stat found;
    int before = errno, is_text;
    long fd = -EPERM;
    /* The kernel reads the path first, because a program may pass any address. */
    is_text = path != NULL && (syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0 || errno != EFAULT);
    errno = before;
    if (!is_text || strcmp(path, "/dev/null") != 0) return -EPERM;
    if (flags & O_CREAT && flags & O_EXCL) return -EEXIST;
    if (flags & O_DIRECTORY) return -ENOTDIR;
    if (fstat(NULL_FD, &found) == 0 && S_ISCHR(found.st_mode) && found.st_rdev == makedev(1, 3)) {
        fd = fcntl(NULL_FD, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
        fd = fd < 0 ? -errno : fd;
    }
    errno = before;
    return fd;
}

/* The refused call, if it opens the null device; else -EPERM. */
static long to_null(int call, const long a[5]) {
    switch (call) {
    case SYS_openat: return null_opened((const char *)a[1], (int)a[2]);
#ifdef __x86_64__
    case SYS_open: return null_opened((const char *)a[0], (int)a[1]);
    case SYS_creat: return null_opened((const char *)a[0], 0);
#endif
    default: return -EPERM;
    }
}

static long unlinked(int at, const char *path, int flags) {
    return is_in_folder(path) ? done_in_folder(SYS_unlinkat, at, (long)path, flags, 0, 0) : -EPERM;
}

static long folder_made(int at, const char *path, int mode) {
    return is_in_folder(path) ? made_in_folder(SYS_mkdirat, at, (long)path, mode | 0700, 0) : -EPERM;
}

static long renamed(int at, const char *path, int to_at, const char *to, int flags) {
    if (!is_in_folder(path) || !is_in_folder(to)) return -EPERM;
    return done_in_folder(SYS_renameat2, at, (long)path, to_at, (long)to, flags);
}

/* The refused call, done if it stays in the folder; -EPERM where it does not, or is none of these. */
static long in_folder(int call, const long a[5]) {
    switch (call) {
    case SYS_openat: return opened((int)a[0], (const char *)a[1], (int)a[2], (int)a[3]);
    case SYS_unlinkat: return unlinked((int)a[0], (const char *)a[1], (int)a[2]);
    case SYS_mkdirat: return folder_made((int)a[0], (const char *)a[1], (int)a[2]);
    case SYS_renameat2: return renamed((int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3], (int)a[4]);
    case SYS_renameat: return renamed((int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3], 0);
#ifdef __x86_64__
    case SYS_open: return opened(AT_FDCWD, (const char *)a[0], (int)a[1], (int)a[2]);
    case SYS_creat: return opened(AT_FDCWD, (const char *)a[0], O_CREAT | O_WRONLY | O_TRUNC, (int)a[1]);
    case SYS_unlink: return unlinked(AT_FDCWD, (const char *)a[0], 0);
    case SYS_rmdir: return unlinked(AT_FDCWD, (const char *)a[0], AT_REMOVEDIR);
    case SYS_mkdir: return folder_made(AT_FDCWD, (const char *)a[0], (int)a[1]);
    case SYS_rename: return renamed(AT_FDCWD, (const char *)a[0], AT_FDCWD, (const char *)a[1], 0);
#endif
    default: return -EPERM;
    }
}

/* What getcwd would say: the same at every run. */
static long said_folder(char *to, unsigned long size) {
    size_t n = strlen(folder.path) + 1;
    if (size < n) return -ERANGE;
    memcpy(to, folder.path, n);
    return (long)n;
}

static void on_trap(int number, siginfo_t *info, void *given) {
    ucontext_t *context = given;
    int rule = info->si_errno & 31;
    (void)number;
    if (info->si_syscall == SYS_rt_sigprocmask) {
        RESULT(context) = change_mask(context, (int)ARGUMENT(context, 0), (const uint64_t *)ARGUMENT(context, 1),
                                      (uint64_t *)ARGUMENT(context, 2));
        return;
    }
    if (info->si_syscall == SYS_getcwd) {
        RESULT(context) = said_folder((char *)ARGUMENT(context, 0), (unsigned long)ARGUMENT(context, 1));
        return;
    }
    if (rule == RULE_WRITE) {
        const long arguments[] = {ARGUMENT(context, 0), ARGUMENT(context, 1), ARGUMENT(context, 2),
                                  ARGUMENT(context, 3), ARGUMENT(context, 4)};
        long result = to_null(info->si_syscall, arguments);
        if (result == -EPERM && *folder.path) result = in_folder(info->si_syscall, arguments);
        if (result != -EPERM && result != -EACCES && result != -EROFS) {
            RESULT(context) = result;
            return;
        }
    }
    if (rule <= RULE_KERNEL && !(refusals >> rule & 1)) first_call[rule] = info->si_syscall;
    __atomic_fetch_or(&refusals, 1u << rule, __ATOMIC_RELAXED);
    RESULT(context) = -EPERM;
}

unsigned seccomp_refusals(void) {
    return __atomic_load_n(&refusals, __ATOMIC_RELAXED);
}

/* The call that broke a rule first, by its name, or its number where it has none here. */
const char *seccomp_call(int rule) {
    static char text[16];
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        if (REFUSED[i].number == first_call[rule]) return REFUSED[i].name;
    for (size_t i = 0; i < sizeof BY_ARGUMENTS / sizeof *BY_ARGUMENTS; i++)
        if (BY_ARGUMENTS[i].number == first_call[rule]) return BY_ARGUMENTS[i].name;
    snprintf(text, sizeof text, "%d", first_call[rule]);
    return text;
}

int seccomp_install(const char *path) {
    static struct program p;
    static int is_installed;
    if (is_installed) { /* by a program that would begin anew, with nothing noted */
        errno = EPERM;
        return -1;
    }
    if (strlen(path) >= sizeof folder.path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(folder.path, path);
    if (*path && syscall(SYS_getrandom, &folder.word, sizeof folder.word, 0) != sizeof folder.word) return -1;
    build(&p);
    if (p.n > MAX_CODE) {
        errno = E2BIG;
        return -1;
    }
    struct sigaction action = {0};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGSYS);
    if (sigaction(SIGSYS, &action, NULL) < 0 || sigprocmask(SIG_UNBLOCK, &own, NULL) < 0) return -1;
    is_installed = 1;
    struct sock_fprog filter = {(unsigned short)p.n, p.code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

#else
int seccomp_install(const char *path) { (void)path; errno = ENOSYS; return -1; }
unsigned seccomp_refusals(void) { return 0; }
const char *seccomp_call(int rule) { (void)rule; return ""; }
#endif
