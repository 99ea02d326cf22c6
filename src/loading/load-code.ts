import { codeNotLoaded } from '../errors/not-ready-error.js'
import { ChainError } from '../errors/chain-error.js'

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

/** Shares one load between all callers. A failed load is retried by the next call. */
export function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return async () => {
    try {
      return await (loading ??= load())
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}

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
