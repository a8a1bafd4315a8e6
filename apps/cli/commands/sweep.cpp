// renyi sweep: answers a request at every point of a grid; Control-C may interrupt it.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "api/figure/records.h"
#include "api/sweep/figures.h"
#include "api/sweep/run.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/file_format.h"
#include "apps/cli/flags/grid_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/plot/draw.h"
#include "apps/cli/sweep/file.h"
#include "apps/cli/sweep/progress.h"
#include "apps/cli/views/grid_table.h"
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

bool is_question(const std::string& argument) {
  return std::find(grid_questions.begin(), grid_questions.end(), argument) != grid_questions.end();
}

// A grid of flags is shown as a table unless its rows go to a file, or in another format.
bool shows_table(const Flags& flags, const std::string& out) {
  const auto named = flags.text("--format");
  if (named == "table" && out != to_standard_output) {
    throw InvalidArgument("--format", "\"table\"", fmt::format("csv or jsonl with {}", out_flag));
  }
  const bool by_flags = is_question(flags.text(grid_argument).value_or(""));
  return named == "table" || (!named && by_flags && out == to_standard_output);
}

Format format_of(const Flags& flags, const std::string& out) {
  const auto named = flags.text("--format");
  if (named && *named != "csv" && *named != "jsonl") {
    refuse_choice("--format", *named, {"table", "csv", "jsonl"});
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

// If `kept` is not null, the rows are appended to it too.
Tally make_rows(const api::sweep::Rows& rows, unsigned jobs, SweepFile& file, std::string* kept) {
  const ExistingRows there = file.there();
  Tally tally{there.rows, there.unanswered};
  // Rows on a terminal show the progress themselves.
  Progress progress(there.rows, rows.grid().size, file.can_go_on() || isatty(STDOUT_FILENO) == 0);
  const auto write = [&](const api::sweep::Block& block) {
    file.write(block.text);
    if (kept != nullptr) *kept += block.text;
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

// Reads the grid: by flags if the argument names a question, and otherwise from a file. `question` gets the flags.
api::sweep::Grid grid_of(Question& question, const Flags& flags) {
  const std::string argument = flags.text(grid_argument).value_or(to_standard_output);
  if (is_question(argument)) {
    question = grid_question(argument, flags);
    try {
      return api::sweep::read_grid(question.request.text());
    } catch (const InvalidArgument& error) {
      if (error.path() != "request") throw;
      throw InvalidArgument("renyi sweep " + argument, "flags of one value each",
                            "a list such as 1,5,20 or a range such as 0.8:4:0.1 in one of them");
    }
  }
  if (const auto given = given_grid_flags(flags); !given.empty()) {
    throw InvalidArgument(given.front(), flags.text(given.front()).value_or(""),
                          "nothing beside a grid file; `renyi sweep epsilon`, delta or calibrate take flags");
  }
  const InvalidArgument nothing(grid_argument, "nothing",
                                "epsilon, delta or calibrate with flags, such as `renyi sweep epsilon "
                                "--noise-multiplier 1,2 --delta 1e-5`, or a grid file; see renyi sweep --help");
  // Without arguments nobody is about to type a grid.
  if (!flags.given(grid_argument) && isatty(STDIN_FILENO) != 0) throw nothing;
  const std::string text = Input(argument).read_all();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw nothing;
  return api::sweep::read_grid(text);
}

// Returns where the picture goes, checked before anything is computed: a file, or "-" for standard output, which then
// must be free of rows.
std::optional<std::string> picture_of(const Flags& flags, const api::sweep::Grid& grid, const std::string& out) {
  const std::string flag = plot_flag().name;
  auto file = flags.text(flag);
  if (!file) return file;
  if (*file == to_standard_output && out == to_standard_output) {
    throw InvalidArgument(flag, "\"-\"", "a file, unless the rows go to one by --out");
  }
  if (*file != to_standard_output) plot::check_picture(flag, *file);
  api::figure::check_axes(grid, flag);
  return file;
}

void draw(const plot::Figure& figure, const std::string& picture) {
  if (picture != to_standard_output) return plot::save(figure, plot_flag().name, picture);
  print(plot::for_standard_output(figure));
}

void show_table(const api::sweep::Grid& grid, const Question& question, unsigned jobs,
                const std::optional<std::string>& picture) {
  if (grid.size > most_table_rows) {
    throw InvalidArgument(
        "--format", fmt::format("a table of {} rows", grid.size),
        fmt::format("at most {} rows in a table; csv, jsonl or {} take more", most_table_rows, out_flag));
  }
  const api::sweep::Figures figures = api::sweep::figures_of(grid, jobs, [] { return Interruption::signal() == 0; });
  if (figures.values.size() < grid.size) {
    throw Failure(exit_by_signal + Interruption::signal(),
                  fmt::format("interrupted after {} of {} rows", figures.values.size(), grid.size));
  }
  print(grid_table(grid, figures, question.understood));
  if (picture) draw(api::figure::sweep_figure(grid, figures), *picture);
  std::uint64_t unanswered = 0;
  std::string first;
  for (const api::sweep::Figure& figure : figures.values) {
    if (figure.value) continue;
    if (++unanswered == 1) first = question.explain(figure.failure_path, figure.failure);
  }
  if (unanswered == 0) return;
  const std::string message =
      fmt::format("{} of {} points have no answer; the first: {}", unanswered, grid.size, first);
  if (unanswered == grid.size) throw Failure(exit_no_answer, message);
  print_to_stderr(fmt::format("renyi: {}\n", message));
}

// Rows are read by programs, and must not contain it.
void tell_about_grid(const api::sweep::Grid& grid, const Question& question) {
  for (const std::string& line : question.understood) print_to_stderr(fmt::format("renyi: understood {}\n", line));
  for (const RunWarning& warning : warnings_of(grid)) {
    print_to_stderr(fmt::format("renyi: warning: {}\n", warning.text));
  }
}

void write_rows(const api::sweep::Grid& grid, const Flags& flags, const std::string& out, Format format, unsigned jobs,
                const std::optional<std::string>& picture) {
  const api::sweep::Rows rows(grid, format);
  const auto file = open(flags, out, rows, format);
  if (const auto there = file->there().rows; there > 0) {
    print_to_stderr(fmt::format("renyi: continuing at row {} of {}\n", there, grid.size));
  }
  std::string kept = picture ? rows.header() : "";
  const Tally tally = make_rows(rows, jobs, *file, picture ? &kept : nullptr);
  if (tally.rows < grid.size) end_interrupted(tally, grid.size, *file, flags);
  file->complete();
  tell_unanswered(tally, format);
  // A file may hold rows of earlier runs as well.
  if (!picture) return;
  const std::string all = file->can_go_on() ? Input(out).read_all() : kept;
  draw(api::figure::sweep_figure(grid, api::sweep::figures_in(grid, format, all)), *picture);
}

void run(Question& question, const Flags& flags) {
  const std::string out = flags.text(out_flag).value_or(to_standard_output);
  check_target(out_flag, out);
  const bool as_table = shows_table(flags, out);
  const Format format = as_table ? Format::jsonl : format_of(flags, out);
  const unsigned jobs = jobs_of(flags);
  const api::sweep::Grid grid = grid_of(question, flags);
  check_request(grid);
  const auto picture = picture_of(flags, grid, out);
  const Interruption interruption;
  if (as_table) return show_table(grid, question, jobs, picture);
  tell_about_grid(grid, question);
  write_rows(grid, flags, out, format, jobs, picture);
}

}  // namespace
}  // namespace commands_sweep_file

Command sweep_command() {
  return {
      .name = "sweep",
      .help = "Answer a request at every point of a grid",
      .flags = joined(
          {{{commands_sweep_file::grid_argument, "",
             "epsilon, delta or calibrate, asked by flags; or a grid file (docs/format/sweep.md), or - for standard "
             "input (default)"},
            {commands_sweep_file::out_flag, "FILE",
             "where rows go, .csv or .jsonl; goes on where a sweep was interrupted (default -, standard output)"},
            {"--format", "table|csv|jsonl",
             "what rows are (default by the name of FILE; on standard output table for flags, csv for a grid file)"},
            {"--jobs", "N", "how many threads (default: one a core)"},
            {plot_flag().name, "FILE",
             "also draw it, .svg, .png, .pdf, or - for standard output: a curve of one axis, a heat map of two"},
            {"--force", "", "start afresh, whatever FILE holds"}},
           grid_flags()}),
      .footer =
          "Flags of the run and of the question may have several values: lists (1,5,20), ranges first:last:step\n"
          "(0.8:4:0.1, last included), and ranges by ratio (1e-6:1e-3:x10). Every combination is a point.\n"
          "\n"
          "A grid file is a request (docs/format/requests.md) of epsilon, delta or calibrate in which\n"
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
          "  renyi sweep epsilon --noise-multiplier 0.8:4:0.1 --epochs 1,5,20 \\\n"
          "      --dataset-size 60000 --batch-size 256 --delta 1e-5\n"
          "  renyi sweep grid.json --out sweep.csv --plot heat.svg\n"
          "  renyi sweep grid.json --format jsonl --jobs 1 | head",
      .run =
          [](const Flags& flags, const CommandText&) {
            Question question;
            try {
              commands_sweep_file::run(question, flags);
            } catch (const Error& error) {
              throw Failure(exit_bad_input, question.explain(error.path(), error.what()));
            }
          },
  };
}

}  // namespace renyi::cli
