import { describe, expect, it } from 'vitest'
import { recordingsOf, type Recording } from '../../rest/recordings.js'
import { createLocalIndexer } from './local-indexer.js'

const FAMILIES = ['address-transactions', 'addresses', 'blocks', 'counts', 'info', 'transactions', 'virtual-chain']

/** Answers that say "nothing": most do not depend on the recorded chain. */
const NOTHING = [
  /^\[\]$/,
  /^\{"(count|total)":0\}$/,
  /"balance":0\}\]?$/,
  /^\{("\w+":\[\],?)+\}$/, // several lists, all empty
]

/** These were empty for what stood around them: other pages, a table of counts, the age of the tip. */
const OF_ANOTHER_WORLD = new Set([
  'page-rejected',
  'utxos-over-limit',
  'bluescore-siblings',
  'bluescore-rowless',
  'search-ids-1000',
  'beyond-tip-page',
])

const saysNothing = ({ status, body, name }: Recording): boolean =>
  status === 200 && NOTHING.some((pattern) => pattern.test(body)) && !OF_ANOTHER_WORLD.has(name)

describe.each(FAMILIES)('of %s', (family) => {
  const indexer = createLocalIndexer()
  indexer.mine(3)

  it.each(
    recordingsOf(family)
      .filter(saysNothing)
      .map((entry) => [entry.name, entry] as const),
  )('%s is nothing here too, for as long', async (_, entry) => {
    const answer = await indexer.ask(entry.method, entry.path, entry.requestBody, {
      'content-type': 'application/json',
    })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: entry.status, body: entry.body })
    expect(answer.headers).toEqual(entry.headers)
  })
})
