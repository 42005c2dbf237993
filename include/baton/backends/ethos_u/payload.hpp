// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The payload of Vela's custom operator: a list of actions for the driver. One of the actions contains the command stream (the instructions
// of an Ethos-U).
#pragma once

#include <baton/backend/words.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::ethos_u {

/// The contents of a payload. A payload consists of the magic word `COP1` and actions. The supported actions are the configuration,
/// padding, and the command stream. The configuration action also contains the architecture for which the stream is compiled. Sources:
/// Vela's `driver_actions.py` and Arm's `ethosu_driver.c`.
struct payload {
  std::string_view fault{};         ///< the error; empty if the payload is valid
  std::uint32_t configuration = 0;  ///< the argument of `accelerator_of`
  std::uint32_t architecture = 0;   ///< expected value of the register ID; from its highest bit: major (4 bits), minor (8), patch (4)
  std::size_t first = 0;            ///< offset of the stream in the payload, in bytes
  span<const char> stream{};
};

/// Reads a payload as Arm's driver does. On error, sets `payload::fault`.
constexpr auto read_payload(span<const char> bytes) -> payload {
  constexpr std::uint32_t magic = 0x31504f43;  // COP1
  payload result;
  const auto fail = [&](std::string_view why) {
    result.fault = why;
    result.stream = {};
    return result;
  };
  if (bytes.size() % 4 != 0 || bytes.size() < 8) return fail("it is truncated");
  if (word_at(bytes, 0) != magic) return fail("it does not begin with COP1");
  bool is_configured = false;
  for (std::size_t at = 4; at < bytes.size();) {
    const auto action = word_at(bytes, at);
    at += 4;
    switch (action & 255u) {
      case 1:  // configuration
        if (bytes.size() - at < 8) return fail("it is truncated");
        result.configuration = word_at(bytes, at);
        result.architecture = word_at(bytes, at + 4);
        is_configured = true;
        at += 8;
        break;
      case 2: {  // command stream, with its length in words
        const auto length = std::size_t{4} * ((action >> 16) + ((action >> 8 & 255u) << 16));
        if (bytes.size() - at < length) return fail("it is truncated");
        if (!result.stream.empty()) return fail("it has two command streams");
        if (at % 16 != 0) return fail("its command stream is not aligned to 16 bytes");
        result.first = at;
        result.stream = bytes.subspan(at, length);
        at += length;
        break;
      }
      case 5:  // padding
        break;
      default:
        return fail("it has an unknown action");
    }
  }
  if (!is_configured) return fail("it does not name its accelerator");
  if (result.stream.empty()) return fail("it has no command stream");
  return result;
}

}  // namespace baton::ethos_u
