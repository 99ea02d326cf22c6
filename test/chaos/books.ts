import type { Truth } from '../../src/devnode/index.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { UtxoState } from '../../src/streams/utxos/state.js'

/** Where a ledger and the truth differ, in words; nothing where they agree. */
export function differences(state: UtxoState, truth: Truth): readonly string[] {
  const entries = truth.utxos(state.addresses)
  const [shown, real] = [toLines(state.entries), toLines(entries)]
  const balances = truth.balances(state.addresses)
  const mature = sum(balances.map((one) => one.mature))
  const pending = sum(balances.map(({ ripening, incoming }) => ripening + incoming))
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

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
