// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Detection postprocessing with lists: boxes that overlap better ones are removed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace reference {

struct detected {
  std::array<float, 4> corners{};
  float of_class = 0;
  float score = 0;
};

struct detection {
  int boxes = 1;
  int classes = 1;
  int background = 1;
  int max = 1;
  int max_of_class = 100;
  bool searches_classes = false;
  float min_score = 0;
  float max_overlap = 0.5f;

  using box = std::array<float, 4>;

  static auto overlap(const box& a, const box& b) -> float {
    const auto area = [](const box& corner_list) { return (corner_list[2] - corner_list[0]) * (corner_list[3] - corner_list[1]); };
    if (area(a) <= 0 || area(b) <= 0) return 0;
    const auto height = std::max(0.0f, std::min(a[2], b[2]) - std::max(a[0], b[0]));
    const auto width = std::max(0.0f, std::min(a[3], b[3]) - std::max(a[1], b[1]));
    return height * width / (area(a) + area(b) - height * width);
  }

  auto select(const std::vector<box>& corners, const std::vector<float>& scores, int limit) const -> std::vector<std::size_t> {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] >= min_score) candidates.push_back(i);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<std::size_t> selected;
    while (!candidates.empty() && static_cast<int>(selected.size()) < limit) {
      const auto best = candidates.front();
      selected.push_back(best);
      candidates.erase(candidates.begin());
      candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                      [&](std::size_t other) { return overlap(corners[best], corners[other]) > max_overlap; }),
                       candidates.end());
    }
    return selected;
  }

  /// `encoded` has four numbers for each box. The scales are 10, 10, 5, 5.
  auto run(const std::vector<float>& encoded, const std::vector<float>& scores, const std::vector<float>& anchors) const
      -> std::vector<detected> {
    std::vector<box> corners;
    for (std::size_t i = 0; i < static_cast<std::size_t>(boxes); ++i) {
      const auto real = [](float x) { return static_cast<double>(x); };
      const auto* e = encoded.data() + 4 * i;
      const auto* a = anchors.data() + 4 * i;
      const auto y = static_cast<float>(real(e[0]) / 10 * real(a[2]) + real(a[0]));
      const auto x = static_cast<float>(real(e[1]) / 10 * real(a[3]) + real(a[1]));
      const auto h = static_cast<float>(0.5 * std::exp(real(e[2]) / 5) * real(a[2]));
      const auto w = static_cast<float>(0.5 * std::exp(real(e[3]) / 5) * real(a[3]));
      corners.push_back({y - h, x - w, y + h, x + w});
    }
    const auto score = [&](std::size_t i, int c) {
      return scores[i * static_cast<std::size_t>(classes + background) + static_cast<std::size_t>(c + background)];
    };
    std::vector<detected> detections;
    if (searches_classes) {
      for (int c = 0; c < classes; ++c) {
        std::vector<float> of_class;
        for (std::size_t i = 0; i < corners.size(); ++i) of_class.push_back(score(i, c));
        for (const auto i : select(corners, of_class, max_of_class)) detections.push_back({corners[i], static_cast<float>(c), of_class[i]});
      }
      std::stable_sort(detections.begin(), detections.end(), [](const detected& a, const detected& b) { return a.score > b.score; });
      if (static_cast<int>(detections.size()) > max) detections.resize(static_cast<std::size_t>(max));
      return detections;
    }
    std::vector<float> best;
    std::vector<int> best_class;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      int best_of_box = 0;
      for (int c = 0; c < classes; ++c) best_of_box = score(i, c) > score(i, best_of_box) ? c : best_of_box;
      best.push_back(score(i, best_of_box));
      best_class.push_back(best_of_box);
    }
    for (const auto i : select(corners, best, max)) detections.push_back({corners[i], static_cast<float>(best_class[i]), best[i]});
    return detections;
  }
};

}  // namespace reference
