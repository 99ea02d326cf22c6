import type { DatabaseSchema } from '../../platform/indexed-database.js'
import type { JournalScope, JournalWallet, PayoutGroup, PayoutRecord } from '../../streams/payouts/journal.js'

/** The network and the wallet of a row: both begin the keys, so that one database has several. */
interface RowScope {
  readonly network: string
  readonly wallet: string
}

/** The fields beside the record are those of indexes: a bigint is no key. */
export interface PayoutRow extends RowScope {
  readonly id: string
  readonly sequence: number
  readonly state: string
  readonly group: string | null
  readonly record: PayoutRecord
}

export interface GroupRow extends RowScope {
  readonly id: string
  readonly state: string
  /** The ids of its attempts. */
  readonly transactions: readonly string[]
  /** The highest blue score at which the chain has changed it; absent where it has not. */
  readonly top?: number
  /** Present where a replacement was requested. */
  readonly bumped?: 1
  readonly group: Omit<PayoutGroup, 'payouts'>
}

export interface ClaimRow extends RowScope {
  readonly outpoint: string
  readonly group: string
}

export type WalletRow = RowScope & JournalWallet

/** Version 1. A later one needs a higher number, so that this release refuses it. */
export const toSchema = (name: string): DatabaseSchema => ({
  name: `vue-chain/payouts/${name}`,
  version: 1,
  durability: 'strict',
  create(database) {
    const payouts = database.createObjectStore('payouts', { keyPath: ['network', 'id'] })
    payouts.createIndex('sequence', ['network', 'wallet', 'sequence'])
    payouts.createIndex('state', ['network', 'wallet', 'state', 'sequence'])
    payouts.createIndex('group', ['network', 'group'])
    const groups = database.createObjectStore('groups', { keyPath: ['network', 'id'] })
    groups.createIndex('state', ['network', 'wallet', 'state'])
    groups.createIndex('top', ['network', 'wallet', 'top'])
    groups.createIndex('bumped', ['network', 'wallet', 'bumped'])
    groups.createIndex('transactions', 'transactions', { multiEntry: true })
    database.createObjectStore('claims', { keyPath: ['network', 'outpoint'] })
    database.createObjectStore('wallets', { keyPath: ['network', 'wallet'] })
    database.createObjectStore('events', { keyPath: 'number', autoIncrement: true })
  },
})

export const toPayoutRow = (scope: JournalScope, record: PayoutRecord): PayoutRow => ({
  network: scope.network,
  wallet: scope.name,
  id: record.id,
  sequence: Number(record.sequence),
  state: record.progress.state,
  group: record.group,
  record,
})

export function toGroupRow(scope: JournalScope, { payouts: _, ...group }: PayoutGroup): GroupRow {
  const { attempts, conflicts, state, bumpRate } = group
  const scores = [
    ...attempts.flatMap(({ acceptedBlueScore }) => acceptedBlueScore ?? []),
    ...conflicts.map(({ blueScore }) => blueScore),
  ]
  return {
    network: scope.network,
    wallet: scope.name,
    id: group.id,
    state,
    transactions: attempts.map(({ transactionId }) => transactionId),
    ...(scores.length > 0 && { top: Math.max(...scores.map(Number)) }),
    ...(state === 'open' && bumpRate !== null && { bumped: 1 }),
    group,
  }
}
