// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Delegates of XNNPACK that are lowered and run at run time, in programs whose other nodes are computed by the reference kernels.
#pragma once

#include <baton/backends/xnnpack/xnnpack.hpp>

#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/processed_bytes.hpp>

#include "nodes/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace delegates {

using nodes::bytes;

/// A partitioner whose only part is one node with its constants.
struct one_node {
  baton::node_id id;

  constexpr auto partition(const baton::program_view& program) const -> baton::partition_result {
    baton::partition_result tagged{program};
    tagged.tag_node(id, tagged.add_tag("alone", baton::delegation_spec{baton::to_text(baton::xnnpack::backend::id)}));
    baton::tag_constant_data(tagged, program);
    return tagged;
  }
};

/// A delegate of a lowered program. The program must outlive it.
class delegate {
 public:
  delegate(const baton::program_view& program, baton::delegate_id id) {
    const baton::lowered_module_view module(program, id);
    for (const auto& entry : module.named_data()) named_.push_back({program.text(entry.key), stored(program.data(entry.data))});
    const auto processed_bytes = module.processed_bytes();
    processed_bytes_.assign(processed_bytes.begin(), processed_bytes.end());
  }
  delegate(const delegate&) = delete;
  auto operator=(const delegate&) -> delegate& = delete;
  ~delegate() { baton::xnnpack::backend::destroy(own_); }

  auto init(std::uint32_t threads = 1) -> baton::status {
    baton::processed_bytes owner;
    owner.hold({{processed_bytes_.data(), processed_bytes_.size()}});
    const baton::xnnpack::backend::options options{.threads = threads};
    baton::init_context<baton::xnnpack::backend::options> context{owner, {}, "forward", {{named_.data(), named_.size()}, nullptr}, options};
    const auto code = baton::xnnpack::backend::init(context, own_);
    failed_operation = context.failed_operation;
    return code;
  }
  /// Runs with copies of arguments and results. The copies are aligned as in an arena, and some bytes after their end are readable.
  auto run(const std::vector<bytes>& inputs, std::vector<bytes>& outputs) -> baton::status {
    std::vector<baton::span<const char>> from;
    std::vector<baton::span<char>> to;
    std::deque<std::vector<std::max_align_t>> memory;
    const auto place = [&](const bytes& contents) {
      memory.emplace_back((contents.size() + baton::xnnpack::backend::overread_bytes) / sizeof(std::max_align_t) + 1);
      auto* const at = reinterpret_cast<char*>(memory.back().data());
      std::copy(contents.begin(), contents.end(), at);
      return at;
    };
    for (const auto& input : inputs) from.push_back({place(input), input.size()});
    for (auto& output : outputs) to.push_back({place(bytes(output.size(), '\x5a')), output.size()});
    const auto code = execute({{}, {from.data(), from.size()}, {to.data(), to.size()}, {}});
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].assign(to[i].begin(), to[i].end());
    return code;
  }
  auto execute(const baton::delegate_call& call) -> baton::status {
    const baton::xnnpack::backend::options options;
    return baton::xnnpack::backend::execute({call, "forward", options}, own_);
  }
  /// The processed bytes, for tests that damage them.
  auto processed_bytes() -> bytes& { return processed_bytes_; }
  auto named() -> std::vector<baton::named_data_map::entry>& { return named_; }
  auto state() const -> const baton::xnnpack::backend::state& { return own_; }

  std::int64_t failed_operation = -1;

 private:
  /// Returns an aligned copy, as in an image.
  auto stored(baton::span<const char> from) -> baton::span<const char> {
    kept_.emplace_back(from.size() / sizeof(std::max_align_t) + 1);
    auto* const at = reinterpret_cast<char*>(kept_.back().data());
    std::copy(from.begin(), from.end(), at);
    return {at, from.size()};
  }

  bytes processed_bytes_;
  std::deque<std::vector<std::max_align_t>> kept_;
  std::vector<baton::named_data_map::entry> named_;
  baton::xnnpack::backend::state own_{};
};

/// A kernel of the interpreter that calls delegates. `initialized` contains the delegates of the running program, by number.
struct call_kernel {
  struct plan_type {
    std::uint32_t delegate = 0;
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> outputs;
  };
  static inline std::deque<delegate>* initialized = nullptr;

  static auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<plan_type> {
    if (record.delegate == baton::none<baton::delegate_id>) return {baton::refuse()};
    const auto size_of = [&](baton::value_id id) {
      return static_cast<std::size_t>(baton::byte_count(program[id].type, program.shape(id)));
    };
    plan_type plan{baton::index(record.delegate), {}, {}};
    for (const auto id : program.inputs(record)) plan.inputs.push_back(size_of(id));
    for (const auto id : program.outputs_of(record)) plan.outputs.push_back(size_of(id));
    return {baton::accept(), plan};
  }
  static void compute(const plan_type& plan, const baton::node_memory& memory) {
    std::vector<bytes> inputs;
    std::vector<bytes> outputs;
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) inputs.emplace_back(memory.inputs[i], memory.inputs[i] + plan.inputs[i]);
    for (const auto size : plan.outputs) outputs.emplace_back(size);
    if ((*initialized)[plan.delegate].run(inputs, outputs) != baton::status::ok) return;
    for (std::size_t i = 0; i < outputs.size(); ++i) std::copy(outputs[i].begin(), outputs[i].end(), memory.outputs[i]);
  }
};

/// A lowered program whose delegates run on XNNPACK and whose other nodes run on the reference kernels.
class net {
 public:
  explicit net(const baton::program_view& lowered, std::uint32_t threads = 1) : runner_(lowered) {
    for (std::uint32_t d = 0; d < lowered.delegates.size(); ++d) {
      const auto code = delegates_.emplace_back(lowered, baton::delegate_id{d}).init(threads);
      if (code != baton::status::ok && why.empty())
        why = "init of delegate " + std::to_string(d) + ": " + std::string(baton::to_text(code));
    }
  }
  auto run(const bytes& input) -> bytes {
    bytes output;
    call_kernel::initialized = &delegates_;
    if (why.empty()) why = runner_.run(baton::kernels<call_kernel> + baton::portable_kernels, input, output);
    return output;
  }
  auto at(std::size_t d) -> delegate& { return delegates_[d]; }

  std::string why;  ///< why the program does not run, or ""

 private:
  std::deque<delegate> delegates_;
  nodes::interpreter runner_;
};

/// Returns the maximum distance from `expected`: for int8 in steps, for float32 relative, but absolute below 1.
inline auto distance(baton::dtype type, const char* actual, const char* expected, std::size_t size) -> double {
  double max_distance = 0;
  for (std::size_t at = 0; at < size; at += type == baton::dtype::float32 ? 4 : 1) {
    if (type == baton::dtype::float32) {
      float a = 0;
      float b = 0;
      std::memcpy(&a, actual + at, 4);
      std::memcpy(&b, expected + at, 4);
      if (std::isnan(a) && std::isnan(b)) continue;
      if (a == b) continue;  // infinities
      const auto off = std::fabs(static_cast<double>(a) - static_cast<double>(b)) / std::fmax(1.0, std::fabs(static_cast<double>(b)));
      max_distance = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::fmax(max_distance, off);
    } else {
      max_distance = std::fmax(max_distance, std::abs(static_cast<signed char>(actual[at]) - static_cast<signed char>(expected[at])));
    }
  }
  return max_distance;
}

}  // namespace delegates
