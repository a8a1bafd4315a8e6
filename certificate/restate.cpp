#include "certificate/restate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certificate/judge.h"
#include "certificate/settle.h"
#include "renyi/error.h"

namespace renyi::certificate {
namespace {

// Other processors have other vector instructions, which round differently: the ends of a wide interval move by a small
// part of its width. And a best order is where a curve is flat.
constexpr double same_figure = 1e-9;
constexpr double of_width = 1e-3;
constexpr double same_order = 1e-6;

bool is_close(double a, double b, double relative, double room = 0) {
  return a == b || std::abs(a - b) <= relative * std::min(std::abs(a), std::abs(b)) + room;
}

double room_of(const ExactFigure& fast) { return std::isfinite(fast.upper) ? of_width * (fast.upper - fast.lower) : 0; }

// Two answers to one question, member by member.
class Comparison {
 public:
  std::vector<std::string> faults() && { return std::move(faults_); }

  void figure(std::string_view path, double stated, double expected, double room = 0) {
    if (is_close(stated, expected, same_figure, room)) return;
    add(path, fmt::format("{}", stated), fmt::format("{}", expected));
  }

  void name(std::string_view path, std::string_view stated, std::string_view expected) {
    if (stated != expected) add(path, stated, expected);
  }

  void exact(std::string_view path, const ExactFigure& stated, const ExactFigure& expected, double room) {
    figure(fmt::format("{}.lower", path), stated.lower, expected.lower, room);
    figure(fmt::format("{}.upper", path), stated.upper, expected.upper, room);
    name(fmt::format("{}.engine", path), to_string(stated.engine), to_string(expected.engine));
  }

  // `fast` before it was settled: where there is an expected figure, there is one of the fast library.
  void exact(const Answer& stated, const Answer& expected, const Answer& fast) {
    if (stated.exact && expected.exact) {
      exact("answer.exact.remove", stated.exact->remove, expected.exact->remove, room_of(fast.exact->remove));
      exact("answer.exact.add", stated.exact->add, expected.exact->add, room_of(fast.exact->add));
    } else if (stated.exact) {
      add("answer.exact", "a figure", expected.unavailable);
    } else if (expected.exact || stated.unavailable != expected.unavailable) {
      add("answer.exact.unavailable", "another reason", expected.exact ? "a figure" : expected.unavailable);
    }
  }

 private:
  void add(std::string_view path, std::string_view stated, std::string_view expected) {
    faults_.push_back(fmt::format("{}: {} is not what this version states: {}", path, stated, expected));
  }

  std::vector<std::string> faults_;
};

std::vector<std::string> compared(const Answer& stated, const Answer& expected, const Answer& fast,
                                  std::string_view renyi_path) {
  Comparison comparison;
  comparison.figure("answer.rdp.remove", stated.rdp_remove, expected.rdp_remove);
  comparison.figure("answer.rdp.add", stated.rdp_add, expected.rdp_add);
  comparison.figure(renyi_path, stated.renyi, expected.renyi);
  comparison.name("answer.renyi.conversion", renyi::to_string(stated.conversion),
                  renyi::to_string(expected.conversion));
  comparison.exact(stated, expected, fast);
  return std::move(comparison).faults();
}

}  // namespace

std::vector<std::string> differences(const Certificate& certificate) {
  Certificate again = certificate;
  try {
    again.answer = fast_answer(certificate.plan, certificate.question);
    const double best = again.answer.order;
    const double order = certificate.answer.order;
    if (!is_close(order, best, same_order)) {
      return {fmt::format("answer.renyi.order: {} is not what this version states: {}", order, best)};
    }
    // Its figures are those of exactly this order.
    CertificateQuestion there = certificate.question;
    there.order = order;
    if (order != best) again.answer = fast_answer(certificate.plan, there);
  } catch (const Error& error) {
    return {fmt::format("answer: not found again: {}", error.what())};
  }
  if (auto faults = contradictions(again); !faults.empty()) return faults;
  return compared(certificate.answer, settled(again.answer, again), again.answer,
                  certificate.question.delta ? "answer.renyi.epsilon" : "answer.renyi.delta");
}

}  // namespace renyi::certificate
