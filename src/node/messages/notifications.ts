import type { Fields, Struct } from './shape.js'
import { block } from './blocks.js'
import { utxoEntry, virtualChainChange } from './transactions.js'

/** A notification that a client can subscribe to. */
export interface NotificationEntry {
  /** The code of the operation that carries it. */
  readonly op: number
  /** The number of its scope, and of its variant in a notification's body. */
  readonly variant: number
  /** The wire name. The operation's name is the same in camelCase, with the suffix `Notification`. */
  readonly name: string
  /** The fields of a subscription. */
  readonly scope: Fields
  readonly data: Struct
}

/** Every notification of the node, by event name. */
export const notifications = {
  'block-added': {
    op: 60,
    variant: 0,
    name: 'BlockAdded',
    scope: {},
    data: { tag: 'u16', fields: { block: { box: block } } },
  },
  'virtual-chain-changed': {
    op: 61,
    variant: 1,
    name: 'VirtualChainChanged',
    scope: { includeAcceptedTransactionIds: { named: ['include_accepted_transaction_ids'], is: 'bool' } },
    data: virtualChainChange,
  },
  'finality-conflict': {
    op: 62,
    variant: 2,
    name: 'FinalityConflict',
    scope: {},
    data: { tag: 'u16', fields: { violatingBlockHash: 'hash' } },
  },
  'finality-conflict-resolved': {
    op: 63,
    variant: 3,
    name: 'FinalityConflictResolved',
    scope: {},
    data: { tag: 'u16', fields: { finalityBlockHash: 'hash' } },
  },
  'utxos-changed': {
    op: 64,
    variant: 4,
    name: 'UtxosChanged',
    scope: { addresses: { vec: 'address' } },
    data: { tag: 'u16', fields: { added: { boxvec: utxoEntry }, removed: { boxvec: utxoEntry } } },
  },
  'sink-blue-score-changed': {
    op: 65,
    variant: 5,
    name: 'SinkBlueScoreChanged',
    scope: {},
    data: { tag: 'u16', fields: { sinkBlueScore: 'score' } },
  },
  'virtual-daa-score-changed': {
    op: 66,
    variant: 6,
    name: 'VirtualDaaScoreChanged',
    scope: {},
    data: { tag: 'u16', fields: { virtualDaaScore: 'score' } },
  },
  'pruning-point-utxo-set-override': {
    op: 67,
    variant: 7,
    name: 'PruningPointUtxoSetOverride',
    scope: {},
    data: { tag: 'u16', fields: {} },
  },
  'new-block-template': {
    op: 68,
    variant: 8,
    name: 'NewBlockTemplate',
    scope: {},
    data: { tag: 'u16', fields: {} },
  },
} as const satisfies Record<string, NotificationEntry>
