// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The format of tables of measured costs: linear costs of nodes, by operator, class of node (`node_class`) and implementation
// (`kernel_form`).
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/shared/output_elements.hpp>
#include <baton/operators/shared/window.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace baton {

/// A measured cost. It applies to the nodes of one operator and one class, if a kernel of one `kernel_form` computes them.
struct cost_row {
  /// Classes of nodes with similar costs. The class of a convolution depends on its window and on the number of its weights. The class of a
  /// depthwise convolution depends on its window, its stride, its input channels, and the number of outputs per input channel.
  enum class node_class : std::uint8_t {
    any,                       ///< all nodes that are not `float32`
    int16,                     ///< the output is int16
    float32,                   ///< the output is float32, and each operand is float32 or int32 (such as axes)
    hybrid,                    ///< the output and the first operand are float32, the weights int8 or int4
    one_pixel,                 ///< the output is an image of one pixel
    one_by_one,                ///< a convolution with a 1 × 1 window
    one_by_one_many_weights,   ///< `one_by_one`, with more than `max_few_weights` weights
    many_weights,              ///< a convolution with any window and more than `max_few_weights` weights
    one_channel,               ///< depthwise, one input channel
    three_by_three_strided,    ///< `three_by_three`, with a horizontal stride above 1
    three_by_three_few,        ///< `three_by_three`, with at most `max_few_channels` channels
    three_by_three,            ///< depthwise, a 3 × 3 window, one output per input channel
    outputs_multiple_of_four,  ///< depthwise, a multiple of 4 outputs per input channel
    other_output_counts,       ///< depthwise, more than 1 output per input channel; includes `outputs_multiple_of_four`
    few_vectors,               ///< at most two Helium vectors: max pooling of at most 32 channels, or average pooling of 8 or 16
  };

  /// The implementations of an operator. Convolutions for Cortex-M pack many weights, so that each takes 8 bits. Few weights are wide: each
  /// takes 16 bits (`cortex_m::options`).
  enum class kernel_form : std::uint8_t {
    portable,
    cortex_m,
    cortex_m_packed,      ///< `cortex_m`, a convolution that packs even few weights
    cortex_m_gathered,    ///< `cortex_m`, a convolution with less scratch
    cortex_m_by_taps,     ///< depthwise, with little scratch
    cortex_m_from_bytes,  ///< `cortex_m`, without scratch
    winograd,
    winograd_by_single_rows,  ///< `winograd`, in calls for single rows
    cmsis_nn,
    helium,
    helium_few_channels,  ///< `helium`, a depthwise convolution of few channels
  };

  /// The size of a node: the number of elements of all outputs, and the work that computes them. The work of pooling is the number of
  /// window elements of all outputs, and the work of a mean is the number of input elements. The work of any other node is the number of
  /// its multiply-adds.
  struct node_size {
    double outputs = 0;
    double work = 0;
    /// The number of starts of inner loops. An inner loop starts once for each output pixel, vector of outputs, row of a window, or output
    /// row of a channel, depending on the operator and the `kernel_form`. For a hybrid layer, `setups` is the number of quantized inputs;
    /// for an SVDF layer, it is the number of elements of the state. 0 if the costs of the operator do not depend on `setups`.
    double setups = 0;
  };

  /// A linear cost model: the instructions per call, per output element, per unit of `node_size::work`, and per setup.
  struct linear_cost {
    double call = 0;
    double output = 0;
    double work = 0;
    double setup = 0;
    double margin = 0;  ///< the largest known error: measured costs exceed the result of `at` by at most this fraction

    constexpr auto at(node_size size) const -> double { return call + output * size.outputs + work * size.work + setup * size.setups; }
  };

  /// A filter has many weights if it has more than this number, the default of `cortex_m::options::max_wide_weights`.
  static constexpr std::int64_t max_few_weights = 4096;

  /// A depthwise convolution has few channels if it has at most this number.
  static constexpr std::int64_t max_few_channels = 16;

  /// True if a node is of a class. If the class depends on a filter, invalid operands yield false.
  static constexpr auto is_of_class(const program_view& program, const node& record, node_class is) -> bool {
    if (is == node_class::any) return !is_float32(program, record);
    if (is == node_class::int16) return program[program.outputs_of(record)[0]].type == dtype::int16;
    if (is == node_class::float32) return is_float32(program, record);
    if (is == node_class::hybrid) return is_hybrid(program, record);
    const bool has_channel_filters = is_depthwise(record);
    if (is == node_class::one_pixel) {
      const auto output = program.shape(program.outputs_of(record)[0]);
      return output.size() == 4 && output[1] == 1 && output[2] == 1;
    }
    if (is == node_class::few_vectors) {
      const auto output = program.shape(program.outputs_of(record)[0]);
      if (output.size() != 4) return false;
      return is_average_pool(record) ? output[3] % 8 == 0 && output[3] <= 16 : output[3] <= 32;
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
        return !has_channel_filters && is_one_by_one;
      case node_class::one_by_one_many_weights:
        return !has_channel_filters && is_one_by_one && has_many_weights;
      case node_class::many_weights:
        return !has_channel_filters && has_many_weights;
      case node_class::one_channel:
        return has_channel_filters && image[3] == 1;
      case node_class::three_by_three:
        return has_channel_filters && filter[3] == image[3] && filter[1] == 3 && filter[2] == 3;
      case node_class::three_by_three_strided:
        return is_of_class(program, record, node_class::three_by_three) && program.integer(record, "stride_w") > 1;
      case node_class::three_by_three_few:
        return is_of_class(program, record, node_class::three_by_three) && image[3] <= max_few_channels;
      case node_class::outputs_multiple_of_four:
        return has_channel_filters && filter[3] != image[3] && outputs % 4 == 0;
      case node_class::other_output_counts:
        return has_channel_filters && filter[3] != image[3];
      case node_class::any:
      case node_class::int16:
      case node_class::float32:
      case node_class::hybrid:
      case node_class::one_pixel:
      case node_class::few_vectors:
        break;
    }
    return true;
  }

  /// Returns the size of a node, as the implementation `form` computes it. Helium computes whole vectors of channels. In convolutions, and
  /// in depthwise convolutions of one channel, it computes whole vectors of the products of an output. The Cortex-M kernels of convolutions
  /// compute pairs of pixels and of channels, and Winograd's algorithm pairs of tiles. The Cortex-M kernels of depthwise convolutions
  /// compute groups of four channels, and pairs of rows for 3 × 3 windows with stride 1. The size counts each of these parts as a whole,
  /// even if the node needs only some outputs of the part.
  static constexpr auto size_of(const program_view& program, const node& record, kernel_form form) -> node_size {
    if (record.outputs.size == 0) return {};
    const auto shape = program.shape(program.outputs_of(record)[0]);
    const auto outputs = static_cast<double>(output_elements(program, record));
    if (record.is("tfl.mean")) {
      const auto from = program.inputs(record)[0];
      return {outputs, from == none<value_id> ? 0 : static_cast<double>(element_count(program.shape(from)))};
    }
    if (is_of_class(program, record, node_class::hybrid)) return size_of_hybrid(program, record, outputs);
    if (record.is("tfl.svdf")) return {outputs, static_cast<double>(multiply_adds(program, record)), elements_of_state(program, record)};
    const auto taps = static_cast<double>(program.integer(record, "filter_height") * program.integer(record, "filter_width"));
    const bool is_pool = is_average_pool(record) || record.is("tfl.max_pool_2d") || record.is("baton.max_pool_2d");
    const node_size exact{outputs, is_pool ? outputs * taps : static_cast<double>(multiply_adds(program, record))};
    if (shape.size() != 4 || outputs <= 0) return exact;
    const bool is_moved_by_pixels =
        record.is("tfl.transpose") || record.is("tfl.resize_nearest_neighbor") || record.is("tfl.resize_bilinear");
    if (is_moved_by_pixels) return {outputs, exact.work, outputs / static_cast<double>(shape[3])};
    if (!is_pool && !is_convolution(record) && !is_depthwise(record)) return exact;
    if (is_of_class(program, record, node_class::int16)) return size_of_int16(program, record, form, exact);
    return in_whole_parts(program, record, form, exact);
  }
  /// Returns the size of a hybrid layer. A portable kernel computes eight output channels of a group in one step if at least eight remain,
  /// and otherwise one. Each step quantizes the inputs of its window.
  static constexpr auto size_of_hybrid(const program_view& program, const node& record, double outputs) -> node_size {
    constexpr std::int64_t channels_per_step = 8;
    const auto work = static_cast<double>(multiply_adds(program, record)) * share_inside(program, record);
    const auto to = program.shape(program.outputs_of(record)[0]);
    const auto from = program.shape(program.inputs(record)[0]);
    const auto filter = program.shape(program.inputs(record)[1]);
    if (to.empty() || from.empty() || filter.empty() || to[to.size() - 1] <= 0) return {outputs, work};
    const auto channels = to[to.size() - 1];
    const auto inputs = from[from.size() - 1];
    auto groups = std::int64_t{1};
    if (is_depthwise(record)) groups = inputs;
    if (is_convolution(record) && filter[filter.size() - 1] > 0) groups = inputs / filter[filter.size() - 1];
    const auto of_group = groups > 0 ? channels / groups : channels;
    const auto steps = groups * (of_group / channels_per_step + of_group % channels_per_step);
    return {outputs, work, work * static_cast<double>(steps) / static_cast<double>(channels)};
  }
  /// Returns the size of an int16 layer with a window. All kernels except the Cortex-M convolution omit products with the padding. For a
  /// portable convolution, the number of setups is the number of window rows of all outputs, reduced by the share of products with the
  /// padding. For all other layers, it is the number of output pixels.
  static constexpr auto size_of_int16(const program_view& program, const node& record, kernel_form form, node_size exact) -> node_size {
    const auto image = program.shape(program.outputs_of(record)[0]);
    const auto pixels = static_cast<double>(image[0] * image[1] * image[2]);
    if (form != kernel_form::portable && is_convolution(record)) return {exact.outputs, exact.work, pixels};
    const auto work = exact.work * share_inside(program, record);
    if (!is_convolution(record)) return {exact.outputs, work, pixels};
    const auto rows = exact.outputs * static_cast<double>(filter_rows(program, record));
    return {exact.outputs, work, exact.work > 0 ? rows * work / exact.work : 0};
  }
  /// Returns the share of a layer's products that have an input of the image, not of the padding. Assumes equal padding on both sides of
  /// the image.
  static constexpr auto share_inside(const program_view& program, const node& record) -> double {
    const auto operands = program.inputs(record);
    if (!is_convolution(record) && !is_depthwise(record)) return 1;
    if (operands.size() < 2 || operands[0] == none<value_id> || operands[1] == none<value_id>) return 1;
    const auto from = program.shape(operands[0]);
    const auto filter = program.shape(operands[1]);
    const auto to = program.shape(program.outputs_of(record)[0]);
    if (from.size() != 4 || filter.size() != 4 || to.size() != 4) return 1;
    const auto along = [&](std::size_t dimension, std::int64_t stride, std::int64_t dilation) {
      stride = std::max<std::int64_t>(1, stride);
      dilation = std::max<std::int64_t>(1, dilation);
      const auto before = padding_before(from[dimension], to[dimension], filter[dimension], stride, dilation);
      return share_inside(portable::window_axis{.input = static_cast<std::int32_t>(from[dimension]),
                                                .output = static_cast<std::int32_t>(to[dimension]),
                                                .filter = static_cast<std::int32_t>(filter[dimension]),
                                                .stride = static_cast<std::int32_t>(stride),
                                                .dilation = static_cast<std::int32_t>(dilation),
                                                .before = static_cast<std::int32_t>(before)});
    };
    return along(1, program.integer(record, "stride_h"), program.integer(record, "dilation_h_factor")) *
           along(2, program.integer(record, "stride_w"), program.integer(record, "dilation_w_factor"));
  }
  /// Returns the share of the taps of all windows along one axis that are inside the image.
  static constexpr auto share_inside(const portable::window_axis& axis) -> double {
    if (axis.output <= 0 || axis.filter <= 0) return 1;
    std::int64_t inside = 0;
    for (std::int32_t at = 0; at < axis.output; ++at) {
      const auto from = axis.origin(at);
      inside += std::max<std::int32_t>(0, axis.end_tap(from) - axis.first_tap(from));
    }
    return static_cast<double>(inside) / static_cast<double>(std::int64_t{axis.output} * axis.filter);
  }
  static constexpr auto elements_of_state(const program_view& program, const node& record) -> double {
    const auto operands = program.inputs(record);
    constexpr std::size_t state = 4;
    if (operands.size() <= state || operands[state] == none<value_id>) return 0;
    return static_cast<double>(std::max<std::int64_t>(0, element_count(program.shape(operands[state]))));
  }
  /// Returns the size of a node with a window. `exact` is the size without outputs that `form` computes but the node does not need.
  static constexpr auto in_whole_parts(const program_view& program, const node& record, kernel_form form, node_size exact) -> node_size {
    const auto image = program.shape(program.outputs_of(record)[0]);
    const auto with = [&](std::int64_t computed, std::int64_t needed, std::int64_t setups) {
      const auto factor = static_cast<double>(computed) / static_cast<double>(needed);
      return node_size{exact.outputs * factor, exact.work * factor, static_cast<double>(setups)};
    };
    const auto rows = image[1];
    const auto columns = image[2];
    const auto channels = image[3];
    const auto pixels = image[0] * rows * columns;
    if (computes_pixel_pairs(program, record, form)) {
      // The kernel computes a pair even for a node of one pixel. The cost rows of the class `one_pixel` were fitted to such nodes, with a
      // size of one pixel.
      const bool has_own_row = form != kernel_form::cortex_m_gathered && is_of_class(program, record, node_class::one_pixel);
      const auto computed = has_own_row ? pixels : round_up(pixels, 2);
      const auto setups = form == kernel_form::cortex_m_gathered ? computed * filter_rows(program, record) : computed;
      return with(computed * round_up(channels, 2), pixels * channels, setups);
    }
    if (form == kernel_form::winograd || form == kernel_form::winograd_by_single_rows) {
      const auto computed = image[0] * pixels_of_tiles(rows, columns, form == kernel_form::winograd ? 2 : 1);
      return with(computed, pixels, computed);
    }
    const auto in_groups = channels_in_groups(program, record, form, channels);
    if (form == kernel_form::cortex_m || form == kernel_form::helium_few_channels) {
      if (!is_of_class(program, record, node_class::three_by_three)) return with(in_groups, channels, pixels);
      const auto computed = program.integer(record, "stride_h") == 1 ? round_up(rows, 2) : rows;
      return with(computed * in_groups, rows * channels, image[0] * computed * in_groups);
    }
    if (form != kernel_form::helium) return with(in_groups, channels, pixels);
    constexpr std::int64_t vector_bytes = 16;
    if (is_convolution(record) || is_of_class(program, record, node_class::one_channel)) {
      const auto products = std::max<std::int64_t>(1, static_cast<std::int64_t>(exact.work / exact.outputs));
      const auto factor = static_cast<double>(round_up(products, vector_bytes)) / static_cast<double>(products);
      return {exact.outputs, exact.work * factor, static_cast<double>(pixels)};
    }
    // If 16 is a multiple of the number of channels, adjacent pixels share a vector.
    if (is_depthwise(record) && vector_bytes % channels == 0 && program.integer(record, "stride_w") == 1) {
      const auto computed = round_up(columns * channels, vector_bytes);
      return with(computed, columns * channels, image[0] * rows * computed / vector_bytes);
    }
    return with(round_up(channels, is_average_pool(record) ? vector_bytes / 2 : vector_bytes), channels, pixels);
  }
  static constexpr auto round_up(std::int64_t count, std::int64_t step) -> std::int64_t { return (count + step - 1) / step * step; }
  /// Returns the number of output pixels of an image that Winograd's algorithm computes, in pairs of tiles. A tile has `tile_rows` rows and
  /// two columns. If `tile_rows` is 1, the tiles of a pair are in the same row.
  static constexpr auto pixels_of_tiles(std::int64_t rows, std::int64_t columns, std::int64_t tile_rows) -> std::int64_t {
    const auto tile_columns = round_up(columns, 2) / 2;
    if (tile_rows == 1) return rows * round_up(tile_columns, 2) * 2;
    return round_up(round_up(rows, tile_rows) / tile_rows * tile_columns, 2) * tile_rows * 2;
  }
  /// Returns the number of channels that `form` computes for a node of `channels` channels. Int8 depthwise convolutions for Cortex-M
  /// compute groups of four channels. With fewer than four channels, the form `cortex_m` computes 3 × 3 windows channel by channel. All
  /// other layers of fewer than four channels are computed in portable C++, which takes as long as 16 channels in groups of four.
  static constexpr auto channels_in_groups(const program_view& program, const node& record, kernel_form form, std::int64_t channels)
      -> std::int64_t {
    const bool is_by_taps = form == kernel_form::cortex_m_by_taps;
    if (!is_by_taps && form != kernel_form::cortex_m) return channels;
    if (!is_depthwise(record) || program[program.outputs_of(record)[0]].type != dtype::int8) return channels;
    if (channels >= 4) return round_up(channels, 4);
    return is_by_taps || !is_of_class(program, record, node_class::three_by_three) ? 16 : channels;
  }
  /// True if `form` computes pairs of pixels and of channels: an int8 convolution for Cortex-M, or a depthwise convolution of one channel.
  static constexpr auto computes_pixel_pairs(const program_view& program, const node& record, kernel_form form) -> bool {
    if (form != kernel_form::cortex_m && form != kernel_form::cortex_m_packed && form != kernel_form::cortex_m_gathered) return false;
    if (program[program.outputs_of(record)[0]].type != dtype::int8) return false;
    return is_convolution(record) || is_of_class(program, record, node_class::one_channel);
  }
  static constexpr auto filter_rows(const program_view& program, const node& record) -> std::int64_t {
    const auto operands = program.inputs(record);
    if (operands.size() < 2 || operands[1] == none<value_id> || program.shape(operands[1]).size() != 4) return 1;
    return program.shape(operands[1])[1];
  }
  static constexpr auto is_float32(const program_view& program, const node& record) -> bool {
    if (record.outputs.size == 0 || program[program.outputs_of(record)[0]].type != dtype::float32) return false;
    for (const auto id : program.inputs(record)) {
      if (id != none<value_id> && program[id].type != dtype::float32 && program[id].type != dtype::int32) return false;
    }
    return true;
  }
  static constexpr auto is_hybrid(const program_view& program, const node& record) -> bool {
    const auto operands = program.inputs(record);
    if (program[program.outputs_of(record)[0]].type != dtype::float32 || operands.size() < 2) return false;
    if (operands[0] == none<value_id> || operands[1] == none<value_id>) return false;
    const auto weights = program[operands[1]].type;
    return program[operands[0]].type == dtype::float32 && (weights == dtype::int8 || weights == dtype::int4);
  }
  static constexpr auto is_convolution(const node& record) -> bool { return record.is("tfl.conv_2d") || record.is("baton.conv_2d"); }
  static constexpr auto is_depthwise(const node& record) -> bool {
    return record.is("tfl.depthwise_conv_2d") || record.is("baton.depthwise_conv_2d");
  }
  static constexpr auto is_average_pool(const node& record) -> bool {
    return record.is("tfl.average_pool_2d") || record.is("baton.average_pool_2d");
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

  /// Returns the first row of a table that matches a node and an implementation, or null. A table must therefore list a narrow class before
  /// a wide class.
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
