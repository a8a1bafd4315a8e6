#include "ledger/writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "digest/secret.h"
#include "digest/sha256.h"
#include "ledger/fault_point.h"
#include "ledger/log/clock.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::ledger {

namespace writer_file {
namespace {

constexpr std::int64_t most_expired_at_once = 64;
constexpr std::size_t most_calls_at_once = 256;

}  // namespace
}  // namespace writer_file

// Whoever finds nobody writing writes for all that wait.
void Writer::perform(std::vector<Work>& works) {
  const LimitScope unlimited(nullptr);  // a thread may work for others, and a charge is never ended half way
  Call call{.works = &works};
  std::unique_lock lock(queue_mutex_);
  queue_.push_back(&call);
  while (!call.is_done) {
    if (is_writing_) {
      is_free_.wait(lock);
      continue;
    }
    is_writing_ = true;
    const std::size_t size = std::min(queue_.size(), writer_file::most_calls_at_once);
    const std::vector<Call*> together(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(size));
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(size));
    lock.unlock();
    perform_together(together);
    lock.lock();
    for (Call* done : together) done->is_done = true;
    is_writing_ = false;
    is_free_.notify_all();
  }
  lock.unlock();
  if (call.error) std::rethrow_exception(call.error);
  for (Work* work : call.decided) work->is_done = true;
}

// If the connection was lost while a transaction ended, the keys tell whether it did: the same calls are made again.
void Writer::perform_together(const std::vector<Call*>& calls) {
  constexpr int most_attempts = 3;
  for (int attempt = 1;; ++attempt) {
    try {
      is_repetition_ = attempt > 1;
      return write(calls);
    } catch (const StoreFailure& error) {
      if (error.fault() == StoreFault::unknown && attempt < most_attempts) continue;
      return fail(calls);
    } catch (...) {
      if (calls.size() == 1) return fail(calls);
      // One call failed after a part of it was decided: each is made by itself.
      for (Call* call : calls) perform_together({call});
      return;
    }
  }
}

void Writer::fail(const std::vector<Call*>& calls) {
  for (Call* call : calls) {
    if (!call->error) call->error = std::current_exception();
  }
}

void Writer::write(const std::vector<Call*>& calls) {
  LogEnd end;
  try {
    store_.write([&](View& view) {
      for (const Call* call : calls) lock_waits_.add_since(call->begun);
      Changes changes;
      new_keys_.clear();
      const std::string time = text_of(now());
      book_.enter(view);
      expire_overdue(view, time, changes);
      view.expect_keys(given_keys(calls));
      for (Call* call : calls) decide(*call, view, time, changes);
      Changes derived = book_.take_changes();
      changes.scopes = std::move(derived.scopes);
      changes.cells = std::move(derived.cells);
      changes.steps = std::move(derived.steps);
      changes.tickets = std::move(derived.tickets);
      end = book_.as_of();
      book_.leave();
      return changes;
    });
  } catch (...) {
    book_.invalidate();
    throw;
  }
  fault_point("ledger.written");
  try {
    const Meter::Clock::time_point begun = Meter::Clock::now();
    store_.make_durable();
    synchronisations_.add_since(begun);
    has_seen(end.entry);
    fault_point("ledger.durable");
    // A repeated call may be the first that tells the witness of an entry.
    if (witness_ != nullptr) check_witnessed(witness_->record(ledger_, end), end);
  } catch (const StoreFailure& error) {
    if (error.fault() == StoreFault::rolled_back) throw;
    throw StoreFailure(StoreFault::unknown,
                       fmt::format("the call was recorded, perhaps not for good ({})", error.what()),
                       "repeat it with its key");
  }
  fault_point("ledger.witnessed");
}

// Two copies of a ledger that are both in use have different entries of the same number: the second one is not
// acknowledged.
void Writer::check_witnessed(const LogEnd& witnessed, const LogEnd& end) {
  if (witnessed.entry == end.entry && witnessed.hash == end.hash) return;
  std::optional<EntryRow> own;
  store_.read([&](View& view) { own = view.entry(witnessed.entry); });
  if (own && own->hash == witnessed.hash) return;
  throw StoreFailure(StoreFault::rolled_back,
                     "the witness has seen another entry " + std::to_string(witnessed.entry) + " of this ledger",
                     "a copy of it is in use; stop using one of them");
}

// Nobody waits for prices: reservations that cannot be given back without are left until they are priced.
void Writer::expire_overdue(View& view, const std::string& time, Changes& changes) {
  const std::lock_guard lock(overdue_mutex_);
  if (!overdue_missing_.empty()) return;
  const auto overdue = view.overdue(time, writer_file::most_expired_at_once);
  has_more_overdue_ = overdue.size() == writer_file::most_expired_at_once;
  for (const TicketRow& row : overdue) {
    Work work{.request = {.verb = Verb::expire, .scope = row.scope, .ticket = row.ticket}};
    Prepared prepared = book_.prepare(work.request, *overdue_prices_);
    if (!prepared.missing.empty()) {
      overdue_missing_ = std::move(prepared.missing);
      return;
    }
    record(work, prepared, {}, text_of(work.request), time, changes);
  }
  if (overdue.empty()) *overdue_prices_ = {};
}

// Keys that the callers have chosen may have been used before.
std::vector<std::string> Writer::given_keys(const std::vector<Call*>& calls) {
  std::vector<std::string> keys;
  for (const Call* call : calls) {
    for (const Work& work : *call->works) {
      const std::string& key = work.request.key;
      if (!key.empty() && !key.starts_with(own_key)) keys.push_back(key);
    }
  }
  return keys;
}

// Everything that can be wrong is found before anything of the call is recorded.
void Writer::decide(Call& call, View& view, const std::string& time, Changes& changes) {
  const std::size_t entries_before = changes.entries.size();
  try {
    call.error = nullptr;
    call.decided.clear();
    std::vector<std::optional<Prepared>> prepared;
    std::vector<std::string> texts;
    bool is_priced = true;
    for (Work& work : *call.works) {
      prepared.emplace_back();
      texts.emplace_back();
      if (work.is_done) continue;
      if (work.request.ticket != 0) {
        if (const auto ticket = book_.ticket(work.request.ticket)) work.request.scope = ticket->scope;
      }
      if (work.relation) book_.check_relation(work.request.scope, *work.relation);
      texts.back() = text_of(work.request);
      if (repeats(work, texts.back(), view, changes)) {
        call.decided.push_back(&work);
        continue;
      }
      prepared.back() = book_.prepare(work.request, *work.prices);
      work.missing = std::move(prepared.back()->missing);
      is_priced = is_priced && work.missing.empty();
    }
    for (std::size_t i = 0; is_priced && i < call.works->size(); ++i) {
      Work& work = (*call.works)[i];
      if (!prepared[i]) continue;
      if (i == 0 || !repeats(work, texts[i], view, changes)) {
        auto outcome = book_.decide(work.request, *prepared[i], time, work.secret, work.candidate);
        if (!outcome) continue;
        record(work, *prepared[i], *std::move(outcome), texts[i], time, changes);
      }
      call.decided.push_back(&work);
    }
  } catch (const StoreFailure&) {
    throw;
  } catch (const Error&) {
    if (changes.entries.size() != entries_before) throw;  // a part of the call must not be recorded
    call.error = std::current_exception();
  }
}

// Another call of the same transaction may have had the key.
bool Writer::repeats(Work& work, const std::string& text, View& view, const Changes& changes) {
  const auto entry_of = [&](const std::string& key) {
    const auto made = new_keys_.find(key);
    return made != new_keys_.end() ? std::optional(changes.entries[made->second]) : view.entry_by_key(key);
  };
  const std::string key = recorded_key(work.request);
  // A key that this process has just made is new, unless the call is made again after a lost connection.
  if (!is_repetition_ && key.starts_with(own_key) && !new_keys_.contains(key)) return false;
  auto found = entry_of(key);
  bool is_same = found && request_in(found->text) == text;
  if (!found && !work.request.lineage.empty() && !is_token_key(work.request.key)) {
    // Until version 0.8.2 all keys were of the whole ledger. Such an entry answers the calls of the same person in the
    // same scope, as it did then, and nobody else.
    found = entry_of(work.request.key);
    if (found && (found->scope != work.request.scope || found->person != work.request.person)) found.reset();
    Request recorded = work.request;
    recorded.lineage.clear();
    is_same = found && request_in(found->text) == text_of(recorded);
  }
  if (!found) return false;
  if (!is_same) {
    throw InvalidArgument(
        "key", '"' + work.request.key + '"',
        "a key that was not used for another request; entry " + std::to_string(found->entry) + " has it");
  }
  // An entry that an earlier attempt of this very call has made is no repetition.
  const bool is_own = work.receipt.hash == found->hash && !work.receipt.repeated;
  work.receipt = receipt_of(read_stored_entry(found->text), found->hash);
  work.receipt.repeated = !is_own;
  if (work.request.verb == Verb::open && work.receipt.accepted) check_secret(work, view);
  if (work.request.verb == Verb::reserve && work.receipt.accepted) {
    if (const auto ticket = book_.ticket(work.receipt.ticket)) work.receipt.secret = ticket->secret;
  }
  return true;
}

// The answer to an `open` is for those who know the secret.
void Writer::check_secret(const Work& work, View& view) {
  const auto reserved = view.entry(work.request.ticket);
  const std::string given = digest::sha256(work.secret);
  if (reserved && digest::is_same_secret(read_stored_entry(reserved->text).outcome.secret_sha256, given)) return;
  throw InvalidArgument("secret", "another one", "the secret of the ticket");
}

void Writer::record(Work& work, const Prepared& prepared, Outcome outcome, const std::string& request,
                    const std::string& time, Changes& changes) {
  const LogEnd before = book_.as_of();
  const bool is_reserved = work.request.verb == Verb::reserve && outcome.accepted;
  if (is_reserved) {
    outcome.secret_sha256 = digest::sha256(work.secret);
    outcome.expires = text_of(now() + std::chrono::seconds(work.request.expires_in));
  }
  if (work.request.verb == Verb::commit && outcome.accepted) {
    outcome.output_bytes = static_cast<std::int64_t>(work.output.size());
  }
  Entry entry{.number = before.entry + 1,
              .previous = before.hash,
              .time = time,
              .request = std::move(work.request),
              .outcome = std::move(outcome)};
  std::string text = text_of(entry, request);
  std::string hash = digest::sha256(text);
  book_.apply(entry, prepared, hash, work.secret);
  work.receipt = receipt_of(entry, hash);
  work.request = std::move(entry.request);
  if (is_reserved) work.receipt.secret = work.secret;
  if (work.request.verb == Verb::commit && work.receipt.accepted && !work.output.empty()) {
    changes.outputs.emplace_back(work.request.ticket, work.output);
  }
  changes.facts.insert(changes.facts.end(), work.facts.begin(), work.facts.end());
  std::string key = recorded_key(work.request);
  if (!key.empty()) new_keys_[key] = changes.entries.size();
  changes.entries.push_back(
      {entry.number, std::move(hash), std::move(text), std::move(key), work.request.scope, work.request.person, time});
}

void Writer::expire() {
  std::vector<Work> none;
  do {
    perform(none);
  } while (goes_on_expiring());
}

// Returns whether there is more to do, after what was missing is priced.
bool Writer::goes_on_expiring() {
  std::vector<Unpriced> missing;
  std::shared_ptr<Prices> prices;
  {
    const std::lock_guard lock(overdue_mutex_);
    if (overdue_missing_.empty()) return has_more_overdue_;
    missing = overdue_missing_;
    prices = std::make_shared<Prices>(*overdue_prices_);
  }
  for (const Unpriced& each : missing) prices_->price(*prices, each);
  const std::lock_guard lock(overdue_mutex_);
  overdue_prices_ = std::move(prices);
  overdue_missing_.clear();
  return true;
}

void Writer::ask(const std::function<void(Book&, View&)>& question) {
  const LimitScope unlimited(nullptr);  // the book must not be left half read
  const Meter::Clock::time_point begun = Meter::Clock::now();
  const std::lock_guard lock(reading_mutex_);
  lock_waits_.add_since(begun);
  store_.read([&](View& view) {
    struct Leave {
      Book& book;
      ~Leave() { book.leave(); }
    } const leave{reading_book_};
    try {
      reading_book_.enter(view);
      question(reading_book_, view);
    } catch (const StoreFailure&) {
      reading_book_.invalidate();  // it may have read half of what is new
      throw;
    }
  });
}

void Writer::has_seen(std::int64_t entry) noexcept {
  std::int64_t before = newest_entry_;
  while (before < entry && !newest_entry_.compare_exchange_weak(before, entry)) {
  }
}

LedgerStatistics Writer::statistics() const noexcept {
  return {.newest_entry = newest_entry_,
          .lock_waits = lock_waits_.count(),
          .lock_wait_seconds = lock_waits_.seconds(),
          .synchronisations = synchronisations_.count(),
          .synchronisation_seconds = synchronisations_.seconds()};
}

}  // namespace renyi::ledger
