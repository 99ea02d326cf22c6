import { ChainRpcError } from '../errors/rpc-error.js'

/**
 * Loads the module that an RPC method needs. Rejects with `ChainRpcError` (`failed`) if it cannot be fetched; no request
 * has been sent then.
 */
export async function loadForMethod<Module>(method: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new ChainRpcError(method, cause, {
      code: 'failed',
      hint: 'A part of vue-chain could not be fetched: check that the page is online, and call again.',
    })
  }
}
