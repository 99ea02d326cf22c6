import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Claim } from '../../../src/model/claims/claim.js'
import { packOutpoints, unpackOutpoints } from '../../../src/model/claims/packed-outpoints.js'
import { CLAIM_TIMEOUT, hasClaims, reduceClaims, type Claims } from '../../../src/model/claims/reduce-claims.js'
import { toOutpointKey } from '../../../src/model/utxo.js'
import { runs } from '../../full.js'

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const claimOf = (id: number, outpoints: readonly number[], owner = 'a', at = 0): Claim => ({
  version: 1,
  id: hex(id),
  outpoints: packOutpoints(outpoints.map((each) => ({ transactionId: hex(each), index: 0 }))),
  kind: 'payment',
  state: 'planned',
  owner,
  at,
  change: [],
})
const toClaims = (...claims: readonly Claim[]): Claims => new Map(claims.map((claim) => [claim.id, claim]))
const NONE: Claims = new Map()

it('claims all outpoints of a plan, or none', () => {
  const first = toClaims(claimOf(1, [1, 2]))
  const plan = [claimOf(2, [3], 'b'), claimOf(3, [2, 4], 'b')]
  expect(reduceClaims(first, { type: 'claim', claims: plan })).toBe(first)
  expect(hasClaims(first, plan)).toBe(false)
  const after = reduceClaims(first, { type: 'claim', claims: [claimOf(2, [3, 4], 'b')] })
  expect([...after.keys()]).toEqual([hex(1), hex(2)])
})

it('refuses the same payment of another tab', () => {
  const first = toClaims(claimOf(1, [1]))
  const same = [claimOf(1, [1], 'b')]
  expect(reduceClaims(first, { type: 'claim', claims: same })).toBe(first)
  expect(hasClaims(first, same)).toBe(false)
})

it('claims the outpoints of a payment again for its replacement', () => {
  const first = toClaims(claimOf(1, [1, 2]))
  const replacement = [{ ...claimOf(2, [1, 3], 'b'), replaces: hex(1) }]
  const after = reduceClaims(first, { type: 'claim', claims: replacement })
  expect(hasClaims(after, replacement)).toBe(true)
  const again = replacement.map((claim) => ({ ...claim, state: 'sent' as const }))
  const sent = reduceClaims(after, { type: 'claim', claims: again })
  expect(sent.get(hex(2))?.state).toBe('sent')
})

it('claims them again for a replacement of the replacement, while the first payment is claimed still', () => {
  const claims = toClaims(claimOf(1, [1, 2]), { ...claimOf(2, [1, 2, 3], 'b'), replaces: hex(1) })
  const next = [{ ...claimOf(3, [1, 2, 3, 4], 'c'), replaces: hex(2) }]
  expect(hasClaims(reduceClaims(claims, { type: 'claim', claims: next }), next)).toBe(true)
  const other = [{ ...claimOf(3, [1, 2, 4], 'c'), replaces: hex(1) }] // both would replace the first one
  expect(reduceClaims(claims, { type: 'claim', claims: other })).toBe(claims)
})

it('ends with replacements that name each other', () => {
  const claims = toClaims({ ...claimOf(1, [1]), replaces: hex(2) }, { ...claimOf(2, [2]), replaces: hex(1) })
  const next = [{ ...claimOf(3, [1, 2], 'b'), replaces: hex(1) }]
  expect(hasClaims(reduceClaims(claims, { type: 'claim', claims: next }), next)).toBe(true)
})

it('refuses to replace a payout', () => {
  const claims = toClaims({ ...claimOf(1, [1], 'journal'), kind: 'payout' })
  const next = [{ ...claimOf(2, [1, 2], 'b'), replaces: hex(1) }]
  expect(reduceClaims(claims, { type: 'claim', claims: next })).toBe(claims)
})

it('keeps a payment sent that is claimed again', () => {
  const claims = toClaims({ ...claimOf(1, [1]), state: 'sent' })
  const after = reduceClaims(claims, { type: 'claim', claims: [claimOf(1, [1], 'a', 7)] })
  expect(after.get(hex(1))).toMatchObject({ state: 'sent', at: 7 })
})

it('takes the same payment over from a tab that has ended, unless it was claimed again', () => {
  const sent = { ...claimOf(1, [1]), state: 'sent' as const }
  const claims = toClaims(sent)
  const take = (ended: Claims) => reduceClaims(claims, { type: 'claim', claims: [claimOf(1, [1], 'b')], ended })
  expect(take(claims).get(hex(1))).toMatchObject({ owner: 'b', state: 'sent' })
  expect(take(NONE)).toBe(claims)
  expect(take(toClaims({ ...sent, at: 7 }))).toBe(claims)
  expect(take(toClaims({ ...sent, owner: 'c' }))).toBe(claims)
  const other = [claimOf(2, [1], 'b')]
  expect(reduceClaims(claims, { type: 'claim', claims: other, ended: claims })).toBe(claims)
})

it('mirrors a journal: adds its payouts whatever others have, and ends those that it has no longer', () => {
  const payout = (id: number, outpoints: readonly number[], owner = 'journal', at = 0): Claim => ({
    ...claimOf(id, outpoints, owner, at),
    kind: 'payout',
    state: 'sent',
  })
  const before = toClaims(payout(1, [1]), payout(2, [2]), payout(3, [3], 'other journal'), claimOf(4, [4], 'journal'))
  const claims = [payout(2, [2], 'journal', 9), payout(5, [4, 5])]
  const after = reduceClaims(before, { type: 'mirror', owner: 'journal', claims })
  expect([...after.values()]).toEqual([...[...before.values()].slice(1), claims[1]])
  expect(reduceClaims(after, { type: 'mirror', owner: 'journal', claims })).toBe(after)
  expect(reduceClaims(after, { type: 'end', owner: 'journal', released: [hex(2)], settled: [hex(5)] })).toBe(after)
})

it('ends released payments for their owner only, and settled ones for every tab', () => {
  const claims = toClaims(claimOf(1, [1], 'b'), claimOf(2, [2]), claimOf(3, [3], 'b'))
  const released = [hex(1), hex(2)]
  const after = reduceClaims(claims, { type: 'end', owner: 'a', released, settled: [hex(3)] })
  expect([...after.keys()]).toEqual([hex(1)])
  expect(reduceClaims(after, { type: 'end', owner: 'a', released, settled: [] })).toBe(after)
})

it('expires planned claims of ended tabs and payouts of no journal at once, sent ones after a minute', () => {
  const sent = { ...claimOf(2, [2]), state: 'sent' as const }
  const payout = { ...claimOf(3, [3]), kind: 'payout' as const }
  const claims = toClaims(claimOf(1, [1]), sent, payout, claimOf(4, [4], 'alive'))
  const expire = (ended: Claims, age: number) => [
    ...reduceClaims(claims, { type: 'expire', ended, knownFor: () => age }).keys(),
  ]
  expect(expire(toClaims(claimOf(1, [1]), sent, payout), 0)).toEqual([hex(2), hex(4)])
  expect(expire(toClaims(claimOf(1, [1]), sent), CLAIM_TIMEOUT)).toEqual([hex(3), hex(4)])
})

it('keeps a claim that its tab has made again since it was read', () => {
  const claims = toClaims(claimOf(1, [1], 'a', 7))
  const request = { type: 'expire', ended: toClaims(claimOf(1, [1])), knownFor: () => Infinity } as const
  expect(reduceClaims(claims, request)).toBe(claims)
})

type Step =
  | { readonly type: 'plan'; readonly tab: number; readonly outpoints: readonly number[] }
  | { readonly type: 'send' | 'end' | 'freeze' | 'read' | 'expire'; readonly tab: number }
  | { readonly type: 'crash' | 'resume'; readonly tab: number }
  | { readonly type: 'jump'; readonly tab: number; readonly ms: number }
  | { readonly type: 'wait'; readonly ms: number }

type OfTab =
  | Extract<Step, { readonly type: 'plan' }>
  | Extract<Step, { readonly type: 'send' | 'end' | 'freeze' | 'read' | 'expire' }>
type OfBrowser = Extract<Step, { readonly type: 'crash' | 'resume' }>

const isOfBrowser = (step: OfTab | OfBrowser): step is OfBrowser => step.type === 'crash' || step.type === 'resume'

interface Tab {
  owner: string
  isFrozen: boolean
  /** Of its wall clock. */
  offset: number
  payment: Claim | undefined
  /** Claims as it has read them, with the locks that were free then. */
  read: Claims
  readonly since: Map<string, { readonly at: number; readonly since: number }>
}

const tabs = fc.nat({ max: 3 })
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('plan' as const),
        tab: tabs,
        outpoints: fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ type: fc.constant('send' as const), tab: tabs }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('read' as const, 'expire' as const), tab: tabs }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('end' as const, 'freeze' as const), tab: tabs }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('crash' as const, 'resume' as const), tab: tabs }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('jump' as const), tab: tabs, ms: fc.integer({ min: -1e7, max: 1e7 }) }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.nat({ max: 70_000 }) }) },
  ),
  { maxLength: 80, size: 'max' }, // the default size makes ten steps
)

/** Tabs over one database. A payment is live from its claim as sent until it ends, or a minute after its tab has. */
class Origin {
  claims: Claims = NONE
  now = 0
  live: { readonly claim: Claim; readonly owner: string; endedAt: number | undefined }[] = []
  #next = 100
  readonly tabs: Tab[] = Array.from({ length: 4 }, (_, at) => this.#open(at))

  step(step: Step): void {
    if (step.type === 'wait') {
      this.now += step.ms
      this.live = this.live.filter(({ endedAt }) => endedAt === undefined || this.now - endedAt < CLAIM_TIMEOUT)
      return
    }
    const tab = this.tabs[step.tab]!
    if (step.type === 'jump') tab.offset += step.ms
    else if (isOfBrowser(step)) this[step.type](step.tab)
    else if (!tab.isFrozen) this.#run(tab, step)
  }

  #run(tab: Tab, step: OfTab): void {
    switch (step.type) {
      case 'plan': {
        if (tab.payment !== undefined) return
        // equal plans have equal ids
        const id = step.outpoints.reduce((bits, outpoint) => bits | (1 << outpoint), 256)
        const claim = claimOf(id, step.outpoints, tab.owner, this.now + tab.offset)
        this.claims = reduceClaims(this.claims, { type: 'claim', claims: [claim] })
        if (hasClaims(this.claims, [claim])) tab.payment = claim
        return
      }
      case 'send': {
        const { payment } = tab
        if (payment === undefined || this.live.some(({ owner }) => owner === tab.owner)) return
        const again: Claim = { ...payment, state: 'sent', at: this.now + tab.offset }
        this.claims = reduceClaims(this.claims, { type: 'claim', claims: [again] })
        if (hasClaims(this.claims, [again])) this.live.push({ claim: again, owner: tab.owner, endedAt: undefined })
        else this.#end(tab) // aborted, nothing was sent
        return
      }
      case 'end':
        this.#end(tab)
        return
      case 'freeze':
        tab.isFrozen = true
        this.#ended(tab)
        return
      case 'read':
        this.read(tab)
        return
      case 'expire':
        this.expire(tab)
    }
  }

  #end(tab: Tab): void {
    if (tab.payment === undefined) return
    const released = [tab.payment.id]
    this.claims = reduceClaims(this.claims, { type: 'end', owner: tab.owner, released, settled: [] })
    this.live = this.live.filter(({ owner }) => owner !== tab.owner)
    tab.payment = undefined
  }

  read(tab: Tab): void {
    for (const { id, at } of this.claims.values())
      if (tab.since.get(id)?.at !== at) tab.since.set(id, { at, since: this.now })
    const held = new Set(this.tabs.filter(({ isFrozen }) => !isFrozen).map(({ owner }) => owner))
    tab.read = new Map([...this.claims].filter(([, { owner }]) => !held.has(owner)))
  }

  expire(tab: Tab): void {
    const knownFor = ({ id }: Claim): number => this.now - (tab.since.get(id)?.since ?? this.now)
    this.claims = reduceClaims(this.claims, { type: 'expire', ended: tab.read, knownFor })
  }

  resume(at: number): void {
    const tab = this.tabs[at]!
    tab.isFrozen = false
    for (const each of this.live) if (each.owner === tab.owner) each.endedAt = undefined
    // what was expired while it ran no code is live no longer for it
    this.live = this.live.filter(
      ({ claim, owner }) => owner !== tab.owner || this.claims.get(claim.id)?.owner === owner,
    )
  }

  crash(at: number): void {
    this.#ended(this.tabs[at]!)
    this.tabs[at] = this.#open(at)
  }

  #ended({ owner }: Tab): void {
    for (const each of this.live) if (each.owner === owner) each.endedAt ??= this.now
  }

  #open(at: number): Tab {
    const owner = `${at} ${this.#next++}`
    return { owner, isFrozen: false, offset: 0, payment: undefined, read: NONE, since: new Map() }
  }
}

it('has no outpoint in two live payments, and reserves none for ever', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const origin = new Origin()
      for (const step of sequence) {
        origin.step(step)
        const outpoints = origin.live.flatMap(({ claim }) => unpackOutpoints(claim.outpoints).map(toOutpointKey))
        expect(new Set(outpoints).size).toBe(outpoints.length)
      }
      for (const tab of [0, 1, 2, 3]) origin.step({ type: 'crash', tab })
      const [last] = origin.tabs
      origin.read(last!)
      origin.step({ type: 'wait', ms: CLAIM_TIMEOUT })
      origin.read(last!)
      origin.expire(last!)
      expect([...origin.claims]).toEqual([])
    }),
    { numRuns: runs(100) },
  )
})
