import { createDevnodeNode } from './devnode-node.js'
import { createNoNode, type WalletDevnode, type WalletNode } from './wallet-node.js'

export const openWalletNode = (devnode: WalletDevnode | undefined): WalletNode =>
  devnode === undefined ? createNoNode() : createDevnodeNode(devnode)
