import { delay, map, throwError, timer, type VirtualTimeScheduler } from 'rxjs'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import type { TestLink } from '../link.js'

/** How a change is told: after so many ms, and once, twice, after the next one, or as half a frame. */
export interface Telling {
  readonly delay: number
  readonly manner: 'once' | 'twice' | 'after the next' | 'after all before' | 'unreadably'
}

/** How a question for coins is answered: the node looks after some ms, and what it saw arrives later. */
export interface Answering {
  readonly looksAfter: number
  readonly arrivesAfter: number
  readonly how: 'well' | 'refused'
}

/** A node that knows what is true of some coins, and is slow, deaf or muddled in telling it. */
export interface NodeOfCoins {
  readonly truth: ReadonlyMap<OutpointKey, UtxoEntry>
  change(removed: readonly UtxoEntry[], added: readonly UtxoEntry[], telling: Telling): void
  /** Becomes true of other coins all at once, and says no more than that; perhaps before what it has held back. */
  override(coins: readonly UtxoEntry[], manner: 'once' | 'after all before'): void
  /** Has said all that it still holds back. */
  finish(): void
  /** From now on, questions are answered so. */
  answerBy(answering: Answering): void
  /** Ends every socket; what was on its way is lost. */
  drop(): void
}

export function createNodeOfCoins({ node }: TestLink, scheduler: VirtualTimeScheduler): NodeOfCoins {
  const truth = new Map<OutpointKey, UtxoEntry>()
  const held: (() => void)[] = []
  let answering: Answering = { looksAfter: 0, arrivesAfter: 1, how: 'well' }
  let era = 0
  let lastArrival = 0

  node.answer('getUtxosByAddresses', ({ addresses }) => {
    const { looksAfter, arrivesAfter, how } = answering
    if (how === 'refused') return throwError(() => new ChainRpcError('getUtxosByAddresses', new Error('busy')))
    const look = () => [...truth.values()].filter(({ address }) => addresses.includes(address ?? ''))
    return timer(looksAfter, scheduler).pipe(
      map(() => ({ entries: look() })),
      delay(arrivesAfter, scheduler),
    )
  })

  /** Notifications of one socket arrive in the order in which they were sent, unless their manner says otherwise. */
  function send({ delay, manner }: Telling, tell: () => void): void {
    const sentIn = era
    lastArrival = Math.max(lastArrival, scheduler.now() + delay)
    scheduler.schedule(() => {
      if (era === sentIn) arrive(manner, tell)
    }, lastArrival - scheduler.now())
  }
  function arrive(manner: Telling['manner'], tell: () => void): void {
    if (manner === 'after the next') held.push(tell)
    else for (const say of inOrder(manner, tell)) say()
  }
  /** What arrives now; only what can be read overtakes. */
  function inOrder(manner: Telling['manner'], tell: () => void): (() => void)[] {
    const late = held.splice(0)
    if (manner === 'unreadably') return [...late, garble]
    if (manner === 'after all before') return [...late, tell]
    return manner === 'twice' ? [tell, tell, ...late] : [tell, ...late]
  }
  const garble = (): void => node.sockets.forEach((socket) => socket.garble('utxos-changed'))

  return {
    truth,
    change: (removed, added, telling) => {
      for (const { outpoint } of removed) truth.delete(toOutpointKey(outpoint))
      for (const entry of added) truth.set(toOutpointKey(entry.outpoint), entry)
      const data = { removed, added }
      send(telling, () => node.notify({ type: 'utxos-changed', data }))
    },
    override: (coins, manner) => {
      truth.clear()
      for (const entry of coins) truth.set(toOutpointKey(entry.outpoint), entry)
      send({ delay: 0, manner }, () => node.notify({ type: 'pruning-point-utxo-set-override', data: {} }))
    },
    answerBy: (next) => {
      answering = next
    },
    finish: () => send({ delay: 0, manner: 'once' }, () => undefined),
    drop: () => {
      era++
      held.length = 0
      node.drop()
    },
  }
}
