import { loadCode } from '../../../loading/load-code.js'
import { onceLoaded } from '../../../loading/once-loaded.js'
import type { WalletDevnode, WalletNode } from './wallet-node.js'

/**
 * The devnode as the node of a wallet, by a connection of its own, which is made at the first call and again after it
 * was lost. It ends with the devnode: nothing reconnects by itself.
 */
export function createDevnodeNode({ engineOptions }: WalletDevnode): WalletNode {
  const opened = onceLoaded(async () => {
    const { openWalletEngine } = await loadCode(() => import('./wallet-engine.js'))
    return openWalletEngine(engineOptions)
  })
  return {
    build: async (payment) => (await opened()).build(payment),
    send: async (transaction, account) => (await opened()).send(transaction, account),
    balance: async (address, otherwise) => (await opened()).balance(address, otherwise),
  }
}
