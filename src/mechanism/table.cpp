// All mechanisms that a plan can name, by their kind.
#include "mechanism/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "names/suggestion.h"
#include "renyi/error.h"

namespace renyi {

namespace table_file {
namespace {

// A mechanism is made when it is first used, because most programs use a few mechanisms of many.
struct Row {
  std::string_view name;  // the kind, with underscores
  const Mechanism& (*mechanism)();
};

constexpr std::array rows{
#define RENYI_MECHANISM(name, proof)                 \
  Row{#name, []() -> const Mechanism& {              \
        static const Mechanism made = table::name(); \
        return made;                                 \
      }},
#include "catalogue/mechanisms.def"
#undef RENYI_MECHANISM
};

bool is_kind(std::string_view kind, std::string_view name) {
  return std::equal(kind.begin(), kind.end(), name.begin(), name.end(),
                    [](char a, char b) { return a == (b == '_' ? '-' : b); });
}

// Kinds that have been renamed. Stored plans keep their meaning.
struct Renamed {
  std::string_view before;
  std::string_view now;
};
constexpr std::array renamed{Renamed{"rdp-points", "rdp"}};

std::string_view name_today(std::string_view kind) {
  const auto* found = std::find_if(renamed.begin(), renamed.end(), [&](const Renamed& r) { return r.before == kind; });
  return found == renamed.end() ? kind : found->now;
}

}  // namespace
}  // namespace table_file

std::span<const Mechanism> all_mechanisms() {
  static const std::vector<Mechanism> all = [] {
    std::vector<Mechanism> made;
    for (const table_file::Row& row : table_file::rows) made.push_back(row.mechanism());
    return made;
  }();
  return all;
}

const Mechanism* find_mechanism(std::string_view kind) {
  const std::string_view today = table_file::name_today(kind);
  for (const table_file::Row& row : table_file::rows) {
    if (table_file::is_kind(today, row.name)) return &row.mechanism();
  }
  return nullptr;
}

namespace table_file {
namespace {

const Mechanism& of_kind(std::string_view kind) {
  if (const Mechanism* found = find_mechanism(kind)) return *found;
  std::vector<std::string_view> kinds;
  for (const Mechanism& mechanism : all_mechanisms()) kinds.push_back(mechanism.kind());
  throw InvalidArgument("mechanism", std::string(kind) + names::did_you_mean(kind, kinds),
                        fmt::format("one of {}", fmt::join(kinds, ", ")));
}

// Returns the parameter that a name or an alias denotes. An unknown name is returned unchanged, so that the error
// message names it.
std::string_view parameter_of(const Mechanism& mechanism, std::string_view name) {
  for (const Alias& alias : mechanism.aliases()) {
    if (alias.name == name) return alias.parameter;
  }
  return name;
}

// Refuses names that the mechanism does not have, before what is missing is reported.
void check_known(const Mechanism& mechanism, std::span<const NamedNumber> numbers) {
  std::vector<std::string_view> known;
  for (const Parameter& parameter : mechanism.parameters()) known.push_back(parameter.name);
  for (const Alias& alias : mechanism.aliases()) known.push_back(alias.name);
  for (const auto& [name, value] : numbers) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InvalidArgument(std::string(name), fmt::format("{}{}", value, names::did_you_mean(name, known)),
                          fmt::format("the parameters of {}", mechanism.kind()));
  }
}

// A parameter may be given under one name only, and an alias excludes the parameters that it determines.
void check_names(const Mechanism& mechanism, std::span<const NamedNumber> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const auto [name, value] = numbers[i];
      const bool same = i < k && parameter_of(mechanism, name) == parameter_of(mechanism, numbers[k].first);
      bool excluded = false;
      for (const Alias& alias : mechanism.aliases()) {
        excluded = excluded || (alias.name == name && alias.excluded == numbers[k].first);
      }
      if (!same && !excluded) continue;
      throw InvalidArgument(std::string(numbers[k].first), fmt::format("{}", numbers[k].second),
                            fmt::format("either {} or {}, once", name, numbers[k].first));
    }
  }
}

template <class Given>
bool is_given(const Mechanism& mechanism, std::string_view parameter, const Given& given) {
  for (const auto& [name, value] : given) {
    if (parameter_of(mechanism, name) == parameter) return true;
  }
  return false;
}

}  // namespace
}  // namespace table_file

Mechanism make_mechanism(std::string_view kind, std::span<const NamedNumber> numbers,
                         std::span<const NamedRows> tables) {
  const Mechanism& known = table_file::of_kind(kind);
  table_file::check_known(known, numbers);
  table_file::check_names(known, numbers);
  std::vector<NamedNumber> all;
  for (const Parameter& parameter : known.parameters()) {
    if (table_file::is_given(known, parameter.name, numbers)) continue;
    if (!parameter.fallback) throw InvalidArgument(std::string(parameter.name), "nothing", parameter.allowed());
    all.emplace_back(parameter.name, *parameter.fallback);
  }
  for (const auto& [name, value] : numbers) all.emplace_back(table_file::parameter_of(known, name), value);
  std::vector<NamedRows> rows;
  for (const TableParameter& table : known.tables()) {
    if (table_file::is_given(known, table.name, tables)) continue;
    if (!table.may_be_empty) throw InvalidArgument(std::string(table.name), "nothing", "a table");
    rows.emplace_back(table.name, Rows{});
  }
  rows.insert(rows.end(), tables.begin(), tables.end());
  return known.with(all, rows);
}

}  // namespace renyi
