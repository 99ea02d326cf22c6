import { loadCode, onceLoaded } from '../../loading/load-code.js'
import { deferKeys } from '../../operations/keys/deferred.js'
import type { KeyOperations, VerificationLoader } from '../../operations/keys/keys.js'
import { type ChainCore, partsOf, type CoreParts } from '../core-parts.js'
import type { Accounts } from '../../streams/accounts/accounts.js'
import type { WasmControl } from '../../streams/wasm.js'
import { auditTime, filter, merge, take, timer } from 'rxjs'

/** Operations on keys, mnemonics, addresses and messages. The code that needs the SDK loads with it. */
export const keys = (core: ChainCore): KeyOperations & VerificationLoader =>
  deferKeys(
    (operation) => partsOf(core).makeKeys(operation),
    onceLoaded(async () => (await loadCode(() => import('../verification.js'))).verification),
  )

/** Accounts of extended public keys. Their code is loaded with the first one. */
export function accounts(core: ChainCore): Accounts {
  const parts = partsOf(core)
  const load = onceLoaded(() => loadCode(() => import('../open-account.js')))
  return {
    fromExtendedPublicKey: async (text, options = {}) => {
      const { openAccount } = await load()
      return openAccount(parts, text, options)
    },
  }
}

/** The WASM module, needed for keys and signatures only. */
export function wasm(core: ChainCore): WasmControl {
  const { wasm: loaded } = partsOf(core)
  return { status$: loaded.status$, init: () => loaded.init(), reset: () => loaded.reset() }
}

/** Ms after which the WASM module is loaded even without a connection. */
const MAX_DELAY = 2_000

/**
 * Loads the WASM module without delaying live data: after the first frame painted with a connection, or after 2 s,
 * whichever is first. A failed load is a state of `wasm.status$`.
 */
export function warmUp({ connection, wasm, lifetime, options, platform }: CoreParts): void {
  const { scheduler, frames } = platform
  const shown$ = connection.state$.pipe(
    filter(({ status }) => status === 'connected'),
    take(1),
    auditTime(0, frames), // before the first frame
    auditTime(0, frames), // before the second: the first is painted
  )
  const load = (): void =>
    void wasm.init().catch((error: unknown) => options.logger.warn('The WASM module could not be loaded', { error }))
  lifetime.add(merge(shown$, timer(MAX_DELAY, scheduler)).pipe(take(1)).subscribe(load))
}
