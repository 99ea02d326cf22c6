import { partsOf, feature } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { invalidArgument, refuseUnknown } from '../errors/chain-error.js'
import { engineDisposed } from '../errors/not-ready-error.js'
import { lazyMethods } from '../loading/lazy-methods.js'
import { loadCode } from '../loading/load-code.js'
import type { CosigningAccount, CosigningAccountOptions } from '../streams/accounts/cosigning-account.js'
import type { ProposalOperations } from '../operations/cosigning/from-pskb.js'
import type { PendingTx } from '../operations/transactions/records.js'
import type { FromPskbOptions, Proposal, ToPskbOptions } from '../operations/cosigning/records.js'

/** Accounts of several signers, on the network of an engine. */
export interface Cosigning {
  /**
   * The account of several extended public keys: M of N signatures spend its outputs. Loads its code by itself, without
   * WASM; reads nothing. Rejects with `ChainError` (`invalid-argument`): `threshold` below 1 or above the number of
   * keys, `keys` that are less than 2, more than 15, private, damaged, of another network, twice the same, or no
   * account at depth 3. No error holds a key.
   */
  accountOf(options: CosigningAccountOptions): Promise<CosigningAccount>
  /** The account of a descriptor, `multi_hd45(2,kpub…,kpub…,kpub…)`. Rejects likewise. */
  accountFromDescriptor(descriptor: string, options?: DescriptorOptions): Promise<CosigningAccount>
  /**
   * Reads a `PSKB` text, verifies for an account everything that a cosigner should before signing, and reserves its
   * inputs. Rejects with `ChainError`: `invalid-pskb` (with `at` and `reason`), `untrusted-pskb` (with `reason`),
   * `invalid-argument`, `aborted`; and with `ChainRpcError` where the node cannot be read. No error holds the text.
   */
  fromPskb(text: string, options: OpenProposalOptions): Promise<Proposal>
  /**
   * The text of payments that `engine.transactions.create({ account })` has planned, of final ones, or of a proposal:
   * to be passed to the other cosigners. Throws `ChainError` (`invalid-argument`, `payments`) where they are not of an
   * account that was created here.
   */
  toPskb(payments: Proposal | readonly PendingTx[], options?: ToPskbOptions): string
}

export interface OpenProposalOptions extends FromPskbOptions {
  readonly account: CosigningAccount
}

export type DescriptorOptions = Pick<CosigningAccountOptions, 'own' | 'startIndex'>

export interface CosigningOptions {
  readonly engine: ChainEngine
}

/**
 * Creates what several signers of an engine's network need. Nothing is loaded before the first call. Throws
 * `ChainError` (`invalid-argument`).
 */
export function createCosigning(options: CosigningOptions): Cosigning {
  refuseUnknown(options, ['engine'])
  const core = partsOf(options.engine)
  const created: CosigningAccount[] = []
  let loaded: ProposalOperations | undefined
  const loadProposals = async (): Promise<ProposalOperations> => {
    const { openProposals } = await loadCode(() => import('./proposals.js'))
    return (loaded ??= feature(core, openProposals))
  }
  const load = async (): Promise<Pick<Cosigning, 'accountOf' | 'accountFromDescriptor'>> => {
    const [{ createCosigningAccounts }] = await Promise.all([loadCode(() => import('./accounts.js')), loadProposals()])
    const { accountOf, accountFromDescriptor } = createCosigningAccounts(core)
    const remember = (account: CosigningAccount): CosigningAccount => {
      created.push(account)
      return account
    }
    return {
      accountOf: async (given) => remember(await accountOf(given)),
      accountFromDescriptor: async (descriptor, given) => remember(await accountFromDescriptor(descriptor, given)),
    }
  }
  const requireOpen = (): void => {
    if (core.lifetime.closed) throw engineDisposed()
  }
  const accounts = lazyMethods(['accountOf', 'accountFromDescriptor'], load, (_, run) => {
    requireOpen()
    return run()
  })
  const proposals = lazyMethods(['fromPskb'], loadProposals, (_, run) => {
    requireOpen()
    return run()
  })
  return {
    ...accounts,
    ...proposals,
    toPskb: (payments, given) => {
      if (loaded === undefined) throw invalidArgument('payments', 'No account of several signers was created here')
      return loaded.toPskb(payments, created, given)
    },
  }
}
