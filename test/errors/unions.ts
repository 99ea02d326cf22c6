import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../src/errors')

/**
 * The literals of each exported union of `src/errors` whose name matches, by the name of the union, from the sources.
 */
export function unionsOf(name: RegExp): ReadonlyMap<string, readonly string[]> {
  const sources = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'))
  const unions = sources.flatMap((source) => [...source.matchAll(/^export type (\w+) =((?:\s*\|? ?'[\w-]+')+)/gm)])
  const found = unions.filter(([, type = '']) => name.test(type))
  return new Map(found.map(([, type = '', union = '']) => [type, union.match(/[\w-]+/g) ?? []]))
}

/** The literals of all these unions, each once, in alphabetical order. */
export const literalsOf = (name: RegExp): readonly string[] => [...new Set([...unionsOf(name).values()].flat())].sort()
