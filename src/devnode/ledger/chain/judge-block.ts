import { blockHash, merkleRoot } from '../../../model/block.js'
import { isCoinbase } from '../../../model/mass.js'
import { toOutpointKey } from '../../../model/utxo.js'
import type { RpcRawBlock } from '../../../node/messages/records.js'
import type { BlockContext, LedgerBlock } from '../block.js'
import { readCoinbasePayload, type CoinbasePayload } from '../coinbase.js'
import { BLOCK_VERSION, MAX_PARENTS, MERGESET_LIMIT, SUBSIDIES, TIMESTAMP_TOLERANCE } from '../params.js'
import { objectInIsolation } from '../rules/isolation.js'
import { Room } from '../rules/room.js'
import { objectToLockTime } from '../rules/spending.js'
import { know, type KnownTransaction } from '../transaction.js'
import type { ChainState } from './chain-state.js'
import { writeBlueWork } from './create-block.js'
import type { Dag } from './dag.js'
import { hasTrueParents } from './parents-by-level.js'
import { measureMerge } from './virtual-parents.js'

/** What becomes of a block that somebody submits. A node tells only whether it was well formed. */
export type Submission =
  | { readonly kind: 'new'; readonly block: LedgerBlock }
  /** The header is good and has another body: it alone is remembered. */
  | { readonly kind: 'header only'; readonly block: LedgerBlock }
  | { readonly kind: 'known' }
  | { readonly kind: 'invalid' }

/** How far, in DAA score, a block may be behind virtual unless its miner means it. */
const STALE_AFTER = 26_410n

const INVALID: Submission = { kind: 'invalid' }

/**
 * Judges the form of a block: its parents, its header, each transaction by itself and all of them together. Whether the
 * transactions' coins are there is another question, asked when the chain is about to go through the block.
 */
export function judgeBlock(
  state: ChainState,
  { header, transactions }: RpcRawBlock,
  now: bigint,
  age: 'recent' | 'any age',
): Submission {
  const { dag, virtual } = state
  if (age === 'recent' && header.daaScore + STALE_AFTER < virtual.context.daaScore) return INVALID
  const hash = blockHash(header)
  if (dag.hasBody(hash)) return { kind: 'known' }
  const [parents = []] = header.parentsByLevel
  if (!areGoodParents(dag, parents)) return INVALID
  const context = state.contextOf(parents)
  const known = transactions.map(know)
  if (!isGoodHeader(dag, header, context, now) || !hasTrueParents(dag, header) || known.length === 0) return INVALID
  return judgeBody(state, { hash, header, context }, known)
}

/** A header that is good, and where it stands. */
interface GoodHeader {
  readonly hash: string
  readonly header: RawHeader
  readonly context: BlockContext
}

function judgeBody(state: ChainState, place: GoodHeader, transactions: readonly KnownTransaction[]): Submission {
  const { header, context } = place
  if (header.hashMerkleRoot !== merkleRoot(transactions.map(({ hash }) => hash)))
    return { kind: 'header only', block: assemble(place, [], NO_PAYLOAD) }
  const payload = readCoinbasePayload(transactions[0]?.transaction.payload ?? '')
  const isGood =
    payload?.blueScore === header.blueScore &&
    payload.subsidy === SUBSIDIES[state.network] &&
    isGoodBody(state, context, transactions)
  return isGood ? { kind: 'new', block: assemble(place, transactions, payload) } : INVALID
}

/** What a block says whose coinbase is not known. */
const NO_PAYLOAD: CoinbasePayload = {
  blueScore: 0n,
  subsidy: 0n,
  miner: { scriptPublicKey: { version: 0, script: '' }, extraData: '' },
}

type RawHeader = RpcRawBlock['header']

function assemble(
  { hash, header, context }: GoodHeader,
  transactions: readonly KnownTransaction[],
  { miner, subsidy }: CoinbasePayload,
): LedgerBlock {
  return { hash, header: { ...header, hash }, transactions, context, miner, subsidy }
}

/** Known, none twice, none an ancestor of another, and not more to merge than a block may. */
function areGoodParents(dag: Dag, parents: readonly string[]): boolean {
  if (parents.length === 0 || parents.length > MAX_PARENTS || new Set(parents).size < parents.length) return false
  if (!parents.every((parent) => dag.hasBody(parent))) return false
  if (parents.some((parent) => parents.some((other) => dag.isInPast(parent, other)))) return false
  const [selected = '', ...others] = dag.heaviestFirst(parents)
  let budget = MERGESET_LIMIT - 1
  const beside = [selected]
  for (const parent of others) {
    const increase = measureMerge(dag, parent, beside, budget)
    if (increase.kind === 'exceeds') return false
    budget -= increase.size
    beside.push(parent)
  }
  return true
}

function isGoodHeader(dag: Dag, header: RawHeader, context: BlockContext, now: bigint): boolean {
  return (
    header.version === BLOCK_VERSION &&
    header.timestamp > context.pastMedianTime &&
    header.timestamp <= now + TIMESTAMP_TOLERANCE &&
    header.bits === dag.get(dag.genesis).header.bits &&
    header.daaScore === context.daaScore &&
    header.blueScore === context.ghostdag.blueScore &&
    header.blueWork.padStart(48, '0') === writeBlueWork(context.ghostdag.blueWork)
  )
}

function isGoodBody({ judge }: ChainState, context: BlockContext, transactions: readonly KnownTransaction[]): boolean {
  const from = { ...context, coinbaseMaturity: judge.coinbaseMaturity }
  return (
    transactions.every(({ transaction }, index) => isCoinbase(transaction) === (index === 0)) &&
    transactions.every(({ transaction }) => objectInIsolation(transaction) === undefined) &&
    transactions.every(({ transaction }) => objectToLockTime(transaction, from) === undefined) &&
    areIndependent(transactions) &&
    fitTogether(transactions)
  )
}

/** No transaction twice, none spending what another makes or spends. */
function areIndependent(transactions: readonly KnownTransaction[]): boolean {
  const ids = new Set(transactions.map(({ id }) => id))
  const outpoints = transactions.flatMap(({ transaction }) => transaction.inputs.map((input) => input.previousOutpoint))
  const spent = new Set(outpoints.map(toOutpointKey))
  return (
    ids.size === transactions.length &&
    spent.size === outpoints.length &&
    !outpoints.some(({ transactionId }) => ids.has(transactionId))
  )
}

/** The coinbase weighs nothing, and is of no lane. */
function fitTogether(transactions: readonly KnownTransaction[]): boolean {
  const room = new Room()
  return transactions.slice(1).every((known) => room.fits(known) && room.take(known) === known)
}
