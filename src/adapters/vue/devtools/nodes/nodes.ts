import type { CoreParts } from '../../../../engine/core-parts.js'
import type { InspectorNode } from '../inspector-node.js'
import { connectionNode } from './connection.js'
import { paymentsNode } from './payments.js'
import { restNode } from './rest.js'
import { serverNode } from './server.js'
import { subscriptionsNode } from './subscriptions.js'
import { utxosNode } from './utxos.js'
import { walletNode } from './wallet.js'
import { wasmNode } from './wasm.js'

/**
 * The inspector's tree: a snapshot of a core. Reading it creates no feature, sends nothing and subscribes to nothing.
 */
export const nodesOf = (core: CoreParts): readonly InspectorNode[] =>
  [connectionNode, serverNode, subscriptionsNode, utxosNode, paymentsNode, walletNode, wasmNode, restNode].map((node) =>
    node(core),
  )
