import { totalmem } from 'node:os'
import { answer, type CallContext, type Handlers } from './handler.js'

/** `mainnet`, `testnet`, `devnet` or `simnet`: the network's kind, without its number. */
const networkType = ({ live }: CallContext): string => live.ledger.network.id.replace(/-\d+$/, '')

/** A node without limits on files has none to tell; this is what a real one asks its system for. */
const FILE_LIMIT = 20_000

/** What the node says of itself. It is always in sync: nobody else is there to be in sync with. */
export const aboutNode = {
  ping: () => answer({}),

  getServerInfo: (_, { live, identity }) =>
    answer({
      rpcApiVersion: 1,
      rpcApiRevision: 0,
      serverVersion: identity.version,
      networkId: live.ledger.network.id,
      hasUtxoIndex: true,
      isSynced: true,
      virtualDaaScore: live.ledger.truth.virtualDaaScore(),
    }),

  getInfo: (_, { live, identity }) =>
    answer({
      p2pId: identity.p2pId,
      mempoolSize: BigInt(live.ledger.truth.mempool().length),
      serverVersion: identity.version,
      isUtxoIndexed: true,
      isSynced: true,
      hasNotifyCommand: true,
      hasMessageId: true,
    }),

  getSyncStatus: () => answer({ isSynced: true }),

  getCurrentNetwork: (_, context) => answer({ network: networkType(context) }),

  getSystemInfo: (_, { identity }) =>
    answer({
      version: `v${identity.version}`,
      systemId: identity.systemId,
      cpuPhysicalCores: 1,
      totalMemory: BigInt(totalmem()),
      fdLimit: FILE_LIMIT,
    }),
} as const satisfies Partial<Handlers>
