import { ChainError } from '../../errors/chain-error.js'
import { contractRefused } from '../../errors/contract-errors.js'
import { outputTooSmall } from '../../errors/payment-errors.js'
import { sompiToKaspa } from '../../model/amount.js'
import { toError } from '../transactions/plan/failure.js'
import type { FeePolicy } from '../transactions/plan/fee.js'
import { smallestOutput } from '../transactions/plan/smallest-output.js'
import type { SpendableFunds } from '../transactions/plan/spendable-funds.js'
import { MASS_LIMIT } from '../transactions/plan/template.js'
import type { ImpossibleSpends } from './plan-spends.js'
import type { RefusedSpend } from './run-spends.js'

/** The error of a transaction of contracts that cannot be planned. */
export function toContractError(failed: ImpossibleSpends, funds: SpendableFunds, policy: FeePolicy): ChainError {
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
export function toRefusal(refused: RefusedSpend): ChainError {
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
