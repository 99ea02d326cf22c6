import fc from 'fast-check'
import { BehaviorSubject, VirtualTimeScheduler, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import { toConnectionState } from '../../../src/streams/connection/view.js'
import { createScores } from '../../../src/streams/scores.js'
import { keep$ } from '../../../src/streams/utxos/keep.js'
import { createReservations } from '../../../src/streams/utxos/reservations.js'
import type { UtxoState } from '../../../src/streams/utxos/state.js'
import { createUtxos } from '../../../src/streams/utxos/utxos.js'
import { createTestLink, type TestLink } from '../link.js'
import { ALICE, BOB, coin } from './coins.js'
import { createNodeOfCoins, type Answering, type NodeOfCoins, type Telling } from './node-of-coins.js'

// --- What may happen ---

const telling: fc.Arbitrary<Telling> = fc.record({
  delay: fc.constantFrom(0, 0, 1, 3, 8),
  manner: fc.constantFrom('once', 'once', 'once', 'twice', 'after the next', 'unreadably'),
})
const answering: fc.Arbitrary<Answering> = fc.record({
  looksAfter: fc.constantFrom(0, 1, 4),
  arrivesAfter: fc.constantFrom(0, 2, 6, 1_500), // also longer than a book is kept that nobody holds
  how: fc.constantFrom('well', 'well', 'well', 'well', 'refused'),
})
const someAddresses = fc.constantFrom([ALICE], [ALICE, BOB], [BOB], [])

/** Whom a coin belongs to, and which of those that are there. */
const owner = fc.constantFrom(ALICE, BOB)
const which = fc.nat({ max: 9 })

type Happening =
  | { readonly what: 'receive'; readonly owner: string; readonly told: Telling }
  | { readonly what: 'spend' | 'restamp'; readonly which: number; readonly told: Telling }
  | { readonly what: 'replace'; readonly which: number; readonly owner: string; readonly told: Telling }
  | { readonly what: 'reorg' | 'drop' }
  | { readonly what: 'override'; readonly manner: 'once' | 'after all before' }
  | { readonly what: 'answer'; readonly how: Answering }
  | { readonly what: 'track'; readonly addresses: readonly string[] }
  | { readonly what: 'pass'; readonly ms: number }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('receive'), owner, told: telling }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('spend', 'spend', 'restamp'), which, told: telling }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('replace'), which, owner, told: telling }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('reorg', 'drop', 'drop') }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('override'), manner: fc.constantFrom('once', 'after all before') }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('answer'), how: answering }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('track'), addresses: someAddresses }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pass'), ms: fc.constantFrom(1, 2, 3, 7, 300, 2_500) }) },
)

// --- The ledger, and the world around it ---

interface Scene extends TestLink {
  readonly coins: NodeOfCoins
  readonly addresses$: BehaviorSubject<readonly string[]>
  readonly states: readonly UtxoState[]
  /** A coin that nobody has seen yet. */
  readonly fresh: (owner: string) => UtxoEntry
  /** Coins that were spent, the latest last. */
  readonly spent: UtxoEntry[]
  readonly pass: (ms: number) => void
}

function createScene(first: readonly string[], answering: Answering): Scene {
  const scheduler = new VirtualTimeScheduler()
  const scene = createTestLink(scheduler, { requestTimeout: 5_000 }, 300_000)
  const { link } = scene
  const addresses$ = new BehaviorSubject(first)
  const states: UtxoState[] = []
  const connection = { state$: link.keeper.state$.pipe(map(toConnectionState)) }
  const coins = createNodeOfCoins(scene, scheduler)
  coins.answerBy(answering)
  const utxos = createUtxos({ ...link, ...createScores(link), ...createReservations(link), connection, keep: keep$ })
  utxos.ledger(addresses$, { mempoolInterval: 0 }).state$.subscribe((state) => states.push(state))
  const pass = (ms: number): void => {
    scheduler.maxFrames = scheduler.now() + ms
    scheduler.schedule(() => undefined, ms) // so that the clock arrives there, whatever else it had to do
    scheduler.flush()
  }
  let latest = 0
  const fresh = (address: string): UtxoEntry => coin(++latest, { address })
  return { ...scene, coins, addresses$, states, pass, fresh, spent: [] }
}

function happen({ coins, addresses$, pass, fresh, spent }: Scene, one: Happening): void {
  const known = [...coins.truth.values()]
  const chosen = 'which' in one ? known.slice(one.which % (known.length || 1)).slice(0, 1) : []
  switch (one.what) {
    case 'receive':
      coins.change([], [fresh(one.owner)], one.told)
      break
    case 'spend':
      coins.change(chosen, [], one.told)
      spent.push(...chosen)
      break
    case 'replace':
      coins.change(chosen, [fresh(one.owner)], one.told)
      spent.push(...chosen)
      break
    case 'restamp':
      coins.change(chosen, chosen.map(later), one.told)
      break
    case 'reorg':
      coins.change([], spent.splice(-1), { delay: 1, manner: 'after all before' })
      break
    case 'drop':
      coins.drop()
      break
    case 'override':
      coins.override(known.slice(1).map(later), one.manner)
      break
    case 'answer':
      coins.answerBy(one.how)
      break
    case 'track':
      addresses$.next(one.addresses)
      break
    case 'pass':
      pass(one.ms)
  }
}

/** The same coin, accepted by a later block. */
const later = (entry: UtxoEntry): UtxoEntry => ({ ...entry, blockDaaScore: entry.blockDaaScore + 1n })

const inWords = (entries: readonly UtxoEntry[]): string[] =>
  entries.map(({ address, amount, blockDaaScore }) => `${address} ${amount} ${blockDaaScore}`).sort()

const sumOf = (entries: readonly UtxoEntry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n)

describe('a ledger, whatever the node tells, when, in which order and how often, and whatever becomes of the connection', () => {
  it('knows in the end what the node knows, and nothing else', () => {
    fc.assert(
      fc.property(someAddresses, answering, fc.array(happening, { maxLength: 40 }), (first, how, happenings) => {
        const scene = createScene(first, how)
        scene.connect()
        for (const one of happenings) happen(scene, one)
        scene.coins.answerBy({ looksAfter: 1, arrivesAfter: 1, how: 'well' })
        scene.coins.finish()
        scene.pass(31_000) // the longest wait before a refused question is put again, and a doubt
        const tracked = scene.addresses$.value
        const truth = [...scene.coins.truth.values()].filter(({ address }) => tracked.includes(address ?? ''))
        const state = scene.states.at(-1)
        expect(inWords(state?.entries ?? [])).toEqual(inWords(truth))
        expect(state?.balance.mature).toBe(sumOf(truth))
        expect(state?.freshness).toBe(tracked.length === 0 ? 'unknown' : 'fresh')
        scene.link.dispose()
      }),
      { numRuns: 300 },
    )
  })

  it('never shows a coin twice, nor a balance that its coins do not come to, and what it has shown it never changes', () => {
    fc.assert(
      fc.property(someAddresses, answering, fc.array(happening, { maxLength: 40 }), (first, how, happenings) => {
        const scene = createScene(first, how)
        scene.connect()
        for (const one of happenings) happen(scene, one)
        for (const { entries, balance, addresses } of scene.states) {
          expect(new Set(entries.map(({ outpoint }) => toOutpointKey(outpoint))).size).toBe(entries.length)
          expect(balance.mature).toBe(sumOf(entries))
          expect(entries.every(({ address }) => addresses.includes(address ?? ''))).toBe(true)
        }
        scene.link.dispose()
      }),
      { numRuns: 200 },
    )
  })
})
