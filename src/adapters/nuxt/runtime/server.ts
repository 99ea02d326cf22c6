/** `useChainServer` of server routes. Shipped as a file of its own, because only Nuxt resolves its imports. */
import { useRuntimeConfig } from '#imports'
import { toChainServer, type ChainServer } from './chain-server.js'

export type { ChainServer } from './chain-server.js'

/**
 * The module's options, a client of its indexer and verification, for a server route. Pass the event of the route, so
 * that options of the environment at start count.
 */
export const useChainServer = (event?: object): ChainServer => toChainServer(useRuntimeConfig(event))
