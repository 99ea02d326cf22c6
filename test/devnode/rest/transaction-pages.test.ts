import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../src/devnode/rest/transaction-pages.js'
import { recording, recordingsOf, type Recording } from '../../rest/recordings.js'

interface Row {
  readonly block_time: number
  readonly is_accepted: boolean
}

/** All recorded transactions of one address. */
const ALL = JSON.parse(recording('address-transactions', 'page-limit-500').body) as readonly Row[]
const ADDRESS = recording('address-transactions', 'page-limit-500').path.split('/')[2] ?? ''

const pages = recordingsOf('address-transactions').filter(
  ({ path, status }) =>
    path.includes(`${ADDRESS}/full-transactions-page?`) && path.includes('fields=') && status === 200,
)

function requestPage({ path }: Recording) {
  const query = new URL(path, 'http://devnode').searchParams
  const number = (name: string) => Number(query.get(name) ?? 0)
  return pageOf(ALL, {
    limit: number('limit') || 50,
    before: number('before'),
    after: number('after'),
    acceptance: null,
  })
}

describe('pages of transactions', () => {
  it.each(pages.map((page) => [page.name, page] as const))('equal the recorded pages: %s', (_, page) => {
    const { rows, before, after } = requestPage(page)
    const times = (JSON.parse(page.body) as readonly Row[]).map(({ block_time }) => block_time)
    expect(rows.map(({ block_time }) => block_time)).toEqual(times)
    expect(String(rows.length)).toBe(page.headers['x-page-count'])
    expect(before?.toString()).toBe(page.headers['x-next-page-before'])
    expect(after?.toString()).toBe(page.headers['x-next-page-after'])
  })

  it('may be empty after filtering and still have a cursor', () => {
    const page = pageOf(ALL, { limit: 3, before: 0, after: 0, acceptance: 'rejected' })
    expect(page.rows).toEqual([])
    expect(page.before).toBeDefined()
  })
})
