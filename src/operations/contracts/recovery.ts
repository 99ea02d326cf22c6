/** What is loaded where a call does not go its usual way: restored, replaced, or too late. One part. */
export { checkRestored } from './check-restored.js'
export { movedBy } from './moved-by.js'
export { withNextPlans } from './moved-calls.js'
export { fetchReplacedCalls } from './replaced-calls.js'
