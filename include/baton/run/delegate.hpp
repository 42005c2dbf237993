// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a backend's `init` and `execute` are given.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/blob.hpp>
#include <baton/run/events.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The call of a lowered module. Arguments stand in the order of the part's user inputs, outputs in that of its user outputs; sizes in
/// bytes. Constants among the arguments lie in read-only memory.
struct delegate_call {
  span<const char> blob;
  span<const span<const char>> inputs;
  span<const span<char>> outputs;
  span<char> scratch;  ///< as large as `preprocess` asked for; what is in it is lost after the call
};

/// The options of a backend that declares none.
struct no_options {};

/// A call, and what else a backend may want to know: `options` is the backend's own type, as it is set now.
template <class Options = no_options>
struct execution_context : delegate_call {
  std::string_view method;  ///< the name of the method: `forward`, where a program is no method of several
  const Options& options;
  /// If `execute` fails: the operation's identifier in the debug handle map. Mutable, so that `execute` can set it.
  mutable std::int64_t failed_operation = event_identifier::unset;

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
  span<const compile_spec_view> compile_specs;  ///< as `preprocess` had them
  std::string_view method;
  named_data_map named_data;
  const Options& options;
  /// If `init` fails, set it to the operation's identifier in the debug handle map.
  std::int64_t failed_operation = event_identifier::unset;

  constexpr init_context(blob& bytes, span<const compile_spec_view> specs, std::string_view name, named_data_map data, const Options& set)
      : processed(bytes),
        compile_specs(specs),
        method(name),
        named_data(data),
        options(set) {}
};

}  // namespace baton
