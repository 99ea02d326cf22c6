import { delay, map, throwError, timer, type VirtualTimeScheduler } from 'rxjs'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import type { TestLink } from '../link.js'

/** Delivery of a notification: delayed by `delay` ms; once, duplicated, reordered or corrupted. */
export interface NotificationDelivery {
  readonly delay: number
  readonly manner: 'once' | 'twice' | 'after the next' | 'after all before' | 'corrupted'
}

/** Response to `getUtxosByAddresses`: read after `readsAfter` ms, received `arrivesAfter` ms later. */
export interface ResponseScript {
  readonly readsAfter: number
  readonly arrivesAfter: number
  readonly how: 'ok' | 'refused'
}

/**
 * A node with a known UTXO set that delays, duplicates, reorders and corrupts its notifications. It notifies no DAA
 * score; a response contains the score of the latest block.
 */
export interface UtxoNode {
  readonly expected: ReadonlyMap<OutpointKey, UtxoEntry>
  change(removed: readonly UtxoEntry[], added: readonly UtxoEntry[], delivery: NotificationDelivery): void
  /** Replaces the whole set, notifying the override only; possibly reordered before delayed notifications. */
  override(utxos: readonly UtxoEntry[], manner: 'once' | 'after all before'): void
  /** Delivers all delayed notifications. */
  finish(): void
  /** Sets how later requests are responded to. */
  respondBy(script: ResponseScript): void
  /** Closes every socket; undelivered notifications are dropped. */
  drop(): void
}

export function createUtxoNode({ node }: TestLink, scheduler: VirtualTimeScheduler): UtxoNode {
  const expected = new Map<OutpointKey, UtxoEntry>()
  const delayed: (() => void)[] = []
  let script: ResponseScript = { readsAfter: 0, arrivesAfter: 1, how: 'ok' }
  let generation = 0
  let lastArrival = 0

  node.respond('getUtxosByAddresses', ({ addresses }) => {
    const { readsAfter, arrivesAfter, how } = script
    if (how === 'refused') return throwError(() => new ChainRpcError('getUtxosByAddresses', new Error('busy')))
    const read = () => [...expected.values()].filter(({ address }) => addresses.includes(address ?? ''))
    return timer(readsAfter, scheduler).pipe(
      map(() => ({ entries: read() })),
      delay(arrivesAfter, scheduler),
    )
  })

  let virtualDaaScore = 0n
  const accept = (entry: UtxoEntry): void => {
    expected.set(toOutpointKey(entry.outpoint), entry)
    if (entry.blockDaaScore > virtualDaaScore) virtualDaaScore = entry.blockDaaScore
  }
  node.respond('getServerInfo', () => fixtures.serverInfo({ virtualDaaScore }))

  /** Notifications of a socket arrive in order, unless `manner` reorders them. */
  function send({ delay, manner }: NotificationDelivery, notify: () => void): void {
    const sentIn = generation
    lastArrival = Math.max(lastArrival, scheduler.now() + delay)
    scheduler.schedule(() => {
      if (generation === sentIn) arrive(manner, notify)
    }, lastArrival - scheduler.now())
  }
  function arrive(manner: NotificationDelivery['manner'], notify: () => void): void {
    if (manner === 'after the next') delayed.push(notify)
    else for (const deliver of inOrder(manner, notify)) deliver()
  }
  /** The notifications that arrive now. A corrupted one arrives after the delayed ones. */
  function inOrder(manner: NotificationDelivery['manner'], notify: () => void): (() => void)[] {
    const late = delayed.splice(0)
    if (manner === 'corrupted') return [...late, corrupt]
    if (manner === 'after all before') return [...late, notify]
    return manner === 'twice' ? [notify, notify, ...late] : [notify, ...late]
  }
  const corrupt = (): void => node.sockets.forEach((socket) => socket.corrupt('utxos-changed'))

  return {
    expected,
    change: (removed, added, delivery) => {
      for (const { outpoint } of removed) expected.delete(toOutpointKey(outpoint))
      added.forEach(accept)
      const data = { removed, added }
      send(delivery, () => node.notify({ type: 'utxos-changed', data }))
    },
    override: (utxos, manner) => {
      expected.clear()
      utxos.forEach(accept)
      send({ delay: 0, manner }, () => node.notify({ type: 'pruning-point-utxo-set-override', data: {} }))
    },
    respondBy: (next) => {
      script = next
    },
    finish: () => send({ delay: 0, manner: 'once' }, () => undefined),
    drop: () => {
      generation++
      delayed.length = 0
      node.drop()
    },
  }
}
