import { notifications } from './notifications.js'
import { metrics, metricsRequest, peerAddress, peerInfo, systemInfo } from './node-info.js'
import { emptyBody, type MethodEntry } from './method.js'
import type { Shape } from './shape.js'

const subscription = { tag: 'u16', fields: { scope: { inline: { scope: notifications } } } } as const satisfies Shape

/** Methods for the node itself: information, peers, subscriptions. */
export const nodeMethods = {
  subscribe: { op: 3, request: subscription, response: { tag: 'u16', fields: { id: 'u64' } } },
  unsubscribe: { op: 4, request: subscription, response: emptyBody },
  ping: { op: 110, request: { tag: 'none', fields: {} }, response: { tag: 'u8', fields: {} } },
  getServerInfo: {
    op: 114,
    request: emptyBody,
    response: {
      tag: 'u16',
      fields: {
        rpcApiVersion: 'u16',
        rpcApiRevision: 'u16',
        serverVersion: 'text',
        networkId: 'networkId',
        hasUtxoIndex: 'bool',
        isSynced: 'bool',
        virtualDaaScore: 'score',
      },
    },
  },
  getInfo: {
    op: 141,
    request: emptyBody,
    response: {
      tag: 'u16',
      fields: {
        p2pId: 'text',
        mempoolSize: 'count',
        serverVersion: 'text',
        isUtxoIndexed: 'bool',
        isSynced: 'bool',
        hasNotifyCommand: 'bool',
        hasMessageId: 'bool',
      },
    },
  },
  getSyncStatus: { op: 115, request: emptyBody, response: { tag: 'u16', fields: { isSynced: 'bool' } } },
  getCurrentNetwork: { op: 116, request: emptyBody, response: { tag: 'u16', fields: { network: 'networkType' } } },
  getMetrics: { op: 111, request: metricsRequest, response: metrics },
  getSystemInfo: { op: 112, request: emptyBody, response: systemInfo },
  getConnections: {
    op: 113,
    request: { tag: 'u8', fields: { includeProfileData: 'bool' } },
    response: {
      tag: 'u16',
      fields: {
        clients: 'u32',
        peers: 'u16',
        profileData: { opt: { tag: 'none', fields: { cpuUsage: 'f32', memoryUsage: 'u64' } } },
      },
    },
  },
  getPeerAddresses: {
    op: 119,
    request: emptyBody,
    response: { tag: 'u16', fields: { knownAddresses: { vec: peerAddress }, bannedAddresses: { vec: 'ip' } } },
  },
  getConnectedPeerInfo: {
    op: 123,
    request: emptyBody,
    response: { tag: 'u16', fields: { peerInfo: { vec: peerInfo } } },
  },
  addPeer: {
    op: 124,
    request: {
      tag: 'u16',
      fields: { peerAddress: { tag: 'none', fields: { ip: 'ip', port: { opt: 'u16' } } }, isPermanent: 'bool' },
    },
    response: emptyBody,
  },
  ban: { op: 139, request: { tag: 'u16', fields: { ip: 'ip' } }, response: emptyBody },
  unban: { op: 140, request: { tag: 'u16', fields: { ip: 'ip' } }, response: emptyBody },
  shutdown: { op: 133, request: emptyBody, response: emptyBody },
} as const satisfies Record<string, MethodEntry>
