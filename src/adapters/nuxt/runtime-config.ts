import type { ModuleOptions } from './options.js'

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
