import { FULL } from './full.js'

/** The outer limit of a test or hook, ms: it ends one that hangs. How long a test may take depends on the machine. */
export const LIMIT = FULL ? 600_000 : 300_000

/** The same for a condition that is polled, so that its last value is reported before the limit of its test. */
export const POLL_LIMIT = LIMIT - 30_000
