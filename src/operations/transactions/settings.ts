import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress, toScriptPublicKey } from '../../model/address.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { isHex } from '../../model/hex.js'
import { MAX_OUTPUTS } from '../../model/mass.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'
import { checkEntries } from './check-entries.js'
import { checkFee, type FeeChoice } from './check-fee.js'
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
  /** The id of the transaction whose place is to be taken. */
  readonly replaces: string | undefined
}

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
    replaces: checkReplaces(settings.replaces),
    entries: checkEntries(settings.entries, network),
  }
}

function checkAddress(address: string | undefined, argument: string, network: ChainNetwork): ScriptPublicKey {
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
  const checked = outputs.map((output: Partial<PaymentOutput> | null | undefined, index) => ({
    scriptPublicKey: checkAddress(output?.address, `outputs[${index}].address`, network),
    value: checkAmount(output?.amount, `outputs[${index}].amount`),
  }))
  if (checked.reduce((sum, { value }) => sum + value, 0n) <= MAX_SOMPI) return checked
  throw invalidArgument('outputs', 'The outputs hold more than there will ever be')
}

function checkAmount(amount: bigint | undefined, argument: string): bigint {
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

function checkReplaces(id: string | undefined): string | undefined {
  if (id === undefined || isHex(id, 32)) return id
  throw invalidArgument('replaces', '"replaces" is no transaction id', 'It has 64 hex digits, in lower case.')
}
