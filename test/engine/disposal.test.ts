import { timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainError, type FailedOutcome } from '../../src/errors/chain-error.js'
import { serializeTransaction } from '../../src/model/serialized-transaction.js'
import type { ChainEngine } from '../../src/engine/engine.js'
import { RELAYABLE } from '../relayable-transaction.js'
import { ALICE, utxo } from '../streams/utxos/utxo-fixtures.js'
import { createHarness, hash } from './stream-contracts/chain-node.js'
import { createEngineHarness, record } from './stream-contracts/engine-harness.js'

const ID = 'ab'.repeat(32)

const PAYMENT = {
  entries: [utxo(1, { amount: 10n ** 9n })],
  outputs: [{ address: ALICE, amount: 10n ** 8n }],
  changeAddress: ALICE,
  feeRate: 1,
}

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

/** Asynchronous methods of an engine, by a name. */
const CALLS: Readonly<Record<string, (engine: ChainEngine) => Promise<unknown>>> = {
  'connection.connect': ({ connection }) => connection.connect(),
  'connection.reconnect': ({ connection }) => connection.reconnect(),
  'connection.disconnect': ({ connection }) => connection.disconnect(),
  'a query': ({ rpc }) => rpc.getBlock(ID),
  'a subscription': ({ rpc }) => rpc.subscribeBlockAdded(),
  'a subscription to addresses': ({ rpc }) => rpc.subscribeUtxosChanged([ALICE]),
  'an unsubscription': ({ rpc }) => rpc.unsubscribeBlockAdded(),
  switchNetwork: (engine) => engine.switchNetwork('devnet'),
  'utxos().ready': ({ utxos }) => utxos([ALICE]).ready(),
  'utxos().refresh': ({ utxos }) => utxos([ALICE]).refresh(),
  'wasm.init': ({ wasm }) => wasm.init(),
  'wallet.connect': ({ wallet }) => wallet.connect('walletA'),
  'a payment': ({ transactions }) => transactions.estimate(PAYMENT),
  send: ({ transactions }) => transactions.send({ ...PAYMENT, privateKeys: ['11'.repeat(32)] }),
  sweep: ({ transactions }) =>
    transactions.sweep({ entries: PAYMENT.entries, to: ALICE, privateKeys: ['11'.repeat(32)] }),
  'wallet.sendKaspa': ({ wallet }) => wallet.sendKaspa(ALICE, 10n ** 8n),
  'rpc.submitTransaction': ({ rpc }) => rpc.submitTransaction(RELAYABLE),
  'rest.submitTransaction': ({ rest }) => rest.submitTransaction(serializeTransaction(RELAYABLE)),
  'a key': ({ keys }) => Promise.resolve().then(() => keys.generateMnemonic()),
  'a request to the indexer': ({ rest }) => rest.getAddressBalance(ALICE),
}

/** The outcome of a submission after disposal: a new payment is unsent, what was signed before may have been sent. */
const OUTCOMES: Readonly<Record<string, FailedOutcome>> = {
  send: 'unsent',
  sweep: 'unsent',
  'wallet.sendKaspa': 'unsent',
  'rpc.submitTransaction': 'unknown',
  'rest.submitTransaction': 'unknown',
}

/** The calls that do not need the engine: they end what has already ended. */
const NEVER_REJECT = ['connection.disconnect', 'an unsubscription']

/** Resolves once the promise is settled. */
const outcomeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'settled',
    () => 'settled',
  )

describe('a disposed engine', () => {
  it.each(Object.keys(STREAMS))('completes %s for late subscribers', async (name) => {
    const { engine } = createEngineHarness()
    await engine.connection.connect()
    await engine.dispose()
    expect(record(STREAMS[name]!(engine)).end).toEqual(['complete'])
  })

  it.each(Object.keys(CALLS))('rejects %s with code disposed, and a submission with its outcome', async (name) => {
    const { engine } = createEngineHarness()
    await engine.connection.connect()
    await engine.dispose()
    const failure = await CALLS[name]!(engine).then(
      () => 'resolved',
      (error: unknown) =>
        error instanceof ChainError ? { code: error.code as string, outcome: error.outcome } : error,
    )
    expect(failure).toEqual(NEVER_REJECT.includes(name) ? 'resolved' : { code: 'disposed', outcome: OUTCOMES[name] })
  })
})

describe('an engine that is disposed', () => {
  it.each(Object.keys(CALLS))('during %s settles the promise', async (name) => {
    const { engine, node } = createEngineHarness()
    await engine.connection.connect()
    node.respond('getServerInfo', () => timer(60_000) as Observable<never>)
    const end = outcomeOf(CALLS[name]!(engine))
    await engine.dispose()
    expect(await end).toBe('settled')
  })

  it.each(Object.keys(STREAMS))(
    'during an emission of %s completes all streams and closes the sockets',
    async (name) => {
      const { engine, node, settle } = await createHarness()
      const all = Object.values(STREAMS).map((stream) => record(stream(engine)))
      STREAMS[name]!(engine).subscribe(() => void engine.dispose())
      await settle()
      node.addBlocks('ab')
      await settle()
      node.drop()
      await settle()
      await engine.dispose() // for streams that have not emitted
      expect(Object.keys(STREAMS).filter((_, at) => all[at]?.end.join() !== 'complete')).toEqual([])
      expect(new Set(node.sockets.map(({ status }) => status))).toEqual(new Set(['closed']))
    },
  )
})
