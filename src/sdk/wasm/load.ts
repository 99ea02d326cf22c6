import { ReplaySubject } from 'rxjs'
import { compileOwn } from '#sdk/wasm'
import type { ChainError } from '../../errors/chain-error.js'
import type { SdkPort } from '../port.js'
import { createAdapter, type Run } from './adapter.js'
import { pinClassNames } from './class-names.js'
import { instantiate } from './instance.js'
import { isPanic, panicked } from './panics.js'
import { toKaspaSdk, type KaspaSdk } from './shape.js'
import { toError } from './thrown-text.js'
import { keepFromProxies } from './vue-proxies.js'

/** Resolves to the module of a Kaspa WASM SDK, of any generation. */
export type SdkLoader = () => Promise<unknown>

/** Where the SDK writes the text of a panic: to the console, onto the page, or nowhere. */
export type PanicHook = 'console' | 'browser' | false

/**
 * Our own SDK: glue and WASM file lie in dist/sdk and are fetched at the first call, never before; both at once, so that
 * the glue is parsed and run while the file still comes in and compiles. What compiles it is a part of this very module:
 * a piece of its own would have to be fetched before the megabytes are even asked for. They are asked for first.
 */
const importOwnSdk: SdkLoader = async () => {
  const [, sdk] = await Promise.all([compileOwn(), import('#sdk').then(({ createSdk }) => createSdk())])
  return sdk
}

/** The load under way or done of each loader function: engines share it, and nothing else. */
const loads = /*#__PURE__*/ new WeakMap<SdkLoader, Promise<SdkPort>>()

/**
 * The SDK behind its port, once its WASM is ready. One load for each `load` function, whoever asks; the first caller's
 * `panicHook` holds. A load that failed, and an instance that broke, are forgotten: the next call makes a new one.
 * Rejects with what the loader or the WASM failed with, or `ChainError` `sdk-unsupported` where it is no SDK we can use.
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
  keepFromProxies(exports)
  reportPanics(sdk, panicHook)
  const broken$ = new ReplaySubject<ChainError>(1)
  return { ...createAdapter(sdk, runOn(broken$)), broken$: broken$.asObservable() }
}

function reportPanics(sdk: KaspaSdk, panicHook: PanicHook): void {
  if (panicHook === 'console') sdk.initConsolePanicHook?.()
  if (panicHook === 'browser') sdk.initBrowserPanicHook?.()
}

/** Runs an instance's calls: text thrown becomes an error, a panic ends the instance. */
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
