import { HDKey } from '@scure/bip32'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { takeSecretHex, withSecretBytes } from '../../src/model/secret-bytes.js'
import { createLightPort } from '../../src/sdk/light/adapter.js'

const KEY = '33'.repeat(32)
const SECRET = { phrase: `${'abandon '.repeat(11)}about`, passphrase: '' }
const ZEROS = new Uint8Array(32)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('D11: the bytes of a secret', () => {
  it('are overwritten after use', () => {
    let used = new Uint8Array()
    expect(withSecretBytes(KEY, (bytes) => Uint8Array.from((used = bytes as Uint8Array<ArrayBuffer>)))).toEqual(
      new Uint8Array(32).fill(0x33),
    )
    expect(used).toEqual(ZEROS)
  })

  it('are overwritten where the use throws', () => {
    let used = new Uint8Array()
    const fail = (bytes: Uint8Array): never => {
      used = bytes as Uint8Array<ArrayBuffer>
      throw new Error('no')
    }
    expect(() => withSecretBytes(KEY, fail)).toThrow('no')
    expect(used).toEqual(ZEROS)
  })

  it('are never used where the secret is not hex, and the error does not quote it', () => {
    for (const secret of [KEY.slice(1), KEY.replace('3', 'x')])
      expect(() => withSecretBytes(secret, () => 'used')).toThrow(new Error('The secret is not hex'))
  })

  it('are overwritten once their hex is taken', () => {
    const bytes = new Uint8Array(32).fill(0x33)
    expect(takeSecretHex(bytes)).toBe(KEY)
    expect(bytes).toEqual(ZEROS)
  })
})

describe('D11: the keys of a derivation', () => {
  it.each([
    [
      'a private key',
      10,
      (port: ReturnType<typeof createLightPort>) =>
        port.derivePrivateKey(SECRET, { account: 0, change: false, index: 5 }),
    ],
    [
      'public keys',
      10,
      (port: ReturnType<typeof createLightPort>) => port.derivePublicKeys(SECRET, { account: 0, change: true }, 0, 3),
    ],
    [
      'an extended public key',
      6,
      (port: ReturnType<typeof createLightPort>) =>
        port.deriveExtendedPublicKey(SECRET, { account: 0, purpose: 45 }, 'kpub'),
    ],
  ])('of %s are overwritten on every level', (_, count, derive) => {
    const buffers: Uint8Array[] = []
    const deriveChild = HDKey.prototype.deriveChild
    vi.spyOn(HDKey.prototype, 'deriveChild').mockImplementation(function (this: HDKey, index) {
      const child = deriveChild.call(this, index)
      // the getter copies
      for (const node of [this, child]) buffers.push((node as unknown as { _privateKey: Uint8Array })._privateKey)
      return child
    })
    derive(createLightPort())
    expect(buffers.length).toBeGreaterThanOrEqual(count)
    expect(buffers.every((buffer) => buffer.every((byte) => byte === 0))).toBe(true)
  })
})
