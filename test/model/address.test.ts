import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressOfPublicKey,
  addressVersionOf,
  decodeAddress,
  encodeAddress,
  isValidAddress,
  toAddress,
  toScriptPublicKey,
  type AddressVersion,
} from '../../src/model/address.js'
import { blake2b256 } from '../../src/model/hashing.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import { AVAILABLE_NETWORKS, NETWORKS, type AddressPrefix, type ChainNetwork } from '../../src/model/network.js'
import { readFixture } from './vectors.js'
import { errorOf } from './error-of.js'

interface Form {
  readonly payload: string
  readonly address: string
  readonly script: string
  readonly redeemScript: string
}

interface Row {
  readonly network: ChainNetwork
  readonly p2pk: Form
  readonly ecdsa: Form
  readonly p2sh: Form
}

const { rows } = readFixture<{ rows: Row[] }>('consensus/addresses.json')
const prefixOf = ({ network }: Row): AddressPrefix => NETWORKS[network].addressPrefix

const forms = rows.flatMap((row) => [
  { ...row.p2pk, prefix: prefixOf(row), version: 'PubKey' as const },
  { ...row.ecdsa, prefix: prefixOf(row), version: 'PubKeyECDSA' as const },
  {
    ...row.p2sh,
    prefix: prefixOf(row),
    version: 'ScriptHash' as const,
    payload: toHex(blake2b256(fromHex(row.p2sh.redeemScript))),
  },
])

const ADDRESS = 'kaspa:qr0lr4ml9fn3chekrqmjdkergxl93l4wrk3dankcgvjq776s9wn9jkdskewva'

describe('an address', () => {
  it.each(forms)('encodes $address', ({ prefix, version, payload, address }) => {
    expect(encodeAddress(prefix, version, fromHex(payload))).toBe(address)
  })

  it.each(forms)('decodes $address', ({ prefix, version, payload, address }) => {
    const decoded = decodeAddress(address)
    expect({ ...decoded, payload: toHex(decoded.payload) }).toEqual({ prefix, version, payload })
  })

  it.each(forms)('$address converts to its locking script and back', ({ prefix, script, address }) => {
    expect(toScriptPublicKey(address)).toEqual({ version: 0, script })
    expect(toAddress({ version: 0, script }, prefix)).toBe(address)
  })

  it.each(rows)('is equal for the x-only and the compressed form of a key: $p2pk.address', (row) => {
    expect(addressOfPublicKey(row.p2pk.payload, prefixOf(row))).toBe(row.p2pk.address)
    expect(addressOfPublicKey(`02${row.p2pk.payload}`, prefixOf(row))).toBe(row.p2pk.address)
    expect(addressOfPublicKey(`03${row.p2pk.payload}`, prefixOf(row))).toBe(row.p2pk.address)
  })

  it('round-trips for any payload', () => {
    const prefixes = AVAILABLE_NETWORKS.map((network) => NETWORKS[network].addressPrefix)
    const versions: [AddressVersion, number][] = [
      ['PubKey', 32],
      ['PubKeyECDSA', 33],
      ['ScriptHash', 32],
    ]
    const addresses = fc.constantFrom(...versions).chain(([version, length]) =>
      fc.record({
        prefix: fc.constantFrom(...prefixes),
        version: fc.constant(version),
        payload: fc.uint8Array({ minLength: length, maxLength: length }),
      }),
    )
    fc.assert(
      fc.property(addresses, ({ prefix, version, payload }) => {
        expect(decodeAddress(encodeAddress(prefix, version, payload))).toEqual({ prefix, version, payload })
      }),
    )
  })
})

describe('an invalid address', () => {
  it('is detected after a change of any character', () => {
    const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
    fc.assert(
      fc.property(
        fc.integer({ min: 6, max: ADDRESS.length - 1 }),
        fc.constantFrom(...Array.from(letters)),
        (at, letter) => {
          fc.pre(ADDRESS.charAt(at) !== letter)
          expect(isValidAddress(ADDRESS.slice(0, at) + letter + ADDRESS.slice(at + 1))).toBe(false)
        },
      ),
    )
  })

  it.each([
    [ADDRESS.replace('kaspa:', ''), 'The address has no prefix of a known network'],
    [ADDRESS.replace('kaspa:', 'bitcoin:'), 'The address has no prefix of a known network'],
    [ADDRESS.replace('kaspa:', 'kaspatest:'), 'The address has a wrong checksum'],
    [ADDRESS.slice(0, -1), 'The address has a wrong checksum'],
    [`${ADDRESS}q`, 'The address has a wrong checksum'],
    [ADDRESS.replace('qr0', 'qR0'), 'The address has a character that no address has: "R"'],
    [ADDRESS.replace('qr0', 'qé0'), 'The address has a character that no address has: "é"'],
    [ADDRESS.replace('qr0', 'q本0'), 'The address has a character that no address has: "本"'],
    ['kaspa:', 'The address is too short'],
    ['', 'The address has no prefix of a known network'],
  ])('rejects %s: %s', (text, message) => {
    expect(errorOf(() => decodeAddress(text))).toEqual({ message, code: 'invalid-argument', argument: 'address' })
  })

  it('is reported under the caller’s argument name', () => {
    expect(errorOf(() => toScriptPublicKey('kaspa:q', 'outputs[3].address')).argument).toBe('outputs[3].address')
  })

  it('is rejected with leftover bits, or a length that fits no key', () => {
    expect(isValidAddress('kaspa:qqqq')).toBe(false)
    expect(errorOf(() => encodeAddress('kaspa', 'PubKey', new Uint8Array(31))).message).toBe(
      'A PubKey address holds 32 bytes, not 31',
    )
  })
})

describe('isValidAddress', () => {
  it('checks the network if given', () => {
    expect(isValidAddress(ADDRESS)).toBe(true)
    expect(isValidAddress(ADDRESS, 'mainnet')).toBe(true)
    expect(isValidAddress(ADDRESS, 'simnet')).toBe(false)
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (value) => !isValidAddress(value)))
  })

  it.each(['testnet', 'toString', null])('is false for an unknown network: %s', (network) => {
    expect(isValidAddress(ADDRESS, network as ChainNetwork)).toBe(false)
  })
})

describe('a script without an address form', () => {
  it.each([
    { version: 1, script: forms[0]?.script ?? '' },
    { version: 0, script: '' },
    { version: 0, script: '51' },
    { version: 0, script: `20${'00'.repeat(31)}ac` },
    { version: 0, script: `20${'00'.repeat(32)}ab` },
    { version: 0, script: `aa20${'00'.repeat(32)}88` },
  ])('has no address: $version $script', (script) => {
    expect(addressVersionOf(script)).toBeUndefined()
    expect(toAddress(script, 'kaspa')).toBeUndefined()
  })
})

describe('an invalid public key', () => {
  it.each(['', '00', '04'.repeat(33), `05${'00'.repeat(32)}`, 'zz'.repeat(32)])('is rejected: %s', (key) => {
    expect(errorOf(() => addressOfPublicKey(key, 'kaspa')).argument).toBe('publicKeyHex')
  })
})
