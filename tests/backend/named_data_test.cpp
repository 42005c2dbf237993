// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Cases of named data that tests/conformance/named_data_store_test.cpp does not cover.
#include <baton/backend/named_data.hpp>

#include <baton/backend/shared/rules.hpp>
#include <baton/compat/executorch/externalize.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace baton;
using text = std::string_view;

constexpr char flash[] = {'w', 'e', 'i', 'g', 'h', 't'};

constexpr auto copies_are_owned_and_views_are_not() -> bool {
  named_data_store store;
  baton::vector<char> local(3, 'x');
  const bool good = !store.add("copy", local) && !store.add_view("view", text{flash, 6});
  local[0] = 'y';
  return good && store.bytes(0) == "xxx" && !store.is_view(0) && store.bytes(1).data() == flash && store.is_view(1);
}
static_assert(copies_are_owned_and_views_are_not());

constexpr auto alignments_are_checked() -> bool {
  named_data_store store;
  const auto refused = [&](std::int64_t alignment, text reason) {
    named_data_options options;
    options.alignment = alignment;
    const auto why = store.add("key", text{"bytes"}, options);
    return why.is<"malformed_alignment">() && view(why.reason) == reason;
  };
  named_data_options widest;
  widest.alignment = std::int64_t{1} << 31;
  return refused(0, "key key has the alignment 0") && refused(-8, "key key has the alignment -8") &&
         refused((std::int64_t{1} << 31) + 1, "key key has the alignment 2147483649") && store.entries().empty() &&
         !store.add("wide", text{"bytes"}, widest) &&
         refused(3, "key key and the keys of equal bytes need the common alignment 6442450944") &&
         store.alignment(0) == std::uint32_t{1} << 31 && store.entries().size() == 1;
}
static_assert(alignments_are_checked());

constexpr auto a_tensor_fills_its_shape() -> bool {
  named_data_store store;
  constexpr std::int64_t sizes[] = {4};
  const auto why = store.add("key", named_data_store::tensor{text{"bytes"}, dtype::int8, sizes});
  return why.is<"malformed_data">() && view(why.reason) == "key key needs 4 bytes and has 5" && store.entries().empty();
}
static_assert(a_tensor_fills_its_shape());

// A weight of the part is a view of the model's bytes, under its name. It is copied if the part owns the bytes.
constexpr auto weights_of_a_part_are_not_copied() -> bool {
  program_builder b;
  const auto viewed = b.parameter("conv.weight", tensor(dtype::int8, 2, 3));
  b.at(viewed).data = program_builder::view({flash, 6});
  const auto owned = b.parameter("conv.bias", tensor(dtype::int8, 2), text{"ab"});
  const auto part = b.finish();
  named_data_store store;
  const bool good = !store.add_value(part, viewed) && !store.add_value(part, owned);
  return good && store.bytes(store.find("conv.weight")->buffer).data() == flash && store.bytes(1) == "ab" && !store.is_view(1) &&
         store.find("conv.weight")->layout == tensor_layout::row_major(dtype::int8, part.shape(viewed));
}
static_assert(weights_of_a_part_are_not_copied());

// U15: two parts use one name for different bytes.
constexpr auto keys_from_content_do_not_collide() -> bool {
  named_data_store first;
  named_data_store second;
  const auto a = first.add_by_content("packed", text{"one"});
  const auto b = second.add_by_content("packed", text{"two"});
  const auto c = second.add_by_content("packed", text{"one"});
  return a && b && c && a.value == c.value && a.value != b.value && !first.merge(second) && first.entries().size() == 2 &&
         view(a.value) == "packed_1a08aa1921ca5caf_3";
}
static_assert(keys_from_content_do_not_collide());

// Equal bytes with a different layout, alignment or external tag get a different key.
constexpr auto keys_from_content_depend_on_layout_and_options() -> bool {
  constexpr std::int64_t wide[] = {2, 3}, tall[] = {3, 2};
  constexpr char bytes[] = {1, 2, 3, 4, 5, 6};
  const named_data_store::tensor one{bytes, dtype::int8, wide}, other{bytes, dtype::int8, tall};
  named_data_store store;
  const auto a = store.add_by_content("packed", one);
  const auto b = store.add_by_content("packed", other);
  const auto c = store.add_by_content("packed", other, {.alignment = 16});
  const auto d = store.add_by_content("packed", other, {.alignment = 16, .external_tag = "shard"});
  const bool good = a && b && c && d && store.entries().size() == 4 && store.buffer_count() == 1 && store.alignment(0) == 16;
  return good && store.find(view(a.value))->layout == tensor_layout::row_major(dtype::int8, wide) &&
         store.find(view(b.value))->layout == tensor_layout::row_major(dtype::int8, tall) && store.find(view(c.value))->alignment == 16 &&
         view(store.find(view(d.value))->external_tag) == "shard" && store.add_by_content("packed", one).value == a.value;
}
static_assert(keys_from_content_depend_on_layout_and_options());

constexpr auto no_size_is_negative() -> bool {
  constexpr std::int64_t sizes[] = {-2, 3};
  named_data_store store;
  const auto why = store.add("key", named_data_store::tensor{{flash, 6}, dtype::int8, sizes});
  return why.is<"malformed_layout">() && view(why.reason) == "key key: a size is negative, or the tensor is too large" &&
         store.add_by_content("key", named_data_store::tensor{{flash, 6}, dtype::int8, sizes}).error.rule == why.rule;
}
static_assert(no_size_is_negative());

constexpr auto externalizing_nothing_changes_nothing() -> bool {
  named_data_store store;
  return !externalize(store, 1, "shard") && store.external_tags().empty() && store.entries().empty() && store.find("key") == nullptr;
}
static_assert(externalizing_nothing_changes_nothing());

constexpr auto a_buffer_may_fill_a_shard() -> bool {
  named_data_store store;
  return !store.add("key", text{"0123456789"}) && !externalize(store, 10, "shard") && store.external_tags().size() == 1;
}
static_assert(a_buffer_may_fill_a_shard());

/// The expected contents of a store, computed naively.
struct naive_store {
  using entry = std::tuple<std::string, std::string, std::uint32_t, std::string>;  // key, bytes, alignment, tag
  baton::vector<entry> entries;

  auto add(const std::string& key, const std::string& bytes, std::uint32_t alignment, const std::string& tag) -> bool {
    for (const auto& [known, there, unused_alignment, unused_tag] : entries) {
      if (known == key) return there == bytes;
    }
    entries.emplace_back(key, bytes, alignment, tag);
    return true;
  }
  auto merge(const naive_store& other) -> bool {
    auto merged = *this;
    for (const auto& [key, bytes, alignment, tag] : other.entries) {
      if (!merged.add(key, bytes, alignment, tag)) return false;
    }
    *this = merged;
    return true;
  }
  /// The keys that share a file: next fit over buffers, in the order of their sorted keys. The tags are not computed.
  auto shards(std::size_t cap) const -> baton::vector<std::vector<std::string>> {
    std::map<std::string, std::vector<std::string>> keys_of;
    for (const auto& [key, bytes, alignment, tag] : entries) {
      if (tag.empty()) keys_of[bytes].push_back(key);
    }
    std::vector<std::pair<std::vector<std::string>, std::size_t>> groups;
    for (auto& [bytes, keys] : keys_of) {
      std::sort(keys.begin(), keys.end());
      groups.emplace_back(keys, bytes.size());
    }
    std::sort(groups.begin(), groups.end());
    baton::vector<std::vector<std::string>> shards;
    std::size_t size = 0;
    for (const auto& [keys, bytes] : groups) {
      if (shards.empty() || size + bytes > cap) {
        shards.emplace_back();
        size = 0;
      }
      size += bytes;
      shards.back().insert(shards.back().end(), keys.begin(), keys.end());
    }
    for (auto& shard : shards) std::sort(shard.begin(), shard.end());
    return shards;
  }
};

auto is_as(const named_data_store& store, const naive_store& model) -> bool {
  if (store.entries().size() != model.entries.size()) return false;
  std::map<std::string, std::size_t> buffers;
  for (std::size_t i = 0; i < model.entries.size(); ++i) {
    const auto& [key, bytes, alignment, tag] = model.entries[i];
    const auto& entry = store.entries()[i];
    const auto buffer = buffers.emplace(bytes, buffers.size()).first->second;
    const bool good = view(entry.key) == key && store.bytes(entry.buffer) == bytes && entry.alignment == alignment &&
                      view(entry.external_tag) == tag && entry.buffer == buffer && store.find(key) == &entry &&
                      store.alignment(buffer) % alignment == 0;
    if (!good) return false;
  }
  return store.buffer_count() == buffers.size();
}

class random_store {
 public:
  explicit random_store(std::uint32_t seed) : random_(seed) {}

  auto pick(std::uint32_t count) -> std::uint32_t { return static_cast<std::uint32_t>(random_() % count); }

  /// Adds the same data to both stores. Returns true if both accept it or both refuse it.
  auto add(named_data_store& store, naive_store& model) -> bool {
    const auto key = "key" + std::to_string(pick(12));
    const std::string bytes(pick(40), static_cast<char>('a' + pick(2)));
    const auto alignment = 1u << pick(4);
    const auto tag = pick(3) == 0 ? "file" + std::to_string(pick(2)) : std::string{};
    named_data_options options;
    options.alignment = alignment;
    options.external_tag = tag;
    return !store.add(key, bytes, options) == model.add(key, bytes, alignment, tag);
  }

 private:
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("copies, views and weights of a part") {
  CHECK(copies_are_owned_and_views_are_not());
  CHECK(weights_of_a_part_are_not_copied());
  CHECK(externalizing_nothing_changes_nothing());
  CHECK(a_buffer_may_fill_a_shard());
}

TEST_CASE("alignments of named data are checked, also the least common multiple of all keys of a buffer (E33)") {
  CHECK(alignments_are_checked());
}

TEST_CASE("named data of a tensor must fill its shape") { CHECK(a_tensor_fills_its_shape()); }

TEST_CASE("keys from content do not collide (U15)") { CHECK(keys_from_content_do_not_collide()); }

TEST_CASE("keys from content depend on layout, alignment and external tag") { CHECK(keys_from_content_depend_on_layout_and_options()); }

TEST_CASE("a negative size of a tensor is refused") { CHECK(no_size_is_negative()); }

// A wrong type is a compile-time error, so this test checks the concept that detects it.
TEST_CASE("named data is bytes, text or a tensor; anything else is refused (E34)") {
  static_assert(!detail::unambiguous_bytes<int> && !detail::unambiguous_bytes<baton::vector<int>> &&
                !detail::unambiguous_bytes<const char*>);
  CHECK(detail::unambiguous_bytes<std::string_view>);
  CHECK(detail::unambiguous_bytes<baton::vector<char>>);
  CHECK_FALSE(detail::unambiguous_bytes<baton::vector<float>>);
}

TEST_CASE("a store behaves as a naive one if data are added, merged and externalized") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO(seed);
    random_store random(seed);
    named_data_store store;
    naive_store model;
    for (auto step = random.pick(20); step-- > 0;) {
      REQUIRE(random.add(store, model));
      REQUIRE(is_as(store, model));
    }
    named_data_store second;
    naive_store second_model;
    for (auto step = random.pick(6); step-- > 0;) REQUIRE(random.add(second, second_model));
    REQUIRE(!store.merge(second) == model.merge(second_model));
    REQUIRE(is_as(store, model));

    const auto before = store.external_tags();
    const std::vector<std::string> kept(before.begin(), before.end());
    const auto expected = model.shards(60);
    REQUIRE_FALSE(externalize(store, 60, "shard"));
    const auto tags = store.external_tags();
    REQUIRE(tags.size() == kept.size() + expected.size());
    CHECK(store.entries_in().empty());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<std::string> keys;
      for (const auto& entry : store.entries_in(tags[kept.size() + i])) keys.emplace_back(view(entry.key));
      CHECK(keys == expected[i]);
    }
    for (const auto& [key, bytes, alignment, tag] : model.entries) {
      const auto* const entry = store.find(key);
      REQUIRE(entry != nullptr);
      CHECK(store.bytes(entry->buffer) == bytes);
      CHECK((tag.empty() || view(entry->external_tag) == tag));
    }
  }
}

// Layouts.
namespace {

using numbers = baton::vector<std::int64_t>;

constexpr auto order_of(const numbers& sizes, const numbers& strides) -> numbers {
  return tensor_layout::of_strides(dtype::int8, sizes, strides).value.dim_order;
}
constexpr auto is_refused(const numbers& sizes, const numbers& strides, std::string_view reason) -> bool {
  const auto layout = tensor_layout::of_strides(dtype::int8, sizes, strides);
  return layout.error.is<"malformed_layout">() && view(layout.error.reason) == reason;
}

constexpr auto dimensions_are_ordered_by_descending_stride() -> bool {
  return order_of({2, 3}, {3, 1}) == numbers{0, 1} && order_of({2, 3}, {1, 2}) == numbers{1, 0} &&
         order_of({2, 3, 4, 5}, {60, 1, 15, 3}) == numbers{0, 2, 3, 1} && order_of({}, {}).empty() && order_of({7}, {1}) == numbers{0};
}
static_assert(dimensions_are_ordered_by_descending_stride());

// The stride of a dimension with one element is ignored, and a tensor without elements has no gaps.
constexpr auto strides_of_single_elements_are_ignored() -> bool {
  return order_of({1, 3}, {77, 1}) == numbers{0, 1} && order_of({3, 1}, {1, 1}) == numbers{0, 1} &&
         order_of({0, 3}, {9, 5}) == numbers{0, 1};
}
static_assert(strides_of_single_elements_are_ignored());

constexpr auto gaps_and_overlaps_are_refused() -> bool {
  return is_refused({2, 2}, {4, 1}, "dimension 0 has stride 4, not 2") && is_refused({2, 2}, {0, 1}, "dimension 0 has stride 0, not 1") &&
         is_refused({2, 2}, {2, 2}, "dimension 1 has stride 2, not 1") && is_refused({4}, {-1}, "dimension 0 has stride -1, not 1") &&
         is_refused({4}, {1, 1}, "the tensor has 1 size, but 2 strides") &&
         is_refused({-4}, {1}, "a size is negative, or the tensor is too large");
}
static_assert(gaps_and_overlaps_are_refused());

constexpr auto layouts_print() -> bool {
  return view(print(tensor_layout::of_strides(dtype::float32, numbers{2, 3}, numbers{1, 2}).value)) == "float32[2, 3] order [1, 0]" &&
         view(print(tensor_layout::row_major(dtype::int8, {}))) == "int8[] order []";
}
static_assert(layouts_print());

}  // namespace

TEST_CASE("the layout of a tensor follows from its strides") {
  CHECK(dimensions_are_ordered_by_descending_stride());
  CHECK(strides_of_single_elements_are_ignored());
  CHECK(gaps_and_overlaps_are_refused());
  CHECK(layouts_print());
}
