// Named places where a test lets a release fail: the program is killed there, or the hook throws.
#pragma once

namespace renyi::release {

using FaultHook = void (*)(const char* name);

// Only test programs set a hook, before a release is run.
void set_fault_hook(FaultHook hook) noexcept;

// Calls the hook, if there is one.
void fault_point(const char* name);

}  // namespace renyi::release
