import { schnorr } from '@noble/curves/secp256k1.js'
import { toHex } from '../../model/hex.js'
import { withSecretBytes } from '../../model/secret-bytes.js'
import { builtins } from '../../platform/node-process.js'

/**
 * Signs 32-byte sighashes; returns the whole signature script of each, hex: push of 65 bytes, BIP-340 signature,
 * SIGHASH_ALL. The library verifies each signature before it returns it.
 */
export const signHashes = (hashes: readonly Uint8Array[], privateKey: string): readonly string[] =>
  withSecretBytes(privateKey, (key) => hashes.map((hash) => `41${toHex(schnorr.sign(hash, key))}01`))

/** The first message of a worker: its code has loaded. */
export const READY = 'ready'

/** The second message: the signature scripts of each request; null where it failed. */
export type SignedMessage = readonly (readonly string[])[] | null

/** The threads of Node; undefined elsewhere. */
export const threads = () => builtins()?.getBuiltinModule('node:worker_threads')

/** Whether a file exists, under Node; false elsewhere. Throws for a URL of another kind. */
export const isFile = (url: URL): boolean => builtins()?.getBuiltinModule('node:fs').existsSync(url) ?? false
