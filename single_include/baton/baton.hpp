// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Baton 0.1.0, the whole library in one header. Generated, do not edit.
// Made from include/baton by: cmake -P cmake/single_include.cmake
#pragma once

// ---- baton/baton.hpp

// The one header that users include: every room in order. `core/query.hpp` (range-v3) and `backends/` are included by who wants them.

// ---- baton/core/builder.hpp

// Builds a program: by hand in a few lines for tests, record by record for importers and rewriting passes.

// ---- baton/core/bytes.hpp

// Bytes by the thousand in a constant: copied and compared within what compilers allow a constant by default.

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

// The largest blob, in bytes, that the compiler is to make as one constant, with the default limits of GCC 12 and of Clang 16. Who raises
// those limits (-fconstexpr-ops-limit, -fconstexpr-steps) may raise this figure too.
#if !defined(BATON_CONSTANT_BLOB_BYTES)
#if defined(__clang__)
#define BATON_CONSTANT_BLOB_BYTES 24576
#else
#define BATON_CONSTANT_BLOB_BYTES 65536
#endif
#endif

namespace baton {

/// The most bytes of a blob that is made in the compiler; there is no such limit at run time.
inline constexpr unsigned constant_blob_bytes = BATON_CONSTANT_BLOB_BYTES;

/// Whether `__builtin_memcpy` and `__builtin_memcmp` work in a constant.
#if defined(__clang__)
inline constexpr bool builtins_take_constant_bytes = true;
#else
inline constexpr bool builtins_take_constant_bytes = false;
#endif

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

namespace baton {

/// Copies bytes to memory that has room for them.
constexpr void copy_bytes(std::span<const char> from, char* to) {
  if (from.empty()) return;
  if constexpr (builtins_take_constant_bytes) {
    __builtin_memcpy(to, from.data(), from.size());
  } else {
    // GCC allows a loop 262,144 turns.
    constexpr std::size_t turns = 4096;
    const char* source = from.data();  // no call a byte
    for (std::size_t first = 0; first < from.size(); first += turns) {
      const auto last = std::min(first + turns, from.size());
      for (auto i = first; i < last; ++i) to[i] = source[i];
    }
  }
}

/// Whether two addresses are the same. In a constant, Clang does not compare the addresses of different literals: those count as different.
constexpr auto is_same_address(const char* a, const char* b) -> bool {
  if (std::is_constant_evaluated()) return __builtin_constant_p(a == b) && a == b;
  return a == b;
}

/// Negative, 0 or positive, as the first run of bytes comes before, is equal to or comes after the second: shorter ones come first, then it
/// is the first different byte that counts. The same memory is not looked at.
constexpr auto compare_bytes(std::span<const char> a, std::span<const char> b) -> int {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (a.empty() || is_same_address(a.data(), b.data())) return 0;
  if constexpr (builtins_take_constant_bytes) {
    return __builtin_memcmp(a.data(), b.data(), a.size());
  } else {
    constexpr std::size_t turns = 4096;
    for (std::size_t first = 0; first < a.size(); first += turns) {
      const auto last = std::min(first + turns, a.size());
      for (auto i = first; i < last; ++i) {
        if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
      }
    }
    return 0;
  }
}

/// Whether two runs of bytes are equal.
constexpr auto same_bytes(std::span<const char> a, std::span<const char> b) -> bool { return compare_bytes(a, b) == 0; }

}  // namespace baton

// ---- baton/core/error.hpp

// How a broken rule is carried and told: one value, `failure`, for the compiler and for run time.

// ---- baton/core/name.hpp

// Names: text as a template argument, and names compared as numbers.

#include <boost/hana/string.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
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

/// Whether a hash is that of one of these names.
constexpr auto is_among(std::uint64_t hash, std::span<const literal_name> names) -> bool {
  for (const auto& name : names) {
    if (name.hash == hash) return true;
  }
  return false;
}

}  // namespace baton

// ---- baton/core/vector.hpp

// A growing array for constants, light on the compiler.

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>

namespace baton {

/// The part of `std::vector` that Baton uses, by the same names and with the same meaning; iterators are pointers. It is here for the
/// compiler's sake: `std::vector` took half the time of including Baton, and four to eight times the steps of a constant for each item that
/// is pushed, copied or inserted (`tests/core/vector_test.cpp` compares what they do). For the host and for constants, like all that
/// allocates; a target never sees one. There are no guarantees where memory runs out.
template <class T>
class vector {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr vector() noexcept = default;
  constexpr explicit vector(std::size_t count) { resize(count); }
  constexpr vector(std::size_t count, const T& each) { resize(count, each); }
  constexpr vector(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  template <class Iterator>
    requires requires(Iterator it) { *it; }
  constexpr vector(Iterator first, Iterator last) {
    append(first, last);
  }
  constexpr vector(const vector& other) { append(other.begin(), other.end()); }
  constexpr vector(vector&& other) noexcept { swap(other); }
  constexpr auto operator=(const vector& other) -> vector& {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  constexpr auto operator=(vector&& other) noexcept -> vector& {
    swap(other);
    return *this;
  }
  constexpr ~vector() {
    clear();
    release();
  }

  constexpr auto begin() noexcept -> T* { return first_; }
  constexpr auto begin() const noexcept -> const T* { return first_; }
  constexpr auto end() noexcept -> T* { return first_ + size_; }
  constexpr auto end() const noexcept -> const T* { return first_ + size_; }
  constexpr auto data() noexcept -> T* { return first_; }
  constexpr auto data() const noexcept -> const T* { return first_; }
  constexpr auto size() const noexcept -> std::size_t { return size_; }
  constexpr auto capacity() const noexcept -> std::size_t { return capacity_; }
  constexpr auto empty() const noexcept -> bool { return size_ == 0; }
  constexpr auto operator[](std::size_t at) noexcept -> T& { return first_[at]; }
  constexpr auto operator[](std::size_t at) const noexcept -> const T& { return first_[at]; }
  constexpr auto front() noexcept -> T& { return first_[0]; }
  constexpr auto front() const noexcept -> const T& { return first_[0]; }
  constexpr auto back() noexcept -> T& { return first_[size_ - 1]; }
  constexpr auto back() const noexcept -> const T& { return first_[size_ - 1]; }

  constexpr void reserve(std::size_t capacity) {
    if (capacity > capacity_) move_to(capacity);
  }
  constexpr void push_back(const T& item) {
    if (size_ == capacity_) return push_back(T(item));
    std::construct_at(first_ + size_, item);
    ++size_;
  }
  constexpr void push_back(T&& item) {
    if (size_ == capacity_) {
      T kept(static_cast<T&&>(item));  // before growing: it may be one of this vector's own
      grow(1);
      std::construct_at(first_ + size_, static_cast<T&&>(kept));
    } else {
      std::construct_at(first_ + size_, static_cast<T&&>(item));
    }
    ++size_;
  }
  template <class... Arguments>
  constexpr auto emplace_back(Arguments&&... arguments) -> T& {
    push_back(T(static_cast<Arguments&&>(arguments)...));
    return back();
  }
  constexpr void pop_back() noexcept { cut(first_ + size_ - 1); }
  constexpr void clear() noexcept { cut(first_); }
  constexpr void resize(std::size_t count) {
    if (count <= size_) return cut(first_ + count);
    if (count > capacity_) grow(count - size_);
    for (; size_ < count; ++size_) std::construct_at(first_ + size_);
  }
  constexpr void resize(std::size_t count, const T& each) {
    if (count <= size_) return cut(first_ + count);
    const T kept(each);
    if (count > capacity_) grow(count - size_);
    T* to = end();
    for (T* const last = first_ + count; to != last; ++to) std::construct_at(to, kept);
    size_ = count;
  }
  constexpr void assign(std::size_t count, const T& each) {
    const T kept(each);
    clear();
    resize(count, kept);
  }
  template <class Iterator>
    requires requires(Iterator it) { *it; }
  constexpr void assign(Iterator first, Iterator last) {
    clear();
    append(first, last);
  }

  template <class Iterator>
    requires requires(Iterator it) { *it; }
  constexpr auto insert(const T* before, Iterator first, Iterator last) -> T* {
    const auto at = static_cast<std::size_t>(before - first_);
    if (at == size_) {
      append(first, last);
      return first_ + at;
    }
    vector tail(first_ + at, first_ + size_);
    cut(first_ + at);
    append(first, last);
    append(tail.begin(), tail.end());
    return first_ + at;
  }
  constexpr auto insert(const T* before, std::size_t count, const T& each) -> T* {
    const vector more(count, each);
    return insert(before, more.begin(), more.end());
  }
  constexpr auto insert(const T* before, const T& item) -> T* { return insert(before, std::size_t{1}, item); }

  constexpr auto erase(const T* first, const T* last) -> T* {
    T* const at = first_ + (first - first_);
    if (first == last) return at;
    T* to = at;
    for (T* from = first_ + (last - first_); from != end(); ++from) *to++ = static_cast<T&&>(*from);
    cut(to);
    return at;
  }
  constexpr auto erase(const T* item) -> T* { return erase(item, item + 1); }
  /// Erases what meets a condition; returns how many.
  template <class Condition>
  friend constexpr auto erase_if(vector& from, Condition condition) -> std::size_t {
    T* to = from.begin();
    for (auto& item : from) {
      if (condition(item)) continue;
      if (to != &item) *to = static_cast<T&&>(item);
      ++to;
    }
    const auto erased = static_cast<std::size_t>(from.end() - to);
    from.cut(to);
    return erased;
  }

  constexpr void swap(vector& other) noexcept {
    T* const first = first_;
    const auto size = size_;
    const auto capacity = capacity_;
    first_ = other.first_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.first_ = first;
    other.size_ = size;
    other.capacity_ = capacity;
  }

  friend constexpr auto operator==(const vector& left, const vector& right) -> bool {
    if (left.size_ != right.size_) return false;
    for (std::size_t i = 0; i < left.size_; ++i) {
      if (!(left.first_[i] == right.first_[i])) return false;
    }
    return true;
  }

 private:
  template <class Iterator>
  constexpr void append(Iterator first, Iterator last) {
    if constexpr (requires { static_cast<std::size_t>(last - first); }) {
      const auto more = static_cast<std::size_t>(last - first);
      if (size_ + more > capacity_) grow(more);
      T* to = end();
      for (; first != last; ++first, ++to) std::construct_at(to, *first);
      size_ += more;
    } else {
      for (; first != last; ++first) push_back(*first);
    }
  }
  constexpr void grow(std::size_t more) {
    const auto least = size_ + more;
    move_to(least > 2 * capacity_ ? least : 2 * capacity_);
  }
  constexpr void move_to(std::size_t capacity) {
    T* const moved = std::allocator<T>{}.allocate(capacity);
    T* to = moved;
    for (T* from = first_; from != end(); ++from, ++to) std::construct_at(to, static_cast<T&&>(*from));
    const auto size = size_;
    clear();
    release();
    first_ = moved;
    size_ = size;
    capacity_ = capacity;
  }
  constexpr void cut(T* from) noexcept {
    // Nothing to destroy in what is copied byte by byte; a constant pays for each step.
    if constexpr (!std::is_trivially_copyable_v<T>) {
      for (T* last = end(); last != from;) std::destroy_at(--last);
    }
    size_ = static_cast<std::size_t>(from - first_);
  }
  constexpr void release() noexcept {
    if (first_ != nullptr) std::allocator<T>{}.deallocate(first_, capacity_);
  }

  T* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace baton

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#if BATON_EXCEPTIONS
#include <exception>
#endif

namespace baton {

/// Text that is made at compile time or at run time (`std::string` does not work in a constant with libstdc++ 12 and Clang).
using text_buffer = vector<char>;

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
  text_buffer method;      ///< the method concerned, where there are several
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
  fact("method: ", why.method);
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

  /// Whether both are the same memory of one program; other memory may hold the same bytes.
  friend constexpr auto operator==(byte_ref a, byte_ref b) -> bool {
    return a.first == b.first && a.size == b.size && is_same_address(a.outside, b.outside);
  }
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
  byte_ref name{};  ///< `lowered_module_0` and so on
  byte_ref backend_id{};
  byte_ref processed_bytes{};
  graph_id original = none<graph_id>;
  range compile_specs{};
  range debug_map{};  ///< in the mapping pool
  range named_data{};
  byte_ref info{};  ///< what the backend tells about it to tools; it does not reach the target
  std::uint32_t scratch_bytes = 0;
};

inline constexpr std::size_t pool_count = 15;
/// The number of records in each pool.
using pool_sizes = std::array<std::uint32_t, pool_count>;

/// Storage in vectors: programs that are built and changed.
struct owning {
  template <class T, std::size_t>
  using pool = vector<T>;
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
  pool<named_data_ref, 14> named_data{};

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
    return {graphs,    nodes,   values,    operands,      attributes, integers, reals,     bytes,
            subgraphs, outputs, delegates, compile_specs, mappings,   tags,     named_data};
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
  f(programs.named_data...);
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
constexpr auto add_to(vector<T>& pool, std::span<const T> records) -> range {
  const range run{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(records.size())};
  pool.insert(pool.end(), records.begin(), records.end());
  return run;
}
/// Appends text or bytes to a program's own pool.
constexpr auto own_bytes(exported_program& program, std::string_view text) -> byte_ref {
  const auto first = program.bytes.size();
  program.bytes.resize(first + text.size(), '\0');  // fewer steps in a constant than to insert
  copy_bytes(text, program.bytes.data() + first);
  return {nullptr, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(text.size())};
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
                           std::initializer_list<graph_id> subgraphs = {}) -> vector<value_id> {
    vector<value_id> ids;
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
  constexpr auto own(std::string_view text) -> byte_ref { return detail::own_bytes(program_, text); }
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
  /// The graph that a node was added to.
  constexpr auto graph_of(node_id id) const -> graph_id { return node_graphs_[index(id)]; }
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
    vector<value_id> inputs;
    vector<output_spec> outputs;
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
    vector<std::uint32_t> next(program_.graphs.size() + 1, 0);
    for (const auto g : node_graphs_) next[index(g) + 1] += 1;
    for (std::size_t g = 0; g < program_.graphs.size(); ++g) {
      program_.graphs[g].nodes = {next[g], next[g + 1]};
      next[g + 1] += next[g];
    }
    vector<node> placed(program_.nodes.size(), node{});
    for (std::size_t i = 0; i < placed.size(); ++i) placed[next[index(node_graphs_[i])]++] = program_.nodes[i];
    program_.nodes = std::move(placed);
  }

  exported_program program_;
  vector<graph_lists> lists_;
  vector<graph_id> node_graphs_;
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
  constexpr auto same(byte_ref a, byte_ref b) const -> bool { return same_bytes(left_.data(a), right_.data(b)); }
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
           same(a.quant, b.quant) && same(a.data, b.data) && same(a.target, b.target) && a.graph == b.graph && same(a.tag, b.tag) &&
           (!with_tags_ || a.sharing == b.sharing);
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
  constexpr auto same(const named_data_ref& a, const named_data_ref& b) const -> bool {
    return same(a.key, b.key) && same(a.data, b.data) && same(a.external_tag, b.external_tag) && a.alignment == b.alignment &&
           a.is_tensor == b.is_tensor && a.type == b.type && same(a.sizes, b.sizes) && same(a.dim_order, b.dim_order);
  }
  constexpr auto same(const lowered_module_ref& a, const lowered_module_ref& b) const -> bool {
    return same(a.name, b.name) && same(a.backend_id, b.backend_id) && same(a.processed_bytes, b.processed_bytes) &&
           a.original == b.original && same(a.compile_specs, b.compile_specs) && same(a.debug_map, b.debug_map) &&
           same(a.named_data, b.named_data) && same(a.info, b.info) && a.scratch_bytes == b.scratch_bytes;
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

// ---- baton/core/control_flow.hpp

// The operators that own subgraphs and run them: what each does with its operands, and what its subgraphs must look like.

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
template <fixed_string... Method>
struct in_method;
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
template <class Type>
struct of_type;

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
  RULE(shared_constant, "a constant that one part owns must have no user with another tag; one has; let parts share it or untag it")     \
  RULE(shared_mutable_buffer, "a tagged mutable buffer and its users must have one tag; one has another; tag them alike or untag it")    \
  RULE(foreign_mutation, "a part that owns a mutable buffer must make its new value; another node makes this one; tag both or neither")  \
  RULE(shared_mutation, "a new value of a buffer that a part owns must have no other role; this one has; untag the buffer")              \
  RULE(dependency_cycle,                                                                                                                 \
       "a part must not depend on itself through nodes outside it; this tag forms a cycle; split the tag, or wrap the partitioner in "   \
       "split_cycles")                                                                                                                   \
  RULE(part_without_outputs, "a part must produce something that is used outside it; this one is dead code; untag it")                   \
  RULE(unsupported_node, "a backend may be given only nodes that it supports; this it does not; untag the node or support it")           \
  RULE(undelegated_node,                                                                                                                 \
       "this program must be delegated whole; a node stays; extend a backend or its partitioner, or take back the demand")               \
  RULE(too_many_boundary_bytes, "fewer bytes must cross the borders of delegates; these are more; partition anew or raise the limit")    \
  RULE(malformed_cost, "a cost must be a number from 0 to below 10^9; this one is not; mend the cost table")                             \
  RULE(costs_overflow, "all costs of a program must add up to less than 10^12; these add up to more; state them in a larger unit")       \
  RULE(malformed_capacity, "a capacity must be a count of bytes, 0 or more; this one is not; mend it, or leave it out for no limit")     \
  RULE(capacity_too_small, "a backend's capacity must hold the constants of some node it supports; this holds none; raise it")           \
  RULE(unknown_backend, "the backend was not found in the list of backends; add it to baton::backends<...> or correct the id")           \
  RULE(duplicate_backend, "every backend in the list must have an id of its own; two have the same; rename one or remove it")            \
  RULE(duplicate_method, "every method must have a name of its own; two have the same; rename one or remove it")                         \
  RULE(unknown_method, "a method must be among the programs given; this one is not; add its program or correct the name")                \
  RULE(unmatched_specs, "every part of a batch needs compile specs, if empty ones; a method has another number; give each part its own") \
  RULE(unmatched_results, "a backend must return one result for each part of a batch; it did not; return as many, method by method")     \
  RULE(nested_backend, "a backend must not derive from another of the list: nesting is unsupported; share a base that is no backend")    \
  RULE(large_blob,                                                                                                                       \
       "a blob made in the compiler must not be larger than a constant may be; this one is; make parts smaller or blobs leaner")         \
  RULE(refused_part, "a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner")        \
  RULE(generated_identifier, "a delegate mapping that generates its identifiers takes none; one was given; leave it out")                \
  RULE(duplicate_identifier, "a delegate debug identifier may be inserted once; this one is there already; choose another")              \
  RULE(nodes_or_handles, "a delegate mapping entry takes either nodes or debug handles; both or neither were given; give one")           \
  RULE(missing_identifier, "a delegate mapping that generates no identifiers needs one in every insert; give one")                       \
  RULE(no_debug_handle, "a delegate mapping entry needs at least one debug handle; none is valid; give nodes that have handles")         \
  RULE(foreign_debug_handle, "a debug handle map may name only handles of nodes of its part; this names another; map what the part has") \
  RULE(incomplete_mapping, "a complete debug handle map names the handle of every node; this leaves one out; insert that node")          \
  RULE(unsupported_named_data, "named data is bytes, text or a tensor; this is neither; give a span of char or a string_view")           \
  RULE(malformed_alignment, "named data needs an alignment from 1 to 2^31; this is another; give the one that its reader needs")         \
  RULE(misaligned_image, "named data in an image must lie at a power of two; these alignments together are none; mend one")              \
  RULE(conflicting_named_data, "a key of named data must mean the same bytes everywhere; here it has others; make keys from content")    \
  RULE(conflicting_layout, "a layout given with a tensor of named data must be the tensor's; this is another; leave it out")             \
  RULE(malformed_layout, "a tensor of named data must be dense in some order of dimensions; this one is not; make it contiguous")        \
  RULE(malformed_shard_cap, "the cap of external data shards must be a positive integer; this is none; give a count of bytes")           \
  RULE(empty_shard_prefix, "the prefix of external data shards must be nonempty; this one is empty; give it a name")                     \
  RULE(oversize_named_data, "a buffer must fit into a shard; this one exceeds external data shard cap; raise the cap or split it")       \
  RULE(external_tag_collision, "a shard needs a tag of its own; this is an external data tag collision; choose another prefix")          \
  RULE(dynamic_shape, "memory is planned for fixed shapes only; this value has an unknown size; export the model with fixed shapes")     \
  RULE(shared_state,                                                                                                                     \
       "a graph that keeps mutable buffers may be called from one place only; this one has several callers; copy it per caller")         \
  RULE(unknown_device, "a target device is a kind and a number, as in cuda:0; this kind or number is unknown; correct the compile spec") \
  RULE(overlapping_memory, "two values that live at the same time must not share memory; these do; plan again")                          \
  RULE(missing_kernel, "every node needs a kernel or a backend that takes it; this one has neither; add a kernel or delegate it")        \
  RULE(backend_without_execute,                                                                                                          \
       "a delegate that runs here needs a backend with an execute; this one has none of that form; write: static void execute(const "    \
       "baton::delegate_call&)")                                                                                                         \
  RULE(node_in_two_groups, "a node may be in one group; this one is in two; take it out of one or make them one group")                  \
  RULE(cycle_of_groups, "groups must not need one another in a cycle, nor one itself; these do; split them along the path")              \
  RULE(nothing_to_partition, "a partition needs lists of nodes or an operator support; there is neither; give one of them")              \
  RULE(node_tagged_twice, "a node may have one tag; this one would get a second; leave out what is tagged, or untag it first")           \
  RULE(tag_without_spec, "a tag that a partitioner puts on a node must have a delegation spec; this one has none; add it with its spec") \
  RULE(empty_pattern, "a pattern needs a node; this one has none; write down the nodes that it shall find")                              \
  RULE(dead_pattern, "every node of a pattern must lead to an output of it; this one does not; return it or leave it out")               \
  RULE(unmatchable_pattern, "every node and output of a pattern must be one that can be found; this one cannot; see the reason")         \
  RULE(duplicate_pattern, "every pattern of a list must find something of its own; one finds only what another does; remove it")         \
  RULE(ambiguous_pattern, "where patterns overlap, one must hold all of the other; these two here do not; make them one or drop one")    \
  RULE(duplicate_config, "every operator may have one config; two are for the same; make them one or remove one")                        \
  RULE(kept_operator,                                                                                                                    \
       "an operator that a partitioner asks to keep whole must be delegated by it; this node is not; tag it or ask for less")            \
  RULE(nameless_delegate, "a delegate must name its backend; this one has no backend id; lower the part with a backend of the list")     \
  RULE(unavailable_backend, "a delegate needs a backend that is available; this one is not; bring it up or lower for another")           \
  RULE(unloaded_blob, "a blob must be brought by its loader, whole and aligned; this one was not; see the status and the loader")        \
  RULE(ambiguous_named_data, "a key of named data must lie in the program or outside it; one lies in both; rename it")                   \
  RULE(failed_init, "a backend must be able to take up its blob; its init failed; see the status")                                       \
  RULE(failed_execute, "a backend must be able to execute its call; its execute failed; see the status")                                 \
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
  static constexpr std::size_t reason_capacity = 240;
  template <std::size_t Capacity>
  struct text {
    std::size_t size = 0;
    char characters[Capacity] = {};

    constexpr text() = default;
    constexpr explicit text(const text_buffer& buffer) : size(buffer.size() < Capacity ? buffer.size() : Capacity) {
      for (std::size_t i = 0; i < size; ++i) characters[i] = buffer[i];
    }
  };
  std::size_t rule = 0;  ///< index in the catalogue
  bool broken = false;
  std::int64_t node = -1;
  text<capacity> method, node_name, op, tag, backend;
  text<reason_capacity> reason;

  constexpr static_failure() = default;
  constexpr explicit static_failure(const failure& why)
      : broken(static_cast<bool>(why)),
        node(why.node),
        method(why.method),
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
template <std::size_t Capacity>
constexpr auto end_of_piece(const static_failure::text<Capacity>& text, std::size_t begin) -> std::size_t {
  constexpr std::size_t most = 32;
  if (text.size - begin <= most) return text.size;
  for (auto end = begin + most; end > begin; --end) {
    if (text.characters[end - 1] == ' ') return end;
  }
  return begin + most;
}

template <auto Text, std::size_t Begin, std::size_t End>
consteval auto piece() -> fixed_string<End - Begin + 1> {
  fixed_string<End - Begin + 1> fixed;
  for (std::size_t i = Begin; i < End; ++i) fixed.characters[i - Begin] = Text.characters[i];
  fixed.characters[End - Begin] = '\0';  // written, so that Clang prints text, not numbers
  return fixed;
}

/// What `f` makes of the pieces of a text.
template <auto Text, std::size_t Begin = 0, fixed_string... Pieces, class F>
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
    constexpr auto in = detail::with_pieces<Why.method>([]<fixed_string... P>() { return type_c<in_method<P...>>; });
    constexpr auto at = detail::with_pieces<Why.node_name>([]<fixed_string... P>() { return type_c<at_node<Why.node, P...>>; });
    constexpr auto of = detail::with_pieces<Why.op>([]<fixed_string... P>() { return type_c<of_operator<P...>>; });
    constexpr auto tagged = detail::with_pieces<Why.tag>([]<fixed_string... P>() { return type_c<with_tag<P...>>; });
    constexpr auto by = detail::with_pieces<Why.backend>([]<fixed_string... P>() { return type_c<for_backend<P...>>; });
    constexpr auto reason = detail::with_pieces<Why.reason>([]<fixed_string... P>() { return type_c<because<P...>>; });
    using method = typename found<>::template with<(Why.method.size != 0), typename decltype(in)::type>;
    using place = typename method::template with<(Why.node >= 0), typename decltype(at)::type>::template with<(Why.op.size != 0),
                                                                                                              typename decltype(of)::type>;
    using known =
        typename place::template with<(Why.tag.size != 0), typename decltype(tagged)::type>::template with<(Why.backend.size != 0),
                                                                                                           typename decltype(by)::type>;
    broken_rule::template report<typename known::template with<(Why.reason.size != 0), typename decltype(reason)::type>>();
  }
}

}  // namespace baton

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

/// What a node does with its subgraphs. Subgraphs take all that they use as inputs, or own it as constant data; nothing is captured.
enum class control_flow : std::uint8_t {
  none,
  /// Operands: a scalar predicate, then the branches' inputs. Subgraphs: the branch if true, the branch if false.
  cond,
  /// Operands: carried values, then values that do not change. Subgraphs: condition (one scalar output), body (the next carried values).
  /// As many values are carried as the node has outputs.
  while_loop,
  /// Operands: as many stacks as the attribute `mapped` says, then values that do not change. Subgraph: the body, which takes one slice
  /// of each stack along dimension 0; its outputs are stacked again.
  map,
  /// Operands: as many initial values as the attribute `carried` says, stacks as `scanned` says, then values that do not change.
  /// Subgraph: the body takes carried values, slices and the rest, and gives the next carried values, then outputs that are stacked.
  scan,
};

/// What a node does with its subgraphs; `none` also for an operator with subgraphs that only a backend understands.
constexpr auto control_flow_of(const node& record) -> control_flow {
  if (record.is("cond") || record.is("tfl.if")) return control_flow::cond;
  if (record.is("while_loop") || record.is("tfl.while")) return control_flow::while_loop;
  if (record.is("map")) return control_flow::map;
  if (record.is("scan")) return control_flow::scan;
  return control_flow::none;
}

/// How a control-flow node's operands and outputs divide.
struct loop_counts {
  std::size_t carried = 0;  ///< operands and outputs that go round
  std::size_t stacked = 0;  ///< operands that are taken slice by slice
};
constexpr auto loop_counts_of(const program_view& program, const node& record) -> loop_counts {
  const auto count = [&](literal_name key) { return static_cast<std::size_t>(std::max<std::int64_t>(0, program.integer(record, key))); };
  switch (control_flow_of(record)) {
    case control_flow::while_loop:
      return {record.outputs.size, 0};
    case control_flow::map:
      return {0, count("mapped")};
    case control_flow::scan:
      return {count("carried"), count("scanned")};
    default:
      return {};
  }
}

namespace detail {

/// Whether two values have one type; with `is_slice` the second is a slice of the first along dimension 0. An unknown size fits any.
constexpr auto has_type_of(const program_view& program, value_id whole, value_id part, bool is_slice) -> bool {
  if (whole == none<value_id>) return false;
  auto shape = program.shape(whole);
  if (is_slice && shape.empty()) return false;
  if (is_slice) shape = shape.subspan(1);
  const auto fits = [](std::int64_t a, std::int64_t b) { return a == b || a < 0 || b < 0; };
  return program[whole].type == program[part].type && std::ranges::equal(shape, program.shape(part), fits);
}

class control_flow_check {
 public:
  constexpr control_flow_check(const program_view& program, const node& record) : program_(program), record_(record) {}

  constexpr auto run() const -> failure {
    const auto kind = control_flow_of(record_);
    if (kind == control_flow::none) return {};
    const std::size_t needed = kind == control_flow::cond || kind == control_flow::while_loop ? 2 : 1;
    const auto graphs = program_.subgraphs_of(record_);
    if (graphs.size() != needed) return broken<rule::malformed_operator>("it needs ", needed, " subgraphs and has ", graphs.size());
    if (kind == control_flow::cond) return check_cond(graphs);
    if (kind == control_flow::while_loop) return check_while(graphs);
    return check_stacked(graphs[0]);
  }

 private:
  constexpr auto operands() const -> std::span<const value_id> { return program_.inputs(record_); }
  constexpr auto results() const -> std::span<const value_id> { return program_.outputs_of(record_); }

  /// Whether the graph takes these operands, the stacked ones as slices.
  constexpr auto takes(graph_id id, std::span<const value_id> given, loop_counts counts = {}) const -> bool {
    std::size_t taken = 0;
    for (const auto input : program_.inputs(program_[id])) {
      if (program_[input].kind != value_kind::user_input) continue;
      const bool is_slice = taken >= counts.carried && taken < counts.carried + counts.stacked;
      if (taken == given.size() || !has_type_of(program_, given[taken], input, is_slice)) return false;
      ++taken;
    }
    return taken == given.size();
  }
  /// Whether the graph gives these values, those from `carried` on as slices if `is_stacked`.
  constexpr auto gives(graph_id id, std::span<const value_id> wanted, std::size_t carried, bool is_stacked) const -> bool {
    std::size_t given = 0;
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (spec.kind != output_kind::user_output) continue;
      if (given == wanted.size() || !has_type_of(program_, wanted[given], spec.value, is_stacked && given >= carried)) return false;
      ++given;
    }
    return given == wanted.size();
  }
  constexpr auto is_scalar(value_id id) const -> bool { return id != none<value_id> && element_count(program_.shape(id)) == 1; }
  constexpr auto misfit(graph_id id, std::string_view what) const -> failure {
    return broken<rule::malformed_operator>("subgraph ", program_.text(program_[id].name), what);
  }

  constexpr auto check_cond(std::span<const graph_id> graphs) const -> failure {
    if (operands().empty() || !is_scalar(operands()[0])) return broken<rule::malformed_operator>("the predicate is one scalar");
    for (const auto id : graphs) {
      if (!takes(id, operands().subspan(1))) return misfit(id, " takes other inputs than the operands");
      if (!gives(id, results(), 0, false)) return misfit(id, " gives other outputs than the node");
    }
    return {};
  }
  constexpr auto check_while(std::span<const graph_id> graphs) const -> failure {
    if (operands().size() < results().size()) return broken<rule::malformed_operator>("every output needs a carried operand");
    for (const auto id : graphs) {
      if (!takes(id, operands())) return misfit(id, " takes other inputs than the operands");
    }
    const auto condition = program_.outputs_of(program_[graphs[0]]);
    const bool decides = condition.size() == 1 && condition[0].kind == output_kind::user_output && is_scalar(condition[0].value);
    if (!decides) return misfit(graphs[0], " must give one scalar");
    if (!gives(graphs[1], results(), 0, false)) return misfit(graphs[1], " gives other outputs than the node");
    for (std::size_t i = 0; i < results().size(); ++i) {
      if (!has_type_of(program_, operands()[i], results()[i], false)) return misfit(graphs[1], " changes the type of what it carries");
    }
    return {};
  }
  constexpr auto check_stacked(graph_id body) const -> failure {
    const auto counts = loop_counts_of(program_, record_);
    if (counts.stacked == 0 || counts.carried + counts.stacked > operands().size() || counts.carried > results().size()) {
      return broken<rule::malformed_operator>("its attributes say how many operands are stacks and carried");
    }
    if (!takes(body, operands(), counts)) return misfit(body, " takes other inputs than carried values, slices and the rest");
    if (!gives(body, results(), counts.carried, true)) return misfit(body, " gives other outputs than carried values and slices");
    const auto steps = program_.shape(operands()[counts.carried])[0];
    for (std::size_t i = counts.carried; i < counts.carried + counts.stacked; ++i) {
      if (program_.shape(operands()[i])[0] != steps) return misfit(body, " would take stacks of different heights");
    }
    for (std::size_t i = counts.carried; i < results().size(); ++i) {
      if (program_.shape(results()[i])[0] != steps) return misfit(body, " would give stacks of another height than it takes");
    }
    return {};
  }

  program_view program_;
  const node& record_;
};

}  // namespace detail

/// Checks that a control-flow node and its subgraphs fit one another. Errors: `malformed_operator`.
constexpr auto check_control_flow(const program_view& program, const node& record) -> failure {
  return detail::control_flow_check(program, record).run();
}

}  // namespace baton

// ---- baton/core/copy.hpp

// Copies records of one program into a builder of another: what every rewriting pass is made of.

#include <cstddef>
#include <cstdint>
#include <span>

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
        graphs_(from.graphs.size(), none<graph_id>),
        delegates_(from.delegates.size(), none<delegate_id>) {}

  /// Forgets graphs and lowered modules that were copied, for a target that was emptied. Values count as copied until they are again.
  constexpr void begin_again() {
    for (const auto id : copied_graphs_) graphs_[index(id)] = none<graph_id>;
    for (const auto id : copied_delegates_) delegates_[index(id)] = none<delegate_id>;
    copied_graphs_.clear();
    copied_delegates_.clear();
  }

  constexpr auto copy(byte_ref ref) -> byte_ref {
    if (ref.outside != nullptr) return ref;
    return bytes_ == source_bytes::kept ? program_builder::view(from_.text(ref)) : to_.own(from_.text(ref));
  }

  /// What the value became, `none` if it was not copied.
  constexpr auto copy_of(value_id id) const -> value_id { return id == none<value_id> ? id : values_[index(id)]; }
  /// Lets a value stand for an existing one of the target.
  constexpr void replace(value_id id, value_id by) { values_[index(id)] = by; }
  /// Lets a value have data that the target has already, instead of a copy of its own.
  constexpr void place_data(value_id id, byte_ref data) {
    placed_.resize(values_.size(), no_data);
    placed_[index(id)] = static_cast<std::uint32_t>(placed_data_.size());
    placed_data_.push_back(data);
  }

  /// A copy of a value's record, to be changed before it is added.
  constexpr auto record_of(value_id id) -> value {
    auto record = from_[id];
    record.name = copy(record.name);
    record.shape = to_.integers(from_.integer_list(record.shape));
    record.quant.scales = copy(record.quant.scales);
    record.quant.zero_points = copy(record.quant.zero_points);
    record.data = data_of(id);
    record.target = copy(record.target);
    record.tag = none<tag_id>;
    record.sharing = value{}.sharing;
    return record;
  }
  constexpr auto copy_value(value_id id) -> value_id { return values_[index(id)] = to_.add_value(record_of(id)); }
  constexpr auto copy_input(value_id id) -> value_id { return values_[index(id)] = to_.add_input(record_of(id)); }

  /// Copies a node and its outputs; its inputs must have been copied, its delegate is copied with it, its subgraphs by `copy_subgraph`.
  template <class CopyGraph>
  constexpr void copy_node(node_id id, CopyGraph&& copy_subgraph) {
    const auto& source = from_[id];
    const auto here = to_.current();
    vector<graph_id> inner;
    for (const auto g : from_.subgraphs_of(source)) inner.push_back(copy_subgraph(g));
    const auto delegate = source.delegate == none<delegate_id> ? source.delegate : copy_own_delegate(source.delegate);
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
    copied_graphs_.push_back(id);
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

  /// Copies a lowered module of any program, with the program it was made from; the current graph changes. `data`: what the target has
  /// already of the data of that program's first inputs.
  constexpr auto copy_delegate(const program_view& source, delegate_id id, std::span<const byte_ref> data = {}) -> delegate_id {
    program_copier inner(source, to_, bytes_);
    auto record = source[id];
    for (std::size_t i = 0; i < data.size(); ++i) inner.place_data(source.inputs(source[record.original])[i], data[i]);
    record.original = inner.copy_graph(record.original);
    record.name = inner.copy(record.name);
    record.backend_id = inner.copy(record.backend_id);
    record.processed_bytes = inner.copy(record.processed_bytes);
    record.compile_specs = inner.copy_compile_specs(record.compile_specs);
    record.debug_map = inner.copy_mapping(record.debug_map);
    record.named_data = inner.copy_named_data(record.named_data);
    record.info = inner.copy(record.info);
    auto& delegates = to_.draft().delegates;
    delegates.push_back(record);
    return static_cast<delegate_id>(delegates.size() - 1);
  }
  constexpr auto copy_compile_specs(range run) -> range {
    vector<compile_spec_ref> specs;
    for (const auto& spec : std::span{from_.compile_specs}.subspan(run.first, run.size))
      specs.push_back({copy(spec.key), copy(spec.value)});
    return detail::add_to(to_.draft().compile_specs, std::span<const compile_spec_ref>{specs});
  }

 private:
  static constexpr std::uint32_t no_data = 0xffffffffu;

  constexpr auto data_of(value_id id) -> byte_ref {
    const bool is_placed = index(id) < placed_.size() && placed_[index(id)] != no_data;
    return is_placed ? placed_data_[placed_[index(id)]] : copy(from_[id].data);
  }
  /// A lowered module of the source; one that several nodes call stays one.
  constexpr auto copy_own_delegate(delegate_id id) -> delegate_id {
    auto& copied = delegates_[index(id)];
    if (copied == none<delegate_id>) {
      copied = copy_delegate(from_, id);
      copied_delegates_.push_back(id);
    }
    return copied;
  }
  constexpr auto mapped(std::span<const value_id> ids) const -> vector<value_id> {
    vector<value_id> copies;
    copies.reserve(ids.size());
    for (const auto id : ids) copies.push_back(copy_of(id));
    return copies;
  }
  /// Named data that the target has already, or is about to have, stays one.
  constexpr auto copy_named_bytes(byte_ref data, const vector<named_data_ref>& latest) -> byte_ref {
    const auto& target = to_.draft();
    for (const auto& entry : target.named_data) {
      if (same_bytes(program_view(target).data(entry.data), from_.data(data))) return entry.data;
    }
    for (const auto& entry : latest) {
      if (same_bytes(program_view(target).data(entry.data), from_.data(data))) return entry.data;
    }
    return copy(data);
  }
  constexpr auto copy_named_data(range run) -> range {
    vector<named_data_ref> entries;
    for (auto entry : std::span{from_.named_data}.subspan(run.first, run.size)) {
      entry.key = copy(entry.key);
      entry.data = copy_named_bytes(entry.data, entries);
      entry.external_tag = copy(entry.external_tag);
      entry.sizes = to_.integers(from_.integer_list(entry.sizes));
      entry.dim_order = to_.integers(from_.integer_list(entry.dim_order));
      entries.push_back(entry);
    }
    return detail::add_to(to_.draft().named_data, std::span<const named_data_ref>{entries});
  }
  constexpr auto copy_mapping(range run) -> range {
    vector<mapping_entry> entries;
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
  vector<value_id> values_;
  vector<graph_id> graphs_;
  vector<delegate_id> delegates_;
  vector<graph_id> copied_graphs_;
  vector<delegate_id> copied_delegates_;
  vector<std::uint32_t> placed_;  ///< by value: the place of its data in `placed_data_`
  vector<byte_ref> placed_data_;
};

}  // namespace baton

// ---- baton/core/debug_handles.hpp

// Debug handles: the numbers that tell, after lowering, which operation of the source a node came from.

// ---- baton/core/nested_graphs.hpp

// The graphs that lie within a graph.

#include <cstddef>
#include <cstdint>

namespace baton {

/// How far a question to a graph reaches.
enum class reach : std::uint8_t {
  graph,      ///< its own nodes only
  branches,   ///< also the subgraphs of its nodes, and theirs
  delegates,  ///< also the programs that its lowered modules were made from
};

/// A graph and, as far as is asked, what lies in it: breadth first, each once, however often it is called.
constexpr auto nested_graphs(const program_view& program, graph_id outermost, reach how_far = reach::branches) -> vector<graph_id> {
  vector<graph_id> found;
  if (index(outermost) >= program.graphs.size()) return found;
  found.push_back(outermost);
  if (how_far == reach::graph) return found;
  vector<char> seen(program.graphs.size(), 0);
  seen[index(outermost)] = 1;
  const auto add = [&](graph_id id) {
    if (seen[index(id)] == 0) found.push_back(id);
    seen[index(id)] = 1;
  };
  for (std::size_t at = 0; at < found.size(); ++at) {
    for (const auto& record : program.nodes_of(program[found[at]])) {
      for (const auto subgraph : program.subgraphs_of(record)) add(subgraph);
      if (how_far == reach::delegates && record.delegate != none<delegate_id>) add(program[record.delegate].original);
    }
  }
  return found;
}

}  // namespace baton

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

template <class F>
constexpr void for_each_node_breadth_first(exported_program& program, F f) {
  for (const auto id : nested_graphs(program, graph_id{0})) {
    const auto run = program[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) f(program.nodes[n]);
  }
}

}  // namespace detail

/// Numbers the nodes of a program anew, from 1, the root graph first, then its branches breadth first. Nodes for which `source_of(node)`
/// gives the same text, not empty, come from one operation of the source, and share a handle.
template <class SourceOf>
constexpr void generate_debug_handles(exported_program& program, SourceOf source_of) {
  std::uint32_t handles = 0;
  vector<std::pair<std::string_view, std::uint32_t>> sources;  // in the order of their texts
  detail::for_each_node_breadth_first(program, [&](node& record) {
    const std::string_view source = source_of(std::as_const(record));
    if (source.empty()) {
      record.debug_handle = ++handles;
      return;
    }
    const auto earlier = [](const auto& entry, std::string_view text) { return entry.first < text; };
    auto found = std::lower_bound(sources.begin(), sources.end(), source, earlier);
    if (found == sources.end() || found->first != source) found = sources.insert(found, {source, ++handles});
    record.debug_handle = found->second;
  });
}
/// The same where each node is an operation of its own.
constexpr void generate_debug_handles(exported_program& program) {
  generate_debug_handles(program, [](const node&) { return std::string_view{}; });
}

/// Gives each node without a handle, as passes leave them that make new nodes, the next above the greatest there is, breadth first.
/// Handles that are set stay.
constexpr void complete_debug_handles(exported_program& program) {
  std::uint32_t greatest = 0;
  detail::for_each_node_breadth_first(program, [&](const node& record) { greatest = std::max(greatest, record.debug_handle); });
  detail::for_each_node_breadth_first(program, [&](node& record) {
    if (record.debug_handle == 0) record.debug_handle = ++greatest;
  });
}

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

  vector<std::uint32_t> digits_;
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

// ---- baton/core/identical.hpp

// Whether graphs, of one program or of two, say the same, wherever their records lie.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace baton {

namespace detail {

/// Pairs the values, nodes and graphs of two programs that have to be the same, and checks one pair after the other: no recursion, each
/// pair once.
class structural_comparison {
 public:
  constexpr structural_comparison(const program_view& left, const program_view& right)
      : left_(left),
        right_(right),
        left_partner_(left.values.size(), none<value_id>),
        right_partner_(right.values.size(), none<value_id>),
        graph_partner_(left.graphs.size(), none<graph_id>),
        left_maker_(makers_in(left)),
        right_maker_(makers_in(right)) {}

  constexpr void pair(graph_id a, graph_id b) {
    auto& partner = graph_partner_[index(a)];
    demand(partner == none<graph_id> || partner == b);
    if (partner == none<graph_id>) graphs_.emplace_back(a, b);
    partner = b;
  }
  constexpr void pair(node_id a, node_id b) { nodes_.emplace_back(a, b); }

  constexpr auto run() -> bool {
    while (is_same_ && !(graphs_.empty() && nodes_.empty())) {
      if (!graphs_.empty()) {
        const auto [a, b] = graphs_.back();
        graphs_.pop_back();
        compare(left_[a], right_[b]);
      } else {
        const auto [a, b] = nodes_.back();
        nodes_.pop_back();
        compare(left_[a], right_[b]);
      }
    }
    return is_same_;
  }

 private:
  static constexpr auto makers_in(const program_view& program) -> vector<node_id> {
    vector<node_id> makers(program.values.size(), none<node_id>);
    for (std::size_t n = 0; n < program.nodes.size(); ++n) {
      for (const auto output : program.outputs_of(program.nodes[n])) makers[index(output)] = static_cast<node_id>(n);
    }
    return makers;
  }

  constexpr void demand(bool is_so) { is_same_ = is_same_ && is_so; }
  constexpr auto same(byte_ref a, byte_ref b) const -> bool { return left_.text(a) == right_.text(b); }

  constexpr void pair(value_id a, value_id b) {
    if (a == none<value_id> || b == none<value_id>) return demand(a == b);
    auto& forth = left_partner_[index(a)];
    auto& back = right_partner_[index(b)];
    demand((forth == none<value_id> && back == none<value_id>) || (forth == b && back == a));
    if (forth == b) return;
    forth = b;
    back = a;
    compare(left_[a], right_[b]);
    const auto makers = std::pair{left_maker_[index(a)], right_maker_[index(b)]};
    demand((makers.first == none<node_id>) == (makers.second == none<node_id>));
    if (makers.first == none<node_id>) return demand(same(left_[a].name, right_[b].name));
    if (is_same_) nodes_.push_back(makers);
  }
  template <class Records>
  constexpr void pair_all(const Records& a, const Records& b) {
    demand(a.size() == b.size());
    for (std::size_t i = 0; is_same_ && i < a.size(); ++i) pair(a[i], b[i]);
  }

  constexpr void compare(const value& a, const value& b) {
    demand(a.type == b.type && a.kind == b.kind && same(a.target, b.target) &&
           std::ranges::equal(left_.integer_list(a.shape), right_.integer_list(b.shape)) && same(a.quant.scales, b.quant.scales) &&
           same(a.quant.zero_points, b.quant.zero_points) && a.quant.channels == b.quant.channels && a.quant.axis == b.quant.axis);
  }

  constexpr void compare(const graph& a, const graph& b) {
    pair_all(left_.inputs(a), right_.inputs(b));
    demand(a.nodes.size == b.nodes.size);
    for (std::uint32_t n = 0; is_same_ && n < a.nodes.size; ++n) compare(left_.nodes[a.nodes.first + n], right_.nodes[b.nodes.first + n]);
    const auto outputs = left_.outputs_of(a);
    const auto others = right_.outputs_of(b);
    demand(outputs.size() == others.size());
    for (std::size_t i = 0; is_same_ && i < outputs.size(); ++i) {
      demand(outputs[i].kind == others[i].kind && same(outputs[i].target, others[i].target));
      pair(outputs[i].value, others[i].value);
    }
  }

  constexpr void compare(const node& a, const node& b) {
    demand(a.op == b.op);
    pair_all(left_.outputs_of(a), right_.outputs_of(b));
    pair_all(left_.inputs(a), right_.inputs(b));
    pair_all(left_.subgraphs_of(a), right_.subgraphs_of(b));
    const auto literals = left_.attributes_of(a);
    const auto others = right_.attributes_of(b);
    demand(literals.size() == others.size());
    for (std::size_t i = 0; is_same_ && i < literals.size(); ++i) compare(literals[i], others[i]);
    demand((a.delegate == none<delegate_id>) == (b.delegate == none<delegate_id>));
    if (is_same_ && a.delegate != none<delegate_id>) compare(left_[a.delegate], right_[b.delegate]);
  }

  constexpr void compare(const attribute& a, const attribute& b) {
    demand(a.key == b.key && a.kind == b.kind && a.integer == b.integer && a.real == b.real && same(a.bytes, b.bytes));
    if (a.kind == attribute_kind::reals) return demand(std::ranges::equal(left_.real_list(a.list), right_.real_list(b.list)));
    demand(std::ranges::equal(left_.integer_list(a.list), right_.integer_list(b.list)));
  }

  constexpr void compare(const lowered_module_ref& a, const lowered_module_ref& b) {
    demand(same(a.backend_id, b.backend_id) && same(a.processed_bytes, b.processed_bytes) && a.compile_specs.size == b.compile_specs.size);
    for (std::uint32_t i = 0; is_same_ && i < a.compile_specs.size; ++i) {
      const auto& spec = left_.compile_specs[a.compile_specs.first + i];
      const auto& other = right_.compile_specs[b.compile_specs.first + i];
      demand(same(spec.key, other.key) && same(spec.value, other.value));
    }
    pair(a.original, b.original);
  }

  program_view left_;
  program_view right_;
  vector<value_id> left_partner_;
  vector<value_id> right_partner_;
  vector<graph_id> graph_partner_;
  vector<node_id> left_maker_;
  vector<node_id> right_maker_;
  vector<std::pair<graph_id, graph_id>> graphs_;
  vector<std::pair<node_id, node_id>> nodes_;
  bool is_same_ = true;
};

}  // namespace detail

/// Whether two graphs are identical: node by node the same operators on the same operands with the same literals, making values of the same
/// types; the same placeholders by name and target; the same outputs; and so on within subgraphs and lowered modules. The names of nodes,
/// debug handles, tags and the bytes of constants do not count. Linear in the size of both programs.
constexpr auto is_identical(const program_view& left, graph_id left_graph, const program_view& right, graph_id right_graph) -> bool {
  detail::structural_comparison comparison(left, right);
  comparison.pair(left_graph, right_graph);
  return comparison.run();
}
/// The same for root graphs.
constexpr auto is_identical(const program_view& left, const program_view& right) -> bool {
  if (left.graphs.empty() || right.graphs.empty()) return left.graphs.empty() && right.graphs.empty();
  return is_identical(left, graph_id{0}, right, graph_id{0});
}
/// Whether nodes, one by one, are identical: the same operators made the same from the same placeholders, wherever they stand.
constexpr auto is_identical(const program_view& left, std::span<const node_id> left_nodes, const program_view& right,
                            std::span<const node_id> right_nodes) -> bool {
  if (left_nodes.size() != right_nodes.size()) return false;
  detail::structural_comparison comparison(left, right);
  for (std::size_t i = 0; i < left_nodes.size(); ++i) comparison.pair(left_nodes[i], right_nodes[i]);
  return comparison.run();
}
/// The same for one node each.
constexpr auto is_identical(const program_view& left, node_id left_node, const program_view& right, node_id right_node) -> bool {
  return is_identical(left, std::span{&left_node, 1}, right, std::span{&right_node, 1});
}

}  // namespace baton

// ---- baton/core/locate.hpp

// Says where in a program a rule was broken.

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

// ---- baton/core/print_literal.hpp

// A literal of a node as text, in the style of Python: `[1, 2]`, `'same'`, `True`.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// Appends text in quotes; what is no printable ASCII becomes `\x0a` and the like.
constexpr auto append_quoted(text_buffer& to, std::string_view text) -> text_buffer& {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  to.push_back('\'');
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      to.push_back('\\');
      to.push_back(c);
    } else if (code < 0x20 || code >= 0x7f) {
      append(to, "\\x");
      to.push_back(hexadecimal[code / 16]);
      to.push_back(hexadecimal[code % 16]);
    } else {
      to.push_back(c);
    }
  }
  to.push_back('\'');
  return to;
}

/// Appends a literal of a node of the program.
constexpr auto append_literal(text_buffer& to, const program_view& program, const attribute& literal) -> text_buffer& {
  const auto list = [&to](const auto& numbers, auto add) -> text_buffer& {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      append(to, i == 0 ? "[" : ", ");
      add(numbers[i]);
    }
    return append(to, numbers.empty() ? "[]" : "]");
  };
  switch (literal.kind) {
    case attribute_kind::integer:
      return append(to, literal.integer);
    case attribute_kind::real:
      append_real(to, literal.real);
      return to;
    case attribute_kind::boolean:
      return append(to, literal.integer != 0 ? "True" : "False");
    case attribute_kind::text:
      return append_quoted(to, program.text(literal.bytes));
    case attribute_kind::bytes:
      return append_quoted(append(to, "b"), program.text(literal.bytes));
    case attribute_kind::integers:
      return list(program.integer_list(literal.list), [&to](std::int64_t number) { append(to, number); });
    case attribute_kind::reals:
      return list(program.real_list(literal.list), [&to](double number) { append_real(to, number); });
  }
  return to;
}

}  // namespace baton

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

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
      append_literal(text_, program_, literal);
    }
    if (record.subgraphs.size != 0) {
      separate();
      add("subgraphs=[");
      list(program_.subgraphs_of(record), [this](graph_id subgraph) { add(name_of(subgraph)); });
      add("]");
    }
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
  vector<char> is_inner_;   ///< by graph: 1 a node or a lowered module contains it, 2 and it has been printed
  vector<char> is_called_;  ///< by lowered module
  text_buffer text_;
  bool has_comment_ = false;
};

}  // namespace detail

/// A program, one line a node, in the style of torch.fx; what stands behind `  # ` is a comment: dtype, shape, kind, tag, mutated buffers.
/// Subgraphs, and the programs that lowered modules were made from, stand indented below the node that contains them. A delegate call shows
/// its lowered module as its first operand, as in ExecuTorch. The program must pass `verify`.
constexpr auto print(const program_view& program) -> text_buffer { return detail::printer(program).run(); }

}  // namespace baton

// ---- baton/core/sha256.hpp

// SHA-256: names that follow from content.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
inline constexpr std::array<std::uint32_t, 64> sha256_constants{
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u,
    0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu,
    0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u,
    0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u, 0x1e376c08u,
    0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

using sha256_block = std::array<std::uint32_t, 16>;
using sha256_state = std::array<std::uint32_t, 8>;

/// Works one block of 64 bytes into the state (FIPS 180-4, 6.2.2).
constexpr void mix_sha256(sha256_state& state, const sha256_block& block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = block[t];
  for (std::size_t t = 16; t < 64; ++t) {
    const auto s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const auto s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const auto s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const auto first = h + s1 + ((e & f) ^ (~e & g)) + sha256_constants[t] + w[t];
    const auto s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const auto second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const sha256_state change{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

}  // namespace detail

/// The SHA-256 digest of bytes as eight big-endian words (NIST, FIPS 180-4, Secure Hash Standard, 2015). In the compiler it takes some
/// 3,000 steps for every 64 bytes.
constexpr auto sha256(std::string_view bytes) -> std::array<std::uint32_t, 8> {
  detail::sha256_state state{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  // What is hashed is the text, a set bit, zeros, and the length in bits.
  const auto byte_at = [&](std::size_t at) -> std::uint32_t {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : at == bytes.size() ? 0x80u : 0u;
  };
  const auto blocks = (bytes.size() + 8) / 64 + 1;
  for (std::size_t number = 0; number < blocks; ++number) {
    detail::sha256_block block{};
    for (std::size_t word = 0; word < block.size(); ++word) {
      for (std::size_t i = 0; i < 4; ++i) block[word] = block[word] << 8 | byte_at(64 * number + 4 * word + i);
    }
    if (number + 1 == blocks) {
      const auto bits = std::uint64_t{bytes.size()} * 8;
      block[14] = static_cast<std::uint32_t>(bits >> 32);
      block[15] = static_cast<std::uint32_t>(bits);
    }
    detail::mix_sha256(state, block);
  }
  return state;
}

/// Appends a number as so many hexadecimal digits.
constexpr auto append_hex(text_buffer& buffer, std::uint64_t number, int digits) -> text_buffer& {
  for (int at = digits; at-- > 0;) buffer.push_back("0123456789abcdef"[number >> (4 * at) & 0xf]);
  return buffer;
}

/// The digest as text: 64 hexadecimal digits.
constexpr auto sha256_text(std::string_view bytes) -> text_buffer {
  text_buffer text;
  for (const auto word : sha256(bytes)) append_hex(text, word, 8);
  return text;
}

}  // namespace baton

// ---- baton/core/static_program.hpp

// The thin static layer: evaluate a stateless callable in the compiler and freeze the program it makes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// The owning copy of a program in any form; bytes outside stay outside.
constexpr auto thaw(const program_view& program) -> exported_program {
  exported_program copy;
  for_each_pool([](auto& to, const auto& from) { to.assign(from.begin(), from.end()); }, copy, program);
  return copy;
}

namespace detail {

/// Copies a pool's first records into an array that has room for them.
template <class From, class To>
constexpr void copy_records(const From& from, To& to, std::size_t count) {
  if constexpr (std::is_same_v<typename To::value_type, char>) {
    copy_bytes({from.data(), count}, to.data());
  } else {
    std::copy_n(from.begin(), count, to.begin());
  }
}

}  // namespace detail

/// A copy of a program in arrays of exactly these sizes, which must be `sizes_of(program)`.
template <pool_sizes Sizes>
constexpr auto freeze(const program_view& program) -> frozen_program<Sizes> {
  frozen_program<Sizes> copy{};
  for_each_pool([](auto& to, const auto& from) { detail::copy_records(from, to, from.size()); }, copy, program);
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

/// Room for the programs of most models. What fits is made in one evaluation, what does not in two: for the sizes, then for the arrays.
inline constexpr pool_sizes common_sizes{16, 512, 1024, 2048, 4096, 4096, 64, 131072, 16, 64, 64, 64, 512, 64, 64};

constexpr auto are_common(const pool_sizes& sizes) -> bool {
  return std::ranges::equal(sizes, common_sizes, [](std::uint32_t size, std::uint32_t room) { return size <= room; });
}

/// What a stage came to, and its program with room to spare, if it has that room.
struct roomy_outcome {
  outcome known;
  frozen_program<common_sizes> program{};
};

template <class Make>
consteval auto make_roomy() -> roomy_outcome {
  const auto made = as_result(Make{}());
  roomy_outcome all;
  all.known.why = static_failure{made.error};
  if (!made) return all;
  all.known.sizes = sizes_of(made.value);
  if (!are_common(all.known.sizes)) return all;
  for_each_pool([](auto& to, const auto& from) { copy_records(from, to, from.size()); }, all.program, made.value);
  return all;
}

/// The program without the room to spare.
template <pool_sizes Sizes>
constexpr auto fitted(const frozen_program<common_sizes>& roomy) -> frozen_program<Sizes> {
  frozen_program<Sizes> copy{};
  for_each_pool([](auto& to, const auto& from) { copy_records(from, to, to.size()); }, copy, roomy);
  return copy;
}

/// A stage that is made from others says by `stages_are_whole` whether they could be made.
template <class Make>
inline constexpr bool stages_are_whole = true;
template <class Make>
  requires requires { Make::stages_are_whole; }
inline constexpr bool stages_are_whole<Make> = Make::stages_are_whole;

template <class Make>
inline constexpr roomy_outcome roomy_constant = make_roomy<Make>();
template <class Make>
inline constexpr const outcome& outcome_constant = roomy_constant<Make>.known;

template <class Make>
consteval auto frozen_outcome() {
  constexpr const outcome& known = outcome_constant<Make>;
  require_unbroken<known.why>();
  if constexpr (are_common(known.sizes)) {
    return fitted<known.sizes>(roomy_constant<Make>.program);
  } else {
    return freeze<known.sizes>(as_result(Make{}()).value);
  }
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

// ---- baton/core/type_name.hpp

// The name of a type, for messages.

#include <string_view>

namespace baton {

namespace detail {
template <class T>
consteval auto signature_with() -> std::string_view {
  return __PRETTY_FUNCTION__;
}
}  // namespace detail

/// The name of a type as the compiler at hand writes it: for people to read, not to compare, since compilers write templates differently.
template <class T>
consteval auto type_name() -> std::string_view {
  constexpr std::string_view known = "double";
  constexpr auto first = detail::signature_with<double>().find(known);
  constexpr auto after = detail::signature_with<double>().size() - first - known.size();
  const auto whole = detail::signature_with<T>();
  return whole.substr(first, whole.size() - first - after);
}

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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

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
      for (const auto input : program_.inputs(g)) {
        if (!inside(input)) return broken<rule::misplaced_index>("a graph input");
      }
      for (const auto& spec : program_.outputs_of(g)) {
        if (!inside(spec.value) || !inside(spec.target)) return broken<rule::misplaced_index>("a graph output");
      }
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
      const bool good = inside(record.name) && inside(record.backend_id) && inside(record.processed_bytes) && inside(record.info) &&
                        index(record.original) < program_.graphs.size() && inside(record.compile_specs, program_.compile_specs) &&
                        inside(record.debug_map, program_.mappings) && inside(record.named_data, program_.named_data);
      if (!good) return broken<rule::misplaced_index>("a lowered module");
    }
    for (const auto& record : program_.compile_specs) {
      if (!inside(record.key) || !inside(record.value)) return broken<rule::misplaced_index>("a compile spec");
    }
    for (const auto& record : program_.mappings) {
      if (!inside(record.text) || !inside(record.handles, program_.integers)) return broken<rule::misplaced_index>("a delegate mapping");
    }
    for (const auto& record : program_.named_data) {
      const bool good = inside(record.key) && inside(record.data) && inside(record.external_tag) &&
                        inside(record.sizes, program_.integers) && inside(record.dim_order, program_.integers);
      if (!good) return broken<rule::misplaced_index>("named data");
      if (record.alignment == 0) return broken<rule::malformed_alignment>("key ", program_.text(record.key), ", alignment 0");
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
    vector<std::uint32_t> containers(program_.graphs.size(), 0);
    for_each_contained([&](std::uint32_t, std::uint32_t inner) { containers[inner] += 1; });
    vector<std::uint32_t> depth(program_.graphs.size(), 0);
    vector<std::uint32_t> ready;
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
    states_.clear();
    for (const auto input : program_.inputs(g)) {
      const auto& record = program_[input];
      if (record.graph != id) return broken<rule::foreign_value>("graph input ", program_.text(record.name));
      if (record.kind == value_kind::intermediate) return broken<rule::malformed_signature>("graph input ", program_.text(record.name));
      if (defined_[index(input)] != 0) return broken<rule::value_defined_twice>("graph input ", program_.text(record.name));
      defined_[index(input)] = 1;
      if (record.kind == value_kind::mutable_buffer) states_.push_back(program_.text(record.target));
    }
    if (const auto twice = duplicate_in(states_); twice != states_.end())
      return broken<rule::malformed_signature>("two mutable buffers are ", *twice);
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
    if (record.delegate != none<delegate_id>) {
      if (auto why = check_delegate_call(record)) return why;
    }
    return check_control_flow(program_, record);
  }

  /// A call gives what the lowered module's original takes from its user, and takes what that gives.
  constexpr auto check_delegate_call(const node& record) const -> failure {
    const auto& original = program_[program_[record.delegate].original];
    vector<value_id> taken;
    vector<value_id> given;
    for (const auto input : program_.inputs(original)) {
      if (!inside(input)) return broken<rule::misplaced_index>("a graph input");
      if (!is_owned_data(program_[input].kind)) taken.push_back(input);
    }
    for (const auto& spec : program_.outputs_of(original)) {
      if (!inside(spec.value)) return broken<rule::misplaced_index>("a graph output");
      if (spec.kind == output_kind::user_output) given.push_back(spec.value);
    }
    if (auto why = check_types(program_.inputs(record), taken, "arguments")) return why;
    return check_types(program_.outputs_of(record), given, "outputs");
  }
  constexpr auto check_types(std::span<const value_id> of_call, std::span<const value_id> of_original, std::string_view what) const
      -> failure {
    if (of_call.size() != of_original.size()) {
      return broken<rule::malformed_operator>("the lowered module has ", of_original.size(), " ", what, ", the call ", of_call.size());
    }
    for (std::size_t i = 0; i < of_call.size(); ++i) {
      if (of_call[i] != none<value_id> && is_type_of(of_call[i], of_original[i])) continue;
      return broken<rule::malformed_operator>("the ", what, " differ in type from ", i, " on, ",
                                              program_.text(program_[of_original[i]].name));
    }
    return {};
  }
  /// Whether two values can be one: an unknown size fits any.
  constexpr auto is_type_of(value_id a, value_id b) const -> bool {
    return program_[a].type == program_[b].type &&
           std::equal(program_.shape(a).begin(), program_.shape(a).end(), program_.shape(b).begin(), program_.shape(b).end(),
                      [](std::int64_t x, std::int64_t y) { return x == y || x < 0 || y < 0; });
  }

  constexpr auto check_outputs(graph_id id) const -> failure {
    bool user_outputs_began = false;
    vector<std::string_view> mutated;
    for (const auto& spec : program_.outputs_of(program_[id])) {
      const auto name = program_.text(program_[spec.value].name);
      if (program_[spec.value].graph != id) return broken<rule::foreign_value>("graph output ", name);
      if (defined_[index(spec.value)] == 0) return broken<rule::undefined_value>("graph output ", name);
      if (spec.kind == output_kind::user_output) {
        user_outputs_began = true;
        continue;
      }
      mutated.push_back(program_.text(spec.target));
      if (user_outputs_began || !std::binary_search(states_.begin(), states_.end(), mutated.back()))
        return broken<rule::malformed_signature>("mutation of ", mutated.back());
    }
    if (const auto twice = duplicate_in(mutated); twice != mutated.end())
      return broken<rule::malformed_signature>("two mutations of ", *twice);
    return {};
  }

  /// Sorts names; where one stands twice, its place.
  static constexpr auto duplicate_in(vector<std::string_view>& names) -> vector<std::string_view>::iterator {
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end());
  }

  program_view program_;
  vector<std::string_view> states_;  ///< the names of the mutable buffers of the graph that is checked, sorted
  vector<char> defined_;             // not vector<bool>: Clang cannot evaluate libstdc++ 12's in a constant
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
/// texts point forward only, so the data cannot lead in a cycle; what they share is accounted for (`byte_reader::spend`).
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
  constexpr auto copy_to(vector<To>& pool, const flatbuffer::vector<From>& elements) -> range {
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
  vector<graph_id> subgraphs_;
};

}  // namespace baton::tflite::detail

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

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
  vector<operator_entry> operators_;
  std::array<std::uint32_t, std::size(operators)> first_of_{};  // by builtin code: 1 + its first entry
  vector<std::uint32_t> unlisted_;                              // the first entry of each operator that has no schema
  // Of the graph that is being read:
  flatbuffer::vector<table> tensors_;
  vector<value_id> values_;  // by tensor
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

// ---- baton/partition/all_nodes.hpp

// The partitioner that delegates everything.

// ---- baton/partition/delegation_spec.hpp

// What a tag stands for: a backend, and what it is told.

#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// A key and a value for a backend's `preprocess`; opaque to Baton, order and duplicates kept.
struct compile_spec {
  text_buffer key;
  text_buffer value;

  constexpr compile_spec(std::string_view key_text, std::string_view value_bytes) : key(join(key_text)), value(join(value_bytes)) {}
};
using compile_specs = vector<compile_spec>;

/// Makes no compile specs: what is called where nobody says which.
struct no_compile_specs {
  constexpr auto operator()() const -> compile_specs { return {}; }
};

/// What a tag stands for: a backend, by id, and the compile specs that it is given.
struct delegation_spec {
  text_buffer backend_id;
  baton::compile_specs compile_specs;

  constexpr explicit delegation_spec(std::string_view id, baton::compile_specs specs = {})
      : backend_id(join(id)),
        compile_specs(std::move(specs)) {}
};

namespace detail {

/// Puts compile specs into a program's pools.
constexpr auto own_compile_specs(exported_program& program, const compile_specs& specs) -> range {
  const range run{static_cast<std::uint32_t>(program.compile_specs.size()), static_cast<std::uint32_t>(specs.size())};
  for (const auto& spec : specs) {
    const auto key = own_bytes(program, view(spec.key));
    program.compile_specs.push_back({key, own_bytes(program, view(spec.value))});
  }
  return run;
}

/// Whether a tag stands for something: it has a delegation spec. Any other delegates nothing.
constexpr auto has_spec(const program_view& program, tag_id id) -> bool { return id != none<tag_id> && program[id].order != tag{}.order; }

}  // namespace detail

}  // namespace baton

// ---- baton/partition/partitioner.hpp

// The partitioner concept: what looks at a program and tags the nodes that a backend shall take.

#include <concepts>
#include <string_view>
#include <utility>

namespace baton {

/// A node that a partitioner gave a tag, and then another.
struct second_tag {
  node_id node = none<node_id>;  ///< none: there is no such node
  tag_id first = none<tag_id>;
  tag_id second = none<tag_id>;
};

/// What a partitioner returns: the program with tags, and the ordered map from tags to delegation specs.
/// All nodes of one graph with one tag become one delegate. A tag that the program came with stands for nothing, unless it is given a spec
/// here; a tag that a partitioner puts on a node needs a spec (`tag_without_spec`).
struct partition_result {
  exported_program tagged_program;
  vector<std::pair<tag_id, delegation_spec>> partition_tags;
  second_tag clash;  ///< the first node that `tag_node` gave a second tag of this result; `tag_program` refuses it

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
  /// A tag whose spec is put into `partition_tags` later; without one, no node may have it.
  constexpr auto add_tag(std::string_view name) -> tag_id {
    tag record;
    record.name = detail::own_bytes(tagged_program, name);
    tagged_program.tags.push_back(record);
    const auto id = static_cast<tag_id>(tagged_program.tags.size() - 1);
    if (first_own_tag_ == none<tag_id>) first_own_tag_ = id;
    return id;
  }

  /// Tags a node, in the place of a tag that it came with. To change one's mind, take the first tag away: `tag_node(id, none<tag_id>)`; a
  /// second tag over a first is a mistake (`node_tagged_twice`).
  constexpr void tag_node(node_id id, tag_id as) {
    auto& record = tagged_program.nodes[index(id)];
    const bool has_own_tag = record.tag != none<tag_id> && index(record.tag) >= index(first_own_tag_);
    if (has_own_tag && as != none<tag_id> && as != record.tag && clash.node == none<node_id>) clash = {id, record.tag, as};
    record.tag = as;
  }
  /// Tags owned data: the part then owns it, and it is no argument of the call. `sharing` says what becomes of it where others use it too.
  constexpr void tag_value(value_id id, tag_id as, data_sharing sharing = data_sharing::share) {
    auto& record = tagged_program.values[index(id)];
    record.tag = as;
    record.sharing = sharing;
  }

 private:
  tag_id first_own_tag_ = none<tag_id>;  ///< tags before it came with the program
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
/// Laws: the tagged program equals the given one but for tags; the same program gives the same tags; a node gets one tag at most, and every
/// tag that a node gets has a spec; the parts form no cycle.
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

#include <cstdint>

namespace baton {

/// A partitioner that gives a backend all nodes of the root graph and all owned data, in one part whose tag is the backend's id. Branches
/// and bodies go along with their node. `Specs` makes the compile specs.
template <class Backend, auto Specs = no_compile_specs{}>
struct all_nodes {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto run = program.root().nodes;
    vector<value_id> owned;
    for (const auto input : program.inputs(program.root())) {
      if (is_owned_data(program[input].kind)) owned.push_back(input);
    }
    if (run.size == 0 && owned.empty()) return tagged;
    const auto tag = tagged.add_tag(to_text(Backend::id), delegation_spec{to_text(Backend::id), Specs()});
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) tagged.tag_node(static_cast<node_id>(n), tag);
    for (const auto id : owned) tagged.tag_value(id, tag);
    return tagged;
  }
};

}  // namespace baton

// ---- baton/partition/by_config.hpp

// The configuration partitioner: one small struct an operator says what may be taken and what goes along.

// ---- baton/partition/by_groups.hpp

// Parts around given groups of nodes, none of which is torn apart.

// ---- baton/partition/by_lists.hpp

// Parts from lists of nodes: what somebody else found worth delegating, merged as far as no cycle forms.

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

/// Stops the compiler with a sentence if a type is no operator support.
template <class T>
consteval auto require_operator_support() -> bool {
  constexpr bool is_support = operator_support<T>;
  static_assert(is_support,
                "baton not_a_support: an operator support says of a node whether a backend can take it; write: static constexpr auto "
                "supports(const baton::program_view&, const baton::node&) -> baton::verdict");
  return is_support;
}

/// An operator support, asked for by name: what is none is told in a sentence.
template <class T>
concept required_support = require_operator_support<T>();

/// An operator support that takes nothing, where lists or patterns say it all.
using no_support = archetypes::operator_support;

namespace detail {

/// A support that lets nodes go along with those that make their input.
template <class T>
concept has_followers = requires(const program_view& program, const node& candidate) {
  { T::follows(program, candidate) } -> std::same_as<bool>;
};

}  // namespace detail

/// Stops the compiler with a sentence if a type cannot be part of another support.
template <class T>
consteval auto require_member() -> bool {
  constexpr bool is_inner = !detail::has_followers<T>;
  static_assert(is_inner,
                "baton not_outermost: followers are asked for once, by the outermost support; write: "
                "baton::with_followers<baton::all_of<my_support, another>>");
  return require_operator_support<T>() && is_inner;
}
template <class T>
concept required_member = require_member<T>();

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
template <required_member... Members>
struct any_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse();
    static_cast<void>(((answer = Members::supports(program, candidate), answer.accepted) || ...));
    return answer;
  }
};

/// Supports what all of its members support, asked from left to right; no members support everything.
template <required_member... Members>
struct all_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = accept();
    static_cast<void>(((answer = Members::supports(program, candidate), answer.accepted) && ...));
    return answer;
  }
};

/// Supports what its member does not.
template <required_member Member>
struct not_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (Member::supports(program, candidate)) return refuse("the operator is excluded");
    return accept();
  }
};

}  // namespace baton

// ---- baton/partition/proposed_parts.hpp

// Parts that a partitioner proposes, and lists of nodes that it is given, as plain data; and how they become tags.

// ---- baton/partition/level_partition.hpp

// The fewest parts of supported nodes that form no cycle, in one pass.

// ---- baton/partition/structural.hpp

// Nodes that move no data, and supports that let them go along with the node that makes their input.

#include <concepts>
#include <cstddef>

namespace baton {

namespace detail {

/// After PyTorch's page on tensor views and the kernels of TensorFlow Lite that copy their input as it is. Transposes and slices are views
/// there, but move data in a program whose tensors are contiguous; `expand` makes elements.
inline constexpr literal_name structural_operators[] = {
    "aten.view.default",
    "aten.view_copy.default",
    "aten._unsafe_view.default",
    "aten.reshape.default",
    "aten.flatten.using_ints",
    "aten.unflatten.int",
    "aten.squeeze.default",
    "aten.squeeze.dim",
    "aten.squeeze.dims",
    "aten.squeeze_copy.default",
    "aten.squeeze_copy.dim",
    "aten.squeeze_copy.dims",
    "aten.unsqueeze.default",
    "aten.unsqueeze_copy.default",
    "aten.alias.default",
    "aten.alias_copy.default",
    "aten.detach.default",
    "aten.detach_copy.default",
    "tfl.reshape",
    "tfl.squeeze",
    "tfl.expand_dims",
    "tfl.stablehlo_reshape",
};

}  // namespace detail

/// Supports the operators that give the elements of a contiguous tensor another shape or another name: reshape, view, flatten, squeeze,
/// unsqueeze and their like.
struct structural {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict {
    if (is_among(candidate.op, detail::structural_operators)) return accept();
    return refuse("the operator is not structural");
  }
};

/// Supports what its member does, and lets the nodes of `Followers` go along with the node that makes their first operand: they are taken
/// where it is, into its part, whatever the member says of them; elsewhere they stay. So they tear no part apart, and are none by
/// themselves. A backend that says so must preprocess them. Heeded by `by_support` and `by_groups`, and by `by_lists` and `by_pattern`
/// unless a list or a pattern names the node; it must be the outermost support. Example: `baton::by_support<my_npu,
/// baton::with_followers<baton::operators<"tfl.conv_2d">, baton::structural>>`.
template <required_member Member, required_support Followers = structural>
struct with_followers {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (follows(program, candidate)) return refuse("it goes along with the node that makes its input");
    return Member::supports(program, candidate);
  }

  /// Whether a node goes along: it has one operand that is no owned data, its first. With another one it might close a cycle.
  static constexpr auto follows(const program_view& program, const node& candidate) -> bool {
    const auto inputs = program.inputs(candidate);
    if (inputs.empty() || candidate.subgraphs.size != 0) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_data = inputs[i] != none<value_id> && is_owned_data(program[inputs[i]].kind);
      if (i == 0 ? inputs[i] == none<value_id> || is_data : inputs[i] != none<value_id> && !is_data) return false;
    }
    return Followers::supports(program, candidate).accepted;
  }
};
static_assert(operator_support<with_followers<no_support>>);

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// How `by_support` forms parts.
struct partition_options {
  std::uint32_t least_nodes = 1;           ///< parts with fewer nodes are left undelegated
  std::uint32_t most_nodes = 0xffffffffu;  ///< a larger part is split along the order of its nodes, no node from those that follow it
};

namespace detail {

/// One part in the making. Its id is that of the node that made it, or joined it second: the numbering of ExecuTorch's capability
/// partitioner, whose merge keeps the larger set and, at a tie, the newer id.
struct support_part {
  std::uint32_t id = 0;
  std::uint32_t size = 0;
  std::uint32_t weight = 0;  ///< what counts against the least size of a part
};

/// Whether a node goes along with the one that makes its input, by what its support says.
template <operator_support Support>
constexpr auto follows_by(const program_view& program, node_id id) -> bool {
  if constexpr (has_followers<Support>) return Support::follows(program, program[id]);
  return false;
}

/// The nodes that a support accepts. A node of `NonCompute` counts nothing against the least size of a part, one of `Alone` once more; nor
/// does one that follows another.
template <operator_support Support, operator_support NonCompute, operator_support Alone>
struct supported_nodes {
  static constexpr bool takes_placeholders = false;
  static constexpr bool may_follow = has_followers<Support>;
  static constexpr auto follows(const program_view& program, node_id id) -> bool { return follows_by<Support>(program, id); }
  static constexpr auto accepts(const program_view& program, node_id id) -> bool {
    return Support::supports(program, program[id]).accepted;
  }
  static constexpr auto weight(const program_view& program, node_id id) -> std::uint32_t {
    if (follows(program, id)) return 0;
    const std::uint32_t computes = NonCompute::supports(program, program[id]).accepted ? 0 : 1;
    return computes + (Alone::supports(program, program[id]).accepted ? 1 : 0);
  }
};

/// Assigns the supported nodes of one graph to parts, in one pass from the last node to the first.
/// A node's level is the largest number of times that a path from it leaves the supported nodes and enters them again. A path through an
/// outsider always goes to a lower level, so the nodes of one level form one part without a cycle; and a path that leaves k times needs
/// k + 1 parts, so no assignment has fewer. The result is that of the greedy merge of ExecuTorch's capability partitioner, at linear cost.
/// A node that follows another has the level of that one: nothing comes to it but through that one, so no path is the worse for it.
template <class Nodes>
class level_partition {
 public:
  constexpr level_partition(const program_view& program, const partition_options& options, const Nodes& nodes)
      : program_(program),
        nodes_(nodes),
        options_(options),
        by_supported_(program.values.size(), 0),
        by_outsiders_(program.values.size(), 0),
        part_of_(program.nodes.size(), no_part) {}

  constexpr void visit(graph_id id) {
    open_.clear();
    const auto run = program_[id].nodes;
    if constexpr (Nodes::may_follow) find_leaders(run);
    for (std::uint32_t n = run.first + run.size; n-- > run.first;) visit_node(static_cast<node_id>(n));
    visit_placeholders(program_[id]);
    if constexpr (Nodes::may_follow) place_followers(run);
  }

  static constexpr std::uint32_t no_part = 0xffffffffu;

  /// The parts that are large enough, by place, in the order of their ids.
  constexpr auto order() const -> vector<std::uint32_t> {
    vector<std::uint32_t> places;
    for (std::uint32_t place = 0; place < parts_.size(); ++place) {
      if (options_.least_nodes <= 1 || parts_[place].weight >= options_.least_nodes) places.push_back(place);
    }
    std::sort(places.begin(), places.end(), [this](std::uint32_t a, std::uint32_t b) { return parts_[a].id < parts_[b].id; });
    return places;
  }
  constexpr auto parts() const -> const vector<support_part>& { return parts_; }
  /// By node: the place of its part, or `no_part`.
  constexpr auto part_of() const -> const vector<std::uint32_t>& { return part_of_; }
  /// The placeholders that take part, each with the place of its part.
  constexpr auto placeholders() const -> const vector<std::pair<value_id, std::uint32_t>>& { return placeholders_; }

 private:
  constexpr void visit_node(node_id id) {
    const auto& candidate = program_[id];
    std::uint32_t supported = 0;  // 1 + the highest level of a supported user
    std::uint32_t outside = 0;    // the highest need of an outsider that uses it
    for (const auto output : program_.outputs_of(candidate)) {
      supported = std::max(supported, by_supported_[index(output)]);
      outside = std::max(outside, by_outsiders_[index(output)]);
    }
    const bool is_supported = accepts(id);
    const auto level = std::max(supported == 0 ? 0 : supported - 1, outside);
    const auto need = std::max(supported, outside);
    for (const auto input : program_.inputs(candidate)) {
      if (input == none<value_id>) continue;
      auto& mark = is_supported ? by_supported_[index(input)] : by_outsiders_[index(input)];
      mark = std::max(mark, is_supported ? level + 1 : need);
    }
    if (!is_supported) return;
    std::uint32_t followers = 0;
    if constexpr (Nodes::may_follow) {
      if (leader_of_[index(id)] != id) {
        followers_of_[index(leader_of_[index(id)])] += 1;
        return;
      }
      followers = followers_of_[index(id)];
    }
    auto& place = part_of_[index(id)];
    place = join_part(level, 1 + followers);
    parts_[place].weight += nodes_.weight(program_, id);
  }

  // Followers

  /// By node of a graph: the node that it goes along with, in the end, or itself; and whether that one is accepted.
  constexpr void find_leaders(range run) {
    leader_of_.resize(program_.nodes.size(), none<node_id>);
    maker_of_.resize(program_.values.size(), none<node_id>);
    is_accepted_.resize(program_.nodes.size(), 0);
    followers_of_.resize(program_.nodes.size(), 0);
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      const auto id = static_cast<node_id>(n);
      for (const auto output : program_.outputs_of(program_[id])) maker_of_[index(output)] = id;
      leader_of_[n] = id;
      if (!nodes_.follows(program_, id)) {
        is_accepted_[n] = nodes_.accepts(program_, id) ? 1 : 0;
      } else if (const auto maker = maker_of_[index(program_.inputs(program_[id])[0])]; maker != none<node_id>) {
        leader_of_[n] = leader_of_[index(maker)];
        is_accepted_[n] = is_accepted_[index(maker)];
      }
    }
  }
  constexpr void place_followers(range run) {
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) part_of_[n] = part_of_[index(leader_of_[n])];
  }
  constexpr auto accepts(node_id id) const -> bool {
    if constexpr (Nodes::may_follow) return is_accepted_[index(id)] != 0;
    return nodes_.accepts(program_, id);
  }

  // Placeholders stand before all nodes.
  constexpr void visit_placeholders(const graph& of) {
    if constexpr (Nodes::takes_placeholders) {
      const auto inputs = program_.inputs(of);
      for (std::size_t i = inputs.size(); i-- > 0;) {
        if (!nodes_.accepts(inputs[i])) continue;
        const auto supported = by_supported_[index(inputs[i])];
        const auto level = std::max(supported == 0 ? 0 : supported - 1, by_outsiders_[index(inputs[i])]);
        placeholders_.emplace_back(inputs[i], join_part(level, 1));
      }
    }
  }

  constexpr auto join_part(std::uint32_t level, std::uint32_t count) -> std::uint32_t {
    while (open_.size() <= level) open_.push_back(no_part);
    auto& place = open_[level];
    if (place == no_part || count > options_.most_nodes || parts_[place].size > options_.most_nodes - count) {
      place = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({});
    }
    auto& part = parts_[place];
    if (part.size < 2) part.id = next_id_;
    part.size += count;
    ++next_id_;
    return place;
  }

  program_view program_;
  Nodes nodes_;
  partition_options options_;
  vector<std::uint32_t> by_supported_;
  vector<std::uint32_t> by_outsiders_;
  vector<std::uint32_t> part_of_;
  vector<std::pair<value_id, std::uint32_t>> placeholders_;
  vector<std::uint32_t> open_;  ///< by level: the part that takes further nodes
  vector<support_part> parts_;
  vector<node_id> leader_of_;  ///< this and the next three only where nodes may follow others
  vector<node_id> maker_of_;
  vector<char> is_accepted_;
  vector<std::uint32_t> followers_of_;
  std::uint32_t next_id_ = 0;
};

}  // namespace detail

}  // namespace baton

// ---- baton/partition/tagging.hpp

// Calls a partitioner, checks what it did, and keeps its tag map in the program, so that one value holds all of it.

// ---- baton/partition/kept_operators.hpp

// Operators that a partitioner asks to keep whole, which it must then delegate.

#include <concepts>
#include <cstdint>

namespace baton {

/// A partitioner that may ask an exporter to keep an operator whole, instead of taking it apart, because its backend has it. No kernel
/// needs to have it, so a node that it asks for must not be left over.
template <class T>
concept keeps_operators = requires(const T& candidate, const program_view& program, const node& of) {
  { candidate.keeps_whole(program, of) } -> std::same_as<bool>;
};

/// Whether every node that a partitioner asked to keep is in a part. Errors: `kept_operator`.
template <keeps_operators Partitioner>
constexpr auto check_kept(const program_view& tagged, const Partitioner& partitioner) -> failure {
  vector<char> seen(tagged.graphs.size(), 0);
  vector<graph_id> open{graph_id{0}};
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    if (seen[index(id)] != 0) continue;
    seen[index(id)] = 1;
    for (std::uint32_t n = tagged[id].nodes.first; n < tagged[id].nodes.first + tagged[id].nodes.size; ++n) {
      const auto& record = tagged.nodes[n];
      if (detail::has_spec(tagged, record.tag)) continue;
      if (partitioner.keeps_whole(tagged, record)) {
        return broken_at<rule::kept_operator>(tagged, static_cast<node_id>(n), "partitioner ", type_name<Partitioner>());
      }
      for (const auto subgraph : tagged.subgraphs_of(record)) open.push_back(subgraph);
    }
  }
  return {};
}

}  // namespace baton

// ---- baton/partition/validation.hpp

// The switch for the checks around each step of lowering.

#include <type_traits>

namespace baton {

/// Whether a program is checked around each step of lowering: what it was given, what a partitioner made of it, and what came out.
enum class validation : bool { off, on };

/// Turns the checks off for programs of either time: `baton::to_backend(target, model, partitioner{}, baton::without_validation)`.
inline constexpr std::integral_constant<validation, validation::off> without_validation{};

}  // namespace baton

#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// The failure of a node that has a tag and would get another.
constexpr auto tagged_twice(const program_view& program, node_id id, tag_id first, std::string_view second) -> failure {
  auto why = broken_at<rule::node_tagged_twice>(program, id, "tag ", program.text(program[first].name), " is there already");
  why.tag = join(second);
  return why;
}

/// Every tag that a partitioner put on a node has a spec; those that the program came with stand for nothing, and may stay.
constexpr auto check_specs(const program_view& given, const program_view& tagged) -> failure {
  for (std::uint32_t n = 0; n < tagged.nodes.size(); ++n) {
    const auto id = tagged.nodes[n].tag;
    if (id == none<tag_id> || has_spec(tagged, id)) continue;
    const auto name = tagged.text(tagged[id].name);
    const auto before = given.nodes[n].tag;
    if (before != none<tag_id> && given.text(given[before].name) == name) continue;
    auto why = broken_at<rule::tag_without_spec>(tagged, static_cast<node_id>(n));
    why.tag = join(name);
    return why;
  }
  return {};
}

/// Keeps the specs of a tag map in the tags, in the map's order; what an earlier partitioner said counts no more.
constexpr auto keep_specs(partition_result& result) -> failure {
  auto& tagged = result.tagged_program;
  for (auto& record : tagged.tags) record.order = tag{}.order;
  std::uint32_t order = 0;
  for (const auto& [id, spec] : result.partition_tags) {
    if (index(id) >= tagged.tags.size()) return broken<rule::misplaced_index>("partition tag ", index(id));
    const auto backend = own_bytes(tagged, view(spec.backend_id));
    const auto specs = own_compile_specs(tagged, spec.compile_specs);
    auto& record = tagged.tags[index(id)];
    record.backend_id = backend;
    record.compile_specs = specs;
    record.order = order++;
  }
  return {};
}

/// Every tag that something has is there.
constexpr auto check_tags(const program_view& tagged) -> failure {
  const auto is_tag = [&](tag_id id) { return id == none<tag_id> || index(id) < tagged.tags.size(); };
  for (std::uint32_t n = 0; n < tagged.nodes.size(); ++n) {
    if (!is_tag(tagged.nodes[n].tag)) return broken_at<rule::misplaced_index>(tagged, static_cast<node_id>(n), "a tag that is not there");
  }
  for (const auto& record : tagged.values) {
    if (!is_tag(record.tag)) return broken<rule::misplaced_index>("the tag of value ", tagged.text(record.name));
  }
  for (const auto& record : tagged.graphs) {
    if (!is_tag(record.output_tag)) return broken<rule::misplaced_index>("the output tag of graph ", tagged.text(record.name));
  }
  return {};
}

/// No node was given two tags.
constexpr auto check_clash(const program_view& tagged, const second_tag& clash) -> failure {
  const auto is_tag = [&](tag_id id) { return id == none<tag_id> || index(id) < tagged.tags.size(); };
  if (clash.node == none<node_id> || !is_tag(clash.first) || !is_tag(clash.second)) return {};
  return tagged_twice(tagged, clash.node, clash.first, tagged.text(tagged[clash.second].name));
}

}  // namespace detail

/// The program as a partitioner tagged it, the delegation specs standing in its tags.
/// Errors: `modified_program`, `node_tagged_twice`, `tag_without_spec`, `misplaced_index`, `kept_operator`, and the partitioner's own.
template <partitioner Partitioner>
constexpr auto tag_program(const exported_program& program, const Partitioner& partitioner, validation checks = validation::on)
    -> result<exported_program> {
  result<partition_result> partitioned = partitioner.partition(program);
  if (!partitioned) return partitioned.error;
  auto& tagged = partitioned.value.tagged_program;
  if (checks == validation::on && !same_but_for_tags(program, tagged)) {
    constexpr auto name = type_name<Partitioner>();
    return broken<rule::modified_program>("partitioner ", name);
  }
  if (auto why = detail::keep_specs(partitioned.value)) return why;
  if (auto why = detail::check_tags(tagged)) return why;
  if (checks == validation::on) {
    if (auto why = detail::check_clash(tagged, partitioned.value.clash)) return why;
    if (auto why = detail::check_specs(program, tagged)) return why;
  }
  if constexpr (keeps_operators<Partitioner>) {
    if (auto why = check_kept(tagged, partitioner)) return why;
  }
  return std::move(tagged);
}

}  // namespace baton

// ---- baton/partition/visible_graphs.hpp

// Which graphs of a program a partitioner looks at.

#include <cstdint>

namespace baton::detail {

/// The graphs that lie inside lowered modules, which no partitioner looks into.
constexpr auto graphs_inside_delegates(const program_view& program) -> vector<char> {
  vector<char> inside(program.graphs.size(), 0);
  vector<graph_id> open;
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

/// The graphs that partitioners look into, in order.
constexpr auto visible_graphs(const program_view& program) -> vector<graph_id> {
  const auto inside = graphs_inside_delegates(program);
  vector<graph_id> visible;
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (inside[g] == 0) visible.push_back(static_cast<graph_id>(g));
  }
  return visible;
}

/// The nodes that partitioners look at, graph by graph.
constexpr auto visible_nodes(const program_view& program) -> vector<node_id> {
  vector<node_id> visible;
  for (const auto id : visible_graphs(program)) {
    const auto run = program[id].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) visible.push_back(static_cast<node_id>(n));
  }
  return visible;
}

/// By node: whether partitioners look at it.
constexpr auto nodes_outside_delegates(const program_view& program) -> vector<char> {
  const auto inside = graphs_inside_delegates(program);
  vector<char> is_outside(program.nodes.size(), 1);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (inside[g] == 0) continue;
    const auto run = program.graphs[g].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) is_outside[n] = 0;
  }
  return is_outside;
}

}  // namespace baton::detail

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// Nodes, and placeholders of owned data, that a partitioner is told to look at together.
struct node_list {
  vector<node_id> nodes;
  vector<value_id> placeholders{};
};

/// A part that is proposed: nodes in graph order, owned data in the order of the placeholders.
struct proposed_part {
  std::uint32_t id = 0;
  vector<node_id> nodes;
  vector<value_id> placeholders;
};
using proposed_parts = vector<proposed_part>;

/// Tags every part `<prefix><id>` for a backend. Errors: `node_tagged_twice`, where a node has a tag already.
constexpr auto tag_parts(partition_result& result, const proposed_parts& parts, std::string_view prefix, const delegation_spec& spec)
    -> failure {
  result.reserve(parts.size());
  for (const auto& part : parts) {
    const auto name = join(prefix, part.id);
    const auto tag = result.add_tag(view(name), spec);
    for (const auto id : part.nodes) {
      const program_view program = result.tagged_program;
      const auto earlier = program[id].tag;
      if (earlier != none<tag_id>) return detail::tagged_twice(program, id, earlier, view(name));
      result.tag_node(id, tag);
    }
    for (const auto id : part.placeholders) result.tag_value(id, tag);
  }
  return {};
}

namespace detail {

/// What a partitioner returns that found these parts for one backend; tags are `tag0`, `tag1` and so on.
template <class Backend>
constexpr auto tagged_with(const program_view& program, const result<proposed_parts>& parts) -> result<partition_result> {
  if (!parts) return parts.error;
  partition_result tagged{program};
  if (auto why = tag_parts(tagged, parts.value, "tag", delegation_spec{to_text(Backend::id)})) return why;
  return tagged;
}

/// What a support accepts, and what lists name.
template <operator_support Support>
struct listed_nodes {
  static constexpr bool takes_placeholders = true;
  static constexpr bool may_follow = has_followers<Support>;
  vector<char> is_listed;              ///< by node
  vector<char> is_listed_placeholder;  ///< by value

  constexpr listed_nodes(const program_view& program, std::span<const node_list> lists)
      : is_listed(program.nodes.size(), 0),
        is_listed_placeholder(program.values.size(), 0) {
    for (const auto& list : lists) {
      for (const auto id : list.nodes) is_listed[index(id)] = 1;
      for (const auto id : list.placeholders) is_listed_placeholder[index(id)] = 1;
    }
  }
  constexpr auto accepts(const program_view& program, node_id id) const -> bool {
    return is_listed[index(id)] != 0 || Support::supports(program, program[id]).accepted;
  }
  constexpr auto accepts(value_id id) const -> bool { return is_listed_placeholder[index(id)] != 0; }
  constexpr auto follows(const program_view& program, node_id id) const -> bool {
    return is_listed[index(id)] == 0 && follows_by<Support>(program, id);
  }
  static constexpr auto weight(const program_view&, node_id) -> std::uint32_t { return 1; }
};

/// The parts of a level partition as data, in the order of their ids.
template <class Nodes>
constexpr auto level_parts(const program_view& program, const partition_options& options, const Nodes& nodes) -> proposed_parts {
  level_partition<Nodes> levels(program, options, nodes);
  for (const auto id : visible_graphs(program)) levels.visit(id);
  proposed_parts parts;
  vector<std::uint32_t> rank(levels.parts().size(), levels.no_part);
  for (const auto place : levels.order()) {
    rank[place] = static_cast<std::uint32_t>(parts.size());
    parts.push_back({levels.parts()[place].id, {}, {}});
  }
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto place = levels.part_of()[n];
    if (place != levels.no_part && rank[place] != levels.no_part) parts[rank[place]].nodes.push_back(static_cast<node_id>(n));
  }
  const auto& placeholders = levels.placeholders();
  for (std::size_t i = placeholders.size(); i-- > 0;) {
    const auto [id, place] = placeholders[i];
    if (rank[place] != levels.no_part) parts[rank[place]].placeholders.push_back(id);
  }
  return parts;
}

}  // namespace detail

}  // namespace baton

#include <span>
#include <type_traits>

namespace baton {

/// The fewest parts of what lists name and of what a support accepts; lists need not stay together, listed placeholders take part.
/// Near-linear. Errors: `nothing_to_partition`.
template <operator_support Support = no_support>
constexpr auto parts_from_lists(const program_view& program, std::span<const node_list> lists) -> result<proposed_parts> {
  if (std::is_same_v<Support, no_support> && lists.empty()) return broken<rule::nothing_to_partition>();
  return detail::level_parts(program, {}, detail::listed_nodes<Support>(program, lists));
}

/// A partitioner that delegates the nodes of lists, and what a support accepts. `Lists` is called with the program and returns a
/// `baton::vector<baton::node_list>`. Tags are `tag0`, `tag1` and so on. Errors: `nothing_to_partition`, `node_tagged_twice`.
template <class Backend, auto Lists, required_support Support = no_support>
struct by_lists {
  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, parts_from_lists<Support>(program, Lists(program)));
  }
};

}  // namespace baton

// ---- baton/partition/cycle.hpp

// Cycles among parts that need one another: a shortest one, item by item, and how it is told.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// An item, and one that uses it.
using item_use = std::pair<std::uint32_t, std::uint32_t>;

/// Finds cycles among units, which are sets of items that run as one: each use on a cycle leads from one unit into the next, the last back
/// into the first. Items alone must form no cycle. The same uses give the same cycle at both times.
class cycle_finder {
 public:
  constexpr cycle_finder(const vector<item_use>& uses, const vector<std::uint32_t>& unit_of, std::size_t units)
      : uses_(uses),
        unit_of_(unit_of),
        waits_(units, 0),
        first_use_(units + 1, 0) {
    std::uint32_t between = 0;
    for (const auto& use : uses_) {
      if (from(use) == to(use)) continue;
      first_use_[from(use) + 1] += 1;
      waits_[to(use)] += 1;
      ++between;
    }
    for (std::size_t unit = 0; unit < units; ++unit) first_use_[unit + 1] += first_use_[unit];
    leaving_.assign(between, 0);
    auto next = first_use_;
    for (std::uint32_t i = 0; i < uses_.size(); ++i) {
      if (from(uses_[i]) != to(uses_[i])) leaving_[next[from(uses_[i])]++] = i;
    }
    has_cycle_ = leave_the_stuck();
  }

  constexpr auto has_cycle() const -> bool { return has_cycle_; }

  /// The uses along a shortest cycle; empty if there is none. Breadth first from every unit of several items, lower numbers first; in a
  /// large graph the search for a still shorter one ends after some `enough` uses.
  constexpr auto shortest() -> vector<item_use> {
    if (!has_cycle_) return {};
    prepare();
    vector<std::uint32_t> items(waits_.size(), 0);
    for (const auto unit : unit_of_) items[unit] += 1;
    for (std::uint32_t unit = 0; unit < waits_.size(); ++unit) {
      if (waits_[unit] == 0 || items[unit] < 2) continue;
      search_from(unit);
      if (best_.size() == 2 || (!best_.empty() && looked_at_ > enough)) break;
    }
    return std::move(best_);
  }

  /// The uses along a shortest cycle through one unit, from the one that leads into it; empty if there is none.
  constexpr auto through(std::uint32_t unit) -> vector<item_use> {
    if (waits_[unit] == 0) return {};
    prepare();
    search_from(unit);
    if (!best_.empty()) std::rotate(best_.begin(), best_.end() - 1, best_.end());
    return std::move(best_);
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffffu;
  static constexpr std::size_t enough = 10000;  // so that a constant stays within the compilers' limits

  constexpr auto from(const item_use& use) const -> std::uint32_t { return unit_of_[use.first]; }
  constexpr auto to(const item_use& use) const -> std::uint32_t { return unit_of_[use.second]; }

  /// Kahn's algorithm: what waits in the end lies on a cycle or behind one. Whether there is any.
  constexpr auto leave_the_stuck() -> bool {
    vector<std::uint32_t> ready;
    for (std::uint32_t unit = 0; unit < waits_.size(); ++unit) {
      if (waits_[unit] == 0) ready.push_back(unit);
    }
    for (std::size_t at = 0; at < ready.size(); ++at) {
      for (auto e = first_use_[ready[at]]; e < first_use_[ready[at] + 1]; ++e) {
        if (--waits_[to(uses_[leaving_[e]])] == 0) ready.push_back(to(uses_[leaving_[e]]));
      }
    }
    return ready.size() < waits_.size();
  }

  constexpr void prepare() {
    best_.clear();
    entered_by_.assign(waits_.size(), 0);
    depth_.assign(waits_.size(), 0);
    seen_from_.assign(waits_.size(), nowhere);
  }

  /// Looks for a cycle through a unit that is shorter than the best so far.
  constexpr void search_from(std::uint32_t start) {
    vector<std::uint32_t> open{start};
    seen_from_[start] = start;
    depth_[start] = 0;
    for (std::size_t at = 0; at < open.size(); ++at) {
      const auto here = open[at];
      // Through a unit behind this one a cycle has two more uses at least.
      const bool may_go_on = best_.empty() || depth_[here] + 2u < best_.size();
      for (auto e = first_use_[here]; e < first_use_[here + 1]; ++e) {
        ++looked_at_;
        const auto use = leaving_[e];
        const auto next = to(uses_[use]);
        if (next == start) return take(start, use);
        if (!may_go_on || waits_[next] == 0 || seen_from_[next] == start) continue;
        seen_from_[next] = start;
        depth_[next] = depth_[here] + 1;
        entered_by_[next] = use;
        open.push_back(next);
      }
    }
  }

  constexpr void take(std::uint32_t start, std::uint32_t last) {
    if (!best_.empty() && depth_[from(uses_[last])] + 1u >= best_.size()) return;
    best_.clear();
    best_.push_back(uses_[last]);
    for (auto unit = from(uses_[last]); unit != start; unit = from(best_.back())) best_.push_back(uses_[entered_by_[unit]]);
    std::reverse(best_.begin(), best_.end());
  }

  const vector<item_use>& uses_;
  const vector<std::uint32_t>& unit_of_;
  vector<std::uint32_t> waits_;      ///< by unit: how many uses lead into it, in the end from units on cycles or behind them
  vector<std::uint32_t> first_use_;  ///< by unit, into `leaving_`
  vector<std::uint32_t> leaving_;    ///< uses between units, by the unit that they leave
  vector<std::uint32_t> entered_by_;
  vector<std::uint32_t> depth_;
  vector<std::uint32_t> seen_from_;
  vector<item_use> best_;
  std::size_t looked_at_ = 0;
  bool has_cycle_ = false;
};

/// A cycle as text. "a of t -> b -> c of t": b uses a, c uses b, and a and c are in part t; "a with b": they are in one part that has no
/// name. `name` and `part` give the texts of an item. What does not fit into a reason is counted.
template <class Name, class Part>
constexpr auto told_cycle(const vector<item_use>& cycle, Name name, Part part) -> text_buffer {
  constexpr std::size_t room_for_the_rest = 32;
  const auto told = [&](std::uint32_t item) {
    auto text = join(name(item));
    if (!part(item).empty()) append(append(text, " of "), part(item));
    return text;
  };
  auto path = told(cycle.front().first);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto item = cycle[i].second;
    auto step = join(" -> ", view(told(item)));
    const bool is_last = i + 1 == cycle.size();
    const auto next = cycle[is_last ? 0 : i + 1].first;
    if (next != item && !(is_last && !part(item).empty())) append(append(step, " with "), name(next));
    if (i > 1 && path.size() + step.size() + (is_last ? 0 : room_for_the_rest) > static_failure::reason_capacity)
      return append(append(append(path, " -> ..., "), static_cast<std::int64_t>(cycle.size())), " steps in all");
    append(path, view(step));
  }
  return path;
}

}  // namespace baton::detail

// ---- baton/partition/group_merge.hpp

// The merge rule of ExecuTorch's group partitioner: given groups stay whole, and parts grow around them while no cycle forms.

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A set of the items of one graph.
class item_set {
 public:
  constexpr explicit item_set(std::size_t items) : words_((items + 63) / 64, 0) {}

  constexpr void add(std::size_t item) { words_[item / 64] |= std::uint64_t{1} << (item % 64); }
  /// Says whether one of the others is new.
  constexpr auto add(const item_set& others) -> bool {
    std::uint64_t news = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      news |= others.words_[w] & ~words_[w];
      words_[w] |= others.words_[w];
    }
    return news != 0;
  }
  constexpr void remove(const item_set& others) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~others.words_[w];
  }
  constexpr auto has(std::size_t item) const -> bool { return (words_[item / 64] >> (item % 64) & 1) != 0; }
  constexpr auto meets(const item_set& others) const -> bool {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if ((words_[w] & others.words_[w]) != 0) return true;
    }
    return false;
  }

 private:
  vector<std::uint64_t> words_;
};

/// One graph's placeholders, then its nodes, as items with users.
struct item_graph {
  vector<value_id> placeholders;
  std::uint32_t first_node = 0;
  vector<vector<std::uint32_t>> users;

  constexpr item_graph(const program_view& program, graph_id id)
      : placeholders(program.inputs(program[id]).begin(), program.inputs(program[id]).end()),
        first_node(program[id].nodes.first) {
    vector<std::uint32_t> maker(program.values.size(), none_made);
    for (std::uint32_t i = 0; i < placeholders.size(); ++i) maker[index(placeholders[i])] = i;
    users.resize(placeholders.size() + program[id].nodes.size);
    auto item = static_cast<std::uint32_t>(placeholders.size());
    for (const auto& record : program.nodes_of(program[id])) {
      for (const auto input : program.inputs(record)) {
        if (input == none<value_id> || maker[index(input)] == none_made) continue;
        auto& list = users[maker[index(input)]];
        if (list.empty() || list.back() != item) list.push_back(item);
      }
      for (const auto output : program.outputs_of(record)) maker[index(output)] = item;
      ++item;
    }
  }
  /// The same where placeholders come before nothing: owned data is there for all its users, whatever part it goes along with.
  constexpr auto of_nodes() const -> item_graph {
    auto made = *this;
    for (std::size_t item = 0; item < placeholders.size(); ++item) made.users[item].clear();
    return made;
  }
  constexpr auto uses() const -> vector<item_use> {
    vector<item_use> listed;
    for (std::uint32_t item = 0; item < users.size(); ++item) {
      for (const auto user : users[item]) listed.emplace_back(item, user);
    }
    return listed;
  }
  constexpr auto size() const -> std::size_t { return users.size(); }
  constexpr auto is_node(std::size_t item) const -> bool { return item >= placeholders.size(); }
  constexpr auto node_of(std::size_t item) const -> node_id {
    return static_cast<node_id>(first_node + static_cast<std::uint32_t>(item - placeholders.size()));
  }

 private:
  static constexpr std::uint32_t none_made = 0xffffffffu;
};

/// Whether a path may go through another part, in at one member and out at another.
enum class other_parts : bool {
  overlooked,  ///< as ExecuTorch's group partitioner does: parts may end up in a cycle
  heeded,      ///< no cycle comes about, and parts that need one another are merged first
};

/// Merges the parts of one graph. `group_of` says for each item that is taken to which group it belongs, `alone` if to none.
/// Each pair of parts is tried once, earlier ids first; they merge if no path leaves the union and enters it again. Where other parts are
/// heeded, a cycle is left only where every way of merging leaves one: a cycle of groups that goes through an item that is not taken.
/// Quadratic in the parts; n²/8 bytes for n items.
class group_merge {
 public:
  static constexpr std::uint32_t alone = 0xfffffffeu;
  static constexpr std::uint32_t untaken = 0xffffffffu;

  struct part {
    std::uint32_t id = 0;
    bool is_alive = true;
    item_set members;
    item_set users;
  };

  constexpr group_merge(const item_graph& graph, const vector<std::uint32_t>& group_of, std::uint32_t first_id,
                        other_parts others = other_parts::overlooked)
      : graph_(graph),
        others_(others),
        next_id_(first_id),
        part_of_(graph.size(), untaken) {
    find_downstream();
    for (auto item = graph.size(); item-- > 0;) {
      if (group_of[item] != untaken && part_of_[item] == untaken) add_part(group_of, item);
    }
    if (others_ == other_parts::heeded) merge_cycles();
    merge();
  }

  constexpr auto parts() const -> const vector<part>& { return parts_; }
  constexpr auto next_id() const -> std::uint32_t { return next_id_; }

 private:
  constexpr void find_downstream() {
    downstream_.resize(graph_.size(), item_set(graph_.size()));
    for (auto item = graph_.size(); item-- > 0;) {
      for (const auto user : graph_.users[item]) {
        downstream_[item].add(user);
        downstream_[item].add(downstream_[user]);
      }
    }
  }

  constexpr void add_part(const vector<std::uint32_t>& group_of, std::size_t item) {
    part made{next_id_++, true, item_set(graph_.size()), item_set(graph_.size())};
    for (std::size_t other = 0; other <= item; ++other) {
      if (other != item && (group_of[item] == alone || group_of[other] != group_of[item])) continue;
      part_of_[other] = made.id;
      made.members.add(other);
      for (const auto user : graph_.users[other]) made.users.add(user);
    }
    parts_.push_back(std::move(made));
  }

  constexpr void merge() {
    for (std::size_t a = 0; a < parts_.size(); ++a) {
      if (!parts_[a].is_alive) continue;
      for (auto b = a + 1; b < parts_.size(); ++b) {
        if (!parts_[b].is_alive || !may_merge(parts_[a], parts_[b])) continue;
        join(parts_[a], parts_[b]);
        if (others_ == other_parts::heeded) spread(parts_[a]);
      }
    }
  }

  static constexpr void join(part& into, part& from) {
    into.members.add(from.members);
    into.users.add(from.users);
    from.is_alive = false;
  }

  constexpr auto reach_of(const part& from) const -> item_set {
    item_set reach(graph_.size());
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      if (from.members.has(item)) reach.add(downstream_[item]);
    }
    return reach;
  }

  /// Lets what comes before a part come before all that one of its members reaches. Says whether that is new.
  constexpr auto spread(const part& through) -> bool {
    const auto reach = reach_of(through);
    bool is_new = false;
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      const bool is_member = through.members.has(item);
      if (!is_member && !downstream_[item].meets(through.members)) continue;
      if (!is_member && downstream_[item].add(through.members)) is_new = true;
      if (downstream_[item].add(reach)) is_new = true;
    }
    return is_new;
  }

  /// Parts that need one another have to be one.
  constexpr void merge_cycles() {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const auto& through : parts_) is_new = spread(through) || is_new;
    }
    for (std::size_t a = 0; a < parts_.size(); ++a) {
      if (!parts_[a].is_alive) continue;
      const auto reach = reach_of(parts_[a]);
      for (auto b = a + 1; b < parts_.size(); ++b) {
        if (parts_[b].is_alive && reach.meets(parts_[b].members) && reach_of(parts_[b]).meets(parts_[a].members)) {
          join(parts_[a], parts_[b]);
        }
      }
    }
  }

  constexpr auto may_merge(const part& a, const part& b) const -> bool {
    auto together = a.members;
    together.add(b.members);
    auto beyond = a.users;
    beyond.add(b.users);
    beyond.remove(together);
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      if (beyond.has(item) && downstream_[item].meets(together)) return false;
    }
    return true;
  }

  const item_graph& graph_;
  other_parts others_;
  std::uint32_t next_id_;
  vector<std::uint32_t> part_of_;
  vector<item_set> downstream_;
  vector<part> parts_;
};

}  // namespace baton::detail

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

/// Forms the parts of a program graph by graph, as `group_merge` does, and refuses cycles.
template <class Nodes>
class group_proposer {
 public:
  constexpr group_proposer(const program_view& program, const partition_options& options, const Nodes& nodes)
      : program_(program),
        options_(options),
        nodes_(nodes),
        group_of_node_(program.nodes.size(), group_merge::alone),
        group_of_value_(program.values.size(), group_merge::alone) {}

  constexpr auto run(std::span<const node_list> groups) -> result<proposed_parts> {
    group_count_ = static_cast<std::uint32_t>(groups.size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const auto id : groups[g].nodes) {
        if (group_of_node_[index(id)] != group_merge::alone) {
          return broken_at<rule::node_in_two_groups>(program_, id, "groups ", group_of_node_[index(id)], " and ", g);
        }
        group_of_node_[index(id)] = g;
      }
      for (const auto id : groups[g].placeholders) group_of_value_[index(id)] = g;
    }
    for (const auto id : visible_graphs(program_)) {
      if (auto why = visit(id)) return why;
    }
    return std::move(parts_);
  }

 private:
  constexpr auto visit(graph_id id) -> failure {
    const item_graph graph(program_, id);
    vector<std::uint32_t> group_of(graph.size(), group_merge::untaken);
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (graph.is_node(item)) {
        if (nodes_.accepts(program_, graph.node_of(item))) group_of[item] = group_of_node_[index(graph.node_of(item))];
      } else if constexpr (Nodes::takes_placeholders) {
        if (nodes_.accepts(graph.placeholders[item])) group_of[item] = group_of_value_[index(graph.placeholders[item])];
      }
    }
    if constexpr (Nodes::may_follow) add_followers(graph, group_of);
    const auto dependent = graph.of_nodes();
    if (propose_without_cycle(dependent, group_merge(graph, group_of, next_id_))) return {};
    if (propose_without_cycle(dependent, group_merge(dependent, group_of, next_id_, other_parts::heeded))) return {};
    return cycle_of(dependent, group_of);
  }

  /// Puts nodes that follow another into its group; where it has none, they make one.
  constexpr void add_followers(const item_graph& graph, vector<std::uint32_t>& group_of) {
    vector<std::size_t> maker(program_.values.size(), graph.size());
    for (auto item = graph.placeholders.size(); item < graph.size(); ++item) {
      const auto& record = program_[graph.node_of(item)];
      for (const auto output : program_.outputs_of(record)) maker[index(output)] = item;
      if (!nodes_.follows(program_, graph.node_of(item))) continue;
      const auto leader = maker[index(program_.inputs(record)[0])];
      if (leader == graph.size() || group_of[leader] == group_merge::untaken) continue;
      if (group_of[leader] == group_merge::alone) group_of[leader] = group_count_++;
      group_of[item] = group_of[leader];
    }
  }

  constexpr auto propose_without_cycle(const item_graph& graph, const group_merge& merged) -> bool {
    auto unit_of = items_alone(graph, merged.parts().size());
    for (std::size_t item = 0; item < graph.size(); ++item) {
      for (std::uint32_t p = 0; p < merged.parts().size(); ++p) {
        if (merged.parts()[p].is_alive && merged.parts()[p].members.has(item)) unit_of[item] = p;
      }
    }
    if (cycle_finder(graph.uses(), unit_of, merged.parts().size() + graph.size()).has_cycle()) return false;
    next_id_ = merged.next_id();
    for (const auto& part : merged.parts()) {
      if (part.is_alive) propose(graph, part);
    }
    return true;
  }

  /// Every item a unit by itself, numbered behind the first so many.
  static constexpr auto items_alone(const item_graph& graph, std::size_t first) -> vector<std::uint32_t> {
    vector<std::uint32_t> unit_of;
    for (std::size_t item = 0; item < graph.size(); ++item) unit_of.push_back(static_cast<std::uint32_t>(first + item));
    return unit_of;
  }

  constexpr void propose(const item_graph& graph, const group_merge::part& part) {
    proposed_part made{part.id, {}, {}};
    std::uint32_t weight = 0;
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (!part.members.has(item)) continue;
      if (graph.is_node(item)) {
        made.nodes.push_back(graph.node_of(item));
        weight += nodes_.weight(program_, graph.node_of(item));
      } else {
        made.placeholders.push_back(graph.placeholders[item]);
      }
    }
    if (options_.least_nodes <= 1 || weight >= options_.least_nodes) parts_.push_back(std::move(made));
  }

  /// Names a cycle of groups through an item that is not taken; where there is none, merging finds parts without a cycle.
  constexpr auto cycle_of(const item_graph& graph, const vector<std::uint32_t>& group_of) const -> failure {
    auto unit_of = items_alone(graph, group_count_);
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (group_of[item] < group_count_) unit_of[item] = group_of[item];
    }
    const auto uses = graph.uses();
    cycle_finder cycles(uses, unit_of, group_count_ + graph.size());
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (group_of[item] != group_merge::untaken) continue;
      const auto cycle = cycles.through(unit_of[item]);
      if (!cycle.empty()) return told(graph, cycle);
    }
    return broken<rule::cycle_of_groups>();
  }

  constexpr auto told(const item_graph& graph, const vector<item_use>& cycle) const -> failure {
    const auto name = [&](std::uint32_t item) {
      return program_.text(graph.is_node(item) ? program_[graph.node_of(item)].name : program_[graph.placeholders[item]].name);
    };
    const auto path = told_cycle(cycle, name, [](std::uint32_t) { return std::string_view{}; });
    const auto at = cycle.front().second;
    auto why = broken<rule::cycle_of_groups>(view(path));
    if (graph.is_node(at)) return locate(std::move(why), program_, graph.node_of(at));
    return why;
  }

  program_view program_;
  partition_options options_;
  Nodes nodes_;
  vector<std::uint32_t> group_of_node_;
  vector<std::uint32_t> group_of_value_;
  std::uint32_t group_count_ = 0;
  proposed_parts parts_;
  std::uint32_t next_id_ = 0;
};

}  // namespace detail

/// Parts of the nodes that a support accepts, those of one group together; what a support refuses is in no group. Parts grow by the rule
/// of ExecuTorch's group partitioner; ids count from the last node up. That rule may leave parts that need each other: then parts are grown
/// anew by one that heeds other parts. This fails where groups cannot be kept together without a cycle, through a node that is not
/// supported, and names the path. Quadratic. Errors: `node_in_two_groups`, `cycle_of_groups`.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto group_parts(const program_view& program, std::span<const node_list> groups, const partition_options& options = {})
    -> result<proposed_parts> {
  using nodes = detail::supported_nodes<Support, NonCompute, Alone>;
  return detail::group_proposer<nodes>(program, options, nodes{}).run(groups);
}

/// Parts of what lists name and of what a support accepts, every list staying together; listed placeholders take part.
/// Errors: `nothing_to_partition`, `node_in_two_groups`, `cycle_of_groups`.
template <operator_support Support = no_support>
constexpr auto grouped_parts_from_lists(const program_view& program, std::span<const node_list> lists) -> result<proposed_parts> {
  if (std::is_same_v<Support, no_support> && lists.empty()) return broken<rule::nothing_to_partition>();
  return detail::group_proposer(program, {}, detail::listed_nodes<Support>(program, lists)).run(lists);
}

/// A partitioner that keeps groups whole. `Groups` is called with the program and returns a `baton::vector<baton::node_list>`; members that
/// `Support` refuses stay out. Tags are `tag0`, `tag1` and so on. Errors: those of `group_parts`, `node_tagged_twice`.
template <class Backend, auto Groups, required_support Support>
struct by_groups {
  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, group_parts<Support>(program, Groups(program)));
  }
};

}  // namespace baton

// ---- baton/partition/joined_groups.hpp

// Lists of nodes that become one where they share a node.

#include <cstddef>

namespace baton::detail {

/// Groups made of lists: those that share a node become one, owned data stays with the first group that names it.
class joined_groups {
 public:
  constexpr explicit joined_groups(const program_view& program) : node_count_(program.nodes.size()) {
    for (std::size_t i = 0; i < program.nodes.size() + program.values.size(); ++i) parent_.push_back(i);
    is_member_.resize(parent_.size(), 0);
  }

  constexpr void add(const node_list& list) {
    auto first = parent_.size();
    const auto join_one = [&](std::size_t item) {
      is_member_[item] = 1;
      if (first == parent_.size()) first = item;
      parent_[root_of(item)] = root_of(first);
    };
    for (const auto id : list.nodes) join_one(index(id));
    for (const auto id : list.placeholders) {
      if (is_member_[node_count_ + index(id)] == 0) join_one(node_count_ + index(id));
    }
  }

  /// Each group's members in the program's order, the groups by their first members.
  constexpr auto groups() -> vector<node_list> {
    vector<node_list> made;
    vector<std::size_t> place(parent_.size(), parent_.size());
    for (std::size_t item = 0; item < parent_.size(); ++item) {
      if (is_member_[item] == 0) continue;
      auto& at = place[root_of(item)];
      if (at == parent_.size()) {
        at = made.size();
        made.push_back({{}, {}});
      }
      if (item < node_count_) {
        made[at].nodes.push_back(static_cast<node_id>(item));
      } else {
        made[at].placeholders.push_back(static_cast<value_id>(item - node_count_));
      }
    }
    return made;
  }

 private:
  constexpr auto root_of(std::size_t item) -> std::size_t {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }

  std::size_t node_count_;
  vector<std::size_t> parent_;
  vector<char> is_member_;
};

}  // namespace baton::detail

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace baton {

/// A config says of one operator when a backend may take it and what goes along.
/// - `static constexpr auto op = baton::name<"tfl.conv_2d">;` the operator; of one in three pieces the dialect may be left out:
///   `"linear.default"` for `aten.linear.default`
/// - `static constexpr auto may_take(const baton::program_view&, const baton::node&) -> baton::verdict`
/// - `static constexpr auto taken_along(const baton::program_view&, baton::node_id) -> baton::node_list`, if it is other than the node and
///   the owned data among its operands, without mutable buffers, which others may use; groups that overlap become one
/// - `static constexpr bool keeps_whole = true;`, if an exporter shall not take the operator apart
template <class T>
concept operator_config = requires(const program_view& program, const node& candidate) {
  { to_text(T::op) } -> std::same_as<std::string_view>;
  { T::may_take(program, candidate) } -> std::same_as<verdict>;
};

/// Stops the compiler with a sentence if a type is no config.
template <class T>
consteval auto require_config() -> bool {
  constexpr bool is_config = operator_config<T>;
  static_assert(is_config,
                "baton not_a_config: a config says when a backend may take an operator; write: static constexpr auto op = "
                "baton::name<\"tfl.conv_2d\">; and static constexpr auto may_take(const baton::program_view&, const baton::node&) -> "
                "baton::verdict");
  return is_config;
}

/// An operator config, asked for by name: what is none is told in a sentence.
template <class T>
concept required_config = require_config<T>();

namespace detail {

/// `linear.default` of `aten.linear.default`: what follows the first dot, where there are two or more.
constexpr auto without_dialect(std::string_view op) -> std::string_view {
  const auto first = op.find('.');
  if (first == std::string_view::npos || op.find('.', first + 1) == std::string_view::npos) return op;
  return op.substr(first + 1);
}

/// Whether two configs are for one operator. Errors: `duplicate_config`.
template <operator_config... Configs>
constexpr auto check_configs() -> failure {
  constexpr std::array<std::string_view, sizeof...(Configs)> ops{to_text(Configs::op)...};
  constexpr std::array<std::string_view, sizeof...(Configs)> types{type_name<Configs>()...};
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (ops[i] != ops[j]) continue;
      auto why = broken<rule::duplicate_config>("configs ", types[j], " and ", types[i]);
      why.op = join(ops[i]);
      return why;
    }
  }
  return {};
}

template <operator_config... Configs>
consteval auto require_configs() -> bool {
  constexpr static_failure why{check_configs<Configs...>()};
  require_unbroken<why>();
  return !why.broken;
}

}  // namespace detail

/// A partitioner made of configs, one an operator: groups of nodes that stay together, merged as `by_groups` does. Tags are `tag0`, `tag1`
/// and so on. Errors: `duplicate_config` in the compiler, `node_tagged_twice`, `cycle_of_groups`; `kept_operator` where a node that a
/// config keeps whole and would take is left over.
template <class Backend, required_config... Configs>
struct by_config {
  static_assert(detail::require_configs<Configs...>() || true);  // lets what was said stand alone

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    detail::joined_groups joined(program);
    for (const auto id : detail::visible_nodes(program)) (visit<Configs>(joined, program, id), ...);
    const auto groups = joined.groups();
    if (groups.empty()) return partition_result{program};
    return detail::tagged_with<Backend>(program, grouped_parts_from_lists(program, groups));
  }

  /// Whether an exporter should keep this node whole.
  static constexpr auto keeps_whole(const program_view& program, const node& candidate) -> bool {
    return (is_kept_by<Configs>(program, candidate) || ...);
  }

 private:
  template <class Config>
  static constexpr auto takes(const program_view& program, const node& candidate) -> bool {
    return detail::without_dialect(program.text(candidate.target)) == to_text(Config::op) && Config::may_take(program, candidate).accepted;
  }

  template <class Config>
  static constexpr auto is_kept_by(const program_view& program, const node& candidate) -> bool {
    if constexpr (requires { Config::keeps_whole; }) {
      return Config::keeps_whole && takes<Config>(program, candidate);
    } else {
      return false;
    }
  }

  template <class Config>
  static constexpr void visit(detail::joined_groups& joined, const program_view& program, node_id id) {
    if (!takes<Config>(program, program[id])) return;
    if constexpr (requires { Config::taken_along(program, id); }) {
      joined.add(Config::taken_along(program, id));
    } else {
      node_list list{{id}, {}};
      for (const auto input : program.inputs(program[id])) {
        if (input == none<value_id> || !is_owned_data(program[input].kind)) continue;
        if (program[input].kind != value_kind::mutable_buffer) list.placeholders.push_back(input);
      }
      joined.add(list);
    }
  }
};

}  // namespace baton

// ---- baton/partition/by_cost.hpp

// The cost partitioner: the assignment of nodes to backends that costs least.

// ---- baton/partition/cost_search.hpp

// The search for an assignment of nodes to devices that costs least.

// ---- baton/partition/costs.hpp

// What it costs to compute nodes here or there and to carry values between: tables that a user measures, and the cost of an assignment.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// A cost in steps of 1/1024 of the unit that the tables use (cycles, microseconds, microjoules: only comparisons count).
using cost_amount = std::int64_t;

/// What nodes cost on the portable kernels: `static constexpr auto node(const baton::program_view&, const baton::node&) -> double`.
template <class T>
concept host_costs = requires(const program_view& program, const node& candidate) {
  { T::node(program, candidate) } -> std::convertible_to<double>;
};

/// What a backend costs: `node` as above, `byte` for each byte that crosses its border, and, if it matters, `call` for each delegate call
/// and `capacity`, the most bytes of constants that one part may use.
template <class T>
concept backend_costs = host_costs<T> && requires {
  { T::byte } -> std::convertible_to<double>;
};

/// Stops the compiler with a sentence if a type says no costs; `IsBackend`: of a backend.
template <class T, bool IsBackend>
consteval auto require_costs() -> bool {
  constexpr bool has_node = host_costs<T>;
  constexpr bool has_byte = !IsBackend || requires {
    { T::byte } -> std::convertible_to<double>;
  };
  static_assert(has_node,
                "baton not_costs: costs say what a node costs; write: static constexpr auto node(const baton::program_view&, const "
                "baton::node&) -> double");
  static_assert(has_byte,
                "baton not_costs: a backend's costs say what a byte that crosses its border costs; write: static constexpr double byte = "
                "0.5;");
  return has_node && has_byte;
}

namespace detail {

inline constexpr double most_cost = 1e9;

/// -1: not a cost.
constexpr auto to_amount(double cost) -> cost_amount {
  if (!(cost >= 0) || !(cost < most_cost)) return -1;
  return static_cast<cost_amount>(cost * 1024 + 0.5);
}

/// What is wrong with a number that is no cost, or no capacity.
constexpr auto wrong_with_number(double number) -> std::string_view {
  if (number < 0) return " is negative";
  return number >= 0 ? " is 10^9 or more" : " is not a number";
}

template <class Costs>
constexpr auto call_cost_of() -> double {
  if constexpr (requires { Costs::call; }) return Costs::call;
  return 0;
}
/// A capacity beyond all memory there is, as infinity is, is no limit; one that is none at all is told by `check_capacity`.
template <class Costs>
constexpr auto capacity_of() -> std::uint64_t {
  if constexpr (requires { Costs::capacity; }) {
    const auto bytes = static_cast<double>(Costs::capacity);
    if (bytes >= 0 && bytes < 0x1p64) return static_cast<std::uint64_t>(Costs::capacity);
  }
  return UINT64_MAX;
}
template <class Costs>
constexpr auto check_capacity() -> failure {
  if constexpr (requires { Costs::capacity; }) {
    const auto bytes = static_cast<double>(Costs::capacity);
    if (!(bytes >= 0)) return broken<rule::malformed_capacity>("the capacity", wrong_with_number(bytes));
  }
  return {};
}

}  // namespace detail

/// A node's label: 0 for the portable kernels, 1 + its place for a backend.
using device_index = std::uint8_t;

/// The costs of one program on some devices, as numbers: what an assignment of nodes to devices is weighed by.
struct cost_table {
  static constexpr cost_amount impossible = -1;

  vector<vector<cost_amount>> nodes;     ///< by device and node; `impossible` where the device cannot compute it
  vector<cost_amount> calls;             ///< by device: of one delegate call; 0 for the portable kernels
  vector<std::uint64_t> capacities;      ///< by device
  vector<vector<cost_amount>> values;    ///< by device and value: to carry it over the device's border; 0 for the portable kernels
  vector<std::uint64_t> constant_bytes;  ///< by node

  constexpr auto devices() const -> device_index { return static_cast<device_index>(nodes.size()); }
};

namespace detail {

constexpr auto constant_bytes_of(const program_view& program) -> vector<std::uint64_t> {
  vector<std::uint64_t> bytes(program.nodes.size(), 0);
  const auto* const operands = program.operands.data();
  const auto* const values = program.values.data();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const auto inputs = program.nodes[n].inputs;
    for (auto i = inputs.first; i < inputs.first + inputs.size; ++i) {
      if (operands[i] == none<value_id>) continue;
      const auto& input = values[static_cast<std::uint32_t>(operands[i])];
      if (is_owned_data(input.kind)) bytes[n] += input.data.size;
    }
  }
  return bytes;
}

/// The same of one node.
constexpr auto constant_bytes_of(const program_view& program, const node& record) -> std::uint64_t {
  std::uint64_t bytes = 0;
  for (const auto input : program.inputs(record)) {
    if (input != none<value_id> && is_owned_data(program[input].kind)) bytes += program[input].data.size;
  }
  return bytes;
}

template <class Costs, class Supports>
constexpr auto node_costs(const program_view& program, vector<cost_amount>& costs, std::string_view where, Supports supports) -> failure {
  costs.assign(program.nodes.size(), cost_table::impossible);
  auto* cost = costs.data();
  for (const auto& record : program.nodes) {
    if (supports(record) && (*cost = to_amount(Costs::node(program, record))) < 0) {
      return broken_at<rule::malformed_cost>(program, static_cast<node_id>(cost - costs.data()), "the cost of this node", where,
                                             wrong_with_number(Costs::node(program, record)));
    }
    ++cost;
  }
  return {};
}

template <class Costs>
constexpr auto value_costs(const program_view& program, vector<cost_amount>& costs) -> failure {
  if (to_amount(Costs::byte) < 0) return broken<rule::malformed_cost>("the cost of a byte", wrong_with_number(Costs::byte));
  costs.assign(program.values.size(), 0);
  auto* cost = costs.data();
  for (const auto& record : program.values) {
    const bool is_carried = !is_owned_data(record.kind) || record.kind == value_kind::mutable_buffer;
    const auto bytes = is_carried ? byte_count(record.type, program.integer_list(record.shape)) : 0;
    if (bytes > 0 && (*cost = to_amount(static_cast<double>(bytes) * Costs::byte)) < 0) {
      return broken<rule::malformed_cost>("the cost of carrying value ", program.text(record.name), ", ", bytes, " bytes,",
                                          wrong_with_number(most_cost));
    }
    ++cost;
  }
  return {};
}

/// Adds amounts, so many times each, until there are more than `most`.
constexpr auto add_amounts(cost_amount sum, const vector<cost_amount>& amounts, cost_amount times, cost_amount most) -> cost_amount {
  const auto* const end = amounts.data() + amounts.size();
  for (const auto* amount = amounts.data(); amount != end && sum <= most; ++amount) sum += *amount * times;
  return sum;
}

}  // namespace detail

/// Whether the costs of a table, each below 10^9, can be added up, on all devices, each call as often as there are nodes: the search must
/// not overflow. `ids` are the backends', the first empty. Errors: `costs_overflow`, at the dearest node.
constexpr auto check_costs(const program_view& program, const cost_table& table, std::span<const std::string_view> ids) -> failure {
  constexpr auto most = cost_amount{1'000'000'000'000} * 1024;  // twice that is less than what stands for "impossible" in the search
  cost_amount sum = 0;
  for (std::size_t d = 0; d < table.nodes.size() && sum <= most; ++d) {
    sum += table.calls[d] * static_cast<cost_amount>(table.nodes[d].size());
    sum = detail::add_amounts(sum, table.nodes[d], 1, most);
    sum = detail::add_amounts(sum, table.values[d], 2, most);  // a value leaves, and enters
  }
  if (sum <= most) return {};
  std::size_t on = 0;
  std::size_t dearest = 0;
  for (std::size_t d = 0; d < table.nodes.size(); ++d) {
    const auto found = std::max_element(table.nodes[d].begin(), table.nodes[d].end());
    if (found == table.nodes[d].end() || *found <= table.nodes[on][dearest]) continue;
    on = d;
    dearest = static_cast<std::size_t>(found - table.nodes[d].begin());
  }
  if (program.nodes.empty()) return broken<rule::costs_overflow>();
  auto why =
      broken_at<rule::costs_overflow>(program, static_cast<node_id>(dearest), "of ", program.nodes.size(), " nodes, this one costs ",
                                      table.nodes[on][dearest] / 1024, on == 0 ? " on the portable kernels, the most" : ", the most");
  why.backend = join(ids[on]);
  return why;
}

/// A value that may cross a border, and who makes and uses it.
struct carried_value {
  static constexpr std::uint32_t nobody = 0xffffffffu;

  std::uint32_t value = 0;
  std::uint32_t maker = nobody;  ///< its node; `nobody`: a graph input
  range users{};                 ///< in `assignment_cost::users`; a node that uses it twice stands there twice
  bool is_returned = false;
};

/// What an assignment costs: nodes, values that cross borders, and calls (how many parts each device has is the caller's to know).
/// A value that a backend makes and another device (or the program's user) uses leaves it once; one that a backend uses and does not make
/// enters it once.
class assignment_cost {
 public:
  constexpr assignment_cost(const program_view& program, const cost_table& table)
      : table_(&table),
        place_of_(program.values.size()),
        carried_(program.values.size()),
        users_(program.operands.size()) {
    find_carried(program);
    add_users(program);
  }

  /// The values that cost something to carry.
  constexpr auto carried() const -> std::span<const carried_value> { return {carried_.data(), carried_count_}; }
  /// 1 + a value's place among them; 0: it is not carried.
  constexpr auto place_of(value_id value) const -> std::uint32_t { return place_of_.data()[index(value)]; }
  /// Their users, nodes, one value's after another's.
  constexpr auto users() const -> const std::uint32_t* { return users_.data(); }

  constexpr auto without_calls(std::span<const device_index> devices) const -> cost_amount {
    cost_amount sum = 0;
    const auto* const on = devices.data();
    const auto* const nodes = table_->nodes.data();
    const auto count = devices.size();
    for (std::size_t n = 0; n < count; ++n) sum += nodes[on[n]][n];
    for (std::uint32_t c = 0; c < carried_count_; ++c) sum += carrying(carried_.data()[c], on);
    return sum;
  }

  /// What carrying a value costs where its maker stands on one device and `is_used(d)` tells on which it is used.
  template <class IsUsed>
  constexpr auto carrying(const carried_value& value, device_index home, IsUsed is_used) const -> cost_amount {
    cost_amount sum = 0;
    bool leaves = value.is_returned && home != 0;
    for (device_index d = 0; d < table_->devices(); ++d) {
      if (d == home || !is_used(d)) continue;
      leaves = true;
      sum += table_->values[d][value.value];
    }
    return leaves ? sum + table_->values[home][value.value] : sum;
  }

 private:
  constexpr auto is_dear(std::uint32_t value) const -> bool {
    return std::any_of(table_->values.begin(), table_->values.end(), [&](const auto& costs) { return costs[value] != 0; });
  }

  constexpr void find_carried(const program_view& program) {
    for (std::uint32_t v = 0; v < program.values.size(); ++v) {
      if (!is_dear(v)) continue;
      carried_.data()[carried_count_++].value = v;
      place_of_.data()[v] = carried_count_;
    }
  }

  constexpr void add_users(const program_view& program) {
    auto* const carried = carried_.data();
    const auto* const place = place_of_.data();
    const auto* const operands = program.operands.data();
    const auto each_use = [&](auto use) {
      for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
        const auto inputs = program.nodes[n].inputs;
        for (auto i = inputs.first; i < inputs.first + inputs.size; ++i) {
          if (operands[i] == none<value_id> || place[static_cast<std::uint32_t>(operands[i])] == 0) continue;
          use(carried[place[static_cast<std::uint32_t>(operands[i])] - 1].users, n);
        }
      }
    };
    each_use([](range& users, std::uint32_t) { ++users.size; });
    std::uint32_t end = 0;
    for (std::uint32_t c = 0; c < carried_count_; ++c) {
      carried[c].users.first = end;
      end += carried[c].users.size;
      carried[c].users.size = 0;
    }
    each_use([this](range& users, std::uint32_t n) { users_.data()[users.first + users.size++] = n; });
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto outputs = program.nodes[n].outputs;
      for (auto i = outputs.first; i < outputs.first + outputs.size; ++i) {
        if (const auto at = place[static_cast<std::uint32_t>(operands[i])]; at != 0) carried[at - 1].maker = n;
      }
    }
    for (const auto& spec : program.outputs) {
      if (const auto at = place[index(spec.value)]; at != 0) carried[at - 1].is_returned = true;
    }
  }

  constexpr auto carrying(const carried_value& value, const device_index* on) const -> cost_amount {
    const auto* const first = users_.data() + value.users.first;
    const auto home = value.maker == carried_value::nobody ? device_index{0} : on[value.maker];
    // Mostly there is one user.
    bool is_at_home = !value.is_returned || home == 0;
    for (std::uint32_t i = 0; i < value.users.size; ++i) is_at_home = is_at_home && on[first[i]] == home;
    if (is_at_home) return 0;
    return carrying(value, home, [&](device_index d) {
      for (std::uint32_t i = 0; i < value.users.size; ++i) {
        if (on[first[i]] == d) return true;
      }
      return false;
    });
  }

  const cost_table* table_;
  vector<std::uint32_t> place_of_;
  vector<carried_value> carried_;
  vector<std::uint32_t> users_;
  std::uint32_t carried_count_ = 0;
};

}  // namespace baton

// ---- baton/partition/device_parts.hpp

// Forms parts from nodes that were assigned to devices, so that no part depends on itself through others.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// A part of an assignment: its device (0: the portable kernels), its nodes, and the bytes of their constants.
struct device_part {
  device_index on = 0;
  vector<node_id> nodes;  ///< from the last to the first
  std::uint64_t constant_bytes = 0;
};

namespace detail {

/// A node's level grows along every path from it whenever the path enters a part of another device or returns from the portable kernels.
/// Nodes of one device and one level form a part: an edge between two parts always goes to a lower level, so there is no cycle, also
/// through parts of other devices. Made once for a program, used for many assignments.
class part_former {
 public:
  static constexpr std::uint32_t no_part = 0xffffffffu;
  struct part {
    device_index on = 0;
    std::uint32_t size = 0;
    std::uint64_t constant_bytes = 0;
  };

  constexpr part_former(const program_view& program, std::span<const std::uint64_t> capacities,
                        std::span<const std::uint64_t> constant_bytes)
      : program_(program),
        capacities_(capacities),
        constant_bytes_(constant_bytes),
        graphs_(visible_graphs(program)),
        uses_(program.values.size() * capacities.size()),
        part_of_(program.nodes.size()),
        parts_(program.nodes.size()) {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) part_of_.data()[n] = no_part;
  }

  constexpr void form(const device_index* devices) {
    devices_ = devices;
    part_count_ = 0;
    for (const auto id : graphs_) {
      open_.clear();
      const auto run = program_[id].nodes;
      for (std::uint32_t n = run.first + run.size; n-- > run.first;) visit_node(n);
    }
  }

  constexpr auto parts() const -> std::span<const part> { return {parts_.data(), part_count_}; }
  /// By node: its part, or `no_part`.
  constexpr auto part_of() const -> const std::uint32_t* { return part_of_.data(); }

 private:
  constexpr void visit_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto* const operands = program_.operands.data();
    const auto devices = static_cast<std::uint32_t>(capacities_.size());
    auto* const uses = uses_.data();
    const auto here = devices_[n];
    std::uint32_t level = 0;
    for (auto o = record.outputs.first; o < record.outputs.first + record.outputs.size; ++o) {
      auto* const use = uses + static_cast<std::uint32_t>(operands[o]) * std::size_t{devices};
      for (device_index user = 0; user < devices; ++user) {
        if (use[user] == 0) continue;
        // Where the user is in a part of another device, this node lies one level up.
        level = std::max(level, use[user] - (user == 0 || user == here ? 1u : 0u));
        use[user] = 0;  // clean for the next assignment
      }
    }
    for (auto i = record.inputs.first; i < record.inputs.first + record.inputs.size; ++i) {
      if (operands[i] == none<value_id> || program_[operands[i]].kind != value_kind::intermediate) continue;
      auto& use = uses[static_cast<std::uint32_t>(operands[i]) * std::size_t{devices} + here];
      use = std::max(use, level + 1);
    }
    part_of_.data()[n] = here == 0 ? no_part : join_part(n, level * devices + here);
  }

  constexpr auto join_part(std::uint32_t n, std::uint32_t place) -> std::uint32_t {
    while (open_.size() <= place) open_.push_back(no_part);
    auto& open = open_[place];
    auto* const parts = parts_.data();
    const auto bytes = constant_bytes_[n];
    if (open == no_part || parts[open].constant_bytes + bytes > capacities_[devices_[n]]) {
      open = part_count_++;
      parts[open] = {devices_[n], 0, 0};
    }
    parts[open].size += 1;
    parts[open].constant_bytes += bytes;
    return open;
  }

  program_view program_;
  std::span<const std::uint64_t> capacities_;
  std::span<const std::uint64_t> constant_bytes_;
  vector<graph_id> graphs_;
  const device_index* devices_ = nullptr;
  vector<std::uint32_t> uses_;  // by value and user's device: 1 + the user's level
  vector<std::uint32_t> open_;  // by level and device: the part that takes nodes
  vector<std::uint32_t> part_of_;
  vector<part> parts_;
  std::uint32_t part_count_ = 0;
};

}  // namespace detail

/// The parts of the nodes that stand on devices other than 0, graph by graph. A part that would use more bytes of constants than its
/// device's capacity is split along the order of nodes. Linear in nodes, operands and devices.
constexpr auto parts_on_devices(const program_view& program, std::span<const device_index> devices,
                                std::span<const std::uint64_t> capacities, std::span<const std::uint64_t> constant_bytes)
    -> vector<device_part> {
  detail::part_former former(program, capacities, constant_bytes);
  former.form(devices.data());
  vector<device_part> parts;
  parts.reserve(former.parts().size());
  for (const auto& formed : former.parts()) {
    parts.push_back({formed.on, {}, formed.constant_bytes});
    parts.back().nodes.reserve(formed.size);
  }
  for (std::uint32_t n = static_cast<std::uint32_t>(devices.size()); n-- > 0;) {
    if (const auto part = former.part_of()[n]; part != former.no_part) parts[part].nodes.push_back(static_cast<node_id>(n));
  }
  return parts;
}

}  // namespace baton

// ---- baton/partition/expansion_moves.hpp

// The best way to move any nodes to one device at once.

// ---- baton/partition/minimum_cut.hpp

// The cheapest way to cut a network in two.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// Vertices that stand on the source's side or on the sink's, what either side costs each, what it costs to part two of them, and the
/// cheapest sides. Solved in two stages: first, a vertex with at most two neighbours is taken out, and what it would choose for each of
/// their choices becomes their own costs (elimination of variables: U. Bertele, F. Brioschi, Nonserial Dynamic Programming, 1972); of
/// chains and of residual links nothing remains. Then blocking flows on the rest (E. A. Dinic, Algorithm for solution of a problem of
/// maximum flow in networks with power estimation, Soviet Math. Doklady 11, 1970). No recursion, whatever the depth. The sum of all costs
/// that are not `unlimited` must stay below it.
class minimum_cut {
 public:
  using amount = std::int64_t;
  /// The cost of what must not be.
  static constexpr amount unlimited = std::int64_t{1} << 61;

  /// Room for so many vertices and edges.
  constexpr minimum_cut(std::size_t vertices, std::size_t edges)
      : vertices_(vertices),
        edges_(2 * edges),
        taken_out_(vertices),
        open_(2 * vertices) {}
  constexpr void clear() { vertex_count_ = edge_count_ = taken_out_count_ = 0; }

  /// `excess`: what the sink's side costs more than the source's.
  constexpr auto add_vertex(amount excess = 0) -> std::uint32_t {
    vertices_.data()[vertex_count_] = {excess, no_edge, 0, 0, no_edge, false};
    return vertex_count_++;
  }
  /// What comes to more than `unlimited` counts as that, however often it is added.
  constexpr void add_excess(std::uint32_t of, amount excess) {
    auto& sum = vertices_.data()[of].excess;
    sum = std::min(unlimited, sum + excess);
  }
  /// `forth` is paid when `a` is on the source's side and `b` on the sink's, `back` in the opposite case.
  constexpr void add_edge(std::uint32_t a, std::uint32_t b, amount forth, amount back) {
    if (a == b || (forth == 0 && back == 0)) return;
    push_edge(a, b, forth, edge_count_ + 1);
    push_edge(b, a, back, edge_count_ - 1);
  }

  /// Finds the cheapest sides; among equals those with the fewest vertices on the sink's.
  constexpr void solve() {
    take_out_small();
    auto* const vertices = vertices_.data();
    rest_ = 0;
    for (std::uint32_t v = 0; v < vertex_count_; ++v) {
      if (!vertices[v].is_out) open_.data()[vertex_count_ + rest_++] = v;
    }
    while (rest_ != 0 && find_levels()) push_flow();
    while (taken_out_count_ != 0) choose_side(taken_out_.data()[--taken_out_count_]);
  }
  constexpr auto is_on_sink_side(std::uint32_t vertex) const -> bool { return vertices_.data()[vertex].level != 0; }

 private:
  static constexpr std::uint32_t no_edge = 0xffffffffu;
  static constexpr std::uint32_t few_edges = 4;
  struct vertex_record {
    amount excess = 0;
    std::uint32_t first_edge = no_edge;
    std::uint32_t degree = 0;
    std::uint32_t level = 0;  ///< 1 + the edges to the nearest vertex that wants to the sink's side; 0: no way there
    std::uint32_t next_edge = no_edge;
    bool is_out = false;
  };
  struct edge {
    std::uint32_t to = 0;
    std::uint32_t mate = 0;  ///< the same edge, seen from the other end; a removed edge is its own
    std::uint32_t next = no_edge;
    amount capacity = 0;
  };
  /// A vertex `v` between `p` and `q` (or fewer, all of whose costs are 0 then).
  struct taken_out {
    std::uint32_t v = 0, p = 0, q = 0;
    amount excess = 0, from_p = 0, to_p = 0, from_q = 0, to_q = 0;
  };

  constexpr void push_edge(std::uint32_t from, std::uint32_t to, amount capacity, std::uint32_t mate) {
    auto& of = vertices_.data()[from];
    edges_.data()[edge_count_] = {to, mate, of.first_edge, capacity};
    of.first_edge = edge_count_++;
    ++of.degree;
  }

  // First stage.

  constexpr void take_out_small() {
    auto* const open = open_.data();
    const auto* const vertices = vertices_.data();
    std::uint32_t waiting = 0;
    for (auto v = vertex_count_; v-- > 0;) {
      if (vertices[v].degree <= few_edges) open[waiting++] = v;
    }
    while (waiting != 0) {
      const auto v = open[--waiting];
      if (vertices[v].is_out || !take_out(v)) continue;
      const auto& last = taken_out_.data()[taken_out_count_ - 1];
      if (!vertices[last.p].is_out && vertices[last.p].degree <= few_edges) open[waiting++] = last.p;
      if (!vertices[last.q].is_out && vertices[last.q].degree <= few_edges && last.q != last.p) open[waiting++] = last.q;
    }
  }

  /// Makes parallel edges one; takes the vertex out if it then has two neighbours at most.
  constexpr auto take_out(std::uint32_t v) -> bool {
    auto* const edges = edges_.data();
    std::uint32_t found[2] = {no_edge, no_edge};
    for (auto* at = &vertices_.data()[v].first_edge; *at != no_edge;) {
      auto& here = edges[*at];
      if (here.mate == *at) {
        *at = here.next;
      } else if (found[0] == no_edge) {
        found[0] = *at;
        at = &here.next;
      } else if (here.to == edges[found[0]].to) {
        merge(*at, found[0]);
        *at = here.next;
      } else if (found[1] == no_edge) {
        found[1] = *at;
        at = &here.next;
      } else if (here.to == edges[found[1]].to) {
        merge(*at, found[1]);
        *at = here.next;
      } else {
        return false;
      }
    }
    pass_choices_on(v, found[0], found[1]);
    return true;
  }

  constexpr void merge(std::uint32_t parallel, std::uint32_t into) {
    auto* const edges = edges_.data();
    const auto mate = edges[into].mate;
    edges[into].capacity = std::min(unlimited, edges[into].capacity + edges[parallel].capacity);
    edges[mate].capacity = std::min(unlimited, edges[mate].capacity + edges[edges[parallel].mate].capacity);
    --vertices_.data()[edges[mate].to].degree;
    remove(edges[parallel].mate);
  }
  /// The edge is gone for this end, which still has it in its list.
  constexpr void remove(std::uint32_t e) {
    auto& gone = edges_.data()[e];
    --vertices_.data()[edges_.data()[gone.mate].to].degree;
    gone = {0, e, gone.next, 0};
  }

  constexpr void pass_choices_on(std::uint32_t v, std::uint32_t to_p, std::uint32_t to_q) {
    auto* const vertices = vertices_.data();
    auto* const edges = edges_.data();
    auto& out = taken_out_.data()[taken_out_count_++];
    out = {v, v, v, vertices[v].excess};
    vertices[v].is_out = true;
    if (to_p == no_edge) return;
    const auto from_p = edges[to_p].mate;
    out.p = edges[to_p].to;
    out.from_p = edges[from_p].capacity;
    out.to_p = edges[to_p].capacity;
    if (to_q == no_edge) {
      // What it costs p to be on the sink's side: v follows, or stays behind.
      add_excess(out.p, std::min(out.to_p, out.excess) - std::min(amount{0}, out.excess + out.from_p));
      remove(from_p);
      return;
    }
    const auto from_q = edges[to_q].mate;
    out.q = edges[to_q].to;
    out.from_q = edges[from_q].capacity;
    out.to_q = edges[to_q].capacity;
    // The least cost with neither, p, q, or both on the sink's side; then the same as costs of p, of q, and of parting them.
    const auto neither = std::min(amount{0}, out.excess + out.from_p + out.from_q);
    const auto with_p = std::min(out.to_p, out.excess + out.from_q);
    const auto with_q = std::min(out.to_q, out.excess + out.from_p);
    const auto with_both = std::min(out.to_p + out.to_q, out.excess);
    const auto of_p = std::clamp(amount{0}, with_both - with_q, with_p - neither);
    const auto of_q = with_both - neither - of_p;
    add_excess(out.p, of_p);
    add_excess(out.q, of_q);
    edges[from_p] = {out.q, from_q, edges[from_p].next, std::min(unlimited, with_q - neither - of_q)};
    edges[from_q] = {out.p, from_p, edges[from_q].next, std::min(unlimited, with_p - neither - of_p)};
  }

  constexpr void choose_side(const taken_out& of) {
    auto* const vertices = vertices_.data();
    const bool p = of.p != of.v && vertices[of.p].level != 0;
    const bool q = of.q != of.v && vertices[of.q].level != 0;
    const auto on_source_side = (p ? of.to_p : 0) + (q ? of.to_q : 0);
    const auto on_sink_side = of.excess + (p ? 0 : of.from_p) + (q ? 0 : of.from_q);
    vertices[of.v].level = on_sink_side < on_source_side ? 1 : 0;
  }

  // Second stage. Excess flows from vertices that have some to those that lack some.

  /// Whether there is a way for any excess.
  constexpr auto find_levels() -> bool {
    auto* const vertices = vertices_.data();
    const auto* const edges = edges_.data();
    auto* const open = open_.data();
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < rest_; ++i) {
      auto& of = vertices[open[vertex_count_ + i]];
      of.next_edge = of.first_edge;
      of.level = of.excess < 0 ? 1 : 0;
      if (of.excess < 0) open[end++] = open[vertex_count_ + i];
    }
    bool is_reached = false;
    for (std::uint32_t at = 0; at < end; ++at) {
      const auto& here = vertices[open[at]];
      is_reached = is_reached || here.excess > 0;
      for (auto e = here.first_edge; e != no_edge; e = edges[e].next) {
        if (edges[edges[e].mate].capacity == 0 || vertices[edges[e].to].level != 0) continue;
        vertices[edges[e].to].level = here.level + 1;
        open[end++] = edges[e].to;
      }
    }
    return is_reached;
  }

  constexpr void push_flow() {
    const auto* const vertices = vertices_.data();
    for (std::uint32_t i = 0; i < rest_; ++i) {
      const auto v = open_.data()[vertex_count_ + i];
      while (vertices[v].excess > 0 && vertices[v].level != 0 && augment(v)) {
      }
    }
  }

  /// Follows one more path from level to level; false: there is none.
  constexpr auto augment(std::uint32_t start) -> bool {
    auto* const vertices = vertices_.data();
    auto* const edges = edges_.data();
    auto* const path = open_.data();
    std::uint32_t length = 0;
    auto here = start;
    while (vertices[here].excess >= 0 || vertices[here].level != 1) {
      const auto e = vertices[here].next_edge;
      if (e == no_edge || vertices[here].level == 1) {
        if (length == 0) return false;
        here = edges[edges[path[--length]].mate].to;
        vertices[here].next_edge = edges[vertices[here].next_edge].next;
      } else if (edges[e].capacity != 0 && vertices[edges[e].to].level + 1 == vertices[here].level) {
        path[length++] = e;
        here = edges[e].to;
      } else {
        vertices[here].next_edge = edges[e].next;
      }
    }
    auto flow = std::min(vertices[start].excess, -vertices[here].excess);
    for (std::uint32_t i = 0; i < length; ++i) flow = std::min(flow, edges[path[i]].capacity);
    for (std::uint32_t i = 0; i < length; ++i) {
      edges[path[i]].capacity -= flow;
      edges[edges[path[i]].mate].capacity += flow;
    }
    vertices[start].excess -= flow;
    vertices[here].excess += flow;
    return true;
  }

  vector<vertex_record> vertices_;
  vector<edge> edges_;
  vector<taken_out> taken_out_;
  vector<std::uint32_t> open_;  // a queue, a stack or a path; behind it, what remains for the second stage
  std::uint32_t vertex_count_ = 0;
  std::uint32_t edge_count_ = 0;
  std::uint32_t taken_out_count_ = 0;
  std::uint32_t rest_ = 0;
};

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Expansion moves: of all assignments in which every node, or group of nodes, stays where it is or moves to one device, the cheapest,
/// by one minimum cut (Y. Boykov, O. Veksler, R. Zabih, Fast approximate energy minimization via graph cuts, IEEE TPAMI 23, 2001). Among
/// equals that which moves the fewest. The source's side stays.
class expansion_moves {
 public:
  /// Of nodes that move each for itself.
  static constexpr std::uint32_t no_group = 0xffffffffu;

  constexpr expansion_moves(const cost_table& table, const assignment_cost& weigh)
      : table_(table),
        weigh_(weigh),
        node_count_(table.constant_bytes.size()),
        network_(room_for_vertices(), room_for_edges()),
        vertices_(node_count_),
        group_vertices_(node_count_),
        others_(most_users()) {}

  /// Moves nodes to a device; whether any moved. A group's nodes move together, all to where all can be computed, which saves
  /// `saved[group]` besides.
  constexpr auto move(device_index* now, device_index to, const std::uint32_t* group_of = nullptr, const cost_amount* saved = nullptr)
      -> bool {
    now_ = now;
    to_ = to;
    network_.clear();
    if (!(group_of == nullptr ? add_nodes() : add_groups(group_of, saved))) return false;
    for (const auto& value : weigh_.carried()) add_value(value);
    network_.solve();
    bool has_moved = false;
    for (std::size_t n = 0; n < node_count_; ++n) {
      if (vertices_.data()[n] >= moved || !network_.is_on_sink_side(vertices_.data()[n])) continue;
      now[n] = to;
      has_moved = true;
    }
    return has_moved;
  }

 private:
  // Instead of a vertex, where there is no choice.
  static constexpr std::uint32_t stayed = 0xffffffffu;
  static constexpr std::uint32_t moved = 0xfffffffeu;
  // All amounts in the network are doubled, so that half a cost is whole.
  static constexpr cost_amount doubled = 2;

  constexpr auto room_for_vertices() const -> std::size_t {
    std::size_t helpers = 0;
    for (const auto& value : weigh_.carried()) helpers += value.users.size > 1 ? ties_a_value() : 0;
    return node_count_ + helpers;
  }
  constexpr auto room_for_edges() const -> std::size_t {
    std::size_t edges = 0;
    for (const auto& value : weigh_.carried()) {
      edges += value.users.size > 1 ? ties_a_value() * (value.users.size + 1) : ties_a_value() * value.users.size;
    }
    return edges;
  }
  constexpr auto most_users() const -> std::size_t {
    std::size_t most = 0;
    for (const auto& value : weigh_.carried()) most = std::max<std::size_t>(most, value.users.size);
    return most;
  }
  constexpr auto ties_a_value() const -> std::size_t { return 2 * (static_cast<std::size_t>(table_.devices()) - 1); }

  /// Whether there is anything to choose.
  constexpr auto add_nodes() -> bool {
    bool has_choice = false;
    const auto* const table = table_.nodes.data();
    const auto* const there = table[to_].data();
    for (std::size_t n = 0; n < node_count_; ++n) {
      auto& vertex = vertices_.data()[n];
      vertex = now_[n] == to_ ? moved : stayed;
      if (vertex == moved || there[n] == cost_table::impossible) continue;
      vertex = network_.add_vertex(doubled * (there[n] - table[now_[n]][n]));
      has_choice = true;
    }
    return has_choice;
  }
  constexpr auto add_groups(const std::uint32_t* group_of, const cost_amount* saved) -> bool {
    const auto* const table = table_.nodes.data();
    std::uint32_t groups = 0;
    for (std::size_t n = 0; n < node_count_; ++n) {
      vertices_.data()[n] = now_[n] == to_ ? moved : stayed;
      if (group_of[n] == no_group) continue;
      for (; groups <= group_of[n]; ++groups) group_vertices_.data()[groups] = network_.add_vertex(-doubled * saved[groups]);
      if (now_[n] == to_) continue;
      vertices_.data()[n] = group_vertices_.data()[group_of[n]];
      const auto there = table[to_][n];
      network_.add_excess(vertices_.data()[n],
                          there == cost_table::impossible ? minimum_cut::unlimited / 1024 : doubled * (there - table[now_[n]][n]));
    }
    return groups != 0;
  }

  /// Collects the users on some devices: vertices, and whether there are others that have no choice. Whether those are all users.
  template <class IsAsked>
  constexpr auto look_at_users(const carried_value& value, IsAsked is_asked) -> bool {
    const auto* const user = weigh_.users() + value.users.first;
    other_count_ = 0;
    has_stayed_ = has_moved_ = false;
    bool are_all = true;
    for (std::uint32_t i = 0; i < value.users.size; ++i) {
      if (!is_asked(now_[user[i]])) {
        are_all = false;
        continue;
      }
      const auto vertex = vertices_.data()[user[i]];
      if (vertex < moved) others_.data()[other_count_++] = vertex;
      has_stayed_ = has_stayed_ || vertex == stayed;
      has_moved_ = has_moved_ || vertex == moved;
    }
    return are_all;
  }

  /// What carrying a value costs, as ties that are cut exactly when it is carried.
  constexpr void add_value(const carried_value& value) {
    const bool is_input = value.maker == carried_value::nobody;
    const auto home = is_input ? device_index{0} : now_[value.maker];
    const auto maker = is_input ? stayed : vertices_.data()[value.maker];
    const auto* const costs = table_.values.data();
    look_at_users(value, [](device_index) { return true; });
    if (are_users_at(value, home) && maker != moved && maker != stayed && !value.is_returned && !is_any_fixed()) {
      // All are at one place and may leave it: it costs as soon as they part.
      add_border(maker, doubled * (costs[to_][value.value] + costs[home][value.value]));
      return;
    }
    const auto here = doubled * costs[to_][value.value];
    if (here != 0) {
      add_tie(here, maker, stayed);  // it enters: the maker stays elsewhere, a user is here
      has_stayed_ = has_stayed_ || value.is_returned;
      add_tie(here, maker, moved);  // it leaves: the maker is here, somebody stays elsewhere
    }
    for (device_index other = 1; other < table_.devices(); ++other) {
      const auto there = doubled * costs[other][value.value];
      if (other == to_ || there == 0) continue;
      const bool are_all_there = look_at_users(value, [&](device_index on) { return on == other; });
      const bool is_made_there = !is_input && home == other;
      add_tie(there, is_made_there ? maker : moved, moved);  // it enters there
      has_moved_ = has_moved_ || !are_all_there || value.is_returned;
      if (is_made_there) add_tie(there, maker, stayed);  // it leaves there
    }
  }

  constexpr auto are_users_at(const carried_value& value, device_index home) const -> bool {
    const auto* const user = weigh_.users() + value.users.first;
    for (std::uint32_t i = 0; i < value.users.size; ++i) {
      if (now_[user[i]] != home) return false;
    }
    return true;
  }

  constexpr auto is_any_fixed() const -> bool { return has_stayed_ || has_moved_; }

  /// A cost that is paid when `one` is on a side and any of the others is not.
  constexpr void add_tie(cost_amount cost, std::uint32_t one, std::uint32_t side) {
    const auto sign = side == stayed ? 1 : -1;
    const bool is_other_away = side == stayed ? has_moved_ : has_stayed_;
    if (one >= moved && one != side) return;
    if (is_other_away) {
      if (one < moved) network_.add_excess(one, -sign * cost);
    } else if (other_count_ == 1 && one < moved) {
      add_edge(one, others_.data()[0], cost, side);
    } else if (other_count_ == 1) {
      network_.add_excess(others_.data()[0], sign * cost);
    } else if (other_count_ > 1) {
      const auto any = network_.add_vertex(one < moved ? 0 : sign * cost);
      if (one < moved) add_edge(one, any, cost, side);
      for (std::uint32_t i = 0; i < other_count_; ++i) add_edge(any, others_.data()[i], minimum_cut::unlimited, side);
    }
  }
  constexpr void add_edge(std::uint32_t from, std::uint32_t to, cost_amount cost, std::uint32_t side) {
    network_.add_edge(from, to, side == stayed ? cost : 0, side == stayed ? 0 : cost);
  }

  /// A cost that is paid when one and the others are not all on one side. Of three vertices either none or two pairs are parted.
  constexpr void add_border(std::uint32_t one, cost_amount cost) {
    const auto* const others = others_.data();
    if (other_count_ == 1) {
      network_.add_edge(one, others[0], cost, cost);
    } else if (other_count_ == 2) {
      network_.add_edge(one, others[0], cost / doubled, cost / doubled);
      network_.add_edge(one, others[1], cost / doubled, cost / doubled);
      network_.add_edge(others[0], others[1], cost / doubled, cost / doubled);
    } else {
      add_tie(cost, one, stayed);
      add_tie(cost, one, moved);
    }
  }

  const cost_table& table_;
  const assignment_cost& weigh_;
  std::size_t node_count_;
  minimum_cut network_;
  vector<std::uint32_t> vertices_;  // by node
  vector<std::uint32_t> group_vertices_;
  vector<std::uint32_t> others_;
  const device_index* now_ = nullptr;
  device_index to_ = 0;
  std::uint32_t other_count_ = 0;
  bool has_stayed_ = false;
  bool has_moved_ = false;
};

}  // namespace baton::detail

// ---- baton/partition/part_savings.hpp

// What each part saves.

#include <cstddef>
#include <cstdint>
#include <span>

namespace baton::detail {

/// What the parts of an assignment save, each against leaving its nodes to the portable kernels while all others stay: below 0 if it
/// costs more. Linear.
class part_savings {
 public:
  constexpr part_savings(const program_view& program, const cost_table& table, const assignment_cost& weigh, const device_index* devices,
                         const part_former& former)
      : program_(program),
        table_(table),
        weigh_(weigh),
        devices_(devices),
        users_on_(weigh.carried().size() * table.devices()),
        own_users_(weigh.carried().size()),
        seen_in_(weigh.carried().size()),
        made_in_(weigh.carried().size()) {
    count_users();
    const auto parts = former.parts();
    vector<std::uint32_t> first(parts.size() + 1, 0);
    for (std::size_t p = 0; p < parts.size(); ++p) first[p + 1] = first[p] + parts[p].size;
    vector<std::uint32_t> nodes(program.nodes.size());
    auto end = first;
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (const auto part = former.part_of()[n]; part != former.no_part) nodes.data()[end[part]++] = n;
    }
    for (std::uint32_t p = 0; p < parts.size(); ++p)
      saved_.push_back(saved_by(p, parts[p].on, {nodes.data() + first[p], parts[p].size}) - table.calls[parts[p].on]);
  }

  /// By part.
  constexpr auto operator[](std::size_t part) const -> cost_amount { return saved_[part]; }

 private:
  constexpr void count_users() {
    std::uint32_t c = 0;
    for (const auto& value : weigh_.carried()) {
      for (std::uint32_t i = 0; i < value.users.size; ++i)
        users_on_.data()[c * std::size_t{table_.devices()} + devices_[weigh_.users()[value.users.first + i]]] += 1;
      ++c;
    }
  }

  constexpr auto saved_by(std::uint32_t part, device_index on, std::span<const std::uint32_t> nodes) -> cost_amount {
    cost_amount saved = 0;
    touched_.clear();
    for (const auto n : nodes) {
      saved += table_.nodes[0][n] - table_.nodes[on][n];
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input != none<value_id> && touch(part, input)) own_users_.data()[weigh_.place_of(input) - 1] += 1;
      }
      for (const auto output : program_.outputs_of(program_.nodes[n])) {
        if (touch(part, output)) made_in_.data()[weigh_.place_of(output) - 1] = part + 1;
      }
    }
    for (const auto c : touched_) saved += carried_less(c, part, on);
    return saved;
  }
  /// Whether the value is carried at all.
  constexpr auto touch(std::uint32_t part, value_id value) -> bool {
    const auto place = weigh_.place_of(value);
    if (place == 0) return false;
    if (seen_in_.data()[place - 1] != part + 1) {
      seen_in_.data()[place - 1] = part + 1;
      own_users_.data()[place - 1] = 0;
      touched_.push_back(place - 1);
    }
    return true;
  }
  constexpr auto carried_less(std::uint32_t c, std::uint32_t part, device_index on) const -> cost_amount {
    const auto& value = weigh_.carried()[c];
    const auto* const users = users_on_.data() + c * std::size_t{table_.devices()};
    const auto own = own_users_.data()[c];
    const auto home = value.maker == carried_value::nobody ? device_index{0} : devices_[value.maker];
    const auto home_without = made_in_.data()[c] == part + 1 ? device_index{0} : home;
    const auto is_used = [&](device_index d) { return users[d] != 0; };
    const auto is_used_without = [&](device_index d) { return users[d] + (d == 0 ? own : 0) != (d == on ? own : 0); };
    return weigh_.carrying(value, home_without, is_used_without) - weigh_.carrying(value, home, is_used);
  }

  program_view program_;
  const cost_table& table_;
  const assignment_cost& weigh_;
  const device_index* devices_;
  vector<std::uint32_t> users_on_;   // by carried value and device
  vector<std::uint32_t> own_users_;  // by carried value: in the part that is looked at
  vector<std::uint32_t> seen_in_;    // by carried value: 1 + the last part that had it
  vector<std::uint32_t> made_in_;
  vector<std::uint32_t> touched_;
  vector<cost_amount> saved_;
};

}  // namespace baton::detail

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace baton {

/// What `by_cost` keeps to.
struct cost_options {
  std::uint32_t least_nodes = 1;           ///< smaller parts stay with the portable kernels
  std::uint32_t most_parts = 0xffffffffu;  ///< those that save least stay
};

/// An assignment of nodes to devices, the parts it makes, and what it costs in all.
struct costed_assignment {
  vector<device_index> devices;
  vector<device_part> parts;
  cost_amount cost = 0;
};

namespace detail {

/// Finds cheap assignments. One backend without a fixed cost a call and with room enough: the cheapest, by one minimum cut (H. S. Stone,
/// Multiprocessor scheduling with the aid of network flow algorithms, IEEE TSE SE-3, 1977). More backends: expansion moves, until none
/// helps, from each device in turn. Fixed costs: then parts that cost more than they save move back, any of them at once, by a minimum cut
/// whose vertices are the parts.
class cost_search {
 public:
  constexpr cost_search(const program_view& program, const cost_table& table, const cost_options& options)
      : program_(program),
        table_(table),
        options_(options),
        node_count_(program.nodes.size()),
        weigh_(program, table),
        moves_(table, weigh_),
        former_(program, table.capacities, table.constant_bytes),
        now_(node_count_),
        next_(node_count_),
        best_(node_count_),
        kept_(node_count_),
        saved_calls_(node_count_) {}

  constexpr auto run() -> costed_assignment {
    const auto starts = is_exact() ? device_index{1} : table_.devices();
    for (device_index all_on = 0; all_on < starts; ++all_on) {
      const auto cost = improve(all_on);
      if (all_on != 0 && cost >= best_cost_) continue;
      std::swap(now_, best_);
      best_cost_ = cost;
    }
    keep_limits();
    return finished();
  }

 private:
  constexpr auto is_exact() const -> bool { return table_.devices() == 2 && table_.calls[1] == 0; }
  constexpr auto has_call_costs() const -> bool {
    for (const auto call : table_.calls) {
      if (call != 0) return true;
    }
    return false;
  }

  /// The best that expansion moves reach from where one device has all that it supports; its cost.
  constexpr auto improve(device_index all_on) -> cost_amount {
    auto* const now = now_.data();
    const auto* const costs = table_.nodes[all_on].data();
    for (std::size_t n = 0; n < node_count_; ++n) now[n] = costs[n] == cost_table::impossible ? device_index{0} : all_on;
    if (is_exact()) {
      moves_.move(now, 1);
      return 0;  // nothing that it would be compared with
    }
    auto cost = cost_of(now);
    const auto devices = table_.devices();
    // Each device in turn, until none of them has helped since the last change.
    for (device_index failed = 0, to = 0; failed < devices; to = static_cast<device_index>((to + 1) % devices)) {
      ++failed;
      auto* const next = next_.data();
      for (std::size_t n = 0; n < node_count_; ++n) next[n] = now_.data()[n];
      if (!moves_.move(next, to)) continue;
      const auto next_cost = without_dear_parts(next, cost_of(next));
      if (next_cost >= cost) continue;
      std::swap(now_, next_);
      cost = next_cost;
      failed = 0;
    }
    return cost;
  }

  constexpr auto cost_of(const device_index* devices) -> cost_amount {
    auto cost = weigh_.without_calls({devices, node_count_});
    if (!has_call_costs()) return cost;
    former_.form(devices);
    for (const auto& part : former_.parts()) cost += table_.calls[part.on];
    return cost;
  }

  /// Parts move back to the portable kernels as long as that is cheaper. `former_` has the parts of `devices` to begin with.
  constexpr auto without_dear_parts(device_index* devices, cost_amount cost) -> cost_amount {
    while (has_call_costs()) {
      auto* const saved = saved_calls_.data();
      std::size_t at = 0;
      for (const auto& part : former_.parts()) saved[at++] = table_.calls[part.on];
      for (std::size_t n = 0; n < node_count_; ++n) kept_.data()[n] = devices[n];
      if (!moves_.move(devices, 0, former_.part_of(), saved)) return cost;
      const auto less = cost_of(devices);
      if (less >= cost) {
        for (std::size_t n = 0; n < node_count_; ++n) devices[n] = kept_.data()[n];
        return cost;
      }
      cost = less;
    }
    return cost;
  }

  /// The limits on parts. Of the parts that must be given up, a quarter go at once, those that save least first; then parts form anew.
  constexpr void keep_limits() {
    if (options_.least_nodes <= 1 && options_.most_parts >= node_count_) return;
    for (;;) {
      former_.form(best_.data());
      const auto parts = former_.parts();
      vector<std::uint32_t> candidates;
      for (std::uint32_t p = 0; p < parts.size(); ++p) {
        if (parts[p].size < options_.least_nodes) candidates.push_back(p);
      }
      const bool is_too_small = !candidates.empty();
      for (std::uint32_t p = 0; p < parts.size() && !is_too_small && parts.size() > options_.most_parts; ++p) candidates.push_back(p);
      if (candidates.empty()) return;
      const auto excess = is_too_small ? candidates.size() : parts.size() - options_.most_parts;
      const part_savings saved(program_, table_, weigh_, best_.data(), former_);
      std::sort(candidates.begin(), candidates.end(),
                [&saved](std::uint32_t a, std::uint32_t b) { return saved[a] != saved[b] ? saved[a] < saved[b] : a < b; });
      candidates.resize((excess + 3) / 4, 0);
      give_up(candidates);
    }
  }
  constexpr void give_up(const vector<std::uint32_t>& parts) {
    vector<char> is_given_up(former_.parts().size(), 0);
    for (const auto part : parts) is_given_up[part] = 1;
    for (std::size_t n = 0; n < node_count_; ++n) {
      const auto part = former_.part_of()[n];
      if (part != former_.no_part && is_given_up[part] != 0) best_.data()[n] = 0;
    }
  }

  constexpr auto finished() -> costed_assignment {
    costed_assignment made;
    made.devices.assign(best_.data(), best_.data() + node_count_);
    made.parts = parts_on_devices(program_, made.devices, table_.capacities, table_.constant_bytes);
    made.cost = weigh_.without_calls(made.devices);
    for (const auto& part : made.parts) made.cost += table_.calls[part.on];
    return made;
  }

  program_view program_;
  const cost_table& table_;
  cost_options options_;
  std::size_t node_count_;
  assignment_cost weigh_;
  expansion_moves moves_;
  part_former former_;
  vector<device_index> now_;
  vector<device_index> next_;
  vector<device_index> best_;
  vector<device_index> kept_;
  vector<cost_amount> saved_calls_;  // by part
  cost_amount best_cost_ = 0;
};

}  // namespace detail

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// A backend that offers itself, what it supports, and what it costs.
template <class Backend, required_support Support, class Costs>
  requires(require_costs<Costs, true>())
struct offer {
  using backend = Backend;
  using support = Support;
  using costs = Costs;
};

template <class T>
inline constexpr bool is_offer = false;
template <class Backend, class Support, class Costs>
inline constexpr bool is_offer<offer<Backend, Support, Costs>> = true;

/// Stops the compiler with a sentence if these are no offers.
template <class... Offers>
consteval auto require_offers() -> bool {
  constexpr bool are_offers = sizeof...(Offers) != 0 && (is_offer<Offers> && ...);
  static_assert(are_offers,
                "baton not_an_offer: after what nodes cost on the portable kernels come backends with what they support and cost; write: "
                "baton::by_cost<my_host_costs, baton::offer<my_npu, my_support, my_npu_costs>>");
  return are_offers;
}

/// Assigns each node to the portable kernels or to one of several backends so that the total cost is least: nodes, bytes that cross
/// borders, and calls. With one backend, no fixed cost a call and no limits the result is the cheapest there is; otherwise
/// expansion moves from each device in turn are tried, after Boykov, Veksler and Zabih, and parts that cost more than they save move back
/// (`cost_search.hpp`). `Host` says what nodes cost on the portable kernels. Errors: `malformed_cost` (negative, not a
/// number, or 10^9 and more), `costs_overflow` (all together 10^12 and more), `malformed_capacity` (negative, or not a number),
/// `capacity_too_small` (a backend supports nodes, and has room for the constants of none).
/// Close to linear. In a constant, 500 nodes with one backend, and 125 with two and costs a call, stay in every compiler's default limits.
/// `by_cost` is this without limits. Example: `baton::by_cost_within<baton::cost_options{.most_parts = 4}, host, baton::offer<my_npu,
/// my_support, my_costs>>{}`.
template <cost_options Options, class Host, class... Offers>
  requires(require_costs<Host, false>() && require_offers<Offers...>())
struct by_cost_within {
  static constexpr cost_options options = Options;

  /// Every cost of the program, checked.
  static constexpr auto costs(const program_view& program) -> result<cost_table> {
    cost_table table;
    table.nodes.assign(1 + sizeof...(Offers), vector<cost_amount>{});
    table.values.assign(1 + sizeof...(Offers), vector<cost_amount>{});
    table.values[0].assign(program.values.size(), 0);
    table.calls.push_back(0);
    table.capacities.push_back(UINT64_MAX);
    table.constant_bytes = detail::constant_bytes_of(program);
    const auto is_open = detail::nodes_outside_delegates(program);
    const auto stands_here = [&](const node& candidate) {
      return program.delegates.empty() || is_open[static_cast<std::size_t>(&candidate - program.nodes.data())] != 0;
    };
    if (auto why = detail::node_costs<Host>(program, table.nodes[0], " on the portable kernels", stands_here)) return why;
    if (!program.delegates.empty()) {
      // What earlier delegates hold costs nothing here.
      for (auto& cost : table.nodes[0]) cost = std::max(cost, cost_amount{0});
    }
    failure why;
    device_index place = 1;
    static_cast<void>(((why = add_offer<Offers>(program, is_open, table, place++)) || ...));
    if (why) return why;
    constexpr std::string_view ids[] = {"", to_text(Offers::backend::id)...};
    if (why = check_costs(program, table, ids); why) return why;
    return table;
  }

  /// The assignment, before it is written as tags. Errors: those of `costs`.
  constexpr auto assign(const program_view& program) const -> result<costed_assignment> {
    const auto table = costs(program);
    if (!table) return table.error;
    return detail::cost_search(program, table.value, options).run();
  }

  /// What another partitioner's choice costs by these tables, in their unit. Errors: those of `tag_program`, `malformed_cost`,
  /// `capacity_too_small`; `unsupported_node`, if it gives a backend a node that the offer does not support.
  template <partitioner Other>
  static constexpr auto cost(const exported_program& program, const Other& other) -> result<double> {
    const auto tagged = tag_program(program, other);
    if (!tagged) return tagged.error;
    const auto table = costs(program);
    if (!table) return table.error;
    vector<device_index> devices;
    cost_amount calls = 0;
    vector<graph_id> seen(tagged.value.tags.size(), none<graph_id>);
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      for (const auto& record : program_view(tagged.value).nodes_of(tagged.value.graphs[g])) {
        devices.push_back(device_of(tagged.value, record.tag));
        if (devices.back() == 0) continue;
        auto& counted = seen[index(record.tag)];
        if (counted != static_cast<graph_id>(g)) calls += table.value.calls[devices.back()];
        counted = static_cast<graph_id>(g);
      }
    }
    for (std::uint32_t n = 0; n < devices.size(); ++n) {
      if (table.value.nodes[devices[n]][n] == cost_table::impossible)
        return broken_at<rule::unsupported_node>(program, static_cast<node_id>(n));
    }
    return in_units(assignment_cost(program, table.value).without_calls(devices) + calls);
  }

  /// An amount in the unit of the tables, of which it counts 1/1024.
  static constexpr auto in_units(cost_amount amount) -> double { return static_cast<double>(amount) / 1024; }

  constexpr auto partition(const program_view& program) const -> result<partition_result> {
    const auto assigned = assign(program);
    if (!assigned) return assigned.error;
    partition_result tagged{program};
    const auto& parts = assigned.value.parts;
    tagged.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto tag = tagged.add_tag(view(join("tag", i)), delegation_spec{backend_id(parts[i].on)});
      for (const auto n : parts[i].nodes) tagged.tag_node(n, tag);
    }
    return tagged;
  }

  /// Why a node that an offer supports has no tag.
  constexpr auto why_left(const program_view& program, node_id id) const -> text_buffer {
    const auto bytes = detail::constant_bytes_of(program, program[id]);
    const bool has_room =
        ((Offers::support::supports(program, program[id]) && bytes <= detail::capacity_of<typename Offers::costs>()) || ...);
    if (!has_room) return join("it is supported, but its constants of ", bytes, " bytes are beyond the capacity");
    const bool is_limited = options.least_nodes > 1 || options.most_parts != cost_options{}.most_parts;
    return join("it is supported, but costs least on the portable kernels", is_limited ? " or in a part beyond the limits" : "");
  }

 private:
  template <class Offer>
  static constexpr auto add_offer(const program_view& program, const vector<char>& is_open, cost_table& table, device_index place)
      -> failure {
    using costs_type = typename Offer::costs;
    const auto capacity = detail::capacity_of<costs_type>();
    std::size_t supported = 0;
    std::size_t roomy = 0;
    std::uint32_t leanest = 0;  // of the supported nodes: the one that needs the fewest bytes
    const auto supports = [&](const node& candidate) {
      const auto n = static_cast<std::size_t>(&candidate - program.nodes.data());
      if (is_open[n] == 0 || !Offer::support::supports(program, candidate)) return false;
      if (supported++ == 0 || table.constant_bytes[n] < table.constant_bytes[leanest]) leanest = static_cast<std::uint32_t>(n);
      if (table.constant_bytes[n] > capacity) return false;
      ++roomy;
      return true;
    };
    const auto call = detail::to_amount(detail::call_cost_of<costs_type>());
    const auto check = [&]() -> failure {
      if (auto why = detail::check_capacity<costs_type>()) return why;
      if (call < 0)
        return broken<rule::malformed_cost>("the cost of a call", detail::wrong_with_number(detail::call_cost_of<costs_type>()));
      if (auto why = detail::node_costs<costs_type>(program, table.nodes[place], "", supports)) return why;
      if (auto why = detail::value_costs<costs_type>(program, table.values[place])) return why;
      if (supported == 0 || roomy != 0) return {};
      return broken_at<rule::capacity_too_small>(program, static_cast<node_id>(leanest), "of ", supported,
                                                 " supported nodes, this one needs ", table.constant_bytes[leanest],
                                                 " bytes, the least; the capacity is ", capacity);
    };
    auto why = check();
    if (why) why.backend = join(to_text(Offer::backend::id));
    table.calls.push_back(call);
    table.capacities.push_back(capacity);
    return why;
  }

  static constexpr auto device_of(const program_view& tagged, tag_id tag) -> device_index {
    if (tag == none<tag_id>) return 0;
    device_index place = 0;
    device_index found = 0;
    static_cast<void>(((++place, to_text(Offers::backend::id) == tagged.text(tagged[tag].backend_id) && (found = place, true)) || ...));
    return found;
  }
  static constexpr auto backend_id(device_index on) -> std::string_view {
    std::string_view id;
    device_index place = 1;
    static_cast<void>(((place++ == on && (id = to_text(Offers::backend::id), true)) || ...));
    return id;
  }
};

/// The assignment of least cost, as `by_cost_within` finds it, with any number of parts of any size. Example:
/// `baton::by_cost<host, baton::offer<my_npu, my_support, my_costs>>{}`.
template <class Host, class... Offers>
using by_cost = by_cost_within<cost_options{}, Host, Offers...>;

}  // namespace baton

// ---- baton/partition/by_pattern.hpp

// Parts from patterns: what a backend has one instruction or one routine for.

// ---- baton/partition/pattern.hpp

// Finds a pattern, which is a small program, in the graphs of another.

// ---- baton/partition/pattern_check.hpp

// Whether a pattern can match at all.

#include <cstdint>

namespace baton {

namespace detail {

/// For each value of a program, whether the graph returns it.
constexpr auto returned_values(const program_view& program, const graph& of) -> vector<char> {
  vector<char> is_returned(program.values.size(), 0);
  for (const auto& spec : program.outputs_of(of)) is_returned[index(spec.value)] = 1;
  return is_returned;
}

/// For each value of a program, how many operands of the graph it is.
constexpr auto uses_of_values(const program_view& program, const graph& of) -> vector<std::uint32_t> {
  vector<std::uint32_t> uses(program.values.size(), 0);
  for (const auto& record : program.nodes_of(of)) {
    for (const auto input : program.inputs(record)) {
      if (input != none<value_id>) uses[index(input)] += 1;
    }
  }
  return uses;
}

/// For each value of a program, the node of the graph that makes it.
constexpr auto makers_of(const program_view& program, const graph& of) -> vector<node_id> {
  vector<node_id> makers(program.values.size(), none<node_id>);
  for (std::uint32_t n = of.nodes.first; n < of.nodes.first + of.nodes.size; ++n) {
    for (const auto output : program.outputs_of(program.nodes[n])) makers[index(output)] = static_cast<node_id>(n);
  }
  return makers;
}

/// The nodes of a pattern from which all others are found: those whose values no node uses.
constexpr auto anchors_of(const program_view& pattern) -> vector<node_id> {
  const auto uses = uses_of_values(pattern, pattern.root());
  vector<node_id> anchors;
  const auto run = pattern.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    bool is_used = false;
    for (const auto output : pattern.outputs_of(pattern.nodes[n])) is_used = is_used || uses[index(output)] != 0;
    if (!is_used) anchors.push_back(static_cast<node_id>(n));
  }
  return anchors;
}

}  // namespace detail

/// Whether a pattern can match: it is a valid program with a node, each of its nodes leads to an output, none has subgraphs, and it returns
/// no placeholder, which would stand for any value there is. Errors: `empty_pattern`, `dead_pattern`, `unmatchable_pattern`, those of
/// `verify`.
constexpr auto check_pattern(const program_view& pattern) -> failure {
  if (auto why = verify(pattern)) return why;
  if (pattern.root().nodes.size == 0) return broken<rule::empty_pattern>();
  const auto run = pattern.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    if (pattern.nodes[n].subgraphs.size != 0) {
      return broken_at<rule::unmatchable_pattern>(pattern, static_cast<node_id>(n), "a node with subgraphs is found by none");
    }
  }
  const auto is_returned = detail::returned_values(pattern, pattern.root());
  for (const auto id : pattern.inputs(pattern.root())) {
    if (is_returned[index(id)] == 0) continue;
    return broken<rule::unmatchable_pattern>("placeholder ", pattern.text(pattern[id].name), " is returned");
  }
  for (const auto id : detail::anchors_of(pattern)) {
    bool leads_out = false;
    for (const auto output : pattern.outputs_of(pattern[id])) leads_out = leads_out || is_returned[index(output)] != 0;
    if (!leads_out) return broken_at<rule::dead_pattern>(pattern, id);
  }
  return {};
}

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// Whether the attributes of nodes count where a pattern is sought.
enum class literals : bool { ignored, compared };

/// Where a pattern was found.
struct pattern_match {
  vector<node_id> nodes;          ///< by node of the pattern
  vector<value_id> placeholders;  ///< by placeholder of the pattern
};

namespace detail {

constexpr auto same_literal(const program_view& left, const attribute& a, const program_view& right, const attribute& b) -> bool {
  if (a.key != b.key || a.kind != b.kind) return false;
  switch (a.kind) {
    case attribute_kind::integer:
    case attribute_kind::boolean:
      return a.integer == b.integer;
    case attribute_kind::real:
      return a.real == b.real;
    case attribute_kind::text:
    case attribute_kind::bytes:
      return left.text(a.bytes) == right.text(b.bytes);
    case attribute_kind::integers:
      return std::ranges::equal(left.integer_list(a.list), right.integer_list(b.list));
    case attribute_kind::reals:
      return std::ranges::equal(left.real_list(a.list), right.real_list(b.list));
  }
  return false;
}

/// Seeks one pattern in one graph, from its anchors upwards. `Commuting` says of which nodes of the graph the first two operands may change
/// places.
template <operator_support Commuting>
class pattern_finder {
 public:
  constexpr pattern_finder(const program_view& program, graph_id id, const program_view& pattern, literals compare)
      : program_(program),
        graph_(program[id]),
        pattern_(pattern),
        compare_(compare),
        anchors_(anchors_of(pattern)),
        makers_(makers_of(program, graph_)),
        pattern_makers_(makers_of(pattern, pattern.root())),
        pattern_uses_(uses_of_values(pattern, pattern.root())),
        is_returned_(returned_values(program, graph_)),
        pattern_returns_(returned_values(pattern, pattern.root())),
        node_image_(pattern.nodes.size(), none<node_id>),
        value_image_(pattern.values.size(), none<value_id>),
        node_is_taken_(program.nodes.size(), 0),
        value_is_taken_(program.values.size(), 0) {}

  constexpr auto run() -> vector<pattern_match> {
    place_anchor(0);
    return std::move(matches_);
  }

 private:
  static constexpr char in_match = 1;
  static constexpr char in_earlier_match = 2;

  /// A value of the pattern and the one that it shall stand for.
  struct pairing {
    value_id of_pattern;
    value_id candidate;
  };
  /// How far a search has come, so that it can go back there.
  struct state {
    std::size_t nodes;
    std::size_t values;
    std::size_t pairings;
  };

  constexpr auto now() const -> state { return {placed_nodes_.size(), placed_values_.size(), pairings_.size()}; }
  constexpr void go_back(const state& to) {
    for (; placed_nodes_.size() > to.nodes; placed_nodes_.pop_back()) {
      auto& image = node_image_[index(placed_nodes_.back())];
      node_is_taken_[index(image)] = static_cast<char>(node_is_taken_[index(image)] & ~in_match);
      image = none<node_id>;
    }
    for (; placed_values_.size() > to.values; placed_values_.pop_back()) {
      auto& image = value_image_[index(placed_values_.back())];
      value_is_taken_[index(image)] = 0;
      image = none<value_id>;
    }
    for (; pairings_.size() > to.pairings; pairings_.pop_back()) {
    }
  }

  // Each of the next four says whether a match was found: then nothing else with the first anchor where it is can be one, since matches do
  // not overlap.

  constexpr auto place_anchor(std::size_t which) -> bool {
    if (which == anchors_.size()) return consider();
    const auto& wanted = pattern_[anchors_[which]];
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto& found = program_.nodes[n];
      if (wanted.op != found.op || wanted.outputs.size != found.outputs.size) continue;
      const auto before = now();
      pairings_.push_back({pattern_.outputs_of(wanted)[0], program_.outputs_of(found)[0]});
      const bool is_found = match_from(before.pairings, which);
      go_back(before);
      if (is_found && which != 0) return true;
    }
    return false;
  }

  /// Matches the pairings from one on, then the further anchors. Where operands may change places, the rest is tried with both orders.
  constexpr auto match_from(std::size_t next, std::size_t anchor) -> bool {
    while (next < pairings_.size()) {
      const auto pair = pairings_[next++];
      if (pair.of_pattern == none<value_id> || pair.candidate == none<value_id>) {
        if (pair.of_pattern != pair.candidate) return false;
        continue;
      }
      if (const auto image = value_image_[index(pair.of_pattern)]; image != none<value_id>) {
        if (image != pair.candidate) return false;
        continue;
      }
      const auto maker = pattern_makers_[index(pair.of_pattern)];
      if (maker == none<node_id>) {
        if (!place_value(pair.of_pattern, pair.candidate)) return false;
        continue;
      }
      const auto candidate = makers_[index(pair.candidate)];
      if (candidate == none<node_id> || !place_node(maker, candidate) || value_image_[index(pair.of_pattern)] != pair.candidate)
        return false;
      if (may_change_places(maker, candidate)) return match_both_ways(maker, candidate, next, anchor);
      pair_operands(maker, candidate, false);
    }
    return place_anchor(anchor + 1);
  }

  constexpr auto match_both_ways(node_id of_pattern, node_id candidate, std::size_t next, std::size_t anchor) -> bool {
    for (const bool is_swapped : {false, true}) {
      const auto before = now();
      pair_operands(of_pattern, candidate, is_swapped);
      const bool is_found = match_from(next, anchor);
      go_back(before);
      if (is_found) return true;
    }
    return false;
  }

  constexpr void pair_operands(node_id of_pattern, node_id candidate, bool is_swapped) {
    const auto wanted = pattern_.inputs(pattern_[of_pattern]);
    const auto found = program_.inputs(program_[candidate]);
    for (std::size_t i = 0; i < wanted.size(); ++i) pairings_.push_back({wanted[i], found[is_swapped && i < 2 ? 1 - i : i]});
  }

  /// Whether the operands may change places and it makes a difference.
  constexpr auto may_change_places(node_id of_pattern, node_id candidate) const -> bool {
    if constexpr (std::is_same_v<Commuting, no_support>) return false;
    const auto wanted = pattern_.inputs(pattern_[of_pattern]);
    const auto found = program_.inputs(program_[candidate]);
    if (wanted.size() < 2 || wanted[0] == wanted[1] || found[0] == found[1]) return false;
    if (stands_for_anything(wanted[0]) && stands_for_anything(wanted[1])) return false;
    return Commuting::supports(program_, program_[candidate]).accepted;
  }
  constexpr auto stands_for_anything(value_id of_pattern) const -> bool {
    return of_pattern != none<value_id> && pattern_makers_[index(of_pattern)] == none<node_id> && pattern_uses_[index(of_pattern)] == 1;
  }

  constexpr auto place_node(node_id of_pattern, node_id candidate) -> bool {
    if (node_is_taken_[index(candidate)] != 0) return false;
    const auto& wanted = pattern_[of_pattern];
    const auto& found = program_[candidate];
    if (wanted.op != found.op || wanted.inputs.size != found.inputs.size || wanted.outputs.size != found.outputs.size) return false;
    if (found.subgraphs.size != 0 || !same_literals(wanted, found)) return false;
    node_image_[index(of_pattern)] = candidate;
    node_is_taken_[index(candidate)] = in_match;
    placed_nodes_.push_back(of_pattern);
    for (std::size_t i = 0; i < wanted.outputs.size; ++i) {
      if (!place_value(pattern_.outputs_of(wanted)[i], program_.outputs_of(found)[i])) return false;
    }
    return true;
  }

  constexpr auto place_value(value_id of_pattern, value_id candidate) -> bool {
    if (value_is_taken_[index(candidate)] != 0) return false;
    value_image_[index(of_pattern)] = candidate;
    value_is_taken_[index(candidate)] = 1;
    placed_values_.push_back(of_pattern);
    return true;
  }

  constexpr auto same_literals(const node& wanted, const node& found) const -> bool {
    if (compare_ == literals::ignored) return true;
    const auto attributes = program_.attributes_of(found);
    if (wanted.attributes.size != attributes.size()) return false;
    for (const auto& one : pattern_.attributes_of(wanted)) {
      const auto is_same = [&](const attribute& other) { return same_literal(pattern_, one, program_, other); };
      if (!std::any_of(attributes.begin(), attributes.end(), is_same)) return false;
    }
    return true;
  }

  constexpr auto consider() -> bool {
    if (is_used_within() || is_entered_again()) return false;
    pattern_match found{node_image_, {}};
    for (const auto input : pattern_.inputs(pattern_.root())) found.placeholders.push_back(value_image_[index(input)]);
    for (const auto id : node_image_) {
      if (id != none<node_id>) node_is_taken_[index(id)] = static_cast<char>(node_is_taken_[index(id)] | in_earlier_match);
    }
    matches_.push_back(std::move(found));
    return true;
  }

  /// Whether somebody outside uses what the pattern does not return.
  constexpr auto is_used_within() const -> bool {
    vector<char> is_inner(program_.values.size(), 0);
    for (std::size_t v = 0; v < value_image_.size(); ++v) {
      if (pattern_makers_[v] == none<node_id> || pattern_returns_[v] != 0) continue;
      if (is_returned_[index(value_image_[v])] != 0) return true;
      is_inner[index(value_image_[v])] = 1;
    }
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      if ((node_is_taken_[n] & in_match) != 0) continue;
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input != none<value_id> && is_inner[index(input)] != 0) return true;
      }
    }
    return false;
  }

  /// Whether a path leaves the match and enters it again.
  constexpr auto is_entered_again() const -> bool {
    vector<char> comes_after(program_.values.size(), 0);  // 1: made by the match, 2: by an outsider behind it
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const bool is_inside = (node_is_taken_[n] & in_match) != 0;
      char mark = is_inside ? 1 : 0;
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input == none<value_id> || comes_after[index(input)] == 0) continue;
        if (is_inside && comes_after[index(input)] == 2) return true;
        if (!is_inside) mark = 2;
      }
      for (const auto output : program_.outputs_of(program_.nodes[n])) comes_after[index(output)] = mark;
    }
    return false;
  }

  program_view program_;
  graph graph_;
  program_view pattern_;
  literals compare_;
  vector<node_id> anchors_;
  vector<node_id> makers_;
  vector<node_id> pattern_makers_;
  vector<std::uint32_t> pattern_uses_;
  vector<char> is_returned_;
  vector<char> pattern_returns_;
  vector<node_id> node_image_;
  vector<value_id> value_image_;
  vector<char> node_is_taken_;
  vector<char> value_is_taken_;
  vector<node_id> placed_nodes_;
  vector<value_id> placed_values_;
  vector<pairing> pairings_;
  vector<pattern_match> matches_;
};

}  // namespace detail

/// The places of a graph where a pattern stands, in the order of the graph. Operators are equal, operands pairwise, attributes too unless
/// they are ignored; a placeholder of the pattern stands for any one value, different placeholders for different values. A match is left
/// out where a node outside uses what the pattern does not return, where a path leaves it and enters it again, and where it overlaps an
/// earlier one. After ExecuTorch's sub-graph matcher, which takes operands in the order in which they are written, as this does unless
/// `Commuting` accepts a node of the graph: then its first two operands are tried both ways (`baton::commutative` is a table of such
/// operators). It must answer by operator and attributes alone.
/// Linear for each node tried; a pattern of k unconnected pieces tries n^k, one of c commuting nodes up to 2^c orders.
/// Errors: those of `check_pattern`.
template <operator_support Commuting = no_support>
constexpr auto find_matches(const program_view& program, graph_id in, const program_view& pattern, literals compare = literals::compared)
    -> result<vector<pattern_match>> {
  if (auto why = check_pattern(pattern)) return why;
  return detail::pattern_finder<Commuting>(program, in, pattern, compare).run();
}

}  // namespace baton

// ---- baton/partition/pattern_list.hpp

// Several patterns sought together: whether each has a use, where they stand, and where they contradict one another.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace baton {

/// What becomes of nodes that two patterns find.
enum class overlaps : bool {
  merged,   ///< both matches are taken together, as ExecuTorch does: for a backend that takes the operators as they come
  refused,  ///< they must not contradict one another (`check_overlaps`): for a backend that has one routine a pattern
};

/// Where the patterns of a list stand.
struct pattern_matches {
  vector<pattern_match> matches;
  vector<std::uint32_t> pattern_of;  ///< by match: its pattern's place in the list
};

namespace detail {

/// Whether one pattern stands in another and holds all of its nodes: then it is found wherever the other is.
template <operator_support Commuting>
constexpr auto is_found_wherever(const program_view& one, const program_view& other, literals compare) -> bool {
  return one.root().nodes.size == other.root().nodes.size && !pattern_finder<Commuting>(other, graph_id{0}, one, compare).run().empty();
}

/// Whether what a match has beyond another is supported without it.
template <operator_support Support>
constexpr auto may_yield(const program_view& program, const pattern_match& match, const pattern_match& other) -> bool {
  for (const auto id : match.nodes) {
    if (id == none<node_id> || std::find(other.nodes.begin(), other.nodes.end(), id) != other.nodes.end()) continue;
    if (!Support::supports(program, program[id]).accepted) return false;
  }
  return true;
}

}  // namespace detail

/// Whether each pattern of a list can match, and finds something that no other does. Where attributes are ignored, operands are compared
/// in the order in which they are written. Errors: those of `check_pattern`, and `duplicate_pattern`, with the place in the list.
template <operator_support Commuting = no_support>
constexpr auto check_patterns(std::span<const exported_program> sought, literals compare = literals::compared) -> failure {
  for (std::size_t p = 0; p < sought.size(); ++p) {
    auto why = check_pattern(sought[p]);
    if (!why) continue;
    auto place = join("pattern ", p);
    if (!why.reason.empty()) append(append(place, ": "), view(why.reason));
    why.reason = std::move(place);
    return why;
  }
  const auto is_found_wherever = [&](std::size_t one, std::size_t other) {
    // A node of a pattern may commute where, with other attributes, the node that it stands for does not.
    if (compare == literals::ignored) return detail::is_found_wherever<no_support>(sought[one], sought[other], compare);
    return detail::is_found_wherever<Commuting>(sought[one], sought[other], compare);
  };
  for (std::size_t a = 1; a < sought.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (is_found_wherever(b, a)) return broken<rule::duplicate_pattern>("pattern ", a, " finds only what pattern ", b, " does");
      if (is_found_wherever(a, b)) return broken<rule::duplicate_pattern>("pattern ", b, " finds only what pattern ", a, " does");
    }
  }
  return {};
}

/// Where the patterns of a list stand, in all graphs but those inside delegates. Matches of one pattern do not overlap, those of several
/// may. Errors: those of `check_patterns`.
template <operator_support Commuting = no_support>
constexpr auto find_patterns(const program_view& program, std::span<const exported_program> sought, literals compare = literals::compared)
    -> result<pattern_matches> {
  if (auto why = check_patterns<Commuting>(sought, compare)) return why;
  pattern_matches found;
  const auto graphs = detail::visible_graphs(program);
  for (std::uint32_t p = 0; p < sought.size(); ++p) {
    for (const auto id : graphs) {
      for (auto& match : detail::pattern_finder<Commuting>(program, id, sought[p], compare).run()) {
        found.matches.push_back(std::move(match));
        found.pattern_of.push_back(p);
      }
    }
  }
  return found;
}

/// Whether matches of different patterns contradict one another: they overlap, and whichever is taken, something of the other is left that
/// no pattern and no support takes. Where one holds all of the other, the larger is meant. Near-linear. Errors: `ambiguous_pattern`.
template <operator_support Support = no_support>
constexpr auto check_overlaps(const program_view& program, const pattern_matches& found) -> failure {
  constexpr auto nobody = 0xffffffffu;
  vector<std::uint32_t> latest(program.nodes.size(), nobody);  // by node: its latest claim
  vector<std::uint32_t> claimant;                              // by claim: the match
  vector<std::uint32_t> earlier;                               // by claim: the node's claim before
  for (std::uint32_t m = 0; m < found.matches.size(); ++m) {
    for (const auto id : found.matches[m].nodes) {
      if (id == none<node_id>) continue;
      for (auto claim = latest[index(id)]; claim != nobody; claim = earlier[claim]) {
        const auto& other = found.matches[claimant[claim]];
        if (detail::may_yield<Support>(program, other, found.matches[m])) continue;
        if (detail::may_yield<Support>(program, found.matches[m], other)) continue;
        return broken_at<rule::ambiguous_pattern>(program, id, "patterns ", found.pattern_of[claimant[claim]], " and ",
                                                  found.pattern_of[m]);
      }
      claimant.push_back(m);
      earlier.push_back(latest[index(id)]);
      latest[index(id)] = static_cast<std::uint32_t>(claimant.size() - 1);
    }
  }
  return {};
}

}  // namespace baton

#include <span>

namespace baton {

/// The patterns of a `by_pattern`: functions that make programs, with `program_builder`.
template <auto... Make>
struct patterns {
  static constexpr auto make() -> vector<exported_program> {
    vector<exported_program> made;
    (made.push_back(Make()), ...);
    return made;
  }
};

/// The fewest parts of the nodes where a pattern stands, and of what a support accepts: matches share a part where no cycle forms.
/// `Commuting` is that of `find_matches`. Errors: those of `check_patterns`; `ambiguous_pattern` where overlaps are refused;
/// `nothing_to_partition` where there is neither a pattern nor a support.
template <operator_support Support = no_support, operator_support Commuting = no_support>
constexpr auto parts_from_patterns(const program_view& program, std::span<const exported_program> sought,
                                   literals compare = literals::compared, overlaps allowed = overlaps::merged) -> result<proposed_parts> {
  const auto found = find_patterns<Commuting>(program, sought, compare);
  if (!found) return found.error;
  if (allowed == overlaps::refused) {
    if (auto why = check_overlaps<Support>(program, found.value)) return why;
  }
  vector<node_list> lists(sought.size(), node_list{{}, {}});
  for (std::size_t m = 0; m < found.value.matches.size(); ++m) {
    for (const auto id : found.value.matches[m].nodes) {
      if (id != none<node_id>) lists[found.value.pattern_of[m]].nodes.push_back(id);
    }
  }
  return parts_from_lists<Support>(program, lists);
}

/// A partitioner that delegates what its patterns find: `by_pattern<my_npu, baton::patterns<lstm_cell, difference>>`. Tags are `tag0`,
/// `tag1` and so on. A node matches by its operator, the number of its operands and all its attributes (`literals::ignored`: whatever
/// they are); shapes and dtypes are not compared. Operands count in the order in which a pattern has them, since a backend may well read
/// them so; of what `Commuting` accepts they count in both orders: `by_pattern<my_npu, baton::patterns<residual>, baton::no_support,
/// baton::literals::compared, baton::commutative>`. Worked out in `examples/04_take_patterns.cpp`. Errors: those of
/// `parts_from_patterns`, overlaps being refused; `node_tagged_twice`.
template <class Backend, class Patterns, required_support Support = no_support, literals Compare = literals::compared,
          required_support Commuting = no_support>
struct by_pattern {
  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program,
                                        parts_from_patterns<Support, Commuting>(program, Patterns::make(), Compare, overlaps::refused));
  }
};

}  // namespace baton

// ---- baton/partition/by_support.hpp

// The canonical partitioner: supported nodes in the fewest parts that form no cycle.

#include <cstdint>

namespace baton {

/// A partitioner that gives a backend all that an operator support accepts, in the fewest parts that form no cycle (more only where
/// `Options.most_nodes` splits them); tags are `tag0`, `tag1` and so on. Linear; for the method see `level_partition.hpp`. Independent
/// supported nodes share a part. Graphs inside delegates are left alone, subgraphs of control flow are visited. Example:
/// `baton::to_backend(target, model, baton::by_support<my_npu, baton::operators<"tfl.conv_2d">>{})`. Nodes of `NonCompute` do not count
/// towards `least_nodes`; one of `Alone` counts twice, so it may be a part by itself where two are asked.
template <class Backend, required_support Support, partition_options Options = partition_options{},
          required_support NonCompute = no_support, required_support Alone = no_support>
struct by_support {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    using nodes = detail::supported_nodes<Support, NonCompute, Alone>;
    detail::level_partition<nodes> levels(program, Options, nodes{});
    for (const auto id : detail::visible_graphs(program)) levels.visit(id);
    const auto order = levels.order();
    tagged.reserve(order.size());
    vector<tag_id> tags(levels.parts().size(), none<tag_id>);
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

  /// Why a supported node has no tag.
  static constexpr auto why_left(const program_view& program, node_id id) -> text_buffer {
    if (detail::follows_by<Support>(program, id)) return join("it is supported, but goes along with a node that stays");
    return join("it is supported, but in a part smaller than the least of ", Options.least_nodes, " nodes");
  }
};

}  // namespace baton

// ---- baton/partition/commutative.hpp

// Which operators compute the same when their first two operands change places.

namespace baton {

namespace detail {

/// After the operators' own documents: PyTorch's `native_functions.yaml` and the reference kernels of TensorFlow Lite. In-place forms are
/// left out, since they write to the first operand, and so are operators that have attributes an operand.
inline constexpr literal_name commutative_operators[] = {
    "aten.add.Tensor",
    "aten.mul.Tensor",
    "aten.maximum.default",
    "aten.minimum.default",
    "aten.fmax.default",
    "aten.fmin.default",
    "aten.eq.Tensor",
    "aten.ne.Tensor",
    "aten.logical_and.default",
    "aten.logical_or.default",
    "aten.logical_xor.default",
    "aten.bitwise_and.Tensor",
    "aten.bitwise_or.Tensor",
    "aten.bitwise_xor.Tensor",
    "aten.hypot.default",
    "aten.logaddexp.default",
    "aten.logaddexp2.default",
    "aten.gcd.default",
    "aten.lcm.default",
    "aten.dot.default",
    "tfl.add",
    "tfl.mul",
    "tfl.maximum",
    "tfl.minimum",
    "tfl.squared_difference",
    "tfl.equal",
    "tfl.not_equal",
    "tfl.logical_and",
    "tfl.logical_or",
    "tfl.bitwise_xor",
    "tfl.stablehlo_add",
    "tfl.stablehlo_multiply",
    "tfl.stablehlo_maximum",
    "tfl.stablehlo_minimum",
    "tfl.stablehlo_and",
    "tfl.stablehlo_or",
};

/// Whether the second operand is taken as it is: `aten.add` computes first + alpha · second.
constexpr auto has_plain_operands(const program_view& program, const node& candidate) -> bool {
  const auto* alpha = program.find(candidate, "alpha");
  if (alpha == nullptr) return true;
  return alpha->kind == attribute_kind::real ? alpha->real == 1.0 : alpha->integer == 1;
}

}  // namespace detail

/// The nodes whose first two operands may change places: what a pattern is told, so that `add(conv, x)` is found where `add(x, conv)`
/// stands. Results are equal but for what operands that are not numbers give. It says nothing of operators that it does not know; add your
/// own with `baton::any_of<baton::commutative, baton::operators<"my.blend">>`.
struct commutative {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (!is_among(candidate.op, detail::commutative_operators)) return refuse("the operator is not known to commute");
    if (!detail::has_plain_operands(program, candidate)) return refuse("the second operand is multiplied by alpha");
    return accept();
  }
};

}  // namespace baton

// ---- baton/partition/components.hpp

// Strongly connected components: which units need one another.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// By unit, the number of its component; from each unit of a component a path of uses leads to every other one of it. A use is a unit, and
/// one that uses it. R. E. Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972), without recursion; linear.
class component_search {
 public:
  constexpr component_search(const vector<std::pair<std::uint32_t, std::uint32_t>>& uses, std::size_t units)
      : first_(units + 1, 0),
        users_(uses.size(), 0),
        number_(units, unseen),
        low_(units, 0),
        component_(units, unseen) {
    for (const auto& use : uses) first_[use.first + 1] += 1;
    for (std::size_t unit = 0; unit < units; ++unit) first_[unit + 1] += first_[unit];
    next_ = first_;
    for (const auto& [used, user] : uses) users_[next_[used]++] = user;
    next_ = first_;
  }

  constexpr auto run() -> vector<std::uint32_t> {
    for (std::uint32_t unit = 0; unit < number_.size(); ++unit) {
      if (number_[unit] == unseen) search_from(unit);
    }
    return std::move(component_);
  }

 private:
  static constexpr std::uint32_t unseen = 0xffffffffu;

  constexpr void search_from(std::uint32_t start) {
    enter(start);
    while (!path_.empty()) {
      const auto here = path_.back();
      if (next_[here] == first_[here + 1]) {
        leave();
        continue;
      }
      const auto user = users_[next_[here]++];
      if (number_[user] == unseen) {
        enter(user);
      } else if (component_[user] == unseen) {
        low_[here] = std::min(low_[here], number_[user]);
      }
    }
  }

  constexpr void enter(std::uint32_t unit) {
    number_[unit] = low_[unit] = seen_++;
    path_.push_back(unit);
    open_.push_back(unit);
  }

  constexpr void leave() {
    const auto unit = path_.back();
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[unit]);
    if (low_[unit] != number_[unit]) return;
    while (component_[unit] == unseen) {
      component_[open_.back()] = components_;
      open_.pop_back();
    }
    ++components_;
  }

  vector<std::uint32_t> first_;  ///< by unit, into `users_`
  vector<std::uint32_t> users_;
  vector<std::uint32_t> next_;    ///< by unit, the use that is looked at next
  vector<std::uint32_t> number_;  ///< by unit, in the order in which they were seen
  vector<std::uint32_t> low_;     ///< by unit, the lowest number that is known to be reached and open
  vector<std::uint32_t> component_;
  vector<std::uint32_t> path_;
  vector<std::uint32_t> open_;  ///< seen, and in no component yet
  std::uint32_t seen_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace baton::detail

// ---- baton/partition/constant_tagging.hpp

// Tags owned data after the nodes that use it, so that a part takes its weights along.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// Owned data whose users have more than one tag: every further tag gets a placeholder of its own, and bytes too where
/// `data_sharing::duplicate` is asked for.
struct shared_data {
  value_id value = none<value_id>;
  tag_id tag = none<tag_id>;    ///< the tag that it got
  std::uint32_t tags = 0;       ///< how many different tags its users have
  std::int64_t bytes_each = 0;  ///< what one more copy would cost; -1 where the size is not known
};

namespace detail {

/// The tags of the users of the root graph's owned data, each pair once, by value, then by the tag's name.
constexpr auto tags_of_data(const program_view& program) -> vector<std::pair<value_id, tag_id>> {
  const auto name_of = [&](tag_id id) { return program.text(program[id].name); };
  vector<std::pair<value_id, tag_id>> found;
  for (const auto& user : program.nodes_of(program.root())) {
    if (user.tag == none<tag_id> || name_of(user.tag).empty()) continue;
    for (const auto input : program.inputs(user)) {
      if (input != none<value_id> && is_owned_data(program[input].kind)) found.emplace_back(input, user.tag);
    }
  }
  std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? index(a.first) < index(b.first) : name_of(a.second) < name_of(b.second);
  });
  const auto is_same = [&](const auto& a, const auto& b) { return a.first == b.first && name_of(a.second) == name_of(b.second); };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  return found;
}

/// Gives owned data, mutable or not, the lexicographically smallest name among its users' tags.
constexpr auto tag_data(partition_result& result, bool is_mutable, data_sharing sharing) -> vector<shared_data> {
  const auto pairs = tags_of_data(result.tagged_program);
  vector<shared_data> shared;
  for (std::size_t first = 0; first < pairs.size();) {
    const auto id = pairs[first].first;
    auto last = first + 1;
    while (last < pairs.size() && pairs[last].first == id) ++last;
    const program_view program = result.tagged_program;
    if ((program[id].kind == value_kind::mutable_buffer) == is_mutable) {
      const auto tags = static_cast<std::uint32_t>(last - first);
      if (tags > 1) shared.push_back({id, pairs[first].second, tags, byte_count(program[id].type, program.shape(id))});
      result.tag_value(id, pairs[first].second, sharing);
    }
    first = last;
  }
  return shared;
}

}  // namespace detail

/// Tags the parameters, constants and unchanging buffers of the root graph, each with the lexicographically smallest name among its users'
/// tags; data without a tagged user stays with the owner. Whether a buffer changes is read from the signature. Call it when all nodes
/// are tagged. Returns the data that several tags use, and what sharing it costs.
constexpr auto tag_constant_data(partition_result& result, data_sharing sharing = data_sharing::share) -> vector<shared_data> {
  return detail::tag_data(result, false, sharing);
}

/// The same for the buffers that the program changes: the part then keeps the state. Only one part can, so a returned entry tells of an
/// error to come (`shared_mutable_buffer`).
constexpr auto tag_mutated_buffer(partition_result& result) -> vector<shared_data> {
  return detail::tag_data(result, true, data_sharing::own);
}

}  // namespace baton

// ---- baton/partition/node_supports.hpp

// Ready-made operator supports: by the dtypes of operands, by names, with a reason of one's own, from a function.

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton {

/// The dtypes that one operand may have; none: any.
template <dtype... Accepted>
struct dtypes {
  static constexpr auto accepts(dtype type) -> bool { return sizeof...(Accepted) == 0 || ((type == Accepted) || ...); }
};

/// A row of an `operator_table`: an operator, and for each operand its dtypes. Further operands may have any; a row may name more than
/// there are.
template <fixed_string Operator, class... Operands>
struct table_row {
  static constexpr auto is_for(const node& candidate) -> bool { return candidate.op == hash_of(Operator); }
  static constexpr auto check(const program_view& program, const node& candidate) -> verdict {
    const auto inputs = program.inputs(candidate);
    std::size_t at = 0;
    std::size_t wrong = inputs.size();
    [[maybe_unused]] const auto look = [&](bool is_accepted) {
      if (!is_accepted && wrong == inputs.size()) wrong = at;
      ++at;
    };
    (look(at >= inputs.size() || inputs[at] == none<value_id> || Operands::accepts(program[inputs[at]].type)), ...);
    if (wrong == inputs.size()) return accept();
    return refuse("operand ", wrong, " is ", facts(program[inputs[wrong]].type).name);
  }
};

/// Supports the operators of its rows where the operands have the dtypes stated there.
template <class... Rows>
struct operator_table {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse("the operator is not in the table");
    static_cast<void>(((Rows::is_for(candidate) && (answer = Rows::check(program, candidate), true)) || ...));
    return answer;
  }
};

/// Declines a node with an operand of one of these dtypes.
template <dtype... Declined>
struct declines_input_dtype {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    for (const auto input : program.inputs(candidate)) {
      if (input != none<value_id> && ((program[input].type == Declined) || ...)) {
        return refuse("an operand is ", facts(program[input].type).name);
      }
    }
    return accept();
  }
};

/// Supports what is of none of these operators; for an `all_of`.
template <fixed_string... Operators>
struct dont_partition {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (((program.text(candidate.target) == std::string_view(Operators)) || ...)) return refuse("the operator is excluded");
    return accept();
  }
};
/// The same for operators whose name contains one of these texts; an empty text is in none.
template <fixed_string... Texts>
struct dont_partition_containing {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    [[maybe_unused]] const auto has = [&](std::string_view text) {
      return !text.empty() && program.text(candidate.target).find(text) != text.npos;
    };
    if ((has(Texts) || ...)) return refuse("the operator is excluded");
    return accept();
  }
};
/// Supports the nodes that have none of these names. Nodes carry no module; exclude a module's nodes by the names they have in common.
template <fixed_string... Names>
struct dont_partition_node {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (((program.text(candidate.name) == std::string_view(Names)) || ...)) return refuse("the node is excluded");
    return accept();
  }
};
/// The same for nodes whose name contains one of these texts; an empty text is in none.
template <fixed_string... Texts>
struct dont_partition_node_containing {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    [[maybe_unused]] const auto has = [&](std::string_view text) {
      return !text.empty() && program.text(candidate.name).find(text) != text.npos;
    };
    if ((has(Texts) || ...)) return refuse("the node is excluded");
    return accept();
  }
};

/// Supports what its member supports, and says this where it does not.
template <required_member Member, fixed_string Reason>
struct with_reason {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (Member::supports(program, candidate).accepted) return accept();
    return refuse(std::string_view(Reason));
  }
};

/// A function of `(const program_view&, const node&)` as a support: it returns a bool, or a verdict with a reason of its own.
template <auto Function>
struct supported_if {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if constexpr (std::is_same_v<decltype(Function(program, candidate)), verdict>) {
      return Function(program, candidate);
    } else {
      if (Function(program, candidate)) return accept();
      return refuse("the node does not meet the condition");
    }
  }
};

}  // namespace baton

// ---- baton/partition/rejections.hpp

// Which nodes a support rejects, and why, as data and as a table.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// A node that a support rejects.
struct rejection {
  node_id node = none<node_id>;
  text_buffer reason;
};

/// What a support rejects in all graphs but those inside delegates, each node once, in order. Nothing is kept between calls.
template <operator_support Support>
constexpr auto rejections_of(const program_view& program) -> vector<rejection> {
  vector<rejection> found;
  for (const auto id : detail::visible_nodes(program)) {
    auto answer = Support::supports(program, program[id]);
    if (!answer.accepted) found.push_back({id, std::move(answer.reason)});
  }
  return found;
}

/// A line a node with its name, operator and reason, in columns; of several reasons of a node the first.
constexpr auto why_not_table(const program_view& program, std::span<const rejection> rejected) -> text_buffer {
  if (rejected.empty()) return join("No nodes were rejected.\n");
  vector<char> seen(program.nodes.size(), 0);
  std::size_t name_width = 4;
  std::size_t op_width = 8;
  for (const auto& one : rejected) {
    name_width = std::max(name_width, std::size_t{program[one.node].name.size});
    op_width = std::max(op_width, std::size_t{program[one.node].target.size});
  }
  text_buffer table;
  const auto line = [&](std::string_view name, std::string_view op, std::string_view reason) {
    append(table, name).insert(table.end(), name_width + 2 - name.size(), ' ');
    append(table, op).insert(table.end(), op_width + 2 - op.size(), ' ');
    append(append(table, reason.empty() ? "-" : reason), "\n");
  };
  line("node", "operator", "reason");
  for (const auto& one : rejected) {
    if (seen[index(one.node)] != 0) continue;
    seen[index(one.node)] = 1;
    line(program.text(program[one.node].name), program.text(program[one.node].target), view(one.reason));
  }
  return table;
}

}  // namespace baton

// ---- baton/partition/split_cycles.hpp

// Splits the parts of another partitioner where they would form a cycle.

// ---- baton/partition/verdicts.hpp

// What became of every node: which part takes it, or why none does.

#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// What a support says of a node, and what a partitioner, or an earlier lowering, made of it.
struct node_verdict {
  node_id node = none<node_id>;
  std::int64_t debug_handle = 0;
  bool is_supported = false;
  bool is_taken = false;
  text_buffer tag;      ///< of the part that takes it; of a delegate call: the delegate's name
  text_buffer backend;  ///< who takes it
  text_buffer reason;   ///< why nobody takes it: what the support says, or why the partitioner left a node that is supported
};

/// What is said of a supported node that a partitioner left without saying why.
inline constexpr std::string_view left_without_reason = "it is supported, but no partitioner took it";

/// A partitioner that says why it leaves nodes that are supported:
/// `constexpr auto why_left(const baton::program_view& program, baton::node_id node) const -> baton::text_buffer`.
template <class T>
concept explaining_partitioner = partitioner<T> && requires(const T& candidate, const program_view& program, node_id id) {
  { candidate.why_left(program, id) } -> std::same_as<text_buffer>;
};

namespace detail {

/// By graph: the tag of the part that takes it along, as a branch or a body of one of its nodes. Tags without a spec take nothing.
constexpr auto tags_of_graphs(const program_view& program) -> vector<tag_id> {
  vector<tag_id> tags(program.graphs.size(), none<tag_id>);
  vector<graph_id> open;
  const auto is_part = [&](tag_id id) { return id != none<tag_id> && program[id].order != tag{}.order; };
  for (const auto& record : program.nodes) {
    if (!is_part(record.tag)) continue;
    for (const auto inner : program.subgraphs_of(record)) {
      tags[index(inner)] = record.tag;
      open.push_back(inner);
    }
  }
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    for (const auto& record : program.nodes_of(program[id])) {
      for (const auto inner : program.subgraphs_of(record)) {
        if (tags[index(inner)] == tags[index(id)]) continue;
        tags[index(inner)] = tags[index(id)];
        open.push_back(inner);
      }
    }
  }
  return tags;
}

/// The verdict of one node; `along` is the tag of the graph that it lies in.
template <operator_support Support, class WhyLeft>
constexpr auto verdict_of(const program_view& program, node_id id, tag_id along, const WhyLeft& why_left) -> node_verdict {
  const auto& record = program[id];
  node_verdict made;
  made.node = id;
  made.debug_handle = record.debug_handle;
  auto answer = Support::supports(program, record);
  made.is_supported = answer.accepted;
  const auto taker = along != none<tag_id> ? along : record.tag;
  made.is_taken = true;
  if (record.delegate != none<delegate_id>) {
    made.tag = join(program.text(program[record.delegate].name));
    made.backend = join(program.text(program[record.delegate].backend_id));
  } else if (taker != none<tag_id> && program[taker].order != tag{}.order) {
    made.tag = join(program.text(program[taker].name));
    made.backend = join(program.text(program[taker].backend_id));
  } else {
    made.is_taken = false;
    if (answer) made.reason = why_left(id);
    if (!answer) made.reason = std::move(answer.reason);
  }
  return made;
}

template <operator_support Support, class WhyLeft>
constexpr auto verdicts_by(const program_view& program, const WhyLeft& why_left) -> vector<node_verdict> {
  vector<node_verdict> made;
  made.reserve(program.nodes.size());
  const auto is_inside_delegate = graphs_inside_delegates(program);
  const auto tags = tags_of_graphs(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (is_inside_delegate[g] != 0) continue;
    const auto run = program.graphs[g].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) made.push_back(verdict_of<Support>(program, node_id{n}, tags[g], why_left));
  }
  return made;
}

}  // namespace detail

/// A verdict a node, in all graphs but those inside delegates, graph by graph: of a program as it is, of a tagged one (`tag_program`) or of
/// a lowered one.
template <operator_support Support>
constexpr auto verdicts_of(const program_view& program) -> vector<node_verdict> {
  return detail::verdicts_by<Support>(program, [](node_id) { return join(left_without_reason); });
}

/// The same of what a partitioner makes of a program; a supported node that it leaves has the partitioner's own reason, where it gives one
/// (`explaining_partitioner`). A node that a part takes along with a branch need not be supported. Errors: those of `tag_program`.
template <operator_support Support, partitioner Partitioner>
constexpr auto verdicts_of(const exported_program& program, const Partitioner& partitioner) -> result<vector<node_verdict>> {
  const auto tagged = tag_program(program, partitioner);
  if (!tagged) return tagged.error;
  return detail::verdicts_by<Support>(tagged.value, [&](node_id id) {
    if constexpr (explaining_partitioner<Partitioner>) {
      auto why = partitioner.why_left(tagged.value, id);
      if (!why.empty()) return why;
    }
    return join(left_without_reason);
  });
}

}  // namespace baton

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// Puts pieces in the place of tags that lie on cycles. Every piece has a level; what it uses of its cycle lies in itself or on lower
/// levels, so no path that leaves a piece comes back to it.
class cycle_splitter {
 public:
  constexpr explicit cycle_splitter(partition_result& parts)
      : parts_(parts),
        program_(parts.tagged_program),
        spec_of_(program_.tags.size(), nothing),
        open_(program_.tags.size(), nothing),
        extra_pieces_(program_.tags.size(), 0),
        maker_(program_.values.size(), nothing),
        unit_of_(program_.nodes.size(), nothing),
        place_(program_.nodes.size(), {nothing, 0}) {
    for (std::uint32_t i = 0; i < parts.partition_tags.size(); ++i) {
      if (const auto id = index(parts.partition_tags[i].first); id < spec_of_.size()) spec_of_[id] = i;
    }
  }

  constexpr void split(const graph& in) {
    first_ = in.nodes.first;
    end_ = first_ + in.nodes.size;
    find_cycles();
    pieces_.clear();
    for (auto n = first_; n < end_; ++n) {
      if (is_on_cycle(n)) place_node(n);
    }
    for (auto n = first_; n < end_; ++n) {
      if (place_[n].piece != nothing) program_.nodes[n].tag = pieces_[place_[n].piece].as;
    }
    for (const auto& made : pieces_) open_[made.tag] = nothing;
  }

 private:
  static constexpr std::uint32_t nothing = 0xffffffffu;
  struct piece {
    std::uint32_t tag = nothing;  ///< the tag that is split
    tag_id as = none<tag_id>;
    std::uint32_t level = 0;
    bool is_left = false;  ///< something else on the cycle uses it already: the level stays
  };
  struct place {
    std::uint32_t piece = nothing;
    std::uint32_t level = 0;  ///< of a node that is in no piece
  };

  /// The tag of a node, if it stands for something.
  constexpr auto tag_of(std::uint32_t n) const -> std::uint32_t {
    const auto id = static_cast<std::uint32_t>(program_.nodes[n].tag);
    return id < spec_of_.size() && spec_of_[id] != nothing ? id : nothing;
  }

  /// Calls `f` with the nodes of this graph that make what a node uses.
  template <class F>
  constexpr void for_each_used(std::uint32_t n, const F& f) const {
    for (const auto input : program_view(program_).inputs(program_.nodes[n])) {
      const auto used = input == none<value_id> ? nothing : maker_[index(input)];
      if (used != nothing && used >= first_ && used < end_) f(used);
    }
  }

  /// The nodes of a tag are one unit, any other node is one alone. Units that need one another lie on a cycle.
  constexpr void find_cycles() {
    std::uint32_t units = 0;
    for (auto n = first_; n < end_; ++n) {
      const auto tag = tag_of(n);
      unit_of_[n] = tag != nothing && open_[tag] != nothing ? open_[tag] : units++;
      if (tag != nothing) open_[tag] = unit_of_[n];
      for (const auto output : program_view(program_).outputs_of(program_.nodes[n])) maker_[index(output)] = n;
    }
    vector<std::pair<std::uint32_t, std::uint32_t>> uses;
    for (auto n = first_; n < end_; ++n) {
      if (const auto tag = tag_of(n); tag != nothing) open_[tag] = nothing;
      for_each_used(n, [&](std::uint32_t used) {
        if (unit_of_[used] != unit_of_[n]) uses.emplace_back(unit_of_[used], unit_of_[n]);
      });
    }
    cycle_of_unit_ = component_search(uses, units).run();
    units_on_.assign(units, 0);
    for (const auto cycle : cycle_of_unit_) units_on_[cycle] += 1;
  }
  constexpr auto cycle_of(std::uint32_t n) const -> std::uint32_t { return cycle_of_unit_[unit_of_[n]]; }
  constexpr auto is_on_cycle(std::uint32_t n) const -> bool { return units_on_[cycle_of(n)] > 1; }

  /// Nodes come in an order in which each comes after what it uses.
  constexpr void place_node(std::uint32_t n) {
    const auto tag = tag_of(n);
    const auto open = tag == nothing ? nothing : open_[tag];
    auto& here = place_[n];
    std::uint32_t above_others = 0;  // the lowest level for a piece that takes this node, if it is the open one
    for_each_used(n, [&](std::uint32_t used) {
      if (cycle_of(used) != cycle_of(n)) return;
      const auto level = level_of(used) + (tag == nothing ? 0 : 1);
      here.level = std::max(here.level, level);
      if (tag == nothing || place_[used].piece != open) above_others = std::max(above_others, level);
    });
    if (tag != nothing) here.piece = may_take(open, above_others) ? open : new_piece(tag, here.level);
    for_each_used(n, [&](std::uint32_t used) {
      const auto from = place_[used].piece;
      if (cycle_of(used) == cycle_of(n) && from != nothing && from != here.piece) pieces_[from].is_left = true;
    });
  }
  constexpr auto level_of(std::uint32_t n) const -> std::uint32_t {
    return place_[n].piece == nothing ? place_[n].level : pieces_[place_[n].piece].level;
  }

  /// Whether a piece is on a level or can still be lifted there.
  constexpr auto may_take(std::uint32_t open, std::uint32_t level) -> bool {
    if (open == nothing) return false;
    auto& taker = pieces_[open];
    if (!taker.is_left) taker.level = std::max(taker.level, level);
    return taker.level >= level;
  }

  /// The first piece of a tag in a graph keeps the tag, further ones are called `<tag>_1` and so on.
  constexpr auto new_piece(std::uint32_t tag, std::uint32_t level) -> std::uint32_t {
    auto as = static_cast<tag_id>(tag);
    if (open_[tag] != nothing) {
      const auto name = join(program_view(program_).text(program_.tags[tag].name), "_", ++extra_pieces_[tag]);
      as = parts_.add_tag(view(name), delegation_spec(parts_.partition_tags[spec_of_[tag]].second));
    }
    open_[tag] = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back({tag, as, level, false});
    return open_[tag];
  }

  partition_result& parts_;
  exported_program& program_;
  vector<std::uint32_t> spec_of_;       ///< by tag
  vector<std::uint32_t> open_;          ///< by tag: its unit, then its last piece, in this graph
  vector<std::uint32_t> extra_pieces_;  ///< by tag, how many have names of their own
  vector<std::uint32_t> maker_;         ///< by value
  vector<std::uint32_t> unit_of_;       ///< by node
  vector<place> place_;                 ///< by node
  vector<std::uint32_t> cycle_of_unit_;
  vector<std::uint32_t> units_on_;  ///< by cycle
  vector<piece> pieces_;
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace detail

/// A partitioner that does as another one does and splits its parts where they would form a cycle; parts on no cycle stay as they are:
/// `baton::split_cycles<my_partitioner>`. The first piece of a tag keeps it, further ones have tags `<tag>_1` and so on, and the same
/// spec. For groups made by hand or by another tool; `by_support` and the partitioners built on it form no cycle. Greedy, linear: pieces
/// may be more than the fewest (`tests/properties/split_cycles_test.cpp` tells how many). Data that one part alone may own
/// (`data_sharing::own`, mutable buffers) is not split. Errors: the partitioner's own.
template <partitioner Partitioner>
struct split_cycles {
  [[no_unique_address]] Partitioner partitioner{};

  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> made = partitioner.partition(program);
    if (!made) return made;
    detail::cycle_splitter splitter(made.value);
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) splitter.split(program.graphs[g]);
    return made;
  }

  constexpr auto why_left(const program_view& program, node_id id) const -> text_buffer
    requires explaining_partitioner<Partitioner>
  {
    return partitioner.why_left(program, id);
  }

  constexpr auto keeps_whole(const program_view& program, const node& of) const -> bool
    requires keeps_operators<Partitioner>
  {
    return partitioner.keeps_whole(program, of);
  }
};

}  // namespace baton

// ---- baton/partition/translation_table.hpp

// One table for what a backend supports and what it compiles: a row an operator, with the function that translates its nodes.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// What a backend makes of one node, or why it makes nothing of it. An instruction is any type of the backend's own that has a default.
template <class Instruction>
struct translation {
  verdict found{};
  Instruction made{};
};

namespace detail {

template <class>
struct translated {
  static constexpr bool is_one = false;
  using instruction = void;
};
template <class Instruction>
struct translated<translation<Instruction>> {
  static constexpr bool is_one = true;
  using instruction = Instruction;
};

template <class Function>
struct translated_by : translated<void> {};
template <class Function>
  requires std::invocable<const Function&, const program_view&, const node&>
struct translated_by<Function> : translated<std::invoke_result_t<const Function&, const program_view&, const node&>> {};

}  // namespace detail

/// A row of a `translation_table`: an operator, and the function that translates a node of it or refuses it with a reason.
/// `Translate` is a function, or a lambda that captures nothing: `(const program_view&, const node&) -> translation<Instruction>`.
template <fixed_string Operator, auto Translate>
struct translates {
  static_assert(
      detail::translated_by<decltype(Translate)>::is_one,
      "baton not_a_translation: a row of a translation_table has a function that translates a node; write: constexpr auto f(const "
      "baton::program_view& program, const baton::node& node) -> baton::translation<my_instruction>");
  using instruction = typename detail::translated_by<decltype(Translate)>::instruction;

  static constexpr std::uint64_t op = hash_of(Operator);
  static constexpr auto translate(const program_view& program, const node& candidate) -> translation<instruction> {
    return Translate(program, candidate);
  }
};

/// An operator support that supports a node by translating it, and gives the translation to `preprocess` (`translate_part` does it for a
/// whole part): what is supported compiles, for it is the same function. An operator may have several rows, asked from first to last: the
/// first that accepts counts, and where none does, all their reasons stand side by side. An operator without a row is named.
/// Law: a row that accepts a node of a program accepts it within a part, where constants that the part does not own are user inputs
/// without data; so a row that needs their data belongs to a partitioner that tags them.
template <class First, class... Others>
struct translation_table {
  using instruction = typename First::instruction;
  static_assert((std::is_same_v<instruction, typename Others::instruction> && ...),
                "baton not_a_translation: all rows of a translation_table make one type of instruction; give them one, a std::variant "
                "where they differ");

  static constexpr auto translate(const program_view& program, const node& candidate) -> translation<instruction> {
    translation<instruction> answer;
    if (try_row<First>(answer, program, candidate) || (try_row<Others>(answer, program, candidate) || ...)) return answer;
    if (answer.found.reason.empty()) answer.found = refuse("no translation of ", program.text(candidate.target));
    return answer;
  }
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return translate(program, candidate).found;
  }

 private:
  /// Whether a row accepts; the answer is then its own. The reason of one that refuses joins those before it.
  template <class Row>
  static constexpr auto try_row(translation<instruction>& answer, const program_view& program, const node& candidate) -> bool {
    if (candidate.op != Row::op) return false;
    auto made = Row::translate(program, candidate);
    if (made.found) {
      answer = std::move(made);
      return true;
    }
    auto& reason = answer.found.reason;
    if (!reason.empty()) append(reason, "; ");
    append(reason, made.found.reason.empty() ? "refused without a reason" : view(made.found.reason));
    return false;
  }
};

}  // namespace baton

// ---- baton/lower/assemble.hpp

// Puts delegate calls in the places of parts.

// ---- baton/lower/contracted_graph.hpp

// A graph in which every part is one node: the order of what lowering leaves, and the cycles that a tag would make.

// ---- baton/lower/part.hpp

// A part: the nodes of one graph with one tag. Finds the parts and their borders, and cuts each out as a program of its own.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace baton {

/// Which part: the nodes of this graph that carry this tag.
struct part_id {
  graph_id graph{0};
  tag_id tag{0};
};

/// What crosses the border of a part, as values of the owning program.
struct part_outline {
  part_id id;
  vector<node_id> nodes;       ///< in graph order
  vector<value_id> owned;      ///< tagged owned data: parameters, buffers, then constants, each as the graph has them
  vector<value_id> arguments;  ///< what the call is given, in the order of first use
  vector<value_id> mutations;  ///< values written to buffers that the part owns, in graph order
  vector<byte_ref> mutated;    ///< of each of them, the buffer's fully qualified name
  vector<value_id> outputs;    ///< values used outside the part, in graph order
};

namespace detail {

/// The failure, said of a tag and its backend.
constexpr auto with_tag_of(failure why, const program_view& program, tag_id id) -> failure {
  why.tag = join(program.text(program[id].name));
  why.backend = join(program.text(program[id].backend_id));
  return why;
}

/// Whether a graph has nodes that a part takes.
constexpr auto has_parts(const program_view& program, const graph& g) -> bool {
  const auto nodes = program.nodes_of(g);
  return std::any_of(nodes.begin(), nodes.end(), [&](const node& record) { return has_spec(program, record.tag); });
}

/// For each graph, whether its parts count: not what lies within a lowered module, nor a branch of a node that belongs to a part itself.
constexpr auto graphs_with_parts(const program_view& program) -> vector<char> {
  vector<char> counts(program.graphs.size(), 1);
  for (const auto& record : program.nodes) {
    for (const auto g : program.subgraphs_of(record)) counts[index(g)] = 0;
  }
  for (const auto& module : program.delegates) counts[index(module.original)] = 0;
  vector<graph_id> open;
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
constexpr auto parts_of(const program_view& program) -> vector<part_id> {
  vector<part_id> parts;
  vector<char> seen(program.tags.size(), 0);
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

namespace detail {

/// Finds the borders of parts, graph by graph, in time linear in the program, however many parts there are. A value belongs to one graph,
/// so what is noted of values needs no clearing between graphs.
class outline_finder {
 public:
  constexpr outline_finder(const program_view& program, std::span<const part_id> parts)
      : program_(program),
        place_of_tag_(program.tags.size(), no_part),
        maker_(program.values.size(), no_part),
        roles_(program.values.size(), 0),
        lister_(program.values.size(), no_part) {
    outlines_.reserve(parts.size());
    for (const auto& id : parts) outlines_.push_back({id, {}, {}, {}, {}, {}, {}});
  }

  constexpr auto run() -> vector<part_outline> {
    std::uint32_t end = 0;
    for (std::uint32_t begin = 0; begin < outlines_.size(); begin = end) {
      while (end < outlines_.size() && outlines_[end].id.graph == outlines_[begin].id.graph) ++end;
      visit_graph(begin, end);
    }
    return std::move(outlines_);
  }

 private:
  constexpr void visit_graph(std::uint32_t begin, std::uint32_t end) {
    graph_ = program_[outlines_[begin].id.graph];
    for (auto place = begin; place < end; ++place) place_of_tag_[index(outlines_[place].id.tag)] = place;
    own(value_kind::parameter, value_kind::parameter);
    own(value_kind::buffer, value_kind::mutable_buffer);
    own(value_kind::constant, value_kind::constant);
    visit_nodes();
    for (const auto& spec : program_.outputs_of(graph_)) visit_output(spec);
    for (auto place = begin; place < end; ++place) {
      list_arguments(place);
      list_outputs(outlines_[place]);
    }
    for (auto place = begin; place < end; ++place) place_of_tag_[index(outlines_[place].id.tag)] = no_part;
  }

  static constexpr std::uint32_t no_part = 0xffffffffu;
  enum role : char { used_outside = 1, mutates = 2 };

  constexpr auto place_of(tag_id id) const -> std::uint32_t { return id == none<tag_id> ? no_part : place_of_tag_[index(id)]; }
  constexpr void add_role(value_id id, role added) { roles_[index(id)] = static_cast<char>(roles_[index(id)] | added); }
  constexpr auto has_role(value_id id, role asked) const -> bool { return (roles_[index(id)] & asked) != 0; }

  constexpr void own(value_kind one, value_kind other) {
    for (const auto input : program_.inputs(graph_)) {
      const auto place = place_of(program_[input].tag);
      if (place == no_part || (program_[input].kind != one && program_[input].kind != other)) continue;
      outlines_[place].owned.push_back(input);
      maker_[index(input)] = place;
    }
  }

  // What makes a value stands before what uses it.
  constexpr void visit_nodes() {
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto& record = program_.nodes[n];
      const auto place = place_of(record.tag);
      for (const auto input : program_.inputs(record)) {
        if (input != none<value_id> && maker_[index(input)] != place) add_role(input, used_outside);
      }
      if (place == no_part) continue;
      outlines_[place].nodes.push_back(static_cast<node_id>(n));
      for (const auto output : program_.outputs_of(record)) maker_[index(output)] = place;
    }
  }

  constexpr void visit_output(const output_spec& spec) {
    const bool is_mutation = mutates_data_of_its_part(spec);
    add_role(spec.value, is_mutation ? mutates : used_outside);
    if (!is_mutation) return;
    targets_.resize(program_.values.size(), byte_ref{});
    targets_[index(spec.value)] = spec.target;
  }
  constexpr auto mutates_data_of_its_part(const output_spec& spec) const -> bool {
    const auto place = maker_[index(spec.value)];
    if (spec.kind != output_kind::buffer_mutation || place == no_part) return false;
    const auto& owned = outlines_[place].owned;
    return std::any_of(owned.begin(), owned.end(), [&](value_id id) {
      return program_[id].kind == value_kind::mutable_buffer && program_.text(program_[id].target) == program_.text(spec.target);
    });
  }

  // One part after the other, so that a value needs to remember only the last part that listed it.
  constexpr void list_arguments(std::uint32_t place) {
    for (const auto id : outlines_[place].nodes) {
      for (const auto input : program_.inputs(program_[id])) {
        if (input == none<value_id> || maker_[index(input)] == place || lister_[index(input)] == place) continue;
        lister_[index(input)] = place;
        outlines_[place].arguments.push_back(input);
      }
    }
  }

  constexpr void list_outputs(part_outline& part) const {
    for (const auto id : part.nodes) {
      for (const auto output : program_.outputs_of(program_[id])) {
        if (has_role(output, mutates)) {
          part.mutations.push_back(output);
          part.mutated.push_back(targets_[index(output)]);
        }
        if (has_role(output, used_outside)) part.outputs.push_back(output);
      }
    }
  }

  program_view program_;
  graph graph_{};
  vector<std::uint32_t> place_of_tag_;
  vector<std::uint32_t> maker_;   ///< by value: the place of the part that makes or owns it
  vector<char> roles_;            ///< by value
  vector<byte_ref> targets_;      ///< by value that mutates: the buffer's name
  vector<std::uint32_t> lister_;  ///< by value: the last part that listed it as an argument
  vector<part_outline> outlines_;
};

}  // namespace detail

/// Where parts begin and end, in the order of the parts; those of one graph stand side by side, as `parts_of` gives them. Linear in the
/// program, however many parts there are.
constexpr auto outlines(const program_view& program, std::span<const part_id> parts) -> vector<part_outline> {
  if (parts.empty()) return {};
  return detail::outline_finder(program, parts).run();
}

/// Where a part begins and ends.
constexpr auto outline(const program_view& program, part_id id) -> part_outline {
  return std::move(outlines(program, std::span{&id, 1}).front());
}

namespace detail {

/// Cuts parts out of one program, one after the other, with tables of the program's size made once.
class part_cutter {
 public:
  constexpr part_cutter(const program_view& program, source_bytes bytes) : program_(program), copier_(program, to_, bytes) {}

  constexpr auto cut(const part_outline& part) -> result<exported_program> {
    if (part.outputs.empty() && part.mutations.empty()) {
      return with_tag_of(locate(broken<rule::part_without_outputs>(), program_, part.nodes.front()), program_, part.id.tag);
    }
    to_ = program_builder{};
    copier_.begin_again();
    for (const auto owned : part.owned) copier_.copy_input(owned);
    for (const auto argument : part.arguments) {
      auto record = copier_.record_of(argument);
      record.kind = value_kind::user_input;
      record.data = {};
      record.target = {};
      copier_.replace(argument, to_.add_input(record));
    }
    for (const auto id : part.nodes) copier_.copy_node(id);
    for (std::size_t i = 0; i < part.mutations.size(); ++i) {
      to_.add_output({output_kind::buffer_mutation, copier_.copy_of(part.mutations[i]), copier_.copy(part.mutated[i])});
    }
    for (const auto output : part.outputs) to_.output(copier_.copy_of(output));
    return to_.finish();
  }

 private:
  program_view program_;
  program_builder to_;
  program_copier copier_;
};

}  // namespace detail

/// A part as a program of its own. Placeholders: owned parameters, buffers and constants, then the arguments as user inputs.
/// Outputs: mutations of owned buffers, then what is used outside, flat. Names, debug handles and quantization are those of the owner.
/// With `source_bytes::kept`, texts and data stay where the owner, which must then outlive the part, has them.
/// Errors: `part_without_outputs`.
constexpr auto extract(const program_view& program, const part_outline& part, source_bytes bytes = source_bytes::copied)
    -> result<exported_program> {
  return detail::part_cutter(program, bytes).cut(part);
}

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// Tables of a program's size that every contracted graph of it needs, made once for all.
struct contraction_tables {
  static constexpr std::uint32_t nothing = 0xffffffffu;

  vector<std::uint32_t> maker;        ///< by value: the node that makes it
  vector<std::uint32_t> unit_of_tag;  ///< by tag: `nothing` between two graphs

  constexpr explicit contraction_tables(const program_view& program)
      : maker(program.values.size(), nothing),
        unit_of_tag(program.tags.size(), nothing) {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      for (const auto output : program.outputs_of(program.nodes[n])) maker[index(output)] = n;
    }
  }
};

/// Kahn's algorithm over a graph whose parts count as one node each; what cannot be placed lies on a cycle, or behind one.
class contracted_graph {
 public:
  constexpr contracted_graph(const program_view& program, graph_id id, contraction_tables& tables)
      : program_(program),
        graph_(program[id]) {
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      const auto tag = node_at(n).tag;
      auto unit = has_spec(program, tag) ? tables.unit_of_tag[index(tag)] : no_unit;
      if (unit == no_unit) {
        unit = static_cast<std::uint32_t>(last_.size());
        last_.push_back(n);
        if (has_spec(program, tag)) tables.unit_of_tag[index(tag)] = unit;
      }
      last_[unit] = n;
      unit_.push_back(unit);
    }
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      if (const auto tag = node_at(n).tag; has_spec(program, tag)) tables.unit_of_tag[index(tag)] = no_unit;
    }
    connect(tables.maker);
  }

  /// The units in an order in which each comes after all it depends on, close to that of the graph: a unit is told by its last node.
  /// Shorter than the number of units if there is a cycle.
  constexpr auto order() -> vector<node_id> {
    vector<node_id> placed;
    vector<std::uint32_t> ready;  // a heap: the unit whose last node is earliest comes first
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

  /// A shortest cycle through parts, as the nodes of the program along it: each uses what the one before makes, from part to part or node;
  /// empty if there is none.
  constexpr auto cycle(const vector<std::uint32_t>& maker) const -> vector<item_use> {
    vector<item_use> uses;
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto input : program_.inputs(node_at(n))) {
        if (const auto made_by = maker_in_graph(maker, input); made_by != no_unit) uses.emplace_back(made_by, n);
      }
    }
    auto found = cycle_finder(uses, unit_, units()).shortest();
    for (auto& [from, to] : found) {
      from += graph_.nodes.first;
      to += graph_.nodes.first;
    }
    return found;
  }

  /// The failure that names the tag and the whole path of a cycle that is there.
  constexpr auto cycle_failure(const vector<std::uint32_t>& maker) const -> failure {
    const auto found = cycle(maker);
    const auto name = [this](std::uint32_t n) { return program_.text(program_.nodes[n].name); };
    const auto tag = [this](std::uint32_t n) {
      const auto id = program_.nodes[n].tag;
      return has_spec(program_, id) ? program_.text(program_[id].name) : std::string_view{};
    };
    auto why = broken<rule::dependency_cycle>(view(told_cycle(found, name, tag)));
    const auto first = found.front().first;
    return with_tag_of(locate(std::move(why), program_, static_cast<node_id>(first)), program_, program_.nodes[first].tag);
  }

 private:
  static constexpr std::uint32_t no_unit = contraction_tables::nothing;

  constexpr auto node_at(std::uint32_t n) const -> const node& { return program_.nodes[graph_.nodes.first + n]; }

  /// The place in this graph of the node that makes an operand; `no_unit`: none makes it here.
  constexpr auto maker_in_graph(const vector<std::uint32_t>& maker, value_id input) const -> std::uint32_t {
    const auto made_by = input == none<value_id> ? no_unit : maker[index(input)];
    const bool is_here = made_by >= graph_.nodes.first && made_by - graph_.nodes.first < graph_.nodes.size;
    return is_here ? made_by - graph_.nodes.first : no_unit;
  }

  // Edges from unit to unit, as a compressed list; a pair may stand there more than once.
  constexpr void connect(const vector<std::uint32_t>& maker) {
    waiting_.assign(last_.size(), 0);
    first_edge_.assign(last_.size() + 1, 0);
    vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto input : program_.inputs(node_at(n))) {
        const auto made_by = maker_in_graph(maker, input);
        if (made_by == no_unit) continue;
        const auto from = unit_[made_by];
        if (from == unit_[n]) continue;
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
  vector<std::uint32_t> unit_;  ///< by node
  vector<std::uint32_t> last_;  ///< by unit: its last node
  vector<std::uint32_t> waiting_;
  vector<std::uint32_t> first_edge_;
  vector<std::uint32_t> targets_;
};

}  // namespace baton::detail

// ---- baton/lower/lowered_module.hpp

// The lowered module: what a backend made of a program, read from wherever it lies.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

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
  /// Its place in `program()`.
  constexpr auto id() const -> delegate_id { return id_; }

  constexpr auto compile_specs() const -> std::span<const compile_spec_ref> {
    return program_.compile_specs.subspan(record().compile_specs.first, record().compile_specs.size);
  }
  constexpr auto debug_handle_map() const -> std::span<const mapping_entry> {
    return program_.mappings.subspan(record().debug_map.first, record().debug_map.size);
  }
  /// What it finds by key while it runs.
  constexpr auto named_data() const -> std::span<const named_data_ref> {
    return program_.named_data.subspan(record().named_data.first, record().named_data.size);
  }
  /// What the backend tells about it to tools; empty if nothing.
  constexpr auto delegate_info() const -> std::string_view { return program_.text(record().info); }
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

/// The lowered modules that the nodes of a graph call, in graph order, each once; of the root graph unless another is given. With
/// `reach::branches` those of its branches follow, with `reach::delegates` also those that lie within lowered modules.
constexpr auto delegates(const program_view& program, graph_id of = graph_id{0}, reach how_far = reach::graph)
    -> vector<lowered_module_view> {
  vector<lowered_module_view> found;
  vector<char> seen(program.delegates.size(), 0);
  for (const auto id : nested_graphs(program, of, how_far)) {
    for (const auto& record : program.nodes_of(program[id])) {
      if (record.delegate == none<delegate_id> || seen[index(record.delegate)] != 0) continue;
      seen[index(record.delegate)] = 1;
      found.emplace_back(program, record.delegate);
    }
  }
  return found;
}

/// The nodes of the root graph that are no delegate calls, in order; with `reach::branches` also those of its branches.
constexpr auto non_lowered_nodes(const program_view& program, reach how_far = reach::graph) -> vector<node_id> {
  vector<node_id> found;
  for (const auto id : nested_graphs(program, graph_id{0}, how_far)) {
    const auto run = program[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) {
      if (program.nodes[n].delegate == none<delegate_id>) found.push_back(static_cast<node_id>(n));
    }
  }
  return found;
}

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

namespace detail {

class assembler {
 public:
  constexpr assembler(const program_view& tagged, std::span<const part_id> parts, std::span<const lowered_module_view> lowered,
                      source_bytes bytes)
      : tagged_(tagged),
        lowered_(lowered),
        bytes_(bytes),
        copier_(tagged, to_, bytes),
        tables_(tagged),
        outlines_(outlines(tagged, parts)),
        number_of_(tagged.nodes.size(), 0),
        leaves_(tagged.values.size(), 0),
        visited_(tagged.graphs.size(), 0),
        rewritten_(tagged.graphs.size(), none<graph_id>) {
    for (const auto& record : tagged.nodes) next_handle_ = std::max(next_handle_, record.debug_handle);
    mark_graphs_of_delegates();
    mark_parts();
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

  constexpr void mark_parts() {
    for (std::size_t number = 0; number < outlines_.size(); ++number) {
      for (const auto id : outlines_[number].nodes) number_of_[index(id)] = static_cast<std::uint32_t>(number);
      for (const auto owned : outlines_[number].owned) leaves_[index(owned)] = 1;
      for (const auto mutation : outlines_[number].mutations) leaves_[index(mutation)] = 1;
    }
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
    for (const auto input : tagged_.inputs(tagged_[id])) {
      if (leaves_[index(input)] != 0) continue;
      copier_.place_data(input, data_of(input));
      copier_.copy_input(input);
    }
    call_counts counts;
    for (const auto at : order_of(id)) {
      if (const auto tag = tagged_[at].tag; has_spec(tagged_, tag)) {
        add_call(number_of_[index(at)], here);
      } else {
        copier_.copy_node(at, [this](graph_id subgraph) { return rewrite(subgraph); });
        to_.enter(here);
      }
      if (to_.latest_node().delegate != none<delegate_id>) name_call(counts);
    }
    for (const auto& spec : tagged_.outputs_of(tagged_[id])) {
      if (spec.kind == output_kind::buffer_mutation && leaves_[index(spec.value)] != 0) continue;
      to_.add_output({spec.kind, copier_.copy_of(spec.value), copier_.copy(spec.target)});
    }
  }

  constexpr auto order_of(graph_id id) -> vector<node_id> {
    const auto run = tagged_[id].nodes;
    if (has_parts(tagged_, tagged_[id])) return contracted_graph(tagged_, id, tables_).order();
    vector<node_id> order;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) order.push_back(static_cast<node_id>(n));
    return order;
  }

  constexpr void add_call(std::uint32_t number, graph_id here) {
    const auto& part = outlines_[number];
    const auto& lowered = lowered_[number];
    vector<value_id> arguments;
    vector<value_id> outputs;
    for (const auto argument : part.arguments) arguments.push_back(copier_.copy_of(argument));
    for (const auto output : part.outputs) outputs.push_back(copier_.copy_value(output));
    vector<byte_ref> data;
    for (const auto owned : part.owned) data.push_back(data_of(owned));
    auto record = to_.make_node(call_delegate.text, call_delegate.text);
    record.debug_handle = ++next_handle_;
    record.delegate = copier_.copy_delegate(lowered.program(), lowered.id(), data);
    to_.enter(here);
    to_.add_node(record, arguments, outputs);
  }

  /// The bytes of owned data in the target. Bytes that several placeholders share are copied once.
  constexpr auto data_of(value_id id) -> byte_ref {
    const auto& data = tagged_[id].data;
    if (data.size == 0 || data.outside != nullptr || bytes_ == source_bytes::kept) return copier_.copy(data);
    const auto earlier = [](const placed_bytes& placed, const byte_ref& wanted) {
      return placed.source.first != wanted.first ? placed.source.first < wanted.first : placed.source.size < wanted.size;
    };
    const auto place = std::lower_bound(placed_.begin(), placed_.end(), data, earlier);
    if (place != placed_.end() && place->source.first == data.first && place->source.size == data.size) return place->target;
    return placed_.insert(place, {data, copier_.copy(data)})->target;
  }

  struct call_counts {
    std::uint32_t calls = 0;
    std::uint32_t modules = 0;
  };

  /// Lowered modules and their calls are numbered in graph order; a module that is called again keeps its number.
  constexpr void name_call(call_counts& counts) {
    auto& record = to_.latest_node();
    const auto number = counts.calls++;
    record.name = number == 0 ? to_.own(call_delegate.text) : to_.own(view(join(call_delegate.text, "_", number)));
    if (index(record.delegate) < is_named_.size() && is_named_[index(record.delegate)] != 0) return;
    is_named_.resize(to_.draft().delegates.size(), 0);
    is_named_[index(record.delegate)] = 1;
    to_.draft().delegates[index(record.delegate)].name = to_.own(view(join("lowered_module_", counts.modules++)));
  }

  program_view tagged_;
  std::span<const lowered_module_view> lowered_;
  source_bytes bytes_;
  program_builder to_;
  program_copier copier_;
  contraction_tables tables_;
  vector<part_outline> outlines_;
  vector<std::uint32_t> number_of_;  ///< by node of a part: the part's number
  vector<char> leaves_;              ///< by value: whether it is data of a part, or mutates such data
  vector<char> visited_;
  vector<graph_id> rewritten_;
  struct placed_bytes {
    byte_ref source;
    byte_ref target;
  };
  vector<placed_bytes> placed_;  ///< by place in the source
  vector<char> is_named_;
  std::uint32_t next_handle_ = 0;
};

/// The program as it is, without its tags.
constexpr auto untagged(const program_view& program) -> exported_program {
  auto copy = thaw(program);
  for (auto& record : copy.graphs) record.output_tag = none<tag_id>;
  for (auto& record : copy.nodes) record.tag = none<tag_id>;
  for (auto& record : copy.values) {
    record.tag = none<tag_id>;
    record.sharing = value{}.sharing;
  }
  copy.tags.clear();
  return copy;
}

}  // namespace detail

/// The tagged program with a delegate call in the place of every part; `lowered[i]` is what became of `parts[i]`.
/// With `source_bytes::kept`, texts and blobs stay where the sources, which must then outlive the result, have them.
/// Data that a part owns leaves the program, tags are gone everywhere, and each call has a debug handle of its own.
constexpr auto assemble(const program_view& tagged, std::span<const part_id> parts, std::span<const lowered_module_view> lowered,
                        source_bytes bytes = source_bytes::copied) -> exported_program {
  // Nothing to replace: not even the order of records changes.
  if (parts.empty()) return detail::untagged(tagged);
  return detail::assembler(tagged, parts, lowered, bytes).run();
}

}  // namespace baton

// ---- baton/lower/backend.hpp

// The backend concept: what turns a part of a program into a blob, and runs the blob where it can.

// ---- baton/lower/by_method.hpp

// What a backend is given of several methods at once, and what it gives back.

#include <string_view>

namespace baton {

/// Something for every part of several methods: `by_method<exported_program>` the parts, `by_method<compile_specs>` what their backend is
/// told of each, `by_method<preprocess_result>` what it makes of each. Methods stand in the order in which they came.
template <class T>
struct by_method {
  struct entry {
    text_buffer method;
    vector<T> parts;
  };
  vector<entry> entries;

  /// The list of a method, which is added if it is not there.
  constexpr auto operator[](std::string_view method) -> vector<T>& {
    for (auto& candidate : entries) {
      if (view(candidate.method) == method) return candidate.parts;
    }
    entries.push_back({join(method), {}});
    return entries.back().parts;
  }
  /// The list of a method, null if it is not there.
  constexpr auto find(std::string_view method) const -> const vector<T>* {
    for (const auto& candidate : entries) {
      if (view(candidate.method) == method) return &candidate.parts;
    }
    return nullptr;
  }

  constexpr auto begin() const { return entries.begin(); }
  constexpr auto end() const { return entries.end(); }
};

}  // namespace baton

// ---- baton/lower/named_data.hpp

// The named data store: bytes that delegates find by key while they run, equal ones stored once.

// ---- baton/lower/tensor_layout.hpp

// How the elements of a dense tensor stand in memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// The layout of a dense tensor: every element stands once, without gaps, in some order of the dimensions.
struct tensor_layout {
  dtype type = dtype::float32;
  vector<std::int64_t> sizes;
  vector<std::int64_t> dim_order;  ///< the dimensions, outermost first: 0, 1, 2, 3 row by row, 0, 2, 3, 1 with the channels inside

  friend constexpr auto operator==(const tensor_layout&, const tensor_layout&) -> bool = default;
};

/// The layout of a tensor that lies row by row.
constexpr auto row_major_layout(dtype type, std::span<const std::int64_t> sizes) -> tensor_layout {
  tensor_layout layout{type, {sizes.begin(), sizes.end()}, {}};
  for (std::size_t i = 0; i < sizes.size(); ++i) layout.dim_order.push_back(static_cast<std::int64_t>(i));
  return layout;
}

/// The layout of a tensor with these strides, in elements. Dimensions stand by falling stride, and as they are where strides are equal.
/// Error: `malformed_layout` where it is not dense.
constexpr auto layout_of_strides(dtype type, std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides)
    -> result<tensor_layout> {
  if (sizes.size() != strides.size()) return broken<rule::malformed_layout>(sizes.size(), " sizes, ", strides.size(), " strides");
  auto layout = row_major_layout(type, sizes);
  const auto stride = [&](std::int64_t dimension) { return strides[static_cast<std::size_t>(dimension)]; };
  std::sort(layout.dim_order.begin(), layout.dim_order.end(),
            [&](std::int64_t a, std::int64_t b) { return stride(a) != stride(b) ? stride(a) > stride(b) : a < b; });
  const auto count = element_count(sizes);
  if (count < 0) return broken<rule::malformed_layout>("a size is negative, or the tensor too large");
  std::int64_t dense = 1;
  for (std::size_t i = sizes.size(); i-- > 0 && count != 0;) {
    const auto dimension = layout.dim_order[i];
    const auto size = sizes[static_cast<std::size_t>(dimension)];
    if (size != 1 && stride(dimension) != dense) {
      return broken<rule::malformed_layout>("dimension ", dimension, " has stride ", stride(dimension), ", not ", dense);
    }
    dense *= size;
  }
  return layout;
}

/// A layout as text: `float32[2, 3] order [1, 0]`.
constexpr auto print(const tensor_layout& layout) -> text_buffer {
  auto text = join(facts(layout.type).name);
  const auto list = [&](const vector<std::int64_t>& numbers) {
    append(text, "[");
    for (std::size_t i = 0; i < numbers.size(); ++i) append(append(text, i == 0 ? "" : ", "), numbers[i]);
    append(text, "]");
  };
  list(layout.sizes);
  append(text, " order ");
  list(layout.dim_order);
  return text;
}

}  // namespace baton

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// A tensor as named data: its storage in the order of memory, and how the elements stand in it. Without strides it lies row by row.
struct tensor_data {
  std::span<const char> bytes;
  dtype type = dtype::float32;
  std::span<const std::int64_t> sizes;
  std::span<const std::int64_t> strides{};  ///< in elements
};

/// How named data is kept.
struct named_data_options {
  std::int64_t alignment = 1;             ///< of the first byte, as its reader needs it
  std::string_view external_tag{};        ///< the file outside the program that holds it; empty: the program holds it
  std::optional<tensor_layout> layout{};  ///< what a tensor has by itself
};

/// A key of a store and what it stands for.
struct named_data_entry {
  text_buffer key;
  std::uint32_t buffer = 0;  ///< place of its bytes in the store
  std::uint32_t alignment = 1;
  text_buffer external_tag;  ///< empty: the program holds the bytes
  std::optional<tensor_layout> layout;

  friend constexpr auto operator==(const named_data_entry&, const named_data_entry&) -> bool = default;
};

namespace detail {

class named_data_sharding;

/// Types that are bytes without a doubt: a raw array or pointer of characters may be text, which ends at a zero, or memory, which does not.
template <class T>
concept bytes_without_doubt = !std::is_array_v<T> && !std::is_pointer_v<T> &&
                              (std::convertible_to<const T&, std::string_view> || std::convertible_to<const T&, std::span<const char>>);

}  // namespace detail

/// A store of named data, which a backend fills and returns with its blob. A key stands once; equal bytes of several keys are one buffer.
/// Keys in two parts of one program that mean different bytes are a mistake, found when the program is assembled: `add_by_content` makes
/// keys that cannot disagree. After an error the store is as it was.
class named_data_store {
 public:
  /// Adds bytes that the store keeps a copy of: a span of `char`, a `string_view`, a `vector` or `array` of `char`, or a `tensor_data`.
  /// A key that is there already with the same bytes stays as it is.
  /// Errors: `malformed_alignment`, `conflicting_named_data`, and of a tensor `malformed_layout`, `malformed_data`, `conflicting_layout`.
  template <class Data>
  [[nodiscard]] constexpr auto add(std::string_view key, const Data& data, const named_data_options& how = {}) -> failure {
    return add_data(key, data, how, keep::copy);
  }
  /// The same without a copy: the bytes stay where they are, in flash for example, and must outlive every program that has them. An image
  /// has them where they are if nobody asks for an alignment of them, which the compiler cannot know of foreign memory.
  template <class Data>
  [[nodiscard]] constexpr auto add_view(std::string_view key, const Data& data, const named_data_options& how = {}) -> failure {
    return add_data(key, data, how, keep::view);
  }
  /// Adds the data of a parameter, buffer or constant of a part under its fully qualified name, with its layout: where it is a view of the
  /// model it stays one.
  [[nodiscard]] constexpr auto add_value(const program_view& part, value_id id, const named_data_options& how = {}) -> failure {
    const auto& record = part[id];
    const tensor_data tensor{part.data(record.data), record.type, part.shape(id)};
    return add_data(part.text(record.target), tensor, how, record.data.outside != nullptr ? keep::view : keep::copy);
  }
  /// Adds a copy of bytes under a key made of a name and their content, and gives the key: parts that use one name for different bytes do
  /// not collide, and equal bytes of all parts are stored once. In the compiler it takes some five steps a byte.
  template <class Data>
  constexpr auto add_by_content(std::string_view name, const Data& data, const named_data_options& how = {}) -> result<text_buffer> {
    auto key = content_key(name, detail_bytes(data));
    if (auto why = add(baton::view(key), data, how)) return why;
    return key;
  }
  /// Adds what another store has, with alignments, tags and layouts; views stay views. Errors: those of `add`.
  [[nodiscard]] constexpr auto merge(const named_data_store& other) -> failure {
    auto merged = *this;
    for (const auto& entry : other.entries_) {
      const auto kept = other.buffers_[entry.buffer].outside != nullptr ? keep::view : keep::copy;
      const named_data_options how{entry.alignment, baton::view(entry.external_tag), entry.layout};
      if (auto why = merged.add_bytes(baton::view(entry.key), other.bytes(entry.buffer), how, kept)) return why;
    }
    *this = std::move(merged);
    return {};
  }

  /// `name`, a hash of the bytes and their count: equal keys of different bytes would need equal hashes of 64 bits, and are still refused.
  static constexpr auto content_key(std::string_view name, std::string_view bytes) -> text_buffer {
    constexpr std::size_t piece = 65'536;
    std::uint64_t hash = 14695981039346656037u;
    for (std::size_t at = 0; at < bytes.size(); at += piece) hash = hash_of(bytes.substr(at, piece), hash);
    auto key = join(name, "_");
    return append(append(append_hex(key, hash, 16), "_"), static_cast<std::int64_t>(bytes.size()));
  }

  /// The number of distinct buffers, which stand in the order of their first keys.
  constexpr auto buffer_count() const -> std::size_t { return buffers_.size(); }
  constexpr auto bytes(std::size_t buffer) const -> std::string_view {
    const auto& stored = buffers_[buffer];
    return stored.outside != nullptr ? std::string_view{stored.outside, stored.size} : baton::view(stored.own);
  }
  /// Whether a buffer's bytes lie outside the store.
  constexpr auto is_view(std::size_t buffer) const -> bool { return buffers_[buffer].outside != nullptr; }
  /// Where a buffer must begin so that all its keys are content: at multiples of their alignments' least common multiple.
  constexpr auto alignment(std::size_t buffer) const -> std::uint32_t { return buffers_[buffer].alignment; }

  /// All keys, in the order of their addition.
  constexpr auto entries() const -> const vector<named_data_entry>& { return entries_; }
  /// The entry of a key, null if there is none.
  constexpr auto find(std::string_view key) const -> const named_data_entry* {
    const auto place = place_of_key(key);
    return place < by_key_.size() && baton::view(entries_[by_key_[place]].key) == key ? &entries_[by_key_[place]] : nullptr;
  }
  /// The entries of a file outside the program, in order; without a tag, of the program.
  constexpr auto entries_in(std::string_view external_tag = {}) const -> vector<named_data_entry> {
    vector<named_data_entry> found;
    for (const auto& entry : entries_) {
      if (baton::view(entry.external_tag) == external_tag) found.push_back(entry);
    }
    return found;
  }
  /// The files outside the program, in the order of their first keys; valid until the store changes.
  constexpr auto external_tags() const -> vector<std::string_view> {
    vector<std::string_view> tags;
    for (const auto& entry : entries_) {
      const auto tag = baton::view(entry.external_tag);
      if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
    }
    return tags;
  }

 private:
  friend class detail::named_data_sharding;

  enum class keep : bool { view, copy };
  struct stored_bytes {
    const char* outside = nullptr;  ///< set: a view
    std::size_t size = 0;
    text_buffer own;
    std::uint32_t alignment = 1;
  };

  static constexpr auto hash_of(std::string_view text, std::uint64_t hash) -> std::uint64_t {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
  }
  template <class Data>
  static constexpr auto detail_bytes(const Data& data) -> std::string_view {
    if constexpr (std::same_as<Data, tensor_data>) {
      return {data.bytes.data(), data.bytes.size()};
    } else if constexpr (!detail::bytes_without_doubt<Data>) {
      rule::unsupported_named_data::report<baton::found<of_type<Data>>>();
      return {};
    } else if constexpr (std::convertible_to<const Data&, std::string_view>) {
      return data;
    } else {
      const std::span<const char> bytes = data;
      return {bytes.data(), bytes.size()};
    }
  }

  template <class Data>
  constexpr auto add_data(std::string_view key, const Data& data, const named_data_options& how, keep kept) -> failure {
    if constexpr (std::same_as<Data, tensor_data>) {
      result<tensor_layout> layout = row_major_layout(data.type, data.sizes);
      if (!data.strides.empty()) layout = layout_of_strides(data.type, data.sizes, data.strides);
      if (!layout) return about(std::move(layout.error), key);
      const auto needed = byte_count(data.type, data.sizes);
      if (needed >= 0 && static_cast<std::size_t>(needed) != data.bytes.size()) {
        return broken<rule::malformed_data>("key ", key, " needs ", needed, " bytes and has ", data.bytes.size());
      }
      if (how.layout && *how.layout != layout.value) return other_layout(key, *how.layout, layout.value);
      return add_bytes(key, detail_bytes(data), {how.alignment, how.external_tag, std::move(layout.value)}, kept);
    } else {
      return add_bytes(key, detail_bytes(data), how, kept);
    }
  }

  constexpr auto add_bytes(std::string_view key, std::string_view bytes, const named_data_options& how, keep kept) -> failure {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    if (how.alignment < 1 || how.alignment > most) return broken<rule::malformed_alignment>("key ", key, ", alignment ", how.alignment);
    const auto place = place_of_key(key);
    if (place < by_key_.size() && baton::view(entries_[by_key_[place]].key) == key) {
      const auto there = this->bytes(entries_[by_key_[place]].buffer);
      if (same_bytes(there, bytes)) return {};
      return broken<rule::conflicting_named_data>("key ", key, ": ", there.size(), " bytes, then ", bytes.size());
    }
    const auto place_of_bytes = place_in_content_order(bytes);
    const bool is_there = place_of_bytes < by_content_.size() && same_bytes(this->bytes(by_content_[place_of_bytes]), bytes);
    const auto alignment = std::lcm(is_there ? std::int64_t{this->alignment(by_content_[place_of_bytes])} : 1, how.alignment);
    if (alignment > most) return broken<rule::malformed_alignment>("key ", key, ", with other keys of its bytes ", alignment);
    if (!is_there) add_buffer(place_of_bytes, bytes, kept);
    const auto buffer = by_content_[place_of_bytes];
    buffers_[buffer].alignment = static_cast<std::uint32_t>(alignment);
    by_key_.insert(by_key_.begin() + static_cast<std::ptrdiff_t>(place), static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back({join(key), buffer, static_cast<std::uint32_t>(how.alignment), join(how.external_tag), how.layout});
    return {};
  }
  constexpr void add_buffer(std::size_t place, std::string_view bytes, keep kept) {
    by_content_.insert(by_content_.begin() + static_cast<std::ptrdiff_t>(place), static_cast<std::uint32_t>(buffers_.size()));
    stored_bytes stored;
    stored.size = bytes.size();
    if (kept == keep::view) stored.outside = bytes.data();
    if (kept == keep::copy) stored.own.assign(bytes.begin(), bytes.end());
    buffers_.push_back(std::move(stored));
  }

  static constexpr auto about(failure why, std::string_view key) -> failure {
    why.reason = join("key ", key, ": ", baton::view(why.reason));
    return why;
  }
  static constexpr auto other_layout(std::string_view key, const tensor_layout& given, const tensor_layout& own) -> failure {
    return broken<rule::conflicting_layout>("key ", key, ": given ", baton::view(print(given)), ", has ", baton::view(print(own)));
  }

  /// Where a key stands among the sorted ones, or belongs.
  constexpr auto place_of_key(std::string_view key) const -> std::size_t {
    const auto earlier = [this](std::uint32_t entry, std::string_view wanted) { return baton::view(entries_[entry].key) < wanted; };
    return static_cast<std::size_t>(std::lower_bound(by_key_.begin(), by_key_.end(), key, earlier) - by_key_.begin());
  }
  constexpr auto place_in_content_order(std::string_view bytes) const -> std::size_t {
    const auto earlier = [this](std::uint32_t at, std::string_view wanted) { return compare_bytes(this->bytes(at), wanted) < 0; };
    return static_cast<std::size_t>(std::lower_bound(by_content_.begin(), by_content_.end(), bytes, earlier) - by_content_.begin());
  }

  vector<stored_bytes> buffers_;
  vector<named_data_entry> entries_;
  vector<std::uint32_t> by_key_;      ///< entries
  vector<std::uint32_t> by_content_;  ///< buffers
};

}  // namespace baton

#include <concepts>
#include <cstdint>
#include <string_view>

namespace baton {

/// One entry of a delegate mapping as a backend makes it: its identifier of one of its operations, and the debug handles it came from,
/// ascending.
struct debug_map_entry {
  std::int64_t identifier = 0;
  text_buffer text;  ///< the identifier, where it is a string
  bool is_text = false;
  vector<std::int64_t> handles;
};

/// What `preprocess` returns. Everything but the blob may be left out.
struct preprocess_result {
  text_buffer processed_bytes;  ///< the blob; it lies in read-only memory on the target
  vector<debug_map_entry> debug_handle_map;
  named_data_store named_data;      ///< bytes that the delegate finds by key while it runs, stored once for all delegates
  text_buffer delegate_info;        ///< anything to tell tools about the delegate; it does not reach the target
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
/// - `static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result`
///   makes the blob, in the compiler or at run time (`result<preprocess_result>` for one that may refuse, with `baton::refuse_part(...)`).
/// - `static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& parts,
///   const baton::by_method<baton::compile_specs>&) -> baton::by_method<baton::preprocess_result>`, only if it shall see the parts of all
///   methods at once, when several methods are lowered together (`result<...>` for one that may refuse): one result a part, in order.
/// - `static void execute(const baton::delegate_call&)`, only if the blob also runs here; the executor asks for it.
/// Laws: equal parts and specs give equal blobs; the debug handles named are those of the part's nodes.
template <class T>
concept backend = requires(const exported_program& part, const compile_specs& specs) {
  { to_text(T::id) } -> std::convertible_to<std::string_view>;
  { T::preprocess(part, specs) } -> std::convertible_to<result<preprocess_result>>;
};
static_assert(backend<archetypes::backend>);

/// A backend that preprocesses the parts of all methods at once.
template <class T>
concept batch_backend = backend<T> && requires(const by_method<exported_program>& parts, const by_method<compile_specs>& specs) {
  { T::preprocess_multimethod(parts, specs) } -> std::convertible_to<result<by_method<preprocess_result>>>;
};
static_assert(!batch_backend<archetypes::backend>);

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
  if constexpr (requires { &T::preprocess_multimethod; }) {
    static_assert(batch_backend<T>,
                  "baton not_a_backend: a backend that sees all methods at once returns one result a part; write: static constexpr auto "
                  "preprocess_multimethod(const baton::by_method<baton::exported_program>& parts, const "
                  "baton::by_method<baton::compile_specs>& specs) -> baton::by_method<baton::preprocess_result>");
    return batch_backend<T>;
  } else {
    return backend<T>;
  }
}

}  // namespace baton

// ---- baton/lower/backends.hpp

// The static list of backends: found by id, duplicates refused.

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

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

/// The first backend of a list that derives from another of it.
template <class... Backends>
constexpr auto check_nesting_of_backends() -> failure {
  failure why;
  const auto check = [&why]<class Derived, class Parent>(boost::hana::basic_type<Derived>, boost::hana::basic_type<Parent>) {
    if constexpr (!std::is_same_v<Derived, Parent> && std::is_base_of_v<Parent, Derived>) {
      if (why) return;
      why = broken<rule::nested_backend>(type_name<Derived>(), " derives from ", type_name<Parent>());
      why.backend = join(to_text(Derived::id));
    }
  };
  [[maybe_unused]] const auto check_all = [&]<class Derived>(boost::hana::basic_type<Derived> derived) {
    (check(derived, boost::hana::type_c<Backends>), ...);
  };
  (check_all(boost::hana::type_c<Backends>), ...);
  return why;
}

/// What is wrong with a list of backends. Errors: `nested_backend`, `duplicate_backend`.
template <class... Backends>
constexpr auto check_backends() -> failure {
  if (auto why = check_nesting_of_backends<Backends...>()) return why;
  constexpr std::array<std::string_view, sizeof...(Backends)> ids{to_text(Backends::id)...};
  const auto duplicate = index_of_duplicate(ids);
  failure why;
  if (duplicate < ids.size()) {
    why = broken<rule::duplicate_backend>();
    why.backend = join(ids[duplicate]);
  }
  return why;
}

template <class... Backends>
consteval auto require_backends() -> bool {
  constexpr bool are_backends = (require_backend<Backends>() && ...);
  if constexpr (are_backends) {
    constexpr static_failure why{check_backends<Backends...>()};
    require_unbroken<why>();
    return !why.broken;
  }
  return false;
}

}  // namespace detail

/// A list of backends, none of which derives from another: what two share stands in a base that is no backend. `is_sound` is false after a
/// mistake in it has been reported.
template <class... Backends>
struct backend_list {
  static constexpr bool is_sound = detail::require_backends<Backends...>();
  static_assert(is_sound || true);  // asks at once, and lets what was said stand alone
  static constexpr boost::hana::tuple<boost::hana::type<Backends>...> types{};
};

/// The backends to choose from: `constexpr auto target = baton::backends<my_npu, my_dsp>;`.
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

// ---- baton/lower/batch.hpp

// Batches: the parts of all methods, backend by backend, and how a backend preprocesses one.

// ---- baton/lower/lower_by_id.hpp

// Has a backend preprocess a program, and takes in what it made.

// ---- baton/lower/program_named_data.hpp

// The named data of programs: taken in with what a backend made, merged over all delegates.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// Puts a store's keys into a program's pool: views stay views, equal bytes stay one.
constexpr auto take_named_data(exported_program& program, const named_data_store& store) -> range {
  vector<byte_ref> buffers;
  for (std::size_t i = 0; i < store.buffer_count(); ++i) {
    buffers.push_back(store.is_view(i) ? program_builder::view(store.bytes(i)) : own_bytes(program, store.bytes(i)));
  }
  vector<named_data_ref> entries;
  for (const auto& entry : store.entries()) {
    named_data_ref record;
    record.key = own_bytes(program, view(entry.key));
    record.data = buffers[entry.buffer];
    record.external_tag = own_bytes(program, view(entry.external_tag));
    record.alignment = entry.alignment;
    record.is_view = store.is_view(entry.buffer);
    if (entry.layout) {
      record.is_tensor = true;
      record.type = entry.layout->type;
      record.sizes = add_to(program.integers, std::span<const std::int64_t>{entry.layout->sizes});
      record.dim_order = add_to(program.integers, std::span<const std::int64_t>{entry.layout->dim_order});
    }
    entries.push_back(record);
  }
  return add_to(program.named_data, std::span<const named_data_ref>{entries});
}

/// Adds the named data of a lowered module to a store, as views of its program.
constexpr auto merge_named_data(named_data_store& store, const lowered_module_view& module) -> failure {
  const auto& program = module.program();
  const auto list = [&](range run) {
    const auto numbers = program.integer_list(run);
    return vector<std::int64_t>(numbers.begin(), numbers.end());
  };
  for (const auto& entry : module.named_data()) {
    named_data_options how{entry.alignment, program.text(entry.external_tag), {}};
    if (entry.is_tensor) how.layout = tensor_layout{entry.type, list(entry.sizes), list(entry.dim_order)};
    auto why = store.add_view(program.text(entry.key), program.text(entry.data), how);
    if (!why) continue;
    why.backend = join(module.backend_id());
    return why;
  }
  return {};
}

/// The same for every lowered module that is called in a program, as far as is asked.
constexpr auto merge_named_data(named_data_store& store, const program_view& program, reach how_far) -> failure {
  if (program.named_data.empty()) return {};
  vector<char> seen(program.delegates.size(), 0);
  for (const auto id : nested_graphs(program, graph_id{0}, how_far)) {
    for (const auto& record : program.nodes_of(program[id])) {
      if (record.delegate == none<delegate_id> || seen[index(record.delegate)]++ != 0) continue;
      if (auto why = merge_named_data(store, {program, record.delegate})) return why;
    }
  }
  return {};
}

}  // namespace detail

/// The named data of all delegates of one program or of several methods, in branches too (with `reach::delegates` also of those within
/// lowered modules), as one store of views, which the programs must outlive. A key of several delegates stands once.
/// Error: `conflicting_named_data`, with the backend that has other bytes for a key than one before it.
constexpr auto merged_named_data(std::span<const program_view> methods, reach how_far = reach::branches) -> result<named_data_store> {
  named_data_store store;
  for (const auto& method : methods) {
    if (auto why = detail::merge_named_data(store, method, how_far)) return why;
  }
  return store;
}

/// The named data of all delegates of a program. Lowering has checked that they agree; where others made the program it is checked here.
constexpr auto named_data(const program_view& program, reach how_far = reach::branches) -> named_data_store {
  return value_or_raise(merged_named_data({&program, 1}, how_far));
}

/// Whether all delegates of a program agree on their keys. Error: `conflicting_named_data`.
constexpr auto check_named_data(const program_view& program) -> failure { return merged_named_data({&program, 1}).error; }

}  // namespace baton

// ---- baton/lower/verify_mapping.hpp

// Checks the debug handle map of a lowered module against the nodes that it was made from.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

namespace detail {

/// The debug handles of the nodes in some graphs, ascending.
constexpr auto handles_in(const program_view& program, std::span<const graph_id> graphs) -> vector<std::int64_t> {
  vector<std::int64_t> handles;
  for (const auto id : graphs) {
    for (const auto& record : program.nodes_of(program[id])) handles.push_back(record.debug_handle);
  }
  std::sort(handles.begin(), handles.end());
  return handles;
}

template <class Rule, class... Parts>
constexpr auto broken_mapping(const lowered_module_view& module, const mapping_entry& entry, const Parts&... more) -> failure {
  auto why = broken<Rule>("identifier ");
  if (entry.is_text) {
    append(why.reason, module.program().text(entry.text));
  } else {
    append(why.reason, entry.identifier);
  }
  (append(why.reason, more), ...);
  why.backend = join(module.backend_id());
  return why;
}

/// The failure of an identifier that stands in the map twice.
constexpr auto check_identifiers(const lowered_module_view& module) -> failure {
  const auto map = module.debug_handle_map();
  const auto text = [&](std::size_t i) { return module.program().text(map[i].text); };
  const auto order = [&](std::size_t a, std::size_t b) {
    if (map[a].is_text != map[b].is_text) return map[b].is_text ? -1 : 1;
    if (map[a].is_text) return text(a).compare(text(b));
    return map[a].identifier < map[b].identifier ? -1 : map[a].identifier > map[b].identifier ? 1 : 0;
  };
  vector<std::size_t> places;
  for (std::size_t i = 0; i < map.size(); ++i) places.push_back(i);
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return order(a, b) < 0; });
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (order(places[i - 1], places[i]) == 0) return broken_mapping<rule::duplicate_identifier>(module, map[places[i]]);
  }
  return {};
}

/// What every map must hold, however much it leaves out.
constexpr auto check_mapping(const lowered_module_view& module) -> failure {
  if (module.debug_handle_map().empty()) return {};
  if (auto why = check_identifiers(module)) return why;
  const auto known = handles_in(module.program(), nested_graphs(module.program(), module.original(), reach::delegates));
  for (const auto& entry : module.debug_handle_map()) {
    for (const auto handle : module.handles(entry)) {
      if (std::binary_search(known.begin(), known.end(), handle)) continue;
      return broken_mapping<rule::foreign_debug_handle>(module, entry, ", handle ", handle);
    }
  }
  return {};
}

}  // namespace detail

/// Whether the debug handle map of a lowered module is complete: the handle of every node of its original, branches included, stands in the
/// map, and no other. Backends may leave nodes out, so lowering checks the latter only.
/// Errors: `duplicate_identifier`, `foreign_debug_handle`, `incomplete_mapping` with the first node that is left out.
constexpr auto verify_mapping(const lowered_module_view& module) -> failure {
  if (auto why = detail::check_mapping(module)) return why;
  vector<std::int64_t> covered;
  for (const auto& entry : module.debug_handle_map()) {
    const auto handles = module.handles(entry);
    covered.insert(covered.end(), handles.begin(), handles.end());
  }
  std::sort(covered.begin(), covered.end());
  const auto& program = module.program();
  for (const auto id : nested_graphs(program, module.original())) {
    const auto run = program[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) {
      const auto handle = program.nodes[n].debug_handle;
      if (std::binary_search(covered.begin(), covered.end(), std::int64_t{handle})) continue;
      auto why = broken_at<rule::incomplete_mapping>(program, static_cast<node_id>(n), "handle ", handle);
      why.backend = join(module.backend_id());
      return why;
    }
  }
  return {};
}

}  // namespace baton

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

/// The failure of a blob that no compiler takes as a constant by default, before the compiler says so in its own words; never at run time.
constexpr auto check_blob(std::size_t bytes, std::size_t most = constant_blob_bytes) -> failure {
  if (!std::is_constant_evaluated() || bytes <= most) return {};
  return broken<rule::large_blob>(bytes, " bytes, the most is ", most);
}

/// The program with what a backend made of it beside it: its last lowered module, whose original is graph 0.
/// Errors: `large_blob`, `duplicate_identifier`, `foreign_debug_handle`.
constexpr auto with_lowered_module(const exported_program& original, std::string_view backend_id, const compile_specs& specs,
                                   const preprocess_result& made) -> result<exported_program> {
  if (auto why = check_blob(made.processed_bytes.size())) return why;
  exported_program store = original;
  lowered_module_ref record;
  record.backend_id = own_bytes(store, backend_id);
  record.original = graph_id{0};
  record.compile_specs = own_compile_specs(store, specs);
  record.named_data = take_named_data(store, made.named_data);
  record.info = own_bytes(store, view(made.delegate_info));
  record.scratch_bytes = made.scratch_bytes;
  vector<mapping_entry> entries;
  for (const auto& entry : made.debug_handle_map) {
    const auto text = own_bytes(store, view(entry.text));
    const auto handles = add_to(store.integers, std::span<const std::int64_t>{entry.handles});
    entries.push_back({entry.identifier, text, entry.is_text, handles});
  }
  // Last, so that nothing makes its bytes move again.
  store.bytes.reserve(store.bytes.size() + made.processed_bytes.size());
  record.processed_bytes = own_bytes(store, view(made.processed_bytes));
  record.debug_map = add_to(store.mappings, std::span<const mapping_entry>{entries});
  store.delegates.push_back(record);
  if (auto why = check_mapping({store, last_delegate(store)})) return why;
  return store;
}

/// Has the backend of that id preprocess a program. Errors: `unknown_backend`, those of `with_lowered_module`, and the backend's own.
template <class... Backends>
constexpr auto lower_by_id(backend_list<Backends...> list, std::string_view id, const exported_program& part, const compile_specs& specs)
    -> result<exported_program> {
  result<exported_program> lowered;
  const bool found = with_backend(list, id, [&](auto backend) {
    result<preprocess_result> made = decltype(backend)::type::preprocess(part, specs);
    if (made) {
      lowered = with_lowered_module(part, id, specs, made.value);
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

// ---- baton/lower/lowering_steps.hpp

// The steps of lowering, the same for both times: tag, cut and preprocess each part, put calls in the places of parts.

// ---- baton/lower/check_parts.hpp

// What a partitioner may tag: which inputs and outputs, who uses data that a part owns, who makes new values of its buffers, no cycles.

// ---- baton/lower/shared_states.hpp

// Graphs with state that several nodes call: lowering would copy the state, or change the order in which it is written.

#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

class shared_state_check {
  // Templates first: Clang evaluates only those that stand before their use.
  template <class F>
  constexpr void for_each_called(const node& record, F f) const {
    for (const auto id : program_.subgraphs_of(record)) f(id);
    if (record.delegate != none<delegate_id>) f(program_[record.delegate].original);
  }

 public:
  constexpr explicit shared_state_check(const program_view& program)
      : program_(program),
        caller_(program.graphs.size(), none<node_id>),
        shared_(program.graphs.size(), none<graph_id>) {}

  constexpr auto run() -> failure {
    for (std::uint32_t n = 0; n < program_.nodes.size(); ++n) {
      for_each_called(program_.nodes[n], [&](graph_id id) { note_call(id, static_cast<node_id>(n)); });
    }
    spread();
    if (open_.empty()) return {};
    return first_state();
  }

 private:
  constexpr void note_call(graph_id id, node_id by) {
    if (caller_[index(id)] != none<node_id> && shared_[index(id)] == none<graph_id>) {
      shared_[index(id)] = id;
      open_.push_back(id);
    }
    caller_[index(id)] = by;
  }

  // What lies in a shared graph is shared.
  constexpr void spread() {
    for (std::size_t at = 0; at < open_.size(); ++at) {
      const auto outer = open_[at];
      for (const auto& record : program_.nodes_of(program_[outer])) {
        for_each_called(record, [&](graph_id inner) {
          if (shared_[index(inner)] != none<graph_id>) return;
          shared_[index(inner)] = shared_[index(outer)];
          open_.push_back(inner);
        });
      }
    }
  }

  constexpr auto first_state() const -> failure {
    for (const auto& record : program_.values) {
      const auto by = shared_[index(record.graph)];
      if (record.kind != value_kind::mutable_buffer || by == none<graph_id>) continue;
      return broken_at<rule::shared_state>(program_, caller_[index(by)], "buffer ", program_.text(record.name), " of graph ",
                                           program_.text(program_[by].name));
    }
    return {};
  }

  program_view program_;
  vector<node_id> caller_;   ///< by graph: its last caller
  vector<graph_id> shared_;  ///< by graph: the graph of several callers that it is, or lies in
  vector<graph_id> open_;
};

}  // namespace detail

/// Checks that no graph with a mutable buffer in it is called from several places. The calls would have an order that no value tells, and a
/// part would take a copy of the buffer along (Q12). Errors: `shared_state`.
constexpr auto check_shared_states(const program_view& program) -> failure {
  if (program.graphs.size() == 1) return {};
  return detail::shared_state_check(program).run();
}

}  // namespace baton

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// Checks the tags of one graph.
class tag_check {
 public:
  constexpr tag_check(const program_view& program, graph_id id, const contraction_tables& tables)
      : program_(program),
        graph_(program[id]),
        tables_(tables) {}

  constexpr auto run() const -> failure {
    if (has_spec(program_, graph_.output_tag))
      return with_tag_of(broken<rule::tagged_output>("graph ", program_.text(graph_.name)), program_, graph_.output_tag);
    for (const auto input : program_.inputs(graph_)) {
      const auto& record = program_[input];
      if (has_spec(program_, record.tag) && !is_owned_data(record.kind))
        return with_tag_of(broken<rule::tagged_user_input>("input ", program_.text(record.name)), program_, record.tag);
    }
    if (auto why = check_users()) return why;
    return check_mutations();
  }

 private:
  constexpr auto is_owned_by_a_part(value_id id) const -> bool {
    return id != none<value_id> && is_owned_data(program_[id].kind) && has_spec(program_, program_[id].tag);
  }

  template <class... Parts>
  constexpr auto shared(value_id id, const Parts&... user) const -> failure {
    const auto& record = program_[id];
    const auto name = program_.text(record.name);
    auto why = broken<rule::shared_constant>("constant ", name, user...);
    if (record.kind == value_kind::mutable_buffer) why = broken<rule::shared_mutable_buffer>("buffer ", name, user...);
    return with_tag_of(std::move(why), program_, record.tag);
  }

  constexpr auto check_users() const -> failure {
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto user = program_.nodes[n].tag;
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (!is_owned_by_a_part(input) || program_[input].tag == user) continue;
        const auto tag = user == none<tag_id> ? "none" : program_.text(program_[user].name);
        return locate(shared(input, ", whose user has tag ", tag), program_, static_cast<node_id>(n));
      }
    }
    for (const auto& spec : program_.outputs_of(graph_)) {
      if (is_owned_by_a_part(spec.value)) return shared(spec.value, ", its user: the output");
    }
    return {};
  }

  constexpr auto owned_mutable_buffers() const -> vector<value_id> {
    vector<value_id> found;
    for (const auto input : program_.inputs(graph_)) {
      if (program_[input].kind == value_kind::mutable_buffer && is_owned_by_a_part(input)) found.push_back(input);
    }
    return found;
  }

  constexpr auto check_mutations() const -> failure {
    const auto buffers = owned_mutable_buffers();
    if (buffers.empty()) return {};
    const auto outputs = program_.outputs_of(graph_);
    for (const auto& spec : outputs) {
      if (spec.kind != output_kind::buffer_mutation) continue;
      const auto target = program_.text(spec.target);
      const auto buffer =
          std::find_if(buffers.begin(), buffers.end(), [&](value_id id) { return program_.text(program_[id].target) == target; });
      if (buffer == buffers.end()) continue;
      const auto owner = program_[*buffer].tag;
      const auto name = program_.text(program_[spec.value].name);
      const auto maker = tables_.maker[index(spec.value)];
      if (maker == contraction_tables::nothing || program_.nodes[maker].tag != owner)
        return with_tag_of(broken<rule::foreign_mutation>("buffer ", target, ", new value ", name), program_, owner);
      const auto is_this = [&](const output_spec& other) { return other.value == spec.value; };
      if (std::count_if(outputs.begin(), outputs.end(), is_this) > 1)
        return with_tag_of(broken<rule::shared_mutation>("buffer ", target, ", new value ", name), program_, owner);
    }
    return {};
  }

  program_view program_;
  graph graph_;
  const contraction_tables& tables_;
};

}  // namespace detail

/// Checks what a partitioner tagged, after `share_constants`. Data that a part owns is used by that part alone.
/// Errors: `tagged_output`, `tagged_user_input`, `shared_constant`, `shared_mutable_buffer`, `foreign_mutation`, `shared_mutation`,
/// `dependency_cycle`, and, if there are parts, `shared_state`.
constexpr auto check_parts(const program_view& program) -> failure {
  const auto counts = detail::graphs_with_parts(program);
  detail::contraction_tables tables(program);
  bool has_parts = false;
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (counts[g] == 0) continue;
    if (auto why = detail::tag_check(program, static_cast<graph_id>(g), tables).run()) return why;
    if (!detail::has_parts(program, program.graphs[g])) continue;
    has_parts = true;
    detail::contracted_graph contracted(program, static_cast<graph_id>(g), tables);
    if (contracted.order().size() != contracted.units()) return contracted.cycle_failure(tables.maker);
  }
  if (!has_parts) return {};
  return check_shared_states(program);
}

}  // namespace baton

// ---- baton/lower/constant_sharing.hpp

// Tagged constants that others use too: gives every user's part, and the owner, a placeholder of its own, and tells what that costs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace baton {

/// A tagged constant that more than one part, or a part and the owner, use.
struct sharing_cost {
  value_id data;               ///< in the tagged program
  data_sharing sharing;        ///< `share` or `duplicate`
  std::uint32_t placeholders;  ///< how many stand for it: one a using part, one for the owner if it still uses it
  std::uint64_t bytes;         ///< of one copy
  /// The bytes that are stored beyond one copy.
  constexpr auto added_bytes() const -> std::uint64_t { return sharing == data_sharing::duplicate ? bytes * (placeholders - 1) : 0; }
  /// The bytes that sharing saves over copies.
  constexpr auto saved_bytes() const -> std::uint64_t { return sharing == data_sharing::share ? bytes * (placeholders - 1) : 0; }
};

namespace detail {

/// Splits shared constants, graph by graph. Time linear in the program but for a search in the parts that share one constant.
class constant_sharing_pass {
 public:
  constexpr explicit constant_sharing_pass(exported_program tagged)
      : program_(std::move(tagged)),
        places_(program_.values.size(), none_),
        is_tagged_(program_.values.size(), 0) {}

  constexpr void run() {
    const auto counts = graphs_with_parts(program_);
    for (std::uint32_t g = 0; g < counts.size(); ++g) {
      if (counts[g] != 0) visit(static_cast<graph_id>(g));
    }
  }
  constexpr auto take_program() -> exported_program { return std::move(program_); }
  constexpr auto take_costs() -> vector<sharing_cost> { return std::move(costs_); }

 private:
  static constexpr std::uint32_t none_ = 0xffffffffu;

  /// The placeholder of one group of users: those of one part, or (`none`) those that stay with the owner.
  struct split {
    tag_id group;
    value_id placeholder;
  };
  struct candidate {
    value_id data;
    vector<split> splits;     ///< by group
    vector<value_id> copies;  ///< in the order of first use
  };

  constexpr auto group_of(tag_id tag) const -> tag_id { return has_spec(program_, tag) ? tag : none<tag_id>; }

  constexpr void visit(graph_id id) {
    candidates_.clear();
    if (!find_candidates(program_.graphs[index(id)])) return;
    const auto nodes = program_.graphs[index(id)].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) split_operands(program_.nodes[n]);
    const auto outputs = program_.graphs[index(id)].outputs;
    for (std::uint32_t o = outputs.first; o < outputs.first + outputs.size; ++o) {
      auto& returned = program_.outputs[o].value;
      returned = placeholder_for(returned, none<tag_id>);
    }
    list_copies(program_.graphs[index(id)]);
    for (const auto& shared : candidates_) note_cost(shared);
  }

  /// Whether there is data whose users differ from it in their tags.
  constexpr auto find_candidates(const graph& g) -> bool {
    for (const auto input : program_.inputs(g)) {
      auto& record = program_.values[index(input)];
      if (!is_owned_data(record.kind) || !has_spec(program_, record.tag)) continue;
      if (record.sharing == data_sharing::borrow) record.tag = none<tag_id>;
      const bool may_be_split =
          record.kind != value_kind::mutable_buffer && (record.sharing == data_sharing::share || record.sharing == data_sharing::duplicate);
      is_tagged_[index(input)] = may_be_split ? 1 : 0;
    }
    const auto look_at = [&](value_id used, tag_id group) {
      if (used == none<value_id> || is_tagged_[index(used)] == 0 || program_[used].tag == group || places_[index(used)] != none_) return;
      places_[index(used)] = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back({used, {}, {}});
    };
    for (const auto& record : program_.nodes_of(g)) {
      for (const auto input : program_.inputs(record)) look_at(input, group_of(record.tag));
    }
    for (const auto& spec : program_.outputs_of(g)) look_at(spec.value, none<tag_id>);
    return !candidates_.empty();
  }

  /// Gives the node its parts' placeholders, in an operand list of its own.
  constexpr void split_operands(node& record) {
    const auto group = group_of(record.tag);
    vector<value_id> operands;
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
      const auto before = program_.operands[record.inputs.first + i];
      const auto after = placeholder_for(before, group);
      if (after != before && operands.empty()) {
        const auto given = program_.inputs(record);
        operands.assign(given.begin(), given.end());
      }
      if (after != before) operands[i] = after;
    }
    if (!operands.empty()) record.inputs = add_to(program_.operands, std::span<const value_id>{operands});
  }

  constexpr auto placeholder_for(value_id used, tag_id group) -> value_id {
    if (used == none<value_id> || index(used) >= places_.size() || places_[index(used)] == none_) return used;
    auto& shared = candidates_[places_[index(used)]];
    const auto earlier = [](const split& at, tag_id wanted) { return index(at.group) < index(wanted); };
    const auto place = std::lower_bound(shared.splits.begin(), shared.splits.end(), group, earlier);
    if (place != shared.splits.end() && place->group == group) return place->placeholder;
    const auto placeholder = shared.splits.empty() ? used : add_copy(shared);
    program_.values[index(placeholder)].tag = group;
    shared.splits.insert(place, {group, placeholder});
    return placeholder;
  }

  constexpr auto add_copy(candidate& shared) -> value_id {
    auto record = program_[shared.data];
    const auto name = join(program_.text(record.name), "_copy_", shared.copies.size());
    record.name = own_bytes(program_, view(name));
    if (record.sharing == data_sharing::duplicate && record.data.size != 0) {
      const auto bytes = join(program_.text(record.data));
      record.data = own_bytes(program_, view(bytes));
    }
    program_.values.push_back(record);
    shared.copies.push_back(static_cast<value_id>(program_.values.size() - 1));
    return shared.copies.back();
  }

  /// Copies stand before what they are copies of.
  constexpr void list_copies(graph& g) {
    vector<value_id> inputs;
    for (const auto input : program_.inputs(g)) {
      const auto place = places_[index(input)];
      if (place != none_) inputs.insert(inputs.end(), candidates_[place].copies.begin(), candidates_[place].copies.end());
      inputs.push_back(input);
    }
    if (inputs.size() != g.inputs.size) g.inputs = add_to(program_.operands, std::span<const value_id>{inputs});
  }

  constexpr void note_cost(const candidate& shared) {
    if (shared.copies.empty()) return;
    const auto& record = program_[shared.data];
    const auto bytes = record.data.size != 0 ? record.data.size : byte_count(record.type, program_.shape(shared.data));
    costs_.push_back({shared.data, record.sharing, static_cast<std::uint32_t>(shared.splits.size()), static_cast<std::uint64_t>(bytes)});
  }

  exported_program program_;
  vector<std::uint32_t> places_;  ///< by value of the tagged program: its place among the candidates of its graph
  vector<char> is_tagged_;        ///< by value of the tagged program: whether it may be split
  vector<candidate> candidates_;
  vector<sharing_cost> costs_;
};

}  // namespace detail

/// The tagged program in which no part uses a constant of another. A tagged constant whose users have other tags, or none, is split by
/// user: the first keeps it, every other part, and the owner, gets a placeholder `<name>_copy_<i>` just before it with the same
/// fully qualified name, in the order of first use. Bytes are shared or copied as its `data_sharing` says; with `borrow` it loses its tag.
/// Constants that one part shall `own`, and mutable buffers, stay as they are: `check_parts` refuses other users.
/// Mended here: the original splits by user instead of part, leaves operands in lists alone, and stores bytes that nobody reads (Q6, Q7).
constexpr auto share_constants(exported_program tagged) -> exported_program {
  detail::constant_sharing_pass pass(std::move(tagged));
  pass.run();
  return pass.take_program();
}

/// What `share_constants` would share or copy in a tagged program, in the order of first use.
constexpr auto sharing_costs(const program_view& tagged) -> vector<sharing_cost> {
  detail::constant_sharing_pass pass(thaw(tagged));
  pass.run();
  return pass.take_costs();
}

}  // namespace baton

#include <span>
#include <utility>

namespace baton {

namespace detail {

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
  tagged.value = share_constants(std::move(tagged.value));
  if (auto why = check_parts(tagged.value)) return why;
  return tagged;
}

/// A part on its own, and what its backend is told.
struct cut_part {
  exported_program program;
  compile_specs specs;
};

constexpr auto cut_step(part_cutter& cutter, const program_view& tagged, const part_outline& border) -> result<cut_part> {
  auto part = cutter.cut(border);
  if (!part) return std::move(part.error);
  cut_part cut{std::move(part.value), {}};
  const auto run = tagged[border.id.tag].compile_specs;
  for (const auto& spec : tagged.compile_specs.subspan(run.first, run.size))
    cut.specs.emplace_back(tagged.text(spec.key), tagged.text(spec.value));
  return cut;
}

constexpr auto cut_step(const program_view& tagged, part_id id, source_bytes bytes) -> result<cut_part> {
  part_cutter cutter(tagged, bytes);
  return cut_step(cutter, tagged, outline(tagged, id));
}

template <class... Backends>
constexpr auto preprocess_step(backend_list<Backends...> list, const program_view& tagged, tag_id tag, const result<cut_part>& cut)
    -> result<exported_program> {
  if (!cut) return cut.error;
  auto lowered = lower_by_id(list, tagged.text(tagged[tag].backend_id), cut.value.program, cut.value.specs);
  if (!lowered) return with_tag_of(std::move(lowered.error), tagged, tag);
  return lowered;
}

template <class... Backends>
constexpr auto part_step(backend_list<Backends...> list, const program_view& tagged, part_id id, source_bytes bytes)
    -> result<exported_program> {
  return preprocess_step(list, tagged, id.tag, cut_step(tagged, id, bytes));
}

constexpr auto assembly_step(const program_view& tagged, std::span<const lowered_module_view> lowered, source_bytes bytes,
                             validation checks) -> result<exported_program> {
  const auto parts = parts_of(tagged);
  auto program = assemble(tagged, parts, lowered, bytes);
  if (auto why = check_named_data(program)) return why;
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
  vector<exported_program> lowered;
  const auto parts = parts_of(tagged.value);
  part_cutter cutter(tagged.value, source_bytes::copied);
  for (const auto& border : outlines(tagged.value, parts)) {
    auto part = preprocess_step(list, tagged.value, border.id.tag, cut_step(cutter, tagged.value, border));
    if (!part) return part;
    lowered.push_back(std::move(part.value));
  }
  vector<lowered_module_view> modules;
  for (const auto& part : lowered) modules.emplace_back(part, last_delegate(part));
  return assembly_step(tagged.value, modules, source_bytes::copied, checks);
}

}  // namespace detail

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// Has a backend preprocess part by part, method by method: what is done for a backend that has no `preprocess_multimethod`, for one that
/// has to build upon. Errors: `unmatched_specs`, and the backend's own.
template <backend Backend>
constexpr auto preprocess_each(const by_method<exported_program>& parts, const by_method<compile_specs>& specs)
    -> result<by_method<preprocess_result>> {
  const auto in_method = [](failure why, const text_buffer& method) {
    why.method = method;
    why.backend = join(to_text(Backend::id));
    return why;
  };
  by_method<preprocess_result> made;
  for (const auto& [method, programs] : parts) {
    const auto* told = specs.find(view(method));
    if (told == nullptr) return in_method(broken<rule::unmatched_specs>("it has no list of compile specs"), method);
    if (told->size() != programs.size()) {
      return in_method(broken<rule::unmatched_specs>(programs.size(), " parts, compile specs for ", told->size()), method);
    }
    auto& results = made[view(method)];
    for (std::size_t i = 0; i < programs.size(); ++i) {
      result<preprocess_result> one = Backend::preprocess(programs[i], (*told)[i]);
      if (!one) return in_method(std::move(one.error), method);
      results.push_back(std::move(one.value));
    }
  }
  return made;
}

namespace detail {

/// A part among those of several methods: `number` is its place in `parts_of` its method.
struct batch_member {
  std::uint32_t method = 0;
  std::uint32_t number = 0;
  tag_id tag = none<tag_id>;
};

/// The parts that one backend takes.
struct batch {
  std::string_view backend_id;
  vector<batch_member> members;
};

/// The graphs that have parts: the root, what it calls in the order of the nodes, at once what that calls; then other entry points.
constexpr auto graphs_in_order(const program_view& program) -> vector<graph_id> {
  const auto counts = graphs_with_parts(program);
  vector<char> seen(program.graphs.size(), 0);
  vector<graph_id> order;
  for (std::uint32_t entry = 0; entry < program.graphs.size(); ++entry) {
    vector<graph_id> open{static_cast<graph_id>(entry)};
    while (!open.empty()) {
      const auto id = open.back();
      open.pop_back();
      if (counts[index(id)] == 0 || seen[index(id)] != 0) continue;
      seen[index(id)] = 1;
      order.push_back(id);
      const auto first = static_cast<std::ptrdiff_t>(open.size());
      for (const auto& record : program.nodes_of(program[id])) {
        for (const auto called : program.subgraphs_of(record)) open.push_back(called);
      }
      std::reverse(open.begin() + first, open.end());
    }
  }
  return order;
}

/// Gathers the parts of tagged methods by backend. Backends stand as they are first met: method by method, graph by graph, in the order of
/// the tag map; the parts of one graph stand as their calls will. A batch has the parts of a method side by side.
class batch_finder {
 public:
  constexpr auto run(std::span<const program_view> tagged) -> vector<batch> {
    for (std::uint32_t m = 0; m < tagged.size(); ++m) {
      const auto parts = parts_of(tagged[m]);
      contraction_tables tables(tagged[m]);
      number_of_tag_.assign(tagged[m].tags.size(), 0);
      for (const auto id : graphs_in_order(tagged[m])) add_graph(tagged[m], id, m, parts, tables);
    }
    return std::move(batches_);
  }

 private:
  constexpr void add_graph(const program_view& program, graph_id id, std::uint32_t method, std::span<const part_id> parts,
                           contraction_tables& tables) {
    const auto is_before = [](const part_id& part, graph_id graph) { return index(part.graph) < index(graph); };
    const auto first = static_cast<std::uint32_t>(std::lower_bound(parts.begin(), parts.end(), id, is_before) - parts.begin());
    if (first == parts.size() || parts[first].graph != id) return;
    for (auto i = first; i < parts.size() && parts[i].graph == id; ++i) {
      number_of_tag_[index(parts[i].tag)] = i;
      static_cast<void>(batch_of(program, parts[i].tag));
    }
    for (const auto at : contracted_graph(program, id, tables).order()) {
      const auto tag = program[at].tag;
      if (has_spec(program, tag)) batch_of(program, tag).members.push_back({method, number_of_tag_[index(tag)], tag});
    }
  }

  constexpr auto batch_of(const program_view& program, tag_id tag) -> batch& {
    const auto id = program.text(program[tag].backend_id);
    for (auto& known : batches_) {
      if (known.backend_id == id) return known;
    }
    batches_.push_back({id, {}});
    return batches_.back();
  }

  vector<batch> batches_;
  vector<std::uint32_t> number_of_tag_;  ///< in the graph at hand
};

/// The failure of a batch whose results are not one a part, if they are not.
constexpr auto check_results(const by_method<exported_program>& parts, const by_method<preprocess_result>& made) -> failure {
  const auto mismatch = [](const text_buffer& method, std::size_t asked, std::size_t got) {
    auto why = broken<rule::unmatched_results>(asked, " parts, ", got, " results");
    why.method = method;
    return why;
  };
  for (const auto& [method, programs] : parts) {
    const auto* results = made.find(view(method));
    const auto count = results == nullptr ? 0 : results->size();
    if (count != programs.size()) return mismatch(method, programs.size(), count);
  }
  for (const auto& [method, results] : made) {
    if (parts.find(view(method)) == nullptr) return mismatch(method, 0, results.size());
  }
  return {};
}

/// The parts of a batch, each on its own, in the order of the members.
constexpr auto cut_batch(std::span<const std::string_view> names, std::span<const program_view> tagged, const batch& of, source_bytes bytes)
    -> result<vector<cut_part>> {
  result<vector<cut_part>> cuts;
  for (std::size_t i = 0; i < of.members.size();) {
    const auto method = of.members[i].method;
    const auto borders = outlines(tagged[method], parts_of(tagged[method]));
    part_cutter cutter(tagged[method], bytes);
    for (; i < of.members.size() && of.members[i].method == method; ++i) {
      auto cut = cut_step(cutter, tagged[method], borders[of.members[i].number]);
      if (!cut) {
        cut.error.method = join(names[method]);
        return std::move(cut.error);
      }
      cuts.value.push_back(std::move(cut.value));
    }
  }
  return cuts;
}

/// Has a backend preprocess the parts of a batch at once; what comes out stands in the order of the members.
template <batch_backend Backend>
constexpr auto preprocess_batch(std::span<const std::string_view> names, const batch& of, vector<cut_part> cuts)
    -> result<vector<exported_program>> {
  by_method<exported_program> parts;
  by_method<compile_specs> specs;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto name = names[of.members[i].method];
    parts[name].push_back(std::move(cuts[i].program));
    specs[name].push_back(std::move(cuts[i].specs));
  }
  result<by_method<preprocess_result>> made = Backend::preprocess_multimethod(parts, specs);
  if (made) made.error = check_results(parts, made.value);
  result<vector<exported_program>> lowered;
  lowered.error = std::move(made.error);
  for (std::size_t m = 0; lowered && m < parts.entries.size(); ++m) {
    const auto& [method, programs] = parts.entries[m];
    const auto& results = *made.value.find(view(method));
    for (std::size_t i = 0; lowered && i < programs.size(); ++i) {
      auto one = with_lowered_module(programs[i], of.backend_id, specs.entries[m].parts[i], results[i]);
      lowered.error = std::move(one.error);
      if (!lowered) lowered.error.method = method;
      lowered.value.push_back(std::move(one.value));
    }
  }
  if (!lowered) lowered.error.backend = join(of.backend_id);
  return lowered;
}

/// Has its backend preprocess a batch: at once, or part by part where the backend does not offer that.
template <class... Backends>
constexpr auto batch_step(backend_list<Backends...> list, std::span<const std::string_view> names, std::span<const program_view> tagged,
                          const batch& of, source_bytes bytes) -> result<vector<exported_program>> {
  auto cuts = cut_batch(names, tagged, of, bytes);
  if (!cuts) return std::move(cuts.error);
  result<vector<exported_program>> lowered;
  with_backend(list, of.backend_id, [&](auto backend) {
    using backend_type = typename decltype(backend)::type;
    if constexpr (batch_backend<backend_type>) {
      lowered = preprocess_batch<backend_type>(names, of, std::move(cuts.value));
    } else {
      for (std::size_t i = 0; lowered && i < of.members.size(); ++i) {
        const auto& member = of.members[i];
        auto part = preprocess_step(list, tagged[member.method], member.tag, std::move(cuts.value[i]));
        lowered.error = std::move(part.error);
        if (!lowered) lowered.error.method = join(names[member.method]);
        lowered.value.push_back(std::move(part.value));
      }
    }
  });
  return lowered;
}

/// What came out of a batch as one program, whose nodes call the lowered modules in the order of the batch's members.
constexpr auto merged(std::span<const exported_program> lowered) -> exported_program {
  program_builder to;
  for (const auto& part : lowered) {
    program_copier copier(part, to);
    auto call = to.make_node("", call_delegate.text);
    call.delegate = copier.copy_delegate(part, last_delegate(part));
    to.enter(graph_id{0});
    to.add_node(call, {}, {});
  }
  return to.finish();
}

}  // namespace detail

}  // namespace baton

// ---- baton/lower/call_slots.hpp

// What a delegate call is given and gives, by name and position: the contract that both a blob and the runtime of a backend bind to.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace baton {

/// One argument or one result of a delegate call.
struct call_slot {
  value_id value;          ///< in the part
  std::uint32_t position;  ///< among the call's arguments or results: `inputs[position]` of a `delegate_call`
  std::string_view name;   ///< the name it has in the owner, too
};

/// The arguments of the call of a part: its user inputs, in the order of first use. Owned data is no argument.
constexpr auto call_inputs(const program_view& part) -> vector<call_slot> {
  vector<call_slot> slots;
  for (const auto id : part.inputs(part.root())) {
    if (part[id].kind == value_kind::user_input) slots.push_back({id, static_cast<std::uint32_t>(slots.size()), part.text(part[id].name)});
  }
  return slots;
}

/// The results of the call of a part: its user outputs, in graph order. Mutations of buffers that it owns are no results.
constexpr auto call_outputs(const program_view& part) -> vector<call_slot> {
  vector<call_slot> slots;
  for (const auto& spec : part.outputs_of(part.root())) {
    if (spec.kind == output_kind::user_output)
      slots.push_back({spec.value, static_cast<std::uint32_t>(slots.size()), part.text(part[spec.value].name)});
  }
  return slots;
}

/// The position of the slot of that name.
constexpr auto position_of(std::span<const call_slot> slots, std::string_view name) -> std::optional<std::uint32_t> {
  for (const auto& slot : slots) {
    if (slot.name == name) return slot.position;
  }
  return std::nullopt;
}

/// Whether a backend's list of bindings names every slot once, in whatever order; a no tells the name that is wrong:
/// `if (auto bound = binds(baton::call_inputs(part), names); !bound) return baton::refuse_part(baton::view(bound.reason));`
constexpr auto binds(std::span<const call_slot> slots, std::span<const std::string_view> names) -> verdict {
  for (const auto name : names) {
    if (!position_of(slots, name)) return refuse("the call has no slot ", name);
  }
  for (const auto& slot : slots) {
    const auto times = std::count(names.begin(), names.end(), slot.name);
    if (times != 1) return refuse("slot ", slot.name, " is bound ", times, " times");
  }
  return accept();
}

}  // namespace baton

// ---- baton/lower/contracts.hpp

// What a firmware may demand of its lowered program in a `static_assert`; where it does not hold, the compiler names the nodes and
// the reasons.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace baton {

/// The nodes that no delegate takes, in order, those within branches and loop bodies too. A node that only chooses a branch or runs a loop
/// counts as well: it stays with the executor.
constexpr auto undelegated(const program_view& program) -> vector<node_id> {
  vector<node_id> found;
  for (const auto id : detail::visible_nodes(program)) {
    if (program[id].delegate == none<delegate_id>) found.push_back(id);
  }
  return found;
}

namespace detail {

/// Calls `f` with every value that a delegate call is given or gives back and its bytes, constants of the owner left out.
template <class F>
constexpr void for_each_crossing(const program_view& program, F f) {
  const auto cross = [&](value_id id) {
    if (id == none<value_id> || (is_owned_data(program[id].kind) && program[id].kind != value_kind::mutable_buffer)) return;
    const auto bytes = byte_count(program[id].type, program.shape(id));
    f(id, bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes));
  };
  for (const auto id : visible_nodes(program)) {
    if (program[id].delegate == none<delegate_id>) continue;
    for (const auto input : program.inputs(program[id])) cross(input);
    for (const auto output : program.outputs_of(program[id])) cross(output);
  }
}

}  // namespace detail

/// The bytes that delegate calls are given and give back in one run of each, constants of the owner not counted: what crosses the borders
/// of accelerators.
constexpr auto boundary_bytes(const program_view& program) -> std::uint64_t {
  std::uint64_t sum = 0;
  detail::for_each_crossing(program, [&sum](value_id, std::uint64_t bytes) { sum += bytes; });
  return sum;
}

namespace detail {

/// Of a long name the end, which tells more in names like `MobilenetV1/Conv2d_0/Relu6`: three names and their figures fit one reason.
constexpr auto short_name(std::string_view name) -> text_buffer {
  constexpr std::size_t most = 40;
  if (name.size() <= most) return join(name);
  return join("...", name.substr(name.size() - (most - 3)));
}

/// What a support says of a node that stays.
template <operator_support Support>
constexpr auto why_it_stays(const program_view& program, node_id id) -> text_buffer {
  auto answer = Support::supports(program, program[id]);
  if (answer) return join(left_without_reason);
  if (answer.reason.empty()) return join("it is not supported");
  return std::move(answer.reason);
}

/// "3 nodes stay: a, b: <reason>; c: <reason>": the first of them, as many as fit, those with one reason together; the others are counted.
template <operator_support Support>
constexpr auto what_stays(const program_view& program, const vector<node_id>& staying) -> text_buffer {
  constexpr std::size_t most_looked_at = 12;
  constexpr auto room = static_failure::reason_capacity - 20;  // "; and 1234567 more"
  const auto name = [&](std::size_t i) { return short_name(program.text(program[staying[i]].name)); };
  vector<text_buffer> reasons;
  for (std::size_t i = 0; i < staying.size() && i < most_looked_at; ++i) reasons.push_back(why_it_stays<Support>(program, staying[i]));
  vector<char> is_named(reasons.size(), 0);
  auto text = join(staying.size(), staying.size() == 1 ? " node stays: " : " nodes stay: ");
  std::size_t named = 0;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (is_named[i] != 0) continue;
    auto together = join(named == 0 ? "" : "; ", view(name(i)));
    const auto left = [&] { return static_cast<std::int64_t>(room) - std::ssize(text) - std::ssize(together) - std::ssize(reasons[i]); };
    if (named != 0 && left() < 2) break;
    ++named;
    for (auto j = i + 1; j < reasons.size(); ++j) {
      if (is_named[j] != 0 || reasons[j] != reasons[i] || left() < static_cast<std::int64_t>(name(j).size()) + 4) continue;
      append(append(together, ", "), view(name(j)));
      is_named[j] = 1;
      ++named;
    }
    append(append(append(text, view(together)), ": "), view(reasons[i]));
  }
  if (named < staying.size()) append(append(append(text, "; and "), static_cast<std::int64_t>(staying.size() - named)), " more");
  return text;
}

/// The failure of nodes that stay, at the first, with what a support says of them.
template <operator_support Support>
constexpr auto check_delegated(const program_view& program) -> failure {
  const auto staying = undelegated(program);
  if (staying.empty()) return {};
  auto why = broken_at<rule::undelegated_node>(program, staying[0]);
  why.reason = what_stays<Support>(program, staying);
  return why;
}

/// The failure of too many bytes that cross, with the values that most of them are.
constexpr auto check_boundary(const program_view& program, std::uint64_t most) -> failure {
  const auto sum = boundary_bytes(program);
  if (sum <= most) return {};
  vector<std::uint64_t> crossing(program.values.size(), 0);
  for_each_crossing(program, [&](value_id id, std::uint64_t bytes) { crossing[index(id)] += bytes; });
  auto why = broken<rule::too_many_boundary_bytes>(sum, " bytes, at most ", most, "; the widest:");
  for (int named = 0; named < 3; ++named) {
    const auto widest = static_cast<std::size_t>(std::max_element(crossing.begin(), crossing.end()) - crossing.begin());
    if (crossing[widest] == 0) break;
    append(append(append(why.reason, named == 0 ? " " : ", "), view(short_name(program.text(program.values[widest].name)))), " ");
    append(why.reason, static_cast<std::int64_t>(crossing[widest]));
    crossing[widest] = 0;
  }
  return why;
}

}  // namespace detail

/// Whether every node of a program is in a delegate. `static_assert(baton::fully_delegated<my_support>(lowered));` stops the compiler with
/// the nodes that stay and the reasons that the support gives; for a plain answer ask `undelegated(lowered).empty()`. Errors:
/// `undelegated_node`.
template <operator_support Support = no_support, class Make>
consteval auto fully_delegated(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_whole) {
    constexpr static_failure why{detail::check_delegated<Support>(static_program<Make>::value())};
    require_unbroken<why>();
  }
  return true;
}
/// The same at run time. Errors: `undelegated_node`.
template <operator_support Support = no_support>
constexpr auto fully_delegated(const program_view& program) -> bool {
  if (auto why = detail::check_delegated<Support>(program)) raise(why);
  return true;
}

/// Whether at most so many bytes cross the borders of delegates; stops the compiler with the figure and the widest values where more do.
/// Errors: `too_many_boundary_bytes`.
template <std::uint64_t Most, class Make>
consteval auto boundary_within(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_whole) {
    constexpr static_failure why{detail::check_boundary(static_program<Make>::value(), Most)};
    require_unbroken<why>();
  }
  return true;
}
/// The same at run time. Errors: `too_many_boundary_bytes`.
template <std::uint64_t Most>
constexpr auto boundary_within(const program_view& program) -> bool {
  if (auto why = detail::check_boundary(program, Most)) raise(why);
  return true;
}

}  // namespace baton

// ---- baton/lower/delegate_mapping.hpp

// Builds the map from a backend's own identifiers back to debug handles.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

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
    vector<std::int64_t> handles;
    for (const auto& source : from.nodes) add_handle_of(source, handles);
    for (const auto& handle : from.handles) {
      if (handle) handles.push_back(*handle);
    }
    return insert_entry(from.nodes.empty() != from.handles.empty(), std::move(handles), identifier);
  }
  /// The same for one node.
  constexpr auto insert(const node& from, std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    return insert(debug_sources{{&from, 1}, {}}, identifier);
  }
  /// The same for nodes wherever they stand: `insert({conv, relu})`.
  constexpr auto insert(std::initializer_list<std::reference_wrapper<const node>> from,
                        std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    vector<std::int64_t> handles;
    for (const node& source : from) add_handle_of(source, handles);
    return insert_entry(from.size() != 0, std::move(handles), identifier);
  }
  /// The same for debug handles: `insert_handles({1, 2})`.
  constexpr auto insert_handles(std::initializer_list<std::optional<std::int64_t>> from,
                                std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    return insert(debug_sources{{}, {from.begin(), from.size()}}, identifier);
  }

  /// The map in the order of insertion.
  constexpr auto entries() const -> const vector<debug_map_entry>& { return entries_; }

 private:
  constexpr auto contains(const debug_identifier& identifier) const -> bool {
    return std::any_of(entries_.begin(), entries_.end(), [&](const debug_map_entry& entry) {
      return entry.is_text == identifier.is_text &&
             (entry.is_text ? view(entry.text) == identifier.text : entry.identifier == identifier.number);
    });
  }
  static constexpr void add_handle_of(const node& source, vector<std::int64_t>& to) {
    if (source.debug_handle != 0) to.push_back(source.debug_handle);
  }

  constexpr auto insert_entry(bool is_of_one_kind, vector<std::int64_t> handles, const std::optional<debug_identifier>& identifier)
      -> result<std::int64_t> {
    if (mode_ == debug_identifiers::generated && identifier) return detail::broken_identifier<rule::generated_identifier>(*identifier);
    if (identifier && contains(*identifier)) return detail::broken_identifier<rule::duplicate_identifier>(*identifier);
    if (!is_of_one_kind) return broken<rule::nodes_or_handles>();
    if (mode_ == debug_identifiers::given && !identifier) return broken<rule::missing_identifier>();
    if (handles.empty()) return broken<rule::no_debug_handle>();
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
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

  debug_identifiers mode_;
  vector<debug_map_entry> entries_;
};

}  // namespace baton

// ---- baton/lower/externalize.hpp

// Moves named data out of a program, into files of bounded size.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

class named_data_sharding {
 public:
  constexpr named_data_sharding(named_data_store& store, std::uint64_t cap, std::string_view prefix)
      : store_(store),
        cap_(cap),
        prefix_(prefix) {}

  constexpr auto run() -> failure {
    if (auto why = find_groups()) return why;
    if (groups_.empty()) return {};
    std::sort(groups_.begin(), groups_.end(), [this](const group& a, const group& b) {
      return std::lexicographical_compare(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                                          [this](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
    });
    pack();
    const auto before = store_.external_tags();
    for (const auto& each : shards_) {
      if (std::find(before.begin(), before.end(), view(each.tag)) != before.end()) {
        return broken<rule::external_tag_collision>("tag ", view(each.tag));
      }
    }
    move_entries();
    return {};
  }

 private:
  /// A buffer, and the sorted keys in the program that stand for it.
  struct group {
    std::uint64_t size = 0;
    vector<std::uint32_t> entries;
  };
  struct shard {
    text_buffer tag;
    vector<std::uint32_t> entries;
  };

  constexpr auto key(std::uint32_t entry) const -> std::string_view { return view(store_.entries_[entry].key); }
  constexpr void sort_by_key(vector<std::uint32_t>& entries) const {
    std::sort(entries.begin(), entries.end(), [this](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  }

  constexpr auto find_groups() -> failure {
    vector<group> groups(store_.buffer_count(), group{});
    for (const auto entry : store_.by_key_) {
      const auto& record = store_.entries_[entry];
      if (record.external_tag.empty()) groups[record.buffer].entries.push_back(entry);
    }
    for (std::uint32_t buffer = 0; buffer < groups.size(); ++buffer) {
      auto& found = groups[buffer];
      if (found.entries.empty()) continue;
      found.size = store_.bytes(buffer).size();
      if (found.size > cap_) return broken<rule::oversize_named_data>("buffer ", buffer, " has ", found.size, " bytes, the cap is ", cap_);
      groups_.push_back(std::move(found));
    }
    return {};
  }

  constexpr void pack() {
    std::uint64_t size = 0;
    for (const auto& each : groups_) {
      if (shards_.empty() || each.size > cap_ - size) {
        shards_.emplace_back();
        size = 0;
      }
      size += each.size;
      auto& entries = shards_.back().entries;
      entries.insert(entries.end(), each.entries.begin(), each.entries.end());
    }
    for (auto& each : shards_) {
      sort_by_key(each.entries);
      each.tag = tag_of(each.entries);
    }
  }

  constexpr auto tag_of(const vector<std::uint32_t>& entries) const -> text_buffer {
    text_buffer keys;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i != 0) keys.push_back('\0');
      append(keys, key(entries[i]));
    }
    return join(prefix_, "_", view(sha256_text(view(keys))));
  }

  /// What lay outside before stays in its order, the shards follow.
  constexpr void move_entries() {
    vector<named_data_entry> moved;
    for (auto& entry : store_.entries_) {
      if (!entry.external_tag.empty()) moved.push_back(entry);
    }
    for (const auto& each : shards_) {
      for (const auto i : each.entries) {
        moved.push_back(store_.entries_[i]);
        moved.back().external_tag = each.tag;
      }
    }
    store_.entries_ = std::move(moved);
    for (std::uint32_t i = 0; i < store_.by_key_.size(); ++i) store_.by_key_[i] = i;
    sort_by_key(store_.by_key_);
  }

  named_data_store& store_;
  std::uint64_t cap_;
  std::string_view prefix_;
  vector<group> groups_;
  vector<shard> shards_;
};

}  // namespace detail

/// Moves all named data that the program would hold to files outside it (shards) of at most `cap` bytes each; a buffer counts once, however
/// many keys it has. A shard's tag is `prefix`, `_`, and the SHA-256 of its sorted keys joined by zeros; what lies where does not depend on
/// the order of addition. Doing so again changes nothing, and after an error nothing has changed.
/// Errors: `malformed_shard_cap`, `empty_shard_prefix`, `oversize_named_data`, `external_tag_collision`.
template <class Cap>
[[nodiscard]] constexpr auto externalize(named_data_store& store, Cap cap, std::string_view prefix) -> failure {
  if constexpr (!std::integral<Cap> || std::same_as<Cap, bool>) {
    rule::malformed_shard_cap::report<found<of_type<Cap>>>();
    return broken<rule::malformed_shard_cap>();
  } else {
    if (cap <= 0) return broken<rule::malformed_shard_cap>("cap ", cap);
    if (prefix.empty()) return broken<rule::empty_shard_prefix>();
    return detail::named_data_sharding(store, static_cast<std::uint64_t>(cap), prefix).run();
  }
}

}  // namespace baton

// ---- baton/lower/inspection.hpp

// Questions to a lowered program: what its delegate calls call, and what delegates carry to the target.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// A delegate call and what it calls.
struct lowered_submodule {
  std::string_view name;  ///< `lowered_module_0` and so on; modules of different graphs may have the same
  lowered_module_view module;
  graph_id graph;  ///< the graph of the call
  node_id node;    ///< the call
};

/// The delegate calls of the root graph in order, and, with `reach::branches`, those of its branches behind them. A module that is called
/// twice stands there twice.
constexpr auto lowered_submodules(const program_view& program, reach how_far = reach::graph) -> vector<lowered_submodule> {
  vector<lowered_submodule> found;
  for (const auto id : nested_graphs(program, graph_id{0}, how_far)) {
    const auto run = program[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) {
      const auto called = program.nodes[n].delegate;
      if (called == none<delegate_id>) continue;
      const lowered_module_view module(program, called);
      found.push_back({module.name(), module, id, static_cast<node_id>(n)});
    }
  }
  return found;
}

/// What a delegate carries to the target.
struct delegate_payload {
  std::string_view backend_id;
  std::span<const compile_spec_ref> compile_specs;
  std::string_view processed_bytes;
};

/// The payloads of the lowered modules that the root graph calls (with `reach::branches` also its branches), in order, each with the
/// module's name.
constexpr auto delegated_payload(const program_view& program, reach how_far = reach::graph)
    -> vector<std::pair<std::string_view, delegate_payload>> {
  vector<std::pair<std::string_view, delegate_payload>> found;
  for (const auto& module : delegates(program, graph_id{0}, how_far))
    found.emplace_back(module.name(), delegate_payload{module.backend_id(), module.compile_specs(), module.processed_bytes()});
  return found;
}

/// Whether a value's shape has a size that is not known.
constexpr auto is_shape_dynamic(const program_view& program, value_id id) -> bool {
  const auto shape = program.shape(id);
  return std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; });
}
/// Whether one of a node's outputs has such a shape.
constexpr auto is_shape_dynamic(const program_view& program, const node& record) -> bool {
  const auto outputs = program.outputs_of(record);
  return std::any_of(outputs.begin(), outputs.end(), [&](value_id id) { return is_shape_dynamic(program, id); });
}

}  // namespace baton

// ---- baton/lower/lower_methods.hpp

// Lowers several methods together at run time: all are partitioned first, then each backend has its parts of all of them.

// ---- baton/lower/methods.hpp

// Methods: the named entry points of a model, each with a program, at run time and in the compiler.

#include <boost/hana/string.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// A method at run time.
struct exported_method {
  text_buffer name;
  exported_program program;
};

/// A method of the compiler; its name is a `baton::name`.
template <class Name, class Make>
struct static_method {
  using name = Name;
  using program = static_program<Make>;
};

/// A method: `baton::method<"prefill">(program)`, for a program of either time; `baton::method(text, program)` at run time.
template <fixed_string Name, class Make>
constexpr auto method(static_program<Make>) {
  return static_method<std::remove_const_t<decltype(name<Name>)>, Make>{};
}
constexpr auto method(std::string_view name, exported_program program) -> exported_method { return {join(name), std::move(program)}; }
template <fixed_string Name>
constexpr auto method(exported_program program) -> exported_method {
  return method(Name, std::move(program));
}

namespace detail {

/// The failure of the first name that was there before, if there is one.
constexpr auto check_method_names(std::span<const std::string_view> names) -> failure {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (names[i] != names[j]) continue;
      auto why = broken<rule::duplicate_method>();
      why.method = join(names[i]);
      return why;
    }
  }
  return {};
}

/// The failure of a name that no method has; its reason tells which names there are.
constexpr auto unknown_method(std::string_view name, std::span<const std::string_view> known) -> failure {
  auto why = broken<rule::unknown_method>("the methods are:");
  for (const auto each : known) append(append(why.reason, " "), each);
  why.method = join(name);
  return why;
}

}  // namespace detail

/// The methods of a model at run time, in order. Errors: `duplicate_method`, `unknown_method`.
class exported_methods {
 public:
  constexpr exported_methods() = default;
  constexpr explicit exported_methods(vector<exported_method> all) : all_(std::move(all)) {
    if (auto why = detail::check_method_names(names())) raise(why);
  }

  constexpr void add(exported_method added) {
    all_.push_back(std::move(added));
    if (auto why = detail::check_method_names(names())) raise(why);
  }

  /// The program of a method, null if there is none.
  constexpr auto find(std::string_view name) const -> const exported_program* {
    for (const auto& candidate : all_) {
      if (view(candidate.name) == name) return &candidate.program;
    }
    return nullptr;
  }
  /// The program of a method that is there.
  constexpr auto operator[](std::string_view name) const -> const exported_program& {
    const auto* found = find(name);
    if (found == nullptr) raise(detail::unknown_method(name, names()));
    return *found;
  }
  template <char... C>
  constexpr auto operator[](boost::hana::string<C...> name) const -> const exported_program& {
    return (*this)[to_text(name)];
  }

  constexpr auto names() const -> vector<std::string_view> {
    vector<std::string_view> names;
    for (const auto& each : all_) names.push_back(view(each.name));
    return names;
  }
  constexpr auto size() const -> std::size_t { return all_.size(); }
  constexpr auto begin() const { return all_.begin(); }
  constexpr auto end() const { return all_.end(); }
  /// The methods, to be taken apart: `std::move(methods).release()`.
  constexpr auto release() && -> vector<exported_method> { return std::move(all_); }

 private:
  vector<exported_method> all_;
};

/// The methods of a model in the compiler: an empty object that yields each method's static program by name, so that each can be asserted
/// on, run by an executor, or lowered. Errors, in the compiler: `duplicate_method`, `unknown_method`.
template <class... Methods>
struct static_methods;
template <class... Names, class... Makes>
struct static_methods<static_method<Names, Makes>...> {
  static constexpr std::array<std::string_view, sizeof...(Names)> names{to_text(Names{})...};

 private:
  static consteval auto require_names() -> bool {
    constexpr static_failure why{detail::check_method_names(names)};
    require_unbroken<why>();
    return !why.broken;
  }

 public:
  /// Whether every name stands once; false after the contrary has been reported.
  static constexpr bool is_sound = require_names();

  static constexpr auto size() -> std::size_t { return sizeof...(Names); }

  /// The program of a method: `methods[baton::name<"prefill">]`.
  template <char... C>
  constexpr auto operator[](boost::hana::string<C...>) const {
    using wanted = boost::hana::string<C...>;
    constexpr std::array<bool, sizeof...(Names)> is_wanted{std::is_same_v<Names, wanted>...};
    constexpr auto place = [&] {
      std::size_t at = 0;
      while (at < is_wanted.size() && !is_wanted[at]) ++at;
      return at;
    }();
    if constexpr (place < sizeof...(Names)) {
      return typename std::tuple_element_t<place, std::tuple<std::type_identity<static_program<Makes>>...>>::type{};
    } else {
      constexpr static_failure why{detail::unknown_method(to_text(wanted{}), names)};
      require_unbroken<why>();
      return static_program<no_program>{};
    }
  }

 private:
  struct no_program {
    constexpr auto operator()() const -> exported_program { return {}; }
  };
};

/// The methods of a model, in order: `constexpr auto both = baton::methods(baton::method<"forward">(model),
/// baton::method<"prefill">(other));`; all of the compiler, or all of run time.
template <class... Names, class... Makes>
constexpr auto methods(static_method<Names, Makes>...) -> static_methods<static_method<Names, Makes>...> {
  static_assert(static_methods<static_method<Names, Makes>...>::is_sound || true);  // asks at once, and lets what was said stand alone
  return {};
}
template <class... Methods>
  requires(sizeof...(Methods) != 0 && (std::is_same_v<Methods, exported_method> && ...))
constexpr auto methods(Methods... each) -> exported_methods {
  vector<exported_method> all;
  all.reserve(sizeof...(each));
  (all.push_back(std::move(each)), ...);
  return exported_methods(std::move(all));
}

}  // namespace baton

// ---- baton/lower/partitioners.hpp

// Several partitioners: one after the other, and by method.

#include <boost/hana/string.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// Partitioners in the order of their priority, each for what those before it left.
template <class... Partitioners>
struct partitioner_list {
  std::tuple<Partitioners...> partitioners;
};

/// Several partitioners in one call: `baton::to_backend(target, model, baton::in_order(first{}, second{}))`. The result is that of one call
/// after the other: a node belongs to the first that tags it, and a delegate that one made is one node to those behind it. With several
/// methods, every partitioner has its turn at all of them. In the compiler, a partitioner with state is given as a lambda without captures
/// that makes it. An empty list leaves the program as it is. An error says which partitioner of the list it comes from.
template <class... Partitioners>
constexpr auto in_order(Partitioners... each) -> partitioner_list<Partitioners...> {
  return {{std::move(each)...}};
}

/// The partitioners of one method, applied one after the other. `Name` is a `baton::name`, or a `std::string_view` at run time.
template <class Name, class... Partitioners>
struct method_partitioners {
  static constexpr std::size_t count = sizeof...(Partitioners);
  Name name;
  std::tuple<Partitioners...> partitioners;

  constexpr auto method() const -> std::string_view {
    if constexpr (std::is_same_v<Name, std::string_view>) {
      return name;
    } else {
      return to_text(name);
    }
  }
};

/// The partitioners of one method: `baton::for_method<"prefill">(my_partitioner{})`. Several are applied one after the other, each to what
/// the one before it left. `baton::for_method(text, ...)` at run time; the text must outlive what is returned.
template <fixed_string Name, class... Partitioners>
constexpr auto for_method(Partitioners... each) {
  return method_partitioners<std::remove_const_t<decltype(name<Name>)>, Partitioners...>{{}, {std::move(each)...}};
}
template <class... Partitioners>
constexpr auto for_method(std::string_view name, Partitioners... each) {
  return method_partitioners<std::string_view, Partitioners...>{name, {std::move(each)...}};
}

/// Partitioners for some of the methods of a model, in order; methods that have none are left as they are.
template <class... Entries>
struct partitioner_map {
  std::tuple<Entries...> entries;
};

/// The partitioners of several methods: `baton::partitioners(baton::for_method<"forward">(p{}), baton::for_method<"prefill">(q{}))`.
template <class... Each>
constexpr auto partitioners(Each... entries) -> partitioner_map<Each...> {
  return {{std::move(entries)...}};
}

namespace detail {

template <class>
inline constexpr bool is_partitioner_map = false;
template <class... Entries>
inline constexpr bool is_partitioner_map<partitioner_map<Entries...>> = true;

/// A place in a list of partitioners; a partitioner that was given alone has none.
struct list_place {
  std::size_t place = 0;
  std::size_t count = 0;

  /// The failure, "partitioner 2 of 3" before its reason.
  constexpr auto told(failure why) const -> failure {
    if (!why || count == 0) return why;
    auto reason = join("partitioner ", place + 1, " of ", count);
    if (!why.reason.empty()) append(append(reason, ": "), view(why.reason));
    why.reason = std::move(reason);
    return why;
  }
  constexpr auto told(static_failure why) const -> static_failure {
    failure plain;
    if (why.broken) plain.rule = "broken";
    plain.reason = join(std::string_view{why.reason.characters, why.reason.size});
    why.reason = decltype(why.reason)(told(std::move(plain)).reason);
    return why;
  }
};

/// How many partitioners stand in a list; 0: this is no list, and errors tell no place.
template <class>
inline constexpr std::size_t listed_partitioners = 0;
template <class... Partitioners>
inline constexpr std::size_t listed_partitioners<partitioner_list<Partitioners...>> = sizeof...(Partitioners);

/// How many rounds methods are lowered in: one for a partitioner, one each for a list, for a map as many as its longest entry has.
template <class>
inline constexpr std::size_t rounds_of = 1;
template <class... Entries>
inline constexpr std::size_t rounds_of<partitioner_map<Entries...>> = std::max({std::size_t{0}, Entries::count...});
template <class... Partitioners>
inline constexpr std::size_t rounds_of<partitioner_list<Partitioners...>> = sizeof...(Partitioners);

}  // namespace detail

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The failure of names of methods to which partitioners were given: one that stands twice, or that no method has.
constexpr auto check_partitioned_names(std::span<const std::string_view> partitioned, std::span<const std::string_view> known) -> failure {
  if (auto why = check_method_names(partitioned)) return why;
  for (const auto name : partitioned) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return unknown_method(name, known);
  }
  return {};
}

/// One round of lowering: methods whose turn it is are tagged, then lowered backend by backend, then put together again.
class lowering_of_methods {
 public:
  constexpr lowering_of_methods(exported_methods methods, validation checks) : methods_(std::move(methods).release()), checks_(checks) {
    for (const auto& each : methods_) names_.push_back(view(each.name));
  }
  constexpr auto names() const -> const vector<std::string_view>& { return names_; }

  template <class... Backends, class Partitioner>
  constexpr auto tag(backend_list<Backends...> list, std::string_view name, const Partitioner& partitioner) -> failure {
    const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    auto made = partition_step(list, methods_[place].program, partitioner, checks_);
    if (!made) {
      made.error.method = join(name);
      return std::move(made.error);
    }
    places_.push_back(place);
    tagged_names_.push_back(name);
    tagged_.push_back(std::move(made.value));
    return {};
  }

  template <class... Backends>
  constexpr auto lower(backend_list<Backends...> list) -> failure {
    const vector<program_view> views(tagged_.begin(), tagged_.end());
    lowered_.resize(tagged_.size());
    for (std::size_t m = 0; m < tagged_.size(); ++m) lowered_[m].resize(parts_of(tagged_[m]).size());
    for (const auto& batch : batch_finder().run(views)) {
      auto made = batch_step(list, tagged_names_, views, batch, source_bytes::copied);
      if (!made) return std::move(made.error);
      for (std::size_t i = 0; i < batch.members.size(); ++i) {
        const auto& member = batch.members[i];
        lowered_[member.method][member.number] = std::move(made.value[i]);
      }
    }
    return {};
  }

  constexpr auto assemble() -> failure {
    for (std::size_t m = 0; m < tagged_.size(); ++m) {
      vector<lowered_module_view> modules;
      for (const auto& part : lowered_[m]) modules.emplace_back(part, last_delegate(part));
      auto made = assembly_step(tagged_[m], modules, source_bytes::copied, checks_);
      if (!made) {
        made.error.method = join(tagged_names_[m]);
        return std::move(made.error);
      }
      methods_[places_[m]].program = std::move(made.value);
    }
    return check_methods_named_data();
  }

  constexpr auto release() && -> exported_methods { return exported_methods(std::move(methods_)); }

 private:
  /// A key means the same bytes in all methods.
  constexpr auto check_methods_named_data() const -> failure {
    named_data_store merged;
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      auto why = merge_named_data(merged, program_view(methods_[m].program), reach::branches);
      if (!why) continue;
      why.method = join(names_[m]);
      return why;
    }
    return {};
  }

  vector<exported_method> methods_;
  vector<std::string_view> names_;
  validation checks_;
  // Of each tagged method, in the order of the partitioners:
  vector<std::size_t> places_;  ///< among the methods
  vector<std::string_view> tagged_names_;
  vector<exported_program> tagged_;
  vector<vector<exported_program>> lowered_;  ///< in the order of `parts_of`
};

template <std::size_t Round, class... Backends, class Partitioner>
constexpr auto tag_methods(lowering_of_methods& lowering, backend_list<Backends...> list, const Partitioner& partitioner) -> failure {
  for (const auto name : lowering.names()) {
    if (auto why = lowering.tag(list, name, partitioner)) return why;
  }
  return {};
}
template <std::size_t Round, class... Backends, class... Entries>
constexpr auto tag_methods(lowering_of_methods& lowering, backend_list<Backends...> list, const partitioner_map<Entries...>& map)
    -> failure {
  failure why;
  const auto tag_one = [&](const auto& entry) {
    if constexpr (Round < std::remove_cvref_t<decltype(entry)>::count) {
      if (!why) why = lowering.tag(list, entry.method(), std::get<Round>(entry.partitioners));
    }
  };
  std::apply([&](const auto&... each) { (tag_one(each), ...); }, map.entries);
  return why;
}

template <std::size_t Round, class... Backends, class... Partitioners>
constexpr auto tag_methods(lowering_of_methods& lowering, backend_list<Backends...> list, const partitioner_list<Partitioners...>& order)
    -> failure {
  return tag_methods<Round>(lowering, list, std::get<Round>(order.partitioners));
}

template <class Partitioner>
constexpr auto names_of(const Partitioner&) -> vector<std::string_view> {
  return {};
}
template <class... Entries>
constexpr auto names_of(const partitioner_map<Entries...>& map) -> vector<std::string_view> {
  return std::apply([](const auto&... each) { return vector<std::string_view>{each.method()...}; }, map.entries);
}

template <std::size_t Round, class... Backends, class Partitioners>
constexpr auto lower_in_rounds(backend_list<Backends...> list, exported_methods methods, const Partitioners& partitioners,
                               validation checks) -> result<exported_methods> {
  if constexpr (Round == rounds_of<Partitioners>) {
    return methods;
  } else {
    lowering_of_methods lowering(std::move(methods), checks);
    constexpr list_place at{Round, listed_partitioners<Partitioners>};
    if (auto why = tag_methods<Round>(lowering, list, partitioners)) return at.told(std::move(why));
    if (auto why = lowering.lower(list)) return at.told(std::move(why));
    if (auto why = lowering.assemble()) return at.told(std::move(why));
    return lower_in_rounds<Round + 1>(list, std::move(lowering).release(), partitioners, checks);
  }
}

template <class... Backends, class Partitioners>
constexpr auto lower_methods(backend_list<Backends...> list, exported_methods methods, const Partitioners& partitioners, validation checks)
    -> result<exported_methods> {
  if (auto why = check_partitioned_names(names_of(partitioners), methods.names())) return why;
  return lower_in_rounds<0>(list, std::move(methods), partitioners, checks);
}

}  // namespace baton::detail

// ---- baton/lower/lowering_in_order.hpp

// Lowers a program with several partitioners: the steps of one partitioner after those of another, in both times.

// ---- baton/lower/lowering_stages.hpp

// The steps of lowering as constants of the compiler: every step, and every part, is one of its own.

#include <cstddef>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

/// A partitioner without state, or what a callable without state makes.
template <class Given>
constexpr auto partitioner_of(Given given) {
  if constexpr (std::is_invocable_v<Given>) {
    return given();
  } else {
    return given;
  }
}

template <class List, class Model, class Partitioner, validation Checks>
struct partition_stage {
  static constexpr bool stages_are_whole = Model::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      return partition_step(List{}, thaw(Model::value()), partitioner_of(Partitioner{}), Checks);
    } else {
      return exported_program{};
    }
  }
};

template <class List, class Tagged, std::size_t I>
struct part_stage {
  static constexpr bool stages_are_whole = Tagged::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    return part_step(List{}, Tagged::value(), parts_of(Tagged::value())[I], source_bytes::kept);
  }
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

/// What kept the first of some static programs from being made that could not be made.
template <class... Programs>
constexpr auto first_failure() -> static_failure {
  static_failure first;
  static_cast<void>(((first = outcome_constant<typename Programs::make>.why, first.broken) || ...));
  return first;
}

template <class List, class Model, class Tagged, validation Checks, class Parts>
struct lowering_stage;
template <class List, class Model, class Tagged, validation Checks, std::size_t... I>
struct lowering_stage<List, Model, Tagged, Checks, std::index_sequence<I...>> {
  using backend_types = typename joined<typename backends_of<typename Model::make>::type, List>::type;
  static constexpr bool stages_are_whole = Tagged::is_whole && (static_program<part_stage<List, Tagged, I>>::is_whole && ...);

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      const vector<lowered_module_view> modules{module_of<static_program<part_stage<List, Tagged, I>>>()...};
      return assembly_step(Tagged::value(), modules, source_bytes::kept, Checks);
    } else {
      return exported_program{};
    }
  }
  template <class Lowered>
  static constexpr auto module_of() -> lowered_module_view {
    return {Lowered::value(), last_delegate(Lowered::value())};
  }
  /// What kept a part, or the program that is put together from them, from being made.
  static constexpr auto why() -> static_failure {
    if constexpr (stages_are_whole) {
      return first_failure<static_program<lowering_stage>>();
    } else {
      return first_failure<static_program<part_stage<List, Tagged, I>>...>();
    }
  }
  /// Stops the compiler with the sentence of the first part that failed, if one did.
  static constexpr void report() { (static_program<part_stage<List, Tagged, I>>::report(), ...); }
};

template <class List, class Id, class Model, class Specs>
struct by_id_stage {
  using backend_types = typename joined<typename backends_of<typename Model::make>::type, List>::type;
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

}  // namespace detail

}  // namespace baton

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// Lowers at run time, or within a constant, with one partitioner after the other; the first failure ends it.
template <class... Backends, class... Partitioners>
constexpr auto lower_program(backend_list<Backends...> list, const exported_program& program,
                             const partitioner_list<Partitioners...>& order, validation checks) -> result<exported_program> {
  result<exported_program> made;
  list_place at{0, sizeof...(Partitioners)};
  const auto lower_next = [&](const auto& partitioner) {
    if (!made) return;
    made = lower_program(list, at.place == 0 ? program : made.value, partitioner, checks);
    if (!made) made.error = at.told(std::move(made.error));
    at.place += 1;
  };
  std::apply([&](const auto&... each) { (lower_next(each), ...); }, order.partitioners);
  if constexpr (sizeof...(Partitioners) == 0) made.value = program;
  return made;
}

/// Lowers a static program with the partitioner at a place of a list, then with those behind it.
template <list_place At, class List, class Model, validation Checks, class... Partitioners>
constexpr auto lower_static_in_order() {
  if constexpr (At.place == At.count) {
    return Model{};
  } else {
    using partitioner = std::tuple_element_t<At.place, std::tuple<Partitioners...>>;
    using tagged = static_program<partition_stage<List, Model, partitioner, Checks>>;
    if constexpr (!tagged::is_whole) {
      require_unbroken<At.told(first_failure<tagged>())>();
      return Model{};
    } else {
      constexpr auto count = parts_of(tagged::value()).size();
      using stage = lowering_stage<List, Model, tagged, Checks, std::make_index_sequence<count>>;
      constexpr auto why = At.told(stage::why());
      require_unbroken<why>();
      if constexpr (why.broken) {
        return Model{};
      } else {
        return lower_static_in_order<list_place{At.place + 1, At.count}, List, static_program<stage>, Checks, Partitioners...>();
      }
    }
  }
}

}  // namespace baton::detail

// ---- baton/lower/lowering_round.hpp

// Lowers several methods together in the compiler: the same steps, each a constant of its own.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// A method's turn: its name, and what partitions it in this round.
template <class Name, class Partitioner>
struct turn {};
template <class... Turns>
struct turns {};

/// One round of lowering: which methods, to which backends, tagged by what. `turns` stand in the order of the partitioners.
template <class List, class Methods, class Turns, validation Checks>
struct lowering_round;

/// The `M`th turn's program with tags.
template <class Round, std::size_t M>
struct turn_stage {
  static constexpr bool stages_are_whole = Round::template model<M>::is_whole;
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      auto made = partition_step(typename Round::list{}, thaw(Round::template model<M>::value()),
                                 partitioner_of(typename Round::template partitioner<M>{}), Round::checks);
      if (!made) made.error.method = join(Round::names[M]);
      return made;
    } else {
      return exported_program{};
    }
  }
};

/// A part of the `M`th turn's program, of a backend that preprocesses part by part.
template <class Round, std::size_t M, std::size_t Number>
struct turn_part_stage {
  constexpr auto operator()() const -> result<exported_program> {
    const program_view tagged = Round::template tagged<M>::value();
    auto made = part_step(typename Round::list{}, tagged, parts_of(tagged)[Number], source_bytes::kept);
    if (!made) made.error.method = join(Round::names[M]);
    return made;
  }
};

/// All parts of a backend that preprocesses them at once.
template <class Round, std::size_t Batch>
struct batch_stage {
  constexpr auto operator()() const -> result<exported_program> {
    const auto views = Round::views();
    const auto made = batch_step(typename Round::list{}, Round::names, views, batch_finder().run(views)[Batch], source_bytes::kept);
    if (!made) return made.error;
    std::size_t bytes = 0;
    for (const auto& part : made.value) bytes += lowered_module_view(part, last_delegate(part)).processed_bytes().size();
    // They are copied once more than a blob alone is.
    if (auto why = check_blob(bytes, constant_blob_bytes / 2)) return why;
    return merged(made.value);
  }
};

/// Where the lowered module of a part comes out.
struct module_place {
  bool is_of_batch = false;
  std::uint32_t batch = 0;
  std::uint32_t member = 0;
};

/// Where every lowered module of a round comes out.
template <class Round>
struct module_places {
  /// By turn: the place of its first part in `places`; behind the last, how many parts there are in all.
  static constexpr auto first_part = [] {
    std::array<std::size_t, Round::count + 1> first{};
    const auto all = Round::views();
    for (std::size_t m = 0; m < Round::count; ++m) first[m + 1] = first[m] + parts_of(all[m]).size();
    return first;
  }();

  static constexpr auto places = [] {
    std::array<module_place, first_part[Round::count]> made{};
    const auto all = Round::views();
    const auto batches = batch_finder().run(all);
    for (std::uint32_t b = 0; b < batches.size(); ++b) {
      for (std::uint32_t i = 0; i < batches[b].members.size(); ++i) {
        const auto& member = batches[b].members[i];
        made[first_part[member.method] + member.number] = {Round::is_batch_backend(batches[b].backend_id), b, i};
      }
    }
    return made;
  }();
};

/// The lowered module of a part of the `M`th turn's program.
template <class Round, std::size_t M, std::size_t Number>
struct turn_module {
  static constexpr module_place place = module_places<Round>::places[module_places<Round>::first_part[M] + Number];
  using stage = typename std::conditional_t<place.is_of_batch, std::type_identity<static_program<batch_stage<Round, place.batch>>>,
                                            std::type_identity<static_program<turn_part_stage<Round, M, Number>>>>::type;

  static constexpr auto view() -> lowered_module_view {
    const program_view made = stage::value();
    return {made, place.is_of_batch ? made.nodes_of(made.root())[place.member].delegate : last_delegate(made)};
  }
};

/// The `M`th turn's program with delegate calls in the places of its parts.
template <class Round, std::size_t M>
struct method_stage {
  using backend_types = typename joined<typename backends_of<typename Round::template model<M>::make>::type, typename Round::list>::type;
  /// The methods that this one was lowered with.
  using round = Round;

  /// Calls `f` with the modules of all parts as template arguments.
  template <class F>
  static constexpr auto with_modules(F f) {
    using layout = module_places<Round>;
    return [&f]<std::size_t... I>(std::index_sequence<I...>) {
      return f.template operator()<turn_module<Round, M, I>...>();
    }(std::make_index_sequence<layout::first_part[M + 1] - layout::first_part[M]>{});
  }
  static constexpr bool stages_are_whole = with_modules([]<class... Modules>() { return (Modules::stage::is_whole && ...); });
  /// What kept a part from being lowered.
  static constexpr auto why() -> static_failure {
    return with_modules([]<class... Modules>() { return first_failure<typename Modules::stage...>(); });
  }

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_whole) {
      const auto modules = with_modules([]<class... Modules>() { return vector<lowered_module_view>{Modules::view()...}; });
      auto made = assembly_step(Round::template tagged<M>::value(), modules, source_bytes::kept, Round::checks);
      if (!made) made.error.method = join(Round::names[M]);
      return made;
    } else {
      return exported_program{};
    }
  }
};

template <class... Backends, class... Names, class... Makes, class... Of, class... Partitioners, validation Checks>
struct lowering_round<backend_list<Backends...>, static_methods<static_method<Names, Makes>...>, turns<turn<Of, Partitioners>...>, Checks> {
  using list = backend_list<Backends...>;
  using methods = static_methods<static_method<Names, Makes>...>;
  static constexpr auto checks = Checks;
  static constexpr std::size_t count = sizeof...(Of);
  static constexpr std::array<std::string_view, count> names{to_text(Of{})...};

  template <std::size_t M>
  using model = std::tuple_element_t<M, std::tuple<decltype(methods{}[Of{}])...>>;
  template <std::size_t M>
  using partitioner = std::tuple_element_t<M, std::tuple<Partitioners...>>;
  template <std::size_t M>
  using tagged = static_program<turn_stage<lowering_round, M>>;

  /// Whether every turn's program could be tagged.
  static constexpr bool is_tagged = []<std::size_t... M>(std::index_sequence<M...>) {
    return (tagged<M>::is_whole && ...);
  }(std::make_index_sequence<count>{});

  static constexpr auto views() -> std::array<program_view, count> {
    return []<std::size_t... M>(std::index_sequence<M...>) {
      return std::array<program_view, count>{tagged<M>::value()...};
    }(std::make_index_sequence<count>{});
  }

  static constexpr auto is_batch_backend(std::string_view id) -> bool {
    return ((batch_backend<Backends> && to_text(Backends::id) == id) || ...);
  }

  /// The turn of a method, `count` if it has none in this round.
  template <class Name>
  static constexpr std::size_t turn_of = [] {
    std::size_t at = 0;
    static_cast<void>(((std::is_same_v<Of, Name> || (++at, false)) || ...));
    return at;
  }();
  template <class Name, class Make>
  struct made_by {
    using type = method_stage<lowering_round, turn_of<Name>>;
  };
  template <class Name, class Make>
    requires(turn_of<Name> == count)
  struct made_by<Name, Make> {
    using type = Make;
  };
  /// The methods as they are after the round; those that had no turn are what they were.
  using result = static_methods<static_method<Names, typename made_by<Names, Makes>::type>...>;

  /// What kept a turn's program, or what was made from it, from being made.
  static constexpr auto why_not_tagged() -> static_failure {
    return []<std::size_t... M>(std::index_sequence<M...>) {
      return first_failure<model<M>..., tagged<M>...>();
    }(std::make_index_sequence<count>{});
  }
  static constexpr auto why_not_lowered() -> static_failure {
    static_failure first;
    []<std::size_t... M>(std::index_sequence<M...>, static_failure& why) {
      static_cast<void>(((why = method_stage<lowering_round, M>::why(), why.broken) || ...));
    }(std::make_index_sequence<count>{}, first);
    return first;
  }

  /// The lowered modules of a turn's parts.
  template <std::size_t M>
  static constexpr auto modules_of() -> vector<lowered_module_view> {
    return method_stage<lowering_round, M>::with_modules(
        []<class... Modules>() { return vector<lowered_module_view>{Modules::view()...}; });
  }
  /// What named data the methods disagree on: in the modules of this round, and in what they had before.
  static constexpr auto why_not_merged() -> static_failure {
    return []<std::size_t... M>(std::index_sequence<M...>) {
      const std::array<program_view, sizeof...(Names)> before{static_program<Makes>::value()...};
      const std::array<vector<lowered_module_view>, count> modules{modules_of<M>()...};
      named_data_store merged;
      for (std::size_t m = 0; m < before.size(); ++m) {
        if (auto why = merge_named_data(merged, before[m], reach::branches)) return in_method(std::move(why), methods::names[m]);
      }
      for (std::size_t m = 0; m < count; ++m) {
        for (const auto& module : modules[m]) {
          if (auto why = merge_named_data(merged, module)) return in_method(std::move(why), names[m]);
        }
      }
      return static_failure{};
    }(std::make_index_sequence<count>{});
  }
  static constexpr auto in_method(failure why, std::string_view method) -> static_failure {
    why.method = join(method);
    return static_failure{why};
  }
};

template <class Methods, class Partitioner>
struct turns_of_all;
template <class... Names, class... Makes, class Partitioner>
struct turns_of_all<static_methods<static_method<Names, Makes>...>, Partitioner> {
  using type = turns<turn<Names, Partitioner>...>;
};

template <std::size_t Round, class Entry>
struct turn_of_entry {
  using type = turns<>;
};
template <std::size_t Round, class Name, class... Partitioners>
  requires(Round < sizeof...(Partitioners))
struct turn_of_entry<Round, method_partitioners<Name, Partitioners...>> {
  using type = turns<turn<Name, std::tuple_element_t<Round, std::tuple<Partitioners...>>>>;
};

template <class...>
struct joined_turns {
  using type = turns<>;
};
template <class... First, class... Rest>
struct joined_turns<turns<First...>, Rest...> {
  template <class>
  struct with;
  template <class... Others>
  struct with<turns<Others...>> {
    using type = turns<First..., Others...>;
  };
  using type = typename with<typename joined_turns<Rest...>::type>::type;
};

/// The turns of a round: one partitioner for all methods, or those of a map that have one for this round.
template <std::size_t Round, class Methods, class Partitioners>
struct turns_of {
  using type = typename turns_of_all<Methods, Partitioners>::type;
};
template <std::size_t Round, class Methods, class... Entries>
struct turns_of<Round, Methods, partitioner_map<Entries...>> {
  using type = typename joined_turns<typename turn_of_entry<Round, Entries>::type...>::type;
};
template <std::size_t Round, class Methods, class... Partitioners>
struct turns_of<Round, Methods, partitioner_list<Partitioners...>> {
  using type = typename turns_of_all<Methods, std::tuple_element_t<Round, std::tuple<Partitioners...>>>::type;
};

template <std::size_t Round, class List, class Methods, class Partitioners, validation Checks>
constexpr auto lower_static_methods() {
  if constexpr (Round == rounds_of<Partitioners>) {
    return Methods{};
  } else {
    using round = lowering_round<List, Methods, typename turns_of<Round, Methods, Partitioners>::type, Checks>;
    constexpr list_place at{Round, listed_partitioners<Partitioners>};
    if constexpr (!round::is_tagged) {
      require_unbroken<at.told(round::why_not_tagged())>();
      return Methods{};
    } else {
      constexpr auto why = at.told(round::why_not_lowered());
      require_unbroken<why>();
      if constexpr (why.broken) {
        return Methods{};
      } else {
        require_unbroken<at.told(round::why_not_merged())>();
        return lower_static_methods<Round + 1, List, typename round::result, Partitioners, Checks>();
      }
    }
  }
}

}  // namespace baton::detail

// ---- baton/lower/make_lowered_module.hpp

// A lowered module made by hand: from a blob that another tool compiled, or for a test.

#include <string_view>

namespace baton {

/// The lowered module that `to_backend` would give if the backend of that id had made this of the program. The id need not be known here,
/// unless the module is executed. Errors: those of `verify`, `duplicate_identifier`, `foreign_debug_handle`.
constexpr auto make_lowered_module(const exported_program& original, std::string_view backend_id, const preprocess_result& made,
                                   const compile_specs& specs = {}) -> lowered_module {
  if (auto why = verify(original)) raise(why);
  return lowered_module(value_or_raise(detail::with_lowered_module(original, backend_id, specs, made)));
}

}  // namespace baton

// ---- baton/lower/methods_named_data.hpp

// The named data of several methods together.

#include <array>

namespace baton {

/// The named data of all delegates of all methods: a key of several methods stands once. Views, which the methods must outlive.
constexpr auto named_data(const exported_methods& methods, reach how_far = reach::branches) -> named_data_store {
  vector<program_view> programs;
  for (const auto& each : methods) programs.push_back(each.program);
  return value_or_raise(merged_named_data(programs, how_far));
}
template <class... Names, class... Makes>
constexpr auto named_data(static_methods<static_method<Names, Makes>...>, reach how_far = reach::branches) -> named_data_store {
  const std::array<program_view, sizeof...(Makes)> programs{static_program<Makes>::value()...};
  return value_or_raise(merged_named_data(programs, how_far));
}

}  // namespace baton

// ---- baton/lower/methods_to_backend.hpp

// The entry points of delegation for several methods: every backend sees its parts of all methods at once.

// ---- baton/lower/partitioner_requirement.hpp

// What entry points ask of partitioners, given alone or several together, before they lower anything.

#include <type_traits>
#include <utility>

namespace baton::detail {

/// Whether something is a partitioner, or a lambda without captures that makes one; if not, the compiler is stopped with a sentence.
template <class Given>
consteval auto require_partitioner_of() -> bool {
  return require_partitioner<decltype(partitioner_of(std::declval<Given>()))>();
}

/// Asks of everything that stands for one or more partitioners whether each is one, and whether it has state.
template <class Partitioner>
struct partitioner_requirement {
  static consteval auto holds() -> bool { return require_partitioner_of<Partitioner>(); }
  static constexpr bool is_stateless = std::is_empty_v<Partitioner>;
};
template <class... Partitioners>
struct partitioner_requirement<partitioner_list<Partitioners...>> {
  static consteval auto holds() -> bool { return (require_partitioner_of<Partitioners>() && ...); }
  static constexpr bool is_stateless = (std::is_empty_v<Partitioners> && ...);
};
template <class Name, class... Partitioners>
struct partitioner_requirement<method_partitioners<Name, Partitioners...>> {
  static consteval auto holds() -> bool { return (require_partitioner_of<Partitioners>() && ...); }
  static constexpr bool is_stateless = (std::is_empty_v<Partitioners> && ...) && std::is_empty_v<Name>;
};
template <class... Entries>
struct partitioner_requirement<partitioner_map<Entries...>> {
  static consteval auto holds() -> bool { return (partitioner_requirement<Entries>::holds() && ...); }
  static constexpr bool is_stateless = (partitioner_requirement<Entries>::is_stateless && ...);
};

}  // namespace baton::detail

#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// Lowers several methods together, at run time or within a constant: with one partitioner for all of them, with several `in_order(...)`,
/// or with `partitioners(...)` by method; methods without one come back as they are. All methods are partitioned and checked before any
/// part is preprocessed. A backend with `preprocess_multimethod` is called once, with its parts of all methods; the others preprocess part
/// by part. Errors: those of lowering one program, which then name the method; `duplicate_method`, `unknown_method`, `unmatched_results`.
template <class... Backends, class Partitioners>
constexpr auto to_backend(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners,
                          validation checks = validation::on) -> exported_methods {
  if constexpr (detail::partitioner_requirement<Partitioners>::holds() && backend_list<Backends...>::is_sound) {
    return value_or_raise(detail::lower_methods(target, std::move(methods), partitioners, checks));
  } else {
    return {};
  }
}

/// The same for methods of the compiler; the result is methods again. A batch is one constant, every other part one of its own.
template <class... Backends, class... Methods, class Partitioners, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_methods<Methods...>, Partitioners,
                          std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using methods = static_methods<Methods...>;
  using requirement = detail::partitioner_requirement<Partitioners>;
  static_assert(
      requirement::is_stateless,
      "baton to_backend: what lowers static methods must have no state; pass partitioners as lambdas without captures that return "
      "them, and names of methods as template arguments");
  if constexpr (requirement::is_stateless && requirement::holds() && list::is_sound && methods::is_sound) {
    constexpr static_failure why{detail::check_partitioned_names(detail::names_of(Partitioners{}), methods::names)};
    require_unbroken<why>();
    if constexpr (why.broken) {
      return methods{};
    } else {
      return detail::lower_static_methods<0, list, methods, Partitioners, Checks>();
    }
  } else {
    return methods{};
  }
}

}  // namespace baton

// ---- baton/lower/placed_module.hpp

// Puts a lowered module into a program under construction, and calls it there.

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

namespace baton {

namespace detail {

/// The view of whatever is a lowered module: a view, or an object that has one.
template <class Module>
constexpr auto view_of_module(const Module& module) -> lowered_module_view {
  if constexpr (requires {
                  { module.view() } -> std::convertible_to<lowered_module_view>;
                }) {
    return module.view();
  } else if constexpr (std::convertible_to<const Module&, lowered_module_view>) {
    return module;
  } else {
    static_assert(always_false<Module>,
                  "baton placed_module: a delegate call calls a lowered module; give what to_backend returned for a backend id, or one of "
                  "baton::delegates(program)");
    return {program_view{}, none<delegate_id>};
  }
}

}  // namespace detail

/// A lowered module placed in the program that a builder makes. Calling it adds a delegate call to the builder's current graph; it may be
/// called often, and stays one lowered module, with the number of its first call. Example:
///   baton::program_builder build;
///   const auto x = build.user_input("x", type);
///   baton::placed_module sine(build, lowered);
///   build.output(sine({sine({x})[0]})[0]);
/// With `source_bytes::kept`, texts and blobs stay where the module, which must then outlive the program, has them.
class placed_module {
 public:
  template <class Module>
  constexpr placed_module(program_builder& to, const Module& module, source_bytes bytes = source_bytes::copied) : to_(to) {
    const lowered_module_view from = detail::view_of_module(module);
    const auto& source = from.program();
    const auto here = to_.current();
    program_copier copier(source, to_, bytes);
    id_ = copier.copy_delegate(source, from.id());
    to_.enter(here);
    for (const auto& spec : source.outputs_of(source[from.original()])) {
      if (spec.kind != output_kind::user_output) continue;
      outputs_.push_back(copier.record_of(spec.value));
      outputs_.back().kind = value_kind::intermediate;
      outputs_.back().data = {};
      outputs_.back().target = {};
    }
  }

  /// Adds a call with one argument a user input of the module's original, in their order; gives one value a user output of it.
  constexpr auto operator()(std::span<const value_id> arguments) -> vector<value_id> {
    const auto here = counts();
    if (!is_named_) to_.draft().delegates[index(id_)].name = to_.own(view(join("lowered_module_", here.modules)));
    is_named_ = true;
    vector<value_id> outputs;
    for (auto record : outputs_) {
      record.name = to_.own(view(numbered("getitem", here.outputs + outputs.size())));
      outputs.push_back(to_.add_value(record));
    }
    auto call = to_.make_node(view(numbered(call_delegate.text, here.calls)), call_delegate.text);
    call.delegate = id_;
    to_.add_node(call, arguments, outputs);
    return outputs;
  }
  constexpr auto operator()(std::initializer_list<value_id> arguments) -> vector<value_id> {
    return (*this)(std::span{arguments.begin(), arguments.size()});
  }

  /// Its place in the program that is built.
  constexpr auto id() const -> delegate_id { return id_; }

 private:
  static constexpr auto numbered(std::string_view name, std::size_t number) -> text_buffer {
    if (number == 0) return join(name);
    return join(name, "_", number);
  }

  struct counts_of_graph {
    std::size_t calls = 0;    ///< of lowered modules
    std::size_t modules = 0;  ///< called
    std::size_t outputs = 0;  ///< of calls
  };
  /// What the current graph has of delegates.
  constexpr auto counts() const -> counts_of_graph {
    counts_of_graph found;
    const auto& draft = to_.draft();
    vector<char> seen(draft.delegates.size(), 0);
    for (std::size_t n = 0; n < draft.nodes.size(); ++n) {
      const auto& record = draft.nodes[n];
      if (record.delegate == none<delegate_id> || to_.graph_of(static_cast<node_id>(n)) != to_.current()) continue;
      ++found.calls;
      found.outputs += record.outputs.size;
      found.modules += seen[index(record.delegate)] == 0 ? 1u : 0u;
      seen[index(record.delegate)] = 1;
    }
    return found;
  }

  program_builder& to_;
  delegate_id id_ = none<delegate_id>;
  vector<value> outputs_;  ///< what a call gives, without names
  bool is_named_ = false;
};

}  // namespace baton

// ---- baton/lower/print_mapping.hpp

// A debug handle map as text: `{0: (1, 2), 'tan': (5,)}`.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

namespace detail {

/// Appends one entry; `text` is null where the identifier is a number.
constexpr void append_entry(text_buffer& to, std::int64_t number, const std::string_view* text, std::span<const std::int64_t> handles) {
  if (to.size() > 1) append(to, ", ");
  if (text == nullptr) {
    append(to, number);
  } else {
    append(append(append(to, "'"), *text), "'");
  }
  append(to, ": (");
  for (std::size_t i = 0; i < handles.size(); ++i) append(append(to, i == 0 ? "" : ", "), handles[i]);
  append(to, handles.size() == 1 ? ",)" : ")");
}

}  // namespace detail

/// A map as a builder or a backend makes it, in its order. Identifiers that are texts stand in quotes.
constexpr auto print_mapping(std::span<const debug_map_entry> map) -> text_buffer {
  auto text = join("{");
  for (const auto& entry : map) {
    const auto identifier = view(entry.text);
    detail::append_entry(text, entry.identifier, entry.is_text ? &identifier : nullptr, entry.handles);
  }
  return append(text, "}");
}

/// The map of a lowered module.
constexpr auto print_mapping(const lowered_module_view& module) -> text_buffer {
  auto text = join("{");
  for (const auto& entry : module.debug_handle_map()) {
    const auto identifier = module.program().text(entry.text);
    detail::append_entry(text, entry.identifier, entry.is_text ? &identifier : nullptr, module.handles(entry));
  }
  return append(text, "}");
}

}  // namespace baton

// ---- baton/lower/standalone_program.hpp

// A lowered module as a program of its own, to be run or placed like any other.

// ---- baton/lower/to_backend.hpp

// The entry points of delegation: by backend id and by partitioner, for programs of the compiler and of run time.

#include <boost/hana/string.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// Lowers a program with a partitioner, at run time or within a constant: every part goes to its backend, a delegate call takes its place.
/// Tagged constants with several users are shared (`share_constants`).
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
/// part is a constant of its own. The partitioner has no state, or is given as a lambda without captures that makes it. Checks are left out
/// with `without_validation`.
template <class... Backends, class Make, class Partitioner, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_program<Make>, Partitioner, std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using model = static_program<Make>;
  static_assert(std::is_empty_v<Partitioner>,
                "baton to_backend: what lowers a static program must have no state; pass the partitioner as a lambda without captures that "
                "returns it");
  if constexpr (require_partitioner<decltype(detail::partitioner_of(std::declval<Partitioner>()))>() && list::is_sound) {
    using tagged = static_program<detail::partition_stage<list, model, Partitioner, Checks>>;
    if constexpr (!tagged::is_whole) {
      model::report();
      tagged::report();
      return model{};
    } else {
      constexpr auto count = parts_of(tagged::value()).size();
      using stage = detail::lowering_stage<list, model, tagged, Checks, std::make_index_sequence<count>>;
      stage::report();
      return static_program<stage>{};
    }
  } else {
    return model{};
  }
}

/// The same with several partitioners, one after the other: `to_backend(target, model, in_order(first{}, second{}))`.
template <class... Backends, class... Partitioners>
constexpr auto to_backend(backend_list<Backends...> target, const exported_program& program, const partitioner_list<Partitioners...>& order,
                          validation checks = validation::on) -> exported_program {
  if constexpr ((require_partitioner<Partitioners>() && ...) && backend_list<Backends...>::is_sound) {
    return value_or_raise(detail::lower_program(target, program, order, checks));
  } else {
    return {};
  }
}
template <class... Backends, class Make, class... Partitioners, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_program<Make>, partitioner_list<Partitioners...>,
                          std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using model = static_program<Make>;
  using requirement = detail::partitioner_requirement<partitioner_list<Partitioners...>>;
  static_assert(requirement::is_stateless,
                "baton to_backend: what lowers a static program must have no state; pass each partitioner as a lambda without captures "
                "that returns it");
  if constexpr (requirement::is_stateless && requirement::holds() && list::is_sound) {
    model::report();
    if constexpr (!model::is_whole) {
      return model{};
    } else {
      return detail::lower_static_in_order<detail::list_place{0, sizeof...(Partitioners)}, list, model, Checks, Partitioners...>();
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
template <class... Backends, char... C, class Make, class Specs = no_compile_specs>
constexpr auto to_backend(backend_list<Backends...>, boost::hana::string<C...>, static_program<Make>, Specs = {}) {
  static_assert(
      std::is_empty_v<Specs> && std::is_invocable_r_v<compile_specs, Specs>,
      "baton to_backend: compile specs for a static program come from a lambda without captures that returns baton::compile_specs");
  using stage = detail::by_id_stage<backend_list<Backends...>, boost::hana::string<C...>, static_program<Make>, Specs>;
  static_program<Make>::report();
  static_program<stage>::report();
  return static_lowered_module<stage>{};
}

namespace detail {
template <class T>
concept backend_id_text = std::convertible_to<const T&, std::string_view>;
template <class T>
concept backend_id_name = requires(const T& id) { to_text(id); };
template <class T>
concept lowerable = std::convertible_to<const T&, const exported_program&> || is_static_program<T>;
}  // namespace detail

/// What is no program, or comes with an id in the wrong form: a sentence in the place of a list of candidates.
template <class... Backends, class Id, class Program, class... Specs>
  requires(detail::backend_id_text<Id> && (!detail::lowerable<Program> || is_static_program<Program>)) ||
          (detail::backend_id_name<Id> && !detail::lowerable<Program>)
constexpr auto to_backend(backend_list<Backends...>, const Id&, const Program&, const Specs&...) -> lowered_module {
  static_assert(detail::lowerable<Program>,
                "baton to_backend: what is lowered by backend id is a program: a baton::static_program, or a baton::exported_program; a "
                "program_view is thawed first, a model file imported");
  static_assert(!is_static_program<Program>,
                "baton to_backend: a static program is lowered in the compiler, which needs the backend's id as baton::name<\"MyNpu\">; or "
                "give an owning program, baton::thaw(model)");
  return lowered_module(exported_program{});
}

}  // namespace baton

namespace baton {

/// A program whose only node calls the lowered module: its inputs are the user inputs of the module's original, its outputs the user
/// outputs. Parameters, buffers and constants stay inside the module, and so does what becomes of the buffers it mutates.
constexpr auto standalone_program(const lowered_module_view& module, source_bytes bytes = source_bytes::copied) -> exported_program {
  program_builder to;
  placed_module callee(to, module, bytes);
  const auto& source = module.program();
  program_copier copier(source, to, bytes);
  vector<value_id> arguments;
  for (const auto input : source.inputs(source[module.original()])) {
    if (!is_owned_data(source[input].kind)) arguments.push_back(copier.copy_input(input));
  }
  for (const auto output : callee(arguments)) to.output(output);
  return to.finish();
}
constexpr auto standalone_program(const lowered_module& module) -> exported_program { return standalone_program(module.view()); }

namespace detail {

template <class Stage>
struct standalone_stage {
  static constexpr bool stages_are_whole = static_program<Stage>::is_whole;
  using backend_types = typename backends_of<Stage>::type;
  constexpr auto operator()() const -> exported_program {
    if constexpr (stages_are_whole) {
      return standalone_program(static_lowered_module<Stage>::view(), source_bytes::kept);
    } else {
      return {};
    }
  }
};

}  // namespace detail

/// The same for a lowered module of the compiler; the program is one again, and an executor runs it.
template <class Stage>
constexpr auto standalone_program(static_lowered_module<Stage>) -> static_program<detail::standalone_stage<Stage>> {
  return {};
}

}  // namespace baton

// ---- baton/lower/to_backend_multiple.hpp

// The older entry points, for people who know them: partitioners given as types, data owned implicitly, methods lowered one by one.

#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// A partitioner whose parts own the parameters, buffers and constants that they use, without being asked: those that several parts use
/// are shared. It stands before another partitioner, or a lambda without captures that makes one.
template <class Partitioner>
struct owning_data {
  [[no_unique_address]] Partitioner partitioner{};

  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> tagged = detail::partitioner_of(partitioner).partition(program);
    if (tagged) static_cast<void>(tag_constant_data(tagged.value));
    return tagged;
  }
};

/// Lowers a program of either time with a partitioner given as a type: `to_backend<my_partitioner>(target, program)`. As in the first form
/// of this call, parts own the data that they use. Errors: those of `to_backend`.
template <class Partitioner, class... Backends, class Program>
constexpr auto to_backend(backend_list<Backends...> target, const Program& program) {
  if constexpr (require_partitioner<Partitioner>()) {
    return to_backend(target, program, owning_data<Partitioner>{});
  } else {
    return program;
  }
}

namespace detail {

template <class List, class Program>
constexpr auto lower_one_after_the_other(List, Program program) -> Program {
  return program;
}
template <class List, class Program, class First, class... Rest>
constexpr auto lower_one_after_the_other(List target, const Program& program, const First& first, const Rest&... rest) {
  return lower_one_after_the_other(target, to_backend(target, program, owning_data<First>{first}), rest...);
}

/// A method's program lowered with its partitioner, or its partitioners, if it has one.
template <class List, class Partitioner>
constexpr auto lower_alone(List target, std::string_view, exported_program program, const Partitioner& partitioner) -> exported_program {
  return lower_one_after_the_other(target, program, partitioner);
}
template <class List, class... Entries>
constexpr auto lower_alone(List target, std::string_view name, exported_program program, const partitioner_map<Entries...>& map)
    -> exported_program {
  const auto lower = [&](const auto& entry) {
    if (entry.method() != name) return;
    program = std::apply([&](const auto&... each) { return lower_one_after_the_other(target, program, each...); }, entry.partitioners);
  };
  std::apply([&](const auto&... each) { (lower(each), ...); }, map.entries);
  return program;
}

template <class Name, class List, class Program, class Partitioner>
constexpr auto lower_static_alone(List target, Program program, Partitioner partitioner) {
  return lower_one_after_the_other(target, program, partitioner);
}
template <class Name, class List, class Program>
constexpr auto lower_static_alone(List, Program program, partitioner_map<>) {
  return program;
}
template <class Name, class List, class Program, class Of, class... Each, class... Rest>
constexpr auto lower_static_alone(List target, Program program, partitioner_map<method_partitioners<Of, Each...>, Rest...>) {
  if constexpr (std::is_same_v<Of, Name>) {
    return lower_one_after_the_other(target, program, Each{}...);
  } else {
    return lower_static_alone<Name>(target, program, partitioner_map<Rest...>{});
  }
}

/// Whether something tags several methods: a partitioner, what a lambda makes one of, or a map of them.
template <class Given>
concept tags_methods =
    is_partitioner_map<Given> || requires(Given given, const exported_program& program) { partitioner_of(given).partition(program); };

template <class Given>
consteval auto require_partitioner_or_map() -> bool {
  constexpr bool is_one_of_the_two = tags_methods<Given>;
  static_assert(
      is_one_of_the_two,
      "baton to_backend_multiple: methods are tagged by one partitioner for all of them or by partitioners(for_method<...>(...)); "
      "this is neither; pass one of the two");
  return is_one_of_the_two;
}

}  // namespace detail

/// Lowers methods one by one, in their order: with one partitioner for all, or `partitioners(...)` by method, of which those that match no
/// method are ignored. No backend sees several methods at once. Errors: those of `to_backend`.
template <class... Backends, class Partitioners>
constexpr auto to_backend_multiple(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners)
    -> exported_methods {
  if constexpr (detail::require_partitioner_or_map<Partitioners>()) {
    auto all = std::move(methods).release();
    for (auto& each : all) each.program = detail::lower_alone(target, view(each.name), std::move(each.program), partitioners);
    return exported_methods(std::move(all));
  } else {
    return methods;
  }
}

/// The same for methods of the compiler.
template <class... Backends, class... Names, class... Makes, class Partitioners>
constexpr auto to_backend_multiple(backend_list<Backends...> target, static_methods<static_method<Names, Makes>...> methods,
                                   Partitioners partitioners) {
  if constexpr (detail::require_partitioner_or_map<Partitioners>()) {
    return baton::methods(static_method<Names, typename decltype(detail::lower_static_alone<Names>(target, static_program<Makes>{},
                                                                                                   partitioners))::make>{}...);
  } else {
    return methods;
  }
}

/// The same with a partitioner given as a type: `to_backend_multiple<my_partitioner>(target, methods)`.
template <class Partitioner, class... Backends, class Methods>
constexpr auto to_backend_multiple(backend_list<Backends...> target, Methods methods) {
  return to_backend_multiple(target, std::move(methods), Partitioner{});
}

}  // namespace baton

// ---- baton/lower/translate_part.hpp

// The part that a backend is given, translated by its table: the first half of a `preprocess`.

#include <concepts>
#include <cstdint>
#include <utility>

namespace baton {

/// What the rows of a `translation_table` make of a part's nodes, an instruction a node, in order; nodes within branches are for the row of
/// the node that has them. Errors: `refused_part`, at the first node that no row accepts, with the reason.
template <class Table>
  requires requires(const program_view& part, const node& candidate) {
    { Table::translate(part, candidate) } -> std::same_as<translation<typename Table::instruction>>;
  }
constexpr auto translate_part(const program_view& part) -> result<vector<typename Table::instruction>> {
  vector<typename Table::instruction> made;
  const auto run = part.root().nodes;
  made.reserve(run.size);
  for (auto n = run.first; n < run.first + run.size; ++n) {
    auto answer = Table::translate(part, part.nodes[n]);
    if (!answer.found) return locate(refuse_part(view(answer.found.reason)), part, node_id{n});
    made.push_back(std::move(answer.made));
  }
  return made;
}

}  // namespace baton

// ---- baton/plan/arena.hpp

// The memory plan: where in the arena each value lies.

// ---- baton/plan/graph_calls.hpp

// Which graphs of a program run, and which nodes call them.

#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// The graphs that run with a program: the root, the subgraphs of control-flow nodes, and the originals of those delegates whose backend
/// has them run (`runs_original`). `run` calls them in order.
struct graph_calls {
  vector<graph_id> order;        ///< those that run, callers before what they call; the root first
  vector<std::uint32_t> counts;  ///< by graph: how many places call it; 0: it does not run, or is the root
  vector<node_id> caller;        ///< by graph: a node that calls it, `none` of the root
  vector<graph_id> outer;        ///< by graph: the graph of that node
  vector<char> runs_original;    ///< by delegate: whether its original graph runs in its place; empty: none does

  /// Whether one place alone calls the graph, so that what lies around that place is known to it.
  constexpr auto has_one_caller(graph_id id) const -> bool { return counts[index(id)] == 1; }
  constexpr auto runs(graph_id id) const -> bool { return index(id) == 0 || counts[index(id)] != 0; }
};

/// The graphs that a node runs: the subgraphs of control flow, the original of a delegate that is in the list. Views the program and the
/// list.
constexpr auto graphs_run_by(const program_view& program, const node& record, std::span<const char> runs_original)
    -> std::span<const graph_id> {
  if (control_flow_of(record) != control_flow::none) return program.subgraphs_of(record);
  if (record.delegate == none<delegate_id> || runs_original.empty() || runs_original[index(record.delegate)] == 0) return {};
  return {&program.delegates[index(record.delegate)].original, 1};
}

namespace detail {

class graph_call_scan {
 public:
  constexpr graph_call_scan(const program_view& program, vector<char> runs_original) : program_(program) {
    calls_.counts.assign(program.graphs.size(), 0);
    calls_.caller.assign(program.graphs.size(), none<node_id>);
    calls_.outer.assign(program.graphs.size(), none<graph_id>);
    calls_.runs_original = std::move(runs_original);
  }

 private:
  // Defined before it is used: Clang evaluates no template of a class that comes later.
  template <class F>
  constexpr void for_each_called(graph_id id, F f) const {
    const auto nodes = program_[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      for (const auto inner : graphs_run_by(program_, program_.nodes[n], calls_.runs_original)) f(static_cast<node_id>(n), inner);
    }
  }

 public:
  // Kahn's algorithm over "graph calls graph", as in `verify`.
  constexpr auto run() -> result<graph_calls> {
    if (program_.graphs.empty()) return std::move(calls_);
    reach();
    auto waiting = calls_.counts;
    calls_.order.push_back(graph_id{0});
    for (std::size_t at = 0; at < calls_.order.size(); ++at) {
      for_each_called(calls_.order[at], [&](node_id, graph_id inner) {
        if (--waiting[index(inner)] == 0) calls_.order.push_back(inner);
      });
    }
    if (calls_.order.size() != reached_ || calls_.counts[0] != 0) return broken<rule::recursive_graph>();
    return std::move(calls_);
  }

 private:
  /// Counts the calls of all graphs that can be reached from the root.
  constexpr void reach() {
    vector<graph_id> found{graph_id{0}};
    for (std::size_t at = 0; at < found.size(); ++at) {
      const auto outer = found[at];
      for_each_called(outer, [&](node_id caller, graph_id inner) {
        if (calls_.counts[index(inner)]++ == 0 && index(inner) != 0) found.push_back(inner);
        calls_.caller[index(inner)] = caller;
        calls_.outer[index(inner)] = outer;
      });
    }
    reached_ = found.size();
  }

  program_view program_;
  graph_calls calls_;
  std::size_t reached_ = 0;
};

}  // namespace detail

/// The graphs that run with a program; `runs_original` names, by delegate, those whose original graph runs in their place (empty: none).
/// Linear in the nodes that run. Errors: `recursive_graph`.
constexpr auto graphs_that_run(const program_view& program, vector<char> runs_original = {}) -> result<graph_calls> {
  return detail::graph_call_scan(program, std::move(runs_original)).run();
}

}  // namespace baton

// ---- baton/plan/lifetime.hpp

// When each value of a graph lives, and how many bytes live at once.

// ---- baton/plan/lifetime_index.hpp

// Finds what lives at the same time as something, without looking at the rest.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// A piece of memory that is needed from step `first` to step `last`, both included. Step n is node n of its graph; the step after the last
/// node is that of whoever reads the outputs.
struct lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t bytes = 0;  ///< rounded up to the alignment
};

constexpr auto live_together(const lifetime& a, const lifetime& b) -> bool { return a.first <= b.last && b.first <= a.last; }

/// One more than the last step at which anything lives.
constexpr auto steps_of(std::span<const lifetime> needs) -> std::uint32_t {
  std::uint32_t steps = 0;
  for (const auto& need : needs) steps = std::max(steps, need.last + 1);
  return steps;
}

/// A set of entries of a list of lifetimes, asked for those that live with another. What lives at a step is found by a segment tree over
/// steps (J. L. Bentley, Solutions to Klee's rectangle problems, 1977), what begins later by its first step: a question costs what it
/// finds, the steps between, and the logarithm of all steps.
class lifetime_index {
 public:
  constexpr explicit lifetime_index(std::span<const lifetime> needs)
      : needs_(needs),
        steps_(steps_of(needs)),
        covering_(2 * std::size_t{steps_}, no_link),
        beginning_(steps_, no_link) {}

  constexpr void insert(std::uint32_t entry) {
    const auto& life = needs_[entry];
    link(beginning_[life.first], entry);
    auto low = life.first + steps_;
    for (auto high = life.last + steps_ + 1; low < high; low /= 2, high /= 2) {
      if (low % 2 != 0) link(covering_[low++], entry);
      if (high % 2 != 0) link(covering_[--high], entry);
    }
  }

  /// Calls `f` with every entry of the set, each once, that lives with the given one.
  template <class F>
  constexpr void for_each_living_with(std::uint32_t entry, F f) const {
    const auto& life = needs_[entry];
    for (auto at = life.first + steps_; at != 0; at /= 2) for_each_linked(covering_[at], f);
    for (auto step = life.first + 1; step <= life.last; ++step) for_each_linked(beginning_[step], f);
  }

  constexpr void clear() {
    std::fill(covering_.begin(), covering_.end(), no_link);
    std::fill(beginning_.begin(), beginning_.end(), no_link);
    links_.clear();
  }

 private:
  static constexpr std::uint32_t no_link = 0xffffffffu;
  struct linked {
    std::uint32_t entry;
    std::uint32_t next;
  };

  constexpr void link(std::uint32_t& head, std::uint32_t entry) {
    links_.push_back({entry, head});
    head = static_cast<std::uint32_t>(links_.size() - 1);
  }
  template <class F>
  constexpr void for_each_linked(std::uint32_t head, F& f) const {
    for (auto at = head; at != no_link; at = links_[at].next) f(links_[at].entry);
  }

  std::span<const lifetime> needs_;
  std::uint32_t steps_;
  vector<std::uint32_t> covering_;   // by node of the tree: what lives through all of its steps
  vector<std::uint32_t> beginning_;  // by step: what begins there
  vector<linked> links_;
};

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace baton {

/// What needs memory: values of the graphs that run, the scratch of delegate calls, and what the graphs need that a node calls.
struct memory_needs {
  vector<lifetime> lifetimes;        ///< graph by graph
  vector<std::uint32_t> of_value;    ///< by value: its entry, or `no_entry`
  vector<std::uint32_t> of_scratch;  ///< by node of the program: its delegate's scratch or its subgraphs' memory, or `no_entry`

  static constexpr std::uint32_t no_entry = 0xffffffffu;
};

/// What is known of a program's memory before it is planned. Views; empty lists say nothing.
struct memory_request {
  std::span<const value_id> storage_of{};  ///< by value: the value of its graph whose memory it shares, `none`: its own
  std::span<const char> elsewhere{};       ///< by value: whether it lies in memory of a graph that calls its own
  std::uint32_t read_ahead_bytes = 0;      ///< how far behind the end of an argument a backend may read
};

constexpr auto round_up(std::uint64_t bytes, std::uint32_t alignment) -> std::uint64_t {
  return (bytes + alignment - 1) / alignment * alignment;
}

namespace detail {

/// Whether a value lies in the arena: everything but constant data, which stays in read-only memory.
constexpr auto needs_memory(const value& record) -> bool {
  return record.kind == value_kind::user_input || record.kind == value_kind::intermediate || record.kind == value_kind::mutable_buffer;
}

/// Collects the lifetimes of one graph after the other.
class lifetime_scan {
 public:
  constexpr lifetime_scan(const program_view& program, const graph_calls& calls, std::uint32_t alignment, const memory_request& request)
      : program_(program),
        calls_(calls),
        alignment_(alignment),
        request_(request) {
    needs_.of_value.assign(program.values.size(), memory_needs::no_entry);
    needs_.of_scratch.assign(program.nodes.size(), memory_needs::no_entry);
  }

  /// Adds the entries of a graph. `bytes_of_graph` holds, by graph, what those it calls need. Errors: `dynamic_shape`.
  constexpr auto add_graph(graph_id id, std::span<const std::uint64_t> bytes_of_graph) -> failure {
    const auto& graph = program_[id];
    const auto end = graph.nodes.size;
    for (const auto input : program_.inputs(graph)) {
      touch(input, 0);
      if (program_[input].kind == value_kind::mutable_buffer) touch(input, end);
    }
    for (std::uint32_t n = 0; n < end; ++n) add_node(graph.nodes.first + n, n, bytes_of_graph);
    for (const auto& spec : program_.outputs_of(graph)) touch(spec.value, end);
    if (index(id) == 0) add_states(end);
    if (unsized_ == none<value_id>) return {};
    return broken<rule::dynamic_shape>("value ", program_.text(program_[unsized_].name));
  }
  constexpr auto needs() -> memory_needs& { return needs_; }

 private:
  constexpr void add_node(std::uint32_t at, std::uint32_t step, std::span<const std::uint64_t> bytes_of_graph) {
    const auto& record = program_.nodes[at];
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id>) touch(input, step);
    }
    for (const auto output : program_.outputs_of(record)) touch(output, step);
    std::uint64_t bytes = 0;
    if (record.delegate != none<delegate_id>) bytes = lowered_module_view(program_, record.delegate).scratch_bytes();
    for (const auto inner : graphs_run_by(program_, record, calls_.runs_original)) bytes = std::max(bytes, bytes_of_graph[index(inner)]);
    if (bytes != 0) needs_.of_scratch[at] = add(step, bytes);
  }

  /// Mutable buffers of all graphs live with the root: from run to run.
  constexpr void add_states(std::uint32_t end) {
    for (std::size_t g = 1; g < calls_.order.size(); ++g) {
      for (const auto input : program_.inputs(program_[calls_.order[g]])) {
        if (program_[input].kind != value_kind::mutable_buffer) continue;
        needs_.of_value[index(input)] = add(0, bytes_of(input));
        needs_.lifetimes.back().last = end;
      }
    }
  }

  constexpr auto add(std::uint32_t step, std::uint64_t bytes) -> std::uint32_t {
    needs_.lifetimes.push_back({step, step, round_up(bytes, alignment_)});
    return static_cast<std::uint32_t>(needs_.lifetimes.size() - 1);
  }

  constexpr auto bytes_of(value_id id) -> std::uint64_t {
    const auto bytes = byte_count(program_[id].type, program_.shape(id));
    if (bytes < 0 && unsized_ == none<value_id>) unsized_ = id;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes));
  }

  // A value that shares another's storage lengthens that one's life.
  constexpr void touch(value_id id, std::uint32_t step) {
    const auto owner =
        request_.storage_of.empty() || request_.storage_of[index(id)] == none<value_id> ? id : request_.storage_of[index(id)];
    const auto& record = program_[owner];
    if (!needs_memory(record) || (record.kind == value_kind::mutable_buffer && index(record.graph) != 0)) return;
    if (!request_.elsewhere.empty() && request_.elsewhere[index(owner)] != 0) {
      static_cast<void>(bytes_of(owner));
      return;
    }
    auto& entry = needs_.of_value[index(owner)];
    if (entry == memory_needs::no_entry) entry = add(step, bytes_of(owner));
    auto& life = needs_.lifetimes[entry];
    life.first = std::min(life.first, step);
    life.last = std::max(life.last, step);
    needs_.of_value[index(id)] = entry;
  }

  program_view program_;
  const graph_calls& calls_;
  std::uint32_t alignment_;
  memory_request request_;
  memory_needs needs_;
  value_id unsized_ = none<value_id>;
};

}  // namespace detail

/// The lifetimes of the root graph, without what its nodes call. User inputs live from before the first node to their last use, outputs
/// from where they are made to the end, mutable buffers always; constants need no memory. `storage_of` names, by value, the value whose
/// storage it shares (`none`: its own). Linear in nodes and operands.
constexpr auto lifetimes(const program_view& program, std::uint32_t alignment, std::span<const value_id> storage_of = {}) -> memory_needs {
  graph_calls root_alone;
  root_alone.order.push_back(graph_id{0});
  const vector<std::uint64_t> nothing(program.graphs.size(), std::uint64_t{0});
  detail::lifetime_scan scan(program, root_alone, alignment, {storage_of, {}, 0});
  static_cast<void>(scan.add_graph(graph_id{0}, nothing));
  return std::move(scan.needs());
}

/// The most bytes that live at once: no plan with whole operators can need less.
constexpr auto lower_bound(std::span<const lifetime> needs) -> std::uint64_t {
  const auto steps = steps_of(needs);
  vector<std::uint64_t> begins(steps + 1, 0);
  vector<std::uint64_t> ends(steps + 1, 0);
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

// ---- baton/plan/placing.hpp

// Ways of placing things with lifetimes in memory: each gives offsets at which nothing overlaps what lives with it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// Offsets by entry, and the bytes that all need together.
struct placed {
  vector<std::uint64_t> offsets;
  std::uint64_t bytes = 0;
};

/// Everything in memory of its own, one after the other: what was there can be looked at afterwards.
constexpr auto place_apart(std::span<const lifetime> needs) -> placed {
  placed made;
  for (const auto& need : needs) {
    made.offsets.push_back(made.bytes);
    made.bytes += need.bytes;
  }
  return made;
}

namespace detail {

/// The entries in the order that a relation gives, the earlier one first where it gives none.
template <class Before>
constexpr auto ordered(std::span<const lifetime> needs, Before before) -> vector<std::uint32_t> {
  vector<std::uint32_t> order;
  order.reserve(needs.size());
  for (std::uint32_t i = 0; i < needs.size(); ++i) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return before(needs[a], needs[b]) || (!before(needs[b], needs[a]) && a < b); });
  return order;
}

/// Objects of memory as ExecuTorch's greedy planner opens them.
class object_placement {
 public:
  constexpr explicit object_placement(std::span<const lifetime> needs)
      : needs_(needs),
        index_(needs),
        object_of_(needs.size(), 0),
        offset_in_object_(needs.size(), 0) {}

  constexpr auto run(std::span<const std::uint32_t> order) -> placed {
    for (const auto entry : order) place(entry);
    vector<std::uint64_t> base;
    placed made;
    for (const auto size : sizes_) {
      base.push_back(made.bytes);
      made.bytes += size;
    }
    for (std::uint32_t i = 0; i < needs_.size(); ++i) made.offsets.push_back(base[object_of_[i]] + offset_in_object_[i]);
    return made;
  }

 private:
  struct taken {
    std::uint32_t object;
    std::uint64_t end;
  };

  /// The objects that hold something that lives with an entry, ascending, and where it ends there.
  constexpr auto taken_for(std::uint32_t entry) const -> vector<taken> {
    vector<taken> found;
    index_.for_each_living_with(
        entry, [&](std::uint32_t other) { found.push_back({object_of_[other], offset_in_object_[other] + needs_[other].bytes}); });
    std::sort(found.begin(), found.end(),
              [](const taken& a, const taken& b) { return a.object < b.object || (a.object == b.object && a.end > b.end); });
    const auto same = [](const taken& a, const taken& b) { return a.object == b.object; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    return found;
  }

  constexpr void place(std::uint32_t entry) {
    const auto taken_objects = taken_for(entry);
    std::uint32_t object = 0;  // the first of which nothing is taken
    while (object < taken_objects.size() && taken_objects[object].object == object) ++object;
    std::uint64_t offset = 0;
    if (object == sizes_.size()) {
      for (const auto& candidate : taken_objects) {
        if (candidate.end + needs_[entry].bytes > sizes_[candidate.object]) continue;
        object = candidate.object;
        offset = candidate.end;
        break;
      }
    }
    if (object == sizes_.size()) sizes_.push_back(needs_[entry].bytes);
    object_of_[entry] = object;
    offset_in_object_[entry] = offset;
    index_.insert(entry);
  }

  std::span<const lifetime> needs_;
  lifetime_index index_;
  vector<std::uint32_t> object_of_;
  vector<std::uint64_t> offset_in_object_;
  vector<std::uint64_t> sizes_;
};

}  // namespace detail

/// ExecuTorch's greedy algorithm: the largest first, of equal ones the later first, each in the first object of memory in which nothing
/// lives with it, else behind what does in the first object that has room, else in an object of its own; objects lie back to back.
constexpr auto place_in_objects(std::span<const lifetime> needs) -> placed {
  auto order = detail::ordered(needs, [](const lifetime& a, const lifetime& b) { return a.bytes < b.bytes; });
  std::reverse(order.begin(), order.end());
  return detail::object_placement(needs).run(order);
}

namespace detail {

/// Places entries one after the other, each at the lowest offset where it overlaps nothing that lives with it.
class first_fit {
 public:
  constexpr explicit first_fit(std::span<const lifetime> needs) : needs_(needs), index_(needs) {}

  constexpr auto run(std::span<const std::uint32_t> order) -> placed {
    index_.clear();
    placed made{vector<std::uint64_t>(needs_.size(), 0), 0};
    for (const auto entry : order) {
      made.offsets[entry] = lowest_offset(entry, made.offsets);
      made.bytes = std::max(made.bytes, made.offsets[entry] + needs_[entry].bytes);
      index_.insert(entry);
    }
    return made;
  }

 private:
  constexpr auto lowest_offset(std::uint32_t entry, const vector<std::uint64_t>& offsets) -> std::uint64_t {
    others_.clear();
    index_.for_each_living_with(entry, [this](std::uint32_t other) { others_.push_back(other); });
    std::sort(others_.begin(), others_.end(), [&](std::uint32_t a, std::uint32_t b) { return offsets[a] < offsets[b]; });
    std::uint64_t at = 0;
    for (const auto other : others_) {
      if (offsets[other] >= at + needs_[entry].bytes) break;
      at = std::max(at, offsets[other] + needs_[other].bytes);
    }
    return at;
  }

  std::span<const lifetime> needs_;
  lifetime_index index_;
  vector<std::uint32_t> others_;
};

/// An order in which entries may be placed; each wins on some graphs.
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

/// The best of several ways, and what it is called.
struct best_placed {
  placed made;
  std::string_view way;
};

/// Tries orders of placing, each entry at the lowest offset that is free, then objects, until one needs no more than `enough`; the first
/// that needs least is taken. Near-linear where little lives at once.
constexpr auto place_best(std::span<const lifetime> needs, std::uint64_t enough) -> best_placed {
  best_placed best{{{}, UINT64_MAX}, {}};
  const auto take = [&](placed made, std::string_view way) {
    if (made.bytes < best.made.bytes) best = {std::move(made), way};
  };
  detail::first_fit placing(needs);
  for (const auto& order : detail::placing_orders) {
    if (best.made.bytes <= enough) return best;
    take(placing.run(detail::ordered(needs, order.before)), order.name);
  }
  if (best.made.bytes > enough) take(place_in_objects(needs), "objects, largest first");
  return best;
}

/// What lies in several memories: by entry its offset in its own memory, by memory its bytes (ExecuTorch's list of buffer sizes; there,
/// memory 0 is that of constants).
struct placed_in_pools {
  vector<std::uint64_t> offsets;
  vector<std::uint64_t> bytes;
};

/// Places the entries of each memory by themselves; `pools` says, by entry, in which memory it lies, `place` is a way like `place_apart`.
template <class Place>
constexpr auto place_in_pools(std::span<const lifetime> needs, std::span<const std::uint32_t> pools, Place place) -> placed_in_pools {
  placed_in_pools made{vector<std::uint64_t>(needs.size(), 0), {}};
  std::uint32_t count = 0;
  for (const auto pool : pools) count = std::max(count, pool + 1);
  for (std::uint32_t pool = 0; pool < count; ++pool) {
    vector<lifetime> inside;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (pools[i] == pool) inside.push_back(needs[i]);
    }
    const placed here = place(std::span<const lifetime>{inside});
    std::size_t next = 0;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (pools[i] == pool) made.offsets[i] = here.offsets[next++];
    }
    made.bytes.push_back(here.bytes);
  }
  return made;
}

}  // namespace baton

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// How a plan places values.
enum class placing : std::uint8_t {
  best,   ///< as close together as several ways come
  apart,  ///< every value in memory of its own, so that all can be looked at after a run
};

/// What a plan must keep to. The alignment is that of every value, a power of two.
struct plan_options {
  std::uint32_t alignment = 16;
  placing way = placing::best;
};

/// The memory of one graph that runs.
struct graph_memory {
  graph_id graph = none<graph_id>;
  range entries{};  ///< of the plan's needs
  std::uint64_t bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::string_view order;         ///< the way of placing that won
};

/// Offsets in memory, graph by graph: those of the root in the arena, those of another graph in the memory that the calling node has for
/// it. A value that needs no memory, and a node without scratch and subgraphs, have `no_offset`.
struct memory_plan {
  static constexpr std::uint32_t no_offset = 0xffffffffu;

  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::uint32_t alignment = 16;
  std::string_view order;  ///< the way of placing that won for the root
  memory_needs needs;
  vector<std::uint64_t> offsets;  ///< by entry of `needs.lifetimes`
  vector<graph_memory> graphs;    ///< those that run, a graph before those that call it; the root last

  /// Of a mutable buffer of whatever graph: its place in the arena.
  constexpr auto offset_of(value_id id) const -> std::uint64_t { return offset_of_entry(needs.of_value[index(id)]); }
  /// Of node n of the program: its delegate's scratch, or the memory of the graphs that it calls.
  constexpr auto offset_of_scratch(std::uint32_t n) const -> std::uint64_t { return offset_of_entry(needs.of_scratch[n]); }

 private:
  constexpr auto offset_of_entry(std::uint32_t entry) const -> std::uint64_t {
    return entry == memory_needs::no_entry ? no_offset : offsets[entry];
  }
};

namespace detail {

/// Plans the memory of one graph after the other, called before calling.
class memory_planner {
 public:
  constexpr memory_planner(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request)
      : program_(program),
        calls_(calls),
        request_(request),
        way_(options.way),
        scan_(program, calls, options.alignment, request),
        bytes_(program.graphs.size(), 0),
        bounds_(program.graphs.size(), 0) {
    plan_.alignment = options.alignment;
  }

  constexpr auto run() -> result<memory_plan> {
    for (std::size_t g = calls_.order.size(); g-- > 0;) {
      if (auto why = plan_graph(calls_.order[g])) return why;
    }
    plan_.needs = std::move(scan_.needs());
    const auto& root = plan_.graphs.back();
    plan_.arena_bytes = root.bytes + request_.read_ahead_bytes;
    plan_.lower_bound = root.lower_bound;
    plan_.order = root.order;
    return std::move(plan_);
  }

 private:
  constexpr auto plan_graph(graph_id id) -> failure {
    const auto first = static_cast<std::uint32_t>(plan_.offsets.size());
    if (auto why = scan_.add_graph(id, bytes_)) return why;
    const auto entries = std::span<const lifetime>{scan_.needs().lifetimes}.subspan(first);
    const auto bound = bound_of(id, first);
    best_placed best;
    if (way_ == placing::apart) {
      best = {place_apart(entries), "apart"};
    } else {
      best = place_best(entries, bound);
    }
    plan_.offsets.insert(plan_.offsets.end(), best.made.offsets.begin(), best.made.offsets.end());
    bytes_[index(id)] = best.made.bytes;
    bounds_[index(id)] = bound;
    plan_.graphs.push_back({id, {first, static_cast<std::uint32_t>(entries.size())}, best.made.bytes, bound, best.way});
    return {};
  }

  /// A graph's lower bound counts those of the graphs that it calls, not what their plans came to.
  constexpr auto bound_of(graph_id id, std::uint32_t first) -> std::uint64_t {
    const auto& needs = scan_.needs();
    vector<lifetime> least(needs.lifetimes.begin() + first, needs.lifetimes.end());
    const auto nodes = program_[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto called = graphs_run_by(program_, program_.nodes[n], calls_.runs_original);
      if (called.empty() || needs.of_scratch[n] == memory_needs::no_entry) continue;
      std::uint64_t bytes = 0;
      for (const auto inner : called) bytes = std::max(bytes, bounds_[index(inner)]);
      least[needs.of_scratch[n] - first].bytes = bytes;
    }
    return lower_bound(least);
  }

  program_view program_;
  const graph_calls& calls_;
  memory_request request_;
  placing way_;
  lifetime_scan scan_;
  vector<std::uint64_t> bytes_;
  vector<std::uint64_t> bounds_;
  memory_plan plan_;
};

}  // namespace detail

/// Plans the memory of the graphs that run: for each, several ways of placing are tried until one reaches the lower bound, the best is
/// kept. What a graph needs is scratch memory of each node that calls it; graphs of one node use the same. The result is checked by
/// `verify_plan`. Errors: `dynamic_shape`. Near-linear where little lives at once.
constexpr auto plan_memory(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request) -> result<memory_plan> {
  if (program.graphs.empty()) return memory_plan{};
  return detail::memory_planner(program, calls, options, request).run();
}
/// The same for a program whose delegates are run by their backends. Errors: also `recursive_graph`.
constexpr auto plan_memory(const program_view& program, const plan_options& options = {}, std::span<const value_id> storage_of = {})
    -> result<memory_plan> {
  const auto calls = graphs_that_run(program);
  if (!calls) return calls.error;
  return plan_memory(program, calls.value, options, {storage_of, {}, 0});
}

namespace detail {

constexpr auto verify_graph(const memory_plan& plan, const graph_memory& graph) -> failure {
  const auto needs = std::span<const lifetime>{plan.needs.lifetimes}.subspan(graph.entries.first, graph.entries.size);
  const auto offsets = std::span<const std::uint64_t>{plan.offsets}.subspan(graph.entries.first, graph.entries.size);
  const auto bytes = index(graph.graph) == 0 ? plan.arena_bytes : graph.bytes;
  lifetime_index earlier(needs);
  for (std::uint32_t a = 0; a < needs.size(); ++a) {
    if (offsets[a] + needs[a].bytes > bytes || offsets[a] % plan.alignment != 0) {
      return broken<rule::overlapping_memory>("entry ", graph.entries.first + a, " lies outside the arena or is not aligned");
    }
    auto overlapped = memory_needs::no_entry;
    earlier.for_each_living_with(a, [&](std::uint32_t b) {
      const bool overlap = offsets[a] < offsets[b] + needs[b].bytes && offsets[b] < offsets[a] + needs[a].bytes;
      if (overlap) overlapped = std::min(overlapped, b);
    });
    if (overlapped != memory_needs::no_entry) {
      return broken<rule::overlapping_memory>("entries ", graph.entries.first + overlapped, " and ", graph.entries.first + a);
    }
    earlier.insert(a);
  }
  return {};
}

}  // namespace detail

/// Checks that no two things that live at once overlap, that all lie in their graph's memory and are aligned. Errors:
/// `overlapping_memory`.
constexpr auto verify_plan(const memory_plan& plan) -> failure {
  for (const auto& graph : plan.graphs) {
    if (auto why = detail::verify_graph(plan, graph)) return why;
  }
  return {};
}

}  // namespace baton

// ---- baton/plan/device.hpp

// The device that a delegate's arguments are meant for, as its compile specs name it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The kinds of devices, in ExecuTorch's order.
enum class device_kind : std::uint8_t { cpu, cuda };
inline constexpr std::array<std::string_view, 2> device_names{"cpu", "cuda"};

/// One device of a kind.
struct target_device {
  device_kind kind = device_kind::cpu;
  std::uint32_t number = 0;

  constexpr auto operator==(const target_device&) const -> bool = default;
};

/// Reads `cuda:1`: a kind in whatever case, and a number, 0 if it is left out. Errors: `unknown_device`.
constexpr auto read_device(std::string_view text) -> result<target_device> {
  const auto kind = text.substr(0, text.find(':'));
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::size_t found = 0;
  for (; found < device_names.size(); ++found) {
    const auto name = device_names[found];
    std::size_t same = 0;
    while (same < name.size() && same < kind.size() && lower(kind[same]) == name[same]) ++same;
    if (same == name.size() && same == kind.size()) break;
  }
  std::uint32_t number = 0;
  bool is_number = kind.size() == text.size() || text.size() - kind.size() > 1;
  for (const char c : text.substr(kind.size() < text.size() ? kind.size() + 1 : text.size())) {
    is_number = is_number && c >= '0' && c <= '9' && number < 1000;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (found < device_names.size() && is_number) return target_device{static_cast<device_kind>(found), number};
  auto why = broken<rule::unknown_device>(text, "; the valid kinds are:");
  for (const auto name : device_names) append(append(why.reason, " "), name);
  return why;
}

/// The device of a lowered module: what the last compile spec with the key `target_device` says, else the first CPU. Errors:
/// `unknown_device`.
constexpr auto target_device_of(const lowered_module_view& module) -> result<target_device> {
  result<target_device> found;
  for (const auto& spec : module.compile_specs()) {
    if (module.program().text(spec.key) == "target_device") found = read_device(module.program().text(spec.value));
  }
  return found;
}

}  // namespace baton

// ---- baton/run/backend_life.hpp

// The life of a backend's delegates: which of its steps a backend has, and whether they can fail.

// ---- baton/run/delegate.hpp

// What a backend's `init` and `execute` are given.

// ---- baton/run/blob.hpp

// Blobs where a delegate finds them: in flash, or brought by a loader and given back when nobody needs them.

// ---- baton/run/status.hpp

// What can go wrong on the target, as one byte: no text, no exception, no heap.

#include <cstdint>
#include <string_view>

namespace baton {

/// How a step of a delegate's life ended. The numbers are ExecuTorch's, so that tools read them alike.
enum class [[nodiscard]] status : std::uint8_t {
  ok = 0x00,
  internal = 0x01,
  invalid_state = 0x02,
  not_supported = 0x10,
  not_implemented = 0x11,
  invalid_argument = 0x12,
  invalid_type = 0x13,
  operator_missing = 0x14,
  not_found = 0x20,
  memory_allocation_failed = 0x21,
  access_failed = 0x22,
  invalid_program = 0x23,
  invalid_external_data = 0x24,
  out_of_resources = 0x25,
  delegate_invalid_compatibility = 0x30,
  delegate_memory_allocation_failed = 0x31,
  delegate_invalid_handle = 0x32,
};

/// The name of a status, for logs; an image that does not ask has no names in it.
constexpr auto to_text(status code) -> std::string_view {
  switch (code) {
    case status::ok:
      return "ok";
    case status::internal:
      return "internal";
    case status::invalid_state:
      return "invalid_state";
    case status::not_supported:
      return "not_supported";
    case status::not_implemented:
      return "not_implemented";
    case status::invalid_argument:
      return "invalid_argument";
    case status::invalid_type:
      return "invalid_type";
    case status::operator_missing:
      return "operator_missing";
    case status::not_found:
      return "not_found";
    case status::memory_allocation_failed:
      return "memory_allocation_failed";
    case status::access_failed:
      return "access_failed";
    case status::invalid_program:
      return "invalid_program";
    case status::invalid_external_data:
      return "invalid_external_data";
    case status::out_of_resources:
      return "out_of_resources";
    case status::delegate_invalid_compatibility:
      return "delegate_invalid_compatibility";
    case status::delegate_memory_allocation_failed:
      return "delegate_memory_allocation_failed";
    case status::delegate_invalid_handle:
      return "delegate_invalid_handle";
  }
  return "unknown";
}

/// A value, or the status that says why there is none.
template <class T>
struct status_or {
  T value{};
  status code = status::ok;

  constexpr status_or(T made) : value(made) {}          // NOLINT(google-explicit-constructor)
  constexpr status_or(status failed) : code(failed) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit operator bool() const { return code == status::ok; }
};

}  // namespace baton

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

/// What a loader is asked for.
enum class segment_kind : std::uint8_t { backend };

/// The blob that a loader is to bring.
struct blob_request {
  segment_kind kind = segment_kind::backend;
  std::string_view backend_id;
  std::string_view module;    ///< the lowered module's name, `lowered_module_0` and so on
  std::size_t size = 0;       ///< of the blob as it was made
  std::size_t alignment = 1;  ///< that the first byte must have
};

/// What a loader brought. `release(context, bytes)` is called once, when the blob is needed no more.
struct loaded_blob {
  std::span<const char> bytes;
  void (*release)(void* context, std::span<const char> bytes) = nullptr;
  void* context = nullptr;
};

/// The blob of a delegate; it lives as long as the executor, so that a backend may keep a pointer to it.
class blob {
 public:
  constexpr blob() = default;
  blob(const blob&) = delete;
  auto operator=(const blob&) -> blob& = delete;

  /// The bytes, none after a release.
  constexpr auto bytes() const -> std::span<const char> { return held_.bytes; }
  /// Gives the bytes back; doing so again does nothing. Of a blob in flash there is nothing to give back.
  void release() {
    const auto was = held_;
    held_ = {};
    if (was.release != nullptr) was.release(was.context, was.bytes);
  }
  /// Takes what was loaded, after what was held has been released.
  constexpr void hold(const loaded_blob& loaded) { held_ = loaded; }

 private:
  loaded_blob held_;
};

/// Brings blobs from outside the image: `static auto load(const baton::blob_request&) -> baton::status_or<baton::loaded_blob>`. Given to an
/// executor as a type, it brings all blobs, and none is in the image; with `static constexpr auto loads(const baton::blob_request&) ->
/// bool` it says which.
template <class T>
concept blob_loader = requires(const blob_request& request) {
  { T::load(request) } -> std::convertible_to<status_or<loaded_blob>>;
};

}  // namespace baton

// ---- baton/run/events.hpp

// What a delegate tells of its work while it executes: events and intermediate results, to a tracer that the executor's user chose.

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

/// A delegate's name or number for one of its operations, as in its debug handle map. Zero is a number like any other.
struct event_identifier {
  static constexpr std::int64_t unset = -1;

  std::string_view name;
  std::int64_t number = unset;

  constexpr event_identifier() = default;
  constexpr event_identifier(std::string_view text) : name(text) {}  // NOLINT(google-explicit-constructor)
  constexpr event_identifier(const char* text) : name(text) {}       // NOLINT(google-explicit-constructor)
  template <std::integral Number>
  constexpr event_identifier(Number given) : number(given) {}  // NOLINT(google-explicit-constructor)

  constexpr auto is_set() const -> bool { return !name.empty() || number != unset; }
};

/// What an event is of: the delegate call, and the delegate's own operation where it is told.
struct trace_event {
  node_id node = none<node_id>;
  delegate_id delegate = none<delegate_id>;
  event_identifier identifier;
};

/// The tracer of an executor that has none.
struct no_tracer {};

/// Hears of events, by whichever of these it has; an executor takes it as a type. Texts and metadata that it wants to keep it copies.
/// - `static auto start(const baton::trace_event&) -> token` and `static void end(token, std::span<const char> metadata)`,
/// - `static void log(const baton::trace_event&, std::uint64_t begin, std::uint64_t end, std::span<const char> metadata)`,
/// - `static void output(const baton::trace_event&, value)`, for a `bool`, an `int`, a `double`, a tensor's bytes, a list of those.
template <class T>
concept event_tracer = requires(const trace_event& event) { T::start(event); } ||
                       requires(const trace_event& event, std::span<const char> bytes) { T::log(event, 0u, 0u, bytes); } ||
                       requires(const trace_event& event, std::span<const char> bytes) { T::output(event, bytes); };

/// A context with which a backend tells of events. Without a tracer each call is empty.
template <class Context, class Tracer = no_tracer>
struct traced : Context {
  node_id node = none<node_id>;
  delegate_id delegate = none<delegate_id>;

  /// Begins an event, which ends when what this returns is given to `end_event`.
  auto start_event([[maybe_unused]] event_identifier identifier) const {
    if constexpr (requires(const trace_event& event) { Tracer::start(event); }) {
      return Tracer::start(trace_event{node, delegate, identifier});
    } else {
      return nothing{};
    }
  }
  template <class Token>
  void end_event([[maybe_unused]] Token token, [[maybe_unused]] std::span<const char> metadata = {}) const {
    if constexpr (requires { Tracer::end(token, metadata); }) Tracer::end(token, metadata);
  }
  /// An event that is over; times in the backend's own unit.
  void log_event([[maybe_unused]] event_identifier identifier, [[maybe_unused]] std::uint64_t begin, [[maybe_unused]] std::uint64_t end,
                 [[maybe_unused]] std::span<const char> metadata = {}) const {
    if constexpr (requires(const trace_event& event) { Tracer::log(event, begin, end, metadata); }) {
      Tracer::log(trace_event{node, delegate, identifier}, begin, end, metadata);
    }
  }
  /// An intermediate result: a `bool`, an `int`, a `double`, a tensor's bytes, or a list of tensors' bytes.
  template <class Value>
  void log_output([[maybe_unused]] event_identifier identifier, [[maybe_unused]] const Value& value) const {
    if constexpr (requires(const trace_event& event) { Tracer::output(event, value); }) {
      Tracer::output(trace_event{node, delegate, identifier}, value);
    }
  }

 private:
  struct nothing {};
};

}  // namespace baton

// ---- baton/run/named_data_map.hpp

// Named data where a delegate finds it: in the image, or in a source outside it.

#include <concepts>
#include <span>
#include <string_view>

namespace baton {

/// Bytes under a key.
struct named_bytes {
  std::string_view key;
  std::span<const char> bytes;
};

/// Brings named data from outside the image: `static auto find_named_data(std::string_view key) -> baton::status_or<std::span<const
/// char>>`, with `not_found` for a key that it does not have. Given to an executor as a type.
template <class T>
concept named_data_source = requires(std::string_view key) {
  { T::find_named_data(key) } -> std::convertible_to<status_or<std::span<const char>>>;
};

/// The named data of a delegate. What lies outside the image is looked for first.
class named_data_map {
 public:
  using outside = auto (*)(std::string_view key) -> status_or<std::span<const char>>;

  constexpr named_data_map() = default;
  constexpr named_data_map(std::span<const named_bytes> own, outside source) : own_(own), outside_(source) {}

  /// The bytes of that key. Error: `not_found`, and those of the source outside.
  constexpr auto find(std::string_view key) const -> status_or<std::span<const char>> {
    if (outside_ != nullptr) {
      const auto found = outside_(key);
      if (found.code != status::not_found) return found;
    }
    for (const auto& each : own_) {
      if (each.key == key) return each.bytes;
    }
    return status::not_found;
  }
  /// What lies in the image.
  constexpr auto own() const -> std::span<const named_bytes> { return own_; }

 private:
  std::span<const named_bytes> own_;
  outside outside_ = nullptr;
};

}  // namespace baton

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

/// The call of a lowered module. Arguments stand in the order of the part's user inputs, outputs in that of its user outputs; sizes in
/// bytes. Constants among the arguments lie in read-only memory.
struct delegate_call {
  std::span<const char> blob;
  std::span<const std::span<const char>> inputs;
  std::span<const std::span<char>> outputs;
  std::span<char> scratch;  ///< as large as `preprocess` asked for; what is in it is lost after the call
};

/// The options of a backend that declares none.
struct no_options {};

/// A call, and what else a backend may want to know: `options` is the backend's own type, as it is set now.
template <class Options = no_options>
struct execution_context : delegate_call {
  std::string_view method;  ///< the graph's name, `forward` mostly
  const Options& options;

  constexpr execution_context(const delegate_call& call, std::string_view name, const Options& set)
      : delegate_call(call),
        method(name),
        options(set) {}
};

/// A compile spec as it lies in the image.
struct compile_spec_view {
  std::string_view key;
  std::string_view value;
};

/// What `init` learns of its delegate. Its blob may be kept, by address too, until `destroy`, or released at any time.
template <class Options = no_options>
struct init_context {
  blob& processed;
  std::span<const compile_spec_view> compile_specs;  ///< as `preprocess` had them
  std::string_view method;
  named_data_map named_data;
  const Options& options;

  constexpr init_context(blob& bytes, std::span<const compile_spec_view> specs, std::string_view name, named_data_map data,
                         const Options& set)
      : processed(bytes),
        compile_specs(specs),
        method(name),
        named_data(data),
        options(set) {}
};

}  // namespace baton

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace baton {

// A backend that runs has `execute`, and whichever it needs of the rest; all are static, and none is looked up while the program runs.
//   static void execute(const baton::delegate_call&);
//     or with a context: `const baton::execution_context<options>&`, or a template over it, which may also tell of events (`traced`);
//     with a second parameter `state&`; returning `void`, or `baton::status` where it can fail.
//   struct state {...};    what one delegate keeps from `init` to `destroy`; it lies in the executor.
//   struct options {...};  what the executor's user may set: `baton::with_options<my_npu>({.threads = 4})`.
//   static auto init(baton::init_context<options>&, state&) -> baton::status;   once, before the first execution; `state&` may be left out.
//   static void destroy(state&);                                               when the executor ends, in the order of `init`.
//   static auto is_available() -> bool;                                        asked before `init`; a constant `false` stops the compiler.
//   static constexpr std::size_t blob_alignment = 1024;                        16 unless told.

namespace detail {

struct no_state {};

template <class Backend>
struct state_type {
  using type = no_state;
};
template <class Backend>
  requires requires { typename Backend::state; }
struct state_type<Backend> {
  using type = typename Backend::state;
};

template <class Backend>
struct options_type {
  using type = no_options;
};
template <class Backend>
  requires requires { typename Backend::options; }
struct options_type<Backend> {
  using type = typename Backend::options;
};

template <class Function>
inline constexpr bool takes_plain_call = false;
template <class Result, class... More>
inline constexpr bool takes_plain_call<Result (*)(const delegate_call&, More...)> = true;
template <class Result, class... More>
inline constexpr bool takes_plain_call<Result (*)(const delegate_call&, More...) noexcept> = true;

/// Whether `execute` is a function of a plain call: then no context is made for it.
template <class Backend>
inline constexpr bool executes_plain_call = false;
template <class Backend>
  requires requires { typename std::type_identity<decltype(&Backend::execute)>; }
inline constexpr bool executes_plain_call<Backend> = takes_plain_call<decltype(&Backend::execute)>;

template <class Tracer, class Backend>
using execution_context_for = traced<execution_context<typename options_type<Backend>::type>, Tracer>;
template <class Tracer, class Backend>
using init_context_for = traced<init_context<typename options_type<Backend>::type>, Tracer>;

}  // namespace detail

/// The state that one delegate of a backend keeps, and the options that the backend takes.
template <class Backend>
using state_of = typename detail::state_type<Backend>::type;
template <class Backend>
using options_of = typename detail::options_type<Backend>::type;

template <class Backend>
concept backend_with_options = requires { typename Backend::options; };
template <class Backend>
concept backend_with_init = requires(detail::init_context_for<no_tracer, Backend>& context) {
  Backend::init(context);
} || requires(detail::init_context_for<no_tracer, Backend>& context, state_of<Backend>& state) { Backend::init(context, state); };
template <class Backend>
concept backend_with_destroy = requires { Backend::destroy(); } || requires(state_of<Backend>& state) { Backend::destroy(state); };
/// Whether a backend can say at run time only whether it is available.
template <class Backend>
concept backend_asked_at_run_time =
    requires { Backend::is_available(); } && !requires { typename std::bool_constant<Backend::is_available()>; };

namespace detail {

/// Whether a backend says in the compiler that it is not available.
template <class Backend>
inline constexpr bool is_never_available = false;
template <class Backend>
  requires requires { typename std::bool_constant<Backend::is_available()>; }
inline constexpr bool is_never_available<Backend> = !Backend::is_available();

template <class Backend, class Context>
auto call_init(Context& context, state_of<Backend>& state) {
  if constexpr (requires { Backend::init(context, state); }) {
    return Backend::init(context, state);
  } else {
    return Backend::init(context);
  }
}
template <class Backend, class Context>
auto call_execute(const Context& context, state_of<Backend>& state) {
  if constexpr (requires { Backend::execute(context, state); }) {
    return Backend::execute(context, state);
  } else {
    return Backend::execute(context);
  }
}
template <class Backend>
void call_destroy(state_of<Backend>& state) {
  if constexpr (requires { Backend::destroy(state); }) {
    Backend::destroy(state);
  } else {
    Backend::destroy();
  }
}

template <class Backend>
using execute_parameter = std::conditional_t<executes_plain_call<Backend>, delegate_call, execution_context_for<no_tracer, Backend>>;

template <class Result>
concept step_result = std::same_as<Result, void> || std::same_as<Result, status>;

}  // namespace detail

/// Whether a backend runs here.
template <class Backend>
concept executable_backend = requires(const detail::execute_parameter<Backend>& context) {
  Backend::execute(context);
} || requires(const detail::execute_parameter<Backend>& context, state_of<Backend>& state) { Backend::execute(context, state); };

/// Stops the compiler with a sentence if a step of a backend's life has a form that nobody calls.
template <class Backend>
consteval auto require_backend_life() -> bool {
  constexpr bool executes = executable_backend<Backend>;
  if constexpr (executes) {
    using result = decltype(detail::call_execute<Backend>(std::declval<const detail::execute_parameter<Backend>&>(),
                                                          std::declval<state_of<Backend>&>()));
    static_assert(detail::step_result<result>,
                  "baton not_a_backend: execute returns nothing or a status; write: static auto execute(const "
                  "baton::delegate_call& call) -> baton::status");
  }
  if constexpr (backend_with_init<Backend>) {
    using context = detail::init_context_for<no_tracer, Backend>;
    using result = decltype(detail::call_init<Backend>(std::declval<context&>(), std::declval<state_of<Backend>&>()));
    static_assert(detail::step_result<result>,
                  "baton not_a_backend: init returns nothing or a status; write: static auto init(const "
                  "baton::init_context<>& context, state& state) -> baton::status");
    return executes && detail::step_result<result>;
  } else {
    constexpr bool has_init = requires { typename std::type_identity<decltype(&Backend::init)>; };
    static_assert(!has_init,
                  "baton not_a_backend: init takes a context and the delegate's state; write: static auto init(const "
                  "baton::init_context<>& context, state& state) -> baton::status (init_context<options> where it has options)");
    return executes && !has_init;
  }
}

namespace detail {

template <class Backend>
inline constexpr bool execute_can_fail = false;
template <executable_backend Backend>
inline constexpr bool execute_can_fail<Backend> =
    std::same_as<decltype(call_execute<Backend>(std::declval<const execute_parameter<Backend>&>(), std::declval<state_of<Backend>&>())),
                 status>;

template <class Backend>
inline constexpr bool init_can_fail = false;
template <backend_with_init Backend>
inline constexpr bool init_can_fail<Backend> =
    std::same_as<decltype(call_init<Backend>(std::declval<init_context_for<no_tracer, Backend>&>(), std::declval<state_of<Backend>&>())),
                 status>;

template <class Backend>
inline constexpr std::size_t blob_alignment_of = 16;
template <class Backend>
  requires requires { Backend::blob_alignment; }
inline constexpr std::size_t blob_alignment_of<Backend> = Backend::blob_alignment;

}  // namespace detail

}  // namespace baton

// ---- baton/run/backend_needs.hpp

// What backends ask of the executor and of its memory, said as constants of their types.

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace baton {

/// Whether a backend has the executor run a part's original graph in the place of a blob: `static constexpr bool runs_original = true;`.
template <class Backend>
concept original_running_backend = requires { requires Backend::runs_original; };

/// Whether a backend reads behind the ends of its arguments: `static constexpr std::uint32_t read_ahead_bytes = 64;`. What it reads there
/// has no meaning; the arena is so much larger that the memory is there.
template <class Backend>
concept reading_ahead_backend = requires {
  { Backend::read_ahead_bytes } -> std::convertible_to<std::uint32_t>;
};

/// What the backends of a program's delegates ask for, by delegate. Empty lists: nothing.
struct backend_needs {
  vector<char> runs_original;  ///< whether the original graph runs in the delegate's place
  vector<std::uint32_t> read_ahead_bytes;

  /// The most that any backend reads ahead in the graphs that run.
  constexpr auto most_read_ahead(const program_view& program, const graph_calls& calls) const -> std::uint32_t {
    std::uint32_t most = 0;
    if (read_ahead_bytes.empty()) return most;
    for (const auto id : calls.order) {
      for (const auto& record : program.nodes_of(program[id])) {
        if (record.delegate != none<delegate_id>) most = std::max(most, read_ahead_bytes[index(record.delegate)]);
      }
    }
    return most;
  }
};

/// What the backends of a list ask for. A delegate whose backend is not in the list asks for nothing.
template <class... Backends>
constexpr auto needs_of_backends(backend_list<Backends...> list, const program_view& program) -> backend_needs {
  backend_needs needs;
  for (const auto& delegate : program.delegates) {
    char runs = 0;
    std::uint32_t ahead = 0;
    with_backend(list, program.text(delegate.backend_id), [&](auto backend) {
      using type = typename decltype(backend)::type;
      if constexpr (original_running_backend<type>) runs = 1;
      if constexpr (reading_ahead_backend<type>) ahead = type::read_ahead_bytes;
    });
    needs.runs_original.push_back(runs);
    needs.read_ahead_bytes.push_back(ahead);
  }
  return needs;
}

}  // namespace baton

// ---- baton/run/backend_options.hpp

// Options of backends, as types: given to an executor, read and set between runs.

// ---- baton/run/option_set.hpp

// Options as keys and values, for backends whose options come as text (from a console, a file, non-volatile memory).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <type_traits>

namespace baton {

namespace detail {

/// Text of fixed capacity, zero-terminated; `Room` counts the zero.
template <std::size_t Room>
class bounded_text {
 public:
  constexpr bounded_text() = default;
  /// What does not fit is left out.
  constexpr explicit bounded_text(std::string_view text) : size_(std::min(text.size(), Room - 1)) {
    std::copy_n(text.begin(), size_, characters_);
  }
  constexpr operator std::string_view() const { return {characters_, size_}; }  // NOLINT(google-explicit-constructor)
  constexpr auto c_str() const -> const char* { return characters_; }

 private:
  std::size_t size_ = 0;
  char characters_[Room] = {};
};

}  // namespace detail

/// The longest key of an option, and the longest id that options can be given for.
inline constexpr std::size_t most_key_characters = 63;
/// The longest text of an option; longer ones are cut.
inline constexpr std::size_t most_option_characters = 255;

/// The key of an option. A literal that is too long is refused by the compiler; for text of run time there is `at_run_time`.
class option_key {
 public:
  template <std::size_t N>
  consteval option_key(const char (&literal)[N]) : text_(std::string_view{literal, N - 1}) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= most_key_characters + 1, "baton option_key: the key of an option has at most 63 characters; shorten this one");
  }
  /// Error: `invalid_argument` for text that is too long.
  static constexpr auto at_run_time(std::string_view text) -> status_or<option_key> {
    if (text.size() > most_key_characters) return status::invalid_argument;
    return option_key(text, 0);
  }
  constexpr auto text() const -> std::string_view { return text_; }

 private:
  template <class>
  friend struct status_or;
  constexpr option_key() = default;
  constexpr option_key(std::string_view text, int) : text_(text) {}
  std::string_view text_;
};

/// An option: a key with a truth value, a whole number, or text.
class option {
 public:
  constexpr option() = default;
  constexpr option(option_key key, bool value) : key_(key.text()), kind_(kind::boolean), number_(value ? 1 : 0) {}
  constexpr option(option_key key, int value) : key_(key.text()), kind_(kind::integer), number_(value) {}
  constexpr option(option_key key, std::string_view value) : key_(key.text()), kind_(kind::text), text_(value) {}
  /// Text from C; a null pointer is no text and stops the program.
  constexpr option(option_key key, const char* value) : option(key, value != nullptr ? std::string_view{value} : no_text()) {}

  constexpr auto key() const -> std::string_view { return key_; }

  /// The value as `bool`, `int`, `std::string_view` or `const char*`. Error: `invalid_argument` where it is of another type.
  template <class T>
  constexpr auto get() const -> status_or<T> {
    static_assert(
        std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, std::string_view> || std::is_same_v<T, const char*>,
        "baton option: an option is a bool, an int or text; ask for bool, int, std::string_view or const char*");
    if constexpr (std::is_same_v<T, bool>) {
      if (kind_ == kind::boolean) return number_ != 0;
    } else if constexpr (std::is_same_v<T, int>) {
      if (kind_ == kind::integer) return number_;
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      if (kind_ == kind::text) return std::string_view{text_};
    } else if constexpr (std::is_same_v<T, const char*>) {
      if (kind_ == kind::text) return text_.c_str();
    }
    return status::invalid_argument;
  }

 private:
  enum class kind : std::uint8_t { boolean, integer, text };
  [[noreturn]] static auto no_text() -> std::string_view { std::abort(); }

  detail::bounded_text<most_key_characters + 1> key_;
  kind kind_ = kind::boolean;
  int number_ = 0;
  detail::bounded_text<most_option_characters + 1> text_;
};

/// The option of that key among some, or null.
constexpr auto find_option(std::span<const option> options, std::string_view key) -> const option* {
  const auto found = std::find_if(options.begin(), options.end(), [key](const option& each) { return each.key() == key; });
  return found == options.end() ? nullptr : &*found;
}

/// Up to `Capacity` options, in the order in which they were first set. A value: copies are independent. A backend takes it by declaring
/// `using options = baton::option_set<4>;`, where a struct of its own would be checked by the compiler: prefer the struct.
template <std::size_t Capacity>
class option_set {
 public:
  constexpr option_set() = default;
  /// `option_set{option{"threads", 4}, option{"debug", true}}`.
  template <class... Options>
    requires(sizeof...(Options) != 0 && (std::is_same_v<Options, option> && ...))
  constexpr explicit option_set(const Options&... options) {
    static_assert(sizeof...(Options) <= Capacity,
                  "baton option_set: a set holds as many options as its capacity; these are more; raise it");
    (static_cast<void>(set(options)), ...);
  }

  /// Sets an option; one of that key takes the new value and the new type. Error: `invalid_argument` where a new key finds no room.
  constexpr auto set(const option& given) -> status {
    for (auto& each : entries()) {
      if (each.key() == given.key()) {
        each = given;
        return status::ok;
      }
    }
    if (size_ == Capacity) return status::invalid_argument;
    options_[size_++] = given;
    return status::ok;
  }
  template <class T>
  constexpr auto set(option_key key, const T& value) -> status {
    return set(option(key, value));
  }
  /// Sets them one after the other, until one finds no room.
  constexpr auto assign(std::span<const option> given) -> status {
    for (const auto& each : given) {
      if (const auto code = set(each); code != status::ok) return code;
    }
    return status::ok;
  }

  /// Errors: `not_found`; `invalid_argument` where the option is of another type.
  template <class T>
  constexpr auto get(std::string_view key) const -> status_or<T> {
    const auto* const found = find_option(entries(), key);
    if (found == nullptr) return status::not_found;
    return found->template get<T>();
  }

  constexpr auto size() const -> std::size_t { return size_; }
  constexpr auto entries() const -> std::span<const option> { return {options_, size_}; }
  constexpr auto entries() -> std::span<option> { return {options_, size_}; }

 private:
  std::size_t size_ = 0;
  option options_[Capacity == 0 ? 1 : Capacity] = {};
};

template <class... Options>
  requires(std::is_same_v<Options, option> && ...)
option_set(const Options&...) -> option_set<sizeof...(Options)>;

}  // namespace baton

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace baton {

/// Options for a backend, on their way to an executor.
template <class Backend>
struct given_options {
  options_of<Backend> options;
};

namespace detail {

template <class Backend>
struct required_options {
  static_assert(backend_with_options<Backend>,
                "baton with_options: a backend that takes options declares them; write in it: struct options { int threads = 1; };");
  using type = options_of<Backend>;
};

template <class Backend>
struct options_slot {
  options_of<Backend> options{};
};

/// How often a type stands in a list.
template <class Wanted, class... List>
inline constexpr std::size_t times_in = (std::size_t{0} + ... + (std::is_same_v<Wanted, List> ? 1 : 0));

}  // namespace detail

/// Options for a backend: `baton::executor<lowered> net{baton::with_options<my_npu>({.threads = 4})};`.
template <class Backend>
constexpr auto with_options(const typename detail::required_options<Backend>::type& options) -> given_options<Backend> {
  return {options};
}

/// Sets one of a backend's options by key: by the backend's own `static auto set_option(options&, const baton::option&) -> baton::status`,
/// or in the `option_set` that its options are. A backend that has neither takes no notice. Errors: the backend's own, or the set's.
template <class Backend>
constexpr auto set_option(options_of<Backend>& options, const option& given) -> status {
  if constexpr (requires { Backend::set_option(options, given); }) {
    return Backend::set_option(options, given);
  } else if constexpr (requires {
                         { options.set(given) } -> std::same_as<status>;
                       }) {
    return options.set(given);
  } else {
    return status::ok;
  }
}

/// One of a backend's options by key: by the backend's own `static auto get_option(const options&, std::string_view key) ->
/// baton::status_or<baton::option>`, or from the `option_set` that its options are. Error: `not_found`.
template <class Backend>
constexpr auto get_option(const options_of<Backend>& options, std::string_view key) -> status_or<option> {
  if constexpr (requires { Backend::get_option(options, key); }) {
    return Backend::get_option(options, key);
  } else if constexpr (requires { find_option(options.entries(), key); }) {
    const auto* const found = find_option(options.entries(), key);
    if (found != nullptr) return *found;
  }
  return status::not_found;
}

}  // namespace baton

// ---- baton/run/basic_executor.hpp

// The executor: a static program as straight-line code, with an arena sized by the compiler.

// ---- baton/run/delegate_constants.hpp

// What a delegate reads while it lives, as constants of its own: a pointer into the program would keep all of the program in the image.

// ---- baton/run/execution_plan.hpp

// The plan of an execution: which kernel computes each node, and where each value lies.

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

// ---- baton/run/places.hpp

// Where values lie when graphs call graphs: operands and results are handed over without a copy where one place alone calls a graph.

#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// Where a value lies: at an offset from where the memory of its graph begins (negative: in that of a graph that calls it), or in read-only
/// memory as the data of a constant.
struct value_place {
  std::int64_t offset = 0;
  value_id data = none<value_id>;

  constexpr auto is_constant() const -> bool { return data != none<value_id>; }
};

/// The user inputs of a graph, which are what its caller gives; owned data is not among them.
constexpr auto user_inputs_of(const program_view& program, graph_id id) -> vector<value_id> {
  vector<value_id> found;
  for (const auto input : program.inputs(program[id])) {
    if (program[input].kind == value_kind::user_input) found.push_back(input);
  }
  return found;
}

/// The user outputs of a graph, which are what its caller takes.
constexpr auto user_outputs_of(const program_view& program, graph_id id) -> vector<value_id> {
  vector<value_id> found;
  for (const auto& spec : program.outputs_of(program[id])) {
    if (spec.kind == output_kind::user_output) found.push_back(spec.value);
  }
  return found;
}

namespace detail {

class handover {
 public:
  constexpr handover(const program_view& program, const graph_calls& calls, std::span<const value_id> storage_of)
      : program_(program),
        calls_(calls),
        storage_of_(storage_of),
        holder_(program.values.size(), none<value_id>) {}

  constexpr auto run() -> vector<value_id> {
    for (std::size_t g = 1; g < calls_.order.size(); ++g) {
      if (calls_.has_one_caller(calls_.order[g])) hand_over(calls_.order[g]);
    }
    return std::move(holder_);
  }

 private:
  constexpr auto storage(value_id id) const -> value_id { return storage_of_[index(id)] == none<value_id> ? id : storage_of_[index(id)]; }

  constexpr void hand_over(graph_id id) {
    const auto& caller = program_[calls_.caller[index(id)]];
    const auto kind = control_flow_of(caller);
    const auto counts = loop_counts_of(program_, caller);
    const auto operands = program_.inputs(caller).subspan(kind == control_flow::cond ? 1 : 0);
    const auto results = program_.outputs_of(caller);
    const auto inputs = user_inputs_of(program_, id);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (i >= counts.carried + counts.stacked) {
        holder_[index(inputs[i])] = operands[i];
      } else if (i < counts.carried && !returns_elsewhere(id, caller, inputs[i], i)) {
        holder_[index(inputs[i])] = results[i];
      }
    }
    if (kind != control_flow::cond && kind != control_flow::none) return;
    const auto outputs = user_outputs_of(program_, id);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto made = storage(outputs[i]);
      if (program_[made].kind == value_kind::intermediate && holder_[index(made)] == none<value_id>) holder_[index(made)] = results[i];
    }
  }

  /// Whether the body of a loop gives what it was carried as another of its results: then results must not be written over operands.
  constexpr auto returns_elsewhere(graph_id id, const node& caller, value_id input, std::size_t at) const -> bool {
    if (program_.subgraphs_of(caller).back() != id) return false;
    const auto outputs = user_outputs_of(program_, id);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (i != at && storage(outputs[i]) == input) return true;
    }
    return false;
  }

  program_view program_;
  const graph_calls& calls_;
  std::span<const value_id> storage_of_;
  vector<value_id> holder_;
};

class place_finder {
 public:
  constexpr place_finder(const program_view& program, const graph_calls& calls, std::span<const value_id> storage_of,
                         std::span<const value_id> holders, const memory_plan& plan)
      : program_(program),
        calls_(calls),
        storage_of_(storage_of),
        holders_(holders),
        plan_(plan) {}

  constexpr auto run() const -> vector<value_place> {
    vector<value_place> places(program_.values.size(), value_place{});
    for (std::uint32_t v = 0; v < places.size(); ++v) {
      if (calls_.runs(program_.values[v].graph)) places[v] = find(static_cast<value_id>(v));
    }
    return places;
  }

 private:
  constexpr auto find(value_id id) const -> value_place {
    if (storage_of_[index(id)] != none<value_id>) id = storage_of_[index(id)];
    const auto& record = program_[id];
    if (!needs_memory(record)) return {0, id};
    const auto holder = holders_[index(id)];
    if (holder != none<value_id>) {
      auto place = find(holder);
      if (!place.is_constant()) place.offset -= begin_in_caller(record.graph);
      return place;
    }
    const auto offset = plan_.offset_of(id);
    value_place place{offset == memory_plan::no_offset ? 0 : static_cast<std::int64_t>(offset), none<value_id>};
    if (record.kind != value_kind::mutable_buffer) return place;
    for (auto g = record.graph; index(g) != 0; g = calls_.outer[index(g)]) place.offset -= begin_in_caller(g);
    return place;
  }

  constexpr auto begin_in_caller(graph_id id) const -> std::int64_t {
    const auto offset = plan_.offset_of_scratch(index(calls_.caller[index(id)]));
    return offset == memory_plan::no_offset ? 0 : static_cast<std::int64_t>(offset);
  }

  program_view program_;
  const graph_calls& calls_;
  std::span<const value_id> storage_of_;
  std::span<const value_id> holders_;
  const memory_plan& plan_;
};

}  // namespace detail

/// By value, the value of the calling graph whose memory it lies in (`none`: its own). Where one place alone calls a graph, its inputs are
/// the caller's operands, its results are made where the caller wants them, and what a loop carries lies where the loop's results do;
/// slices, and what a body returns in another's place, are copied. `storage_of` is that of `memory_request`.
constexpr auto held_by_caller(const program_view& program, const graph_calls& calls, std::span<const value_id> storage_of)
    -> vector<value_id> {
  return detail::handover(program, calls, storage_of).run();
}

/// The mutable buffers of the graphs that run, in the order of values.
constexpr auto states_of(const program_view& program, const graph_calls& calls) -> vector<value_id> {
  vector<value_id> found;
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    const auto& record = program.values[v];
    if (record.kind == value_kind::mutable_buffer && calls.runs(record.graph)) found.push_back(static_cast<value_id>(v));
  }
  return found;
}

/// Checks that every mutable buffer has one place that keeps it: its graph, and those around it, are called from one place. Errors:
/// `shared_state`.
constexpr auto check_states(const program_view& program, const graph_calls& calls) -> failure {
  for (const auto id : states_of(program, calls)) {
    for (auto g = program[id].graph; index(g) != 0; g = calls.outer[index(g)]) {
      if (calls.has_one_caller(g)) continue;
      auto why = broken_at<rule::shared_state>(program, calls.caller[index(g)], "buffer ", program.text(program[id].name));
      append(append(why.reason, " of graph "), program.text(program[g].name));
      return why;
    }
  }
  return {};
}

/// By value, where it lies; of values whose graph does not run, nothing is said.
constexpr auto places_of(const program_view& program, const graph_calls& calls, std::span<const value_id> storage_of,
                         std::span<const value_id> holders, const memory_plan& plan) -> vector<value_place> {
  return detail::place_finder(program, calls, storage_of, holders, plan).run();
}

}  // namespace baton

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace baton {

/// Whether a kernel hands its first operand on unchanged, so that its output can share the operand's memory: `static constexpr bool
/// forwards_input = true;`. Such a kernel copies only where the two addresses differ.
template <class Kernel>
concept forwarding_kernel = requires { requires Kernel::forwards_input; };

/// What an executor does with a program, and where.
struct execution_plan {
  /// Of a node whose graph does not run.
  static constexpr std::uint32_t not_run = 0xffffffffu;

  graph_calls calls;
  vector<std::uint32_t> kernels;  ///< by node: its kernel's place in the list; of control flow and delegate calls: the list's size
  vector<value_place> places;     ///< by value
  memory_plan memory;
};

namespace detail {

/// Chooses the kernels of all graphs that run; fails at the first node that has none, or lacks constant data.
template <class... Kernels>
class kernel_choices {
 public:
  constexpr explicit kernel_choices(const program_view& program)
      : program_(program),
        chosen_(program.nodes.size(), execution_plan::not_run) {}

  constexpr auto run(const graph_calls& calls) -> result<vector<std::uint32_t>> {
    for (const auto id : calls.order) {
      const auto nodes = program_[id].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        if (auto why = choose(n)) return why;
      }
    }
    return std::move(chosen_);
  }

 private:
  constexpr auto choose(std::uint32_t n) -> failure {
    const auto& record = program_.nodes[n];
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id> || needs_memory(program_[input]) || program_[input].data.size != 0) continue;
      if (element_count(program_.shape(input)) == 0) continue;
      return broken_at<rule::malformed_data>(program_, static_cast<node_id>(n), program_.text(program_[input].name), " has no data");
    }
    chosen_[n] = sizeof...(Kernels);
    if (record.delegate != none<delegate_id>) {
      const lowered_module_view module(program_, record.delegate);
      const auto device = target_device_of(module);
      if (device) return {};
      auto why = locate(device.error, program_, static_cast<node_id>(n));
      why.backend = join(module.backend_id());
      return why;
    }
    if (control_flow_of(record) != control_flow::none) {
      if (auto why = check_control_flow(program_, record)) return locate(std::move(why), program_, static_cast<node_id>(n));
      return {};
    }
    auto choice = choose_kernel(kernel_list<Kernels...>{}, program_, record);
    chosen_[n] = static_cast<std::uint32_t>(choice.index);
    if (choice.found) return {};
    auto why = broken_at<rule::missing_kernel>(program_, static_cast<node_id>(n));
    why.reason = std::move(choice.found.reason);
    return why;
  }

  program_view program_;
  vector<std::uint32_t> chosen_;
};

}  // namespace detail

/// By value, the value whose memory it shares: the outputs of forwarding kernels. `chosen` is `execution_plan::kernels`.
template <class... Kernels>
constexpr auto shared_storage(kernel_list<Kernels...>, const program_view& program, std::span<const std::uint32_t> chosen)
    -> vector<value_id> {
  constexpr std::array<bool, sizeof...(Kernels) + 1> forwards{forwarding_kernel<Kernels>..., false};
  vector<value_id> storage(program.values.size(), none<value_id>);
  for (std::uint32_t n = 0; n < chosen.size(); ++n) {
    if (chosen[n] == execution_plan::not_run || !forwards[chosen[n]]) continue;
    const auto& record = program.nodes[n];
    const auto from = program.inputs(record)[0];
    if (!detail::needs_memory(program[from])) continue;
    storage[index(program.outputs_of(record)[0])] = storage[index(from)] == none<value_id> ? from : storage[index(from)];
  }
  return storage;
}

/// Plans an execution with a list of kernels; `needs` is what `needs_of_backends` says. Errors: `recursive_graph`, `shared_state`,
/// `malformed_operator` (control flow), `missing_kernel`, `malformed_data` (a constant without data), `unknown_device`, `dynamic_shape`,
/// `overlapping_memory`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options = {},
                              const backend_needs& needs = {}) -> result<execution_plan> {
  if (program.graphs.empty()) return execution_plan{};
  auto calls = graphs_that_run(program, needs.runs_original);
  if (!calls) return calls.error;
  if (auto why = check_states(program, calls.value)) return why;
  auto chosen = detail::kernel_choices<Kernels...>(program).run(calls.value);
  if (!chosen) return chosen.error;
  const auto storage = shared_storage(list, program, chosen.value);
  const auto holders = held_by_caller(program, calls.value, storage);
  vector<char> elsewhere;
  for (const auto holder : holders) elsewhere.push_back(holder != none<value_id> ? 1 : 0);
  auto memory = plan_memory(program, calls.value, options, {storage, elsewhere, needs.most_read_ahead(program, calls.value)});
  if (!memory) return memory.error;
  if (auto why = verify_plan(memory.value)) return why;
  auto places = places_of(program, calls.value, storage, holders, memory.value);
  return execution_plan{std::move(calls.value), std::move(chosen.value), std::move(places), std::move(memory.value)};
}

}  // namespace baton

// ---- baton/run/stored_blob.hpp

// Where blobs lie on the target: equal blobs of a program, and of the methods that were lowered with it, are stored once.

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>

namespace baton::detail {

/// The programs among which a program looks for equal blobs, in an order that is the same for all of them.
template <class Make>
struct blob_sharers {
  using type = std::tuple<static_program<Make>>;
};
template <class>
struct programs_of;
template <class... Names, class... Makes>
struct programs_of<static_methods<static_method<Names, Makes>...>> {
  using type = std::tuple<static_program<Makes>...>;
};
template <class Make>
  requires requires { typename Make::round; }
struct blob_sharers<Make> {
  using type = typename programs_of<typename Make::round::result>::type;
};

struct blob_place {
  std::size_t program = 0;
  delegate_id id{0};
};

/// The first place where these bytes are the blob of a delegate.
template <class... Programs>
constexpr auto first_place_of(std::span<const char> blob, std::type_identity<std::tuple<Programs...>>) -> blob_place {
  blob_place place;
  const auto is_in = [&](const program_view& program) {
    for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
      if (!same_bytes(program.data(program.delegates[d].processed_bytes), blob)) continue;
      place.id = static_cast<delegate_id>(d);
      return true;
    }
    ++place.program;
    return false;
  };
  static_cast<void>((is_in(Programs::value()) || ...));
  return place;
}

/// A copy of a blob: a pointer into the program would keep all of the program in the image.
template <class Program, delegate_id Id, std::size_t Alignment>
alignas(Alignment) inline constexpr auto blob_bytes = [] {
  constexpr auto bytes = program_view(Program::value()).data(Program::value()[Id].processed_bytes);
  std::array<char, bytes.size()> copy{};
  copy_bytes(bytes, copy.data());
  return copy;
}();

/// The blob of a delegate as it is stored.
template <class Program, delegate_id Id, std::size_t Alignment = 16>
constexpr auto stored_blob() -> std::span<const char> {
  using sharers = typename blob_sharers<typename Program::make>::type;
  constexpr auto place =
      first_place_of(program_view(Program::value()).data(Program::value()[Id].processed_bytes), std::type_identity<sharers>{});
  return blob_bytes<std::tuple_element_t<place.program, sharers>, place.id, Alignment>;
}

}  // namespace baton::detail

// ---- baton/run/stored_named_data.hpp

// Where named data lies on the target: equal bytes of a program, and of the methods that were lowered with it, are stored once.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>

namespace baton::detail {

/// The first entry that has some bytes, and the alignment that does for all that have them: their least common multiple.
struct named_data_place {
  std::size_t program = 0;
  std::uint32_t entry = 0;
  std::uint64_t alignment = 1;
  bool is_found = false;
};

template <class... Programs>
constexpr auto first_named_data(std::span<const char> bytes, std::type_identity<std::tuple<Programs...>>) -> named_data_place {
  named_data_place place;
  std::size_t number = 0;
  const auto look_at = [&](const program_view& program) {
    for (std::uint32_t i = 0; i < program.named_data.size(); ++i) {
      const auto& entry = program.named_data[i];
      if (entry.external_tag.size != 0 || !same_bytes(program.data(entry.data), bytes)) continue;
      if (!place.is_found) place = {number, i, 1, true};
      place.alignment = std::lcm(place.alignment, std::uint64_t{entry.alignment});
    }
    ++number;
  };
  (look_at(Programs::value()), ...);
  return place;
}

/// The failure of bytes whose keys together ask for an alignment that no compiler gives.
constexpr auto check_alignment(const program_view& program, std::uint32_t entry, std::uint64_t alignment) -> failure {
  if (std::has_single_bit(alignment)) return {};
  return broken<rule::misaligned_image>("key ", program.text(program.named_data[entry].key), ", alignment ", alignment);
}

/// A copy of named data: a pointer into the program would keep all of the program in the image.
template <class Program, std::uint32_t Entry, std::size_t Alignment>
alignas(Alignment) inline constexpr auto named_data_bytes = [] {
  constexpr auto bytes = program_view(Program::value()).data(Program::value().named_data[Entry].data);
  std::array<char, bytes.size()> copy{};
  copy_bytes(bytes, copy.data());
  return copy;
}();

/// The bytes of an entry of a program's named data as they are stored: in place where they were given as a view of which nobody asks for an
/// alignment, else as a copy, one for all that are equal, aligned for all of their keys. Error, in the compiler: `misaligned_image`.
template <class Program, std::uint32_t Entry>
constexpr auto stored_named_data() -> std::span<const char> {
  using sharers = typename blob_sharers<typename Program::make>::type;
  constexpr auto place =
      first_named_data(program_view(Program::value()).data(Program::value().named_data[Entry].data), std::type_identity<sharers>{});
  using holder = std::tuple_element_t<place.program, sharers>;
  constexpr auto& entry = holder::value().named_data[place.entry];
  constexpr static_failure why{check_alignment(holder::value(), place.entry, place.alignment)};
  require_unbroken<why>();
  if constexpr (entry.is_view && place.alignment == 1) {
    return program_view(holder::value()).data(entry.data);
  } else {
    return named_data_bytes < holder, place.entry, why.broken ? 1 : static_cast<std::size_t>(place.alignment) > ;
  }
}

}  // namespace baton::detail

#include <boost/hana/at.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

template <std::size_t Size, class Bytes>
constexpr auto copy_of_bytes(const Bytes& bytes) -> std::array<char, Size> {
  std::array<char, Size> copy{};
  std::copy(bytes.begin(), bytes.end(), copy.begin());
  return copy;
}

/// A delegate that runs, and the first node that calls it.
struct running_delegate {
  delegate_id id = none<delegate_id>;
  node_id node = none<node_id>;
};

/// The delegates that backends run, in the order of their records.
template <class Execution>
struct running_delegates {
  static constexpr auto view() -> program_view { return Execution::view(); }

  static constexpr auto first_call(delegate_id id) -> node_id {
    if constexpr (Execution::outcome.is_planned) {
      for (std::uint32_t n = 0; n < view().nodes.size(); ++n) {
        if (view().nodes[n].delegate == id && Execution::tables.kernel[n] != execution_plan::not_run) return static_cast<node_id>(n);
      }
    }
    return none<node_id>;
  }
  static constexpr auto runs(delegate_id id) -> bool { return !Execution::runs_original(id) && first_call(id) != none<node_id>; }
  static consteval auto count_all() -> std::size_t {
    std::size_t found = 0;
    if constexpr (Execution::outcome.is_planned) {
      for (std::uint32_t d = 0; d < view().delegates.size(); ++d) found += runs(static_cast<delegate_id>(d)) ? 1 : 0;
    }
    return found;
  }
  static constexpr std::size_t count = count_all();
  static consteval auto find_all() -> std::array<running_delegate, count> {
    std::array<running_delegate, count> found{};
    std::size_t at = 0;
    if constexpr (count != 0) {
      for (std::uint32_t d = 0; d < view().delegates.size(); ++d) {
        const auto id = static_cast<delegate_id>(d);
        if (runs(id)) found[at++] = {id, first_call(id)};
      }
    }
    return found;
  }
  static constexpr std::array<running_delegate, count> all = find_all();

  static constexpr auto position(delegate_id id) -> std::size_t {
    std::size_t at = 0;
    while (at < count && all[at].id != id) ++at;
    return at;
  }
  /// Whether a backend runs one of them.
  static constexpr auto use(std::string_view backend_id) -> bool {
    return std::any_of(all.begin(), all.end(),
                       [&](const running_delegate& each) { return lowered_module_view(view(), each.id).backend_id() == backend_id; });
  }
};

/// The name of the method.
template <class Execution>
struct method_constants {
  static constexpr auto name_in_program() -> std::string_view { return Execution::view().text(Execution::view().root().name); }
  static constexpr auto bytes = copy_of_bytes<name_in_program().size()>(name_in_program());
  static constexpr auto name() -> std::string_view { return {bytes.data(), bytes.size()}; }
};

template <class Execution, delegate_id Id>
struct delegate_constants {
  static constexpr auto view() -> program_view { return Execution::view(); }
  static constexpr auto module() -> lowered_module_view { return {view(), Id}; }
  static constexpr auto record() -> const lowered_module_ref& { return view().delegates[index(Id)]; }

  static constexpr std::size_t place_of_backend = position_of_backend(typename Execution::backend_types{}, module().backend_id());
  using backend = typename std::remove_cvref_t<decltype(boost::hana::at_c<place_of_backend>(Execution::backend_types::types))>::type;

  // The blob

  static constexpr auto blob() -> std::span<const char> {
    return stored_blob<typename Execution::program_type, Id, blob_alignment_of<backend>>();
  }

  static constexpr auto id_bytes = copy_of_bytes<module().backend_id().size()>(module().backend_id());
  static constexpr auto name_bytes = copy_of_bytes<module().name().size()>(module().name());
  static constexpr auto request() -> blob_request {
    return {segment_kind::backend,
            {id_bytes.data(), id_bytes.size()},
            {name_bytes.data(), name_bytes.size()},
            module().processed_bytes().size(),
            blob_alignment_of<backend>};
  }

  // Compile specs

  static constexpr auto spec_size() -> std::size_t {
    std::size_t size = 0;
    for (const auto& spec : module().compile_specs()) size += spec.key.size + spec.value.size;
    return size;
  }
  static consteval auto copy_specs() {
    std::array<char, spec_size()> copy{};
    auto* to = copy.data();
    for (const auto& spec : module().compile_specs()) {
      to = std::ranges::copy(view().text(spec.key), to).out;
      to = std::ranges::copy(view().text(spec.value), to).out;
    }
    return copy;
  }
  static constexpr auto spec_bytes = copy_specs();
  static consteval auto list_specs() {
    std::array<compile_spec_view, record().compile_specs.size> list{};
    const char* from = spec_bytes.data();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& spec = module().compile_specs()[i];
      list[i] = {{from, spec.key.size}, {from + spec.key.size, spec.value.size}};
      from += spec.key.size + spec.value.size;
    }
    return list;
  }
  static constexpr auto specs = list_specs();

  // Named data, as far as it lies in the image

  static constexpr auto named_entry(std::size_t i) -> const named_data_ref& { return view().named_data[record().named_data.first + i]; }
  static constexpr auto lies_in_image(std::size_t i) -> bool { return named_entry(i).external_tag.size == 0; }
  static constexpr auto named_count() -> std::size_t {
    std::size_t count = 0;
    for (std::size_t i = 0; i < record().named_data.size; ++i) count += lies_in_image(i) ? 1 : 0;
    return count;
  }
  /// The entry of the program that is the nth of this delegate in the image.
  static constexpr auto nth_named(std::size_t n) -> std::uint32_t {
    std::size_t i = 0;
    while (!lies_in_image(i) || n-- != 0) ++i;
    return static_cast<std::uint32_t>(record().named_data.first + i);
  }
  template <std::size_t N>
  struct named_key {
    static constexpr auto text() -> std::string_view { return view().text(view().named_data[nth_named(N)].key); }
    static constexpr auto bytes = copy_of_bytes<text().size()>(text());
  };
  template <std::size_t... N>
  static consteval auto list_named(std::index_sequence<N...>) {
    return std::array<named_bytes, sizeof...(N)>{named_bytes{{named_key<N>::bytes.data(), named_key<N>::bytes.size()},
                                                             stored_named_data<typename Execution::program_type, nth_named(N)>()}...};
  }
  static constexpr auto named = list_named(std::make_index_sequence<named_count()>{});
  /// Their places in the program's named data.
  static constexpr auto named_places = [] {
    std::array<std::uint32_t, named_count()> places{};
    for (std::size_t n = 0; n < places.size(); ++n) places[n] = nth_named(n);
    return places;
  }();
};

}  // namespace baton::detail

// ---- baton/run/delegate_life.hpp

// The delegates of an executor: what they keep, and the steps of their lives, as far as their backends have them.

// ---- baton/run/run_failure.hpp

// Which delegate failed, at what, and how: as numbers on the target, as a sentence for who asks.

#include <cstdint>

namespace baton {

/// A step of a delegate's life.
enum class life_step : std::uint8_t { none, availability, loading, named_data, init, execution };

/// The last failure of an executor; `code` is `ok` where nothing failed.
struct run_failure {
  status code = status::ok;
  life_step step = life_step::none;
  node_id node = none<node_id>;  ///< the call, or the first call of the delegate
  delegate_id delegate = none<delegate_id>;
  std::uint32_t named_data = 0xffffffffu;  ///< where a key is concerned, its place in the program's named data

  constexpr auto operator==(const run_failure&) const -> bool = default;
};

/// The sentence of a failure, with its facts: node, backend, and the status in the reason. Rules: `unavailable_backend`, `unloaded_blob`,
/// `ambiguous_named_data`, `failed_init`, `failed_execute`. For hosts and debuggers: it needs the program.
constexpr auto explain(const program_view& program, const run_failure& what) -> failure {
  if (what.code == status::ok) return {};
  failure why;
  switch (what.step) {
    case life_step::availability:
      why = broken<rule::unavailable_backend>();
      break;
    case life_step::loading:
      why = broken<rule::unloaded_blob>();
      break;
    case life_step::named_data:
      why = broken<rule::ambiguous_named_data>();
      break;
    case life_step::init:
      why = broken<rule::failed_init>();
      break;
    default:
      why = broken<rule::failed_execute>();
      break;
  }
  why.reason = join("status ", static_cast<int>(what.code), " ", to_text(what.code));
  if (what.named_data < program.named_data.size()) {
    append(append(why.reason, ", key "), program.text(program.named_data[what.named_data].key));
  }
  why.backend = join(lowered_module_view(program, what.delegate).backend_id());
  return locate(std::move(why), program, what.node);
}

}  // namespace baton

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// What an executor is given as types beside program and kernels: each is a loader, a source of named data, a tracer, or several of these.
template <class... Services>
struct service_list {
  static_assert(((blob_loader<Services> || named_data_source<Services> || event_tracer<Services>) && ...),
                "baton executor: what stands behind the plan options is a loader of blobs (static auto load(const baton::blob_request&) -> "
                "baton::status_or<baton::loaded_blob>), a source of named data, or a tracer of events");

  /// Calls `f` with each in turn until it finds what it looks for.
  static constexpr auto position_of(const std::array<bool, sizeof...(Services)>& is_one) -> std::size_t {
    std::size_t at = 0;
    while (at < is_one.size() && !is_one[at]) ++at;
    return at;
  }
  static constexpr boost::hana::tuple<boost::hana::type<Services>..., boost::hana::type<void>> types{};
  template <std::size_t I>
  using at = typename std::remove_cvref_t<decltype(boost::hana::at_c<I>(types))>::type;

  using loader = at<position_of({blob_loader<Services>...})>;
  using source = at<position_of({named_data_source<Services>...})>;
  using tracer_or_void = at<position_of({event_tracer<Services>...})>;
  using tracer = std::conditional_t<std::is_void_v<tracer_or_void>, no_tracer, tracer_or_void>;
};

/// One delegate: its backend, its constants, and which steps its life has.
template <class Execution, class Services, std::size_t I>
struct delegate_traits {
  static constexpr auto running = running_delegates<Execution>::all[I];
  using constants = delegate_constants<Execution, running.id>;
  using backend = typename constants::backend;
  using loader = typename Services::loader;

  static constexpr auto loads() -> bool {
    if constexpr (std::is_void_v<loader>) {
      return false;
    } else if constexpr (requires(const blob_request& request) { loader::loads(request); }) {
      return loader::loads(constants::request());
    } else {
      return true;
    }
  }
  static constexpr bool is_loaded = loads();
  static constexpr bool has_init = backend_with_init<backend>;
  static constexpr bool is_asked = backend_asked_at_run_time<backend>;
  static constexpr bool has_named_data_outside = has_init && !std::is_void_v<typename Services::source>;
  static constexpr bool keeps_blob = is_loaded || has_init;
  static constexpr bool has_start = keeps_blob || is_asked;
  static constexpr bool has_end = is_loaded || backend_with_destroy<backend>;
  static constexpr bool start_can_fail = is_loaded || is_asked || init_can_fail<backend> || has_named_data_outside;
  static constexpr bool can_fail = start_can_fail || execute_can_fail<backend>;
};

template <std::size_t I, class State>
struct state_slot {
  State kept{};
};
template <std::size_t I>
struct state_slot<I, no_state> {};

template <std::size_t I, bool Keeps>
struct blob_slot {
  blob bytes;
};
template <std::size_t I>
struct blob_slot<I, false> {};

/// What one delegate keeps; nothing, where it needs nothing.
template <class Traits, std::size_t I>
struct delegate_slot : state_slot<I, state_of<typename Traits::backend>>, blob_slot<I, Traits::keeps_blob> {};

template <bool IsThere>
struct start_record {
  std::uint32_t ready = 0;  ///< how many delegates have begun their lives
};
template <>
struct start_record<false> {};

template <bool IsThere>
struct failure_record {
  run_failure failed;
};
template <>
struct failure_record<false> {};

template <bool IsThere, class Backend>
struct options_part : options_slot<Backend> {};
template <class Backend>
struct options_part<false, Backend> {};

inline constexpr no_options options_of_none{};

template <class Execution, class Services, class List, class Indices>
class delegate_life;

/// The delegates of an executor; an empty class where no backend of the program has a life.
template <class Execution, class Services, class... Backends, std::size_t... I>
class delegate_life<Execution, Services, backend_list<Backends...>, std::index_sequence<I...>>
    : delegate_slot<delegate_traits<Execution, Services, I>, I>...,
      options_part<(backend_with_options<Backends> && running_delegates<Execution>::use(to_text(Backends::id))), Backends>...,
      start_record<(delegate_traits<Execution, Services, I>::has_start || ...)>,
      failure_record<(delegate_traits<Execution, Services, I>::can_fail || ...)> {
  template <std::size_t N>
  using traits = delegate_traits<Execution, Services, N>;

 public:
  static constexpr bool has_start = (traits<I>::has_start || ...);
  static constexpr bool has_end = (traits<I>::has_end || ...);
  static constexpr bool can_fail = (traits<I>::can_fail || ...);
  static constexpr bool start_can_fail = (traits<I>::start_can_fail || ...);
  static constexpr bool keeps_something = has_start || !(std::is_same_v<state_of<typename traits<I>::backend>, no_state> && ...);

  template <class Backend>
  static constexpr bool has_options_of = (std::is_same_v<Backend, Backends> || ...) && backend_with_options<Backend> &&
                                         running_delegates<Execution>::use(to_text(Backend::id));

  template <class Backend>
  constexpr auto options() -> options_of<Backend>& {
    return static_cast<options_slot<Backend>&>(*this).options;
  }
  template <class Backend>
  constexpr auto options() const -> const options_of<Backend>& {
    return static_cast<const options_slot<Backend>&>(*this).options;
  }
  /// Calls `f(type of the backend, its options)` for the backend of that id, if it takes options here. Whether the program uses the
  /// backend.
  template <class Self, class F>
  static constexpr auto with_backend_in_use(Self& self, std::string_view id, F f) -> bool {
    return (with_one<Backends>(self, id, f) || ...);
  }

  /// Begins the lives that have not begun, in the order of the records, up to the first that fails. Whether all have.
  auto start() -> bool {
    if constexpr (has_start) return (start_next<I>() && ...);
    return true;
  }
  /// Ends the lives that have begun, in the same order.
  void end() {
    if constexpr (has_end) {
      (end_one<I>(), ...);
      this->ready = 0;
    }
  }
  /// Executes a call. Whether to go on.
  template <std::size_t N>
  auto execute(delegate_call call, [[maybe_unused]] node_id at) -> bool {
    using backend = typename traits<N>::backend;
    if constexpr (traits<N>::keeps_blob) {
      call.blob = blob_of<N>().bytes();
    } else {
      call.blob = traits<N>::constants::blob();
    }
    if constexpr (executes_plain_call<backend>) {
      return execute_in<N>(call, at);
    } else {
      using context = execution_context_for<typename Services::tracer, backend>;
      return execute_in<N>(context{{call, method_constants<Execution>::name(), options_or_none<backend>()}, at, traits<N>::running.id}, at);
    }
  }

  constexpr auto failed() const -> run_failure {
    if constexpr (can_fail) {
      return static_cast<const failure_record<true>&>(*this).failed;
    } else {
      return {};
    }
  }

 private:
  template <class Backend, class Self, class F>
  static constexpr auto with_one(Self& self, std::string_view id, F& f) -> bool {
    if (to_text(Backend::id) != id || !running_delegates<Execution>::use(id)) return false;
    if constexpr (has_options_of<Backend>) f(std::type_identity<Backend>{}, self.template options<Backend>());
    return true;
  }
  template <std::size_t N>
  auto blob_of() -> blob& {
    return static_cast<blob_slot<N, true>&>(*this).bytes;
  }
  template <std::size_t N, class F>
  auto with_state(F f) {
    using state = state_of<typename traits<N>::backend>;
    if constexpr (std::is_same_v<state, no_state>) {
      no_state none;
      return f(none);
    } else {
      return f(static_cast<state_slot<N, state>&>(*this).kept);
    }
  }
  template <class Backend>
  auto options_or_none() const -> const options_of<Backend>& {
    if constexpr (has_options_of<Backend>) {
      return options<Backend>();
    } else {
      return options_of_none;
    }
  }

  /// Notes a failure, if it is one. Whether it is none.
  auto note(status code, life_step step, node_id node, delegate_id delegate) -> bool {
    if (code == status::ok) return true;
    static_cast<failure_record<true>&>(*this).failed = {code, step, node, delegate, 0xffffffffu};
    return false;
  }
  template <std::size_t N>
  auto note(status code, life_step step) -> bool {
    return note(code, step, traits<N>::running.node, traits<N>::running.id);
  }

  /// A key that lies in the image and outside it.
  template <std::size_t N>
  auto note_key(std::uint32_t entry) -> bool {
    static_cast<void>(note<N>(status::invalid_argument, life_step::named_data));
    static_cast<failure_record<true>&>(*this).failed.named_data = entry;
    return false;
  }

  template <std::size_t N, class Context>
  auto execute_in(const Context& context, [[maybe_unused]] node_id at) -> bool {
    using backend = typename traits<N>::backend;
    return with_state<N>([&](auto& state) {
      if constexpr (execute_can_fail<backend>) {
        return note(call_execute<backend>(context, state), life_step::execution, at, traits<N>::running.id);
      } else {
        call_execute<backend>(context, state);
        return true;
      }
    });
  }

  template <std::size_t N>
  auto start_next() -> bool {
    if (this->ready > N) return true;
    if (!start_one<N>()) return false;
    this->ready = N + 1;
    return true;
  }
  template <std::size_t N>
  auto start_one() -> bool {
    using backend = typename traits<N>::backend;
    if constexpr (traits<N>::is_asked) {
      if (!backend::is_available()) return note<N>(status::not_found, life_step::availability);
    }
    if constexpr (traits<N>::is_loaded) {
      if (!load<N>()) return false;
    } else if constexpr (traits<N>::keeps_blob) {
      blob_of<N>().hold({traits<N>::constants::blob()});
    }
    if constexpr (traits<N>::has_init) {
      if (init<N>()) return true;
      blob_of<N>().release();
      return false;
    }
    return true;
  }
  template <std::size_t N>
  auto load() -> bool {
    constexpr auto request = traits<N>::constants::request();
    const status_or<loaded_blob> loaded = traits<N>::loader::load(request);
    if (!loaded) return note<N>(loaded.code, life_step::loading);
    blob_of<N>().hold(loaded.value);
    if (reinterpret_cast<std::uintptr_t>(loaded.value.bytes.data()) % request.alignment == 0) return true;
    blob_of<N>().release();
    return note<N>(status::access_failed, life_step::loading);
  }
  template <std::size_t N>
  auto init() -> bool {
    using backend = typename traits<N>::backend;
    using constants = typename traits<N>::constants;
    named_data_map::outside outside = nullptr;
    if constexpr (traits<N>::has_named_data_outside) {
      outside = +[](std::string_view key) -> status_or<std::span<const char>> { return Services::source::find_named_data(key); };
      for (std::size_t i = 0; i < constants::named.size(); ++i) {
        if (outside(constants::named[i].key)) return note_key<N>(constants::named_places[i]);
      }
    }
    using context_type = init_context_for<typename Services::tracer, backend>;
    context_type context{
        {blob_of<N>(), constants::specs, method_constants<Execution>::name(), {constants::named, outside}, options_or_none<backend>()},
        traits<N>::running.node,
        traits<N>::running.id};
    return with_state<N>([&](auto& state) {
      if constexpr (init_can_fail<backend>) {
        return note<N>(call_init<backend>(context, state), life_step::init);
      } else {
        call_init<backend>(context, state);
        return true;
      }
    });
  }
  template <std::size_t N>
  void end_one() {
    using backend = typename traits<N>::backend;
    if constexpr (has_start) {
      if (this->ready <= N) return;
    }
    if constexpr (backend_with_destroy<backend>) with_state<N>([](auto& state) { call_destroy<backend>(state); });
    if constexpr (traits<N>::is_loaded) blob_of<N>().release();
  }
};

/// The delegates of an executor, which end with it.
template <class Life, bool HasEnd>
struct ending : Life {};
template <class Life>
struct ending<Life, true> : Life {
  constexpr ending() = default;
  ending(const ending&) = delete;
  auto operator=(const ending&) -> ending& = delete;
  ~ending() { this->end(); }
};

template <class Execution, class Services>
using delegate_life_of =
    delegate_life<Execution, Services, typename Execution::backend_types, std::make_index_sequence<running_delegates<Execution>::count>>;

template <class Execution, class Services>
using ending_life_of = ending<delegate_life_of<Execution, Services>, delegate_life_of<Execution, Services>::has_end>;

}  // namespace baton::detail

// ---- baton/run/graph_runner.hpp

// Runs the graphs of a static program: kernels, branches and loops, each chosen by the compiler.

// ---- baton/run/signature.hpp

// The user's side of a static program: which values are its inputs and outputs.

#include <cstddef>
#include <span>

namespace baton::detail {

/// The mutable buffer that output `i` of a graph is written to.
constexpr auto mutated_buffer(const program_view& program, graph_id of, std::size_t i) -> value_id {
  const auto target = program.text(program.outputs_of(program[of])[i].target);
  for (const auto id : program.inputs(program[of])) {
    if (program[id].kind == value_kind::mutable_buffer && program.text(program[id].target) == target) return id;
  }
  return none<value_id>;
}

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
};

}  // namespace baton::detail

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// Whether a scalar in memory is true: not zero.
template <dtype Type>
inline auto is_true(const char* scalar) -> bool {
  if constexpr (Type == dtype::float32) {
    float number = 0;
    std::memcpy(&number, scalar, sizeof number);
    return number != 0;
  } else if constexpr (Type == dtype::float64) {
    double number = 0;
    std::memcpy(&number, scalar, sizeof number);
    return number != 0;
  } else {
    constexpr std::size_t bytes = facts(Type).bits < 8 ? 1 : facts(Type).bits / 8;
    return std::any_of(scalar, scalar + bytes, [](char byte) { return byte != 0; });
  }
}

/// Runs graphs. A graph is one function of where its memory begins, whoever calls it; what it calls is known to the compiler, so the stack
/// is as deep as graphs lie in one another. `Execution` is a `static_execution`. The owner runs delegates: `run_delegate<N>(call, scratch)`
/// says whether to go on. `after(call)` is told of every node when it has run.
template <class Execution, class Owner, class Observer>
class graph_runner {
 public:
  graph_runner(Owner& owner, Observer& after) : owner_(owner), after_(after) {}

  /// Runs a graph whose memory begins at `base`. Whether to go on: every node could be run.
  template <graph_id G>
  auto run(char* base) -> bool {
    return run_nodes<G>(base, std::make_index_sequence<view()[G].nodes.size>{}) &&
           (write_back<G>(base, std::make_index_sequence<view()[G].outputs.size>{}), true);
  }

 private:
  using place = typename Execution::place;

  static constexpr auto view() -> program_view { return Execution::view(); }
  static constexpr auto bytes_of(value_id id) -> std::size_t {
    return static_cast<std::size_t>(byte_count(view()[id].type, view().shape(id)));
  }

  template <graph_id G, std::size_t... N>
  auto run_nodes(char* base, std::index_sequence<N...>) -> bool {
    static_cast<void>(base);
    return (run_node<view()[G].nodes.first + N>(base) && ...);
  }

  template <std::uint32_t N>
  auto run_node(char* base) -> bool {
    constexpr const node& record = Execution::program_type::value().nodes[N];
    constexpr auto kind = control_flow_of(record);
    const node_call<typename Execution::program_type, N, place> call{base};
    bool goes_on = true;
    if constexpr (kind == control_flow::cond) {
      goes_on = run_branch<N>(base);
    } else if constexpr (kind == control_flow::while_loop) {
      goes_on = run_while<N>(base);
    } else if constexpr (kind != control_flow::none) {
      goes_on = run_stacked<N>(base);
    } else if constexpr (record.delegate != none<delegate_id> && Execution::runs_original(record.delegate)) {
      goes_on = run_called<N, view().delegates[index(record.delegate)].original>(base);
    } else if constexpr (record.delegate != none<delegate_id>) {
      goes_on = owner_.template run_delegate<N>(call, Execution::template scratch<N>(base));
    } else {
      Execution::template kernel_type<N>::run(call);
    }
    if (goes_on) after_(call);
    return goes_on;
  }

  // Copies

  /// Copies a value; `Shift` is from where the memory of its graph begins to where that of the other does.
  template <value_id To, value_id From, std::int64_t ShiftOfTo, std::int64_t ShiftOfFrom>
  static void copy(char* base) {
    constexpr auto to = Execution::place_of(To);
    constexpr auto from = Execution::place_of(From);
    if constexpr (!to.is_constant() && (from.is_constant() || to.offset + ShiftOfTo != from.offset + ShiftOfFrom)) {
      std::memcpy(base + (to.offset + ShiftOfTo), place::template address<From>(base + ShiftOfFrom), bytes_of(To));
    }
  }
  /// Copies an operand of the calling graph to a graph that node N calls.
  template <std::uint32_t N, value_id Outer, value_id Inner>
  static void give(char* base) {
    copy<Inner, Outer, Execution::begin_of_called(N), 0>(base);
  }
  /// Copies a result of a graph that node N calls to the calling graph.
  template <std::uint32_t N, value_id Outer, value_id Inner>
  static void take(char* base) {
    copy<Outer, Inner, 0, Execution::begin_of_called(N)>(base);
  }

  static constexpr auto operand(std::uint32_t n, std::size_t i) -> value_id { return view().inputs(view().nodes[n])[i]; }
  static constexpr auto output(std::uint32_t n, std::size_t i) -> value_id { return view().outputs_of(view().nodes[n])[i]; }
  static constexpr auto inner_input(graph_id id, std::size_t i) -> value_id { return user_inputs_of(view(), id)[i]; }
  static constexpr auto inner_output(graph_id id, std::size_t i) -> value_id { return user_outputs_of(view(), id)[i]; }
  static constexpr auto input_count(graph_id id) -> std::size_t { return user_inputs_of(view(), id).size(); }
  static constexpr auto output_count(graph_id id) -> std::size_t { return user_outputs_of(view(), id).size(); }
  static constexpr auto counts(std::uint32_t n) -> loop_counts { return loop_counts_of(view(), view().nodes[n]); }

  // Calls: operands in, results out.

  template <std::uint32_t N, graph_id G, std::size_t FirstOperand = 0>
  auto run_called(char* base) -> bool {
    give_all<N, G, FirstOperand>(base, std::make_index_sequence<input_count(G)>{});
    if (!run<G>(base + Execution::begin_of_called(N))) return false;
    take_all<N, G>(base, std::make_index_sequence<output_count(G)>{});
    return true;
  }
  template <std::uint32_t N, graph_id G, std::size_t FirstOperand, std::size_t... I>
  static void give_all(char* base, std::index_sequence<I...>) {
    static_cast<void>(base);
    (give<N, operand(N, FirstOperand + I), inner_input(G, I)>(base), ...);
  }
  template <std::uint32_t N, graph_id G, std::size_t... O>
  static void take_all(char* base, std::index_sequence<O...>) {
    static_cast<void>(base);
    (take<N, output(N, O), inner_output(G, O)>(base), ...);
  }

  template <std::uint32_t N>
  auto run_branch(char* base) -> bool {
    constexpr auto predicate = operand(N, 0);
    constexpr auto if_true = view().subgraphs_of(view().nodes[N])[0];
    constexpr auto if_false = view().subgraphs_of(view().nodes[N])[1];
    const bool holds = is_true<view()[predicate].type>(place::template address<predicate>(base));
    return holds ? run_called<N, if_true, 1>(base) : run_called<N, if_false, 1>(base);
  }

  // Loops: what is carried lies in the node's outputs from turn to turn.

  /// Fills the inputs of a graph that a loop calls: carried values, slices at `step`, and what does not change.
  template <std::uint32_t N, graph_id G, std::size_t... I>
  static void give_turn(char* base, std::size_t step, std::index_sequence<I...>) {
    static_cast<void>(base), static_cast<void>(step);
    (give_one<N, G, I>(base, step), ...);
  }
  template <std::uint32_t N, graph_id G, std::size_t I>
  static void give_one(char* base, [[maybe_unused]] std::size_t step) {
    constexpr auto inner = inner_input(G, I);
    if constexpr (I < counts(N).carried) {
      give<N, output(N, I), inner>(base);
    } else if constexpr (I < counts(N).carried + counts(N).stacked) {
      constexpr auto begin = Execution::begin_of_called(N);
      std::memcpy(place::template writable<inner>(base + begin), place::template address<operand(N, I)>(base) + step * bytes_of(inner),
                  bytes_of(inner));
    } else {
      give<N, operand(N, I), inner>(base);
    }
  }
  template <std::uint32_t N, graph_id G>
  auto run_turn(char* base, std::size_t step) -> bool {
    give_turn<N, G>(base, step, std::make_index_sequence<input_count(G)>{});
    return run<G>(base + Execution::begin_of_called(N));
  }
  template <std::uint32_t N, std::size_t... I>
  static void begin_carrying(char* base, std::index_sequence<I...>) {
    static_cast<void>(base);
    (copy<output(N, I), operand(N, I), 0, 0>(base), ...);
  }

  template <std::uint32_t N>
  auto run_while(char* base) -> bool {
    constexpr auto condition = view().subgraphs_of(view().nodes[N])[0];
    constexpr auto body = view().subgraphs_of(view().nodes[N])[1];
    constexpr auto decision = inner_output(condition, 0);
    begin_carrying<N>(base, std::make_index_sequence<counts(N).carried>{});
    while (run_turn<N, condition>(base, 0)) {
      if (!is_true<view()[decision].type>(place::template address<decision>(base + Execution::begin_of_called(N)))) return true;
      if (!run_turn<N, body>(base, 0)) return false;
      take_all<N, body>(base, std::make_index_sequence<counts(N).carried>{});
    }
    return false;
  }

  /// `map` and `scan`: the slices of stacks one after the other.
  template <std::uint32_t N>
  auto run_stacked(char* base) -> bool {
    constexpr auto body = view().subgraphs_of(view().nodes[N])[0];
    constexpr auto steps = static_cast<std::size_t>(view().shape(operand(N, counts(N).carried))[0]);
    begin_carrying<N>(base, std::make_index_sequence<counts(N).carried>{});
    for (std::size_t step = 0; step < steps; ++step) {
      if (!run_turn<N, body>(base, step)) return false;
      stack<N, body>(base, step, std::make_index_sequence<output_count(body) - counts(N).carried>{});
      take_all<N, body>(base, std::make_index_sequence<counts(N).carried>{});
    }
    return true;
  }
  template <std::uint32_t N, graph_id G, std::size_t... O>
  static void stack(char* base, std::size_t step, std::index_sequence<O...>) {
    static_cast<void>(base), static_cast<void>(step);
    (stack_one<output(N, counts(N).carried + O), inner_output(G, counts(N).carried + O), Execution::begin_of_called(N)>(base, step), ...);
  }
  template <value_id To, value_id Slice, std::int64_t Shift>
  static void stack_one(char* base, std::size_t step) {
    std::memcpy(place::template writable<To>(base) + step * bytes_of(Slice), place::template address<Slice>(base + Shift), bytes_of(Slice));
  }

  // Mutable buffers take the values that a graph returns for them.

  template <graph_id G, std::size_t... I>
  static void write_back(char* base, std::index_sequence<I...>) {
    static_cast<void>(base);
    (write_back_one<G, I>(base), ...);
  }
  template <graph_id G, std::size_t I>
  static void write_back_one(char* base) {
    constexpr auto spec = view().outputs_of(view()[G])[I];
    if constexpr (spec.kind == output_kind::buffer_mutation) copy<mutated_buffer(view(), G, I), spec.value, 0, 0>(base);
  }

  Owner& owner_;
  Observer& after_;
};

}  // namespace baton::detail

// ---- baton/run/load_options.hpp

// Which options are for which backend, where both are known at run time only.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

namespace baton {

/// What brings options for one backend along: its id and the options.
template <class T>
concept backend_options_builder = requires(const T& builder) {
  { builder.backend_id() } -> std::convertible_to<std::string_view>;
  { builder.view() } -> std::convertible_to<std::span<const option>>;
};

/// By backend id, a view of the options for it; the options stay with who made them. Given to an executor's `init`.
class load_options {
 public:
  static constexpr std::size_t capacity = 8;

  struct entry {
    detail::bounded_text<most_key_characters + 1> backend_id;
    std::span<const option> options;
  };

  /// Takes options for a backend, in the place of those it had. Error: `invalid_argument` for an empty id, one of more than 63 characters,
  /// and a ninth; then nothing has changed.
  constexpr auto set(std::string_view backend_id, std::span<const option> options) -> status {
    if (backend_id.empty() || backend_id.size() > most_key_characters) return status::invalid_argument;
    for (auto& each : std::span{entries_, size_}) {
      if (std::string_view{each.backend_id} == backend_id) {
        each.options = options;
        return status::ok;
      }
    }
    if (size_ == capacity) return status::invalid_argument;
    entries_[size_++] = {detail::bounded_text<most_key_characters + 1>(backend_id), options};
    return status::ok;
  }
  /// The same for an id from C, where a null pointer is an empty id.
  constexpr auto set(const char* backend_id, std::span<const option> options) -> status { return set(text_of(backend_id), options); }
  template <backend_options_builder Builder>
  constexpr auto set(const Builder& builder) -> status {
    return set(std::string_view{builder.backend_id()}, std::span<const option>{builder.view()});
  }

  /// The options for a backend, none where there are none.
  constexpr auto get(std::string_view backend_id) const -> std::span<const option> {
    const auto* const found = find(backend_id);
    return found == nullptr ? std::span<const option>{} : found->options;
  }
  constexpr auto get(const char* backend_id) const -> std::span<const option> { return get(text_of(backend_id)); }
  /// Whether options were given for a backend, be it an empty list.
  constexpr auto has(std::string_view backend_id) const -> bool { return find(backend_id) != nullptr; }
  constexpr auto has(const char* backend_id) const -> bool { return has(text_of(backend_id)); }

  constexpr auto size() const -> std::size_t { return size_; }
  /// In the order in which the ids were first given.
  constexpr auto entries() const -> std::span<const entry> { return {entries_, size_}; }

 private:
  static constexpr auto text_of(const char* text) -> std::string_view {
    return text == nullptr ? std::string_view{} : std::string_view{text};
  }
  constexpr auto find(std::string_view backend_id) const -> const entry* {
    const auto all = entries();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const entry& each) { return std::string_view{each.backend_id} == backend_id; });
    return found == all.end() ? nullptr : &*found;
  }

  std::size_t size_ = 0;
  entry entries_[capacity] = {};
};

}  // namespace baton

// ---- baton/run/static_execution.hpp

// The plan of an execution as constants: what straight-line code is made from.

// ---- baton/run/check_delegates.hpp

// Whether every delegate that runs has a backend to run it: what a registry would find out on the target.

#include <cstdint>

namespace baton {

/// Whether the backends of all delegates in graphs that run are in the list, and do not say in the compiler that they are not available.
/// Rules: `nameless_delegate`, `unknown_backend`, `unavailable_backend`.
template <class... Backends>
constexpr auto check_delegates(backend_list<Backends...> list, const program_view& program, const graph_calls& calls) -> failure {
  for (const auto graph : calls.order) {
    const auto run = program[graph].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      const auto id = program.nodes[n].delegate;
      if (id == none<delegate_id>) continue;
      const auto backend_id = lowered_module_view(program, id).backend_id();
      if (backend_id.empty()) return broken_at<rule::nameless_delegate>(program, static_cast<node_id>(n));
      failure why;
      const bool found = with_backend(list, backend_id, [&](auto backend) {
        if (!detail::is_never_available<typename decltype(backend)::type>) return;
        why = broken<rule::unavailable_backend>("is_available() is false in the compiler");
        why.backend = join(backend_id);
      });
      if (!found) why = unknown_backend(list, backend_id);
      if (why) return locate(std::move(why), program, static_cast<node_id>(n));
    }
  }
  return {};
}

}  // namespace baton

#include <boost/hana/at.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace baton::detail {

/// What the executor needs to know.
struct execution_outcome {
  static_failure why{};
  bool is_planned = false;
  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;
  std::size_t states = 0;
};

/// A mutable buffer, and where in the arena it lies.
struct state_place {
  value_id buffer = none<value_id>;
  std::uint64_t offset = 0;
};

/// Kernel choice and places in arrays of exact size: by node, by value and by delegate of the program; and the mutable buffers that run.
template <std::size_t Nodes, std::size_t Values, std::size_t Delegates, std::size_t States>
struct execution_tables {
  execution_outcome outcome{};
  std::array<std::uint32_t, Nodes> kernel{};
  std::array<std::int64_t, Nodes> scratch{};
  std::array<value_place, Values> place{};
  std::array<bool, Delegates> runs_original{};
  std::array<state_place, States> states{};

  constexpr void fill(const program_view& program, const execution_plan& plan) {
    outcome.is_planned = true;
    outcome.arena_bytes = plan.memory.arena_bytes;
    outcome.lower_bound = plan.memory.lower_bound;
    std::copy(plan.kernels.begin(), plan.kernels.end(), kernel.begin());
    std::copy(plan.places.begin(), plan.places.end(), place.begin());
    for (std::uint32_t n = 0; n < plan.kernels.size(); ++n) {
      const auto offset = plan.memory.offset_of_scratch(n);
      scratch[n] = offset == memory_plan::no_offset ? 0 : static_cast<std::int64_t>(offset);
    }
    for (std::size_t d = 0; d < plan.calls.runs_original.size(); ++d) runs_original[d] = plan.calls.runs_original[d] != 0;
    for (const auto id : states_of(program, plan.calls)) states[outcome.states++] = {id, plan.memory.offset_of(id)};
  }
};

/// How many mutable buffers a program has, whether they run or not.
constexpr auto count_of_buffers(const program_view& program) -> std::size_t {
  return static_cast<std::size_t>(std::count_if(program.values.begin(), program.values.end(),
                                                [](const value& record) { return record.kind == value_kind::mutable_buffer; }));
}

/// The plan of a static program's execution, as constants.
template <class Program, class Kernels, plan_options Options>
struct static_execution {
  using program_type = Program;
  using backend_types = typename backends_of<typename Program::make>::type;

  static constexpr auto view() -> program_view { return Program::value(); }
  static constexpr auto plan() -> result<execution_plan> {
    return plan_execution(Kernels{}, view(), Options, needs_of_backends(backend_types{}, view()));
  }
  /// What is wrong with the program itself; of one that could not be made, that has been said.
  static consteval auto check() -> static_failure {
    failure why;
    if (!view().graphs.empty()) why = verify(view());
    return static_failure{why};
  }
  static constexpr static_failure unsound = check();

  static consteval auto make_tables() {
    constexpr auto sizes = sizes_of(Program::value());
    execution_tables<sizes[1], sizes[2], sizes[10], count_of_buffers(Program::value())> made;
    made.outcome.why = unsound;
    if (unsound.broken || view().graphs.empty()) return made;
    const auto planned = plan();
    if (!planned) {
      made.outcome.why = static_failure{planned.error};
    } else if (const auto why = check_delegates(backend_types{}, view(), planned.value.calls)) {
      made.outcome.why = static_failure{why};
    } else {
      made.fill(view(), planned.value);
    }
    return made;
  }
  static constexpr auto tables = make_tables();
  static constexpr const execution_outcome& outcome = tables.outcome;

  static constexpr auto place_of(value_id id) -> value_place { return tables.place[index(id)]; }
  static constexpr auto runs_original(delegate_id id) -> bool { return tables.runs_original[index(id)]; }
  /// From where the memory of node n's graph begins to where that of the graphs begins that it calls.
  static constexpr auto begin_of_called(std::uint32_t n) -> std::int64_t { return tables.scratch[n]; }

  template <std::uint32_t N>
  using kernel_type = typename std::remove_cvref_t<decltype(boost::hana::at_c<tables.kernel[N]>(Kernels::types))>::type;

  /// The scratch memory of a delegate call.
  template <std::uint32_t N>
  static auto scratch(char* base) -> std::span<char> {
    constexpr auto bytes = lowered_module_view(view(), view().nodes[N].delegate).scratch_bytes();
    if constexpr (bytes == 0) return {};
    return {base + tables.scratch[N], bytes};
  }

  /// Where values lie: in memory, counted from where that of their graph begins, or in read-only memory where the model lies.
  struct place {
    template <value_id Id>
    static auto address(const char* base) -> const char* {
      constexpr auto found = place_of(Id);
      if constexpr (found.is_constant()) {
        static constexpr auto bytes = view().data(view()[found.data].data);
        return bytes.data();
      } else {
        return base + found.offset;
      }
    }
    /// A forwarding kernel whose operand is a constant has that for output, too, and writes nothing.
    template <value_id Id>
    static auto writable(char* base) -> char* {
      if constexpr (place_of(Id).is_constant()) {
        return const_cast<char*>(address<Id>(base));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      } else {
        return base + place_of(Id).offset;
      }
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
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {
template <class Program, class Kernels, plan_options Options, class... Services>
using life_of_delegates = ending_life_of<static_execution<Program, Kernels, Options>, service_list<Services...>>;
}  // namespace detail

/// Runs a static program: the nodes of its root graph one after the other, each a kernel, a delegate call, or a branch or loop over other
/// graphs, all chosen by the compiler. No heap, no virtual call, no table walk, no work before the first inference; weights are read where
/// the model lies. The arena is a member: an executor at namespace scope lies in .bss, in .data where mutable buffers begin with data.
/// Where a backend can fail, `init` and `run` return a `status`, and `failed` tells of what; where none can, they return nothing. Services
/// are types: a loader of blobs, a source of named data, a tracer of events. Errors, in the compiler: those of `verify`, `plan_execution`
/// and `check_delegates`, `backend_without_execute`. Example: `baton::executor<lowered> net; net.run(input, output);` (`executor` is this
/// with the portable kernels).
template <auto Program, auto Kernels, plan_options Options = plan_options{}, class... Services>
class basic_executor
    : detail::life_of_delegates<std::remove_const_t<decltype(Program)>, std::remove_const_t<decltype(Kernels)>, Options, Services...> {
  using program_type = std::remove_const_t<decltype(Program)>;
  using execution = detail::static_execution<program_type, std::remove_const_t<decltype(Kernels)>, Options>;
  using life = detail::delegate_life_of<execution, detail::service_list<Services...>>;
  using signature = detail::program_signature<program_type>;
  static constexpr bool is_sound = program_type::is_whole && !execution::outcome.why.broken;

 public:
  constexpr basic_executor() {
    static_cast<void>(program_type::value());
    require_unbroken<execution::outcome.why>();
    if constexpr (is_sound) begin_states(std::make_index_sequence<execution::outcome.states>{});
  }

  /// The same with options for backends: `net{baton::with_options<my_npu>({.threads = 4})}`.
  template <class... Backends>
    requires(sizeof...(Backends) != 0)
  constexpr explicit basic_executor(const given_options<Backends>&... given) : basic_executor() {
    static_assert(((detail::times_in<Backends, Backends...> == 1) && ...),
                  "baton executor: options are given once for a backend; one has them twice; leave the others out");
    (static_cast<void>(set_options(given)), ...);
  }

  /// Whether a backend of the program can fail.
  static constexpr bool can_fail = life::can_fail;
  /// What `run` returns: a `status` where a backend can fail, else nothing; and `init`, where taking up can.
  using run_result = std::conditional_t<life::can_fail, status, void>;
  using init_result = std::conditional_t<life::start_can_fail, status, void>;

  /// Takes up what has not been taken up of the delegates, in the order of their records, and stops at the first that fails; doing so again
  /// tries that one again. `run` does so where it has not been done. Programs whose backends have no `init` have nothing to do.
  auto init() -> init_result {
    const bool began = life::start();
    if constexpr (life::start_can_fail) return began ? status::ok : failed().code;
  }
  /// The same, after options by key have been set for the backends of the program; those for others are left alone. Errors: the backends'
  /// own.
  auto init(const load_options& given) -> status {
    for (const auto& each : given.entries()) {
      for (const auto& one : each.options) {
        if (const auto code = set_option(each.backend_id, one); code != status::ok && code != status::not_found) return code;
      }
    }
    return life::start() ? status::ok : failed().code;
  }

  /// The last failure; of a program that cannot fail there is none.
  auto failed() const -> run_failure { return life::failed(); }

  /// The options of a backend, which may be changed between runs.
  template <class Backend>
  constexpr auto options() -> options_of<Backend>& {
    if constexpr (has_options_of<Backend>()) return life::template options<Backend>();
  }
  template <class Backend>
  constexpr auto options() const -> const options_of<Backend>& {
    if constexpr (has_options_of<Backend>()) return life::template options<Backend>();
  }
  /// Sets an option by key, of the backend of that id. Errors: `not_found` where no delegate has that backend; the backend's own.
  auto set_option(std::string_view backend_id, const option& given) -> status {
    status code = status::ok;
    const bool found = life::with_backend_in_use(as_life(*this), backend_id, [&]<class Backend>(std::type_identity<Backend>, auto& set) {
      code = baton::set_option<Backend>(set, given);
    });
    return found ? code : status::not_found;
  }
  /// An option by key, of the backend of that id. Errors: `not_found` where no delegate has that backend, or it no such key.
  auto get_option(std::string_view backend_id, std::string_view key) const -> status_or<option> {
    status_or<option> read = status::not_found;
    static_cast<void>(life::with_backend_in_use(
        as_life(*this), backend_id,
        [&]<class Backend>(std::type_identity<Backend>, const auto& set) { read = baton::get_option<Backend>(set, key); }));
    return read;
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
    constexpr auto extent = signature::bytes_of(signature::user_input(I));
    return std::span<char, extent>{execution::place::template writable<signature::user_input(I)>(arena_), extent};
  }
  /// The bytes of a user output, valid until the next run.
  template <std::size_t I = 0>
  auto output() const {
    constexpr auto extent = signature::bytes_of(signature::user_output(I));
    return std::span<const char, extent>{execution::place::template address<signature::user_output(I)>(arena_), extent};
  }

  /// One inference on what the inputs hold. The first failure ends it.
  auto run() -> run_result {
    return run([](auto) {});
  }

  /// One inference; `after(call)` is told of every node when it has run: a `node_call`, with its index, record and memory.
  template <class Observer>
    requires std::is_invocable_v<Observer, archetypes::call>
  auto run(Observer&& after) -> run_result {
    bool went_on = true;
    if constexpr (is_sound) {
      if constexpr (!view().graphs.empty()) {
        detail::graph_runner<execution, basic_executor, std::remove_reference_t<Observer>> runner(*this, after);
        went_on = life::start() && runner.template run<graph_id{0}>(arena_);
      }
    }
    if constexpr (life::can_fail) return went_on ? status::ok : failed().code;
  }

  /// One inference from the user's memory to the user's memory: the inputs in order, then the outputs in order, as arrays (or spans of
  /// fixed extent) that have the tensors' sizes in bytes.
  template <class... Tensors>
    requires(sizeof...(Tensors) > 1)
  auto run(Tensors&&... tensors) -> run_result {
    static_assert(sizeof...(Tensors) == input_count + output_count, "baton executor: run takes every input, then every output");
    const auto all = std::forward_as_tuple(tensors...);
    copy_in(all, std::make_index_sequence<input_count>{});
    if constexpr (life::can_fail) {
      if (const auto code = run(); code != status::ok) return code;
      copy_out(all, std::make_index_sequence<output_count>{});
      return status::ok;
    } else {
      run();
      copy_out(all, std::make_index_sequence<output_count>{});
    }
  }

 private:
  static constexpr auto as_life(life& self) -> life& { return self; }
  static constexpr auto as_life(const life& self) -> const life& { return self; }
  static constexpr auto view() -> program_view { return program_type::value(); }
  template <std::size_t Size>
  static constexpr auto copy_of(std::span<const char> bytes) -> std::array<char, Size> {
    std::array<char, Size> copy{};
    std::copy(bytes.begin(), bytes.end(), copy.begin());
    return copy;
  }
  static constexpr auto cannot_execute(const program_view& program, node_id at, delegate_id id) -> failure {
    auto why = broken_at<rule::backend_without_execute>(program, at);
    why.backend = join(lowered_module_view(program, id).backend_id());
    return why;
  }

  template <class, class, class>
  friend class detail::graph_runner;

  /// Mutable buffers begin with the data that the program has for them.
  template <std::size_t... I>
  constexpr void begin_states(std::index_sequence<I...>) {
    (begin_state<I>(), ...);
  }
  template <std::size_t I>
  constexpr void begin_state() {
    constexpr auto state = execution::tables.states[I];
    if constexpr (view()[state.buffer].data.size != 0) {
      const auto& bytes = first_bytes<state.buffer>;
      std::copy(bytes.begin(), bytes.end(), arena_ + state.offset);
    }
  }
  template <value_id Id>
  static constexpr auto first_bytes = copy_of<view()[Id].data.size>(view().data(view()[Id].data));

  template <class Backend>
  static consteval auto has_options_of() -> bool {
    constexpr bool has_them = life::template has_options_of<Backend>;
    static_assert(
        has_them,
        "baton executor: options are for backends that the program uses and that declare them; this one is none; correct the backend");
    return has_them;
  }
  template <class Backend>
  constexpr void set_options(const given_options<Backend>& given) {
    if constexpr (has_options_of<Backend>()) life::template options<Backend>() = given.options;
  }

  /// Runs a delegate call with its backend; whether to go on.
  template <std::uint32_t N, class Call>
  auto run_delegate(const Call& call, std::span<char> scratch) -> bool {
    constexpr auto id = Call::record().delegate;
    using backend_type = typename detail::delegate_constants<execution, id>::backend;
    if constexpr (!executable_backend<backend_type>) {
      constexpr static_failure why{cannot_execute(view(), static_cast<node_id>(N), id)};
      require_unbroken<why>();
      return true;
    } else if constexpr (require_backend_life<backend_type>()) {
      constexpr auto at = detail::running_delegates<execution>::position(id);
      return call_backend<at>(call, static_cast<node_id>(N), scratch, std::make_index_sequence<Call::record().inputs.size>{},
                              std::make_index_sequence<Call::record().outputs.size>{});
    } else {
      return true;
    }
  }

  template <std::size_t At, class Call, std::size_t... I, std::size_t... O>
  auto call_backend(const Call& call, node_id node, std::span<char> scratch, std::index_sequence<I...>, std::index_sequence<O...>) -> bool {
    const std::array<std::span<const char>, sizeof...(I)> inputs{std::span<const char>{
        call.template input<I>(), std::integral_constant<std::size_t, signature::bytes_of(Call::input_id(I))>::value}...};
    const std::array<std::span<char>, sizeof...(O)> outputs{
        std::span<char>{call.template output<O>(), std::integral_constant<std::size_t, signature::bytes_of(Call::output_id(O))>::value}...};
    return life::template execute<At>(delegate_call{{}, inputs, outputs, scratch}, node);
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

// ---- baton/run/executor_backend.hpp

// A backend whose blob is the part itself: the executor runs the part's graph in its place.

namespace baton {

/// Makes nothing of a part: the executor runs its graph, with its own kernels, and with the backends of the delegates that are in it.
struct executor_backend {
  static constexpr auto id = name<"ExecutorBackend">;
  static constexpr bool runs_original = true;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

}  // namespace baton

// ---- baton/run/method_metadata.hpp

// Which backends a method needs.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace baton {

/// The ids of the backends whose delegates a program calls, in its branches and bodies too, each once, in the order of the lowered modules.
constexpr auto backend_names(const program_view& program) -> vector<std::string_view> {
  vector<std::string_view> names;
  const auto calls = graphs_that_run(program, {});
  for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
    const auto id = static_cast<delegate_id>(d);
    const auto is_call = [&](const node& record) { return record.delegate == id; };
    const bool is_called = std::any_of(calls.value.order.begin(), calls.value.order.end(), [&](graph_id of) {
      const auto nodes = program.nodes_of(program[of]);
      return std::any_of(nodes.begin(), nodes.end(), is_call);
    });
    const auto backend = lowered_module_view(program, id).backend_id();
    if (is_called && std::find(names.begin(), names.end(), backend) == names.end()) names.push_back(backend);
  }
  return names;
}

/// How many backends a program needs.
constexpr auto backend_count(const program_view& program) -> std::size_t { return backend_names(program).size(); }

/// The id of one of them. Error: `invalid_argument` for an index that is too large.
constexpr auto backend_name(const program_view& program, std::size_t at) -> status_or<std::string_view> {
  const auto names = backend_names(program);
  if (at >= names.size()) return status::invalid_argument;
  return names[at];
}

/// Whether a program needs the backend of that id.
constexpr auto uses_backend(const program_view& program, std::string_view backend_id) -> bool {
  const auto names = backend_names(program);
  return std::find(names.begin(), names.end(), backend_id) != names.end();
}

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
template <auto Program, auto Kernels = portable_kernels, plan_options Options = plan_options{}, class... Services>
using executor = basic_executor<Program, Kernels, Options, Services...>;

}  // namespace baton

// ---- baton/report/assignment.hpp

// Who computes each operation of a program, and why no backend does, as a table for a terminal.

// ---- baton/report/survey.hpp

// The reader that every report is a view of: what a (lowered) program's nodes are, who takes each and why not, and what it costs.

// ---- baton/report/borders.hpp

// Why each delegate is one of its own: what lies between it and the delegate of the same backend before it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton::report {

inline constexpr std::uint32_t nobody = 0xffffffffu;

/// What keeps a delegate from being one with an earlier one of its backend in the same graph.
enum class border_kind : std::uint8_t {
  first,        ///< there is none before it in its graph
  behind,       ///< nodes lie between that the backend does not compute: one delegate of both would need what it makes itself
  adjacent,     ///< nothing lies between: the partitioner keeps them apart
  other_specs,  ///< nothing lies between, and their compile specs differ
  apart,        ///< no value reaches it from an earlier one
};

/// Where a delegate begins, seen from the nearest delegate of its backend whose values reach it.
struct delegate_border {
  border_kind kind = border_kind::first;
  std::uint32_t follows = nobody;  ///< that delegate; nobody for `first` and `apart`
  range between{};                 ///< of `behind`: in the list of nodes, in program order
};

struct delegate_borders {
  vector<delegate_border> of;     ///< by delegate
  vector<std::uint32_t> between;  ///< nodes
};

/// At most so many nodes are named between two delegates.
inline constexpr std::size_t most_between = 64;

namespace detail {

class border_finder {
 public:
  constexpr explicit border_finder(const program_view& program) : program_(program) {
    makers_.assign(program.values.size(), nobody);
    latest_.assign(program.nodes.size(), 0);
    seen_.assign(program.nodes.size(), nobody);
    made_.of.assign(program.delegates.size(), delegate_border{});
  }

  constexpr auto run() -> delegate_borders {
    for (std::uint32_t n = 0; n < program_.nodes.size(); ++n) {
      for (const auto output : program_.outputs_of(program_.nodes[n])) makers_[index(output)] = n;
    }
    for (const auto& graph : program_.graphs) {
      vector<std::uint32_t> backends;  // the first call of each
      for (auto n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
        if (!is_call(n) || std::any_of(backends.begin(), backends.end(), [&](auto known) { return same_backend(known, n); })) continue;
        backends.push_back(n);
        find_borders(graph.nodes, n);
      }
    }
    return std::move(made_);
  }

 private:
  constexpr auto is_call(std::uint32_t n) const -> bool { return program_.nodes[n].delegate != none<delegate_id>; }
  constexpr auto module_of(std::uint32_t n) const -> const lowered_module_ref& { return program_[program_.nodes[n].delegate]; }
  constexpr auto same_backend(std::uint32_t call, std::uint32_t n) const -> bool {
    return is_call(n) && program_.text(module_of(n).backend_id) == program_.text(module_of(call).backend_id);
  }
  /// The call of the backend that a value comes from, or else the latest that its maker depends on: its number plus one, or 0.
  constexpr auto latest_before(std::uint32_t first_call, value_id input) const -> std::uint32_t {
    if (input == none<value_id> || makers_[index(input)] == nobody) return 0;
    const auto maker = makers_[index(input)];
    return same_backend(first_call, maker) ? maker + 1 : latest_[maker];
  }

  /// One pass over a graph: by node, the latest call of the backend that it depends on through nodes of others.
  constexpr void find_borders(range nodes, std::uint32_t first_call) {
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      latest_[n] = 0;
      for (const auto input : program_.inputs(program_.nodes[n])) latest_[n] = std::max(latest_[n], latest_before(first_call, input));
    }
    for (auto n = first_call + 1; n < nodes.first + nodes.size; ++n) {
      if (same_backend(first_call, n)) made_.of[index(program_.nodes[n].delegate)] = border_of(first_call, n);
    }
  }

  constexpr auto border_of(std::uint32_t first_call, std::uint32_t call) -> delegate_border {
    delegate_border made;
    made.kind = border_kind::apart;
    if (latest_[call] == 0) return made;
    const auto before = latest_[call] - 1;
    made.follows = index(program_.nodes[before].delegate);
    made.between = collect_between(first_call, call);
    made.kind = made.between.size != 0 ? border_kind::behind : same_specs(before, call) ? border_kind::adjacent : border_kind::other_specs;
    return made;
  }

  /// The nodes on the ways between a call and the latest before it. A node that depends on that one lies on such a way: on no later one
  /// can it depend.
  constexpr auto collect_between(std::uint32_t first_call, std::uint32_t call) -> range {
    const auto first = made_.between.size();
    vector<std::uint32_t> open{call};
    while (!open.empty() && made_.between.size() - first < most_between) {
      const auto n = open.back();
      open.pop_back();
      if (n != call) made_.between.push_back(n);
      for (const auto input : program_.inputs(program_.nodes[n])) {
        const auto maker = input == none<value_id> ? nobody : makers_[index(input)];
        if (maker == nobody || same_backend(first_call, maker) || latest_[maker] != latest_[call] || seen_[maker] == call) continue;
        seen_[maker] = call;
        open.push_back(maker);
      }
    }
    std::sort(made_.between.begin() + static_cast<std::ptrdiff_t>(first), made_.between.end());
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(made_.between.size() - first)};
  }

  constexpr auto same_specs(std::uint32_t a, std::uint32_t b) const -> bool {
    const auto of = [this](std::uint32_t call) {
      const auto specs = module_of(call).compile_specs;
      return program_.compile_specs.subspan(specs.first, specs.size);
    };
    const auto left = of(a);
    const auto right = of(b);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [this](const compile_spec_ref& x, const compile_spec_ref& y) {
      return program_.text(x.key) == program_.text(y.key) && program_.text(x.value) == program_.text(y.value);
    });
  }

  program_view program_;
  vector<std::uint32_t> makers_;  // by value
  vector<std::uint32_t> latest_;  // by node
  vector<std::uint32_t> seen_;    // by node: the call that it was last collected for
  delegate_borders made_;
};

}  // namespace detail

/// By delegate, what keeps it from being one with an earlier one of its backend. Time: one pass over a graph a backend in it, and at most
/// `most_between` nodes a delegate.
constexpr auto borders_of(const program_view& program) -> delegate_borders { return detail::border_finder(program).run(); }

}  // namespace baton::report

// ---- baton/report/text.hpp

// A program as tables for a terminal: its operators, its quantization, who takes which part, and where values lie.

// ---- baton/report/table.hpp

// Tables for a terminal: cells in columns, words below them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton::report {

/// Characters a line of a table, where nothing else is said.
inline constexpr std::size_t line_width = 120;

namespace detail {

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

constexpr auto words_of(std::string_view text) -> vector<text_buffer> {
  vector<text_buffer> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.push_back(printable(text.substr(0, end), line_width));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Cells in columns as wide as the widest, two spaces apart. A head that begins with `>` moves its column to the right, as numbers want it,
/// one that begins with `|` is of a drawing. Where a line would be wider than wanted, the widest of the other columns lose the beginnings
/// of their cells. Lines below a row hold words, wrapped.
class table {
 public:
  constexpr explicit table(std::size_t width, std::initializer_list<std::string_view> heads) : width_(width) {
    rows_.emplace_back();
    for (auto head : heads) {
      kinds_.push_back(head.starts_with('>') || head.starts_with('|') ? head[0] : ' ');
      if (kinds_.back() != ' ') head.remove_prefix(1);
      rows_[0].cells.push_back(join(head));
    }
  }

  constexpr void row(std::initializer_list<text_buffer> cells) {
    rows_.emplace_back();
    for (const auto& cell : cells) rows_.back().cells.push_back(cell);
  }
  /// Words below the latest row: from the second column on where the first has numbers.
  constexpr void below(vector<text_buffer> words) { rows_.back().below.push_back(std::move(words)); }

  /// The table below a title.
  constexpr auto print(const text_buffer& title) const -> text_buffer {
    text_buffer text;
    if (title.size() > width_ + 1) {
      print_words(text, words_of(view(title).substr(0, title.size() - 1)), 0);
    } else {
      append(text, view(title));
    }
    vector<std::size_t> widths(kinds_.size(), 0);
    for (const auto& line : rows_) {
      for (std::size_t i = 0; i < line.cells.size(); ++i) widths[i] = std::max(widths[i], line.cells[i].size());
    }
    narrow(widths);
    for (const auto& line : rows_) {
      print_cells(text, line.cells, widths);
      for (const auto& words : line.below) print_words(text, words, kinds_[0] == '>' ? widths[0] + 4 : 6);
    }
    return text;
  }

 private:
  struct entry {
    vector<text_buffer> cells;
    vector<vector<text_buffer>> below;
  };

  constexpr void narrow(vector<std::size_t>& widths) const {
    constexpr std::size_t least = 12;
    std::size_t all = 0;
    for (const auto each : widths) all += 2 + each;
    while (all > width_) {
      auto* widest = &widths[0];
      for (std::size_t i = 0; i < widths.size(); ++i) {
        if (kinds_[i] == ' ' && (kinds_[static_cast<std::size_t>(widest - widths.data())] != ' ' || widths[i] >= *widest))
          widest = &widths[i];
      }
      if (kinds_[static_cast<std::size_t>(widest - widths.data())] != ' ' || *widest <= least) return;
      --*widest;
      --all;
    }
  }

  // One by one: in a constant, libc++ doubles the capacity whenever copies are inserted.
  static constexpr void pad(text_buffer& text, std::size_t count) {
    while (count-- > 0) text.push_back(' ');
  }

  constexpr void print_cells(text_buffer& text, const vector<text_buffer>& cells, const vector<std::size_t>& widths) const {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto cell = printable(view(cells[i]), widths[i]);
      const auto room = widths[i] - cell.size();
      pad(text, 2 + (kinds_[i] == '>' ? room : 0));
      append(text, view(cell));
      if (kinds_[i] != '>') pad(text, room);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text.push_back('\n');
  }

  constexpr void print_words(text_buffer& text, const vector<text_buffer>& words, std::size_t indent) const {
    std::size_t column = width_;
    bool is_first = true;
    for (const auto& word : words) {
      const bool breaks = column + 1 + word.size() > width_;
      if (breaks && !is_first) text.push_back('\n');
      pad(text, breaks ? indent : 1);
      append(text, view(word));
      column = (breaks ? indent : column + 1) + word.size();
      is_first = false;
    }
    if (!is_first) text.push_back('\n');
  }

  std::size_t width_;
  vector<entry> rows_;
  vector<char> kinds_;  ///< by column: '>', '|' or ' '
};

/// `0`, or `2-5`.
constexpr auto run_text(std::uint32_t first, std::uint32_t last) -> text_buffer {
  auto text = join(first);
  if (last != first) append(append(text, "-"), static_cast<std::int64_t>(last));
  return text;
}

}  // namespace detail

}  // namespace baton::report

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton::report {

namespace detail {

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

constexpr auto user_values(const program_view& program, const graph& of) -> vector<value_id> {
  vector<value_id> found;
  for (const auto id : program.inputs(of)) {
    if (program[id].kind == value_kind::user_input) found.push_back(id);
  }
  return found;
}

}  // namespace detail

/// The nodes of a graph, a line each: index, name, operator, types of operands and outputs (`-`: an operand left out).
constexpr auto operator_table(const program_view& program, graph_id of = graph_id{0}, std::size_t width = line_width) -> text_buffer {
  const auto& graph = program[of];
  detail::table table(width, {">#", "node", "operator", "operands", "outputs"});
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
constexpr auto quantization_table(const program_view& program, graph_id of = graph_id{0}, std::size_t width = line_width) -> text_buffer {
  const auto& graph = program[of];
  detail::table table(width, {">#", "node", "scale of outputs", "scales of constants"});
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

constexpr auto node_names(const program_view& program, std::span<const node> nodes) -> vector<text_buffer> {
  vector<text_buffer> names;
  for (const auto& record : nodes) names.push_back(printable(program.text(record.name)));
  return names;
}

/// What a call is given: the types of computed values, and how many constants.
constexpr auto arguments_text(const program_view& program, const node& call) -> text_buffer {
  vector<value_id> computed;
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
  rows.below(words_of(view(join(program.text(module.name), "(", view(arguments_text(program, call)), ") -> ",
                                view(types_text(program, program.outputs_of(call)))))));
  rows.below(node_names(program, inner));
}

/// A title and its table: the delegates of one graph, and the runs of nodes between them.
template <class Explain>
constexpr auto graph_partitions(const program_view& program, graph_id id, const Explain& explain, std::size_t width) -> text_buffer {
  const auto nodes = program.nodes_of(program[id]);
  table rows(width, {">step", "taken by", ">nodes", ">blob bytes", ">scratch bytes"});
  std::size_t delegates = 0;
  std::size_t taken = 0;
  std::size_t staying = 0;
  for (std::uint32_t n = 0; n < nodes.size();) {
    if (nodes[n].delegate != none<delegate_id>) {
      add_delegate(rows, program, nodes[n], n);
      ++delegates;
      taken += program[program[nodes[n].delegate].original].nodes.size;
      ++n;
      continue;
    }
    stay why = explain(program, nodes[n]);
    auto end = n + 1;
    while (end < nodes.size() && nodes[end].delegate == none<delegate_id> && explain(program, nodes[end]) == why) ++end;
    if (why.computed_by.empty()) why.computed_by = join("-");
    rows.row({run_text(n, end - 1), why.computed_by, join(end - n), join("-"), join("-")});
    if (!why.reason.empty()) rows.below(words_of(view(join("not delegated: ", view(why.reason)))));
    rows.below(node_names(program, nodes.subspan(n, end - n)));
    staying += end - n;
    n = end;
  }
  auto title = join("partitions");
  if (id != graph_id{0}) append(append(title, " of "), view(printable(program.text(program[id].name))));
  return rows.print(join(view(title), ": ", delegates, delegates == 1 ? " delegate takes " : " delegates take ", taken, " of ",
                         taken + staying, " nodes\n"));
}

}  // namespace detail

/// Who takes what of a (lowered) program, a table for the root graph and each branch and body: the delegates, with the nodes inside, the
/// call's types, the bytes of the blob and of scratch; and the runs of nodes that stay. `explain(program, node)` gives their `stay`.
template <class Explain>
constexpr auto partition_table(const program_view& program, Explain explain, std::size_t width = line_width) -> text_buffer {
  text_buffer text;
  for (const auto id : nested_graphs(program, graph_id{0}, reach::branches)) {
    append(text, view(detail::graph_partitions(program, id, explain, width)));
  }
  return text;
}
constexpr auto partition_table(const program_view& program) -> text_buffer {
  return partition_table(program, [](const program_view&, const node&) { return stay{}; });
}

namespace detail {

/// What lies in each entry of a plan: a value, those that share its memory, a delegate's scratch, or what the subgraphs of a node need.
constexpr auto entry_names(const program_view& program, const memory_plan& plan) -> vector<text_buffer> {
  vector<text_buffer> names(plan.needs.lifetimes.size(), text_buffer{});
  const auto add = [&names](std::uint32_t entry, std::string_view kind, std::string_view name) {
    if (entry == memory_needs::no_entry) return;
    if (!names[entry].empty()) append(names[entry], " = ");
    append(append(names[entry], kind), view(printable(name)));
  };
  for (std::size_t v = 0; v < program.values.size(); ++v) add(plan.needs.of_value[v], "", program.text(program.values[v].name));
  for (std::uint32_t n = 0; n < plan.needs.of_scratch.size(); ++n) {
    const auto& record = program.nodes[n];
    if (record.delegate != none<delegate_id>) {
      add(plan.needs.of_scratch[n], "scratch of ", program.text(program[record.delegate].name));
    } else {
      add(plan.needs.of_scratch[n], "graphs of ", program.text(record.name));
    }
  }
  return names;
}

/// A lifetime drawn over the steps of a program: `.##.`.
constexpr auto drawn(const lifetime& life, std::uint32_t steps) -> text_buffer {
  text_buffer text;
  for (std::uint32_t step = 0; step < steps; ++step) text.push_back(life.first <= step && step <= life.last ? '#' : '.');
  return text;
}

constexpr auto graph_memory_table(text_buffer title, const program_view& program, const memory_plan& plan, const graph_memory& memory,
                                  const vector<text_buffer>& names, std::size_t width) -> text_buffer {
  constexpr std::uint32_t most_drawn = 40;
  const auto steps = program[memory.graph].nodes.size + 1;
  table rows(width, {"value (= shares its memory)", ">offset", ">bytes", ">steps", steps <= most_drawn ? "|lifetime" : "|"});
  for (auto i = memory.entries.first; i < memory.entries.first + memory.entries.size; ++i) {
    const auto& life = plan.needs.lifetimes[i];
    rows.row(
        {names[i], join(plan.offsets[i]), join(life.bytes), run_text(life.first, life.last), drawn(life, steps <= most_drawn ? steps : 0)});
  }
  return rows.print(join(view(title), memory.bytes, " bytes, lower bound ", memory.lower_bound, " (most bytes live at once), alignment ",
                         plan.alignment, ", placed in order: ", memory.order, "\n"));
}

}  // namespace detail

/// Where the values of the graphs that run lie, and when: of the root graph in the arena, of another in the memory that the node has for it
/// that calls it; a line for all that shares a place, in the order of first use. Bytes are rounded up to the alignment. A graph of few
/// steps has its lifetimes drawn; the step after the last node is that of whoever reads the outputs.
constexpr auto memory_table(const program_view& program, const memory_plan& plan, std::size_t width = line_width) -> text_buffer {
  const auto names = detail::entry_names(program, plan);
  text_buffer text;
  for (auto g = plan.graphs.size(); g-- > 0;) {
    const auto& memory = plan.graphs[g];
    auto title = join("memory plan: arena ");
    if (index(memory.graph) != 0) title = join("memory of graph ", view(detail::printable(program.text(program[memory.graph].name))), ": ");
    append(text, view(detail::graph_memory_table(std::move(title), program, plan, memory, names, width)));
  }
  return text;
}

}  // namespace baton::report

// ---- baton/report/work.hpp

// How much a node computes and moves: multiply-adds and bytes.

#include <cstdint>
#include <span>
#include <string_view>

namespace baton::report {

/// The bytes of a value, 0 where its size is not known.
constexpr auto bytes_of(const program_view& program, value_id id) -> std::uint64_t {
  if (id == none<value_id>) return 0;
  const auto bytes = byte_count(program[id].type, program.shape(id));
  return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
}

namespace detail {

/// Where an operator's multiply-adds for one element of its output can be read off.
enum class work_rule : std::uint8_t {
  filter,        ///< operand 1 holds a filter an output channel, along its dimension 0
  depth_filter,  ///< operand 1 holds a filter a channel, along its last dimension
  inner,         ///< operand 0's last dimension is summed over
  inner_of_1,    ///< operand 1's last dimension is summed over
};
struct operator_work {
  literal_name op;
  work_rule rule;
};
inline constexpr operator_work known_work[] = {
    {"tfl.conv_2d", work_rule::filter},         {"tfl.conv_3d", work_rule::filter},
    {"tfl.fully_connected", work_rule::filter}, {"tfl.depthwise_conv_2d", work_rule::depth_filter},
    {"tfl.batch_matmul", work_rule::inner},     {"aten.convolution.default", work_rule::filter},
    {"aten.linear.default", work_rule::filter}, {"aten.mm.default", work_rule::inner},
    {"aten.bmm.default", work_rule::inner},     {"aten.addmm.default", work_rule::inner_of_1},
};

constexpr auto summed_over(const program_view& program, std::span<const value_id> operands, work_rule rule) -> std::int64_t {
  const std::size_t which = rule == work_rule::inner ? 0 : 1;
  if (operands.size() <= which || operands[which] == none<value_id>) return 0;
  const auto shape = program.shape(operands[which]);
  if (shape.empty()) return 0;
  if (rule == work_rule::inner || rule == work_rule::inner_of_1) return shape.back();
  const auto channels = rule == work_rule::filter ? shape.front() : shape.back();
  const auto count = element_count(shape);
  return channels <= 0 || count < 0 ? 0 : count / channels;
}

}  // namespace detail

/// The multiply-adds of one run of a node, 0 for operators that do none or that are not known here.
constexpr auto multiply_adds(const program_view& program, const node& record) -> std::uint64_t {
  for (const auto& known : detail::known_work) {
    if (record.op != known.op.hash || record.outputs.size == 0) continue;
    const auto elements = element_count(program.shape(program.outputs_of(record)[0]));
    const auto each = detail::summed_over(program, program.inputs(record), known.rule);
    return elements <= 0 || each <= 0 ? 0 : static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(each);
  }
  return 0;
}

}  // namespace baton::report

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

/// Where a graph stands: the root, a branch or body of a node, or what a delegate was made from.
enum class graph_role : std::uint8_t { root, subgraph, original };

struct surveyed_graph {
  text_buffer name;
  graph_role role = graph_role::root;
  std::uint32_t owner = nobody;  ///< of a subgraph: its node; of an original: its delegate
};

struct surveyed_node {
  std::uint32_t graph = 0;
  std::uint32_t delegate = nobody;  ///< of a delegate call: what it calls
  std::uint32_t within = nobody;    ///< of a node that was taken: the delegate whose original it lies in
  text_buffer computed_by;          ///< a backend's id, or what the explanation says of a node that stays; empty: not known
  text_buffer reason;               ///< why no backend takes it; empty: nothing to say
  std::uint64_t output_bytes = 0;
  std::uint64_t constant_bytes = 0;  ///< of its constant operands
  std::uint64_t multiply_adds = 0;
};

struct surveyed_delegate {
  std::uint64_t argument_bytes = 0;  ///< what crosses the border into it, constants of the owner not counted
  std::uint64_t result_bytes = 0;    ///< what crosses the border out of it
  std::uint64_t multiply_adds = 0;
  std::size_t nodes = 0;
  std::uint32_t graph = nobody;  ///< the graph that calls it
  delegate_border border;        ///< why it is one of its own
};

/// What one taker has of a program: a backend, or who computes nodes that stay.
struct surveyed_share {
  text_buffer who;  ///< empty: not known
  bool is_backend = false;
  std::size_t delegates = 0;
  std::size_t nodes = 0;
  std::uint64_t multiply_adds = 0;
  std::uint64_t output_bytes = 0;    ///< what its nodes compute
  std::uint64_t boundary_bytes = 0;  ///< what crosses the borders of its delegates, in and out
  std::uint64_t blob_bytes = 0;
};

/// Sums over the operations of a program: its nodes, those within delegates and branches counted, delegate calls themselves not.
struct survey_totals {
  std::size_t nodes = 0;
  std::size_t delegated = 0;
  std::size_t delegates = 0;
  std::uint64_t multiply_adds = 0;
  std::uint64_t delegated_multiply_adds = 0;
  std::uint64_t boundary_bytes = 0;  ///< what crosses the borders of delegates, in and out
  std::uint64_t blob_bytes = 0;
};

/// What is known of a program, record by record: `nodes[i]` is about node i, and so on.
struct survey {
  vector<surveyed_graph> graphs;
  vector<surveyed_node> nodes;
  vector<surveyed_delegate> delegates;
  vector<std::uint32_t> between;  ///< the nodes that `border.between` names
  vector<surveyed_share> shares;  ///< backends in the order of their delegates, then who computes what stays
  survey_totals totals;
};

namespace detail {

template <class Explain>
class surveyor {
 public:
  constexpr surveyor(const program_view& program, Explain explain) : program_(program), explain_(std::move(explain)) {
    made_.graphs.assign(program.graphs.size(), surveyed_graph{});
    made_.nodes.assign(program.nodes.size(), surveyed_node{});
    made_.delegates.assign(program.delegates.size(), surveyed_delegate{});
  }

  constexpr auto run() -> survey {
    place_graphs();
    survey_delegates();
    for (std::uint32_t n = 0; n < made_.nodes.size(); ++n) survey_node(n);
    return std::move(made_);
  }

 private:
  constexpr void place_graphs() {
    callers_.assign(made_.delegates.size(), nobody);
    for (std::uint32_t g = 0; g < made_.graphs.size(); ++g) {
      made_.graphs[g].name = join(program_.text(program_.graphs[g].name));
      const auto run = program_.graphs[g].nodes;
      for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
        made_.nodes[n].graph = g;
        if (const auto called = program_.nodes[n].delegate; called != none<delegate_id>) callers_[index(called)] = n;
        for (const auto inner : program_.subgraphs_of(program_.nodes[n])) {
          made_.graphs[index(inner)].role = graph_role::subgraph;
          made_.graphs[index(inner)].owner = n;
        }
      }
    }
    for (std::uint32_t d = 0; d < program_.delegates.size(); ++d) {
      auto& graph = made_.graphs[index(program_.delegates[d].original)];
      graph.role = graph_role::original;
      graph.owner = d;
    }
    within_.assign(made_.graphs.size(), nobody);
    for (std::uint32_t g = 0; g < made_.graphs.size(); ++g) within_[g] = enclosing_delegate(g);
  }

  /// The outermost delegate that a graph lies in, through however many branches.
  constexpr auto enclosing_delegate(std::uint32_t g) const -> std::uint32_t {
    auto found = nobody;
    for (std::size_t steps = 0; steps < made_.graphs.size(); ++steps) {
      const auto& graph = made_.graphs[g];
      if (graph.role == graph_role::root) break;
      if (graph.role == graph_role::original) found = graph.owner;
      const auto caller = graph.role == graph_role::subgraph ? graph.owner : callers_[graph.owner];
      if (caller == nobody) break;
      g = made_.nodes[caller].graph;
    }
    return found;
  }
  constexpr void survey_delegates() {
    auto borders = borders_of(program_);
    made_.between = std::move(borders.between);
    made_.totals.delegates = made_.delegates.size();
    for (std::uint32_t d = 0; d < made_.delegates.size(); ++d) {
      const auto& module = program_.delegates[d];
      made_.delegates[d].border = borders.of[d];
      if (callers_[d] != nobody) made_.delegates[d].graph = made_.nodes[callers_[d]].graph;
      made_.totals.blob_bytes += module.processed_bytes.size;
      auto& share = share_of(program_.text(module.backend_id), true);
      share.delegates += 1;
      share.blob_bytes += module.processed_bytes.size;
    }
  }
  constexpr auto share_of(std::string_view who, bool is_backend) -> surveyed_share& {
    for (auto& share : made_.shares) {
      if (share.is_backend == is_backend && view(share.who) == who) return share;
    }
    auto& share = made_.shares.emplace_back();
    share.who = join(who);
    share.is_backend = is_backend;
    return share;
  }
  constexpr void survey_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    auto& node = made_.nodes[n];
    node.within = within_[node.graph];
    for (const auto output : program_.outputs_of(record)) node.output_bytes += bytes_of(program_, output);
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id> && is_owned_data(program_[input].kind)) node.constant_bytes += bytes_of(program_, input);
    }
    if (record.delegate != none<delegate_id>) return survey_call(record, node);
    node.multiply_adds = multiply_adds(program_, record);
    auto& totals = made_.totals;
    totals.nodes += 1;
    totals.multiply_adds += node.multiply_adds;
    if (node.within != nobody) {
      node.computed_by = join(program_.text(program_.delegates[node.within].backend_id));
      totals.delegated += 1;
      totals.delegated_multiply_adds += node.multiply_adds;
      made_.delegates[node.within].nodes += 1;
      made_.delegates[node.within].multiply_adds += node.multiply_adds;
    } else {
      stay why = explain_(program_, record);
      node.computed_by = std::move(why.computed_by);
      node.reason = std::move(why.reason);
    }
    auto& share = share_of(view(node.computed_by), node.within != nobody);
    share.nodes += 1;
    share.multiply_adds += node.multiply_adds;
    share.output_bytes += node.output_bytes;
  }

  constexpr void survey_call(const node& record, surveyed_node& call) {
    call.delegate = index(record.delegate);
    call.computed_by = join(program_.text(program_[record.delegate].backend_id));
    auto& delegate = made_.delegates[call.delegate];
    delegate.result_bytes = call.output_bytes;
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id> && !is_owned_data(program_[input].kind)) delegate.argument_bytes += bytes_of(program_, input);
    }
    if (call.within != nobody) return;
    made_.totals.boundary_bytes += delegate.argument_bytes + delegate.result_bytes;
    share_of(view(call.computed_by), true).boundary_bytes += delegate.argument_bytes + delegate.result_bytes;
  }

  program_view program_;
  Explain explain_;
  survey made_;
  vector<std::uint32_t> within_;   // by graph
  vector<std::uint32_t> callers_;  // by delegate
};

}  // namespace detail

/// Reads a program; `explain(program, node)` gives the `stay` of a node that no delegate takes.
template <class Explain>
constexpr auto survey_of(const program_view& program, Explain explain) -> survey {
  return detail::surveyor<Explain>(program, std::move(explain)).run();
}
constexpr auto survey_of(const program_view& program) -> survey {
  return survey_of(program, [](const program_view&, const node&) { return stay{}; });
}

}  // namespace baton::report

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report {

namespace detail {

class assignment_report {
 public:
  constexpr assignment_report(const program_view& program, const survey& facts, std::size_t width)
      : program_(program),
        facts_(facts),
        seen_(program.graphs.size(), 0),
        table_(width, {">#", "operation", "operator", "output", "computed by", ">mult-adds", ">bytes"}) {}

  constexpr auto run() -> text_buffer {
    for (std::uint32_t g = 0; g < seen_.size(); ++g) add_graph(static_cast<graph_id>(g));
    const auto& totals = facts_.totals;
    table_.row({join(""), join("total"), join(""), join(""), join(totals.delegated, " of ", totals.nodes, " delegated"),
                join(totals.multiply_adds), join(bytes_)});
    return table_.print(join("operations in order: ", totals.delegated_multiply_adds, " of ", totals.multiply_adds,
                             " multiply-adds delegated, ", totals.boundary_bytes, " bytes cross the borders of delegates\n"));
  }

 private:
  /// What a call or a branch runs stands in its place.
  constexpr void add_graph(graph_id id) {
    if (seen_[index(id)] != 0) return;
    seen_[index(id)] = 1;
    const auto run = program_[id].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      const auto& record = program_.nodes[n];
      if (record.delegate != none<delegate_id>) {
        add_graph(program_[record.delegate].original);
        continue;
      }
      add_node(n);
      for (const auto inner : program_.subgraphs_of(record)) add_graph(inner);
    }
  }
  constexpr void add_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto& facts = facts_.nodes[n];
    auto computed_by = join(facts.computed_by.empty() ? "-" : view(facts.computed_by));
    if (facts.within != nobody) append(append(computed_by, ", "), program_.text(program_.delegates[facts.within].name));
    table_.row({join(count_++), printable(program_.text(record.name)), printable(program_.text(record.target)),
                types_text(program_, program_.outputs_of(record)), computed_by, join(facts.multiply_adds), join(facts.output_bytes)});
    if (!facts.reason.empty()) table_.below(words_of(view(join("not delegated: ", view(facts.reason)))));
    bytes_ += facts.output_bytes;
  }

  program_view program_;
  const survey& facts_;
  vector<char> seen_;
  table table_;
  std::uint32_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace detail

/// Every operation of a program, those that delegates took included, in the order in which they run: who computes it, why no backend does,
/// its multiply-adds and the bytes of its outputs.
constexpr auto assignment_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  return detail::assignment_report(program, facts, width).run();
}

}  // namespace baton::report

// ---- baton/report/compile_error.hpp

// A program shown by the compiler itself, in an error made on purpose: for toolchains without a host to run anything on.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

// What the error names: a line a node of the root graph, in order.
template <std::size_t Nodes, std::size_t Delegates, class... Lines>
struct program_shown;
template <std::uint32_t Index, fixed_string Node, fixed_string Operator>
struct stays;
template <std::uint32_t Index, fixed_string LoweredModule, fixed_string Backend, std::size_t Nodes, std::size_t BlobBytes>
struct delegated;

namespace detail {

/// A text of a program as a template argument, cut where compilers would cut it.
template <class Program, auto Text>
consteval auto fixed() {
  constexpr auto text = program_view(Program::value()).text(Text(Program::value()));
  constexpr std::size_t size = text.size() < 32 ? text.size() : 32;
  fixed_string<size + 1> made;
  for (std::size_t i = 0; i < size; ++i) made.characters[i] = text[text.size() - size + i];
  made.characters[size] = '\0';  // written, so that Clang prints text, not numbers
  return made;
}

template <class Program, std::uint32_t N>
consteval auto line() {
  constexpr auto& record = Program::value().nodes[N];
  if constexpr (record.delegate != none<delegate_id>) {
    constexpr auto& module = Program::value().delegates[index(record.delegate)];
    constexpr auto name = fixed<Program, [](const program_view& p) { return p[p.nodes[N].delegate].name; }>();
    constexpr auto backend = fixed<Program, [](const program_view& p) { return p[p.nodes[N].delegate].backend_id; }>();
    return boost::hana::type_c<delegated<N, name, backend, Program::value()[module.original].nodes.size, module.processed_bytes.size>>;
  } else {
    constexpr auto name = fixed<Program, [](const program_view& p) { return p.nodes[N].name; }>();
    constexpr auto op = fixed<Program, [](const program_view& p) { return p.nodes[N].target; }>();
    return boost::hana::type_c<stays<N, name, op>>;
  }
}

template <class Program, std::size_t... I>
consteval auto show(std::index_sequence<I...>) -> bool {
  constexpr auto first = Program::value().root().nodes.first;
  using shown = program_shown<sizeof...(I), Program::value().delegates.size(),
                              typename decltype(line<Program, static_cast<std::uint32_t>(first + I)>())::type...>;
  static_assert(always_false<shown>, "baton shows this program because report::show_program asks for it; take the line out to go on");
  return true;
}

}  // namespace detail

/// Stops the compiler and lets it list a static program's root graph: delegates with backend, operations and bytes of the blob, and the
/// nodes that stay. Use: `static_assert(baton::report::show_program(lowered));`.
template <class Make>
consteval auto show_program(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_whole) {
    return detail::show<static_program<Make>>(std::make_index_sequence<static_program<Make>::value().root().nodes.size>{});
  }
  return true;
}

}  // namespace baton::report

// ---- baton/report/delegated_graph.hpp

// A lowered program as people who come from ExecuTorch know it: `print_delegated_graph` with its `get_attr` lines and counts of users.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::report {

namespace detail {

class delegated_graph_printer {
 public:
  constexpr delegated_graph_printer(const program_view& program, reach how_far) : program_(program), how_far_(how_far) {}

  constexpr auto run() -> text_buffer {
    append(text_, "graph():\n");
    if (!program_.graphs.empty()) print_graph(graph_id{0}, 1);
    return std::move(text_);
  }

 private:
  template <class... Parts>
  constexpr void add(const Parts&... parts) {
    append(text_, view(join(parts...)));
  }
  constexpr void begin_line(std::size_t depth) {
    for (std::size_t i = 0; i < depth; ++i) add("  ");
  }
  constexpr auto name_of(value_id id) const -> std::string_view { return program_.text(program_[id].name); }

  constexpr void print_graph(graph_id id, std::size_t depth) {
    // More levels than graphs: the program contains itself, which `verify` refuses.
    if (depth > 2 * program_.graphs.size() + 1) return;
    count_users(id);
    const auto& g = program_[id];
    for (const auto input : program_.inputs(g)) {
      begin_line(depth);
      add("%", name_of(input), " : [num_users=", users_of_[index(input)], "] = placeholder[target=", name_of(input), "]\n");
    }
    vector<delegate_id> shown;
    for (const auto& record : program_.nodes_of(g)) {
      if (record.delegate != none<delegate_id> && std::find(shown.begin(), shown.end(), record.delegate) == shown.end()) {
        shown.push_back(record.delegate);
        print_module(g, record.delegate, depth);
      }
      print_node(record, depth);
    }
    begin_line(depth);
    add("return (");
    const auto outputs = program_.outputs_of(g);
    for (std::size_t i = 0; i < outputs.size(); ++i) add(i == 0 ? "" : ", ", name_of(outputs[i].value));
    add(outputs.size() == 1 ? ",)\n" : ")\n");
  }

  /// A node counts once for a value, however often it takes it; what a graph returns has one user more.
  constexpr void count_users(graph_id id) {
    users_of_.resize(program_.values.size(), 0);
    for (const auto input : program_.inputs(program_[id])) users_of_[index(input)] = 0;
    for (const auto& record : program_.nodes_of(program_[id])) {
      for (const auto output : program_.outputs_of(record)) users_of_[index(output)] = 0;
    }
    vector<value_id> taken;
    const auto count = [&] {
      std::sort(taken.begin(), taken.end());
      taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
      for (const auto value : taken) users_of_[index(value)] += value == none<value_id> ? 0u : 1u;
      taken.clear();
    };
    for (const auto& record : program_.nodes_of(program_[id])) {
      for (const auto input : program_.inputs(record)) {
        if (input != none<value_id>) taken.push_back(input);
      }
      count();
    }
    for (const auto& spec : program_.outputs_of(program_[id])) taken.push_back(spec.value);
    count();
  }

  constexpr void print_module(const graph& owner, delegate_id id, std::size_t depth) {
    const auto& module = program_[id];
    const auto nodes = program_.nodes_of(owner);
    const auto calls = std::count_if(nodes.begin(), nodes.end(), [&](const node& record) { return record.delegate == id; });
    const auto name = program_.text(module.name);
    begin_line(depth);
    add("%", name, " : [num_users=", calls, "] = get_attr[target=", name, "]\n");
    begin_line(depth + 1);
    add("backend_id: ", program_.text(module.backend_id), "\n");
    begin_line(depth + 1);
    add("lowered graph():\n");
    print_graph(module.original, depth + 2);
  }

  constexpr void print_node(const node& record, std::size_t depth) {
    begin_line(depth);
    const auto outputs = program_.outputs_of(record);
    for (std::size_t i = 0; i < outputs.size(); ++i) add(i == 0 ? "%" : ", %", name_of(outputs[i]));
    add(outputs.empty() ? "" : " : [num_users=");
    for (std::size_t i = 0; i < outputs.size(); ++i) add(i == 0 ? "" : ", ", users_of_[index(outputs[i])]);
    add(outputs.empty() ? "" : "] = ", "call_function[target=", program_.text(record.target), "](args = (");
    print_arguments(record);
    add("), kwargs = {");
    const auto literals = program_.attributes_of(record);
    for (std::size_t i = 0; i < literals.size(); ++i) {
      add(i == 0 ? "" : ", ", program_.text(literals[i].name), ": ");
      append_literal(text_, program_, literals[i]);
    }
    add("})\n");
    if (how_far_ == reach::graph) return;
    for (const auto subgraph : program_.subgraphs_of(record)) {
      begin_line(depth + 1);
      add(program_.text(program_[subgraph].name), " graph():\n");
      print_graph(subgraph, depth + 2);
    }
  }

  /// Operands, behind what the original reads with a `get_attr`: the lowered module, or the subgraphs.
  constexpr void print_arguments(const node& record) {
    std::size_t count = 0;
    const auto argument = [&](std::string_view sign, std::string_view name) { add(count++ == 0 ? "" : ", ", sign, name); };
    if (record.delegate != none<delegate_id>) argument("%", program_.text(program_[record.delegate].name));
    for (const auto subgraph : program_.subgraphs_of(record)) argument("%", program_.text(program_[subgraph].name));
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id>) {
        argument("", "None");
      } else {
        argument("%", name_of(input));
      }
    }
    if (count == 1) add(",");
  }

  program_view program_;
  reach how_far_;
  vector<std::uint32_t> users_of_;  ///< by value
  text_buffer text_;
};

}  // namespace detail

/// A program with its lowered modules: a line a node with the count of its users, and in front of the first call of a lowered module a
/// `get_attr` line, as the original has one, with the backend's id and the lines of its original graph below. With `reach::branches`, and
/// beyond, subgraphs stand below the nodes that call them. The program must pass `verify`.
constexpr auto delegated_graph(const program_view& program, reach how_far = reach::graph) -> text_buffer {
  return detail::delegated_graph_printer(program, how_far).run();
}

}  // namespace baton::report

// ---- baton/report/delegation.hpp

// How much of a program is delegated: counts, and a table of its operators.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace baton::report {

/// How often an operator occurs.
struct operator_delegation {
  text_buffer op;
  std::size_t delegated = 0;
  std::size_t non_delegated = 0;
};

/// What of a program is delegated.
struct delegation_info {
  std::size_t delegated_subgraphs = 0;
  std::size_t delegated_nodes = 0;
  std::size_t non_delegated_nodes = 0;
  vector<operator_delegation> operators;  ///< in the order of their names
};

namespace detail {

/// Counts nodes by operator.
class delegation_count {
 public:
  constexpr explicit delegation_count(const program_view& program) : program_(program) {}

  constexpr void add(graph_id graph, bool is_delegated) {
    for (const auto& record : program_.nodes_of(program_[graph])) {
      if (record.delegate == none<delegate_id>) nodes_.push_back({program_.text(record.target), is_delegated});
    }
  }
  constexpr auto sum(std::size_t subgraphs) -> delegation_info {
    delegation_info info;
    info.delegated_subgraphs = subgraphs;
    std::sort(nodes_.begin(), nodes_.end(), [](const counted& a, const counted& b) { return a.op < b.op; });
    for (const auto& node : nodes_) {
      if (info.operators.empty() || view(info.operators.back().op) != node.op) info.operators.push_back({join(node.op), 0, 0});
      ++(node.is_delegated ? info.operators.back().delegated : info.operators.back().non_delegated);
      ++(node.is_delegated ? info.delegated_nodes : info.non_delegated_nodes);
    }
    return info;
  }

 private:
  struct counted {
    std::string_view op;
    bool is_delegated;
  };
  program_view program_;
  vector<counted> nodes_;
};

}  // namespace detail

/// Counts the nodes of the root graph and those of the originals of the lowered modules that it calls. Delegate calls themselves count
/// nowhere. With `reach::branches` the branches of both count too, with `reach::delegates` also what lies in delegates within delegates.
constexpr auto delegation_info_of(const program_view& program, reach how_far = reach::graph) -> delegation_info {
  detail::delegation_count count(program);
  const auto here = how_far == reach::graph ? reach::graph : reach::branches;
  for (const auto id : nested_graphs(program, graph_id{0}, here)) count.add(id, false);
  const auto modules = delegates(program, graph_id{0}, how_far);
  vector<char> counted(program.graphs.size(), 0);
  for (const auto& module : modules) {
    for (const auto id : nested_graphs(program, module.original(), here)) {
      if (counted[index(id)] == 0) count.add(id, true);
      counted[index(id)] = 1;
    }
  }
  return count.sum(modules.size());
}

/// Three lines: lowered modules, nodes within them, nodes that stay.
constexpr auto delegation_summary(const delegation_info& info) -> text_buffer {
  return join("Total delegated subgraphs: ", info.delegated_subgraphs, "\nNumber of delegated nodes: ", info.delegated_nodes,
              "\nNumber of non-delegated nodes: ", info.non_delegated_nodes, "\n");
}

/// A line an operator, in the order of their names, and the totals.
constexpr auto delegation_table(const delegation_info& info) -> text_buffer {
  detail::table table(1000, {"op_type", ">occurrences_in_delegated_graphs", ">occurrences_in_non_delegated_graphs"});
  for (const auto& row : info.operators)
    table.row({detail::printable(view(row.op), line_width), join(row.delegated), join(row.non_delegated)});
  table.row({join("Total"), join(info.delegated_nodes), join(info.non_delegated_nodes)});
  return table.print({});
}

}  // namespace baton::report

// ---- baton/report/graphviz.hpp

// A program as a Graphviz drawing: a box a node, a cluster a delegate or branch, colours by who computes it.

// ---- baton/report/reasons.hpp

// Why nodes stay, and why there are so many delegates: the reasons, and what each of them costs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace baton::report {

/// All nodes of one operator that stay, or that keep delegates apart, for one reason. The texts are views of the program and the survey.
struct common_reason {
  std::string_view op;      ///< the operator; of delegates of another backend: that backend
  std::string_view reason;  ///< why it stays; empty where a delegate of another backend lies between
  bool is_delegate = false;
  std::size_t nodes = 0;
  std::uint64_t multiply_adds = 0;
  std::size_t keeps_apart = 0;        ///< the delegates that begin behind one of these nodes
  std::size_t keeps_apart_alone = 0;  ///< those of them with nothing else between: there would be so many fewer if these were taken
};

namespace detail {

/// A delegate's name, and where it lies if that is not the root graph: names are unique in a graph only.
constexpr auto delegate_name(const program_view& program, const survey& facts, std::uint32_t d) -> text_buffer {
  auto name = printable(program.text(program.delegates[d].name));
  const auto graph = facts.delegates[d].graph;
  if (graph != nobody && graph != 0) append(append(name, " of "), view(printable(view(facts.graphs[graph].name))));
  return name;
}

constexpr auto between(const survey& facts, std::uint32_t d) -> std::span<const std::uint32_t> {
  const auto run = facts.delegates[d].border.between;
  return {facts.between.data() + run.first, run.size};
}

/// Groups nodes by operator and reason.
class reason_groups {
 public:
  constexpr reason_groups(const program_view& program, const survey& facts) : program_(program), facts_(facts) {
    vector<char> wanted(facts.nodes.size(), 0);
    for (std::uint32_t n = 0; n < wanted.size(); ++n) wanted[n] = facts.nodes[n].reason.empty() ? 0 : 1;
    for (const auto n : facts.between) wanted[n] = 1;
    for (std::uint32_t n = 0; n < wanted.size(); ++n) {
      if (wanted[n] != 0) nodes_.push_back(n);
    }
    std::sort(nodes_.begin(), nodes_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
  }

  constexpr auto run() -> vector<common_reason> {
    group_nodes();
    for (std::uint32_t d = 0; d < facts_.delegates.size(); ++d) count_border(between(facts_, d));
    std::sort(made_.begin(), made_.end(), [](const common_reason& a, const common_reason& b) { return weight(a) > weight(b); });
    return std::move(made_);
  }

 private:
  constexpr auto is_call(std::uint32_t n) const -> bool { return facts_.nodes[n].delegate != nobody; }
  constexpr auto op(std::uint32_t n) const -> std::string_view {
    return is_call(n) ? view(facts_.nodes[n].computed_by) : program_.text(program_.nodes[n].target);
  }
  constexpr auto key(std::uint32_t n) const -> std::pair<std::string_view, std::string_view> {
    return {op(n), view(facts_.nodes[n].reason)};
  }
  static constexpr auto weight(const common_reason& of) -> std::tuple<std::size_t, std::size_t, std::uint64_t, std::size_t> {
    return {of.keeps_apart_alone, of.keeps_apart, of.multiply_adds, of.nodes};
  }

  constexpr void group_nodes() {
    group_of_.assign(facts_.nodes.size(), nobody);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto n = nodes_[i];
      if (i == 0 || key(nodes_[i - 1]) != key(n)) {
        auto& group = made_.emplace_back();
        group.op = op(n);
        group.reason = view(facts_.nodes[n].reason);
        group.is_delegate = is_call(n);
      }
      group_of_[n] = static_cast<std::uint32_t>(made_.size() - 1);
      made_.back().nodes += 1;
      made_.back().multiply_adds += facts_.nodes[n].multiply_adds;
    }
  }
  constexpr void count_border(std::span<const std::uint32_t> nodes) {
    vector<std::uint32_t> groups;
    for (const auto n : nodes) groups.push_back(group_of_[n]);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (const auto group : groups) {
      made_[group].keeps_apart += 1;
      made_[group].keeps_apart_alone += groups.size() == 1 ? 1u : 0u;
    }
  }

  program_view program_;
  const survey& facts_;
  vector<std::uint32_t> nodes_;
  vector<std::uint32_t> group_of_;  // by node
  vector<common_reason> made_;
};

/// What is to be said of a node between two delegates.
constexpr auto obstacle_text(const surveyed_node& facts) -> text_buffer {
  if (!facts.reason.empty()) return join(view(facts.reason));
  if (facts.computed_by.empty()) return {};
  return join("computed by ", view(facts.computed_by));
}

constexpr auto between_text(const program_view& program, const survey& facts, std::uint32_t d) -> text_buffer {
  constexpr std::size_t most_named = 4;
  const auto nodes = between(facts, d);
  text_buffer names;
  text_buffer reasons;
  for (std::size_t i = 0; i < std::min(nodes.size(), most_named); ++i) {
    const auto& record = program.nodes[nodes[i]];
    if (i != 0) append(names, i + 1 == nodes.size() ? " and " : ", ");
    append(names, view(printable(program.text(record.delegate != none<delegate_id> ? program[record.delegate].name : record.name))));
    const auto why = obstacle_text(facts.nodes[nodes[i]]);
    if (view(reasons).find(view(why)) != std::string_view::npos) continue;
    append(append(reasons, reasons.empty() ? "" : "; "), view(why));
  }
  if (nodes.size() > most_named) append(names, view(join(" and ", nodes.size() - most_named, " more")));
  return join(view(names), nodes.size() == 1 ? " lies" : " lie", " between it and ",
              view(delegate_name(program, facts, facts.delegates[d].border.follows)), reasons.empty() ? "" : ": ", view(reasons));
}

}  // namespace detail

/// The reasons for which nodes stay or keep delegates apart: those that cost the most delegates, then the most multiply-adds, first.
constexpr auto reasons_of(const program_view& program, const survey& facts) -> vector<common_reason> {
  return detail::reason_groups(program, facts).run();
}

/// Why a delegate is one of its own, in one line.
constexpr auto border_text(const program_view& program, const survey& facts, delegate_id id) -> text_buffer {
  const auto d = index(id);
  const auto& delegate = facts.delegates[d];
  const auto backend = detail::printable(program.text(program.delegates[d].backend_id));
  const auto nothing_between = [&] {
    return join("nothing lies between it and ", view(detail::delegate_name(program, facts, delegate.border.follows)));
  };
  switch (delegate.border.kind) {
    case border_kind::behind:
      return detail::between_text(program, facts, d);
    case border_kind::adjacent:
      return join(view(nothing_between()), ": the partitioner keeps them apart (by a limit, a group or a pattern)");
    case border_kind::other_specs:
      return join(view(nothing_between()), ", but their compile specs differ");
    case border_kind::apart:
      return join("no value reaches it from an earlier delegate of ", view(backend));
    case border_kind::first:
      break;
  }
  if (delegate.graph == nobody || delegate.graph == 0) return join("the first of ", view(backend));
  return join("the first of ", view(backend), " in ", view(detail::printable(view(facts.graphs[delegate.graph].name))),
              "; a delegate ends where its graph does");
}

}  // namespace baton::report

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report {

namespace detail {

/// Fills that are told apart by people who see colours differently (after P. Tol, Colour schemes, SRON/EPS/TN/09-002, 2021: light).
inline constexpr std::string_view fills[] = {"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00"};
inline constexpr std::string_view plain_fill = "#eeeeee";

class graphviz_report {
  // Stands before its use: Clang evaluates no other template in a constant.
  template <class... Parts>
  constexpr void line(const Parts&... parts) {
    append(text_, view(join(parts...)));
    text_.push_back('\n');
  }

 public:
  constexpr graphviz_report(const program_view& program, const survey& facts)
      : program_(program),
        facts_(facts),
        makers_(program.values.size(), nobody) {}

  constexpr auto run() -> text_buffer {
    line("digraph \"", view(escaped(view(facts_.graphs[0].name))), "\" {");
    line("  node [shape=box, style=\"rounded,filled\", fillcolor=\"", plain_fill, "\", fontname=\"sans-serif\", fontsize=10];");
    line("  edge [fontname=\"sans-serif\", fontsize=8];");
    write_graph(graph_id{0});
    line("}");
    return std::move(text_);
  }

 private:
  static constexpr auto escaped(std::string_view text, std::size_t most = 40) -> text_buffer {
    text_buffer clean;
    const auto line = printable(text, most);
    for (const char c : line) {
      if (c == '"' || c == '\\') clean.push_back('\\');
      clean.push_back(c);
    }
    return clean;
  }
  constexpr auto fill_of(const surveyed_node& facts) -> std::string_view {
    const auto taken_by = facts.delegate != nobody ? facts.delegate : facts.within;
    if (taken_by == nobody) return plain_fill;
    const auto backend = program_.text(program_.delegates[taken_by].backend_id);
    std::size_t at = 0;
    while (at < backends_.size() && backends_[at] != backend) ++at;
    if (at == backends_.size()) backends_.push_back(backend);
    return fills[at % std::size(fills)];
  }

  constexpr void write_graph(graph_id id) {
    const auto& graph = program_[id];
    for (const auto input : program_.inputs(graph)) {
      if (program_[input].kind != value_kind::user_input && program_[input].kind != value_kind::mutable_buffer) continue;
      line("  v", index(input), " [shape=ellipse, label=\"", view(escaped(program_.text(program_[input].name))), "\\n",
           view(type_text(program_, input)), "\"];");
    }
    for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) write_node(n);
    for (std::uint32_t o = 0; o < graph.outputs.size; ++o) {
      const auto& spec = program_.outputs_of(graph)[o];
      line("  g", index(id), "o", o, " [shape=ellipse, label=\"",
           spec.kind == output_kind::buffer_mutation ? view(escaped(program_.text(spec.target))) : std::string_view{"output"}, "\"];");
      write_edge(spec.value, join("g", index(id), "o", o));
    }
  }

  constexpr void write_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto& facts = facts_.nodes[n];
    const bool is_call = record.delegate != none<delegate_id>;
    const auto name = is_call ? program_[record.delegate].name : record.name;
    const auto does = is_call ? program_[record.delegate].backend_id : record.target;
    auto why = join(view(facts.reason));
    if (is_call) why = border_text(program_, facts_, record.delegate);
    line("  n", n, " [label=\"", view(escaped(program_.text(name))), "\\n", view(escaped(program_.text(does))), "\", fillcolor=\"",
         fill_of(facts), "\"", why.empty() ? "" : ", tooltip=\"", view(escaped(view(why), why.size())), why.empty() ? "" : "\"", "];");
    for (const auto output : program_.outputs_of(record)) makers_[index(output)] = n;
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id>) write_edge(input, join("n", n));
    }
    if (is_call) write_cluster(n, program_[record.delegate].original, program_[record.delegate].backend_id);
    for (const auto inner : program_.subgraphs_of(record)) write_cluster(n, inner, program_[inner].name);
  }
  constexpr auto has_edge(value_id id) const -> bool {
    return !is_owned_data(program_[id].kind) || program_[id].kind == value_kind::mutable_buffer;
  }
  constexpr void write_edge(value_id from, const text_buffer& to) {
    if (!has_edge(from)) return;
    const auto maker = makers_[index(from)];
    line(maker == nobody ? "  v" : "  n", maker == nobody ? index(from) : maker, " -> ", view(to), " [label=\"",
         view(type_text(program_, from)), "\"];");
  }
  constexpr void write_cluster(std::uint32_t n, graph_id inner, byte_ref title) {
    line("  subgraph cluster_", n, "_", index(inner), " {");
    line("  label=\"", view(escaped(program_.text(title))), "\"; style=\"rounded\";");
    write_graph(inner);
    line("  }");
    if (program_[inner].nodes.size != 0) line("  n", n, " -> n", program_[inner].nodes.first, " [style=dotted, arrowhead=none];");
  }

  program_view program_;
  const survey& facts_;
  vector<std::string_view> backends_;  // in the order of first use
  vector<std::uint32_t> makers_;       // by value: the node that makes it
  text_buffer text_;
};

}  // namespace detail

/// A program in Graphviz' language: `dot -Tsvg program.dot -o program.svg`. What a delegate took lies in a cluster below its call.
constexpr auto graphviz(const program_view& program, const survey& facts) -> text_buffer {
  return detail::graphviz_report(program, facts).run();
}

}  // namespace baton::report

// ---- baton/report/html.hpp

// A program as one HTML page that needs nothing else: the graph, who takes what and why not, and the memory plan.

// ---- baton/report/html_page.hpp

// The still parts of the HTML page: how it looks, and its skeleton.

namespace baton::report::detail {

inline constexpr char html_style[] = R"page(
:root{color-scheme:light dark;--bg:#fff;--panel:#f6f7f9;--line:#d4d8de;--text:#1c2330;--dim:#5f6b7c;--edge:#98a2b3;--box:#fff;--pick:#d6336c}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#14171c;--panel:#1c2027;--line:#343b46;--text:#e6e9ee;--dim:#9aa5b5;--edge:#667085;--box:#222831;--pick:#ff7aa8}}
:root[data-theme=dark]{--bg:#14171c;--panel:#1c2027;--line:#343b46;--text:#e6e9ee;--dim:#9aa5b5;--edge:#667085;--box:#222831;--pick:#ff7aa8}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;height:100vh;display:flex;flex-direction:column;background:var(--bg);color:var(--text);font:13px/1.4 system-ui,sans-serif}
header{padding:8px 12px;border-bottom:1px solid var(--line);background:var(--panel)}
h1{font-size:15px;margin:0 12px 0 0;display:inline}h2{font-size:13px;margin:12px 0 4px}
.facts span{margin-right:14px;white-space:nowrap}.facts b{font-variant-numeric:tabular-nums}
#ribbon{display:flex;height:18px;margin-top:6px;border-radius:4px;overflow:hidden;cursor:pointer}#ribbon i{flex:1 1 0;min-width:0}
#legend span,.key{display:inline-block;margin:4px 12px 0 0;cursor:pointer;white-space:nowrap}#legend span.off{opacity:.35}.key{cursor:default}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:5px;vertical-align:-1px}
main{flex:1;display:flex;min-height:0}#graph{flex:1;min-width:0;position:relative}#graph svg{width:100%;height:100%;display:block;cursor:grab;touch-action:none}
#tools{position:absolute;left:10px;top:10px}button{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:2px 8px;cursor:pointer}
aside{width:46%;max-width:760px;border-left:1px solid var(--line);display:flex;flex-direction:column;min-height:0;background:var(--panel)}
nav{display:flex;gap:6px;padding:8px;border-bottom:1px solid var(--line);align-items:center}nav button.on{background:var(--text);color:var(--bg)}
input{font:inherit;color:inherit;background:var(--box);border:1px solid var(--line);border-radius:4px;padding:3px 8px;flex:1;min-width:60px}
.page{flex:1;overflow:auto;padding:0 10px 10px;display:none}.page.on{display:block}
table{border-collapse:collapse;width:100%;font-size:12px}th{position:sticky;top:0;background:var(--panel);text-align:left;color:var(--dim);font-weight:600}
td,th{padding:3px 6px;border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody tr{cursor:pointer}tbody tr:hover,tr.pick{background:color-mix(in srgb,var(--pick) 14%,transparent)}.why{color:var(--dim)}
code{font:12px ui-monospace,monospace}text{fill:var(--text);font:12px system-ui,sans-serif}text.op{fill:var(--dim);font-size:10.5px}
.leaf,.shell{stroke:var(--line);stroke-width:1}.pick>.leaf,.pick>.shell{stroke:var(--pick);stroke-width:3}.faint{opacity:.25}
.edge{fill:none;stroke:var(--edge);stroke-width:1.3}.edge.pick{stroke:var(--pick);stroke-width:2.5}.node{cursor:pointer}
#tip{position:fixed;pointer-events:none;max-width:420px;background:var(--text);color:var(--bg);padding:6px 9px;border-radius:5px;font-size:12px;display:none;white-space:pre-line;z-index:9}
)page";

inline constexpr char html_body[] = R"page(
<header><h1 id="name"></h1><span class="facts" id="facts"></span><button id="theme" style="float:right">light / dark</button>
<div id="ribbon" title=""></div><div id="legend"></div></header>
<main><div id="graph"><svg id="svg"><g id="scene"></g></svg>
<div id="tools"><button id="in">+</button> <button id="out">−</button> <button id="fit">fit</button> <button id="unfold">open / close all</button></div></div>
<aside><nav><button data-page="operators" class="on">operations</button><button data-page="details">details</button><button data-page="memory">memory</button>
<input id="search" placeholder="filter: name, operator, reason  ( / )"><span class="why" id="found"></span></nav>
<div class="page on" id="operators"><div id="why"><h2>Why not delegated</h2><table><tbody id="reasons"></tbody></table><h2>Operations</h2></div>
<table><thead><tr><th class="n">#</th><th>node</th><th>output</th><th>computed by</th><th class="n">mult-adds</th><th class="n">bytes</th></tr></thead><tbody id="rows"></tbody></table></div>
<div class="page" id="details"><p class="why">Click a node.</p></div><div class="page" id="memory"></div></aside></main><div id="tip"></div>
)page";

}  // namespace baton::report::detail

// ---- baton/report/html_script.hpp

// The moving part of the HTML page: it draws what the JSON beside it says. No library, no network.

namespace baton::report::detail {

inline constexpr char html_script[] = R"page(
'use strict';
const R = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const palette = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#ee7733', '#009988'];
const count = n => n.toLocaleString('en').replace(/,/g, ' ');
const short = (n, unit = '') => (n < 1e4 ? count(n) + ' ' : n < 1e6 ? (n / 1e3).toFixed(1) + ' k' : n < 1e9 ? (n / 1e6).toFixed(1) + ' M' : (n / 1e9).toFixed(2) + ' G') + unit;
const make = (tag, attributes = {}, ...inner) => {
  const svg = ['svg', 'g', 'rect', 'path', 'text', 'title', 'line'].includes(tag) && tag !== 'title';
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...inner);
  return e;
};

// Who computes what.
const backends = [...new Set(R.delegates.map(d => d.backend))];
const takerOf = n => n.delegate !== undefined ? R.delegates[n.delegate].backend : n.within !== undefined ? R.delegates[n.within].backend
  : n.computed_by || (backends.length ? 'not delegated' : 'not assigned');
const others = [...new Set(R.nodes.map(takerOf))].filter(t => !backends.includes(t));
const colours = {};
backends.forEach((b, i) => colours[b] = palette[i % palette.length]);
others.forEach(o => colours[o] = o === 'nobody' ? '#b42318' : '#9aa4b2');
const isCall = n => n.delegate !== undefined;
R.nodes.forEach((n, i) => { n.index = i; n.taker = takerOf(n); });
const maker = [];
R.nodes.forEach(n => n.outputs.forEach(v => maker[v] = n.index));
const graphNodes = R.graphs.map(() => []);
R.nodes.forEach(n => graphNodes[n.graph].push(n));
const isData = v => ['parameter', 'buffer', 'constant'].includes(R.values[v].kind);
// What the owner passes on as data is data inside a delegate too.
R.nodes.filter(isCall).forEach(n => R.graphs[R.delegates[n.delegate].graph].inputs.filter(v => R.values[v].kind === 'user_input')
  .forEach((v, i) => { if (n.inputs[i] != null && isData(n.inputs[i])) R.values[v].kind = R.values[n.inputs[i]].kind; }));
const innerGraphs = n => isCall(n) ? [R.delegates[n.delegate].graph] : n.subgraphs || [];
const typeOf = n => n.outputs.map(v => R.values[v].type).join(' ');
// The operations in the order in which they run; what a call runs stands in its place.
const work = [], visited = new Set();
function visit(g) {
  if (visited.has(g)) return;
  visited.add(g);
  graphNodes[g].forEach(n => { if (!isCall(n)) work.push(n.index); innerGraphs(n).forEach(visit); });
}
R.graphs.forEach((graph, g) => visit(g));
// From a node outwards: the nodes that must be open for it to be seen.
const holders = i => {
  const found = [];
  for (let g = R.graphs[R.nodes[i].graph]; g.role !== 'root';) {
    const holder = g.role === 'subgraph' ? g.of_node : R.nodes.findIndex(n => n.delegate === g.of_delegate);
    if (holder < 0 || found.includes(holder)) break;
    found.push(holder);
    g = R.graphs[R.nodes[holder].graph];
  }
  return found;
};

// Head: what went where, at a glance.
const T = R.totals, percent = (a, b) => b ? Math.round(100 * a / b) + ' %' : '-';
$('name').textContent = R.program;
const facts = [[T.delegated + ' of ' + T.nodes, 'operations delegated'], [percent(T.delegated_multiply_adds, T.multiply_adds), 'of ' + short(T.multiply_adds) + ' multiply-adds'],
  [T.delegates, T.delegates === 1 ? 'delegate' : 'delegates'], [short(T.boundary_bytes, 'B'), 'cross their borders'], [short(T.blob_bytes, 'B'), 'of blobs']];
if (R.memory) facts.push([count(R.memory.arena_bytes) + ' B', 'arena (lower bound ' + count(R.memory.lower_bound) + ')']);
facts.forEach(([b, t]) => $('facts').append(make('span', {}, make('b', {}, String(b)), ' ' + t)));
work.forEach(i => {
  const n = R.nodes[i], cell = make('i', { style: 'background:' + colours[n.taker] });
  cell.onclick = () => pick(i);
  hover(cell, () => describe(n));
  $('ribbon').append(cell);
});
const hidden = new Set();
[...backends, ...others].forEach(t => {
  const ours = work.filter(i => R.nodes[i].taker === t).length;
  const key = make('span', {}, make('span', { class: 'dot', style: 'background:' + colours[t] }), t + ' (' + ours + ')');
  key.onclick = () => { hidden.has(t) ? hidden.delete(t) : hidden.add(t); key.classList.toggle('off'); list(); };
  $('legend').append(key);
});

function hover(element, text) {
  element.addEventListener('mousemove', event => {
    const tip = $('tip');
    tip.textContent = text();
    tip.style.display = 'block';
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
    tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
    event.stopPropagation();
  });
  element.addEventListener('mouseleave', () => $('tip').style.display = 'none');
}
function describe(n) {
  const lines = [n.name + '  ' + n.operator, typeOf(n)];
  if (isCall(n)) {
    const d = R.delegates[n.delegate];
    lines.push(d.name + ' by ' + d.backend + ': ' + graphNodes[d.graph].length + ' operations, blob ' + count(d.blob_bytes) + ' B, scratch ' + count(d.scratch_bytes) + ' B');
  } else {
    lines.push('computed by: ' + n.taker);
    if (n.not_delegated) lines.push('not delegated: ' + n.not_delegated);
    if (n.multiply_adds) lines.push(count(n.multiply_adds) + ' multiply-adds');
  }
  return lines.join('\n');
}

// Layout: layers by longest path, each node near the middle of what it uses; an open node is as large as what lies in it.
const open = new Set();
const leafWidth = 190, leafHeight = 36, gapX = 18, gapY = 26;
function layout(g) {
  const graph = R.graphs[g], items = [], byNode = new Map(), byInput = new Map();
  const add = item => { items.push(item); return item; };
  graph.inputs.filter(v => !isData(v)).forEach(v => byInput.set(v, add({ input: v, w: leafWidth, h: 24, uses: [] })));
  graphNodes[g].forEach(n => {
    const item = add({ node: n, w: leafWidth, h: leafHeight, uses: [] });
    if (open.has(n.index)) {
      item.inner = innerGraphs(n).map(layout);
      item.w = Math.max(leafWidth, item.inner.reduce((sum, part) => sum + part.w + 16, 16));
      item.h = leafHeight + Math.max(...item.inner.map(part => part.h)) + 30;
    }
    byNode.set(n.index, item);
  });
  graph.outputs.forEach((o, i) => add({ output: o, w: leafWidth, h: 24, uses: [], of: o.value }));
  items.forEach(item => {
    const values = item.node ? item.node.inputs : item.output ? [item.of] : [];
    values.forEach(v => {
      if (v === null) return;
      const from = byInput.get(v) || byNode.get(maker[v]);
      if (from) item.uses.push({ from, v });
    });
  });
  items.forEach(item => item.layer = item.input !== undefined ? 0 : 1 + Math.max(0, ...item.uses.map(u => u.from.layer)));
  items.forEach(item => item.uses.forEach(u => { if (u.from.input !== undefined) u.from.below = Math.min(u.from.below ?? 1e9, item.layer); }));
  items.forEach(item => { if (item.input !== undefined) item.layer = (item.below ?? 1) - 1; });
  const layers = [];
  items.forEach(item => (layers[item.layer] ??= []).push(item));
  let y = 0, left = 0, right = 0;
  layers.forEach(layer => {
    layer.forEach((item, i) => item.want = item.uses.length ? item.uses.reduce((sum, u) => sum + u.from.x + u.from.w / 2, 0) / item.uses.length : 0);
    layer.sort((a, b) => a.want - b.want);
    const width = layer.reduce((sum, item) => sum + item.w + gapX, -gapX);
    const middle = layer.reduce((sum, item) => sum + item.want, 0) / layer.length;
    let x = middle - width / 2;
    layer.forEach(item => { item.x = x; item.y = y; x += item.w + gapX; left = Math.min(left, item.x); right = Math.max(right, item.x + item.w); });
    y += Math.max(...layer.map(item => item.h)) + gapY;
  });
  items.forEach(item => item.x -= left);
  return { items, w: right - left, h: Math.max(0, y - gapY) };
}

let drawn = new Map();
function draw() {
  drawn = new Map();
  const scene = $('scene');
  scene.replaceChildren();
  drawGraph(layout(0), 0, 0, scene);
  if (picked !== undefined) mark(picked);
}
function fitted(text, width) {
  const most = Math.floor(width / 6.6);
  return text.length <= most ? text : '…' + text.slice(text.length - most + 1);
}
function drawGraph(part, x, y, into) {
  for (const item of part.items) for (const u of item.uses) {
    const x1 = x + u.from.x + u.from.w / 2, y1 = y + u.from.y + u.from.h, x2 = x + item.x + item.w / 2, y2 = y + item.y, bend = Math.max(12, (y2 - y1) / 2);
    // An edge past other layers swings around the boxes in its way.
    const around = item.layer - u.from.layer > 1 ? (leafWidth / 2 + 14) * 4 / 3 : 0;
    const edge = make('path', { class: 'edge', d: `M${x1} ${y1}C${x1 + around} ${y1 + Math.min(bend, 90)} ${x2 + around} ${y2 - Math.min(bend, 90)} ${x2} ${y2}` });
    if (item.node) edge.dataset.to = item.node.index;
    if (u.from.node) edge.dataset.from = u.from.node.index;
    hover(edge, () => R.values[u.v].name + '  ' + R.values[u.v].type);
    into.append(edge);
  }
  for (const item of part.items) drawItem(item, x + item.x, y + item.y, into);
}
function drawItem(item, x, y, into) {
  const box = make('g', { class: 'node' }), n = item.node;
  const fill = n ? colours[n.taker] : 'var(--line)';
  box.append(make('rect', { x, y, width: item.w, height: item.h, rx: n ? 6 : 12, fill: 'var(--bg)' }));
  box.append(make('rect', { class: item.inner ? 'shell' : 'leaf', x, y, width: item.w, height: item.h, rx: n ? 6 : 12, fill, 'fill-opacity': item.inner ? 0.12 : n ? 0.3 : 0.5 }));
  if (n) {
    const foldable = innerGraphs(n).length > 0;
    const title = isCall(n) ? R.delegates[n.delegate].name : n.name, line = isCall(n) ? R.delegates[n.delegate].backend + ', ' + graphNodes[R.delegates[n.delegate].graph].length + ' operations' : n.operator;
    box.append(make('rect', { x, y: y + 4, width: 4, height: Math.min(item.h, leafHeight) - 8, rx: 2, fill }));
    box.append(make('text', { x: x + 10, y: y + 15 }, fitted(title, item.w - (foldable ? 34 : 16))), make('text', { class: 'op', x: x + 10, y: y + 29 }, fitted(line, item.w - 16)));
    if (foldable) {
      const fold = make('text', { x: x + item.w - 18, y: y + 16 }, item.inner ? '▾' : '▸');
      fold.onclick = event => { event.stopPropagation(); toggle(n.index); };
      box.append(fold);
    }
    box.onclick = event => { event.stopPropagation(); pick(n.index, false); };
    box.ondblclick = event => { event.stopPropagation(); if (foldable) toggle(n.index); };
    hover(box, () => describe(n));
    drawn.set(n.index, { box, x, y, w: item.w, h: item.h });
  } else {
    const v = item.input ?? item.of, label = item.input !== undefined ? R.values[v].name : item.output.mutates ? 'to ' + item.output.mutates : 'output';
    box.append(make('text', { x: x + 10, y: y + 16 }, fitted(label + '  ' + R.values[v].type, item.w - 16)));
    hover(box, () => R.values[v].name + '  ' + R.values[v].type);
  }
  into.append(box);
  if (item.inner) {
    let at = x + 16;
    item.inner.forEach((part, i) => {
      into.append(make('text', { class: 'op', x: at, y: y + leafHeight + 8 }, fitted(R.graphs[innerGraphs(n)[i]].name, part.w)));
      drawGraph(part, at, y + leafHeight + 16, into);
      at += part.w + 16;
    });
  }
}
function toggle(i) { open.has(i) ? open.delete(i) : open.add(i); draw(); }

// The view: what part of the scene is seen.
const view = { x: 0, y: 0, scale: 1 };
const show = () => $('scene').setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`);
function fit(whole) {
  const box = $('scene').getBBox(), room = $('svg').getBoundingClientRect();
  view.scale = Math.min(1.2, room.width / (box.width + 60), whole ? room.height / (box.height + 40) : 9);
  view.x = (room.width - box.width * view.scale) / 2 - box.x * view.scale;
  view.y = 20 - box.y * view.scale + (whole ? 0 : 30);
  show();
}
function zoom(factor, x, y) {
  view.x = x - (x - view.x) * factor;
  view.y = y - (y - view.y) * factor;
  view.scale *= factor;
  show();
}
$('svg').addEventListener('wheel', event => {
  event.preventDefault();
  const room = $('svg').getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - room.left, event.clientY - room.top);
}, { passive: false });
let drag = null;
$('svg').addEventListener('pointerdown', event => drag = { x: event.clientX - view.x, y: event.clientY - view.y });
addEventListener('pointermove', event => { if (drag) { view.x = event.clientX - drag.x; view.y = event.clientY - drag.y; show(); } });
addEventListener('pointerup', () => drag = null);
const middle = () => { const room = $('svg').getBoundingClientRect(); return [room.width / 2, room.height / 2]; };
$('in').onclick = () => zoom(1.3, ...middle());
$('out').onclick = () => zoom(1 / 1.3, ...middle());
$('fit').onclick = () => fit(true);
$('unfold').onclick = () => { const all = R.nodes.filter(n => innerGraphs(n).length); open.size < all.length ? all.forEach(n => open.add(n.index)) : open.clear(); draw(); fit(false); };

// One node is picked; list, drawing and details follow.
let picked;
function mark(i) {
  document.querySelectorAll('.pick').forEach(e => e.classList.remove('pick'));
  drawn.get(i)?.box.classList.add('pick');
  document.querySelectorAll(`.edge[data-from="${i}"],.edge[data-to="${i}"]`).forEach(e => e.classList.add('pick'));
  document.querySelector(`tr[data-node="${i}"]`)?.classList.add('pick');
}
function pick(i, move = true) {
  picked = i;
  const closed = holders(i).filter(h => !open.has(h));
  closed.forEach(h => open.add(h));
  if (closed.length) draw();
  mark(i);
  details(R.nodes[i]);
  const row = document.querySelector(`tr[data-node="${i}"]`);
  row?.scrollIntoView({ block: 'nearest' });
  const at = drawn.get(i);
  if (!move || !at) return;
  const [x, y] = middle();
  view.scale = Math.max(view.scale, 0.8);
  view.x = x - (at.x + at.w / 2) * view.scale;
  view.y = y - (at.y + Math.min(at.h, leafHeight) / 2) * view.scale;
  show();
}
const rows = (pairs, body = make('tbody')) => { pairs.forEach(([k, v]) => body.append(make('tr', {}, make('th', {}, k), make('td', {}, v)))); return make('table', {}, body); };
function details(n) {
  const valueText = v => v === null ? 'left out' : R.values[v].name + '  ' + R.values[v].type + (isData(v) ? '  (' + R.values[v].kind + ', ' + count(R.values[v].bytes) + ' B)' : '');
  const lines = list => make('div', {}, ...list.flatMap(v => [valueText(v), make('br')]));
  const pairs = [['node', n.name], ['operator', n.operator], ['computed by', n.taker], ['inputs', lines(n.inputs)], ['outputs', lines(n.outputs)], ['debug handle', String(n.debug_handle)]];
  if (n.not_delegated) pairs.splice(3, 0, ['not delegated', n.not_delegated]);
  if (n.multiply_adds) pairs.push(['multiply-adds', count(n.multiply_adds)]);
  const page = $('details');
  page.replaceChildren(rows(pairs));
  const which = n.delegate ?? n.within;
  if (which === undefined) return;
  const d = R.delegates[which];
  page.append(make('h2', {}, d.name + ' by ' + d.backend), rows([['blob', count(d.blob_bytes) + ' B'], ['scratch', count(d.scratch_bytes) + ' B'], ['in', count(d.argument_bytes) + ' B a call'],
    ['out', count(d.result_bytes) + ' B a call'], ['multiply-adds', count(d.multiply_adds)], ['debug map', make('div', {}, ...d.debug_map.flatMap(e => [e.id + ' → ' + e.handles.join(', '), make('br')]))]]));
}

// The list, with its filter.
function list() {
  const want = $('search').value.toLowerCase(), body = $('rows');
  const matches = n => !hidden.has(n.taker) && (n.name + ' ' + n.operator + ' ' + n.taker + ' ' + (n.not_delegated || '') + ' ' + typeOf(n)).toLowerCase().includes(want);
  body.replaceChildren();
  const seen = new Set();
  work.forEach((i, at) => {
    const n = R.nodes[i];
    if (!matches(n)) return;
    seen.add(i);
    const row = make('tr', { 'data-node': i }, make('td', { class: 'n' }, String(at)), make('td', {}, n.name, make('br'), make('span', { class: 'why' }, n.operator)), make('td', {}, make('code', {}, typeOf(n))),
      make('td', {}, make('span', { class: 'dot', style: 'background:' + colours[n.taker] }), n.taker, ...(n.not_delegated ? [make('br'), make('span', { class: 'why' }, n.not_delegated)] : [])),
      make('td', { class: 'n' }, n.multiply_adds ? short(n.multiply_adds) : ''), make('td', { class: 'n' }, short(n.output_bytes)));
    row.onclick = () => pick(i);
    body.append(row);
  });
  $('found').textContent = seen.size + ' of ' + work.length;
  const filtered = want || hidden.size;
  drawn.forEach((at, i) => at.box.classList.toggle('faint', Boolean(filtered) && !isCall(R.nodes[i]) && !seen.has(i)));
}
$('search').oninput = list;
addEventListener('keydown', event => { if (event.key === '/' && event.target !== $('search')) { event.preventDefault(); $('search').focus(); } });

// Why nodes stayed, most frequent reason first.
const reasons = new Map();
work.forEach(i => { const why = R.nodes[i].not_delegated; if (why) reasons.set(why, [...(reasons.get(why) || []), i]); });
[...reasons].sort((a, b) => b[1].length - a[1].length).forEach(([why, nodes]) => {
  const row = make('tr', {}, make('td', { class: 'n' }, nodes.length + ' ×'), make('td', {}, why));
  row.onclick = () => { $('search').value = why.toLowerCase(); list(); pick(nodes[0]); };
  $('reasons').append(row);
});
$('why').hidden = reasons.size === 0;

// The memory plan: steps to the right, addresses upwards.
if (R.memory) {
  const m = R.memory, w = 640, h = 380, pad = 60, x = s => pad + s * (w - pad - 8) / m.steps, y = a => h - 24 - a * (h - 36) / Math.max(1, m.arena_bytes);
  const svg = make('svg', { viewBox: `0 0 ${w} ${h}`, width: '100%' });
  [0, 0.25, 0.5, 0.75, 1].forEach(f => svg.append(make('line', { x1: pad, x2: w - 8, y1: y(f * m.arena_bytes), y2: y(f * m.arena_bytes), stroke: 'var(--line)' }),
    make('text', { class: 'op', x: pad - 6, y: y(f * m.arena_bytes) + 4, 'text-anchor': 'end' }, short(Math.round(f * m.arena_bytes)))));
  m.entries.forEach((e, i) => {
    const bar = make('rect', { x: x(e.first), y: y(e.offset + e.bytes), width: Math.max(1.5, x(e.last + 1) - x(e.first) - 1), height: Math.max(1.5, y(e.offset) - y(e.offset + e.bytes) - 1), fill: palette[i % palette.length], 'fill-opacity': 0.6 });
    hover(bar, () => `${e.name}\n${count(e.bytes)} B at ${count(e.offset)}, steps ${e.first} to ${e.last}`);
    svg.append(bar);
  });
  svg.append(make('text', { class: 'op', x: pad, y: h - 6 }, 'step 0'), make('text', { class: 'op', x: w - 8, y: h - 6, 'text-anchor': 'end' }, 'step ' + (m.steps - 1)));
  $('memory').append(svg, make('div', { class: 'why' }, `arena ${count(m.arena_bytes)} B, most bytes live at once ${count(m.lower_bound)} B, alignment ${m.alignment}`));
} else {
  $('memory').append('There is no memory plan for this program.');
}

document.querySelectorAll('nav button[data-page]').forEach(button => button.onclick = () => {
  document.querySelectorAll('nav button[data-page],.page').forEach(e => e.classList.remove('on'));
  button.classList.add('on');
  $(button.dataset.page).classList.add('on');
});
$('theme').onclick = () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
};
list();
draw();
fit(false);
document.documentElement.dataset.ready = 'yes';
)page";

}  // namespace baton::report::detail

// ---- baton/report/json.hpp

// A program as JSON (RFC 8259), for tools; the HTML page reads the same.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton::report {

namespace detail {

/// Writes JSON; commas and indentation are its business.
class json_writer {
 public:
  constexpr void open(char bracket) {
    begin_value();
    text_.push_back(bracket);
    is_first_ = true;
    ++depth_;
  }
  constexpr void close(char bracket) {
    --depth_;
    text_.push_back(bracket);
    is_first_ = false;
    after_key_ = false;
  }
  constexpr auto key(std::string_view name) -> json_writer& {
    separate();
    quote(name);
    append(text_, ": ");
    after_key_ = true;
    return *this;
  }
  constexpr void text(std::string_view value) {
    begin_value();
    quote(value);
  }
  constexpr void number(std::integral auto value) {
    begin_value();
    append(text_, static_cast<std::int64_t>(value));
  }
  constexpr void boolean(bool value) {
    begin_value();
    append(text_, value ? "true" : "false");
  }
  constexpr void nothing() {
    begin_value();
    append(text_, "null");
  }
  /// On a line of its own from here.
  constexpr void line() { breaks_ = true; }
  constexpr auto take() -> text_buffer {
    text_.push_back('\n');
    return std::move(text_);
  }

 private:
  constexpr void separate() {
    if (!is_first_) append(text_, breaks_ ? "," : ", ");
    if (breaks_) {
      text_.push_back('\n');
      for (std::size_t i = 0; i < depth_; ++i) append(text_, "  ");
    }
    is_first_ = false;
    breaks_ = false;
  }
  constexpr void begin_value() {
    if (after_key_) {
      after_key_ = false;
    } else if (depth_ != 0) {
      separate();
    }
  }
  // Bytes beyond ASCII may be no UTF-8 at all in a model; each stands for the character of its number. `<` would end a script of HTML.
  constexpr void quote(std::string_view value) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    text_.push_back('"');
    for (const char c : value) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        text_.push_back('\\');
        text_.push_back(c);
      } else if (code < 0x20 || code >= 0x7f || c == '<') {
        append(text_, "\\u00");
        text_.push_back(hexadecimal[code / 16]);
        text_.push_back(hexadecimal[code % 16]);
      } else {
        text_.push_back(c);
      }
    }
    text_.push_back('"');
  }

  text_buffer text_;
  std::size_t depth_ = 0;
  bool is_first_ = true;
  bool after_key_ = false;
  bool breaks_ = false;
};

constexpr auto kind_text(value_kind kind) -> std::string_view {
  constexpr std::string_view names[] = {"user_input", "parameter", "buffer", "mutable_buffer", "constant", "intermediate"};
  return names[static_cast<std::size_t>(kind)];
}

class json_report {
  // Templates stand before their use: Clang evaluates no others in a constant.
  template <class Write>
  constexpr void write_list(std::string_view name, std::size_t size, Write write) {
    to_.line();
    to_.key(name).open('[');
    for (std::uint32_t i = 0; i < size; ++i) {
      to_.line();
      write(i);
    }
    to_.close(']');
  }

 public:
  constexpr json_report(const program_view& program, const survey& facts, const memory_plan* plan)
      : program_(program),
        facts_(facts),
        plan_(plan) {}

  constexpr auto run() -> text_buffer {
    to_.open('{');
    to_.line();
    to_.key("baton_report").number(1);
    to_.line();
    to_.key("program").text(view(facts_.graphs[0].name));
    write_totals();
    write_list("shares", facts_.shares.size(), [this](std::uint32_t i) { write_share(facts_.shares[i]); });
    const auto reasons = reasons_of(program_, facts_);
    write_list("reasons", reasons.size(), [&](std::uint32_t i) { write_reason(reasons[i]); });
    write_list("graphs", program_.graphs.size(), [this](std::uint32_t g) { write_graph(g); });
    write_list("values", program_.values.size(), [this](std::uint32_t v) { write_value(v); });
    write_list("nodes", program_.nodes.size(), [this](std::uint32_t n) { write_node(n); });
    write_list("delegates", program_.delegates.size(), [this](std::uint32_t d) { write_delegate(d); });
    to_.line();
    to_.key("memory");
    if (plan_ == nullptr) {
      to_.nothing();
    } else {
      write_memory();
    }
    to_.line();
    to_.close('}');
    return to_.take();
  }

 private:
  constexpr void ids(std::string_view name, std::span<const value_id> list) {
    to_.key(name).open('[');
    for (const auto id : list) {
      if (id == none<value_id>) {
        to_.nothing();
      } else {
        to_.number(index(id));
      }
    }
    to_.close(']');
  }
  constexpr void optional(std::string_view name, std::uint32_t number) {
    if (number != nobody) to_.key(name).number(number);
  }

  constexpr void write_totals() {
    const auto& totals = facts_.totals;
    to_.line();
    to_.key("totals").open('{');
    to_.key("nodes").number(totals.nodes);
    to_.key("delegated").number(totals.delegated);
    to_.key("delegates").number(totals.delegates);
    to_.key("multiply_adds").number(totals.multiply_adds);
    to_.key("delegated_multiply_adds").number(totals.delegated_multiply_adds);
    to_.key("boundary_bytes").number(totals.boundary_bytes);
    to_.key("blob_bytes").number(totals.blob_bytes);
    to_.close('}');
  }
  constexpr void write_share(const surveyed_share& share) {
    to_.open('{');
    to_.key("who").text(view(share.who));
    to_.key("is_backend").boolean(share.is_backend);
    to_.key("delegates").number(share.delegates);
    to_.key("nodes").number(share.nodes);
    to_.key("multiply_adds").number(share.multiply_adds);
    to_.key("output_bytes").number(share.output_bytes);
    to_.key("boundary_bytes").number(share.boundary_bytes);
    to_.key("blob_bytes").number(share.blob_bytes);
    to_.close('}');
  }
  constexpr void write_reason(const common_reason& each) {
    to_.open('{');
    to_.key(each.is_delegate ? "backend" : "operator").text(each.op);
    if (!each.reason.empty()) to_.key("reason").text(each.reason);
    to_.key("nodes").number(each.nodes);
    to_.key("multiply_adds").number(each.multiply_adds);
    to_.key("keeps_apart").number(each.keeps_apart);
    to_.key("keeps_apart_alone").number(each.keeps_apart_alone);
    to_.close('}');
  }
  constexpr void write_graph(std::uint32_t g) {
    const auto& graph = program_.graphs[g];
    const auto& facts = facts_.graphs[g];
    to_.open('{');
    to_.key("name").text(view(facts.name));
    to_.key("role").text(facts.role == graph_role::root ? "root" : facts.role == graph_role::subgraph ? "subgraph" : "original");
    if (facts.role == graph_role::subgraph) optional("of_node", facts.owner);
    if (facts.role == graph_role::original) optional("of_delegate", facts.owner);
    ids("inputs", program_.inputs(graph));
    to_.key("outputs").open('[');
    for (const auto& spec : program_.outputs_of(graph)) {
      to_.open('{');
      to_.key("value").number(index(spec.value));
      if (spec.kind == output_kind::buffer_mutation) to_.key("mutates").text(program_.text(spec.target));
      to_.close('}');
    }
    to_.close(']');
    to_.close('}');
  }
  constexpr void write_value(std::uint32_t v) {
    const auto& record = program_.values[v];
    to_.open('{');
    to_.key("name").text(program_.text(record.name));
    to_.key("kind").text(kind_text(record.kind));
    to_.key("type").text(view(type_text(program_, static_cast<value_id>(v))));
    to_.key("bytes").number(bytes_of(program_, static_cast<value_id>(v)));
    to_.close('}');
  }
  constexpr void write_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto& facts = facts_.nodes[n];
    to_.open('{');
    to_.key("name").text(program_.text(record.name));
    to_.key("operator").text(program_.text(record.target));
    to_.key("graph").number(facts.graph);
    ids("inputs", program_.inputs(record));
    ids("outputs", program_.outputs_of(record));
    if (record.subgraphs.size != 0) {
      to_.key("subgraphs").open('[');
      for (const auto g : program_.subgraphs_of(record)) to_.number(index(g));
      to_.close(']');
    }
    to_.key("debug_handle").number(record.debug_handle);
    optional("delegate", facts.delegate);
    optional("within", facts.within);
    if (!facts.computed_by.empty()) to_.key("computed_by").text(view(facts.computed_by));
    if (!facts.reason.empty()) to_.key("not_delegated").text(view(facts.reason));
    to_.key("output_bytes").number(facts.output_bytes);
    to_.key("constant_bytes").number(facts.constant_bytes);
    to_.key("multiply_adds").number(facts.multiply_adds);
    to_.close('}');
  }
  constexpr void write_delegate(std::uint32_t d) {
    const lowered_module_view module(program_, static_cast<delegate_id>(d));
    const auto& facts = facts_.delegates[d];
    to_.open('{');
    to_.key("name").text(module.name());
    to_.key("backend").text(module.backend_id());
    to_.key("graph").number(index(module.original()));
    to_.key("blob_bytes").number(module.processed_bytes().size());
    to_.key("scratch_bytes").number(module.scratch_bytes());
    to_.key("argument_bytes").number(facts.argument_bytes);
    to_.key("result_bytes").number(facts.result_bytes);
    to_.key("multiply_adds").number(facts.multiply_adds);
    to_.key("nodes").number(facts.nodes);
    write_border(d);
    to_.key("debug_map").open('[');
    for (const auto& entry : module.debug_handle_map()) {
      to_.open('{');
      to_.key("id");
      if (entry.is_text) {
        to_.text(program_.text(entry.text));
      } else {
        to_.number(entry.identifier);
      }
      to_.key("handles").open('[');
      for (const auto handle : module.handles(entry)) to_.number(handle);
      to_.close(']');
      to_.close('}');
    }
    to_.close(']');
    to_.close('}');
  }
  constexpr void write_border(std::uint32_t d) {
    constexpr std::string_view kinds[] = {"first", "behind", "adjacent", "other_specs", "apart"};
    const auto& border = facts_.delegates[d].border;
    to_.key("border").open('{');
    to_.key("kind").text(kinds[static_cast<std::size_t>(border.kind)]);
    optional("follows", border.follows);
    to_.key("between").open('[');
    for (auto i = border.between.first; i < border.between.first + border.between.size; ++i) to_.number(facts_.between[i]);
    to_.close(']');
    to_.key("text").text(view(border_text(program_, facts_, delegate_id{d})));
    to_.close('}');
  }
  constexpr void write_memory() {
    to_.open('{');
    to_.key("arena_bytes").number(plan_->arena_bytes);
    to_.key("lower_bound").number(plan_->lower_bound);
    to_.key("alignment").number(plan_->alignment);
    to_.key("steps").number(program_.root().nodes.size + 1);
    const auto names = entry_names(program_, *plan_);
    range root{};  // what the graphs need that the root calls is one of its entries
    if (!plan_->graphs.empty()) root = plan_->graphs.back().entries;
    to_.key("entries").open('[');
    for (auto i = root.first; i < root.first + root.size; ++i) {
      const auto& life = plan_->needs.lifetimes[i];
      to_.line();
      to_.open('{');
      to_.key("name").text(view(names[i]));
      to_.key("offset").number(plan_->offsets[i]);
      to_.key("bytes").number(life.bytes);
      to_.key("first").number(life.first);
      to_.key("last").number(life.last);
      to_.close('}');
    }
    to_.close(']');
    to_.close('}');
  }

  program_view program_;
  const survey& facts_;
  const memory_plan* plan_;
  json_writer to_;
};

}  // namespace detail

/// A program as one JSON object: `baton_report` (1: the version of this form; members may be added), `program`, and lists whose records
/// refer to one another by place in these lists. Bytes and multiply-adds are those of one run.
/// - `totals`: `nodes` (operations, those in delegates and branches too, calls of delegates not), `delegated`, `delegates`,
/// `multiply_adds`,
///   `delegated_multiply_adds`, `boundary_bytes` (across the borders of delegates, in and out), `blob_bytes`.
/// - `shares`, one a taker: `who`, `is_backend`, and of its operations and delegates what `totals` has, and `output_bytes`.
/// - `reasons`, the costliest first: `operator` (or `backend`, of whose delegates lie between those of another), `not_delegated` (the
/// reason,
///   if there is one), `nodes`, `multiply_adds`, `keeps_apart` (delegates that begin behind one of these), `keeps_apart_alone`.
/// - `graphs`: `name`, `role` (root, subgraph with `of_node`, original with `of_delegate`), `inputs` (values), `outputs` (`value`,
/// `mutates`).
/// - `values`: `name`, `kind`, `type`, `bytes`.
/// - `nodes`: `name`, `operator`, `graph`, `inputs` (null: left out), `outputs`, `subgraphs`, `debug_handle`, `delegate` if it calls one,
///   `within` if one took it, `computed_by` and `not_delegated` as far as known, `output_bytes`, `constant_bytes`, `multiply_adds`.
/// - `delegates`: `name`, `backend`, `graph`, `blob_bytes`, `scratch_bytes`, `argument_bytes`, `result_bytes`, `multiply_adds`, `nodes`,
///   `border` (why it is one of its own: `kind` first, behind, adjacent, other_specs or apart, see `border_kind`; `follows`, a delegate;
///   `between`, nodes; `text`, the sentence), `debug_map` (`id`, `handles`).
/// - `memory` (null without a plan): `arena_bytes`, `lower_bound`, `alignment`, `steps`, `entries` (`name`, `offset`, `bytes`, `first`,
/// `last`
///   step; the step after the last node is that of whoever reads the outputs).
constexpr auto json(const program_view& program, const survey& facts, const memory_plan* plan = nullptr) -> text_buffer {
  return detail::json_report(program, facts, plan).run();
}

}  // namespace baton::report

#include <cstddef>
#include <string_view>

namespace baton::report {

namespace detail {
/// A literal without a walk over its characters.
template <std::size_t Size>
constexpr auto whole(const char (&literal)[Size]) -> std::string_view {
  return {literal, Size - 1};
}
}  // namespace detail

/// A program as one self-contained page: its JSON and the script that draws it. Delegates and branches fold open, reasons stand in a list
/// and under the pointer, memory is drawn as lifetimes against addresses.
constexpr auto html(const program_view& program, const survey& facts, const memory_plan* plan = nullptr) -> text_buffer {
  auto page = join("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Baton report</title><style>",
                   detail::whole(detail::html_style));
  append(append(page, "</style></head><body>"), detail::whole(detail::html_body));
  append(page, "<script type=\"application/json\" id=\"data\">\n");
  append(page, view(json(program, facts, plan)));
  append(append(append(page, "</script><script>"), detail::whole(detail::html_script)), "</script></body></html>\n");
  return page;
}

}  // namespace baton::report

// ---- baton/report/summary.hpp

// What went where, why not, and why in so many parts: three short tables for a terminal.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report {

namespace detail {

/// `12  40%`: all is 100 %, and nothing less is; nothing is 0 %, and nothing more is.
constexpr auto share_text(std::uint64_t part, std::uint64_t whole) -> text_buffer {
  if (whole == 0) return join(part);
  const auto percent = static_cast<std::uint64_t>(static_cast<double>(part) / static_cast<double>(whole) * 100 + 0.5);
  if (percent == 0 && part != 0) return join(part, "  <1%");
  if (percent >= 100 && part < whole) return join(part, " >99%");
  return join(part, percent < 10 ? "   " : percent < 100 ? "  " : " ", percent, "%");
}

constexpr auto of_backend(std::uint64_t count, bool is_backend) -> text_buffer {
  auto text = join("-");
  if (is_backend) text = join(count);
  return text;
}

}  // namespace detail

/// Who takes how much: a line a backend and whoever computes what stays. Bytes are what the operations put out, what crosses the borders of
/// delegates (in and out), and blobs.
constexpr auto shares_table(const survey& facts, std::size_t width = line_width) -> text_buffer {
  detail::table rows(width, {"taken by", ">parts", ">operations", ">multiply-adds", ">bytes made", ">across", ">blobs"});
  const auto& totals = facts.totals;
  std::uint64_t output_bytes = 0;
  for (const auto& share : facts.shares) output_bytes += share.output_bytes;
  const auto add = [&](const surveyed_share& share) {
    rows.row({detail::printable(share.who.empty() ? std::string_view{"-"} : view(share.who)),
              detail::of_backend(share.delegates, share.is_backend), detail::share_text(share.nodes, totals.nodes),
              detail::share_text(share.multiply_adds, totals.multiply_adds), detail::share_text(share.output_bytes, output_bytes),
              detail::of_backend(share.boundary_bytes, share.is_backend), detail::of_backend(share.blob_bytes, share.is_backend)});
  };
  for (const auto& share : facts.shares) add(share);
  rows.row({join("total"), join(totals.delegates), join(totals.nodes), join(totals.multiply_adds), join(output_bytes),
            join(totals.boundary_bytes), join(totals.blob_bytes)});
  return rows.print(join("what went where: ", totals.delegated, " of ", totals.nodes, " operations delegated, in ", totals.delegates,
                         totals.delegates == 1 ? " part\n" : " parts\n"));
}

/// Why operations stay, the costliest reason first: how many operations and multiply-adds it concerns, how many parts begin behind one of
/// them, and how many fewer parts there would be if they were taken.
constexpr auto reasons_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  detail::table rows(width, {"operator", ">operations", ">multiply-adds", ">keeps apart", ">fewer parts if taken"});
  const auto reasons = reasons_of(program, facts);
  for (const auto& each : reasons) {
    rows.row(
        {detail::printable(each.op), join(each.nodes), join(each.multiply_adds), join(each.keeps_apart), join(each.keeps_apart_alone)});
    if (each.is_delegate) rows.below(detail::words_of("parts of this backend lie between parts of another"));
    if (!each.reason.empty()) rows.below(detail::words_of(each.reason));
  }
  if (reasons.empty()) return join("why not delegated: nothing to say\n");
  return rows.print(join("why not delegated, and what keeps parts apart\n"));
}

/// The delegates in their order, and why each is one of its own.
constexpr auto delegates_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  if (facts.delegates.empty()) return join("parts: none\n");
  detail::table rows(width, {"part", "taken by", ">operations", ">multiply-adds", ">bytes in", ">bytes out"});
  for (std::uint32_t d = 0; d < facts.delegates.size(); ++d) {
    const auto& delegate = facts.delegates[d];
    rows.row({detail::delegate_name(program, facts, d), detail::printable(program.text(program.delegates[d].backend_id)),
              join(delegate.nodes), join(delegate.multiply_adds), join(delegate.argument_bytes), join(delegate.result_bytes)});
    rows.below(detail::words_of(view(border_text(program, facts, delegate_id{d}))));
  }
  return rows.print(join("parts: ", facts.delegates.size(), ", and why each is one of its own\n"));
}

/// The three tables, a blank line between them.
constexpr auto summary(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  return join(view(shares_table(facts, width)), "\n", view(reasons_table(program, facts, width)), "\n",
              view(delegates_table(program, facts, width)));
}

}  // namespace baton::report

// ---- baton/report/told_reasons.hpp

// Tells a report why nodes stay: what their support says, and why the partitioner left those that are supported.

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton::report {

/// What `survey_of` and `partition_table` ask of a node that stays, answered from what `verdicts_of` said before lowering; who computes it
/// is not known here. Nodes of a lowered program are known again by their debug handles, in branches too. Use:
/// `survey_of(lowered, told_reasons(value_or_raise(verdicts_of<my_support>(model, my_partitioner{}))))`.
template <class Verdict>
class told_reasons {
 public:
  constexpr explicit told_reasons(vector<Verdict> verdicts) : verdicts_(std::move(verdicts)) {
    for (std::uint32_t i = 0; i < verdicts_.size(); ++i) by_handle_.push_back(i);
    std::sort(by_handle_.begin(), by_handle_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return handle(a) != handle(b) ? handle(a) < handle(b) : a < b; });
  }

  constexpr auto operator()(const program_view&, const node& record) const -> stay {
    const auto at = std::lower_bound(by_handle_.begin(), by_handle_.end(), record.debug_handle,
                                     [this](std::uint32_t a, std::int64_t sought) { return handle(a) < sought; });
    stay made;
    if (at != by_handle_.end() && handle(*at) == record.debug_handle) made.reason = verdicts_[*at].reason;
    return made;
  }

 private:
  constexpr auto handle(std::uint32_t i) const -> std::int64_t { return verdicts_[i].debug_handle; }

  vector<Verdict> verdicts_;
  vector<std::uint32_t> by_handle_;
};

}  // namespace baton::report
