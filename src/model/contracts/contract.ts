import { type ChainNetwork, NETWORKS } from '../network.js'
import type { ScriptPublicKey } from '../utxo.js'
import { type ContractArtifact, invalidArtifact } from './artifact.js'
import { type SignatureOf, encodeFields } from './value-codec.js'
import type { ContractName, ContractStateInput, ContractStateOf, EntryArguments, EntryName } from './values.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress, encodeAddress } from '../address.js'
import { blake2b256 } from '../hashing.js'
import { fromHex, toHex } from '../hex.js'
import { placeholderSignature } from '../sighash.js'
import { readProgram, type Entry, type Program } from './program.js'
import { pushExplicit, pushMinimal, decodeState, encodeState, stateBytesOf } from './state-script.js'
import type { ResolvedType } from './resolved-type.js'

/** A contract of a checked artifact: its scripts by state, and its calls. Pure: it knows no node and no key. */
export interface Contract<A extends ContractArtifact = ContractArtifact, N extends ContractName<A> = ContractName<A>> {
  readonly name: N
  /**
   * The program, hex, 32 bytes: constructor arguments are part of it, the state is not. Pin it where the artifact comes
   * from outside.
   */
  readonly templateHash: string
  /** The state that the artifact was compiled with. */
  readonly initialState: ContractStateOf<A, N>
  /** The names by which entries are called. */
  readonly entries: readonly EntryName<A, N>[]
  /** The entry of the inputs that follow a leader with the same covenant id; undefined where there is none. */
  readonly delegateEntry: EntryName<A, N> | undefined
  /**
   * The script behind the hash of an output with this state, hex. Throws `ChainError` (`invalid-argument`), as the
   * methods below.
   */
  redeemScript(state: ContractStateInput<A, N>): string
  /** The locking script of an output with this state. */
  scriptPublicKey(state: ContractStateInput<A, N>): ScriptPublicKey
  /**
   * The address of that script, to find its UTXOs. Never pay to it: an output without the covenant id is lost for
   * contracts that check their continuation.
   */
  scriptAddress(state: ContractStateInput<A, N>, network: ChainNetwork): string
  /** The state in a redeem script, hex; undefined for another program. */
  decodeState(redeemScript: string): ContractStateOf<A, N> | undefined
  /**
   * The next states that the arguments of a call name, for entries that verify them; undefined for entries that compute
   * the next state, and for those that end the covenant.
   */
  nextStates<E extends EntryName<A, N>>(
    entry: E,
    args: EntryArguments<A, N, E>,
  ): readonly ContractStateInput<A, N>[] | undefined
  /**
   * What a call pushes before the redeem script, hex. `sign` makes the signatures of `{ signedBy }`: without it
   * placeholders.
   */
  encodeCall<E extends EntryName<A, N>>(entry: E, args: EntryArguments<A, N, E>, sign?: SignatureOf): string
  /** The whole signature script of a call, hex: the same, then the redeem script of the state that it spends. */
  signatureScript<E extends EntryName<A, N>>(
    state: ContractStateInput<A, N>,
    entry: E,
    args: EntryArguments<A, N, E>,
    sign?: SignatureOf,
  ): string
}

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
