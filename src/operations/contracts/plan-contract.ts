import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { loadCode } from '../../loading/load-code.js'
import { NETWORKS, type AddressPrefix } from '../../model/network.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { BuiltTransaction } from '../transactions/build.js'
import type { TransactionDependencies } from '../transactions/dependencies.js'
import type { Call } from '../queries/call.js'
import { requireFeeWithin, requireLeastFeeWithin } from '../transactions/fee-bound.js'
import { requireDistinctInputs } from '../transactions/plan/distinct-inputs.js'
import type { Draft } from '../transactions/plan/draft.js'
import { fetchTerms, fundsOf, type NodeTerms, type Preparation } from '../transactions/prepare.js'
import type { CreateTransactionSettings } from '../transactions/records.js'
import { requireUnmanaged } from '../transactions/require-unmanaged.js'
import type { ClassifyScripts } from '../transactions/script-classes.js'
import { checkSettings, type CheckedSettings } from '../transactions/settings.js'
import { toContractError, toRefusal } from './contract-failure.js'
import type { PlacedCall } from './place-calls.js'
import { planSpends } from './plan-spends.js'
import type { PreparedCall } from './prepare-calls.js'
import type { ContractSettings } from './records.js'
import { signersOf, type SignableSpend } from './contract-signing.js'

/** Checked settings of a transaction of contracts. */
export interface CheckedContractSettings extends CheckedSettings {
  readonly lockTime: bigint
  readonly maxUnconfirmedCalls: number
}

/** What is planned, and not signed. */
export interface PlannedContract {
  readonly drafts: readonly Draft[]
  /** The last one has the calls. */
  readonly built: readonly BuiltTransaction[]
  readonly last: BuiltTransaction
  readonly spends: readonly SignableSpend[]
}

const OWN = ['outputs', 'lockTime', 'maxUnconfirmedCalls', 'signal'] as const
const PAYMENT = [
  'entries',
  'changeAddress',
  'priorityFee',
  'feeRate',
  'maxFee',
  'commitAmounts',
  'spendBound',
  'networkId',
  'replaces',
] as const satisfies readonly (keyof CreateTransactionSettings)[]

/** Throws `ChainError`: `invalid-argument`, `managed-by-journal`, `contract-address`. */
export function checkContractSettings(
  settings: ContractSettings,
  { network, managed, checks = [] }: Pick<TransactionDependencies, 'network' | 'managed' | 'checks'>,
  classify: ClassifyScripts,
): CheckedContractSettings {
  refuseUnknown(settings, [...OWN, ...PAYMENT])
  const { outputs, lockTime = 0n, maxUnconfirmedCalls = 10, signal: _, ...payment } = settings
  if (typeof lockTime !== 'bigint' || BigInt.asUintN(64, lockTime) !== lockTime)
    throw invalidArgument('lockTime', '"lockTime" must be a bigint of 64 bits, zero or more')
  if (!Number.isInteger(maxUnconfirmedCalls) || maxUnconfirmedCalls < 0)
    throw invalidArgument('maxUnconfirmedCalls', '"maxUnconfirmedCalls" must be a whole number, zero or more')
  const checked = checkSettings({ ...payment, ...(outputs && { outputs }) }, network(), classify)
  requireUnmanaged(checked, managed)
  for (const check of checks) check(checked)
  return { ...checked, lockTime, maxUnconfirmedCalls }
}

/**
 * Fetches what the settings do not define, and the transaction that is replaced. Rejects with `ChainRpcError`, and as
 * `fetchReplacedCalls` does.
 */
export function fetchContractTerms(
  settings: CheckedContractSettings,
  prepared: readonly PreparedCall[],
  call: Call,
): Promise<NodeTerms> {
  return fetchTerms(settings, call, async (id) => {
    const { fetchReplacedCalls } = await loadCode(() => import('./recovery.js'))
    return fetchReplacedCalls(id, prepared, settings, call)
  })
}

/**
 * Plans and executes a transaction with calls, `begun` outputs, and payments. Synchronous, so that its UTXOs can be
 * reserved before another one selects them. Throws `ChainError`: `contract-refused`, `insufficient-funds`,
 * `mass-exceeded`, `fee-too-high`, `unsupported`.
 */
export function planContract(
  calls: readonly PlacedCall[],
  begun: readonly TransactionOutput[],
  preparation: Preparation<CheckedContractSettings>,
  { reservations }: Pick<TransactionDependencies, 'reservations'>,
): PlannedContract {
  const { settings, terms } = preparation
  const { change, fee, maxFee, commitsAmounts, lockTime } = settings
  const { policy, nodeFeeRate } = terms
  const spends = calls.map((one) => toSpend(one, NETWORKS[settings.network].addressPrefix))
  const outputs = [...calls.flatMap((call) => call.outputs), ...begun, ...settings.outputs]
  const funds = fundsOf(preparation, reservations)
  const priorityFee = fee.kind === 'minimum' ? fee.priorityFee : 0n
  const planned = planSpends({ spends, outputs, change, priorityFee, lockTime }, funds, policy, { commitsAmounts })
  if (planned.kind === 'refused') throw toRefusal(planned)
  const bound = { maxFee, nodeFeeRate }
  if (planned.kind === 'impossible') {
    requireLeastFeeWithin(bound, planned.template, policy)
    throw toContractError(planned, funds, policy)
  }
  requireDistinctInputs(planned.drafts)
  requireFeeWithin(bound, planned.drafts)
  const { drafts, built } = planned
  const last = built.at(-1)
  if (last === undefined) throw new TypeError('A plan has a transaction')
  return { drafts, built, last, spends }
}

function toSpend({ call, state, utxo, args, states }: PlacedCall, prefix: AddressPrefix): SignableSpend {
  const { entry, covenantId, target, options } = call
  const { contract } = target
  const script: SignableSpend['script'] = (sign) => contract.signatureScript(state as never, entry, args as never, sign)
  const { name } = contract
  const shown = { name, entry, arguments: args, covenantId, stateBefore: state, stateAfter: states }
  return {
    utxo,
    entry,
    script,
    sequence: options.sequence,
    budget: options.computeBudget,
    signers: signersOf(script, shown, prefix),
  }
}
