import { NEVER, Subject, VirtualTimeScheduler, map, of, take } from 'rxjs'
import { expect, it } from 'vitest'
import type { RpcMethod } from '../../../../src/node/messages/records.js'
import { followNode$, looks$ } from '../../../../src/streams/transfers/history/follow-node.js'
import { NO_HISTORIES } from '../../../../src/streams/transfers/history/reduce-histories.js'
import { createTestLink } from '../../link.js'

it.each([
  [0, [0]],
  [10_000, [0, 10_000, 20_000]],
  [Infinity, [0]],
])('looks at the mempool at an interval of %s ms', (ms, expected) => {
  const scheduler = new VirtualTimeScheduler(undefined, 25_000)
  const times: number[] = []
  looks$(ms, scheduler)
    .pipe(
      take(10),
      map(() => scheduler.now()),
    )
    .subscribe((time) => times.push(time))
  scheduler.flush()
  expect(times).toEqual(expected)
})

it('looks again after a payment that was made during a look', () => {
  const scheduler = new VirtualTimeScheduler()
  const { link, node, connect } = createTestLink(scheduler, { requestTimeout: 60_000 })
  const response = new Subject<{ entries: [] }>()
  const payments$ = new Subject<RpcMethod>()
  node.respond('getMempoolEntriesByAddresses', () => response.pipe(take(1)))
  followNode$(
    { ...link, responses$: payments$, chainBatches$: () => NEVER },
    { state: () => NO_HISTORIES },
    { interval$: of(60_000), added$: NEVER, onStart: () => undefined },
  ).subscribe()
  connect()
  const advance = (): number => {
    scheduler.maxFrames += 5_000
    scheduler.flush()
    return node.calls.filter(({ method }) => method === 'getMempoolEntriesByAddresses').length
  }
  scheduler.maxFrames = 0
  expect(advance()).toBe(1)
  payments$.next('submitTransaction')
  expect(advance()).toBe(1)
  response.next({ entries: [] })
  expect(advance()).toBe(2)
})
