#include "names/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace renyi::names {
namespace suggestion_file {
namespace {

constexpr std::size_t most_suggestions = 3;
// Longer words are not compared: they come from anywhere, and the comparison takes the product of both lengths.
constexpr std::size_t longest_word = 64;

// "--Noise_Multiplier" is compared as "noise-multiplier".
std::string canonical(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  std::string result(name);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return result;
}

struct Synonyms {
  std::string_view words;  // each between spaces
  std::string_view names;  // what they mean here, in order of preference, each between spaces
};

// What other libraries and papers call the same thing. A name is suggested only where it is allowed.
constexpr std::array<Synonyms, 34> synonyms{{
    {" std sd stdev noise-std ", " stddev noise-multiplier "},
    {" sigma noise noise-scale noise-level z nm ", " noise-multiplier stddev calibrate "},
    {" eps e target-epsilon ", " epsilon "},
    {" target-delta failure-probability ", " delta "},
    {" n dataset data-size records num-records samples num-samples sample-size examples num-examples population ",
     " dataset-size "},
    {" b batch batchsize lot lot-size minibatch minibatch-size expected-batch-size physical-batch-size ",
     " batch-size "},
    {" q p rate sample-rate sampling-probability sampling-prob subsampling-rate probability ", " sampling-rate "},
    {" t step iteration iterations iters num-steps max-steps rounds compositions repetitions times ", " steps count "},
    {" epoch num-epochs passes ", " epochs "},
    {" a alpha alphas order rdp-orders ", " orders order "},
    {" relation adjacency neighbour neighbours neighbor neighboring-relation neighbouring-relation ", " neighbors "},
    {" group group-size user records-per-person ", " unit "},
    {" accumulate gradient-accumulation gradient-accumulation-steps grad-accumulation ", " accumulation "},
    {" max-batch max-batch-size ", " batch-limit "},
    {" sensitivity sens l2 ", " l2-sensitivity sensitivity l1-sensitivity "},
    {" l1 ", " l1-sensitivity "},
    {" tol precision accuracy width ", " tolerance "},
    {" mem ", " memory "},
    {" fmt output-format ", " format "},
    {" o output file save ", " out "},
    {" normal gauss ", " gaussian normal "},
    {" dpsgd dp-sgd sgd sgm subsampled-gaussian poisson-gaussian ", " sampled-gaussian "},
    {" rr ", " randomized-response "},
    {" approximate approximate-dp ", " approx-dp "},
    {" remove add-remove unbounded ", " add-or-remove-one "},
    {" swap substitute substitution change change-one bounded edit ", " replace-one "},
    {" shuffle shuffling ", " shuffled "},
    {" uniform without-replacement wor ", " fixed-size "},
    {" bernoulli ", " poisson "},
    {" text txt ", " table "},
    {" solve noise-for budget ", " calibrate "},
    {" prove proof ", " certify "},
    {" check ", " verify "},
    {" draw graph figure chart ", " plot "},
}};

struct Remark {
  std::string_view words;
  std::string_view text;
};

constexpr std::array<Remark, 3> remarks{{
    {" lr learning-rate ", "the learning rate does not change the privacy cost"},
    {" momentum weight-decay optimizer ", "the optimizer does not change the privacy cost"},
    {" max-grad-norm clip clipping clip-norm clipping-norm l2-norm-clip c max-norm ",
     "the clipping norm changes nothing by itself: the noise multiplier is the noise over it"},
}};

bool has_word(std::string_view list, std::string_view word) {
  return list.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

// The smallest number of letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

// One letter of a short word may be wrong, and every third letter of a longer one.
std::size_t allowed_distance(std::string_view word) {
  return word.size() < 3 ? 0 : std::max<std::size_t>(1, word.size() / 3);
}

using Names = std::vector<std::string_view>;

Names by_synonym(std::string_view word, std::span<const std::string_view> names) {
  for (const Synonyms& entry : synonyms) {
    if (!has_word(entry.words, word)) continue;
    // The first of the entry's names that is allowed here.
    std::string_view rest = entry.names.substr(1);
    for (auto space = rest.find(' '); space != std::string_view::npos; space = rest.find(' ')) {
      const std::string_view meant = rest.substr(0, space);
      const auto found = std::find_if(names.begin(), names.end(), [&](auto name) { return canonical(name) == meant; });
      if (found != names.end()) return {*found};
      rest.remove_prefix(space + 1);
    }
  }
  return {};
}

Names by_beginning(std::string_view word, std::span<const std::string_view> names) {
  Names found;
  if (word.size() < 3) return found;
  for (const std::string_view name : names) {
    if (canonical(name).starts_with(word)) found.push_back(name);
  }
  return found.size() <= most_suggestions ? found : Names{};
}

Names by_distance(std::string_view word, std::span<const std::string_view> names) {
  Names found;
  std::size_t least = allowed_distance(word);
  if (least == 0) return found;
  for (const std::string_view name : names) {
    if (name.size() > longest_word) continue;
    const std::size_t here = distance(word, canonical(name));
    if (here > least) continue;
    if (here < least) found.clear();
    least = here;
    found.push_back(name);
  }
  if (found.size() > most_suggestions) found.resize(most_suggestions);
  return found;
}

Names same_letters(std::string_view word, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (canonical(name) == word) return {name};
  }
  return {};
}

}  // namespace
}  // namespace suggestion_file

std::vector<std::string_view> nearest(std::string_view word, std::span<const std::string_view> names) {
  if (word.size() > suggestion_file::longest_word) return {};
  const std::string plain = suggestion_file::canonical(word);
  for (const auto& way : {suggestion_file::same_letters, suggestion_file::by_synonym, suggestion_file::by_beginning,
                          suggestion_file::by_distance}) {
    if (auto found = way(plain, names); !found.empty()) return found;
  }
  return {};
}

std::string_view remark_on(std::string_view word) {
  if (word.size() > suggestion_file::longest_word) return {};
  const std::string plain = suggestion_file::canonical(word);
  for (const suggestion_file::Remark& remark : suggestion_file::remarks) {
    if (suggestion_file::has_word(remark.words, plain)) return remark.text;
  }
  return {};
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
  if (const std::string_view remark = remark_on(word); !remark.empty()) return fmt::format(" ({})", remark);
  const auto found = nearest(word, names);
  // A name that is spelt right is refused for another reason.
  return found.empty() || found.front() == word ? "" : fmt::format(" (did you mean {}?)", fmt::join(found, " or "));
}

}  // namespace renyi::names
