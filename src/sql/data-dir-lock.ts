import { ChainError } from '../errors/chain-error.js'
import { builtins } from '../platform/node-process.js'

/** Lock files that this process holds: a process identifier does not distinguish two users of one process. */
const held = /*#__PURE__*/ new Set<string>()

/** Node's own modules. Payouts are bundled for browsers as well, which have no folders. */
function nodeModules() {
  const modules = builtins()
  if (modules === undefined) throw new ChainError('Folders need Node 20.19 or later', { code: 'unsupported' })
  return {
    ...modules.getBuiltinModule('node:fs/promises'),
    readFileSync: modules.getBuiltinModule('node:fs').readFileSync,
    hostname: modules.getBuiltinModule('node:os').hostname,
    paths: modules.getBuiltinModule('node:path'),
    process: modules.getBuiltinModule('node:process'),
  }
}

/**
 * Takes the lock file of a data directory, which lies beside it; resolves to its release. A file of a process that has
 * ended is replaced. Rejects with `ChainError` (`failed`) while another process holds it.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const { mkdir, paths, rm, process } = nodeModules()
  const path = `${paths.resolve(dataDir)}.lock`
  if (held.has(path)) throw lockedBy(path, `this process, ${process.pid}`)
  held.add(path)
  try {
    await mkdir(paths.dirname(path), { recursive: true })
    await createLock(path)
  } catch (error) {
    held.delete(path)
    throw error
  }
  return async () => {
    await rm(path, { force: true })
    held.delete(path)
  }
}

async function createLock(path: string): Promise<void> {
  const { open, process } = nodeModules()
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(JSON.stringify({ pid: process.pid, started: startOf(process.pid), host: hostOf() }))
      await file.close()
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    await removeStale(path)
  }
  throw lockedBy(path, 'a process that has just started')
}

/** Moves a file aside before it is removed, so that of two processes only one removes it. */
async function removeStale(path: string): Promise<void> {
  const content = await readText(path)
  const holder = parse(content)
  if (holder !== undefined && holder.host !== '' && holder.host !== hostOf()) throw lockedElsewhere(path, holder)
  if (holder !== undefined && isRunning(holder)) throw lockedBy(path, `process ${holder.pid}`)
  const { rename, rm } = nodeModules()
  const aside = `${path}.${globalThis.crypto.randomUUID()}`
  await rename(path, aside).catch(() => undefined) // the other process was faster
  if ((await readText(aside)) === content) await rm(aside, { force: true })
  else await rename(aside, path).catch(() => undefined) // it was a new lock
}

interface Holder {
  readonly pid: number
  /** When the process started, as the system counts it; empty where that cannot be read. */
  readonly started: string
  /** Where its identifier counts; empty where that is not known. */
  readonly host: string
}

/** Undefined for a file that a killed process had only begun to write. */
function parse(content: string): Holder | undefined {
  const [, pid, started, host = ''] = /"pid":(\d+),"started":"(\d*)"(?:,"host":"([^"]*)")?/.exec(content) ?? []
  return pid === undefined || started === undefined ? undefined : { pid: Number(pid), started, host }
}

/**
 * Containers on one volume count processes for themselves: each may have the identifier 1. The name of a container
 * stays when it is restarted. Empty on systems whose name changes with their network.
 */
function hostOf(): string {
  const { hostname, process } = nodeModules()
  return process.platform === 'linux' ? hostname() : ''
}

/** In a container, a restarted process often has the identifier of the one before. */
const isRunning = ({ pid, started }: Holder): boolean =>
  pid !== nodeModules().process.pid && isAlive(pid) && startOf(pid) === started

function isAlive(pid: number): boolean {
  try {
    nodeModules().process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // it is another user's
  }
}

/** The start time of a process on Linux, in clock ticks since the system's start; empty elsewhere. */
function startOf(pid: number): string {
  try {
    const fields = nodeModules()
      .readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[19] ?? ''
  } catch {
    return '' // no such file: another system, or the process has ended
  }
}

const readText = (path: string): Promise<string> =>
  nodeModules()
    .readFile(path, 'utf8')
    .catch(() => '')

const lockedElsewhere = (path: string, { pid, host }: Holder): ChainError =>
  new ChainError(`The data directory is in use by process ${pid} of ${host}`, {
    details: path,
    hint: 'PGlite allows one process for each folder: stop the other one, or use PostgreSQL. If that container or machine has ended, delete the file.',
  })

const lockedBy = (path: string, holder: string): ChainError =>
  new ChainError(`The data directory is in use by ${holder}`, {
    details: path,
    hint: 'PGlite allows one process for each folder: stop the other one, or use PostgreSQL.',
  })
