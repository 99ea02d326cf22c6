import { expect, it } from 'vitest'
import { OutpointFilter } from '../../../src/model/utxo-columns/outpoint-filter.js'
import { toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import type { Outpoint } from '../../../src/model/utxo.js'

const columnsOf = (outpoints: readonly Outpoint[]) => {
  const columns = toUtxoColumns(
    outpoints.map((outpoint) => ({
      outpoint,
      amount: 1n,
      scriptPublicKey: { version: 0, script: 'ac' },
      blockDaaScore: 0n,
      isCoinbase: false,
    })),
  )
  if (columns === undefined) throw new Error('The outpoints do not fit into columns')
  return columns
}

const id = (text: string): string => text.padStart(64, '0')

it('an outpoint filter finds equal outpoints only, also among ids that differ in one digit and outputs of one transaction', () => {
  const wanted = [
    { transactionId: id('1'), index: 0 },
    { transactionId: id('ff'), index: 4_294_967_295 },
    { transactionId: '1'.repeat(64), index: 3 },
  ]
  const others = [
    { transactionId: id('1'), index: 1 },
    { transactionId: id('2'), index: 0 },
    { transactionId: id('10'), index: 0 },
    { transactionId: `${'1'.repeat(63)}0`, index: 3 },
    { transactionId: '1'.repeat(64), index: 4 },
    // begins and ends as the first one
    { transactionId: `${'0'.repeat(30)}1${'0'.repeat(32)}1`, index: 0 },
  ]
  const columns = columnsOf([...wanted, ...others])
  const filter = new OutpointFilter(wanted)
  const found = Array.from({ length: columns.count }, (_, row) => filter.has(columns, row))
  expect(found).toEqual([...wanted.map(() => true), ...others.map(() => false)])
})

it('an outpoint filter without outpoints finds nothing, and ids that are no hashes of a transaction do not end it', () => {
  const columns = columnsOf([{ transactionId: id('0'), index: 0 }])
  expect(new OutpointFilter([]).has(columns, 0)).toBe(false)
  expect(new OutpointFilter([{ transactionId: 'not an id', index: 0 }]).has(columns, 0)).toBe(false)
})
