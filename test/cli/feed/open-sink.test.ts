import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { readFlags } from '../../../src/cli/feed/flags.js'
import { openSink } from '../../../src/cli/feed/feed.js'
import { silentLogger } from '../../../src/engine/resolve-options.js'
import { listen } from '../../listen.js'

afterEach(() => void vi.restoreAllMocks())

it('probes its connections to PostgreSQL after leaseTimeout, so that a router does not forget them', async () => {
  const server = createServer() // accepts, and never responds
  const { port, close: closeServer } = await listen(server)
  const probes = vi.spyOn(Socket.prototype, 'setKeepAlive')
  const database = `postgres://feed@127.0.0.1:${port}/feed`
  const flags = readFlags([`--database=${database}`, '--lease-timeout=4000'], {})
  if (flags === null) throw new Error('--help')
  const { sink, close } = await openSink(flags, silentLogger)
  const stop = new AbortController()
  const opened = sink.open({ network: 'simnet', watch: 'table', signal: stop.signal }).catch((error: unknown) => error)
  await once(server, 'connection')
  await expect.poll(() => probes.mock.calls).toContainEqual([true, 4_000])
  stop.abort(new Error('stopped'))
  expect(await opened).toEqual(new Error('stopped'))
  await closeServer()
  await close()
})
