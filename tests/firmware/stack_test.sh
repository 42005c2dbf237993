#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2317 # functions that are called by name
#
# Tests examples/cortex_m/stack.sh with small functions in assembly, and with the frames that the compiler states.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
# shellcheck source=examples/expect.sh
. "$root/examples/expect.sh"
trap 'rm -rf "$work"' EXIT
stack() { sh "$root/examples/cortex_m/stack.sh" "$@"; }
# link SOURCE: links `image` for $cpu.
link() {
  # shellcheck disable=SC2086 # a list of words
  arm-none-eabi-gcc $cpu -mthumb -nostdlib -Wl,-e,reset -Wl,-Ttext=0x100 "$1" -o image || failed=1
}
# assemble: links the assembly on standard input as `image`, between a reset handler and a function of 8 bytes of stack. `function NAME`
# begins a function.
assemble() {
  {
    printf '.syntax unified\n.thumb\n.macro function name\n.global \\name\n.thumb_func\n.type \\name, %%function\n\\name:\n.endm\n.text\n'
    printf 'function reset\n bl main\n1: b 1b\n'
    cat
    printf 'function leaf\n push {r4, lr}\n pop {r4, pc}\n'
  } > source.s
  link source.s
}
# bound FUNCTION BYTES: tests the maximum of a function.
bound() {
  expect 0 "the stack of $1" stack image "$1"
  check "the stack of $1, which is $2" [ "$(cat out)" = "$1: $2" ]
}
# no_bound FUNCTION REASON: tests that a function has no bound.
no_bound() {
  expect 3 "$1, which has no bound" stack image "$1"
  check "the reason for $1: $2" [ "$(cat out)" = "$1: no bound, because $2" ]
}

cpu='-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16'
assemble << 'END_OF_SOURCE'
function main
 push {r3, r4, r5, lr}     @ 16
 sub sp, #24               @ 40
 bl leaf                   @ 48
 add sp, #24
 pop {r3, r4, r5, pc}
function wide
 stmdb sp!, {r4-r11, lr}   @ 36
 vpush {d8-d15}            @ 100
 sub.w sp, sp, #1024       @ 1124
 str r0, [sp, #-8]!        @ 1132
 bl leaf                   @ 1140
 ldr r0, [sp], #8
 add.w sp, sp, #1024
 vpop {d8-d15}
 ldmia.w sp!, {r4-r11, pc}
function tail              @ the frame is removed before the jump
 push {r4, lr}
 bl leaf                   @ 16
 pop {r4, lr}
 b wide                    @ 1140
function early_return
 cbz r0, 1f
 push {r4-r7, lr}          @ 20
 cmp r0, #1
 it eq
 popeq {r4-r7, pc}
 sub sp, #4                @ 24
 add sp, #4
 pop {r4-r7, pc}
1: bx lr
function never_returns
 push {r4, lr}
1: b 1b
function calls_it          @ what follows the call is not reached
 push {r4, lr}             @ 8 + 8
 bl never_returns
function after_it
 push {r0-r7, lr}
 pop {r0-r7, pc}
function table
 push {r4, lr}             @ 8
 cmp r0, #2
 bhi 4f
 tbb [pc, r0]
1: .byte (2f - 1b) / 2, (3f - 1b) / 2, (4f - 1b) / 2, 0
2: sub sp, #64             @ 72
 add sp, #64
 b 4f
3: bl wide                 @ 8 + 1132 + 8
4: pop {r4, pc}
function frame_pointer
 push {r7, lr}
 sub sp, #16
 add r7, sp, #0
 bl leaf                   @ 32
 adds r7, #16
 mov sp, r7
 pop {r7, pc}
function recursive
 push {r4, lr}
 bl also_recursive
 pop {r4, pc}
function also_recursive
 push {r4, lr}
 bl recursive
 pop {r4, pc}
function calls_recursive
 push {r4, lr}
 bl recursive
 pop {r4, pc}
function variable
 push {r4, lr}
 lsls r0, r0, #2
 sub sp, sp, r0
 pop {r4, pc}
function from_table
 push {r4, lr}
1: push {r0}
 subs r1, #1
 bne 1b
 pop {r4, pc}
function own_stack
 msr msp, r0
 bx lr
function through_pointer
 push {r4, lr}             @ 8 + 32
 blx r0
 pop {r4, pc}
END_OF_SOURCE
bound main 48
bound wide 1140
bound tail 1140
bound early_return 24
bound calls_it 16
bound table 1148
bound frame_pointer 32
bound leaf 8
no_bound recursive "recursive is recursive"
no_bound calls_recursive "recursive is recursive"
no_bound variable "variable has a frame of variable size"
no_bound from_table "from_table pushes in a loop"
no_bound own_stack "own_stack replaces the stack pointer"
no_bound through_pointer "through_pointer calls through a pointer"
expect 3 "two functions" stack image recursive main
check "both" [ "$(cat out)" = "recursive: no bound, because recursive is recursive
main: 48" ]
expect 0 "the calls" stack --path image tail
check "each with its bytes" [ "$(cat out)" = "tail: 1140
  1132 wide
  8 leaf" ]
expect 1 "a function that is not there" stack image nothing
check "its name" grep -qx 'the image has no function nothing' err
expect 1 "an image that is not there" stack nothing main
check "its name" grep -qx 'cannot read nothing' err
expect 2 "no function" stack image
check "how to use it" grep -q '^usage: ' err

# A pointer may refer to each function whose address is in the image, but neither to the reset handler nor back to the function.
assemble << 'END_OF_SOURCE'
function main
 push {r4, lr}             @ 8 + 72
 bl through_pointer
 pop {r4, pc}
function through_pointer
 push {r4, lr}             @ 8 + 64
 blx r0
 pop {r4, pc}
function in_literal
 push {r0-r7}              @ 32
 add sp, #32
 bx lr
function in_constants
 sub sp, #64
 add sp, #64
 bx lr
function in_halves
 push {r4-r7}
 add sp, #16
 movw r0, #:lower16:in_more_halves
 movt r0, #:upper16:in_more_halves
 bx lr
function in_more_halves
 sub sp, #200
 add sp, #200
 bx lr
function task
 push {r4, lr}
 bl main
 pop {r4, pc}
 .align 2
 .word in_literal
 .section .rodata
 .word in_constants, reset, task
 .text
END_OF_SOURCE
bound main 216
bound through_pointer 208
# Here, the pointer may also refer to main.
sed 's/in_constants, reset, task/in_constants, main/' source.s > other.s
link other.s
bound through_pointer 208
no_bound task "main is recursive"

# Frames of a Cortex-M0 that exceed an immediate operand, and a return without lr.
cpu=-mcpu=cortex-m0
assemble << 'END_OF_SOURCE'
function main
 push {r4, lr}             @ 8
 ldr r4, =-2000
 add sp, r4                @ 2008
 bl leaf                   @ 2016
 ldr r4, =2000
 add sp, r4
 pop {r4, pc}
 .ltorg
function arguments_in_memory
 sub sp, #8
 push {r4, lr}             @ 16
 bl leaf                   @ 24
 pop {r4}
 pop {r3}
 add sp, #8
 bx r3
END_OF_SOURCE
bound main 2016
bound arguments_in_memory 24

# The frames of -fstack-usage, if no callee has a deeper one.
cat > frames.c << 'END_OF_SOURCE'
int use(int* numbers, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += numbers[i] * numbers[count - i];
  return sum;
}
__attribute__((noinline)) int small(int a) { int numbers[8]; __asm volatile("" : : "r"(numbers) : "memory"); return numbers[a]; }
__attribute__((noinline)) int large(int a) { int numbers[800]; __asm volatile("" : : "r"(numbers) : "memory"); return numbers[a] + small(a) + a; }
__attribute__((noinline)) float saves(float a, float b) { float f = a * b; __asm volatile("" : : : "s16", "s20", "r4", "r8"); return f + large(2) * b; }
int reset(void) { return large(1) + (int)saves(1, 2) + small(3) + use((int*)0, 4); }
END_OF_SOURCE
for flags in "-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2" "-mcpu=cortex-m0 -O2" "-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O0" "-mcpu=cortex-m0 -O0"; do
  # shellcheck disable=SC2086 # a list of words
  arm-none-eabi-gcc $flags -mthumb -fstack-usage -nostartfiles -Wl,-e,reset -Wl,-Ttext=0x100 frames.c -o image -dumpbase '' -dumpbase-ext '' -dumpdir ./ 2> /dev/null || failed=1
  cat ./*.su > usage
  for function in small large saves reset use; do
    stated=$(awk -v name="$function" '{ n = split($1, part, ":"); if (part[n] == name) print $2 }' usage)
    expect 0 "the frame of $function with $flags" stack --path image "$function"
    check "the frame of $function with $flags, which is $stated" [ "$(sed -n "s/^  \([0-9]*\) $function$/\1/p" out)" = "$stated" ]
  done
  rm -f ./*.su
done
exit $failed
