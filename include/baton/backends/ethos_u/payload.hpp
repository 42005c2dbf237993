// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The payload that Vela gives a custom operator: actions for the driver, one of which is the command stream.
#pragma once

#include <baton/backend/blob_words.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::ethos_u {

/// What a payload says. The sequence of actions: `COP1`, the configuration and the architecture that the stream was made for, padding, the
/// stream (source: Vela's `driver_actions.py` and Arm's `ethosu_driver.c`).
struct payload {
  std::string_view fault{};         ///< what is wrong with it; empty: nothing is
  std::uint32_t configuration = 0;  ///< `accelerator_of` reads it
  std::uint32_t architecture = 0;   ///< the accelerator's register ID: 4 bits major, 8 minor, 4 patch, from the top
  std::size_t first = 0;            ///< of the stream, in bytes
  span<const char> stream{};
};

/// Reads a payload as Arm's driver does.
constexpr auto read_payload(span<const char> bytes) -> payload {
  constexpr std::uint32_t magic = 0x31504f43;  // COP1
  payload found;
  const auto is_wrong = [&](std::string_view why) {
    found.fault = why;
    found.stream = {};
    return found;
  };
  if (bytes.size() % 4 != 0 || bytes.size() < 8) return is_wrong("it is cut off");
  if (word_at(bytes, 0) != magic) return is_wrong("it does not begin with COP1");
  bool is_configured = false;
  for (std::size_t at = 4; at < bytes.size();) {
    const auto action = word_at(bytes, at);
    at += 4;
    switch (action & 255u) {
      case 1:  // configuration
        if (bytes.size() - at < 8) return is_wrong("it is cut off");
        found.configuration = word_at(bytes, at);
        found.architecture = word_at(bytes, at + 4);
        is_configured = true;
        at += 8;
        break;
      case 2: {  // command stream, with its length in words
        const auto length = std::size_t{4} * ((action >> 16) + ((action >> 8 & 255u) << 16));
        if (bytes.size() - at < length) return is_wrong("it is cut off");
        if (!found.stream.empty()) return is_wrong("it has two command streams");
        if (at % 16 != 0) return is_wrong("its command stream is not aligned to 16 bytes");
        found.first = at;
        found.stream = bytes.subspan(at, length);
        at += length;
        break;
      }
      case 5:  // padding
        break;
      default:
        return is_wrong("it has an unknown action");
    }
  }
  if (!is_configured) return is_wrong("it does not say which accelerator it is for");
  if (found.stream.empty()) return is_wrong("it has no command stream");
  return found;
}

}  // namespace baton::ethos_u
