import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../../src/model/bytes.js'
import { encodeAddress, type AddressVersion } from '../../src/model/address.js'
import { createAddressCoder, type AddressCoder } from '../../src/wrpc/borsh/address-coder.js'
import { Cursor, createHexText } from '../../src/wrpc/borsh/cursor.js'

/** The n-th address of a version. Any two differ in a few bytes only. */
function addressOf(n: number, version: AddressVersion = 'PubKey'): string {
  const payload = new Uint8Array(version === 'PubKeyECDSA' ? 33 : 32)
  new DataView(payload.buffer).setUint32(payload.length - 4, n)
  return encodeAddress('kaspatest', version, payload)
}

const VERSIONS = ['PubKey', 'PubKeyECDSA', 'ScriptHash'] as const

const write = (coder: AddressCoder, address: string): Uint8Array<ArrayBuffer> => {
  const writer = new ByteWriter()
  coder.write(writer, address)
  return writer.copied()
}
const read = (coder: AddressCoder, bytes: Uint8Array): string => coder.read(new Cursor(bytes, createHexText()))

describe('addresses in frames', () => {
  it.each(VERSIONS)('are encoded alike with and without the cache (%s)', (version) => {
    const coder = createAddressCoder()
    const first = write(coder, addressOf(1, version))
    expect(write(coder, addressOf(1, version))).toEqual(first)
    expect(read(createAddressCoder(), first)).toBe(addressOf(1, version))
  })

  it('are distinguished after many others were cached', () => {
    const coder = createAddressCoder()
    const addresses = Array.from({ length: 10_000 }, (_, n) => addressOf(n, VERSIONS[n % 3]))
    const frames = addresses.map((address) => write(coder, address))
    expect(frames.map((bytes) => read(coder, bytes))).toEqual(addresses)
    expect(addresses.map((address) => write(coder, address))).toEqual(frames)
  })

  it('are rejected on every attempt if invalid', () => {
    const coder = createAddressCoder()
    const wrong = `${addressOf(1).slice(0, -1)}q`
    for (const attempt of [1, 2]) expect(() => write(coder, wrong), `${attempt}`).toThrow(/checksum/)
  })
})
