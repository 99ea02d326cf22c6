import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { toPlain } from '../../errors/shown.js'
import type { CallRun } from './call-run.js'

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
