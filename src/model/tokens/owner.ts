import { blake3 } from '@noble/hashes/blake3.js'
import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { unsupportedOwner } from '../../errors/contract-errors.js'
import { decodeAddress, encodeAddress } from '../address.js'
import type { BytesArgument } from '../contracts/values.js'
import { ZERO_HASH } from '../hashing.js'
import { fromHex, isHex, toHex } from '../hex.js'
import type { AddressPrefix } from '../network.js'
import type { TokenProgram, TokenOutput, TokenState } from './token-program.js'

/**
 * Who owns tokens: an address, or a covenant. Tokens of a covenant move with any call of it, also with one that a
 * stranger makes.
 */
export type TokenOwner = string | { readonly covenantId: string }

/** An output that can be spent, and whose it is. */
export interface OwnedOutput extends TokenOutput {
  readonly by: TokenOwner
}

/** An owner as a state names it. */
export type OwnerFields = Pick<TokenState, 'owner' | 'owner_scheme'>

/** The bytes that KCC-2 assigns. */
const SCHEME = { key: 0, keyHash: 1, ecdsaHash: 2, scriptHash: 3, covenantId: 4 } as const

/** Those that are tried where neither artifact nor roles name them. */
export const UNNAMED_SCHEMES: readonly number[] = /*#__PURE__*/ (() => [
  SCHEME.key,
  SCHEME.keyHash,
  SCHEME.scriptHash,
  SCHEME.covenantId,
])()

/**
 * How states may name an owner, the way to name it first. Throws `ChainError` (`invalid-argument`) for what is no
 * owner.
 */
export function fieldsOf(owner: TokenOwner, argument: string): readonly [OwnerFields, ...OwnerFields[]] {
  const named = (owner_scheme: number, bytes: Uint8Array | string): OwnerFields => ({
    owner: typeof bytes === 'string' ? bytes : toHex(bytes),
    owner_scheme,
  })
  if (typeof owner !== 'string') return [named(SCHEME.covenantId, checkCovenantId(owner, argument))]
  const { version, payload } = decodeAddress(owner, argument)
  switch (version) {
    case 'PubKey':
      return [named(SCHEME.key, payload), named(SCHEME.keyHash, blake3(payload))]
    case 'PubKeyECDSA':
      return [named(SCHEME.ecdsaHash, blake3(payload))]
    case 'ScriptHash':
      return [named(SCHEME.scriptHash, payload)]
  }
}

function checkCovenantId(owner: Partial<Exclude<TokenOwner, string>> | null | undefined, argument: string): string {
  const id = owner?.covenantId
  if (isHex(id) && id.length === 64) return id
  throw invalidArgument(argument, `"${argument}" must be an address, or { covenantId } with 64 hex digits`)
}

/**
 * How a token names the owner that receives it. Throws `ChainError` (`unsupported-owner`) where the program lists no
 * such owners; ECDSA keys have to be listed.
 */
export function receiverOf(owner: TokenOwner, { ownerSchemes }: Pick<TokenProgram, 'ownerSchemes'>): OwnerFields {
  const supported = ownerSchemes ?? UNNAMED_SCHEMES
  const [named] = fieldsOf(owner, 'to') // a key by itself, never by its hash
  if (!supported.includes(named.owner_scheme)) throw unsupportedOwner({ scheme: named.owner_scheme, supported })
  return named
}

/**
 * The state of an output with so many tokens of an owner, for the genesis of a token, which names any amount. Throws
 * `ChainError` (`invalid-argument`) for what is no owner.
 */
export function tokenState(owner: TokenOwner, amount: bigint, extensionCommitment: string = ZERO_HASH): TokenState {
  const [named] = fieldsOf(owner, 'owner')
  return { ...named, amount, borrow_scheme: 0, borrow_guard: ZERO_HASH, extension_commitment: extensionCommitment }
}

/** Bytes in parts. */
export type Witness = Exclude<BytesArgument, string | Uint8Array>

/** What an owner passes to an input of the token: a list of parts, among them signatures that are made later. */
export function witnessOf(owner: TokenOwner, { owner_scheme: scheme }: OwnerFields): Witness {
  if (typeof owner !== 'string') return []
  const { payload } = decodeAddress(owner, 'from')
  const signature = { signedBy: owner }
  if (scheme === SCHEME.keyHash || scheme === SCHEME.ecdsaHash) return [payload, signature]
  if (scheme !== SCHEME.scriptHash) return [signature]
  throw new ChainError('Tokens of a script cannot be transferred yet', {
    code: 'unsupported',
    argument: 'from',
    hint: 'Their transfer needs an input of that script: call the contract of the token with its own arguments.',
  })
}

/** The address of an owner; null where its state has only the hash of a key, or the owner is a covenant. */
export function addressOfOwner({ owner, owner_scheme: scheme }: OwnerFields, prefix: AddressPrefix): string | null {
  switch (scheme) {
    case SCHEME.key:
      return encodeAddress(prefix, 'PubKey', fromHex(owner))
    case SCHEME.scriptHash:
      return encodeAddress(prefix, 'ScriptHash', fromHex(owner))
    default:
      return null
  }
}

/** Owners by their bytes, then by the scheme: a key made of both would cost for each of ten thousand outputs. */
export type OwnersByFields = ReadonlyMap<string, ReadonlyMap<number, TokenOwner>>

/** The owners of states, by their fields. Throws as `fieldsOf` does. */
export function ownersByFields(owners: readonly TokenOwner[], argument = 'owners'): OwnersByFields {
  const found = new Map<string, Map<number, TokenOwner>>()
  for (const [at, one] of owners.entries())
    for (const { owner, owner_scheme: scheme } of fieldsOf(one, `${argument}[${at}]`))
      found.set(owner, new Map([...(found.get(owner) ?? []), [scheme, one]]))
  return found
}

/** Which of the owners a state names; undefined for others. */
export const ownerIn = (owners: OwnersByFields, { owner, owner_scheme }: OwnerFields): TokenOwner | undefined =>
  owners.get(owner)?.get(owner_scheme)
