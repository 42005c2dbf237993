// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The last step of an object detector, `tfl.custom.TFLite_Detection_PostProcess`. Non-maximum suppression discards boxes that overlap boxes
// with higher scores.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/flexbuffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a detection.
struct detection {
  std::int32_t boxes = 1;
  std::int32_t coordinates = 4;  ///< values per encoded box; only the first four are used
  std::int32_t columns = 1;      ///< scores per box: an optional score of the background, then one score per class
  std::int32_t classes = 1;
  std::int32_t max_detections = 1;  ///< the number of detections that fit the outputs
  std::int32_t max_per_class = 1;   ///< if `searches_classes` is 1: the maximum number of boxes of one class
  flag searches_classes = 0;        ///< 1: boxes are selected for each class separately; 0: only the best class of each box is considered
  float min_score = 0;
  float max_overlap = 0;  ///< maximum intersection over union of two selected boxes
  float y_scale = 1;
  float x_scale = 1;
  float h_scale = 1;
  float w_scale = 1;

  constexpr auto background_columns() const -> std::int32_t { return columns - classes; }
};

/// The scratch memory. `corners`, `scores` and `order` have one entry for each box. `detections` and `detection_scores` hold the detections
/// so far if `searches_classes` is 1.
struct detection_scratch {
  char* corners;
  char* scores;
  std::int32_t* order;
  std::int32_t* detections;
  char* detection_scores;
};
constexpr auto scratch_of(const detection& plan) -> std::int64_t {
  return std::int64_t{24} * plan.boxes + std::int64_t{8} * plan.max_detections;
}

constexpr void read_options(node_check& check, const program_view& program, const node& record, detection& plan) {
  const flexbuffer options(program.text(record, "custom_options"));
  const auto count = [&](std::string_view key, std::int64_t absent) {
    const auto number = options[key].integer(absent);
    check.demand(number > 0 && number <= 1 << 20, key, " is ", number, ", not 1 to ", 1 << 20);
    return check.ok() ? static_cast<std::int32_t>(number) : 1;
  };
  const auto real = [&](std::string_view key) {
    const auto number = options[key].real(0);
    const bool is_finite = number >= -3e38 && number <= 3e38;
    check.demand(is_finite, key, " is not finite");
    return is_finite ? static_cast<float>(number) : 1;
  };
  plan.max_detections = count("max_detections", 0);
  plan.classes = count("num_classes", 0);
  plan.searches_classes = options["use_regular_nms"].flag();
  plan.min_score = real("nms_score_threshold");
  plan.max_overlap = real("nms_iou_threshold");
  check.demand(plan.max_overlap > 0 && plan.max_overlap <= 1, "nms_iou_threshold is not between 0 and 1");
  plan.y_scale = real("y_scale");
  plan.x_scale = real("x_scale");
  plan.h_scale = real("h_scale");
  plan.w_scale = real("w_scale");
  check.demand(plan.y_scale != 0 && plan.x_scale != 0 && plan.h_scale != 0 && plan.w_scale != 0, "a scale of boxes is 0");
  if (plan.searches_classes != 0) {
    plan.max_per_class = count("detections_per_class", 100);
  } else {
    // TensorFlow Lite Micro writes past the ends of its outputs if a box may have several classes.
    const auto each = count("max_classes_per_detection", 0);
    check.demand(std::min(each, plan.classes) == 1, each, " classes per box are not supported");
  }
}

constexpr auto describe_detection(const program_view& program, const node& record) -> node_description<detection> {
  node_check check{program, record};
  check.demand(record.inputs.size == 3 && record.outputs.size == 4, "the operator has ", record.inputs.size, " operands and ",
               record.outputs.size, " outputs, not 3 and 4");
  detection plan;
  const auto boxes = check.input(0, "boxes", 3);
  const auto scores = check.input(1, "scores", 3);
  const auto anchors = check.input(2, "anchors", 2);
  for (const auto* of : {&boxes, &scores, &anchors}) check.is_one_of(*of, {dtype::float32}, "an input");
  read_options(check, program, record, plan);
  if (!check.ok()) return {check.verdict_so_far(), plan};
  plan.boxes = boxes.size(1);
  plan.coordinates = boxes.size(2);
  plan.columns = scores.size(2);
  check.demand(boxes.size(0) == 1 && scores.size(0) == 1, "there is more than one image");
  check.demand(plan.coordinates >= 4 && anchors.size(1) == 4, "a box has ", plan.coordinates, " coordinates, its anchor ", anchors.size(1));
  check.demand(scores.size(1) == plan.boxes && anchors.size(0) == plan.boxes, "the numbers of boxes differ: ", plan.boxes,
               " boxes, scores for ", scores.size(1), ", anchors for ", anchors.size(0));
  check.demand(plan.background_columns() == 0 || plan.background_columns() == 1, "boxes have ", plan.columns, " scores for ", plan.classes,
               " classes");
  const std::int32_t counts[] = {4 * plan.max_detections, plan.max_detections, plan.max_detections, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto out = check.output_at(i);
    check.is_one_of(out, {dtype::float32}, "an output");
    check.demand(out.count == counts[i], "output ", i, " has ", out.count, " elements for ", plan.max_detections, " detections");
  }
  check.demand(scratch_of(plan) <= max_bytes, "there are too many boxes: ", plan.boxes);
  return {check.verdict_so_far(), plan};
}

/// Computes the corners of a box, which is encoded as a center and a size relative to an anchor. As in the reference, the center and half
/// of the size are computed in double and rounded to float. The corners are computed from these rounded numbers in float.
[[gnu::always_inline]] inline void decode_box(const detection& plan, const char* box, const char* anchor, char* corners) {
  const auto center = [&](std::int32_t i, float scale) {
    return static_cast<float>(static_cast<double>(load<float>(box, i)) / static_cast<double>(scale) *
                                  static_cast<double>(load<float>(anchor, i + 2)) +
                              static_cast<double>(load<float>(anchor, i)));
  };
  const auto half_size = [&](std::int32_t i, float scale) {
    return static_cast<float>(0.5 * machine::exp(static_cast<double>(load<float>(box, i)) / static_cast<double>(scale)) *
                              static_cast<double>(load<float>(anchor, i)));
  };
  const auto y = center(0, plan.y_scale);
  const auto x = center(1, plan.x_scale);
  const auto h = half_size(2, plan.h_scale);
  const auto w = half_size(3, plan.w_scale);
  store(corners, 0, y - h);
  store(corners, 1, x - w);
  store(corners, 2, y + h);
  store(corners, 3, x + w);
}

/// Returns the intersection over union of the areas of two boxes. Returns 0 if the area of a box is not positive; the reference fails at
/// run time.
inline auto overlap_of(const char* corners, std::int32_t first, std::int32_t second) -> float {
  const auto at = [&](std::int32_t box, std::int32_t i) { return load<float>(corners, 4 * std::ptrdiff_t{box} + i); };
  const auto area_of = [&](std::int32_t box) { return (at(box, 2) - at(box, 0)) * (at(box, 3) - at(box, 1)); };
  const auto area = area_of(first);
  const auto other = area_of(second);
  if (!(area > 0) || !(other > 0)) return 0;
  const auto height = std::max(std::min(at(first, 2), at(second, 2)) - std::max(at(first, 0), at(second, 0)), 0.0f);
  const auto width = std::max(std::min(at(first, 3), at(second, 3)) - std::max(at(first, 1), at(second, 1)), 0.0f);
  return height * width / (area + other - height * width);
}

/// Selects at most `max_boxes` boxes in order of descending score (non-maximum suppression). A box is selected if its score is at least
/// `min_score` and no previously selected box overlaps it by more than `max_overlap`. Boxes with equal scores keep their order. Returns the
/// number n of selected boxes, and writes their indices to the first n entries of `at.order`.
inline auto select_boxes(const detection& plan, const detection_scratch& at, std::int32_t max_boxes) -> std::int32_t {
  const auto score = [&](std::int32_t box) { return load<float>(at.scores, box); };
  std::int32_t count = 0;
  for (std::int32_t box = 0; box < plan.boxes; ++box) {
    if (score(box) >= plan.min_score) at.order[count++] = box;
  }
  sort(at.order, at.order + count,
       [&](std::int32_t a, std::int32_t b) { return score(b) < score(a) || (!(score(a) < score(b)) && a < b); });
  std::int32_t selected = 0;
  for (std::int32_t i = 0; i < count && selected < max_boxes; ++i) {
    const auto box = at.order[i];
    bool is_hidden = false;
    for (std::int32_t j = 0; j < selected && !is_hidden; ++j) is_hidden = overlap_of(at.corners, at.order[j], box) > plan.max_overlap;
    if (!is_hidden) at.order[selected++] = box;
  }
  return selected;
}

/// Writes entry `place` of the outputs. If `box` is negative, the corners are zeros.
inline void write_detection(const detection_scratch& at, char* const* outputs, std::int32_t place, std::int32_t box,
                            std::int32_t class_index, float score) {
  for (std::int32_t i = 0; i < 4; ++i)
    store(outputs[0], 4 * std::ptrdiff_t{place} + i, box < 0 ? 0.0f : load<float>(at.corners, 4 * std::ptrdiff_t{box} + i));
  store(outputs[1], place, static_cast<float>(class_index));
  store(outputs[2], place, score);
}

/// Considers only the best class of each box. Writes the detections to the outputs, and returns the number of detections.
inline auto detect_best(const detection& plan, const detection_scratch& at, const char* scores, char* const* outputs) -> std::int32_t {
  const auto score = [&](std::int32_t box, std::int32_t class_index) {
    return load<float>(scores, std::ptrdiff_t{box} * plan.columns + plan.background_columns() + class_index);
  };
  const auto best = [&](std::int32_t box) {
    std::int32_t class_index = 0;
    for (std::int32_t c = 1; c < plan.classes; ++c) class_index = score(box, class_index) < score(box, c) ? c : class_index;
    return class_index;
  };
  for (std::int32_t box = 0; box < plan.boxes; ++box) store(at.scores, box, score(box, best(box)));
  const auto count = select_boxes(plan, at, plan.max_detections);
  for (std::int32_t i = 0; i < count; ++i)
    write_detection(at, outputs, i, at.order[i], best(at.order[i]), load<float>(at.scores, at.order[i]));
  return count;
}

/// Selects boxes for each class separately. Writes the detections with the highest scores of all classes to the outputs, and returns the
/// number of detections written.
inline auto detect_by_class(const detection& plan, const detection_scratch& at, const char* scores, char* const* outputs) -> std::int32_t {
  std::int32_t count = 0;
  for (std::int32_t c = 0; c < plan.classes; ++c) {
    for (std::int32_t box = 0; box < plan.boxes; ++box)
      store(at.scores, box, load<float>(scores, std::ptrdiff_t{box} * plan.columns + plan.background_columns() + c));
    const auto selected = select_boxes(plan, at, plan.max_per_class);
    for (std::int32_t i = 0; i < selected; ++i) {
      // Detections with equal scores are ordered by class.
      const auto box = at.order[i];
      const auto score = load<float>(at.scores, box);
      if (count == plan.max_detections && !(load<float>(at.detection_scores, count - 1) < score)) break;
      auto place = count < plan.max_detections ? count++ : count - 1;
      for (; place > 0 && load<float>(at.detection_scores, place - 1) < score; --place) {
        at.detections[place] = at.detections[place - 1];
        store(at.detection_scores, place, load<float>(at.detection_scores, place - 1));
      }
      at.detections[place] = box * plan.classes + c;
      store(at.detection_scores, place, score);
    }
  }
  for (std::int32_t i = 0; i < count; ++i)
    write_detection(at, outputs, i, at.detections[i] / plan.classes, at.detections[i] % plan.classes, load<float>(at.detection_scores, i));
  return count;
}

/// A kernel that computes `tfl.custom.TFLite_Detection_PostProcess` on float32. The outputs are the boxes, classes and scores of the
/// detections, and the number of detections. Numeric rules: `micro/kernels/detection_postprocess.cc` of TensorFlow Lite Micro. Unused
/// entries of the outputs are zeros.
struct detection_postprocess {
  static constexpr literal_name operators[] = {"tfl.custom.TFLite_Detection_PostProcess"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::detection> {
    auto result = detail::describe_detection(program, record);
    if (result.support) result.facts.scratch_bytes = static_cast<std::uint32_t>(detail::scratch_of(result.plan));
    return result;
  }
  static void compute(const detail::detection& plan, const node_memory& memory) {
    char* const corners = memory.scratch.data();
    char* const scores = corners + 16 * std::ptrdiff_t{plan.boxes};
    char* const order = scores + 4 * std::ptrdiff_t{plan.boxes};
    char* const detections = order + 4 * std::ptrdiff_t{plan.boxes};
    const auto numbers_at = [](char* from) { return static_cast<std::int32_t*>(static_cast<void*>(from)); };  // scratch is aligned
    const detail::detection_scratch in{corners, scores, numbers_at(order), numbers_at(detections),
                                       detections + 4 * std::ptrdiff_t{plan.max_detections}};
    for (std::ptrdiff_t box = 0; box < plan.boxes; ++box)
      detail::decode_box(plan, memory.inputs[0] + 4 * box * plan.coordinates, memory.inputs[2] + 16 * box, corners + 16 * box);
    const auto count = plan.searches_classes != 0 ? detail::detect_by_class(plan, in, memory.inputs[1], memory.outputs)
                                                  : detail::detect_best(plan, in, memory.inputs[1], memory.outputs);
    for (auto place = count; place < plan.max_detections; ++place) detail::write_detection(in, memory.outputs, place, -1, 0, 0.0f);
    store(memory.outputs[3], 0, static_cast<float>(count));
  }
};
static_assert(kernel<detection_postprocess>);

}  // namespace detail

}  // namespace baton::portable
