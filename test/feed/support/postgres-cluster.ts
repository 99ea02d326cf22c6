import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { freePort } from '../../free-port.js'

const ROOT = '/usr/lib/postgresql'
/** The programs of the newest installed version from 15 on; undefined where there is none. */
const INSTALLED = existsSync(ROOT)
  ? readdirSync(ROOT)
      .map(Number)
      .filter((version) => version >= 15)
      .sort((a, b) => b - a)
      .map((version) => join(ROOT, String(version), 'bin'))[0]
  : undefined
/** The server: a folder named by the variable `POSTGRES_BIN`, such as that of a newer version, or the installed one. */
const BIN = process.env.POSTGRES_BIN ?? INSTALLED

export const hasPostgres = BIN !== undefined

/** Whether a command such as `pg_isready -d feed` succeeds against the server at a port. */
export function succeeds(command: string, port: number): boolean {
  const [program = '', ...args] = command.split(' ')
  const { status } = spawnSync(join(BIN ?? '', program), [...args, '-h', '127.0.0.1', '-p', String(port)])
  return status === 0
}

if (!hasPostgres && process.env.VUE_CHAIN_REQUIRE_POSTGRES === '1')
  throw new Error('PostgreSQL 15 or later is missing: apt-get install postgresql')

/** A server of its own, in a temporary folder. */
export interface PostgresCluster {
  readonly port: number
  /** A pool of connections to the database `postgres`, by way of a port such as that of a proxy. */
  pool(port?: number, max?: number): pg.Pool
  /** Ends the server at once, as a power failure would, and starts it again. */
  restart(): Promise<void>
  /** Another server with all that is committed now: a replica that lags, and is promoted. */
  copy(): Promise<PostgresCluster>
  /**
   * Lets no file grow beyond so many bytes, as where the disk is full; undefined lifts the limit. The server reports a
   * full disk where half of a page fits; files of its log need 16 MiB.
   */
  limitFiles(bytes: number | undefined): void
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root: then it runs as the user that owns nothing. */
const unprivileged = process.getuid?.() === 0 && BIN !== undefined ? idOf('postgres') : undefined

function idOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** `certificate`: the files of one for `localhost`, and its key, for TLS. */
export async function startPostgres(certificate?: Certificate): Promise<PostgresCluster> {
  return startServer((data, options) => {
    const files = filesOfCluster(options)
    mkdirSync(data, { mode: 0o700 })
    if (unprivileged !== undefined) chownSync(data, unprivileged.uid, unprivileged.gid)
    execFileSync('tar', ['-x', '-C', data], { ...options, stdio: ['pipe', 'ignore', 'inherit'], input: files })
  }, certificate)
}

/** How programs of PostgreSQL are run. */
type Options = Partial<ReturnType<typeof idOf>> & { readonly cwd: string; readonly stdio: 'ignore' }

/**
 * The files of a new cluster, as a tar archive. `initdb` takes 0.9 s of processor time, unpacking a quarter of it. They
 * are made once for all tests, and renamed when they are whole: other tests may make them at the same time.
 */
function filesOfCluster(options: Options): Buffer {
  const version = /[\d.]+/.exec(execFileSync(join(BIN ?? '', 'initdb'), ['--version'], { encoding: 'utf8' }))?.[0]
  const archive = resolve(import.meta.dirname, `../../../.cache/postgres-${version ?? 'unknown'}.tar`)
  if (existsSync(archive)) return readFileSync(archive)
  const data = join(options.cwd, 'initial')
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8']
  execFileSync(join(BIN ?? '', 'initdb'), args, options)
  const files = execFileSync('tar', ['-c', '-C', data, '.'], { ...options, stdio: 'pipe', maxBuffer: Infinity })
  rmSync(data, { recursive: true })
  mkdirSync(dirname(archive), { recursive: true })
  const made = `${archive}-${process.pid}`
  writeFileSync(made, files)
  renameSync(made, archive)
  return files
}

/** Starts a server on the data that a function writes into a new folder. */
async function startServer(
  fill: (data: string, options: Options) => void,
  certificate?: Certificate,
): Promise<PostgresCluster> {
  if (BIN === undefined) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-postgres-'))
  chmodSync(folder, 0o700)
  if (unprivileged !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const data = join(folder, 'data')
  const options = { ...unprivileged, cwd: folder, stdio: 'ignore' } as const
  fill(data, options)
  const port = await freePort()
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'max_connections=50',
    '-c',
    'fsync=off', // what a killed server has written, the system still has
    ...(certificate === undefined ? [] : tlsSettings(certificate, folder)),
  ]
  const server = join(BIN, 'postgres')
  let running: ChildProcess = spawn(server, args, options)
  const pools: pg.Pool[] = []
  const pool = (at = port, max = 10): pg.Pool => {
    const created = new pg.Pool({ host: '127.0.0.1', port: at, user: 'postgres', database: 'postgres', max })
    created.on('error', () => undefined) // idle connections end with a restart
    pools.push(created)
    return created
  }
  await untilReady(pool())
  return {
    port,
    pool,
    async restart() {
      await end(running, 'SIGQUIT') // immediate shutdown: no checkpoint
      running = spawn(server, args, options)
      await untilReady(pool())
    },
    copy: () =>
      startServer((to, copyOptions) => {
        const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-c', 'fast']
        execFileSync(join(BIN, 'pg_basebackup'), ['-D', to, ...from], copyOptions)
      }),
    limitFiles(bytes) {
      for (const pid of [String(running.pid), ...childrenOf(running.pid)]) {
        const limit = [`--pid=${pid}`, `--fsize=${bytes ?? 'unlimited'}:unlimited`]
        const { status, stderr } = spawnSync('prlimit', limit, { ...options, stdio: 'pipe', encoding: 'utf8' })
        // the process of a connection may have ended since
        if (status !== 0 && existsSync(`/proc/${pid}`)) throw new Error(`prlimit of ${pid}: ${stderr}`)
      }
    },
    async stop() {
      await Promise.allSettled(pools.map((one) => one.end()))
      await end(running, 'SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The processes of the connections; those of later ones have the limits of the first process. */
const childrenOf = (pid: number | undefined): readonly string[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '')

/** Files of a certificate. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** The server refuses a key that others can read. */
function tlsSettings({ certificate, key }: Certificate, folder: string): readonly string[] {
  const copy = join(folder, 'server.key')
  copyFileSync(key, copy)
  chmodSync(copy, 0o600)
  if (unprivileged !== undefined) chownSync(copy, unprivileged.uid, unprivileged.gid)
  const publicCopy = join(folder, 'server.crt')
  copyFileSync(certificate, publicCopy)
  chmodSync(publicCopy, 0o644)
  return ['-c', 'ssl=on', '-c', `ssl_cert_file=${publicCopy}`, '-c', `ssl_key_file=${copy}`]
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Connects until the server responds. */
async function untilReady(pool: pg.Pool): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      await pool.query('select 1')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50)) // it is starting
    }
  }
  throw new Error('PostgreSQL did not start')
}
