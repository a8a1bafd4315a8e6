#include "apps/cli/sweep/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/api.h"
#include "apps/cli/io/descriptor.h"
#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace file_file {
namespace {

// FILE.sweep states which sweep FILE belongs to. It exists next to FILE until all rows are written, and is locked by
// the one program that adds rows (docs/format/sweep.md).
class SweepState {
 public:
  // Opens or creates the file, and locks it. Throws InvalidArgument, also if another program has locked it or it is a
  // link.
  explicit SweepState(const std::string& name);

  static bool is_there(const std::string& name);

  // The content of the file. It is incomplete if no sweep was started, if a sweep was killed before it could write it,
  // or if the file was written by another program.
  struct Content {
    std::string text;
    bool complete = false;
  };
  Content content() const;
  void set(const std::string& text) const;
  // Resets the file to the state before any sweep.
  void remove() const;

 private:
  Descriptor file_;
};

// The content is complete if its only line ends with a line break.
constexpr char line_end = '\n';

Descriptor locked(const std::string& name) {
  while (true) {
    Descriptor file(name, O_RDWR | O_CREAT);
    if (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
      throw InvalidArgument(name, "a sweep that another program is at work on", "one program for each file");
    }
    if (is_still(file)) return file;
  }
}

SweepState::SweepState(const std::string& name) : file_(locked(name)) {}

bool SweepState::is_there(const std::string& name) { return access(name.c_str(), F_OK) == 0; }

SweepState::Content SweepState::content() const {
  std::string text = file_.read_all();
  if (!text.empty() && text.back() == line_end) {
    text.pop_back();
    return {std::move(text), true};
  }
  return {std::move(text), false};
}

void SweepState::set(const std::string& text) const {
  file_.cut(0);
  if (text.empty()) return;
  file_.write(text + line_end);
  file_.settle();
}

void SweepState::remove() const {
  if (unlink(file_.name().c_str()) != 0) file_.fail();
}

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
  const ExistingRows& result() const noexcept { return there_; }

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
  ExistingRows there_;
};

// Reads the file line by line; an unfinished last line does not count. Throws InvalidArgument if a line differs from
// the one that the sweep writes there.
ExistingRows rows_there(const std::string& file, const api::sweep::Rows& rows) {
  Check check(file, rows);
  std::ifstream in(file, std::ios::binary);
  // A last line without a line break is unfinished.
  for (std::string line; std::getline(in, line) && !in.eof();) check.take(line);
  if (in.bad()) throw InvalidArgument(file, "something that cannot be read", "the rows that the sweep has left there");
  return check.result();
}

std::string state_name(const std::string& name) { return name + ".sweep"; }

// Returns true if data could be lost. A device can be neither resumed nor overwritten.
bool holds_something(const std::string& name) {
  struct stat status {};
  if (stat(name.c_str(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) throw InvalidArgument(name, "no plain file", "a file, or - for standard output");
  return status.st_size > 0;
}

[[noreturn]] void refuse_file(const std::string& name) {
  throw InvalidArgument(name, "a file that holds something, and no sweep is under way in it",
                        "a new file (or --force, to write over it)");
}

[[noreturn]] void refuse_state(const std::string& name) {
  throw InvalidArgument(state_name(name), "something that is not of this sweep",
                        "no such file, or another one for the rows (--force starts afresh)");
}

// Names the member of the state that differs.
std::string difference(const std::string& begun, const std::string& state) {
  const api::Document one = api::read(begun), other = api::read(state);
  for (const char* member : {"grid", "format", "version"}) {
    if (one.picked({member}).text() != other.picked({member}).text()) return member;
  }
  return "state";
}

void check_same(const std::string& name, const std::string& begun, const std::string& state) {
  if (begun == state) return;
  std::string what;
  try {
    what = difference(begun, state);
  } catch (const Error&) {  // it is not JSON
    refuse_state(name);
  }
  throw InvalidArgument(name, fmt::format("a sweep begun with another {}", what),
                        "the sweep it was begun for, or another file (--force starts afresh)");
}

class ResumableFile final : public SweepFile {
 public:
  // The state is written before the rows, so that a sweep that was killed at any moment can be resumed.
  ResumableFile(const std::string& name, const std::string& state, const api::sweep::Rows& rows, bool afresh)
      : state_(state_name(name)) {
    if (afresh) {
      state_.set("");
      Descriptor(name, O_WRONLY | O_CREAT | O_TRUNC);
    }
    const auto [begun, complete] = state_.content();
    if (complete) {
      check_same(name, begun, state);
    } else if (state.starts_with(begun)) {
      begin(name, state);
    } else {
      refuse_state(name);
    }
    file_.emplace(name, O_WRONLY | O_CREAT);
    there_ = rows_there(name, rows);
    file_->cut(there_.bytes);
    if (there_.bytes == 0) file_->write(rows.header());
  }

  ExistingRows there() const override { return there_; }
  void write(std::string_view lines) override { file_->write(lines); }
  void complete() override {
    file_->settle();
    state_.remove();
  }
  bool can_go_on() const override { return true; }

 private:
  void begin(const std::string& name, const std::string& state) const {
    if (holds_something(name)) {
      state_.remove();
      refuse_file(name);
    }
    state_.set(state);
  }

  SweepState state_;
  std::optional<Descriptor> file_;
  ExistingRows there_;
};

class StandardOutput final : public SweepFile {
 public:
  ExistingRows there() const override { return {}; }
  void write(std::string_view lines) override {
    print(lines);
    flush_output();
  }
  void complete() override {}
  bool can_go_on() const override { return false; }
};

}  // namespace
}  // namespace file_file

std::unique_ptr<SweepFile> sweep_file(const std::string& name, const std::string& state, const api::sweep::Rows& rows,
                                      bool afresh) {
  if (file_file::holds_something(name) && !afresh && !file_file::SweepState::is_there(file_file::state_name(name)))
    file_file::refuse_file(name);
  return std::make_unique<file_file::ResumableFile>(name, state, rows, afresh);
}

std::unique_ptr<SweepFile> standard_output() { return std::make_unique<file_file::StandardOutput>(); }

}  // namespace renyi::cli
