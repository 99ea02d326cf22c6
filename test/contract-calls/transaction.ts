import { schnorr } from '@noble/curves/secp256k1.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import { minimumFee } from '../../src/model/mass.js'
import { placeholderSignature, sighash } from '../../src/model/sighash.js'
import { createTransaction, type Transaction, type TransactionOutput } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { runInput } from '../../src/script/run-input.js'
import { budgetOf, MAX_UNITS } from '../../src/script/machine.js'
import { toSpendingContext } from '../../src/script/spending.js'
import { walletOf, type Wallet } from '../devnode/ledger/wallet.js'

/** A wallet whose signatures a script may contain. */
export interface Party extends Wallet {
  readonly key: Uint8Array<ArrayBuffer>
  /** Hex, 32 bytes. */
  readonly publicKey: string
}

const partyOf = (byte: number): Party => {
  const key = new Uint8Array(32).fill(byte)
  return { ...walletOf(byte), key, publicKey: toHex(schnorr.getPublicKey(key)) }
}

/** Has the UTXOs of the node. */
export const ALICE = partyOf(0x33)
export const BOB = partyOf(0x44)
export const CAROL = partyOf(0x55)
const PARTIES = [ALICE, BOB, CAROL]

/** The signature of an input by the key of an address, or what stands for it before. */
export type Sign = (address: string) => Uint8Array

export interface PlannedInput {
  readonly utxo: UtxoEntry
  /** Its signature script, hex. */
  readonly script: (sign: Sign) => string
  /** Compute budget. @default what its script uses */
  readonly budget?: number | undefined
  readonly sigOpCount?: number | undefined
}

export interface PlannedTransaction {
  readonly inputs: readonly PlannedInput[]
  readonly outputs: readonly TransactionOutput[]
  /** Pays for it, as the last input, to a change output. Without one the remainder is the fee. */
  readonly fundedBy?: UtxoEntry | undefined
  /** Sompi. @default the least fee */
  readonly fee?: bigint | undefined
}

/** The input that spends an output of a key. */
export const keyInput = (utxo: UtxoEntry, { address }: Party = ALICE): PlannedInput => ({
  utxo,
  script: (sign) => `41${toHex(sign(address))}`,
})

/** Builds and signs a transaction of version 1. */
export function build({ inputs: planned, outputs, fundedBy, fee }: PlannedTransaction): Transaction {
  const inputs = fundedBy === undefined ? planned : [...planned, keyInput(fundedBy)]
  const spent = inputs.map(({ utxo }) => utxo)
  const scripted = withScripts(inputs, [...outputs, ...changeOf(fundedBy, 0n)], () => placeholderOf)
  const budgeted = withBudgets(scripted, inputs)
  const total = spent.reduce((sum, { amount }) => sum + amount, 0n)
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  const change = total - paid - (fee ?? minimumFee(budgeted))
  const unsigned = { ...budgeted, outputs: [...outputs, ...changeOf(fundedBy, change)] }
  const signed = inputs.map(({ script }, index) => script((address) => signatureOf(unsigned, index, spent, address)))
  return {
    ...unsigned,
    inputs: unsigned.inputs.map((input, index) => ({ ...input, signatureScript: signed[index]! })),
  }
}

function withScripts(
  inputs: readonly PlannedInput[],
  outputs: readonly TransactionOutput[],
  signOf: (index: number) => Sign,
): Transaction {
  return createTransaction({
    version: 1,
    inputs: inputs.map(({ utxo, script, sigOpCount = 0 }, index) => ({
      previousOutpoint: utxo.outpoint,
      signatureScript: script(signOf(index)),
      sequence: 0n,
      sigOpCount,
      computeBudget: 0,
    })),
    outputs,
  })
}

/** Gives each input the budget of the units that its scripts use up to their end or failure. */
function withBudgets(transaction: Transaction, inputs: readonly PlannedInput[]): Transaction {
  const context = toSpendingContext(
    transaction,
    inputs.map(({ utxo }) => utxo),
  )
  const options = { limit: MAX_UNITS, signatures: 'placeholders' } as const
  const used = (index: number): number => runInput(context, index, options).units
  return {
    ...transaction,
    inputs: transaction.inputs.map((input, index) => ({
      ...input,
      computeBudget: inputs[index]!.budget ?? budgetOf(used(index)),
    })),
  }
}

const changeOf = (fundedBy: UtxoEntry | undefined, value: bigint): readonly TransactionOutput[] =>
  fundedBy === undefined ? [] : [{ value, scriptPublicKey: toScriptPublicKey(ALICE.address) }]

const partyAt = (address: string): Party => PARTIES.find((party) => party.address === address)!

const placeholderOf: Sign = (address) => placeholderSignature(fromHex(partyAt(address).publicKey))

/** The signature of an input by the key of a party, with its type. */
export function signatureOf(
  transaction: Transaction,
  index: number,
  spent: readonly UtxoEntry[],
  address: string,
): Uint8Array<ArrayBuffer> {
  const signature = schnorr.sign(sighash(transaction, index, spent), partyAt(address).key, new Uint8Array(32))
  return Uint8Array.of(...signature, 1)
}
