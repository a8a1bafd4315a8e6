#include "apps/cli/sweep_rows_there.h"

#include <fmt/format.h>

#include <fstream>

#include "renyi/error.h"

namespace renyi::cli {
namespace {

// Compares lines with those of the sweep, one by one.
class Check {
 public:
  Check(std::string file, const api::sweep::Rows& rows)
      : file_(std::move(file)), rows_(rows), header_(rows.header()), configuration_(rows.grid()) {}

  void take(const std::string& line) {
    const bool is_header = there_.bytes == 0 && !header_.empty();
    there_.bytes += line.size() + 1;
    if (is_header) {
      if (line + '\n' != header_) refuse("another header");
    } else {
      take_row(line);
    }
  }
  const RowsThere& result() const noexcept { return there_; }

 private:
  void take_row(const std::string& line) {
    if (there_.rows == rows_.grid().size) refuse("more rows");
    configuration_.go_to(there_.rows);
    std::string start;
    rows_.append_start(start, there_.rows, configuration_);
    if (!line.starts_with(start + ',')) refuse(fmt::format("another line for row {}", there_.rows));
    ++there_.rows;
    if (!rows_.is_answered(line)) ++there_.unanswered;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InvalidArgument(file_, what, "the rows that the sweep has left there (--force starts afresh)");
  }

  std::string file_;
  const api::sweep::Rows& rows_;
  std::string header_;
  api::sweep::Configuration configuration_;
  RowsThere there_;
};

}  // namespace

RowsThere rows_there(const std::string& file, const api::sweep::Rows& rows) {
  Check check(file, rows);
  std::ifstream in(file, std::ios::binary);
  // A line that ends with the file has no end of its own.
  for (std::string line; std::getline(in, line) && !in.eof();) check.take(line);
  if (in.bad()) throw InvalidArgument(file, "something that cannot be read", "the rows that the sweep has left there");
  return check.result();
}

}  // namespace renyi::cli
