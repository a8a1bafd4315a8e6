// Named places, of ledgers and of releases, where a test lets a program fail: it is killed there, or the hook throws.
#pragma once

namespace renyi::ledger {

using FaultHook = void (*)(const char* name);

// Only test programs set a hook. It is not synchronised: it is set before a ledger is used.
void set_fault_hook(FaultHook hook) noexcept;

// Calls the hook, if there is one.
void fault_point(const char* name);

}  // namespace renyi::ledger
