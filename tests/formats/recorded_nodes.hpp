// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The integer tensors that a run of a quantized program recorded, and the values of the program after passes that they belong to.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>

#include "formats/difference_counts.hpp"
#include "formats/manifest.hpp"
#include "formats/portable_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace formats {

using baton::dtype;
using baton::node;
using baton::node_id;
using baton::none;
using baton::program_view;
using baton::span;
using baton::value_id;

/// A recorded tensor, in the layout of the file. Its name is that of the value, or that of the node if the format does not name values.
struct recorded_tensor {
  std::string_view name;
  std::string_view dtype;
  std::vector<std::int64_t> shape;
  span<const char> bytes;
};
/// The recorded integer tensors of a case by the names of the nodes that compute them.
using recording = std::map<std::string_view, recorded_tensor>;

inline auto read_recording(span<const char> index, span<const char> tensors) -> recording {
  recording result;
  for (const auto item : items_of({index.data(), index.size()})) {
    const auto node = unquoted(json_at(item, "node")), named = json_at(item, "tensor");
    recorded_tensor tensor{named.empty() ? node : unquoted(named), unquoted(json_at(item, "dtype")), {}, {}};
    if (tensor.dtype != "int8" && tensor.dtype != "uint8") continue;
    for (const auto size : items_of(json_at(item, "shape"))) tensor.shape.push_back(std::stoll(std::string(size)));
    tensor.bytes =
        tensors.subspan(static_cast<std::size_t>(number_at(item, "offset", 0)), static_cast<std::size_t>(number_at(item, "bytes", 0)));
    result.emplace(node, tensor);
  }
  return result;
}

/// The sizes of an image: [number, channels, pixels]. The number is 0 for values that are in the layout of the file.
struct image_sizes {
  std::size_t number = 0, channels = 0, pixels = 0;
};
/// Returns the elements of an image with channels last.
inline auto with_channels_last(span<const char> from, image_sizes sizes) -> std::vector<char> {
  std::vector<char> result;
  for (std::size_t n = 0; n < sizes.number; ++n) {
    for (std::size_t pixel = 0; pixel < sizes.pixels; ++pixel) {
      for (std::size_t c = 0; c < sizes.channels; ++c) result.push_back(from[(n * sizes.channels + c) * sizes.pixels + pixel]);
    }
  }
  return result;
}

/// A legalized program and the tensors that were recorded for its values.
class recorded_program {
 public:
  recorded_program(const program_view& file, const program_view& legal, const recording& from)
      : file_(file),
        legal_(legal),
        producers_(producers_of(legal)),
        images_(legal.values.size()) {
    for (const auto& record : legal.nodes) find_layout(record);
    for (const auto& record : legal.nodes) find_tensor(record, from);
  }

  /// Returns the recorded elements of an output of a node, in the layout of the value, or nothing if none were recorded.
  auto expected(value_id id) const -> const std::vector<char>* {
    const auto entry = tensors_.find(id);
    return entry == tensors_.end() ? nullptr : &entry->second;
  }
  /// Returns the operators between the recorded operands of a node and its output, in order of execution.
  auto operators_of(const node& record) const -> std::string {
    std::string names;
    for (const auto id : legal_.inputs(record)) {
      if (id == none<value_id> || tensors_.contains(id) || producers_[index(id)] == none<node_id>) continue;
      const auto& producer = legal_[producers_[index(id)]];
      if (!is_layout_move(producer)) names += operators_of(producer) + ",";
    }
    return names + std::string(legal_.text(record.target));
  }

 private:
  auto is_of_file(std::int64_t handle) const -> bool { return handle > 0 && handle <= static_cast<std::int64_t>(file_.nodes.size()); }
  /// True if the passes added a node that only changes the layout of a value.
  auto is_layout_move(const node& record) const -> bool {
    return !is_of_file(record.debug_handle) && (record.is("tfl.transpose") || record.is("tfl.reshape"));
  }

  /// Convolutions and pools have channels last. A layout move changes the layout. Every other node keeps the layout of its
  /// first operand, also a reshape to rows, whose elements remain in the order of the image.
  void find_layout(const node& record) {
    const auto output = legal_.outputs_of(record)[0];
    const auto shape = legal_.shape(output);
    const auto name = legal_.text(record.target);
    const auto operand = images_[index(legal_.inputs(record)[0])];
    auto& image = images_[index(output)];
    const bool is_layer = name.find("conv_2d") != std::string_view::npos || name.find("pool_2d") != std::string_view::npos;
    const auto size = [&](std::size_t d) { return static_cast<std::size_t>(shape[d]); };
    if (shape.size() == 4) {
      const bool is_last = is_layer || (operand.number != 0) != is_layout_move(record);
      if (is_last) image = {size(0), size(3), size(1) * size(2)};
    } else if (record.is("tfl.reshape") && !is_layout_move(record)) {
      image = operand;
    }
  }

  void find_tensor(const node& record, const recording& from) {
    const auto output = legal_.outputs_of(record)[0];
    for (const auto& each : from) {
      if (each.second.name == legal_.text(legal_[output].name)) set_tensor(output, each.second);
    }
    // Otherwise, the output of a node is that of the quantization that passes merged into the node.
    std::vector<std::int64_t> handles{record.debug_handle};
    for (const auto handle : legal_.folded_handles(record)) handles.push_back(handle);
    for (const auto handle : handles) {
      if (!is_of_file(handle)) continue;
      const auto entry = from.find(file_.text(file_.nodes[static_cast<std::size_t>(handle - 1)].name));
      if (entry != from.end()) set_tensor(output, entry->second);
    }
  }
  void set_tensor(value_id output, const recorded_tensor& tensor) {
    const auto type = facts(legal_[output].type).name;
    const bool is_shifted = tensor.dtype == "uint8" && type == "int8";  // passes subtract 128
    if (tensor.dtype != type && !is_shifted) return;
    if (static_cast<std::int64_t>(tensor.bytes.size()) != byte_count(legal_[output].type, legal_.shape(output))) return;
    const auto image = images_[index(output)];
    std::vector<char> elements(tensor.bytes.begin(), tensor.bytes.end());
    if (image.number != 0) elements = with_channels_last(tensor.bytes, image);
    for (auto& element : elements) element = is_shifted ? static_cast<char>(static_cast<unsigned char>(element) ^ 128u) : element;
    tensors_[output] = elements;
  }

  program_view file_, legal_;
  baton::vector<node_id> producers_;
  std::vector<image_sizes> images_;  // by value
  std::map<value_id, std::vector<char>> tensors_;
};

/// Runs a program after passes, counts the differences of each recorded value in rows with the name `row`, and goes on with the recorded
/// elements. Returns the number of values that were compared, or the reason why a node does not run.
inline auto count_differences(const std::string& row, const program_view& legal, const recorded_program& recorded, span<const char> input,
                              count_table& to) -> std::pair<std::size_t, std::string> {
  std::size_t compared = 0;
  std::vector<char> output;
  const auto after = [&](const node& record, const memory_of_value& memory) {
    const auto id = legal.outputs_of(record)[0];
    const auto* const expected = recorded.expected(id);
    if (expected == nullptr) return;
    const auto actual = memory(id);
    if (actual.size() != expected->size()) return;
    add(to[{row, recorded.operators_of(record)}], actual, *expected, legal[id].type == dtype::int8);
    std::copy(expected->begin(), expected->end(), actual.data());
    ++compared;
  };
  auto why = run_portable(legal, input, output, after);
  return {compared, std::move(why)};
}

/// Runs a case with input 0, and counts the differences of each recorded value. `check` is called with the recording and the number of
/// values that were compared, unless the case has no recording.
template <class Case, class Check>
void count_differences(const Case& model, count_table& to, Check check) {
  const auto index = model.file("nodes_0.json"), tensors = model.file("nodes_0.bin");
  if (index.empty()) return;
  const auto imported = model.read();
  REQUIRE(imported);
  const auto legal = legalized(imported.value);
  REQUIRE(legal);
  const auto from = read_recording(index, tensors);
  const recorded_program recorded(imported.value, legal.value, from);
  const auto [compared, why] = count_differences(model.name(), legal.value, recorded, model.input(0), to);
  REQUIRE(why == "");
  check(from, compared);
}

}  // namespace formats
