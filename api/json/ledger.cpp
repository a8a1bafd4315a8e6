// {"op":"ledger","verb":"charge","ledger":LOCATION,"scope":"clinic","steps":[...],"key"?:...} -> the receipt, and so on
// for every verb (docs/format/requests.md).
#include "api/ledger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "api/json/content.h"
#include "api/json/hexadecimal.h"
#include "api/json/ledger_answers.h"
#include "api/json/ledger_keys.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "filter/budget_json.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"

namespace renyi::api {

namespace json_ledger_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 38> keys{"verb",
                                                "ledger",
                                                "witness",
                                                "patience",
                                                "key",
                                                "person",
                                                "comment",
                                                "scope",
                                                "budget",
                                                "cap",
                                                "blocks",
                                                "may_cancel",
                                                "reason",
                                                "analysts_may_collude",
                                                "block_rule",
                                                "charges",
                                                "count",
                                                "expires_in",
                                                "ticket",
                                                "secret",
                                                "output",
                                                "output_hex",
                                                "output_sha256",
                                                "delta",
                                                "burn_down",
                                                "since",
                                                "until",
                                                "after",
                                                "most",
                                                "head",
                                                "public_key",
                                                "private_key",
                                                "lines",
                                                "from",
                                                "before",
                                                "last",
                                                "of",
                                                "resume"};

using Verb = LedgerVerb;
constexpr std::array verbs{Verb::init,   Verb::scope,   Verb::blocks, Verb::lower,  Verb::raise,      Verb::reserve,
                           Verb::open,   Verb::commit,  Verb::cancel, Verb::charge, Verb::may_run,    Verb::show,
                           Verb::ticket, Verb::history, Verb::verify, Verb::head,   Verb::export_log, Verb::import_log};

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// The members of each verb, besides those of all.
std::vector<std::string_view> keys_of(Verb verb) {
  std::vector<std::string_view> own{"op", "id", "verb", "ledger", "witness", "patience", "time_limit", "memory"};
  const auto add = [&](std::initializer_list<std::string_view> more) { own.insert(own.end(), more); };
  switch (verb) {
    case Verb::init:
    case Verb::export_log: return own;
    case Verb::import_log: add({"lines", "from"}); return own;
    case Verb::head: add({"private_key"}); return own;
    case Verb::verify: add({"head", "public_key", "lines", "resume"}); return own;
    case Verb::show: add({"scope", "delta", "burn_down"}); return own;
    case Verb::ticket: add({"ticket"}); return own;
    case Verb::history: add({"scope", "person", "since", "until", "after", "most", "before", "last", "of"}); return own;
    case Verb::may_run: add({"scope", "neighbors", "unit", "steps", "run", "count", "blocks"}); return own;
    default: break;
  }
  add({"key", "person", "comment"});
  switch (verb) {
    case Verb::scope:
      add({"scope", "budget", "cap", "neighbors", "unit", "analysts_may_collude", "may_cancel", "block_rule",
           "blocks"});
      break;
    case Verb::blocks: add({"scope", "blocks"}); break;
    case Verb::lower: add({"scope", "budget"}); break;
    case Verb::raise: add({"scope", "budget", "reason"}); break;
    case Verb::reserve: add({"scope", "neighbors", "unit", "steps", "run", "count", "blocks", "expires_in"}); break;
    case Verb::charge: add({"scope", "neighbors", "unit", "steps", "run", "count", "blocks", "charges"}); break;
    case Verb::open: add({"ticket", "secret"}); break;
    case Verb::commit: add({"ticket", "output", "output_hex", "output_sha256"}); break;
    default: add({"ticket"}); break;
  }
  return own;
}

// ---- Reading.

std::string text_or_empty(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  return found ? found->text() : std::string();
}

bool flag_or(const Field& field, std::string_view key, bool otherwise) {
  const auto found = field.find(key);
  if (!found) return otherwise;
  if (!found->value().is_boolean()) found->refuse("true or false");
  return found->value().get<bool>();
}

std::vector<std::string> texts_in(const Field& field, std::string_view key) {
  std::vector<std::string> texts;
  const auto list = field.find(key);
  if (!list) return texts;
  for (const Field& item : list->items()) texts.push_back(item.text());
  return texts;
}

std::string scope_in(const Field& field) { return field.require("scope", "the name of a scope").text(); }

CallInfo call_in(const Field& field) {
  return {text_or_empty(field, "key"), text_or_empty(field, "person"), text_or_empty(field, "comment")};
}

LedgerOptions options_in(const Field& field) {
  constexpr double longest = 86'400;
  LedgerOptions options{.witness = text_or_empty(field, "witness")};
  if (const auto patience = field.find("patience")) {
    const double seconds = patience->number();
    if (!(seconds >= 0) || seconds > longest) patience->refuse("seconds, 0 to 86400");
    options.patience = std::chrono::milliseconds(std::llround(seconds * 1000));
  }
  return options;
}

BlockRule rule_in(const Field& field) {
  field.allow_only(std::array<std::string_view, 3>{"rule", "unit_in_one_block", "block_is_fixed"});
  return {.rule = field.require("rule", "the rule in words, such as \"the month of the visit\"").text(),
          .unit_in_one_block = flag_or(field, "unit_in_one_block", false),
          .block_is_fixed = flag_or(field, "block_is_fixed", false)};
}

ScopeSettings settings_in(const Field& field) {
  ScopeSettings settings;
  if (field.find("neighbors") || field.find("unit")) settings.relation = plan::read_adjacency(field);
  const Adjacency relation = settings.relation.value_or(Adjacency{});
  settings.budget = filter::read_budget(field.require("budget", "a budget"), relation);
  if (const auto cap = field.find("cap")) settings.cap = filter::read_budget(*cap, relation);
  settings.analysts_may_collude = flag_or(field, "analysts_may_collude", true);
  settings.may_cancel = flag_or(field, "may_cancel", true);
  if (const auto rule = field.find("block_rule")) settings.blocks = rule_in(*rule);
  settings.first_blocks = texts_in(field, "blocks");
  return settings;
}

// The steps of a charge; what they do not say of the relation is that of the scope.
Plan steps_in(const Field& field, const Ledger& ledger, const std::string& scope) {
  const auto steps = field.require("steps", "a list of steps");
  Json document = Json::object();
  const Adjacency relation = ledger.relation(scope);
  document["neighbors"] = field.value().value("neighbors", Json(std::string(to_string(relation.neighbors))));
  document["unit"] = field.value().value("unit", Json(relation.unit));
  document["steps"] = steps.value();
  return plan::read_plan(Field(document));
}

ChargeRequest charge_in(const Field& field, const Ledger& ledger, const Plan* plan = nullptr) {
  ChargeRequest charge{.scope = scope_in(field)};
  charge.steps = plan != nullptr ? *plan : steps_in(field, ledger, charge.scope);
  if (const auto count = field.find("count")) charge.count = count->integer(1, largest);
  charge.blocks = texts_in(field, "blocks");
  return charge;
}

// One charge of a list; errors name its place.
Ledger::Charge item_in(const Field& item, const Ledger& ledger) {
  item.allow_only(std::array<std::string_view, 9>{"scope", "neighbors", "unit", "steps", "count", "blocks", "key",
                                                  "person", "comment"});
  // The steps are read as those of a document of their own, without the place in the list.
  const std::string place = item.path() + '.';
  const auto within = [&](const auto& error) {
    return error.path().starts_with("steps") ? error.within(place) : error;
  };
  try {
    return {charge_in(item, ledger), call_in(item)};
  } catch (const InvalidArgument& error) {
    throw within(error);
  } catch (const Unsupported& error) {
    throw within(error);
  }
}

void read_charges(LedgerRequest& asked, const Request& request) {
  const auto list = request.find("charges");
  if (!list) {
    const Plan plan = request.has_plan() ? request.plan() : Plan();
    asked.charges.push_back({charge_in(request, *asked.ledger, request.has_plan() ? &plan : nullptr), asked.call});
    return;
  }
  for (const std::string_view key : {"scope", "steps", "count", "blocks", "key", "person", "comment"}) {
    if (const auto other = request.find(key)) other->refuse("nothing beside \"charges\": each of them states its own");
  }
  asked.is_list = true;
  for (const Field& item : list->items()) asked.charges.push_back(item_in(item, *asked.ledger));
  if (asked.charges.empty()) list->refuse("at least one charge");
}

LedgerHead head_in(const Field& field) {
  field.allow_only(std::array<std::string_view, 4>{"ledger", "entry", "hash", "signature"});
  return {.ledger = field.require("ledger", "the id of the ledger").text(),
          .entry = field.require("entry", "the number of an entry").integer(0, largest),
          .hash = field.require("hash", "a SHA-256").text()};
}

void read_verification(LedgerRequest& asked, const Request& request) {
  if (const auto head = request.find("head")) {
    asked.kept = head_in(*head);
    asked.signature = text_or_empty(*head, "signature");
  }
  if (flag_or(request, "resume", false)) asked.verify_from = VerifyFrom::last_verified;
  asked.public_key = text_or_empty(request, "public_key");
  if (asked.public_key.empty()) return;
  if (!asked.kept) request.require("head", "the head that the public key is about");
  if (asked.signature.empty()) request.find("head")->require("signature", "the signature of the head");
}

std::int64_t ticket_in(const Field& field) {
  return field.require("ticket", "the number of a ticket that was reserved").integer(1, largest);
}

BurnDownBy granularity_in(const Field& field) {
  if (field.value() == "day") return BurnDownBy::day;
  if (field.value() == "hour") return BurnDownBy::hour;
  if (field.value() == "entry") return BurnDownBy::entry;
  field.refuse_name(std::array<std::string_view, 3>{"day", "hour", "entry"});
}

HistoryOf what_in(const Field& field) {
  if (field.value() == "log") return HistoryOf::log;
  if (field.value() == "pending") return HistoryOf::pending;
  if (field.value() == "releases") return HistoryOf::releases;
  field.refuse_name(std::array<std::string_view, 3>{"log", "pending", "releases"});
}

HistoryFilter history_in(const Field& field) {
  HistoryFilter filter{.scope = text_or_empty(field, "scope"),
                       .person = text_or_empty(field, "person"),
                       .since = text_or_empty(field, "since"),
                       .until = text_or_empty(field, "until")};
  if (const auto after = field.find("after")) filter.after = after->integer(-1, largest);
  if (const auto most = field.find("most")) filter.most = most->integer(1, largest);
  if (const auto before = field.find("before")) filter.before = before->integer(0, largest);
  if (const auto last = field.find("last")) {
    if (field.find("most")) last->refuse("nothing beside \"most\"");
    filter.last = last->integer(1, largest);
  }
  if (const auto of = field.find("of")) filter.of = what_in(*of);
  return filter;
}

// Bytes that are no text are given as hexadecimal digits.
Output output_in(const Field& field) {
  Output output{text_or_empty(field, "output"), text_or_empty(field, "output_sha256")};
  if (const auto digits = field.find("output_hex")) {
    if (field.find("output")) digits->refuse("nothing beside \"output\"");
    const auto bytes = bytes_of(digits->text());
    if (!bytes) digits->refuse("an even number of hexadecimal digits");
    output.bytes = *bytes;
  }
  return output;
}

constexpr const char* neither = "a ledger or an export; this file is neither";

void read_members(LedgerRequest& asked, const Request& request) {
  switch (asked.verb) {
    case Verb::init: break;
    case Verb::import_log:
      asked.lines = text_or_empty(request, "lines");
      if (const auto from = request.find("from")) {
        if (!asked.lines.empty()) from->refuse("nothing beside \"lines\"");
        if (is_something_else(from->text())) from->refuse(neither);
        asked.lines = log_at(from->text(), asked.options);
      }
      if (asked.lines.empty()) request.require("lines", "the lines of an export, or \"from\", where a log lies");
      break;
    case Verb::scope:
      asked.scope = scope_in(request);
      asked.settings = settings_in(request);
      break;
    case Verb::blocks:
      asked.scope = scope_in(request);
      asked.blocks = texts_in(request, "blocks");
      break;
    case Verb::lower:
    case Verb::raise:
      asked.scope = scope_in(request);
      asked.budget = filter::read_budget(request.require("budget", "a budget"), asked.ledger->relation(asked.scope));
      asked.reason = text_or_empty(request, "reason");
      break;
    case Verb::reserve:
      asked.expires_in =
          std::chrono::seconds(request.require("expires_in", "seconds, 1 to 31622400").integer(1, 31'622'400));
      [[fallthrough]];
    case Verb::charge:
    case Verb::may_run: read_charges(asked, request); break;
    case Verb::open:
      asked.ticket = ticket_in(request);
      asked.secret = request.require("secret", "the secret of the reservation").text();
      break;
    case Verb::commit:
      asked.ticket = ticket_in(request);
      asked.output = output_in(request);
      break;
    case Verb::cancel:
    case Verb::ticket: asked.ticket = ticket_in(request); break;
    case Verb::show:
      asked.scope = text_or_empty(request, "scope");
      if (request.find("delta")) asked.delta = read_delta(request);
      if (const auto by = request.find("burn_down")) asked.burn_down_by = granularity_in(*by);
      break;
    case Verb::history: asked.history = history_in(request); break;
    case Verb::verify: read_verification(asked, request); break;
    case Verb::head: asked.private_key = text_or_empty(request, "private_key"); break;
    case Verb::export_log: break;
  }
}

// Opens the ledger, or takes the lines of a log that is to be verified by itself.
void open_ledger(LedgerRequest& asked, const Request& request) {
  if (asked.verb == Verb::verify) {
    asked.lines = text_or_empty(request, "lines");
    if (!asked.lines.empty()) return;
    if (is_export(asked.location)) {
      asked.lines = log_at(asked.location, asked.options);
      return;
    }
    if (is_something_else(asked.location)) request.require("ledger", neither).refuse(neither);
  }
  try {
    asked.ledger = std::make_shared<Ledger>(asked.location, asked.options);
  } catch (const StoreFailure& error) {
    // What spends nothing may be asked of a copy.
    const bool only_reads = asked.verb == Verb::verify || asked.verb == Verb::export_log;
    if (error.fault() != StoreFault::copied || !only_reads) throw;
    asked.lines = log_at(asked.location, asked.options);
  }
}

// A server reads the members itself, and says what is wrong with them. It is not told what only concerns the caller: a
// private key, and the delta of guarantees, which follow from the budgets.
void read_for_server(LedgerRequest& asked, const Request& request) {
  if (asked.verb == Verb::init || asked.verb == Verb::import_log) {
    throw Unsupported("verb", "a server has one ledger, which exists before it starts",
                      "make the ledger beside the server, and start that with `renyi serve --ledger LEDGER`");
  }
  for (const std::string_view key : {"witness", "patience", "lines"}) {
    if (const auto other = request.find(key)) other->refuse("nothing: the ledger is on a server");
  }
  asked.scope = text_or_empty(request, "scope");
  if (asked.verb == Verb::show && request.find("delta")) asked.delta = read_delta(request);
  if (asked.verb == Verb::verify) read_verification(asked, request);
  if (asked.verb == Verb::history) asked.history = history_in(request);
  asked.private_key = text_or_empty(request, "private_key");
  asked.members = document_of(request.value());
  for (const std::string_view key :
       {"op", "id", "verb", "ledger", "key", "delta", "private_key", "time_limit", "memory"}) {
    asked.members.erase(key);
  }
}

// Reads a request for a ledger that is open already, for a server, or for the ledger that it names.
LedgerRequest read(const Request& request, const std::shared_ptr<Ledger>& open = nullptr,
                   std::shared_ptr<LedgerServer> server = nullptr) {
  LedgerRequest asked{.server = std::move(server)};
  const Field verb = request.require("verb", Field::one_of([] {
                                       std::vector<std::string_view> names;
                                       for (const Verb one : verbs) names.push_back(to_string(one));
                                       return names;
                                     }()));
  asked.verb = verb.choose(std::span<const Verb>(verbs));
  request.allow_only(keys_of(asked.verb));
  const bool has_lines = asked.verb == Verb::verify && request.find("lines");
  asked.call = call_in(request);
  if (open) {
    if (has_lines) asked.lines = text_or_empty(request, "lines");
    if (asked.lines.empty()) asked.ledger = open;
    read_members(asked, request);
    return asked;
  }
  if (!has_lines) asked.location = request.require("ledger", "where the ledger is: a file or a database").text();
  asked.options = options_in(request);
  if (asked.server) {
    read_for_server(asked, request);
    return asked;
  }
  if (asked.verb != Verb::init && asked.verb != Verb::import_log) open_ledger(asked, request);
  read_members(asked, request);
  return asked;
}

LedgerRequest read_alone(const Request& request) { return read(request, nullptr); }

// ---- Calls to a server, which has the ledger open.

// Members that are the server's to state.
constexpr std::array<std::string_view, 8> own_keys{"op",       "verb", "ledger",      "witness",
                                                   "patience", "key",  "private_key", "from"};

std::string person_in(const Field& field, const std::string& caller) {
  const auto person = field.find("person");
  return person && !person->text().empty() ? caller + " for " + person->text() : caller;
}

// Returns the request of the table that the call stands for.
Json members_of(const Json& body, const LedgerCall& call) {
  const Field field(body);
  for (const std::string_view key : own_keys) {
    if (const auto found = field.find(key)) found->refuse("nothing: the server knows it");
  }
  Json members = body;
  members["op"] = "ledger";
  members["verb"] = std::string(to_string(call.verb));
  if (!is_writing(call.verb)) return members;
  const auto list = field.find("charges");
  if (!list) {
    members["key"] = call.key;
    members["person"] = person_in(field, call.person);
    return members;
  }
  std::size_t place = 0;
  for (const Field& item : list->items()) {
    Json& charge = members["charges"][place];
    if (!item.find("key")) charge["key"] = call.key + '/' + std::to_string(place);
    charge["person"] = person_in(item, call.person);
    ++place;
  }
  return members;
}

}  // namespace
}  // namespace json_ledger_file

constinit const Op ledger_op{"ledger", json_ledger_file::keys, run<json_ledger_file::read_alone, write_ledger>};

LedgerRequest read_ledger(const Document& request, std::shared_ptr<LedgerServer> server) {
  return json_ledger_file::read(checked(ledger_op, request), nullptr, std::move(server));
}

bool is_writing(LedgerVerb verb) {
  const auto keys = json_ledger_file::keys_of(verb);
  return std::find(keys.begin(), keys.end(), "key") != keys.end();
}

std::optional<LedgerVerb> ledger_verb(std::string_view name) {
  for (const LedgerVerb verb : json_ledger_file::verbs) {
    if (to_string(verb) == name) return verb;
  }
  return std::nullopt;
}

std::vector<LedgerVerb> offered_verbs() {
  std::vector<LedgerVerb> offered;
  for (const LedgerVerb verb : json_ledger_file::verbs) {
    if (verb != LedgerVerb::init && verb != LedgerVerb::import_log) offered.push_back(verb);
  }
  return offered;
}

std::vector<std::string_view> keys_of_call(LedgerVerb verb) {
  auto keys = json_ledger_file::keys_of(verb);
  std::erase_if(keys, [](std::string_view key) {
    return std::find(json_ledger_file::own_keys.begin(), json_ledger_file::own_keys.end(), key) !=
           json_ledger_file::own_keys.end();
  });
  return keys;
}

std::vector<std::string> scopes_named(const Document& body) {
  std::vector<std::string> scopes;
  const json::Field field(opened(body));
  if (const auto scope = field.find("scope")) scopes.push_back(scope->text());
  if (const auto list = field.find("charges")) {
    for (const json::Field& item : list->items()) scopes.push_back(json_ledger_file::scope_in(item));
  }
  return scopes;
}

std::int64_t ticket_named(const Document& body) { return json_ledger_file::ticket_in(json::Field(opened(body))); }

std::string answer_call(const Document& body, const LedgerCall& call,
                        const std::function<LedgerAnswer(const LedgerRequest&)>& perform) {
  const json::Json members = json_ledger_file::members_of(opened(body), call);
  return json::write(evaluate_as(ledger_op, members, [&](const Request& request) {
    LedgerRequest asked = json_ledger_file::read(request, call.ledger);
    asked.call.lineage = call.lineage;
    for (Ledger::Charge& charge : asked.charges) charge.call.lineage = call.lineage;
    return write_ledger(perform(asked));
  }));
}

std::string write(const Document& request, const LedgerAnswer& answer) {
  return written(ledger_op, request, write_ledger(answer));
}

}  // namespace renyi::api
