import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'
import type { ChainBlock, ChainInput } from '../chain/batch.js'
import type { Transfer } from './transfer.js'

/** An output that paid to a watched address. */
export type StoredCredit = Pick<Transfer, 'outpoint' | 'address' | 'amount' | 'covenantId'>

/** Looks up credits by outpoint in what the application has stored; outpoints without one are left out. */
export type FindCredits = (outpoints: readonly Outpoint[]) => Promise<Iterable<StoredCredit>> | Iterable<StoredCredit>

/** How many credits are remembered for blocks that are read without the spent outputs. */
const CAPACITY = 100_000

/**
 * Credits of watched addresses, to recognise debits in a block that a node does not return whole (it holds a script
 * without an address): such a block is read without address and amount of what its inputs spend. Address and amount of
 * an outpoint never change, so nothing is undone by a reorg.
 */
export class KnownOutputs {
  readonly #credits = new Map<OutpointKey, StoredCredit>()

  constructor(private readonly findCredits: FindCredits | undefined) {}

  add(transfers: readonly Transfer[]): void {
    for (const { direction, outpoint, address, amount, covenantId } of transfers)
      if (direction === 'credit') this.#credits.set(toOutpointKey(outpoint), { outpoint, address, amount, covenantId })
    for (const key of this.#credits.keys()) {
      if (this.#credits.size <= CAPACITY) return
      this.#credits.delete(key)
    }
  }

  /** The same blocks, with address and amount of the inputs that spend known credits. */
  async complete(blocks: readonly ChainBlock[]): Promise<readonly ChainBlock[]> {
    const unknown = blocks.flatMap(inputsOf).filter(isUnknown)
    if (unknown.length === 0) return blocks
    const credits = await this.#find(
      unknown.map(({ outpoint }) => outpoint),
      blocks,
    )
    const completed = (input: ChainInput): ChainInput =>
      isUnknown(input) ? { ...input, ...credits.get(toOutpointKey(input.outpoint)) } : input
    return blocks.map((block) => {
      if (!inputsOf(block).some(isUnknown)) return block
      const transactions = block.transactions.map((one) => ({ ...one, inputs: one.inputs.map(completed) }))
      return { ...block, transactions }
    })
  }

  async #find(
    outpoints: readonly Outpoint[],
    blocks: readonly ChainBlock[],
  ): Promise<ReadonlyMap<OutpointKey, Omit<StoredCredit, 'outpoint'>>> {
    const found = new Map<OutpointKey, Omit<StoredCredit, 'outpoint'>>()
    const put = ({ outpoint, ...output }: StoredCredit) => void found.set(toOutpointKey(outpoint), output)
    const stored = await this.findCredits?.(outpoints)
    for (const credit of stored ?? []) put(credit)
    for (const credit of blocks.flatMap(outputsOf)) put(credit)
    for (const key of outpoints.map(toOutpointKey)) {
      const credit = this.#credits.get(key)
      if (credit !== undefined) put(credit)
    }
    return found
  }
}

const inputsOf = ({ transactions }: ChainBlock): readonly ChainInput[] => transactions.flatMap(({ inputs }) => inputs)

/** The amount is null only where the spent output was not read. */
const isUnknown = ({ amount }: ChainInput): boolean => amount === null

/** Outputs of the same page, which may be spent in it before they are credited. */
const outputsOf = ({ transactions }: ChainBlock): readonly StoredCredit[] =>
  transactions.flatMap(({ id, outputs }) =>
    outputs.flatMap(({ index, address, amount, covenantId }) =>
      address === null ? [] : [{ outpoint: { transactionId: id, index }, address, amount, covenantId }],
    ),
  )
