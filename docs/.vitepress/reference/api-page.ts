import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const API = join(import.meta.dirname, '../../api')

/** The paths of the API reference below docs/: TypeDoc puts a name below the first entry point that reaches it. */
let paths: readonly string[] | undefined

/** The page of a name, from docs/: `api/streams/interfaces/ChainEngine.md`. Throws where there is none. */
export function apiPageOf(name: string): string {
  paths ??= readdirSync(API, { recursive: true, encoding: 'utf8' })
  const found = paths.find((path) => path.replaceAll('\\', '/').endsWith(`/${name}.md`))
  if (found === undefined) throw new Error(`The API reference has no page of ${name}.`)
  return `api/${found.replaceAll('\\', '/')}`
}
