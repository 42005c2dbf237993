// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Control flow of ONNX. `If` becomes `cond`, and `Scan` becomes `scan`. A `Loop` becomes `scan` if its number of iterations is known and at
// most 4096. Any other `Loop` becomes `while_loop`.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_bodies.hpp>
#include <baton/import/detail/onnx_loops.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_scans.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace baton::onnx::detail {

/// An emitter of control flow nodes. It emits `If` itself; `scan_emitter` and `loop_emitter` emit `Scan` and `Loop`.
template <class Emitter>
class control_flow_emitter : body_emitter<Emitter> {
  using base = body_emitter<Emitter>;
  using base::emitter_, base::scope_, base::record_;

 public:
  constexpr control_flow_emitter(Emitter& emit, scope& in, const node_record& record) : base(emit, in, record) {}

  constexpr auto run() -> bool {
    if (record_.is("onnx.If")) return add_if();
    if (record_.is("onnx.Scan")) return scan_emitter<Emitter>(emitter_, scope_, record_).run();
    return loop_emitter<Emitter>(emitter_, scope_, record_).run();
  }

 private:
  constexpr auto add_if() -> bool {
    constexpr std::string_view names[] = {"then_branch", "else_branch"};
    const std::uint32_t bodies[] = {base::body(names[0]), base::body(names[1])};
    if (bodies[0] == npos || bodies[1] == npos)
      return base::template refuse<"malformed_operator">("attribute ", names[bodies[0] == npos ? 0 : 1], " is missing");
    if (record_.inputs.size != 1) return base::template refuse<"malformed_operator">("it has ", record_.inputs.size, " operands, not 1");
    vector<value_id> operands{base::operand(0)};
    base::append_captures(operands);
    graph_id graphs[2] = {};
    vector<value_id> results[2];
    for (std::size_t i = 0; i < 2; ++i) {
      auto& branch = emitter_.scope_at(bodies[i]);
      if (!branch.inputs.empty())
        return base::template refuse<"malformed_operator">("its ", names[i], " has ", branch.inputs.size(), " inputs, not 0");
      graphs[i] = base::begin(branch);
      if (!base::emit(branch)) return false;
      for (const auto output : branch.outputs) results[i].push_back(base::add_graph_output(branch, output));
      base::end();
      if (results[i].size() < record_.outputs.size)
        return base::template refuse<"malformed_operator">("its ", names[i], " has ", results[i].size(), " outputs, but the node has ",
                                                           record_.outputs.size);
    }
    if (base::model().why) return false;
    if (results[0].size() != results[1].size())
      return base::template refuse<"malformed_operator">("its branches have different numbers of outputs, ", results[0].size(), " and ",
                                                         results[1].size());
    base::add_node("cond", operands, results[0].size(), graphs);
    for (std::size_t i = 0; i < results[0].size(); ++i) {
      if (!base::set_common_type(i, results[0][i], results[1][i])) return false;
    }
    return true;
  }
};

}  // namespace baton::onnx::detail
