import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { createLedgerSigner } from '../../../src/sdk/ledger/create-ledger-signer.js'
import { parseExtendedPublicKey } from '../../../src/streams/accounts/account.js'
import { KAS, bob } from '../../operations/transactions/accounts.js'
import { encodeAddress } from '../../../src/model/address.js'
import { fromHex } from '../../../src/model/hex.js'
import { failure } from '../../operations/transactions/failure.js'
import { signaturesVerify } from '../../operations/transactions/verify.js'
import { FakeDevice, type DeviceSettings } from './fake-device.js'
import { addressAt, ledgerNode, root, utxoAt } from './ledger-account.js'

const device = (settings: Partial<DeviceSettings> = {}) => new FakeDevice({ root, ...settings })

const payment = {
  entries: [
    utxoAt(addressAt(0, 0), 5n * KAS, 0),
    utxoAt(addressAt(1, 2), 5n * KAS, 1),
    utxoAt(addressAt(0, 3), 5n * KAS, 3),
  ],
  outputs: [{ address: bob.address, amount: 12n * KAS }],
  changeAddress: addressAt(1, 1),
}

describe('the Kaspa app of a Ledger device', () => {
  it('signs a payment of three inputs, shown with its amount and fee', async () => {
    const transport = device({ model: 'nanoX' })
    const { deps, accepted } = ledgerNode()
    const signer = createLedgerSigner({ transport, accountIndex: 0 })
    const { summary } = await createTransactions(deps).send({ ...payment, signer })
    expect(transport.shown).toMatchObject([{ amount: 12n * KAS, fee: summary.fees }])
    const spent = accepted[0]!.inputs.map(({ previousOutpoint: { index } }) =>
      payment.entries.find(({ outpoint }) => outpoint.index === index)!,
    )
    expect(signaturesVerify(accepted[0]!, spent)).toEqual([true, true, true])
  })

  it('sends the commands that a node has accepted the signatures of, byte for byte', async () => {
    const recorded = readFileSync(new URL('../../fixtures/cosigning/ledger-apdus.txt', import.meta.url), 'utf8')
    const [commands, replies] = ['=> ', '<= '].map((mark) =>
      recorded.split('\n').flatMap((line) => (line.startsWith(mark) ? line.slice(3) : [])),
    ) as [string[], string[]]
    const outpoint = '108b224749a803e3180895258455db77802f467e376851e3347ff32a5a574a75'
    let at = 0
    const transport = device({ tamper: () => Buffer.from(replies[at++] ?? '', 'hex') })
    const paths = [addressAt(0, 0), addressAt(0, 1), addressAt(0, 3)]
    const { deps } = ledgerNode()
    const { transactions } = await createTransactions(deps).create({
      entries: [0, 1, 3].map((index, n) => utxoAt(paths[n]!, 5n * KAS, index, outpoint)),
      outputs: [{ address: addressOfScript(commands[1]!.slice(26)), amount: 12n * KAS }],
      changeAddress: addressAt(1, 0),
      signer: createLedgerSigner({ transport, accountIndex: 0 }),
    })
    await transactions[0]!.signAsync(createLedgerSigner({ transport, accountIndex: 0 }))
    expect(transport.log.map(([command]) => command)).toEqual(commands)
  })

  it('takes the limits from the model of the device', () => {
    const maxInputs = (model?: string) =>
      createLedgerSigner({ transport: device({ model }), accountIndex: 0 }).limits.maxInputs
    expect([maxInputs('nanoS'), maxInputs('nanoX'), maxInputs()]).toEqual([15, 128, 15])
  })

  it('signs a payment of several transactions one after the other', async () => {
    const transport = device({ model: 'nanoS' })
    const { deps, accepted } = ledgerNode()
    const entries = Array.from({ length: 20 }, (_, at) => utxoAt(addressAt(0, 0), KAS, at))
    const outputs = [{ address: bob.address, amount: 18n * KAS }]
    const signer = createLedgerSigner({ transport, accountIndex: 0 })
    await createTransactions(deps).send({ ...payment, entries, outputs, signer })
    expect(accepted.map(({ inputs }) => inputs.length)).toEqual([15, 5])
    expect(transport.shown).toHaveLength(2)
  })

  it('shows the next payment once the first one is decided', async () => {
    let approve: (() => void) | undefined
    const transport = device({ decide: () => new Promise((resolve) => (approve = () => resolve(true))) })
    const signer = createLedgerSigner({ transport, accountIndex: 0 })
    const outputs = [{ address: bob.address, amount: KAS }]
    const create = async (at: number) => {
      const settings = { ...payment, outputs, entries: [payment.entries[at]!], signer }
      return (await createTransactions(ledgerNode().deps).create(settings)).transactions[0]!
    }
    const signed = [(await create(0)).signAsync(signer), (await create(1)).signAsync(signer)]
    await expect.poll(() => transport.shown.length).toBe(1)
    approve!()
    await Promise.race(signed) // either may be the first whose code is loaded
    await expect.poll(() => transport.shown.length).toBe(2)
    approve!()
    await Promise.all(signed)
  })

  it('has the extended public key of the account', async () => {
    const signer = createLedgerSigner({ transport: device(), accountIndex: 1 })
    const key = parseExtendedPublicKey(await signer.extendedPublicKey(), 'simnet')
    expect(key.path).toBe("m/44'/111111'/1'")
    expect([key.address(false, 2), key.address(true, 0)]).toEqual([addressAt(0, 2, 1), addressAt(1, 0, 1)])
  })
})

describe('a payment that the device does not sign', () => {
  const send = async (settings: Partial<DeviceSettings>) => {
    const transport = device(settings)
    const { deps, accepted } = ledgerNode()
    const signer = createLedgerSigner({ transport, accountIndex: 0 })
    const error = await failure(createTransactions(deps).send({ ...payment, signer }))
    return { error, accepted, reserved: deps.reserved.size, cause: (error as Error).cause }
  }
  const status = (word: string) => ({ tamper: () => Buffer.from(word, 'hex') })
  const thrown = (name: string) => ({
    tamper: () => {
      throw Object.assign(new Error(name), { name })
    },
  })
  it.each<[string, Partial<DeviceSettings>, string]>([
    ['is rejected by the user', { decide: () => false }, 'rejected'],
    ['finds the device unplugged', thrown('DisconnectedDevice'), 'device-disconnected'],
    ['loses the device', thrown('DisconnectedDeviceDuringOperation'), 'device-disconnected'],
    ['finds the device locked', status('5515'), 'locked'],
    ['finds another app', status('6e00'), 'not-connected'],
    ['is refused by the app', status('b005'), 'failed'],
  ])('%s', async (_, settings, code) => {
    const { error, accepted, cause } = await send(settings)
    expect(error).toMatchObject({ name: 'ChainWalletError', operation: 'sign', code, outcome: 'unsent' })
    expect(cause).toBeInstanceOf(Error)
    expect(accepted).toEqual([])
  })

  it('has the signature of another hash', async () => {
    const tamper = (reply: Buffer): Buffer => {
      const changed = Buffer.from(reply)
      if (reply.length === 102) changed[80] = reply[80]! ^ 1
      return changed
    }
    const { error, accepted } = await send({ tamper })
    expect(error).toMatchObject({
      name: 'ChainWalletError',
      code: 'unexpected-response',
      details: 'The app signed another hash for input 0',
    })
    expect(accepted).toEqual([])
  })

  it.each<[string, object, string]>([
    [
      'two recipients',
      { outputs: [bob.address, addressAt(1, 0)].map((address) => ({ address, amount: 3n * KAS })) },
      'maxRecipients',
    ],
    ['a payload', { payload: 'ab' }, 'payload'],
    ['change of another person', { changeAddress: bob.address }, 'change'],
    ['an unknown key', { entries: [utxoAt(bob.address, 20n * KAS, 0)] }, 'account'],
    ['an output above 255', { entries: [utxoAt(addressAt(0, 0), 20n * KAS, 256)] }, 'maxOutpointIndex'],
    ['sequences that commit to amounts', { commitAmounts: true }, 'commitAmounts'],
  ])('was planned without the signer, with %s: nothing is sent to the device', async (_, given, limit) => {
    const transport = device()
    const { transactions } = await createTransactions(ledgerNode().deps).create({
      ...payment,
      commitAmounts: false,
      ...given,
    })
    const error = await failure(transactions[0]!.signAsync(createLedgerSigner({ transport, accountIndex: 0 })))
    expect(error).toMatchObject({ code: 'unsupported', limit })
    expect(transport.log).toEqual([])
  })

  it.each([
    [{ accountIndex: -1 }, 'accountIndex'],
    [{ accountIndex: 0, maxInputs: 129 }, 'maxInputs'],
    [{ accountIndex: 0, account: 0 }, 'account'],
  ])('has no signer with %o', (options, argument) => {
    expect(() => createLedgerSigner({ transport: device(), ...options })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument }),
    )
  })
})

/** The address of `20 key ac`. */
const addressOfScript = (script: string): string => encodeAddress('kaspasim', 'PubKey', fromHex(script.slice(2, -2)))
