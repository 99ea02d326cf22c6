// `npm start`: the program on a simulated network in this process, with a withdrawal that it pays. Ctrl-C ends it.
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createDevnode } from 'vue-chain/devnode'

const devnode = await createDevnode({ blockInterval: 100 })
const [wallet, customer] = devnode.accounts // their keys are public
const { PORT = '8081', TOKEN = randomUUID() } = process.env
Object.assign(process.env, {
  NETWORK: 'simnet',
  NODES: devnode.urls.borsh,
  ADDRESS: wallet.address,
  PRIVATE_KEY: wallet.privateKeyHex,
  DATABASE: await mkdtemp(join(tmpdir(), 'wallet-')), // the network is another one at each start
  CONFIRMATIONS: '10',
  PORT,
  TOKEN,
})
void import('./main.js') // ends the process at SIGTERM and SIGINT

const withdrawals = `http://127.0.0.1:${PORT}/withdrawals`
const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
const withdrawal = { id: '7', address: customer.address, amount: '500000000n' }
await whenListening(withdrawals, { method: 'POST', headers, body: JSON.stringify(withdrawal) })
console.log(`${withdrawals}/7 is requested: 5 KAS to ${customer.address}`)
while ((await whenListening(`${withdrawals}/7`, { headers })).state !== 'settled') await setTimeout(100)
console.log(`${withdrawals}/7 is settled`)

/** The JSON of a response, as soon as the program listens. */
async function whenListening(url, init) {
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined) // it is starting
    if (response !== undefined) return response.json()
    await setTimeout(100)
  }
}
