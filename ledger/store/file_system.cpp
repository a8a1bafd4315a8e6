#include "ledger/store/file_system.h"

#include <fmt/format.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "renyi/error.h"

namespace renyi::ledger {

namespace file_system_file {
namespace {

struct Kind {
  std::uint32_t f_type;
  const char* name;
};

// The write-ahead log needs memory that all writers share and locks that all of them see; on file systems of several
// machines there is no such memory, and synchronisation is a promise of another machine. The numbers are those of
// linux/magic.h and of the manual page statfs(2), or those of the file systems' own sources.
constexpr std::array<Kind, 23> network_kinds{{
    {0x00006969, "NFS"},      {0x0000517B, "SMB"},
    {0xFF534D42, "CIFS"},     {0xFE534D42, "SMB 2"},
    {0x5346414F, "AFS"},      {0x6B414653, "AFS"},
    {0x00C36400, "Ceph"},     {0x73757245, "Coda"},
    {0x0000564C, "NCP"},      {0x0BD00BD0, "Lustre"},
    {0x47504653, "GPFS"},     {0x01021997, "9P"},
    {0x65735546, "FUSE"},     {0x65735543, "FUSE (control)"},
    {0x7461636F, "OCFS2"},    {0x01161970, "GFS2"},
    {0x20030528, "OrangeFS"}, {0x19830326, "BeeGFS"},
    {0xAAD7AAEA, "PanFS"},    {0x786F4256, "VirtualBox"},
    {0xBACBACBC, "VMware"},   {0xBEEFDEAD, "StorNext"},
    {0x61636673, "ACFS"},
}};
constexpr std::uint32_t fuse = 0x65735546;

// On machines with 32 bits the number is signed: only its last 32 bits count.
std::uint32_t last_bits(long f_type) { return static_cast<std::uint32_t>(static_cast<unsigned long>(f_type)); }

const Kind* kind_of(long f_type) {
  const auto* const found = std::find_if(network_kinds.begin(), network_kinds.end(),
                                         [&](const Kind& kind) { return kind.f_type == last_bits(f_type); });
  return found == network_kinds.end() ? nullptr : found;
}

bool is_for_whoever_opens(int error) {
  return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP || error == ENAMETOOLONG;
}

}  // namespace
}  // namespace file_system_file

bool is_network(long f_type) noexcept { return file_system_file::kind_of(f_type) != nullptr; }

void refuse_network_file_system(const std::string& directory) {
  struct statfs answer {};
  while (statfs(directory.empty() ? "." : directory.c_str(), &answer) != 0) {
    if (errno == EINTR) continue;
    if (file_system_file::is_for_whoever_opens(errno)) return;
    throw StoreFailure(StoreFault::unreachable,
                       fmt::format("the file system of its directory does not answer: {}", std::strerror(errno)),
                       "look after the disk, then repeat the call");
  }
  const auto* const kind = file_system_file::kind_of(static_cast<long>(answer.f_type));
  if (kind == nullptr) return;
  const bool may_be_local = kind->f_type == file_system_file::fuse;
  throw StoreFailure(
      StoreFault::unsuitable,
      fmt::format("its directory is in a file system of the kind {}, {}", kind->name,
                  may_be_local ? "which may be on another machine (sshfs and others cannot be told apart)"
                               : "which several machines may share"),
      "put the file on a disk of this machine, or use PostgreSQL (postgresql://...)");
}

}  // namespace renyi::ledger
