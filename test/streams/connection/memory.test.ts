import { NEVER, Observable, VirtualTimeScheduler } from 'rxjs'
import { expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { DEFAULT_RETRIES } from '../../../src/streams/connection/policy.js'
import { collectGarbage } from '../../setup/collect-garbage.js'
import { createHarness, settle, target, track } from './harness.js'

const RETRIES = 20

it.each([
  ['by an event', 1],
  ['at once', 0],
])('a connection keeps the last error only of dials that fail %s', async (_, delay) => {
  const scheduler = new VirtualTimeScheduler()
  const policy = { ...DEFAULT_RETRIES, maxRetries: RETRIES }
  const { node, connection } = createHarness(scheduler, { policy, establish: () => NEVER })
  const errors: WeakRef<ChainRpcError>[] = []
  node.onDial(
    () =>
      new Observable((subscriber) => {
        // as a socket does: the stack of the error has a function that refers to the dial
        const onClose = (): void => {
          const error = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })
          errors.push(new WeakRef(error))
          subscriber.error(error)
        }
        if (delay === 0) onClose()
        else scheduler.schedule(onClose, delay)
      }),
  )
  track(connection.connect(target))
  await settle()
  scheduler.flush()
  expect(errors).toHaveLength(RETRIES + 1)
  expect(connection.state.status).toBe('error')
  const kept = (): number => errors.filter((error) => error.deref() !== undefined).length
  for (let round = 0; round < 5 && kept() > 2; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(kept()).toBeLessThanOrEqual(2)
})
