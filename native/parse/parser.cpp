#include "parse/parser.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "learn/parallel.hpp"

namespace treaty::parse {

using learn::parallel_for;
namespace {

struct Worker {
  Worker(const ScoringModel& pruner, const ScoringModel& model, const Order& order, const LabelModel* labels)
      : pruner(pruner), scored(model) {
    scored.order = order;
    if (labels) labeler.emplace(*labels);
  }

  void run(const Sequences& sentences, int sentence, const PrunerOptions& pruning, const DecoderOptions& decoding,
           Parse& parse) {
    pruner.candidates(sentences, sentence, pruning, arcs);
    scored.run(sentences, sentence, arcs, false);
    decoder.decode(scored.parts, scored.extractor.scores(), decoding, parse.tree);
    parse.candidates = arcs.size();
    if (!labeler) return;
    parse.label.assign(parse.tree.head.size(), -1);
    labeler->label(sentences, sentence, parse.tree.head, parse.label);
  }

  Pruner pruner;
  Scored scored;
  Arcs arcs;
  Decoder decoder;
  std::optional<Labeler> labeler;
};

}  // namespace

std::vector<Parse> parse(const Sequences& sentences, const ScoringModel& pruner, const ScoringModel& model, const Order& order,
                         const LabelModel* labels, const PrunerOptions& pruning, const DecoderOptions& decoding, int threads) {
  std::vector<std::unique_ptr<Worker>> workers;
  threads = std::clamp(threads, 1, std::max(1, sentences.size()));
  for (int i = 0; i < threads; ++i)
    workers.push_back(std::make_unique<Worker>(pruner, model, order, labels));
  std::vector<Parse> parses(sentences.size());
  parallel_for(sentences.size(), threads, [&](int sentence, int worker) {
    workers[worker]->run(sentences, sentence, pruning, decoding, parses[sentence]);
  });
  return parses;
}

}  // namespace treaty::parse
