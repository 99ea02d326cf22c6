import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import { startBackfill, type Backfill, type BackfillContext, type BackfillHandlers } from './backfill.js'
import type { TransferTransaction } from './transfer.js'
import type { AddOptions } from './watched-addresses.js'

/**
 * Passes over the chain at a time, each for many addresses: of those with `since`, and as many of the others, which
 * never wait for them.
 */
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
interface Waiting extends AddOptions {
  readonly addresses: Set<string>
}

interface Pass extends Backfill {
  readonly isBackdated: boolean
}

/**
 * Added addresses that do not count yet: a pass of its own reads what they had, and never disturbs the followed chain.
 */
export class AddedAddresses {
  readonly #pending = new Set<string>()
  #waiting: readonly Waiting[] = []
  #passes: readonly Pass[] = []

  constructor(
    private readonly context: BackfillContext,
    private readonly handlers: BackfillHandlers,
  ) {}

  has(address: string): boolean {
    return this.#pending.has(address)
  }

  add(addresses: readonly string[], { since, onFailure }: AddOptions): void {
    const same = this.#waiting.find((one) => one.since === since && one.onFailure === onFailure)
    if (same === undefined) this.#waiting = [...this.#waiting, { since, onFailure, addresses: new Set(addresses) }]
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
    for (const pass of this.#passes) if (pass.addresses.size === 0) this.#end(pass)
  }

  /** Begins the passes that are due, by default at a cursor, which is encoded where one begins. */
  begin(toCursor: () => string): void {
    const due = this.#waiting
    this.#waiting = []
    for (const one of due) {
      const isBackdated = one.since !== undefined
      const running = this.#passes.filter((pass) => pass.isBackdated === isBackdated).length
      if (running >= MAX_PASSES) this.#waiting = [...this.#waiting, one]
      else if (one.addresses.size > 0) this.#begin(one, one.since ?? toCursor())
    }
  }

  /** Ends the first pass that has caught up with a position. */
  takeAt(position: LocatorEntry): CaughtUp | undefined {
    const pass = this.#passes.find((one) => one.covers(position))
    if (pass === undefined) return undefined
    this.#end(pass)
    for (const address of pass.addresses) this.#pending.delete(address)
    return { addresses: pass.addresses, start: pass.start().blueScore, transactions: pass.take(position) }
  }

  end(): void {
    for (const pass of this.#passes) pass.end()
    this.#waiting = []
  }

  #begin({ since, addresses, onFailure = this.handlers.onFailure }: Waiting, cursor: string): void {
    let pass: Pass | undefined
    const fail = (error: unknown): void => {
      if (pass !== undefined) this.#end(pass)
      onFailure(error) // the addresses stay pending: they do not count
    }
    const request = { cursor, addresses, keeps: 'transfers' } as const
    try {
      const started = startBackfill(this.context, request, { ...this.handlers, onFailure: fail })
      started.ready.catch(() => undefined) // passed to `onFailure` as well
      pass = { ...started, isBackdated: since !== undefined }
      this.#passes = [...this.#passes, pass]
    } catch (error) {
      fail(error) // it is no cursor
    }
  }

  #end(pass: Pass): void {
    this.#passes = this.#passes.filter((one) => one !== pass)
    pass.end()
  }
}
