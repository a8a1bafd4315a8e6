"""All kinds of stored files. A kind that is added is a module here, with files in the folder of its version."""

import certificates
import checkpoints
import filters
import ledgers
import links
import plans
import postgresql
import records
import releases
import sweeps
import tokens

KINDS = (plans, certificates, filters, checkpoints, ledgers, postgresql, releases, tokens, sweeps, records, links)
