import { defineContract } from '../../src/model/contracts/contract.js'
import type { Transaction, TransactionOutput } from '../../src/model/transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { minimumFee } from '../../src/model/mass.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { ContractSpend } from '../../src/operations/contracts/contract-spend.js'
import { utxoCreatedBy } from '../devnode/ledger/wallet.js'
import { counter } from '../fixtures/contracts/modules/counter.js'
import { begun, bound, output } from './covenants.js'
import { deploy, FAILED, submit, submitAll, type CallHarness, type CallRow } from './harness.js'
import { build } from './transaction.js'

/** Calls of a contract that anyone may call. */

export const Counter = defineContract(counter)
const KAS = 100_000_000n

/** The input that adds `step` to a counter. */
export const increment = (utxo: UtxoEntry, count: bigint, step: bigint): ContractSpend => ({
  utxo,
  entry: 'increment',
  script: () => Counter.signatureScript({ count }, 'increment', { step }),
})

export const counterOf = (count: bigint): { readonly version: number; readonly script: string } =>
  Counter.scriptPublicKey({ count })

/** The call of a counter, with the output that its program demands unless others are named. */
export async function callOf(
  harness: CallHarness,
  { covenantId, utxo }: { readonly covenantId: string; readonly utxo: UtxoEntry },
  { count = 7n, step = 3n, outputs, script, fee }: Partial<CallOptions> = {},
): Promise<Transaction> {
  const input = increment(utxo, count, step)
  return build({
    inputs: [script === undefined ? input : { ...input, script: () => script }],
    outputs: outputs ?? [bound(covenantId, counterOf(count + step))],
    fundedBy: await harness.utxo(),
    fee,
  })
}

interface CallOptions {
  readonly count: bigint
  readonly step: bigint
  readonly outputs: readonly TransactionOutput[]
  readonly script: string
  readonly fee: bigint
}

const REFUSED: readonly (readonly [string, (covenantId: string) => Partial<CallOptions>, string])[] = [
  ['that claims another state', (id) => ({ outputs: [bound(id, counterOf(11n))] }), FAILED],
  ['whose argument is above the limit', () => ({ step: 6n }), FAILED],
  ['whose argument is 0', () => ({ step: 0n }), FAILED],
  ['whose output is not bound', () => ({ outputs: [output(counterOf(10n))] }), FAILED],
  ['with two continuations', (id) => ({ outputs: [bound(id, counterOf(10n)), bound(id, counterOf(10n))] }), FAILED],
  [
    'of an entry that is none',
    () => ({
      script: Counter.signatureScript({ count: 7n }, 'increment', { step: 3n }).replace('4d5aa222', '00000000'),
    }),
    'failed to verify the signature script: script returned early',
  ],
  [
    'with the redeem script of another state',
    () => ({ script: Counter.signatureScript({ count: 8n }, 'increment', { step: 3n }) }),
    'failed to verify the signature script: false stack entry at end of script execution',
  ],
]

const refusals = REFUSED.map(([what, options, reply]): CallRow => ({
  situation: `a call ${what}`,
  replies: [reply],
  play: async (harness) => {
    const contract = await deploy(harness, Counter, { count: 7n })
    return [await submit(harness, await callOf(harness, contract, options(contract.covenantId)))]
  },
}))

const bindings: readonly CallRow[] = [
  {
    situation: 'a call whose output is authorized by what funds it, or has another id',
    replies: ['covenants error', 'covenants error'],
    play: async (harness) => {
      const contract = await deploy(harness, Counter, { count: 7n })
      const foreign = bound(contract.covenantId, counterOf(10n), { authorizingInput: 1 })
      const other = bound('cd'.repeat(32), counterOf(10n))
      const calls = [
        await callOf(harness, contract, { outputs: [foreign] }),
        await callOf(harness, contract, { outputs: [other] }),
      ]
      return (await submitAll(harness, calls)).map((reply) => reply.split(':')[0]!)
    },
  },
]

/** Replies without the ids of another call, and of what created the state of a contract. */
const named = (
  replies: readonly string[],
  rival: Transaction,
  { utxo }: { readonly utxo: UtxoEntry },
): readonly string[] =>
  replies.map((reply) => reply.replace(transactionId(rival), '<rival>').replace(utxo.outpoint.transactionId, '<state>'))

const sequences: readonly CallRow[] = [
  {
    situation: 'a call, and two that are chained before it is accepted',
    replies: ['taken', 'taken', 'taken', 'budget 0'],
    play: async (harness) => {
      const { covenantId, utxo } = await deploy(harness, Counter, { count: 7n })
      const first = await callOf(harness, { covenantId, utxo })
      const second = await callOf(harness, { covenantId, utxo: utxoCreatedBy(first) }, { count: 10n, step: 1n })
      const third = await callOf(harness, { covenantId, utxo: utxoCreatedBy(second) }, { count: 11n, step: 2n })
      const replies = await submitAll(harness, [first, second, third])
      return [...replies, `budget ${first.inputs[0]!.computeBudget}`]
    },
  },
  {
    situation: 'a call of a state that another call moved, in the mempool and then in a block',
    replies: [
      'taken',
      'output (<state>, 0) already spent by transaction <rival> in the mempool',
      'transaction <call> is an orphan where orphan is disallowed',
    ],
    play: async (harness) => {
      const contract = await deploy(harness, Counter, { count: 7n })
      const rival = await callOf(harness, contract)
      const call = await callOf(harness, contract, { step: 1n })
      const taken = await submit(harness, rival)
      const before = await submit(harness, call)
      await harness.mine(3)
      return named([taken, before, await submit(harness, call)], rival, contract)
    },
  },
  {
    situation: 'a call that a stranger replaces, with what was chained on it',
    replies: [
      'taken',
      'taken',
      'taken',
      'output (<state>, 0) already spent by transaction <rival> in the mempool',
      'transaction <call> is an orphan where orphan is disallowed',
    ],
    play: async (harness) => {
      const contract = await deploy(harness, Counter, { count: 7n })
      const first = await callOf(harness, contract)
      const chained = await callOf(harness, { ...contract, utxo: utxoCreatedBy(first) }, { count: 10n, step: 1n })
      const rival = await callOf(harness, contract, { step: 5n, fee: 20n * minimumFee(first) })
      const before = await submitAll(harness, [first, chained])
      const replaced = await submit(harness, rival, 'replacement')
      return named([...before, replaced, ...(await submitAll(harness, [first, chained]))], rival, contract)
    },
  },
]

const amounts: readonly CallRow[] = [
  {
    situation: 'a call of a stranger who takes 0.91 of the 1 KAS of a contract that does not check amounts',
    replies: ['taken'],
    play: async (harness) => {
      const { covenantId, utxo } = await deploy(harness, Counter, { count: 7n })
      const outputs = [bound(covenantId, counterOf(10n), { value: 9_000_000n })]
      return [await submit(harness, build({ inputs: [increment(utxo, 7n, 3n)], outputs }))]
    },
  },
  {
    situation: 'a call at the least fee, and one sompi below',
    replies: ['is not standard', 'taken'],
    play: async (harness) => {
      const contract = await deploy(harness, Counter, { count: 7n })
      const least = minimumFee(await callOf(harness, contract))
      const calls = [
        await callOf(harness, contract, { fee: least - 1n }),
        await callOf(harness, contract, { fee: least }),
      ]
      return (await submitAll(harness, calls)).map((reply) => /is not standard|^taken/.exec(reply)?.[0] ?? reply)
    },
  },
  {
    situation: 'outputs to the address of a contract that are not bound',
    replies: [FAILED, FAILED, 'covenants error', FAILED],
    play: async (harness) => {
      const { covenantId, utxo } = await deploy(harness, Counter, { count: 7n })
      const payment = build({ inputs: [], outputs: [output(counterOf(7n), KAS)], fundedBy: await harness.utxo() })
      if ((await submit(harness, payment)) !== 'taken') throw new Error('The payment was not taken')
      const unbound = utxoCreatedBy(payment)
      const next = output(counterOf(10n))
      const asGenesis = await callOf(
        harness,
        { covenantId, utxo: unbound },
        { outputs: begun(unbound.outpoint, [next]) },
      )
      const together = build({
        inputs: [increment(utxo, 7n, 3n), increment(unbound, 7n, 3n)],
        outputs: [bound(covenantId, counterOf(10n))],
        fundedBy: await harness.utxo(),
      })
      const replies = await submitAll(harness, [
        await callOf(harness, { covenantId, utxo: unbound }, { outputs: [next] }),
        asGenesis,
        await callOf(harness, { covenantId, utxo: unbound }),
        together,
      ])
      return replies.map((reply) => (reply.startsWith('covenants error') ? 'covenants error' : reply))
    },
  },
]

export const COUNTER_ROWS: readonly CallRow[] = [...refusals, ...bindings, ...sequences, ...amounts]
