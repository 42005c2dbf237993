// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The writer of a program as JSON. docs/report.md describes the format.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/report/detail/json_memory.hpp>
#include <baton/report/detail/json_writer.hpp>
#include <baton/report/detail/reasons.hpp>
#include <baton/report/provenance.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report::detail {

constexpr auto kind_text(value_kind kind) -> std::string_view {
  constexpr std::string_view names[] = {"user_input", "parameter",    "buffer",  "mutable_buffer",
                                        "constant",   "intermediate", "scratch", "external_constant"};
  return names[static_cast<std::size_t>(kind)];
}

class json_report {
  // Templates are defined before their first use, because Clang evaluates a template in a constant expression only after its definition.
  template <class Write>
  constexpr void write_list(std::string_view name, std::size_t size, Write write) {
    to_.line();
    to_.key(name).open('[');
    for (std::uint32_t i = 0; i < size; ++i) {
      to_.line();
      write(i);
    }
    to_.close(']');
  }

 public:
  constexpr json_report(const program_view& program, const survey& facts, const memory_plan* plan, const provenance& from)
      : program_(program),
        facts_(facts),
        plan_(plan),
        from_(from) {}

  constexpr auto run() -> text_buffer {
    to_.open('{');
    to_.line();
    to_.key("baton_report").number(1);
    to_.line();
    to_.key("program").text(view(facts_.graphs[0].name));
    to_.optional_text("file", from_.file).optional_text("policy", from_.policy).optional_text("target", from_.target);
    write_totals();
    write_list("shares", facts_.shares.size(), [this](std::uint32_t i) { write_share(facts_.shares[i]); });
    const auto reasons = reasons_of(program_, facts_);
    write_list("reasons", reasons.size(), [&](std::uint32_t i) { write_reason(reasons[i]); });
    write_list("graphs", program_.graphs.size(), [this](std::uint32_t g) { write_graph(g); });
    write_list("values", program_.values.size(), [this](std::uint32_t v) { write_value(v); });
    write_list("nodes", program_.nodes.size(), [this](std::uint32_t n) { write_node(n); });
    write_list("delegates", program_.delegates.size(), [this](std::uint32_t d) { write_delegate(d); });
    to_.line();
    to_.key("memory");
    if (plan_ == nullptr) {
      to_.null();
    } else {
      json_memory(program_, *plan_, to_).run();
    }
    to_.line();
    to_.close('}');
    return to_.take();
  }

 private:
  constexpr void numbers(span<const std::int64_t> list) {
    to_.open('[');
    for (const auto number : list) to_.number(number);
    to_.close(']');
  }
  constexpr void write_totals() {
    const auto& totals = facts_.totals;
    to_.line();
    to_.key("totals").open('{');
    to_.key("nodes").number(totals.nodes);
    to_.key("delegated").number(totals.delegated);
    to_.key("delegates").number(totals.delegates);
    to_.key("multiply_adds").number(totals.multiply_adds);
    to_.key("delegated_multiply_adds").number(totals.delegated_multiply_adds);
    to_.key("boundary_bytes").number(totals.boundary_bytes);
    to_.key("processed_bytes").number(totals.processed_bytes);
    to_.close('}');
  }
  constexpr void write_share(const survey::share& share) {
    to_.open('{');
    to_.key("computed_by").text(view(share.computed_by));
    to_.key("is_backend").boolean(share.is_backend);
    to_.key("delegates").number(share.delegates);
    to_.key("nodes").number(share.nodes);
    to_.key("multiply_adds").number(share.multiply_adds);
    to_.key("output_bytes").number(share.output_bytes);
    to_.key("boundary_bytes").number(share.boundary_bytes);
    to_.key("processed_bytes").number(share.processed_bytes);
    to_.close('}');
  }
  constexpr void write_reason(const common_reason& each) {
    to_.open('{');
    to_.key(each.is_delegate ? "backend" : "operator").text(each.op);
    if (!each.reason.empty()) to_.key("reason").text(view(each.reason));
    if (each.texts > 1) {
      to_.key("texts").number(each.texts);
      to_.key("numbers").open('[');
      for (const auto& column : each.numbers) {
        to_.open('[');
        for (const auto& number : column) to_.text(view(number));
        to_.close(']');
      }
      to_.close(']');
    }
    to_.key("nodes").number(each.nodes);
    to_.key("multiply_adds").number(each.multiply_adds);
    to_.key("separated_parts").number(each.separated_parts);
    to_.key("avoidable_parts").number(each.avoidable_parts);
    to_.close('}');
  }
  constexpr void write_graph(std::uint32_t g) {
    const auto& graph = program_.graphs[g];
    const auto& facts = facts_.graphs[g];
    to_.open('{');
    to_.key("name").text(view(facts.name));
    to_.key("role").text(facts.role == survey::graph_role::root       ? "root"
                         : facts.role == survey::graph_role::subgraph ? "subgraph"
                                                                      : "original");
    if (facts.role == survey::graph_role::subgraph) to_.optional("of_node", facts.owner);
    if (facts.role == survey::graph_role::original) to_.optional("of_delegate", facts.owner);
    to_.ids("inputs", program_.inputs(graph));
    to_.key("outputs").open('[');
    for (const auto& spec : program_.outputs_of(graph)) {
      to_.open('{');
      to_.key("value").number(index(spec.value));
      if (spec.kind == output_kind::buffer_mutation) to_.key("mutates").text(program_.text(spec.target));
      to_.close('}');
    }
    to_.close(']');
    to_.close('}');
  }
  constexpr void write_value(std::uint32_t v) {
    const auto& record = program_.values[v];
    to_.open('{');
    to_.key("name").text(program_.text(record.name));
    to_.key("kind").text(kind_text(record.kind));
    to_.key("type").text(view(type_text(program_, static_cast<value_id>(v))));
    to_.key("bytes").number(bytes_of(program_, static_cast<value_id>(v)));
    to_.close('}');
  }
  constexpr void write_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto& facts = facts_.nodes[n];
    to_.open('{');
    to_.key("name").text(program_.text(record.name));
    to_.key("operator").text(program_.text(record.target));
    to_.key("graph").number(facts.graph);
    to_.ids("inputs", program_.inputs(record));
    to_.ids("outputs", program_.outputs_of(record));
    if (record.subgraphs.size != 0) {
      to_.key("subgraphs").open('[');
      for (const auto g : program_.subgraphs_of(record)) to_.number(index(g));
      to_.close(']');
    }
    write_attributes(record);
    to_.key("debug_handle").number(record.debug_handle);
    if (record.folded_handles.size != 0) {
      to_.key("folded_handles");
      numbers(program_.folded_handles(record));
    }
    to_.optional("delegate", facts.delegate);
    to_.optional("within", facts.within);
    if (!facts.computed_by.empty()) to_.key("computed_by").text(view(facts.computed_by));
    if (!facts.reason.empty()) to_.key("not_delegated").text(view(facts.reason));
    if (!facts.float_reason.empty()) to_.key("float_reason").text(view(facts.float_reason));
    to_.key("output_bytes").number(facts.output_bytes);
    to_.key("constant_bytes").number(facts.constant_bytes);
    to_.key("multiply_adds").number(facts.multiply_adds);
    to_.close('}');
  }
  constexpr void write_attributes(const node& record) {
    if (record.attributes.size == 0) return;
    to_.key("attributes").open('{');
    for (const auto& literal : program_.attributes_of(record)) {
      to_.key(program_.text(literal.name));
      write_attribute(literal);
    }
    to_.close('}');
  }
  constexpr void write_attribute(const attribute& literal) {
    switch (literal.kind) {
      case attribute_kind::integer:
        return to_.number(literal.integer);
      case attribute_kind::real:
        return to_.real(literal.real);
      case attribute_kind::boolean:
        return to_.boolean(literal.integer != 0);
      case attribute_kind::text:
      case attribute_kind::bytes:
        return to_.text(program_.text(literal.bytes));
      case attribute_kind::integers:
        return numbers(program_.integer_list(literal.list));
      case attribute_kind::reals:
        to_.open('[');
        for (const auto number : program_.real_list(literal.list)) to_.real(number);
        return to_.close(']');
    }
  }
  constexpr void write_delegate(std::uint32_t d) {
    const lowered_module_view module(program_, static_cast<delegate_id>(d));
    const auto& facts = facts_.delegates[d];
    to_.open('{');
    to_.key("name").text(module.name());
    to_.key("backend").text(module.backend_id());
    to_.key("graph").number(index(module.original()));
    to_.key("processed_bytes").number(module.processed_bytes().size());
    to_.key("scratch_bytes").number(module.scratch_bytes());
    to_.key("argument_bytes").number(facts.argument_bytes);
    to_.key("result_bytes").number(facts.result_bytes);
    to_.key("multiply_adds").number(facts.multiply_adds);
    to_.key("nodes").number(facts.nodes);
    write_separation(d);
    to_.key("debug_map").open('[');
    for (const auto& entry : module.debug_handle_map()) {
      to_.open('{');
      to_.key("id");
      if (entry.is_text) {
        to_.text(program_.text(entry.text));
      } else {
        to_.number(entry.identifier);
      }
      to_.key("handles");
      numbers(module.handles(entry));
      to_.close('}');
    }
    to_.close(']');
    to_.close('}');
  }
  constexpr void write_separation(std::uint32_t d) {
    constexpr std::string_view kinds[] = {"first", "nodes_between", "adjacent", "different_specs", "independent"};
    const auto& separation = facts_.delegates[d].separation;
    to_.key("separation").open('{');
    to_.key("kind").text(kinds[static_cast<std::size_t>(separation.kind)]);
    to_.optional("follows", separation.follows);
    to_.key("between").open('[');
    for (auto i = separation.between.first; i < separation.between.first + separation.between.size; ++i) to_.number(facts_.between[i]);
    to_.close(']');
    to_.key("text").text(view(separation_text(program_, facts_, delegate_id{d})));
    to_.close('}');
  }
  program_view program_;
  const survey& facts_;
  const memory_plan* plan_;
  provenance from_;
  json_writer to_;
};

}  // namespace baton::report::detail
