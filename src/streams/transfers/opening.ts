import { isCountedOutput } from '../../model/spendable.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { ChainRollback } from '../chain/batch.js'
import { netOf } from './extract.js'
import type { Transfer, TransferTransaction } from './transfer.js'

/** What a chain moved after a block, and the UTXO index at some moment after it. */
export interface OpeningFacts {
  /** Debits after the block of outputs that were not created after it. */
  readonly spent: readonly Transfer[]
  /** The UTXOs of the addresses in the index, whose view includes transactions that no chain block has accepted yet. */
  readonly entries: readonly UtxoEntry[]
}

/**
 * Credits for the UTXOs that addresses had after a chain block: those in the index that are as old, and those that were
 * spent since. DAA scores rise strictly along the chain. One transaction for each that created such a UTXO.
 */
export function openingCredits(start: ChainRollback, facts: OpeningFacts): readonly TransferTransaction[] {
  const credits = new Map<OutpointKey, Transfer>()
  for (const { address, ...entry } of facts.entries) {
    if (address === undefined || entry.blockDaaScore > start.daaScore) continue
    const output = { ...entry, address }
    if (isCountedOutput(output)) credits.set(toOutpointKey(entry.outpoint), toCredit(start, output))
  }
  for (const spent of facts.spent) {
    const key = toOutpointKey(spent.outpoint)
    if (!credits.has(key)) credits.set(key, toCredit(start, { ...spent, blockDaaScore: start.daaScore }))
  }
  return group([...credits.values()])
}

interface OldOutput extends Pick<UtxoEntry, 'outpoint' | 'amount' | 'blockDaaScore' | 'isCoinbase' | 'covenantId'> {
  readonly address: string
}

const toCredit = (
  start: ChainRollback,
  { address, outpoint, amount, blockDaaScore, isCoinbase, covenantId }: OldOutput,
): Transfer => ({
  address,
  direction: 'credit',
  amount,
  outpoint,
  transactionId: outpoint.transactionId,
  acceptingBlockHash: null,
  acceptingBlueScore: start.blueScore,
  acceptingDaaScore: blockDaaScore,
  timestamp: null,
  isCoinbase,
  isOpening: true,
  isChange: false,
  isInternal: false,
  covenantId,
  counterparties: [],
})

function group(credits: readonly Transfer[]): readonly TransferTransaction[] {
  const byId = new Map<string, Transfer[]>()
  for (const credit of credits) {
    const others = byId.get(credit.transactionId)
    if (others === undefined) byId.set(credit.transactionId, [credit])
    else others.push(credit)
  }
  return [...byId].map(([transactionId, transfers]) => ({ transactionId, net: netOf(transfers), fee: null, transfers }))
}
