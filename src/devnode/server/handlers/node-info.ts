import { ok, type CallContext, type Handlers } from './handler.js'

/** `mainnet`, `testnet`, `devnet` or `simnet`, without the number. */
const networkType = ({ live }: CallContext): string => live.ledger.network.id.replace(/-\d+$/, '')

/** The file descriptor limit that a real node requests. */
const FILE_LIMIT = 20_000

/** Methods about the node itself. It has no peers, so it is always synced. */
export const nodeInfo = {
  ping: () => ok({}),

  getServerInfo: (_, { live, identity }) =>
    ok({
      rpcApiVersion: 1,
      rpcApiRevision: 0,
      serverVersion: identity.version,
      networkId: live.ledger.network.id,
      hasUtxoIndex: true,
      isSynced: true,
      virtualDaaScore: live.ledger.expected.virtualDaaScore(),
    }),

  getInfo: (_, { live, identity }) =>
    ok({
      p2pId: identity.p2pId,
      mempoolSize: BigInt(live.ledger.expected.mempool().length),
      serverVersion: identity.version,
      isUtxoIndexed: true,
      isSynced: true,
      hasNotifyCommand: true,
      hasMessageId: true,
    }),

  getSyncStatus: () => ok({ isSynced: true }),

  getCurrentNetwork: (_, context) => ok({ network: networkType(context) }),

  getSystemInfo: (_, { identity, machine }) =>
    ok({
      version: `v${identity.version}`,
      systemId: identity.systemId,
      cpuPhysicalCores: 1,
      totalMemory: BigInt(machine.totalMemory()),
      fdLimit: FILE_LIMIT,
    }),
} as const satisfies Partial<Handlers>
