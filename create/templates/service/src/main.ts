import { createChainEngine, isChainNetwork } from 'vue-chain/streams'
import { openPglite, openPostgres } from './database.js'
import { startService } from './service.js'

const { NETWORK = 'testnet-10', NODE_URL, DATABASE_URL, CONFIRMATIONS = '100', PORT = '8080', HOST } = process.env
if (!isChainNetwork(NETWORK)) throw new Error(`NETWORK is no network: ${NETWORK}`)

const engine = createChainEngine({
  network: NETWORK,
  reconnect: { maxRetries: Infinity },
  ...(NODE_URL === undefined ? {} : { url: NODE_URL }), // without it, a public node
})
const database = DATABASE_URL === undefined ? await openPglite('./data') : openPostgres(DATABASE_URL)

const minConfirmations = Number(CONFIRMATIONS)
const service = await startService({
  engine,
  database,
  network: NETWORK,
  minConfirmations,
  port: Number(PORT),
  ...(HOST === undefined ? {} : { host: HOST }),
})
console.log(`Following ${NETWORK}, listening on ${service.url}`)

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, service.stop)
await service.ended
await engine.dispose()
await database.close()
