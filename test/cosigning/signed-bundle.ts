import { HDKey } from '@scure/bip32'
import { schnorr } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey } from '../../src/model/address.js'
import { toHex } from '../../src/model/hex.js'
import { accountValueOf, type AccountValue } from '../../src/model/cosigning/account-value.js'
import { type Pskt, psktTransaction } from '../../src/model/pskb/records.js'
import { sighash } from '../../src/model/sighash.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { FEE, KAS, toPskt } from './texts.js'

const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')

/** A payment of 2-of-3, signed by two cosigners, and their signatures. */
export function signedBundle(inputCount = 1): { value: AccountValue; pskt: Pskt; signatures: readonly string[] } {
  const nodes = [1, 2, 3].map((byte) => HDKey.fromMasterSeed(new Uint8Array(32).fill(byte)).derive("m/45'/111111'/0'"))
  const keys = nodes.map(({ publicExtendedKey }) => publicExtendedKey)
  const value = accountValueOf({ threshold: 2, keys }, 'simnet')
  const privateKeys = nodes.map((node) => node.derive('m/0/0/0').privateKey!)
  const path = { cosigner: 0, change: false, index: 0 }
  const entries = Array.from({ length: inputCount }, (_, index) =>
    fixtures.utxo({
      outpoint: { transactionId: 'ab'.repeat(32), index },
      amount: 10n * KAS,
      scriptPublicKey: value.scriptPublicKey(path),
    }),
  )
  const outputs = [
    { address: RECIPIENT, amount: 5n * KAS },
    {
      address: value.addressAt({ cosigner: 0, change: true, index: 0 }),
      amount: BigInt(inputCount) * 10n * KAS - 5n * KAS - FEE,
    },
  ]
  const pskt = toPskt(value, { entries, outputs })
  const signed = entries.map((_, at) => {
    const hash = sighash(psktTransaction(pskt), at, entries)
    return privateKeys.slice(0, 2).map((key) => {
      const xOnly = toHex(schnorr.getPublicKey(key))
      const publicKey = value.publicKeys(path).find((each) => each.slice(2) === xOnly)
      return { publicKey: publicKey ?? '', signature: toHex(schnorr.sign(hash, key)) }
    })
  })
  const inputs = pskt.inputs.map((input, at) => ({
    ...input,
    partialSigs: new Map(
      signed[at]?.map(({ publicKey, signature }) => [publicKey, { scheme: 'schnorr' as const, signature }]),
    ),
  }))
  return { value, pskt: { ...pskt, inputs }, signatures: signed.flat().map(({ signature }) => signature) }
}
