import {
  type Observable,
  Subject,
  Subscription,
  auditTime,
  concatMap,
  filter,
  interval,
  merge,
  share,
  tap,
  throttleTime,
} from 'rxjs'
import type { Claim } from '../../model/claims/claim.js'
import { hasClaims, type ClaimRequest, type Claims } from '../../model/claims/reduce-claims.js'
import type { ClaimResult, ClaimedPlan, PaymentClaims } from '../../operations/transactions/transaction-operations.js'
import type { ChainLogger, Platform, PlatformTabs } from '../../platform/port.js'
import type { OwnStatus } from '../../streams/utxos/unconfirmed/record.js'
import type { Unconfirmed } from '../../streams/utxos/unconfirmed/unconfirmed.js'
import { ClaimsDatabase } from './claims-database.js'
import { EndedOwners, OwnerLock } from './claim-owners.js'
import { ForeignClaims, toClaims } from './foreign-claims.js'

/** How often claims are read while there are some, in ms: tabs may have ended, or the database may have failed. */
const POLL_INTERVAL = 5_000

/** How long, in ms, changes of other tabs are gathered before they are reserved here; and while this one claims. */
const [GATHERED, GATHERED_LONG] = [50, 500]

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
  readonly #foreign: ForeignClaims
  /** Emits after each transaction of this tab. */
  readonly #done$ = new Subject<void>()
  /** Transactions of this tab that have not ended. */
  #running = 0
  /** Whether another tab may have changed claims since the last transaction of this one began. */
  #isStale = false

  constructor(private readonly context: TabClaimsContext) {
    const { tabs, name, unconfirmed, platform, logger } = context
    this.#lock = new OwnerLock(tabs.locks, `${name} ${crypto.randomUUID()}`, () => this.#own.size > 0)
    this.#ended = new EndedOwners(tabs, platform.scheduler, this.#lock.name)
    this.#database = new ClaimsDatabase(tabs.databases, name, logger)
    // a claim with the lock of this tab is about to be noted, or to end
    this.#foreign = new ForeignClaims(unconfirmed, ({ id, owner }) => this.#own.has(id) || owner === this.#lock.name)
    const poll$ = interval(POLL_INTERVAL, platform.scheduler).pipe(
      filter(() => this.#foreign.size + this.#own.size > 0),
      share(),
    )
    const isIdle = (): boolean => this.#running === 0
    const polled$ = poll$.pipe(concatMap(() => this.refresh().catch(this.#fail)))
    // a tab that claims reads with its own transactions what others have
    const notified$ = tabs.notified$(name).pipe(tap(() => (this.#isStale = true)))
    const read$ = merge(notified$, this.#done$).pipe(
      throttleTime(GATHERED, platform.scheduler, { leading: true, trailing: true }),
      filter(() => this.#isStale && isIdle()),
      concatMap(() => this.#update().catch(this.#fail)),
    )
    const gathered = (ms: number): Observable<void> =>
      this.#done$.pipe(throttleTime(ms, platform.scheduler, { leading: false, trailing: true }))
    const merged$ = merge(gathered(GATHERED).pipe(filter(isIdle)), gathered(GATHERED_LONG))
    // at most once a task: a block may change many reservations
    const changed$ = merge(unconfirmed.changed$, poll$).pipe(
      auditTime(0, platform.scheduler),
      concatMap(() => this.#endOver().catch(this.#fail)),
    )
    this.#subscriptions.add(merge(polled$, read$, changed$).subscribe())
    this.#subscriptions.add(merged$.subscribe(() => this.#merge()))
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
    await this.#apply({ type: 'mirror', owner, claims })
    this.#merge()
  }

  /** Reserves what other tabs have claimed, and releases what they have no longer. */
  async refresh(): Promise<void> {
    await this.#expire(await this.#run((database) => database.read()))
    this.#merge()
  }

  /** Ends the claims of this tab that were never sent, as if it was closed. */
  async close(): Promise<void> {
    this.#subscriptions.unsubscribe()
    this.#foreign.release()
    this.#lock.release()
    await this.#database.close()
  }

  async #run<T>(work: (database: ClaimsDatabase) => Promise<T>): Promise<T> {
    if (this.#subscriptions.closed) throw new Error('The claims of this tab are closed')
    this.#running++
    this.#isStale = false
    try {
      return await work(this.#database)
    } finally {
      this.#running--
      this.#done$.next()
    }
  }

  /** The claims after a request, and after the end of what is over, in the same transaction. */
  async #apply(...requests: readonly ClaimRequest[]): Promise<Claims> {
    const { name: owner } = this.#lock
    const { released, settled } = this.#over()
    for (const id of released) this.#own.delete(id)
    const ends = released.length + settled.length > 0
    try {
      const { claims, isChanged } = await this.#run((database) =>
        database.apply(ends ? [{ type: 'end', owner, released, settled }, ...requests] : requests),
      )
      if (isChanged) this.context.tabs.notify(this.context.name)
      return claims
    } catch (error) {
      for (const id of released) this.#own.add(id) // to be ended later
      throw error
    }
  }

  /** Without the claims of other tabs this one goes on alone. */
  readonly #fail = (error: unknown): void => {
    if (this.#subscriptions.closed) return
    this.#foreign.release()
    this.context.onFailure(error)
  }

  /** Claims the same payment again of a tab that has ended, as after a reload. */
  async #takeOver(claims: readonly Claim[], after: Claims): Promise<Claims> {
    const ended = await this.#ended.among(after)
    return claims.some(({ id }) => ended.has(id)) ? this.#apply({ type: 'claim', claims, ended }) : after
  }

  async #note(claims: readonly Claim[], after: Claims): Promise<ClaimResult> {
    if (hasClaims(after, claims)) {
      for (const { id } of claims) this.#own.add(id)
      if (claims.some(({ id }) => this.#foreign.has(id))) this.#merge()
      await this.#endOver() // it was released meanwhile
      return 'claimed'
    }
    const left = await this.#expire(after)
    this.#merge()
    return claims.some(({ id, owner }) => left.has(id) && left.get(id)?.owner !== owner) ? 'same-payment' : 'taken'
  }

  /** Deletes the claims of tabs that have ended. */
  async #expire(claims: Claims): Promise<Claims> {
    const ended = await this.#ended.among(claims)
    return ended.size === 0 ? claims : this.#apply({ type: 'expire', ended, knownFor: this.#ended.knownFor })
  }

  async #update(): Promise<void> {
    await this.#run((database) => database.update())
    this.#merge()
  }

  #merge(): void {
    if (!this.#subscriptions.closed) this.#foreign.merge(this.#database.known)
  }

  async #endOver(): Promise<void> {
    const { released, settled } = this.#over()
    if (released.length + settled.length === 0) return
    await this.#apply()
    this.#merge()
    this.#lock.releaseUnused()
  }

  /**
   * Claims of this tab that end with their reservations, and those of others that this tab has seen settled or
   * replaced. Those of another network stay: what was sent there may be accepted.
   */
  #over(): { readonly released: readonly string[]; readonly settled: readonly string[] } {
    if (!this.context.isCurrent()) return { released: [], settled: [] }
    const stepOf = (id: string): OwnStatus['step'] => this.context.unconfirmed.records.all.get(id)?.own.step ?? 'none'
    const isOver = (id: string): boolean => ['none', 'accepted'].includes(stepOf(id))
    const released = [...this.#own].filter(isOver)
    const settled = released.filter((id) => stepOf(id) === 'accepted')
    return { released, settled: [...settled, ...this.#foreign.payments().filter(isOver)] }
  }
}
