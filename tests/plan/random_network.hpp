// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random int8 networks of layers that the Cortex-M kernels and the portable kernels compute, and the execution of a plan at run time.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/prepared_elements.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace plan_tests {

using namespace baton;

/// The numbers of `std::mt19937`, also in a constant expression.
class constant_mt19937 {
 public:
  constexpr explicit constant_mt19937(std::uint32_t seed) {
    state_[0] = seed;
    for (std::uint32_t i = 1; i < size; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  }
  constexpr auto operator()() -> std::uint32_t {
    if (at_ == size) refill();
    auto y = state_[at_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
  }

 private:
  static constexpr std::uint32_t size = 624;

  constexpr void refill() {
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto y = (state_[i] & 0x80000000u) | (state_[(i + 1) % size] & 0x7fffffffu);
      state_[i] = state_[(i + 397) % size] ^ (y >> 1) ^ ((y & 1) != 0 ? 0x9908b0dfu : 0u);
    }
    at_ = 0;
  }

  std::array<std::uint32_t, size> state_{};
  std::uint32_t at_ = size;
};

/// A chain of convolutions, depthwise convolutions, pools and residual sums, with a fully connected layer at its end.
class random_network {
 public:
  constexpr explicit random_network(std::uint32_t seed) : random_(seed) {}

  constexpr auto run() -> exported_program {
    size_ = 2 + below(7);
    channels_ = 1 + below(9);
    auto latest = build_.user_input("x", image());
    build_.quantize(latest, 0.05f, -3);
    for (auto left = 1 + below(5); left > 0; --left) latest = layer(latest);
    if (below(3) == 0) latest = pool(latest, "tfl.average_pool_2d", size_);
    if (below(2) == 0) latest = dense(latest);
    build_.output(latest);
    return build_.finish();
  }

 private:
  constexpr auto below(int limit) -> int { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  constexpr auto image() const -> tensor_type { return tensor(dtype::int8, 1, size_, size_, channels_); }

  constexpr auto weights(const tensor_type& type, std::int32_t axis, int channels) -> value_id {
    text_buffer bytes;
    for (std::int64_t i = 0; i < element_count(type.shape()); ++i) bytes.push_back(static_cast<char>(below(255) - 127));
    const auto id = build_.parameter(view(join("w", count_++)), type, view(bytes));
    vector<float> scales;
    scales.assign(static_cast<std::size_t>(channels), 0.01f);
    vector<std::int64_t> zeros;
    zeros.assign(static_cast<std::size_t>(channels), 0);
    build_.quantize(id, scales, zeros, axis);
    return id;
  }
  constexpr auto bias(int channels) -> value_id {
    text_buffer bytes;
    for (int i = 0; i < channels; ++i) {
      const auto number = static_cast<std::uint32_t>(below(4001) - 2000);
      for (int b = 0; b < 4; ++b) bytes.push_back(static_cast<char>(static_cast<std::uint8_t>(number >> (8 * b))));
    }
    return build_.parameter(view(join("b", count_++)), tensor(dtype::int32, channels), view(bytes));
  }
  constexpr auto quantized(value_id id, float scale = 0.2f) -> value_id {
    build_.quantize(id, scale, below(2) == 0 ? 4 : -7);
    return id;
  }

  constexpr auto layer(value_id from) -> value_id {
    switch (below(6)) {
      case 0:
      case 1:
        return convolution(from, 1);
      case 2:
        return convolution(from, 3);
      case 3:
        return depthwise(from);
      case 4:
        return size_ % 2 == 0 ? pool(from, below(2) == 0 ? "tfl.max_pool_2d" : "tfl.average_pool_2d", 2) : depthwise(from);
      default: {
        const auto branch = depthwise(from);
        return quantized(build_.call("tfl.add", {branch, from}, image(), {{"fused_activation_function", "none"}}));
      }
    }
  }
  constexpr auto convolution(value_id from, int window) -> value_id {
    const auto out = below(3) == 0 ? 2 * channels_ : 1 + below(16);
    const auto filter = weights(tensor(dtype::int8, out, window, window, channels_), 0, out);
    const auto stride = 1 + below(4) / 3;
    channels_ = out;
    size_ = (size_ + stride - 1) / stride;
    return quantized(build_.call("tfl.conv_2d", {from, filter, bias(out)}, image(),
                                 {{"padding", "same"}, {"stride_h", stride}, {"stride_w", stride}, {"fused_activation_function", "none"}}));
  }
  constexpr auto depthwise(value_id from) -> value_id {
    const auto filter = weights(tensor(dtype::int8, 1, 3, 3, channels_), 3, channels_);
    return quantized(build_.call(
        "tfl.depthwise_conv_2d", {from, filter, bias(channels_)}, image(),
        {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 1}, {"fused_activation_function", "none"}}));
  }
  constexpr auto pool(value_id from, const char* op, int window) -> value_id {
    size_ = size_ / window;
    const auto id = build_.call(op, {from}, image(),
                                {{"padding", "valid"},
                                 {"stride_h", window},
                                 {"stride_w", window},
                                 {"filter_height", window},
                                 {"filter_width", window},
                                 {"fused_activation_function", "none"}});
    const auto quant = build_.at(from).quant;
    build_.at(id).quant = quant;
    return id;
  }
  constexpr auto dense(value_id from) -> value_id {
    const auto inputs = size_ * size_ * channels_;
    const auto out = 1 + below(12);
    const auto flat = build_.call("tfl.reshape", {from}, tensor(dtype::int8, 1, inputs));
    build_.at(flat).quant = build_.at(from).quant;
    const auto filter = weights(tensor(dtype::int8, out, inputs), 0, 1);
    return quantized(
        build_.call("tfl.fully_connected", {flat, filter, bias(out)}, tensor(dtype::int8, 1, out), {{"fused_activation_function", "none"}}),
        0.6f);
  }

  constant_mt19937 random_;
  program_builder build_;
  int size_ = 1;
  int channels_ = 1;
  int count_ = 0;
};

/// Computes a node with a kernel.
template <class Kernel>
void compute_with(const program_view& program, const node& record, node_memory at) {
  const auto description = std::make_unique<decltype(Kernel::describe(program, record))>(Kernel::describe(program, record));
  if constexpr (preparing_kernel<Kernel>) {
    const auto prepared = prepare_node<Kernel>(program, record);
    at.prepared = {reinterpret_cast<const char*>(prepared.data()), prepared.size() * sizeof(prepared_element_of<Kernel>)};
    Kernel::compute(description->plan, at);
  } else {
    Kernel::compute(description->plan, at);
  }
}

/// Runs plans at run time. `Portable` are kernels that compute every node.
template <class... Portable>
class plan_runner {
 public:
  plan_runner(const program_view& program, const execution_plan& plan) : program_(program), plan_(plan) {}

  /// Runs a program with one input and one output as planned with `list`. The plan has no segments.
  template <class... Kernels>
  auto run(kernel_list<Kernels...>, const std::string& input) -> std::string {
    constexpr std::size_t alignment = 16;
    constexpr std::size_t slack = 64;  // kernels over-read at most this number of bytes
    std::vector<char> memory(plan_.memory.arena_bytes + alignment + slack, '\x33');
    arena_ = memory.data() + (alignment - reinterpret_cast<std::uintptr_t>(memory.data()) % alignment) % alignment;
    const auto x = program_.inputs(program_.root())[0];
    std::copy(input.begin(), input.end(), arena_ + plan_.locations[index(x)].offset);
    for (const auto id : plan_.memory.steps.nodes) {
      std::size_t at = 0;
      static_cast<void>(((at++ == plan_.kernels[index(id)] && compute<Kernels>(index(id))) || ...));
    }
    const auto y = program_.outputs_of(program_.root())[0].value;
    const char* from = arena_ + plan_.outputs[0].offset;
    return {from, bytes_of(y)};
  }

 private:
  auto bytes_of(value_id id) const -> std::size_t { return static_cast<std::size_t>(byte_count(program_[id].type, program_.shape(id))); }

  /// Computes node `n`. If the kernel needs a node that is a constant, overwrites the scratch, and computes the node with a portable kernel
  /// from copies of the operands.
  template <class Kernel>
  auto compute(std::uint32_t n) -> bool {
    const auto& record = program_.nodes[n];
    std::vector<const char*> inputs;
    for (const auto id : program_.inputs(record)) {
      const auto& location = plan_.locations[index(id)];
      inputs.push_back(location.is_constant() ? program_.data(program_[location.data].data).data() : arena_ + location.offset);
    }
    char* output = arena_ + plan_.locations[index(program_.outputs_of(record)[0])].offset;
    node_memory at{inputs.data(), &output};
    if (!plan_.scratch_bytes.empty() && plan_.scratch_bytes[n] != 0) {
      at.scratch = {arena_ + location_of_scratch(program_, plan_.memory, n).offset, plan_.scratch_bytes[n]};
    }
    at.order = plan_.memory.order_of(n);
    if constexpr (plan_kernel<Kernel>) {
      compute_with<Kernel>(program_, record, at);
    } else {
      std::vector<std::string> copies;
      for (std::size_t i = 0; i < inputs.size(); ++i) copies.emplace_back(inputs[i], bytes_of(program_.inputs(record)[i]));
      for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = copies[i].data();
      std::fill(at.scratch.begin(), at.scratch.end(), '\x55');
      static_cast<void>(((ask_kernel<Portable>(program_, record).support && (compute_with<Portable>(program_, record, at), true)) || ...));
    }
    return true;
  }

  program_view program_;
  const execution_plan& plan_;
  char* arena_ = nullptr;
};

/// Runs a program as planned with `list`. `portable` are kernels that compute every node.
template <class... Kernels, class... Portable>
auto output_of_plan(kernel_list<Kernels...> list, kernel_list<Portable...>, const program_view& program, const execution_plan& plan,
                    const std::string& input) -> std::string {
  return plan_runner<Portable...>(program, plan).run(list, input);
}

}  // namespace plan_tests
