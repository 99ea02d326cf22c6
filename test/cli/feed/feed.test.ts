import { VirtualTimeScheduler } from 'rxjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.js'
import { FLAGS, readFlags } from '../../../src/cli/feed/flags.js'
import { INITIAL_REPORT, serveStatus } from '../../../src/cli/feed/status-server.js'
import { createJsonLogger, onceAMinute } from '../../../src/cli/run-service.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { INITIAL_STATUS, type FeedStatus } from '../../../src/feed/status.js'

describe('the flags of vue-chain feed', () => {
  it('come before environment variables, and these before defaults', () => {
    const env = { VUE_CHAIN_NETWORK: 'testnet-10', DATABASE_URL: 'postgres://db/feed' }
    expect(readFlags(['--network', 'simnet', '--addresses', 'a,b'], env)).toEqual({
      network: 'simnet',
      urls: [],
      database: 'postgres://db/feed',
      nats: [],
      schema: 'vue_chain',
      confirmations: 100,
      addresses: ['a', 'b'],
      replace: false,
      from: 'sink',
      onGap: 'reject',
      nodeBehindTimeout: 600_000,
      statementTimeout: 60_000,
      retain: undefined,
      replicas: 1,
      maxAge: 0,
      leaseTimeout: 10_000,
      port: 9464,
      host: '127.0.0.1',
    })
    expect(readFlags([], env)).toMatchObject({ network: 'testnet-10', addresses: null })
    expect(readFlags(['--help'], env)).toBeNull()
  })

  it.each([
    ['--network', 'moonnet'],
    ['--confirmations', '-1'],
    ['--port', ''],
    ['--nats', 'nats://host:port'],
    ['--url', 'ws://host:port'],
    ['--url', 'https://node.example'],
    ['--url', 'node.example:17110'],
    ['--on-gap', 'skip'],
    ['--max-age', '7d'],
    ['--retain', '90'],
    ['--retain', '0d'],
    ['--statement-timeout', '1.5'],
    ['--addresses', 'kv:'],
    ['--addresses', 'kv:two words'],
  ])('reject %s %j', (flag, value) => {
    const code = 'invalid-option'
    expect(() => readFlags([`${flag}=${value}`], {})).toThrow(
      expect.objectContaining({ code, argument: flag.slice(2) }),
    )
  })

  it.each([
    ['--database', 'postgresq://user:Zq7secret@db/feed'],
    ['--database', 'mysql://user:Zq7secret@db/feed'],
    ['--database', 'user:Zq7secret@db/feed'],
    ['--database', 'host=db password=Zq7secret'],
    ['--database', 'postgres:user:Zq7secret@db'],
    ['--database', 'postgres://user:Zq7secret@db:port/feed'],
    ['--database', 'postgres://user:Zq7secret%zz@db/feed'],
    ['--database', 'pglite://user:Zq7secret@db'],
    ['--database', 'pglite:'],
    ['--nats', 'nats://user:Zq7secret@db:port'],
    ['--nats', 'Zq7secret@db:port'],
    ['--nats', 'nats://Zq7secret%zz@db'],
  ])('P5: refuse %s %s by its flag, without the password', async (flag, value) => {
    const lines: string[] = []
    const print = (line: string): void => void lines.push(line)
    const context = { print, printError: print, untilInterrupted: () => Promise.resolve() }
    expect(await runCli(['feed', `${flag}=${value}`, '--addresses=a', '--port=0'], context)).toBe(1)
    expect(lines[0]).toMatch(new RegExp(`^vue-chain feed: ".*" is no value for ${flag}\\.$`))
    expect(lines.join('\n')).not.toContain('Zq7')
  })

  it.each([
    ['./vue-chain-feed', './vue-chain-feed'],
    ['pglite:./feed', './feed'],
    ['C:\\feeds\\main', 'C:\\feeds\\main'],
    ['/srv/@scope/feed', '/srv/@scope/feed'],
    ['postgresql://u:p%40w@db/feed', 'postgresql://u:p%40w@db/feed'],
    ['postgres:///feed?host=/run', 'postgres:///feed?host=/run'],
  ])('P5: take --database %s', (value, database) => {
    expect(readFlags([`--database=${value}`], {})).toMatchObject({ database })
  })

  it('pass timeouts, the handling of gaps and the settings of a stream', () => {
    const args = ['--on-gap=continue', '--node-behind-timeout=5000', '--statement-timeout=90000', '--replicas=3']
    const more = [
      '--retain=90d',
      '--max-age=31536000000',
      '--nats-creds=feed.creds',
      '--replace',
      '--addresses=@watched.txt',
    ]
    expect(readFlags([...args, ...more], {})).toMatchObject({
      onGap: 'continue',
      nodeBehindTimeout: 5_000,
      statementTimeout: 90_000,
      replicas: 3,
      retain: 7_776_000_000,
      maxAge: 31_536_000_000,
      natsCreds: 'feed.creds',
      replace: true,
      addresses: '@watched.txt',
    })
    expect(readFlags([], { VUE_CHAIN_REPLACE: 'true' })).toMatchObject({ replace: true })
  })

  it('are the ones of docs/feed.md, with their variables and defaults', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../docs/feed.md'), 'utf8')
    for (const [flag, { env, value }] of Object.entries(FLAGS)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`--${flag}\` `)) ?? `no row for --${flag}`
      expect(row).toContain(`\`${env}\``)
      if (value !== '') expect(row).toContain(`\`${value}\``)
    }
  })

  it.each([
    ['--addresses=@/no/such/file', 'The file "/no/such/file" of --addresses cannot be read: ENOENT'],
    ['--nats-creds=/no/such/file', 'The file "/no/such/file" of --nats-creds cannot be read: ENOENT'],
    ['--url=ws://host:port', '"ws://host:port" is no value for --url'],
  ])('refuse %s in one line', async (flag, message) => {
    const lines: string[] = []
    const print = (line: string): void => void lines.push(line)
    const context = { print, printError: print, untilInterrupted: () => Promise.resolve() }
    const nats = flag.startsWith('--nats') ? ['--nats=127.0.0.1:1', '--addresses=a'] : []
    expect(await runCli(['feed', ...nats, flag, '--port=0', '--network=simnet'], context)).toBe(1)
    expect(lines).toEqual([`vue-chain feed: ${message}.`, 'See --help.'])
  })

  it('select NATS by its servers, which need addresses', () => {
    const env = { NATS_URL: 'nats://user:secret@one:4222,two' }
    expect(readFlags(['--addresses', 'a'], env)).toMatchObject({ nats: ['nats://user:secret@one:4222', 'two'] })
    expect(() => readFlags([], env)).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: '--nats needs --addresses' }),
    )
    expect(readFlags(['--addresses', 'kv:watched'], env)).toMatchObject({ addresses: 'kv:watched' })
    expect(() => readFlags(['--addresses', 'kv:watched'], {})).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: '--addresses kv:… needs --nats' }),
    )
  })

  it('are listed by --help, and an unknown one exits with 1', async () => {
    const lines: string[] = []
    const context = {
      print: (line: string) => void lines.push(line),
      printError: (line: string) => void lines.push(line),
      untilInterrupted: () => Promise.resolve(),
    }
    expect(await runCli(['feed', '--help'], context)).toBe(0)
    expect(lines.join('\n')).toContain('--confirmations')
    expect(await runCli(['feed', '--depth=3'], context)).toBe(1)
    expect(lines.at(-2)).toBe("vue-chain feed: Unknown option '--depth'.")
  })
})

describe('the log of vue-chain feed', () => {
  it('is lines of JSON without credentials', () => {
    const lines: string[] = []
    const logger = createJsonLogger((line) => void lines.push(line))
    logger.debug('left out')
    const cause = new Error('connect postgres://user:secret@db/feed')
    logger.warn('Not connected', { blueScore: 5n, error: new ChainError('The sink failed', { cause }) })
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('secret')
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      message: 'Not connected',
      blueScore: '5',
      error: { name: 'ChainError', message: 'The sink failed', code: 'failed' },
    })
  })
})

it('writes a message of the log once a minute, with how many were left out', () => {
  const clock = new VirtualTimeScheduler()
  const lines: unknown[] = []
  const write = (...line: unknown[]): void => void lines.push(line)
  const logger = onceAMinute({ debug: write, info: write, warn: write, error: write }, clock)
  for (let at = 0; at <= 60_000; at += 20_000) {
    clock.frame = at
    logger.warn('The connection to the sink was lost', { at })
    if (at === 0) logger.info('Another', { at })
  }
  expect(lines).toEqual([
    ['The connection to the sink was lost', { at: 0 }],
    ['Another', { at: 0 }],
    ['The connection to the sink was lost', { at: 60_000, omitted: 2 }],
  ])
})

describe('the status of vue-chain feed', () => {
  it('refuses a port that is in use, in one line', async () => {
    const report = () => INITIAL_REPORT
    const metrics = () => ''
    const server = await serveStatus({ host: '127.0.0.1', port: 0 }, report, metrics)
    const port = Number(new URL(server.url).port)
    await expect(serveStatus({ host: '127.0.0.1', port }, report, metrics)).rejects.toMatchObject({
      message: `Cannot listen on port ${port} of 127.0.0.1: it is in use`,
      argument: 'port',
    })
    const lines: string[] = []
    const print = (line: string): void => void lines.push(line)
    const context = { print, printError: print, untilInterrupted: () => Promise.resolve() }
    expect(await runCli(['feed', '--network=simnet', `--port=${port}`, '--url=ws://127.0.0.1:1'], context)).toBe(1)
    expect(lines).toEqual([
      `vue-chain feed: Cannot listen on port ${port} of 127.0.0.1: it is in use.`,
      'Pass another --port, or 0 for none.',
    ])
    await server.close()
  })

  it('is what the health check of examples/feed/Dockerfile reads', async () => {
    const file = readFileSync(resolve(import.meta.dirname, '../../../examples/feed/Dockerfile'), 'utf8')
    const [, program = ''] = /^HEALTHCHECK .* CMD node -e "(.*)"$/m.exec(file) ?? []
    let { health } = INITIAL_REPORT
    const server = await serveStatus(
      { host: '127.0.0.1', port: 0 },
      () => ({ ...INITIAL_REPORT, health }),
      () => '',
    )
    const check = async (): Promise<unknown> => {
      const child = spawn(process.execPath, ['-e', program.replace('http://127.0.0.1:9464', server.url)])
      return (await once(child, 'exit'))[0]
    }
    expect(await check()).toBe(1)
    health = { role: 'active', isAlive: true, isReady: false, causes: ['no-node'] }
    expect(await check()).toBe(0)
    await server.close()
    expect(await check()).toBe(1)
  })

  it('is served as health and as metrics', async () => {
    const TROUBLE = { chain: 'malformed', endpoint: 'ws://node', malformed: 2, rewound: 1 } as const
    let status: FeedStatus = INITIAL_STATUS
    let { health } = INITIAL_REPORT
    const server = await serveStatus(
      { host: '127.0.0.1', port: 0 },
      () => ({ status, health }),
      () => 'vue_chain_connected 1\n',
    )
    const read = async (path: string) => {
      const response = await fetch(`${server.url}${path}`)
      return { code: response.status, text: await response.text() }
    }
    try {
      expect((await read('/healthz')).code).toBe(503)
      expect((await read('/metrics')).text).not.toContain('lag_blocks')
      status = {
        ...INITIAL_STATUS,
        phase: 'running',
        blueScore: 42n,
        lagBlocks: 3n,
        lagSeconds: 0.3,
        batches: 7,
        ...TROUBLE,
      }
      health = { role: 'active', isAlive: true, isReady: false, causes: ['malformed'] }
      expect((await read('/readyz')).code).toBe(503)
      const alive = await read('/healthz')
      expect([alive.code, JSON.parse(alive.text)]).toMatchObject([
        200,
        { role: 'active', causes: ['malformed'], phase: 'running', blueScore: '42', ...TROUBLE },
      ])
      const { text } = await read('/metrics')
      for (const line of [
        'vue_chain_feed_phase{phase="running"} 1',
        'vue_chain_feed_phase{phase="stand-by"} 0',
        'vue_chain_feed_role{role="active"} 1',
        'vue_chain_feed_cause{cause="malformed"} 1',
        'vue_chain_feed_cause{cause="no-node"} 0',
        'vue_chain_feed_ready 0',
        'vue_chain_feed_delivering 0',
        'vue_chain_feed_lag_blocks 3',
        'vue_chain_feed_lag_seconds 0.3',
        'vue_chain_feed_batches_total 7',
        'vue_chain_feed_chain{state="following"} 0',
        'vue_chain_feed_chain{state="malformed"} 1',
        'vue_chain_feed_malformed_total 2',
        'vue_chain_feed_rewound_total 1',
        'vue_chain_connected 1',
      ])
        expect(text.split('\n')).toContain(line)
      expect((await read('/other')).code).toBe(404)
    } finally {
      await server.close()
    }
  })
})
