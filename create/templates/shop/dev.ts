/** `npm run dev`: the shop on a local Kaspa network, with a button that pays as a customer does. */
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'
import { createServer as createVite } from 'vite'
import { createDevnode } from 'vue-chain/devnode'
import { light } from 'vue-chain/light'
import { createChainEngine } from 'vue-chain/streams'
import { startShop } from './server/shop.js'

const devnode = await createDevnode({ blockInterval: 100 }) // as on mainnet
const [hotWallet, customer] = devnode.accounts // their keys are public
if (hotWallet === undefined || customer === undefined) throw new Error('A devnode has ten accounts')

const open = () => createChainEngine({ ...devnode.engineOptions, sdk: light })
const [engine, lookUps, wallet] = [open(), open(), open()]
await Promise.all([lookUps.connection.connect(), wallet.connection.connect(), wallet.wasm.init()])
// the network is another one at each start, and so is the wallet that is paid
const kpub = wallet.keys.deriveExtendedPublicKey(wallet.keys.generateMnemonic(12).phrase, 'simnet')

/** What the customer's wallet does when it opens the link. */
async function pay(address: string, amount: string): Promise<void> {
  await wallet.transactions.send({
    entries: await wallet.rpc.getUtxosByAddresses([customer!.address]),
    outputs: [{ address, amount: BigInt(amount) }],
    changeAddress: customer!.address,
    privateKeys: [customer!.privateKeyHex],
  })
}

const server = createServer()
const vite = await createVite({ server: { middlewareMode: true, hmr: { server } } })
const { url } = await startShop({
  engines: [engine, lookUps],
  openDatabase: () => PGlite.create(), // in memory
  account: await lookUps.accounts.fromExtendedPublicKey(kpub),
  hotWallet,
  chain: { network: 'simnet', url: devnode.urls.borsh },
  token: 'dev-token',
  confirmations: 10,
  maxWaiting: 100,
  server,
  port: Number(process.env.PORT ?? 8080),
  host: '127.0.0.1',
  page(request, response, { pathname, searchParams }) {
    if (pathname !== '/dev/pay') return vite.middlewares(request, response)
    pay(searchParams.get('address') ?? '', searchParams.get('amount') ?? '').then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  },
})
console.log(`The shop: ${url}`)
console.log(`An address for refunds: ${customer.address}`)
