import type { KeyOperations, VerificationLoader } from './keys.js'
import type { VerificationOperations } from './verification.js'
import { WITHOUT_SDK } from './without-sdk.js'

/** The operations that need the SDK. */
export const SDK_OPERATIONS = [
  'generateMnemonic',
  'generateKeypair',
  'mnemonicToKeypair',
  'derivePublicKeys',
  'derivePrivateKey',
  'signMessage',
] as const satisfies readonly (keyof KeyOperations)[]

/** The operations that need the SDK or the verification code. */
export const VERIFICATION_OPERATIONS = [
  'createAddress',
  'isValidMnemonic',
  'verifyMessage',
] as const satisfies readonly (keyof VerificationOperations)[]

type Operation = (...args: unknown[]) => unknown

/**
 * All operations on keys. The implementations that need the SDK load with it: `loaded` returns them at each call, or throws
 * `ChainNotReadyError` with the operation's name. The operations of `loadVerification` do not use the SDK once it resolved.
 */
export function deferKeys(
  loaded: (operation: string) => KeyOperations,
  loadVerification: () => Promise<VerificationOperations>,
): KeyOperations & VerificationLoader {
  let verification: VerificationOperations | undefined
  const verificationOf = (operation: string): VerificationOperations => verification ?? loaded(operation)
  return {
    ...WITHOUT_SDK,
    ...deferAll(SDK_OPERATIONS, loaded),
    ...deferAll(VERIFICATION_OPERATIONS, verificationOf),
    loadVerification: async () => {
      verification = await loadVerification()
    },
  }
}

/** Functions that look up the implementation of their name at each call. */
function deferAll<Operations, Name extends keyof Operations & string>(
  names: readonly Name[],
  find: (name: string) => Operations,
): Pick<Operations, Name> {
  const deferred = names.map((name) => {
    const operation: Operation = (...args) => (find(name)[name] as Operation)(...args)
    return [name, operation]
  })
  return Object.fromEntries(deferred) as Pick<Operations, Name>
}
