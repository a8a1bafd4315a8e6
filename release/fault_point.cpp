#include "release/fault_point.h"

namespace renyi::release {
namespace fault_point_file {
namespace {

FaultHook current = nullptr;

}  // namespace
}  // namespace fault_point_file

void set_fault_hook(FaultHook hook) noexcept { fault_point_file::current = hook; }

void fault_point(const char* name) {
  if (fault_point_file::current != nullptr) fault_point_file::current(name);
}

}  // namespace renyi::release
