// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lists the external files of an ONNX model, so that a tool can read them before it reads the model.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_external_data.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::onnx {

namespace detail {

/// A collector of the paths of a model's external files.
class external_file_finder {
 public:
  constexpr explicit external_file_finder(span<const char> bytes) : reading_(bytes, {}), size_(bytes.size()) {}

  constexpr auto run() -> result<vector<std::string_view>> {
    field f{};
    for (message model(reading_.reader, 0, size_); model.next(f);) {
      if (f.number == number::model::graph) visit_graph(f, 0);
      if (f.number == number::model::functions) visit_function(f);
    }
    if (!reading_.check_errors("the fields of the model")) return std::move(reading_.why);
    return std::move(locations_);
  }

 private:
  /// Visits the nodes and the default values of attributes.
  constexpr void visit_function(const field& from) {
    visit_nodes(from, number::function::node, 0);
    field f{};
    for (message function(reading_.reader, from); function.next(f);) {
      if (f.number == number::function::default_attribute) visit_attribute(f, 0);
    }
  }
  constexpr void visit_graph(const field& from, std::uint32_t depth) {
    field f{};
    for (message graph(reading_.reader, from); graph.next(f);) {
      if (f.number == number::graph::initializer) visit_tensor(f);
      if (f.number == number::graph::sparse_initializer) visit_sparse_tensor(f);
    }
    visit_nodes(from, number::graph::node, depth);
  }
  /// Visits the tensors and graphs in the attributes of all nodes. The nodes are the fields with the number `node_number` in the message
  /// `from`.
  constexpr void visit_nodes(const field& from, std::uint32_t node_number, std::uint32_t depth) {
    if (depth > reading::max_nesting) {
      reading_.refuse<"nested_too_deep">("more than ", reading::max_nesting, " graphs");
      return;
    }
    field f{};
    for (message nodes(reading_.reader, from); nodes.next(f);) {
      if (f.number != node_number) continue;
      field a{};
      for (message node(reading_.reader, f); node.next(a);) {
        if (a.number == number::node::attribute) visit_attribute(a, depth);
      }
    }
  }
  constexpr void visit_attribute(const field& from, std::uint32_t depth) {
    field f{};
    for (message attribute(reading_.reader, from); attribute.next(f);) {
      if (f.number == number::attribute::tensor) visit_tensor(f);
      if (f.number == number::attribute::sparse_tensor) visit_sparse_tensor(f);
      if (f.number == number::attribute::graph) visit_graph(f, depth + 1);
    }
  }
  constexpr void visit_sparse_tensor(const field& from) {
    field f{};
    for (message sparse(reading_.reader, from); sparse.next(f);) {
      if (f.number == number::sparse_tensor::values || f.number == number::sparse_tensor::indices) visit_tensor(f);
    }
  }
  constexpr void visit_tensor(const field& from) {
    external_data external;
    std::string_view name;
    bool is_external = false;
    field f{};
    for (message tensor(reading_.reader, from); tensor.next(f);) {
      if (f.number == number::tensor::name) name = reading_.text(f);
      if (f.number == number::tensor::external_data) external.add(reading_, f);
      if (f.number == number::tensor::data_location) is_external = reading_.number(f) == 1;
    }
    if (!is_external || !reading_.reader.ok() || !external.check_path(reading_, name)) return;
    const auto location = without_dot(external.location());
    reading_.reader.charge(locations_.size());
    for (const auto known : locations_) {
      if (known == location) return;
    }
    locations_.push_back(location);
  }

  reading reading_;
  std::size_t size_;
  vector<std::string_view> locations_;
};

}  // namespace detail

/// Returns the locations of the files that contain tensors of a model. The locations are paths relative to the folder of the model, without
/// a leading `./`, and without duplicates. For each graph, the files of initializers precede the files of attributes. The paths are views
/// of the bytes. The list is empty if the model contains all of its tensors. Pass the files as `read_options::files` or as `external_file`.
/// Fails with `refused_path` if a path is absolute or leaves the folder of the model. Also fails with `nested_too_deep` if graphs are
/// nested too deeply, and with `damaged_model` if the file is damaged.
constexpr auto external_files_of(span<const char> bytes) -> result<vector<std::string_view>> {
  return detail::external_file_finder(bytes).run();
}

}  // namespace baton::onnx
