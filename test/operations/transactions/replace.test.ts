import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { isInsufficientFunds } from '../../../src/errors/insufficient-funds.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { NOW, ask, createLedgerWorld } from './ledger-world.js'
import { KAS, alice, bob, carol } from './people.js'
import { losing, refusing } from './world.js'

let sdk: SdkPort
let ledger: Ledger
let entries: readonly UtxoEntry[]

beforeAll(async () => {
  sdk = await loadSdk()
})

/** A network on which Alice has three coins. */
beforeEach(() => {
  const amounts = [30n * KAS, 7n * KAS, 4n * KAS]
  ledger = createLedger({ genesisCoins: amounts.map((amount) => ({ address: alice.address, amount })) })
  entries = ask(ledger, 'getUtxosByAddresses', { addresses: [alice.address] }).entries
})

const paying = (amount: bigint, more: object = {}) => ({
  entries,
  outputs: [{ address: bob.address, amount }],
  changeAddress: alice.address,
  privateKeys: [alice.privateKey],
  ...more,
})

/** What the network holds in its mempool, by id. */
const waiting = (): Map<string, bigint> => {
  const { mempoolEntries } = ask(ledger, 'getMempoolEntries', {
    includeOrphanPool: false,
    filterTransactionPool: false,
  })
  return new Map(mempoolEntries.map(({ transaction, fee }) => [transaction.verboseData?.transactionId ?? '', fee]))
}

describe('a payment that takes the place of another', () => {
  it('pays one sompi more for the same, by itself, and all of it from the same coins', async () => {
    const world = createLedgerWorld(ledger, sdk)
    const { send } = createTransactions(world)
    const first = await send(paying(5n * KAS))
    const second = await send(paying(5n * KAS, { replaces: first.summary.finalTransactionId }))
    expect(waiting()).toEqual(new Map([[second.transactionIds[0], first.summary.fees + 1n]]))
    expect(world.replacements).toEqual(new Map([[first.transactionIds[0], second.transactionIds[0]]]))
    expect(world.calls.at(-1)).toBe('submitTransactionReplacement')
  })

  it('pays the rate that is asked for, if that is more', async () => {
    const { send, estimate } = createTransactions(createLedgerWorld(ledger, sdk))
    const { transactionIds } = await send(paying(5n * KAS))
    const settings = paying(5n * KAS, { replaces: transactionIds[0], feeRate: 250 })
    const { fees, mass } = await estimate(settings)
    expect(fees).toBe(250n * mass)
    expect((await send(settings)).summary.fees).toBe(fees)
  })

  it('may pay somebody else, and something else', async () => {
    const { send } = createTransactions(createLedgerWorld(ledger, sdk))
    const { transactionIds } = await send(paying(5n * KAS))
    const outputs = [{ address: carol.address, amount: 6n * KAS }]
    await send(paying(0n, { replaces: transactionIds[0], outputs, payload: 'c0ffee' }))
    ledger.mine({ now: NOW, count: 2 })
    const balance = (address: string) => ask(ledger, 'getBalanceByAddress', { address }).balance
    expect([balance(bob.address), balance(carol.address)]).toEqual([0n, 6n * KAS])
  })

  it('calls the other off where it pays nobody: its coins go back, and no other coin is touched', async () => {
    const { send, create } = createTransactions(createLedgerWorld(ledger, sdk))
    const { transactionIds } = await send(paying(5n * KAS))
    const settings = paying(0n, { replaces: transactionIds[0], outputs: undefined })
    const { transactions } = await create(settings)
    expect(transactions.map((each) => each.serialize().inputs.length)).toEqual([1])
    await send(settings)
    ledger.mine({ now: NOW, count: 2 })
    expect(ask(ledger, 'getBalanceByAddress', { address: bob.address }).balance).toBe(0n)
    expect(ask(ledger, 'getUtxosByAddresses', { addresses: [alice.address] }).entries).toHaveLength(3)
  })

  it('takes further coins where those of the other do not do', async () => {
    const { send, create } = createTransactions(createLedgerWorld(ledger, sdk))
    const { transactionIds } = await send(paying(6n * KAS))
    const [larger] = (await create(paying(8n * KAS, { replaces: transactionIds[0] }))).transactions
    expect(larger?.serialize().inputs).toHaveLength(2)
    const { transactionIds: ids } = await send(paying(8n * KAS, { replaces: transactionIds[0] }))
    expect([...waiting().keys()]).toEqual(ids)
  })

  it('can itself be replaced, time and again', async () => {
    const { send } = createTransactions(createLedgerWorld(ledger, sdk))
    let { transactionIds } = await send(paying(5n * KAS))
    for (let times = 1; times <= 5; times++) {
      const next = await send(paying(5n * KAS, { replaces: transactionIds[0] }))
      expect(next.summary.fees).toBe(203_600n + BigInt(times))
      ;({ transactionIds } = next)
    }
    expect([...waiting().keys()]).toEqual(transactionIds)
  })

  it('outbids a storage mass as well: small change counts for more than its bytes', async () => {
    const { send } = createTransactions(createLedgerWorld(ledger, sdk))
    const first = await send(paying(5n * KAS, { feeRate: 1000 }))
    const tiny = await send(paying(KAS / 25n, { replaces: first.transactionIds[0] }))
    expect(tiny.summary.fees).toBeGreaterThan(1000n * tiny.summary.mass)
    expect([...waiting().keys()]).toEqual(tiny.transactionIds)
  })

  it('knows the coins of one that spends what is in the mempool itself', async () => {
    const { send } = createTransactions(createLedgerWorld(ledger, sdk))
    const first = await send(paying(20n * KAS))
    const received: UtxoEntry = {
      ...(entries[0] ?? never()),
      address: bob.address,
      outpoint: { transactionId: first.transactionIds[0] ?? '', index: 0 },
      amount: 20n * KAS,
      scriptPublicKey:
        ask(ledger, 'getMempoolEntry', entryOf(first.transactionIds[0])).mempoolEntry.transaction.outputs[0]
          ?.scriptPublicKey ?? never(),
    }
    const onward = { outputs: [{ address: carol.address, amount: KAS }], changeAddress: bob.address }
    const chained = await send(paying(0n, { ...onward, entries: [received], privateKeys: [bob.privateKey] }))
    const again = { ...onward, entries: [], privateKeys: [bob.privateKey], replaces: chained.transactionIds[0] }
    const second = await send(paying(0n, again))
    expect([...waiting().keys()].sort()).toEqual([...first.transactionIds, ...second.transactionIds].sort())
  })
})

describe('a replacement that cannot be', () => {
  it.each<[string, object, string, string]>([
    ['of no id', { replaces: 'abc' }, 'replaces', '"replaces" is no transaction id'],
    [
      'of what does not wait',
      { replaces: 'ab'.repeat(32) },
      'replaces',
      `The transaction ${'ab'.repeat(32)} does not wait in the mempool`,
    ],
  ])('%s is refused, and nothing is held', async (_, more, argument, message) => {
    const world = createLedgerWorld(ledger, sdk)
    expect(await failure(createTransactions(world).send(paying(KAS, more)))).toMatchObject({
      code: 'invalid-argument',
      argument,
      message,
    })
    expect(world.held.size).toBe(0)
  })

  it('is told which rate is too low', async () => {
    const { send } = createTransactions(createLedgerWorld(ledger, sdk))
    const { transactionIds } = await send(paying(5n * KAS, { feeRate: 300 }))
    const attempt = send(paying(5n * KAS, { feeRate: 300, replaces: transactionIds[0] }))
    expect(await failure(attempt)).toMatchObject({
      code: 'invalid-argument',
      argument: 'feeRate',
      message: '"feeRate" must be above 300 sompi per gram, which the transaction to be replaced pays',
    })
    expect([...waiting().keys()]).toEqual(transactionIds)
  })

  it('is told of a coin that is not among the entries', async () => {
    const { send } = createTransactions(createLedgerWorld(ledger, sdk))
    const { transactionIds } = await send(paying(5n * KAS))
    expect(await failure(send(paying(5n * KAS, { entries: [], replaces: transactionIds[0] })))).toMatchObject({
      code: 'invalid-argument',
      argument: 'entries',
    })
  })

  it('is told the sums where all coins together do not outbid', async () => {
    const { send } = createTransactions(createLedgerWorld(ledger, sdk))
    const { transactionIds } = await send(paying(5n * KAS))
    const error = await failure(send(paying(41n * KAS, { replaces: transactionIds[0] })))
    if (!isInsufficientFunds(error)) throw error
    expect(error.spendable).toBe(41n * KAS)
    expect(error.required).toBeGreaterThan(41n * KAS)
  })

  it('does not believe a node that shows another transaction', async () => {
    const world = createLedgerWorld(ledger, sdk)
    const [first, other] = [
      await createTransactions(world).send(paying(3n * KAS)),
      await createTransactions(world).send(paying(5n * KAS)),
    ]
    const lying = createLedgerWorld(ledger, sdk, {
      getMempoolEntry: () => ask(ledger, 'getMempoolEntry', entryOf(other.transactionIds[0])),
    })
    const attempt = createTransactions(lying).send(paying(3n * KAS, { replaces: first.transactionIds[0] }))
    expect(await failure(attempt)).toMatchObject({ code: 'invalid-data' })
  })
})

describe('a replacement that the node refuses', () => {
  it('gives back the coins that it took beyond those of the other, which stay with the other', async () => {
    const words =
      'Rejected transaction ab: replace by fee found more than one double spending transaction in the mempool'
    const world = createLedgerWorld(ledger, sdk, {
      submitTransactionReplacement: refusing('submitTransactionReplacement', words),
    })
    const { send } = createTransactions(world)
    const { transactionIds } = await send(paying(6n * KAS))
    expect(await failure(send(paying(8n * KAS, { replaces: transactionIds[0] })))).toMatchObject({
      method: 'submitTransactionReplacement',
      reason: 'double-spend',
    })
    expect(world.held.size).toBe(1)
    expect(world.replacements.size).toBe(0)
  })

  it('is settled by looking for it where the answer is lost', async () => {
    const world = createLedgerWorld(ledger, sdk, {
      submitTransactionReplacement: (request) => {
        ask(ledger, 'submitTransactionReplacement', request)
        return losing('submitTransactionReplacement')()
      },
    })
    const { send } = createTransactions(world)
    const first = await send(paying(5n * KAS))
    const second = await send(paying(5n * KAS, { replaces: first.transactionIds[0] }))
    expect([...waiting().keys()]).toEqual(second.transactionIds)
    expect(world.replacements).toEqual(new Map([[first.transactionIds[0], second.transactionIds[0]]]))
  })
})

const entryOf = (transactionId = '') => ({ transactionId, includeOrphanPool: false, filterTransactionPool: false })

function never(): never {
  throw new Error('there is one')
}
