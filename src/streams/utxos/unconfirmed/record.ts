import { BLOCKS_AFTER_MEMPOOL, type UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'

/** A transaction that is not accepted, or was accepted recently, with what is known about it. */
export interface UnconfirmedRecord {
  readonly transaction: UnconfirmedTransaction
  /** Increases with each record. */
  readonly order: number
  /** Addresses under which the node lists it. */
  readonly addresses: ReadonlySet<string>
  readonly own: OwnStatus
  readonly mempool: MempoolStatus
  /** Chain blocks after which a conflicting transaction counts as confirmed. */
  readonly confirmations: number
}

/**
 * The status of an own payment:
 * - `none`: not an own payment, or over. `pending`: reserved, not accepted yet.
 * - `accepted`: the UTXO index shows it. Remembered, because a reorg may revert it.
 * - `reverted`: its inputs are unspent again, or a node lists another transaction in its place. Its inputs stay
 *   reserved until it is accepted.
 * - `conflicting`: some inputs are spent by another transaction, `since` that number of chain blocks; the others stay
 *   reserved until that transaction is confirmed.
 */
export type OwnStatus =
  | { readonly step: 'none' | 'pending' | 'accepted' | 'reverted' }
  | { readonly step: 'conflicting'; readonly since: number }

/**
 * The status in the mempool:
 * - `unlisted`: not listed by the node. `listed`: in the mempool as of the last read.
 * - `left`: no longer listed, `since` that number of chain blocks: a block may include it that no chain block has
 *   merged.
 */
export type MempoolStatus = { readonly step: 'unlisted' | 'listed' } | { readonly step: 'left'; readonly since: number }

export type RecordEvent =
  | { readonly type: 'reserved' | 'released' | 'replaced' }
  /** A node lists a transaction that spends one of its inputs in its place. */
  | { readonly type: 'contested' }
  /** The mempool is no longer read for `address`. */
  | { readonly type: 'forgotten'; readonly address: string }
  | { readonly type: 'listed'; readonly addresses: ReadonlySet<string> }
  /** Not listed by a read that began after `startedAt` chain blocks and was applied after `blocks`. */
  | { readonly type: 'absent'; readonly startedAt: number; readonly blocks: number }
  /** The UTXO index shows its outputs, or not its inputs. */
  | { readonly type: 'settled' }
  /** Its inputs are unspent. */
  | { readonly type: 'unspent' }
  /** Another transaction has spent some of its inputs, first seen after `blocks` chain blocks. */
  | { readonly type: 'conflicted'; readonly blocks: number }
  | { readonly type: 'blockAdded'; readonly blocks: number }
  /** It is followed to that many confirmations. */
  | { readonly type: 'followed'; readonly confirmations: number }

/**
 * The confirmations of a conflicting transaction, at least: the default of a followed transaction. A chain block raises
 * the blue score by one or more, so that as many chain blocks are enough.
 */
const CONFIRMATIONS = 10

const NONE: OwnStatus = { step: 'none' }
const UNLISTED: MempoolStatus = { step: 'unlisted' }

export const createRecord = (transaction: UnconfirmedTransaction, order: number): UnconfirmedRecord => ({
  transaction,
  order,
  addresses: new Set(),
  own: NONE,
  mempool: UNLISTED,
  confirmations: CONFIRMATIONS,
})

/** The next record; the same object where the event has no meaning. */
export function reduceRecord(record: UnconfirmedRecord, event: RecordEvent): UnconfirmedRecord {
  const { own } = record
  switch (event.type) {
    case 'reserved':
      return own.step === 'pending' ? record : { ...record, own: { step: 'pending' } }
    case 'released':
      return own.step === 'none' ? record : { ...record, own: NONE }
    case 'replaced':
      return { ...record, own: NONE, mempool: UNLISTED }
    case 'contested': // by one node's word: others may have it
      return { ...record, own: own.step === 'none' ? NONE : { step: 'reverted' }, mempool: UNLISTED }
    case 'forgotten':
      return record.addresses.has(event.address) ? forget(record, event.address) : record
    case 'listed':
      return list(record, event.addresses)
    case 'absent':
      return reduceAbsent(record, event)
    case 'settled':
      return settle(record)
    case 'unspent':
      return own.step === 'accepted' || own.step === 'conflicting' ? { ...record, own: { step: 'reverted' } } : record
    case 'conflicted':
      return own.step === 'conflicting' ? record : conflict(record, event.blocks)
    case 'blockAdded':
      return own.step === 'conflicting' && event.blocks - own.since >= record.confirmations
        ? { ...record, own: NONE }
        : record
    case 'followed':
      return event.confirmations > record.confirmations ? { ...record, confirmations: event.confirmations } : record
  }
}

function list(record: UnconfirmedRecord, addresses: ReadonlySet<string>): UnconfirmedRecord {
  const isKnown = record.mempool.step === 'listed' && [...addresses].every((address) => record.addresses.has(address))
  if (isKnown) return record
  return { ...record, addresses: new Set([...record.addresses, ...addresses]), mempool: { step: 'listed' } }
}

function forget(record: UnconfirmedRecord, forgotten: string): UnconfirmedRecord {
  const addresses = new Set([...record.addresses].filter((address) => address !== forgotten))
  return { ...record, addresses, mempool: addresses.size === 0 ? UNLISTED : record.mempool }
}

function reduceAbsent(
  record: UnconfirmedRecord,
  { startedAt, blocks }: Extract<RecordEvent, { readonly type: 'absent' }>,
): UnconfirmedRecord {
  const { mempool } = record
  if (mempool.step === 'listed') return { ...record, mempool: { step: 'left', since: blocks } }
  if (mempool.step !== 'left' || startedAt - mempool.since < BLOCKS_AFTER_MEMPOOL) return record
  return { ...record, mempool: UNLISTED }
}

const settle = (record: UnconfirmedRecord): UnconfirmedRecord =>
  (record.own.step === 'none' || record.own.step === 'accepted') && record.mempool.step === 'unlisted'
    ? record
    : { ...record, own: record.own.step === 'none' ? NONE : { step: 'accepted' }, mempool: UNLISTED }

const conflict = (record: UnconfirmedRecord, blocks: number): UnconfirmedRecord => ({
  ...record,
  own: record.own.step === 'none' ? NONE : { step: 'conflicting', since: blocks },
  mempool: UNLISTED,
})

/** Whether nothing is left to remember. */
export const isOver = ({ own, mempool }: UnconfirmedRecord): boolean =>
  own.step === 'none' && mempool.step === 'unlisted'

/** Whether its outputs count as unconfirmed. */
export const isCounted = ({ own, mempool }: UnconfirmedRecord): boolean =>
  own.step === 'pending' || own.step === 'reverted' || mempool.step !== 'unlisted'

/** Whether it waits for chain blocks. */
export const isWaiting = ({ own, mempool }: UnconfirmedRecord): boolean =>
  own.step === 'conflicting' || mempool.step === 'left'

/** Whether a further mempool read decides about it. */
export const isReadDue = ({ mempool }: UnconfirmedRecord, blocks: number): boolean =>
  mempool.step === 'left' && blocks - mempool.since >= BLOCKS_AFTER_MEMPOOL
