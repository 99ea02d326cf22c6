import { ChainError } from '../errors/chain-error.js'

/**
 * Imports an optional package. Rejects with `ChainError` (`package-missing`), whose hint is the command that installs
 * it, with those that are needed beside it.
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>, packages = name): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause
    throw new ChainError(`The package ${name} is not installed`, {
      code: 'package-missing',
      cause,
      details: '',
      hint: `npm i ${packages}`,
    })
  }
}

const isMissing = (cause: unknown, name: string): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  cause.code === 'ERR_MODULE_NOT_FOUND' &&
  cause.message.includes(`'${name}'`)
