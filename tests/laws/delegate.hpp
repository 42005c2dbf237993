// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of backends that run: `execute` writes every byte of its outputs, and nothing else but its scratch memory; it reads what it is
// given, and of scratch only what it wrote. tests/laws/delegate_test.cpp breaks each.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/original_program.hpp>
#include <baton/run/backend_life.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/events.hpp>
#include <baton/run/part_call.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace laws::delegate {

using bytes = baton::vector<char>;

/// What memory holds before a delegate runs.
struct poison {
  char in_outputs = '\x5a';
  char in_scratch = '\x33';
  char elsewhere = '\x5a';
};

/// One part that a backend without state compiled, and calls of it on memory of the law's own: arguments, outputs and scratch each between
/// fences, arguments at odd addresses, as models have them. `Module`, a `static_lowered_module`, is needed of a backend that is compiled
/// for its part.
template <baton::backend Model, class Module = void>
  requires baton::executable_backend<Model>
class trial {
 public:
  trial()
    requires(!std::is_void_v<Module>)
      : trial(baton::original_program(Module::view())) {}
  explicit trial(const baton::exported_program& part) : made_(Model::preprocess(part, {})) {
    for (const auto& spec : part.outputs_of(part.root())) {
      if (spec.kind != baton::output_kind::user_output) continue;
      output_bytes_.push_back(static_cast<std::size_t>(baton::byte_count(part[spec.value].type, part.shape(spec.value))));
    }
  }

  /// Whether the part could be compiled.
  explicit operator bool() const { return static_cast<bool>(made_); }

  /// The outputs' bytes, one after the other.
  auto run(const baton::vector<bytes>& arguments, poison before = {}) -> bytes {
    bytes memory;
    baton::vector<std::size_t> firsts;
    const auto place = [&](const bytes& contents, std::size_t skip) {
      memory.insert(memory.end(), fence + (fence - memory.size() % fence) + skip, before.elsewhere);
      firsts.push_back(memory.size());
      memory.insert(memory.end(), contents.begin(), contents.end());
    };
    for (const auto& argument : arguments) place(argument, 1);
    for (const auto size : output_bytes_) place(bytes(size, before.in_outputs), 0);
    place(bytes(made_.value.scratch_bytes, before.in_scratch), 0);
    memory.insert(memory.end(), fence, before.elsewhere);

    baton::vector<baton::span<const char>> inputs;
    baton::vector<baton::span<char>> outputs;
    std::size_t at = 0;
    for (const auto& argument : arguments) inputs.push_back({memory.data() + firsts[at++], argument.size()});
    for (const auto size : output_bytes_) outputs.push_back({memory.data() + firsts[at++], size});
    const baton::span scratch{memory.data() + firsts[at], made_.value.scratch_bytes};
    auto expected = memory;
    auto& blob = made_.value.processed_bytes;
    const auto blob_before = blob;
    execute({{blob.data(), blob.size()}, inputs, outputs, scratch});

    bytes made;
    const auto allow = [&](baton::span<const char> written) {
      std::copy(written.begin(), written.end(), expected.begin() + (written.data() - memory.data()));
    };
    for (const auto& output : outputs) {
      made.insert(made.end(), output.begin(), output.end());
      allow(output);
    }
    allow(scratch);
    kept_to_its_outputs_ = expected == memory && blob == blob_before;
    return made;
  }
  /// Whether the last run wrote nothing but outputs and scratch.
  auto kept_to_its_outputs() const -> bool { return kept_to_its_outputs_; }

 private:
  static void execute(const baton::delegate_call& call) {
    if constexpr (std::is_void_v<Module>) {
      Model::execute(call);
    } else {
      using context = baton::execution_context<>;
      const baton::no_options options;
      Model::execute(baton::part_call<Module, baton::traced<context>>{{context(call, "forward", options)}});
    }
  }

  static constexpr std::size_t fence = 64;

  baton::result<baton::preprocess_result> made_;
  baton::vector<std::size_t> output_bytes_;
  bool kept_to_its_outputs_ = true;
};

/// It writes every byte of its outputs, and reads none before.
template <class Model, class Module>
auto writes_all_of_its_outputs(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  return part.run(arguments, {.in_outputs = '\x5a'}) == part.run(arguments, {.in_outputs = '\xa5'});
}

/// It writes nothing else but scratch: not what lies around, no argument, not its blob.
template <class Model, class Module>
auto writes_nothing_else(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  for (const char elsewhere : {'\x5a', '\xa5'}) {
    part.run(arguments, {elsewhere, elsewhere, elsewhere});
    if (!part.kept_to_its_outputs()) return false;
  }
  return true;
}

/// What scratch held, and what lies around its arguments, makes no difference.
template <class Model, class Module>
auto reads_only_what_it_is_given(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  const auto once = part.run(arguments, {'\0', '\0', '\0'});
  return once == part.run(arguments, {'\0', '\xff', '\0'}) && once == part.run(arguments, {'\0', '\0', '\xff'}) &&
         once == part.run(arguments, {'\0', '\x5a', '\x7f'});
}

/// It computes what another says that the part means.
template <class Model, class Module>
auto is_right(trial<Model, Module>& part, const baton::vector<bytes>& arguments, const bytes& expected) -> bool {
  return part.run(arguments) == expected;
}

template <class Model, class Module>
auto all(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  return writes_all_of_its_outputs(part, arguments) && writes_nothing_else(part, arguments) && reads_only_what_it_is_given(part, arguments);
}

}  // namespace laws::delegate
