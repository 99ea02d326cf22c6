import { describe, expect, it } from 'vitest'
import { recordingsOf, type Recording } from '../../rest/recordings.js'
import { createLocalIndexer } from './local-indexer.js'

/**
 * Depends on the recorded chain, on rows that were inserted into its database, or differs in the server's newer
 * versions.
 */
const DEPENDS_ON_RECORDED_DATA = new Set([
  'by-id-db-only-nonstandard-output',
  'by-id-db-stub-nonstandard',
  'search-one-nonstandard-spoils-all',
  'search-nonstandard-fields-without-outputs',
  'page-after-rejected-empty-filtered',
  'page-after-fields-without-block-time',
  'zero-amount',
  'missing-output-index',
  'no-inputs',
])

const FAMILIES = [
  'address-transactions',
  'addresses',
  'blocks',
  'counts',
  'info',
  'mass',
  'transactions',
  'virtual-chain',
  'framework',
]

const isPlain = ({ status, name, bodyCut, requestBody }: Recording) =>
  (status !== 200 || name.startsWith('preflight') || name.startsWith('body-')) &&
  !DEPENDS_ON_RECORDED_DATA.has(name) &&
  bodyCut === undefined &&
  requestBody?.includes('…') !== true

const lowered = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

describe.each(FAMILIES)('refusals of %s', (family) => {
  const indexer = createLocalIndexer()
  indexer.mine(3)
  const entries = recordingsOf(family).filter(isPlain)

  it.each(entries.map((entry) => [entry.name, entry] as const))('%s', async (_, entry) => {
    const { method, path, requestBody, requestHeaders } = entry
    const response = await indexer.request(method, path, requestBody, lowered(requestHeaders))
    expect({ status: response.status, body: parsed(response.body) }).toEqual({
      status: entry.status,
      body: parsed(entry.body),
    })
    expect(response.headers).toEqual(entry.headers)
  })
})

const parsed = (body = ''): unknown => (body.startsWith('{') || body.startsWith('[') ? JSON.parse(body) : body)
