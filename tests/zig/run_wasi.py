# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
# Runs a WASI program, because PyPI's wasmtime is a library without a command: python run_wasi.py PROGRAM [ARGUMENT...]
# The program may open files of the current folder. Exits with the program's status, or with 1 if it traps.
import sys

import wasmtime

engine = wasmtime.Engine()
linker = wasmtime.Linker(engine)
linker.define_wasi()
wasi = wasmtime.WasiConfig()
wasi.argv = sys.argv[1:]
wasi.inherit_stdout()
wasi.inherit_stderr()
wasi.preopen_dir(".", ".")
store = wasmtime.Store(engine)
store.set_wasi(wasi)
program = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
try:
    program.exports(store)["_start"](store)
except wasmtime.ExitTrap as stop:
    sys.exit(stop.code)
