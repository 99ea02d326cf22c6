import { resolve } from 'node:path'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { bytesOf } from '../wire/bytes-of.js'
import { INITIAL_UTXOS } from '../wire/busy-chain.js'
import { chainHash } from '../wire/chain-blocks.js'
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

/** The request for the chain after the block whose hash is at `START_HASH` of it. */
const PAGE_REQUEST = createBorshCodec().encodeRequest(1n, 'getVirtualChainFromBlockV2', {
  startHash: chainHash(0),
  dataVerbosityLevel: 'Low',
  minConfirmationCount: 0n,
})

/**
 * The minimum cost of any library: receives every socket frame without decoding, requests the accepted transactions of
 * new chain blocks once per display frame, and writes three values of the same length into the same nodes in every
 * display frame, without a framework.
 */
export const byHand = `
  ${COUNTING}
  const [START_HASH, COUNT, ADDED, NOTIFIED] = [16, 23, 27, 61]
  const request = new Uint8Array(${JSON.stringify([...bytesOf(PAGE_REQUEST)])})
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  let isNew = false
  let isPending = false
  socket.onmessage = ({ data }) => {
    const frame = new Uint8Array(data)
    if (frame[0] === 0) {
      isNew ||= frame[3] === NOTIFIED
      return
    }
    isPending = false
    const count = frame[COUNT]
    if (count > 0) request.set(frame.subarray(ADDED + 32 * (count - 1), ADDED + 32 * count), START_HASH)
  }
  const line = document.body.appendChild(document.createElement('main')).appendChild(document.createElement('p'))
  const texts = ['', ' ', '', ' ', ''].map((text) => line.appendChild(document.createTextNode(text)))
  onFrame = () => {
    if (isNew && !isPending) {
      [isNew, isPending] = [false, true]
      socket.send(request)
    }
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
