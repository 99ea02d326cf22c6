import { FULL } from './full.js'

/** The outer limit of a test or hook, ms: it ends one that hangs. How long a test may take depends on the machine. */
export const LIMIT = FULL ? 600_000 : 420_000

/**
 * The same for a condition that is polled, so that its last value is reported before the limit of its test, also where
 * what comes before the poll takes long on a busy machine.
 */
export const POLL_LIMIT = LIMIT - 150_000
