// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that folds scales and offsets of channels into the float32 layer before them.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/transform/detail/layer_operators.hpp>
#include <baton/transform/detail/plain_constant.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton {

/// A pass that folds a node into the float32 layer whose output the node uses. The node is a `tfl.mul`, `tfl.add` or `tfl.sub`, and one of
/// its two operands is a constant. The constant has one number, or one for each output channel. For example, a batch normalization is a
/// `tfl.mul` followed by a `tfl.add`. In a `tfl.sub`, the constant is the second operand. The layer is a `conv_2d`, `depthwise_conv_2d` or
/// `fully_connected` with float32 constants as weights and bias, without a fused activation. The folded node is the only user of the
/// layer's output. The fused activation of the folded node becomes the fused activation of the layer. `tfl.mul` multiplies the weights and
/// the bias by the constant. `tfl.add` and `tfl.sub` change only the bias. The results are rounded to float, so outputs may change in their
/// last bits. A node is not folded if an operand or a result of this computation is not finite. At most `max_weights` weights of a program
/// are multiplied, so that the compilers' default limits for constant evaluation suffice. A weight of a depthwise convolution counts as
/// four. A `tfl.mul` that would exceed this limit is not folded.
struct fold_scales {
  static constexpr std::string_view name = "fold_scales";
  static constexpr std::int64_t max_weights = 50'000;

  /// True if the program has a `tfl.mul`, `tfl.add` or `tfl.sub` with a float32 constant as an operand.
  static constexpr auto is_needed(const program_view& program) -> bool {
    for (const auto& record : program.nodes) {
      if (!is_foldable(record)) continue;
      for (const auto in : program.inputs(record)) {
        if (in != none<value_id> && detail::is_plain_constant(program, in, dtype::float32)) return true;
      }
    }
    return false;
  }

  static constexpr auto run(const program_view& program) -> exported_program { return folding(program).run(); }

 private:
  static constexpr auto is_foldable(const node& record) -> bool {
    return record.is("tfl.mul") || record.is("tfl.add") || record.is("tfl.sub");
  }

  /// A float32 tensor whose elements are products or sums of constants. `is_valid` is false if an operand or a result is not finite.
  class floats {
   public:
    explicit constexpr floats(std::size_t count) : bytes_(4 * count, '\0') {}

    constexpr auto is_valid() const -> bool { return is_valid_; }
    constexpr auto bytes() const -> std::string_view { return view(bytes_); }

    /// Sets element `at` to a · b, rounded once to float.
    constexpr void set_product(std::size_t at, std::uint32_t a, std::uint32_t b) {
      if (!are_finite(a, b)) return;
      set(at, static_cast<double>(std::bit_cast<float>(a)) * static_cast<double>(std::bit_cast<float>(b)));
    }
    /// Sets elements [`at`, `at` + `count`) to the products of `factor` and the `count` packed floats at `from`. The loop has few
    /// statements and calls per element, because compilers limit the statements and calls of a constant expression.
    constexpr void set_products(std::size_t at, std::size_t count, const char* from, std::uint32_t factor) {
      constexpr std::uint32_t exponent = 0x7f800000u;
      constexpr auto max = static_cast<double>(std::numeric_limits<float>::max());
      bool are_valid = are_finite(factor, 0);
      const double by = are_valid ? static_cast<double>(std::bit_cast<float>(factor)) : 0;
      char* to = bytes_.data() + 4 * at;
      for (const char* const end = from + 4 * count; from != end; from += 4, to += 4) {
        const auto bits = static_cast<std::uint32_t>(static_cast<unsigned char>(from[0])) |
                          static_cast<std::uint32_t>(static_cast<unsigned char>(from[1])) << 8 |
                          static_cast<std::uint32_t>(static_cast<unsigned char>(from[2])) << 16 |
                          static_cast<std::uint32_t>(static_cast<unsigned char>(from[3])) << 24;
        const bool is_finite = (bits & exponent) != exponent;
        const double product = static_cast<double>(__builtin_bit_cast(float, is_finite ? bits : 0u)) * by;
        const bool fits = is_finite && product <= max && product >= -max;
        const auto result = __builtin_bit_cast(std::uint32_t, fits ? static_cast<float>(product) : 0.0f);
        to[0] = static_cast<char>(result & 255), to[1] = static_cast<char>(result >> 8 & 255),
        to[2] = static_cast<char>(result >> 16 & 255), to[3] = static_cast<char>(result >> 24), are_valid = are_valid && fits;
      }
      is_valid_ = is_valid_ && are_valid;
    }
    /// Sets element `at` to a + b, or to a - b, rounded once to float.
    constexpr void set_sum(std::size_t at, std::uint32_t a, std::uint32_t b, bool is_difference) {
      if (!are_finite(a, b)) return;
      const auto second = static_cast<double>(std::bit_cast<float>(b));
      set(at, static_cast<double>(std::bit_cast<float>(a)) + (is_difference ? -second : second));
    }

   private:
    constexpr auto are_finite(std::uint32_t a, std::uint32_t b) -> bool {
      constexpr std::uint32_t exponent = 0x7f800000u;
      const bool are = (a & exponent) != exponent && (b & exponent) != exponent;
      is_valid_ = is_valid_ && are;
      return are;
    }
    constexpr void set(std::size_t at, double real) {
      constexpr auto max = static_cast<double>(std::numeric_limits<float>::max());
      const bool fits = real <= max && real >= -max;
      const auto bits = std::bit_cast<std::uint32_t>(fits ? static_cast<float>(real) : 0.0f);
      char* const to = bytes_.data() + 4 * at;
      to[0] = static_cast<char>(bits & 255), to[1] = static_cast<char>(bits >> 8 & 255), to[2] = static_cast<char>(bits >> 16 & 255),
      to[3] = static_cast<char>(bits >> 24), is_valid_ = is_valid_ && fits;
    }

    text_buffer bytes_;
    bool is_valid_ = true;
  };

  class folding {
   public:
    constexpr explicit folding(const program_view& program) : program_(program), change_(program) {}

    constexpr auto run() -> exported_program {
      for (const auto id : change_.nodes()) {
        const auto& record = program_[id];
        if (!is_foldable(record)) continue;
        for (std::uint32_t at = 0; at < (record.is("tfl.sub") ? 1u : 2u); ++at) {
          if (fold(id, change_.input(id, at), change_.input(id, 1 - at))) break;
        }
      }
      return change_.finish();
    }

   private:
    constexpr auto is_constant(value_id v) const -> bool { return detail::is_plain_constant(change_.program(), v, dtype::float32); }
    /// True if `constant` has one element, or one element for each channel of `out`. The last dimension of `out` is the channels.
    constexpr auto is_per_channel(value_id constant, value_id out) const -> bool {
      const auto shape = change_.program().shape(constant), image = change_.program().shape(out);
      const auto count = element_count(shape);
      if (image.empty() || shape.size() > image.size()) return false;
      return count == 1 || (count == image[image.size() - 1] && shape[shape.size() - 1] == count);
    }

    /// Folds the node `id`, whose operands are the layer's output `of` and `constant`. Returns false if the node cannot be folded.
    constexpr auto fold(node_id id, value_id of, value_id constant) -> bool {
      auto layer = change_.producer_of(of);
      const auto out = change_.output(id);
      if (constant == none<value_id> || layer == none<node_id> || out == none<value_id> || change_.is_erased(layer)) return false;
      const auto& record = change_[layer];
      const auto filter = change_.input(layer, 1), bias = change_.input(layer, 2);
      if (!is_among(record.op, detail::layer_operators) || record.tag != program_[id].tag || change_.uses_of(of) != 1 ||
          change_.is_output(of))
        return false;
      if (filter == none<value_id> || !is_constant(filter) || !is_constant(constant) || !is_per_channel(constant, of)) return false;
      if (bias != none<value_id> && !is_constant(bias)) return false;
      const auto program = change_.program();
      if (program.text(record, "fused_activation_function", "none") != "none") return false;
      if (program.shape(filter).size() != (detail::is_dense(record) ? 2 : 4)) return false;
      const auto channels = program.shape(filter)[detail::channel_dimension(record)];
      if (change_[constant].data.size != 4 && change_[constant].data.size != 4 * channels) return false;
      if (bias != none<value_id> && element_count(program.shape(bias)) != channels) return false;
      const bool is_product = program_[id].is("tfl.mul");
      // Adjacent weights of a depthwise convolution have different factors, so each weight needs its own call of `set_products`.
      const auto weights = static_cast<std::int64_t>(change_[filter].data.size / 4) * (detail::is_depthwise(record) ? 4 : 1);
      if (channels <= 0 || (is_product && multiplied_ + weights > max_weights)) return false;
      if (!replace_constants(layer, filter, bias, constant, static_cast<std::size_t>(channels), id)) return false;
      multiplied_ += is_product ? weights : 0;
      const auto fused = join(program_.text(program_[id], "fused_activation_function", "none"), std::string_view{"", 1});
      change_.set_attribute(layer, {"fused_activation_function", fused.data()});
      change_.erase(id, layer);
      change_.move_result(of, out);
      return true;
    }

    /// Replaces the weights and the bias of a layer. If a bias is needed and the layer has only two operands, a copy with a bias operand
    /// replaces the layer, and `layer` is set to this copy. Returns false if a result is not finite.
    constexpr auto replace_constants(node_id& layer, value_id filter, value_id bias, value_id constant, std::size_t channels, node_id id)
        -> bool {
      const auto program = change_.program();
      const auto numbers = program.data(change_[constant].data);
      const bool is_single = numbers.size() == 4, is_product = program_[id].is("tfl.mul");
      const auto number = [&](std::size_t channel) { return quantized::little_endian_32(numbers, is_single ? 0 : channel); };
      floats new_bias(channels);
      const auto old_bias = bias == none<value_id> ? span<const char>{} : program.data(change_[bias].data);
      for (std::size_t c = 0; c < channels; ++c) {
        const auto before = bias == none<value_id> ? 0u : quantized::little_endian_32(old_bias, c);
        if (is_product) new_bias.set_product(c, before, number(c));
        if (!is_product) new_bias.set_sum(c, before, number(c), program_[id].is("tfl.sub"));
      }
      const auto old_weights = program.data(change_[filter].data);
      floats new_weights(is_product ? old_weights.size() / 4 : 0);
      if (is_product) {
        const auto each = detail::is_depthwise(change_[layer]) ? 1 : old_weights.size() / 4 / channels;
        const char* from = old_weights.data();
        for (std::size_t i = 0; i < old_weights.size() / 4; i += each, from += 4 * each)
          new_weights.set_products(i, each, from, number(i / each % channels));
      }
      if (!new_bias.is_valid() || !new_weights.is_valid()) return false;
      if (is_product) change_.set_input(layer, 1, add_constant(filter, "_scaled", new_weights, shape_of(filter)));
      if (bias == none<value_id> && is_product) return true;
      const auto added = add_constant(bias == none<value_id> ? filter : bias, bias == none<value_id> ? "_bias" : "_folded", new_bias,
                                      tensor(dtype::float32, channels));
      if (change_[layer].inputs.size > 2) {
        change_.set_input(layer, 2, added);
        return true;
      }
      const value_id inputs[] = {change_.input(layer, 0), change_.input(layer, 1), added}, outputs[] = {change_.output(layer)};
      const auto copy = change_.insert_before(layer, {.name = change_.program().text(change_[layer].name),
                                                      .op = change_.program().text(change_[layer].target),
                                                      .inputs = inputs,
                                                      .outputs = outputs,
                                                      .attributes_of = layer,
                                                      .handle_of = layer,
                                                      .tag_of = layer});
      change_.erase(layer, copy);
      layer = copy;
      return true;
    }
    constexpr auto shape_of(value_id v) const -> tensor_type {
      const auto shape = change_.program().shape(v);
      tensor_type type{dtype::float32, shape.size(), {}};
      for (std::size_t i = 0; i < shape.size() && i < tensor_type::max_rank; ++i) type.sizes[i] = shape[i];
      return type;
    }
    constexpr auto add_constant(value_id like, std::string_view suffix, const floats& numbers, const tensor_type& type) -> value_id {
      const auto text = join(change_.program().text(change_[like].name), suffix);
      return change_.add_constant(change_[like].graph, view(text), type, numbers.bytes());
    }

    program_view program_;
    rewriter change_;
    std::int64_t multiplied_ = 0;  ///< the number of weights that were multiplied, as `max_weights` counts them
  };
};
static_assert(pass<fold_scales>);

}  // namespace baton
