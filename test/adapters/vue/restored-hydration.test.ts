// @vitest-environment happy-dom
import { BehaviorSubject } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Suspense, createSSRApp, defineComponent, h, type App } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useBalance } from '../../../src/adapters/vue/composables/useBalance.js'
import { useChainEngine } from '../../../src/adapters/vue/composables/useChainEngine.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { light } from '../../../src/light/index.js'
import { createPlatform } from '../../../src/platform/detect.js'
import { createFakeOrigin, type FakeOrigin } from '../../platform/fake-tabs.js'

let devnode: Devnode
let origin: FakeOrigin
beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
  await devnode.mine(2)
  origin = createFakeOrigin()
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await devnode.close()
})

/** A tab whose awaited component shows the balance. `untilShown`: resolves before its first render. */
function openTab(url: string, untilShown: (app: App) => Promise<void> = () => Promise.resolve()) {
  const visible$ = new BehaviorSubject(true)
  const rendered: string[] = []
  const warnings: string[] = []
  const Balance = defineComponent({
    async setup() {
      const { balance, freshness, asOf } = useBalance([address()])
      const text = () => [freshness.value, balance.value.mature, asOf.value === null ? 'live' : 'restored'].join(' ')
      text() // subscribes
      await untilShown(app)
      return () => {
        rendered.push(text())
        return h('p', rendered.at(-1))
      }
    },
  })
  const app: App = createSSRApp(() => h(Suspense, () => h(Balance))).use(VueChain, {
    network: 'simnet',
    url,
    sdk: light,
    shared: { claims: false, connection: false, state: true },
    ports: { platform: { ...createPlatform(), visible$, tabs: origin.open().tabs } },
  })
  app.config.warnHandler = (message) => warnings.push(message)
  return { app, rendered, warnings, hide: () => visible$.next(false) }
}

const address = (): string => devnode.accounts[0]!.address

async function isStored(): Promise<boolean> {
  const name = (await origin.databases.databases()).find((each) => each.name?.endsWith('/state'))?.name
  if (name === undefined) return false
  const database = await done(origin.databases.open(name))
  const count = await done(database.transaction('summaries').objectStore('summaries').count())
  database.close()
  return count > 0
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The request has failed'))
  })

it('adopts the server’s markup although the last state is known already, and shows it once mounted', async () => {
  vi.stubGlobal('window', undefined)
  const html = await renderToString(openTab(devnode.urls.borsh).app)
  vi.unstubAllGlobals()
  expect(html).toBe('<p>unknown 0 live</p>')

  const before = openTab(devnode.urls.borsh)
  const { balance, freshness } = before.app.runWithContext(() => useBalance([address()]))
  await expect.poll(() => freshness.value).toBe('fresh')
  before.hide()
  await expect.poll(isStored).toBe(true)
  const { mature } = balance.value
  expect(mature).toBeGreaterThan(0n)
  await before.app.runWithContext(useChainEngine).dispose()

  // no node is there; what is read after the component's balance is known before it is shown
  const { app, rendered, warnings } = openTab('ws://127.0.0.1:9', async (opened) => {
    await Promise.resolve() // outside of the component, which waits until it is mounted
    const { asOf } = opened.runWithContext(() => useBalance([address()]))
    await expect.poll(() => asOf.value).not.toBeNull()
  })
  const element = document.createElement('div')
  element.innerHTML = html
  const markup = element.querySelector('p')
  app.mount(element)
  await expect.poll(() => element.innerHTML).toBe(`<p>stale ${mature} restored</p>`)
  expect(rendered[0]).toBe('unknown 0 live')
  expect([warnings, element.querySelector('p') === markup]).toEqual([[], true])
  app.unmount()
})
