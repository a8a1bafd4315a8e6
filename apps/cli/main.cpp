#include "apps/cli/program.h"

int main(int argc, char** argv) { return renyi::cli::run_program(argc, argv); }
