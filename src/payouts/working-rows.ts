import { PayoutError, SessionDropped } from '../errors/payout-error.js'
import type { OutpointKey } from '../model/utxo.js'
import { createExclusive } from '../sql/session.js'
import { JournalRows } from '../streams/payouts/journal-rows.js'
import type { JournalChange, JournalSession, PayoutGroup, PayoutRecord } from '../streams/payouts/journal.js'

/** How often a change is decided again from rows that another instance, or a caller, has changed. */
const MAX_ATTEMPTS = 5

/** The rows of groups that are not settled, in memory and in the journal alike. Writes one change after the other. */
export class WorkingRows {
  readonly #rows = new JournalRows()
  readonly #exclusive = createExclusive()

  constructor(readonly session: JournalSession) {}

  async load(): Promise<void> {
    const [wallet, groups] = [await this.session.wallet(), await this.session.groups({ of: 'open' })]
    this.#rows.clear()
    this.#rows.wallet = wallet
    this.#rows.load(groups)
  }

  get wallet() {
    return this.#rows.wallet
  }

  get groups(): readonly PayoutGroup[] {
    return this.#rows.groups
  }

  group(id: string): PayoutGroup | undefined {
    return this.#rows.group(id)
  }

  payout(id: string): PayoutRecord | undefined {
    return this.#rows.payouts.get(id)
  }

  /** The group of an attempt. */
  groupOf(transactionId: string): PayoutGroup | undefined {
    return this.#rows.groupOf(transactionId)
  }

  /** The outpoints that these groups spend, with their ids. */
  get claims(): ReadonlyMap<OutpointKey, string> {
    return this.#rows.claims
  }

  isAttempt(transactionId: string): boolean {
    return this.#rows.groupOf(transactionId) !== undefined
  }

  /**
   * Whether somebody else has spent from the addresses, which no caller has acknowledged. What was planned before may
   * spend the same, and the chain would never show the conflict: it lies before the claim.
   */
  get hasForeignDebit(): boolean {
    return this.#rows.wallet.debits.some(({ isAcknowledged }) => !isAcknowledged)
  }

  /** Reads the wallet again, and groups that callers have changed. */
  refresh(): Promise<void> {
    return this.#exclusive(async () => {
      const wallet = await this.session.wallet()
      if (wallet.cursor !== this.#rows.wallet.cursor) throw takenOver() // what it has stored since is unknown here
      this.#rows.wallet = wallet
      this.#rows.load(await this.session.groups({ of: 'requested' }))
    })
  }

  /** Puts settled groups in that a step of the chain concerns. */
  add(groups: readonly PayoutGroup[]): void {
    this.#rows.load(groups)
  }

  /** Writes a position up to which no rows change. */
  async moveTo(to: string): Promise<void> {
    const from = this.#rows.wallet.cursor
    if (from !== to) await this.write(() => ({ cursor: { from, to } }))
  }

  /**
   * Writes what `decide` returns; undefined writes nothing. Where rows have changed since, it is decided again from the
   * new ones. Resolves to the change that was written. `unsigned`: payouts without a group that it concerns. `store`:
   * how it is written, by default on its own.
   */
  write(
    decide: () => JournalChange | undefined | Promise<JournalChange | undefined>,
    unsigned: readonly PayoutRecord[] = [],
    store = (change: JournalChange): Promise<boolean> => this.session.write(change),
  ): Promise<JournalChange | undefined> {
    return this.#exclusive(async () => {
      const { cursor } = this.#rows.wallet
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const change = await decide()
        if (change === undefined) return undefined
        if (await store(change)) {
          for (const payout of unsigned) this.#rows.setPayout(payout)
          this.#rows.apply(change)
          for (const { id } of unsigned) if (this.#rows.payouts.get(id)?.group === null) this.#rows.drop(id)
          this.#rows.forgetSettled()
          return change
        }
        await this.load()
        if (this.#rows.wallet.cursor !== cursor) throw takenOver()
        if (change.newAttempt !== undefined) return undefined // another instance was faster, or a caller has cancelled
      }
      throw takenOver()
    })
  }
}

/** Another instance works: this one stands by again, and reads everything again. */
export const takenOver = (): SessionDropped =>
  new SessionDropped(
    new PayoutError('Another instance works with this journal', {
      code: 'taken-over',
      hint: 'Nothing was written. This instance waits for the lease again.',
    }),
  )
