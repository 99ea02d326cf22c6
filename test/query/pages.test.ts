import { of } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import type { InfiniteQueryState } from '../../src/query/watched-query.js'
import type { QueryPages } from '../../src/query/options.js'
import { FAILURE, openQueries, toWatchedPages, type ScriptedContext } from './scripted-query.js'

type State = InfiniteQueryState<QueryPages<string, number>>

/** A list of three pages; calls of the query function are recorded. */
function watchList(rendered?: QueryPages<string, number>) {
  const calls: (ScriptedContext & { readonly pageParam: number })[] = []
  let isDown = false
  const { queries } = openQueries()
  const query = queries.watchPages(
    of(
      toWatchedPages(
        {
          queryKey: ['list'],
          queryFn: async (context) => {
            calls.push(context)
            if (isDown) throw FAILURE
            return Promise.resolve(`page ${context.pageParam}`)
          },
          initialPageParam: 1,
          getNextPageParam: (page, pages) => (pages.length < 3 ? Number(page.slice(5)) + 1 : undefined),
        },
        rendered && { rendered: { data: rendered, updatedAt: 7 } },
      ),
    ),
  )
  let state: State | undefined
  const subscription = query.state$.subscribe((next) => (state = next))
  onTestFinished(() => subscription.unsubscribe())
  return { ...query, calls, state: () => state, fail: () => (isDown = true) }
}

it('fetches page after page, and knows the last one', async () => {
  const { state, calls, fetchNextPage } = watchList()
  await expect.poll(state).toMatchObject({ data: { pages: ['page 1'], pageParams: [1] }, hasNextPage: true })
  const fetched = fetchNextPage()
  await expect.poll(state).toMatchObject({ data: { pages: ['page 1', 'page 2'] } })
  await fetched
  await fetchNextPage()
  expect(state()).toMatchObject({ data: { pages: ['page 1', 'page 2', 'page 3'] }, hasNextPage: false })
  await fetchNextPage()
  expect(calls.map(({ pageParam, isRepeated }) => [pageParam, isRepeated])).toEqual([
    [1, false],
    [2, false],
    [3, false],
  ])
})

it('fetches all pages again, bypassing caches', async () => {
  const { state, calls, fetchNextPage, refetch } = watchList()
  await expect.poll(state).toMatchObject({ hasNextPage: true })
  await fetchNextPage()
  await refetch()
  expect(calls.slice(2).map(({ pageParam, isRepeated }) => [pageParam, isRepeated])).toEqual([
    [1, true],
    [2, true],
  ])
})

it('fails with what `getNextPageParam` throws', async () => {
  const watch = (rendered?: QueryPages<string, number>) => {
    const { queries } = openQueries()
    const getNextPageParam = () => {
      throw FAILURE
    }
    const options = {
      queryKey: ['list'],
      queryFn: () => Promise.resolve('page'),
      initialPageParam: 1,
      getNextPageParam,
    }
    const { state$ } = queries.watchPages(
      of(toWatchedPages(options, rendered && { rendered: { data: rendered, updatedAt: 7 } })),
    )
    let state: State | undefined
    const subscription = state$.subscribe((next) => (state = next))
    return { state: () => state, stop: () => subscription.unsubscribe() }
  }
  const [fetched, rendered] = [watch(), watch({ pages: ['page'], pageParams: [1] })]
  const failed = { status: 'error', error: FAILURE, data: undefined, hasNextPage: false, isFetching: false }
  await expect.poll(fetched.state).toMatchObject(failed)
  await expect.poll(rendered.state).toMatchObject({ status: 'success', data: { pages: ['page'] }, hasNextPage: false })
  for (const { stop } of [fetched, rendered]) stop()
})

it('keeps the pages when the next one fails', async () => {
  const { state, fetchNextPage, fail } = watchList()
  await expect.poll(state).toMatchObject({ hasNextPage: true })
  fail()
  await fetchNextPage()
  expect(state()).toMatchObject({ status: 'error', error: FAILURE, data: { pages: ['page 1'] }, hasNextPage: true })
})

it('knows at once whether a rendered page has a next one', async () => {
  const { state, calls, fetchNextPage } = watchList({ pages: ['page 1'], pageParams: [1] })
  expect(state()).toMatchObject({ status: 'success', data: { pages: ['page 1'] }, hasNextPage: true })
  await fetchNextPage()
  expect(calls.map(({ pageParam }) => pageParam)).toEqual([2])
})
