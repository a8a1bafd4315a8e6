#include "apps/cli/sweep_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <optional>

#include "apps/cli/descriptor.h"
#include "apps/cli/output.h"
#include "apps/cli/sweep_state.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

std::string state_name(const std::string& name) { return name + ".sweep"; }

// Is there something to lose? A device is neither begun nor written over.
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

// Which member of the state is another one, in words.
std::string difference(const std::string& begun, const std::string& state) {
  const api::Json one = api::read(begun), other = api::read(state);
  for (const char* member : {"grid", "format", "version"}) {
    const auto found = one.find(member);
    if (found == one.end() || *found != other.at(member)) return member;
  }
  return "state";
}

void check_same(const std::string& name, const std::string& begun, const std::string& state) {
  if (begun == state) return;
  std::string what;
  try {
    what = difference(begun, state);
  } catch (const Error&) {  // no JSON at all
    refuse_state(name);
  }
  throw InvalidArgument(name, fmt::format("a sweep begun with another {}", what),
                        "the sweep it was begun for, or another file (--force starts afresh)");
}

class ResumableFile final : public SweepFile {
 public:
  // Ordered so that whatever is cut off by a kill is found again: first the state, then rows.
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

  RowsThere there() const override { return there_; }
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
  RowsThere there_;
};

class StandardOutput final : public SweepFile {
 public:
  RowsThere there() const override { return {}; }
  void write(std::string_view lines) override {
    print(lines);
    flush_output();
  }
  void complete() override {}
  bool can_go_on() const override { return false; }
};

}  // namespace

std::unique_ptr<SweepFile> sweep_file(const std::string& name, const std::string& state, const api::sweep::Rows& rows,
                                      bool afresh) {
  if (holds_something(name) && !afresh && !SweepState::is_there(state_name(name))) refuse_file(name);
  return std::make_unique<ResumableFile>(name, state, rows, afresh);
}

std::unique_ptr<SweepFile> standard_output() { return std::make_unique<StandardOutput>(); }

}  // namespace renyi::cli
