import type { KeyOperations } from './keys.js'
import { WITHOUT_SDK } from './without-sdk.js'

/** What of the operations needs the SDK; one that were missing would be missing below, too. */
export const SDK_OPERATIONS = [
  'generateMnemonic',
  'generateKeypair',
  'mnemonicToKeypair',
  'derivePublicKeys',
  'derivePrivateKey',
  'createAddress',
  'isValidMnemonic',
  'signMessage',
  'verifyMessage',
] as const satisfies readonly (keyof KeyOperations)[]

type Operation = (...args: unknown[]) => unknown

/**
 * All operations on keys, though what needs the SDK is looked for with each call: it comes with the SDK. `loaded` answers
 * them, or throws `ChainNotReadyError` that names the operation which asks.
 */
export const deferKeys = (loaded: (operation: string) => KeyOperations): KeyOperations => {
  const deferred = SDK_OPERATIONS.map((name) => {
    const operation: Operation = (...args) => (loaded(name)[name] as Operation)(...args)
    return [name, operation]
  })
  return { ...WITHOUT_SDK, ...(Object.fromEntries(deferred) as Pick<KeyOperations, (typeof SDK_OPERATIONS)[number]>) }
}
