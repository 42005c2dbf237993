// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/etdump.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include "import/etdump_writer.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using baton::pte::instruction_times;
using tests::etdump_writer;

/// Two runs of three instructions. The second instruction belongs to a loop, and the third calls a delegate.
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
