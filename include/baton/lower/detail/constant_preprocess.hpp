// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks whether a call of a backend's `preprocess` is a constant expression, before lowering evaluates the call. Without this check, a
// call that is not a constant expression would cause a page of compiler notes.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/detail/lowering_steps.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// Calls a backend's `preprocess` with the part and the compile specs that `Input::cut()` returns. A part is the nodes of a graph that
/// become one delegate; compile specs are key-value pairs. This is a separate function because Clang 16 does not destroy temporaries in a
/// template argument, and therefore reports a memory leak.
template <class Backend, class Input>
constexpr auto preprocess_once() -> bool {
  const cut_part cut = Input::cut();
  static_cast<void>(Backend::preprocess(cut.program, cut.specs));
  return true;
}
/// True if a backend's `preprocess` is a constant expression for the part of `Input`.
template <class Backend, class Input>
concept evaluates_preprocess = requires { typename std::bool_constant<preprocess_once<Backend, Input>()>; };

/// A part with one node, to test whether `preprocess` is a constant expression. A constexpr `preprocess` usually accepts or refuses this
/// part at almost no cost.
struct smallest_part {
  static constexpr auto cut() -> cut_part {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1));
    build.output(build.call("y", "test.smallest", {x}, tensor(dtype::int8, 1)));
    return {build.finish(), {}};
  }
};

inline constexpr char zeros_of_an_element[16]{};

/// Returns the part with every dimension set to 1, and with every constant set to zero. The compiler can evaluate a constexpr `preprocess`
/// for this shrunk part, even if the original part exceeds the compiler's limits.
constexpr auto shrunk(exported_program part) -> exported_program {
  for (auto& record : part.values) {
    for (std::uint32_t d = 0; d < record.shape.size; ++d) part.integers[record.shape.first + d] = 1;
    if (record.data.size != 0) record.data = {zeros_of_an_element, 0, (facts(record.type).bits + 7u) / 8};
  }
  return part;
}
template <class Input>
struct shrunk_part {
  static constexpr auto cut() -> cut_part {
    auto original = Input::cut();
    return {shrunk(std::move(original.program)), std::move(original.specs)};
  }
};

/// True if the part with the tag `tag` is so small that `preprocess` may be evaluated twice. The whole program must have at most 64 nodes.
/// The data of all values with this tag must have at most 4,096 bytes.
constexpr auto is_small_part(const program_view& program, tag_id tag) -> bool {
  std::size_t constant_bytes = 0;
  for (const auto& record : program.values) {
    if (record.tag == tag) constant_bytes += record.data.size;
  }
  return program.nodes.size() <= 64 && constant_bytes <= 4096;
}

template <class List>
inline constexpr bool all_preprocess_the_smallest = false;
template <class... Backends>
inline constexpr bool all_preprocess_the_smallest<backend_list<Backends...>> = (evaluates_preprocess<Backends, smallest_part> && ...);

/// True if lowering may evaluate `preprocess` of the backend `Input::backend_id()` for the part of `Input`. If false, lowering reports
/// `run_time_preprocess`. The first case that applies determines the result:
/// - No backend has this id: true. Lowering reports the unknown id.
/// - `preprocess` of every backend in the list is a constant expression for the smallest part, and `Input::is_sample()` is false: true. The
///   part of `Input` is not evaluated.
/// - `preprocess` is a constant expression for the part of `Input`: true.
/// - `preprocess` of every backend in the list is a constant expression for the smallest part: false.
/// - `preprocess` is a constant expression for the shrunk part: true. The part of `Input` then exceeds a limit of the compiler. The
///   compiler names the limit, and lowering reports `costly_preprocess`.
/// - Otherwise: false.
template <class List, class Input>
consteval auto can_preprocess() -> bool {
  constexpr bool is_known = List::with(Input::backend_id(), [](auto) {});
  if constexpr (!is_known) {
    return true;  // lowering reports the unknown backend
  } else {
    using backend = typename List::template at<List::position_of(Input::backend_id())>;
    constexpr bool are_constexpr = all_preprocess_the_smallest<List>;
    if constexpr (are_constexpr && !Input::is_sample()) {
      return true;
    } else if constexpr (evaluates_preprocess<backend, Input>) {
      return true;
    } else if constexpr (are_constexpr) {
      return false;
    } else {
      return evaluates_preprocess<backend, shrunk_part<Input>>;
    }
  }
}

/// Returns a failure of the rule `Rule` that names the backend. The reason recommends a `static_assert` that makes the compiler show the
/// location of the error.
template <fixed_string Rule>
constexpr auto broken_by_backend(std::string_view backend_id) -> failure {
  auto why = broken<Rule>();
  why.backend = join(backend_id);
  why.reason = join("to see the cause: static_assert( baton::preprocess_is_constant <my_backend>(model, my_partitioner{}) )");
  return why;
}

}  // namespace baton::detail
