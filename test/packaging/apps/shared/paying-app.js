/** The app of all pages: shows the DAA score, and pays with the key in the URL. */
import { createApp, h, shallowRef } from 'vue'
import { VueChain, kaspaToSompi, useChain, useRpc, useTransaction, useTransactionStatus, useUtxo } from 'vue-chain'

const { node, key, from, to } = Object.fromEntries(new URLSearchParams(location.search))

const App = {
  setup() {
    const { virtualDaaScore } = useRpc()
    const { isReady } = useChain()
    const { matureEntries, freshness } = useUtxo(from)
    const { send } = useTransaction()
    const id = shallowRef(null)
    const failure = shallowRef('')
    const { status } = useTransactionStatus(id)

    async function pay() {
      try {
        const { transactionIds } = await send({
          entries: matureEntries.value,
          outputs: [{ address: to, amount: kaspaToSompi('12.5') }],
          changeAddress: from,
          privateKeys: [key],
        })
        id.value = transactionIds.at(-1)
      } catch (error) {
        failure.value = `${error}, ${error.cause}`
      }
    }
    return () => [
      h('p', { id: 'score' }, String(virtualDaaScore.value)),
      h('button', { id: 'pay', disabled: !isReady.value || freshness.value !== 'fresh', onClick: pay }, 'Pay'),
      h('p', { id: 'status' }, status.value),
      h('p', { id: 'failure' }, failure.value),
    ]
  },
}

export const start = (options) =>
  createApp(App)
    .use(VueChain, { network: 'simnet', url: node, ...options })
    .mount('#app')
