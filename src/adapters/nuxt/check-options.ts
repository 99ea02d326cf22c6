import { invalidOption, unknownOption } from '../../engine/check-options.js'
import { resolveOptions } from '../../engine/resolve-options.js'
import { ChainError } from '../../errors/chain-error.js'
import { toSettings } from '../../rest/options.js'
import type { AppOnlyOption, ModuleOptions, RestModuleOptions } from './options.js'

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
