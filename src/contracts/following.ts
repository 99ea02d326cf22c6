/** What instances load when they are followed: one part. */
export { findSuccessor } from './find-successor.js'
export { followCovenants, followInstance } from './follow.js'
export { unconfirmedCalls$ } from './unconfirmed-calls.js'
