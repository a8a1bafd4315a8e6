#include "ledger/store/sqlite_backup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "ledger/fault_point.h"
#include "ledger/store/sqlite.h"
#include "ledger/store/stores.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace sqlite_backup_file {
namespace {

void remove_all(const std::string& path) {
  std::error_code ignored;
  for (const char* end : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path + end, ignored);
}

void copy_content(const std::string& path, const std::string& made) {
  const Connection from(path, Connection::Mode::existing), to(made, Connection::Mode::existing);
  sqlite3_backup* copying = sqlite3_backup_init(to.get(), "main", from.get(), "main");
  const int code = copying == nullptr ? sqlite3_extended_errcode(to.get()) : sqlite3_backup_step(copying, -1);
  const int ended = copying == nullptr ? SQLITE_OK : sqlite3_backup_finish(copying);
  if (code != SQLITE_DONE) throw_sqlite(code, "writing a backup beside the file");
  if (ended != SQLITE_OK) throw_sqlite(ended, "writing a backup beside the file");
}

}  // namespace
}  // namespace sqlite_backup_file

// The secrets of tickets are in it: nobody else may read it while it is written.
void back_up_sqlite_file(const std::string& path, const std::string& copy) {
  const std::string made = fmt::format("{}.new-{}", copy, ::getpid());
  sqlite_backup_file::remove_all(made);
  const int file = ::open(made.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) throw_sqlite(errno == ENOSPC ? SQLITE_FULL : SQLITE_READONLY, "making a backup beside the file");
  ::close(file);
  try {
    sqlite_backup_file::copy_content(path, made);
    fault_point("sqlite.backup.copied");
    std::filesystem::rename(made, copy);
  } catch (...) {
    sqlite_backup_file::remove_all(made);
    throw;
  }
  sqlite_backup_file::remove_all(made);
  synchronise_directory(copy);
}

}  // namespace renyi::ledger
