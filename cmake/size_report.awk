# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the flash and the RAM of an image by part. Reads the output of `readelf -SW` and then the linker map of GNU ld:
#   awk -v models="NAME..." -v image=FILE -f size_report.awk SECTIONS MAP
# A part of a model is an input section of its object file. With link-time optimization, it is one whose name contains the namespace baton or
# that of the model, or of .bss and a name with the word arena.

function number(text, value, i) { # hexadecimal
  value = 0
  text = tolower(text)
  sub(/^0x/, "", text)
  for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
  return value
}

# The index of the memory that contains an address, or 0.
function memory_at(address, i) {
  for (i = 1; i <= memories; i++) if (address >= origin[i] && address < origin[i] + size_of[i]) return i
  return 0
}

function is_model(section, file, i) {
  if (section ~ /\._Z.*5baton/ || section ~ /^\.bss\..*arena/) return 1
  if (file ~ /lib[^\/(]*cmsis[-_]nn[^\/(]*\.a\(/) return 1 # kernels of a vendor
  for (i = 1; i <= model_count; i++) {
    if (file ~ ("(^|[/(])" model[i] "(\\.[cC][a-z+]*)?\\.(o|obj)\\)?$")) return 1
    if (section ~ ("\\._Z[A-Z]*" length(model[i]) model[i]) || section ~ ("\\." model[i] "_")) return 1
  }
  return 0
}

function part_of(section, file) {
  if (is_model(section, file)) {
    if (no_bits[outside]) return "arena"
    if (section ~ /14constant_bytesI|15frozen_constantI|17prepared_elementsI|^\.weights/) return "weights"
    if (section ~ /20processed_bytes_copyI|16named_data_bytesI|^\.delegates/) return "delegates"
    if (section ~ /^\.s?(ro)?data/) return "tables"
    # Data in a section of another name is the file of a model: SECTION of baton_model().
    return is_code[outside] || section ~ /^\.(text|ARM|init|fini|ctors|dtors|eh_frame|gcc_except)/ ? "code" : "weights"
  }
  if (no_bits[outside] && outside section ~ /stack/) return "stack"
  if (file ~ /lib(c|m|g|gcc|stdc\+\+|supc\+\+|nosys|rdimon|picolibc)(_nano)?\.a\(/) return "library"
  return "other"
}

function add(part, address, bytes, at) {
  at = memory_at(address)
  # Bytes with contents are in flash, also if they are copied to RAM.
  if (!no_bits[outside]) flash[part] += bytes
  if (no_bits[outside] || is_ram[at]) ram[part] += bytes
  listed[outside] += bytes
  if (at && bytes > 0 && index(" " memory[part] " ", " " name[at] " ") == 0) memory[part] = memory[part] (memory[part] == "" ? "" : " ") name[at]
}

function row(label, part) {
  printf "%-24s %9d %9d%s\n", label, flash[part], ram[part], memory[part] == "" ? "" : "  " memory[part]
}

BEGIN { model_count = split(models, model, " ") }

# readelf: "  [ 3] .text  PROGBITS  08000190 010190 001a2c 00  AX  0   0 16"
FNR == NR {
  if (sub(/^ *\[ *[0-9]+\] /, "") && NF >= 7 && $7 ~ /A/) {
    no_bits[$1] = $2 == "NOBITS"
    is_code[$1] = $7 ~ /X/
    address_of[$1] = number($3)
    bytes_of[$1] = number($5)
    sections[++section_count] = $1
  }
  next
}

/^Memory Configuration/ { phase = 1 }
/^Linker script and memory map/ { phase = 2 }
phase == 1 && $2 ~ /^0x/ && $1 != "*default*" {
  name[++memories] = $1
  origin[memories] = number($2)
  size_of[memories] = number($3)
  is_ram[memories] = $4 ~ /w/
}
phase != 2 { next }

# An output section.
/^[^ \t]/ {
  outside = $1 in bytes_of ? $1 : ""
  section = part = ""
  next
}
outside == "" { next }
# An input section. A long name is on its own line, before the address. A gap before the next section counts for the last section.
/^ \*fill\* / {
  if (part != "") add(part, number($2), number($3))
  next
}
/^ [^ *(]+ +0x[0-9a-f]+ +0x[0-9a-f]+ / {
  match($0, /0x[0-9a-f]+ +0x[0-9a-f]+ /)
  part = part_of($1, substr($0, RSTART + RLENGTH))
  add(part, number($2), number($3))
  section = ""
  next
}
/^ [^ *(]+$/ {
  section = $1
  next
}
section != "" && /^ +0x[0-9a-f]+ +0x[0-9a-f]+ / {
  match($0, /0x[0-9a-f]+ +0x[0-9a-f]+ /)
  part = part_of(section, substr($0, RSTART + RLENGTH))
  add(part, number($1), number($2))
}
{ section = "" }

END {
  if (phase != 2) exit 3
  # Bytes that the linker script adds, such as the stack.
  for (i = 1; i <= section_count; i++) {
    outside = sections[i]
    if (bytes_of[outside] > listed[outside]) {
      add(no_bits[outside] && outside ~ /stack/ ? "stack" : "other", address_of[outside], bytes_of[outside] - listed[outside])
    }
    if (!no_bits[outside]) flash["total"] += bytes_of[outside]
    if (no_bits[outside] || is_ram[memory_at(address_of[outside])]) ram["total"] += bytes_of[outside]
  }
  if (flash["code"] + flash["weights"] + flash["delegates"] == 0) exit 4
  printf "%-24s %9s %9s  memory\n", image, "flash", "RAM"
  row("weights", "weights")
  row("delegates", "delegates")
  row("tables of kernels", "tables")
  row("code of kernels", "code")
  row("arena", "arena")
  row("C and C++ libraries", "library")
  row("other firmware", "other")
  row("stack", "stack")
  row("total", "total")
}
