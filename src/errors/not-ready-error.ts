import { ChainError } from './chain-error.js'

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
