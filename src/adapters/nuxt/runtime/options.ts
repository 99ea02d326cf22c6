import type { VueChainOptions } from 'vue-chain'
import type { ChainRuntimeConfig, RuntimeValues } from '../module-options.js'

/** The plugin's options in Nuxt's runtime config. On a server with the REST headers, which are private. */
export function readOptions({ chain, public: { chain: values } }: ChainRuntimeConfig): VueChainOptions {
  const { rest, ...options } = withoutEmpty(values) as VueChainOptions // validated by the plugin
  const headers = chain?.rest.headers
  return { ...options, rest: { ...rest, ...(isSet(headers) && { headers: headers as Record<string, string> }) } }
}

const isSet = (value: unknown): boolean => value !== '' && value !== undefined

const withoutEmpty = (values: RuntimeValues): RuntimeValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => isSet(value))
      .map(([name, value]) => [name, read(value)]),
  )

/** JSON has no Infinity; the module writes it as text. */
function read(value: unknown): unknown {
  if (value === 'Infinity') return Infinity
  return isRecord(value) ? withoutEmpty(value) : value
}

const isRecord = (value: unknown): value is RuntimeValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
