import type { Expected } from '../../src/devnode/index.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { UtxoState } from '../../src/streams/utxos/view/state.js'
import { isCounted, type UnconfirmedRecord } from '../../src/streams/utxos/unconfirmed/record.js'

/**
 * Describes the differences between a tracker and the expected state. The own payments in `reserved` are neither in the
 * mempool nor accepted: their inputs are not mature, and the outputs of those that count are pending.
 */
export function utxoDifferences(
  state: UtxoState,
  expected: Expected,
  reserved: readonly UnconfirmedRecord[],
): readonly string[] {
  const entries = expected.utxos(state.addresses)
  const [actual, expectedEntries] = [toLines(state.entries), toLines(entries)]
  const balances = expected.balances(state.addresses)
  const inputs = new Set(reserved.flatMap(({ transaction }) => transaction.inputs.map((input) => keyOf(input))))
  const held = sum(entries.filter((entry) => inputs.has(keyOf(entry))).map(({ amount }) => amount))
  const mature = sum(balances.map((one) => one.mature)) - held
  const pending = sum(balances.map(({ immature, incoming }) => immature + incoming)) + reservedOutputs(state, reserved)
  return [
    ...(state.freshness === 'fresh' ? [] : [`the tracker is ${state.freshness}: ${state.reason}`]),
    ...[...expectedEntries].filter((line) => !actual.has(line)).map((line) => `the tracker lacks ${line}`),
    ...[...actual].filter((line) => !expectedEntries.has(line)).map((line) => `the tracker still has ${line}`),
    ...(state.entries.length === entries.length ? [] : ['the tracker has a duplicate entry']),
    ...(state.balance.mature === mature ? [] : [`mature is ${state.balance.mature}, not ${mature}`]),
    ...(state.balance.pending === pending ? [] : [`pending is ${state.balance.pending}, not ${pending}`]),
  ]
}

/** The outputs of own payments to the tracked addresses that no other own payment spends. */
function reservedOutputs({ addresses }: UtxoState, reserved: readonly UnconfirmedRecord[]): bigint {
  const scripts = addresses.map((address) => toScriptPublicKey(address).script)
  const spent = new Set(reserved.flatMap(({ transaction }) => transaction.inputs.map((input) => keyOf(input))))
  const outputs = reserved
    .filter(isCounted)
    .flatMap(({ transaction: { id, outputs } }) =>
      outputs.filter(
        ({ scriptPublicKey }, index) =>
          scripts.includes(scriptPublicKey.script) && !spent.has(toOutpointKey({ transactionId: id, index })),
      ),
    )
  return sum(outputs.map(({ value }) => value))
}

const keyOf = ({ outpoint }: Pick<UtxoEntry, 'outpoint'>): string => toOutpointKey(outpoint)

const toLines = (entries: readonly UtxoEntry[]): ReadonlySet<string> =>
  new Set(
    entries.map(
      ({ outpoint, amount, blockDaaScore, isCoinbase, address }) =>
        `${toOutpointKey(outpoint)} of ${amount} from ${blockDaaScore}, ${isCoinbase ? 'mined' : 'paid'} to ${address}`,
    ),
  )

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
