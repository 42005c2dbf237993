// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The shapes that the library computes are compared with the declared shapes in the processed bytes, so that no operator writes past its
// output.
#include <baton/backends/xnnpack/xnnpack.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/to_backend.hpp>

#include "delegates.hpp"
#include "kernels/one_node.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// A library that reports the shapes of values. The version of Debian 12 does not.
namespace reporting {

struct runtime {
  std::vector<std::vector<std::size_t>> shapes;  ///< one per value
  xnn_status reshaped = xnn_status_success;
};
auto xnn_reshape_runtime(runtime* of) -> xnn_status { return of->reshaped; }
auto xnn_get_external_value_shape(runtime* of, std::uint32_t number, std::size_t* rank, std::size_t* sizes) -> xnn_status {
  if (number >= of->shapes.size()) return xnn_status_invalid_parameter;
  const auto& shape = of->shapes[number];
  *rank = shape.size();
  std::copy(shape.begin(), shape.end(), sizes);
  return xnn_status_success;
}

}  // namespace reporting

/// A library that does not report shapes.
namespace silent {
struct runtime {};
}  // namespace silent

static_assert(baton::xnnpack::detail::reports_shapes<reporting::runtime*> && !baton::xnnpack::detail::reports_shapes<silent::runtime*>);

namespace {

using baton::status;
using delegates::bytes;

/// Returns a mean over the whole image, followed by a 1 by 1 convolution.
auto pooled_program(baton::dtype type, int channels, int results) -> baton::exported_program {
  baton::program_builder b;
  const auto quantize = [&](baton::value_id id) {
    if (type == baton::dtype::int8) b.quantize(id, 0.5f, 0);
  };
  auto value = b.user_input("x", one_node::type_of(type, {1, 3, 3, channels}));
  quantize(value);
  value = b.call("tfl.average_pool_2d", {value}, one_node::type_of(type, {1, 1, 1, channels}),
                 {{"padding", "valid"},
                  {"filter_height", 3},
                  {"filter_width", 3},
                  {"stride_h", 3},
                  {"stride_w", 3},
                  {"fused_activation_function", "none"}});
  quantize(value);
  const bytes zeros(static_cast<std::size_t>(results * channels) * (type == baton::dtype::int8 ? 1 : 4));
  const auto filter = b.parameter("filter", one_node::type_of(type, {results, 1, 1, channels}), {zeros.data(), zeros.size()});
  quantize(filter);
  value = b.call("tfl.conv_2d", {value, filter, baton::none<baton::value_id>}, one_node::type_of(type, {1, 1, 1, results}),
                 {{"padding", "same"},
                  {"stride_h", 1},
                  {"stride_w", 1},
                  {"dilation_h_factor", 1},
                  {"dilation_w_factor", 1},
                  {"fused_activation_function", "none"}});
  quantize(value);
  b.output(value);
  return b.finish();
}

auto lowered_program(baton::dtype type, int channels, int results) -> baton::exported_program {
  return baton::to_backend(baton::backends<baton::xnnpack::backend>, pooled_program(type, channels, results),
                           baton::xnnpack::partitioner{});
}

/// The result of checking a runtime that reports these shapes for the values of processed bytes, and the operator that failed.
struct verdict {
  status code;
  std::int64_t failed;
  auto operator==(const verdict&) const -> bool = default;
};
auto verdict_of(const bytes& processed_bytes, reporting::runtime runtime) -> verdict {
  verdict result{status::ok, -1};
  result.code = baton::xnnpack::detail::check_shapes(
      &runtime, baton::xnnpack::detail::processed_reader({processed_bytes.data(), processed_bytes.size()}), result.failed);
  return result;
}

}  // namespace

TEST_CASE("a mean and the layer after it write exactly their outputs") {
  for (const auto type : {baton::dtype::int8, baton::dtype::float32}) {
    const std::size_t element = type == baton::dtype::int8 ? 1 : 4;
    for (const int results : {2, 16}) {
      const auto lowered = lowered_program(type, 64, results);
      REQUIRE(lowered.delegates.size() == 1);
      delegates::delegate delegate{lowered, baton::delegate_id{0}};
      REQUIRE(delegate.init() == status::ok);
      alignas(64) std::array<char, 4096> input{};
      alignas(64) std::array<char, 65536> output{};
      output.fill('\x5a');
      const auto size = static_cast<std::size_t>(results) * element;
      const std::array inputs{baton::span<const char>{input.data(), 9 * 64 * element}};
      const std::array outputs{baton::span<char>{output.data(), size}};
      REQUIRE(delegate.execute({{}, inputs, outputs, {}}) == status::ok);
      CHECK(std::count(output.begin() + static_cast<std::ptrdiff_t>(size), output.end(), '\x5a') ==
            static_cast<std::ptrdiff_t>(output.size() - size));
    }
  }
}

TEST_CASE("an operator whose output shape differs from the processed bytes is named") {
  const auto lowered = lowered_program(baton::dtype::float32, 64, 2);
  delegates::delegate delegate{lowered, baton::delegate_id{0}};
  const auto& processed_bytes = delegate.processed_bytes();
  baton::xnnpack::detail::processed_reader read({processed_bytes.data(), processed_bytes.size()});
  reporting::runtime declared;
  for (std::uint32_t v = 0; v < read.begin().values; ++v) {
    const auto value = read.next_value();
    declared.shapes.emplace_back(value.sizes.begin(), value.sizes.begin() + value.rank);
  }
  REQUIRE(read.begin().operators == 2);
  const auto mean = read.next_operator().to;
  const auto layer = read.next_operator().to;
  CHECK(verdict_of(processed_bytes, declared) == verdict{status::ok, -1});

  auto rank_2 = declared;  // as the version of Debian 13 computes it without XNN_FLAG_KEEP_DIMS
  rank_2.shapes[mean] = {1, 64};
  CHECK(verdict_of(processed_bytes, rank_2) == verdict{status::delegate_invalid_compatibility, 0});
  auto larger = declared;
  larger.shapes[layer] = {1, 1, 64, 2};
  CHECK(verdict_of(processed_bytes, larger) == verdict{status::delegate_invalid_compatibility, 1});
  auto missing = declared;
  missing.shapes.clear();
  CHECK(verdict_of(processed_bytes, missing) == verdict{status::delegate_invalid_compatibility, 0});
  auto rejected = declared;
  rejected.reshaped = xnn_status_out_of_memory;
  CHECK(verdict_of(processed_bytes, rejected) == verdict{status::delegate_memory_allocation_failed, -1});
}
