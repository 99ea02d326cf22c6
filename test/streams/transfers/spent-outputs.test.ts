import { expect, it } from 'vitest'
import { SpentOutputs } from '../../../src/streams/transfers/scan.js'
import type { Transfer } from '../../../src/streams/transfers/transfer.js'

const transfer = (direction: 'credit' | 'debit', transactionId: string): Transfer => ({
  address: 'own',
  direction,
  amount: 7n,
  outpoint: { transactionId, index: 0 },
  transactionId: `${direction} of ${transactionId}`,
  acceptingBlockHash: 'later',
  acceptingBlueScore: 51n,
  acceptingDaaScore: 61n,
  timestamp: 1,
  isCoinbase: false,
  isOpening: false,
  isChange: false,
  isInternal: false,
  counterparties: [],
})
const credit = (id: string): Transfer => transfer('credit', id)
const debit = (id: string): Transfer => transfer('debit', id)
const ids = (outputs: SpentOutputs): readonly string[] => outputs.older().map(({ outpoint }) => outpoint.transactionId)

it('are those that were not created since, also within one block', () => {
  const outputs = new SpentOutputs()
  outputs.add(1n, [credit('created'), credit('passing'), debit('passing'), debit('old')])
  outputs.add(2n, [debit('created'), debit('older')])
  expect(ids(outputs)).toEqual(['old', 'older'])
})

it('are unspent again after a rollback, and created outputs are no longer', () => {
  const outputs = new SpentOutputs()
  outputs.add(1n, [credit('a')])
  outputs.add(2n, [debit('a'), debit('old'), credit('b')])
  outputs.add(3n, [debit('b')])
  expect(outputs.rollBack(1n)).toBe(true)
  expect(ids(outputs)).toEqual([])
  outputs.add(2n, [debit('a'), debit('b')])
  expect(ids(outputs)).toEqual(['b']) // created by the removed branch only: older there
  expect(outputs.rollBack(0n)).toBe(true)
  outputs.add(1n, [debit('a')])
  expect(ids(outputs)).toEqual(['a'])
})

it('cannot be undone beyond the newest 10,000 blocks', () => {
  const outputs = new SpentOutputs()
  for (let score = 1; score <= 20_000; score++) outputs.add(BigInt(score), [debit(`old ${score}`)])
  expect(outputs.rollBack(9_999n)).toBe(false)
  expect(ids(outputs)).toHaveLength(20_000)
  expect(outputs.rollBack(10_000n)).toBe(true)
  expect(ids(outputs)).toHaveLength(10_000)
})
