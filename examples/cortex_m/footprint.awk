# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads the table of cmake/size_report.sh and prints the bytes of flash and RAM of the model, of the C library, and of the rest of the firmware
# (start-up, files, figures), without the stack.

NR > 1 && match($0, / +[0-9]+ +[0-9]+/) {
  part = substr($0, 1, RSTART - 1)
  split(substr($0, RSTART, RLENGTH), bytes, " ")
  flash[part] = bytes[1]
  ram[part] = bytes[2]
}

END {
  tables = flash["tables of kernels"]
  code = flash["code of kernels"]
  library = "C and C++ libraries"
  of_model = ram["arena"] + ram["weights"] + ram["delegates"] + ram["tables of kernels"] + ram["code of kernels"] + ram[library]
  printf "flash: %d bytes", flash["weights"] + flash["delegates"] + tables + code
  printf " (weights %d, delegates %d, tables %d, code %d)", flash["weights"], flash["delegates"], tables, code
  printf "; not counted: C library %d, other firmware %d\n", flash[library], flash["other firmware"]
  printf "RAM: %d bytes (arena %d, lower bound %d; rest %d); not counted: other firmware %d\n", of_model, arena, min_arena, of_model - arena, ram["other firmware"]
}
