// What the pruner and the parser share: templates, weights, and the scratch objects that use them.
#pragma once

#include "parse/extract.hpp"

namespace treaty::parse {

struct ScoringModel {
  FamilyTemplates templates;
  Weights weights;
  int coarse;  // the attribute that defines kinds of words
  int width;   // attributes of a word

  Order order() const {
    Order order;
    for (int f = 0; f < kFamilies; ++f) order.has[f] = templates[f] != nullptr;
    return order;
  }
  // A copy without the families for which `families` is false.
  Order order(const std::vector<bool>& families) const {
    Order some = order();
    for (std::size_t f = 0; f < families.size() && f < kFamilies; ++f) some.has[f] = some.has[f] && families[f];
    return some;
  }
};

// Parts of one sentence with their scores; reused from sentence to sentence, one per thread.
struct Scored {
  explicit Scored(const ScoringModel& model) : order(model.order()), extractor(model.templates, model.weights, model.coarse, model.width) {}
  void run(const Sequences& sentences, int sentence, const Arcs& arcs, bool keep) {
    parts.list(arcs, order);
    extractor.run(sentences, sentence, parts, keep);
  }

  Order order;
  Parts parts;
  Extractor extractor;
};

}  // namespace treaty::parse
