import { ChainRpcError } from '../errors/rpc-error.js'
import { toAddress } from '../model/address.js'
import { NETWORKS } from '../model/network.js'
import { parseReply } from '../model/submission-reply.js'
import { toOutpoint, toOutpointKey, type OutpointKey } from '../model/utxo.js'
import type { ChainLogger } from '../platform/port.js'
import type { GroupConflict, PayoutGroup } from '../streams/payouts/journal.js'
import type { CheckedOptions } from './options.js'
import { spentEntries } from './plan-payment.js'
import type { QueueNode } from './queue-node.js'
import type { Submitter } from './submitter.js'
import type { WorkingRows } from './working-rows.js'

export interface MissingInputsContext {
  readonly node: QueueNode
  readonly rows: WorkingRows
  readonly options: CheckedOptions
  readonly submitter: Pick<Submitter, 'relayedFor'>
  readonly logger: ChainLogger
  readonly signal: AbortSignal
}

/** Sinks of the first and of the last look that did not find an output, in blue score. */
interface Absence {
  readonly first: bigint
  readonly last: bigint
}

/**
 * Finds inputs of payments that the chain has no longer, because a reorg has undone the transactions that made them: a
 * payment without an input is accepted by no block. An output counts as missing once looks over `minConfirmations`
 * blocks have not found it, and the chain up to the last of them has accepted no attempt of the payment. Then it is
 * stored as a conflict of the group, until the chain has its transaction again (`docs/payouts.md`).
 */
export class MissingInputs {
  /** Where the chain was read up to, where that is its end. */
  #live: bigint | undefined
  /** By group and outpoint. */
  readonly #absent = new Map<string, ReadonlyMap<OutpointKey, Absence>>()
  /** By the monotonic clock. */
  #lookedAt = -Infinity

  constructor(private readonly context: MissingInputsContext) {}

  /** The chain was read up to a blue score. A reorg may have brought outputs back: all looks begin again. */
  follow({ blueScore, isLive, isRollback }: { blueScore: bigint; isLive: boolean; isRollback: boolean }): void {
    this.#live = isLive ? blueScore : undefined
    if (isRollback) this.#absent.clear()
  }

  /** Nothing is looked for until the chain goes on. */
  pause(): void {
    this.#live = undefined
  }

  /** Looks for the inputs of payments that no node takes, or no block; where there are none, without a call. */
  async look(): Promise<void> {
    const { rows, options } = this.context
    const position = this.#live
    if (position === undefined || performance.now() - this.#lookedAt < options.submitInterval) return
    const suspects = rows.groups.filter((group) => this.#isSuspect(group))
    for (const id of this.#absent.keys()) if (suspects.every((group) => group.id !== id)) this.#absent.delete(id)
    if (suspects.length === 0) return
    this.#lookedAt = performance.now()
    const found = await this.#readUtxos()
    if (found === undefined || found.sink < position) return // a node that is behind lacks newer outputs
    for (const { id } of suspects) await this.#note(id, found, position)
  }

  async #note(id: string, { outpoints, sink }: Found, position: bigint): Promise<void> {
    const { rows, options, logger } = this.context
    const group = rows.group(id)
    if (group === undefined || !isOpen(group)) return
    const known = this.#absent.get(id)
    const absent = this.#inputsOf(group).filter((outpoint) => !outpoints.has(outpoint))
    const missing = absent.flatMap((outpoint): readonly GroupConflict[] => {
      const { first, last } = known?.get(outpoint) ?? { first: sink, last: sink }
      const isProven = known?.has(outpoint) === true && position >= last && last - first >= options.minConfirmations
      const { transactionId } = toOutpoint(outpoint)
      return isProven ? [{ outpoint, transactionId, blueScore: first, isMissing: true }] : []
    })
    this.#absent.set(
      id,
      new Map(absent.map((outpoint) => [outpoint, { first: known?.get(outpoint)?.first ?? sink, last: sink }])),
    )
    if (missing.length === 0) return
    logger.error('A reorg has undone what a payment spends', {
      group: id,
      missing: missing.map((each) => each.outpoint),
    })
    await rows.write(() => {
      const current = rows.group(id)
      if (current === undefined || !isOpen(current)) return undefined
      const { version, state, bumpRate, conflicts } = current
      return { groups: [{ id, version, state, bumpRate, conflicts: [...conflicts, ...missing] }] }
    })
  }

  /** Whether no node takes it, or no block in the time after which it would be replaced. */
  #isSuspect(group: PayoutGroup): boolean {
    const { submitter, options } = this.context
    return (
      isOpen(group) &&
      (group.attempts.every(({ outcome, lastResponse }) => outcome === 'unknown' && isOrphan(lastResponse)) ||
        submitter.relayedFor(group) >= options.fee.bumpAfter)
    )
  }

  /** Its inputs of addresses that are read, apart from known conflicts, and from outputs of own payments. */
  #inputsOf({ attempts, conflicts }: PayoutGroup): readonly OutpointKey[] {
    const { rows, node, options } = this.context
    const { addressPrefix } = NETWORKS[node.network]
    const inputs = attempts.flatMap(spentEntries).filter(({ outpoint, scriptPublicKey }) => {
      const isRead = options.addresses.includes(toAddress(scriptPublicKey, addressPrefix) ?? '')
      return isRead && !rows.isAttempt(outpoint.transactionId) // those of open payments end with them
    })
    const keys = new Set(inputs.map(({ outpoint }) => toOutpointKey(outpoint)))
    for (const { outpoint } of conflicts) keys.delete(outpoint)
    return [...keys]
  }

  /** The UTXOs of the addresses, and the sink after that; undefined where the node does not reply. */
  async #readUtxos(): Promise<Found | undefined> {
    const { node, logger, signal } = this.context
    try {
      const outpoints = await node.outpoints(signal)
      return { outpoints, sink: await node.sinkBlueScore(signal) }
    } catch (error) {
      if (signal.aborted || !(error instanceof ChainRpcError)) throw error
      logger.warn('The node did not reply', { error })
      return undefined
    }
  }
}

interface Found {
  readonly outpoints: ReadonlySet<OutpointKey>
  readonly sink: bigint
}

const isOpen = ({ state, attempts }: PayoutGroup): boolean =>
  state === 'open' && attempts.every(({ acceptedBlueScore }) => acceptedBlueScore === null)

const isOrphan = (response: string | null): boolean => response !== null && parseReply(response).reason === 'orphan'
