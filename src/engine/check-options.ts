import { isRecorder } from './attach-recorder.js'
import { LONGEST_MAX_AGE } from '../model/last-state/max-age.js'
import { AVAILABLE_NETWORKS, isChainNetwork } from '../model/network.js'
import { SHARED_NAMES, isSharedName } from '../platform/can-share.js'
import { ChainError } from '../errors/chain-error.js'
import { redact } from '../errors/redact.js'

/** The values that an option accepts: as text for the error, and as a check. */
type Rule = readonly [allowed: string, accepts: Test]

type Test = (value: unknown) => boolean

const isNumber: Test = (value) => typeof value === 'number' && !Number.isNaN(value)
const isAtLeast = (value: unknown, least: number): boolean => isNumber(value) && Number(value) >= least
const isDuration: Test = (value) => isAtLeast(value, 0) && Number.isFinite(value)
const isPositiveDuration: Test = (value) => isDuration(value) && value !== 0
const isAge: Test = (value) => isPositiveDuration(value) && Number(value) <= LONGEST_MAX_AGE
const isRatio: Test = (value) => isDuration(value) && Number(value) <= 1
const isCount: Test = (value) => value === Infinity || (Number.isInteger(value) && isAtLeast(value, 0))
const isSize: Test = (value) => Number.isInteger(value) && isAtLeast(value, 1)
const isFactor: Test = (value) => isAtLeast(value, 1) && Number.isFinite(value)
const isBoolean: Test = (value) => typeof value === 'boolean'
const isString: Test = (value) => typeof value === 'string'
const isFunction: Test = (value) => typeof value === 'function'
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isSdk: Test = (value) => isFunction(value) || (isRecord(value) && isFunction(value.loadPort))
const isWasmUrl: Test = (value) => isFunction(value) || value instanceof URL || (isString(value) && value !== '')
const isWorkerUrl: Test = (value) => isWasmUrl(value) && !isFunction(value) && isOfThisOrigin(String(value))
const isRecordOrFalse: Test = (value) => value === false || isRecord(value)
const isRecordOrBoolean: Test = (value) => isBoolean(value) || isRecord(value)
const isRecorderOrFalse: Test = (value) => value === false || isRecorder(value)
const isAmountsStore: Test = (value) =>
  isRecord(value) && (isFunction(value.record) || (isFunction(value.get) && isFunction(value.set)))
const isStringList: Test = (value) => Array.isArray(value) && value.every(isString)
const isHttpUrl: Test = (value) => typeof value === 'string' && /^https?:\/\/[^/]/i.test(value) && URL.canParse(value)
const isHostList: Test = (value) => Array.isArray(value) && value.length > 0 && value.every(isHttpUrl)

const DURATION = 'a number of milliseconds, 0 or more'
const POSITIVE_DURATION = 'a number of milliseconds greater than 0'
const BOOLEAN = 'true or false'
const HTTP_URL = 'a URL that begins with http:// or https://'

function oneOf(values: readonly string[]): string {
  return `one of ${values.join(', ')}`
}

/** By option path: `reconnect.maxRetries`. */
const rules: Readonly<Record<string, Rule>> = {
  network: [/*#__PURE__*/ oneOf(AVAILABLE_NETWORKS), isChainNetwork],
  encoding: ['Borsh or SerdeJson', (value) => value === 'Borsh' || value === 'SerdeJson'],
  url: ['a WebSocket URL', isString],
  urls: ['a list of WebSocket URLs', isStringList],
  resolver: [BOOLEAN, isBoolean],
  resolvers: [`a list, each ${HTTP_URL}`, isHostList],
  autoConnect: [BOOLEAN, isBoolean],
  devtools: [BOOLEAN, isBoolean],
  texts: ['a record of texts', isRecord],
  hydration: ['a hydration store', isRecord],
  rest: ['a record', isRecord],
  restUrl: [HTTP_URL, isHttpUrl],
  panicHook: ['console, browser or false', (value) => value === 'console' || value === 'browser' || value === false],
  sdk: ['`light` of vue-chain/light, or a function that resolves to the SDK', isSdk],
  wasmUrl: ['a URL, or a function that returns one', isWasmUrl],
  ports: ['a record of ports', isRecord],
  signedAmounts: ['a record of get and set, or of record', isAmountsStore],
  logger: ['a record of debug, info, warn and error', isRecord],
  recorder: ['a recorder of createRecorder(), or false', isRecorderOrFalse],
  connectTimeout: [POSITIVE_DURATION, isPositiveDuration],
  requestTimeout: [POSITIVE_DURATION, isPositiveDuration],
  maxResolverResponseSize: ['a whole number of bytes, 1 or more', isSize],
  maxFrameSize: ['a whole number of bytes, 1 or more', isSize],
  shared: ['a record, true or false', isRecordOrBoolean],
  'shared.name': [SHARED_NAMES, isSharedName],
  'shared.claims': [BOOLEAN, isBoolean],
  'shared.connection': [BOOLEAN, isBoolean],
  'shared.state': ['a record, true or false', isRecordOrBoolean],
  'shared.state.maxAge': ['a number of milliseconds greater than 0, at most 30 days', isAge],
  'shared.workerUrl': ["a URL of the page's origin", isWorkerUrl],
  reconnect: ['a record, or false', isRecordOrFalse],
  'reconnect.maxRetries': ['a whole number, 0 or more, or Infinity', isCount],
  'reconnect.baseDelay': [DURATION, isDuration],
  'reconnect.maxDelay': [DURATION, isDuration],
  'reconnect.factor': ['a number, 1 or more', isFactor],
  'reconnect.jitter': ['a number from 0 to 1', isRatio],
  heartbeat: ['a record, or false', isRecordOrFalse],
  'heartbeat.interval': [POSITIVE_DURATION, isPositiveDuration],
  'heartbeat.timeout': [POSITIVE_DURATION, isPositiveDuration],
}

/** Throws `ChainError` (`invalid-option`) for the first unknown or invalid option; `undefined` counts as omitted. */
export function checkOptions(options: object, record = ''): void {
  for (const [name, value] of Object.entries(options)) {
    const option = record + name
    const rule = Object.hasOwn(rules, option) ? rules[option] : undefined
    if (rule === undefined) throw unknownOption(option)
    const [allowed, accepts] = rule
    if (value !== undefined && !accepts(value)) throw invalidOption(option, value, allowed)
    if (isRecord(value) && hasOptions(option)) checkOptions(value, `${option}.`)
  }
}

/** Whether a URL is of the page's origin, as those of shared workers must be; true where there is no page. */
function isOfThisOrigin(url: string): boolean {
  const page = 'location' in globalThis ? globalThis.location : undefined
  return page === undefined || (URL.canParse(url, page.href) && new URL(url, page.href).origin === page.origin)
}

/** Whether a record has options of its own. */
const hasOptions = (option: string): boolean => Object.keys(rules).some((each) => each.startsWith(`${option}.`))

/** The error of an invalid value, with the path of the option and its allowed values. */
export const invalidOption = (option: string, value: unknown, allowed: string): ChainError =>
  new ChainError(`Option "${option}" must be ${allowed}, not ${toText(value)}`, {
    code: 'invalid-option',
    argument: option,
    hint: `Set "${option}" to ${allowed}, or leave it out.`,
  })

/** The error of an unknown option: a misspelt one would be ignored. */
export const unknownOption = (option: string): ChainError =>
  new ChainError(`There is no option "${option}"`, {
    code: 'invalid-option',
    argument: option,
    hint: 'Check its spelling, or leave it out.',
  })

/** A value as text; objects, which may be large or secret, by their type only. */
function toText(value: unknown): string {
  if (typeof value === 'string') return `"${redact(value.replaceAll(' ', '%20')).slice(0, 100)}"`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : typeof value
}
