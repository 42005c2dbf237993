// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Copies of constants: consecutive steps never overlap in the buffer, and as many bytes as possible are copied.
#include <baton/plan/shared/weight_copy_placer.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace baton;
using constant = weight_copy_plan::constant;

constexpr std::uint32_t alignment = 16;

constexpr auto reserved(std::uint32_t bytes) -> std::uint32_t { return (bytes + alignment - 1) / alignment * alignment; }

/// Constants of given steps and sizes, with their offsets.
template <std::size_t N>
struct placed {
  std::array<constant, N> constants{};
  std::size_t used = 0;

  constexpr placed(const std::array<std::array<std::uint32_t, 2>, N>& steps_and_bytes, std::size_t buffer_bytes) {
    for (std::uint32_t i = 0; i < N; ++i) {
      const auto [step, bytes] = steps_and_bytes[i];
      constants[i] = {step, i, none<value_id>, bytes, reserved(bytes), npos};
    }
    used = weight_copy_placer({constants.data(), N}, buffer_bytes).place();
  }
  constexpr auto offset_of(std::uint32_t node) const -> std::uint32_t {
    return std::find_if(constants.begin(), constants.end(), [node](const constant& each) { return each.node == node; })->offset;
  }
};

// Steps are placed alternately at the beginning and at the end.
constexpr placed<3> chain{{{{0, 64}, {2, 32}, {3, 64}}}, 1000};
static_assert(chain.used == 96 && chain.offset_of(0) == 0 && chain.offset_of(1) == 64 && chain.offset_of(2) == 0);
// The second constant is too large beside the other two. Without it, the other two fit.
constexpr placed<3> large{{{{0, 64}, {1, 80}, {2, 64}}}, 128};
static_assert(large.used == 64 && large.offset_of(0) == 0 && large.offset_of(1) == npos && large.offset_of(2) == 0);
// One step: the weights do not fit, the bias does.
constexpr placed<2> bias{{{{5, 20}, {5, 400}}}, 64};
static_assert(bias.used == 32 && bias.offset_of(0) == 0 && bias.offset_of(1) == npos);
static_assert(placed<1>{{{{0, 65}}}, 79}.used == 0 && placed<1>{{{{0, 65}}}, 80}.used == 80);
static_assert(weight_copy_placer({}, 64).place() == 0);

class numbers {
 public:
  explicit numbers(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
  auto below(std::uint32_t limit) -> std::uint32_t {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) % limit;
  }

 private:
  std::uint32_t state_;
};

auto groups_of(const std::vector<constant>& constants) -> std::vector<std::vector<constant>> {
  std::vector<std::vector<constant>> groups;
  for (const auto& each : constants) {
    if (groups.empty() || groups.back()[0].step != each.step) groups.emplace_back();
    groups.back().push_back(each);
  }
  return groups;
}

/// The maximum of copied bytes, by trying every set of constants.
auto max_copied(const std::vector<std::vector<constant>>& groups, std::size_t g, std::size_t occupied, std::size_t buffer_bytes)
    -> std::uint64_t {
  if (g == groups.size()) return 0;
  std::uint64_t best = 0;
  for (std::uint32_t set = 0; set < 1u << groups[g].size(); ++set) {
    std::uint64_t bytes = 0;
    std::size_t in_buffer = 0;
    for (std::size_t i = 0; i < groups[g].size(); ++i) {
      bytes += (set >> i & 1) != 0 ? groups[g][i].bytes : 0;
      in_buffer += (set >> i & 1) != 0 ? groups[g][i].reserved_bytes : 0;
    }
    if (occupied + in_buffer <= buffer_bytes) best = std::max(best, bytes + max_copied(groups, g + 1, in_buffer, buffer_bytes));
  }
  return best;
}

/// True if the copies of each step, and those of the step before it, are disjoint and in the used part of the buffer.
auto are_disjoint(const std::vector<std::vector<constant>>& groups, std::size_t used) -> bool {
  std::vector<constant> before;
  for (const auto& group : groups) {
    auto live = before;
    before.clear();
    for (const auto& each : group) {
      if (!each.is_copied()) continue;
      if (each.offset % alignment != 0 || each.offset + each.reserved_bytes > used) return false;
      for (const auto& other : live) {
        if (each.offset < other.offset + other.reserved_bytes && other.offset < each.offset + each.reserved_bytes) return false;
      }
      live.push_back(each);
      before.push_back(each);
    }
  }
  return true;
}

}  // namespace

TEST_CASE("random constants are placed without overlap, and as many bytes are copied as is possible") {
  int partly_copied = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    numbers random(seed);
    const std::uint32_t max_of_step = 1 + seed % 3;
    std::vector<constant> constants;
    std::uint32_t step = 0;
    for (auto left = 1 + random.below(6); left > 0; --left) {
      step += 1 + random.below(2);
      for (auto count = 1 + random.below(max_of_step); count > 0; --count) {
        const auto bytes = 1 + random.below(200);
        constants.push_back({step, static_cast<std::uint32_t>(constants.size()), none<value_id>, bytes, reserved(bytes), npos});
      }
    }
    const std::size_t buffer_bytes = random.below(500);
    weight_copy_plan plan;
    plan.buffer_bytes = weight_copy_placer({constants.data(), constants.size()}, buffer_bytes).place();
    for (const auto& each : constants) plan.constants.push_back(each);
    const auto groups = groups_of(constants);
    CHECK(plan.buffer_bytes <= buffer_bytes);
    CHECK(are_disjoint(groups, plan.buffer_bytes));
    std::uint64_t all = 0;
    for (const auto& each : constants) all += each.bytes;
    CHECK(plan.copied_bytes() + plan.in_place_bytes() == all);
    partly_copied += plan.copied_bytes() != 0 && plan.in_place_bytes() != 0 ? 1 : 0;
    const auto best = max_copied(groups, 0, 0, buffer_bytes);
    CHECK(plan.copied_bytes() <= best);
    if (max_of_step <= 2) CHECK(plan.copied_bytes() == best);
    if (best != 0) CHECK(plan.copied_bytes() != 0);
  }
  CHECK(partly_copied > 200);
}
