// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Weights in the caller's memory, which can be replaced without new firmware.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/external_file.hpp>
#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace baton {

/// The weights of a static program to which the pass `external_weights` (`transform/external_weights.hpp`) was applied. An object refers to
/// the bytes of a file that `pack_weights` (same header) has written. The file is, for example, in flash. Declare the object with static
/// storage duration, and pass it to an executor: `baton::run_time_weights<net> weights;` `baton::executor<net,
/// baton::with_weights<weights>> runner;`.
template <auto Program>
class run_time_weights {
 public:
  /// The size of the file in bytes.
  static constexpr std::size_t bytes = external_file::bytes_of(Program.value());
  /// A hash of the program without the bytes of its weights (`external_file::structure_hash`).
  static constexpr std::uint64_t structure_hash = external_file::structure_hash(Program.value());
  static constexpr std::size_t alignment = external_file::alignment;

  /// Uses the weights in `file`. The bytes of `file` must stay valid as long as the weights are in use. Do not call this function during a
  /// run. Returns `ok`, or
  /// - `invalid_argument` if `file` is not aligned to `alignment` bytes,
  /// - `invalid_external_data` if the file does not have `bytes` bytes, or is not a file of weights,
  /// - `invalid_program` if the file was written for a program with another `structure_hash`.
  /// After a failure, the previous weights stay in use. The weights themselves are not checked, because every value of a weight is valid.
  auto set(std::span<const char> file) -> status {
    if (reinterpret_cast<std::uintptr_t>(file.data()) % alignment != 0) return status::invalid_argument;
    if (file.size() != bytes) return status::invalid_external_data;
    if (!external_file::has_magic(file.data())) return status::invalid_external_data;
    if (external_file::stated_hash(file.data()) != structure_hash) return status::invalid_program;
    begin_ = file.data();
    return status::ok;
  }

  /// True if weights are in use.
  auto is_set() const -> bool { return begin_ != nullptr; }
  /// Returns the address of the file in use, or null if no weights are in use.
  auto begin() const -> const char* { return begin_; }

 private:
  // An invalid program has already caused an error, so the assertion does not report a second one.
  static constexpr bool has_weights = bytes != 0 || !Program.is_valid;
  static_assert(has_weights, "baton run_time_weights: the program has no external constants; apply the pass baton::external_weights to it");

  const char* begin_ = nullptr;
};

/// A service that gives an executor its weights at run time. `Weights` is a `run_time_weights` of the executor's program, with static
/// storage duration. `run` returns a `status`: `invalid_state` if no weights are set.
template <auto& Weights>
struct with_weights {
  using weights = std::remove_reference_t<decltype(Weights)>;
  static auto begin() -> const char* { return Weights.begin(); }
};

namespace detail {

template <class Service>
inline constexpr bool is_with_weights = false;
template <auto& Weights>
inline constexpr bool is_with_weights<with_weights<Weights>> = true;

/// Adds the address of the external constants to `Setting`, the requirements of other services on the plan (see `static_execution` in
/// `plan/shared/static_execution.hpp`).
template <class Setting, class Service>
struct setting_with_weights : Setting {
  static auto external_constants() -> const char* { return Service::begin(); }
};

/// True if the weights of an executor are set, or if the executor has no service `with_weights`. `Services` is a `service_list`.
template <class Services>
auto are_weights_set() -> bool {
  if constexpr (Services::weights_count == 0) {
    return true;
  } else {
    return Services::weights::begin() != nullptr;
  }
}

/// If `Service` is a `with_weights`, fails at compile time if the weights belong to another program, or if the executor runs a method. If
/// `Service` is `void`, fails at compile time if the program has external constants.
template <class Service, class Program, bool IsMethod>
consteval void check_weights() {
  if constexpr (std::is_void_v<Service>) {
    constexpr bool has_all_data = external_file::bytes_of(Program::value()) == 0;
    static_assert(has_all_data,
                  "baton executor: the program has external constants, but no weights are given; pass a baton::with_weights<weights>");
  } else {
    static_assert(!IsMethod,
                  "baton with_weights: a method of a methods executor cannot have weights at run time; use an executor of one program");
    constexpr bool is_same_program = Service::weights::structure_hash == external_file::structure_hash(Program::value());
    static_assert(is_same_program,
                  "baton with_weights: the weights belong to another program; pass a baton::run_time_weights of this program (a "
                  "program with delegates cannot have weights at run time)");
  }
}

}  // namespace detail

}  // namespace baton
