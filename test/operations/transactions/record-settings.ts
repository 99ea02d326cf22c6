import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'

/** Settings whose UTXOs are records. */
export type RecordSettings = CreateTransactionSettings & { readonly entries: readonly UtxoEntry[] }
