import { createApp } from 'vue'
import { VueChain } from 'vue-chain'
import App from './App.vue'
import { readShop } from './shop'
import 'vue-chain/style.css'
import 'vue-chain/requests.css'
import './assets/style.css'

const shop = await readShop()
createApp(App, { shop }).use(VueChain, shop.chain).mount('#app')
