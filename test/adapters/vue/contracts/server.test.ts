import { expect, it } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useContract } from '../../../../src/adapters/vue/contracts/useContract.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import { Counter } from '../../../contract-calls/counter-rows.js'

it('renders that nothing is known on a server, and describes calls there', async () => {
  const outpoint = { transactionId: '11'.repeat(32), index: 0 }
  const genesis = { outpoint, outputs: [{ index: 0, value: 100_000_000n, state: { count: 7n } }] }
  const app = createSSRApp({
    setup() {
      const { state, freshness, call } = useContract(Counter, genesis)
      return () => h('p', `${freshness.value} ${state.value?.count} ${call.value.increment({ step: 1n }).entry}`)
    },
  })
  expect(await renderToString(app.use(VueChain, { network: 'mainnet' }))).toBe('<p>unknown undefined increment</p>')
})
