// RxJS without a framework. What is written to the console is shown below.
import { map, scan } from 'rxjs'
import { createChainEngine } from 'vue-chain/streams'
import { devnode, options } from 'playground'

const engine = createChainEngine(options)

engine.connection.state$.subscribe(({ status }) => console.log('connection:', status))

engine
  .acceptedTransactions$()
  .pipe(
    map(({ type }) => type),
    scan((counts, type) => ({ ...counts, [type]: (counts[type] ?? 0) + 1 }), {} as Record<string, number>),
  )
  .subscribe((counts) => console.log('transactions so far:', counts))

await engine.connection.connect()
await devnode.mine(2)
console.log('sink:', await engine.rpc.getSink())
