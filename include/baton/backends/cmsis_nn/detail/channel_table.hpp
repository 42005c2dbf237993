// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The biases, multipliers and shifts of a layer's output channels, in the layout that CMSIS-NN (the library) reads. The table is computed
// at compile time.
#pragma once

#include <baton/backends/cmsis_nn/detail/exactness.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel_facts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cmsis_nn::detail {

/// The shape of a layer's table. Each row is padded to whole Helium vectors, because the library reads whole vectors.
struct channel_table {
  /// The contents of a row. A layer without bias also has a row of biases (computed from zeros), because some functions of the library
  /// increment even a null address of the biases.
  enum row : std::int32_t { bias, multiplier, shift };

  std::int32_t channels = 1;
  /// The number of weights per channel for a fully connected layer with Helium, otherwise 0. If this number is not 0, each bias in the
  /// table includes a correction: the sum of the channel's weights times `input_offset`. Then `arm_vector_sum_s8` of CMSIS-NN is not needed
  /// at run time. If this number is 0, the table contains the biases of the model.
  std::int32_t summed_weights = 0;
  std::int32_t input_offset = 0;  ///< the negated zero point of the input; used only if `summed_weights` is not 0
  /// The number of rows. A channel's multiplier and shift form a factor. If all channels of a fully connected layer share one factor, the
  /// table has only the row of biases. The layer's plan then contains the factor.
  std::int32_t rows = 3;

  static constexpr std::int32_t lanes = 4;  ///< the number of 32-bit words in a Helium vector
  constexpr auto row_words() const -> std::int32_t { return (channels + lanes - 1) / lanes * lanes; }

  /// Returns the size of the table in blocks (see `kernel_facts::prepared_blocks`) of `lanes` words, and the number of blocks that one
  /// constant expression computes.
  constexpr auto size() const -> kernel_facts::prepared_blocks {
    const auto weights = static_cast<std::size_t>(lanes) * static_cast<std::size_t>(summed_weights);
    return {static_cast<std::size_t>(rows * row_words() / lanes), lanes, weights == 0 ? 0 : std::max<std::size_t>(1, 32768 / weights)};
  }

  /// Returns the address of row `which` in `prepared`, the bytes of a table.
  static auto begin_of(row which, const char* prepared, std::int32_t row_words) -> const std::int32_t* {
    return reinterpret_cast<const std::int32_t*>(prepared) + which * row_words;
  }

  /// Fills `to` with blocks of the table, starting at block `first`. `weights` has the shape [channels, weights per channel]. A block is
  /// `lanes` words.
  template <class Numbers>
  constexpr void fill(const Numbers& numbers, span<const char> weights, std::size_t first, span<std::int32_t> to) const {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto at = static_cast<std::int32_t>(first) * lanes + static_cast<std::int32_t>(i);
      const auto channel = at % row_words();
      if (channel < channels) to[i] = number(numbers, weights, static_cast<row>(at / row_words()), static_cast<std::size_t>(channel));
    }
  }

 private:
  template <class Numbers>
  constexpr auto number(const Numbers& numbers, span<const char> weights, row which, std::size_t channel) const -> std::int32_t {
    if (which == bias) return numbers.bias_of(channel) + input_offset * sum_of_weights(weights, channel);
    const auto by = library_factor(numbers.factor_of(channel));
    return which == multiplier ? by.value : by.shift;
  }
  constexpr auto sum_of_weights(span<const char> weights, std::size_t channel) const -> std::int32_t {
    const auto* begin = weights.data() + channel * static_cast<std::size_t>(summed_weights);
    std::int32_t sum = 0;
    for (std::int32_t i = 0; i < summed_weights; ++i) sum += static_cast<signed char>(begin[i]);
    return sum;
  }
};

}  // namespace baton::cmsis_nn::detail
