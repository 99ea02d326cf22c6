import { redact } from '../errors/redact.js'

/**
 * The folder of a PGlite database: a path, or `pglite:path`. Undefined for what looks like a URL or connection
 * settings, so that no password becomes the name of a folder.
 */
export function toPgliteFolder(text: string): string | undefined {
  const folder = text.replace(/^pglite:(?!\/\/)/i, '')
  const isDrive = /^[a-z]:[\\/]/i.test(folder)
  const isSettings = folder === '' || /:\/\/|\w=/.test(folder) || redact(folder) !== folder
  return isSettings || (!isDrive && /^[a-z][a-z\d+.-]*:/i.test(folder)) ? undefined : folder
}
