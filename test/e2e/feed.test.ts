import { PGlite } from '@electric-sql/pglite'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { runPostgresChaos } from '../feed/chaos/postgres-chaos.js'
import { POSTGRES_FAULTS } from '../feed/chaos/postgres-faults.js'
import { startFeed } from '../feed/support/feed-process.js'
import { hasNats, startNats } from '../feed/support/nats-server.js'
import { hasPostgres } from '../feed/support/postgres-cluster.js'
import { faultsOf, type Sql } from '../feed/support/tables.js'
import { freePort } from '../free-port.js'
import { FULL } from '../full.js'

const ROOT = resolve(import.meta.dirname, '../..')
const BALANCE = 100_000_000_000n
/** Limit of a test in ms: a new PGlite folder takes seconds of processor time. */
const LONG = 300_000

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vue-chain-feed-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('vue-chain feed', () => {
  it(
    'stores transfers in a PGlite folder, and ends between two steps at SIGTERM',
    async () => {
      const devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: BALANCE })
      const { address } = devnode.accounts[0]!
      const database = join(mkdtempSync(join(folder, 'data-')), 'pglite') // a retry has an empty one
      const flags = ['--network', 'simnet', '--url', devnode.urls.borsh, '--database', database, '--confirmations', '0']
      const port = await freePort()
      const start = () => startFeed([...flags, '--addresses', address, '--port', String(port)])
      const metrics = (): Promise<string> =>
        fetch(`http://127.0.0.1:${port}/metrics`).then(
          (response) => response.text(),
          () => '', // it is starting
        )
      const feed = start()
      // the opening credits
      await expect.poll(metrics, { timeout: LONG }).toMatch(/vue_chain_feed_transfers_total [1-9]/)
      await devnode.fund(address, 500_000_000n)
      await devnode.mine(2)
      feed.signal('SIGTERM')
      expect(await feed.exited).toBe(0)
      const again = start()
      await expect.poll(again.output, { timeout: LONG }).toContain('The feed delivers')
      await devnode.mine()
      await expect.poll(metrics, { timeout: LONG }).toMatch(/vue_chain_feed_lag_blocks 0\n/)
      again.signal('SIGTERM')
      expect(await again.exited).toBe(0)
      const client = await PGlite.create(database)
      const sql: Sql = async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows
      expect(await faultsOf(sql, devnode, [{ address, genesis: BALANCE }])).toEqual([])
      await client.close()
      await devnode.close()
    },
    LONG,
  )

  it.skipIf(!hasNats || spawnSync('openssl', ['version']).status !== 0)(
    'delivers to a NATS server by TLS, whose certificate is checked (nats-server 2.10 or later, openssl)',
    async () => {
      const [key, certificate] = [join(folder, 'nats.key'), join(folder, 'nats.pem')]
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
      const files = ['-keyout', key, '-out', certificate]
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files]
      execFileSync('openssl', request, { stdio: 'ignore' })
      const settings = `tls { cert_file: ${JSON.stringify(certificate)}, key_file: ${JSON.stringify(key)} }`
      const server = await startNats(settings, { tls: { caFile: certificate } })
      const devnode = await createDevnode({ accounts: 1 })
      const nats = `tls://localhost:${server.port}`
      const flags = ['--network', 'simnet', '--url', devnode.urls.borsh, '--nats', nats, '--confirmations', '0']
      const start = (env: Readonly<Record<string, string>>) =>
        startFeed([...flags, '--addresses', devnode.accounts[0]!.address, '--port', '0'], undefined, env)
      const trusting = start({ NODE_EXTRA_CA_CERTS: certificate })
      await expect.poll(trusting.output, { timeout: LONG }).toContain('The feed delivers')
      trusting.signal('SIGTERM')
      expect(await trusting.exited).toBe(0)
      const other = start({})
      await expect.poll(other.output, { timeout: LONG }).toMatch(/self-signed certificate/)
      other.signal('SIGTERM')
      await other.exited
      await devnode.close()
      await server.stop()
    },
    LONG,
  )

  it.skipIf(!hasNats)(
    'watches the keys of a bucket, and ends with one line where there is none (nats-server 2.10 or later)',
    async () => {
      const server = await startNats()
      const devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: BALANCE })
      const { address } = devnode.accounts[0]!
      const nats = `nats://127.0.0.1:${server.port}`
      const flags = ['--network', 'simnet', '--url', devnode.urls.borsh, '--nats', nats, '--confirmations', '0']
      const start = () => startFeed([...flags, '--addresses', 'kv:watched', '--port', '0'])
      const missing = start()
      expect(await missing.exited).toBe(1)
      expect(missing.output()).toContain(
        'vue-chain feed: The bucket "watched" of --addresses does not exist.\nCreate it: nats kv add watched\n',
      )
      await server.manager.streams.add({ name: 'KV_watched', subjects: ['$KV.watched.>'], max_msgs_per_subject: 1 })
      const feed = start()
      await expect.poll(feed.output, { timeout: LONG }).toContain('The feed delivers')
      await server.manager.jetstream().publish(`$KV.watched.${address.replace(':', '.')}`, '')
      const last = { last_by_subj: `chain.simnet.transfer.${address}` }
      const opening = async () => {
        await devnode.mine()
        return (await server.manager.streams.getMessage('chain-simnet', last))?.json()
      }
      await expect.poll(opening, { timeout: LONG }).toMatchObject({ direction: 'credit', isOpening: true })
      feed.signal('SIGTERM')
      expect(await feed.exited).toBe(0)
      await devnode.close()
      await server.stop()
    },
    LONG,
  )

  it.each([
    ['a folder', './data', '@electric-sql/pglite'],
    ['PostgreSQL', 'postgres://127.0.0.1/feed', 'pg'],
  ])('names the command that installs the package for %s, and exits with 1', async (_, database, name) => {
    const feed = startFeed(['--network', 'simnet', '--database', database], installWithoutPeers())
    expect(await feed.exited).toBe(1)
    expect(feed.output()).toBe(`vue-chain feed: The package ${name} is not installed.\nnpm i ${name}\n`)
  })

  it('names both packages for NATS, and exits with 1', async () => {
    const flags = ['--network', 'simnet', '--nats', 'nats://127.0.0.1', '--addresses', 'kaspasim:qq']
    const feed = startFeed(flags, installWithoutPeers())
    expect(await feed.exited).toBe(1)
    expect(feed.output()).toBe(
      'vue-chain feed: The package @nats-io/transport-node is not installed.\n' +
        'npm i @nats-io/transport-node @nats-io/jetstream\n',
    )
  })

  /** A copy of the built library whose optional peers are missing; returns the path of its command. */
  function installWithoutPeers(): string {
    const modules = join(folder, 'app/node_modules')
    const library = join(modules, 'vue-chain')
    if (readdirSync(folder).includes('app')) return join(library, 'dist/cli.js')
    mkdirSync(library, { recursive: true })
    cpSync(join(ROOT, 'package.json'), join(library, 'package.json'))
    cpSync(join(ROOT, 'dist'), join(library, 'dist'), { recursive: true })
    for (const name of ['rxjs', 'ws', 'isomorphic-ws', 'tslib', '@noble', '@scure', '@tanstack'])
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
    return join(library, 'dist/cli.js')
  }
})

describe.skipIf(!hasPostgres)('three instances on PostgreSQL (apt-get install postgresql)', () => {
  it(
    'store every transfer once while instances, database, node and networks fail',
    async () => {
      const result = await runPostgresChaos({ faults: FULL ? 500 : 30, seed: 18 })
      expect(result.failures).toEqual([])
      expect(result.differences).toEqual([])
      expect(result.rows).toBeGreaterThan(0)
      if (FULL) expect(Object.keys(result.counts).sort()).toEqual(Object.keys(POSTGRES_FAULTS).sort())
    },
    LONG * 4,
  )
})
