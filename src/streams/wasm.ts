import {
  EMPTY,
  catchError,
  concat,
  defer,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  of,
  queueScheduler,
  subscribeOn,
  switchMap,
  type Observable,
  type ObservableInput,
} from 'rxjs'
import { withDetails } from '../errors/shown.js'
import { ChainError } from '../errors/chain-error.js'
import { engineDisposed, ChainNotReadyError } from '../errors/not-ready-error.js'
import type { SdkPort } from '../sdk/port.js'
import { createMachine } from './machine.js'

/** The state of the WASM module, and the methods that change it. */
export interface WasmControl {
  /**
   * Hot and shared; replays the current state. Emits only changes, never errors (a failed load and a panic are states),
   * completes on `dispose()`. Subscribing does not load.
   */
  readonly status$: Observable<WasmState>
  /**
   * Resolves once the module is ready; starts loading from `idle` and `error`, otherwise shares the load in progress.
   * Rejects with `ChainError`: `wasm-load-failed` or `sdk-unsupported` with the cause, `aborted` by `reset()` or
   * `dispose()`, `disposed` when called after that.
   */
  init(): Promise<void>
  /** Back to `idle` from any state; aborts a load in progress. A loaded module is reused by the next `init()`. */
  reset(): void
}

/** Loads the WASM module and provides the SDK. */
export interface Wasm extends WasmControl {
  /**
   * The SDK. Throws `ChainNotReadyError`, which names `operation`, in every state but `ready`, and `ChainError`
   * (`disposed`) after `dispose()`.
   */
  sdk(operation?: string): SdkPort
  /** Completes `status$`; a pending `init()` rejects. Safe to call twice. */
  dispose(): void
}

/** `loadSdk` is subscribed to once per load; unsubscribing aborts the load. */
export function createWasm(loadSdk: () => ObservableInput<SdkPort>): Wasm {
  const machine = createMachine(WASM_IDLE, reduceWasm)
  const loads = machine.state$
    .pipe(map(activeLoad), distinctUntilChanged(), switchMap(toLoadEvents(loadSdk)))
    .subscribe((event) => machine.dispatch(event))
  return {
    status$: machine.state$.pipe(map(toWasmState)),
    init: () => {
      machine.dispatch({ type: 'initRequested' })
      return untilReady(machine.state$)
    },
    reset: () => machine.dispatch({ type: 'resetRequested' }),
    sdk: (operation) => {
      if (loads.closed) throw engineDisposed()
      if (machine.state.status !== 'ready') throw new ChainNotReadyError(operation)
      return machine.state.sdk
    },
    dispose: () => {
      machine.dispatch({ type: 'resetRequested' })
      machine.end()
    },
  }
}

/** The number of the load in progress or in use. A ready module stays observed, because it may panic. */
const activeLoad = (phase: WasmPhase): number | undefined =>
  phase.status === 'loading' || phase.status === 'ready' ? phase.load : undefined

/** The events of a load while it is active. */
const toLoadEvents =
  (loadSdk: () => ObservableInput<SdkPort>) =>
  (load: number | undefined): Observable<WasmEvent> => {
    if (load === undefined) return EMPTY
    return defer(loadSdk).pipe(
      switchMap((sdk) => concat(of<WasmEvent>({ type: 'loaded', load, sdk }), toPanics(load, sdk))),
      catchError((cause: unknown) => of<WasmEvent>({ type: 'failed', load, error: toLoadError(cause) })),
    )
  }

const toPanics = (load: number, sdk: SdkPort): Observable<WasmEvent> =>
  sdk.broken$.pipe(map((error) => ({ type: 'panicked', load, error })))

function toLoadError(cause: unknown): ChainError {
  if (cause instanceof ChainError) return cause as ChainError
  return new ChainError(withDetails('The Kaspa WASM module could not be loaded', cause), {
    code: 'wasm-load-failed',
    cause,
    hint: "Serve kaspa_bg.wasm, or set the option wasmUrl to where it lies; allow 'wasm-unsafe-eval' where there is a Content-Security-Policy; and call init() again.",
  })
}

/** Subscribes on the queue scheduler: `init()` may be called while the error state is being emitted. */
async function untilReady(phase$: Observable<WasmPhase>): Promise<void> {
  const settled$ = phase$.pipe(
    subscribeOn(queueScheduler),
    filter(({ status }) => status !== 'loading'),
  )
  const phase = await firstValueFrom(settled$, { defaultValue: null })
  if (phase === null) throw engineDisposed()
  if (phase.status === 'error') throw phase.error
  if (phase.status === 'idle')
    throw new ChainError('The load of the Kaspa WASM module was aborted', { code: 'aborted' })
}

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

const WASM_IDLE: WasmPhase = { status: 'idle', load: 0 }

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
