"""Forms of string operations in which every state shows the characters, whatever they cost.

Each works on a list of characters and is general in its arguments: patterns of any length, any count, bounds of any
sign. No step reads a string from a place in it, so that each one is a step that models read well
(`lab.exposure.operation_level`). The recipe `elements` applies them, and plans choose from them.
"""
