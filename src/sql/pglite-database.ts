import { createLockedPglite } from './locked-pglite.js'
import { createPgliteSession } from './shared-pglite.js'
import type { SqlDatabase, SqlOpenOptions } from './session.js'

/** A database in a folder, which it creates. A lock file beside the folder keeps other processes out. */
export const createPgliteFolder = (dataDir: string): SqlDatabase => ({
  async open({ mark }: SqlOpenOptions) {
    const locked = createLockedPglite(dataDir)
    return createPgliteSession(await locked.open(), mark, () => locked.close())
  },
})
