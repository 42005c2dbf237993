// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess: random inputs against the reference, the laws of kernels, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference/detection.hpp"

#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernels/portable/detection.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::detection_postprocess;
using one_node::says;

struct entry {
  std::string_view key;
  bool is_real = false;
  std::int32_t whole = 0;
  float real = 0;
};

/// Returns a FlexBuffer map of `entries`, each value four bytes wide.
constexpr auto flexbuffer_of(baton::span<const entry> entries) -> baton::vector<char> {
  baton::vector<char> result;
  const auto put = [&](std::uint32_t bits) {
    for (int i = 0; i < 4; ++i) result.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
  };
  const auto count = static_cast<std::uint32_t>(entries.size());
  baton::vector<std::uint32_t> names;
  for (const auto& e : entries) {
    names.push_back(static_cast<std::uint32_t>(result.size()));
    for (const char c : e.key) result.push_back(c);
    result.push_back('\0');
  }
  put(count);
  for (const auto name : names) put(static_cast<std::uint32_t>(result.size()) - name);
  put(4 * count);
  put(4);
  put(count);
  const auto elements = static_cast<std::uint32_t>(result.size());
  for (const auto& e : entries) put(e.is_real ? std::bit_cast<std::uint32_t>(e.real) : static_cast<std::uint32_t>(e.whole));
  for (const auto& e : entries) result.push_back(static_cast<char>((e.is_real ? 3 : 1) << 2 | 2));
  put(static_cast<std::uint32_t>(result.size()) - elements);
  result.push_back(static_cast<char>(9 << 2 | 2));
  result.push_back(4);
  return result;
}

struct settings {
  int boxes = 6;
  int classes = 2;
  int columns = 3;
  int max_detections = 4;
  int max_of_class = 100;
  bool searches_classes = false;
  float min_score = 0.1f;
  float max_overlap = 0.5f;
  int each = 1;
  float y_scale = 10;
  int images = 1;
  int coordinates = 4;
  int anchors = 6;
  dtype type = dtype::float32;
  int room = 4;
  bool has_options = true;

  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("boxes", baton::tensor(type, images, boxes, coordinates));
    const auto y = b.user_input("scores", baton::tensor(dtype::float32, images, boxes, columns));
    const auto z = b.user_input("anchors", baton::tensor(dtype::float32, anchors, 4));
    const auto outputs = b.call_many("found", "tfl.custom.TFLite_Detection_PostProcess", {x, y, z},
                                     {baton::tensor(dtype::float32, 1, room, 4), baton::tensor(dtype::float32, 1, room),
                                      baton::tensor(dtype::float32, 1, room), baton::tensor(dtype::float32, 1)});
    const entry entries[] = {{"max_detections", false, max_detections},
                             {"max_classes_per_detection", false, each},
                             {"detections_per_class", false, max_of_class},
                             {"use_regular_nms", false, searches_classes},
                             {"num_classes", false, classes},
                             {"nms_score_threshold", true, 0, min_score},
                             {"nms_iou_threshold", true, 0, max_overlap},
                             {"y_scale", true, 0, y_scale},
                             {"x_scale", false, 10},
                             {"h_scale", false, 5},
                             {"w_scale", true, 0, 5.0f}};
    const auto options = flexbuffer_of(entries);
    const baton::literal_name name = "custom_options";
    if (has_options) {
      b.add_attribute({.name = baton::program_builder::view(name.text),
                       .key = name.hash,
                       .kind = baton::attribute_kind::bytes,
                       .bytes = b.own({options.data(), options.size()})});
    }
    for (const auto id : outputs) b.output(id);
    return b.finish();
  }
};
template <bool SearchesClasses>
struct fixed {
  constexpr auto operator()() const -> baton::exported_program { return settings{.searches_classes = SearchesClasses}(); }
};

auto inputs_of(const settings& of, one_node::drawn& draw, int grain) -> std::vector<float> {
  std::vector<float> result;
  for (int i = 0; i < 4 * of.boxes; ++i) result.push_back(static_cast<float>(draw.from_to(-1000, 1000)) / 500.0f);
  for (int i = 0; i < of.columns * of.boxes; ++i) result.push_back(static_cast<float>(draw.from_to(0, grain)) / static_cast<float>(grain));
  for (int i = 0; i < 4 * of.boxes; ++i) result.push_back(static_cast<float>(draw.from_to(i % 4 < 2 ? 0 : 1, 50)) / 50.0f);
  return result;
}

}  // namespace

TEST_CASE("random detections match the reference") {
  one_node::drawn draw(51);
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    settings of{.boxes = draw.from_to(1, draw.once_in(4) ? 60 : 12), .classes = draw.from_to(1, 4), .max_detections = draw.from_to(1, 12)};
    of.columns = of.classes + draw.from_to(0, 1);
    of.max_of_class = draw.from_to(1, 6);
    of.searches_classes = draw.once_in(2);
    of.min_score = 0.1f * static_cast<float>(draw.from_to(0, 11));
    of.max_overlap = 0.1f * static_cast<float>(draw.from_to(1, 10));
    of.anchors = of.boxes;
    of.room = of.max_detections;
    const auto input = inputs_of(of, draw, draw.once_in(2) ? 4 : 100000);
    const reference::detection rule{of.boxes,          of.classes,      of.columns - of.classes,
                                    of.max_detections, of.max_of_class, of.searches_classes,
                                    of.min_score,      of.max_overlap};
    const auto scores = input.begin() + 4 * of.boxes;
    const auto anchors = scores + of.columns * of.boxes;
    const auto expected = rule.run({input.begin(), scores}, {scores, anchors}, {anchors, input.end()});
    const auto actual = one_node::numbers_of<float>(one_node::run<detection_postprocess>(of(), one_node::bytes_of(input)));
    const auto max_detections = static_cast<std::size_t>(of.max_detections);
    REQUIRE(actual.size() == 6 * max_detections + 1);
    CHECK(actual.back() == static_cast<float>(expected.size()));
    for (std::size_t k = 0; k < max_detections; ++k) {
      const auto wanted = k < expected.size() ? expected[k] : reference::detected{};
      for (std::size_t c = 0; c < 4; ++c) CHECK(std::fabs(actual[4 * k + c] - wanted.corners[c]) <= 1e-5f);
      CHECK(actual[4 * max_detections + k] == wanted.of_class);
      CHECK(actual[5 * max_detections + k] == wanted.score);
    }
  }
}

TEST_CASE("empty boxes, infinities and NaNs do not corrupt the number of detections") {
  const settings of{};
  one_node::drawn draw(52);
  auto input = inputs_of(of, draw, 4);
  input[2] = INFINITY;
  input[7] = -INFINITY;
  input[8] = NAN;
  input[25] = NAN;
  const auto actual = one_node::numbers_of<float>(one_node::run<detection_postprocess>(of(), one_node::bytes_of(input)));
  CHECK(actual.back() >= 0);
  CHECK(actual.back() <= 4);
}

TEST_CASE("detections obey the laws at compile time") {
  one_node::drawn draw(54);
  const auto input = one_node::bytes_of(inputs_of({}, draw, 7));
  CHECK(laws::kernel::all<detection_postprocess, baton::static_program<fixed<false>>>({input.begin(), input.end()}));
  CHECK(laws::kernel::all<detection_postprocess, baton::static_program<fixed<true>>>({input.begin(), input.end()}));
}

TEST_CASE("unsupported detections are rejected") {
  const auto why = [](const settings& of) { return one_node::refusal<detection_postprocess>(of()); };
  CHECK(why({}) == "");
  CHECK(says(why({.type = dtype::int8}), "an input is int8"));
  CHECK(says(why({.has_options = false}), "max_detections is 0, not 1 to 1048576"));
  CHECK(says(why({.classes = 0}), "num_classes is 0, not 1 to 1048576"));
  CHECK(says(why({.classes = 4}), "boxes have 3 scores for 4 classes"));
  CHECK(says(why({.columns = 4}), "boxes have 4 scores for 2 classes"));
  CHECK(says(why({.max_overlap = 0}), "nms_iou_threshold is not between 0 and 1"));
  CHECK(says(why({.max_overlap = 1.5f}), "nms_iou_threshold is not between 0 and 1"));
  CHECK(says(why({.min_score = NAN}), "nms_score_threshold is not finite"));
  CHECK(says(why({.y_scale = 0}), "a scale of boxes is 0"));
  CHECK(says(why({.each = 2}), "2 classes per box are not supported"));
  CHECK(says(why({.max_of_class = 0, .searches_classes = true}), "detections_per_class is 0, not 1 to 1048576"));
  CHECK(says(why({.images = 2}), "there is more than one image"));
  CHECK(says(why({.coordinates = 3}), "a box has 3 coordinates"));
  CHECK(says(why({.anchors = 5}), "the numbers of boxes differ: 6 boxes, scores for 6, anchors for 5"));
  CHECK(says(why({.room = 5}), "output 0 has 20 elements for 4 detections"));
}
