import { Subscription, type Observable } from 'rxjs'
import type { BlockInfo } from '../../src/model/block-info.js'
import type { AcceptanceChange, Gap } from '../../src/streams/acceptance/change.js'

/** A listener's book-keeping: what it was told, and what made no sense to it. */
export interface Witness {
  /** Accepting block by transaction id, as told. */
  readonly accepted: ReadonlyMap<string, string>
  /** Those of them of which a gap has said that nobody would tell should they be taken back. */
  readonly unvouched: ReadonlySet<string>
  /** Hashes of blocks in the order of telling. */
  readonly blocks: readonly string[]
  readonly gaps: readonly DeclaredGap[]
  /** How many changes it was told of. */
  readonly told: Readonly<Record<AcceptanceChange['type'], number>>
  /** What was said twice, or does not go with what was said before; in words. */
  readonly doubled: readonly string[]
  leave(): void
}

/** A gap, and how many blocks had been told of until then. */
export interface DeclaredGap extends Gap {
  readonly blocksBefore: number
}

export interface Heard {
  readonly changes$: Observable<AcceptanceChange>
  readonly gaps$: Observable<Gap>
  readonly blocks$: Observable<BlockInfo>
}

/** Listens from now on. */
export function createWitness({ changes$, gaps$, blocks$ }: Heard): Witness {
  const ledger = createChangeLedger()
  const blocks = createBlockList()
  const gaps: DeclaredGap[] = []
  const listening = new Subscription()
  listening.add(
    gaps$.subscribe((gap) => {
      gaps.push({ ...gap, blocksBefore: blocks.inOrder.length })
      if (gap.stream === 'accepted-transactions') ledger.doubtAll()
    }),
  )
  listening.add(changes$.subscribe((change) => ledger.write(change)))
  listening.add(blocks$.subscribe(({ hash }) => blocks.write(hash)))
  return {
    accepted: ledger.accepted,
    unvouched: ledger.unvouched,
    told: ledger.told,
    blocks: blocks.inOrder,
    gaps,
    get doubled() {
      return [...ledger.objections, ...blocks.objections]
    },
    leave: () => listening.unsubscribe(),
  }
}

/** What was accepted and taken back, and objections to it in words. */
function createChangeLedger() {
  const accepted = new Map<string, string>()
  const unvouched = new Set<string>()
  const told = { accepted: 0, reverted: 0 }
  const objections: string[] = []

  const write = ({ type, transactionId, acceptingBlockHash }: AcceptanceChange): void => {
    told[type]++
    const known = accepted.get(transactionId)
    const isVouchedFor = !unvouched.delete(transactionId)
    if (type === 'reverted') {
      accepted.delete(transactionId)
      if (known !== acceptingBlockHash)
        objections.push(`${transactionId} was taken back from ${acceptingBlockHash}, not ${known}`)
      return
    }
    accepted.set(transactionId, acceptingBlockHash)
    if (known !== undefined && isVouchedFor)
      objections.push(`${transactionId} was accepted by ${known}, then by ${acceptingBlockHash}`)
  }
  const doubtAll = (): void => {
    for (const id of accepted.keys()) unvouched.add(id)
  }
  return { accepted, unvouched, told, objections, write, doubtAll }
}

function createBlockList() {
  const known = new Set<string>()
  const inOrder: string[] = []
  const objections: string[] = []
  const write = (hash: string): void => {
    if (known.has(hash)) objections.push(`block ${hash} was added twice`)
    known.add(hash)
    inOrder.push(hash)
  }
  return { inOrder, objections, write }
}
