// `npm start`: the program on a simulated network in this process, with an order that a customer pays. Ctrl-C ends it.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createDevnode } from 'vue-chain/devnode'

const devnode = await createDevnode({ blockInterval: 100 })
const { PORT = '8080' } = process.env
Object.assign(process.env, {
  NETWORK: 'simnet',
  NODES: devnode.urls.borsh,
  // of a public test mnemonic
  KPUB: 'kpub2JXpdok4yzBUfy83X1r3PfTFGVpC7hHVGMd537K1VzQJretbWT3kfY14Wz5tLagSL947mE5dj79PEKpQTEiJrYRvUYJ88JHUL3TAneVEMLW',
  DATA: join(await mkdtemp(join(tmpdir(), 'shop-')), 'shop.json'), // the network is another one at each start
  CONFIRMATIONS: '10',
  PORT,
})
void import('./main.js') // ends the process at SIGTERM and SIGINT

const orders = `http://127.0.0.1:${PORT}/orders`
const order = { id: '42', amount: '500000000n', expiresAt: Date.now() + 900_000 }
const { address, status } = await whenListening(orders, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(order),
})
console.log(`${orders}/42 is ${status}: 5 KAS to ${address}`)
console.log(`A customer pays 5 KAS: ${await devnode.fund(address, 500_000_000n)}`)
while ((await whenListening(`${orders}/42`)).status !== 'paid') await setTimeout(100)
console.log(`${orders}/42 is paid`)

/** The JSON of a response, as soon as the program listens. */
async function whenListening(url, init) {
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined) // it is starting
    if (response !== undefined) return response.json()
    await setTimeout(100)
  }
}
