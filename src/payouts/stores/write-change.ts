import { ChainError } from '../../errors/chain-error.js'
import { sqlStateOf, quote, type Query, runStatement } from '../../sql/session.js'
import type { JournalChange } from '../../streams/payouts/journal.js'
import { partsOf } from './change-parts.js'

/** The rows of a wallet. */
export interface SqlScope {
  readonly schema: string
  readonly network: string
  readonly wallet: string
}

/** Ends a transaction whose change was decided from rows that have changed since. */
export class StaleChange extends ChainError {
  constructor() {
    super('The rows have changed since')
  }
}

/**
 * Writes a change by one statement, so that one round trip is its transaction. Throws `StaleChange`: where a part has
 * not written all of its rows, the statement divides by zero, so that the server writes nothing of it.
 */
export async function writeChange(
  query: Query,
  { schema, network, wallet }: SqlScope,
  change: JournalChange,
): Promise<void> {
  try {
    await runStatement(query, (bind) => {
      const scope = { s: quote(schema), network: bind(network), wallet: bind(wallet), bind }
      const parts = partsOf(change, scope)
      const isWhole = parts.flatMap(({ name, rows }) =>
        rows === undefined ? [] : ` and (select count(*) from ${name}) = ${rows}`,
      )
      // the server begins a part where its rows are counted: locks are taken in this order
      return `with scope as (select ${scope.network}::text, ${scope.wallet}::text)
          ${parts.map(({ name, text }) => `, ${name} as ${text}`).join('')}
        select 1 / case when true${isWhole.join('')} then 1 else 0 end from scope`
    })
  } catch (error) {
    throw sqlStateOf(error) === DIVISION_BY_ZERO ? new StaleChange() : error
  }
}

const DIVISION_BY_ZERO = '22012'
