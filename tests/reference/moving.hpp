// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Data movement, element by element: each operator selects an input element for each element of the output.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference::moving {

using list = std::vector<std::int64_t>;
using bytes = std::vector<char>;

inline auto count(const list& shape) -> std::int64_t {
  std::int64_t product = 1;
  for (const auto size : shape) product *= size;
  return product;
}
inline auto position(const list& shape, const list& at) -> std::int64_t {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + at[d];
  return offset;
}

/// Calls `f(coordinates)` for each element of a shape, in order.
template <class F>
void for_each(const list& shape, F f) {
  for (std::int64_t i = 0; i < count(shape); ++i) {
    list at(shape.size());
    auto quotient = i;
    for (auto d = shape.size(); d-- > 0; quotient /= shape[d]) at[d] = quotient % shape[d];
    f(at);
  }
}

/// A tensor with elements of `width` bytes.
struct tensor {
  list shape;
  std::size_t width = 1;
  bytes data{};

  auto at(const list& coordinates) const -> bytes {
    const auto* from = data.data() + static_cast<std::size_t>(position(shape, coordinates)) * width;
    return {from, from + width};
  }
};

/// Returns a tensor with the elements `element(coordinates)`.
template <class F>
auto generated(const list& shape, std::size_t width, F element) -> tensor {
  tensor out{shape, width};
  for_each(shape, [&](const list& at) {
    const bytes bytes_of_element = element(at);
    out.data.insert(out.data.end(), bytes_of_element.begin(), bytes_of_element.end());
  });
  return out;
}

inline auto transpose(const tensor& in, const list& order) -> tensor {
  list shape;
  for (const auto d : order) shape.push_back(in.shape[static_cast<std::size_t>(d)]);
  return generated(shape, in.width, [&](const list& at) {
    list from(at.size());
    for (std::size_t d = 0; d < at.size(); ++d) from[static_cast<std::size_t>(order[d])] = at[d];
    return in.at(from);
  });
}

/// Returns the selected indices of each dimension, in order.
inline auto take(const tensor& in, const std::vector<list>& selected) -> tensor {
  list shape;
  for (const auto& each : selected) shape.push_back(static_cast<std::int64_t>(each.size()));
  return generated(shape, in.width, [&](const list& at) {
    list from;
    for (std::size_t d = 0; d < at.size(); ++d) from.push_back(selected[d][static_cast<std::size_t>(at[d])]);
    return in.at(from);
  });
}

/// Returns the indices in Python's `range`, clipped to the dimension like a slice.
inline auto indices(std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t stride) -> list {
  const auto min = stride > 0 ? 0 : -1;
  const auto max = stride > 0 ? size : size - 1;
  begin = std::clamp<std::int64_t>(begin < 0 ? begin + size : begin, min, max);
  end = std::clamp<std::int64_t>(end < 0 ? end + size : end, min, max);
  list result;
  for (auto i = begin; stride > 0 ? i < end : i > end; i += stride) result.push_back(i);
  return result;
}

/// Surrounds a tensor with an element.
inline auto pad(const tensor& in, const list& before, const list& after, const bytes& value) -> tensor {
  list shape;
  for (std::size_t d = 0; d < in.shape.size(); ++d) shape.push_back(in.shape[d] + before[d] + after[d]);
  return generated(shape, in.width, [&](list at) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      at[d] -= before[d];
      if (at[d] < 0 || at[d] >= in.shape[d]) return value;
    }
    return in.at(at);
  });
}

inline auto mirror_pad(const tensor& in, const list& before, const list& after, bool is_reflect) -> tensor {
  std::vector<list> selected;
  for (std::size_t d = 0; d < in.shape.size(); ++d) {
    list all;
    const std::int64_t gap = is_reflect ? 1 : 0;
    for (auto i = before[d]; i > 0; --i) all.push_back(i - 1 + gap);
    for (std::int64_t i = 0; i < in.shape[d]; ++i) all.push_back(i);
    for (std::int64_t i = 0; i < after[d]; ++i) all.push_back(in.shape[d] - 1 - gap - i);
    selected.push_back(all);
  }
  return take(in, selected);
}

inline auto tile(const tensor& in, const list& multiples) -> tensor {
  list shape;
  for (std::size_t d = 0; d < in.shape.size(); ++d) shape.push_back(in.shape[d] * multiples[d]);
  return generated(shape, in.width, [&](list at) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] %= in.shape[d];
    return in.at(at);
  });
}

inline auto broadcast_to(const tensor& in, const list& shape) -> tensor {
  return generated(shape, in.width, [&](const list& at) {
    list from;
    for (std::size_t d = 0; d < in.shape.size(); ++d) from.push_back(in.shape[d] == 1 ? 0 : at[at.size() - in.shape.size() + d]);
    return in.at(from);
  });
}

inline auto depth_to_space(const tensor& in, std::int64_t block) -> tensor {
  const auto depth = in.shape[3] / (block * block);
  return generated({in.shape[0], in.shape[1] * block, in.shape[2] * block, depth}, in.width, [&](const list& at) {
    return in.at({at[0], at[1] / block, at[2] / block, (at[1] % block * block + at[2] % block) * depth + at[3]});
  });
}
inline auto space_to_depth(const tensor& in, std::int64_t block) -> tensor {
  const auto depth = in.shape[3];
  return generated({in.shape[0], in.shape[1] / block, in.shape[2] / block, depth * block * block}, in.width, [&](const list& at) {
    const auto pixel = at[3] / depth;
    return in.at({at[0], at[1] * block + pixel / block, at[2] * block + pixel % block, at[3] % depth});
  });
}

/// Divides the dimensions after the batch into blocks.
inline auto space_to_batch(const tensor& in, const list& blocks, const list& before, const list& after, const bytes& value) -> tensor {
  list all_before(in.shape.size());
  list all_after(in.shape.size());
  std::copy(before.begin(), before.end(), all_before.begin() + 1);
  std::copy(after.begin(), after.end(), all_after.begin() + 1);
  const auto padded = pad(in, all_before, all_after, value);
  auto shape = padded.shape;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    shape[0] *= blocks[i];
    shape[i + 1] /= blocks[i];
  }
  return generated(shape, in.width, [&](list at) {
    auto shift = at[0] / in.shape[0];
    at[0] %= in.shape[0];
    for (auto i = blocks.size(); i-- > 0; shift /= blocks[i]) at[i + 1] = at[i + 1] * blocks[i] + shift % blocks[i];
    return padded.at(at);
  });
}
inline auto batch_to_space(const tensor& in, const list& blocks, const list& before, const list& after) -> tensor {
  auto shape = in.shape;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    shape[0] /= blocks[i];
    shape[i + 1] = shape[i + 1] * blocks[i] - before[i] - after[i];
  }
  return generated(shape, in.width, [&](list at) {
    std::int64_t shift = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      at[i + 1] += before[i];
      shift = shift * blocks[i] + at[i + 1] % blocks[i];
      at[i + 1] /= blocks[i];
    }
    at[0] += shift * shape[0];
    return in.at(at);
  });
}

/// Concatenates along an axis.
inline auto concatenate(const std::vector<tensor>& parts, std::size_t axis) -> tensor {
  auto shape = parts[0].shape;
  for (std::size_t i = 1; i < parts.size(); ++i) shape[axis] += parts[i].shape[axis];
  return generated(shape, parts[0].width, [&](list at) {
    std::size_t part = 0;
    for (; at[axis] >= parts[part].shape[axis]; ++part) at[axis] -= parts[part].shape[axis];
    return parts[part].at(at);
  });
}

/// Gathers slices at positions along an axis. The first `batches` dimensions belong to the positions, too.
inline auto gather(const tensor& in, const list& where, const list& numbers, std::size_t axis, std::size_t batches) -> tensor {
  list shape(in.shape.begin(), in.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), where.begin() + static_cast<std::ptrdiff_t>(batches), where.end());
  shape.insert(shape.end(), in.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, in.shape.end());
  return generated(shape, in.width, [&](const list& at) {
    list number_at(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(batches));
    const auto inner = where.size() - batches;
    number_at.insert(number_at.end(), at.begin() + static_cast<std::ptrdiff_t>(axis),
                     at.begin() + static_cast<std::ptrdiff_t>(axis + inner));
    list from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(axis));
    from.push_back(std::clamp<std::int64_t>(numbers[static_cast<std::size_t>(position(where, number_at))], 0, in.shape[axis] - 1));
    from.insert(from.end(), at.begin() + static_cast<std::ptrdiff_t>(axis + inner), at.end());
    return in.at(from);
  });
}

/// Gathers at positions. The last dimension of `where` is the number of coordinates of a position.
inline auto gather_nd(const tensor& in, const list& where, const list& numbers) -> tensor {
  const auto chosen = static_cast<std::size_t>(where.back());
  list shape(where.begin(), where.end() - 1);
  shape.insert(shape.end(), in.shape.begin() + static_cast<std::ptrdiff_t>(chosen), in.shape.end());
  return generated(shape, in.width, [&](const list& at) {
    list from;
    list number_at(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(where.size() - 1));
    number_at.push_back(0);
    for (std::size_t d = 0; d < chosen; ++d) {
      number_at.back() = static_cast<std::int64_t>(d);
      from.push_back(std::clamp<std::int64_t>(numbers[static_cast<std::size_t>(position(where, number_at))], 0, in.shape[d] - 1));
    }
    from.insert(from.end(), at.begin() + static_cast<std::ptrdiff_t>(where.size() - 1), at.end());
    return in.at(from);
  });
}

/// Writes a part over a whole. The part is moved so that it fits.
inline auto update(const tensor& whole, const tensor& part, list begin) -> tensor {
  for (std::size_t d = 0; d < begin.size(); ++d) begin[d] = std::clamp<std::int64_t>(begin[d], 0, whole.shape[d] - part.shape[d]);
  return generated(whole.shape, whole.width, [&](list at) {
    const auto whole_at = at;
    for (std::size_t d = 0; d < at.size(); ++d) {
      at[d] -= begin[d];
      if (at[d] < 0 || at[d] >= part.shape[d]) return whole.at(whole_at);
    }
    return part.at(at);
  });
}

}  // namespace reference::moving
