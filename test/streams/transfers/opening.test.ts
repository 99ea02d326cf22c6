import { expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { openingCredits } from '../../../src/streams/transfers/opening.js'
import type { Transfer } from '../../../src/streams/transfers/transfer.js'
import { alice, scriptAddress } from '../../operations/transactions/accounts.js'

const START = { hash: 'start', blueScore: 50n, daaScore: 60n }

const entry = (transactionId: string, blockDaaScore: bigint, index = 0): UtxoEntry => ({
  address: 'own',
  outpoint: { transactionId, index },
  amount: 5n,
  scriptPublicKey: { version: 0, script: '' },
  blockDaaScore,
  isCoinbase: false,
})
const debit = (transactionId: string): Transfer => ({
  address: 'own',
  direction: 'debit',
  amount: 7n,
  outpoint: { transactionId, index: 0 },
  transactionId: `debit of ${transactionId}`,
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
const outpoints = (facts: Parameters<typeof openingCredits>[1]) =>
  openingCredits(START, facts).flatMap(({ transfers }) => transfers.map(({ outpoint }) => outpoint.transactionId))

it('takes UTXOs up to the DAA score of the starting block, each with its own', () => {
  const credits = openingCredits(START, {
    entries: [entry('old', 10n), entry('same', 60n), entry('new', 61n)],
    spent: [],
  })
  expect(credits.map(({ transactionId, net, fee }) => [transactionId, net, fee])).toEqual([
    ['old', 5n, null],
    ['same', 5n, null],
  ])
  expect(credits[0]?.transfers[0]).toMatchObject({
    isOpening: true,
    acceptingBlockHash: null,
    acceptingBlueScore: 50n,
    acceptingDaaScore: 10n,
    timestamp: null,
  })
})

it('F4 takes UTXOs of keys that a covenant binds, with the covenant, and not those of scripts', () => {
  const bound = { ...entry('bound', 10n), covenantId: 'cc' }
  const entries = [
    { ...bound, address: alice.address },
    { ...bound, address: scriptAddress, outpoint: { transactionId: 'script', index: 0 } },
  ]
  expect(openingCredits(START, { entries, spent: [] })).toMatchObject([
    { transactionId: 'bound', transfers: [{ covenantId: 'cc' }] },
  ])
})

it('adds UTXOs that were spent since', () => {
  expect(outpoints({ entries: [], spent: [debit('spent')] })).toEqual(['spent'])
})

it('names a UTXO once that the index still had and the chain has spent since', () => {
  expect(outpoints({ entries: [entry('both', 10n)], spent: [debit('both')] })).toEqual(['both'])
})

it('groups the outputs of one transaction', () => {
  const [credit, ...others] = openingCredits(START, { entries: [entry('old', 1n), entry('old', 1n, 1)], spent: [] })
  expect([credit?.net, credit?.transfers.length, others]).toEqual([10n, 2, []])
})
