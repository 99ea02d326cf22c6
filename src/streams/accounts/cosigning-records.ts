import type { AccountValue, CosigningAccountSettings, CosigningPath } from '../../model/cosigning/account-value.js'
import type { SpendingAccount } from '../../model/cosigning/spending-account.js'
import type { AddressSource } from '../addresses.js'
import type { AccountAddress, AccountOptions, AccountScan, NextAddressOptions, ScanOptions } from './records.js'

export interface CosigningAccountOptions extends CosigningAccountSettings, AccountOptions {
  /**
   * The first index that `next` returns, on both chains of the own branch, in place of a scan: the one after the
   * highest that is stored. The branches of the others are followed from their first address on.
   * @default none: call `scan` first
   */
  readonly startIndex?: number | undefined
}

/** Which branch of an account. */
export interface BranchOptions {
  /** The change chain instead of the receive chain. @default false */
  readonly change?: boolean | undefined
  /** The cosigner who hands the address out: the position of a key in `keys`. @default the own one */
  readonly cosigner?: number | undefined
}

/** An address of an account with its path. */
export interface CosigningAddress extends AccountAddress, CosigningPath {}

/** The used addresses of an account: by cosigner, then receive before change, then by index. */
export interface CosigningScan extends Pick<AccountScan, 'basis'> {
  readonly used: readonly CosigningAddress[]
}

/**
 * An account of several extended public keys, on the network that the engine had when it was created. Its values are
 * derived, not read. Accepted wherever addresses are; it then follows both chains of the branches of all cosigners, as
 * an account of one key follows its two.
 */
export interface CosigningAccount extends AccountValue, AddressSource, SpendingAccount {
  readonly network: AccountValue['network']
  /**
   * The address at an index of a branch. Pure. Throws `ChainError` (`invalid-argument`): `index`, or `cosigner` where
   * none is given and the account has no own key.
   */
  address(index: number, options?: BranchOptions): string
  /** The path of an address that the account follows, or has derived; undefined for all others. */
  pathOf(address: string): CosigningPath | undefined
  /**
   * The next unused address of the own branch, never the same one twice within an engine; the branches keep two
   * cosigners from handing out one address. Rejects with `ChainError`: `invalid-argument` (`own`) without an own key,
   * `account-not-scanned`, `limit-exceeded` with `withinGap`.
   */
  next(options?: NextAddressOptions): Promise<CosigningAddress>
  /** Finds the used addresses of all branches. Rejects as `Account.scan`. */
  scan(options?: ScanOptions): Promise<CosigningScan>
  readonly isChange: (address: string) => boolean
}
