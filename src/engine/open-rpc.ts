/**
 * What calls of a node need: its queries and the methods that subscribe. Loaded by one import: two would make two
 * chunks, and another one of what they share.
 */
export { openQueries } from './open-queries.js'
export { createSubscriptionMethods } from '../streams/subscription-methods.js'
