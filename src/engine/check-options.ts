import { AVAILABLE_NETWORKS, isChainNetwork } from '../model/network.js'
import { invalidOption, unknownOption } from './invalid-option.js'

/** What an option must be where it is given: in words, and as a check. */
type Rule = readonly [allowed: string, accepts: Test]

type Test = (value: unknown) => boolean

const isNumber: Test = (value) => typeof value === 'number' && !Number.isNaN(value)
const isAtLeast = (value: unknown, least: number): boolean => isNumber(value) && Number(value) >= least
const isDelay: Test = (value) => isAtLeast(value, 0) && Number.isFinite(value)
const isSpan: Test = (value) => isDelay(value) && value !== 0
const isShare: Test = (value) => isDelay(value) && Number(value) <= 1
const isCount: Test = (value) => value === Infinity || (Number.isInteger(value) && isAtLeast(value, 0))
const isFactor: Test = (value) => isAtLeast(value, 1) && Number.isFinite(value)
const isFlag: Test = (value) => typeof value === 'boolean'
const isText: Test = (value) => typeof value === 'string'
const isFunction: Test = (value) => typeof value === 'function'
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isRecordOrFalse: Test = (value) => value === false || isRecord(value)
const isTextList: Test = (value) => Array.isArray(value) && value.every(isText)
const isHttpUrl: Test = (value) => typeof value === 'string' && /^https?:\/\/[^/]/i.test(value) && URL.canParse(value)
const isHostList: Test = (value) => Array.isArray(value) && value.length > 0 && value.every(isHttpUrl)

const DELAY = 'a number of milliseconds, 0 or more'
const SPAN = 'a number of milliseconds greater than 0'
const FLAG = 'true or false'
const HTTP_URL = 'a URL that begins with http:// or https://'

/** By the name as a caller writes it; a dot leads into a record. */
const rules: Readonly<Record<string, Rule>> = {
  network: [`one of ${AVAILABLE_NETWORKS.join(', ')}`, isChainNetwork],
  encoding: ['Borsh or SerdeJson', (value) => value === 'Borsh' || value === 'SerdeJson'],
  url: ['a WebSocket URL', isText],
  urls: ['a list of WebSocket URLs', isTextList],
  resolver: [FLAG, isFlag],
  resolvers: [`a list, each ${HTTP_URL}`, isHostList],
  autoConnect: [FLAG, isFlag],
  devtools: [FLAG, isFlag],
  rest: ['a record', isRecord],
  restUrl: [HTTP_URL, isHttpUrl],
  panicHook: ['console, browser or false', (value) => value === 'console' || value === 'browser' || value === false],
  sdk: ['a function that resolves to the SDK', isFunction],
  ports: ['a record of ports', isRecord],
  logger: ['a record of debug, info, warn and error', isRecord],
  connectTimeout: [SPAN, isSpan],
  requestTimeout: [SPAN, isSpan],
  reconnect: ['a record, or false', isRecordOrFalse],
  'reconnect.maxRetries': ['a whole number, 0 or more, or Infinity', isCount],
  'reconnect.baseDelay': [DELAY, isDelay],
  'reconnect.maxDelay': [DELAY, isDelay],
  'reconnect.factor': ['a number, 1 or more', isFactor],
  'reconnect.jitter': ['a number from 0 to 1', isShare],
  heartbeat: ['a record, or false', isRecordOrFalse],
  'heartbeat.interval': [SPAN, isSpan],
  'heartbeat.timeout': [SPAN, isSpan],
}

/** Throws `ChainError` (`invalid-option`) for the first that there is not, or that cannot be meant; `undefined` is not given. */
export function checkOptions(options: object, record = ''): void {
  for (const [name, value] of Object.entries(options)) {
    const option = record + name
    const rule = rules[option]
    if (rule === undefined) throw unknownOption(option)
    const [allowed, accepts] = rule
    if (value !== undefined && !accepts(value)) throw invalidOption(option, value, allowed)
    if (accepts === isRecordOrFalse && isRecord(value)) checkOptions(value, `${option}.`)
  }
}
