import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress, toAddressScript } from '../../model/address.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { isHex } from '../../model/hex.js'
import { MAX_OUTPUTS } from '../../model/mass.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { AccountInputs } from './account-inputs.js'
import { checkEntries, type CheckedUtxos } from './check-entries.js'
import { checkFee, checkMaxFee, type FeeChoice } from './payment-fee.js'
import type { CreateTransactionSettings, PaymentOutput, PlannedSettings } from './records.js'
import type { ClassifyScripts } from './script-classes.js'
import type { SignerRules } from './sign/signer-limits.js'

/** Validated settings, as parts of a transaction. */
export interface CheckedSettings {
  readonly network: ChainNetwork
  /** The UTXOs to select from, without duplicates. */
  readonly utxos: CheckedUtxos
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Hex. */
  readonly payload: string
  readonly fee: FeeChoice
  /** Sompi; undefined for the default. */
  readonly maxFee: bigint | undefined
  /** The id of the transaction to replace. */
  readonly replaces: string | undefined
  /** Whether sequences commit to the amounts of the inputs. */
  readonly commitsAmounts: boolean
  /** Whether outputs that a covenant binds are spent. */
  readonly spendsBound: boolean
  /** The account of several signers whose outputs are spent, in place of those of keys. */
  readonly account?: AccountInputs | undefined
  /** The limits of what will sign; absent where there are none. */
  readonly signer?: SignerRules | undefined
}

/**
 * Validates all settings; `ignored` names are allowed and have no effect. Throws `ChainError` (`invalid-argument`) with
 * the path of the argument: `outputs[1].amount`.
 */
export function checkSettings(
  settings: PlannedSettings,
  network: ChainNetwork,
  classify: ClassifyScripts,
  ignored: readonly string[] = [],
  account?: AccountInputs,
): CheckedSettings {
  refuseUnknown(settings, ignored)
  const { networkId } = settings
  if (networkId !== undefined && networkId !== network) {
    throw invalidArgument(
      'networkId',
      `The app is on ${network}, not on "${networkId}"`,
      'Leave networkId out, or switch the network first.',
    )
  }
  return {
    network,
    account,
    change: checkChange(settings.changeAddress, account, network),
    outputs: checkOutputs(settings, network),
    payload: checkPayload(settings.payload ?? ''),
    fee: checkFee(settings),
    maxFee: checkMaxFee(settings.maxFee),
    replaces: checkReplaces(settings),
    commitsAmounts: checkFlag('commitAmounts', settings.commitAmounts, settings.signer?.limits?.commitAmounts ?? true),
    spendsBound: checkFlag('spendBound', settings.spendBound, false),
    utxos: checkEntries(settings.entries, network, account?.classifyBy(classify) ?? classify),
  }
}

const NAMES: Readonly<Record<keyof CreateTransactionSettings | 'signer', true>> = {
  entries: true,
  outputs: true,
  changeAddress: true,
  priorityFee: true,
  feeRate: true,
  maxFee: true,
  replaces: true,
  payload: true,
  commitAmounts: true,
  spendBound: true,
  networkId: true,
  signer: true,
  account: true,
}

function refuseUnknown(settings: object, ignored: readonly string[]): void {
  const unknown = Object.keys(settings).find((name) => !Object.hasOwn(NAMES, name) && !ignored.includes(name))
  if (unknown === undefined) return
  throw invalidArgument(unknown, `There is no setting "${unknown}"`, 'Check its spelling, or leave it out.')
}

/** An account of several signers with an own key knows where its change goes. */
const checkChange = (
  address: string | undefined,
  account: AccountInputs | undefined,
  network: ChainNetwork,
): ScriptPublicKey =>
  address === undefined && account !== undefined
    ? account.changeScript()
    : checkAddress(address, 'changeAddress', network)

function checkAddress(address: string | undefined, argument: string, network: ChainNetwork): ScriptPublicKey {
  if (typeof address !== 'string') throw invalidArgument(argument, `"${argument}" must be an address`)
  const decoded = decodeAddress(address, argument)
  const { addressPrefix } = NETWORKS[network]
  if (decoded.prefix === addressPrefix) return toAddressScript(decoded)
  throw invalidArgument(
    argument,
    `The address belongs to another network than ${network}`,
    `Addresses of ${network} begin with "${addressPrefix}:".`,
  )
}

/** Only absent outputs spend everything: empty or undefined ones are mistakes of the caller. */
function checkOutputs(settings: Pick<PlannedSettings, 'outputs'>, network: ChainNetwork): readonly TransactionOutput[] {
  return 'outputs' in settings ? checkPaidOutputs(settings, network) : []
}

/** Throws `ChainError` (`invalid-argument`). */
export function checkPaidOutputs(
  settings: { readonly outputs?: readonly PaymentOutput[] | undefined },
  network: ChainNetwork,
): readonly TransactionOutput[] {
  const outputs: unknown = settings.outputs
  if (!Array.isArray(outputs) || outputs.length === 0)
    throw invalidArgument('outputs', '"outputs" must be an array of { address, amount }, not empty', NO_OUTPUTS_HINT)
  if (outputs.length >= MAX_OUTPUTS)
    throw invalidArgument('outputs', `A transaction has at most ${MAX_OUTPUTS - 1} recipients and change`)
  const checked = outputs.map((output: Partial<PaymentOutput> | null | undefined, index) => ({
    scriptPublicKey: checkAddress(output?.address, `outputs[${index}].address`, network),
    value: checkAmount(output?.amount, `outputs[${index}].amount`),
  }))
  if (checked.reduce((sum, { value }) => sum + value, 0n) <= MAX_SOMPI) return checked
  throw invalidArgument('outputs', 'The outputs exceed the maximum supply')
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

/** Text such as 'false' would be taken for true. */
function checkFlag(argument: string, value: boolean | undefined, byDefault: boolean): boolean {
  if (value === undefined) return byDefault
  if (typeof value === 'boolean') return value
  throw invalidArgument(argument, `"${argument}" must be true or false`)
}

const NO_OUTPUTS_HINT =
  'To consolidate, sweep or cancel, call consolidate(), sweep() or cancel(), or leave outputs out.'

/** An undefined id without outputs would consolidate in place of cancelling. */
function checkReplaces(settings: Pick<PlannedSettings, 'replaces'>): string | undefined {
  const { replaces: id } = settings
  const isAbsent = id === undefined && (!('replaces' in settings) || 'outputs' in settings)
  if (isAbsent || isHex(id, 32)) return id
  throw invalidArgument('replaces', '"replaces" is no transaction id', 'It has 64 hex digits, in lower case.')
}
