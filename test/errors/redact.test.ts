import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../../src/errors/redact.js'
import { anyText } from '../any-text.js'
import { runs } from '../full.js'

const KEY = 'a1b2c3d4e5f6a7b8'
const HASH = `${'0123456789abcdef'.repeat(3)}${KEY}`

describe('redact', () => {
  it.each([
    ['user and password', 'wss://user:secret@node.example/x', 'wss://***@node.example/x'],
    ['a user alone', 'nats://secret@node.example', 'nats://***@node.example'],
    ['a password with an @', 'wss://a:b@secret@node.example', 'wss://***@node.example'],
    ['a password with quotes', 'wss://a:b"c`d\'e<f>g@h/', 'wss://***@h/'],
    ['a password that ends the host', 'postgres://u:p/w#?@h/db', 'postgres://***@h/db'],
    ['a password with a space', 'wss://u:p w@h', 'wss://***@h'],
    ['a password with a slash', 'wss://u:p/w@h/x', 'wss://***@h/x'],
    ['a password with ://', 'postgres://u:p://w@h/db', 'postgres://***@h/db'],
    ['a password that is a URL', 'postgres://u:https://w@h/db', 'postgres://***@h/db'],
    ['a password with @ and ://', 'postgres://u:p@w://q@h/db', 'postgres://***@h/db'],
    ['a password with ://, without a scheme', 'connect user:p://w@h failed', 'connect ***@h failed'],
    ['two of them', 'wss://u:p://w@a,wss://v:q://x@b', 'wss://***@a,wss://***@b'],
    ['no scheme', 'connect user:p"a`ss@host:80 refused', 'connect ***@host:80 refused'],
    ['every URL', '"ws://u:s@a" failed, then ws://s@b/', '"ws://***@a" failed, then ws://***@b/'],
    ['a URL in a URL', 'https://rest.example/a?next=https://u:s@b', 'https://rest.example/a?next=https://***@b'],
    [
      'values whose names suggest a credential',
      'https://h/a?limit=5&api_key=s&pass=s&cred=s',
      'https://h/a?limit=5&api_key=***&pass=***&cred=***',
    ],
    ['a name in percent-encoding', 'https://h/?%74oken=s', 'https://h/?%74oken=***'],
    ['a value with a raw # or ?', 'https://h/?token=a#b?c&d=1', 'https://h/?token=***&d=1'],
    ['a value in a fragment', 'https://h/#access_token=s', 'https://h/#access_token=***'],
    ['a password among settings', 'host=db password=s user=u', 'host=db password=*** user=u'],
    ['a path without a host', '/x?PASSWORD=s', '/x?PASSWORD=***'],
    ['every value of a WebSocket URL', 'wss://h/?a=secret&secret#x', 'wss://h/?a=***&***'],
    ['a key in a path', `https://h/v2/${KEY}/info`, 'https://h/v2/***/info'],
    ['a key at the end', `(https://h/${KEY}), then "wss://h/${HASH}".`, '(https://h/***), then "wss://h/***".'],
  ])('masks %s', (_, text, masked) => {
    expect(redact(text)).toBe(masked)
    expect(redact(masked)).toBe(masked)
  })

  it.each([
    'no URL',
    'me@example.org',
    'wss://node.example:80',
    'https://[::1]:80/x',
    '"ws://127.0.0.1:17510" is not ready, mail me@example.org',
    'https://cdn.jsdelivr.net/npm/vue-chain@0.1.0/dist/sdk/kaspa_bg-a1b2c3d4e5f6a7b8.wasm',
    'https://rest.example/addresses?limit=5&offset=1',
    'https://rest.example/addresses/kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j/balance',
    `https://rest.example/transactions/${HASH}`,
    'see C:\\apps\\rxjs@7.8.1',
  ])('leaves %s', (text) => {
    expect(redact(text)).toBe(text)
  })

  it('masks a key of 64 hexadecimal digits in the configured URL, and no id behind it', () => {
    const id = HASH.replace(/^./, 'f')
    const base = `https://h/${HASH}`
    expect(redact(`${base}/transactions/${id}`, base)).toBe(`https://h/***/transactions/${id}`)
    expect(redact(`Cannot GET /${HASH}/x`, base)).toBe('Cannot GET /***/x')
  })
})

/** Begin and end a credential: neither may be left. */
const [BEGIN, END] = ['Zq7', 'X9k']
/** Stands in the middle of some. */
const MIDDLE = 'Wj5'

/** Characters of any kind; those that end a part of a URL as URLs require, encoded. */
const credential = anyText({ maxLength: 12 }).map(
  (text) => `${BEGIN}${text.replace(/[/?#&\\\p{White_Space}\p{Cc}]/gu, '+')}${END}`,
)
const rawCredential = fc
  .array(fc.constantFrom('://', MIDDLE, ...Array.from('ab1:/?#@&\\"\'`<>()[]{},;=%$!~|^é…\u00a0\u202e')), {
    maxLength: 12,
  })
  .map((characters) => `${BEGIN}${characters.join('')}${END}`)
const key = fc.stringMatching(/^[\w-]{10,40}$/).map((text) => `${BEGIN}${text}${END}`)

/** Places of a credential in a text. */
const PLACES: Readonly<Record<string, (secret: string) => string>> = {
  password: (secret) => `wss://user:${secret}@node.example/kaspa`,
  user: (secret) => `https://${secret}@rest.example/info`,
  database: (secret) => `postgres://user:${secret}@db.example:5432/feed`,
  'no scheme': (secret) => `user:${secret}@node.example:80`,
  'query of http': (secret) => `https://rest.example/x?limit=1&token=${secret}&offset=1`,
  'query of a socket': (secret) => `wss://node.example/x?plain=${secret}&other`,
  'nameless query of a socket': (secret) => `wss://node.example/x?${secret}`,
}
const FRAMES: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => `"${url}" could not be reached`,
  (url) => `Requests to (${url}), then to https://other.example, failed.`,
  (url) => JSON.stringify({ url }),
]

describe.each(Object.entries(PLACES))('a credential of any character: %s', (_, place) => {
  it.each(FRAMES.map((frame, at) => [at, frame] as const))('is in no redacted text, form %i', (_, frame) => {
    fc.assert(
      fc.property(credential, (secret) => {
        const redacted = redact(frame(place(secret)))
        expect(redacted).not.toContain(BEGIN)
        expect(redacted).not.toContain(END)
        expect(redact(redacted)).toBe(redacted)
      }),
      { numRuns: runs(200) },
    )
  })
})

it.each([
  (secret: string) => `postgres://user:${secret}@db.example/feed`,
  (secret: string) => `Could not open "wss://user:${secret}@node.example" (https://help.example)`,
  (secret: string) => `wss://a:${secret}@a.example, wss://b:${secret}@b.example`,
])('is in no redacted text: a password with characters that no URL has, form %#', (frame) => {
  fc.assert(
    fc.property(rawCredential, (secret) => {
      expect(redact(frame(secret))).not.toMatch(new RegExp(`${BEGIN}|${MIDDLE}|${END}`))
    }),
    { numRuns: runs(500) },
  )
})

it('is in no redacted text: a key in a path', () => {
  fc.assert(
    fc.property(key, fc.constantFrom('http', 'https', 'ws', 'wss'), (secret, scheme) => {
      expect(redact(`${scheme}://h.example/v1/${secret}/info`)).toBe(`${scheme}://h.example/v1/***/info`)
      expect(redact(`"${scheme}://h.example/${secret}" failed`)).toBe(`"${scheme}://h.example/***" failed`)
    }),
    { numRuns: runs(200) },
  )
})

it('is the only function that masks', () => {
  const src = resolve(import.meta.dirname, '../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|vue)$/.test(path))
  const masking = files.filter((path) =>
    /\*\*\*['"`@]|…@|=…|maskUrl|maskCredentials/.test(readFileSync(join(src, path), 'utf8')),
  )
  expect(masking).toEqual(['errors/redact.ts'])
})
