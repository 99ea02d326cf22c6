// A store for one process: the whole state in one file, replaced atomically. Stands for a database with transactions.
import { open, readFile, rename } from 'node:fs/promises'
import { parse, stringify } from './json.js'

/**
 * @template State
 * @param {string} file
 * @param {State} initial
 */
export async function openStore(file, initial) {
  /** @type {State} */
  let state = await readState(file, initial)
  let last = Promise.resolve()

  return {
    /** The stored state. */
    get: () => state,
    /**
     * Stores `change(state)`; resolves once it is on the disk. Changes are stored one after the other, each whole or
     * not at all.
     * @param {(state: State) => State} change
     */
    update(change) {
      const stored = last.then(async () => {
        const next = change(state)
        await writeFile(file, stringify(next))
        state = next
      })
      last = stored.catch(() => undefined) // a failed change does not stop later ones
      return stored
    },
  }
}

async function readState(file, initial) {
  try {
    return parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return initial
    throw error
  }
}

/** Writes a second file, makes it durable, and renames it: a kill leaves the old content or the new one. */
async function writeFile(file, text) {
  const handle = await open(`${file}.new`, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
}
