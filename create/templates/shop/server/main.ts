import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { light } from 'vue-chain/light'
import { createChainEngine, isChainNetwork } from 'vue-chain/streams'
import { createPage } from './page.js'
import { startShop } from './shop.js'

const { NETWORK = 'testnet-10', NODE_URL, PAGE_NODE_URL, KPUB, START_INDEX = '0' } = process.env
const {
  HOT_ADDRESS,
  HOT_KEY_FILE,
  SHOP_TOKEN,
  CONFIRMATIONS = '100',
  MAX_WAITING = '100',
  PORT = '8080',
  HOST = '127.0.0.1',
  ORIGIN,
} = process.env
if (!isChainNetwork(NETWORK)) throw new Error(`NETWORK is no network: ${NETWORK}`)
if (!(Number(MAX_WAITING) > 0)) throw new Error(`MAX_WAITING is no number from 1: ${MAX_WAITING}`)
if (KPUB === undefined) throw new Error('KPUB is missing: the extended public key of the wallet that is paid')

const options = {
  network: NETWORK,
  sdk: light,
  reconnect: { maxRetries: Infinity },
  ...(NODE_URL !== undefined && { url: NODE_URL }), // without it, a public node
}
const [engine, lookUps] = [createChainEngine(options), createChainEngine(options)]
await lookUps.connection.connect()
const hotWallet =
  HOT_ADDRESS === undefined || HOT_KEY_FILE === undefined
    ? undefined
    : { address: HOT_ADDRESS, privateKeyHex: readFileSync(HOT_KEY_FILE, 'utf8').trim() }

const shop = await startShop({
  engines: [engine, lookUps],
  openDatabase: () => PGlite.create('./data'),
  account: await lookUps.accounts.fromExtendedPublicKey(KPUB),
  startIndex: Number(START_INDEX),
  hotWallet,
  chain: { network: NETWORK, ...(PAGE_NODE_URL !== undefined && { url: PAGE_NODE_URL }) },
  token: SHOP_TOKEN ?? randomBytes(16).toString('hex'), // a random one: no caller has it
  confirmations: Number(CONFIRMATIONS),
  maxWaiting: Number(MAX_WAITING),
  server: createServer({ requestTimeout: 10_000 }),
  port: Number(PORT),
  host: HOST,
  origin: ORIGIN,
  page: createPage(fileURLToPath(new URL('../page', import.meta.url)), PAGE_NODE_URL),
})
console.log(`The shop on ${NETWORK}: ${shop.url}`)

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, shop.stop)
await shop.ended
await Promise.all([engine.dispose(), lookUps.dispose()])
