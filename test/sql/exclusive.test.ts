import { expect, it } from 'vitest'
import { createTurns } from '../../src/sql/session.js'

const { signal } = new AbortController()

it('gives turns one after the other', async () => {
  const takeTurn = createTurns()
  const waiting: string[] = []
  const markPending = (turn: string) => () => void waiting.push(turn)
  const [endFirst, second] = [await takeTurn(signal, markPending('first')), takeTurn(signal, markPending('second'))]
  const order: string[] = []
  void second.then(() => order.push('second'))
  await Promise.resolve(order.push('first'))
  endFirst()
  await second
  expect(order).toEqual(['first', 'second'])
  expect(waiting).toEqual(['second'])
})

it('rejects with the reason of a signal, and gives the turn that was waited for to the next', async () => {
  const takeTurn = createTurns()
  const [controller, reason] = [new AbortController(), new Error('stop')]
  const [endFirst, aborted, third] = [await takeTurn(signal), takeTurn(controller.signal), takeTurn(signal)]
  controller.abort(reason)
  await expect(aborted).rejects.toBe(reason)
  endFirst()
  await expect(third).resolves.toBeTypeOf('function')
  await expect(takeTurn(controller.signal)).rejects.toBe(reason)
})
