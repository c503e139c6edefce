"""Runs in every box, as the box's user: starts commands, sweeps up, keeps the written tree.

In the local sandbox it lies in a trusted outer box and starts each command in an inner one; in a
container it is the init. The box's interpreter runs it with ``-I -S``, apart from the rest of the
package, and it imports little, because it starts once per box. The harness sends frames on stdin
and reads frames on stdout: one byte of kind, four of length (big endian), the payload. Payloads of
commands are marshalled dicts, in a version that every Python reads; answers are plain bytes, never
unmarshalled.

    commands  I set up, X exec, K kill, P put (then d, f, c, and "." to end), G get
    answers   H hello, o/e a piece of stdout/stderr, x exec ended, k done, ! failed,
              n nothing there, r refused, d/f/c a folder, a file, a piece of it, "." end
"""
