// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/default_passes.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/transform.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

using namespace baton;

/// A reshape to a computed shape, and an int8 constant of `weights` bytes.
constexpr auto model_of(std::size_t weights) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 2, 3));
  const auto shape = b.call("shape", "tfl.shape", {x}, tensor(dtype::int32, 2), {{"out_type", "int32"}});
  b.output(b.call("y", "tfl.reshape", {x, shape}, tensor(dtype::float32, 2, 3)));
  const text_buffer bytes(weights, '\1');
  const auto w = b.constant("w", tensor(dtype::int8, static_cast<std::int64_t>(weights)), {bytes.data(), bytes.size()});
  b.output(b.call("z", "tfl.reshape", {w, b.constant("all", tensor(dtype::int32, 1), {"\xff\xff\xff\xff", 4})},
                  tensor(dtype::int8, static_cast<std::int64_t>(weights))));
  return b.finish();
}

/// Whether the shapes of a model are computed. This does not depend on its size: only the search for dead channels skips large models.
constexpr auto shapes_are_computed(std::size_t weights) -> bool {
  const auto program = transform(model_of(weights), default_passes);
  for (const auto& node : program.nodes) {
    if (node.is("tfl.shape")) return false;
  }
  return true;
}
static_assert(shapes_are_computed(16));

/// A relu, which no default pass changes.
constexpr auto plain = static_program{[] {
  program_builder b;
  b.output(b.call("y", "tfl.relu", {b.user_input("x", tensor(dtype::float32, 2, 3))}, tensor(dtype::float32, 2, 3)));
  return b.finish();
}};
constexpr auto passes_that_change_nothing_are_not_applied() -> bool {
  constexpr auto passed = transform(plain, passes<legalize, fold_constants, remove_no_ops, fold_padding>);
  return std::is_same_v<decltype(passed), decltype(plain)>;
}
static_assert(passes_that_change_nothing_are_not_applied());

}  // namespace

TEST_CASE("default passes compute shapes in models of any size") {
  CHECK(shapes_are_computed(16));
  CHECK(shapes_are_computed(detail::worthwhile_dead_channels::max_weight_bytes + 1));
}

TEST_CASE("passes that change nothing leave the same static program") { CHECK(passes_that_change_nothing_are_not_applied()); }
