import { fields, integer, whole, type Check } from './arguments.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { ChainRestError } from '../../errors/rest-error.js'
import type { Arguments, Ask, Endpoint } from './endpoint.js'
import { ADDRESS } from '../asking/keep.js'
import type { ChainRestTransaction } from '../records/transactions.js'
import { acceptance, resolution, resolved, type ResolveOptions } from './transactions.js'

export interface AddressTransactionsOptions extends ResolveOptions {
  /** 1 to 500. @default 50 */
  readonly limit?: number | undefined
  /** How many of the newest to leave out. @default 0 */
  readonly offset?: number | undefined
  /** The top-level fields to answer with. @default all */
  readonly fields?: readonly string[] | string | undefined
}

export interface AddressTransactionsPageOptions extends ResolveOptions {
  /** 1 to 500; a page may hold more, for it never parts transactions of one time. @default 50 */
  readonly limit?: number | undefined
  /** Only those before this block time, Unix milliseconds. Not together with `after`. */
  readonly before?: number | undefined
  /** Only those after this block time: the oldest of them. */
  readonly after?: number | undefined
  /** The top-level fields to answer with. @default all */
  readonly fields?: readonly string[] | string | undefined
  /** Only accepted ones, or only others. */
  readonly acceptance?: 'accepted' | 'rejected' | undefined
}

/** The transactions of an address, accepted or not, newest first. Those of the mempool are not among them. */
export interface AddressTransactionOperations {
  readonly getFullTransactionsByAddress: (
    address: string,
    options?: AddressTransactionsOptions,
  ) => Promise<ChainRestTransaction[]>
  /** One page. To go on from it, see `getFullTransactionsByAddressPages`. */
  readonly getFullTransactionsByAddressPage: (
    address: string,
    options?: AddressTransactionsPageOptions,
  ) => Promise<ChainRestTransaction[]>
  /**
   * Page after page, each fetched when it is asked for: to older ones, or with `after` to newer ones. Ends with the last
   * page; with `acceptance` a page in between may be empty. Throws what fetching a page rejects with.
   */
  readonly getFullTransactionsByAddressPages: (
    address: string,
    options?: AddressTransactionsPageOptions,
  ) => AsyncIterable<ChainRestTransaction[]>
}

const pageSize: Check = /*#__PURE__*/ integer(1n, 500n)

const LIST: Endpoint<'transactions'> = {
  get: '/addresses/{address}/full-transactions',
  query: { limit: pageSize, offset: whole, fields, resolvePreviousOutpoints: resolution },
  usual: resolved,
  reads: 'transactions',
  keep: ADDRESS,
}

const PAGE: Endpoint<'transactionPage'> = {
  get: '/addresses/{address}/full-transactions-page',
  query: { limit: pageSize, before: whole, after: whole, fields, resolvePreviousOutpoints: resolution, acceptance },
  usual: resolved,
  rule: oneWay,
  reads: 'transactionPage',
  keep: ADDRESS,
}

function oneWay({ before, after }: Arguments): void {
  if (before === undefined || after === undefined) return
  throw invalidArgument('before', '"before" cannot be combined with "after"')
}

export function createAddressTransactionOperations(ask: Ask, baseUrl: string): AddressTransactionOperations {
  async function getPage(address: string, options: AddressTransactionsPageOptions = {}) {
    const page = await ask(PAGE, { address }, avoidTraps(options))
    return options.after === undefined ? page : { ...page, transactions: page.transactions.filter(fits(options)) }
  }

  return {
    getFullTransactionsByAddress: (address, options) => ask(LIST, { address }, options),
    getFullTransactionsByAddressPage: async (address, options) => (await getPage(address, options)).transactions,
    async *getFullTransactionsByAddressPages(address, options = {}) {
      const direction = options.after === undefined ? 'before' : 'after'
      for (let at = options[direction], isEnd = false; !isEnd;) {
        const page = await getPage(address, { ...options, [direction]: at })
        yield page.transactions
        const next = page[direction]
        if (next !== undefined && next === at)
          throw goesNowhere(`${baseUrl}/addresses/${address}/full-transactions-page`)
        isEnd = next === undefined
        at = next
      }
    },
  }
}

/** Without this, a proxy that forgets the query of a URL would give the first page for ever. */
function goesNowhere(url: string): ChainRestError {
  const hint = 'Something between here and the server answers in its place: check baseUrl.'
  return new ChainRestError({
    code: 'malformed',
    status: 200,
    method: 'GET',
    url,
    reason: 'the next page begins where this one did',
    hint,
  })
}

/**
 * The server lets a page before a time to come be cached for a day. Going on to newer ones it fails without `block_time`,
 * and where nothing is left of a page once it has filtered that: so it is filtered here.
 */
function avoidTraps(options: AddressTransactionsPageOptions): AddressTransactionsPageOptions {
  const { before = 0, after, fields: names, acceptance: wanted } = options
  if (after === undefined) return before > Date.now() ? { ...options, before: undefined } : options
  const fields = names && ['block_time', ...(isFilter(wanted) ? ['is_accepted'] : []), ...[names].flat()]
  return { ...options, fields, acceptance: isFilter(wanted) ? undefined : wanted }
}

/** What else may be said there is refused as the wrong argument that it is. */
const isFilter = (wanted: unknown): boolean => wanted === 'accepted' || wanted === 'rejected'

const fits =
  ({ acceptance: wanted }: AddressTransactionsPageOptions) =>
  ({ is_accepted = false }: ChainRestTransaction): boolean =>
    wanted === undefined || is_accepted === (wanted === 'accepted')
