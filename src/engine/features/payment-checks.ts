import type { PaymentCheck } from '../../operations/transactions/transaction-operations.js'

/** What other parts of the library refuse of payments. */
export const paymentChecks = (): Set<PaymentCheck> => new Set()
