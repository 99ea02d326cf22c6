import type { Outpoint } from '../../model/utxo.js'
import type { Network } from './network.js'
import type { AcceptedTransaction } from './transaction.js'

/** A UTXO that a chain block created (`credit`) or spent (`debit`). */
export interface ExpectedTransfer {
  readonly direction: 'credit' | 'debit'
  /** Undefined for a script without an address. */
  readonly address: string | undefined
  /** Sompi. */
  readonly amount: bigint
  readonly outpoint: Outpoint
  /** The transaction that creates or spends the UTXO. */
  readonly transactionId: string
  readonly isCoinbase: boolean
  readonly acceptingBlockHash: string
  readonly acceptingBlueScore: bigint
  readonly acceptingDaaScore: bigint
}

type Movement = Pick<ExpectedTransfer, 'direction' | 'address' | 'amount' | 'outpoint'>

/** Every transfer of the chain from genesis to sink, in the order of acceptance; genesis UTXOs are not transfers. */
export function* transfersOf({ state }: Network): Iterable<ExpectedTransfer> {
  const addressOf = (script: Parameters<typeof state.validation.addresses.of>[0]) =>
    state.validation.addresses.of(script)
  for (const acceptingBlockHash of state.chain.slice(0)) {
    const { blueScore: acceptingBlueScore, daaScore: acceptingDaaScore } = state.dag.get(acceptingBlockHash).header
    const merged = state.acceptanceOf(acceptingBlockHash)?.merged ?? []
    for (const accepted of merged.flatMap((block) => block.accepted)) {
      const transactionId = accepted.known.id
      const isCoinbase = accepted.known.transaction.inputs.length === 0
      for (const movement of movementsOf(accepted, addressOf))
        yield { ...movement, transactionId, isCoinbase, acceptingBlockHash, acceptingBlueScore, acceptingDaaScore }
    }
  }
}

type AddressOf = (script: AcceptedTransaction['spent'][number]['scriptPublicKey']) => string | undefined

/** Debits first: a transaction spends before it creates. */
function movementsOf({ known, spent }: AcceptedTransaction, addressOf: AddressOf): readonly Movement[] {
  const debits = spent.map(({ amount, outpoint, scriptPublicKey }) => ({
    direction: 'debit' as const,
    address: addressOf(scriptPublicKey),
    amount,
    outpoint,
  }))
  const credits = known.transaction.outputs.map(({ value, scriptPublicKey }, index) => ({
    direction: 'credit' as const,
    address: addressOf(scriptPublicKey),
    amount: value,
    outpoint: { transactionId: known.id, index },
  }))
  return [...debits, ...credits]
}
