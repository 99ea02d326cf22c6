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
import { WASM_IDLE, reduceWasm, toWasmState, type WasmEvent, type WasmPhase, type WasmState } from './wasm-state.js'

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
