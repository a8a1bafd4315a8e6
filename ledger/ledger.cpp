// The public class: arguments become requests of the log.
#include "renyi/ledger.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "digest/sha256.h"
#include "json/write.h"
#include "ledger/decider.h"
#include "ledger/log/burn_down.h"
#include "ledger/log/clock.h"
#include "ledger/log/pages.h"
#include "ledger/log/random.h"
#include "ledger/log/replay.h"
#include "ledger/log/verifier.h"
#include "ledger/rules/book.h"
#include "ledger/store/store.h"
#include "ledger/store/witness.h"
#include "ledger/writer.h"
#include "plan/plan_writer.h"
#include "renyi/error.h"

namespace renyi {

namespace ledger_file {
namespace {

using ledger::Request;
using ledger::Verb;

constexpr std::size_t longest_name = 200, longest_text = 2000;

// Texts of users are kept in the log for ever: valid UTF-8 of one line.
void check_text(const char* field, const std::string& text, std::size_t longest) {
  const auto is_letter = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (text.size() <= longest && std::all_of(text.begin(), text.end(), is_letter)) return;
  const bool is_plain =
      std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; });
  const std::string written = json::write(json::Json(text));
  const bool is_utf8 =
      written.find("\\ufffd") == std::string::npos && written.find("\xef\xbf\xbd") == std::string::npos;
  if (is_plain && is_utf8 && text.size() <= longest) return;
  throw InvalidArgument(field, fmt::format("{} bytes", text.size()),
                        fmt::format("up to {} bytes of one line of UTF-8", longest));
}

// A key of one's own makes every call repeatable, also after a lost connection. Times keep new keys together in the
// store; the process is a part of it, since a copy of a process has the same random digits and the same count.
std::string new_key() {
  static const std::string random = ledger::random_digits(8);
  static std::atomic<std::uint64_t> count{0};
  const auto ticks = static_cast<std::uint64_t>(ledger::now().time_since_epoch().count());
  return fmt::format("{}{:016x}-{:x}-{:x}-{}", ledger::own_key, ticks, ::getpid(), count.fetch_add(1), random);
}

Request request_of(Verb verb, const CallInfo& call) {
  check_text("key", call.key, longest_name);
  check_text("person", call.person, longest_name);
  check_text("comment", call.comment, longest_text);
  if (call.key.starts_with(ledger::own_key)) {
    throw InvalidArgument("key", '"' + call.key + '"',
                          fmt::format("a key that does not begin with {}", ledger::own_key));
  }
  if (!call.lineage.empty() && !ledger::is_lineage(call.lineage)) {
    throw InvalidArgument("lineage", fmt::format("{} bytes", call.lineage.size()),
                          "8 to 64 hexadecimal digits in lower case");
  }
  // Nobody else has a key that is made here.
  Request request{.verb = verb, .key = call.key, .person = call.person, .comment = call.comment};
  if (call.key.empty()) {
    request.key = new_key();
  } else {
    request.lineage = call.lineage;
  }
  return request;
}

std::string steps_text(const Plan& plan) { return json::write(plan::write_steps(plan.steps())); }

ledger::Work charge_work(Verb verb, const ChargeRequest& asked, std::string steps, const CallInfo& call) {
  ledger::Work work{.request = request_of(verb, call), .relation = asked.steps.adjacency()};
  work.request.scope = asked.scope;
  work.request.steps = std::move(steps);
  work.request.count = asked.count;
  work.request.blocks = asked.blocks;
  return work;
}

}  // namespace
}  // namespace ledger_file

class Ledger::Implementation {
 public:
  // The store was found to be that of the ledger: what is no ledger, or a copy of one, stays as it is.
  Implementation(std::unique_ptr<ledger::Store> store, std::unique_ptr<ledger::Witness> witness, const std::string& id)
      : store_(std::move(store)),
        witness_(std::move(witness)),
        id_(id),
        upgrade_(store_->upgrade()),
        prices_(std::make_shared<ledger::PriceList>()),
        writer_(*store_, witness_.get(), id, prices_),
        decider_(writer_, *prices_) {}

  ledger::Writer& writer() noexcept { return writer_; }
  ledger::Decider& decider() noexcept { return decider_; }
  ledger::PriceList& prices() noexcept { return *prices_; }
  ledger::Store& store() noexcept { return *store_; }
  bool has_witness() const noexcept { return witness_ != nullptr; }
  const std::string& id() const noexcept { return id_; }
  const std::optional<LedgerUpgrade>& upgrade() const noexcept { return upgrade_; }
  std::optional<ledger::LogEnd> witnessed() { return witness_ ? witness_->last(id_) : std::nullopt; }

  std::vector<Receipt> perform(std::vector<ledger::Work> works) {
    decider_.perform(works, [this](const auto& question) { ask(question); });
    std::vector<Receipt> receipts;
    for (ledger::Work& work : works) receipts.push_back(std::move(work.receipt));
    return receipts;
  }
  Receipt perform(ledger::Work work) { return perform(std::vector<ledger::Work>{std::move(work)}).front(); }

  ledger::Verifier& verifier() noexcept { return verifier_; }

  // Reservations that are overdue go back before a question is answered, if this process may write. What is not given
  // back in time counts as spent, which is too much and never too little.
  void expire() {
    bool is_overdue = false;
    store_->read([&](ledger::View& view) { is_overdue = !view.overdue(ledger::text_of(ledger::now()), 1).empty(); });
    if (!is_overdue) return;
    try {
      writer_.expire();
    } catch (const StoreFailure& error) {
      if (error.fault() != StoreFault::read_only) throw;
    } catch (const LimitReached& error) {
      if (error.limit() == Limit::interruption) throw;
    } catch (const Unsupported&) {  // a step of the history that this version cannot price
    }
  }
  void ask(const std::function<void(ledger::Book&, ledger::View&)>& question) {
    expire();
    writer_.ask(question);
  }
  // A question that needs no accounts.
  void look(const std::function<void(ledger::View&)>& question) {
    expire();
    store_->read(question);
  }

 private:
  std::unique_ptr<ledger::Store> store_;
  std::unique_ptr<ledger::Witness> witness_;
  std::string id_;
  std::optional<LedgerUpgrade> upgrade_;
  std::shared_ptr<ledger::PriceList> prices_;
  ledger::Writer writer_;
  ledger::Decider decider_;
  ledger::Verifier verifier_{};
};

namespace ledger_file {
namespace {

[[noreturn]] void rolled_back(const std::string& what) {
  throw StoreFailure(
      StoreFault::rolled_back, what,
      "an older copy, or a rewritten log, is in its place; `renyi ledger import` goes on with it under a "
      "new id");
}

constexpr const char* where_the_witness_is =
    "if it was moved, say where it is (--witness); if it is lost, `renyi ledger import` makes a new ledger of this "
    "one, "
    "with a new witness";

// Errors of a witness must not look like those of the ledger. Connection strings are not repeated.
std::unique_ptr<ledger::Witness> existing_witness(const std::string& where, std::chrono::milliseconds patience) {
  try {
    return ledger::open_witness(where, false, patience);
  } catch (const StoreFailure& error) {
    constexpr std::size_t path_size = 8;  // "ledger: "
    const std::string what = std::string(error.what()).substr(path_size);
    const std::string name = where.find("://") == std::string::npos ? " \"" + where + '"' : std::string();
    throw StoreFailure(error.fault(),
                       fmt::format("the witness{} cannot be opened ({})", name, what.substr(0, what.find("; "))),
                       where_the_witness_is);
  }
}

void check_witness(ledger::Store& store, ledger::Witness& witness, const std::string& id) {
  const auto last = witness.last(id);
  store.read([&](ledger::View& view) {
    const ledger::LogEnd end = view.end();
    if (!last) {
      // Whoever made the ledger may have ended before the witness was told; it is told of the next entry.
      const auto row = view.entry(end.entry);
      const auto verb = row ? ledger::read_stored_entry(row->text).request.verb : Verb::charge;
      if (verb == Verb::init || verb == Verb::import) return;
      throw StoreFailure(StoreFault::rolled_back, "the witness does not know this ledger", where_the_witness_is);
    }
    if (end.entry < last->entry) {
      rolled_back(fmt::format("the witness has seen entry {}, and the log ends at {}", last->entry, end.entry));
    }
    const auto row = view.entry(last->entry);
    if (!row || row->hash != last->hash || digest::sha256(row->text) != last->hash) {
      rolled_back(fmt::format("entry {} is not the one that the witness has seen", last->entry));
    }
  });
}

}  // namespace
}  // namespace ledger_file

Ledger::Ledger(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

namespace ledger_file {
namespace {

// They are written together with the first entries, by the only one who writes these. `made` is the entry that names
// the id.
std::vector<std::pair<std::string, std::string>> facts_of(ledger::Store& store, const std::string& id,
                                                          std::int64_t made, const LedgerOptions& options) {
  // A ledger may be used from another directory than that in which it was made.
  const bool is_file = !options.witness.empty() && options.witness.find("://") == std::string::npos;
  return {{"place", store.place()},
          {"ledger", id},
          {"made", fmt::to_string(made)},
          {"witness", is_file ? std::filesystem::absolute(options.witness).string() : options.witness}};
}

// Returns whether the ledger was made with a witness, as the entry says that made it: its first one, or an import.
bool is_witnessed(ledger::View& view, const std::string& id) {
  const std::string made = view.fact("made");
  std::int64_t number = 0;
  std::from_chars(made.data(), made.data() + made.size(), number);
  const auto row = view.entry(number);
  const auto request = row && !id.empty() ? ledger::read_stored_entry(row->text).request : Request{};
  if (id.empty() || request.ledger != id) {
    throw StoreFailure(StoreFault::corrupt, "the ledger was not completed when it was made", "make it again");
  }
  return request.has_witness;
}

// A store without entries was left by a process that ended while it made a ledger: it is as good as none.
std::unique_ptr<ledger::Store> new_store(const std::string& location, const LedgerOptions& options) {
  try {
    return ledger::create_store(location, options.patience);
  } catch (const InvalidArgument&) {
    std::unique_ptr<ledger::Store> found;
    bool is_empty = false;
    try {
      found = ledger::open_store(location, options.patience);
      found->read([&](ledger::View& view) { is_empty = view.end().entry < 0; });
    } catch (const Error&) {
      is_empty = false;
    }
    if (!is_empty) throw;
    return found;
  }
}

}  // namespace
}  // namespace ledger_file

Ledger Ledger::create(const std::string& location, const LedgerOptions& options) {
  auto witness = options.witness.empty() ? nullptr : ledger::open_witness(options.witness, true, options.patience);
  auto store = ledger_file::new_store(location, options);
  const std::string id = ledger::random_digits(16);
  auto facts = ledger_file::facts_of(*store, id, 0, options);
  Ledger made(std::make_unique<Implementation>(std::move(store), std::move(witness), id));
  ledger_file::Request request = ledger_file::request_of(ledger_file::Verb::init, {});
  request.ledger = id;
  request.has_witness = made.has_witness();
  made.implementation_->perform({.request = request, .facts = std::move(facts)});
  return made;
}

Ledger::Ledger(const std::string& location, const LedgerOptions& options) {
  auto store = ledger::open_store(location, options.patience);
  std::string id, place, where;
  bool is_witnessed = false;
  store->read([&](ledger::View& view) {
    id = view.fact("ledger");
    place = view.fact("place");
    where = view.fact("witness");
    is_witnessed = ledger_file::is_witnessed(view, id);
  });
  if (place != store->place()) {
    throw StoreFailure(
        StoreFault::copied, "this is a copy of a ledger, or one that was moved or restored",
        "`renyi ledger import` makes a new ledger of it, with a new id, so that no budget is spent twice");
  }
  if (!options.witness.empty()) where = options.witness;
  if (is_witnessed && where.empty()) {
    throw StoreFailure(StoreFault::rolled_back, "the ledger has a witness, and does not say where",
                       ledger_file::where_the_witness_is);
  }
  auto witness = where.empty() ? nullptr : ledger_file::existing_witness(where, options.patience);
  if (witness) ledger_file::check_witness(*store, *witness, id);
  implementation_ = std::make_unique<Implementation>(std::move(store), std::move(witness), id);
}

// ---- Scopes.

Receipt Ledger::add_scope(const std::string& name, const ScopeSettings& settings, const CallInfo& call) {
  auto request = ledger_file::request_of(ledger_file::Verb::scope, call);
  request.scope = name;
  request.settings = settings;
  request.blocks = std::move(request.settings.first_blocks);
  request.settings.first_blocks.clear();
  if (settings.blocks) ledger_file::check_text("block_rule.rule", settings.blocks->rule, ledger_file::longest_name);
  if (!settings.relation) {
    request.settings.relation = Adjacency{};
    const std::size_t slash = name.rfind('/');
    if (slash != std::string::npos) {
      implementation_->ask([&](ledger::Book& book, ledger::View&) {
        request.settings.relation = book.parent_of(name).settings.relation;
      });
    }
  }
  return implementation_->perform({.request = std::move(request)});
}

Receipt Ledger::add_blocks(const std::string& scope, const std::vector<std::string>& blocks, const CallInfo& call) {
  auto request = ledger_file::request_of(ledger_file::Verb::blocks, call);
  request.scope = scope;
  request.blocks = blocks;
  return implementation_->perform({.request = std::move(request)});
}

Receipt Ledger::lower_budget(const std::string& scope, const Budget& budget, const CallInfo& call) {
  auto request = ledger_file::request_of(ledger_file::Verb::lower, call);
  request.scope = scope;
  request.budget = budget;
  return implementation_->perform({.request = std::move(request)});
}

Receipt Ledger::raise_budget(const std::string& scope, const Budget& budget, const std::string& reason,
                             const CallInfo& call) {
  ledger_file::check_text("reason", reason, ledger_file::longest_text);
  auto request = ledger_file::request_of(ledger_file::Verb::raise, call);
  request.scope = scope;
  request.budget = budget;
  request.reason = reason;
  return implementation_->perform({.request = std::move(request)});
}

// ---- Charges.

Receipt Ledger::charge(const ChargeRequest& request, const CallInfo& call) {
  return charge_all({{request, call}}).front();
}

std::vector<Receipt> Ledger::charge_all(const std::vector<Charge>& charges) {
  std::vector<ledger::Work> works;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const ChargeRequest& asked = charges[i].request;
    const bool is_same = i > 0 && asked.steps == charges[i - 1].request.steps;
    std::string steps = is_same ? works.back().request.steps : ledger_file::steps_text(asked.steps);
    works.push_back(ledger_file::charge_work(ledger_file::Verb::charge, asked, std::move(steps), charges[i].call));
  }
  return implementation_->perform(std::move(works));
}

Receipt Ledger::reserve(const ChargeRequest& request, std::chrono::seconds expires_in, const CallInfo& call) {
  constexpr std::chrono::seconds longest{std::chrono::hours(24 * 366)};
  if (expires_in < std::chrono::seconds(1) || expires_in > longest) {
    throw InvalidArgument("expires_in", fmt::format("{} s", expires_in.count()), "1 second to 366 days");
  }
  ledger::Work work =
      ledger_file::charge_work(ledger_file::Verb::reserve, request, ledger_file::steps_text(request.steps), call);
  work.secret = ledger::random_digits(16);
  work.request.expires_in = expires_in.count();
  return implementation_->perform(std::move(work));
}

namespace ledger_file {
namespace {

Request ticket_request(Verb verb, std::int64_t ticket, const CallInfo& call) {
  Request request = request_of(verb, call);
  if (ticket < 1) throw InvalidArgument("ticket", fmt::to_string(ticket), "the number of a ticket that was reserved");
  request.ticket = ticket;
  return request;
}

}  // namespace
}  // namespace ledger_file

Receipt Ledger::open(std::int64_t ticket, const std::string& secret, const CallInfo& call) {
  return implementation_->perform(
      {.request = ledger_file::ticket_request(ledger_file::Verb::open, ticket, call), .secret = secret});
}

Receipt Ledger::commit(std::int64_t ticket, const Output& output, const CallInfo& call) {
  auto request = ledger_file::ticket_request(ledger_file::Verb::commit, ticket, call);
  request.output_sha256 = output.sha256;
  if (!output.bytes.empty()) {
    request.output_sha256 = digest::sha256(output.bytes);
    if (!output.sha256.empty() && output.sha256 != request.output_sha256) {
      throw InvalidArgument("output.sha256", output.sha256, "the SHA-256 of the bytes, or none");
    }
  }
  const std::string& digits = request.output_sha256;
  if (!digits.empty() && (digits.size() != 64 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)) {
    throw InvalidArgument("output.sha256", "another text", "64 hexadecimal digits, in lower case");
  }
  return implementation_->perform({.request = std::move(request), .output = output.bytes});
}

Receipt Ledger::cancel(std::int64_t ticket, const CallInfo& call) {
  return implementation_->perform({.request = ledger_file::ticket_request(ledger_file::Verb::cancel, ticket, call)});
}

// ---- Tokens.

Receipt Ledger::record_token(TokenEvent event, const TokenRecord& token, const CallInfo& call) {
  auto request = ledger_file::request_of(ledger_file::Verb::token, call);
  if (token.id.empty()) throw InvalidArgument("token.id", "nothing", "the id of a token");
  if (token.holder.empty()) throw InvalidArgument("token.holder", "nothing", "the name of a token");
  for (const std::string* text : {&token.id, &token.holder, &token.role, &token.expires, &token.lineage}) {
    ledger_file::check_text("token", *text, ledger_file::longest_name);
  }
  for (const std::string& scope : token.scopes) {
    ledger_file::check_text("token.scopes", scope, ledger_file::longest_text);
  }
  request.event = event;
  request.token = token;
  return implementation_->perform({.request = std::move(request)});
}

// ---- Questions.

Receipt Ledger::may_run(const ChargeRequest& asked) const {
  ledger::Work work =
      ledger_file::charge_work(ledger_file::Verb::charge, asked, ledger_file::steps_text(asked.steps), {});
  const ledger::Situation found =
      implementation_->decider().decision(work, [this](const auto& question) { implementation_->ask(question); });
  const ledger::Outcome& outcome = found.candidate.outcome;
  return {.verb = "charge",
          .scope = asked.scope,
          .accepted = outcome.accepted,
          .note = outcome.note,
          .reason = outcome.reason,
          .refused_by = outcome.refused_by,
          .left = found.quotes(implementation_->prices()),
          .fitting_count = outcome.fitting_count,
          .fitting_step = outcome.fitting_step};
}

namespace ledger_file {
namespace {

constexpr const char* last_time = "9999-12-31T23:59:59.999Z";
constexpr std::int64_t most_listed = 100'000;

bool lies_in(const std::string& name, const std::string& scope) {
  return name == scope || (name.starts_with(scope) && name[scope.size()] == '/');
}

}  // namespace
}  // namespace ledger_file

std::vector<ScopeState> Ledger::scopes() const {
  std::vector<ScopeState> list;
  std::vector<ledger::Standing> standings;
  implementation_->ask([&](ledger::Book& book, ledger::View& view) {
    const auto reserved = view.overdue(ledger_file::last_time, ledger_file::most_listed);
    for (const ledger::Scope* known : book.scopes()) {
      ledger::Scope& scope = book.scope(known->name);
      list.push_back(book.state_of(scope));
      for (const auto& row : reserved) list.back().reserved += ledger_file::lies_in(row.scope, scope.name) ? 1 : 0;
      standings.push_back(book.standing(scope));
    }
  });
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].balances = ledger::balances(standings[i], implementation_->prices());
  }
  return list;
}

ScopeState Ledger::scope(const std::string& name) const {
  ScopeState state;
  ledger::Standing standing;
  implementation_->ask([&](ledger::Book& book, ledger::View& view) {
    state = book.state_of(book.scope(name));
    standing = book.standing(book.scope(name));
    for (const auto& row : view.overdue(ledger_file::last_time, ledger_file::most_listed)) {
      state.reserved += ledger_file::lies_in(row.scope, name) ? 1 : 0;
    }
  });
  state.balances = ledger::balances(standing, implementation_->prices());
  return state;
}

Adjacency Ledger::relation(const std::string& scope) const { return implementation_->decider().relation(scope); }

std::vector<BlockBalances> Ledger::blocks(const std::string& name) const {
  std::vector<std::pair<std::string, ledger::Standing>> standings;
  implementation_->ask([&](ledger::Book& book, ledger::View&) { standings = book.block_standings(book.scope(name)); });
  std::vector<BlockBalances> list;
  for (const auto& [block, standing] : standings) {
    list.push_back({block, ledger::balances(standing, implementation_->prices())});
  }
  return list;
}

std::vector<ScopeBalances> Ledger::balances(const ChargeRequest& asked) const {
  ledger::Work work =
      ledger_file::charge_work(ledger_file::Verb::charge, asked, ledger_file::steps_text(asked.steps), {});
  return implementation_->decider()
      .situation(work, [this](const auto& question) { implementation_->ask(question); })
      .quotes(implementation_->prices());
}

std::vector<BurnDownPoint> Ledger::burn_down(const std::string& name, BurnDownBy by) const {
  std::optional<ledger::BurnDown> burn_down;
  implementation_->ask([&](ledger::Book& book, ledger::View&) { burn_down.emplace(book.scope(name), by); });
  ledger::visit_history(implementation_->store(), {.scope = name},
                        [&](const ledger::EntryRow& row) { burn_down->take(ledger::read_stored_entry(row.text)); });
  return burn_down->finish();
}

Receipt Ledger::ticket(std::int64_t number) const {
  Receipt receipt;
  implementation_->look([&](ledger::View& view) {
    const auto row = view.entry(number);
    if (row) receipt = ledger::receipt_of(ledger::read_stored_entry(row->text), row->hash);
    if (!row || !receipt.accepted || (receipt.verb != "charge" && receipt.verb != "reserve")) {
      throw InvalidArgument("ticket", fmt::to_string(number), "the number of a ticket that was reserved, or charged");
    }
    if (const auto ticket = view.ticket(number)) {
      receipt.state = ticket->state;
      receipt.secret = ticket->secret;
    }
  });
  return receipt;
}

std::optional<Receipt> Ledger::answer_to(const std::string& key) const {
  std::optional<Receipt> receipt;
  implementation_->look([&](ledger::View& view) {
    if (const auto row = view.entry_by_key(key))
      receipt = ledger::receipt_of(ledger::read_stored_entry(row->text), row->hash);
  });
  return receipt;
}

std::optional<Output> Ledger::output(std::int64_t ticket) const {
  std::optional<Output> found;
  implementation_->look([&](ledger::View& view) {
    if (auto bytes = view.output(ticket)) found = Output{*bytes, digest::sha256(*bytes)};
  });
  return found;
}

// ---- The log.

namespace ledger_file {
namespace {

void check_time(const char* field, const std::string& text) {
  if (text.empty() || ledger::is_time(text)) return;
  throw InvalidArgument(field, '"' + text.substr(0, 100) + '"', "2026-11, 2026-11-17 or 2026-11-17T12:00, in UTC");
}

}  // namespace
}  // namespace ledger_file

LedgerHead Ledger::head() const {
  LedgerHead head{.ledger = implementation_->id()};
  implementation_->store().read([&](ledger::View& view) {
    const ledger::LogEnd end = view.end();
    head.entry = end.entry;
    head.hash = end.hash;
  });
  implementation_->writer().has_seen(head.entry);
  return head;
}

bool Ledger::has_witness() const { return implementation_->has_witness(); }
LedgerStatistics Ledger::statistics() const noexcept { return implementation_->writer().statistics(); }

const std::optional<LedgerUpgrade>& Ledger::upgrade() const { return implementation_->upgrade(); }

void Ledger::history(const HistoryFilter& filter, const std::function<void(const LedgerEntry&)>& visit) const {
  ledger_file::check_time("since", filter.since);
  ledger_file::check_time("until", filter.until);
  if (!filter.scope.empty()) {
    implementation_->writer().ask([&](ledger::Book& book, ledger::View&) { book.scope(filter.scope); });
  }
  if (filter.most > 0 && filter.last > 0) {
    throw InvalidArgument("last", fmt::to_string(filter.last), "either the first entries (most) or the last ones");
  }
  if (filter.of == HistoryOf::pending) implementation_->expire();
  ledger::visit_history(implementation_->store(), filter, [&](const ledger::EntryRow& row) {
    visit({row.entry, row.hash, row.text});
  });
}

LedgerVerification Ledger::verify(const std::optional<LedgerHead>& kept, VerifyFrom from) const {
  const auto seen = implementation_->witnessed();
  LedgerVerification result = implementation_->verifier().verify(implementation_->store(), kept, from);
  if (!seen || !result.valid) return result;
  implementation_->store().read([&](ledger::View& view) {
    const auto row = view.entry(seen->entry);
    if (row && row->hash == seen->hash) {
      result.witnessed = seen->entry;
      return;
    }
    result.valid = false;
    result.wrong_entry = std::min(seen->entry, result.entries);
    result.fault = fmt::format("the witness has seen another entry {}", seen->entry);
  });
  return result;
}

void read_log(const std::string& location, const std::function<void(const LedgerEntry&)>& visit,
              const LedgerOptions& options) {
  ledger::open_store(location, options.patience, ledger::Tables::as_they_are)->read([&](ledger::View& view) {
    view.entries(0, [&](const ledger::EntryRow& row) {
      visit({row.entry, row.hash, row.text});
      return true;
    });
  });
}

LedgerVerification verify_log(const std::string& lines, const std::optional<LedgerHead>& kept) {
  return ledger::Replay::of_lines(lines, kept).result();
}

Ledger import_ledger(const std::string& lines, const std::string& location, const LedgerOptions& options) {
  ledger::Replay replay = ledger::Replay::of_lines(lines, {});
  if (!replay.result().valid) {
    throw InvalidArgument("lines", fmt::format("entry {}: {}", replay.result().wrong_entry, replay.result().fault),
                          "the export of a ledger, as it was written");
  }
  {
    auto witness = options.witness.empty() ? nullptr : ledger::open_witness(options.witness, true, options.patience);
    auto store = ledger_file::new_store(location, options);
    ledger_file::Request request = ledger_file::request_of(ledger_file::Verb::import, {});
    request.ledger = ledger::random_digits(16);
    request.has_witness = witness != nullptr;
    request.predecessor = replay.result().head;
    ledger::Changes changes = replay.continue_with(request, ledger::text_of(ledger::now()));
    changes.facts = ledger_file::facts_of(*store, request.ledger, changes.entries.back().entry, options);
    store->write([&](ledger::View& view) {
      if (view.end().entry >= 0) {
        throw InvalidArgument("ledger", "a ledger that has entries", "a place that is not taken");
      }
      return changes;
    });
    store->make_durable();
    const ledger::EntryRow& last = changes.entries.back();
    if (witness) witness->record(request.ledger, {last.entry, last.hash, last.time});
  }
  return Ledger(location, options);
}

}  // namespace renyi
