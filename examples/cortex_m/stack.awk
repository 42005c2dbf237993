# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Computes the maximum stack of functions from the disassembly of an image. stack.sh prepares the input and states the rules.
# A depth is the distance between the stack pointer at the begin of a function and at an instruction, in bytes. Branches keep the depth, so
# the control flow determines all depths, also after a jump to another function (a tail call).
# Input: three files of objdump: -f, -d -C --no-show-raw-insn, and -s of the sections with constants.
# Variables: wanted: the names of functions, separated by newlines. is_path: 1: also prints the calls of the deepest path.
# Exit status: 1: a function is not in the image. 3: a function has no bound.

function hex(text,    i, value) {
  for (i = 1; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
  return value
}

# Returns the first immediate operand, as in "sp, sp, #1040".
function immediate(text) {
  match(text, /#-?[0-9]+/)
  return substr(text, RSTART + 1, RLENGTH - 1) + 0
}

# Returns the bytes of a list of registers, as in "{r4, lr}" or "{d8-d15}".
function list_bytes(list,    n, i, item, ends, bytes) {
  gsub(/^[^{]*\{|\}.*/, "", list)
  n = split(list, item, /, */)
  for (i = 1; i <= n; i++) {
    bytes += (item[i] ~ /^d/ ? 8 : item[i] ~ /^q/ ? 16 : 4) * (split(item[i], ends, /-[a-z]/) == 2 ? ends[2] - substr(ends[1], 2) + 1 : 1)
  }
  return bytes
}

# Returns the constant that a register has at line `i`, if one of the lines before loads it, otherwise "".
function constant_of(register, i,    k, word) {
  for (k = i - 1; k > 0 && k > i - 16 && op[k] !~ /^b/; k--) {
    if (index(args[k], register ",") != 1) continue
    if (op[k] ~ /^(movw|movs|mov\.w)$/ && args[k] ~ /#/) return immediate(args[k])
    if (op[k] !~ /^ldr/ || !(k in literal)) return ""
    word = hex(substr(args[literal[k]], 3))
    return word < 2147483648 ? word : word - 4294967296
  }
  return ""
}

# Returns the bytes by which line `i` increases the depth. Sets `problem` if they are not known.
function growth(i,    o, a, by) {
  o = op[i]
  a = args[i]
  if (o ~ /^v?push/) return list_bytes(a)
  if (o ~ /^v?pop(\.[nw])?$/) return -list_bytes(a)
  if (a ~ /^sp!/ && o ~ /^v?(stmdb|stmfd)/) return list_bytes(a)
  if (a ~ /^sp!/ && o ~ /^v?(ldm|ldmia|ldmfd)(\.w)?$/) return -list_bytes(a)
  if (a ~ /\[sp, #-?[0-9]+\]!/ || a ~ /\[sp\], #-?[0-9]+/) return -immediate(substr(a, index(a, "[sp")))
  if (o ~ /^(sub|add)w?(\.w)?$/ && a ~ /^sp, /) {
    by = a
    sub(/^sp, (sp, )?/, "", by)
    if (by ~ /^#/) by = immediate(by)
    else if (by ~ /^(r[0-9]+|ip|lr)$/) by = constant_of(by, i)
    # The end of a function with a frame pointer. Its operand is above the stack pointer, so the depth remains an upper bound.
    else if (o ~ /^add/ && by ~ /^r[0-9]+, #[0-9]+$/) by = 0
    else by = ""
    if (by == "") problem = "has a frame of variable size"
    return o ~ /^sub/ ? by : -by
  }
  if (o ~ /^mov(\.w)?$/ && a ~ /^sp, /) return 0 # as above
  if (a ~ /^sp[,!]/ && o !~ /^(str|stm|cmp|cmn|tst|ldm|vldm|vstm|pop)/ || o == "msr" && tolower(a) ~ /^[mp]sp/) problem = "replaces the stack pointer"
  return 0
}

# True if line `i`, `bx register`, is a return. Functions of a Cortex-M0 with arguments in memory load the register from the stack.
function is_return(i,    k) {
  if (args[i] == "lr") return 1
  for (k = i - 1; k > i - 4 && label[k] == label[i]; k--) {
    if (op[k] ~ /^pop/ && args[k] == "{" args[i] "}") return 1
    if (index(args[k], args[i] ",") == 1) return 0
  }
  return 0
}

# Adds line `i` to the lines to visit if `depth` exceeds its previous depth.
function visit(i, depth, depths, todo) {
  if (i > lines || i in depths && depths[i] >= depth) return
  depths[i] = depth
  todo[++todo[0]] = i
}

# Returns 0 because the function at line `entry` has no bound.
function fail(entry) {
  delete is_active[entry]
  return 0
}

# Adds a call of `callee` by line `i` at a depth. Returns 0 if the callee has no bound.
function add_call(entry, i, depth, callee) {
  if (!find_bound(callee)) return 0
  if (!(entry in bound) || depth + bound[callee] > bound[entry]) {
    bound[entry] = depth + bound[callee]
    next_of[entry] = callee
    own[entry] = depth
    place[entry] = label[i]
  }
  return 1
}

# Adds a call through a pointer by line `i`. A function that calls `root` again is not called: `root` would be active twice.
function add_pointer_call(entry, i, depth,    n, count) {
  for (n = 1; n <= pointers; n++) {
    if (add_call(entry, i, depth, pointer[n])) count++
    else if (culprit != root) return 0
  }
  if (count) return 1
  culprit = entry
  problem = "calls through a pointer"
  return 0
}

# Computes bound[entry], the maximum depth of the function at line `entry` and its callees. Returns 0 if there is no bound. In this case,
# `culprit` is the line of the function that causes this, and `problem` the reason.
function find_bound(entry,    depths, todo, i, o, a, by, callee, depth, max_depth, deepest, ends, tables, first) {
  if (entry in is_done) return 1
  if (entry in is_active) {
    culprit = entry
    problem = "is recursive"
    return 0
  }
  is_active[entry] = 1
  todo[0] = 0
  visit(entry, 0, depths, todo)
  for (;;) {
    if (todo[0] == 0) {
      # The cases of jump tables are the lines that no branch reaches. `nop` is padding after a function.
      for (first in tables) {
        for (i = first + 0; label[i] == first && (i in depths || op[i] ~ /^(\.|nop)/); i++);
        if (label[i] == first) visit(i, tables[first], depths, todo)
      }
      if (todo[0] == 0) break
    }
    i = todo[todo[0]--]
    o = op[i]
    a = args[i]
    if (o ~ /^\./) continue # data after a call that does not return
    problem = ""
    by = growth(i)
    depth = depths[i] + by
    if (problem == "" && depth > 1048576) problem = "pushes in a loop"
    if (problem != "") {
      culprit = entry
      return fail(entry)
    }
    if (depth > max_depth) {
      max_depth = depth
      deepest = label[i]
    }
    ends = 0
    if (o ~ is_call) {
      callee = line_of[target[i]]
      if (!add_call(entry, i, depth, callee)) return fail(entry)
      if (!(callee in returns)) ends = 1
      # A routine of libgcc that returns to a case of the table after its call.
      if (name[callee] ~ /^__gnu_thumb1_case_/) ends = 2
    } else if (o ~ /^blx/ || o ~ /^bx/ && !is_return(i)) {
      if (!add_pointer_call(entry, i, depth)) return fail(entry)
      ends = o ~ /^bx(ns)?$/
      if (o ~ /^bx/) returns[entry] = 1
    } else if (i in target) {
      visit(line_of[target[i]], depth, depths, todo)
      ends = o ~ /^b(\.[nw])?$/
    } else if (o ~ /^tb[bh]$/) {
      ends = 2
    } else if (o ~ /^(bx|bxns|udf|udf\.w)$/ || o ~ /^(pop|ldm|ldmia|ldmfd)(\.[nw])?$/ && a ~ /pc\}/ || a ~ /^pc, (lr$|\[sp\])/) {
      ends = 1
      if (o !~ /^udf/) returns[entry] = 1
    } else if (a ~ /^pc, / && o ~ /^(mov|ldr|add)/) {
      ends = 2
    }
    if (ends == 2 && depth >= tables[label[i]]) tables[label[i]] = depth
    if (!ends) visit(i + 1, depth, depths, todo)
  }
  if (!(entry in bound) || max_depth >= bound[entry]) {
    bound[entry] = max_depth
    own[entry] = max_depth
    place[entry] = deepest == "" ? entry : deepest
    delete next_of[entry]
  }
  delete is_active[entry]
  is_done[entry] = 1
  return 1
}

# Returns a function's name without template arguments, parameters and return type. The demangler leaves long names as they are.
function short_name(text,    n, names) {
  if (text ~ /^_ZN?[0-9]/) {
    sub(/^_ZN?/, "", text)
    while (match(text, /^[0-9]+/)) {
      n = substr(text, 1, RLENGTH) + 0
      names = names (names == "" ? "" : "::") substr(text, RLENGTH + 1, n)
      text = substr(text, RLENGTH + 1 + n)
    }
    return names
  }
  sub(/ \[clone .*/, "", text)
  gsub(/\(anonymous namespace\)::/, "", text)
  while (gsub(/<[^<>]*>/, "", text));
  while (gsub(/\([^()]*\)/, "", text));
  sub(/ const$/, "", text)
  sub(/.* /, "", text)
  return text
}

# If a constant is the address of a function, adds the function to the targets of calls through pointers. Nothing calls the reset handler.
function add_pointer(value,    i) {
  i = function_at[value - value % 2]
  if (value % 2 == 1 && i && op[i] !~ /^\./ && value != start && !(i in is_pointer)) {
    is_pointer[i] = 1
    pointer[++pointers] = i
  }
}

BEGIN {
  condition = "(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?"
  is_call = "^bl" condition "(\\.w)?$"
  # objdump shows some instructions of Helium as other instructions with an address, such as bfcsel.
  is_branch = "^(b" condition "(\\.[nw])?|cbn?z|le|letp|wls|wlstp\\.[0-9]+)$"
}

FNR == 1 { file++ }
file == 1 && /^start address/ { start = hex(substr($3, 3)) }

file == 2 && /^[0-9a-f]+ <.*>:$/ {
  function_line = lines + 1
  name[function_line] = substr($0, index($0, "<") + 1, length($0) - index($0, "<") - 2)
  function_at[hex($1)] = function_line
  next
}
file == 2 && /^ *[0-9a-f]+:\t[a-z.]/ {
  lines++
  n = split($0, part, "\t")
  gsub(/[ :]/, "", part[1])
  line_of[part[1]] = lines
  label[lines] = function_line
  op[lines] = part[2]
  args[lines] = part[3]
  if (n > 3 && part[2] ~ /^ldr/ && match(part[4], /[0-9a-f]+ </)) word_of[lines] = substr(part[4], RSTART, RLENGTH - 2)
  if ((part[2] ~ is_call || part[2] ~ is_branch) && match(part[3], /(^|, )[0-9a-f]+ </)) {
    target[lines] = substr(part[3], RSTART, RLENGTH - 2)
    sub(/^, /, "", target[lines])
  }
}
file == 3 && /^ [0-9a-f]+ / {
  # Four words of four bytes, the lowest first.
  for (i = 2; i <= 5 && $i ~ /^[0-9a-f]+$/ && length($i) == 8; i++) {
    constants[++constant_count] = hex(substr($i, 7, 2) substr($i, 5, 2) substr($i, 3, 2) substr($i, 1, 2))
  }
}

END {
  for (i in word_of) literal[i] = line_of[word_of[i]]
  for (i = 1; i <= lines; i++) {
    if (op[i] == ".word") add_pointer(hex(substr(args[i], 3)))
    if (op[i] ~ /^movw/) low[substr(args[i], 1, index(args[i], ","))] = immediate(args[i])
    if (op[i] ~ /^movt/) add_pointer(65536 * immediate(args[i]) + low[substr(args[i], 1, index(args[i], ","))])
  }
  for (i = 1; i <= constant_count; i++) add_pointer(constants[i])

  n = split(wanted, functions, "\n")
  status = 0
  for (k = 1; k <= n; k++) {
    root = ""
    for (i in name) if (name[i] == functions[k] || index(name[i], functions[k] "(") == 1) root = i + 0
    if (root == "") {
      print "the image has no function " functions[k] > "/dev/stderr"
      exit 1
    }
    split("", is_done)
    split("", bound)
    if (!find_bound(root)) {
      printf "%s: no bound, because %s %s\n", functions[k], short_name(name[culprit]), problem
      status = 3
      continue
    }
    printf "%s: %d\n", functions[k], bound[root]
    for (i = root; is_path && i != ""; i = next_of[i]) printf "  %d %s\n", own[i], short_name(name[place[i]])
  }
  exit status
}
