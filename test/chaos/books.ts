import type { Truth } from '../../src/devnode/index.js'
import { NETWORKS } from '../../src/model/network.js'
import { isMature } from '../../src/model/maturity.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { UtxoState } from '../../src/streams/utxos/state.js'

/** Where a ledger and the truth differ, in words; nothing where they agree. */
export function differences(state: UtxoState, truth: Truth): readonly string[] {
  const entries = truth.utxos(state.addresses)
  const [shown, real] = [toLines(state.entries), toLines(entries)]
  const { mature, pending } = worth(entries, truth.virtualDaaScore())
  return [
    ...(state.freshness === 'fresh' ? [] : [`the ledger is ${state.freshness}: ${state.reason}`]),
    ...[...real].filter((line) => !shown.has(line)).map((line) => `the ledger lacks ${line}`),
    ...[...shown].filter((line) => !real.has(line)).map((line) => `the ledger still has ${line}`),
    ...(state.entries.length === entries.length ? [] : ['the ledger holds an entry twice']),
    ...(state.balance.mature === mature ? [] : [`mature is ${state.balance.mature}, not ${mature}`]),
    ...(state.balance.pending === pending ? [] : [`pending is ${state.balance.pending}, not ${pending}`]),
  ]
}

const toLines = (entries: readonly UtxoEntry[]): ReadonlySet<string> =>
  new Set(
    entries.map(
      ({ outpoint, amount, blockDaaScore, isCoinbase, address }) =>
        `${toOutpointKey(outpoint)} of ${amount} from ${blockDaaScore}, ${isCoinbase ? 'mined' : 'paid'} to ${address}`,
    ),
  )

/** What confirmed entries are worth; with an empty mempool, nothing else is pending. */
function worth(entries: readonly UtxoEntry[], score: bigint): { readonly mature: bigint; readonly pending: bigint } {
  let [mature, pending] = [0n, 0n]
  for (const entry of entries) {
    if (isMature(entry, score, NETWORKS.simnet.coinbaseMaturity)) mature += entry.amount
    else pending += entry.amount
  }
  return { mature, pending }
}
