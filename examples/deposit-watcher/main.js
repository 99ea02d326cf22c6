// Watches the deposits of a shop: each order has its own address, derived from an extended public key without a private
// key.
import { createChainEngine, createWatchedAddresses } from 'vue-chain/streams'
import { addOrder, applyBatch, checkOrder, EMPTY_SHOP, isEmpty, toStatus } from './orders.js'
import { serve } from '../serve.js'
import { untilStopped } from '../stop.js'
import { openStore } from '../store.js'

const { NETWORK, NODES, KPUB, DATA = 'shop.json', PORT = '8080', CONFIRMATIONS = '100' } = process.env

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

let server
const stopped = untilStopped(async () => {
  server?.close()
  await engine.dispose()
})

async function followDeposits() {
  const options = {
    addresses: watched,
    cursor: store.get().cursor,
    minConfirmations: Number(CONFIRMATIONS),
    signal: stopped,
  }
  const batches = engine.followTransfers(options)
  const first = batches.next() // from here on, the iteration follows changes of the set
  watch()
  await save((await first).value)
  for await (const batch of batches) await save(batch)
}

/** A batch that changes no row need not be stored: after a restart it is delivered again. */
async function save(batch) {
  if (isEmpty(batch) && store.get().cursor !== undefined) return
  await store.update((shop) => applyBatch(shop, batch))
}

// POST /orders {"id":"42","amount":"500000000n","expiresAt":1767225600000} and GET /orders/42, behind the shop's own
// server
async function handle(method, [collection, id, ...rest], readBody) {
  if (collection !== 'orders' || rest.length > 0) return [404, {}]
  if (method === 'POST' && id === undefined) {
    const order = checkOrder(await readBody())
    await store.update((shop) => addOrder(shop, account, order)) // stored before the address is shown to anyone
    watch()
    return [201, toStatus(store.get(), store.get().orders[order.id], Date.now())]
  }
  if (method !== 'GET' || id === undefined || !Object.hasOwn(store.get().orders, id)) return [404, {}]
  return [200, toStatus(store.get(), store.get().orders[id], Date.now())]
}

server = await serve({ port: Number(PORT), handle })
followDeposits().catch((error) => {
  if (stopped.aborted) return
  console.error(String(error)) // a gap in the history, for example: see the guide
  process.exit(1)
})
