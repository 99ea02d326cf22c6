import type { Contract } from '../../src/model/contracts/contract.js'
import type { ContractArtifact } from '../../src/model/contracts/artifact.js'
import type { ContractName, ContractStateInput } from '../../src/model/contracts/values.js'
import type { Transaction, TransactionOutput } from '../../src/model/transaction.js'
import type { Outpoint, UtxoEntry } from '../../src/model/utxo.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { utxoCreatedBy } from '../devnode/ledger/wallet.js'
import { begun, output } from './covenants.js'
import { build } from './transaction.js'

/** A node, simulated or real, with UTXOs of `ALICE`. */
export interface CallHarness {
  /** Submits; `taken`, or the words of the node. */
  submit(transaction: Transaction, how?: 'plain' | 'replacement'): Promise<string>
  /** Mines blocks with what the mempool has. */
  mine(count: number): Promise<void>
  /** A UTXO of `ALICE` that no other row spends, 20 KAS at least. */
  utxo(): Promise<UtxoEntry>
}

export interface CallRow {
  readonly situation: string
  /** The replies in order. `<call>`: the transaction itself; `<rival>`: another one; `<state>`: what both spend. */
  readonly replies: readonly string[]
  readonly play: (harness: CallHarness) => Promise<readonly string[]>
}

/** The words of SilverScript's checks. */
export const FAILED = 'failed to verify the signature script: script ran, but verification failed'

/** Submits each transaction, in order. */
export async function submitAll(
  harness: CallHarness,
  transactions: readonly Transaction[],
  how?: 'plain' | 'replacement',
): Promise<readonly string[]> {
  const replies: string[] = []
  for (const transaction of transactions) replies.push(await submit(harness, transaction, how))
  return replies
}

export const submit = async (
  harness: CallHarness,
  transaction: Transaction,
  how?: 'plain' | 'replacement',
): Promise<string> =>
  (await harness.submit(transaction, how))
    .replace(/^Rejected transaction \w{64}: /, '')
    .replaceAll(transactionId(transaction), '<call>')

/** A covenant that began. */
interface Beginning {
  readonly covenantId: string
  /** What authorized it. */
  readonly outpoint: Outpoint
  readonly transaction: Transaction
  readonly utxos: readonly UtxoEntry[]
}

/** Begins a covenant with some outputs; all of them are bound unless `indices` names them. */
export async function begin(
  harness: CallHarness,
  outputs: readonly TransactionOutput[],
  indices?: readonly number[],
): Promise<Beginning> {
  const fundedBy = await harness.utxo()
  const transaction = build({ inputs: [], outputs: begun(fundedBy.outpoint, outputs, indices), fundedBy })
  const reply = await submit(harness, transaction)
  const covenantId = transaction.outputs.find(({ covenant }) => covenant)?.covenant?.covenantId
  if (reply !== 'taken' || covenantId === undefined) throw new Error(`The covenant did not begin: ${reply}`)
  return {
    covenantId,
    transaction,
    outpoint: fundedBy.outpoint,
    utxos: outputs.map((_, index) => utxoCreatedBy(transaction, index)),
  }
}

/** Begins a covenant with one output of a contract. */
export async function deploy<A extends ContractArtifact, N extends ContractName<A>>(
  harness: CallHarness,
  contract: Contract<A, N>,
  state: ContractStateInput<A, N>,
  value?: bigint,
): Promise<Omit<Beginning, 'utxos'> & { readonly utxo: UtxoEntry }> {
  const { utxos, ...beginning } = await begin(harness, [output(contract.scriptPublicKey(state), value)])
  return { ...beginning, utxo: utxos[0]! }
}
