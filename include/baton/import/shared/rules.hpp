// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages of importers.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"damaged_model"> {
  static constexpr std::string_view sentence{
      "baton damaged_model: a model file is truncated or damaged; download or export it again", 86};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#damaged_model
                  "baton damaged_model: a model file is truncated or damaged; download or export it again");
  }
};

template <>
struct rule<"foreign_file"> {
  static constexpr std::string_view sentence{
      "baton foreign_file: a file does not have the importer's format; check the path and the format", 93};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#foreign_file
                  "baton foreign_file: a file does not have the importer's format; check the path and the format");
  }
};

template <>
struct rule<"unsupported_model"> {
  static constexpr std::string_view sentence{
      "baton unsupported_model: a model uses a feature that the importer does not support; see the reason", 98};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsupported_model
                  "baton unsupported_model: a model uses a feature that the importer does not support; see the reason");
  }
};

template <>
struct rule<"unsupported_operators"> {
  static constexpr std::string_view sentence{
      "baton unsupported_operators: a model uses operators that the importer does not know; export the model with other operators, or define the unknown ones (custom_operators)", 169};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsupported_operators
                  "baton unsupported_operators: a model uses operators that the importer does not know; export the model with other operators, or define the unknown ones (custom_operators)");
  }
};

template <>
struct rule<"cyclic_graph"> {
  static constexpr std::string_view sentence{
      "baton cyclic_graph: the nodes of a graph depend on each other in a cycle; correct the model", 91};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#cyclic_graph
                  "baton cyclic_graph: the nodes of a graph depend on each other in a cycle; correct the model");
  }
};

template <>
struct rule<"missing_file"> {
  static constexpr std::string_view sentence{
      "baton missing_file: a tensor is in an external file that was not passed to the importer; pass the file (external_file)", 118};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#missing_file
                  "baton missing_file: a tensor is in an external file that was not passed to the importer; pass the file (external_file)");
  }
};

template <>
struct rule<"refused_path"> {
  static constexpr std::string_view sentence{
      "baton refused_path: the path of an external file is absolute or leaves the folder of the model; store the file beside the model", 127};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#refused_path
                  "baton refused_path: the path of an external file is absolute or leaves the folder of the model; store the file beside the model");
  }
};

template <>
struct rule<"unknown_format"> {
  static constexpr std::string_view sentence{
      "baton unknown_format: no importer in the list recognizes the file; check the path, or add an importer", 101};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_format
                  "baton unknown_format: no importer in the list recognizes the file; check the path, or add an importer");
  }
};

template <>
struct rule<"unknown_size"> {
  static constexpr std::string_view sentence{
      "baton unknown_size: the size of an input dimension other than the batch is unknown; export the model with fixed shapes, or set the size when reading it", 151};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_size
                  "baton unknown_size: the size of an input dimension other than the batch is unknown; export the model with fixed shapes, or set the size when reading it");
  }
};

template <>
struct rule<"mismatched_shape"> {
  static constexpr std::string_view sentence{
      "baton mismatched_shape: the read options set a shape or size that the model does not permit; correct the read options, or export the model for this shape", 153};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#mismatched_shape
                  "baton mismatched_shape: the read options set a shape or size that the model does not permit; correct the read options, or export the model for this shape");
  }
};

template <>
struct rule<"unresolved_type"> {
  static constexpr std::string_view sentence{
      "baton unresolved_type: the type, rank or size of a value is unknown, and cannot be inferred from the inputs; export the model with fixed types and shapes", 153};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unresolved_type
                  "baton unresolved_type: the type, rank or size of a value is unknown, and cannot be inferred from the inputs; export the model with fixed types and shapes");
  }
};

template <>
struct rule<"unknown_name"> {
  static constexpr std::string_view sentence{
      "baton unknown_name: the model has no entry point, input or dimension of this name; use a name that the model has", 112};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_name
                  "baton unknown_name: the model has no entry point, input or dimension of this name; use a name that the model has");
  }
};

template <>
struct rule<"unreadable_bytes"> {
  static constexpr std::string_view sentence{
      "baton unreadable_bytes: a model must be a constant array of char that ends with a zero, or of unsigned char; generate it with baton_embed or xxd -i", 147};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unreadable_bytes
                  "baton unreadable_bytes: a model must be a constant array of char that ends with a zero, or of unsigned char; generate it with baton_embed or xxd -i");
  }
};

template <>
struct rule<"costly_model"> {
  static constexpr std::string_view sentence{
      "baton costly_model: the compiler cannot evaluate the import of a model; see the compiler's message above, and raise the limit if it names one (-fconstexpr-steps, -fconstexpr-ops-limit)", 184};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#costly_model
                  "baton costly_model: the compiler cannot evaluate the import of a model; see the compiler's message above, and raise the limit if it names one (-fconstexpr-steps, -fconstexpr-ops-limit)");
  }
};

}  // namespace baton
