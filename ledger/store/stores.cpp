#include "ledger/store/stores.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "ledger/store/postgres_location.h"
#include "ledger/store/postgres_store.h"
#include "renyi/error.h"

namespace renyi::ledger {

void synchronise_directory(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const int directory = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_done = directory >= 0 && ::fsync(directory) == 0;
  if (directory >= 0) ::close(directory);
  if (!is_done) {
    throw StoreFailure(StoreFault::unreachable, "the directory of the ledger cannot be synchronised",
                       "it has to be on a local file system, and readable");
  }
}

std::unique_ptr<Store> create_store(const std::string& location, std::chrono::milliseconds patience) {
  if (is_postgres_location(location)) return create_postgres_store(location, patience);
  return create_sqlite_store(location, patience);
}

std::unique_ptr<Store> open_store(const std::string& location, std::chrono::milliseconds patience, Tables tables) {
  if (is_postgres_location(location)) return open_postgres_store(location, patience);
  return open_sqlite_store(location, patience, tables);
}

}  // namespace renyi::ledger
