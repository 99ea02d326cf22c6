import type { RpcMethod, RpcResponse } from '../../src/node/messages/records.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import type { WireResponders } from '../../test/wire-node.js'

/** Responses of a node to the requests of a new connection. */
export const HANDSHAKE_RESPONSES: { readonly [M in RpcMethod]?: RpcResponse<M> } = {
  getServerInfo: fixtures.serverInfo({ networkId: 'testnet-10', virtualDaaScore: 91_000_000n }),
  getInfo: {
    p2pId: '',
    mempoolSize: 0n,
    serverVersion: '2.1.0',
    isUtxoIndexed: true,
    isSynced: true,
    hasNotifyCommand: true,
    hasMessageId: true,
  },
  getSinkBlueScore: { blueScore: 90_000_000n },
  getMempoolEntriesByAddresses: { entries: [] },
  getDaaScoreTimestampEstimate: { timestamps: [1_763_000_000_000n] },
  subscribe: { id: 1n },
  unsubscribe: {},
  ping: {},
}

/** The same, of a node in this process. */
export const HANDSHAKE_RESPONDERS: WireResponders = Object.fromEntries(
  Object.entries(HANDSHAKE_RESPONSES).map(([method, response]) => [method, () => response]),
)

/** The minimum in every bucket: a node without load. */
const MINIMUM = { feerate: 100, estimatedSeconds: 1 }
export const FEE_ESTIMATE: RpcResponse<'getFeeEstimate'> = {
  estimate: { priorityBucket: MINIMUM, normalBuckets: [MINIMUM], lowBuckets: [MINIMUM] },
}
