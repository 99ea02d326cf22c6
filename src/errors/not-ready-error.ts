import { ChainError } from './chain-error.js'

/** What is missing: the WASM module, or (for RPC) the WASM module and a connection both. */
export type ChainNotReadyErrorCode = 'wasm-not-ready'

/** A method was called before the WASM module was initialised (for RPC: and before any connection was made). */
export class ChainNotReadyError extends ChainError<ChainNotReadyErrorCode> {
  override readonly name = 'ChainNotReadyError'

  constructor(operation?: string) {
    super(
      operation === undefined
        ? 'The Kaspa WASM module is not ready'
        : `"${operation}" was called before the Kaspa WASM module was ready`,
      { code: 'wasm-not-ready', hint: 'Await useChain().init(), or engine.wasm.init(), before the first call.' },
    )
  }
}
