import type { ContractRow } from '../../model/contracts/rows.js'

/** What a step changes of the tokens that a feed follows: stored with it, and undone by its rollback. */
export interface TokenStep {
  /** Outputs that were created, spent, or whose state became known, as they are after the step. */
  readonly rows: readonly ContractRow[]
  /** The covenants of tokens of which outputs are not known: not an empty balance. */
  readonly incomplete: readonly string[]
}

/** What an earlier session has stored of tokens. */
export interface StoredTokens extends TokenStep {
  /** Those that have been followed up to the stored position. */
  readonly covenants: readonly string[]
}
