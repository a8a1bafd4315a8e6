#include "apps/cli/flags/mechanism_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "api/suggestion.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/written_number.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace mechanism_flags_file {
namespace {

// The kinds whose parameters are flags. No kind may be added: its flags could match a command line that means another
// mechanism today.
constexpr std::array<std::string_view, 10> with_shortcuts{
    "gaussian", "laplace", "randomized-response", "pure-dp", "sampled-gaussian", "zcdp", "tcdp", "cdp",
    "gdp",      "moments"};

std::vector<Mechanism> shortcut_mechanisms() {
  std::vector<Mechanism> result;
  for (const std::string_view kind : with_shortcuts) result.push_back(*find_mechanism(kind));
  return result;
}

// Names that mean something else on the command line. The flag of a parameter with such a name is prefixed with the
// first word of its mechanism: --pure-epsilon.
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

// Returns the flags of parameters that have no default and are not given.
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

// Lists the mechanisms with their flags: "gaussian by --stddev, --l2-sensitivity or --noise-multiplier".
std::vector<std::string> all_ways() {
  std::vector<std::string> ways;
  for (const Mechanism& mechanism : shortcut_mechanisms()) {
    std::vector<std::string> names;
    for (const Spelling& spelling : spellings_of(mechanism)) names.push_back(spelling.flag);
    if (names.empty()) continue;  // it can be used in plan files only
    ways.push_back(fmt::format("{} by {}", mechanism.kind(), fmt::join(names, ", ")));
  }
  ways.push_back(fmt::format("any by {} and {}", mechanism_flag, set_flag));
  return ways;
}

// The meaning of one flag, and the mechanisms for which it has that meaning.
struct Meaning {
  std::string_view words;
  bool borrowed = false;  // an alias has the meaning of its parameter
  std::vector<std::string_view> kinds;
};
struct FlagEntry {
  std::string flag;
  std::vector<Meaning> meanings;
};

// The description of a parameter takes precedence over one that an alias borrows.
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
}  // namespace mechanism_flags_file

std::vector<Spelling> spellings_of(const Mechanism& mechanism) {
  std::vector<Spelling> result;
  for (const Parameter& parameter : mechanism.parameters()) {
    result.push_back(
        {mechanism_flags_file::flag_for(mechanism, parameter.name), std::string(parameter.name), &parameter});
  }
  for (const Alias& alias : mechanism.aliases()) {
    result.push_back({mechanism_flags_file::flag_for(mechanism, alias.name), std::string(alias.name),
                      mechanism_flags_file::parameter_named(mechanism, alias.parameter)});
  }
  return result;
}

std::vector<FlagText> mechanism_flags() {
  const auto shortcuts = mechanism_flags_file::shortcut_mechanisms();
  std::vector<mechanism_flags_file::FlagEntry> entries;
  for (const Mechanism& mechanism : shortcuts) {
    for (const Spelling& spelling : spellings_of(mechanism)) {
      const auto known =
          std::find_if(entries.begin(), entries.end(),
                       [&](const mechanism_flags_file::FlagEntry& entry) { return entry.flag == spelling.flag; });
      mechanism_flags_file::FlagEntry& entry =
          known != entries.end() ? *known : entries.emplace_back(mechanism_flags_file::FlagEntry{spelling.flag, {}});
      mechanism_flags_file::note_meaning(entry, mechanism, spelling);
    }
  }
  std::vector<FlagText> texts;
  for (const mechanism_flags_file::FlagEntry& entry : entries)
    texts.push_back(
        {.name = entry.flag, .value = "NUMBER", .help = mechanism_flags_file::help_of(entry), .rare = true});
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

InvalidArgument no_mechanism() {
  return {"--noise-multiplier", "nothing",
          fmt::format("the noise of the run, such as 1.1, flags of another mechanism, or {} NAME (see --help-all)",
                      mechanism_flag)};
}

std::vector<std::string> all_kinds() {
  std::vector<std::string> kinds;
  for (const Mechanism& mechanism : all_mechanisms()) kinds.emplace_back(mechanism.kind());
  return kinds;
}

bool knows_all(const Mechanism& mechanism, const std::vector<std::string>& flags) {
  const auto spellings = spellings_of(mechanism);
  return std::all_of(flags.begin(), flags.end(), [&](const std::string& flag) {
    return std::any_of(spellings.begin(), spellings.end(), [&](const Spelling& s) { return s.flag == flag; });
  });
}

bool some_mechanism_knows(const std::vector<std::string>& flags) {
  return std::any_of(mechanism_flags_file::with_shortcuts.begin(), mechanism_flags_file::with_shortcuts.end(),
                     [&](std::string_view kind) { return knows_all(*find_mechanism(kind), flags); });
}

const Mechanism& mechanism_described_by(const std::vector<std::string>& flags) {
  std::vector<const Mechanism*> complete;
  std::vector<std::string> nearly;
  for (const std::string_view kind : mechanism_flags_file::with_shortcuts) {
    const Mechanism& mechanism = *find_mechanism(kind);
    if (!knows_all(mechanism, flags)) continue;
    const auto lacking = mechanism_flags_file::missing(mechanism, flags);
    if (lacking.empty()) complete.push_back(&mechanism);
    nearly.push_back(fmt::format("{} with {} too", kind, fmt::join(lacking, ", ")));
  }
  if (complete.size() == 1) return *complete.front();
  if (complete.size() > 1)
    mechanism_flags_file::refuse(flags, "flags that fit several mechanisms",
                                 {fmt::format("{}, which names one", mechanism_flag)});
  if (!nearly.empty()) mechanism_flags_file::refuse(flags, "too few flags", nearly);
  mechanism_flags_file::refuse(flags, fmt::format("{}, which no mechanism has together", fmt::join(flags, " and ")),
                               mechanism_flags_file::all_ways());
}

namespace mechanism_flags_file {
namespace {

// Returns the mechanism of that kind. Throws InvalidArgument.
const Mechanism& mechanism_named(const std::string& kind) {
  if (const Mechanism* found = find_mechanism(kind)) return *found;
  refuse_choice(mechanism_flag, kind, all_kinds());
}

std::string allowed_names(const Mechanism& mechanism) {
  const auto names = names_in_plans(mechanism);
  std::string text = names.empty() ? fmt::format("nothing: {} has no numbers", mechanism.kind())
                                   : fmt::format("parameters of {}: {}", mechanism.kind(), fmt::join(names, ", "));
  return mechanism.tables().empty() ? text : text + "; its tables are given in a plan file";
}

// Suggests a name for "--set NAME"; other flags have been checked against those of the command.
std::string hint_for(const Mechanism& mechanism, std::string_view flag) {
  const std::string prefix = set_by_name("");
  return flag.starts_with(prefix) ? api::did_you_mean(flag.substr(prefix.size()), names_in_plans(mechanism)) : "";
}

const Spelling* spelling_by(const std::vector<Spelling>& spellings, const std::string& flag) {
  const auto found =
      std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& spelling) { return spelling.flag == flag; });
  return found == spellings.end() ? nullptr : &*found;
}

}  // namespace
}  // namespace mechanism_flags_file

std::string set_by_name(std::string_view name) { return fmt::format("{} {}", set_flag, name); }

std::vector<std::string> names_in_plans(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Parameter& parameter : mechanism.parameters()) names.emplace_back(parameter.name);
  for (const Alias& alias : mechanism.aliases()) names.emplace_back(alias.name);
  return names;
}

const Mechanism* named_mechanism(const Flags& flags) {
  if (const auto kind = flags.text(mechanism_flag)) return &mechanism_flags_file::mechanism_named(*kind);
  if (flags.given(set_flag)) refuse(flags, set_flag, fmt::format("together with {}", mechanism_flag));
  return nullptr;
}

void add_set_numbers(Values& values, const Flags& flags) {
  std::istringstream list(flags.text(set_flag).value_or(""));
  for (std::string item; std::getline(list, item, ',');) {
    const auto sign = item.find('=');
    if (sign == std::string::npos || sign == 0) {
      throw InvalidArgument(set_flag, fmt::format("\"{}\"", item), "a name and a number, such as epsilon=0.1");
    }
    const std::string flag = set_by_name(item.substr(0, sign));
    if (values.contains(flag)) throw InvalidArgument(flag, "two numbers", "each name once");
    values[flag] = read_number(flag, item.substr(sign + 1));
  }
}

std::vector<Spelling> spellings_once_named(const Mechanism& mechanism) {
  std::vector<Spelling> all = spellings_of(mechanism);
  const std::size_t shortcuts = all.size();
  for (std::size_t i = 0; i < shortcuts; ++i) {
    Spelling by_name = all[i];
    by_name.flag = set_by_name(by_name.key);
    all.push_back(std::move(by_name));
  }
  return all;
}

void check_flags_of(const Mechanism& mechanism, const Values& values) {
  for (const TableParameter& table : mechanism.tables()) {
    if (table.may_be_empty) continue;
    throw InvalidArgument(mechanism_flag, std::string(mechanism.kind()),
                          fmt::format("a plan file instead, which can hold its table '{}'", table.name));
  }
  const auto spellings = spellings_once_named(mechanism);
  std::map<std::string, std::string> flag_of;
  for (const auto& [flag, value] : values) {
    const Spelling* spelling = mechanism_flags_file::spelling_by(spellings, flag);
    if (spelling == nullptr) {
      throw InvalidArgument(flag, value.text() + mechanism_flags_file::hint_for(mechanism, flag),
                            mechanism_flags_file::allowed_names(mechanism));
    }
    const auto [other, is_first] = flag_of.emplace(spelling->key, flag);
    if (!is_first) throw InvalidArgument(flag, value.text(), fmt::format("either it or {}", other->second));
  }
}

}  // namespace renyi::cli
