// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Shared models compiled by several versions of Vela, run at run time, and errors that the simulated accelerator detects.
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/import/pte.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/transform/legalize.hpp>

#include "backends/ethos_u/models.hpp"
#include "backends/ethos_u/simulated_driver.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace baton;
using namespace ethos_u_tests;
using namespace std::string_view_literals;
using ethos_u::accelerator;

/// Memory aligned to 16 bytes, as on boards.
class aligned_bytes {
 public:
  explicit aligned_bytes(std::size_t size) : blocks_(size / 16 + 1), size_(size) {}
  aligned_bytes(const char* from, std::size_t size) : aligned_bytes(size) { std::memcpy(data(), from, size); }
  auto data() -> char* { return blocks_.front().bytes; }
  auto size() const -> std::size_t { return size_; }

 private:
  struct alignas(16) block {
    char bytes[16];
  };
  std::vector<block> blocks_;
  std::size_t size_;
};

/// A model of one delegate with the plan of an executor, computed at run time to save compile time.
template <accelerator Board, class Driver>
class planned_model {
 public:
  using npu = ethos_u::backend<Board, Driver>;

  explicit planned_model(const exported_program& model)
      : lowered_(to_backend(backends<npu>, model, ethos_u::partitioner<Board>{})),
        plan_(value_or_raise(plan_execution(kernels<>, backends<npu>, lowered_))),
        arena_(plan_.memory.arena_bytes) {}

  auto plan() const -> const execution_plan& { return plan_; }
  auto run(const bytes& input, bytes& output) -> status {
    const program_view program = lowered_;
    const auto module = delegates(program)[0];
    aligned_bytes stored_bytes(module.processed_bytes().data(), module.processed_bytes().size());
    const auto stored = program.data(module.named_data()[0].data);
    aligned_bytes weights(stored.data(), stored.size());
    const named_data_map::entry named[] = {{program.text(module.named_data()[0].key), {weights.data(), weights.size()}}};
    const typename npu::options options{};
    typename npu::state state;
    processed_bytes owner;
    owner.hold({{stored_bytes.data(), stored_bytes.size()}});
    const auto code = npu::init(init_context<typename npu::options>(owner, {}, "forward", {named, nullptr}, options), state);
    if (code != status::ok) return code;
    char* from = arena_.data() + plan_.locations[index(user_inputs_of(program, graph_id{0})[0])].offset;
    char* to = arena_.data() + plan_.outputs[0].offset;
    std::memcpy(from, input.data(), input.size());
    const span<const char> inputs[] = {{from, input.size()}};
    const span<char> outputs[] = {{to, output.size()}};
    const auto scratch = location_of_scratch(program, plan_.memory, 0).offset;
    const delegate_call call{owner.bytes(), inputs, outputs, {arena_.data() + scratch, module.scratch_bytes()}};
    const auto ran = npu::execute(execution_context<typename npu::options>(call, "forward", options), state);
    if (ran == status::ok) std::memcpy(output.data(), to, output.size());
    return ran;
  }

 private:
  exported_program lowered_;
  execution_plan plan_;
  aligned_bytes arena_;
};

struct vela_model {
  std::string_view file;
  std::string_view golden;
  std::size_t arena_bytes;
  std::uint64_t input_offset = 0;
};

auto shared_file(const std::string& path) -> bytes { return file_at(BATON_SHARED_DIR "/" + path); }
auto constant_named(const program_view& program, std::size_t operand) -> span<const char> {
  return program.data(program[program.inputs(program.nodes[0])[operand]].data);
}

template <accelerator Board, class Driver = simulated_driver>
void runs_all_inputs(const vela_model& of, const exported_program& model) {
  planned_model<Board, Driver> net(model);
  CHECK(net.plan().memory.arena_bytes == of.arena_bytes);  // only the scratch
  CHECK(net.plan().accepted().size() == 2);
  for (const std::string prefix : {"", "extra_"}) {
    for (int k = 0; k < 4; ++k) {
      const auto folder = "golden/" + std::string(of.golden) + "/" + prefix;
      const auto input = shared_file(folder + "input_" + std::to_string(k) + ".bin");
      const auto expected = shared_file(folder + "output_" + std::to_string(k) + ".bin");
      REQUIRE_FALSE(expected.empty());
      const script scripts[] = {
          {constant_named(model, ethos_u::detail::operand::weights), {input.data(), input.size()}, {expected.data(), expected.size()}}};
      simulated_driver::scripts = scripts;
      bytes output(expected.size());
      CHECK(net.run(input, output) == status::ok);
      CHECK(simulated_driver::fault == "");
      CHECK(output == expected);
      CHECK(simulated_driver::offsets[3] == of.input_offset);
      CHECK(simulated_driver::offsets[4] == of.input_offset);  // in these models, outputs overlap inputs
    }
  }
}

/// Runs input 0. Returns the fault that the simulated driver found, and whether the output equals the golden one.
template <class Driver>
auto fault_of(const vela_model& of, const exported_program& model) -> std::pair<std::string_view, bool> {
  planned_model<ethos_u::u55_128, Driver> net(model);
  const auto folder = "golden/" + std::string(of.golden) + "/";
  const auto input = shared_file(folder + "input_0.bin");
  const auto expected = shared_file(folder + "output_0.bin");
  const script scripts[] = {
      {constant_named(model, ethos_u::detail::operand::weights), {input.data(), input.size()}, {expected.data(), expected.size()}}};
  simulated_driver::scripts = scripts;
  bytes output(expected.size());
  const auto code = net.run(input, output);
  CHECK((code == status::ok) == simulated_driver::fault.empty());
  return {simulated_driver::fault, output == expected};
}

/// Returns the model with an input or an output moved by 16 bytes.
auto moved(exported_program model, std::size_t entry) -> exported_program {
  const program_view program = model;
  const auto* offsets = program.find(program.nodes[0], "arena_offsets");
  model.integers[offsets->list.first + entry] += 16;
  return model;
}

constexpr vela_model keyword{"kws_ref_model_vela", "kws_ref_model", 22192};
constexpr vela_model anomaly{"ad01_int8_vela", "ad01_int8", 768, 128};
constexpr vela_model person{"person_detect_vela", "person_detect", 74480};
constexpr vela_model person_of_tflm{"tflm_person_detect_vela", "person_detect", 74464};

auto read(const bytes& file) -> exported_program { return tflite::read_bytes({file.data(), file.size()}); }
auto file_of(const vela_model& of) -> bytes { return shared_file("zoo-vela/" + std::string(of.file) + ".tflite"); }

}  // namespace

TEST_CASE("Ethos-U: models compiled by any version of Vela run in their scratch alone" * tests::needs_shared("zoo-vela")) {
  for (const auto& each : {keyword, anomaly, person}) {
    CAPTURE(each.file);
    const auto file = file_of(each);
    runs_all_inputs<ethos_u::u55_128>(each, read(file));
  }
  const auto older = file_of(person_of_tflm);  // with two scratch tensors, for a larger accelerator
  runs_all_inputs<ethos_u::u55_256>(person_of_tflm, read(older));
  CHECK_FALSE(ethos_u::support<ethos_u::u55_128>::supports(read(older), read(older).nodes[0]));
}

TEST_CASE("Ethos-U: inputs and memory at wrong addresses are detected" * tests::needs_shared("zoo-vela")) {
  for (const auto& each : {keyword, person}) {
    CAPTURE(each.file);
    const auto file = file_of(each);
    const auto model = read(file);
    CHECK(fault_of<simulated_driver>(each, model) == std::pair{""sv, true});
    CHECK(fault_of<swapped_bases>(each, model) == std::pair{"base 0 is not the weights"sv, false});
    CHECK(fault_of<simulated_driver>(each, moved(model, 4)) == std::pair{"the input is not there"sv, false});
    // Only the comparison of outputs detects this error: the accelerator writes to the right address, but the output is read from another.
    CHECK(fault_of<simulated_driver>(each, moved(model, 5)) == std::pair{""sv, false});
    CHECK(fault_of<misplaced_scratch>(each, model).first == "the input is not there");
    CHECK(fault_of<short_scratch>(each, model) == std::pair{"a command leaves the memory of its base"sv, false});
  }
}

TEST_CASE("Ethos-U: models with more values than base addresses, or with variables of the same name, are supported" *
          tests::needs_shared("repro/ethos-u")) {
  const auto many = shared_file("repro/ethos-u/mww_hey_jarvis_2024_vela.tflite");
  const auto unnamed = shared_file("repro/ethos-u/keyword_scrambled_8bit_vela.tflite");
  const auto model = read(many);
  const program_view program = model;
  std::size_t max_values = 0;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const auto& node = model.nodes[n];
    if (!node.is("tfl.custom.ethos-u")) continue;
    CHECK(view(ethos_u::support<ethos_u::u55_128>::supports(model, node).reason) == "");
    max_values =
        std::max(max_values, program.inputs(node).size() - ethos_u::detail::operand::first_input + program.outputs_of(node).size());
  }
  CHECK(max_values == 24);  // 27 base addresses with weights and scratch
  const auto lowered =
      to_backend(backends<ethos_u::backend<ethos_u::u55_128, simulated_driver>>, model, ethos_u::partitioner<ethos_u::u55_128>{});
  CHECK(lowered.delegates.size() >= 1);

  const auto renamed = read(unnamed);
  CHECK(verify(renamed).rule.empty());
}

TEST_CASE("Ethos-U: each part of a model with kernels between the parts runs in the memory of its plan" *
          tests::needs_shared("repro/ethos-u")) {
  using npu = ethos_u::backend<ethos_u::u55_128, simulated_driver>;
  const auto file = shared_file("repro/ethos-u/keyword_scrambled_8bit_vela.tflite");
  const auto lowered = to_backend(backends<npu>, read(file), ethos_u::partitioner<ethos_u::u55_128>{});
  const program_view program = lowered;
  const auto plan = value_or_raise(plan_execution(portable_kernels, backends<npu>, lowered));
  aligned_bytes arena(plan.memory.arena_bytes);
  std::size_t runs = 0;
  for (std::uint32_t n = 0; n < program.root().nodes.size; ++n) {
    const auto& record = program.nodes[program.root().nodes.first + n];
    if (record.delegate == none<delegate_id>) continue;
    const auto module = delegates(program)[index(record.delegate)];
    CAPTURE(module.name());
    const auto memory_of = [&](value_id id) { return arena.data() + plan.locations[index(id)].offset; };
    const auto bytes_of = [&](value_id id, char first) {
      bytes all(static_cast<std::size_t>(byte_count(program[id].type, program.shape(id))));
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(first + static_cast<char>(7 * i));
      return all;
    };
    const auto source = program.inputs(record)[0];
    const auto target = program.outputs_of(record)[0];
    const auto input = bytes_of(source, 3);
    const auto expected = bytes_of(target, 5);
    std::memcpy(memory_of(source), input.data(), input.size());
    aligned_bytes stored_bytes(module.processed_bytes().data(), module.processed_bytes().size());
    const auto stored = program.data(module.named_data()[0].data);
    aligned_bytes weights(stored.data(), stored.size());
    const named_data_map::entry named[] = {{program.text(module.named_data()[0].key), {weights.data(), weights.size()}}};
    const script scripts[] = {{stored, {input.data(), input.size()}, {expected.data(), expected.size()}}};
    simulated_driver::scripts = scripts;
    const npu::options options{};
    npu::state state;
    processed_bytes owner;
    owner.hold({{stored_bytes.data(), stored_bytes.size()}});
    REQUIRE(npu::init(init_context<npu::options>(owner, {}, "forward", {named, nullptr}, options), state) == status::ok);
    const span<const char> inputs[] = {{memory_of(source), input.size()}};
    const span<char> outputs[] = {{memory_of(target), expected.size()}};
    const auto scratch = location_of_scratch(program, plan.memory, index(record.delegate)).offset;
    const delegate_call call{owner.bytes(), inputs, outputs, {arena.data() + scratch, module.scratch_bytes()}};
    CHECK(npu::execute(execution_context<npu::options>(call, "forward", options), state) == status::ok);
    CHECK(simulated_driver::fault == "");
    CHECK(std::equal(expected.begin(), expected.end(), memory_of(target)));
    ++runs;
  }
  CHECK(runs == 6);
}

TEST_CASE("Ethos-U: delegates of ExecuTorch's files are lowered like Vela's operators" * tests::needs_shared("formats")) {
  constexpr std::pair<const char*, std::array<std::uint32_t, 2>> cases[] = {{"pte_digits_cnn_ethosu55", {1280, 0}},
                                                                            {"pte_ds_cnn_ethosu55", {10096, 48}}};
  for (const auto& [name, scratch] : cases) {
    CAPTURE(name);
    const auto file = shared_file("formats/" + std::string(name) + "/model.pte");
    const auto imported = pte::try_read_bytes({file.data(), file.size()});
    REQUIRE(imported);
    const auto model = legalize::run(imported.value);
    REQUIRE(model);
    const auto lowered =
        to_backend(backends<ethos_u::backend<ethos_u::u55_128, simulated_driver>>, model.value, ethos_u::partitioner<ethos_u::u55_128>{});
    CHECK(lowered.delegates.size() == imported.value.delegates.size());
    for (std::size_t i = 0; i < lowered.delegates.size(); ++i) CHECK(lowered.delegates[i].scratch_bytes == scratch[i]);
    // The weights are a view of the file.
    const auto* const weights = program_view(lowered).data(lowered.named_data[0].data).data();
    CHECK((weights > file.data() && weights < file.data() + file.size()));
    for (const auto& node : model.value.nodes) {
      if (!node.is("tfl.custom.ethos-u")) continue;
      const auto why = ethos_u::support<ethos_u::u55_256>::supports(model.value, node);
      CHECK(view(why.reason).find("are for ethos-u55-128, but the backend is for ethos-u55-256") != std::string_view::npos);
    }
  }
}
