import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../network.js'
import type { AccountValue, CosigningPath } from './account-value.js'

/** The key of what payments read of an account. `Symbol.for` makes it equal across two copies of this module. */
export const SPENDING: unique symbol = /*#__PURE__*/ Symbol.for('vue-chain spending')

/** An account whose outputs several signers spend: one of `vue-chain/cosigning`. */
export interface SpendingAccount {
  readonly network: ChainNetwork
  /** For the library's own modules. */
  readonly [SPENDING]: unknown
}

/** What payments and proposals read of an account. */
export interface AccountSpending {
  readonly value: AccountValue
  /** The path of an address that the account follows or has derived; undefined for all others. */
  readonly pathOf: (address: string) => CosigningPath | undefined
  /**
   * The first change address of the own branch that is neither used nor reserved. Throws `ChainError`:
   * `invalid-argument` (`changeAddress`) without an own key, `account-not-scanned`.
   */
  readonly nextChange: () => CosigningPath
  /** Reserves a change address, also for `next`, until the returned function is called. */
  readonly takeChange: (path: CosigningPath) => () => void
}

/** What payments read of an account. Throws `ChainError` (`invalid-argument`) for any other object. */
export function spendingOf(account: unknown): AccountSpending {
  const isObject = typeof account === 'object' && account !== null
  const spending: unknown = isObject && SPENDING in account ? account[SPENDING] : undefined
  if (isSpending(spending)) return spending
  throw invalidArgument(
    'account',
    'This is no account of several signers',
    'Pass an account of createCosigning(). The outputs of other accounts are spent by privateKeys or a signer alone.',
  )
}

const isSpending = (value: unknown): value is AccountSpending =>
  typeof value === 'object' && value !== null && 'pathOf' in value && 'takeChange' in value
