import type { ChainRestOptions } from '../../rest/options.js'
import type { VueChainOptions } from '../vue/plugin/options.js'

/** Options of the REST client that can be serialised. */
export interface RestModuleOptions extends Omit<ChainRestOptions, 'fetcher' | 'headers'> {
  /** Sent with every request of the server; they stay in the private runtime config. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Key `chain` of nuxt.config: the serialisable options of the plugin. The others come from `chain.options.ts` of the
 * app.
 */
export interface ModuleOptions extends Omit<
  VueChainOptions,
  'sdk' | 'wasmUrl' | 'rest' | 'logger' | 'recorder' | 'ports' | 'hydration' | 'signedAmounts'
> {
  /** What keys and signatures are made with: the WASM SDK, or `light` of `vue-chain/light`. @default 'wasm' */
  readonly sdk?: 'wasm' | 'light' | undefined
  /** Where the WASM file lies. @default a file of the build */
  readonly wasmUrl?: string | undefined
  readonly rest?: RestModuleOptions | undefined
  /** `false`: no recorder in development. One of the app's own is set in `chain.options.ts`. */
  readonly recorder?: false | undefined
  /** Adds `vue-chain/style.css`, the look of `<ConnectWallet>`. @default false */
  readonly css?: boolean | undefined
}

/** Options of the plugin that only `chain.options.ts` may set. */
export type AppOnlyOption = Exclude<keyof VueChainOptions, keyof ModuleOptions>
