// A machine that loses power, for SQLite: a VFS between SQLite and the one of the system, which knows for every file
// what has been synchronised, and makes of the rest whatever a disk may hold after a crash.
//
//     UnsyncedVfs machine;  // every connection that is opened from now on goes through it
//     machine.die_at(17);   // the 17th change, and everything after it, fails
//     ...                   // work until it fails, close all connections
//     machine.crash(seed);  // the files are now what the disk held
//
// Files are rewritten where they are, so that they keep their inodes. Calls of fsync and fdatasync that do not go
// through SQLite, such as those of directories, are seen too: the test program's own functions of these names replace
// those of the C library.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/crash_image.h"

namespace renyi::test {

// What SQLite asks of a VFS.
enum class Operation { open, read, write, truncate, sync, size, lock, map, remove, access };
inline constexpr std::array<Operation, 10> all_operations{
    Operation::open, Operation::read, Operation::write, Operation::truncate, Operation::sync,
    Operation::size, Operation::lock, Operation::map,   Operation::remove,   Operation::access};
[[nodiscard]] std::string_view to_string(Operation operation) noexcept;

class UnsyncedVfs {
 public:
  UnsyncedVfs();  // becomes the default VFS; there is one at a time
  ~UnsyncedVfs();
  UnsyncedVfs(const UnsyncedVfs&) = delete;
  UnsyncedVfs& operator=(const UnsyncedVfs&) = delete;

  // The n-th change from now on (0: the next one) does not succeed, and nothing does afterwards: the machine is dead.
  // Changes are writes, cuts, synchronisations, removals and files that are made. Whether the last of them happened is
  // decided by `done`.
  void die_at(std::int64_t n, bool done);
  void die();
  [[nodiscard]] bool is_dead() const { return dead_; }
  // The n-th such operation from now on fails with `code`, once. A write that fails has written half. After a
  // synchronisation that failed, later ones succeed although the changes before it never reach the disk, as with Linux.
  void fail_once(Operation operation, std::int64_t n, int code);
  // No file can become larger from now on: SQLITE_FULL.
  void set_full(bool full) { full_ = full; }
  [[nodiscard]] bool has_failed() const { return fault_count_ < 0; }  // the fault of fail_once has happened
  [[nodiscard]] std::int64_t changes() const { return changes_; }
  [[nodiscard]] std::int64_t count(Operation operation) const {
    return counts_.at(static_cast<std::size_t>(operation));
  }
  [[nodiscard]] std::int64_t unsynced_changes() const;  // that a crash may take away now
  [[nodiscard]] int open_files() const { return open_files_; }

  // Makes all files, in place, what the disk may hold after a crash now. No connection may be open. May be called
  // again with other seeds. The machine stays dead.
  void crash(std::uint64_t seed);
  // A new machine, which takes the files as they are for safe.
  void restart();
  // Whether connections go through this VFS (as after construction), or through that of the system.
  void set_default(bool is_default);

  // For the functions that SQLite and the C library call.
  struct Entered {
    int code = SQLITE_OK;
    bool perform = true;  // although it fails
  };
  Entered enter(Operation operation, bool is_change);
  std::recursive_mutex& mutex() { return mutex_; }
  sqlite3_vfs& system() { return *system_; }
  [[nodiscard]] bool is_full() const { return full_; }
  std::shared_ptr<DiskFile> opened(const std::string& path, bool existed);
  void count_open(int change) { open_files_ += change; }
  void removed(const std::string& path);
  // Returns 0 or an error number, or -1 if the file is none of those it knows.
  int synchronised(int descriptor);

 private:
  [[nodiscard]] std::shared_ptr<DiskFile> known_file(std::uint64_t device, std::uint64_t inode) const;
  void notice_removals();
  void synchronise_directory(const std::string& directory);

  std::unique_ptr<sqlite3_vfs> vfs_;
  sqlite3_vfs* system_;
  mutable std::recursive_mutex mutex_;
  std::map<std::string, DiskName> names_;
  std::map<std::string, std::vector<std::string>> safe_names_;  // by directory, of files that were not opened yet
  std::array<std::int64_t, all_operations.size()> counts_{};
  std::int64_t changes_ = 0;
  std::int64_t death_ = -1;  // the number of the change
  bool last_change_happens_ = false;
  bool is_default_ = false;
  bool is_removal_known_ = false;
  bool dead_ = false;
  bool performing_ = false;  // the last change, although the machine is dead
  bool full_ = false;
  Operation fault_operation_ = Operation::open;
  std::int64_t fault_count_ = 0;  // operations until it happens, and one; 0: no fault is planned; -1: it has happened
  int fault_code_ = SQLITE_OK;
  int open_files_ = 0;
};

}  // namespace renyi::test
