// The hot wallet of an exchange: pays withdrawals in batches, each exactly once, whatever instant the process ends at.
import { setTimeout as pause } from 'node:timers/promises'
import { light } from 'vue-chain/light'
import { createChainEngine } from 'vue-chain/streams'
import { serve } from '../serve.js'
import { untilStopped } from '../stop.js'
import { openStore } from '../store.js'
import { createPayments } from './payments.js'
import { addWithdrawal, applyTransfers, checkWithdrawal, EMPTY_WALLET, toStatus } from './wallet.js'

const { NETWORK, NODES, ADDRESS, PRIVATE_KEY, DATA = 'wallet.json', PORT = '8081' } = process.env
const { CONFIRMATIONS = '100', PAY_EVERY = '1000', SUBMIT_EVERY = '10000', TOKEN } = process.env
if (!TOKEN) throw new Error('Set TOKEN: a client that has it can pay from this wallet')

const engine = createChainEngine({
  network: NETWORK,
  urls: NODES?.split(','), // several nodes: one that fails or is behind is left
  sdk: light, // signs without WASM
  reconnect: { maxRetries: Infinity },
})
const store = await openStore(DATA, EMPTY_WALLET)
const payments = createPayments({ engine, store, address: ADDRESS, privateKey: PRIVATE_KEY })

const { cursor } = store.get()
const running = []
let server
const stopped = untilStopped(async () => {
  server?.close()
  await Promise.allSettled(running) // a payment that is being signed is stored, or was never sent
  await engine.dispose()
})
const batches = engine.followTransfers({
  addresses: [ADDRESS],
  cursor,
  minConfirmations: Number(CONFIRMATIONS),
  signal: stopped,
})

/** Learns which payments the chain has accepted, deep enough. */
async function followAccepted() {
  for await (const batch of batches) await save(batch)
}

/** A batch that changes no row need not be stored: after a restart it is delivered again. */
async function save(batch) {
  const isEmpty = batch.rollback === null && batch.transactions.length === 0
  if (!isEmpty || store.get().cursor === undefined) await store.update((wallet) => applyTransfers(wallet, batch))
}

/** Repeats work until the program ends; a failure, such as a lost connection, is retried at the next turn. */
async function every(ms, work) {
  while (!stopped.aborted) {
    await work().catch((error) => console.error(String(error)))
    await pause(Number(ms), undefined, { signal: stopped }).catch(() => undefined) // the program ends
  }
}

// POST /withdrawals {"id":"7","address":"kaspa:…","amount":"500000000n"}, GET /withdrawals/7,
// POST /withdrawals/7/speed-up and /withdrawals/7/cancel, behind the exchange's own server
async function handle(method, [collection, id, action, ...rest], readBody) {
  if (collection !== 'withdrawals' || rest.length > 0) return [404, {}]
  if (method === 'POST' && id === undefined) {
    const withdrawal = checkWithdrawal(await readBody(), NETWORK)
    await store.update((wallet) => addWithdrawal(wallet, withdrawal))
    return [201, toStatus(store.get(), store.get().withdrawals[withdrawal.id])]
  }
  if (id === undefined || !Object.hasOwn(store.get().withdrawals, id)) return [404, {}]
  const { batch } = store.get().withdrawals[id]
  if (method === 'POST' && action === 'speed-up') await payments.speedUp(batch)
  else if (method === 'POST' && action === 'cancel') await payments.cancel(batch)
  else if (method !== 'GET' || action !== undefined) return [404, {}]
  return [200, toStatus(store.get(), store.get().withdrawals[id])]
}

async function start() {
  await engine.wasm.init() // of `light`: no WASM is loaded
  await payments.restoreAll()
  await engine.connection.connect()
  // before the first payment: a later process without a cursor would begin after it
  if (cursor === undefined) await save((await batches.next()).value)
  server = await serve({ port: Number(PORT), token: TOKEN, handle })
  running.push(every(SUBMIT_EVERY, () => payments.submitUnconfirmed()))
  running.push(every(PAY_EVERY, () => payments.payQueued()))
  await followAccepted()
}

start().catch((error) => {
  if (stopped.aborted) return // what was interrupted by the end of the program
  console.error(String(error)) // a gap in the history, for example: see the guide
  process.exit(1)
})
