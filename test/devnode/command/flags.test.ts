import { describe, expect, it } from 'vitest'
import { readFlags } from '../../../src/devnode/command/command.js'

describe('flags of vue-chain-devnode', () => {
  it('have defaults', () => {
    expect(readFlags([])).toEqual({
      kind: 'run',
      isQuiet: false,
      options: {
        network: 'simnet',
        host: '127.0.0.1',
        origins: [],
        borshPort: 17510,
        jsonPort: 18510,
        restPort: 18000,
        controlPort: 19000,
        blockInterval: 1_000,
        accounts: 10,
        balance: 100_000_000_000n,
        seed: 0,
      },
    })
  })

  it('are parsed', () => {
    const origins = ['--origin', 'chrome-extension://a', '--origin=http://wallet.test:8080']
    const flags = ['--block-interval', '0', '--balance=12.5', '--quiet', '--seed', '7', '--borsh-port=0', ...origins]
    const command = readFlags(flags)
    expect(command).toMatchObject({
      isQuiet: true,
      options: {
        blockInterval: 0,
        balance: 1_250_000_000n,
        seed: 7,
        borshPort: 0,
        origins: ['chrome-extension://a', 'http://wallet.test:8080'],
      },
    })
  })

  it('include --help and -h', () => {
    expect(readFlags(['--help'])).toEqual({ kind: 'help' })
    expect(readFlags(['-h'])).toEqual({ kind: 'help' })
  })

  it.each([
    [['--colour'], "Unknown option '--colour'"],
    [['now'], "Unexpected argument 'now'"],
    [['--seed'], "Option '--seed <value>' argument missing"],
    [['--seed', 'x'], '"x" is no value for --seed'],
    [['--borsh-port='], '"" is no value for --borsh-port'],
    [['--balance', '-5'], "Option '--balance' argument is ambiguous"],
    [['--balance', '1,5'], '"1,5" is no value for --balance'],
    [['--origin='], '"" is no value for --origin'],
    [
      ['--origin', 'chrome-extension://a,chrome-extension://b'],
      '"chrome-extension://a,chrome-extension://b" is no value for --origin',
    ],
    [['--origin', 'http://wallet.test/'], '"http://wallet.test/" is no value for --origin'],
    [['--network', 'testnet'], '"testnet" is no value for --network'],
  ])('%j are rejected with one line', (args, message) => {
    expect(() => readFlags(args)).toThrow(
      expect.objectContaining({ message, code: 'invalid-option', hint: 'See --help.' }),
    )
  })
})
