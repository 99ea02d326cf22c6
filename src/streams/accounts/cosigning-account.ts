import {
  type AccountValue,
  type CosigningAccountSettings,
  type CosigningPath,
  checkCosigningPath,
} from '../../model/cosigning/account-value.js'
import { type SpendingAccount, SPENDING, type AccountSpending } from '../../model/cosigning/spending-account.js'
import type { AddressSource } from '../addresses.js'
import {
  type AccountAddress,
  type AccountOptions,
  type AccountScan,
  type NextAddressOptions,
  type ScanOptions,
  checkNext,
  checkScan,
} from './accounts.js'
import { invalidArgument, type ChainError, refuseUnknown } from '../../errors/chain-error.js'
import { whenFinished, type Steps } from '../../loading/steps.js'
import { shareLatest } from '../share-latest.js'
import { DEFAULT_GAP_LIMIT, INDEX_END, createFollowedChain } from './address-chain.js'
import { followChains } from './follow-chains.js'
import { firstFree, issueAddress, reserveIndex, type IssuingChain } from './issued-indexes.js'
import { scanChains, type AccountSource } from './scan-chains.js'

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

/** A chain of the branch of a cosigner. */
interface Branch extends IssuingChain {
  readonly cosigner: number
  readonly change: boolean
}

/**
 * Creates an account of several keys. With `startIndex`, `next` works without a scan, and the addresses to follow are
 * derived in slices first: each takes as many derivations as there are keys.
 */
export async function createCosigningAccount(
  value: AccountValue,
  source: AccountSource,
  startIndex?: number,
): Promise<CosigningAccount> {
  const { issued } = source
  const branches = value.keys.flatMap((_, cosigner) => [false, true].map((change) => toBranch(value, cosigner, change)))
  const chains = branches.map(({ chain }) => chain)
  if (startIndex !== undefined) {
    if (value.ownCosigner === undefined) throw noOwnKey('startIndex')
    const firstOf = ({ cosigner }: Branch): number => (cosigner === value.ownCosigner ? startIndex : 0)
    await whenFinished(derive(branches, firstOf, DEFAULT_GAP_LIMIT))
    for (const branch of branches) branch.chain.dispatch({ type: 'started', index: firstOf(branch) })
  }
  const branchAt = (cosigner: number, change: boolean): Branch => {
    const branch = branches[2 * cosigner + (change ? 1 : 0)]
    if (branch === undefined) throw new TypeError('A checked path has a branch')
    return branch
  }
  const ownBranch = (change: boolean, argument: string): Branch => {
    if (value.ownCosigner === undefined) throw noOwnKey(argument)
    return branchAt(value.ownCosigner, change)
  }
  const issue = (options: NextAddressOptions) => {
    const { change, withinGap } = checkNext(options)
    const branch = ownBranch(change, 'own')
    const { address, index } = issueAddress(branch, withinGap, issued)
    return { ...toPath(branch, index), address }
  }
  const pathOf = (address: string): CosigningPath | undefined => findPath(branches, address)
  const spending: AccountSpending = {
    value,
    pathOf,
    nextChange: () => {
      const branch = ownBranch(true, 'changeAddress')
      return toPath(branch, firstFree(branch, issued))
    },
    takeChange: ({ cosigner, change, index }) => reserveIndex(branchAt(cosigner, change), index, issued),
  }
  return Object.freeze({
    // frozen: a reactive proxy of Vue would reach into the stream
    ...value,
    [SPENDING]: spending,
    addresses$: followChains(chains, source).pipe(shareLatest(source.ended$)),
    isChange: (address) => pathOf(address)?.change === true,
    pathOf,
    address: (index, options = {}) => {
      const { cosigner, change } = checkBranch(value, options)
      checkCosigningPath({ cosigner, change, index }, value.keys.length)
      return branchAt(cosigner, change).chain.address(index)
    },
    next: (options = {}) => new Promise((resolve) => resolve(issue(options))),
    scan: async (options = {}) => {
      await whenFinished(derive(branches, () => 0, checkScan(options).gapLimit))
      const { found, basis } = await scanChains(chains, options, source)
      const used = branches.flatMap((branch, at) =>
        (found[at] ?? []).map((one) => ({ ...toPath(branch, one.index), ...one })),
      )
      return { used, basis }
    },
  } satisfies CosigningAccount)
}

function toBranch(value: AccountValue, cosigner: number, change: boolean): Branch {
  const id = `${value.network}/${value.descriptor}/${cosigner}/${change ? 1 : 0}`
  return { id, cosigner, change, chain: createFollowedChain((index) => value.addressAt({ cosigner, change, index })) }
}

const toPath = ({ cosigner, change }: Branch, index: number): CosigningPath => ({ cosigner, change, index })

function findPath(branches: readonly Branch[], address: string): CosigningPath | undefined {
  for (const branch of branches) {
    const index = branch.chain.indexOf(address)
    if (index !== undefined) return toPath(branch, index)
  }
  return undefined
}

/** Derives addresses, which the chains keep: 15 keys with 30 chains take some seconds. */
function* derive(branches: readonly Branch[], firstOf: (branch: Branch) => number, count: number): Steps<void> {
  for (const branch of branches) {
    const first = firstOf(branch)
    for (let index = first; index < Math.min(first + count, INDEX_END); index++) {
      branch.chain.address(index)
      yield
    }
  }
}

/** The branch that the options name, by default the own one. */
function checkBranch(
  { ownCosigner }: AccountValue,
  options: BranchOptions,
): { readonly cosigner: number; readonly change: boolean } {
  refuseUnknown(options, ['change', 'cosigner'])
  const { change = false, cosigner = ownCosigner } = options
  if (cosigner === undefined) throw noOwnKey('cosigner')
  return { cosigner, change }
}

const noOwnKey = (argument: string): ChainError =>
  invalidArgument(
    argument,
    'The own branch is not known: the account has no own key',
    `Create the account with own, the key of this cosigner${argument === 'own' || argument === 'startIndex' ? '' : `, or pass ${argument}`}.`,
  )
