// Verifies a certificate: checks its structure, recomputes every value by both routes, and derives the answer again.
#include "certificate/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "certificate/consistency.h"
#include "certificate/prove.h"
#include "renyi/error.h"
#include "renyi/extras/certificate.h"
#include "renyi/version.h"

namespace renyi {
namespace certificate {

Structure structure_of(std::string_view text) {
  const json::Json document = open(text);
  Structure result;
  const auto digest = document.find("digest");
  if (digest == document.end() || *digest != digest_of(document)) {
    result.faults.emplace_back("digest: not that of the body: the certificate was changed or damaged");
    return result;
  }
  try {
    if (auto fault = version_fault(library_of(document).renyi, version)) {
      result.faults.push_back(*std::move(fault));
      return result;
    }
    Certificate certificate = read(document);
    result.faults = claim_list_faults(certificate);
    if (!result.faults.empty()) return result;
    result.faults = unproven(certificate);
    result.certificate = std::move(certificate);
  } catch (const InvalidArgument& error) {
    result.faults.emplace_back(error.what());
  }
  return result;
}

namespace verify_file {
namespace {

// Every value of a certificate, recomputed by both routes.
struct Recomputed {
  std::vector<std::string> faults{};  // each with its JSON path
  std::vector<Claim> claims{};        // with the second route's enclosures, if these could be computed
};

std::string shown(const Enclosure& enclosure) {
  constexpr int enough_digits = 25;
  return fmt::format("[{}, {}]", decimal_below(enclosure.lower, enough_digits),
                     decimal_above(enclosure.upper, enough_digits));
}

// Recomputes one entry after the other.
class Recomputation {
 public:
  Recomputation(const Certificate& certificate, bool is_ours)
      : certificate_(certificate), is_ours_(is_ours), routes_(certificate.plan) {}

  Recomputed run() {
    for (std::size_t i = 0; i < certificate_.claims.size(); ++i) {
      check(certificate_.claims[i], fmt::format("claims[{}]", i));
    }
    for (std::size_t i = 0; i < certificate_.gaps.size(); ++i) {
      check(certificate_.gaps[i], fmt::format("not_certified[{}]", i));
    }
    return std::move(result_);
  }

 private:
  void check(const Claim& claim, const std::string& path) {
    try {
      const RouteResults found = routes_.prove(claim.statement);
      compare(claim, found, path);
      result_.claims.push_back({claim.statement, {found.second, found.first.method, found.first.precision}});
    } catch (const LimitReached&) {
      throw;  // says nothing about the claim
    } catch (const Error& error) {
      add(path, claim.statement, fmt::format("cannot be recomputed: {}", error.what()));
    }
  }

  void compare(const Claim& claim, const RouteResults& found, const std::string& path) {
    const Certified& claimed = claim.proven;
    if (!contains(claimed.value, found.second)) {
      add(path, claim.statement,
          fmt::format("the recomputed enclosure {} is not inside the claimed {}", shown(found.second),
                      shown(claimed.value)));
    } else if (!is_sharp(claimed.value, found)) {
      add(path, claim.statement,
          fmt::format("says less than can be proven: claimed {}, proven {}", shown(claimed.value),
                      shown(hull(found.first.value, found.second))));
    }
    if (!is_ours_) return;
    if (claimed.method != found.first.method) {
      add(path + ".method", claim.statement, fmt::format("proven by another one, {}", found.first.method));
    }
    if (claimed.precision != found.first.precision) {
      add(path + ".precision", claim.statement, fmt::format("proven with {} bits", found.first.precision));
    }
  }

  // A claim may be missing only if this library cannot make it either.
  void check(const UncertifiedFigure& gap, const std::string& path) {
    try {
      const auto entry = claim_or_gap(gap.statement, routes_);
      const UncertifiedFigure* found = std::get_if<UncertifiedFigure>(&entry);
      if (found == nullptr) {
        add(path, gap.statement, "can be certified, so it may not be left out");
      } else if (is_ours_ && found->why != gap.why) {
        add(path + ".unavailable", gap.statement, fmt::format("for another reason: {}", found->why));
      }
    } catch (const InvalidArgument& error) {
      add(path, gap.statement, error.what());
    }
  }

  void add(std::string_view path, const Statement& statement, std::string_view fault) {
    result_.faults.push_back(fmt::format("{}: {}: {}", path, describe(statement), fault));
  }

  const Certificate& certificate_;
  bool is_ours_;
  BothRoutes routes_;
  Recomputed result_{};
};

// `is_ours`: this version made the certificate, so that methods, precisions and reasons must be those found here.
Recomputed recomputed(const Certificate& certificate, bool is_ours) {
  return Recomputation(certificate, is_ours).run();
}

// Compares the answer that this library would give with that of a certificate of the same version. An answer that is
// proven but differs from it, or that has a different order, has been tampered with.

// Other processors have other vector instructions, which round differently: the endpoints of a wide interval move by a
// small part of its width. The curve is flat near its best order, which may move too.
constexpr double same_figure = 1e-9;
constexpr double of_width = 1e-3;
constexpr double same_order = 1e-6;

bool is_close(double a, double b, double relative, double room = 0) {
  return a == b || std::abs(a - b) <= relative * std::min(std::abs(a), std::abs(b)) + room;
}

double room_of(const ExactInterval& fast) {
  return std::isfinite(fast.upper) ? of_width * (fast.upper - fast.lower) : 0;
}

// Compares two answers to one question, member by member.
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

  void exact(std::string_view path, const ExactInterval& stated, const ExactInterval& expected, double room) {
    figure(fmt::format("{}.lower", path), stated.lower, expected.lower, room);
    figure(fmt::format("{}.upper", path), stated.upper, expected.upper, room);
    name(fmt::format("{}.engine", path), to_string(stated.engine), to_string(expected.engine));
  }

  // `fast` is the floating-point answer before it was adjusted to the claims: if there is an expected value, it has one
  // too.
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

// Returns the differences, each with its path. The claims must have been verified: the answer is adjusted to them
// again.
std::vector<std::string> differences(const Certificate& certificate) {
  Certificate again = certificate;
  try {
    again.answer = fast_answer(certificate.plan, certificate.question);
    const double best = again.answer.order;
    const double order = certificate.answer.order;
    if (!is_close(order, best, same_order)) {
      return {fmt::format("answer.renyi.order: {} is not what this version states: {}", order, best)};
    }
    // The stated values are those of exactly this order.
    CertificateQuestion there = certificate.question;
    there.order = order;
    if (order != best) again.answer = fast_answer(certificate.plan, there);
  } catch (const LimitReached&) {
    throw;
  } catch (const Error& error) {
    return {fmt::format("answer: not found again: {}", error.what())};
  }
  if (auto faults = contradictions(again); !faults.empty()) return faults;
  return compared(certificate.answer, settled(again.answer, again), again.answer,
                  certificate.question.delta ? "answer.renyi.epsilon" : "answer.renyi.delta");
}

std::string worth_of(const Claim& claim) {
  const auto& [lower, upper] = claim.proven.value;
  const double most = rounded_up(upper);
  if (std::isinf(most) || (is_delta(claim.statement.kind) && most >= 1)) return "nothing";
  const Dyadic zero{};
  return lower == zero && upper != zero ? "an upper bound only" : "";
}

std::vector<ProvenFigure> figures_of(const std::vector<Claim>& claims) {
  std::vector<ProvenFigure> figures;
  for (const Claim& claim : claims) {
    const Enclosure& value = claim.proven.value;
    figures.push_back({describe(claim.statement), claim.statement, value, width(value), worth_of(claim)});
  }
  return figures;
}

// Returns what can be wrong with a certificate whose claims are right.
std::vector<std::string> faults_of_answer(Certificate certificate, const std::vector<Claim>& found, bool is_ours) {
  if (is_ours) {
    if (auto faults = differences(certificate); !faults.empty()) return faults;
  }
  // The recomputed enclosures are narrower than the claimed ones, and may prove more.
  certificate.claims = found;
  return unproven(certificate);
}

}  // namespace
}  // namespace verify_file
}  // namespace certificate

Verdict verify_certificate(std::string_view json) {
  using namespace certificate;
  const Structure structure = structure_of(json);
  Verdict verdict{.faults = structure.faults};
  if (!structure.certificate) return verdict;
  const Certificate& certificate = *structure.certificate;
  verdict.plan = certificate.plan;
  verdict.question = certificate.question;
  verdict.claims = certificate.claims.size();
  verdict.not_certified = certificate.gaps.size();
  const bool is_ours = certificate.library.renyi == version;
  const verify_file::Recomputed found = verify_file::recomputed(certificate, is_ours);
  verdict.faults.insert(verdict.faults.end(), found.faults.begin(), found.faults.end());
  if (verdict.faults.empty()) verdict.faults = verify_file::faults_of_answer(certificate, found.claims, is_ours);
  verdict.valid = verdict.faults.empty();
  if (verdict.valid) verdict.proven = verify_file::figures_of(found.claims);
  return verdict;
}

}  // namespace renyi
