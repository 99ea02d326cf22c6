import { describe, expect, it } from 'vitest'
import {
  createRecord,
  isCounted,
  isOver,
  isReadDue,
  reduceRecord,
  type MempoolStatus,
  type OwnStatus,
  type RecordEvent,
  type UnconfirmedRecord,
} from '../../../../src/streams/utxos/unconfirmed/record.js'
import { ALICE, BOB, payment, utxo } from '../utxo-fixtures.js'

const recordIn = (own: OwnStatus, mempool: MempoolStatus): UnconfirmedRecord => ({
  ...createRecord(payment(1, { spends: [utxo(2)] }), 0),
  addresses: new Set([ALICE]),
  own,
  mempool,
})

const none: OwnStatus = { step: 'none' }
const pending: OwnStatus = { step: 'pending' }
const accepted: OwnStatus = { step: 'accepted' }
const reverted: OwnStatus = { step: 'reverted' }
const conflicting: OwnStatus = { step: 'conflicting', since: 3 }
const unlisted: MempoolStatus = { step: 'unlisted' }
const listed: MempoolStatus = { step: 'listed' }
const left: MempoolStatus = { step: 'left', since: 3 }

const absent = (startedAt: number): RecordEvent => ({ type: 'absent', startedAt, blocks: 7 })
const event = (type: 'reserved' | 'released' | 'replaced' | 'contested' | 'settled' | 'unspent'): RecordEvent => ({
  type,
})
const conflicted: RecordEvent = { type: 'conflicted', blocks: 7 }
const blockAdded = (blocks: number): RecordEvent => ({ type: 'blockAdded', blocks })
const listedAgain: RecordEvent = { type: 'listed', addresses: new Set([ALICE]) }

type Statuses = readonly [OwnStatus, MempoolStatus]

const TRANSITIONS: readonly (readonly [before: Statuses, RecordEvent, after: Statuses])[] = [
  [[none, unlisted], event('reserved'), [pending, unlisted]],
  [[none, listed], event('reserved'), [pending, listed]],
  [[accepted, unlisted], event('reserved'), [pending, unlisted]],
  [[pending, listed], event('released'), [none, listed]],
  [[pending, listed], event('replaced'), [none, unlisted]],
  [[pending, left], event('contested'), [reverted, unlisted]],
  [[none, left], event('contested'), [none, unlisted]],
  [[pending, unlisted], listedAgain, [pending, listed]],
  [[none, left], listedAgain, [none, listed]],
  [[none, listed], absent(5), [none, { step: 'left', since: 7 }]],
  [[none, left], absent(4), [none, left]],
  [[none, left], absent(5), [none, unlisted]],
  [[pending, unlisted], absent(9), [pending, unlisted]],
  [[pending, listed], event('settled'), [accepted, unlisted]],
  [[reverted, unlisted], event('settled'), [accepted, unlisted]],
  [[none, left], event('settled'), [none, unlisted]],
  [[accepted, unlisted], event('unspent'), [reverted, unlisted]],
  [[conflicting, unlisted], event('unspent'), [reverted, unlisted]],
  [[pending, listed], event('unspent'), [pending, listed]],
  [[reverted, unlisted], conflicted, [{ step: 'conflicting', since: 7 }, unlisted]],
  [[conflicting, unlisted], conflicted, [conflicting, unlisted]],
  [[none, listed], conflicted, [none, unlisted]],
  [[conflicting, unlisted], blockAdded(12), [conflicting, unlisted]],
  [[conflicting, unlisted], blockAdded(13), [none, unlisted]],
  [[pending, listed], blockAdded(99), [pending, listed]],
]

const toText = ([own, mempool]: Statuses): string => `${own.step}, ${mempool.step}`

describe('reduceRecord', () => {
  it('keeps a conflict for as many blocks as the payment is followed, and never fewer than 10', () => {
    const isKept = (confirmations: number, blocks: number): boolean => {
      const followed = reduceRecord(recordIn(conflicting, unlisted), { type: 'followed', confirmations })
      return reduceRecord(followed, blockAdded(blocks)).own === conflicting
    }
    expect([isKept(30, 32), isKept(30, 33), isKept(3, 12), isKept(3, 13)]).toEqual([true, false, true, false])
  })

  for (const [before, happens, after] of TRANSITIONS) {
    it(`${toText(before)} -> ${JSON.stringify(happens)} -> ${toText(after)}`, () => {
      const record = recordIn(...before)
      const next = reduceRecord(record, happens)
      expect([next.own, next.mempool]).toEqual(after)
      if (toText(before) === toText(after)) expect(next).toBe(record)
    })
  }

  it('adds the addresses under which it is listed', () => {
    const next = reduceRecord(recordIn(none, listed), { type: 'listed', addresses: new Set([BOB]) })
    expect([...next.addresses]).toEqual([ALICE, BOB])
  })

  it('is unlisted once the mempool is read for none of its addresses', () => {
    const both = reduceRecord(recordIn(none, listed), { type: 'listed', addresses: new Set([BOB]) })
    const one = reduceRecord(both, { type: 'forgotten', address: BOB })
    expect(one.mempool).toEqual(listed)
    expect(reduceRecord(one, { type: 'forgotten', address: BOB })).toBe(one)
    expect(reduceRecord(one, { type: 'forgotten', address: ALICE }).mempool).toEqual(unlisted)
  })
})

describe('a record', () => {
  it('counts while it is pending, reverted, in the mempool or between mempool and index', () => {
    const statuses: Statuses[] = [
      [pending, unlisted],
      [reverted, unlisted],
      [none, listed],
      [none, left],
    ]
    expect(statuses.map((each) => isCounted(recordIn(...each)))).toEqual([true, true, true, true])
    expect(isCounted(recordIn(accepted, unlisted))).toBe(false)
    expect(isCounted(recordIn(conflicting, unlisted))).toBe(false)
  })

  it('is over without an own payment and a place in the mempool', () => {
    expect(isOver(recordIn(none, unlisted))).toBe(true)
    expect(isOver(recordIn(accepted, unlisted))).toBe(false)
    expect(isOver(recordIn(none, left))).toBe(false)
  })

  it('is read again two chain blocks after it left the mempool', () => {
    expect([isReadDue(recordIn(none, left), 4), isReadDue(recordIn(none, left), 5)]).toEqual([false, true])
  })
})
