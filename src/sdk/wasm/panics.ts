import { withDetails } from '../../errors/shown.js'
import { ChainError } from '../../errors/chain-error.js'

/** Whether the WASM itself trapped: a Rust panic, memory out of bounds. Invalid arguments throw ordinary errors. */
export const isPanic = (thrown: unknown): boolean => thrown instanceof WebAssembly.RuntimeError

/**
 * Quirk: a panic does not unwind. Locks stay locked and objects borrowed, so that further calls may return wrong
 * results or panic; the instance must be replaced.
 */
export const panicked = (cause: unknown): ChainError =>
  new ChainError(withDetails('The Kaspa WASM module has panicked', cause), {
    code: 'wasm-panicked',
    cause,
    hint: 'Call init() again for a new instance. The panic message is on the console.',
  })
