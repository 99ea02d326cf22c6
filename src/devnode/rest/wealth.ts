import { toAddress } from '../../model/address.js'
import type { Indexer } from './indexer.js'
import type { ChainEntry } from './memory.js'

/** Who holds how much, in whole KAS: the server's rankings know nothing smaller. */
export function holdersOf({ ledger }: Indexer): readonly { readonly address: string; readonly amount: number }[] {
  const held = new Map<string, bigint>()
  for (const { address, amount } of ledger.truth.utxos()) {
    if (address !== undefined) held.set(address, (held.get(address) ?? 0n) + amount)
  }
  return [...held]
    .map(([address, amount]) => ({ address, amount: Number(amount / 100_000_000n) }))
    .sort((left, right) => right.amount - left.amount)
}

/** Every address that paid or was paid in what these chain blocks accepted. */
export function addressesIn(indexer: Indexer, entries: readonly ChainEntry[]): ReadonlySet<string> {
  const prefix = indexer.network.addressPrefix
  const found = entries.flatMap(({ transactionIds }) => transactionIds.flatMap((id) => indexer.transaction(id) ?? []))
  const scripts = found.flatMap(({ transaction, spent }) => [
    ...transaction.outputs.map(({ scriptPublicKey }) => scriptPublicKey),
    ...spent.flatMap((entry) => entry?.scriptPublicKey ?? []),
  ])
  return new Set(scripts.flatMap((script) => toAddress(script, prefix) ?? []))
}
