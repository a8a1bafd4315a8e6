#include "ledger/store/shared_sync.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <system_error>

#include "renyi/error.h"

namespace renyi::ledger {

namespace shared_sync_file {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Wakes processes that wait for a lock, so that they do not have to ask again and again. A lock is what the system
// says: who sleeps here asks again after a while, since who would have rung may have been killed.
struct Bell {
  std::atomic<std::uint32_t> rings;
  std::atomic<std::uint32_t> sleepers;  // at least; processes that were killed still count

  // Sleeps until the bell rings again after `heard`.
  void sleep(std::uint32_t heard, Clock::time_point end) noexcept {
    const auto left = std::min(std::chrono::ceil<milliseconds>(end - Clock::now()), milliseconds(20));
    if (left.count() <= 0) return;
    const timespec time{.tv_sec = 0, .tv_nsec = left.count() * 1'000'000};
    sleepers.fetch_add(1);
    ::syscall(SYS_futex, &rings, FUTEX_WAIT, heard, &time, nullptr, 0);
    sleepers.fetch_sub(1);
  }
  void ring(int most) noexcept {
    rings.fetch_add(1);
    if (sleepers.load() > 0) ::syscall(SYS_futex, &rings, FUTEX_WAKE, most, nullptr, nullptr, 0);
  }
};

}  // namespace
}  // namespace shared_sync_file

// The counters only compare what is written with what is synchronised while processes run. They mean nothing for the
// content of the ledger, so that a file that was lost, copied or restored is as good as a new one.
struct SharedSync::Counters {
  using Bell = shared_sync_file::Bell;
  std::atomic<std::uint64_t> written;
  std::atomic<std::uint64_t> synchronised;
  std::atomic<std::uint64_t> failures;  // synchronisations that failed
  std::atomic<std::uint64_t> repaired;  // those of them after which everything was written again
  Bell writers;                         // rings when a writer has ended
  Bell syncs;                           // rings when a synchronisation has ended
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

namespace shared_sync_file {
namespace {

constexpr off_t writer_byte = 0, sync_byte = 1;
constexpr std::size_t size = 4096;

[[noreturn]] void fail(const char* doing) {
  const int code = errno;
  const StoreFault fault = code == ENOSPC || code == EDQUOT                   ? StoreFault::full
                           : code == EACCES || code == EROFS || code == EPERM ? StoreFault::read_only
                                                                              : StoreFault::unreachable;
  throw StoreFailure(fault, std::string(doing) + ": " + std::generic_category().message(code),
                     "the directory of the ledger has to be writable, with space left");
}

// Locks of open files: those of two ledgers in one process exclude each other, too.
bool lock(int file, off_t byte, short type, int how) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  for (;;) {
    if (fcntl(file, how, &range) == 0) return true;
    if (errno == EAGAIN || errno == EACCES) return false;
    if (errno != EINTR) fail("locking the ledger");
  }
}

void unlock(int file, off_t byte) noexcept {
  struct flock range {};
  range.l_type = F_UNLCK;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  fcntl(file, F_OFD_SETLK, &range);
}

}  // namespace
}  // namespace shared_sync_file

SharedSync::SharedSync(const std::string& beside) {
  struct stat found {};
  if (::stat(beside.c_str(), &found) != 0) shared_sync_file::fail("looking at the ledger");
  const mode_t mode = found.st_mode & 0666;
  const std::string path = beside + "-sync";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  if (file_ >= 0) {
    // Those who may write the ledger may lock it, whatever the mask of this process; only root gives files away.
    [[maybe_unused]] const int mode_set = ::fchmod(file_, mode);
    [[maybe_unused]] const int owner_set = ::fchown(file_, found.st_uid, found.st_gid);
  } else if (errno == EEXIST) {
    file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  }
  if (file_ < 0) shared_sync_file::fail("opening the lock of the ledger");
  // Space is taken now: writing to a mapped hole on a full disk would end the program.
  const bool is_ready = fstat(file_, &found) == 0 && (found.st_size >= static_cast<off_t>(shared_sync_file::size) ||
                                                      posix_fallocate(file_, 0, shared_sync_file::size) == 0);
  void* mapped =
      is_ready ? mmap(nullptr, shared_sync_file::size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0) : MAP_FAILED;
  if (mapped == MAP_FAILED) {
    const int code = is_ready ? errno : ENOSPC;
    ::close(file_);
    errno = code;
    shared_sync_file::fail("preparing the lock of the ledger");
  }
  counters_ = static_cast<Counters*>(mapped);
  // After a crash of the machine the words may be of different times: more would be synchronised than was written, and
  // the next writer would not wait. Nothing is wrong with synchronising once more.
  counters_->synchronised.store(0);
}

SharedSync::~SharedSync() {
  munmap(counters_, shared_sync_file::size);
  ::close(file_);
}

SharedSync::Writer::Writer(SharedSync& sync, std::chrono::milliseconds patience) : sync_(sync) {
  const auto end = shared_sync_file::Clock::now() + patience;
  shared_sync_file::Bell& bell = sync.counters_->writers;
  for (;;) {
    const std::uint32_t heard = bell.rings.load();
    if (shared_sync_file::lock(sync.file_, shared_sync_file::writer_byte, F_WRLCK, F_OFD_SETLK)) return;
    if (shared_sync_file::Clock::now() >= end) {
      throw StoreFailure(StoreFault::busy, "other writers did not finish in time",
                         "try again, or look for a process that holds the ledger and does not end");
    }
    bell.sleep(heard, end);
  }
}

SharedSync::Writer::~Writer() {
  shared_sync_file::unlock(sync_.file_, shared_sync_file::writer_byte);
  sync_.counters_->writers.ring(1);
}

std::uint64_t SharedSync::written() noexcept { return counters_->written.fetch_add(1) + 1; }

// What was counted as written before the synchronisation began is on the disk when it has ended.
void SharedSync::wait(std::uint64_t turn, std::chrono::milliseconds patience,
                      const std::function<void(bool)>& synchronise) {
  const auto is_done = [&] { return counters_->synchronised.load() >= turn; };
  // Others synchronise meanwhile for this writer, too.
  const auto end = shared_sync_file::Clock::now() + patience;
  for (;;) {
    const std::uint32_t heard = counters_->syncs.rings.load();
    if (is_done()) return;
    if (shared_sync_file::lock(file_, shared_sync_file::sync_byte, F_WRLCK, F_OFD_SETLK)) break;
    if (shared_sync_file::Clock::now() >= end) {
      throw StoreFailure(StoreFault::busy, "another process does not finish writing to the disk",
                         "look for a process that holds the ledger and does not end");
    }
    counters_->syncs.sleep(heard, end);
  }
  struct Unlock {
    int file;
    shared_sync_file::Bell& bell;
    ~Unlock() {
      shared_sync_file::unlock(file, shared_sync_file::sync_byte);
      bell.ring(INT_MAX);
    }
  } const unlock{file_, counters_->syncs};
  if (is_done()) return;
  const std::uint64_t before = counters_->written.load();
  const std::uint64_t failures = counters_->failures.load();
  try {
    synchronise(failures != counters_->repaired.load());
  } catch (...) {
    failed();
    throw;
  }
  counters_->repaired.store(failures);
  counters_->synchronised.store(std::max(before, counters_->synchronised.load()));
}

void SharedSync::failed() noexcept { counters_->failures.fetch_add(1); }

}  // namespace renyi::ledger
