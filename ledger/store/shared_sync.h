// One synchronisation for all writers that wait for it, threads and processes: a small file beside the ledger counts
// what was written and what has been synchronised.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace renyi::ledger {

class SharedSync {
 public:
  // Makes the file beside the given one if it is missing, for the same users. Throws StoreFailure.
  explicit SharedSync(const std::string& beside);
  SharedSync(const SharedSync&) = delete;
  SharedSync& operator=(const SharedSync&) = delete;
  ~SharedSync();

  // Waits until no other process writes. Throws StoreFailure (busy) when the patience is over. The lock of a process
  // that dies is released by the system.
  class Writer {
   public:
    Writer(SharedSync& sync, std::chrono::milliseconds patience);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer();

   private:
    SharedSync& sync_;
  };

  // To be called after something was written; returns its turn.
  std::uint64_t written() noexcept;
  // Returns when everything up to this turn has been synchronised, by `synchronise` or by another writer's. After a
  // synchronisation that failed, in any process, it gets true: the system takes for written what never reached the
  // disk, so that everything has to be written again before it is synchronised.
  void wait(std::uint64_t turn, std::chrono::milliseconds patience,
            const std::function<void(bool write_again)>& synchronise);
  // A synchronisation has failed that was not one of `wait`.
  void failed() noexcept;

 private:
  struct Counters;

  int file_ = -1;
  Counters* counters_ = nullptr;
};

}  // namespace renyi::ledger
