import { EMPTY, Subscription, catchError, defer, from, merge, switchMap, timer } from 'rxjs'
import { ChainError, toChainError } from '../../../errors/chain-error.js'
import type { NodeLink } from '../../session/node-link.js'
import type { Histories, HistoriesEvent } from './reduce-histories.js'
import type { HistoryRow } from './entry.js'
import { countRows } from './to-list.js'

/** A page of an address's history. */
export interface IndexerPage {
  readonly rows: readonly HistoryRow[]
  /** The block time below which the next page begins; null after the last one. */
  readonly before: number | null
}

/** Reads a page of an address from the indexer: the newest one for `before` undefined. */
export type ReadPage = (address: string, limit: number, before: number | undefined) => Promise<IndexerPage>

/** The state that lists share. */
export interface HistoryStore {
  readonly state: () => Histories
  readonly dispatch: (event: HistoriesEvent) => void
}

/** What a list needs of the indexer's pages. */
export interface PageNeeds {
  readonly addresses: ReadonlySet<string>
  /** Transactions of a page. */
  readonly limit: number
  /** How many rows of each address the list needs. */
  readonly shown: number
}

export interface HistoryPages {
  /**
   * Reads the missing pages of a list, one after the other, while one in `MAX_FRUITLESS` has something new. Retries
   * what has failed.
   */
  readonly read: (needs: PageNeeds) => void
  /** Whether a page of one of the addresses is being read. */
  readonly isReading: (addresses: ReadonlySet<string>) => boolean
  /** Reads the newest pages again later, after the chain began again. */
  readonly readNewestAgain: () => void
  /** Aborts what is read for addresses, all by default. */
  readonly close: (addresses?: Iterable<string>) => void
}

/** The indexer's limit of a page. */
const MAX_PAGE = 500

/**
 * Pages in a row without a transaction that is not known yet. The indexer leaves out what was not accepted; a false one
 * could send such pages without end.
 */
export const MAX_FRUITLESS = 20

/**
 * How long after the beginning, in ms, the newest page is read again: by then the indexer has what the chain had at
 * first.
 */
const READ_AGAIN = [5_000, 30_000]

/** The indexer's pages of all lists, each read once. */
export function createHistoryPages(
  readPage: ReadPage,
  { platform }: Pick<NodeLink, 'platform'>,
  { state, dispatch }: HistoryStore,
): HistoryPages {
  const opened = new Map<string, { readonly limit: number; readonly lifetime: Subscription; again: Subscription }>()
  const reading = new Set<string>()

  function open(address: string, limit: number): Subscription {
    const known = opened.get(address)
    if (known !== undefined) return known.lifetime
    const lifetime = new Subscription()
    opened.set(address, { limit, lifetime, again: readNewestLater(address, limit, lifetime) })
    return lifetime
  }

  function readNewestLater(address: string, limit: number, lifetime: Subscription): Subscription {
    const times$ = merge(...READ_AGAIN.map((ms) => timer(ms, platform.scheduler)))
    const readAgain$ = defer(() => readPage(address, limit, undefined)).pipe(
      catchError(() => EMPTY), // the failure of the first page is reported
    )
    const again = times$.pipe(switchMap(() => readAgain$)).subscribe(({ rows }) => {
      dispatch({ type: 'newest-page', rows })
    })
    lifetime.add(again)
    return again
  }

  const read = (needs: PageNeeds): void => {
    for (const address of needs.addresses) readMissing(address, needs, MAX_FRUITLESS)
  }

  /** `left`: how many pages without anything new may follow. */
  function readMissing(address: string, needs: PageNeeds, left: number): void {
    const before = state().byAddress.get(address)?.before
    const isMissing = before === undefined || (before !== null && countRows(state(), address) < needs.shown)
    if (!isMissing || reading.has(address)) return
    if (left > 0) readNext(address, before ?? undefined, needs, left)
    else dispatch({ type: 'page-failed', address, error: fruitless() })
  }

  function readNext(address: string, before: number | undefined, needs: PageNeeds, left: number): void {
    const limit = Math.min(needs.limit, MAX_PAGE)
    const lifetime = open(address, limit)
    reading.add(address)
    const ended = new Subscription(() => reading.delete(address))
    lifetime.add(ended)
    const request = from(readPage(address, limit, before)).subscribe({
      next: (page) => {
        ended.unsubscribe()
        const known = countRows(state(), address)
        dispatch({ type: 'page', address, ...page })
        readMissing(address, needs, countRows(state(), address) > known ? MAX_FRUITLESS : left - 1)
      },
      error: (cause: unknown) => {
        ended.unsubscribe()
        dispatch({ type: 'page-failed', address, error: toChainError(cause, 'The indexer cannot be read') })
      },
    })
    lifetime.add(request)
  }

  return {
    read,
    isReading: (addresses) => [...addresses].some((address) => reading.has(address)),
    readNewestAgain() {
      for (const [address, entry] of opened) {
        entry.again.unsubscribe()
        entry.again = readNewestLater(address, entry.limit, entry.lifetime)
      }
    },
    close(addresses = [...opened.keys()]) {
      for (const address of addresses) {
        opened.get(address)?.lifetime.unsubscribe()
        opened.delete(address)
      }
    },
  }
}

const fruitless = (): ChainError =>
  new ChainError(`The indexer has sent ${MAX_FRUITLESS} pages without a transaction that is not known yet`, {
    code: 'unexpected-response',
    hint: 'Load more to go on, or use another indexer.',
  })
