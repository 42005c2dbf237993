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
      "baton damaged_model: a model file must lie whole within its bounds; this one is cut short or damaged; fetch or export it again", 126};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton damaged_model: a model file must lie whole within its bounds; this one is cut short or damaged; fetch or export it again");
  }
};

template <>
struct rule<"foreign_file"> {
  static constexpr std::string_view sentence{
      "baton foreign_file: a TensorFlow Lite model carries the file identifier TFL3; this file does not; check the path and the format", 127};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_file: a TensorFlow Lite model carries the file identifier TFL3; this file does not; check the path and the format");
  }
};

template <>
struct rule<"unsupported_model"> {
  static constexpr std::string_view sentence{
      "baton unsupported_model: a model may use only what the importer knows of its format; this one uses more; see the reason", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unsupported_model: a model may use only what the importer knows of its format; this one uses more; see the reason");
  }
};

template <>
struct rule<"unknown_format"> {
  static constexpr std::string_view sentence{
      "baton unknown_format: a model file must be of a format that an importer in the list recognizes; none recognizes this file; check the path, or add an importer", 157};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_format: a model file must be of a format that an importer in the list recognizes; none recognizes this file; check the path, or add an importer");
  }
};

template <>
struct rule<"unknown_size"> {
  static constexpr std::string_view sentence{
      "baton unknown_size: the sizes of an input must be known but for the batch; one is not; export the model with fixed shapes, or take the file's", 141};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_size: the sizes of an input must be known but for the batch; one is not; export the model with fixed shapes, or take the file's");
  }
};

template <>
struct rule<"open_size"> {
  static constexpr std::string_view sentence{
      "baton open_size: a size that the file leaves open must follow from the inputs; one does not; export the model with fixed shapes", 127};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton open_size: a size that the file leaves open must follow from the inputs; one does not; export the model with fixed shapes");
  }
};

template <>
struct rule<"unknown_name"> {
  static constexpr std::string_view sentence{
      "baton unknown_name: an entry point or input that is chosen by name must be one of the model; this is none; take one that there is", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_name: an entry point or input that is chosen by name must be one of the model; this is none; take one that there is");
  }
};

template <>
struct rule<"unreadable_bytes"> {
  static constexpr std::string_view sentence{
      "baton unreadable_bytes: the compiler reads a model from a constant array of char that ends with a zero, or of unsigned char; this is none; make it with baton_embed, or with xxd -i", 179};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unreadable_bytes: the compiler reads a model from a constant array of char that ends with a zero, or of unsigned char; this is none; make it with baton_embed, or with xxd -i");
  }
};

template <>
struct rule<"costly_model"> {
  static constexpr std::string_view sentence{
      "baton costly_model: reading a model must be within the compiler's limits for a constant; this one takes more, or fails as the compiler says above; raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)", 206};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton costly_model: reading a model must be within the compiler's limits for a constant; this one takes more, or fails as the compiler says above; raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)");
  }
};

}  // namespace baton
