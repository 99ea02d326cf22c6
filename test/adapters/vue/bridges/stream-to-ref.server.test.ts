import { NEVER, Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { useStream } from '../../../../src/adapters/vue/bridges/stream-refs.js'

it('holds the initial value on a server and never subscribes', () => {
  let subscriptions = 0
  const state$ = new Observable<number>((subscriber) => {
    subscriptions += 1
    return NEVER.subscribe(subscriber)
  })
  expect(useStream(state$, 7).value).toBe(7)
  expect(subscriptions).toBe(0)
})
