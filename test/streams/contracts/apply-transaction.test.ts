import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Contract } from '../../../src/model/contracts/contract.js'
import {
  putRows,
  type ContractRow,
  type ContractRows,
  type RowCause,
  type RowSpend,
} from '../../../src/model/contracts/rows.js'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import { toOutpointKey } from '../../../src/model/utxo.js'
import type { ChainContractTransaction } from '../../../src/streams/chain/batch.js'
import {
  applyTransaction,
  type ApplyContext,
  type FollowedCovenant,
} from '../../../src/streams/contracts/apply-transaction.js'
import { followRows, type ChainStep, type OpenedRows } from '../../../src/streams/contracts/follow-rows.js'
import { recogniserOf, toFind } from '../../../src/streams/contracts/start-rows.js'
import { owned, Token } from '../../contract-calls/token-rows.js'
import { ALICE, BOB } from '../../contract-calls/transaction.js'
import { openContracts, type ContractsHarness } from '../../contracts/harness.js'

/** Rows of a token that began with 1,000 and was divided, from the transactions that a node reports, and lies. */

let harness: ContractsHarness
let covenant: FollowedCovenant
let genesis: ChainContractTransaction
let transfer: ChainContractTransaction
let submitted: ReturnType<typeof toTransaction>

const NEXT = [owned(600n, BOB), owned(400n)]

beforeAll(async () => {
  harness = await openContracts({ count: 4 })
  const { contracts, devnode, engine, funding, keys } = harness
  const { sink: from } = await engine.rpc.getSink()
  const plan = await contracts.deploy(Token, owned(1_000n), funding())
  await plan.send(keys)
  const call = contracts
    .instance(Token, plan.genesis)
    .call.transfer({ next_states: NEXT, witness: ['00', { signedBy: ALICE.address }] })
  const moved = await contracts.transaction([call], funding())
  await moved.send(keys)
  submitted = toTransaction(moved.transactions[0]!.serialize())
  await devnode.mine(4)
  const batches = engine.followChain({ from, detail: 'contracts' })
  const found: ChainContractTransaction[] = []
  while (found.length < 2) {
    const { value } = await batches.next()
    found.push(...value!.blocks.flatMap(({ transactions }) => transactions.filter(({ isCoinbase }) => !isCoinbase)))
  }
  await batches.return?.()
  ;[genesis, transfer] = found as [ChainContractTransaction, ChainContractTransaction]
  covenant = { contract: Token as unknown as Contract, covenantId: plan.covenantId, genesis: plan.genesis }
})
afterAll(() => harness.close())

it('outputs of the UTXO set have the order of the snapshot, whatever that of the node', () => {
  const snapshot = NEXT.map((state, index) => ({
    outpoint: { transactionId: 'ab'.repeat(32), index },
    value: submitted.outputs[index]!.value,
    state,
  }))
  const entries = snapshot.map(({ outpoint, value, state }) => ({
    ...{ outpoint, amount: value, scriptPublicKey: Token.scriptPublicKey(state), blockDaaScore: 5n, isCoinbase: false },
    ...{ address: '', covenantId: covenant.covenantId },
  }))
  for (const order of [entries, [...entries].reverse()]) {
    const { rows, incomplete } = toFind([{ ...covenant, snapshot }], 'simnet').found(order)
    expect([rows.map(({ outpoint }) => outpoint.index), incomplete]).toEqual([[0, 1], []])
  }
})

const contextOf = (rows: ContractRows, constructed: readonly string[] = []): ApplyContext => ({
  covenants: new Map([[covenant.covenantId, covenant]]),
  rows,
  constructed,
  cause: { blockHash: 'ab'.repeat(32), blueScore: 5n },
  daaScore: 5n,
  recognise: () => undefined,
  awaited: new Map<never, never>(),
})

const begun = (): ContractRows =>
  putRows(new Map<never, ContractRow>(), applyTransaction(genesis, contextOf(new Map())))

const states = (rows: readonly ContractRow[]) => rows.map(({ state }) => state)

describe('a transaction with the details of contracts', () => {
  it('has everything that was submitted, and what it spends', () => {
    const { inputs, outputs } = transfer
    expect(
      inputs.map(({ outpoint, signatureScript, sequence, sigOpCount, computeBudget }) => ({
        previousOutpoint: outpoint,
        signatureScript,
        sequence,
        sigOpCount,
        computeBudget,
      })),
    ).toEqual(submitted.inputs)
    expect(
      outputs.map(({ amount, scriptPublicKey, covenant }) => ({ value: amount, scriptPublicKey, covenant })),
    ).toEqual(submitted.outputs)
    expect(inputs[0]!.spent).toMatchObject({ scriptPublicKey: Token.scriptPublicKey(owned(1_000n)), isCoinbase: false })
    expect(transfer).toMatchObject({ version: 1, lockTime: 0n, gas: 0n, subnetworkId: '0'.repeat(40) })
  })
})

describe('the rows of a covenant', () => {
  it('begin with the outputs of its record, and go on to the states that the contract checks', () => {
    expect(states([...begun().values()])).toEqual([owned(1_000n)])
    const [spent, ...created] = applyTransaction(transfer, contextOf(begun()))
    expect(states(created)).toEqual(NEXT)
    expect(spent!.spentBy).toMatchObject({ transactionId: transfer.id, entry: 'transfer' })
    expect(spent!.spentBy!.arguments).toMatchObject({ next_states: NEXT })
    expect(created.every(({ isForeign, isGenesis }) => !isForeign && !isGenesis)).toBe(true)
  })

  it('take the states of own calls without execution, and that of a spent output from its redeem script', () => {
    const unread = { ...transfer, inputs: transfer.inputs.map((input) => ({ ...input, spent: null, amount: null })) }
    expect(states(applyTransaction(unread, contextOf(begun()))).slice(1)).toEqual([null, null])
    const constructed = NEXT.map((state) => Token.redeemScript(state))
    expect(states(applyTransaction(unread, contextOf(begun(), constructed))).slice(1)).toEqual(NEXT)
    const unknown = new Map([...begun()].map(([key, row]) => [key, { ...row, state: null }]))
    expect(states(applyTransaction(transfer, contextOf(unknown)))[0]).toEqual(owned(1_000n))
  })

  it('are none for a transaction that touches no followed covenant', () => {
    const others = { ...contextOf(new Map()), covenants: new Map<never, FollowedCovenant>() }
    expect(applyTransaction(genesis, others)).toEqual([])
  })
})

describe('a node that lies', () => {
  it.each([
    ['about an amount', { outputs: 0, amount: 5n }],
    ['about a script', { outputs: 0, scriptPublicKey: { version: 0, script: 'ff' } }],
    ['about a binding', { outputs: 0, covenant: undefined }],
    ['about what is spent', { inputs: 1, outpoint: { transactionId: 'ab'.repeat(32), index: 0 } }],
  ])('%s is found out by the id', (_, change) => {
    const { inputs, outputs, ...fields } = change as { inputs?: number; outputs?: number }
    const changed = {
      ...transfer,
      inputs: transfer.inputs.map((input, at) => (at === inputs ? { ...input, ...fields } : input)),
      outputs: transfer.outputs.map((output, at) => (at === outputs ? { ...output, ...fields } : output)),
    }
    expect(() => applyTransaction(changed, contextOf(begun()))).toThrow(expect.objectContaining({ code: 'malformed' }))
  })

  it('about a signature script changes what the call is said to be, and no state', () => {
    const inputs = transfer.inputs.map((input, at) => (at === 0 ? { ...input, signatureScript: '51' } : input))
    const [spent, ...created] = applyTransaction({ ...transfer, inputs }, contextOf(begun()))
    expect(spent).toMatchObject({ state: owned(1_000n), spentBy: { entry: null, arguments: null } })
    expect(states(created)).toEqual([null, null])
  })

  it('about the covenant of a spent output makes no instance: outputs that continue unknown ones are foreign', () => {
    const rows = applyTransaction(transfer, contextOf(new Map()))
    expect(rows.map(({ state, isForeign }) => [state, isForeign])).toEqual([
      [null, true],
      [null, true],
    ])
    expect(rows.map(({ outpoint }) => toOutpointKey(outpoint))).toEqual([`${transfer.id}:0`, `${transfer.id}:1`])
  })
})

describe('the outputs of a snapshot', () => {
  const block = (blueScore: bigint, transactions: readonly ChainContractTransaction[]) => ({
    hash: 'ab'.repeat(32),
    ...{ blueScore, daaScore: blueScore + 1n, timestamp: 0, transactions },
  })
  const rollback = { hash: 'cd'.repeat(32), blueScore: 4n, daaScore: 5n }
  /** What the transfer created, as a snapshot states it. */
  const outputs = () =>
    transfer.outputs
      .filter((output) => output.covenant !== undefined)
      .map(({ index, amount }, at) => ({
        outpoint: { transactionId: transfer.id, index },
        value: amount,
        state: NEXT[at]!,
      }))

  /** What steps change of the rows, and whether outputs are unknown after them. */
  async function follow(rows: readonly ContractRow[], steps: readonly ChainStep[]) {
    const started = { ...covenant, snapshot: outputs(), begun: outputs().map((one) => toOutpointKey(one.outpoint)) }
    const opened: OpenedRows = { start: { rows: [], known: rows, incomplete: [] }, recognise: recogniserOf([started]) }
    const shown: { rows: readonly ContractRow[]; isIncomplete: boolean }[] = []
    async function* given() {
      yield* steps
    }
    const options = { covenants: [started], constructed: () => [], open: () => opened }
    for await (const { rows: changed, incomplete } of followRows(given(), options))
      shown.push({ rows: changed, isIncomplete: incomplete.length > 0 })
    return shown
  }

  /** Its rows at the start: of the UTXO set, or as a block has shown them. */
  const rowsAt = (createdBy: RowCause | null, spentBy: RowSpend | null = null): readonly ContractRow[] =>
    applyTransaction(transfer, contextOf(begun()))
      .slice(1)
      .map((row) => ({ ...row, blockDaaScore: 9n, createdBy, spentBy }))

  const cause = { transactionId: 'ef'.repeat(32), blockHash: 'ab'.repeat(32), blueScore: 8n }

  it.each([
    ['of the UTXO set at the start', null, null],
    ['that a block had shown, in a follower that began after it', cause, null],
    ['that were spent in a block that is undone with them', null, { ...cause, entry: null, arguments: null }],
  ])('%s come back unspent after a reorg, and are unknown between', async (_, createdBy, spentBy) => {
    const [undone, returned] = await follow(rowsAt(createdBy, spentBy), [
      { rollback, blocks: [] },
      { rollback: null, blocks: [block(6n, [transfer])] },
    ])
    expect(undone).toEqual({ rows: [], isIncomplete: true })
    expect(returned!.isIncomplete).toBe(false)
    const known = returned!.rows.filter((row) => row.outpoint.transactionId === transfer.id)
    expect(known.map(({ state, isForeign, spentBy: by }) => [state, isForeign, by])).toEqual(
      NEXT.map((state) => [state, false, null]),
    )
    expect(known[0]!.createdBy).toMatchObject({ transactionId: transfer.id, blueScore: 6n })
  })

  it('that were undone before it is followed again are known by the snapshot once they come back', async () => {
    const [returned] = await follow([], [{ rollback: null, blocks: [block(6n, [transfer])] }])
    expect(returned!.isIncomplete).toBe(false)
    expect(states(returned!.rows)).toEqual(NEXT)
  })
})
