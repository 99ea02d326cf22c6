import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runToEnd, startDemo } from './demo-process.js'

it('prints the URL first, serves it, and exits on Ctrl-C, twice in a row', async () => {
  for (const _ of [1, 2]) {
    const demo = await startDemo()
    const lines = demo.output.split('\n').filter((line) => line !== '' && !line.startsWith('Building'))
    expect(lines[0]).toContain(demo.url)
    expect((await fetch(demo.url)).status).toBe(200)
    expect(await demo.stop()).toBe(0)
  }
})

it('uses another port when the default one is in use', async () => {
  const [first, second] = await Promise.all([startDemo([]), startDemo([])])
  expect(first.url).not.toBe(second.url)
  await Promise.all([first.stop(), second.stop()])
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

it('prints a notice when it listens on all interfaces', async () => {
  const demo = await startDemo(['--port', '0', '--host'])
  expect(demo.output).toContain('beyond this machine')
  await demo.stop()
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
  await demo.stop()
})

it('rejects an unknown option in one line', async () => {
  const { code, stderr } = await runToEnd(['--prot', '80'])
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
})
