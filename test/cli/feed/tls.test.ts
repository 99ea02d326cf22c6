import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFlags } from '../../../src/cli/feed/flags.js'
import { openSink } from '../../../src/cli/feed/feed.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../../feed/support/postgres-cluster.js'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const ignore = (): void => undefined
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }

describe.skipIf(!hasPostgres || !hasOpenssl)('TLS to PostgreSQL (apt-get install postgresql openssl)', () => {
  let folder: string
  let cluster: PostgresCluster

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vue-chain-tls-'))
    for (const name of ['feed', 'other'])
      execFileSync(
        'openssl',
        [
          ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
          ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', join(folder, `${name}.key`)],
          ...['-out', join(folder, `${name}.pem`)],
        ],
        { stdio: 'ignore' },
      )
    cluster = await startPostgres({ certificate: join(folder, 'feed.pem'), key: join(folder, 'feed.key') })
  })

  afterAll(async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true })
  })

  /** Opens a session as the documented URL does, with that root certificate. */
  async function open(name: string): Promise<unknown> {
    const settings = `sslmode=verify-full&sslrootcert=${join(folder, `${name}.pem`)}`
    const flags = readFlags([`--database=postgres://postgres@localhost:${cluster.port}/postgres?${settings}`], {})
    if (flags === null) throw new Error('--help')
    const { sink, close } = await openSink(flags, logger)
    try {
      const session = await sink.open({ network: 'simnet', watch: 'table', signal: new AbortController().signal })
      const encrypted = await cluster
        .pool()
        .query<{ ssl: boolean }>(
          "select s.ssl from pg_stat_ssl as s join pg_locks as l using (pid) where l.locktype = 'advisory'",
        )
      await session.close()
      return encrypted.rows
    } finally {
      await close()
    }
  }

  it('checks the certificate of the server', async () => {
    expect(await open('feed')).toEqual([{ ssl: true }])
    await expect(open('other')).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/self-signed certificate|unable to verify/) }),
    })
  })
})
