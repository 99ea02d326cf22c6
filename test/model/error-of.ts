import { ChainError } from '../../src/errors/chain-error.js'

/** Message, code and argument of the error that `attempt` throws. */
export function errorOf(attempt: () => unknown): { message: string; code: string; argument: string | undefined } {
  try {
    attempt()
  } catch (error) {
    if (error instanceof ChainError) return { message: error.message, code: error.code, argument: error.argument }
    throw error
  }
  throw new Error('nothing was thrown')
}
