// The interface of a build without a ledger: every function throws an error that says how to get one.
#include "renyi/error.h"
#include "renyi/ledger.h"

namespace renyi {

namespace absent_file {
namespace {

[[noreturn]] void refuse() {
  throw Unsupported("ledger", "this build of renyi has no ledger",
                    "build it with -DRENYI_LEDGER=ON, which needs SQLite, libcrypto and the headers of libpq (Debian: "
                    "libsqlite3-dev, libssl-dev and libpq-dev)");
}

}  // namespace
}  // namespace absent_file

using absent_file::refuse;

class Ledger::Implementation {};

std::string_view to_string(TicketState) noexcept { return "none"; }
std::string_view to_string(TokenEvent) noexcept { return "none"; }

Ledger Ledger::create(const std::string&, const LedgerOptions&) { refuse(); }
Ledger::Ledger(const std::string&, const LedgerOptions&) { refuse(); }
Ledger::Ledger(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Receipt Ledger::add_scope(const std::string&, const ScopeSettings&, const CallInfo&) { refuse(); }
Receipt Ledger::add_blocks(const std::string&, const std::vector<std::string>&, const CallInfo&) { refuse(); }
Receipt Ledger::lower_budget(const std::string&, const Budget&, const CallInfo&) { refuse(); }
Receipt Ledger::raise_budget(const std::string&, const Budget&, const std::string&, const CallInfo&) { refuse(); }
Receipt Ledger::charge(const ChargeRequest&, const CallInfo&) { refuse(); }
std::vector<Receipt> Ledger::charge_all(const std::vector<Charge>&) { refuse(); }
Receipt Ledger::reserve(const ChargeRequest&, std::chrono::seconds, const CallInfo&) { refuse(); }
Receipt Ledger::open(std::int64_t, const std::string&, const CallInfo&) { refuse(); }
Receipt Ledger::commit(std::int64_t, const Output&, const CallInfo&) { refuse(); }
Receipt Ledger::cancel(std::int64_t, const CallInfo&) { refuse(); }
Receipt Ledger::record_token(TokenEvent, const TokenRecord&, const CallInfo&) { refuse(); }
Receipt Ledger::may_run(const ChargeRequest&) const { refuse(); }
std::vector<ScopeState> Ledger::scopes() const { refuse(); }
ScopeState Ledger::scope(const std::string&) const { refuse(); }
Adjacency Ledger::relation(const std::string&) const { refuse(); }
std::vector<BlockBalances> Ledger::blocks(const std::string&) const { refuse(); }
std::vector<ScopeBalances> Ledger::balances(const ChargeRequest&) const { refuse(); }
std::vector<BurnDownPoint> Ledger::burn_down(const std::string&, BurnDownBy) const { refuse(); }
Receipt Ledger::ticket(std::int64_t) const { refuse(); }
std::optional<Receipt> Ledger::answer_to(const std::string&) const { refuse(); }
std::optional<Output> Ledger::output(std::int64_t) const { refuse(); }
LedgerHead Ledger::head() const { refuse(); }
bool Ledger::has_witness() const { refuse(); }
LedgerStatistics Ledger::statistics() const noexcept { return {}; }
const std::optional<LedgerUpgrade>& Ledger::upgrade() const { refuse(); }
void Ledger::history(const HistoryFilter&, const std::function<void(const LedgerEntry&)>&) const { refuse(); }
LedgerVerification Ledger::verify(const std::optional<LedgerHead>&, VerifyFrom) const { refuse(); }

Receipt receipt_of(const LedgerEntry&) { refuse(); }
void read_log(const std::string&, const std::function<void(const LedgerEntry&)>&, const LedgerOptions&) { refuse(); }
Ledger import_ledger(const std::string&, const std::string&, const LedgerOptions&) { refuse(); }
LedgerVerification verify_log(const std::string&, const std::optional<LedgerHead>&) { refuse(); }
std::string sign_head(const LedgerHead&, std::string_view) { refuse(); }
bool is_signed(const LedgerHead&, std::string_view, std::string_view) { refuse(); }

}  // namespace renyi
