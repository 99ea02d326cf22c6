import type { ManagedAddresses } from '../../operations/transactions/transaction-operations.js'

/** The addresses from which a payment queue of this engine pays, with its name: nothing else may spend from them. */
export const managedAddresses = (): Map<string, string> & ManagedAddresses => new Map()
