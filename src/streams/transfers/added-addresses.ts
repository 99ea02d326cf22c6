import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import { startBackfill, type Backfill, type BackfillContext, type BackfillHandlers } from './backfill.js'
import type { TransferTransaction } from './transfer.js'

/** Passes over the chain at a time, each for many addresses. */
const MAX_PASSES = 3

/** Addresses that have caught up with the followed chain. */
export interface CaughtUp {
  readonly addresses: ReadonlySet<string>
  /** The blue score of the block after which they count. */
  readonly start: bigint
  /** Their opening credits, and their transfers up to the position. */
  readonly transactions: readonly TransferTransaction[]
}

/** Addresses that wait for a pass, which begins at `since` or at the position that is current then. */
interface Waiting {
  readonly since: string | undefined
  readonly addresses: Set<string>
}

/** Added addresses that do not count yet: a pass of its own reads what they had, and never disturbs the followed chain. */
export class AddedAddresses {
  readonly #pending = new Set<string>()
  #waiting: readonly Waiting[] = []
  #passes: readonly Backfill[] = []

  constructor(
    private readonly context: BackfillContext,
    private readonly handlers: BackfillHandlers,
  ) {}

  has(address: string): boolean {
    return this.#pending.has(address)
  }

  add(addresses: readonly string[], since: string | undefined): void {
    const same = this.#waiting.find((one) => one.since === since)
    if (same === undefined) this.#waiting = [...this.#waiting, { since, addresses: new Set(addresses) }]
    for (const address of addresses) {
      same?.addresses.add(address)
      this.#pending.add(address)
    }
  }

  /** Forgets addresses, also in passes that have begun: one that is added again gets a new pass. */
  delete(addresses: readonly string[]): void {
    for (const address of addresses) {
      if (!this.#pending.delete(address)) continue
      for (const { addresses: waiting } of this.#waiting) waiting.delete(address)
      for (const pass of this.#passes) pass.delete(address)
    }
  }

  /** Begins the passes that are due, by default at a cursor. Throws `ChainError` for a `since` that is no cursor. */
  begin(cursor: string): void {
    while (this.#waiting.length > 0 && this.#passes.length < MAX_PASSES) {
      const [{ since = cursor, addresses } = fail(), ...later] = this.#waiting
      this.#waiting = later
      if (addresses.size === 0) continue
      const pass = startBackfill(this.context, { cursor: since, addresses, keeps: 'transfers' }, this.handlers)
      pass.ready.catch(() => undefined) // passed to `onFailure` as well
      this.#passes = [...this.#passes, pass]
    }
  }

  /** Ends the first pass that has caught up with a position. */
  takeAt(position: LocatorEntry): CaughtUp | undefined {
    const pass = this.#passes.find((one) => one.covers(position))
    if (pass === undefined) return undefined
    this.#passes = this.#passes.filter((one) => one !== pass)
    pass.end()
    for (const address of pass.addresses) this.#pending.delete(address)
    return { addresses: pass.addresses, start: pass.start().blueScore, transactions: pass.take(position) }
  }

  end(): void {
    for (const pass of this.#passes) pass.end()
    this.#waiting = []
  }
}

function fail(): never {
  throw new RangeError('No address waits')
}
