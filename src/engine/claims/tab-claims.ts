import { Subscription, auditTime, concatMap, filter, interval, merge, throttleTime } from 'rxjs'
import type { Claim } from '../../model/claims/claim.js'
import { hasClaims, type ClaimRequest, type Claims } from '../../model/claims/reduce-claims.js'
import type { ClaimResult, ClaimedPlan, PaymentClaims } from '../../operations/transactions/dependencies.js'
import type { ChainLogger, Platform, PlatformTabs } from '../../platform/port.js'
import type { OwnStatus } from '../../streams/utxos/unconfirmed/record.js'
import type { Unconfirmed } from '../../streams/utxos/unconfirmed/unconfirmed.js'
import { ClaimsDatabase } from './claims-database.js'
import { EndedOwners } from './ended-owners.js'
import { OwnerLock } from './owner-lock.js'
import { toClaims } from './to-claims.js'
import { toPayment } from './to-payment.js'

/** How often claims are read while there are some, in ms: tabs may have ended, or the database may have failed. */
const POLL_INTERVAL = 5_000

export interface TabClaimsContext {
  readonly tabs: PlatformTabs
  /** The name of the database, the locks and the channel. */
  readonly name: string
  /** Whether the engine is still on the network of the claims. */
  readonly isCurrent: () => boolean
  readonly unconfirmed: Unconfirmed
  readonly platform: Pick<Platform, 'now' | 'scheduler'>
  readonly logger: Pick<ChainLogger, 'warn'>
  /** Called where other tabs' claims cannot be read. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The claims of this tab, and those of other tabs as reservations of this one. A claim ends as its reservation does:
 * released, rejected, settled or expired. Methods reject where the database fails, and after `close`.
 */
export class TabClaims implements PaymentClaims {
  readonly #database: ClaimsDatabase
  readonly #subscriptions = new Subscription()
  readonly #lock: OwnerLock
  readonly #ended: EndedOwners
  readonly #own = new Set<string>()
  /** The claims of other tabs, and of journals, with what releases them in this one. */
  readonly #foreign = new Map<string, Pick<Claim, 'kind'> & { readonly release: () => void }>()

  constructor(private readonly context: TabClaimsContext) {
    const { tabs, name, unconfirmed, platform, logger } = context
    this.#lock = new OwnerLock(tabs.locks, `${name} ${crypto.randomUUID()}`, () => this.#own.size > 0)
    this.#ended = new EndedOwners(tabs, platform.scheduler, this.#lock.name)
    this.#database = new ClaimsDatabase(tabs.databases, name, logger)
    const poll$ = interval(POLL_INTERVAL, platform.scheduler).pipe(
      filter(() => this.#foreign.size + this.#own.size > 0),
    )
    const read$ = merge(tabs.notified$(name), poll$).pipe(
      throttleTime(50, platform.scheduler, { leading: true, trailing: true }),
      concatMap(() => this.refresh().catch(this.#fail)),
    )
    // at most once a task: a block may change many reservations
    const changed$ = merge(unconfirmed.changed$, poll$).pipe(
      auditTime(0, platform.scheduler),
      concatMap(() => this.#endOver().catch(this.#fail)),
    )
    this.#subscriptions.add(read$.subscribe())
    this.#subscriptions.add(changed$.subscribe())
    // claims of a page that runs no code must end without it
    this.#subscriptions.add(tabs.suspended$.subscribe(() => this.#lock.release()))
  }

  claim(plan: ClaimedPlan, state: Claim['state']): Promise<ClaimResult> {
    return this.#lock.whileHeld(async () => {
      const owner = this.#lock.name
      const claims = toClaims(plan, { kind: 'payment', state, owner, at: this.context.platform.now() })
      const after = await this.#apply({ type: 'claim', claims })
      return this.#note(claims, hasClaims(after, claims) ? after : await this.#takeOver(claims, after))
    })
  }

  /** As `SharedClaims.mirror`. */
  async mirror(owner: string, plan: ClaimedPlan): Promise<void> {
    const claims = toClaims(plan, { kind: 'payout', state: 'sent', owner, at: this.context.platform.now() })
    this.#merge(await this.#apply({ type: 'mirror', owner, claims }))
    this.context.tabs.notify(this.context.name)
  }

  /** Reserves what other tabs have claimed, and releases what they have no longer. */
  async refresh(): Promise<void> {
    this.#merge(await this.#expire(await this.#opened.read()))
  }

  /** Ends the claims of this tab that were never sent, as if it was closed. */
  async close(): Promise<void> {
    this.#subscriptions.unsubscribe()
    this.#forget()
    this.#lock.release()
    await this.#database.close()
  }

  get #opened(): ClaimsDatabase {
    if (this.#subscriptions.closed) throw new Error('The claims of this tab are closed')
    return this.#database
  }

  async #apply(request: ClaimRequest): Promise<Claims> {
    return this.#opened.apply(request)
  }

  /** Without the claims of other tabs this one goes on alone. */
  readonly #fail = (error: unknown): void => {
    if (this.#subscriptions.closed) return
    this.#forget()
    this.context.onFailure(error)
  }

  #forget(): void {
    for (const { release } of this.#foreign.values()) release()
    this.#foreign.clear()
  }

  /** Claims the same payment again of a tab that has ended, as after a reload. */
  async #takeOver(claims: readonly Claim[], after: Claims): Promise<Claims> {
    const ended = await this.#ended.among(after)
    return claims.some(({ id }) => ended.has(id)) ? this.#apply({ type: 'claim', claims, ended }) : after
  }

  async #note(claims: readonly Claim[], after: Claims): Promise<ClaimResult> {
    if (hasClaims(after, claims)) {
      for (const { id } of claims) this.#own.add(id)
      this.#merge(after)
      await this.#endOver() // it was released meanwhile
      this.context.tabs.notify(this.context.name)
      return 'claimed'
    }
    const left = await this.#expire(after)
    this.#merge(left)
    return claims.some(({ id, owner }) => left.has(id) && left.get(id)?.owner !== owner) ? 'same-payment' : 'taken'
  }

  /** Deletes the claims of tabs that have ended. */
  async #expire(claims: Claims): Promise<Claims> {
    const ended = await this.#ended.among(claims)
    return ended.size === 0 ? claims : this.#apply({ type: 'expire', ended, knownFor: this.#ended.knownFor })
  }

  #merge(claims: Claims): void {
    if (this.#subscriptions.closed) return
    for (const [id, { release }] of this.#foreign) {
      if (claims.has(id) && !this.#own.has(id)) continue
      this.#foreign.delete(id)
      release()
    }
    for (const claim of claims.values()) {
      const { id, kind, owner } = claim
      if (this.#own.has(id) || this.#foreign.has(id)) continue
      if (owner === this.#lock.name) continue // it is about to be noted, or to end
      this.#foreign.set(id, { kind, release: this.#reserve(claim) })
    }
  }

  #reserve(claim: Claim): () => void {
    if (this.#stepOf(claim.id) === 'accepted') return () => undefined // it is spent
    return this.context.unconfirmed.reserve(toPayment(claim), Infinity)
  }

  /**
   * Ends claims of this tab with their reservations, and those of others that this tab has seen settled or replaced.
   * Those of another network stay: what was sent there may be accepted.
   */
  async #endOver(): Promise<void> {
    if (!this.context.isCurrent()) return
    const isOver = (id: string): boolean => ['none', 'accepted'].includes(this.#stepOf(id))
    const over = [...this.#own].filter(isOver)
    const settled = [
      ...over.filter((id) => this.#stepOf(id) === 'accepted'),
      ...[...this.#foreign].flatMap(([id, { kind }]) => (kind === 'payment' && isOver(id) ? id : [])),
    ]
    if (over.length + settled.length === 0) return
    for (const id of over) this.#own.delete(id)
    try {
      const after = await this.#apply({ type: 'end', owner: this.#lock.name, released: over, settled })
      this.#merge(after)
    } catch (error) {
      for (const id of over) this.#own.add(id) // to be ended later
      throw error
    }
    this.#lock.releaseUnused()
    this.context.tabs.notify(this.context.name)
  }

  #stepOf(id: string): OwnStatus['step'] {
    return this.context.unconfirmed.records.all.get(id)?.own.step ?? 'none'
  }
}
