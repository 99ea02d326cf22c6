/** What is loaded where a call does not go its usual way: restored, replaced, or too late. One part. */
export { checkRestored } from './restored-calls.js'
export { movedBy } from './moved-by.js'
export { withNextPlans, fetchReplacedCalls } from './moved-calls.js'
