// What a disk may hold of a file after the machine lost power: everything that was synchronised, and of the later
// changes whatever it happened to write.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace renyi::test {

// A part of a file that was written, or its length (`bytes` is empty) to which it was cut.
struct FileChange {
  std::int64_t offset = 0;
  std::string bytes{};
};

// A file, whatever its name is.
struct DiskFile {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string synced{};                // the content that a crash cannot take away
  std::vector<FileChange> unsynced{};  // what happened to it since
};

// What has a name. The states since the last synchronisation of the directory are in order, the first one being the
// one that is safe; nullptr means that there is no file of this name.
struct DiskName {
  std::vector<std::shared_ptr<DiskFile>> states{};
};

// Now everything is safe.
void synchronise(DiskFile& file);
// A synchronisation has failed. The system takes the bytes for written, also those that never reach the disk: no later
// synchronisation helps.
void forget_unsynced(DiskFile& file);
// Returns what the disk may hold, at random.
[[nodiscard]] std::string image_of(const DiskFile& file, std::mt19937_64& random);

// Returns a number below the limit; 0 if that is 0.
[[nodiscard]] std::uint64_t below(std::mt19937_64& random, std::uint64_t limit);
[[nodiscard]] std::string read_all(const std::string& path);
// The file keeps its inode, if there is one.
void write_in_place(const std::string& path, const std::string& content);

}  // namespace renyi::test
