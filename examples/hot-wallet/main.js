// The hot wallet of an exchange: pays withdrawals in batches, each exactly once, whatever instant the process ends at.
import { light } from 'vue-chain/light'
import { createPayouts, pgliteJournal, postgresJournal } from 'vue-chain/payouts'
import { createChainEngine } from 'vue-chain/streams'
import { serve } from './serve.js'
import { runUntilStopped } from './stop.js'

const { NETWORK, NODES, ADDRESS, PRIVATE_KEY, DATABASE = 'wallet', TOKEN, PORT = '8081' } = process.env
const { CONFIRMATIONS = '100', MAX_WAIT = '1000', SUBMIT_EVERY = '10000' } = process.env
if (!TOKEN) throw new Error('Set TOKEN: a client that has it can pay from this wallet')

const engine = createChainEngine({
  network: NETWORK,
  urls: NODES?.split(','), // several nodes: one that fails or is behind is left
  sdk: light, // signs without WASM
  reconnect: { maxRetries: Infinity },
})
const openJournal = /^postgres/.test(DATABASE) ? postgresJournal : pgliteJournal // to try it: a folder, no server
const journal = openJournal({ database: DATABASE })
const payouts = createPayouts({
  engine,
  journal,
  addresses: [ADDRESS],
  privateKeys: [PRIVATE_KEY],
  minConfirmations: Number(CONFIRMATIONS),
  batch: { maxWait: Number(MAX_WAIT) },
  submitInterval: Number(SUBMIT_EVERY),
  logger: console,
})

// {"id":"7","address":"kaspa:…","amount":"500000000n"}, {"feeRate":500} and {}, behind the exchange's own server
const routes = {
  'POST /withdrawals': ({ body: { id, address, amount } }) => payouts.pay(id, { address, amount }),
  'GET /withdrawals/:id': ({ id }) => payouts.get(id),
  'POST /withdrawals/:id/speed-up': ({ id, body }) => payouts.bump(id, body),
  'POST /withdrawals/:id/cancel': ({ id }) => payouts.cancel(id),
}
await serve({ port: Number(PORT), token: TOKEN, routes })
await runUntilStopped(payouts.run, () => engine.dispose().then(journal.close))
