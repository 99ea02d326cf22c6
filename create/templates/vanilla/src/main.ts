import { createChainEngine } from 'vue-chain/streams'
import { devAccount, devRecipient, options } from './network'
import { startPage } from './page'
import './assets/style.css'

startPage(createChainEngine(options), devAccount, devRecipient)
