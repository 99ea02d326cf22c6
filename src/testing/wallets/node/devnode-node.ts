import { loadCode, onceLoaded } from '../../../loading/load-code.js'
import type { AccountState } from '../account-state.js'
import { createNoNode, type WalletDevnode, type WalletNode } from './wallet-node.js'

export const openWalletNode = (devnode: WalletDevnode | undefined): WalletNode =>
  devnode === undefined ? createNoNode() : createDevnodeNode(devnode)

/**
 * The devnode as the node of a wallet, by a connection of its own, which is made at the first call and again after it
 * was lost. It ends with the devnode: nothing reconnects by itself.
 */
function createDevnodeNode({ engineOptions }: WalletDevnode): WalletNode {
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

/** The initial state of a wallet: on the network of its devnode, unless it names another one. */
export function stateOn({
  state,
  devnode,
}: {
  readonly state?: Partial<AccountState> | undefined
  readonly devnode?: WalletDevnode | undefined
}): Partial<AccountState> {
  const network = devnode?.engineOptions.network
  return { ...(network !== undefined && { network }), ...state }
}
