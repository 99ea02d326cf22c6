import { catchError, defer, firstValueFrom, map, merge, of, Subject, switchMap, take, EMPTY } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSteps$, type Steps } from '../../loading/steps.js'
import { decodeColumns, encodeColumns } from '../../model/last-state/columns.js'
import { toSetKey, decodeSummary, encodeSummary, type LastSummary } from '../../model/last-state/summary.js'
import { toHex } from '../../model/hex.js'
import type { ChainNetwork } from '../../model/network.js'
import { selectRecords } from '../../model/utxo-columns/records.js'
import type { UtxoPart } from '../../model/utxo-source/source.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { PlatformTabs } from '../../platform/port.js'
import type { Restored } from './restored.js'
import { StateDatabase, toDatabaseName } from './state-database.js'

/** A fresh state, to be written. */
export interface LiveSnapshot extends Pick<LastSummary, 'daaScore' | 'byAddress'> {
  readonly parts: readonly UtxoPart[]
}

export interface StoredStatesContext {
  readonly databases: PlatformTabs['databases']
  /** The option `shared.name`. */
  readonly name: string
  readonly network: ChainNetwork
  /** Ms. */
  readonly maxAge: number
  /** Unix ms. */
  readonly now: () => number
  readonly onStored: () => void
  readonly onFailure: (error: unknown) => void
}

/** The last states of a network, checked when they are read. Its streams never error, and its methods never reject. */
export class StoredStates {
  readonly #database: StateDatabase
  /** Whether the storage was full: nothing is written any more. */
  #isFull = false
  /** The calls of `forget`. */
  #forgotten = 0
  #isPruned = false

  constructor(private readonly context: StoredStatesContext) {
    const { databases, name, network, maxAge } = context
    this.#database = new StateDatabase(databases, toDatabaseName(name, network), maxAge)
  }

  /** What is stored of some addresses, and once more when its entries were read; null where nothing is. */
  restored$(addresses: readonly string[]): Observable<Restored | null> {
    const key = toSetKey(addresses)
    return defer(() => this.#readSummary(key)).pipe(
      catchError((error: unknown) => {
        this.#fail(error)
        return of(undefined)
      }),
      switchMap((summary) => (summary === undefined ? of(null) : this.#restore$(key, addresses, summary))),
    )
  }

  /** Writes a state: unless another tab has just done so, or because the page is `hidden`, and may end. */
  async write(key: string, { parts, ...balances }: LiveSnapshot, cause: 'changed' | 'hidden'): Promise<void> {
    if (this.#isFull) return
    const { network, now } = this.context
    const forgotten = this.#forgotten
    try {
      const columns = await run(encodeColumns(parts, network))
      const digest = columns === undefined ? null : toHex(columns.digest)
      const asOf = now()
      const summary = await run(encodeSummary({ ...balances, network, asOf, columns: digest }))
      if (forgotten !== this.#forgotten) return
      const size = { asOf, size: summary.bytes.length + (columns?.bytes.length ?? 0), columns: digest }
      const records = { summary: summary.bytes, columns: columns?.bytes ?? null, size }
      await (cause === 'hidden' ? this.#database.writeLast(key, records) : this.#database.write(key, records))
      this.context.onStored()
    } catch (error) {
      this.#fail(error)
      if (isQuota(error)) await this.#stop()
    }
  }

  /** Deletes what is stored of a set of addresses. */
  async remove(key: string): Promise<void> {
    await this.#database.remove(key).catch(this.#fail)
  }

  /** What is being written is not stored. */
  forget(): void {
    this.#forgotten++
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  async #readSummary(key: string): Promise<LastSummary | undefined> {
    const record = await this.#database.readSummary(key)
    this.#prune()
    if (record === undefined) return undefined
    const { network, maxAge, now } = this.context
    const summary = await run(decodeSummary(record, { key, network, maxAge, now: now() }))
    if (summary === undefined) await this.remove(key)
    return summary
  }

  #restore$(key: string, addresses: readonly string[], summary: LastSummary): Observable<Restored> {
    const requested$ = new Subject<void>()
    const request = (): readonly UtxoEntry[] => {
      requested$.next()
      return []
    }
    const read$ = requested$.pipe(
      take(1),
      switchMap(() => this.#readEntries(key, summary)),
      catchError((error: unknown) => {
        this.#fail(error)
        return EMPTY
      }),
      map((entries): Restored => ({ addresses, summary, entries: () => entries })),
    )
    return merge(read$, of({ addresses, summary, entries: request })) // a subscriber may request them at once
  }

  async #readEntries(key: string, { network, columns: digest, byAddress }: LastSummary): Promise<readonly UtxoEntry[]> {
    const record = digest === null ? undefined : await this.#database.readColumns(key)
    if (digest === null || record === undefined) return []
    const columns = await run(decodeColumns(record, { network, digest, isOwn: (address) => byAddress.has(address) }))
    if (columns !== undefined) return selectRecords(columns, () => true)
    await this.remove(key)
    return []
  }

  /** Once, after the first read, which it must not delay. */
  #prune(): void {
    if (!this.#isPruned) void this.#database.prune(this.context.now()).catch(this.#fail)
    this.#isPruned = true
  }

  async #stop(): Promise<void> {
    this.#isFull = true
    await this.#database.delete().catch(this.#fail)
  }

  readonly #fail = (error: unknown): void => this.context.onFailure(error)
}

const run = <Result>(steps: Steps<Result>): Promise<Result> => firstValueFrom(inSteps$(steps))

const isQuota = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'
