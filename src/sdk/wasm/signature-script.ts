import { ChainError } from '../../errors/chain-error.js'
import { toHex } from '../../model/hex.js'
import { reading } from './reading.js'
import type { KaspaSdk } from './shape.js'

/** Signs a 32-byte sighash; answers the whole signature script, hex. */
export type HashSigner = (hash: Uint8Array, privateKey: string) => string

/** Push 65 bytes: a BIP-340 signature and SIGHASH_ALL. */
const SCRIPT = /^41[0-9a-f]{128}01$/

/**
 * Quirk: `signScriptHash` is declared to take anything, and takes hex only; and no typing says that its answer is a script.
 * An SDK without it gets its signatures from @noble/curves, which is carried only then.
 */
export async function createHashSigner(sdk: KaspaSdk): Promise<HashSigner> {
  const { signScriptHash } = sdk
  if (signScriptHash === undefined) return (await import('./signature-script-noble.js')).signHashByNoble
  return (hash, privateKey) => {
    const script = reading(new sdk.PrivateKey(privateKey), (key) => signScriptHash(toHex(hash), key))
    if (!SCRIPT.test(script)) throw unknownScript()
    return script
  }
}

const unknownScript = (): ChainError =>
  new ChainError("The given SDK's signScriptHash answers no Schnorr signature script", {
    code: 'sdk-unsupported',
    argument: 'sdk',
    hint: 'Use a Kaspa WASM SDK of 0.15 or later.',
  })
