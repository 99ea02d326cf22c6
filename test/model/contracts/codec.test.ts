import { describe, expect, it } from 'vitest'
import { defineContract } from '../../../src/model/contracts/contract.js'
import type { ContractArtifact } from '../../../src/model/contracts/artifact.js'
import type { ContractValue } from '../../../src/model/contracts/values.js'
import abi from '../../fixtures/contracts/abi.json'
import codec from '../../fixtures/contracts/codec.json'
import counterArtifact from '../../fixtures/contracts/artifacts/counter.json'
import tokenArtifact from '../../fixtures/contracts/artifacts/token20.json'
import vaultArtifact from '../../fixtures/contracts/artifacts/vault.json'

/** Scripts by the compiler, PyPI kaspa 2.1.0. */

type Values = Readonly<Record<string, ContractValue>>

const counter = defineContract(counterArtifact as ContractArtifact)
const vault = defineContract(vaultArtifact as ContractArtifact)
const token = defineContract(tokenArtifact as ContractArtifact)
const all = defineContract(codec.all as unknown as ContractArtifact)
const many = defineContract(codec.many as unknown as ContractArtifact)

/** The fixture has ints as `{ int: text }`, since JSON has none above 2^53. */
function revive(value: unknown): ContractValue {
  if (Array.isArray(value)) return value.map(revive)
  if (typeof value !== 'object' || value === null) return value as ContractValue
  if ('int' in value && typeof value.int === 'string') return BigInt(value.int)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revive(part)]))
}

/** Bytes are numbers in our types, ints in the fixture. */
const toBytes = (value: ContractValue): ContractValue =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, part]) => [
          name,
          ['c', 'x', 'one'].includes(name) && typeof part === 'bigint' ? Number(part) : toBytes(part as ContractValue),
        ]),
      )
    : Array.isArray(value)
      ? value.map(toBytes)
      : value

const values = (value: unknown): Values => toBytes(revive(value)) as Values

const SIGNATURE = Uint8Array.from({ length: 65 }, (_, index) => index)

describe('the codec of contracts', () => {
  it.each(abi.counter_increment)('encodes the step %s', (step = '', script = '') => {
    expect(counter.encodeCall('increment', { step: BigInt(step) })).toBe(script)
  })

  it.each(abi.counter_instances)('builds the script of count %s', (count = '', script = '') => {
    expect(counter.redeemScript({ count: BigInt(count) })).toBe(script)
    expect(counter.decodeState(script)).toEqual({ count: BigInt(count) })
  })

  it('encodes signatures and bytes with signatures inside', () => {
    const address = 'kaspasim:qpu6fn0zgdgxrhs3d9l9gfpumjvvjcasmh2rpc3w7jfkxe3hl6llzhj2djxcx'
    const sign = (signer: string): Uint8Array => {
      expect(signer).toBe(address)
      return SIGNATURE
    }
    expect(vault.encodeCall('spend', { s: SIGNATURE, value: 7n })).toBe(abi.vault_spend)
    expect(vault.encodeCall('close', { s: { signedBy: address } }, sign)).toBe(abi.vault_close)
    expect(token.encodeCall('transfer_delegator', { witness: SIGNATURE })).toBe(abi.token_delegate)
    expect(token.encodeCall('transfer_delegator', { witness: '' })).toBe(abi.token_delegate0)
    const owners = ['22'.repeat(32), '33'.repeat(32)]
    const states = owners.map((owner, index) => ({
      amount: [600n, 400n][index]!,
      owner,
      owner_scheme: index,
      borrow_scheme: 0,
      borrow_guard: '00'.repeat(32),
      extension_commitment: '00'.repeat(32),
    }))
    const witness = ['00', { signedBy: address }]
    expect(token.encodeCall('transfer', { next_states: states, witness }, sign)).toBe(abi.token_transfer)
    const one = { ...states[0]!, amount: 1n, owner_scheme: 0 }
    expect(token.encodeCall('transfer', { next_states: [one], witness: '00' })).toBe(abi.token_transfer1)
  })

  it.each(codec.calls.map((call, index) => [index, call] as const))(
    'encodes values of all types: call %i',
    (_, call) => {
      expect(all.encodeCall(call.entry, values(call.args))).toBe(call.script)
    },
  )

  it.each(codec.states.map((state, index) => [index, state] as const))(
    'encodes and decodes states: %i',
    (_, recorded) => {
      const state = values(recorded.state)
      expect(many.redeemScript(state)).toBe(recorded.script)
      expect(many.decodeState(recorded.script)).toEqual(state)
    },
  )

  it('recognises another program by its template hash', () => {
    expect(counter.templateHash).not.toBe(abi.counter_other_max)
    expect(() => defineContract(counterArtifact as ContractArtifact, { templateHash: abi.counter_other_max })).toThrow(
      `The artifact is not valid: contracts.Counter.compiled.template_hash is ${counter.templateHash}: another program than the expected ${abi.counter_other_max}`,
    )
    expect(counter.decodeState(vault.redeemScript(vault.initialState))).toBeUndefined()
  })
})
