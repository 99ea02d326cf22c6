import { NEVER, Subject, Subscription, type Observable } from 'rxjs'
import { expect, it } from 'vitest'
import type { RpcEvent, RpcEventType } from '../../src/model/event.js'
import type { RpcEventMap } from '../../src/node/messages/records.js'
import { createHandlers } from '../../src/streams/handlers.js'

type ScoreEvent = RpcEvent<RpcEventMap['virtual-daa-score-changed']>

/** Event streams of which only the DAA score's says anything. */
function createEvents() {
  const score$ = new Subject<ScoreEvent>()
  const events$ = <Type extends RpcEventType>(type: Type) =>
    (type === 'virtual-daa-score-changed' ? score$ : NEVER) as Observable<RpcEvent<RpcEventMap[Type]>>
  const say = (virtualDaaScore: bigint) =>
    score$.next({ type: 'virtual-daa-score-changed', data: { virtualDaaScore }, timestamp: 0 })
  return { events$, say, isHeard: () => score$.observed }
}

const TYPE = 'virtual-daa-score-changed'

it('has a handler hear each event once, however often it was added', () => {
  const { events$, say } = createEvents()
  const handlers = createHandlers(events$, new Subscription())
  const seen: bigint[] = []
  const hear = ({ data }: ScoreEvent) => void seen.push(data.virtualDaaScore)
  handlers.on(TYPE, hear)
  handlers.on(TYPE, hear)
  say(1n)
  expect(seen).toEqual([1n])
})

it('lets a handler go by name, by the way out that `on` returned, and with all the others', () => {
  const { events$, say, isHeard } = createEvents()
  const placed = new Subscription()
  const handlers = createHandlers(events$, placed)
  const seen: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => () => void seen.push(name))
  handlers.on(TYPE, a!)
  const leave = handlers.on(TYPE, b!)
  handlers.on(TYPE, c!)
  say(1n)
  handlers.off(TYPE, a!)
  leave()
  say(2n)
  placed.unsubscribe()
  say(3n)
  expect(seen).toEqual(['a', 'b', 'c', 'c'])
  expect(isHeard()).toBe(false)
})

it('lets nothing be heard by one who is added when all the others have gone', () => {
  const { events$, isHeard } = createEvents()
  const placed = new Subscription()
  const handlers = createHandlers(events$, placed)
  placed.unsubscribe()
  handlers.on(TYPE, () => undefined)
  expect(isHeard()).toBe(false)
})

it('lets a handler leave, and come back, while it is being called', () => {
  const { events$, say } = createEvents()
  const handlers = createHandlers(events$, new Subscription())
  const seen: bigint[] = []
  const hear = ({ data }: ScoreEvent): void => {
    seen.push(data.virtualDaaScore)
    handlers.off(TYPE, hear)
    if (data.virtualDaaScore < 2n) handlers.on(TYPE, hear)
  }
  handlers.on(TYPE, hear)
  for (const score of [1n, 2n, 3n]) say(score)
  expect(seen).toEqual([1n, 2n])
})

it('takes it calmly when a stranger is let go, or the same handler twice', () => {
  const handlers = createHandlers(createEvents().events$, new Subscription())
  const leave = handlers.on(TYPE, () => undefined)
  handlers.off(TYPE, () => undefined)
  leave()
  expect(leave).not.toThrow()
})
