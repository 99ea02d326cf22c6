import type { CoreParts } from '../engine/core-parts.js'
import { dependenciesOf } from '../engine/open-transactions.js'
import { createProposals, type ProposalOperations } from '../operations/cosigning/from-pskb.js'

/**
 * What proposals load with the first text: one part, together with what payments load. A feature of an engine: what
 * was signed is remembered by all that its callers create.
 */
export const openProposals = (core: CoreParts): ProposalOperations => createProposals(dependenciesOf(core))
