import { createKeys, type KeyOperations } from '../../../src/operations/keys/keys.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'

/** Operations on keys with the real SDK. */
export async function loadKeys(): Promise<KeyOperations> {
  const sdk = await loadSdk()
  return createKeys(() => sdk)
}
