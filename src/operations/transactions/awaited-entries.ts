import { awaitedOf, type AwaitUtxos } from '../../model/utxo-source/awaited.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import type { CreateTransactionSettings } from './records.js'

type Entries = CreateTransactionSettings['entries']

/**
 * How a payment waits for the UTXOs that it spends in place of restored ones; null where it spends those given, which
 * are not checked yet.
 */
export const awaitedEntries = ({ entries }: { readonly entries: Entries }): AwaitUtxos<Entries> | null =>
  entries instanceof UtxoSource ? entries.awaited : Array.isArray(entries) ? awaitedOf(entries) : null
