import { expect, it } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import { ReceivePayment } from '../../../../src/adapters/vue/requests/ReceivePayment.js'
import { STORED } from './stored.js'

it('renders QR code, amount and address on a server, and that nothing was looked up', async () => {
  const app = createSSRApp({ render: () => h(ReceivePayment, { request: STORED }) })
  const html = await renderToString(app.use(VueChain, { network: 'mainnet' }))
  expect(html).toMatch(
    /<svg class="vc-qr" viewBox="0 0 (\d+) \1" width="264" height="264" role="img" aria-label="Payment of 12\.5 KAS to kaspa:q/,
  )
  expect(html).toContain(`>${STORED.address}</span>`)
  expect(html).toContain('Looking up the payment …')
  expect(html).not.toContain('role="timer"')
})
