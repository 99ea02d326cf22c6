/** What instances load when they are followed: one part. */
export { findSuccessor, followCovenants, followInstance } from './follow.js'
export { unconfirmedCalls$ } from './unconfirmed-calls.js'
