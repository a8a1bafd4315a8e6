#include "apps/cli/pair_table.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "api/pair_file.h"
#include "apps/cli/input.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

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

// Spreadsheets put any cell in double quotes that they like.
std::string_view without_quotes(std::string_view cell) {
  const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return quoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

// And a byte-order mark before all of them.
std::string_view without_mark(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

// Cells at commas; a cell in double quotes may hold commas.
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

  api::Json pair() const {
    if (p_.empty()) throw InvalidArgument(source_, "no numbers", "lines p,q or label,p,q");
    api::Json result = api::Json::object();
    result["family"] = "discrete";
    result["p"] = p_;
    result["q"] = q_;
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

  // A heading q,p would turn every answer around unseen.
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

api::Json pair_from_text(std::string_view marked_text, const std::string& source) {
  const std::string_view text = without_mark(marked_text);
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? api::pair_from_file(text)
                                                               : pair_from_csv(text, source);
}

}  // namespace

api::Json pair_from_csv(std::string_view text, const std::string& source) {
  text = without_mark(text);
  CsvReader reader(source);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.pair();
}

api::Json read_pair_table(const std::string& name) {
  Input input(name);
  const std::string text = read_limited(input);
  try {
    return pair_from_text(text, input.name());
  } catch (const InvalidArgument& error) {
    if (error.path().starts_with(input.name())) throw;
    throw error.within(input.name() + ": ");
  }
}

}  // namespace renyi::cli
