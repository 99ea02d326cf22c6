import type { AccountValue, CosigningAccountSettings, CosigningPath } from '../model/cosigning/account-value.js'

export interface DescriptorOptions {
  /** The key of this cosigner, one of those in the descriptor, in any spelling. @default none */
  readonly own?: string | undefined
}

export interface CosigningAccountOptions extends CosigningAccountSettings {}

/** Which branch of an account. */
export interface BranchOptions {
  /** The change chain instead of the receive chain. @default false */
  readonly change?: boolean | undefined
  /** The cosigner who hands the address out: the position of a key in `keys`. @default the own one */
  readonly cosigner?: number | undefined
}

/**
 * An account of several extended public keys, on the network that the engine had when it was created. Its values are
 * derived, not read.
 */
export interface CosigningAccount extends AccountValue {
  /**
   * The address at an index of a branch. Pure. Throws `ChainError` (`invalid-argument`): `index`, or `cosigner` where
   * none is given and the account has no own key.
   */
  address(index: number, options?: BranchOptions): string
  /** The path of an index of a branch. Throws likewise. */
  path(index: number, options?: BranchOptions): CosigningPath
}
