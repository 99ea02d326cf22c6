import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../src/devnode/rest/endpoints/address-transactions.js'
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

  it('count only transactions of the requested acceptance', () => {
    const rows = [5, 4, 3, 2, 1].map((block_time) => ({ block_time, is_accepted: block_time > 2 }))
    const request = { limit: 1, before: 0, after: 0, acceptance: 'rejected' } as const
    expect(pageOf(rows, request)).toMatchObject({ rows: [{ block_time: 2 }], before: 2 })
    expect(pageOf(rows, { ...request, before: 2 })).toMatchObject({
      rows: [{ block_time: 1 }],
      before: undefined,
      after: 1,
    })
    expect(pageOf(rows, { ...request, after: 2 })).toMatchObject({ rows: [], before: undefined })
  })
})
