import { ChainError } from '../../errors/chain-error.js'
import { toHex } from '../../model/hex.js'
import { reading } from './reading.js'
import type { KaspaSdk } from './shape.js'

/** Push 65 bytes: a BIP-340 signature and SIGHASH_ALL. */
const SCRIPT = /^41[0-9a-f]{128}01$/

/**
 * Signs 32-byte sighashes; answers the whole signature script of each, hex.
 * Quirk: `signScriptHash` is declared to take anything, and takes hex only; and no typing says that its answer is a script.
 */
export const signHashes = (sdk: KaspaSdk, hashes: readonly Uint8Array[], privateKey: string): readonly string[] =>
  reading(new sdk.PrivateKey(privateKey), (key) => hashes.map((hash) => toScript(sdk.signScriptHash(toHex(hash), key))))

function toScript(answer: string): string {
  if (SCRIPT.test(answer)) return answer
  throw new ChainError("The given SDK's signScriptHash answers no Schnorr signature script", {
    code: 'sdk-unsupported',
    argument: 'sdk',
    hint: 'Use a Kaspa WASM SDK of 0.15 or later.',
  })
}
