// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs programs that are read at run time with the functions that kernels have (`describe`, `compute`), each value in memory of its own, so
// that sanitizers see every step beyond an end.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/run/kernel.hpp>
#include <baton/run/prepared.hpp>

#include <boost/hana/for_each.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nodes {

using bytes = std::vector<char>;

/// A kernel that computes with a plan made at run time.
template <class T>
concept run_time_kernel = requires(const baton::program_view& program, const baton::node& record, const baton::portable::node_memory& at) {
  T::compute(T::describe(program, record).plan, at);
};

/// How many bytes all user inputs take; those of a damaged program that have no size take none.
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
  explicit interpreter(const baton::program_view& program) : program_(program), memory_(program.values.size()) {
    for (std::size_t v = 0; v < program.values.size(); ++v) {
      const auto id = static_cast<baton::value_id>(v);
      const auto count = baton::byte_count(program[id].type, program.shape(id));
      if (count < 0) continue;
      memory_[v].reserve(1);  // an address, as in an arena, though nothing lies there
      const bool is_state = program[id].kind == baton::value_kind::mutable_buffer;
      memory_[v].assign(static_cast<std::size_t>(count), is_state ? '\0' : '\x5a');
      if (!baton::is_owned_data(program[id].kind)) continue;
      const auto data = program.data(program[id].data);
      std::copy_n(data.data(), std::min(data.size(), memory_[v].size()), memory_[v].data());
    }
  }

  /// Runs the root graph: the inputs' bytes one after another, then those of the outputs. Why not, if no kernel of the list takes a node.
  template <class... Kernels>
  auto run(baton::kernel_list<Kernels...> list, const bytes& input, bytes& output) -> std::string {
    std::size_t at = 0;
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind != baton::value_kind::user_input) continue;
      auto& to = memory_[baton::index(id)];
      if (at + to.size() > input.size()) return "too few bytes for the inputs";
      std::copy_n(input.data() + at, to.size(), to.data());
      at += to.size();
    }
    for (const auto& record : program_.nodes_of(program_.root())) {
      auto why = run_node(list, record);
      if (!why.empty()) return std::string(program_.text(record.name)) + ": " + why;
    }
    output.clear();
    std::vector<std::pair<baton::value_id, bytes>> mutations;  // all are read before one is written
    for (const auto& made : program_.outputs_of(program_.root())) {
      const auto& from = memory_[baton::index(made.value)];
      if (made.kind == baton::output_kind::user_output) {
        output.insert(output.end(), from.begin(), from.end());
      } else {
        mutations.emplace_back(state_of(program_.text(made.target)), from);
      }
    }
    for (const auto& [id, made] : mutations) memory_[baton::index(id)] = made;
    return {};
  }

  /// The bytes of a mutable buffer, or of another value.
  auto at(baton::value_id id) -> bytes& { return memory_[baton::index(id)]; }

 private:
  template <class Kernel>
  auto prepare(const baton::node& record) const -> bytes {
    bytes made;
    if constexpr (baton::preparing_kernel<Kernel>) {
      const auto elements = baton::prepare_node<Kernel>(program_, record);
      made.resize(elements.size() * sizeof(elements[0]));
      std::memcpy(made.data(), elements.data(), made.size());
    }
    return made;
  }
  auto state_of(std::string_view target) const -> baton::value_id {
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind == baton::value_kind::mutable_buffer && program_.text(program_[id].target) == target) return id;
    }
    return baton::none<baton::value_id>;
  }

  template <class... Kernels>
  auto run_node(baton::kernel_list<Kernels...> list, const baton::node& record) -> std::string {
    const auto chosen = baton::choose_kernel(list, program_, record);
    if (!chosen.found) return std::string(baton::view(chosen.found.reason));
    std::vector<const char*> inputs;
    for (const auto id : program_.inputs(record))
      inputs.push_back(id == baton::none<baton::value_id> ? nullptr : memory_[baton::index(id)].data());
    std::vector<char*> outputs;
    for (const auto id : program_.outputs_of(record)) outputs.push_back(memory_[baton::index(id)].data());
    std::string why = "its kernel computes in constants alone";
    std::size_t at = 0;
    boost::hana::for_each(list.types, [&](auto candidate) {
      using kernel = typename decltype(candidate)::type;
      if constexpr (run_time_kernel<kernel>) {
        if (at == chosen.index) {
          bytes scratch;
          if constexpr (baton::scratch_kernel<kernel>) scratch.resize(kernel::scratch_bytes(program_, record));
          const auto plan = std::make_unique<decltype(kernel::describe(program_, record).plan)>(kernel::describe(program_, record).plan);
          const auto prepared = prepare<kernel>(record);
          std::vector<char*> states;
          if constexpr (baton::stateful_kernel<kernel>) {
            for (const auto i : kernel::states) states.push_back(memory_[baton::index(program_.inputs(record)[i])].data());
          }
          kernel::compute(
              *plan, {inputs.data(), outputs.data(), {scratch.data(), scratch.size()}, {prepared.data(), prepared.size()}, states.data()});
          why.clear();
        }
      }
      ++at;
    });
    return why;
  }

  baton::program_view program_;
  std::vector<bytes> memory_;
};

}  // namespace nodes
