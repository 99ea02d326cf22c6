import type { ChainEngine } from '../engine/engine.js'
import { withPauses } from '../loading/pause.js'
import { toAddress } from '../model/address.js'
import { tipScoreOf } from '../model/chain-cursor/cursor.js'
import { NETWORKS } from '../model/network.js'
import { decideStep, hasDebit, toDebits } from '../streams/payouts/decide-step.js'
import type { JournalChange } from '../streams/payouts/journal.js'
import type { StoredCredit } from '../streams/transfers/known-outputs.js'
import type { TransferBatch, TransferTransaction } from '../streams/transfers/transfer.js'
import type { CheckedOptions } from './options.js'
import type { Debit, QueueNode } from './queue-node.js'
import { spentEntries } from './plan-payment.js'
import type { WorkingRows } from './working-rows.js'

/** Positions of steps that change nothing are stored at most this often, in ms, and after that time without a step. */
const POSITION_INTERVAL = 1_000

export interface FollowerContext {
  readonly engine: ChainEngine
  readonly node: QueueNode
  readonly rows: WorkingRows
  readonly options: CheckedOptions
  readonly signal: AbortSignal
  /** Called after each step: what it has changed, and where the chain was read up to. */
  readonly onStep: (step: FollowedStep) => void
  /** Called while the node's chain does not reach the stored position. */
  readonly onBehind: () => void
}

export interface FollowedStep extends StoredStep {
  readonly blueScore: bigint
  readonly isLive: boolean
}

export interface StoredStep {
  /** Undefined where nothing was written. */
  readonly change: JournalChange | undefined
  /** When the payouts were requested that it has settled, Unix ms. */
  readonly settled: readonly number[]
  /** Whether a reorg has undone blocks. */
  readonly isRollback: boolean
}

/**
 * Follows the transfers of the addresses and stores what they change, until the signal aborts. Rejects as
 * `followTransfers` does.
 */
export async function followPayments(context: FollowerContext): Promise<void> {
  const { engine, rows, options, signal, onBehind } = context
  const { cursor } = rows.wallet
  const batches = engine.followTransfers({
    addresses: options.addresses,
    ...(cursor !== null && { cursor }),
    onProblem: onBehind,
    findCredits: () => creditsOf(context),
    signal,
  })
  let storedAt = -Infinity
  let unstored: string | undefined // the position of the latest step, where that is not stored
  for await (const batch of withPauses(batches, POSITION_INTERVAL)) {
    if (batch === undefined) {
      if (unstored !== undefined) await rows.moveTo(unstored)
      unstored = undefined
      continue
    }
    const blueScore = tipScoreOf(batch.cursor)
    const isDue = performance.now() - storedAt >= POSITION_INTERVAL
    const { minConfirmations } = options
    const stored = await storeStep(batch, rows, { minConfirmations, isDue })
    unstored = stored.change === undefined ? batch.cursor : undefined
    if (unstored === undefined) storedAt = performance.now()
    context.onStep({ ...stored, blueScore, isLive: batch.isLive })
  }
}

export interface StepSettings {
  /** How deep a block must be below the position, in blue score, until its payments are settled. */
  readonly minConfirmations: number
  /** Whether it is written where it changes no rows. */
  readonly isDue: boolean
  /** How it is written, by default on its own. */
  readonly store?: (change: JournalChange) => Promise<boolean>
}

/** Writes what a step of the chain changes, with its position. Rejects as `WorkingRows.write` does. */
export async function storeStep(
  batch: Pick<TransferBatch, 'cursor' | 'rollback' | 'transactions'>,
  rows: WorkingRows,
  { minConfirmations, isDue, store }: StepSettings,
): Promise<StoredStep> {
  const blueScore = tipScoreOf(batch.cursor)
  let settled: readonly number[] = []
  const decide = async (): Promise<JournalChange | undefined> => {
    if (batch.rollback !== null)
      rows.add(await rows.session.groups({ of: 'above', blueScore: batch.rollback.blueScore }))
    const unknown = batch.transactions.filter((each) => hasDebit(each) && !rows.isAttempt(each.transactionId))
    const ids = unknown.map(({ transactionId }) => transactionId)
    if (ids.length > 0) rows.add(await rows.session.groups({ of: 'transactions', ids }))
    const decided = decideStep({
      batch,
      blueScore,
      from: rows.wallet.cursor,
      minConfirmations,
      groups: rows.groups,
      recipients: await findRecipients(unknown.map(toDebit), rows),
      debits: rows.wallet.debits,
    })
    settled = requestsOf(decided, rows)
    return isDue || batch.rollback !== null || changesRows(decided) ? decided : undefined
  }
  const change = await rows.write(decide, [], store)
  return { change, settled, isRollback: batch.rollback !== null }
}

const requestsOf = ({ payouts = [] }: JournalChange, rows: WorkingRows): readonly number[] =>
  payouts
    .filter(({ events }) => events.some(({ type }) => type === 'settled'))
    .flatMap(({ id }) => rows.payout(id)?.requestedAt ?? [])

const changesRows = ({ payouts = [], groups = [], attempts = [], debits = [], cursor }: JournalChange): boolean =>
  payouts.length + groups.length + attempts.length + debits.length > 0 || cursor?.from === null

/** The payouts that a foreign debit may have paid: the latest ones to its recipients. */
async function findRecipients(
  foreign: readonly Debit[],
  { session }: WorkingRows,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const payoutsTo = new Map<string, readonly string[]>()
  for (const { transactionId, recipients } of foreign) {
    const addresses = [...new Set(recipients)]
    const payouts =
      addresses.length === 0 ? [] : await session.list({ addresses, isNewestFirst: true, limit: MAX_NAMED })
    payoutsTo.set(
      transactionId,
      payouts.map(({ id }) => id),
    )
  }
  return payoutsTo
}

const toDebit = ({ transactionId, transfers }: TransferTransaction): Debit => ({
  transactionId,
  recipients: transfers.flatMap(({ counterparties }) => counterparties),
})

/** Payouts that an error names, at most. */
const MAX_NAMED = 100

/** What the open groups spend: in the rare block that is read without the spent outputs. */
export function* creditsOf({ rows, node }: Pick<FollowerContext, 'rows' | 'node'>): Generator<StoredCredit> {
  const { addressPrefix } = NETWORKS[node.network]
  for (const { attempts } of rows.groups)
    for (const attempt of attempts)
      for (const { outpoint, amount, scriptPublicKey } of spentEntries(attempt)) {
        const address = toAddress(scriptPublicKey, addressPrefix)
        if (address !== undefined) yield { outpoint, amount, address }
      }
}

/** Reads the mempool of the addresses once: a transaction there that is no attempt is somebody else's. */
export async function readMempool({
  node,
  rows,
  signal,
}: Pick<FollowerContext, 'node' | 'rows' | 'signal'>): Promise<void> {
  const unknown = (await node.mempoolDebits(signal)).filter(({ transactionId }) => !rows.isAttempt(transactionId))
  const ids = unknown.map(({ transactionId }) => transactionId)
  const known = ids.length === 0 ? [] : await rows.session.groups({ of: 'transactions', ids })
  const attempts = new Set(known.flatMap((group) => group.attempts.map(({ transactionId }) => transactionId)))
  const foreign = unknown.filter(({ transactionId }) => !attempts.has(transactionId))
  const recipients = await findRecipients(foreign, rows)
  await rows.write(() => {
    const debits = toDebits([...recipients.keys()], { recipients, debits: rows.wallet.debits })
    return debits.length === 0 ? undefined : { debits }
  })
}
