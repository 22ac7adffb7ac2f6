// Scores of the parts of a sentence, from their features.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "features/attributes.hpp"
#include "features/templates.hpp"
#include "features/weights.hpp"
#include "parse/parts.hpp"

namespace treaty::parse {

using features::Sequences, features::Templates, features::Weights;

// The templates of each family; empty if the model does not have it. The roles and values of the families, and their
// order, are defined in src/treaty/parse/trees/_templates.py.
using FamilyTemplates = std::array<std::shared_ptr<const Templates>, kFamilies>;

// Items in between, one for each kind of item (distinct values of one attribute), nearest first.
class Between {
 public:
  explicit Between(int attribute) : attribute_(attribute) {}
  void reset() { rows_.clear(); }
  void extend(const std::uint64_t* row) {
    for (const auto* seen : rows_)
      if (seen[attribute_] == row[attribute_]) return;
    rows_.push_back(row);
  }
  std::span<const std::uint64_t* const> rows() const { return rows_; }

 private:
  int attribute_;
  std::vector<const std::uint64_t*> rows_;
};

// The direction and the binned distance from one word to another.
std::uint64_t direction_value(int from, int to);
std::uint64_t distance_value(int from, int to);

class Extractor {
 public:
  // `coarse` is the attribute that defines the kinds of items in between.
  Extractor(const FamilyTemplates& templates, const Weights& weights, int coarse, int width);

  // Scores all parts; `keep` keeps their features for learning.
  void run(const Sequences& sentences, int sentence, const Parts& parts, bool keep);
  const std::vector<double>& scores() const { return score_; }
  std::span<const std::uint32_t> features(std::int32_t part) const {
    return std::span(features_).subspan(begin_[part], end_[part] - begin_[part]);
  }

 private:
  using Row = const std::uint64_t*;
  void arcs();
  void siblings(const Side& side);
  void grandparents(const Side& side, int incoming);
  void grand_siblings(const Side& side, int incoming);
  void tri_siblings(const Side& side);
  void arbitrary_siblings();
  void head_bigrams();
  void non_projective();
  void paths();
  bool wants(Family family) const { return parts_->order().has[family] && templates_[family]; }
  Row row(int node) const { return root_row_ + node * width_; }
  // Hashes are extended role by role: level k has the first k roles of the current family.
  void begin(Family family);
  void enter(int role, Row row);
  void emit(std::int32_t part, const std::uint64_t* values, std::span<const Row> between = {});
  int node(const Side& side, int k) const;  // of the k-th sibling; the head's own for START

  const FamilyTemplates& templates_;
  const Weights& weights_;
  Between between_;
  int width_;
  std::vector<std::uint64_t> start_block_, end_block_;  // rows of START and END, padded like a sentence
  Row root_row_ = nullptr, start_ = nullptr, stop_ = nullptr;
  const Parts* parts_ = nullptr;
  bool keep_ = false;
  std::vector<double> score_;
  std::vector<std::int64_t> begin_, end_;
  std::vector<std::uint32_t> features_;
  const Templates* family_ = nullptr;
  int last_role_ = 0;
  static constexpr int kMostRoles = 4;
  std::array<std::vector<std::uint64_t>, kMostRoles + 1> level_;
  std::vector<std::uint64_t> hashes_;
  std::vector<Row> siblings_;  // START, modifiers, END of a side
};

}  // namespace treaty::parse
