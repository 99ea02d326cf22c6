import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type { TransferBatch, TransferTransaction } from '../transfers/transfer.js'
import { GroupChanges } from './group-changes.js'
import type { ForeignDebit, JournalChange, PayoutGroup } from './journal.js'

/** A step of the chain, and what the journal has that it may change. */
export interface ChainStep {
  readonly batch: Pick<TransferBatch, 'cursor' | 'rollback' | 'transactions'>
  /** The blue score of the position after the batch. */
  readonly blueScore: bigint
  /** The position before it. */
  readonly from: string | null
  readonly minConfirmations: number
  /** All groups that are not settled, those of `batch.transactions`, and those that the rollback may change. */
  readonly groups: readonly PayoutGroup[]
  /** The payouts to recipients of foreign debits, by transaction. */
  readonly recipients: ReadonlyMap<string, readonly string[]>
  readonly debits: readonly ForeignDebit[]
}

/** What a step of the chain changes: rows and cursor together. */
export function decideStep(step: ChainStep): JournalChange {
  const { batch, blueScore, from, minConfirmations } = step
  const changes = step.groups.map((group) => new GroupChanges(group))
  if (batch.rollback !== null) for (const each of changes) each.rollBack(batch.rollback.blueScore)
  const foreign = applyTransactions(step, changes)
  propagateConflicts(changes)
  for (const each of changes) each.settle(blueScore, minConfirmations)
  const parts = changes.map((each) => each.toChange())
  return {
    payouts: parts.flatMap(({ payouts }) => payouts),
    groups: parts.flatMap(({ groups }) => groups),
    attempts: parts.flatMap(({ attempts }) => attempts),
    released: parts.flatMap(({ released }) => released),
    reclaimed: parts.flatMap(({ reclaimed }) => reclaimed),
    cursor: { from, to: batch.cursor },
    debits: toDebits(foreign, step),
  }
}

/** Accepts the attempts among the transactions; returns the debits by others. */
function applyTransactions({ batch, groups }: ChainStep, changes: readonly GroupChanges[]): readonly string[] {
  const byAttempt = new Map<string, GroupChanges>()
  /** Two groups spend one output where a reorg has revived a replacement whose claim had ended. */
  const byInput = new Map<OutpointKey, Set<GroupChanges>>()
  for (const [at, { attempts }] of groups.entries()) {
    const change = changes[at]
    if (change === undefined) continue
    for (const { transactionId, signed } of attempts) {
      byAttempt.set(transactionId, change)
      for (const { previousOutpoint } of signed.inputs) {
        const key = toOutpointKey(previousOutpoint)
        byInput.set(key, (byInput.get(key) ?? new Set()).add(change))
      }
    }
  }
  const missing = new Set(
    groups.flatMap(({ conflicts }) =>
      conflicts.filter(({ isMissing }) => isMissing === true).map(({ transactionId }) => transactionId),
    ),
  )
  const foreign: string[] = []
  for (const { transactionId, transfers: given } of batch.transactions) {
    const own = byAttempt.get(transactionId)
    const transfers = given.filter(({ isOpening }) => !isOpening) // older outputs, with the score of the opening
    const [first] = transfers
    if (first === undefined) continue
    if (missing.has(transactionId)) for (const each of changes) each.recover(transactionId)
    if (own !== undefined) own.accept(transactionId, first.acceptingBlueScore, first.acceptingBlockHash)
    const debits = transfers.filter(({ direction }) => direction === 'debit')
    if (own === undefined && debits.length > 0) foreign.push(transactionId)
    for (const { outpoint, acceptingBlueScore } of debits) {
      const key = toOutpointKey(outpoint)
      for (const spent of byInput.get(key) ?? [])
        if (spent !== own) spent.conflictWith({ transactionId, blueScore: acceptingBlueScore, outpoint: key })
    }
  }
  return foreign
}

/** What makes a payment impossible makes those impossible that spend its change, and theirs. */
function propagateConflicts(changes: readonly GroupChanges[]): void {
  if (!changes.some(({ hasConflicts }) => hasConflicts)) return
  const byAttempt = new Map(
    changes.flatMap((change) => change.group.attempts.map(({ transactionId }) => [transactionId, change] as const)),
  )
  const propagate = (change: GroupChanges): boolean => {
    let isNew = false
    const inputs = change.group.attempts.flatMap(({ signed }) => signed.inputs)
    for (const { previousOutpoint } of inputs) {
      const parent = byAttempt.get(previousOutpoint.transactionId)
      for (const conflict of parent?.conflictsOf(previousOutpoint.transactionId) ?? [])
        isNew = change.conflictWith({ ...conflict, outpoint: toOutpointKey(previousOutpoint) }) || isNew
    }
    return isNew
  }
  let isNew: boolean
  do isNew = changes.filter(propagate).length > 0
  while (isNew)
}

/** Debits that are not known yet. */
export const toDebits = (
  foreign: readonly string[],
  { recipients, debits }: Pick<ChainStep, 'recipients' | 'debits'>,
): readonly ForeignDebit[] =>
  foreign
    .filter((transactionId) => debits.every((known) => known.transactionId !== transactionId))
    .map((transactionId) => ({ transactionId, isAcknowledged: false, ids: recipients.get(transactionId) ?? [] }))

/** Whether a transaction spends from a paying address. */
export const hasDebit = ({ transfers }: TransferTransaction): boolean =>
  transfers.some(({ direction }) => direction === 'debit')
