import { AVAILABLE_NETWORKS, isChainNetwork } from '../model/network.js'
import { invalidOption } from './invalid-option.js'
import type { ChainEngineOptions } from './options.js'

/** What an option must be where it is given: in words, and as a check. */
interface Rule {
  /** As the caller wrote it; a dot leads into a record. */
  readonly option: string
  readonly allowed: string
  readonly accepts: (value: unknown) => boolean
}

type Test = Rule['accepts']

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

const rules: readonly Rule[] = [
  { option: 'network', allowed: `one of ${AVAILABLE_NETWORKS.join(', ')}`, accepts: isChainNetwork },
  { option: 'encoding', allowed: 'Borsh or SerdeJson', accepts: (value) => value === 'Borsh' || value === 'SerdeJson' },
  { option: 'url', allowed: 'a WebSocket URL', accepts: isText },
  { option: 'urls', allowed: 'a list of WebSocket URLs', accepts: isTextList },
  { option: 'resolver', allowed: FLAG, accepts: isFlag },
  { option: 'resolvers', allowed: `a list, each ${HTTP_URL}`, accepts: isHostList },
  { option: 'autoConnect', allowed: FLAG, accepts: isFlag },
  { option: 'restUrl', allowed: HTTP_URL, accepts: isHttpUrl },
  {
    option: 'panicHook',
    allowed: 'console, browser or false',
    accepts: (value) => value === 'console' || value === 'browser' || value === false,
  },
  { option: 'sdk', allowed: 'a function that resolves to the SDK', accepts: isFunction },
  { option: 'ports', allowed: 'a record of ports', accepts: isRecord },
  { option: 'logger', allowed: 'a record of debug, info, warn and error', accepts: isRecord },
  { option: 'connectTimeout', allowed: SPAN, accepts: isSpan },
  { option: 'requestTimeout', allowed: SPAN, accepts: isSpan },
  { option: 'reconnect', allowed: 'a record, or false', accepts: isRecordOrFalse },
  { option: 'reconnect.maxRetries', allowed: 'a whole number, 0 or more, or Infinity', accepts: isCount },
  { option: 'reconnect.baseDelay', allowed: DELAY, accepts: isDelay },
  { option: 'reconnect.maxDelay', allowed: DELAY, accepts: isDelay },
  { option: 'reconnect.factor', allowed: 'a number, 1 or more', accepts: isFactor },
  { option: 'reconnect.jitter', allowed: 'a number from 0 to 1', accepts: isShare },
  { option: 'heartbeat', allowed: 'a record, or false', accepts: isRecordOrFalse },
  { option: 'heartbeat.interval', allowed: SPAN, accepts: isSpan },
  { option: 'heartbeat.timeout', allowed: SPAN, accepts: isSpan },
]

/** Throws `ChainError` (`invalid-option`) for the first option that cannot be meant. Options that are left out are fine. */
export function checkOptions(options: ChainEngineOptions): void {
  for (const { option, allowed, accepts } of rules) {
    const value = read(options, option)
    if (value !== undefined && !accepts(value)) throw invalidOption(option, value, allowed)
  }
}

/** The value at a dotted path; undefined where a step leads nowhere. */
function read(options: unknown, path: string): unknown {
  return path.split('.').reduce((record: unknown, key) => (isRecord(record) ? record[key] : undefined), options)
}
