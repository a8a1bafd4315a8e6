// Which file systems a ledger's file may be in.
#include "ledger/store/file_system.h"

#include <gtest/gtest.h>
#include <linux/magic.h>

#include <cstdint>
#include <string>

#include "renyi/error.h"

namespace renyi::ledger::file_system_test {
namespace {

TEST(FileSystem, RefusesWhatOtherMachinesMayShare) {
  for (const long f_type : {NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, CEPH_SUPER_MAGIC, CODA_SUPER_MAGIC, NCP_SUPER_MAGIC,
                            AFS_SUPER_MAGIC, AFS_FS_MAGIC, V9FS_MAGIC, OCFS2_SUPER_MAGIC, 0x0BD00BD0 /* Lustre */,
                            0x47504653 /* GPFS */, 0x65735546 /* FUSE */, 0x01161970 /* GFS2 */}) {
    EXPECT_TRUE(is_network(f_type)) << std::hex << f_type;
  }
}

// statfs gives these as positive numbers where long has 64 bits, and as negative ones where it has 32.
TEST(FileSystem, KnowsNumbersWithAndWithoutSign) {
  for (const std::uint32_t f_type : {std::uint32_t{0xFF534D42} /* CIFS */, std::uint32_t{0xFE534D42} /* SMB 2 */}) {
    EXPECT_TRUE(is_network(static_cast<long>(f_type)));
    EXPECT_TRUE(is_network(static_cast<std::int32_t>(f_type)));
  }
}

TEST(FileSystem, AcceptsThoseOfOneMachine) {
  for (const long f_type : {long{EXT4_SUPER_MAGIC}, long{XFS_SUPER_MAGIC}, long{BTRFS_SUPER_MAGIC}, long{TMPFS_MAGIC},
                            long{OVERLAYFS_SUPER_MAGIC}, long{F2FS_SUPER_MAGIC}, 0x2FC12FC1L /* ZFS */,
                            0xCA451A4EL /* bcachefs */, 0L, -1L}) {
    EXPECT_FALSE(is_network(f_type)) << std::hex << f_type;
  }
}

TEST(FileSystem, AsksTheDirectory) {
  EXPECT_NO_THROW(refuse_network_file_system(testing::TempDir()));
  EXPECT_NO_THROW(refuse_network_file_system(""));               // where the program runs
  EXPECT_NO_THROW(refuse_network_file_system("/not/anywhere"));  // whoever opens the file says so
}

}  // namespace
}  // namespace renyi::ledger::file_system_test
