import { describe, expect, it } from 'vitest'
import { blockHash, hashMerkleRoot, merkleRoot, type Header } from '../../src/model/block.js'
import { ZERO_HASH } from '../../src/model/hashing.js'
import { COINBASE_SUBNETWORK, createTransaction, type Transaction } from '../../src/model/transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { readFixture } from './vectors.js'

interface GenesisRow {
  readonly network: string
  readonly hash: string
  readonly timestamp: string
  readonly bits: number
  readonly nonce: string
  readonly daaScore: string
  readonly hashMerkleRoot: string
  readonly utxoCommitment: string
  readonly coinbaseTransactionId: string
  readonly coinbasePayload: string
}

const genesis = readFixture<{ rows: GenesisRow[] }>('consensus/genesis.json').rows

const coinbaseOf = ({ coinbasePayload }: GenesisRow): Transaction =>
  createTransaction({ inputs: [], outputs: [], subnetworkId: COINBASE_SUBNETWORK, payload: coinbasePayload })

const headerOf = (row: GenesisRow): Header => ({
  version: 0,
  parentsByLevel: [],
  hashMerkleRoot: row.hashMerkleRoot,
  acceptedIdMerkleRoot: ZERO_HASH,
  utxoCommitment: row.utxoCommitment,
  timestamp: BigInt(row.timestamp),
  bits: row.bits,
  nonce: BigInt(row.nonce),
  daaScore: BigInt(row.daaScore),
  blueScore: 0n,
  blueWork: '0',
  pruningPoint: ZERO_HASH,
})

describe('the genesis block', () => {
  it.each(genesis)('of $network has the network’s genesis hash', (row) => {
    expect(blockHash(headerOf(row))).toBe(row.hash)
  })

  it.each(genesis)('of $network commits to its coinbase transaction', (row) => {
    expect(transactionId(coinbaseOf(row))).toBe(row.coinbaseTransactionId)
    expect(hashMerkleRoot([coinbaseOf(row)])).toBe(row.hashMerkleRoot)
  })
})

describe('a Merkle root', () => {
  it('is zeros for no hash and the hash itself for one', () => {
    expect(merkleRoot([])).toBe(ZERO_HASH)
    expect(merkleRoot(['ab'.repeat(32)])).toBe('ab'.repeat(32))
  })

  it('uses zeros for a missing right child', () => {
    const [a, b, c] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32))
    if (a === undefined || b === undefined || c === undefined) throw new Error('three hashes')
    expect(merkleRoot([a, b, c])).toBe(merkleRoot([merkleRoot([a, b]), merkleRoot([c, ZERO_HASH])]))
    expect(merkleRoot([a, b])).not.toBe(merkleRoot([b, a]))
  })
})
