// The hot wallet of an exchange: pays withdrawals in batches, each exactly once, whatever instant the process ends at.
import { light } from 'vue-chain/light'
import { createPayouts } from 'vue-chain/payouts'
import { createChainEngine } from 'vue-chain/streams'
import { serve } from '../serve.js'
import { untilStopped } from '../stop.js'
import { openJournal } from './journal.js'

const { NETWORK, NODES, ADDRESS, PRIVATE_KEY, DATABASE = 'wallet', TOKEN, PORT = '8081' } = process.env
const { CONFIRMATIONS = '100', MAX_WAIT = '1000', SUBMIT_EVERY = '10000' } = process.env
if (!TOKEN) throw new Error('Set TOKEN: a client that has it can pay from this wallet')

const engine = createChainEngine({
  network: NETWORK,
  urls: NODES?.split(','), // several nodes: one that fails or is behind is left
  sdk: light, // signs without WASM
  reconnect: { maxRetries: Infinity },
})
const { journal, close } = await openJournal(DATABASE)
const payouts = createPayouts({
  engine,
  journal,
  addresses: [ADDRESS],
  privateKeys: [PRIVATE_KEY],
  minConfirmations: Number(CONFIRMATIONS),
  batch: { maxWait: Number(MAX_WAIT) },
  submitInterval: Number(SUBMIT_EVERY),
  logger: { debug: () => {}, info: () => {}, warn: console.warn, error: console.error },
})

// POST /withdrawals {"id":"7","address":"kaspa:…","amount":"500000000n"}, GET /withdrawals/7,
// POST /withdrawals/7/speed-up {"feeRate":500} and /withdrawals/7/cancel {}, behind the exchange's own server
async function handle(method, [collection, id, action, ...others], readBody) {
  if (collection !== 'withdrawals' || others.length > 0) return [404, {}]
  if (method === 'POST' && id === undefined) {
    const { id: own, address, amount } = await readBody()
    return [201, await payouts.pay(own, { address, amount })]
  }
  if (id === undefined || (await payouts.get(id)) === null) return [404, {}]
  if (method === 'GET' && action === undefined) return [200, await payouts.get(id)]
  if (method === 'POST' && action === 'speed-up') return [200, await payouts.bump(id, await readBody())]
  if (method === 'POST' && action === 'cancel') return [200, await payouts.cancel(id)]
  return [404, {}]
}

let server
let running
const stopped = untilStopped(async () => {
  server?.close()
  await running // what is being signed is stored, or was never sent
  await engine.dispose()
  await close()
})
engine.connection.connect().catch((error) => console.error(String(error))) // it is repeated
running = payouts.run({ signal: stopped }).catch((error) => {
  console.error(String(error)) // a gap in the history, for example: see the guide
  process.exit(1)
})
server = await serve({ port: Number(PORT), token: TOKEN, handle })
