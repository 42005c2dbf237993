// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A kernel of `tfl.pad` for images, which writes the zero point around them.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/operators/known_integers.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace transform_tests {

/// [height, width] of the input, of the output and of the padding before the input; the bytes of a pixel, and the byte that pads.
struct padding {
  std::array<std::size_t, 2> in{}, out{}, before{};
  std::size_t pixel = 0;
  int value = 0;
};

struct pad_kernel {
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<padding> {
    if (!record.is("tfl.pad")) return {baton::refuse()};
    padding plan;
    const auto in = program.inputs(record)[0], out = program.outputs_of(record)[0];
    const auto sizes = baton::known_integers::in(program, program.inputs(record)[1]);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      plan.in[axis] = static_cast<std::size_t>(program.shape(in)[axis + 1]);
      plan.out[axis] = static_cast<std::size_t>(program.shape(out)[axis + 1]);
      plan.before[axis] = static_cast<std::size_t>(sizes[2 * axis + 2]);
    }
    plan.pixel = static_cast<std::size_t>(program.shape(in)[3]) * baton::facts(program[in].type).bits / 8;
    if (program[in].quant.channels != 0) plan.value = static_cast<int>(program.zero_point(program[in].quant));
    return {baton::accept(), plan};
  }
  static void compute(const padding& plan, const baton::node_memory& memory) {
    std::memset(memory.outputs[0], plan.value, plan.out[0] * plan.out[1] * plan.pixel);
    for (std::size_t line = 0; line < plan.in[0]; ++line) {
      std::memcpy(memory.outputs[0] + ((line + plan.before[0]) * plan.out[1] + plan.before[1]) * plan.pixel,
                  memory.inputs[0] + line * plan.in[1] * plan.pixel, plan.in[1] * plan.pixel);
    }
  }
};

}  // namespace transform_tests
