// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which accelerator a command stream was made for: what Vela's `--accelerator-config` says.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton::ethos_u {

/// An accelerator of a board. A structural type: an argument of `backend` and `partitioner`.
struct accelerator {
  std::uint8_t product = 0;         ///< 0: Ethos-U55, 1: Ethos-U65
  std::uint8_t log2_of_macs = 0;    ///< multiply-adds a cycle, of all cores
  std::uint8_t stream_version = 0;  ///< of the commands

  constexpr auto operator==(const accelerator&) const -> bool = default;
};

inline constexpr accelerator u55_32{0, 5};
inline constexpr accelerator u55_64{0, 6};
inline constexpr accelerator u55_128{0, 7};
inline constexpr accelerator u55_256{0, 8};
inline constexpr accelerator u65_256{1, 8};
inline constexpr accelerator u65_512{1, 9};

/// The accelerator that a configuration word names, as it stands in a payload and in the accelerator's register CONFIG. Its size of shared
/// memory follows from the rest; Arm's driver does not compare it, either.
constexpr auto accelerator_of(std::uint32_t configuration) -> accelerator {
  return {static_cast<std::uint8_t>(configuration >> 28), static_cast<std::uint8_t>(configuration & 15u),
          static_cast<std::uint8_t>(configuration >> 4 & 15u)};
}

/// Its name as Vela writes it: `ethos-u55-128`.
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
