import { timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ChainEngine } from '../../src/engine/engine.js'
import { ALICE } from '../streams/utxos/coins.js'
import { createScene, hash } from './promises/chain-node.js'
import { createEngineScene, listen } from './promises/scene.js'

const ID = 'ab'.repeat(32)

/** Every stream of an engine, by a name. */
const STREAMS: Readonly<Record<string, (engine: ChainEngine) => Observable<unknown>>> = {
  'connection.state$': ({ connection }) => connection.state$,
  'wasm.status$': ({ wasm }) => wasm.status$,
  server$: ({ server$ }) => server$,
  virtualDaaScore$: ({ virtualDaaScore$ }) => virtualDaaScore$,
  sinkBlueScore$: ({ sinkBlueScore$ }) => sinkBlueScore$,
  'events$ of the node': ({ events$ }) => events$('block-added'),
  'events$ of the connection': ({ events$ }) => events$('disconnect'),
  gaps$: ({ gaps$ }) => gaps$,
  'utxos().state$': ({ utxos }) => utxos([ALICE]).state$,
  acceptedTransactions$: ({ acceptedTransactions$ }) => acceptedTransactions$(),
  'acceptedTransactions$ with all options': ({ acceptedTransactions$ }) =>
    acceptedTransactions$({ from: hash('0'), includeSenderAddresses: true }),
  blocks$: (engine) => engine.blocks$(),
  transactionStatus$: ({ transactionStatus$ }) => transactionStatus$(ID),
}

/** What may be asked of an engine, by a name. */
const PROMISES: Readonly<Record<string, (engine: ChainEngine) => Promise<unknown>>> = {
  'connection.connect': ({ connection }) => connection.connect(),
  'connection.reconnect': ({ connection }) => connection.reconnect(),
  'connection.disconnect': ({ connection }) => connection.disconnect(),
  'a query': ({ rpc }) => rpc.getBlock(ID),
  'a subscription': ({ rpc }) => rpc.subscribeBlockAdded(),
  'a subscription to addresses': ({ rpc }) => rpc.subscribeUtxosChanged([ALICE]),
  'its end': ({ rpc }) => rpc.unsubscribeBlockAdded(),
  switchNetwork: (engine) => engine.switchNetwork('devnet'),
  'utxos().settled': ({ utxos }) => utxos([ALICE]).settled(),
  'utxos().refresh': ({ utxos }) => utxos([ALICE]).refresh(),
  'wasm.init': ({ wasm }) => wasm.init(),
  'wallet.connect': ({ wallet }) => wallet.connect('walletA'),
}

/** How a promise ended, whichever way; it must end for the test to. */
const endOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'settled',
    () => 'settled',
  )

describe('after the end of an engine', () => {
  it.each(Object.keys(STREAMS))('whoever comes for %s is told that it is over', async (name) => {
    const { engine } = createEngineScene()
    await engine.connection.connect()
    await engine.dispose()
    expect(listen(STREAMS[name]!(engine)).end).toEqual(['complete'])
  })

  it.each(Object.keys(PROMISES))('%s leaves nobody waiting', async (name) => {
    const { engine } = createEngineScene()
    await engine.connection.connect()
    await engine.dispose()
    expect(await endOf(PROMISES[name]!(engine))).toBe('settled')
  })
})

describe('an engine that ends in the middle', () => {
  it.each(Object.keys(PROMISES))('of %s leaves nobody waiting', async (name) => {
    const { engine, node } = createEngineScene()
    await engine.connection.connect()
    node.answer('getServerInfo', () => timer(60_000) as Observable<never>)
    const end = endOf(PROMISES[name]!(engine))
    await engine.dispose()
    expect(await end).toBe('settled')
  })

  it.each(Object.keys(STREAMS))('of what %s tells ends them all, and its sockets', async (name) => {
    const { engine, node, settle } = await createScene()
    const all = Object.values(STREAMS).map((stream) => listen(stream(engine)))
    STREAMS[name]!(engine).subscribe(() => void engine.dispose())
    await settle()
    node.grow('ab')
    await settle()
    node.drop()
    await settle()
    await engine.dispose() // where nothing was told
    expect(Object.keys(STREAMS).filter((_, at) => all[at]?.end.join() !== 'complete')).toEqual([])
    expect(new Set(node.sockets.map(({ status }) => status))).toEqual(new Set(['closed']))
  })
})
