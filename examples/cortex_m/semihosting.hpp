// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Semihosting: terminal output, files and the exit status, on the machine that debugs or emulates an image. Used instead of stdio, which
// needs ten times the memory. The calls and their numbers are defined by Arm ("Semihosting for AArch32 and AArch64").
#pragma once

#include <cstddef>
#include <cstdint>

namespace firmware {

/// Makes one semihosting call. If the call fails, the result is negative, or the number of bytes that were not transferred.
inline auto ask_host(std::uint32_t operation, const void* argument) -> std::int32_t {
  register std::uint32_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory", "cc");
  return static_cast<std::int32_t>(r0);
}

/// Ends the image with an exit status.
[[noreturn]] inline void leave(int status) {
  constexpr std::uint32_t sys_exit_extended = 0x20;
  constexpr std::uint32_t application_exit = 0x20026;
  const std::uint32_t block[] = {application_exit, static_cast<std::uint32_t>(status)};
  ask_host(sys_exit_extended, block);
  for (;;) {
  }
}

inline void print(const char* text) {
  constexpr std::uint32_t sys_write0 = 4;
  ask_host(sys_write0, text);
}
inline void print(std::uint64_t number) {
  char digits[21];
  auto* at = digits + sizeof digits - 1;
  *at = '\0';
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  print(at);
}
inline void print(unsigned number) { print(std::uint64_t{number}); }
inline void print(unsigned long number) { print(std::uint64_t{number}); }
/// Prints texts and numbers in order.
template <class First, class Second, class... Others>
void print(const First& first, const Second& second, const Others&... others) {
  print(first);
  (print(second), ..., print(others));
}

/// A file of the machine that debugs or emulates the image.
class host_file {
 public:
  enum class access : std::uint32_t { read = 1, write = 5 };

  /// `path` is null-terminated.
  host_file(const char* path, access how) {
    constexpr std::uint32_t sys_open = 1;
    const std::uint32_t block[] = {address(path), static_cast<std::uint32_t>(how), length(path)};
    handle_ = ask_host(sys_open, block);
  }
  ~host_file() {
    constexpr std::uint32_t sys_close = 2;
    if (handle_ >= 0) ask_host(sys_close, &handle_);
  }
  host_file(const host_file&) = delete;
  auto operator=(const host_file&) -> host_file& = delete;

  auto is_open() const -> bool { return handle_ >= 0; }
  auto size() const -> std::size_t {
    constexpr std::uint32_t sys_flen = 0xc;
    return static_cast<std::size_t>(ask_host(sys_flen, &handle_));
  }
  /// Both return true if all bytes were transferred.
  auto read(char* to, std::size_t bytes) -> bool { return move(6, to, bytes); }
  auto write(const char* from, std::size_t bytes) -> bool { return move(5, from, bytes); }

 private:
  static auto address(const void* of) -> std::uint32_t { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(of)); }
  static auto length(const char* text) -> std::uint32_t {
    std::uint32_t count = 0;
    while (text[count] != '\0') ++count;
    return count;
  }
  auto move(std::uint32_t operation, const void* at, std::size_t bytes) -> bool {
    const std::uint32_t block[] = {static_cast<std::uint32_t>(handle_), address(at), static_cast<std::uint32_t>(bytes)};
    return ask_host(operation, block) == 0;
  }

  std::int32_t handle_ = -1;
};

}  // namespace firmware
