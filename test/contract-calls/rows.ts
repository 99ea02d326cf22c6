import { COUNTER_ROWS } from './counter-rows.js'
import type { CallRow } from './harness.js'
import { KEY_ROWS } from './key-rows.js'
import { TOKEN_ROWS } from './token-rows.js'

/** What a node replies to contracts, in each situation of which the documentation speaks. */
export const CALL_ROWS: readonly CallRow[] = [...COUNTER_ROWS, ...KEY_ROWS, ...TOKEN_ROWS]
