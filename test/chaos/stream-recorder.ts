import { Subscription, type Observable } from 'rxjs'
import type { BlockInfo } from '../../src/model/block.js'
import type { AcceptanceChange, Gap } from '../../src/streams/acceptance/acceptance.js'

/** Records emitted values and contradictions between them. */
export interface StreamRecorder {
  /** Accepting block by transaction id. */
  readonly accepted: ReadonlyMap<string, string>
  /** Transactions accepted before a gap, in which they may have been reverted. */
  readonly uncertain: ReadonlySet<string>
  /** Block hashes in the order of emission. */
  readonly blocks: readonly string[]
  readonly gaps: readonly RecordedGap[]
  /** Number of changes by type. */
  readonly counts: Readonly<Record<AcceptanceChange['type'], number>>
  /** Duplicates and contradictions. */
  readonly doubled: readonly string[]
  unsubscribe(): void
}

/** A gap with the number of blocks emitted before it. */
export interface RecordedGap extends Gap {
  readonly blocksBefore: number
}

export interface RecordedStreams {
  readonly changes$: Observable<AcceptanceChange>
  readonly gaps$: Observable<Gap>
  readonly blocks$: Observable<BlockInfo>
}

export function createStreamRecorder({ changes$, gaps$, blocks$ }: RecordedStreams): StreamRecorder {
  const changes = createChangeRecorder()
  const blocks = createBlockList()
  const gaps: RecordedGap[] = []
  const subscriptions = new Subscription()
  subscriptions.add(
    gaps$.subscribe((gap) => {
      gaps.push({ ...gap, blocksBefore: blocks.inOrder.length })
      if (gap.stream === 'accepted-transactions') changes.markUncertain()
    }),
  )
  subscriptions.add(changes$.subscribe((change) => changes.record(change)))
  subscriptions.add(blocks$.subscribe(({ hash }) => blocks.record(hash)))
  return {
    accepted: changes.accepted,
    uncertain: changes.uncertain,
    counts: changes.counts,
    blocks: blocks.inOrder,
    gaps,
    get doubled() {
      return [...changes.contradictions, ...blocks.contradictions]
    },
    unsubscribe: () => subscriptions.unsubscribe(),
  }
}

/** Accepted transactions after each change, and contradictions. */
function createChangeRecorder() {
  const accepted = new Map<string, string>()
  const uncertain = new Set<string>()
  const undone = new Map<string, string>()
  const counts = { accepted: 0, reverted: 0, rollback: 0 }
  const contradictions: string[] = []

  /** Everything after a block is undone, also what is not emitted as reverted. */
  const rollBack = (hash: string): void => {
    const inOrder = [...accepted]
    const end = inOrder.map(([, block]) => block).lastIndexOf(hash)
    for (const [id, block] of inOrder.slice(end + 1)) {
      accepted.delete(id)
      undone.set(id, block)
    }
  }
  const record = (change: AcceptanceChange): void => {
    counts[change.type]++
    if (change.type === 'rollback') {
      rollBack(change.hash)
      return
    }
    const { type, transactionId, acceptingBlockHash } = change
    const known = accepted.get(transactionId) ?? (type === 'reverted' ? undone.get(transactionId) : undefined)
    undone.delete(transactionId)
    const isCertain = !uncertain.delete(transactionId)
    if (type === 'reverted') {
      accepted.delete(transactionId)
      if (known !== acceptingBlockHash)
        contradictions.push(`${transactionId} was reverted from ${acceptingBlockHash}, not ${known}`)
      return
    }
    accepted.set(transactionId, acceptingBlockHash)
    if (known !== undefined && isCertain)
      contradictions.push(`${transactionId} was accepted by ${known}, then by ${acceptingBlockHash}`)
  }
  const markUncertain = (): void => {
    for (const id of accepted.keys()) uncertain.add(id)
  }
  return { accepted, uncertain, counts, contradictions, record, markUncertain }
}

function createBlockList() {
  const known = new Set<string>()
  const inOrder: string[] = []
  const contradictions: string[] = []
  const record = (hash: string): void => {
    if (known.has(hash)) contradictions.push(`block ${hash} was added twice`)
    known.add(hash)
    inOrder.push(hash)
  }
  return { inOrder, contradictions, record }
}
