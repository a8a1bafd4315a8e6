// renyi divergence: prints divergences of two distributions, given by flags or by a table of probabilities.
#include "api/divergence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"

namespace renyi::cli {

namespace divergence_file {
namespace {

using api::BothDivergences;
using api::DivergenceAnswer;
using api::DivergenceRequest;
using api::Document;

constexpr std::size_t most_bytes = 64U << 20U;
constexpr std::size_t shown_bytes = 40;

std::string read_limited(Input& input) {
  std::string text;
  while (const auto line = input.next_line(most_bytes)) {
    text += line->text + '\n';
    if (!line->too_long && text.size() <= most_bytes) continue;
    throw InvalidArgument(input.name(), "a longer table", fmt::format("at most {} bytes", most_bytes));
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Removes double quotes, in which spreadsheets may put any cell.
std::string_view without_quotes(std::string_view cell) {
  const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return quoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

// Removes a byte-order mark, which spreadsheets may put at the start.
std::string_view without_mark(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

// Splits a line at commas; a cell in double quotes may contain commas.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (quoted || line[i] != ',')) continue;
    cells.push_back(without_quotes(trimmed(line.substr(start, i - start))));
    start = i + 1;
  }
  return cells;
}

std::optional<double> number_in_cell(std::string_view cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool whole = error == std::errc() && end == cell.data() + cell.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

class CsvReader {
 public:
  explicit CsvReader(const std::string& source) : source_(source) {}

  void read(std::string_view line) {
    ++line_number_;
    if (trimmed(line).empty()) return;
    const auto cells = cells_of(line);
    const bool first = columns_ == 0;
    if (first) columns_ = cells.size();
    if (cells.size() != columns_ || columns_ < 2 || columns_ > 3) {
      refuse(fmt::format("{} cells", cells.size()),
             first ? "2 or 3: p,q or label,p,q" : fmt::format("{}, as before", columns_));
    }
    const std::string_view p = cells[columns_ - 2], q = cells[columns_ - 1];
    if (first && !number_in_cell(p) && !number_in_cell(q)) return check_heading(p, q);
    p_.push_back(mass(p));
    q_.push_back(mass(q));
  }

  Document pair() const {
    if (p_.empty()) throw InvalidArgument(source_, "no numbers", "lines p,q or label,p,q");
    Document result;
    result.set("family", "discrete");
    result.set("p", Document::numbers(p_));
    result.set("q", Document::numbers(q_));
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& got, const std::string& allowed) const {
    throw InvalidArgument(fmt::format("{}: line {}", source_, line_number_), got, allowed);
  }

  static std::string shown(std::string_view cell) {
    std::string text;
    for (const char c : cell.substr(0, shown_bytes)) text += c >= ' ' && c < 127 ? c : '?';
    return fmt::format("\"{}\"{}", text, cell.size() > shown_bytes ? "..." : "");
  }

  // A heading "q,p" is refused: it would silently exchange P and Q.
  void check_heading(std::string_view p, std::string_view q) const {
    if ((p == "p" || p == "P") && (q == "q" || q == "Q")) return;
    refuse(fmt::format("the heading {}, {}", shown(p), shown(q)), "a heading that ends with p,q, or numbers");
  }

  double mass(std::string_view cell) const {
    const auto value = number_in_cell(cell);
    if (!value || !(*value >= 0)) refuse(shown(cell), "a number of at least 0, such as 0.25 or 1e-5");
    return *value;
  }

  const std::string& source_;
  std::size_t line_number_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> p_, q_;
};

// Reads lines "p,q" or "label,p,q"; the first may be a heading. `source` is the name of the input in messages.
Document pair_from_csv(std::string_view text, const std::string& source) {
  text = without_mark(text);
  CsvReader reader(source);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.pair();
}

Document pair_from_text(std::string_view marked_text, const std::string& source) {
  const std::string_view text = without_mark(marked_text);
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? api::pair_from_file(text)
                                                               : pair_from_csv(text, source);
}

// Reads a file, or standard input for "-": JSON if it starts with {, else CSV. Throws InvalidArgument naming file and
// line.
Document read_pair_table(const std::string& name) {
  Input input(name);
  const std::string text = read_limited(input);
  try {
    return pair_from_text(text, input.name());
  } catch (const InvalidArgument& error) {
    if (error.path().starts_with(input.name())) throw;
    throw error.within(input.name() + ": ");
  }
}

constexpr const char* table_argument = "TABLE";
constexpr const char* laws_group = "The two laws";

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<double> numbers_in(const std::string& flag, const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& part : parts_of(text, ',')) numbers.push_back(read_number(flag, part));
  return numbers;
}

std::string text_of(const Flags& flags, const std::string& flag, const std::string& allowed) {
  const auto text = flags.text(flag);
  if (!text) throw InvalidArgument(flag, "nothing", allowed);
  return *text;
}

// A family of distributions with two named parameters: "0,1" is mean and standard deviation.
struct NamedNumbers {
  std::string_view family;
  std::array<const char*, 2> names;
  const char* allowed;
};
constexpr std::array<NamedNumbers, 2> two_number_families{{
    {"normal", {"mean", "stddev"}, "MEAN,STDDEV such as 0,1"},
    {"laplace", {"location", "scale"}, "LOCATION,SCALE such as 0,1"},
}};

Document named_law(Question& question, const Flags& flags, const NamedNumbers& family, const std::string& law) {
  const std::string flag = "--" + law, text = text_of(flags, flag, family.allowed);
  const std::vector<double> numbers = numbers_in(flag, text);
  if (numbers.size() != 2) throw InvalidArgument(flag, fmt::format("\"{}\"", text), family.allowed);
  Document result;
  for (std::size_t i = 0; i < 2; ++i) {
    result.set(family.names[i], numbers[i]);
    question.flag_at[fmt::format("pair.{}.{}", law, family.names[i])] = fmt::format("{} ({})", flag, family.names[i]);
  }
  return result;
}

Document covariance_in(Question& question, const std::string& text) {
  std::vector<Document> rows;
  question.flag_at["pair.covariance"] = "--covariance";
  for (const std::string& row : parts_of(text, ';')) {
    question.flag_at[fmt::format("pair.covariance[{}]", rows.size())] = "--covariance";
    rows.push_back(Document::numbers(numbers_in("--covariance", row)));
  }
  return Document::list(std::move(rows));
}

Document law_of(Question& question, const Flags& flags, const std::string& family, const std::string& law) {
  for (const NamedNumbers& known : two_number_families) {
    if (family == known.family) return named_law(question, flags, known, law);
  }
  const std::string flag = "--" + law;
  question.flag_at["pair." + law] = flag;
  const bool several = family != "bernoulli";
  const std::string text = text_of(flags, flag, several ? "numbers such as 0.2,0.8" : "a probability such as 0.3");
  return several ? Document::numbers(numbers_in(flag, text)) : Document(read_number(flag, text));
}

Document pair_by_flags(Question& question, const Flags& flags) {
  Document pair;
  const std::string family = flags.text("--family").value_or("");
  if (family.empty()) {
    throw InvalidArgument(table_argument, "nothing",
                          "a table of probabilities, - for standard input, or --family (see --help)");
  }
  pair.set("family", family);
  question.flag_at["pair.family"] = "--family";
  for (const std::string law : {"p", "q"}) pair.set(law, law_of(question, flags, family, law));
  if (const auto text = flags.text("--covariance")) {
    pair.set("covariance", covariance_in(question, *text));
  } else if (family == "multivariate-normal") {
    text_of(flags, "--covariance", "rows such as 1,0.5;0.5,2");
  }
  return pair;
}

void set_normalize(Document& pair, Question& question, const Flags& flags) {
  const auto text = flags.text("--normalize");
  if (!text) return;
  if (*text != "yes" && *text != "no") throw InvalidArgument("--normalize", fmt::format("\"{}\"", *text), "yes or no");
  pair.set("normalize", *text == "yes");
  question.flag_at["pair.normalize"] = "--normalize";
}

std::string shown(double number) { return number < 0 ? "-" + rounded(-number) : rounded(number); }

// Describes a distribution as "mean=0, stddev=1", "(0, 0)" or "0.3".
std::string described(const api::LawDescription& law, bool one_number) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < law.numbers.size(); ++i) {
    const std::string number = shown(law.numbers[i]);
    words.push_back(law.names.empty() ? number : fmt::format("{}={}", law.names[i], number));
  }
  const std::string text = fmt::format("{}", fmt::join(words, ", "));
  return law.names.empty() && !one_number ? fmt::format("({})", text) : text;
}

// Returns the TABLE argument and the flags.
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

// Sets "pair" of the request from the table or the flags.
void set_pair(Question& question, const Flags& flags) {
  Document pair;
  if (const auto name = flags.text(table_argument)) {
    for (const std::string flag : {"--family", "--p", "--q", "--covariance"}) {
      if (flags.given(flag)) throw InvalidArgument(flag, *flags.text(flag), "no " + flag + " together with a table");
    }
    pair = read_pair_table(*name);
    question.source = *name == "-" ? "standard input" : *name;
    question.source_path = "pair";
  } else {
    pair = pair_by_flags(question, flags);
  }
  set_normalize(pair, question, flags);
  question.request.set("pair", std::move(pair));
}

// Adds the rows P and Q.
void describe_pair(Report& report, const Question& question, const api::PairDescription& summary) {
  if (summary.family == "discrete") {
    const std::string source = question.source.empty() ? "" : " of " + question.source;
    report.row("P, Q",
               fmt::format("{} outcomes{}{}", summary.p.numbers.size(), source, summary.weights ? ", normalized" : ""));
    return;
  }
  const bool one_number = summary.family == "bernoulli";
  report.row("P", fmt::format("{}, {}", summary.family, described(summary.p, one_number)));
  report.row("Q", fmt::format("{}, {}", summary.family, described(summary.q, one_number)));
}

constexpr const char* kl_label = "1 (KL)";

void build(Question& question, const Flags& flags) {
  question.request.set("op", "divergence");
  question.understood = flags.understood;
  question.flag_at["orders"] = "--orders";
  question.flag_at["epsilons"] = "--epsilons";
  set_orders(question, flags);
  if (const auto text = flags.text("--epsilons")) {
    Document epsilons = Document::list();
    for (const std::string& part : parts_of(*text, ',')) {
      epsilons.add(part == "inf" ? Document("inf") : Document(read_number("--epsilons", part)));
    }
    question.request.set("epsilons", std::move(epsilons));
  }
  set_pair(question, flags);
}

std::vector<std::string> row(const std::string& label, const BothDivergences& both) {
  return {label, rounded_up(both.p_q.upper), rounded_up(both.q_p.upper)};
}

std::string table(const Question& question, const DivergenceRequest& asked, const DivergenceAnswer& answer) {
  Report report(Style::of_standard_output());
  report.headline("Divergences of P and Q", "(upper bounds, rounded up)");
  for (const std::string& line : question.understood) report.row("understood", line);
  describe_pair(report, question, asked.description);
  std::vector<std::vector<std::string>> renyi{{"order", "D(P||Q)", "D(Q||P)"}};
  bool shows_kl = false;
  for (const auto& [order, both] : answer.renyi) {
    shows_kl = shows_kl || order == 1;
    renyi.push_back(row(order == 1 ? kl_label : rounded(order), both));
  }
  if (!shows_kl) renyi.push_back(row(kl_label, answer.kl));
  const std::string variation = rounded_up(answer.total_variation.upper);
  std::vector<std::vector<std::string>> sticks{{"epsilon", "P over Q", "Q over P"}};
  sticks.push_back({"0", variation, variation, "(total variation)"});
  for (const auto& [epsilon, both] : answer.hockey_stick) sticks.push_back(row(rounded(epsilon), both));
  report.blank_line();
  return report.text() + columns(renyi) + "\n  P over Q: sup over events S of P(S) - exp(epsilon) Q(S)\n\n" +
         columns(sticks);
}

std::vector<Cell> ends(const char* name, const Cell& at, const BothDivergences& both) {
  return {name, at, both.p_q.lower, both.p_q.upper, both.q_p.lower, both.q_p.upper};
}

std::string rows(const Question&, const DivergenceRequest&, const DivergenceAnswer& answer) {
  std::vector<std::vector<Cell>> cells;
  for (const auto& [order, both] : answer.renyi) cells.push_back(ends("renyi", order, both));
  cells.push_back(ends("kl", 1, answer.kl));
  cells.push_back(ends("total-variation", 0, {answer.total_variation, answer.total_variation}));
  for (const auto& [epsilon, both] : answer.hockey_stick) cells.push_back(ends("hockey-stick", epsilon, both));
  return csv({"divergence", "at", "p_q_lower", "p_q_upper", "q_p_lower", "q_p_upper"}, cells);
}

}  // namespace
}  // namespace divergence_file

Command divergence_command() {
  const std::vector<FlagText> own{
      orders_flag("orders above 0: 0.5,1,2,inf (the default); 1 is Kullback-Leibler"),
      {"--epsilons", "LIST", "where to take the hockey-stick divergence: 0.5,1,inf (0 is always shown)", asked_group},
      format_flag(),
      time_limit_flag(),
  };
  return {
      .name = "divergence",
      .help = "Renyi, KL, total variation and hockey-stick of two laws",
      .flags = joined({divergence_file::pair_flags(), own}),
      .footer =
          "Examples:\n"
          "  renyi divergence --family normal --p 0,1 --q 1,2 --orders 0.5,1,2,inf --epsilons 1\n"
          "  renyi divergence --family multivariate-normal --p 0,0 --q 1,2 --covariance '1,0.5;0.5,2'\n"
          "  renyi divergence --family bernoulli --p 0.3 --q 0.31 --format csv\n"
          "  renyi divergence survey.csv --normalize yes",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { divergence_file::build(question, flags); }, api::read_divergence,
                {.table = divergence_file::table, .csv = divergence_file::rows});
          },
  };
}

}  // namespace renyi::cli
