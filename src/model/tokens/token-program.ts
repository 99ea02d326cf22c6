import { invalidArgument } from '../../errors/chain-error.js'
import { type Contract, programOf } from '../contracts/contract.js'
import { invalidArtifact, isRecord } from '../contracts/artifact.js'
import type { Entry, Program } from '../contracts/program.js'
import type { ResolvedField } from '../contracts/resolved-type.js'
import type { Outpoint } from '../utxo.js'

/** How a program with the state of KCC-20 is used, where its artifact does not show it. */
export interface TokenRoles {
  /** The entry of the input that leads, with the next states and a witness. @default the entry with the tag 79c71c23 */
  readonly transfer?: string | undefined
  /** The entry of all other inputs, with a witness. @default the entry with the tag fd3ef14a */
  readonly delegate?: string | undefined
  /** Inputs of the token in a transaction, at most. @default 3 */
  readonly maxInputs?: number | undefined
  /** Outputs of the token in a transaction, at most. @default 3 */
  readonly maxOutputs?: number | undefined
  /**
   * The owner schemes that the program supports, by their bytes in KCC-2. @default those of the artifact's
   * `program_information`; without it the program is executed to find out, and no ECDSA keys are used
   */
  readonly ownerSchemes?: readonly number[] | undefined
}

/** A program that is a token. */
export interface TokenProgram {
  readonly contract: Contract
  readonly transfer: { readonly entry: string; readonly states: string; readonly witness: string }
  readonly delegate: { readonly entry: string; readonly witness: string }
  readonly maxInputs: number
  readonly maxOutputs: number
  /** Undefined where nothing names them. */
  readonly ownerSchemes: readonly number[] | undefined
  /** Whether it has no entries but these two: its amounts then stay what they are. */
  readonly isPlain: boolean
}

/** The tag of the entry `transfer` in the default configuration. */
export const TRANSFER_TAG = '79c71c23'
const TAGS = { transfer: TRANSFER_TAG, delegate: 'fd3ef14a' } as const
const DEFAULT_LIMIT = 3

/**
 * Recognises a token of KCC-20: by its state, and by the tags of the default configuration or the roles that are given.
 * Throws `ChainError`: `invalid-artifact` for another program, `invalid-argument` for roles that it does not have.
 */
export function readTokenProgram(contract: Contract, artifact: unknown, roles: TokenRoles = {}): TokenProgram {
  const program = programOf(contract)
  if (program === undefined || !isTokenState(program.fields))
    throw invalidArtifact('runtime_state.fields', 'is not the state of KCC-20')
  const information = isRecord(artifact) && isRecord(artifact.program_information) ? artifact.program_information : {}
  const limit = (named: unknown, stated: unknown): number =>
    [named, stated].find((one): one is number => Number.isInteger(one) && Number(one) > 0) ?? DEFAULT_LIMIT
  return {
    contract,
    transfer: transferOf(program, roles.transfer),
    delegate: delegateOf(program, roles.delegate),
    maxInputs: limit(roles.maxInputs, information.max_token_inputs),
    maxOutputs: limit(roles.maxOutputs, information.max_token_outputs),
    ownerSchemes: roles.ownerSchemes ?? schemesOf(information.owner_schemes),
    isPlain: program.entries.size === 2,
  }
}

/** The state of a token in a form that is compared: bytes as hex. Throws `ChainError` (`invalid-argument`). */
export const toTokenState = ({ contract }: Pick<TokenProgram, 'contract'>, state: unknown): TokenState =>
  contract.decodeState(contract.redeemScript(state as never)) as unknown as TokenState // its fields were compared

function transferOf(program: Program, named: string | undefined): TokenProgram['transfer'] {
  const [entry, { params }] = find(program, 'transfer', named)
  const [states, witness, other] = params
  const item = states?.type.kind === 'array' ? states.type.item : undefined
  const isTransfer = item?.kind === 'struct' && isTokenState(item.fields) && witness?.type.kind === 'bytes'
  if (!isTransfer || states === undefined || other !== undefined)
    throw invalidArtifact(`entries.${entry}`, 'does not take the next states and a witness')
  return { entry, states: states.name, witness: witness.name }
}

function delegateOf(program: Program, named: string | undefined): TokenProgram['delegate'] {
  const [entry, { params }] = find(program, 'delegate', named)
  const [witness, other] = params
  if (witness?.type.kind !== 'bytes' || other !== undefined)
    throw invalidArtifact(`entries.${entry}`, 'does not take a witness')
  return { entry, witness: witness.name }
}

function find(
  { entries }: Program,
  role: keyof typeof TAGS,
  named: string | undefined,
): readonly [name: string, entry: Entry] {
  const found = [...entries].find(([name, { tag }]) => (named === undefined ? tag === TAGS[role] : name === named))
  if (found !== undefined) return found
  if (named === undefined)
    throw invalidArtifact('entries', `has no entry with the tag ${TAGS[role]}: name it in roles.${role}`)
  throw invalidArgument(`roles.${role}`, `The program has no entry "${named}"`)
}

const schemesOf = (value: unknown): readonly number[] | undefined =>
  Array.isArray(value) && value.every((one): one is number => Number.isInteger(one)) ? value : undefined

/** The state of an output of a token, as KCC-20 names its fields. */
export interface TokenState {
  /** In units of the token. */
  readonly amount: bigint
  /** 32 bytes, hex: what `owner_scheme` says. */
  readonly owner: string
  /** The byte of KCC-2 by which the owner authorizes. */
  readonly owner_scheme: number
  /** Who else may add to the output; 0: no one. */
  readonly borrow_scheme: number
  /** 32 bytes, hex. */
  readonly borrow_guard: string
  /** 32 bytes, hex: only amounts with the same one can be added. */
  readonly extension_commitment: string
}

/** An output of a token. */
export interface TokenOutput {
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly value: bigint
  readonly state: TokenState
  /** How many unconfirmed own calls it depends on; 0 for an output of the chain. */
  readonly depth: number
}

const BYTES_32 = { kind: 'fixed_bytes', length: 32 } as const
const BYTE = { kind: 'byte' } as const

/** The fields of the state, in the order of KCC-20. */
export const TOKEN_FIELDS: readonly ResolvedField[] = [
  { name: 'amount', type: { kind: 'int' } },
  { name: 'owner', type: BYTES_32 },
  { name: 'owner_scheme', type: BYTE },
  { name: 'borrow_scheme', type: BYTE },
  { name: 'borrow_guard', type: BYTES_32 },
  { name: 'extension_commitment', type: BYTES_32 },
]

/** Whether fields are those of KCC-20: their states are then `TokenState`. */
const isTokenState = (fields: readonly ResolvedField[]): boolean => shapeOf(fields) === shapeOf(TOKEN_FIELDS)

const shapeOf = (fields: readonly ResolvedField[]): string =>
  fields.map(({ name, type }) => [name, type.kind, 'length' in type ? type.length : ''].join(':')).join()
