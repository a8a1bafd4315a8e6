// Ledgers: durable budgets, one request for every verb.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/document.h"
#include "renyi/cost.h"
#include "renyi/ledger.h"

namespace renyi::api {

enum class LedgerVerb {
  init,
  scope,
  blocks,
  lower,
  raise,
  reserve,
  open,
  commit,
  cancel,
  charge,
  may_run,
  show,
  ticket,
  history,
  verify,
  head,
  export_log,
  import_log
};
// Returns the verb as requests spell it: "init", "may-run", "export", ...
std::string_view to_string(LedgerVerb verb) noexcept;

// A server that keeps a ledger.
class LedgerServer {
 public:
  LedgerServer() = default;
  LedgerServer(const LedgerServer&) = delete;
  LedgerServer& operator=(const LedgerServer&) = delete;
  virtual ~LedgerServer() = default;
  // Returns what the server answers to a verb, as JSON text, which may be an error. The members are a JSON object. A
  // call that writes has a key, with which it may be made several times. Throws StoreFailure if no answer comes.
  virtual std::string ask(std::string_view verb, const std::string& members, const std::string& key) = 0;
  // Returns a random key, which nobody else has.
  virtual std::string new_key() = 0;
};

// Members that a verb does not have are empty.
struct LedgerRequest {
  LedgerVerb verb = LedgerVerb::show;
  std::string location{};
  LedgerOptions options{};
  std::shared_ptr<Ledger> ledger{};        // open, except for init, import, the log of a file, and a server
  std::shared_ptr<LedgerServer> server{};  // keeps the ledger, if it is set
  Document members{};                      // for the server
  CallInfo call{};
  std::string scope{};
  ScopeSettings settings{};
  std::vector<std::string> blocks{};
  Budget budget{};
  std::string reason{};
  std::vector<Ledger::Charge> charges{};  // charge, may-run, reserve
  bool is_list = false;                   // the charges were a list, and so is the answer
  std::chrono::seconds expires_in{};
  std::int64_t ticket = 0;
  std::string secret{};
  Output output{};
  std::optional<double> delta{};             // show: the epsilon of the guarantees
  std::optional<BurnDownBy> burn_down_by{};  // show
  HistoryFilter history{};
  std::optional<LedgerHead> kept{};  // verify
  VerifyFrom verify_from = VerifyFrom::beginning;
  std::string signature{};  // that of the head that was kept
  std::string public_key{};
  std::string private_key{};
  std::string lines{};  // verify, import: an export; verify, export: the log of a copy
};

struct ShownScope {
  ScopeState state{};
  std::optional<Cost> guaranteed{};  // the epsilon of the cap's guarantee, if there is a delta
  std::optional<std::vector<BurnDownPoint>> burn_down{};
  std::vector<BlockBalances> blocks{};  // if one scope is asked for, and blocks do not add up
};

struct LedgerShown {
  LedgerHead head{};
  bool has_witness = false;
  std::vector<ShownScope> scopes{};
};

struct ShownTicket {
  Receipt receipt{};
  std::optional<Output> output{};
};

struct ShownHead {
  LedgerHead head{};
  std::string signature{};  // in hexadecimal digits, if a key was given
};

struct LedgerLines {
  std::string lines{};  // the entries, one text per line
};

using LedgerAnswer = std::variant<Receipt, std::vector<Receipt>, LedgerShown, ShownTicket, std::vector<LedgerEntry>,
                                  LedgerVerification, ShownHead, LedgerLines>;

// Reads the request and opens its ledger, unless a server keeps it. The relation is that of the scope where the steps
// do not state one.
LedgerRequest read_ledger(const Document& request, std::shared_ptr<LedgerServer> server = nullptr);
LedgerAnswer answer(const LedgerRequest& asked);
// Says what opening a ledger has done to its tables, and where the copy is.
std::string in_words(const LedgerUpgrade& upgrade);
// Reads what `write` has written, without guarantees. Throws the error if it is one.
LedgerAnswer read_ledger_answer(LedgerVerb verb, std::string_view text);
std::string write(const Document& request, const LedgerAnswer& answer);

// These go on from a request, wherever its ledger is: what the charge costs and what is left for it now, the scope over
// time, and the whole log.
std::vector<ScopeBalances> left_for_charge(const LedgerRequest& asked);
std::vector<BurnDownPoint> burn_down(const LedgerRequest& asked, BurnDownBy by);
void for_each_entry(const LedgerRequest& asked, const std::function<void(const LedgerEntry&)>& visit);

// A call to a server, which has the ledger open and knows who calls.
struct LedgerCall {
  LedgerVerb verb = LedgerVerb::show;
  std::shared_ptr<Ledger> ledger{};
  std::string key{};      // each of several charges without a key has this and its place: "KEY/0"
  std::string person{};   // who calls; a person whom the body names stands behind it: "ana for bob"
  std::string lineage{};  // whose keys they are
};
// Returns the verb of that name, if there is one.
std::optional<LedgerVerb> ledger_verb(std::string_view name);
// Returns whether calls of the verb have keys, because they write.
bool is_writing(LedgerVerb verb);
// Return the scopes that the body of a call names, and its ticket, so that it can be decided who may call before
// anything is looked up. Throw InvalidArgument.
std::vector<std::string> scopes_named(const Document& body);
std::int64_t ticket_named(const Document& body);
// Returns the answer to a call; `perform` answers the request that was read. The body says neither where a ledger is
// nor under which key the call is kept. Throws renyi::Error.
std::string answer_call(const Document& body, const LedgerCall& call,
                        const std::function<LedgerAnswer(const LedgerRequest&)>& perform);

// What a ledger without a witness cannot know.
inline constexpr std::string_view without_witness =
    "This ledger has no witness: if an older copy of it is put in its place, nothing here can notice it.";

// Returns the log of a ledger, of a copy of one, or of a file that is an export: its entries, one text per line.
std::string log_at(const std::string& location, const LedgerOptions& options);
// Returns whether there is a file here that is an export and no ledger.
bool is_export(const std::string& location);
// Returns whether there is a file here that is neither an export nor a ledger.
bool is_something_else(const std::string& location);

}  // namespace renyi::api
