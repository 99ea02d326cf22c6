/** What proposals load with the first text: one part, together with what payments load. */
export { dependenciesOf } from '../engine/open-transactions.js'
export { createProposals } from '../operations/cosigning/from-pskb.js'
