import { ChainError } from '../../errors/chain-error.js'

/** Whether the WASM itself trapped: a Rust panic, memory out of bounds. Refusals of arguments are ordinary errors. */
export const isPanic = (thrown: unknown): boolean => thrown instanceof WebAssembly.RuntimeError

/**
 * Quirk: a panic unwinds nothing. Locks stay locked and borrowed objects borrowed, so that the instance may answer wrongly,
 * or panic at every further call; only a new one is sound.
 */
export const panicked = (cause: unknown): ChainError =>
  new ChainError('The Kaspa WASM module has panicked', {
    code: 'wasm-panicked',
    cause,
    hint: 'Call init() again for a fresh instance. The text of the panic is on the console.',
  })
