import {
  BehaviorSubject,
  EMPTY,
  Subject,
  catchError,
  concat,
  defer,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  observeOn,
  of,
  queueScheduler,
  scan,
  switchMap,
  type Observable,
  type ObservableInput,
} from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainNotReadyError } from '../errors/not-ready-error.js'
import type { SdkPort } from '../sdk/port.js'
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
  const events$ = new Subject<WasmEvent>()
  const phase$ = new BehaviorSubject<WasmPhase>(WASM_IDLE)
  // What a load says may come while `initRequested` is still being told: queued, so that nobody hears `ready` first.
  events$.pipe(observeOn(queueScheduler), scan(reduceWasm, WASM_IDLE), distinctUntilChanged()).subscribe(phase$)
  phase$.pipe(map(loadInUse), distinctUntilChanged(), switchMap(toLoadEvents)).subscribe((event) => {
    events$.next(event)
  })

  function toLoadEvents(load: number | undefined): Observable<WasmEvent> {
    if (load === undefined) return EMPTY
    return defer(loadSdk).pipe(
      switchMap((sdk) => concat(of<WasmEvent>({ type: 'loaded', load, sdk }), toPanics(load, sdk))),
      catchError((cause: unknown) => of<WasmEvent>({ type: 'failed', load, error: toLoadError(cause) })),
    )
  }

  return {
    status$: phase$.pipe(map(toWasmState)),
    init: () => {
      events$.next({ type: 'initRequested' })
      return untilReady(phase$)
    },
    reset: () => {
      events$.next({ type: 'resetRequested' })
    },
    sdk: (operation) => {
      if (phase$.value.status !== 'ready') throw new ChainNotReadyError(operation)
      return phase$.value.sdk
    },
    dispose: () => {
      events$.next({ type: 'resetRequested' })
      events$.complete()
    },
  }
}

/** One number, one load: it lasts while loading, and while ready, since a panic may come. */
const loadInUse = (phase: WasmPhase): number | undefined =>
  phase.status === 'loading' || phase.status === 'ready' ? phase.load : undefined

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

async function untilReady(phase$: Observable<WasmPhase>): Promise<void> {
  const phase = await firstValueFrom(phase$.pipe(filter(({ status }) => status !== 'loading')), { defaultValue: null })
  if (phase === null) throw ended('disposed', 'The engine has been disposed of')
  if (phase.status === 'error') throw phase.error
  if (phase.status === 'idle') throw ended('interrupted', 'The load of the Kaspa WASM module was given up')
}

const ended = (code: 'disposed' | 'interrupted', message: string): ChainError => new ChainError(message, { code })
