// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { createSSRApp, defineComponent, h, shallowRef, type App } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useChainRest } from '../../../src/adapters/vue/composables/useChainRest.js'
import { useRestQuery } from '../../../src/adapters/vue/composables/useRestQuery.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { dehydrateRest, hydrateRest } from '../../../src/rest/hydration.js'
import { world } from '../../rest/recordings.js'
import { json, scriptFetch, silence, type ScriptedFetch } from '../../rest/scripted-fetch.js'

const { alice = '', bob = '' } = world.addresses
const chosen = shallowRef(alice)

/** Two balances, each asked for by a component of its own. */
const Balance = defineComponent({
  props: { address: { type: String, required: true } },
  setup(props) {
    const { data, isLoading, error } = useRestQuery(
      () => props.address,
      (rest, now, request) => rest.getAddressBalance(now, request),
    )
    return () => h('p', error.value?.message ?? (isLoading.value ? 'loading' : String(data.value?.balanceExact)))
  },
})
const Page = defineComponent(
  () => () => h('main', [h(Balance, { address: chosen.value }), h(Balance, { address: bob })]),
)

const toApp = ({ fetcher }: ScriptedFetch, complaints: string[] = []): App => {
  const app = createSSRApp(Page).use(VueChain, {
    network: 'simnet',
    autoConnect: false,
    restUrl: 'https://indexer.test',
    rest: { fetcher },
  })
  app.config.warnHandler = (message) => complaints.push(message)
  return app
}

/** Everybody holds more than a double can, and each a little different. */
const rich = (extra = 0n) =>
  scriptFetch(({ url }) => {
    const address = decodeURIComponent(url.split('/')[4] ?? '')
    return json(`{"address":"${address}","balance":${9007199254740993n + extra + (address === bob ? 2n : 0n)}}`)
  })

/** What a server sends: there is no window while it renders. */
async function renderOnServer(server: ScriptedFetch): Promise<{ html: string; kept: string }> {
  vi.stubGlobal('window', undefined)
  const app = toApp(server)
  const html = await renderToString(app)
  const kept = app.runWithContext(() => dehydrateRest(useChainRest()))
  vi.unstubAllGlobals()
  return { html, kept }
}

/** What a browser makes of it. */
function hydrate(html: string, kept: string, browser: ScriptedFetch) {
  const complaints: string[] = []
  const app = toApp(browser, complaints)
  app.runWithContext(() => hydrateRest(useChainRest(), kept))
  const element = document.createElement('div')
  element.innerHTML = html
  app.mount(element)
  return { app, element, complaints }
}

const HTML = '<main><p>9007199254740993</p><p>9007199254740995</p></main>'

afterEach(() => {
  vi.unstubAllGlobals()
  chosen.value = alice
})

it('a page is taken over as the server rendered it: no mismatch, nothing asked twice', async () => {
  const server = rich()
  const { html, kept } = await renderOnServer(server)
  expect(html).toBe(HTML)
  expect(server.sent).toHaveLength(2)

  const browser = scriptFetch(silence)
  const { app, element, complaints } = hydrate(html, kept, browser)
  expect(element.innerHTML).toBe(HTML)
  expect([complaints, browser.sent]).toEqual([[], []])
  app.unmount()
})

it('a page that was taken over asks by itself from then on', async () => {
  const { html, kept } = await renderOnServer(rich())
  const browser = rich()
  const { app, element, complaints } = hydrate(html, kept, browser)
  chosen.value = bob
  await expect.poll(() => element.textContent).toBe('90071992547409959007199254740995')
  expect(complaints).toEqual([])
  app.unmount()
})

it('two requests at a time see nothing of each other', async () => {
  const [mine, yours] = await Promise.all([renderOnServer(rich()), renderOnServer(rich(100n))])
  expect(mine.html).toBe(HTML)
  expect(yours.html).toBe('<main><p>9007199254741093</p><p>9007199254741095</p></main>')
  expect(yours.kept).not.toContain('9007199254740993')
})

it('a page whose indexer fails is rendered with its words, taken over with them, and asks again in the browser', async () => {
  const { html, kept } = await renderOnServer(scriptFetch(json({ detail: 'Invalid address' }, { status: 400 })))
  expect(html).toContain('was answered with status 400: Invalid address')

  const browser = rich()
  const { app, element, complaints } = hydrate(html, kept, browser)
  expect([element.innerHTML, browser.sent, complaints]).toEqual([html, [], []])
  await expect.poll(() => element.innerHTML).toBe(HTML)
  expect(complaints).toEqual([])
  app.unmount()
})
