#include "summarize/tree_compressor.hpp"

#include "learn/host.hpp"

namespace treaty::summarize {
namespace {

// Heads in the flat array of all words become positions in their sentence.
void localize(std::span<const std::int32_t> head, std::int64_t begin, std::vector<std::int32_t>& local) {
  local.clear();
  for (const auto h : head) {
    const auto place = h < 0 ? -1 : h - begin;
    if (place >= std::ssize(head) || (h >= 0 && place < 0))
      throw std::invalid_argument("a head lies outside of its sentence");
    local.push_back(static_cast<std::int32_t>(place));
  }
}

}  // namespace

Compressions compress_trees(std::span<const std::int64_t> begin, std::span<const std::int32_t> head,
                            const TreeCompressor::Scores& scores) {
  const auto& [keep, cut, lift] = scores;
  if (keep.size() != head.size() || cut.size() != head.size() || lift.size() != head.size())
    throw std::invalid_argument("as many scores as words are needed");
  if (begin.empty() || begin.front() != 0 || begin.back() != std::ssize(head) || !std::ranges::is_sorted(begin))
    throw std::invalid_argument("the sentences do not cover the words");
  Compressions all{std::vector<std::uint8_t>(head.size()), std::vector<double>(begin.size() - 1)};
  TreeCompressor compressor;
  std::vector<std::int32_t> local;
  for (std::size_t s = 0; s + 1 < begin.size(); ++s) {
    const auto first = static_cast<std::size_t>(begin[s]), size = static_cast<std::size_t>(begin[s + 1]) - first;
    if (size == 0) continue;
    learn::check_interrupt();
    localize(head.subspan(first, size), begin[s], local);
    const auto part = [&](auto numbers) { return numbers.subspan(first, size); };
    all.scores[s] = compressor.maximize(local, {part(keep), part(cut), part(lift)}, part(std::span(all.kept)));
  }
  return all;
}

}  // namespace treaty::summarize
