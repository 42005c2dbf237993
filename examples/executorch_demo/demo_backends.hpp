// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Backends with the ids of ExecuTorch's demo backends. They execute the delegates of programs that ExecuTorch exported.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include "operand_search.hpp"
#include "operator_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

namespace executorch_demo {

namespace detail {

/// The sizes of arguments, in float32 elements.
struct argument_sizes {
  std::array<std::size_t, data_flow::max_inputs> elements{};
  std::size_t count = 0;

  template <class Arguments>
  explicit argument_sizes(const Arguments& arguments) : count(arguments.size()) {
    for (std::size_t i = 0; i < std::min(count, elements.size()); ++i) elements[i] = arguments[i].size() / sizeof(float);
  }
  auto size() const -> std::size_t { return count; }
  auto operator[](std::size_t i) const -> std::size_t { return elements[i]; }
};

/// Executes a list of operators on float32 tensors.
class interpreter {
 public:
  static constexpr std::size_t max_elements = 64;  ///< of a result

  explicit interpreter(const baton::delegate_call& call) : call_(call) {}

  auto run(const operator_list& list) -> baton::status {
    const argument_sizes inputs(call_.inputs), outputs(call_.outputs);
    const operand_search search(list, inputs, outputs);
    flow_ = search.result();
    if (!flow_.is_found) return baton::status::invalid_argument;
    std::size_t next = 0;
    for (std::size_t i = 0; i < list.size; ++i) {
      const auto value = flow_.inputs + i;
      if (flow_.elements[value] > max_elements) return baton::status::not_supported;
      compute(list.operators[i].what, i);
      if (flow_.is_output[value]) std::memcpy(call_.outputs[next++].data(), results_[i], flow_.elements[value] * sizeof(float));
    }
    return baton::status::ok;
  }

 private:
  void compute(operation what, std::size_t at) {
    if (what == operation::mm || what == operation::linear) return multiply(what, at);
    for (std::size_t i = 0; i < flow_.elements[flow_.inputs + at]; ++i) {
      const auto a = read(at, 0, i), b = operand_count(what) == 2 ? read(at, 1, i) : 0;
      results_[at][i] = what == operation::add   ? a + b
                        : what == operation::sub ? a - b
                        : what == operation::mul ? a * b
                        : what == operation::sin ? std::sin(a)
                                                 : std::cos(a);
    }
  }
  void multiply(operation what, std::size_t at) {
    const auto elements = [&](std::size_t operand) { return flow_.elements[flow_.operands[at][operand]]; };
    const bool is_linear = what == operation::linear;
    const auto sizes = is_linear ? sizes_of_linear(elements(0), elements(1), elements(2))
                                 : sizes_of_mm(elements(0), elements(1), flow_.elements[flow_.inputs + at]);
    for (std::size_t row = 0; row < sizes.rows; ++row) {
      for (std::size_t column = 0; column < sizes.columns; ++column) {
        float sum = is_linear ? read(at, 2, column) : 0;
        for (std::size_t k = 0; k < sizes.depth; ++k) {
          sum += read(at, 0, row * sizes.depth + k) * read(at, 1, is_linear ? column * sizes.depth + k : k * sizes.columns + column);
        }
        results_[at][row * sizes.columns + column] = sum;
      }
    }
  }
  /// Returns an element of an operand. A tensor with one element is repeated.
  auto read(std::size_t at, std::size_t operand, std::size_t i) const -> float {
    const auto value = flow_.operands[at][operand];
    if (flow_.elements[value] == 1) i = 0;
    if (value >= flow_.inputs) return results_[value - flow_.inputs][i];
    float number = 0;
    std::memcpy(&number, call_.inputs[value].data() + i * sizeof number, sizeof number);
    return number;
  }

  const baton::delegate_call& call_;
  data_flow flow_;
  float results_[operator_list::capacity][max_elements]{};
};

constexpr auto status_of(text_state state) -> baton::status {
  switch (state) {
    case text_state::valid:
      return baton::status::ok;
    case text_state::version_mismatch:
      return baton::status::delegate_invalid_compatibility;
    case text_state::unsupported:
      return baton::status::not_supported;
    case text_state::without_constants:
      return baton::status::not_found;
    case text_state::damaged:
      break;
  }
  return baton::status::invalid_program;
}

/// `preprocess` of all backends here: only ExecuTorch's exporter writes these processed bytes.
struct executes_only {
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::result<baton::preprocess_result> {
    return baton::refuse_part("this backend executes delegates of ExecuTorch's files, and compiles none");
  }
};

/// A backend that executes a list of operators. `Read` returns the list from the processed bytes.
template <class Read>
struct list_backend : executes_only {
  using state = operator_list;

  static auto init(baton::init_context<>& context, state& list) -> baton::status {
    const auto bytes = context.processed_bytes.bytes();
    list = Read{}(std::string_view{bytes.data(), bytes.size()});
    if (list.state == text_state::unsupported) context.failed_operation = list.failed;
    return status_of(list.state);
  }
  static auto execute(const baton::execution_context<>& call, state& list) -> baton::status { return interpreter(call).run(list); }
};

struct compiler_text {
  constexpr auto operator()(std::string_view text) const -> operator_list { return read_compiler_text(text); }
};
template <baton::fixed_string Id>
struct preprocess_all_text {
  constexpr auto operator()(std::string_view text) const -> operator_list { return read_preprocess_all_text(text, Id); }
};

}  // namespace detail

/// `BackendWithCompilerDemo`. As in ExecuTorch, `init` fails with `invalid_argument` if the first compile spec is more than 4, and with
/// `delegate_invalid_compatibility` if the version is not 0. The sizes of matrices are not limited.
struct compiler_demo : detail::list_backend<detail::compiler_text> {
  static constexpr auto id = baton::name<"BackendWithCompilerDemo">;

  static auto init(baton::init_context<>& context, state& list) -> baton::status {
    if (context.compile_specs.empty()) return baton::status::invalid_argument;
    std::uint32_t max = 0;
    const auto value = context.compile_specs[0].value;
    for (std::size_t i = 0; i < std::min<std::size_t>(value.size(), 4); ++i)
      max |= std::uint32_t{static_cast<unsigned char>(value[i])} << 8 * i;
    if (static_cast<std::int32_t>(max) > 4) return baton::status::invalid_argument;
    return list_backend::init(context, list);
  }
};

/// The two backends of ExecuTorch's demo of `preprocess_multimethod`. `init` fails with `not_found` if the operators use a constant,
/// because the file has only its name.
struct first_of_all_methods : detail::list_backend<detail::preprocess_all_text<"FirstBackendWithPreprocessAll">> {
  static constexpr auto id = baton::name<"FirstBackendWithPreprocessAll">;
};
struct second_of_all_methods : detail::list_backend<detail::preprocess_all_text<"SecondBackendWithPreprocessAll">> {
  static constexpr auto id = baton::name<"SecondBackendWithPreprocessAll">;
};

/// `BackendWithNamedDataMap`: one operator, stated by the key of its named data, which are as many zeros as its position among the
/// operators. `init` fails with `not_found` if there is no such key, and with `invalid_program` if there are several: a file does not state
/// which named data a delegate uses.
struct named_data_demo : detail::executes_only {
  static constexpr auto id = baton::name<"BackendWithNamedDataMap">;
  using state = operator_list;

  static auto init(baton::init_context<>& context, state& list) -> baton::status {
    list = {};  // `init` can be called again after a failure
    constexpr std::string_view operators[] = {"aten.sin.default", "aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor"};
    for (std::size_t count = 0; count < std::size(operators); ++count) {
      const auto data = context.named_data.find(operators[count]);
      if (!data) continue;
      const auto zeros = std::count(data.value.begin(), data.value.end(), '\0');
      if (data.value.size() != count || zeros != static_cast<std::ptrdiff_t>(count)) return baton::status::invalid_external_data;
      detail::append(list, operators[count], 0, -1);
    }
    if (list.size == 0) return baton::status::not_found;
    return list.size == 1 ? baton::status::ok : baton::status::invalid_program;
  }
  static auto execute(const baton::execution_context<>& call, state& list) -> baton::status { return detail::interpreter(call).run(list); }
};

/// All of them. The processed bytes of `BackendWithDelegateMappingDemo` have neither operands nor weights, so nothing can execute them.
inline constexpr auto all = baton::backends<compiler_demo, first_of_all_methods, second_of_all_methods, named_data_demo>;

}  // namespace executorch_demo
