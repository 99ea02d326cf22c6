import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { HARDENED, childKeysOf } from '../keys.js'
import { toAddress } from '../address.js'
import { BoundedMap } from '../bounded-collections.js'
import { toHex } from '../hex.js'
import { NETWORKS, type ChainNetwork } from '../network.js'
import type { ScriptPublicKey } from '../utxo.js'
import { findEqualKeys, toCosigners, xpubOf, type Cosigner, type CosignerNode, writeDescriptor } from './cosigners.js'
import { payToScript, redeemScriptOf } from './redeem-script.js'

/** The place of an address of an account: the same below the key of each cosigner. */
export interface CosigningPath {
  /** The cosigner who hands the address out, by the position in `keys`. */
  readonly cosigner: number
  readonly change: boolean
  /** 0 to 2^31 − 1. */
  readonly index: number
}

export interface CosigningAccountSettings {
  /** How many cosigners sign a payment. */
  readonly threshold: number
  /** The extended public key of each cosigner, m/45'/111111'/account', in any order: 2 to 15. */
  readonly keys: readonly string[]
  /** The key of this cosigner, one of `keys`: its branch is that of `next()` and of change. @default none */
  readonly own?: string | undefined
  /** ECDSA in place of Schnorr signatures, of all keys. @default false */
  readonly ecdsa?: boolean | undefined
}

/** An account of several keys, without a node: everything is derived, nothing is read. */
export interface AccountValue {
  readonly network: ChainNetwork
  readonly threshold: number
  readonly ecdsa: boolean
  /** In the order of the keys in every script: a cosigner is its position here. */
  readonly cosigners: readonly Cosigner[]
  /** The keys of the cosigners: kpub on mainnet, ktub on other networks. */
  readonly keys: readonly string[]
  /** The own key as it is spelled in `keys`. */
  readonly own: string | undefined
  /** The position of the own key. */
  readonly ownCosigner: number | undefined
  /** The account as text, for comparison on every device and for backups: the same for each of the cosigners. */
  readonly descriptor: string
  /** The public keys at a path in the order of `keys`: compressed, hex. */
  readonly publicKeys: (path: CosigningPath) => readonly string[]
  /** Hex. */
  readonly redeemScript: (path: CosigningPath) => string
  readonly scriptPublicKey: (path: CosigningPath) => ScriptPublicKey
  readonly addressAt: (path: CosigningPath) => string
}

/**
 * The account of several extended public keys. Throws `ChainError` (`invalid-argument`) with `keys`, `threshold`,
 * `own` or `ecdsa` as its argument; no error holds a key.
 */
export function accountValueOf(settings: CosigningAccountSettings, network: ChainNetwork): AccountValue {
  const nodes = toCosigners(settings.keys, network)
  const threshold = checkThreshold(settings.threshold, nodes.length)
  const ecdsa = settings.ecdsa ?? false
  if (typeof ecdsa !== 'boolean') throw invalidArgument('ecdsa', '"ecdsa" must be true or false')
  const ownCosigner = settings.own === undefined ? undefined : findOwn(settings.own, nodes, network)
  const keys = Object.freeze(nodes.map(({ key }) => key)) // in place sorting would be another account
  const publicKeys = createDerivation(nodes)
  const redeemScript = (path: CosigningPath): string => redeemScriptOf(threshold, publicKeys(path), ecdsa)
  const scriptPublicKey = (path: CosigningPath): ScriptPublicKey => payToScript(redeemScript(path))
  return {
    network,
    threshold,
    ecdsa,
    cosigners: Object.freeze(nodes.map(({ node: _, ...cosigner }) => cosigner)),
    keys,
    own: ownCosigner === undefined ? undefined : keys[ownCosigner],
    ownCosigner,
    descriptor: writeDescriptor({ threshold, keys, ecdsa }),
    publicKeys,
    redeemScript,
    scriptPublicKey,
    addressAt: (path) => toAddress(scriptPublicKey(path), NETWORKS[network].addressPrefix) ?? '',
  }
}

/** Below 1 anyone spends without a key: the SDK has no check. */
function checkThreshold(threshold: unknown, keys: number): number {
  if (typeof threshold === 'number' && Number.isInteger(threshold) && threshold >= 1 && threshold <= keys)
    return threshold
  throw invalidArgument(
    'threshold',
    `The threshold is ${String(threshold)} of ${keys} keys`,
    `How many cosigners sign a payment: a whole number from 1 to ${keys}.`,
  )
}

function findOwn(own: unknown, nodes: readonly CosignerNode[], network: ChainNetwork): number {
  const xpub = xpubOf(own, network, 'own')
  const cosigner = nodes.findIndex((one) => one.xpub === xpub)
  if (cosigner === -1) throw invalidArgument('own', 'The own key is not among the keys of the account')
  return cosigner
}

type ChildKeys = ReturnType<typeof childKeysOf>

/** Paths whose keys are kept: an address, its script and its review are of one path. */
const KEPT_PATHS = 1_000

/** Derives the public keys of paths; the two levels above an index once. */
function createDerivation(nodes: readonly CosignerNode[]): AccountValue['publicKeys'] {
  const branches = new Map<string, readonly ChildKeys[]>()
  const kept = new BoundedMap<string, readonly string[]>(KEPT_PATHS)
  const branchOf = (cosigner: number, chain: number): readonly ChildKeys[] => {
    const id = `${cosigner}/${chain}`
    const known = branches.get(id)
    const branch = known ?? nodes.map(({ node }) => childKeysOf(node.deriveChild(cosigner).deriveChild(chain)))
    branches.set(id, branch)
    return branch
  }
  return (path) => {
    const { cosigner, change, index } = checkCosigningPath(path, nodes.length)
    const chain = change ? 1 : 0
    const id = `${cosigner}/${chain}/${index}`
    const keys = kept.get(id) ?? Object.freeze(branchOf(cosigner, chain).map((keyAt) => toHex(keyAt(index))))
    if (findEqualKeys(keys) !== undefined) throw equalChildren(path)
    kept.set(id, keys)
    return keys
  }
}

/** A path in the branches of so many cosigners. Throws `ChainError` (`invalid-argument`). */
export function checkCosigningPath(path: CosigningPath, cosigners: number): CosigningPath {
  const isWhole = (value: unknown, end: number): boolean =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < end
  if (!isWhole(path.cosigner, cosigners)) {
    const hint = `A whole number from 0 to ${cosigners - 1}: the position of a key in account.keys.`
    throw invalidArgument('cosigner', `"cosigner" is ${String(path.cosigner)}`, hint)
  }
  if (typeof path.change !== 'boolean')
    throw invalidArgument('change', `"change" is ${String(path.change)}`, 'true or false.')
  if (!isWhole(path.index, HARDENED)) {
    throw invalidArgument('index', `"index" is ${String(path.index)}`, `A whole number from 0 to ${HARDENED - 1}.`)
  }
  return path
}

/** One signature would count for two cosigners. */
const equalChildren = ({ cosigner, change, index }: CosigningPath): ChainError =>
  invalidArgument(
    'keys',
    `Two keys of the account derive the same public key at ${cosigner}/${change ? 1 : 0}/${index}`,
    'One of them was made from the other. Replace it; pay nothing to this account.',
  )
