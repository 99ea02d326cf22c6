import type { TestClient } from '../../contract/node/support/client.js'
import { indexedUtxos } from '../../contract/node/support/indexed-utxos.js'
import { newAccount, type Account } from '../../contract/node/support/payment.js'
import { replyOf } from '../../submission-replies/calls.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { budgetOf } from '../../../src/script/machine.js'
import { scriptViolation } from '../../../src/script/verify.js'
import { run, type Case } from './case.js'
import type { Judged, JudgeSeeds } from './compare.js'
import { isExecuted, type Verdict } from './judge.js'
import { planCase, type PlannedCase } from './node-case.js'
import { beginCovenants, createOutputs } from './node-funding.js'

/** A node of simnet with an account that has funds: UTXOs of 100,000 KAS, three for each batch of cases. */
export interface JudgingNode {
  readonly client: TestClient
  readonly mine: (count: number) => Promise<unknown>
  readonly account: Account
  readonly funds: UtxoEntry[]
}

/** More than the relative locks of the cases. */
const BLOCKS = 24

/**
 * Judges by a node: outputs in its UTXO set, spends by `submitTransaction`. It reports no units: each script of
 * version 1 that succeeds gets the budget of its units, after one less was refused.
 */
export const judgeByNode =
  (node: JudgingNode): JudgeSeeds =>
  async (seeds) => {
    const { client, account, funds } = node
    const covenants = beginCovenants(account, take(funds))
    await client.call('submitTransaction', { transaction: covenants.transaction, allowOrphan: false })
    const planned = seeds
      .map((seed) => planCase(seed, covenants.ids))
      .filter((one): one is PlannedCase => one !== undefined)
    const changeTo = newAccount('kaspasim').address
    const outputs = planned.flatMap((one) => one.outputs)
    const funding = createOutputs({ account, funds: [take(funds), take(funds)], changeTo }, covenants, outputs)
    const score = await accept(node, funding, changeTo)
    const id = transactionId(funding)
    const judged: Judged[] = []
    let first = 0
    for (const { seed, outputs: own, complete } of planned) {
      const outpoints = own.map((_, at) => ({ transactionId: id, index: first + at }))
      first += own.length
      const found = complete(outpoints, score)
      if (isExecuted(found)) for (const one of await judgeCase(client, found)) judged.push({ seed, ...one })
    }
    return judged
  }

/** The DAA score of the outputs of a transaction, once they are some blocks old. */
async function accept({ client, mine }: JudgingNode, transaction: Transaction, changeTo: string): Promise<bigint> {
  await client.call('submitTransaction', { transaction, allowOrphan: false })
  await mine(BLOCKS)
  const [change] = await indexedUtxos(client, [changeTo])
  return change!.blockDaaScore
}

/** The verdicts on a case; where it is accepted, before it those on a budget that is one too low. */
async function judgeCase(client: TestClient, found: Case): Promise<readonly Omit<Judged, 'seed'>[]> {
  const isMetered = found.transaction.version === 1 && found.run.failure === undefined
  if (!isMetered) return [await judge(client, found)]
  const budget = budgetOf(found.run.units)
  const tight = withBudget(found, budget)
  if (budget === 0) return [await judge(client, tight)]
  const edge = await judge(client, withBudget(found, budget - 1))
  return [{ ...edge, isEdge: true }, await judge(client, tight)]
}

async function judge(client: TestClient, found: Case): Promise<Omit<Judged, 'seed'>> {
  const reply = await replyOf(client, found.transaction)
  const theirs = { outcome: reply === 'taken' ? 'accepted' : reply.replace(/^Rejected transaction \w{64}: /, '') }
  return { case: found, ours: verdictOf(found), theirs }
}

function verdictOf({ transaction, run: { units, failure } }: Case): Verdict {
  const { signatureScript } = transaction.inputs[0]!
  return { outcome: failure === undefined ? 'accepted' : scriptViolation(signatureScript, failure), units }
}

function withBudget({ transaction, spent }: Case, computeBudget: number): Case {
  const [first, ...others] = transaction.inputs
  return run({ spent, transaction: { ...transaction, inputs: [{ ...first!, computeBudget }, ...others] } })
}

function take(funds: UtxoEntry[]): UtxoEntry {
  const utxo = funds.pop()
  if (utxo === undefined) throw new Error('No UTXO is left: run fewer cases')
  return utxo
}
