import { invalidArgument, ChainError } from '../../errors/chain-error.js'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import type {
  SendOptions,
  CreateTransactionSettings,
  AccountPaymentSettings,
  CancelSettings,
  ConsolidateSettings,
  SendSettings,
  SweepSettings,
} from './records.js'
import { type KeysOrSigner, requireSigner } from './sign/sign-with-keys.js'
import type { TransactionSigner } from '../../sdk/port.js'
import { toAddress, decodeAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type {
  ManagedAddresses,
  CreatedTransactions,
  SentTransactions,
  TransactionOperations,
} from './transaction-operations.js'
import type { CheckedSettings } from './settings.js'
import { awaitedOf, type AwaitUtxos } from '../../model/utxo-source/awaited.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import { isHex } from '../../model/hex.js'

/** Throws `ChainError` (`invalid-argument`): a misspelt `onSigned` would send a payment that was not stored. */
export function checkSendOptions(options: SendOptions, names = SEND_OPTIONS): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw invalidArgument(unknown, `There is no option "${unknown}"`, 'Check its spelling, or leave it out.')
  checkFunding(options)
  if (options.onSigned === undefined || typeof options.onSigned === 'function') return
  throw invalidArgument('onSigned', '"onSigned" must be a function')
}

const SEND_OPTIONS: readonly string[] = ['signal', 'onSigned', 'waitForFunds', 'chainDepth']

/** The options of what is planned and not signed. */
export const PLAN_OPTIONS: readonly string[] = ['signal', 'waitForFunds', 'chainDepth']

/** The options where everything is planned already. */
export const SIGN_OPTIONS: readonly string[] = ['signal', 'onSigned']

/** Throws `ChainError` (`invalid-argument`). */
export function checkFunding({ waitForFunds = 0, chainDepth = 0 }: FundingOptions): void {
  if (!(typeof waitForFunds === 'number' && waitForFunds >= 0 && waitForFunds <= LONGEST_WAIT))
    throw invalidArgument('waitForFunds', `"waitForFunds" must be ms from 0 to ${LONGEST_WAIT}`)
  if (!(Number.isInteger(chainDepth) && chainDepth >= 0 && chainDepth <= LONGEST_CHAIN))
    throw invalidArgument('chainDepth', `"chainDepth" must be an integer from 0 to ${LONGEST_CHAIN}`)
}

/** Where funds may come from that are not spendable when a payment is planned first. */
export type FundingOptions = Pick<SendOptions, 'signal' | 'waitForFunds' | 'chainDepth'>

/** Ms; and payments. */
const [LONGEST_WAIT, LONGEST_CHAIN] = [3_600_000, 10]

/** Exactly one of both. Throws `ChainError` (`invalid-argument`) and `ChainCryptoError` (`invalid-key`). */
export function requireSigning(
  operation: string,
  {
    privateKeys,
    signer,
  }: { readonly privateKeys: readonly string[] | undefined; readonly signer: TransactionSigner | undefined },
): KeysOrSigner {
  if (signer === undefined) return requireKeys(operation, privateKeys)
  if (privateKeys !== undefined)
    throw invalidArgument('signer', 'Both "privateKeys" and "signer" are set', 'Pass one of them.')
  requireSigner(signer)
  return signer
}

function requireKeys(operation: string, privateKeys: readonly string[] | undefined): readonly string[] {
  if (privateKeys !== undefined && isList(privateKeys) && privateKeys.length > 0) return privateKeys
  throw new ChainCryptoError(operation, new Error('privateKeys is empty'), {
    code: 'invalid-key',
    argument: 'privateKeys',
    hint: 'Pass the private keys, in hex, of the addresses that the entries belong to, or a signer.',
  })
}

/** Callers in JavaScript pass anything. */
const isList = (value: unknown): boolean => Array.isArray(value)

/**
 * Throws `ChainError` (`managed-by-journal`) where a UTXO is of an address that a payment queue pays from, by its
 * script where it names none: a second path would spend what the queue has claimed. `fixed`: spent in any case.
 */
export function requireUnmanaged(
  { network, utxos }: Pick<CheckedSettings, 'network' | 'utxos'>,
  managed: ManagedAddresses | undefined,
  fixed: readonly Pick<UtxoEntry, 'address' | 'scriptPublicKey'>[] = [],
): void {
  if (managed === undefined || managed.size === 0) return
  const scripts = utxos.source.rows.parts.flatMap(({ columns }) => columns.scripts)
  for (const { address, scriptPublicKey } of [...scripts, ...fixed]) {
    const paying = address ?? toAddress(scriptPublicKey, NETWORKS[network].addressPrefix) ?? ''
    const queue = managed.get(paying)
    if (queue !== undefined) throw managedBy(paying, queue)
  }
}

/** The error of a second path to the addresses of a queue. */
export const managedBy = (address: string, queue: string): ChainError =>
  new ChainError(`The payment queue "${queue}" pays from ${address}`, {
    code: 'managed-by-journal',
    argument: 'entries',
    hint: 'Pay with payouts.pay(), or leave the UTXOs of this address out.',
  })

type Entries = CreateTransactionSettings['entries']

/**
 * How a payment waits for the UTXOs that it spends in place of restored ones; null where it spends those given, which
 * are not checked yet.
 */
export const awaitedEntries = ({ entries }: { readonly entries: Entries }): AwaitUtxos<Entries> | null =>
  entries instanceof UtxoSource ? entries.awaited : Array.isArray(entries) ? awaitedOf(entries) : null

/** How a payment is planned. */
export interface PlanScope {
  /** The UTXOs of a consolidation. @default all */
  readonly maxInputs?: number | undefined
  /** Whether `changeAddress` is one's own. @default true */
  readonly hasChange?: boolean | undefined
}

type AccountCancel = Omit<AccountPaymentSettings, 'outputs' | 'replaces'>
type AccountConsolidation = AccountCancel & Pick<ConsolidateSettings, 'maxInputs'>
type AccountSweep = Omit<AccountCancel, 'changeAddress'> & Pick<SweepSettings, 'to'>

/** Signs and sends a payment, or plans that of an account, whose cosigners sign it. */
type Pay = (
  operation: string,
  settings: SendSettings | AccountPaymentSettings,
  options?: SendOptions,
  scope?: PlanScope,
) => Promise<SentTransactions | CreatedTransactions>

/** The payments that have a name: of keys, or planned for an account of several signers. */
export function createNamedPayments(pay: Pay): Pick<TransactionOperations, 'sweep' | 'consolidate' | 'cancel'> {
  function sweep(given: AccountSweep, options?: FundingOptions): Promise<CreatedTransactions>
  function sweep(given: SweepSettings, options?: SendOptions): Promise<SentTransactions>
  async function sweep(
    given: SweepSettings | AccountSweep,
    options?: SendOptions,
  ): Promise<SentTransactions | CreatedTransactions> {
    return pay('sweep', toSweep(given), options, { hasChange: false })
  }

  function consolidate(given: AccountConsolidation, options?: FundingOptions): Promise<CreatedTransactions>
  function consolidate(given: ConsolidateSettings, options?: SendOptions): Promise<SentTransactions>
  async function consolidate(
    { maxInputs = Infinity, ...given }: ConsolidateSettings | AccountConsolidation,
    options?: SendOptions,
  ): Promise<SentTransactions | CreatedTransactions> {
    refuse('consolidate', given, ['outputs', 'replaces'])
    return pay('consolidate', given, options, { maxInputs: checkMaxInputs(maxInputs) })
  }

  function cancel(id: string, given: AccountCancel, options?: FundingOptions): Promise<CreatedTransactions>
  function cancel(id: string, given: CancelSettings, options?: SendOptions): Promise<SentTransactions>
  async function cancel(
    id: string,
    given: CancelSettings | AccountCancel,
    options?: SendOptions,
  ): Promise<SentTransactions | CreatedTransactions> {
    return pay('cancel', toCancellation(id, given), options)
  }
  return { sweep, consolidate, cancel }
}

/** Settings that spend everything to one address. Throws `ChainError` (`invalid-argument`). */
function toSweep({ to, ...settings }: SweepSettings | AccountSweep): SendSettings | AccountPaymentSettings {
  refuse('sweep', settings, ['outputs', 'changeAddress', 'replaces'])
  if (typeof to !== 'string') throw invalidArgument('to', '"to" must be an address')
  decodeAddress(to, 'to')
  return { ...settings, changeAddress: to }
}

function checkMaxInputs(maxInputs: number): number {
  if (maxInputs === Infinity || (Number.isInteger(maxInputs) && maxInputs >= 2)) return maxInputs
  throw invalidArgument('maxInputs', '"maxInputs" must be a whole number, 2 or more')
}

/** Settings that return the inputs of a payment in the mempool. Throws `ChainError` (`invalid-argument`). */
function toCancellation(id: string, settings: CancelSettings | AccountCancel): SendSettings | AccountPaymentSettings {
  refuse('cancel', settings, ['outputs', 'replaces'])
  if (isHex(id, 32)) return { ...settings, replaces: id }
  throw invalidArgument('id', '"id" is no transaction id', 'It has 64 hex digits, in lower case.')
}

/** A setting that has no meaning here would be ignored, or change what is paid. */
function refuse(operation: string, settings: object, names: readonly string[]): void {
  const name = names.find((each) => each in settings)
  if (name !== undefined) throw invalidArgument(name, `${operation}() takes no "${name}"`)
}
