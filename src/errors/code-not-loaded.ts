import { causeDetails } from './cause-details.js'
import { ChainError } from './chain-error.js'

/**
 * The error of code that is loaded on demand and could not be: an app's new deployment removes files, and a page may be
 * offline.
 */
export const codeNotLoaded = (cause: unknown): ChainError<'code-not-loaded'> =>
  new ChainError(`A part of vue-chain could not be loaded: ${causeDetails(cause)}`, {
    code: 'code-not-loaded',
    cause,
    hint: 'Reload the page: a newer version of the app may have been deployed. Offline, call again once there is a network.',
  })

/** Whether code could not be loaded, so that nothing was done. */
export const isCodeNotLoaded = (error: unknown): error is ChainError<'code-not-loaded'> =>
  error instanceof ChainError && error.code === 'code-not-loaded'
