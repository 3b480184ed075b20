/* A disk that fails when it is told to: put under a program with LD_PRELOAD.
 *
 * STORAGE_FAULT_FOLDER names the folder whose files fail, STORAGE_FAULT_PLAN a file of 64-bit numbers that is looked at
 * before each call: which calls (bits below), the errno, how many calls still go well, how many fail after that, and how
 * many failed so far; then how many calls there were of each kind. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITES = 1, SYNCS = 2, OPENS = 4, HALVES = 8, KINDS = 4 };

struct plan {
    _Atomic int64_t kinds, error, well, failing, failed, seen[KINDS];
};

static struct plan *plan;
static const char *folder;
static int (*real_open)(const char *, int, ...);

__attribute__((constructor)) static void begin(void) {
    real_open = dlsym(RTLD_NEXT, "open");
    folder = getenv("STORAGE_FAULT_FOLDER");
    const char *path = getenv("STORAGE_FAULT_PLAN");
    if (!folder || !path) return;
    int fd = real_open(path, O_RDWR);
    if (fd < 0) return;
    void *at = mmap(NULL, sizeof(struct plan), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at != MAP_FAILED) plan = at;
}

/* Whether this call fails; errno is set then. */
static int fails(int kind) {
    atomic_fetch_add(&plan->seen[__builtin_ctz(kind)], 1);
    if (!(atomic_load(&plan->kinds) & kind)) return 0;
    if (atomic_fetch_sub(&plan->well, 1) > 0) return 0;
    if (atomic_fetch_sub(&plan->failing, 1) <= 0) return 0;
    atomic_fetch_add(&plan->failed, 1);
    errno = (int)atomic_load(&plan->error);
    return 1;
}

static int ours(int fd) {
    if (!plan) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

#define WRITE(name, parameters, call, half)                                          \
    ssize_t name parameters {                                                        \
        REAL(name);                                                                  \
        if (ours(fd)) {                                                              \
            if (fails(HALVES)) { ssize_t done = half; return done; }                 \
            if (fails(WRITES)) return -1;                                            \
        }                                                                            \
        return call;                                                                 \
    }

WRITE(write, (int fd, const void *from, size_t length), real(fd, from, length), real(fd, from, length / 2))
WRITE(pwrite, (int fd, const void *from, size_t length, off_t at), real(fd, from, length, at), real(fd, from, length / 2, at))
WRITE(pwrite64, (int fd, const void *from, size_t length, off64_t at), real(fd, from, length, at), real(fd, from, length / 2, at))

int fsync(int fd) {
    REAL(fsync);
    return ours(fd) && fails(SYNCS) ? -1 : real(fd);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return ours(fd) && fails(SYNCS) ? -1 : real(fd);
}

int ftruncate(int fd, off_t length) {
    REAL(ftruncate);
    return ours(fd) && fails(WRITES) ? -1 : real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
    REAL(ftruncate64);
    return ours(fd) && fails(WRITES) ? -1 : real(fd, length);
}

#define OPEN(name)                                                                   \
    int name(const char *path, int flags, ...) {                                     \
        REAL(name);                                                                  \
        va_list rest;                                                                \
        va_start(rest, flags);                                                       \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;      \
        va_end(rest);                                                                \
        int writes = (flags & O_ACCMODE) != O_RDONLY;                                \
        if (plan && writes && strncmp(path, folder, strlen(folder)) == 0 && fails(OPENS)) return -1; \
        return real(path, flags, mode);                                              \
    }

OPEN(open)
OPEN(open64)
