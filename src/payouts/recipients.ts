import type { PaymentCheck } from '../operations/transactions/transaction-operations.js'
import { ChainError } from '../errors/chain-error.js'
import { PayoutError } from '../errors/payout-error.js'
import { toScriptPublicKey } from '../model/address.js'
import type { JournalAccess, PayoutRequest } from '../streams/payouts/journal.js'

/** Why other parts of the engine refuse payments to an address: it is that of a contract. Undefined for all others. */
export function refusalOf(address: string, checks: ReadonlySet<PaymentCheck>): ChainError | undefined {
  if (checks.size === 0) return undefined
  const scriptPublicKey = toScriptPublicKey(address)
  try {
    for (const check of checks) check({ outputs: [{ value: 0n, scriptPublicKey }], change: NO_CHANGE })
    return undefined
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
}

const NO_CHANGE = { version: 0, script: '' }

/** Rejects a new payout to a contract, where its payment would be lost: `PayoutError` (`invalid-argument`). */
export async function requirePayable(
  { id, address }: PayoutRequest,
  access: JournalAccess,
  checks: ReadonlySet<PaymentCheck>,
): Promise<void> {
  const refusal = refusalOf(address, checks)
  if (refusal === undefined || (await access.find([id])).length > 0) return // what is stored keeps its id
  const { hint } = refusal
  throw new PayoutError('"address" is the address of a contract', {
    code: 'invalid-argument',
    argument: 'address',
    hint,
  })
}
