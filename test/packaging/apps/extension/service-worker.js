import { light } from 'vue-chain/light'
import { createChainEngine, kaspaToSompi } from 'vue-chain/streams'
import { run } from './service.js'

const library = { createChainEngine: (options) => createChainEngine({ ...options, sdk: light }), kaspaToSompi }

/** For the test, which knows the node and the accounts. */
globalThis.runService = (payment) => run(library, payment)
