import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../../src/errors/rest-error.js'
import { decodeResponse } from '../../../src/rest/decoding/decode-response.js'
import { FAMILIES, isWhole, decoderOf } from '../recording-decoders.js'
import { recordingsOf, toResponse, type Recording } from '../recordings.js'

describe.each(FAMILIES)('recorded responses of %s', (family) => {
  const decodable = recordingsOf(family).filter((entry) => decoderOf(entry) !== undefined && isWhole(entry))

  it.each(decodable.filter(({ status }) => status === 200).map((entry) => [entry.name, entry] as const))(
    'decodes %s',
    async (_, entry) => {
      const result = await decodeResponse(targetOf(entry), toResponse(entry), decoderOf(entry)!)
      expect(result.value).toBeDefined()
    },
  )

  it.each(decodable.filter(({ status }) => status !== 200).map((entry) => [entry.name, entry] as const))(
    '%s is a valid result, or an error with status and body',
    async (_, entry) => {
      const result = await decodeResponse(targetOf(entry), toResponse(entry), decoderOf(entry)!).catch(
        (error: unknown) => error,
      )
      if (!(result instanceof ChainRestError)) return
      const code = entry.body.includes('WebSocket is not connected') ? 'network' : 'http'
      expect(result).toMatchObject({ code, status: entry.status, method: entry.method })
      expect(result.body).toEqual(entry.body === '' ? '' : JSON.parse(entry.body))
      expect(result.hint).toMatch(/\.$/)
    },
  )
})

const targetOf = ({ method, path }: Recording) => ({ method: method as 'GET', url: `https://indexer.test${path}` })

it('has a decoder for every recorded endpoint', () => {
  const undecoded = FAMILIES.flatMap(recordingsOf).filter((entry) => decoderOf(entry) === undefined)
  const known =
    /^\/(ping|nope|docs|redoc|openapi\.json)?$|^\/info\/nope|^\/addressses|^\/blocks$|\/transactions\/count$|\/active\/count$/
  expect(undecoded.map(({ path }) => path).filter((path) => !known.test(path))).toEqual([])
})
