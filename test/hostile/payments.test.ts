import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../src/devnode/ledger/ledger.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { ChainCryptoError } from '../../src/errors/crypto-error.js'
import { isFeeTooHigh } from '../../src/errors/payment-errors.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { commitAmounts } from '../../src/model/amount-commitment.js'
import { toTransaction, type SerializedTransaction } from '../../src/model/serialized-transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { PendingTx } from '../../src/operations/transactions/records.js'
import type { SignedAmountsStore } from '../../src/operations/transactions/sign/signed-amounts.js'
import { createTransactions } from '../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../src/sdk/port.js'
import { loadSdk } from '../../src/sdk/wasm/load.js'
import { KAS, alice, bob, carol, scriptAddress, utxo, utxos } from '../operations/transactions/accounts.js'
import { NOW, ledgerResponders, queryLedger } from '../operations/transactions/ledger-dependencies.js'
import { createScriptedDependencies } from '../operations/transactions/scripted-dependencies.js'
import { ENCODINGS, startWireNode, type WireResponders } from '../wire-node.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

const MEMPOOL = { includeOrphanPool: false, filterTransactionPool: false }

/** The attacker's script at the victim's address. */
const planted = (amount: bigint, number: number): UtxoEntry => ({
  ...utxo(amount, number),
  scriptPublicKey: toScriptPublicKey(carol.address),
})

const thrownBy = (attempt: () => unknown): unknown => {
  try {
    return attempt()
  } catch (error) {
    return error
  }
}

describe('M1 an entry whose script is not that of its address', () => {
  const own = utxos(Array.from({ length: 100 }, () => KAS))
  const payment = { outputs: [{ address: bob.address, amount: 95n * KAS }], changeAddress: alice.address }

  it('is left out of a payment, which it does not block, and is reported to the logger', async () => {
    const deps = createScriptedDependencies(sdk)
    const entries = [planted(8_800n * KAS, 200), ...own]
    const { transactions, summary } = await createTransactions(deps).create({ ...payment, entries })
    expect(summary.transactions).toBe(2)
    for (const transaction of transactions) transaction.sign([alice.privateKey])
    const scripts = transactions.flatMap((each) =>
      each.serialize().outputs.map(({ scriptPublicKey }) => scriptPublicKey),
    )
    expect(scripts).not.toContainEqual(toScriptPublicKey(carol.address))
    expect(deps.warnings).toEqual([
      [
        'UTXO entries are left out: their script is not that of their address',
        { count: 1, outpoints: [expect.stringContaining(planted(KAS, 200).outpoint.transactionId)] },
      ],
    ])
  })

  it.each([
    ['the script of another address', planted(50n * KAS, 0)],
    ['no script', { ...utxo(50n * KAS), scriptPublicKey: { version: 0, script: '' } }],
    ['another script version', { ...utxo(50n * KAS), scriptPublicKey: { ...utxo(KAS).scriptPublicKey, version: 1 } }],
    ['an address with a wrong checksum', { ...utxo(50n * KAS), address: alice.address.replace(/.$/, 'q') }],
  ])('is not spent: %s', async (_, entry) => {
    const { estimate } = createTransactions(createScriptedDependencies(sdk))
    const settings = {
      entries: [entry],
      outputs: [{ address: bob.address, amount: KAS }],
      changeAddress: alice.address,
    }
    await expect(estimate(settings)).rejects.toMatchObject({
      code: 'insufficient-funds',
      spendable: 0n,
      invalid: 50n * KAS,
      hint: '50 KAS are in entries whose script is not that of their address.',
    })
  })

  it('does not replace a valid entry of the same outpoint', async () => {
    const { estimate } = createTransactions(createScriptedDependencies(sdk))
    const entries = [utxo(20n * KAS), planted(20n * KAS, 0)]
    const settings = { entries, outputs: [{ address: bob.address, amount: KAS }], changeAddress: alice.address }
    await expect(estimate(settings)).resolves.toMatchObject({ transactions: 1 })
  })
})

describe('M1 an entry without address', () => {
  const payFrom = (address: string) => {
    const { address: _, ...entry } = utxo(50n * KAS, 0, { address })
    const outputs = [{ address: bob.address, amount: KAS }]
    return createTransactions(createScriptedDependencies(sdk)).create({
      entries: [entry],
      outputs,
      changeAddress: alice.address,
    })
  }

  it.each([
    ['P2PK', alice.address],
    ['P2PK-ECDSA', alice.ecdsaAddress],
  ])('is spent if its script class is %s', async (_, address) => {
    const { transactions } = await payFrom(address)
    transactions[0]?.sign([alice.privateKey])
    expect(transactions[0]?.addresses()).toEqual([address])
  })

  it('is not spent if its script class is P2SH', async () => {
    await expect(payFrom(scriptAddress)).rejects.toMatchObject({ code: 'insufficient-funds', spendable: 0n })
  })
})

describe('M1 compounding', () => {
  const fromBoth = (carols: bigint) => {
    const foreign = utxo(carols, 100, { address: carol.address })
    const { address: _, ...entry } = foreign
    return createTransactions(createScriptedDependencies(sdk)).create({
      entries: [entry, ...utxos(Array.from({ length: 100 }, () => KAS))],
      outputs: [{ address: bob.address, amount: carols + 95n * KAS }],
      changeAddress: scriptAddress,
    })
  }

  it('pays intermediate outputs to the script of an entry that it spends, never to changeAddress', async () => {
    const entries = utxos(Array.from({ length: 200 }, () => KAS))
    const outputs = [{ address: bob.address, amount: 190n * KAS }]
    const { create } = createTransactions(createScriptedDependencies(sdk))
    const { transactions } = await create({ entries, outputs, changeAddress: scriptAddress })
    const intermediate = transactions.slice(0, -1).flatMap((each) => each.serialize().outputs)
    expect(intermediate.length).toBeGreaterThan(1)
    for (const { scriptPublicKey } of intermediate) expect(scriptPublicKey).toEqual(toScriptPublicKey(alice.address))
  })

  it('signs nothing where an entry without address belongs to somebody else', async () => {
    const { transactions } = await fromBoth(100n * KAS)
    expect(transactions.length).toBeGreaterThan(1)
    for (const transaction of transactions) {
      const error = thrownBy(() => transaction.sign([alice.privateKey]))
      expect(error).toBeInstanceOf(ChainCryptoError)
      expect(error).toMatchObject({ operation: 'sign', code: 'key-mismatch' })
      expect(
        transaction
          .serialize()
          .inputs.map(({ signatureScript }) => signatureScript)
          .join(''),
      ).toBe('')
    }
  })
})

describe.each(ENCODINGS)('from a hostile node in %s', (encoding) => {
  const opened: { readonly dispose: () => Promise<void>; readonly close: () => Promise<void> }[] = []

  afterEach(async () => {
    for (const { dispose, close } of opened.splice(0)) await dispose().then(close)
  })

  /** An engine on a node that lies, and Alice's payment of 5 KAS from one UTXO of 50 KAS. */
  async function openPayer(
    lies: WireResponders,
    {
      ledger = createLedger({ genesisUtxos: [{ address: alice.address, amount: 50n * KAS }] }),
      signedAmounts,
    }: { readonly ledger?: Ledger; readonly signedAmounts?: SignedAmountsStore | undefined } = {},
  ) {
    const node = await startWireNode(encoding, { ...ledgerResponders(ledger), ...lies })
    const warnings: [string, object | undefined][] = []
    const silent = (): void => undefined
    const logger = {
      ...{ debug: silent, info: silent, error: silent },
      warn: (message: string, fields?: object) => void warnings.push([message, fields]),
    }
    const engine = createChainEngine({ network: 'simnet', url: node.url(), encoding, logger, signedAmounts })
    opened.push({ dispose: () => engine.dispose(), close: () => node.close() })
    await Promise.all([engine.connection.connect(), engine.wasm.init()])
    const { entries } = queryLedger(ledger, 'getUtxosByAddresses', { addresses: [alice.address] })
    const payment = {
      entries,
      outputs: [{ address: bob.address, amount: 5n * KAS }],
      changeAddress: alice.address,
      privateKeys: [alice.privateKey],
    }
    return { engine, ledger, payment, warnings }
  }

  /** What the signed transactions of a payment spend, and the scripts of the outputs of all but the last. */
  function signAndSerialize(transactions: readonly PendingTx[]) {
    const created = new Set(transactions.map(({ id }) => id))
    for (const transaction of transactions) transaction.sign([alice.privateKey])
    const serialized = transactions.map((transaction) => transaction.serialize())
    const inputs = serialized.flatMap((each) => each.inputs)
    return {
      spent: inputs.map(({ previousOutpoint }) => previousOutpoint.transactionId).filter((id) => !created.has(id)),
      unsigned: inputs.filter(({ signatureScript }) => signatureScript === ''),
      compounded: serialized.slice(0, -1).flatMap(({ outputs }) => outputs.map((output) => output.scriptPublicKey)),
    }
  }

  describe('M2 an entry whose script is not that of its address', () => {
    const own = utxos(Array.from({ length: 200 }, () => KAS))
    const entry = planted(8_799n * KAS, 900)
    const outputs = [{ address: bob.address, amount: 190n * KAS }]
    const ownIds = new Set(own.map(({ outpoint }) => outpoint.transactionId))

    it.each(['tracked', 'fetched'] as const)('is not spent and blocks nothing where entries are %s', async (source) => {
      const { engine, payment } = await openPayer({
        getUtxosByAddresses: () => ({ entries: [entry, ...own] }),
      })
      const { state$ } = engine.utxos([alice.address], { mempoolInterval: 0 })
      const entries =
        source === 'tracked'
          ? (await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))).matureEntries
          : await engine.rpc.getUtxosByAddresses([alice.address])
      const { transactions } = await engine.transactions.create({
        ...payment,
        entries: [...entries],
        outputs,
        changeAddress: scriptAddress,
      })
      const { spent, unsigned, compounded } = signAndSerialize(transactions)
      expect(entries).toHaveLength(200)
      expect(spent.filter((id) => !ownIds.has(id))).toEqual([])
      expect(spent.length).toBeGreaterThan(190)
      expect(unsigned).toEqual([])
      expect(compounded.length).toBeGreaterThan(1)
      for (const script of compounded) expect(script).toEqual(toScriptPublicKey(alice.address))
    })

    it('is not spent without its address either: its input cannot be signed', async () => {
      const { engine, payment } = await openPayer({})
      const { address: _, ...anonymous } = entry
      const { transactions } = await engine.transactions.create({
        ...payment,
        entries: [anonymous],
        outputs,
      })
      const error = thrownBy(() => transactions[0]?.sign([alice.privateKey]))
      expect(error).toMatchObject({ operation: 'sign', code: 'key-mismatch' })
      expect(transactions[0]?.serialize().inputs.map(({ signatureScript }) => signatureScript)).toEqual([''])
    })
  })

  describe('S2 an outpoint that a node reports for several addresses', () => {
    const accounts = [alice, bob, carol]
    const reported = accounts.map(({ address }) => utxo(10n * KAS, 1, { address }))
    const own = accounts.map(({ address }, number) => utxo(3n * KAS, 10 + number, { address }))
    const settings = {
      outputs: [{ address: scriptAddress, amount: 18n * KAS }],
      changeAddress: alice.address,
      privateKeys: accounts.map(({ privateKey }) => privateKey),
    }

    it('is one input of a payment, and counts once', async () => {
      const { engine } = await openPayer({
        getUtxosByAddresses: () => ({ entries: [...reported, ...own] }),
      })
      const { state$ } = engine.utxos(
        accounts.map(({ address }) => address),
        { mempoolInterval: 0 },
      )
      const { source, balance } = await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
      expect(balance.mature).toBe(19n * KAS)
      const { transactions } = await engine.transactions.create({ ...settings, entries: source })
      for (const transaction of transactions) transaction.sign(settings.privateKeys)
      const spent = transactions.flatMap((each) => each.serialize().inputs.map((input) => input.previousOutpoint))
      expect(spent).toHaveLength(4)
      expect(new Set(spent.map(toOutpointKey)).size).toBe(4)
      await expect(
        engine.transactions.create({
          ...settings,
          entries: source,
          outputs: [{ address: scriptAddress, amount: 25n * KAS }],
        }),
      ).rejects.toMatchObject({ code: 'insufficient-funds', spendable: 19n * KAS })
    })

    it('is not spent twice by the replacement of a mempool transaction that does', async () => {
      const [input] = reported
      const previousOutpoint = input?.outpoint ?? never()
      const twice = {
        version: 0,
        inputs: [1, 2].map(() => ({ previousOutpoint, signatureScript: '', sequence: 0n, sigOpCount: 1 })),
        outputs: [{ value: KAS, scriptPublicKey: toScriptPublicKey(carol.address) }],
        ...{ lockTime: 0n, subnetworkId: '00'.repeat(20), gas: 0n, payload: '', mass: 0n },
      }
      const { engine, payment } = await openPayer({
        getMempoolEntry: () => ({ mempoolEntry: { fee: 1n, isOrphan: false, transaction: twice } }),
      })
      const replacement = { ...payment, entries: [...reported.slice(0, 1), ...own], replaces: transactionId(twice) }
      for (const call of [engine.transactions.estimate, engine.transactions.create, engine.transactions.send]) {
        await expect(call(replacement)).rejects.toMatchObject({
          code: 'malformed',
          argument: 'entries',
          message: `The payment would spend ${previousOutpoint.transactionId}:${previousOutpoint.index} twice`,
        })
      }
    })
  })

  it('S3 leaves out what getUtxosByAddresses reports beyond the requested addresses', async () => {
    const mine = utxo(5n * KAS, 1)
    const bobs = utxo(50n * KAS, 2, { address: bob.address })
    const reported = [
      bobs,
      mine,
      planted(50n * KAS, 3),
      utxo(0n, 4),
      { ...utxo(5n * KAS, 5), address: bob.address },
      mine,
    ]
    const { engine, payment, warnings } = await openPayer({ getUtxosByAddresses: () => ({ entries: reported }) })
    const entries = await engine.rpc.getUtxosByAddresses([alice.address])
    expect(entries.map(({ outpoint }) => outpoint)).toEqual([mine.outpoint])
    const reasons = ['script', 'script', 'amount', 'script', 'script']
    const invalid = reported.filter((_, at) => at !== 1).map(({ outpoint }, at) => ({ outpoint, reason: reasons[at] }))
    expect(warnings).toEqual([
      ['The node reported UTXO entries that were not requested; they are left out', { count: 5, entries: invalid }],
    ])
    const { signal } = new AbortController()
    await expect(engine.rpc.getUtxosByAddresses([alice.address], { signal })).resolves.toEqual(entries)
    const outputs = [{ address: carol.address, amount: 6n * KAS }]
    await expect(engine.transactions.send({ ...payment, entries, outputs })).rejects.toMatchObject({
      code: 'insufficient-funds',
      spendable: 5n * KAS,
    })
  })

  it('M3 refuses a minimum fee rate a thousand times the known one', async () => {
    const rate = { feerate: 100_000, estimatedSeconds: 1 }
    const { engine, ledger, payment } = await openPayer({
      getFeeEstimate: () => ({ estimate: { priorityBucket: rate, normalBuckets: [rate], lowBuckets: [rate] } }),
    })
    const error: unknown = await engine.transactions.send(payment).catch((cause: unknown) => cause)
    if (!isFeeTooHigh(error)) throw new Error(String(error))
    const { fee, maxFee, nodeFeeRate, knownMinimum } = error
    expect({ fee, maxFee, nodeFeeRate, knownMinimum }).toEqual({
      fee: 203_600_000n,
      maxFee: KAS,
      nodeFeeRate: 100_000,
      knownMinimum: 100,
    })
    expect(error.toString()).toBe(
      'ChainError: The fees are 2.036 KAS, above the bound of 1 KAS\n' +
        'Hint: The node requires 100000 sompi per gram, the minimum of the network is 100. ' +
        'To pay that, set maxFee to 203600000n or more; or connect to another node.',
    )
    expect(queryLedger(ledger, 'getMempoolEntries', MEMPOOL).mempoolEntries).toEqual([])
  })

  it('M4 follows a payment by its own id, and reports another id to the logger', async () => {
    const reported = 'ee'.repeat(32)
    const { engine, payment, warnings } = await openPayer({ submitTransaction: () => ({ transactionId: reported }) })
    const { transactions } = await engine.transactions.create(payment)
    const [{ id } = { id: '' }] = transactions
    const sent = await engine.transactions.send(payment)
    expect(sent.transactionIds).toEqual([id])
    expect(sent.summary.finalTransactionId).toBe(id)
    expect(warnings).toEqual([
      ['The node replied to a submission with the id of another transaction', { transactionId: id, reported }],
    ])
  })

  it('M4 resolves a submission of the caller with its own id', async () => {
    const { engine, payment } = await openPayer({ submitTransaction: () => ({ transactionId: 'ee'.repeat(32) }) })
    const [transaction] = (await engine.transactions.create(payment)).transactions
    transaction?.sign(payment.privateKeys)
    const id = await engine.rpc.submitTransaction(transaction?.serialize() ?? never())
    expect(id).toBe(transaction?.id)
  })

  it('M6 rejects a balance that cannot exist', async () => {
    const { engine } = await openPayer({
      getBalanceByAddress: () => ({ balance: MAX_SOMPI + 1n }),
      getBalancesByAddresses: () => ({ entries: [{ address: alice.address, balance: 2n ** 64n - 1n }] }),
    })
    const { getBalanceByAddress, getBalancesByAddresses } = engine.rpc
    for (const query of [() => getBalanceByAddress(alice.address), () => getBalancesByAddresses([alice.address])])
      await expect(query()).rejects.toMatchObject({ code: 'malformed', details: 'An amount is out of range' })
  })

  describe('S1 two sets of amounts for the same outpoints', () => {
    const TRUE_AMOUNTS = [1_000n * KAS, 700n * KAS]
    const outputs = [{ address: bob.address, amount: 1_499n * KAS }]

    /**
     * Alice's payment of 1,499 KAS, by an engine of its own whose node reports `amounts` for two UTXOs of 1,700 KAS.
     */
    async function openLied(amounts: readonly bigint[], signedAmounts?: SignedAmountsStore) {
      const genesisUtxos = TRUE_AMOUNTS.map((amount) => ({ address: alice.address, amount }))
      const ledger = createLedger({ genesisUtxos })
      const { engine } = await openPayer({}, { ledger, signedAmounts })
      const { entries } = queryLedger(ledger, 'getUtxosByAddresses', { addresses: [alice.address] })
      const lied = entries.map((entry) => ({ ...entry, amount: amounts[TRUE_AMOUNTS.indexOf(entry.amount)] ?? 0n }))
      const settings = { entries: lied, outputs, changeAddress: alice.address }
      const create = async (more: { readonly commitAmounts?: boolean } = {}): Promise<PendingTx> =>
        (await engine.transactions.create({ ...settings, ...more })).transactions[0] ?? never()
      return { engine, ledger, settings, create }
    }
    const keys = [alice.privateKey]
    const submit = (ledger: Ledger, transaction: SerializedTransaction): string =>
      queryLedger(ledger, 'submitTransaction', { transaction: toTransaction(transaction), allowOrphan: false })
        .transactionId

    it('signs no two sets of amounts whose signatures can be combined, in two engines either', async () => {
      const [first, second] = [await openLied([1_000n * KAS, 500n * KAS]), await openLied([800n * KAS, 700n * KAS])]
      const signed = await Promise.all(
        [first, second].map(async ({ create }) => {
          const payment = await create()
          payment.sign(keys)
          return payment.serialize()
        }),
      )
      const [a = never(), b = never()] = signed
      expect(a.id).not.toBe(b.id)
      for (const [one, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const scripts = one.inputs.map((input, at) => [input, other.inputs[at] ?? never()] as const)
        for (const taken of [0, 1]) {
          const inputs = scripts.map(([own, foreign], at) => ({
            ...own,
            signatureScript: (at === taken ? foreign : own).signatureScript,
          }))
          expect(() => submit(first.ledger, { ...one, inputs })).toThrow(/signature/i)
        }
      }
    })

    it('commits to the amounts in every sequence, which is accepted with the true amounts', async () => {
      const { ledger, create } = await openLied(TRUE_AMOUNTS)
      const payment = await create()
      payment.sign(keys)
      const { inputs, restore } = payment.serialize()
      const spent = inputs.map(({ previousOutpoint }, at) => ({
        outpoint: previousOutpoint,
        amount: BigInt(restore?.spent[at]?.amount ?? 0),
      }))
      expect(inputs.map(({ sequence }) => BigInt(sequence))).toEqual(commitAmounts(spent))
      await expect(payment.submit()).resolves.toBe(payment.id)
      ledger.mine({ now: NOW, count: 2 })
      expect(queryLedger(ledger, 'getBalanceByAddress', { address: bob.address }).balance).toBe(1_499n * KAS)
    })

    it('keeps what is signed without a commitment, for the next engine', async () => {
      const kept = new Map<string, string>()
      const store: SignedAmountsStore = {
        get: (id) => Promise.resolve(kept.get(id)),
        set: (id, digest) => Promise.resolve(void kept.set(id, digest)),
      }
      const [first, second] = [
        await openLied([1_000n * KAS, 500n * KAS], store),
        await openLied([800n * KAS, 700n * KAS], store),
      ]
      const payment = await first.create({ commitAmounts: false })
      expect(payment.serialize().inputs.map(({ sequence }) => sequence)).toEqual(['0', '0'])
      expect(() => payment.sign(keys)).toThrow(
        expect.objectContaining({ code: 'unsupported', argument: 'commitAmounts' }),
      )
      await payment.signAsync(keys)
      await payment.signAsync(keys)
      expect([...kept.keys()]).toEqual([payment.id])

      const other = await second.create({ commitAmounts: false })
      expect(other.id).toBe(payment.id)
      const conflict = {
        operation: 'sign',
        code: 'amount-conflict',
        argument: 'entries',
        cause: new Error(`The transaction ${payment.id} was signed before with other input amounts`),
      }
      await expect(other.signAsync(keys)).rejects.toMatchObject(conflict)
      expect(other.serialize().inputs.map(({ signatureScript }) => signatureScript)).toEqual(['', ''])
      const settings = { ...second.settings, privateKeys: keys, commitAmounts: false }
      await expect(second.engine.transactions.send(settings)).rejects.toMatchObject(conflict)
      const unsigned = await second.engine.transactions.restore(other.serialize())
      await expect(unsigned.signAsync(keys)).rejects.toMatchObject(conflict)
      expect(second.ledger.call('getMempoolEntries', MEMPOOL, NOW)).toMatchObject({ value: { mempoolEntries: [] } })
    })

    it('signs nothing without a commitment where nothing is kept, or the store keeps nothing', async () => {
      const none = await openLied(TRUE_AMOUNTS)
      const unsupported = { name: 'ChainError', code: 'unsupported', argument: 'commitAmounts' }
      await expect(none.create({ commitAmounts: false })).rejects.toMatchObject(unsupported)
      const settings = { ...none.settings, privateKeys: keys, commitAmounts: false }
      await expect(none.engine.transactions.send(settings)).rejects.toMatchObject(unsupported)
      await expect(none.engine.transactions.estimate(settings)).resolves.toMatchObject({ transactions: 1 })

      const full = await openLied(TRUE_AMOUNTS, { get: () => undefined, set: () => undefined })
      const payment = await full.create({ commitAmounts: false })
      await expect(payment.signAsync(keys)).rejects.toMatchObject({ code: 'failed', argument: 'signedAmounts' })
      const restored = await none.engine.transactions.restore(payment.serialize())
      await expect(restored.signAsync(keys)).rejects.toMatchObject(unsupported)
      expect(() => restored.sign(keys)).toThrow(expect.objectContaining({ code: 'unsupported' }))
      expect(payment.serialize().inputs.map(({ signatureScript }) => signatureScript)).toEqual(['', ''])
    })

    it('signs a single input without a commitment: its signature holds its amount', async () => {
      const { engine, payment } = await openPayer({})
      const { transactions } = await engine.transactions.create(payment)
      expect(transactions[0]?.serialize().inputs.map(({ sequence }) => sequence)).toEqual(['0'])
      transactions[0]?.sign(keys)
    })
  })
})

function never(): never {
  throw new Error('A plan has a transaction')
}
