// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The parameters of a backend's `init` and `execute`.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/events.hpp>
#include <baton/run/processed_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A call of a lowered module. `inputs` are the bytes of the arguments, in the order of the part's user inputs. `outputs` are the bytes of
/// the results, in the order of the part's user outputs. Constant arguments are in read-only memory.
struct delegate_call {
  span<const char> processed_bytes;
  span<const span<const char>> inputs;
  span<const span<char>> outputs;
  span<char> scratch;  ///< the memory that `preprocess` requested; its contents are lost after the call
};

/// The options type of a backend that declares no options.
struct no_options {};

/// A delegate call, together with the name of the method and the current values of the backend's options.
template <class Options = no_options>
struct execution_context : delegate_call {
  std::string_view method;  ///< the name of the program's root graph, by default `forward`
  const Options& options;
  /// The identifier of the failed operation in the debug handle map (`preprocess_result::debug_handle_map`). A backend sets this member if
  /// `execute` fails. The member is mutable because `execute` receives a const context.
  mutable std::int64_t failed_operation = event_identifier::unset;

  constexpr execution_context(const delegate_call& call, std::string_view name, const Options& set)
      : delegate_call(call),
        method(name),
        options(set) {}
};

/// A compile spec that is stored in the executable image.
struct compile_spec_view {
  std::string_view key;
  std::string_view value;
};

/// The parameter of `init`. A backend may keep a pointer to the processed bytes until `destroy`, or release the processed bytes at any
/// time.
template <class Options = no_options>
struct init_context {
  baton::processed_bytes& processed_bytes;
  span<const compile_spec_view> compile_specs;  ///< as passed to `preprocess`
  std::string_view method;
  named_data_map named_data;
  const Options& options;
  /// The identifier of the failed operation in the debug handle map. A backend sets this member if `init` fails.
  std::int64_t failed_operation = event_identifier::unset;

  constexpr init_context(baton::processed_bytes& bytes, span<const compile_spec_view> specs, std::string_view name, named_data_map data,
                         const Options& set)
      : processed_bytes(bytes),
        compile_specs(specs),
        method(name),
        named_data(data),
        options(set) {}
};

}  // namespace baton
