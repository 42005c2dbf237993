// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The accelerator configuration for which a command stream (the instructions of an Ethos-U) is compiled, as in Vela's option
// `--accelerator-config`.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton::ethos_u {

/// An accelerator configuration. The type is structural, because configurations are template arguments of `backend` and `partitioner`.
struct accelerator {
  std::uint8_t product = 0;         ///< 0: Ethos-U55, 1: Ethos-U65
  std::uint8_t log2_of_macs = 0;    ///< log2 of the total multiply-adds per cycle of all cores
  std::uint8_t stream_version = 0;  ///< version of the command format

  constexpr auto operator==(const accelerator&) const -> bool = default;
};

inline constexpr accelerator u55_32{0, 5};
inline constexpr accelerator u55_64{0, 6};
inline constexpr accelerator u55_128{0, 7};
inline constexpr accelerator u55_256{0, 8};
inline constexpr accelerator u65_256{1, 8};
inline constexpr accelerator u65_512{1, 9};

/// Returns the accelerator that a configuration word of a payload identifies. The word has the format of the accelerator's register CONFIG.
/// Ignores the field for the size of shared memory, as Arm's driver does, because the other fields determine this size.
constexpr auto accelerator_of(std::uint32_t configuration) -> accelerator {
  return {static_cast<std::uint8_t>(configuration >> 28), static_cast<std::uint8_t>(configuration & 15u),
          static_cast<std::uint8_t>(configuration >> 4 & 15u)};
}

/// Returns the name of an accelerator as Vela writes it: `ethos-u55-128`.
constexpr auto name_of(const accelerator& of) -> text_buffer {
  auto text = join("ethos-u");
  if (of.product == 0) {
    append(text, "55");
  } else if (of.product == 1) {
    append(text, "65");
  } else {
    append(append(text, "(product "), view(join(std::int64_t{of.product}, ")")));
  }
  append(append(text, "-"), std::int64_t{1} << of.log2_of_macs);
  if (of.stream_version != 0) append(append(text, " with commands of version "), std::int64_t{of.stream_version});
  return text;
}

}  // namespace baton::ethos_u
