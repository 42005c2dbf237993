// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The exported program: graphs in flat pools. A pool is an array of all records of one kind. `exported_program` (owning), `program_view`
// and `frozen_program` (`core/shared/frozen_program.hpp`) have the same read interface.
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
class operator_dialect;

enum class graph_id : std::uint32_t {};
enum class node_id : std::uint32_t {};
enum class value_id : std::uint32_t {};
enum class tag_id : std::uint32_t {};
enum class delegate_id : std::uint32_t {};

/// The null id: an omitted optional operand, no tag, or no delegate.
template <class Id>
inline constexpr auto none = static_cast<Id>(npos);

template <class Id>
  requires std::is_enum_v<Id>
constexpr auto index(Id id) -> std::uint32_t {
  return static_cast<std::uint32_t>(id);
}

/// A range of records in a pool.
struct range {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
};

/// A reference to text or bytes. If `outside` is not null, the text or bytes are outside the program, and must outlive the program.
/// Otherwise, the reference is a range of the program's byte pool.
struct byte_ref {
  const char* outside = nullptr;
  std::uint32_t first = 0;
  std::uint32_t size = 0;

  /// True if two references of one program refer to the same memory. If false, the bytes may still be equal.
  friend constexpr auto operator==(byte_ref a, byte_ref b) -> bool {
    return a.first == b.first && a.size == b.size && is_same_address(a.outside, b.outside);
  }
};

/// The kind of a value. `scratch`: uninitialized working memory that a custom operator receives as an operand. Scratch has no producer and
/// is neither an input nor an output of the graph. Scratch is live from its first user to its last user. Parts (the nodes with the same
/// delegation tag) do not share scratch: each part that uses the scratch has separate scratch. `external_constant`: read-only data that the
/// program does not own, because the caller supplies it at run time (`external_weights`).
enum class value_kind : std::uint8_t { user_input, parameter, buffer, mutable_buffer, constant, intermediate, scratch, external_constant };

/// True if a value is data that the program owns: a parameter, a buffer, a mutable buffer or a constant (not an external constant).
constexpr auto is_owned_data(value_kind kind) -> bool {
  return kind != value_kind::user_input && kind != value_kind::intermediate && kind != value_kind::scratch &&
         kind != value_kind::external_constant;
}

/// Affine quantization: real = scale · (integer − zero point). The quantization is per tensor (`channels` is 1) or per channel along
/// `axis`. If `channels` is 0, the value is not quantized. Scales are stored as packed little-endian float32 numbers, zero points as packed
/// little-endian int64 numbers. TensorFlow Lite files use the same format, so `scales` and `zero_points` can be views of such a file.
struct quantization {
  byte_ref scales{};
  byte_ref zero_points{};
  std::uint32_t channels = 0;
  std::int32_t axis = 0;
};

/// How data with a delegation tag is shared if nodes without this tag also use the data. The nodes with the tag become one part.
enum class data_sharing : std::uint8_t {
  share,      ///< each graph that uses the data (a part, or the graph outside the parts) has a placeholder; the bytes are stored once
  duplicate,  ///< like `share`, but each part has a separate copy of the bytes
  own,        ///< one part owns the data, and a use outside the part is an error (ExecuTorch's `no_copy`)
  borrow,     ///< the tag is ignored; the graph outside the parts keeps the data, and passes the data as an argument to each delegate call
};

/// A tensor that nodes use or produce, in SSA form: at most one node produces it.
struct value {
  byte_ref name{};
  dtype type = dtype::float32;
  value_kind kind = value_kind::intermediate;
  bool persistent = true;  ///< for buffers: whether PyTorch's state dict contains the buffer
  range shape{};           ///< in the integer pool
  quantization quant{};
  byte_ref data{};    ///< for owned data: the (initial) bytes
  byte_ref target{};  ///< for owned data: the fully qualified name
  graph_id graph{0};
  tag_id tag = none<tag_id>;
  data_sharing sharing = data_sharing::share;  ///< for tagged owned data
};

enum class attribute_kind : std::uint8_t { integer, real, boolean, text, bytes, integers, reals };

/// A named literal of a node.
struct attribute {
  byte_ref name{};
  std::uint64_t key = 0;  ///< `hash_of(name)`
  attribute_kind kind = attribute_kind::integer;
  std::int64_t integer = 0;
  double real = 0;
  byte_ref bytes{};  ///< for text and bytes
  range list{};      ///< for integers and reals: a range of the integer or real pool
};

/// A use of an operator. The operator is identified by a name with a namespace. Names are compared by hash. Users can define operators
/// (`operators/operator_definition.hpp`).
struct node {
  byte_ref name{};
  byte_ref target{};     ///< the name of the operator, for example `aten.relu.default`
  std::uint64_t op = 0;  ///< `hash_of` the name of the operator
  range inputs{};        ///< in the operand pool; `none<value_id>` if an operand is omitted
  range outputs{};       ///< in the operand pool
  range attributes{};
  range subgraphs{};
  std::uint32_t debug_handle = 0;  ///< 0 if not set
  range folded_handles{};          ///< the folded handles: the debug handles of nodes that passes merged into this node; in the integer
                                   ///< pool, ascending
  tag_id tag = none<tag_id>;
  delegate_id delegate = none<delegate_id>;  ///< for delegate calls: the delegate

  constexpr auto is(literal_name name_of_operator) const -> bool { return op == name_of_operator.hash; }
};

/// The operator of a delegate call.
inline constexpr literal_name call_delegate{"executorch_call_delegate"};

enum class output_kind : std::uint8_t { user_output, buffer_mutation };

/// A returned value of a graph. For a mutation, `target` is the fully qualified name (`value::target`) of the mutable buffer that receives
/// the value. User inputs are never written.
struct output_spec {
  output_kind kind = output_kind::user_output;
  value_id value = none<value_id>;
  byte_ref target{};
};

/// A graph: its nodes in topological order, its placeholders (owned data, external constants and user inputs), and its outputs, mutations
/// first.
struct graph {
  byte_ref name{};
  range nodes{};
  range inputs{};   ///< in the operand pool
  range outputs{};  ///< in the output pool
};

/// A key-value pair that is passed to a backend's `preprocess`. Baton does not interpret the pair. A list of compile specs keeps its order
/// and its duplicates.
struct compile_spec_ref {
  byte_ref key{};
  byte_ref value{};
};

/// A delegation tag and its delegation spec (backend id and compile specs), if the partitioner set one.
struct tag {
  byte_ref name{};
  byte_ref backend_id{};
  range compile_specs{};
  std::uint32_t order = npos;  ///< the position in `partition_result::partition_tags`, counting each tag once; `npos` if there is no spec
};

/// Bytes that a delegate looks up by key at run time. If several keys have equal bytes, the bytes are stored once.
struct named_data_ref {
  byte_ref key{};
  byte_ref data{};
  byte_ref external_tag{};  ///< the name of the file that contains the bytes; empty if the program contains the bytes
  std::uint32_t alignment = 1;
  bool is_view = false;    ///< whether the bytes are a view of permanent memory, such as a model in flash
  bool is_tensor = false;  ///< whether `type`, `sizes` and `dim_order` are valid
  dtype type = dtype::float32;
  range sizes{};      ///< in the integer pool
  range dim_order{};  ///< in the integer pool: the dimensions, outermost first
};

/// A lowered part: its processed bytes, its original graph (the part before `preprocess`), and the compile specs with which the part was
/// lowered.
struct lowered_module_ref {
  /// An entry of a delegate mapping: the identifier of an operation of a backend, and the debug handles of the nodes that this operation
  /// computes.
  struct mapping_entry {
    std::int64_t identifier = 0;
    byte_ref text{};  ///< the identifier, if `is_text`
    bool is_text = false;
    range handles{};  ///< in the integer pool, ascending
  };

  byte_ref name{};  ///< `lowered_module_0` and so on; see `lowered_module_view::name`
  byte_ref backend_id{};
  byte_ref processed_bytes{};
  graph_id original = none<graph_id>;
  range compile_specs{};
  range debug_map{};  ///< in the mapping pool
  range named_data{};
  byte_ref info{};  ///< information from the backend for tools; not present on the target
  std::uint32_t scratch_bytes = 0;
  range packing{};  ///< in the integer pool: describes the constants of the part that are still to be copied to `processed_bytes`, in the
                    ///< layout of the device
};

namespace detail {
/// Storage in vectors, for programs that change.
struct owning {
  template <class T, std::size_t>
  using pool = vector<T>;
};
/// Storage in views of another program's storage, for read access.
struct viewed {
  template <class T, std::size_t>
  using pool = span<const T>;
};
}  // namespace detail

template <class Storage>
struct basic_program;
/// A program that owns its pools. Importers return programs of this type; partitioners and backends receive them.
using exported_program = basic_program<detail::owning>;
/// A view of a program, for functions that only read programs. The viewed program must outlive the view.
using program_view = basic_program<detail::viewed>;

/// A program: graphs, nodes and values in flat pools. Records refer to each other by index and range. Graph 0 is the root. Subgraphs and
/// the original graphs of delegates are in the same pools. Functions that read a program have a `program_view` parameter. Programs with
/// other storage convert to `program_view`.
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

  /// The definitions of user-defined operators (`operators/operator_definition.hpp`). Every function that receives the program prefers
  /// these definitions to the definitions of the library. The array of definitions must outlive the program. Copies and parts of the
  /// program refer to the same array.
  span<const operator_definition> operators{};

  /// The definitions of the operators of the program's file format (`operators/operator_dialect.hpp`), or null. These definitions have
  /// precedence over the definitions of the library, but not over `operators`. The dialect must outlive the program, its copies and its
  /// parts.
  const operator_dialect* dialect = nullptr;

  // These functions convert ids themselves, because `index` would be a second function call.
  constexpr auto operator[](graph_id id) const -> const graph& { return graphs[static_cast<std::size_t>(id)]; }
  constexpr auto operator[](node_id id) const -> const node& { return nodes[static_cast<std::size_t>(id)]; }
  constexpr auto operator[](value_id id) const -> const value& { return values[static_cast<std::size_t>(id)]; }
  constexpr auto operator[](tag_id id) const -> const tag& { return tags[static_cast<std::size_t>(id)]; }
  constexpr auto operator[](delegate_id id) const -> const lowered_module_ref& { return delegates[static_cast<std::size_t>(id)]; }

  constexpr auto root() const -> const graph& { return graphs[0]; }
  constexpr auto text(byte_ref ref) const -> std::string_view {
    return ref.outside != nullptr ? std::string_view{ref.outside, ref.size} : std::string_view{bytes.data() + ref.first, ref.size};
  }
  constexpr auto data(byte_ref ref) const -> span<const char> {
    return ref.outside != nullptr ? span{ref.outside, ref.size} : span{bytes.data() + ref.first, ref.size};
  }
  constexpr auto shape(value_id id) const -> span<const std::int64_t> { return integer_list((*this)[id].shape); }
  constexpr auto integer_list(range numbers) const -> span<const std::int64_t> { return {integers.data() + numbers.first, numbers.size}; }
  constexpr auto real_list(range numbers) const -> span<const double> { return {reals.data() + numbers.first, numbers.size}; }

  constexpr auto inputs(const node& record) const -> span<const value_id> {
    return {operands.data() + record.inputs.first, record.inputs.size};
  }
  constexpr auto outputs_of(const node& record) const -> span<const value_id> {
    return {operands.data() + record.outputs.first, record.outputs.size};
  }
  constexpr auto inputs(const graph& record) const -> span<const value_id> {
    return {operands.data() + record.inputs.first, record.inputs.size};
  }
  constexpr auto outputs_of(const graph& record) const -> span<const output_spec> {
    return {outputs.data() + record.outputs.first, record.outputs.size};
  }
  constexpr auto nodes_of(const graph& record) const -> span<const node> { return {nodes.data() + record.nodes.first, record.nodes.size}; }
  constexpr auto folded_handles(const node& record) const -> span<const std::int64_t> { return integer_list(record.folded_handles); }
  constexpr auto subgraphs_of(const node& record) const -> span<const graph_id> {
    return {subgraphs.data() + record.subgraphs.first, record.subgraphs.size};
  }
  constexpr auto attributes_of(const node& record) const -> span<const attribute> {
    return {attributes.data() + record.attributes.first, record.attributes.size};
  }

  /// True if `id` is a mutable buffer, and the output `spec` is the new value of this buffer.
  constexpr auto is_mutated_by(value_id id, const output_spec& spec) const -> bool {
    const auto& record = (*this)[id];
    return spec.kind == output_kind::buffer_mutation && record.kind == value_kind::mutable_buffer &&
           text(record.target) == text(spec.target);
  }

  /// Returns the attribute `key`, or null if there is none.
  constexpr auto find(const node& record, literal_name key) const -> const attribute* {
    for (const auto& candidate : attributes_of(record)) {
      if (candidate.key == key.hash) return &candidate;
    }
    return nullptr;
  }
  /// Returns the integer (or boolean) attribute `key`, or `absent` if there is none.
  constexpr auto integer(const node& record, literal_name key, std::int64_t absent = 0) const -> std::int64_t {
    const auto* literal = find(record, key);
    return literal != nullptr ? literal->integer : absent;
  }
  /// Returns the real or integer attribute `key`, or `absent` if there is none.
  constexpr auto real(const node& record, literal_name key, double absent = 0) const -> double {
    const auto* literal = find(record, key);
    if (literal == nullptr) return absent;
    return literal->kind == attribute_kind::integer ? static_cast<double>(literal->integer) : literal->real;
  }
  /// Returns the text attribute `key`, or `absent` if there is none.
  constexpr auto text(const node& record, literal_name key, std::string_view absent = {}) const -> std::string_view {
    const auto* literal = find(record, key);
    return literal != nullptr ? text(literal->bytes) : absent;
  }

  /// Returns the scale of a channel. `channel` is ignored if the whole tensor has one scale.
  constexpr auto scale(const quantization& quant, std::uint32_t channel = 0) const -> float {
    return std::bit_cast<float>(static_cast<std::uint32_t>(little_endian(quant.scales, quant.channels == 1 ? 0 : channel, 4)));
  }
  /// Returns the zero point of a channel, or 0 if there are no zero points. `channel` is ignored if the whole tensor has one zero point.
  constexpr auto zero_point(const quantization& quant, std::uint32_t channel = 0) const -> std::int64_t {
    if (quant.zero_points.size == 0) return 0;
    return static_cast<std::int64_t>(little_endian(quant.zero_points, quant.zero_points.size == 8 ? 0 : channel, 8));
  }

  constexpr operator program_view() const {  // NOLINT(google-explicit-constructor): every reader receives a view
    return {{graphs.data(), graphs.size()},
            {nodes.data(), nodes.size()},
            {values.data(), values.size()},
            {operands.data(), operands.size()},
            {attributes.data(), attributes.size()},
            {integers.data(), integers.size()},
            {reals.data(), reals.size()},
            {bytes.data(), bytes.size()},
            {subgraphs.data(), subgraphs.size()},
            {outputs.data(), outputs.size()},
            {delegates.data(), delegates.size()},
            {compile_specs.data(), compile_specs.size()},
            {mappings.data(), mappings.size()},
            {tags.data(), tags.size()},
            {named_data.data(), named_data.size()},
            operators,
            dialect};
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
