import type { SchedulerLike } from 'rxjs'
import type { Claim } from '../../model/claims/claim.js'
import type { Claims } from '../../model/claims/reduce-claims.js'
import type { PlatformTabs } from '../../platform/port.js'
import { toPromise } from '../../platform/indexed-database.js'
import { holdLock, type HeldLock } from '../../platform/tabs.js'

/** Databases of payout journals in a page begin so (`payouts/stores/indexed-db-rows`). */
const PREFIX = 'vue-chain/payouts/'

/** Finds claims whose tab has ended, and those of payouts that no journal has. */
export class EndedOwners {
  /** When this tab has read a claim first, by the monotonic clock. */
  readonly #readAt = new Map<string, { readonly at: number; readonly since: number }>()

  constructor(
    private readonly tabs: Pick<PlatformTabs, 'databases' | 'locks'>,
    private readonly scheduler: SchedulerLike,
    /** The owner of the claims of this tab. */
    private readonly own: string,
  ) {}

  /** The ms since this tab has read a claim first. */
  readonly knownFor = ({ id }: Claim): number => {
    const now = this.scheduler.now()
    return now - (this.#readAt.get(id)?.since ?? now)
  }

  /** Those of claims that were just read. The locks are read after them: an owner has its lock before its claims. */
  async among(claims: Claims): Promise<Claims> {
    this.#note(claims)
    const others = [...claims.values()].filter(({ owner }) => owner !== this.own)
    const [payouts, payments] = [others.filter(isPayout), others.filter((claim) => !isPayout(claim))]
    const ended = [...(await this.#withoutJournal(payouts)), ...(await this.#withoutLock(payments))]
    return new Map(ended.map((claim) => [claim.id, claim]))
  }

  #note(claims: Claims): void {
    const since = this.scheduler.now()
    for (const id of this.#readAt.keys()) if (!claims.has(id)) this.#readAt.delete(id)
    for (const { id, at } of claims.values()) if (this.#readAt.get(id)?.at !== at) this.#readAt.set(id, { at, since })
  }

  async #withoutLock(claims: readonly Claim[]): Promise<readonly Claim[]> {
    if (claims.length === 0) return []
    const held = new Set(((await this.tabs.locks.query()).held ?? []).map(({ name }) => name))
    return claims.filter(({ owner }) => !held.has(owner))
  }

  async #withoutJournal(claims: readonly Claim[]): Promise<readonly Claim[]> {
    const has = await Promise.all(claims.map(({ owner, id }) => hasGroup(this.tabs.databases, owner, id)))
    return claims.filter((_, at) => has[at] !== true)
  }
}

const isPayout = ({ kind }: Claim): boolean => kind === 'payout'

/**
 * Whether a journal of this origin has signed a transaction: another script may write claims of payouts, and a deleted
 * journal leaves some. A journal that cannot be read has what the claim says.
 */
async function hasGroup(databases: PlatformTabs['databases'], owner: string, transactionId: string): Promise<boolean> {
  const [journal = ''] = owner.split(' ')
  if (!journal.startsWith(PREFIX)) return false
  const request = databases.open(journal)
  request.onupgradeneeded = () => request.transaction?.abort() // there is none, and none is created
  try {
    return await countIn(await toPromise(request), transactionId)
  } catch (error) {
    return !(error instanceof DOMException && error.name === 'AbortError')
  }
}

async function countIn(database: IDBDatabase, transactionId: string): Promise<boolean> {
  try {
    const groups = database.transaction('groups').objectStore('groups')
    return (await toPromise(groups.index('transactions').count(transactionId))) > 0
  } finally {
    database.close()
  }
}

/** The Web Lock of a tab, held while it makes claims or has some: a tab whose lock is free has ended. */
export class OwnerLock {
  #held: Promise<HeldLock> | undefined
  /** Claims that are being made. */
  #users = 0

  constructor(
    private readonly locks: PlatformTabs['locks'],
    readonly name: string,
    /** Whether the tab has claims. */
    private readonly isNeeded: () => boolean,
  ) {}

  /** Has the lock before the claims are seen. Rejects as `LockManager` does, and as `work` does. */
  async whileHeld<T>(work: () => Promise<T>): Promise<T> {
    this.#users++
    try {
      await this.#hold()
      return await work()
    } finally {
      this.#users--
      this.releaseUnused()
    }
  }

  releaseUnused(): void {
    if (this.#users === 0 && !this.isNeeded()) this.release()
  }

  release(): void {
    const held = this.#held
    this.#held = undefined
    void held?.then(
      ({ release }) => release(),
      () => undefined, // the claim that has requested it has the error
    )
  }

  async #hold(): Promise<void> {
    const held = (this.#held ??= holdLock(this.locks, this.name))
    try {
      await held
    } catch (error) {
      if (this.#held === held) this.#held = undefined
      throw error
    }
  }
}
