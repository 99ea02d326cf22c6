import { defineBoot } from '#q-app'
import { VueChain } from 'vue-chain'

export default defineBoot(({ app }) => {
  const url = new URLSearchParams(location.search).get('node')
  app.use(VueChain, { network: 'simnet', url })
})
