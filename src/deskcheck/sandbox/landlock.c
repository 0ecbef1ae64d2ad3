/* Landlock: no file but those named, no TCP, no signal and no abstract socket to the outside. No root needed.

Numbers and structures are spelled out, so that the extension builds against headers older than the kernel it
meets. Source: Documentation/userspace-api/landlock.rst of Linux 6.18. */
#include "confine.h"

#ifdef __linux__
#include <errno.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 }; /* the same on every architecture */
enum { VERSION_FLAG = 1, PATH_BENEATH = 1, LOG_OFF = 1 };
#define READ_FILE (1ULL << 2)
#define READ_DIR (1ULL << 3)
/* Write, remove and make files and folders, move them about below, cut them: bits 1, 4, 5, 7, 8, 13, 14. */
#define CHANGE (1ULL << 1 | 1ULL << 4 | 1ULL << 5 | 1ULL << 7 | 1ULL << 8 | 1ULL << 13 | 1ULL << 14)

struct ruleset_attr {
    uint64_t files, tcp, scoped;
};
struct __attribute__((packed)) path_attr {
    uint64_t allowed;
    int32_t parent;
};

int landlock_abi(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
    return version < 0 ? 0 : (int)version;
}

int landlock_ruleset(void) {
    int abi = landlock_abi();
    if (abi < 1) {
        errno = ENOSYS;
        return -1;
    }
    /* Rights by ABI: 13 from 1 on, REFER 2, TRUNCATE 3, IOCTL_DEV 5; TCP bind and connect 4; scopes 6. */
    struct ruleset_attr attr = {(1ULL << 13) - 1, 0, 0};
    if (abi >= 2) attr.files |= 1ULL << 13;
    if (abi >= 3) attr.files |= 1ULL << 14;
    if (abi >= 5) attr.files |= 1ULL << 15;
    if (abi >= 4) attr.tcp = 3;
    if (abi >= 6) attr.scoped = 3;
    size_t size = abi < 4 ? 8 : abi < 6 ? 16 : 24;
    return (int)syscall(CREATE_RULESET, &attr, size, 0);
}

int landlock_allow_reading(int ruleset, int path_fd) {
    struct stat found;
    if (fstat(path_fd, &found) < 0) return -1;
    struct path_attr attr = {READ_FILE | (S_ISDIR(found.st_mode) ? READ_DIR : 0), path_fd};
    return (int)syscall(ADD_RULE, ruleset, PATH_BENEATH, &attr, 0);
}

/* Only where every right in it is known: an older Landlock does not see that a file is cut to nothing. */
int landlock_allow_changes(int ruleset, int path_fd) {
    struct path_attr attr = {READ_FILE | READ_DIR | CHANGE, path_fd};
    if (landlock_abi() < LANDLOCK_TRUNCATES) {
        errno = ENOSYS;
        return -1;
    }
    return (int)syscall(ADD_RULE, ruleset, PATH_BENEATH, &attr, 0);
}

int landlock_restrict(int ruleset) {
    /* From ABI 7 on the kernel would write every refusal to the audit log. */
    return (int)syscall(RESTRICT_SELF, ruleset, landlock_abi() >= 7 ? LOG_OFF : 0);
}

#else
#include <errno.h>
int landlock_abi(void) { return 0; }
int landlock_ruleset(void) { errno = ENOSYS; return -1; }
int landlock_allow_reading(int ruleset, int path_fd) { (void)ruleset; (void)path_fd; errno = ENOSYS; return -1; }
int landlock_allow_changes(int ruleset, int path_fd) { (void)ruleset; (void)path_fd; errno = ENOSYS; return -1; }
int landlock_restrict(int ruleset) { (void)ruleset; errno = ENOSYS; return -1; }
#endif
