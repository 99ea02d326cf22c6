import { Subscription } from 'rxjs'
import type { Truth } from '../../src/devnode/index.js'
import type { BlockInfo } from '../../src/model/block-info.js'
import type { AcceptanceChange, AcceptedTransactionInfo, Gap } from '../../src/streams/acceptance/change.js'
import type { Observable } from 'rxjs'

/** A listener's book-keeping: what it was told of the chain, and what made no sense to it. */
export interface Witness {
  /** Accepting block by transaction id, as told. */
  readonly accepted: ReadonlyMap<string, string>
  readonly gaps: readonly Gap[]
  /** How many changes it was told of. */
  readonly told: Readonly<Record<AcceptanceChange['type'], number>>
  /** What was said twice, in words. */
  readonly doubled: readonly string[]
  leave(): void
}

export interface Heard {
  readonly changes$: Observable<AcceptanceChange>
  readonly gaps$: Observable<Gap>
  readonly blocks$: Observable<BlockInfo>
}

/** Listens from now on. */
export function createWitness({ changes$, gaps$, blocks$ }: Heard): Witness {
  const accepted = new Map<string, string>()
  const gaps: Gap[] = []
  const told = { accepted: 0, reverted: 0 }
  const doubled: string[] = []
  const blocks = new Set<string>()
  const listening = new Subscription()
  listening.add(gaps$.subscribe((gap) => gaps.push(gap)))
  listening.add(
    changes$.subscribe((change) => {
      told[change.type]++
      doubled.push(...keepBooks(accepted, change))
    }),
  )
  listening.add(
    blocks$.subscribe(({ hash }) => {
      if (blocks.has(hash)) doubled.push(`block ${hash} was added twice`)
      blocks.add(hash)
    }),
  )
  return { accepted, gaps, told, doubled, leave: () => listening.unsubscribe() }
}

/** Writes a change down; objections to it in words. */
function keepBooks(
  accepted: Map<string, string>,
  { type, transactionId, acceptingBlockHash }: AcceptanceChange,
): string[] {
  const known = accepted.get(transactionId)
  if (type === 'accepted') {
    accepted.set(transactionId, acceptingBlockHash)
    return known === undefined ? [] : [`${transactionId} was accepted by ${known}, then by ${acceptingBlockHash}`]
  }
  accepted.delete(transactionId)
  return known === acceptingBlockHash
    ? []
    : [`${transactionId} was taken back from ${acceptingBlockHash}, not ${known}`]
}

/** What the chain after `baseline` accepts and the witness does not know, or the other way round; declared gaps aside. */
export function missing(witness: Witness, truth: Truth, baseline: string): readonly string[] {
  const blocks = truth.accepted()
  const place = (hash: string | null): number => blocks.findIndex((block) => block.acceptingBlockHash === hash)
  const isDeclared = (at: number): boolean => witness.gaps.some(({ from, to }) => place(from) < at && at <= place(to))
  const told = new Map(witness.accepted)
  const lost: string[] = []
  for (const [at, { acceptingBlockHash, acceptedTransactionIds }] of blocks.entries()) {
    if (at <= place(baseline)) continue
    for (const id of acceptedTransactionIds) {
      if (told.get(id) !== acceptingBlockHash && !isDeclared(at)) lost.push(`${id}, accepted by ${acceptingBlockHash}`)
      told.delete(id)
    }
  }
  return [...lost, ...[...told].map(([id, hash]) => `the taking back of ${id} from ${hash}`)]
}

/** Where a list of the newest differs from the end of the chain's own; nothing where it is that, newest first. */
export function misremembered(newest: readonly AcceptedTransactionInfo[], truth: Truth): readonly string[] {
  const inOrder = truth
    .accepted()
    .flatMap(({ acceptingBlockHash, acceptedTransactionIds }) =>
      acceptedTransactionIds.map((id) => `${id}, accepted by ${acceptingBlockHash}`),
    )
  const listed = newest.map((item) => `${item.transactionId}, accepted by ${item.acceptingBlockHash}`).reverse()
  if (listed.length === 0) return ['the list of the newest is empty']
  return listed
    .filter((line, at) => line !== inOrder.at(at - listed.length))
    .map((line) => `misplaced in the list: ${line}`)
}
