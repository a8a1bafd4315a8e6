// Ledgers, and releases that they pay for. Every call runs without the interpreter lock, because it waits for the disk;
// several Python threads may use one ledger, and share its synchronisations.
#include "renyi/ledger.h"

#include <pybind11/stl.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "gil.h"
#include "plans.h"
#include "renyi/release.h"

namespace renyi::python {
namespace ledger_file {
namespace {

// Key, person, comment.
using CallRow = std::tuple<std::string, std::string, std::string>;
// Scope, steps, count, blocks.
using ChargeRow = std::tuple<std::string, Plan, std::int64_t, std::vector<std::string>>;
// The rule in words, whether a unit lies in one block, whether it stays there.
using RuleRow = std::tuple<std::string, bool, bool>;
// The id of the ledger, the entry, its hash.
using HeadRow = std::tuple<std::string, std::int64_t, std::string>;
// The entry, its hash, its text.
using EntryRow = std::tuple<std::int64_t, std::string, std::string>;
// Scope, person, since, until, after, most, before, last, what it is of.
using FilterRow = std::tuple<std::string, std::string, std::string, std::string, std::int64_t, std::int64_t,
                             std::int64_t, std::int64_t, std::string>;

CallInfo call_of(const CallRow& row) { return {std::get<0>(row), std::get<1>(row), std::get<2>(row)}; }

ChargeRequest request_of(const ChargeRow& row) {
  return {std::get<0>(row), std::get<1>(row), std::get<2>(row), std::get<3>(row)};
}

LedgerOptions options_of(const std::string& witness, double patience) {
  return {.witness = witness, .patience = std::chrono::milliseconds(static_cast<std::int64_t>(patience * 1000))};
}

std::optional<LedgerHead> head_of(const std::optional<HeadRow>& row) {
  if (!row) return std::nullopt;
  return LedgerHead{std::get<0>(*row), std::get<1>(*row), std::get<2>(*row)};
}

HeadRow row_of(const LedgerHead& head) { return {head.ledger, head.entry, head.hash}; }

py::list rows_of(const std::vector<Balance>& balances) {
  py::list rows;
  for (const Balance& one : balances) {
    rows.append(py::make_tuple(one.name, one.order, one.spent, one.limit, one.left, one.within));
  }
  return rows;
}

py::dict row_of(const Receipt& receipt) {
  py::dict row, left;
  for (const ScopeBalances& one : receipt.left) left[py::str(one.scope)] = rows_of(one.balances);
  row["entry"] = receipt.entry;
  row["hash"] = receipt.hash;
  row["time"] = receipt.time;
  row["verb"] = receipt.verb;
  row["scope"] = receipt.scope;
  row["key"] = receipt.key;
  row["accepted"] = receipt.accepted;
  row["repeated"] = receipt.repeated;
  row["ticket"] = receipt.ticket;
  row["state"] = receipt.state ? py::object(py::str(std::string(to_string(*receipt.state)))) : py::none();
  row["secret"] = receipt.secret;
  row["expires"] = receipt.expires;
  row["note"] = receipt.note;
  row["refused_by"] = receipt.refused_by;
  row["reason"] = receipt.reason;
  row["left"] = left;
  row["fitting_count"] = receipt.fitting_count;
  row["fitting_step"] = py::none();
  if (const auto& step = receipt.fitting_step) {
    row["fitting_step"] = py::make_tuple(step->parameter, step->value, step->is_closest);
  }
  return row;
}

py::dict row_of(const ScopeState& state) {
  py::dict row;
  row["name"] = state.name;
  row["budget"] = state.settings.budget;
  row["cap"] = state.settings.cap;
  row["neighbors"] = std::string(to_string(state.relation.neighbors));
  row["unit"] = state.relation.unit;
  row["analysts_may_collude"] = state.settings.analysts_may_collude;
  row["may_cancel"] = state.settings.may_cancel;
  row["block_rule"] = py::none();
  if (const auto& rule = state.settings.blocks) {
    row["block_rule"] = py::make_tuple(rule->rule, rule->unit_in_one_block, rule->block_is_fixed);
  }
  row["blocks"] = state.blocks;
  row["balances"] = rows_of(state.balances);
  row["charges"] = state.charges;
  row["reserved"] = state.reserved;
  row["note"] = state.note;
  return row;
}

py::dict row_of(const LedgerVerification& found) {
  py::dict row;
  row["valid"] = found.valid;
  row["entries"] = found.entries;
  row["wrong_entry"] = found.wrong_entry;
  row["fault"] = found.fault;
  row["notes"] = found.notes;
  row["resumed_after"] = found.resumed_after;
  row["head"] = row_of(found.head);
  return row;
}

// Runs `work` without the interpreter lock.
template <class Work>
auto unlocked(const Work& work) {
  const WithoutGil released;
  return work();
}

// A process that was forked shares the open files of its parent, which no store survives: neither may the child use
// the ledger, nor close it.
class LocalLedger {
 public:
  explicit LocalLedger(Ledger ledger) : ledger_(std::make_unique<Ledger>(std::move(ledger))) {}
  LocalLedger(const LocalLedger&) = delete;
  LocalLedger& operator=(const LocalLedger&) = delete;
  ~LocalLedger() {
    if (::getpid() != process_) static_cast<void>(ledger_.release());  // NOLINT(bugprone-unused-return-value)
  }

  Ledger& get() const {
    if (::getpid() == process_) return *ledger_;
    throw Unsupported("ledger", "it was opened before this process was forked", "open it again here");
  }

 private:
  std::unique_ptr<Ledger> ledger_;
  pid_t process_ = ::getpid();
};

std::unique_ptr<LocalLedger> opened(const std::string& location, const std::string& witness, double patience) {
  return unlocked([&] { return std::make_unique<LocalLedger>(Ledger(location, options_of(witness, patience))); });
}

std::unique_ptr<LocalLedger> created(const std::string& location, const std::string& witness, double patience) {
  return unlocked(
      [&] { return std::make_unique<LocalLedger>(Ledger::create(location, options_of(witness, patience))); });
}

std::unique_ptr<LocalLedger> imported(const std::string& lines, const std::string& location, const std::string& witness,
                                      double patience) {
  return unlocked(
      [&] { return std::make_unique<LocalLedger>(import_ledger(lines, location, options_of(witness, patience))); });
}

py::dict add_scope(const LocalLedger& ledger, const std::string& name, const Budget& budget,
                   const std::optional<Budget>& cap, const std::optional<std::string>& neighbors,
                   const std::optional<std::int64_t>& unit, bool analysts_may_collude, bool may_cancel,
                   const std::optional<RuleRow>& rule, const CallRow& call) {
  ScopeSettings settings{
      .budget = budget, .cap = cap, .analysts_may_collude = analysts_may_collude, .may_cancel = may_cancel};
  if (neighbors || unit) {
    const Neighbors chosen = neighbors ? neighbors_named(*neighbors) : Neighbors::add_or_remove_one;
    settings.relation = Plan(chosen, unit.value_or(1)).adjacency();
  }
  if (rule) settings.blocks = BlockRule{std::get<0>(*rule), std::get<1>(*rule), std::get<2>(*rule)};
  return row_of(unlocked([&] { return ledger.get().add_scope(name, settings, call_of(call)); }));
}

py::list charge_all(const LocalLedger& ledger, const std::vector<std::pair<ChargeRow, CallRow>>& charges) {
  std::vector<Ledger::Charge> all;
  for (const auto& [request, call] : charges) all.push_back({request_of(request), call_of(call)});
  py::list rows;
  for (const Receipt& one : unlocked([&] { return ledger.get().charge_all(all); })) rows.append(row_of(one));
  return rows;
}

py::dict commit(const LocalLedger& ledger, std::int64_t ticket, const py::bytes& bytes, const std::string& sha256,
                const CallRow& call) {
  const Output output{.bytes = bytes, .sha256 = sha256};
  return row_of(unlocked([&] { return ledger.get().commit(ticket, output, call_of(call)); }));
}

py::object output(const LocalLedger& ledger, std::int64_t ticket) {
  const auto found = unlocked([&] { return ledger.get().output(ticket); });
  if (!found) return py::none();
  return py::bytes(found->bytes);
}

// Scope, blocks, key, person.
using PaymentRow = std::tuple<std::string, std::vector<std::string>, std::string, std::string>;

// Whether it is repeated, the document (empty if it is not published), why not, what the ledger says, and the factor on
// all noise with which it would accept.
py::tuple release_paid(const LocalLedger& ledger, const std::string& request, const PaymentRow& payment) {
  const auto& [scope, blocks, key, person] = payment;
  const release::Charge charge{.scope = scope, .blocks = blocks, .key = key, .person = person};
  const release::Outcome outcome =
      unlocked([&] { return release::run(release::read_json(request), ledger.get(), charge); });
  const py::object refusal = outcome.refusal ? py::object(row_of(*outcome.refusal)) : py::none();
  return py::make_tuple(outcome.is_repeated, outcome.document, outcome.reason, refusal, outcome.fitting_factor);
}

void bind_release(py::module_& module, py::class_<LocalLedger>& bound) {
  bound.def("release", &release_paid);
  module.def("release_uncounted", [](const std::string& request) {
    return unlocked([&] { return release::run_uncounted(release::read_json(request)); });
  });
  module.def("write_output", [](const std::string& name, const std::string& text) {
    unlocked([&] { release::write_output(name, text); });
  });
}

py::list scopes(const LocalLedger& ledger) {
  py::list rows;
  for (const ScopeState& one : unlocked([&] { return ledger.get().scopes(); })) rows.append(row_of(one));
  return rows;
}

std::vector<EntryRow> history(const LocalLedger& ledger, const FilterRow& filter) {
  const auto& [scope, person, since, until, after, most, before, last, of] = filter;
  const HistoryOf what = of == "pending" ? HistoryOf::pending : of == "releases" ? HistoryOf::releases : HistoryOf::log;
  std::vector<EntryRow> rows;
  const WithoutGil released;
  ledger.get().history({scope, person, since, until, after, most, before, last, what},
                       [&](const LedgerEntry& one) { rows.emplace_back(one.entry, one.hash, one.text); });
  return rows;
}

void bind_log(py::module_& module) {
  module.def("verify_log", [](const std::string& lines, const std::optional<HeadRow>& kept) {
    return row_of(unlocked([&] { return verify_log(lines, head_of(kept)); }));
  });
  module.def("receipt_of", [](const EntryRow& row) {
    return row_of(receipt_of(LedgerEntry{std::get<0>(row), std::get<1>(row), std::get<2>(row)}));
  });
  module.def("sign_head", [](const HeadRow& head, const std::string& key) { return sign_head(*head_of(head), key); });
  module.def("is_signed", [](const HeadRow& head, const std::string& signature, const std::string& key) {
    return is_signed(*head_of(head), signature, key);
  });
}

void bind_changes(py::class_<LocalLedger>& bound) {
  using Name = const std::string&;
  using Self = const LocalLedger&;
  bound.def("add_scope", &add_scope)
      .def("add_blocks",
           [](Self ledger, Name scope, const std::vector<std::string>& blocks, const CallRow& call) {
             return row_of(unlocked([&] { return ledger.get().add_blocks(scope, blocks, call_of(call)); }));
           })
      .def("lower_budget",
           [](Self ledger, Name scope, const Budget& budget, const CallRow& call) {
             return row_of(unlocked([&] { return ledger.get().lower_budget(scope, budget, call_of(call)); }));
           })
      .def("raise_budget",
           [](Self ledger, Name scope, const Budget& budget, Name reason, const CallRow& call) {
             return row_of(unlocked([&] { return ledger.get().raise_budget(scope, budget, reason, call_of(call)); }));
           })
      .def("charge_all", &charge_all)
      .def("reserve",
           [](Self ledger, const ChargeRow& request, std::int64_t expires_in, const CallRow& call) {
             const std::chrono::seconds after(expires_in);
             return row_of(unlocked([&] { return ledger.get().reserve(request_of(request), after, call_of(call)); }));
           })
      .def("open",
           [](Self ledger, std::int64_t ticket, Name secret, const CallRow& call) {
             return row_of(unlocked([&] { return ledger.get().open(ticket, secret, call_of(call)); }));
           })
      .def("commit", &commit)
      .def("cancel", [](Self ledger, std::int64_t ticket, const CallRow& call) {
        return row_of(unlocked([&] { return ledger.get().cancel(ticket, call_of(call)); }));
      });
}

void bind_questions(py::class_<LocalLedger>& bound) {
  using Self = const LocalLedger&;
  bound
      .def("may_run",
           [](Self ledger, const ChargeRow& request) {
             return row_of(unlocked([&] { return ledger.get().may_run(request_of(request)); }));
           })
      .def("scopes", &scopes)
      .def("scope", [](Self ledger,
                       const std::string& name) { return row_of(unlocked([&] { return ledger.get().scope(name); })); })
      .def("ticket", [](Self ledger,
                        std::int64_t ticket) { return row_of(unlocked([&] { return ledger.get().ticket(ticket); })); })
      .def("answer_to",
           [](Self ledger, const std::string& key) -> py::object {
             const auto found = unlocked([&] { return ledger.get().answer_to(key); });
             return found ? py::object(row_of(*found)) : py::none();
           })
      .def("output", &output)
      .def("head", [](Self ledger) { return row_of(unlocked([&] { return ledger.get().head(); })); })
      .def("has_witness", [](Self ledger) { return ledger.get().has_witness(); })
      .def("history", &history)
      .def("verify", [](Self ledger, const std::optional<HeadRow>& kept, bool resume) {
        const VerifyFrom from = resume ? VerifyFrom::last_verified : VerifyFrom::beginning;
        return row_of(unlocked([&] { return ledger.get().verify(head_of(kept), from); }));
      });
}

}  // namespace
}  // namespace ledger_file

void bind_ledger(py::module_& module) {
  py::class_<ledger_file::LocalLedger> bound(module, "Ledger");
  bound.def(py::init(&ledger_file::opened))
      .def_static("create", &ledger_file::created)
      .def_static("import_log", &ledger_file::imported);
  ledger_file::bind_changes(bound);
  ledger_file::bind_questions(bound);
  ledger_file::bind_log(module);
  ledger_file::bind_release(module, bound);
}

}  // namespace renyi::python
