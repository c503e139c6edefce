"""Run llama.cpp's HTTP server on a model until standard input ends; the first line is its address.

    python server.py MODEL.gguf

xllamacpp, which brings the server, must be on the path.
"""

from __future__ import annotations

import sys


def main(model: str) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx, params.n_parallel = 16384, 1
    params.cpuparams.n_threads = 2
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.warmup = False
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
