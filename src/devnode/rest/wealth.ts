import { toAddress } from '../../model/address.js'
import type { Indexer } from './indexer.js'
import type { ChainEntry } from './memory.js'
import { HOUR, startOfHour, type Period } from './period.js'

/** Who holds how much, in whole KAS: the server's rankings know nothing smaller. */
export function holdersOf({ ledger }: Indexer): readonly { readonly address: string; readonly amount: number }[] {
  const held = new Map<string, bigint>()
  for (const { address, amount } of ledger.truth.utxos()) {
    if (address !== undefined) held.set(address, (held.get(address) ?? 0n) + amount)
  }
  return [...held]
    .map(([address, amount]) => ({ address, amount: toKas(amount) }))
    .sort((left, right) => right.amount - left.amount)
}

const toKas = (sompi: bigint): number => Number(sompi / 100_000_000n)

/**
 * What an address held at the end of each hour of a period, in whole KAS, newest first: as if the rankings had been taken
 * every hour since the first block was mined. Reckoned back from what it holds now.
 */
export function hourlyBalances(indexer: Indexer, address: string, { start, end }: Period) {
  const changes = changesOf(indexer, address)
  const first = indexer.memory.chain()[1]?.timestamp ?? indexer.now
  let held = sum(indexer.ledger.truth.utxos([address]).map(({ amount }) => amount))
  const samples: { readonly timestamp: number; readonly amount: number }[] = []
  for (let hour = startOfHour(indexer.now); hour >= startOfHour(first) && hour >= start; hour -= HOUR) {
    while (changes[0] !== undefined && changes[0].time >= hour + HOUR) held -= changes.shift()?.change ?? 0n
    if (hour < end) samples.push({ timestamp: hour, amount: toKas(held) })
  }
  return samples
}

/** What accepted transactions gave to an address, or took from it, and when (ms), newest first. */
function changesOf(indexer: Indexer, address: string): { readonly time: number; readonly change: bigint }[] {
  const prefix = indexer.network.addressPrefix
  const changes = indexer.ledger.history.transactionIdsOf(address).flatMap((id) => {
    const found = indexer.transaction(id)
    const accepting = found?.acceptingBlockHash === undefined ? undefined : indexer.block(found.acceptingBlockHash)
    if (found === undefined || accepting === undefined) return []
    const got = found.transaction.outputs.filter((output) => toAddress(output.scriptPublicKey, prefix) === address)
    const gave = found.spent.filter((coin) => coin?.address === address)
    const change = sum(got.map(({ value }) => value)) - sum(gave.map((coin) => coin?.amount ?? 0n))
    return [{ time: Number(accepting.header.timestamp), change }]
  })
  return changes.sort((left, right) => right.time - left.time)
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

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
