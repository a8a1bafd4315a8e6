#include "crosscheck/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace renyi::crosscheck {

namespace tally_file {
namespace {

constexpr double slow_seconds = 5;
constexpr double most_not_certified = 0.02;
constexpr std::uint64_t always_forgiven = 2;  // allowed even in runs of a few questions

// Divergences by mechanism, exact figures by engine.
std::string kind_of(const Question& question, const Outcome& outcome) {
  if (question.figure == Figure::divergence) return std::string(question.plan.merged().at(0).mechanism.kind());
  if (outcome.engine) return fmt::format("{} by {}", to_string(question.figure), to_string(*outcome.engine));
  return std::string(to_string(question.figure));
}

void print(std::string_view what, const Question& question, const Outcome& outcome) {
  fmt::print("{}: {}\n", what, report(question, outcome));
  std::fflush(stdout);
}

}  // namespace
}  // namespace tally_file

void Tally::add(const Question& question, const Outcome& outcome) {
  const bool missing = !outcome.not_certified.empty();
  for (Row* row : {&all_, &rows_[tally_file::kind_of(question, outcome)]}) {
    ++row->questions;
    row->not_certified += missing ? 1 : 0;
    row->largest_error = std::max(row->largest_error, outcome.relative_error());
    row->seconds += outcome.certified_seconds;
  }
  slowest_ = std::max(slowest_, outcome.certified_seconds);
  if (!outcome.broken.empty()) {
    ++violations_;
    tally_file::print("VIOLATION", question, outcome);
  } else if (missing) {
    tally_file::print("not certified", question, outcome);
  } else if (outcome.certified_seconds > tally_file::slow_seconds) {
    tally_file::print("slow", question, outcome);
  }
}

std::string Tally::by_kind() const {
  std::string text;
  for (const auto& [kind, row] : rows_) {
    text += fmt::format("{:<24} {:>6} questions, {} not certified, largest relative error {:.1e}, {:.1f} s certified\n",
                        kind, row.questions, row.not_certified, row.largest_error, row.seconds);
  }
  return text;
}

std::string Tally::summary() const {
  return fmt::format(
      "{} points, {} plans, {} questions, {} violations, {} not certified, largest relative error {:.1e}, slowest "
      "{:.1f} s",
      points_, plans_, all_.questions, violations_, all_.not_certified, all_.largest_error, slowest_);
}

bool Tally::good() const {
  const auto forgiven =
      static_cast<std::uint64_t>(tally_file::most_not_certified * static_cast<double>(all_.questions));
  return all_.questions > 0 && violations_ == 0 &&
         all_.not_certified <= std::max(forgiven, tally_file::always_forgiven);
}

}  // namespace renyi::crosscheck
