import { expect, it } from 'vitest'
import { createRestartableRpc, type Rpc } from '../../src/devnode/server/rpc.js'

it('does not wait for the end of the downtime where it is closed while its servers stop', async () => {
  let stopped = (): void => undefined
  const closed = new Promise<void>((resolve) => (stopped = resolve))
  const first: Rpc = { connections: () => [], targets: () => [], sockets: () => 0, close: () => closed }
  const timers = { now: () => 0, after: () => () => undefined } // no time passes
  const rpc = createRestartableRpc(first, () => Promise.reject(new Error('started again')), timers)
  const restarted = rpc.restart(60_000)
  const ended = rpc.close()
  stopped()
  await Promise.all([restarted, ended])
  expect(rpc.targets()).toEqual([])
})
