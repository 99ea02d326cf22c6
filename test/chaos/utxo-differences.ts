import type { Expected } from '../../src/devnode/index.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { UtxoState } from '../../src/streams/utxos/state.js'

/** Describes the differences between a tracker and the expected state. */
export function utxoDifferences(state: UtxoState, expected: Expected): readonly string[] {
  const entries = expected.utxos(state.addresses)
  const [actual, expectedEntries] = [toLines(state.entries), toLines(entries)]
  const balances = expected.balances(state.addresses)
  const mature = sum(balances.map((one) => one.mature))
  const pending = sum(balances.map(({ immature, incoming }) => immature + incoming))
  return [
    ...(state.freshness === 'fresh' ? [] : [`the tracker is ${state.freshness}: ${state.reason}`]),
    ...[...expectedEntries].filter((line) => !actual.has(line)).map((line) => `the tracker lacks ${line}`),
    ...[...actual].filter((line) => !expectedEntries.has(line)).map((line) => `the tracker still has ${line}`),
    ...(state.entries.length === entries.length ? [] : ['the tracker has a duplicate entry']),
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

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
