import { PGlite } from '@electric-sql/pglite'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { freePort } from '../free-port.js'
import { isRequested } from './support/chosen.js'
import { ROOT } from './support/folder.js'

/** npm downloads the packages, and PGlite creates a database. */
const LONG = 600_000
const KAS = 100_000_000n

/** The line of docs/feed.md, with the packed library in place of the published one. */
const [, LINE = ''] =
  /^npx (-p vue-chain -p @electric-sql\/pglite vue-chain feed .*)$/m.exec(
    readFileSync(join(ROOT, 'docs/feed.md'), 'utf8'),
  ) ?? []

describe.skipIf(!isRequested('npx'))('npx vue-chain feed', () => {
  let folder: string
  let devnode: Devnode

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vue-chain-npx-'))
    devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: 1_000n * KAS })
  })

  afterAll(async () => {
    await devnode.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs the line in the empty folder, with a npm cache of its own. */
  async function start() {
    const port = await freePort()
    const args = LINE.replace('-p vue-chain', `-p file:${inject('tarball')}`)
      .replace('@electric-sql/pglite', `@electric-sql/pglite@${manifest.devDependencies['@electric-sql/pglite']}`)
      .replace('ws://127.0.0.1:17510', devnode.urls.borsh)
      .split(' ')
    const child = spawn(
      'npx',
      ['--yes', ...args, '--addresses', devnode.accounts[0]!.address, '--port', String(port)],
      {
        cwd: folder,
        env: { ...process.env, npm_config_cache: join(folder, '.npm') },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true, // a process group: npx passes signals on, but may be a shell's child
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
    const ended = once(child, 'close') // of npx and of the command: both hold the output
    const stored = (): Promise<string> =>
      fetch(`http://127.0.0.1:${port}/metrics`).then(
        (response) => response.text(),
        () => (child.exitCode === null ? '' : `ended: ${output}`), // it is starting
      )
    return {
      stored,
      async stop() {
        process.kill(-child.pid!, 'SIGTERM')
        await ended
      },
    }
  }

  it(
    'stores into a folder what the queries of the page return',
    async () => {
      expect(LINE).not.toBe('')
      const { address } = devnode.accounts[0]!
      const first = await start()
      // opening credits
      await expect.poll(first.stored, { timeout: LONG }).toMatch(/vue_chain_feed_transfers_total [1-9]/)
      const id = await devnode.fund(address, 150_000_001n)
      await devnode.mine(2)
      await first.stop()
      const again = await start()
      await expect.poll(again.stored, { timeout: LONG }).toMatch(/vue_chain_feed_phase\{phase="running"\} 1/)
      await devnode.mine()
      await expect.poll(again.stored, { timeout: LONG }).toMatch(/vue_chain_feed_lag_blocks 0\n/)
      await again.stop()
      expect(readdirSync(folder)).toContain('vue-chain-feed')

      const database = await PGlite.create(join(folder, 'vue-chain-feed'))
      const balances = await database.query(documented('the balance in KAS', address))
      expect(balances.rows).toEqual([{ address, kas: '1001.50000001' }])
      const received = await database.query(documented('what an address received and spent, newest first', address))
      expect(received.rows[0]).toMatchObject({ direction: 'credit', kas: '1.50000001', transaction_id: id })
      await database.close()
    },
    2 * LONG,
  )
})

/** A query of docs/feed.md, for this network and address. */
function documented(name: string, address: string): string {
  const page = readFileSync(join(ROOT, 'docs/feed.md'), 'utf8')
  const [, query = ''] = page.split(`-- ${name}\n`).map((part) => part.split(/\n\n|\n```/)[0])
  return query.replaceAll("'mainnet'", "'simnet'").replaceAll('kaspa:qq…', address)
}
