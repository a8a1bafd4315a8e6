#include "ledger/log/pages.h"

#include <algorithm>

namespace renyi::ledger {

void visit_history(Store& store, HistoryFilter filter, const std::function<void(const EntryRow&)>& visit) {
  store.read([&](View& view) {
    const std::int64_t end = view.end().entry + 1;
    filter.before = filter.before < 0 ? end : std::min(filter.before, end);
    if (filter.last > 0) filter.after = view.before_last(filter);
  });
  const std::int64_t most = filter.most;
  std::int64_t visited = 0;
  for (std::vector<EntryRow> page;; page.clear()) {
    filter.most = most > 0 ? std::min(page_of_entries, most - visited) : page_of_entries;
    store.read([&](View& view) { view.history(filter, [&](const EntryRow& row) { page.push_back(row); }); });
    for (const EntryRow& row : page) visit(row);
    visited += static_cast<std::int64_t>(page.size());
    if (static_cast<std::int64_t>(page.size()) < filter.most || visited == most) return;
    filter.after = page.back().entry;
  }
}

}  // namespace renyi::ledger
