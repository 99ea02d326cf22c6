import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { bundle } from './support/bundle.js'

/** Starts everything that could keep a process alive, then closes. */
const PROGRAM = (library: string) => `
  import { once } from 'node:events'
  import { WebSocket } from 'ws'
  const { createDevnode } = await import(${JSON.stringify(library)})
  const devnode = await createDevnode({ blockInterval: 5 })
  const client = new WebSocket(devnode.urls.borsh)
  await once(client, 'open')
  await fetch(devnode.urls.control + '/status').then((response) => response.json())
  devnode.faults.freeze({ for: 3_600_000 })
  devnode.faults.delay({ ms: 3_600_000 })
  devnode.faults.random(1, 50)
  await devnode.mine(2)
  const closed = once(client, 'close')
  await devnode.close()
  await closed
  console.log('closed')
`

it('lets its process exit after close()', async () => {
  const library = await bundle('src/devnode/index.ts')
  const running = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM(library.path)])
  const output: string[] = []
  running.stdout.on('data', (data: Buffer) => output.push(data.toString()))
  running.stderr.on('data', (data: Buffer) => output.push(data.toString()))
  const [code] = (await once(running, 'close')) as [number | null]
  library.remove()
  expect([code, output.join('')]).toEqual([0, 'closed\n'])
})
