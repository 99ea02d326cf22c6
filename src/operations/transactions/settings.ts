import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress, toScriptPublicKey } from '../../model/address.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { isHex } from '../../model/hex.js'
import { MAX_OUTPUTS } from '../../model/mass.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { TransactionOutput } from '../../model/transaction.js'
import { toOutpointKey, type ScriptPublicKey, type UtxoEntry } from '../../model/utxo.js'
import type { CreateTransactionSettings, PaymentOutput } from './records.js'

/** Settings that have been found in order, in the words of a transaction. */
export interface CheckedSettings {
  readonly network: ChainNetwork
  /** Plain, and each once. */
  readonly entries: readonly UtxoEntry[]
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Hex. */
  readonly payload: string
  readonly fee: FeeChoice
}

/** The fee that was asked for; the node's minimum is known only to the node. */
export type FeeChoice =
  { readonly kind: 'rate'; readonly rate: number } | { readonly kind: 'minimum'; readonly priorityFee: bigint }

/** Beyond this a rate asks for more than there is, for the smallest transaction. */
const MAX_FEERATE = 1e15

/**
 * Checks what a caller asks for, all of it, before anything is done.
 * Throws `ChainError` (`invalid-argument`) that names the argument as the caller wrote it: `outputs[1].amount`.
 */
export function checkSettings(settings: CreateTransactionSettings, network: ChainNetwork): CheckedSettings {
  const { networkId, changeAddress, outputs = [] } = settings
  if (networkId !== undefined && networkId !== network) {
    throw invalidArgument(
      'networkId',
      `The app is on ${network}, not on "${networkId}"`,
      'Leave networkId out, or switch the network first.',
    )
  }
  return {
    network,
    change: checkAddress(changeAddress, 'changeAddress', network),
    outputs: checkOutputs(outputs, network),
    payload: checkPayload(settings.payload ?? ''),
    fee: checkFee(settings),
    entries: checkEntries(settings.entries, network),
  }
}

function checkAddress(address: string, argument: string, network: ChainNetwork): ScriptPublicKey {
  if (typeof address !== 'string') throw invalidArgument(argument, `"${argument}" must be an address`)
  const { prefix } = decodeAddress(address, argument)
  const { addressPrefix } = NETWORKS[network]
  if (prefix === addressPrefix) return toScriptPublicKey(address, argument)
  throw invalidArgument(
    argument,
    `The address belongs to another network than ${network}`,
    `Addresses of ${network} begin with "${addressPrefix}:".`,
  )
}

function checkOutputs(outputs: readonly PaymentOutput[], network: ChainNetwork): readonly TransactionOutput[] {
  if (!Array.isArray(outputs)) throw invalidArgument('outputs', '"outputs" must be an array of { address, amount }')
  if (outputs.length >= MAX_OUTPUTS)
    throw invalidArgument('outputs', `A transaction has at most ${MAX_OUTPUTS - 1} recipients and change`)
  const checked = outputs.map(({ address, amount }: PaymentOutput, index) => ({
    scriptPublicKey: checkAddress(address, `outputs[${index}].address`, network),
    value: checkAmount(amount, `outputs[${index}].amount`),
  }))
  if (checked.reduce((sum, { value }) => sum + value, 0n) <= MAX_SOMPI) return checked
  throw invalidArgument('outputs', 'The outputs hold more than there will ever be')
}

function checkAmount(amount: bigint, argument: string): bigint {
  if (typeof amount === 'bigint' && amount > 0n && amount <= MAX_SOMPI) return amount
  throw invalidArgument(
    argument,
    `"${argument}" must be an amount above zero, in sompi, as a bigint`,
    'kaspaToSompi("12.5") makes one.',
  )
}

function checkPayload(payload: string): string {
  const lower = typeof payload === 'string' ? payload.toLowerCase() : payload
  if (isHex(lower)) return lower
  throw invalidArgument('payload', 'The payload is not hex', 'Whole bytes, two digits each, without 0x.')
}

function checkFee({ feeRate, priorityFee }: CreateTransactionSettings): FeeChoice {
  if (feeRate !== undefined && priorityFee !== undefined) {
    throw invalidArgument(
      'feeRate',
      'Both feeRate and priorityFee are given',
      'Give one: a rate for every gram, or a fixed fee beyond the minimum.',
    )
  }
  if (feeRate !== undefined) return { kind: 'rate', rate: checkFeeRate(feeRate) }
  if (priorityFee === undefined) return { kind: 'minimum', priorityFee: 0n }
  if (typeof priorityFee === 'bigint' && priorityFee >= 0n && priorityFee <= MAX_SOMPI)
    return { kind: 'minimum', priorityFee }
  throw invalidArgument('priorityFee', '"priorityFee" must be an amount in sompi, as a bigint, zero or more')
}

function checkFeeRate(feeRate: number): number {
  if (typeof feeRate === 'number' && feeRate >= 0 && feeRate <= MAX_FEERATE) return feeRate
  throw invalidArgument(
    'feeRate',
    '"feeRate" must be a number of sompi per gram, zero or more',
    'getFeeEstimate() names the rates of the moment.',
  )
}

function checkEntries(entries: readonly UtxoEntry[], network: ChainNetwork): readonly UtxoEntry[] {
  if (!Array.isArray(entries)) throw invalidArgument('entries', '"entries" must be an array of UTXO entries')
  const each = new Map(
    entries.map((entry: UtxoEntry, index) => [
      toOutpointKey(entry.outpoint),
      checkEntry(entry, `entries[${index}]`, network),
    ]),
  )
  return [...each.values()]
}

function checkEntry(entry: UtxoEntry, argument: string, network: ChainNetwork): UtxoEntry {
  const { address, amount, outpoint, scriptPublicKey } = entry
  if (!isHex(outpoint.transactionId, 32))
    throw invalidArgument(`${argument}.outpoint`, `"${argument}.outpoint" names no transaction`)
  if (typeof amount !== 'bigint' || amount <= 0n)
    throw invalidArgument(`${argument}.amount`, `"${argument}.amount" must be a bigint above zero`)
  const { addressPrefix } = NETWORKS[network]
  if (address !== undefined && !address.startsWith(`${addressPrefix}:`)) {
    throw invalidArgument(
      `${argument}.address`,
      `The entry belongs to another network than ${network}`,
      'Track addresses of the network that is paid on.',
    )
  }
  return {
    address,
    outpoint: { transactionId: outpoint.transactionId, index: outpoint.index },
    amount,
    scriptPublicKey: { version: scriptPublicKey.version, script: scriptPublicKey.script },
    blockDaaScore: entry.blockDaaScore,
    isCoinbase: entry.isCoinbase,
    covenantId: entry.covenantId,
  }
}
