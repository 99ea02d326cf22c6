import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import { toOutpointKey, toScriptKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import { findEntries } from './check-entries.js'
import type { CheckedSettings } from './settings.js'

/** Change that no payment spends, as the UTXO that it becomes. */
export type Change = UtxoEntry & { readonly address: string }

/** The unspent change of payments that spend given UTXOs, directly and indirectly. */
export function changeOf(
  { network, utxos, change }: CheckedSettings,
  payments: readonly UnconfirmedTransaction[],
): readonly Change[] {
  const spent = payments.flatMap(({ inputs }) => inputs.map(({ outpoint }) => outpoint))
  const given = utxos.source.rows.parts.flatMap(({ columns: { scripts } }) => scripts)
  const own = new Set([change, ...given.map(({ scriptPublicKey }) => scriptPublicKey)].map(toScriptKey))
  const found = new Map<OutpointKey, Change>()
  const spenders = spendersOf(payments)
  const next = [...findEntries(utxos, spent).keys()].flatMap((key) => spenders.get(key) ?? [])
  const visited = new Set<UnconfirmedTransaction>()
  for (let payment = next.pop(); payment !== undefined; payment = next.pop()) {
    if (visited.has(payment)) continue
    visited.add(payment)
    for (const [index, { value, scriptPublicKey, covenant }] of payment.outputs.entries()) {
      const outpoint = { transactionId: payment.id, index }
      const address = toAddress(scriptPublicKey, NETWORKS[network].addressPrefix)
      if (address === undefined || covenant !== undefined || !own.has(toScriptKey(scriptPublicKey))) continue
      next.push(...(spenders.get(toOutpointKey(outpoint)) ?? []))
      const facts = { outpoint, amount: value, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
      found.set(toOutpointKey(outpoint), { address, ...facts })
    }
  }
  for (const outpoint of spent) found.delete(toOutpointKey(outpoint))
  return [...found.values()]
}

/** Whether a payment of this engine that a node has taken spends change of another one. */
export const hasDescendants = (
  transactionId: string,
  payments: Iterable<UnconfirmedTransaction>,
  { isPending, isRelayed }: Pick<ChainRules, 'isPending' | 'isRelayed'>,
): boolean =>
  [...payments].some(
    ({ id, inputs }) =>
      isPending(id) && isRelayed(id) && inputs.some(({ outpoint }) => outpoint.transactionId === transactionId),
  )

export interface ChainRules {
  /** The payments that may stand before one. */
  readonly limit: number
  readonly isPending: (transactionId: string) => boolean
  /** Whether a node has taken it from this engine. */
  readonly isRelayed: (transactionId: string) => boolean
}

/**
 * The change that may be spent before it is accepted: of payments that a node has taken, with at most so many before
 * the next one, and of which no other transaction spends the same.
 */
export function chainableOf(
  change: readonly Change[],
  payments: readonly UnconfirmedTransaction[],
  { limit, isPending, isRelayed }: ChainRules,
): readonly Change[] {
  const spenders = spendersOf(payments)
  const pending = new Set(payments.flatMap(({ id }) => (isPending(id) ? id : [])))
  const isCertain = (payment: UnconfirmedTransaction): boolean =>
    isRelayed(payment.id) && keysOf(payment).every((key) => spenders.get(key)?.length === 1)
  const left = new Set(payments.filter((payment) => pending.has(payment.id) && isCertain(payment)))
  const chain = new Set<string>()
  for (let depth = 1; depth <= limit; depth++) {
    const isNext = ({ inputs }: UnconfirmedTransaction): boolean =>
      inputs.every(({ outpoint: { transactionId } }) => !pending.has(transactionId) || chain.has(transactionId))
    const next = [...left].filter(isNext)
    for (const payment of next) {
      left.delete(payment)
      chain.add(payment.id)
    }
  }
  return change.filter(({ outpoint }) => chain.has(outpoint.transactionId))
}

function spendersOf(payments: readonly UnconfirmedTransaction[]): ReadonlyMap<OutpointKey, UnconfirmedTransaction[]> {
  const spenders = new Map<OutpointKey, UnconfirmedTransaction[]>()
  for (const payment of payments)
    for (const key of new Set(keysOf(payment))) {
      const others = spenders.get(key)
      if (others === undefined) spenders.set(key, [payment])
      else others.push(payment)
    }
  return spenders
}

const keysOf = ({ inputs }: UnconfirmedTransaction): readonly OutpointKey[] =>
  inputs.map(({ outpoint }) => toOutpointKey(outpoint))
