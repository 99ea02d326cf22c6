import type { ChainError } from '../errors/chain-error.js'
import type { SdkPort } from '../sdk/port.js'

/** `idle`: not started. `loading`: fetched and compiled. `ready`: usable. `error`: the load or the module failed. */
export type WasmStatus = 'idle' | 'loading' | 'ready' | 'error'

/** The public state of the WASM module. */
export type WasmState =
  | { readonly status: 'idle' | 'loading' | 'ready' }
  | { readonly status: 'error'; readonly error: ChainError }

/**
 * The internal state. `load` numbers the loads: an event carries the number of its load and is ignored after a newer
 * one started.
 */
export type WasmPhase =
  | { readonly status: 'idle'; readonly load: number }
  | { readonly status: 'loading'; readonly load: number }
  | { readonly status: 'ready'; readonly load: number; readonly sdk: SdkPort }
  | { readonly status: 'error'; readonly load: number; readonly error: ChainError }

export type WasmEvent =
  | { readonly type: 'initRequested' }
  | { readonly type: 'resetRequested' }
  | { readonly type: 'loaded'; readonly load: number; readonly sdk: SdkPort }
  | { readonly type: 'failed'; readonly load: number; readonly error: ChainError }
  | { readonly type: 'panicked'; readonly load: number; readonly error: ChainError }

export const WASM_IDLE: WasmPhase = { status: 'idle', load: 0 }

/** The next state; the same object where the event has no meaning. */
export function reduceWasm(phase: WasmPhase, event: WasmEvent): WasmPhase {
  switch (event.type) {
    case 'initRequested':
      return phase.status === 'idle' || phase.status === 'error' ? { status: 'loading', load: phase.load + 1 } : phase
    case 'resetRequested':
      return phase.status === 'idle' ? phase : { status: 'idle', load: phase.load }
    case 'loaded':
      return isLoading(phase, event.load) ? { status: 'ready', load: event.load, sdk: event.sdk } : phase
    case 'failed':
      return isLoading(phase, event.load) ? { status: 'error', load: event.load, error: event.error } : phase
    case 'panicked':
      return phase.status === 'ready' && phase.load === event.load
        ? { status: 'error', load: event.load, error: event.error }
        : phase
  }
}

const isLoading = (phase: WasmPhase, load: number): boolean => phase.status === 'loading' && phase.load === load

/** The public part of the state. */
export const toWasmState = (phase: WasmPhase): WasmState =>
  phase.status === 'error' ? { status: 'error', error: phase.error } : { status: phase.status }
