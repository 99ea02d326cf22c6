import { createApp } from 'vue'
import { VueChain } from 'vue-chain'
import { light } from 'vue-chain/light'
import App from './App.vue'
import { readLink } from './link.js'
import 'vue-chain/cosigning.css'
import './style.css'

const link = readLink(globalThis.location.hash)
createApp(App, { link }).use(VueChain, { network: link.network, url: link.node, sdk: light }).mount('#app')
