// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The index of a torch.export archive: the data that the importer needs from the JSON texts, as 32-bit words. The signature of a program is
// the list of the program's inputs and outputs.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// The kind of an entry of the index. An entry has the words {kind, size, words...}; the size counts all words. A text is {position in the
/// file, size}. A name is a text, followed by the low half of its hash. A 64-bit number is {low half, high half}.
enum class entry : std::uint32_t {
  config,        ///< a tensor of the table of weights or of constants: `config_entry`
  graph,         ///< the beginning of a graph: its number. Graph 0 is the root. The entries of the graph follow.
  inputs,        ///< the inputs of the graph: count, arguments
  outputs,       ///< the outputs of the graph: count, arguments
  node,          ///< `node_entry`
  tensor_value,  ///< the type of a tensor: name, dtype, sizes
  symbol,        ///< a named integer: name, 1 if its value is an expression (otherwise 0), value
  input_spec,    ///< an input of the signature: `spec`, text of the kind, argument, target name, 0 for a non-persistent buffer, else 1
  output_spec,   ///< an output of the signature: the same words as `input_spec`
  range          ///< the range of a symbol: name, minimum, maximum
};

/// The kind of an argument. An argument has the words {kind, size of the payload, payload...}.
enum class argument : std::uint32_t {
  none,
  tensor,    ///< name
  tensors,   ///< count, then arguments `tensor` and `none`
  integer,   ///< a number; also a boolean, a dtype, a memory format or a layout
  integers,  ///< count, then numbers
  real,
  reals,
  text,     ///< text
  symbol,   ///< the name of an integer
  symbols,  ///< count, then arguments `symbol` and `integer`
  graph,    ///< the number of the graph, the text of its name
  device,   ///< no words, because devices are ignored
  other     ///< a kind that is not supported: the text of its key
};

/// The kind of an input or output of the signature. For an output, `parameter` and `buffer` mean the new value of a parameter or buffer.
enum class spec : std::uint32_t {
  user,
  parameter,
  buffer,
  constant,
  user_input_mutation,
  other  ///< a kind that is not supported, such as the gradient of a training graph
};

/// A text in the file: its position and its size, in bytes.
struct stored_text {
  std::uint32_t at = 0;
  std::uint32_t size = 0;
};
struct stored_name : stored_text {
  std::uint32_t hash = 0;  ///< the low half of the hash of the text
};

/// A reader of the words of an entry, in order. The index is trusted, because the importer wrote it.
class word_reader {
 public:
  constexpr word_reader() = default;
  constexpr explicit word_reader(const std::uint32_t* at) : at_(at) {}

  constexpr auto position() const -> const std::uint32_t* { return at_; }
  constexpr auto word() -> std::uint32_t { return *at_++; }
  constexpr auto number() -> std::int64_t { return at_ += 2, static_cast<std::int64_t>(at_[-2] | std::uint64_t{at_[-1]} << 32); }
  constexpr auto real() -> double { return std::bit_cast<double>(number()); }
  constexpr auto text() -> stored_text { return at_ += 2, stored_text{at_[-2], at_[-1]}; }
  constexpr auto name() -> stored_name { return at_ += 3, stored_name{{at_[-3], at_[-2]}, at_[-1]}; }

 private:
  const std::uint32_t* at_ = nullptr;
};

/// An argument. `end` is the position of the next argument.
struct argument_view {
  argument kind = argument::none;
  word_reader words{};
  const std::uint32_t* end = nullptr;

  constexpr explicit argument_view(const std::uint32_t* at) : kind(static_cast<argument>(at[0])), words(at + 2), end(at + 2 + at[1]) {}
};

/// The decoded words of an entry `node`.
struct node_entry {
  stored_text name;
  stored_text target;    ///< the name of the operator, without `torch.ops.`
  std::uint64_t op = 0;  ///< the hash of `target`
  std::uint32_t input_count = 0;
  std::uint32_t output_count = 0;
  const std::uint32_t* inputs = nullptr;  ///< for each input, the text of its keyword (empty if positional) and the argument
  const std::uint32_t* outputs = nullptr;

  static constexpr std::size_t size = 12;  ///< the number of words before the inputs and outputs, including {kind, size}

  constexpr explicit node_entry(const std::uint32_t* at)
      : name{at[2], at[3]},
        target{at[4], at[5]},
        op(at[6] | std::uint64_t{at[7]} << 32),
        input_count(at[8]),
        output_count(at[9]),
        inputs(at + at[10]),
        outputs(at + at[11]) {}
};

/// The sizes in an entry: {rank, mask, sizes...}. Size i has two words: the text of an expression if bit i of the mask is set, otherwise a
/// number.
struct stored_sizes {
  static constexpr std::uint32_t max_rank = 32;

  std::uint32_t rank = 0;
  std::uint32_t expressions = 0;  ///< the mask
  word_reader words{};

  constexpr explicit stored_sizes(word_reader at) : rank(at.word()), expressions(at.word()), words(at) {}
  constexpr auto is_expression(std::uint32_t i) const -> bool { return (expressions >> i & 1) != 0; }
  /// Returns the position after the sizes.
  constexpr auto end() const -> word_reader { return word_reader(words.position() + 2 * rank); }
};

/// The pieces of an index, in the order of the entries. No entry is split between pieces.
using index_pieces = vector<span<const std::uint32_t>>;

}  // namespace baton::pt2::detail
