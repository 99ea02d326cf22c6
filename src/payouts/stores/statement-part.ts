import type { Bind } from '../../sql/statement.js'

/** A query of a `with` clause. */
export interface ChangePart {
  readonly name: string
  /** The query in parentheses, after what says how it is run. */
  readonly text: string
  /** How many rows it has to return; undefined where that is not known. */
  readonly rows?: number
}

/** What the parts of a statement refer to. */
export interface PartScope {
  /** The schema, quoted. */
  readonly s: string
  /** The placeholders of network and wallet. */
  readonly network: string
  readonly wallet: string
  readonly bind: Bind
}
