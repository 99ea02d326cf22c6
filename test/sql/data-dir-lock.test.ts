import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDataDir } from '../../src/sql/data-dir-lock.js'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vue-chain-lock-'))
  path = join(folder, 'data.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A process with the identifier of this one, which has ended: in a container each has the same. */
const holder = (host?: string) => ({ pid: process.pid, started: '1', ...(host !== undefined && { host }) })

it.runIf(process.platform === 'linux')(
  'refuses a folder that another container has, whatever its process is',
  async () => {
    writeFileSync(path, JSON.stringify(holder('b1946ac92492')))
    await expect(lockDataDir(join(folder, 'data'))).rejects.toMatchObject({
      message: `The data directory is in use by process ${process.pid} of b1946ac92492`,
      details: path,
      hint: expect.stringContaining('If that container or machine has ended, delete the file.') as string,
    })
    expect(readFileSync(path, 'utf8')).toContain('b1946ac92492')
  },
)

it.each([
  ['of this container, which was restarted', hostname()],
  ['of an earlier release', undefined],
])('replaces the lock of a process that has ended, %s', async (_, host) => {
  writeFileSync(path, JSON.stringify(holder(host)))
  const release = await lockDataDir(join(folder, 'data'))
  await expect(lockDataDir(join(folder, 'data'))).rejects.toMatchObject({ details: path })
  await release()
  expect(existsSync(path)).toBe(false)
})
