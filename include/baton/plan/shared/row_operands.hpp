// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operands of a node that is computed row by row.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/row_graph.hpp>

#include <cstddef>

namespace baton {

/// Calls `visit(value, image, operand_facts)` for each operand that is not a constant. `image` is the layout of the operand as an image of
/// rows and columns (`image_of`). `operand_facts` are the facts that the kernel declares for the operand. Returns whether a kernel with the
/// facts `facts` can compute the node row by row. If the result is false, `visit` may nevertheless have been called for some operands.
template <class Visit>
constexpr auto visit_row_operands(const program_view& program, const node& record, const kernel_facts& facts, Visit visit) -> bool {
  if (record.outputs.size != 1 || !image_of(program, program.outputs_of(record)[0]).is_image) return false;
  bool has_operand = false;
  const auto inputs = program.inputs(record);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == none<value_id> || !needs_memory(program[inputs[i]])) continue;
    const auto& operand = facts.operand(i);
    const auto image = image_of(program, inputs[i]);
    if (operand.window == row_window::none() || !image.is_image) return false;
    visit(inputs[i], image, operand);
    has_operand = true;
  }
  return has_operand;
}

}  // namespace baton
