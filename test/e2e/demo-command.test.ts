import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runToEnd, startDemo } from './demo-process.js'

it('says in its first lines what to open, serves it, and ends with Ctrl-C, twice in a row', async () => {
  for (const _ of [1, 2]) {
    const demo = await startDemo()
    const lines = demo.greeting.split('\n').filter((line) => line !== '' && !line.startsWith('Building'))
    expect(lines[0]).toContain(demo.url)
    expect((await fetch(demo.url)).status).toBe(200)
    expect(await demo.stop()).toBe(0)
  }
})

it('takes another port when the usual one is in use', async () => {
  const [first, second] = await Promise.all([startDemo([]), startDemo([])])
  expect(first.url).not.toBe(second.url)
  await Promise.all([first.stop(), second.stop()])
})

it('says in one line that a port which was asked for is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, complaint } = await runToEnd(['--port', String(port)])
  expect([code, complaint.trim().split('\n').length]).toEqual([1, 1])
  expect(complaint).toContain(`${port} is already in use`)
  server.close()
})

it('says so when it listens beyond this machine', async () => {
  const demo = await startDemo(['--port', '0', '--host'])
  expect(demo.greeting).toContain('beyond this machine')
  await demo.stop()
})

it('lays no blocks while the fault of standing still lasts', async () => {
  const demo = await startDemo(['--port', '0', '--block-interval', '20'])
  const control = /control (\S+)/.exec(demo.greeting)?.[1] ?? ''
  const blocks = async (): Promise<unknown> => (await fetch(`${control}/truth/blocks`)).json()
  await fetch(`${control}/faults/stuck`, { method: 'POST', body: '{}' })
  const before = await blocks()
  await pause(300)
  expect(await blocks()).toEqual(before)
  await fetch(`${control}/faults`, { method: 'DELETE' })
  await expect.poll(blocks, { timeout: 20_000 }).not.toEqual(before)
  await demo.stop()
})

it('refuses an option that it does not know, in one line', async () => {
  const { code, complaint } = await runToEnd(['--prot', '80'])
  expect([code, complaint.trim().split('\n').length]).toEqual([1, 1])
})
