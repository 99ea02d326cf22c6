import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isInvalidPskb } from '../../../src/errors/cosigning-errors.js'
import { readBundle } from '../../../src/model/pskb/read-bundle.js'
import { psktTransaction } from '../../../src/model/pskb/records.js'
import { bundleJson, writeBundle } from '../../../src/model/pskb/write-bundle.js'
import { transactionId } from '../../../src/model/transaction-id.js'

const FOLDER = new URL('../../fixtures/cosigning/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8').trim()
const toText = (json: string): string => `PSKB${Buffer.from(json).toString('hex')}`
const toJson = (text: string): string => Buffer.from(text.slice(4), 'hex').toString()

const names = readdirSync(FOLDER).filter((name) => name.endsWith('.pskb'))
/** Written by the crate; the others are texts of its older forms, without `covenant` and `covenantId`. */
const written = names.filter((name) => toJson(read(name)).includes('"covenant":null'))

const VALID = toJson(read('2of3-combined.pskb'))
const refusal = (text: string): unknown => {
  try {
    return readBundle(text)
  } catch (error) {
    if (!isInvalidPskb(error)) throw error
    return [error.reason, error.at]
  }
}

describe('the text of a bundle', () => {
  it.each(written)('writes %s byte for byte as the crate does', (name) => {
    expect(writeBundle(readBundle(read(name)))).toBe(read(name))
  })

  it.each(names)('reads what it writes of %s, in either case', (name) => {
    const bundle = readBundle(read(name))
    expect(readBundle(writeBundle(bundle))).toEqual(bundle)
    expect(readBundle(writeBundle(bundle, { upperCase: true }))).toEqual(bundle)
  })

  it('computes the ids that the crate states', () => {
    const stated = names.flatMap((name) => readBundle(read(name)).filter(({ global }) => global.id !== null))
    expect(stated.length).toBeGreaterThan(6)
    expect(stated.map((each) => transactionId(psktTransaction(each)))).toEqual(stated.map(({ global }) => global.id))
  })

  it('keeps unknown members, sorted by the bytes of their names, and names that objects inherit', () => {
    const unknown =
      '"__proto__":{"b":1,"a":[true,null,"\\u0000é"]},"\u{10000}":18446744073709551615,"\uffff":1,"constructor":0'
    const json = VALID.replaceAll('"proprietaries":{}', `"proprietaries":{${unknown}},"zz":{${unknown}}`)
    const sorted =
      '"__proto__":{"a":[true,null,"\\u0000é"],"b":1},"constructor":0,"\uffff":1,"\u{10000}":18446744073709551615'
    expect(bundleJson(readBundle(toText(json)))).toBe(json.replaceAll(unknown, sorted))
  })

  const KEY = '036aa3da9b5c1d61956076cb3014ffdaa0996bacdae29ba4b89e39b4088f86ec78'
  it.each([
    ['another prefix', VALID, (text: string) => text.replace('PSKB', 'PSKT'), 'prefix', '$'],
    ['half a byte', VALID, (text: string) => text.slice(0, -1), 'hex', '$'],
    ['no hex', VALID, (text: string) => `${text}zz`, 'hex', '$'],
    ['bytes that are not UTF-8', VALID, (text: string) => `${text}ff`, 'utf-8', '$'],
    ['a byte order mark', VALID, (text: string) => text.replace('PSKB', 'PSKBefbbbf'), 'syntax', '$'],
    ['more than a mebibyte', VALID, (text: string) => text + '20'.repeat(2 ** 19), 'length', '$'],
  ])('refuses %s', (_, json, change, reason, at) => {
    expect(refusal(change(toText(json)))).toEqual([reason, at])
  })

  it.each([
    ['an exponent', '"amount":300000000', '"amount":3e8', 'number', '$[0].outputs[0].amount'],
    ['a fraction', '"amount":300000000', '"amount":300000000.0', 'number', '$[0].outputs[0].amount'],
    ['a sign', '"amount":300000000', '"amount":-1', 'number', '$[0].outputs[0].amount'],
    ['a leading zero', '"amount":300000000', '"amount":0300000000', 'number', '$[0].outputs[0].amount'],
    ['a number in quotes', '"amount":300000000', '"amount":"300000000"', 'type', '$[0].outputs[0].amount'],
    ['2^64', '"amount":300000000', '"amount":18446744073709551616', 'number', '$[0].outputs[0].amount'],
    ['a thousand digits', '"amount":300000000', `"amount":${'9'.repeat(1000)}`, 'number', '$[0].outputs[0].amount'],
    ['an index of 33 bits', '"index":3', '"index":4294967296', 'number', '$[0].inputs[0].previousOutpoint.index'],
    ['a member twice', '"sequence":0', '"sequence":0,"sequence":0', 'duplicate', '$[0].inputs[0].sequence'],
    [
      'a member twice by an escape',
      '"sequence":0',
      '"sequence":0,"sequenc\\u0065":0',
      'duplicate',
      '$[0].inputs[0].sequence',
    ],
    [
      'a key twice in two cases',
      `"${KEY}":null`,
      `"${KEY}":null,"${KEY.toUpperCase()}":null`,
      'duplicate',
      '$[0].inputs[0].bip32Derivations',
    ],
    ['another spelling of a member', '"sequence":0', '"sequence":0,"Sequence":0', 'name', '$[0].inputs[0].Sequence'],
    ['a member of snakes', '"sequence":0', '"sequence":0,"min_time":0', 'name', '$[0].inputs[0].*'],
    ['another spelling of a scheme', '{"schnorr":', '{"ecdsa":', 'name', '$[0].inputs[0].partialSigs.*'],
    ['two signatures of one key', '{"schnorr":', '{"eCDSA":"00","schnorr":', 'count', '$[0].inputs[0].partialSigs.*'],
    ['another number of inputs', '"inputCount":1', '"inputCount":2', 'count', '$[0].global.inputCount'],
    ['another number of outputs', '"outputCount":2', '"outputCount":1', 'count', '$[0].global.outputCount'],
    ['no payload', ',"payload":null', '', 'missing', '$[0].global.payload'],
    ['a short signature', /"schnorr":"[0-9a-f]{2}/, '"schnorr":"', 'hex', '$[0].inputs[0].partialSigs.*'],
    ['a key without its parity', `"${KEY}":null`, `"${KEY.slice(2)}":null`, 'key', '$[0].inputs[0].bip32Derivations'],
    ['an other member of an outpoint', '"index":3', '"index":3,"x":0', 'name', '$[0].inputs[0].previousOutpoint'],
    [
      'half a surrogate pair',
      '"proprietaries":{}',
      '"proprietaries":{"\\ud800":1}',
      'syntax',
      '$[0].global.proprietaries',
    ],
    [
      'a control character',
      '"proprietaries":{}',
      '"proprietaries":{"\u0001":1}',
      'syntax',
      '$[0].global.proprietaries',
    ],
    ['depth', '"proprietaries":{}', `"proprietaries":{"x":${'['.repeat(13)}${']'.repeat(13)}}`, 'depth', undefined],
    ['another bracket at the end', /\]$/, '}', 'syntax', '$'],
    ['anything after the end', /$/, ' 1', 'syntax', '$'],
    ['no transaction', /^.*$/s, '[]', 'count', '$'],
    ['an object', /^.*$/s, '{}', 'type', '$'],
    [
      '101 transactions',
      /^\[(.*)\]$/s,
      (_: string, one: string) => `[${Array<string>(101).fill(one).join(',')}]`,
      'count',
      '$',
    ],
  ] as const)('refuses %s', (_, from, to, reason, at) => {
    const json = VALID.replace(from, to as string)
    expect(json).not.toBe(VALID)
    expect(refusal(toText(json))).toEqual([reason, at ?? expect.anything()])
  })

  it('holds nothing of the text in an error', () => {
    const json = VALID.replace('"sequence":0', `"${'5e'.repeat(32)}":{"${KEY}":-1}`)
    expect(refusal(toText(json))).toEqual(['number', '$[0].inputs[0].*.*'])
  })
})
