// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The meaning of a program: an interpreter over floats, at compile time and at run time. A delegate call runs its original graph.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/control_flow.hpp>

#include "reference/operators.hpp"
#include "reference/tensor.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace reference {

/// The contents of mutable buffers by fully qualified name, from one run to the next. A name is one state in all graphs of a program. It is
/// read when a graph is called, and written when the graph is done.
class state {
 public:
  constexpr auto find(std::string_view target) const -> const tensor* {
    for (const auto& [name, contents] : buffers_) {
      if (baton::view(name) == target) return &contents;
    }
    return nullptr;
  }
  constexpr void set(std::string_view target, const tensor& contents) {
    for (auto& [name, old] : buffers_) {
      if (baton::view(name) == target) {
        old = contents;
        return;
      }
    }
    buffers_.emplace_back(baton::join(target), contents);
  }
  constexpr auto size() const -> std::size_t { return buffers_.size(); }

  /// True if both have the same buffers with the same contents, in any order.
  constexpr auto operator==(const state& other) const -> bool {
    if (size() != other.size()) return false;
    for (const auto& [name, contents] : buffers_) {
      const auto* other_contents = other.find(baton::view(name));
      if (other_contents == nullptr || !(*other_contents == contents)) return false;
    }
    return true;
  }

 private:
  baton::vector<std::pair<baton::text_buffer, tensor>> buffers_;
};

namespace detail {

class interpreter {
 public:
  constexpr interpreter(const baton::program_view& program, state& buffers)
      : program_(program),
        buffers_(buffers),
        values_(program.values.size(), tensor{}),
        modules_(baton::modules_of_graphs(program)) {}

  constexpr auto run(baton::graph_id id, baton::span<const tensor> inputs) -> baton::vector<tensor> {
    const auto& graph = program_[id];
    std::size_t next = 0;
    for (const auto input : program_.inputs(graph)) {
      const auto& record = program_[input];
      if (baton::is_owned_data(record.kind)) {
        at(input) = owned(record);
      } else {
        at(input) = inputs[next++];
      }
    }
    for (const auto& record : program_.nodes_of(graph)) run_node(record);
    baton::vector<tensor> results;
    for (const auto& spec : program_.outputs_of(graph)) {
      if (spec.kind == baton::output_kind::user_output) results.push_back(at(spec.value));
    }
    for (const auto& spec : program_.outputs_of(graph)) {
      if (spec.kind == baton::output_kind::buffer_mutation) buffers_.set(baton::view(key_of(id, spec.target)), at(spec.value));
    }
    return results;
  }

 private:
  constexpr auto at(baton::value_id id) -> tensor& { return values_[index(id)]; }

  /// Returns the key of a state: its fully qualified name. A state of a lowered module has the module's number, too, if there is another
  /// state of that name outside of the module.
  constexpr auto key_of(baton::graph_id id, baton::byte_ref target) const -> baton::text_buffer {
    auto key = baton::join(program_.text(target));
    const auto module = modules_[index(id)];
    if (module == baton::none<baton::delegate_id>) return key;
    for (const auto& other : program_.values) {
      if (other.kind != baton::value_kind::mutable_buffer || modules_[index(other.graph)] == module) continue;
      if (program_.text(other.target) == program_.text(target)) return baton::join(program_.text(target), "@", index(module));
    }
    return key;
  }

  /// Data without bytes are generated from the fully qualified name, so that copies are equal.
  constexpr auto owned(const baton::value& record) const -> tensor {
    const auto target = program_.text(record.target);
    if (record.kind == baton::value_kind::mutable_buffer) {
      if (const auto* contents = buffers_.find(baton::view(key_of(record.graph, record.target)))) return *contents;
    }
    tensor generated(program_.integer_list(record.shape));
    const auto bytes = program_.data(record.data);
    auto seed = baton::hash_of(target);
    for (std::size_t i = 0; i < generated.data.size(); ++i) {
      if (bytes.empty()) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        generated.data[i] = static_cast<float>(static_cast<std::int64_t>(seed >> 60) - 8) / 4;
      } else if (record.type == baton::dtype::float32) {
        std::uint32_t bits = 0;
        for (std::size_t b = 4; b-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[4 * i + b]);
        generated.data[i] = std::bit_cast<float>(bits);
      } else {
        generated.data[i] = static_cast<float>(bytes[i * bytes.size() / generated.data.size()]);
      }
    }
    return generated;
  }

  /// Runs `tfl.custom.STEP` (`step_state`).
  constexpr void step(const baton::node& record) {
    const auto inputs = program_.inputs(record);
    auto& state = at(inputs[0]);
    auto& result = at(program_.outputs_of(record)[0]);
    const auto x = at(inputs[1]);
    result = step_state(state, x);
    buffers_.set(baton::view(key_of(program_[inputs[0]].graph, program_[inputs[0]].target)), state);
  }

  constexpr void run_node(const baton::node& record) {
    if (record.is("tfl.custom.STEP")) return step(record);
    baton::vector<tensor> operands;
    for (const auto input : program_.inputs(record)) {
      if (input != baton::none<baton::value_id>) operands.push_back(at(input));
    }
    const auto results = results_of(record, operands);
    const auto outputs = program_.outputs_of(record);
    for (std::size_t i = 0; i < outputs.size(); ++i) at(outputs[i]) = results[i];
  }

  constexpr auto results_of(const baton::node& record, baton::span<const tensor> operands) -> baton::vector<tensor> {
    if (record.delegate != baton::none<baton::delegate_id>) return run(program_[record.delegate].original, operands);
    const auto graphs = program_.subgraphs_of(record);
    switch (baton::control_flow_of(program_, record)) {
      case baton::control_flow::cond:
        return run(graphs[operands[0].data[0] != 0 ? 0 : 1], operands.subspan(1));
      case baton::control_flow::while_loop:
        return run_while(graphs[0], graphs[1], operands, record.outputs.size);
      case baton::control_flow::map:
      case baton::control_flow::scan:
        return run_stacked(record, graphs[0], operands);
      case baton::control_flow::none:
        break;
    }
    return operation(program_, record, operands).run();
  }

  constexpr auto run_while(baton::graph_id condition, baton::graph_id body, baton::span<const tensor> operands, std::size_t carried)
      -> baton::vector<tensor> {
    baton::vector<tensor> all(operands.begin(), operands.end());
    while (run(condition, all)[0].data[0] != 0) {
      const auto next = run(body, all);
      for (std::size_t i = 0; i < carried; ++i) all[i] = next[i];
    }
    all.resize(carried);
    return all;
  }

  constexpr auto run_stacked(const baton::node& record, baton::graph_id body, baton::span<const tensor> operands) -> baton::vector<tensor> {
    const auto counts = baton::loop_counts_of(program_, record);
    const auto outputs = program_.outputs_of(record);
    baton::vector<tensor> carried(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(counts.carried));
    baton::vector<baton::vector<tensor>> stacks(outputs.size() - counts.carried, baton::vector<tensor>{});
    const auto steps = static_cast<std::size_t>(operands[counts.carried].shape[0]);
    for (std::size_t step = 0; step < steps; ++step) {
      auto arguments = carried;
      for (std::size_t i = counts.carried; i < operands.size(); ++i) {
        if (i < counts.carried + counts.stacked) {
          arguments.push_back(step_of(operands[i], step));
        } else {
          arguments.push_back(operands[i]);
        }
      }
      const auto results = run(body, arguments);
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (i < counts.carried) {
          carried[i] = results[i];
        } else {
          stacks[i - counts.carried].push_back(results[i]);
        }
      }
    }
    for (std::size_t i = 0; i < stacks.size(); ++i) carried.push_back(stacked(stacks[i], program_.shape(outputs[counts.carried + i])));
    return carried;
  }

  baton::program_view program_;
  state& buffers_;
  baton::vector<tensor> values_;
  baton::vector<baton::delegate_id> modules_;  ///< by graph
};

}  // namespace detail

/// Returns the user outputs of the root graph for its user inputs, both in order. Reads `buffers` and writes the mutations to it, also
/// those of delegates.
constexpr auto evaluate(const baton::program_view& program, baton::span<const tensor> inputs, state& buffers) -> baton::vector<tensor> {
  return detail::interpreter(program, buffers).run(baton::graph_id{0}, inputs);
}

/// The results of one run with new buffers.
struct outcome {
  baton::vector<tensor> outputs;
  state buffers;

  constexpr auto operator==(const outcome&) const -> bool = default;
};
constexpr auto evaluate(const baton::program_view& program, baton::span<const tensor> inputs) -> outcome {
  outcome result;
  result.outputs = evaluate(program, inputs, result.buffers);
  return result;
}

/// Returns inputs with the shapes of a program's user inputs, and with varying small numbers as elements.
constexpr auto some_inputs(const baton::program_view& program, std::uint64_t seed = 1) -> baton::vector<tensor> {
  baton::vector<tensor> inputs;
  for (const auto input : program.inputs(program.root())) {
    if (program[input].kind != baton::value_kind::user_input) continue;
    inputs.emplace_back(program.shape(input));
    for (auto& element : inputs.back().data) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      element = static_cast<float>(static_cast<std::int64_t>(seed >> 60) - 8) / 4;
    }
  }
  return inputs;
}

}  // namespace reference
