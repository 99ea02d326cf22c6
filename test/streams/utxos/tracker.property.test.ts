import fc from 'fast-check'
import { BehaviorSubject, VirtualTimeScheduler, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../src/engine/resolve-options.js'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import { toConnectionState } from '../../../src/streams/connection/state.js'
import { createScores } from '../../../src/streams/scores.js'
import type { UtxoState } from '../../../src/streams/utxos/view/state.js'
import { createUnconfirmed } from '../../../src/streams/utxos/unconfirmed/unconfirmed.js'
import { createUtxos } from '../../../src/streams/utxos/utxos.js'
import { createTestLink, type TestLink } from '../link.js'
import { ALICE, BOB, utxo } from './utxo-fixtures.js'
import { createUtxoNode, type ResponseScript, type UtxoNode, type NotificationDelivery } from './utxo-node.js'
import { runs } from '../../full.js'

// --- Steps ---

const delivery: fc.Arbitrary<NotificationDelivery> = fc.record({
  delay: fc.constantFrom(0, 0, 1, 3, 8),
  manner: fc.constantFrom('once', 'once', 'once', 'twice', 'after the next', 'corrupted'),
})
const script: fc.Arbitrary<ResponseScript> = fc.record({
  readsAfter: fc.constantFrom(0, 1, 4),
  arrivesAfter: fc.constantFrom(0, 2, 6, 1_500), // also longer than `RETENTION`
  how: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'refused'),
})
const someAddresses = fc.constantFrom([ALICE], [ALICE, BOB], [BOB], [])

/** Address of a UTXO, and index of an existing one. */
const address = fc.constantFrom(ALICE, BOB)
const which = fc.nat({ max: 9 })

type Step =
  | { readonly action: 'receive'; readonly address: string; readonly delivery: NotificationDelivery }
  | { readonly action: 'spend' | 'rescore'; readonly which: number; readonly delivery: NotificationDelivery }
  | {
      readonly action: 'replace'
      readonly which: number
      readonly address: string
      readonly delivery: NotificationDelivery
    }
  | { readonly action: 'reorg' | 'drop' }
  | { readonly action: 'override'; readonly manner: 'once' | 'after all before' }
  | { readonly action: 'respond'; readonly how: ResponseScript }
  | { readonly action: 'track'; readonly addresses: readonly string[] }
  | { readonly action: 'advance'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ action: fc.constant('receive'), address, delivery }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constantFrom('spend', 'spend', 'rescore'), which, delivery }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('replace'), which, address, delivery }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constantFrom('reorg', 'drop', 'drop') }) },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('override'), manner: fc.constantFrom('once', 'after all before') }),
  },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('respond'), how: script }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('track'), addresses: someAddresses }) },
  { weight: 4, arbitrary: fc.record({ action: fc.constant('advance'), ms: fc.constantFrom(1, 2, 3, 7, 300, 2_500) }) },
)

// --- Harness ---

interface Harness extends TestLink {
  readonly utxos: UtxoNode
  readonly addresses$: BehaviorSubject<readonly string[]>
  readonly states: readonly UtxoState[]
  /** A new UTXO. */
  readonly fresh: (address: string) => UtxoEntry
  /** Spent UTXOs, latest last. */
  readonly spent: UtxoEntry[]
  readonly advance: (ms: number) => void
}

function createHarness(first: readonly string[], script: ResponseScript): Harness {
  const scheduler = new VirtualTimeScheduler()
  const harness = createTestLink(scheduler, { requestTimeout: 5_000 }, 300_000)
  const { link } = harness
  const addresses$ = new BehaviorSubject(first)
  const states: UtxoState[] = []
  const connection = { state$: link.connector.state$.pipe(map(toConnectionState)) }
  const utxos = createUtxoNode(harness, scheduler)
  utxos.respondBy(script)
  const tracker = createUtxos({
    ...link,
    ...createScores(link),
    unconfirmed: createUnconfirmed(link),
    connection,
    logger: silentLogger,
  })
  tracker.tracker(addresses$, { mempoolInterval: 0 }).state$.subscribe((state) => states.push(state))
  const advance = (ms: number): void => {
    scheduler.maxFrames = scheduler.now() + ms
    scheduler.schedule(() => undefined, ms) // so that the clock advances by `ms` in any case
    scheduler.flush()
  }
  let latest = 0
  const fresh = (address: string): UtxoEntry => utxo(++latest, { address })
  return { ...harness, utxos, addresses$, states, advance, fresh, spent: [] }
}

function applyStep({ utxos, addresses$, advance, fresh, spent }: Harness, one: Step): void {
  const known = [...utxos.expected.values()]
  const chosen = 'which' in one ? known.slice(one.which % (known.length || 1)).slice(0, 1) : []
  switch (one.action) {
    case 'receive':
      utxos.change([], [fresh(one.address)], one.delivery)
      break
    case 'spend':
      utxos.change(chosen, [], one.delivery)
      spent.push(...chosen)
      break
    case 'replace':
      utxos.change(chosen, [fresh(one.address)], one.delivery)
      spent.push(...chosen)
      break
    case 'rescore':
      utxos.change(chosen, chosen.map(later), one.delivery)
      break
    case 'reorg':
      utxos.change([], spent.splice(-1), { delay: 1, manner: 'after all before' })
      break
    case 'drop':
      utxos.drop()
      break
    case 'override':
      utxos.override(known.slice(1).map(later), one.manner)
      break
    case 'respond':
      utxos.respondBy(one.how)
      break
    case 'track':
      addresses$.next(one.addresses)
      break
    case 'advance':
      advance(one.ms)
  }
}

/** The same UTXO, accepted by a later block. */
const later = (entry: UtxoEntry): UtxoEntry => ({ ...entry, blockDaaScore: entry.blockDaaScore + 1n })

const toText = (entries: readonly UtxoEntry[]): string[] =>
  entries.map(({ address, amount, blockDaaScore }) => `${address} ${amount} ${blockDaaScore}`).sort()

const sumOf = (entries: readonly UtxoEntry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n)

describe('a UTXO tracker, after any sequence of notifications, faults and reconnects', () => {
  it('ends with exactly the UTXO set of the node', () => {
    fc.assert(
      fc.property(someAddresses, script, fc.array(step, { maxLength: 40 }), (first, how, steps) => {
        const harness = createHarness(first, how)
        harness.connect()
        for (const one of steps) applyStep(harness, one)
        harness.utxos.respondBy({ readsAfter: 1, arrivesAfter: 1, how: 'ok' })
        harness.utxos.finish()
        harness.advance(31_000) // longer than the maximum retry backoff plus `REFETCH_DELAY`
        const tracked = harness.addresses$.value
        const expected = [...harness.utxos.expected.values()].filter(({ address }) => tracked.includes(address ?? ''))
        const state = harness.states.at(-1)
        expect(toText(state?.entries ?? [])).toEqual(toText(expected))
        expect(state?.balance.mature).toBe(sumOf(expected))
        expect(state?.freshness).toBe(tracked.length === 0 ? 'unknown' : 'fresh')
        harness.link.dispose()
      }),
      { numRuns: runs(60, 3_000) },
    )
  })

  it('emits no duplicate entry, and no balance that differs from its entries', () => {
    fc.assert(
      fc.property(someAddresses, script, fc.array(step, { maxLength: 40 }), (first, how, steps) => {
        const harness = createHarness(first, how)
        harness.connect()
        for (const one of steps) applyStep(harness, one)
        for (const { entries, matureEntries, balance, addresses } of harness.states) {
          expect(new Set(entries.map(({ outpoint }) => toOutpointKey(outpoint))).size).toBe(entries.length)
          expect(balance.mature).toBe(sumOf(matureEntries))
          expect(balance.mature + balance.pending).toBe(sumOf(entries)) // pending: above the last known DAA score
          expect(entries.every(({ address }) => addresses.includes(address ?? ''))).toBe(true)
        }
        harness.link.dispose()
      }),
      { numRuns: runs(50, 2_000) },
    )
  })
})
