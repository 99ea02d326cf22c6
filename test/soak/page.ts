import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, type CDPSession } from 'playwright-core'
import { CHROMIUM } from '../../scripts/test/chromium.mjs'
import { servePage } from '../setup/built-page.js'

/** Figures of a page after a garbage collection. */
export interface PageUsage {
  /** Bytes. */
  readonly heap: number
  readonly listeners: number
  readonly nodes: number
  /** What the page shows of the chain: the virtual DAA score, and the newest accepted transaction. */
  readonly shown: readonly string[]
}

export interface SoakedPage {
  usage(): Promise<PageUsage>
  close(): Promise<void>
}

/** Opens the page in Chromium, for a node that speaks JSON at `url`; undefined where there is no Chromium. */
export async function openPage(url: string, addresses: readonly string[]): Promise<SoakedPage | undefined> {
  if (!existsSync(CHROMIUM)) return undefined
  const built = await servePage(pageOf(addresses))
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  const page = await browser.newPage()
  await page.goto(`${built.url}#${url}`)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  return {
    usage: async () => {
      const shown = await page.locator('#chain > *').allInnerTexts() // first: adds 13 listeners of Playwright, once
      return { ...(await usageOf(session)), shown }
    },
    close: async () => {
      await browser.close()
      built.close()
    },
  }
}

async function usageOf(session: CDPSession): Promise<Omit<PageUsage, 'shown'>> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage') // what the first one has freed for finalizers
  const { metrics } = await session.send('Performance.getMetrics')
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN
  return { heap: valueOf('JSHeapUsedSize'), listeners: valueOf('JSEventListeners'), nodes: valueOf('Nodes') }
}

/** Three composables, and a component with others that comes and goes each second. */
const pageOf = (addresses: readonly string[]): string => `
  import { createApp, h, onMounted, ref } from 'vue'
  import { VueChain, useBlockListener, useRpc, useTransactionListener, useUtxo } from ${JSON.stringify(resolve('src/index.ts'))}
  const addresses = ${JSON.stringify(addresses)}
  const Guest = {
    setup() {
      const { blocks } = useBlockListener()
      const { entries } = useUtxo(addresses.slice(1))
      return () => h('p', [blocks.value.length, ' ', entries.value.length])
    },
  }
  const App = {
    setup() {
      const { virtualDaaScore } = useRpc()
      const { transactions } = useTransactionListener()
      const { balance } = useUtxo(addresses)
      const turn = ref(0)
      onMounted(() => setInterval(() => turn.value++, 1_000))
      return () => [
        h('p', { id: 'chain' }, [h('i', String(virtualDaaScore.value)), h('i', transactions.value[0])]),
        h('p', String(balance.value.mature)),
        turn.value % 2 === 0 ? h(Guest) : null,
      ]
    },
  }
  const app = createApp(App).use(VueChain, { network: 'simnet', encoding: 'SerdeJson', url: location.hash.slice(1) })
  app.mount(document.body.appendChild(document.createElement('main')))
`
