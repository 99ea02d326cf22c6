import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../free-port.js'
import { POLL_LIMIT } from '../../limits.js'

/** The server from 2.10 on: the variable `NATS_SERVER`, or `nats-server` on the path; undefined where there is none. */
const SERVER = [process.env.NATS_SERVER, 'nats-server'].find(
  (program) => program !== undefined && versionOf(program) >= 10,
)

export const hasNats = SERVER !== undefined

/** Whether the server stores batches whole or not at all, as from 2.12 on. */
export const hasAtomicBatches = SERVER !== undefined && versionOf(SERVER) >= 12

if (!hasNats && process.env.VUE_CHAIN_REQUIRE_NATS === '1')
  throw new Error('NATS server is missing: go install github.com/nats-io/nats-server/v2@v2.15.2')

/** The `n` of version 2.n of a program; 0 where it is not installed. */
function versionOf(program: string): number {
  try {
    const [, minor] = /v2\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
    return Number(minor ?? 0)
  } catch {
    return 0
  }
}

/** A server with JetStream of its own, in a temporary folder. */
export interface NatsServer {
  readonly port: number
  readonly websocketPort: number
  /** A connection that `stop` closes, by way of a port such as that of a proxy. */
  connect(port?: number, options?: ConnectionOptions): Promise<NatsConnection>
  readonly manager: JetStreamManager
  /** Ends the server at once, as a power failure would, and starts it again. */
  restart(): Promise<void>
  /** Copies what is stored, and starts again; resolves to a function that starts the server with the copy. */
  backUp(): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Starts a server: `settings` are added to its configuration, `credentials` to the options of connections. */
export async function startNats(settings = '', credentials: ConnectionOptions = {}): Promise<NatsServer> {
  if (SERVER === undefined) throw new Error('NATS server is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-nats-'))
  const [port, websocketPort] = [await freePort(), await freePort()]
  const config = join(folder, 'nats.conf')
  const store = join(folder, 'store')
  const copy = join(folder, 'copy')
  writeFileSync(
    config,
    `listen: 127.0.0.1:${port}
jetstream { store_dir: ${JSON.stringify(store)} }
websocket { listen: "127.0.0.1:${websocketPort}", no_tls: true }
${settings}\n`,
  )
  const start = (): ChildProcess => spawn(SERVER, ['-c', config], { cwd: folder, stdio: 'ignore' })
  const connections: NatsConnection[] = []
  const open = async (at = port, options: ConnectionOptions = {}): Promise<NatsConnection> => {
    const connection = await connect({
      servers: `127.0.0.1:${at}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      waitOnFirstConnect: true,
      ...credentials,
      ...options,
    })
    connections.push(connection)
    return connection
  }
  let running = start()
  const manager = await jetstreamManager(await open(), { checkAPI: false, timeout: POLL_LIMIT })
  return {
    port,
    websocketPort,
    connect: open,
    manager,
    async restart() {
      await end(running)
      running = start()
    },
    async backUp() {
      await end(running)
      cpSync(store, copy, { recursive: true })
      running = start()
      return async () => {
        await end(running)
        rmSync(store, { recursive: true })
        cpSync(copy, store, { recursive: true })
        running = start()
      }
    },
    async stop() {
      await Promise.allSettled(connections.map((one) => one.close()))
      await end(running)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
