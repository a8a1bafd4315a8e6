#include <CLI/CLI.hpp>
#include <iostream>

#include "api/api.h"
#include "renyi/version.h"
