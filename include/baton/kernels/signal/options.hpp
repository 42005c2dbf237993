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

class signal_options {
 public:
  constexpr signal_options(node_check& check, const program_view& program, const node& record)
      : check_(check),
        options_(program.text(record, "custom_options")) {}

  /// An option that is there, between `least` and `most`.
  constexpr auto integer(std::string_view key, std::int64_t least, std::int64_t most) const -> std::int32_t {
    const auto found = options_[key];
    check_.demand(found.holds() == flexbuffer::kind::integer, "option ", key, " is missing");
    const auto number = found.integer();
    return check_.demand(number >= least && number <= most, "option ", key, " is ", number) ? static_cast<std::int32_t>(number) : 1;
  }
  constexpr auto flag(std::string_view key) const -> bool {
    const auto found = options_[key];
    check_.demand(found.holds() == flexbuffer::kind::flag || found.holds() == flexbuffer::kind::integer, "option ", key, " is missing");
    return found.flag();
  }

 private:
  node_check& check_;
  flexbuffer options_;
};

}  // namespace baton::portable::detail
