import { ChainError } from '../../errors/chain-error.js'
import { toHex } from '../../model/hex.js'
import { readAndFree } from './read-and-free.js'
import type { KaspaSdk } from './shape.js'

/** Push 65 bytes: a BIP-340 signature and SIGHASH_ALL. */
const SCRIPT = /^41[0-9a-f]{128}01$/

/**
 * Signs 32-byte sighashes; returns the whole signature script of each, hex.
 * Quirk: `signScriptHash` is declared to take anything, but accepts hex only, and returns a script, not a signature.
 */
export const signHashes = (sdk: KaspaSdk, hashes: readonly Uint8Array[], privateKey: string): readonly string[] =>
  readAndFree(new sdk.PrivateKey(privateKey), (key) =>
    hashes.map((hash) => toScript(sdk.signScriptHash(toHex(hash), key))),
  )

function toScript(script: string): string {
  if (SCRIPT.test(script)) return script
  throw new ChainError("The given SDK's signScriptHash returns no Schnorr signature script", {
    code: 'sdk-unsupported',
    argument: 'sdk',
    hint: 'Use a Kaspa WASM SDK 0.15 or later.',
  })
}
