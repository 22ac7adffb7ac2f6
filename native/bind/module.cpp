#include "bind/bind.hpp"

namespace nb = nanobind;

NB_MODULE(_native, m) {
  nb::set_leak_warnings(false);  // objects alive at exit, in caches or tracebacks, are no concern of a user
  m.doc() = "Treaty's compiled core. Private: use treaty.graph and treaty.solve.";
  treaty::bind::register_graph(m);
  treaty::bind::register_oracle(m);
  treaty::bind::register_solve(m);
  treaty::bind::register_patterns(m);
  treaty::bind::register_features(m);
  treaty::bind::register_parse_trees(m);
  treaty::bind::register_parse(m);
  treaty::bind::register_parse_tagger(m);
  treaty::bind::register_label(m);
  treaty::bind::register_label_phrases(m);
  treaty::bind::register_label_items(m);
  treaty::bind::register_summarize(m);
  treaty::bind::register_induce(m);
  treaty::bind::register_compression(m);
}
