import { describe, expect, it } from 'vitest'
import type { ChainNetwork } from '../../../src/model/network.js'
import { parsePayment, serializePayment } from '../../../src/model/serialized-payment.js'
import { UNKNOWN_OUTCOME_HINT } from '../../../src/model/submission-reply.js'
import type { RestoreRecord, SerializedTransaction } from '../../../src/model/serialized-transaction.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { light } from '../../../src/sdk/light/light.js'
import { ABSENT, acceptingNode, small } from './accepting-node.js'
import { KAS, alice, bob, carol, utxos } from './accounts.js'
import { failure } from './failure.js'
import { createScriptedDependencies, remoteRejection, type ScriptedDependencies } from './scripted-dependencies.js'

const sdk = await light.loadPort()

/** As a database returns it: other objects, with the keys in another order. */
const stored = (serialized: SerializedTransaction): SerializedTransaction =>
  JSON.parse(JSON.stringify(serialized), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  ) as SerializedTransaction

/** A signed payment of an earlier process, as `onSigned` received it. */
async function signedPayment(settings: object = {}): Promise<SerializedTransaction> {
  const { deps } = acceptingNode(sdk)
  let received: readonly SerializedTransaction[] = []
  await createTransactions(deps).send({ ...small, ...settings }, { onSigned: (payments) => void (received = payments) })
  return stored(received[0]!)
}

/** A payment of an earlier process that was not signed. */
const unsignedPayment = async (): Promise<SerializedTransaction> =>
  (await createTransactions(createScriptedDependencies(sdk)).create(small)).transactions[0]!.serialize()

/** The same signed payment as the replacement of another one. */
async function replacementOf(settings: typeof small): Promise<SerializedTransaction> {
  const payment = parsePayment(await signedPayment(settings), 'simnet')
  return serializePayment({ ...payment, replaces: 'cd'.repeat(32) })
}

/** A node without the payment: `getMempoolEntry` and the chain do not know it. */
const emptyNode = (script = {}) => acceptingNode(sdk, {}, { ...ABSENT, ...script })

const restoreWith = (deps: ScriptedDependencies, serialized: unknown) =>
  createTransactions(deps).restore(serialized as SerializedTransaction)

describe('restore', () => {
  it('returns the same signed payment, with its id, fee, mass and addresses', async () => {
    const { transactions } = await createTransactions(createScriptedDependencies(sdk)).create(small)
    const [original] = transactions
    original?.sign(small.privateKeys)
    const serialized = stored(original!.serialize())
    const restored = await restoreWith(createScriptedDependencies(sdk), serialized)
    expect([restored.id, restored.fee, restored.mass]).toEqual([original?.id, original?.fee, original?.mass])
    expect(restored.addresses()).toEqual([alice.address])
    expect(restored.serialize()).toEqual(serialized)
  })

  it('returns an unsigned payment, also with ECDSA inputs, that can be signed and submitted', async () => {
    const entries = utxos([30n * KAS], { address: alice.ecdsaAddress })
    const { transactions } = await createTransactions(createScriptedDependencies(sdk)).create({ ...small, entries })
    const { deps, accepted } = emptyNode()
    const restored = await restoreWith(deps, stored(transactions[0]!.serialize()))
    restored.sign(small.privateKeys)
    expect(await restored.submit()).toBe(transactions[0]?.id)
    expect(accepted).toHaveLength(1)
  })

  it('reserves the inputs at once, until the payment is rejected', async () => {
    const serialized = await signedPayment()
    const deps = createScriptedDependencies(sdk)
    const restored = restoreWith(deps, serialized)
    expect(deps.reserved.size).toBe(1)
    await restored
    expect(deps.reserved.size).toBe(1)
    expect(await failure(createTransactions(deps).create(small))).toMatchObject({ code: 'insufficient-funds' })
  })

  it('makes no call, and submit() looks the payment up in mempool and chain before it sends it', async () => {
    const { deps, accepted } = emptyNode()
    const restored = await restoreWith(deps, await signedPayment())
    expect(deps.calls).toEqual([])
    expect(await restored.submit()).toBe(restored.id)
    expect(deps.calls).toEqual([
      'getMempoolEntry',
      'getVirtualChainFromBlock',
      'getUtxosByAddresses',
      'submitTransaction',
    ])
    expect(accepted).toHaveLength(1)
  })

  it('has an unknown outcome where every node refuses it: another version may have sent it', async () => {
    const payment = parsePayment(await unsignedPayment(), 'simnet')
    const [output] = payment.transaction.outputs
    const value = payment.spent.reduce((sum, { amount }) => sum + amount, 0n) - 1n
    const transaction = { ...payment.transaction, outputs: [{ ...output!, value }] }
    const unsigned = await restoreWith(emptyNode().deps, serializePayment({ ...payment, transaction }))
    unsigned.sign(small.privateKeys)
    const { deps, accepted } = emptyNode()
    const restored = await restoreWith(deps, stored(unsigned.serialize()))
    expect(await failure(restored.submit())).toMatchObject({
      code: 'invalid-argument',
      argument: 'transaction',
      reason: 'fee-too-low',
      outcome: 'unknown',
      transactionId: restored.id,
      hint: `Every node refuses it, so it was not sent again. ${UNKNOWN_OUTCOME_HINT}`,
    })
    expect([accepted, deps.reserved.size]).toEqual([[], 1])
  })

  it('does not send what was accepted since it was signed', async () => {
    const serialized = await signedPayment()
    const { deps, accepted } = emptyNode({
      getVirtualChainFromBlock: ({ startHash }: { startHash: string }) => ({
        removedChainBlockHashes: [],
        addedChainBlockHashes: startHash === 'aa'.repeat(32) ? ['bb'.repeat(32)] : [],
        acceptedTransactionIds: [{ acceptingBlockHash: 'bb'.repeat(32), acceptedTransactionIds: [serialized.id] }],
      }),
    })
    const restored = await restoreWith(deps, serialized)
    expect(await restored.submit()).toBe(serialized.id)
    expect(accepted).toEqual([])
  })

  it.each([
    ['the node has pruned the sink', 'aa'.repeat(32)],
    ['the sink is not known', undefined],
  ])('does not send what has a UTXO in the index where %s', async (_, lookupStart) => {
    const serialized = await signedPayment()
    const requested: string[] = []
    const { deps, accepted } = emptyNode({
      getVirtualChainFromBlock: remoteRejection('getVirtualChainFromBlock', 'cannot find header'),
      getUtxosByAddresses: ({ addresses }: { addresses: string[] }) => {
        requested.push(...addresses)
        return { entries: [{ ...small.entries[0]!, outpoint: { transactionId: serialized.id, index: 1 } }] }
      },
    })
    const [created] = (await createTransactions(createScriptedDependencies(sdk)).create(small)).transactions
    created?.sign(small.privateKeys)
    const restored = await restoreWith(deps, lookupStart === undefined ? created?.serialize() : serialized)
    expect(await restored.submit()).toBe(serialized.id)
    expect(accepted).toEqual([])
    expect(requested.sort()).toEqual([alice.address, bob.address].sort())
  })

  it('keeps the sink from before the submission, also when it is serialized again', async () => {
    const serialized = await signedPayment()
    expect(serialized.restore?.lookupStart).toBe('aa'.repeat(32))
    const restored = await restoreWith(createScriptedDependencies(sdk), serialized)
    expect(restored.serialize().restore).toEqual(serialized.restore)
  })

  it.each([
    'transaction ab is an orphan where orphan is disallowed',
    'output o already spent by transaction cd in the mempool',
    'transaction could not be added to the mempool because it is full',
    'transaction ab was already accepted by the consensus', // of a block that a reorg left: no look-up finds it
    'in words that no version had',
  ])('keeps an unknown outcome and the reservation where the node refuses it: %s', async (words) => {
    const { deps } = emptyNode({
      submitTransaction: remoteRejection('submitTransaction', `Rejected transaction ab: ${words}`),
    })
    const restored = await restoreWith(deps, await signedPayment())
    const error = await failure(restored.submit())
    expect(error).toMatchObject({ code: 'remote', outcome: 'unknown', transactionId: restored.id })
    expect([deps.reserved.size, deps.rejections.get(restored.id)?.message]).toEqual([1, (error as Error).message])
    expect(restored.known).toBeUndefined()
  })

  it.each([
    ['is already in the mempool', 'mempool'],
    ['was already accepted by the consensus', 'accepted'],
  ])('resolves where the node replies that it %s, and a look-up finds it', async (words, known) => {
    const serialized = await signedPayment()
    let isSubmitted = false
    const { deps } = emptyNode({
      submitTransaction: () => {
        isSubmitted = true
        return remoteRejection('submitTransaction', `Rejected transaction ab: transaction ab ${words}`)()
      },
      getVirtualChainFromBlock: ({ startHash }: { startHash: string }) => {
        const hasBlock = isSubmitted && startHash === 'aa'.repeat(32)
        return {
          removedChainBlockHashes: [],
          addedChainBlockHashes: hasBlock ? ['bb'.repeat(32)] : [],
          acceptedTransactionIds: hasBlock
            ? [{ acceptingBlockHash: 'bb'.repeat(32), acceptedTransactionIds: [serialized.id] }]
            : [],
        }
      },
    })
    const restored = await restoreWith(deps, serialized)
    expect(await restored.submit()).toBe(serialized.id)
    expect(restored.known).toBe(known)
  })

  it('submits a replacement as a plain transaction where this node lacks its target', async () => {
    const { deps, accepted } = emptyNode({
      submitTransactionReplacement: remoteRejection(
        'submitTransactionReplacement',
        'Rejected transaction ab: replace by fee found no double spending transaction in the mempool',
      ),
    })
    const replacement = await replacementOf(small)
    const restored = await restoreWith(deps, replacement)
    expect(await restored.submit()).toBe(restored.id)
    expect(deps.calls.slice(-2)).toEqual(['submitTransactionReplacement', 'submitTransaction'])
    expect(accepted).toHaveLength(1)
  })

  it('keeps an unknown outcome without a connection, and can be submitted again', async () => {
    const { deps, accepted } = emptyNode()
    let isConnected = false
    const call: typeof deps.call = (method, request) =>
      isConnected ? deps.call(method, request) : createScriptedDependencies(sdk).call(method, request)
    const restored = await restoreWith({ ...deps, call }, await signedPayment())
    expect(await failure(restored.submit())).toMatchObject({ code: 'not-connected', transactionId: restored.id })
    expect(deps.reserved.size).toBe(1)
    isConnected = true
    expect(await restored.submit()).toBe(restored.id)
    expect(accepted).toHaveLength(1)
  })

  it('does not send after an abort, whose outcome is unknown', async () => {
    const { deps, accepted } = emptyNode()
    const restored = await restoreWith(deps, await signedPayment())
    expect(await failure(restored.submit({ signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
      transactionId: restored.id,
    })
    expect(accepted).toEqual([])
  })
})

type Change = (serialized: SerializedTransaction) => unknown

const withRecord =
  (change: (record: RestoreRecord) => object): Change =>
  (serialized) => ({ ...serialized, restore: { ...serialized.restore, ...change(serialized.restore!) } })

describe('restore of what serialize() did not return', () => {
  it.each<[string, Change]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['text', () => 'payment'],
    ['an empty object', () => ({})],
    ['an object without transaction', ({ restore }) => ({ restore })],
    ['no record', ({ restore: _, ...transaction }) => transaction],
    ['a record of null', (serialized) => ({ ...serialized, restore: null })],
    ['a newer version', withRecord(() => ({ version: 2 }))],
    ['another network', withRecord(() => ({ network: 'mainnet' }))],
    ['another id', (serialized) => ({ ...serialized, id: 'ab'.repeat(32) })],
    ['another checksum', withRecord(() => ({ checksum: 'ab'.repeat(32) }))],
    ['another sink', withRecord(() => ({ lookupStart: 'ab'.repeat(32) }))],
    ['a sink that is no hash', withRecord(() => ({ lookupStart: 'ab' }))],
    ['a payment to replace', withRecord(() => ({ replaces: 'ab'.repeat(32) }))],
    ['another amount', withRecord(({ spent }) => ({ spent: spent.map((each) => ({ ...each, amount: '1' })) }))],
    [
      'an amount that is no number',
      withRecord(({ spent }) => ({ spent: spent.map((each) => ({ ...each, amount: 'x' })) })),
    ],
    ['no spent outputs', withRecord(() => ({ spent: [] }))],
    ['another output', (serialized) => ({ ...serialized, outputs: serialized.outputs.slice(1) })],
    ['another payload', (serialized) => ({ ...serialized, payload: 'ff' })],
    ['another mass', (serialized) => ({ ...serialized, mass: '7' })],
    [
      'an amount as number',
      (serialized) => ({ ...serialized, outputs: serialized.outputs.map((each) => ({ ...each, value: 1.5 })) }),
    ],
    [
      'no signature',
      (serialized) => ({ ...serialized, inputs: serialized.inputs.map((each) => ({ ...each, signatureScript: '' })) }),
    ],
    [
      'a cut signature',
      (serialized) => ({
        ...serialized,
        inputs: serialized.inputs.map((each) => ({ ...each, signatureScript: each.signatureScript.slice(2) })),
      }),
    ],
    ['no inputs', (serialized) => ({ ...serialized, inputs: [] })],
  ])('rejects %s with one typed error, reserves and sends nothing', async (_, change) => {
    const deps = createScriptedDependencies(sdk)
    const error = await failure(restoreWith(deps, change(await signedPayment())))
    expect(error).toMatchObject({
      name: 'ChainError',
      code: 'invalid-argument',
      argument: 'serialized',
      message: 'The serialized payment cannot be restored',
      hint: expect.stringContaining('Nothing was sent.') as string,
    })
    expect([deps.calls, deps.reserved.size]).toEqual([[], 0])
  })

  it('rejects a payment of another network', async () => {
    const deps = { ...createScriptedDependencies(sdk), network: (): ChainNetwork => 'testnet-10' }
    expect(await failure(restoreWith(deps, await signedPayment()))).toMatchObject({
      code: 'invalid-argument',
      hint: 'It belongs to another network than testnet-10. Nothing was sent.',
    })
  })

  it('rejects a changed payment whose id and checksum were computed again, by its signatures', async () => {
    const outputs = [{ address: carol.address, amount: 10n * KAS }]
    const { transactions } = await createTransactions(createScriptedDependencies(sdk)).create({ ...small, outputs })
    const forged = transactions[0]!.serialize()
    const { inputs } = await signedPayment()
    // The record is valid in itself: serialized by our own code, with the signatures of the payment to Bob.
    const { toTransaction } = await import('../../../src/model/serialized-transaction.js')
    const serialized = serializePayment({
      network: 'simnet',
      transaction: toTransaction({ ...forged, inputs }),
      spent: small.entries,
      replaces: undefined,
      lookupStart: undefined,
      change: undefined,
    })
    expect(bob.address).not.toBe(carol.address)
    const deps = createScriptedDependencies(sdk)
    expect(await failure(restoreWith(deps, serialized))).toMatchObject({
      code: 'invalid-argument',
      argument: 'serialized',
    })
    expect(deps.reserved.size).toBe(0)
  })
})
