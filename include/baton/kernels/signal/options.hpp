// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options of TensorFlow Lite Micro's signal operators: integers and flags by name, in a FlexBuffer.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/flexbuffer.hpp>

#include <cstdint>
#include <string_view>

namespace baton::portable::detail {

/// The options of a signal operator.
class signal_options {
 public:
  constexpr signal_options(node_check& check, const program_view& program, const node& record)
      : check_(check),
        options_(program.text(record, "custom_options")) {}

  /// Returns the integer option `key`. Requires that it is present, and that its value is in [`min`, `max`].
  constexpr auto integer(std::string_view key, std::int64_t min, std::int64_t max) const -> std::int32_t {
    const auto option = options_[key];
    check_.demand(option.stored_kind() == flexbuffer::kind::integer, "option ", key, " is missing or not an integer");
    const auto number = option.integer();
    return check_.demand(number >= min && number <= max, "option ", key, " is ", number, ", not ", min, " to ", max)
               ? static_cast<std::int32_t>(number)
               : 1;
  }
  /// Returns the flag `key`. Requires that this option is present, and that it is a flag or an integer.
  constexpr auto flag(std::string_view key) const -> bool {
    const auto option = options_[key];
    check_.demand(option.stored_kind() == flexbuffer::kind::flag || option.stored_kind() == flexbuffer::kind::integer, "option ", key,
                  " is missing or not a flag");
    return option.flag();
  }

 private:
  node_check& check_;
  flexbuffer options_;
};

}  // namespace baton::portable::detail
