// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { createSSRApp, defineComponent, h, shallowRef, type App, type Component } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useChainRest } from '../../../src/adapters/vue/composables/useChainRest.js'
import { useInfiniteRestQuery } from '../../../src/adapters/vue/composables/useInfiniteRestQuery.js'
import { useRestQuery } from '../../../src/adapters/vue/composables/useRestQuery.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { dehydrateRest, hydrateRest } from '../../../src/rest/hydration.js'
import { world } from '../../rest/recordings.js'
import { json, scriptFetch, noResponse, type ScriptedFetch } from '../../rest/scripted-fetch.js'
import { unmountWithTest } from './with-app.js'

const { alice = '', bob = '' } = world.addresses
const chosen = shallowRef(alice)

/** Two balances, each fetched by its own component. */
const Balance = defineComponent({
  props: { address: { type: String, required: true } },
  setup(props) {
    const { data, status, error } = useRestQuery({
      queryKey: ['balance', () => props.address],
      queryFn: ({ rest }) => rest.getAddressBalance(props.address),
    })
    return () =>
      h('p', error.value?.message ?? (status.value === 'pending' ? 'loading' : String(data.value?.balanceExact)))
  },
})
const Page = defineComponent(
  () => () => h('main', [h(Balance, { address: chosen.value }), h(Balance, { address: bob })]),
)

const toApp = ({ fetcher }: ScriptedFetch, page: Component, warnings: string[] = []): App => {
  const app = createSSRApp(page).use(VueChain, {
    network: 'simnet',
    autoConnect: false,
    restUrl: 'https://indexer.test',
    rest: { fetcher },
  })
  app.config.warnHandler = (message) => warnings.push(message)
  return app
}

/** Balances above `Number.MAX_SAFE_INTEGER`, different per address. */
const rich = (extra = 0n) =>
  scriptFetch(({ url }) => {
    const address = decodeURIComponent(url.split('/')[4] ?? '')
    return json(`{"address":"${address}","balance":${9007199254740993n + extra + (address === bob ? 2n : 0n)}}`)
  })

/** HTML and cache of a server, where `window` is undefined. */
async function renderOnServer(server: ScriptedFetch, page: Component = Page): Promise<{ html: string; kept: string }> {
  vi.stubGlobal('window', undefined)
  const app = toApp(server, page)
  const html = await renderToString(app)
  const kept = app.runWithContext(() => dehydrateRest(useChainRest()))
  vi.unstubAllGlobals()
  return { html, kept }
}

/** Hydrates the page. */
function hydrate(html: string, kept: string, browser: ScriptedFetch, page: Component = Page) {
  const warnings: string[] = []
  const app = toApp(browser, page, warnings)
  app.runWithContext(() => hydrateRest(useChainRest(), kept))
  const element = document.createElement('div')
  element.innerHTML = html
  app.mount(element)
  unmountWithTest(app)
  return { element, warnings }
}

const HTML = '<main><p>9007199254740993</p><p>9007199254740995</p></main>'

afterEach(() => {
  vi.unstubAllGlobals()
  chosen.value = alice
})

it('hydrates a server-rendered page without mismatch or second request', async () => {
  const server = rich()
  const { html, kept } = await renderOnServer(server)
  expect(html).toBe(HTML)
  expect(server.sent).toHaveLength(2)

  const browser = scriptFetch(noResponse)
  const { element, warnings } = hydrate(html, kept, browser)
  expect(element.innerHTML).toBe(HTML)
  expect([warnings, browser.sent]).toEqual([[], []])
})

it('fetches by itself after hydration', async () => {
  const { html, kept } = await renderOnServer(rich())
  const browser = rich()
  const { element, warnings } = hydrate(html, kept, browser)
  chosen.value = bob
  await expect.poll(() => element.textContent).toBe('90071992547409959007199254740995')
  expect(warnings).toEqual([])
})

it('isolates concurrent requests', async () => {
  const [mine, yours] = await Promise.all([renderOnServer(rich()), renderOnServer(rich(100n))])
  expect(mine.html).toBe(HTML)
  expect(yours.html).toBe('<main><p>9007199254741093</p><p>9007199254741095</p></main>')
  expect(yours.kept).not.toContain('9007199254740993')
})

it('renders and hydrates an indexer error, and fetches again in the browser', async () => {
  const { html, kept } = await renderOnServer(scriptFetch(json({ detail: 'Invalid address' }, { status: 400 })))
  expect(html).toContain('failed with status 400: Invalid address')

  const browser = rich()
  const { element, warnings } = hydrate(html, kept, browser)
  expect([element.innerHTML, browser.sent, warnings]).toEqual([html, [], []])
  await expect.poll(() => element.innerHTML).toBe(HTML)
  expect(warnings).toEqual([])
})

it('renders the first page of a list on the server, and continues from it in the browser', async () => {
  const List = defineComponent(() => {
    const { data, hasNextPage, fetchNextPage } = useInfiniteRestQuery({
      queryKey: ['transactions'],
      queryFn: ({ rest, pageParam }) =>
        rest.getAddressTransactionPage(alice, { before: pageParam, fields: 'block_time' }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ before }) => before,
      select: ({ pages }) => pages.flatMap(({ transactions }) => transactions.map(({ block_time }) => block_time)),
    })
    return () => h('p', { onClick: fetchNextPage }, `${data.value?.join()} ${hasNextPage.value ? 'more' : 'all'}`)
  })
  const page = (time: number, next?: string) =>
    json([{ block_time: time, outputs: [] }], { headers: next === undefined ? {} : { 'x-next-page-before': next } })
  const { html, kept } = await renderOnServer(scriptFetch(page(7, '7')), List)
  expect(html).toBe('<p>7 more</p>')

  const browser = scriptFetch(page(3))
  const { element, warnings } = hydrate(html, kept, browser, List)
  expect([element.innerHTML, browser.sent, warnings]).toEqual([html, [], []])
  element.querySelector('p')?.click()
  await expect.poll(() => element.innerHTML).toBe('<p>7,3 all</p>')
})
