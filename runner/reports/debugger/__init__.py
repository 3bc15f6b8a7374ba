"""The debugger of `spellout debug`: steps through the trace that a model wrote, aligned with the reference trace.

    believed_trace    the output and the reference trace frame by frame: call stack, lines, variables
    function_names    the functions that CALL frames are of
    frame_view        what the debugger prints about a frame
    shell             the commands

The frames are aligned like those of the viewer (`runner.reports.viewer.alignment`).
"""
