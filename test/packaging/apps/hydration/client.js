import { useRpc } from 'vue-chain'
import { createPage } from './page.js'

/** Hydrates the page once the connection is live, and notes the DAA score of then. */
const app = createPage(new URLSearchParams(location.search).get('node'))
const { connect, virtualDaaScore } = app.runWithContext(useRpc)
await connect()
document.body.dataset.before = String(virtualDaaScore.value)
app.mount('#app')
