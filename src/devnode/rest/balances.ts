import { toAddress } from '../../model/address.js'
import type { Indexer } from './indexer.js'
import type { ChainEntry } from './chain-index.js'
import { HOUR, startOfHour, type Period } from './period.js'

/** The balance of every address in whole KAS, the unit of the server's rankings, highest first. */
export function holdersOf({ ledger }: Indexer): readonly { readonly address: string; readonly amount: number }[] {
  const balances = new Map<string, bigint>()
  for (const { address, amount } of ledger.expected.utxos()) {
    if (address !== undefined) balances.set(address, (balances.get(address) ?? 0n) + amount)
  }
  return [...balances]
    .map(([address, amount]) => ({ address, amount: toKas(amount) }))
    .sort((left, right) => right.amount - left.amount)
}

const toKas = (sompi: bigint): number => Number(sompi / 100_000_000n)

/**
 * The balance of an address at the end of each hour of a period since the first block, in whole KAS, newest first.
 * Computed backwards from the current balance.
 */
export function hourlyBalances(indexer: Indexer, address: string, { start, end }: Period) {
  const changes = changesOf(indexer, address)
  const first = indexer.chainIndex.chain()[1]?.timestamp ?? indexer.now
  let balance = sum(indexer.ledger.expected.utxos([address]).map(({ amount }) => amount))
  const samples: { readonly timestamp: number; readonly amount: number }[] = []
  for (let hour = startOfHour(indexer.now); hour >= startOfHour(first) && hour >= start; hour -= HOUR) {
    while (changes[0] !== undefined && changes[0].time >= hour + HOUR) balance -= changes.shift()?.change ?? 0n
    if (hour < end) samples.push({ timestamp: hour, amount: toKas(balance) })
  }
  return samples
}

/** The changes of a balance by accepted transactions, with their times (ms), newest first. */
function changesOf(indexer: Indexer, address: string): { readonly time: number; readonly change: bigint }[] {
  const prefix = indexer.network.addressPrefix
  const changes = indexer.ledger.history.transactionIdsOf(address).flatMap((id) => {
    const found = indexer.transaction(id)
    const accepting = found?.acceptingBlockHash === undefined ? undefined : indexer.block(found.acceptingBlockHash)
    if (found === undefined || accepting === undefined) return []
    const received = found.transaction.outputs.filter((output) => toAddress(output.scriptPublicKey, prefix) === address)
    const sent = found.spent.filter((utxo) => utxo?.address === address)
    const change = sum(received.map(({ value }) => value)) - sum(sent.map((utxo) => utxo?.amount ?? 0n))
    return [{ time: Number(accepting.header.timestamp), change }]
  })
  return changes.sort((left, right) => right.time - left.time)
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Every address in the inputs and outputs of the transactions that these chain blocks accepted. */
export function addressesIn(indexer: Indexer, entries: readonly ChainEntry[]): ReadonlySet<string> {
  const prefix = indexer.network.addressPrefix
  const found = entries.flatMap(({ transactionIds }) => transactionIds.flatMap((id) => indexer.transaction(id) ?? []))
  const scripts = found.flatMap(({ transaction, spent }) => [
    ...transaction.outputs.map(({ scriptPublicKey }) => scriptPublicKey),
    ...spent.flatMap((entry) => entry?.scriptPublicKey ?? []),
  ])
  return new Set(scripts.flatMap((script) => toAddress(script, prefix) ?? []))
}
