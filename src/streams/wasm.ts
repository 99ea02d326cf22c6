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
import { ChainError } from '../errors/chain-error.js'
import { ChainNotReadyError } from '../errors/not-ready-error.js'
import type { SdkPort } from '../sdk/port.js'
import { createMachine } from './machine.js'
import { WASM_IDLE, reduceWasm, toWasmState, type WasmEvent, type WasmPhase, type WasmState } from './wasm-state.js'

/** The WASM module's life: who loads it, who asks for it. */
export interface Wasm {
  /**
   * Hot and shared; a late subscriber gets the current state at once. Emits only changes, never errors (a failed load and
   * a panic are states), completes on `dispose()`. Watching it loads nothing.
   */
  readonly status$: Observable<WasmState>
  /**
   * Resolves once the module is ready; starts loading from `idle` and from `error`, else shares what is under way.
   * Rejects with `ChainError`: `wasm-load-failed` or `sdk-unsupported` with the cause, `interrupted` by `reset()`
   * or `dispose()`, `disposed` when called after that.
   */
  init(): Promise<void>
  /** Back to `idle`, from anywhere; a load under way is given up. What has been loaded is kept for the next `init()`. */
  reset(): void
  /** The SDK. Throws `ChainNotReadyError`, which names `operation`, in every state but `ready`. */
  sdk(operation?: string): SdkPort
  /** Completes `status$`; a waiting `init()` rejects. Safe to call twice. */
  dispose(): void
}

/** A module that `loadSdk` brings: subscribed to once a load, and given up by unsubscribing. */
export function createWasm(loadSdk: () => ObservableInput<SdkPort>): Wasm {
  const machine = createMachine(WASM_IDLE, reduceWasm)
  machine.state$
    .pipe(map(loadInUse), distinctUntilChanged(), switchMap(toLoadEvents(loadSdk)))
    .subscribe((event) => machine.dispatch(event))
  return {
    status$: machine.state$.pipe(map(toWasmState)),
    init: () => {
      machine.dispatch({ type: 'initRequested' })
      return untilReady(machine.state$)
    },
    reset: () => machine.dispatch({ type: 'resetRequested' }),
    sdk: (operation) => {
      if (machine.state.status !== 'ready') throw new ChainNotReadyError(operation)
      return machine.state.sdk
    },
    dispose: () => {
      machine.dispatch({ type: 'resetRequested' })
      machine.end()
    },
  }
}

/** One number, one load: it lasts while loading, and while ready, since a panic may come. */
const loadInUse = (phase: WasmPhase): number | undefined =>
  phase.status === 'loading' || phase.status === 'ready' ? phase.load : undefined

/** What happens to a load, for as long as it is in use. */
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
  return new ChainError('The Kaspa WASM module could not be loaded', {
    code: 'wasm-load-failed',
    cause,
    hint: "Serve kaspa_bg.wasm, allow 'wasm-unsafe-eval' where there is a Content-Security-Policy, and call init() again.",
  })
}

/** Looks when its turn has come: `init()` may be called by a listener that is just being told of an error. */
async function untilReady(phase$: Observable<WasmPhase>): Promise<void> {
  const settled$ = phase$.pipe(
    subscribeOn(queueScheduler),
    filter(({ status }) => status !== 'loading'),
  )
  const phase = await firstValueFrom(settled$, { defaultValue: null })
  if (phase === null) throw ended('disposed', 'The engine has been disposed of')
  if (phase.status === 'error') throw phase.error
  if (phase.status === 'idle') throw ended('interrupted', 'The load of the Kaspa WASM module was given up')
}

const ended = (code: 'disposed' | 'interrupted', message: string): ChainError => new ChainError(message, { code })
