import { fields, integer, nonNegative, type Check } from './arguments.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { ChainRestError } from '../../errors/rest-error.js'
import { type Arguments, type CallEndpoint, type Endpoint, verifyInvolved } from './endpoint.js'
import { ADDRESS } from '../requests/prepared-request.js'
import type { ChainRestTransaction, ChainRestTransactionPage } from '../records/transactions.js'
import { acceptance, resolution, resolved, type ResolveOptions } from './transactions.js'

export interface AddressTransactionsOptions extends ResolveOptions {
  /** 1 to 500. @default 50 */
  readonly limit?: number | undefined
  /** How many of the newest to skip. @default 0 */
  readonly offset?: number | undefined
  /** The top-level fields of the returned records. @default all */
  readonly fields?: readonly string[] | string | undefined
}

export interface AddressTransactionsPageOptions extends ResolveOptions {
  /** 1 to 500; a page may be longer, because transactions of one block time are never split. @default 50 */
  readonly limit?: number | undefined
  /** Only transactions before this block time, Unix milliseconds; none are before 0. Not combinable with `after`. */
  readonly before?: number | undefined
  /** Only transactions after this block time, the oldest page first; 0: from the first transaction on. */
  readonly after?: number | undefined
  /** The top-level fields of the returned records. @default all */
  readonly fields?: readonly string[] | string | undefined
  /** Only accepted, or only unaccepted transactions. */
  readonly acceptance?: 'accepted' | 'rejected' | undefined
}

/** The transactions of an address, accepted or not, newest first. The mempool is not included. */
export interface AddressTransactionOperations {
  readonly getFullTransactionsByAddress: (
    address: string,
    options?: AddressTransactionsOptions,
  ) => Promise<ChainRestTransaction[]>
  /** One page. For further pages see `getFullTransactionsByAddressPages`. */
  readonly getFullTransactionsByAddressPage: (
    address: string,
    options?: AddressTransactionsPageOptions,
  ) => Promise<ChainRestTransaction[]>
  /** One page with its cursors: pass `before` for the next older page, or `after` for the next newer one. */
  readonly getAddressTransactionPage: (
    address: string,
    options?: AddressTransactionsPageOptions,
  ) => Promise<ChainRestTransactionPage>
  /**
   * Iterates over pages, each fetched on demand: to older ones, or with `after` to newer ones. Ends after the last
   * page; with `acceptance` a page in between may be empty. Throws what fetching a page rejects with.
   */
  readonly getFullTransactionsByAddressPages: (
    address: string,
    options?: AddressTransactionsPageOptions,
  ) => AsyncIterable<ChainRestTransaction[]>
}

const pageSize: Check = /*#__PURE__*/ integer(1n, 500n)

/** The server reads 0 as "not set". No block is older than 2021, so 1 is equivalent. */
const pageTime: Check = (value, name, network) => {
  const at = nonNegative(value, name, network)
  return at === 0 ? 1 : at
}

const LIST: Endpoint<'transactions'> = {
  get: '/addresses/{address}/full-transactions',
  query: { limit: pageSize, offset: nonNegative, fields, resolvePreviousOutpoints: resolution },
  defaults: resolved,
  verify: verifyInvolved,
  decoder: 'transactions',
  cache: ADDRESS,
}

const PAGE: Endpoint<'transactionPage'> = {
  get: '/addresses/{address}/full-transactions-page',
  query: {
    limit: pageSize,
    before: pageTime,
    after: pageTime,
    fields,
    resolvePreviousOutpoints: resolution,
    acceptance,
  },
  defaults: resolved,
  rule: rejectBothDirections,
  verify: ({ transactions }, args) => verifyInvolved(transactions, args),
  decoder: 'transactionPage',
  cache: ADDRESS,
}

function rejectBothDirections({ before, after }: Arguments): void {
  if (before === undefined || after === undefined) return
  throw invalidArgument('before', '"before" cannot be combined with "after"')
}

export function createAddressTransactionOperations(call: CallEndpoint, shownUrl: string): AddressTransactionOperations {
  async function getPage(address: string, options: AddressTransactionsPageOptions = {}) {
    const page = await call(PAGE, { address }, withServerWorkarounds(options))
    const direction = toDirection(options)
    if (!isBeyond(page[direction], options[direction], direction))
      throw noProgress(`${shownUrl}/addresses/${address}/full-transactions-page`)
    return direction === 'before' ? page : { ...page, transactions: page.transactions.filter(hasAcceptance(options)) }
  }

  return {
    getFullTransactionsByAddress: (address, options) => call(LIST, { address }, options),
    getAddressTransactionPage: getPage,
    getFullTransactionsByAddressPage: async (address, options) => (await getPage(address, options)).transactions,
    async *getFullTransactionsByAddressPages(address, options = {}) {
      const direction = toDirection(options)
      for (let at = options[direction], isEnd = false; !isEnd;) {
        const page = await getPage(address, { ...options, [direction]: at })
        yield page.transactions
        at = page[direction]
        isEnd = at === undefined
      }
    },
  }
}

const toDirection = ({ after }: AddressTransactionsPageOptions) => (after === undefined ? 'before' : 'after')

/** Whether a page leads further: to an older time, or with `after` to a newer one. The last page leads nowhere. */
const isBeyond = (next: number | undefined, at: number | undefined, direction: 'before' | 'after'): boolean =>
  next === undefined || at === undefined || (direction === 'before' ? next < at : next > at)

/** A proxy that drops the URL's query would return the first page endlessly, and a false server some in a ring. */
function noProgress(url: string): ChainRestError {
  const hint = 'A proxy may respond in place of the server: check baseUrl.'
  return new ChainRestError({
    code: 'unexpected-response',
    status: 200,
    method: 'GET',
    url,
    reason: 'the next page does not lead further than this one',
    hint,
  })
}

/**
 * Server quirks: a page before a future time is cacheable for a day. With `after`, it fails without the field
 * `block_time`, and if `acceptance` removes all transactions of a page: the filter is applied here instead.
 */
function withServerWorkarounds(options: AddressTransactionsPageOptions): AddressTransactionsPageOptions {
  const { before = 0, after, fields: names, acceptance: wanted } = options
  if (after === undefined) return before > Date.now() ? { ...options, before: undefined } : options
  const fields = names && ['block_time', ...(isFilter(wanted) ? ['is_accepted'] : []), ...[names].flat()]
  return { ...options, fields, acceptance: isFilter(wanted) ? undefined : wanted }
}

/** Invalid values are passed on, so that the argument check rejects them. */
const isFilter = (wanted: unknown): boolean => wanted === 'accepted' || wanted === 'rejected'

const hasAcceptance =
  ({ acceptance: wanted }: AddressTransactionsPageOptions) =>
  ({ is_accepted = false }: ChainRestTransaction): boolean =>
    wanted === undefined || is_accepted === (wanted === 'accepted')
