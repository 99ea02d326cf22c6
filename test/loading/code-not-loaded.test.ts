import { firstValueFrom, filter, map, of, type Observable } from 'rxjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as Contracts from '../../src/contracts/index.js'
import type * as Memory from '../../src/devnode/memory/index.js'
import { type ChainCore, partsOf } from '../../src/engine/core-parts.js'
import type * as Core from '../../src/engine/index.js'
import type * as Queries from '../../src/engine/features/queries.js'
import type * as Light from '../../src/light/index.js'
import { parsePayment, serializePayment } from '../../src/model/serialized-payment.js'
import type * as Streams from '../../src/streams/index.js'
import { counter } from '../fixtures/contracts/modules/counter.js'
import { RELAYABLE } from '../relayable-transaction.js'
import { createFailingImports } from './failing-imports.js'

const failing = createFailingImports()

type Api = typeof Streams & typeof Core & typeof Memory & typeof Light & typeof Queries & typeof Contracts
let api: Api

beforeAll(async () => {
  const entries = [
    'streams/index',
    'engine/index',
    'devnode/memory/index',
    'light/index',
    'engine/features/queries',
    'contracts/index',
  ]
  api = (await failing.load(entries)) as Api
})
afterAll(() => failing.remove())

interface Network {
  readonly devnode: Memory.MemoryDevnode
  readonly engine: Streams.ChainEngine
  readonly core: ChainCore
  readonly address: string
}

/** Rejects with the error of a state; resolves once it is fresh. */
async function failureOf(
  state$: Observable<{ readonly error: unknown; readonly freshness?: string; readonly data?: unknown }>,
): Promise<void> {
  const isSettled = filter(
    ({ error, freshness, data }: { error: unknown; freshness?: string; data?: unknown }) =>
      error !== null || freshness === 'fresh' || data !== undefined,
  )
  const { error } = await firstValueFrom(state$.pipe(isSettled))
  if (error !== null) throw error as Error
}

/** Rejects where all reject, with the first error; the others must be of its code. */
async function together(...calls: readonly Promise<unknown>[]): Promise<void> {
  const reasons = (await Promise.allSettled(calls)).flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  if (reasons.length === 0) return
  expect(reasons.map((reason) => (reason as Streams.ChainError).code)).toEqual(calls.map(() => 'code-not-loaded'))
  throw reasons[0]
}

/** Runs a call for which every part can be loaded. */
async function whole<T>(call: () => Promise<T>): Promise<T> {
  const { isMissing } = failing
  failing.isMissing = () => false
  try {
    return await call()
  } finally {
    failing.isMissing = isMissing
  }
}

async function pay({ devnode, engine }: Network, change: object = {}, options: object = {}): Promise<unknown> {
  const [from, to] = devnode.accounts
  const key = [from!.privateKeyHex]
  const settings = {
    entries: await whole(() => engine.rpc.getUtxosByAddresses([from!.address])),
    outputs: [{ address: to!.address, amount: 100_000_000n }],
    changeAddress: from!.address,
    privateKeys: key,
    ...change,
  }
  return engine.transactions.send(settings, options)
}

/** A payment that was signed, and not sent. */
async function signed(network: Network): Promise<Streams.SerializedTransaction> {
  const serialized: Streams.SerializedTransaction[] = []
  const keep = (payments: readonly Streams.SerializedTransaction[]): never => {
    serialized.push(...payments)
    throw new Error('not sent')
  }
  await whole(() => pay(network, {}, { onSigned: keep })).catch(() => undefined)
  return serialized[0]!
}

/** A counter that is deployed, and a plan that calls it. */
async function counted({ devnode, engine }: Network) {
  const [{ address, privateKeyHex }] = devnode.accounts as readonly [(typeof devnode.accounts)[0]]
  const contracts = api.createContracts({ engine })
  const settings = async () => {
    const entries = await engine.rpc.getUtxosByAddresses([address])
    return { entries: entries.slice(-1), changeAddress: address }
  }
  const keys = { privateKeys: [privateKeyHex] }
  const deployed = await contracts.deploy(api.defineContract(counter), { count: 0n }, await settings())
  await deployed.send(keys)
  await devnode.mine(2)
  const instance = contracts.instance(api.defineContract(counter), deployed.genesis)
  const plan = await contracts.transaction([instance.call.increment({ step: 1n })], await settings())
  return { contracts, instance, plan, settings, keys }
}

const watchedQuery = (core: ChainCore): Observable<{ readonly error: unknown; readonly data?: unknown }> => {
  const environment = { scope: ['test'], isAvailable: true, toContext: () => ({}) }
  const query = { options: { queryKey: ['one'], queryFn: () => Promise.resolve(1) }, environment }
  return api.queries(partsOf(core)).watch(of(query)).state$
}

/** An address without UTXOs. */
const UNUSED = 'kaspasim:qq789twmfl0sntu57ry56llf9gux5lnse79pmpv3vwrtkff4c7cmz2unkm8aw'

const signer = { sign: () => Promise.resolve([]) }

/** Calls whose code is loaded on demand. The engine is connected, unless the call does it. */
const covered = new Set<string>()

const CALLS: Readonly<Record<string, (network: Network) => Promise<unknown>>> = {
  connect: ({ engine }) => engine.connection.connect(),
  getInfo: ({ engine }) => engine.rpc.getInfo(),
  getUtxosByAddresses: ({ engine, address }) => engine.rpc.getUtxosByAddresses([address]),
  subscribeBlockAdded: ({ engine }) => engine.rpc.subscribeBlockAdded(),
  'UTXO sets': ({ engine, address }) =>
    together(
      engine.utxos([address]).ready(),
      failureOf(engine.utxos([address]).state$),
      failureOf(engine.balances$([address])),
    ),
  send: (network) => pay(network),
  'send with a signer': (network) => pay(network, { privateKeys: undefined, signer }),
  'send with an ECDSA input': async (network) => {
    const [entry] = await whole(() => network.engine.rpc.getUtxosByAddresses([network.address]))
    const scriptPublicKey = { version: 0, script: `2102${'11'.repeat(32)}ab` }
    return pay(network, { entries: [{ ...entry!, scriptPublicKey }] })
  },
  'send with waitForFunds': (network) => pay(network, {}, { waitForFunds: 1_000 }),
  'send within the limits of a signer': (network) =>
    pay(network, { privateKeys: undefined, signer: { ...signer, limits: { maxInputs: 3 } } }),
  'create for an account of several signers': async ({ engine, address }) => {
    const outputs = [{ address, amount: 100_000_000n }]
    return engine.transactions.create({ entries: [], outputs, account: {} as never })
  },
  restore: async (network) => network.engine.transactions.restore(await signed(network)),
  'restore of a payment of several signers': async (network) => {
    const payment = parsePayment(await signed(network), 'simnet')
    // its redeem script is looked for in the signature script
    const scriptPublicKey = { version: 0, script: `aa20${'11'.repeat(32)}87` }
    const spent = payment.spent.map((output) => ({ ...output, scriptPublicKey }))
    return network.engine.transactions.restore(serializePayment({ ...payment, spent }))
  },
  transactionStatus$: ({ engine }) => failureOf(engine.transactionStatus$('no id')), // refused once it is loaded
  diagnose: ({ engine }) => {
    const { isMissing } = failing
    failing.isMissing = (module) => module.includes('diagnos') && isMissing(module) // others are checks of the report
    return engine.diagnose().finally(() => (failing.isMissing = isMissing))
  },
  init: ({ engine }) => engine.wasm.init(),
  'init of the WASM SDK': ({ devnode }) => {
    const { ports: _, ...options } = devnode.engineOptions
    return api.createChainEngine(options).wasm.init()
  },
  'connect with JSON': ({ devnode }) => {
    const { engineOptions, urls } = devnode
    const options = { ...engineOptions, url: urls.json, encoding: 'SerdeJson' as const, reconnect: false as const }
    return api.createChainEngine(options).connection.connect()
  },
  'connect over a socket': () =>
    api.createChainEngine({ network: 'simnet', url: 'ws://127.0.0.1:1', reconnect: false }).connection.connect(),
  'query of the node': ({ core }) => failureOf(watchedQuery(core)),
  loadVerification: ({ engine }) => engine.keys.loadVerification(),
  fromExtendedPublicKey: ({ engine }) => engine.accounts.fromExtendedPublicKey(''),
  verifySignInMessage: () =>
    api.verifySignInMessage({
      message: '',
      signature: '',
      domain: 'app.example',
      network: 'simnet',
      consumeNonce: () => Promise.resolve(true),
    }),
  followChain: ({ engine }) => engine.followChain().next(),
  'followChain with the details of contracts': async ({ devnode, engine }) => {
    const batches = engine.followChain({ detail: 'contracts' })
    await whole(() => batches.next())
    await devnode.mine(3)
    return batches.next()
  },
  'create of a payment request': ({ engine }) =>
    engine.requests.create({ amount: 100_000_000n, address: UNUSED, expiresIn: 60_000 }),
  followTransfers: ({ engine, address }) => engine.followTransfers({ addresses: [address] }).next(),
  transferHistory: ({ core, address }) => failureOf(api.feature(core, api.transferHistory)(of([address])).state$),
  'connect of a wallet': ({ engine }) => engine.wallet.connect('walletA'),
  'sendKaspa of a wallet': ({ engine, address }) => engine.wallet.sendKaspa(address, 100_000_000n),
  'transaction of contracts': async ({ devnode, engine }) => {
    const { address } = devnode.accounts[0]!
    const entries = await whole(() => engine.rpc.getUtxosByAddresses([address]))
    const contracts = api.createContracts({ engine })
    return contracts.deploy(api.defineContract(counter), { count: 0n }, { entries, changeAddress: address })
  },
  'restore of a call': async (network) => {
    const { contracts, plan } = await whole(() => counted(network))
    return contracts.restore(plan.transactions[0]!.serialize())
  },
  'view$ of a contract': async (network) => {
    const { instance } = await whole(() => counted(network))
    return failureOf(
      instance.view$.pipe(map(({ error, isLive }) => ({ error, freshness: isLive ? 'fresh' : 'stale' }))),
    )
  },
  submitTransaction: ({ engine }) => engine.rpc.submitTransaction(RELAYABLE),
  getBlockDag: ({ engine }) => engine.rest.getBlockDag(),
  'submitTransaction of the indexer': ({ engine }) =>
    engine.rest.submitTransaction({ version: 0, inputs: [], outputs: [] }),
}

/**
 * The outcome that the error of a submission has: a new payment is unsent, what was signed before may have been sent.
 */
const OUTCOMES: Readonly<Record<string, Streams.SubmissionOutcome>> = {
  send: 'unsent',
  'send with a signer': 'unsent',
  'send with an ECDSA input': 'unsent',
  'send with waitForFunds': 'unsent',
  'send within the limits of a signer': 'unsent',
  'sendKaspa of a wallet': 'unsent',
  submitTransaction: 'unknown',
  'submitTransaction of the indexer': 'unknown',
}

it.each(Object.entries(CALLS))(
  '%s rejects with code-not-loaded for each missing part, and loads it the next time',
  async (name, call) => {
    const devnode = api.createMemoryDevnode({ blockInterval: 0, accounts: 2 })
    const options = { ...devnode.engineOptions, reconnect: false as const, sdk: api.light }
    const engine = api.createChainEngine(options)
    const core = api.createCore(options)
    const network = { devnode, engine, core, address: devnode.accounts[0]!.address }
    const loaded = new Set<string>()
    const run = async (): Promise<unknown> =>
      call(network).then(
        () => undefined,
        (error: unknown) => error,
      )
    if (name !== 'connect' && name !== 'init') await Promise.all([engine.connection.connect(), engine.wasm.init()])
    failing.isMissing = (module) => !loaded.has(module)
    try {
      for (;;) {
        failing.refused = []
        const error = await run()
        if (failing.refused.length === 0) break
        const part = failing.refused[0]!
        const { code, outcome } = error as Streams.ChainError
        expect({ part, code, outcome }).toEqual({ part, code: 'code-not-loaded', outcome: OUTCOMES[name] })
        for (const module of failing.refused) loaded.add(module)
      }
      expect([...loaded]).not.toEqual([])
      for (const module of loaded) covered.add(module)
    } finally {
      failing.isMissing = () => false
      await Promise.all([engine.dispose(), core.dispose()])
      await devnode.close()
    }
  },
)

it('leaves the outcome of a call unknown where the search for another spender is missing, and searches the next time', async () => {
  const devnode = api.createMemoryDevnode({ blockInterval: 0, accounts: 2 })
  const options = { ...devnode.engineOptions, reconnect: false as const, sdk: api.light }
  const [engine, core] = [api.createChainEngine(options), api.createCore(options)]
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const { instance, plan, settings, keys } = await counted({ devnode, engine, core, address: '' })
  const elsewhere = api.createContracts({ engine })
  const there = elsewhere.instance(instance.contract, instance.genesis)
  const other = await elsewhere.transaction([there.call.increment({ step: 2n })], await settings())
  await plan.send(keys)
  failing.isMissing = (module) => module.endsWith('contracts/recovery')
  await expect(other.send(keys)).rejects.toMatchObject({ outcome: 'unknown', reason: 'double-spend' })
  failing.isMissing = () => false
  const [{ id: spentBy }, again] = [plan.transactions[0]!, other.transactions[0]!]
  await expect(again.submit()).rejects.toMatchObject({ code: 'contract-moved', spentBy })
  await Promise.all([engine.dispose(), core.dispose()])
  await devnode.close()
})

/** Parts of streams that never error: a failed load is retried, or logged. */
const RETRIED = [
  'engine/claims/open-tab-claims', // with the next payment: until then the tab reserves for itself
  'engine/last-state/last-states', // a warning: the state is that of the node
  'engine/last-state/forget', // with the next call; Node shares nothing
  'engine/shared-connection/open-shared-port', // at the next dial; Node has no shared workers
  'engine/features/unconfirmed', // a warning: the reservation of a followed payment
  'streams/acceptance/resumed-batches', // at the next session
  'streams/acceptance/senders',
  'sdk/wasm/locate', // a check of the diagnosis
  'engine/seen-payments', // at the next interrupted payment: until then it stays listed
]

it('has a call for every part', () => {
  const own = [...failing.sites].filter((site) => !site.startsWith('feed/') && !site.startsWith('cli/'))
  expect([...covered, ...RETRIED].sort()).toEqual(own.sort())
})
