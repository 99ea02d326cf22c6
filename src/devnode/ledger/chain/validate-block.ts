import { blockHash, merkleRoot } from '../../../model/block.js'
import { isCoinbase } from '../../../model/mass.js'
import { validateInIsolation } from '../../../model/transaction-rules/isolation.js'
import { toOutpointKey } from '../../../model/utxo.js'
import type { RpcRawBlock } from '../../../node/messages/records.js'
import { type BlockContext, type LedgerBlock, readCoinbasePayload, type CoinbasePayload } from '../block.js'
import { BLOCK_VERSION, MAX_PARENTS, MERGESET_LIMIT, SUBSIDIES, TIMESTAMP_TOLERANCE } from '../params.js'
import { BlockCapacity } from '../mempool/selection.js'
import { validateCoinbase, validateLockTime } from '../rules/spending.js'
import { toKnownTransaction, type KnownTransaction } from '../transaction.js'
import type { ChainState } from './chain-state.js'
import { writeBlueWork, hasExpectedParents } from './create-block.js'
import type { Dag } from './dag.js'
import { measureMergeIncrease } from './virtual-chain.js'

/** The result of a block submission. The RPC response only reports whether the block is well-formed. */
export type Submission =
  | { readonly kind: 'new'; readonly block: LedgerBlock }
  /** The header is valid, the body does not match: only the header is stored. */
  | { readonly kind: 'header-only'; readonly block: LedgerBlock }
  | { readonly kind: 'known' }
  | { readonly kind: 'invalid' }

/** Maximum DAA score below virtual, unless the request allows older blocks. */
const STALE_AFTER = 26_410n

const INVALID: Submission = { kind: 'invalid' }

/**
 * Validates a block without UTXO context: parents, header, each transaction in isolation and all together. UTXO rules
 * are validated when the block becomes a chain candidate.
 */
export function validateBlock(
  state: ChainState,
  { header, transactions }: RpcRawBlock,
  now: bigint,
  age: 'recent' | 'any',
): Submission {
  const { dag, virtual } = state
  if (age === 'recent' && header.daaScore + STALE_AFTER < virtual.context.daaScore) return INVALID
  const hash = blockHash(header)
  if (dag.hasBody(hash)) return { kind: 'known' }
  const [parents = []] = header.parentsByLevel
  if (!areValidParents(dag, parents)) return INVALID
  const context = state.contextOf(parents)
  const known = transactions.map(toKnownTransaction)
  if (!isValidHeader(dag, header, context, now) || !hasExpectedParents(dag, header) || known.length === 0)
    return INVALID
  return validateBody(state, { hash, header, context }, known)
}

interface ValidHeader {
  readonly hash: string
  readonly header: RawHeader
  readonly context: BlockContext
}

function validateBody(state: ChainState, valid: ValidHeader, transactions: readonly KnownTransaction[]): Submission {
  const { header, context } = valid
  if (header.hashMerkleRoot !== merkleRoot(transactions.map(({ hash }) => hash)))
    return { kind: 'header-only', block: assemble(valid, [], NO_PAYLOAD) }
  const payload = readCoinbasePayload(transactions[0]?.transaction.payload ?? '')
  const isValid =
    payload?.blueScore === header.blueScore &&
    payload.subsidy === SUBSIDIES[state.network] &&
    isValidBody(state, context, transactions)
  return isValid ? { kind: 'new', block: assemble(valid, transactions, payload) } : INVALID
}

/** The payload of a header-only block. */
const NO_PAYLOAD: CoinbasePayload = {
  blueScore: 0n,
  subsidy: 0n,
  miner: { scriptPublicKey: { version: 0, script: '' }, extraData: '' },
}

type RawHeader = RpcRawBlock['header']

function assemble(
  { hash, header, context }: ValidHeader,
  transactions: readonly KnownTransaction[],
  { miner, subsidy }: CoinbasePayload,
): LedgerBlock {
  return { hash, header: { ...header, hash }, transactions, context, miner, subsidy }
}

/** Known, unique, none an ancestor of another, and within the mergeset limit. */
function areValidParents(dag: Dag, parents: readonly string[]): boolean {
  if (parents.length === 0 || parents.length > MAX_PARENTS || new Set(parents).size < parents.length) return false
  if (!parents.every((parent) => dag.hasBody(parent))) return false
  if (parents.some((parent) => parents.some((other) => dag.isInPast(parent, other)))) return false
  const [selected = '', ...others] = dag.heaviestFirst(parents)
  let budget = MERGESET_LIMIT - 1
  const merged = [selected]
  for (const parent of others) {
    const increase = measureMergeIncrease(dag, parent, merged, budget)
    if (increase.kind === 'exceeds') return false
    budget -= increase.size
    merged.push(parent)
  }
  return true
}

function isValidHeader(dag: Dag, header: RawHeader, context: BlockContext, now: bigint): boolean {
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

function isValidBody(
  { validation }: ChainState,
  context: BlockContext,
  transactions: readonly KnownTransaction[],
): boolean {
  const inclusion = { ...context, coinbaseMaturity: validation.coinbaseMaturity }
  return (
    transactions.every(({ transaction }, index) => isCoinbase(transaction) === (index === 0)) &&
    transactions.every(({ transaction }) => validateInIsolation(transaction, validateCoinbase) === undefined) &&
    transactions.every(({ transaction }) => validateLockTime(transaction, inclusion) === undefined) &&
    areIndependent(transactions) &&
    fitInBlock(transactions)
  )
}

/** No duplicate transactions, double spends or chained transactions. */
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

/** The coinbase has no mass and uses no lane. */
function fitInBlock(transactions: readonly KnownTransaction[]): boolean {
  const capacity = new BlockCapacity()
  return transactions.slice(1).every((known) => capacity.fits(known) && capacity.add(known) === known)
}
