import { isValidAddress } from '../model/address.js'
import type { ChainNetwork } from '../model/network.js'
import type { TransferBatch } from '../streams/transfers/transfer.js'
import type { WatchedAddresses } from '../streams/transfers/watched-addresses.js'
import type { AddressRequest } from './address-request.js'
import type { ResolveSince } from './resolve-since.js'
import type { RequestTable } from './sink.js'

/** Addresses that are added at a time: their opening credits are one batch. */
const CHUNK = 10_000

/** Changes the watched set as requested: some requests at a time, the next ones after these are stored. */
export class AddressKeeper {
  /** Addresses whose pass over the chain is pending. */
  readonly #adding = new Set<string>()
  #removed: readonly string[] = []
  #isReading = false
  /** Requests that came while others were pending. */
  #isDue = false

  constructor(
    private readonly table: RequestTable,
    private readonly watched: WatchedAddresses,
    private readonly network: ChainNetwork,
    private readonly resolveSince: ResolveSince,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Reads further requests, unless others are pending: then after them. */
  advance(): void {
    this.#isDue = true
    if (this.#isReading || this.#adding.size > 0 || this.#removed.length > 0) return
    this.#isDue = false
    this.#isReading = true
    this.#read().then(
      (hasMore) => {
        this.#isReading = false
        if (hasMore || this.#isDue) this.advance()
      },
      (error: unknown) => this.onFailure(error),
    )
  }

  /** The addresses that were removed since the last step. */
  get removed(): readonly string[] {
    return this.#removed
  }

  /** After a step was stored. `unwanted` of its added addresses were deleted meanwhile. */
  stored({ added }: Pick<TransferBatch, 'added'>, removed: readonly string[], unwanted: readonly string[]): void {
    this.watched.delete(unwanted)
    for (const address of added) this.#adding.delete(address)
    this.#removed = this.#removed.filter((address) => !removed.includes(address))
    if (added.length > 0 || removed.length > 0) this.#isDue = true
    if (this.#isDue) this.advance()
  }

  /** Whether there was something, so that there may be more. */
  async #read(): Promise<boolean> {
    const requests = await this.table.read(CHUNK)
    for (const request of requests) {
      if (request.type === 'deleted') this.#delete(request.addresses)
      else await this.#add(request)
    }
    return requests.length > 0
  }

  #delete(addresses: readonly string[]): void {
    this.watched.delete(addresses)
    for (const address of addresses) this.#adding.delete(address)
    this.#removed = addresses
  }

  async #add({ addresses, since }: AddressRequest): Promise<void> {
    const accepted = new Set(addresses.filter((address) => isValidAddress(address, this.network)))
    const refused = addresses.filter((address) => !accepted.has(address))
    if (refused.length > 0) await this.table.refuse(refused, `no address of ${this.network}`)
    const valid = [...accepted].filter((address) => !this.watched.has(address))
    if (valid.length === 0) return
    const resolved = await this.resolveSince(since)
    if ('reason' in resolved) return this.table.refuse(valid, resolved.reason)
    for (const address of valid) this.#adding.add(address)
    this.watched.add(valid, { since: resolved.cursor })
  }
}
