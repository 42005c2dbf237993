// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs programs that are read at run time with the functions of kernels (`describe`, `compute`). Each value has separate memory, so that
// sanitizers detect every access past its end; or all values are in one array, as a plan places them.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/prepared_elements.hpp>

#include <boost/hana/for_each.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nodes {

using bytes = std::vector<char>;

/// Returns the size in bytes of all user inputs. Inputs of damaged programs that have no size count as 0.
inline auto input_bytes_of(const baton::program_view& program) -> std::size_t {
  std::size_t sum = 0;
  for (const auto id : program.inputs(program.root())) {
    const auto count = baton::byte_count(program[id].type, program.shape(id));
    if (program[id].kind == baton::value_kind::user_input && count > 0) sum += static_cast<std::size_t>(count);
  }
  return sum;
}

class interpreter {
 public:
  explicit interpreter(const baton::program_view& program, const baton::execution_plan* plan = nullptr)
      : program_(program),
        memory_(program.values.size()),
        plan_(plan) {
    if (plan != nullptr) {
      arena_.assign(plan->memory.arena_bytes, '\x5a');
      base_ = arena_.data();
    }
    for (std::size_t v = 0; v < program.values.size(); ++v) {
      const auto id = static_cast<baton::value_id>(v);
      const auto count = baton::byte_count(program[id].type, program.shape(id));
      if (count < 0) continue;
      memory_[v].reserve(1);  // an address, as in an arena, even if the value is empty
      const bool is_state = program[id].kind == baton::value_kind::mutable_buffer;
      memory_[v].assign(static_cast<std::size_t>(count), is_state ? '\0' : '\x5a');
      if (!baton::is_owned_data(program[id].kind)) continue;
      const auto data = program.data(program[id].data);
      std::copy_n(data.data(), std::min(data.size(), memory_[v].size()), memory_[v].data());
      if (is_state && plan != nullptr) std::copy(memory_[v].begin(), memory_[v].end(), address(id, base_of(program[id].graph)));
    }
  }

  /// Runs the root graph. `input` and `output` are the bytes of all user inputs and outputs, one after another. Returns the reason if no
  /// kernel of the list supports a node, else "".
  template <class... Kernels>
  auto run(baton::kernel_list<Kernels...> list, const bytes& input, bytes& output) -> std::string {
    return run(list, input, output, [](const baton::node&) {});
  }
  /// The same, but calls `after(node)` when the outputs of a node have been computed.
  template <class... Kernels, class After>
  auto run(baton::kernel_list<Kernels...> list, const bytes& input, bytes& output, const After& after) -> std::string {
    std::size_t at = 0;
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind != baton::value_kind::user_input) continue;
      const auto size = size_of(id);
      if (at + size > input.size()) return "too few bytes for the inputs";
      std::copy_n(input.data() + at, size, address(id));
      at += size;
    }
    auto why = run_nodes(list, program_.root(), after);
    if (!why.empty()) return why;
    output.clear();
    if (plan_ != nullptr) {
      finish(baton::none<baton::node_id>, baton::graph_id{0}, 0);
      std::size_t next = 0;
      for (const auto& entry : program_.outputs_of(program_.root())) {
        if (entry.kind != baton::output_kind::user_output) continue;
        const auto* const from = memory_at(plan_->outputs[next++], base_);
        output.insert(output.end(), from, from + size_of(entry.value));
      }
      return {};
    }
    std::vector<std::pair<baton::value_id, bytes>> mutations;  // all are read before any is written
    for (const auto& entry : program_.outputs_of(program_.root())) {
      const bytes from(address(entry.value), address(entry.value) + size_of(entry.value));
      if (entry.kind == baton::output_kind::user_output) {
        output.insert(output.end(), from.begin(), from.end());
      } else {
        mutations.emplace_back(state_of(program_.text(entry.target)), from);
      }
    }
    for (const auto& [id, contents] : mutations) std::copy(contents.begin(), contents.end(), address(id));
    return {};
  }

  /// Executes a delegate call. Returns the reason if it fails, else "". Programs whose delegates run must set it.
  std::function<std::string(baton::delegate_id, const std::vector<baton::span<const char>>&, const std::vector<baton::span<char>>&)>
      execute_delegate;

  /// Returns the bytes of a mutable buffer or another value, if the values have separate memory.
  auto at(baton::value_id id) -> bytes& { return memory_[baton::index(id)]; }
  /// Returns the address of a value. With a plan, the value must be of the graph that runs; after a run, of the root graph.
  auto address(baton::value_id id) -> char* { return address(id, base_); }
  auto size_of(baton::value_id id) const -> std::size_t { return memory_[baton::index(id)].size(); }

 private:
  template <class Kernel>
  auto prepare(const baton::node& record) const -> bytes {
    bytes result;
    if constexpr (baton::preparing_kernel<Kernel>) {
      const auto elements = baton::prepare_node<Kernel>(program_, record);
      result.resize(elements.size() * sizeof(elements[0]));
      if (!result.empty()) std::memcpy(result.data(), elements.data(), result.size());
    }
    return result;
  }
  auto state_of(std::string_view target) const -> baton::value_id {
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind == baton::value_kind::mutable_buffer && program_.text(program_[id].target) == target) return id;
    }
    return baton::none<baton::value_id>;
  }

  template <class... Kernels, class After>
  auto run_nodes(baton::kernel_list<Kernels...> list, const baton::graph& graph, const After& after) -> std::string {
    for (const auto& record : program_.nodes_of(graph)) {
      const auto flow = baton::control_flow_of(program_, record);
      auto why = flow == baton::control_flow::none ? run_node(list, record) : run_flow(list, record, flow, after);
      if (!why.empty()) return std::string(program_.text(record.name)) + ": " + why;
      after(record);
    }
    return {};
  }

  /// The bytes of each operand or result of a subgraph.
  using argument_list = std::vector<bytes>;

  /// Runs a subgraph. `arguments` are replaced by its results.
  template <class... Kernels, class After>
  auto call(baton::kernel_list<Kernels...> list, baton::graph_id id, argument_list& arguments, const After& after) -> std::string {
    std::size_t next = 0;
    for (const auto input : program_.inputs(program_[id])) {
      if (program_[input].kind != baton::value_kind::user_input) continue;
      std::copy_n(arguments.at(next).data(), size_of(input), address(input));
      ++next;
    }
    auto why = run_nodes(list, program_[id], after);
    arguments.clear();
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (spec.kind == baton::output_kind::user_output) arguments.push_back(contents(spec.value));
    }
    return why;
  }
  auto contents(baton::value_id id) -> bytes { return bytes(address(id), address(id) + size_of(id)); }

  /// True if the scalar at `scalar` is not zero.
  auto is_true(baton::value_id id, const char* scalar) const -> bool {
    if (program_[id].type == baton::dtype::float32) {
      float number = 0;
      std::memcpy(&number, scalar, sizeof number);
      return number != 0;
    }
    return std::any_of(scalar, scalar + size_of(id), [](char byte) { return byte != 0; });
  }

  // Memory of a plan. The memory of a called graph is the scratch of the node that calls it.

  auto number_of(const baton::node& record) const -> std::uint32_t { return static_cast<std::uint32_t>(&record - program_.nodes.data()); }
  auto memory_at(const baton::memory_location& at, char* base) -> char* {
    return at.is_constant() ? memory_[baton::index(at.data)].data() : base + at.offset;
  }
  /// Returns the address of a value of a graph whose memory begins at `base`.
  auto address(baton::value_id id, char* base) -> char* {
    return plan_ == nullptr ? memory_[baton::index(id)].data() : memory_at(plan_->locations[baton::index(id)], base);
  }
  auto begin_of_called(baton::node_id call) const -> std::int64_t {
    return baton::location_of_scratch(program_, plan_->memory, baton::index(call)).offset;
  }
  /// Returns the address at which the memory of a graph with one caller begins.
  auto base_of(baton::graph_id id) -> char* {
    auto* base = arena_.data();
    for (; baton::index(id) != 0; id = plan_->calls.outer[baton::index(id)]) base += begin_of_called(plan_->calls.caller[baton::index(id)]);
    return base;
  }
  /// Performs the planned copies at the end of `graph`, which `call` has called. The memory of the graph begins at `base_`.
  void finish(baton::node_id call, baton::graph_id graph, std::size_t iteration) {
    for (const auto& each : plan_->copies) {
      if (each.call != call || each.graph != graph) continue;
      auto* const to = memory_at(each.to, base_) + (each.is_iteration_part ? iteration * each.bytes : 0);
      std::memcpy(to, memory_at(each.from, base_), each.bytes);
    }
  }

  /// Runs a node with subgraphs in the memory of the plan, as executors do: the carried values of a loop are in the outputs of the node.
  template <class... Kernels, class After>
  auto run_planned_flow(baton::kernel_list<Kernels...> list, const baton::node& record, baton::control_flow flow, const After& after)
      -> std::string {
    const auto node = static_cast<baton::node_id>(number_of(record));
    const auto graphs = program_.subgraphs_of(record);
    const auto inputs = program_.inputs(record);
    const auto outputs = program_.outputs_of(record);
    auto* const outer = base_;
    auto* const inner = outer + begin_of_called(node);
    std::string why;
    const auto begin = [&](baton::graph_id id, const auto& argument) {
      std::size_t next = 0;
      for (const auto input : program_.inputs(program_[id])) {
        if (program_[input].kind != baton::value_kind::user_input) continue;
        const auto* const from = argument(next++, size_of(input));
        auto* const to = address(input, inner);
        if (to != from && !plan_->locations[baton::index(input)].is_constant()) std::memcpy(to, from, size_of(input));
      }
      base_ = inner;
      why = run_nodes(list, program_[id], after);
      base_ = outer;
      return why.empty();
    };
    const auto end = [&](baton::graph_id id, std::size_t iteration) {
      base_ = inner;
      finish(node, id, iteration);
      base_ = outer;
    };
    if (flow == baton::control_flow::cond) {
      const auto branch = graphs[is_true(inputs[0], address(inputs[0])) ? 0 : 1];
      if (begin(branch, [&](std::size_t i, std::size_t) { return address(inputs[i + 1]); })) end(branch, 0);
      return why;
    }
    const auto counts = baton::loop_counts_of(program_, record);
    for (std::size_t i = 0; i < counts.carried; ++i) {
      if (address(outputs[i]) != address(inputs[i])) std::memcpy(address(outputs[i]), address(inputs[i]), size_of(outputs[i]));
    }
    std::size_t iteration = 0;
    const auto argument = [&](std::size_t i, std::size_t size) {
      if (i < counts.carried) return address(outputs[i]);
      return address(inputs[i]) + (i < counts.carried + counts.stacked ? iteration * size : 0);
    };
    if (flow == baton::control_flow::while_loop) {
      const auto decision = program_.outputs_of(program_[graphs[0]])[0].value;
      while (begin(graphs[0], argument) && is_true(decision, address(decision, inner)) && begin(graphs[1], argument)) end(graphs[1], 0);
      return why;
    }
    const auto iterations = static_cast<std::size_t>(program_.shape(inputs[counts.carried])[0]);
    for (; iteration < iterations && begin(graphs[0], argument); ++iteration) end(graphs[0], iteration);
    return why;
  }

  /// Runs a node with subgraphs.
  template <class... Kernels, class After>
  auto run_flow(baton::kernel_list<Kernels...> list, const baton::node& record, baton::control_flow flow, const After& after)
      -> std::string {
    if (plan_ != nullptr) return run_planned_flow(list, record, flow, after);
    const auto graphs = program_.subgraphs_of(record);
    const auto outputs = program_.outputs_of(record);
    argument_list operands;
    for (const auto id : program_.inputs(record)) operands.push_back(contents(id));
    std::string why;
    if (flow == baton::control_flow::cond) {
      const auto branch = graphs[is_true(program_.inputs(record)[0], operands[0].data()) ? 0 : 1];
      operands.erase(operands.begin());
      why = call(list, branch, operands, after);
    } else if (flow == baton::control_flow::while_loop) {
      while (why.empty()) {
        auto condition = operands, next = operands;
        why = call(list, graphs[0], condition, after);
        if (!why.empty() || !is_true(program_.outputs_of(program_[graphs[0]])[0].value, condition[0].data())) break;
        why = call(list, graphs[1], next, after);
        std::copy(next.begin(), next.end(), operands.begin());
      }
    } else {
      const auto counts = baton::loop_counts_of(program_, record);
      const auto steps = static_cast<std::size_t>(program_.shape(program_.inputs(record)[counts.carried])[0]);
      argument_list stacks(outputs.size());
      for (std::size_t step = 0; step < steps && why.empty(); ++step) {
        auto next = operands;
        for (std::size_t i = counts.carried; i < counts.carried + counts.stacked; ++i) {
          const auto size = static_cast<std::ptrdiff_t>(operands[i].size() / steps), first = size * static_cast<std::ptrdiff_t>(step);
          next[i] = bytes(operands[i].begin() + first, operands[i].begin() + first + size);
        }
        why = call(list, graphs[0], next, after);
        for (std::size_t i = 0; i < next.size(); ++i) {
          if (i < counts.carried) operands[i] = next[i];
          if (i >= counts.carried) stacks[i].insert(stacks[i].end(), next[i].begin(), next[i].end());
        }
      }
      for (std::size_t i = counts.carried; i < stacks.size(); ++i) {
        operands.resize(std::max(operands.size(), i + 1));
        operands[i] = stacks[i];
      }
    }
    for (std::size_t i = 0; i < outputs.size() && why.empty(); ++i) {
      std::copy_n(operands[i].data(), std::min(operands[i].size(), size_of(outputs[i])), address(outputs[i]));
    }
    return why;
  }

  template <class... Kernels>
  auto run_node(baton::kernel_list<Kernels...> list, const baton::node& record) -> std::string {
    if (record.delegate != baton::none<baton::delegate_id> && execute_delegate) return run_delegate(record);
    const auto chosen = baton::choose_kernel(list, program_, record);
    if (!chosen.support) return std::string(baton::view(chosen.support.reason));
    std::vector<const char*> inputs;
    for (const auto id : program_.inputs(record)) {  // room for a kernel that reads past the end of its operands
      if (id != baton::none<baton::value_id>) at(id).reserve(at(id).size() + chosen.facts.overread_bytes);
    }
    for (const auto id : program_.inputs(record)) inputs.push_back(id == baton::none<baton::value_id> ? nullptr : address(id));
    std::vector<char*> outputs;
    for (const auto id : program_.outputs_of(record)) outputs.push_back(address(id));
    const auto number = number_of(record);
    const auto order = plan_ == nullptr ? baton::write_order::ascending : plan_->memory.order_of(number);
    std::string why = "its kernel computes in constants alone";
    std::size_t at = 0;
    boost::hana::for_each(list.types, [&](auto candidate) {
      using kernel = typename decltype(candidate)::type;
      if constexpr (baton::plan_kernel<kernel>) {
        if (at == chosen.index) {
          bytes scratch;
          scratch.resize(chosen.facts.scratch_bytes);
          auto* const begin = plan_ == nullptr || scratch.empty() ? scratch.data() : base_ + plan_->memory.offset_of_scratch(number);
          const auto plan = std::make_unique<decltype(kernel::describe(program_, record).plan)>(kernel::describe(program_, record).plan);
          const auto prepared = prepare<kernel>(record);
          std::vector<char*> states;
          for (const auto id : program_.inputs(record)) {
            const bool is_state = id != baton::none<baton::value_id> && program_[id].kind == baton::value_kind::mutable_buffer;
            states.push_back(is_state ? address(id) : nullptr);
          }
          kernel::compute(
              *plan, {inputs.data(), outputs.data(), {begin, scratch.size()}, {prepared.data(), prepared.size()}, states.data(), order});
          why.clear();
        }
      }
      ++at;
    });
    return why;
  }

  auto run_delegate(const baton::node& record) -> std::string {
    std::vector<baton::span<const char>> inputs;
    for (const auto id : program_.inputs(record)) inputs.push_back({address(id), size_of(id)});
    std::vector<baton::span<char>> outputs;
    for (const auto id : program_.outputs_of(record)) outputs.push_back({address(id), size_of(id)});
    return execute_delegate(record.delegate, inputs, outputs);
  }

  baton::program_view program_;
  std::vector<bytes> memory_;  // with a plan, only constants
  const baton::execution_plan* plan_;
  bytes arena_;
  char* base_ = nullptr;  // of the memory of the graph that runs, in `arena_`
};

}  // namespace nodes
