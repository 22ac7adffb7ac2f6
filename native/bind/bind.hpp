// Shared by the binding files. Those of a folder of kernels register in the submodule of its name (bind/module.cpp).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>
#include <vector>

namespace treaty::bind {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using InRows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> view(const In<T>& array) {
  return {array.data(), array.shape(0)};
}

template <class T>
std::vector<T> copy(const In<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

// Does work that needs no interpreter, without its lock. Whatever others might change meanwhile is copied (arrays) or
// claimed (bind/in_use.hpp).
template <class Work>
auto unlocked(Work work) {
  const nb::gil_scoped_release unlock;
  return work();
}

// Arrays own their memory: a property must not tie them to its object, as it would by default.
inline constexpr auto kOwned = nb::rv_policy::automatic;

// A number of threads: any Python integer, however large.
struct Threads {
  int number;
  operator int() const { return number; }
};

// Hands a vector over to numpy without a second copy.
template <class T>
Out<T> to_numpy(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(owned->data(), {owned->size()}, owner);
}

// Likewise as a matrix of so many rows.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<2>> to_rows(std::vector<T> values, std::size_t rows, std::size_t columns) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {owned->data(), {rows, columns}, owner};
}

template <class T>
Out<T> copy(const std::vector<T>& values) {
  return to_numpy(std::vector<T>(values));
}

template <class... T>
nb::tuple to_arrays(std::vector<T>... values) {
  return nb::make_tuple(to_numpy(std::move(values))...);
}

// Lets the garbage collector see the users' oracles that a graph keeps (bind/graph_oracle.cpp).
extern PyType_Slot graph_slots[];

void register_graph(nb::module_& m);
void register_graph_oracle(nb::module_& m);
void register_solve(nb::module_& m);
void register_solve_batch(nb::module_& m);
void register_solve_patterns(nb::module_& m);
void register_diff(nb::module_& m);
void register_learn(nb::module_& m);
void register_features(nb::module_& m);
void register_parse(nb::module_& m);
void register_parse_trees(nb::module_& m);
void register_parse_tagger(nb::module_& m);
void register_label(nb::module_& m);
void register_label_phrases(nb::module_& m);
void register_label_items(nb::module_& m);
void register_summarize(nb::module_& m);
void register_induce(nb::module_& m);

}  // namespace treaty::bind

NAMESPACE_BEGIN(NB_NAMESPACE)
NAMESPACE_BEGIN(detail)
template <>
struct type_caster<treaty::bind::Threads> {
  NB_TYPE_CASTER(treaty::bind::Threads, const_name("int"))
  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    if (!PyLong_Check(source.ptr())) return false;
    int overflow = 0;
    const long number = PyLong_AsLongAndOverflow(source.ptr(), &overflow);
    constexpr long kMost = 1 << 20;
    value.number = static_cast<int>(overflow ? overflow * kMost : std::clamp(number, -kMost, kMost));
    return true;
  }
  static handle from_cpp(treaty::bind::Threads threads, rv_policy, cleanup_list*) noexcept {
    return PyLong_FromLong(threads.number);
  }
};
NAMESPACE_END(detail)
NAMESPACE_END(NB_NAMESPACE)
