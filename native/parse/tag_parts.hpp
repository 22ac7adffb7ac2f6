// The parts of a tagging, for scores from anywhere: of all items the tags they may have; then, of all items, the pairs
// of a tag before and a tag; then the triples. The last tag changes fastest.
#pragma once

#include <cstdint>
#include <vector>

#include "parse/tagger.hpp"

namespace treaty::parse {

// The weights that the score of each part is the sum of.
struct TagPartFeatures {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> places;
};

TagPartFeatures tag_part_features(const TagModel& model, const Sequences& sequences, int sequence,
                                  const TagChoices& choices);

}  // namespace treaty::parse
