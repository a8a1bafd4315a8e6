#include "apps/cli/mechanism_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "renyi/error.h"

namespace renyi::cli {
namespace {

// The kinds whose parameters are flags. A closed list: the flags of one more could fit a command line that means
// another mechanism today.
constexpr std::array<std::string_view, 10> with_shortcuts{
    "gaussian", "laplace", "randomized-response", "pure-dp", "sampled-gaussian", "zcdp", "tcdp", "cdp",
    "gdp",      "moments"};

std::vector<Mechanism> shortcut_mechanisms() {
  std::vector<Mechanism> result;
  for (const std::string_view kind : with_shortcuts) result.push_back(*find_mechanism(kind));
  return result;
}

// Names that mean something else on the command line; a parameter of that name
// is prefixed with the first word of its mechanism: --pure-epsilon.
constexpr std::array<std::string_view, 2> taken{"epsilon", "delta"};

std::string flag_for(const Mechanism& mechanism, std::string_view key) {
  std::string name(key);
  if (std::find(taken.begin(), taken.end(), key) != taken.end()) {
    name = fmt::format("{}-{}", mechanism.kind().substr(0, mechanism.kind().find('-')), key);
  }
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

const Parameter* parameter_named(const Mechanism& mechanism, std::string_view name) {
  const auto all = mechanism.parameters();
  return &*std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; });
}

bool is_among(const std::vector<std::string>& flags, std::string_view flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

// Flags of parameters that have no default and are not given.
std::vector<std::string> missing(const Mechanism& mechanism, const std::vector<std::string>& flags) {
  std::vector<std::string> result;
  const auto spellings = spellings_of(mechanism);
  for (const Parameter& parameter : mechanism.parameters()) {
    const bool given = std::any_of(spellings.begin(), spellings.end(), [&](const Spelling& s) {
      return s.parameter == &parameter && is_among(flags, s.flag);
    });
    if (!given && !parameter.fallback) result.push_back(flag_for(mechanism, parameter.name));
  }
  return result;
}

[[noreturn]] void refuse(const std::vector<std::string>& flags, std::string_view problem,
                         const std::vector<std::string>& ways) {
  throw InvalidArgument(flags.front(), std::string(problem), fmt::format("{}", fmt::join(ways, "; or ")));
}

// "gaussian by --stddev, --l2-sensitivity or --noise-multiplier": all that can be said.
std::vector<std::string> all_ways() {
  std::vector<std::string> ways;
  for (const Mechanism& mechanism : shortcut_mechanisms()) {
    std::vector<std::string> names;
    for (const Spelling& spelling : spellings_of(mechanism)) names.push_back(spelling.flag);
    if (names.empty()) continue;  // plan files only
    ways.push_back(fmt::format("{} by {}", mechanism.kind(), fmt::join(names, ", ")));
  }
  ways.push_back(fmt::format("any by {} and {}", mechanism_flag, set_flag));
  return ways;
}

// What one flag means, to which mechanisms.
struct Meaning {
  std::string_view words;
  bool borrowed = false;  // an alias has those of its parameter
  std::vector<std::string_view> kinds;
};
struct FlagEntry {
  std::string flag;
  std::vector<Meaning> meanings;
};

// A parameter's own words go before those an alias borrows.
void note_meaning(FlagEntry& entry, const Mechanism& mechanism, const Spelling& spelling) {
  const bool borrowed = spelling.key != spelling.parameter->name;
  for (Meaning& meaning : entry.meanings) {
    if (meaning.words != spelling.parameter->meaning && !borrowed && !meaning.borrowed) continue;
    if (meaning.borrowed && !borrowed) meaning = {spelling.parameter->meaning, false, meaning.kinds};
    meaning.kinds.push_back(mechanism.kind());
    return;
  }
  entry.meanings.push_back({spelling.parameter->meaning, borrowed, {mechanism.kind()}});
}

std::string help_of(const FlagEntry& entry) {
  std::vector<std::string> parts;
  for (const Meaning& meaning : entry.meanings) {
    parts.push_back(fmt::format("{} ({})", meaning.words, fmt::join(meaning.kinds, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::vector<Spelling> spellings_of(const Mechanism& mechanism) {
  std::vector<Spelling> result;
  for (const Parameter& parameter : mechanism.parameters()) {
    result.push_back({flag_for(mechanism, parameter.name), std::string(parameter.name), &parameter});
  }
  for (const Alias& alias : mechanism.aliases()) {
    result.push_back(
        {flag_for(mechanism, alias.name), std::string(alias.name), parameter_named(mechanism, alias.parameter)});
  }
  return result;
}

std::vector<FlagText> mechanism_flags() {
  const auto shortcuts = shortcut_mechanisms();
  std::vector<FlagEntry> entries;
  for (const Mechanism& mechanism : shortcuts) {
    for (const Spelling& spelling : spellings_of(mechanism)) {
      const auto known = std::find_if(entries.begin(), entries.end(),
                                      [&](const FlagEntry& entry) { return entry.flag == spelling.flag; });
      FlagEntry& entry = known != entries.end() ? *known : entries.emplace_back(FlagEntry{spelling.flag, {}});
      note_meaning(entry, mechanism, spelling);
    }
  }
  std::vector<FlagText> texts;
  for (const FlagEntry& entry : entries) texts.push_back({entry.flag, "NUMBER", help_of(entry)});
  return texts;
}

std::vector<FlagText> named_mechanism_flags() {
  return {{mechanism_flag, kind_value,
           "which mechanism, by name: `renyi mechanisms` lists them (default: the one whose flags are given)"},
          {.name = set_flag,
           .value = "NAME=NUMBER,...",
           .help = "with --mechanism: its parameters by their names in plans; may be repeated",
           .repeatable = true}};
}

std::vector<std::string> all_kinds() {
  std::vector<std::string> kinds;
  for (const Mechanism& mechanism : all_mechanisms()) kinds.emplace_back(mechanism.kind());
  return kinds;
}

const Mechanism& mechanism_named(const std::string& kind) {
  if (const Mechanism* found = find_mechanism(kind)) return *found;
  throw InvalidArgument(mechanism_flag, fmt::format("\"{}\"", kind),
                        fmt::format("one of {}", fmt::join(all_kinds(), ", ")));
}

bool knows_all(const Mechanism& mechanism, const std::vector<std::string>& flags) {
  const auto spellings = spellings_of(mechanism);
  return std::all_of(flags.begin(), flags.end(), [&](const std::string& flag) {
    return std::any_of(spellings.begin(), spellings.end(), [&](const Spelling& s) { return s.flag == flag; });
  });
}

bool some_mechanism_knows(const std::vector<std::string>& flags) {
  return std::any_of(with_shortcuts.begin(), with_shortcuts.end(),
                     [&](std::string_view kind) { return knows_all(*find_mechanism(kind), flags); });
}

const Mechanism& mechanism_described_by(const std::vector<std::string>& flags) {
  std::vector<const Mechanism*> complete;
  std::vector<std::string> nearly;
  for (const std::string_view kind : with_shortcuts) {
    const Mechanism& mechanism = *find_mechanism(kind);
    if (!knows_all(mechanism, flags)) continue;
    const auto lacking = missing(mechanism, flags);
    if (lacking.empty()) complete.push_back(&mechanism);
    nearly.push_back(fmt::format("{} with {} too", kind, fmt::join(lacking, ", ")));
  }
  if (complete.size() == 1) return *complete.front();
  if (complete.size() > 1)
    refuse(flags, "flags that fit several mechanisms", {fmt::format("{}, which names one", mechanism_flag)});
  if (!nearly.empty()) refuse(flags, "too few flags", nearly);
  refuse(flags, fmt::format("{}, which no mechanism has together", fmt::join(flags, " and ")), all_ways());
}

}  // namespace renyi::cli
