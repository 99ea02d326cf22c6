import { withDetails } from '../../errors/shown.js'
import { ChainError } from '../../errors/chain-error.js'

/** Whether the WASM file is another one than ours. */
export const isDiffering = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'wasm-differs'

/** The error of such a file; `cause` names it. */
export const differs = (cause: Error): ChainError =>
  new ChainError(withDetails('The Kaspa WASM module could not be loaded', cause), {
    code: 'wasm-differs',
    cause,
    hint: 'Serve kaspa_bg.wasm of this version of vue-chain, without a cached or optimised copy; pass another build as the option sdk.',
  })
