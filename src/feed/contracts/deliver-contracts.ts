import { Subscription } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import { onAbort } from '../../loading/abortable.js'
import { tipScoreOf } from '../../model/chain-cursor/cursor.js'
import type { ContractRow } from '../../model/contracts/rows.js'
import type { ChainLogger } from '../../platform/port.js'
import type { FollowChainOptions } from '../../streams/chain/options.js'
import type { ContractBatch, ContractBatches } from '../../streams/contracts/follow-contracts.js'
import { logProblem, type FeedEvent } from '../status.js'
import type { ContractSession, StoredContracts } from './contract-store.js'
import type { Programs } from './output-rows.js'
import type { Contract } from '../../model/contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../../model/covenant-id.js'

interface DeliveryContext extends Pick<FollowChainOptions, 'from' | 'minConfirmations'> {
  readonly contracts: FollowedContracts
  readonly instances: readonly ContractFeedInstance[]
  readonly programs: Programs
  readonly signal: AbortSignal
  readonly emit: (event: FeedEvent) => void
  /** Called with the blue score up to which nothing is missing. */
  readonly onPosition: (blueScore: bigint | null) => void
  readonly logger: ChainLogger
}

/** Delivers in one session, which it closes. Rejects when the following or the session ends. */
export async function deliverContracts(session: ContractSession, context: DeliveryContext): Promise<void> {
  const controller = new AbortController() // ends the iteration, also where the session is lost
  const lifetime = new Subscription(onAbort(context.signal, () => controller.abort(context.signal.reason)))
  let failure: { readonly error: unknown } | undefined
  session.dropped.catch((error: unknown) => {
    failure ??= { error }
    controller.abort(error)
  })
  lifetime.add(session.heartbeat$.subscribe((state) => context.emit({ type: 'heartbeat', state })))
  try {
    await deliver(session, context, controller.signal)
  } catch (error) {
    throw failure === undefined ? error : failure.error
  } finally {
    lifetime.unsubscribe()
    await session.close()
  }
}

async function deliver(session: ContractSession, context: DeliveryContext, signal: AbortSignal): Promise<void> {
  const { contracts, instances, programs, from, minConfirmations, emit, onPosition, logger } = context
  const { stored } = session
  if (stored !== undefined) requireSame(stored, programs)
  const blueScore = stored === undefined ? null : tipScoreOf(stored.cursor)
  onPosition(blueScore)
  emit({ type: 'opened', blueScore, watched: programs.size })
  const batches = contracts.follow({
    instances: instances.map((instance) => ({ ...instance, snapshot: rowsOf(instance, stored) })),
    minConfirmations,
    signal,
    onProblem: (problem) => {
      logProblem(logger, problem)
      emit({ type: 'chain-problem', problem })
    },
    ...(stored === undefined ? { from } : { cursor: stored.cursor }),
  })
  const isDue = createIsDue(session.positionInterval)
  for await (const batch of batches) {
    const incomplete = [...new Set([...(stored?.incomplete ?? []), ...batch.incomplete])]
    const isWritten = isDue(batch)
    if (isWritten) await session.write({ ...batch, incomplete })
    onPosition(tipScoreOf(batch.cursor))
    if (isWritten) emit(toStored(batch, programs.size))
  }
}

/** Whether a batch changes something, or the time has come to store its position. */
function createIsDue(interval: number): (batch: ContractBatch) => boolean {
  let before: ContractBatch | undefined
  let storedAt = 0
  return (batch) => {
    const { rollback, rows, isLive, incomplete } = batch
    const isChange = before?.isLive !== isLive || before.incomplete.length !== incomplete.length
    const isOver = Math.abs(Date.now() - storedAt) >= interval // also after the clock was set back
    before = batch
    if (rollback === null && rows.length === 0 && !isChange && !isOver) return false
    storedAt = Date.now()
    return true
  }
}

const toStored = ({ cursor, isLive, rollback, rows }: ContractBatch, watched: number): FeedEvent => ({
  type: 'stored',
  blueScore: tipScoreOf(cursor),
  isLive,
  transfers: rows.length,
  isRollback: rollback !== null,
  watched,
})

const rowsOf = (
  { contract, genesis }: ContractFeedInstance,
  stored: StoredContracts | undefined,
): readonly ContractRow[] | undefined => stored?.rows.filter(({ covenantId }) => covenantId === idOf(contract, genesis))

function requireSame({ covenants }: StoredContracts, programs: Programs): void {
  if (covenants.length === programs.size && covenants.every((id) => programs.has(id))) return
  throw invalidArgument(
    'instances',
    'The schema or stream has the outputs of other contracts',
    'A cursor belongs to its contracts: follow these into another one.',
  )
}

/** A contract that is followed by a feed. */
export interface ContractFeedInstance {
  readonly contract: { readonly templateHash: string }
  readonly genesis: GenesisRecord<unknown>
}

/** What `createContracts` of `vue-chain/contracts` returns. */
export interface FollowedContracts {
  follow(
    options: Omit<FollowChainOptions, 'detail'> & {
      readonly instances: readonly (ContractFeedInstance & { readonly snapshot?: readonly ContractRow[] | undefined })[]
    },
  ): ContractBatches
}

/** The covenant of an instance. */
export const idOf = (contract: ContractFeedInstance['contract'], genesis: GenesisRecord<unknown>): string =>
  covenantIdOfGenesis(contract as Contract, genesis as never)
