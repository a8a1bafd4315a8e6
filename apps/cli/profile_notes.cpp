#include "apps/cli/profile_notes.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "apps/cli/ask.h"
#include "apps/cli/exact_view.h"

namespace renyi::cli {
namespace {

using api::Json;

std::vector<Json> points_of(const Json& answer) {
  std::vector<Json> points;
  for (const char* list : {"at_epsilons", "at_deltas"}) {
    if (answer.contains(list)) points.insert(points.end(), answer.at(list).begin(), answer.at(list).end());
  }
  return points;
}

const Json* reason_for_none(const Json& point) {
  const bool missing = point.contains("exact") && !is_there(point.at("exact"));
  return missing ? &point.at("exact").at("unavailable") : nullptr;
}

// What differs from point to point, such as a width, stands behind a colon.
std::string kind_of(const std::string& note) { return note.substr(0, note.find(':')); }

// How many points have a note of each kind.
std::map<std::string, std::size_t> notes_of(const std::vector<Json>& points) {
  std::map<std::string, std::size_t> notes;
  for (const Json& point : points) {
    if (!point.contains("exact") || !point.at("exact").contains("note")) continue;
    ++notes[kind_of(point.at("exact").at("note").get<std::string>())];
  }
  return notes;
}

}  // namespace

void describe_notes(Report& report, const Json& answer) {
  const std::vector<Json> points = points_of(answer);
  for (const Json& point : points) {
    if (const Json* reason = reason_for_none(point)) {
      report.row("exact", "unavailable: " + reason->get<std::string>());
      break;
    }
  }
  for (const auto& [note, count] : notes_of(points)) {
    report.row("note", fmt::format("{} (at {} of {} points)", note, count, points.size()));
  }
  describe_note(report, answer);
}

void require_a_point(const Json& answer) {
  const Json* reason = nullptr;
  const std::vector<Json> points = points_of(answer);
  for (const Json& point : points) {
    reason = reason_for_none(point);
    if (reason == nullptr || point.contains("renyi")) return;
  }
  if (reason != nullptr) throw Failure(exit_no_answer, reason->get<std::string>());
}

}  // namespace renyi::cli
