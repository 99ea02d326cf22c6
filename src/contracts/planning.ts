/** What contracts load with the first plan: one part, together with what payments load. */
export { dependenciesOf } from '../engine/open-transactions.js'
export { createContractTransactions } from '../operations/contracts/contract-transactions.js'

/** Of restored calls, and of followers. Here Rolldown makes one chunk of it: apps begin with 600 bytes less. */
export { decodeCall } from '../model/contracts/decode-call.js'
