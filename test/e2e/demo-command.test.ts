import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runToEnd, startDemo } from './demo-process.js'

/** The demo on the default port, and one on all interfaces that finds this port in use. */
it('prints the URL first, serves it, and exits on Ctrl-C, also beside another one', async () => {
  const first = await startDemo([])
  const second = await startDemo(['--host'])
  const firstLines = [first, second].map(({ output }) => output.split('\n').find((line) => /\S/.test(line)))
  expect(firstLines).toEqual([first, second].map(({ url }) => `  Open  ${url}`))
  for (const { url } of [first, second]) expect((await fetch(url)).status).toBe(200)
  expect(new URL(first.url).port).not.toBe(new URL(second.url).port)
  expect(first.output).not.toContain('beyond this machine')
  expect(second.output).toContain('beyond this machine')
  expect(await Promise.all([first.stop(), second.stop()])).toEqual([0, 0])
  const again = await startDemo(['--port', new URL(first.url).port]) // the port is free at once
  expect(again.url).toBe(first.url)
  expect(await again.stop()).toBe(0)
})

it('reports in one line that the requested port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, stderr } = await runToEnd(['--port', String(port)])
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  expect(stderr).toContain(`${port} is already in use`)
  server.close()
})

it('adds no blocks while the stall fault is active', async () => {
  const demo = await startDemo(['--port', '0', '--block-interval', '20'])
  const control = /control (\S+)/.exec(demo.output)?.[1] ?? ''
  const blocks = async (): Promise<unknown> => (await fetch(`${control}/expected/blocks`)).json()
  await fetch(`${control}/faults/stall`, { method: 'POST', body: '{}' })
  const before = await blocks()
  await pause(300)
  expect(await blocks()).toEqual(before)
  await fetch(`${control}/faults`, { method: 'DELETE' })
  await expect.poll(blocks).not.toEqual(before)
  expect(await demo.stop()).toBe(0)
})

it('rejects an unknown option in one line', async () => {
  const { code, stderr } = await runToEnd(['--prot', '80'])
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
})
