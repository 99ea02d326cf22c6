/** Responds to the page of the DevTools tab. Installed in development only, so that no build contains it. */
import { defineNuxtPlugin } from '#imports'
import { useChainEngine, type ChainEngine } from 'vue-chain'
import { CHANNEL, type TabRequest, type TabResponse } from '../devtools/tab.js'

/** The newest records that are shown. */
const SHOWN = 200

export default defineNuxtPlugin({
  name: 'vue-chain:devtools',
  setup({ vueApp }) {
    const engine = vueApp.runWithContext(() => useChainEngine())
    const channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }: MessageEvent<TabRequest>) => {
      void respond(engine, data).then((response) => channel.postMessage(response))
    }
    vueApp.onUnmount(() => channel.close())
  },
})

async function respond(engine: ChainEngine, request: TabRequest): Promise<TabResponse> {
  try {
    const { recorder } = engine
    if (request === 'diagnosis') return { type: 'diagnosis', diagnosis: await engine.diagnose() }
    if (request === 'recording') return { type: 'recording', recording: recorder?.export() ?? null }
    return { type: 'records', records: recorder?.records().slice(-SHOWN) ?? [] }
  } catch (error) {
    return { type: 'failure', message: String(error) }
  }
}
