#include "apps/cli/commands/command.h"

#include "apps/cli/program.h"
