import { parseYAML } from 'confbox/yaml'
import pg from 'pg'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { startFeed, type FeedProcess } from '../feed/support/feed-process.js'
import { hasPostgres, startPostgres, succeeds, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { faultsOf, type Sql } from '../feed/support/tables.js'
import { freePort } from '../free-port.js'

/** Limit in ms of what waits for processes: machines may be busy. */
const LONG = 120_000
const BALANCE = 100_000_000_000n

interface Service {
  readonly image: string
  readonly command?: string
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: string }
}

/** The text with its variables `${NAME:-default}` filled in, as docker compose does it. */
const interpolate = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, fallback: string) => variables[name] ?? fallback)

function readServices(variables: Readonly<Record<string, string>>): Readonly<Record<string, Service>> {
  const file = resolve(import.meta.dirname, '../../examples/feed/compose.yaml')
  const { services } = parseYAML<{ services: Record<string, Service> }>(
    interpolate(readFileSync(file, 'utf8'), variables),
  )
  return services
}

/** The services of the compose file, without Docker: the same programs with the same commands and variables. */
describe.skipIf(!hasPostgres)('examples/feed/compose.yaml (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let devnode: Devnode
  let feeds: FeedProcess[]

  beforeAll(async () => {
    feeds = []
    devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: BALANCE })
    cluster = await startPostgres()
  })

  afterAll(async () => {
    for (const feed of feeds) feed.signal('SIGKILL')
    await Promise.all(feeds.map(({ exited }) => exited))
    await devnode.close()
    await cluster.stop()
  })

  it(
    'delivers by two instances, one of which takes over',
    async () => {
      const { postgres, feed } = readServices({ NODE_URL: devnode.urls.borsh, NETWORK: 'simnet', CONFIRMATIONS: '0' })
      const { POSTGRES_DB: database = '', POSTGRES_PASSWORD: password = '' } = postgres?.environment ?? {}
      await cluster.pool().query(`create database ${database}`) // the image does that
      expect(succeeds(postgres?.healthcheck?.test ?? '', cluster.port)).toBe(true)

      const { DATABASE_URL = '', ...environment } = feed?.environment ?? {}
      expect(DATABASE_URL).toBe(`postgres://postgres:${password}@postgres:5432/${database}`)
      const url = DATABASE_URL.replace('@postgres:5432', `@127.0.0.1:${cluster.port}`)
      const start = async () => {
        const port = await freePort() // in place of a host of its own
        const args = argumentsOf(feed?.command ?? '')
        const started = startFeed([...args, '--port', String(port)], undefined, { ...environment, DATABASE_URL: url })
        feeds.push(started)
        const health = () => fetch(`http://127.0.0.1:${port}/healthz`).then((response) => response.text())
        return { ...started, health: () => health().catch(() => '') } // it is starting
      }

      const first = await start()
      await expect.poll(first.health, { timeout: LONG }).toContain('"phase":"running"')
      const second = await start()
      await expect.poll(second.health, { timeout: LONG }).toContain('"phase":"stand-by"')

      const pool = new pg.Pool({ connectionString: url })
      const sql: Sql = async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows
      const { address } = devnode.accounts[0]!
      const watched = [{ address, genesis: BALANCE }]
      const differences = () => devnode.mine().then(() => faultsOf(sql, devnode, watched))
      await sql("insert into vue_chain.watched_address (network, address) values ('simnet', $1)", [address])
      await devnode.fund(address, 500_000_000n)
      await expect.poll(differences, { timeout: LONG }).toEqual([])
      first.signal('SIGTERM')
      expect(await first.exited).toBe(0)
      await expect.poll(second.health, { timeout: LONG }).toContain('"phase":"running"')
      await devnode.fund(address, 700_000_000n)
      await expect.poll(differences, { timeout: LONG }).toEqual([])
      await pool.end()
    },
    4 * LONG,
  )

  /** The arguments of the feed in a command of npx, whose packages are those that it needs. */
  function argumentsOf(command: string): readonly string[] {
    const [, flags = '', args = ''] = /^npx --yes ((?:-p \S+ )+)vue-chain feed(.*)$/.exec(command) ?? []
    const packages = flags.split('-p').map((name) => name.trim())
    const known = [manifest.name, ...Object.keys(manifest.peerDependencies)]
    expect(packages.filter(Boolean).filter((name) => !known.includes(name))).toEqual([])
    expect(packages).toEqual(expect.arrayContaining([manifest.name, 'pg']))
    return args.split(' ').filter(Boolean)
  }
})
