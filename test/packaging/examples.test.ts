import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freePort } from '../free-port.js'
import { isRequested } from './support/chosen.js'
import { ROOT } from './support/folder.js'
import { run } from './support/process.js'

/** npm installs the packages, and PGlite creates a database. */
const LONG = 600_000

const EXAMPLES = join(ROOT, 'examples')

/** What `npm start` of each example prints in the end. */
const RESULTS: Readonly<Record<string, RegExp>> = {
  'deposit-watcher': /orders\/42 is paid/,
  'hot-wallet': /withdrawals\/7 is settled/,
  treasury: /Bob, who signs with[^]*To pay to/,
  feed: /The table says: 100500000000 sompi/,
}

describe.runIf(isRequested('examples'))('examples, alone in an empty folder', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vue-chain-examples-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('are all tested', () => {
    expect(readdirSync(EXAMPLES).sort()).toEqual(Object.keys(RESULTS).sort())
  })

  it.each(Object.entries(RESULTS))(
    '%s installs with npm, starts, and ends at SIGTERM',
    async (name, result) => {
      const cwd = join(folder, name)
      cpSync(join(EXAMPLES, name), cwd, { recursive: true })
      copyFileSync(inject('tarball'), join(cwd, 'vue-chain.tgz'))
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', '--prefer-offline']
      await run('npm', ['install', ...flags, 'vue-chain@file:vue-chain.tgz'], { cwd }) // not published yet
      expect(await start(cwd, result)).toMatch(result)
    },
    LONG,
  )
})

/** Runs `npm start` until it has printed the result, then until SIGTERM has ended it; resolves to its output. */
async function start(cwd: string, result: RegExp): Promise<string> {
  const env = { ...process.env, PORT: String(await freePort()) }
  const child = spawn('npm', ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const closed = once(child, 'close') // of npm and of the program: both hold the output
  const group = -child.pid! // npm and the program, which get the signal of a terminal together
  let output = ''
  const isPrinted = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        output += data.toString()
        if (result.test(output)) resolve(true)
      })
    void closed.then(() => resolve(false))
  })
  if (!(await isPrinted)) throw new Error(`npm start ended:\n${output}`)
  process.kill(group, 'SIGTERM')
  await closed
  return output
}
