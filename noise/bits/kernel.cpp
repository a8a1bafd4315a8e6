#include "noise/bits/kernel.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "noise/bits/kernel_source.h"
#include "noise/bits/wipe.h"
#include "renyi/error.h"

namespace renyi::noise {
namespace kernel_file {
namespace {

// The system call itself: newer C libraries answer getrandom() from a generator of their own in ordinary memory.
ssize_t system_call(void* buffer, std::size_t size) { return syscall(SYS_getrandom, buffer, size, 0U); }

[[noreturn]] void refuse(std::span<std::byte> bytes, const std::string& cause) {
  wipe(bytes.data(), bytes.size());
  throw Unsupported("entropy", "the kernel gives no random bits: getrandom: " + cause,
                    "nothing was drawn; allow the system call getrandom, for example in the container's filter");
}

}  // namespace
}  // namespace kernel_file

std::atomic<KernelSource> kernel_source = kernel_file::system_call;

void fill_from_kernel(std::span<std::byte> bytes) {
  std::span<std::byte> rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = kernel_source.load()(rest.data(), rest.size());
    if (written < 0) {
      const int cause = errno;
      if (cause == EINTR) continue;
      kernel_file::refuse(bytes, std::generic_category().message(cause));
    }
    // A kernel that says that it wrote nothing, or more than was asked for, is not to be believed.
    if (written == 0 || static_cast<std::size_t>(written) > rest.size()) {
      kernel_file::refuse(bytes,
                          "returned " + std::to_string(written) + " for " + std::to_string(rest.size()) + " bytes");
    }
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
}

}  // namespace renyi::noise
