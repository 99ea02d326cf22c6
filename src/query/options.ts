/** Identifies a query and its result: plain data, in which bigints and the order of fields are allowed for. */
export type QueryKey = readonly unknown[]

/** Equal for structurally equal keys, whatever the order of their fields. */
export const hashQueryKey = (key: QueryKey): string => JSON.stringify(key, (_, item) => toPlain(item))

function toPlain(item: unknown): unknown {
  if (typeof item === 'bigint') return `${item}n`
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** What a query function receives, as in TanStack Query. */
export interface QueryFunctionContext {
  readonly queryKey: QueryKey
  /** Aborts once the result is no longer needed. */
  readonly signal: AbortSignal
}

/** The latest result of a query, for `refetchInterval` as a function. */
export interface QuerySnapshot<T> {
  readonly state: { readonly data: T | undefined }
}

/** How long until a result is fetched again, in ms; 0 or false: never. */
export type RefetchInterval<T> = number | false | ((query: QuerySnapshot<T>) => number | false)

/** A query, in the names of TanStack Query. `T` is the fetched result, `Data` the selected one. */
export interface QueryOptions<T, Data = T, Context = QueryFunctionContext> {
  /** Contains every input of the query. */
  readonly queryKey: QueryKey
  /** Fetches the result, which must not be undefined. */
  readonly queryFn: (context: Context) => Promise<T>
  /** Fetches only while true; `refetch` fetches in any case. @default true */
  readonly enabled?: boolean | undefined
  /** Derives `data` from the result. */
  readonly select?: ((result: T) => Data) | undefined
  /**
   * Shown as the result until there is one. A function receives the previous key's result on the same network:
   * `(previous) => previous` keeps it.
   */
  readonly placeholderData?: T | ((previous: T | undefined) => T | undefined) | undefined
  /**
   * Fetches again this many ms after each result or failure. Pauses while the page is hidden, and fetches at once when
   * it is visible again. @default false
   */
  readonly refetchInterval?: RefetchInterval<T> | undefined
}

/** All pages fetched so far, and the parameter of each. */
export interface QueryPages<Page, PageParam = unknown> {
  readonly pages: readonly Page[]
  readonly pageParams: readonly PageParam[]
}

/** A query of pages, each of which contains the parameter of the next one. */
export interface InfiniteQueryOptions<
  Page,
  PageParam,
  Data = QueryPages<Page, PageParam>,
  Context = QueryFunctionContext,
> extends Omit<QueryOptions<QueryPages<Page, PageParam>, Data>, 'queryFn'> {
  /** Fetches the page of `pageParam`. */
  readonly queryFn: (context: Context & { readonly pageParam: PageParam }) => Promise<Page>
  readonly initialPageParam: PageParam
  /** The parameter of the page after `page`; null or undefined after the last one. */
  readonly getNextPageParam: (page: Page, pages: readonly Page[]) => PageParam | null | undefined
}

/** Settings of all queries: node and indexer need no internet, and their clients retry by themselves. */
export const QUERY_DEFAULTS = {
  queryKeyHashFn: hashQueryKey,
  networkMode: 'always',
  retry: false,
  structuralSharing: false,
} as const
