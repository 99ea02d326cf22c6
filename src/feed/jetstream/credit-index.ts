import type { ChainNetwork } from '../../model/network.js'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'
import type { StoredCredit } from '../../streams/transfers/known-outputs.js'
import type { FeedStep } from '../sink.js'
import type { JetStreamClients } from './clients.js'
import type { TransferMessage } from './messages.js'
import { streamOf, transferSubjects } from './subjects.js'

/** How many messages are requested at a time. */
const READ_AHEAD = 1_000

/**
 * Finds delivered credits by outpoint. Only blocks that a node does not return whole need it, so the stream is read
 * when the first one comes. Address and amount of an outpoint never change: credits that were undone, or belong to a
 * superseded attempt, do no harm.
 */
export class CreditIndex {
  readonly #credits = new Map<OutpointKey, StoredCredit>()
  #reading: Promise<void> | undefined

  constructor(
    private readonly clients: JetStreamClients,
    private readonly network: ChainNetwork,
  ) {}

  /** Adds the credits of a step that was delivered, where the stream has been read. */
  add({ transactions }: FeedStep): void {
    if (this.#reading === undefined) return
    for (const { transfers } of transactions)
      for (const { direction, outpoint, address, amount, covenantId } of transfers)
        if (direction === 'credit')
          this.#credits.set(toOutpointKey(outpoint), { outpoint, address, amount, covenantId })
  }

  async find(outpoints: readonly Outpoint[]): Promise<readonly StoredCredit[]> {
    this.#reading ??= this.#read()
    await this.#reading
    return outpoints.flatMap((outpoint) => this.#credits.get(toOutpointKey(outpoint)) ?? [])
  }

  async #read(): Promise<void> {
    const options = { filter_subjects: transferSubjects(this.network) }
    const consumer = await this.clients.manager.jetstream().consumers.get(streamOf(this.network), options)
    const { num_pending: pending } = await consumer.info()
    if (pending === 0) return
    for await (const message of await consumer.consume({ max_messages: READ_AHEAD })) {
      const { direction, outpoint, address, amount, covenantId } = message.json<TransferMessage>()
      if (direction === 'credit')
        this.#credits.set(toOutpointKey(outpoint), { outpoint, address, amount: BigInt(amount), covenantId })
      if (message.info.pending === 0) break
    }
  }
}
