import { resolve } from 'node:path'
import { INITIAL_UTXOS } from '../wire/busy-chain.js'
import { addressesOf } from '../wire/utxos.js'

/** Pages to compare. Each reads its node's URL from its own hash. */

/** Counts frames; `onFrame` is called in each. */
const COUNTING = `
  window.counts = { flushes: 0, frames: 0 }
  let onFrame = () => undefined
  const count = () => { window.counts.frames++; onFrame(); requestAnimationFrame(count) }
  requestAnimationFrame(count)
  const url = location.hash.slice(1)
`

/** Requests frames and has no socket. */
export const idle = COUNTING

/**
 * The minimum cost of any library: receives every socket frame without decoding, and writes three values of the same length
 * into the same nodes in every display frame, without a framework.
 */
export const byHand = `
  ${COUNTING}
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  socket.onmessage = ({ data }) => { window.received = data.byteLength }
  const line = document.body.appendChild(document.createElement('main')).appendChild(document.createElement('p'))
  const texts = ['', ' ', '', ' ', ''].map((text) => line.appendChild(document.createTextNode(text)))
  onFrame = () => {
    const { frames } = window.counts
    texts[0].data = String(91_000_000n + BigInt(frames))
    texts[2].data = frames.toString(16).padStart(64, '0')
    texts[4].data = String(100_000_000_000n + BigInt(frames))
  }
`

/** Renders three composables and counts Vue's flushes with a change. */
export const composables = `
  ${COUNTING}
  import { createApp, h, watch } from 'vue'
  import { VueChain, useRpc, useTransactionListener, useUtxo } from ${JSON.stringify(resolve('src/index.ts'))}
  const App = {
    setup() {
      const { virtualDaaScore } = useRpc()
      const { transactions } = useTransactionListener()
      const { balance } = useUtxo(${JSON.stringify(addressesOf(INITIAL_UTXOS))})
      watch([virtualDaaScore, transactions, balance], () => { window.counts.flushes++ }, { flush: 'post' })
      return () => h('p', [String(virtualDaaScore.value), ' ', transactions.value[0], ' ', String(balance.value.mature)])
    },
  }
  createApp(App).use(VueChain, { network: 'testnet-10', url }).mount(document.body.appendChild(document.createElement('main')))
`
