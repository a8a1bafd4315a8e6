#include "support/unsynced_vfs.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>

namespace renyi::test {

namespace unsynced_vfs_file {
namespace {

UnsyncedVfs* active = nullptr;

// What SQLite holds of an open file. The file of the system's VFS follows it in memory.
struct OpenFile {
  sqlite3_file base;
  UnsyncedVfs* machine;
  std::shared_ptr<DiskFile>* disk;  // nullptr: a temporary file, which nothing is expected of
  sqlite3_file* system;
};

OpenFile& of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file); }
UnsyncedVfs& of(sqlite3_vfs* vfs) { return *static_cast<UnsyncedVfs*>(vfs->pAppData); }
using Lock = std::lock_guard<std::recursive_mutex>;

// ---- What SQLite calls.

int close(sqlite3_file* file) {
  OpenFile& open = of(file);
  const Lock lock(open.machine->mutex());
  const int code = open.system->pMethods->xClose(open.system);
  delete open.disk;
  open.disk = nullptr;
  open.machine->count_open(-1);
  return code;
}

int read(sqlite3_file* file, void* data, int size, sqlite3_int64 offset) {
  OpenFile& open = of(file);
  const Lock lock(open.machine->mutex());
  const auto entered = open.machine->enter(Operation::read, false);
  return entered.code == SQLITE_OK ? open.system->pMethods->xRead(open.system, data, size, offset) : entered.code;
}

bool would_grow(OpenFile& open, std::int64_t end) {
  sqlite3_int64 size = 0;
  return open.system->pMethods->xFileSize(open.system, &size) == SQLITE_OK && end > size;
}

int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  OpenFile& open = of(file);
  const Lock lock(open.machine->mutex());
  auto entered = open.machine->enter(Operation::write, true);
  if (entered.code == SQLITE_OK && open.machine->is_full() && would_grow(open, offset + size)) {
    entered = {SQLITE_FULL, true};
  }
  if (!entered.perform) return entered.code;
  const int performed = entered.code == SQLITE_OK || open.machine->is_dead() ? size : size / 2;
  if (performed == 0) return entered.code;
  const int code = open.system->pMethods->xWrite(open.system, data, performed, offset);
  if (open.disk != nullptr) {
    (*open.disk)->unsynced.push_back({offset, {static_cast<const char*>(data), static_cast<std::size_t>(performed)}});
  }
  return entered.code == SQLITE_OK ? code : entered.code;
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  OpenFile& open = of(file);
  const Lock lock(open.machine->mutex());
  const auto entered = open.machine->enter(Operation::truncate, true);
  if (!entered.perform) return entered.code;
  const int code = open.system->pMethods->xTruncate(open.system, size);
  if (open.disk != nullptr) (*open.disk)->unsynced.push_back({size, {}});
  return entered.code == SQLITE_OK ? code : entered.code;
}

int sync(sqlite3_file* file, int flags) {
  OpenFile& open = of(file);
  const Lock lock(open.machine->mutex());
  const auto entered = open.machine->enter(Operation::sync, true);
  if (!entered.perform && !open.machine->is_dead() && open.disk != nullptr) forget_unsynced(**open.disk);
  if (!entered.perform) return entered.code;
  const int code = open.system->pMethods->xSync(open.system, flags);
  if (code == SQLITE_OK && open.disk != nullptr) synchronise(**open.disk);
  return entered.code == SQLITE_OK ? code : entered.code;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  OpenFile& open = of(file);
  const Lock lock(open.machine->mutex());
  const auto entered = open.machine->enter(Operation::size, false);
  return entered.code == SQLITE_OK ? open.system->pMethods->xFileSize(open.system, size) : entered.code;
}

int lock(sqlite3_file* file, int level) {
  OpenFile& open = of(file);
  const Lock guard(open.machine->mutex());
  const auto entered = open.machine->enter(Operation::lock, false);
  return entered.code == SQLITE_OK ? open.system->pMethods->xLock(open.system, level) : entered.code;
}

int unlock(sqlite3_file* file, int level) { return of(file).system->pMethods->xUnlock(of(file).system, level); }

int check_reserved_lock(sqlite3_file* file, int* result) {
  return of(file).system->pMethods->xCheckReservedLock(of(file).system, result);
}

int file_control(sqlite3_file* file, int code, void* argument) {
  if (code == SQLITE_FCNTL_SIZE_HINT) return SQLITE_OK;  // a change of the size that would not be seen here
  return of(file).system->pMethods->xFileControl(of(file).system, code, argument);
}

int sector_size(sqlite3_file* file) { return of(file).system->pMethods->xSectorSize(of(file).system); }

int characteristics(sqlite3_file* file) { return of(file).system->pMethods->xDeviceCharacteristics(of(file).system); }

int shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** result) {
  OpenFile& open = of(file);
  const Lock guard(open.machine->mutex());
  const auto entered = open.machine->enter(Operation::map, false);
  if (entered.code == SQLITE_OK) return open.system->pMethods->xShmMap(open.system, region, size, extend, result);
  *result = nullptr;
  return entered.code;
}

int shm_lock(sqlite3_file* file, int offset, int n, int flags) {
  OpenFile& open = of(file);
  if ((flags & SQLITE_SHM_LOCK) != 0) {
    const Lock guard(open.machine->mutex());
    const auto entered = open.machine->enter(Operation::lock, false);
    if (entered.code != SQLITE_OK) return entered.code;
  }
  return open.system->pMethods->xShmLock(open.system, offset, n, flags);
}

void shm_barrier(sqlite3_file* file) { of(file).system->pMethods->xShmBarrier(of(file).system); }

int shm_unmap(sqlite3_file* file, int remove) {
  OpenFile& open = of(file);
  return open.system->pMethods->xShmUnmap(open.system, open.machine->is_dead() ? 0 : remove);
}

const sqlite3_io_methods methods = {2,
                                    close,
                                    read,
                                    write,
                                    truncate,
                                    sync,
                                    file_size,
                                    lock,
                                    unlock,
                                    check_reserved_lock,
                                    file_control,
                                    sector_size,
                                    characteristics,
                                    shm_map,
                                    shm_lock,
                                    shm_barrier,
                                    shm_unmap,
                                    nullptr,
                                    nullptr};

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  UnsyncedVfs& machine = of(vfs);
  OpenFile& open = of(file);
  open.base.pMethods = nullptr;  // SQLite then does not call xClose
  const Lock guard(machine.mutex());
  struct stat before {};
  const bool existed = name == nullptr || stat(name, &before) == 0;
  const auto entered = machine.enter(Operation::open, !existed);
  if (!entered.perform) return entered.code;
  open.machine = &machine;
  open.disk = nullptr;
  open.system = reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(OpenFile));
  int code = machine.system().xOpen(&machine.system(), name, open.system, flags, out_flags);
  if (code == SQLITE_OK) {
    const bool tracked = name != nullptr && (flags & SQLITE_OPEN_DELETEONCLOSE) == 0;
    const auto disk = tracked ? machine.opened(name, existed) : nullptr;
    if (disk != nullptr) open.disk = new std::shared_ptr<DiskFile>(disk);
    open.base.pMethods = &methods;
    machine.count_open(1);
  } else if (open.system->pMethods != nullptr) {
    open.system->pMethods->xClose(open.system);
  }
  if (code == SQLITE_OK && entered.code != SQLITE_OK) {
    open.base.pMethods = nullptr;
    close(file);
    code = entered.code;
  }
  return code;
}

int remove_file(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  UnsyncedVfs& machine = of(vfs);
  const Lock guard(machine.mutex());
  const auto entered = machine.enter(Operation::remove, true);
  if (!entered.perform) return entered.code;
  struct stat before {};
  if (stat(name, &before) == 0) machine.removed(name);
  const int code = machine.system().xDelete(&machine.system(), name, sync_directory);
  return entered.code == SQLITE_OK ? code : entered.code;
}

int access_file(sqlite3_vfs* vfs, const char* name, int flags, int* result) {
  UnsyncedVfs& machine = of(vfs);
  const Lock guard(machine.mutex());
  const auto entered = machine.enter(Operation::access, false);
  return entered.code == SQLITE_OK ? machine.system().xAccess(&machine.system(), name, flags, result) : entered.code;
}

int full_path(sqlite3_vfs* vfs, const char* name, int size, char* out) {
  return of(vfs).system().xFullPathname(&of(vfs).system(), name, size, out);
}

// ---- What remains.

bool is_directory(const struct stat& file) { return S_ISDIR(file.st_mode); }

std::string directory_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

int error_code(Operation operation) {
  switch (operation) {
    case Operation::open: return SQLITE_CANTOPEN;
    case Operation::read: return SQLITE_IOERR_READ;
    case Operation::write: return SQLITE_IOERR_WRITE;
    case Operation::truncate: return SQLITE_IOERR_TRUNCATE;
    case Operation::sync: return SQLITE_IOERR_FSYNC;
    case Operation::size: return SQLITE_IOERR_FSTAT;
    case Operation::lock: return SQLITE_IOERR_LOCK;
    case Operation::map: return SQLITE_IOERR_SHMMAP;
    case Operation::remove: return SQLITE_IOERR_DELETE;
    case Operation::access: return SQLITE_IOERR_ACCESS;
  }
  return SQLITE_IOERR;
}

}  // namespace
}  // namespace unsynced_vfs_file

std::string_view to_string(Operation operation) noexcept {
  switch (operation) {
    case Operation::open: return "open";
    case Operation::read: return "read";
    case Operation::write: return "write";
    case Operation::truncate: return "truncate";
    case Operation::sync: return "sync";
    case Operation::size: return "size";
    case Operation::lock: return "lock";
    case Operation::map: return "map";
    case Operation::remove: return "remove";
    case Operation::access: return "access";
  }
  return "none";
}

UnsyncedVfs::UnsyncedVfs() : vfs_(std::make_unique<sqlite3_vfs>()), system_(sqlite3_vfs_find(nullptr)) {
  if (unsynced_vfs_file::active != nullptr) throw std::logic_error("there is one machine at a time");
  *vfs_ = *system_;
  vfs_->iVersion = 2;
  vfs_->szOsFile = static_cast<int>(sizeof(unsynced_vfs_file::OpenFile)) + system_->szOsFile;
  vfs_->pNext = nullptr;
  vfs_->zName = "unsynced";
  vfs_->pAppData = this;
  vfs_->xOpen = unsynced_vfs_file::open_file;
  vfs_->xDelete = unsynced_vfs_file::remove_file;
  vfs_->xAccess = unsynced_vfs_file::access_file;
  vfs_->xFullPathname = unsynced_vfs_file::full_path;
  unsynced_vfs_file::active = this;
  set_default(true);
}

UnsyncedVfs::~UnsyncedVfs() {
  set_default(false);
  sqlite3_vfs_unregister(vfs_.get());
  unsynced_vfs_file::active = nullptr;
}

void UnsyncedVfs::set_default(bool is_default) {
  const unsynced_vfs_file::Lock lock(mutex_);
  sqlite3_vfs_register(is_default ? vfs_.get() : system_, 1);
  is_default_ = is_default;
}

void UnsyncedVfs::die_at(std::int64_t n, bool done) {
  const unsynced_vfs_file::Lock lock(mutex_);
  death_ = changes_ + n;
  last_change_happens_ = done;
}

void UnsyncedVfs::die() {
  const unsynced_vfs_file::Lock lock(mutex_);
  dead_ = true;
}

void UnsyncedVfs::fail_once(Operation operation, std::int64_t n, int code) {
  const unsynced_vfs_file::Lock lock(mutex_);
  fault_operation_ = operation;
  fault_count_ = n + 1;
  fault_code_ = code;
}

UnsyncedVfs::Entered UnsyncedVfs::enter(Operation operation, bool is_change) {
  performing_ = false;
  if (dead_) return {unsynced_vfs_file::error_code(operation), false};
  ++counts_.at(static_cast<std::size_t>(operation));
  if (is_change && changes_++ == death_) {
    dead_ = true;
    performing_ = last_change_happens_;
    return {unsynced_vfs_file::error_code(operation), last_change_happens_};
  }
  if (fault_count_ > 0 && operation == fault_operation_ && --fault_count_ == 0) {
    fault_count_ = -1;
    return {fault_code_, operation == Operation::write};
  }
  return {};
}

std::int64_t UnsyncedVfs::unsynced_changes() const {
  const unsynced_vfs_file::Lock lock(mutex_);
  std::size_t sum = 0;
  for (const auto& [path, name] : names_) {
    sum += name.states.size() - 1 + (name.states.back() == nullptr ? 0 : name.states.back()->unsynced.size());
  }
  return static_cast<std::int64_t>(sum);
}

// A file that is not known yet and has content was there before: it is safe. An empty one, and one that has another
// name already, may have got this name a moment ago without SQLite; it is safe only if its directory was synchronised
// since.
std::shared_ptr<DiskFile> UnsyncedVfs::opened(const std::string& path, bool existed) {
  struct stat now {};
  if (stat(path.c_str(), &now) != 0) return nullptr;
  auto& states = names_[path].states;
  const bool is_known = !states.empty() && states.back() != nullptr && states.back()->inode == now.st_ino && existed;
  if (is_known) return states.back();
  auto file = existed ? known_file(now.st_dev, now.st_ino) : nullptr;
  const bool is_linked = file != nullptr;
  if (!is_linked) {
    file = std::make_shared<DiskFile>(DiskFile{now.st_dev, now.st_ino, read_all(path), {}});
  }
  const auto& safe = safe_names_[unsynced_vfs_file::directory_of(path)];
  const bool is_old = now.st_size > 0 && !is_linked;
  const bool is_safe = existed && (is_old || std::find(safe.begin(), safe.end(), path) != safe.end());
  if (states.empty() && !is_safe) states.push_back(nullptr);
  states.push_back(std::move(file));
  return states.back();
}

// Only what has a name now: numbers of inodes are used again.
std::shared_ptr<DiskFile> UnsyncedVfs::known_file(std::uint64_t device, std::uint64_t inode) const {
  for (const auto& [path, name] : names_) {
    const bool has_it = !name.states.empty() && name.states.back() != nullptr;
    if (has_it && name.states.back()->inode == inode && name.states.back()->device == device) return name.states.back();
  }
  return nullptr;
}

void UnsyncedVfs::removed(const std::string& path) {
  auto& states = names_[path].states;
  struct stat now {};
  if (states.empty() && stat(path.c_str(), &now) == 0) {
    states.push_back(std::make_shared<DiskFile>(DiskFile{now.st_dev, now.st_ino, read_all(path), {}}));
  }
  states.push_back(nullptr);
}

// Files are also removed without SQLite.
void UnsyncedVfs::notice_removals() {
  for (auto& [path, name] : names_) {
    struct stat now {};
    if (name.states.back() != nullptr && lstat(path.c_str(), &now) != 0) name.states.push_back(nullptr);
  }
}

void UnsyncedVfs::synchronise_directory(const std::string& directory) {
  notice_removals();
  for (auto& [path, name] : names_) {
    if (unsynced_vfs_file::directory_of(path) == directory) name.states = {name.states.back()};
  }
  auto& safe = safe_names_[directory];
  safe.clear();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    safe.push_back(entry.path().string());
  }
}

int UnsyncedVfs::synchronised(int descriptor) {
  const unsynced_vfs_file::Lock lock(mutex_);
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return -1;
  if (!is_default_) return 0;  // whoever looks at what a crash has left
  if (unsynced_vfs_file::is_directory(file)) {
    std::error_code failed;
    const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), failed);
    if (failed) return -1;
    if (dead_ && !performing_) return EIO;
    synchronise_directory(path.string());
    return 0;
  }
  const auto known = known_file(file.st_dev, file.st_ino);
  if (known != nullptr) {
    if (dead_ && !performing_) return EIO;
    synchronise(*known);
    return 0;
  }
  return -1;
}

void UnsyncedVfs::crash(std::uint64_t seed) {
  const unsynced_vfs_file::Lock lock(mutex_);
  if (open_files_ != 0) throw std::logic_error("a connection is still open");
  dead_ = true;
  if (!is_removal_known_) notice_removals();
  is_removal_known_ = true;  // from now on, what is missing was removed by a crash
  std::mt19937_64 random(seed);
  for (const auto& [path, name] : names_) {
    // A name has had several states since the directory was synchronised; the disk has any of them.
    const auto& state = name.states[below(random, name.states.size())];
    if (state == nullptr) {
      std::filesystem::remove(path);
    } else {
      write_in_place(path, image_of(*state, random));
    }
    std::filesystem::remove(path + "-shm");
  }
}

void UnsyncedVfs::restart() {
  const unsynced_vfs_file::Lock lock(mutex_);
  if (open_files_ != 0) throw std::logic_error("a connection is still open");
  names_.clear();
  is_removal_known_ = false;
  safe_names_.clear();
  counts_.fill(0);
  changes_ = 0;
  death_ = -1;
  dead_ = false;
  full_ = false;
  fault_count_ = 0;
}

}  // namespace renyi::test

// These replace the functions of the C library in the whole program. What a machine knows is not synchronised in fact:
// the tests are quicker, and a test that was killed leaves nothing behind that matters.
extern "C" int fsync(int descriptor) {
  if (renyi::test::unsynced_vfs_file::active != nullptr) {
    const int error = renyi::test::unsynced_vfs_file::active->synchronised(descriptor);
    if (error > 0) errno = error;
    if (error >= 0) return error == 0 ? 0 : -1;
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

extern "C" int fdatasync(int descriptor) {
  if (renyi::test::unsynced_vfs_file::active != nullptr) {
    const int error = renyi::test::unsynced_vfs_file::active->synchronised(descriptor);
    if (error > 0) errno = error;
    if (error >= 0) return error == 0 ? 0 : -1;
  }
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}
