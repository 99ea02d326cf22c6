/** The entry point `vue-chain/testing/vue`: mounts components for tests of apps. Not for production code. */
export { mountWithChain } from './mount-with-chain.js'
export type { MountedChain, DevnodeTarget, MountSettings } from './mount-with-chain.js'
