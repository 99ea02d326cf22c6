// The hot wallet of an exchange: pays withdrawals in batches, each exactly once, whatever instant the process ends at.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { light } from 'vue-chain/light'
import { createChainEngine } from 'vue-chain/streams'
import { parse, stringify } from '../json.js'
import { openStore } from '../store.js'
import { createPayments } from './payments.js'
import { addWithdrawal, applyTransfers, checkWithdrawal, EMPTY_WALLET, toStatus } from './wallet.js'

const { NETWORK, NODES, ADDRESS, PRIVATE_KEY, DATA = 'wallet.json', PORT = '8081' } = process.env
const { CONFIRMATIONS = '100', PAY_EVERY = '1000', SUBMIT_EVERY = '10000' } = process.env

const engine = createChainEngine({
  network: NETWORK,
  urls: NODES?.split(','), // several nodes: one that fails or is behind is left
  sdk: light, // signs without WASM
  reconnect: { maxRetries: Infinity },
})
const store = await openStore(DATA, EMPTY_WALLET)
const payments = createPayments({ engine, store, address: ADDRESS, privateKey: PRIVATE_KEY })

const { cursor } = store.get()
const batches = engine.followTransfers({ addresses: [ADDRESS], cursor, minConfirmations: Number(CONFIRMATIONS) })

/** Learns which payments the chain has accepted, deep enough. */
async function followAccepted() {
  for await (const batch of batches) await save(batch)
}

/** A batch that changes no row need not be stored: after a restart it is delivered again. */
async function save(batch) {
  const isEmpty = batch.rollback === null && batch.transactions.length === 0
  if (!isEmpty || store.get().cursor === undefined) await store.update((wallet) => applyTransfers(wallet, batch))
}

/** Repeats work for ever; a failure, such as a lost connection, is retried at the next turn. */
async function every(ms, work) {
  for (;;) {
    await work().catch((error) => console.error(String(error)))
    await pause(Number(ms))
  }
}

// POST /withdrawals {"id":"7","address":"kaspa:…","amount":"500000000n"}, GET /withdrawals/7,
// POST /withdrawals/7/speed-up and /withdrawals/7/cancel, behind the exchange's own server
const server = createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(stringify(body))
  const [, , id, action] = request.url.split('/').map(decodeURIComponent)
  try {
    if (request.method === 'POST' && id === undefined) {
      const withdrawal = checkWithdrawal(parse(await readBody(request)), NETWORK)
      await store.update((wallet) => addWithdrawal(wallet, withdrawal))
      return reply(201, toStatus(store.get(), store.get().withdrawals[withdrawal.id]))
    }
    const withdrawal = store.get().withdrawals[id]
    if (withdrawal === undefined) return reply(404, {})
    if (request.method === 'POST' && action === 'speed-up') await payments.speedUp(withdrawal.batch)
    if (request.method === 'POST' && action === 'cancel') await payments.cancel(withdrawal.batch)
    return reply(200, toStatus(store.get(), store.get().withdrawals[id]))
  } catch (error) {
    return reply(400, { error: String(error) })
  }
})

async function readBody(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

await engine.wasm.init() // of `light`: no WASM is loaded
await payments.restoreAll()
await engine.connection.connect()
// before the first payment: a later process without a cursor would begin after it
if (cursor === undefined) await save((await batches.next()).value)
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on ${PORT}`))
void every(SUBMIT_EVERY, () => payments.submitUnconfirmed())
void every(PAY_EVERY, () => payments.payQueued())
followAccepted().catch((error) => {
  console.error(String(error)) // a gap in the history, for example: see the guide
  process.exit(1)
})
