import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeAddress, toScriptPublicKey } from '../../../src/model/address.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'

/** Somebody with a key, and the two addresses that it opens. */
export interface Person {
  readonly privateKey: string
  readonly address: string
  readonly ecdsaAddress: string
}

const person = (privateKey: string): Person => ({
  privateKey,
  address: encodeAddress('kaspasim', 'PubKey', schnorr.getPublicKey(fromHex(privateKey))),
  ecdsaAddress: encodeAddress('kaspasim', 'PubKeyECDSA', secp256k1.getPublicKey(fromHex(privateKey))),
})

export const alice = person('33'.repeat(32))
export const bob = person('44'.repeat(32))
export const carol = person('55'.repeat(32))

/** An address of nobody: a script that no single key opens. */
export const scriptAddress = encodeAddress('kaspasim', 'ScriptHash', new Uint8Array(32).fill(7))

export const KAS = 100_000_000n

/** A coin of `amount` sompi at `address`; `number` tells it from others. */
export function coin(amount: bigint, number = 0, details: Partial<UtxoEntry> = {}): UtxoEntry {
  const address = details.address ?? alice.address
  const transactionId = toHex(Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? number >> (8 * at) : 0xc0)))
  return {
    outpoint: { transactionId, index: number % 3 },
    amount,
    scriptPublicKey: toScriptPublicKey(address),
    blockDaaScore: 500n,
    isCoinbase: false,
    ...details,
    address,
  }
}

export const coins = (amounts: readonly bigint[], details: Partial<UtxoEntry> = {}): UtxoEntry[] =>
  amounts.map((amount, number) => coin(amount, number, details))
