// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts ONNX `Scan` to `scan`, which scans along dimension 0 in the forward direction. Transposes and slices are added for other axes
// and directions.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_bodies.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::onnx::detail {

/// An emitter of `Scan` nodes. The operands of a `Scan` are the initial values, then the scan inputs.
template <class Emitter>
class scan_emitter : body_emitter<Emitter> {
  using base = body_emitter<Emitter>;
  using base::emitter_, base::scope_, base::record_;
  using base::integer_constant, base::name_of;

 public:
  constexpr scan_emitter(Emitter& emit, scope& in, const node_record& record) : base(emit, in, record) {}

  constexpr auto run() -> bool {
    const auto body = base::body("body");
    if (body == npos) return base::template refuse<"malformed_operator">("attribute body is missing");
    auto& inner = emitter_.scope_at(body);
    const auto scan_inputs = base::integer("num_scan_inputs");
    const auto operands = static_cast<std::int64_t>(record_.inputs.size);
    if (scan_inputs < 1 || scan_inputs > operands || inner.inputs.size() != record_.inputs.size)
      return base::template refuse<"malformed_operator">("num_scan_inputs is ", scan_inputs, ", but the node has ", operands,
                                                         " operands and its body has ", inner.inputs.size(), " inputs");
    const auto carried = static_cast<std::size_t>(operands - scan_inputs);
    if (inner.outputs.size() < carried || inner.outputs.size() < record_.outputs.size)
      return base::template refuse<"malformed_operator">("its body has ", inner.outputs.size(), " outputs, but the node has ", carried,
                                                         " carried values and ", record_.outputs.size, " outputs");
    const scan_layout in_layout(*this, "scan_input_axes", "scan_input_directions");
    const scan_layout out_layout(*this, "scan_output_axes", "scan_output_directions");
    vector<value_id> ids;
    for (std::uint32_t i = 0; i < record_.inputs.size; ++i) {
      auto id = base::operand(i);
      if (id != none<value_id> && i >= carried) {
        const auto rank = base::program().values[index(id)].shape.size;
        auto axis = std::int64_t{0};
        if (!in_layout.axis_of(*this, i - carried, rank, axis)) return false;
        if (axis != 0) id = add_transpose(id, axis, 0, new_value("input", i));
        if (in_layout.is_reversed(i - carried)) id = add_reversal(id, new_value("reversed", i));
      }
      ids.push_back(id);
    }
    base::append_captures(ids);
    const graph_id graphs[] = {base::begin(inner)};
    for (std::uint32_t i = 0; i < record_.inputs.size; ++i) {
      if (!base::add_input(inner, i, ids[i], i >= carried)) return false;
    }
    if (!base::emit(inner)) return false;
    vector<value_id> results;
    for (const auto output : inner.outputs) results.push_back(base::add_graph_output(inner, output));
    base::end();
    if (base::model().why) return false;
    // If the axis of a scan output is not 0 or the direction is reverse, the `scan` node computes a separate value. Nodes after the `scan`
    // convert this value.
    vector<std::int64_t> axes(results.size(), 0);
    vector<value_id> scanned(results.size(), none<value_id>);
    for (std::size_t i = carried; i < results.size(); ++i) {
      const auto rank = base::program().values[index(results[i])].shape.size + 1;
      if (!out_layout.axis_of(*this, i - carried, rank, axes[i])) return false;
      if (axes[i] != 0 || out_layout.is_reversed(i - carried)) scanned[i] = new_value("output", i);
    }
    if (!base::add_scan_node(ids, carried, static_cast<std::size_t>(scan_inputs), results, graphs, scanned)) return false;
    for (std::size_t i = carried; i < results.size(); ++i) {
      if (scanned[i] == none<value_id>) continue;
      const bool is_reversed = out_layout.is_reversed(i - carried);
      const auto out = emitter_.add_output(scope_, record_, static_cast<std::uint32_t>(i));
      const auto reversed_out = is_reversed && axes[i] != 0 ? new_value("reversed", i) : out;
      auto id = scanned[i];
      if (is_reversed) id = add_reversal(id, reversed_out);
      if (axes[i] != 0) add_transpose(id, 0, axes[i], out);
    }
    return true;
  }

 private:
  /// The axes and directions of scan inputs or outputs, from the attributes. An omitted axis or direction is 0; direction 0 is forward.
  struct scan_layout {
    vector<std::int64_t> axes, directions;
    std::string_view name;

    constexpr scan_layout(scan_emitter& emitter, std::string_view axes_name, std::string_view directions_name)
        : axes(emitter.integers(axes_name)),
          directions(emitter.integers(directions_name)),
          name(axes_name) {}
    constexpr auto is_reversed(std::size_t at) const -> bool { return at < directions.size() && directions[at] != 0; }
    /// Sets `axis` to the axis of scan input or output `at`, which has `rank` dimensions. Returns false after an error.
    constexpr auto axis_of(scan_emitter& emitter, std::size_t at, std::int64_t rank, std::int64_t& axis) const -> bool {
      axis = at < axes.size() ? axes[at] : 0;
      if (axis < 0) axis += rank;
      if ((axis == 0 && rank == 0) || (axis >= 0 && axis < rank)) return true;
      return emitter.template refuse<"malformed_operator">(name, " has the axis ", axes[at], ", but the tensor has ", rank, " dimensions");
    }
  };

  constexpr auto new_value(std::string_view suffix, std::size_t at) -> value_id {
    return base::builder().add_value({.name = name_of(suffix, at)});
  }
  /// Adds a node that moves the axis `from` of a value to the axis `to`. Returns `out`.
  constexpr auto add_transpose(value_id in, std::int64_t from, std::int64_t to, value_id out) -> value_id {
    auto& builder = base::builder();
    const auto source = builder.at(in);
    vector<std::int64_t> order, sizes;
    for (std::int64_t d = 0; d < std::int64_t{source.shape.size}; ++d) {
      if (d != from) order.push_back(d);
    }
    order.insert(order.begin() + to, from);
    for (const auto d : order) sizes.push_back(base::program().integers[source.shape.first + static_cast<std::size_t>(d)]);
    emitter_.add_node(record_, "onnx.Transpose", {&in, 1}, {&out, 1});
    constexpr literal_name perm{"perm"};
    builder.add_attribute(
        {.name = program_builder::view(perm.text), .key = perm.hash, .kind = attribute_kind::integers, .list = builder.integers(order)});
    return set_type(out, source.type, builder.integers(sizes));
  }
  /// Adds a node that reverses dimension 0 of a value. Returns `out`.
  constexpr auto add_reversal(value_id in, value_id out) -> value_id {
    if (slice_.empty()) {
      const auto add = [this](std::string_view suffix, std::int64_t number) {
        slice_.push_back(integer_constant(name_of(suffix), {&number, 1}));
      };
      add("start", -1);
      add("stop", std::numeric_limits<std::int64_t>::min() + 1);
      add("dimension", 0);
      add("step", -1);
    }
    const auto source = base::builder().at(in);
    const value_id inputs[] = {in, slice_[0], slice_[1], slice_[2], slice_[3]};
    emitter_.add_node(record_, "onnx.Slice", inputs, {&out, 1});
    return set_type(out, source.type, source.shape);
  }
  constexpr auto set_type(value_id id, dtype type, range shape) -> value_id {
    base::builder().at(id).type = type;
    base::builder().at(id).shape = shape;
    return id;
  }

  vector<value_id> slice_;  ///< the operands start, stop, dimension and step of the `Slice` nodes that reverse dimension 0
};

}  // namespace baton::onnx::detail
