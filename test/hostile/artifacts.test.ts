import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import { ChainError } from '../../src/errors/chain-error.js'
import type { ContractArtifact } from '../../src/model/contracts/artifact.js'
import { defineContract } from '../../src/model/contracts/contract.js'
import counterJson from '../fixtures/contracts/artifacts/counter.json'
import tokenJson from '../fixtures/contracts/artifacts/token20.json'
import { toHex } from '../../src/model/hex.js'
import { runs } from '../full.js'
import vaultJson from '../fixtures/contracts/artifacts/vault.json'

/** Artifacts that the compiler did not write, and arguments that do not fit. */

const COUNTER = 'contracts.Counter'
const ENTRY = `${COUNTER}.entries.__covenant_entrypoint_auth_increment`
const INT = '{"name":"step","type":{"kind":"int"}}'

/** The error of the counter's artifact with a part of its text replaced. */
function refusal(part: string | RegExp, replacement: string): unknown {
  const text = JSON.stringify(counterJson)
  const damaged = text.replace(part, replacement)
  if (damaged === text) throw new Error(`The artifact has no ${String(part)}`)
  return caught(() => defineContract(JSON.parse(damaged) as ContractArtifact))
}

function caught(attempt: () => unknown): unknown {
  try {
    return attempt()
  } catch (error) {
    return error instanceof ChainError ? [error.code, error.argument] : error
  }
}

describe('an artifact is refused, with the path of the part,', () => {
  it.each([
    ['of another schema', '"schema_version":1', '"schema_version":2', 'schema_version'],
    ['without contracts', /"contracts":.*/, '"contracts":{}}', 'contracts'],
    ['with another bytecode', '"bytecode":[107,', '"bytecode":[108,', `${COUNTER}.compiled.template_hash`],
    [
      'with another template hash',
      '"template_hash":[206,',
      '"template_hash":[207,',
      `${COUNTER}.compiled.template_hash`,
    ],
    ['with a number that is no byte', '"bytecode":[107,', '"bytecode":[300,', `${COUNTER}.compiled.bytecode`],
    [
      'with a bytecode that is too long',
      /"bytecode":\[.*?\]/,
      `"bytecode":"${'00'.repeat(250_001)}"`,
      `${COUNTER}.compiled.bytecode`,
    ],
    ['with another dispatch tag', '4d5aa222', '4d5aa223', `${ENTRY}.dispatch_tag`],
    ['with a renamed entry', '"increment":"__covenant', '"raise":"__other', `${COUNTER}.cov_decl_to_abi.raise`],
    ['with a parameter of another type', INT, INT.replace('int', 'bool'), `${ENTRY}.dispatch_tag`],
    ['with an unknown type', INT, INT.replace('int', 'float'), `${ENTRY}.params[0].type.kind`],
    ['with two parameters of one name', INT, `${INT},${INT}`, `${ENTRY}.params`],
    ['with a name that is none', INT, INT.replace('step', '__proto__'), `${ENTRY}.params[0].name`],
    [
      'with a struct that is missing',
      INT,
      INT.replace('"int"', '"struct","name":"toString"'),
      `${ENTRY}.params[0].type.name`,
    ],
    ['with a span of other fields', '"len":9', '"len":10', `${COUNTER}.compiled.template_hash`],
    ['with a span after the end', '"len":9', '"len":9000', `${COUNTER}.compiled.state_span`],
    ['with a span that is no number', '"len":9', '"len":"9"', `${COUNTER}.compiled.state_span.len`],
    [
      'with a state of another size',
      '"name":"count","type":{"kind":"int"}',
      '"name":"count","type":{"kind":"pubkey"}',
      `${COUNTER}.compiled.state_span`,
    ],
    ['with an entry without declaration', '"cov_decl_to_abi":{', '"other":{', ENTRY],
    [
      'with a delegate that is no entry',
      '"cov_decl_to_abi":{',
      '"delegate_entry_abi":"x","cov_decl_to_abi":{',
      `${COUNTER}.delegate_entry_abi`,
    ],
  ])('%s', (_, part, replacement, path) => {
    expect(refusal(part, replacement)).toEqual(['invalid-artifact', path])
  })

  it('with a struct that contains itself', () => {
    const loop = '"structs":{"Loop":{"fields":[{"name":"next","type":{"kind":"struct","name":"Loop"}}]}}'
    const text = JSON.stringify(counterJson).replace('"structs":{}', loop)
    const artifact = JSON.parse(text.replace(INT, INT.replace('"int"', '"struct","name":"Loop"'))) as ContractArtifact
    expect(caught(() => defineContract(artifact))).toEqual(['invalid-artifact', 'structs.Loop.fields[0].type'])
  })

  it('that is no object at all', () => {
    for (const artifact of [null, 1, 'x', [], { schema_version: 1 }])
      expect(caught(() => defineContract(artifact as unknown as ContractArtifact))).toContain('invalid-artifact')
  })
})

describe('arguments are refused, with their path,', () => {
  const counter = defineContract(counterJson as ContractArtifact)
  const vault = defineContract(vaultJson as ContractArtifact)
  const token = defineContract(tokenJson as ContractArtifact)
  const state = token.initialState

  it.each([
    ['an int below -(2^63 - 1)', () => counter.encodeCall('increment', { step: -(2n ** 63n) }), 'args.step'],
    ['an int above 2^63 - 1', () => counter.encodeCall('increment', { step: 2n ** 63n }), 'args.step'],
    ['a number in place of an int', () => counter.encodeCall('increment', { step: 3 }), 'args.step'],
    ['a missing argument', () => counter.encodeCall('increment', {}), 'args.step'],
    ['an unknown argument', () => counter.encodeCall('increment', { step: 1n, stp: 1n }), 'args.stp'],
    ['an unknown entry', () => counter.encodeCall('toString', {}), 'entry'],
    ['a generated name', () => counter.encodeCall('__covenant_entrypoint_auth_increment', { step: 1n }), 'entry'],
    ['a signature of another length', () => vault.encodeCall('close', { s: '00'.repeat(64) }), 'args.s'],
    [
      'a signer that is no key',
      () => vault.encodeCall('close', { s: { signedBy: vault.scriptAddress(vault.initialState, 'simnet') } }),
      'args.s',
    ],
    ['bytes that are no hex', () => vault.redeemScript({ owner: 'zz'.repeat(32), spent: 0n }), 'state.owner'],
    ['a byte above 255', () => token.redeemScript({ ...state, owner_scheme: 256 }), 'state.owner_scheme'],
    [
      'an amount inside a list of states',
      () => token.encodeCall('transfer', { next_states: [state, { ...state, amount: '5' }], witness: '00' }),
      'args.next_states[1].amount',
    ],
    ['a list that is none', () => token.encodeCall('transfer', { next_states: {}, witness: '00' }), 'args.next_states'],
  ])('%s', (_, attempt, path) => {
    expect(caught(attempt)).toEqual(['invalid-argument', path])
  })
})

it('reads no state that has another encoding', () => {
  const token = defineContract(tokenJson as ContractArtifact)
  const random = createRandom(40)
  const script = Buffer.from(token.redeemScript(token.initialState), 'hex')
  let read = 0
  for (let run = 0; run < runs(300); run++) {
    const damaged = Uint8Array.from(script)
    damaged[1 + Math.floor(random() * 112)] = Math.floor(random() * 256)
    const hex = toHex(damaged)
    const state = token.decodeState(hex)
    if (state === undefined) continue
    read++
    expect(token.redeemScript(state)).toBe(hex)
  }
  expect(read).toBeGreaterThan(0)
})
