import { describe, expect, it } from 'vitest'
import { recordingsOf, type Recording } from '../../rest/recordings.js'
import { createLocalIndexer } from './local-indexer.js'

const FAMILIES = ['address-transactions', 'addresses', 'blocks', 'counts', 'info', 'transactions', 'virtual-chain']

/** Empty bodies, which mostly do not depend on the recorded chain. */
const EMPTY_BODIES = [
  /^\[\]$/,
  /^\{"(count|total)":0\}$/,
  /"balance":0\}\]?$/,
  /^\{("\w+":\[\],?)+\}$/, // several lists, all empty
]

/** Empty because of recorded data: other pages, a table of counts, the age of the tip. */
const DEPENDS_ON_RECORDED_DATA = new Set([
  'page-rejected',
  'utxos-over-limit',
  'bluescore-siblings',
  'bluescore-rowless',
  'search-ids-1000',
  'beyond-tip-page',
])

const isEmptyResponse = ({ status, body, name }: Recording): boolean =>
  status === 200 && EMPTY_BODIES.some((pattern) => pattern.test(body)) && !DEPENDS_ON_RECORDED_DATA.has(name)

describe.each(FAMILIES)('empty responses of %s', (family) => {
  const indexer = createLocalIndexer()
  indexer.mine(3)

  it.each(
    recordingsOf(family)
      .filter(isEmptyResponse)
      .map((entry) => [entry.name, entry] as const),
  )('%s has the recorded body and headers', async (_, entry) => {
    const response = await indexer.request(entry.method, entry.path, entry.requestBody, {
      'content-type': 'application/json',
    })
    expect({ status: response.status, body: response.body }).toEqual({ status: entry.status, body: entry.body })
    expect(response.headers).toEqual(entry.headers)
  })
})
