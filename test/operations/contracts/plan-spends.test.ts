import { afterAll, describe, expect, it } from 'vitest'
import { createMemoryDevnode } from '../../../src/devnode/memory/create-memory-devnode.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { covenantIdOfGenesis } from '../../../src/model/covenant-id.js'
import { minimumFee } from '../../../src/model/mass.js'
import type { Transaction, TransactionOutput } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { ContractSpend } from '../../../src/operations/contracts/contract-spend.js'
import type { PlannedSpends } from '../../../src/operations/contracts/plan-spends.js'
import { createBorshCodec } from '../../../src/wrpc/borsh/codec.js'
import { connectBy } from '../../contract/node/support/client.js'
import { indexedUtxos } from '../../contract/node/support/indexed-utxos.js'
import { openMemorySocket } from '../../contract/node/support/test-socket.js'
import { Counter, counterOf, increment } from '../../contract-calls/counter-rows.js'
import { bound, output } from '../../contract-calls/covenants.js'
import { close, Vault, vaultOf } from '../../contract-calls/key-rows.js'
import { lead, owned, Token } from '../../contract-calls/token-rows.js'
import { ALICE, BOB } from '../../contract-calls/transaction.js'
import { utxoCreatedBy } from '../../devnode/ledger/wallet.js'
import { replyOf } from '../../submission-replies/calls.js'
import { begins, builtOf, planOf, signed } from './plans.js'

const KAS = 100_000_000n
const UTXOS = 40

const utxos = Array.from({ length: UTXOS }, () => ({ address: ALICE.address, amount: 50n * KAS }))
const devnode = createMemoryDevnode({ blockInterval: 0, utxos })
const client = await connectBy(openMemorySocket(devnode), devnode.urls.borsh, createBorshCodec())
const funds = [...(await indexedUtxos(client, [ALICE.address], UTXOS))]

afterAll(async () => {
  client.close()
  await devnode.close()
})

/** Plans with some UTXOs of its own. */
const planned = (spends: readonly ContractSpend[], outputs: readonly TransactionOutput[], count = 1): PlannedSpends =>
  planOf(spends, outputs, funds.splice(0, count))

const submit = (transaction: Transaction): Promise<string> => replyOf(client, transaction)

/** Begins a covenant by a plan. */
async function deployed(first: TransactionOutput): Promise<{ readonly covenantId: string; readonly utxo: UtxoEntry }> {
  const transaction = signed(builtOf(planned([], [begins(first)])))
  expect(await submit(transaction)).toBe('taken')
  return { covenantId: transaction.outputs[0]!.covenant!.covenantId, utxo: utxoCreatedBy(transaction) }
}

describe('a plan of version 1', () => {
  it('begins a covenant whose id its record proves', async () => {
    const built = builtOf(planned([], [begins(output(counterOf(7n)))]))
    const { outpoint } = built.spent[0]!
    const genesis = { outpoint, outputs: [{ index: 0, value: KAS, state: { count: 7n } }] }
    expect(built.transaction.outputs[0]?.covenant?.covenantId).toBe(covenantIdOfGenesis(Counter, genesis))
    expect(built.id).toBe(transactionId(built.transaction))
    expect(await submit(signed(built))).toBe('taken')
  })

  it('calls at the least fee and the exact budget', async () => {
    const { covenantId, utxo } = await deployed(output(counterOf(7n)))
    const spends = [increment(utxo, 7n, 3n)]
    const built = builtOf(planned(spends, [bound(covenantId, counterOf(10n))]))
    const call = signed(built, spends)
    expect(call.inputs.map(({ computeBudget }) => computeBudget)).toEqual([0, 10])
    expect(built.fee).toBe(minimumFee(call))
    expect(await submit(call)).toBe('taken')
  })

  it('spends two contracts, signed by their keys, with budgets that are exact', async () => {
    const token = await deployed(output(Token.scriptPublicKey(owned(1_000n))))
    const counter = await deployed(output(counterOf(7n)))
    const next = [owned(600n, BOB), owned(400n)]
    const spends = [lead(token.utxo, owned(1_000n), next), increment(counter.utxo, 7n, 2n)]
    const outputs = [
      ...next.map((state) => bound(token.covenantId, Token.scriptPublicKey(state))),
      bound(counter.covenantId, counterOf(9n), { authorizingInput: 1 }),
    ]
    const built = builtOf(planned(spends, outputs))
    const transaction = signed(built, spends)
    expect(transaction.inputs.map(({ computeBudget }) => computeBudget)).toEqual([13, 0, 10])
    expect(built.fee).toBe(minimumFee(transaction))
    const tight = transaction.inputs.map((input, at) => (at === 0 ? { ...input, computeBudget: 12 } : input))
    expect(await submit({ ...transaction, inputs: tight })).toContain('script units exceeded the amount committed')
    expect(await submit(transaction)).toBe('taken')
  })

  it('takes the fee from a contract that ends, and returns what is left of its amount', async () => {
    const { utxo } = await deployed(output(Vault.scriptPublicKey(vaultOf(ALICE))))
    const spends = [close(utxo, ALICE)]
    const built = builtOf(planned(spends, [], 0))
    const end = signed(built, spends)
    expect(end.outputs).toEqual([{ value: KAS - built.fee, scriptPublicKey: toScriptPublicKey(ALICE.address) }])
    expect(built.fee).toBe(minimumFee(end))
    expect(await submit(end)).toBe('taken')
  })

  it('compounds what funds it, where one transaction cannot spend it', async () => {
    const { covenantId, utxo } = await deployed(output(counterOf(7n)))
    const small = Array.from({ length: 200 }, (_, index) => ({
      ...funds[0]!,
      amount: KAS / 10n,
      outpoint: { transactionId: 'cc'.repeat(32), index },
    }))
    const spends = [increment(utxo, 7n, 3n)]
    const outputs = [bound(covenantId, counterOf(10n), { value: 15n * KAS })]
    const plan = planOf(spends, outputs, small)
    if (plan.kind !== 'planned') throw new Error(`Nothing is planned: ${plan.kind}`)
    const versions = plan.built.map(({ transaction }) => transaction.version)
    expect(versions.length).toBeGreaterThan(1)
    expect(versions).toEqual(versions.map((_, at) => (at === versions.length - 1 ? 1 : 0)))
    const last = plan.built.at(-1)!
    expect(last.fee).toBe(minimumFee(signed(last, spends)))
    expect(last.spent.slice(1).some(({ outpoint }) => outpoint.transactionId === plan.built[0]!.id)).toBe(true)
  })

  it('is refused with the input, the entry and the text of the node', async () => {
    const { covenantId, utxo } = await deployed(output(counterOf(7n)))
    expect(planned([increment(utxo, 7n, 6n)], [bound(covenantId, counterOf(13n))])).toEqual({
      kind: 'refused',
      input: 0,
      entry: 'increment',
      reason: 'failed to verify the signature script: script ran, but verification failed',
    })
  })

  it('is impossible without funds', async () => {
    const { covenantId, utxo } = await deployed(output(counterOf(7n)))
    expect(planned([increment(utxo, 7n, 3n)], [bound(covenantId, counterOf(10n))], 0)).toMatchObject({
      kind: 'impossible',
    })
  })
})
