"""The tests of CPython's own suite that may differ after rewriting, each with its reason, and those that are not run.

An entry that no longer differs is reported by the suite: the list says no more than is so. Patterns are those of
`fnmatch`, over ids of single tests. The reasons are of three kinds: a test looks at source lines in tracebacks, at the
lifetime of objects, or at the source text itself.

Which of them exist depends on the version and on how CPython was installed: 3.11 and 3.12 leave some packages of tests
(multiprocessing, concurrent.futures) out of an installation.
"""

from __future__ import annotations

# Not run, before or after: pattern of ids -> reason.
NOT_RUN = {
    "test.test_socket.ThreadedVSOCKSocketStreamTest.*": "waits for ever on machines with VSOCK devices but no peer",
}
# Tests that pass before and need not pass after: pattern of ids -> reason.
EXPECTED = {
    "test.test_contextlib*.test_exit_exception_traceback": "compares the source lines of contextlib in a traceback",
    "test.test_doctest*.test_unicode": "compares a source line of doctest in a traceback",
    "*lib2to3.*test_all_fixers.*.test_all_project_files": (
        "parses the source text of lib2to3 itself, also as Python 2, where `_t0 = print` is no assignment"
    ),
    "test.test_asyncio.test_futures2.*.test_task_exc_handler_correct_context": (
        "wants a failed task finalised at once: a temporary in the frame of Handle._run, which its traceback holds, "
        "holds the task (the original says `self = None` there, to break that cycle)"
    ),
    "test.test_concurrent_futures.test_thread_pool.*.test_free_reference": (
        "wants a future gone while the generator is suspended that has just yielded its result"
    ),
    "test.test_multiprocessing_*.WithThreadsTestPool.test_release_task_refs": (
        "wants a result gone while the thread that delivered it waits for the next one (the original says "
        "`task = job = obj = None` there)"
    ),
    "test.test_multiprocessing_*.WithProcessesTestPool.test_release_task_refs": "the same, in other processes",
    "test.test_pdb.test_pdb_return_to_different_file": "compares source lines of pprint",
}
