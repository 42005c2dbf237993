// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What an executor runs in place of what is no program, and no list of kernels, after the compiler has been stopped with a sentence.
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

/// A static program, or one that is empty, after the compiler has been stopped, in place of what is none or could not be made.
template <class Given>
consteval auto program_to_run() {
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

// Names the kernel in the compiler's message.
template <class Kernel>
struct declared_kernel;

/// The kernels of a list; if some are only declared, stops the compiler with a sentence and returns the others.
template <class... Kernels>
consteval auto defined_kernels(kernel_list<Kernels...> list) {
  if constexpr ((defined_type<Kernels> && ...)) {
    return list;
  } else {
    constexpr auto without = (kernel_list<>{} + ... + std::conditional_t<defined_type<Kernels>, kernel_list<>, kernel_list<Kernels>>{});
    static_assert(always_false<declared_kernel<typename decltype(without)::template at<0>>>,
                  "baton executor: a kernel is declared but not defined, because the header of its list is not included; include "
                  "<baton/kernels/cortex_m_kernels.hpp>, <baton/kernels/helium_kernels.hpp> or <baton/kernels/signal_kernels.hpp>");
    return (kernel_list<>{} + ... + std::conditional_t<defined_type<Kernels>, kernel_list<Kernels>, kernel_list<>>{});
  }
}

/// The same for a list of kernels.
template <class Given>
consteval auto kernels_to_run() {
  if constexpr (is_kernel_list<Given>) {
    return defined_kernels(Given{});
  } else {
    static_assert(always_false<Given>, "baton executor: the kernels are not a list; write: baton::kernels<my_kernel>");
    return kernel_list<>{};
  }
}

}  // namespace baton::detail
