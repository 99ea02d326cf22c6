import type { Chain, DevnodeOfProcess } from './chain.js'
import type { Documentation } from './documentation.js'
import { isValidAddress } from '../../model/address.js'
import { isChainNetwork } from '../../model/network.js'

/** The JSON schema of one argument. */
type ArgumentSchema = Readonly<Record<string, unknown>>

/** What the tools of one server process share. */
export interface ToolContext {
  readonly documentation: Documentation
  /** Node and indexer of the flags. */
  readonly chain: Chain
  readonly devnode: DevnodeOfProcess
}

/** Plain data; bigints become strings of digits. */
export interface ToolResult {
  readonly result: unknown
  /** What a remote party wrote: escaped, at most 2,000 characters. */
  readonly untrusted?: string | undefined
}

/** Arguments that fit the schema of their tool. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** A tool of the server. */
export interface Tool {
  readonly about: string
  /** Whether it changes anything: the devnode of this process, and nothing else. */
  readonly changesDevnode?: boolean
  readonly schema: Readonly<Record<string, ArgumentSchema>>
  readonly required?: readonly string[]
  readonly run: (args: ToolArguments, context: ToolContext) => Promise<ToolResult> | ToolResult
}

/** Tools by name. */
export type Tools = Readonly<Record<string, Tool>>

/** An address of any network: prefix, colon and the characters of its Bech32 form. */
export const ADDRESS: ArgumentSchema = {
  type: 'string',
  pattern: '^kaspa(test|sim|dev)?:[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{60,70}$',
}

export const ADDRESSES: ArgumentSchema = { type: 'array', items: ADDRESS, minItems: 1, maxItems: 100 }

/** The hash of a block, or the id of a transaction. */
export const HASH: ArgumentSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }

export const HASHES: ArgumentSchema = { type: 'array', items: HASH, maxItems: 100 }

/** Which chain a query reads. */
export const ON: ArgumentSchema = {
  enum: ['node', 'devnode'],
  description: 'the node of the flags (default), or the devnode of this process',
}

export const count = (maximum: number, description?: string): ArgumentSchema => ({
  type: 'integer',
  minimum: 0,
  maximum,
  ...(description !== undefined && { description }),
})

/** The longest text of a remote party that a tool returns. */
const MAX_LENGTH = 2_000

/** The most items of one list; the others are counted. */
const MAX_ITEMS = 50

/** Values of one record after which no list is continued: lists of lists would fill the context of an assistant. */
const MAX_VALUES = 2_000

const NAME = /^\w{1,40}$/

/** What no remote party can write a sentence in: hashes and ids, digits, addresses, names of networks. */
const isData = (text: string): boolean =>
  /^([0-9a-f]{64}|[0-9a-f]{40}|\d{1,20})$/.test(text) || isValidAddress(text) || isChainNetwork(text)

/**
 * Text as ASCII without control characters, quotes, tags and Markdown, each as `\uXXXX`, so that it reads as data; cut
 * to `MAX_LENGTH` characters.
 */
export function escapeUntrusted(text: string): string {
  const escaped = text
    .slice(0, MAX_LENGTH + 1)
    .replace(/[^ -~]|[<>&`[\]()"\\]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return escaped.length <= MAX_LENGTH ? escaped : `${escaped.slice(0, MAX_LENGTH - 3)}...`
}

/**
 * A record of a node or an indexer: numbers, ids and addresses as data, every other text in `untrusted` by its path.
 */
export function separateUntrusted(record: unknown): ToolResult {
  const texts: string[] = []
  let values = 0
  const count = (): boolean => ++values <= MAX_VALUES
  const result = separate(record, '', { count, report: (path, text) => void texts.push(`${path}: ${text}`) })
  return texts.length === 0 ? { result } : { result, untrusted: escapeUntrusted(texts.join('; ')) }
}

interface Separation {
  /** Counts a value; false from the first on that is too much. */
  readonly count: () => boolean
  readonly report: (path: string, text: string) => void
}

function separate(value: unknown, path: string, separation: Separation): unknown {
  if (typeof value !== 'object' || value === null) separation.count()
  if (typeof value === 'string') {
    if (isData(value)) return value
    if (value !== '') separation.report(path, value.slice(0, MAX_LENGTH))
    return undefined
  }
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return separateList(value, path, separation)
  if (typeof value !== 'object') return undefined
  const entries = Object.entries(value).filter(([name]) => NAME.test(name))
  return Object.fromEntries(
    entries.map(([name, item]) => [name, separate(item, path === '' ? name : `${path}.${name}`, separation)]),
  )
}

function separateList(items: readonly unknown[], path: string, separation: Separation): unknown {
  const shown: unknown[] = []
  for (const [index, item] of items.slice(0, MAX_ITEMS).entries()) {
    if (!separation.count()) break
    shown.push(separate(item, `${path}.${index}`, separation))
  }
  return shown.length === items.length ? shown : { items: shown, omitted: items.length - shown.length }
}
