// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The packed constants (`packed_constant`) of a lowered module. A lowered module is the nodes that a backend's `preprocess` has compiled to
// processed bytes. Packed constants are inserted into the processed bytes after `preprocess`. Until then, a program stores only a
// description of each packed constant, as integers.
#pragma once

#include <baton/backend/packed_constant.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// Returns the position of value `id` in the list of placeholders of the root graph. Returns the size of the list if `id` is not a
/// placeholder. Placeholders are inputs, parameters, buffers and constants.
constexpr auto placeholder_position(const program_view& part, value_id id) -> std::size_t {
  const auto inputs = part.inputs(part.root());
  return static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), id) - inputs.begin());
}

/// Returns the size of a packed constant, in bytes. Fails with `malformed_packing` if the constant cannot be packed.
constexpr auto packed_size(const program_view& part, const packed_constant& constant) -> result<std::size_t> {
  if (placeholder_position(part, constant.value) == part.inputs(part.root()).size())
    return broken<"malformed_packing">("the value is not a placeholder of the part");
  const auto& record = part[constant.value];
  const auto malformed = [&](auto... why) { return broken<"malformed_packing">(part.text(record.name), " ", why...); };
  const auto shape = part.shape(constant.value);
  if (!is_owned_data(record.kind)) return malformed("is an argument of the part; tag the data (with_constants)");
  if (record.data.size != byte_count(record.type, shape)) return malformed("has no data");
  if (constant.loops.empty()) return std::size_t{record.data.size};
  if (facts(record.type).bits % 8 != 0) return malformed("is ", facts(record.type).name, ", whose elements are not whole bytes");
  std::uint64_t bytes = facts(record.type).bits / 8;
  for (const auto& each : constant.loops) {
    if (each.dimension >= shape.size()) return malformed("has ", shape.size(), " dimensions, but a loop uses dimension ", each.dimension);
    if (each.count == 0 || each.step == 0)
      return malformed("has a loop of count ", each.count, " and step ", each.step, "; both must be positive");
    bytes *= each.count;
    if (bytes > INT32_MAX) return malformed("needs more than 2 GB");
  }
  return static_cast<std::size_t>(bytes);
}

/// A copier of the bytes of a packed constant. A run is the sequence of elements that the innermost loop writes for one combination of the
/// indices of the outer loops.
class constant_packer {
 public:
  constexpr constant_packer(const program_view& part, const packed_constant& constant)
      : constant_(constant),
        data_(part.data(part[constant.value].data)),
        element_(facts(part[constant.value].type).bits / 8),
        sizes_(part.shape(constant.value)) {
    auto stride = static_cast<std::int64_t>(element_);
    strides_.resize(sizes_.size(), 0);
    for (std::size_t d = sizes_.size(); d-- > 0;) {
      strides_[d] = stride;
      stride *= sizes_[d];
    }
  }

  /// Copies `to.size()` bytes of the packed constant, starting at byte `first`.
  constexpr void copy(std::size_t first, span<char> to) {
    if (constant_.loops.empty()) return copy_bytes(data_.subspan(first, to.size()), to.data());
    const auto run = element_ * std::size_t{constant_.loops.back().count};
    seek(first / run);
    auto skipped = first % run;
    for (std::size_t done = 0; done < to.size();) {
      const auto size = std::min(run - skipped, to.size() - done);
      copy_run(skipped, to.subspan(done, size));
      done += size;
      skipped = 0;
      if (done < to.size()) next_run();
    }
  }

 private:
  constexpr auto outer_loops() const -> std::size_t { return constant_.loops.size() - 1; }

  constexpr void seek(std::size_t run) {
    positions_.assign(outer_loops(), 0);
    coordinates_.assign(sizes_.size(), 0);
    for (std::size_t l = outer_loops(); l-- > 0;) {
      const auto& each = constant_.loops[l];
      positions_[l] = static_cast<std::uint32_t>(run % each.count);
      run /= each.count;
      coordinates_[each.dimension] += std::int64_t{positions_[l]} * each.step;
    }
  }
  constexpr void next_run() {
    for (std::size_t l = outer_loops(); l-- > 0;) {
      const auto& each = constant_.loops[l];
      if (++positions_[l] < each.count) {
        coordinates_[each.dimension] += each.step;
        return;
      }
      coordinates_[each.dimension] -= std::int64_t{each.count - 1} * each.step;
      positions_[l] = 0;
    }
  }
  /// Returns the number of elements of the current run that are inside the constant. These elements precede the padding elements of the
  /// run.
  constexpr auto elements_inside() const -> std::size_t {
    const auto& inner = constant_.loops.back();
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
      if (coordinates_[d] >= sizes_[d]) return 0;
    }
    const auto left = sizes_[inner.dimension] - coordinates_[inner.dimension];
    return static_cast<std::size_t>(std::min<std::int64_t>(inner.count, (left + inner.step - 1) / inner.step));
  }
  /// Copies `to.size()` bytes of the current run, starting at byte `skipped`.
  constexpr void copy_run(std::size_t skipped, span<char> to) const {
    const auto& inner = constant_.loops.back();
    const auto bytes_inside = elements_inside() * element_;
    const auto inside = bytes_inside > skipped ? std::min(bytes_inside - skipped, to.size()) : 0;
    const auto stride = static_cast<std::size_t>(strides_[inner.dimension]) * inner.step;
    char* const copy = to.data();
    if (inside != 0) {
      std::size_t at = 0;
      for (std::size_t d = 0; d < sizes_.size(); ++d) at += static_cast<std::size_t>(coordinates_[d] * strides_[d]);
      const char* const from = data_.data();
      if (stride == element_) {
        copy_bytes({from + at + skipped, inside}, copy);
      } else if (element_ == 1) {
        at += skipped * stride;
        for (std::size_t i = 0; i < inside; ++i, at += stride) copy[i] = from[at];
      } else {
        at += skipped / element_ * stride;
        for (std::size_t i = 0, b = skipped % element_; i < inside; ++i) {
          copy[i] = from[at + b];
          if (++b == element_) b = 0, at += stride;
        }
      }
    }
    for (auto i = inside; i < to.size(); ++i) copy[i] = constant_.padding;
  }

  const packed_constant& constant_;
  span<const char> data_;
  std::size_t element_;
  span<const std::int64_t> sizes_;
  vector<std::int64_t> strides_;      ///< in bytes
  vector<std::uint32_t> positions_;   ///< the current indices of the outer loops
  vector<std::int64_t> coordinates_;  ///< the coordinates of the first element of the current run
};

}  // namespace detail

/// The packed constants of a lowered module. The bytes that `preprocess` itself writes to `preprocess_result::processed_bytes` are called
/// the unpacked bytes. The processed bytes are the unpacked bytes with the packed constants inserted at the stored positions. Any range of
/// the processed bytes can be computed separately, so the computation can be divided among several constant expressions.
class constant_packing {
 public:
  constexpr auto empty() const -> bool { return packed_.empty(); }
  /// Returns the size of the packed constants in bytes, without the unpacked bytes.
  constexpr auto size() const -> std::size_t { return size_; }

  /// Adds a constant after the first `unpacked_bytes_before` unpacked bytes. A constant that cannot be packed adds no bytes; `check`
  /// reports it.
  constexpr void add(const program_view& part, packed_constant constant, std::size_t unpacked_bytes_before) {
    const auto bytes = detail::packed_size(part, constant).value;
    packed_.push_back({std::move(constant), unpacked_bytes_before, bytes});
    size_ += bytes;
  }
  /// Fails with `malformed_packing` at the first constant that cannot be packed.
  constexpr auto check(const program_view& part) const -> failure {
    for (const auto& each : packed_) {
      if (auto size = detail::packed_size(part, each.constant); !size) return std::move(size.error);
    }
    return {};
  }

  /// Copies `to.size()` bytes of the processed bytes of a part, starting at byte `first`. `unpacked_bytes` are the processed bytes without
  /// the packed constants.
  constexpr void copy(std::string_view unpacked_bytes, const program_view& part, std::size_t first, span<char> to) const {
    std::size_t begin = 0;  // the offset of the next piece in the processed bytes
    std::size_t copied_bytes = 0;
    const auto piece = [&](std::size_t bytes, auto copy_to) {
      const auto from = std::max(begin, first);
      const auto end = std::min(begin + bytes, first + to.size());
      if (from < end) copy_to(from - begin, to.subspan(from - first, end - from));
      begin += bytes;
    };
    const auto copy_until = [&](std::size_t end) {
      piece(end - copied_bytes, [&](std::size_t at, span<char> target) {
        copy_bytes({unpacked_bytes.data() + copied_bytes + at, target.size()}, target.data());
      });
      copied_bytes = end;
    };
    for (const auto& each : packed_) {
      copy_until(each.unpacked_bytes_before);
      piece(each.bytes, [&](std::size_t at, span<char> target) { detail::constant_packer(part, each.constant).copy(at, target); });
    }
    copy_until(unpacked_bytes.size());
  }

  /// Returns the descriptions of the packed constants (offset, size, placeholder, padding and loops) as integers. A program stores these
  /// integers until the processed bytes are computed. A placeholder is stored as its position in the root graph's list of placeholders,
  /// because positions, unlike ids, are equal in all copies of the part.
  constexpr auto integers(const program_view& part) const -> vector<std::int64_t> {
    vector<std::int64_t> list;
    const auto add = [&](auto number) { list.push_back(static_cast<std::int64_t>(number)); };
    for (const auto& each : packed_) {
      add(each.unpacked_bytes_before);
      add(each.bytes);
      add(detail::placeholder_position(part, each.constant.value));
      add(each.constant.padding);
      add(each.constant.loops.size());
      for (const auto& loop : each.constant.loops) {
        add(loop.dimension);
        add(loop.count);
        add(loop.step);
      }
    }
    return list;
  }
  /// Returns the packed constants of a lowered module whose processed bytes are not yet computed.
  static constexpr auto of(const program_view& program, delegate_id id) -> constant_packing {
    constant_packing result;
    const auto list = program.integer_list(program[id].packing);
    const auto placeholders = program.inputs(program[program[id].original]);
    for (std::size_t at = 0; at < list.size();) {
      placed each;
      each.unpacked_bytes_before = static_cast<std::size_t>(list[at]);
      each.bytes = static_cast<std::size_t>(list[at + 1]);
      each.constant.value = placeholders[static_cast<std::size_t>(list[at + 2])];
      each.constant.padding = static_cast<char>(list[at + 3]);
      const auto loops = static_cast<std::size_t>(list[at + 4]);
      at += 5;
      for (std::size_t l = 0; l < loops; ++l, at += 3) {
        each.constant.loops.push_back(
            {static_cast<std::uint32_t>(list[at]), static_cast<std::uint32_t>(list[at + 1]), static_cast<std::uint32_t>(list[at + 2])});
      }
      result.size_ += each.bytes;
      result.packed_.push_back(std::move(each));
    }
    return result;
  }

 private:
  struct placed {
    packed_constant constant;
    std::size_t unpacked_bytes_before = 0;  ///< number of unpacked bytes that precede the constant in the processed bytes
    std::size_t bytes = 0;
  };
  vector<placed> packed_;
  std::size_t size_ = 0;
};

}  // namespace baton
