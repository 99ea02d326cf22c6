import type { ChainLogger, Platform, PlatformStorage } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { secretsIn } from './canary.js'
import { inspectValue } from './inspect-value.js'

/** Outputs in which a secret may occur. */
export type Channel =
  | 'logger'
  | 'console'
  | 'error'
  | 'ref'
  | 'result'
  | 'storage'
  | 'database'
  | 'port'
  | 'broadcast'
  | 'socket'
  | 'http'
  | 'recording'
  | 'devtools'

/** Records the output of a session by channel. */
export interface Recorder {
  readonly logger: ChainLogger
  readonly platform: Platform
  readonly record: (channel: Channel, value: unknown) => void
  /** Number of records of a channel. */
  readonly count: (channel: Channel) => number
  /** Leaked secrets with their channel: `the key (socket)`. */
  readonly found: () => readonly string[]
  /** Records the console while `work` runs. */
  readonly recordConsole: <T>(work: () => Promise<T>) => Promise<T>
}

export function createRecorder(): Recorder {
  const recorded: { readonly channel: Channel; readonly text: string }[] = []
  const record: Recorder['record'] = (channel, value) => void recorded.push({ channel, text: inspectValue(value) })
  return {
    record,
    logger: recordLogger(record),
    platform: recordPlatform(record),
    count: (channel) => recorded.filter((each) => each.channel === channel).length,
    found: () => [
      ...new Set(recorded.flatMap(({ channel, text }) => secretsIn(text).map((name) => `${name} (${channel})`))),
    ],
    recordConsole: (work) => recordConsole(record, work),
  }
}

type RecordValue = Recorder['record']

function recordLogger(record: RecordValue): ChainLogger {
  const line = (message: string, fields?: object): void => record('logger', [message, fields])
  return { debug: line, info: line, warn: line, error: line }
}

/** A server platform with a storage; records sent frames, HTTP requests and stored values. */
function recordPlatform(record: RecordValue): Platform {
  const platform = createServerPlatform()
  return {
    ...platform,
    storage: recordStorage(record),
    fetch: (...request) => {
      record('http', request)
      return platform.fetch(...request)
    },
    openSocket: async (url) => {
      const socket = await platform.openSocket(url)
      const send = socket.send.bind(socket)
      socket.send = (data) => {
        record('socket', data)
        send(data)
      }
      return socket
    },
  }
}

function recordStorage(record: RecordValue): PlatformStorage {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => {
      record('storage', [key, value])
      values.set(key, value)
    },
    remove: (key) => void values.delete(key),
  }
}

const METHODS = ['log', 'debug', 'info', 'warn', 'error', 'trace', 'dir', 'table'] as const

async function recordConsole<T>(record: RecordValue, work: () => Promise<T>): Promise<T> {
  const originals = { ...console }
  for (const method of METHODS) console[method] = (...args: unknown[]) => record('console', args)
  try {
    return await work()
  } finally {
    Object.assign(console, originals)
  }
}
