"""How a program's process reports to the caller: the protocol, the writer in the process, the parser of the caller.

protocol        channels, size limits and `Job`
report_writer   writes the report in the program's process; standard library only
report_reader   splits what arrives into messages
report_parser   the only parser of a message: checks its shape before it decodes anything
json_shape      bounds the cost of decoding JSON before decoding it
"""
