// `npm start`: a feed into PostgreSQL inside this process (PGlite), on a simulated network. Ctrl-C ends it.
import { PGlite } from '@electric-sql/pglite'
import { distinctUntilChanged, map } from 'rxjs'
import { createDevnode } from 'vue-chain/devnode'
import { createFeed, createPgliteSink } from 'vue-chain/feed'
import { createChainEngine } from 'vue-chain/streams'

const devnode = await createDevnode({ blockInterval: 100 })
const [{ address }] = devnode.accounts
const database = await PGlite.create() // in memory: the network is another one at each start
const engine = createChainEngine(devnode.engineOptions)
const feed = createFeed({ engine, watch: [address], minConfirmations: 10, sink: createPgliteSink({ database }) })

/** A notification is a hint: what counts is in the tables. */
const printBalance = async () => {
  const { rows } = await database.query('select amount::text from vue_chain.balance where address = $1', [address])
  for (const { amount } of rows) console.log(`The table says: ${amount} sompi of ${address}`)
}
database.onNotification(() => void printBalance().catch(console.error))
await database.query('listen vue_chain_transfer')

const stopped = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stopped.abort())
const running = feed.run({ signal: stopped.signal })
const phase$ = feed.status$.pipe(
  map(({ phase }) => phase),
  distinctUntilChanged(),
)
phase$.subscribe((phase) => console.log(`The feed is ${phase}`))
console.log(`A customer pays 5 KAS: ${await devnode.fund(address, 500_000_000n)}`)
await running // resolves between two steps
await engine.dispose()
await database.close()
await devnode.close()
