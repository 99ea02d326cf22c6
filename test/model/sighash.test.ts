import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import { SIGHASH_TYPES, ecdsaSighash, sighash, sighashParts, type SighashType } from '../../src/model/sighash.js'
import { ruleEntries, version0Vectors, version1Vectors, type Version0Vector } from './consensus-vectors.js'
import { toSpent, toTransaction } from './vectors.js'

const types: readonly number[] = Object.values(SIGHASH_TYPES)
const isSighashType = (type: number): type is SighashType => types.includes(type)

/** The sighashes of all inputs, computed with shared part hashes. */
function sighashes(
  { tx, utxos }: Pick<Version0Vector, 'tx' | 'utxos'>,
  type: SighashType,
  make = sighash,
): readonly string[] {
  const transaction = toTransaction(tx)
  const parts = sighashParts(transaction)
  const spent = utxos.map(toSpent)
  return tx.inputs.map((_, index) => toHex(make(transaction, index, spent, type, parts)))
}

/** The sighashes that current nodes expect. */
const modern = ({ expected: { sighashes: all } }: Version0Vector): readonly string[] =>
  'modern' in all ? all.modern : all

describe('the sighash of an input', () => {
  it.each(version0Vectors().filter(({ expected }) => expected.consensusValid !== false))(
    'matches the vector $name',
    (vector) => {
      const { sighashType, sighashKind, schnorrSighashes } = vector.expected
      if (!isSighashType(sighashType)) throw new Error('unknown type')
      const make = sighashKind === 'ecdsa' ? ecdsaSighash : sighash
      expect(sighashes(vector, sighashType, make)).toEqual(modern(vector))
      if (schnorrSighashes !== undefined) expect(sighashes(vector, sighashType)).toEqual(schnorrSighashes)
    },
  )

  it.each(version1Vectors())('matches the version-1 vector "$name"', (vector) => {
    expect(sighashes(vector, SIGHASH_TYPES.All)).toEqual(vector.expected.sighashes)
  })

  it('covers the payload, unlike SDK 0.15.2', () => {
    const withPayload = version0Vectors().filter(({ expected }) => 'modern' in expected.sighashes)
    expect(withPayload).toHaveLength(3)
    for (const vector of withPayload) {
      const { sighashes: all } = vector.expected
      if (!('legacy' in all)) throw new Error('no legacy sighashes')
      expect(sighashes(vector, SIGHASH_TYPES.All)).not.toEqual(all.legacy)
    }
  })

  it('is the same with and without shared part hashes', () => {
    for (const vector of version0Vectors().slice(0, 4)) {
      const transaction = toTransaction(vector.tx)
      const separate = vector.tx.inputs.map((_, index) => toHex(sighash(transaction, index, vector.utxos.map(toSpent))))
      expect(separate).toEqual(sighashes(vector, SIGHASH_TYPES.All))
    }
  })

  it('has no type 0x80, which SDK 0.15.2 uses for AllAnyOneCanPay and no node accepts', () => {
    const vector = version0Vectors().find(({ name }) => name === 'sighash-AllAnyOneCanPay')
    if (vector === undefined) throw new Error('no vector')
    expect(vector.expected.sighashType).toBe(0x80)
    expect(isSighashType(vector.expected.sighashType)).toBe(false)
    expect(() => sighashes(vector, SIGHASH_TYPES.AllAnyOneCanPay)).not.toThrow()
  })

  it('rejects an unknown input', () => {
    const [vector] = version0Vectors()
    if (vector === undefined) throw new Error('no vector')
    const { tx, utxos } = vector
    const attempt = (): unknown => sighash(toTransaction(tx), 1, utxos.map(toSpent))
    expect(attempt).toThrow(ChainError)
    expect(attempt).toThrow('There is no input 1 to sign')
  })
})

describe('signatures submitted to a real node', () => {
  const signed = ruleEntries().filter(
    ({ submit, spent }) => submit?.inputs.length === spent?.length && submit !== undefined,
  )

  /** Verifies the single P2PK signature of each input with an independent implementation of the curve. */
  function verify({ submit, spent }: (typeof signed)[number]): boolean[] {
    if (submit === undefined || spent === undefined) throw new Error('no transaction')
    const transaction = toTransaction(submit)
    return transaction.inputs.map(({ signatureScript }, index) => {
      const script = toSpent(spent[index] ?? { amount: '0', scriptPublicKey: '0000' }).scriptPublicKey.script
      const type = parseInt(signatureScript.slice(-2), 16)
      if (!isSighashType(type)) return false
      const signature = fromHex(signatureScript.slice(2, -2))
      if (script.startsWith('21')) {
        const hash = ecdsaSighash(transaction, index, spent.map(toSpent), type)
        return secp256k1.verify(signature, hash, fromHex(script.slice(2, -2)), { prehash: false })
      }
      return schnorr.verify(
        signature,
        sighash(transaction, index, spent.map(toSpent), type),
        fromHex(script.slice(2, -2)),
      )
    })
  }
  const ofKeys = signed.filter(
    ({ spent, submit }) =>
      [...(spent ?? [])].every(
        ({ scriptPublicKey }) => typeof scriptPublicKey === 'string' && /^0000(20|21).*(ac|ab)$/.test(scriptPublicKey),
      ) &&
      (submit?.inputs.every(({ signatureScript }) => signatureScript.length === 132) ?? false),
  )

  it.each(ofKeys.filter(({ response }) => response?.transactionId !== undefined))(
    'are valid if the node accepted them: $name',
    (entry) => {
      expect(verify(entry)).not.toContain(false)
    },
  )

  it.each(ofKeys.filter(({ error }) => error?.includes('false stack entry') ?? false))(
    'are invalid if the node rejected them: $name',
    (entry) => {
      expect(verify(entry)).toContain(false)
    },
  )
})
