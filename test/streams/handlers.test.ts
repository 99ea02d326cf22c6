import { NEVER, Subject, Subscription, type Observable } from 'rxjs'
import { expect, it } from 'vitest'
import type { RpcEvent, RpcEventType } from '../../src/model/event.js'
import type { RpcEventMap } from '../../src/node/messages/records.js'
import { createHandlers } from '../../src/streams/handlers.js'

type ScoreEvent = RpcEvent<RpcEventMap['virtual-daa-score-changed']>

/** Event streams of which only the DAA score emits. */
function createEvents() {
  const score$ = new Subject<ScoreEvent>()
  const events$ = <Type extends RpcEventType>(type: Type) =>
    (type === 'virtual-daa-score-changed' ? score$ : NEVER) as Observable<RpcEvent<RpcEventMap[Type]>>
  const emit = (virtualDaaScore: bigint) =>
    score$.next({ type: 'virtual-daa-score-changed', data: { virtualDaaScore }, timestamp: 0 })
  return { events$, emit, isObserved: () => score$.observed }
}

const TYPE = 'virtual-daa-score-changed'

it('calls a handler once per event, however often it was added', () => {
  const { events$, emit } = createEvents()
  const handlers = createHandlers(events$, new Subscription())
  const seen: bigint[] = []
  const handler = ({ data }: ScoreEvent) => void seen.push(data.virtualDaaScore)
  handlers.on(TYPE, handler)
  handlers.on(TYPE, handler)
  emit(1n)
  expect(seen).toEqual([1n])
})

it('removes a handler by `off`, by the returned function, and by the teardown', () => {
  const { events$, emit, isObserved } = createEvents()
  const teardown = new Subscription()
  const handlers = createHandlers(events$, teardown)
  const seen: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => () => void seen.push(name))
  handlers.on(TYPE, a!)
  const remove = handlers.on(TYPE, b!)
  handlers.on(TYPE, c!)
  emit(1n)
  handlers.off(TYPE, a!)
  remove()
  emit(2n)
  teardown.unsubscribe()
  emit(3n)
  expect(seen).toEqual(['a', 'b', 'c', 'c'])
  expect(isObserved()).toBe(false)
})

it('ignores a handler added after the teardown', () => {
  const { events$, isObserved } = createEvents()
  const teardown = new Subscription()
  const handlers = createHandlers(events$, teardown)
  teardown.unsubscribe()
  handlers.on(TYPE, () => undefined)
  expect(isObserved()).toBe(false)
})

it('lets a handler remove itself and be added again while it is called', () => {
  const { events$, emit } = createEvents()
  const handlers = createHandlers(events$, new Subscription())
  const seen: bigint[] = []
  const handler = ({ data }: ScoreEvent): void => {
    seen.push(data.virtualDaaScore)
    handlers.off(TYPE, handler)
    if (data.virtualDaaScore < 2n) handlers.on(TYPE, handler)
  }
  handlers.on(TYPE, handler)
  for (const score of [1n, 2n, 3n]) emit(score)
  expect(seen).toEqual([1n, 2n])
})

it('ignores the removal of an unknown handler, and a second removal', () => {
  const handlers = createHandlers(createEvents().events$, new Subscription())
  const remove = handlers.on(TYPE, () => undefined)
  handlers.off(TYPE, () => undefined)
  remove()
  expect(remove).not.toThrow()
})
