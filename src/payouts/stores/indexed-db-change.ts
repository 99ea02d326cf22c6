import { toPromise, type OpenStores } from '../../platform/indexed-database.js'
import { JournalRows } from '../../streams/payouts/journal-rows.js'
import type { JournalChange, JournalScope, OutpointClaim } from '../../streams/payouts/journal.js'
import {
  findGroup,
  get,
  readWallet,
  toGroupRow,
  toPayoutRow,
  type ClaimRow,
  type GroupRow,
  type PayoutRow,
  type WalletRow,
} from './indexed-db-rows.js'

/** Writes a change whole, or resolves to false with nothing written: under the rules of `JournalRows`. */
export async function writeRows(stores: OpenStores, scope: JournalScope, change: JournalChange): Promise<boolean> {
  const rows = await loadRows(stores, scope, change)
  if (!rows.accepts(change)) return false
  rows.apply(change)
  const { network, name } = scope
  const put = async (store: string, row: object): Promise<unknown> => toPromise(stores(store).put(row))
  const claims = change.newAttempt?.claims ?? []
  const { released = [], reclaimed = [] } = change
  const claimOf = ({ outpoint }: OutpointClaim) => get<ClaimRow>(stores('claims'), [network, outpoint])
  const release = async (claim: OutpointClaim): Promise<void> => {
    if ((await claimOf(claim))?.group === claim.group)
      await toPromise(stores('claims').delete([network, claim.outpoint]))
  }
  const reclaim = async (claim: OutpointClaim): Promise<void> => {
    if ((await claimOf(claim)) === undefined)
      await put('claims', { network, wallet: name, ...claim } satisfies ClaimRow)
  }
  const events = (change.payouts ?? []).flatMap(({ id, events: each }) => each.map((event) => ({ id, event })))
  await Promise.all([
    ...rows.groups.map((group) => put('groups', toGroupRow(scope, group))),
    ...claims.map((outpoint) =>
      put('claims', { network, wallet: name, outpoint, group: change.newAttempt?.group ?? '' } satisfies ClaimRow),
    ),
    ...released.map(release),
    ...reclaimed.map(reclaim),
    ...[...rows.payouts.values()].map((payout) => put('payouts', toPayoutRow(scope, payout))),
    ...(changesWallet(change) ? [put('wallets', { network, wallet: name, ...rows.wallet } satisfies WalletRow)] : []),
    ...events.map((event) => put('events', { network, wallet: name, ...event, at: Date.now() })),
  ])
  return true
}

const changesWallet = ({ cursor, isOnHold, debits = [] }: JournalChange): boolean =>
  cursor !== undefined || isOnHold !== undefined || debits.length > 0

/** The rows that a change concerns. */
async function loadRows(
  stores: OpenStores,
  scope: JournalScope,
  { payouts = [], groups = [], attempts = [], replies = [], newAttempt }: JournalChange,
): Promise<JournalRows> {
  const rows = new JournalRows()
  rows.wallet = await readWallet(stores, scope)
  const ids = [...groups.map(({ id }) => id), ...(newAttempt === undefined ? [] : [newAttempt.group])]
  const transactions = [...attempts, ...replies, ...(newAttempt === undefined ? [] : [newAttempt.attempt])]
  const found = await Promise.all([
    ...ids.map(async (id) => get<GroupRow>(stores('groups'), [scope.network, id])),
    ...transactions.map(({ transactionId }) => findGroup(stores, scope, transactionId)),
  ])
  for (const row of found) if (row !== undefined) rows.load([{ ...row.group, payouts: [] }])
  const claims = newAttempt?.claims ?? []
  const known = await Promise.all(
    claims.map(async (outpoint) => get<ClaimRow>(stores('claims'), [scope.network, outpoint])),
  )
  for (const [at, outpoint] of claims.entries()) {
    const claim = known[at]
    if (claim !== undefined) rows.claims.set(outpoint, claim.group)
  }
  const records = await Promise.all(
    payouts.map(async ({ id }) => get<PayoutRow>(stores('payouts'), [scope.network, id])),
  )
  for (const row of records) if (row?.wallet === scope.name) rows.setPayout(row.record)
  return rows
}
