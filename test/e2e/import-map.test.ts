import { createServer, type Server } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from './browser.js'

const ROOT = resolve(import.meta.dirname, '../..')
const VUE = join(ROOT, 'node_modules/vue/dist/vue.runtime.esm-browser.prod.js')
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css' }

let browser: Browser
let devnode: Devnode
let server: Server
let url: string

/** A page without a bundler, whose import map has two entries. */
const toPage = (node: string): string => `<!doctype html>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="/vue-chain/style.css" />
<script type="importmap">{ "imports": { "vue": "/vue.js", "vue-chain": "/vue-chain/browser.js" } }</script>
<div id="app"></div>
<script type="module">
  import { createApp, h } from 'vue'
  import { ConnectWallet, VueChain, useChainEngine, useRestQuery, useRpc, useRpcQuery } from 'vue-chain'
  createApp({
    setup() {
      const { virtualDaaScore } = useRpc()
      const { data } = useRpcQuery({ queryKey: ['sink'], queryFn: ({ rpc }) => rpc.getSink() })
      const { data: dag } = useRestQuery({ queryKey: ['dag'], queryFn: ({ rest }) => rest.getBlockDag() })
      window.engine = useChainEngine()
      return () => [h('p', [virtualDaaScore.value, data.value?.sink.length, dag.value?.networkName].join(' ')), h(ConnectWallet)]
    },
  }).use(VueChain, { network: 'simnet', url: '${node}', restUrl: '${devnode.urls.rest}' }).mount('#app')
</script>`

beforeAll(async () => {
  ;[browser, devnode] = await Promise.all([launch(), createDevnode()])
  server = createServer(({ url: path = '/' }, response) => {
    const file = path === '/vue.js' ? VUE : join(ROOT, 'dist', normalize(path).replace(/^\/vue-chain/, ''))
    const isFile = path !== '/' && existsSync(file)
    response.writeHead(isFile || path === '/' ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'text/html' })
    response.end(isFile ? readFileSync(file) : toPage(devnode.urls.borsh))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterAll(async () => {
  server.close()
  await Promise.all([browser.close(), devnode.close()])
})

it('shows live values and pays on a page without a bundler, by an import map of two entries', async () => {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() !== 'log' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto(url)
  await expect.poll(() => page.locator('p').first().textContent()).toMatch(/^[1-9]\d* 64 kaspa-simnet$/)
  expect(await page.locator('.vc-connect button').count()).toBe(1)
  expect(requested.filter((path) => path.endsWith('.js')).length).toBeLessThan(45)

  const [from, to] = devnode.accounts
  await page.evaluate(`(async () => {
    await engine.wasm.init()
    await engine.transactions.send({
      entries: await engine.rpc.getUtxosByAddresses(['${from!.address}']),
      outputs: [{ address: '${to!.address}', amount: 1_250_000_000n }],
      changeAddress: '${from!.address}',
      privateKeys: ['${from!.privateKeyHex}'],
    })
  })()`)
  const received = (): Promise<string> =>
    page.evaluate(`engine.rpc.getBalanceByAddress('${to!.address}').then(({ balance }) => String(balance))`)
  await expect.poll(received).toBe('101250000000')
  expect(problems).toEqual([])
  await page.close()
})
