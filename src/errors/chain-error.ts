/**
 * What every failure of this library can tell, beside its message.
 * `cause` is the original object, untouched; `hint` says in words what to do next; `argument` names the culprit among
 * the caller's arguments or options; `code` is the kind, for programs.
 */
export interface ErrorDetails<Code extends string = string> {
  readonly cause?: unknown
  readonly code?: Code | undefined
  readonly hint?: string | undefined
  readonly argument?: string | undefined
}

/** The kinds of `ChainError` that fit no more specific class. */
export type ChainErrorCode =
  | 'invalid-argument'
  | 'invalid-option'
  | 'insufficient-funds'
  | 'mass-exceeded'
  | 'plugin-missing'
  | 'wasm-load-failed'
  | 'wasm-panicked'
  | 'sdk-unsupported'
  | 'disposed'
  | 'interrupted'
  | 'cancelled'
  | 'invalid-data'
  | 'failed'

/**
 * The base of all errors that this library throws or rejects with: one `instanceof` catches them all.
 * It is also thrown itself, for what fits no other class: a bad option, not enough funds, a WASM file that failed to load.
 */
export class ChainError<Code extends string = string> extends Error {
  override readonly name: string = 'ChainError'
  override readonly cause?: unknown
  /** The kind of failure, a literal. */
  readonly code: Code
  /** What to do next, in words. */
  readonly hint: string | undefined
  /** The argument or option at fault, as the caller wrote it: `'outputs[0].address'`. */
  readonly argument: string | undefined

  constructor(message: string, details: ErrorDetails<Code> = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    if ('cause' in details) this.cause = details.cause
    this.code = details.code ?? ('failed' as Code)
    this.hint = details.hint
    this.argument = details.argument
  }
}

/** A caller's argument that is refused before anything is sent; names the argument. */
export function invalidArgument(argument: string, message: string, hint?: string): ChainError<'invalid-argument'> {
  return new ChainError(message, { code: 'invalid-argument', argument, hint })
}
