import type { Browser } from 'playwright-core'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { createJetStreamSink } from '../../src/feed/jetstream/create-jetstream-sink.js'
import { hasNats, startNats, type NatsServer } from '../feed/support/nats-server.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const ROOT = resolve(import.meta.dirname, '../..')

/** A page that lists the transfers of an address, with the built entry `vue-chain/feed/consumer`. */
const PAGE = `
import { wsconnect } from '${ROOT}/node_modules/@nats-io/nats-core'
import { consumeTransfers } from '${ROOT}/dist/feed/consumer.js'

const connection = await wsconnect({ servers: NATS_URL, maxReconnectAttempts: -1 })
for await (const { transfers } of consumeTransfers(connection, { network: 'simnet', addresses: [ADDRESS] }))
  for (const { direction, amount, isOpening } of transfers) {
    const row = document.createElement('p')
    row.dataset.test = isOpening ? 'opening' : 'transfer'
    row.textContent = direction + ' ' + amount
    document.body.append(row)
  }
`

describe.skipIf(!hasNats)('a page on the WebSocket port of NATS (nats-server 2.10 or later)', () => {
  let server: NatsServer
  let devnode: Devnode
  let engine: ChainEngine
  let browser: Browser
  let page: BuiltPage
  const controller = new AbortController()
  let running: Promise<void>

  beforeAll(async () => {
    server = await startNats()
    devnode = await createDevnode({ blockInterval: 0, accounts: 2 })
    engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await engine.connection.connect()
    const [{ address } = { address: '' }, { address: other } = { address: '' }] = devnode.accounts
    const sink = createJetStreamSink({ connection: await server.connect() })
    running = createFeed({ engine, watch: [address, other], minConfirmations: 0, sink }).run({
      signal: controller.signal,
    })
    page = await servePage(
      PAGE,
      {},
      {
        NATS_URL: JSON.stringify(`ws://127.0.0.1:${server.websocketPort}`),
        ADDRESS: JSON.stringify(address),
      },
    )
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    page.close()
    controller.abort()
    await running
    await engine.dispose()
    await devnode.close()
    await server.stop()
  })

  it('shows the transfers of its address, and those of others not', async () => {
    const tab = await browser.newPage()
    const errors: string[] = []
    tab.on('pageerror', (error) => errors.push(error.message))
    await tab.goto(page.url)
    await expect.poll(() => tab.getByTestId('opening').count()).toBeGreaterThan(0)
    const [{ address } = { address: '' }, { address: other } = { address: '' }] = devnode.accounts
    await devnode.fund(other, 300_000_000n)
    await devnode.fund(address, 500_000_000n)
    await devnode.mine(2)
    await expect.poll(() => tab.getByTestId('transfer').allTextContents()).toEqual(['credit 500000000'])
    expect(errors).toEqual([])
  })
})
