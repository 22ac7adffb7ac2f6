#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "learn/host.hpp"

namespace nb = nanobind;

namespace {

// A submodule per folder of kernels; nanobind puts it into sys.modules, so that it can be imported by its name.
template <class... Registration>
void add_folder(nb::module_& m, const char* name, const char* doc, Registration... registrations) {
  nb::module_ folder = m.def_submodule(name, doc);
  (registrations(folder), ...);
}

void raise_usage_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const treaty::bind::InUse& error) {
    const nb::object type = nb::module_::import_("treaty.errors").attr("UsageError");
    PyErr_SetString(type.ptr(), error.what());
  }
}

// Only the main thread hears of signals; limits and other threads' ends are told by Python (treaty/_threads.py).
void check_stopped() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  nb::module_::import_("treaty._threads").attr("check_stopped")();
}

void warn(const std::string& message) {
  const nb::gil_scoped_acquire lock;
  if (PyErr_WarnEx(PyExc_RuntimeWarning, message.c_str(), 1) != 0) throw nb::python_error();
}

}  // namespace

NB_MODULE(_native, m) {
  using namespace treaty::bind;
  nb::set_leak_warnings(false);  // objects alive at exit, in caches or tracebacks, are no concern of a user
  m.doc() = "Treaty's compiled core, one submodule per folder of native/. Private: use the packages of treaty.";
  nb::register_exception_translator(raise_usage_error);
  treaty::learn::host = {check_stopped, warn};
  add_folder(m, "graph", "Factor graphs.", register_graph, register_graph_oracle);
  add_folder(m, "solve", "Solvers.", register_solve, register_solve_batch, register_solve_patterns);
  add_folder(m, "diff", "Smooth answers and their derivatives.", register_diff);
  // Features have a table of weights of their own, derived from this one.
  add_folder(m, "learn", "Weights that are learned, and steps of learning.", register_learn);
  add_folder(m, "features", "Features and their weights.", register_features);
  add_folder(m, "parse", "Taggers and dependency parsers.", register_parse, register_parse_trees,
             register_parse_tagger);
  add_folder(m, "label", "Conditional random fields.", register_label, register_label_phrases, register_label_items);
  add_folder(m, "summarize", "Summaries and compressions.", register_summarize);
  add_folder(m, "induce", "Grammar induction.", register_induce);
}
