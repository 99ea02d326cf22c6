import { type ChainRestOptions, toSettings } from '../../rest/options.js'
import type { VueChainOptions } from '../vue/plugin/options.js'
import { invalidOption, unknownOption } from '../../engine/check-options.js'
import { resolveOptions } from '../../engine/resolve-options.js'
import { ChainError } from '../../errors/chain-error.js'

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
type AppOnlyOption = Exclude<keyof VueChainOptions, keyof ModuleOptions>

type TypeName = 'string' | 'number' | 'object'

const REST_TYPES = {
  baseUrl: 'string',
  network: 'string',
  headers: 'object',
  staleTime: 'number',
  cacheTime: 'number',
  timeout: 'number',
  retries: 'number',
  retryDelay: 'number',
  concurrency: 'number',
  maxResponseSize: 'number',
} satisfies Record<keyof RestModuleOptions, TypeName>

const APP_ONLY: Readonly<Record<AppOnlyOption, true>> = {
  logger: true,
  ports: true,
  hydration: true,
  signedAmounts: true,
}

/**
 * Validates the options of nuxt.config as the plugin does, so that a mistake stops the build. Throws `ChainError`
 * (`invalid-option`) for the first unknown or invalid option, or one that cannot be serialised.
 */
export function checkModuleOptions({ sdk, css, rest, ...options }: ModuleOptions): void {
  if (typeof sdk === 'function') throw appOnly('sdk')
  if (![undefined, 'wasm', 'light'].includes(sdk)) throw invalidOption('sdk', sdk, 'wasm or light')
  if (css !== undefined && typeof css !== 'boolean') throw invalidOption('css', css, 'true or false')
  for (const [name, value] of Object.entries(options)) {
    if (Object.hasOwn(APP_ONLY, name) || typeof value === 'function') throw appOnly(name)
  }
  if (isRecord(options.recorder)) throw appOnly('recorder')
  if (rest !== undefined) checkRestOptions(rest)
  resolveOptions(options)
}

function checkRestOptions(rest: RestModuleOptions): void {
  if (!isRecord(rest)) throw invalidOption('rest', rest, 'a record')
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'function') throw appOnly(`rest.${name}`)
    if (!Object.hasOwn(REST_TYPES, name)) throw unknownOption(`rest.${name}`)
    const type = REST_TYPES[name as keyof typeof REST_TYPES]
    if (value !== undefined && typeof value !== type) throw invalidOption(`rest.${name}`, value, `a ${type}`)
  }
  toSettings(rest)
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null

const appOnly = (option: string): ChainError =>
  new ChainError(`Option "${option}" cannot be set in nuxt.config, because it cannot be serialised`, {
    code: 'invalid-option',
    argument: option,
    hint: 'Set it in chain.options.ts in the app folder, whose default export is merged at run time.',
  })

/**
 * Options that environment variables may set at start although nuxt.config does not: Nuxt reads those of existing keys.
 */
const SETTABLE = [
  'network',
  'url',
  'urls',
  'restUrl',
  'resolver',
  'resolvers',
  'encoding',
  'autoConnect',
  'connectTimeout',
  'requestTimeout',
  'maxFrameSize',
  'maxResolverResponseSize',
  'panicHook',
  'wasmUrl',
  'devtools',
] as const satisfies readonly (keyof ModuleOptions)[]

/** A part of Nuxt's runtime config. */
export type RuntimeValues = Readonly<Record<string, unknown>>

/** The config of the build, which has both parts. */
interface WholeConfig extends ChainRuntimeConfig {
  readonly chain: NonNullable<ChainRuntimeConfig['chain']>
}

/** What `useRuntimeConfig()` returns of this module. */
export interface ChainRuntimeConfig {
  /** On a server only. */
  readonly chain?: { readonly rest: { readonly headers: unknown } } | undefined
  readonly public: { readonly chain: RuntimeValues }
}

/**
 * The options as runtime config. What is public reaches every page; REST headers stay on the server. Empty texts stand
 * for options that are not set.
 */
export function toRuntimeConfig({
  sdk: _sdk, // of the build, as css
  css: _css,
  rest = {},
  ...options
}: ModuleOptions): WholeConfig {
  const { headers, ...publicRest } = rest
  const empty = Object.fromEntries(SETTABLE.map((name) => [name, '']))
  return {
    chain: { rest: { headers: headers ?? '' } },
    public: { chain: { ...empty, ...toSerializable({ ...options, rest: publicRest }) } },
  }
}

/** Infinity and URLs become texts: Nuxt's server config is JSON. `undefined` is left out. */
const toSerializable = (record: object): RuntimeValues =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]: [string, unknown]) => [name, toSerializableValue(value)]),
  )

function toSerializableValue(value: unknown): unknown {
  if (value === Infinity) return 'Infinity'
  if (value instanceof URL) return value.href
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? toSerializable(value) : value
}
