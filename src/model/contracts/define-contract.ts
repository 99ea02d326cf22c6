import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress, encodeAddress } from '../address.js'
import { blake2b256 } from '../hashing.js'
import { fromHex, toHex } from '../hex.js'
import { NETWORKS, type ChainNetwork } from '../network.js'
import { placeholderSignature } from '../placeholder-signature.js'
import type { ScriptPublicKey } from '../utxo.js'
import type { ContractArtifact } from './artifact.js'
import type { Contract } from './contract.js'
import { invalidArtifact } from './invalid-artifact.js'
import { readProgram, type Entry, type Program } from './program.js'
import { pushExplicit, pushMinimal } from './push.js'
import type { ResolvedType } from './resolved-type.js'
import type { SignatureOf } from './scalar-codec.js'
import { decodeState, encodeState } from './state-codec.js'
import { stateBytesOf } from './template.js'
import { encodeFields } from './value-codec.js'
import type { ContractName } from './values.js'

export interface DefineContractOptions<N extends string = string> {
  /** Which contract of the artifact is meant. Default: its only one. */
  readonly contract?: N
  /** The program that is expected, hex: another one is refused. */
  readonly templateHash?: string
}

/**
 * Checks the artifact of a contract and gives its codec, typed by the artifact's literals. An artifact is trusted code:
 * nothing proves that it came from its source, and a call does to its transaction what the artifact says. Throws
 * `ChainError` (`invalid-artifact`) with the path in `argument`.
 */
export function defineContract<const A extends ContractArtifact, N extends ContractName<A> = ContractName<A>>(
  artifact: A,
  options: DefineContractOptions<N> = {},
): Contract<A, N> {
  const program = readProgram(artifact, options.contract)
  const { templateHash } = options
  if (templateHash !== undefined && templateHash !== program.templateHash)
    throw invalidArtifact(
      `contracts.${program.name}.compiled.template_hash`,
      `is ${program.templateHash}: another program than the expected ${templateHash}`,
    )
  // the types are those of the artifact as it was written down, the program what was read of it and checked
  const contract = contractOf(program) as Contract<A, N>
  PROGRAMS.set(contract, program)
  return contract
}

const PROGRAMS = /*#__PURE__*/ new WeakMap<object, Program>()

/** What was read of the artifact of a contract; undefined for an object of a caller's own. */
export const programOf = (contract: object): Program | undefined => PROGRAMS.get(contract)

/** The contract without the types of its artifact. */
type UntypedContract = { readonly [Key in keyof Contract]: unknown }

function contractOf(program: Program): UntypedContract {
  const redeemScript = (state: unknown): Uint8Array =>
    joined(program.prefix, encodeState(program.fields, state), program.suffix)
  const scriptHash = (state: unknown): Uint8Array => blake2b256(redeemScript(state))
  const encodeCall = (name: string, args: unknown, sign: SignatureOf = placeholderOf): Uint8Array =>
    encodeArguments(entryOf(program, name), args, sign)
  return {
    name: program.name,
    templateHash: program.templateHash,
    initialState: program.initialState,
    entries: [...program.entries.keys()],
    delegateEntry: program.delegateEntry,
    redeemScript: (state: unknown) => toHex(redeemScript(state)),
    scriptPublicKey: (state: unknown): ScriptPublicKey => ({ version: 0, script: `aa20${toHex(scriptHash(state))}87` }),
    scriptAddress: (state: unknown, network: ChainNetwork) =>
      encodeAddress(NETWORKS[network].addressPrefix, 'ScriptHash', scriptHash(state)),
    decodeState: (script: string) => {
      const bytes = stateBytesOf(program, fromHex(script, 'redeemScript'))
      return bytes && decodeState(program.fields, bytes)
    },
    nextStates: (name: string, args: Readonly<Record<string, unknown>>) =>
      nextStates(program.stateName, entryOf(program, name), args),
    encodeCall: (name: string, args: unknown, sign?: SignatureOf) => toHex(encodeCall(name, args, sign)),
    signatureScript: (state: unknown, name: string, args: unknown, sign?: SignatureOf) => {
      const redeem: number[] = []
      pushExplicit(redeem, redeemScript(state))
      return toHex(joined(encodeCall(name, args, sign), Uint8Array.from(redeem)))
    },
  }
}

function entryOf({ entries, name: contract }: Program, name: string): Entry {
  const entry = entries.get(name)
  if (entry !== undefined) return entry
  throw invalidArgument('entry', `${contract} has no entry "${name}"`, `It has ${[...entries.keys()].join(', ')}.`)
}

function nextStates(
  stateName: string,
  { params }: Entry,
  args: Readonly<Record<string, unknown>>,
): readonly unknown[] | undefined {
  const isState = (type: ResolvedType): boolean => type.kind === 'struct' && type.name === stateName
  for (const { name, type } of params) {
    if (isState(type)) return [args[name]]
    const value = args[name]
    if (type.kind === 'array' && isState(type.item) && Array.isArray(value)) return value as readonly unknown[]
  }
  return undefined
}

/** What a call pushes before the redeem script. Throws `ChainError` (`invalid-argument`) with the path of a value. */
export function encodeArguments({ params, tag }: Entry, args: unknown, sign: SignatureOf): Uint8Array {
  const script: number[] = []
  for (const part of encodeFields(params, args, 'args', 'argument', sign)) pushMinimal(script, part)
  pushExplicit(script, fromHex(tag))
  return Uint8Array.from(script)
}

const placeholderOf: SignatureOf = (address, path) => {
  const { version, payload } = decodeAddress(address, path)
  if (version === 'ScriptHash') throw invalidArgument(path, `"${path}" is the address of a script, which has no key`)
  return placeholderSignature(payload)
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  parts.reduce((at, part) => {
    bytes.set(part, at)
    return at + part.length
  }, 0)
  return bytes
}
