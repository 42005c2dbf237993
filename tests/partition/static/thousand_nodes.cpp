// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitions a thousand nodes in one constant, within the default limits of the compilers.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

#include <cstddef>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
};

constexpr std::size_t node_count = 1000;

/// Every node uses the value before it and the value at half its index. Nine of ten nodes are supported.
constexpr auto make = [] {
  constexpr auto type = tensor(dtype::int8, 1);
  program_builder b;
  auto value_record = b.make_value("v", type, value_kind::intermediate);
  auto supported = b.make_node("n", "s");
  auto unsupported = b.make_node("n", "u");
  b.user_input("x", type);
  for (std::size_t n = 0; n < node_count; ++n) {
    const value_id inputs[] = {static_cast<value_id>(n), static_cast<value_id>(n / 2)};
    const auto output = b.add_value(value_record);
    b.add_node(n % 10 != 0 ? supported : unsupported, inputs, baton::span{&output, 1});
  }
  b.output(static_cast<value_id>(node_count));
  return b.finish();
};
constexpr auto model = static_program{make};

constexpr auto count_of_parts = by_support<npu, operator_names<"s">>::partition(model).partition_tags.size();
static_assert(count_of_parts == node_count / 10);

}  // namespace
