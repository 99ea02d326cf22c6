import { blake2b } from '@noble/hashes/blake2.js'
import { blake3 } from '@noble/hashes/blake3.js'

/** 32 zero bytes, the hash of omitted parts. */
export const ZERO_HASH: string = /*#__PURE__*/ '0'.repeat(64)

const UTF_8 = /*#__PURE__*/ new TextEncoder()

/** Domain separation keys of BLAKE2b. */
export type Blake2bDomain =
  | 'TransactionID'
  | 'TransactionHash'
  | 'TransactionSigningHash'
  | 'BlockHash'
  | 'MerkleBranchHash'
  | 'PersonalMessageSigningHash'
  | 'CovenantID'
  | 'AmountCommitment'

/** Domain separation keys of BLAKE3, used since version-1 transactions. */
export type Blake3Domain = 'PayloadDigest' | 'TransactionRest' | 'TransactionV1Id'

/** BLAKE2b-256 of `bytes`, keyed with the ASCII name of the domain. 32 bytes. */
export function blake2bKeyed(domain: Blake2bDomain, bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32, key: toAscii(domain) })
}

/** `blake2bKeyed` of messages with the same beginning, which is hashed once: takes the bytes after `prefix`. */
export function blake2bAfter(domain: Blake2bDomain, prefix: Uint8Array): (rest: Uint8Array) => Uint8Array {
  const absorbed = blake2b.create({ dkLen: 32, key: toAscii(domain) }).update(prefix)
  const state = absorbed.clone()
  return (rest) => absorbed._cloneInto(state).update(rest).digest()
}

/** BLAKE2b-256 without a key, 32 bytes: the hash of redeem scripts in pay-to-script-hash outputs. */
export function blake2b256(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32 })
}

/** Bytes that are hashed in a few ms. */
const HASHED_PER_STEP = 131_072

/** The same, in steps of a few ms. */
export function* blake2b256InSteps(bytes: Uint8Array): Generator<undefined, Uint8Array> {
  const hash = blake2b.create({ dkLen: 32 })
  for (let at = 0; at < bytes.length; at += HASHED_PER_STEP) {
    if (at > 0) yield
    hash.update(bytes.subarray(at, at + HASHED_PER_STEP))
  }
  return hash.digest()
}

/** BLAKE3 of `bytes`, keyed with the ASCII name of the domain, padded with zeros to 32 bytes. 32 bytes. */
export function blake3Keyed(domain: Blake3Domain, bytes: Uint8Array): Uint8Array {
  const key = new Uint8Array(32)
  key.set(toAscii(domain))
  return blake3(bytes, { key })
}

const toAscii = (text: string): Uint8Array => UTF_8.encode(text)
