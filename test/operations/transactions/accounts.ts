import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeAddress, toScriptPublicKey } from '../../../src/model/address.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'

/** A key with its Schnorr and ECDSA addresses. */
export interface TestAccount {
  readonly privateKey: string
  readonly address: string
  readonly ecdsaAddress: string
}

const createAccount = (privateKey: string): TestAccount => ({
  privateKey,
  address: encodeAddress('kaspasim', 'PubKey', schnorr.getPublicKey(fromHex(privateKey))),
  ecdsaAddress: encodeAddress('kaspasim', 'PubKeyECDSA', secp256k1.getPublicKey(fromHex(privateKey))),
})

export const alice = createAccount('33'.repeat(32))
export const bob = createAccount('44'.repeat(32))
export const carol = createAccount('55'.repeat(32))

/** A script hash address, not spendable with a key. */
export const scriptAddress = encodeAddress('kaspasim', 'ScriptHash', new Uint8Array(32).fill(7))

export const KAS = 100_000_000n

/** A UTXO of `amount` sompi, at Alice's address by default; `number` makes its outpoint unique. */
export function utxo(amount: bigint, number = 0, details: Partial<UtxoEntry> = {}): UtxoEntry {
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

export const utxos = (amounts: readonly bigint[], details: Partial<UtxoEntry> = {}): UtxoEntry[] =>
  amounts.map((amount, number) => utxo(amount, number, details))
