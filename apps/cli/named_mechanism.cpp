#include "apps/cli/named_mechanism.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "apps/cli/number.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

std::string allowed_names(const Mechanism& mechanism) {
  const auto names = names_in_plans(mechanism);
  std::string text = names.empty() ? fmt::format("nothing: {} has no numbers", mechanism.kind())
                                   : fmt::format("parameters of {}: {}", mechanism.kind(), fmt::join(names, ", "));
  return mechanism.tables().empty() ? text : text + "; its tables are given in a plan file";
}

const Spelling* spelling_by(const std::vector<Spelling>& spellings, const std::string& flag) {
  const auto found =
      std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& spelling) { return spelling.flag == flag; });
  return found == spellings.end() ? nullptr : &*found;
}

}  // namespace

std::string set_by_name(std::string_view name) { return fmt::format("{} {}", set_flag, name); }

std::vector<std::string> names_in_plans(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Parameter& parameter : mechanism.parameters()) names.emplace_back(parameter.name);
  for (const Alias& alias : mechanism.aliases()) names.emplace_back(alias.name);
  return names;
}

const Mechanism* named_mechanism(const Flags& flags) {
  if (const auto kind = flags.text(mechanism_flag)) return &mechanism_named(*kind);
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
    const Spelling* spelling = spelling_by(spellings, flag);
    if (spelling == nullptr) throw InvalidArgument(flag, api::write(value), allowed_names(mechanism));
    const auto [other, is_first] = flag_of.emplace(spelling->key, flag);
    if (!is_first) throw InvalidArgument(flag, api::write(value), fmt::format("either it or {}", other->second));
  }
}

}  // namespace renyi::cli
