import { feature } from '../../../engine/core-parts.js'
import { transactions } from '../../../engine/features/transactions.js'
import type { TransactionOperations } from '../../../operations/transactions/transaction-operations.js'
import { useCore } from '../plugin/core.js'

export type UseTransactionReturn = TransactionOperations

/**
 * Estimates, creates, sends, cancels and restores payments, sweeps and consolidates. Excludes UTXOs that are immature,
 * bound by a covenant, or reserved by a pending payment. What signs with `privateKeys` rejects with
 * `ChainNotReadyError` before the WASM module is ready; the other functions and a `signer` do not need it.
 */
export const useTransaction = (): UseTransactionReturn => ({ ...feature(useCore('useTransaction'), transactions) })
