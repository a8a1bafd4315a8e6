// Which file systems a ledger's file may be in: those of this machine alone.
#pragma once

#include <string>

namespace renyi::ledger {

// Whether `f_type`, as statfs(2) gives it, is a file system that other machines may share, or that cannot be told from
// one: everything in user space (FUSE) has one number, sshfs and GlusterFS like any other.
[[nodiscard]] bool is_network(long f_type) noexcept;

// Throws StoreFailure (unsuitable) if the directory is in such a file system. A directory that is not there, or that
// may not be searched, is left to whoever opens the file.
void refuse_network_file_system(const std::string& directory);

}  // namespace renyi::ledger
