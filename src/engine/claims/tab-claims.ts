import { Subscription, filter, interval, merge, throttleTime } from 'rxjs'
import type { Claim } from '../../model/claims/claim.js'
import { hasClaims, type Claims } from '../../model/claims/reduce-claims.js'
import { toOutpointKey, toScriptKey } from '../../model/utxo.js'
import type { ClaimedPlan, PaymentClaims } from '../../operations/transactions/dependencies.js'
import { holdLock, type HeldLock } from '../../platform/hold-lock.js'
import type { ChainLogger, Platform, PlatformTabs } from '../../platform/port.js'
import type { Unconfirmed } from '../../streams/utxos/unconfirmed/unconfirmed.js'
import { ClaimsDatabase } from './claims-database.js'
import { toPayment } from './to-payment.js'

/** How often claims of other tabs are read while there are some, in ms: their tabs may have ended. */
const POLL_INTERVAL = 5_000

export interface TabClaimsContext {
  readonly tabs: PlatformTabs
  /** The name of the database, the locks and the channel. */
  readonly name: string
  readonly unconfirmed: Unconfirmed
  readonly platform: Pick<Platform, 'now' | 'scheduler'>
  readonly logger: Pick<ChainLogger, 'warn'>
  /** Called where other tabs' claims cannot be read. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The claims of this tab, and those of other tabs as reservations of this one. A claim ends as its reservation does:
 * released, rejected, settled or expired. Methods reject where the database fails.
 */
export class TabClaims implements PaymentClaims {
  readonly #database: ClaimsDatabase
  readonly #subscriptions = new Subscription()
  readonly #owner: string
  /** Held while this tab has claims. */
  #lock: Promise<HeldLock> | undefined
  /** Claims that are being made. */
  #users = 0
  readonly #own = new Set<string>()
  /** What releases the claims of other tabs in this one. */
  readonly #foreign = new Map<string, () => void>()
  /** When this tab has read a claim first, by the monotonic clock. */
  readonly #readAt = new Map<string, { readonly at: number; readonly since: number }>()

  constructor(private readonly context: TabClaimsContext) {
    const { tabs, name, unconfirmed, platform, logger } = context
    this.#owner = `${name} ${crypto.randomUUID()}`
    this.#database = new ClaimsDatabase(tabs.databases, name, logger)
    const poll$ = interval(POLL_INTERVAL, platform.scheduler).pipe(filter(() => this.#foreign.size > 0))
    const read$ = merge(tabs.notified$(name), poll$).pipe(
      throttleTime(50, platform.scheduler, { leading: true, trailing: true }),
    )
    this.#subscriptions.add(read$.subscribe(() => void this.refresh().catch(this.#fail)))
    this.#subscriptions.add(unconfirmed.changed$.subscribe(() => void this.#endOver().catch(this.#fail)))
    // claims of a page that runs no code must end without it
    this.#subscriptions.add(tabs.suspended$.subscribe(() => this.#release()))
  }

  async claim(plan: ClaimedPlan): Promise<boolean> {
    return this.#whileHeld(async () => {
      const claims = this.#toClaims(plan, 'planned')
      return this.#note(claims, await this.#database.apply({ type: 'claim', claims, replaces: plan.replaces }))
    })
  }

  async sent(plan: ClaimedPlan): Promise<boolean> {
    return this.#whileHeld(async () => {
      const claims = this.#toClaims(plan, 'sent')
      return this.#note(claims, await this.#database.apply({ type: 'sent', claims, replaces: plan.replaces }))
    })
  }

  /** Reserves what other tabs have claimed, and releases what they have no longer. */
  async refresh(): Promise<void> {
    this.#merge(await this.#expire(await this.#database.read()))
  }

  /** Ends the claims of this tab that were never sent, as if it was closed. */
  async close(): Promise<void> {
    this.#subscriptions.unsubscribe()
    this.#forget()
    this.#release()
    await this.#database.close()
  }

  /** Without the claims of other tabs this one goes on alone. */
  readonly #fail = (error: unknown): void => {
    this.#forget()
    this.context.onFailure(error)
  }

  #forget(): void {
    for (const release of this.#foreign.values()) release()
    this.#foreign.clear()
  }

  async #note(claims: readonly Claim[], after: Claims): Promise<boolean> {
    const isClaimed = hasClaims(after, claims)
    if (isClaimed) {
      for (const { id } of claims) this.#own.add(id)
      this.#merge(after)
      await this.#endOver() // it was released meanwhile
      this.context.tabs.notify(this.context.name)
    } else this.#merge(await this.#expire(after))
    return isClaimed
  }

  /** Has the lock of the owner before its claims are seen, and as long as there are any. */
  async #whileHeld<T>(work: () => Promise<T>): Promise<T> {
    this.#users++
    try {
      this.#lock ??= holdLock(this.context.tabs.locks, this.#owner)
      await this.#lock
      return await work()
    } finally {
      this.#users--
      this.#releaseUnused()
    }
  }

  #toClaims({ payments, change }: ClaimedPlan, state: Claim['state']): readonly Claim[] {
    return payments.map(({ id, inputs, outputs }) => {
      const own = new Set(
        [...inputs.flatMap(({ scriptPublicKey }) => scriptPublicKey ?? []), ...(change ? [change] : [])].map(
          toScriptKey,
        ),
      )
      return {
        version: 1,
        id,
        outpoints: inputs.map(({ outpoint }) => toOutpointKey(outpoint)),
        kind: 'payment',
        state,
        owner: this.#owner,
        at: this.context.platform.now(),
        change: outputs.flatMap(({ value, scriptPublicKey }, index) =>
          own.has(toScriptKey(scriptPublicKey)) ? [{ index, value, scriptPublicKey }] : [],
        ),
      }
    })
  }

  /** Deletes the claims of tabs that have ended. The locks are read after the claims: an owner has its lock before. */
  async #expire(claims: Claims): Promise<Claims> {
    const { tabs, platform } = this.context
    const now = platform.scheduler.now()
    for (const id of this.#readAt.keys()) if (!claims.has(id)) this.#readAt.delete(id)
    for (const { id, at } of claims.values())
      if (this.#readAt.get(id)?.at !== at) this.#readAt.set(id, { at, since: now })
    if ([...claims.values()].every(({ owner }) => owner === this.#owner)) return claims
    const held = new Set(((await tabs.locks.query()).held ?? []).map(({ name }) => name))
    const ended = new Map([...claims].filter(([, { owner }]) => !held.has(owner)))
    if (ended.size === 0) return claims
    const knownFor = ({ id }: Claim): number => now - (this.#readAt.get(id)?.since ?? now)
    return this.#database.apply({ type: 'expire', ended, knownFor })
  }

  #merge(claims: Claims): void {
    for (const [id, release] of this.#foreign) {
      if (claims.has(id) && !this.#own.has(id)) continue
      this.#foreign.delete(id)
      release()
    }
    for (const claim of claims.values()) {
      if (this.#own.has(claim.id) || this.#foreign.has(claim.id)) continue
      if (claim.owner === this.#owner) continue // it is about to be noted, or to end
      this.#foreign.set(claim.id, this.context.unconfirmed.reserve(toPayment(claim), Infinity))
    }
  }

  /** Ends claims of this tab with their reservations, and those of other tabs that this one has seen settled. */
  async #endOver(): Promise<void> {
    const { all } = this.context.unconfirmed.records
    const stepOf = (id: string): string => all.get(id)?.own.step ?? 'none'
    const own = [...this.#own].filter((id) => ['none', 'accepted'].includes(stepOf(id)))
    const foreign = [...this.#foreign.keys()].filter((id) => stepOf(id) === 'accepted')
    if (own.length + foreign.length === 0) return
    for (const id of own) this.#own.delete(id)
    for (const id of foreign) this.#foreign.delete(id)
    await this.#database.apply({ type: 'end', ids: [...own, ...foreign] })
    this.#releaseUnused()
    this.context.tabs.notify(this.context.name)
  }

  #releaseUnused(): void {
    if (this.#own.size === 0 && this.#users === 0) this.#release()
  }

  #release(): void {
    const lock = this.#lock
    this.#lock = undefined
    void lock?.then(({ release }) => release(), this.#fail)
  }
}
