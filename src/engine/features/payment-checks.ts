import type { PaymentCheck } from '../../operations/transactions/dependencies.js'

/** What other parts of the library refuse of payments. */
export const paymentChecks = (): Set<PaymentCheck> => new Set()
