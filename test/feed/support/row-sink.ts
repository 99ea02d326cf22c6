import type { FeedSession, FeedSink, FeedStep } from '../../../src/feed/sink.js'
import type { Transfer } from '../../../src/streams/transfers/transfer.js'

/** A sink that keeps rows, openings and cursor in memory, and undoes rows as the documentation says. */
export class RowSink implements FeedSink {
  readonly hasWatchTable = false
  transfers: readonly Transfer[] = []
  /** Each step that was stored, oldest first. */
  readonly steps: FeedStep[] = []
  #openings: ReadonlyMap<string, bigint> = new Map()
  #cursor: string | null = null

  hasAddress(address: string): boolean {
    return this.#openings.has(address)
  }

  open(): Promise<FeedSession> {
    return Promise.resolve({
      cursor: this.#cursor,
      watched: [...this.#openings.keys()],
      write: (step) => Promise.resolve(this.#write(step)),
      findOpenings: (above) =>
        [...this.#openings]
          .filter(([, score]) => score > above)
          .map(([address, blueScore]) => ({ address, blueScore })),
      dropped: new Promise<never>(() => undefined),
      close: () => Promise.resolve(),
    })
  }

  #write(step: FeedStep): readonly string[] {
    const { rollback, transactions, added, addedAfter, blueScore, cursor } = step
    this.steps.push(step)
    const isKept = ({ acceptingBlueScore }: Transfer): boolean =>
      rollback === null || acceptingBlueScore <= rollback.blueScore
    this.transfers = [...this.transfers.filter(isKept), ...transactions.flatMap(({ transfers }) => transfers)]
    const opened = added.map((address) => [address, addedAfter ?? blueScore] as const)
    this.#openings = new Map([...this.#openings, ...opened])
    this.#cursor = cursor
    return []
  }
}
