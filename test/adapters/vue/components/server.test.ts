import { expect, it } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { ConnectWallet } from '../../../../src/adapters/vue/components/ConnectWallet.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'

it('renders the disconnected button on a server, without wallet detection', async () => {
  const app = createSSRApp({ render: () => h(ConnectWallet) }).use(VueChain, { network: 'mainnet' })
  expect(await renderToString(app)).toBe(
    '<div class="vc-connect">' +
      '<button type="button" class="vc-trigger vc-trigger-disconnected" aria-haspopup="dialog">' +
      '<span class="vc-dot" aria-hidden="true"></span>Connect wallet</button>' +
      '<p class="vc-visually-hidden" role="status"></p><!----></div>',
  )
})
