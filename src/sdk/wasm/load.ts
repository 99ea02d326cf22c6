import { ReplaySubject } from 'rxjs'
import { compileOwn } from '#sdk/wasm'
import { ChainError } from '../../errors/chain-error.js'
import { loadCode } from '../../loading/load-code.js'
import { checkedPort } from '../checked-port.js'
import type { SdkPort, WasmSource, WasmUrl } from '../port.js'
import { createAdapter, type Run, isPanic, panicked } from './adapter.js'
import { toKaspaSdk, type KaspaSdk } from './shape.js'
import { withDetails } from '../../errors/shown.js'

/** Resolves to the module of a Kaspa WASM SDK of any supported version. */
export type SdkLoader = () => Promise<unknown>

/** Where the SDK writes panic messages: to the console, onto the page, or nowhere. */
export type PanicHook = 'console' | 'browser' | false

/**
 * The bundled SDK in dist/sdk: glue and WASM file are fetched at the first call and in parallel, so that the glue is
 * parsed while the file streams in and compiles. `compileOwn` is part of this module, because a separate chunk would
 * delay the fetch of the WASM file.
 */
const importOwnSdk: SdkLoader = () => importFrom(undefined)

async function importFrom(locate: (() => WasmSource | Promise<WasmSource>) | undefined): Promise<unknown> {
  const compiled = compileOwn(locate).catch((error: unknown) => {
    throw isDiffering(error) ? differs(error) : error
  })
  const [, sdk] = await Promise.all([compiled, loadSdkCode()])
  return sdk
}

/** The specifier is a literal, by which bundlers find the glue. */
const loadSdkCode = async (): Promise<unknown> => (await loadCode(() => import('#sdk'))).createSdk()

/** The loaders of the bundled SDK by `wasmUrl`, shared by engines. */
const ownLoaders = /*#__PURE__*/ new Map<WasmUrl, SdkLoader>()

/** The loader of the bundled SDK with its WASM file from `wasmUrl`. */
export function ownSdk(wasmUrl: WasmUrl | undefined): SdkLoader {
  if (wasmUrl === undefined) return importOwnSdk
  const locate = typeof wasmUrl === 'function' ? wasmUrl : () => wasmUrl
  const loader = ownLoaders.get(wasmUrl) ?? (() => importFrom(locate))
  ownLoaders.set(wasmUrl, loader)
  return loader
}

/** The pending or finished load of each loader function, shared by engines. */
const loads = /*#__PURE__*/ new WeakMap<SdkLoader, Promise<SdkPort>>()

/**
 * Loads the SDK. Each `load` function runs once, and its first caller's `panicHook` applies. After a failed load or a
 * panic the next call loads a new instance. Rejects with the error of the loader or the WASM, or with `ChainError`
 * (`sdk-unsupported`).
 */
export function loadSdk(load: SdkLoader = importOwnSdk, panicHook: PanicHook = 'console'): Promise<SdkPort> {
  const known = loads.get(load)
  if (known !== undefined) return known
  const loading = openSdk(load, panicHook)
  const forget = (): boolean => loads.get(load) === loading && loads.delete(load)
  loads.set(load, loading)
  loading.then((port) => port.broken$.subscribe(forget), forget)
  return loading
}

async function openSdk(load: SdkLoader, panicHook: PanicHook): Promise<SdkPort> {
  const exports = await instantiate(await load())
  const sdk = toKaspaSdk(exports)
  pinClassNames(exports)
  excludeFromReactivity(exports)
  reportPanics(sdk, panicHook)
  const broken$ = new ReplaySubject<ChainError>(1)
  return checkedPort({ ...createAdapter(sdk, runOn(broken$)), broken$: broken$.asObservable() })
}

function reportPanics(sdk: KaspaSdk, panicHook: PanicHook): void {
  if (panicHook === 'console') sdk.initConsolePanicHook?.()
  if (panicHook === 'browser') sdk.initBrowserPanicHook?.()
}

/** Runs an instance's calls: converts thrown strings to errors and emits panics to `broken$`. */
const runOn =
  (broken$: ReplaySubject<ChainError>): Run =>
  (call) => {
    try {
      return call()
    } catch (thrown) {
      if (!isPanic(thrown)) throw toError(thrown)
      const error = panicked(thrown)
      broken$.next(error)
      broken$.complete()
      throw error
    }
  }

/** Whether the WASM file is another one than ours. */
const isDiffering = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'wasm-differs'

/** The error of such a file; `cause` names it. */
export const differs = (cause: Error): ChainError =>
  new ChainError(withDetails('The Kaspa WASM module could not be loaded', cause), {
    code: 'wasm-differs',
    cause,
    hint: 'Serve kaspa_bg.wasm of this version of vue-chain, without a cached or optimised copy; pass another build as the option sdk.',
  })

/** Quirk: the SDK throws bare strings, which have no stack and no `message`. Other values are returned unchanged. */
const toError = (thrown: unknown): unknown => (typeof thrown === 'string' ? new Error(thrown) : thrown)

/**
 * The exports of an initialized instance of the module that a loader resolves to:
 * - our converted glue, whose `createSdk` creates a new instance per call;
 * - a module of wasm-bindgen's web target with one instance, initialized by its default export;
 * - a CommonJS build imported from an ES module: all exports in `default`, initialized on load.
 */
export async function instantiate(module: unknown): Promise<SdkExports> {
  const given = toRecord(module)
  const exports = isFunction(given.createSdk) ? toRecord(given.createSdk()) : given
  const init = exports.default
  if (typeof init === 'object' && init !== null) return { ...init }
  if (isFunction(init)) await init()
  return { ...exports }
}

const isFunction = (value: unknown): value is () => unknown => typeof value === 'function'

/** A value's own members, none for other than objects: `toKaspaSdk` reports what is missing. */
const toRecord = (value: unknown): SdkExports => (typeof value === 'object' && value !== null ? { ...value } : {})

/** The exports of a loaded SDK module, unchecked. */
type SdkExports = Readonly<Record<string, unknown>>

/** A class whose instances live in WASM memory. */
type WasmClass = (abstract new () => unknown) & { readonly prototype: object }

/** The WASM classes among an SDK's exports, by export name. */
const wasmClassesOf = (exports: SdkExports): [name: string, WasmClass][] =>
  Object.entries(exports).filter((entry): entry is [string, WasmClass] => isWasmClass(entry[1]))

function isWasmClass(value: unknown): value is WasmClass {
  if (typeof value !== 'function') return false
  const prototype: unknown = value.prototype
  return typeof prototype === 'object' && prototype !== null && 'free' in prototype
}

/**
 * Quirk: the SDK checks `constructor.name` of objects, and minifiers rename classes: in a production build a key passed
 * as an object is then "invalid". The converted glue pins its names; a user's own SDK build needs it too.
 */
export function pinClassNames(exports: SdkExports): void {
  for (const [name, wasmClass] of wasmClassesOf(exports)) {
    if (wasmClass.name !== name) Object.defineProperty(wasmClass, 'name', { value: name, configurable: true })
  }
}

/**
 * Quirk: an object freed through a Vue proxy is freed again by the garbage collector, which corrupts the memory.
 * `__v_skip` excludes SDK objects from reactivity at any depth. Relevant for users who share the module.
 */
function excludeFromReactivity(exports: SdkExports): void {
  for (const [, { prototype }] of wasmClassesOf(exports)) {
    if (!('__v_skip' in prototype)) Object.defineProperty(prototype, '__v_skip', { value: true })
  }
}
