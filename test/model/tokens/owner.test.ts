import { describe, expect, it } from 'vitest'
import { encodeAddress, toAddress } from '../../../src/model/address.js'
import { fromHex } from '../../../src/model/hex.js'
import { addressOfOwner, fieldsOf, receiverOf, witnessOf } from '../../../src/model/tokens/owner.js'
import { readTokenProgram } from '../../../src/model/tokens/token-program.js'
import { Token } from '../../contract-calls/token-rows.js'
import { token20 } from '../../fixtures/contracts/modules/token20.js'

/** Owners as KCC-2 names them; the hashes are conformance vectors of KCC-20. */

const KEY = '22'.repeat(32)
const ECDSA_KEY = `02${'55'.repeat(32)}`
const key = encodeAddress('kaspasim', 'PubKey', fromHex(KEY))
const ecdsa = encodeAddress('kaspasim', 'PubKeyECDSA', fromHex(ECDSA_KEY))
const script = toAddress({ version: 0, script: `aa20${'33'.repeat(32)}87` }, 'kaspasim')!
const covenant = { covenantId: '44'.repeat(32) }

describe('an owner', () => {
  it.each([
    ['a key', key, [`0 ${KEY}`, '1 7caa514a05535fd97887e483ce6f1fc36ef7026435c47521b04549d9af4837bf']],
    ['an ECDSA key', ecdsa, ['2 ed887ad164d313eeeac970912504a81156274732ab09c0c0559ff59160abddf9']],
    ['a script', script, [`3 ${'33'.repeat(32)}`]],
    ['a covenant', covenant, [`4 ${covenant.covenantId}`]],
  ])('%s has the fields of its scheme', (_, owner, fields) => {
    expect(fieldsOf(owner, 'to').map((one) => `${one.owner_scheme} ${one.owner}`)).toEqual(fields)
  })

  it.each([
    ['a key, never by its hash', key, [1], undefined],
    ['an ECDSA key that is listed by its hash', ecdsa, [0, 2], 2],
    ['an ECDSA key where bytes are listed that KCC-2 does not assign', ecdsa, [0, 5, 6], undefined],
    ['an ECDSA key where nothing is listed', ecdsa, undefined, undefined],
    ['a script where nothing is listed, until the program refuses it', script, undefined, 3],
    ['a covenant that is not listed', covenant, [0], undefined],
  ])('receives as %s', (_, owner, ownerSchemes, scheme) => {
    const receive = () => receiverOf(owner, { ownerSchemes })
    if (scheme === undefined) expect(receive).toThrow(expect.objectContaining({ code: 'unsupported-owner' }))
    else expect(receive().owner_scheme).toBe(scheme)
  })

  it.each([5, 6, 0x7f, 0x80])('of the scheme %i, which KCC-2 does not assign, has no address', (owner_scheme) => {
    expect(addressOfOwner({ owner: KEY, owner_scheme }, 'kaspasim')).toBeNull()
  })

  it('authorizes by its signature, with the key where a state has its hash, and as a covenant by nothing', () => {
    const [plain, hashed] = fieldsOf(key, 'from')
    const signature = { signedBy: key }
    expect(witnessOf(key, plain)).toEqual([signature])
    expect(witnessOf(key, hashed!)).toEqual([fromHex(KEY), signature])
    expect(witnessOf(covenant, fieldsOf(covenant, 'from')[0])).toEqual([])
    expect(() => witnessOf(script, fieldsOf(script, 'from')[0])).toThrow(
      expect.objectContaining({ code: 'unsupported', argument: 'from' }),
    )
  })
})

describe('a program', () => {
  const information = { max_token_inputs: 8, max_token_outputs: 5, owner_schemes: [0, 2] }

  it('has the limits and owners of its artifact, or else those of the default configuration', () => {
    expect(readTokenProgram(Token as never, token20)).toMatchObject({
      ...{ maxInputs: 3, maxOutputs: 3, ownerSchemes: undefined, isPlain: true },
      transfer: { entry: 'transfer', states: 'next_states', witness: 'witness' },
      delegate: { entry: 'transfer_delegator', witness: 'witness' },
    })
    const stated = { ...token20, program_information: information }
    expect(readTokenProgram(Token as never, stated)).toMatchObject({
      maxInputs: 8,
      maxOutputs: 5,
      ownerSchemes: [0, 2],
    })
    expect(readTokenProgram(Token as never, stated, { maxInputs: 2 })).toMatchObject({ maxInputs: 2, maxOutputs: 5 })
  })

  it('is refused roles that it does not have', () => {
    const read = (roles: object) => () => readTokenProgram(Token as never, token20, roles)
    expect(read({ transfer: 'send' })).toThrow(expect.objectContaining({ argument: 'roles.transfer' }))
    expect(read({ transfer: 'transfer_delegator' })).toThrow(expect.objectContaining({ code: 'invalid-artifact' }))
    expect(read({ delegate: 'transfer' })).toThrow(expect.objectContaining({ code: 'invalid-artifact' }))
  })
})
