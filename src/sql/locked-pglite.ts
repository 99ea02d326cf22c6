import { loadCode, loadPackage } from '../loading/load-code.js'
import { isNode } from '../platform/node-process.js'
import type { PgliteClient } from './shared-pglite.js'

/** An instance of PGlite whose folder no other process opens meanwhile: two of them would destroy its rows. */
export interface LockedPglite {
  /** Takes the lock of the folder at the first call. Rejects with `ChainError` (`failed`) while another has it. */
  open(): Promise<PgliteClient>
  /** Releases the lock; closes an instance that was opened here. */
  close(): Promise<void>
}

type Release = () => Promise<void>

/** The locks of instances of programs: several schemas share one. */
const shares = /*#__PURE__*/ new WeakMap<PgliteClient, { count: number; readonly release: Promise<Release> }>()

/** `database`: a folder, which is created, or an instance of the program. */
export function createLockedPglite(database: string | PgliteClient): LockedPglite {
  let opened: Promise<{ readonly client: PgliteClient; readonly release: Release }> | undefined
  const openOnce = async () => {
    if (typeof database === 'string') return openFolder(database)
    return { client: database, release: await share(database) }
  }
  return {
    async open() {
      opened ??= openOnce()
      try {
        return (await opened).client
      } catch (error) {
        opened = undefined // it is tried again
        throw error
      }
    },
    async close() {
      const closing = opened
      opened = undefined
      await (await closing)?.release()
    },
  }
}

async function openFolder(folder: string) {
  const { lockDataDir } = await loadCode(() => import('./data-dir-lock.js'))
  const { PGlite } = await loadPackage('@electric-sql/pglite', () => import('@electric-sql/pglite'))
  const unlock = await lockDataDir(folder)
  try {
    const client = await PGlite.create(folder)
    const release = async (): Promise<void> => {
      await client.close()
      await unlock()
    }
    return { client, release }
  } catch (error) {
    await unlock()
    throw error
  }
}

async function share(client: PgliteClient): Promise<Release> {
  const known = shares.get(client) ?? { count: 0, release: lockInstance(client) }
  known.count++
  shares.set(client, known)
  const leave = async (): Promise<void> => {
    if (--known.count > 0) return
    shares.delete(client)
    await (
      await known.release
    )()
  }
  try {
    await known.release
    return leave
  } catch (error) {
    shares.delete(client)
    throw error
  }
}

async function lockInstance({ dataDir = '' }: PgliteClient): Promise<Release> {
  const folder = dataDir.replace(/^file:\/\//, '')
  if (folder === '' || /^[a-z-]+:\/\//.test(folder) || !isNode()) return () => Promise.resolve() // in memory
  const { lockDataDir } = await loadCode(() => import('./data-dir-lock.js'))
  return lockDataDir(folder)
}
