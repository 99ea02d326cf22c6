import { partsOf } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { engineDisposed } from '../errors/engine-disposed.js'
import { refuseUnknown } from '../errors/unknown-option.js'
import { lazyMethods } from '../loading/lazy-methods.js'
import { loadCode } from '../loading/load-code.js'
import type { CosigningAccount, CosigningAccountOptions } from '../streams/accounts/cosigning-records.js'

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
}

export interface DescriptorOptions extends Pick<CosigningAccountOptions, 'own' | 'startIndex'> {}

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
  const load = async (): Promise<Cosigning> => {
    const { createCosigningAccounts } = await loadCode(() => import('./accounts.js'))
    return createCosigningAccounts(core)
  }
  return lazyMethods(['accountOf', 'accountFromDescriptor'], load, (_, run) => {
    if (core.lifetime.closed) throw engineDisposed()
    return run()
  })
}
