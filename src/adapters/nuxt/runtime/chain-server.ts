import type { VueChainOptions } from 'vue-chain'
import { verifyMessage, verifySignInMessage } from 'vue-chain/light'
import { createRestClient, isValidAddress } from 'vue-chain/streams'
import type { ChainNetwork, ChainRestClient, SignInResult, VerifySignInOptions } from 'vue-chain/streams'
import type { ChainRuntimeConfig } from '../module-options.js'
import { readOptions } from './options.js'

/** What a server route needs of the module, without an engine: nothing connects to a node, no WASM is loaded. */
export interface ChainServer {
  readonly network: ChainNetwork
  /**
   * The options of nuxt.config and of the environment, only those that are set. REST headers are private: send them to
   * no page.
   */
  readonly options: VueChainOptions
  /** A client of the indexer, with the options `restUrl` and `rest`. */
  readonly rest: ChainRestClient
  /** Whether a text is an address of the network. */
  readonly isValidAddress: (address: string) => boolean
  /** Verifies a signed message. Rejects as `verifyMessage` of `vue-chain/light` does. */
  readonly verifyMessage: typeof verifyMessage
  /** Verifies a signed sign-in message of the network, as `verifySignInMessage` does. */
  readonly verifySignInMessage: (options: Omit<VerifySignInOptions, 'network'>) => Promise<SignInResult>
}

/** The helper of a server with this runtime config. */
export function toChainServer(config: ChainRuntimeConfig): ChainServer {
  const options = readOptions(config)
  const { network = 'mainnet', restUrl } = options
  return {
    network,
    options,
    rest: createRestClient({ network, ...options.rest, ...(restUrl !== undefined && { baseUrl: restUrl }) }),
    isValidAddress: (address) => isValidAddress(address, network),
    verifyMessage,
    verifySignInMessage: (signIn) => verifySignInMessage({ ...signIn, network }),
  }
}
