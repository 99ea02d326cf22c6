// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { createSSRApp, defineComponent, h, shallowRef, type App } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useRestQuery } from '../../../src/adapters/vue/composables/useRestQuery.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import type { HydrationEntry, HydrationStore } from '../../../src/adapters/vue/plugin/hydration.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { world } from '../../rest/recordings.js'
import { json, noResponse, scriptFetch, type ScriptedFetch } from '../../rest/scripted-fetch.js'
import { scriptedSdk } from '../../streams/scripted-sdk.js'
import { unmountWithTest } from './with-app.js'

const { alice = '', bob = '' } = world.addresses

/** A framework: its payload, and the moments that a test causes. */
function createFramework(payload = new Map<string, HydrationEntry>(), prerendered = new Map<string, HydrationEntry>()) {
  const callbacks = {
    refresh: new Set<() => Promise<void>>(),
    hydrated: [] as (() => void)[],
    rendered: [] as (() => void)[],
  }
  const hydration: HydrationStore = {
    read: (key, isHydrating) => (isHydrating ? payload : prerendered).get(key),
    write: (key, entry) => payload.set(key, entry),
    onRefresh: (refetch) => (callbacks.refresh.add(refetch), () => callbacks.refresh.delete(refetch)),
    onHydrated: (start) => callbacks.hydrated.push(start),
    onRendered: (end) => callbacks.rendered.push(end),
  }
  return { hydration, payload, callbacks }
}

const Balance = defineComponent({
  props: { address: { type: String, required: true } },
  setup({ address }) {
    const { data, error } = useRestQuery({
      queryKey: ['balance', address],
      queryFn: ({ rest }) => rest.getAddressBalance(address),
    })
    const { connectionState } = useRpc()
    return () => h('p', `${error.value?.message ?? data.value?.balanceExact} ${connectionState.value}`)
  },
})
const shown = shallowRef(alice)
const Page = defineComponent(() => () => h(Balance, { address: shown.value, key: shown.value }))

function toApp({ fetcher }: ScriptedFetch, hydration: HydrationStore): App {
  const ports = { node: createScriptedNode(), sdk: scriptedSdk() }
  const options = { network: 'simnet', restUrl: 'https://indexer.test', rest: { fetcher }, ports, hydration } as const
  return createSSRApp(Page).use(VueChain, options)
}

const rich = () => scriptFetch(json(`{"address":"${alice}","balance":9007199254740993}`))

/** Renders on a server, where `window` is undefined. */
async function renderOnServer(server: ScriptedFetch) {
  vi.stubGlobal('window', undefined)
  const framework = createFramework()
  const html = await renderToString(toApp(server, framework.hydration))
  vi.unstubAllGlobals()
  return { html, ...framework }
}

function hydrate(html: string, browser: ScriptedFetch, hydration: HydrationStore) {
  const warnings: string[] = []
  const app = toApp(browser, hydration)
  app.config.warnHandler = (message) => warnings.push(message)
  const element = document.createElement('div')
  element.innerHTML = html
  app.mount(element)
  unmountWithTest(app)
  return { app, element, warnings }
}

afterEach(() => {
  vi.unstubAllGlobals()
  shown.value = alice
})

it('brings results to the browser by the store, without a second request', async () => {
  const { html, payload } = await renderOnServer(rich())
  expect(html).toBe('<p>9007199254740993 disconnected</p>')
  expect([...payload.values()]).toEqual([
    {
      data: expect.objectContaining({ balanceExact: 9007199254740993n }) as object,
      updatedAt: expect.any(Number) as number,
    },
  ])
  const browser = scriptFetch(noResponse)
  const { element, warnings } = hydrate(html, browser, createFramework(payload).hydration)
  expect([element.innerHTML, warnings, browser.sent]).toEqual([html, [], []])
})

it('brings failures to the browser by the store, as plain data', async () => {
  const { html, payload } = await renderOnServer(scriptFetch(json({ detail: 'Invalid address' }, { status: 400 })))
  expect(html).toContain('failed with status 400: Invalid address')
  const copied = new Map(structuredClone([...payload]))
  const { element, warnings } = hydrate(html, rich(), createFramework(copied).hydration)
  expect([element.innerHTML, warnings]).toEqual([html, []])
})

it('connects once the page is hydrated', async () => {
  const { html, payload } = await renderOnServer(rich())
  const framework = createFramework(payload)
  const { element } = hydrate(html, rich(), framework.hydration)
  expect(element.textContent).toBe('9007199254740993 disconnected')
  for (const start of framework.callbacks.hydrated) start()
  await expect.poll(() => element.textContent).toBe('9007199254740993 connected')
})

it('does not connect an app that was unmounted before it was hydrated', () => {
  const framework = createFramework()
  const { app } = hydrate('<p>undefined disconnected</p>', rich(), framework.hydration)
  const rpc = app.runWithContext(useRpc)
  app.unmount()
  for (const start of framework.callbacks.hydrated) start()
  expect([rpc.connectionState.value, rpc.error.value]).toEqual(['disconnected', null])
})

it('takes the result of a prerendered page that the app navigates to', async () => {
  const { html, payload } = await renderOnServer(rich())
  const [key = '', entry] = [...payload][0] ?? []
  const prerendered = new Map([[key.replace(alice, bob), entry!]])
  const browser = scriptFetch(noResponse)
  const { element } = hydrate(html, browser, createFramework(payload, prerendered).hydration)
  shown.value = bob
  await expect.poll(() => element.querySelector('p')?.textContent).toBe('9007199254740993 disconnected')
  expect(browser.sent).toEqual([])
})

it('refetches with the framework, until the component ends', async () => {
  const { html, payload } = await renderOnServer(rich())
  const framework = createFramework(payload)
  const browser = scriptFetch(json(`{"address":"${alice}","balance":5}`))
  const { app, element } = hydrate(html, browser, framework.hydration)
  await Promise.all([...framework.callbacks.refresh].map((refetch) => refetch()))
  await expect.poll(() => element.textContent).toBe('5 disconnected')
  app.unmount()
  expect(framework.callbacks.refresh.size).toBe(0)
})

it('disposes of the engine of a request once its response is rendered', async () => {
  const { callbacks } = await renderOnServer(rich())
  expect(callbacks.hydrated).toEqual([])
  vi.stubGlobal('window', undefined)
  const framework = createFramework()
  const server = rich()
  const app = toApp(server, framework.hydration)
  for (const end of framework.callbacks.rendered) end()
  expect(await renderToString(app)).toContain('client was disposed')
  expect(server.sent).toEqual([])
})
