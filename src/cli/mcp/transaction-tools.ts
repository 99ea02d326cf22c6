import { explainPlan } from './explain-transaction.js'
import type { Tools } from './tool.js'

/** An unsigned transaction in the form of `PendingTx.serialize()`. */
const TRANSACTION = { type: 'object' } as const

/** Decodes what an app plans, before it is signed. */
export const transactionTools: Tools = {
  explain_payment: {
    about:
      'Explains an unsigned transaction, or the transactions of a payment plan: recipients, change, fee, mass, problems. Takes what PendingTx.serialize() returns before it is signed.',
    schema: { transactions: { type: 'array', items: TRANSACTION, minItems: 1, maxItems: 50 } },
    required: ['transactions'],
    run: ({ transactions }, { chain }) =>
      explainPlan(Array.isArray(transactions) ? (transactions as readonly unknown[]) : [], chain.network),
  },
}
