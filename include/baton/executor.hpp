// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The default executors: for one program, and for the methods of a model. Only the model must be specified; everything else has a default.
#pragma once

#include <baton/kernel/kernel.hpp>
#include <baton/kernels/declared_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/state_sharing.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include <baton/kernels/cortex_m_kernels.hpp>
#endif
#if defined(__ARM_FEATURE_MVE)
#include <baton/kernels/helium_kernels.hpp>
#endif

namespace baton {

/// The kernels of an executor without `with_kernels`, in order of preference: the Helium, the Cortex-M and the portable kernels. The Helium
/// kernels are included only if the target has Helium, the Cortex-M kernels only if it has the DSP extension.
#if defined(__ARM_FEATURE_MVE)
inline constexpr auto default_kernels = helium_kernels + cortex_m_kernels + portable_kernels;
#elif defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
inline constexpr auto default_kernels = cortex_m_kernels + portable_kernels;
#else
inline constexpr auto default_kernels = portable_kernels;
#endif

/// An executor service that replaces `default_kernels`: `baton::executor<model, baton::with_kernels<my_kernels + baton::default_kernels>>`.
template <auto Kernels>
struct with_kernels {};

/// An executor service that sets the options of the memory plan: `baton::executor<model,
/// baton::with_plan_options<baton::plan_options{.alignment = 64}>>`.
template <plan_options Options>
struct with_plan_options {};

namespace detail {

template <class Service>
inline constexpr bool is_with_kernels = false;
template <auto Kernels>
inline constexpr bool is_with_kernels<with_kernels<Kernels>> = true;
template <class Service>
inline constexpr bool is_with_plan_options = false;
template <plan_options Options>
inline constexpr bool is_with_plan_options<with_plan_options<Options>> = true;

template <class... Services>
struct other_services {};

/// Separates the kernels and the plan options from the other services of an executor. `Others` collects the other services in order.
template <auto Kernels, plan_options Options, class Others, class... Services>
struct sorted_services;
template <auto Kernels, plan_options Options, class... Others>
struct sorted_services<Kernels, Options, other_services<Others...>> {
  template <auto Program>
  using executor = basic_executor<Program, Kernels, Options, Others...>;
  template <auto Methods, state_sharing Sharing>
  using methods_executor = basic_methods_executor<Methods, Kernels, Sharing, Options, Others...>;
};
template <auto Kernels, plan_options Options, class... Others, class First, class... Rest>
struct sorted_services<Kernels, Options, other_services<Others...>, First, Rest...>
    : sorted_services<Kernels, Options, other_services<Others..., First>, Rest...> {};
template <auto Kernels, plan_options Options, class... Others, auto Given, class... Rest>
struct sorted_services<Kernels, Options, other_services<Others...>, with_kernels<Given>, Rest...>
    : sorted_services<Given, Options, other_services<Others...>, Rest...> {};
template <auto Kernels, plan_options Options, class... Others, plan_options Given, class... Rest>
struct sorted_services<Kernels, Options, other_services<Others...>, with_plan_options<Given>, Rest...>
    : sorted_services<Kernels, Given, other_services<Others...>, Rest...> {};

/// The `sorted_services` of an executor. Without a `with_kernels` in `Services`, uses `default_kernels`. Without a `with_plan_options`,
/// uses `plan_options{}`. Fails to compile if the kernels or the plan options are specified twice.
template <class... Services>
struct services_with_defaults : sorted_services<default_kernels, plan_options{}, other_services<>, Services...> {
  static_assert((0 + ... + int{is_with_kernels<Services>}) <= 1,
                "baton executor: the executor has two lists of kernels; add them, as in "
                "baton::with_kernels<my_kernels + baton::default_kernels>");
  static_assert((0 + ... + int{is_with_plan_options<Services>}) <= 1,
                "baton executor: plan options are given twice; remove one with_plan_options");
};

}  // namespace detail

/// An executor of a static program: `baton::executor<lowered> net; net.run(input, output);`. The services are types in any order.
/// `with_kernels` and `with_plan_options` replace the defaults, `default_kernels` and `plan_options{}`. Other services are passed to
/// `basic_executor`, as in `baton::executor<lowered, baton::planned_by<baton::memory_policies::in_place>>`.
template <auto Program, class... Services>
using executor = typename detail::services_with_defaults<Services...>::template executor<Program>;

/// An executor of the methods of a model, in one arena: `baton::methods_executor<lowered, baton::state_sharing::by_name> net;`, then
/// `net.run<"prefill">(tokens, logits)` and `net.run<"decode">(token, logits)`. Accepts the services of
/// `executor`, except `in_arena`, `in_regions` and `with_weights`.
template <auto Methods, state_sharing Sharing = state_sharing::none, class... Services>
using methods_executor = typename detail::services_with_defaults<Services...>::template methods_executor<Methods, Sharing>;

}  // namespace baton
