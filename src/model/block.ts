import { ByteWriter } from './bytes.js'
import { ZERO_HASH, blake2bKeyed } from './hashing.js'
import { toHex } from './hex.js'
import type { Transaction } from './transaction.js'
import { transactionHash } from './transaction-id.js'

/** The hashed fields of a block header. Hashes are hex. */
export interface Header {
  readonly version: number
  /** The parents of each level, level 0 first. */
  readonly parentsByLevel: readonly (readonly string[])[]
  readonly hashMerkleRoot: string
  readonly acceptedIdMerkleRoot: string
  readonly utxoCommitment: string
  /** Unix milliseconds. */
  readonly timestamp: bigint
  readonly bits: number
  readonly nonce: bigint
  readonly daaScore: bigint
  readonly blueScore: bigint
  /** Big-endian hex. */
  readonly blueWork: string
  readonly pruningPoint: string
}

/** The hash of a block, hex. */
export function blockHash(header: Header): string {
  const writer = new ByteWriter(512).u16(header.version).u64(header.parentsByLevel.length)
  for (const level of header.parentsByLevel) {
    writer.u64(level.length)
    for (const parent of level) writer.hex(parent)
  }
  writer.hex(header.hashMerkleRoot).hex(header.acceptedIdMerkleRoot).hex(header.utxoCommitment)
  writer.u64(header.timestamp).u32(header.bits).u64(header.nonce).u64(header.daaScore).u64(header.blueScore)
  writer.hexWithLength(withoutLeadingZeros(header.blueWork)).hex(header.pruningPoint)
  return toHex(blake2bKeyed('BlockHash', writer.written()))
}

/** The Merkle root over the hashes of the block's transactions. */
export function hashMerkleRoot(transactions: readonly Transaction[]): string {
  return merkleRoot(transactions.map(transactionHash))
}

/** Merkle root of `hashes`, hex: zeros for none, the hash itself for one; a missing right child is zeros. */
export function merkleRoot(hashes: readonly string[]): string {
  let row = hashes
  while (row.length > 1) row = nextRow(row)
  return row[0] ?? ZERO_HASH
}

function nextRow(row: readonly string[]): readonly string[] {
  const parents: string[] = []
  for (let at = 0; at < row.length; at += 2) {
    const children = new ByteWriter(64).hex(row[at] ?? ZERO_HASH).hex(row[at + 1] ?? ZERO_HASH)
    parents.push(toHex(blake2bKeyed('MerkleBranchHash', children.written())))
  }
  return parents
}

/** Whole bytes without leading zeros, as the blue work is hashed. */
function withoutLeadingZeros(hex: string): string {
  const digits = hex.replace(/^0+/, '')
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

/** Summary of a block. */
export interface BlockInfo {
  readonly hash: string
  /** Unix milliseconds, from the header. */
  readonly timestamp: number
  readonly blueScore: bigint
  /** Ids of the transactions it includes, the coinbase first. */
  readonly transactions: string[]
}
