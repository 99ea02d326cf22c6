import { NEVER } from 'rxjs'
import type { SdkPort } from '../../src/sdk/port.js'

/** An SDK with the given methods; all others throw. */
export function scriptedSdk(methods: Partial<SdkPort> = {}): SdkPort {
  const unexpected = (): never => {
    throw new Error('The test did not expect this call of the SDK')
  }
  return {
    generateMnemonic: unexpected,
    isValidMnemonic: unexpected,
    generatePrivateKey: unexpected,
    derivePrivateKey: unexpected,
    derivePublicKeys: unexpected,
    deriveExtendedPublicKey: unexpected,
    publicKey: unexpected,
    address: unexpected,
    signHashes: unexpected,
    signMessage: unexpected,
    verifyMessage: unexpected,
    broken$: NEVER,
    ...methods,
  }
}
