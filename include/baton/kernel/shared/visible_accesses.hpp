// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Protects the memory accesses of kernels from a defect of GCC.
#pragma once

#include <baton/core/config.hpp>

namespace baton::detail {

/// GCC before 14 may remove the call of a function that writes memory (GCC bug 110702). All values of a graph are in one arena, so the
/// addresses of a node's operands are offsets from one base address. If a loop accesses two operands with different strides, GCC may
/// compute one address from the other. For example, let `from` and `to` be the addresses that a loop reads and writes, and `base` the
/// address of the arena. GCC may compute `from` as 8 · `to` - 7 · `base`. No term of this sum is a pointer, so GCC represents the access as
/// an access relative to a null pointer. A later pass assumes that a null pointer is never accessed, so it ignores this access and all
/// later accesses. Then the function seems to write no memory, and GCC removes its calls.
///
/// Two measures prevent this:
/// - `keep()` is an empty statement that may access all memory. GCC never assumes that a function with this statement writes no memory.
///   Each function of `node_call` that returns an address calls `keep()`. So a function that requests an address contains the statement, or
///   calls a function that contains it.
/// - `opaque(base)` returns `base`, but GCC does not know which object the result points to. Without this call, GCC may replace the pointer
///   parameters of a function by addresses in one object. Therefore, each run of a program starts with a call of `opaque`.
///
/// Therefore, a function of a kernel needs no other measure if it gets its addresses from a `node_call`, or as one parameter per operand. A
/// function whose loops access one parameter with different strides must call `keep()` itself; no kernel has such a function.
struct visible_accesses {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 14
  [[gnu::always_inline]] static void keep() { asm volatile("" ::: "memory"); }
  [[gnu::always_inline]] static auto opaque(char* base) -> char* {
    asm("" : "+r"(base));
    return base;
  }
#else
  static void keep() {}
  static auto opaque(char* base) -> char* { return base; }
#endif
};

}  // namespace baton::detail
