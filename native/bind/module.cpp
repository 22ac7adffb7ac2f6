#include "bind/bind.hpp"

namespace nb = nanobind;

namespace {

// A submodule per folder of kernels; nanobind puts it into sys.modules, so that it can be imported by its name.
template <class... Registration>
void add_folder(nb::module_& m, const char* name, const char* doc, Registration... registrations) {
  nb::module_ folder = m.def_submodule(name, doc);
  (registrations(folder), ...);
}

}  // namespace

NB_MODULE(_native, m) {
  using namespace treaty::bind;
  nb::set_leak_warnings(false);  // objects alive at exit, in caches or tracebacks, are no concern of a user
  m.doc() = "Treaty's compiled core, one submodule per folder of native/. Private: use the packages of treaty.";
  add_folder(m, "graph", "Factor graphs.", register_graph, register_graph_oracle);
  add_folder(m, "solve", "Solvers.", register_solve, register_solve_patterns);
  // Features have a table of weights of their own, derived from this one.
  add_folder(m, "learn", "Weights that are learned, and steps of learning.", register_learn);
  add_folder(m, "features", "Features and their weights.", register_features);
  add_folder(m, "parse", "Taggers and dependency parsers.", register_parse, register_parse_trees,
             register_parse_tagger);
  add_folder(m, "label", "Conditional random fields.", register_label, register_label_phrases, register_label_items);
  add_folder(m, "summarize", "Summaries and compressions.", register_summarize);
  add_folder(m, "induce", "Grammar induction.", register_induce);
}
