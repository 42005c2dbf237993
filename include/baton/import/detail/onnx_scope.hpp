// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The records of one ONNX graph, before they become nodes and values of a program.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_names.hpp>
#include <baton/import/detail/onnx_stated_types.hpp>
#include <baton/import/detail/protobuf.hpp>

#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// An attribute of a node. A node of an ONNX function, which the importer inlines, may refer to an attribute of the node that calls the
/// function (`ref_attr_name`). Then `source` is the attribute of the calling node, or the function's default for this attribute. The name
/// in `source` may differ from `name`.
struct attribute_record {
  std::string_view name;
  protobuf::field source;     ///< the `AttributeProto`
  std::uint32_t body = npos;  ///< the index of the scope of the attribute's graph, or `npos` if the value is not a graph
};

/// A node of a graph.
struct node_record {
  std::string_view name{};  ///< empty only if the node has neither a name nor outputs
  std::string_view domain{};
  std::string_view op{};
  std::uint64_t hash = 0;     ///< the hash of the operator's name in the program
  range inputs{};             ///< a range of `scope::operands`, in which `npos` is an omitted operand
  range outputs{};            ///< a range of `scope::operands`, in which `npos` is an omitted output
  range captures{};           ///< a range of `scope::operands`: the values of this graph that the node's bodies use
  range attributes{};         ///< a range of `scope::attributes`
  std::uint32_t handle = 0;   ///< the debug handle, the number that identifies a node of the model
  std::uint64_t version = 0;  ///< the version of the default operator set (domain `ai.onnx`)

  constexpr auto is(literal_name wanted) const -> bool { return hash == wanted.hash; }
};

/// True if a node is an `If`, `Loop` or `Scan`. The importer rewrites these operators, because they have bodies.
constexpr auto is_control_flow(const node_record& record) -> bool {
  constexpr literal_name names[] = {"onnx.If", "onnx.Loop", "onnx.Scan"};
  return is_among(record.hash, names);
}

/// The records of a graph: its values by name, its nodes and its constants. A value is identified by its index in `names`.
struct scope {
  std::string_view name;
  name_table names;
  vector<node_record> nodes;
  vector<std::uint32_t> operands;
  vector<attribute_record> attributes;
  vector<value> constants;
  vector<std::uint32_t> inputs;
  vector<protobuf::field> input_types;  ///< the `ValueInfoProto` of each input
  vector<std::uint32_t> outputs;
  vector<protobuf::field> output_types;  ///< the `ValueInfoProto` of each output
  vector<protobuf::field> stated_types;  ///< the `ValueInfoProto` of other values
  vector<std::uint32_t> captures;        ///< the values of outer graphs that this graph uses
  vector<std::uint32_t> captured_from;   ///< for each capture, the value in the containing graph; `npos` if the capture is an input of an
                                         ///< inlined function, and the call of this function omits the input
  std::uint32_t node_count = 0;          ///< the number of nodes of the graph in the file, without inlined nodes
};

}  // namespace baton::onnx::detail
