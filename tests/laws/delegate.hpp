// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of backends that run. `execute` succeeds, and writes every byte of its outputs and nothing else but its scratch. It reads its
// arguments, its processed bytes, and only those bytes of scratch that it has written. tests/laws/delegate_test.cpp breaks each law.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/original_program.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/part_call.hpp>
#include <baton/run/processed_bytes.hpp>
#include <baton/run/shared/lifecycle_functions.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace laws::delegate {

using bytes = baton::vector<char>;

/// The contents of memory before a delegate runs.
struct poison {
  char in_outputs = '\x5a';
  char in_scratch = '\x33';
  char elsewhere = '\x5a';
};

namespace detail {

/// Calls a step of a backend's lifecycle, which returns nothing or a status. Returns true if it succeeds.
template <class Step>
auto succeeds(Step step) -> bool {
  if constexpr (std::is_void_v<decltype(step())>) {
    step();
    return true;
  } else {
    return step() == baton::status::ok;
  }
}

}  // namespace detail

/// A part that a backend has compiled, and calls of it in memory of the law. Arguments, outputs and scratch are each between fences;
/// arguments are at odd addresses, as in models. Each call is a whole lifecycle: default options, a new state, `init`, `execute`,
/// `destroy`. `Module`, a `static_lowered_module`, is required if `execute` is compiled for each part.
template <baton::backend Model, class Module = void>
  requires baton::executable_backend<Model>
class trial {
 public:
  trial()
    requires(!std::is_void_v<Module>)
      : trial(baton::original_program(Module::view())) {}
  explicit trial(const baton::exported_program& part) : processed_(Model::preprocess(part, {})) {
    if (processed_) processed_.value.processed_bytes = processed_.value.all_processed_bytes(part);
    for (const auto& spec : part.outputs_of(part.root())) {
      if (spec.kind != baton::output_kind::user_output) continue;
      output_bytes_.push_back(static_cast<std::size_t>(baton::byte_count(part[spec.value].type, part.shape(spec.value))));
    }
  }

  /// True if the part could be compiled.
  explicit operator bool() const { return static_cast<bool>(processed_); }

  /// Returns the bytes of the outputs, one after the other.
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
    place(bytes(processed_.value.scratch_bytes, before.in_scratch), 0);
    memory.insert(memory.end(), fence, before.elsewhere);

    baton::vector<baton::span<const char>> inputs;
    baton::vector<baton::span<char>> outputs;
    std::size_t at = 0;
    for (const auto& argument : arguments) inputs.push_back({memory.data() + firsts[at++], argument.size()});
    for (const auto size : output_bytes_) outputs.push_back({memory.data() + firsts[at++], size});
    const baton::span scratch{memory.data() + firsts[at], processed_.value.scratch_bytes};
    auto expected = memory;
    auto& processed_bytes = processed_.value.processed_bytes;
    const auto processed_bytes_before = processed_bytes;
    succeeded_ = run_lifecycle({{processed_bytes.data(), processed_bytes.size()}, inputs, outputs, scratch});

    bytes results;
    const auto allow = [&](baton::span<const char> written) {
      std::copy(written.begin(), written.end(), expected.begin() + (written.data() - memory.data()));
    };
    for (const auto& output : outputs) {
      results.insert(results.end(), output.begin(), output.end());
      allow(output);
    }
    allow(scratch);
    wrote_only_outputs_ = expected == memory && processed_bytes == processed_bytes_before;
    return results;
  }
  /// True if every step of the last run succeeded.
  auto succeeded() const -> bool { return succeeded_; }
  /// True if the last run wrote nothing but outputs and scratch.
  auto wrote_only_outputs() const -> bool { return wrote_only_outputs_; }

 private:
  using options = baton::options_of<Model>;
  using lifecycle = baton::lifecycle_functions<Model>;

  auto run_lifecycle(baton::delegate_call call) const -> bool {
    const options set{};
    typename lifecycle::state own{};
    baton::processed_bytes processed_bytes;  // until `destroy`, as in an executor
    processed_bytes.hold({call.processed_bytes});
    const auto& named = processed_.value.named_data;
    baton::vector<baton::named_data_map::entry> entries;
    for (const auto& entry : named.entries()) entries.push_back({baton::view(entry.key), named.bytes(entry.buffer)});
    if constexpr (lifecycle::has_init) {
      typename lifecycle::init_call context{{processed_bytes, {}, "forward", {entries, nullptr}, set}};
      if (!detail::succeeds([&] { return lifecycle::init(context, own); })) return false;
    }
    call.processed_bytes = processed_bytes.bytes();
    const typename lifecycle::execute_call context{{call, "forward", set}};
    const bool is_done = detail::succeeds([&] {
      if constexpr (std::is_void_v<Module>) {
        return lifecycle::execute(context, own);
      } else {
        return lifecycle::execute(baton::part_call<Module, typename lifecycle::execute_call>{context}, own);
      }
    });
    if constexpr (lifecycle::has_destroy) lifecycle::destroy(own);
    return is_done;
  }

  static constexpr std::size_t fence = 64;

  baton::result<baton::preprocess_result> processed_;
  baton::vector<std::size_t> output_bytes_;
  bool succeeded_ = true;
  bool wrote_only_outputs_ = true;
};

/// Every step of the lifecycle succeeds.
template <class Model, class Module>
auto succeeds(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  part.run(arguments);
  return part.succeeded();
}

/// It writes every byte of its outputs, and reads none before.
template <class Model, class Module>
auto writes_all_outputs(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  return part.run(arguments, {.in_outputs = '\x5a'}) == part.run(arguments, {.in_outputs = '\xa5'});
}

/// It writes nothing else but scratch: no memory around them, no argument, and not its processed bytes.
template <class Model, class Module>
auto writes_only_outputs(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  for (const char elsewhere : {'\x5a', '\xa5'}) {
    part.run(arguments, {elsewhere, elsewhere, elsewhere});
    if (!part.wrote_only_outputs()) return false;
  }
  return true;
}

/// The previous contents of scratch, and of the memory around the arguments, have no effect.
template <class Model, class Module>
auto reads_only_arguments(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  const auto once = part.run(arguments, {'\0', '\0', '\0'});
  return once == part.run(arguments, {'\0', '\xff', '\0'}) && once == part.run(arguments, {'\0', '\0', '\xff'}) &&
         once == part.run(arguments, {'\0', '\x5a', '\x7f'});
}

/// It computes the expected outputs.
template <class Model, class Module>
auto is_correct(trial<Model, Module>& part, const baton::vector<bytes>& arguments, const bytes& expected) -> bool {
  return part.run(arguments) == expected;
}

template <class Model, class Module>
auto all(trial<Model, Module>& part, const baton::vector<bytes>& arguments) -> bool {
  return succeeds(part, arguments) && writes_all_outputs(part, arguments) && writes_only_outputs(part, arguments) &&
         reads_only_arguments(part, arguments);
}

}  // namespace laws::delegate
