import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadPackage } from '../loading/load-package.js'
import { lockDataDir } from './data-dir-lock.js'
import { createPgliteSession } from './shared-pglite.js'
import type { SqlDatabase, SqlOpenOptions } from './session.js'

/** A database in a folder, which it creates. A lock file beside the folder keeps other processes out. */
export const createPgliteFolder = (dataDir: string): SqlDatabase => ({
  async open({ mark }: SqlOpenOptions) {
    const { PGlite } = await loadPackage('@electric-sql/pglite', () => import('@electric-sql/pglite'))
    await mkdir(dirname(dataDir), { recursive: true })
    const release = await lockDataDir(dataDir)
    try {
      const client = await PGlite.create(dataDir)
      return createPgliteSession(client, mark, async () => {
        await client.close()
        await release()
      })
    } catch (error) {
      await release()
      throw error
    }
  },
})
