#include "apps/cli/plot/ask.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "api/figure.h"
#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace ask_file {
namespace {

// What a kind takes of a request, besides the run.
std::vector<std::string> members_of(const std::string& kind) {
  const std::vector<std::string> cost{"want", "tolerance", "memory", "orders", "conversion"};
  std::vector<std::string> members{"delta", "range", "x_scale", "y_scale"};
  const auto add = [&](const std::vector<std::string>& more) {
    members.insert(members.end(), more.begin(), more.end());
  };
  if (kind == "profile" || kind == "epsilon" || kind == "steps" || kind == "epochs") add(cost);
  if (kind == "profile" || kind == "filter") add({"epsilon"});
  if (kind == "tradeoff" || kind == "roc") add({"tolerance", "memory"});
  if (kind == "rdp") add({"direction", "method", "orders"});
  if (kind == "outcomes") add({"baseline"});
  return members;
}

api::FigureRequest asked_of(const std::string& kind, const Question& question) {
  return api::read_figure_without_runs(question.request.picked(members_of(kind)).set("kind", kind));
}

api::FigureRun run_of(const Question& question, std::string label) {
  api::FigureRun run = api::read_figure_run(question.request.picked({"neighbors", "unit", "steps"}));
  if (!question.source.empty()) run.words = std::filesystem::path(question.source).filename().string() + run.relation;
  if (question.source.empty()) run.sizes = question.run;
  run.label = std::move(label);
  return run;
}

}  // namespace
}  // namespace ask_file

Figure figure_of(const std::string& kind, const Question& question) {
  api::FigureRequest asked = ask_file::asked_of(kind, question);
  asked.runs.push_back(ask_file::run_of(question, ""));
  return api::answer(asked);
}

Figure figure_of_all(const std::string& kind, const std::vector<AskedRun>& runs) {
  const Question& first = runs.front().question;
  if (runs.size() == 1) return figure_of(kind, first);
  api::FigureRequest asked = ask_file::asked_of(kind, first);
  for (const AskedRun& run : runs) asked.runs.push_back(ask_file::run_of(run.question, run.label));
  try {
    return api::answer(asked);
  } catch (const Error& error) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::string prefix = fmt::format("runs[{}].", i);
      if (!error.path().starts_with(prefix)) continue;
      const std::string path = error.path().substr(prefix.size());
      std::string message = error.what();
      if (message.starts_with(prefix)) message.erase(0, prefix.size());
      if (path.empty() && message.starts_with(": ")) message.erase(0, 2);
      throw Failure(error.kind() == ErrorKind::invalid_argument ? exit_bad_input : exit_no_answer,
                    runs[i].question.explain(path, message));
    }
    throw;
  }
}

}  // namespace renyi::cli::plot
