// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes small ETDumps of ExecuTorch.
#pragma once

#include <baton/core/vector.hpp>

#include "import/flatbuffer_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

/// An event. Those of a run have the chain -1, and those of a delegate a number or a name.
struct etdump_event {
  std::string_view name;
  std::int32_t position = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int32_t chain = 0;
  std::int32_t number = -1;
  std::string_view delegate_name{};
};

/// A number whose default is not 0, so that 0 is written, too. The writer omits fields without bits, and ignores those after the size.
constexpr auto etdump_field(std::uint16_t slot, std::int32_t number) -> field {
  return {slot, 4, static_cast<std::uint32_t>(number) | std::uint64_t{1} << 32};
}

class etdump_writer : public flatbuffer_writer {
 public:
  /// Adds a block of events, for example one run.
  constexpr void block(std::initializer_list<etdump_event> events) {
    baton::vector<reference> all;
    for (const auto& each : events) {
      const auto name = each.name.empty() ? 0 : text(each.name);
      const auto delegate_name = each.delegate_name.empty() ? 0 : text(each.delegate_name);
      const auto profile =
          table({offset_field(0, name), int_field(1, each.chain), etdump_field(2, each.position), etdump_field(3, each.number),
                 offset_field(4, delegate_name), long_field(6, each.start), long_field(7, each.end)});
      all.push_back(table({offset_field(0, profile)}));
    }
    const auto allocation = table({int_field(0, 1), long_field(1, 64)});
    all.push_back(table({offset_field(1, allocation)}));  // not a profile event
    const auto list = offsets(all), title = text("Execute");
    blocks_.push_back(table({offset_field(0, title), offset_field(3, list)}));
  }
  /// Returns the bytes of the file, with its size in front if `has_size` is set.
  constexpr auto bytes(bool has_size = true, std::string_view identifier = "ED00") -> baton::vector<char> {
    const auto list = offsets(blocks_);
    const auto file = finish(table({offset_field(1, list)}), identifier);
    baton::vector<char> result;
    for (std::size_t i = 0; has_size && i < 4; ++i) result.push_back(static_cast<char>(file.size() >> (8 * i) & 255u));
    for (const char c : file) result.push_back(c);
    return result;
  }

 private:
  baton::vector<reference> blocks_;
};

}  // namespace tests
