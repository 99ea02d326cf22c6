import type { SdkPort, SigningRequest } from './port.js'
import { collectInSlices, type SliceOptions } from './time-slices.js'

/** Signs one hash after the other in slices of 8 ms: hundreds of signatures at once would block the page. */
export async function signInSlices(
  requests: readonly SigningRequest[],
  signHashes: SdkPort['signHashes'],
  options?: SliceOptions,
): Promise<readonly (readonly string[])[]> {
  const scripts = await collectInSlices(signEach(requests, signHashes), options)
  let next = 0
  return requests.map(({ hashes }) => scripts.slice(next, (next += hashes.length)))
}

function* signEach(requests: readonly SigningRequest[], signHashes: SdkPort['signHashes']): Generator<string> {
  for (const { hashes, privateKey } of requests) for (const hash of hashes) yield* signHashes([hash], privateKey)
}
