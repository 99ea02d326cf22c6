import { causeDetails, toPlain, shown, shownValue } from './shown.js'
import type { SerializedTransaction } from './serialized-transaction.js'

/** The error catalogue of the documentation, as published with the package: a section for each code. */
const CATALOGUE = 'https://unpkg.com/vue-chain/docs/errors.md'

/** Facts of a failure, beside its message. */
export interface ChainErrorOptions<Code extends string = string> {
  /** The original object; where a text in it has a credential or control characters, a copy without. */
  readonly cause?: unknown
  /** The kind of failure, a literal. */
  readonly code?: Code | undefined
  /** The underlying words; by default the messages of the chain of causes. */
  readonly details?: string | undefined
  /** The remedy, in words. */
  readonly hint?: string | undefined
  /** The argument or option at fault. */
  readonly argument?: string | undefined
  /** The outcome of a failed submission. */
  readonly outcome?: FailedOutcome | undefined
  /** The id of the signed transaction whose submission failed. */
  readonly transactionId?: string | undefined
  /** The signed transactions of a payment whose outcome is `unknown`. */
  readonly payments?: readonly SerializedTransaction[] | undefined
}

/** The kinds of `ChainError` that fit no more specific class. */
export type ChainErrorCode =
  | 'invalid-argument'
  | 'invalid-option'
  | 'insufficient-funds'
  | 'mass-exceeded'
  | 'fee-too-high'
  | 'managed-by-journal'
  | 'plugin-missing'
  | 'wasm-load-failed'
  | 'wasm-differs'
  | 'wasm-panicked'
  | 'sdk-unsupported'
  | 'account-not-scanned'
  | 'limit-exceeded'
  | 'disposed'
  | 'partially-submitted'
  | 'aborted'
  | 'malformed'
  | 'unexpected-response'
  | 'invalid-artifact'
  | 'contract-refused'
  | 'contract-moved'
  | 'contract-address'
  | 'state-unknown'
  | 'genesis-mismatch'
  | 'unsupported-owner'
  | 'not-fungible'
  | 'too-fragmented'
  | 'insufficient-tokens'
  | 'invalid-pskb'
  | 'untrusted-pskb'
  | 'signatures-missing'
  | 'history-gap'
  | 'taken-over'
  | 'unsupported'
  | 'package-missing'
  | 'code-not-loaded'
  | 'failed'

/**
 * The base class of all errors of this library. Thrown itself for failures that no subclass covers: an invalid option,
 * insufficient funds, a WASM file that failed to load.
 */
export class ChainError<Code extends string = string> extends Error {
  override readonly name: string = 'ChainError'
  declare readonly cause?: unknown
  /** The kind of failure, a literal. */
  readonly code: Code
  /** The underlying words, such as the node's reason; `''` where there are none. */
  readonly details: string
  /** The remedy, in words. */
  readonly hint: string | undefined
  /** The argument or option at fault, as a path: `'outputs[0].address'`. */
  readonly argument: string | undefined
  /**
   * Only of a failed submission. `unsent`: this signed transaction was never handed to a node. `unknown`: the network
   * may have it, now or later, whatever a node replied; submit the same signed transaction again, or follow
   * `transactionId`.
   */
  readonly outcome: FailedOutcome | undefined
  /** Only of a failed submission of a signed transaction. Its absence proves nothing. */
  readonly transactionId: string | undefined
  /**
   * Only of `send`, `sweep`, `consolidate` and `cancel` whose outcome is `unknown`: the signed transactions, for
   * `restore()`. Not enumerable, so that no log has them: they can be submitted as they are.
   */
  declare readonly payments?: readonly SerializedTransaction[]

  constructor(message: string, options: ChainErrorOptions<Code> = {}) {
    super(shown(message))
    if ('cause' in options) defineCause(this, shownValue(options.cause))
    this.code = options.code ?? ('failed' as Code)
    this.details = shown(options.details ?? causeDetails(options.cause))
    this.hint = options.hint === undefined ? undefined : shown(options.hint)
    this.argument = options.argument
    this.outcome = options.outcome
    this.transactionId = options.transactionId
    if (options.payments !== undefined) definePayments(this, options.payments)
  }

  /** Where the documentation explains this code and its remedy. */
  get docsUrl(): string {
    return docsUrlOf(this.code)
  }

  /** The facts as plain data, which every serialiser takes: bigints as decimal strings. The cause is not part of it. */
  toJSON(): object {
    const { cause: _, ...facts } = this
    return toPlain({ ...facts, name: this.name, message: this.message }) as object
  }

  /** Message, details and hint, a line each. */
  override toString(): string {
    const lines = [`${this.name}: ${this.message}`]
    if (this.details !== '') lines.push(`Details: ${this.details}`)
    if (this.hint !== undefined) lines.push(`Hint: ${this.hint}`)
    return lines.join('\n')
  }
}

/**
 * Sets the cause. `structuredClone` copies the cause of an error, and fails for objects such as the events of sockets:
 * a cause that is no error is behind an accessor, which it skips.
 */
function defineCause(error: Error, cause: unknown): void {
  const isSafe = cause instanceof Error || (typeof cause !== 'object' && typeof cause !== 'function') || cause === null
  const property = isSafe ? { value: cause, writable: true } : { get: (): unknown => cause }
  Object.defineProperty(error, 'cause', { ...property, configurable: true, enumerable: false })
}

/** Sets `payments`, where no log finds them. */
export function definePayments(error: ChainError, payments: readonly SerializedTransaction[]): void {
  Object.defineProperty(error, 'payments', { value: payments, enumerable: false, configurable: true })
}

/** Creates the error of an argument that is rejected before anything is sent. */
export function invalidArgument(argument: string, message: string, hint?: string): ChainError<'invalid-argument'> {
  return new ChainError(message, { code: 'invalid-argument', argument, hint })
}

/**
 * Returns a `ChainError` unchanged; wraps anything else, such as an error of the caller's own function, as its cause.
 */
export function toChainError(cause: unknown, message: string): ChainError {
  const isOwn = (error: unknown): error is ChainError => error instanceof ChainError
  return isOwn(cause) ? cause : new ChainError(message, { cause })
}

/** The section of an error code. Nothing is requested from there by this library. */
const docsUrlOf = (code: string): string => `${CATALOGUE}#${code}`

/**
 * What is known about a submission. No reply of a node proves that a transaction will be accepted, or never will be;
 * the chain shows both.
 * - `relayed`: the node has it in its mempool or took it now, or its chain shows it accepted. The submission resolves.
 * - `unsent`: this signed transaction was never handed to a node, and the library knows it: it was signed by this
 *   engine, which has not sent it by any path, or it is malformed or against a rule of every node.
 * - `unknown`: everything else, such as a lost reply and every refusal by a node.
 */
export type SubmissionOutcome = 'relayed' | 'unsent' | 'unknown'

/** The outcome of a submission that rejects. */
export type FailedOutcome = Exclude<SubmissionOutcome, 'relayed'>

/** Throws `ChainError` (`invalid-argument`) for an option without meaning: a misspelt one would be ignored. */
export function refuseUnknown(options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw invalidArgument(unknown, `There is no option "${unknown}"`, 'Check its spelling, or leave it out.')
}
