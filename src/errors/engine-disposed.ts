import { ChainError } from './chain-error.js'

/** The error of everything that is called after `dispose()`, or the cause of a more specific one. */
export const engineDisposed = (): ChainError<'disposed'> =>
  new ChainError('The engine has been disposed of', { code: 'disposed' })
