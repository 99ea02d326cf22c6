import { ChainError } from '../../../errors/chain-error.js'
import type { SdkPort, SigningRequest } from '../../../sdk/port.js'
import { ChainCryptoError } from '../../../errors/crypto-error.js'

/** Signs all inputs of a plan; called with the SDK to use, once to collect the hashes and once with the signatures. */
type SignPlan = (sdk: SdkPort) => void

/**
 * Signs a plan without blocking the thread, where the SDK can (`signHashesAsync`): collects the hashes of all transactions,
 * signs them in one call, and returns an SDK whose `signHashes` returns these signatures in the same order.
 * No reference to the keys remains afterwards.
 */
export async function signAhead(sdk: SdkPort, signPlan: SignPlan): Promise<void> {
  if (sdk.signHashesAsync === undefined) {
    signPlan(sdk)
    return
  }
  const requests: SigningRequest[] = []
  signPlan({ ...sdk, signHashes: (hashes, privateKey) => collect(requests, { hashes, privateKey }) })
  const signed = [...(await signAll(sdk.signHashesAsync, requests))]
  signPlan({ ...sdk, signHashes: () => signed.shift() ?? [] })
}

/** Placeholders that count as signed inputs until the second pass replaces them. */
function collect(requests: SigningRequest[], request: SigningRequest): readonly string[] {
  requests.push(request)
  return request.hashes.map(() => 'unsigned')
}

async function signAll(
  signHashesAsync: NonNullable<SdkPort['signHashesAsync']>,
  requests: readonly SigningRequest[],
): Promise<readonly (readonly string[])[]> {
  try {
    return await signHashesAsync(requests)
  } catch (cause) {
    if (cause instanceof ChainError) throw cause
    throw new ChainCryptoError('sign', cause)
  }
}
