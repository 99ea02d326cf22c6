import { schnorr } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { encodeAddress } from '../../src/model/address.js'
import { fromHex, toHex } from '../../src/model/hex.js'

/** Secrets that nobody else uses: wherever one of them is seen, it has got out. */
export const KEY = '7d1f4b0c9ae3528866f1d2c4b5a79380e1c2d3f4a5b60718293a4b5c6d7e8f91'
export const PHRASE = 'lesson century gain nut midnight cup exhibit convince seven angle list bottom'
export const PASSPHRASE = 'Kanarienvögel-4711'

/** Where the key's coins are, on simnet. */
export const ADDRESS = encodeAddress('kaspasim', 'PubKey', schnorr.getPublicKey(fromHex(KEY)))

const seed = mnemonicToSeedSync(PHRASE, PASSPHRASE)
const master = HDKey.fromMasterSeed(seed)
const derived = master.derive("m/44'/111111'/0'/0/0").privateKey ?? new Uint8Array()

/** What must not be seen, by name, in every form in which somebody might write it down. In lower case. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'the key': bytesForms(fromHex(KEY)),
  'the derived key': bytesForms(derived),
  'the seed': bytesForms(seed),
  'the extended key': [master.privateExtendedKey],
  'the phrase': [
    ...wordsOf(PHRASE, ' '),
    ...wordsOf(PHRASE, ','),
    ...wordsOf(PHRASE, '","'),
    ...wordsOf(PHRASE, "', '"),
  ],
  'the passphrase': [PASSPHRASE, PASSPHRASE.normalize('NFKD'), encodeURIComponent(PASSPHRASE), '-4711'],
}

/** Hex, base64, and numbers; the first half tells as much as the whole. */
function bytesForms(bytes: Uint8Array): string[] {
  const half = bytes.slice(0, 16)
  const base64 = Buffer.from(half).toString('base64').slice(0, 20) // the last digits depend on what follows
  return [toHex(half), base64, half.join(','), half.join(', ')]
}

/** Three words in a row are no coincidence. */
function wordsOf(phrase: string, separator: string): string[] {
  const words = phrase.split(' ')
  return words.slice(2).map((_, at) => words.slice(at, at + 3).join(separator))
}

/** The names of the secrets that a text gives away. */
export function secretsIn(text: string): string[] {
  const lower = text.toLowerCase().replace(/\s+/g, ' ') // long arrays are set in columns
  return Object.entries(SECRETS)
    .filter(([, forms]) => forms.some((form) => lower.includes(form.toLowerCase())))
    .map(([name]) => name)
}
