// Values that are kept by a text within a bound on bytes: what was used longest ago goes first.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace renyi::ledger {

// Values are cheap to copy, such as shared pointers.
template <class Value>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t most_bytes) : most_(most_bytes) {}

  // Returns nullptr if nothing is kept by this text.
  const Value* find(const std::string& text) {
    const auto found = where_.find(text);
    if (found == where_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return &found->second->value;
  }

  // `bytes` are those of the value. One that is larger than the bound is not kept.
  void keep(const std::string& text, Value value, std::size_t bytes) {
    bytes += text.size() + overhead;
    if (where_.contains(text) || bytes > most_) return;
    while (bytes_ + bytes > most_) drop_last();
    kept_.push_front({text, std::move(value), bytes});
    where_.emplace(kept_.front().text, kept_.begin());
    bytes_ += bytes;
  }

  std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Kept {
    std::string text;
    Value value;
    std::size_t bytes;
  };
  static constexpr std::size_t overhead = sizeof(Kept) + 128;  // nodes of the list and of the table

  void drop_last() {
    bytes_ -= kept_.back().bytes;
    where_.erase(kept_.back().text);
    kept_.pop_back();
  }

  std::size_t most_;
  std::size_t bytes_ = 0;
  std::list<Kept> kept_;
  std::unordered_map<std::string_view, typename std::list<Kept>::iterator> where_;  // by the texts of `kept_`
};

}  // namespace renyi::ledger
