import { describe, expect, it } from 'vitest'
import { verifySignInMessage } from '../../../src/engine/sign-in.js'
import { encodeAddress } from '../../../src/model/address.js'
import { createSignInMessage, type SignInFields } from '../../../src/operations/keys/sign-in-message.js'
import type { VerifySignInOptions } from '../../../src/operations/keys/verify-sign-in.js'
import { createKeys } from '../../../src/operations/keys/keys.js'
import { light } from '../../../src/sdk/light/light.js'

const port = await light.loadPort()
const keys = createKeys(() => port)
const { address, privateKeyHex } = keys.generateKeypair('mainnet')
const ISSUED = Date.UTC(2026, 0, 2, 3, 4, 5)
const DAY = 24 * 60 * 60_000
const fields: SignInFields = {
  domain: 'example.com',
  address,
  nonce: 'k7Q2mX9pLr',
  issuedAt: ISSUED,
  expiresAt: ISSUED + 300_000,
  statement: 'Sign in to Example.',
}
const TEXT = `example.com wants you to sign in with your Kaspa account:
${address}

Sign in to Example.

URI: https://example.com
Version: 1
Network: mainnet
Nonce: k7Q2mX9pLr
Issued At: 2026-01-02T03:04:05.000Z
Expiration Time: 2026-01-02T03:09:05.000Z`

const sign = (message: string): string => keys.signMessage(message, privateKeyHex).signature

/** Options of a valid sign-in, with a nonce that can be used once. */
function signIn(message: string, changed: Partial<VerifySignInOptions> = {}) {
  const consumed: string[] = []
  const consumeNonce = (nonce: string): Promise<boolean> => Promise.resolve(consumed.push(nonce) === 1)
  const options = { message, signature: sign(message), domain: 'example.com', network: 'mainnet' as const, now: ISSUED }
  return { consumed, options: { ...options, consumeNonce, ...changed } }
}

it('creates the text in the shape of EIP-4361, with and without a statement', () => {
  expect(createSignInMessage(fields)).toBe(TEXT)
  expect(createSignInMessage({ ...fields, statement: undefined })).toBe(TEXT.replace('Sign in to Example.\n', ''))
})

it.each([
  ['domain', { domain: 'example.com\nevil.example' }],
  ['domain', { domain: 'https://example.com' }],
  ['address', { address: 'kaspa:nonsense' }],
  ['nonce', { nonce: 'short' }],
  ['issuedAt', { issuedAt: Number.NaN }],
  ['expiresAt', { expiresAt: ISSUED }],
  ['statement', { statement: 'two\nlines' }],
])('refuses an invalid %s: %o', (argument, changed) => {
  expect(() => createSignInMessage({ ...fields, ...changed })).toThrow(
    expect.objectContaining({ code: 'invalid-argument', argument, operation: 'createSignInMessage' }),
  )
})

/** Addresses whose signatures cannot be verified. */
const SCRIPT_HASH = encodeAddress('kaspa', 'ScriptHash', new Uint8Array(32))
const ECDSA = encodeAddress('kaspa', 'PubKeyECDSA', new Uint8Array(33).fill(2))

it.each([SCRIPT_HASH, ECDSA])('refuses %s, whose signatures cannot be verified', (address) => {
  expect(() => createSignInMessage({ ...fields, address })).toThrow(
    expect.objectContaining({ code: 'unsupported-address' }),
  )
})

describe('verifySignInMessage', () => {
  it('accepts a message once: the nonce cannot be used again', async () => {
    const { options, consumed } = signIn(TEXT)
    expect(await verifySignInMessage(options)).toEqual({ isValid: true, fields })
    expect(await verifySignInMessage(options)).toEqual({ isValid: false, reason: 'wrong-nonce' })
    expect(consumed).toEqual([fields.nonce, fields.nonce])
  })

  it('accepts a message without a statement', async () => {
    const { options } = signIn(createSignInMessage({ ...fields, statement: undefined }))
    expect(await verifySignInMessage(options)).toMatchObject({ isValid: true })
  })

  it.each<[reason: string, title: string, message: string, changed: Partial<VerifySignInOptions>]>([
    ['malformed', 'an added line', `${TEXT}\nResources: x`, {}],
    ['malformed', 'another URI', TEXT.replace('https://example', 'https://evil'), {}],
    ['malformed', 'another network name', TEXT.replace('Network: mainnet', 'Network: simnet'), {}],
    ['malformed', 'a time in another notation', TEXT.replace('05.000Z', '05Z'), {}],
    ['malformed', 'a script-hash address', TEXT.replace(fields.address, SCRIPT_HASH), {}],
    ['malformed', 'an ECDSA address', TEXT.replace(fields.address, ECDSA), {}],
    ['wrong-domain', 'a message for another site', TEXT, { domain: 'other.example' }],
    ['wrong-network', 'another network', TEXT, { network: 'simnet' }],
    ['not-yet-valid', 'a message of the future', TEXT, { now: ISSUED - 60_001 }],
    ['expired', 'an expired message', TEXT, { now: ISSUED + 300_000 }],
    [
      'valid-too-long',
      'a message for longer than a day',
      createSignInMessage({ ...fields, expiresAt: ISSUED + DAY + 1 }),
      {},
    ],
    ['valid-too-long', 'a message for longer than maxValidity', TEXT, { maxValidity: 299_999 }],
    ['wrong-signature', 'a signature of another text', TEXT, { signature: sign('x') }],
    ['wrong-signature', 'a signature that is not hex', TEXT, { signature: 'AAAA' }],
  ])('refuses as %s: %s, without consuming the nonce', async (reason, _title, message, changed) => {
    const { options, consumed } = signIn(message, changed)
    expect(await verifySignInMessage(options)).toEqual({ isValid: false, reason })
    expect(consumed).toEqual([])
  })

  it('accepts a message for a day, or as long as maxValidity', async () => {
    const day = signIn(createSignInMessage({ ...fields, expiresAt: ISSUED + DAY }))
    expect(await verifySignInMessage(day.options)).toMatchObject({ isValid: true })
    const week = signIn(createSignInMessage({ ...fields, expiresAt: ISSUED + 7 * DAY }), { maxValidity: 7 * DAY })
    expect(await verifySignInMessage(week.options)).toMatchObject({ isValid: true })
  })

  it.each(['false', 'true', 1, {}, [], null, undefined])(
    'P4: does not take %o of consumeNonce for true',
    async (value) => {
      const { options } = signIn(TEXT, { consumeNonce: () => Promise.resolve(value as boolean) })
      expect(await verifySignInMessage(options)).toEqual({ isValid: false, reason: 'wrong-nonce' })
    },
  )

  it.each([
    ['now', Number.NaN],
    ['now', -Infinity],
    ['now', '0'],
    ['now', null],
    ['maxValidity', Number.NaN],
    ['maxValidity', Infinity],
    ['maxValidity', -1],
  ])('P4: rejects %s: %o, and consumes nothing', async (argument, value) => {
    const { options, consumed } = signIn(TEXT, { [argument]: value })
    await expect(verifySignInMessage(options)).rejects.toMatchObject({ code: 'invalid-argument', argument })
    expect(consumed).toEqual([])
  })

  it('rejects a wrong argument type, and with the error of consumeNonce', async () => {
    const { options } = signIn(TEXT, { signature: 7 as unknown as string })
    await expect(verifySignInMessage(options)).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'signature',
    })
    const failing = signIn(TEXT, { consumeNonce: () => Promise.reject(new Error('The database is down')) })
    await expect(verifySignInMessage(failing.options)).rejects.toThrow('The database is down')
  })
})
