import { describe, expect, it } from 'vitest'
import {
  readBalance,
  keyOfAddress,
  readPublicKey,
  readSignature,
  readTransactionId,
} from '../../src/wallets/read-snapshot.js'
import { readNetwork } from '../../src/wallets/wallet-a/wallet-a.js'
import { ADDRESS, PUBLIC_KEY } from './harness.js'

const ID = '9b4c749fa4be90e4c0765f871cb747261b738b7657b4129ee2d762fa89448133'
const X = PUBLIC_KEY.slice(2)
const Y_ODD = '7f'.repeat(32)
const Y_EVEN = '7e'.repeat(32)

describe('readTransactionId', () => {
  it.each<[string, unknown]>([
    ['an id', ID],
    ['an id with spaces, in upper case', ` ${ID.toUpperCase()}\n`],
    ['a transaction', { id: ID, inputs: [] }],
    ['a transaction as JSON text', JSON.stringify({ id: ID, outputs: [{ value: '1' }] })],
    ['an id as JSON text', JSON.stringify(ID)],
    ['a transaction as JSON text, twice', JSON.stringify(JSON.stringify({ id: ID }))],
    ['a txid', { txid: ID }],
    ['a txId', JSON.stringify({ txId: ID })],
    ['a transactionId', { id: 7, transactionId: ID }],
  ])('finds the id in %s', (_, result) => {
    expect(readTransactionId(result)).toBe(ID)
  })

  it.each([undefined, null, true, 7, '', 'ok', '{', '"', '{"id":"x"}', '[]', ID.slice(1), { id: null }, [ID]])(
    'returns undefined for %j',
    (result) => {
      expect(readTransactionId(result)).toBeUndefined()
    },
  )
})

describe('readPublicKey', () => {
  it.each([
    ['a compressed key', PUBLIC_KEY.toUpperCase(), PUBLIC_KEY],
    ['an x-only key', X, X],
    ['an uncompressed key with an odd y', `04${X}${Y_ODD}`, `03${X}`],
    ['an uncompressed key with an even y', `04${X}${Y_EVEN}`, `02${X}`],
    ['an empty string', '', null],
    ['no hex', 'x'.repeat(66), null],
    ['a number', 5, null],
  ])('reads %s', (_, result, key) => {
    expect(readPublicKey(result)).toBe(key)
  })

  it('derives the key of an address without its parity', () => {
    expect(keyOfAddress(ADDRESS)).toBe(`02${X}`)
    expect(keyOfAddress('kaspa:nonsense')).toBeNull()
  })
})

describe('readSignature', () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, index) => 255 - index)
  const hex = Buffer.from(bytes).toString('hex')

  it.each([hex, hex.toUpperCase(), Buffer.from(bytes).toString('base64')])('reads %s', (result) => {
    expect(readSignature(result)).toBe(hex)
  })

  it.each(['', hex.slice(2), Buffer.from([...bytes, 1]).toString('base64'), null, { signature: hex }])(
    'returns undefined for %j',
    (result) => {
      expect(readSignature(result)).toBeUndefined()
    },
  )
})

describe('readBalance', () => {
  it.each([
    { confirmed: 1, unconfirmed: 0, total: 1 },
    { confirmed: '1', unconfirmed: '0', total: '1' },
  ])('reads %j', (result) => {
    expect(readBalance(result)).toEqual({ confirmed: 1n, unconfirmed: 0n, total: 1n })
  })

  it('sums the parts of a wallet that reports no total, and reads a total alone', () => {
    expect(readBalance({ confirmed: '70', unconfirmed: 3 })).toEqual({ confirmed: 70n, unconfirmed: 3n, total: 73n })
    expect(readBalance({ total: '73' })).toEqual({ total: 73n })
    expect(readBalance({ confirmed: '70', unconfirmed: 3, total: 'x' })).toBeNull()
  })

  it.each([
    null,
    {},
    5,
    { confirmed: 1.5, unconfirmed: 0, total: 1.5 },
    { confirmed: '1', unconfirmed: '', total: '1' },
  ])('returns null for %j', (result) => {
    expect(readBalance(result)).toBeNull()
  })
})

it.each([
  ['kaspa_mainnet', 'mainnet'],
  ['kaspa_testnet_10', 'testnet-10'],
  ['kaspa_testnet_12', 'testnet-12'],
  ['kaspa_devnet', 'devnet'],
  ['kaspa_simnet', 'simnet'],
  ['kaspa_testnet_11', 'testnet-11'],
  ['kaspa_testnet', 'testnet'],
  ['livenet', 'mainnet'],
  ['0', 'mainnet'],
  ['', null],
  [undefined, null],
])('maps the KasWare network %j to %j', (name, network) => {
  expect(readNetwork(name)).toBe(network)
})
