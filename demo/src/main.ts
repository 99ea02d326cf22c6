import { createApp } from 'vue'
import { VueChain } from 'vue-chain'
import App from './App.vue'
import { restUrl, rpcUrl } from './devnode'
import './style.css'

createApp(App)
  .use(VueChain, { network: 'simnet', url: rpcUrl('Borsh'), restUrl })
  .mount('#app')
