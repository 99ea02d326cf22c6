import { createServer } from 'node:net'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FLAGS, formatHelp, readFlags } from '../../../src/cli/payments/flags.js'
import { describe as describePage, toPage } from '../../../src/cli/payments/request-server.js'
import type { PageState } from '../../../src/cli/payments/request-json.js'
import { runPayments } from '../../../src/cli/payments/payments.js'
import { toPaymentUri } from '../../../src/model/payment-uri.js'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { freePort } from '../../free-port.js'
import { listen } from '../../listen.js'
import { pollMined } from '../../poll-mined.js'
import { makePgliteFolder } from '../../feed/support/new-pglite.js'
import { openReceiver, type Receiver } from '../../feed/payments/support/receiver.js'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/payments.md'), 'utf8')

/** The commands of the page, a line each. */
const COMMANDS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, code = '']) => code.trim().split('\n'))
const commandsWith = (text: string): readonly string[] => COMMANDS.filter((command) => command.includes(text))
const exported = (name: string): string => commandsWith(`export ${name}=`)[0]?.split('=')[1] ?? ''

/** Method, headers, path and body of a `curl`. */
function parseCurl(command: string) {
  const headers = Object.fromEntries(
    [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const [, body] = /-d '([^']+)'/.exec(command) ?? []
  const [, path = ''] = /http:\/\/127\.0\.0\.1:\d+(\/\S*)/.exec(command) ?? []
  return {
    path,
    body,
    init: { method: body === undefined ? 'GET' : 'POST', headers, ...(body === undefined ? {} : { body }) },
  }
}

describe('vue-chain payments', () => {
  let devnode: Devnode
  let folder: string
  let receiver: Receiver
  let lines: string[]
  let errors: string[]
  let interrupt: () => void
  let done: Promise<number>

  beforeEach(async () => {
    devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
    folder = mkdtempSync(join(tmpdir(), 'vue-chain-shop-'))
    await makePgliteFolder(join(folder, 'shop'))
    receiver = await openReceiver(() => false)
    ;[lines, errors] = [[], []]
    vi.stubEnv('VUE_CHAIN_TOKEN', exported('VUE_CHAIN_TOKEN'))
    vi.stubEnv('VUE_CHAIN_KPUB', exported('VUE_CHAIN_KPUB'))
    vi.stubEnv('VUE_CHAIN_WEBHOOK_SECRET', receiver.secret)
    const interrupted = new Promise<void>((resolve) => (interrupt = resolve))
    const [command = ''] = commandsWith('vue-chain payments')
    const args = command
      .replace(/^.*vue-chain payments /, '')
      .replace(/ws:\S+/, devnode.urls.borsh)
      .split(' ')
    const more = ['--port', '0', '--status-port', '0', '--database', join(folder, 'shop'), '--allow-private', 'true']
    done = runPayments([...args, ...more, '--webhook-url', receiver.url], {
      print: (line) => void lines.push(line),
      printError: (line) => void errors.push(line),
      untilInterrupted: () => interrupted,
    })
  })

  afterEach(async () => {
    interrupt()
    expect(await done).toBe(0)
    expect(errors).toEqual([])
    vi.unstubAllEnvs()
    await receiver.close()
    await devnode.close()
    rmSync(folder, { recursive: true })
  })

  async function untilServing(): Promise<string> {
    const find = () => lines.map((line) => /"url":"(http:[^"]+)"/.exec(line)?.[1]).find((url) => url !== undefined)
    await expect.poll(find).toBeDefined()
    return find() ?? ''
  }

  it('serves a paid order by the commands of its page, to callers with the token', async () => {
    const url = await untilServing()
    const [create, read] = commandsWith('/v1/requests').map(parseCurl)
    const call = async ({ path, init }: ReturnType<typeof parseCurl>) => {
      const response = await fetch(url + path, init)
      return { status: response.status, body: (await response.json()) as Record<string, never> }
    }
    await expect.poll(async () => (await call(create!)).status).toBe(200) // once it is connected
    const made = await call(create!)
    expect(made).toMatchObject({
      status: 200,
      body: { id: 'order-42', amount: '1250000000', state: { status: 'waiting', missing: '1250000000' } },
    })
    const { state: before = {} }: Readonly<Record<string, object>> = made.body
    const again = { ...made.body, state: { ...before, freshness: expect.any(String) as unknown } }
    expect((await call(create!)).body).toEqual(again) // but for the freshness: the feed goes on meanwhile
    const page = String(made.body.page)
    const shown = await fetch(url + page)
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-/)
    const html = await shown.text()
    expect(html).toContain(`aria-label="Payment of 12.5 SKAS to ${String(made.body.address)}"`)
    expect(html).toContain('<h1>Shop</h1>')
    const [fund] = commandsWith('/fund').map(parseCurl)
    const { amount } = JSON.parse(fund?.body ?? '{}') as { readonly amount: number }
    await devnode.mine()
    await devnode.fund(String(made.body.address), BigInt(amount))
    await pollMined(devnode, async () => (await call(read!)).body.state).toMatchObject({
      status: 'confirmed',
      received: '1250000000',
    })
    await expect.poll(() => receiver.accepted.at(-1)?.type).toBe('payment.confirmed')
    const state = await fetch(`${url}${page.replace('?', '/state?')}`)
    expect(await state.json()).toMatchObject({ text: 'Paid', status: 'confirmed' })

    const list = { path: '/v1/requests?status=confirmed', body: undefined, init: read!.init }
    expect((await call(list)).body).toMatchObject({ requests: [{ id: 'order-42' }] })
    for (const { path, init } of [create!, read!])
      expect((await fetch(url + path, { ...init, headers: { 'content-type': 'application/json' } })).status).toBe(401)
    expect((await fetch(url + page.replace(/key=./, 'key=!'))).status).toBe(404)
    expect((await fetch(`${url}/v1/other`)).status).toBe(404)
    const wrong = { ...create!, init: { ...create!.init, body: '{"id":"order-42","amount":"1"}' } }
    expect(await call(wrong)).toMatchObject({ status: 400, body: { error: { argument: 'amount' } } })
    for (const body of [
      '',
      '[]',
      '{"id":1',
      `{"id":"${'a'.repeat(70_000)}"}`,
      '{"id":"a","amount":5}',
      '{"amount":"5"}',
    ])
      expect((await call({ ...create!, init: { ...create!.init, body } })).status).toBe(400)
    for (const secret of [exported('VUE_CHAIN_TOKEN'), receiver.secret]) expect(lines.join()).not.toContain(secret)
  })
})

describe('vue-chain payments that cannot listen', () => {
  /** Runs it in a new folder, with a node that does not exist. */
  async function run(...flags: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'vue-chain-shop-'))
    await makePgliteFolder(join(folder, 'shop'))
    vi.stubEnv('VUE_CHAIN_TOKEN', exported('VUE_CHAIN_TOKEN'))
    vi.stubEnv('VUE_CHAIN_KPUB', exported('VUE_CHAIN_KPUB'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    })
    const errors: string[] = []
    const fixed = ['--network', 'simnet', '--url', 'ws://127.0.0.1:1', '--database', join(folder, 'shop')]
    const code = await runPayments([...fixed, ...flags], {
      print: () => undefined,
      printError: (line) => void errors.push(line),
      untilInterrupted: () => new Promise(() => undefined),
    })
    return { code, errors }
  }

  it('ends, and closes what listens: a process that hangs is not started again', async () => {
    const { port, close } = await listen(createServer())
    onTestFinished(close)
    const statusPort = await freePort()
    const { code, errors } = await run('--port', String(port), '--status-port', String(statusPort))
    expect(code).toBe(1)
    expect(errors[0]).toBe(`vue-chain payments: Cannot listen on port ${port} of 127.0.0.1: it is in use.`)
    await expect(fetch(`http://127.0.0.1:${statusPort}/healthz`)).rejects.toThrow('fetch failed')
  })

  it.each(['--port', '--status-port'])('says that a number is no port, of %s', async (flag) => {
    const other = flag === '--port' ? ['--status-port', '0'] : ['--port', '0']
    const { code, errors } = await run(flag, '65536', ...other)
    expect(code).toBe(1)
    expect(errors[0]).toBe('vue-chain payments: Cannot listen on port 65536 of 127.0.0.1: it is no port.')
  })
})

const ADDRESS = 'kaspasim:qq789twmfl0sntu57ry56llf9gux5lnse79pmpv3vwrtkff4c7cmz2unkm8aw'
const STATE: PageState = {
  address: ADDRESS,
  amount: '100000000',
  expiresAt: 0,
  uri: 'kaspasim:a?amount=1&label=%3C',
  network: 'simnet',
  label: '<script>alert(1)</script>',
  message: '"\'&',
  status: 'waiting',
  received: '0',
  pending: '0',
  missing: '100000000',
  isLate: false,
  isExpired: false,
  freshness: 'stale',
}

it('escapes what a page shows', () => {
  const html = toPage(STATE, 'nonce')
  expect(html).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>')
  expect(html).toContain('<p>&quot;&#39;&amp;</p>')
  expect(html).toContain('href="kaspasim:a?amount=1&amp;label=%3C"')
  expect(html).toContain('No connection to the network')
})

it.each([
  ['mainnet', '1\u202f234.5 KAS'],
  ['testnet-10', '1\u202f234.5 TKAS'],
] as const)('names the unit of %s', (network, amount) => {
  const html = toPage({ ...STATE, network, amount: '123450000000', missing: '123450000000' }, 'nonce')
  expect(html).toContain(`<p class="amount">${amount}</p>`)
  expect(html).toContain(`aria-label="Payment of ${amount} to`)
  const partly = describePage({ ...STATE, network, status: 'partly-paid', missing: '123450000000' })
  expect(partly).toBe(`A part is missing: ${amount}`)
})

it('draws a code that is easy to scan, however long the texts of a request are', () => {
  const texts = { label: 'L'.repeat(200), message: 'M'.repeat(200) }
  const uri = toPaymentUri({ address: ADDRESS, amount: 100_000_000n, ...texts })
  const html = toPage({ ...STATE, ...texts, uri }, 'nonce')
  const [, size] = /viewBox="0 0 (\d+) /.exec(html) ?? []
  expect(Number(size)).toBeLessThanOrEqual(57 + 8) // version 10, with its quiet zone
  expect(html).toContain('M'.repeat(200))
})

describe('flags of payments', () => {
  const env = { VUE_CHAIN_KPUB: 'kpub', VUE_CHAIN_TOKEN: 'a'.repeat(16) }

  it('are those of the page', () => {
    const documented = [...PAGE.matchAll(/^\| `--([\w-]+)` +\| `(\w+)`/gm)].map(([, flag, name]) => [flag, name])
    expect(documented).toEqual(Object.entries(FLAGS).map(([flag, { env: name }]) => [flag, name]))
    for (const flag of Object.keys(FLAGS)) expect(formatHelp()).toContain(`--${flag} `)
    expect(readFlags(['--help'], {})).toBeNull()
  })

  it.each([
    [[], { ...env, VUE_CHAIN_KPUB: '' }, 'kpub'],
    [[], { ...env, VUE_CHAIN_TOKEN: 'short' }, 'token'],
    [['--webhook-url=https://a.example'], env, 'webhook-secret'],
    [['--port=a'], env, 'port'],
    [['--network=other'], env, 'network'],
    [['--url=http://a'], env, 'url'],
    [['--database=mysql://a'], env, 'database'],
    [
      ['--allow-private=yes', '--webhook-url=https://a.example'],
      { ...env, VUE_CHAIN_WEBHOOK_SECRET: 'a' },
      'allow-private',
    ],
  ])('rejects %j', (args, variables, argument) => {
    expect(() => readFlags(args, variables)).toThrow(expect.objectContaining({ code: 'invalid-option', argument }))
  })
})
