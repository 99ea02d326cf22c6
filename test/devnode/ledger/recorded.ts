import { createNetwork } from '../../../src/devnode/ledger/create-network.js'
import { admit, type Admission } from '../../../src/devnode/ledger/mempool/admission.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { mine, toMiner } from '../../../src/devnode/ledger/steps/mine.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { NETWORKS } from '../../../src/model/network.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { toOutpointKey, type ScriptPublicKey, type UtxoEntry } from '../../../src/model/utxo.js'
import recordings from '../../fixtures/node-2.1.0/rules.json'

/** Recorded responses of a real node: the submitted transactions, and a network to submit them to. */

/** A transaction as recorded: u64 as text, the script prefixed with its version. */
export interface RecordedTransaction {
  readonly version: number
  readonly inputs: readonly {
    readonly previousOutpoint: { readonly transactionId: string; readonly index: number }
    readonly signatureScript: string
    readonly sequence: string
    readonly sigOpCount?: number
    readonly computeBudget?: number
  }[]
  readonly outputs: readonly {
    readonly value: string
    readonly scriptPublicKey: string
    readonly covenant?: { readonly authorizingInput: number; readonly covenantId: string } | null
  }[]
  readonly lockTime: string
  readonly subnetworkId: string
  readonly gas: string
  readonly payload: string
  readonly mass?: string
  readonly storageMass?: string
}

export interface RecordedEntry {
  readonly name: string
  readonly method?: string
  readonly submit?: RecordedTransaction
  readonly response?: { readonly transactionId?: string }
  readonly error?: string
  readonly spent?: readonly {
    readonly amount: string
    readonly scriptPublicKey: string
    readonly blockDaaScore: string
    readonly isCoinbase: boolean
  }[]
}

/** The recording names responses `answer`. */
export const recordedEntries = (recordings.entries as readonly { readonly answer?: unknown }[]).map(
  ({ answer: response, ...entry }) => (response === undefined ? entry : { ...entry, response }),
) as unknown as readonly RecordedEntry[]

/** A recorded entry, with its further fields. */
export const recorded = (name: string): RecordedEntry & Readonly<Record<string, unknown>> => {
  const entry = recordedEntries.find((candidate) => candidate.name === name)
  if (entry === undefined) throw new Error(`No recorded entry ${name}`)
  return entry as RecordedEntry & Readonly<Record<string, unknown>>
}

/** The list of responses in a recorded field. */
export const responsesIn = (field: unknown): unknown => (field as { readonly answers: unknown }).answers

/** Addresses of the recording: A held the genesis UTXOs, M mined. */
export const ADDRESSES = {
  A: addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim'),
  B: addressOfPublicKey('2c0b7cf95324a07d05398b240174dc0c2be444d96b159aa6c7f7b1e668680991', 'kaspasim'),
  M: addressOfPublicKey('5ab4689e400a4a160cf01cd44730845a5441a6fc3f5c9e7a0ceb9b25c3b2f187', 'kaspasim'),
} as const

const SCRIPT_OF_A = '203c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1ac'

export const toScript = (text: string): ScriptPublicKey => ({
  version: Number.parseInt(text.slice(0, 4), 16),
  script: text.slice(4),
})

export function toTransaction(sent: RecordedTransaction): Transaction {
  return {
    version: sent.version,
    inputs: sent.inputs.map(({ sequence, sigOpCount = 0, ...input }) => ({
      ...input,
      sequence: BigInt(sequence),
      sigOpCount,
    })),
    outputs: sent.outputs.map(({ value, scriptPublicKey, covenant }) => ({
      value: BigInt(value),
      scriptPublicKey: toScript(scriptPublicKey),
      ...(covenant && { covenant }),
    })),
    lockTime: BigInt(sent.lockTime),
    subnetworkId: sent.subnetworkId,
    gas: BigInt(sent.gas),
    payload: sent.payload,
    mass: BigInt(sent.mass ?? sent.storageMass ?? 0),
  }
}

/** The UTXOs spent by entries: recorded ones, genesis UTXOs, and outputs of recorded transactions. */
export function recordedUtxos(entries: readonly RecordedEntry[]): readonly UtxoEntry[] {
  const utxos = new Map<string, UtxoEntry>()
  for (const { submit, spent } of entries)
    for (const [index, { previousOutpoint }] of (submit?.inputs ?? []).entries()) {
      const utxo = recordedUtxo(previousOutpoint, spent?.[index])
      if (utxo !== undefined) utxos.set(toOutpointKey(previousOutpoint), utxo)
    }
  return [...utxos.values()]
}

function recordedUtxo(
  outpoint: UtxoEntry['outpoint'],
  spent: NonNullable<RecordedEntry['spent']>[number] | undefined,
): UtxoEntry | undefined {
  const base = { outpoint, blockDaaScore: 0n, isCoinbase: false }
  if (spent !== undefined)
    return {
      ...base,
      amount: BigInt(spent.amount),
      scriptPublicKey: toScript(spent.scriptPublicKey),
      blockDaaScore: BigInt(spent.blockDaaScore),
      isCoinbase: spent.isCoinbase,
    }
  if (outpoint.transactionId.startsWith('0'.repeat(48)))
    return { ...base, amount: 10_000_000_000n, scriptPublicKey: { version: 0, script: SCRIPT_OF_A } }
  const creator = admitted.get(outpoint.transactionId)?.outputs[outpoint.index]
  return creator && { ...base, amount: BigInt(creator.value), scriptPublicKey: toScript(creator.scriptPublicKey) }
}

/** Recorded transactions that were admitted, by id. */
const admitted = new Map(
  recordedEntries.flatMap(({ submit, response }) =>
    submit !== undefined && response !== undefined ? [[transactionId(toTransaction(submit)), submit] as const] : [],
  ),
)

/** A simnet with these genesis UTXOs, mined up to a DAA score. */
export function networkWith(utxos: readonly UtxoEntry[], virtualDaaScore = 0): Network {
  const network = createNetwork(NETWORKS.simnet, utxos)
  mineBlocks(network, virtualDaaScore)
  return network
}

export function mineBlocks(network: Network, count: number): void {
  mine(network, { miner: toMiner(ADDRESSES.A, '2.1.0'), now: 1_795_234_286_708, count, parallel: 1 })
}

/** Submits a recorded transaction with its recorded method; returns the error message or the id. */
export function replay(
  network: Network,
  { submit, method }: RecordedEntry,
  orphans: 'rejected' | 'allowed' = 'rejected',
): string {
  if (submit === undefined) throw new Error('The entry has no submitted transaction')
  const rbf = method === 'submitTransactionReplacement' ? 'required' : 'forbidden'
  const missingUtxo = orphans === 'allowed' ? 'keep-as-orphan' : 'reject'
  return toText(admit(network, toTransaction(submit), { rbf, missingUtxo }))
}

export const toText = (admission: Admission): string =>
  admission.kind === 'rejected' ? admission.message : admission.id

/** The recorded error message or id. */
export const recordedText = ({ error, response }: RecordedEntry): string => error ?? response?.transactionId ?? ''
