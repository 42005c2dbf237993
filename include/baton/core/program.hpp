// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The exported program: graphs as values in flat pools, owning, frozen or viewed, behind one reading interface.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

struct operator_definition;

enum class graph_id : std::uint32_t {};
enum class node_id : std::uint32_t {};
enum class value_id : std::uint32_t {};
enum class tag_id : std::uint32_t {};
enum class delegate_id : std::uint32_t {};

/// The id of what is not there: an optional operand left out, a node without a tag, a node that calls no delegate.
template <class Id>
inline constexpr auto none = static_cast<Id>(npos);

template <class Id>
  requires std::is_enum_v<Id>
constexpr auto index(Id id) -> std::uint32_t {
  return static_cast<std::uint32_t>(id);
}

/// A run of records in a pool.
struct range {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
};

/// Text or bytes: a view of memory outside (`outside` is set; it must outlive the program), or a run of the program's own byte pool.
struct byte_ref {
  const char* outside = nullptr;
  std::uint32_t first = 0;
  std::uint32_t size = 0;

  /// Whether both are the same memory of one program; other memory may hold the same bytes.
  friend constexpr auto operator==(byte_ref a, byte_ref b) -> bool {
    return a.first == b.first && a.size == b.size && is_same_address(a.outside, b.outside);
  }
};

/// What a value is. Scratch is memory that a custom operator works in: an operand of it that nobody makes, neither an input of the graph
/// nor an output of anything. It lives from its first user to its last; a part that takes a user has scratch of its own.
enum class value_kind : std::uint8_t { user_input, parameter, buffer, mutable_buffer, constant, intermediate, scratch };

/// Whether a value is data that the program owns: a parameter, a buffer or a lifted constant.
constexpr auto is_owned_data(value_kind kind) -> bool {
  return kind != value_kind::user_input && kind != value_kind::intermediate && kind != value_kind::scratch;
}

/// Affine quantization: real = scale · (integer − zero point), per tensor (1 channel) or per channel along `axis`. 0 channels: none.
/// Scales are packed little-endian float32, zero points packed little-endian int64, both as model files have them, so that they stay views.
struct quantization {
  byte_ref scales{};
  byte_ref zero_points{};
  std::uint32_t channels = 0;
  std::int32_t axis = 0;
};

/// What becomes of tagged owned data that others use too.
enum class data_sharing : std::uint8_t {
  share,      ///< every user's part has a placeholder of its own, and so has the owner; the bytes are stored once
  duplicate,  ///< the same, and every part has bytes of its own
  own,        ///< one part owns it, and another user is an error (the original's `no_copy`)
  borrow,     ///< it stays with the owner and is an argument of every call, tagged or not
};

/// An SSA value.
struct value {
  byte_ref name{};
  dtype type = dtype::float32;
  value_kind kind = value_kind::intermediate;
  bool persistent = true;  ///< of a buffer: whether it is part of the state dict
  range shape{};           ///< in the integer pool
  quantization quant{};
  byte_ref data{};    ///< of owned data: its (initial) bytes
  byte_ref target{};  ///< of owned data: its fully qualified name
  graph_id graph{0};
  tag_id tag = none<tag_id>;
  data_sharing sharing = data_sharing::share;  ///< of tagged owned data
};

enum class attribute_kind : std::uint8_t { integer, real, boolean, text, bytes, integers, reals };

/// A named literal of a node.
struct attribute {
  byte_ref name{};
  std::uint64_t key = 0;  ///< `hash_of` the name
  attribute_kind kind = attribute_kind::integer;
  std::int64_t integer = 0;
  double real = 0;
  byte_ref bytes{};  ///< of text and bytes
  range list{};      ///< of integers and reals, in their pools
};

/// One use of an operator, which is a name with a namespace, compared by its hash; the set of operators is open.
struct node {
  byte_ref name{};
  byte_ref target{};     ///< the operator's name, for example `aten.relu.default`
  std::uint64_t op = 0;  ///< `hash_of` the operator's name
  range inputs{};        ///< in the operand pool; an operand left out is `none<value_id>`
  range outputs{};       ///< in the operand pool
  range attributes{};
  range subgraphs{};
  std::uint32_t debug_handle = 0;  ///< 0: not set
  range folded_handles{};          ///< in the integer pool, ascending: handles of nodes that passes made one with it
  tag_id tag = none<tag_id>;
  delegate_id delegate = none<delegate_id>;  ///< of a delegate call: what it calls

  constexpr auto is(literal_name name_of_operator) const -> bool { return op == name_of_operator.hash; }
};

/// The operator of a delegate call.
inline constexpr literal_name call_delegate{"executorch_call_delegate"};

enum class output_kind : std::uint8_t { user_output, buffer_mutation };

/// One returned value of a graph; a mutation names the mutable buffer it is written to. User inputs are never written to.
struct output_spec {
  output_kind kind = output_kind::user_output;
  value_id value = none<value_id>;
  byte_ref target{};
};

/// A graph: nodes in a topological order, all placeholders (owned data and user inputs) in order, outputs with mutations first.
struct graph {
  byte_ref name{};
  range nodes{};
  range inputs{};   ///< in the operand pool
  range outputs{};  ///< in the output pool
};

/// A key and a value that a backend's user hands to `preprocess`; opaque to Baton, order and duplicates kept.
struct compile_spec_ref {
  byte_ref key{};
  byte_ref value{};
};

/// A delegation tag, and, where the partitioner gave one, the delegation spec it stands for.
struct tag {
  byte_ref name{};
  byte_ref backend_id{};
  range compile_specs{};
  std::uint32_t order = npos;  ///< position in the ordered tag map; `npos`: no spec
};

/// Bytes that a delegate finds by key while it runs; equal bytes of several keys are stored once.
struct named_data_ref {
  byte_ref key{};
  byte_ref data{};
  byte_ref external_tag{};  ///< the file that holds the bytes outside the program; empty: the program holds them
  std::uint32_t alignment = 1;
  bool is_view = false;    ///< whether the bytes were given as a view of memory that stays, as that of a model in flash
  bool is_tensor = false;  ///< whether the layout below counts
  dtype type = dtype::float32;
  range sizes{};      ///< in the integer pool
  range dim_order{};  ///< in the integer pool: the dimensions, outermost first
};

/// What a backend made of a part: its blob, the part itself, and what it was made with.
struct lowered_module_ref {
  /// One entry of a delegate mapping: the backend's identifier of one of its operations, and the debug handles it came from.
  struct mapping_entry {
    std::int64_t identifier = 0;
    byte_ref text{};  ///< set where the identifier is a string
    bool is_text = false;
    range handles{};  ///< in the integer pool, ascending
  };

  byte_ref name{};  ///< `lowered_module_0` and so on
  byte_ref backend_id{};
  byte_ref processed_bytes{};
  graph_id original = none<graph_id>;
  range compile_specs{};
  range debug_map{};  ///< in the mapping pool
  range named_data{};
  byte_ref info{};  ///< what the backend tells about it to tools; it does not reach the target
  std::uint32_t scratch_bytes = 0;
  range packing{};  ///< in the integer pool: what is yet to be put into the blob; empty: the blob is whole
};

namespace detail {
/// Storage in vectors: programs that are built and changed.
struct owning {
  template <class T, std::size_t>
  using pool = vector<T>;
};
/// No storage of its own: programs that are read.
struct viewed {
  template <class T, std::size_t>
  using pool = span<const T>;
};
}  // namespace detail

template <class Storage>
struct basic_program;
/// The owning form: what importers make and partitioners and backends are given.
using exported_program = basic_program<detail::owning>;
/// The form that every reader takes; it must not outlive what it views.
using program_view = basic_program<detail::viewed>;

/// A program: graphs, nodes and values in flat pools that refer to one another by index and range, graph 0 being the root.
/// Subgraphs and the programs inside delegates lie in the same pools. Reading functions take a `program_view`, which both other forms
/// become.
template <class Storage>
struct basic_program {
  template <class T, std::size_t I>
  using pool = typename Storage::template pool<T, I>;

  pool<graph, 0> graphs{};
  pool<node, 1> nodes{};
  pool<value, 2> values{};
  pool<value_id, 3> operands{};
  pool<attribute, 4> attributes{};
  pool<std::int64_t, 5> integers{};
  pool<double, 6> reals{};
  pool<char, 7> bytes{};
  pool<graph_id, 8> subgraphs{};
  pool<output_spec, 9> outputs{};
  pool<lowered_module_ref, 10> delegates{};
  pool<compile_spec_ref, 11> compile_specs{};
  pool<lowered_module_ref::mapping_entry, 12> mappings{};
  pool<tag, 13> tags{};
  pool<named_data_ref, 14> named_data{};

  /// The definitions of user-defined operators (`operators/operator_definition.hpp`), read before the library's by everything that is
  /// given the program. A view, which must outlive the program. Copies keep it, parts too.
  span<const operator_definition> operators{};

  constexpr auto operator[](graph_id id) const -> const graph& { return graphs[index(id)]; }
  constexpr auto operator[](node_id id) const -> const node& { return nodes[index(id)]; }
  constexpr auto operator[](value_id id) const -> const value& { return values[index(id)]; }
  constexpr auto operator[](tag_id id) const -> const tag& { return tags[index(id)]; }
  constexpr auto operator[](delegate_id id) const -> const lowered_module_ref& { return delegates[index(id)]; }

  constexpr auto root() const -> const graph& { return graphs[0]; }
  constexpr auto text(byte_ref ref) const -> std::string_view {
    return ref.outside != nullptr ? std::string_view{ref.outside, ref.size} : std::string_view{bytes.data() + ref.first, ref.size};
  }
  constexpr auto data(byte_ref ref) const -> span<const char> {
    return ref.outside != nullptr ? span{ref.outside, ref.size} : span{bytes.data() + ref.first, ref.size};
  }
  constexpr auto shape(value_id id) const -> span<const std::int64_t> { return integer_list((*this)[id].shape); }
  constexpr auto integer_list(range run) const -> span<const std::int64_t> { return {integers.data() + run.first, run.size}; }
  constexpr auto real_list(range run) const -> span<const double> { return {reals.data() + run.first, run.size}; }

  constexpr auto inputs(const node& of) const -> span<const value_id> { return {operands.data() + of.inputs.first, of.inputs.size}; }
  constexpr auto outputs_of(const node& of) const -> span<const value_id> { return {operands.data() + of.outputs.first, of.outputs.size}; }
  constexpr auto inputs(const graph& of) const -> span<const value_id> { return {operands.data() + of.inputs.first, of.inputs.size}; }
  constexpr auto outputs_of(const graph& of) const -> span<const output_spec> {
    return {outputs.data() + of.outputs.first, of.outputs.size};
  }
  constexpr auto nodes_of(const graph& of) const -> span<const node> { return {nodes.data() + of.nodes.first, of.nodes.size}; }
  constexpr auto folded_handles(const node& of) const -> span<const std::int64_t> { return integer_list(of.folded_handles); }
  constexpr auto subgraphs_of(const node& of) const -> span<const graph_id> {
    return {subgraphs.data() + of.subgraphs.first, of.subgraphs.size};
  }
  constexpr auto attributes_of(const node& of) const -> span<const attribute> {
    return {attributes.data() + of.attributes.first, of.attributes.size};
  }

  /// The attribute of that name, or null.
  constexpr auto find(const node& of, literal_name key) const -> const attribute* {
    for (const auto& candidate : attributes_of(of)) {
      if (candidate.key == key.hash) return &candidate;
    }
    return nullptr;
  }
  /// The integer (or boolean) attribute of that name, or the given value where it is absent.
  constexpr auto integer(const node& of, literal_name key, std::int64_t absent = 0) const -> std::int64_t {
    const auto* found = find(of, key);
    return found != nullptr ? found->integer : absent;
  }
  /// The number of the attribute of that name, real or integer, or the given value where it is absent.
  constexpr auto real(const node& of, literal_name key, double absent = 0) const -> double {
    const auto* found = find(of, key);
    if (found == nullptr) return absent;
    return found->kind == attribute_kind::integer ? static_cast<double>(found->integer) : found->real;
  }
  /// The text attribute of that name, or the given text where it is absent.
  constexpr auto text(const node& of, literal_name key, std::string_view absent = {}) const -> std::string_view {
    const auto* found = find(of, key);
    return found != nullptr ? text(found->bytes) : absent;
  }

  /// The scale of a channel (of the whole tensor where it has one scale).
  constexpr auto scale(const quantization& of, std::uint32_t channel = 0) const -> float {
    return std::bit_cast<float>(static_cast<std::uint32_t>(little_endian(of.scales, of.channels == 1 ? 0 : channel, 4)));
  }
  /// The zero point of a channel; absent zero points are 0.
  constexpr auto zero_point(const quantization& of, std::uint32_t channel = 0) const -> std::int64_t {
    if (of.zero_points.size == 0) return 0;
    return static_cast<std::int64_t>(little_endian(of.zero_points, of.zero_points.size == 8 ? 0 : channel, 8));
  }

  constexpr operator program_view() const {  // NOLINT(google-explicit-constructor): every reader takes a view
    return {{graphs.data(), graphs.size()},         {nodes.data(), nodes.size()},
            {values.data(), values.size()},         {operands.data(), operands.size()},
            {attributes.data(), attributes.size()}, {integers.data(), integers.size()},
            {reals.data(), reals.size()},           {bytes.data(), bytes.size()},
            {subgraphs.data(), subgraphs.size()},   {outputs.data(), outputs.size()},
            {delegates.data(), delegates.size()},   {compile_specs.data(), compile_specs.size()},
            {mappings.data(), mappings.size()},     {tags.data(), tags.size()},
            {named_data.data(), named_data.size()}, operators};
  }

 private:
  constexpr auto little_endian(byte_ref ref, std::size_t element, std::size_t width) const -> std::uint64_t {
    const char* at = data(ref).data() + element * width;
    std::uint64_t bits = 0;
    for (std::size_t i = width; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(at[i]);
    return bits;
  }
};

}  // namespace baton
