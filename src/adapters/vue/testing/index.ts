/** The entry point `vue-chain/testing/vue`: mounts components for tests of apps. Not for production code. */
export { mountWithChain } from './mount-with-chain.js'
export type { MountedChain } from './mount-with-chain.js'
export type { DevnodeTarget, MountSettings } from './test-options.js'
