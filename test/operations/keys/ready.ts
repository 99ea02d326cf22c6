import { createKeys, type KeyOperations } from '../../../src/operations/keys/keys.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'

/** The operations on keys, on the real SDK. */
export async function readyKeys(): Promise<KeyOperations> {
  const sdk = await loadSdk()
  return createKeys(() => sdk)
}
