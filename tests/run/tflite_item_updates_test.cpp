// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A loop of a TFLite model stores items in a list whose sizes its subgraphs leave open. An executor stores them as a loop of C++ does.
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/run/basic_executor.hpp>

#include "import/item_update_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

/// The bytes of the model that `Model` returns.
template <auto Model>
constexpr auto bytes_of_model = [] {
  constexpr auto size = Model().size();
  const auto file = Model();
  std::array<char, size> bytes{};
  std::ranges::copy(file, bytes.begin());
  return bytes;
}();

constexpr auto& rows_bytes = bytes_of_model<[] { return tests::model_of(tests::difference::open_list_sizes); }>;
constexpr auto& scalars_bytes = bytes_of_model<tests::model_of_scalar_items>;
constexpr static_program rows{[] { return tflite::importer::read(rows_bytes); }};
constexpr static_program scalars{[] { return tflite::importer::read(scalars_bytes); }};

/// Stores `item` in `list` from index `first` until the end.
template <std::size_t Size, std::size_t ItemSize>
auto expected(std::int32_t first, std::array<float, Size> list, const std::array<float, ItemSize>& item) {
  for (auto at = static_cast<std::size_t>(first); at < Size / ItemSize; ++at) std::ranges::copy(item, list.begin() + at * ItemSize);
  return list;
}

}  // namespace

TEST_CASE("an executor runs a loop that stores rows in a list of open sizes") {
  static basic_executor<rows, portable_kernels> net;
  const std::array<float, 6> list{1, 2, 3, 4, 5, 6}, other{7, 8, 9, 10, 11, 12};
  const std::array<float, 2> item{-1, -2};
  for (const std::int32_t first : {0, 1, 2, 3}) {
    CAPTURE(first);
    std::array<float, 6> list_end{}, other_end{};
    net.run(std::array<std::int32_t, 1>{first}, list, other, item, list_end, other_end);
    CHECK(list_end == expected(first, list, item));
    CHECK(other_end == other);
  }
}

TEST_CASE("an executor runs a loop that stores scalars in a list of open size") {
  static basic_executor<scalars, portable_kernels> net;
  const std::array<float, 3> list{1, 2, 3};
  const std::array<float, 1> item{-1};
  for (const std::int32_t first : {0, 1, 2, 3}) {
    CAPTURE(first);
    std::array<float, 3> list_end{};
    net.run(std::array<std::int32_t, 1>{first}, list, item, list_end);
    CHECK(list_end == expected(first, list, item));
  }
}
