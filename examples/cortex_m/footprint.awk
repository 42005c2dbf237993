# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads a linker map and prints the bytes of flash and RAM of the model, which are those of inference.cpp and of CMSIS-NN (weights, delegates,
# tables, code), of the rest of the firmware (start-up, files, figures), and of the C library.

function number(text, value, i) { # hexadecimal
  value = 0
  text = tolower(text)
  for (i = 3; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
  return value
}

function count(bytes, from, kind) {
  kind = outside ~ /^\.(weights|delegates)$/ ? substr(outside, 2) : outside ~ /^\.(rodata|data)$/ ? "tables" : outside ~ /^\.bss$/ ? "static" : "code"
  if (outside == ".data") sum[owner(from) ".static"] += bytes
  sum[owner(from) "." kind] += bytes
}

function owner(from) {
  if (from ~ /inference\.o$/ || from ~ /libcmsis_nn\.a\(/) return "model"
  if (from ~ /\.a\(/) return "library"
  return "firmware"
}

/^Linker script and memory map/ { is_map = 1 }
!is_map { next }

# An output section.
/^\.[A-Za-z]/ {
  outside = $1 ~ /^\.(text|constructors|weights|delegates|rodata|ARM\.ex(tab|idx)|data|bss)$/ ? $1 : ""
  split_name = 0
  next
}
outside == "" { next }

# An input section. A long name is on its own line, before the address. A gap before the next section counts for the last section.
/^ \*fill\*/ {
  if (NF >= 3) count(number($3), last)
  next
}
/^ [.A-Z][^ ]*$/ {
  split_name = 1
  next
}
/^ [.A-Z][^ ]* +0x/ && NF >= 4 {
  last = $4
  count(number($3), $4)
  split_name = 0
  next
}
split_name && /^ +0x/ && NF >= 3 {
  last = $3
  count(number($2), $3)
}
{ split_name = 0 }

END {
  of_model = sum["model.weights"] + sum["model.delegates"] + sum["model.tables"] + sum["model.code"]
  printf "flash: %d", of_model
  printf " (weights %d, delegates %d, tables %d, code %d)", sum["model.weights"], sum["model.delegates"], sum["model.tables"], sum["model.code"]
  printf "; not counted: C library %d", sum["library.tables"] + sum["library.code"]
  printf ", other firmware %d\n", sum["firmware.tables"] + sum["firmware.code"]
  printf "RAM: %d (arena %d, at least %d; rest %d)", sum["model.static"] + sum["library.static"], arena, min_arena, sum["model.static"] + sum["library.static"] - arena
  printf "; not counted: other firmware %d\n", sum["firmware.static"]
}
