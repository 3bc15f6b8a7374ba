"""The system calls that a confined program may make, by number, and those that are allowed only with certain arguments.

The numbers are those of the kernel: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h
(arm64). Any other call fails with EPERM. The tables contain what the interpreter itself needs: memory, its own files,
clocks, threads, waiting, its own signals. They contain nothing that reaches another process or the network, or that
changes a file system.
"""

from __future__ import annotations

# fmt: off
X86_64 = {
    "read": 0, "write": 1, "close": 3, "fstat": 5, "newfstatat": 262, "stat": 4, "lstat": 6, "lseek": 8, "mmap": 9,
    "mprotect": 10, "munmap": 11, "mremap": 25, "madvise": 28, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
    "rt_sigreturn": 15, "rt_sigpending": 127, "rt_sigtimedwait": 128, "rt_sigsuspend": 130, "sigaltstack": 131,
    "pread64": 17, "readv": 19, "writev": 20, "access": 21, "faccessat": 269, "faccessat2": 439, "pipe": 22,
    "pipe2": 293, "select": 23, "pselect6": 270, "poll": 7, "ppoll": 271, "sched_yield": 24, "nanosleep": 35,
    "clock_nanosleep": 230, "clock_gettime": 228, "clock_getres": 229, "gettimeofday": 96, "time": 201,
    "times": 100, "getpid": 39, "gettid": 186, "getppid": 110, "getpgrp": 111, "getpgid": 121, "getsid": 124,
    "getuid": 102, "geteuid": 107, "getgid": 104, "getegid": 108, "getgroups": 115, "getresuid": 118,
    "getresgid": 120, "exit": 60, "exit_group": 231, "futex": 202, "set_robust_list": 273, "get_robust_list": 274,
    "rseq": 334, "restart_syscall": 219, "getrandom": 318, "openat": 257, "open": 2, "getdents64": 217,
    "getdents": 78, "readlink": 89, "readlinkat": 267, "getcwd": 79, "dup": 32, "dup2": 33, "dup3": 292,
    "uname": 63, "sysinfo": 99, "getrlimit": 97, "getrusage": 98, "sched_getaffinity": 204, "sched_getparam": 143,
    "sched_getscheduler": 145, "epoll_create": 213, "epoll_create1": 291, "epoll_ctl": 233, "epoll_wait": 232,
    "epoll_pwait": 281, "eventfd2": 290, "timerfd_create": 283, "timerfd_settime": 286, "timerfd_gettime": 287,
    "statx": 332, "statfs": 137, "fstatfs": 138, "set_tid_address": 218, "getcpu": 309, "membarrier": 324,
    "alarm": 37, "setitimer": 38, "getitimer": 36, "pause": 34, "arch_prctl": 158, "ftruncate": 77, "fsync": 74,
    "fdatasync": 75, "fadvise64": 221, "umask": 95, "recvfrom": 45, "shutdown": 48, "getsockname": 51,
    "getsockopt": 55, "chdir": 80, "fchdir": 81, "mincore": 27, "msync": 26, "mlock": 149, "munlock": 150,
    "getpriority": 140, "copy_file_range": 326, "sendfile": 40, "kill": 62, "tgkill": 234, "clone": 56,
    "clone3": 435, "prctl": 157, "prlimit64": 302, "ioctl": 16, "fcntl": 72, "socketpair": 53, "sendto": 44,
}
AARCH64 = {
    "read": 63, "write": 64, "close": 57, "fstat": 80, "newfstatat": 79, "lseek": 62, "mmap": 222, "mprotect": 226,
    "munmap": 215, "mremap": 216, "madvise": 233, "brk": 214, "rt_sigaction": 134, "rt_sigprocmask": 135,
    "rt_sigreturn": 139, "rt_sigpending": 136, "rt_sigtimedwait": 137, "rt_sigsuspend": 133, "sigaltstack": 132,
    "pread64": 67, "readv": 65, "writev": 66, "faccessat": 48, "faccessat2": 439, "pipe2": 59, "pselect6": 72,
    "ppoll": 73, "sched_yield": 124, "nanosleep": 101, "clock_nanosleep": 115, "clock_gettime": 113,
    "clock_getres": 114, "gettimeofday": 169, "times": 153, "getpid": 172, "gettid": 178, "getppid": 173,
    "getpgid": 155, "getsid": 156, "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177, "getgroups": 158,
    "getresuid": 148, "getresgid": 150, "exit": 93, "exit_group": 94, "futex": 98, "set_robust_list": 99,
    "get_robust_list": 100, "rseq": 293, "restart_syscall": 128, "getrandom": 278, "openat": 56, "getdents64": 61,
    "readlinkat": 78, "getcwd": 17, "dup": 23, "dup3": 24, "uname": 160, "sysinfo": 179, "getrlimit": 163,
    "getrusage": 165, "sched_getaffinity": 123, "sched_getparam": 121, "sched_getscheduler": 120,
    "epoll_create1": 20, "epoll_ctl": 21, "epoll_pwait": 22, "eventfd2": 19, "timerfd_create": 85,
    "timerfd_settime": 86, "timerfd_gettime": 87, "statx": 291, "statfs": 43, "fstatfs": 44, "set_tid_address": 96,
    "getcpu": 168, "membarrier": 283, "setitimer": 103, "getitimer": 102, "ftruncate": 46, "fsync": 82,
    "fdatasync": 83, "fadvise64": 223, "umask": 166, "recvfrom": 207, "shutdown": 210, "getsockname": 204,
    "getsockopt": 209, "chdir": 49, "fchdir": 50, "mincore": 232, "msync": 227, "mlock": 228, "munlock": 229,
    "getpriority": 141, "copy_file_range": 285, "sendfile": 71, "kill": 129, "tgkill": 131, "clone": 220,
    "clone3": 435, "prctl": 167, "prlimit64": 261, "ioctl": 29, "fcntl": 25, "socketpair": 199, "sendto": 206,
}
# fmt: on

# Allowed only with the arguments that `corpora.sandbox.confinement.seccomp` lists.
RESTRICTED = frozenset(
    ("clone", "clone3", "fcntl", "ioctl", "kill", "prctl", "prlimit64", "sendto", "socketpair", "tgkill")
)
