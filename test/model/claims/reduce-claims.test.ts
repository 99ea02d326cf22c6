import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Claim } from '../../../src/model/claims/claim.js'
import { CLAIM_TIMEOUT, hasClaims, reduceClaims, type Claims } from '../../../src/model/claims/reduce-claims.js'
import { runs } from '../../full.js'

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const claimOf = (id: number, outpoints: readonly number[], owner = 'a', at = 0): Claim => ({
  version: 1,
  id: hex(id),
  outpoints: outpoints.map((each) => `${hex(each)}:0` as const),
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
  const replacement = [claimOf(2, [1, 3])]
  const after = reduceClaims(first, { type: 'claim', claims: replacement, replaces: hex(1) })
  expect(hasClaims(after, replacement)).toBe(true)
  const sent = reduceClaims(after, { type: 'sent', claims: replacement, replaces: hex(1) })
  expect(sent.get(hex(2))?.state).toBe('sent')
})

it('expires planned claims of ended tabs at once, sent ones after a minute, those of payouts never', () => {
  const sent = { ...claimOf(2, [2]), state: 'sent' as const }
  const payout = { ...claimOf(3, [3]), kind: 'payout' as const }
  const claims = toClaims(claimOf(1, [1]), sent, payout, claimOf(4, [4], 'alive'))
  const ended = toClaims(claimOf(1, [1]), sent, payout)
  const expire = (age: number) => reduceClaims(claims, { type: 'expire', ended, knownFor: () => age })
  expect([...expire(0).keys()]).toEqual([hex(2), hex(3), hex(4)])
  expect([...expire(CLAIM_TIMEOUT).keys()]).toEqual([hex(3), hex(4)])
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
  isAlive: boolean
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
        const claim = claimOf(this.#next++, step.outpoints, tab.owner, this.now + tab.offset)
        this.claims = reduceClaims(this.claims, { type: 'claim', claims: [claim] })
        if (hasClaims(this.claims, [claim])) tab.payment = claim
        return
      }
      case 'send': {
        const { payment } = tab
        if (payment === undefined || this.live.some(({ claim }) => claim.id === payment.id)) return
        const again = { ...payment, at: this.now + tab.offset }
        this.claims = reduceClaims(this.claims, { type: 'sent', claims: [again] })
        if (hasClaims(this.claims, [again])) this.live.push({ claim: again, owner: tab.owner, endedAt: undefined })
        else tab.payment = undefined // aborted, nothing was sent
        return
      }
      case 'end': {
        const { payment } = tab
        if (payment === undefined) return
        this.claims = reduceClaims(this.claims, { type: 'end', ids: [payment.id] })
        this.live = this.live.filter(({ claim }) => claim.id !== payment.id)
        tab.payment = undefined
        return
      }
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

  read(tab: Tab): void {
    for (const { id, at } of this.claims.values())
      if (tab.since.get(id)?.at !== at) tab.since.set(id, { at, since: this.now })
    const held = new Set(this.tabs.filter(({ isAlive, isFrozen }) => isAlive && !isFrozen).map(({ owner }) => owner))
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
    this.live = this.live.filter(({ claim, owner }) => owner !== tab.owner || this.claims.has(claim.id))
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
    return { owner, isAlive: true, isFrozen: false, offset: 0, payment: undefined, read: NONE, since: new Map() }
  }
}

it('has no outpoint in two live payments, and reserves none for ever', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const origin = new Origin()
      for (const step of sequence) {
        origin.step(step)
        const outpoints = origin.live.flatMap(({ claim }) => claim.outpoints)
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
