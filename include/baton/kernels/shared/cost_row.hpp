// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The format of tables of measured costs: linear costs of nodes, by operator, class of node and form of kernel.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/find_definition.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// A measured cost. It applies to the nodes of one operator and one class, with one form of kernel.
struct cost_row {
  /// The size of a node: the number of output elements, and the work that computes them. The work of a pool is the number of window
  /// elements of all outputs, and the work of a mean the number of input elements. The work of any other node is the number of its
  /// multiply-adds.
  struct node_size {
    double outputs = 0;
    double work = 0;
  };
  static constexpr auto size_of(const program_view& program, const node& record) -> node_size {
    if (record.outputs.size == 0) return {};
    const auto outputs = static_cast<double>(element_count(program.shape(program.outputs_of(record)[0])));
    if (record.is("tfl.mean")) {
      const auto from = program.inputs(record)[0];
      return {outputs, from == none<value_id> ? 0 : static_cast<double>(element_count(program.shape(from)))};
    }
    const auto taps = program.integer(record, "filter_height") * program.integer(record, "filter_width");
    const bool is_pool = record.is("tfl.average_pool_2d") || record.is("tfl.max_pool_2d") || record.is("baton.average_pool_2d") ||
                         record.is("baton.max_pool_2d");
    return {outputs, is_pool ? outputs * static_cast<double>(taps) : static_cast<double>(multiply_adds(program, record))};
  }

  /// A linear cost model: the instructions per call, per output element, and per unit of `node_size::work`.
  struct linear_cost {
    double call = 0;
    double output = 0;
    double work = 0;
    double margin = 0;  ///< the largest known error: measured costs exceed the model by at most this fraction

    constexpr auto at(node_size size) const -> double { return call + output * size.outputs + work * size.work; }
  };

  /// Classes of nodes with similar costs. The class of a convolution depends on its window and on the number of its weights. The class of a
  /// depthwise convolution depends on its window, its stride, its input channels, and the number of outputs per input channel.
  enum class node_class : std::uint8_t {
    any,
    int16,      ///< the output is int16
    one_pixel,  ///< the output is an image of one pixel
    one_by_one,
    one_by_one_many_weights,   ///< the Cortex-M kernels pack the weights (`cortex_m::options::max_wide_weights`)
    many_weights,              ///< like `one_by_one_many_weights`, for windows of any size
    one_channel,               ///< depthwise, one input channel
    three_by_three_strided,    ///< the same as `three_by_three`, with a stride above 1
    three_by_three_few,        ///< the same as `three_by_three`, with at most 16 channels
    three_by_three,            ///< depthwise, one output per input channel
    outputs_multiple_of_four,  ///< depthwise, a multiple of 4 outputs per input channel
    other_output_counts,       ///< depthwise, more than 1 output per input channel; includes `outputs_multiple_of_four`
  };

  /// The implementations of an operator.
  enum class kernel_form : std::uint8_t {
    portable,
    cortex_m,
    cortex_m_packed,      ///< `cortex_m`, with packed weights in layers of few weights
    cortex_m_gathered,    ///< `cortex_m`, a convolution with less scratch
    cortex_m_by_taps,     ///< depthwise, with little scratch
    cortex_m_from_bytes,  ///< `cortex_m`, without scratch
    winograd,
    winograd_by_single_rows,  ///< `winograd`, in calls for single rows
    cmsis_nn,
    helium,
    helium_few_channels,  ///< `helium`, a depthwise convolution of few channels
  };

  /// A filter has many weights if it has more than this number, the default of `cortex_m::options::max_wide_weights`.
  static constexpr std::int64_t max_few_weights = 4096;

  /// A depthwise convolution has few channels if it has at most this number.
  static constexpr std::int64_t max_few_channels = 16;

  /// True if a node is of a class. False for invalid operands, unless the class is `any`.
  static constexpr auto is_of_class(const program_view& program, const node& record, node_class is) -> bool {
    if (is == node_class::any) return true;
    if (is == node_class::int16) return program[program.outputs_of(record)[0]].type == dtype::int16;
    const bool is_depthwise = record.is("tfl.depthwise_conv_2d") || record.is("baton.depthwise_conv_2d");
    if (is == node_class::one_pixel) {
      const auto output = program.shape(program.outputs_of(record)[0]);
      return output.size() == 4 && output[1] == 1 && output[2] == 1;
    }
    const auto operands = program.inputs(record);
    if (operands.size() < 2 || operands[0] == none<value_id> || operands[1] == none<value_id>) return false;
    const auto image = program.shape(operands[0]);
    const auto filter = program.shape(operands[1]);
    if (image.size() != 4 || filter.size() != 4 || image[3] <= 0) return false;
    const bool is_one_by_one = filter[1] == 1 && filter[2] == 1;
    const bool has_many_weights = element_count(filter) > max_few_weights;
    const auto outputs = filter[3] / image[3];  // per input channel
    switch (is) {
      case node_class::one_by_one:
        return !is_depthwise && is_one_by_one;
      case node_class::one_by_one_many_weights:
        return !is_depthwise && is_one_by_one && has_many_weights;
      case node_class::many_weights:
        return !is_depthwise && has_many_weights;
      case node_class::one_channel:
        return is_depthwise && image[3] == 1;
      case node_class::three_by_three:
        return is_depthwise && filter[3] == image[3] && filter[1] == 3 && filter[2] == 3;
      case node_class::three_by_three_strided:
        return is_of_class(program, record, node_class::three_by_three) && program.integer(record, "stride_w") > 1;
      case node_class::three_by_three_few:
        return is_of_class(program, record, node_class::three_by_three) && image[3] <= max_few_channels;
      case node_class::outputs_multiple_of_four:
        return is_depthwise && filter[3] != image[3] && outputs % 4 == 0;
      case node_class::other_output_counts:
        return is_depthwise && filter[3] != image[3];
      case node_class::any:
      case node_class::int16:
      case node_class::one_pixel:
        break;
    }
    return true;
  }

  /// The operator of a node, for comparison with the operators of rows. Operators of the namespace `baton` cost as much as the `tfl`
  /// operators of the same name.
  class node_operator {
   public:
    constexpr node_operator(const program_view& program, const node& record) : hash_(record.op) {
      constexpr std::string_view prefix = "baton.";
      const auto name = program.text(record.target);
      if (name.starts_with(prefix)) own_ = name.substr(prefix.size());
    }
    constexpr auto is(literal_name listed) const -> bool {
      return listed.hash == hash_ || (!own_.empty() && own_ == listed.text.substr(std::string_view("tfl.").size()));
    }

   private:
    std::uint64_t hash_;
    std::string_view own_;  // the name without the namespace `baton`; empty in any other namespace
  };

  /// Returns the first row of a table that matches a node and a form, or null. A table must therefore list a narrow class before a wide
  /// class.
  static constexpr auto find(span<const cost_row> rows, const program_view& program, const node& record, kernel_form form)
      -> const cost_row* {
    if (record.outputs.size == 0) return nullptr;
    const node_operator own(program, record);
    for (const auto& row : rows) {
      if (row.form == form && own.is(row.op) && is_of_class(program, record, row.is)) return &row;
    }
    return nullptr;
  }

  literal_name op;
  node_class is = node_class::any;
  kernel_form form = kernel_form::portable;
  linear_cost instructions{};
  double code_bytes = 0;  ///< code and tables of a node
};

}  // namespace baton
