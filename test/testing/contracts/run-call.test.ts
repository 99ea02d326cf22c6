import { schnorr } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { defineContract } from '../../../src/model/contracts/contract.js'
import { toHex } from '../../../src/model/hex.js'
import { contractMatchers, type ContractMatchers, runCall } from '../../../src/testing/contracts/matchers.js'
import { counter } from '../../fixtures/contracts/modules/counter.js'
import { token20 } from '../../fixtures/contracts/modules/token20.js'
import { vault } from '../../fixtures/contracts/modules/vault.js'

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- how Vitest takes further matchers
  interface Matchers<T> extends ContractMatchers<T> {}
}
expect.extend(contractMatchers)

const Counter = defineContract(counter)
const Vault = defineContract(vault)
const Token = defineContract(token20)

const [KEY, OTHER_KEY] = [0x33, 0x44].map((byte) => toHex(schnorr.getPublicKey(new Uint8Array(32).fill(byte))))
const [ALICE, BOB] = [KEY!, OTHER_KEY!].map((key) => addressOfPublicKey(key, 'kaspasim'))

const increment = (step: bigint, count = 7n) =>
  runCall(Counter, { state: { count }, call: 'increment', args: { step } })

describe('runCall', () => {
  it('finds the state that a contract computes', () => {
    const run = increment(3n)
    expect(run).toMatchObject({ ok: true, reason: undefined, nextStates: [{ count: 10n }] })
    expect(run).toCost({ budget: 0, units: 910 })
  })

  it('refuses with the text of the node, and names the opcode', () => {
    const run = increment(6n)
    expect(run).toBeRefused({ reason: 'failed to verify the signature script: script ran, but verification failed' })
    expect(run.nextStates).toEqual([])
    expect(run.failure).toMatchObject({ script: 'redeem', opcode: 0x69, position: 39 })
    expect(run.failure?.stack.at(-1)).toBe('')
    expect(increment(0n)).toBeRefused({ entry: 'increment' })
    expect(increment(1n)).not.toBeRefused()
  })

  it('takes the outputs that are given', () => {
    const call = { state: { count: 7n }, call: 'increment', args: { step: 3n } } as const
    expect(runCall(Counter, { ...call, outputs: [{ state: { count: 11n } }] })).toBeRefused({
      reason: /verification failed$/,
    })
    expect(runCall(Counter, { ...call, outputs: [{ state: { count: 10n }, bound: false }] })).toBeRefused()
    expect(runCall(Counter, { ...call, outputs: [{ state: { count: 10n } }, { state: { count: 10n } }] })).toBeRefused()
    expect(runCall(Counter, { ...call, outputs: [{ state: { count: 10n }, value: 1n }] })).not.toBeRefused()
  })

  it('counts a signature that is not made yet for the key that will make it, and for no other', () => {
    const state = { owner: KEY!, spent: 5n }
    const run = runCall(Vault, { state, call: 'spend', args: { s: { signedBy: ALICE! }, value: 2n } })
    expect(run).toMatchObject({ ok: true, nextStates: [{ owner: KEY, spent: 7n }] })
    expect(run).toCost({ budget: 10 })
    const stranger = runCall(Vault, { state, call: 'spend', args: { s: { signedBy: BOB! }, value: 2n } })
    expect(stranger).toBeRefused({ reason: 'script ran, but verification failed' })
  })

  it('ends a covenant', () => {
    const run = runCall(Vault, { state: { owner: KEY!, spent: 0n }, call: 'close', args: { s: { signedBy: ALICE! } } })
    expect(run).toMatchObject({ ok: true, nextStates: [] })
    expect(run).toCost({ units: 100_625 })
  })

  it('takes the next states from the arguments of an entry that verifies them', () => {
    const state = { ...Token.initialState, owner: KEY! }
    const transfer = (amounts: readonly bigint[], signedBy = ALICE!) =>
      runCall(Token, {
        state,
        call: 'transfer',
        args: { next_states: amounts.map((amount) => ({ ...state, amount })), witness: ['00', { signedBy }] },
      })
    expect(transfer([600n, 400n])).toMatchObject({ ok: true, nextStates: [{ amount: 600n }, { amount: 400n }] })
    expect(transfer([600n, 401n])).toBeRefused()
    expect(transfer([-1n, 1001n])).toBeRefused()
    expect(transfer([600n, 400n], BOB)).toBeRefused()
    expect(transfer([400n, 300n, 200n, 100n])).toBeRefused()
  })
})

describe('the matchers', () => {
  it('name what was expected, and what was', () => {
    expect(contractMatchers.toBeRefused(increment(3n)).message()).toBe(
      'Expected increment to be refused; it was accepted, with the next states [{"count":"10"}]',
    )
    expect(contractMatchers.toCost(increment(3n), { budget: 1 }).message()).toMatch(
      /^Expected increment to cost {"budget":1}; it was {"budget":0,"fee":"\d+","units":910}$/,
    )
    expect(contractMatchers.toHaveState({ state: { count: 1n } }, { count: 2n }).pass).toBe(false)
    expect({ state: { count: 1n } }).toHaveState({ count: 1n })
  })

  it('throw for what they would not compare', () => {
    const run = increment(3n)
    const misspelt = { units: 910, fees: 1n }
    expect(() => contractMatchers.toCost(run, misspelt)).toThrow('There is no option "fees"')
    expect(() => contractMatchers.toCost(run, {})).toThrow('toCost compares nothing')
    const reasons = { reason: undefined, reasons: 'never said' }
    expect(() => contractMatchers.toBeRefused(run, reasons)).toThrow('There is no option "reasons"')
  })

  it('compare with a pattern from its beginning each time', () => {
    const reason = /false/g
    const run = { ...increment(3n), ok: false, reason: 'false stack entry' }
    for (const _ of [1, 2]) expect(contractMatchers.toBeRefused(run, { reason }).pass).toBe(true)
  })
})
