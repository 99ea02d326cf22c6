import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { FaultKind } from './fault.js'

export type WrongNetworkSettings = { readonly network: ChainNetwork }

/** The node says that it serves another network. */
export const wrongNetwork: FaultKind<WrongNetworkSettings> = {
  about: 'Claims another network.',
  settings: { network: 'testnet-12' },
  choices: { network: AVAILABLE_NETWORKS },
  create: ({ network }, scene) => ({
    falsified: {
      getServerInfo(info) {
        scene.struck()
        return { ...info, networkId: network }
      },
      getBlockDagInfo: (info) => ({ ...info, network }),
      getCurrentNetwork: () => ({ network: network.startsWith('testnet') ? 'testnet' : network }),
    },
  }),
}
