// Figures of what is recorded: the account of a ledger, and the rows of a sweep.
#pragma once

#include <string>

#include "api/figure/figure.h"
#include "api/ledger.h"
#include "api/sweep/figures.h"
#include "api/sweep/grid.h"

namespace renyi::api::figure {

// Draws the balance of a scope that is nearest to its limit, after each of its entries.
Figure ledger_figure(const LedgerRequest& asked, const ScopeState& state);

// Throws InvalidArgument naming the flag unless the grid has one or two axes that fit into a figure.
void check_axes(const sweep::Grid& grid, const std::string& flag);
// Draws the figures of a grid: along one axis as a curve, of two axes as a heat map.
Figure sweep_figure(const sweep::Grid& grid, const sweep::Figures& figures);

}  // namespace renyi::api::figure
