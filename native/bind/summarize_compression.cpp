#include <limits>
#include <stdexcept>

#include "bind/bind.hpp"
#include "summarize/tree_compressor.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::summarize;

// Heads in the flat array of all words become places in their sentence.
void localize(std::span<const std::int32_t> head, std::int64_t begin, std::vector<std::int32_t>& local) {
  local.clear();
  for (const auto h : head) {
    const auto place = h < 0 ? -1 : h - begin;
    if (place >= static_cast<std::int64_t>(head.size()) || (h >= 0 && place < 0))
      throw std::invalid_argument("a head lies outside of its sentence");
    local.push_back(static_cast<std::int32_t>(place));
  }
}

nb::tuple compress_trees(In<std::int64_t> begin, In<std::int32_t> head, In<double> keep, In<double> cut,
                         In<double> lift) {
  const auto words = head.shape(0);
  const auto starts = view(begin);
  if (keep.shape(0) != words || cut.shape(0) != words || lift.shape(0) != words)
    throw std::invalid_argument("as many scores as words are needed");
  if (starts.empty() || starts.front() != 0 || starts.back() != static_cast<std::int64_t>(words) ||
      !std::ranges::is_sorted(starts))
    throw std::invalid_argument("the sentences do not cover the words");
  std::vector<std::uint8_t> kept(words);
  std::vector<double> scores(starts.size() - 1);
  {
    nb::gil_scoped_release release;
    TreeCompressor compressor;
    std::vector<std::int32_t> local;
    for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
      const auto first = static_cast<std::size_t>(starts[s]), size = static_cast<std::size_t>(starts[s + 1]) - first;
      if (size == 0) continue;
      localize(view(head).subspan(first, size), starts[s], local);
      const TreeCompressor::Scores own{view(keep).subspan(first, size), view(cut).subspan(first, size),
                                       view(lift).subspan(first, size)};
      scores[s] = compressor.maximize(local, own, std::span(kept).subspan(first, size));
    }
  }
  return nb::make_tuple(to_numpy(std::move(kept)), to_numpy(std::move(scores)));
}

}  // namespace

void register_summarize_compression(nb::module_& m) {
  m.def("compress_trees", &compress_trees, nb::arg("begin"), nb::arg("head"), nb::arg("keep"), nb::arg("cut"),
        nb::arg("lift"), "The best compressions of sentences: which words stay, and the score of each.");
}

}  // namespace treaty::bind
