import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { toPlain } from '../../errors/shown.js'
import { type CallRun, executeCall, type Continuation, type SpentContract } from './execute-call.js'
import type { ContractArtifact } from '../../model/contracts/artifact.js'
import type { Contract } from '../../model/contracts/contract.js'
import type {
  ContractName,
  ContractStateInput,
  ContractStateOf,
  EntryArguments,
  EntryName,
} from '../../model/contracts/values.js'

/** A refusal that is expected. Fields that are absent are not compared. */
export interface ExpectedRefusal {
  /** Part of the node's text, or a pattern of it. */
  readonly reason?: string | RegExp | undefined
  readonly entry?: string | undefined
}

/** The costs that are expected. Fields that are absent are not compared. */
export interface ExpectedCost {
  readonly budget?: number | undefined
  /** Sompi. */
  readonly fee?: bigint | undefined
  readonly units?: number | undefined
}

/** What a matcher of Vitest or Jest returns. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** The signatures of the matchers, to declare them: `interface Matchers<T> extends ContractMatchers<T> {}`. */
export interface ContractMatchers<R = unknown> {
  toBeRefused(expected?: ExpectedRefusal): R
  toCost(expected: ExpectedCost): R
  toHaveState(expected: object): R
}

/**
 * Matchers for `expect.extend`, and functions that return `{ pass, message }`. They throw `ChainError`
 * (`invalid-argument`) for a field that is misspelt, and where nothing is compared.
 */
export const contractMatchers = {
  /** Of a run: whether the node would refuse it, for this reason. */
  toBeRefused(run: CallRun, expected: ExpectedRefusal = {}): MatcherResult {
    refuseUnknown(expected, ['reason', 'entry'])
    const { reason, entry } = expected
    const hasReason = reason === undefined || (run.reason !== undefined && isIn(run.reason, reason))
    const pass = !run.ok && hasReason && (entry === undefined || run.entry === entry)
    return result(
      pass,
      `${run.entry} to be refused${reason === undefined ? '' : ` with ${String(reason)}`}`,
      shown(run),
    )
  },

  /** Of a run: its compute budget, minimum fee or script units. */
  toCost(run: CallRun, expected: ExpectedCost): MatcherResult {
    refuseUnknown(expected, COSTS)
    if (COSTS.every((name) => expected[name] === undefined))
      throw invalidArgument('expected', 'toCost compares nothing', `Pass ${COSTS.join(', ')}, or some of them.`)
    const { budget, fee, units } = run
    const actual: ExpectedCost = { budget, fee, units }
    const pass = COSTS.every((name) => expected[name] === undefined || expected[name] === actual[name])
    return result(pass, `${run.entry} to cost ${text(expected)}`, text(actual))
  },

  /** Of an instance: its state. */
  toHaveState(instance: { readonly state: unknown }, expected: object): MatcherResult {
    return result(text(instance.state) === text(expected), `the state ${text(expected)}`, text(instance.state))
  },
}

const COSTS = ['budget', 'fee', 'units'] as const

const isIn = (reason: string, expected: string | RegExp): boolean =>
  typeof expected === 'string' ? reason.includes(expected) : reason.search(expected) >= 0 // `test` of /g has a state

const shown = ({ ok, reason, nextStates }: CallRun): string =>
  ok ? `accepted, with the next states ${text(nextStates)}` : `refused: ${reason ?? ''}`

const result = (pass: boolean, expected: string, actual: string): MatcherResult => ({
  pass,
  message: () => `Expected ${expected}${pass ? ' not to hold' : ''}; it was ${actual}`,
})

/** Values as text, with the fields of objects in one order. */
const text = (value: unknown): string =>
  JSON.stringify(toPlain(value), (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )

export interface RunCallOptions<A extends ContractArtifact, N extends ContractName<A>, E extends EntryName<A, N>> {
  /** The state that the call spends. */
  readonly state: ContractStateInput<A, N>
  readonly call: E
  /**
   * Signatures of `{ signedBy }` are not made: they count as valid where the contract checks them by the key of that
   * address.
   */
  readonly args: EntryArguments<A, N, E>
  /** @default 32 bytes `c0` */
  readonly covenantId?: string | undefined
  /**
   * The outputs that follow. @default what the call demands: the states of its arguments, or the one that the contract
   * computes
   */
  readonly outputs?: readonly CallOutput<ContractStateInput<A, N>>[] | undefined
  /** Sompi of the spent output, and of each output that names none. @default 1 KAS */
  readonly value?: bigint | undefined
  /** @default 0n */
  readonly lockTime?: bigint | undefined
  /** @default 0n */
  readonly sequence?: bigint | undefined
  /** The DAA score of the spent output. @default 0n */
  readonly daaScore?: bigint | undefined
}

export interface CallOutput<State> {
  readonly state: State
  /** Sompi. */
  readonly value?: bigint | undefined
  /** Whether it carries the covenant id. @default true */
  readonly bound?: boolean | undefined
}

const KAS = 100_000_000n
const COVENANT_ID = /*#__PURE__*/ 'c0'.repeat(32)

/**
 * Executes one call of a contract, without any network, as a node would: its verdict and text, the units it needs and
 * the states that follow. A contract that computes its next state runs twice: once to find which redeem script it
 * demands, then with that output. Throws `ChainError` (`invalid-argument`) for values that cannot be encoded.
 */
export function runCall<A extends ContractArtifact, N extends ContractName<A>, E extends EntryName<A, N>>(
  contract: Contract<A, N>,
  { state, call, args, outputs, value = KAS, covenantId = COVENANT_ID, ...timing }: RunCallOptions<A, N, E>,
): CallRun<ContractStateOf<A, N>> {
  const spent: SpentContract = {
    scriptPublicKey: contract.scriptPublicKey(state),
    signatureScript: contract.signatureScript(state, call, args),
    covenantId,
    value,
    lockTime: timing.lockTime ?? 0n,
    sequence: timing.sequence ?? 0n,
    blockDaaScore: timing.daaScore ?? 0n,
  }
  const toContinuation = (output: CallOutput<ContractStateInput<A, N>>): Continuation => ({
    redeemScript: contract.redeemScript(output.state),
    value: output.value ?? value,
    isBound: output.bound ?? true,
  })
  const named = outputs ?? contract.nextStates(call, args)?.map((next) => ({ state: next }))
  return executeCall(call, spent, named?.map(toContinuation), (script) => contract.decodeState(script))
}
