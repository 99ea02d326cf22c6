import type { ChainLogger, Platform, PlatformStorage } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { secretsIn } from './canary.js'
import { told } from './told.js'

/** Where something may get out. */
export type Channel = 'logger' | 'console' | 'error' | 'ref' | 'result' | 'storage' | 'socket' | 'http'

/** Takes down whatever gets out of a session, by the way it goes. */
export interface Recorder {
  readonly logger: ChainLogger
  readonly platform: Platform
  readonly take: (channel: Channel, value: unknown) => void
  /** How much has come by each way. */
  readonly heard: (channel: Channel) => number
  /** Which secrets were given away, and by which way: `the key (socket)`. */
  readonly found: () => readonly string[]
  /** Takes down the console for as long as `work` takes. */
  readonly watchConsole: <T>(work: () => Promise<T>) => Promise<T>
}

export function createRecorder(): Recorder {
  const taken: { readonly channel: Channel; readonly text: string }[] = []
  const take: Recorder['take'] = (channel, value) => void taken.push({ channel, text: told(value) })
  return {
    take,
    logger: recordLogger(take),
    platform: recordPlatform(take),
    heard: (channel) => taken.filter((each) => each.channel === channel).length,
    found: () => [
      ...new Set(taken.flatMap(({ channel, text }) => secretsIn(text).map((name) => `${name} (${channel})`))),
    ],
    watchConsole: (work) => watchConsole(take, work),
  }
}

type Take = Recorder['take']

function recordLogger(take: Take): ChainLogger {
  const line = (message: string, fields?: object): void => take('logger', [message, fields])
  return { debug: line, info: line, warn: line, error: line }
}

/** A server's surroundings with a storage, whose sockets, requests and stored values are taken down. */
function recordPlatform(take: Take): Platform {
  const platform = createServerPlatform()
  return {
    ...platform,
    storage: recordStorage(take),
    fetch: (...request) => {
      take('http', request)
      return platform.fetch(...request)
    },
    openSocket: async (url) => {
      const socket = await platform.openSocket(url)
      const send = socket.send.bind(socket)
      socket.send = (data) => {
        take('socket', data)
        send(data)
      }
      return socket
    },
  }
}

function recordStorage(take: Take): PlatformStorage {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => {
      take('storage', [key, value])
      values.set(key, value)
    },
    remove: (key) => void values.delete(key),
  }
}

const METHODS = ['log', 'debug', 'info', 'warn', 'error', 'trace', 'dir', 'table'] as const

async function watchConsole<T>(take: Take, work: () => Promise<T>): Promise<T> {
  const originals = { ...console }
  for (const method of METHODS) console[method] = (...said: unknown[]) => take('console', said)
  try {
    return await work()
  } finally {
    Object.assign(console, originals)
  }
}
