import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../fixtures/rest')

/** One exchange with a real server. */
export interface Recording {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly requestBody?: string
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body's full length if it was truncated in the recording. */
  readonly bodyCut?: number
}

/** The addresses, transactions and blocks of the recordings. */
export interface World {
  readonly addresses: Readonly<Record<string, string>>
  readonly transactions: Readonly<Record<string, string>>
  readonly blocks: Readonly<Record<string, string>>
  readonly databaseOnly: Readonly<Record<string, string>>
}

export const world = JSON.parse(readFileSync(join(FOLDER, 'world.json'), 'utf8')) as World

/** The recordings of one file: `'addresses'`. */
export function recordingsOf(family: string): readonly Recording[] {
  const { entries } = JSON.parse(readFileSync(join(FOLDER, `${family}.json`), 'utf8')) as { entries: Recording[] }
  return entries
}

export function recording(family: string, name: string): Recording {
  const found = recordingsOf(family).find((entry) => entry.name === name)
  if (found === undefined) throw new Error(`No recording ${family}/${name}`)
  return found
}

export function toResponse({ status, headers, body }: Pick<Recording, 'status' | 'headers' | 'body'>): Response {
  return new Response(body === '' ? null : body, { status, headers })
}
