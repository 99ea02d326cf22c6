import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { FaultKind } from './fault.js'

export type WrongNetworkSettings = { readonly network: ChainNetwork }

/** The node reports another network. */
export const wrongNetwork: FaultKind<WrongNetworkSettings> = {
  about: 'Reports another network.',
  settings: { network: 'testnet-12' },
  choices: { network: AVAILABLE_NETWORKS },
  create: ({ network }, context) => ({
    transforms: {
      getServerInfo(info) {
        context.triggered()
        return { ...info, networkId: network }
      },
      getBlockDagInfo: (info) => ({ ...info, network }),
      getCurrentNetwork: () => ({ network: network.startsWith('testnet') ? 'testnet' : network }),
    },
  }),
}
