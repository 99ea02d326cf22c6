import { ChainRpcError } from '../errors/rpc-error.js'

/**
 * The part of this library that a method of the node needs. Rejects with `ChainRpcError` (`failed`) where it cannot be
 * fetched; nothing has been sent then.
 */
export async function partFor<Part>(method: string, load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    throw new ChainRpcError(method, cause, {
      code: 'failed',
      hint: 'A part of vue-chain could not be fetched: check that the page is online, and call again.',
    })
  }
}
