// The stores that there are.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "ledger/store/store.h"

namespace renyi::ledger {

std::unique_ptr<Store> create_sqlite_store(const std::string& path, std::chrono::milliseconds patience);
std::unique_ptr<Store> open_sqlite_store(const std::string& path, std::chrono::milliseconds patience,
                                         Tables tables = Tables::checked);

// Makes the entry of a file in its directory durable. Throws StoreFailure.
void synchronise_directory(const std::string& path);

}  // namespace renyi::ledger
