import { expect, it } from 'vitest'
import type { ChainBlock, ChainTransaction } from '../../../src/streams/chain/batch.js'
import { extractTransfers } from '../../../src/streams/transfers/extract.js'
import { alice, bob, scriptAddress } from '../../operations/transactions/accounts.js'

const script = { version: 0, script: '' }
const input = (address: string | null, amount: bigint | null, id = 'old', index = 0) => ({
  outpoint: { transactionId: id, index },
  address,
  amount,
})
const output = (address: string | null, amount: bigint, index = 0) => ({
  index,
  address,
  amount,
  scriptPublicKey: script,
})

const transaction = (fields: Partial<ChainTransaction>): ChainTransaction => ({
  id: 'tx',
  version: 0,
  payload: '',
  isCoinbase: false,
  storageMass: 0n,
  computeMass: 0n,
  inputs: [],
  outputs: [],
  fee: 0n,
  ...fields,
})
const block = (...transactions: ChainTransaction[]): ChainBlock => ({
  hash: 'block',
  blueScore: 7n,
  daaScore: 9n,
  timestamp: 11,
  transactions,
})
const isWatched = (address: string): boolean => address.startsWith('own')
const extract = (...transactions: ChainTransaction[]) =>
  extractTransfers(block(...transactions), { isWatched, isChange: (address) => address === 'own:change' })

it('leaves out transactions without a watched address', () => {
  expect(extract(transaction({ inputs: [input('a', 2n)], outputs: [output('b', 1n)] }))).toEqual([])
})

it('reports an incoming payment with its distinct payers', () => {
  const [found] = extract(
    transaction({
      inputs: [input('a', 2n), input('b', 3n, 'old', 1), input('a', 4n, 'old', 2), input(null, null)],
      outputs: [output('own:1', 5n), output('a', 3n, 1)],
      fee: 1n,
    }),
  )
  expect(found).toMatchObject({ transactionId: 'tx', net: 5n, fee: 1n })
  expect(found?.transfers).toEqual([
    {
      address: 'own:1',
      direction: 'credit',
      amount: 5n,
      outpoint: { transactionId: 'tx', index: 0 },
      transactionId: 'tx',
      acceptingBlockHash: 'block',
      acceptingBlueScore: 7n,
      acceptingDaaScore: 9n,
      timestamp: 11,
      isCoinbase: false,
      isOpening: false,
      isChange: false,
      isInternal: false,
      counterparties: ['a', 'b'],
    },
  ])
})

it('F4 reports outputs of keys that a covenant binds, with the covenant, and not those of scripts', () => {
  const bound = { covenantId: 'cc' }
  const watched = [alice.address, bob.ecdsaAddress, scriptAddress]
  const [found, ...others] = extractTransfers(
    block(
      transaction({
        inputs: [
          { ...input(alice.address, 4n), ...bound },
          { ...input(scriptAddress, 8n), ...bound },
        ],
        outputs: [
          { ...output(bob.ecdsaAddress, 5n), ...bound },
          { ...output(scriptAddress, 6n, 1), ...bound },
        ],
      }),
      transaction({ id: 'other', outputs: [{ ...output(scriptAddress, 6n), ...bound }] }),
    ),
    { isWatched: (address) => watched.includes(address), isChange: () => false },
  )
  expect(others).toEqual([])
  expect(found?.transfers.map((one) => [one.direction, one.address, one.amount, one.covenantId])).toEqual([
    ['debit', alice.address, 4n, 'cc'],
    ['credit', bob.ecdsaAddress, 5n, 'cc'],
  ])
  expect(found?.net).toBe(1n)
})

it('reports debits before credits, and change by the address of an input or by the change chain', () => {
  const [found] = extract(
    transaction({
      inputs: [input('own:1', 10n)],
      outputs: [output('b', 3n), output('own:1', 2n, 1), output('own:change', 1n, 2), output('own:2', 1n, 3)],
      fee: 3n,
    }),
  )
  expect(found?.net).toBe(-6n)
  expect(
    found?.transfers.map(({ direction, amount, isChange, isInternal, counterparties }) => [
      direction,
      amount,
      isChange,
      isInternal,
      counterparties,
    ]),
  ).toEqual([
    ['debit', 10n, false, true, ['b']],
    ['credit', 2n, true, true, []],
    ['credit', 1n, true, true, []],
    ['credit', 1n, false, true, []],
  ])
})

it('reports an output that is created and spent in one block twice, in the order of acceptance', () => {
  const created = transaction({ id: 'first', inputs: [input('a', 5n)], outputs: [output('own:1', 5n)] })
  const spent = transaction({ id: 'second', inputs: [input('own:1', 5n, 'first')], outputs: [output('b', 5n)] })
  const transfers = extract(created, spent).flatMap((one) => one.transfers)
  expect(transfers.map(({ direction, outpoint }) => [direction, outpoint])).toEqual([
    ['credit', { transactionId: 'first', index: 0 }],
    ['debit', { transactionId: 'first', index: 0 }],
  ])
})

it('marks a coinbase', () => {
  const [found] = extract(transaction({ isCoinbase: true, outputs: [output('own:1', 5n)] }))
  expect(found?.transfers[0]).toMatchObject({ isCoinbase: true, counterparties: [], isInternal: false })
})
