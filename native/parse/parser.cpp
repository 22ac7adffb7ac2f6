#include "parse/parser.hpp"

#include <algorithm>
#include <optional>

#include "learn/batches.hpp"

namespace treaty::parse {

namespace {

struct Worker {
  Worker(const ScoringModel& pruner, const ScoringModel& model, const Order& order, const LabelModel* labels)
      : pruner(pruner), scored(model) {
    scored.order = order;
    if (labels) labeler.emplace(*labels);
  }

  void run(const Sequences& sentences, int sentence, const PrunerOptions& pruning, const DecoderOptions& decoding,
           bool margins, Parse& parse) {
    pruner.candidates(sentences, sentence, pruning, arcs);
    scored.run(sentences, sentence, arcs, false);
    decoder.decode(scored.parts, scored.extractor.scores(), decoding, parse.tree);
    parse.candidates = arcs.size();
    if (margins) compare(decoding.single_root, parse);
    if (!labeler) return;
    parse.label.assign(parse.tree.head.size(), -1);
    labeler->label(sentences, sentence, parse.tree.head, parse.label, margins ? &parse.label_margin : nullptr);
  }

  void compare(bool single_root, Parse& parse) {
    const auto& head = parse.tree.head;
    compared.of(scored.parts, scored.extractor.scores(), head, single_root, parse.margin);
    parse.marginal.assign(head.size(), 1.0);
    for (int m = 1; m < static_cast<int>(head.size()); ++m) {
      const int arc = arcs.find(head[m], m);
      parse.marginal[m] = arc < 0 ? 0.0 : arcs.marginal[arc];
    }
  }

  Pruner pruner;
  Scored scored;
  Arcs arcs;
  Decoder decoder;
  Margins compared;
  std::optional<Labeler> labeler;
};

}  // namespace

std::vector<Parse> parse(const Sequences& sentences, const ScoringModel& pruner, const ScoringModel& model, const Order& order,
                         const LabelModel* labels, const PrunerOptions& pruning, const DecoderOptions& decoding, int threads,
                         bool margins) {
  threads = std::clamp(threads, 1, std::max(1, sentences.size()));
  const auto workers = learn::one_per_thread<Worker>(threads, pruner, model, order, labels);
  std::vector<Parse> parses(sentences.size());
  learn::parallel_for(sentences.size(), threads, [&](int sentence, int worker) {
    workers[worker]->run(sentences, sentence, pruning, decoding, margins, parses[sentence]);
  });
  return parses;
}

}  // namespace treaty::parse
