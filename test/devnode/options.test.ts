import { describe, expect, it } from 'vitest'
import { resolveOptions, type DevnodeOptions } from '../../src/devnode/devnode.js'

describe('devnode options', () => {
  it('have defaults', () => {
    expect(resolveOptions()).toEqual({
      network: 'simnet',
      host: '127.0.0.1',
      origins: [],
      borshPort: 0,
      jsonPort: 0,
      restPort: 0,
      controlPort: 0,
      blockInterval: 1_000,
      accounts: 10,
      balance: 100_000_000_000n,
      seed: 0,
      utxos: [],
      now: expect.any(Function) as () => number,
      onRefused: expect.any(Function) as () => void,
    })
  })

  it('treat an explicit undefined as the default', () => {
    expect(resolveOptions({ seed: undefined, blockInterval: 0 })).toMatchObject({ seed: 0, blockInterval: 0 })
  })

  const refused: readonly [string, DevnodeOptions, string][] = [
    ['a port above 65535', { borshPort: 65_536 }, 'Allowed is a whole number from 0 to 65535.'],
    ['a negative interval', { blockInterval: -1 }, 'Allowed is a whole number from 0 to 2147483647.'],
    ['half an account', { accounts: 0.5 }, 'Allowed is a whole number from 0 to 1000.'],
    ['a negative balance', { balance: -1n }, 'Allowed is a bigint of sompi, 0n or more.'],
    ['no host', { host: '' }, 'Allowed is an address of this machine.'],
    [
      'an unknown network',
      JSON.parse('{"network":"testnet"}'),
      'Allowed is one of mainnet, testnet-10, testnet-12, simnet, devnet.',
    ],
  ]
  it.each(refused)('reject %s with the option and its allowed values', (_, options, hint) => {
    const [argument] = Object.keys(options)
    const error = { message: `Devnode option "${argument}" is invalid`, code: 'invalid-option', argument, hint }
    expect(() => resolveOptions(options)).toThrow(expect.objectContaining(error))
  })
})
