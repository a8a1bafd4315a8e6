// Long reads of a ledger, page by page: each page is a transaction of its own, so that a store can tidy up between
// them.
#pragma once

#include <functional>
#include <vector>

#include "ledger/store/store.h"

namespace renyi::ledger {

// Visits the entries that a history asks for, up to the last one at the time of the call. `visit` may use the store.
void visit_history(Store& store, HistoryFilter filter, const std::function<void(const EntryRow&)>& visit);

inline constexpr std::int64_t page_of_entries = 1000;

}  // namespace renyi::ledger
