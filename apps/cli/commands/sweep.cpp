// renyi sweep: answers a request at every point of a grid; Control-C may interrupt it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "api/sweep/run.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/file_format.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/sweep/file.h"
#include "apps/cli/sweep/progress.h"
#include "renyi/error.h"
#include "renyi/version.h"

namespace renyi::cli {

namespace commands_sweep_file {
namespace {

using api::sweep::Format;

// Turns signals such as Control-C into a state that can be polled. During its lifetime, a first SIGINT, SIGTERM or
// SIGHUP is only recorded; a second of the same kind ends the program. Signals that the program was told to ignore
// (nohup) stay ignored.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // Returns the signal that was received, or 0.
  static int signal() noexcept;

 private:
  struct Before {
    int signal = 0;
    struct sigaction action {};
  };
  std::vector<Before> before_;
};

// The signal may be delivered to any thread.
std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not wait");

void note(int signal) { noted = signal; }

Interruption::Interruption() {
  noted = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Before before{.signal = signal};
    sigaction(signal, nullptr, &before.action);
    if (before.action.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
    before_.push_back(before);
  }
}

Interruption::~Interruption() {
  for (const Before& before : before_) sigaction(before.signal, &before.action, nullptr);
}

int Interruption::signal() noexcept { return noted; }

constexpr const char* grid_argument = "GRID";
constexpr const char* to_standard_output = "-";
constexpr const char* out_flag = "--out";
constexpr std::int64_t most_jobs = 1024;
// The exit code is the one that shells report for a program ended by a signal.
constexpr int exit_by_signal = 128;

constexpr std::array<Ending, 2> endings{{{".csv", "csv"}, {".jsonl", "jsonl"}}};

Format format_of(const Flags& flags, const std::string& out) {
  const auto named = flags.text("--format");
  if (named && *named != "csv" && *named != "jsonl") {
    throw InvalidArgument("--format", fmt::format("\"{}\"", *named), "one of csv, jsonl");
  }
  const std::string format = format_of_file(out_flag, out, endings, named, "csv");
  return format == "csv" ? Format::csv : Format::jsonl;
}

unsigned jobs_of(const Flags& flags) {
  const auto text = flags.text("--jobs");
  if (!text) return std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(read_integer("--jobs", *text, most_jobs));
}

// Describes in one line which sweep a file belongs to.
std::string state_of(const api::sweep::Grid& grid, Format format) {
  api::Document state;
  state.set("renyi-sweep", 1);
  state.set("version", std::string(version));
  state.set("format", format == Format::csv ? "csv" : "jsonl");
  state.set("grid", grid.document);
  return state.text();
}

std::unique_ptr<SweepFile> open(const Flags& flags, const std::string& out, const api::sweep::Rows& rows,
                                Format format) {
  if (out != to_standard_output) return sweep_file(out, state_of(rows.grid(), format), rows, flags.given("--force"));
  auto file = standard_output();
  file->write(rows.header());
  return file;
}

// The numbers of rows of this run and of earlier ones.
struct Tally {
  std::uint64_t rows = 0;
  std::uint64_t unanswered = 0;
};

Tally make_rows(const api::sweep::Rows& rows, unsigned jobs, SweepFile& file) {
  const ExistingRows there = file.there();
  Tally tally{there.rows, there.unanswered};
  // Rows on a terminal show the progress themselves.
  Progress progress(there.rows, rows.grid().size, file.can_go_on() || isatty(STDOUT_FILENO) == 0);
  const auto write = [&](const api::sweep::Block& block) {
    file.write(block.text);
    tally.rows += block.rows;
    tally.unanswered += block.unanswered;
    progress.update(tally.rows);
  };
  const auto go_on = [&] {
    progress.update(tally.rows);
    return Interruption::signal() == 0;
  };
  api::sweep::run(rows, {.first = there.rows, .jobs = jobs}, write, go_on);
  return tally;
}

[[noreturn]] void end_interrupted(const Tally& tally, std::uint64_t size, const SweepFile& file, const Flags& flags) {
  std::string message = fmt::format("interrupted after {} of {} rows", tally.rows, size);
  if (file.can_go_on()) {
    message +=
        fmt::format("; the same command{} goes on from there", flags.given("--force") ? ", without --force," : "");
  }
  throw Failure(exit_by_signal + Interruption::signal(), message);
}

void tell_unanswered(const Tally& tally, Format format) {
  if (tally.unanswered == 0) return;
  const std::string message =
      fmt::format("{} of {} rows have no answer; {}", tally.unanswered, tally.rows,
                  format == Format::csv ? "their columns error_kind and error say why" : "their \"error\" says why");
  if (tally.unanswered == tally.rows) throw Failure(exit_no_answer, message);
  print_to_stderr(fmt::format("renyi: {}\n", message));
}

void run(const Flags& flags) {
  const std::string out = flags.text(out_flag).value_or(to_standard_output);
  check_target(out_flag, out);
  const Format format = format_of(flags, out);
  const unsigned jobs = jobs_of(flags);
  const api::sweep::Grid grid = api::sweep::read_grid(Input(flags.text(grid_argument).value_or("-")).read_all());
  check_request(grid);
  const api::sweep::Rows rows(grid, format);
  const Interruption interruption;
  const auto file = open(flags, out, rows, format);
  if (const auto there = file->there().rows; there > 0) {
    print_to_stderr(fmt::format("renyi: continuing at row {} of {}\n", there, grid.size));
  }
  const Tally tally = make_rows(rows, jobs, *file);
  if (tally.rows < grid.size) end_interrupted(tally, grid.size, *file, flags);
  file->complete();
  tell_unanswered(tally, format);
}

}  // namespace
}  // namespace commands_sweep_file

Command sweep_command() {
  return {
      .name = "sweep",
      .help = "Answer a request at every point of a grid",
      .flags = {{commands_sweep_file::grid_argument, "",
                 "the grid (docs/format/sweep.md), or - for standard input (default)"},
                {commands_sweep_file::out_flag, "FILE",
                 "where rows go, .csv or .jsonl; goes on where a sweep was interrupted (default -, standard output)"},
                {"--format", "csv|jsonl", "what rows are (default by the name of FILE, or csv)"},
                {"--jobs", "N", "how many threads (default: one a core)"},
                {"--force", "", "start afresh, whatever FILE holds"}},
      .footer =
          "A grid is a request (docs/format/requests.md) of epsilon, delta or calibrate in which\n"
          "{\"values\":[...]} or {\"from\":...,\"to\":...,\"points\":...,\"scale\":\"log\"} stands for a number. "
          "Every\n"
          "combination is a row, in order, the last axis fastest. One without an answer says why in\n"
          "its row, and the sweep goes on.\n"
          "\n"
          "A sweep into a file may be interrupted, even killed: the same command goes on behind the\n"
          "last complete row. Until it is done, FILE.sweep stands beside FILE.\n"
          "\n" +
          std::string(exact_assumes) +
          "Exit status: 0 done; 2 bad input, or output that cannot be written; 3 no row has an\n"
          "answer; 130 interrupted (143: by SIGTERM).\n"
          "\n"
          "Examples:\n"
          "  renyi sweep grid.json --out sweep.csv\n"
          "  renyi sweep grid.json --format jsonl --jobs 1 | head",
      .run =
          [](const Flags& flags, const CommandText&) {
            try {
              commands_sweep_file::run(flags);
            } catch (const Error& error) {
              throw Failure(exit_bad_input, error.what());
            }
          },
  };
}

}  // namespace renyi::cli
