import { BehaviorSubject, Subscription, asyncScheduler, of } from 'rxjs'
import { ChainError } from '../../src/errors/chain-error.js'
import type { InfiniteQueryOptions, QueryFunctionContext, QueryOptions, QueryPages } from '../../src/query/options.js'
import { createQueries } from '../../src/query/queries.js'
import type { RenderedResult, Attempt, WatchedPages, WatchedQuery } from '../../src/query/watched-query.js'

/** What a scripted query function receives beside key and signal. */
export interface ScriptedContext extends QueryFunctionContext {
  readonly isRepeated: boolean
}

export const FAILURE = new ChainError('The server is down')

/** A query function whose calls are recorded, and settled by the test. */
export function scriptQuery() {
  const calls: (ScriptedContext & { respond: (result: string) => void; fail: (cause: unknown) => void })[] = []
  const queryFn = (context: ScriptedContext) =>
    new Promise<string>((respond, fail) => {
      calls.push({ ...context, respond, fail })
    })
  return { calls, queryFn }
}

const toContext = ({ isRepeated }: Attempt) => ({ isRepeated })

type Options = QueryOptions<string, string, ScriptedContext>
type Pages = InfiniteQueryOptions<string, number, QueryPages<string, number>, ScriptedContext>

export const toWatched = (
  options: Options,
  { network = 'simnet', isAvailable = true, rendered }: Setting<string> = {},
): WatchedQuery<string, string, ScriptedContext> => ({
  options,
  environment: { scope: [network], isAvailable, toContext },
  rendered,
})

export const toWatchedPages = (
  options: Pages,
  { network = 'simnet', isAvailable = true, rendered }: Setting<QueryPages<string, number>> = {},
): WatchedPages<string, number, QueryPages<string, number>, ScriptedContext> => ({
  options,
  environment: { scope: [network], isAvailable, toContext },
  rendered,
})

interface Setting<T> {
  readonly network?: string
  readonly isAvailable?: boolean
  readonly rendered?: RenderedResult<T>
}

/** Queries, a page that can be hidden, and the end of their core. */
export function openQueries() {
  const lifetime = new Subscription()
  const visible$ = new BehaviorSubject(true)
  const queries = createQueries(lifetime, { scheduler: asyncScheduler, visible$ })
  return { queries, visible$, lifetime, watch: (watched: ReturnType<typeof toWatched>) => queries.watch(of(watched)) }
}
