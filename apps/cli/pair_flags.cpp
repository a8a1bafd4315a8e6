#include "apps/cli/pair_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <sstream>

#include "apps/cli/number.h"
#include "apps/cli/pair_table.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

using api::Json;

constexpr const char* table_argument = "TABLE";
constexpr const char* laws_group = "The two laws";

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, separator);) parts.push_back(part);
  return parts;
}

Json numbers_in(const std::string& flag, const std::string& text) {
  Json numbers = Json::array();
  for (const std::string& part : parts_of(text, ',')) numbers.push_back(read_number(flag, part));
  return numbers;
}

std::string text_of(const Flags& flags, const std::string& flag, const std::string& allowed) {
  const auto text = flags.text(flag);
  if (!text) throw InvalidArgument(flag, "nothing", allowed);
  return *text;
}

// Laws of two named numbers: "0,1" is mean and standard deviation.
struct NamedNumbers {
  std::string_view family;
  std::array<const char*, 2> names;
  const char* allowed;
};
constexpr std::array<NamedNumbers, 2> two_number_families{{
    {"normal", {"mean", "stddev"}, "MEAN,STDDEV such as 0,1"},
    {"laplace", {"location", "scale"}, "LOCATION,SCALE such as 0,1"},
}};

Json named_law(Question& question, const Flags& flags, const NamedNumbers& family, const std::string& law) {
  const std::string flag = "--" + law, text = text_of(flags, flag, family.allowed);
  const Json numbers = numbers_in(flag, text);
  if (numbers.size() != 2) throw InvalidArgument(flag, fmt::format("\"{}\"", text), family.allowed);
  Json result = Json::object();
  for (std::size_t i = 0; i < 2; ++i) {
    result[family.names[i]] = numbers[i];
    question.flag_at[fmt::format("pair.{}.{}", law, family.names[i])] = fmt::format("{} ({})", flag, family.names[i]);
  }
  return result;
}

Json covariance_in(Question& question, const std::string& text) {
  Json rows = Json::array();
  question.flag_at["pair.covariance"] = "--covariance";
  for (const std::string& row : parts_of(text, ';')) {
    question.flag_at[fmt::format("pair.covariance[{}]", rows.size())] = "--covariance";
    rows.push_back(numbers_in("--covariance", row));
  }
  return rows;
}

Json law_of(Question& question, const Flags& flags, const std::string& family, const std::string& law) {
  for (const NamedNumbers& known : two_number_families) {
    if (family == known.family) return named_law(question, flags, known, law);
  }
  const std::string flag = "--" + law;
  question.flag_at["pair." + law] = flag;
  const bool several = family != "bernoulli";
  const std::string text = text_of(flags, flag, several ? "numbers such as 0.2,0.8" : "a probability such as 0.3");
  return several ? numbers_in(flag, text) : Json(read_number(flag, text));
}

void set_by_flags(Question& question, const Flags& flags) {
  Json pair = Json::object();
  const std::string family = flags.text("--family").value_or("");
  if (family.empty()) {
    throw InvalidArgument(table_argument, "nothing",
                          "a table of probabilities, - for standard input, or --family (see --help)");
  }
  pair["family"] = family;
  question.flag_at["pair.family"] = "--family";
  for (const std::string law : {"p", "q"}) pair[law] = law_of(question, flags, family, law);
  if (const auto text = flags.text("--covariance")) {
    pair["covariance"] = covariance_in(question, *text);
  } else if (family == "multivariate-normal") {
    text_of(flags, "--covariance", "rows such as 1,0.5;0.5,2");
  }
  question.request["pair"] = std::move(pair);
}

void set_normalize(Question& question, const Flags& flags) {
  const auto text = flags.text("--normalize");
  if (!text) return;
  if (*text != "yes" && *text != "no") throw InvalidArgument("--normalize", fmt::format("\"{}\"", *text), "yes or no");
  question.request["pair"]["normalize"] = *text == "yes";
  question.flag_at["pair.normalize"] = "--normalize";
}

std::string described(const Json& law) {
  if (law.is_number()) return rounded(law.get<double>());
  std::vector<std::string> words;
  for (const auto& member : law.items()) {
    const double value = member.value().get<double>();
    const std::string shown = value < 0 ? "-" + rounded(-value) : rounded(value);
    words.push_back(law.is_array() ? shown : fmt::format("{}={}", member.key(), shown));
  }
  return law.is_array() ? fmt::format("({})", fmt::join(words, ", ")) : fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::vector<FlagText> pair_flags() {
  return {
      {table_argument, "", "probabilities as CSV (p,q or label,p,q a line) or JSON, or - for standard input"},
      {"--family", "normal|multivariate-normal|laplace|bernoulli|discrete", "what kind of law P and Q are", laws_group},
      {"--p", "NUMBERS",
       "P: MEAN,STDDEV (normal), LOCATION,SCALE (laplace), a probability (bernoulli), "
       "the mean (multivariate-normal), probabilities (discrete)",
       laws_group},
      {"--q", "NUMBERS", "Q, likewise", laws_group},
      {"--covariance", "ROWS", "covariance matrix of both (multivariate-normal), rows separated by ;", laws_group},
      {"--normalize", "yes|no",
       "whether discrete numbers are counts or weights, to be divided by their sum (default no)", laws_group},
  };
}

void set_pair(Question& question, const Flags& flags) {
  if (const auto name = flags.text(table_argument)) {
    for (const std::string flag : {"--family", "--p", "--q", "--covariance"}) {
      if (flags.given(flag)) throw InvalidArgument(flag, *flags.text(flag), "no " + flag + " together with a table");
    }
    question.request["pair"] = read_pair_table(*name);
    question.source = *name == "-" ? "standard input" : *name;
    question.source_path = "pair";
  } else {
    set_by_flags(question, flags);
  }
  set_normalize(question, flags);
}

void describe_pair(Report& report, const Question& question) {
  const Json& pair = question.request.at("pair");
  const auto family = pair.at("family").get<std::string>();
  if (family == "discrete") {
    const bool weights = pair.value("normalize", false);
    const std::string source = question.source.empty() ? "" : " of " + question.source;
    report.row("P, Q", fmt::format("{} outcomes{}{}", pair.at("p").size(), source, weights ? ", normalized" : ""));
    return;
  }
  report.row("P", fmt::format("{}, {}", family, described(pair.at("p"))));
  report.row("Q", fmt::format("{}, {}", family, described(pair.at("q"))));
}

}  // namespace renyi::cli
