/**
 * What a connection needs until its first value: the resolver, the wire protocol, and the handshake with health,
 * heartbeat and subscriptions. Loaded by one import: several would make several chunks, and more of what these share.
 */
export { createNodePort, createNodeConnection } from '../wrpc/client.js'
export { createResolver } from '../wrpc/resolver.js'
export { establish$ } from '../streams/session/establish.js'
