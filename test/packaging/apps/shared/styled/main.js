/** A page without CSS of its own. */
import 'vue-chain/style.css'
import { createApp, h } from 'vue'
import { ConnectWallet, VueChain } from 'vue-chain'

createApp({ render: () => h(ConnectWallet) })
  .use(VueChain, { network: 'mainnet', autoConnect: false })
  .mount('#app')
