import { describe, expect, it } from 'vitest'
import { createDevnode, type DevnodeAccount } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { outcomeOf } from '../../src/errors/with-outcome.js'
import type { PendingTx } from '../../src/operations/transactions/records.js'
import { light } from '../../src/sdk/light/light.js'
import { eachFile } from '../lifetimes.js'
import { LIMIT } from '../limits.js'

const KAS = 100_000_000n
const AMOUNT = 7n * KAS
const REFUSAL = 'transaction could not be added to the mempool because it is refused here'

let next = 0

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 80, balance: 0n }))

/** What happens to the next POST of a transaction, between client and indexer. */
type Gateway = (toServer: () => Promise<Response>) => Promise<Response>

/** A process with a payment that it has signed, and the functions of the test. */
interface Bench {
  readonly engine: ChainEngine
  readonly payment: PendingTx
  readonly settings: Parameters<ChainEngine['transactions']['send']>[0]
  /** Of the next submission to the indexer. */
  gateway: Gateway
}

/** How a transaction is submitted; resolves to the outcome. */
type Path = (bench: Bench) => Promise<unknown>

const outcomeBy = async (submission: Promise<unknown>): Promise<unknown> => {
  try {
    const result = await submission
    return (result as { readonly outcome?: unknown }).outcome ?? 'relayed'
  } catch (error) {
    return outcomeOf(error)
  }
}

const NODE_PATHS: Readonly<Record<string, Path>> = {
  send: ({ engine, settings }) => outcomeBy(engine.transactions.send(settings)),
  submit: ({ payment }) => outcomeBy(payment.submit()),
  restore: async ({ engine, payment }) => outcomeBy((await engine.transactions.restore(payment.serialize())).submit()),
  'rpc.submitTransaction': ({ engine, payment }) => outcomeBy(engine.rpc.submitTransaction(payment.serialize())),
}
const rest: Path = ({ engine, payment }) => outcomeBy(engine.rest.submitTransaction(payment.serialize()))

async function open(requestTimeout = LIMIT): Promise<{ readonly bench: Bench; readonly to: DevnodeAccount }> {
  const [from, to] = devnode.accounts.slice(next, (next += 2))
  if (from === undefined || to === undefined) throw new Error('Make more accounts')
  await devnode.fund(from.address, 50n * KAS)
  const opened: { bench?: Bench } = {}
  const fetcher: typeof fetch = (input, init) => {
    const toServer = () => fetch(input, init)
    return init?.method === 'POST' && opened.bench !== undefined ? opened.bench.gateway(toServer) : toServer()
  }
  const engine = createChainEngine({
    network: 'simnet',
    url: devnode.urls.borsh,
    rest: { baseUrl: devnode.urls.rest, fetcher, retries: 0 },
    sdk: light,
    requestTimeout,
  })
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const settings = {
    entries: await engine.rpc.getUtxosByAddresses([from.address]),
    outputs: [{ address: to.address, amount: AMOUNT }],
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  }
  const [payment] = (await engine.transactions.create(settings)).transactions
  if (payment === undefined) throw new Error('There is a payment')
  await payment.signAsync(settings.privateKeys)
  opened.bench = { engine, payment, settings, gateway: (toServer) => toServer() }
  return { bench: opened.bench, to }
}

/**
 * Submits the same signed transaction again until it is relayed, and expects the recipient to have received the amount
 * once.
 */
async function expectPaidOnce({ engine, payment }: Bench, to: DevnodeAccount): Promise<void> {
  await engine.connection.connect()
  const again = await engine.transactions.restore(payment.serialize())
  // a dropped connection may be noticed by a call only
  await expect.poll(() => outcomeBy(again.submit())).toBe('relayed')
  await devnode.mine(4)
  const { balance } = await engine.rpc.getBalanceByAddress(to.address)
  expect(balance).toBe(AMOUNT)
  await engine.dispose()
}

interface Step {
  readonly step: string
  readonly inject: () => unknown
  /** The outcome, by path where paths differ; `relayed` where a look-up finds what got no reply. */
  readonly outcome: Readonly<Record<string, string>> | string
  readonly requestTimeout?: number
}

const STEPS: readonly Step[] = [
  {
    step: 'the node replies with a timeout of its own',
    inject: () => devnode.faults.failCall({ method: 'submitTransaction', error: 'timeout' }),
    outcome: 'unknown',
  },
  {
    step: 'the node replies without data',
    inject: () => devnode.faults.failCall({ method: 'submitTransaction', error: 'no-data' }),
    outcome: 'unknown',
  },
  {
    step: 'the reply is lost, and the node has taken it',
    inject: () => devnode.faults.dropReply({ method: 'submitTransaction' }),
    outcome: { send: 'relayed', submit: 'relayed', restore: 'relayed', 'rpc.submitTransaction': 'unknown' },
    requestTimeout: 2_000, // nothing else ends the call
  },
  {
    step: 'it is refused without being relayed',
    inject: () => devnode.faults.failCall({ method: 'submitTransaction', message: REFUSAL }),
    outcome: 'unknown',
  },
]

describe.each(Object.entries(NODE_PATHS))('%s', (path, submit) => {
  it.each(STEPS)('is paid once, and never unsent, where $step', async ({ inject, outcome, requestTimeout }) => {
    const { bench, to } = await open(requestTimeout)
    inject()
    expect(await submit(bench)).toBe(typeof outcome === 'string' ? outcome : outcome[path])
    await expectPaidOnce(bench, to)
  })

  it('is paid once where the connection ends between its arrival and the reply', async () => {
    const { bench, to } = await open()
    devnode.faults.dropReply({ method: 'submitTransaction' })
    const outcome = submit(bench)
    await expect.poll(() => devnode.expected.mempool()).toContain(bench.payment.id)
    devnode.faults.drop({ how: 'reset' })
    expect(await outcome).toBe(path === 'rpc.submitTransaction' ? 'unknown' : 'relayed')
    await expectPaidOnce(bench, to)
  })

  it('is paid once where the connection ends before it is sent', async () => {
    const { bench, to } = await open()
    await bench.engine.connection.disconnect()
    expect(await submit(bench)).toBe(['send', 'submit'].includes(path) ? 'unsent' : 'unknown')
    await expectPaidOnce(bench, to)
  })

  it('is paid once where the node loses it after its reply, before a block has it', async () => {
    const { bench, to } = await open()
    expect(await submit(bench)).toBe('relayed')
    await devnode.restart()
    await expectPaidOnce(bench, to)
  })
})

describe('rest.submitTransaction', () => {
  const refused = (words: string) => Response.json({ error: `Rejected transaction ab: ${words}` }, { status: 400 })

  it.each<[string, Gateway, string]>([
    ['is unreachable', () => Promise.reject(new TypeError('fetch failed')), 'unknown'],
    [
      'loses the reply',
      async (toServer) => {
        await toServer()
        throw new TypeError('fetch failed')
      },
      'unknown',
    ],
    [
      'relays and refuses',
      async (toServer) => {
        await toServer()
        return refused(REFUSAL)
      },
      'unknown',
    ],
    [
      'repeats, and another node refuses the second one',
      async (toServer) => {
        await toServer()
        return refused('transaction ab is an orphan where orphan is disallowed')
      },
      'unknown',
    ],
    [
      'repeats, and replies with what the same node says to the second one',
      async (toServer) => {
        await toServer()
        return toServer()
      },
      'relayed',
    ],
    ['refuses without relaying', () => Promise.resolve(refused(REFUSAL)), 'unknown'],
  ])('is paid once, and never unsent, through a gateway that %s', async (_, gateway, outcome) => {
    const { bench, to } = await open()
    bench.gateway = gateway
    expect(await rest(bench)).toBe(outcome)
    await expectPaidOnce(bench, to)
  })

  it('is unknown to all other paths once it was sent by it', async () => {
    const { bench, to } = await open()
    bench.gateway = () => Promise.resolve(refused(REFUSAL))
    expect(await rest(bench)).toBe('unknown')
    await bench.engine.connection.disconnect()
    expect(await NODE_PATHS.submit!(bench)).toBe('unknown')
    await expectPaidOnce(bench, to)
  })
})
