// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { Suspense, createSSRApp, defineComponent, h, type App, type Component } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useBlockListener } from '../../../src/adapters/vue/composables/useBlockListener.js'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useRpcQuery } from '../../../src/adapters/vue/composables/useRpcQuery.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { scriptedSdk } from '../../streams/scripted-sdk.js'
import { createNode } from './with-app.js'

const sink = 'a'.repeat(64)

/** Shows live state of the connection, of the network and of a query. */
const Live = defineComponent(() => {
  const { connectionState, virtualDaaScore } = useRpc()
  const { networkId } = useNetwork()
  const { data } = useRpcQuery({ queryKey: ['sink'], queryFn: ({ rpc }) => rpc.getSink() })
  const { blocks } = useBlockListener()
  return () =>
    h(
      'p',
      [connectionState.value, virtualDaaScore.value, networkId.value, data.value?.sink[0], blocks.value.length].join(
        ' ',
      ),
    )
})
/** The same in an awaited component. */
const Awaited = defineComponent({
  async setup() {
    const { connectionState } = useRpc()
    await Promise.resolve()
    return () => h('b', connectionState.value)
  },
})
const Page = () => h('main', [h(Live), h(Suspense, () => h(Awaited))])

const INITIAL = '<main><p>disconnected 0   0</p><b>disconnected</b></main>'

function toApp(page: Component, warnings: string[] = []): App {
  const node = createNode({ responses: { getSink: () => ({ sink }) } })
  const app = createSSRApp(page).use(VueChain, {
    network: 'simnet',
    autoConnect: false,
    ports: { node, sdk: scriptedSdk() },
  })
  app.config.warnHandler = (message) => warnings.push(message)
  return app
}

async function renderOnServer(page: Component): Promise<string> {
  vi.stubGlobal('window', undefined)
  const html = await renderToString(toApp(page))
  vi.unstubAllGlobals()
  return html
}

afterEach(() => vi.unstubAllGlobals())

it('adopts the server’s markup although the connection is live already, and shows live values once mounted', async () => {
  const html = await renderOnServer(Page)
  expect(html).toBe(INITIAL)

  const warnings: string[] = []
  const app = toApp(Page, warnings)
  const rpc = app.runWithContext(useRpc)
  await rpc.connect()
  expect(rpc.virtualDaaScore.value).toBe(1_000n)
  const element = document.createElement('div')
  element.innerHTML = html
  const markup = element.querySelector('p')
  app.mount(element)
  await expect.poll(() => element.innerHTML).toBe('<main><p>connected 1000 simnet a 0</p><b>connected</b></main>')
  expect([warnings, element.querySelector('p') === markup]).toEqual([[], true])
  app.unmount()
})

it('shows live values in the first render where nothing was rendered by a server', async () => {
  const app = toApp(Live)
  await app.runWithContext(useRpc).connect()
  const element = document.createElement('div')
  const warn = vi.spyOn(console, 'warn').mockReturnValue() // Vue: the container is empty
  app.mount(element)
  expect(element.textContent).toMatch(/^connected 1000 simnet/)
  warn.mockRestore()
  app.unmount()
})
