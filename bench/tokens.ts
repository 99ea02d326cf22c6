import { encodeAddress } from '../src/model/address.js'
import { readPushes } from '../src/model/contracts/decode-call.js'
import { fromHex, toHex } from '../src/model/hex.js'
import type { Contract } from '../src/model/contracts/contract.js'
import { defineContract } from '../src/model/contracts/define-contract.js'
import type { ContractRow } from '../src/model/contracts/rows.js'
import { tokenBalances } from '../src/model/tokens/balances.js'
import { ownersByKey, tokenState } from '../src/model/tokens/owner.js'
import type { TokenState } from '../src/model/tokens/token-state.js'
import { transactionId } from '../src/model/transaction-id.js'
import type { ChainContractTransaction } from '../src/streams/chain/batch.js'
import { followRows, type ChainStep } from '../src/streams/contracts/follow-rows.js'
import type { FollowedCovenant } from '../src/streams/contracts/followed-covenant.js'
import { toFind } from '../src/streams/contracts/start-rows.js'
import { token20 } from '../test/fixtures/contracts/modules/token20.js'
import recordings from '../test/fixtures/contracts/spends.json'
import { toSpent, toTransaction, type RecordedSpend } from '../test/script/recorded.js'
import { limited } from './lib/limited.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const Token = defineContract(token20)
const [OWNERS, OUTPUTS, ROUNDS] = [1_000, 10_000, 22]
const KAS = 100_000_000n
const NAME = 'transfer 1→2 (600 B, 400 A)'

/** 10,000 outputs of 1,000 owners: from a transfer of the chain to the balances, and from a snapshot to the rows. */
export async function run(): Promise<BenchRow[]> {
  return [await transferred(), restarted()]
}

const hash = (index: number): string => index.toString(16).padStart(64, '0')

const owners = Array.from({ length: OWNERS }, (_, at) =>
  encodeAddress(
    'kaspasim',
    'PubKey',
    Uint8Array.from({ length: 32 }, (__, byte) => (byte < 2 ? at >> (8 * byte) : 7)),
  ),
)

/** Outputs of a token, each owner's in turn. */
const outputsOf = (covenantId: string): readonly ContractRow<TokenState>[] =>
  Array.from({ length: OUTPUTS }, (_, at) => {
    const state = tokenState(owners[at % OWNERS]!, BigInt(at + 1))
    return {
      covenantId,
      outpoint: { transactionId: hash(at + 1), index: 0 },
      value: KAS,
      scriptPublicKey: Token.scriptPublicKey(state),
      state,
      isForeign: false,
      isGenesis: false,
      blockDaaScore: 1n,
      createdBy: null,
      spentBy: null,
    }
  })

/** The steps of a chain that accepts a transfer, and undoes it, again and again. */
async function transferred(): Promise<BenchRow> {
  const { transaction, spent } = recorded()
  const { covenantId } = spent
  const genesis = { outpoint: { transactionId: hash(0), index: 0 }, outputs: [] }
  const covenant: FollowedCovenant = { contract: Token as unknown as Contract, covenantId, genesis }
  const known = [...outputsOf(covenantId), spent]
  const byKey = ownersByKey(owners)
  const steps = async function* (): AsyncGenerator<ChainStep, undefined, undefined> {
    for (;;) {
      const block = { hash: hash(1), blueScore: 2n, daaScore: 2n, timestamp: 0, transactions: [transaction] }
      yield { rollback: null, blocks: [block] }
      yield { rollback: { hash: hash(2), blueScore: 1n, daaScore: 2n } }
    }
  }
  const followed = followRows(steps(), {
    covenants: [covenant],
    constructed: () => [],
    open: () => ({ start: { rows: [], known, incomplete: [] }, recognise: () => undefined }),
  })
  let rows: ReadonlyMap<string, ContractRow> = new Map(known.map((row) => [row.outpoint.transactionId, row]))
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = process.cpuUsage()
    const { value } = await followed.next()
    if (value === undefined) throw new Error('There is no step')
    const next = new Map(rows)
    for (const row of value.rows) next.set(`${row.outpoint.transactionId}${row.outpoint.index}`, row)
    const outputs = [...next.values()].flatMap(({ outpoint, value: kas, state, spentBy }) =>
      spentBy !== null || state === null ? [] : [{ outpoint, value: kas, state: state as TokenState, depth: 0 }],
    )
    const balances = tokenBalances(covenantId, outputs, byKey)
    const { user, system } = process.cpuUsage(from)
    if (value.rows.length !== 3 || balances.length !== 1) throw new Error('The transfer was not followed')
    times.push((user + system) / 1_000)
    rows = new Map(known.map((row) => [row.outpoint.transactionId, row]))
    await followed.next() // undone
  }
  const detail = `, ${OUTPUTS} outputs of ${OWNERS} owners, median of ${ROUNDS - 2}`
  return limited('follow a token transfer to the balances, processor time', median(times.slice(2)), 20, 'ms', detail)
}

/** What the UTXO set has of a snapshot. */
function restarted(): BenchRow {
  const covenantId = hash(9)
  const rows = outputsOf(covenantId)
  const genesis = { outpoint: { transactionId: hash(0), index: 0 }, outputs: [] }
  const snapshot = rows.map(({ outpoint, state, value }) => ({ outpoint, state, value }))
  const entries = rows.map(({ outpoint, value: amount, scriptPublicKey, blockDaaScore }) => ({
    ...{ outpoint, amount, scriptPublicKey, blockDaaScore, covenantId },
    isCoinbase: false,
  }))
  const times = Array.from({ length: 3 }, () => {
    const from = process.cpuUsage()
    const search = toFind([{ contract: Token as unknown as Contract, covenantId, genesis, snapshot }], 'simnet')
    const found = search.found(entries)
    const { user, system } = process.cpuUsage(from)
    if (found.rows.length !== OUTPUTS || found.incomplete.length > 0) throw new Error('The snapshot was not found')
    return (user + system) / 1_000
  })
  return limited(`begin with a snapshot of ${OUTPUTS} token outputs, processor time`, median(times), 2_000, 'ms')
}

/** A transfer that kaspad accepted, as a node reports it, and the row that it spends. */
function recorded(): {
  readonly transaction: ChainContractTransaction
  readonly spent: ContractRow & { covenantId: string }
} {
  const cases = recordings.cases as unknown as readonly (RecordedSpend & { readonly name: string })[]
  const found = cases.find(({ name }) => name === NAME)
  if (found === undefined) throw new Error(`There is no recorded spend "${NAME}"`)
  const [{ inputs, outputs, ...transaction }, entries] = [toTransaction(found), toSpent(found)]
  const [entry] = entries
  const redeemScript = readPushes(fromHex(inputs[0]?.signatureScript ?? ''))?.at(-1)
  const state = redeemScript && Token.decodeState(toHex(redeemScript))
  if (entry?.covenantId === undefined || state === undefined) throw new Error('It spends no token')
  const { outpoint, amount: value, scriptPublicKey, blockDaaScore, covenantId } = entry
  return {
    spent: {
      ...{ covenantId, outpoint, value, scriptPublicKey, state, blockDaaScore },
      ...{ isForeign: false, isGenesis: true, createdBy: null, spentBy: null },
    },
    transaction: {
      ...transaction,
      id: transactionId({ ...transaction, inputs, outputs }),
      storageMass: 0n,
      computeMass: 0n,
      isCoinbase: false,
      fee: null,
      inputs: inputs.map(({ previousOutpoint, computeBudget = 0, ...input }, at) => {
        const { amount = null, covenantId: bound, ...others } = entries[at] ?? {}
        const spentOutput = others as Pick<typeof entry, 'scriptPublicKey' | 'blockDaaScore' | 'isCoinbase'>
        return {
          ...{ ...input, computeBudget, outpoint: previousOutpoint, address: null, amount },
          ...{ covenantId: bound, spent: spentOutput },
        }
      }),
      outputs: outputs.map(({ value: amount, scriptPublicKey: script, covenant }, index) => ({
        ...{ index, address: null, amount, scriptPublicKey: script },
        ...(covenant === undefined ? {} : { covenantId: covenant.covenantId, covenant }),
      })),
    },
  }
}
