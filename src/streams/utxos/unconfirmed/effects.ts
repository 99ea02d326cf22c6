import { MAX_SOMPI, isPossibleAmount } from '../../../model/amount.js'
import { isCountedOutput } from '../../../model/spendable.js'
import { spendsEntry } from '../../../model/unconfirmed-transaction.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import type { AddressSet } from '../store/store.js'
import { isCounted, type UnconfirmedRecord } from './record.js'
import { descendantsOf, type UnconfirmedRecords } from './records.js'

/** What the unconfirmed transactions change in one address set. */
export interface AddressEffects {
  /** Entries that they spend. */
  readonly spent: ReadonlySet<UtxoEntry>
  /** Sum of their unspent outputs that the UTXO index does not show, in sompi. */
  readonly unconfirmed: bigint
}

/** By address set; sets without a change are absent. */
export type Effects = ReadonlyMap<AddressSet, AddressEffects>

/** The address sets by address and by script. */
export interface UtxoIndex {
  readonly all: ReadonlyMap<string, AddressSet>
  ofScript(script: ScriptPublicKey): AddressSet | undefined
}

/**
 * The effects of all unconfirmed transactions. An output counts once: in the UTXO index, or unconfirmed, or not at all
 * where another unconfirmed transaction spends it. Costs time in their number of inputs and outputs.
 */
function effectsOf(records: UnconfirmedRecords, index: UtxoIndex): Effects {
  const effects = new Map<AddressSet, { spent: Set<UtxoEntry>; unconfirmed: bigint }>()
  const of = (set: AddressSet): { spent: Set<UtxoEntry>; unconfirmed: bigint } => {
    const known = effects.get(set) ?? { spent: new Set(), unconfirmed: 0n }
    effects.set(set, known)
    return known
  }
  const superseded = supersededIds(records)
  const isActive = (record: UnconfirmedRecord): boolean => isCounted(record) && !superseded.has(record.transaction.id)

  for (const record of records.all.values()) {
    for (const [set, entry] of spentEntries(record, index)) of(set).spent.add(entry)
    if (!isActive(record)) continue
    for (const { set, outpoint, amount } of trackedOutputs(record, index)) {
      if (set.entries.get(outpoint) !== undefined) continue
      const isSpent = [...records.spendersOf(outpoint)].some((id) => {
        const spender = records.all.get(id)
        return spender !== undefined && isActive(spender)
      })
      const effect = of(set)
      if (!isSpent && set.total + effect.unconfirmed + amount <= MAX_SOMPI) effect.unconfirmed += amount
    }
  }
  return effects
}

/** The entries of the index that a transaction spends. The node lists it under the addresses of its inputs. */
export function* spentEntries(
  { transaction, addresses }: UnconfirmedRecord,
  index: UtxoIndex,
): Iterable<readonly [AddressSet, UtxoEntry]> {
  for (const input of transaction.inputs) {
    const { outpoint, scriptPublicKey } = input
    const known = scriptPublicKey === undefined ? undefined : index.ofScript(scriptPublicKey)
    const sets = known === undefined ? Array.from(addresses, (address) => index.all.get(address)) : [known]
    for (const set of sets) {
      const entry = set?.entries.get(outpoint)
      if (set !== undefined && entry !== undefined && spendsEntry(input, entry)) yield [set, entry]
    }
  }
}

/** The outputs that count for tracked addresses. */
export function* trackedOutputs({ transaction: { id, outputs } }: UnconfirmedRecord, index: UtxoIndex) {
  for (const [position, { value, scriptPublicKey, covenant }] of outputs.entries()) {
    const set = isPossibleAmount(value) ? index.ofScript(scriptPublicKey) : undefined
    if (set !== undefined && isCountedOutput({ address: set.address, covenantId: covenant?.covenantId }))
      yield { set, outpoint: { transactionId: id, index: position }, amount: value }
  }
}

/** Transactions that another one replaces, with their descendants. */
function supersededIds(records: UnconfirmedRecords): ReadonlySet<string> {
  const superseded = new Set<string>()
  const supersede = (record: UnconfirmedRecord): void => {
    superseded.add(record.transaction.id)
    for (const id of descendantsOf(record, records)) superseded.add(id)
  }
  for (const record of records.all.values()) {
    for (const { outpoint } of record.transaction.inputs) {
      for (const id of records.spendersOf(outpoint)) {
        const other = records.all.get(id)
        if (other !== undefined && isSuperseded(other, record)) supersede(other)
      }
    }
  }
  return superseded
}

/** A payment in submission replaces earlier transactions; one in the mempool replaces those of a lost branch. */
const isSuperseded = (record: UnconfirmedRecord, by: UnconfirmedRecord): boolean =>
  record !== by &&
  isCounted(record) &&
  ((isInSubmission(by) && record.order < by.order) || (by.mempool.step === 'listed' && isReverted(record)))

const isReverted = ({ own, mempool }: UnconfirmedRecord): boolean =>
  own.step === 'reverted' && mempool.step !== 'listed'

const isInSubmission = ({ own, mempool }: UnconfirmedRecord): boolean =>
  own.step === 'pending' && mempool.step === 'unlisted'

/** The effects of the unconfirmed transactions, computed once for all trackers after a change. */
export interface CurrentEffects {
  current(): Effects
  /** Entries that the transactions spend or create have changed, or addresses were added. */
  invalidate(): void
}

const NO_EFFECTS: Effects = /*#__PURE__*/ new Map<AddressSet, AddressEffects>()

export function createCurrentEffects(records: UnconfirmedRecords, index: UtxoIndex): CurrentEffects {
  let computed: { readonly version: number; readonly effects: Effects } | null = null
  return {
    current: () => {
      if (records.all.size === 0) return NO_EFFECTS
      if (computed?.version !== records.version)
        computed = { version: records.version, effects: effectsOf(records, index) }
      return computed.effects
    },
    invalidate: () => {
      computed = null
    },
  }
}

/** The effects on some of the address sets. */
export function mergeEffects(
  effects: Effects,
  addressSets: ReadonlyMap<string, AddressSet>,
): { readonly spent: ReadonlySet<UtxoEntry>; readonly unconfirmed: bigint } {
  const merged = new Set<UtxoEntry>()
  let unconfirmed = 0n
  for (const [set, effect] of effects) {
    if (addressSets.get(set.address) !== set) continue
    for (const entry of effect.spent) merged.add(entry)
    unconfirmed += effect.unconfirmed
  }
  return { spent: merged, unconfirmed }
}

export const isSameSet = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))
