import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../../src/errors/rest-error.js'
import { readAnswer } from '../../../src/rest/reading/read-answer.js'
import { FAMILIES, isWhole, readerOf } from '../readers-of-recordings.js'
import { recordingsOf, toResponse, type Recording } from '../recordings.js'

describe.each(FAMILIES)('recorded answers of %s', (family) => {
  const readable = recordingsOf(family).filter((entry) => readerOf(entry) !== undefined && isWhole(entry))

  it.each(readable.filter(({ status }) => status === 200).map((entry) => [entry.name, entry] as const))(
    '%s is read',
    async (_, entry) => {
      const answer = await readAnswer(askedOf(entry), toResponse(entry), readerOf(entry)!)
      expect(answer.value).toBeDefined()
    },
  )

  it.each(readable.filter(({ status }) => status !== 200).map((entry) => [entry.name, entry] as const))(
    '%s is an answer of its own kind, or a refusal with status and body',
    async (_, entry) => {
      const answer = await readAnswer(askedOf(entry), toResponse(entry), readerOf(entry)!).catch(
        (error: unknown) => error,
      )
      if (!(answer instanceof ChainRestError)) return
      expect(answer).toMatchObject({ code: 'http', status: entry.status, method: entry.method })
      expect(answer.body).toEqual(entry.body === '' ? '' : JSON.parse(entry.body))
      expect(answer.hint).toMatch(/\.$/)
    },
  )
})

const askedOf = ({ method, path }: Recording) => ({ method: method as 'GET', url: `https://indexer.test${path}` })

it('has a reader for every recorded endpoint', () => {
  const strangers = FAMILIES.flatMap(recordingsOf).filter((entry) => readerOf(entry) === undefined)
  const known =
    /^\/(ping|nope|docs|redoc|openapi\.json)?$|^\/info\/nope|^\/addressses|^\/blocks$|\/transactions\/count$|\/active\/count$/
  expect(strangers.map(({ path }) => path).filter((path) => !known.test(path))).toEqual([])
})
