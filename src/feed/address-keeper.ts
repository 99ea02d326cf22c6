import { ChainError } from '../errors/chain-error.js'
import { isValidAddress } from '../model/address.js'
import type { ChainNetwork } from '../model/network.js'
import type { WatchedAddresses } from '../streams/transfers/watched-addresses.js'
import type { AddressRequest, RequestIds, RequestLimits, RequestTable } from './sink.js'
import type { ResolveSince } from './resolve-since.js'

/** Addresses that are added at a time: their opening credits are one batch. */
export const CHUNK = 10_000

/** Passes from an older block at a time. Addresses without `since` never wait for them. */
const MAX_PASSES = 3

/** Addresses that are added together. */
interface Group {
  readonly since: string | undefined
  /** Those whose pass over the chain is pending. */
  readonly addresses: Set<string>
}

interface Adding {
  readonly group: Group
  /** Names the request. */
  readonly id: string | undefined
}

/** Removed addresses, with the names of their requests. */
export type Removed = ReadonlyMap<string, string | undefined>

const NONE: Removed = /*#__PURE__*/ new Map()

/**
 * Changes the watched set as requested. An address that is removed and added again is added once its removal is stored:
 * what an earlier pass has found for it is void, and cannot be taken for that of the later one.
 */
export class AddressKeeper {
  readonly #adding = new Map<string, Adding>()
  readonly #groups = new Set<Group>()
  /** Removals that are not stored yet. */
  readonly #removed = new Map<string, string | undefined>()
  /** Requests to add what is being removed. */
  #held: readonly AddressRequest[] = []
  /** Requests that were stored without effect, by address: once more, and they are refused. */
  readonly #ineffective = new Map<string, string>()
  readonly #refused = new Set<string>()
  #isReading = false
  /** Whether there may be requests that were not read. */
  #isDue = false

  constructor(
    private readonly table: RequestTable,
    private readonly watched: WatchedAddresses,
    private readonly network: ChainNetwork,
    private readonly resolveSince: ResolveSince,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Reads further requests. */
  advance(): void {
    this.#isDue = true
    if (this.#isReading) return
    this.#isReading = true
    this.#readAll().then(
      () => (this.#isReading = false),
      (error: unknown) => this.onFailure(error),
    )
  }

  /** The addresses that no longer count from the next step on. */
  get removed(): Removed {
    return this.#removed.size === 0 ? NONE : new Map(this.#removed)
  }

  /** Whether an address is still to be added by the pass that has found its transfers. */
  isAdding(address: string): boolean {
    return this.#adding.has(address)
  }

  /** Names of the requests that a step fulfils. */
  idsOf(added: readonly string[], removed: Removed): RequestIds {
    const ids = new Map<string, string>()
    const put = (address: string, id: string | undefined): void => {
      if (id !== undefined) ids.set(address, id)
    }
    for (const address of added) put(address, this.#adding.get(address)?.id)
    for (const [address, id] of removed) put(address, id)
    return ids
  }

  /** After a step was stored. `unwanted` addresses were removed from the table meanwhile. */
  stored(added: readonly string[], removed: Removed, unwanted: readonly string[]): void {
    for (const address of unwanted) {
      const id = this.#adding.get(address)?.id
      if (id !== undefined) this.#ineffective.set(address, id)
    }
    this.watched.delete(unwanted)
    for (const address of unwanted) this.#refused.delete(address) // its row is another one now
    for (const address of [...added, ...unwanted]) this.#drop(address)
    for (const [address, id] of removed) if (this.#removed.get(address) === id) this.#removed.delete(address)
    const held = this.#held
    this.#held = []
    for (const request of held) this.#add(request)
    if (this.#isDue || added.length + removed.size + unwanted.length > 0) this.advance()
  }

  async #readAll(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      for (const request of await this.table.read(this.#limits())) {
        const isNew = request.type === 'deleted' ? this.#delete(request) : this.#add(request)
        if (isNew) this.#isDue = true
      }
    }
  }

  #limits(): RequestLimits {
    const groups = [...this.#groups]
    const current = groups.filter(({ since }) => since === undefined)
    return {
      addresses: Math.max(
        0,
        current.reduce((free, { addresses }) => free - addresses.size, CHUNK),
      ),
      passes: Math.max(0, MAX_PASSES - (groups.length - current.length)),
      pending: [...this.#adding.keys(), ...this.#refused],
    }
  }

  /** Whether the request was not read before. */
  #delete({ addresses, ids }: Pick<AddressRequest, 'addresses' | 'ids'>): boolean {
    const fresh = addresses.filter(
      (address) => !this.#removed.has(address) || this.#removed.get(address) !== ids?.get(address),
    )
    this.watched.delete(fresh)
    for (const address of fresh) {
      this.#drop(address)
      this.#ineffective.delete(address)
      this.#refused.delete(address)
      this.#removed.set(address, ids?.get(address))
    }
    const isRemoved = new Set(addresses)
    this.#held = this.#held.map((one) => ({ ...one, addresses: one.addresses.filter((each) => !isRemoved.has(each)) }))
    return fresh.length > 0
  }

  /** Whether passes begin. */
  #add(request: AddressRequest): boolean {
    const { since, ids } = request
    if (ids !== undefined) this.#restart(request)
    const held = request.addresses.filter((address) => this.#removed.has(address))
    if (held.length > 0) this.#held = [...this.#held, { ...request, addresses: held }]
    const ineffective: string[] = []
    const invalid: string[] = []
    const group: Group = { since, addresses: new Set() }
    for (const address of request.addresses) {
      if (this.#removed.has(address) || this.watched.has(address) || this.#adding.has(address)) continue
      if (!isValidAddress(address, this.network)) invalid.push(address)
      else if (ids !== undefined && this.#ineffective.get(address) === ids.get(address)) ineffective.push(address)
      else group.addresses.add(address)
    }
    this.#refuse(invalid, `no address of ${this.network}`, ids)
    this.#refuse(ineffective, 'the database does not store that it is watched', ids)
    if (group.addresses.size === 0) return false
    this.#groups.add(group)
    for (const address of group.addresses) this.#adding.set(address, { group, id: ids?.get(address) })
    void this.#begin(group)
    return true
  }

  /** A row that is requested is not watched: where the address counts, its row was replaced without a trace. */
  #restart({ addresses, ids }: AddressRequest): void {
    const counting = addresses.filter((address) => this.watched.has(address) && !this.#adding.has(address))
    if (counting.length > 0) this.#delete({ addresses: counting, ids })
  }

  /** Begins the pass of a group. A `since` that the node cannot serve fails alone. */
  async #begin(group: Group): Promise<void> {
    try {
      const resolved = await this.resolveSince(group.since)
      if (group.addresses.size === 0) return
      if ('reason' in resolved) {
        this.#fail(group, resolved.reason)
        return
      }
      const onFailure = (error: unknown): void => {
        if (group.since !== undefined && isOfSince(error)) this.#fail(group, error.message)
        else this.onFailure(error)
      }
      this.watched.add(group.addresses, { since: resolved.cursor, onFailure })
    } catch (error) {
      this.onFailure(error)
    }
  }

  #fail(group: Group, reason: string): void {
    const addresses = [...group.addresses]
    const ids = this.idsOf(addresses, NONE)
    this.watched.delete(addresses)
    for (const address of addresses) this.#drop(address)
    this.#refuse(addresses, reason, ids)
    this.advance()
  }

  #refuse(addresses: readonly string[], reason: string, ids: RequestIds | undefined): void {
    if (addresses.length === 0) return
    for (const address of addresses) this.#refused.add(address) // its row may not take the error
    this.table.refuse(addresses, reason, ids).catch((error: unknown) => this.onFailure(error))
  }

  /** Forgets the pass of an address. */
  #drop(address: string): void {
    const group = this.#adding.get(address)?.group
    this.#adding.delete(address)
    group?.addresses.delete(address)
    if (group?.addresses.size === 0) this.#groups.delete(group)
  }
}

/** Whether a pass has failed because of the block where it begins. */
const isOfSince = (error: unknown): error is ChainError =>
  error instanceof ChainError && (error.code === 'history-gap' || error.code === 'invalid-argument')
