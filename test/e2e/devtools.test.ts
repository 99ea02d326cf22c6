import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch, readFakeWallets } from './browser.js'
import { serveInDevelopment, type DevelopmentPage } from './devtools-page.js'

const KAS = 100_000_000n

/** Two apps and the back end of DevTools, which reads their parts as the panel does, through its serialisation. */
const toPage = (first: Devnode, second: Devnode): string => `
import { devtools, parse, stringify } from '@vue/devtools-kit'
import { createApp, h } from 'vue'
import { ConnectWallet, VueChain, useChainEngine } from 'vue-chain'
import { light } from 'vue-chain/light'

devtools.init()
const mount = (name, url, restUrl, devtools) => {
  const setup = () => { window[name] = useChainEngine(); return () => h(ConnectWallet) }
  const app = createApp({ name, setup }).use(VueChain, { network: 'simnet', url, restUrl, sdk: light, devtools })
  app.mount('#' + name)
  return app
}
const apps = {
  first: mount('first', ${JSON.stringify(first.urls.borsh)}, ${JSON.stringify(first.urls.rest)}),
  second: mount('second', ${JSON.stringify(second.urls.borsh)}, ${JSON.stringify(second.urls.rest)}),
  hidden: mount('hidden', ${JSON.stringify(second.urls.borsh)}, ${JSON.stringify(second.urls.rest)}, false),
}
const { api } = __VUE_DEVTOOLS_KIT_CONTEXT__
const shown = () => __VUE_DEVTOOLS_KIT_INSPECTOR__.filter(({ descriptor }) => descriptor.packageName === 'vue-chain')
const recordOf = (name) => __VUE_DEVTOOLS_KIT_APP_RECORDS__.find(({ app }) => app === apps[name])
const passed = (value) => parse(stringify(value))
const events = []
__VUE_DEVTOOLS_KIT_CONTEXT__.hooks.hook('sendTimelineEventToClient', ({ layerId, event }) => {
  events.push([layerId, passed(event).title])
})
window.panel = {
  layers: (id) => __VUE_DEVTOOLS_KIT_TIMELINE_LAYERS.filter((layer) => layer.descriptorId === id).map((layer) => layer.id),
  /** Turns the timeline on, as the button of the panel does. */
  record: (id) => { __VUE_DEVTOOLS_KIT_GLOBAL_STATE__.timelineLayersState[id] = true },
  titles: (layer) => events.filter(([layerId]) => layerId === layer).map(([, title]) => title),
  /** Mounts an app while no panel is open, and installs the plugin after that. */
  async mountLate() {
    apps.late = createApp({ name: 'late', render: () => null })
    apps.late.mount('#late')
    while (recordOf('late') === undefined) await new Promise(requestAnimationFrame)
    panel.open('late', true)
    apps.late.use(VueChain, { network: 'simnet', autoConnect: false })
  },
  open(name, asleep = false) {
    __VUE_DEVTOOLS_KIT_GLOBAL_STATE__.highPerfModeEnabled = asleep
    api.toggleApp(recordOf(name).id)
  },
  inspectors: (name) => shown().filter(({ descriptor }) => descriptor.app === apps[name]).map(({ options }) => options.id),
  tree: async (inspectorId, filter = '') => passed(await api.getInspectorTree({ inspectorId, filter })),
  state: async (inspectorId, nodeId) => passed(await api.getInspectorState({ inspectorId, nodeId })),
  act: (inspectorId, tooltip) => shown().find(({ options }) => options.id === inspectorId)
    .options.actions.find((action) => action.tooltip === tooltip).action(),
}
`

interface TreeNode {
  readonly id: string
  readonly label: string
  readonly tags: readonly { readonly label: string }[]
  readonly children: readonly TreeNode[]
}

type State = Readonly<Record<string, readonly { readonly key: string; readonly value: unknown }[]>>

let browser: Browser
let devnode: Devnode
let other: Devnode
let served: DevelopmentPage
let page: Page
let inspector: string
const problems: string[] = []
const sockets: string[] = []

beforeAll(async () => {
  const options = { blockInterval: 0, accounts: 3 }
  ;[browser, devnode, other] = await Promise.all([launch(), createDevnode(options), createDevnode(options)])
  served = await serveInDevelopment(toPage(devnode, other), ['vue', '@vue/devtools-kit'])
  page = await browser.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.addInitScript({ content: readFakeWallets() })
  await page.addInitScript('fakeWallets.createFakeWalletA().install()')
  await page.goto(served.url)
  await page.waitForFunction('window.panel !== undefined')
  await page.evaluate("panel.open('first')")
  const inspectors = await page.evaluate<string[]>("panel.inspectors('first')")
  expect(inspectors).toHaveLength(1)
  inspector = inspectors[0]!
  await page.evaluate((id) => window.panel.record(id), inspector)
})

afterAll(async () => {
  await page.close()
  await Promise.all([browser.close(), served.close(), devnode.close(), other.close()])
})

const tree = (filter = ''): Promise<TreeNode[]> =>
  page.evaluate(([id, text]) => window.panel.tree(id, text), [inspector, filter] as const)

const nodeOf = async (id: string): Promise<TreeNode | undefined> =>
  (await tree())
    .flatMap((node) => [node, ...node.children, ...node.children.flatMap((child) => child.children)])
    .find((node) => node.id === id)

const tagsOf = async (id: string): Promise<string[] | undefined> => (await nodeOf(id))?.tags.map(({ label }) => label)

const stateOf = (id: string): Promise<State | null> =>
  page.evaluate(([inspectorId, nodeId]) => window.panel.state(inspectorId, nodeId), [inspector, id] as const)

/** The fields of one section. */
const fieldsOf = async (id: string, section: string): Promise<Record<string, unknown>> =>
  Object.fromEntries((await stateOf(id))?.[section]?.map(({ key, value }) => [key, toBigint(value)]) ?? [])

/** A bigint as the panel receives it, as bigint; other values as they are. */
function toBigint(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('_custom' in value)) return value
  const { type, value: digits } = value._custom as { readonly type: string; readonly value: string }
  return type === 'bigint' ? BigInt(digits) : value
}

describe('the inspector of Vue DevTools, read back from their back end', () => {
  it('exists once per app, and shows the app that is selected', async () => {
    await page.evaluate("panel.open('second')")
    const [second] = await page.evaluate<string[]>("panel.inspectors('second')")
    expect(second).not.toBe(inspector)
    expect(await page.evaluate(([id]) => window.panel.tree(id, ''), [inspector] as const)).toEqual([])
    await page.evaluate("panel.open('first')")
    await page.evaluate("panel.open('first')")
    expect(await page.evaluate("panel.inspectors('first')")).toEqual([inspector])
  })

  it('exists once for an app that has got the plugin after it was mounted', async () => {
    await page.evaluate('panel.mountLate()')
    expect(await page.evaluate("panel.inspectors('late')")).toHaveLength(1)
    await page.evaluate("panel.open('late')")
    expect(await page.evaluate("panel.inspectors('late')")).toHaveLength(1)
    await page.evaluate("panel.open('first')")
  })

  it('does not exist with devtools: false', async () => {
    await page.evaluate("panel.open('hidden')")
    expect(await page.evaluate("panel.inspectors('hidden')")).toEqual([])
    await page.evaluate("panel.open('first')")
  })

  it('shows the connection, the node and the WASM status', async () => {
    await expect.poll(() => tagsOf('connection')).toEqual(['connected'])
    expect(await fieldsOf('connection', 'connection')).toMatchObject({
      status: 'connected',
      url: devnode.urls.borsh,
      network: 'simnet',
      encoding: 'Borsh',
      error: null,
    })
    await expect.poll(() => tagsOf('node')).toEqual(['healthy'])
    expect(await fieldsOf('node', 'node')).toMatchObject({ networkId: 'simnet', isSynced: true, hasUtxoIndex: true })
    await page.evaluate('first.wasm.init()')
    expect(await tagsOf('wasm')).toEqual(['ready'])
    expect(await fieldsOf('wasm', 'wasm')).toEqual({ status: 'ready', error: null })
  })

  it('shows subscriptions with their reference counts', async () => {
    await page.evaluate('first.blocks$().subscribe()')
    await expect.poll(() => tagsOf('subscriptions/block-added')).toEqual(['× 1', 'placed'])
    await page.evaluate("first.events$('block-added').subscribe()")
    await expect.poll(() => tagsOf('subscriptions/block-added')).toEqual(['× 2', 'placed'])
    expect(await fieldsOf('subscriptions/block-added', 'subscription')).toEqual({
      type: 'block-added',
      count: 2,
      status: 'placed',
    })
    expect(await fieldsOf('subscriptions', 'acquired')).toMatchObject({ 'block-added': 2 })
  })

  it('shows tracked addresses with freshness and total, as bigint and in the unit of the network', async () => {
    const { address } = devnode.accounts[1]!
    await page.evaluate(`first.utxos(['${address}']).state$.subscribe()`)
    await expect.poll(() => tagsOf(`utxos/${address}`)).toEqual(['fresh'])
    expect(await fieldsOf(`utxos/${address}`, 'utxos')).toMatchObject({
      address,
      freshness: 'fresh',
      reason: null,
      error: null,
      trackers: 1,
      entries: 10,
      'total (sompi)': 1000n * KAS,
      total: '1000 SKAS',
    })
    expect(await fieldsOf('utxos', 'utxos')).toMatchObject({ addresses: 1, entries: 10, total: '1000 SKAS' })
    expect(await tagsOf('subscriptions/utxos-changed')).toEqual(['1 addresses', '1 placed'])
    expect(await fieldsOf('subscriptions/utxos-changed', 'counts')).toEqual({ [address]: 1 })
  })

  it('shows a payment until it is accepted', async () => {
    const [from, to] = devnode.accounts
    const id = await page.evaluate<string>(`first.rpc.getUtxosByAddresses(['${from!.address}']).then((entries) =>
      first.transactions.send({
        entries,
        outputs: [{ address: '${to!.address}', amount: ${KAS}n }],
        changeAddress: '${from!.address}',
        privateKeys: ['${from!.privateKeyHex}'],
      })).then(({ transactionIds }) => transactionIds[0])`)
    expect(await tagsOf(`payments/${id}`)).toContain('pending')
    expect(await fieldsOf(`payments/${id}`, 'payment')).toMatchObject({ id, step: 'pending' })
    expect(await fieldsOf(`payments/${id}`, 'outputs')).toMatchObject({
      '0 address': to!.address,
      '0 value (sompi)': KAS,
      '0 value': '1 SKAS',
    })
    expect(Object.values(await fieldsOf(`payments/${id}`, 'spends'))).toHaveLength(1)
    await devnode.mine(2)
    await expect.poll(() => nodeOf(`payments/${id}`)).toBeUndefined()
    expect(await fieldsOf('payments', 'payments')).toEqual({ inFlight: 0 })
  })

  it('shows the wallet with its balance', async () => {
    expect(await tagsOf('wallet')).toEqual(['disconnected'])
    await page.evaluate("first.wallet.connect('walletA')")
    await expect.poll(() => tagsOf('wallet')).toEqual(['connected'])
    expect(await fieldsOf('wallet', 'wallet')).toMatchObject({ status: 'connected', provider: 'walletA', error: null })
    // in the unit of the wallet's network
    expect(await fieldsOf('wallet', 'balance')).toMatchObject({ 'total (sompi)': 1200n * KAS, total: '1200 KAS' })
    expect(await fieldsOf('wallet', 'found')).toMatchObject({ installed: ['walletA'] })
  })

  it('shows the cached responses of the indexer with their age, and clears them', async () => {
    await page.evaluate('first.rest.getBlockDag()')
    const id = 'rest/0/GET /info/blockdag '
    await expect.poll(() => tagsOf(id)).toEqual([expect.stringMatching(/fresh|stale/), expect.stringMatching(/ s$/)])
    expect(await fieldsOf(id, 'response')).toMatchObject({
      request: expect.stringContaining('/info/blockdag') as string,
      'age (ms)': expect.any(Number) as number,
    })
    expect(await fieldsOf('rest/0', 'rest')).toEqual({ baseUrl: devnode.urls.rest, responses: 1 })
    await page.evaluate((shown) => window.panel.act(shown, 'Clear the REST cache'), inspector)
    await expect.poll(() => fieldsOf('rest/0', 'rest')).toMatchObject({ responses: 0 })
    expect(await fieldsOf('rest', 'rest')).toEqual({ caches: 1 })
  })

  it('reconnects', async () => {
    const before = sockets.length
    await page.evaluate((shown) => window.panel.act(shown, 'Reconnect'), inspector)
    await expect.poll(() => sockets.length).toBeGreaterThan(before)
    await expect.poll(() => tagsOf('connection')).toEqual(['connected'])
  })

  it('finds nodes by a part of their label', async () => {
    const found = await tree('BLOCK-')
    expect(found.map(({ id, children }) => [id, children.map((child) => child.id)])).toEqual([
      ['subscriptions', ['subscriptions/block-added']],
    ])
  })
})

const titlesOf = (layer: string): Promise<string[]> =>
  page.evaluate((id) => window.panel.titles(id), `${inspector}:${layer}`)

describe('the timeline of Vue DevTools, read back from their back end', () => {
  it('has five layers, once', async () => {
    const layers = await page.evaluate((id) => window.panel.layers(id), inspector)
    expect(layers.map((id) => id.replace(`${inspector}:`, '')).sort()).toEqual([
      'calls',
      'connection',
      'notifications',
      'payments',
      'rest',
    ])
  })

  it.each([
    ['connection', 'connected', 'first.connection.reconnect()'],
    ['calls', 'getBlockDagInfo', 'first.rpc.getBlockDagInfo()'],
    ['rest', 'GET /info/health', 'first.rest.getHealth()'],
  ])('shows on the layer %s: %s', async (layer, title, work) => {
    await page.evaluate(work)
    await expect.poll(() => titlesOf(layer)).toContain(title)
  })

  it('shows notifications', async () => {
    await page.evaluate("void first.events$('block-added').subscribe()")
    await expect.poll(() => tagsOf('subscriptions/block-added')).toContain('placed')
    await devnode.mine(1)
    await expect.poll(() => titlesOf('notifications')).toContain('block-added')
  })

  it('shows the payment and the wallet operation of above', async () => {
    await expect.poll(() => titlesOf('payments')).toEqual(expect.arrayContaining(['started', 'submitted', 'connect']))
  })

  it('shows nothing of other apps', async () => {
    const [second] = await page.evaluate<string[]>("panel.inspectors('second')")
    expect(await page.evaluate((id) => window.panel.titles(id), `${second!}:connection`)).toEqual([])
  })

  it('causes no error in the page', () => {
    expect(problems).toEqual([])
  })
})

describe('the built library outside development', () => {
  it.each([
    ['DevTools', 'devtools-off.js', 'development'],
    ['the recorder that an engine makes by itself', 'recorder-off.js', 'automaticRecorder'],
  ])('has a constant in place of %s, by which bundlers remove it', (_, file, name) => {
    const code = readFileSync(resolve(import.meta.dirname, '../../dist', file), 'utf8')
    expect(code).toMatch(new RegExp(`^const ${name} ?= ?false;`, 'm'))
  })
})

declare global {
  interface Window {
    panel: {
      tree(inspectorId: string, filter: string): Promise<TreeNode[]>
      state(inspectorId: string, nodeId: string): Promise<State | null>
      act(inspectorId: string, tooltip: string): void
      record(id: string): void
      layers(id: string): string[]
      titles(layer: string): string[]
    }
  }
}
