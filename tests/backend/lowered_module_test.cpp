// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/backends.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

/// A backend that fills every field of a result.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed("bytes");
    processed.scratch_bytes = 64;
    debug_map_entry entry;
    entry.text = join("all of it");
    entry.is_text = true;
    for (const auto& node : part.nodes) entry.handles.push_back(node.debug_handle);
    processed.debug_handle_map.push_back(std::move(entry));
    return processed;
  }
};
constexpr auto target = backends<npu>;

constexpr auto every_field_reads_back() -> bool {
  const auto lowered = to_backend(target, "Npu", conformance::g_mmadd(), {{"key", "a"}, {"key", "b"}});
  const auto module = lowered.view();
  const auto specs = module.compile_specs();
  const auto& program = module.program();
  const auto map = module.debug_handle_map();
  return module.name().empty() && module.backend_id() == "Npu" && module.processed_bytes() == "bytes" && module.scratch_bytes() == 64 &&
         module.original() == graph_id{0} && specs.size() == 2 && program.text(specs[0].key) == "key" &&
         program.text(specs[0].value) == "a" && program.text(specs[1].value) == "b" && map.size() == 1 && map[0].is_text &&
         program.text(map[0].text) == "all of it" && module.handles(map[0]).size() == 5 && module.handles(map[0])[4] == 5;
}
static_assert(every_field_reads_back());

constexpr auto delegates_are_those_of_a_graph() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), by_support<npu, operator_names<"aten.mm.default">>{});
  const auto modules = delegates(lowered);
  return modules.size() == 2 && modules[0].name() == "lowered_module_0" && modules[1].name() == "lowered_module_1" &&
         delegates(lowered, modules[0].original()).empty() && delegates(lowered, graph_id{100}).empty() &&
         delegates(exported_program{}).empty() && delegates(conformance::g_mmadd()).empty();
}
static_assert(delegates_are_those_of_a_graph());

constexpr auto non_lowered_nodes_are_listed() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), by_support<npu, operator_names<"aten.mm.default">>{});
  const auto left = non_lowered_nodes(lowered);
  return left.size() == 3 && lowered.text(lowered[left[1]].name) == "sub" && non_lowered_nodes(exported_program{}).empty() &&
         non_lowered_nodes(conformance::g_mmadd()).size() == 5;
}
static_assert(non_lowered_nodes_are_listed());

}  // namespace

TEST_CASE("a lowered module has the fields of its compile specs and of its preprocess result") { CHECK(every_field_reads_back()); }

TEST_CASE("a lowered program lists its delegates and the nodes that remain") {
  CHECK(delegates_are_those_of_a_graph());
  CHECK(non_lowered_nodes_are_listed());
}
