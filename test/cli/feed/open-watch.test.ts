import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openWatch } from '../../../src/cli/feed/open-watch.js'
import type { ChainLogger } from '../../../src/platform/port.js'
import { createWatchedAddresses, isWatchedAddresses } from '../../../src/streams/transfers/watched-addresses.js'
import { addressOf } from '../../feed/support/steps.js'

const [one, two, three] = [0, 1, 2].map((index) => addressOf(index, 'kaspasim'))
const messages: string[] = []
const write = (message: string): void => void messages.push(message)
const logger: ChainLogger = { debug: write, info: write, warn: write, error: write }
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vue-chain-watch-'))
  path = join(folder, 'watched.txt')
  messages.length = 0
})

afterEach(() => rmSync(folder, { recursive: true }))

it('reads the addresses of a file, and again when it changes', async () => {
  writeFileSync(path, `# of the shop\n${one}\n${two}, # the second one\n`)
  const opened = await openWatch({ addresses: `@${path}`, network: 'simnet' }, logger, 5)
  const watch = isWatchedAddresses(opened.watch) ? opened.watch : createWatchedAddresses()
  expect([...watch]).toEqual([one, two])
  const changes: unknown[] = []
  watch.changes$.subscribe(({ type, addresses }) => changes.push([type, addresses]))
  writeFileSync(path, `${two}\n${three}\n`)
  await expect.poll(() => messages).toContain('The addresses were read again')
  expect(changes).toEqual([
    ['deleted', [one]],
    ['added', [three]],
  ])
  writeFileSync(path, 'no address at all\n')
  await expect.poll(() => messages.at(-1)).toBe('The addresses could not be read again: those before stay')
  expect([...watch]).toEqual([two, three])
  opened.end()
})

it('keeps the addresses where the file is empty, as while a program writes it again', async () => {
  writeFileSync(path, `${one}\n${two}\n`)
  const { watch, end } = await openWatch({ addresses: `@${path}`, network: 'simnet' }, logger, 5)
  const addresses = isWatchedAddresses(watch) ? watch : createWatchedAddresses()
  writeFileSync(path, '')
  await expect.poll(() => messages).toHaveLength(1)
  expect(messages).toEqual(['The addresses could not be read again: those before stay'])
  expect([...addresses]).toEqual([one, two])
  end()
})

it('reads a file again that is replaced while it is first read', async () => {
  execFileSync('mkfifo', [path]) // its reader waits for a writer, and for the end of what that writes
  const opening = openWatch({ addresses: `@${path}`, network: 'simnet' }, logger, 5)
  const writer = await open(path, 'w') // opens once the first read has begun
  const next = join(folder, 'next.txt')
  writeFileSync(next, `${two}\n`)
  renameSync(next, path)
  await writer.write(`${one}\n`)
  await writer.close()
  const { watch, end } = await opening
  const addresses = isWatchedAddresses(watch) ? watch : createWatchedAddresses()
  await expect.poll(() => [...addresses]).toEqual([two])
  expect(messages).toEqual(['The addresses were read again'])
  end()
})

it('names what is no address of the network', async () => {
  writeFileSync(path, `${addressOf(0, 'kaspa')}\n`)
  await expect(openWatch({ addresses: `@${path}`, network: 'simnet' }, logger)).rejects.toMatchObject({
    argument: 'addresses',
    message: `"${addressOf(0, 'kaspa')}" in the file "${path}" of --addresses is no address of simnet`,
  })
})
