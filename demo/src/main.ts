import { createApp } from 'vue'
import { VueChain } from 'vue-chain'
import App from './App.vue'
import { restUrl, rpcUrl } from './devnode'
import { sdk } from './shared/sdk'
import { shared } from './shared/sharing'
import 'vue-chain/style.css'
import './style.css'

createApp(App)
  .use(VueChain, {
    network: 'simnet',
    url: rpcUrl('Borsh'),
    restUrl,
    sdk,
    shared,
    // shorter than the defaults, because the node is local
    requestTimeout: 5_000,
    heartbeat: { interval: 4_000, timeout: 3_000 },
  })
  .mount('#app')
