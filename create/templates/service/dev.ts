/** `npm run dev`: the service on a local Kaspa network, where a customer pays the shop every five seconds. */
import { setInterval } from 'node:timers/promises'
import { createDevnode } from 'vue-chain/devnode'
import { light } from 'vue-chain/light'
import { createChainEngine, kaspaToSompi } from 'vue-chain/streams'
import { openPglite } from './src/database.js'
import { startService } from './src/service.js'

const devnode = await createDevnode()
const [shop, customer] = devnode.accounts // their keys are public
if (shop === undefined || customer === undefined) throw new Error('A devnode has ten accounts')

const engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
const database = await openPglite() // in memory, because the network is another one at each start
const port = Number(process.env.PORT ?? 8080)
const { url } = await startService({ engine, database, network: 'simnet', minConfirmations: 1, port })
const shopUrl = `${url}/addresses/${shop.address}`
await fetch(shopUrl, { method: 'PUT' })
console.log(`The shop's balance and transfers: ${shopUrl}`)

await engine.wasm.init() // loads the code that signs
for await (const _ of setInterval(5_000)) {
  const { transactionIds } = await engine.transactions.send({
    entries: await engine.rpc.getUtxosByAddresses([customer.address]),
    outputs: [{ address: shop.address, amount: kaspaToSompi('2.5') }],
    changeAddress: customer.address,
    privateKeys: [customer.privateKeyHex],
  })
  console.log(`The customer pays 2.5 KAS: ${transactionIds.at(-1)}`)
}
