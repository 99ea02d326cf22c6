import { invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import type {
  AccountPaymentSettings,
  CancelSettings,
  ConsolidateSettings,
  SendOptions,
  SendSettings,
  SweepSettings,
} from './records.js'
import type { FundingOptions } from './send-arguments.js'
import type { CreatedTransactions, SentTransactions, TransactionOperations } from './transaction-operations.js'

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
export type Pay = (
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
