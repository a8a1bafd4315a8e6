#include "support/crash_image.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace renyi::test {

namespace crash_image_file {
namespace {

constexpr std::int64_t sector = 512;

void put(std::string& content, std::int64_t offset, std::string_view bytes) {
  const auto end = static_cast<std::size_t>(offset) + bytes.size();
  if (content.size() < end) content.resize(end, '\0');
  std::copy(bytes.begin(), bytes.end(), content.begin() + static_cast<std::ptrdiff_t>(offset));
}

void apply(std::string& content, const FileChange& change) {
  if (change.bytes.empty()) {
    content.resize(static_cast<std::size_t>(change.offset), '\0');
  } else {
    put(content, change.offset, change.bytes);
  }
}

// Applies a write sector by sector: each may be written, be left as it was, or, rarely, hold anything. What is outside
// of the bytes that were written stays as it was: SQLite relies on it (SQLITE_IOCAP_POWERSAFE_OVERWRITE).
void apply_torn(std::string& content, const FileChange& change, std::mt19937_64& random) {
  const auto size = static_cast<std::int64_t>(change.bytes.size());
  const std::uint64_t chance = below(random, 5);  // of 4, that a sector is written
  if (below(random, 2) == 0) {                    // the file may be longer, and have a hole
    content.resize(std::max(content.size(), static_cast<std::size_t>(change.offset + size)), '\0');
  }
  for (std::int64_t at = 0; at < size;) {
    const std::int64_t length = std::min(size - at, sector - (change.offset + at) % sector);
    std::string part = change.bytes.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
    if (below(random, 4) < chance) {
      put(content, change.offset + at, part);
    } else if (below(random, 50) == 0) {
      std::generate(part.begin(), part.end(), [&] { return static_cast<char>(random()); });
      put(content, change.offset + at, part);
    }
    at += length;
  }
}

}  // namespace
}  // namespace crash_image_file

std::uint64_t below(std::mt19937_64& random, std::uint64_t limit) { return limit == 0 ? 0 : random() % limit; }

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_in_place(const std::string& path, const std::string& content) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) throw std::runtime_error("cannot write " + path);
  bool good = ftruncate(descriptor, 0) == 0;
  for (std::size_t done = 0; good && done < content.size();) {
    const ssize_t n = ::write(descriptor, content.data() + done, content.size() - done);
    good = n > 0;
    done += good ? static_cast<std::size_t>(n) : 0;
  }
  ::close(descriptor);
  if (!good) throw std::runtime_error("cannot write " + path);
}

void synchronise(DiskFile& file) {
  for (const FileChange& change : file.unsynced) crash_image_file::apply(file.synced, change);
  file.unsynced.clear();
}

void forget_unsynced(DiskFile& file) {
  std::erase_if(file.unsynced, [](const FileChange& change) { return !change.bytes.empty(); });
}

// Whatever the order in which a disk writes: nothing, everything, everything up to a point, or any of the changes in
// any order, and each write whole or torn.
std::string image_of(const DiskFile& file, std::mt19937_64& random) {
  std::string content = file.synced;
  std::vector<FileChange> chosen = file.unsynced;
  const std::uint64_t way = below(random, 6);
  if (way == 0) chosen.clear();
  if (way == 1) chosen.resize(below(random, chosen.size() + 1));
  if (way >= 2 && way <= 4) {
    const std::uint64_t kept = 1 + below(random, 15);
    std::erase_if(chosen, [&](const FileChange&) { return below(random, 16) >= kept; });
  }
  if (way == 4) std::shuffle(chosen.begin(), chosen.end(), random);
  const bool torn = below(random, 2) == 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const bool is_last = i + 1 == chosen.size();
    const bool may_tear = way >= 2 ? torn : way == 1 && is_last;
    if (may_tear && !chosen[i].bytes.empty() && below(random, 2) == 0) {
      crash_image_file::apply_torn(content, chosen[i], random);
    } else {
      crash_image_file::apply(content, chosen[i]);
    }
  }
  // The size may not have been extended, or not as far.
  if (content.size() > file.synced.size() && below(random, 4) == 0) {
    content.resize(file.synced.size() + below(random, content.size() - file.synced.size() + 1));
  }
  return content;
}

}  // namespace renyi::test
