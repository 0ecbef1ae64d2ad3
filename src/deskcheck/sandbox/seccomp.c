/* seccomp: an allow-list of system calls, built as a BPF program for this very process.

A call that breaks a rule raises SIGSYS; our handler notes the rule and lets the call return EPERM, so the program
sees a plain PermissionError and the result can name the rule. Calls that libraries try and do without get an
errno and no note. Another architecture's call numbers (i386, x32) kill the process. What a pointer points to
cannot be seen from here, so openat2 and clone3 do not exist (ENOSYS: libc falls back) and sendmsg is refused. */
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
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#define RESULT(context) (context)->uc_mcontext.gregs[REG_RAX]
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#define RESULT(context) (context)->uc_mcontext.regs[0]
#endif

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

/* Numbers that every architecture shares and that older headers lack. */
enum { NR_clone3 = 435, NR_close_range = 436, NR_openat2 = 437, NR_faccessat2 = 439, NR_last_known = 461 };
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
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack,
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
};
static const struct refused REFUSED[] = {
    {SYS_unlinkat, RULE_WRITE}, {SYS_renameat, RULE_WRITE}, {SYS_renameat2, RULE_WRITE}, {SYS_mkdirat, RULE_WRITE}, {SYS_mknodat, RULE_WRITE},
    {SYS_linkat, RULE_WRITE}, {SYS_symlinkat, RULE_WRITE}, {SYS_truncate, RULE_WRITE}, {SYS_fallocate, RULE_WRITE},
    {SYS_fchmod, RULE_WRITE}, {SYS_fchmodat, RULE_WRITE}, {SYS_fchown, RULE_WRITE}, {SYS_fchownat, RULE_WRITE},
    {SYS_utimensat, RULE_WRITE}, {SYS_setxattr, RULE_WRITE}, {SYS_lsetxattr, RULE_WRITE}, {SYS_fsetxattr, RULE_WRITE},
    {SYS_removexattr, RULE_WRITE}, {SYS_lremovexattr, RULE_WRITE}, {SYS_fremovexattr, RULE_WRITE},
    {SYS_memfd_create, RULE_WRITE},
    {SYS_socket, RULE_NETWORK}, {SYS_connect, RULE_NETWORK}, {SYS_bind, RULE_NETWORK}, {SYS_listen, RULE_NETWORK},
    {SYS_accept, RULE_NETWORK}, {SYS_accept4, RULE_NETWORK}, {SYS_sendmsg, RULE_NETWORK}, {SYS_sendmmsg, RULE_NETWORK},
    {SYS_setsockopt, RULE_NETWORK},
    {SYS_execve, RULE_PROCESS}, {SYS_execveat, RULE_PROCESS}, {SYS_setsid, RULE_PROCESS}, {SYS_setpgid, RULE_PROCESS},
    {SYS_tkill, RULE_SIGNAL}, {SYS_rt_sigqueueinfo, RULE_SIGNAL}, {SYS_rt_tgsigqueueinfo, RULE_SIGNAL},
    {424 /* pidfd_send_signal */, RULE_SIGNAL},
    {SYS_ptrace, RULE_INSPECT}, {SYS_process_vm_readv, RULE_INSPECT}, {SYS_process_vm_writev, RULE_INSPECT},
    {434 /* pidfd_open */, RULE_INSPECT}, {438 /* pidfd_getfd */, RULE_INSPECT}, {SYS_kcmp, RULE_INSPECT},
    {SYS_setrlimit, RULE_LIMITS}, {SYS_setpriority, RULE_LIMITS},
    {SYS_chdir, RULE_FOLDER}, {SYS_fchdir, RULE_FOLDER},
#ifdef __x86_64__
    {SYS_unlink, RULE_WRITE}, {SYS_rename, RULE_WRITE}, {SYS_mkdir, RULE_WRITE},
    {SYS_rmdir, RULE_WRITE}, {SYS_mknod, RULE_WRITE}, {SYS_link, RULE_WRITE}, {SYS_symlink, RULE_WRITE},
    {SYS_creat, RULE_WRITE}, {SYS_chmod, RULE_WRITE}, {SYS_chown, RULE_WRITE}, {SYS_lchown, RULE_WRITE},
    {SYS_utime, RULE_WRITE}, {SYS_utimes, RULE_WRITE}, {SYS_futimesat, RULE_WRITE},
    {SYS_fork, RULE_PROCESS}, {SYS_vfork, RULE_PROCESS},
#endif
};

static const int IOCTLS[] = {FIOCLEX, FIONCLEX, FIONREAD, FIONBIO};
static const int FCNTLS[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC};
static const int PRCTLS[] = {15 /* SET_NAME */, 16 /* GET_NAME */, 0x53564d41 /* SET_VMA: a mapping's name */};

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
static void opening(struct program *p, int flags_arg) {
    load_low(p, flags_arg);
    give_if(p, BPF_JSET, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND, NOTE(RULE_WRITE));
    give(p, ALLOW);
}
static void openat_block(struct program *p) { opening(p, 2); }
static void ioctl_block(struct program *p) { one_of(p, 1, IOCTLS, sizeof IOCTLS / sizeof *IOCTLS, DENY(ENOTTY)); }
/* F_SETOWN would send signals. */
static void fcntl_block(struct program *p) { one_of(p, 1, FCNTLS, sizeof FCNTLS / sizeof *FCNTLS, DENY(EPERM)); }
static void prctl_block(struct program *p) { one_of(p, 0, PRCTLS, sizeof PRCTLS / sizeof *PRCTLS, DENY(EPERM)); }
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
    load(p, offsetof(struct seccomp_data, nr));
    give_if(p, BPF_JGE, X32_BIT, SECCOMP_RET_KILL_PROCESS);
    search(p, table, starts, 0, n);
}

static volatile unsigned refusals;
static volatile int unlisted; /* number of the last call that no rule names */

static void note_refusal(int number, siginfo_t *info, void *context) {
    (void)number;
    if (info->si_errno == RULE_KERNEL) unlisted = info->si_syscall;
    __atomic_fetch_or(&refusals, 1u << ((unsigned)info->si_errno & 31u), __ATOMIC_RELAXED);
    RESULT((ucontext_t *)context) = -EPERM;
}

unsigned seccomp_take_refusals(int *number) {
    *number = unlisted;
    return __atomic_exchange_n(&refusals, 0, __ATOMIC_RELAXED);
}

int seccomp_install(void) {
    static struct program p;
    build(&p);
    if (p.n > MAX_CODE) {
        errno = E2BIG;
        return -1;
    }
    struct sigaction action = {0};
    action.sa_sigaction = note_refusal;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGSYS);
    if (sigaction(SIGSYS, &action, NULL) < 0 || sigprocmask(SIG_UNBLOCK, &own, NULL) < 0) return -1;
    refusals = 0;
    struct sock_fprog filter = {(unsigned short)p.n, p.code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

#else
int seccomp_install(void) { errno = ENOSYS; return -1; }
unsigned seccomp_take_refusals(int *number) { *number = 0; return 0; }
#endif
