// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The last steps of an import: the open sizes (sizes that the file does not state) are resolved, and the program is checked.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/frozen_program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/open_sizes.hpp>
#include <baton/import/detail/read_embedded.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// Resolves the open sizes of a verified program. The program's integers must end with its open sizes (see `push_open_shapes`). Fails with
/// the errors of `open_sizes::resolve`.
constexpr auto with_known_sizes(exported_program program) -> result<exported_program> {
  const auto open = pop_open_shapes(program);
  if (!open.empty()) {
    if (auto why = open_sizes(program, open).resolve()) return why;
  }
  return program;
}
constexpr auto has_open_sizes(const program_view& program) -> bool { return program.integers.back() != 0; }

/// Verifies a program, resolves its open sizes, and checks the output types of its nodes. Fails with the errors of `verify`,
/// `open_sizes::resolve` and `check_inference`.
constexpr auto finish(exported_program program) -> result<exported_program> {
  if (auto why = verify(program)) return why;
  vector<std::int64_t> stated;
  if (has_open_sizes(program)) stated = program.integers;
  auto sized = with_known_sizes(std::move(program));
  if (!sized) return sized;
  const auto& known = sized.value.integers;
  if (!stated.empty() && !std::equal(known.begin(), known.end(), stated.begin())) {
    if (auto why = verify(sized.value)) return why;
  }
  if (auto why = check_inference(sized.value)) return why;
  return sized;
}

/// The integers of a program after its open sizes are resolved. `is_valid` is false if the open sizes could not be resolved. `is_changed`
/// is true if at least one integer differs from the program's.
template <std::size_t Count>
struct resolved_integers {
  bool is_valid = false;
  bool is_changed = false;
  std::array<std::int64_t, Count> integers{};
};
/// The resolved integers of the static program `Program`, whose integers end with its open sizes (see `push_open_shapes`).
template <class Program>
inline constexpr auto resolved_integers_of = [] {
  constexpr const auto& all = Program::value().integers;
  constexpr auto count = all.size() - 1 - 2 * static_cast<std::size_t>(all.back());
  resolved_integers<count> resolved;
  if constexpr (all.back() != 0) {
    const auto sized = with_known_sizes(thaw(Program::value()));
    if (!sized) return resolved;
    for (std::size_t i = 0; i < count; ++i) resolved.integers[i] = sized.value.integers[i];
  } else {
    for (std::size_t i = 0; i < count; ++i) resolved.integers[i] = all[i];
  }
  resolved.is_valid = true;
  for (std::size_t i = 0; i < count && !resolved.is_changed; ++i) resolved.is_changed = resolved.integers[i] != all[i];
  return resolved;
}();
/// The program `Program` with resolved sizes. All pools (flat arrays of a program) except `integers` are copies of the pools of `Program`.
template <class Program>
inline constexpr auto sized_program = [] {
  constexpr auto sizes = [] {
    auto all = sizes_of(Program::value());
    all[position_of(&program_view::integers)] = static_cast<std::uint32_t>(resolved_integers_of<Program>.integers.size());
    return all;
  }();
  frozen_program<sizes> copy{};
  copy_frozen(Program::value(), copy);
  copy.integers = resolved_integers_of<Program>.integers;
  return copy;
}();

/// A reader of an embedded file, which also executes the steps of `finish`. Each step is a separate constant expression, because a large
/// model exceeds the compiler's limits for one constant expression. `Importer` has `is_large(bytes)`, `expected_sizes(bytes)` (see
/// `room_for`), `read_tensors(bytes)`, `read_unfinished(bytes, tensors)` and `needs_handles(why)`.
///
/// `why` is the error of `verify`, as a `failure` or a `static_failure`. `needs_handles` returns true if this error means that mutable
/// buffers (buffers that keep their values from run to run) cannot represent the resource variables. In this case, this reader calls
/// `Importer::read` in one constant expression. The resulting program keeps the handles, which are the tensors by which operators refer to
/// variables.
template <class Importer, const auto& Bytes>
struct read_in_steps {
  using whole = read_embedded<Importer, Bytes>;

  struct step {
    static constexpr bool stages_are_valid = true;
    static constexpr auto unevaluated() -> failure { return whole::unevaluated(); }
    static constexpr auto expected_sizes() -> pool_sizes { return Importer::expected_sizes(whole::bytes()); }
  };
  struct tensors : step {
    constexpr auto operator()() const -> exported_program { return Importer::read_tensors(whole::bytes()); }
  };
  struct unfinished : step {
    constexpr auto operator()() const -> result<exported_program> {
      return Importer::read_unfinished(whole::bytes(), static_program<tensors>::value());
    }
  };
  using first = static_program<unfinished>;
  struct sized : step {
    static constexpr auto expected_sizes() -> pool_sizes {
      if constexpr (first::is_valid) return sizes_of(first::value());
      return {};
    }
    /// True if a constant expression can resolve the sizes. Otherwise, `static_program` calls `operator()`, which reports the error.
    static consteval auto is_stored() -> bool {
      if constexpr (first::is_valid) {
        if constexpr (requires { typename std::bool_constant<resolved_integers_of<first>.is_valid>; }) {
          return resolved_integers_of<first>.is_valid;
        }
      }
      return false;
    }
    static constexpr auto stored() -> const auto& { return sized_program<first>; }
    constexpr auto operator()() const -> result<exported_program> { return with_known_sizes(thaw(first::value())); }
  };
  using second = static_program<sized>;

  static constexpr bool stages_are_valid = true;
  static constexpr bool is_verified = true;
  static constexpr auto embedded() -> const auto& { return whole::embedded(); }
  static constexpr auto unevaluated() -> failure { return whole::unevaluated(); }
  /// True if all steps succeed. Then, `stored()` is the program of the last step.
  static consteval auto is_stored() -> bool;
  static constexpr auto stored() -> const auto& { return second::value(); }
  constexpr auto operator()() const -> result<exported_program>;

 private:
  /// Returns the last static program that needs verification: `first` if resolving the open sizes changes no size, otherwise `second`.
  static consteval auto last_unverified() {
    if constexpr (!resolved_integers_of<first>.is_changed) {
      return first{};
    } else {
      return second{};
    }
  }
};

/// The failure of `verify` for a static program. `is_set` is false if the program passes the check.
template <class Program>
inline constexpr static_failure verify_failure{verify(Program::value())};
/// The failure of `check_inference` for a static program. `is_set` is false if the program passes the check.
template <class Program>
inline constexpr static_failure inference_failure{check_inference(Program::value())};

template <class Importer, const auto& Bytes>
consteval auto read_in_steps<Importer, Bytes>::is_stored() -> bool {
  if constexpr (!first::is_valid) {
    return false;
  } else if constexpr (verify_failure<first>.is_set || !second::is_valid) {
    return false;
  } else {
    return !verify_failure<decltype(last_unverified())>.is_set && !inference_failure<second>.is_set;
  }
}

template <class Importer, const auto& Bytes>
constexpr auto read_in_steps<Importer, Bytes>::operator()() const -> result<exported_program> {
  if constexpr (!first::is_valid) {
    return unfinished{}();
  } else if constexpr (Importer::needs_handles(verify_failure<first>)) {
    return whole{}();
  } else if constexpr (verify_failure<first>.is_set) {
    return verify(first::value());
  } else if constexpr (!second::is_valid) {
    return sized{}();
  } else if constexpr (verify_failure<decltype(last_unverified())>.is_set) {
    return verify(second::value());
  } else if constexpr (inference_failure<second>.is_set) {
    return check_inference(second::value());
  } else {
    return thaw(second::value());
  }
}

/// True if the importer reports that an embedded file is too large for one constant expression.
template <class Importer, const auto& Bytes>
consteval auto is_read_in_steps() -> bool {
  using whole = read_embedded<Importer, Bytes>;
  if constexpr (whole::is_of_bytes && whole::is_constant) return Importer::is_large(whole::bytes());
  return false;
}
/// The callable that reads an embedded file, in one constant expression or in steps.
template <class Importer, const auto& Bytes>
using reading_of = std::conditional_t<is_read_in_steps<Importer, Bytes>(), read_in_steps<Importer, Bytes>, read_embedded<Importer, Bytes>>;

}  // namespace baton::detail
