import { ChainError } from './chain-error.js'
import { causeDetails } from './shown.js'

/** What is missing: the WASM module, or the connection to a node. */
export type ChainNotReadyErrorCode = 'wasm-not-ready' | 'not-connected'

/** A method was called before the WASM module was initialised (for RPC: and before any connection was made). */
export class ChainNotReadyError extends ChainError<ChainNotReadyErrorCode> {
  override readonly name = 'ChainNotReadyError'

  constructor(operation?: string, missing: 'wasm' | 'connection' = 'wasm') {
    const { words, noun, code, hint } = MISSING[missing]
    super(operation === undefined ? noun : `"${operation}" was called before ${words}`, { code, hint })
  }
}

const MISSING = {
  wasm: {
    words: 'the Kaspa WASM module was ready',
    noun: 'The Kaspa WASM module is not ready',
    code: 'wasm-not-ready',
    hint: 'Await useChain().init(), or engine.wasm.init(), before the first call.',
  },
  connection: {
    words: 'there was a connection to a node',
    noun: 'There is no connection to a node',
    code: 'not-connected',
    hint: 'Await connect(), or wait for the connection state "connected".',
  },
} as const

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

/** The error of everything that is called after `dispose()`, or the cause of a more specific one. */
export const engineDisposed = (): ChainError<'disposed'> =>
  new ChainError('The engine has been disposed of', { code: 'disposed' })
