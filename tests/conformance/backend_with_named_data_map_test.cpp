// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows T-NDM-1 to T-NDM-3: a backend's named data in its lowered module, and merged in the program that calls it.
#include <baton/backend/lowered_module.hpp>
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/program_named_data.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/backend_with_named_data_map.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using text = std::string_view;
using conformance::two_by_two;

constexpr auto target = backends<conformance::backend_with_named_data_map>;

constexpr auto doubled() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  b.output(b.call("add", "aten.add.Tensor", {x, x}, two_by_two));
  return b.finish();
}

constexpr auto chain() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {x, x}, two_by_two);
  const auto cos = b.call("cos", "aten.cos.default", {add}, two_by_two);
  const auto add_1 = b.call("add_1", "aten.add.Tensor", {cos, cos}, two_by_two);
  const auto sin = b.call("sin", "aten.sin.default", {add_1}, two_by_two);
  b.output(b.call("sub", "aten.sub.Tensor", {sin, sin}, two_by_two));
  return b.finish();
}

constexpr auto branches() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  const auto div = b.call("div", "aten.div.Tensor", {x, y}, two_by_two);
  const auto sum = b.call("sum", "aten.sum.default", {div}, tensor(dtype::float32));
  const auto gt = b.call("gt", "aten.gt.Scalar", {sum}, tensor(dtype::boolean), {{"other", 0}});
  const auto on_true = b.add_graph("true_graph");
  {
    const auto z = b.user_input("z", two_by_two);
    const auto mul = b.call("mul", "aten.mul.Tensor", {z, z}, two_by_two);
    const auto cos = b.call("cos", "aten.cos.default", {mul}, two_by_two);
    b.output(b.call("sin", "aten.sin.default", {cos}, two_by_two));
  }
  const auto on_false = b.add_graph("false_graph");
  b.output(b.call("sin", "aten.sin.default", {b.user_input("z", two_by_two)}, two_by_two));
  b.enter(graph_id{0});
  const auto chosen = b.call_many("cond", "cond", {gt, x}, {two_by_two}, {}, {on_true, on_false});
  b.output(b.call("sub", "aten.sub.Tensor", {chosen[0], chosen[0]}, two_by_two));
  return b.finish();
}

/// A key, and the number of zeros in its data.
struct zeros {
  text key;
  std::size_t count;
};
constexpr zeros sines{"aten.sin.default", 0};
constexpr zeros sums{"aten.add.Tensor", 1};
constexpr zeros differences{"aten.sub.Tensor", 2};
constexpr zeros products{"aten.mul.Tensor", 3};
constexpr zeros quotients{"aten.div.Tensor", 4};

constexpr auto holds(const named_data_store& store, std::initializer_list<zeros> expected) -> bool {
  if (store.buffer_count() != expected.size() || store.entries().size() != expected.size() || !store.external_tags().empty()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto bytes = store.bytes(i);
    const auto& entry = store.entries()[i];
    const bool good = view(entry.key) == expected.begin()[i].key && entry.buffer == i && entry.alignment == 1 && !entry.layout &&
                      bytes.size() == expected.begin()[i].count && std::count(bytes.begin(), bytes.end(), '\0') == std::ssize(bytes);
    if (!good) return false;
  }
  return true;
}
constexpr auto module_holds(const lowered_module_view& module, std::initializer_list<zeros> expected) -> bool {
  const auto program = standalone_program(module);
  return holds(named_data(program), expected) && module.processed_bytes().empty() && module.debug_handle_map().empty();
}

// T-NDM-1

constexpr auto by_id = to_backend(target, name<"BackendWithNamedDataMap">, static_program{conformance::make<doubled>{}});
constexpr auto a_lowered_module_has_its_data() -> bool {
  const auto lowered = to_backend(target, "BackendWithNamedDataMap", doubled());
  return module_holds(lowered.view(), {sums}) && module_holds(by_id.view(), {sums}) && same(lowered, by_id.view().program());
}
static_assert(a_lowered_module_has_its_data());

// T-NDM-2

constexpr auto has_tags(const program_view& tagged, graph_id graph, std::initializer_list<text> expected) -> bool {
  const auto nodes = tagged.nodes_of(tagged[graph]);
  return std::equal(nodes.begin(), nodes.end(), expected.begin(), expected.end(), [&](const node& record, text wanted) {
    return (record.tag == none<tag_id> ? text{} : tagged.text(tagged[record.tag].name)) == wanted;
  });
}

constexpr auto lowered_chain = to_backend(target, static_program{conformance::make<chain>{}}, conformance::named_data_partitioner{});
constexpr auto a_program_has_the_data_of_all_its_delegates() -> bool {
  const auto tagged = tag_program(chain(), conformance::named_data_partitioner{}).value;
  const auto modules = delegates(lowered_chain);
  return has_tags(tagged, graph_id{0}, {"tag_3", "", "tag_1", "tag_1", "tag_1"}) && modules.size() == 2 &&
         module_holds(modules[0], {sums}) && module_holds(modules[1], {sums, sines, differences}) &&
         holds(named_data(lowered_chain), {sums, sines, differences}) &&
         same(lowered_chain, to_backend(target, chain(), conformance::named_data_partitioner{}));
}
static_assert(a_program_has_the_data_of_all_its_delegates());

// The key of both delegates has one buffer in the program.
constexpr auto equal_data_of_two_delegates_is_stored_once(const program_view& program) -> bool {
  const auto modules = delegates(program);
  return modules[0].named_data()[0].data == modules[1].named_data()[0].data;
}
static_assert(equal_data_of_two_delegates_is_stored_once(lowered_chain));

// T-NDM-3

constexpr auto lowered_branches = to_backend(target, static_program{conformance::make<branches>{}}, conformance::named_data_partitioner{});
constexpr auto delegates_in_branches_count() -> bool {
  const auto tagged = tag_program(branches(), conformance::named_data_partitioner{}).value;
  return has_tags(tagged, graph_id{0}, {"tag_1", "", "", "", "tag_0"}) && has_tags(tagged, graph_id{1}, {"tag_3", "", "tag_2"}) &&
         has_tags(tagged, graph_id{2}, {"tag_2"}) && holds(named_data(lowered_branches), {quotients, differences, products, sines}) &&
         same(lowered_branches, to_backend(target, branches(), conformance::named_data_partitioner{}));
}
static_assert(delegates_in_branches_count());

}  // namespace

TEST_CASE("a lowered module has the named data that its backend returned (T-NDM-1)") { CHECK(a_lowered_module_has_its_data()); }
TEST_CASE("a program has the named data of all its delegates (T-NDM-2)") {
  CHECK(a_program_has_the_data_of_all_its_delegates());
  CHECK(equal_data_of_two_delegates_is_stored_once(to_backend(target, chain(), conformance::named_data_partitioner{})));
}
TEST_CASE("a program has the named data of delegates in its branches, too (T-NDM-3)") { CHECK(delegates_in_branches_count()); }
