import { codeNotLoaded } from '../errors/code-not-loaded.js'

/**
 * Imports a part of the library that is loaded on demand: every import() of this library but those of optional packages
 * passes here. Rejects with `ChainError` (`code-not-loaded`); the next call imports again.
 */
export async function loadCode<Module>(importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule()
  } catch (cause) {
    throw codeNotLoaded(cause)
  }
}
