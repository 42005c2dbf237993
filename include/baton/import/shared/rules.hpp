// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of model files.
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
      "baton unsupported_operators: a model uses operators that the importer does not know; export it with others, or define them (custom_operators)", 141};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsupported_operators
                  "baton unsupported_operators: a model uses operators that the importer does not know; export it with others, or define them (custom_operators)");
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
      "baton missing_file: a tensor is in an external file that the importer was not given; pass the file (external_file)", 114};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#missing_file
                  "baton missing_file: a tensor is in an external file that the importer was not given; pass the file (external_file)");
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
      "baton unknown_size: an input has an unknown size other than its batch; export the model with fixed shapes, or set the size when reading it", 138};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_size
                  "baton unknown_size: an input has an unknown size other than its batch; export the model with fixed shapes, or set the size when reading it");
  }
};

template <>
struct rule<"open_size"> {
  static constexpr std::string_view sentence{
      "baton open_size: an unknown size does not follow from the inputs; export the model with fixed shapes", 100};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#open_size
                  "baton open_size: an unknown size does not follow from the inputs; export the model with fixed shapes");
  }
};

template <>
struct rule<"unknown_name"> {
  static constexpr std::string_view sentence{
      "baton unknown_name: the model has no entry point, input or dimension of this name; use one of its names", 103};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_name
                  "baton unknown_name: the model has no entry point, input or dimension of this name; use one of its names");
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
      "baton costly_model: reading the model exceeds a limit of the compiler for constant evaluation, or fails as the compiler reports above; raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)", 194};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#costly_model
                  "baton costly_model: reading the model exceeds a limit of the compiler for constant evaluation, or fails as the compiler reports above; raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)");
  }
};

}  // namespace baton
