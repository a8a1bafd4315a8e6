// Copies of a SQLite file that is in use.
#pragma once

#include <string>

namespace renyi::ledger {

// Writes what is committed in the file to another one, on the disk, for its owner alone. A file of that name is
// replaced, by nothing less than a whole copy. Throws StoreFailure.
void back_up_sqlite_file(const std::string& path, const std::string& copy);

}  // namespace renyi::ledger
