import type { CommandContext } from '../devnode/command/command.js'
import { ChainError } from '../errors/chain-error.js'
import type { ChainLogger, LogLine } from '../platform/port.js'
import { guarded } from '../engine/resolve-options.js'
import type { SchedulerLike } from 'rxjs'
import { monotonicScheduler } from '../platform/schedulers.js'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A subcommand that runs until it is interrupted. */
interface Service<Flags> {
  readonly name: string
  /** Null for `--help`. Throws `ChainError` (`invalid-option`). */
  readonly readFlags: (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => Flags | null
  readonly formatHelp: () => string
  readonly run: (interrupted: () => Promise<void>, flags: Flags, logger: ChainLogger) => Promise<void>
}

/**
 * Runs a service until SIGINT or SIGTERM; resolves to 0 then, and to 1 for a failure that attempts cannot mend.
 */
export async function runService<Flags>(
  { name, readFlags, formatHelp, run }: Service<Flags>,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    const flags = readFlags(args, process.env)
    if (flags === null) context.print(formatHelp())
    else
      await run(
        () => context.untilInterrupted(),
        flags,
        createJsonLogger((line) => context.print(line)),
      )
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain ${name}: ${error.message}${error.details === '' ? '' : ` (${error.details})`}.`)
    if (error.hint !== undefined) context.printError(error.hint)
    return 1
  }
}

/** Writes lines of JSON: time, level, message and fields. `debug` is left out. */
export function createJsonLogger(print: (line: string) => void): ChainLogger {
  const at =
    (level: string): LogLine =>
    (message, fields = {}) =>
      print(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, toPlain))
  return guarded({ debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') })
}

/** Bigints as text, errors with their cause. */
function toPlain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Error)) return value
  const { name, message, cause } = value
  return {
    name,
    message,
    ...('code' in value ? { code: value.code } : {}),
    ...(cause instanceof Error ? { cause } : {}),
  }
}

/** How long a message is not repeated, in ms. */
const INTERVAL = 60_000

/**
 * Writes a message once a minute at most, whatever its fields: attempts fail every few seconds while a database or a
 * node is down. The next line says how many were left out.
 */
export function onceAMinute(
  logger: ChainLogger,
  scheduler: Pick<SchedulerLike, 'now'> = monotonicScheduler,
): ChainLogger {
  const written = new Map<string, { readonly at: number; readonly omitted: number }>()
  const limited =
    (write: LogLine): LogLine =>
    (message, fields) => {
      const now = scheduler.now()
      const last = written.get(message)
      if (last !== undefined && now - last.at < INTERVAL) {
        written.set(message, { at: last.at, omitted: last.omitted + 1 })
        return
      }
      written.set(message, { at: now, omitted: 0 })
      write(message, last === undefined || last.omitted === 0 ? fields : { ...fields, omitted: last.omitted })
    }
  return { debug: logger.debug, info: limited(logger.info), warn: limited(logger.warn), error: limited(logger.error) }
}

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

/** Rejects with `ChainError` (`invalid-option`) where the port is taken, or the host is none of this machine. */
export async function serveHttp(
  { host, port }: { readonly host: string; readonly port: number },
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<HttpServer> {
  const server = createServer(handle)
  try {
    server.listen(port, host) // throws for a port above 65535
    await once(server, 'listening')
  } catch (error) {
    throw notServed(host, port, error)
  }
  const { port: actual } = server.address() as AddressInfo // a TCP server
  return {
    url: `http://${host}:${actual}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Why a port cannot be used, by the code of the error. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'it is in use'],
  ['EACCES', 'it is not permitted'],
  ['ERR_SOCKET_BAD_PORT', 'it is no port'],
])

/** `EADDRINUSE` of the flag `--port`, `ENOTFOUND` of `--host`. */
function notServed(host: string, port: number, cause: unknown): ChainError {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const isTaken = code === 'EADDRINUSE'
  const reason = REASONS.get(code) ?? String(code ?? cause)
  return new ChainError(`Cannot listen on port ${port} of ${host}: ${reason}`, {
    code: 'invalid-option',
    argument: REASONS.has(code) ? 'port' : 'host',
    details: '',
    hint: isTaken ? 'Pass another --port, or 0 for none.' : 'See --port and --host.',
    cause,
  })
}
