// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/etdump.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include "import/flatbuffer_writer.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using baton::pte::instruction_times;

/// An event. Those of a run have the chain -1, and those of a delegate a number or a name.
struct event {
  std::string_view name;
  std::int32_t position = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int32_t chain = 0;
  std::int32_t number = -1;
  std::string_view delegate_name{};
};

/// A number whose default is not 0, so that 0 is written, too. The writer omits fields without bits, and ignores those after the size.
constexpr auto explicit_field(std::uint16_t slot, std::int32_t number) -> tests::field {
  return {slot, 4, static_cast<std::uint32_t>(number) | std::uint64_t{1} << 32};
}

class etdump_writer : public tests::flatbuffer_writer {
 public:
  /// Adds a block of events, for example one run.
  constexpr void block(std::initializer_list<event> events) {
    baton::vector<tests::reference> all;
    for (const auto& each : events) {
      const auto name = each.name.empty() ? 0 : text(each.name);
      const auto delegate_name = each.delegate_name.empty() ? 0 : text(each.delegate_name);
      const auto profile = table({tests::offset_field(0, name), tests::int_field(1, each.chain), explicit_field(2, each.position),
                                  explicit_field(3, each.number), tests::offset_field(4, delegate_name), tests::long_field(6, each.start),
                                  tests::long_field(7, each.end)});
      all.push_back(table({tests::offset_field(0, profile)}));
    }
    const auto allocation = table({tests::int_field(0, 1), tests::long_field(1, 64)});
    all.push_back(table({tests::offset_field(1, allocation)}));  // not a profile event
    const auto list = offsets(all), title = text("Execute");
    blocks_.push_back(table({tests::offset_field(0, title), tests::offset_field(3, list)}));
  }
  /// Returns the bytes of the file, with its size in front if `has_size` is set.
  constexpr auto bytes(bool has_size = true, std::string_view identifier = "ED00") -> baton::vector<char> {
    const auto list = offsets(blocks_);
    const auto file = finish(table({tests::offset_field(1, list)}), identifier);
    baton::vector<char> result;
    for (std::size_t i = 0; has_size && i < 4; ++i) result.push_back(static_cast<char>(file.size() >> (8 * i) & 255u));
    for (const char c : file) result.push_back(c);
    return result;
  }

 private:
  baton::vector<tests::reference> blocks_;
};

/// Two runs of three instructions, of which the second is a loop's, and the third calls a delegate.
constexpr auto two_runs() -> etdump_writer {
  etdump_writer write;
  write.block({{"Method::init", 0, 0, 900, -1}});
  write.block({{"native_call_add.out", 0, 11, 14},
               {"OPERATOR_CALL", 0, 10, 15},
               {"OPERATOR_CALL", 4, 20, 22},
               {"OPERATOR_CALL", 4, 30, 33},
               {"", 2, 40, 50, 0, -1, "Convolution #1"},
               {"", 2, 50, 51, 0, -1, "Convolution #2"},
               {"", 2, 51, 53, 0, 0},
               {"", 2, 53, 57, 0, 7},
               {"DELEGATE_CALL", 2, 40, 60},
               {"Method::execute", 0, 5, 105, -1}});
  write.block({{"OPERATOR_CALL", 0, 10, 17},
               {"MOVE_CALL", 3, 17, 18},
               {"", 2, 51, 54, 0, 0},
               {"", 2, 40, 60, 0, -1, "Convolution #1"},
               {"DELEGATE_CALL", 2, 40, 70},
               {"Method::execute", 0, 1, 201, -1}});
  return write;
}
constexpr auto times_are_sums_of_runs(bool has_size) -> bool {
  const auto file = two_runs().bytes(has_size);
  const auto read = instruction_times::read(file);
  if (!read || read.value.runs() != 2 || read.value.ticks() != 300) return false;
  const auto all = read.value.instructions();
  if (all.size() != 4) return false;
  const auto is = [&](std::size_t at, std::int64_t position, std::uint64_t ticks, std::size_t operators) {
    return all[at].position == position && all[at].ticks == ticks && all[at].operators.size() == operators;
  };
  if (!is(0, 0, 12, 0) || !is(1, 2, 50, 4) || !is(2, 3, 1, 0) || !is(3, 4, 5, 0)) return false;
  const auto& parts = all[1].operators;
  return parts[0].name == "Convolution #1" && parts[0].ticks == 30 && parts[1].name == "Convolution #2" && parts[1].ticks == 1 &&
         parts[2].name.empty() && parts[2].number == 0 && parts[2].ticks == 5 && parts[3].number == 7 && parts[3].ticks == 4;
}
static_assert(times_are_sums_of_runs(true));
static_assert(times_are_sums_of_runs(false));

/// True if reading fails with a rule, and the reason contains a text.
template <baton::fixed_string Rule>
constexpr auto fails(const baton::vector<char>& file, std::string_view text) -> bool {
  const auto read = instruction_times::read(file);
  return read.error.template is<Rule>() && view(message(read.error)).find(text) != std::string_view::npos;
}
constexpr auto damage_is_reported() -> bool {
  etdump_writer no_run, backward;
  no_run.block({{"Method::init", 0, 0, 900, -1}});
  backward.block({{"OPERATOR_CALL", 0, 10, 20}, {"OPERATOR_CALL", 1, 10, 9}});
  const auto reversed = backward.bytes();
  auto cut = two_runs().bytes();
  cut.resize(cut.size() - 40);
  return fails<"unsupported_model">(two_runs().bytes(true, "ET12"), "no identifier ED00; pass a file that ETDumpGen of ExecuTorch wrote") &&
         fails<"unsupported_model">(baton::vector<char>{}, "no identifier ED00") &&
         fails<"unsupported_model">(no_run.bytes(), "no event Method::execute; run the method with an ETDumpGen") &&
         fails<"damaged_model">(reversed, "event 1 of block 0, at byte ") && fails<"damaged_model">(reversed, "ends before it begins") &&
         fails<"damaged_model">(cut, "has a table that is not inside it");
}
static_assert(damage_is_reported());

}  // namespace

TEST_CASE("etdump: the times of an instruction are the sums of all runs") {
  CHECK(times_are_sums_of_runs(true));
  CHECK(times_are_sums_of_runs(false));
}

TEST_CASE("etdump: a damaged file is refused, with the place") {
  CHECK(damage_is_reported());
  // A file that is cut off, or has a changed byte, is refused or read.
  const auto whole = two_runs().bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = instruction_times::read(baton::span<const char>(whole.data(), size));
    CHECK((!read || read.value.runs() <= 2));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 0x80, 0xff}) {
      auto changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const auto read = instruction_times::read(changed);
      CHECK((!read || read.value.instructions().size() <= 18));
    }
  }
}
