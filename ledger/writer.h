// Writes to a ledger: calls of several threads become one transaction and one synchronisation.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ledger/meter.h"
#include "ledger/rules/book.h"
#include "ledger/store/store.h"
#include "ledger/store/witness.h"

namespace renyi::ledger {

// A request on its way, with what is not recorded.
struct Work {
  Request request{};
  std::optional<Adjacency> relation{};  // under which the steps were written
  std::string secret{};                 // that is presented to `open`, or that a reservation will have
  std::string output{};                 // the bytes of a commit
  std::vector<std::pair<std::string, std::string>> facts{};  // what a new ledger has beside its log
  // Computed before anybody is kept waiting.
  std::shared_ptr<Prices> prices = std::make_shared<Prices>();
  std::optional<Candidate> candidate{};
  // What came of it.
  Receipt receipt{};
  bool is_done = false;             // decided and recorded; if it is not,
  std::vector<Unpriced> missing{};  // this has to be priced first, or, if there is nothing, a candidate is needed
};

class Writer {
 public:
  Writer(Store& store, Witness* witness, std::string ledger, const std::shared_ptr<PriceList>& prices)
      : store_(store),
        witness_(witness),
        ledger_(std::move(ledger)),
        prices_(prices),
        book_(prices),
        reading_book_(prices) {}

  // Decides and records the requests that are not done. When it returns, those that are done are on the disk, and the
  // witness knows. If something is not priced, nothing is recorded; charges that need a candidate are left.
  void perform(std::vector<Work>& works);
  // Records expired reservations. What has to be priced for it is priced here, on the thread of the caller.
  void expire();
  // Asks about the state now; nothing is recorded.
  void ask(const std::function<void(Book&, View&)>& question);

  void has_seen(std::int64_t entry) noexcept;
  [[nodiscard]] LedgerStatistics statistics() const noexcept;

 private:
  struct Call {
    std::vector<Work>* works = nullptr;
    std::exception_ptr error{};
    std::vector<Work*> decided{};  // recorded if the transaction is
    bool is_done = false;
    Meter::Clock::time_point begun = Meter::Clock::now();
  };

  void perform_together(const std::vector<Call*>& calls);
  void write(const std::vector<Call*>& calls);
  static void fail(const std::vector<Call*>& calls);
  static std::vector<std::string> given_keys(const std::vector<Call*>& calls);
  void check_witnessed(const LogEnd& witnessed, const LogEnd& end);
  void decide(Call& call, View& view, const std::string& time, Changes& changes);
  void record(Work& work, const Prepared& prepared, Outcome outcome, const std::string& request,
              const std::string& time, Changes& changes);
  void expire_overdue(View& view, const std::string& time, Changes& changes);
  bool goes_on_expiring();
  static void check_secret(const Work& work, View& view);
  bool repeats(Work& work, const std::string& text, View& view, const Changes& changes);

  Store& store_;
  Witness* witness_;
  std::string ledger_;
  std::shared_ptr<PriceList> prices_;
  Book book_;  // that of whoever writes
  std::mutex reading_mutex_;
  Book reading_book_;
  // What has to be priced before reservations that are overdue can be given back, and what was priced for it.
  std::mutex overdue_mutex_;
  std::vector<Unpriced> overdue_missing_;
  bool has_more_overdue_ = false;
  std::shared_ptr<Prices> overdue_prices_ = std::make_shared<Prices>();
  bool is_repetition_ = false;
  std::map<std::string, std::size_t> new_keys_;  // those of this transaction, and the entries that have them
  std::mutex queue_mutex_;
  std::condition_variable is_free_;
  std::deque<Call*> queue_;
  bool is_writing_ = false;
  Meter lock_waits_, synchronisations_;
  std::atomic<std::int64_t> newest_entry_{-1};
};

}  // namespace renyi::ledger
