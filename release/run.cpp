// The order of a release: stored answer, reserve, open, draw, commit. Nothing is drawn before the charge is on the
// disk.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "digest/sha256.h"
#include "ledger/fault_point.h"
#include "ledger/log/random.h"
#include "release/draw.h"
#include "release/read.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/release.h"

namespace renyi::release {
namespace run_file {
namespace {

std::string digest_of(const Terms& terms, const Adjacency& relation) {
  return digest::sha256(write_terms(terms, relation));
}

std::string random_key() {
  constexpr std::size_t bytes = 16;
  return "release-" + ledger::random_digits(bytes);
}

Document document_of(const Terms& terms, const Design& design, const Adjacency& relation, Drawn drawn) {
  return {.plan = design.plan,
          .epsilon = design.epsilon,
          .delta = design.delta,
          .rho = design.rho,
          .timing_delta = drawn.timing_delta,
          .terms_sha256 = digest_of(terms, relation),
          .statistics = std::move(drawn.statistics)};
}

std::string spent(const std::string& key) {
  return fmt::format(
      "the charge of the key \"{}\" was opened before and no output was committed: it stays spent, and nothing is "
      "drawn "
      "again. Another program may still be at it; else choose another key, which is charged anew",
      key);
}

// Draws what was paid for. Without random bits nothing is drawn, and the charge stays spent all the same.
Drawn drawn_after_opening(const Request& request, const Design& design, const std::string& key) {
  try {
    return draw(request, design);
  } catch (const Unsupported& error) {
    throw Unsupported(std::string(error.path()), error.why(),
                      fmt::format("{}. The charge of the key \"{}\" was opened before and stays spent: then release "
                                  "with another key, which is charged anew",
                                  error.instead(), key));
  }
}

Outcome refused(std::string reason, std::optional<Receipt> receipt = {}) {
  return {.reason = std::move(reason), .refusal = std::move(receipt)};
}

// Why a reservation that was made before cannot be opened any more; empty if it can.
std::string obstacle(const Ledger& ledger, const Receipt& reserved, const std::string& key) {
  const std::optional<TicketState> state = ledger.ticket(reserved.ticket).state;
  if (state == TicketState::reserved) return "";
  if (state == TicketState::opened || state == TicketState::committed) return spent(key);
  return fmt::format("the reservation of the key \"{}\" was {}: choose another key", key,
                     state == TicketState::cancelled ? "cancelled" : "not opened in time and went back");
}

// Returns the smallest factor on all noise with which the charge fits, with three digits; std::nullopt if none up to
// 1,000 does.
std::optional<double> fitting_factor(const Ledger& ledger, const Charge& charge, const Design& design) {
  constexpr double most = 1000, precision = 1e-3;
  const auto fits = [&](double factor) {
    try {
      const Plan steps = plan_with(design.noise, design.plan.adjacency(), factor);
      return ledger.may_run({.scope = charge.scope, .steps = steps, .blocks = charge.blocks}).accepted;
    } catch (const Error&) {
      return false;  // noise that the catalogue or the budget does not have
    }
  };
  double fitting = 2;
  while (fitting <= most && !fits(fitting)) fitting *= 2;
  if (fitting > most) return std::nullopt;
  double low = fitting / 2;
  while (fitting > low * (1 + precision)) {
    const double middle = 0.5 * (low + fitting);
    (fits(middle) ? fitting : low) = middle;
  }
  return std::ceil(fitting * 1000) / 1000;
}

// Returns the total budget of the terms with all noise larger by the factor, rounded down to three digits.
std::optional<double> fitting_total(const Terms& terms, const Design& design, double factor) {
  for (const Statistic& statistic : terms.statistics) {
    if (statistic.noise) return std::nullopt;
  }
  double total = 0;
  if (terms.budget.rho) {
    total = *terms.budget.rho / (factor * factor);
  } else if (terms.budget.epsilon) {
    const Plan steps = plan_with(design.noise, design.plan.adjacency(), factor);
    total = epsilon(steps, terms.budget.delta.value_or(0)).upper();
  }
  if (!(total > 0) || !std::isfinite(total)) return std::nullopt;
  const double place = std::pow(10.0, 2 - std::floor(std::log10(total)));
  return std::floor(total * place) / place;
}

void set_fitting(Outcome& outcome, const Terms& terms, const Design& design, const Ledger& ledger,
                 const Charge& charge) {
  outcome.fitting_factor = fitting_factor(ledger, charge, design);
  if (outcome.fitting_factor) outcome.fitting_total = fitting_total(terms, design, *outcome.fitting_factor);
}

bool was_imported_since(const Ledger& ledger, std::int64_t entry) {
  bool is_found = false;
  ledger.history({.after = entry},
                 [&](const LedgerEntry& later) { is_found = is_found || receipt_of(later).verb == "import"; });
  return is_found;
}

[[noreturn]] void refuse_key(const std::string& key) {
  throw InvalidArgument("key", fmt::format("\"{}\"", key),
                        "another key: what was committed with this one is no release");
}

[[noreturn]] void refuse_without_document(const Ledger& ledger, const Receipt& committed, const std::string& key) {
  if (!was_imported_since(ledger, committed.entry)) refuse_key(key);
  throw InvalidArgument(
      "key",
      fmt::format("\"{}\", released in entry {} before this ledger was imported, which leaves documents behind", key,
                  committed.entry),
      "the file that was written then; or another key, which is charged anew");
}

Document document_in(const Output& output, const std::string& key) {
  try {
    return read_document(output.bytes);
  } catch (const Error&) {
    refuse_key(key);
  }
}

// What is drawn cannot be drawn again, so that a store that fails is asked again. The key makes that safe.
Receipt commit(Ledger& ledger, std::int64_t ticket, const Output& output, const CallInfo& call) {
  constexpr int retries = 3;
  for (int i = 0; i < retries; ++i) {
    try {
      return ledger.commit(ticket, output, call);
    } catch (const StoreFailure&) {
      ledger::fault_point("release.commit_again");
    }
  }
  return ledger.commit(ticket, output, call);
}

// The parts of a key that belong to the three entries.
CallInfo call(const Charge& charge, const char* verb, std::string comment) {
  return {.key = fmt::format("{}:{}", charge.key, verb), .person = charge.person, .comment = std::move(comment)};
}

}  // namespace
}  // namespace run_file

std::optional<std::string> stored_document(const Terms& terms, const Ledger& ledger, const Charge& charge) {
  namespace file = run_file;
  if (charge.key.empty()) return std::nullopt;
  const std::optional<Receipt> committed = ledger.answer_to(charge.key + ":commit");
  if (!committed || !committed->accepted) return std::nullopt;
  const std::optional<Output> output = ledger.output(committed->ticket);
  if (!output || output->bytes.empty()) file::refuse_without_document(ledger, *committed, charge.key);
  const Adjacency relation = relation_of(terms, ledger.scope(charge.scope).relation);
  const Document document = file::document_in(*output, charge.key);
  if (document.payment && document.payment->scope == charge.scope && document.payment->blocks == charge.blocks &&
      document.terms_sha256 == file::digest_of(terms, relation)) {
    return output->bytes;
  }
  throw InvalidArgument("key", fmt::format("\"{}\"", charge.key),
                        "another key: with this one, something else was released (other statistics, noise, budget, "
                        "scope or blocks)");
}

Outcome run(const Request& request, Ledger& ledger, const Charge& given) {
  namespace file = run_file;
  check_values(request);
  Charge charge = given;
  if (charge.key.empty()) charge.key = file::random_key();
  const Terms& terms = request.terms;
  if (auto document = stored_document(terms, ledger, charge)) {
    return {.is_published = true, .is_repeated = true, .document = *std::move(document)};
  }
  const Adjacency relation = relation_of(terms, ledger.scope(charge.scope).relation);
  const Design chosen = design(terms, relation);
  rehearse(terms, chosen);
  ledger::fault_point("release.designed");

  // The digest makes other terms with the same key a conflict, also if their steps are equal.
  const std::string comment = "release of terms " + file::digest_of(terms, relation);
  const Receipt reserved = ledger.reserve({.scope = charge.scope, .steps = chosen.plan, .blocks = charge.blocks},
                                          charge.expires_in, file::call(charge, "reserve", comment));
  if (!reserved.accepted) {
    Outcome outcome = file::refused(reserved.reason, reserved);
    if (!reserved.repeated) file::set_fitting(outcome, terms, chosen, ledger, charge);
    return outcome;
  }
  if (reserved.repeated) {
    if (std::string why = file::obstacle(ledger, reserved, charge.key); !why.empty())
      return file::refused(std::move(why));
  }
  ledger::fault_point("release.reserved");
  const Receipt opened = ledger.open(reserved.ticket, reserved.secret, file::call(charge, "open", ""));
  if (!opened.accepted) return file::refused(opened.reason, opened);
  if (opened.repeated) return file::refused(file::spent(charge.key));
  ledger::fault_point("release.opened");

  Document document =
      file::document_of(terms, chosen, relation, file::drawn_after_opening(request, chosen, charge.key));
  ledger::fault_point("release.drawn");
  document.payment = Payment{.ledger = ledger.head().ledger,
                             .scope = charge.scope,
                             .blocks = charge.blocks,
                             .key = charge.key,
                             .ticket = reserved.ticket,
                             .entry = opened.entry,
                             .hash = opened.hash,
                             .time = opened.time,
                             .note = reserved.note};
  std::string bytes = write_document(terms, chosen, document);
  const Receipt committed = file::commit(ledger, reserved.ticket, {.bytes = bytes, .sha256 = digest::sha256(bytes)},
                                         file::call(charge, "commit", ""));
  if (!committed.accepted) return file::refused(committed.reason, committed);
  ledger::fault_point("release.committed");
  return {.is_published = true, .document = std::move(bytes)};
}

Outcome may_run(const Terms& terms, const Design& design, const Ledger& ledger, const Charge& charge) {
  Receipt answer = ledger.may_run({.scope = charge.scope, .steps = design.plan, .blocks = charge.blocks});
  const bool fits = answer.accepted;
  std::string reason = answer.reason;
  Outcome outcome = run_file::refused(std::move(reason), std::move(answer));
  if (!fits) run_file::set_fitting(outcome, terms, design, ledger, charge);
  return outcome;
}

std::string run_uncounted(const Request& request) {
  namespace file = run_file;
  check_values(request);
  const Adjacency relation = relation_of(request.terms);
  const Design chosen = design(request.terms, relation);
  const Document document = file::document_of(request.terms, chosen, relation, draw(request, chosen));
  return write_document(request.terms, chosen, document);
}

}  // namespace renyi::release
