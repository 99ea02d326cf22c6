import { ChainError } from '../errors/chain-error.js'
import { toPgliteFolder } from '../sql/locked-pglite.js'

/** The schemes of PostgreSQL. */
export const POSTGRES = /^postgres(ql)?:\/\//i

/** The parts of a text with commas. */
export const toList = (text: string): readonly string[] => text.split(',').filter(Boolean)

/** A URL of PostgreSQL, or a folder. Throws `ChainError` (`invalid-option`). */
export function toDatabase(text: string): string {
  const database = POSTGRES.test(text) ? (isUrl(text) ? text : undefined) : toPgliteFolder(text)
  if (database === undefined) throw invalidFlag('database', text)
  return database
}

/** Whether the parts of a URL can be read, its percent-encoding included. */
export function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, pathname } = new URL(text)
  try {
    decodeURIComponent(username + password + pathname)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** Digits only: `Number('')` is 0. Throws `ChainError` (`invalid-option`). */
export function toNumber(flag: string, text: string, digits = 9): number {
  if (/^\d+$/.test(text) && text.length <= digits) return Number(text)
  throw invalidFlag(flag, text)
}

/** Throws `ChainError` (`invalid-option`). */
export function toBoolean(flag: string, text: string): boolean {
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  throw invalidFlag(flag, text)
}

/** The error of a flag that has a wrong value. */
export const invalidFlag = (flag: string, text: string): ChainError =>
  new ChainError(`"${text.includes('://') ? text.replaceAll(' ', '%20') : text}" is no value for --${flag}`, {
    code: 'invalid-option',
    argument: flag,
    hint: 'See --help.',
  })
