import { invalidArgument, refuseUnknown, ChainError } from '../../errors/chain-error.js'
import { loadCode } from '../../loading/load-code.js'
import { NETWORKS, type AddressPrefix } from '../../model/network.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { BuiltTransaction } from '../transactions/build.js'
import type { TransactionDependencies } from '../transactions/transaction-operations.js'
import type { Call } from '../queries/call.js'
import { requireFeeWithin, requireLeastFeeWithin } from '../transactions/payment-fee.js'
import { requireDistinctInputs, type Draft } from '../transactions/plan/draft.js'
import { fetchTerms, fundsOf, type NodeTerms, type Preparation } from '../transactions/prepare.js'
import type { CreateTransactionSettings } from '../transactions/records.js'
import { requireUnmanaged } from '../transactions/check-payment.js'
import type { ClassifyScripts } from '../transactions/script-classes.js'
import { checkSettings, type CheckedSettings } from '../transactions/settings.js'
import type { PlacedCall } from './place-calls.js'
import { planSpends, type ImpossibleSpends } from './plan-spends.js'
import type { PreparedCall } from './prepare-calls.js'
import type { ContractSettings } from './contract-call.js'
import { signersOf, type SignableSpend } from './contract-signing.js'
import { contractRefused } from '../../errors/contract-errors.js'
import { outputTooSmall } from '../../errors/payment-errors.js'
import { sompiToKaspa } from '../../model/amount.js'
import { toError, smallestOutput } from '../transactions/plan/failure.js'
import type { FeePolicy } from '../transactions/plan/fee.js'
import type { SpendableFunds } from '../transactions/plan/spendable-funds.js'
import { MASS_LIMIT } from '../transactions/plan/template.js'
import type { RefusedSpend } from './contract-spend.js'

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

/** The error of a transaction of contracts that cannot be planned. */
function toContractError(failed: ImpossibleSpends, funds: SpendableFunds, policy: FeePolicy): ChainError {
  const { template, attempt, withOutputs } = failed
  if (attempt?.outcome.kind !== 'mass-exceeded') return toError(failed, funds, policy)
  const { storage } = attempt.outcome
  const smallest = smallestOutput(template, attempt.candidate.spent, policy, withOutputs)
  return outputTooSmall(
    'value',
    `The outputs are too small: the smallest is ${sompiToKaspa(smallest)} KAS`,
    { smallest, fits: 0, storageMass: storage, limit: MASS_LIMIT },
    'Nodes count an output of a contract as 4,000,000,000,000 grams divided by its sompi, and allow 500,000 per transaction (KIP-9): raise value, or divide the transaction.',
  )
}

/** The words of the local execution for opcodes that need what a page does not have. */
const NOT_EXECUTED = 'does not execute opcode'

/** The error of a call that every node would refuse, or that cannot be executed here. */
function toRefusal(refused: RefusedSpend): ChainError {
  if (!refused.reason.includes(NOT_EXECUTED)) return contractRefused(refused)
  const opcode = /0x\w+/.exec(refused.reason)?.[0] ?? ''
  return new ChainError(
    `The call "${refused.entry}" cannot be executed here: opcode ${opcode} needs proofs or the chain`,
    {
      code: 'unsupported',
      argument: 'computeBudget',
      hint: 'Name the compute budget of the call: then it is not executed before it is sent.',
    },
  )
}
