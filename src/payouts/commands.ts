import { PayoutError, type PayoutErrorOptions } from '../errors/payout-error.js'
import { decodeCursor } from '../model/chain-cursor/cursor.js'
import type { ChainNetwork } from '../model/network.js'
import { hasDescendants } from '../streams/payouts/change-chains.js'
import { outpointsOf, updatePayout } from '../streams/payouts/group-changes.js'
import type { JournalAccess, JournalChange, PayoutGroup, PayoutRecord, Pruned } from '../streams/payouts/journal.js'
import { ChainError, invalidArgument, refuseUnknown } from '../errors/chain-error.js'

/** The finality depth of the network in blue score, 12 hours: no reorg is deeper. */
const FINALITY = 432_000n

/** Rows of one statement: others wait for it. */
const BATCH = 1_000

/** How often a command is decided again from a row that has changed meanwhile. */
const MAX_ATTEMPTS = 20

/** What callers request of any instance; changes of single payouts are carried out by the one that works. */
export interface PayoutCommands {
  cancel(id: string): Promise<void>
  bump(id: string, feeRate: number): Promise<void>
  release(id: string, confirmations: number): Promise<void>
  acknowledge(transactionId: string): Promise<void>
  prune(options: { readonly olderThan: Date }): Promise<Pruned>
}

export function createCommands(
  journal: JournalAccess,
  { network, chainDepth }: { readonly network: ChainNetwork; readonly chainDepth: number },
): PayoutCommands {
  /** Throws where payments that are not settled spend the change of a group: a replacement makes them impossible. */
  const requireReplaceable = async (
    id: string,
    group: PayoutGroup,
    code: PayoutErrorOptions['code'],
  ): Promise<void> => {
    if (chainDepth === 0) return
    const open = await journal.groups({ of: 'open' })
    const claims = new Map(
      open.flatMap((each) => each.attempts.flatMap(outpointsOf).map((outpoint) => [outpoint, each.id])),
    )
    if (!hasDescendants(group, claims)) return
    throw failure(
      id,
      code,
      `Payments that are not settled spend the change of the payout "${id}"`,
      'A replacement would make them impossible (batch.chainDepth).',
    )
  }
  const groupOf = async (id: string | null): Promise<PayoutGroup | undefined> =>
    id === null ? undefined : (await journal.groups({ of: 'ids', ids: [id] }))[0]

  /** Writes what is decided from the current record; undefined where nothing is to be done. */
  const write = async (
    id: string,
    decide: (record: PayoutRecord) => JournalChange | undefined | Promise<JournalChange | undefined>,
  ): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const [record] = await journal.find([id])
      if (record === undefined) throw failure(id, 'not-found', `There is no payout "${id}"`)
      const change = await decide(record)
      if (change === undefined || (await journal.write(change))) return
    }
    throw failure(id, 'journal-unavailable', `The payout "${id}" changes too often`, 'Call again.')
  }

  return {
    cancel: (id) =>
      write(id, async (record) => {
        const { progress } = record
        const { state } = progress
        if (state === 'cancelling' || state === 'cancelled') return undefined
        if (progress.state === 'conflicting' && progress.isCancelling) return undefined
        const group = await groupOf(record.group)
        if (group?.state === 'open') await requireReplaceable(id, group, 'not-cancellable')
        const update = updatePayout(record, [{ type: 'cancel-requested' }])
        if (update !== undefined) return { payouts: [update] }
        throw failure(id, 'not-cancellable', `The payout "${id}" is ${state}`, 'The chain has its payment.')
      }),
    bump: (id, feeRate) =>
      write(id, async ({ group: of, progress }) => {
        const group = await groupOf(of)
        const isOpen = group?.state === 'open' && group.attempts.every((each) => each.acceptedBlueScore === null)
        if (group === undefined || !isOpen)
          throw failure(
            id,
            'not-replaceable',
            `The payout "${id}" is ${progress.state}`,
            'Only a payment that is signed and not accepted can be replaced.',
          )
        await requireReplaceable(id, group, 'not-replaceable')
        const { version, state, conflicts } = group
        return { groups: [{ id: group.id, version, state, conflicts, bumpRate: feeRate }] }
      }),
    release: (id, confirmations) =>
      write(id, async (record) => {
        const { progress } = record
        if (progress.state !== 'conflicting')
          throw failure(
            id,
            'not-releasable',
            `The payout "${id}" is ${progress.state}`,
            'Only a conflicting one can be paid by a new payment.',
          )
        const { cursor } = await journal.wallet()
        const depth = cursor === null ? 0n : decodeCursor(cursor, network).tip.blueScore - progress.blueScore
        if (depth < BigInt(confirmations))
          throw failure(
            id,
            'not-releasable',
            `The conflict of the payout "${id}" is ${depth} blocks deep, ${confirmations} are needed`,
            'Until then a reorg could revive its payment.',
          )
        const update = updatePayout(record, [{ type: 'released' }])
        return update && { payouts: [{ ...update, group: null }] }
      }),
    async acknowledge(transactionId) {
      const { debits } = await journal.wallet()
      const debit = debits.find((each) => each.transactionId === transactionId)
      if (debit === undefined)
        throw new PayoutError(`There is no foreign debit ${transactionId}`, { code: 'not-found', transactionId })
      await journal.write({ debits: [{ ...debit, isAcknowledged: true }] })
    },
    prune: (options) => prune(journal, network, options),
  }
}

const failure = (id: string, code: PayoutErrorOptions['code'], message: string, hint?: string): PayoutError =>
  new PayoutError(message, { code, ids: [id], hint })

/** Prunes batch by batch until nothing is due. */
async function prune(
  journal: JournalAccess,
  network: ChainNetwork,
  options: { readonly olderThan: Date },
): Promise<Pruned> {
  refuseUnknown(options, ['olderThan'])
  const { olderThan } = options
  if (!(olderThan instanceof Date) || !(olderThan.getTime() <= Date.now()))
    throw invalidArgument('olderThan', '"olderThan" must be a Date in the past')
  if (journal.prune === undefined) throw new ChainError('This journal keeps everything', { code: 'unsupported' })
  const { cursor } = await journal.wallet()
  const tip = cursor === null ? 0n : decodeCursor(cursor, network).tip.blueScore
  const query = { olderThan: olderThan.getTime(), blueScore: tip - FINALITY, limit: BATCH }
  let pruned: Pruned = { attempts: 0, events: 0 }
  for (;;) {
    const { attempts, events } = await journal.prune(query)
    pruned = { attempts: pruned.attempts + attempts, events: pruned.events + events }
    if (attempts < BATCH && events < BATCH) return pruned
  }
}
