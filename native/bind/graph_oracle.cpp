// Users' own factors, written in Python or compiled, and the oracles for anyone to ask.
#include <cmath>
#include <string>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "graph/custom.hpp"
#include "graph/factor.hpp"
#include "graph/stop.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::graph;

// A reference that may be dropped on any thread, with or without the interpreter lock.
std::shared_ptr<PyObject> keep_alive(const nb::object& object) {
  return {object.inc_ref().ptr(), [](PyObject* pointer) {
            if (!nb::is_alive()) return;
            nb::gil_scoped_acquire lock;
            Py_DECREF(pointer);
          }};
}

template <class T>
nb::object new_array(std::span<const T> values) {
  return nb::cast(to_numpy(std::vector<T>(values.begin(), values.end())));
}

// Calls a user's object; the solver runs without the interpreter lock, so every entry takes it.
class PythonOracle final : public MaximizerOracle {
 public:
  PythonOracle(std::shared_ptr<PyObject> object, std::int32_t degree)
      : MaximizerOracle(degree), object_(std::move(object)), degree_(static_cast<std::size_t>(degree)) {}

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    poll(kCall);
    const StopScope none(nullptr);  // not for what the user's code calls in turn
    nb::gil_scoped_acquire lock;
    nb::object configuration = user().attr("maximize")(new_array(slot_score));
    best.score = 0.0;
    if (is_pair(configuration)) {
      best.score = own_score(configuration[1], "maximize");
      configuration = configuration[0];
    }
    if (best.score == -kInfinity) return set_infeasible(best);
    read(configuration, best.on);
  }

  double evaluate(std::span<const std::int32_t> on) override {
    poll(kCall);
    const StopScope none(nullptr);
    nb::gil_scoped_acquire lock;
    if (!nb::hasattr(user(), "evaluate")) return MaximizerOracle::evaluate(on);
    std::vector<std::int8_t> bits(degree_, 0);
    for (const auto slot : on) bits[static_cast<std::size_t>(slot)] = 1;
    return own_score(user().attr("evaluate")(new_array<std::int8_t>(bits)), "evaluate");
  }

 private:
  nb::handle user() const { return object_.get(); }

  [[noreturn]] void refuse(const std::string& method, const std::string& why) const {
    throw GraphError(nb::cast<std::string>(user().type().attr("__name__")) + "." + method + ": " + why);
  }

  // (configuration, own score) rather than a configuration of two slots.
  static bool is_pair(nb::handle answer) {
    if (!PyTuple_Check(answer.ptr()) || nb::len(answer) != 2) return false;
    const bool nested = PyObject_Size(nb::object(answer[0]).ptr()) >= 0;
    PyErr_Clear();
    return nested;
  }

  double own_score(nb::handle score, const char* method) const {
    // False would read as "allowed, with a score of 0".
    if (PyBool_Check(score.ptr()))
      refuse(method, "the own score must be a number (-inf: not allowed), not a truth value");
    const double value = PyFloat_AsDouble(score.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      refuse(method, "the own score must be a number, got " + shown(score));
    }
    if (std::isnan(value) || value == kInfinity)
      refuse(method, "the own score must be a number (-inf: not allowed), got " + shown(score));
    return value;
  }

  void read(const nb::object& configuration, std::vector<std::int32_t>& on) {
    const auto numpy = nb::module_::import_("numpy");
    In<double> values;
    try {
      values = nb::cast<In<double>>(numpy.attr("ascontiguousarray")(configuration, numpy.attr("float64")));
    } catch (const nb::cast_error&) {  // not of one dimension
      refuse("maximize", expected() + shown(configuration));
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
      refuse("maximize", expected() + shown(configuration));
    }
    if (values.shape(0) != degree_)
      refuse("maximize", expected() + std::to_string(values.shape(0)) + " of them");
    on.clear();
    for (std::size_t i = 0; i < degree_; ++i) {
      if (values(i) != 0.0 && values(i) != 1.0)
        refuse("maximize", expected() + shown(nb::float_(values(i))) + " in slot " + std::to_string(i));
      if (values(i) == 1.0) on.push_back(static_cast<std::int32_t>(i));
    }
  }

  std::string expected() const {
    return "expected a configuration of " + std::to_string(degree_) +
           " values 0 or 1, or a pair of one and its own score; got ";
  }

  static std::string shown(nb::handle object) {
    auto text = nb::cast<std::string>(nb::repr(object));
    return text.size() > 60 ? text.substr(0, 60) + "..." : text;
  }

  static constexpr std::int64_t kCall = 1 << 17;  // steps: nobody knows how long it takes

  std::shared_ptr<PyObject> object_;
  std::size_t degree_;
};

class PythonFactory final : public OracleFactory {
 public:
  explicit PythonFactory(std::shared_ptr<PyObject> object) : object_(std::move(object)) {}
  std::unique_ptr<Oracle> make(std::int32_t degree) const override {
    return std::make_unique<PythonOracle>(object_, degree);
  }

  // The one reference that all who share the object hold together may be shown to the garbage collector
  // once, so only when there is but one holder.
  PyObject* sole_reference() const { return object_.use_count() == 1 ? object_.get() : nullptr; }
  void let_go() { object_ = keep_alive(nb::none()); }

 private:
  std::shared_ptr<PyObject> object_;
};

template <class Visit>
int for_python_oracles(PyObject* self, Visit visit) {
  if (!nb::inst_ready(self)) return 0;
  for (const auto& factory : nb::inst_ptr<Graph>(self)->oracles)
    if (auto* python = dynamic_cast<PythonFactory*>(factory.get()); python && factory.use_count() == 1)
      if (const int stop = visit(*python)) return stop;
  return 0;
}

int traverse_graph(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return for_python_oracles(self, [=](PythonFactory& python) {
    Py_VISIT(python.sole_reference());
    return 0;
  });
}

int clear_graph(PyObject* self) {
  return for_python_oracles(self, [](PythonFactory& python) {
    python.let_go();
    return 0;
  });
}

std::int32_t add_python_oracle(Graph& graph, In<std::int32_t> literals, nb::object oracle) {
  if (!nb::hasattr(oracle, "maximize") || !PyCallable_Check(nb::object(oracle.attr("maximize")).ptr()))
    throw GraphError("custom: " + nb::cast<std::string>(oracle.type().attr("__name__")) +
                     " has no method maximize(scores) that returns the best configuration");
  check_changeable(graph);
  return graph.add_custom(view(literals), std::make_shared<PythonFactory>(keep_alive(oracle)));
}

std::int32_t add_compiled_oracle(Graph& graph, In<std::int32_t> literals, std::uintptr_t address,
                                 std::uintptr_t user_data, nb::object owner) {
  if (address == 0) throw GraphError("custom: the address of the compiled function is null");
  check_changeable(graph);
  return graph.add_custom(view(literals), std::make_shared<CompiledFactory>(
                                              reinterpret_cast<MaximizeFunction>(address),
                                              reinterpret_cast<void*>(user_data), keep_alive(owner)));
}

FactorView checked_factor(const Graph& graph, std::int32_t factor) {
  if (factor < 0 || factor >= graph.factors()) throw nb::index_error("no such factor");
  return graph.factor(factor);
}

std::pair<double, Out<std::int32_t>> best_configuration(const Graph& graph, std::int32_t factor, In<double> slot_score) {
  const Reading reading(&graph);
  const auto view_of_factor = checked_factor(graph, factor);
  if (slot_score.shape(0) != view_of_factor.literals.size())
    throw GraphError("expected " + std::to_string(view_of_factor.literals.size()) + " slot scores, got " +
                     std::to_string(slot_score.shape(0)));
  Configuration best;
  {
    nb::gil_scoped_release unlocked;
    make_oracle(view_of_factor)->maximize(view(slot_score), best);
  }
  return {best.score, to_numpy(std::move(best.on))};
}

double configuration_score(const Graph& graph, std::int32_t factor, In<std::int32_t> on) {
  const Reading reading(&graph);
  const auto view_of_factor = checked_factor(graph, factor);
  for (std::size_t i = 0; i < on.shape(0); ++i)
    if (on(i) < 0 || on(i) >= view_of_factor.degree() || (i > 0 && on(i) <= on(i - 1)))
      throw GraphError("the slots that are on must be ascending and below the factor's degree, " +
                       std::to_string(view_of_factor.degree()));
  nb::gil_scoped_release unlocked;
  return make_oracle(view_of_factor)->evaluate(view(on));
}

}  // namespace

PyType_Slot graph_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_graph)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear_graph)},
                             {0, nullptr}};

void register_graph_oracle(nb::module_& m) {
  const nb::scope graph(nb::type<Graph>());
  nb::cpp_function_def(&add_python_oracle, graph, nb::name("add_python_oracle"), nb::is_method(),
                       nb::arg("literals"), nb::arg("oracle"),
                       "Adds a factor whose best configuration is oracle.maximize(scores): a 0 or 1 per literal,\n"
                       "or a pair of those and their own score (-inf: nothing is allowed). An optional\n"
                       "oracle.evaluate(configuration) gives the own score of any, -inf where not allowed.");
  nb::cpp_function_def(&add_compiled_oracle, graph, nb::name("add_compiled_oracle"), nb::is_method(),
                       nb::arg("literals"), nb::arg("address"), nb::arg("user_data") = 0,
                       nb::arg("owner") = nb::none(),
                       "Adds a factor whose best configuration is found by the C function at `address`,\n"
                       "double (const double* scores, int64_t degree, uint8_t* configuration, void* user_data);\n"
                       "`owner` is kept alive as long as the factor is.");
  m.def("best_configuration", &best_configuration, nb::arg("graph"), nb::arg("factor"), nb::arg("slot_score"),
        "The own score of a structured factor's best configuration, and the slots that are on in it.");
  m.def("configuration_score", &configuration_score, nb::arg("graph"), nb::arg("factor"), nb::arg("on"),
        "The own score of a configuration of a structured factor, -inf where it is not allowed.");
}

}  // namespace treaty::bind
