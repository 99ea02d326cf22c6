import { schnorr } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { encodeAddress } from '../../src/model/address.js'
import { fromHex, toHex } from '../../src/model/hex.js'

/** Secrets used by no other test, so that every occurrence outside the code under test is a leak. */
export const KEY = '7d1f4b0c9ae3528866f1d2c4b5a79380e1c2d3f4a5b60718293a4b5c6d7e8f91'
export const MNEMONIC = 'lesson century gain nut midnight cup exhibit convince seven angle list bottom'
export const PASSPHRASE = 'Kanarienvögel-4711'

/** The key's address on simnet. */
export const ADDRESS = encodeAddress('kaspasim', 'PubKey', schnorr.getPublicKey(fromHex(KEY)))

const seed = mnemonicToSeedSync(MNEMONIC, PASSPHRASE)
const master = HDKey.fromMasterSeed(seed)
const derived = master.derive("m/44'/111111'/0'/0/0").privateKey ?? new Uint8Array()

/** Encodings of each secret, by its name. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'the key': bytesForms(fromHex(KEY)),
  'the derived key': bytesForms(derived),
  'the seed': bytesForms(seed),
  'the extended key': [master.privateExtendedKey],
  'the mnemonic': [
    ...wordTriples(MNEMONIC, ' '),
    ...wordTriples(MNEMONIC, ','),
    ...wordTriples(MNEMONIC, '","'),
    ...wordTriples(MNEMONIC, "', '"),
  ],
  'the passphrase': [PASSPHRASE, PASSPHRASE.normalize('NFKD'), encodeURIComponent(PASSPHRASE), '-4711'],
}

/** Hex, base64, and numbers; the first half identifies the secret. */
function bytesForms(bytes: Uint8Array): string[] {
  const half = bytes.slice(0, 16)
  const base64 = Buffer.from(half).toString('base64').slice(0, 20) // the last digits depend on the bytes that follow
  return [toHex(half), base64, half.join(','), half.join(', ')]
}

/** Every three consecutive words. */
function wordTriples(mnemonic: string, separator: string): string[] {
  const words = mnemonic.split(' ')
  return words.slice(2).map((_, at) => words.slice(at, at + 3).join(separator))
}

/** Names of the secrets that occur in a text. */
export function secretsIn(text: string): string[] {
  const lower = text.toLowerCase().replace(/\s+/g, ' ') // inspect() wraps long arrays into columns
  return Object.entries(SECRETS)
    .filter(([, forms]) => forms.some((form) => lower.includes(form.toLowerCase())))
    .map(([name]) => name)
}
