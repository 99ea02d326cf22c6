import type { SigningRequest } from '../port.js'
import { signHashes, READY, threads, type SignedMessage } from './sign-hashes.js'

/**
 * The entry point of a worker that signs one list of requests. No error leaves it, because one could quote a key: it
 * replies `null`, and the caller signs by itself.
 */

/** The global scope of a Web Worker, or the port of a thread of Node. */
interface Scope {
  onmessage: ((event: { readonly data: readonly SigningRequest[] }) => void) | null
  postMessage(message: SignedMessage | typeof READY): void
}

// both have `onmessage` and `postMessage`; neither is typed where DOM and Node types meet
const scope = (threads()?.parentPort ?? globalThis) as unknown as Scope

scope.onmessage = ({ data }) => scope.postMessage(sign(data))
scope.postMessage(READY)

function sign(requests: readonly SigningRequest[]): SignedMessage {
  try {
    return requests.map(({ hashes, privateKey }) => signHashes(hashes, privateKey))
  } catch {
    return null // the error could quote a key
  }
}
