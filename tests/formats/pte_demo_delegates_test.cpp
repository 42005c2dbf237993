// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The programs of ../shared/formats that ExecuTorch lowered to its demo backends, on the backends of examples/executorch_demo. The recorded
// outputs are those of the networks before lowering, because ExecuTorch's runtime has no such backends.
#include "executorch_demo/demo_backends.hpp"

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/import/pte.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/processed_bytes.hpp>
#include <baton/run/status.hpp>

#include "formats/golden_output.hpp"
#include "formats/manifest.hpp"
#include "formats/portable_run.hpp"
#include "formats/pte_case.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace baton;
using executorch_demo::data_flow;
using executorch_demo::operand_search;
using executorch_demo::operation;
using executorch_demo::read_compiler_text;
using executorch_demo::read_preprocess_all_text;
using executorch_demo::sizes_of_mm;
using executorch_demo::text_state;
using formats::json_at;

constexpr std::string_view product_and_sum =
    "2version:0#op:demo::aten.mm.default, numel:4, dtype:torch.float32<debug_handle>1#"
    "op:demo::aten.add.Tensor, numel:4, dtype:torch.float32<debug_handle>2#";
constexpr auto compiler_list = read_compiler_text(product_and_sum);
static_assert(compiler_list.state == text_state::valid && compiler_list.size == 2 && compiler_list.operators[0].what == operation::mm &&
              compiler_list.operators[1].elements == 4 && compiler_list.operators[1].debug_identifier == 2);

/// True if every truncated text, and a text with another number of operators, is damaged.
constexpr auto refuses_damaged_texts() -> bool {
  bool ok = read_compiler_text("1version:0#").state == text_state::damaged && read_compiler_text("0version:0#").state == text_state::valid;
  for (std::size_t size = 0; size < product_and_sum.size(); ++size)
    ok = ok && read_compiler_text(product_and_sum.substr(0, size)).state == text_state::damaged;
  return ok && read_compiler_text("0version:1#").state == text_state::version_mismatch;
}
static_assert(refuses_damaged_texts());

constexpr auto unsupported = read_compiler_text("1version:0#op:demo::aten.tan.default, numel:4, dtype:torch.float32<debug_handle>7#");
static_assert(unsupported.state == text_state::unsupported && unsupported.failed == 7);
constexpr auto of_integers = read_compiler_text("1version:0#op:demo::aten.add.Tensor, numel:4, dtype:torch.int32<debug_handle>7#");
static_assert(of_integers.state == text_state::unsupported);

constexpr std::string_view first = "FirstBackendWithPreprocessAll";
static_assert(read_preprocess_all_text("FirstBackendWithPreprocessAll#7#aten.add.Tensor:aten.sin.default:#add:b'\\x00';", first).size == 2);
static_assert(read_preprocess_all_text("FirstBackendWithPreprocessAll#7#CONST_c:aten.sin.default:#", first).state ==
              text_state::without_constants);
static_assert(read_preprocess_all_text("SecondBackendWithPreprocessAll#7##", first).state == text_state::damaged);

/// The operands of a list of sums, for a call with inputs and outputs of four elements each.
template <std::size_t Inputs, std::size_t Outputs>
constexpr auto flow_of_sums(std::size_t count) -> data_flow {
  executorch_demo::operator_list list;
  for (std::size_t i = 0; i < count; ++i) executorch_demo::detail::append(list, "aten.add.Tensor", 4, 0);
  std::array<std::size_t, Inputs> inputs{};
  std::array<std::size_t, Outputs> outputs{};
  inputs.fill(4);
  outputs.fill(4);
  return operand_search(list, inputs, outputs).result();
}
constexpr auto chain = flow_of_sums<3, 1>(2);  // (0 + 1) + 2
static_assert(chain.is_found && chain.operands[1][0] == 3 && chain.operands[1][1] == 2 && !chain.is_output[3] && chain.is_output[4]);
constexpr auto two_ends = flow_of_sums<4, 2>(2);  // 0 + 1, 2 + 3
static_assert(two_ends.is_found && two_ends.operands[1][0] == 2 && two_ends.is_output[4] && two_ends.is_output[5]);
constexpr auto inner_output = flow_of_sums<3, 2>(2);  // (0 + 1) + 2, and 0 + 1 itself
static_assert(inner_output.is_found && inner_output.operands[1][0] == 3 && inner_output.is_output[3]);
static_assert(!flow_of_sums<4, 1>(2).is_found);  // an input without a user
static_assert(sizes_of_mm(6, 12, 8).rows == 2 && sizes_of_mm(6, 12, 8).depth == 3 && sizes_of_mm(6, 12, 9).rows == 0);

/// Executes delegates of a program as an executor does.
class delegate_runner {
 public:
  /// If `key` is not empty, the delegate `id` has only this named data.
  delegate_runner(const program_view& program, std::vector<std::string> keys) : program_(program), keys_(std::move(keys)) {}

  auto run(delegate_id id, const std::vector<span<const char>>& inputs, const std::vector<span<char>>& outputs) const -> std::string {
    const lowered_module_view module(program_, id);
    std::string why = "no backend has the id " + std::string(module.backend_id());
    executorch_demo::all.with(module.backend_id(), [&](auto backend) {
      using type = typename decltype(backend)::type;
      const auto code = execute<type>(module, index(id), inputs, outputs);
      why = code == status::ok ? "" : std::string(to_text(code));
    });
    return why;
  }

 private:
  template <class Backend>
  auto execute(const lowered_module_view& module, std::size_t number, const std::vector<span<const char>>& inputs,
               const std::vector<span<char>>& outputs) const -> status {
    std::vector<compile_spec_view> specs;
    const auto range = program_.delegates[number].compile_specs;
    for (std::uint32_t i = range.first; i < range.first + range.size; ++i)
      specs.push_back({program_.text(program_.compile_specs[i].key), program_.text(program_.compile_specs[i].value)});
    std::vector<named_data_map::entry> entries;
    for (const auto& each : module.named_data()) {
      const auto key = program_.text(each.key);
      if (keys_.empty() || keys_.at(number) == key) entries.push_back({key, program_.data(each.data)});
    }
    processed_bytes owner;
    const auto bytes = module.processed_bytes();
    owner.hold({{bytes.data(), bytes.size()}});
    const no_options options{};
    init_context<> context(owner, {specs.data(), specs.size()}, "forward", {{entries.data(), entries.size()}, nullptr}, options);
    typename Backend::state own{};
    if (const auto code = Backend::init(context, own); code != status::ok) return code;
    const delegate_call call{owner.bytes(), {inputs.data(), inputs.size()}, {outputs.data(), outputs.size()}, {}};
    return Backend::execute(execution_context<>(call, "forward", options), own);
  }

  program_view program_;
  std::vector<std::string> keys_;
};

/// Runs a method on the recorded inputs. Returns the first reason why a run fails or an output differs, else "".
auto result_of(const std::string& name, std::string_view method = "forward", const std::vector<std::string>& keys = {}) -> std::string {
  const formats::pte_case model(std::filesystem::path(BATON_SHARED_DIR) / "formats" / name);
  const auto imported = model.read(method);
  REQUIRE(imported);
  const auto legal = formats::legalized(imported.value);
  REQUIRE(legal);
  const delegate_runner runner(legal.value, keys);
  const auto rule = json_at(json_at(json_at(model.manifest(), "golden"), std::string(method)), "tolerance");
  const formats::tolerance allowed{formats::number_at(rule, "atol", 0), formats::number_at(rule, "rtol", 0)};
  for (int k = 0; k < 4; ++k) {
    const auto part = (method == "forward" ? std::string{} : std::string(method) + "_") + std::to_string(k) + ".bin";
    std::vector<char> output;
    auto why = formats::run_portable(
        legal.value, model.file("input_" + part), output, [](const node&, const formats::memory_of_value&) {},
        [&](delegate_id id, const auto& inputs, const auto& outputs) { return runner.run(id, inputs, outputs); });
    if (why.empty()) why = formats::difference(legal.value, output, model.file("output_" + part), allowed);
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace

TEST_CASE("pte: delegates of ExecuTorch's demo backends run on backends with their ids" * tests::needs_shared("formats")) {
  for (const auto* name :
       {"pte_add_mm_demo_addmul", "pte_cond_net_demo_addmul", "pte_ladder_demo_addmul", "pte_two_linears_demo_nondecomp"})
    CHECK_MESSAGE(result_of(name) == "", name);
  CHECK(result_of("pte_own_methods_preprocess_all", "a") == "");
}

TEST_CASE("pte: a delegate that is a program runs as a part of the program that contains it" * tests::needs_shared("formats")) {
  CHECK(result_of("pte_diamonds_demo_all") == "");
}

TEST_CASE("pte: the file lacks data that some demo delegates need" * tests::needs_shared("formats")) {
  CHECK(result_of("pte_own_methods_preprocess_all", "b") == "b_node_0: not_found");  // the value of a constant
  CHECK(result_of("pte_own_demo_mapping") == "forward_node_0: no backend has the id BackendWithDelegateMappingDemo");  // the weights
  CHECK(result_of("pte_diamonds_demo_ndm") == "forward_node_7: invalid_program");  // the key that each delegate uses
  // The keys, as partitions.json states them.
  CHECK(result_of("pte_diamonds_demo_ndm", "forward", {"aten.add.Tensor", "aten.mul.Tensor", "aten.add.Tensor", "aten.sub.Tensor"}) == "");
}

TEST_CASE("pte: a delegate that failed to initialize can be initialized with other named data") {
  const named_data_map::entry entries[] = {{"aten.sin.default", {}}, {"aten.add.Tensor", std::string_view{"", 1}}};
  processed_bytes none;
  const no_options options{};
  executorch_demo::named_data_demo::state list;
  const auto init = [&](std::size_t count) {
    init_context<> context(none, {}, "forward", {{entries, count}, nullptr}, options);
    return executorch_demo::named_data_demo::init(context, list);
  };
  CHECK(init(2) == status::invalid_program);
  CHECK(init(1) == status::ok);
  CHECK(list.operators[0].what == operation::sin);
}
