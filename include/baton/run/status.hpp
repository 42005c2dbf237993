// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Errors on the target, as one byte: no text, no exception, no heap.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// The result of a run, of a slice (one call of `step`), or of a step of a delegate's lifecycle. The numbers equal ExecuTorch's error
/// codes, so that a tool can decode the codes of Baton and of ExecuTorch.
enum class [[nodiscard]] status : std::uint8_t {
  ok = 0x00,
  internal = 0x01,
  invalid_state = 0x02,
  end_of_method = 0x03,
  not_supported = 0x10,
  not_implemented = 0x11,
  invalid_argument = 0x12,
  invalid_type = 0x13,
  operator_missing = 0x14,
  not_found = 0x20,
  memory_allocation_failed = 0x21,
  access_failed = 0x22,
  invalid_program = 0x23,
  invalid_external_data = 0x24,
  out_of_resources = 0x25,
  delegate_invalid_compatibility = 0x30,
  delegate_memory_allocation_failed = 0x31,
  delegate_invalid_handle = 0x32,
};

/// Returns the name of a status, for logs. An executable contains the names only if it calls this function.
constexpr auto to_text(status code) -> std::string_view {
  switch (code) {
    case status::ok:
      return "ok";
    case status::internal:
      return "internal";
    case status::invalid_state:
      return "invalid_state";
    case status::end_of_method:
      return "end_of_method";
    case status::not_supported:
      return "not_supported";
    case status::not_implemented:
      return "not_implemented";
    case status::invalid_argument:
      return "invalid_argument";
    case status::invalid_type:
      return "invalid_type";
    case status::operator_missing:
      return "operator_missing";
    case status::not_found:
      return "not_found";
    case status::memory_allocation_failed:
      return "memory_allocation_failed";
    case status::access_failed:
      return "access_failed";
    case status::invalid_program:
      return "invalid_program";
    case status::invalid_external_data:
      return "invalid_external_data";
    case status::out_of_resources:
      return "out_of_resources";
    case status::delegate_invalid_compatibility:
      return "delegate_invalid_compatibility";
    case status::delegate_memory_allocation_failed:
      return "delegate_memory_allocation_failed";
    case status::delegate_invalid_handle:
      return "delegate_invalid_handle";
  }
  return "unknown";
}

/// A value, or the status that explains why there is none.
template <class T>
struct status_or {
  T value{};
  status code = status::ok;

  constexpr status_or(T result) : value(result) {}      // NOLINT(google-explicit-constructor)
  constexpr status_or(status failed) : code(failed) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit operator bool() const { return code == status::ok; }
};

}  // namespace baton
