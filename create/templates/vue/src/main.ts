import { createApp } from 'vue'
import { VueChain } from 'vue-chain'
import App from './App.vue'
import { options } from './network'
import 'vue-chain/style.css'
import 'vue-chain/requests.css'
import './assets/style.css'

createApp(App).use(VueChain, options).mount('#app')
