import { blake2b256InSteps } from '../hashing.js'

/** Bytes of a digest. */
const DIGEST = 32

/** A stored record: its contents, and their digest. It finds damage; another script of the origin can write both. */
export interface Sealed {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly digest: Uint8Array
}

/** Appends the digest, in steps of some ms. */
export function* seal(contents: readonly Uint8Array[]): Generator<undefined, Sealed> {
  const length = contents.reduce((sum, part) => sum + part.length, 0)
  const bytes = new Uint8Array(length + DIGEST)
  let at = 0
  for (const part of contents) {
    bytes.set(part, at)
    at += part.length
  }
  const digest = yield* blake2b256InSteps(bytes.subarray(0, length))
  bytes.set(digest, length)
  return { bytes, digest }
}

/** The contents of a record and their digest, in steps of some ms; undefined where it is damaged or none. */
export function* unseal(record: unknown): Generator<undefined, Sealed | undefined> {
  if (!(record instanceof Uint8Array) || record.length < DIGEST) return undefined
  const bytes = record.slice(0, -DIGEST) // aligned
  const digest = yield* blake2b256InSteps(bytes)
  return digest.every((byte, at) => record[bytes.length + at] === byte) ? { bytes, digest } : undefined
}
