// Watches the deposits of a shop: each order has its own address, derived from an extended public key without a private
// key.
import { createChainEngine, createWatchedAddresses } from 'vue-chain/streams'
import { addOrder, applyBatch, checkOrder, EMPTY_SHOP, isEmpty, toStatus } from './orders.js'
import { serve } from './serve.js'
import { runUntilStopped } from './stop.js'
import { openStore } from './store.js'

const { NETWORK, NODES, KPUB, DATA = 'shop.json', PORT = '8080', CONFIRMATIONS = '100' } = process.env
const { STORE_INTERVAL = '60000' } = process.env // ms

const engine = createChainEngine({
  network: NETWORK,
  urls: NODES?.split(','), // several nodes: one that fails or is behind is left
  reconnect: { maxRetries: Infinity }, // the program never ends by itself
})
const account = await engine.accounts.fromExtendedPublicKey(KPUB, { startIndex: 0 })
const store = await openStore(DATA, EMPTY_SHOP)

// Addresses whose rows are stored continue from the cursor; those of orders made since then are added.
const watched = createWatchedAddresses(store.get().watched)
const watch = () => watched.add(Object.values(store.get().orders).map(({ address }) => address))

async function followDeposits(signal) {
  const options = {
    addresses: watched,
    cursor: store.get().cursor,
    minConfirmations: Number(CONFIRMATIONS),
    signal,
  }
  const batches = engine.followTransfers(options)
  const first = batches.next() // from here on, the iteration follows changes of the set
  watch()
  await save((await first).value)
  for await (const batch of batches) await save(batch)
}

let storedAt = -Infinity

/**
 * A batch that changes no row need not be stored: after a restart it is delivered again. Its position is stored once a
 * minute all the same, because nodes keep the history of some 30 hours.
 */
async function save(batch) {
  if (isEmpty(batch) && performance.now() - storedAt < Number(STORE_INTERVAL)) return
  await store.update((shop) => applyBatch(shop, batch))
  storedAt = performance.now()
}

// {"id":"42","amount":"500000000n","expiresAt":1767225600000}, behind the shop's own server
const routes = {
  'POST /orders': async ({ body }) => {
    const order = checkOrder(body)
    await store.update((shop) => addOrder(shop, account, order)) // stored before the address is shown to anyone
    watch()
    return statusOf(order.id)
  },
  'GET /orders/:id': ({ id }) => (Object.hasOwn(store.get().orders, id) ? statusOf(id) : null),
}
const statusOf = (id) => toStatus(store.get(), store.get().orders[id], Date.now())

const run = async ({ signal }) => {
  await serve({ port: Number(PORT), signal, routes })
  await followDeposits(signal)
}
await runUntilStopped(run, () => engine.dispose())
