import { ReplaySubject } from 'rxjs'
import { compileOwn } from '#sdk/wasm'
import type { ChainError } from '../../errors/chain-error.js'
import { loadCode } from '../../loading/load-code.js'
import { checkedPort } from '../checked-port.js'
import type { SdkPort, WasmSource, WasmUrl } from '../port.js'
import { createAdapter, type Run } from './adapter.js'
import { pinClassNames } from './class-names.js'
import { differs, isDiffering } from './differs.js'
import { instantiate } from './instance.js'
import { isPanic, panicked } from './panics.js'
import { toKaspaSdk, type KaspaSdk } from './shape.js'
import { toError } from './thrown-text.js'
import { excludeFromReactivity } from './vue-proxies.js'

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
