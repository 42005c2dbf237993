// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replacements for an invalid program or kernel list, so that no further diagnostics follow the error.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/is_static_program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernel/kernel.hpp>

#include <type_traits>

namespace baton::detail {

struct make_nothing {
  constexpr auto operator()() const -> exported_program { return {}; }
};

/// Returns `Given` if it is a valid static program. Otherwise fails at compile time, and returns an empty static program.
template <class Given>
consteval auto checked_program() {
  if constexpr (is_static_program<Given>) {
    Given::report();
    if constexpr (Given::is_valid) {
      return Given{};
    } else {
      return static_program<make_nothing>{};
    }
  } else {
    static_assert(always_false<Given>,
                  "baton executor: the argument is not a baton::static_program; import the bytes of a model with "
                  "baton::tflite::read<bytes>, and lower with baton::to_backend");
    return static_program<make_nothing>{};
  }
}

template <class Given>
inline constexpr bool is_kernel_list = false;
template <class... Kernels>
inline constexpr bool is_kernel_list<kernel_list<Kernels...>> = true;

template <class T>
concept defined_type = requires { sizeof(T); };

// A type that names the kernel in the diagnostic.
template <class Kernel>
struct declared_kernel;

/// Returns those kernels of a list whose types are defined. Fails at compile time if a kernel is only declared.
template <class... Kernels>
consteval auto defined_kernels(kernel_list<Kernels...> list) {
  if constexpr ((defined_type<Kernels> && ...)) {
    return list;
  } else {
    constexpr auto undefined = (kernel_list<>{} + ... + std::conditional_t<defined_type<Kernels>, kernel_list<>, kernel_list<Kernels>>{});
    static_assert(always_false<declared_kernel<typename decltype(undefined)::template at<0>>>,
                  "baton executor: a kernel is declared but not defined, because the header of its list is not included; include "
                  "<baton/kernels/cortex_m_kernels.hpp>, <baton/kernels/helium_kernels.hpp> or <baton/kernels/signal_kernels.hpp>");
    return (kernel_list<>{} + ... + std::conditional_t<defined_type<Kernels>, kernel_list<Kernels>, kernel_list<>>{});
  }
}

/// Returns the kernels of `Given`. If `Given` is not a kernel list, fails at compile time and returns an empty list.
template <class Given>
consteval auto kernels_to_run() {
  if constexpr (is_kernel_list<Given>) {
    return defined_kernels(Given{});
  } else {
    static_assert(always_false<Given>, "baton executor: the kernels are not a list; write: baton::kernels<my_kernel>");
    return kernel_list<>{};
  }
}

/// True if `Given` is a list of defined kernels. If false, `kernels_to_run` has reported an error, so a missing kernel of a node is not
/// reported in addition.
template <class Given>
inline constexpr bool are_kernels_to_run = std::is_same_v<decltype(kernels_to_run<Given>()), Given>;

}  // namespace baton::detail
