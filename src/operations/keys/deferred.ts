import { lateMethods } from '../../loading/lazy-methods.js'
import type { KeyOperations, VerificationLoader } from './keys.js'
import type { VerificationOperations } from './verification.js'
import { WITHOUT_SDK } from './without-sdk.js'

/** The operations that need the SDK. */
export const SDK_OPERATIONS = [
  'generateMnemonic',
  'generateKeypair',
  'mnemonicToKeypair',
  'derivePublicKeys',
  'deriveExtendedPublicKey',
  'derivePrivateKey',
  'signMessage',
] as const satisfies readonly (keyof KeyOperations)[]

/** The operations that need the SDK or the verification code. */
export const VERIFICATION_OPERATIONS = [
  'createAddress',
  'isValidMnemonic',
  'verifyMessage',
] as const satisfies readonly (keyof VerificationOperations)[]

/**
 * All operations on keys. The implementations that need the SDK load with it: `loaded` returns them at each call, or
 * throws `ChainNotReadyError` with the operation's name. The operations of `loadVerification` do not use the SDK once
 * it resolved.
 */
export function deferKeys(
  loaded: (operation: string) => KeyOperations,
  loadVerification: () => Promise<VerificationOperations>,
): KeyOperations & VerificationLoader {
  let verification: VerificationOperations | undefined
  const verificationOf = (operation: string): VerificationOperations => verification ?? loaded(operation)
  return {
    ...WITHOUT_SDK,
    ...lateMethods(SDK_OPERATIONS, loaded),
    ...lateMethods(VERIFICATION_OPERATIONS, verificationOf),
    loadVerification: async () => {
      verification = await loadVerification()
    },
  }
}
