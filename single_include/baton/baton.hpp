// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Baton 0.1.0, the whole library in one header. Generated, do not edit.
// Made from include/baton by: cmake -P cmake/single_include.cmake
#pragma once

// ---- baton/baton.hpp

// The one header that users include: every room in order. `core/query.hpp` (range-v3) and `backends/` are included by who wants them.

// ---- baton/core/builder.hpp

// Builds a program: by hand in a few lines for tests, record by record for importers and rewriting passes.

// ---- baton/core/error.hpp

// How a broken rule is carried and told: one value, `failure`, for the compiler and for run time.

// ---- baton/core/config.hpp

// The version, the compiler floor and the feature switches: the only file with a public macro.

#if __cplusplus < 202002L || !defined(__cpp_concepts)
#error "Baton needs C++20: GCC 12 or newer, Clang 16 or newer, with -std=c++20"
#endif

// Errors are thrown where the compiler has exceptions, and go to `baton::error_handler` where it has none.
#if !defined(BATON_EXCEPTIONS)
#if defined(__cpp_exceptions)
#define BATON_EXCEPTIONS 1
#else
#define BATON_EXCEPTIONS 0
#endif
#endif

namespace baton {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

}  // namespace baton

// ---- baton/core/name.hpp

// Names: text as a template argument, and names compared as numbers.

#include <boost/hana/string.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// Text that can stand as a template argument; `N` counts the terminating zero.
template <std::size_t N>
struct fixed_string {
  char characters[N] = {};

  constexpr fixed_string() = default;
  constexpr fixed_string(const char (&text)[N]) {  // NOLINT(google-explicit-constructor): `name<"MyNpu">` needs it
    for (std::size_t i = 0; i < N; ++i) characters[i] = text[i];
  }
  constexpr operator std::string_view() const { return {characters, N - 1}; }  // NOLINT(google-explicit-constructor)
};

namespace detail {
template <fixed_string Text, std::size_t... I>
constexpr auto to_hana(std::index_sequence<I...>) {
  return boost::hana::string<Text.characters[I]...>{};
}
}  // namespace detail

/// A name as a type and as an object, for the ids of backends: `static constexpr auto id = baton::name<"MyNpu">;`.
/// It is a `boost::hana::string`, so Hana's lists compare and search it.
template <fixed_string Text>
inline constexpr auto name = detail::to_hana<Text>(std::make_index_sequence<sizeof(Text.characters) - 1>{});

/// The characters of a name.
template <char... C>
constexpr auto to_text(boost::hana::string<C...>) -> std::string_view {
  return {boost::hana::string<C...>::c_str(), sizeof...(C)};
}

/// The number by which operators and attributes are compared: 64-bit FNV-1a of the name
/// (G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake: RFC 9923).
constexpr auto hash_of(std::string_view text) -> std::uint64_t {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// A name written in the source, turned into its number by the compiler: `node.is("tfl.conv_2d")`.
struct literal_name {
  std::uint64_t hash;
  std::string_view text;

  consteval literal_name(const char* characters)  // NOLINT(google-explicit-constructor): call sites write a literal
      : hash(hash_of(characters)),
        text(characters) {}
};

}  // namespace baton

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>
#if BATON_EXCEPTIONS
#include <exception>
#endif

namespace baton {

/// Text that is made at compile time or at run time (`std::string` does not work in a constant with libstdc++ 12 and Clang).
using text_buffer = std::vector<char>;

/// Appends text to a buffer.
constexpr auto append(text_buffer& buffer, std::string_view text) -> text_buffer& {
  buffer.insert(buffer.end(), text.begin(), text.end());
  return buffer;
}

/// Appends a number in decimal.
constexpr auto append(text_buffer& buffer, std::int64_t number) -> text_buffer& {
  char digits[20] = {};
  std::size_t first = sizeof digits;
  auto rest = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  do {
    digits[--first] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (number < 0) buffer.push_back('-');
  return append(buffer, std::string_view{digits + first, sizeof digits - first});
}

/// Text and whole numbers, one after the other.
template <class... Parts>
constexpr auto join(const Parts&... parts) -> text_buffer {
  text_buffer buffer;
  [[maybe_unused]] const auto add = [&buffer](const auto& part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
      append(buffer, static_cast<std::int64_t>(part));
    } else {
      append(buffer, std::string_view{part});
    }
  };
  (add(parts), ...);
  return buffer;
}

constexpr auto view(const text_buffer& buffer) -> std::string_view { return {buffer.data(), buffer.size()}; }

/// One broken rule and the facts of its place. `rule` is the rule's sentence, from the catalogue in `core/rules.hpp`; empty: nothing is
/// broken.
struct failure {
  std::string_view rule;
  std::int64_t node = -1;  ///< index of the node in its program, -1: no node
  text_buffer node_name;   ///< the node's printed name
  text_buffer op;          ///< its operator
  text_buffer tag;         ///< the delegation tag concerned
  text_buffer backend;     ///< the backend concerned
  text_buffer reason;      ///< what was found

  constexpr explicit operator bool() const { return !rule.empty(); }
};

/// The whole text that a person reads: the sentence, then the facts.
constexpr auto message(const failure& why) -> text_buffer {
  text_buffer text = join(why.rule);
  const auto fact = [&text](std::string_view label, const text_buffer& value) {
    if (value.empty()) return;
    append(append(append(text, " ["), label), view(value));
    text.push_back(']');
  };
  fact("node: ", why.node_name);
  fact("operator: ", why.op);
  fact("tag: ", why.tag);
  fact("backend: ", why.backend);
  fact("", why.reason);
  return text;
}

#if BATON_EXCEPTIONS
/// What run-time calls throw when a rule is broken.
class error : public std::exception {
 public:
  explicit error(failure why) : why_(std::move(why)), text_(message(why_)) { text_.push_back('\0'); }
  auto what() const noexcept -> const char* override { return text_.data(); }
  auto why() const noexcept -> const failure& { return why_; }

 private:
  failure why_;
  text_buffer text_;
};
#else
/// Called with the message of a broken rule where there are no exceptions; replace it to log or to reset. Must not return.
inline void (*error_handler)(const char* message) = [](const char*) { std::abort(); };
#endif

/// Reports a broken rule at run time. Never called in a constant: there the failure is carried to a `static_assert`.
[[noreturn]] inline void raise(const failure& why) {
#if BATON_EXCEPTIONS
  throw error(why);
#else
  auto text = message(why);
  text.push_back('\0');
  error_handler(text.data());
  std::abort();
#endif
}

/// A value, or the rule that kept it from being made. The value of a failed result is harmless and empty.
template <class T>
struct result {
  T value{};
  failure error;

  constexpr result() = default;
  constexpr result(const T& made) : value(made) {}          // NOLINT(google-explicit-constructor)
  constexpr result(T&& made) : value(std::move(made)) {}    // NOLINT(google-explicit-constructor)
  constexpr result(failure why) : error(std::move(why)) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit operator bool() const { return !error; }
};

/// Takes the value out of a result; a failure is raised.
template <class T>
constexpr auto value_or_raise(result<T> made) -> T {
  if (!made) raise(made.error);
  return std::move(made.value);
}

}  // namespace baton

// ---- baton/core/program.hpp

// The exported program: graphs as values in flat pools, owning, frozen or viewed, behind one reading interface.

// ---- baton/core/tensor.hpp

// What a tensor's elements are and what shape they stand in.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

/// The type of a tensor's elements.
enum class dtype : std::uint8_t {
  float32,
  float16,
  bfloat16,
  float64,
  int2,
  int4,
  int8,
  int16,
  int32,
  int64,
  uint4,
  uint8,
  uint16,
  uint32,
  uint64,
  boolean,
  complex64,
  complex128,
  float8_e4m3,
  float8_e5m2,
  text,
  resource,
  variant
};

/// A dtype's name and the bits of one element; 0 bits: the size is not fixed.
struct dtype_facts {
  std::string_view name;
  std::uint8_t bits;
};

/// The facts of every dtype, in the order of the enumeration.
inline constexpr std::array<dtype_facts, 23> dtype_table{
    {{"float32", 32},    {"float16", 16},    {"bfloat16", 16}, {"float64", 64}, {"int2", 2},       {"int4", 4},
     {"int8", 8},        {"int16", 16},      {"int32", 32},    {"int64", 64},   {"uint4", 4},      {"uint8", 8},
     {"uint16", 16},     {"uint32", 32},     {"uint64", 64},   {"boolean", 8},  {"complex64", 64}, {"complex128", 128},
     {"float8_e4m3", 8}, {"float8_e5m2", 8}, {"text", 0},      {"resource", 0}, {"variant", 0}}};

constexpr auto facts(dtype type) -> const dtype_facts& { return dtype_table[static_cast<std::size_t>(type)]; }

/// A dtype and a shape, as a builder takes them: `tensor(dtype::float32, 4, 3, 64, 64)`.
struct tensor_type {
  static constexpr std::size_t max_rank = 8;
  dtype type = dtype::float32;
  std::size_t rank = 0;
  std::array<std::int64_t, max_rank> sizes{};

  constexpr auto shape() const -> std::span<const std::int64_t> { return {sizes.data(), rank}; }
};

/// A tensor type with these sizes; no sizes make a scalar.
template <class... Sizes>
  requires(sizeof...(Sizes) <= tensor_type::max_rank)
constexpr auto tensor(dtype type, Sizes... sizes) -> tensor_type {
  return {type, sizeof...(Sizes), {static_cast<std::int64_t>(sizes)...}};
}

/// The number of elements of a shape, -1 if a size is unknown (negative) or the count does not fit 63 bits.
constexpr auto element_count(std::span<const std::int64_t> shape) -> std::int64_t {
  constexpr std::int64_t most = INT64_MAX;
  std::int64_t count = 1;
  for (const auto size : shape) {
    if (size < 0 || (size > 0 && count > most / size)) return -1;
    count *= size;
  }
  return count;
}

/// The bytes of a dense tensor, -1 if the shape has no count or the dtype no fixed size.
constexpr auto byte_count(dtype type, std::span<const std::int64_t> shape) -> std::int64_t {
  const auto count = element_count(shape);
  const std::int64_t bits = facts(type).bits;
  return count < 0 || bits == 0 || count > (INT64_MAX - 7) / bits ? -1 : (count * bits + 7) / 8;
}

}  // namespace baton

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace baton {

enum class graph_id : std::uint32_t {};
enum class node_id : std::uint32_t {};
enum class value_id : std::uint32_t {};
enum class tag_id : std::uint32_t {};
enum class delegate_id : std::uint32_t {};

/// The id of what is not there: an optional operand left out, a node without a tag, a node that calls no delegate.
template <class Id>
inline constexpr auto none = static_cast<Id>(0xffffffffu);

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
};

enum class value_kind : std::uint8_t { user_input, parameter, buffer, mutable_buffer, constant, intermediate };

/// Whether a value is data that the program owns: a parameter, a buffer or a lifted constant.
constexpr auto is_owned_data(value_kind kind) -> bool { return kind != value_kind::user_input && kind != value_kind::intermediate; }

/// Affine quantization: real = scale · (integer − zero point), per tensor (1 channel) or per channel along `axis`. 0 channels: none.
/// Scales are packed little-endian float32, zero points packed little-endian int64, both as model files have them, so that they stay views.
struct quantization {
  byte_ref scales{};
  byte_ref zero_points{};
  std::uint32_t channels = 0;
  std::int32_t axis = 0;
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

/// One operation. Its operator is a name with a namespace, compared by its hash; the set of operators is open.
struct node {
  byte_ref name{};
  byte_ref target{};     ///< the operator's name, for example `aten.relu.default`
  std::uint64_t op = 0;  ///< `hash_of` the operator's name
  range inputs{};        ///< in the operand pool; an operand left out is `none<value_id>`
  range outputs{};       ///< in the operand pool
  range attributes{};
  range subgraphs{};
  std::uint32_t debug_handle = 0;  ///< 0: not set
  tag_id tag = none<tag_id>;
  delegate_id delegate = none<delegate_id>;  ///< of a delegate call: what it calls

  constexpr auto is(literal_name name_of_operator) const -> bool { return op == name_of_operator.hash; }
};

/// The operator of a delegate call.
inline constexpr literal_name call_delegate{"executorch_call_delegate"};

enum class output_kind : std::uint8_t { user_output, buffer_mutation };

/// One returned value of a graph; a mutation names the buffer it is written to.
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
  tag_id output_tag = none<tag_id>;
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
  std::uint32_t order = 0xffffffffu;  ///< place in the ordered tag map, 0xffffffff: no spec
};

/// One entry of a delegate mapping: the backend's identifier of one of its operations, and the debug handles it came from.
struct mapping_entry {
  std::int64_t identifier = 0;
  byte_ref text{};  ///< set where the identifier is a string
  bool is_text = false;
  range handles{};  ///< in the integer pool, ascending
};

/// What a backend made of a part: its blob, the part itself, and what it was made with.
struct lowered_module_ref {
  byte_ref name{};  ///< `lowered_module_0` and so on
  byte_ref backend_id{};
  byte_ref processed_bytes{};
  graph_id original = none<graph_id>;
  range compile_specs{};
  range debug_map{};  ///< in the mapping pool
  std::uint32_t scratch_bytes = 0;
};

inline constexpr std::size_t pool_count = 14;
/// The number of records in each pool.
using pool_sizes = std::array<std::uint32_t, pool_count>;

/// Storage in vectors: programs that are built and changed.
struct owning {
  template <class T, std::size_t>
  using pool = std::vector<T>;
};
/// Storage in arrays of exact size: programs that are constants.
template <pool_sizes Sizes>
struct frozen {
  template <class T, std::size_t I>
  using pool = std::array<T, Sizes[I]>;
};
/// No storage of its own: programs that are read.
struct viewed {
  template <class T, std::size_t>
  using pool = std::span<const T>;
};

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
  pool<mapping_entry, 12> mappings{};
  pool<tag, 13> tags{};

  constexpr auto operator[](graph_id id) const -> const graph& { return graphs[index(id)]; }
  constexpr auto operator[](node_id id) const -> const node& { return nodes[index(id)]; }
  constexpr auto operator[](value_id id) const -> const value& { return values[index(id)]; }
  constexpr auto operator[](tag_id id) const -> const tag& { return tags[index(id)]; }
  constexpr auto operator[](delegate_id id) const -> const lowered_module_ref& { return delegates[index(id)]; }

  constexpr auto root() const -> const graph& { return graphs[0]; }
  constexpr auto text(byte_ref ref) const -> std::string_view {
    return ref.outside != nullptr ? std::string_view{ref.outside, ref.size} : std::string_view{bytes.data() + ref.first, ref.size};
  }
  constexpr auto data(byte_ref ref) const -> std::span<const char> {
    return ref.outside != nullptr ? std::span{ref.outside, ref.size} : std::span{bytes.data() + ref.first, ref.size};
  }
  constexpr auto shape(value_id id) const -> std::span<const std::int64_t> { return integer_list((*this)[id].shape); }
  constexpr auto integer_list(range run) const -> std::span<const std::int64_t> { return {integers.data() + run.first, run.size}; }
  constexpr auto real_list(range run) const -> std::span<const double> { return {reals.data() + run.first, run.size}; }

  constexpr auto inputs(const node& of) const -> std::span<const value_id> { return {operands.data() + of.inputs.first, of.inputs.size}; }
  constexpr auto outputs_of(const node& of) const -> std::span<const value_id> {
    return {operands.data() + of.outputs.first, of.outputs.size};
  }
  constexpr auto inputs(const graph& of) const -> std::span<const value_id> { return {operands.data() + of.inputs.first, of.inputs.size}; }
  constexpr auto outputs_of(const graph& of) const -> std::span<const output_spec> {
    return {outputs.data() + of.outputs.first, of.outputs.size};
  }
  constexpr auto nodes_of(const graph& of) const -> std::span<const node> { return {nodes.data() + of.nodes.first, of.nodes.size}; }
  constexpr auto subgraphs_of(const node& of) const -> std::span<const graph_id> {
    return {subgraphs.data() + of.subgraphs.first, of.subgraphs.size};
  }
  constexpr auto attributes_of(const node& of) const -> std::span<const attribute> {
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
  /// The real attribute of that name, or the given value where it is absent.
  constexpr auto real(const node& of, literal_name key, double absent = 0) const -> double {
    const auto* found = find(of, key);
    return found != nullptr ? found->real : absent;
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

  constexpr operator basic_program<viewed>() const {  // NOLINT(google-explicit-constructor): every reader takes a view
    return {graphs, nodes,     values,  operands,  attributes,    integers, reals,
            bytes,  subgraphs, outputs, delegates, compile_specs, mappings, tags};
  }

 private:
  constexpr auto little_endian(byte_ref ref, std::size_t element, std::size_t width) const -> std::uint64_t {
    const char* at = data(ref).data() + element * width;
    std::uint64_t bits = 0;
    for (std::size_t i = width; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(at[i]);
    return bits;
  }
};

/// The owning form: what importers make and partitioners and backends are given.
using exported_program = basic_program<owning>;
/// The constant form: every pool an array of exact size.
template <pool_sizes Sizes>
using frozen_program = basic_program<frozen<Sizes>>;
/// The form that every reader takes; it must not outlive what it views.
using program_view = basic_program<viewed>;

/// Calls `f` with every pool of the programs, pool by pool, in the order of `pool_sizes`.
template <class F, class... Programs>
constexpr void for_each_pool(F&& f, Programs&&... programs) {
  f(programs.graphs...);
  f(programs.nodes...);
  f(programs.values...);
  f(programs.operands...);
  f(programs.attributes...);
  f(programs.integers...);
  f(programs.reals...);
  f(programs.bytes...);
  f(programs.subgraphs...);
  f(programs.outputs...);
  f(programs.delegates...);
  f(programs.compile_specs...);
  f(programs.mappings...);
  f(programs.tags...);
}

/// How many records each pool holds.
constexpr auto sizes_of(const program_view& program) -> pool_sizes {
  pool_sizes sizes{};
  std::size_t at = 0;
  for_each_pool([&](const auto& pool) { sizes[at++] = static_cast<std::uint32_t>(pool.size()); }, program);
  return sizes;
}

}  // namespace baton

#include <bit>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

/// A literal argument of a node: `{"dim", 1}`, `{"eps", 1e-5}`, `{"padding", "same"}`, `{"keepdim", true}`.
struct named_literal {
  std::string_view name;
  attribute_kind kind;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text{};
  std::span<const std::int64_t> list{};

  // Not a plain `bool`, which an array of numbers would become.
  template <std::integral T>
  constexpr named_literal(std::string_view key, T number)
      : name(key),
        kind(std::same_as<T, bool> ? attribute_kind::boolean : attribute_kind::integer),
        integer(static_cast<std::int64_t>(number)) {}
  constexpr named_literal(std::string_view key, double number) : name(key), kind(attribute_kind::real), real(number) {}
  constexpr named_literal(std::string_view key, const char* characters) : name(key), kind(attribute_kind::text), text(characters) {}
  constexpr named_literal(std::string_view key, std::span<const std::int64_t> numbers)
      : name(key),
        kind(attribute_kind::integers),
        list(numbers) {}
};

namespace detail {
/// Appends records to a pool and says where they stand.
template <class T>
constexpr auto add_to(std::vector<T>& pool, std::span<const T> records) -> range {
  const range run{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(records.size())};
  pool.insert(pool.end(), records.begin(), records.end());
  return run;
}
}  // namespace detail

/// A builder of programs. It copies every name and every byte that it is given, except through `view`, whose memory must outlive the
/// program. It checks nothing: `verify` does.
class program_builder {
 public:
  constexpr program_builder() { add_graph("forward"); }

  // Graphs

  /// Adds a graph and makes it the current one; the root, "forward", is there from the start.
  constexpr auto add_graph(std::string_view name) -> graph_id {
    program_.graphs.push_back({.name = own(name)});
    lists_.emplace_back();
    return current_ = static_cast<graph_id>(program_.graphs.size() - 1);
  }
  /// Makes a graph the current one, to which inputs, nodes and outputs are added.
  constexpr void enter(graph_id id) { current_ = id; }
  constexpr auto current() const -> graph_id { return current_; }

  // A graph in a few lines

  constexpr auto user_input(std::string_view name, const tensor_type& type) -> value_id {
    return add_input(make_value(name, type, value_kind::user_input));
  }
  /// A parameter, named after its fully qualified name (`conv1.weight` becomes `p_conv1_weight`), with its bytes if there are any.
  constexpr auto parameter(std::string_view target, const tensor_type& type, std::span<const char> data = {}) -> value_id {
    return owned_data("p_", target, type, value_kind::parameter, data);
  }
  constexpr auto buffer(std::string_view target, const tensor_type& type, std::span<const char> data = {}, bool persistent = true)
      -> value_id {
    const auto id = owned_data("b_", target, type, value_kind::buffer, data);
    at(id).persistent = persistent;
    return id;
  }
  constexpr auto mutable_buffer(std::string_view target, const tensor_type& type, std::span<const char> data = {}) -> value_id {
    return owned_data("b_", target, type, value_kind::mutable_buffer, data);
  }
  constexpr auto constant(std::string_view target, const tensor_type& type, std::span<const char> data = {}) -> value_id {
    return owned_data("c_", target, type, value_kind::constant, data);
  }

  /// A node with one output, which has the node's name: the operator's in lower case with underscores, numbered when it comes again.
  constexpr auto call(std::string_view op, std::initializer_list<value_id> inputs, const tensor_type& type,
                      std::initializer_list<named_literal> literals = {}) -> value_id {
    const auto name = name_of_call(op);
    const auto id = add_value(make_value(view_of(name), type, value_kind::intermediate));
    add_node(make_node(view_of(name), op), {inputs.begin(), inputs.size()}, std::span{&id, 1}, literals);
    return id;
  }
  /// The same with a name of one's own.
  constexpr auto call(std::string_view name, std::string_view op, std::initializer_list<value_id> inputs, const tensor_type& type,
                      std::initializer_list<named_literal> literals = {}) -> value_id {
    const auto id = add_value(make_value(name, type, value_kind::intermediate));
    add_node(make_node(name, op), {inputs.begin(), inputs.size()}, std::span{&id, 1}, literals);
    return id;
  }
  /// A node with several outputs, named after it and numbered, and with subgraphs.
  constexpr auto call_many(std::string_view name, std::string_view op, std::initializer_list<value_id> inputs,
                           std::initializer_list<tensor_type> types, std::initializer_list<named_literal> literals = {},
                           std::initializer_list<graph_id> subgraphs = {}) -> std::vector<value_id> {
    std::vector<value_id> ids;
    for (const auto& type : types)
      ids.push_back(add_value(make_value(view_of(join(name, "_", ids.size())), type, value_kind::intermediate)));
    auto record = make_node(name, op);
    record.subgraphs = {static_cast<std::uint32_t>(program_.subgraphs.size()), static_cast<std::uint32_t>(subgraphs.size())};
    program_.subgraphs.insert(program_.subgraphs.end(), subgraphs.begin(), subgraphs.end());
    add_node(record, {inputs.begin(), inputs.size()}, ids, literals);
    return ids;
  }

  constexpr void output(value_id id) { add_output({output_kind::user_output, id, {}}); }
  /// The value that a mutable buffer is left with. Mutations come before user outputs.
  constexpr void mutation(value_id id, std::string_view target) { add_output({output_kind::buffer_mutation, id, own(target)}); }

  /// Quantizes a value per tensor.
  constexpr void quantize(value_id id, float scale, std::int64_t zero_point) {
    quantize(id, std::span{&scale, 1}, std::span{&zero_point, 1}, 0);
  }
  /// Quantizes a value per channel along an axis.
  constexpr void quantize(value_id id, std::span<const float> scales, std::span<const std::int64_t> zero_points, std::int32_t axis) {
    text_buffer packed;
    for (const auto scale : scales) pack(packed, std::bit_cast<std::uint32_t>(scale), 4);
    at(id).quant.scales = own(view_of(packed));
    packed.clear();
    for (const auto zero_point : zero_points) pack(packed, static_cast<std::uint64_t>(zero_point), 8);
    at(id).quant.zero_points = own(view_of(packed));
    at(id).quant.channels = static_cast<std::uint32_t>(scales.size());
    at(id).quant.axis = axis;
  }

  // Record by record

  /// Text or bytes that the program keeps a copy of.
  constexpr auto own(std::string_view text) -> byte_ref {
    const byte_ref ref{nullptr, static_cast<std::uint32_t>(program_.bytes.size()), static_cast<std::uint32_t>(text.size())};
    program_.bytes.insert(program_.bytes.end(), text.begin(), text.end());
    return ref;
  }
  /// Text or bytes that stay where they are.
  static constexpr auto view(std::string_view text) -> byte_ref {
    return text.empty() ? byte_ref{} : byte_ref{text.data(), 0, static_cast<std::uint32_t>(text.size())};
  }

  constexpr auto integers(std::span<const std::int64_t> numbers) -> range { return detail::add_to(program_.integers, numbers); }
  constexpr auto reals(std::span<const double> numbers) -> range { return detail::add_to(program_.reals, numbers); }

  constexpr auto make_value(std::string_view name, const tensor_type& type, value_kind kind) -> value {
    return {.name = own(name), .type = type.type, .kind = kind, .shape = integers(type.shape())};
  }
  constexpr auto make_node(std::string_view name, std::string_view op) -> node {
    return {.name = own(name), .target = own(op), .op = hash_of(op), .debug_handle = ++handles_};
  }

  constexpr auto add_value(value record) -> value_id {
    record.graph = current_;
    program_.values.push_back(record);
    return static_cast<value_id>(program_.values.size() - 1);
  }
  /// Adds a placeholder to the current graph.
  constexpr auto add_input(const value& record) -> value_id {
    const auto id = add_value(record);
    add_input(id);
    return id;
  }
  constexpr void add_input(value_id id) { lists().inputs.push_back(id); }
  constexpr void add_output(const output_spec& spec) { lists().outputs.push_back(spec); }

  /// Adds a node to the current graph; attributes are added to the latest node.
  constexpr void add_node(node record, std::span<const value_id> inputs, std::span<const value_id> outputs,
                          std::span<const named_literal> literals = {}) {
    record.inputs = detail::add_to(program_.operands, inputs);
    record.outputs = detail::add_to(program_.operands, outputs);
    record.attributes.first = static_cast<std::uint32_t>(program_.attributes.size());
    program_.nodes.push_back(record);
    node_graphs_.push_back(current_);
    for (const auto& literal : literals) add_literal(literal);
  }
  constexpr void add_attribute(const attribute& record) {
    program_.attributes.push_back(record);
    program_.nodes.back().attributes.size += 1;
  }
  constexpr void set_subgraphs(std::span<const graph_id> ids) { program_.nodes.back().subgraphs = detail::add_to(program_.subgraphs, ids); }

  constexpr auto at(value_id id) -> value& { return program_.values[index(id)]; }
  /// The node added last.
  constexpr auto latest_node() -> node& { return program_.nodes.back(); }
  /// The program as it stands; its graphs' lists are filled in by `finish`.
  constexpr auto draft() -> exported_program& { return program_; }

  /// The finished program: each graph's nodes side by side, its inputs and outputs in their pools.
  constexpr auto finish() -> exported_program {
    for (std::size_t g = 0; g < lists_.size(); ++g) {
      program_.graphs[g].inputs = detail::add_to(program_.operands, std::span<const value_id>{lists_[g].inputs});
      program_.graphs[g].outputs = detail::add_to(program_.outputs, std::span<const output_spec>{lists_[g].outputs});
    }
    place_nodes();
    return std::move(program_);
  }

 private:
  struct graph_lists {
    std::vector<value_id> inputs;
    std::vector<output_spec> outputs;
  };

  static constexpr auto view_of(const text_buffer& text) -> std::string_view { return baton::view(text); }
  constexpr auto lists() -> graph_lists& { return lists_[index(current_)]; }

  static constexpr void pack(text_buffer& bytes, std::uint64_t bits, int width) {
    for (int i = 0; i < width; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
  }

  constexpr auto owned_data(std::string_view prefix, std::string_view target, const tensor_type& type, value_kind kind,
                            std::span<const char> data) -> value_id {
    auto name = join(prefix, target);
    for (auto& c : name) c = c == '.' ? '_' : c;
    auto record = make_value(view_of(name), type, kind);
    record.target = own(target);
    if (!data.empty()) record.data = own({data.data(), data.size()});
    return add_input(record);
  }

  constexpr void add_literal(const named_literal& literal) {
    add_attribute({.name = own(literal.name),
                   .key = hash_of(literal.name),
                   .kind = literal.kind,
                   .integer = literal.integer,
                   .real = literal.real,
                   .bytes = own(literal.text),
                   .list = integers(literal.list)});
  }

  constexpr auto name_of_call(std::string_view op) -> text_buffer {
    auto name = join(op);
    for (auto& c : name) c = c == '.' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    std::size_t earlier = 0;
    for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
      earlier += node_graphs_[i] == current_ && program_.nodes[i].op == hash_of(op) ? 1u : 0u;
    }
    return earlier == 0 ? name : append(append(name, "_"), static_cast<std::int64_t>(earlier));
  }

  constexpr void place_nodes() {
    if (program_.graphs.size() == 1) {
      program_.graphs[0].nodes = {0, static_cast<std::uint32_t>(program_.nodes.size())};
      return;
    }
    std::vector<std::uint32_t> next(program_.graphs.size() + 1, 0);
    for (const auto g : node_graphs_) next[index(g) + 1] += 1;
    for (std::size_t g = 0; g < program_.graphs.size(); ++g) {
      program_.graphs[g].nodes = {next[g], next[g + 1]};
      next[g + 1] += next[g];
    }
    std::vector<node> placed(program_.nodes.size(), node{});
    for (std::size_t i = 0; i < placed.size(); ++i) placed[next[index(node_graphs_[i])]++] = program_.nodes[i];
    program_.nodes = std::move(placed);
  }

  exported_program program_;
  std::vector<graph_lists> lists_;
  std::vector<graph_id> node_graphs_;
  graph_id current_{0};
  std::uint32_t handles_ = 0;
};

}  // namespace baton

// ---- baton/core/compare.hpp

// Equality of programs, field by field and by content: where bytes lie does not count.

#include <cstddef>
#include <string_view>

namespace baton {

namespace detail {

/// Compares two records of two programs; texts and bytes by what they say.
class record_comparison {
 public:
  constexpr record_comparison(const program_view& left, const program_view& right, bool with_tags)
      : left_(left),
        right_(right),
        with_tags_(with_tags) {}

  // The same memory is equal without a look at it: weights are large, and a constant has few steps.
  constexpr auto same(byte_ref a, byte_ref b) const -> bool {
    return (a.outside != nullptr && a.outside == b.outside && a.size == b.size) || left_.text(a) == right_.text(b);
  }
  constexpr auto same(tag_id a, tag_id b) const -> bool { return !with_tags_ || a == b; }
  // Where nothing begins does not count.
  static constexpr auto same(range a, range b) -> bool { return a.size == b.size && (a.size == 0 || a.first == b.first); }
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  static constexpr auto same(T a, T b) -> bool {
    return a == b;
  }
  constexpr auto same(const quantization& a, const quantization& b) const -> bool {
    return same(a.scales, b.scales) && same(a.zero_points, b.zero_points) && a.channels == b.channels && a.axis == b.axis;
  }
  constexpr auto same(const graph& a, const graph& b) const -> bool {
    return same(a.name, b.name) && same(a.nodes, b.nodes) && same(a.inputs, b.inputs) && same(a.outputs, b.outputs) &&
           same(a.output_tag, b.output_tag);
  }
  constexpr auto same(const node& a, const node& b) const -> bool {
    return same(a.name, b.name) && same(a.target, b.target) && a.op == b.op && same(a.inputs, b.inputs) && same(a.outputs, b.outputs) &&
           same(a.attributes, b.attributes) && same(a.subgraphs, b.subgraphs) && a.debug_handle == b.debug_handle && same(a.tag, b.tag) &&
           a.delegate == b.delegate;
  }
  constexpr auto same(const value& a, const value& b) const -> bool {
    return same(a.name, b.name) && a.type == b.type && a.kind == b.kind && a.persistent == b.persistent && same(a.shape, b.shape) &&
           same(a.quant, b.quant) && same(a.data, b.data) && same(a.target, b.target) && a.graph == b.graph && same(a.tag, b.tag);
  }
  constexpr auto same(const attribute& a, const attribute& b) const -> bool {
    return same(a.name, b.name) && a.key == b.key && a.kind == b.kind && a.integer == b.integer && a.real == b.real &&
           same(a.bytes, b.bytes) && same(a.list, b.list);
  }
  constexpr auto same(const output_spec& a, const output_spec& b) const -> bool {
    return a.kind == b.kind && a.value == b.value && same(a.target, b.target);
  }
  constexpr auto same(const compile_spec_ref& a, const compile_spec_ref& b) const -> bool {
    return same(a.key, b.key) && same(a.value, b.value);
  }
  constexpr auto same(const tag& a, const tag& b) const -> bool {
    return same(a.name, b.name) && same(a.backend_id, b.backend_id) && same(a.compile_specs, b.compile_specs) && a.order == b.order;
  }
  constexpr auto same(const mapping_entry& a, const mapping_entry& b) const -> bool {
    return a.identifier == b.identifier && same(a.text, b.text) && a.is_text == b.is_text && same(a.handles, b.handles);
  }
  constexpr auto same(const lowered_module_ref& a, const lowered_module_ref& b) const -> bool {
    return same(a.name, b.name) && same(a.backend_id, b.backend_id) && same(a.processed_bytes, b.processed_bytes) &&
           a.original == b.original && same(a.compile_specs, b.compile_specs) && same(a.debug_map, b.debug_map) &&
           a.scratch_bytes == b.scratch_bytes;
  }

 private:
  program_view left_;
  program_view right_;
  bool with_tags_;
};

}  // namespace detail

namespace detail {
constexpr auto same_pools(const program_view& left, const program_view& right, bool with_tags) -> bool {
  const record_comparison compare(left, right, with_tags);
  bool equal = true;
  for_each_pool(
      [&]<class Pool>(const Pool& a, const Pool& b) {
        using record = typename Pool::value_type;
        if constexpr (!std::is_same_v<record, char>) {
          if (std::is_same_v<record, tag> && !with_tags) return;
          equal = equal && a.size() == b.size();
          for (std::size_t i = 0; equal && i < a.size(); ++i) equal = compare.same(a[i], b[i]);
        }
      },
      left, right);
  return equal;
}
}  // namespace detail

/// Whether two programs are equal in every field, texts and bytes compared by content.
/// The pool of bytes itself is not compared: an owned copy and a view of the same text are equal.
constexpr auto same(const program_view& left, const program_view& right) -> bool { return detail::same_pools(left, right, true); }

/// Whether two programs are equal in everything but delegation tags.
constexpr auto same_but_for_tags(const program_view& left, const program_view& right) -> bool {
  return detail::same_pools(left, right, false);
}

}  // namespace baton

// ---- baton/core/copy.hpp

// Copies records of one program into a builder of another: what every rewriting pass is made of.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

/// What becomes of the bytes in a source's own pool: copied, or left where they are because the source outlives the target, as constants
/// do.
enum class source_bytes : bool { copied, kept };

/// Copies values, nodes and whole graphs from one program into the current graph of a builder, and remembers which value became which.
/// Bytes outside the source stay where they are. Delegation tags are left behind: they belong to the pass that wrote them.
class program_copier {
 public:
  constexpr program_copier(const program_view& from, program_builder& to, source_bytes bytes = source_bytes::copied)
      : from_(from),
        to_(to),
        bytes_(bytes),
        values_(from.values.size(), none<value_id>),
        graphs_(from.graphs.size(), none<graph_id>) {}

  constexpr auto copy(byte_ref ref) -> byte_ref {
    if (ref.outside != nullptr) return ref;
    return bytes_ == source_bytes::kept ? program_builder::view(from_.text(ref)) : to_.own(from_.text(ref));
  }

  /// What the value became, `none` if it was not copied.
  constexpr auto copy_of(value_id id) const -> value_id { return id == none<value_id> ? id : values_[index(id)]; }
  /// Lets a value stand for an existing one of the target.
  constexpr void replace(value_id id, value_id by) { values_[index(id)] = by; }

  /// A copy of a value's record, to be changed before it is added.
  constexpr auto record_of(value_id id) -> value {
    auto record = from_[id];
    record.name = copy(record.name);
    record.shape = to_.integers(from_.integer_list(record.shape));
    record.quant.scales = copy(record.quant.scales);
    record.quant.zero_points = copy(record.quant.zero_points);
    record.data = copy(record.data);
    record.target = copy(record.target);
    record.tag = none<tag_id>;
    return record;
  }
  constexpr auto copy_value(value_id id) -> value_id { return values_[index(id)] = to_.add_value(record_of(id)); }
  constexpr auto copy_input(value_id id) -> value_id { return values_[index(id)] = to_.add_input(record_of(id)); }

  /// Copies a node and its outputs; its inputs must have been copied, its delegate is copied with it, its subgraphs by `copy_subgraph`.
  template <class CopyGraph>
  constexpr void copy_node(node_id id, CopyGraph&& copy_subgraph) {
    const auto& source = from_[id];
    const auto here = to_.current();
    std::vector<graph_id> inner;
    for (const auto g : from_.subgraphs_of(source)) inner.push_back(copy_subgraph(g));
    const auto delegate = source.delegate == none<delegate_id> ? source.delegate : copy_delegate(from_, source.delegate);
    to_.enter(here);
    auto record = source;
    record.name = copy(source.name);
    record.target = copy(source.target);
    record.tag = none<tag_id>;
    record.delegate = delegate;
    record.subgraphs = {};
    record.attributes = {};
    const auto inputs = mapped(from_.inputs(source));
    for (const auto output : from_.outputs_of(source)) copy_value(output);
    to_.add_node(record, inputs, mapped(from_.outputs_of(source)));
    if (!inner.empty()) to_.set_subgraphs(inner);
    for (const auto& literal : from_.attributes_of(source)) {
      auto copied = literal;
      copied.name = copy(literal.name);
      copied.bytes = copy(literal.bytes);
      copied.list =
          literal.kind == attribute_kind::reals ? to_.reals(from_.real_list(literal.list)) : to_.integers(from_.integer_list(literal.list));
      to_.add_attribute(copied);
    }
  }

  /// The same, with its subgraphs as they are.
  constexpr void copy_node(node_id id) {
    copy_node(id, [this](graph_id subgraph) { return copy_graph(subgraph); });
  }

  /// Copies a graph with all that it contains as a new graph of the target; one that was copied before stays one, however often it is
  /// called.
  constexpr auto copy_graph(graph_id id) -> graph_id {
    auto& copied = graphs_[index(id)];
    if (copied != none<graph_id>) return copied;
    copied = to_.add_graph(from_.text(from_[id].name));
    const auto added = copied;
    copy_into(id);
    return added;
  }
  /// Copies a graph's inputs, nodes and outputs into the current graph.
  constexpr void copy_into(graph_id id) {
    const auto into = to_.current();
    const auto& source = from_[id];
    for (const auto input : from_.inputs(source)) copy_input(input);
    for (std::uint32_t n = source.nodes.first; n < source.nodes.first + source.nodes.size; ++n) copy_node(static_cast<node_id>(n));
    to_.enter(into);
    for (const auto& spec : from_.outputs_of(source)) to_.add_output({spec.kind, copy_of(spec.value), copy(spec.target)});
  }

  /// Copies a lowered module of any program, with the program it was made from; the current graph changes.
  constexpr auto copy_delegate(const program_view& source, delegate_id id) -> delegate_id {
    program_copier inner(source, to_, bytes_);
    auto record = source[id];
    record.original = inner.copy_graph(record.original);
    record.name = inner.copy(record.name);
    record.backend_id = inner.copy(record.backend_id);
    record.processed_bytes = inner.copy(record.processed_bytes);
    record.compile_specs = inner.copy_compile_specs(record.compile_specs);
    record.debug_map = inner.copy_mapping(record.debug_map);
    auto& delegates = to_.draft().delegates;
    delegates.push_back(record);
    return static_cast<delegate_id>(delegates.size() - 1);
  }
  constexpr auto copy_compile_specs(range run) -> range {
    std::vector<compile_spec_ref> specs;
    for (const auto& spec : std::span{from_.compile_specs}.subspan(run.first, run.size))
      specs.push_back({copy(spec.key), copy(spec.value)});
    return detail::add_to(to_.draft().compile_specs, std::span<const compile_spec_ref>{specs});
  }

 private:
  constexpr auto mapped(std::span<const value_id> ids) const -> std::vector<value_id> {
    std::vector<value_id> copies;
    copies.reserve(ids.size());
    for (const auto id : ids) copies.push_back(copy_of(id));
    return copies;
  }
  constexpr auto copy_mapping(range run) -> range {
    std::vector<mapping_entry> entries;
    for (auto entry : std::span{from_.mappings}.subspan(run.first, run.size)) {
      entry.text = copy(entry.text);
      entry.handles = to_.integers(from_.integer_list(entry.handles));
      entries.push_back(entry);
    }
    return detail::add_to(to_.draft().mappings, std::span<const mapping_entry>{entries});
  }

  program_view from_;
  program_builder& to_;
  source_bytes bytes_;
  std::vector<value_id> values_;
  std::vector<graph_id> graphs_;
};

}  // namespace baton

// ---- baton/core/decimal.hpp

// Real numbers as text, in the compiler and at run time (`std::to_chars` of a real number is no constant in C++20).

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace baton {

namespace detail {

/// A natural number of any size, in digits of 32 bits, the lowest first, without leading zeros.
class natural {
 public:
  constexpr explicit natural(std::uint64_t number) {
    for (; number != 0; number >>= 32) digits_.push_back(static_cast<std::uint32_t>(number));
  }

  constexpr void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (auto& digit : digits_) {
      carry += std::uint64_t{digit} * factor;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits_.push_back(static_cast<std::uint32_t>(carry));
  }
  constexpr void shift(std::uint32_t bits) {
    for (; bits >= 31; bits -= 31) multiply(1u << 31);
    multiply(1u << bits);
  }
  constexpr auto plus(const natural& other) const -> natural {
    natural sum(0);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < digits_.size() || i < other.digits_.size() || carry != 0; ++i) {
      carry += std::uint64_t{digit_at(i)} + other.digit_at(i);
      sum.digits_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    return sum;
  }
  /// Takes away a number that is not greater.
  constexpr void subtract(const natural& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      const auto taken = other.digit_at(i) + borrow;
      borrow = digits_[i] < taken ? 1 : 0;
      digits_[i] = static_cast<std::uint32_t>(digits_[i] - taken);
    }
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  }
  constexpr auto is_less(const natural& other) const -> bool {
    if (digits_.size() != other.digits_.size()) return digits_.size() < other.digits_.size();
    for (std::size_t i = digits_.size(); i-- > 0;) {
      if (digits_[i] != other.digits_[i]) return digits_[i] < other.digits_[i];
    }
    return false;
  }

 private:
  constexpr auto digit_at(std::size_t i) const -> std::uint32_t { return i < digits_.size() ? digits_[i] : 0; }

  std::vector<std::uint32_t> digits_;
};

/// Decimal digits d1 d2 d3 ... that stand for 0.d1d2d3 · 10^exponent.
struct decimal_digits {
  text_buffer digits;
  std::int32_t exponent = 0;
};

/// The fewest digits that read back as fraction · 2^exponent, the nearest of those: the free-format algorithm of
/// R. G. Burger and R. K. Dybvig, Printing floating-point numbers quickly and accurately, PLDI 1996.
constexpr auto shortest_digits(std::uint64_t fraction, std::int32_t exponent, bool has_closer_neighbour) -> decimal_digits {
  const auto extra = has_closer_neighbour ? 1u : 0u;  // below a power of two, numbers stand twice as close
  natural rest(fraction);
  natural unit(1);
  natural above(1);
  natural below(1);
  rest.shift((exponent > 0 ? static_cast<std::uint32_t>(exponent) : 0u) + 1 + extra);
  unit.shift((exponent < 0 ? static_cast<std::uint32_t>(-exponent) : 0u) + 1 + extra);
  above.shift((exponent > 0 ? static_cast<std::uint32_t>(exponent) : 0u) + extra);
  below.shift(exponent > 0 ? static_cast<std::uint32_t>(exponent) : 0u);

  const bool is_even = fraction % 2 == 0;  // what lies exactly half-way reads back as the even one
  const auto reaches = [&](const natural& number) {
    const auto sum = number.plus(above);
    return is_even ? !sum.is_less(unit) : unit.is_less(sum);
  };
  decimal_digits found;
  for (; reaches(rest); ++found.exponent) unit.multiply(10);
  const auto scale_up = [&] {
    rest.multiply(10);
    above.multiply(10);
    below.multiply(10);
  };
  for (;;) {
    scale_up();
    if (found.digits.empty() && !reaches(rest)) {
      --found.exponent;
      continue;
    }
    char digit = '0';
    for (; !rest.is_less(unit); ++digit) rest.subtract(unit);
    const bool low_is_close = is_even ? !below.is_less(rest) : rest.is_less(below);
    const bool high_is_close = reaches(rest);
    if (low_is_close || high_is_close) {
      auto twice = rest;
      twice.multiply(2);
      const bool up = high_is_close && (!low_is_close || !twice.is_less(unit));
      found.digits.push_back(static_cast<char>(digit + (up ? 1 : 0)));
      return found;
    }
    found.digits.push_back(digit);
  }
}

/// Digits as Python writes them: `0.001`, `16.0`, `1e-05`, `1.5e+16`.
constexpr void append_decimal(text_buffer& buffer, const decimal_digits& number) {
  const auto& digits = view(number.digits);
  const auto point = number.exponent;
  const auto count = static_cast<std::int32_t>(digits.size());
  if (point < -3 || point > 16) {
    append(buffer, digits.substr(0, 1));
    if (count > 1) append(append(buffer, "."), digits.substr(1));
    const auto power = point - 1;
    append(append(buffer, power < 0 ? "e-" : "e+"), power > -10 && power < 10 ? "0" : "");
    append(buffer, static_cast<std::int64_t>(power < 0 ? -power : power));
  } else if (point <= 0) {
    append(buffer, "0.");
    for (auto i = point; i < 0; ++i) buffer.push_back('0');
    append(buffer, digits);
  } else if (count <= point) {
    append(buffer, digits);
    for (auto i = count; i < point; ++i) buffer.push_back('0');
    append(buffer, ".0");
  } else {
    const auto whole = static_cast<std::size_t>(point);
    append(append(append(buffer, digits.substr(0, whole)), "."), digits.substr(whole));
  }
}

}  // namespace detail

/// Appends a real number in the fewest decimal digits that read back as the same number of its type, in the notation of Python.
template <std::floating_point T>
  requires(sizeof(T) <= sizeof(std::uint64_t))
constexpr auto append_real(text_buffer& buffer, T number) -> text_buffer& {
  using bits_type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr auto fraction_bits = std::numeric_limits<T>::digits - 1;
  constexpr auto least_exponent = std::numeric_limits<T>::min_exponent - 1 - fraction_bits;
  const auto bits = std::bit_cast<bits_type>(number);
  const auto hidden = bits_type{1} << fraction_bits;
  const auto fraction = bits & (hidden - 1);
  const auto biased = static_cast<std::int32_t>((bits >> fraction_bits) & ((bits_type{1} << (sizeof(T) * 8 - 1 - fraction_bits)) - 1));
  const bool is_special = biased == (1 << (static_cast<int>(sizeof(T) * 8) - 1 - fraction_bits)) - 1;
  if (is_special && fraction != 0) return append(buffer, "nan");
  if ((bits >> (sizeof(T) * 8 - 1)) != 0) buffer.push_back('-');
  if (is_special) return append(buffer, "inf");
  if (biased == 0 && fraction == 0) return append(buffer, "0.0");
  const auto exponent = biased == 0 ? least_exponent : least_exponent + biased - 1;
  detail::append_decimal(buffer,
                         detail::shortest_digits(biased == 0 ? fraction : fraction | hidden, exponent, fraction == 0 && biased > 1));
  return buffer;
}

}  // namespace baton

// ---- baton/core/locate.hpp

// Says where in a program a rule was broken.

// ---- baton/core/rules.hpp

// The catalogue: every rule with the sentence that a person reads when it is broken, the same in the compiler and at run time.

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

/// False, and names its argument in the compiler's output: the facts of a broken rule.
template <class>
inline constexpr bool always_false = false;

// Text stands in pieces: Clang shortens what has more than about 36 characters.
template <std::int64_t Index, fixed_string... Name>
struct at_node;
template <fixed_string... Operator>
struct of_operator;
template <fixed_string... Tag>
struct with_tag;
template <fixed_string... Backend>
struct for_backend;
template <fixed_string... Reason>
struct because;

/// The facts of a broken rule; only what is known is named.
template <class... Known>
struct found {
  template <bool IsKnown, class Fact>
  using with = std::conditional_t<IsKnown, found<Known..., Fact>, found>;
};

// A `static_assert` takes only a literal, so the table is a macro, undefined below: a sentence is written once for both times.
// Form: what must hold; what was found in general; what to do.
#define BATON_RULES(RULE)                                                                                                                \
  RULE(damaged_model, "a model file must lie whole within its bounds; this one is cut short or damaged; fetch or export it again")       \
  RULE(foreign_file, "a TensorFlow Lite model carries the file identifier TFL3; this file does not; check the path and the format")      \
  RULE(unsupported_model, "a model may use only what the importer knows of its format; this one uses more; see the reason")              \
  RULE(misplaced_index, "every index in a program must name a record of it; one does not; rebuild the program")                          \
  RULE(undefined_value, "an operand must be a graph input or an output of an earlier node; this one is not; order the nodes")            \
  RULE(value_defined_twice, "a value must be defined once; this one is defined again; give the second definition its own value")         \
  RULE(foreign_value, "a node may use only values of its own graph; this one is of another; pass it in as a graph input")                \
  RULE(malformed_shape, "a shape must have sizes that are not negative and a count of bytes that fits; this one does not; mend it")      \
  RULE(malformed_data, "constant data must fill its shape exactly; this has another count of bytes; mend the shape or the data")         \
  RULE(malformed_quantization, "quantization needs a scale and a zero point a channel and an axis of that size; mend them")              \
  RULE(malformed_signature, "a graph signature must match the kinds of its values; this one does not; mend the kind or the list")        \
  RULE(recursive_graph, "a subgraph must not contain itself, through however many nodes; one here does; call a copy of it instead")      \
  RULE(nested_too_deep, "graphs may lie in one another up to 64 deep; these lie deeper; call fewer subgraphs from subgraphs")            \
  RULE(malformed_operator, "operands and attributes must fit the operator; these do not; see the reason")                                \
  RULE(modified_program, "a partitioner should not modify the program but for its tags; this one did; tag the program it was given")     \
  RULE(tagged_output, "an output should not be tagged; this partitioner tagged the output; tag compute nodes and owned data only")       \
  RULE(tagged_user_input, "only parameters, buffers and constants may be tagged among the inputs; this is a user input; untag it")       \
  RULE(shared_constant, "a tagged constant and all its users must have one tag; a user has another; untag it or copy it per part")       \
  RULE(foreign_mutation, "a part that owns a mutable buffer must make its new value; another node makes this one; tag both or neither")  \
  RULE(dependency_cycle, "a part must not depend on itself through nodes outside it; this tag forms a cycle; split the tag")             \
  RULE(part_without_outputs, "a part must produce something that is used outside it; this one is dead code; untag it")                   \
  RULE(unknown_backend, "the backend was not found in the list of backends; add it to baton::backends<...> or correct the id")           \
  RULE(duplicate_backend, "every backend in the list must have an id of its own; two have the same; rename one or remove it")            \
  RULE(refused_part, "a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner")        \
  RULE(generated_identifier, "a delegate mapping that generates its identifiers takes none; one was given; leave it out")                \
  RULE(duplicate_identifier, "a delegate debug identifier may be inserted once; this one is there already; choose another")              \
  RULE(nodes_or_handles, "a delegate mapping entry takes either nodes or debug handles; both or neither were given; give one")           \
  RULE(missing_identifier, "a delegate mapping that generates no identifiers needs one in every insert; give one")                       \
  RULE(no_debug_handle, "a delegate mapping entry needs at least one debug handle; none is valid; give nodes that have handles")         \
  RULE(dynamic_shape, "memory is planned for fixed shapes only; this value has an unknown size; export the model with fixed shapes")     \
  RULE(overlapping_memory, "two values that live at the same time must not share memory; these do; plan again")                          \
  RULE(missing_kernel, "every node needs a kernel or a backend that takes it; this one has neither; add a kernel or delegate it")        \
  RULE(backend_without_execute, "a delegate that runs here needs a backend with an execute; this one has none; add it or run elsewhere") \
  RULE(unordered_rule, "a rule was broken that the catalogue does not name; add it to core/rules.hpp")

namespace rule {

#define BATON_DEFINE_RULE(identifier, text)                                      \
  struct identifier {                                                            \
    static constexpr std::string_view sentence = "baton " #identifier ": " text; \
    template <class Facts>                                                       \
    static consteval void report() {                                             \
      static_assert(always_false<Facts>, "baton " #identifier ": " text);        \
    }                                                                            \
  };
BATON_RULES(BATON_DEFINE_RULE)
#undef BATON_DEFINE_RULE

#define BATON_LIST_RULE(identifier, text) , boost::hana::type<identifier>
template <class, class... Rules>
using rules_after = boost::hana::tuple<Rules...>;
using catalogue_types = rules_after<void BATON_RULES(BATON_LIST_RULE)>;
#undef BATON_LIST_RULE

/// Every rule of the catalogue, as a Hana tuple of types.
inline constexpr catalogue_types catalogue{};

}  // namespace rule
#undef BATON_RULES

/// A failure of a rule, with its facts filled in by the caller.
template <class Rule>
constexpr auto broken() -> failure {
  failure why;
  why.rule = Rule::sentence;
  return why;
}

/// A failure of a rule, with a reason made of text and numbers.
template <class Rule, class... Parts>
constexpr auto broken(const Parts&... reason) -> failure {
  auto why = broken<Rule>();
  why.reason = join(reason...);
  return why;
}

/// A failure in a form that a template argument can hold; texts beyond the capacity are cut.
struct static_failure {
  static constexpr std::size_t capacity = 120;
  struct text {
    std::size_t size = 0;
    char characters[capacity] = {};

    constexpr text() = default;
    constexpr explicit text(const text_buffer& buffer) : size(buffer.size() < capacity ? buffer.size() : capacity) {
      for (std::size_t i = 0; i < size; ++i) characters[i] = buffer[i];
    }
  };
  std::size_t rule = 0;  ///< index in the catalogue
  bool broken = false;
  std::int64_t node = -1;
  text node_name, op, tag, backend, reason;

  constexpr static_failure() = default;
  constexpr explicit static_failure(const failure& why)
      : broken(static_cast<bool>(why)),
        node(why.node),
        node_name(why.node_name),
        op(why.op),
        tag(why.tag),
        backend(why.backend),
        reason(why.reason) {
    std::size_t index = 0;
    bool found = false;
    boost::hana::for_each(rule::catalogue, [&](auto candidate) {
      using candidate_rule = typename decltype(candidate)::type;
      if (!found) rule = index++;
      found = found || candidate_rule::sentence == why.rule;
    });
  }
};

namespace detail {

/// Where the piece of a text that begins here ends: behind a blank where there is one.
constexpr auto end_of_piece(const static_failure::text& text, std::size_t begin) -> std::size_t {
  constexpr std::size_t most = 32;
  if (text.size - begin <= most) return text.size;
  for (auto end = begin + most; end > begin; --end) {
    if (text.characters[end - 1] == ' ') return end;
  }
  return begin + most;
}

template <static_failure::text Text, std::size_t Begin, std::size_t End>
consteval auto piece() -> fixed_string<End - Begin + 1> {
  fixed_string<End - Begin + 1> fixed;
  for (std::size_t i = Begin; i < End; ++i) fixed.characters[i - Begin] = Text.characters[i];
  fixed.characters[End - Begin] = '\0';  // written, so that Clang prints text, not numbers
  return fixed;
}

/// What `f` makes of the pieces of a text.
template <static_failure::text Text, std::size_t Begin = 0, fixed_string... Pieces, class F>
consteval auto with_pieces(F f) {
  if constexpr (Begin >= Text.size) {
    return f.template operator()<Pieces...>();
  } else {
    constexpr auto end = end_of_piece(Text, Begin);
    return with_pieces<Text, end, Pieces..., piece<Text, Begin, end>()>(f);
  }
}

}  // namespace detail

/// Stops the compiler with the sentence of a broken rule and its facts; does nothing where no rule is broken.
template <static_failure Why>
consteval void require_unbroken() {
  if constexpr (Why.broken) {
    using broken_rule = typename std::remove_cvref_t<decltype(boost::hana::at_c<Why.rule>(rule::catalogue))>::type;
    using boost::hana::type_c;
    constexpr auto at = detail::with_pieces<Why.node_name>([]<fixed_string... P>() { return type_c<at_node<Why.node, P...>>; });
    constexpr auto of = detail::with_pieces<Why.op>([]<fixed_string... P>() { return type_c<of_operator<P...>>; });
    constexpr auto tagged = detail::with_pieces<Why.tag>([]<fixed_string... P>() { return type_c<with_tag<P...>>; });
    constexpr auto by = detail::with_pieces<Why.backend>([]<fixed_string... P>() { return type_c<for_backend<P...>>; });
    constexpr auto reason = detail::with_pieces<Why.reason>([]<fixed_string... P>() { return type_c<because<P...>>; });
    using place = typename found<>::template with<(Why.node >= 0), typename decltype(at)::type>::template with<(Why.op.size != 0),
                                                                                                               typename decltype(of)::type>;
    using known =
        typename place::template with<(Why.tag.size != 0), typename decltype(tagged)::type>::template with<(Why.backend.size != 0),
                                                                                                           typename decltype(by)::type>;
    broken_rule::template report<typename known::template with<(Why.reason.size != 0), typename decltype(reason)::type>>();
  }
}

}  // namespace baton

namespace baton {

/// The failure with the node's place, name and operator filled in; index, name and operator are what a person looks for.
constexpr auto locate(failure why, const program_view& program, node_id at) -> failure {
  why.node = index(at);
  why.node_name = join(program.text(program[at].name));
  why.op = join(program.text(program[at].target));
  return why;
}

/// A failure of a rule at a node, with a reason made of text and numbers.
template <class Rule, class... Parts>
constexpr auto broken_at(const program_view& program, node_id at, const Parts&... reason) -> failure {
  return locate(broken<Rule>(reason...), program, at);
}

}  // namespace baton

// ---- baton/core/print.hpp

// A program as text in the style of torch.fx: `%relu = call_function[target=aten.relu.default](%conv)`.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

namespace detail {

class printer {
  // Templates first: Clang evaluates only those that stand before their use.
  template <class... Parts>
  constexpr void add(const Parts&... parts) {
    (append(text_, parts), ...);
  }
  constexpr void begin_line(std::size_t depth) {
    for (std::size_t i = 0; i < depth; ++i) add("  ");
  }
  constexpr void end_line() {
    add("\n");
    has_comment_ = false;
  }
  /// Begins a remark of the line's comment.
  constexpr void remark() {
    add(has_comment_ ? ", " : "  # ");
    has_comment_ = true;
  }
  /// Calls `f` for each record, with a comma between two.
  template <class Records, class F>
  constexpr void list(const Records& records, F f) {
    bool is_first = true;
    for (const auto& record : records) {
      if (!is_first) add(", ");
      is_first = false;
      f(record);
    }
  }

 public:
  constexpr explicit printer(const program_view& program)
      : program_(program),
        is_inner_(program.graphs.size(), 0),
        is_called_(program.delegates.size(), 0) {
    for (const auto& record : program.nodes) {
      for (const auto g : program.subgraphs_of(record)) is_inner_[index(g)] = 1;
      if (record.delegate != none<delegate_id>) is_called_[index(record.delegate)] = 1;
    }
    for (const auto& module : program.delegates) is_inner_[index(module.original)] = 1;
  }

  constexpr auto run() -> text_buffer {
    for (std::uint32_t g = 0; g < program_.graphs.size(); ++g) {
      if (g == 0 || is_inner_[g] == 0) print_titled(static_cast<graph_id>(g), 0);
    }
    // A module that no node calls: what lowering by id makes of a whole program.
    for (std::size_t d = 0; d < program_.delegates.size(); ++d) {
      if (is_called_[d] != 0) continue;
      add("lowered module of ", name_of(program_.delegates[d].original));
      print_facts(program_.delegates[d]);
    }
    return std::move(text_);
  }

 private:
  constexpr auto name_of(value_id id) const -> std::string_view { return program_.text(program_[id].name); }
  constexpr auto name_of(graph_id id) const -> std::string_view { return program_.text(program_[id].name); }

  constexpr void print_titled(graph_id id, std::size_t depth) {
    begin_line(depth);
    add(name_of(id), ":");
    end_line();
    print_graph(id, depth + 1);
  }

  constexpr void print_graph(graph_id id, std::size_t depth) {
    // More levels than graphs: the program contains itself, which `verify` refuses.
    if (depth > 2 * program_.graphs.size()) return;
    const auto& g = program_[id];
    for (const auto input : program_.inputs(g)) print_placeholder(input, depth);
    for (const auto& record : program_.nodes_of(g)) print_node(record, depth);
    print_return(g, depth);
  }

  constexpr void print_placeholder(value_id id, std::size_t depth) {
    const auto& record = program_[id];
    begin_line(depth);
    add("%", name_of(id), " = placeholder[target=", record.target.size != 0 ? program_.text(record.target) : name_of(id), "]");
    remark_type(id);
    if (is_owned_data(record.kind)) {
      remark();
      add(kind_text(record.kind));
    }
    remark_tag(record.tag);
    end_line();
  }

  constexpr void print_node(const node& record, std::size_t depth) {
    begin_line(depth);
    const auto outputs = program_.outputs_of(record);
    list(outputs, [this](value_id output) { add("%", name_of(output)); });
    add(outputs.empty() ? "" : " = ", "call_function[target=", program_.text(record.target), "](");
    print_arguments(record);
    add(")");
    for (const auto output : outputs) remark_type(output);
    remark_tag(record.tag);
    end_line();
    // A graph that several nodes call stands under the first of them.
    for (const auto subgraph : program_.subgraphs_of(record)) {
      if (is_inner_[index(subgraph)] == 2) continue;
      is_inner_[index(subgraph)] = 2;
      print_titled(subgraph, depth + 1);
    }
    if (record.delegate != none<delegate_id>) print_module(program_[record.delegate], depth + 1);
  }

  constexpr void print_arguments(const node& record) {
    bool is_first = true;
    const auto separate = [&] {
      if (!is_first) add(", ");
      is_first = false;
    };
    if (record.delegate != none<delegate_id>) {
      separate();
      add("%", program_.text(program_[record.delegate].name));
    }
    for (const auto input : program_.inputs(record)) {
      separate();
      if (input == none<value_id>) {
        add("None");
      } else {
        add("%", name_of(input));
      }
    }
    for (const auto& literal : program_.attributes_of(record)) {
      separate();
      add(program_.text(literal.name), "=");
      print_literal(literal);
    }
    if (record.subgraphs.size != 0) {
      separate();
      add("subgraphs=[");
      list(program_.subgraphs_of(record), [this](graph_id subgraph) { add(name_of(subgraph)); });
      add("]");
    }
  }

  constexpr void print_literal(const attribute& literal) {
    switch (literal.kind) {
      case attribute_kind::integer:
        add(literal.integer);
        break;
      case attribute_kind::real:
        append_real(text_, literal.real);
        break;
      case attribute_kind::boolean:
        add(literal.integer != 0 ? "True" : "False");
        break;
      case attribute_kind::text:
        print_quoted(program_.text(literal.bytes));
        break;
      case attribute_kind::bytes:
        add("b");
        print_quoted(program_.text(literal.bytes));
        break;
      case attribute_kind::integers:
        add("[");
        list(program_.integer_list(literal.list), [this](std::int64_t number) { add(number); });
        add("]");
        break;
      case attribute_kind::reals:
        add("[");
        list(program_.real_list(literal.list), [this](double number) { append_real(text_, number); });
        add("]");
        break;
    }
  }

  constexpr void print_quoted(std::string_view text) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    add("'");
    for (const char c : text) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '\'' || c == '\\') {
        text_.push_back('\\');
        text_.push_back(c);
      } else if (code < 0x20 || code >= 0x7f) {
        add("\\x");
        text_.push_back(hexadecimal[code / 16]);
        text_.push_back(hexadecimal[code % 16]);
      } else {
        text_.push_back(c);
      }
    }
    add("'");
  }

  constexpr void remark_type(value_id id) {
    remark();
    add(facts(program_[id].type).name, "[");
    list(program_.shape(id), [this](std::int64_t size) {
      if (size < 0) {
        add("?");
      } else {
        add(size);
      }
    });
    add("]");
  }

  constexpr void remark_tag(tag_id id) {
    if (id == none<tag_id>) return;
    remark();
    add("tag ", program_.text(program_[id].name));
  }

  static constexpr auto kind_text(value_kind kind) -> std::string_view {
    switch (kind) {
      case value_kind::parameter:
        return "parameter";
      case value_kind::buffer:
        return "buffer";
      case value_kind::mutable_buffer:
        return "mutable buffer";
      case value_kind::constant:
        return "constant";
      case value_kind::user_input:
      case value_kind::intermediate:
        break;
    }
    return "";
  }

  constexpr void print_return(const graph& g, std::size_t depth) {
    const auto outputs = program_.outputs_of(g);
    begin_line(depth);
    add("return (");
    list(outputs, [this](const output_spec& spec) { add("%", name_of(spec.value)); });
    add(outputs.size() == 1 ? ",)" : ")");
    for (const auto& spec : outputs) {
      if (spec.kind != output_kind::buffer_mutation) continue;
      remark();
      add("%", name_of(spec.value), " mutates ", program_.text(spec.target));
    }
    remark_tag(g.output_tag);
    end_line();
  }

  constexpr void print_module(const lowered_module_ref& module, std::size_t depth) {
    begin_line(depth);
    add(program_.text(module.name));
    print_facts(module);
    print_graph(module.original, depth + 1);
  }
  constexpr void print_facts(const lowered_module_ref& module) {
    add(": backend ", program_.text(module.backend_id), ", ", static_cast<std::int64_t>(module.processed_bytes.size), " bytes");
    end_line();
  }

  program_view program_;
  std::vector<char> is_inner_;   ///< by graph: 1 a node or a lowered module contains it, 2 and it has been printed
  std::vector<char> is_called_;  ///< by lowered module
  text_buffer text_;
  bool has_comment_ = false;
};

}  // namespace detail

/// A program, one line a node, in the style of torch.fx; what stands behind `  # ` is a comment: dtype, shape, kind, tag, mutated buffers.
/// Subgraphs, and the programs that lowered modules were made from, stand indented below the node that contains them. A delegate call shows
/// its lowered module as its first operand, as in ExecuTorch. The program must pass `verify`.
constexpr auto print(const program_view& program) -> text_buffer { return detail::printer(program).run(); }

}  // namespace baton

// ---- baton/core/static_program.hpp

// The thin static layer: evaluate a stateless callable once in the compiler and freeze the program it makes.

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace baton {

/// The owning copy of a program in any form; bytes outside stay outside.
constexpr auto thaw(const program_view& program) -> exported_program {
  exported_program copy;
  for_each_pool([](auto& to, const auto& from) { to.assign(from.begin(), from.end()); }, copy, program);
  return copy;
}

/// A copy of a program in arrays of exactly these sizes, which must be `sizes_of(program)`.
template <pool_sizes Sizes>
constexpr auto freeze(const program_view& program) -> frozen_program<Sizes> {
  frozen_program<Sizes> copy{};
  for_each_pool([](auto& to, const auto& from) { std::copy(from.begin(), from.end(), to.begin()); }, copy, program);
  return copy;
}

namespace detail {

constexpr auto as_result(exported_program made) -> result<exported_program> { return made; }
constexpr auto as_result(result<exported_program> made) -> result<exported_program> { return made; }

/// What is known of a stage's outcome before its arrays exist.
struct outcome {
  pool_sizes sizes{};
  static_failure why{};
};

template <class Make>
consteval auto outcome_of() -> outcome {
  const auto made = as_result(Make{}());
  return {made ? sizes_of(made.value) : pool_sizes{}, static_failure{made.error}};
}

/// A stage that is made from others says by `stages_are_whole` whether they could be made.
template <class Make>
inline constexpr bool stages_are_whole = true;
template <class Make>
  requires requires { Make::stages_are_whole; }
inline constexpr bool stages_are_whole<Make> = Make::stages_are_whole;

template <class Make>
inline constexpr outcome outcome_constant = outcome_of<Make>();

template <class Make>
consteval auto frozen_outcome() {
  constexpr const outcome& known = outcome_constant<Make>;
  require_unbroken<known.why>();
  return freeze<known.sizes>(as_result(Make{}()).value);
}

template <class Make>
inline constexpr auto frozen_constant = frozen_outcome<Make>();

}  // namespace detail

/// A program that the compiler makes: an empty object, whose type holds a stateless callable (a captureless lambda, say) that returns an
/// `exported_program` or a `result` of one. Its value is a frozen program in read-only memory. A failure stops the compiler with its
/// sentence. Example: `constexpr auto model = baton::static_program{[] { return build(); }};`
template <class Make>
struct static_program {
  static_assert(
      std::is_empty_v<Make> && std::is_default_constructible_v<Make>,
      "baton static_program: what makes a program in the compiler must be a callable without state; pass a lambda without captures");
  using make = Make;

  constexpr static_program() = default;
  constexpr explicit static_program(Make) {}

  /// The frozen program.
  static constexpr auto value() -> const auto& { return detail::frozen_constant<Make>; }
  /// Whether the program, and all that it is made from, could be made; asking stops no compilation.
  static constexpr bool is_whole = detail::stages_are_whole<Make> && !detail::outcome_constant<Make>.why.broken;

  /// Stops the compiler with the sentence of the rule that kept the program from being made, if one did.
  static constexpr void report() { require_unbroken<detail::outcome_constant<Make>.why>(); }

  constexpr operator program_view() const { return value(); }  // NOLINT(google-explicit-constructor): every reader takes a view
  constexpr auto operator->() const -> const auto* { return &value(); }
};

/// Whether a type is a static program.
template <class T>
inline constexpr bool is_static_program = false;
template <class Make>
inline constexpr bool is_static_program<static_program<Make>> = true;

}  // namespace baton

// ---- baton/core/verdict.hpp

// A yes, or a no with its reason: what a kernel or an operator support says of a node.

namespace baton {

/// Whether a node is taken, and why not. A no without a reason means "not an operator of mine".
struct verdict {
  bool accepted = false;
  text_buffer reason{};

  constexpr explicit operator bool() const { return accepted; }
};

constexpr auto accept() -> verdict { return {true, {}}; }

/// A no; the reason is made of text and numbers.
template <class... Parts>
constexpr auto refuse(const Parts&... reason) -> verdict {
  return {false, join(reason...)};
}

}  // namespace baton

// ---- baton/core/verify.hpp

// The rules of a well-formed program; names the first node and the rule that it breaks.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace baton {

namespace detail {

class verifier {
 public:
  constexpr explicit verifier(const program_view& program) : program_(program), defined_(program.values.size(), 0) {}

  constexpr auto run() -> failure {
    if (program_.graphs.empty()) return broken<rule::misplaced_index>("the program has no graph");
    if (auto why = check_ranges()) return why;
    if (auto why = check_values()) return why;
    if (auto why = check_nesting()) return why;
    for (std::size_t g = 0; g < program_.graphs.size(); ++g) {
      if (auto why = check_graph(static_cast<graph_id>(g))) return why;
    }
    return {};
  }

 private:
  /// Passes walk into subgraphs by recursion; this bounds it, also in a constant.
  static constexpr std::uint32_t most_nested = 64;

  template <class Pool>
  static constexpr auto inside(range run, const Pool& pool) -> bool {
    return run.first <= pool.size() && run.size <= pool.size() - run.first;
  }
  constexpr auto inside(byte_ref ref) const -> bool { return ref.outside != nullptr || inside(range{ref.first, ref.size}, program_.bytes); }
  constexpr auto inside(value_id id) const -> bool { return index(id) < program_.values.size(); }
  constexpr auto is_tag(tag_id id) const -> bool { return id == none<tag_id> || index(id) < program_.tags.size(); }

  constexpr auto check_ranges() const -> failure {
    for (const auto& g : program_.graphs) {
      const bool good = inside(g.name) && inside(g.nodes, program_.nodes) && inside(g.inputs, program_.operands) &&
                        inside(g.outputs, program_.outputs) && is_tag(g.output_tag);
      if (!good) return broken<rule::misplaced_index>("a graph's lists");
    }
    for (std::size_t v = 0; v < program_.values.size(); ++v) {
      const auto& record = program_.values[v];
      const bool good = inside(record.name) && inside(record.shape, program_.integers) && inside(record.data) && inside(record.target) &&
                        inside(record.quant.scales) && inside(record.quant.zero_points) && index(record.graph) < program_.graphs.size() &&
                        is_tag(record.tag);
      if (!good) return broken<rule::misplaced_index>("value ", v);
    }
    for (std::size_t n = 0; n < program_.nodes.size(); ++n) {
      if (!has_good_ranges(program_.nodes[n])) return broken<rule::misplaced_index>("node ", n);
    }
    return check_delegate_ranges();
  }

  constexpr auto check_delegate_ranges() const -> failure {
    for (const auto& record : program_.delegates) {
      const bool good = inside(record.name) && inside(record.backend_id) && inside(record.processed_bytes) &&
                        index(record.original) < program_.graphs.size() && inside(record.compile_specs, program_.compile_specs) &&
                        inside(record.debug_map, program_.mappings);
      if (!good) return broken<rule::misplaced_index>("a lowered module");
    }
    for (const auto& record : program_.compile_specs) {
      if (!inside(record.key) || !inside(record.value)) return broken<rule::misplaced_index>("a compile spec");
    }
    for (const auto& record : program_.mappings) {
      if (!inside(record.text) || !inside(record.handles, program_.integers)) return broken<rule::misplaced_index>("a delegate mapping");
    }
    for (const auto& record : program_.tags) {
      const bool good = inside(record.name) && inside(record.backend_id) && inside(record.compile_specs, program_.compile_specs);
      if (!good) return broken<rule::misplaced_index>("a tag");
    }
    return {};
  }

  constexpr auto has_good_ranges(const node& record) const -> bool {
    const bool good = inside(record.name) && inside(record.target) && inside(record.inputs, program_.operands) &&
                      inside(record.outputs, program_.operands) && inside(record.attributes, program_.attributes) &&
                      inside(record.subgraphs, program_.subgraphs) &&
                      (record.delegate == none<delegate_id> || index(record.delegate) < program_.delegates.size()) && is_tag(record.tag);
    if (!good) return false;
    for (const auto& literal : program_.attributes_of(record)) {
      const bool is_reals = literal.kind == attribute_kind::reals;
      if (!inside(literal.name) || !inside(literal.bytes)) return false;
      if (is_reals ? !inside(literal.list, program_.reals) : !inside(literal.list, program_.integers)) return false;
    }
    for (const auto g : program_.subgraphs_of(record)) {
      if (index(g) >= program_.graphs.size()) return false;
    }
    for (const auto id : program_.inputs(record)) {
      if (id != none<value_id> && !inside(id)) return false;
    }
    for (const auto id : program_.outputs_of(record)) {
      if (!inside(id)) return false;
    }
    return true;
  }

  constexpr auto check_values() const -> failure {
    for (const auto& record : program_.values) {
      if (auto why = check_value(record)) {
        if (why.reason.empty()) why.reason = join("value ", program_.text(record.name));
        return why;
      }
    }
    return {};
  }

  constexpr auto check_value(const value& record) const -> failure {
    const auto shape = program_.integer_list(record.shape);
    bool is_dynamic = false;
    for (const auto size : shape) {
      if (size < -1) return broken<rule::malformed_shape>();
      is_dynamic = is_dynamic || size == -1;
    }
    const auto bytes = byte_count(record.type, shape);
    if (!is_dynamic && facts(record.type).bits != 0 && (bytes < 0 || bytes > 0xffffffffll)) return broken<rule::malformed_shape>();
    if (record.data.size != 0 && bytes >= 0 && bytes != record.data.size) {
      return broken<rule::malformed_data>("value ", program_.text(record.name), " needs ", bytes, " bytes and has ", record.data.size);
    }
    const auto& quant = record.quant;
    if (quant.channels == 0) return {};
    const bool has_axis = quant.axis >= 0 && static_cast<std::size_t>(quant.axis) < shape.size();
    const bool fits = quant.channels == 1 || (has_axis && shape[static_cast<std::size_t>(quant.axis)] == quant.channels);
    const bool has_data =
        quant.scales.size == std::uint64_t{4} * quant.channels &&
        (quant.zero_points.size == 0 || quant.zero_points.size == 8 || quant.zero_points.size == std::uint64_t{8} * quant.channels);
    if (!fits || !has_data) return broken<rule::malformed_quantization>();
    return {};
  }

  template <class F>
  constexpr void for_each_contained_in(std::uint32_t g, F f) const {
    for (const auto& record : program_.nodes_of(program_.graphs[g])) {
      for (const auto inner : program_.subgraphs_of(record)) f(index(inner));
      if (record.delegate != none<delegate_id>) f(index(program_[record.delegate].original));
    }
  }
  template <class F>
  constexpr void for_each_contained(F f) const {
    for (std::uint32_t g = 0; g < program_.graphs.size(); ++g) {
      for_each_contained_in(g, [&](std::uint32_t inner) { f(g, inner); });
    }
  }

  // Kahn's algorithm over "graph contains graph" (A. B. Kahn, Topological sorting of large networks, CACM 5, 1962): no recursion, whatever
  // the depth.
  constexpr auto check_nesting() const -> failure {
    std::vector<std::uint32_t> containers(program_.graphs.size(), 0);
    for_each_contained([&](std::uint32_t, std::uint32_t inner) { containers[inner] += 1; });
    std::vector<std::uint32_t> depth(program_.graphs.size(), 0);
    std::vector<std::uint32_t> ready;
    for (std::uint32_t g = 0; g < containers.size(); ++g) {
      if (containers[g] == 0) ready.push_back(g);
    }
    for (std::size_t at = 0; at < ready.size(); ++at) {
      const auto outer = ready[at];
      if (depth[outer] > most_nested) return broken<rule::nested_too_deep>("graph ", program_.text(program_.graphs[outer].name));
      for_each_contained_in(outer, [&](std::uint32_t inner) {
        if (depth[inner] <= depth[outer]) depth[inner] = depth[outer] + 1;
        if (--containers[inner] == 0) ready.push_back(inner);
      });
    }
    if (ready.size() != program_.graphs.size()) return broken<rule::recursive_graph>();
    return {};
  }

  constexpr auto check_graph(graph_id id) -> failure {
    const auto& g = program_[id];
    for (const auto input : program_.inputs(g)) {
      if (!inside(input)) return broken<rule::misplaced_index>("a graph input");
      const auto& record = program_[input];
      if (record.graph != id) return broken<rule::foreign_value>("graph input ", program_.text(record.name));
      if (record.kind == value_kind::intermediate) return broken<rule::malformed_signature>("graph input ", program_.text(record.name));
      if (defined_[index(input)] != 0) return broken<rule::value_defined_twice>("graph input ", program_.text(record.name));
      defined_[index(input)] = 1;
    }
    for (std::uint32_t n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
      if (auto why = check_node(id, program_.nodes[n])) return locate(std::move(why), program_, static_cast<node_id>(n));
    }
    return check_outputs(id);
  }

  constexpr auto check_node(graph_id id, const node& record) -> failure {
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id>) continue;
      if (program_[input].graph != id) return broken<rule::foreign_value>("operand ", program_.text(program_[input].name));
      if (defined_[index(input)] == 0) return broken<rule::undefined_value>("operand ", program_.text(program_[input].name));
    }
    for (const auto output : program_.outputs_of(record)) {
      const auto& made = program_[output];
      if (made.graph != id) return broken<rule::foreign_value>("output ", program_.text(made.name));
      if (made.kind != value_kind::intermediate || defined_[index(output)] != 0) {
        return broken<rule::value_defined_twice>("output ", program_.text(made.name));
      }
      defined_[index(output)] = 1;
    }
    if ((record.delegate != none<delegate_id>) != record.is(call_delegate))
      return broken<rule::malformed_operator>("a delegate call names a delegate");
    return {};
  }

  constexpr auto check_outputs(graph_id id) const -> failure {
    bool user_outputs_began = false;
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (!inside(spec.value) || !inside(spec.target)) return broken<rule::misplaced_index>("a graph output");
      const auto name = program_.text(program_[spec.value].name);
      if (program_[spec.value].graph != id) return broken<rule::foreign_value>("graph output ", name);
      if (defined_[index(spec.value)] == 0) return broken<rule::undefined_value>("graph output ", name);
      if (spec.kind == output_kind::user_output) {
        user_outputs_began = true;
      } else if (user_outputs_began || !has_mutable_buffer(id, program_.text(spec.target))) {
        return broken<rule::malformed_signature>("mutation of ", program_.text(spec.target));
      }
    }
    return {};
  }
  constexpr auto has_mutable_buffer(graph_id id, std::string_view target) const -> bool {
    for (const auto input : program_.inputs(program_[id])) {
      if (program_[input].kind == value_kind::mutable_buffer && program_.text(program_[input].target) == target) return true;
    }
    return false;
  }

  program_view program_;
  std::vector<char> defined_;  // not vector<bool>: Clang cannot evaluate libstdc++ 12's in a constant
};

}  // namespace detail

/// Checks a program: indices, order, single definition, shapes, data, quantization, nesting and signature.
/// Gives the first rule that is broken, with the node; an empty failure if none is.
constexpr auto verify(const program_view& program) -> failure { return detail::verifier(program).run(); }

}  // namespace baton

// ---- baton/import/byte_reader.hpp

// Bounded little-endian reading of bytes that came from outside: whatever the bytes are, no read leaves them.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

/// A reader of little-endian numbers, views and text at absolute positions of a model's bytes.
/// Positions and sizes are in bytes. A read that is not wholly inside yields zero or nothing, and `ok()` stays false from then on:
/// read everything first, ask once. The reader owns nothing; views and texts live as long as the bytes.
/// Every read is one expression, because Clang counts statements in a constant and GCC operations.
class byte_reader {
 public:
  constexpr byte_reader() = default;
  constexpr explicit byte_reader(std::span<const char> bytes)
      : data_(bytes.data()),
        size_(bytes.size()),
        work_(initial_work(bytes.size())) {}

  constexpr auto size() const -> std::size_t { return size_; }

  /// Whether every read so far was inside the bytes and within the work allowed.
  constexpr auto ok() const -> bool { return ok_; }

  /// Notes that the bytes break a rule of their format. Always false, so that a check can end with it.
  constexpr auto fail() -> bool { return ok_ = false; }

  /// Whether `size` bytes at `at` are inside; if not, the reader fails.
  constexpr auto within(std::size_t at, std::size_t size) -> bool { return (at <= size_ && size <= size_ - at) || fail(); }

  /// Accounts for `items` things reached by way of an offset, and fails when they are many times more than the bytes can hold:
  /// offsets may share their targets, so a small hostile file can describe an endless tree.
  constexpr auto spend(std::uint64_t items) -> bool { return items <= work_ ? (work_ -= items, true) : fail(); }

  constexpr auto u8(std::size_t at) -> std::uint8_t { return within(at, 1) ? static_cast<std::uint8_t>(data_[at]) : std::uint8_t{0}; }
  constexpr auto u16(std::size_t at) -> std::uint16_t { return at <= size_ && 2 <= size_ - at ? load16(at) : std::uint16_t{fail()}; }
  constexpr auto u32(std::size_t at) -> std::uint32_t { return at <= size_ && 4 <= size_ - at ? load32(at) : std::uint32_t{fail()}; }
  constexpr auto u64(std::size_t at) -> std::uint64_t {
    return within(at, 8) ? load32(at) | static_cast<std::uint64_t>(load32(at + 4)) << 32 : 0;
  }
  constexpr auto i8(std::size_t at) -> std::int8_t { return static_cast<std::int8_t>(u8(at)); }
  constexpr auto i16(std::size_t at) -> std::int16_t { return static_cast<std::int16_t>(u16(at)); }
  constexpr auto i32(std::size_t at) -> std::int32_t { return static_cast<std::int32_t>(u32(at)); }
  constexpr auto i64(std::size_t at) -> std::int64_t { return static_cast<std::int64_t>(u64(at)); }
  constexpr auto f32(std::size_t at) -> float { return std::bit_cast<float>(u32(at)); }
  constexpr auto f64(std::size_t at) -> double { return std::bit_cast<double>(u64(at)); }

  /// The number of type `T` at a position; a `bool` is a byte that is not zero.
  template <class T>
    requires(sizeof(T) == 1)
  constexpr auto read(std::size_t at) -> T {
    return static_cast<T>(u8(at));
  }
  template <class T>
    requires(sizeof(T) == 2)
  constexpr auto read(std::size_t at) -> T {
    return std::bit_cast<T>(u16(at));
  }
  template <class T>
    requires(sizeof(T) == 4)
  constexpr auto read(std::size_t at) -> T {
    return std::bit_cast<T>(u32(at));
  }
  template <class T>
    requires(sizeof(T) == 8)
  constexpr auto read(std::size_t at) -> T {
    return std::bit_cast<T>(u64(at));
  }

  /// The bytes at a position, not copied.
  constexpr auto view(std::size_t at, std::size_t size) -> std::span<const char> {
    return within(at, size) ? std::span<const char>{data_ + at, size} : std::span<const char>{};
  }

  /// The characters at a position, not copied; a terminating zero is not looked for.
  constexpr auto text(std::size_t at, std::size_t size) -> std::string_view {
    return within(at, size) ? std::string_view{data_ + at, size} : std::string_view{};
  }

 private:
  /// An honest file has at most one table or element in two bytes, and an importer looks at each a few times.
  static constexpr auto initial_work(std::uint64_t size) -> std::uint64_t { return 16 * size + 1024; }

  constexpr auto load16(std::size_t at) const -> std::uint16_t {
    return static_cast<std::uint16_t>(static_cast<unsigned char>(data_[at]) | static_cast<unsigned char>(data_[at + 1]) << 8);
  }
  constexpr auto load32(std::size_t at) const -> std::uint32_t {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at])) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at + 1])) << 8 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at + 2])) << 16 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at + 3])) << 24;
  }

  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t work_ = initial_work(0);
  bool ok_ = true;
};

}  // namespace baton

// ---- baton/import/flatbuffer.hpp

// FlatBuffers without generated code: tables, fields, vectors, texts and unions, read in place from bytes that need not be trusted.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

/// The wire format of FlatBuffers (https://flatbuffers.dev/internals). Positions are absolute, in bytes. Offsets to tables, vectors and
/// texts point forward only, so the data cannot lead in a circle; what they share is accounted for (`byte_reader::spend`).
/// Whatever is wrong (an offset to the outside, a vtable that does not fit, a count above the bytes that are left) makes the reader
/// fail and yields something absent or empty: ask `byte_reader::ok()` once, at the end.
namespace baton::flatbuffer {

/// The position that the offset at `at` leads to; after a failure the end of the bytes, where nothing can be read.
constexpr auto follow(byte_reader& reader, std::size_t at) -> std::size_t {
  const std::size_t offset = reader.u32(at);
  return (offset != 0 || reader.fail()) && reader.within(at, offset) ? at + offset : reader.size();
}

/// The text whose length stands at `at`. Texts count as work by their length, since an importer copies names.
constexpr auto text_at(byte_reader& reader, std::size_t at) -> std::string_view {
  const std::size_t size = reader.u32(at);
  return reader.spend(size) ? reader.text(at + 4, size) : std::string_view{};
}

template <class T>
class vector;
struct union_member;

/// A table: a position and its vtable, which is checked once, when the table is opened. An absent table has no fields, so all its
/// numbers have their defaults and all its vectors are empty. A slot is the number of a field in the schema, a union counting twice.
class table {
 public:
  constexpr table() = default;
  constexpr table(byte_reader& reader, std::size_t at)
      : reader_(&reader),
        position_(at),
        vtable_(at - static_cast<std::size_t>(std::ptrdiff_t{reader.i32(at)})),
        slots_(checked_slots(reader, vtable_)) {}

  /// Whether the table is there.
  constexpr explicit operator bool() const { return reader_ != nullptr; }

  constexpr auto position() const -> std::size_t { return position_; }

  /// The table's own bytes, as a view: its fields, without what their offsets lead to.
  constexpr auto own_bytes() const -> std::span<const char> { return reader_->view(position_, reader_->u16(vtable_ + 2)); }

  /// The position of a field, 0 when it is absent (the root's offset stands at 0, so no field does).
  constexpr auto field(std::size_t slot) const -> std::size_t {
    const std::size_t offset = slot < slots_ ? reader_->u16(vtable_ + 4 + 2 * slot) : 0;
    return offset == 0 ? 0 : position_ + offset;
  }

  /// A number or a boolean, `scalar<std::int32_t>(slot)`; the schema's default when the field is absent.
  template <class T>
  constexpr auto scalar(std::size_t slot, T default_value = T{}) const -> T {
    const auto at = field(slot);
    return at == 0 ? default_value : reader_->read<T>(at);
  }

  /// A text, empty when absent.
  constexpr auto text(std::size_t slot) const -> std::string_view {
    const auto at = field(slot);
    return at == 0 ? std::string_view{} : text_at(*reader_, follow(*reader_, at));
  }

  /// A vector of bytes as a view, empty when absent. Views do not count as work; who copies one spends its size.
  constexpr auto bytes(std::size_t slot) const -> std::span<const char> {
    const auto at = field(slot);
    const auto start = at == 0 ? 0 : follow(*reader_, at);
    return at == 0 ? std::span<const char>{} : reader_->view(start + 4, reader_->u32(start));
  }

  /// A vector of numbers, booleans, texts (`std::string_view`) or tables, empty when absent: `elements<std::int32_t>(slot)`.
  template <class T>
  constexpr auto elements(std::size_t slot) const -> vector<T> {
    const auto at = field(slot);
    return at == 0 ? vector<T>{} : vector<T>{*reader_, follow(*reader_, at)};
  }

  /// A table within this one, absent when its field is.
  constexpr auto child(std::size_t slot) const -> table {
    const auto at = field(slot);
    return at == 0 ? table{} : table{*reader_, follow(*reader_, at)};
  }

  /// A union, whose type stands in this slot and whose table in the next.
  constexpr auto member(std::size_t type_slot) const -> union_member;

 private:
  static constexpr auto checked_slots(byte_reader& reader, std::size_t vtable) -> std::size_t {
    const std::size_t size = reader.u16(vtable);
    return ((size >= 4 && size % 2 == 0) || reader.fail()) && reader.within(vtable, size) && reader.spend(1) ? size / 2 - 2 : 0;
  }

  byte_reader* reader_ = nullptr;
  std::size_t position_ = 0;
  std::size_t vtable_ = 0;
  std::size_t slots_ = 0;
};

/// A union's type, 0 when nothing is stored, and its table.
struct union_member {
  std::uint8_t type;
  table value;
};

constexpr auto table::member(std::size_t type_slot) const -> union_member {
  const auto type = scalar<std::uint8_t>(type_slot);
  return {type, type == 0 ? table{} : child(type_slot + 1)};
}

/// A vector of `T`: a number, `bool`, `std::string_view` or `table`. Its elements are inside the bytes, and count as work.
template <class T>
class vector {
 public:
  /// The bytes of one element; texts and tables are stored as offsets.
  static constexpr std::size_t element_size = std::is_arithmetic_v<T> ? sizeof(T) : 4;

  constexpr vector() = default;

  /// The vector whose count stands at `at`.
  constexpr vector(byte_reader& reader, std::size_t at) : reader_(&reader), position_(at + 4), size_(checked_size(reader, at)) {}

  constexpr auto size() const -> std::size_t { return size_; }
  constexpr auto empty() const -> bool { return size_ == 0; }

  /// The position of the first element.
  constexpr auto position() const -> std::size_t { return position_; }

  /// Element `i`, an index that may come from the data: outside, the reader fails and the element is zero, empty or absent.
  constexpr auto operator[](std::size_t i) const -> T
    requires std::is_arithmetic_v<T>
  {
    return i < size_ ? reader_->read<T>(position_ + i * sizeof(T)) : outside();
  }
  constexpr auto operator[](std::size_t i) const -> T
    requires std::is_same_v<T, table>
  {
    return i < size_ ? table{*reader_, follow(*reader_, position_ + 4 * i)} : outside();
  }
  constexpr auto operator[](std::size_t i) const -> T
    requires std::is_same_v<T, std::string_view>
  {
    return i < size_ ? text_at(*reader_, follow(*reader_, position_ + 4 * i)) : outside();
  }

 private:
  static constexpr auto checked_size(byte_reader& reader, std::size_t at) -> std::size_t {
    const std::size_t size = reader.u32(at);
    return size == 0 || ((size <= (reader.size() - at - 4) / element_size || reader.fail()) && reader.spend(size)) ? size : 0;
  }

  constexpr auto outside() const -> T {
    if (reader_ != nullptr) reader_->fail();
    return T{};
  }

  byte_reader* reader_ = nullptr;
  std::size_t position_ = 0;
  std::size_t size_ = 0;
};

/// The root table of the bytes; its offset stands at their beginning.
constexpr auto root(byte_reader& reader) -> table { return {reader, follow(reader, 0)}; }

/// Whether the bytes carry this file identifier of four characters, for example `TFL3`.
constexpr auto has_identifier(byte_reader& reader, std::string_view identifier) -> bool { return reader.text(4, 4) == identifier; }

}  // namespace baton::flatbuffer

// ---- baton/import/importer.hpp

// The importer concept: what turns the bytes of one model format into a program.

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace baton {

namespace archetypes {

/// The smallest importer: of a format whose files are all damaged.
struct importer {
  static constexpr std::string_view format = "nothing";
  static constexpr auto recognizes(std::span<const char>) -> bool { return false; }
  static constexpr auto read(std::span<const char>) -> result<exported_program> { return broken<rule::damaged_model>(); }
};

}  // namespace archetypes

/// An importer reads one model format: bytes that need not be trusted become a program that `verify` holds good, or a failure.
/// - `static constexpr std::string_view format`: the name of the format, for people
/// - `static constexpr auto recognizes(std::span<const char> bytes) -> bool`: whether the bytes claim to be of this format
/// - `static constexpr auto read(std::span<const char> bytes) -> baton::result<baton::exported_program>`
/// Laws: what `read` gives verifies, and owned data are views into the bytes, never copies; the same bytes give the same program; bytes
/// that are not recognized are refused; whatever the bytes are, nothing outside them is read, and time and memory stay within a multiple of
/// their size. Models: `tflite::importer`. A model that is built by a program needs no importer: use `program_builder`.
template <class T>
concept importer = requires(std::span<const char> bytes) {
  std::string_view{T::format};
  bool{T::recognizes(bytes)};
  result<exported_program>{T::read(bytes)};
};
static_assert(importer<archetypes::importer>);

/// Stops the compiler with a sentence if a type is no importer.
template <class T>
consteval auto require_importer() -> bool {
  constexpr bool it_names_its_format = requires { std::string_view{T::format}; };
  constexpr bool it_recognizes_its_files = requires(std::span<const char> bytes) { bool{T::recognizes(bytes)}; };
  constexpr bool it_reads_a_program = requires(std::span<const char> bytes) { result<exported_program>{T::read(bytes)}; };
  static_assert(it_names_its_format,
                "baton not_an_importer: an importer names its format; write: static constexpr std::string_view format = \"...\";");
  static_assert(
      it_recognizes_its_files,
      "baton not_an_importer: an importer recognizes its files; write: static constexpr auto recognizes(std::span<const char> bytes) "
      "-> bool");
  static_assert(it_reads_a_program,
                "baton not_an_importer: an importer reads a program; write: static constexpr auto read(std::span<const char> bytes) "
                "-> baton::result<baton::exported_program>");
  return importer<T>;
}

/// A callable that reads a model embedded as an array of characters, the last of which is the terminating zero of a string literal and no
/// part of the model: what a `static_program` is made of.
template <class Importer, const auto& Bytes>
struct read_embedded {
  using array = std::remove_cvref_t<decltype(Bytes)>;
  static_assert(std::is_same_v<std::remove_extent_t<array>, char> && std::is_bounded_array_v<array>,
                "baton read: a model is embedded as an array of char that ends with a zero; make it with the CMake function baton_embed");
  static_assert((static_cast<void>(require_importer<Importer>()), true));  // a mistake is told once, and here, where the way to it is short

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (importer<Importer>) {
      return Importer::read(std::span<const char>{Bytes, sizeof(array) - 1});
    } else {
      return exported_program{};
    }
  }
};

}  // namespace baton

// ---- baton/import/tflite.hpp

// TensorFlow Lite models: from the bytes of a .tflite file to a program, in the compiler and at run time.

// ---- baton/import/tflite_attributes.hpp

// The attributes of TFLite operators: the fields of their options, by the tables, and the raw options of those without a table.

// ---- baton/import/tflite_options.hpp

// The options of TFLite's builtin operators: which fields an options table has, where they stand, and what they mean.

#include <cstdint>
#include <span>
#include <string_view>

namespace baton::tflite {

/// How a field is stored and what it becomes. Numbers are little-endian. No options table holds another table or a struct.
enum class field_type : std::uint8_t {
  boolean,  ///< a byte
  int32,
  int64,
  float32,
  text,
  enumeration8,    ///< a signed byte, an index into the field's symbols
  enumeration32,   ///< four bytes, an index into the field's symbols
  tensor_type,     ///< a signed byte, an index into `tensor_types`
  subgraph,        ///< four bytes, the index of a subgraph of the model
  boolean_vector,  ///< bytes
  uint8_vector,    ///< bytes of some other format
  int32_vector,
  int64_vector,
  float32_vector,
  enumeration32_vector,  ///< four bytes each, indices into the field's symbols
  subgraph_vector,       ///< four bytes each, the indices of subgraphs of the model
};

/// One field of an options table: its name in the schema, its vtable slot, and its value where the file leaves it out
/// (a number, a boolean or an index of a symbol; the default of text and vectors is empty, that of every float 0).
struct field_schema {
  literal_name name;
  std::uint16_t slot;
  field_type type;
  std::span<const std::string_view> symbols{};
  std::int64_t default_value = 0;
};

/// The symbols of the schema's enumerations by their numbers, in lower case.
namespace symbols {

inline constexpr std::string_view padding[] = {"same", "valid"};
inline constexpr std::string_view activation[] = {"none", "relu", "relu_n1_to_1", "relu6", "tanh", "sign_bit"};
inline constexpr std::string_view lsh_projection_kind[] = {"unknown", "sparse", "dense"};
inline constexpr std::string_view weights_format[] = {"default", "shuffled4x16int8"};
inline constexpr std::string_view lstm_kernel[] = {"full", "basic"};
inline constexpr std::string_view combiner[] = {"sum", "mean", "sqrtn"};
inline constexpr std::string_view mirror_pad_mode[] = {"reflect", "symmetric"};
inline constexpr std::string_view precision[] = {"default", "high", "highest"};
inline constexpr std::string_view comparison_direction[] = {"stablehlo_comparison_direction_eq", "stablehlo_comparison_direction_ne",
                                                            "stablehlo_comparison_direction_ge", "stablehlo_comparison_direction_gt",
                                                            "stablehlo_comparison_direction_le", "stablehlo_comparison_direction_lt"};
inline constexpr std::string_view comparison_type[] = {"stablehlo_comparison_type_notype", "stablehlo_comparison_type_float",
                                                       "stablehlo_comparison_type_float_total_order", "stablehlo_comparison_type_signed",
                                                       "stablehlo_comparison_type_unsigned"};
inline constexpr std::string_view rng_algorithm[] = {"default", "philox", "threefry"};
inline constexpr std::string_view reduce_window_function[] = {"unsupported", "add", "mul", "minimum", "maximum", "all", "any"};
inline constexpr std::string_view custom_options_format[] = {"flexbuffers"};

}  // namespace symbols

/// The fields of the options tables that have any (source: schema.fbs of LiteRT, version 3d, August 2026). Deprecated fields keep their
/// slots and are not listed.
namespace fields {

using enum field_type;

inline constexpr field_schema conv_2d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"fused_activation_function", 3, enumeration8, symbols::activation},
    {"dilation_w_factor", 4, int32, {}, 1},
    {"dilation_h_factor", 5, int32, {}, 1},
    {"quantized_bias_type", 6, tensor_type},
};

inline constexpr field_schema depthwise_conv_2d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"depth_multiplier", 3, int32},
    {"fused_activation_function", 4, enumeration8, symbols::activation},
    {"dilation_w_factor", 5, int32, {}, 1},
    {"dilation_h_factor", 6, int32, {}, 1},
};

inline constexpr field_schema concat_embeddings[] = {
    {"num_channels", 0, int32},
    {"num_columns_per_channel", 1, int32_vector},
    {"embedding_dim_per_channel", 2, int32_vector},
};

inline constexpr field_schema lsh_projection[] = {{"type", 0, enumeration8, symbols::lsh_projection_kind}};

inline constexpr field_schema pool_2d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"filter_width", 3, int32},
    {"filter_height", 4, int32},
    {"fused_activation_function", 5, enumeration8, symbols::activation},
};

inline constexpr field_schema svdf[] = {
    {"rank", 0, int32},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
    {"asymmetric_quantize_inputs", 2, boolean},
};

inline constexpr field_schema rnn[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"asymmetric_quantize_inputs", 1, boolean},
};

inline constexpr field_schema fully_connected[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"weights_format", 1, enumeration8, symbols::weights_format},
    {"keep_num_dims", 2, boolean},
    {"asymmetric_quantize_inputs", 3, boolean},
    {"quantized_bias_type", 4, tensor_type},
};

inline constexpr field_schema softmax[] = {{"beta", 0, float32}};

inline constexpr field_schema concatenation[] = {
    {"axis", 0, int32},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
};

inline constexpr field_schema add[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"pot_scale_int16", 1, boolean, {}, 1},
};

inline constexpr field_schema l2_norm[] = {{"fused_activation_function", 0, enumeration8, symbols::activation}};

inline constexpr field_schema local_response_normalization[] = {
    {"radius", 0, int32},
    {"bias", 1, float32},
    {"alpha", 2, float32},
    {"beta", 3, float32},
};

inline constexpr field_schema lstm[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"cell_clip", 1, float32},
    {"proj_clip", 2, float32},
    {"kernel_type", 3, enumeration8, symbols::lstm_kernel},
    {"asymmetric_quantize_inputs", 4, boolean},
};

inline constexpr field_schema resize_bilinear[] = {{"align_corners", 2, boolean}, {"half_pixel_centers", 3, boolean}};
inline constexpr field_schema call[] = {{"subgraph", 0, subgraph}};
inline constexpr field_schema reshape[] = {{"new_shape", 0, int32_vector}};

inline constexpr field_schema skip_gram[] = {
    {"ngram_size", 0, int32},
    {"max_skip_size", 1, int32},
    {"include_all_ngrams", 2, boolean},
};

inline constexpr field_schema space_to_depth[] = {{"block_size", 0, int32}};
inline constexpr field_schema embedding_lookup_sparse[] = {{"combiner", 0, enumeration8, symbols::combiner}};
inline constexpr field_schema mul[] = {{"fused_activation_function", 0, enumeration8, symbols::activation}};
inline constexpr field_schema gather[] = {{"axis", 0, int32}, {"batch_dims", 1, int32}};
inline constexpr field_schema reducer[] = {{"keep_dims", 0, boolean}};

inline constexpr field_schema sub[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"pot_scale_int16", 1, boolean, {}, 1},
};

inline constexpr field_schema div[] = {{"fused_activation_function", 0, enumeration8, symbols::activation}};
inline constexpr field_schema squeeze[] = {{"squeeze_dims", 0, int32_vector}};

inline constexpr field_schema sequence_rnn[] = {
    {"time_major", 0, boolean},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
    {"asymmetric_quantize_inputs", 2, boolean},
};

inline constexpr field_schema strided_slice[] = {
    {"begin_mask", 0, int32},    {"end_mask", 1, int32},         {"ellipsis_mask", 2, int32},
    {"new_axis_mask", 3, int32}, {"shrink_axis_mask", 4, int32}, {"offset", 5, boolean},
};

inline constexpr field_schema split[] = {{"num_splits", 0, int32}};
inline constexpr field_schema cast[] = {{"in_data_type", 0, tensor_type}, {"out_data_type", 1, tensor_type}};
inline constexpr field_schema arg_max[] = {{"output_type", 0, tensor_type}};

inline constexpr field_schema transpose_conv[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"fused_activation_function", 3, enumeration8, symbols::activation},
    {"quantized_bias_type", 4, tensor_type},
};

inline constexpr field_schema sparse_to_dense[] = {{"validate_indices", 0, boolean}};
inline constexpr field_schema shape[] = {{"out_type", 0, tensor_type}};
inline constexpr field_schema arg_min[] = {{"output_type", 0, tensor_type}};

inline constexpr field_schema fake_quant[] = {
    {"min", 0, float32},
    {"max", 1, float32},
    {"num_bits", 2, int32},
    {"narrow_range", 3, boolean},
};

inline constexpr field_schema pack[] = {{"values_count", 0, int32}, {"axis", 1, int32}};
inline constexpr field_schema one_hot[] = {{"axis", 0, int32}};
inline constexpr field_schema unpack[] = {{"num", 0, int32}, {"axis", 1, int32}};

inline constexpr field_schema bidirectional_sequence_lstm[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"cell_clip", 1, float32},
    {"proj_clip", 2, float32},
    {"merge_outputs", 3, boolean},
    {"time_major", 4, boolean, {}, 1},
    {"asymmetric_quantize_inputs", 5, boolean},
};

inline constexpr field_schema bidirectional_sequence_rnn[] = {
    {"time_major", 0, boolean},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
    {"merge_outputs", 2, boolean},
    {"asymmetric_quantize_inputs", 3, boolean},
};

inline constexpr field_schema unidirectional_sequence_lstm[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"cell_clip", 1, float32},
    {"proj_clip", 2, float32},
    {"time_major", 3, boolean},
    {"asymmetric_quantize_inputs", 4, boolean},
    {"diagonal_recurrent_tensors", 5, boolean},
};

inline constexpr field_schema resize_nearest_neighbor[] = {{"align_corners", 0, boolean}, {"half_pixel_centers", 1, boolean}};
inline constexpr field_schema leaky_relu[] = {{"alpha", 0, float32}};
inline constexpr field_schema mirror_pad[] = {{"mode", 0, enumeration8, symbols::mirror_pad_mode}};
inline constexpr field_schema split_v[] = {{"num_splits", 0, int32}};
inline constexpr field_schema unique[] = {{"idx_out_type", 0, tensor_type, {}, 2}};
inline constexpr field_schema reverse_sequence[] = {{"seq_dim", 0, int32}, {"batch_dim", 1, int32}};
inline constexpr field_schema if_else[] = {{"then_subgraph_index", 0, subgraph}, {"else_subgraph_index", 1, subgraph}};
inline constexpr field_schema while_loop[] = {{"cond_subgraph_index", 0, subgraph}, {"body_subgraph_index", 1, subgraph}};
inline constexpr field_schema depth_to_space[] = {{"block_size", 0, int32}};

inline constexpr field_schema batch_matmul[] = {
    {"adj_x", 0, boolean},
    {"adj_y", 1, boolean},
    {"asymmetric_quantize_inputs", 2, boolean},
};

inline constexpr field_schema cumsum[] = {{"exclusive", 0, boolean}, {"reverse", 1, boolean}};
inline constexpr field_schema call_once[] = {{"init_subgraph_index", 0, subgraph}};

inline constexpr field_schema conv_3d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_d", 1, int32},
    {"stride_w", 2, int32},
    {"stride_h", 3, int32},
    {"fused_activation_function", 4, enumeration8, symbols::activation},
    {"dilation_d_factor", 5, int32, {}, 1},
    {"dilation_w_factor", 6, int32, {}, 1},
    {"dilation_h_factor", 7, int32, {}, 1},
};

inline constexpr field_schema hashtable[] = {
    {"table_id", 0, int32},
    {"key_dtype", 1, tensor_type},
    {"value_dtype", 2, tensor_type},
};

inline constexpr field_schema var_handle[] = {{"container", 0, text}, {"shared_name", 1, text}};
inline constexpr field_schema random[] = {{"seed", 0, int64}, {"seed2", 1, int64}};
inline constexpr field_schema bucketize[] = {{"boundaries", 0, float32_vector}};
inline constexpr field_schema gelu[] = {{"approximate", 0, boolean}};
inline constexpr field_schema stablehlo_concatenate[] = {{"dimension", 0, int64}};
inline constexpr field_schema stablehlo_broadcast_in_dim[] = {{"broadcast_dimensions", 0, int64_vector}};

inline constexpr field_schema stablehlo_slice[] = {
    {"start_indices", 0, int64_vector},
    {"limit_indices", 1, int64_vector},
    {"strides", 2, int64_vector},
};

inline constexpr field_schema stablehlo_convolution[] = {
    {"window_strides", 0, int64_vector},
    {"padding", 1, int64_vector},
    {"lhs_dilation", 2, int64_vector},
    {"rhs_dilation", 3, int64_vector},
    {"window_reversal", 4, boolean_vector},
    {"input_batch_dimension", 5, int64},
    {"input_feature_dimension", 6, int64},
    {"input_spatial_dimensions", 7, int64_vector},
    {"kernel_input_feature_dimension", 8, int64},
    {"kernel_output_feature_dimension", 9, int64},
    {"kernel_spatial_dimensions", 10, int64_vector},
    {"output_batch_dimension", 11, int64},
    {"output_feature_dimension", 12, int64},
    {"output_spatial_dimensions", 13, int64_vector},
    {"feature_group_count", 14, int64},
    {"batch_group_count", 15, int64},
    {"precision_config", 16, enumeration32_vector, symbols::precision},
};

inline constexpr field_schema stablehlo_custom_call[] = {
    {"call_target_name", 0, text},
    {"has_side_effect", 1, boolean},
    {"backend_config", 2, text},
    {"api_version", 3, int32},
    {"called_computations", 4, subgraph_vector},
    {"custom_attributes", 5, uint8_vector},
};

inline constexpr field_schema stablehlo_reduce[] = {{"dimensions", 0, int64_vector}, {"body_subgraph_index", 1, subgraph}};

inline constexpr field_schema stablehlo_scatter[] = {
    {"indices_are_sorted", 0, boolean},
    {"update_window_dims", 1, int64_vector},
    {"inserted_window_dims", 2, int64_vector},
    {"scatter_dims_to_operand_dims", 3, int64_vector},
    {"index_vector_dim", 4, int64},
    {"unique_indices", 5, boolean},
    {"update_computation_subgraph_index", 6, subgraph},
};

inline constexpr field_schema stablehlo_compare[] = {
    {"comparison_direction", 0, enumeration32, symbols::comparison_direction},
    {"compare_type", 1, enumeration32, symbols::comparison_type},
};

inline constexpr field_schema stablehlo_dynamic_slice[] = {{"slice_sizes", 0, int64_vector}};

inline constexpr field_schema stablehlo_pad[] = {
    {"edge_padding_low", 0, int64_vector},
    {"edge_padding_high", 1, int64_vector},
    {"interior_padding", 2, int64_vector},
};

inline constexpr field_schema stablehlo_iota[] = {{"iota_dimension", 0, int64}};

inline constexpr field_schema stablehlo_dot_general[] = {
    {"lhs_batching_dimensions", 0, int64_vector},
    {"rhs_batching_dimensions", 1, int64_vector},
    {"lhs_contracting_dimensions", 2, int64_vector},
    {"rhs_contracting_dimensions", 3, int64_vector},
    {"precision_config", 4, enumeration32_vector, symbols::precision},
};

inline constexpr field_schema stablehlo_reduce_window[] = {
    {"window_dimensions", 0, int64_vector}, {"window_strides", 1, int64_vector}, {"base_dilations", 2, int64_vector},
    {"window_dilations", 3, int64_vector},  {"padding", 4, int64_vector},        {"body_subgraph_index", 5, subgraph},
};

inline constexpr field_schema stablehlo_sort[] = {
    {"dimension", 0, int64},
    {"is_stable", 1, boolean},
    {"comparator_subgraph_index", 2, subgraph},
};

inline constexpr field_schema stablehlo_while[] = {{"cond_subgraph_index", 0, subgraph}, {"body_subgraph_index", 1, subgraph}};

inline constexpr field_schema stablehlo_gather[] = {
    {"offset_dims", 0, int64_vector}, {"collapsed_slice_dims", 1, int64_vector}, {"start_index_map", 2, int64_vector},
    {"index_vector_dim", 3, int64},   {"slice_sizes", 4, int64_vector},          {"indices_are_sorted", 5, boolean},
};

inline constexpr field_schema stablehlo_transpose[] = {{"permutation", 0, int64_vector}};
inline constexpr field_schema stablehlo_rng_bit_generator[] = {{"algorithm", 0, enumeration8, symbols::rng_algorithm}};
inline constexpr field_schema reduce_window[] = {{"reduce_function", 0, enumeration32, symbols::reduce_window_function}};

inline constexpr field_schema stablehlo_composite[] = {
    {"name", 0, text},
    {"decomposition_subgraph_index", 1, subgraph},
    {"composite_attributes", 2, uint8_vector},
    {"composite_attributes_format", 3, enumeration8, symbols::custom_options_format},
    {"version", 4, int32},
};

inline constexpr field_schema stablehlo_case[] = {{"branch_subgraph_indices", 0, subgraph_vector}};

}  // namespace fields

}  // namespace baton::tflite

// ---- baton/import/tflite_reading.hpp

// What all parts of reading one TFLite model share: the bytes, the program that is being built, the first failure, and the budget.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace baton::tflite::detail {

/// The reading of one model. Mistakes are noted, the first one stands, and the reading goes on with something harmless to the end of the
/// tensor or operator, which says where.
///
/// Work and memory are bounded by the size of the file, though its tables may be shared: whatever is looked at or made is paid for from the
/// byte reader's budget of 16 units a byte, at the prices below. Honest files, which share vtables and little else, pay a small part of it.
class reading {
 public:
  static constexpr std::uint64_t price_of_record = 128;
  static constexpr std::uint64_t price_of_attribute = 64;
  /// Of an operand, an element of a list or a character that is copied; so no pool has more of them than the file has bytes.
  static constexpr std::uint64_t price_of_element = 16;

  constexpr explicit reading(std::span<const char> bytes) : reader(bytes), bytes_(bytes) {
    builder.draft().bytes.clear();  // the name that the builder gave the root graph, which gets its own
  }

  byte_reader reader;
  program_builder builder;
  failure why;

  template <class Rule, class... Parts>
  constexpr auto refuse(const Parts&... reason) -> bool {
    if (!why) why = broken<Rule>(reason...);
    return false;
  }
  /// Whether nothing is wrong so far; what the byte reader found is told with the place.
  template <class... Parts>
  constexpr auto all_is_well(const Parts&... place) -> bool {
    if (!reader.ok()) refuse<rule::damaged_model>(place...);
    return !why;
  }

  constexpr void pay_for_records(std::uint64_t count) { reader.spend(price_of_record * count); }
  constexpr void pay_for_attributes(std::uint64_t count) { reader.spend(price_of_attribute * count); }
  constexpr void pay_for_elements(std::uint64_t count) { reader.spend(price_of_element * count); }

  // Texts and bytes

  constexpr auto view(std::string_view text) -> byte_ref {
    if (text.size() > 0xffffffffu) refuse<rule::unsupported_model>("more than 4 GiB in one piece");
    return program_builder::view(text);
  }
  constexpr auto view(std::span<const char> bytes) -> byte_ref { return view(std::string_view{bytes.data(), bytes.size()}); }
  /// The elements of a vector of numbers as they stand in the file.
  template <class T>
  constexpr auto packed(const flatbuffer::vector<T>& elements) -> byte_ref {
    if (elements.empty()) return {};
    return view(bytes_.subspan(elements.position(), elements.size() * sizeof(T)));
  }
  /// The bytes at a place counted from the beginning of the file.
  constexpr auto piece(std::uint64_t at, std::uint64_t size) -> byte_ref {
    if (at > bytes_.size() || size > bytes_.size()) {
      reader.fail();
      return {};
    }
    return view(reader.view(static_cast<std::size_t>(at), static_cast<std::size_t>(size)));
  }
  constexpr auto own(const text_buffer& text) -> byte_ref {
    pay_for_elements(text.size());
    return builder.own(baton::view(text));
  }

  /// A stem and a number: `conv_2d_1`.
  constexpr auto own_numbered(byte_ref stem, std::uint32_t number) -> byte_ref {
    auto& pool = builder.draft().bytes;
    if (stem.outside == nullptr) return own(join(builder.draft().text(stem), "_", number));  // not from a pool into itself
    const auto first = pool.size();
    append(append(append(pool, builder.draft().text(stem)), "_"), std::int64_t{number});
    pay_for_elements(pool.size() - first);
    return {nullptr, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(pool.size() - first)};
  }

  // Lists

  /// Makes room for an ordinary root graph, which saves a constant a third of its steps. The rest grows as it comes, so that a file cannot
  /// ask for much by being large.
  constexpr void reserve(std::size_t tensors, std::size_t operations) {
    if (tensors > 1000 || operations > 1000) return;
    auto& pools = builder.draft();
    pools.values.reserve(tensors);
    pools.nodes.reserve(operations);
    pools.operands.reserve(6 * operations);
    pools.attributes.reserve(7 * operations);
    pools.integers.reserve(4 * tensors);
    pools.bytes.reserve(16 * operations);
  }

  template <class To, class From>
  constexpr auto copy_to(std::vector<To>& pool, const flatbuffer::vector<From>& elements) -> range {
    const range run{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(elements.size())};
    pay_for_elements(elements.size());
    if (!reader.ok()) return {};
    for (std::size_t i = 0; i < elements.size(); ++i) pool.push_back(static_cast<To>(elements[i]));
    return run;
  }
  template <class T>
  constexpr auto integers(const flatbuffer::vector<T>& elements) -> range {
    return copy_to(builder.draft().integers, elements);
  }
  constexpr auto reals(const flatbuffer::vector<float>& elements) -> range { return copy_to(builder.draft().reals, elements); }

 private:
  std::span<const char> bytes_;
};

}  // namespace baton::tflite::detail

// ---- baton/import/tflite_schema.hpp

// TFLite's builtin operators as data: code, name and options of each; and the dtypes of its tensors.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

namespace baton::tflite {

/// The union of the table Operator that holds an operator's options.
enum options_union : std::uint8_t { no_options, builtin_options, builtin_options_2 };

/// A builtin operator: its name (`tfl.` and the schema's name in lower case), its BuiltinOperator code, the union and the union type of
/// its options, and their fields. Where a file stores another union type (or none, as it may), TFLite takes all fields for absent.
struct operator_schema {
  literal_name name;
  std::int32_t code;
  options_union options = no_options;
  std::uint8_t options_type = 0;
  std::span<const field_schema> fields{};
};

/// The code whose operator is named by the text `OperatorCode.custom_code`.
inline constexpr std::int32_t custom_operator = 32;

/// Every builtin operator; its code is its index. Source: schema.fbs of LiteRT, version 3d, August 2026; the schema does not say which
/// options an operator has, so the pairs are those of TFLite's option_writer_generator and flatbuffer_conversions.
inline constexpr operator_schema operators[] = {
    {"tfl.add", 0, builtin_options, 11, fields::add},
    {"tfl.average_pool_2d", 1, builtin_options, 5, fields::pool_2d},
    {"tfl.concatenation", 2, builtin_options, 10, fields::concatenation},
    {"tfl.conv_2d", 3, builtin_options, 1, fields::conv_2d},
    {"tfl.depthwise_conv_2d", 4, builtin_options, 2, fields::depthwise_conv_2d},
    {"tfl.depth_to_space", 5, builtin_options, 94, fields::depth_to_space},
    {"tfl.dequantize", 6, builtin_options, 38},
    {"tfl.embedding_lookup", 7},
    {"tfl.floor", 8},
    {"tfl.fully_connected", 9, builtin_options, 8, fields::fully_connected},
    {"tfl.hashtable_lookup", 10},
    {"tfl.l2_normalization", 11, builtin_options, 12, fields::l2_norm},
    {"tfl.l2_pool_2d", 12, builtin_options, 5, fields::pool_2d},
    {"tfl.local_response_normalization", 13, builtin_options, 13, fields::local_response_normalization},
    {"tfl.logistic", 14},
    {"tfl.lsh_projection", 15, builtin_options, 4, fields::lsh_projection},
    {"tfl.lstm", 16, builtin_options, 14, fields::lstm},
    {"tfl.max_pool_2d", 17, builtin_options, 5, fields::pool_2d},
    {"tfl.mul", 18, builtin_options, 21, fields::mul},
    {"tfl.relu", 19},
    {"tfl.relu_n1_to_1", 20},
    {"tfl.relu6", 21},
    {"tfl.reshape", 22, builtin_options, 17, fields::reshape},
    {"tfl.resize_bilinear", 23, builtin_options, 15, fields::resize_bilinear},
    {"tfl.rnn", 24, builtin_options, 7, fields::rnn},
    {"tfl.softmax", 25, builtin_options, 9, fields::softmax},
    {"tfl.space_to_depth", 26, builtin_options, 19, fields::space_to_depth},
    {"tfl.svdf", 27, builtin_options, 6, fields::svdf},
    {"tfl.tanh", 28},
    {"tfl.concat_embeddings", 29, builtin_options, 3, fields::concat_embeddings},
    {"tfl.skip_gram", 30, builtin_options, 18, fields::skip_gram},
    {"tfl.call", 31, builtin_options, 16, fields::call},
    {"tfl.custom", 32},
    {"tfl.embedding_lookup_sparse", 33, builtin_options, 20, fields::embedding_lookup_sparse},
    {"tfl.pad", 34, builtin_options, 22},
    {"tfl.unidirectional_sequence_rnn", 35, builtin_options, 31, fields::sequence_rnn},
    {"tfl.gather", 36, builtin_options, 23, fields::gather},
    {"tfl.batch_to_space_nd", 37, builtin_options, 24},
    {"tfl.space_to_batch_nd", 38, builtin_options, 25},
    {"tfl.transpose", 39, builtin_options, 26},
    {"tfl.mean", 40, builtin_options, 27, fields::reducer},
    {"tfl.sub", 41, builtin_options, 28, fields::sub},
    {"tfl.div", 42, builtin_options, 29, fields::div},
    {"tfl.squeeze", 43, builtin_options, 30, fields::squeeze},
    {"tfl.unidirectional_sequence_lstm", 44, builtin_options, 71, fields::unidirectional_sequence_lstm},
    {"tfl.strided_slice", 45, builtin_options, 32, fields::strided_slice},
    {"tfl.bidirectional_sequence_rnn", 46, builtin_options, 70, fields::bidirectional_sequence_rnn},
    {"tfl.exp", 47, builtin_options, 33},
    {"tfl.topk_v2", 48, builtin_options, 34},
    {"tfl.split", 49, builtin_options, 35, fields::split},
    {"tfl.log_softmax", 50, builtin_options, 36},
    {"tfl.delegate", 51},
    {"tfl.bidirectional_sequence_lstm", 52, builtin_options, 69, fields::bidirectional_sequence_lstm},
    {"tfl.cast", 53, builtin_options, 37, fields::cast},
    {"tfl.prelu", 54},
    {"tfl.maximum", 55, builtin_options, 39},
    {"tfl.arg_max", 56, builtin_options, 40, fields::arg_max},
    {"tfl.minimum", 57, builtin_options, 39},
    {"tfl.less", 58, builtin_options, 41},
    {"tfl.neg", 59, builtin_options, 42},
    {"tfl.padv2", 60, builtin_options, 43},
    {"tfl.greater", 61, builtin_options, 44},
    {"tfl.greater_equal", 62, builtin_options, 45},
    {"tfl.less_equal", 63, builtin_options, 46},
    {"tfl.select", 64, builtin_options, 47},
    {"tfl.slice", 65, builtin_options, 48},
    {"tfl.sin", 66},
    {"tfl.transpose_conv", 67, builtin_options, 49, fields::transpose_conv},
    {"tfl.sparse_to_dense", 68, builtin_options, 50, fields::sparse_to_dense},
    {"tfl.tile", 69, builtin_options, 51},
    {"tfl.expand_dims", 70, builtin_options, 52},
    {"tfl.equal", 71, builtin_options, 53},
    {"tfl.not_equal", 72, builtin_options, 54},
    {"tfl.log", 73},
    {"tfl.sum", 74, builtin_options, 27, fields::reducer},
    {"tfl.sqrt", 75},
    {"tfl.rsqrt", 76},
    {"tfl.shape", 77, builtin_options, 55, fields::shape},
    {"tfl.pow", 78, builtin_options, 56},
    {"tfl.arg_min", 79, builtin_options, 57, fields::arg_min},
    {"tfl.fake_quant", 80, builtin_options, 58, fields::fake_quant},
    {"tfl.reduce_prod", 81, builtin_options, 27, fields::reducer},
    {"tfl.reduce_max", 82, builtin_options, 27, fields::reducer},
    {"tfl.pack", 83, builtin_options, 59, fields::pack},
    {"tfl.logical_or", 84, builtin_options, 60},
    {"tfl.one_hot", 85, builtin_options, 61, fields::one_hot},
    {"tfl.logical_and", 86, builtin_options, 62},
    {"tfl.logical_not", 87, builtin_options, 63},
    {"tfl.unpack", 88, builtin_options, 64, fields::unpack},
    {"tfl.reduce_min", 89, builtin_options, 27, fields::reducer},
    {"tfl.floor_div", 90, builtin_options, 65},
    {"tfl.reduce_any", 91, builtin_options, 27, fields::reducer},
    {"tfl.square", 92, builtin_options, 66},
    {"tfl.zeros_like", 93, builtin_options, 67},
    {"tfl.fill", 94, builtin_options, 68},
    {"tfl.floor_mod", 95, builtin_options, 72},
    {"tfl.range", 96, builtin_options, 73},
    {"tfl.resize_nearest_neighbor", 97, builtin_options, 74, fields::resize_nearest_neighbor},
    {"tfl.leaky_relu", 98, builtin_options, 75, fields::leaky_relu},
    {"tfl.squared_difference", 99, builtin_options, 76},
    {"tfl.mirror_pad", 100, builtin_options, 77, fields::mirror_pad},
    {"tfl.abs", 101, builtin_options, 78},
    {"tfl.split_v", 102, builtin_options, 79, fields::split_v},
    {"tfl.unique", 103, builtin_options, 80, fields::unique},
    {"tfl.ceil", 104},
    {"tfl.reverse_v2", 105, builtin_options, 81},
    {"tfl.add_n", 106, builtin_options, 82},
    {"tfl.gather_nd", 107, builtin_options, 83},
    {"tfl.cos", 108, builtin_options, 84},
    {"tfl.where", 109, builtin_options, 85},
    {"tfl.rank", 110, builtin_options, 86},
    {"tfl.elu", 111},
    {"tfl.reverse_sequence", 112, builtin_options, 87, fields::reverse_sequence},
    {"tfl.matrix_diag", 113, builtin_options, 88},
    {"tfl.quantize", 114, builtin_options, 89},
    {"tfl.matrix_set_diag", 115, builtin_options, 90},
    {"tfl.round", 116},
    {"tfl.hard_swish", 117, builtin_options, 91},
    {"tfl.if", 118, builtin_options, 92, fields::if_else},
    {"tfl.while", 119, builtin_options, 93, fields::while_loop},
    {"tfl.non_max_suppression_v4", 120, builtin_options, 95},
    {"tfl.non_max_suppression_v5", 121, builtin_options, 96},
    {"tfl.scatter_nd", 122, builtin_options, 97},
    {"tfl.select_v2", 123, builtin_options, 98},
    {"tfl.densify", 124, builtin_options, 99},
    {"tfl.segment_sum", 125, builtin_options, 100},
    {"tfl.batch_matmul", 126, builtin_options, 101, fields::batch_matmul},
    {"tfl.placeholder_for_greater_op_codes", 127},
    {"tfl.cumsum", 128, builtin_options, 102, fields::cumsum},
    {"tfl.call_once", 129, builtin_options, 103, fields::call_once},
    {"tfl.broadcast_to", 130, builtin_options, 104},
    {"tfl.rfft2d", 131, builtin_options, 105},
    {"tfl.conv_3d", 132, builtin_options, 106, fields::conv_3d},
    {"tfl.imag", 133},
    {"tfl.real", 134},
    {"tfl.complex_abs", 135},
    {"tfl.hashtable", 136, builtin_options, 107, fields::hashtable},
    {"tfl.hashtable_find", 137, builtin_options, 108},
    {"tfl.hashtable_import", 138, builtin_options, 109},
    {"tfl.hashtable_size", 139, builtin_options, 110},
    {"tfl.reduce_all", 140, builtin_options, 27, fields::reducer},
    {"tfl.conv_3d_transpose", 141, builtin_options, 106, fields::conv_3d},
    {"tfl.var_handle", 142, builtin_options, 111, fields::var_handle},
    {"tfl.read_variable", 143, builtin_options, 112},
    {"tfl.assign_variable", 144, builtin_options, 113},
    {"tfl.broadcast_args", 145},
    {"tfl.random_standard_normal", 146, builtin_options, 114, fields::random},
    {"tfl.bucketize", 147, builtin_options, 115, fields::bucketize},
    {"tfl.random_uniform", 148, builtin_options, 114, fields::random},
    {"tfl.multinomial", 149, builtin_options, 114, fields::random},
    {"tfl.gelu", 150, builtin_options, 116, fields::gelu},
    {"tfl.dynamic_update_slice", 151, builtin_options, 117},
    {"tfl.relu_0_to_1", 152},
    {"tfl.unsorted_segment_prod", 153, builtin_options, 118},
    {"tfl.unsorted_segment_max", 154, builtin_options, 119},
    {"tfl.unsorted_segment_sum", 155, builtin_options, 121},
    {"tfl.atan2", 156, builtin_options, 122},
    {"tfl.unsorted_segment_min", 157, builtin_options, 120},
    {"tfl.sign", 158, builtin_options, 123},
    {"tfl.bitcast", 159, builtin_options, 124},
    {"tfl.bitwise_xor", 160, builtin_options, 125},
    {"tfl.right_shift", 161, builtin_options, 126},
    {"tfl.stablehlo_logistic", 162},
    {"tfl.stablehlo_add", 163},
    {"tfl.stablehlo_divide", 164},
    {"tfl.stablehlo_multiply", 165},
    {"tfl.stablehlo_maximum", 166},
    {"tfl.stablehlo_reshape", 167},
    {"tfl.stablehlo_clamp", 168},
    {"tfl.stablehlo_concatenate", 169, builtin_options_2, 1, fields::stablehlo_concatenate},
    {"tfl.stablehlo_broadcast_in_dim", 170, builtin_options_2, 2, fields::stablehlo_broadcast_in_dim},
    {"tfl.stablehlo_convolution", 171, builtin_options_2, 4, fields::stablehlo_convolution},
    {"tfl.stablehlo_slice", 172, builtin_options_2, 3, fields::stablehlo_slice},
    {"tfl.stablehlo_custom_call", 173, builtin_options_2, 5, fields::stablehlo_custom_call},
    {"tfl.stablehlo_reduce", 174, builtin_options_2, 6, fields::stablehlo_reduce},
    {"tfl.stablehlo_abs", 175},
    {"tfl.stablehlo_and", 176},
    {"tfl.stablehlo_cosine", 177},
    {"tfl.stablehlo_exponential", 178},
    {"tfl.stablehlo_floor", 179},
    {"tfl.stablehlo_log", 180},
    {"tfl.stablehlo_minimum", 181},
    {"tfl.stablehlo_negate", 182},
    {"tfl.stablehlo_or", 183},
    {"tfl.stablehlo_power", 184},
    {"tfl.stablehlo_remainder", 185},
    {"tfl.stablehlo_rsqrt", 186},
    {"tfl.stablehlo_select", 187},
    {"tfl.stablehlo_subtract", 188},
    {"tfl.stablehlo_tanh", 189},
    {"tfl.stablehlo_scatter", 190, builtin_options_2, 7, fields::stablehlo_scatter},
    {"tfl.stablehlo_compare", 191, builtin_options_2, 8, fields::stablehlo_compare},
    {"tfl.stablehlo_convert", 192},
    {"tfl.stablehlo_dynamic_slice", 193, builtin_options_2, 9, fields::stablehlo_dynamic_slice},
    {"tfl.stablehlo_dynamic_update_slice", 194},
    {"tfl.stablehlo_pad", 195, builtin_options_2, 10, fields::stablehlo_pad},
    {"tfl.stablehlo_iota", 196, builtin_options_2, 11, fields::stablehlo_iota},
    {"tfl.stablehlo_dot_general", 197, builtin_options_2, 12, fields::stablehlo_dot_general},
    {"tfl.stablehlo_reduce_window", 198, builtin_options_2, 13, fields::stablehlo_reduce_window},
    {"tfl.stablehlo_sort", 199, builtin_options_2, 14, fields::stablehlo_sort},
    {"tfl.stablehlo_while", 200, builtin_options_2, 15, fields::stablehlo_while},
    {"tfl.stablehlo_gather", 201, builtin_options_2, 16, fields::stablehlo_gather},
    {"tfl.stablehlo_transpose", 202, builtin_options_2, 17, fields::stablehlo_transpose},
    {"tfl.dilate", 203, builtin_options_2, 18},
    {"tfl.stablehlo_rng_bit_generator", 204, builtin_options_2, 19, fields::stablehlo_rng_bit_generator},
    {"tfl.reduce_window", 205, builtin_options_2, 20, fields::reduce_window},
    {"tfl.stablehlo_composite", 206, builtin_options_2, 21, fields::stablehlo_composite},
    {"tfl.stablehlo_shift_left", 207, builtin_options_2, 22},
    {"tfl.stablehlo_cbrt", 208},
    {"tfl.stablehlo_case", 209, builtin_options_2, 23, fields::stablehlo_case},
};

/// The builtin operator with this code, null when the schema has none.
constexpr auto find_operator(std::int32_t code) -> const operator_schema* {
  return code >= 0 && static_cast<std::size_t>(code) < std::size(operators) ? &operators[code] : nullptr;
}

/// The dtypes of TFLite's tensors by their TensorType; `facts(dtype).name` is the name.
inline constexpr dtype tensor_types[] = {dtype::float32, dtype::float16,     dtype::int32,      dtype::uint8,     dtype::int64,
                                         dtype::text,    dtype::boolean,     dtype::int16,      dtype::complex64, dtype::int8,
                                         dtype::float64, dtype::complex128,  dtype::uint64,     dtype::resource,  dtype::variant,
                                         dtype::uint32,  dtype::uint16,      dtype::int4,       dtype::bfloat16,  dtype::int2,
                                         dtype::uint4,   dtype::float8_e4m3, dtype::float8_e5m2};

/// The dtype of a TensorType, null when the schema has none.
constexpr auto find_tensor_type(std::int32_t code) -> const dtype* {
  return code >= 0 && static_cast<std::size_t>(code) < std::size(tensor_types) ? &tensor_types[code] : nullptr;
}

}  // namespace baton::tflite

// ---- baton/import/tflite_slots.hpp

// TFLite's structure: the vtable slots of every table of a model but the operators' options.

#include <cstdint>
#include <string_view>

namespace baton::tflite {

/// The identifier of a TFLite file, at its byte 4.
inline constexpr std::string_view file_identifier = "TFL3";

/// The version that `Model.version` must state.
inline constexpr std::uint32_t schema_version = 3;

/// The vtable slots of a table's fields, as `flatbuffer::table` takes them: `table.text(slot::tensor::name)`. A union stands as its
/// type and, one slot on, its table (source: schema.fbs of LiteRT, version 3d, August 2026; deprecated fields are left out).
namespace slot {

/// The root table.
struct model {
  enum : std::uint16_t {
    version,
    operator_codes,
    subgraphs,
    description,
    buffers,
    metadata_buffer,
    metadata,
    signature_defs,
    external_buffer_groups,
    external_buffers
  };
};

/// Which operator: the greater of the two codes (`deprecated_builtin_code`, a signed byte, stops at 127; `builtin_code` is an int32 and
/// missing in old files). `version` is 1 by default.
struct operator_code {
  enum : std::uint16_t { deprecated_builtin_code, custom_code, version, builtin_code };
};

/// A graph; subgraph 0 is the main one.
struct subgraph {
  enum : std::uint16_t { tensors, inputs, outputs, operators, name, debug_metadata_index };
};

/// A tensor. `buffer` 0 (a uint32): no data. `shape_signature` has -1 for unknown sizes. `external_buffer` (a uint32): 0, or the `id` of an
/// ExternalBuffer.
struct tensor {
  enum : std::uint16_t {
    shape,
    type,
    buffer,
    name,
    quantization,
    is_variable,
    sparsity,
    shape_signature,
    has_rank,
    variant_tensors,
    external_buffer
  };
};

/// The tensors within a variant.
struct variant_sub_type {
  enum : std::uint16_t { shape, type, has_rank };
};

/// real = scale * (stored - zero_point); scales are floats, zero points int64.
struct quantization_parameters {
  enum : std::uint16_t { min, max, scale, zero_point, details_type, details, quantized_dimension };
};

struct custom_quantization {
  enum : std::uint16_t { custom };
};

/// Scales and zero points are indices of tensors of the subgraph; a zero point of -1: none.
struct blockwise_quantization {
  enum : std::uint16_t { scales, zero_points, block_size };
};

/// The same over several dimensions; a block size of 0: a scale a channel.
struct multi_axis_quantization {
  enum : std::uint16_t { scales, zero_points, block_size, quantized_dimensions };
};

/// A sparse tensor.
struct sparsity_parameters {
  enum : std::uint16_t { traversal_order, block_map, dim_metadata };
};

/// A dimension of a sparse tensor. `format` 0: dense, 1: compressed sparse rows.
struct dimension_metadata {
  enum : std::uint16_t { format, dense_size, array_segments_type, array_segments, array_indices_type, array_indices };
};

/// The members of the union SparseIndexVector: int32 (type 1), uint16 (2) or uint8 (3).
struct sparse_index_vector {
  enum : std::uint16_t { values };
};

/// The table Operator. Inputs of -1 are left out. `large_custom_options_offset` counts from the beginning of the file and holds if above 1;
/// `debug_metadata_index` is -1 by default.
struct operation {
  enum : std::uint16_t {
    opcode_index,
    inputs,
    outputs,
    builtin_options_type,
    builtin_options,
    custom_options,
    custom_options_format,
    mutating_variable_inputs,
    intermediates,
    large_custom_options_offset,
    large_custom_options_size,
    builtin_options_2_type,
    builtin_options_2,
    debug_metadata_index
  };
};

/// Bytes of a constant. `offset` (a uint64) counts from the beginning of the file, outside the FlatBuffer, and holds if above 1.
struct buffer {
  enum : std::uint16_t { data, offset, size };
};

/// A file with constants.
struct external_buffer_group {
  enum : std::uint16_t { name };
};

/// A piece of such a file: `group` is the index of the file, offset and length are uint64.
struct external_buffer {
  enum : std::uint16_t { id, group, offset, length, packing };
};

/// Named bytes: `buffer` is the index of a buffer.
struct metadata {
  enum : std::uint16_t { name, buffer };
};

/// An entry point by name.
struct signature_def {
  enum : std::uint16_t { inputs, outputs, signature_key, subgraph_index = 4 };
};

/// The name of an input or output within a signature.
struct tensor_map {
  enum : std::uint16_t { name, tensor_index };
};

}  // namespace slot

/// The types of the union QuantizationDetails.
enum class quantization_details : std::uint8_t { none, custom, blockwise, multi_axis };

}  // namespace baton::tflite

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace baton::tflite::detail {

/// Gives attributes and subgraphs to the latest node of the program that is being built.
class attribute_reader {
 public:
  using table = flatbuffer::table;

  constexpr explicit attribute_reader(reading& to) : to_(to) {}

  /// Of an operator in the table `Operator`; no schema: it is custom, or younger than the table of operators.
  constexpr void read(const operator_schema* schema, bool is_custom, const table& stored) {
    if (schema == nullptr && !is_custom) add_raw_options(stored);
    if (schema != nullptr && !schema->fields.empty()) add_fields(*schema, stored);
    if (is_custom || stored.field(slot::operation::custom_options) != 0) add_custom_options(stored);
  }

 private:
  constexpr void add_custom_options(const table& stored) {
    const auto at = stored.scalar<std::uint64_t>(slot::operation::large_custom_options_offset);
    add_bytes("custom_options", at > 1 ? to_.piece(at, stored.scalar<std::uint64_t>(slot::operation::large_custom_options_size))
                                       : to_.view(stored.bytes(slot::operation::custom_options)));
  }

  /// The options of an operator that has no schema: the type of the union, the table's own bytes, and its place in the file, at which
  /// `flatbuffer::table` opens it.
  constexpr void add_raw_options(const table& stored) {
    auto options = stored.member(slot::operation::builtin_options_type);
    if (!options.value) options = stored.member(slot::operation::builtin_options_2_type);
    add_integer("builtin_options_type", options.type);
    add_integer("builtin_options_position", static_cast<std::int64_t>(options.value.position()));
    add_bytes("builtin_options", options.value ? to_.view(options.value.own_bytes()) : byte_ref{});
  }

  constexpr void add_fields(const operator_schema& schema, const table& stored) {
    auto options =
        stored.member(schema.options == builtin_options ? slot::operation::builtin_options_type : slot::operation::builtin_options_2_type);
    if (options.type != schema.options_type) options.value = {};
    to_.pay_for_attributes(schema.fields.size());
    subgraphs_.clear();
    for (const auto& field : schema.fields) add_field(field, options.value);
    if (!subgraphs_.empty()) to_.builder.set_subgraphs(subgraphs_);
  }

  constexpr void add_field(const field_schema& field, const table& options) {
    attribute literal{.name = program_builder::view(field.name.text), .key = field.name.hash};
    const auto absent = static_cast<std::int32_t>(field.default_value);
    switch (field.type) {
      case field_type::boolean:
        literal.kind = attribute_kind::boolean;
        literal.integer = options.scalar<bool>(field.slot, field.default_value != 0) ? 1 : 0;
        break;
      case field_type::int32:
        literal.integer = options.scalar<std::int32_t>(field.slot, absent);
        break;
      case field_type::int64:
        literal.integer = options.scalar<std::int64_t>(field.slot, field.default_value);
        break;
      case field_type::float32:
        literal.kind = attribute_kind::real;
        literal.real = static_cast<double>(options.scalar<float>(field.slot));
        break;
      case field_type::enumeration8:
      case field_type::enumeration32:
      case field_type::tensor_type:
        literal.kind = attribute_kind::text;
        literal.bytes = program_builder::view(symbol_of(field, code_of(field, options)));
        break;
      case field_type::subgraph:
        return add_subgraph(options.scalar<std::int32_t>(field.slot, absent));
      case field_type::subgraph_vector:
        return add_subgraphs(options.elements<std::int32_t>(field.slot));
      default:
        fill_list(literal, field, options);
    }
    to_.builder.add_attribute(literal);
  }

  constexpr void fill_list(attribute& literal, const field_schema& field, const table& options) {
    literal.kind = attribute_kind::integers;
    switch (field.type) {
      case field_type::boolean_vector:
        literal.list = to_.integers(options.elements<bool>(field.slot));
        break;
      case field_type::int32_vector:
        literal.list = to_.integers(options.elements<std::int32_t>(field.slot));
        break;
      case field_type::int64_vector:
        literal.list = to_.integers(options.elements<std::int64_t>(field.slot));
        break;
      case field_type::float32_vector:
        literal.kind = attribute_kind::reals;
        literal.list = to_.reals(options.elements<float>(field.slot));
        break;
      case field_type::enumeration32_vector:
        literal.kind = attribute_kind::text;
        literal.bytes = symbols_of(field, options.elements<std::int32_t>(field.slot));
        break;
      case field_type::uint8_vector:
        literal.kind = attribute_kind::bytes;
        literal.bytes = to_.view(options.bytes(field.slot));
        break;
      default:
        literal.kind = attribute_kind::text;
        literal.bytes = to_.view(options.text(field.slot));
    }
  }

  constexpr void add_integer(literal_name name, std::int64_t number) {
    to_.builder.add_attribute({.name = program_builder::view(name.text), .key = name.hash, .integer = number});
  }
  constexpr void add_bytes(literal_name name, byte_ref bytes) {
    to_.builder.add_attribute({.name = program_builder::view(name.text), .key = name.hash, .kind = attribute_kind::bytes, .bytes = bytes});
  }

  static constexpr auto code_of(const field_schema& field, const table& options) -> std::int32_t {
    const auto absent = static_cast<std::int32_t>(field.default_value);
    if (field.type == field_type::enumeration32) return options.scalar<std::int32_t>(field.slot, absent);
    return options.scalar<std::int8_t>(field.slot, static_cast<std::int8_t>(absent));
  }
  constexpr auto symbol_of(const field_schema& field, std::int32_t code) -> std::string_view {
    if (field.type == field_type::tensor_type) {
      if (const auto* type = find_tensor_type(code)) return facts(*type).name;
    } else if (code >= 0 && static_cast<std::size_t>(code) < field.symbols.size()) {
      return field.symbols[static_cast<std::size_t>(code)];
    }
    to_.refuse<rule::unsupported_model>("the field ", field.name.text, " has the unknown value ", code);
    return {};
  }
  /// The symbols of a vector of them, with commas between.
  constexpr auto symbols_of(const field_schema& field, const flatbuffer::vector<std::int32_t>& codes) -> byte_ref {
    text_buffer text;
    for (std::size_t i = 0; i < codes.size() && !to_.why; ++i) append(append(text, i == 0 ? "" : ","), symbol_of(field, codes[i]));
    return to_.own(text);
  }

  constexpr void add_subgraph(std::int32_t number) {
    if (number < 0 || static_cast<std::size_t>(number) >= to_.builder.draft().graphs.size()) {
      to_.refuse<rule::damaged_model>("there is no graph ", number);
    } else {
      subgraphs_.push_back(static_cast<graph_id>(number));
    }
  }
  constexpr void add_subgraphs(const flatbuffer::vector<std::int32_t>& numbers) {
    to_.pay_for_elements(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) add_subgraph(numbers[i]);
  }

  reading& to_;
  std::vector<graph_id> subgraphs_;
};

}  // namespace baton::tflite::detail

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::tflite {

namespace detail {

/// What an entry of a model's table of operator codes stands for, and how often the graph that is being read has used it.
struct operator_entry {
  const operator_schema* schema = nullptr;  ///< null: a custom operator, or one that is younger than the table of operators
  bool is_custom = false;
  byte_ref target{};
  std::uint64_t op = 0;
  byte_ref stem{};          ///< the name of the first such node of a graph
  std::uint32_t first = 0;  ///< the first entry with the same operator, which counts for all
  graph_id graph = none<graph_id>;
  std::uint32_t uses = 0;
};

/// Reads one model; a number in an error is the index of a tensor, operator or graph in the file.
class model_reader {
 public:
  constexpr explicit model_reader(std::span<const char> bytes) : to_(bytes), attributes_(to_) {}
  model_reader(const model_reader&) = delete;  // its parts refer to one another
  auto operator=(const model_reader&) -> model_reader& = delete;

  constexpr auto run() -> result<exported_program> {
    if (!read_model()) return std::move(to_.why);
    auto program = to_.builder.finish();
    if (auto why = verify(program)) return why;
    return program;
  }

 private:
  using table = flatbuffer::table;

  enum class role : std::uint8_t { user_input, operand, result };

  constexpr auto read_model() -> bool {
    if (!flatbuffer::has_identifier(to_.reader, file_identifier)) return to_.refuse<rule::foreign_file>();
    const auto model = flatbuffer::root(to_.reader);
    const auto version = model.scalar<std::uint32_t>(slot::model::version);
    buffers_ = model.elements<table>(slot::model::buffers);
    const auto codes = model.elements<table>(slot::model::operator_codes);
    const auto graphs = model.elements<table>(slot::model::subgraphs);
    if (!to_.all_is_well("its root table")) return false;
    if (version != schema_version) return to_.refuse<rule::unsupported_model>("version ", version, " of the format");
    if (graphs.empty()) return to_.refuse<rule::damaged_model>("there is no graph");
    for (std::size_t i = 0; i < codes.size(); ++i) {
      add_operator(codes[i]);
      if (!to_.all_is_well("operator code ", i)) return false;
    }
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      add_graph(graphs[g], g);
      if (!to_.all_is_well("graph ", g)) return false;
    }
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      to_.builder.enter(static_cast<graph_id>(g));
      if (!read_graph(graphs[g])) return false;
    }
    return true;
  }

  // Operators

  constexpr void add_operator(const table& stored) {
    const auto old_code = std::int32_t{stored.scalar<std::int8_t>(slot::operator_code::deprecated_builtin_code)};
    const auto new_code = stored.scalar<std::int32_t>(slot::operator_code::builtin_code);
    const auto code = new_code > old_code ? new_code : old_code;
    to_.pay_for_records(1);
    auto entry = operator_entry{.first = static_cast<std::uint32_t>(operators_.size())};
    if (code == custom_operator) {
      entry.is_custom = true;
      name_operator(entry, join(prefix, "custom.", stored.text(slot::operator_code::custom_code)));
    } else if (const auto* schema = find_operator(code)) {
      entry.schema = schema;
      entry.target = program_builder::view(schema->name.text);
      entry.op = schema->name.hash;
      entry.stem = program_builder::view(schema->name.text.substr(prefix.size()));
      auto& first = first_of_[static_cast<std::size_t>(code)];
      if (first == 0) first = entry.first + 1;
      entry.first = first - 1;
    } else {
      name_operator(entry, join(prefix, "builtin_", code));
    }
    operators_.push_back(entry);
  }

  /// Names an operator that has no schema.
  constexpr void name_operator(operator_entry& entry, text_buffer name) {
    entry.target = to_.own(name);
    entry.op = hash_of(baton::view(name));
    for (auto& c : name) c = c == '.' ? '_' : c;
    entry.stem = to_.own(name);
    constexpr auto skipped = static_cast<std::uint32_t>(prefix.size());
    entry.stem.first += skipped;
    entry.stem.size -= skipped;
    to_.reader.spend(unlisted_.size());
    for (const auto earlier : unlisted_) {
      if (operators_[earlier].op == entry.op) entry.first = earlier;
    }
    if (entry.first == operators_.size()) unlisted_.push_back(entry.first);
  }

  /// The name of one more node of an operator: `conv_2d`, `conv_2d_1`, ...
  constexpr auto name_of_node(const operator_entry& entry) -> byte_ref {
    auto& first = operators_[entry.first];
    if (first.graph != to_.builder.current()) {
      first.graph = to_.builder.current();
      first.uses = 0;
    }
    const auto earlier = first.uses++;
    return earlier == 0 ? entry.stem : to_.own_numbered(entry.stem, earlier);
  }

  // Graphs

  constexpr void add_graph(const table& stored, std::size_t g) {
    to_.pay_for_records(1);
    if (g != 0) to_.builder.add_graph({});
    const auto stored_name = stored.text(slot::subgraph::name);
    auto& name = to_.builder.draft().graphs.back().name;
    if (!stored_name.empty()) {
      name = to_.view(stored_name);
    } else if (g == 0) {
      name = program_builder::view("main");
    } else {
      name = to_.own(join("subgraph_", g));
    }
  }

  constexpr auto read_graph(const table& stored) -> bool {
    tensors_ = stored.elements<table>(slot::subgraph::tensors);
    const auto inputs = stored.elements<std::int32_t>(slot::subgraph::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::subgraph::outputs);
    const auto operations = stored.elements<table>(slot::subgraph::operators);
    values_.assign(tensors_.size(), none<value_id>);
    if (index(to_.builder.current()) == 0) to_.reserve(tensors_.size(), operations.size());
    to_.pay_for_elements(inputs.size() + outputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) find_value(inputs[i], role::user_input);
    if (!to_.all_is_well("the inputs of graph ", index(to_.builder.current()))) return false;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!read_operation(operations[i], i)) return false;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) to_.builder.output(find_value(outputs[i], role::operand));
    if (!to_.all_is_well("the outputs of graph ", index(to_.builder.current()))) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) to_.builder.add_input(find_value(inputs[i], role::user_input));
    return true;
  }

  // Values: a tensor becomes one where it is first met; one that nobody uses never does.

  constexpr auto find_value(std::int32_t tensor, role as) -> value_id {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= values_.size()) {
      to_.refuse<rule::damaged_model>("there is no tensor ", tensor);
      return none<value_id>;
    }
    auto& id = values_[static_cast<std::size_t>(tensor)];
    if (id == none<value_id>) id = add_value(static_cast<std::size_t>(tensor), as);
    return id;
  }

  constexpr auto add_value(std::size_t tensor, role as) -> value_id {
    const auto stored = tensors_[tensor];
    auto record = read_value(stored, tensor);
    if (as == role::user_input) {
      record.kind = value_kind::user_input;
      return to_.builder.add_value(record);  // `read_graph` makes it an input after all owned data
    }
    record.data = data_of(stored);
    if (record.data.size != 0 || (as == role::operand && is_empty(record))) {
      record.kind = value_kind::constant;
    } else if (stored.scalar<bool>(slot::tensor::is_variable)) {
      record.kind = value_kind::mutable_buffer;
    } else if (as == role::operand && to_.all_is_well("tensor ", tensor)) {
      to_.refuse<rule::damaged_model>("tensor ", tensor, " is used before it is made");
    }
    if (!to_.all_is_well("tensor ", tensor)) return none<value_id>;
    if (record.kind == value_kind::intermediate) return to_.builder.add_value(record);
    record.target = record.name;
    return to_.builder.add_input(record);
  }

  /// What is alike for tensors of all kinds.
  constexpr auto read_value(const table& stored, std::size_t tensor) -> value {
    to_.pay_for_records(1);
    value record;
    const auto name = stored.text(slot::tensor::name);
    if (name.empty()) {
      record.name = to_.own(join("tensor_", tensor));
    } else {
      record.name = to_.view(name);
    }
    if (const auto* type = find_tensor_type(stored.scalar<std::int8_t>(slot::tensor::type))) {
      record.type = *type;
    } else {
      to_.refuse<rule::unsupported_model>("tensor ", tensor, " has an unknown type");
    }
    record.shape = to_.integers(stored.elements<std::int32_t>(slot::tensor::shape));
    if (const auto quant = stored.child(slot::tensor::quantization)) record.quant = read_quantization(quant, tensor);
    if (record.shape.size == 1) record.quant.axis = 0;  // old converters note the axis of the weights at a bias, too
    if (stored.field(slot::tensor::sparsity) != 0) to_.refuse<rule::unsupported_model>("tensor ", tensor, " is sparse");
    return record;
  }

  constexpr auto read_quantization(const table& stored, std::size_t tensor) -> quantization {
    using field = slot::quantization_parameters;
    if (stored.scalar<std::uint8_t>(field::details_type) != 0) {
      to_.refuse<rule::unsupported_model>("tensor ", tensor, " is quantized by more than scales and zero points");
    }
    const auto scales = stored.elements<float>(field::scale);
    if (scales.empty()) return {};
    return {to_.packed(scales), to_.packed(stored.elements<std::int64_t>(field::zero_point)), static_cast<std::uint32_t>(scales.size()),
            stored.scalar<std::int32_t>(field::quantized_dimension)};
  }

  constexpr auto data_of(const table& stored) -> byte_ref {
    if (stored.scalar<std::uint32_t>(slot::tensor::external_buffer) != 0) {
      to_.refuse<rule::unsupported_model>("a tensor has its data in another file");
    }
    const auto number = stored.scalar<std::uint32_t>(slot::tensor::buffer);
    if (number == 0) return {};
    const auto buffer = buffers_[number];
    const auto at = buffer.scalar<std::uint64_t>(slot::buffer::offset);
    if (at > 1) return to_.piece(at, buffer.scalar<std::uint64_t>(slot::buffer::size));
    return to_.view(buffer.bytes(slot::buffer::data));
  }

  /// Whether a value has no elements, so that a constant needs no data: the shape that makes a scalar, for one.
  constexpr auto is_empty(const value& record) -> bool { return element_count(to_.builder.draft().integer_list(record.shape)) == 0; }

  // Nodes

  constexpr auto read_operation(const table& stored, std::size_t place) -> bool {
    const auto code = stored.scalar<std::uint32_t>(slot::operation::opcode_index);
    if (!to_.all_is_well("operator ", place)) return false;
    if (code >= operators_.size()) return to_.refuse<rule::damaged_model>("operator ", place, ": there is no operator code ", code);
    const auto& entry = operators_[code];
    add_node({.name = name_of_node(entry), .target = entry.target, .op = entry.op, .debug_handle = ++handles_}, stored);
    attributes_.read(entry.schema, entry.is_custom, stored);
    if (to_.all_is_well("its table in the file")) return true;
    const auto& program = to_.builder.draft();
    to_.why = locate(std::move(to_.why), program, static_cast<node_id>(program.nodes.size() - 1));
    return false;
  }

  constexpr void add_node(const node& record, const table& stored) {
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    to_.pay_for_records(1);
    to_.pay_for_elements(inputs.size() + outputs.size());
    auto& operands = to_.builder.draft().operands;
    const auto first = static_cast<std::uint32_t>(operands.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      operands.push_back(inputs[i] == -1 ? none<value_id> : find_value(inputs[i], role::operand));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) operands.push_back(find_value(outputs[i], role::result));
    const auto middle = first + static_cast<std::uint32_t>(inputs.size());
    to_.builder.add_node(record, {}, {});
    to_.builder.latest_node().inputs = {first, middle - first};
    to_.builder.latest_node().outputs = {middle, static_cast<std::uint32_t>(outputs.size())};
  }

  static constexpr std::string_view prefix = "tfl.";

  reading to_;
  attribute_reader attributes_;
  std::uint32_t handles_ = 0;
  flatbuffer::vector<table> buffers_;
  std::vector<operator_entry> operators_;
  std::array<std::uint32_t, std::size(operators)> first_of_{};  // by builtin code: 1 + its first entry
  std::vector<std::uint32_t> unlisted_;                         // the first entry of each operator that has no schema
  // Of the graph that is being read:
  flatbuffer::vector<table> tensors_;
  std::vector<value_id> values_;  // by tensor
};

}  // namespace detail

/// The importer of TensorFlow Lite models, as others see it.
///
/// Each subgraph becomes a graph, subgraph 0 the root. A tensor with data becomes a constant, a variable tensor a mutable buffer, both
/// named after the tensor; operators write variable tensors in place, so no mutations are listed. A builtin operator becomes `tfl.conv_2d`
/// and the like, with every field of its options as an attribute, enumerations as text (several with commas between); subgraphs that the
/// options name become the node's. A custom operator becomes `tfl.custom.<its code>` with the bytes `custom_options`; a builtin one that is
/// younger than `operators` becomes `tfl.builtin_<its number>` with `builtin_options_type`, `builtin_options_position` and the bytes
/// `builtin_options`.
///
/// Names, weights, scales and zero points are views into the bytes, at any alignment, so the bytes must outlive the program.
/// Rules: `foreign_file`, `damaged_model`, `unsupported_model` (sparse tensors, data in other files, blockwise quantization, an unknown
/// type or symbol), and those of `verify`.
struct importer {
  static constexpr std::string_view format = "TensorFlow Lite";
  static constexpr auto recognizes(std::span<const char> bytes) -> bool {
    byte_reader reader{bytes};
    return flatbuffer::has_identifier(reader, file_identifier);
  }
  static constexpr auto read(std::span<const char> bytes) -> result<exported_program> { return detail::model_reader(bytes).run(); }
};
static_assert(baton::importer<importer>);

/// The program of a model, or the rule that it breaks.
constexpr auto try_read_bytes(std::span<const char> bytes) -> result<exported_program> { return importer::read(bytes); }

/// The program of a model; a broken rule is raised.
constexpr auto read_bytes(std::span<const char> bytes) -> exported_program { return value_or_raise(importer::read(bytes)); }

/// The program of an embedded model, made by the compiler: `constexpr auto model = baton::tflite::read<keyword_tflite>;`.
template <const auto& Bytes>
inline constexpr static_program<read_embedded<importer, Bytes>> read{};

}  // namespace baton::tflite

// ---- baton/partition/by_support.hpp

// The canonical partitioner: the largest parts of supported nodes that form no cycle.

// ---- baton/partition/operator_support.hpp

// Operator support: which nodes a backend can take, said by small types that combine.

#include <concepts>

namespace baton {

namespace archetypes {

/// The smallest operator support: it takes nothing.
struct operator_support {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse(); }
};

}  // namespace archetypes

/// An operator support says of a node whether a backend can take it, and if not, why.
/// Laws: the answer depends on the node alone, never on other answers. Models: `operators`, `any_of`, `all_of`, `not_of`, every kernel.
template <class T>
concept operator_support = requires(const program_view& program, const node& candidate) {
  { T::supports(program, candidate) } -> std::same_as<verdict>;
};
static_assert(operator_support<archetypes::operator_support>);

/// Supports the operators of these names: `operators<"tfl.conv_2d", "tfl.add">`.
template <fixed_string... Names>
struct operators {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict {
    if (((candidate.op == hash<Names>) || ...)) return accept();
    return refuse("the operator is not in the list");
  }

 private:
  template <fixed_string Name>
  static constexpr std::uint64_t hash = hash_of(Name);
};

/// Supports what one of its members supports, asked from left to right; no members support nothing.
template <operator_support... Members>
struct any_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse();
    static_cast<void>(((answer = Members::supports(program, candidate), answer.accepted) || ...));
    return answer;
  }
};

/// Supports what all of its members support, asked from left to right; no members support everything.
template <operator_support... Members>
struct all_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = accept();
    static_cast<void>(((answer = Members::supports(program, candidate), answer.accepted) && ...));
    return answer;
  }
};

/// Supports what its member does not.
template <operator_support Member>
struct not_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (Member::supports(program, candidate)) return refuse("the operator is excluded");
    return accept();
  }
};

}  // namespace baton

// ---- baton/partition/partitioner.hpp

// The partitioner concept: what looks at a program and tags the nodes that a backend shall take.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

/// A key and a value for a backend's `preprocess`; opaque to Baton, order and duplicates kept.
struct compile_spec {
  text_buffer key;
  text_buffer value;

  constexpr compile_spec(std::string_view key_text, std::string_view value_bytes) : key(join(key_text)), value(join(value_bytes)) {}
};
using compile_specs = std::vector<compile_spec>;

/// What a tag stands for: a backend, by id, and the compile specs that it is given.
struct delegation_spec {
  text_buffer backend_id;
  baton::compile_specs compile_specs;

  constexpr explicit delegation_spec(std::string_view id, baton::compile_specs specs = {})
      : backend_id(join(id)),
        compile_specs(std::move(specs)) {}
};

/// What a partitioner returns: the program with tags, and the ordered map from tags to delegation specs.
/// All nodes of one graph with one tag become one delegate. A tag without a spec is ignored.
struct partition_result {
  exported_program tagged_program;
  std::vector<std::pair<tag_id, delegation_spec>> partition_tags;

  constexpr partition_result() = default;
  /// The program, with no tags yet.
  constexpr explicit partition_result(const program_view& program) : tagged_program(thaw(program)) {}

  /// Makes room for so many tags; in a constant, every record that moves costs steps.
  constexpr void reserve(std::size_t tags) {
    partition_tags.reserve(partition_tags.size() + tags);
    tagged_program.tags.reserve(tagged_program.tags.size() + tags);
  }
  /// A tag with its spec; the name must not be empty.
  constexpr auto add_tag(std::string_view name, delegation_spec spec) -> tag_id {
    const auto id = add_tag(name);
    partition_tags.emplace_back(id, std::move(spec));
    return id;
  }
  /// A tag without a spec.
  constexpr auto add_tag(std::string_view name) -> tag_id {
    auto& bytes = tagged_program.bytes;
    tag record;
    record.name = {nullptr, static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(name.size())};
    bytes.insert(bytes.end(), name.begin(), name.end());
    tagged_program.tags.push_back(record);
    return static_cast<tag_id>(tagged_program.tags.size() - 1);
  }

  constexpr void tag_node(node_id id, tag_id as) { tagged_program.nodes[index(id)].tag = as; }
  /// Tags owned data: the part then owns it, and it is no argument of the call.
  constexpr void tag_value(value_id id, tag_id as) { tagged_program.values[index(id)].tag = as; }
};

namespace archetypes {

/// The smallest partitioner: it tags nothing.
struct partitioner {
  constexpr auto partition(const exported_program& program) const -> partition_result { return partition_result{program}; }
};

}  // namespace archetypes

/// A partitioner decides what goes where, and changes nothing else.
/// - `constexpr auto partition(const baton::exported_program&) const -> baton::partition_result` (a `program_view` does as a parameter, a
///   `result<partition_result>` as what is returned by one that may fail).
/// Laws: the tagged program equals the given one but for tags; the same program gives the same tags; the parts form no cycle.
/// Models: `by_support`. Where one list of operators says it all, write an operator support for `by_support` instead.
template <class T>
concept partitioner = requires(const T& candidate, const exported_program& program) {
  { candidate.partition(program) } -> std::convertible_to<result<partition_result>>;
};
static_assert(partitioner<archetypes::partitioner>);

/// Stops the compiler with a sentence if a type is no partitioner.
template <class T>
consteval auto require_partitioner() -> bool {
  static_assert(
      requires(const T& candidate, const exported_program& program) { candidate.partition(program); },
      "baton not_a_partitioner: a partitioner tags a program; write: constexpr auto partition(const baton::exported_program& program) "
      "const -> baton::partition_result");
  if constexpr (requires(const T& candidate, const exported_program& program) { candidate.partition(program); }) {
    static_assert(partitioner<T>, "baton not_a_partitioner: partition must return a baton::partition_result");
  }
  return partitioner<T>;
}

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace baton {

/// How `by_support` forms parts.
struct partition_options {
  std::uint32_t least_nodes = 1;           ///< parts with fewer nodes are left undelegated
  std::uint32_t most_nodes = 0xffffffffu;  ///< a larger part is split along the order of its nodes
};

namespace detail {

/// One part in the making. Its id is that of the node that made it, or joined it second: the numbering of the capability partitioner, whose
/// merge keeps the larger set and, at a tie, the newer id.
struct support_part {
  std::uint32_t id = 0;
  std::uint32_t size = 0;
};

/// Assigns the supported nodes of one graph to parts, in one pass from the last node to the first.
/// A node's level is the largest number of times that a path from it leaves the supported nodes and enters them again. A path through an
/// outsider always goes to a lower level, so the nodes of one level form one part without a cycle; and a path that leaves k times needs
/// k + 1 parts, so no assignment has fewer. The result is that of the greedy merge of ExecuTorch's capability partitioner, at linear cost.
template <operator_support Support>
class level_partition {
 public:
  constexpr level_partition(const program_view& program, const partition_options& options)
      : program_(program),
        options_(options),
        by_supported_(program.values.size(), 0),
        by_outsiders_(program.values.size(), 0),
        part_of_(program.nodes.size(), no_part) {}

  constexpr void visit(graph_id id) {
    open_.clear();
    const auto run = program_[id].nodes;
    for (std::uint32_t n = run.first + run.size; n-- > run.first;) visit_node(static_cast<node_id>(n));
  }

  static constexpr std::uint32_t no_part = 0xffffffffu;

  /// The parts that are large enough, by place, in the order of their ids.
  constexpr auto order() const -> std::vector<std::uint32_t> {
    std::vector<std::uint32_t> places;
    for (std::uint32_t place = 0; place < parts_.size(); ++place) {
      if (parts_[place].size >= options_.least_nodes) places.push_back(place);
    }
    std::sort(places.begin(), places.end(), [this](std::uint32_t a, std::uint32_t b) { return parts_[a].id < parts_[b].id; });
    return places;
  }
  constexpr auto parts() const -> const std::vector<support_part>& { return parts_; }
  /// By node: the place of its part, or `no_part`.
  constexpr auto part_of() const -> const std::vector<std::uint32_t>& { return part_of_; }

 private:
  constexpr void visit_node(node_id id) {
    const auto& candidate = program_[id];
    std::uint32_t supported = 0;  // 1 + the highest level of a supported user
    std::uint32_t outside = 0;    // the highest need of an outsider that uses it
    for (const auto output : program_.outputs_of(candidate)) {
      supported = std::max(supported, by_supported_[index(output)]);
      outside = std::max(outside, by_outsiders_[index(output)]);
    }
    const bool is_supported = Support::supports(program_, candidate).accepted;
    const auto level = std::max(supported == 0 ? 0 : supported - 1, outside);
    const auto need = std::max(supported, outside);
    for (const auto input : program_.inputs(candidate)) {
      if (input == none<value_id>) continue;
      auto& mark = is_supported ? by_supported_[index(input)] : by_outsiders_[index(input)];
      mark = std::max(mark, is_supported ? level + 1 : need);
    }
    if (is_supported) join_part(id, level);
  }

  constexpr void join_part(node_id id, std::uint32_t level) {
    while (open_.size() <= level) open_.push_back(no_part);
    auto& place = open_[level];
    if (place == no_part || parts_[place].size >= options_.most_nodes) {
      place = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({});
    }
    auto& part = parts_[place];
    if (part.size < 2) part.id = next_id_;
    part.size += 1;
    part_of_[index(id)] = place;
    ++next_id_;
  }

  program_view program_;
  partition_options options_;
  std::vector<std::uint32_t> by_supported_;
  std::vector<std::uint32_t> by_outsiders_;
  std::vector<std::uint32_t> part_of_;
  std::vector<std::uint32_t> open_;  ///< by level: the part that takes further nodes
  std::vector<support_part> parts_;
  std::uint32_t next_id_ = 0;
};

}  // namespace detail

/// A partitioner that gives a backend all that an operator support accepts, in the fewest parts that form no cycle; tags are `tag0`,
/// `tag1` and so on. Independent supported nodes share a part. Graphs inside delegates are left alone, subgraphs of control flow are
/// visited. Example: `baton::to_backend(target, model, baton::by_support<my_npu, baton::operators<"tfl.conv_2d">>{})`.
template <class Backend, operator_support Support, partition_options Options = partition_options{}>
struct by_support {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    detail::level_partition<Support> levels(program, Options);
    const auto is_inside_delegate = graphs_inside_delegates(program);
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      if (is_inside_delegate[g] == 0) levels.visit(static_cast<graph_id>(g));
    }
    const auto order = levels.order();
    tagged.reserve(order.size());
    std::vector<tag_id> tags(levels.parts().size(), none<tag_id>);
    for (const auto place : order) {
      const auto name = join("tag", levels.parts()[place].id);
      tags[place] = tagged.add_tag(view(name), delegation_spec{to_text(Backend::id)});
    }
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto place = levels.part_of()[n];
      if (place != levels.no_part) tagged.tag_node(static_cast<node_id>(n), tags[place]);
    }
    return tagged;
  }

 private:
  static constexpr auto graphs_inside_delegates(const program_view& program) -> std::vector<char> {
    std::vector<char> inside(program.graphs.size(), 0);
    std::vector<graph_id> open;
    for (const auto& delegate : program.delegates) open.push_back(delegate.original);
    while (!open.empty()) {
      const auto id = open.back();
      open.pop_back();
      if (inside[index(id)] != 0) continue;
      inside[index(id)] = 1;
      for (const auto& record : program.nodes_of(program[id])) {
        for (const auto subgraph : program.subgraphs_of(record)) open.push_back(subgraph);
      }
    }
    return inside;
  }
};

}  // namespace baton

// ---- baton/partition/tagging.hpp

// Calls a partitioner, checks what it did, and keeps its tag map in the program, so that one value holds all of it.

#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// Whether a program is checked around each step of lowering: what it was given, what a partitioner made of it, and what came out.
enum class validation : bool { off, on };

namespace detail {

constexpr auto own_bytes(exported_program& program, std::string_view text) -> byte_ref {
  const byte_ref ref{nullptr, static_cast<std::uint32_t>(program.bytes.size()), static_cast<std::uint32_t>(text.size())};
  program.bytes.insert(program.bytes.end(), text.begin(), text.end());
  return ref;
}

constexpr auto own_compile_specs(exported_program& program, const compile_specs& specs) -> range {
  const range run{static_cast<std::uint32_t>(program.compile_specs.size()), static_cast<std::uint32_t>(specs.size())};
  for (const auto& spec : specs) {
    const auto key = own_bytes(program, view(spec.key));
    program.compile_specs.push_back({key, own_bytes(program, view(spec.value))});
  }
  return run;
}

}  // namespace detail

/// The program as a partitioner tagged it, the delegation specs standing in its tags.
/// Errors: `modified_program`, `misplaced_index`, and the partitioner's own.
template <partitioner Partitioner>
constexpr auto tag_program(const exported_program& program, const Partitioner& partitioner, validation checks = validation::on)
    -> result<exported_program> {
  result<partition_result> partitioned = partitioner.partition(program);
  if (!partitioned) return partitioned.error;
  auto& tagged = partitioned.value.tagged_program;
  if (checks == validation::on && !same_but_for_tags(program, tagged)) return broken<rule::modified_program>();
  for (auto& record : tagged.tags) record.order = tag{}.order;  // what an earlier partitioner said counts no more
  std::uint32_t order = 0;
  for (const auto& [id, spec] : partitioned.value.partition_tags) {
    if (index(id) >= tagged.tags.size()) return broken<rule::misplaced_index>("partition tag ", index(id));
    const auto backend = detail::own_bytes(tagged, view(spec.backend_id));
    const auto specs = detail::own_compile_specs(tagged, spec.compile_specs);
    auto& record = tagged.tags[index(id)];
    record.backend_id = backend;
    record.compile_specs = specs;
    record.order = order++;
  }
  const auto is_tag = [&](tag_id id) { return id == none<tag_id> || index(id) < tagged.tags.size(); };
  for (std::uint32_t n = 0; n < tagged.nodes.size(); ++n) {
    if (!is_tag(tagged.nodes[n].tag)) return broken_at<rule::misplaced_index>(tagged, static_cast<node_id>(n), "a tag that is not there");
  }
  for (const auto& record : tagged.values) {
    if (!is_tag(record.tag)) return broken<rule::misplaced_index>("the tag of value ", program_view(tagged).text(record.name));
  }
  for (const auto& record : tagged.graphs) {
    if (!is_tag(record.output_tag))
      return broken<rule::misplaced_index>("the output tag of graph ", program_view(tagged).text(record.name));
  }
  return std::move(tagged);
}

}  // namespace baton

// ---- baton/lower/assemble.hpp

// Puts delegate calls in the places of parts.

// ---- baton/lower/lowered_module.hpp

// The lowered module: what a backend made of a program, read from wherever it lies.

// ---- baton/lower/backends.hpp

// The static list of backends: found by id, duplicates refused.

// ---- baton/lower/backend.hpp

// The backend concept: what turns a part of a program into a blob, and runs the blob where it can.

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

namespace baton {

/// One entry of a delegate mapping as a backend makes it: its identifier of one of its operations, and the debug handles it came from,
/// ascending.
struct debug_map_entry {
  std::int64_t identifier = 0;
  text_buffer text;  ///< the identifier, where it is a string
  bool is_text = false;
  std::vector<std::int64_t> handles;
};

/// What `preprocess` returns. Everything but the blob may be left out.
struct preprocess_result {
  text_buffer processed_bytes;  ///< the blob; it lies in read-only memory on the target
  std::vector<debug_map_entry> debug_handle_map;
  std::uint32_t scratch_bytes = 0;  ///< memory that `execute` needs while it runs; planned with the rest of the arena

  constexpr preprocess_result() = default;
  constexpr explicit preprocess_result(std::string_view blob) : processed_bytes(join(blob)) {}
};

namespace archetypes {

/// The smallest backend.
struct backend {
  static constexpr auto id = name<"archetype">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

}  // namespace archetypes

/// A backend takes parts of a program.
/// - `static constexpr auto id = baton::name<"MyNpu">`, unlike every other id in the list.
/// - `static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result` makes
/// the
///   blob, in the compiler or at run time (`result<preprocess_result>` for one that may refuse, with `baton::refuse_part(...)`).
/// - `static void execute(const baton::delegate_call&)`, only if the blob also runs here; the executor asks for it.
/// Laws: equal parts and specs give equal blobs; the debug handles named are those of the part's nodes.
template <class T>
concept backend = requires(const exported_program& part, const compile_specs& specs) {
  { to_text(T::id) } -> std::convertible_to<std::string_view>;
  { T::preprocess(part, specs) } -> std::convertible_to<result<preprocess_result>>;
};
static_assert(backend<archetypes::backend>);

/// What a backend returns from `preprocess` when it cannot take a part; the reason is made of text and numbers.
template <class... Parts>
constexpr auto refuse_part(const Parts&... reason) -> failure {
  return broken<rule::refused_part>(reason...);
}

/// Stops the compiler with a sentence if a type is no backend.
template <class T>
consteval auto require_backend() -> bool {
  static_assert(
      requires {
        { to_text(T::id) } -> std::convertible_to<std::string_view>;
      }, "baton not_a_backend: a backend has an id; write: static constexpr auto id = baton::name<\"MyNpu\">;");
  static_assert(
      requires(const exported_program& part, const compile_specs& specs) {
        { T::preprocess(part, specs) } -> std::convertible_to<result<preprocess_result>>;
      },
      "baton not_a_backend: a backend makes blobs; write: static constexpr auto preprocess(const baton::exported_program& part, const "
      "baton::compile_specs& specs) -> baton::preprocess_result");
  return backend<T>;
}

}  // namespace baton

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace baton {

namespace detail {

template <std::size_t N>
constexpr auto index_of_duplicate(const std::array<std::string_view, N>& ids) -> std::size_t {
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (ids[i] == ids[j]) return i;
    }
  }
  return N;
}

template <class... Backends>
consteval auto require_backends() -> bool {
  constexpr bool are_backends = (require_backend<Backends>() && ...);
  if constexpr (are_backends) {
    constexpr std::array<std::string_view, sizeof...(Backends)> ids{to_text(Backends::id)...};
    constexpr auto duplicate = index_of_duplicate(ids);
    constexpr auto why = [&] {
      failure found;
      if (duplicate < ids.size()) {
        found = broken<rule::duplicate_backend>();
        found.backend = join(ids[duplicate]);
      }
      return static_failure{found};
    }();
    require_unbroken<why>();
    return !why.broken;
  }
  return false;
}

}  // namespace detail

/// A list of backends. `is_sound` is false after a mistake in it has been reported.
template <class... Backends>
struct backend_list {
  static constexpr bool is_sound = detail::require_backends<Backends...>();
  static_assert(is_sound || true);  // asks at once, and lets what was said stand alone
  static constexpr boost::hana::tuple<boost::hana::type<Backends>...> types{};
};

/// The backends to choose from: `constexpr auto target = baton::backends<my_npu, baton::xnnpack>;`.
template <class... Backends>
inline constexpr backend_list<Backends...> backends{};

/// Calls `f` with the type of the backend of that id. Whether it was found.
template <class... Backends, class F>
constexpr auto with_backend(backend_list<Backends...> list, std::string_view id, F&& f) -> bool {
  bool found = false;
  boost::hana::for_each(list.types, [&](auto candidate) {
    if (!found && to_text(decltype(candidate)::type::id) == id) {
      found = true;
      f(candidate);
    }
  });
  return found;
}

/// The place of the backend of that id in the list, the list's size if it is not there.
template <class... Backends>
constexpr auto position_of_backend(backend_list<Backends...>, std::string_view id) -> std::size_t {
  std::size_t position = 0;
  static_cast<void>(((to_text(Backends::id) == id || (++position, false)) || ...));
  return position;
}

/// The failure of an id that is not in the list; its reason tells which ids are.
template <class... Backends>
constexpr auto unknown_backend(backend_list<Backends...>, std::string_view id) -> failure {
  auto why = broken<rule::unknown_backend>("the list has:");
  (append(append(why.reason, " "), to_text(Backends::id)), ...);
  why.backend = join(id);
  return why;
}

}  // namespace baton

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

/// A lowered module, read-only: backend id, blob, compile specs, debug handle map, and the program it was made from.
class lowered_module_view {
 public:
  constexpr lowered_module_view(const program_view& program, delegate_id id) : program_(program), id_(id) {}

  /// `lowered_module_0` and so on, in graph order; empty for one that was lowered by id.
  constexpr auto name() const -> std::string_view { return program_.text(record().name); }
  constexpr auto backend_id() const -> std::string_view { return program_.text(record().backend_id); }
  /// The blob.
  constexpr auto processed_bytes() const -> std::string_view { return program_.text(record().processed_bytes); }
  /// The root graph of the program it was made from, in `program()`.
  constexpr auto original() const -> graph_id { return record().original; }
  /// The program in whose pools it lies.
  constexpr auto program() const -> const program_view& { return program_; }
  constexpr auto scratch_bytes() const -> std::uint32_t { return record().scratch_bytes; }

  constexpr auto compile_specs() const -> std::span<const compile_spec_ref> {
    return program_.compile_specs.subspan(record().compile_specs.first, record().compile_specs.size);
  }
  constexpr auto debug_handle_map() const -> std::span<const mapping_entry> {
    return program_.mappings.subspan(record().debug_map.first, record().debug_map.size);
  }
  /// The debug handles of an entry of the map.
  constexpr auto handles(const mapping_entry& entry) const -> std::span<const std::int64_t> { return program_.integer_list(entry.handles); }

 private:
  constexpr auto record() const -> const lowered_module_ref& { return program_[id_]; }

  program_view program_;
  delegate_id id_;
};

namespace detail {
constexpr auto last_delegate(const program_view& program) -> delegate_id { return static_cast<delegate_id>(program.delegates.size() - 1); }
}  // namespace detail

/// A lowered module that owns what it is made of.
class lowered_module {
 public:
  constexpr explicit lowered_module(exported_program store) : store_(std::move(store)) {}
  constexpr auto view() const -> lowered_module_view { return {store_, detail::last_delegate(store_)}; }
  constexpr operator program_view() const { return store_; }  // NOLINT(google-explicit-constructor): it reads as its original program

 private:
  exported_program store_;
};

/// The lowered modules that the nodes of a graph call, in graph order; of the root graph unless another is given.
constexpr auto delegates(const program_view& program, graph_id of = graph_id{0}) -> std::vector<lowered_module_view> {
  std::vector<lowered_module_view> found;
  if (index(of) >= program.graphs.size()) return found;
  for (const auto& record : program.nodes_of(program[of])) {
    if (record.delegate != none<delegate_id>) found.emplace_back(program, record.delegate);
  }
  return found;
}

/// The nodes of the root graph that are no delegate calls, in order.
constexpr auto non_lowered_nodes(const program_view& program) -> std::vector<node_id> {
  std::vector<node_id> found;
  if (program.graphs.empty()) return found;
  const auto run = program.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    if (program.nodes[n].delegate == none<delegate_id>) found.push_back(static_cast<node_id>(n));
  }
  return found;
}

namespace detail {

/// The program with what a backend made of it beside it: its last lowered module, whose original is graph 0.
constexpr auto with_lowered_module(const exported_program& original, std::string_view backend_id, const compile_specs& specs,
                                   const preprocess_result& made) -> exported_program {
  exported_program store = original;
  lowered_module_ref record;
  record.backend_id = own_bytes(store, backend_id);
  record.processed_bytes = own_bytes(store, view(made.processed_bytes));
  record.original = graph_id{0};
  record.compile_specs = own_compile_specs(store, specs);
  record.scratch_bytes = made.scratch_bytes;
  std::vector<mapping_entry> entries;
  for (const auto& entry : made.debug_handle_map) {
    const auto text = own_bytes(store, view(entry.text));
    const auto handles = add_to(store.integers, std::span<const std::int64_t>{entry.handles});
    entries.push_back({entry.identifier, text, entry.is_text, handles});
  }
  record.debug_map = add_to(store.mappings, std::span<const mapping_entry>{entries});
  store.delegates.push_back(record);
  return store;
}

/// Has the backend of that id preprocess a program. Errors: `unknown_backend`, and the backend's own.
template <class... Backends>
constexpr auto lower_by_id(backend_list<Backends...> list, std::string_view id, const exported_program& part, const compile_specs& specs)
    -> result<exported_program> {
  result<exported_program> lowered;
  const bool found = with_backend(list, id, [&](auto backend) {
    result<preprocess_result> made = decltype(backend)::type::preprocess(part, specs);
    if (made) {
      lowered.value = with_lowered_module(part, id, specs, made.value);
    } else {
      lowered.error = std::move(made.error);
      lowered.error.backend = join(id);
    }
  });
  if (!found) return unknown_backend(list, id);
  return lowered;
}

}  // namespace detail

}  // namespace baton

// ---- baton/lower/part.hpp

// A part: the nodes of one graph with one tag. Finds the parts, checks them, and cuts each out as a program of its own.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

/// Which part: the nodes of this graph that carry this tag.
struct part_id {
  graph_id graph{0};
  tag_id tag{0};
};

/// What crosses the border of a part, as values of the owning program.
struct part_outline {
  part_id id;
  std::vector<node_id> nodes;       ///< in graph order
  std::vector<value_id> owned;      ///< tagged owned data: parameters, buffers, then constants
  std::vector<value_id> arguments;  ///< what the call is given, in the order of first use
  std::vector<value_id> mutations;  ///< values written to buffers that the part owns
  std::vector<value_id> outputs;    ///< values used outside the part, in graph order
};

namespace detail {

constexpr auto has_spec(const program_view& program, tag_id id) -> bool { return id != none<tag_id> && program[id].order != 0xffffffffu; }

constexpr auto with_tag_of(failure why, const program_view& program, tag_id id) -> failure {
  why.tag = join(program.text(program[id].name));
  why.backend = join(program.text(program[id].backend_id));
  return why;
}

/// For each graph, whether its parts count: not what lies within a lowered module, nor a branch of a node that belongs to a part itself.
constexpr auto graphs_with_parts(const program_view& program) -> std::vector<char> {
  std::vector<char> counts(program.graphs.size(), 1);
  for (const auto& record : program.nodes) {
    for (const auto g : program.subgraphs_of(record)) counts[index(g)] = 0;
  }
  for (const auto& module : program.delegates) counts[index(module.original)] = 0;
  std::vector<graph_id> open;
  for (std::uint32_t g = 0; g < counts.size(); ++g) {
    if (counts[g] != 0) open.push_back(static_cast<graph_id>(g));
  }
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    for (const auto& record : program.nodes_of(program[id])) {
      if (has_spec(program, record.tag)) continue;
      for (const auto g : program.subgraphs_of(record)) {
        if (counts[index(g)] == 0) open.push_back(g);
        counts[index(g)] = 1;
      }
    }
  }
  return counts;
}

}  // namespace detail

/// The parts of a tagged program, graph by graph, each graph's in the order of the tag map. Tags without a spec or without nodes make none,
/// nor do tags within lowered modules and within branches that a part takes along.
constexpr auto parts_of(const program_view& program) -> std::vector<part_id> {
  std::vector<part_id> parts;
  std::vector<char> seen(program.tags.size(), 0);
  const auto counts = detail::graphs_with_parts(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (counts[g] == 0) continue;
    const auto first = parts.size();
    for (const auto& record : program.nodes_of(program.graphs[g])) {
      if (!detail::has_spec(program, record.tag) || seen[index(record.tag)] != 0) continue;
      seen[index(record.tag)] = 1;
      parts.push_back({static_cast<graph_id>(g), record.tag});
    }
    for (auto i = first; i < parts.size(); ++i) seen[index(parts[i].tag)] = 0;
    std::sort(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
              [&](const part_id& a, const part_id& b) { return program[a.tag].order < program[b.tag].order; });
  }
  return parts;
}

/// Where a part begins and ends. Linear in the part's graph.
constexpr auto outline(const program_view& program, part_id id) -> part_outline {
  part_outline part{id, {}, {}, {}, {}, {}};
  const auto& graph = program[id.graph];
  // A mark a value: 1 made or owned by the part, 2 listed as argument, 4 used outside.
  std::vector<char> marks(program.values.size(), 0);
  for (const auto kind : {value_kind::parameter, value_kind::buffer, value_kind::mutable_buffer, value_kind::constant}) {
    for (const auto input : program.inputs(graph)) {
      if (program[input].kind == kind && program[input].tag == id.tag) {
        part.owned.push_back(input);
        marks[index(input)] = 1;
      }
    }
  }
  for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
    const auto& record = program.nodes[n];
    if (record.tag == id.tag) {
      part.nodes.push_back(static_cast<node_id>(n));
      for (const auto output : program.outputs_of(record)) marks[index(output)] = 1;
    }
    for (const auto input : program.inputs(record)) {
      if (input == none<value_id>) continue;
      auto& mark = marks[index(input)];
      if (record.tag != id.tag) {
        mark = static_cast<char>(mark | 4);
      } else if ((mark & 3) == 0) {
        part.arguments.push_back(input);
        mark = static_cast<char>(mark | 2);
      }
    }
  }
  for (const auto& spec : program.outputs_of(graph)) {
    const auto owns = [&](value_id owned) {
      return program[owned].kind == value_kind::mutable_buffer && program.text(program[owned].target) == program.text(spec.target);
    };
    if (spec.kind == output_kind::buffer_mutation && std::any_of(part.owned.begin(), part.owned.end(), owns)) {
      part.mutations.push_back(spec.value);
    } else {
      marks[index(spec.value)] = static_cast<char>(marks[index(spec.value)] | 4);
    }
  }
  for (const auto n : part.nodes) {
    for (const auto output : program.outputs_of(program[n])) {
      if ((marks[index(output)] & 4) != 0) part.outputs.push_back(output);
    }
  }
  return part;
}

namespace detail {

/// Kahn's algorithm over a graph whose parts count as one node each; what cannot be placed lies on a cycle.
class contracted_graph {
 public:
  constexpr contracted_graph(const program_view& program, graph_id id) : program_(program), graph_(program[id]) {
    unit_of_tag_.assign(program.tags.size(), no_unit);
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      const auto tag = node_at(n).tag;
      auto unit = has_spec(program, tag) ? unit_of_tag_[index(tag)] : no_unit;
      if (unit == no_unit) {
        unit = static_cast<std::uint32_t>(last_.size());
        last_.push_back(n);
        if (has_spec(program, tag)) unit_of_tag_[index(tag)] = unit;
      }
      last_[unit] = n;
      unit_.push_back(unit);
    }
    connect();
  }

  /// The units in an order in which each comes after all it depends on, close to that of the graph: a unit is told by its last node.
  /// Shorter than the number of units if there is a cycle.
  constexpr auto order() -> std::vector<node_id> {
    std::vector<node_id> placed;
    std::vector<std::uint32_t> ready;  // a heap: the unit whose last node is earliest comes first
    const auto later = [this](std::uint32_t a, std::uint32_t b) { return last_[a] > last_[b]; };
    const auto push = [&](std::uint32_t unit) {
      ready.push_back(unit);
      std::push_heap(ready.begin(), ready.end(), later);
    };
    for (std::uint32_t unit = 0; unit < waiting_.size(); ++unit) {
      if (waiting_[unit] == 0) push(unit);
    }
    while (!ready.empty()) {
      std::pop_heap(ready.begin(), ready.end(), later);
      const auto unit = ready.back();
      ready.pop_back();
      placed.push_back(static_cast<node_id>(graph_.nodes.first + last_[unit]));
      for (auto e = first_edge_[unit]; e < first_edge_[unit + 1]; ++e) {
        if (--waiting_[targets_[e]] == 0) push(targets_[e]);
      }
    }
    return placed;
  }
  constexpr auto units() const -> std::size_t { return last_.size(); }

  /// After `order`: the failure that names a tag on the cycle and what it passes through.
  constexpr auto cycle() const -> failure {
    const auto is_stuck = [this](std::uint32_t n) { return waiting_[unit_[n]] != 0; };
    auto why = broken<rule::dependency_cycle>();
    std::string_view first_tag;
    for (std::uint32_t n = 0; n < unit_.size(); ++n) {
      const auto tag = node_at(n).tag;
      if (!is_stuck(n)) continue;
      if (has_spec(program_, tag) && first_tag.empty()) {
        why = with_tag_of(locate(std::move(why), program_, static_cast<node_id>(graph_.nodes.first + n)), program_, tag);
        first_tag = program_.text(program_[tag].name);
      } else if (why.reason.empty() && !first_tag.empty()) {
        if (!has_spec(program_, tag))
          why.reason = join("through node ", program_.text(node_at(n).name));
        else if (program_.text(program_[tag].name) != first_tag)
          why.reason = join("through tag ", program_.text(program_[tag].name));
      }
    }
    return why;
  }

 private:
  static constexpr std::uint32_t no_unit = 0xffffffffu;

  constexpr auto node_at(std::uint32_t n) const -> const node& { return program_.nodes[graph_.nodes.first + n]; }

  // Edges from unit to unit, as a compressed list; a pair may stand there more than once.
  constexpr void connect() {
    std::vector<std::uint32_t> maker(program_.values.size(), no_unit);
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto output : program_.outputs_of(node_at(n))) maker[index(output)] = unit_[n];
    }
    waiting_.assign(last_.size(), 0);
    first_edge_.assign(last_.size() + 1, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto input : program_.inputs(node_at(n))) {
        const auto from = input == none<value_id> ? no_unit : maker[index(input)];
        if (from == no_unit || from == unit_[n]) continue;
        edges.emplace_back(from, unit_[n]);
        first_edge_[from + 1] += 1;
        waiting_[unit_[n]] += 1;
      }
    }
    for (std::size_t unit = 0; unit + 1 < first_edge_.size(); ++unit) first_edge_[unit + 1] += first_edge_[unit];
    targets_.assign(edges.size(), 0);
    auto next = first_edge_;
    for (const auto& [from, to] : edges) targets_[next[from]++] = to;
  }

  program_view program_;
  graph graph_;
  std::vector<std::uint32_t> unit_of_tag_;
  std::vector<std::uint32_t> unit_;  ///< by node
  std::vector<std::uint32_t> last_;  ///< by unit: its last node
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> first_edge_;
  std::vector<std::uint32_t> targets_;
};

/// Checks that what a graph returns is not data that a part owns, and that a part makes the new values of the buffers that it owns.
constexpr auto check_returned_values(const program_view& program, const graph& g) -> failure {
  for (const auto& spec : program.outputs_of(g)) {
    const auto& returned = program[spec.value];
    if (is_owned_data(returned.kind) && has_spec(program, returned.tag)) {
      return with_tag_of(broken<rule::shared_constant>("constant ", program.text(returned.name), ", its user: the output"), program,
                         returned.tag);
    }
    if (spec.kind != output_kind::buffer_mutation) continue;
    for (const auto input : program.inputs(g)) {
      const auto& owned = program[input];
      if (owned.kind != value_kind::mutable_buffer || !has_spec(program, owned.tag) ||
          program.text(owned.target) != program.text(spec.target))
        continue;
      const auto tagged = [&](const node& record) {
        const auto outputs = program.outputs_of(record);
        return record.tag == owned.tag && std::find(outputs.begin(), outputs.end(), spec.value) != outputs.end();
      };
      const auto nodes = program.nodes_of(g);
      if (std::any_of(nodes.begin(), nodes.end(), tagged)) continue;
      return with_tag_of(broken<rule::foreign_mutation>("buffer ", program.text(owned.target), ", new value ", program.text(returned.name)),
                         program, owned.tag);
    }
  }
  return {};
}

/// Checks the tags on inputs and outputs of a graph.
constexpr auto check_tagged_values(const program_view& program, const graph& g) -> failure {
  if (has_spec(program, g.output_tag))
    return with_tag_of(broken<rule::tagged_output>("graph ", program.text(g.name)), program, g.output_tag);
  for (const auto input : program.inputs(g)) {
    const auto& record = program[input];
    if (has_spec(program, record.tag) && !is_owned_data(record.kind)) {
      return with_tag_of(broken<rule::tagged_user_input>("input ", program.text(record.name)), program, record.tag);
    }
  }
  for (std::uint32_t n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input == none<value_id> || !is_owned_data(program[input].kind)) continue;
      const auto tag = program[input].tag;
      if (has_spec(program, tag) && tag != program.nodes[n].tag) {
        const auto users = program.nodes[n].tag;
        return locate(with_tag_of(broken<rule::shared_constant>("constant ", program.text(program[input].name), ", whose user has tag ",
                                                                users == none<tag_id> ? "none" : program.text(program[users].name)),
                                  program, tag),
                      program, static_cast<node_id>(n));
      }
    }
  }
  return check_returned_values(program, g);
}

}  // namespace detail

/// Checks what a partitioner tagged.
/// Errors: `tagged_output`, `tagged_user_input`, `shared_constant`, `foreign_mutation`, `dependency_cycle`.
constexpr auto check_parts(const program_view& program) -> failure {
  const auto counts = detail::graphs_with_parts(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (counts[g] == 0) continue;
    if (auto why = detail::check_tagged_values(program, program.graphs[g])) return why;
    detail::contracted_graph contracted(program, static_cast<graph_id>(g));
    if (contracted.order().size() != contracted.units()) return contracted.cycle();
  }
  return {};
}

/// A part as a program of its own. Placeholders: owned parameters, buffers and constants, then the arguments as user inputs.
/// Outputs: mutations of owned buffers, then what is used outside, flat. Names, debug handles and quantization are those of the owner.
/// Errors: `part_without_outputs`.
constexpr auto extract(const program_view& program, const part_outline& part) -> result<exported_program> {
  if (part.outputs.empty() && part.mutations.empty()) {
    return detail::with_tag_of(locate(broken<rule::part_without_outputs>(), program, part.nodes.front()), program, part.id.tag);
  }
  program_builder to;
  program_copier copier(program, to);
  for (const auto owned : part.owned) copier.copy_input(owned);
  for (const auto argument : part.arguments) {
    auto record = copier.record_of(argument);
    record.kind = value_kind::user_input;
    record.data = {};
    record.target = {};
    copier.replace(argument, to.add_input(record));
  }
  for (const auto id : part.nodes) copier.copy_node(id);
  for (const auto& spec : program.outputs_of(program[part.id.graph])) {
    if (spec.kind == output_kind::buffer_mutation &&
        std::find(part.mutations.begin(), part.mutations.end(), spec.value) != part.mutations.end()) {
      to.add_output({spec.kind, copier.copy_of(spec.value), copier.copy(spec.target)});
    }
  }
  for (const auto output : part.outputs) to.output(copier.copy_of(output));
  return to.finish();
}

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

namespace detail {

class assembler {
 public:
  constexpr assembler(const program_view& tagged, std::span<const part_id> parts, std::span<const program_view> lowered, source_bytes bytes)
      : tagged_(tagged),
        parts_(parts),
        lowered_(lowered),
        copier_(tagged, to_, bytes),
        visited_(tagged.graphs.size(), 0),
        consumed_(tagged.values.size(), 0),
        rewritten_(tagged.graphs.size(), none<graph_id>) {
    for (const auto& record : tagged.nodes) next_handle_ = std::max(next_handle_, record.debug_handle);
    mark_graphs_of_delegates();
  }

  constexpr auto run() -> exported_program {
    to_.draft().graphs[0].name = copier_.copy(tagged_.root().name);
    rewrite_into(graph_id{0});
    // Graphs that no node contains are entry points of their own.
    for (std::uint32_t g = 1; g < visited_.size(); ++g) {
      if (visited_[g] == 0) rewrite(static_cast<graph_id>(g));
    }
    return to_.finish();
  }

 private:
  constexpr void mark_graphs_of_delegates() {
    for (const auto& record : tagged_.nodes) {
      for (const auto g : tagged_.subgraphs_of(record)) visited_[index(g)] = 1;
    }
    for (const auto& delegate : tagged_.delegates) visited_[index(delegate.original)] = 1;
  }

  // A graph that several nodes call stays one.
  constexpr auto rewrite(graph_id id) -> graph_id {
    auto& rewritten = rewritten_[index(id)];
    if (rewritten != none<graph_id>) return rewritten;
    rewritten = to_.add_graph(tagged_.text(tagged_[id].name));
    const auto added = rewritten;
    rewrite_into(id);
    return added;
  }

  constexpr void rewrite_into(graph_id id) {
    const auto here = to_.current();
    const auto outlines = outlines_of(id);
    for (const auto input : tagged_.inputs(tagged_[id])) {
      if (consumed_[index(input)] == 0) copier_.copy_input(input);
    }
    std::uint32_t calls = 0;
    for (const auto at : contracted_graph(tagged_, id).order()) {
      const auto tag = tagged_[at].tag;
      if (has_spec(tagged_, tag)) {
        const auto place = static_cast<std::size_t>(
            std::find_if(outlines.begin(), outlines.end(), [&](const numbered_outline& part) { return part.outline.id.tag == tag; }) -
            outlines.begin());
        add_call(outlines[place], here);
      } else {
        copier_.copy_node(at, [this](graph_id subgraph) { return rewrite(subgraph); });
        to_.enter(here);
      }
      if (to_.latest_node().delegate != none<delegate_id>) name_call(calls++);
    }
    for (const auto& spec : tagged_.outputs_of(tagged_[id])) {
      if (!is_mutation_of_a_part(outlines, spec)) to_.add_output({spec.kind, copier_.copy_of(spec.value), copier_.copy(spec.target)});
    }
  }

  struct numbered_outline {
    part_outline outline;
    std::size_t number;
  };

  constexpr auto outlines_of(graph_id id) -> std::vector<numbered_outline> {
    std::vector<numbered_outline> outlines;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].graph != id) continue;
      outlines.push_back({outline(tagged_, parts_[i]), i});
      for (const auto owned : outlines.back().outline.owned) consumed_[index(owned)] = 1;
    }
    return outlines;
  }

  constexpr void add_call(const numbered_outline& part, graph_id here) {
    std::vector<value_id> arguments;
    std::vector<value_id> outputs;
    for (const auto argument : part.outline.arguments) arguments.push_back(copier_.copy_of(argument));
    for (const auto output : part.outline.outputs) outputs.push_back(copier_.copy_value(output));
    auto record = to_.make_node(call_delegate.text, call_delegate.text);
    record.debug_handle = ++next_handle_;
    record.delegate = copier_.copy_delegate(lowered_[part.number], last_delegate(lowered_[part.number]));
    to_.enter(here);
    to_.add_node(record, arguments, outputs);
  }

  /// Lowered modules and their calls are numbered in graph order.
  constexpr void name_call(std::uint32_t number) {
    auto& record = to_.latest_node();
    to_.draft().delegates[index(record.delegate)].name = to_.own(view(join("lowered_module_", number)));
    record.name = number == 0 ? to_.own(call_delegate.text) : to_.own(view(join(call_delegate.text, "_", number)));
  }

  static constexpr auto is_mutation_of_a_part(const std::vector<numbered_outline>& outlines, const output_spec& spec) -> bool {
    return spec.kind == output_kind::buffer_mutation && std::any_of(outlines.begin(), outlines.end(), [&](const numbered_outline& part) {
             const auto& values = part.outline.mutations;
             return std::find(values.begin(), values.end(), spec.value) != values.end();
           });
  }

  program_view tagged_;
  std::span<const part_id> parts_;
  std::span<const program_view> lowered_;
  program_builder to_;
  program_copier copier_;
  std::vector<char> visited_;
  std::vector<char> consumed_;
  std::vector<graph_id> rewritten_;
  std::uint32_t next_handle_ = 0;
};

/// The program as it is, without its tags.
constexpr auto untagged(const program_view& program) -> exported_program {
  auto copy = thaw(program);
  for (auto& record : copy.graphs) record.output_tag = none<tag_id>;
  for (auto& record : copy.nodes) record.tag = none<tag_id>;
  for (auto& record : copy.values) record.tag = none<tag_id>;
  copy.tags.clear();
  return copy;
}

}  // namespace detail

/// The tagged program with a delegate call in the place of every part; `lowered[i]` holds what became of `parts[i]`.
/// With `source_bytes::kept`, texts and blobs stay where the sources, which must then outlive the result, have them.
/// Data that a part owns leaves the program, tags are gone everywhere, and each call has a debug handle of its own.
constexpr auto assemble(const program_view& tagged, std::span<const part_id> parts, std::span<const program_view> lowered,
                        source_bytes bytes = source_bytes::copied) -> exported_program {
  // Nothing to replace: not even the order of records changes.
  if (parts.empty()) return detail::untagged(tagged);
  return detail::assembler(tagged, parts, lowered, bytes).run();
}

}  // namespace baton

// ---- baton/lower/delegate_mapping.hpp

// Builds the map from a backend's own identifiers back to debug handles.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

/// A delegate debug identifier: a number or a text.
struct debug_identifier {
  std::int64_t number = 0;
  std::string_view text{};
  bool is_text = false;

  constexpr debug_identifier(std::int64_t identifier) : number(identifier) {}                   // NOLINT(google-explicit-constructor)
  constexpr debug_identifier(std::string_view identifier) : text(identifier), is_text(true) {}  // NOLINT(google-explicit-constructor)
  constexpr debug_identifier(const char* identifier) : text(identifier), is_text(true) {}       // NOLINT(google-explicit-constructor)
};

/// What an entry is made from: nodes, whose handles count, or debug handles. Handles may be absent (`std::nullopt`); 0 is a valid one.
struct debug_sources {
  std::span<const node> nodes{};
  std::span<const std::optional<std::int64_t>> handles{};
};

/// Whether identifiers are numbers 0, 1, 2 ... made by the builder, or given with every insert.
enum class debug_identifiers : bool { given, generated };

namespace detail {
template <class Rule>
constexpr auto broken_identifier(const debug_identifier& identifier) -> failure {
  if (identifier.is_text) return broken<Rule>("identifier ", identifier.text);
  return broken<Rule>("identifier ", identifier.number);
}
}  // namespace detail

/// A builder of a delegate mapping. One identifier with several nodes says fusion, one node under several identifiers says decomposition.
/// A failed insert leaves the map, and the next generated identifier, as they were.
class delegate_mapping_builder {
 public:
  constexpr explicit delegate_mapping_builder(debug_identifiers mode = debug_identifiers::given) : mode_(mode) {}

  /// Adds an entry and gives its identifier's place in the map, which in generated mode is the identifier itself.
  /// Errors: `generated_identifier`, `duplicate_identifier`, `nodes_or_handles`, `missing_identifier`, `no_debug_handle`, in this order.
  constexpr auto insert(const debug_sources& from, std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    if (mode_ == debug_identifiers::generated && identifier) return detail::broken_identifier<rule::generated_identifier>(*identifier);
    if (identifier && contains(*identifier)) return detail::broken_identifier<rule::duplicate_identifier>(*identifier);
    if (from.nodes.empty() == from.handles.empty()) return broken<rule::nodes_or_handles>();
    if (mode_ == debug_identifiers::given && !identifier) return broken<rule::missing_identifier>();
    auto handles = handles_of(from);
    if (handles.empty()) return broken<rule::no_debug_handle>();
    const auto place = static_cast<std::int64_t>(entries_.size());
    debug_map_entry entry;
    entry.identifier = identifier ? identifier->number : place;
    if (identifier && identifier->is_text) {
      entry.text = join(identifier->text);
      entry.is_text = true;
    }
    entry.handles = std::move(handles);
    entries_.push_back(std::move(entry));
    return place;
  }
  /// The same for one node.
  constexpr auto insert(const node& from, std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    return insert(debug_sources{{&from, 1}, {}}, identifier);
  }

  /// The map in the order of insertion.
  constexpr auto entries() const -> const std::vector<debug_map_entry>& { return entries_; }

 private:
  constexpr auto contains(const debug_identifier& identifier) const -> bool {
    return std::any_of(entries_.begin(), entries_.end(), [&](const debug_map_entry& entry) {
      return entry.is_text == identifier.is_text &&
             (entry.is_text ? view(entry.text) == identifier.text : entry.identifier == identifier.number);
    });
  }
  static constexpr auto handles_of(const debug_sources& from) -> std::vector<std::int64_t> {
    std::vector<std::int64_t> handles;
    for (const auto& source : from.nodes) {
      if (source.debug_handle != 0) handles.push_back(source.debug_handle);
    }
    for (const auto& handle : from.handles) {
      if (handle) handles.push_back(*handle);
    }
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
  }

  debug_identifiers mode_;
  std::vector<debug_map_entry> entries_;
};

}  // namespace baton

// ---- baton/lower/to_backend.hpp

// The entry points of delegation: by backend id and by partitioner, for programs of the compiler and of run time.

#include <boost/hana/string.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace baton {

namespace detail {

// The stages of lowering, the same for both times. Each is one constant in the compiler.

template <class... Backends, class Partitioner>
constexpr auto partition_step(backend_list<Backends...> list, const exported_program& program, const Partitioner& partitioner,
                              validation checks) -> result<exported_program> {
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  auto tagged = tag_program(program, partitioner, checks);
  if (!tagged) return tagged;
  for (const auto part : parts_of(tagged.value)) {
    const auto id = program_view(tagged.value).text(tagged.value[part.tag].backend_id);
    if (!with_backend(list, id, [](auto) {})) return with_tag_of(unknown_backend(list, id), tagged.value, part.tag);
  }
  if (auto why = check_parts(tagged.value)) return why;
  return tagged;
}

template <class... Backends>
constexpr auto part_step(backend_list<Backends...> list, const program_view& tagged, part_id id) -> result<exported_program> {
  const auto part = extract(tagged, outline(tagged, id));
  if (!part) return part;
  compile_specs specs;
  const auto run = tagged[id.tag].compile_specs;
  for (const auto& spec : tagged.compile_specs.subspan(run.first, run.size))
    specs.emplace_back(tagged.text(spec.key), tagged.text(spec.value));
  auto lowered = lower_by_id(list, tagged.text(tagged[id.tag].backend_id), part.value, specs);
  if (!lowered) return with_tag_of(std::move(lowered.error), tagged, id.tag);
  return lowered;
}

constexpr auto assembly_step(const program_view& tagged, const std::vector<program_view>& lowered, source_bytes bytes, validation checks)
    -> result<exported_program> {
  const auto parts = parts_of(tagged);
  auto program = assemble(tagged, parts, lowered, bytes);
  if (checks == validation::on) {
    if (auto why = verify(program)) return why;
  }
  return program;
}

template <class... Backends, class Partitioner>
constexpr auto lower_program(backend_list<Backends...> list, const exported_program& program, const Partitioner& partitioner,
                             validation checks) -> result<exported_program> {
  const auto tagged = partition_step(list, program, partitioner, checks);
  if (!tagged) return tagged;
  std::vector<exported_program> lowered;
  for (const auto id : parts_of(tagged.value)) {
    auto part = part_step(list, tagged.value, id);
    if (!part) return part;
    lowered.push_back(std::move(part.value));
  }
  return assembly_step(tagged.value, {lowered.begin(), lowered.end()}, source_bytes::copied, checks);
}

/// A partitioner without state, or what a callable without state makes.
template <class Given>
constexpr auto partitioner_of(Given given) {
  if constexpr (std::is_invocable_v<Given>) {
    return given();
  } else {
    return given;
  }
}

template <class List, class Model, class Partitioner>
struct partition_stage {
  static constexpr bool stages_are_whole = Model::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      return partition_step(List{}, thaw(Model::value()), partitioner_of(Partitioner{}), validation::on);
    } else {
      return exported_program{};
    }
  }
};

template <class List, class Tagged, std::size_t I>
struct part_stage {
  static constexpr bool stages_are_whole = Tagged::is_whole;
  constexpr auto operator()() const -> result<exported_program> { return part_step(List{}, Tagged::value(), parts_of(Tagged::value())[I]); }
};

/// The backends of a program that was lowered before; it takes them along when it is lowered again.
template <class Make>
struct backends_of {
  using type = backend_list<>;
};
template <class Make>
  requires requires { typename Make::backend_types; }
struct backends_of<Make> {
  using type = typename Make::backend_types;
};

template <class, class>
struct joined;
template <class... Known>
struct joined<backend_list<Known...>, backend_list<>> {
  using type = backend_list<Known...>;
};
template <class... Known, class First, class... Rest>
struct joined<backend_list<Known...>, backend_list<First, Rest...>> {
  static constexpr bool is_known = (std::is_same_v<Known, First> || ...);
  using type =
      typename joined<std::conditional_t<is_known, backend_list<Known...>, backend_list<Known..., First>>, backend_list<Rest...>>::type;
};

template <class List, class Model, class Tagged, class Parts>
struct lowering_stage;
template <class List, class Model, class Tagged, std::size_t... I>
struct lowering_stage<List, Model, Tagged, std::index_sequence<I...>> {
  using backend_types = typename joined<typename backends_of<typename Model::make>::type, List>::type;
  static constexpr bool stages_are_whole = Tagged::is_whole && (static_program<part_stage<List, Tagged, I>>::is_whole && ...);

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      return assembly_step(Tagged::value(), {program_view(static_program<part_stage<List, Tagged, I>>::value())...}, source_bytes::kept,
                           validation::on);
    } else {
      return exported_program{};
    }
  }
  /// Stops the compiler with the sentence of the first part that failed, if one did.
  static constexpr void report() { (static_program<part_stage<List, Tagged, I>>::report(), ...); }
};

template <class List, class Id, class Model, class Specs>
struct by_id_stage {
  static constexpr bool stages_are_whole = Model::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      if (auto why = verify(Model::value())) return why;
      return lower_by_id(List{}, to_text(Id{}), thaw(Model::value()), compile_specs(Specs{}()));
    } else {
      return exported_program{};
    }
  }
};

struct no_compile_specs {
  constexpr auto operator()() const -> compile_specs { return {}; }
};

}  // namespace detail

/// Lowers a program with a partitioner, at run time or within a constant: every part goes to its backend, a delegate call takes its place.
/// Errors: those of `verify`, `tag_program`, `check_parts` and `extract`, `unknown_backend`, and the backends' own.
template <class... Backends, class Partitioner>
constexpr auto to_backend(backend_list<Backends...> target, const exported_program& program, const Partitioner& partitioner,
                          validation checks = validation::on) -> exported_program {
  if constexpr (require_partitioner<Partitioner>() && backend_list<Backends...>::is_sound) {
    return value_or_raise(detail::lower_program(target, program, partitioner, checks));
  } else {
    return {};
  }
}

/// The same for a program of the compiler; the result is one again, so it can be asserted on, run, or lowered again. Every stage and every
/// part is a constant of its own. The partitioner has no state, or is given as a lambda without captures that makes it.
template <class... Backends, class Make, class Partitioner>
constexpr auto to_backend(backend_list<Backends...>, static_program<Make>, Partitioner) {
  using list = backend_list<Backends...>;
  using model = static_program<Make>;
  static_assert(std::is_empty_v<Partitioner>,
                "baton to_backend: what lowers a static program must have no state; pass the partitioner as a lambda without captures that "
                "returns it");
  if constexpr (require_partitioner<decltype(detail::partitioner_of(std::declval<Partitioner>()))>() && list::is_sound) {
    using tagged = static_program<detail::partition_stage<list, model, Partitioner>>;
    if constexpr (!tagged::is_whole) {
      model::report();
      tagged::report();
      return model{};
    } else {
      constexpr auto count = parts_of(tagged::value()).size();
      using stage = detail::lowering_stage<list, model, tagged, std::make_index_sequence<count>>;
      stage::report();
      return static_program<stage>{};
    }
  } else {
    return model{};
  }
}

/// Lowers a whole program by backend id, at run time or within a constant. Errors: those of `verify`, `unknown_backend`, the backend's own.
template <class... Backends>
constexpr auto to_backend(backend_list<Backends...> target, std::string_view backend_id, const exported_program& program,
                          const compile_specs& specs = {}) -> lowered_module {
  if (auto why = verify(program)) raise(why);
  return lowered_module(value_or_raise(detail::lower_by_id(target, backend_id, program, specs)));
}
template <class... Backends, char... C>
constexpr auto to_backend(backend_list<Backends...> target, boost::hana::string<C...> backend_id, const exported_program& program,
                          const compile_specs& specs = {}) -> lowered_module {
  return to_backend(target, to_text(backend_id), program, specs);
}

/// The lowered module of a program of the compiler; compile specs come from a lambda without captures that makes them.
template <class Stage>
struct static_lowered_module {
  static constexpr auto view() -> lowered_module_view {
    return {static_program<Stage>::value(), detail::last_delegate(static_program<Stage>::value())};
  }
};

/// The same for a program of the compiler: `to_backend(target, baton::name<"MyNpu">, model)`.
template <class... Backends, char... C, class Make, class Specs = detail::no_compile_specs>
constexpr auto to_backend(backend_list<Backends...>, boost::hana::string<C...>, static_program<Make>, Specs = {}) {
  static_assert(
      std::is_empty_v<Specs> && std::is_invocable_r_v<compile_specs, Specs>,
      "baton to_backend: compile specs for a static program come from a lambda without captures that returns baton::compile_specs");
  using stage = detail::by_id_stage<backend_list<Backends...>, boost::hana::string<C...>, static_program<Make>, Specs>;
  static_program<Make>::report();
  static_program<stage>::report();
  return static_lowered_module<stage>{};
}

}  // namespace baton

// ---- baton/plan/arena.hpp

// The memory plan: where in one arena each value lies.

// ---- baton/plan/lifetime.hpp

// When each value of the root graph lives, and how many bytes live at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

/// A piece of memory that is needed from step `first` to step `last`, both included. Step n is node n of the root graph; the step after the
/// last node is the user's, who reads the outputs.
struct lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t bytes = 0;  ///< rounded up to the alignment
};

/// What needs memory: values of the root graph, and the scratch of delegate calls.
struct memory_needs {
  std::vector<lifetime> lifetimes;
  std::vector<std::uint32_t> of_value;    ///< by value: its entry, or `no_entry`
  std::vector<std::uint32_t> of_scratch;  ///< by node of the root graph: its delegate's scratch, or `no_entry`

  static constexpr std::uint32_t no_entry = 0xffffffffu;
};

constexpr auto round_up(std::uint64_t bytes, std::uint32_t alignment) -> std::uint64_t {
  return (bytes + alignment - 1) / alignment * alignment;
}

namespace detail {

/// Whether a value lies in the arena: everything but constant data, which stays in read-only memory.
constexpr auto needs_memory(const value& record) -> bool {
  return record.kind == value_kind::user_input || record.kind == value_kind::intermediate || record.kind == value_kind::mutable_buffer;
}

class lifetime_scan {
 public:
  constexpr lifetime_scan(const program_view& program, std::uint32_t alignment, std::span<const value_id> storage_of)
      : program_(program),
        alignment_(alignment),
        storage_of_(storage_of) {
    needs_.of_value.assign(program.values.size(), memory_needs::no_entry);
    needs_.of_scratch.assign(program.root().nodes.size, memory_needs::no_entry);
  }

  constexpr auto run() -> memory_needs {
    const auto& root = program_.root();
    const auto end = root.nodes.size;
    for (const auto input : program_.inputs(root)) {
      touch(input, 0);
      if (program_[input].kind == value_kind::mutable_buffer) touch(input, end);
    }
    for (std::uint32_t n = 0; n < end; ++n) {
      const auto& record = program_.nodes[root.nodes.first + n];
      for (const auto input : program_.inputs(record)) {
        if (input != none<value_id>) touch(input, n);
      }
      for (const auto output : program_.outputs_of(record)) touch(output, n);
      if (record.delegate == none<delegate_id>) continue;
      const auto scratch = lowered_module_view(program_, record.delegate).scratch_bytes();
      if (scratch != 0) needs_.of_scratch[n] = add(n, scratch);
    }
    for (const auto& spec : program_.outputs_of(root)) touch(spec.value, end);
    return std::move(needs_);
  }

 private:
  constexpr auto add(std::uint32_t step, std::uint64_t bytes) -> std::uint32_t {
    needs_.lifetimes.push_back({step, step, round_up(bytes, alignment_)});
    return static_cast<std::uint32_t>(needs_.lifetimes.size() - 1);
  }

  // A value that shares another's storage lengthens that one's life.
  constexpr void touch(value_id id, std::uint32_t step) {
    const auto owner = storage_of_.empty() || storage_of_[index(id)] == none<value_id> ? id : storage_of_[index(id)];
    const auto& record = program_[owner];
    if (!needs_memory(record)) return;
    auto& entry = needs_.of_value[index(owner)];
    if (entry == memory_needs::no_entry)
      entry = add(step, static_cast<std::uint64_t>(std::max<std::int64_t>(0, byte_count(record.type, program_.shape(owner)))));
    auto& life = needs_.lifetimes[entry];
    life.first = std::min(life.first, step);
    life.last = std::max(life.last, step);
    needs_.of_value[index(id)] = entry;
  }

  program_view program_;
  std::uint32_t alignment_;
  std::span<const value_id> storage_of_;
  memory_needs needs_;
};

}  // namespace detail

/// The lifetimes of the root graph. User inputs live from before the first node to their last use, outputs from where they are made to the
/// end, mutable buffers always; constants need no memory. `storage_of` names, by value, the value whose storage it shares (`none`: its
/// own). Linear in nodes and operands.
constexpr auto lifetimes(const program_view& program, std::uint32_t alignment, std::span<const value_id> storage_of = {}) -> memory_needs {
  return detail::lifetime_scan(program, alignment, storage_of).run();
}

/// The most bytes that live at once: no plan with whole operators can need less.
constexpr auto lower_bound(std::span<const lifetime> needs) -> std::uint64_t {
  std::uint32_t steps = 0;
  for (const auto& need : needs) steps = std::max(steps, need.last + 1);
  std::vector<std::uint64_t> begins(steps + 1, 0);
  std::vector<std::uint64_t> ends(steps + 1, 0);
  for (const auto& need : needs) {
    begins[need.first] += need.bytes;
    ends[need.last + 1] += need.bytes;
  }
  std::uint64_t live = 0;
  std::uint64_t most = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    live = live + begins[step] - ends[step];
    most = std::max(most, live);
  }
  return most;
}

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace baton {

/// What a plan must keep to. The alignment is that of every value, a power of two.
struct plan_options {
  std::uint32_t alignment = 16;
};

/// Offsets in one arena. A value that needs no memory, and a node without scratch, have `no_offset`.
struct memory_plan {
  static constexpr std::uint32_t no_offset = 0xffffffffu;

  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::uint32_t alignment = 16;
  std::string_view order;  ///< the order of placing that won
  memory_needs needs;
  std::vector<std::uint64_t> offsets;  ///< by entry of `needs.lifetimes`

  constexpr auto offset_of(value_id id) const -> std::uint64_t { return offset_of_entry(needs.of_value[index(id)]); }
  /// Of node n of the root graph.
  constexpr auto offset_of_scratch(std::uint32_t n) const -> std::uint64_t { return offset_of_entry(needs.of_scratch[n]); }

 private:
  constexpr auto offset_of_entry(std::uint32_t entry) const -> std::uint64_t {
    return entry == memory_needs::no_entry ? no_offset : offsets[entry];
  }
};

namespace detail {

constexpr auto live_together(const lifetime& a, const lifetime& b) -> bool { return a.first <= b.last && b.first <= a.last; }

/// Places the entries in the given order, each at the lowest offset where it overlaps nothing that lives with it. Gives the arena's size.
class placement {
 public:
  constexpr explicit placement(std::span<const lifetime> needs) : needs_(needs), offsets_(needs.size(), 0) {}

  constexpr auto place(std::span<const std::uint32_t> order) -> std::uint64_t {
    by_offset_.clear();
    std::uint64_t top = 0;
    for (const auto entry : order) top = std::max(top, place_one(entry));
    return top;
  }
  constexpr auto offsets() const -> const std::vector<std::uint64_t>& { return offsets_; }

 private:
  constexpr auto place_one(std::uint32_t entry) -> std::uint64_t {
    const auto& need = needs_[entry];
    std::uint64_t at = 0;
    for (const auto other : by_offset_) {
      if (!live_together(need, needs_[other])) continue;
      if (offsets_[other] >= at + need.bytes) break;
      at = std::max(at, offsets_[other] + needs_[other].bytes);
    }
    offsets_[entry] = at;
    std::size_t place = by_offset_.size();
    by_offset_.push_back(entry);
    for (; place > 0 && offsets_[by_offset_[place - 1]] > at; --place) by_offset_[place] = by_offset_[place - 1];
    by_offset_[place] = entry;
    return at + need.bytes;
  }

  std::span<const lifetime> needs_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> by_offset_;
};

/// An order in which entries may be placed; each wins on some graphs. Earlier entry first where all else is equal.
struct placing_order {
  std::string_view name;
  bool (*before)(const lifetime&, const lifetime&);
};

inline constexpr placing_order placing_orders[] = {
    {"largest first", [](const lifetime& a, const lifetime& b) { return a.bytes > b.bytes; }},
    {"program order", [](const lifetime& a, const lifetime& b) { return a.first < b.first; }},
    {"longest first", [](const lifetime& a, const lifetime& b) { return a.last - a.first > b.last - b.first; }},
    {"largest times longest first",
     [](const lifetime& a, const lifetime& b) { return a.bytes * (a.last - a.first + 1) > b.bytes * (b.last - b.first + 1); }},
    {"reverse program order", [](const lifetime& a, const lifetime& b) { return a.last > b.last; }},
};

}  // namespace detail

/// Plans the arena of a program's root graph: several orders of placing are tried until one reaches the lower bound, the best is kept.
/// The result is checked by `verify_plan`. Errors: `dynamic_shape`. At most quadratic in the number of values.
constexpr auto plan_memory(const program_view& program, const plan_options& options = {}, std::span<const value_id> storage_of = {})
    -> result<memory_plan> {
  memory_plan plan;
  if (program.graphs.empty()) return plan;
  plan.alignment = options.alignment;
  plan.needs = lifetimes(program, options.alignment, storage_of);
  for (std::size_t v = 0; v < program.values.size(); ++v) {
    if (plan.needs.of_value[v] == memory_needs::no_entry) continue;
    if (byte_count(program.values[v].type, program.integer_list(program.values[v].shape)) < 0) {
      return broken<rule::dynamic_shape>("value ", program.text(program.values[v].name));
    }
  }
  plan.lower_bound = lower_bound(plan.needs.lifetimes);
  plan.arena_bytes = UINT64_MAX;
  detail::placement placement(plan.needs.lifetimes);
  std::vector<std::uint32_t> order;
  for (const auto& attempt : detail::placing_orders) {
    if (plan.arena_bytes == plan.lower_bound) break;
    order.clear();
    for (std::uint32_t i = 0; i < plan.needs.lifetimes.size(); ++i) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto& left = plan.needs.lifetimes[a];
      const auto& right = plan.needs.lifetimes[b];
      return attempt.before(left, right) || (!attempt.before(right, left) && a < b);
    });
    const auto bytes = placement.place(order);
    if (bytes >= plan.arena_bytes) continue;
    plan.arena_bytes = bytes;
    plan.order = attempt.name;
    plan.offsets = placement.offsets();
  }
  return plan;
}

/// Checks that no two things that live at once overlap, that all lie in the arena and are aligned. Errors: `overlapping_memory`.
constexpr auto verify_plan(const memory_plan& plan) -> failure {
  const auto& needs = plan.needs.lifetimes;
  for (std::size_t a = 0; a < needs.size(); ++a) {
    if (plan.offsets[a] + needs[a].bytes > plan.arena_bytes || plan.offsets[a] % plan.alignment != 0) {
      return broken<rule::overlapping_memory>("entry ", a, " lies outside the arena or is not aligned");
    }
    for (std::size_t b = 0; b < a; ++b) {
      const bool overlap = plan.offsets[a] < plan.offsets[b] + needs[b].bytes && plan.offsets[b] < plan.offsets[a] + needs[a].bytes;
      if (overlap && detail::live_together(needs[a], needs[b])) return broken<rule::overlapping_memory>("entries ", b, " and ", a);
    }
  }
  return {};
}

}  // namespace baton

// ---- baton/run/basic_executor.hpp

// The executor: a static program as straight-line code, with an arena sized by the compiler.

// ---- baton/run/delegate.hpp

// What a backend's `execute` is given.

#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// The call of a lowered module. Arguments stand in the order of the part's user inputs, outputs in that of its user outputs; sizes in
/// bytes. Constants among the arguments lie in read-only memory.
struct delegate_call {
  std::span<const char> blob;
  std::span<const std::span<const char>> inputs;
  std::span<const std::span<char>> outputs;
  std::span<char> scratch;  ///< as large as `preprocess` asked for
};

/// Whether a backend runs here: `static void execute(const baton::delegate_call&)`.
template <class Backend>
concept executable_backend = requires(const delegate_call& call) { Backend::execute(call); };

}  // namespace baton

// ---- baton/run/kernel.hpp

// The kernel concept: what computes a node, chosen by the compiler from a static list.

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace baton {

/// One node of a static program, as a kernel sees it while the program is compiled: everything is known but the memory.
/// `Place` says where values lie: `Place::template address<Id>(arena)` is the address of a value.
template <class Program, std::uint32_t Index, class Place>
struct node_call {
  char* arena;

  /// The node's place in the program.
  static constexpr std::uint32_t index = Index;

  static constexpr auto program() -> program_view { return Program::value(); }
  static constexpr auto record() -> const node& { return Program::value().nodes[Index]; }
  static constexpr auto input_id(std::size_t i) -> value_id { return program().inputs(record())[i]; }
  static constexpr auto output_id(std::size_t i) -> value_id { return program().outputs_of(record())[i]; }
  /// Whether the operand is there.
  static constexpr auto has_input(std::size_t i) -> bool { return i < record().inputs.size && input_id(i) != none<value_id>; }

  /// The bytes of operand I: in the arena, or in read-only memory where the model lies.
  template <std::size_t I>
  auto input() const -> const char* {
    return Place::template address<input_id(I)>(arena);
  }
  /// The bytes of output I.
  template <std::size_t I>
  auto output() const -> char* {
    return Place::template writable<output_id(I)>(arena);
  }
};

namespace archetypes {

/// The smallest kernel.
struct kernel {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse(); }
  template <class Call>
  static void run(const Call&) {}
};

struct make_program {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    build.output(build.call("archetype.copy", {build.user_input("x", tensor(dtype::int8, 1))}, tensor(dtype::int8, 1)));
    return build.finish();
  }
};
struct place {
  template <value_id>
  static auto address(char* arena) -> const char* {
    return arena;
  }
  template <value_id>
  static auto writable(char* arena) -> char* {
    return arena;
  }
};
using call = node_call<static_program<make_program>, 0, place>;

}  // namespace archetypes

/// A kernel computes the nodes that it supports.
/// - `static constexpr auto supports(const baton::program_view&, const baton::node&) -> baton::verdict` says whether, and if not, why;
///   it checks everything that `run` relies on: operands, dtypes, shapes, attributes.
/// - `template <class Call> static void run(const Call& call)` computes: `Call` is a `node_call`, whose program and node are constants,
///   so that loops have fixed bounds. Constants of its own (reordered weights, folded multipliers) it makes from them, one constant a node.
/// Laws: `supports` depends on the node alone; `run` writes every byte of every output and nothing else; a spatial kernel also offers
/// `run_rows(call, first, last)`, which computes those output rows, pixels in row-major order with the channels inside.
/// Models: everything in `baton/kernels`. Do not write one for what a whole part does better: that is a backend.
template <class T>
concept kernel = requires(const program_view& program, const node& record, const archetypes::call& call) {
  { T::supports(program, record) } -> std::same_as<verdict>;
  { T::run(call) } -> std::same_as<void>;
};
static_assert(kernel<archetypes::kernel>);

/// Stops the compiler with a sentence if a type is no kernel.
template <class T>
consteval auto require_kernel() -> bool {
  static_assert(
      requires(const program_view& p, const node& n) {
        { T::supports(p, n) } -> std::same_as<verdict>;
      },
      "baton not_a_kernel: a kernel says what it supports; write: static constexpr auto supports(const baton::program_view&, const "
      "baton::node&) -> baton::verdict");
  static_assert(
      requires(const archetypes::call& call) {
        { T::run(call) } -> std::same_as<void>;
      }, "baton not_a_kernel: a kernel computes; write: template <class Call> static void run(const Call& call)");
  return kernel<T>;
}

/// A list of kernels, in the order in which they are asked; the first that supports a node computes it.
template <class... Kernels>
struct kernel_list {
  static_assert(((static_cast<void>(require_kernel<Kernels>()), true) && ...));  // each says for itself what is wrong
  static constexpr boost::hana::tuple<boost::hana::type<Kernels>...> types{};
  static constexpr std::size_t size = sizeof...(Kernels);
};

/// `baton::kernels<my_convolution, baton::portable::conv_2d>`: a list as an object. Lists join with `+`.
template <class... Kernels>
inline constexpr kernel_list<Kernels...> kernels{};

template <class... Left, class... Right>
constexpr auto operator+(kernel_list<Left...>, kernel_list<Right...>) -> kernel_list<Left..., Right...> {
  return {};
}

/// Which kernel of a list computes a node, or why none does.
struct kernel_choice {
  std::size_t index = 0;
  verdict found;
};

/// Asks the kernels in order; the reason of a no is that of the kernel that knows the operator.
template <class... Kernels>
constexpr auto choose_kernel(kernel_list<Kernels...> list, const program_view& program, const node& record) -> kernel_choice {
  kernel_choice choice;
  std::size_t at = 0;
  boost::hana::for_each(list.types, [&](auto candidate) {
    if (!choice.found) {
      auto answer = decltype(candidate)::type::supports(program, record);
      if (answer || !answer.reason.empty()) choice = {at, std::move(answer)};
    }
    ++at;
  });
  if (!choice.found && choice.found.reason.empty()) choice.found.reason = join("no kernel in the list knows this operator");
  return choice;
}

}  // namespace baton

// ---- baton/run/signature.hpp

// The user's side of a static program: which values are its inputs and outputs.

#include <cstddef>
#include <span>

namespace baton::detail {

/// The user's side of a static program's root graph.
template <class Program>
struct program_signature {
  static constexpr auto view() -> program_view { return Program::value(); }
  static constexpr auto inputs() -> std::span<const value_id> {
    if (view().graphs.empty()) return {};
    return view().inputs(view().root());
  }
  static constexpr auto outputs() -> std::span<const output_spec> {
    if (view().graphs.empty()) return {};
    return view().outputs_of(view().root());
  }
  static constexpr auto user_input(std::size_t i) -> value_id {
    for (const auto id : inputs()) {
      if (view()[id].kind == value_kind::user_input && i-- == 0) return id;
    }
    return none<value_id>;
  }
  static constexpr auto user_output(std::size_t i) -> value_id {
    for (const auto& spec : outputs()) {
      if (spec.kind == output_kind::user_output && i-- == 0) return spec.value;
    }
    return none<value_id>;
  }
  static constexpr auto input_count() -> std::size_t {
    std::size_t count = 0;
    while (user_input(count) != none<value_id>) ++count;
    return count;
  }
  static constexpr auto output_count() -> std::size_t {
    std::size_t count = 0;
    while (user_output(count) != none<value_id>) ++count;
    return count;
  }
  static constexpr auto bytes_of(value_id id) -> std::size_t {
    return static_cast<std::size_t>(byte_count(view()[id].type, view().shape(id)));
  }
  /// The mutable buffer that output `i` of the root graph is written to.
  static constexpr auto mutated(std::size_t i) -> value_id {
    for (const auto id : inputs()) {
      if (view()[id].kind == value_kind::mutable_buffer && view().text(view()[id].target) == view().text(outputs()[i].target)) return id;
    }
    return none<value_id>;
  }
};

}  // namespace baton::detail

// ---- baton/run/static_execution.hpp

// The plan of an execution as constants: what straight-line code is made from.

// ---- baton/run/execution_plan.hpp

// The plan of an execution: which kernel computes each node, and where each value lies.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace baton {

/// Whether a kernel hands its first operand on unchanged, so that its output can share the operand's memory: `static constexpr bool
/// forwards_input = true;`. Such a kernel copies only where the two addresses differ.
template <class Kernel>
concept forwarding_kernel = requires { requires Kernel::forwards_input; };

/// What an executor does with a program, and where: one entry a node of the root graph, and the memory plan.
struct execution_plan {
  std::vector<std::uint32_t> kernels;  ///< by node: its kernel's place in the list; of a delegate call: the list's size
  memory_plan memory;
};

namespace detail {

/// The kernel of each node of the root graph; the failure of the first node that has none, or lacks constant data.
template <class... Kernels>
constexpr auto choose_kernels(kernel_list<Kernels...> list, const program_view& program) -> result<std::vector<std::uint32_t>> {
  std::vector<std::uint32_t> chosen;
  if (program.graphs.empty()) return chosen;
  const auto run = program.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    const auto& record = program.nodes[n];
    for (const auto input : program.inputs(record)) {
      if (input == none<value_id> || needs_memory(program[input]) || program[input].data.size != 0) continue;
      return broken_at<rule::malformed_data>(program, static_cast<node_id>(n), program.text(program[input].name), " has no data");
    }
    if (record.delegate != none<delegate_id>) {
      chosen.push_back(sizeof...(Kernels));
      continue;
    }
    auto choice = choose_kernel(list, program, record);
    if (!choice.found) {
      auto why = broken_at<rule::missing_kernel>(program, static_cast<node_id>(n));
      why.reason = std::move(choice.found.reason);
      return why;
    }
    chosen.push_back(static_cast<std::uint32_t>(choice.index));
  }
  return chosen;
}

}  // namespace detail

/// By value, the value whose memory it shares: the outputs of forwarding kernels. `chosen`
/// is `execution_plan::kernels`.
template <class... Kernels>
constexpr auto shared_storage(kernel_list<Kernels...>, const program_view& program, std::span<const std::uint32_t> chosen)
    -> std::vector<value_id> {
  constexpr std::array<bool, sizeof...(Kernels) + 1> forwards{forwarding_kernel<Kernels>..., false};
  std::vector<value_id> storage(program.values.size(), none<value_id>);
  for (std::uint32_t n = 0; n < chosen.size(); ++n) {
    if (!forwards[chosen[n]]) continue;
    const auto& record = program.nodes[program.root().nodes.first + n];
    const auto from = program.inputs(record)[0];
    if (!detail::needs_memory(program[from])) continue;
    storage[index(program.outputs_of(record)[0])] = storage[index(from)] == none<value_id> ? from : storage[index(from)];
  }
  return storage;
}

/// Plans an execution with a list of kernels. Errors: `missing_kernel`, `malformed_data` (a constant without data), `dynamic_shape`,
/// `overlapping_memory`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options = {})
    -> result<execution_plan> {
  auto chosen = detail::choose_kernels(list, program);
  if (!chosen) return chosen.error;
  auto memory = plan_memory(program, options, shared_storage(list, program, chosen.value));
  if (!memory) return memory.error;
  if (auto why = verify_plan(memory.value)) return why;
  return execution_plan{std::move(chosen.value), std::move(memory.value)};
}

}  // namespace baton

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// What the executor needs to know before its arrays exist.
struct execution_outcome {
  static_failure why{};
  std::uint32_t nodes = 0;
  std::uint32_t values = 0;
  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;
};

/// Kernel choice and memory plan in arrays of exact size.
template <std::uint32_t Nodes, std::uint32_t Values>
struct execution_tables {
  std::array<std::uint32_t, Nodes> kernel{};
  std::array<std::uint64_t, Values> offset{};
  std::array<std::uint64_t, Nodes> scratch{};
};

/// The plan of a static program's execution, as constants.
template <class Program, class Kernels, plan_options Options>
struct static_execution {
  static constexpr auto plan() -> result<execution_plan> { return plan_execution(Kernels{}, Program::value(), Options); }
  static consteval auto make_outcome() -> execution_outcome {
    const auto made = plan();
    if (!made) return {static_failure{made.error}, 0, 0, 0, 0};
    const auto& memory = made.value.memory;
    return {{},
            static_cast<std::uint32_t>(made.value.kernels.size()),
            static_cast<std::uint32_t>(memory.needs.of_value.size()),
            memory.arena_bytes,
            memory.lower_bound};
  }
  static constexpr execution_outcome outcome = make_outcome();

  static consteval auto make_tables() {
    execution_tables<outcome.nodes, outcome.values> made;
    if constexpr (outcome.nodes != 0) {
      const auto planned = plan().value;
      for (std::uint32_t n = 0; n < outcome.nodes; ++n) {
        made.kernel[n] = planned.kernels[n];
        made.scratch[n] = planned.memory.offset_of_scratch(n);
      }
      for (std::uint32_t v = 0; v < outcome.values; ++v) made.offset[v] = planned.memory.offset_of(static_cast<value_id>(v));
    }
    return made;
  }
  static constexpr auto tables = make_tables();

  /// Where values lie: in the arena, or in read-only memory where the model lies.
  struct place {
    /// After a failure has been told, any place will do.
    static constexpr auto offset_of(value_id id) -> std::uint64_t { return index(id) < outcome.values ? tables.offset[index(id)] : 0; }

    template <value_id Id>
    static auto address(const char* arena) -> const char* {
      if constexpr (offset_of(Id) != memory_plan::no_offset) {
        return arena + offset_of(Id);
      } else {
        static constexpr auto bytes = program_view(Program::value()).data(Program::value()[Id].data);
        return bytes.data();
      }
    }
    template <value_id Id>
    static auto writable(char* arena) -> char* {
      return arena + offset_of(Id);
    }
  };
};

}  // namespace baton::detail

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace baton {

/// Runs a static program: the root graph's nodes one after the other, each a kernel or a delegate call chosen by the compiler. No heap, no
/// virtual call, no table walk, no work before the first inference; weights are read where the model lies. The arena is a member: an
/// executor at namespace scope lies in .bss. Errors, in the compiler: `missing_kernel`, `backend_without_execute`, `dynamic_shape`,
/// `overlapping_memory`. Example: `baton::executor<lowered> net; net.run(input, output);` (`executor` is this with the portable kernels).
template <auto Program, auto Kernels, plan_options Options = plan_options{}>
class basic_executor {
  using program_type = std::remove_const_t<decltype(Program)>;
  using execution = detail::static_execution<program_type, std::remove_const_t<decltype(Kernels)>, Options>;
  using signature = detail::program_signature<program_type>;
  static constexpr bool is_sound = program_type::is_whole && !execution::outcome.why.broken;

 public:
  constexpr basic_executor() {
    static_cast<void>(program_type::value());
    require_unbroken<execution::outcome.why>();
  }

  /// Bytes of the arena, and the most bytes that live at once.
  static constexpr std::size_t arena_bytes = execution::outcome.arena_bytes;
  static constexpr std::size_t lower_bound = execution::outcome.lower_bound;

  /// The memory plan of which the arena is a part, for reports; made again when it is called, where the executor itself has only its
  /// offsets.
  static constexpr auto plan() -> memory_plan { return execution::plan().value.memory; }

  static constexpr std::size_t input_count = signature::input_count();
  static constexpr std::size_t output_count = signature::output_count();

  /// The bytes of a user input, to be filled before `run()`; a run may overwrite them.
  template <std::size_t I = 0>
  auto input() {
    constexpr auto bytes = signature::bytes_of(signature::user_input(I));
    return std::span<char, bytes>{execution::place::template writable<signature::user_input(I)>(arena_), bytes};
  }
  /// The bytes of a user output, valid until the next run.
  template <std::size_t I = 0>
  auto output() const {
    constexpr auto bytes = signature::bytes_of(signature::user_output(I));
    return std::span<const char, bytes>{execution::place::template address<signature::user_output(I)>(arena_), bytes};
  }

  /// One inference on what the inputs hold.
  void run() {
    run([](auto) {});
  }

  /// One inference; `after(call)` is told of every node when it has run: a `node_call`, with its index, record and memory.
  template <class Observer>
    requires std::is_invocable_v<Observer, archetypes::call>
  void run(Observer&& after) {
    if constexpr (is_sound) {
      run_nodes(after, std::make_index_sequence<execution::outcome.nodes>{});
      write_back(std::make_index_sequence<signature::outputs().size()>{});
    }
  }

  /// One inference from the user's memory to the user's memory: the inputs in order, then the outputs in order, as arrays (or spans of
  /// fixed extent) that have the tensors' sizes in bytes.
  template <class... Tensors>
    requires(sizeof...(Tensors) > 1)
  void run(Tensors&&... tensors) {
    static_assert(sizeof...(Tensors) == input_count + output_count, "baton executor: run takes every input, then every output");
    const auto all = std::forward_as_tuple(tensors...);
    copy_in(all, std::make_index_sequence<input_count>{});
    run();
    copy_out(all, std::make_index_sequence<output_count>{});
  }

 private:
  static constexpr auto view() -> program_view { return program_type::value(); }
  template <std::size_t Size>
  static constexpr auto copy_of_blob(delegate_id id) -> std::array<char, Size> {
    std::array<char, Size> copy{};
    const auto bytes = lowered_module_view(view(), id).processed_bytes();
    std::copy(bytes.begin(), bytes.end(), copy.begin());
    return copy;
  }
  static constexpr auto cannot_execute(const program_view& program, node_id at, delegate_id id) -> failure {
    auto why = broken_at<rule::backend_without_execute>(program, at);
    why.backend = join(lowered_module_view(program, id).backend_id());
    return why;
  }

  template <class Observer, std::size_t... N>
  void run_nodes(Observer& after, std::index_sequence<N...>) {
    (run_node<N>(after), ...);
  }

  template <std::size_t N, class Observer>
  void run_node(Observer& after) {
    constexpr auto node_index = static_cast<std::uint32_t>(view().root().nodes.first + N);
    const node_call<program_type, node_index, typename execution::place> call{arena_};
    if constexpr (view().nodes[node_index].delegate != none<delegate_id>) {
      run_delegate<N>(call);
    } else {
      constexpr auto& types = std::remove_const_t<decltype(Kernels)>::types;
      using kernel_type = typename std::remove_cvref_t<decltype(boost::hana::at_c<execution::tables.kernel[N]>(types))>::type;
      kernel_type::run(call);
    }
    after(call);
  }

  template <std::size_t N, class Call>
  void run_delegate(const Call& call) {
    using list = typename detail::backends_of<typename program_type::make>::type;
    constexpr auto id = Call::record().delegate;
    constexpr auto backend_id = lowered_module_view(view(), id).backend_id();
    constexpr auto found = position_of_backend(list{}, backend_id);
    using backend_type = typename std::remove_cvref_t<decltype(boost::hana::at_c<found>(list::types))>::type;
    if constexpr (executable_backend<backend_type>) {
      // A copy of its own: a pointer into the program would keep all of the program in the image.
      alignas(16) static constexpr auto blob = copy_of_blob<lowered_module_view(view(), id).processed_bytes().size()>(id);
      static constexpr auto scratch_bytes = lowered_module_view(view(), id).scratch_bytes();
      const auto scratch = scratch_bytes == 0 ? std::span<char>{} : std::span<char>{arena_ + execution::tables.scratch[N], scratch_bytes};
      call_backend<backend_type>(call, blob, scratch, std::make_index_sequence<Call::record().inputs.size>{},
                                 std::make_index_sequence<Call::record().outputs.size>{});
    } else {
      constexpr static_failure why{cannot_execute(view(), static_cast<node_id>(Call::index), id)};
      require_unbroken<why>();
    }
  }

  template <class Backend, class Call, std::size_t... I, std::size_t... O>
  static void call_backend(const Call& call, std::span<const char> blob, std::span<char> scratch, std::index_sequence<I...>,
                           std::index_sequence<O...>) {
    const std::array<std::span<const char>, sizeof...(I)> inputs{
        std::span<const char>{call.template input<I>(), signature::bytes_of(Call::input_id(I))}...};
    const std::array<std::span<char>, sizeof...(O)> outputs{
        std::span<char>{call.template output<O>(), signature::bytes_of(Call::output_id(O))}...};
    Backend::execute(delegate_call{blob, inputs, outputs, scratch});
  }

  /// Mutable buffers take the values that the graph returns for them.
  template <std::size_t... I>
  void write_back(std::index_sequence<I...>) {
    (write_back_one<I>(), ...);
  }
  template <std::size_t I>
  void write_back_one() {
    if constexpr (signature::outputs()[I].kind == output_kind::buffer_mutation) {
      constexpr auto buffer = signature::mutated(I);
      constexpr auto from = signature::outputs()[I].value;
      if constexpr (buffer != from) {
        std::memmove(execution::place::template writable<buffer>(arena_), execution::place::template address<from>(arena_),
                     signature::bytes_of(buffer));
      }
    }
  }

  template <class All, std::size_t... I>
  void copy_in(const All& all, std::index_sequence<I...>) {
    (copy_bytes(std::as_writable_bytes(input<I>()), std::as_bytes(std::span{std::get<I>(all)})), ...);
  }
  template <class All, std::size_t... O>
  void copy_out(const All& all, std::index_sequence<O...>) {
    (copy_bytes(std::as_writable_bytes(std::span{std::get<input_count + O>(all)}), std::as_bytes(output<O>())), ...);
  }
  template <std::size_t To, std::size_t From>
  static void copy_bytes(std::span<std::byte, To> to, std::span<const std::byte, From> from) {
    static_assert(To == From, "baton executor: every tensor given to run must have a fixed size, that of the program's tensor in bytes");
    std::memcpy(to.data(), from.data(), To);
  }

  alignas(Options.alignment) char arena_[arena_bytes == 0 ? 1 : arena_bytes] = {};
};

}  // namespace baton

// ---- baton/kernels/channels.hpp

// From sums of products to outputs: bias, requantization, zero point and activation of a layer's output channels, for int8 and float32.

// ---- baton/kernels/geometry.hpp

// What geometries, the structural template arguments of kernels, are made of.

#include <cstdint>
#include <type_traits>

namespace baton::portable {

/// Truth in a geometry: 0 or 1 in four bytes, so that no geometry has padding.
/// Clang (seen with 16 and 19) reads a sub-object of a template argument from the wrong place at run time if there is padding before it.
using flag = std::int32_t;

/// What every geometry must be.
template <class T>
inline constexpr bool has_no_padding = std::has_unique_object_representations_v<T>;

}  // namespace baton::portable

// ---- baton/kernels/node_check.hpp

// What a kernel demands of a node before it relies on it: operands, sizes, quantization and options, whatever a damaged model holds.

// ---- baton/kernels/quantized.hpp

// The numeric rules of 8-bit kernels: real factors as fixed-point multipliers, requantization, bounds of fused activations.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace baton::portable {

/// A real factor as the reference kernels of TensorFlow Lite hold it: value / 2^31 · 2^shift, the value 0 or in [2^30, 2^31).
struct fixed_multiplier {
  std::int32_t value = 0;
  std::int32_t shift = 0;

  constexpr auto operator==(const fixed_multiplier&) const -> bool = default;
};

/// The fixed multiplier next to a real factor that is 0 or positive and finite; TensorFlow Lite's `QuantizeMultiplier`:
/// the fraction of `frexp` is rounded to 31 bits, half away from zero, and what would be shifted out wholly is 0.
constexpr auto to_fixed(double real) -> fixed_multiplier {
  const auto bits = std::bit_cast<std::uint64_t>(real);
  const auto mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  auto exponent = static_cast<std::int32_t>(bits >> 52) - 1022;
  auto value = (mantissa + (1u << 21)) >> 22;
  if (value == std::uint64_t{1} << 31) {
    value >>= 1;
    ++exponent;
  }
  return exponent < -31 ? fixed_multiplier{} : fixed_multiplier{static_cast<std::int32_t>(value), exponent};
}

/// a · b / 2^31, rounded to nearest, half up; INT32_MIN² saturates. gemmlowp's `SaturatingRoundingDoublingHighMul`.
constexpr auto high_multiply(std::int32_t a, std::int32_t b) -> std::int32_t {
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  if (a == least && b == least) return std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>((static_cast<std::int64_t>(a) * b + (std::int64_t{1} << 30)) >> 31);
}

/// x / 2^bits, rounded half away from zero; 1 <= bits <= 31, x over INT32_MIN, and below INT32_MAX where bits is 1. gemmlowp's
/// `RoundingDivideByPOT`, halved in two steps so that nothing overflows: floor((floor(y / 2^(bits - 1)) + 1) / 2) = floor((y + 2^(bits -
/// 1)) / 2^bits).
constexpr auto rounding_shift_right(std::int32_t x, std::int32_t bits) -> std::int32_t {
  return (((x + (x >> 31)) >> (bits - 1)) + 1) >> 1;
}

/// x · 2^bits; what leaves 32 bits is lost.
constexpr auto shift_left(std::int32_t x, std::int32_t bits) -> std::int32_t {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << bits);
}

/// x times a factor below 1/2, rounded twice: `right` is at least 1. The value may be 0, never negative.
constexpr auto requantize_right(std::int32_t x, std::int32_t value, std::int32_t right) -> std::int32_t {
  return rounding_shift_right(static_cast<std::int32_t>((static_cast<std::int64_t>(x) * value + (std::int64_t{1} << 30)) >> 31), right);
}

/// x times a fixed multiplier, rounded twice: the high half of the product first, then the right shift (gemmlowp; B. Jacob et al.,
/// Quantization and training of neural networks for efficient integer-arithmetic-only inference, 2018). Single rounding gives other
/// results.
constexpr auto requantize(std::int32_t x, fixed_multiplier by) -> std::int32_t {
  if (by.shift < 0) return requantize_right(x, by.value, -by.shift);
  return high_multiply(shift_left(x, by.shift), by.value);
}

/// The activations that TensorFlow Lite fuses into other operators and that all of its kernels compute.
enum class activation : std::int32_t { none, relu, relu_n1_to_1, relu6, unknown };

/// The activation of that name, as the importer spells it.
constexpr auto activation_of(std::string_view name) -> activation {
  if (name == "none") return activation::none;
  if (name == "relu") return activation::relu;
  if (name == "relu6") return activation::relu6;
  return name == "relu_n1_to_1" ? activation::relu_n1_to_1 : activation::unknown;
}

/// The interval that an activation leaves; both ends belong to it.
template <class T>
struct bounds {
  T lower{};
  T upper{};

  constexpr auto clamp(T x) const -> T { return x < lower ? lower : upper < x ? upper : x; }
  constexpr auto operator==(const bounds&) const -> bool = default;
};

/// The bounds of float outputs. None still bounds: the reference cuts infinities to the largest finite numbers.
constexpr auto float_bounds(activation fused) -> bounds<float> {
  constexpr auto most = std::numeric_limits<float>::max();
  switch (fused) {
    case activation::relu:
      return {0.0f, most};
    case activation::relu6:
      return {0.0f, 6.0f};
    case activation::relu_n1_to_1:
      return {-1.0f, 1.0f};
    default:
      return {-most, most};
  }
}

/// zero point + round(real / scale), in float and half away from zero, cut to int8.
constexpr auto quantized_bound(float real, float scale, std::int32_t zero_point) -> std::int32_t {
  const float steps = real / scale;
  if (steps >= 512.0f) return 127;
  if (steps <= -512.0f) return -128;
  // Truncation and the exact rest in place of a sum with 0.5, which would round once more.
  const auto whole = static_cast<std::int32_t>(steps);
  const float rest = steps - static_cast<float>(whole);
  const auto bound = zero_point + whole + (rest >= 0.5f ? 1 : rest <= -0.5f ? -1 : 0);
  return bound < -128 ? -128 : bound > 127 ? 127 : bound;
}

/// The bounds of int8 outputs with this scale and zero point (TensorFlow Lite's `CalculateActivationRangeQuantized`).
constexpr auto int8_bounds(activation fused, float scale, std::int32_t zero_point) -> bounds<std::int32_t> {
  switch (fused) {
    case activation::relu:
      return {quantized_bound(0.0f, scale, zero_point), 127};
    case activation::relu6:
      return {quantized_bound(0.0f, scale, zero_point), quantized_bound(6.0f, scale, zero_point)};
    case activation::relu_n1_to_1:
      return {quantized_bound(-1.0f, scale, zero_point), quantized_bound(1.0f, scale, zero_point)};
    default:
      return {-128, 127};
  }
}

/// The 32 bits that lie at `element` in packed little-endian numbers, at the cost of one statement in a constant.
constexpr auto little_endian_32(std::span<const char> packed, std::size_t element) -> std::uint32_t {
  const char* at = packed.data() + 4 * element;
  return static_cast<std::uint32_t>(static_cast<unsigned char>(at[0])) |
         static_cast<std::uint32_t>(static_cast<unsigned char>(at[1])) << 8 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(at[2])) << 16 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(at[3])) << 24;
}

/// The multipliers of a node's output channels, one for all where N is 1, as a kernel's read-only table.
template <std::size_t N>
struct channel_table {
  std::array<std::int32_t, N> values{};
  std::array<std::int8_t, N> rights{};  ///< right shifts; a left shift is negative
  bool all_right = true;                ///< whether every factor is below 1/2, as it nearly always is: then requantization has no branch
};

/// Notes a channel's factor. A factor of 0 shifts right like the others; one of 2^30 or more is cut.
template <std::size_t N>
constexpr void set_channel(channel_table<N>& table, std::size_t channel, double real) {
  const auto by = to_fixed(real);
  const std::int32_t right = by.value == 0 ? 1 : by.shift > 30 ? -30 : -by.shift;
  table.values[channel] = by.value;
  table.rights[channel] = static_cast<std::int8_t>(right);
  if (right < 1) table.all_right = false;
}

/// The table of a convolution: scale of the input · scale of the filter / scale of the output, all in double.
template <std::size_t N>
constexpr auto convolution_table(float input_scale, std::span<const char> filter_scales, float output_scale) -> channel_table<N> {
  channel_table<N> table;
  const auto input = static_cast<double>(input_scale);
  const auto output = static_cast<double>(output_scale);
  for (std::size_t channel = 0; channel < N; ++channel) {
    set_channel(table, channel, input * static_cast<double>(std::bit_cast<float>(little_endian_32(filter_scales, channel))) / output);
  }
  return table;
}

/// A channel's sum as an int8 output: requantized, moved to the zero point and cut.
/// `AllRight` is the table's `all_right`.
template <bool AllRight>
constexpr auto to_int8(std::int32_t sum, std::int32_t value, std::int32_t right, std::int32_t zero_point, bounds<std::int32_t> range)
    -> std::int8_t {
  const auto scaled = AllRight ? requantize_right(sum, value, right) : requantize(sum, {value, -right});
  return static_cast<std::int8_t>(range.clamp(scaled + zero_point));
}

}  // namespace baton::portable

// ---- baton/kernels/window.hpp

// How a filter or a pool slides along one axis of an image: sizes, SAME and VALID padding, and which taps lie inside.

#include <cstdint>

namespace baton::portable {

/// One axis of a sliding window; all sizes in elements. Structural, so that kernels of equal windows are one instantiation.
struct window_axis {
  std::int32_t input = 1;
  std::int32_t output = 1;
  std::int32_t filter = 1;
  std::int32_t stride = 1;
  std::int32_t dilation = 1;
  std::int32_t before = 0;  ///< padding before the first element

  /// Where in the input the window of an output begins; negative in the padding.
  constexpr auto origin(std::int32_t at) const -> std::int32_t { return at * stride - before; }
  /// The taps of a window that are inside the input: `first_tap` up to, not including, `last_tap`.
  constexpr auto first_tap(std::int32_t from) const -> std::int32_t { return from < 0 ? (dilation - 1 - from) / dilation : 0; }
  constexpr auto last_tap(std::int32_t from) const -> std::int32_t {
    const auto end = input <= from ? 0 : (input - from + dilation - 1) / dilation;
    return end < filter ? end : filter;
  }
};

/// The elements from a filter's first tap to its last.
constexpr auto filter_span(std::int64_t filter, std::int64_t dilation) -> std::int64_t { return (filter - 1) * dilation + 1; }

/// The number of outputs along an axis: as many as the stride needs to cover the input (SAME), or whole windows only (VALID, 0 if none
/// fits). TensorFlow Lite's `ComputeOutSize`.
constexpr auto output_size(bool is_same, std::int64_t input, std::int64_t filter, std::int64_t stride, std::int64_t dilation)
    -> std::int64_t {
  if (is_same) return (input + stride - 1) / stride;
  const auto room = input - filter_span(filter, dilation);
  return room < 0 ? 0 : room / stride + 1;
}

/// The padding before the first element: half of the total, rounded down (`ComputePaddingWithOffset`). Nothing for VALID windows.
constexpr auto padding_before(std::int64_t input, std::int64_t output, std::int64_t filter, std::int64_t stride, std::int64_t dilation)
    -> std::int64_t {
  const auto total = (output - 1) * stride + filter_span(filter, dilation) - input;
  return total > 0 ? total / 2 : 0;
}

/// Calls `f(pixel, tap)` for each tap of a window that is inside the image: the pixel's number in the image, the tap's in the filter.
template <class F>
inline void for_taps(const window_axis& rows, const window_axis& columns, std::int32_t top, std::int32_t left, F f) {
  const auto first_x = columns.first_tap(left);
  const auto last_x = columns.last_tap(left);
  for (auto ky = rows.first_tap(top); ky < rows.last_tap(top); ++ky) {
    const auto line = (top + ky * rows.dilation) * columns.input + left;
    for (auto kx = first_x; kx < last_x; ++kx) f(line + kx * columns.dilation, ky * columns.filter + kx);
  }
}

}  // namespace baton::portable

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace baton::portable {

/// The largest operand in bytes: positions, and sums of a few of them, stay inside int32.
inline constexpr std::int64_t most_bytes = std::int64_t{1} << 30;

namespace detail {
inline constexpr std::array<std::int64_t, 8> ones{1, 1, 1, 1, 1, 1, 1, 1};
}

/// An operand that is there and has a fixed size. The default stands for one that failed: arithmetic on it does no harm.
struct operand {
  dtype type = dtype::float32;
  value_kind kind = value_kind::intermediate;
  std::span<const std::int64_t> shape = detail::ones;
  std::int32_t count = 1;  ///< elements
  quantization quant{};
  byte_ref data{};

  constexpr auto size(std::size_t axis) const -> std::int32_t { return static_cast<std::int32_t>(shape[axis]); }
  constexpr auto last() const -> std::int32_t { return shape.empty() ? 1 : static_cast<std::int32_t>(shape.back()); }
  constexpr auto is_float() const -> bool { return type == dtype::float32; }
  constexpr auto is_int8() const -> bool { return type == dtype::int8; }
};

/// The scale and zero point of a tensor that has one of each.
struct affine {
  float scale = 1;
  std::int32_t zero_point = 0;
};

/// Collects what a kernel demands of a node; the first demand that does not hold is the reason of the verdict.
/// After it every reading gives something harmless, so that a description is written as a straight line and asked once.
class node_check {
 public:
  constexpr node_check(const program_view& program, const node& record) : program_(program), record_(record) {}

  /// Notes a demand; says whether all demands so far hold.
  template <class... Parts>
  constexpr auto demand(bool holds, const Parts&... reason) -> bool {
    if (found_.accepted && !holds) found_ = refuse(reason...);
    return found_.accepted;
  }
  constexpr auto ok() const -> bool { return found_.accepted; }
  constexpr auto verdict_so_far() -> verdict { return std::move(found_); }

  /// Demands a number of operands, counting those left out, and one output.
  constexpr void counts(std::uint32_t least, std::uint32_t most) {
    demand(record_.inputs.size >= least && record_.inputs.size <= most, "the operator has ", record_.inputs.size, " operands");
    demand(record_.outputs.size == 1, "the operator has ", record_.outputs.size, " outputs");
  }

  /// Whether an operand that may be left out is there.
  constexpr auto has_input(std::size_t i) const -> bool {
    return ok() && i < record_.inputs.size && program_.inputs(record_)[i] != none<value_id>;
  }
  /// Operand `i`, of that rank (0: any).
  constexpr auto input(std::size_t i, std::string_view what, std::size_t rank = 0) -> operand {
    return ok() ? read(program_.inputs(record_)[i], what, rank) : operand{};
  }
  constexpr auto output(std::size_t rank = 0) -> operand {
    return ok() ? read(program_.outputs_of(record_)[0], "output", rank) : operand{};
  }

  /// An integer option between `least` and `most`.
  constexpr auto option(literal_name key, std::int64_t absent, std::int64_t least, std::int64_t most) -> std::int32_t {
    const auto given = program_.integer(record_, key, absent);
    return demand(given >= least && given <= most, key.text, " is ", given) ? static_cast<std::int32_t>(given) : 1;
  }
  /// The fused activation.
  constexpr auto fused() -> activation {
    const auto name = program_.text(record_, "fused_activation_function", "none");
    const auto found = activation_of(name);
    demand(found != activation::unknown, "fused activation ", name);
    return found;
  }
  /// Whether padding is SAME; demands that it is that or VALID.
  constexpr auto is_same_padding() -> bool {
    const auto name = program_.text(record_, "padding");
    demand(name == "same" || name == "valid", "padding is ", name);
    return name == "same";
  }

  /// An axis of the node's window; demands that the output has the size that follows.
  constexpr auto axis(std::string_view what, bool is_same, std::int32_t in, std::int32_t out, std::int32_t filter, std::int32_t stride,
                      std::int32_t dilation) -> window_axis {
    demand(filter_span(filter, dilation) <= most_bytes / 2, "filter ", what, " ", filter, " with dilation ", dilation);
    const auto expected = output_size(is_same, in, filter, stride, dilation);
    if (!demand(out == expected, "output ", what, " is ", out, ", geometry gives ", expected)) return {};
    return {in, out, filter, stride, dilation, static_cast<std::int32_t>(padding_before(in, out, filter, stride, dilation))};
  }

  /// Demands one usable scale and a zero point in the range of int8, and gives them.
  constexpr auto per_tensor(const operand& of, std::string_view what) -> affine {
    if (!ok()) return {};
    const auto& quant = of.quant;
    const bool is_there = quant.channels == 1 && quant.scales.size == 4 && (quant.zero_points.size == 0 || quant.zero_points.size == 8);
    if (!demand(is_there, what, " has no quantization per tensor")) return {};
    const auto scale = program_.scale(quant);
    demand(scale > 0 && scale <= std::numeric_limits<float>::max(), what, " has a scale that is not positive and finite");
    const auto zero_point = program_.zero_point(quant);
    if (!demand(zero_point >= -128 && zero_point <= 127, what, " has zero point ", zero_point)) return {};
    return {scale, static_cast<std::int32_t>(zero_point)};
  }

  /// Demands that two int8 tensors mean the same by the same number; scales may differ by what TensorFlow Lite lets pass (1e-6).
  constexpr void same_quantization(const operand& in, const operand& out) {
    const auto from = per_tensor(in, "input");
    const auto to = per_tensor(out, "output");
    demand(from.scale - to.scale <= 1e-6f && to.scale - from.scale <= 1e-6f, "scales of input and output differ");
    demand(from.zero_point == to.zero_point, "zero point ", from.zero_point, " becomes ", to.zero_point);
  }

  /// Demands data that never changes and is wholly there.
  constexpr void constant_data(const operand& of, std::string_view what) {
    const bool is_constant = is_owned_data(of.kind) && of.kind != value_kind::mutable_buffer;
    const auto bytes = byte_count(of.type, of.shape);
    demand(is_constant && of.data.size == bytes, what, " is no constant of ", bytes, " bytes");
  }

  /// Demands symmetric int8 weights: one scale, or one for each of `channels` along `axis`; every scale 0 or positive and finite, zero
  /// points 0.
  constexpr void symmetric_weights(const operand& of, std::int32_t channels, std::int32_t along) {
    if (!ok()) return;
    const auto& quant = of.quant;
    const bool fits = quant.channels == 1 || (quant.channels == static_cast<std::uint32_t>(channels) && quant.axis == along);
    if (!demand(fits, "filter has ", quant.channels, " scales along axis ", quant.axis, " for ", channels, " channels along axis ", along))
      return;
    const auto zeros = quant.zero_points.size;
    const bool is_whole =
        quant.scales.size == std::uint64_t{4} * quant.channels && (zeros == 0 || zeros == 8 || zeros == std::uint64_t{8} * quant.channels);
    if (!demand(is_whole, "filter has a damaged quantization")) return;
    const auto scales = program_.data(quant.scales);
    for (std::size_t i = 0; i < quant.channels; ++i) {
      if (!is_usable_scale(scales.data() + 4 * i)) demand(false, "filter scale ", i, " is negative or not finite");
    }
    const auto zero_points = program_.data(quant.zero_points);
    for (std::size_t i = 0; i < zeros; i += 8) {
      if (!are_zero(zero_points.data() + i)) demand(false, "filter zero point ", i / 8, " is not 0");
    }
  }

  /// Demands an int32 (beside int8) or float32 bias for these channels.
  constexpr void bias(std::size_t i, bool is_int8, std::int32_t channels) {
    const auto found = input(i, "bias");
    demand(found.type == (is_int8 ? dtype::int32 : dtype::float32), "bias is ", facts(found.type).name);
    demand(found.count == channels, "bias has ", found.count, " elements for ", channels, " channels");
    constant_data(found, "bias");
  }

 private:
  // A thousand channels must cost little in a constant: two bytes tell sign and exponent, and each check is one statement.
  static constexpr auto is_usable_scale(const char* at) -> bool {
    return (static_cast<unsigned char>(at[3]) << 8 | static_cast<unsigned char>(at[2])) < 0x7f80;
  }
  static constexpr auto are_zero(const char* at) -> bool { return (at[0] | at[1] | at[2] | at[3] | at[4] | at[5] | at[6] | at[7]) == 0; }

  constexpr auto read(value_id id, std::string_view what, std::size_t rank) -> operand {
    if (!demand(index(id) < program_.values.size(), what, " is missing")) return {};
    const auto& record = program_[id];
    const auto shape = program_.integer_list(record.shape);
    if (!demand(rank == 0 || shape.size() == rank, what, " has rank ", shape.size(), ", not ", rank)) return {};
    const auto bytes = byte_count(record.type, shape);
    if (!demand(bytes > 0 && bytes <= most_bytes, what, " is empty, of unknown size or over ", most_bytes, " bytes")) return {};
    return {record.type, record.kind, shape, static_cast<std::int32_t>(element_count(shape)), record.quant, record.data};
  }

  const program_view& program_;
  const node& record_;
  verdict found_ = accept();
};

/// What a kernel makes of a node it supports, and whether it does.
template <class Plan>
struct description {
  verdict found{};
  Plan plan{};
};

}  // namespace baton::portable

// ---- baton/kernels/products.hpp

// Sums of products of a run of inputs with rows of weights: the inner loop of convolutions and fully connected layers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace baton::portable {

/// The number at a position counted in elements, wherever the bytes lie: constants of a model need not be aligned.
template <class T>
auto load(const char* from, std::ptrdiff_t element = 0) -> T {
  T number;
  std::memcpy(&number, from + element * static_cast<std::ptrdiff_t>(sizeof(T)), sizeof(T));
  return number;
}
template <class T>
void store(char* to, std::ptrdiff_t element, T number) {
  std::memcpy(to + element * static_cast<std::ptrdiff_t>(sizeof(T)), &number, sizeof(T));
}

/// Whether the machine has vector registers: 64-bit machines do. Loops over a few elements serve these, unrolled registers the others.
inline constexpr bool has_vectors = sizeof(void*) > 4;

/// The elements side by side that are worked on together: whole vectors, or a handful of registers.
inline constexpr std::size_t lanes = has_vectors ? 16 : 4;

/// Calls `f(n)` for each n below `N`, in order: as a loop where vectors can be made of it, else one by one with `n` an
/// `std::integral_constant`, so that what it indexes stays in registers.
template <std::size_t N, class F>
[[gnu::always_inline]] inline void for_lanes(F f) {
  if constexpr (has_vectors) {
    for (std::size_t n = 0; n < N; ++n) f(n);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }(std::make_index_sequence<N>{});
  }
}

/// `N` int8 numbers less their zero point, as 16-bit numbers: 9 bits fit, and a product of 16-bit numbers is one instruction on many
/// machines.
template <std::int32_t ZeroPoint, int N>
inline void widen(const std::int8_t* from, std::int16_t* to) {
  constexpr int block = 16;
  constexpr int whole = has_vectors ? N - N % block : 0;
  // Compilers cannot know that `to` is not `from`; a copy in between lets them use vectors.
  for (int k = 0; k < whole; k += block) {
    std::int8_t numbers[block];
    std::memcpy(numbers, from + k, block);
    for (int i = 0; i < block; ++i) to[k + i] = static_cast<std::int16_t>(numbers[i] - ZeroPoint);
  }
  for (int k = whole; k < N; ++k) to[k] = static_cast<std::int16_t>(from[k] - ZeroPoint);
}

namespace detail {

// How inputs and weights are read. The weights of the channels that are summed together begin `Pitch` elements apart.
template <std::int32_t ZeroPoint>
struct int8_reading {
  static auto input(const std::int8_t* from, int k) -> std::int32_t { return from[k] - ZeroPoint; }
  static auto input(const std::int16_t* from, int k) -> std::int16_t { return from[k]; }
  static auto weight(const std::int8_t* from, std::ptrdiff_t k) -> std::int8_t { return from[k]; }
};
struct float_reading {
  static auto input(const char* from, int k) -> float { return load<float>(from, k); }
  static auto weight(const char* from, std::ptrdiff_t k) -> float { return load<float>(from, k); }
};

// What follows is the innermost loop: it is inlined at -Os too.
template <class Reading, int Pitch, class Input, class Weight, class Sum, std::size_t... M>
[[gnu::always_inline]] inline void add_product(const Input* from, const Weight* weights, int k, Sum* sums, std::index_sequence<M...>) {
  const auto x = Reading::input(from, k);
  ((sums[M] += x * Reading::weight(weights, k + static_cast<std::ptrdiff_t>(M) * Pitch)), ...);
}

/// Loops with constant counts: GCC at -O2 makes vectors only of what leaves nothing over, and unrolls nothing of itself.
template <class Reading, int N, int Pitch, std::size_t M, class Input, class Weight, class Sum>
[[gnu::always_inline]] inline void sum_products(const Input* from, const Weight* weights, Sum* sums) {
  constexpr auto rows = std::make_index_sequence<M>{};
  constexpr int step = has_vectors ? 1 : 4;
  constexpr int whole = N - N % (has_vectors ? 16 : step);
  for (int k = 0; k < whole; k += step) {
    add_product<Reading, Pitch>(from, weights, k, sums, rows);
    if constexpr (step == 4) {
      add_product<Reading, Pitch>(from, weights, k + 1, sums, rows);
      add_product<Reading, Pitch>(from, weights, k + 2, sums, rows);
      add_product<Reading, Pitch>(from, weights, k + 3, sums, rows);
    }
  }
  for (int k = whole; k < N; ++k) add_product<Reading, Pitch>(from, weights, k, sums, rows);
}

}  // namespace detail

/// Adds to `M` sums the products of `N` widened inputs with `M` rows of int8 weights that begin `Pitch` elements apart.
/// A function of its own, with sums of its own: inlined into a kernel's loops, sums or addresses fall out of the registers of small
/// machines.
template <int N, int Pitch, std::size_t M>
[[gnu::noinline]] inline void add_products(const std::int16_t* from, const std::int8_t* weights, std::array<std::int32_t, M>& into) {
  std::int32_t sums[M] = {};
  detail::sum_products<detail::int8_reading<0>, N, Pitch, M>(from, weights, sums);
  for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
}

/// The same from int8 inputs as they lie in memory. For vectors they are widened piece by piece, which takes little stack whatever `N` is.
template <std::int32_t ZeroPoint, int N, int Pitch, std::size_t M>
[[gnu::noinline]] inline void add_products(const std::int8_t* from, const std::int8_t* weights, std::array<std::int32_t, M>& into) {
  if constexpr (has_vectors) {
    constexpr int piece = 128;
    constexpr int rest = N % piece;
    alignas(16) std::int16_t widened[static_cast<std::size_t>(N < piece ? N : piece)];
    for (int k = 0; k + piece <= N; k += piece) {
      widen<ZeroPoint, piece>(from + k, widened);
      add_products<piece, Pitch>(widened, weights + k, into);
    }
    if constexpr (rest != 0) {
      widen<ZeroPoint, rest>(from + (N - rest), widened);
      add_products<rest, Pitch>(widened, weights + (N - rest), into);
    }
  } else {
    std::int32_t sums[M] = {};
    detail::sum_products<detail::int8_reading<ZeroPoint>, N, Pitch, M>(from, weights, sums);
    for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
  }
}

/// The same for float32. Products are added in the order of the inputs, as the reference does: another order rounds otherwise.
template <int N, int Pitch, std::size_t M>
inline void add_products(const char* from, const char* weights, std::array<float, M>& into) {
  auto sums = into;
  detail::sum_products<detail::float_reading, N, Pitch, M>(from, weights, sums.data());
  into = sums;
}

/// Calls `f(at, n)` for runs of `AtOnce` of `Count` elements, and for what is left; `n` is the length as an `std::integral_constant`.
template <int Count, std::size_t AtOnce, class F>
inline void for_runs(F f) {
  constexpr auto step = static_cast<int>(AtOnce);
  constexpr int rest = Count % step;
  for (int at = 0; at + step <= Count; at += step) f(at, std::integral_constant<std::size_t, AtOnce>{});
  if constexpr (rest != 0) f(Count - rest, std::integral_constant<std::size_t, static_cast<std::size_t>(rest)>{});
}

}  // namespace baton::portable

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::portable {

/// What the compiler knows of a layer's outputs. Structural: layers of equal ones share their code.
struct channel_output {
  flag is_int8 = 0;
  flag has_bias = 0;
  flag is_per_channel = 0;  ///< whether each channel has a multiplier of its own
  std::int32_t channels = 1;
  std::int32_t input_zero_point = 0;
  std::int32_t zero_point = 0;
  bounds<std::int32_t> range{};         ///< of int8
  activation fused = activation::none;  ///< of float; the int8 range has it in it

  constexpr auto table_size() const -> std::size_t { return is_per_channel ? static_cast<std::size_t>(channels) : 1; }
};
static_assert(has_no_padding<channel_output>);

/// The operands of a layer with weights: operand 0 is the input, 1 the filter, 2 the bias.
struct layer_operands {
  operand in{};
  operand filter{};
  operand out{};
  std::int32_t channels = 1;  ///< of the output
  std::int32_t axis = 0;      ///< of the filter, along which scales differ
  std::int32_t products = 1;  ///< that make one output
};

/// Demands what every layer with weights demands of its types, weights, bias, quantization and activation.
constexpr auto check_channels(node_check& check, const layer_operands& layer) -> channel_output {
  channel_output made{.is_int8 = layer.in.is_int8(), .has_bias = check.has_input(2), .channels = layer.channels};
  const bool same_types = layer.in.type == layer.filter.type && layer.in.type == layer.out.type;
  check.demand(same_types && (layer.in.is_int8() || layer.in.is_float()), "input ", facts(layer.in.type).name, ", filter ",
               facts(layer.filter.type).name, " and output ", facts(layer.out.type).name, " are not all int8 or all float32");
  check.constant_data(layer.filter, "filter");
  if (made.has_bias) check.bias(2, made.is_int8, layer.channels);
  const auto fused = check.fused();
  if (!made.is_int8) {
    made.fused = fused;
    return made;
  }
  // 255 · 128 is the largest product.
  check.demand(layer.products <= INT32_MAX / (255 * 128), "sums of ", layer.products, " products may not fit 32 bits");
  check.symmetric_weights(layer.filter, layer.channels, layer.axis);
  const auto in = check.per_tensor(layer.in, "input");
  const auto out = check.per_tensor(layer.out, "output");
  made.is_per_channel = layer.filter.quant.channels > 1;
  made.input_zero_point = in.zero_point;
  made.zero_point = out.zero_point;
  made.range = int8_bounds(fused, out.scale, out.zero_point);
  return made;
}

/// Which product of scales is rounded to float: none, or that of input and filter where the filter has one scale.
/// TensorFlow Lite does the one in convolutions, the other in fully connected layers.
enum class channel_scaling : std::uint8_t { in_double, one_scale_in_float };

/// The multipliers of a node of which `check_channels` holds, made in the compiler from its scales; `N` is `table_size()`.
template <std::size_t N>
constexpr auto table_of(const program_view& program, const node& record, channel_scaling scaling) -> channel_table<N> {
  const auto& filter = program[program.inputs(record)[1]].quant;
  const auto input_scale = program.scale(program[program.inputs(record)[0]].quant);
  const auto output_scale = program.scale(program[program.outputs_of(record)[0]].quant);
  if (filter.channels != 1 || scaling == channel_scaling::in_double) {
    return convolution_table<N>(input_scale, program.data(filter.scales), output_scale);
  }
  channel_table<N> table;
  const float product = input_scale * program.scale(filter);
  set_channel(table, 0, static_cast<double>(product) / static_cast<double>(output_scale));
  return table;
}

/// The output channels of an int8 layer.
template <channel_output O, bool AllRight>
struct int8_channels {
  using element = std::int8_t;
  using sum = std::int32_t;
  using factor = std::conditional_t<has_vectors, std::int16_t, std::int32_t>;  // 16 bits suffice, which vectors are glad of
  static constexpr bool is_int8 = true;
  static constexpr std::ptrdiff_t element_bytes = 1;
  static constexpr std::size_t at_once = 4;  // of x86-64's 16 vector registers and a Cortex-M's 13 others

  const char* bias;
  const std::int32_t* values;
  const std::int8_t* rights;

  static auto elements(const char* bytes) -> const element* { return reinterpret_cast<const element*>(bytes); }
  static auto elements(char* bytes) -> element* { return reinterpret_cast<element*>(bytes); }

  /// Adds the products of `N` inputs with weights of as many channels as there are sums.
  template <int N, int Pitch, std::size_t M>
  static void add(const element* from, const element* weights, std::array<sum, M>& sums) {
    add_products<O.input_zero_point, N, Pitch>(from, weights, sums);
  }

  /// Adds the products of inputs and weights that lie side by side. Copies tell a compiler that makes vectors that nothing overlaps.
  template <std::size_t M>
  static void add_each(const element* from, const element* weights, std::array<sum, M>& sums) {
    std::array<element, M> inputs;
    std::array<element, M> factors;
    std::memcpy(inputs.data(), from, M);
    std::memcpy(factors.data(), weights, M);
    for_lanes<M>([&](auto m) { sums[m] += static_cast<factor>(inputs[m] - O.input_zero_point) * factors[m]; });
  }

  /// Adds the products of one input with weights that lie side by side.
  template <std::size_t M>
  static void add_spread(const element* from, const element* weights, std::array<sum, M>& sums) {
    const auto input = static_cast<factor>(*from - O.input_zero_point);
    std::array<element, M> factors;
    std::memcpy(factors.data(), weights, M);
    for_lanes<M>([&](auto m) { sums[m] += input * factors[m]; });
  }

  /// Writes channels from `first` on of the pixel at `to`.
  template <std::size_t M>
  void store(const std::array<sum, M>& sums, std::int32_t first, element* to) const {
    for (std::size_t m = 0; m < M; ++m) {
      const auto channel = first + static_cast<std::int32_t>(m);
      auto total = sums[m];
      if constexpr (O.has_bias) total += load<std::int32_t>(bias, channel);
      const auto at = O.is_per_channel ? channel : 0;
      to[channel] = to_int8<AllRight>(total, values[at], rights[at], O.zero_point, O.range);
    }
  }
};

/// The output channels of a float32 layer; elements are addressed in bytes.
template <channel_output O>
struct float_channels {
  using element = char;
  using sum = float;
  static constexpr bool is_int8 = false;
  static constexpr std::ptrdiff_t element_bytes = 4;
  static constexpr std::size_t at_once = 8;

  const char* bias;

  static auto elements(const char* bytes) -> const element* { return bytes; }
  static auto elements(char* bytes) -> element* { return bytes; }

  template <int N, int Pitch, std::size_t M>
  static void add(const element* from, const element* weights, std::array<sum, M>& sums) {
    add_products<N, Pitch>(from, weights, sums);
  }

  template <std::size_t M>
  static void add_each(const element* from, const element* weights, std::array<sum, M>& sums) {
    for_lanes<M>([&](auto m) {
      sums[m] += load<float>(from, static_cast<std::ptrdiff_t>(m)) * load<float>(weights, static_cast<std::ptrdiff_t>(m));
    });
  }

  template <std::size_t M>
  static void add_spread(const element* from, const element* weights, std::array<sum, M>& sums) {
    const auto input = load<float>(from);
    for_lanes<M>([&](auto m) { sums[m] += input * load<float>(weights, static_cast<std::ptrdiff_t>(m)); });
  }

  template <std::size_t M>
  void store(const std::array<sum, M>& sums, std::int32_t first, element* to) const {
    constexpr auto range = float_bounds(O.fused);
    for (std::size_t m = 0; m < M; ++m) {
      const auto channel = first + static_cast<std::int32_t>(m);
      auto total = sums[m];
      if constexpr (O.has_bias) total += load<float>(bias, channel);
      baton::portable::store(to, channel, range.clamp(total));
    }
  }
};

/// The output channels of a node, its table in read-only memory.
template <channel_output O, class Call, channel_scaling Scaling>
auto channels_of(const Call& call) {
  const char* bias = nullptr;
  if constexpr (O.has_bias) bias = call.template input<2>();
  if constexpr (O.is_int8) {
    static constexpr auto table = table_of<O.table_size()>(Call::program(), Call::record(), Scaling);
    return int8_channels<O, table.all_right>{bias, table.values.data(), table.rights.data()};
  } else {
    return float_channels<O>{bias};
  }
}

}  // namespace baton::portable

// ---- baton/kernels/convolution.hpp

// Two-dimensional convolution, `tfl.conv_2d`, for int8 and float32.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

/// The geometry of a convolution. Nodes with equal ones share their code: what differs (weights, multipliers) comes as pointers.
struct convolution {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t group_channels = 1;  ///< of the filter; fewer than `in_channels` where output channels see a group of input channels only
  window_axis rows{};
  window_axis columns{};
  channel_output out{};

  constexpr auto taps() const -> std::int32_t { return rows.filter * columns.filter; }
  constexpr auto groups() const -> std::int32_t { return in_channels / group_channels; }
  /// Output rows of all batches, one after the other.
  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
};
static_assert(has_no_padding<convolution>);

/// Shapes: input [N, H, W, C], filter [C', h, w, C / groups], bias [C'] or absent, output [N, H', W', C'].
constexpr auto describe_convolution(const program_view& program, const node& record) -> description<convolution> {
  node_check check{program, record};
  check.counts(2, 3);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  const auto is_same = check.is_same_padding();
  convolution plan;
  plan.batches = in.size(0);
  plan.in_channels = in.size(3);
  plan.group_channels = filter.size(3);
  check.demand(in.size(0) == out.size(0), "batch of ", in.size(0), " gives a batch of ", out.size(0));
  check.demand(out.size(3) == filter.size(0), "filter makes ", filter.size(0), " channels, the output has ", out.size(3));
  const bool has_groups = in.size(3) % filter.size(3) == 0 && filter.size(0) % (in.size(3) / filter.size(3)) == 0;
  check.demand(has_groups, "filter channels ", filter.size(3), " do not match input channels ", in.size(3));
  plan.rows = check.axis("height", is_same, in.size(1), out.size(1), filter.size(1), check.option("stride_h", 1, 1, most_bytes),
                         check.option("dilation_h_factor", 1, 1, most_bytes));
  plan.columns = check.axis("width", is_same, in.size(2), out.size(2), filter.size(2), check.option("stride_w", 1, 1, most_bytes),
                            check.option("dilation_w_factor", 1, 1, most_bytes));
  plan.out = check_channels(
      check, {.in = in, .filter = filter, .out = out, .channels = filter.size(0), .axis = 0, .products = filter.count / filter.size(0)});
  return {check.verdict_so_far(), plan};
}

namespace detail {

// The longest patch that is widened on the stack (2 KB); the taps of longer ones are read where they lie.
inline constexpr std::int32_t most_patch = 1024;

/// The input of one output pixel, widened and without its zero point; taps in the padding are 0, which is what they add to a sum.
template <convolution G>
inline void gather(const std::int8_t* image, std::int32_t top, std::int32_t left, std::int16_t* patch) {
  constexpr auto channels = G.group_channels;
  constexpr auto width = G.columns.filter * channels;
  for (std::int32_t ky = 0; ky < G.rows.filter; ++ky) {
    const auto y = top + ky * G.rows.dilation;
    const bool is_inside = y >= 0 && y < G.rows.input;
    const std::int8_t* line = image + (is_inside ? y * G.columns.input * G.in_channels : 0);
    if constexpr (G.columns.dilation == 1 && G.groups() == 1) {
      if (is_inside && left >= 0 && left + G.columns.filter <= G.columns.input) {
        widen<G.out.input_zero_point, width>(line + left * channels, patch);
        patch += width;
        continue;
      }
    }
    for (std::int32_t kx = 0; kx < G.columns.filter; ++kx) {
      const auto x = left + kx * G.columns.dilation;
      if (is_inside && x >= 0 && x < G.columns.input) {
        widen<G.out.input_zero_point, channels>(line + x * G.in_channels, patch);
      } else {
        std::memset(patch, 0, static_cast<std::size_t>(channels) * sizeof *patch);
      }
      patch += channels;
    }
  }
}

/// One output pixel of a group from its gathered patch.
template <convolution G, class Channels>
inline void convolve_patch(const std::int8_t* image, const std::int8_t* filter, const Channels& channels, std::int32_t top,
                           std::int32_t left, std::int32_t first_channel, std::int8_t* to) {
  constexpr auto length = G.taps() * G.group_channels;
  alignas(16) std::int16_t patch[static_cast<std::size_t>(length)];
  gather<G>(image, top, left, patch);
  for_runs<G.out.channels / G.groups(), Channels::at_once>([&](std::int32_t c, auto m) {
    const auto channel = first_channel + c;
    std::array<std::int32_t, m> sums{};
    add_products<length, length>(patch, filter + static_cast<std::ptrdiff_t>(channel) * length, sums);
    channels.store(sums, channel, to);
  });
}

/// One output pixel of a group, tap by tap: float, and int8 where a patch would be too long.
template <convolution G, class Element, class Channels>
inline void convolve_taps(const Element* image, const Element* filter, const Channels& channels, std::int32_t top, std::int32_t left,
                          std::int32_t first_channel, Element* to) {
  constexpr auto length = G.taps() * G.group_channels;
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  for_runs<G.out.channels / G.groups(), Channels::at_once>([&](std::int32_t c, auto m) {
    const auto channel = first_channel + c;
    const Element* weights = filter + static_cast<std::ptrdiff_t>(channel) * length * bytes;
    std::array<typename Channels::sum, m> sums{};
    for_taps(G.rows, G.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
      Channels::template add<G.group_channels, length>(image + pixel * G.in_channels * bytes, weights + tap * G.group_channels * bytes,
                                                       sums);
    });
    channels.store(sums, channel, to);
  });
}

/// Output rows `first` up to, not including, `last`.
template <convolution G, class Element, class Channels>
void convolve(const Element* input, const Element* filter, const Channels channels, Element* output, std::int32_t first,
              std::int32_t last) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  constexpr std::ptrdiff_t image_bytes = bytes * G.rows.input * G.columns.input * G.in_channels;
  constexpr bool has_patch = Channels::is_int8 && std::int64_t{G.taps()} * G.group_channels <= most_patch;
  for (auto row = first; row < last; ++row) {
    const Element* image = input + row / G.rows.output * image_bytes;
    const auto top = G.rows.origin(row % G.rows.output);
    for (std::int32_t x = 0; x < G.columns.output; ++x) {
      const auto left = G.columns.origin(x);
      Element* to = output + (row * G.columns.output + x) * G.out.channels * bytes;
      for (std::int32_t group = 0; group < G.groups(); ++group) {
        const auto first_channel = group * (G.out.channels / G.groups());
        const Element* from = image + group * G.group_channels * bytes;
        if constexpr (has_patch) {
          convolve_patch<G>(from, filter, channels, top, left, first_channel, to);
        } else {
          convolve_taps<G>(from, filter, channels, top, left, first_channel, to);
        }
      }
    }
  }
}

}  // namespace detail

/// `tfl.conv_2d` on int8 (weights per channel or per tensor) or float32; any padding, stride, dilation, groups, fused activation none,
/// relu, relu_n1_to_1 or relu6. Numeric rules: TensorFlow Lite 8-bit quantization specification, with the double rounding of its reference
/// kernels. Pixels are written in row-major order, the channels inside; while a pixel is written, its inputs are still read.
struct conv_2d {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.conv_2d")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_convolution(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto rows = describe_convolution(Call::program(), Call::record()).plan.output_rows();
    run_rows(call, 0, rows);
  }

  /// Output rows `first` up to, not including, `last`; the rows of a batch's second image follow those of its first.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = describe_convolution(Call::program(), Call::record()).plan;
    const auto channels = channels_of<plan.out, Call, channel_scaling::in_double>(call);
    using channel_kind = decltype(channels);
    detail::convolve<plan>(channel_kind::elements(call.template input<0>()), channel_kind::elements(call.template input<1>()), channels,
                           channel_kind::elements(call.template output<0>()), first, last);
  }
};
static_assert(kernel<conv_2d>);

}  // namespace baton::portable

// ---- baton/kernels/depthwise.hpp

// Depthwise convolution, `tfl.depthwise_conv_2d`, for int8 and float32.

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

/// The geometry of a depthwise convolution: output channel c · multiplier + i sees input channel c only.
struct depthwise {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t multiplier = 1;
  window_axis rows{};
  window_axis columns{};
  channel_output out{};

  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
};
static_assert(has_no_padding<depthwise>);

/// Shapes: input [N, H, W, C], filter [1, h, w, C · m], bias [C · m] or absent, output [N, H', W', C · m].
constexpr auto describe_depthwise(const program_view& program, const node& record) -> description<depthwise> {
  node_check check{program, record};
  check.counts(2, 3);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  const auto is_same = check.is_same_padding();
  depthwise plan;
  plan.batches = in.size(0);
  plan.in_channels = in.size(3);
  plan.multiplier = out.size(3) / in.size(3);
  check.demand(in.size(0) == out.size(0), "batch of ", in.size(0), " gives a batch of ", out.size(0));
  check.demand(filter.size(0) == 1, "filter begins with size ", filter.size(0));
  check.demand(out.size(3) == filter.size(3), "filter makes ", filter.size(3), " channels, the output has ", out.size(3));
  check.demand(out.size(3) % in.size(3) == 0, "output channels ", out.size(3), " are no multiple of input channels ", in.size(3));
  // The option is redundant; 0 stands for "see the shapes".
  const auto stated = check.option("depth_multiplier", 0, 0, most_bytes);
  check.demand(stated == 0 || stated == plan.multiplier, "depth multiplier ", stated, " does not match channels ", in.size(3), " and ",
               out.size(3));
  plan.rows = check.axis("height", is_same, in.size(1), out.size(1), filter.size(1), check.option("stride_h", 1, 1, most_bytes),
                         check.option("dilation_h_factor", 1, 1, most_bytes));
  plan.columns = check.axis("width", is_same, in.size(2), out.size(2), filter.size(2), check.option("stride_w", 1, 1, most_bytes),
                            check.option("dilation_w_factor", 1, 1, most_bytes));
  plan.out = check_channels(
      check, {.in = in, .filter = filter, .out = out, .channels = filter.size(3), .axis = 3, .products = filter.count / filter.size(3)});
  return {check.verdict_so_far(), plan};
}

namespace detail {

/// One output pixel where each input channel makes one output channel: channels side by side.
template <depthwise G, class Element, class Channels>
inline void convolve_each(const Element* image, const Element* filter, const Channels& channels, std::int32_t top, std::int32_t left,
                          Element* to) {
  constexpr std::ptrdiff_t pitch = Channels::element_bytes * G.out.channels;
  for_runs<G.out.channels, lanes>([&](std::int32_t channel, auto n) {
    const auto skip = Channels::element_bytes * channel;
    std::array<typename Channels::sum, n> sums{};
    for_taps(G.rows, G.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
      Channels::add_each(image + pixel * pitch + skip, filter + tap * pitch + skip, sums);
    });
    const auto finished = sums;  // to be indexed by a variable, which would keep `sums` out of registers
    channels.store(finished, channel, to);
  });
}

/// One output pixel where each input channel makes several output channels: those of one input channel side by side.
template <depthwise G, class Element, class Channels>
inline void convolve_spread(const Element* image, const Element* filter, const Channels& channels, std::int32_t top, std::int32_t left,
                            Element* to) {
  constexpr std::ptrdiff_t in_pitch = Channels::element_bytes * G.in_channels;
  constexpr std::ptrdiff_t out_pitch = Channels::element_bytes * G.out.channels;
  for (std::int32_t from = 0; from < G.in_channels; ++from) {
    for_runs<G.multiplier, lanes>([&](std::int32_t i, auto n) {
      const auto channel = from * G.multiplier + i;
      std::array<typename Channels::sum, n> sums{};
      for_taps(G.rows, G.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
        Channels::add_spread(image + pixel * in_pitch + Channels::element_bytes * from,
                             filter + tap * out_pitch + Channels::element_bytes * channel, sums);
      });
      const auto finished = sums;
      channels.store(finished, channel, to);
    });
  }
}

template <depthwise G, class Element, class Channels>
void convolve_depthwise(const Element* input, const Element* filter, const Channels channels, Element* output, std::int32_t first,
                        std::int32_t last) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  constexpr std::ptrdiff_t image_bytes = bytes * G.rows.input * G.columns.input * G.in_channels;
  for (auto row = first; row < last; ++row) {
    const Element* image = input + row / G.rows.output * image_bytes;
    const auto top = G.rows.origin(row % G.rows.output);
    for (std::int32_t x = 0; x < G.columns.output; ++x) {
      Element* to = output + (row * G.columns.output + x) * G.out.channels * bytes;
      if constexpr (G.multiplier == 1) {
        convolve_each<G>(image, filter, channels, top, G.columns.origin(x), to);
      } else {
        convolve_spread<G>(image, filter, channels, top, G.columns.origin(x), to);
      }
    }
  }
}

}  // namespace detail

/// `tfl.depthwise_conv_2d` on int8 (weights per channel or per tensor) or float32; any padding, stride, dilation and depth multiplier;
/// fused activation none, relu, relu_n1_to_1 or relu6. Numeric rules: as `conv_2d`. Pixels are written in row-major order, the channels
/// inside; while a pixel is written, its inputs are still read.
struct depthwise_conv_2d {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.depthwise_conv_2d")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_depthwise(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto rows = describe_depthwise(Call::program(), Call::record()).plan.output_rows();
    run_rows(call, 0, rows);
  }

  /// Output rows `first` up to, not including, `last`; the rows of a batch's second image follow those of its first.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = describe_depthwise(Call::program(), Call::record()).plan;
    const auto channels = channels_of<plan.out, Call, channel_scaling::in_double>(call);
    using channel_kind = decltype(channels);
    detail::convolve_depthwise<plan>(channel_kind::elements(call.template input<0>()), channel_kind::elements(call.template input<1>()),
                                     channels, channel_kind::elements(call.template output<0>()), first, last);
  }
};
static_assert(kernel<depthwise_conv_2d>);

}  // namespace baton::portable

// ---- baton/kernels/elementwise.hpp

// Operators on pairs of elements: `tfl.add`, for int8 and float32, with broadcasting.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton::portable {

/// How two operands meet: as they lie (one size, no steps of 0), or each along four axes, where a step of 0 repeats an element.
struct broadcast {
  std::array<std::int32_t, 4> sizes{1, 1, 1, 1};
  std::array<std::int32_t, 4> left{};  ///< steps in elements
  std::array<std::int32_t, 4> right{};
};

/// An int8 input of an addition.
struct added {
  std::int32_t zero_point = 0;
  fixed_multiplier by{};
};

/// What the compiler knows of an addition.
struct addition {
  flag is_int8 = 0;
  broadcast shape{};
  added left{};
  added right{};
  fixed_multiplier by{};  ///< of the sum
  std::int32_t zero_point = 0;
  bounds<std::int32_t> range{};
  activation fused = activation::none;
};
static_assert(has_no_padding<addition>);

namespace detail {

/// The factor of an input or of the sum: the reference takes factors below 1 only.
constexpr auto factor_below_one(node_check& check, double real, std::string_view what) -> fixed_multiplier {
  check.demand(real > 0 && real < 1, "scales are too far apart for ", what);
  return to_fixed(real);
}

constexpr auto match_shapes(node_check& check, const operand& left, const operand& right, const operand& out) -> broadcast {
  broadcast made;
  if (std::ranges::equal(left.shape, out.shape) && std::ranges::equal(right.shape, out.shape)) {
    made.sizes[3] = out.count;
    made.left[3] = made.right[3] = 1;
    return made;
  }
  const auto rank = out.shape.size();
  check.demand(rank <= 4 && left.shape.size() <= rank && right.shape.size() <= rank, "broadcasting to rank ", rank, " from rank ",
               left.shape.size(), " and ", right.shape.size());
  if (!check.ok()) return made;
  const auto size_of = [rank](const operand& of, std::size_t axis) {
    const auto missing = rank - of.shape.size();
    return axis < missing ? 1 : of.size(axis - missing);
  };
  std::int32_t left_step = 1;
  std::int32_t right_step = 1;
  for (std::size_t back = 1; back <= rank; ++back) {
    const auto l = size_of(left, rank - back);
    const auto r = size_of(right, rank - back);
    const auto o = out.size(rank - back);
    check.demand((l == r || l == 1 || r == 1) && o == (l == 1 ? r : l), "sizes ", l, " and ", r, " do not broadcast to ", o);
    made.sizes[4 - back] = o;
    made.left[4 - back] = l == 1 ? 0 : left_step;
    made.right[4 - back] = r == 1 ? 0 : right_step;
    left_step *= l;
    right_step *= r;
  }
  return made;
}

}  // namespace detail

/// Shapes: equal, of any rank, or up to rank 4 such that each size is equal or 1 (NumPy's broadcasting, aligned at the last axis).
constexpr auto describe_addition(const program_view& program, const node& record) -> description<addition> {
  node_check check{program, record};
  check.counts(2, 2);
  const auto left = check.input(0, "first input");
  const auto right = check.input(1, "second input");
  const auto out = check.output();
  addition plan;
  plan.is_int8 = out.is_int8();
  check.demand(left.type == out.type && right.type == out.type && (out.is_int8() || out.is_float()), "inputs ", facts(left.type).name,
               " and ", facts(right.type).name, " and output ", facts(out.type).name, " are not all int8 or all float32");
  plan.shape = detail::match_shapes(check, left, right, out);
  const auto fused = check.fused();
  if (!plan.is_int8) {
    plan.fused = fused;
    return {check.verdict_so_far(), plan};
  }
  const auto l = check.per_tensor(left, "first input");
  const auto r = check.per_tensor(right, "second input");
  const auto o = check.per_tensor(out, "output");
  const auto twice = 2 * static_cast<double>(std::max(l.scale, r.scale));
  plan.left = {l.zero_point, detail::factor_below_one(check, static_cast<double>(l.scale) / twice, "the first input")};
  plan.right = {r.zero_point, detail::factor_below_one(check, static_cast<double>(r.scale) / twice, "the second input")};
  plan.by = detail::factor_below_one(check, twice / (1048576 * static_cast<double>(o.scale)), "the sum");
  plan.zero_point = o.zero_point;
  plan.range = int8_bounds(fused, o.scale, o.zero_point);
  return {check.verdict_so_far(), plan};
}

namespace detail {

/// The sum of two elements. int8: inputs less their zero points, times 2^20, each brought to a common scale, summed, brought to the
/// output's.
template <addition A>
inline auto add_elements(std::int8_t left, std::int8_t right) -> std::int8_t {
  constexpr std::int32_t headroom = 1 << 20;
  const auto l = requantize((left - A.left.zero_point) * headroom, A.left.by);
  const auto r = requantize((right - A.right.zero_point) * headroom, A.right.by);
  return static_cast<std::int8_t>(A.range.clamp(requantize(l + r, A.by) + A.zero_point));
}
template <addition A>
inline auto add_elements(float left, float right) -> float {
  constexpr auto range = float_bounds(A.fused);
  return range.clamp(left + right);
}

template <addition A, class T>
void add(const char* left, const char* right, char* to) {
  constexpr const auto& s = A.shape;
  std::int32_t at = 0;
  for (std::int32_t i = 0; i < s.sizes[0]; ++i) {
    for (std::int32_t j = 0; j < s.sizes[1]; ++j) {
      for (std::int32_t k = 0; k < s.sizes[2]; ++k) {
        const auto l = i * s.left[0] + j * s.left[1] + k * s.left[2];
        const auto r = i * s.right[0] + j * s.right[1] + k * s.right[2];
        for (std::int32_t m = 0; m < s.sizes[3]; ++m, ++at) {
          store(to, at, add_elements<A>(load<T>(left, l + m * s.left[3]), load<T>(right, r + m * s.right[3])));
        }
      }
    }
  }
}

}  // namespace detail

/// `tfl.add` on int8 or float32, with broadcasting; fused activation none, relu, relu_n1_to_1 or relu6.
/// Numeric rules: TensorFlow Lite's reference `Add`, with double rounding. Elements are written in order, each after its inputs are read,
/// so an input that is not broadcast may be the output's memory.
struct add {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.add")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_addition(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto plan = describe_addition(Call::program(), Call::record()).plan;
    using element = std::conditional_t<plan.is_int8, std::int8_t, float>;
    detail::add<plan, element>(call.template input<0>(), call.template input<1>(), call.template output<0>());
  }
};
static_assert(kernel<add>);

}  // namespace baton::portable

// ---- baton/kernels/executor.hpp

// The executor as most users want it: with the portable kernels.

// ---- baton/kernels/kernels.hpp

// The list of portable kernels: a new one is a line here.

// ---- baton/kernels/fully_connected.hpp

// Fully connected layers, `tfl.fully_connected`, for int8 and float32.

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

/// The geometry of a fully connected layer.
struct dense {
  std::int32_t batches = 1;
  std::int32_t inputs = 1;  ///< of each batch
  channel_output out{};
};
static_assert(has_no_padding<dense>);

/// Shapes: input of any rank, read as [N, K]; filter [C, K]; bias [C] or absent; output of any rank, read as [N, C],
/// and with `keep_num_dims` of the input's shape but for the last size.
constexpr auto describe_dense(const program_view& program, const node& record) -> description<dense> {
  node_check check{program, record};
  check.counts(2, 3);
  const auto in = check.input(0, "input");
  const auto filter = check.input(1, "filter", 2);
  const auto out = check.output();
  const auto format = program.text(record, "weights_format", "default");
  check.demand(format == "default", "weights are in format ", format);
  dense plan;
  plan.inputs = filter.size(1);
  plan.batches = in.count / filter.size(1);
  check.demand(in.count % filter.size(1) == 0, "input of ", in.count, " elements is no multiple of ", filter.size(1));
  check.demand(out.last() == filter.size(0) && out.count == std::int64_t{plan.batches} * filter.size(0), "output of ", out.count,
               " elements does not hold ", plan.batches, " times ", filter.size(0));
  if (program.integer(record, "keep_num_dims") != 0) {
    bool keeps = in.shape.size() == out.shape.size() && in.last() == filter.size(1);
    for (std::size_t i = 0; keeps && i + 1 < in.shape.size(); ++i) keeps = in.shape[i] == out.shape[i];
    check.demand(keeps, "output does not keep the input's dimensions");
  }
  plan.out =
      check_channels(check, {.in = in, .filter = filter, .out = out, .channels = filter.size(0), .axis = 0, .products = filter.size(1)});
  return {check.verdict_so_far(), plan};
}

namespace detail {

template <dense G, class Element, class Channels>
void connect(const Element* input, const Element* filter, const Channels channels, Element* output) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  for (std::int32_t batch = 0; batch < G.batches; ++batch) {
    const Element* from = input + batch * G.inputs * bytes;
    Element* to = output + batch * G.out.channels * bytes;
    for_runs<G.out.channels, Channels::at_once>([&](std::int32_t channel, auto m) {
      std::array<typename Channels::sum, m> sums{};
      Channels::template add<G.inputs, G.inputs>(from, filter + channel * G.inputs * bytes, sums);
      channels.store(sums, channel, to);
    });
  }
}

}  // namespace detail

/// `tfl.fully_connected` on int8 (weights per channel or per tensor) or float32; fused activation none, relu, relu_n1_to_1 or relu6.
/// Numeric rules: TensorFlow Lite 8-bit quantization specification, with the double rounding of its reference kernels; where the filter has
/// one scale, its product with the input's is rounded to float.
struct fully_connected {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.fully_connected")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_dense(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto plan = describe_dense(Call::program(), Call::record()).plan;
    const auto channels = channels_of<plan.out, Call, channel_scaling::one_scale_in_float>(call);
    using channel_kind = decltype(channels);
    detail::connect<plan>(channel_kind::elements(call.template input<0>()), channel_kind::elements(call.template input<1>()), channels,
                          channel_kind::elements(call.template output<0>()));
  }
};
static_assert(kernel<fully_connected>);

}  // namespace baton::portable

// ---- baton/kernels/pooling.hpp

// Pooling, `tfl.average_pool_2d` and `tfl.max_pool_2d`, for int8 and float32.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace baton::portable {

/// The geometry of a pool.
struct pool {
  flag is_int8 = 0;
  std::int32_t batches = 1;
  std::int32_t channels = 1;
  window_axis rows{};
  window_axis columns{};
  bounds<std::int32_t> range{};         ///< of int8
  activation fused = activation::none;  ///< of float

  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
};
static_assert(has_no_padding<pool>);

/// Shapes: input [N, H, W, C], output [N, H', W', C]. Scale and zero point of both sides are equal: pools do not requantize.
constexpr auto describe_pool(const program_view& program, const node& record) -> description<pool> {
  node_check check{program, record};
  check.counts(1, 1);
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  const auto is_same = check.is_same_padding();
  pool plan;
  plan.is_int8 = in.is_int8();
  plan.batches = in.size(0);
  plan.channels = in.size(3);
  check.demand(in.type == out.type && (in.is_int8() || in.is_float()), "input ", facts(in.type).name, " and output ", facts(out.type).name,
               " are not both int8 or both float32");
  check.demand(in.size(0) == out.size(0) && in.size(3) == out.size(3), "output has other batches or channels than the input");
  const auto height = check.option("filter_height", 0, 1, most_bytes);
  const auto width = check.option("filter_width", 0, 1, most_bytes);
  check.demand(std::int64_t{height} * width <= INT32_MAX / 128, "sums over ", height, " by ", width, " elements may not fit 32 bits");
  plan.rows = check.axis("height", is_same, in.size(1), out.size(1), height, check.option("stride_h", 1, 1, most_bytes), 1);
  plan.columns = check.axis("width", is_same, in.size(2), out.size(2), width, check.option("stride_w", 1, 1, most_bytes), 1);
  const auto fused = check.fused();
  if (!plan.is_int8) {
    plan.fused = fused;
    return {check.verdict_so_far(), plan};
  }
  check.same_quantization(in, out);
  const auto quant = check.per_tensor(out, "output");
  plan.range = int8_bounds(fused, quant.scale, quant.zero_point);
  return {check.verdict_so_far(), plan};
}

namespace detail {

/// The mean of the elements under a window. int8: no zero point is needed, since both sides have the same; rounded half away from zero.
struct averaging {
  static constexpr auto start(std::int8_t) -> std::int32_t { return 0; }
  static constexpr auto start(float) -> float { return 0.0f; }
  template <class Sum, class T>
  static constexpr auto take(Sum sum, T x) -> Sum {
    return sum + x;
  }
  static constexpr auto finish(std::int32_t sum, std::int32_t count) -> std::int32_t {
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
  }
  static constexpr auto finish(float sum, std::int32_t count) -> float { return sum / static_cast<float>(count); }
};

/// The largest of the elements under a window.
struct taking_largest {
  static constexpr auto start(std::int8_t) -> std::int8_t { return -128; }
  static constexpr auto start(float) -> float { return std::numeric_limits<float>::lowest(); }
  template <class T>
  static constexpr auto take(T largest, T x) -> T {
    return largest < x ? x : largest;
  }
  template <class T>
  static constexpr auto finish(T largest, std::int32_t) -> T {
    return largest;
  }
};

template <pool P>
constexpr auto clamp_pooled(std::int32_t x) -> std::int8_t {
  return static_cast<std::int8_t>(P.range.clamp(x));
}
template <pool P>
constexpr auto clamp_pooled(float x) -> float {
  return float_bounds(P.fused).clamp(x);
}

/// `N` channels side by side of one output pixel.
template <pool P, class How, class T, std::size_t N>
inline void pool_channels(const char* image, std::int32_t top, std::int32_t left, char* to) {
  std::array<decltype(How::start(T{})), N> state;
  state.fill(How::start(T{}));
  for_taps(P.rows, P.columns, top, left, [&](std::int32_t pixel, std::int32_t) {
    std::array<T, N> from;
    std::memcpy(from.data(), image + static_cast<std::ptrdiff_t>(pixel) * P.channels * static_cast<std::ptrdiff_t>(sizeof(T)), sizeof from);
    for (std::size_t n = 0; n < N; ++n) state[n] = How::take(state[n], from[n]);
  });
  const auto count = (P.rows.last_tap(top) - P.rows.first_tap(top)) * (P.columns.last_tap(left) - P.columns.first_tap(left));
  std::array<T, N> made;
  for (std::size_t n = 0; n < N; ++n) made[n] = clamp_pooled<P>(How::finish(state[n], count));
  std::memcpy(to, made.data(), sizeof made);
}

/// Output rows `first` up to, not including, `last`.
template <pool P, class How, class T>
void run_pool(const char* input, char* output, std::int32_t first, std::int32_t last) {
  constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
  constexpr std::ptrdiff_t image_bytes = bytes * P.rows.input * P.columns.input * P.channels;
  for (auto row = first; row < last; ++row) {
    const char* image = input + row / P.rows.output * image_bytes;
    const auto top = P.rows.origin(row % P.rows.output);
    for (std::int32_t x = 0; x < P.columns.output; ++x) {
      char* to = output + (row * P.columns.output + x) * P.channels * bytes;
      for_runs<P.channels, lanes>([&](std::int32_t channel, auto n) {
        pool_channels<P, How, T, n>(image + channel * bytes, top, P.columns.origin(x), to + channel * bytes);
      });
    }
  }
}

template <class How, class Call>
void run_pool_rows(const Call& call, std::int32_t first, std::int32_t last) {
  constexpr auto plan = describe_pool(Call::program(), Call::record()).plan;
  using element = std::conditional_t<plan.is_int8, std::int8_t, float>;
  run_pool<plan, How, element>(call.template input<0>(), call.template output<0>(), first, last);
}

template <class Call>
constexpr auto pool_rows() -> std::int32_t {
  return describe_pool(Call::program(), Call::record()).plan.output_rows();
}

}  // namespace detail

/// `tfl.average_pool_2d` on int8 or float32; any padding and stride; fused activation none, relu, relu_n1_to_1 or relu6.
/// Only elements inside the image count. Numeric rules: TensorFlow Lite's reference `AveragePool`.
/// Pixels are written in row-major order, the channels inside; while a pixel is written, its inputs are still read.
struct average_pool_2d {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.average_pool_2d")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_pool(program, record).found;
  }
  template <class Call>
  static void run(const Call& call) {
    constexpr auto rows = detail::pool_rows<Call>();
    run_rows(call, 0, rows);
  }
  /// Output rows `first` up to, not including, `last`; the rows of a batch's second image follow those of its first.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    detail::run_pool_rows<detail::averaging>(call, first, last);
  }
};
static_assert(kernel<average_pool_2d>);

/// `tfl.max_pool_2d`, like `average_pool_2d` in all else.
struct max_pool_2d {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.max_pool_2d")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_pool(program, record).found;
  }
  template <class Call>
  static void run(const Call& call) {
    constexpr auto rows = detail::pool_rows<Call>();
    run_rows(call, 0, rows);
  }
  /// Output rows `first` up to, not including, `last`; the rows of a batch's second image follow those of its first.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    detail::run_pool_rows<detail::taking_largest>(call, first, last);
  }
};
static_assert(kernel<max_pool_2d>);

}  // namespace baton::portable

// ---- baton/kernels/reshape.hpp

// The same elements in another shape, `tfl.reshape`, for every dtype of fixed size.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace baton::portable {

/// What the compiler knows of a reshape: how many bytes pass.
struct reshaping {
  std::size_t bytes = 0;
};

namespace detail {

/// Whether a stated size is that of the shape's axis; -1 is any.
constexpr auto names_size(std::int64_t stated, std::span<const std::int64_t> shape, std::size_t axis) -> bool {
  return axis < shape.size() && (stated == -1 || stated == shape[axis]);
}

/// Demands that the second operand is a constant which states the output's shape.
constexpr void check_shape_operand(node_check& check, const program_view& program, const operand& stated, const operand& out) {
  check.demand(stated.type == dtype::int32, "shape is ", facts(stated.type).name);
  check.constant_data(stated, "shape");
  if (!check.demand(static_cast<std::size_t>(stated.count) == out.shape.size(), "shape has ", stated.count, " sizes, output has rank ",
                    out.shape.size())) {
    return;
  }
  const auto bytes = program.data(stated.data);
  for (std::size_t i = 0; i < out.shape.size(); ++i) {
    const auto size = static_cast<std::int32_t>(little_endian_32(bytes, i));
    check.demand(names_size(size, out.shape, i), "shape says ", size, " for axis ", i, ", output has ", out.shape[i]);
  }
}

}  // namespace detail

/// The output's shape is that of its tensor; the second operand must agree if it is there, else the option `new_shape` if it is.
constexpr auto describe_reshape(const program_view& program, const node& record) -> description<reshaping> {
  node_check check{program, record};
  check.counts(1, 2);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.demand(in.type == out.type, "input is ", facts(in.type).name, ", output ", facts(out.type).name);
  check.demand(in.count == out.count, "input has ", in.count, " elements, output ", out.count);
  if (in.quant.channels == 1 && out.quant.channels == 1 && in.is_int8()) check.same_quantization(in, out);
  if (check.has_input(1)) {
    // An empty shape makes a scalar, and would fail as an empty operand.
    if (!out.shape.empty()) detail::check_shape_operand(check, program, check.input(1, "shape"), out);
  } else if (const auto* stated = program.find(record, "new_shape");
             check.ok() && stated != nullptr && stated->kind == attribute_kind::integers) {
    const auto sizes = program.integer_list(stated->list);
    bool agrees = sizes.size() == out.shape.size();
    for (std::size_t i = 0; agrees && i < sizes.size(); ++i) agrees = detail::names_size(sizes[i], out.shape, i);
    check.demand(agrees, "output does not have the new shape");
  }
  return {check.verdict_so_far(), {static_cast<std::size_t>(byte_count(in.type, in.shape))}};
}

/// `tfl.reshape`. The planner may give its output the input's memory (`forwards_input`): then nothing is left of it.
struct reshape {
  static constexpr bool forwards_input = true;

  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.reshape")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_reshape(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto bytes = describe_reshape(Call::program(), Call::record()).plan.bytes;
    const char* from = call.template input<0>();
    char* to = call.template output<0>();
    if (from != to) std::memmove(to, from, bytes);
  }
};
static_assert(kernel<reshape>);

}  // namespace baton::portable

// ---- baton/kernels/softmax.hpp

// Softmax along the last axis, `tfl.softmax`, for int8 (fixed point throughout) and float32.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

/// What the compiler knows of a softmax.
struct normalization {
  flag is_int8 = 0;
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  fixed_multiplier by{};  ///< int8: beta · scale, to Q5.26; the shift is to the left
};
static_assert(has_no_padding<normalization>);

/// exp of numbers that are not positive, and 1 / (1 + x), in fixed point, as gemmlowp computes them (`fixedpoint/fixedpoint.h`), step by
/// step. Qm.n below: m integer bits, n fraction bits, and a sign.
namespace fixed_point {

inline constexpr std::int32_t one = std::numeric_limits<std::int32_t>::max();  ///< in Q0.31

/// x · 2^bits, saturated; 1 <= bits <= 31.
constexpr auto saturating_shift_left(std::int32_t x, std::int32_t bits) -> std::int32_t {
  const auto wide = static_cast<std::int64_t>(x) << bits;
  if (wide > std::numeric_limits<std::int32_t>::max()) return std::numeric_limits<std::int32_t>::max();
  return wide < std::numeric_limits<std::int32_t>::min() ? std::numeric_limits<std::int32_t>::min() : static_cast<std::int32_t>(wide);
}

/// exp(a) for a in [-1/4, 0), both in Q0.31: Taylor's polynomial of degree 4 around -1/8.
constexpr auto exp_near_zero(std::int32_t a) -> std::int32_t {
  constexpr std::int32_t exp_of_minus_eighth = 1895147668;
  constexpr std::int32_t third = 715827883;
  const auto x = a + (1 << 28);
  const auto x2 = high_multiply(x, x);
  const auto x3 = high_multiply(x2, x);
  const auto x4 = high_multiply(x2, x2);
  const auto terms = rounding_shift_right(high_multiply(rounding_shift_right(x4, 2) + x3, third) + x2, 1);
  return exp_of_minus_eighth + high_multiply(exp_of_minus_eighth, x + terms);
}

/// exp(a) in Q0.31 for a <= 0 in Q5.26: the part below 1/4 by polynomial, the rest bit by bit by a factor each.
constexpr auto exp_of_negative(std::int32_t a) -> std::int32_t {
  constexpr std::array<std::int32_t, 7> factors{1672461947, 1302514674, 790015084, 290630308,
                                                39332535,   720401,     242};  // exp(-2^k), k = -2 to 4
  constexpr std::int32_t quarter = 1 << 24;
  if (a == 0) return one;
  const auto small = (a & (quarter - 1)) - quarter;
  auto result = exp_near_zero(saturating_shift_left(small, 5));
  const auto rest = small - a;
  for (std::int32_t k = 0; k < 7; ++k) {
    if ((rest & quarter << k) != 0) result = high_multiply(result, factors[static_cast<std::size_t>(k)]);
  }
  return result;
}

/// 1 / (1 + a) in Q0.31 for a in [0, 1) in Q0.31: three steps of Newton's in Q2.29, from 48/17 - 32/17 · (1 + a) / 2.
constexpr auto reciprocal_of_one_plus(std::int32_t a) -> std::int32_t {
  const auto half = static_cast<std::int32_t>((static_cast<std::int64_t>(a) + one + 1) / 2);
  std::int32_t x = 1515870810 + high_multiply(half, -1010580540);
  for (int step = 0; step < 3; ++step) {
    const auto rest = (1 << 29) - high_multiply(half, x);
    x += saturating_shift_left(high_multiply(x, rest), 2);
  }
  return saturating_shift_left(x, 1);
}

}  // namespace fixed_point

/// Input of any rank, read as [rows, depth]; the output has its shape, and if int8 the scale 1/256 and the zero point -128.
constexpr auto describe_softmax(const program_view& program, const node& record) -> description<normalization> {
  node_check check{program, record};
  check.counts(1, 1);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  normalization plan{.is_int8 = in.is_int8(), .rows = in.count / in.last(), .depth = in.last()};
  check.demand(in.type == out.type && (in.is_int8() || in.is_float()), "input ", facts(in.type).name, " and output ", facts(out.type).name,
               " are not both int8 or both float32");
  check.demand(std::ranges::equal(in.shape, out.shape), "output has another shape than the input");
  const auto beta = program.real(record, "beta");
  check.demand(beta > 0 && beta <= static_cast<double>(std::numeric_limits<float>::max()), "beta is not positive and finite");
  if (!plan.is_int8) return {check.verdict_so_far(), plan};
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  check.demand(to.scale == 1.0f / 256 && to.zero_point == -128, "output does not have scale 1/256 and zero point -128");
  // The sum of exponentials has 12 integer bits.
  check.demand(plan.depth < 4096, "sums of ", plan.depth, " exponentials may not fit 32 bits");
  const auto real = std::min(beta * static_cast<double>(from.scale) * (1 << 26), 2147483647.0);
  if (check.demand(real > 1, "the input's scale is too small")) plan.by = to_fixed(real);
  return {check.verdict_so_far(), plan};
}

/// exp(-difference to the largest), by difference, in Q0.31; 0 where the reference gives up, which adds and multiplies to the same.
constexpr auto exponentials(fixed_multiplier by) -> std::array<std::int32_t, 256> {
  std::array<std::int32_t, 256> table{};
  const auto most = static_cast<std::int64_t>(31 << 26) >> by.shift;
  for (std::int32_t difference = 0; difference < 256 && difference <= most; ++difference) {
    table[static_cast<std::size_t>(difference)] = fixed_point::exp_of_negative(high_multiply(shift_left(-difference, by.shift), by.value));
  }
  return table;
}

namespace detail {

/// One row. Its table gives every exponential, so that no transcendental function runs on the target.
template <std::int32_t Depth>
void softmax_row(const std::int8_t* from, const std::array<std::int32_t, 256>& table, std::int8_t* to) {
  std::int32_t largest = -128;
  for (std::int32_t i = 0; i < Depth; ++i) largest = from[i] > largest ? from[i] : largest;
  const auto exponential = [&](std::int32_t i) { return table[static_cast<std::size_t>(largest - from[i])]; };
  std::int32_t sum = 0;  // Q12.19
  for (std::int32_t i = 0; i < Depth; ++i) sum += rounding_shift_right(exponential(i), 12);
  const auto above_one = std::countl_zero(static_cast<std::uint32_t>(sum));
  const auto mantissa = static_cast<std::int32_t>((static_cast<std::uint32_t>(sum) << above_one) - (std::uint32_t{1} << 31));
  const auto scale = fixed_point::reciprocal_of_one_plus(mantissa);
  const auto bits = 12 - above_one + 31 - 8;
  for (std::int32_t i = 0; i < Depth; ++i) {
    const auto product = high_multiply(scale, exponential(i));
    const auto probability = bits > 31 ? 0 : rounding_shift_right(product, bits);
    to[i] = static_cast<std::int8_t>(probability > 255 ? 127 : probability - 128);
  }
}

template <std::int32_t Depth>
void softmax_row(const char* from, float beta, char* to) {
  float largest = std::numeric_limits<float>::lowest();
  for (std::int32_t i = 0; i < Depth; ++i) largest = std::max(largest, load<float>(from, i));
  float sum = 0.0f;
  for (std::int32_t i = 0; i < Depth; ++i) {
    const auto exponential = std::exp((load<float>(from, i) - largest) * beta);
    store(to, i, exponential);
    sum += exponential;
  }
  for (std::int32_t i = 0; i < Depth; ++i) store(to, i, load<float>(to, i) / sum);
}

}  // namespace detail

/// `tfl.softmax` on int8 (to scale 1/256, zero point -128) or float32. Numeric rules: the reference kernels of TensorFlow Lite Micro, in
/// gemmlowp's fixed point. The output may be the input's memory.
struct softmax {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.softmax")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe_softmax(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto plan = describe_softmax(Call::program(), Call::record()).plan;
    const char* from = call.template input<0>();
    char* to = call.template output<0>();
    for (std::ptrdiff_t row = 0; row < plan.rows; ++row) {
      if constexpr (plan.is_int8) {
        static constexpr auto table = exponentials(plan.by);
        detail::softmax_row<plan.depth>(reinterpret_cast<const std::int8_t*>(from) + row * plan.depth, table,
                                        reinterpret_cast<std::int8_t*>(to) + row * plan.depth);
      } else {
        constexpr auto beta = static_cast<float>(Call::program().real(Call::record(), "beta"));
        detail::softmax_row<plan.depth>(from + 4 * row * plan.depth, beta, to + 4 * row * plan.depth);
      }
    }
  }
};
static_assert(kernel<softmax>);

}  // namespace baton::portable

namespace baton {

// clang-format off
/// The kernels that run everywhere: constants, loops and nothing else.
inline constexpr auto portable_kernels = kernels<
    portable::conv_2d,
    portable::depthwise_conv_2d,
    portable::fully_connected,
    portable::add,
    portable::average_pool_2d,
    portable::max_pool_2d,
    portable::reshape,
    portable::softmax>;
// clang-format on

}  // namespace baton

namespace baton {

/// Runs a static program with the portable kernels, or with a list of one's own: `baton::executor<lowered, my_kernels +
/// baton::portable_kernels>`.
template <auto Program, auto Kernels = portable_kernels, plan_options Options = plan_options{}>
using executor = basic_executor<Program, Kernels, Options>;

}  // namespace baton

// ---- baton/report/text.hpp

// A program as tables for a terminal: its operators, its quantization, who takes which part, and where values lie.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::report {

namespace detail {

inline constexpr std::size_t line_width = 120;

/// Text from a model in one line of printable characters: others become `\x0a` and the like, and of what is too long the end is kept, which
/// tells more in names like `MobilenetV1/Conv2d_0/Relu6`.
constexpr auto printable(std::string_view text, std::size_t most = 40) -> text_buffer {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  text_buffer clean;
  if (text.size() > most) {
    append(clean, "...");
    text.remove_prefix(text.size() - (most - 3));
  }
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code >= 0x7f) {
      append(clean, "\\x");
      clean.push_back(hexadecimal[code / 16]);
      clean.push_back(hexadecimal[code % 16]);
    } else {
      clean.push_back(c);
    }
  }
  return clean;
}

/// A tensor's type: `int8[1,96,96,1]`; an unknown size is `?`.
constexpr auto type_text(const program_view& program, value_id id) -> text_buffer {
  if (id == none<value_id>) return join("-");
  auto text = join(facts(program[id].type).name, "[");
  bool is_first = true;
  for (const auto size : program.shape(id)) {
    if (!is_first) text.push_back(',');
    is_first = false;
    if (size < 0) {
      text.push_back('?');
    } else {
      append(text, size);
    }
  }
  text.push_back(']');
  return text;
}

/// The types of some values, side by side; of very many the first and how many more there are.
constexpr auto types_text(const program_view& program, std::span<const value_id> ids) -> text_buffer {
  text_buffer text;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (text.size() > line_width / 2) return append(append(append(text, " and "), static_cast<std::int64_t>(ids.size() - i)), " more");
    if (i != 0) text.push_back(' ');
    append(text, view(type_text(program, ids[i])));
  }
  return text;
}

constexpr auto user_values(const program_view& program, const graph& of) -> std::vector<value_id> {
  std::vector<value_id> found;
  for (const auto id : program.inputs(of)) {
    if (program[id].kind == value_kind::user_input) found.push_back(id);
  }
  return found;
}

/// Cells in columns as wide as the widest, two spaces apart. A head that begins with `>` moves its column to the right, as numbers want it.
/// Lines below a row hold words, wrapped at the width of a terminal.
class table {
 public:
  constexpr table(std::initializer_list<std::string_view> heads) {
    rows_.emplace_back();
    for (auto head : heads) {
      is_right_.push_back(head.starts_with('>') ? 1 : 0);
      if (head.starts_with('>')) head.remove_prefix(1);
      rows_[0].cells.push_back(join(head));
    }
  }

  constexpr void row(std::initializer_list<text_buffer> cells) {
    rows_.emplace_back();
    for (const auto& cell : cells) rows_.back().cells.push_back(cell);
  }
  /// Words below the latest row, from the second column on.
  constexpr void below(std::vector<text_buffer> words) { rows_.back().below.push_back(std::move(words)); }

  constexpr auto print(text_buffer text) const -> text_buffer {
    std::vector<std::size_t> widths(is_right_.size(), 0);
    for (const auto& line : rows_) {
      for (std::size_t i = 0; i < line.cells.size(); ++i) widths[i] = std::max(widths[i], line.cells[i].size());
    }
    for (const auto& line : rows_) {
      print_cells(text, line.cells, widths);
      for (const auto& words : line.below) print_words(text, words, widths[0] + 4);
    }
    return text;
  }

 private:
  struct entry {
    std::vector<text_buffer> cells;
    std::vector<std::vector<text_buffer>> below;
  };

  // One by one: in a constant, libc++ doubles the capacity whenever copies are inserted.
  static constexpr void pad(text_buffer& text, std::size_t count) {
    while (count-- > 0) text.push_back(' ');
  }

  constexpr void print_cells(text_buffer& text, const std::vector<text_buffer>& cells, const std::vector<std::size_t>& widths) const {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto room = widths[i] - cells[i].size();
      pad(text, 2 + (is_right_[i] != 0 ? room : 0));
      append(text, view(cells[i]));
      if (is_right_[i] == 0) pad(text, room);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text.push_back('\n');
  }

  static constexpr void print_words(text_buffer& text, const std::vector<text_buffer>& words, std::size_t indent) {
    std::size_t column = line_width;
    bool is_first = true;
    for (const auto& word : words) {
      const bool breaks = column + 1 + word.size() > line_width;
      if (breaks && !is_first) text.push_back('\n');
      pad(text, breaks ? indent : 1);
      append(text, view(word));
      column = (breaks ? indent : column + 1) + word.size();
      is_first = false;
    }
    if (!is_first) text.push_back('\n');
  }

  std::vector<entry> rows_;
  std::vector<char> is_right_;
};

}  // namespace detail

/// The nodes of a graph, a line each: index, name, operator, types of operands and outputs (`-`: an operand left out).
constexpr auto operator_table(const program_view& program, graph_id of = graph_id{0}) -> text_buffer {
  const auto& graph = program[of];
  detail::table table{">#", "node", "operator", "operands", "outputs"};
  for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
    const auto& record = program.nodes[n];
    table.row({join(n), detail::printable(program.text(record.name)), detail::printable(program.text(record.target)),
               detail::types_text(program, program.inputs(record)), detail::types_text(program, program.outputs_of(record))});
  }
  return table.print(join("operators of ", view(detail::printable(program.text(graph.name))), ": ", graph.nodes.size, "\n"));
}

namespace detail {

/// `0.5 zero 3` of a tensor with one scale, `per channel (16) axis 3` of one with more.
constexpr auto quantization_text(const program_view& program, value_id id) -> text_buffer {
  const auto& quant = program[id].quant;
  if (quant.channels > 1) return join("per channel (", quant.channels, ") axis ", quant.axis);
  text_buffer text;
  append_real(text, program.scale(quant));
  if (program.zero_point(quant) != 0) append(append(text, " zero "), program.zero_point(quant));
  return text;
}

constexpr auto is_quantized(const program_view& program, value_id id) -> bool {
  return id != none<value_id> && program[id].quant.channels != 0;
}

/// The quantization of those of the values that have one and are, or are not, owned data.
constexpr auto quantizations_text(const program_view& program, std::span<const value_id> ids, bool owned) -> text_buffer {
  text_buffer text;
  for (const auto id : ids) {
    if (!is_quantized(program, id) || is_owned_data(program[id].kind) != owned) continue;
    if (!text.empty()) append(text, ", ");
    append(text, view(quantization_text(program, id)));
  }
  return text;
}

}  // namespace detail

/// How a graph's values are quantized, a line a user input and a node: scale and zero point (where it is not 0) of what comes out, and of
/// the constants that go in, in the order of operands. Values without quantization are left out.
constexpr auto quantization_table(const program_view& program, graph_id of = graph_id{0}) -> text_buffer {
  const auto& graph = program[of];
  detail::table table{">#", "node", "scale of outputs", "scales of constants"};
  std::size_t count = 0;
  const auto add = [&](const text_buffer& place, byte_ref name, const text_buffer& outputs, const text_buffer& constants) {
    if (outputs.empty() && constants.empty()) return;
    ++count;
    table.row({place, detail::printable(program.text(name)), outputs, constants});
  };
  for (const auto input : detail::user_values(program, graph)) {
    add(join("input"), program[input].name, detail::quantizations_text(program, std::span{&input, 1}, false), {});
  }
  for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
    const auto& record = program.nodes[n];
    add(join(n), record.name, detail::quantizations_text(program, program.outputs_of(record), false),
        detail::quantizations_text(program, program.inputs(record), true));
  }
  const auto title = join("quantization of ", view(detail::printable(program.text(graph.name))), count == 0 ? ": none\n" : "\n");
  if (count == 0) return title;
  return table.print(title);
}

/// Who computes a node that no delegate takes, and why none does; an empty text: not known, nothing to say.
struct stay {
  text_buffer computed_by;
  text_buffer reason;

  constexpr auto operator==(const stay&) const -> bool = default;
};

namespace detail {

constexpr auto node_names(const program_view& program, std::span<const node> nodes) -> std::vector<text_buffer> {
  std::vector<text_buffer> names;
  for (const auto& record : nodes) names.push_back(printable(program.text(record.name)));
  return names;
}

constexpr auto words_of(std::string_view text) -> std::vector<text_buffer> {
  std::vector<text_buffer> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.push_back(printable(text.substr(0, end), line_width));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// `0`, or `2-5`.
constexpr auto run_text(std::uint32_t first, std::uint32_t last) -> text_buffer {
  auto text = join(first);
  if (last != first) append(append(text, "-"), static_cast<std::int64_t>(last));
  return text;
}

/// What a call is given: the types of computed values, and how many constants.
constexpr auto arguments_text(const program_view& program, const node& call) -> text_buffer {
  std::vector<value_id> computed;
  for (const auto id : program.inputs(call)) {
    if (id == none<value_id> || !is_owned_data(program[id].kind)) computed.push_back(id);
  }
  auto text = types_text(program, computed);
  const auto constants = call.inputs.size - computed.size();
  if (constants != 0)
    append(append(append(text, text.empty() ? "" : " and "), static_cast<std::int64_t>(constants)),
           constants == 1 ? " constant" : " constants");
  return text;
}

constexpr void add_delegate(table& rows, const program_view& program, const node& call, std::uint32_t at) {
  const auto& module = program[call.delegate];
  const auto inner = program.nodes_of(program[module.original]);
  rows.row({join(at), printable(program.text(module.backend_id)), join(inner.size()), join(module.processed_bytes.size),
            join(module.scratch_bytes)});
  rows.below({join(program.text(module.name), "(", view(arguments_text(program, call)), ") -> ",
                   view(types_text(program, program.outputs_of(call))))});
  rows.below(node_names(program, inner));
}

}  // namespace detail

/// Who takes what of a (lowered) program's root graph: its delegates, with the nodes inside, the call's types, the bytes of the blob and of
/// scratch; and the runs of nodes that stay. `explain(program, node)` gives their `stay`.
template <class Explain>
constexpr auto partition_table(const program_view& program, Explain explain) -> text_buffer {
  const auto nodes = program.nodes_of(program.root());
  detail::table table{">step", "taken by", ">nodes", ">blob bytes", ">scratch bytes"};
  std::size_t delegates = 0;
  std::size_t taken = 0;
  std::size_t staying = 0;
  for (std::uint32_t n = 0; n < nodes.size();) {
    if (nodes[n].delegate != none<delegate_id>) {
      detail::add_delegate(table, program, nodes[n], n);
      ++delegates;
      taken += program[program[nodes[n].delegate].original].nodes.size;
      ++n;
      continue;
    }
    stay why = explain(program, nodes[n]);
    auto end = n + 1;
    while (end < nodes.size() && nodes[end].delegate == none<delegate_id> && explain(program, nodes[end]) == why) ++end;
    if (why.computed_by.empty()) why.computed_by = join("-");
    table.row({detail::run_text(n, end - 1), why.computed_by, join(end - n), join("-"), join("-")});
    if (!why.reason.empty()) table.below(detail::words_of(view(join("not delegated: ", view(why.reason)))));
    table.below(detail::node_names(program, nodes.subspan(n, end - n)));
    staying += end - n;
    n = end;
  }
  return table.print(join("partitions: ", delegates, delegates == 1 ? " delegate takes " : " delegates take ", taken, " of ",
                          taken + staying, " nodes\n"));
}
constexpr auto partition_table(const program_view& program) -> text_buffer {
  return partition_table(program, [](const program_view&, const node&) { return stay{}; });
}

namespace detail {

/// What lies in each entry of a plan: a value, those that share its memory, or a delegate's scratch.
constexpr auto entry_names(const program_view& program, const memory_plan& plan) -> std::vector<text_buffer> {
  std::vector<text_buffer> names(plan.needs.lifetimes.size(), text_buffer{});
  const auto add = [&names](std::uint32_t entry, std::string_view kind, std::string_view name) {
    if (entry == memory_needs::no_entry) return;
    if (!names[entry].empty()) append(names[entry], " = ");
    append(append(names[entry], kind), view(printable(name)));
  };
  for (std::size_t v = 0; v < program.values.size(); ++v) add(plan.needs.of_value[v], "", program.text(program.values[v].name));
  for (std::uint32_t n = 0; n < plan.needs.of_scratch.size(); ++n) {
    const auto called = program.nodes[program.root().nodes.first + n].delegate;
    if (called != none<delegate_id>) add(plan.needs.of_scratch[n], "scratch of ", program.text(program[called].name));
  }
  return names;
}

/// A lifetime drawn over the steps of a program: `.##.`.
constexpr auto drawn(const lifetime& life, std::uint32_t steps) -> text_buffer {
  text_buffer text;
  for (std::uint32_t step = 0; step < steps; ++step) text.push_back(life.first <= step && step <= life.last ? '#' : '.');
  return text;
}

}  // namespace detail

/// Where the values of the root graph lie in the arena, and when: a line for all that shares a place, in the order of first use. Bytes are
/// rounded up to the alignment. A program of few steps has its lifetimes drawn; the step after the last node is the user's, who reads the
/// outputs.
constexpr auto memory_table(const program_view& program, const memory_plan& plan) -> text_buffer {
  constexpr std::uint32_t most_drawn = 40;
  const auto steps = program.root().nodes.size + 1;
  const auto names = detail::entry_names(program, plan);
  detail::table table{"value (= shares its memory)", ">offset", ">bytes", ">steps", steps <= most_drawn ? "lifetime" : ""};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& life = plan.needs.lifetimes[i];
    table.row({names[i], join(plan.offsets[i]), join(life.bytes), detail::run_text(life.first, life.last),
               detail::drawn(life, steps <= most_drawn ? steps : 0)});
  }
  auto title = join("memory plan: arena ", plan.arena_bytes, " bytes, lower bound ", plan.lower_bound, " (most bytes live at once)");
  append(append(append(append(title, ", alignment "), std::int64_t{plan.alignment}), ", placed in order: "), plan.order);
  return table.print(append(title, "\n"));
}

}  // namespace baton::report
