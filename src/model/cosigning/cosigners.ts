import type { HDKey } from '@scure/bip32'
import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { HARDENED, decodeAccountKey, writeAccountKey, type AccountKey } from '../keys.js'
import { toHex } from '../hex.js'
import type { ChainNetwork } from '../network.js'

/** The most keys of an account: nodes do not relay what spends 16 to 20, and nothing spends from 21 on. */
const MAX_COSIGNERS = 15

/** One of the keys of an account. */
export interface Cosigner {
  /** The extended public key: a kpub on mainnet, a ktub on every other network. */
  readonly key: string
  /** The same key as Bitcoin spells it, by which the keys of an account are sorted. */
  readonly xpub: string
  /** The path of the key in the wallet of the cosigner: m/45'/111111'/account'. */
  readonly path: string
  /** The compressed public key of the account, hex. */
  readonly publicKey: string
  /** The first 4 bytes of the hash of the key, hex: what BIP-32 calls its fingerprint. */
  readonly fingerprint: string
}

/** A cosigner with the node that derives its public keys. */
export interface CosignerNode extends Cosigner {
  readonly node: HDKey
}

/**
 * The cosigners of an account in the order of their xpub texts, which is that of the keys in its scripts. Throws
 * `ChainError` (`invalid-argument`, `keys`), which never quotes a key.
 */
export function toCosigners(keys: unknown, network: ChainNetwork): readonly CosignerNode[] {
  if (!Array.isArray(keys)) throw invalidArgument('keys', '"keys" must be an array of extended public keys', KEY_HINT)
  if (keys.length < 2)
    throw refuseCount(keys.length, 'An account of one key is engine.accounts.fromExtendedPublicKey().')
  if (keys.length > MAX_COSIGNERS) {
    throw refuseCount(keys.length, 'Nodes do not relay what spends outputs of 16 keys and more, or reject it for ever.')
  }
  const decoded = keys.map((text: unknown, at) => decodeCosigner(text, network, at))
  requireDistinct(decoded)
  return decoded.map((one) => toCosigner(one, network)).sort((a, b) => (a.xpub < b.xpub ? -1 : 1))
}

/** The xpub of a key in any spelling. Throws `ChainError` (`invalid-argument`) that names `argument`. */
export const xpubOf = (text: unknown, network: ChainNetwork, argument: string): string =>
  decodeAccountKey(text, network, PATH, refuseKey(argument, '')).node.publicExtendedKey

const PATH = "m/45'/111111'/account'"

const KEY_HINT = `The extended public key of each cosigner, ${PATH}: keys.deriveExtendedPublicKey() with purpose 45.`

const decodeCosigner = (text: unknown, network: ChainNetwork, at: number): AccountKey =>
  decodeAccountKey(text, network, PATH, refuseKey('keys', `Key ${at + 1}: `))

const refuseKey =
  (argument: string, prefix: string) =>
  (reason: string, hint = KEY_HINT): ChainError =>
    invalidArgument(argument, `${prefix}${reason}`, hint)

const refuseCount = (count: number, hint: string): ChainError =>
  invalidArgument('keys', `The account has ${count} keys; it needs 2 to ${MAX_COSIGNERS}`, hint)

function requireDistinct(keys: readonly AccountKey[]): void {
  const equal = findEqualKeys(keys.map(({ publicKey }) => toHex(publicKey)))
  if (equal === undefined) return
  const [first, second] = equal
  throw invalidArgument(
    'keys',
    `Keys ${first + 1} and ${second + 1} are the same key`,
    'Each cosigner has its own key.',
  )
}

/**
 * The positions of two compressed keys with one x-only key, which is one signer: also in two spellings, or with other
 * data beside it.
 */
export function findEqualKeys(keys: readonly string[]): readonly [first: number, second: number] | undefined {
  const xOnly = keys.map((key) => key.slice(2))
  const second = xOnly.findIndex((key, at) => xOnly.indexOf(key) < at)
  return second === -1 ? undefined : [xOnly.indexOf(xOnly[second] ?? ''), second]
}

function toCosigner(decoded: AccountKey, network: ChainNetwork): CosignerNode {
  const { node } = decoded
  return {
    key: writeAccountKey(decoded, network === 'mainnet' ? 'kpub' : 'ktub'),
    xpub: node.publicExtendedKey,
    path: `m/45'/111111'/${node.index - HARDENED}'`,
    publicKey: toHex(decoded.publicKey),
    fingerprint: node.fingerprint.toString(16).padStart(8, '0'),
    node,
  }
}

/** What the text of an account says, before its keys are checked. */
interface DescriptorParts {
  readonly threshold: number
  readonly keys: readonly string[]
  readonly ecdsa: boolean
}

/** The names of the forms: that of other wallets, and the one with ECDSA signatures, which only this library has. */
const NAMES = { schnorr: 'multi_hd45', ecdsa: 'multi_hd45_ecdsa' } as const

/** Enough for the most keys, each with a blank before it. */
const MAX_LENGTH = 2_000

const FORM = /^(?<name>multi_hd45|multi_hd45_ecdsa)\((?<threshold>[0-9]{1,3})(?<keys>(?:, ?[^\s,()]+)+)\)$/

/** The text of an account: two accounts are equal where it is. */
export const writeDescriptor = ({ threshold, keys, ecdsa }: DescriptorParts): string =>
  `${ecdsa ? NAMES.ecdsa : NAMES.schnorr}(${[threshold, ...keys].join(',')})`

/** Reads the text of an account. Throws `ChainError` (`invalid-argument`, `descriptor`), which never quotes it. */
export function readDescriptor(text: unknown): DescriptorParts {
  if (typeof text !== 'string') throw malformed('is not a string')
  if (text.length > MAX_LENGTH) throw malformed('is too long')
  const { name, threshold = '', keys = '' } = FORM.exec(text.trim())?.groups ?? {}
  if (name === undefined) throw malformed('has another form')
  return {
    threshold: Number(threshold),
    keys: keys
      .split(',')
      .slice(1)
      .map((key) => key.trim()),
    ecdsa: name === NAMES.ecdsa,
  }
}

const malformed = (what: string): ChainError =>
  invalidArgument('descriptor', `The descriptor ${what}`, 'It reads multi_hd45(2,kpub…,kpub…,kpub…), on one line.')
