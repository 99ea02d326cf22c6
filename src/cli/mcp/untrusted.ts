import { isValidAddress } from '../../model/address.js'
import { isChainNetwork } from '../../model/network.js'
import type { ToolResult } from './tool.js'

/** The longest text of a remote party that a tool returns. */
const MAX_LENGTH = 2_000

/** The most items of one list; the others are counted. */
const MAX_ITEMS = 50

const NAME = /^\w{1,40}$/

/** What no remote party can write a sentence in: hashes and ids, digits, addresses, names of networks. */
const isData = (text: string): boolean =>
  /^([0-9a-f]{64}|[0-9a-f]{40}|\d{1,20})$/.test(text) || isValidAddress(text) || isChainNetwork(text)

/**
 * Text as ASCII without control characters, quotes, tags and Markdown, each as `\uXXXX`, so that it reads as data; cut
 * to `MAX_LENGTH` characters.
 */
export function escapeUntrusted(text: string): string {
  const escaped = text.replace(
    /[^ -~]|[<>&`[\]()"\\]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return escaped.length <= MAX_LENGTH ? escaped : `${escaped.slice(0, MAX_LENGTH - 3)}...`
}

/**
 * A record of a node or an indexer: numbers, ids and addresses as data, every other text in `untrusted` by its path.
 */
export function separateUntrusted(record: unknown): ToolResult {
  const texts: string[] = []
  const result = separate(record, '', (path, text) => void texts.push(`${path}: ${text}`))
  return texts.length === 0 ? { result } : { result, untrusted: escapeUntrusted(texts.join('; ')) }
}

type Report = (path: string, text: string) => void

function separate(value: unknown, path: string, report: Report): unknown {
  if (typeof value === 'string') {
    if (isData(value)) return value
    if (value !== '') report(path, value)
    return undefined
  }
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return separateList(value, path, report)
  if (typeof value !== 'object') return undefined
  const entries = Object.entries(value).filter(([name]) => NAME.test(name))
  return Object.fromEntries(
    entries.map(([name, item]) => [name, separate(item, path === '' ? name : `${path}.${name}`, report)]),
  )
}

function separateList(items: readonly unknown[], path: string, report: Report): unknown {
  const shown = items.slice(0, MAX_ITEMS).map((item, index) => separate(item, `${path}.${index}`, report))
  return items.length <= MAX_ITEMS ? shown : { items: shown, omitted: items.length - MAX_ITEMS }
}
