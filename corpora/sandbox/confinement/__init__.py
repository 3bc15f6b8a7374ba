"""The layers that confine a program's process. Standard library only: the zygote and the child import these modules.

layers                      which layers make up each isolation level; `InnerLayers` applies those of the child
bubblewrap                  the `bwrap` command line: namespaces and a minimal root (level A)
landlock, seccomp, limits   file system rules, the system call filter, resource limits
syscalls                    the tables of allowed system calls that `seccomp` compiles
capabilities                drops the capabilities of root
control_group               bounds the number of tasks of a worker, where control groups are writable
escape_attempts             the actions that each layer must prevent; `workers.selfcheck` tries them
"""
