// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Movements of data, element by element: each says for an element of the output which element of an input it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference::moving {

using list = std::vector<std::int64_t>;
using bytes = std::vector<char>;

inline auto count(const list& shape) -> std::int64_t {
  std::int64_t made = 1;
  for (const auto size : shape) made *= size;
  return made;
}
inline auto position(const list& shape, const list& at) -> std::int64_t {
  std::int64_t made = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) made = made * shape[d] + at[d];
  return made;
}

/// Calls `f(coordinates)` for each element of a shape, in order.
template <class F>
void for_each(const list& shape, F f) {
  for (std::int64_t i = 0; i < count(shape); ++i) {
    list at(shape.size());
    auto rest = i;
    for (auto d = shape.size(); d-- > 0; rest /= shape[d]) at[d] = rest % shape[d];
    f(at);
  }
}

/// A tensor of elements of so many bytes.
struct tensor {
  list shape;
  std::size_t width = 1;
  bytes data{};

  auto at(const list& coordinates) const -> bytes {
    const auto* from = data.data() + static_cast<std::size_t>(position(shape, coordinates)) * width;
    return {from, from + width};
  }
};

/// A tensor whose elements are `element(coordinates)`.
template <class F>
auto made(const list& shape, std::size_t width, F element) -> tensor {
  tensor out{shape, width};
  for_each(shape, [&](const list& at) {
    const bytes one = element(at);
    out.data.insert(out.data.end(), one.begin(), one.end());
  });
  return out;
}

inline auto transpose(const tensor& in, const list& order) -> tensor {
  list shape;
  for (const auto d : order) shape.push_back(in.shape[static_cast<std::size_t>(d)]);
  return made(shape, in.width, [&](const list& at) {
    list from(at.size());
    for (std::size_t d = 0; d < at.size(); ++d) from[static_cast<std::size_t>(order[d])] = at[d];
    return in.at(from);
  });
}

/// The elements of each dimension that are taken, in order.
inline auto take(const tensor& in, const std::vector<list>& taken) -> tensor {
  list shape;
  for (const auto& each : taken) shape.push_back(static_cast<std::int64_t>(each.size()));
  return made(shape, in.width, [&](const list& at) {
    list from;
    for (std::size_t d = 0; d < at.size(); ++d) from.push_back(taken[d][static_cast<std::size_t>(at[d])]);
    return in.at(from);
  });
}

/// The elements of a dimension that Python's `range` names, cut to it as slices are.
inline auto indices(std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t stride) -> list {
  const auto least = stride > 0 ? 0 : -1;
  const auto most = stride > 0 ? size : size - 1;
  begin = std::clamp<std::int64_t>(begin < 0 ? begin + size : begin, least, most);
  end = std::clamp<std::int64_t>(end < 0 ? end + size : end, least, most);
  list found;
  for (auto i = begin; stride > 0 ? i < end : i > end; i += stride) found.push_back(i);
  return found;
}

/// Around a tensor lies an element.
inline auto pad(const tensor& in, const list& before, const list& after, const bytes& value) -> tensor {
  list shape;
  for (std::size_t d = 0; d < in.shape.size(); ++d) shape.push_back(in.shape[d] + before[d] + after[d]);
  return made(shape, in.width, [&](list at) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      at[d] -= before[d];
      if (at[d] < 0 || at[d] >= in.shape[d]) return value;
    }
    return in.at(at);
  });
}

inline auto mirror_pad(const tensor& in, const list& before, const list& after, bool is_reflect) -> tensor {
  std::vector<list> taken;
  for (std::size_t d = 0; d < in.shape.size(); ++d) {
    list all;
    const std::int64_t gap = is_reflect ? 1 : 0;
    for (auto i = before[d]; i > 0; --i) all.push_back(i - 1 + gap);
    for (std::int64_t i = 0; i < in.shape[d]; ++i) all.push_back(i);
    for (std::int64_t i = 0; i < after[d]; ++i) all.push_back(in.shape[d] - 1 - gap - i);
    taken.push_back(all);
  }
  return take(in, taken);
}

inline auto tile(const tensor& in, const list& multiples) -> tensor {
  list shape;
  for (std::size_t d = 0; d < in.shape.size(); ++d) shape.push_back(in.shape[d] * multiples[d]);
  return made(shape, in.width, [&](list at) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] %= in.shape[d];
    return in.at(at);
  });
}

inline auto broadcast_to(const tensor& in, const list& shape) -> tensor {
  return made(shape, in.width, [&](const list& at) {
    list from;
    for (std::size_t d = 0; d < in.shape.size(); ++d) from.push_back(in.shape[d] == 1 ? 0 : at[at.size() - in.shape.size() + d]);
    return in.at(from);
  });
}

inline auto depth_to_space(const tensor& in, std::int64_t block) -> tensor {
  const auto depth = in.shape[3] / (block * block);
  return made({in.shape[0], in.shape[1] * block, in.shape[2] * block, depth}, in.width, [&](const list& at) {
    return in.at({at[0], at[1] / block, at[2] / block, (at[1] % block * block + at[2] % block) * depth + at[3]});
  });
}
inline auto space_to_depth(const tensor& in, std::int64_t block) -> tensor {
  const auto depth = in.shape[3];
  return made({in.shape[0], in.shape[1] / block, in.shape[2] / block, depth * block * block}, in.width, [&](const list& at) {
    const auto pixel = at[3] / depth;
    return in.at({at[0], at[1] * block + pixel / block, at[2] * block + pixel % block, at[3] % depth});
  });
}

/// Blocks along the dimensions behind the batch.
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
  return made(shape, in.width, [&](list at) {
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
  return made(shape, in.width, [&](list at) {
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

/// Along an axis, one part after the other.
inline auto concatenate(const std::vector<tensor>& parts, std::size_t axis) -> tensor {
  auto shape = parts[0].shape;
  for (std::size_t i = 1; i < parts.size(); ++i) shape[axis] += parts[i].shape[axis];
  return made(shape, parts[0].width, [&](list at) {
    std::size_t part = 0;
    for (; at[axis] >= parts[part].shape[axis]; ++part) at[axis] -= parts[part].shape[axis];
    return parts[part].at(at);
  });
}

/// The slices at positions along an axis; the dimensions before `batches` are the positions', too.
inline auto gather(const tensor& in, const list& where, const list& numbers, std::size_t axis, std::size_t batches) -> tensor {
  list shape(in.shape.begin(), in.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), where.begin() + static_cast<std::ptrdiff_t>(batches), where.end());
  shape.insert(shape.end(), in.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, in.shape.end());
  return made(shape, in.width, [&](const list& at) {
    list of_number(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(batches));
    const auto inner = where.size() - batches;
    of_number.insert(of_number.end(), at.begin() + static_cast<std::ptrdiff_t>(axis),
                     at.begin() + static_cast<std::ptrdiff_t>(axis + inner));
    list from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(axis));
    from.push_back(std::clamp<std::int64_t>(numbers[static_cast<std::size_t>(position(where, of_number))], 0, in.shape[axis] - 1));
    from.insert(from.end(), at.begin() + static_cast<std::ptrdiff_t>(axis + inner), at.end());
    return in.at(from);
  });
}

/// Positions of as many numbers as the last dimension of `where` says.
inline auto gather_nd(const tensor& in, const list& where, const list& numbers) -> tensor {
  const auto chosen = static_cast<std::size_t>(where.back());
  list shape(where.begin(), where.end() - 1);
  shape.insert(shape.end(), in.shape.begin() + static_cast<std::ptrdiff_t>(chosen), in.shape.end());
  return made(shape, in.width, [&](const list& at) {
    list from;
    list of_number(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(where.size() - 1));
    of_number.push_back(0);
    for (std::size_t d = 0; d < chosen; ++d) {
      of_number.back() = static_cast<std::int64_t>(d);
      from.push_back(std::clamp<std::int64_t>(numbers[static_cast<std::size_t>(position(where, of_number))], 0, in.shape[d] - 1));
    }
    from.insert(from.end(), at.begin() + static_cast<std::ptrdiff_t>(where.size() - 1), at.end());
    return in.at(from);
  });
}

/// A part written over a whole, moved to lie in it.
inline auto update(const tensor& whole, const tensor& part, list begin) -> tensor {
  for (std::size_t d = 0; d < begin.size(); ++d) begin[d] = std::clamp<std::int64_t>(begin[d], 0, whole.shape[d] - part.shape[d]);
  return made(whole.shape, whole.width, [&](list at) {
    const auto in_whole = at;
    for (std::size_t d = 0; d < at.size(); ++d) {
      at[d] -= begin[d];
      if (at[d] < 0 || at[d] >= part.shape[d]) return whole.at(in_whole);
    }
    return part.at(at);
  });
}

}  // namespace reference::moving
