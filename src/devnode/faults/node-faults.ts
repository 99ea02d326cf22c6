import type { RpcMethod } from '../../node/messages/records.js'
import { textError } from '../../wrpc/wire-errors.js'
import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { FaultKind } from './fault.js'

/** The node reports that it is not synced, and rejects submitted blocks. */
export const notSynced: FaultKind<Record<string, never>> = {
  about: 'Reports that the node is not synced.',
  settings: {},
  create: (_, context) => ({
    transforms: {
      getServerInfo(info) {
        context.triggered()
        return { ...info, isSynced: false }
      },
      getInfo: (info) => ({ ...info, isSynced: false }),
      getSyncStatus: () => ({ isSynced: false }),
      getBlockTemplate: (template) => ({ ...template, isSynced: false }),
    },
    stubs: {
      submitBlock: () => ({ report: { type: 'reject', reason: 'isInIBD' } }),
    },
  }),
}

const NEEDS_INDEX: ReadonlySet<RpcMethod> = /*#__PURE__*/ new Set<RpcMethod>([
  'getUtxosByAddresses',
  'getBalanceByAddress',
  'getBalancesByAddresses',
  'getCoinSupply',
])

const UNAVAILABLE = 'Method unavailable. Run the node with the --utxoindex argument.'

/** The node reports no UTXO index, fails the methods that need it, and accepts subscriptions that never emit. */
export const noUtxoIndex: FaultKind<Record<string, never>> = {
  about: 'Runs without the UTXO index.',
  settings: {},
  create: (_, context) => ({
    call(method) {
      if (!NEEDS_INDEX.has(method)) return undefined
      context.triggered()
      return { kind: 'refuse', error: textError(UNAVAILABLE) }
    },
    transforms: {
      getServerInfo: (info) => ({ ...info, hasUtxoIndex: false }),
      getInfo: (info) => ({ ...info, isUtxoIndexed: false }),
    },
    notifications: (batch) => batch.filter(({ type }) => type !== 'utxos-changed'),
  }),
}

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

/** Stops interval mining, so that the DAA score does not advance. `mine()` still works. */
export const stall: FaultKind<Record<string, never>> = {
  about: 'Stops interval mining: the DAA score does not advance.',
  settings: {},
  create: (_, context) => ({
    begin() {
      context.pauseMining()
      context.triggered()
    },
    end: () => context.resumeMining(),
  }),
}

export type InjectBlockSettings = {
  /** Whether the notifications arrive just before a reply or just before the connection is cut. */
  readonly before: 'reply' | 'close'
  /** The method whose next call triggers it; empty: any. */
  readonly method: string
}

/** Mines a block so that its notifications arrive just before a reply, or before the connection is cut. */
export const injectBlock: FaultKind<InjectBlockSettings> = {
  about: 'Mines a block just before a reply, or just before it cuts the connection instead.',
  settings: { before: 'reply', method: '' },
  choices: { before: ['reply', 'close'] },
  times: 1,
  create({ before, method }, context) {
    const matches = (called: string): boolean => method === '' || called === method
    const mine = () => {
      context.triggered() // before mining: the block's own notifications pass through this fault, too
      context.mine()
    }
    if (before === 'close') {
      return {
        call(called) {
          if (!matches(called)) return undefined
          mine()
          return { kind: 'cut' }
        },
      }
    }
    return {
      outgoing(message) {
        if (message.replyTo !== undefined && matches(message.replyTo)) mine()
        return [message]
      },
    }
  },
}
