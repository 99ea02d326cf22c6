import { NEVER } from 'rxjs'
import type { SdkPort } from '../../src/sdk/port.js'

/** An SDK that says what a test tells it to; what the test does not expect to be asked fails loudly. */
export function scriptedSdk(answers: Partial<SdkPort> = {}): SdkPort {
  const unexpected = (): never => {
    throw new Error('The test did not expect this question to the SDK')
  }
  return {
    generateMnemonic: unexpected,
    isValidMnemonic: unexpected,
    generatePrivateKey: unexpected,
    derivePrivateKey: unexpected,
    derivePublicKeys: unexpected,
    publicKey: unexpected,
    address: unexpected,
    signHashes: unexpected,
    signMessage: unexpected,
    verifyMessage: unexpected,
    broken$: NEVER,
    ...answers,
  }
}
