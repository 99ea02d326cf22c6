import { createSSRApp, h, version } from 'vue'
import { ConnectWallet, VueChain, useBlockListener, useNetwork, useRpc } from 'vue-chain'

/** Shows live state of the connection, of the network and of blocks, and a component of the library. */
const Page = {
  setup() {
    const { connectionState, virtualDaaScore } = useRpc()
    const { networkId } = useNetwork()
    const { blocks } = useBlockListener()
    return () => [
      h('p', { id: 'version' }, version),
      h('p', { id: 'state' }, connectionState.value),
      h('p', { id: 'score' }, String(virtualDaaScore.value)),
      h('p', { id: 'network' }, networkId.value),
      h('p', { id: 'blocks' }, String(blocks.value.length)),
      h(ConnectWallet),
    ]
  },
}

/** The app of both sides. */
export const createPage = (url) => createSSRApp(Page).use(VueChain, { network: 'simnet', url })
